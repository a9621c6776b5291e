/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Keys about the kernel: its PMUs, their formats and events, rates, limits, ordered refusals. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/keys.h"
#include "sim/perf.h"

static int copy(const struct um_sim_source *s, char *to, size_t size, const char *text)
{
	if (strlen(text) >= size)
		return um_sim_bad(s, "'%.60s' is longer than %zu characters", text, size - 1);
	strcpy(to, text);
	return 0;
}

static int yes(const struct um_sim_source *s, const char *value, bool *to)
{
	*to = !strcmp(value, "yes");
	return *to || !strcmp(value, "no") ? 0 : um_sim_bad(s, "'%s' is none of: no yes", value);
}

/* ---- PMUs ---- */

struct pmu_words {
	const char *cpumask, *free_running, *no_exclude;
	uint64_t type, counters;
};

/* cpumask=package: the first CPU of each die; or those of a list. By CPU until all are known. */
static int set_mask(const struct um_sim_source *s, struct um_sim_pmu *pmu, const char *cpumask)
{
	bool cpus[UM_SIM_MAX_CPUS] = { false };
	bool all = !strcmp(cpumask, "package");

	if (!all && !um_sim_list(cpumask, cpus, UM_SIM_MAX_CPUS - 1))
		return um_sim_bad(s, "cpumask='%s' is neither 'package' nor a list of CPUs",
				  cpumask);
	pmu->masked = true;
	pmu->speaker = calloc(UM_SIM_MAX_CPUS, sizeof(*pmu->speaker));
	if (!pmu->speaker)
		return -ENOMEM;
	for (unsigned i = 0; i < UM_SIM_MAX_CPUS; i++)
		pmu->speaker[i] = all || cpus[i] ? (int)i : -1;
	return 0;
}

static int add_pmu(struct uncoremsr_sim *sim, const struct um_sim_source *s, const char *name,
		   unsigned type, const struct pmu_words *w)
{
	struct um_sim_perf *p = um_sim_perf_of(sim);
	struct um_sim_pmu *pmu;
	bool no_exclude = true;
	int err;

	if (!p)
		return -ENOMEM;
	if (strlen(name) >= sizeof(pmu->name) || strchr(name, '/') || name[0] == '.')
		return um_sim_bad(s, "'%.60s' is no name of a PMU", name);
	if (p->num_pmus >= UM_SIM_PERF_MAX_PMUS)
		return um_sim_bad(s, "more than %u of them", UM_SIM_PERF_MAX_PMUS);
	pmu = um_sim_pmu_add(p, name, UM_SIM_PMU_DESCRIBED, type);
	if (!pmu)
		return -ENOMEM;
	pmu->counters = (unsigned)w->counters;
	err = w->cpumask ? set_mask(s, pmu, w->cpumask) : 0;
	if (!err && w->free_running)
		err = yes(s, w->free_running, &pmu->free_running);
	if (!err && w->no_exclude)
		err = yes(s, w->no_exclude, &no_exclude);
	pmu->excludes = !no_exclude;
	return err;
}

/* "uncore_cha_0-17": that many units, their types counted on. 1: it is no such name. */
static int add_units(struct uncoremsr_sim *sim, const struct um_sim_source *s, char *name,
		     const struct pmu_words *w)
{
	char *dash = strrchr(name, '-'), *at = dash, unit[64];
	uint64_t first, last;

	while (at && at > name && isdigit((unsigned char)at[-1]))
		at--;
	if (!at || at == dash || at == name)
		return 1;
	*dash = '\0';
	if (!um_sim_number(at, 999, &first) || !um_sim_number(dash + 1, 999, &last) || last < first)
		return um_sim_bad(s, "'%s-%s' is not a range of units up to 999", name, dash + 1);
	*at = '\0';
	for (uint64_t i = first; i <= last; i++) {
		int err;

		snprintf(unit, sizeof(unit), "%.50s%u", name, (unsigned)i);
		err = add_pmu(sim, s, unit, (unsigned)(w->type + i - first), w);
		if (err)
			return err;
	}
	return 0;
}

