/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Keys about the kernel: its PMUs, their formats and events, rates, limits, refusals. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "sim/kernel.h"
#include "sim/setters.h"

/* ---- PMUs ---- */

struct pmu_words {
	const char *cpumask;
	bool free_running, no_exclude;
	uint64_t type, counters;
};

/*
 * cpumask=package (the first CPU of each die) or a list of CPUs. Until all CPUs are known counted_by is indexed by CPU;
 * um_sim_kernel_finish() converts it.
 */
static int set_mask(const struct um_sim_source *s, struct um_sim_kernel_pmu *pmu,
		    const char *cpumask)
{
	bool cpus[UM_SIM_MAX_CPUS] = { false };
	bool all = !strcmp(cpumask, "package");

	if (!all && !um_sim_list(cpumask, cpus, UM_SIM_MAX_CPUS - 1))
		return um_sim_bad(s, "cpumask='%s' is neither 'package' nor a list of CPUs",
				  cpumask);
	pmu->masked = true;
	pmu->counted_by = calloc(UM_SIM_MAX_CPUS, sizeof(*pmu->counted_by));
	if (!pmu->counted_by)
		return -ENOMEM;
	for (unsigned i = 0; i < UM_SIM_MAX_CPUS; i++)
		pmu->counted_by[i] = all || cpus[i] ? (int)i : -1;
	return 0;
}

static int add_pmu(struct um_sim_kernel *k, const struct um_sim_source *s, const char *name,
		   unsigned type, const struct pmu_words *w)
{
	struct um_sim_kernel_pmu *pmu;

	if (strlen(name) >= sizeof(pmu->name) || strchr(name, '/') || name[0] == '.')
		return um_sim_bad(s, "'%s' is not a name of a PMU", name);
	if (k->num_pmus >= UM_SIM_KERNEL_MAX_PMUS)
		return um_sim_bad(s, "more than %u PMUs", UM_SIM_KERNEL_MAX_PMUS);
	pmu = um_sim_kernel_add_pmu(k, name, UM_SIM_PMU_DESCRIBED, type);
	if (!pmu)
		return -ENOMEM;
	pmu->counters = (unsigned)w->counters;
	pmu->free_running = w->free_running;
	pmu->excludes = !w->no_exclude;
	return w->cpumask ? set_mask(s, pmu, w->cpumask) : 0;
}

int um_sim_set_kernel_pmu(struct uncoremsr_sim *sim, const struct um_sim_source *s, char *value)
{
	struct pmu_words w = { .no_exclude = true };
	const char *name;
	const struct um_sim_item items[] = {
		{ NULL, UM_SIM_TEXT, &name, 0, 0, NULL },
		{ "type", UM_SIM_NUMBER, &w.type, 6, 65535, NULL },
		{ "counters", UM_SIM_NUMBER, &w.counters, 1, 64, NULL },
		{ "cpumask", UM_SIM_TEXT, &w.cpumask, 0, 0, NULL },
		{ "free_running", UM_SIM_YES_NO, &w.free_running, 0, 0, NULL },
		{ "no_exclude", UM_SIM_YES_NO, &w.no_exclude, 0, 0, NULL },
	};
	int err = um_sim_take_value(s, value, 2, items, ARRAY_SIZE(items));
	char *dash, *digits, unit[64], text[64];
	uint64_t first, last;

	if (err)
		return err;
	if (!w.type)
		return um_sim_bad(s, "type= is missing");
	/* "uncore_cha_0-17": one PMU for each number, with consecutive types. */
	snprintf(text, sizeof(text), "%s", name);
	digits = dash = strrchr(text, '-');
	while (digits && digits > text && isdigit((unsigned char)digits[-1]))
		digits--;
	if (digits == dash || digits == text)
		return add_pmu(sim->kernel, s, name, (unsigned)w.type, &w);
	*dash = '\0';
	if (!um_sim_number(digits, 999, &first) || !um_sim_number(dash + 1, 999, &last) ||
	    last < first)
		return um_sim_bad(s, "'%s-%s' is not a range of units up to 999", text, dash + 1);
	for (uint64_t i = first; i <= last && !err; i++) {
		snprintf(unit, sizeof(unit), "%.*s%u", (int)(digits - text), text, (unsigned)i);
		err = add_pmu(sim->kernel, s, unit, (unsigned)(w.type + i - first), &w);
	}
	return err;
}

/* Words are also cut at colons, so "config:0-7" arrives as two words. */
int um_sim_set_kernel_format(struct uncoremsr_sim *sim, const struct um_sim_source *s, char *value)
{
	struct um_sim_pmu_format f;
	const char *word, *bits;
	const struct um_sim_item items[] = {
		{ NULL, UM_SIM_NAME, f.pmu, 0, sizeof(f.pmu), NULL },
		{ NULL, UM_SIM_NAME, f.name, 0, sizeof(f.name), NULL },
		{ NULL, UM_SIM_TEXT, &word, 0, 0, NULL },
		{ NULL, UM_SIM_TEXT, &bits, 0, 0, NULL },
	};
	int err = um_sim_take_value(s, value, 4, items, ARRAY_SIZE(items));
	struct um_term parsed;

	if (err)
		return err;
	snprintf(f.text, sizeof(f.text), "%.10s:%.50s", word, bits);
	if (um_format_parse(&parsed, f.text))
		return um_sim_bad(s, "'%s' does not have the form config:0-7,21", f.text);
	return ARRAY_APPEND(sim->kernel->formats, sim->kernel->num_formats, f);
}

