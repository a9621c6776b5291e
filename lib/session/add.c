/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Events join a session: item by item of a text, a group as a whole, each by its route
 * (session_route.c). Of a text all is added or nothing.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "events/catalogue.h"
#include "session/session.h"

bool um_session_uses(const struct uncoremsr_session *s, enum um_part part)
{
	for (size_t i = 0; i < s->num_refs; i++)
		if (s->refs[i].part == part)
			return true;
	return false;
}

static int add_ref(struct uncoremsr_session *s, enum um_part part, size_t index, const char *why)
{
	struct um_event_ref *grown = realloc(s->refs, (s->num_refs + 1) * sizeof(*grown));

	if (!grown)
		return um_front_no_memory(s);
	s->refs = grown;
	s->refs[s->num_refs++] = (struct um_event_ref){ part, index, why };
	s->num_known += part == UM_PART_MSR;
	return 0;
}

void um_front_take_back(struct uncoremsr_session *s, size_t num)
{
	while (s->num_refs > num) {
		const struct um_event_ref *ref = &s->refs[--s->num_refs];

		if (ref->part == UM_PART_MSR)
			um_msr_cut(s->msr, --s->num_known);
		else
			um_perf_events_cut(&um_perf_part_of(s, ref->part)->count.events,
					   ref->index);
	}
}

/* ---- registers ---- */

/* Events that the register part has got become events of the session. */
static int take_new(struct uncoremsr_session *s, const char *why)
{
	int err = 0;

	while (!err && s->num_known < um_msr_num_events(s->msr))
		err = add_ref(s, UM_PART_MSR, s->num_known, why);
	return err;
}

/* Core counters in registers count whole CPUs, whatever runs there. */
static int check_task(struct uncoremsr_session *s, size_t from)
{
	for (size_t i = from; i < s->msr->events.num && s->target != UM_TARGET_SYSTEM; i++) {
		const struct um_encoding *ev = &s->msr->events.events[i];

		if (!ev->pmu->only_on_request)
			continue;
		um_fail(&s->um->error, -ENOTSUP, UNCOREMSR_ERROR_UNSUPPORTED,
			"event '%s': registers count whole CPUs, not a process", ev->name);
		um_hint(&s->um->error, "the kernel can: --route=perf");
		return -ENOTSUP;
	}
	return 0;
}

int um_front_add_msr(struct uncoremsr_session *s, const char *text, const char *why)
{
	size_t before = s->msr->events.num;
	int num = um_msr_add(s->msr, text);
	int err = num < 0 ? num : check_task(s, before);

	if (err && num > 0)
		um_msr_cut(s->msr, before);
	if (!err)
		err = take_new(s, why);
	return err ? err : num;
}

/* ---- the kernel ---- */

/* Uncore PMUs count for whole packages, whatever the task. */
static enum um_part part_for(const struct uncoremsr_session *s, const struct um_perf_event *ev)
{
	return s->target == UM_TARGET_SYSTEM || ev->is_uncore ? UM_PART_SYSTEM : UM_PART_TASK;
}

static int refuse_torn_group(struct uncoremsr_session *s, const struct um_perf_event *ev)
{
	um_fail(&s->um->error, -EINVAL, UNCOREMSR_ERROR_USAGE,
		"event '%s': its group has events of a task and events of whole packages",
		ev->name);
	um_hint(&s->um->error,
		"a group is counted by one PMU at the same time: put them into two groups");
	return -EINVAL;
}

static bool continues_group(const struct um_perf_events *list, size_t i)
{
	return i && list->events[i].group == list->events[i - 1].group;
}

/* A group stays whole: all of it is of one part. */
static int check_groups(struct uncoremsr_session *s, const struct um_perf_events *list)
{
	for (size_t i = 0; i < list->num; i++)
		if (continues_group(list, i) &&
		    part_for(s, &list->events[i]) != part_for(s, &list->events[i - 1]))
			return refuse_torn_group(s, &list->events[i]);
	return 0;
}

