/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The events that a session counts by registers: claim them, add them, join them into groups for a metric. */
#include "counting/run.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "common/text.h"
#include "encode/perf_event.h"
#include "names/scanner.h"

/* ---- claiming ---- */

/* Without tables, or in a virtual machine: does the group name an uncore event? */
static bool would_be_ours(const struct um_machine *m, const struct um_event *group, size_t num)
{
	const struct um_uarch *u = m->model ? m->model->uarch : NULL;
	struct um_encodings list = { 0 };
	struct um_event_pmus pmus;
	bool is;

	if (isdigit((unsigned char)*group->text) || !strncasecmp(group->text, UM_WORD("UNC")))
		return true;
	if (!u)
		return false;
	pmus = um_event_pmus_of(u, NULL);
	is = um_events_encode(&list, group, num, &pmus, NULL) > 0;
	um_events_free(&list);
	return is;
}

/* @err: the error with the tables alone; @listed: the error with the tables and the event lists. */
static enum um_answer judge(int err, int listed)
{
	switch (listed) {
	case -ENOENT:
		return UM_CLAIM_NOT_MINE;
	case -EINVAL:
		return UM_CLAIM_BAD_VALUE;
	case -ENOTSUP: /* registers cannot count the event, but the kernel may if a list has it */
		return err == listed ? UM_CLAIM_NO_PMU : UM_CLAIM_NOT_MINE;
	default:
		return UM_CLAIM_FAILED;
	}
}

/* If CPUID does not report the number of controllers, the kernel may still be able to count the event. */
static int check_controllers(const struct um_machine *m, const struct um_encoding *ev, struct um_error *e)
{
	unsigned num;

	if (ev->pmu->units.from != UM_UNITS_AMD_UMC)
		return 0;
	for (size_t i = 0; i < m->topo.num_packages; i++) {
		const struct uncoremsr_package *p = &m->topo.packages[i].shown;

		if (!um_box_count(m, p, (unsigned)p->cpu, ev->pmu, &num, NULL) && num)
			return 0;
	}
	return um_fail(e, -ENODEV, UNCOREMSR_ERROR_UNSUPPORTED,
		       "event '%s': CPUID leaf 0x80000022 reports no counters of %s", ev->name, ev->pmu->name);
}

static enum um_answer check_claimed(const struct um_msr *s, const struct um_encoding *ev, bool asked,
				    struct um_error *e)
{
	bool core = ev->pmu->only_on_request;

	if (um_event_lacks_msr(ev, e))
		return UM_CLAIM_INEXPRESSIBLE;
	if (core && !asked) {
		um_event_fail(e, -ENOTSUP, ev->name, "the kernel owns the counters of PMU %s, and perf may "
			"rewrite them at any time", ev->pmu->name);
		return UM_CLAIM_ON_REQUEST;
	}
	/* Through registers, core counters count whole CPUs only. (No route counts uncore events for a task.) */
	if (core && s->env->choices->target.kind != UM_TARGET_SYSTEM) {
		um_event_fail(e, -ENOTSUP, ev->name, "registers count whole CPUs, not a process");
		return UM_CLAIM_NO_TASKS;
	}
	return check_controllers(s->m, ev, e) ? UM_CLAIM_NO_PMU : UM_CLAIM_YES;
}

static bool has_core(const struct um_encodings *list)
{
	for (size_t i = 0; i < list->num; i++)
		if (um_pmu_is_core(list->events[i].pmu))
			return true;
	return false;
}

/*
 * Encode with the tables. Encode again with the event lists if the tables lack a name, and for all core events, because
 * the tables have only the architectural ones. Returns the result of the first attempt; *listed gets the result of the
 * last.
 */
static int encode(struct um_msr *s, const struct um_event *group, size_t num, int *listed, struct um_error *e)
{
	struct um_event_pmus pmus = um_event_pmus_of_machine(s->m);
	struct um_names *names;
	int err = *listed = um_events_encode(&s->claimed, group, num, &pmus, e);

	if (err == -ENOMEM || (err > 0 && !has_core(&s->claimed)) ||
	    s->env->names(s->env, &names, NULL) || (!names->lists && (err > 0 || !e)))
		return err;
	/* Use the names of all sources, so that an error message can suggest any of them. */
	pmus.names = names;
	pmus.machine = true;
	um_events_free(&s->claimed);
	*listed = um_events_encode(&s->claimed, group, num, &pmus, e);
	return err;
}

int um_msr_claim(void *state, const struct um_event *group, size_t num, bool asked,
		 enum um_answer *answer, struct um_error *e)
{
	struct um_msr *s = state;
	const struct um_machine *m = s->m;
	int err, listed;

