/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Metrics by name. */
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

#include "events/metrics.h"
#include "events/names.h"

enum { MAX_NAME = 48 };

/* The bit of a processor in the rows. */
static const struct {
	const char *uarch;
	unsigned bit;
} processors[] = { { "nehalem", 1 }, { "westmere", 2 } };

bool um_metric_is_on(const struct uncoremsr_metric *m, const char *uarch)
{
	for (size_t i = 0; i < ARRAY_SIZE(processors); i++)
		if (strcmp(processors[i].uarch, uarch) == 0)
			return m->on & processors[i].bit;
	return false;
}

const struct uncoremsr_metric *uncoremsr_metric(const char *uarch, size_t index)
{
	for (size_t i = 0; uarch && i < um_num_metrics; i++)
		if (um_metric_is_on(&um_metrics[i], uarch) && !index--)
			return &um_metrics[i];
	return NULL;
}

static bool matches(const struct uncoremsr_metric *m, const char *pattern)
{
	return fnmatch(pattern, m->name, FNM_CASEFOLD) == 0;
}

/* Another processor that has what is not there on this one. */
static const char *elsewhere(const char *pattern)
{
	for (size_t k = 0; k < ARRAY_SIZE(processors); k++)
		for (size_t i = 0; i < um_num_metrics; i++)
			if (um_metric_is_on(&um_metrics[i], processors[k].uarch) &&
			    matches(&um_metrics[i], pattern))
				return processors[k].uarch;
	return NULL;
}

static unsigned errors(const char *name, const struct uncoremsr_metric *m, unsigned limit)
{
	unsigned n;

	if (strlen(name) >= 3 && strstr(m->name, name))
		return 1;
	n = um_name_distance(name, strlen(name), m->name, strlen(m->name), limit);
	return n <= limit ? n : limit + 1;
}

/* The likeliest first, "a, b or c". */
static void near(const char *uarch, const char *name, char *buf, size_t size)
{
	const struct uncoremsr_metric *m;
	unsigned limit = (unsigned)strlen(name) / 4, told = 0;
	size_t at = 0;

	buf[0] = '\0';
	for (unsigned n = 0; n <= limit && told < UM_NEAR; n++)
		for (size_t i = 0; (m = uncoremsr_metric(uarch, i)) && told < UM_NEAR; i++)
			if (errors(name, m, limit) == n)
				at += (size_t)snprintf(buf + at, size - at, "%s%s",
						       told++ ? " or " : "", m->name);
}

static int not_found(const char *uarch, const char *text, struct um_error *e)
{
	const char *other = elsewhere(text);
	char names[UM_NEAR * (MAX_NAME + 4)];

	if (!uncoremsr_metric(uarch, 0)) {
		um_fail(e, -ENOTSUP, UNCOREMSR_ERROR_UNSUPPORTED,
			"metric '%s': no metrics are defined for %s", text, uarch);
		um_hint(e, "its events can be counted one by one");
		return -ENOTSUP;
	}
	if (other) {
		um_fail(e, -ENOENT, UNCOREMSR_ERROR_USAGE,
			"metric '%s': not defined for %s; %s has it", text, uarch, other);
		um_hint(e, "the events it is made of are not documented for %s", uarch);
		return -ENOENT;
	}
	near(uarch, text, names, sizeof(names));
	um_fail(e, -ENOENT, UNCOREMSR_ERROR_USAGE, "metric '%s': no metric of that name on %s", text,
		uarch);
	if (names[0])
		um_hint(e, "did you mean %s?", names);
	else
		um_hint(e, "uncoremsr-metrics(7) lists them");
	return -ENOENT;
}

int um_metrics_find(const char *uarch, const char *text, size_t len,
		    int (*fn)(void *user, const struct uncoremsr_metric *m), void *user,
		    struct um_error *e)
{
	const struct uncoremsr_metric *m;
	char name[MAX_NAME];
	int num = 0, err = 0;

	if (len >= sizeof(name))
		return um_fail(e, -EINVAL, UNCOREMSR_ERROR_USAGE,
			       "metric '%.*s...': longer than any name", MAX_NAME - 1, text);
	memcpy(name, text, len);
	name[len] = '\0';
	for (size_t i = 0; !err && (m = uncoremsr_metric(uarch, i)); i++) {
		if (!matches(m, name))
			continue;
		num++;
		err = fn(user, m);
	}
	return err ? err : num ? num : not_found(uarch, name, e);
}

const char *uncoremsr_metric_text(const struct uncoremsr_metric *m,
				  enum uncoremsr_metric_property p)
{
	const char *const texts[] = {
		[UNCOREMSR_METRIC_NAME] = m ? m->name : NULL,
		[UNCOREMSR_METRIC_TITLE] = m ? m->title : NULL,
		[UNCOREMSR_METRIC_MEASURE] = m ? m->unit : NULL,
		[UNCOREMSR_METRIC_FORMULA] = m ? m->formula : NULL,
		[UNCOREMSR_METRIC_NOTE] = m ? m->note : NULL,
		[UNCOREMSR_METRIC_SOURCES] = m ? m->sources : NULL,
	};

	return (unsigned)p < ARRAY_SIZE(texts) ? texts[p] : NULL;
}

int uncoremsr_metric_bounds(const struct uncoremsr_metric *m, double *low, double *high)
{
	if (!m || !low || !high)
		return -EINVAL;
	*low = m->low;
	*high = m->high;
	return 0;
}
