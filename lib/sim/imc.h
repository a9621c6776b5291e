/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * In-memory collection (IMC) of a simulated POWER machine: the device tree after skiboot has completed it (hw/imc.c),
 * the PMUs that the kernel creates from it (Linux arch/powerpc/perf/imc-pmu.c, platforms/powernv/opal-imc.c), and the
 * memory of each chip's nest counters (platforms/powernv/opal.c, sys/firmware/opal/exports). This code and the library
 * interpret the tree independently, so that a mistake in one of them shows.
 */
#ifndef UM_SIM_IMC_H
#define UM_SIM_IMC_H

#include "imc/tree.h"
#include "sim/kernel.h"

/* Property "type" of a unit. */
enum um_sim_imc_level {
	UM_SIM_IMC_NO_LEVEL = 0,
	UM_SIM_IMC_THREAD = 0x1,
	UM_SIM_IMC_TRACE = 0x2,
	UM_SIM_IMC_CORE = 0x4,
	UM_SIM_IMC_NEST = 0x10,
};

/* A value of the key rate=, kept until the catalog is known. */
struct um_sim_imc_rate {
	char name[64];
	uint64_t rate;
};

struct um_sim_imc {
	char *path;                 /* catalog file; NULL: the built-in catalog */
	struct um_tree *tree;
	const struct um_tree_node *counters;
	uint32_t nest_size, control; /* size of a chip's nest memory (0: no nest), offset of its control block */
	struct um_sim_imc_rate *rates;
	size_t num_rates;
	bool paused;                /* the microcode pauses at time @paused_at */
	uint64_t paused_at;
};

/* imc_catalog.c: make a small catalog for a processor version register. NULL: out of memory. */
struct um_tree *um_sim_imc_catalog(uint32_t pvr);
/* Set a property of @num cells: numbers of 32 bits in big-endian order. 0; -ENOMEM. */
int um_sim_imc_set_cells(struct um_tree_node *node, const char *name, const uint32_t *cells, size_t num) UM_MUST_CHECK;

/* imc.c: make the PMUs from the catalog. -EINVAL: not a valid catalog, or no counter that a key rate= names. */
int um_sim_imc_finish(struct uncoremsr_sim *sim, struct um_error *e) UM_MUST_CHECK;
void um_sim_imc_free(struct uncoremsr_sim *sim);
/* Check an event as the kernel's event_init of an IMC PMU does. 0 or a negative errno. */
int um_sim_imc_check(const struct um_sim_kernel *k, const struct um_sim_kernel_pmu *pmu,
		     const struct um_perf_attr *attr, pid_t pid, int cpu);

/* Paths of the IMC node in the device tree, and of the folder with firmware memory. */
#define UM_SIM_IMC_TREE "proc/device-tree/imc-counters"
#define UM_SIM_IMC_EXPORTS "sys/firmware/opal/exports"

#endif
