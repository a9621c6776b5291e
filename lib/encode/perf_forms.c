/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Encode an event and its modifiers for perf_event_open(2). */
#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "common/text.h"
#include "names/json_list.h"
#include "names/listed.h"
#include "encode/encoder.h"

/* ---- modifiers ---- */

static uint8_t highest_precise(struct um_encoder *s, const struct um_perf_unit *unit)
{
	int most = unit->pmu ? um_pmu_cap(s->names->access, unit->pmu->name, "max_precise") : -1;

	return most >= 0 && most <= 3 ? (uint8_t)most : 0;
}

/* Does the PMU support exclude bits? For uncore, power and msr PMUs the kernel refuses all exclude bits. */
static bool has_levels(const struct um_perf_unit *unit)
{
	return unit->attr.type == PERF_TYPE_HARDWARE || unit->attr.type == PERF_TYPE_HW_CACHE ||
	       unit->attr.type == PERF_TYPE_RAW ||
	       (unit->pmu && um_kernel_pmu_is_core(unit->pmu));
}

/* @guests: exclude guests unless G or H is given, as perf does if there is no modifier, and always for u and p. */
static void apply_mods(struct um_encoder *s, struct um_perf_unit *unit, struct um_perf_mods m, bool guests)
{
	struct um_perf_attr *a = &unit->attr;

	a->guest_by_default = has_levels(unit) && !(m.set & (UM_MOD_GUEST | UM_MOD_HOST)) &&
			      (guests || m.set & UM_MOD_USER || m.precise);
	a->exclude_guest = a->guest_by_default || (m.set & (UM_MOD_GUEST | UM_MOD_HOST)) == UM_MOD_HOST;
	a->exclude_host = (m.set & (UM_MOD_GUEST | UM_MOD_HOST)) == UM_MOD_GUEST;
	if (m.set & (UM_MOD_USER | UM_MOD_KERNEL | UM_MOD_HV)) {
		a->exclude_user = !(m.set & UM_MOD_USER);
		a->exclude_kernel = !(m.set & UM_MOD_KERNEL);
		a->exclude_hv = !(m.set & UM_MOD_HV);
	}
	a->exclude_idle = m.set & UM_MOD_IDLE_OUT;
	a->pinned = m.set & UM_MOD_PINNED;
	a->exclusive = m.set & UM_MOD_EXCLUSIVE;
	a->precise = m.set & UM_MOD_HIGHEST ? highest_precise(s, unit) : (uint8_t)m.precise;
}

/* ---- events ---- */

static void free_event(struct um_perf_event *ev)
{
	free(ev->name);
	free(ev->pmu);
	free(ev->units);
}

static int unknown_pmu(struct um_encoder *s, const char *name, size_t len)
{
	const struct um_kernel_pmu *before = NULL;
	struct um_kernel_pmu *pmu;
	size_t i = 0;
	char names[UM_MESSAGE_LIST_SIZE] = "";

	/* Metrics need the PMU "power", which not every machine has (Linux arch/x86/events/rapl.c). */
	if (um_is_word(name, len, "power")) {
		um_fail(s->e, -ENOENT, UNCOREMSR_ERROR_UNSUPPORTED, "event '%s': this kernel has no PMU "
			"'power'", s->text);
		return um_advise(s->e, -ENOENT, "the kernel module rapl provides this PMU on processors that count the "
				 "energy that they use");
	}
	UM_REFUSE(s, -ENOENT, "this kernel has no PMU '%.*s'", (int)len, name);
	for (; (pmu = um_kernel_pmus_next(&s->names->kernel, &i, NULL)); before = pmu)
		if (!before || strcmp(pmu->family_name, before->family_name))
			um_list_add(names, sizeof(names), "%s", pmu->family_name);
	return um_advise(s->e, -ENOENT, "%s%s", *names ? "it has " : "there is no PMU in /sys/bus/event_source/devices",
		names);
}

static int slashes(struct um_encoder *s, const struct um_event *ev)
{
	int num;

	s->draft.terms = "";
	s->draft.more = (struct um_term_list){ ev->terms, ev->num_terms };
	s->draft.modifiers = um_terms_from(ev->parts, ev->num_parts, !ev->parts[0].name_len);
	num = um_perf_add_units(s, ev->pmu, ev->pmu_len) ?: um_perf_catalog_pmu(s, ev);
	return num ? num : unknown_pmu(s, ev->pmu, ev->pmu_len);
}

