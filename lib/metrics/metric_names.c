/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Find metrics by name or pattern. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/text.h"
#include "names/catalogue.h"
#include "names/index.h"
#include "metrics/metrics.h"
#include "names/pattern.h"

enum { MAX_NAME = 128 };

const struct uncoremsr_event *uncoremsr_metric(struct uncoremsr *um, const char *uarch, size_t index)
{
	struct um_lookup l = { .metrics = UM_METRICS_ONLY };
	const struct um_index *all;

	if (!um)
		return NULL;
	l.names = um->names;
	l.uarch = uarch ? um_uarch_find(uarch) : NULL;
	if (um_metrics_read(l.names->lists, &um->error))
		return NULL;
	all = um_index_of(&l);
	return um_event_shown(all && index < all->num ? all->rows[index] : NULL);
}

/* Is the metric part of "default", the set that gives an overview of a machine? */
static bool is_default(const struct um_metric *m)
{
	static const char names[][24] = {
		"memory-bandwidth", "llc-miss-ratio", "interconnect-bandwidth", "io-read-bandwidth",
		"io-write-bandwidth", "uncore-frequency", "cpu-frequency", "ipc", "package-power",
		"dram-power",
	};

	for (size_t i = 0; m->ours && i < ARRAY_SIZE(names); i++)
		if (strcmp(m->base.pub.name, names[i]) == 0)
			return true;
	return false;
}

bool um_metrics_several(const char *text, size_t len)
{
	return um_event_is_pattern(text, len) || um_is_word(text, len, UM_METRICS_DEFAULT);
}

struct wanted {
	const char *text;
	size_t len;
	bool several, set;
	struct um_pattern pattern;
};

static bool is_wanted(struct wanted *w, const struct um_metric *m)
{
	if (w->set)
		return is_default(m);
	if (w->several)
		return um_pattern_matches(&w->pattern, m->base.pub.name);
	return !strncasecmp(m->base.pub.name, w->text, w->len) && !m->base.pub.name[w->len];
}

/* The metric of our tables for this processor; NULL: none. */
static const struct um_metric *metric_on(struct um_names *n, struct wanted *w, const char *uarch)
{
	const struct um_metric *m;

	for (size_t i = 0; (m = um_metric_of_tables(n, i)); i++)
		if (is_wanted(w, m) && um_metric_is_on(m, uarch))
			return m;
	return NULL;
}

/* Find a processor that has the metric; *m becomes its metric. */
static const char *elsewhere(struct um_names *n, struct wanted *w, const struct um_metric **m)
{
	for (size_t k = 0; *um_metric_processors[k]; k++)
		if ((*m = metric_on(n, w, um_metric_processors[k])))
			return um_metric_processors[k];
	return NULL;
}

const struct um_metric *um_metric_elsewhere(struct um_names *n, const char *name, size_t len)
{
	struct wanted w = { .text = name, .len = len };
	const struct um_metric *m = NULL;

	return elsewhere(n, &w, &m) ? m : NULL;
}

/* On a processor without tables, name the few metrics that every processor has. */
static void hint_at_others(const struct um_lookup *l, struct um_error *e)
{
	const struct um_metric *m;
	char names[UM_MESSAGE_LIST_SIZE] = "";

	for (size_t i = 0; (m = um_metric_of_tables(l->names, i)); i++)
		if (m->ours->on == UM_EVERY_PROCESSOR)
			um_list_add(names, sizeof(names), "%s", m->base.pub.name);
	if (l->uarch)
		um_hint(e, "uncore-events list --metrics shows the metrics of this machine");
	else
		um_hint(e, "these metrics exist on every processor: %s", names);
}

/* Is the metric defined for this processor, but unusable because this machine does not reach the registers? */
static bool is_out_of_reach(const struct um_lookup *l, const struct um_machine *of, struct wanted *w)
{
	return !of->uarch && of->model && of->model->uarch && metric_on(l->names, w, of->model->uarch->name);
}

static const char *here_of(const struct um_lookup *l)
{
	return um_lookup_uarch(l) ?: "this processor";
}

static int not_found(const struct um_lookup *l, const struct um_machine *of, struct wanted *w, struct um_error *e)
{
	const struct um_metric *theirs;
	const char *other = elsewhere(l->names, w, &theirs);
	const char *here = here_of(l);
	char names[UM_MESSAGE_LIST_SIZE], why[UM_MESSAGE_SIZE];

	if (is_out_of_reach(l, of, w) && um_machine_unsupported(of, why, sizeof(why)))
		return um_fail(e, -ENOTSUP, UNCOREMSR_ERROR_UNSUPPORTED, "metric '%.*s': %s", (int)w->len, w->text, why);
	if (other) {
		um_fail(e, -ENOTSUP, UNCOREMSR_ERROR_UNSUPPORTED,
			"metric '%.*s': %s has no events for this metric, but %s has", (int)w->len, w->text, here,
			other);
		hint_at_others(l, e);
		return -ENOTSUP;
	}
	um_near_names(l, w->text, w->len, names, sizeof(names));
	um_fail(e, -ENOENT, UNCOREMSR_ERROR_USAGE, "metric '%.*s': no metric of that name on %s", (int)w->len, w->text,
		here);
	if (names[0])
		um_hint(e, "did you mean %s?", names);
	else
		um_hint(e, "uncoremsr-metrics(7) lists them");
	return -ENOENT;
}

int um_metrics_find(const struct um_lookup *l, const struct um_machine *of, const char *name, size_t len,
		    int (*fn)(void *user, const struct um_metric *m), void *user, struct um_error *e)
{
	struct wanted w = { .text = name, .len = len, .several = um_metrics_several(name, len),
			    .set = um_is_word(name, len, UM_METRICS_DEFAULT) };
	const struct um_metric **found = NULL;
	const struct um_index *index;
	size_t num = 0;
	int err = um_metrics_read(l->names->lists, e);

	if (!err && len >= MAX_NAME)
		err = UM_USAGE(e, "metric '%.*s...': longer than any name", MAX_NAME - 1, name);
	if (!err && w.several && !w.set)
		err = um_pattern_compile(&w.pattern, "metric", name, len, false, e);
	if (err)
		return err;
	/* Find all metrics before the first call of @fn, which may read the kernel's names and so rebuild the index. */
	index = um_index_of(l);
	err = index ? 0 : um_no_memory(e);
	for (size_t i = 0; !err && i < index->num; i++) {
		const struct um_metric *m = (const struct um_metric *)index->rows[i];

		if (is_wanted(&w, m) && ARRAY_APPEND(found, num, m))
			err = um_no_memory(e);
	}
	if (!err && num && w.several && !w.set)
		err = um_pattern_check(&w.pattern, here_of(l), e);
	for (size_t i = 0; i < num && !err; i++)
		err = fn(user, found[i]);
	free(found);
	return err ? err : num ? (int)num : not_found(l, of, &w, e);
}
