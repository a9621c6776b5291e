/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What is set before a session starts: events, counters, CPUs, packages, the route. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "counting/session.h"

/*
 * Some events count what a second register says, which is shared and not one of the PMU's extras.
 * Until that is set and put back here too, counting them would give a number that means something
 * else.
 */
static int refuse_qualified(struct um_msr_session *s, const struct um_encoding *ev)
{
	const struct um_selector *sel = &ev->pmu->selector;
	unsigned event = (unsigned)(ev->word >> sel->event.shift & ((1u << sel->event.width) - 1));
	unsigned umask = (unsigned)(ev->word >> sel->umask.shift & ((1u << sel->umask.width) - 1));
	struct um_error *e = s->error;

	um_fail(e, -ENOTSUP, UNCOREMSR_ERROR_UNSUPPORTED,
		"event '%s': needs MSR 0x%x too, which this library does not set", ev->name,
		ev->needs_msr);
	if (ev->needs_value)
		um_hint(e, "set it on one CPU of each package (wrmsr -p CPU 0x%x 0x%llx), then "
			"count 0x%x:0x%x", ev->needs_msr, (unsigned long long)ev->needs_value, event,
			umask);
	else
		um_hint(e, "set the filter on one CPU of each package (wrmsr -p CPU 0x%x VALUE), "
			"then count 0x%x:0x%x", ev->needs_msr, event, umask);
	return -ENOTSUP;
}

static int refuse_kernels(struct um_msr_session *s, const struct um_encoding *ev)
{
	struct um_error *e = s->error;

	um_fail(e, -ENOTSUP, UNCOREMSR_ERROR_UNSUPPORTED,
		"event '%s': the kernel owns the counters of PMU %s, and perf rewrites them "
		"whenever it likes", ev->name, ev->pmu->name);
	um_hint(e, "to count with the registers all the same: --route=msr");
	return -ENOTSUP;
}

static int check_event(struct um_msr_session *s, const struct um_encoding *ev)
{
	if (ev->needs_msr)
		return refuse_qualified(s, ev);
	if (ev->pmu->only_on_request && !s->core_on_request)
		return refuse_kernels(s, ev);
	/* Whoever writes a whole word for the core's selector is told what became of it. */
	for (unsigned i = 0; i < ev->num_remarks; i++)
		(ev->pmu->only_on_request ? um_warn : um_log)(s->m, "%s: %s", ev->name,
							      ev->remarks[i]);
	return 0;
}

/* The PMUs of this machine, as the event language wants them. */
static struct um_event_pmus machine_pmus(const struct um_machine *m)
{
	struct um_event_pmus list = { .uarch = um_processor_name(m) };

	for (size_t i = 0; i < m->num_pmus && list.num < UM_EVENT_PMUS; i++)
		list.pmus[list.num++] = &m->pmus[i];
	return list;
}

int um_session_parse(struct um_msr_session *s, struct um_encodings *list, const char *text)
{
	struct um_event_pmus pmus = machine_pmus(s->m);

	return um_events_parse(list, text, &pmus, s->error);
}

int um_msr_add(struct um_msr_session *s, const char *text)
{
	size_t before = s->events.num;
	unsigned groups_before = s->events.num_groups;
	int num, err = 0;

	if (s->running)
		return um_session_runs(s);
	if (!um_session_can_count(s))
		return um_session_cannot_count(s);
	num = um_session_parse(s, &s->events, text);
	/* Where nothing but the core PMU is there, other names fail for that reason. */
	if (num < 0 && num != -ENOMEM && !s->m->uarch && !strstr(text, "core"))
		return um_session_cannot_count(s);
	for (size_t i = before; num > 0 && !err && i < s->events.num; i++)
		err = check_event(s, &s->events.events[i]);
	if (!err)
		return num;
	s->events.num = before;
	s->events.num_groups = groups_before;
	return err;
}

static int refuse_counter(struct um_msr_session *s, const struct um_encoding *ev, unsigned counter)
{
	struct um_error *e = s->error;

	if (ev->fixed >= 0)
		return um_fail(e, -EINVAL, UNCOREMSR_ERROR_USAGE,
			       "%s is counted by its own fixed counter only", ev->name);
	if (counter >= ev->pmu->num_general)
		return um_fail(e, -EINVAL, UNCOREMSR_ERROR_USAGE,
			       "counter %u does not exist: %s has general counters 0 to %u",
			       counter, ev->pmu->units.max > 1 || ev->pmu->only_on_request ? ev->pmu->name
			       : um_processor_name(s->m), ev->pmu->num_general - 1);
	if (!(ev->counters >> counter & 1))
		return um_fail(e, -EINVAL, UNCOREMSR_ERROR_USAGE, "counter %u cannot count %s",
			       counter, ev->name);
	return 0;
}

static bool same_units(const struct um_encoding *a, const struct um_encoding *b)
{
	return a->pmu == b->pmu && (a->unit < 0 || b->unit < 0 || a->unit == b->unit);
}