/* Name the PMU after the only unit; else after the families of the units: "FAMILY+FAMILY". */
static int name_units(struct um_encoder *s)
{
	const struct um_perf_event *ev = &s->draft.ev;
	const struct um_kernel_pmu *pmu = s->names->kernel.pmus, *end = pmu + s->names->kernel.num;
	char names[UM_MESSAGE_SIZE] = "";
	const char *last = "";

	if (ev->num_units == 1)
		return um_perf_set_pmu(s, ev->units[0].pmu->name);
	for (; pmu < end; pmu++)
		for (size_t i = 0; i < ev->num_units; i++)
			if (ev->units[i].pmu == pmu && strcmp(pmu->family_name, last)) {
				last = pmu->family_name;
				um_append(names, sizeof(names), "%s%s", *names ? "+" : "", last);
			}
	return um_perf_set_pmu(s, names);
}

/*
 * Apply the modifiers to all units, name the event and its PMU, and move the draft into the list. @group_mods:
 * modifiers after the closing brace; NULL: none. They are added to the event's own modifiers: {cycles:u,instructions}:k
 * counts cycles in both modes.
 */
static int finish(struct um_encoder *s, const char *name, size_t name_len, const char *group_mods)
{
	struct um_perf_event *ev = &s->draft.ev;
	struct um_perf_mods group = { .set = 0 };
	int err = um_perf_take_letters(s) ?: um_perf_check_imc(s);

	if (!err && group_mods)
		err = um_encode_letters(s, group_mods, strlen(group_mods), &group);
	/* Only the first event of a group may be pinned or exclusive (Linux kernel/events/core.c). */
	if (s->perf->num && s->perf->events[s->perf->num - 1].group == s->group)
		group.set &= ~(unsigned)(UM_MOD_PINNED | UM_MOD_EXCLUSIVE);
	for (size_t i = 0; i < ev->num_units && !err; i++) {
		struct um_perf_unit *unit = &ev->units[i];
		struct um_perf_mods mods = ev->mods;

		/* For an uncore event "e" means edge on either route (uncoremsr-events(7)). */
		if (mods.set & UM_MOD_EXCLUSIVE && unit->pmu && !um_kernel_pmu_is_core(unit->pmu)) {
			mods.set &= ~(unsigned)UM_MOD_EXCLUSIVE;
			err = um_perf_add_flag(s, unit, "edge");
		}
		mods.set |= group.set;
		mods.precise = group.precise ? group.precise : mods.precise;
		apply_mods(s, unit, mods, !ev->mods.set && !ev->mods.precise);
	}
	if (!err && !ev->pmu)
		err = name_units(s);
	if (err)
		return err;
	ev->name = strndup(name, name_len);
	ev->group = s->group;
	if (!ev->name || ARRAY_APPEND(s->perf->events, s->perf->num, *ev))
		return -ENOMEM;
	*ev = (struct um_perf_event){ .name = NULL };
	return 0;
}

static int add_event(struct um_encoder *s, const struct um_event *ev)
{
	const char *name = ev->text;
	struct um_listed l;
	int err;

	um_encode_begin(s, ev, &l);
	err = ev->pmu ? slashes(s, ev) : um_perf_listed(s, &l) ?: um_perf_symbol(s, ev);
	/* An event of a list is shown as the list spells it, even if the user wrote it in another case. */
	if (err > 0 && !ev->pmu && s->draft.ev.listed &&
	    um_json_find(s->lists, name, strlen(name), 0) == s->draft.ev.listed)
		name = s->draft.ev.listed->name;
	if (err > 0)
		err = finish(s, ev->shown ? ev->shown : name, ev->shown ? ev->shown_len : strlen(name), ev->group_mods);
	if (s->lists && (err == -ENOENT || err == -EINVAL))
		err = um_json_refused_name(s->lists, l.name, s->e) ?: err;
	return err;
}

static bool same_attr(const struct um_perf_attr *a, const struct um_perf_attr *b)
{
	return a->type == b->type && !memcmp(a->config, b->config, sizeof(a->config)) &&
	       a->exclude_user == b->exclude_user && a->exclude_kernel == b->exclude_kernel &&
	       a->exclude_hv == b->exclude_hv && a->exclude_idle == b->exclude_idle &&
	       a->exclude_host == b->exclude_host && a->exclude_guest == b->exclude_guest &&
	       a->pinned == b->pinned && a->exclusive == b->exclusive && a->precise == b->precise;
}

