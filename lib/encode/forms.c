/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Encode an event, written in any form, into register words. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/array.h"
#include "common/number.h"
#include "common/text.h"
#include "encode/encoder.h"
#include "names/json_list.h"
#include "names/listed.h"
#include "names/synonyms.h"

static const struct um_term_list no_terms = { NULL, 0 };

int um_events_append(struct um_encodings *list, const struct um_encodings *from)
{
	if (ARRAY_ROOM(list->events, list->num, from->num))
		return -ENOMEM;
	for (size_t i = 0; i < from->num; i++) {
		list->events[list->num] = from->events[i];
		list->events[list->num++].group += list->num_groups;
	}
	list->num_groups += from->num_groups;
	return 0;
}

/* ---- pmu/.../ ---- */

/* Is the term a raw selector word of a core: "r5301b1"? */
static bool is_core_word(const struct um_event_term *t)
{
	return !t->value && t->name_len > 1 && *t->name == 'r' &&
	       strspn(t->name + 1, "0123456789abcdefABCDEF") >= t->name_len - 1;
}

static bool is_name(const struct um_pmu *pmu, const struct um_event_term *t)
{
	return t->name_len && !t->value && !um_term_find(pmu, t->name, t->name_len) &&
	       !(um_pmu_is_core(pmu) && is_core_word(t));
}

/* The fixed counter for the kernel's codes, "event=0xff,umask=0x20" or "config=0x20ff". -1: other codes. */
static int free_running_code(struct um_encoder *s, const struct um_pmu *pmu, struct um_term_list terms)
{
	uint64_t word = 0, value;

	if (pmu->num_general)
		return -1;
	for (size_t i = 0; i < terms.num; i++) {
		const struct um_event_term *t = &terms.at[i];
		bool umask = um_is_word(t->name, t->name_len, "umask");

		if (!t->value || um_encode_number(s, t->value, t->value_len, &value) || value > 0xffff ||
		    (!umask && !um_is_word(t->name, t->name_len, "event") &&
		     !um_is_word(t->name, t->name_len, "config")))
			return -1;
		word |= umask ? value << 8 : value;
	}
	return (word & 0xff) == 0xff ? um_free_running(pmu, word >> 8) : -1;
}

/* Encode "term,.../:modifier..." or "name,term,.../:modifier...". */
static int encode_on(struct um_encoder *s, const struct um_pmu *pmu, int unit,
		     struct um_term_list terms, struct um_term_list modifiers)
{
	struct um_draft d = um_draft_for(s, pmu, unit);
	const struct um_event_term *first = terms.at;
	uint64_t word;

	d.ev.fixed = free_running_code(s, pmu, terms);
	if (d.ev.fixed >= 0)
		return um_encode_draft(&d, no_terms, modifiers);
	if (is_name(pmu, first))
		return um_encode_name(s, pmu, unit, (struct um_term_list){ first, 1 },
				      um_terms_from(terms.at, terms.num, 1), modifiers);
	if (um_pmu_is_core(pmu) && is_core_word(first)) {
		if (!um_perf_hex(first->name + 1, first->name_len - 1, &word))
			return um_encode_bad(s, "more than 64 bits:", first->name, first->name_len);
		um_encode_word(&d, word);
		terms = um_terms_from(terms.at, terms.num, 1);
	}
	return um_encode_draft(&d, terms, modifiers);
}

static int encode_slashed(struct um_encoder *s, const struct um_event *ev)
{
	struct um_event_term empty = { .name = ev->terms_end, .end = ev->terms_end };
	struct um_term_list terms = { ev->terms, ev->num_terms };
	const struct um_pmu *pmu;
	int unit, err = um_event_pmu(s->pmus, ev->pmu, ev->pmu_len, &pmu, &unit, s->text, s->e);

	if (err)
		return err;
	if (!terms.num)
		terms = (struct um_term_list){ &empty, 1 };
	/* If a colon follows the closing slash, the first part is empty. */
	return encode_on(s, pmu, unit, terms, um_terms_from(ev->parts, ev->num_parts, !ev->parts[0].name_len));
}

/* ---- codes ---- */

