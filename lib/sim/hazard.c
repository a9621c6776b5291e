/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Errors and events to order: what goes wrong on real machines, at a moment the test chooses. */
#include "sim/perf.h"

static bool concerns(const struct um_sim_fail *f, unsigned step, unsigned cpu, uint32_t msr)
{
	if (!(f->steps & step) || (f->cpu != UINT64_MAX && f->cpu != cpu))
		return false;
	return step == UM_SIM_FAIL_OPEN || (msr >= f->first && msr <= f->last);
}

int um_sim_fail(struct uncoremsr_sim *sim, unsigned step, unsigned cpu, uint32_t msr)
{
	int err = 0;

	for (size_t i = 0; i < sim->num_fails; i++) {
		struct um_sim_fail *f = &sim->fails[i];

		if (!concerns(f, step, cpu, msr))
			continue;
		if (!err && f->seen >= f->after && f->seen - f->after < f->times)
			err = f->err;
		f->seen++;
	}
	return err;
}

bool um_sim_is_silent(const struct uncoremsr_sim *sim, uint32_t msr)
{
	for (size_t i = 0; i < sim->num_silent; i++)
		if (msr >= sim->silent[i].first && msr <= sim->silent[i].last)
			return true;
	return false;
}

/* A write by another program on the machine; hazards are for our side only. */
static void foreign_write(struct uncoremsr_sim *sim, const struct um_sim_happening *h)
{
	for (size_t p = 0; p < sim->num_packages; p++) {
		unsigned cpu = 0;

		if (h->package >= 0 && h->package != sim->packages[p].id)
			continue;
		while (!sim->cpus[cpu].present || sim->cpus[cpu].package != p)
			cpu++;
		um_sim_register_write(sim, cpu, h->msr, h->value);
	}
}

static void fire(struct uncoremsr_sim *sim, struct um_sim_happening *h)
{
	h->done = true;
	if (h->kind == UM_SIM_HOTPLUG)
		um_sim_perf_online(sim, h->cpu, h->online);
	else
		foreign_write(sim, h);
}

static struct um_sim_happening *next_due(struct uncoremsr_sim *sim, uint64_t now)
{
	struct um_sim_happening *next = NULL;

	for (size_t i = 0; i < sim->num_happenings; i++) {
		struct um_sim_happening *h = &sim->happenings[i];

		if (!h->done && h->at <= now && h->at != UINT64_MAX && (!next || h->at < next->at))
			next = h;
	}
	return next;
}

void um_sim_happen(struct uncoremsr_sim *sim, uint64_t now)
{
	struct um_sim_happening *h;

	/* In the order of time, each at its own moment, so that counts stay exact. */
	while ((h = next_due(sim, now))) {
		if (h->at > sim->now)
			sim->now = h->at;
		fire(sim, h);
	}
	sim->now = now;
	for (size_t i = 0; i < sim->num_happenings; i++) {
		h = &sim->happenings[i];
		if (!h->done && sim->accesses >= h->after)
			fire(sim, h);
	}
}
