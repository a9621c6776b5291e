/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Find metrics by name. */
#include <errno.h>
#include <fnmatch.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "common/text.h"
#include "events/json_list.h"
#include "events/metrics.h"
#include "events/json_list_metrics.h"
#include "events/similar_names.h"
#include "events/source.h"
#include "machine/handle.h"

enum { MAX_NAME = 128 };

/* The bit of each processor in the rows. */
static const struct {
	const char *uarch;
	unsigned bit;
} processors[] = {
	{ "nehalem", UM_M_NHM }, { "westmere", UM_M_WSM },
	{ "nehalem-ex", UM_M_EX }, { "westmere-ex", UM_M_EX },
	{ "sandybridge", UM_M_SNB }, { "ivybridge", UM_M_SNB }, { "haswell", UM_M_SNB },
	{ "broadwell", UM_M_SNB }, { "skylake", UM_M_SNB }, { "kabylake", UM_M_SNB },
	{ "cometlake", UM_M_SNB }, { "icelake", UM_M_SNB },
	{ "tigerlake", UM_M_TGL }, { "rocketlake", UM_M_TGL }, { "alderlake", UM_M_TGL },
	{ "raptorlake", UM_M_TGL }, { "meteorlake", UM_M_TGL }, { "arrowlake", UM_M_TGL },
	{ "lunarlake", UM_M_LNL }, { "pantherlake", UM_M_LNL },
	{ "sandybridge-ep", UM_M_JKT }, { "ivybridge-ep", UM_M_IVT }, { "haswell-ep", UM_M_HSX },
	{ "broadwell-ep", UM_M_BDX }, { "broadwell-de", UM_M_BDX },
	{ "knightslanding", UM_M_KNL }, { "knightsmill", UM_M_KNL },
	{ "skylake-sp", UM_M_SKX }, { "icelake-sp", UM_M_ICX }, { "icelake-d", UM_M_ICX },
	{ "snowridge", UM_M_SNR }, { "sapphirerapids", UM_M_SPR }, { "emeraldrapids", UM_M_EMR },
	{ "graniterapids", UM_M_GNR }, { "sierraforest", UM_M_SRF }, { "clearwaterforest", UM_M_SRF },
	{ "grandridge", UM_M_GRR },
	{ "zen", UM_M_ZEN }, { "dhyana", UM_M_ZEN }, { "zen2", UM_M_ZEN2 }, { "zen3", UM_M_ZEN3 },
	{ "zen4", UM_M_ZEN4 }, { "zen5", UM_M_ZEN5 },
};

/* Row @i, with the two tables counted as one. */
static const struct uncoremsr_metric *row(size_t i)
{
	if (i < um_num_metrics_nehalem)
		return &um_metrics_nehalem[i];
	i -= um_num_metrics_nehalem;
	return i < um_num_metrics ? &um_metrics[i] : NULL;
}

/* 0: no row names the processor. */
static unsigned bit_of(const char *uarch)
{
	for (size_t i = 0; uarch && i < ARRAY_SIZE(processors); i++)
		if (strcmp(processors[i].uarch, uarch) == 0)
			return processors[i].bit;
	return 0;
}

bool um_metric_is_on(const struct uncoremsr_metric *m, const char *uarch)
{
	return m->on == UM_M_ALL || m->on & bit_of(uarch);
}

/* Metric @index: first our own, then those of files; NULL past the end. */
static const struct uncoremsr_metric *metric_at(const char *uarch, struct um_json_lists *lists,
						size_t index)
{
	const struct uncoremsr_metric *m;
	const unsigned bit = bit_of(uarch);

	for (size_t i = 0; (m = row(i)); i++)
		if ((m->on == UM_M_ALL || m->on & bit) && !index--)
			return m;
	return lists ? um_json_metric(lists, index) : NULL;
}

const struct uncoremsr_metric *uncoremsr_metric(struct uncoremsr *um, const char *uarch, size_t index)
{
	struct um_json_lists *lists = um && um->names ? um->names->lists : NULL;

	if (lists && um_json_metrics_read(lists, &um->error))
		lists = NULL;
	return metric_at(uarch, lists, index);
}

/* Is the metric part of "default", the set for a first look at a machine? */
static bool is_default(const struct uncoremsr_metric *m)
{
	static const char *const names[] = {
		"memory-bandwidth", "llc-miss-ratio", "interconnect-bandwidth", "io-read-bandwidth",
		"io-write-bandwidth", "uncore-frequency", "cpu-frequency", "ipc", "package-power",
		"dram-power",
	};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (strcmp(m->name, names[i]) == 0)
			return true;
	return false;
}

static bool matches(const struct uncoremsr_metric *m, const char *pattern)
{
	if (strcmp(pattern, UM_METRICS_DEFAULT) == 0)
		return !m->published && is_default(m);
	return fnmatch(pattern, um_metric_name(m), FNM_CASEFOLD) == 0;
}

bool um_metrics_several(const char *text, size_t len)
{
	return strcspn(text, "*?[") < len || um_is_word(text, len, UM_METRICS_DEFAULT);
}

/* Another processor that has the metric, and the metric. */
static const char *elsewhere(const char *pattern, const struct uncoremsr_metric **m)
{
	for (size_t k = 0; k < ARRAY_SIZE(processors); k++)
		for (size_t i = 0; (*m = row(i)); i++)
			if (((*m)->on & processors[k].bit) && matches(*m, pattern))
				return processors[k].uarch;
	return NULL;
}

const struct uncoremsr_metric *um_metric_elsewhere(const char *name, size_t len)
{
	const struct uncoremsr_metric *m = NULL;
	char pattern[MAX_NAME];

	snprintf(pattern, sizeof(pattern), "%.*s", (int)len, name);
	return elsewhere(pattern, &m) ? m : NULL;
}

