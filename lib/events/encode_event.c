/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* From an event as it was written to the words of registers: terms, codes, words, names, lists. */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "events/encoder.h"
#include "events/json_list.h"
#include "events/names.h"
#include "events/spellings.h"

enum { MAX_LIST_TERMS = 24 };

int um_events_append(struct um_encodings *list, const struct um_encodings *from)
{
	if (um_events_make_room(list, from->num))
		return -ENOMEM;
	for (size_t i = 0; i < from->num; i++) {
		list->events[list->num] = from->events[i];
		list->events[list->num++].group += list->num_groups;
	}
	list->num_groups += from->num_groups;
	return 0;
}

static int add_encoded(struct um_encoder *s, const struct uncoremsr_pmu *pmu,
		       const struct um_event_spec *spec)
{
	struct um_encoding ev;
	int err = um_event_encode(&ev, pmu, spec, s->text, s->e);

	return err ? err : um_encode_add(s, &ev);
}

/* ---- pmu/.../ ---- */

/* Is it a name as perf lists them, not a term? */
static bool is_name(const struct uncoremsr_pmu *pmu, const struct um_event_term *t)
{
	struct um_term term;

	return t->name_len && !t->value && !um_term_find(pmu, t->name, t->name_len, &term) &&
	       !(um_pmu_is_core(pmu) && um_is_core_word(t->name, t->name_len));
}

/* term,.../:modifier... or name,term,.../:modifier... */
static int encode_on(struct um_encoder *s, const struct uncoremsr_pmu *pmu, int unit,
		     struct um_term_list terms, struct um_term_list modifiers)
{
	struct um_event_spec spec = um_spec_for(s, pmu, unit);
	const struct um_event_term *first = terms.at;
	int err = 0;

	if (is_name(pmu, first))
		return um_encode_name_on(s, &(struct um_named){
			.pmu = pmu, .unit = unit, .name = first->name, .len = first->name_len,
			.terms = um_terms_from(terms.at, terms.num, 1), .modifiers = modifiers,
		});
	if (um_pmu_is_core(pmu) && !first->value && um_is_core_word(first->name, first->name_len)) {
		spec.raw = true;
		err = um_encode_core_word(s, first->name, first->name_len, &spec.raw_word);
		terms = um_terms_from(terms.at, terms.num, 1);
	}
	if (!err)
		err = um_encode_terms(s, pmu, terms, &spec);
	if (!err)
		err = um_encode_modifiers(s, pmu, modifiers, &spec);
	if (!err && (spec.port >= 0 || spec.set >= 0))
		return um_encode_bad(s, "port and set go with a name:", first->name,
				     (size_t)(terms.at[terms.num - 1].end - first->name));
	return err ? err : add_encoded(s, pmu, &spec);
}

static int encode_slashed(struct um_encoder *s, const struct um_event *ev)
{
	struct um_event_term empty = { .name = ev->terms_end, .end = ev->terms_end };
	struct um_term_list terms = { ev->terms, ev->num_terms };
	const struct uncoremsr_pmu *pmu;
	int unit, err = um_event_pmu(s->pmus, ev->pmu, ev->pmu_len, &pmu, &unit, s->text, s->e);

	if (err)
		return err;
	if (!terms.num)
		terms = (struct um_term_list){ &empty, 1 };
	/* Letters may follow the slash at once, else the first part is empty. */
	return encode_on(s, pmu, unit, terms, um_terms_from(ev->parts, ev->num_parts,
							    !ev->parts[0].name_len));
}

/* ---- codes ---- */

static int needs_pmu(struct um_encoder *s, const char *example)
{
	char names[UM_SENTENCE / 2];

	um_fail(s->e, -EINVAL, UNCOREMSR_ERROR_USAGE, "event '%s': codes alone say nothing here: "
		"the uncore of %s has more than one PMU", s->text, s->pmus->uarch);
	um_hint(s->e, "name one of %s: %s", um_event_pmu_names(s->pmus, names, sizeof(names)),
		example);
	return -EINVAL;
}

