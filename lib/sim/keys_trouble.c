/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Keys about what goes wrong: failing accesses, hotplug, other programs, odd registers. */
#include <errno.h>

#include "common/array.h"
#include "sim/setters.h"
#include "sim/registers.h"
#include "sim/trouble.h"

#define MAX_CPU (UM_SIM_MAX_CPUS - 1)
#define FAILURE_OPTIONS(f) \
	{ "cpu", UM_SIM_NUMBER, &(f).cpu, 0, MAX_CPU, NULL }, \
	{ "after", UM_SIM_NUMBER, &(f).after, 0, UINT64_MAX, NULL }, \
	{ "times", UM_SIM_NUMBER, &(f).times, 0, UINT64_MAX, NULL }

int um_sim_set_fail(struct uncoremsr_sim *sim, const struct um_sim_source *s, char *value)
{
	static const unsigned steps[] = { UM_SIM_FAIL_READ, UM_SIM_FAIL_WRITE,
					  UM_SIM_FAIL_READ | UM_SIM_FAIL_WRITE };
	struct um_sim_failure f = { .cpu = UINT64_MAX, .times = UINT64_MAX };
	int step = 0;
	const struct um_sim_item items[] = {
		{ NULL, UM_SIM_WORD, &step, 0, 0, "read write any" },
		{ NULL, UM_SIM_RANGE, &f.registers, 0, 0, NULL },
		{ NULL, UM_SIM_ERRNO, &f.err, 0, 0, NULL },
		FAILURE_OPTIONS(f),
	};
	int err = um_sim_take_value(s, value, 3, items, ARRAY_SIZE(items));

	f.steps = steps[step];
	return err ? err : ARRAY_APPEND(sim->failures, sim->num_failures, f);
}

int um_sim_set_delay(struct uncoremsr_sim *sim, const struct um_sim_source *s, char *value)
{
	struct um_sim_delay d = {
		.of = { .steps = UM_SIM_FAIL_READ, .cpu = UINT64_MAX, .times = UINT64_MAX },
	};
	const struct um_sim_item items[] = {
		{ NULL, UM_SIM_RANGE, &d.of.registers, 0, 0, NULL },
		{ NULL, UM_SIM_SECONDS, &d.ns, 0, 0, NULL },
		FAILURE_OPTIONS(d.of),
	};
	int err = um_sim_take_value(s, value, 2, items, ARRAY_SIZE(items));

	return err ? err : ARRAY_APPEND(sim->delays, sim->num_delays, d);
}

int um_sim_set_open(struct uncoremsr_sim *sim, const struct um_sim_source *s, char *value)
{
	struct um_sim_failure f = { .steps = UM_SIM_FAIL_OPEN, .cpu = UINT64_MAX,
				    .times = UINT64_MAX };
	const struct um_sim_item items[] = {
		{ NULL, UM_SIM_ERRNO, &f.err, 0, 0, NULL },
		FAILURE_OPTIONS(f),
	};
	int err = um_sim_take_value(s, value, 1, items, ARRAY_SIZE(items));

	if (err)
		return err;
	/* If no CPU has a device, the machine looks like one without the driver. */
	if (f.err == -ENOENT && f.cpu == UINT64_MAX && !f.after && f.times == UINT64_MAX)
		sim->driver = UM_SIM_DRIVER_MISSING;
	return ARRAY_APPEND(sim->failures, sim->num_failures, f);
}

int um_sim_set_silent(struct uncoremsr_sim *sim, const struct um_sim_source *s, char *value)
{
	struct um_sim_range r;
	const struct um_sim_item items[] = { { NULL, UM_SIM_RANGE, &r, 0, 0, NULL } };
	int err = um_sim_take(s, items, value);

	return err ? err : ARRAY_APPEND(sim->silent, sim->num_silent, r);
}

int um_sim_set_keeps(struct uncoremsr_sim *sim, const struct um_sim_source *s, char *value)
{
	struct um_sim_keeping k = { .bits = 0 };
	const struct um_sim_item items[] = {
		{ NULL, UM_SIM_RANGE, &k.registers, 0, 0, NULL },
		{ NULL, UM_SIM_NUMBER, &k.bits, 0, UINT64_MAX, NULL },
	};
	int err = um_sim_take_value(s, value, 2, items, ARRAY_SIZE(items));

	return err ? err : ARRAY_APPEND(sim->keepings, sim->num_keepings, k);
}

