/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Encode events of event lists into register words: first the terms of the list entry, then the user's terms. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "common/text.h"
#include "encode/encoder.h"
#include "names/json_list.h"
#include "names/listed.h"

int um_free_running(const struct um_pmu *pmu, uint64_t umask)
{
	for (unsigned i = 0; umask && i < pmu->num_fixed; i++)
		if (pmu->fixed[i].umask == umask)
			return (int)i;
	return -1;
}

/* In lists unit mask 0x30+n is the counter of data that leaves port n; on Skylake-SP Linux has other unit masks. */
static int free_running(const struct um_pmu *pmu, uint64_t umask)
{
	char name[24];
	int len = snprintf(name, sizeof(name), "bw_out_port%u", (unsigned)umask & 0xf);
	int fixed = umask >> 4 == 3 ? um_pmu_find_fixed(pmu, name, (size_t)len) : -1;

	return fixed >= 0 ? fixed : um_free_running(pmu, umask);
}

/* The fixed counter for an entry with a pseudo event code; -1: a general counter. */
static int fixed_of(struct um_encoder *s, const struct um_pmu *pmu,
		    const struct um_json_event *entry, const char *terms)
{
	uint64_t select, umask;
	int fixed;

	if (um_pmu_is_core(pmu)) {
		if (entry->fixed < (int)pmu->num_fixed)
			return entry->fixed;
		return UM_REFUSE(s, -ENOTSUP, "the event list names fixed counter %d, which %s does not have here",
				 entry->fixed, pmu->name);
	}
	/* The kernel uses event select 0xff for fixed counters. On a general counter 0xff would count another event. */
	if (!um_terms_value(terms, "event", &select) || select != 0xff)
		return -1;
	fixed = um_terms_value(entry->terms, "umask", &umask) ? free_running(pmu, umask) : -1;
	if (fixed >= 0 || pmu->num_fixed == 1)
		return fixed < 0 ? 0 : fixed;
	return UM_REFUSE(s, -ENOTSUP, "the event needs a fixed counter of %s that the tables do not have", pmu->name);
}

const char *um_terms_on(const struct um_json_event *ev, const struct um_pmu *pmu)
{
	return *ev->occ_terms && !um_term_find(pmu, UM_WORD("umask")) ? ev->occ_terms : ev->terms;
}

/* Refuse terms that need MSR 0x1a6, 0x1a7, 0x3f6 or 0x3f7 (json_list_entry.c). */
static int check_second_register(struct um_encoder *s, const struct um_pmu *pmu, const char *terms)
{
	static const char names[][12] = { "offcore_rsp", "ldlat", "frontend" };
	uint64_t value;

	for (size_t i = 0; i < ARRAY_SIZE(names) && um_pmu_is_core(pmu); i++)
		if (um_terms_value(terms, names[i], &value))
			return UM_REFUSE(s, -ENOTSUP, "the event needs %s, a second register of the core, which only "
					 "the kernel's route (perf) sets", names[i]);
	return 0;
}

/* Did the user give a whole word ("config1="), as collectd's files do? Then the event is shown as the user wrote it. */
static bool has_whole_words(struct um_term_list l)
{
	for (size_t i = 0; i < l.num; i++)
		if (um_starts_with(l.at[i].name, "config"))
			return true;
	return false;
}

/* Is the event shown with the list's name? Else it is shown as written, which the kernel accepts for core events. */
static bool has_own_name(const struct um_listed *l, const struct um_pmu *pmu)
{
	return !um_pmu_is_core(pmu) && !l->num_more && !has_whole_words(l->terms) && !has_whole_words(l->modifiers) &&
	       !l->entry->hidden;
}

static int encode_entry_on(struct um_encoder *s, const struct um_listed *l, const struct um_json_event *entry,
			   const struct um_pmu *pmu, int unit)
{
	const char *own = um_terms_on(entry, pmu), *terms = *l->masks ? l->masks : own;
	struct um_draft d = um_draft_for(s, pmu, unit), bare = d;
	int err = 0;

	d.entry = entry;
	d.listed = has_own_name(l, pmu) ? entry->name : NULL;
	d.ev.listed = *l->masks ? NULL : entry;
	d.ev.fixed = fixed_of(s, pmu, entry, terms);
	if (d.ev.fixed < -1)
		return d.ev.fixed;
	if (d.ev.fixed < 0) {
		err = check_second_register(s, pmu, terms) ?: um_put_text(&d, terms);
		/* The name stands for the entry's own terms, without libpfm4's filters. */
		if (!err && d.listed && *l->masks)
			err = um_put_text(&bare, own);
	}
	d.named = *l->masks ? bare.words : d.words;
	return err ? err : um_encode_draft(&d, l->terms, l->modifiers);
}