/* From a list of its own to that of its part, with the groups numbered on. */
static int move(struct uncoremsr_session *s, struct um_perf_events *from, size_t i, bool same,
		const char *why)
{
	enum um_part part = part_for(s, &from->events[i]);
	struct um_perf_events *to = &um_perf_part_of(s, part)->count.events;
	struct um_perf_event *grown = realloc(to->events, (to->num + 1) * sizeof(*grown));

	if (!grown)
		return um_front_no_memory(s);
	to->events = grown;
	grown[to->num] = from->events[i];
	grown[to->num].group = same && to->num ? grown[to->num - 1].group : to->num_groups++;
	from->events[i] = (struct um_perf_event){ .name = NULL };
	return add_ref(s, part, to->num++, why);
}

int um_front_add_perf(struct uncoremsr_session *s, const char *text, const char *why)
{
	struct um_perf_events list = { .num = 0 };
	size_t before = s->num_refs;
	struct um_perf_scope scope;
	int num = um_perf_names(s->um, &scope), err = 0;
	bool same = false;

	if (!num)
		num = um_perf_parse(&list, &scope, text, &s->um->error);
	if (num > 0)
		err = check_groups(s, &list);
	for (size_t i = 0; num > 0 && !err && i < list.num; i++) {
		unsigned group = list.events[i].group;

		err = move(s, &list, i, same, why);
		same = i + 1 < list.num && list.events[i + 1].group == group;
	}
	um_perf_events_free(&list);
	if (err)
		um_front_take_back(s, before);
	return err ? err : num;
}

/* ---- a text ---- */

/* The end of an item: a comma that stands in no braces, slashes or brackets. */
static const char *item_end(const char *text)
{
	bool slashes = false;
	int depth = 0;

	for (; *text; text++) {
		if (*text == '/')
			slashes = !slashes;
		else if (strchr("{[", *text) && !slashes)
			depth++;
		else if (strchr("}]", *text) && !slashes)
			depth--;
		else if (*text == ',' && !slashes && depth <= 0)
			break;
	}
	return text;
}

void um_front_tell_routes(struct uncoremsr_session *s, size_t from)
{
	for (size_t i = from; i < s->num_refs; i++)
		um_log(&s->um->m, "%s: counted by %s: %s", uncoremsr_session_event_name(s, i),
		       s->refs[i].part == UM_PART_MSR ? "registers" : "the kernel", s->refs[i].why);
}

int uncoremsr_session_add(struct uncoremsr_session *s, const char *text)
{
	size_t before = s->num_refs;
	int num = 0;

	if (s->running)
		return um_front_runs(s);
	for (const char *at = text;; at++) {
		const char *end = item_end(at);
		char *item = strndup(at, (size_t)(end - at));
		int err = item ? um_front_route(s, item) : um_front_no_memory(s);

		free(item);
		if (err < 0) {
			um_front_take_back(s, before);
			return err;
		}
		num += err;
		if (!*end)
			break;
		at = end;
	}
	um_front_tell_routes(s, before);
	return num;
}

/* Their formulas take what the register part has read. */
static int refuse_metrics(struct uncoremsr_session *s)
{
	um_fail(&s->um->error, -ENOTSUP, UNCOREMSR_ERROR_UNSUPPORTED,
		"metrics are worked out from registers, not from what the kernel counts");
	um_hint(&s->um->error, "use --route=msr, or count the events of the metric");
	return -ENOTSUP;
}

int uncoremsr_session_add_metric(struct uncoremsr_session *s, const char *text)
{
	size_t before = s->num_refs;
	int num, err;

	if (s->running)
		return um_front_runs(s);
	if (s->route == UNCOREMSR_ROUTE_PERF)
		return refuse_metrics(s);
	num = um_msr_add_metric(s->msr, text);
	err = take_new(s, "a metric needs it");
	um_front_tell_routes(s, before);
	return err ? err : num;
}
