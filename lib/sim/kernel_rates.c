/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * How often an event of the kernel's PMUs has happened: a pure function of the clock, in integers.
 * Rates are made up, but always the same, and chosen so that sums and ratios can be checked by hand.
 */
#include <errno.h>
#include <linux/perf_event.h>

#include "sim/kernel.h"
#include "sim/workload.h"

/* Bits of event select, unit mask, edge, any thread, invert, threshold. The kernel sets the other selector bits. */
#define CODE_BITS 0xffa4ffffull
#define HARDWARE(event, umask) ((umask) << 8 | (event))

/* Codes of PERF_COUNT_HW_* on Intel processors, as in Linux. */
static const uint16_t generic[] = {
	HARDWARE(0x3c, 0x00), HARDWARE(0xc0, 0x00), HARDWARE(0x2e, 0x4f), HARDWARE(0x2e, 0x41),
	HARDWARE(0xc4, 0x00), HARDWARE(0xc5, 0x00), HARDWARE(0x3c, 0x01), 0, 0,
	HARDWARE(0x00, 0x03),
};

/* Rates of core events, in thousandths of the time stamp counter's rate. */
static const struct {
	uint16_t code, share;
} core_rates[] = {
	{ HARDWARE(0x3c, 0x00), 900 }, /* cycles */
	{ HARDWARE(0xc0, 0x00), 675 }, /* instructions: 0.75 for each cycle */
	{ HARDWARE(0x00, 0x03), 800 }, /* cycles at the rate of the time stamp counter */
	{ HARDWARE(0x3c, 0x01), 36 },  /* bus cycles */
	{ HARDWARE(0xc4, 0x00), 135 }, { HARDWARE(0xc5, 0x00), 2 }, /* branches, mispredicted */
	{ HARDWARE(0x2e, 0x4f), 12 }, { HARDWARE(0x2e, 0x41), 3 },  /* last-level cache: references, misses */
	{ HARDWARE(0xb1, 0x01), 780 }, /* micro-operations: executed, issued, retired */
	{ HARDWARE(0x0e, 0x01), 870 }, { HARDWARE(0xc2, 0x01), 810 },
	/* Slots (six per cycle); the four top-down categories, which add up to the slots; sub-categories. */
	{ HARDWARE(0x00, 0x04), 5400 }, { HARDWARE(0x00, 0x80), 2025 }, { HARDWARE(0x00, 0x81), 270 },
	{ HARDWARE(0x00, 0x82), 810 }, { HARDWARE(0x00, 0x83), 2295 }, { HARDWARE(0x00, 0x84), 540 },
	{ HARDWARE(0x00, 0x85), 162 }, { HARDWARE(0x00, 0x86), 486 }, { HARDWARE(0x00, 0x87), 1350 },
	/* AMD's codes of cycles, branches and the last-level cache: Linux arch/x86/events/amd/core.c */
	{ HARDWARE(0x76, 0x00), 900 }, { HARDWARE(0xc2, 0x00), 135 }, { HARDWARE(0xc3, 0x00), 2 },
	{ HARDWARE(0x60, 0xff), 12 }, { HARDWARE(0x64, 0x09), 3 },
};

/* Rates of PERF_COUNT_SW_*, per second. Clocks count nanoseconds. */
static const uint64_t software_rates[] = {
	UM_SIM_NS, UM_SIM_NS, 1200, 500, 40, 1190, 10, 0, 0, 0, 0, 25,
};

const struct um_sim_tracepoint um_sim_tracepoints[] = {
	{ "sched/sched_switch/id", 316, 500 }, { "sched/sched_wakeup/id", 319, 450 },
	{ "irq/softirq_entry/id", 147, 2000 },
	{ NULL, 0, 0 },
};

/* Rate of an event that the description does not mention: between 1 and 32 million, computed from its code. */
static uint64_t some_rate(uint64_t code)
{
	return 1000000 + ((code + 1) * 0x9e3779b97f4a7c15ull >> 40) % 31000000;
}

uint64_t um_sim_core_code(const struct um_perf_attr *attr)
{
	uint32_t id = (uint32_t)attr->config[0]; /* the upper half chooses a PMU of a hybrid processor */

	if (attr->type == PERF_TYPE_HW_CACHE)
		return 1ull << 40 | id;
	if (attr->type == PERF_TYPE_HARDWARE)
		return id < ARRAY_SIZE(generic) ? generic[id] : 0;
	return attr->config[0] & CODE_BITS;
}

