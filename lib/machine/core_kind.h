/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Which kinds of cores a machine has, and what CPUID says about the counters of each. Read when
 * asked only: it takes CPUID of every CPU, and counting uncore events needs none of it.
 */
#ifndef UM_CORE_KIND_H
#define UM_CORE_KIND_H

#include "machine/machine.h"
#include "uncoremsr/machine.h"

/* CPUID leaf 0x1A EAX 31:24. */
#define UM_CORE_TYPE_P 0x40u
#define UM_CORE_TYPE_E 0x20u

#define UM_CORE_LEVELS 8 /* types 1 to 6 are defined */
#define UM_CORE_NUMBERS (UNCOREMSR_CORE_BOOT_EVENT_MASK + 1)

/* A level of CPUID leaf 0x1F or 0xB. */
struct um_core_level {
	unsigned type, shift, cpus;
};

struct uncoremsr_core_kind {
	struct um_identity id;
	struct um_cpuset cpus;
	char *cpus_text;
	uint64_t numbers[UM_CORE_NUMBERS], known; /* known: bit n, numbers[n] is */
	bool has_capabilities;         /* register 0x345 exists */
	struct um_core_level levels[UM_CORE_LEVELS];
	size_t num_levels;
};

struct uncoremsr_cores {
	struct uncoremsr_core_kind *kinds; /* in the order of their lowest CPU; one without CPUs is last */
	size_t num;
};

/*
 * Kinds of the cores that are online, as far as CPUID can be read; and the other kind of a hybrid processor, of which
 * then no CPU is online and little is known. 0 or -ENOMEM.
 */
int um_cores_read(struct uncoremsr_cores *c, struct um_access *a, const struct um_topology *t) UM_MUST_CHECK;
void um_cores_free(struct uncoremsr_cores *c);

/* Everything that CPUID of @cpu says; the set of CPUs stays empty. 0; -ENODATA without CPUID. */
int um_core_kind_read(struct uncoremsr_core_kind *k, struct um_access *a, unsigned cpu)
	UM_MUST_CHECK;
bool um_core_kind_same(const struct uncoremsr_core_kind *x, const struct uncoremsr_core_kind *y);
/* What register 0x345 holds, and what follows from it. */
void um_core_kind_set_capabilities(struct uncoremsr_core_kind *k, uint64_t value);
void um_core_kind_set(struct uncoremsr_core_kind *k, enum uncoremsr_core_number what, uint64_t v);

#endif