/* Similar names, the most similar first: "a, b or c". */
static void near(const char *uarch, struct um_json_lists *lists, const char *name, char *buf,
		 size_t size)
{
	const struct uncoremsr_metric *m;
	struct um_near found;

	*buf = '\0';
	um_near_to(&found, name, strlen(name));
	for (size_t i = 0; (m = metric_at(uarch, lists, i)); i++)
		um_near_try(&found, um_metric_name(m), m);
	for (size_t i = 0; i < found.num; i++)
		um_near_add(&found, i, found.best[i].name, buf, size);
}

/*
 * Advise where other metrics are listed. The few that every processor has are named, because a processor without
 * tables has no list.
 */
static void hint_at_others(const char *uarch, struct um_error *e)
{
	const struct uncoremsr_metric *m;
	char names[UM_SENTENCE_LIST] = "";

	for (size_t i = 0; (m = row(i)); i++)
		if (m->on == UM_M_ALL)
			um_list_add(names, sizeof(names), "%s", m->name);
	if (uarch)
		um_hint(e, "uncore-events list --metrics shows the metrics of this machine");
	else
		um_hint(e, "these exist on every processor: %s", names);
}

/* Does the processor have the metric, while its registers are out of reach on this machine? */
static bool is_out_of_reach(const struct um_machine *of, const char *pattern)
{
	const char *uarch = !of->uarch && of->model && of->model->uarch ? of->model->uarch->name : NULL;
	const struct uncoremsr_metric *m;

	for (size_t i = 0; uarch && (m = row(i)); i++)
		if (um_metric_is_on(m, uarch) && matches(m, pattern))
			return true;
	return false;
}

static int not_found(const struct um_machine *of, struct um_json_lists *lists, const char *text,
		     struct um_error *e)
{
	const struct uncoremsr_metric *theirs;
	const char *other = elsewhere(text, &theirs), *uarch = of->uarch ? of->uarch->name : NULL;
	char names[UM_NEAR * (MAX_NAME + 4)], why[UM_SENTENCE];

	if (is_out_of_reach(of, text) && um_machine_unsupported(of, why, sizeof(why)))
		return um_fail(e, -ENOTSUP, UNCOREMSR_ERROR_UNSUPPORTED, "metric '%s': %s", text, why);
	if (other) {
		um_fail(e, -ENOTSUP, UNCOREMSR_ERROR_UNSUPPORTED,
			"metric '%s': there are no events for it on %s, as there are on %s", text,
			uarch ? uarch : "this processor", other);
		hint_at_others(uarch, e);
		return -ENOTSUP;
	}
	near(uarch, lists, text, names, sizeof(names));
	um_fail(e, -ENOENT, UNCOREMSR_ERROR_USAGE, "metric '%s': no metric of that name on %s", text,
		uarch ? uarch : "this processor");
	if (names[0])
		um_hint(e, "did you mean %s?", names);
	else
		um_hint(e, "uncoremsr-metrics(7) lists them");
	return -ENOENT;
}

int um_metrics_find(const struct um_machine *of, struct um_json_lists *lists, const char *text, size_t len,
		    int (*fn)(void *user, const struct uncoremsr_metric *m), void *user,
		    struct um_error *e)
{
	const char *uarch = of->uarch ? of->uarch->name : NULL;
	const struct uncoremsr_metric *m;
	char name[MAX_NAME];
	int num = 0, err = lists ? um_json_metrics_read(lists, e) : 0;

	if (err)
		return err;
	if (len >= sizeof(name))
		return um_fail(e, -EINVAL, UNCOREMSR_ERROR_USAGE,
			       "metric '%.*s...': longer than any name", MAX_NAME - 1, text);
	memcpy(name, text, len);
	name[len] = '\0';
	for (size_t i = 0; !err && (m = metric_at(uarch, lists, i)); i++) {
		if (!matches(m, name))
			continue;
		num++;
		err = fn(user, m);
	}
	return err ? err : num ? num : not_found(of, lists, name, e);
}

/* ---- properties ---- */

const char *um_metric_name(const struct uncoremsr_metric *m)
{
	return m->published ? m->published->name : m->name;
}

const char *um_metric_formula(const struct uncoremsr_metric *m)
{
	return m->published ? m->published->formula : m->formula;
}

double um_metric_factor(const struct uncoremsr_metric *m)
{
	return m->published ? m->published->factor : 1;
}

const char *uncoremsr_metric_text(const struct uncoremsr_metric *m,
				  enum uncoremsr_metric_property p)
{
	const struct um_published *of = m ? m->published : NULL;
	const char *const texts[] = {
		[UNCOREMSR_METRIC_NAME] = of ? of->name : m ? m->name : NULL,
		[UNCOREMSR_METRIC_TITLE] = of ? of->title : m ? m->title : NULL,
		[UNCOREMSR_METRIC_MEASURE] = of ? of->unit : m ? m->unit : NULL,
		[UNCOREMSR_METRIC_FORMULA] = of ? of->formula : m ? m->formula : NULL,
		[UNCOREMSR_METRIC_NOTE] = m ? m->note : NULL,
		[UNCOREMSR_METRIC_SOURCES] = of ? of->file : m ? m->sources : NULL,
	};

	return (unsigned)p < ARRAY_SIZE(texts) ? texts[p] : NULL;
}


int uncoremsr_metric_bounds(const struct uncoremsr_metric *m, double *low, double *high)
{
	if (!m || !low || !high)
		return -EINVAL;
	if (m->published) {
		*low = m->published->low;
		*high = m->published->high;
		return 0;
	}
	/* The counters of a share are read one after the other, so it may be slightly below 0. */
	*low = strcmp(m->unit, "%") ? 0 : -2;
	*high = m->high;
	return 0;
}