	um_events_free(&s->claimed);
	*answer = UM_CLAIM_NOTHING_HERE;
	if (!m->uarch && !m->have_core) {
		if (asked || would_be_ours(m, group, num))
			*answer = UM_CLAIM_NOT_SUPPORTED;
		return um_machine_refuse(m, e);
	}
	err = encode(s, group, num, &listed, e);
	if (listed < 0) {
		*answer = judge(err, listed);
		/* Without tables of the uncore, an uncore event is not unknown: the processor is not supported. */
		if (*answer != UM_CLAIM_FAILED && !m->uarch &&
		    (asked ? !strstr(group->text, "core") : would_be_ours(m, group, num))) {
			*answer = UM_CLAIM_NOT_SUPPORTED;
			return um_machine_refuse(m, e);
		}
		return listed;
	}
	*answer = UM_CLAIM_YES;
	for (size_t i = 0; i < s->claimed.num && *answer == UM_CLAIM_YES; i++)
		*answer = check_claimed(s, &s->claimed.events[i], asked, e);
	if (*answer == UM_CLAIM_YES)
		return 0;
	um_events_free(&s->claimed);
	return *answer == UM_CLAIM_NO_PMU ? -ENODEV : -ENOTSUP;
}

/* Kernel lockdown and msr.allow_writes=off refuse each write, but not open(2). msr-safe has its own rules. */
static int check_writes(const struct um_machine *m, unsigned cpu, struct um_error *e)
{
	char mode[24], filter[16];

	if (strcmp(um_access_node(m->access, cpu), "msr"))
		return 0;
	if (um_access_lockdown(m->access, mode, sizeof(mode)) && strcmp(mode, "none"))
		return um_fail(e, -EPERM, UNCOREMSR_ERROR_ACCESS, "kernel lockdown is '%s'", mode);
	if (um_access_write_filter(m->access, filter, sizeof(filter)) && !strcmp(filter, "off"))
		return um_fail(e, -EPERM, UNCOREMSR_ERROR_ACCESS,
			       "the msr driver's write filter is on (allow_writes=off)");
	return 0;
}

int um_msr_blocked(void *state, struct um_error *e)
{
	const struct um_machine *m = ((struct um_msr *)state)->m;
	struct um_perf_kernel *kernel;
	int err = 0;

	/* There is nothing to check if the kernel could not count instead. */
	if (m->dry_run || !m->topo.num_packages || (!m->access->live && m->kernel(m->kernel_user, &kernel, NULL)))
		return 0;
	for (size_t i = 0; i < m->topo.num_packages && !err; i++) {
		unsigned cpu = (unsigned)m->topo.packages[i].shown.cpu;

		err = um_driver_open(m->access, cpu, true, e);
		if (!err)
			um_access_close_cpu(m->access, cpu);
	}
	/* Out of memory: we do not know whether access is denied, so report no obstacle. The start may still fail. */
	if (err)
		return err == -ENOMEM ? 0 : err;
	return check_writes(m, (unsigned)m->topo.packages[0].shown.cpu, e);
}

/* ---- the events of a session ---- */

/* Any remark about a core event is a warning: the selector will not hold the word that the user wrote. */
static void tell_remarks(const struct um_machine *m, const struct um_encoding *ev)
{
	for (const char *const *at = ev->notes.remarks; *at; at++)
		um_log_line(m, ev->pmu->only_on_request || *at == um_lacks_filter ? UNCOREMSR_LOG_WARNING
			    : UNCOREMSR_LOG_REMARK, "%s: %s", ev->name, *at);
}

/* Only free-running counters have a scale in the kernel's files, so do not read the files for other counters. */
static void look_at_scale(const struct um_msr *s, struct um_encoding *ev)
{
	struct um_names *names;

	if (um_is_free_running(ev) && !s->env->names(s->env, &names, NULL))
		um_kernel_look_at_scale(&names->kernel, ev);
}

int um_msr_add(void *state, struct um_error *e)
{
	struct um_msr *s = state;

	for (size_t i = 0; i < s->claimed.num; i++)
		look_at_scale(s, &s->claimed.events[i]);
	if (um_events_append(&s->events, &s->claimed))
		return um_no_memory(e);
	for (size_t i = 0; i < s->claimed.num; i++)
		tell_remarks(s->m, &s->claimed.events[i]);
	return (int)s->claimed.num;
}

void um_msr_cut(void *state, size_t num)
{
	((struct um_msr *)state)->events.num = num;
}

/* Index of the first event of @list that counts the same as @ev; list->num if there is none. */
static size_t index_of(const struct um_encodings *list, const struct um_encoding *ev)
{
	const struct um_encoding *b = list->events, *end = b + list->num;

	while (b < end && !(b->pmu == ev->pmu && b->unit == ev->unit && b->fixed == ev->fixed &&
			    b->core_type == ev->core_type && b->extras == ev->extras &&
			    !memcmp(b->words, ev->words, sizeof(b->words))))
		b++;
	return (size_t)(b - list->events);
}

