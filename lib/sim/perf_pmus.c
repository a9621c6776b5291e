/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The PMUs of the simulated kernel: those that every kernel has, and what the description adds. */
#include <ctype.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/perf.h"

/* Dynamic numbers, as they were on the machines that were looked at. */
enum { TYPE_MSR = 9, TYPE_UNCORE = 10 };

struct um_sim_perf *um_sim_perf_of(struct uncoremsr_sim *sim)
{
	if (sim->perf)
		return sim->perf;
	sim->perf = calloc(1, sizeof(*sim->perf));
	if (!sim->perf)
		return NULL;
	sim->perf->paranoid = 2;
	sim->perf->soft = 1024;
	sim->perf->hard = 1048576;
	return sim->perf;
}

bool um_sim_pmu_is(const struct um_sim_pmu *pmu, const char *text)
{
	size_t len = strlen(text);

	if (strncmp(pmu->name, text, len))
		return false;
	return !pmu->name[len] || (pmu->name[len] == '_' &&
		pmu->name[len + 1 + strspn(pmu->name + len + 1, "0123456789")] == '\0' &&
		isdigit((unsigned char)pmu->name[len + 1]));
}

struct um_sim_pmu *um_sim_pmu_add(struct um_sim_perf *p, const char *name,
				  enum um_sim_pmu_kind kind, unsigned type)
{
	struct um_sim_pmu *pmu = UM_SIM_APPEND(p->pmus, p->num_pmus);

	if (!pmu)
		return NULL;
	snprintf(pmu->name, sizeof(pmu->name), "%s", name);
	pmu->kind = kind;
	pmu->type = type;
	return pmu;
}

int um_sim_perf_add_format(struct um_sim_perf *p, const char *pmu, const char *name,
			   const char *text)
{
	struct um_sim_pmu_format *f = UM_SIM_APPEND(p->formats, p->num_formats);

	if (!f)
		return -ENOMEM;
	snprintf(f->pmu, sizeof(f->pmu), "%s", pmu);
	snprintf(f->name, sizeof(f->name), "%s", name);
	snprintf(f->text, sizeof(f->text), "%s", text);
	return 0;
}

int um_sim_perf_add_event(struct um_sim_perf *p, const char *pmu, const char *name,
			  const char *terms)
{
	struct um_sim_pmu_event *ev = UM_SIM_APPEND(p->events, p->num_events);

	if (!ev)
		return -ENOMEM;
	snprintf(ev->pmu, sizeof(ev->pmu), "%s", pmu);
	snprintf(ev->name, sizeof(ev->name), "%s", name);
	snprintf(ev->terms, sizeof(ev->terms), "%s", terms);
	return 0;
}

unsigned um_sim_die(const struct uncoremsr_sim *sim, unsigned cpu)
{
	return sim->perf->die[cpu];
}

static int find_dies(struct uncoremsr_sim *sim)
{
	unsigned *die = calloc(sim->num_cpus, sizeof(*die));

	if (!die)
		return -ENOMEM;
	sim->perf->die = die;
	for (unsigned cpu = 0; cpu < sim->num_cpus; cpu++) {
		const struct um_sim_cpu *c = &sim->cpus[cpu];

		while (c->present && (!sim->cpus[die[cpu]].present ||
				      sim->cpus[die[cpu]].package != c->package ||
				      sim->cpus[die[cpu]].die != c->die))
			die[cpu]++;
	}
	return 0;
}

/* ---- what every kernel has ---- */

/* Linux arch/x86/events/msr.c. The margin is a level, with its companion files. */
static int add_msr(struct um_sim_perf *p)
{
	static const char *const events[][2] = {
		{ "tsc", "event=0x00" }, { "aperf", "event=0x01" }, { "mperf", "event=0x02" },
		{ "smi", "event=0x04" }, { "cpu_thermal_margin", "event=0x07" },
	};

	if (!um_sim_pmu_add(p, "msr", UM_SIM_PMU_MSR, TYPE_MSR) ||
	    um_sim_perf_add_format(p, "msr", "event", "config:0-63"))
		return -ENOMEM;
	for (size_t i = 0; i < ARRAY_SIZE(events); i++)
		if (um_sim_perf_add_event(p, "msr", events[i][0], events[i][1]))
			return -ENOMEM;
	p->events[p->num_events - 1].snapshot = true;
	strcpy(p->events[p->num_events - 1].unit, "C");
	return 0;
}

/* Linux arch/x86/events/intel/uncore_snb.c, nhm_uncore. */
static int add_uncore(struct um_sim_perf *p)
{
	static const char *const formats[][2] = {
		{ "event", "config:0-7" }, { "umask", "config:8-15" }, { "edge", "config:18" },
		{ "inv", "config:23" }, { "cmask", "config:24-31" },
	};
	struct um_sim_pmu *pmu = um_sim_pmu_add(p, "uncore", UM_SIM_PMU_UNCORE, TYPE_UNCORE);

	if (!pmu)
		return -ENOMEM;
	pmu->counters = UM_SIM_GENERAL;
	pmu->fixed = 1;
	pmu->masked = true;
	for (size_t i = 0; i < ARRAY_SIZE(formats); i++)
		if (um_sim_perf_add_format(p, "uncore", formats[i][0], formats[i][1]))
			return -ENOMEM;
	return um_sim_perf_add_event(p, "uncore", "clockticks", "event=0xff");
}

