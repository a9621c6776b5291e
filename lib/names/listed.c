/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "names/listed.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "common/text.h"
#include "names/format.h"
#include "names/synonyms.h"

/* Find the list's event for the fixed counter of a PMU. In the kernel its event select is 0xff. */
static const struct um_json_event *fixed_on(const struct um_json_lists *lists, const char *pmu)
{
	for (size_t i = 0; i < lists->num_events; i++) {
		const struct um_json_event *ev = um_json_read(lists->events[i]);
		uint64_t select;

		if (ev && !strcmp(ev->pmu, pmu) && !ev->base.pub.deprecated &&
		    um_terms_value(ev->terms, "event", &select) && select == 0xff)
			return ev;
	}
	return NULL;
}

/*
 * Find an event of the lists by its name in libpfm4 or likwid. These programs write the PMU separately, so the name may
 * lack the box ("UNC_CHA_"), or have another word for it.
 */
static const struct um_json_event *named_elsewhere(const struct um_event_pmus *pmus, const struct um_json_lists *lists,
						   const struct um_listed *l, size_t parts)
{
	const struct um_event_term *next = &l->ev->parts[parts];
	int unit;
	const struct um_pmu *pmu = l->pmu ? um_event_pmu_named(pmus, l->pmu, l->pmu_len, &unit) : NULL;
	struct um_counter_word w;

	if (pmu)
		return um_json_find_on(lists, pmu->kernel, l->name, l->len);
	for (size_t i = 0; !l->pmu && parts < l->ev->num_parts && i < pmus->num; i++) {
		const struct um_json_event *found = NULL;

		pmu = pmus->pmus[i];
		if (!um_counter_word(pmu, next->name, next->name_len, &w))
			continue;
		found = um_json_find_on(lists, pmu->kernel, l->name, l->len);
		/* likwid's name for the clock, which the fixed counter of a memory channel counts. */
		if (!found && w.fixed && um_is_word(l->name, l->len, "DRAM_CLOCKTICKS"))
			found = fixed_on(lists, pmu->kernel);
		if (found)
			return found;
	}
	return NULL;
}

/*
 * Set a term in "event=0x35,umask=0x21"; with @more its old bits stay set. A text that would become too long stays
 * unchanged.
 */
static void set_term(char terms[UM_JSON_TERMS], const char *name, uint64_t value, bool more)
{
	char all[UM_JSON_TERMS] = "";
	struct um_event_term t;
	uint64_t old = 0;
	bool fits = true;

	if (more && um_terms_value(terms, name, &old))
		value |= old;
	for (const char *at = um_or_null(terms); um_next_term(&at, terms + strlen(terms), ',', &t);)
		if (!um_is_word(t.name, t.name_len, name))
			fits &= um_append(all, sizeof(all), "%.*s,", (int)(t.end - t.name), t.name);
	if (fits && um_append(all, sizeof(all), "%s=0x%" PRIx64, name, value))
		strcpy(terms, all);
}

static const char mask_terms[][8] = { "umask", "ch_mask" };

/* Do the entries differ only in their masks? False for occupancy events, which select a state by its number. */
static bool is_sibling(const struct um_json_event *a, const struct um_json_event *b)
{
	char terms[UM_JSON_TERMS], others[UM_JSON_TERMS];
	uint64_t value;

	if (strcmp(a->pmu, b->pmu) || a->core_type != b->core_type || *a->occ_terms)
		return false;
	strcpy(terms, a->terms);
	strcpy(others, b->terms);
	for (size_t i = 0; i < ARRAY_SIZE(mask_terms); i++) {
		if (um_terms_value(a->terms, mask_terms[i], &value) != um_terms_value(b->terms, mask_terms[i], &value))
			return false;
		set_term(terms, mask_terms[i], 0, false);
		set_term(others, mask_terms[i], 0, false);
	}
	return !strcmp(terms, others) && um_terms_value(b->terms, "umask", &value);
}

static void add_masks(struct um_listed *l, const struct um_json_event *ev)
{
	uint64_t value;

	for (size_t i = 0; i < ARRAY_SIZE(mask_terms); i++)
		if (um_terms_value(ev->terms, mask_terms[i], &value))
			set_term(l->masks, mask_terms[i], value, true);
}

size_t um_without_mask(const char *name, size_t len)
{
	while (len && !strchr(".:", name[--len]))
		;
	return len;
}

/*
 * Find the entry for the same event with another unit mask: replace the mask in the name of @l's entry by @mask. In
 * libpfm4's form also try the user's event name with @mask, on the PMU of the entry.
 */
