/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* uncore-doctor: which counters are free, and who uses the others. */
#include <stdio.h>
#include <string.h>

#include "doctor/doctor.h"
#include "uncoremsr/throttle.h"

/* Registers whose old content could not be restored; no session uses them. */
struct stuck_list {
	char text[700];
	const struct uncoremsr_stuck *first; /* NULL: none */
};

/* How many counters of one PMU on one package are in each state. */
struct census {
	const struct uncoremsr_package *package;
	const struct uncoremsr_pmu *pmu;
	bool alone; /* the machine's only PMU, so messages need not name it */
	unsigned free, leased, strange, forcible, unknown;
	unsigned zeros, others; /* numbers of counters with all registers 0, and of all others */
	char used[700];  /* counters that other programs use, with their selectors */
	struct stuck_list counters, shared; /* @shared: stuck filters and gates */
};

/* Write the name of a unit: "cbo3", or only the PMU's name if a package has just one unit. */
static void name_unit(const struct census *c, unsigned unit, char name[32])
{
	snprintf(name, 32, c->pmu->units > 1 ? "%s%u" : "%s", c->pmu->name, unit);
}

static const struct uncoremsr_lease *valid_lease_on(const struct doctor *d, const struct census *c,
						    const struct uncoremsr_counter *k)
{
	const struct uncoremsr_lease *l;
	char unit[32];

	for (size_t i = 0; d->leases && (l = d->leases->list[i]); i++) {
		if (l->package != c->package->id || l->die != c->package->die || l->counter != (int)k->number ||
		    l->state == UNCOREMSR_LEASE_INVALID)
			continue;
		name_unit(c, k->unit, unit); /* not for every counter: a large machine has hundreds */
		if (strcmp(l->unit, unit) == 0)
			return l;
	}
	return NULL;
}

/* @number: number of the stuck register's counter; -1 if the register is a filter or gate. */
static void add_stuck(struct stuck_list *list, const struct census *c, const struct uncoremsr_stuck *s,
		      unsigned unit, int number)
{
	const bool of_counter = number >= 0;
	size_t len = strlen(list->text);
	char name[32], counter[32] = "";

	name_unit(c, unit, name);
	if (of_counter)
		snprintf(counter, sizeof(counter), "counter %d (", number);
	list->first = list->first ? list->first : s;
	snprintf(list->text + len, sizeof(list->text) - len, "%s%s%s%sregister 0x%x holds 0x%llx, bits 0x%llx%s",
		 !len ? "" : of_counter ? ", " : "; ", c->alone ? "" : name, c->alone ? "" : " ", counter, s->msr,
		 (unsigned long long)s->holds, (unsigned long long)s->bits, of_counter ? ")" : "");
}

static void add_counter(struct doctor *d, struct census *c, const struct uncoremsr_counter *k)
{
	const struct uncoremsr_lease *lease;
	bool general = k->number < (unsigned)c->pmu->general_counters, zero = !k->selector && !k->value;
	size_t len = strlen(c->used);
	char name[32];

	if (k->state == UNCOREMSR_COUNTER_UNKNOWN) {
		c->unknown++;
		return;
	}
	lease = valid_lease_on(d, c, k);
	c->others += !zero;
	c->zeros += general && zero;
	if (lease && lease->state == UNCOREMSR_LEASE_LEFTOVER && doctor_lease_is_ours(lease)) {
		c->free += general; /* the next session restores leftover counters before it searches for free ones */
	} else if (lease) {
		c->leased++;
	} else if (k->state == UNCOREMSR_COUNTER_IN_USE) {
		c->strange++;
		name_unit(c, k->unit, name);
		snprintf(c->used + len, sizeof(c->used) - len, "%s%s%scounter %u (0x%llx)", len ? ", " : "",
			 c->alone ? "" : name, c->alone ? "" : " ", k->number, (unsigned long long)k->selector);
		c->forcible += !k->stuck;
	} else if (k->state == UNCOREMSR_COUNTER_STUCK) {
		add_stuck(&c->counters, c, k->stuck, k->unit, (int)k->number);
	} else {
		c->free += general;
	}
}

static void tell_stuck(struct doctor *d, const struct census *c, const struct stuck_list *list,
		       enum doctor_severity severity, const char *what)
{
	if (!list->first)
		return;
	doctor_add(d, "stuck", severity, "package %d: %s: %s", c->package->id, what, list->text);
	doctor_next(d, "wrmsr -p %u 0x%x 0 (if no program uses the register)", list->first->cpu, list->first->msr);
}

static void tell_counters(struct doctor *d, const struct census *c)
{
	int id = c->package->id;
	const char *of = c->alone ? "" : " of ", *name = c->alone ? "" : c->pmu->name;

	if (c->free == 0 && c->leased + c->strange)
		doctor_add(d, "counters", c->alone ? DOCTOR_UNSUPPORTED : DOCTOR_REMARK,
			   "package %d: no general counter%s%s is free: %u leased by our sessions, %u enabled without a "
			   "lease%s%s", id, of, name, c->leased, c->strange, c->strange ? ": " : "", c->used);
	else if (c->strange)
		doctor_add(d, "counters", DOCTOR_REMARK, "package %d: enabled without a lease, so in use by perf, pcm, "
			   "likwid or another program (selector): %s", id, c->used);
	else
		return;
	if (c->forcible)
		doctor_next(d, "fuser -v %s/dev/cpu/*/msr; to take a counter anyway: uncore-read%s "
			    "--force -e EVENT", d->root, d->machine);
	else if (c->strange)
		doctor_next(d, "fuser -v %s/dev/cpu/*/msr", d->root);
	else
		doctor_next(d, "uncore-doctor%s --leases", d->machine);
}