static const char *first_pmu(const struct um_encoder *s)
{
	for (size_t i = 0; i < s->pmus->num; i++)
		if (s->pmus->pmus[i]->reach == UM_REACH_MSR && s->pmus->pmus[i]->num_general)
			return s->pmus->pmus[i]->name;
	return "PMU";
}

/* EVENT:UMASK or a selector word, then modifiers. */
static int encode_codes(struct um_encoder *s, const struct um_event *ev)
{
	const struct um_event_term *p = ev->parts;
	bool pair = ev->num_parts > 1 && isdigit((unsigned char)*p[1].name);
	struct um_event_spec spec;
	uint64_t code, umask = 0;
	char example[96];
	int err = um_encode_number(s, p->name, (size_t)(p->end - p->name), &code);

	if (!err && pair)
		err = um_encode_number(s, p[1].name, (size_t)(p[1].end - p[1].name), &umask);
	if (err)
		return err;
	if (!s->plain) {
		snprintf(example, sizeof(example), pair ? "%s/event=0x%" PRIx64 ",umask=0x%" PRIx64 "/"
							: "%s/raw=0x%" PRIx64 "/",
			 first_pmu(s), pair ? code & 0xffffffff : code, umask & 0xffffffff);
		return needs_pmu(s, example);
	}
	spec = um_spec_for(s, s->plain, -1);
	spec.raw = !pair;
	spec.raw_word = pair ? 0 : code;
	if (pair)
		err = um_encode_value(s, s->plain, "event", code, &spec);
	if (pair && !err)
		err = um_encode_value(s, s->plain, "umask", umask, &spec);
	if (!err)
		err = um_encode_modifiers(s, s->plain, um_terms_from(p, ev->num_parts, 1 + pair),
					  &spec);
	return err ? err : add_encoded(s, s->plain, &spec);
}

/* "r5301b1", as perf writes it */
static int encode_word(struct um_encoder *s, const struct um_event *ev)
{
	const struct uncoremsr_pmu *core = um_event_core_pmu(s->pmus);
	struct um_event_spec spec;
	int err;

	if (!core)
		return um_fail(s->e, -ENOENT, UNCOREMSR_ERROR_USAGE, "event '%s': that is the word "
			       "of a core selector, and there is no core PMU to count it", s->text);
	spec = um_spec_for(s, core, -1);
	spec.raw = true;
	err = um_encode_core_word(s, ev->parts[0].name, ev->parts[0].name_len, &spec.raw_word);
	if (!err)
		err = um_encode_modifiers(s, core, um_terms_from(ev->parts, ev->num_parts, 1),
					  &spec);
	return err ? err : add_encoded(s, core, &spec);
}

/* ---- names of event lists ---- */

/* Code 0xff is the kernel's for a fixed counter; a general one counts something else with it. */
static bool is_fixed_code(const struct uncoremsr_pmu *pmu, const struct um_event_term *t)
{
	return !um_pmu_is_core(pmu) && t->name_len == 5 && !memcmp(t->name, "event", 5) &&
	       t->value_len == 4 && !memcmp(t->value, "0xff", 4);
}

/* What has a pseudo code in the list is a counter of its own here; -1: it is not. */
static int fixed_of(struct um_encoder *s, const struct uncoremsr_pmu *pmu,
		    const struct um_json_event *entry, const struct um_event_term *first)
{
	if (um_pmu_is_core(pmu)) {
		if (entry->fixed < (int)pmu->num_fixed)
			return entry->fixed;
		return um_fail(s->e, -ENOTSUP, UNCOREMSR_ERROR_UNSUPPORTED, "event '%s': the list "
			       "has it on fixed counter %d, which %s does not have here", s->text,
			       entry->fixed, pmu->name);
	}
	if (!is_fixed_code(pmu, first))
		return -1;
	if (pmu->num_fixed != 1)
		return um_fail(s->e, -ENOTSUP, UNCOREMSR_ERROR_UNSUPPORTED,
			       "event '%s': %s has several fixed counters, and the list "
			       "does not say which", s->text, pmu->name);
	return 0;
}

