/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What a session can be asked about its events, packages and metrics. */
#include "session/session.h"

static const struct um_event_ref *ref_of(const struct uncoremsr_session *s, size_t event)
{
	return event < s->num_refs ? &s->refs[event] : NULL;
}

static bool by_registers(const struct uncoremsr_session *s, size_t event)
{
	const struct um_event_ref *ref = ref_of(s, event);

	return ref && ref->part == UM_PART_MSR;
}

size_t uncoremsr_session_num_events(const struct uncoremsr_session *s)
{
	return s->num_refs;
}

const char *uncoremsr_session_event_name(const struct uncoremsr_session *s, size_t event)
{
	if (by_registers(s, event))
		return um_msr_event_name(s->msr, s->refs[event].index);
	return ref_of(s, event) ? um_session_perf_event(s, event)->name : NULL;
}

const char *uncoremsr_session_event_pmu(const struct uncoremsr_session *s, size_t event)
{
	if (by_registers(s, event))
		return um_msr_event_pmu(s->msr, s->refs[event].index);
	return ref_of(s, event) ? um_session_perf_event(s, event)->pmu : NULL;
}

uint64_t uncoremsr_session_event_encoding(const struct uncoremsr_session *s, size_t event)
{
	if (by_registers(s, event))
		return um_msr_event_encoding(s->msr, s->refs[event].index);
	return ref_of(s, event) ? um_session_perf_event(s, event)->units[0].attr.config[0] : 0;
}

enum uncoremsr_route uncoremsr_session_event_route(const struct uncoremsr_session *s, size_t event)
{
	if (!ref_of(s, event))
		return UNCOREMSR_ROUTE_AUTO;
	return by_registers(s, event) ? UNCOREMSR_ROUTE_MSR : UNCOREMSR_ROUTE_PERF;
}

const char *uncoremsr_session_event_measure(const struct uncoremsr_session *s, size_t event,
					    double *scale)
{
	const struct um_perf_event *ev;

	if (by_registers(s, event))
		return um_msr_event_measure(s->msr, s->refs[event].index, scale);
	ev = ref_of(s, event) ? um_session_perf_event(s, event) : NULL;
	if (!ev || !ev->measure)
		return NULL;
	*scale = ev->scale;
	return ev->measure;
}

int uncoremsr_session_event_is_level(const struct uncoremsr_session *s, size_t event)
{
	return ref_of(s, event) && !by_registers(s, event) &&
	       um_session_perf_event(s, event)->snapshot;
}

int uncoremsr_session_event_is_task(const struct uncoremsr_session *s, size_t event)
{
	return ref_of(s, event) && s->refs[event].part == UM_PART_TASK;
}

size_t uncoremsr_session_num_groups(const struct uncoremsr_session *s)
{
	return s->msr_runs ? um_msr_num_groups(s->msr) : 1;
}

size_t uncoremsr_session_num_packages(const struct uncoremsr_session *s)
{
	return um_msr_num_packages(s->msr);
}

const struct uncoremsr_package *uncoremsr_session_package(const struct uncoremsr_session *s,
							  size_t index)
{
	return um_msr_package(s->msr, index);
}

int uncoremsr_session_package_cpu(const struct uncoremsr_session *s, size_t index)
{
	return um_msr_package_cpu(s->msr, index);
}

const char *uncoremsr_session_package_error(const struct uncoremsr_session *s, size_t index)
{
	/* What of it the kernel counts is counted; its units tell the rest. */
	if (s->system.runs || s->task.runs || !um_session_uses(s, UM_PART_MSR))
		return NULL;
	return um_msr_package_error(s->msr, index);
}

uint64_t uncoremsr_session_max_interval(const struct uncoremsr_session *s)
{
	return s->msr_runs ? um_msr_max_interval(s->msr) : UINT64_MAX;
}

size_t uncoremsr_session_num_metrics(const struct uncoremsr_session *s)
{
	return um_msr_num_metrics(s->msr);
}

const struct uncoremsr_metric *uncoremsr_session_metric(const struct uncoremsr_session *s,
							size_t metric)
{
	return um_msr_metric(s->msr, metric);
}

const struct uncoremsr_metric_value *
uncoremsr_session_metric_value(const struct uncoremsr_session *s, size_t package, size_t metric)
{
	return um_msr_metric_value(s->msr, package, metric);
}

const struct uncoremsr_metric_value *
uncoremsr_session_metric_total(const struct uncoremsr_session *s, size_t package, size_t metric)
{
	return um_msr_metric_total(s->msr, package, metric);
}
