/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Keys about the kernel: its PMUs, their formats and events, rates, limits, failing calls. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "sim/kernel.h"
#include "sim/keys.h"

#define AT UM_SIM_AT
#define COPY UM_SIM_COPY

/* ---- PMUs ---- */

struct pmu_words {
	const char *name, *cpumask;
	bool free_running, no_exclude;
	uint32_t type, counters;
};

/*
 * cpumask=package (the first CPU of each die) or a list of CPUs. Until um_sim_kernel_finish() converts counted_by, it
 * is indexed by CPU number, and NULL means all CPUs.
 */
static int set_mask(const struct um_sim_source *s, struct um_sim_kernel_pmu *pmu, const char *cpumask)
{
	bool cpus[UM_SIM_MAX_CPUS] = { false };

	pmu->masked = true;
	pmu->scope = UM_SIM_PER_DIE;
	if (!strcmp(cpumask, "package"))
		return 0;
	if (!um_sim_list(cpumask, cpus, UM_SIM_MAX_CPUS - 1))
		return um_sim_bad(s, "cpumask='%s' is neither 'package' nor a list of CPUs", cpumask);
	pmu->counted_by = calloc(UM_SIM_MAX_CPUS, sizeof(*pmu->counted_by));
	if (!pmu->counted_by)
		return -ENOMEM;
	for (unsigned i = 0; i < UM_SIM_MAX_CPUS; i++)
		pmu->counted_by[i] = cpus[i] ? (int)i : -1;
	return 0;
}

static int add_pmu(struct um_sim_kernel *k, const struct um_sim_source *s, const char *name,
		   unsigned type, const struct pmu_words *w)
{
	struct um_sim_kernel_pmu pmu = {
		.kind = UM_SIM_PMU_DESCRIBED, .type = type, .counters = w->counters, .free_running = w->free_running,
		.excludes = !w->no_exclude,
	};

	if (strlen(name) >= sizeof(pmu.name) || strchr(name, '/') || name[0] == '.')
		return um_sim_bad(s, "'%s' is not a name of a PMU", name);
	if (k->num_pmus >= UM_SIM_KERNEL_MAX_PMUS)
		return um_sim_bad(s, "more than %u PMUs", UM_SIM_KERNEL_MAX_PMUS);
	strcpy(pmu.name, name);
	if (ARRAY_APPEND(k->pmus, k->num_pmus, pmu))
		return -ENOMEM;
	return w->cpumask ? set_mask(s, &k->pmus[k->num_pmus - 1], w->cpumask) : 0;
}

static int set_pmu(struct uncoremsr_sim *sim, const struct um_sim_source *s, char *value)
{
	static const struct um_sim_item items[] = {
		{ NULL, UM_SIM_TEXT, offsetof(struct pmu_words, name), 0, 0, NULL },
		{ "type", UM_SIM_NUMBER32, offsetof(struct pmu_words, type), 6, 65535, NULL },
		{ "counters", UM_SIM_NUMBER32, offsetof(struct pmu_words, counters), 1, 64, NULL },
		{ "cpumask", UM_SIM_TEXT, offsetof(struct pmu_words, cpumask), 0, 0, NULL },
		{ "free_running", UM_SIM_CHOICE, offsetof(struct pmu_words, free_running), 0, 0, NULL },
		{ "no_exclude", UM_SIM_CHOICE, offsetof(struct pmu_words, no_exclude), 0, 0, NULL },
	};
	struct pmu_words w = { .no_exclude = true };
	int err = um_sim_take_value(s, value, 2, items, ARRAY_SIZE(items), &w);
	char *dash, *digits, unit[64], text[64];
	uint64_t first, last;

	if (err)
		return err;
	if (!w.type)
		return um_sim_bad(s, "type= is missing");
	/* "uncore_cha_0-17": one PMU for each number, with consecutive type numbers. */
	snprintf(text, sizeof(text), "%s", w.name);
	digits = dash = strrchr(text, '-');
	while (digits && digits > text && isdigit((unsigned char)digits[-1]))
		digits--;
	if (digits == dash || digits == text)
		return add_pmu(sim->kernel, s, w.name, w.type, &w);
	*dash = '\0';
	if (!um_sim_number(digits, 999, &first) || !um_sim_number(dash + 1, 999, &last) || last < first)
		return um_sim_bad(s, "'%s-%s' is not a range of units up to 999", text, dash + 1);
	for (uint64_t i = first; i <= last && !err; i++) {
		snprintf(unit, sizeof(unit), "%.*s%u", (int)(digits - text), text, (unsigned)i);
		err = add_pmu(sim->kernel, s, unit, (unsigned)(w.type + i - first), &w);
	}
	return err;
}

/* Values are also split at colons, so "config:0-7" is two words. */
static const struct um_sim_item format[] = {
	COPY(NULL, UM_SIM_NAME, pmu_format, pmu),
	COPY(NULL, UM_SIM_NAME, pmu_format, name),
	COPY(NULL, UM_SIM_NAME, pmu_format, text),
	COPY(NULL, UM_SIM_MORE, pmu_format, text),
};

static int check_format(struct uncoremsr_sim *sim UM_SIM_UNUSED, const struct um_sim_source *s, void *row)
{
	const struct um_sim_pmu_format *f = row;
	struct um_term parsed;

	return um_format_parse(&parsed, f->text) ?
		um_sim_bad(s, "'%s' does not have the form config:0-7,21", f->text) : 0;
}