/* Does the cache event exist? The instruction cache has no stores; branches and the instruction TLB have only loads. */
static int valid_cache(uint64_t config)
{
	static const uint8_t ops[] = { 7, 5, 7, 7, 1, 1, 7 };
	uint64_t cache = config & 0xff, op = config >> 8 & 0xff, result = config >> 16 & 0xff;

	if (cache >= ARRAY_SIZE(ops) || op > 2 || result > 1 || config >> 24)
		return -EINVAL;
	return ops[cache] >> op & 1 ? 0 : -EINVAL;
}

/* On AMD the kernel has no events for bus cycles and reference cycles. */
static int valid_core(const struct um_sim_kernel_pmu *pmu, const struct um_perf_attr *attr)
{
	uint32_t id = (uint32_t)attr->config[0];

	if (attr->type == PERF_TYPE_HW_CACHE)
		return valid_cache(id);
	if (attr->type != PERF_TYPE_HARDWARE)
		return 0;
	if (id >= ARRAY_SIZE(generic))
		return -EINVAL;
	if (pmu->amd && id >= PERF_COUNT_HW_BUS_CYCLES)
		return -ENOENT;
	return generic[id] ? 0 : -ENOENT;
}

static uint64_t tracepoint_rate(uint64_t id)
{
	for (const struct um_sim_tracepoint *t = um_sim_tracepoints; t->path; t++)
		if (t->id == id)
			return t->rate;
	return 0;
}

int um_sim_kernel_valid(const struct um_sim_kernel_pmu *pmu, const struct um_perf_attr *attr)
{
	uint64_t event = attr->config[0] & 0xff;

	switch (pmu->kind) {
	case UM_SIM_PMU_SOFTWARE:
		return attr->config[0] < ARRAY_SIZE(software_rates) ? 0 : -ENOENT;
	case UM_SIM_PMU_TRACEPOINT:
		return tracepoint_rate(attr->config[0]) ? 0 : -ENOENT;
	case UM_SIM_PMU_MSR:
		return attr->config[0] <= 2 || attr->config[0] == 4 || attr->config[0] == 7
			       ? 0 : -EINVAL;
	case UM_SIM_PMU_CORE:
		return valid_core(pmu, attr);
	case UM_SIM_PMU_UNCORE:
	case UM_SIM_PMU_IMC: /* um_sim_imc_check() checks these events */
		return 0;
	case UM_SIM_PMU_DESCRIBED:
		return pmu->free_running && event != 0xff ? -EINVAL : 0;
	}
	return -EINVAL;
}

static uint64_t described_rate(const struct uncoremsr_sim *sim, const struct um_sim_kernel_pmu *pmu,
			       uint64_t config, bool *found)
{
	*found = true;
	for (size_t i = sim->kernel->num_rates; i-- > 0;) {
		const struct um_sim_pmu_rate *r = &sim->kernel->rates[i];

		if (r->config == config && um_sim_kernel_pmu_is(pmu, r->pmu))
			return r->rate;
	}
	*found = false;
	return some_rate(config);
}

/* CPU n is slower by (n % 8) / 64, so that tests notice if CPUs are mixed up. */
static uint64_t core_rate(const struct uncoremsr_sim *sim, const struct um_sim_perf_event *ev)
{
	uint64_t code = um_sim_core_code(&ev->attr), rate;
	bool found;

	rate = described_rate(sim, ev->pmu, code, &found);
	if (found)
		return rate;
	for (size_t i = 0; i < ARRAY_SIZE(core_rates); i++)
		if (core_rates[i].code == code)
			rate = sim->tsc_hz / 1000 * core_rates[i].share;
	/* Misses of a cache are fewer than its accesses. */
	if (ev->attr.type == PERF_TYPE_HW_CACHE)
		rate = some_rate(code & ~0x10000ull) >> (code & 0x10000 ? 4 : 0);
	/* Small cores have two thirds of the cycles and half of everything else. */
	if (ev->pmu->core_type == 0x20 && code != HARDWARE(0x00, 0x03))
		rate = code == HARDWARE(0x3c, 0x00) ? rate / 3 * 2 : rate / 2;
	return rate / 64 * (64 - ev->cpu % 8);
}

static bool applies(const struct um_sim_pmu_filter *f, const struct um_sim_perf_event *ev)
{
	return (f->event == UINT64_MAX || f->event == (ev->attr.config[0] & 0xff)) &&
	       um_sim_kernel_pmu_is(ev->pmu, f->pmu);
}