static const struct um_json_event *with_mask(const struct um_listed *l, const struct um_json_lists *lists,
					     const struct um_event_term *mask)
{
	size_t head = um_without_mask(l->entry->name, strlen(l->entry->name));
	const struct um_json_event *other = NULL;
	const struct um_event_term *event = &l->ev->parts[l->libpfm4 ? 2 : 0];
	char name[128];
	int n = snprintf(name, sizeof(name), "%.*s%.*s", (int)head + 1, l->entry->name,
			 (int)mask->name_len, mask->name);

	if (head && n < (int)sizeof(name))
		other = um_json_find(lists, name, (size_t)n, l->entry->core_type);
	n = snprintf(name, sizeof(name), "%.*s:%.*s", (int)(event->end - event->name), event->name,
		     (int)mask->name_len, mask->name);
	if (!other && l->libpfm4 && n < (int)sizeof(name))
		other = um_json_find_on(lists, l->entry->pmu, name, (size_t)n);
	return other;
}

/*
 * Combine the unit masks of an event, as libpfm4 does: "UNC_M_CAS_COUNT:RD:WR" stands for UNC_M_CAS_COUNT.RD and
 * UNC_M_CAS_COUNT.WR of the list. Returns how many parts after the name are masks.
 */
static size_t take_masks(struct um_listed *l, const struct um_json_lists *lists,
			 const struct um_event_term *at, size_t num)
{
	for (; num && at->name_len && !at->value && l->num_more < UM_LISTED_MASKS; num--, at++) {
		/* A lower-case letter is a modifier ("e": edge), an upper-case one can be a unit mask ("E"). */
		bool letter = at->name_len == 1 && islower((unsigned char)*at->name);
		const struct um_json_event *other = letter ? NULL : with_mask(l, lists, at);

		if (!other || !is_sibling(l->entry, other))
			break;
		if (!l->num_more)
			strcpy(l->masks, l->entry->terms);
		add_masks(l, other);
		l->more[l->num_more++] = other;
	}
	return l->num_more;
}

/* Our term for a filter that is a unit mask in libpfm4 ("STATE_M", "FC_ANY"); NULL: none. */
static const struct um_synonym *filter_of(const char *uarch, const struct um_event_term *mask)
{
	UM_EACH_SYNONYM(w, UM_LIBPFM4_FILTER)
		if (um_is_word(mask->name, mask->name_len, w->theirs) && (!*w->on || !strcmp(w->on, uarch)))
			return w;
	return NULL;
}

/* Replace the filters of the entry by those of libpfm4, which follow the unit masks. Returns how many there are. */
static size_t take_filters(struct um_listed *l, const char *uarch, const struct um_event_term *at, size_t num)
{
	char filters[UM_JSON_TERMS] = "";
	const struct um_synonym *w;
	uint64_t value = 0;
	size_t i = 0;

	for (; i < num && !at[i].value && (w = filter_of(uarch, &at[i])); i++) {
		set_term(filters, w->ours, w->value, true);
		um_terms_value(filters, w->ours, &value);
		if (!*l->masks)
			strcpy(l->masks, l->entry->terms);
		set_term(l->masks, w->ours, value, false);
	}
	l->filtered = i;
	return i;
}

static void find_slashed(struct um_listed *l, const struct um_json_lists *lists, const struct um_event *ev)
{
	uint8_t type = um_core_type_of(ev->pmu, ev->pmu_len);

	if (!ev->num_terms || ev->terms[0].value)
		return;
	l->name = ev->terms[0].name;
	l->len = ev->terms[0].name_len;
	l->terms = um_terms_from(ev->terms, ev->num_terms, 1);
	l->modifiers = um_terms_from(ev->parts, ev->num_parts, !ev->parts[0].name_len);
	l->entry = um_json_find(lists, l->name, l->len, type);
	if (!l->entry && type)
		l->entry = um_json_find(lists, l->name, l->len, 0);
}

/* Is a part after the name a term, and not a modifier? Terms have a value; libpfm4's flags need none. */
static bool is_term(const struct um_event_term *t, bool libpfm4)
{
	static const char flags[][4] = { "e", "i", "o" };

	for (size_t i = 0; libpfm4 && i < ARRAY_SIZE(flags); i++)
		if (um_is_word(t->name, t->name_len, flags[i]))
			return true;
	return t->value;
}

static void rename_term(struct um_event_term *t, const char *name)
{
	t->name = name;
	t->name_len = strlen(name);
}