int um_sim_set_kernel_pmu(struct uncoremsr_sim *sim, const struct um_sim_source *s, char *value)
{
	struct pmu_words w = { .type = 0 };
	const struct um_sim_option opts[] = {
		{ .name = "type", .value = &w.type, .min = 6, .max = 65535 },
		{ .name = "counters", .value = &w.counters, .min = 1, .max = 64 },
		{ .name = "cpumask", .kind = UM_SIM_OPT_TEXT, .text = &w.cpumask },
		{ .name = "free_running", .kind = UM_SIM_OPT_TEXT, .text = &w.free_running },
		{ .name = "no_exclude", .kind = UM_SIM_OPT_TEXT, .text = &w.no_exclude },
	};
	char *words[8];
	int n = um_sim_split(s, value, words, 2, 8, "NAME type=N [counters=N] "
			     "[cpumask=package|LIST] [free_running=yes] [no_exclude=no]");
	int err = n < 0 ? n : um_sim_options(s, words, 1, n, opts, ARRAY_SIZE(opts));

	if (err < 0)
		return err;
	if (!w.type)
		return um_sim_bad(s, "type= is missing");
	err = add_units(sim, s, words[0], &w);
	return err == 1 ? add_pmu(sim, s, words[0], (unsigned)w.type, &w) : err;
}

/* Words are cut at colons too, so that "config:0-7" comes as two of them. */
int um_sim_set_kernel_format(struct uncoremsr_sim *sim, const struct um_sim_source *s, char *value)
{
	struct um_sim_perf *p = um_sim_perf_of(sim);
	char *words[4], text[64];
	int n = um_sim_split(s, value, words, 4, 4, "PMU NAME config:BITS");
	struct um_kernel_format f;

	if (n < 0)
		return n;
	snprintf(text, sizeof(text), "%.10s:%.50s", words[2], words[3]);
	if (um_format_parse(&f, text))
		return um_sim_bad(s, "'%s' is not such as config:0-7,21", text);
	if (strlen(words[0]) >= 48 || strlen(words[1]) >= 32)
		return um_sim_bad(s, "'%s' or '%s' is too long", words[0], words[1]);
	return p ? um_sim_perf_add_format(p, words[0], words[1], text) : -ENOMEM;
}

int um_sim_set_kernel_event(struct uncoremsr_sim *sim, const struct um_sim_source *s, char *value)
{
	const char *scale = "", *unit = "", *snapshot = "no", *per_package = "no";
	const struct um_sim_option opts[] = {
		{ .name = "scale", .kind = UM_SIM_OPT_TEXT, .text = &scale },
		{ .name = "unit", .kind = UM_SIM_OPT_TEXT, .text = &unit },
		{ .name = "snapshot", .kind = UM_SIM_OPT_TEXT, .text = &snapshot },
		{ .name = "per_pkg", .kind = UM_SIM_OPT_TEXT, .text = &per_package },
	};
	struct um_sim_perf *p = um_sim_perf_of(sim);
	struct um_sim_pmu_event *ev;
	char *words[8];
	int n = um_sim_split(s, value, words, 3, 8,
			     "PMU NAME TERMS [scale=N] [unit=TEXT] [snapshot=yes] [per_pkg=yes]");
	int err = n < 0 ? n : um_sim_options(s, words, 3, n, opts, ARRAY_SIZE(opts));

	if (err < 0)
		return err;
	ev = p ? UM_SIM_APPEND(p->events, p->num_events) : NULL;
	if (!ev)
		return -ENOMEM;
	err = copy(s, ev->pmu, sizeof(ev->pmu), words[0]);
	err = err ? err : copy(s, ev->name, sizeof(ev->name), words[1]);
	err = err ? err : copy(s, ev->terms, sizeof(ev->terms), words[2]);
	err = err ? err : copy(s, ev->scale, sizeof(ev->scale), scale);
	err = err ? err : copy(s, ev->unit, sizeof(ev->unit), unit);
	err = err ? err : yes(s, snapshot, &ev->snapshot);
	return err ? err : yes(s, per_package, &ev->per_package);
}

