/* SPDX-License-Identifier: LGPL-2.1-or-later */
/**
 * @file uncoremsr/leases.h
 * Who holds which counter, and what dead processes left behind.
 * Rules about errors, threads and ownership: uncoremsr.h.
 */
#ifndef UNCOREMSR_LEASES_H
#define UNCOREMSR_LEASES_H

#include <stddef.h>
#include <stdint.h>

#include "uncoremsr.h"

#ifdef __cplusplus
extern "C" {
#endif

#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

struct uncoremsr_leases;    /* list of leases at one moment */
struct uncoremsr_lease;     /* one counter of one package, held or left over */

/* ---------------------------------------------------------------- leases */

/**
 * The directory in which sessions of all processes on this machine keep their leases and journals:
 * "/run/uncoremsr", or "DIR/run/uncoremsr" under root:DIR; NULL where there is none (sim:).
 */
const char *uncoremsr_lease_dir(const struct uncoremsr *um);
/**
 * List who holds which counter. Accesses no register. Needs permission to read the journals: root reads
 * all; the group that may count reads root's and the user's own.
 * @param leases gets the list; free it with uncoremsr_leases_free(). Empty if there is no directory; NULL
 *   after a failure.
 * @return 0; -EINVAL @p um is not open; -EACCES, -EPERM a journal or the directory cannot be read, or its
 *   owner or mode is wrong (class ACCESS);
 *   -ENOMEM.
 */
int uncoremsr_leases_read(struct uncoremsr *um, struct uncoremsr_leases **leases);
/** @param leases may be NULL. */
void uncoremsr_leases_free(struct uncoremsr_leases *leases);
/** Lease by index, sorted by package and counter; NULL past the end. Valid as long as the list. */
const struct uncoremsr_lease *uncoremsr_lease(const struct uncoremsr_leases *leases, size_t index);

/** State of a lease. */
enum uncoremsr_lease_state {
	UNCOREMSR_LEASE_HELD,     /* its process is alive and counts */
	UNCOREMSR_LEASE_LEFTOVER, /* its process died; uncoremsr_repair() restores the registers */
	UNCOREMSR_LEASE_INVALID,  /* its journal is incomplete, foreign, or of another boot or machine:
				   * never replayed */
	UNCOREMSR_LEASE_LOCKED,   /* a process has locked bytes of the file "lock" for which no journal
				   * exists; a starting session does so for a moment. Only the owner of the
				   * directory sees it */
};

/** Properties of a lease. */
enum uncoremsr_lease_property {
	/* texts */
	UNCOREMSR_LEASE_UNIT,     /* "cbo3"; the PMU's name if it has no units ("uncore"); "" for a register
				   * of the package */
	UNCOREMSR_LEASE_FILE,     /* its journal, under uncoremsr_lease_dir(): "4711-1.journal" */
	UNCOREMSR_LEASE_COMMAND,  /* name of the process; NULL: unknown */
	UNCOREMSR_LEASE_EVENT,    /* the event that is counted; NULL: unknown */
	UNCOREMSR_LEASE_WHY,      /* why the lease is invalid, as a phrase; NULL if it is valid */
	/* numbers */
	UNCOREMSR_LEASE_STATE,    /* enum uncoremsr_lease_state */
	UNCOREMSR_LEASE_PACKAGE,  /* physical_package_id; none if the journal cannot be read */
	UNCOREMSR_LEASE_DIE,      /* die_id; none if registers are not per die */
	UNCOREMSR_LEASE_COUNTER,  /* counter's index as in readings; none for a lease of a filter or gate */
	UNCOREMSR_LEASE_REGISTER, /* address of the leased filter or gate; none for a counter */
	UNCOREMSR_LEASE_PID,      /* process id; none if unknown */
	UNCOREMSR_LEASE_USER,     /* id of the user who owns the journal; none if that is root or the owner
				   * of the directory. LOCKED: user of the process; none if unknown */
	UNCOREMSR_LEASE_SINCE,    /* Unix time in seconds; none if unknown */
	UNCOREMSR_LEASE_FIRST,    /* LOCKED: first locked byte; none in other states */
	UNCOREMSR_LEASE_LAST,     /* LOCKED: last locked byte; none: up to the end of the file */
	/* only in reports of uncoremsr_repair(): */
	UNCOREMSR_LEASE_HOLDS,    /* contents of the selector, filter or gate that was not restored */
	UNCOREMSR_LEASE_SELECTOR, /* address of that register; none unless OF_USER or BORROWED */
	UNCOREMSR_LEASE_HOLDER,   /* id of the process that holds the lease now; none: unknown */
};
/** A property that is a text; valid as long as the lease. NULL: unknown, does not apply, or not a text. */
const char *uncoremsr_lease_text(const struct uncoremsr_lease *lease,
				 enum uncoremsr_lease_property what);
/** A property that is a number. @return 0, or -ENODATA (unknown, does not apply, or not a number; @p v is
 * unchanged). */
int uncoremsr_lease_number(const struct uncoremsr_lease *lease, enum uncoremsr_lease_property what,
			   uint64_t *v);

/* ---------------------------------------------------------------- repair */

/** Result of repairing one lease of a dead process. */
enum uncoremsr_repair {
	UNCOREMSR_REPAIR_DONE,           /* restored to what was there before that process */
	UNCOREMSR_REPAIR_NOT_OURS,       /* not changed: the register holds a word that the process did not
					  * write */
	UNCOREMSR_REPAIR_IN_USE,         /* a gate, left open because another program's counters need it */
	UNCOREMSR_REPAIR_NOT_BELIEVED,   /* the lease is invalid and never replayed */
	UNCOREMSR_REPAIR_PACKAGE_OFFLINE, /* no CPU of its package is online now */
	UNCOREMSR_REPAIR_UNIT_OFFLINE,   /* the CPU of the unit is offline now */
	UNCOREMSR_REPAIR_HELD,           /* another process holds the lease or its journal: try again when
					  * that process has ended */
	UNCOREMSR_REPAIR_ON_REQUEST,     /* a core counter, or one that another program had switched on:
					  * sessions do not repair these, only this function does */
	UNCOREMSR_REPAIR_OF_USER,        /* left by another user's session: only that user can restore it */
	UNCOREMSR_REPAIR_BORROWED,       /* left by a session of this user, who may write the journal but
					  * may write registers only through programs with file
					  * capabilities */
};
/**
 * Restore registers that processes left changed when they died, from their journals. A counter is restored
 * only if its selector still holds a word that the process wrote. Every session does this when it starts,
 * except for core counters and counters that another program had used before. Journals of other users are
 * only reported, never replayed, because others can write them. The same holds for the journal of a user
 * who may write registers only through a program with file capabilities: it is reported as BORROWED. Waits
 * at most 5 seconds in all for locks of other processes.
 * @param fn is called for each lease that was found; the lease is valid during the call. NULL: leases are
 *   logged instead.
 * @return number of restored counters and registers; -EINVAL @p um is not open; or -EACCES and so on as
 *   uncoremsr_session_start().
 */
int uncoremsr_repair(struct uncoremsr *um,
		     void (*fn)(void *user, enum uncoremsr_repair what,
				const struct uncoremsr_lease *lease),
		     void *user);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif

#endif