/* The rate of an event: the rate of its config without the filter bits, times the share that the filters let pass. */
static uint64_t filtered_rate(const struct uncoremsr_sim *sim, const struct um_sim_perf_event *ev)
{
	const struct um_sim_kernel *k = sim->kernel;
	uint64_t config = ev->attr.config[0] & (ev->pmu->mask ? ev->pmu->mask : UINT64_MAX), rate;
	bool found;

	for (size_t i = 0; i < k->num_filters; i++) {
		const struct um_sim_pmu_filter *f = &k->filters[i];

		if (!f->word && applies(f, ev))
			config &= ~(f->bits | (f->all < 64 ? 1ull << f->all : 0));
	}
	rate = described_rate(sim, ev->pmu, config, &found);
	for (size_t i = 0; i < k->num_filters; i++) {
		const struct um_sim_pmu_filter *f = &k->filters[i];
		uint64_t word = ev->attr.config[f->word];

		if (!applies(f, ev) || (f->all < 64 && word >> f->all & 1))
			continue;
		rate = rate * (uint64_t)__builtin_popcountll(word & f->bits) /
		       (uint64_t)__builtin_popcountll(f->bits);
	}
	return rate;
}

/*
 * The rate of an IMC counter. By default each chip and core has its own rate, so that tests notice if they are mixed
 * up. The rate depends on the offset and not on the name, because a counter may have several names.
 */
static uint64_t imc_rate(const struct uncoremsr_sim *sim, const struct um_sim_perf_event *ev)
{
	bool found;
	uint64_t rate = described_rate(sim, ev->pmu, (uint32_t)ev->attr.config[0], &found);
	const unsigned *copy = sim->cpus[ev->cpu].copy;

	if (found || !ev->pmu->masked)
		return rate;
	return ev->pmu->scope == UM_SIM_PER_CORE ? rate / 64 * (64 - copy[UM_SIM_PER_CORE] % 8)
						 : rate * (1 + copy[UM_SIM_PER_PACKAGE]);
}

static uint64_t rate_of(const struct uncoremsr_sim *sim, const struct um_sim_perf_event *ev)
{
	static const uint16_t msr_shares[] = { 1000, 900, 800 }; /* TSC, APERF, MPERF */
	uint64_t config = ev->attr.config[0];

	switch (ev->pmu->kind) {
	case UM_SIM_PMU_SOFTWARE: return software_rates[config];
	case UM_SIM_PMU_MSR:
		return config < ARRAY_SIZE(msr_shares) ? sim->tsc_hz / 1000 * msr_shares[config] : 0;
	case UM_SIM_PMU_CORE: return core_rate(sim, ev);
	case UM_SIM_PMU_TRACEPOINT: return tracepoint_rate(config);
	case UM_SIM_PMU_UNCORE: break;
	case UM_SIM_PMU_IMC: return imc_rate(sim, ev);
	case UM_SIM_PMU_DESCRIBED: return filtered_rate(sim, ev);
	}
	return 0;
}

/* Share of the time in percent: user space has 85 %, the kernel the rest; guests have none. */
static unsigned share_of(const struct um_perf_attr *attr)
{
	if (attr->exclude_host)
		return 0;
	return (attr->exclude_user ? 0u : 85u) + (attr->exclude_kernel ? 0u : 15u);
}

um_u128 um_sim_kernel_happened(const struct uncoremsr_sim *sim, const struct um_sim_perf_event *ev, uint64_t ns)
{
	struct um_sim_selection s = { .pmu = 0 }; /* the only PMU of Nehalem and Westmere */
	unsigned percent = ev->pmu->kind == UM_SIM_PMU_CORE ? share_of(&ev->attr) : 100;

	if (ev->pmu->kind != UM_SIM_PMU_UNCORE)
		return (um_u128)rate_of(sim, ev) * percent * ns / 100 / UM_SIM_NS;
	if ((ev->attr.config[0] & 0xff) == 0xff)
		return um_sim_ticks(sim->uncore_hz, ns);
	s.package = sim->cpus[ev->cpu].package;
	um_sim_select(&s, ev->attr.config[0] & ev->pmu->mask);
	return um_sim_count(sim, &s, ns);
}

bool um_sim_kernel_level(const struct um_sim_perf_event *ev, uint64_t *level)
{
	*level = 40; /* degrees below the limit, as register 0x19c has them */
	return ev->pmu->kind == UM_SIM_PMU_MSR && ev->attr.config[0] == 7;
}
