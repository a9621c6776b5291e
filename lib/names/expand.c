/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Replace patterns by the matching names of lists, catalogs and the kernel, before any route reads the text. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/text.h"
#include "names/catalogue.h"
#include "names/index.h"
#include "names/pattern.h"
#include "names/scanner.h"

struct expansion {
	FILE *to;
	const struct um_lookup *lookup;
	struct um_error *e;
};

/* Does the pattern match in a table of the processor? Then the encoders expand it, with each event on its PMU. */
static bool is_of_tables(const struct um_lookup *l, const char *text, size_t len)
{
	const struct um_event_table *t = NULL;
	struct um_error ignored;

	while ((t = um_event_table_next(um_lookup_uarch(l), t)))
		if (um_event_expand(t, text, len, NULL, NULL, &ignored))
			return true;
	return false;
}

/* May a pattern stand for the event? Not for core events, and not for names that are only kept for compatibility. */
static bool is_for_patterns(const struct uncoremsr_event *ev)
{
	enum um_from from = um_event_from(ev);

	if (from == UM_FROM_TABLE || from == UM_FROM_PERF || um_event_shown(ev)->hidden > 0)
		return false;
	if (from == UM_FROM_LIST)
		return ev->pmu && !um_starts_with(ev->pmu, "cpu") && ev->deprecated <= 0;
	return ev->uncore > 0;
}

/*
 * Write each event that matches the pattern (the first @len bytes of @text), followed by the rest of the text. Returns
 * how many; or a negative errno.
 */
static int put_events(struct expansion *x, const char *text, size_t len, const char *end)
{
	const struct um_index *index = um_index_of(x->lookup);
	struct um_pattern pattern;
	int num = 0, err;

	if (!index)
		return um_no_memory(x->e);
	if (is_of_tables(x->lookup, text, len))
		return 0;
	err = um_pattern_compile(&pattern, "event", text, len, false, x->e);
	if (err)
		return err;
	for (size_t i = 0; i < index->num; i++) {
		const struct uncoremsr_event *ev = index->rows[i];

		if (um_pattern_matches(&pattern, ev->name) && is_for_patterns(ev))
			fprintf(x->to, "%s%s%.*s", num++ ? "," : "", um_row_text(ev), (int)(end - text - (ptrdiff_t)len),
				text + len);
	}
	return num ? um_pattern_check(&pattern, um_lookup_uarch(x->lookup) ?: "this machine", x->e) ?: num : 0;
}

/*
 * Write an event. A colon may be part of a name or precede a modifier. So try the whole text as a pattern first, then
 * the text without its last part, and so on.
 */
static int put_event(struct expansion *x, const char *text, const char *end)
{
	int num = 0;

	for (const char *at = end; !num && at > text && !memchr(text, '/', (size_t)(end - text));) {
		if (um_event_is_pattern(text, (size_t)(at - text)))
			num = put_events(x, text, (size_t)(at - text), end);
		while (at > text && *--at != ':')
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
	struct um_lookup l;
	size_t len;
	int err = 0;

	*out = NULL;
	if (!um_event_is_pattern(text, strlen(text)))
		return 0;
	if (um_lookup_of(um, uarch, &l) || !(x.to = open_memstream(out, &len)))
		return um_no_memory(&um->error);
	x.lookup = &l;
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
