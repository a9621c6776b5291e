/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "common/number.h"
#include "names/scanner.h"

struct scan {
	struct um_written *out;
	struct um_error *e;
};

static int bad(struct scan *s, const char *what, const char *at, size_t len)
{
	UM_USAGE(s->e, "event '%.*s': %s", (int)len, at, what);
	return um_advise(s->e, -EINVAL, "write a name, or PMU/term=value,.../; see uncoremsr-events(7)");
}

const char *um_event_end(const char *text)
{
	bool inside = false, bracket = false;

	for (; *text; text++) {
		if (*text == '[' || *text == ']')
			bracket = *text == '[';
		else if (*text == '/')
			inside = !inside;
		else if (!inside && !bracket && strchr(",{}", *text))
			break;
	}
	return text;
}

static void trim(const char **from, const char **to)
{
	while (*from < *to && isspace((unsigned char)**from))
		++*from;
	while (*to > *from && isspace((unsigned char)(*to)[-1]))
		--*to;
}

static struct um_event_term split(const char *from, const char *to)
{
	const char *eq, *name_end;
	struct um_event_term t;

	trim(&from, &to);
	eq = name_end = memchr(from, '=', (size_t)(to - from));
	t = (struct um_event_term){ .name = from, .end = to };
	if (eq) {
		t.value = ++eq;
		trim(&t.value, &to);
		t.value_len = (size_t)(to - t.value);
		to = name_end;
		trim(&from, &to);
	}
	t.name_len = (size_t)(to - from);
	return t;
}

bool um_next_term(const char **at, const char *end, char separator, struct um_event_term *t)
{
	const char *stop = *at;
	bool bracket = false;

	if (!stop)
		return false;
	for (; stop < end && (bracket || *stop != separator); stop++)
		if (*stop == '[' || *stop == ']')
			bracket = separator == ',' && *stop == '[';
	*t = split(*at, stop);
	*at = stop < end ? stop + 1 : NULL;
	return true;
}

/* Remove "name=TEXT" from the terms, because it only changes the name that is shown. */
static bool take_shown(struct um_event *ev, const struct um_event_term *t)
{
	if (!t->value_len || t->name_len != 4 || memcmp(t->name, "name", 4) != 0)
		return false;
	ev->shown = t->value;
	ev->shown_len = t->value_len;
	if (t->value_len > 2 && *t->value == '\'' && t->value[t->value_len - 1] == '\'') {
		ev->shown++;
		ev->shown_len -= 2;
	}
	return true;
}

/* Split terms between slashes at commas, and other parts at colons. */
static int take_apart(struct scan *s, struct um_event *ev)
{
	const char *end = ev->text + strlen(ev->text), *slash = strchr(ev->text, '/');
	const char *close = slash ? strchr(slash + 1, '/') : NULL;
	struct um_event_term t;

	if (slash && !close)
		return bad(s, "no closing slash", ev->text, (size_t)(end - ev->text));
	if (close) {
		ev->pmu = ev->text;
		ev->pmu_len = (size_t)(slash - ev->text);
		ev->terms_end = close;
	}
	for (const char *at = close && close > slash + 1 ? slash + 1 : NULL;
	     close && um_next_term(&at, close, ',', &t);)
		if (!take_shown(ev, &t) && ARRAY_APPEND(ev->terms, ev->num_terms, t))
			return um_no_memory(s->e);
	for (const char *at = close ? close + 1 : ev->text; um_next_term(&at, end, ':', &t);)
		if (ARRAY_APPEND(ev->parts, ev->num_parts, t))
			return um_no_memory(s->e);
	return 0;
}

static int scan_event(struct scan *s, const char *from, const char *to, unsigned group, bool braces)
{
	struct um_event *ev;

	trim(&from, &to);
	if (from == to)
		return bad(s, "an event is missing", "", 0);
	if (s->out->num >= UM_MAX_EVENTS)
		return bad(s, "too many events", from, (size_t)(to - from));
	if (ARRAY_APPEND(s->out->events, s->out->num, (struct um_event){
			.group = group, .braces = braces, .text = strndup(from, (size_t)(to - from)) }))
		return um_no_memory(s->e);
	ev = &s->out->events[s->out->num - 1];
	return ev->text ? take_apart(s, ev) : um_no_memory(s->e);
}

static int scan_group_mods(struct scan *s, const char **at, size_t first)
{
	const char *end = um_event_end(*at);

	for (size_t i = first; i < s->out->num; i++) {
		s->out->events[i].group_mods = strndup(*at + 1, (size_t)(end - *at - 1));
		if (!s->out->events[i].group_mods)
			return um_no_memory(s->e);
	}
	*at = end;
	return 0;
}

static int scan_group(struct scan *s, const char **at, unsigned group)
{
	bool braces = **at == '{';
	size_t first = s->out->num;

	for (*at += braces;; ++*at) {
		const char *from = *at;
		int err;

		*at = um_event_end(from);
		err = scan_event(s, from, *at, group, braces);
		if (err || !braces)
			return err;
		if (**at == '}')
			break;
		if (**at != ',')
			return bad(s, "no closing brace of the group", from, strlen(from));
	}
	++*at;
	return **at == ':' ? scan_group_mods(s, at, first) : 0;
}

int um_scan_events(struct um_written *out, const char *text, struct um_error *e)
{
	struct scan s = { .out = out, .e = e };
	const char *at = text;
	int err = 0;

	*out = (struct um_written){ .num = 0 };
	for (unsigned group = 0; !err; group++, at++) {
		at += strspn(at, " \t\n");
		err = scan_group(&s, &at, group);
		at += err ? 0 : strspn(at, " \t\n");
		if (!err && !*at)
			return 0;
		if (!err && *at != ',')
			err = bad(&s, "unexpected text", at, strlen(at));
	}
	um_written_free(out);
	return err;
}

void um_written_free(struct um_written *w)
{
	for (size_t i = 0; i < w->num; i++) {
		free(w->events[i].text);
		free(w->events[i].terms);
		free(w->events[i].parts);
		free(w->events[i].group_mods);
	}
	free(w->events);
	*w = (struct um_written){ .num = 0 };
}

bool um_terms_value(const char *terms, const char *name, uint64_t *v)
{
	size_t len = strlen(name);

	for (const char *at = terms; at; at = strchr(at, ',')) {
		at += *at == ',';
		if (strncmp(at, name, len) == 0 && at[len] == '=')
			return um_perf_number(at + len + 1, strcspn(at + len + 1, ","), v);
	}
	return false;
}