static const struct um_sim_item event[] = {
	COPY(NULL, UM_SIM_NAME, pmu_event, pmu),
	COPY(NULL, UM_SIM_NAME, pmu_event, name),
	COPY(NULL, UM_SIM_NAME, pmu_event, terms),
	COPY("scale", UM_SIM_NAME, pmu_event, scale),
	COPY("unit", UM_SIM_NAME, pmu_event, unit),
	{ "snapshot", UM_SIM_CHOICE, AT(pmu_event, snapshot), 0, 0, NULL },
	{ "per_pkg", UM_SIM_CHOICE, AT(pmu_event, per_package), 0, 0, NULL },
};

static const struct um_sim_item rate[] = {
	COPY(NULL, UM_SIM_NAME, pmu_rate, pmu),
	{ NULL, UM_SIM_NUMBER, AT(pmu_rate, config), 0, UINT64_MAX, NULL },
	{ NULL, UM_SIM_NUMBER, AT(pmu_rate, rate), 0, UM_SIM_KERNEL_MAX_RATE, NULL },
};

static const struct um_sim_pmu_filter usual_filter = { .event = UINT64_MAX, .all = UINT64_MAX };
static const struct um_sim_item filter[] = {
	COPY(NULL, UM_SIM_NAME, pmu_filter, pmu),
	COPY(NULL, UM_SIM_NAME, pmu_filter, code),
	COPY(NULL, UM_SIM_NAME, pmu_filter, text),
	COPY(NULL, UM_SIM_MORE, pmu_filter, text),
	{ "all", UM_SIM_NUMBER, AT(pmu_filter, all), 0, 63, NULL },
};

static int check_filter(struct uncoremsr_sim *sim UM_SIM_UNUSED, const struct um_sim_source *s, void *row)
{
	struct um_sim_pmu_filter *f = row;
	struct um_term parsed;

	if (um_format_parse(&parsed, f->text))
		return um_sim_bad(s, "'%s' does not have the form config1:32-33", f->text);
	if (strcmp(f->code, "any") && !um_sim_number(f->code, 0xff, &f->event))
		return um_sim_bad(s, "'%s' is neither an event code nor 'any'", f->code);
	f->word = parsed.word;
	f->bits = parsed.mask;
	return 0;
}

/* ---- permissions, limits and failing calls ---- */

static int set_paranoid(struct uncoremsr_sim *sim, const struct um_sim_source *s, char *value)
{
	bool all = !strcmp(value, "-1");
	uint64_t level = 0;

	if (!all && !um_sim_number(value, 4, &level))
		return um_sim_bad(s, "'%s' is not a level from -1 to 4", value);
	sim->kernel->paranoid = all ? -1 : (int)level;
	return 0;
}

static int set_limit(struct uncoremsr_sim *sim, const struct um_sim_source *s, char *value)
{
	struct um_sim_kernel *k = sim->kernel;
	char *comma = strchr(value, ',');

	if (comma)
		*comma = '\0';
	if (!um_sim_number(value, UINT32_MAX, &k->soft) ||
	    !um_sim_number(comma ? comma + 1 : value, UINT32_MAX, &k->hard) || k->soft > k->hard)
		return um_sim_bad(s, "the form is %s: limits for open descriptors", s->form);
	return 0;
}

static const struct um_sim_perf_fail usual_fail = { .cpu = UINT64_MAX, .times = UINT64_MAX };
static const struct um_sim_item fail[] = {
	COPY(NULL, UM_SIM_NAME, perf_fail, pmu),
	{ NULL, UM_SIM_ERRNO, AT(perf_fail, err), 0, 0, NULL },
	{ "cpu", UM_SIM_NUMBER, AT(perf_fail, cpu), 0, UM_SIM_MAX_CPUS - 1, NULL },
	{ "times", UM_SIM_NUMBER, AT(perf_fail, times), 0, UINT64_MAX, NULL },
	{ "step", UM_SIM_CHOICE, AT(perf_fail, reading), 0, 0, "open read" },
};

#define ROWS(key, form, list, type, items, ...) \
	UM_SIM_ROWS(key, form, um_sim_kernel, list, type, items, __VA_ARGS__, .of_kernel = true)
#define ITEM(key, kind, member, words) { .name = key, .of_kernel = true, .num_items = 1, \
	.items = (const struct um_sim_item[]){ { NULL, kind, AT(kernel, member), 0, 0, words } } }

const struct um_sim_key um_sim_kernel_keys[] = {
	{ "kernel_pmu", "NAME type=N [counters=N] [cpumask=package|LIST] [free_running=yes] [no_exclude=no]",
	  .set = set_pmu },
	ROWS("kernel_format", "PMU NAME config:BITS", formats, pmu_format, format, 4, .check = check_format),
	ROWS("kernel_event", "PMU NAME TERMS [scale=N] [unit=TEXT] [snapshot=yes] [per_pkg=yes]", events, pmu_event,
	     event, 3),
	ROWS("kernel_rate", "PMU CONFIG RATE", rates, pmu_rate, rate, 3),
	ROWS("kernel_filter", "PMU CODE|any config:BITS [all=N]", filters, pmu_filter, filter, 4,
	     .usual = &usual_filter, .check = check_filter),
	ITEM("kernel_uncore", UM_SIM_CHOICE, kernel_uncore, NULL),
	{ "perf_paranoid", "-1 to 4", .set = set_paranoid },
	ITEM("perf_user", UM_SIM_CHOICE, unprivileged, "root nobody"),
	{ "perf_limit", "SOFT,HARD", .set = set_limit },
	ROWS("perf_fail", "PMU ERRNO [cpu=N] [times=N] [step=open|read]", fails, perf_fail, fail, 2,
	     .usual = &usual_fail),
	{ .name = NULL },
};
