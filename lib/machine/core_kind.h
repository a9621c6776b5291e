/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Kinds of cores and the counters of each. They are read only on demand, because that executes CPUID on every CPU, and
 * counting uncore events does not need it.
 */
#ifndef UM_CORE_KIND_H
#define UM_CORE_KIND_H

#include "machine/machine.h"
#include "uncoremsr/machine.h"

#define UM_CORE_LEVELS 8 /* levels of the topology leaf (0x1F or 0xB); level types 1 to 6 are defined */

struct um_core_kind {
	struct uncoremsr_core_kind pub;
	struct um_identity id;
	struct um_cpuset cpus;
	char *cpus_text;
	bool has_capabilities;         /* register 0x345 exists */
	struct uncoremsr_core_level levels[UM_CORE_LEVELS];
	size_t num_levels;
	struct uncoremsr_core_event events[UM_ARCH_EVENTS];
	/* Pointers to @levels and @events for callers of the library; both arrays end with NULL. */
	const struct uncoremsr_core_level *listed_levels[UM_CORE_LEVELS + 1];
	const struct uncoremsr_core_event *listed_events[UM_ARCH_EVENTS + 1];
};

struct um_cores {
	struct uncoremsr_cores pub;
	struct um_core_kind *kinds;    /* in the order of their lowest CPU; one without CPUs is last */
	size_t num;
	const struct uncoremsr_core_kind **list;
	int *packages;
};

/*
 * Read the kinds of the cores that are online, as far as CPUID can be read. If no CPU of one kind of a hybrid processor
 * is online, that kind is listed too, but little is known about it. 0 or -ENOMEM.
 */
int um_cores_read(struct um_cores *c, struct um_access *a, const struct um_topology *t) UM_MUST_CHECK;
void um_cores_free(struct um_cores *c);

void um_core_kind_init(struct um_core_kind *k);
/*
 * Read everything that CPUID of @cpu says, except texts and lists; the set of CPUs stays empty. 0; -ENODATA without
 * CPUID.
 */
int um_core_kind_read(struct um_core_kind *k, struct um_access *a, unsigned cpu)
	UM_MUST_CHECK;
bool um_core_kind_same(const struct um_core_kind *x, const struct um_core_kind *y);
void um_core_kind_set_events(struct um_core_kind *k);
/* Store the value of register 0x345, and what follows from it. */
void um_core_kind_set_capabilities(struct um_core_kind *k, uint64_t value);

#endif