/* Only those counters that the tables and the list allow both. */
static int constrain(struct um_encoder *s, const struct um_json_event *entry, size_t from)
{
	for (size_t i = from; i < s->list->num; i++) {
		struct um_encoding *ev = &s->list->events[i];

		if (ev->fixed >= 0 || !entry->general || (ev->counters &= entry->general))
			continue;
		s->list->num = from;
		um_fail(s->e, -ENOTSUP, UNCOREMSR_ERROR_UNSUPPORTED, "event '%s': the list has it "
			"on counter %.40s, and here no such counter of %s can count it", s->text,
			entry->counters, ev->pmu->name);
		um_hint(s->e, "to count it where the tables allow it: %s/%.100s/", ev->pmu->name,
			entry->terms);
		return -ENOTSUP;
	}
	return 0;
}

/*
 * A list names the kernel's PMU and its terms. Where our tables reach that PMU by registers, the same
 * terms are ours. What the kernel's formats have no room for (ExtSel of the first Xeons E5) can be
 * counted so.
 */
static int encode_listed(struct um_encoder *s, const struct um_event *ev,
			 const struct um_json_event *entry, size_t parts)
{
	struct um_event_term terms[MAX_LIST_TERMS];
	struct um_term_list given = { terms, 0 };
	const struct uncoremsr_pmu *pmu;
	const char *at = entry->terms;
	size_t before = s->list->num;
	struct um_term t;
	int unit, err, fixed;

	err = um_event_pmu(s->pmus, entry->pmu, strlen(entry->pmu), &pmu, &unit, s->text, s->e);
	/* Without the match register that it needs it would count something else. */
	if (err || entry->impossible[0]) {
		um_fail(s->e, -ENOTSUP, UNCOREMSR_ERROR_UNSUPPORTED, "event '%s': the list has "
			"it, on the PMU '%s', which no registers reach here", s->text, entry->pmu);
		return -ENOTSUP;
	}
	/* The PMU of a Xeon E5 with occupancy bits for a unit mask has other terms for the same. */
	if (*entry->occ_terms && !um_term_find(pmu, "umask", 5, &t))
		at = entry->occ_terms;
	for (const char *end = at + strlen(at);
	     given.num < MAX_LIST_TERMS && um_next_term(&at, end, ',', &terms[given.num]);)
		given.num++;
	fixed = fixed_of(s, pmu, entry, terms);
	if (fixed < -1)
		return fixed;
	if (fixed >= 0) {
		const char *name = pmu->fixed[fixed].event;

		terms[0] = (struct um_event_term){
			.name = name, .name_len = strlen(name), .end = name + strlen(name) };
		given.num = 1;
	}
	while (parts < ev->num_parts && ev->parts[parts].value && given.num < MAX_LIST_TERMS)
		terms[given.num++] = ev->parts[parts++];
	err = encode_on(s, pmu, -1, given, um_terms_from(ev->parts, ev->num_parts, parts));
	for (size_t i = before; !err && i < s->list->num; i++) {
		struct um_encoding *new = &s->list->events[i];

		new->no_filter = entry->wants_filter && !new->filtered;
		new->listed_terms = entry->terms;
	}
	if (!err)
		err = constrain(s, entry, before);
	if (!err && s->list->num == before + 1)
		snprintf(s->list->events[before].name, sizeof(s->list->events[before].name),
			 "%.*s", UM_EVENT_TEXT - 1, ev->text);
	return err;
}

/* The longest head of the text that is a name of the lists: names may have colons of their own. */
static const struct um_json_event *entry_of(const struct um_json_lists *lists,
					    const struct um_event *ev, size_t *parts)
{
	const struct um_json_event *entry = NULL;

	for (size_t k = lists && !ev->pmu ? ev->num_parts : 0; k > 0 && !entry; k--) {
		entry = um_json_find(lists, ev->text, (size_t)(ev->parts[k - 1].end - ev->text));
		*parts = k;
	}
	return entry;
}

/* ---- events ---- */

