/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Find PMUs of a processor by our names or the kernel's, with or without a unit number. */
#ifndef UM_EVENT_PMUS_H
#define UM_EVENT_PMUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "common/error.h"
#include "uarch/uarch.h"
#include "uncoremsr/machine.h"

enum { UM_EVENT_PMUS = 48 };
struct um_event_pmus {
	const char *uarch;
	const struct um_pmu *pmus[UM_EVENT_PMUS];
	size_t num;
	uint32_t arch_events;              /* bit mask of the core PMU's architectural events: um_arch_events() */
	struct um_names *names;            /* event lists, and sources of similar names; NULL: search only the tables */
	bool machine;                      /* also suggest this machine's names of kernel, perf and catalogs */
};

/* The PMUs in the tables of @u, followed by @core (NULL: none). */
struct um_event_pmus um_event_pmus_of(const struct um_uarch *u, const struct um_pmu *core);
struct um_machine;
struct um_event_pmus um_event_pmus_of_machine(const struct um_machine *m);
/*
 * The PMU that is meant by EVENT:UMASK and by raw words that name no PMU. NULL, unless the machine has only one uncore
 * PMU that is programmed through MSRs, and this PMU has general counters, one unit and no extra registers.
 */
const struct um_pmu *um_event_plain_pmu(const struct um_event_pmus *pmus);

/*
 * Find a PMU by its name, even if it is not programmed through MSRs. Sets *number to the number in the name, or -1.
 * NULL: none.
 */
const struct um_pmu *um_event_pmu_named(const struct um_event_pmus *pmus, const char *name, size_t len, int *number);
/*
 * Find a PMU by its name, and set *unit to the number in the name (-1: every unit). With a message in @e, -ENOENT:
 * there is no such PMU; -ENOTSUP: it is not programmed through MSRs; -EINVAL: it has no such unit.
 */
int um_event_pmu(const struct um_event_pmus *pmus, const char *name, size_t len,
		 const struct um_pmu **pmu, int *unit, const char *text, struct um_error *e);
const struct um_pmu *um_event_core_pmu(const struct um_event_pmus *pmus);
bool um_pmu_is_core(const struct um_pmu *pmu);
/* The fixed counter for an event name or one of its aliases; -1: none. */
int um_pmu_find_fixed(const struct um_pmu *pmu, const char *text, size_t len);
/* The separator between a PMU's name and a unit number: "-" in "l3-2", because "l32" would be unit 32. */
const char *um_pmu_dash(const struct um_pmu *pmu);
/* Write a list of the PMUs that can be counted: "cbo, arb, clock". Returns @buf. */
const char *um_event_pmu_names(const struct um_event_pmus *pmus, char *buf, size_t size);
/* Get the selector bits for user and kernel mode. False: the PMU has no such bits. */
bool um_pmu_rings(const struct um_pmu *pmu, uint64_t *user, uint64_t *kernel);

struct um_pmu_shown {
	struct uncoremsr_pmu pub;
	const struct um_pmu *pmu;
};

static inline const struct um_pmu *um_pmu_of(const struct uncoremsr_pmu *pmu)
{
	return pmu ? ((const struct um_pmu_shown *)pmu)->pmu : NULL;
}

static inline void um_pmu_shown_free(struct um_pmu_shown *shown)
{
	free((void *)shown->pub.fixed);
	free((void *)shown->pub.terms);
	*shown = (struct um_pmu_shown){ .pmu = NULL };
}

#endif
