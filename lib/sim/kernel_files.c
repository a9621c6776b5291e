/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The kernel's PMUs in sysfs (Linux Documentation/ABI/testing/sysfs-bus-event_source-devices*), a few tracepoints, and
 * the level of permissions.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "sim/file_table.h"
#include "sim/kernel.h"

/* Addresses of the kernel's code, with the only function in which kernel_samples.c takes samples. */
static const char symbols[] = "ffffffff81000000 T _stext\nffffffff81000000 T _text\n"
			      "ffffffff81001000 T simulated_work\nffffffff81200000 T _etext\n";
static const char power_symbols[] = "c000000000000000 T _stext\nc000000000000000 T _text\n"
				    "c000000000001000 T simulated_work\nc000000000200000 T _etext\n";

#define DEVICES "sys/bus/event_source/devices"

static int visit_list(const struct uncoremsr_sim *sim, const char *path, um_sim_cpu_test *test,
		      const struct um_sim_kernel_pmu *pmu, struct um_sim_visitor *v)
{
	char text[5 * UM_SIM_MAX_CPUS + 2] = "";
	struct um_sim_text t = { .buf = text, .size = sizeof(text) - 1 };

	um_sim_print_cpus(sim, &t, test, (unsigned)(pmu - sim->kernel->pmus));
	return um_sim_visit_text(v, path, text);
}

static bool is_in_mask(const struct uncoremsr_sim *sim, unsigned cpu, unsigned of)
{
	const struct um_sim_kernel_pmu *pmu = &sim->kernel->pmus[of];

	return pmu->counted_by[um_sim_owner(sim, pmu, cpu)] == (int)cpu;
}

/*
 * For the file cpus ("0-15") of a hybrid processor's PMU: the online CPUs of its kind of core. Only this file shows
 * which kind that is. (Linux intel_pmu_cpu_dead() removes offline CPUs.)
 */
static bool is_covered(const struct uncoremsr_sim *sim, unsigned cpu, unsigned of)
{
	return um_sim_online(sim, cpu) && um_sim_has_core_pmu(sim, &sim->kernel->pmus[of], cpu);
}

static int visit_formats(const struct um_sim_kernel_pmu *pmu, const struct um_sim_kernel *p, struct um_sim_visitor *v)
{
	char path[64], text[80];
	int err = 0;

	for (size_t i = 0; i < p->num_formats && !err; i++) {
		if (!um_sim_kernel_pmu_is(pmu, p->formats[i].pmu))
			continue;
		snprintf(path, sizeof(path), "format/%s", p->formats[i].name);
		snprintf(text, sizeof(text), "%s\n", p->formats[i].text);
		err = um_sim_visit_text(v, path, text);
	}
	return err;
}

/* As in Linux, companion files (".scale") of most PMUs lack a final newline; @ends: they have one (IMC PMUs). */
static int visit_event(const struct um_sim_pmu_event *ev, bool ends, struct um_sim_visitor *v)
{
	const struct {
		const char *end, *text;
	} files[] = {
		{ ".scale", ev->scale }, { ".unit", ev->unit },
		{ ".snapshot", ev->snapshot ? "1" : "" },
		{ ".per-pkg", ev->per_package ? "1" : "" },
	};
	char path[96], text[136];
	int err;

	snprintf(path, sizeof(path), "events/%s", ev->name);
	snprintf(text, sizeof(text), "%s\n", ev->terms);
	err = um_sim_visit_text(v, path, text);
	for (size_t i = 0; i < ARRAY_SIZE(files) && !err; i++) {
		if (!*files[i].text)
			continue;
		snprintf(path, sizeof(path), "events/%s%s", ev->name, files[i].end);
		snprintf(text, sizeof(text), "%s%s", files[i].text, ends ? "\n" : "");
		err = um_sim_visit_text(v, path, text);
	}
	return err;
}

static int visit_core(const struct um_sim_kernel_pmu *pmu, struct um_sim_visitor *v)
{
	int err = um_sim_visit_text(v, "caps/max_precise", pmu->amd ? "0\n" : "2\n");

	if (!err && !pmu->amd)
		err = um_sim_visit_text(v, "caps/branches", "16\n");
	return err ? err : um_sim_visit_text(v, "rdpmc", "1\n");
}

