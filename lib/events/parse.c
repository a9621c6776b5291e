/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* From text to events: a scanner that walks the text once; the grammar stands in event.h. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "events/event.h"

struct scan {
	const char *at;               /* what is left */
	const struct uncoremsr_pmu *pmus;
	size_t num_pmus;
	struct um_event_list *list;
	struct um_error *e;
	char text[128];               /* the event being scanned, for messages */
};

static int bad(struct scan *s, const char *what, const char *at, size_t len)
{
	um_fail(s->e, -EINVAL, UNCOREMSR_ERROR_USAGE, "event '%s': %s '%.*s'", s->text, what,
		(int)(len > 40 ? 40 : len), at);
	um_hint(s->e, "write EVENT:UMASK such as 0x82:0x1, or see uncoremsr-events(7)");
	return -EINVAL;
}

/* A whole number, decimal or 0x hexadecimal, that fills the text of length @len exactly. */
static int number(struct scan *s, const char *text, size_t len, uint64_t *value)
{
	bool hex = len > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
	uint64_t base = hex ? 16 : 10, v = 0;
	size_t i = hex ? 2 : 0;

	if (!len)
		return bad(s, "a number is missing in", s->text, strlen(s->text));
	for (; i < len; i++) {
		unsigned char c = (unsigned char)text[i];
		uint64_t digit = isdigit(c) ? c - (uint64_t)'0'
				 : hex && isxdigit(c) ? (uint64_t)(tolower(c) - 'a' + 10) : base;

		if (digit >= base)
			return bad(s, "not a number:", text, len);
		if (v > (UINT64_MAX - digit) / base)
			return bad(s, "number too large:", text, len);
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

/* Words that mean the same as a term inside pmu/.../ and as a modifier behind a colon. */
static int modifier(struct scan *s, const char *text, size_t len, struct um_event_spec *spec)
{
	static const char *const cmask[] = { "cmask", "c", "t", NULL };
	const char *value;

	if (is(text, len, "edge") || is(text, len, "e"))
		spec->edge = true;
	else if (is(text, len, "inv") || is(text, len, "invert") || is(text, len, "i"))
		spec->invert = true;
	else if (has_key(text, len, cmask, &value))
		return number(s, value, (size_t)(text + len - value), &spec->cmask);
	else
		return bad(s, "unknown modifier", text, len);
	return 0;
}

static int term(struct scan *s, const char *text, size_t len, struct um_event_spec *spec)
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

static int terms(struct scan *s, const char *text, size_t len, struct um_event_spec *spec)
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

static int modifiers(struct scan *s, const char *text, const char *end,
		     struct um_event_spec *spec)
{
	while (text < end) {
		const char *from = text + 1; /* behind the colon */
		const char *colon = memchr(from, ':', (size_t)(end - from));
		const char *stop = colon ? colon : end;
		int err = modifier(s, from, (size_t)(stop - from), spec);

		if (err)
			return err;
		text = stop;
	}
	return 0;
}

static const struct uncoremsr_pmu *find_pmu(struct scan *s, const char *name, size_t len)
{
	for (size_t i = 0; i < s->num_pmus; i++)
		if (is(name, len, s->pmus[i].name))
			return &s->pmus[i];
	um_fail(s->e, -EINVAL, UNCOREMSR_ERROR_USAGE, "event '%s': this machine has no PMU '%.*s'",
		s->text, (int)(len > 40 ? 40 : len), name);
	um_hint(s->e, "its PMU is '%s'", s->pmus[0].name);
	return NULL;
}

/* pmu/term,.../:modifier... */
static int scan_pmu(struct scan *s, const char *text, const char *slash, const char *end,
		    struct um_event *ev)
{
	struct um_event_spec spec = { 0 };
	const struct uncoremsr_pmu *pmu = find_pmu(s, text, (size_t)(slash - text));
	const char *close = memchr(slash + 1, '/', (size_t)(end - slash - 1));
	int err;

	if (!pmu)
		return -EINVAL;
	if (!close)
		return bad(s, "no closing slash in", text, (size_t)(end - text));
	if (close + 1 < end && close[1] != ':')
		return bad(s, "unexpected text", close + 1, (size_t)(end - close - 1));
	err = terms(s, slash + 1, (size_t)(close - slash - 1), &spec);
	if (!err)
		err = modifiers(s, close + 1, end, &spec);
	if (!err && spec.raw && (spec.event || spec.umask))
		return bad(s, "raw goes with neither event nor umask:", slash + 1,
			   (size_t)(close - slash - 1));
	return err ? err : um_event_encode(ev, pmu, &spec, s->text, s->e);
}

/* EVENT:UMASK or a selector word, then modifiers. */
static int scan_raw(struct scan *s, const char *text, const char *end, struct um_event *ev)
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
		err = modifiers(s, colon, end, &spec);
	return err ? err : um_event_encode(ev, &s->pmus[0], &spec, s->text, s->e);
}

static bool is_fixed_name(const struct uncoremsr_pmu *pmu, const char *text, size_t len)
{
	if (!pmu->num_fixed)
		return false;
	if (is(text, len, pmu->fixed_event))
		return true;
	for (const char *const *alias = pmu->fixed_aliases; *alias; alias++)
		if (is(text, len, *alias))
			return true;
	return false;
}

static int scan_name(struct scan *s, const char *text, const char *end, struct um_event *ev)
{
	const struct uncoremsr_pmu *pmu = &s->pmus[0];
	const char *colon = memchr(text, ':', (size_t)(end - text));
	size_t len = (size_t)((colon ? colon : end) - text);

	if (!is_fixed_name(pmu, text, len)) {
		um_fail(s->e, -ENOENT, UNCOREMSR_ERROR_USAGE, "event '%s': no event of that name",
			s->text);
		um_hint(s->e, "known by name: %s (the uncore clock); every other event as "
			"EVENT:UMASK such as 0x82:0x1", pmu->fixed_event);
		return -ENOENT;
	}
	if (colon)
		return bad(s, "the uncore clock takes no modifier", colon, (size_t)(end - colon));
	ev->pmu = pmu;
	ev->fixed = true;
	ev->word = pmu->fixed_enable;
	ev->max_per_clock = 1;
	snprintf(ev->name, sizeof(ev->name), "%s", pmu->fixed_event);
	return 0;
}

static int add_event(struct scan *s, const struct um_event *ev)
{
	struct um_event_list *list = s->list;
	struct um_event *events = realloc(list->events, (list->num + 1) * sizeof(*events));

	if (!events)
		return um_fail(s->e, -ENOMEM, UNCOREMSR_ERROR_UNSUPPORTED, "out of memory");
	list->events = events;
	list->events[list->num++] = *ev;
	return 0;
}

static int scan_event(struct scan *s, const char *text, const char *end, unsigned group)
{
	struct um_event ev = { .group = group, .counter = -1 };
	size_t len = (size_t)(end - text);
	const char *slash = memchr(text, '/', len);
	int err;

	snprintf(s->text, sizeof(s->text), "%.*s", (int)(len > 100 ? 100 : len), text);
	if (!len)
		return bad(s, "nothing where an event should be:", "", 0);
	if (slash)
		err = scan_pmu(s, text, slash, end, &ev);
	else if (isdigit((unsigned char)*text))
		err = scan_raw(s, text, end, &ev);
	else
		err = scan_name(s, text, end, &ev);
	return err ? err : add_event(s, &ev);
}

/* The end of the event that starts at @text: a comma or brace outside of pmu/.../ . */
static const char *event_end(const char *text)
{
	bool inside = false;

	for (; *text; text++) {
		if (*text == '/')
			inside = !inside;
		else if (!inside && strchr(",{}", *text))
			break;
	}
	return text;
}

static int scan_group(struct scan *s)
{
	unsigned group = s->list->num_groups++;

	for (s->at++;; s->at++) {
		const char *end = event_end(s->at);
		int err = scan_event(s, s->at, end, group);

		if (err)
			return err;
		s->at = end;
		if (*end == '}') {
			s->at++;
			return 0;
		}
		if (*end != ',')
			return bad(s, "no closing brace of the group before", end, strlen(end));
	}
}

static int scan_item(struct scan *s)
{
	const char *from = s->at;

	if (*from == '{')
		return scan_group(s);
	s->at = event_end(from);
	return scan_event(s, from, s->at, s->list->num_groups++);
}

static int scan_list(struct scan *s)
{
	for (;; s->at++) {
		int err = scan_item(s);

		if (err)
			return err;
		if (!*s->at)
			return 0;
		if (*s->at != ',')
			return bad(s, "unexpected text", s->at, strlen(s->at));
	}
}

int um_events_parse(struct um_event_list *list, const char *text,
		    const struct uncoremsr_pmu *pmus, size_t num_pmus, struct um_error *e)
{
	struct scan s = { .at = text, .pmus = pmus, .num_pmus = num_pmus, .list = list, .e = e };
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