/*
 * Replace a modifier of libpfm4 by our term ("isoc=1"). False: the modifier has no effect ("tf=0"). @occupancy: the PMU
 * of an event that counts occupancy, for which e and i apply to the occupancy (libpfm4's lib/pfmlib_intel_snbep_unc.c);
 * else NULL.
 */
static bool take_modifier(struct um_event_term *t, const struct um_pmu *occupancy)
{
	static const char *const names[][2] = {
		{ "e", "occ_edge" }, { "e", "occ_edge_det" }, { "i", "occ_invert" },
	};
	bool zero = t->value && (um_is_word(t->value, t->value_len, "0") ||
				 um_is_word(t->value, t->value_len, "0x0"));
	const struct um_synonym *w;

	/* Ignore "o", the occupancy reset: each start resets the occupancy anyway. */
	if (um_is_word(t->name, t->name_len, "o"))
		return false;
	for (size_t i = 0; occupancy && i < ARRAY_SIZE(names); i++)
		if (um_is_word(t->name, t->name_len, names[i][0]) &&
		    um_term_find(occupancy, names[i][1], strlen(names[i][1])))
			rename_term(t, names[i][1]);
	w = um_synonym_find(UM_LIBPFM4_MODIFIER, t->name, t->name_len);
	if (zero && w && w->value)
		return false;
	if (w && *w->ours)
		rename_term(t, w->ours);
	return true;
}

/* Split the parts from @from on into modifiers and terms; the terms of libpfm4's form get our words. */
static void take_terms(struct um_listed *l, const struct um_event_pmus *pmus, size_t from)
{
	const char *kernel = l->entry->pmu;
	const struct um_pmu *occupancy = NULL;
	const struct um_event *ev = l->ev;
	uint64_t select;
	int unit;
	size_t num = 0, most = l->libpfm4 ? UM_LISTED_GIVEN : SIZE_MAX;

	while (from + num < ev->num_parts && num < most && is_term(&ev->parts[from + num], l->libpfm4))
		num++;
	l->modifiers = um_terms_from(ev->parts, ev->num_parts, from + num);
	l->terms = (struct um_term_list){ ev->parts + from, num };
	if (!l->libpfm4)
		return;
	if (um_terms_value(l->entry->terms, "event", &select) && select == 0x80)
		occupancy = um_event_pmu_named(pmus, kernel, strlen(kernel), &unit);
	l->terms = (struct um_term_list){ l->given, 0 };
	for (size_t i = 0; i < num; i++) {
		l->given[l->terms.num] = ev->parts[from + i];
		l->terms.num += take_modifier(&l->given[l->terms.num], occupancy);
	}
}

/* Names may contain colons, so the name is the longest prefix of the text that is in the lists. */
void um_listed_find(struct um_listed *l, const struct um_event_pmus *pmus,
		    const struct um_json_lists *lists, const struct um_event *ev)
{
	size_t parts = ev->num_parts, first = 0;
	const char *uarch;

	*l = (struct um_listed){ .ev = ev, .pmu = ev->pmu, .pmu_len = ev->pmu_len, .name = ev->text };
	if (!lists)
		return;
	if (ev->pmu) {
		find_slashed(l, lists, ev);
		return;
	}
	uarch = um_libpfm4_event(ev, &l->pmu, &l->pmu_len);
	if (uarch && strcmp(uarch, pmus->uarch))
		return;
	if (uarch) {
		first = 2;
		l->libpfm4 = true;
		/*
		 * The name has at most two parts: event and unit mask. Each further part is one more unit mask, so
		 * IA:MISS is two masks, not the list's IA_MISS.
		 */
		parts = parts > 4 ? 4 : parts;
		l->name = ev->parts[2].name;
	}
	for (; parts > first && !l->entry; parts--) {
		l->len = (size_t)(ev->parts[parts - 1].end - l->name);
		/*
		 * In libpfm4's form search the PMU first: elsewhere the name may be a deprecated name of another event.
		 */
		l->entry = uarch ? NULL : um_json_find(lists, l->name, l->len, 0);
		if (!l->entry)
			l->entry = named_elsewhere(pmus, lists, l, parts);
		if (!l->entry && uarch)
			l->entry = um_json_find(lists, l->name, l->len, 0);
	}
	if (!l->entry)
		return;
	parts++;
	parts += take_masks(l, lists, ev->parts + parts, ev->num_parts - parts);
	if (uarch)
		parts += take_filters(l, uarch, ev->parts + parts, ev->num_parts - parts);
	take_terms(l, pmus, parts);
}
