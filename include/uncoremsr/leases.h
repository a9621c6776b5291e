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

struct uncoremsr_leases;    /* who holds which counter, as found at one moment */
struct uncoremsr_lease;     /* one counter of one package, held or left over */

/* ---------------------------------------------------------------- leases */

/**
 * The directory in which sessions of all processes on this machine keep their leases and journals:
 * "/run/uncoremsr", or "DIR/run/uncoremsr" under root:DIR; NULL where there is none (sim:).
 */
const char *uncoremsr_lease_dir(const struct uncoremsr *um);
/**
 * Look who holds which counter. Touches no register, and needs permission to read the journals:
 * root's, or that of the group that may count, which sees root's and the user's own.
 * @param leases is freed with uncoremsr_leases_free(). Empty when there is no directory; NULL after a
 *   failure.
 * @return 0; -EINVAL @p um is not open; -EACCES, -EPERM a journal or the directory cannot be read, or is not as it should be (class
 *   ACCESS);
 *   -ENOMEM.
 */
int uncoremsr_leases_read(struct uncoremsr *um, struct uncoremsr_leases **leases);
/** @param leases may be NULL. */
void uncoremsr_leases_free(struct uncoremsr_leases *leases);
/** By index, in the order of package and counter; NULL past the end. Lives as long as the list. */
const struct uncoremsr_lease *uncoremsr_lease(const struct uncoremsr_leases *leases, size_t index);

/** What a journal says about a lease. */
enum uncoremsr_lease_state {
	UNCOREMSR_LEASE_HELD,     /* its process is alive and counts */
	UNCOREMSR_LEASE_LEFTOVER, /* its process died; uncoremsr_repair() puts the registers back */
	UNCOREMSR_LEASE_INVALID,  /* torn, foreign, of another boot or machine: never replayed */
	UNCOREMSR_LEASE_LOCKED,   /* a process has locked bytes of the file "lock" that no journal explains;
				   * a session that starts does so for a moment. Seen by the owner of the
				   * directory only */
};

/** What a lease can be asked. */
enum uncoremsr_lease_property {
	/* texts */
	UNCOREMSR_LEASE_UNIT,     /* "cbo3"; the name of the PMU where it has no units ("uncore"); "" for
				   * a register of the package */
	UNCOREMSR_LEASE_FILE,     /* its journal, under uncoremsr_lease_dir(): "4711-1.journal" */
	UNCOREMSR_LEASE_COMMAND,  /* of the process; NULL unknown */
	UNCOREMSR_LEASE_EVENT,    /* what it counts; NULL unknown */
	UNCOREMSR_LEASE_WHY,      /* why it is invalid, as a phrase; NULL when it is not */
	/* numbers */
	UNCOREMSR_LEASE_STATE,    /* enum uncoremsr_lease_state */
	UNCOREMSR_LEASE_PACKAGE,  /* physical_package_id; none when its journal cannot be read */
	UNCOREMSR_LEASE_DIE,      /* die_id; none where packages are not told apart by die */
	UNCOREMSR_LEASE_COUNTER,  /* index as in readings; none when it is about another register */
	UNCOREMSR_LEASE_REGISTER, /* address of the filter or gate that it is about; none for a counter */
	UNCOREMSR_LEASE_PID,      /* process id; none when it is unknown */
	UNCOREMSR_LEASE_USER,     /* id of the user whose journal it is; none: root's, or the owner's of the
				   * directory. LOCKED: of the process; none: unknown */
	UNCOREMSR_LEASE_SINCE,    /* Unix seconds; none when it is unknown */
	UNCOREMSR_LEASE_FIRST,    /* LOCKED: the bytes; none in other states */
	UNCOREMSR_LEASE_LAST,     /* none: and all behind it */
	/* only in reports of uncoremsr_repair(): */
	UNCOREMSR_LEASE_HOLDS,    /* what the selector, filter or gate holds that was left alone */
	UNCOREMSR_LEASE_SELECTOR, /* address of that register; none unless OF_USER or BORROWED */
	UNCOREMSR_LEASE_HOLDER,   /* id of the process that holds it now; none: unknown */
};
/** One of the texts; valid as long as the lease. NULL: unknown, does not apply, or no text. */
const char *uncoremsr_lease_text(const struct uncoremsr_lease *lease,
				 enum uncoremsr_lease_property what);
/** One of the numbers. @return 0, or -ENODATA (unknown, does not apply, or no number), and @p v is left
 * alone. */
int uncoremsr_lease_number(const struct uncoremsr_lease *lease, enum uncoremsr_lease_property what,
			   uint64_t *v);

/* ---------------------------------------------------------------- repair */

/** What became of something that a dead process left. */
enum uncoremsr_repair {
	UNCOREMSR_REPAIR_DONE,           /* put back as it was before that process came */
	UNCOREMSR_REPAIR_NOT_OURS,       /* left alone: it holds a word that process did not write */
	UNCOREMSR_REPAIR_IN_USE,         /* a gate, left open: another program counts behind it */
	UNCOREMSR_REPAIR_NOT_BELIEVED,   /* the lease is invalid, and never replayed */
	UNCOREMSR_REPAIR_PACKAGE_OFFLINE, /* no CPU of its package is online now */
	UNCOREMSR_REPAIR_UNIT_OFFLINE,   /* the CPU that it is about is offline now */
	UNCOREMSR_REPAIR_HELD,           /* another process holds it, or its journal: try again when that
					  * has ended */
	UNCOREMSR_REPAIR_ON_REQUEST,     /* of a core, or switched on by another program: a session that
					  * starts leaves it to this function */
	UNCOREMSR_REPAIR_OF_USER,        /* left by another user's session: only that user puts it back */
	UNCOREMSR_REPAIR_BORROWED,       /* left by a session of this user, who may write the journal, but
					  * registers only through programs with file capabilities */
};
/**
 * Put back what processes that died have left in the registers, from their journals; only where a
 * selector still holds one of their words. Every session does this when it starts, but leaves alone
 * what counts in cores, and counters that were another program's. Journals of other users are reported
 * only: what others can write is never replayed. Nor is a journal whose user may not write registers, because
 * the right is a program's that has file capabilities: it is reported as BORROWED. Waits for locks of other
 * processes at most 5 seconds in all.
 * @param fn gets each lease that was found, valid during the call only; NULL: the log does.
 * @return how many counters and registers were put back; -EINVAL @p um is not open; or -EACCES and so on
 *   as uncoremsr_session_start().
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
