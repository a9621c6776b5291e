/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Encode events written as a name without a PMU: names of perf, of lists and of catalogs, tracepoints, and predefined
 * events of the kernel's PMUs. If the name stands for terms, the event is encoded on each unit of the PMUs that have
 * it. The functions for one source of names return a positive number; 0 if the source does not have the name; or a
 * negative errno.
 */
#include <ctype.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>

#include "common/number.h"
#include "common/text.h"
#include "names/imc_lists.h"
#include "names/json_list.h"
#include "names/listed.h"
#include "names/names.h"
#include "names/synonyms.h"
#include "encode/encoder.h"

/*
 * Add one unit for each core type of a hybrid processor, else one unit. On a hybrid processor the type of a raw code is
 * the PMU's type number; a generic event has that number in the upper half of config (Linux PERF_HW_EVENT type
 * extension).
 */
static int core_units(struct um_encoder *s, uint32_t type, uint64_t config)
{
	const struct um_kernel_pmus *p = &s->names->kernel;
	bool hybrid = true;
	int err = 0;

	for (size_t i = 0; i < p->num && hybrid && !err; i++) {
		struct um_kernel_pmu *pmu = &p->pmus[i];

		if (!um_kernel_pmu_is_core(pmu) || !um_kernel_pmu_exists(pmu))
			continue;
		hybrid = strcmp(pmu->name, "cpu");
		if (type == PERF_TYPE_RAW)
			err = um_perf_add_words(s, pmu, hybrid ? pmu->type : type, config, NULL);
		else
			err = um_perf_add_words(s, pmu, type, config | (hybrid ? (uint64_t)pmu->type << 32 : 0), NULL);
	}
	if (err || s->draft.ev.num_units)
		return err ?: 1;
	return um_perf_add_words(s, NULL, type, config, "cpu") ?: 1;
}

static int generic(struct um_encoder *s, const char *name, size_t len)
{
	struct um_perf_code m;

	if (!um_perf_name_find(name, len, &m))
		return 0;
	if (m.type != PERF_TYPE_SOFTWARE)
		return core_units(s, m.type, m.config);
	s->draft.ev.scale = m.scale;
	s->draft.ev.measure = m.measure;
	return um_perf_add_words(s, NULL, m.type, m.config, "software") ?: 1;
}

/*
 * Encode TYPE:CONFIG, two numbers for struct perf_event_attr. 0: the text has another form, or no PMU has that type. If the uncore is one PMU, two numbers usually are EVENT:UMASK; they are TYPE:CONFIG only if the first is
 * decimal and the second is above 0xff.
 */
static int typed(struct um_encoder *s, const struct um_event_term *p)
{
	static const char names[][12] = { "cpu", "software", "tracepoint", "cpu", "cpu" };
	struct um_kernel_pmu *pmu;
	uint64_t type, config;
	size_t i = 0;

	if (p[0].value || p[1].value || !um_perf_number(p[0].name, p[0].name_len, &type) ||
	    !um_perf_number(p[1].name, p[1].name_len, &config) ||
	    (s->plain && (config <= 0xff || memchr(p[0].name, 'x', p[0].name_len))))
		return 0;
	while ((pmu = um_kernel_pmus_next(&s->names->kernel, &i, NULL)) && pmu->type != type)
		;
	if (!pmu && type >= ARRAY_SIZE(names))
		return 0;
	return um_perf_add_words(s, pmu, (uint32_t)type, config, pmu ? pmu->name : names[type]) ?: 1;
}

/* Where tracefs is mounted (Linux Documentation/trace/ftrace.rst). */
static const char trace_roots[][28] = { "sys/kernel/tracing", "sys/kernel/debug/tracing" };

static int is_there(void *user, const char *name)
{
	(void)user, (void)name;
	return 1;
}

/* Are tracepoints unavailable only because tracefs is not mounted? */
static bool lacks_tracefs(struct um_encoder *s)
{
	struct um_access *a = s->names->access;

	return a->ops->list(a, trace_roots[0], is_there, NULL) == 0;
}

/* Encode "SYSTEM:EVENT" with the id from tracefs (Linux Documentation/trace/events.rst). */
static int tracepoint(struct um_encoder *s, const char *name, size_t len)
{
	const char *colon = memchr(name, ':', len);
	char path[400], line[32];
	uint64_t id;

	/* The name has no slash, else it would have been parsed as PMU/.../. Opening a truncated path fails. */
	if (!colon || memchr(name, '=', len))
		return 0;
	for (size_t i = 0; i < ARRAY_SIZE(trace_roots); i++) {
		ssize_t got;

		snprintf(path, sizeof(path), "%s/events/%.*s/%.*s/id", trace_roots[i],
			 (int)(colon - name), name, (int)(len - (size_t)(colon - name) - 1),
			 colon + 1);
		got = um_access_line(s->names->access, path, line, sizeof(line));
		if (got > 0 && um_perf_number(line, (size_t)got, &id))
			return um_perf_add_words(s, NULL, PERF_TYPE_TRACEPOINT, id, "tracepoint") ?: 1;
		s->draft.denied |= um_lacks_permission((int)got);
	}
	return 0;
}

