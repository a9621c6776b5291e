/* SPDX-License-Identifier: LGPL-2.1-or-later */
/**
 * @file uncoremsr/leases.h
 * Who holds which counter, and which registers dead processes left changed.
 * Rules about errors, threads, ownership and structs: uncoremsr.h.
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

/* ---------------------------------------------------------------- leases */

/** State of a lease. */
enum uncoremsr_lease_state {
	UNCOREMSR_LEASE_HELD,     /* the session's process is alive and counts */
	UNCOREMSR_LEASE_LEFTOVER, /* the session's process died; uncoremsr_repair() restores the registers */
	UNCOREMSR_LEASE_INVALID,  /* the lease's journal is incomplete, foreign, or of another boot or machine: never
				   * replayed */
	UNCOREMSR_LEASE_LOCKED,   /* a process has locked bytes of the file "lock" for which no journal exists; a
				   * starting session does so for a moment. Only the owner of the directory is shown
				   * this state */
};

/** What is known about the registers of an invalid lease. */
enum uncoremsr_lease_fault {
	UNCOREMSR_LEASE_FAULT_OTHER,   /* nothing is known; the registers cannot be restored from this file */
	UNCOREMSR_LEASE_FAULT_VERSION, /* written by another version of the library, which can restore the registers */
	UNCOREMSR_LEASE_FAULT_LONG,    /* the file is too long to be read whole; its owner can restore the registers */
};

/** One counter of one package, held or left over. */
struct uncoremsr_lease {
	size_t size;
	enum uncoremsr_lease_state state;
	int package;         /* physical_package_id; -1 if the journal cannot be read */
	int die;             /* die_id; -1 if registers are not per die */
	const char *unit;    /* "cbo3"; the PMU's name if it has no units ("uncore"); "" for registers of a package */
	int counter;         /* counter's index as in readings; -1 for a lease of a filter or enable register */
	uint64_t msr;        /* address of the leased filter or enable register; unknown for a counter */
	long pid;            /* process that holds the counter */
	long user;           /* id of the user who owns the journal; -1 if that is root or the owner of the directory.
			      * LOCKED: user of the process */
	uint64_t since;      /* Unix time in seconds */
	const char *command; /* name of the process */
	const char *event;   /* the event that is counted */
	const char *file;    /* the lease's journal, as a path below the directory of the leases: "4711-1.journal". If
			      * the lease is INVALID, "?" replaces characters that may not be printable, and the end of
			      * a long name */
	const char *why;     /* why the lease is invalid, as a phrase; NULL if it is valid */
	uint64_t first;      /* LOCKED: first locked byte */
	uint64_t last;       /* LOCKED: last locked byte; unknown: up to the end of the file */
	/* Only in reports of uncoremsr_repair(): */
	uint64_t holds;      /* contents of the register that was not restored: a selector, filter or enable register */
	uint64_t selector;   /* address of the register that was not restored; known only for OF_USER and BORROWED */
	long holder;         /* id of the process that holds the lease now */
	enum uncoremsr_lease_fault fault; /* INVALID: what can be done about it; also set by uncoremsr_leases() */
	const char *result;  /* result as a sentence; NULL in uncoremsr_leases() */
};
/** The leases at one moment. */
struct uncoremsr_leases {
	size_t size;
	/* The directory in which sessions of all processes on this machine keep their leases and journals:
	 * "/run/uncoremsr", or "DIR/run/uncoremsr" under root:DIR; NULL where there is none (sim:). */
	const char *dir;
	const struct uncoremsr_lease *const *list; /* sorted by package and counter; ends with NULL */
};
/**
 * Read who holds which counter. Accesses no register. Needs permission to read the journals: root can read all of them;
 * members of the group that may count can read those of root and their own.
 * @return valid until the next call; no lease is listed if there is no directory. NULL after a failure, with the code
 *   in uncoremsr_error(): -EINVAL @p um is not open; -ECHILD a child of the process that has opened @p um; -EACCES,
 *   -EPERM or another error of open(2): a journal or the directory cannot be read, or its owner or mode is wrong (class
 *   ACCESS); -ENOMEM.
 */
const struct uncoremsr_leases *uncoremsr_leases(struct uncoremsr *um);

/* ---------------------------------------------------------------- repair */

/** Result of repairing one lease of a dead process. */
enum uncoremsr_repair {
	UNCOREMSR_REPAIR_DONE,           /* restored to what was there before that process */
	UNCOREMSR_REPAIR_NOT_OURS,       /* not changed: the register holds a word that the process did not
					  * write. If this word is 0, the counter's enable bit is off */
	UNCOREMSR_REPAIR_IN_USE,         /* an enable register, left on because another program's counters need it */
	UNCOREMSR_REPAIR_NOT_BELIEVED,   /* the lease is invalid and never replayed */
	UNCOREMSR_REPAIR_PACKAGE_OFFLINE, /* no CPU of the lease's package is online now */
	UNCOREMSR_REPAIR_UNIT_OFFLINE,   /* the CPU of the unit is offline now */
	UNCOREMSR_REPAIR_HELD,           /* another process holds the lease or its journal: try again when
					  * that process has ended */
	UNCOREMSR_REPAIR_ON_REQUEST,     /* a core counter, a counter that another program had switched on, or an enable
					  * bit that another program may need now: sessions leave it to
					  * uncoremsr_repair() */
	UNCOREMSR_REPAIR_OF_USER,        /* left by another user's session: only that user can restore it */
	UNCOREMSR_REPAIR_BORROWED,       /* left by a session of this user, who can write the journal, but can write
					  * registers only through programs with file capabilities */
	UNCOREMSR_REPAIR_INHERITED,      /* an enable register, left on: a session of the process "holder" needs it, and
					  * restores it at its end */
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
 *   uncoremsr_session_start(). After an error, the other leases are still restored and reported to @p fn.
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
