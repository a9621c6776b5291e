/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The kernel's PMUs (Linux Documentation/ABI/testing/sysfs-bus-event_source-devices*), tracepoints and settings. */
#include "common/text.h"
#include "sim/kernel.h"
#include "sim/search.h"

/* /proc/kallsyms. Samples in the kernel are always in simulated_work() (kernel_samples.c). */
static const char symbols[] = "ffffffff81000000 T _stext\nffffffff81000000 T _text\n"
			      "ffffffff81001000 T simulated_work\nffffffff81200000 T _etext\n";
static const char power_symbols[] = "c000000000000000 T _stext\nc000000000000000 T _text\n"
				    "c000000000001000 T simulated_work\nc000000000200000 T _etext\n";

#define DEVICES "sys/bus/event_source/devices"

static bool is_in_mask(const struct uncoremsr_sim *sim, unsigned cpu, const void *of)
{
	const struct um_sim_kernel_pmu *pmu = of;

	return pmu->counted_by[um_sim_owner(sim, pmu, cpu)] == (int)cpu;
}

/*
 * For the file cpus ("0-15") of a hybrid processor's PMU: the online CPUs of its core type. Only this file shows that
 * type. (Linux intel_pmu_cpu_dead() removes offline CPUs.)
 */
static bool is_covered(const struct uncoremsr_sim *sim, unsigned cpu, const void *of)
{
	return um_sim_online(sim, cpu) && um_sim_has_core_pmu(sim, of, cpu);
}

/* As in Linux, companion files (".scale") of most PMUs lack a final newline; IMC PMUs have one. */
static void offer_event(struct um_sim_search *s, const struct um_sim_pmu_event *ev, const char *end)
{
	const struct {
		const char *suffix, *text;
	} companions[] = {
		{ ".scale", ev->scale }, { ".unit", ev->unit },
		{ ".snapshot", ev->snapshot ? "1" : "" },
		{ ".per-pkg", ev->per_package ? "1" : "" },
	};

	if (um_sim_offer(s, "events/%s", ev->name))
		um_sim_print(s, "%s\n", ev->terms);
	for (size_t i = 0; i < ARRAY_SIZE(companions); i++)
		if (*companions[i].text && um_sim_offer(s, "events/%s%s", ev->name, companions[i].suffix))
			um_sim_print(s, "%s%s", companions[i].text, end);
}

static void offer_pmu(struct um_sim_search *s, const struct um_sim_kernel_pmu *pmu)
{
	const struct um_sim_kernel *k = s->sim->kernel;

	um_sim_offer_line(s, "type", "%u", pmu->type);
	if (pmu->counters || pmu->kind == UM_SIM_PMU_IMC)
		um_sim_offer_line(s, "perf_event_mux_interval_ms", "4");
	if (pmu->masked && !pmu->eventless)
		um_sim_offer_cpus(s, "cpumask", is_in_mask, pmu);
	if (pmu->core_type)
		um_sim_offer_cpus(s, "cpus", is_covered, pmu);
	if (pmu->kind == UM_SIM_PMU_CORE) {
		um_sim_offer_line(s, "caps/max_precise", "%d", pmu->amd ? 0 : 2);
		if (!pmu->amd)
			um_sim_offer_line(s, "caps/branches", "16");
		um_sim_offer_line(s, "rdpmc", "1");
	}
	for (size_t i = 0; i < k->num_formats; i++)
		if (um_sim_kernel_pmu_is(pmu, k->formats[i].pmu) && um_sim_offer(s, "format/%s", k->formats[i].name))
			um_sim_print(s, "%s\n", k->formats[i].text);
	for (size_t i = 0; i < k->num_events; i++)
		if (um_sim_kernel_pmu_is(pmu, k->events[i].pmu))
			offer_event(s, &k->events[i], pmu->kind == UM_SIM_PMU_IMC ? "\n" : "");
}

void um_sim_kernel_files(struct um_sim_search *s)
{
	const struct um_sim_kernel *k = s->sim->kernel;
	const char *path;

	if (um_sim_enter(s, "proc/sys/kernel")) {
		um_sim_offer_line(s, "perf_event_paranoid", "%d", k->paranoid);
		um_sim_offer_line(s, "perf_event_max_sample_rate", "%d", UM_SIM_MAX_SAMPLE_RATE);
	}
	if (um_sim_enter(s, "proc") && um_sim_offer(s, "kallsyms"))
		um_sim_print(s, "%s", s->sim->imc ? power_symbols : symbols);
	if (um_sim_enter(s, "sys/kernel/tracing/events"))
		for (const struct um_sim_tracepoint *t = um_sim_tracepoints; t->path; t++)
			um_sim_offer_line(s, t->path, "%u", (unsigned)t->id);
	if (!um_sim_enter(s, DEVICES))
		return;
	path = s->rest;
	for (size_t i = 0; i < k->num_pmus; i++)
		if ((!*path || um_starts_with(path, k->pmus[i].name)) &&
		    um_sim_enter(s, DEVICES "/%s", k->pmus[i].name))
			offer_pmu(s, &k->pmus[i]);
}
