/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Which counters are in use, for users of a handle. Registers are only read here, never written. */
#include <errno.h>
#include <stdlib.h>

#include "common/array.h"
#include "counting/registers.h"
#include "names/pmus.h"
#include "machine/handle.h"

/* The counters of a PMU on a package, as they were last read. */
struct um_counters {
	struct um_counters *next;
	const struct uncoremsr_package *package;
	const struct um_pmu *pmu;
	struct um_box *boxes;           /* one for each of the pub.units units */
	struct uncoremsr_counters pub;
	/* Arrays made by array_of_structs(), each with room for all counters or shared registers of the PMU's units. */
	struct uncoremsr_counter **counters;
	struct uncoremsr_stuck **stuck; /* for each counter, its register with bits that could not be restored */
	struct uncoremsr_stuck **shared;
	size_t num_counters, num_shared;
};

static void forget(struct um_counters *c)
{
	free(c->boxes);
	free(c->counters);
	free(c->stuck);
	free(c->shared);
	free(c);
}

void um_counters_forget(struct uncoremsr *um)
{
	while (um->counters) {
		struct um_counters *next = um->counters->next;

		forget(um->counters);
		um->counters = next;
	}
}

static int find_boxes(struct uncoremsr *um, struct um_counters *c)
{
	bool reads = c->pmu->units.from == UM_UNITS_MSR;
	struct um_spots spots;
	int err = um_spots_find(&spots, &um->m, c->package, c->pmu, NULL);

	for (const struct um_spot *spot = spots.all; !err && spot < spots.all + spots.num; spot++) {
		unsigned num = 0;

		if (reads)
			err = um_reg_open(&um->m, spot->cpu, false, &um->error);
		if (err)
			break;
		err = um_box_count(&um->m, c->package, spot->cpu, c->pmu, &num, &um->error);
		if (reads)
			um_access_close_cpu(um->m.access, spot->cpu);
		for (unsigned i = 0; i < num && !err; i++)
			err = ARRAY_APPEND(c->boxes, c->pub.units, um_box_make(&um->m, c->package, spot, c->pmu, i));
	}
	um_spots_free(&spots);
	return err == -ENOMEM ? um_no_memory(&um->error) : err;
}

static bool is_free_running(const struct um_pmu *pmu, unsigned counter)
{
	return counter >= pmu->num_general && !pmu->fixed[counter - pmu->num_general].control.msr;
}

static int make_room(struct um_counters *c)
{
	size_t units = c->pub.units, counters = units * (c->pmu->num_general + c->pmu->num_fixed);

	c->counters = array_of_structs(counters, sizeof(**c->counters));
	c->stuck = array_of_structs(counters, sizeof(**c->stuck));
	c->shared = array_of_structs(units * (c->pmu->num_extras + c->pmu->num_gates), sizeof(**c->shared));
	return c->counters && c->stuck && c->shared ? 0 : -ENOMEM;
}

static struct uncoremsr_stuck stuck_in(const struct um_box *b, unsigned unit, const struct um_stuck *found)
{
	return (struct uncoremsr_stuck){
		sizeof(struct uncoremsr_stuck), unit, b->cpu, found->msr, found->holds, found->bits,
	};
}

static void look_at_counter(struct uncoremsr *um, const struct um_box *b, struct uncoremsr_counter *c,
			    struct uncoremsr_stuck *of_counter)
{
	struct um_counter_regs regs;
	uint64_t selector, value, can = 0;
	struct um_stuck stuck;
	int used;

	if (!um_box_has_counter(b, c->number)) {
		UM_USAGE(&um->error, "this unit has no counter %u", c->number);
		return;
	}
	regs = um_counter_regs(b, c->number);
	used = um_counter_look(&um->m, b->cpu, &regs, &selector, &um->error);
	if (used < 0 || um_reg_read(&um->m, b->cpu, regs.counter, &value, &um->error))
		return;
	if (regs.alias && um_reg_read(&um->m, b->cpu, UM_PERF_CAPABILITIES, &can, NULL))
		can = 0;
	stuck = um_counter_stuck(&regs, selector, value, um_full_width(can));
	c->selector = selector;
	c->value = value;
	c->state = used ? UNCOREMSR_COUNTER_IN_USE : stuck.msr ? UNCOREMSR_COUNTER_STUCK : UNCOREMSR_COUNTER_FREE;
	if (!stuck.msr)
		return;
	*of_counter = stuck_in(b, c->unit, &stuck);
	c->stuck = of_counter;
}

