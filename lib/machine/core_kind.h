/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Which kinds of cores a machine has, and what CPUID says about the counters of each. Read when
 * asked only: it takes CPUID of every CPU, and who wants to count uncore events needs none of it.
 */
#ifndef UM_CORE_KIND_H
#define UM_CORE_KIND_H

#include "machine/machine.h"
#include "uncoremsr/machine.h"

#define UM_CORE_LEVELS 8 /* types 1 to 6 are defined */

/* CPUID leaf 0x23, which new processors have beside leaf 0xA; each kind of core has its own. */
struct um_leaf_0x23 {
	bool present;
	uint32_t subleaves, flags, slots;   /* sub-leaf 0: EAX, EBX, ECX */
	bool has_counters, has_events;      /* sub-leaves 1 and 3 are valid */
	uint32_t general_mask, fixed_mask;  /* sub-leaf 1 */
	uint32_t events;                    /* sub-leaf 3: 1 = available */
};

/* A level of CPUID leaf 0x1F or 0xB. */
struct um_core_level {
	unsigned type, shift, cpus;
};

/* What the kernel prints about the core PMU when it starts. */
struct um_boot_line {
	bool valid;
	uint32_t version, width, general, fixed;
	uint64_t value_mask, event_mask;
};

struct uncoremsr_core_kind {
	struct um_identity id;
	struct um_cpuset cpus;
	char *cpus_text;
	uint32_t signature, leaf_0x1a; /* leaf 1 EAX, leaf 0x1A EAX (0: not told) */
	bool hybrid, debug_store, has_capabilities; /* capabilities: register 0x345 */
	uint32_t lbr_depths;           /* leaf 0x1C EAX 7:0, 0 without architectural LBR */
	struct um_leaf_0x23 leaf_0x23;
	uint32_t topology_leaf;        /* 0x1F, 0xB or 0 */
	struct um_core_level levels[UM_CORE_LEVELS];
	size_t num_levels;
	/* its own counters, and where their number comes from */
	uint64_t general_mask, fixed_mask;
	const char *counters_from;
	struct um_boot_line boot;
	/* not from CPUID; -1 unknown */
	int64_t capabilities, caps_branches, caps_max_precise;
};

struct uncoremsr_cores {
	struct uncoremsr_core_kind *kinds; /* in the order of their lowest CPU */
	size_t num, num_cpus;
};

/* Kinds of the cores of @cpus, as far as CPUID can be had. 0 or -ENOMEM. */
int um_cores_read(struct uncoremsr_cores *c, struct um_access *a,
		  const struct um_cpuset *cpus) UM_MUST_CHECK;
/* The same from a recorded CPUID. 0; the errors of um_cpuid_dump_load(). */
int um_cores_load(struct uncoremsr_cores *c, const char *path, struct um_error *e) UM_MUST_CHECK;
void um_cores_free(struct uncoremsr_cores *c);

/* Inside machine/: everything that CPUID of @cpu tells. 0, or what reading leaf 0 said. */
int um_core_kind_read(struct uncoremsr_core_kind *k, struct um_access *a, unsigned cpu)
	UM_MUST_CHECK;
bool um_core_kind_same(const struct uncoremsr_core_kind *x, const struct uncoremsr_core_kind *y);
/* "SMT", "core", ...; NULL: a type that is not defined. */
const char *um_core_level_name(unsigned type);

#endif