/* "snb_unc_cbo0::UNC_CBO_CACHE_LOOKUP:STATE_M": libpfm4's PMU, and what it calls the event. */
static int encode_qualified(struct um_encoder *s, const struct um_event *ev, const char *uarch,
			    const char *name, size_t len)
{
	struct um_event bare = *ev;
	const struct uncoremsr_pmu *pmu = NULL;
	struct um_event_term clock;
	struct um_error first;
	int unit = -1, err;

	bare.text = (char *)ev->parts[2].name;
	bare.parts += 2;
	bare.num_parts -= 2;
	if (!len)
		return um_encode_name(s, &bare, NULL, -1);
	if (strcmp(uarch, s->pmus->uarch))
		return um_fail(s->e, -ENOENT, UNCOREMSR_ERROR_USAGE, "event '%s': it is of %s, and "
			       "this is %s", s->text, uarch, s->pmus->uarch);
	err = um_event_pmu(s->pmus, name, len, &pmu, &unit, s->text, s->e);
	if (!err)
		err = um_encode_name(s, &bare, pmu, unit);
	if (err != -ENOENT)
		return err;
	/* It has the clock among the events of the boxes. */
	first = *s->e;
	if (bare.num_parts == 1 && !strcasecmp(bare.text, "UNC_CLOCKTICKS")) {
		clock = *bare.parts;
		clock.name = bare.text += 4;
		bare.parts = &clock;
	}
	err = um_encode_name(s, &bare, NULL, -1);
	if (err)
		*s->e = first;
	return err;
}

static int encode_by_tables(struct um_encoder *s, const struct um_event *ev)
{
	const char *name, *uarch = NULL;
	size_t len;

	if (ev->pmu)
		return encode_slashed(s, ev);
	if (ev->num_parts > 2 && !ev->parts[1].name_len && !ev->parts[1].value)
		uarch = um_libpfm4_pmu(ev->parts[0].name, ev->parts[0].name_len, &name, &len);
	if (uarch)
		return encode_qualified(s, ev, uarch, name, len);
	if (isdigit((unsigned char)*ev->text))
		return encode_codes(s, ev);
	if (!ev->parts[0].value && um_is_core_word(ev->parts[0].name, ev->parts[0].name_len))
		return encode_word(s, ev);
	return um_encode_name(s, ev, NULL, -1);
}

static int encode_event(struct um_encoder *s, const struct um_event *ev,
			const struct um_json_lists *lists)
{
	const struct um_json_event *entry;
	size_t parts;
	int err;

	s->text = ev->text;
	if (ev->group_mods)
		return um_encode_bad(s, "its group has modifiers:", ev->group_mods,
				     strlen(ev->group_mods));
	err = encode_by_tables(s, ev);
	entry = err && err != -ENOMEM ? entry_of(lists, ev, &parts) : NULL;
	return entry ? encode_listed(s, ev, entry, parts) : err;
}

int um_events_encode(struct um_encodings *list, const struct um_event *events, size_t num,
		     const struct um_event_pmus *pmus, const struct um_json_lists *lists,
		     struct um_error *e)
{
	struct um_encoder s = {
		.pmus = pmus, .plain = um_event_plain_pmu(pmus), .list = list, .e = e,
	};
	size_t before = list->num;
	unsigned groups_before = list->num_groups;

	for (size_t i = 0; i < num; i++) {
		/* A pattern stands for events that need not be counted at the same time. */
		bool own = !events[i].braces;
		size_t from = list->num;
		int err;

		if (own || !i || events[i].group != events[i - 1].group)
			s.group = list->num_groups++;
		err = encode_event(&s, &events[i], lists);
		if (err) {
			list->num = before;
			list->num_groups = groups_before;
			return err;
		}
		for (size_t k = from + 1; own && k < list->num; k++)
			list->events[k].group = list->num_groups++;
	}
	return (int)(list->num - before);
}

int um_events_parse(struct um_encodings *list, const char *text, const struct um_event_pmus *pmus,
		    const struct um_json_lists *lists, struct um_error *e)
{
	struct um_written w;
	int num = um_scan_events(&w, text, e);

	if (num)
		return num;
	num = um_events_encode(list, w.events, w.num, pmus, lists, e);
	um_written_free(&w);
	return num;
}

void um_events_free(struct um_encodings *list)
{
	free(list->events);
	*list = (struct um_encodings){ 0 };
}
