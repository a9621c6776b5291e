/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* From text to events: a scanner that walks the text once; the grammar stands in event.h. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "events/names.h"
#include "events/scan.h"

/* More than anybody counts, and few enough for a text that was made to cost memory. */
enum { MAX_EVENTS = 4096 };

int um_scan_bad(struct um_scan *s, const char *what, const char *at, size_t len)
{
	um_fail(s->e, -EINVAL, UNCOREMSR_ERROR_USAGE, "event '%s': %s '%.*s'", s->text, what,
		(int)(len > 40 ? 40 : len), at);
	um_hint(s->e, "write EVENT:UMASK such as 0x82:0x1, or see uncoremsr-events(7)");
	return -EINVAL;
}

/* A whole number, decimal or 0x hexadecimal, that fills the text of length @len exactly. */
static int number(struct um_scan *s, const char *text, size_t len, uint64_t *value)
{
	bool hex = len > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
	uint64_t base = hex ? 16 : 10, v = 0;
	size_t i = hex ? 2 : 0;

	if (!len)
		return um_scan_bad(s, "a number is missing in", s->text, strlen(s->text));
	for (; i < len; i++) {
		unsigned char c = (unsigned char)text[i];
		uint64_t digit = isdigit(c) ? c - (uint64_t)'0'
				 : hex && isxdigit(c) ? (uint64_t)(tolower(c) - 'a' + 10) : base;

		if (digit >= base)
			return um_scan_bad(s, "not a number:", text, len);
		if (v > (UINT64_MAX - digit) / base)
			return um_scan_bad(s, "number too large:", text, len);
		v = v * base + digit;
	}
	*value = v;
	return 0;
}

static bool is(const char *text, size_t len, const char *word)
{
	return strlen(word) == len && !strncasecmp(text, word, len);
}

/* One of several spellings of "KEY=NUMBER": *value points behind the sign. */
static bool has_key(const char *text, size_t len, const char *const *keys, const char **value)
{
	const char *eq = memchr(text, '=', len);

	for (; eq && *keys; keys++)
		if (is(text, (size_t)(eq - text), *keys)) {
			*value = eq + 1;
			return true;
		}
	return false;
}

static bool is_flag(const char *text, size_t len, struct um_event_spec *spec)
{
	bool edge = is(text, len, "edge") || is(text, len, "e");
	bool invert = is(text, len, "inv") || is(text, len, "invert") || is(text, len, "i");

	spec->edge |= edge;
	spec->invert |= invert;
	return edge || invert;
}

/* Words that mean the same as a term inside pmu/.../ and as a modifier behind a colon. */
static int modifier(struct um_scan *s, const char *text, size_t len, struct um_event_spec *spec)
{
	static const char *const cmask[] = { "cmask", "c", "t", NULL };
	const char *value;

	if (is_flag(text, len, spec))
		return 0;
	if (has_key(text, len, cmask, &value))
		return number(s, value, (size_t)(text + len - value), &spec->cmask);
	return um_scan_bad(s, "unknown modifier", text, len);
}

static int term(struct um_scan *s, const char *text, size_t len, struct um_event_spec *spec)
{
	static const char *const event[] = { "event", NULL }, *const umask[] = { "umask", NULL };
	static const char *const raw[] = { "raw", "config", NULL };
	const char *value;

	if (has_key(text, len, event, &value))
		return number(s, value, (size_t)(text + len - value), &spec->event);
	if (has_key(text, len, umask, &value))
		return number(s, value, (size_t)(text + len - value), &spec->umask);
	if (has_key(text, len, raw, &value)) {
		spec->raw = true;
		return number(s, value, (size_t)(text + len - value), &spec->word);
	}
	if (is(text, len, "edge=1") || is(text, len, "inv=1"))
		len -= 2;
	return modifier(s, text, len, spec);
}

