/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The seam between this library and libuncoremsr-sim, which is not needed until a machine "sim:NAME" is asked for. */
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
	/* As uncoremsr_sim_new() and uncoremsr_sim_free(). */
	int (*make)(struct uncoremsr_sim **sim, const char *what, char *error, size_t size);
	void (*free)(struct uncoremsr_sim *sim);
	/* Make an access to it. @own: closing the access also frees @sim. 0; -ENOMEM (@sim is untouched). */
	int (*access)(struct um_access **out, struct uncoremsr_sim *sim, bool own);
	/* The machine's own kernel, which is destroyed before the machine is freed. 0; -ENOMEM. */
	int (*kernel)(struct uncoremsr_sim *sim, struct um_perf_kernel **out);
};

/* What libuncoremsr-sim brings. */
extern const struct um_simulator um_simulator __attribute__((visibility("default")));

/*
 * Find it: simulated_load.c looks beside the shared library, simulated_linked.c in the program. 0; with the sentence in @e:
 * -ENOTSUP it is not there; -EPERM a program with raised privileges loads no library; -ENOMEM.
 */
int um_simulator_find(const struct um_simulator **found, struct um_error *e) UM_MUST_CHECK;

/* For uncoremsr_set_sim(): the machine of this name is @sim, which the caller owns. */
int um_set_simulated(struct uncoremsr *um, const struct um_simulator *simulator, struct uncoremsr_sim *sim,
		     const char *name) UM_CROSSES;

#endif
