/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The kernel's PMUs in sysfs (Linux Documentation/ABI/testing/sysfs-bus-event_source-devices*), a few tracepoints, and
 * the level of permissions. visit_*() functions pass all files of a PMU to a callback; both finding a file and listing
 * a directory use them.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "sim/kernel.h"

/* Addresses of the kernel's code, with the only function in which kernel_samples.c takes samples. */
static const char symbols[] = "ffffffff81000000 T _stext\nffffffff81000000 T _text\n"
			      "ffffffff81001000 T simulated_work\nffffffff81200000 T _etext\n";
static const char power_symbols[] = "c000000000000000 T _stext\nc000000000000000 T _text\n"
				    "c000000000001000 T simulated_work\nc000000000200000 T _etext\n";

#define DEVICES "sys/bus/event_source/devices"

/* Callback with the path and content of a file; a result other than 0 ends the visit. */
typedef int visit(void *user, const char *path, const char *text);

static int visit_mask(const struct um_sim_kernel_pmu *pmu, const struct uncoremsr_sim *sim, visit *fn,
			  void *user)
{
	char text[1024] = "";
	size_t len = 0;

	for (unsigned owner = 0; owner < sim->num_cpus && len < sizeof(text) - 8; owner++)
		if (pmu->counted_by[owner] >= 0)
			len += (size_t)snprintf(text + len, sizeof(text) - len, "%s%d",
						len ? "," : "", pmu->counted_by[owner]);
	snprintf(text + len, sizeof(text) - len, "\n");
	return fn(user, "cpumask", text);
}

static int visit_formats(const struct um_sim_kernel_pmu *pmu, const struct um_sim_kernel *p, visit *fn,
			 void *user)
{
	char path[64], text[80];
	int err = 0;

	for (size_t i = 0; i < p->num_formats && !err; i++) {
		if (!um_sim_kernel_pmu_is(pmu, p->formats[i].pmu))
			continue;
		snprintf(path, sizeof(path), "format/%s", p->formats[i].name);
		snprintf(text, sizeof(text), "%s\n", p->formats[i].text);
		err = fn(user, path, text);
	}
	return err;
}

/* In Linux the file of an event ends with a newline, but most of its companion files do not (@ends: all do, IMC). */
static int visit_event(const struct um_sim_pmu_event *ev, bool ends, visit *fn, void *user)
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
	err = fn(user, path, text);
	for (size_t i = 0; i < ARRAY_SIZE(files) && !err; i++) {
		if (!*files[i].text)
			continue;
		snprintf(path, sizeof(path), "events/%s%s", ev->name, files[i].end);
		snprintf(text, sizeof(text), "%s%s", files[i].text, ends ? "\n" : "");
		err = fn(user, path, text);
	}
	return err;
}

static int visit_core(const struct um_sim_kernel_pmu *pmu, visit *fn, void *user)
{
	int err = fn(user, "caps/max_precise", pmu->amd ? "0\n" : "2\n");

	if (!err && !pmu->amd)
		err = fn(user, "caps/branches", "16\n");
	return err ? err : fn(user, "rdpmc", "1\n");
}

static bool covers(const struct uncoremsr_sim *sim, const struct um_sim_kernel_pmu *pmu, unsigned cpu)
{
	return um_sim_online(sim, cpu) && um_sim_has_core_pmu(sim, pmu, cpu);
}

/*
 * The file cpus ("0-15") of a hybrid processor's PMU: the online CPUs of its kind of core. Only this file shows which
 * kind that is. (Linux intel_pmu_cpu_dead() removes offline CPUs.)
 */
static int visit_cpus(const struct um_sim_kernel_pmu *pmu, const struct uncoremsr_sim *sim, visit *fn,
		      void *user)
{
	char text[400] = "";
	size_t len = 0;

	for (unsigned cpu = 0, last; cpu < sim->num_cpus && len < sizeof(text) - 32; cpu = last + 1) {
		last = cpu;
		if (!covers(sim, pmu, cpu))
			continue;
		while (last + 1 < sim->num_cpus && covers(sim, pmu, last + 1))
			last++;
		len += (size_t)snprintf(text + len, sizeof(text) - len, last > cpu ? "%s%u-%u" : "%s%u",
					len ? "," : "", cpu, last);
	}
	snprintf(text + len, sizeof(text) - len, "\n");
	return fn(user, "cpus", text);
}

