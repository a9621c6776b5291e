/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The register file: searches the banks in order. It also finds the PMUs of the workload's events. */
#include "sim/registers.h"

#include <errno.h>
#include <string.h>

#include "sim/box.h"
#include "sim/register_bank.h"

static const struct um_sim_register_bank *const banks[] = {
	&um_sim_box_bank, &um_sim_core_bank, &um_sim_platform_bank,
};

#define FOR_EACH_BANK(p) \
	for (const struct um_sim_register_bank *const *p = banks; \
	     p < banks + ARRAY_SIZE(banks); p++)

static int find_pmu_of(const struct uncoremsr_sim *sim, struct um_sim_event *ev, struct um_error *e)
{
	const struct um_sim_box_pmu *p = um_sim_box_pmu(sim, *ev->pmu ? ev->pmu : "uncore");
	bool found = false;

	if (!p && *ev->pmu && strcmp(ev->pmu, "core"))
		return UM_USAGE(e, "%s: event: there is no PMU '%s'", sim->name, ev->pmu);
	ev->index = p ? (unsigned)(p - sim->boxes->pmus) :
		*ev->pmu ? UM_SIM_CORE_PMU : UM_SIM_NO_PMU;
	for (unsigned i = 0; p && i < p->layout->num_fixed; i++)
		found |= !strcmp(p->layout->fixed[i].name, ev->name);
	if (p && *ev->name && !found)
		return UM_USAGE(e, "%s: event: '%s' has no counter for '%s'", sim->name, ev->pmu, ev->name);
	return 0;
}

int um_sim_registers_create(struct uncoremsr_sim *sim, struct um_error *e)
{
	int err = 0;

	FOR_EACH_BANK(p)
		if (!err)
			err = (*p)->create(sim);
	for (size_t i = 0; i < sim->num_events && !err; i++)
		err = find_pmu_of(sim, &sim->events[i], e);
	um_sim_index_events(sim);
	for (size_t i = 0; i < sim->num_unit_rules && !err; i++)
		if (!um_sim_box_pmu(sim, sim->unit_rules[i].pmu))
			err = UM_USAGE(e, "%s: units: there is no PMU '%s'", sim->name, sim->unit_rules[i].pmu);
	return err;
}

/* Find a register of a CPU. False: no bank has the register, or the register is absent. */
static bool find(struct uncoremsr_sim *sim, unsigned cpu, uint32_t msr, struct um_sim_register *r)
{
	FOR_EACH_BANK(p) {
		*r = (struct um_sim_register){ .bank = *p, .cpu = cpu, .msr = msr, .kept = um_sim_kept_bits(sim, msr) };
		if ((*p)->find(sim, r))
			return !r->absent;
	}
	return false;
}

static int preset(struct uncoremsr_sim *sim, const struct um_sim_preset *s)
{
	for (unsigned cpu = 0; cpu < sim->num_cpus; cpu++) {
		struct um_sim_register r;

		if (!sim->cpus[cpu].present || (s->cpu != UINT64_MAX && s->cpu != cpu))
			continue;
		if (!find(sim, cpu, s->msr, &r) || r.write_only || !r.content)
			return -EINVAL;
		r.bank->preset(sim, &r, s->value);
	}
	return 0;
}

int um_sim_registers_reset(struct uncoremsr_sim *sim, struct um_error *e)
{
	FOR_EACH_BANK(p)
		if ((*p)->reset)
			(*p)->reset(sim);
	for (size_t i = 0; i < sim->num_presets; i++)
		if (preset(sim, &sim->presets[i]) < 0)
			return UM_USAGE(e, "%s: set: register 0x%x cannot be preset, or is missing on one of the CPUs",
					sim->name, sim->presets[i].msr);
	return 0;
}

void um_sim_registers_clear(struct uncoremsr_sim *sim)
{
	FOR_EACH_BANK(p)
		if ((*p)->clear)
			(*p)->clear(sim);
}

void um_sim_registers_destroy(struct uncoremsr_sim *sim)
{
	FOR_EACH_BANK(p)
		(*p)->destroy(sim);
}

bool um_sim_register_exists(struct uncoremsr_sim *sim, uint32_t msr)
{
	struct um_sim_register r;

	for (unsigned cpu = 0; cpu < sim->num_cpus; cpu++)
		if (sim->cpus[cpu].present && find(sim, cpu, msr, &r))
			return true;
	return false;
}

int um_sim_register_read(struct uncoremsr_sim *sim, unsigned cpu, uint32_t msr, uint64_t *value)
{
	struct um_sim_register r;

	if (!find(sim, cpu, msr, &r) || r.write_only)
		return -EIO;
	*value = r.bank->read(sim, &r);
	return 0;
}

int um_sim_register_write(struct uncoremsr_sim *sim, unsigned cpu, uint32_t msr, uint64_t value)
{
	struct um_sim_register r;

	if (!find(sim, cpu, msr, &r) || !r.valid || value & ~(r.valid | r.kept))
		return -EIO;
	return r.bank->write(sim, &r, value);
}
