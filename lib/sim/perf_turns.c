/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Who is on the counters when. As Linux does it (kernel/events/core.c): pinned groups first, then
 * the others in turns of one tick, each turn beginning with the next of them, until one has no room.
 */
#include <linux/perf_event.h>
#include <stdlib.h>

#include "sim/perf.h"

#define MANY_TURNS 65536u

#define CYCLES 0x003cu
#define INSTRUCTIONS 0x00c0u
#define REF_CYCLES 0x0300u

/* Counters in use. Fixed ones of the core: instructions, cycles, reference cycles. */
struct load {
	unsigned general, instructions, cycles, ref_cycles;
	bool exclusive;
};

static void load_event(struct load *l, const struct um_sim_perf_event *ev)
{
	uint64_t code;

	if (!ev->pmu->counters)
		return;
	if (ev->pmu->kind == UM_SIM_PMU_CORE) {
		code = um_sim_core_code(&ev->attr);
		if (code == INSTRUCTIONS)
			l->instructions++;
		else if (code == CYCLES)
			l->cycles++;
		else if (code == REF_CYCLES)
			l->ref_cycles++;
		else
			l->general++;
	} else if (ev->pmu->kind == UM_SIM_PMU_UNCORE && (ev->attr.config[0] & 0xff) == 0xff) {
		l->ref_cycles++;
	} else {
		l->general++;
	}
}

static unsigned over(unsigned wanted, unsigned fixed)
{
	return wanted > fixed ? wanted - fixed : 0;
}

/* What finds its fixed counter taken goes to a general one, except reference cycles. */
static bool fits(const struct um_sim_pmu *pmu, const struct load *l)
{
	bool core = pmu->kind == UM_SIM_PMU_CORE;
	unsigned general = l->general + over(l->instructions, core && pmu->fixed > 0) +
			   over(l->cycles, core && pmu->fixed > 1);

	return !pmu->counters ||
	       (general <= pmu->counters && l->ref_cycles <= (core ? pmu->fixed > 2 : pmu->fixed));
}

/* The PMU whose counters a group needs: software events may stand in any. */
static const struct um_sim_pmu *hardware_of(const struct um_sim_perf_event *leader)
{
	for (const struct um_sim_perf_event *ev = leader; ev; ev = ev->next)
		if (ev->pmu->counters)
			return ev->pmu;
	return leader->pmu;
}

static bool add_group(struct load *l, const struct um_sim_perf_event *leader)
{
	struct load more = *l;
	bool empty = !l->general && !l->instructions && !l->cycles && !l->ref_cycles;

	if (l->exclusive || (leader->attr.exclusive && !empty))
		return false;
	for (const struct um_sim_perf_event *ev = leader; ev; ev = ev->next)
		load_event(&more, ev);
	if (!fits(hardware_of(leader), &more))
		return false;
	more.exclusive = leader->attr.exclusive;
	*l = more;
	return true;
}

bool um_sim_group_fits(const struct um_sim_perf_event *leader)
{
	struct load l = { 0 };

	return add_group(&l, leader);
}

/* ---- time ---- */

static bool waits(const struct um_sim_perf_event *leader)
{
	return leader->on && !leader->dead && !leader->lost;
}

/* One event over one stretch of time; @counts: it was on a counter. */
static void pass(const struct uncoremsr_sim *sim, struct um_sim_perf_event *ev, uint64_t from,
		 uint64_t to, bool counts)
{
	uint64_t level;

	if (!ev->on)
		return;
	ev->enabled += to - from;
	if (!counts)
		return;
	ev->running += to - from;
	if (um_sim_perf_level(ev, &level))
		ev->value = level;
	else
		ev->value += (uint64_t)(um_sim_perf_happened(sim, ev, to) -
					um_sim_perf_happened(sim, ev, from));
}

static void pass_group(const struct uncoremsr_sim *sim, struct um_sim_perf_event *leader,
		       uint64_t from, uint64_t to, bool counts)
{
	for (struct um_sim_perf_event *ev = leader; ev; ev = ev->next)
		pass(sim, ev, from, to, counts);
}

static void pass_pinned(const struct uncoremsr_sim *sim, struct um_sim_place *place,
			struct load *l, uint64_t from, uint64_t to)
{
	for (size_t i = 0; i < place->num; i++) {
		struct um_sim_perf_event *leader = place->groups[i];

		if (!leader->attr.pinned || !waits(leader))
			continue;
		if (add_group(l, leader))
			pass_group(sim, leader, from, to, true);
		else
			leader->lost = true;
	}
}

static size_t num_flexible(const struct um_sim_place *place)
{
	size_t num = 0;

	for (size_t i = 0; i < place->num; i++)
		num += !place->groups[i]->attr.pinned && waits(place->groups[i]);
	return num;
}

/* The groups from the @first of those that wait on, round. */
static void pass_flexible(const struct uncoremsr_sim *sim, struct um_sim_place *place,
			  struct load *l, size_t first, uint64_t from, uint64_t to)
{
	bool room = true;

	for (int round = 0; round < 2; round++) {
		size_t n = 0;

		for (size_t i = 0; i < place->num; i++) {
			struct um_sim_perf_event *leader = place->groups[i];

			if (leader->attr.pinned || !waits(leader))
				continue;
			if ((n++ < first) == !round)
				continue;
			room = room && add_group(l, leader);
			pass_group(sim, leader, from, to, room);
		}
	}
}

/* Do all groups that wait have room at the same time? */
static bool all_fit(const struct um_sim_place *place)
{
	struct load l = { 0 };

	for (size_t i = 0; i < place->num; i++)
		if (waits(place->groups[i]) && !add_group(&l, place->groups[i]))
			return false;
	return true;
}

/* A clock that jumps by years would take as many turns: those of a jump are longer then. */
static uint64_t turn_length(uint64_t ns)
{
	return UM_SIM_PERF_TURN * (1 + ns / UM_SIM_PERF_TURN / MANY_TURNS);
}

void um_sim_place_settle(struct uncoremsr_sim *sim, struct um_sim_place *place)
{
	size_t num = num_flexible(place);
	bool turns = !all_fit(place);
	uint64_t length;

	if (!place->num || place->seen >= sim->now)
		place->seen = sim->now;
	length = turn_length(sim->now - place->seen);
	while (place->seen < sim->now) {
		uint64_t left = length - place->seen % length, end = sim->now;
		struct load l = { 0 };

		if (turns && left < end - place->seen)
			end = place->seen + left;
		pass_pinned(sim, place, &l, place->seen, end);
		if (num)
			pass_flexible(sim, place, &l, place->seen / length % num, place->seen, end);
		place->seen = end;
	}
}

void um_sim_perf_settle(struct uncoremsr_sim *sim)
{
	struct um_sim_perf *p = sim->perf;

	for (size_t i = 0; p->num_open && i < p->num_pmus; i++)
		for (unsigned k = 0; k < sim->num_cpus; k++)
			um_sim_place_settle(sim, &p->pmus[i].places[k]);
	for (size_t i = 0; i < p->num_tasks; i++)
		um_sim_place_settle(sim, p->tasks[i]);
}
