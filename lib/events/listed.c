/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "events/listed.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "common/text.h"
#include "events/spellings.h"

/* ---- names ---- */

/* The PMU that @l names, out of reach of registers or not. */
static const struct uncoremsr_pmu *named_pmu(const struct um_event_pmus *pmus,
					     const struct um_listed *l)
{
	const struct uncoremsr_pmu *pmu;
	struct um_error ignored;
	int unit;

	(void)um_event_pmu(pmus, l->pmu, l->pmu_len, &pmu, &unit, l->ev->text, &ignored);
	return pmu;
}

/*
 * Another program's name for an event of the lists: libpfm4 and likwid say the PMU beside it, behind
 * which the event's name need not say the box as the list does.
 */
static const struct um_json_event *named_elsewhere(const struct um_event_pmus *pmus,
						   const struct um_json_lists *lists,
						   const struct um_listed *l, size_t parts)
{
	const struct um_event_term *next = &l->ev->parts[parts];
	const struct uncoremsr_pmu *pmu = l->pmu ? named_pmu(pmus, l) : NULL;
	struct um_counter_word w;

	if (pmu)
		return pmu->kernel ? um_json_find_on(lists, pmu->kernel, l->name, l->len) : NULL;
	for (size_t i = 0; !l->pmu && parts < l->ev->num_parts && i < pmus->num; i++) {
		const struct um_json_event *found = NULL;

		pmu = pmus->pmus[i];
		if (pmu->kernel && um_counter_word(pmu, next->name, next->name_len, &w))
			found = um_json_find_on(lists, pmu->kernel, l->name, l->len);
		if (found)
			return found;
	}
	return NULL;
}

/* ---- unit masks ---- */

/* Up to the sign before the last word of an event's name: what libpfm4 has the unit masks of. */
static size_t without_mask(const char *name, size_t len)
{
	while (len > 0 && !strchr(".:", name[len - 1]))
		len--;
	return len;
}

/* The same event but for the unit mask? In *umask that mask. A state of an occupancy is a number, not a mask. */
static bool is_sibling(const struct um_json_event *a, const struct um_json_event *b, uint64_t *umask)
{
	const char *at = a->terms, *other = b->terms;
	struct um_event_term t, u;

	if (strcmp(a->pmu, b->pmu) || a->core_type != b->core_type || *a->occ_terms)
		return false;
	while (um_next_term(&at, a->terms + strlen(a->terms), ',', &t)) {
		if (!um_next_term(&other, b->terms + strlen(b->terms), ',', &u) ||
		    t.name_len != u.name_len || memcmp(t.name, u.name, t.name_len))
			return false;
		if (!um_is_word(t.name, t.name_len, "umask") &&
		    (t.end - t.name != u.end - u.name ||
		     memcmp(t.name, u.name, (size_t)(t.end - t.name))))
			return false;
	}
	return !other && um_terms_value(b->terms, "umask", umask);
}

/* Its terms with another unit mask. */
static void write_masks(struct um_listed *l, uint64_t umask)
{
	const char *at = l->entry->terms, *end = at + strlen(at);
	struct um_event_term t;
	size_t n = 0;

	while (um_next_term(&at, end, ',', &t) && n < sizeof(l->masks)) {
		n += (size_t)snprintf(l->masks + n, sizeof(l->masks) - n, "%s", n ? "," : "");
		if (um_is_word(t.name, t.name_len, "umask"))
			n += (size_t)snprintf(l->masks + n, sizeof(l->masks) - n,
					      "umask=0x%" PRIx64, umask);
		else
			n += (size_t)snprintf(l->masks + n, sizeof(l->masks) - n, "%.*s",
					      (int)(t.end - t.name), t.name);
	}
	l->num_more = n < sizeof(l->masks) ? l->num_more : 0;
}

/*
 * libpfm4 ors several unit masks of one event: "UNC_M_CAS_COUNT:RD:WR", where the list has
 * UNC_M_CAS_COUNT.RD and UNC_M_CAS_COUNT.WR. Returns how many parts behind the name they are.
 */
static size_t take_masks(struct um_listed *l, const struct um_json_lists *lists,
			 const struct um_event_term *at, size_t num)
{
	size_t head = without_mask(l->entry->name, strlen(l->entry->name));
	uint64_t umask, more;
	char name[128];

	if (!head || !um_terms_value(l->entry->terms, "umask", &umask))
		return 0;
	for (; num && at->name_len && !at->value && l->num_more < UM_LISTED_MASKS; num--, at++) {
		const struct um_json_event *other;
		int n = snprintf(name, sizeof(name), "%.*s%.*s", (int)head, l->entry->name,
				 (int)at->name_len, at->name);

		if (n >= (int)sizeof(name))
			break;
		other = l->entry->core_type
				? um_json_find_for(lists, name, (size_t)n, l->entry->core_type)
				: um_json_find(lists, name, (size_t)n);
		if (!other || !is_sibling(l->entry, other, &more))
			break;
		umask |= more;
		l->more[l->num_more++] = other;
	}
	if (l->num_more)
		write_masks(l, umask);
	return l->num_more;
}

/* ---- both ---- */

static void find_slashed(struct um_listed *l, const struct um_json_lists *lists,
			 const struct um_event *ev)
{
	if (!ev->num_terms || ev->terms[0].value)
		return;
	l->name = ev->terms[0].name;
	l->len = ev->terms[0].name_len;
	l->terms = um_terms_from(ev->terms, ev->num_terms, 1);
	l->modifiers = um_terms_from(ev->parts, ev->num_parts, !ev->parts[0].name_len);
	l->entry = um_json_find(lists, l->name, l->len);
}

/* Terms behind libpfm4's name; its flags need no value. */
static bool is_term(const struct um_event_term *t, bool libpfm4)
{
	return t->value || (libpfm4 && (um_is_word(t->name, t->name_len, "e") ||
					um_is_word(t->name, t->name_len, "i")));
}

/* The longest head of the text that is a name of the lists: names may have colons of their own. */
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
		/* A unit mask each behind the event, or-ed: IA:MISS is not what the list calls IA_MISS. */
		parts = parts > 4 ? 4 : parts;
		l->name = ev->parts[2].name;
	}
	for (; parts > first && !l->entry; parts--) {
		l->len = (size_t)(ev->parts[parts - 1].end - l->name);
		/* An old name of the list may be libpfm4's word for something else. */
		l->entry = uarch ? NULL : um_json_find(lists, l->name, l->len);
		if (!l->entry)
			l->entry = named_elsewhere(pmus, lists, l, parts);
		if (!l->entry && uarch)
			l->entry = um_json_find(lists, l->name, l->len);
	}
	if (!l->entry)
		return;
	parts++;
	parts += take_masks(l, lists, ev->parts + parts, ev->num_parts - parts);
	l->masks_end = ev->parts[parts - 1].end;
	l->terms.at = ev->parts + parts;
	while (parts + l->terms.num < ev->num_parts && is_term(&l->terms.at[l->terms.num], uarch))
		l->terms.num++;
	l->modifiers = um_terms_from(ev->parts, ev->num_parts, parts + l->terms.num);
}