static int terms(struct um_scan *s, const char *text, size_t len, struct um_event_spec *spec)
{
	const char *end = text + len;

	while (text <= end) {
		const char *comma = memchr(text, ',', (size_t)(end - text));
		const char *stop = comma ? comma : end;
		int err = term(s, text, (size_t)(stop - text), spec);

		if (err)
			return err;
		text = stop + 1;
	}
	return 0;
}

int um_scan_modifiers(struct um_scan *s, const char *text, const char *end,
		      struct um_event_spec *spec)
{
	static const char *const raw[] = { "raw", NULL };

	while (text < end) {
		const char *from = text + 1; /* behind the colon */
		const char *colon = memchr(from, ':', (size_t)(end - from)), *value;
		const char *stop = colon ? colon : end;
		size_t len = (size_t)(stop - from);
		int err = has_key(from, len, raw, &value)
				  ? number(s, value, (size_t)(stop - value), &spec->more)
				  : modifier(s, from, len, spec);

		if (err)
			return err;
		text = stop;
	}
	return 0;
}

static const struct uncoremsr_pmu *find_pmu(struct um_scan *s, const char *name, size_t len)
{
	const struct um_uarch *u = s->uarch;

	for (size_t i = 0; i < u->num_pmus; i++)
		if (is(name, len, u->pmus[i].name))
			return &u->pmus[i];
	um_fail(s->e, -EINVAL, UNCOREMSR_ERROR_USAGE, "event '%s': this machine has no PMU '%.*s'",
		s->text, (int)(len > 40 ? 40 : len), name);
	um_hint(s->e, "its PMU is '%s'", u->pmus[0].name);
	return NULL;
}

static int add_encoded(struct um_scan *s, const struct uncoremsr_pmu *pmu,
		       struct um_event_spec *spec)
{
	struct um_event ev = { .counter = -1 };
	int err;

	spec->table = um_event_table_of(s->uarch, pmu);
	err = um_event_encode(&ev, pmu, spec, s->text, s->e);
	return err ? err : um_scan_add(s, &ev);
}

/* Between the slashes: a name as perf lists them, not terms? */
static bool is_lone_name(const char *text, size_t len)
{
	struct um_event_spec ignored = { 0 };

	if (!len || memchr(text, '=', len))
		return false;
	if (um_event_is_pattern(text, len))
		return true;
	return !memchr(text, ',', len) && !is_flag(text, len, &ignored);
}

static int scan_terms(struct um_scan *s, const struct uncoremsr_pmu *pmu, const char *text,
		      const char *close, const char *end)
{
	struct um_event_spec spec = { 0 };
	size_t len = (size_t)(close - text);
	int err = terms(s, text, len, &spec);

	if (!err)
		err = um_scan_modifiers(s, close + 1, end, &spec);
	if (!err && spec.raw && (spec.event || spec.umask))
		return um_scan_bad(s, "raw goes with neither event nor umask:", text, len);
	return err ? err : add_encoded(s, pmu, &spec);
}

/* pmu/term,.../:modifier... or pmu/name/:modifier... */
static int scan_pmu(struct um_scan *s, const char *text, const char *slash, const char *end)
{
	const struct uncoremsr_pmu *pmu = find_pmu(s, text, (size_t)(slash - text));
	const char *close = memchr(slash + 1, '/', (size_t)(end - slash - 1));

	if (!pmu)
		return -EINVAL;
	if (!close)
		return um_scan_bad(s, "no closing slash in", text, (size_t)(end - text));
	if (close + 1 < end && close[1] != ':')
		return um_scan_bad(s, "unexpected text", close + 1, (size_t)(end - close - 1));
	if (is_lone_name(slash + 1, (size_t)(close - slash - 1)))
		return um_scan_name_in(s, pmu, slash + 1, close, close + 1, end);
	return scan_terms(s, pmu, slash + 1, close, end);
}