static int visit_pmu(const struct uncoremsr_sim *sim, const struct um_sim_kernel_pmu *pmu, visit *fn,
		     void *user)
{
	const struct um_sim_kernel *p = sim->kernel;
	char text[32];
	int err;

	snprintf(text, sizeof(text), "%u\n", pmu->type);
	err = fn(user, "type", text);
	if (!err && (pmu->counters || pmu->kind == UM_SIM_PMU_IMC))
		err = fn(user, "perf_event_mux_interval_ms", "4\n");
	if (!err && pmu->masked && !pmu->eventless)
		err = visit_mask(pmu, sim, fn, user);
	if (!err && pmu->core_type)
		err = visit_cpus(pmu, sim, fn, user);
	if (!err && pmu->kind == UM_SIM_PMU_CORE)
		err = visit_core(pmu, fn, user);
	if (!err)
		err = visit_formats(pmu, p, fn, user);
	for (size_t i = 0; i < p->num_events && !err; i++)
		if (um_sim_kernel_pmu_is(pmu, p->events[i].pmu))
			err = visit_event(&p->events[i], pmu->kind == UM_SIM_PMU_IMC, fn, user);
	return err;
}

/* Visit files outside the PMUs' directories; and each PMU's file type, so that the directories are listed. */
static int visit_others(const struct uncoremsr_sim *sim, visit *fn, void *user)
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
	err = fn(user, "proc/sys/kernel/perf_event_paranoid", text);
	if (!err)
		err = fn(user, "proc/sys/kernel/perf_event_max_sample_rate", UM_SIM_MAX_SAMPLE_RATE "\n");
	if (!err)
		err = fn(user, "proc/kallsyms", sim->imc ? power_symbols : symbols);
	for (size_t i = 0; i < ARRAY_SIZE(points) && !err; i++) {
		snprintf(path, sizeof(path), "sys/kernel/tracing/events/%s/id", points[i].event);
		err = fn(user, path, points[i].id);
	}
	for (size_t i = 0; i < sim->kernel->num_pmus && !err; i++) {
		snprintf(path, sizeof(path), DEVICES "/%s/type", sim->kernel->pmus[i].name);
		snprintf(text, sizeof(text), "%u\n", sim->kernel->pmus[i].type);
		err = fn(user, path, text);
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

static int visit_around(const struct uncoremsr_sim *sim, const char **path, visit *fn, void *user)
{
	const struct um_sim_kernel_pmu *pmu = pmu_of(sim, *path, path);

	return pmu ? visit_pmu(sim, pmu, fn, user) : visit_others(sim, fn, user);
}

/* The part of a file's path below a directory; "": they are the same; NULL: the file is not below it. */
static const char *below(const char *path, const char *dir)
{
	size_t len = strlen(dir);

	if (!len)
		return path;
	if (strncmp(path, dir, len))
		return NULL;
	return !path[len] ? path + len : path[len] == '/' ? path + len + 1 : NULL;
}

struct search {
	const char *path;
	struct um_sim_text *text;
	int found;
};

static int look(void *user, const char *path, const char *text)
{
	struct search *s = user;
	const char *rest = below(path, s->path);

	if (!rest)
		return 0;
	s->found = *rest ? -EISDIR : 0;
	if (!*rest && s->text)
		um_sim_print(s->text, "%s", text);
	return 1;
}

int um_sim_kernel_file(struct uncoremsr_sim *sim, const char *path, struct um_sim_text *t)
{
	struct search s = { path, t, -ENOENT };

	visit_around(sim, &s.path, look, &s);
	return s.found;
}

struct listing {
	const char *path;
	int (*fn)(void *user, const char *name, int is_dir);
	void *user;
};

static int list_one(void *user, const char *path, const char *text)
{
	struct listing *l = user;
	const char *rest = below(path, l->path);
	size_t len = rest ? strcspn(rest, "/") : 0;
	char name[64];

	(void)text;
	if (!len)
		return 0;
	snprintf(name, sizeof(name), "%.*s", (int)len, rest);
	return l->fn(l->user, name, rest[len] == '/');
}

int um_sim_kernel_list(struct uncoremsr_sim *sim, const char *path,
		     int (*fn)(void *user, const char *name, int is_dir), void *user)
{
	struct listing l = { path, fn, user };

	return visit_around(sim, &l.path, list_one, &l);
}