int um_sim_set_kernel_rate(struct uncoremsr_sim *sim, const struct um_sim_source *s, char *value)
{
	struct um_sim_perf *p = um_sim_perf_of(sim);
	struct um_sim_pmu_rate *r;
	char *words[3];
	int n = um_sim_split(s, value, words, 3, 3, "PMU CONFIG RATE");

	if (n < 0)
		return n;
	r = p ? UM_SIM_APPEND(p->rates, p->num_rates) : NULL;
	if (!r)
		return -ENOMEM;
	if (!um_sim_number(words[1], UINT64_MAX, &r->config) ||
	    !um_sim_number(words[2], UM_SIM_PERF_MAX_RATE, &r->rate))
		return um_sim_bad(s, "'%s' and '%s' are not a config word and a rate up to 1e15",
				  words[1], words[2]);
	return copy(s, r->pmu, sizeof(r->pmu), words[0]);
}

/* ---- what the kernel allows ---- */

int um_sim_set_kernel_uncore(struct uncoremsr_sim *sim, const struct um_sim_source *s, char *value)
{
	struct um_sim_perf *p = um_sim_perf_of(sim);

	return p ? yes(s, value, &p->kernel_uncore) : -ENOMEM;
}

int um_sim_set_perf_paranoid(struct uncoremsr_sim *sim, const struct um_sim_source *s, char *value)
{
	struct um_sim_perf *p = um_sim_perf_of(sim);
	bool all = !strcmp(value, "-1");
	uint64_t level = 0;

	if (!p)
		return -ENOMEM;
	if (!all && !um_sim_number(value, 4, &level))
		return um_sim_bad(s, "'%s' is not a level from -1 to 4", value);
	p->paranoid = all ? -1 : (int)level;
	return 0;
}

int um_sim_set_perf_user(struct uncoremsr_sim *sim, const struct um_sim_source *s, char *value)
{
	struct um_sim_perf *p = um_sim_perf_of(sim);

	if (!p)
		return -ENOMEM;
	p->unprivileged = !strcmp(value, "nobody");
	return p->unprivileged || !strcmp(value, "root")
		       ? 0 : um_sim_bad(s, "'%s' is none of: root nobody", value);
}

int um_sim_set_perf_limit(struct uncoremsr_sim *sim, const struct um_sim_source *s, char *value)
{
	struct um_sim_perf *p = um_sim_perf_of(sim);
	char *comma = strchr(value, ',');

	if (!p)
		return -ENOMEM;
	if (comma)
		*comma = '\0';
	if (!um_sim_number(value, UINT32_MAX, &p->soft) ||
	    !um_sim_number(comma ? comma + 1 : value, UINT32_MAX, &p->hard) || p->soft > p->hard)
		return um_sim_bad(s, "the form is SOFT,HARD, two numbers of descriptors");
	return 0;
}

int um_sim_set_perf_fail(struct uncoremsr_sim *sim, const struct um_sim_source *s, char *value)
{
	struct um_sim_perf_fail f = { .cpu = UINT64_MAX, .times = UINT64_MAX };
	const char *step = "open";
	const struct um_sim_option opts[] = {
		{ .name = "cpu", .value = &f.cpu, .max = UM_SIM_MAX_CPUS - 1 },
		{ .name = "times", .value = &f.times, .max = UINT64_MAX },
		{ .name = "step", .kind = UM_SIM_OPT_TEXT, .text = &step },
	};
	struct um_sim_perf *p = um_sim_perf_of(sim);
	struct um_sim_perf_fail *added;
	char *words[5];
	int n = um_sim_split(s, value, words, 2, 5, "PMU ERRNO [cpu=N] [times=N] [step=open|read]");
	int err = n < 0 ? n : um_sim_options(s, words, 2, n, opts, ARRAY_SIZE(opts));

	err = err ? err : um_sim_errno(s, words[1], &f.err);
	err = err ? err : copy(s, f.pmu, sizeof(f.pmu), words[0]);
	if (err)
		return err;
	f.reading = !strcmp(step, "read");
	if (!f.reading && strcmp(step, "open"))
		return um_sim_bad(s, "step='%s' is none of: open read", step);
	added = p ? UM_SIM_APPEND(p->fails, p->num_fails) : NULL;
	if (!added)
		return -ENOMEM;
	*added = f;
	return 0;
}
