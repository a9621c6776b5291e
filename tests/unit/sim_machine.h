/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The simulated machine of a test, without a handle: for the tests of the simulator itself. */
#ifndef SIM_MACHINE_H
#define SIM_MACHINE_H

#include "helpers.h"

static struct uncoremsr_sim *sim;

/* use(): create this machine; a previous one is freed. */
static inline void use(const char *what)
{
	uncoremsr_sim_free(sim);
	sim = sim_or_fail(what);
}

/* free_sim(): teardown of a fixture: free the machine. */
static inline void free_sim(void)
{
	uncoremsr_sim_free(sim);
	sim = NULL;
}

#endif