int um_sim_set_kernel_event(struct uncoremsr_sim *sim, const struct um_sim_source *s, char *value)
{
	struct um_sim_pmu_event ev = { .snapshot = false };
	const struct um_sim_item items[] = {
		{ NULL, UM_SIM_NAME, ev.pmu, 0, sizeof(ev.pmu), NULL },
		{ NULL, UM_SIM_NAME, ev.name, 0, sizeof(ev.name), NULL },
		{ NULL, UM_SIM_NAME, ev.terms, 0, sizeof(ev.terms), NULL },
		{ "scale", UM_SIM_NAME, ev.scale, 0, sizeof(ev.scale), NULL },
		{ "unit", UM_SIM_NAME, ev.unit, 0, sizeof(ev.unit), NULL },
		{ "snapshot", UM_SIM_YES_NO, &ev.snapshot, 0, 0, NULL },
		{ "per_pkg", UM_SIM_YES_NO, &ev.per_package, 0, 0, NULL },
	};
	int err = um_sim_take_value(s, value, 3, items, ARRAY_SIZE(items));

	return err ? err : ARRAY_APPEND(sim->kernel->events, sim->kernel->num_events, ev);
}

int um_sim_set_kernel_rate(struct uncoremsr_sim *sim, const struct um_sim_source *s, char *value)
{
	struct um_sim_pmu_rate r;
	const struct um_sim_item items[] = {
		{ NULL, UM_SIM_NAME, r.pmu, 0, sizeof(r.pmu), NULL },
		{ NULL, UM_SIM_NUMBER, &r.config, 0, UINT64_MAX, NULL },
		{ NULL, UM_SIM_NUMBER, &r.rate, 0, UM_SIM_KERNEL_MAX_RATE, NULL },
	};
	int err = um_sim_take_value(s, value, 3, items, ARRAY_SIZE(items));

	return err ? err : ARRAY_APPEND(sim->kernel->rates, sim->kernel->num_rates, r);
}

int um_sim_set_kernel_filter(struct uncoremsr_sim *sim, const struct um_sim_source *s, char *value)
{
	struct um_sim_pmu_filter f = { .event = UINT64_MAX, .all = UINT64_MAX };
	const char *code, *word, *bits;
	const struct um_sim_item items[] = {
		{ NULL, UM_SIM_NAME, f.pmu, 0, sizeof(f.pmu), NULL },
		{ NULL, UM_SIM_TEXT, &code, 0, 0, NULL },
		{ NULL, UM_SIM_TEXT, &word, 0, 0, NULL },
		{ NULL, UM_SIM_TEXT, &bits, 0, 0, NULL },
		{ "all", UM_SIM_NUMBER, &f.all, 0, 63, NULL },
	};
	int err = um_sim_take_value(s, value, 4, items, ARRAY_SIZE(items));
	struct um_term parsed;
	char text[64];

	if (err)
		return err;
	snprintf(text, sizeof(text), "%.10s:%.50s", word, bits);
	if (um_format_parse(&parsed, text))
		return um_sim_bad(s, "'%s' does not have the form config1:32-33", text);
	if (strcmp(code, "any") && !um_sim_number(code, 0xff, &f.event))
		return um_sim_bad(s, "'%s' is neither an event code nor 'any'", code);
	f.word = parsed.word;
	f.bits = parsed.mask;
	return ARRAY_APPEND(sim->kernel->filters, sim->kernel->num_filters, f);
}

/* ---- what the kernel allows ---- */

int um_sim_set_perf_paranoid(struct uncoremsr_sim *sim, const struct um_sim_source *s, char *value)
{
	bool all = !strcmp(value, "-1");
	uint64_t level = 0;

	if (!all && !um_sim_number(value, 4, &level))
		return um_sim_bad(s, "'%s' is not a level from -1 to 4", value);
	sim->kernel->paranoid = all ? -1 : (int)level;
	return 0;
}

int um_sim_set_perf_limit(struct uncoremsr_sim *sim, const struct um_sim_source *s, char *value)
{
	struct um_sim_kernel *k = sim->kernel;
	char *comma = strchr(value, ',');

	if (comma)
		*comma = '\0';
	if (!um_sim_number(value, UINT32_MAX, &k->soft) ||
	    !um_sim_number(comma ? comma + 1 : value, UINT32_MAX, &k->hard) || k->soft > k->hard)
		return um_sim_bad(s, "the form is %s, two numbers of descriptors", s->form);
	return 0;
}

int um_sim_set_perf_fail(struct uncoremsr_sim *sim, const struct um_sim_source *s, char *value)
{
	struct um_sim_perf_fail f = { .cpu = UINT64_MAX, .times = UINT64_MAX };
	const struct um_sim_item items[] = {
		{ NULL, UM_SIM_NAME, f.pmu, 0, sizeof(f.pmu), NULL },
		{ NULL, UM_SIM_ERRNO, &f.err, 0, 0, NULL },
		{ "cpu", UM_SIM_NUMBER, &f.cpu, 0, UM_SIM_MAX_CPUS - 1, NULL },
		{ "times", UM_SIM_NUMBER, &f.times, 0, UINT64_MAX, NULL },
		{ "step", UM_SIM_WORD, &f.reading, 0, 0, "open read" },
	};
	int err = um_sim_take_value(s, value, 2, items, ARRAY_SIZE(items));

	return err ? err : ARRAY_APPEND(sim->kernel->fails, sim->kernel->num_fails, f);
}
