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

/** What a lease file tells. */
enum uncoremsr_lease_state {
	UNCOREMSR_LEASE_HELD,     /* its process is alive and counts */
	UNCOREMSR_LEASE_LEFTOVER, /* its process died; uncoremsr_repair() puts the registers back */
	UNCOREMSR_LEASE_INVALID,  /* torn, foreign, of another boot or machine: never replayed */
};
/**
 * Look who holds which counter. Touches no register and needs no permission but to read the
 * directory.
 * @param leases is freed with uncoremsr_leases_free(). Empty when there is no directory.
 * @return 0; -EACCES, -EPERM the directory cannot be read (class ACCESS); -ENOMEM.
 */
int uncoremsr_leases_read(struct uncoremsr *um, struct uncoremsr_leases **leases);
void uncoremsr_leases_free(struct uncoremsr_leases *leases);
/** By index, in the order of package and counter; NULL past the end. */
const struct uncoremsr_lease *uncoremsr_lease(const struct uncoremsr_leases *leases, size_t index);
enum uncoremsr_lease_state uncoremsr_lease_state(const struct uncoremsr_lease *lease);
/** physical_package_id and die_id (-1 none); index of the counter as in readings, -1 when it is about
 * another register. */
int uncoremsr_lease_package(const struct uncoremsr_lease *lease);
int uncoremsr_lease_die(const struct uncoremsr_lease *lease);
int uncoremsr_lease_counter(const struct uncoremsr_lease *lease);
/** "cbo3"; the name of the PMU where it has no units ("uncore"); "" for a register of the package. */
const char *uncoremsr_lease_unit(const struct uncoremsr_lease *lease);
/** Address of the filter or gate that it is about; 0 for a counter. */
uint32_t uncoremsr_lease_register(const struct uncoremsr_lease *lease);
/** Name of its file in uncoremsr_lease_dir(). */
const char *uncoremsr_lease_file(const struct uncoremsr_lease *lease);
/** Who: process id (-1 unknown), its command ("" unknown), the event, since when (Unix seconds). */
long uncoremsr_lease_pid(const struct uncoremsr_lease *lease);
const char *uncoremsr_lease_command(const struct uncoremsr_lease *lease);
const char *uncoremsr_lease_event(const struct uncoremsr_lease *lease);
int64_t uncoremsr_lease_since(const struct uncoremsr_lease *lease);
/** Why it is invalid, as a sentence; "" otherwise. */
const char *uncoremsr_lease_why(const struct uncoremsr_lease *lease);

/**
 * Put back what processes that died have left in the registers, from their journals; only where a
 * selector still holds one of their words. Every session does this when it starts.
 * @param fn gets a sentence about each counter (put back, left alone and why); NULL: the log does.
 * @return how many counters were put back; or -EACCES and so on as uncoremsr_session_start().
 */
int uncoremsr_repair(struct uncoremsr *um, void (*fn)(void *user, const char *line), void *user);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif

#endif