/*
 * Mark in @groups the groups of @list that contain any of the events @want. Returns true if these groups and the
 * remaining events of @want fit together on the general counters of each PMU.
 */
static bool can_join(const struct um_encodings *list, const struct um_encodings *want, bool *groups)
{
	for (size_t i = 0; i < want->num; i++) {
		size_t have = index_of(list, &want->events[i]);

		if (want->events[i].fixed < 0 && have < list->num)
			groups[list->events[have].group] = true;
	}
	for (size_t k = 0; k < want->num; k++) {
		const struct um_pmu *pmu = want->events[k].pmu;
		unsigned n = 0;

		for (size_t i = 0; i < want->num; i++)
			n += want->events[i].pmu == pmu && want->events[i].fixed < 0 &&
			     index_of(list, &want->events[i]) == list->num;
		for (size_t i = 0; i < list->num; i++)
			n += list->events[i].pmu == pmu && list->events[i].fixed < 0 && groups[list->events[i].group];
		if (n > pmu->num_general)
			return false;
	}
	return true;
}

/* Events on fixed counters always run, so they need no group. */
int um_msr_join(void *state, size_t *where, struct um_error *e)
{
	struct um_msr *s = state;
	struct um_encodings *list = &s->events;
	bool *groups = calloc(list->num_groups + 1, sizeof(*groups));
	size_t before = list->num;
	unsigned group;

	if (!groups || ARRAY_ROOM(list->events, list->num, s->claimed.num)) {
		free(groups);
		return um_no_memory(e);
	}
	if (!can_join(list, &s->claimed, groups))
		memset(groups, 0, list->num_groups * sizeof(*groups));
	group = list->num_groups++;
	for (size_t i = 0; i < list->num; i++)
		if (groups[list->events[i].group] && list->events[i].fixed < 0)
			list->events[i].group = group;
	free(groups);
	for (size_t i = 0; i < s->claimed.num; i++) {
		const struct um_encoding *ev = &s->claimed.events[i];

		/* Where joining is impossible, the metric gets its own copy of each event, except on fixed counters. */
		where[i] = index_of(list, ev);
		if (where[i] < list->num && (list->events[where[i]].fixed >= 0 ||
					     list->events[where[i]].group == group))
			continue;
		where[i] = list->num;
		list->events[list->num] = *ev;
		list->events[list->num].weak = true;
		list->events[list->num++].group = group;
		tell_remarks(s->m, ev);
	}
	return (int)(list->num - before);
}

void um_msr_facts(const void *state, size_t event, struct uncoremsr_counted *f)
{
	const struct um_msr *s = state;
	const struct um_encoding *ev = &s->events.events[event];
	const struct um_fixed *fixed = ev->fixed >= 0 ? &ev->pmu->fixed[ev->fixed] : NULL;

	*f = (struct uncoremsr_counted){
		.name = ev->name, .pmu = ev->pmu->name, .encoding = ev->word, .scale = 1,
		.uncore = !ev->pmu->only_on_request, .kernel_scale = ev->kernel_scale,
	};
	if (fixed && *fixed->unit) {
		f->measure = fixed->unit;
		f->scale = fixed->scale;
	}
}

/* ---- counting an event on one counter only ---- */

static bool same_units(const struct um_encoding *a, const struct um_encoding *b)
{
	return a->pmu == b->pmu && (a->unit < 0 || b->unit < 0 || a->unit == b->unit);
}

int um_msr_set_counter(void *state, size_t event, unsigned counter, struct um_error *e)
{
	struct um_msr *s = state;
	struct um_encoding *ev = &s->events.events[event];
	const struct um_pmu *pmu = ev->pmu;

	if (ev->fixed >= 0)
		return UM_USAGE(e, "%s is counted by its own fixed counter only", ev->name);
	if (counter >= pmu->num_general)
		return UM_USAGE(e, "counter %u does not exist: %s has general counters 0 to %u", counter,
				pmu->units.max > 1 || pmu->only_on_request ? pmu->name : um_processor_name(s->m),
				pmu->num_general - 1);
	if (!(ev->counters >> counter & 1))
		return UM_USAGE(e, "counter %u cannot count %s", counter, ev->name);
	for (size_t i = 0; i < s->events.num; i++)
		if (i != event && same_units(&s->events.events[i], ev) && s->events.events[i].counter == (int)counter)
			return UM_USAGE(e, "counter %u is already used by %s", counter, s->events.events[i].name);
	ev->counter = (int)counter;
	return 0;
}