/* EVENT:UMASK or a selector word, then modifiers. */
static int scan_raw(struct um_scan *s, const char *text, const char *end)
{
	const char *colon = memchr(text, ':', (size_t)(end - text));
	const char *head_end = colon ? colon : end;
	struct um_event_spec spec = { .raw = true };
	int err;

	if (colon && colon + 1 < end && isdigit((unsigned char)colon[1])) {
		const char *from = colon + 1;
		const char *stop = memchr(from, ':', (size_t)(end - from));

		colon = stop ? stop : end;
		spec.raw = false;
		err = number(s, text, (size_t)(head_end - text), &spec.event);
		if (!err)
			err = number(s, from, (size_t)(colon - from), &spec.umask);
	} else {
		err = number(s, text, (size_t)(head_end - text), &spec.word);
	}
	if (!err && colon)
		err = um_scan_modifiers(s, colon, end, &spec);
	return err ? err : add_encoded(s, &s->uarch->pmus[0], &spec);
}

/* Room for one more: twice as much each time, because "*,*,*" makes thousands of events. */
static int make_room(struct um_event_list *list)
{
	size_t room = list->room ? 2 * list->room : 8;
	struct um_event *events;

	if (list->num < list->room)
		return 0;
	events = realloc(list->events, room * sizeof(*events));
	if (!events)
		return -ENOMEM;
	list->events = events;
	list->room = room;
	return 0;
}

int um_scan_add(struct um_scan *s, struct um_event *ev)
{
	struct um_event_list *list = s->list;

	if (list->num >= MAX_EVENTS)
		return um_fail(s->e, -EINVAL, UNCOREMSR_ERROR_USAGE,
			       "event '%s': more than %d events", s->text, MAX_EVENTS);
	if (make_room(list) < 0)
		return um_fail(s->e, -ENOMEM, UNCOREMSR_ERROR_UNSUPPORTED, "out of memory");
	ev->group = s->in_group ? s->group : list->num_groups++;
	list->events[list->num++] = *ev;
	return 0;
}

static int scan_event(struct um_scan *s, const char *text, const char *end)
{
	size_t len = (size_t)(end - text);
	const char *slash = memchr(text, '/', len);

	snprintf(s->text, sizeof(s->text), "%.*s", (int)(len > 100 ? 100 : len), text);
	if (!len)
		return um_scan_bad(s, "nothing where an event should be:", "", 0);
	if (slash)
		return scan_pmu(s, text, slash, end);
	if (isdigit((unsigned char)*text))
		return scan_raw(s, text, end);
	return um_scan_name(s, text, end);
}

/* The end of the event that starts at @text: a comma or brace outside of pmu/.../ and [...] . */
static const char *event_end(const char *text)
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

static int scan_group(struct um_scan *s)
{
	s->in_group = true;
	s->group = s->list->num_groups++;
	for (s->at++;; s->at++) {
		const char *end = event_end(s->at);
		int err = scan_event(s, s->at, end);

		if (err)
			return err;
		s->at = end;
		if (*end == '}') {
			s->at++;
			s->in_group = false;
			return 0;
		}
		if (*end != ',')
			return um_scan_bad(s, "no closing brace of the group before", end,
					   strlen(end));
	}
}

static int scan_item(struct um_scan *s)
{
	const char *from = s->at;

	if (*from == '{')
		return scan_group(s);
	s->at = event_end(from);
	return scan_event(s, from, s->at);
}

static int scan_list(struct um_scan *s)
{
	for (;; s->at++) {
		int err = scan_item(s);

		if (err)
			return err;
		if (!*s->at)
			return 0;
		if (*s->at != ',')
			return um_scan_bad(s, "unexpected text", s->at, strlen(s->at));
	}
}

int um_events_parse(struct um_event_list *list, const char *text,
		    const struct um_uarch *uarch, struct um_error *e)
{
	struct um_scan s = { .at = text, .uarch = uarch, .list = list, .e = e };
	size_t before = list->num;
	unsigned groups_before = list->num_groups;
	int err = scan_list(&s);

	if (err) {
		list->num = before;
		list->num_groups = groups_before;
		return err;
	}
	return (int)(list->num - before);
}

void um_events_free(struct um_event_list *list)
{
	free(list->events);
	*list = (struct um_event_list){ 0 };
}