/* The registers accept all terms of an entry, also bits that the kernel's files lack (ExtSel of the first Xeons E5). */
static int encode_listed(struct um_encoder *s, const struct um_listed *l, const struct um_json_event *entry)
{
	const struct um_pmu *pmu, *asked = NULL;
	int unit = -1, none, err;

	err = um_event_pmu(s->pmus, entry->pmu, strlen(entry->pmu), &pmu, &none, s->text, s->e);
	/* If an event needs a match register, refuse it: without that register it would count something else. */
	if (err || entry->base.pub.impossible)
		return UM_REFUSE(s, -ENOTSUP, "the event counts on PMU '%s', whose registers cannot be reached here "
				 "as MSRs", entry->pmu);
	if (l->pmu)
		err = um_event_pmu(s->pmus, l->pmu, l->pmu_len, &asked, &unit, s->text, s->e);
	if (err)
		return err;
	if (asked && asked != pmu)
		return UM_REFUSE(s, -ENOENT, "in the event list this event belongs to PMU %s", pmu->name);
	return encode_entry_on(s, l, entry, pmu, unit);
}

/* @of_kind: put the kernel's PMU for the core type in front. False: the name is too long. */
static bool name_listed(const struct um_listed *l, struct um_encoding *ev, bool of_kind)
{
	bool alone = !l->ev->pmu && l->name == l->ev->text && !l->name[l->len];
	const char *kind = um_core_type_pmu(ev->core_type), *name = ev->listed ? ev->listed->name : l->entry->name;
	int len = 0;

	if (of_kind && l->ev->pmu)
		len = snprintf(ev->name, sizeof(ev->name), "%s%s", kind, strchr(l->ev->text, '/'));
	else if (of_kind)
		len = snprintf(ev->name, sizeof(ev->name), "%s/%s/%s", kind, name, l->name + l->len);
	else if (!has_own_name(l, ev->pmu) || !*ev->name)
		len = snprintf(ev->name, sizeof(ev->name), "%s", alone ? l->entry->name : l->ev->text);
	return len < UM_EVENT_TEXT;
}

/* Fail because the combined unit masks belong to one core type. On other core types the same codes are other events. */
static int several_masks(struct um_encoder *s, const struct um_listed *l)
{
	char names[96] = "";
	uint8_t type;

	for (size_t i = 0; (type = um_core_type(i)); i++)
		if (um_json_find(s->lists, l->name, l->len, type))
			um_list_add(names, sizeof(names), "%s/NAME.MASK/", um_core_type_pmu(type));
	UM_REFUSE(s, -ENOTSUP, "unit masks cannot be combined for several core types, each of which has codes of "
		  "its own");
	return um_advise(s->e, -ENOTSUP, "count each unit mask as an event: %s", names);
}

int um_listed_kinds(struct um_encoder *s, const struct um_listed *l, um_kind_fn *add)
{
	uint8_t only = s->core_type, type;
	int num = 0;

	if (l->entry->core_type && !um_is_core_type(l->entry->core_type))
		return UM_REFUSE(s, -ENOTSUP, "the event list has this event for cores of type 0x%x, which this "
				 "library does not know", l->entry->core_type);
	for (size_t i = 0; (type = um_core_type(i)); i++) {
		const struct um_json_event *entry = l->entry;
		int err;

		if (only && only != type)
			continue;
		if (entry->core_type && entry->core_type != type)
			entry = um_json_find(s->lists, l->name, l->len, type);
		if (entry && entry != l->entry && *l->masks)
			return several_masks(s, l);
		err = entry ? add(s, l, entry, type) : 0;
		if (err < 0)
			return err;
		num += err;
	}
	return num;
}

static int encode_kind(struct um_encoder *s, const struct um_listed *l, const struct um_json_event *entry, uint8_t type)
{
	s->core_type = type;
	return encode_listed(s, l, entry) ?: 1;
}

int um_encode_entry(struct um_encoder *s, const struct um_listed *l)
{
	bool kinds = l->entry->core_type, asked = s->core_type;
	size_t before = s->list->num;
	int num = kinds ? um_listed_kinds(s, l, encode_kind) : encode_listed(s, l, l->entry);

	if (kinds && !num)
		return UM_REFUSE(s, -ENOENT, "the event lists do not have this event for this kind of core");
	kinds = kinds && (asked || num > 1);
	for (size_t i = before; num >= 0 && i < s->list->num; i++)
		if (!name_listed(l, &s->list->events[i], kinds))
			return UM_REFUSE(s, -EINVAL, "the event's text is too long: at most %d characters with its PMU",
					 UM_EVENT_TEXT - 1);
	return num < 0 ? num : 0;
}
