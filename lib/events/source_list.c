/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Names of JSON event lists. */
#include <errno.h>
#include <string.h>

#include "events/json_list.h"
#include "events/kernel_pmu.h"
#include "events/scanner.h"

static int lacks_umask(void *user, struct um_kernel_pmu *pmu)
{
	struct um_kernel_pmus *p = user;

	return um_kernel_pmu_load(p, pmu) || um_kernel_format(pmu, "umask", 5) ? 0 : -ENOENT;
}

/* Complete the record: source, hidden or not, and whether this machine's kernel has the umask term. */
const struct uncoremsr_event *um_list_named(const struct um_names *n, const struct um_json_event *ev)
{
	struct um_kernel_pmus *p = n->kernel;
	struct um_json_event *mine;

	if (!ev)
		return NULL;
	mine = (struct um_json_event *)ev;
	mine->base.source = &um_list_source;
	mine->hidden = um_json_find(n->lists, ev->name, strlen(ev->name)) != ev;
	if (p && *ev->occ_terms)
		mine->no_umask =
			um_kernel_pmus_match(p, ev->pmu, strlen(ev->pmu), lacks_umask, p) < 0;
	return &ev->base;
}

static const struct uncoremsr_event *list(const struct um_lookup *l, size_t *index)
{
	const struct um_json_lists *lists = l->names->lists;

	if (lists && *index < um_json_num(lists))
		return um_list_named(l->names, um_json_event(lists, *index));
	*index -= lists ? um_json_num(lists) : 0;
	return NULL;
}

static const struct uncoremsr_event *find(const struct um_lookup *l, const char *text, size_t len)
{
	const struct um_json_lists *lists = l->names->lists;

	return lists ? um_list_named(l->names, um_json_find(lists, text, len)) : NULL;
}

/* On hybrid processors Linux has a PMU for each core type (intel_pmu_init() in arch/x86/events/intel/core.c). */
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

	const char *const texts[] = {
		[UNCOREMSR_EVENT_NAME] = ev->name,
		[UNCOREMSR_EVENT_PMU] = pmu_of(ev),
		[UNCOREMSR_EVENT_UNIT] = or_null(ev->unit),
		[UNCOREMSR_EVENT_DESCRIPTION] = or_null(ev->description),
		[UNCOREMSR_EVENT_TERMS] = ev->no_umask ? ev->occ_terms : ev->terms,
		[UNCOREMSR_EVENT_COUNTERS] = or_null(ev->counters),
		[UNCOREMSR_EVENT_IMPOSSIBLE] = or_null(ev->impossible),
	};

	return (unsigned)p < ARRAY_SIZE(texts) ? texts[p] : NULL;
}

static bool number(const struct uncoremsr_event *event, enum uncoremsr_event_property p, uint64_t *v)
{
	const struct um_json_event *ev = (const struct um_json_event *)event;

	switch (p) {
	case UNCOREMSR_EVENT_SELECT:
		return um_terms_value(ev->no_umask ? ev->occ_terms : ev->terms, "event", v);
	case UNCOREMSR_EVENT_UNIT_MASK:
		return um_terms_value(ev->no_umask ? ev->occ_terms : ev->terms, "umask", v);
	case UNCOREMSR_EVENT_DEPRECATED:
		*v = ev->deprecated;
		return true;
	case UNCOREMSR_EVENT_HIDDEN:
		*v = ev->hidden;
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