static int visit_pmu(const struct uncoremsr_sim *sim, const struct um_sim_kernel_pmu *pmu, struct um_sim_visitor *v)
{
	const struct um_sim_kernel *p = sim->kernel;
	char text[32];
	int err;

	snprintf(text, sizeof(text), "%u\n", pmu->type);
	err = um_sim_visit_text(v, "type", text);
	if (!err && (pmu->counters || pmu->kind == UM_SIM_PMU_IMC))
		err = um_sim_visit_text(v, "perf_event_mux_interval_ms", "4\n");
	if (!err && pmu->masked && !pmu->eventless)
		err = visit_list(sim, "cpumask", is_in_mask, pmu, v);
	if (!err && pmu->core_type)
		err = visit_list(sim, "cpus", is_covered, pmu, v);
	if (!err && pmu->kind == UM_SIM_PMU_CORE)
		err = visit_core(pmu, v);
	if (!err)
		err = visit_formats(pmu, p, v);
	for (size_t i = 0; i < p->num_events && !err; i++)
		if (um_sim_kernel_pmu_is(pmu, p->events[i].pmu))
			err = visit_event(&p->events[i], pmu->kind == UM_SIM_PMU_IMC, v);
	return err;
}

/* Visit the files outside the PMUs' directories, and "type" of each PMU, so that listings show the directories. */
static int visit_others(const struct uncoremsr_sim *sim, struct um_sim_visitor *v)
{
	static const struct {
		const char *event, *id;
	} points[] = {
		{ "sched/sched_switch", "316\n" }, { "sched/sched_wakeup", "319\n" },
		{ "irq/softirq_entry", "147\n" },
	};
	char path[128], text[16];
	int err;

	snprintf(text, sizeof(text), "%d\n", sim->kernel->paranoid);
	err = um_sim_visit_text(v, "proc/sys/kernel/perf_event_paranoid", text);
	if (!err)
		err = um_sim_visit_text(v, "proc/sys/kernel/perf_event_max_sample_rate", UM_SIM_MAX_SAMPLE_RATE "\n");
	if (!err)
		err = um_sim_visit_text(v, "proc/kallsyms", sim->imc ? power_symbols : symbols);
	for (size_t i = 0; i < ARRAY_SIZE(points) && !err; i++) {
		snprintf(path, sizeof(path), "sys/kernel/tracing/events/%s/id", points[i].event);
		err = um_sim_visit_text(v, path, points[i].id);
	}
	for (size_t i = 0; i < sim->kernel->num_pmus && !err; i++) {
		snprintf(path, sizeof(path), DEVICES "/%s/type", sim->kernel->pmus[i].name);
		snprintf(text, sizeof(text), "%u\n", sim->kernel->pmus[i].type);
		err = um_sim_visit_text(v, path, text);
	}
	return err;
}

/* The PMU in whose directory @path lies, and the rest of the path. NULL: it lies in none. */
static const struct um_sim_kernel_pmu *pmu_of(const struct uncoremsr_sim *sim, const char *path,
				       const char **rest)
{
	size_t len;

	if (strncmp(path, DEVICES "/", sizeof(DEVICES)))
		return NULL;
	path += sizeof(DEVICES);
	len = strcspn(path, "/");
	for (size_t i = 0; i < sim->kernel->num_pmus; i++) {
		const char *name = sim->kernel->pmus[i].name;

		if (strncmp(name, path, len) || name[len])
			continue;
		*rest = path[len] ? path + len + 1 : path + len;
		return &sim->kernel->pmus[i];
	}
	return NULL;
}

int um_sim_kernel_visit(const struct uncoremsr_sim *sim, const char **path, struct um_sim_visitor *v)
{
	const struct um_sim_kernel_pmu *pmu = pmu_of(sim, *path, path);

	return pmu ? visit_pmu(sim, pmu, v) : visit_others(sim, v);
}
