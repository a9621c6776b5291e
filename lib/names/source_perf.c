/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * perf's names for events of every processor (Linux include/uapi/linux/perf_event.h,
 * tools/perf/util/parse-events.l). Case matters, as in perf.
 */
#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>

#include "common/text.h"
#include "names/source.h"
#include "names/synonyms.h"

/* Remove "-WORD" from the start of the text. If several words match, the longest is removed. */
static void take_word(const char **text, size_t *len, enum um_synonyms list, unsigned *value)
{
	size_t best = 0;

	if (!*len || **text != '-')
		return;
	UM_EACH_SYNONYM(w, list) {
		size_t n = strlen(w->theirs);

		if (n <= best || n > *len - 1 || memcmp(*text + 1, w->theirs, n) ||
		    (n + 1 < *len && (*text)[n + 1] != '-'))
			continue;
		best = n;
		*value = w->value;
	}
	if (best) {
		*text += best + 1;
		*len -= best + 1;
	}
}

/* Parse the name of a cache, followed by "-loads", "-load-misses", "-misses" or nothing. */
static bool cache_event(const char *name, size_t len, uint32_t *config)
{
	UM_EACH_SYNONYM(cache, UM_PERF_CACHE) {
		size_t n = strlen(cache->theirs), left;
		const char *rest;
		unsigned op = 0, result = 0;

		if (n > len || memcmp(name, cache->theirs, n))
			continue;
		left = len - n;
		rest = name + n;
		take_word(&rest, &left, UM_PERF_OPERATION, &op);
		take_word(&rest, &left, UM_PERF_RESULT, &result);
		*config = (cache->value & 0xff) | op << 8 | result << 16;
		if (!left && cache->value >> 8 >> op & 1)
			return true;
	}
	return false;
}

static uint32_t type_of(const struct um_synonym *name)
{
	return !strcmp(name->ours, "cache") ? PERF_TYPE_HW_CACHE
	       : !strcmp(name->ours, "software") ? PERF_TYPE_SOFTWARE : PERF_TYPE_HARDWARE;
}

static const struct um_synonym *perf_name(const char *text, size_t len)
{
	uint32_t config;

	UM_EACH_SYNONYM(w, UM_PERF_NAME)
		if (um_is_exactly(text, len, w->theirs))
			return w;
	if (!cache_event(text, len, &config))
		return NULL;
	UM_EACH_SYNONYM(w, UM_PERF_NAME)
		if (type_of(w) == PERF_TYPE_HW_CACHE && w->value == config)
			return w;
	return NULL;
}

static void fill(void *records, const void *of)
{
	struct um_name *ev = records;

	(void)of;
	UM_EACH_SYNONYM(w, UM_PERF_NAME) {
		um_name_make(ev, UM_FROM_PERF, w->theirs);
		ev++->pub.pmu = type_of(w) == PERF_TYPE_SOFTWARE ? "software" : "cpu";
	}
}

/* The records of perf's names, in the order of um_synonyms; NULL: out of memory. */
static const struct um_name *events_of(struct um_names *n)
{
	const struct um_synonym_list *all = &um_synonyms[UM_PERF_NAME];

	return um_records(n, all->rows, all->num, sizeof(struct um_name), fill, NULL);
}

static int each(const struct um_lookup *l, int (*fn)(void *user, const struct uncoremsr_event *ev), void *user)
{
	const struct um_name *events = l->machine ? events_of(l->names) : NULL;
	int err = l->machine && !events ? -ENOMEM : 0;

	for (size_t i = 0; events && i < um_synonyms[UM_PERF_NAME].num && !err; i++)
		err = fn(user, &events[i].pub);
	return err;
}

static const struct uncoremsr_event *find(const struct um_lookup *l, const char *text, size_t len)
{
	const struct um_synonym *found = l->machine ? perf_name(text, len) : NULL;
	const struct um_name *events = found ? events_of(l->names) : NULL;

	return events ? &events[found - um_synonyms[UM_PERF_NAME].rows].pub : NULL;
}

bool um_perf_name_find(const char *name, size_t len, struct um_perf_code *code)
{
	const struct um_synonym *found = perf_name(name, len);

	if (!found)
		return false;
	*code = (struct um_perf_code){ .type = type_of(found), .config = found->value, .scale = 1 };
	if (code->type == PERF_TYPE_SOFTWARE &&
	    (code->config == PERF_COUNT_SW_CPU_CLOCK || code->config == PERF_COUNT_SW_TASK_CLOCK)) {
		code->scale = 1e-9;
		code->measure = "s";
	}
	return true;
}

const struct um_name_source um_perf_source = { each, find, NULL };