/* *why becomes the error of the first counter whose state is UNKNOWN. */
static void look_at_counters(struct uncoremsr *um, struct um_counters *c, unsigned unit, struct um_error *why)
{
	unsigned num = (unsigned)(c->pmu->num_general + c->pmu->num_fixed);
	const struct um_box *b = &c->boxes[unit];
	int err = um_reg_open(&um->m, b->cpu, false, &um->error);

	c->pub.unreachable += err != 0;
	for (unsigned n = 0; n < num; n++) {
		struct uncoremsr_counter *l = c->counters[c->num_counters];

		if (is_free_running(c->pmu, n))
			continue;
		*l = (struct uncoremsr_counter){
			.size = sizeof(*l), .unit = unit, .number = n, .state = UNCOREMSR_COUNTER_UNKNOWN,
			.selector = UINT64_MAX, .value = UINT64_MAX,
		};
		if (!err)
			look_at_counter(um, b, l, c->stuck[c->num_counters]);
		if (l->state == UNCOREMSR_COUNTER_UNKNOWN && why->class == UNCOREMSR_ERROR_NONE)
			um_fail_as(why, &um->error);
		c->num_counters++;
	}
	if (!err)
		um_access_close_cpu(um->m.access, b->cpu);
}

static void add_shared(struct um_counters *c, const struct um_box *b, unsigned unit, struct um_stuck found)
{
	if (found.bits)
		*c->shared[c->num_shared++] = stuck_in(b, unit, &found);
}

/* Is @extra the table's first row for its register? Several rows may describe fields of one filter register. */
static bool is_first_row(const struct um_pmu *pmu, unsigned extra)
{
	for (unsigned i = 0; i < extra; i++)
		if (pmu->extras[i].reg.msr == pmu->extras[extra].reg.msr)
			return false;
	return true;
}

/* Read the filters and gates of a unit, up to the first register that cannot be read. */
static void look_at_shared(struct uncoremsr *um, struct um_counters *c, unsigned unit)
{
	const struct um_gate *gates = c->pmu->gates;
	const struct um_box *b = &c->boxes[unit];
	uint64_t now;
	int err = um_reg_open(&um->m, b->cpu, false, &um->error);

	if (err)
		return;
	for (unsigned i = 0; i < c->pmu->num_extras && !err; i++) {
		uint32_t msr = um_extra_msr(b, i);

		if (!is_first_row(c->pmu, i))
			continue;
		err = um_reg_read(&um->m, b->cpu, msr, &now, &um->error);
		if (!err)
			add_shared(c, b, unit, (struct um_stuck){
				msr, now, um_reg_unclaimed(&c->pmu->extras[i].reg, UM_WHOLE, now),
			});
	}
	for (const struct um_gate *g = gates; g < gates + c->pmu->num_gates && !err; g++) {
		err = um_reg_read(&um->m, b->cpu, um_gate_msr(b, g), &now, &um->error);
		if (!err)
			add_shared(c, b, unit, um_gate_stuck(b, g, now));
	}
	um_access_close_cpu(um->m.access, b->cpu);
}

static int look(struct uncoremsr *um, struct um_counters *c)
{
	struct um_error why = { .class = UNCOREMSR_ERROR_NONE };
	int err = find_boxes(um, c);

	if (err)
		return err;
	if (make_room(c))
		return um_no_memory(&um->error);
	for (unsigned unit = 0; unit < c->pub.units; unit++)
		look_at_counters(um, c, unit, &why);
	for (unsigned unit = 0; unit < c->pub.units; unit++)
		look_at_shared(um, c, unit);
	if (why.class != UNCOREMSR_ERROR_NONE)
		um_fail_as(&um->error, &why);
	c->counters[c->num_counters] = NULL;
	c->shared[c->num_shared] = NULL;
	c->pub.size = sizeof(c->pub);
	c->pub.list = (const struct uncoremsr_counter *const *)c->counters;
	c->pub.shared = (const struct uncoremsr_stuck *const *)c->shared;
	return 0;
}

const struct uncoremsr_counters *uncoremsr_counters(struct uncoremsr *um, const struct uncoremsr_package *p,
						    const struct uncoremsr_pmu *shown)
{
	const struct um_pmu *pmu = um_pmu_of(shown);
	struct um_counters *c, **old;

	if (um_check_open(um))
		return NULL;
	if (!p || !pmu) {
		UM_USAGE(&um->error, "no such package or PMU");
		return NULL;
	}
	if (pmu->reach != UM_REACH_MSR) {
		um_fail(&um->error, -ENOTSUP, UNCOREMSR_ERROR_UNSUPPORTED, "%s cannot be reached through MSRs",
			pmu->name);
		return NULL;
	}
	for (old = &um->counters; *old && ((*old)->package != p || (*old)->pmu != pmu);)
		old = &(*old)->next;
	c = *old;
	if (c) {
		*old = c->next;
		forget(c);
	}
	c = calloc(1, sizeof(*c));
	if (!c) {
		um_no_memory(&um->error);
		return NULL;
	}
	c->package = p;
	c->pmu = pmu;
	if (look(um, c)) {
		forget(c);
		return NULL;
	}
	c->next = um->counters;
	um->counters = c;
	return &c->pub;
}