static int add_all(struct uncoremsr_sim *sim)
{
	struct um_sim_perf *p = sim->perf;
	struct um_sim_pmu *software = um_sim_pmu_add(p, "software", UM_SIM_PMU_SOFTWARE,
						     PERF_TYPE_SOFTWARE);
	struct um_sim_pmu *points;

	if (!software)
		return -ENOMEM;
	software->excludes = true;
	points = um_sim_pmu_add(p, "tracepoint", UM_SIM_PMU_TRACEPOINT, PERF_TYPE_TRACEPOINT);
	if (!points)
		return -ENOMEM;
	points->excludes = true;
	if (add_msr(p) || um_sim_perf_add_core(sim))
		return -ENOMEM;
	if (p->kernel_uncore && sim->uncore & (UM_SIM_NEHALEM | UM_SIM_WESTMERE))
		return add_uncore(p);
	return 0;
}

/* ---- once all are known ---- */

static bool is_known(const struct um_sim_perf *p, const char *text)
{
	for (size_t i = 0; i < p->num_pmus; i++)
		if (um_sim_pmu_is(&p->pmus[i], text))
			return true;
	return false;
}

static int unknown(const struct uncoremsr_sim *sim, struct um_error *e, const char *key,
		   const char *pmu)
{
	return um_fail(e, -EINVAL, UNCOREMSR_ERROR_USAGE, "%s: %s: the kernel has no PMU '%s'",
		       sim->name, key, pmu);
}

static int check(const struct uncoremsr_sim *sim, struct um_error *e)
{
	const struct um_sim_perf *p = sim->perf;

	for (size_t i = 0; i < p->num_formats; i++)
		if (!is_known(p, p->formats[i].pmu))
			return unknown(sim, e, "kernel_format", p->formats[i].pmu);
	for (size_t i = 0; i < p->num_events; i++)
		if (!is_known(p, p->events[i].pmu))
			return unknown(sim, e, "kernel_event", p->events[i].pmu);
	for (size_t i = 0; i < p->num_rates; i++)
		if (!is_known(p, p->rates[i].pmu))
			return unknown(sim, e, "kernel_rate", p->rates[i].pmu);
	for (size_t i = 0; i < p->num_fails; i++)
		if (!is_known(p, p->fails[i].pmu))
			return unknown(sim, e, "perf_fail", p->fails[i].pmu);
	for (size_t i = 0; i < p->num_pmus; i++)
		for (size_t k = 0; k < i; k++)
			if (p->pmus[i].type == p->pmus[k].type ||
			    !strcmp(p->pmus[i].name, p->pmus[k].name))
				return um_fail(e, -EINVAL, UNCOREMSR_ERROR_USAGE,
					       "%s: kernel_pmu: '%s' and '%s' have the same name "
					       "or type", sim->name, p->pmus[k].name, p->pmus[i].name);
	return 0;
}

static void find_mask(const struct um_sim_perf *p, struct um_sim_pmu *pmu)
{
	struct um_kernel_format f;

	for (size_t i = 0; i < p->num_formats; i++)
		if (um_sim_pmu_is(pmu, p->formats[i].pmu) &&
		    !um_format_parse(&f, p->formats[i].text) && !f.config)
			pmu->mask |= f.mask;
}

/* From the CPUs of the mask to one for each die that has any. */
static int find_speakers(const struct uncoremsr_sim *sim, struct um_sim_pmu *pmu)
{
	int *by_die = calloc(sim->num_cpus, sizeof(*by_die));

	if (!by_die)
		return -ENOMEM;
	for (unsigned i = 0; i < sim->num_cpus; i++)
		by_die[i] = -1;
	for (unsigned i = sim->num_cpus; i-- > 0;)
		if (sim->cpus[i].present && (!pmu->speaker || pmu->speaker[i] >= 0))
			by_die[um_sim_die(sim, i)] = (int)i;
	free(pmu->speaker);
	pmu->speaker = by_die;
	return 0;
}

static int make_places(const struct uncoremsr_sim *sim, struct um_sim_pmu *pmu)
{
	pmu->places = calloc(sim->num_cpus, sizeof(*pmu->places));
	if (!pmu->places)
		return -ENOMEM;
	for (unsigned i = 0; i < sim->num_cpus; i++)
		pmu->places[i] = (struct um_sim_place){ .pmu = pmu, .pid = -1 };
	return pmu->masked ? find_speakers(sim, pmu) : 0;
}

int um_sim_perf_finish(struct uncoremsr_sim *sim, struct um_error *e)
{
	struct um_sim_perf *p = um_sim_perf_of(sim);
	int err = p ? add_all(sim) : -ENOMEM;

	if (!err)
		err = find_dies(sim);
	if (!err)
		err = check(sim, e);
	for (size_t i = 0; !err && i < p->num_pmus; i++) {
		find_mask(p, &p->pmus[i]);
		err = make_places(sim, &p->pmus[i]);
	}
	return err;
}

void um_sim_perf_free(struct uncoremsr_sim *sim)
{
	struct um_sim_perf *p = sim->perf;

	if (!p)
		return;
	for (size_t i = 0; i < p->num_pmus; i++) {
		for (unsigned k = 0; p->pmus[i].places && k < sim->num_cpus; k++)
			free(p->pmus[i].places[k].groups);
		free(p->pmus[i].places);
		free(p->pmus[i].speaker);
	}
	for (size_t i = 0; i < p->num_tasks; i++) {
		free(p->tasks[i]->groups);
		free(p->tasks[i]);
	}
	free(p->tasks);
	free(p->die);
	free(p->pmus);
	free(p->formats);
	free(p->events);
	free(p->rates);
	free(p->fails);
	free(p);
}
