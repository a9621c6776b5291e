/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Interface between this library and libuncoremsr-sim, which is needed only when a machine "sim:NAME" is opened. */
#ifndef UM_HANDLE_SIMULATED_H
#define UM_HANDLE_SIMULATED_H

#include <stdbool.h>
#include <stddef.h>

#include "access/access.h"
#include "common/error.h"
#include "uncoremsr.h"

struct uncoremsr_sim;
struct um_perf_kernel;

struct um_simulator {
	/* The functions uncoremsr_sim_new() and uncoremsr_sim_free(). */
	int (*make)(struct uncoremsr_sim **sim, const char *what, char *error, size_t size);
	void (*free)(struct uncoremsr_sim *sim);
	/* Make an access to the machine. @own: closing the access also frees @sim. 0; -ENOMEM (@sim is not freed). */
	int (*access)(struct um_access **out, struct uncoremsr_sim *sim, bool own);
	/* Make the kernel of the simulated machine; it must be destroyed before the machine is freed. 0; -ENOMEM. */
	int (*kernel)(struct uncoremsr_sim *sim, struct um_perf_kernel **out);
};

/* The table of functions that libuncoremsr-sim exports. */
extern const struct um_simulator um_simulator __attribute__((visibility("default")));

/*
 * Find the functions of libuncoremsr-sim: simulated_load.c loads the library, simulated_linked.c expects them in the
 * program. 0; or, with the message in @e, -ENOTSUP: they are not there; -EPERM: a program with raised privileges loads
 * no library; -ENOMEM.
 */
int um_simulator_find(const struct um_simulator **found, struct um_error *e) UM_MUST_CHECK;

/* For uncoremsr_set_sim(): use @sim, which the caller owns, as the machine @name. */
int um_set_simulated(struct uncoremsr *um, const struct um_simulator *simulator, struct uncoremsr_sim *sim,
		     const char *name) UM_CROSSES;

#endif
