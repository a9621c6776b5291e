/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Replace patterns by the matching names of all sources, before the text is encoded. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/text.h"
#include "names/catalogue.h"
#include "names/index.h"
#include "names/names.h"
#include "names/scanner.h"

struct expansion {
	FILE *to;
	struct um_lookup lookup;
	struct um_event_pmus pmus;
	int num;                       /* events written in place of patterns */
	struct um_error *e;
};

/* May a pattern without a PMU match the event? Not if it is a core event, or kept only for compatibility. */
static bool is_for_patterns(const struct um_lookup *l, const struct uncoremsr_event *ev)
{
	enum um_from from = um_event_from(ev);

	if (from == UM_FROM_TABLE)
		return l->uarch != &um_core_registers;
	if (from == UM_FROM_PERF || um_event_shown(ev)->hidden > 0)
		return false;
	if (from == UM_FROM_LIST)
		return ev->pmu && !um_starts_with(ev->pmu, "cpu") && ev->deprecated <= 0;
	return ev->uncore > 0;
}

/* May a pattern with PMU @on match the event? Only if it is an event or fixed counter of the tables. */
static bool is_on(const struct um_pmu *on, const struct uncoremsr_event *ev)
{
	enum um_from from = um_event_from(ev);

	return (from == UM_FROM_TABLE || from == UM_FROM_FIXED) && !strcmp(ev->pmu, on->name);
}

/*
 * Write the event @text once for each name that matches the pattern from @at to @stop; @on is the PMU in front of the
 * pattern. If it is NULL, events of other sources are used only if none of the tables matches. Returns how many events
 * were written; or a negative errno.
 */
static int put_events(struct expansion *x, const struct um_pmu *on, const char *text, const char *at, const char *stop,
		      const char *end)
{
	struct um_lookup l = x->lookup;
	const struct uncoremsr_event **found;
	int num = 0, all;
	bool tables;

	if (on && um_pmu_is_core(on))
		l.uarch = &um_core_registers;
	all = um_index_match(&l, at, (size_t)(stop - at), &found, x->e);
	/* Brackets may be a part of a list's name; such a text is no pattern. */
	if (all < 0 && um_name_find(&l, at, (size_t)(stop - at)))
		return 0;
	tables = all > 0 && um_event_from(*found) == UM_FROM_TABLE;
	for (int i = 0; i < all; i++) {
		const struct uncoremsr_event *ev = um_event_shown(found[i]);
		const char *name = um_row_text(ev), *inside = strchr(name, '/') ? strchr(name, '/') + 1 : name;

		if (on ? !is_on(on, ev) : !is_for_patterns(&l, ev) || (tables && um_event_from(ev) != UM_FROM_TABLE))
			continue;
		fputs(num++ ? "," : "", x->to);
		if (on)
			fprintf(x->to, "%.*s%.*s", (int)(at - text), text, (int)strcspn(inside, "/"), inside);
		else if (um_event_from(ev) == UM_FROM_TABLE)
			fprintf(x->to, "%s/%s/", ev->pmu, name);
		else
			fputs(name, x->to);
		fwrite(stop, 1, (size_t)(end - stop), x->to);
	}
	free(found);
	x->num += num;
	if (x->num > UM_MAX_EVENTS) {
		UM_USAGE(x->e, "event '%.*s': too many events", (int)(end - text), text);
		return um_advise(x->e, -EINVAL, "write patterns that match fewer names");
	}
	return all < 0 ? all : num;
}

/*
 * Write an event. A colon may be part of a name or precede a modifier, so the pattern is first the whole text, then the
 * text without its last part, and so on. After a PMU, only the first term can be a pattern.
 */
static int put_event(struct expansion *x, const char *text, const char *end)
{
	const char *slash = memchr(text, '/', (size_t)(end - text)), *at = slash ? slash + 1 : text, *stop = end;
	const struct um_pmu *on = NULL;
	struct um_event_term first;
	int unit, num = 0;

	if (slash) {
		const char *next = at;

		on = um_event_pmu_named(&x->pmus, text, (size_t)(slash - text), &unit);
		um_next_term(&next, memchr(at, '/', (size_t)(end - at)) ?: end, ',', &first);
		stop = on && on->reach == UM_REACH_MSR ? first.end : at;
	}
	while (!num && stop > at) {
		if (um_event_is_pattern(at, (size_t)(stop - at)))
			num = put_events(x, on, text, at, stop, end);
		while (stop > at && *--stop != ':')
			;
	}
	if (!num)
		fwrite(text, 1, (size_t)(end - text), x->to);
	return num < 0 ? num : 0;
}

int um_names_expand(struct uncoremsr *um, const char *uarch, const char *text, char **out)
{
	struct um_error before = um->error;
	struct expansion x = { .e = &um->error };
	size_t len;
	int err = 0;

	*out = NULL;
	if (!um_event_is_pattern(text, strlen(text)))
		return 0;
	if (um_lookup_of(um, uarch, &x.lookup) || !(x.to = open_memstream(out, &len)))
		return um_no_memory(&um->error);
	if (um_pmus_of(um, uarch, &x.pmus))
		x.pmus.num = 0;
	while (*text && !err) {
		const char *start = text + strspn(text, ",{} \t\n"), *end = um_event_end(start);

		fwrite(text, 1, (size_t)(start - text), x.to);
		err = put_event(&x, start, end);
		text = end;
	}
	if (fclose(x.to) && !err)
		err = um_no_memory(&um->error);
	if (err) {
		FREE_AND_NULL(*out);
		return err;
	}
	um_fail_as(&um->error, &before);
	return 0;
}