static int needs_pmu(struct um_encoder *s, const struct um_event_term *terms, size_t num)
{
	char names[UM_MESSAGE_LIST_SIZE], example[96] = "";
	const char *first = "PMU";

	for (size_t i = s->pmus->num; i-- > 0;)
		if (s->pmus->pmus[i]->reach == UM_REACH_MSR && s->pmus->pmus[i]->num_general)
			first = s->pmus->pmus[i]->name;
	for (size_t i = 0; i < num; i++)
		if (!um_append(example, sizeof(example), "%s%s=%.*s", i ? "," : "", terms[i].name,
			       (int)terms[i].value_len, terms[i].value)) {
			snprintf(example, sizeof(example), "event=...");
			break;
		}
	UM_REFUSE(s, -EINVAL, s->pmus->num > 1 ? "a code needs a PMU here, because there are several on %s"
						: "a code needs a PMU here (%s)", s->pmus->uarch);
	return um_advise(s->e, -EINVAL, "name one of %s: %s/%s/",
			 um_event_pmu_names(s->pmus, names, sizeof(names)), first, example);
}

/* Encode EVENT:UMASK or a selector word, followed by modifiers. */
static int encode_codes(struct um_encoder *s, const struct um_event *ev)
{
	static const char *const names[2][2] = { { "raw" }, { "event", "umask" } };
	size_t pair = ev->num_parts > 1 && isdigit((unsigned char)*ev->parts[1].name);
	struct um_event_term terms[2];
	uint64_t code;
	int err = 0;

	for (size_t i = 0; i <= pair && !err; i++) {
		const struct um_event_term *p = &ev->parts[i];
		const char *name = names[pair][i];

		terms[i] = (struct um_event_term){
			.name = name, .name_len = strlen(name), .end = name + strlen(name),
			.value = p->name, .value_len = (size_t)(p->end - p->name),
		};
		err = um_encode_number(s, terms[i].value, terms[i].value_len, &code);
	}
	if (err || !s->plain)
		return err ? err : needs_pmu(s, terms, pair + 1);
	return encode_on(s, s->plain, -1, (struct um_term_list){ terms, pair + 1 },
			 um_terms_from(ev->parts, ev->num_parts, pair + 1));
}

static int encode_word(struct um_encoder *s, const struct um_event *ev)
{
	const struct um_pmu *core = um_event_core_pmu(s->pmus);

	if (!core)
		return UM_REFUSE(s, -ENOENT, "a raw code like this is for the core PMU, and there is no core PMU to "
				 "count it");
	return encode_on(s, core, -1, (struct um_term_list){ ev->parts, 1 },
			 um_terms_from(ev->parts, ev->num_parts, 1));
}

/* ---- events ---- */

/* Encode libpfm4's form, which names PMU and event: "snb_unc_cbo0::UNC_CBO_CACHE_LOOKUP:STATE_M". */
static int encode_qualified(struct um_encoder *s, const struct um_event *ev, const char *uarch,
			    const char *name, size_t len)
{
	struct um_term_list parts = um_terms_from(ev->parts, ev->num_parts, 2);
	const struct um_pmu *pmu = NULL;
	struct um_event_term clock = *parts.at;
	struct um_error first;
	int unit, err;

	if (!len)
		return um_encode_name(s, NULL, -1, parts, no_terms, no_terms);
	if (strcmp(uarch, s->pmus->uarch))
		return UM_REFUSE(s, -ENOENT, "the event belongs to processor %s, but this processor is %s", uarch,
				 s->pmus->uarch);
	err = um_event_pmu(s->pmus, name, len, &pmu, &unit, s->text, s->e) ?:
	      um_encode_name(s, pmu, unit, parts, no_terms, no_terms);
	if (err != -ENOENT)
		return err;
	/* libpfm4 lists the clock among the events of each box. */
	um_fail_as(&first, s->e);
	if (!strcasecmp(clock.name, "UNC_CLOCKTICKS")) {
		clock.name += strlen("UNC_");
		parts = (struct um_term_list){ &clock, 1 };
	}
	err = um_encode_name(s, NULL, -1, parts, no_terms, no_terms);
	if (err)
		um_fail_as(s->e, &first);
	return err;
}

static int encode_by_tables(struct um_encoder *s, const struct um_event *ev)
{
	const char *name, *uarch;
	size_t len;

	if (ev->pmu)
		return encode_slashed(s, ev);
	uarch = um_libpfm4_event(ev, &name, &len);
	if (uarch)
		return encode_qualified(s, ev, uarch, name, len);
	if (isdigit((unsigned char)*ev->text))
		return encode_codes(s, ev);
	if (is_core_word(&ev->parts[0]))
		return encode_word(s, ev);
	return um_encode_name(s, NULL, -1, (struct um_term_list){ ev->parts, ev->num_parts }, no_terms, no_terms);
}