/* Encode a predefined event by its name ("mem-loads"), on any PMU of the kernel that has it. */
static int alias(struct um_encoder *s, const char *name, size_t len)
{
	struct um_kernel_pmus *p = &s->names->kernel;
	const struct um_kernel_pmu *first = NULL;
	struct um_kernel_pmu *pmu;
	size_t i = 0;

	if (memchr(name, ':', len))
		return 0;
	while ((pmu = um_kernel_pmus_next(p, &i, NULL))) {
		const struct um_kernel_alias *found;
		int err = um_kernel_pmu_find_event(pmu, name, len, &found);

		/* Use units of one family only: in another family an event of this name may mean something else. */
		if (found && (!first || !strcmp(first->family_name, pmu->family_name))) {
			first = first ? first : pmu;
			err = um_perf_add_unit(s, pmu, found->name);
		}
		if (err)
			return err;
	}
	return first ? um_perf_set_pmu(s, first->family_name) ?: 1 : 0;
}

static int add_kind(struct um_encoder *s, const struct um_listed *l, const struct um_json_event *entry, uint8_t type)
{
	const char *pmu = um_core_type_pmu(type);

	(void)l;
	s->draft.listed = entry;
	return um_perf_add_units(s, pmu, strlen(pmu));
}

static int not_here(const struct um_encoder *s, const struct um_json_event *ev)
{
	const char *pmu = um_json_pmu(ev);
	char unit[16] = "";

	if (s->draft.unit >= 0)
		snprintf(unit, sizeof(unit), "_%d", s->draft.unit);
	um_fail(s->e, -ENOENT, UNCOREMSR_ERROR_UNSUPPORTED, "event '%s': the event list has this "
		"event, but this kernel has no PMU '%s%s'", s->text, pmu, unit);
	return um_advise(s->e, -ENOENT, "uncore-info shows the kernel's PMUs; a newer kernel, or the driver "
		"(module %s), may add this PMU",
		um_starts_with(ev->pmu, "amd_") ? "amd_uncore" : "intel_uncore");
}

/* Does the event have a filter? In Linux, filters are in config1 and config2. */
static bool is_filtered(const struct um_perf_event *ev)
{
	for (size_t i = 0; i < ev->num_units; i++)
		if (ev->units[i].attr.config[1] || ev->units[i].attr.config[2])
			return true;
	return false;
}

static int add_listed(struct um_encoder *s, const struct um_listed *l)
{
	const struct um_json_event *ev = l->entry;
	const char *pmu = um_starts_with(ev->pmu, "cpu") ? "cpu" : ev->pmu;
	struct um_perf_event *to = &s->draft.ev;
	int num;

	if (ev->base.pub.impossible)
		return UM_REFUSE(s, -ENOTSUP, "perf cannot express this event: %s", ev->base.pub.impossible);
	s->draft.listed = ev;
	num = um_perf_add_units(s, pmu, strlen(pmu));
	if (!num && !strcmp(pmu, "cpu"))
		num = um_listed_kinds(s, l, add_kind);
	if (num < 0)
		return num;
	if (!to->num_units)
		return not_here(s, ev);
	to->unnamed = s->draft.terms;
	to->listed = to->unnamed ? NULL : ev;
	if (ev->wants_filter && !is_filtered(to))
		um_event_remark(&to->notes, um_lacks_filter);
	if (s->draft.unit < 0 && !um_kernel_pmu_is_core(to->units[0].pmu))
		num = um_perf_set_pmu(s, ev->pmu);
	return num ?: 1;
}

static int named_unit(struct um_encoder *s, const struct um_listed *w, int *unit)
{
	const struct um_pmu *pmu;
	int err = um_event_pmu(s->pmus, w->pmu, w->pmu_len, &pmu, unit, s->text, s->e);

	/* -ENOTSUP: registers cannot be used for this PMU, but the kernel may count it. */
	if (err && err != -ENOTSUP)
		return err;
	s->e->msg[0] = '\0';
	if (!strcmp(pmu->kernel, w->entry->pmu))
		return 0;
	return UM_REFUSE(s, -EINVAL, "in the event list this event belongs to PMU %s", w->entry->pmu);
}