int um_msr_set_counter(struct um_msr_session *s, size_t event, unsigned counter)
{
	struct um_encoding *ev = event < s->events.num ? &s->events.events[event] : NULL;
	int err;

	if (s->running)
		return um_session_runs(s);
	if (!ev)
		return um_fail(s->error, -EINVAL, UNCOREMSR_ERROR_USAGE, "no event %zu",
			       event);
	err = refuse_counter(s, ev, counter);
	if (err)
		return err;
	for (size_t i = 0; i < s->events.num; i++)
		if (i != event && same_units(&s->events.events[i], ev) &&
		    s->events.events[i].counter == (int)counter)
			return um_fail(s->error, -EINVAL, UNCOREMSR_ERROR_USAGE,
				       "counter %u was already asked for by %s", counter,
				       s->events.events[i].name);
	ev->counter = (int)counter;
	return 0;
}

void um_msr_cut(struct um_msr_session *s, size_t num)
{
	s->events.num = num;
	s->events.num_groups = num ? s->events.events[num - 1].group + 1 : 0;
}

void um_msr_set_core_on_request(struct um_msr_session *s, bool allowed)
{
	s->core_on_request = allowed;
}

void um_msr_set_force(struct um_msr_session *s, int force)
{
	s->force = force != 0;
}

void um_msr_set_multiplex(struct um_msr_session *s, int allow)
{
	s->no_multiplex = !allow;
}

static struct um_site *site_of_cpu(struct um_msr_session *s, unsigned cpu)
{
	for (size_t i = 0; i < s->num_sites; i++)
		if (um_cpuset_has(&s->sites[i].package->cpus, cpu))
			return &s->sites[i];
	return NULL;
}

static int choose_cpu(struct um_msr_session *s, unsigned cpu)
{
	struct um_site *site = site_of_cpu(s, cpu);

	if (!site) {
		um_fail(s->error, -EINVAL, UNCOREMSR_ERROR_USAGE,
			"CPU %u does not exist, is offline, or is in no chosen package", cpu);
		um_hint(s->error, "online CPUs are %s", s->m->topo.online_text);
		return -EINVAL;
	}
	/* Counters of the package are one set; each CPU has core counters of its own. */
	if (site->cpu_was_asked_for && !s->core_on_request) {
		um_fail(s->error, -EINVAL, UNCOREMSR_ERROR_USAGE,
			"CPUs %u and %u are both in package %d and reach the same counters",
			site->cpu, cpu, site->package->id);
		um_hint(s->error, "name one CPU per package");
		return -EINVAL;
	}
	if (!site->cpu_was_asked_for)
		site->cpu = cpu;
	site->cpu_was_asked_for = true;
	return um_cpuset_add(&site->asked, cpu) ? um_session_no_memory(s) : 0;
}

/* Keep the sites that @keep approves of, in their order. */
static void keep_sites(struct um_msr_session *s,
		       bool (*keep)(const struct um_site *site, const struct um_cpuset *set),
		       const struct um_cpuset *set)
{
	size_t n = 0;

	um_units_free(s); /* their sites move */
	for (size_t i = 0; i < s->num_sites; i++)
		if (keep(&s->sites[i], set))
			s->sites[n++] = s->sites[i];
		else
			um_cpuset_free(&s->sites[i].asked);
	s->num_sites = n;
}

static bool was_asked_for(const struct um_site *site, const struct um_cpuset *set)
{
	(void)set;
	return site->cpu_was_asked_for;
}

static bool has_listed_id(const struct um_site *site, const struct um_cpuset *set)
{
	return site->package->id >= 0 && um_cpuset_has(set, (unsigned)site->package->id);
}

static int parse_list(struct um_msr_session *s, struct um_cpuset *set, const char *list,
		      const char *what)
{
	const char *bad = list;
	int err;

	if (s->running)
		return um_session_runs(s);
	err = um_cpuset_parse(set, list, &bad);
	if (err == -ENOMEM)
		return um_session_no_memory(s);
	if (!err && set->num)
		return 0;
	um_cpuset_free(set);
	um_fail(s->error, -EINVAL, UNCOREMSR_ERROR_USAGE, "'%s' is not a list of %s%s%s%s",
		list, what, *bad ? " (at '" : "", *bad ? bad : "", *bad ? "')" : "");
	um_hint(s->error, "write for example 0,1 or 0-3");
	return -EINVAL;
}

int um_msr_set_cpus(struct um_msr_session *s, const char *list)
{
	struct um_cpuset set = { 0 };
	int err = parse_list(s, &set, list, "CPUs");

	if (err)
		return err;
	for (size_t i = 0; !err && i < set.num; i++)
		err = choose_cpu(s, set.cpus[i]);
	if (!err)
		keep_sites(s, was_asked_for, NULL);
	um_cpuset_free(&set);
	return err;
}

static int check_package_exists(struct um_msr_session *s, unsigned id)
{
	for (size_t i = 0; i < s->num_sites; i++)
		if (s->sites[i].package->id == (int)id)
			return 0;
	um_fail(s->error, -EINVAL, UNCOREMSR_ERROR_USAGE, "there is no package %u", id);
	um_hint(s->error, "uncore-info shows the packages");
	return -EINVAL;
}

int um_msr_set_packages(struct um_msr_session *s, const char *list)
{
	struct um_cpuset set = { 0 };
	int err = parse_list(s, &set, list, "packages");

	if (err)
		return err;
	for (size_t i = 0; !err && i < set.num; i++)
		err = check_package_exists(s, set.cpus[i]);
	if (!err)
		keep_sites(s, has_listed_id, &set);
	um_cpuset_free(&set);
	return err;
}