/* Does the list take precedence? It does for core events: the tables have only the architectural ones. */
static bool is_of_list(const struct um_encoder *s, const struct um_listed *l)
{
	const struct um_json_event *entry = l->entry;
	int unit;
	const struct um_pmu *pmu = l->ev->pmu ? um_event_pmu_named(s->pmus, l->ev->pmu, l->ev->pmu_len, &unit) : NULL;

	if (!entry || !um_starts_with(entry->pmu, "cpu") || strncasecmp(entry->name, l->name, l->len))
		return false;
	if (l->ev->pmu && !(pmu && um_pmu_is_core(pmu)))
		return false;
	return !s->core_type || !entry->core_type || entry->core_type == s->core_type;
}

void um_encode_begin(struct um_encoder *s, const struct um_event *ev, struct um_listed *l)
{
	s->core_type = ev->pmu ? um_core_type_of(ev->pmu, ev->pmu_len) : 0;
	s->text = ev->text;
	um_listed_find(l, s->pmus, s->lists, ev);
}

/* Is the event one of perf's words ("cycles:u")? As on the route perf, it is then shown as it is written. */
static bool is_perf_word(const struct um_event *ev, const struct um_encoding *of)
{
	const struct um_event_term *word = ev->parts, *letters = ev->num_parts > 1 ? word + 1 : NULL;
	struct um_perf_code code;

	if (ev->pmu || !um_pmu_is_core(of->pmu) || !um_perf_name_find(word->name, word->name_len, &code))
		return false;
	return !letters || (ev->num_parts == 2 && !letters->value && strspn(letters->name, "uk") >= letters->name_len);
}

static int encode_for_registers(struct um_encoder *s, const struct um_event *ev)
{
	struct um_listed l;
	size_t before = s->list->num;
	bool listed;
	int err;

	um_encode_begin(s, ev, &l);
	if (ev->group_mods) {
		UM_REFUSE(s, -EINVAL, "a group with modifiers ('%s') cannot be counted through registers",
			  ev->group_mods);
		return um_advise(s->e, -EINVAL, "write the modifiers after each event of the group");
	}
	listed = is_of_list(s, &l);
	err = listed ? um_encode_entry(s, &l) : encode_by_tables(s, ev);
	if (!listed && l.entry && err && err != -ENOMEM)
		err = um_encode_entry(s, &l);
	if (err == -ENOENT && !l.entry && s->lists)
		err = um_json_refused_name(s->lists, l.name, s->e) ?: err;
	for (size_t i = before; !err && i < s->list->num; i++) {
		struct um_encoding *of = &s->list->events[i];

		if (ev->shown)
			snprintf(of->name, sizeof(of->name), "%.*s", (int)ev->shown_len, ev->shown);
		else if (is_perf_word(ev, of))
			snprintf(of->name, sizeof(of->name), "%s", ev->text);
	}
	return err;
}

int um_events_encode(struct um_encodings *list, const struct um_event *events, size_t num,
		     const struct um_event_pmus *pmus, struct um_error *e)
{
	struct um_encoder s = {
		.pmus = pmus, .lists = pmus->names ? pmus->names->lists : NULL, .plain = um_event_plain_pmu(pmus),
		.list = list, .e = e,
	};
	size_t before = list->num;
	unsigned groups_before = list->num_groups;

	s.instead = s.plain ? "EVENT:UMASK such as 0x82:0x1" : "PMU/event=NUMBER,umask=NUMBER/";
	for (size_t i = 0; i < num; i++) {
		/* Core types cannot be counted at the same time, so the event of each type gets its own group. */
		bool own = !events[i].braces;
		size_t from = list->num;
		int err;

		if (own || !i || events[i].group != events[i - 1].group)
			s.group = list->num_groups++;
		err = encode_for_registers(&s, &events[i]);
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

int um_events_parse(struct um_encodings *list, const char *text, const struct um_event_pmus *pmus, struct um_error *e)
{
	struct um_written w;
	int num = um_scan_events(&w, text, e);

	if (num)
		return num;
	num = um_events_encode(list, w.events, w.num, pmus, e);
	um_written_free(&w);
	return num;
}

void um_events_free(struct um_encodings *list)
{
	free(list->events);
	*list = (struct um_encodings){ 0 };
}