/* Is the event in likwid's form ("CAS_COUNT_RD:MBOX0C0"), on a PMU without MSRs? Linux then chooses the counter. */
static bool names_counter(const struct um_event_pmus *pmus, const struct um_listed *w, int *unit)
{
	const struct um_event_term *t = w->modifiers.at;
	struct um_counter_word word;

	if (w->pmu || !w->modifiers.num || t->value)
		return false;
	for (size_t i = 0; i < pmus->num; i++) {
		const struct um_pmu *pmu = pmus->pmus[i];

		if (pmu->reach == UM_REACH_MSR || strcmp(pmu->kernel, w->entry->pmu) ||
		    !um_counter_word(pmu, t->name, t->name_len, &word))
			continue;
		*unit = word.unit;
		return true;
	}
	return false;
}

int um_perf_listed(struct um_encoder *s, const struct um_listed *l)
{
	struct um_perf_draft *d = &s->draft;
	struct um_perf_code m;
	size_t counter;
	int err = 0;

	if (!l->entry || um_perf_name_find(l->name, l->len, &m))
		return 0;
	if (l->pmu && l->pmu_len)
		err = named_unit(s, l, &d->unit);
	if (err)
		return err;
	counter = names_counter(s->pmus, l, &d->unit);
	d->terms = *l->masks ? l->masks : NULL;
	d->filtered = l->filtered;
	d->more = l->terms;
	d->modifiers = um_terms_from(l->modifiers.at, l->modifiers.num, counter);
	return add_listed(s, l);
}

static int catalogued(struct um_encoder *s, const char *name, size_t len)
{
	const struct um_imc_name *n = um_imc_find(&s->names->imc, name, len);

	if (!n)
		return 0;
	s->draft.terms = n->event->name;
	return um_perf_add_units(s, n->unit->pmu, strlen(n->unit->pmu)) ?: um_perf_absent_event(s, n);
}

static int unknown_name(struct um_encoder *s, const struct um_event *ev)
{
	if (s->draft.denied) {
		um_fail(s->e, -EACCES, UNCOREMSR_ERROR_ACCESS,
			"event '%s': the tracepoint's id cannot be read", s->text);
		return um_advise(s->e, -EACCES, "only root may read tracefs (/sys/kernel/tracing): run as root, or let "
				 "a group read it (mount -o remount,gid=..,mode=755)");
	}
	if (um_event_is_pattern(s->text, strlen(s->text))) {
		UM_REFUSE(s, -ENOENT, "a pattern matches only events of the uncore");
		return um_advise(s->e, -ENOENT, "name core events one by one");
	}
	UM_REFUSE(s, -ENOENT, "not a name that the kernel%s knows", s->lists ? ", perf or an event list" : " or perf");
	if (um_perf_suggest(s, ev->text, (size_t)(ev->parts[0].end - ev->text)))
		return -ENOENT;
	if (ev->num_parts > 1 && islower((unsigned char)*ev->text) && lacks_tracefs(s))
		um_hint(s->e, "tracepoints need tracefs, which is not mounted here: "
			"mount -t tracefs nodev /sys/kernel/tracing");
	else
		um_hint(s->e, s->lists ? "names can be found with uncore-events search" :
			"names of this processor's own events come from an event list: "
			"--event-list=FILE");
	return -ENOENT;
}

/* Try the whole text as the name, then the text without its last part, which then holds modifiers. */
int um_perf_symbol(struct um_encoder *s, const struct um_event *ev)
{
	const struct um_event_term *p = ev->parts;
	const char *name = ev->text;
	size_t num = ev->num_parts, parts = num > 1 ? 2 : 1;
	int found = num > 1 ? typed(s, p) : 0;
	uint64_t word;

	for (size_t head = num; !found && head && head + 2 > num; head--) {
		size_t len = (size_t)(p[head - 1].end - name);

		parts = head;
		found = generic(s, name, len) ?: tracepoint(s, name, len) ?: alias(s, name, len) ?:
			catalogued(s, name, len);
	}
	if (!found && *name == 'r' && um_perf_hex(name + 1, (size_t)(p[0].end - name - 1), &word)) {
		parts = 1;
		found = core_units(s, PERF_TYPE_RAW, word);
	}
	if (!found)
		return unknown_name(s, ev);
	for (; found > 0 && parts < num; parts++)
		found = um_encode_letters(s, p[parts].name, (size_t)(p[parts].end - p[parts].name),
					  &s->draft.ev.mods) ?: found;
	return found;
}