int um_sim_set_allow(struct uncoremsr_sim *sim, const struct um_sim_source *s, char *value)
{
	struct um_sim_allowed a = { 0 };
	uint64_t msr;
	const struct um_sim_item items[] = {
		{ NULL, UM_SIM_NUMBER, &msr, 0, UINT32_MAX, NULL },
		{ NULL, UM_SIM_NUMBER, &a.mask, 0, UINT64_MAX, NULL },
	};
	int err = um_sim_take_value(s, value, 2, items, ARRAY_SIZE(items));

	if (err)
		return err;
	a.msr = (uint32_t)msr;
	return ARRAY_APPEND(sim->allowed, sim->num_allowed, a);
}

int um_sim_set_preset(struct uncoremsr_sim *sim, const struct um_sim_source *s, char *value)
{
	struct um_sim_preset p = { .cpu = UINT64_MAX };
	uint64_t msr;
	const struct um_sim_item items[] = {
		{ NULL, UM_SIM_NUMBER, &msr, 0, UINT32_MAX, NULL },
		{ NULL, UM_SIM_NUMBER, &p.value, 0, UINT64_MAX, NULL },
		{ "cpu", UM_SIM_NUMBER, &p.cpu, 0, MAX_CPU, NULL },
	};
	int err = um_sim_take_value(s, value, 2, items, ARRAY_SIZE(items));

	if (err)
		return err;
	p.msr = (uint32_t)msr;
	return ARRAY_APPEND(sim->presets, sim->num_presets, p);
}

static int add_happening(struct uncoremsr_sim *sim, const struct um_sim_source *s,
			 struct um_sim_happening *h)
{
	if ((h->at == UINT64_MAX) == (h->after == UINT64_MAX))
		return um_sim_bad(s, "one of at=SECONDS and after=ACCESSES is needed");
	return ARRAY_APPEND(sim->happenings, sim->num_happenings, *h);
}

#define MOMENT_OPTIONS(h) \
	{ "at", UM_SIM_SECONDS, &(h).at, 0, 0, NULL }, \
	{ "after", UM_SIM_NUMBER, &(h).after, 0, UINT64_MAX - 1, NULL }

int um_sim_set_hotplug(struct uncoremsr_sim *sim, const struct um_sim_source *s, char *value)
{
	struct um_sim_happening h = { .kind = UM_SIM_HOTPLUG, .at = UINT64_MAX,
				      .after = UINT64_MAX, .package = -1 };
	int online = 0;
	const struct um_sim_item items[] = {
		{ NULL, UM_SIM_NUMBER, &h.cpu, 0, MAX_CPU, NULL },
		{ NULL, UM_SIM_WORD, &online, 0, 0, "off on" },
		MOMENT_OPTIONS(h),
	};
	int err = um_sim_take_value(s, value, 3, items, ARRAY_SIZE(items));

	h.online = online;
	return err ? err : add_happening(sim, s, &h);
}

int um_sim_set_foreign(struct uncoremsr_sim *sim, const struct um_sim_source *s, char *value)
{
	struct um_sim_happening h = { .kind = UM_SIM_FOREIGN_WRITE, .at = UINT64_MAX,
				      .after = UINT64_MAX, .package = -1 };
	const struct um_sim_item items[] = {
		{ NULL, UM_SIM_NUMBER, &h.msr, 0, UINT32_MAX, NULL },
		{ NULL, UM_SIM_NUMBER, &h.value, 0, UINT64_MAX, NULL },
		MOMENT_OPTIONS(h),
		{ "package", UM_SIM_ID, &h.package, 0, 255, NULL },
	};
	int err = um_sim_take_value(s, value, 3, items, ARRAY_SIZE(items));

	return err ? err : add_happening(sim, s, &h);
}

int um_sim_set_suspend(struct uncoremsr_sim *sim, const struct um_sim_source *s, char *value)
{
	struct um_sim_happening h = { .kind = UM_SIM_SUSPEND, .at = UINT64_MAX,
				      .after = UINT64_MAX, .package = -1 };
	const struct um_sim_item items[] = {
		{ NULL, UM_SIM_SECONDS, &h.ns, 0, 0, NULL },
		MOMENT_OPTIONS(h),
		{ "registers", UM_SIM_WORD, &h.keeps, 0, 0, "cleared kept" },
	};
	int err = um_sim_take_value(s, value, 1, items, ARRAY_SIZE(items));

	return err ? err : add_happening(sim, s, &h);
}
