/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Names of JSON event lists. */
#include <string.h>

#include "events/json_list.h"
#include "events/kernel_pmu.h"

static const struct uncoremsr_event *list(const struct um_lookup *l, size_t index)
{
	const struct um_json_lists *lists = l->names->lists;
	const struct um_json_event *ev = lists ? um_json_event(lists, index) : NULL;

	return ev ? &ev->base : NULL;
}

static const struct uncoremsr_event *find(const struct um_lookup *l, const char *text, size_t len)
{
	const struct um_json_lists *lists = l->names->lists;
	const struct um_json_event *ev = lists ? um_json_find(lists, text, len) : NULL;

	return ev ? &ev->base : NULL;
}

/* Linux has a PMU for each kind of core then (intel_pmu_init() in arch/x86/events/intel/core.c). */
static const char *pmu_of(const struct um_json_event *ev)
{
	if (!ev->core_type || strcmp(ev->pmu, "cpu") != 0)
		return ev->pmu;
	return ev->core_type == 0x40 ? "cpu_core" : "cpu_atom";
}

static const char *or_null(const char *text)
{
	return *text ? text : NULL;
}

static const char *text(const struct uncoremsr_event *event, enum uncoremsr_event_property p)
{
	const struct um_json_event *ev = (const struct um_json_event *)event;

	switch (p) {
	case UNCOREMSR_EVENT_NAME:
		return ev->name;
	case UNCOREMSR_EVENT_PMU:
		return pmu_of(ev);
	case UNCOREMSR_EVENT_UNIT:
		return or_null(ev->unit);
	case UNCOREMSR_EVENT_DESCRIPTION:
		return or_null(ev->description);
	case UNCOREMSR_EVENT_TERMS:
		return ev->terms;
	case UNCOREMSR_EVENT_COUNTERS:
		return or_null(ev->counters);
	case UNCOREMSR_EVENT_IMPOSSIBLE:
		return or_null(ev->impossible);
	default:
		return NULL;
	}
}

static bool number(const struct uncoremsr_event *event, enum uncoremsr_event_property p, uint64_t *v)
{
	const struct um_json_event *ev = (const struct um_json_event *)event;

	switch (p) {
	case UNCOREMSR_EVENT_SELECT:
		return um_terms_value(ev->terms, "event", v);
	case UNCOREMSR_EVENT_UNIT_MASK:
		return um_terms_value(ev->terms, "umask", v);
	case UNCOREMSR_EVENT_DEPRECATED:
		*v = ev->deprecated;
		return true;
	case UNCOREMSR_EVENT_CORE_TYPE:
		*v = ev->core_type;
		return ev->core_type;
	default:
		return false;
	}
}

static void encode(const struct uncoremsr_event *event, struct um_meaning *m)
{
	const struct um_json_event *ev = (const struct um_json_event *)event;

	m->pmu = ev->pmu;
	m->terms = ev->terms;
	m->occupancy_terms = ev->occ_terms;
	m->core_type = ev->core_type;
	m->impossible = ev->impossible;
}

const struct um_name_source um_list_source = { "list", list, find, text, number, encode };