/* Names of PMUs that cannot be read. The first is reported with its error, the others only by name. */
struct unreadable {
	const char *names[64];
	size_t num;
};

static void add_unreadable(struct doctor *d, struct unreadable *u, const struct census *c)
{
	if (!u->num || c->alone)
		doctor_add_failure(d, "registers");
	for (size_t i = 0; i < u->num; i++)
		if (strcmp(u->names[i], c->pmu->name) == 0)
			return;
	if (u->num < ARRAY_SIZE(u->names))
		u->names[u->num++] = c->pmu->name;
}

static void tell_unreadable(struct doctor *d, const struct unreadable *u)
{
	char others[400] = "";

	for (size_t i = 1; i < u->num; i++)
		list_add(others, sizeof(others), ", ", u->names[i]);
	if (!*others)
		return;
	doctor_add(d, "registers", DOCTOR_REMARK, "the registers of these PMUs cannot be read either: %s", others);
	doctor_next(d, "uncore-info%s", d->machine);
}

/* Set *counts if any counter register is not 0. */
static void check_pmu(struct doctor *d, struct census *c, struct unreadable *unreadable, bool *counts)
{
	const struct uncoremsr_counters *counters = uncoremsr_counters(d->um, c->package, c->pmu);
	size_t num = 0;

	for (; counters && counters->list[num]; num++)
		add_counter(d, c, counters->list[num]);
	for (size_t n = 0; counters && counters->shared[n]; n++)
		add_stuck(&c->shared, c, counters->shared[n], counters->shared[n]->unit, -1);
	d->all_zeros |= c->zeros != 0;
	*counts |= c->others != 0;
	/* Single units may be fused off, but it is a failure if no unit can be read. */
	if (!counters ? c->alone : c->unknown ? c->alone || c->unknown == num
				 : counters->units && counters->unreachable == counters->units)
		add_unreadable(d, unreadable, c);
	else if (counters && counters->units && c->pmu->general_counters) {
		tell_counters(d, c);
		tell_stuck(d, c, &c->counters, c->free == 0 && c->alone ? DOCTOR_UNSUPPORTED : DOCTOR_REMARK,
			   "counters that are off but never used, because their contents could not be restored");
		tell_stuck(d, c, &c->shared, DOCTOR_REMARK,
			   "filter or enable registers that are never written, because their contents could not be "
			   "restored; events that need them are refused");
	}
}

/* Does a thermal sensor's register read 0? On real hardware it cannot: its resolution field is not 0. */
static bool sensors_read_0(struct doctor *d)
{
	struct uncoremsr_throttle *t = NULL;
	const struct uncoremsr_subject *s;
	bool zero = false;

	if (uncoremsr_throttle_new(d->um, &t) == 0)
		uncoremsr_throttle_look(t);
	for (size_t i = 0; (s = uncoremsr_throttle_subject(t, i)); i++)
		for (size_t k = 0; s->questions[k]; k++)
			zero |= s->questions[k]->reason == UNCOREMSR_REASON_ALL_ZEROS;
	uncoremsr_throttle_free(t);
	return zero;
}

/* All registers read 0: after a restart, or below a hidden hypervisor that ignores writes. Only a write could tell. */
static void tell_zeros(struct doctor *d)
{
	if (sensors_read_0(d)) {
		doctor_add(d, "registers", DOCTOR_UNSUPPORTED, "every counter and selector of the uncore reads 0, "
			   "and so do thermal sensors, which is impossible on hardware: a hypervisor answers in "
			   "place of the processor");
		doctor_next(d, "run uncore-doctor on the host");
		return;
	}
	doctor_add(d, "registers", DOCTOR_REMARK, "every counter and selector of the uncore reads 0, as after a "
			"restart or on a machine that ignores writes; only counting can tell which");
	doctor_next(d, "uncore-read%s --route=msr -e EVENT (status 'silent': the machine ignores writes)",
		    d->machine);
}

void doctor_check_counters(struct doctor *d)
{
	const struct uncoremsr_package *p;
	const struct uncoremsr_pmu *pmu;
	struct unreadable unreadable = { .num = 0 };
	bool counts = false;

	for (size_t i = 0; (p = uncoremsr_package(d->um, i)); i++)
		for (size_t n = 0; (pmu = uncoremsr_pmu(d->um, NULL, n)); n++) {
			struct census c = {
				.package = p, .pmu = pmu, .alone = !uncoremsr_pmu(d->um, NULL, 1),
			};

			if (strcmp(pmu->reach, "msr") == 0)
				check_pmu(d, &c, &unreadable, &counts);
		}
	tell_unreadable(d, &unreadable);
	d->all_zeros &= !counts;
	if (d->all_zeros)
		tell_zeros(d);
}
