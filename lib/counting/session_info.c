/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What a session and its readings can be asked. */
#include <errno.h>

#include "counting/session.h"

size_t um_msr_num_events(const struct um_msr_session *s)
{
	return s->events.num;
}

const char *um_msr_event_name(const struct um_msr_session *s, size_t event)
{
	return event < s->events.num ? s->events.events[event].name : NULL;
}

const char *um_msr_event_pmu(const struct um_msr_session *s, size_t event)
{
	return event < s->events.num ? s->events.events[event].pmu->name : NULL;
}

uint64_t um_msr_event_encoding(const struct um_msr_session *s, size_t event)
{
	return event < s->events.num ? s->events.events[event].word : 0;
}

const char *um_msr_event_measure(const struct um_msr_session *s, size_t event,
					    double *scale)
{
	const struct um_encoding *ev = event < s->events.num ? &s->events.events[event] : NULL;
	const struct um_fixed *f = ev && ev->fixed >= 0 ? &ev->pmu->fixed[ev->fixed] : NULL;

	if (!f || !f->unit)
		return NULL;
	*scale = f->scale;
	return f->unit;
}

size_t um_msr_num_groups(const struct um_msr_session *s)
{
	return (size_t)s->num_sets;
}

size_t um_msr_num_packages(const struct um_msr_session *s)
{
	return s->num_sites;
}

const struct uncoremsr_package *um_msr_package(const struct um_msr_session *s,
							  size_t index)
{
	return index < s->num_sites ? s->sites[index].package : NULL;
}

int um_msr_package_cpu(const struct um_msr_session *s, size_t index)
{
	return index < s->num_sites ? (int)s->sites[index].cpu : -1;
}

const char *um_msr_package_error(const struct um_msr_session *s, size_t index)
{
	return index < s->num_sites && s->sites[index].err ? s->sites[index].error_text : NULL;
}

uint64_t um_msr_max_interval(const struct um_msr_session *s)
{
	uint64_t shortest = UINT64_MAX;

	/* A unit that is not counted has no counter that could wrap. */
	for (size_t i = 0; i < s->num_slots; i++)
		if (!s->slots[i].seen.unit->err && s->slots[i].max_gap_ns < shortest)
			shortest = s->slots[i].max_gap_ns;
	return shortest;
}

const char *uncoremsr_status_word(enum uncoremsr_status status)
{
	static const char *const words[] = {
		[UNCOREMSR_OK] = "ok", [UNCOREMSR_NOT_COUNTED] = "not-counted",
		[UNCOREMSR_WRAPPED] = "wrapped", [UNCOREMSR_DISTURBED] = "disturbed",
		[UNCOREMSR_LOST] = "lost", [UNCOREMSR_FAILED] = "failed",
		[UNCOREMSR_IMPLAUSIBLE] = "implausible", [UNCOREMSR_UNDEFINED] = "undefined",
	};

	return (size_t)status < ARRAY_SIZE(words) ? words[status] : "unknown";
}

const struct uncoremsr_reading *um_msr_reading(const struct um_msr_session *s,
							  size_t package, size_t event)
{
	return um_site_reading(s, package, event, false);
}

const struct uncoremsr_reading *um_msr_total(const struct um_msr_session *s,
							size_t package, size_t event)
{
	return um_site_reading(s, package, event, true);
}

enum uncoremsr_status uncoremsr_reading_status(const struct uncoremsr_reading *r)
{
	return r->status;
}

const char *uncoremsr_reading_detail(const struct uncoremsr_reading *r)
{
	return r->status == UNCOREMSR_OK ? "" : r->detail;
}

int uncoremsr_reading_counter(const struct uncoremsr_reading *r)
{
	return r->counter;
}

int uncoremsr_reading_raw(const struct uncoremsr_reading *r, uint64_t *v)
{
	if (!r->have_raw)
		return -ENODATA;
	*v = r->raw;
	return 0;
}

int uncoremsr_reading_counted(const struct uncoremsr_reading *r, uint64_t *v)
{
	if (r->status != UNCOREMSR_OK)
		return -ENODATA;
	*v = r->counted;
	return 0;
}

int uncoremsr_reading_value(const struct uncoremsr_reading *r, uint64_t *v)
{
	if (r->status != UNCOREMSR_OK)
		return -ENODATA;
	*v = r->value;
	return 0;
}

uint64_t uncoremsr_reading_enabled_ns(const struct uncoremsr_reading *r)
{
	return r->enabled_ns;
}

uint64_t uncoremsr_reading_running_ns(const struct uncoremsr_reading *r)
{
	return r->running_ns;
}

uint64_t uncoremsr_reading_time_ns(const struct uncoremsr_reading *r)
{
	return r->time_ns;
}
