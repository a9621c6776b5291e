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
 * Look who holds which counter. Touches no register and needs no permission but to read the
 * directory.
 * @param leases is freed with uncoremsr_leases_free(). Empty when there is no directory; NULL after a
 *   failure.
 * @return 0; -EINVAL @p um is not open; -EACCES, -EPERM the directory cannot be read (class ACCESS);
 *   -ENOMEM.
 */
int uncoremsr_leases_read(struct uncoremsr *um, struct uncoremsr_leases **leases);
/** @param leases may be NULL. */
void uncoremsr_leases_free(struct uncoremsr_leases *leases);
/** By index, in the order of package and counter; NULL past the end. Lives as long as the list. */
const struct uncoremsr_lease *uncoremsr_lease(const struct uncoremsr_leases *leases, size_t index);

/** What a lease file tells. */
enum uncoremsr_lease_state {
	UNCOREMSR_LEASE_HELD,     /* its process is alive and counts */
	UNCOREMSR_LEASE_LEFTOVER, /* its process died; uncoremsr_repair() puts the registers back */
	UNCOREMSR_LEASE_INVALID,  /* torn, foreign, of another boot or machine: never replayed */
};

/** What a lease can be asked. */
enum uncoremsr_lease_property {
	/* texts */
	UNCOREMSR_LEASE_UNIT,     /* "cbo3"; the name of the PMU where it has no units ("uncore"); "" for
				   * a register of the package */
	UNCOREMSR_LEASE_FILE,     /* name of its file in uncoremsr_lease_dir() */
	UNCOREMSR_LEASE_COMMAND,  /* of the process; NULL unknown */
	UNCOREMSR_LEASE_EVENT,    /* what it counts; NULL unknown */
	UNCOREMSR_LEASE_WHY,      /* why it is invalid, as a phrase; NULL when it is not */
	/* numbers */
	UNCOREMSR_LEASE_STATE,    /* enum uncoremsr_lease_state */
	UNCOREMSR_LEASE_PACKAGE,  /* physical_package_id */
	UNCOREMSR_LEASE_DIE,      /* die_id; none where packages are not told apart by die */
	UNCOREMSR_LEASE_COUNTER,  /* index as in readings; none when it is about another register */
	UNCOREMSR_LEASE_REGISTER, /* address of the filter or gate that it is about; none for a counter */
	UNCOREMSR_LEASE_PID,      /* process id; none when it is unknown */
	UNCOREMSR_LEASE_SINCE,    /* Unix seconds; none when it is unknown */
	UNCOREMSR_LEASE_HOLDS,    /* what the selector, filter or gate holds: only in a report of
				   * uncoremsr_repair() that nothing had to be put back */
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
};
/**
 * Put back what processes that died have left in the registers, from their journals; only where a
 * selector still holds one of their words. Every session does this when it starts.
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