bool um_perf_same_units(const struct um_perf_event *a, const struct um_perf_event *b)
{
	return a->num_units == b->num_units && strcmp(a->pmu, b->pmu) == 0;
}

bool um_perf_same_event(const struct um_perf_event *a, const struct um_perf_event *b)
{
	if (!um_perf_same_units(a, b))
		return false;
	for (size_t i = 0; i < a->num_units; i++)
		if (a->units[i].pmu != b->units[i].pmu || !same_attr(&a->units[i].attr, &b->units[i].attr))
			return false;
	return true;
}

void um_perf_events_cut(struct um_perf_events *list, size_t num)
{
	while (list->num > num)
		free_event(&list->events[--list->num]);
	list->num_groups = num ? list->events[num - 1].group + 1 : 0;
}

/*
 * Append a group, or nothing. @tables: the group encoded by our tables; NULL: encode the events by the kernel's names
 * and formats.
 */
static int add_group(struct um_perf_events *list, struct um_names *names, const struct um_encodings *tables,
		     const struct um_event *group, size_t num, struct um_error *e)
{
	struct um_event_pmus pmus = { .uarch = "" };
	struct um_encoder s = { .names = names, .lists = names->lists, .pmus = &pmus, .perf = list, .e = e,
				.group = list->num_groups++, .instead = "a name or PMU/term=value,.../" };
	size_t before = list->num;
	int err = um_kernel_pmus_list(&names->kernel) == -ENOMEM ? -ENOMEM : 0;

	if (names->uarch)
		pmus = um_event_pmus_of(names->uarch, NULL);
	s.plain = um_event_plain_pmu(&pmus);
	for (size_t i = 0; i < (tables ? tables->num : num) && !err; i++) {
		const struct um_encoding *of = tables ? &tables->events[i] : NULL;

		s.draft = (struct um_perf_draft){ .ev.scale = 1, .unit = -1 };
		err = of ? um_perf_add_encoding(&s, of) ?: finish(&s, of->name, strlen(of->name), NULL)
			 : add_event(&s, &group[i]);
		free_event(&s.draft.ev);
	}
	if (err)
		um_perf_events_cut(list, before);
	return err == -ENOMEM ? um_no_memory(e) : err;
}

void um_perf_events_free(struct um_perf_events *events)
{
	um_perf_events_cut(events, 0);
	free(events->events);
	*events = (struct um_perf_events){ 0 };
}

/* ---- choose our tables or the kernel's names ---- */

int um_perf_claim(struct um_perf_events *to, const struct um_event_pmus *pmus, const struct um_event *group, size_t num,
		  bool asked, struct um_error *e)
{
	struct um_encodings tables = { 0 };
	int err = -ENOENT, known = um_perf_of_tables(&tables, pmus, group, num, false);

	if (known < 0) {
		um_events_free(&tables);
		return um_no_memory(e);
	}
	if (known) {
		err = add_group(to, pmus->names, &tables, NULL, 0, e);
		um_events_free(&tables);
	}
	if (!known || (asked && err == -ENOENT)) {
		/*
		 * @no_effect: Linux would count without the filter. Usually our tables refuse the event with a message, but
		 * the entry of a list may be accepted.
		 */
		err = tables.no_effect ? um_events_encode(&tables, group, num, pmus, e)
				       : add_group(to, pmus->names, NULL, group, num, e);
		known = err < 0 && err != -ENOMEM && asked ? um_perf_of_tables(&tables, pmus, group, num, true)
							   : tables.num > 0;
		if (known)
			err = known < 0 ? um_no_memory(e) : add_group(to, pmus->names, &tables, NULL, 0, e);
	}
	um_events_free(&tables);
	return err < 0 ? err : 0;
}

int um_perf_parse(struct um_perf_events *to, const struct um_event_pmus *pmus, const char *text, struct um_error *e)
{
	struct um_written w;
	size_t before = to->num;
	int err = um_scan_events(&w, text, e);

	for (size_t i = 0, group; i < w.num && !err; i += group) {
		for (group = 1; i + group < w.num && w.events[i + group].group == w.events[i].group;)
			group++;
		err = um_perf_claim(to, pmus, &w.events[i], group, true, e);
	}
	um_written_free(&w);
	if (!err)
		return (int)(to->num - before);
	um_perf_events_cut(to, before);
	return err;
}
