/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* From text to events: a scanner that walks the text once; the grammar stands in event.h. */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "events/names.h"
#include "events/scan.h"

/* More than anybody counts, and few enough for a text that was made to cost memory. */
enum { MAX_EVENTS = 4096 };

int um_scan_bad(struct um_scan *s, const char *what, const char *at, size_t len)
{
	um_fail(s->e, -EINVAL, UNCOREMSR_ERROR_USAGE, "event '%s': %s '%.*s'", s->text, what,
		(int)(len > 40 ? 40 : len), at);
	um_hint(s->e, "write %s, or see uncoremsr-events(7)",
		s->plain ? "EVENT:UMASK such as 0x82:0x1" : "PMU/event=NUMBER,umask=NUMBER/");
	return -EINVAL;
}

static int add_encoded(struct um_scan *s, const struct uncoremsr_pmu *pmu,
		       const struct um_event_spec *spec)
{
	struct um_encoding ev;
	int err = um_event_encode(&ev, pmu, spec, s->text, s->e);

	return err ? err : um_scan_add(s, &ev);
}

/* ---- pmu/.../ ---- */

/* The end of the first item between the slashes; commas in brackets belong to a pattern. */
static const char *item_end(const char *text, const char *end)
{
	bool bracket = false;

	for (; text < end && (bracket || *text != ','); text++)
		if (*text == '[' || *text == ']')
			bracket = *text == '[';
	return text;
}

/* Is it a name as perf lists them, not a term? */
static bool is_name(const struct uncoremsr_pmu *pmu, const char *text, size_t len)
{
	struct um_term term;

	return len && !memchr(text, '=', len) && !um_term_find(pmu, text, len, &term) &&
	       !(um_pmu_is_core(pmu) && um_scan_is_word(text, len));
}

static int scan_terms(struct um_scan *s, const struct uncoremsr_pmu *pmu, int unit,
		      const char *text, const char *close, const char *end)
{
	struct um_event_spec spec = um_scan_spec(s, pmu, unit);
	const char *first = item_end(text, close);
	int err = 0;

	if (um_pmu_is_core(pmu) && um_scan_is_word(text, (size_t)(first - text))) {
		spec.raw = true;
		err = um_scan_word(s, text, (size_t)(first - text), &spec.raw_word);
		text = first + 1;
	}
	if (!err && text <= close)
		err = um_scan_terms(s, pmu, text, (size_t)(close - text), &spec);
	if (!err)
		err = um_scan_modifiers(s, pmu, close + 1, end, &spec);
	if (!err && (spec.port >= 0 || spec.set >= 0))
		return um_scan_bad(s, "port and set go with a name:", text, (size_t)(close - text));
	return err ? err : add_encoded(s, pmu, &spec);
}

/* pmu/term,.../:modifier... or pmu/name,term,.../:modifier... */
static int scan_pmu(struct um_scan *s, const char *text, const char *slash, const char *end)
{
	const char *close = memchr(slash + 1, '/', (size_t)(end - slash - 1)), *first;
	const struct uncoremsr_pmu *pmu;
	int unit;

	pmu = um_event_pmu(s->pmus, text, (size_t)(slash - text), &unit, s->text, s->e);
	if (!pmu)
		return s->e->class == UNCOREMSR_ERROR_UNSUPPORTED ? -ENOTSUP : -EINVAL;
	if (!close)
		return um_scan_bad(s, "no closing slash in", text, (size_t)(end - text));
	first = item_end(slash + 1, close);
	if (!is_name(pmu, slash + 1, (size_t)(first - slash - 1)))
		return scan_terms(s, pmu, unit, slash + 1, close, end);
	return um_scan_name_in(s, &(struct um_scan_named){
		.pmu = pmu, .unit = unit, .name = slash + 1, .name_end = first,
		.terms = first < close ? first + 1 : close, .terms_end = close,
		.rest = close + 1, .end = end,
	});
}

/* ---- codes ---- */

static int needs_pmu(struct um_scan *s, const char *example)
{
	char names[256];

	um_fail(s->e, -EINVAL, UNCOREMSR_ERROR_USAGE, "event '%s': codes alone say nothing here: "
		"the uncore of %s has more than one PMU", s->text, s->pmus->uarch);
	um_hint(s->e, "name one of %s: %s", um_event_pmu_names(s->pmus, names, sizeof(names)),
		example);
	return -EINVAL;
}

