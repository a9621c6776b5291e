/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Failures, hotplug and writes by other programs. */
#include "sim/trouble.h"

#include <errno.h>

#include "sim/kernel.h"
#include "sim/registers.h"

/* Does the failure apply to this access? Of the matching accesses the first @after succeed, the next @times fail. */
static bool is_due(struct um_sim_failure *f, int step, unsigned cpu, uint32_t msr)
{
	uint64_t nth;

	if (!(f->steps & step) || (f->cpu != UINT64_MAX && f->cpu != cpu) ||
	    (step != UM_SIM_FAIL_OPEN && !um_sim_in_range(&f->registers, msr)))
		return false;
	nth = f->seen++;
	return nth >= f->after && nth - f->after < f->times;
}

int um_sim_failure(struct uncoremsr_sim *sim, int step, unsigned cpu, uint32_t msr)
{
	int err = 0;

	for (size_t i = 0; i < sim->num_failures; i++)
		if (is_due(&sim->failures[i], step, cpu, msr) && !err)
			err = sim->failures[i].err;
	return err;
}

uint64_t um_sim_delayed(struct uncoremsr_sim *sim, unsigned cpu, uint32_t msr)
{
	uint64_t ns = 0;

	for (size_t i = 0; i < sim->num_delays; i++)
		if (is_due(&sim->delays[i].of, UM_SIM_FAIL_READ, cpu, msr))
			ns += sim->delays[i].ns;
	return ns;
}

int um_sim_allowed(const struct uncoremsr_sim *sim, uint32_t msr, uint64_t *mask)
{
	*mask = UINT64_MAX;
	for (size_t i = 0; i < sim->num_allowed; i++) {
		if (sim->allowed[i].msr != msr)
			continue;
		*mask = sim->allowed[i].mask;
		return 0;
	}
	return sim->num_allowed ? -EACCES : 0;
}

bool um_sim_is_silent(const struct uncoremsr_sim *sim, uint32_t msr)
{
	for (size_t i = 0; i < sim->num_silent; i++)
		if (um_sim_in_range(&sim->silent[i], msr))
			return true;
	return false;
}

/* A write by another program. Simulated failures do not affect it. */
static void write_foreign(struct uncoremsr_sim *sim, const struct um_sim_happening *h)
{
	const struct um_sim_copies *packages = &sim->copies[UM_SIM_PER_PACKAGE];

	for (unsigned i = 0; i < packages->num; i++)
		if (h->package < 0 || h->package == sim->cpus[packages->at[i].first_cpu].package)
			um_sim_register_write(sim, packages->at[i].first_cpu, h->msr, h->value);
}

static void suspend(struct uncoremsr_sim *sim, const struct um_sim_happening *h)
{
	sim->slept += h->ns;
	if (h->keeps)
		return;
	um_sim_registers_clear(sim);
	um_sim_kernel_suspend(sim);
}

static void happen(struct uncoremsr_sim *sim, struct um_sim_happening *h)
{
	h->done = true;
	switch (h->kind) {
	case UM_SIM_HOTPLUG: um_sim_kernel_hotplug(sim, (unsigned)h->cpu, h->online); break;
	case UM_SIM_FOREIGN_WRITE: write_foreign(sim, h); break;
	case UM_SIM_SUSPEND: suspend(sim, h); break;
	}
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

void um_sim_go_on(struct uncoremsr_sim *sim, uint64_t now)
{
	struct um_sim_happening *h;

	/* Run due actions in time order, each with the clock set to its time, so that counts stay exact. */
	while ((h = next_due(sim, now))) {
		if (h->at > sim->now)
			sim->now = h->at;
		happen(sim, h);
	}
	sim->now = now;
	for (size_t i = 0; i < sim->num_happenings; i++) {
		h = &sim->happenings[i];
		if (!h->done && sim->accesses >= h->after)
			happen(sim, h);
	}
}

void um_sim_tick(struct uncoremsr_sim *sim)
{
	um_sim_go_on(sim, um_sim_clock(sim));
}

bool um_sim_advance(struct uncoremsr_sim *sim, uint64_t ns)
{
	if (sim->stepped)
		um_sim_go_on(sim, ns > UINT64_MAX - sim->now ? UINT64_MAX : sim->now + ns);
	return sim->stepped;
}
