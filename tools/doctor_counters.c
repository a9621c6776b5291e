/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* uncore-doctor: which counters are free, and whose the others are. Reads registers only. */
#include <stdio.h>
#include <string.h>

#include "doctor.h"

/* The counters of one package, sorted. */
struct census {
	const struct uncoremsr_package *package;
	unsigned free, leased, strange;
	char list[700]; /* counters of strangers with their selectors */
};

static const struct uncoremsr_lease *lease_of(const struct uncoremsr_leases *leases,
					      const struct uncoremsr_package *p, unsigned counter)
{
	const struct uncoremsr_lease *l;

	for (size_t i = 0; leases && (l = uncoremsr_lease(leases, i)); i++)
		if (uncoremsr_lease_package(l) == uncoremsr_package_id(p) &&
		    uncoremsr_lease_die(l) == uncoremsr_package_die(p) &&
		    uncoremsr_lease_counter(l) == (int)counter &&
		    uncoremsr_lease_state(l) != UNCOREMSR_LEASE_INVALID)
			return l;
	return NULL;
}

static void note_stranger(struct census *c, unsigned counter, uint64_t selector)
{
	size_t len = strlen(c->list);

	c->strange++;
	snprintf(c->list + len, sizeof(c->list) - len, "%scounter %u (0x%llx)", len ? ", " : "",
		 counter, (unsigned long long)selector);
}

/* One counter. False: its registers cannot be read, which the handle's error tells. */
static bool look(struct doctor *d, const struct uncoremsr_leases *leases, struct census *c,
		 unsigned counter, bool general)
{
	uint64_t selector = 0;
	enum uncoremsr_counter_state state = uncoremsr_counter_state(d->um, c->package, counter,
								     &selector);

	if (state == UNCOREMSR_COUNTER_UNKNOWN)
		return false;
	if (lease_of(leases, c->package, counter))
		c->leased++;
	else if (state == UNCOREMSR_COUNTER_IN_USE)
		note_stranger(c, counter, selector);
	else
		c->free += general;
	return true;
}

static void tell(struct doctor *d, const struct census *c)
{
	int id = uncoremsr_package_id(c->package);

	if (c->free == 0)
		doctor_add(d, "counters", DOCTOR_BLOCKS, TOOL_UNSUPPORTED, "package %d: no general "
			   "counter is free: %u leased by sessions of ours, %u on without a lease%s%s",
			   id, c->leased, c->strange, c->strange ? ": " : "", c->list);
	else if (c->strange)
		doctor_add(d, "counters", DOCTOR_REMARK, TOOL_DONE, "package %d: on without a lease, "
			   "so in use by perf, pcm, likwid or another owner (selector): %s", id,
			   c->list);
	else
		return;
	if (c->strange)
		doctor_next(d, "fuser -v %s/dev/cpu/*/msr; to take one all the same: uncore-read%s "
			    "--force -e EVENT", d->root, d->machine);
	else
		doctor_next(d, "uncore-doctor%s --leases", d->machine);
}

void doctor_check_counters(struct doctor *d, const struct uncoremsr_leases *leases)
{
	const struct uncoremsr_pmu *pmu = uncoremsr_pmu(d->um, 0);
	unsigned general = uncoremsr_pmu_general_counters(pmu);
	unsigned num = general + uncoremsr_pmu_fixed_counters(pmu);
	const struct uncoremsr_package *p;

	for (size_t i = 0; (p = uncoremsr_package(d->um, i)); i++) {
		struct census c = { .package = p };
		unsigned n = 0;

		while (n < num && look(d, leases, &c, n, n < general))
			n++;
		if (n < num)
			doctor_add_failure(d, "registers");
		else
			tell(d, &c);
	}
}