/* "such as cbo/event=0x34,umask=0x11/" */
static int needs_pmu_for(struct um_scan *s, const struct um_event_spec *spec)
{
	const struct uncoremsr_pmu *first = NULL;
	char example[96];

	for (size_t i = 0; i < s->pmus->num && !first; i++)
		if (s->pmus->pmus[i]->reach == UM_REACH_MSR && s->pmus->pmus[i]->num_general)
			first = s->pmus->pmus[i];
	if (spec->raw)
		snprintf(example, sizeof(example), "%s/raw=0x%" PRIx64 "/",
			 first ? first->name : "PMU", spec->raw_word);
	else
		snprintf(example, sizeof(example), "%s/event=0x%" PRIx64 ",umask=0x%" PRIx64 "/",
			 first ? first->name : "PMU", spec->word & 0xffffffff, spec->word >> 32);
	return needs_pmu(s, example);
}

static int add_codes(struct um_scan *s, uint64_t event, uint64_t umask, const char *mods,
		     const char *end)
{
	struct um_event_spec spec = um_scan_spec(s, s->plain, -1);
	char text[64];
	int err;

	snprintf(text, sizeof(text), "event=0x%" PRIx64 ",umask=0x%" PRIx64, event, umask);
	err = um_scan_terms(s, s->plain, text, strlen(text), &spec);
	if (!err)
		err = um_scan_modifiers(s, s->plain, mods, end, &spec);
	return err ? err : add_encoded(s, s->plain, &spec);
}

static int add_word(struct um_scan *s, const struct uncoremsr_pmu *pmu, uint64_t word,
		    const char *mods, const char *end)
{
	struct um_event_spec spec = um_scan_spec(s, pmu, -1);
	int err;

	spec.raw = true;
	spec.raw_word = word;
	err = um_scan_modifiers(s, pmu, mods, end, &spec);
	return err ? err : add_encoded(s, pmu, &spec);
}

/* EVENT:UMASK or a selector word, then modifiers. */
static int scan_raw(struct um_scan *s, const char *text, const char *end)
{
	const char *colon = memchr(text, ':', (size_t)(end - text));
	const char *head_end = colon ? colon : end, *from, *stop;
	uint64_t first, umask;
	int err = um_scan_number(s, text, (size_t)(head_end - text), &first);

	if (err)
		return err;
	if (!colon || colon + 1 >= end || !isdigit((unsigned char)colon[1])) {
		if (s->plain)
			return add_word(s, s->plain, first, head_end, end);
		return needs_pmu_for(s, &(struct um_event_spec){ .raw = true, .raw_word = first });
	}
	from = colon + 1;
	stop = memchr(from, ':', (size_t)(end - from));
	stop = stop ? stop : end;
	err = um_scan_number(s, from, (size_t)(stop - from), &umask);
	if (err)
		return err;
	if (s->plain)
		return add_codes(s, first, umask, stop, end);
	return needs_pmu_for(s, &(struct um_event_spec){
		.word = (first & 0xffffffff) | umask << 32 });
}

/* "r5301b1", as perf writes it */
static int scan_core_word(struct um_scan *s, const char *text, const char *head_end,
			  const char *end)
{
	const struct uncoremsr_pmu *core = um_event_core_pmu(s->pmus);
	uint64_t word;
	int err;

	if (!core)
		return um_fail(s->e, -ENOENT, UNCOREMSR_ERROR_USAGE, "event '%s': that is the word "
			       "of a core selector, and there is no core PMU to count it", s->text);
	err = um_scan_word(s, text, (size_t)(head_end - text), &word);
	return err ? err : add_word(s, core, word, head_end, end);
}

/* ---- the list ---- */

/* Room for one more: twice as much each time, because "*,*,*" makes thousands of events. */
static int make_room(struct um_encodings *list)
{
	size_t room = list->room ? 2 * list->room : 8;
	struct um_encoding *events;

	if (list->num < list->room)
		return 0;
	events = realloc(list->events, room * sizeof(*events));
	if (!events)
		return -ENOMEM;
	list->events = events;
	list->room = room;
	return 0;
}

int um_scan_add(struct um_scan *s, struct um_encoding *ev)
{
	struct um_encodings *list = s->list;

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
	const char *slash = memchr(text, '/', len), *colon = memchr(text, ':', len);
	const char *head_end = colon ? colon : end;

	snprintf(s->text, sizeof(s->text), "%.*s", (int)(len > 100 ? 100 : len), text);
	if (!len)
		return um_scan_bad(s, "nothing where an event should be:", "", 0);
	if (slash)
		return scan_pmu(s, text, slash, end);
	if (isdigit((unsigned char)*text))
		return scan_raw(s, text, end);
	if (um_scan_is_word(text, (size_t)(head_end - text)))
		return scan_core_word(s, text, head_end, end);
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

int um_events_parse(struct um_encodings *list, const char *text,
		    const struct um_event_pmus *pmus, struct um_error *e)
{
	struct um_scan s = {
		.at = text, .pmus = pmus, .plain = um_event_plain_pmu(pmus), .list = list, .e = e,
	};
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

void um_events_free(struct um_encodings *list)
{
	free(list->events);
	*list = (struct um_encodings){ 0 };
}
