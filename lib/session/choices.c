/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Options of a session that are set before it starts: route, target, CPUs, packages, cores. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/array.h"
#include "common/file.h"
#include "session/session.h"

/* The CPU of a place is the lowest one of its package. */
int um_choices_init(struct uncoremsr_session *s)
{
	const struct um_topology *t = &s->um->m.topo;
	struct um_choices *c = &s->choices;

	c->places = calloc(t->num_packages + 1, sizeof(*c->places));
	if (!c->places)
		return um_no_memory(&s->um->error);
	for (; c->num_places < t->num_packages; c->num_places++)
		c->places[c->num_places] = (struct um_place){
			.package = &t->packages[c->num_places].shown,
			.cpu = (unsigned)t->packages[c->num_places].shown.cpu,
		};
	return 0;
}

static void free_cgroups(struct um_target *t)
{
	while (t->num_cgroups)
		free(t->cgroups[--t->num_cgroups]);
	FREE_AND_NULL(t->cgroups);
}

void um_choices_free(struct uncoremsr_session *s)
{
	struct um_choices *c = &s->choices;

	free(c->places);
	um_cpuset_free(&c->cpus);
	free(c->target.pids);
	free_cgroups(&c->target);
	um_core_groups_free(&s->cores);
	um_cpuset_free(&s->cpus);
}

static int add_pid(struct um_target *t, pid_t pid)
{
	for (size_t i = 0; i < t->num_pids; i++)
		if (t->pids[i] == pid)
			return 0;
	return ARRAY_APPEND(t->pids, t->num_pids, pid);
}

static int add_thread(void *user, const char *name)
{
	char *end;
	long tid = strtol(name, &end, 10);

	return *end || tid <= 0 ? 0 : add_pid(user, (pid_t)tid);
}

/* Add the existing threads of a process; threads that they create later are counted with them. */
static int add_threads(struct uncoremsr_session *s, struct um_target *t, long pid)
{
	char path[64];
	int err;

	snprintf(path, sizeof(path), "proc/%ld/task", pid);
	err = s->um->m.access->ops->list(s->um->m.access, path, add_thread, t);
	if (err == -ENOMEM)
		return err;
	if (um_lacks_descriptors(err))
		return um_file_fail(&s->um->error, "", path, err);
	if (err && s->um->m.access->simulated) {
		um_fail(&s->um->error, -ESRCH, UNCOREMSR_ERROR_USAGE,
			"process %ld: simulated machines have no processes", pid);
		return um_advise(&s->um->error, -ESRCH, "start a COMMAND, or name a thread with -t");
	}
	if (err || !t->num_pids)
		return um_fail(&s->um->error, -ESRCH, UNCOREMSR_ERROR_USAGE, "there is no process %ld", pid);
	return 0;
}

static int after_events(struct uncoremsr_session *s)
{
	return UM_USAGE(&s->um->error, "the target has to be chosen before the events");
}

int uncoremsr_session_set_target(struct uncoremsr_session *s, enum uncoremsr_target target, long id)
{
	enum um_target_kind kind = (enum um_target_kind)target;
	int err = um_session_check_idle(s);
	struct um_target *t, next = { .num_pids = 0 };
	bool more;

	if (err)
		return err;
	t = &s->choices.target;
	if ((unsigned)target > UNCOREMSR_TARGET_COMMAND)
		return UM_USAGE(&s->um->error, "no such target");
	if (id < 0 || id != (pid_t)id)
		return UM_USAGE(&s->um->error, "%ld cannot be the id of a process or thread", id);
	if (s->num_events && kind != t->kind)
		return after_events(s);
	/* Several calls add processes or threads to the target; a call for another kind of target replaces them. */
	more = t->kind == kind && target != UNCOREMSR_TARGET_COMMAND;
	for (size_t i = 0; more && i < t->num_pids && !err; i++)
		err = add_pid(&next, t->pids[i]);
	if (!err && target == UNCOREMSR_TARGET_PROCESS)
		err = add_threads(s, &next, id);
	else if (!err && target != UNCOREMSR_TARGET_SYSTEM)
		err = add_pid(&next, (pid_t)id);
	if (err) {
		free(next.pids);
		return err == -ENOMEM ? um_no_memory(&s->um->error) : err;
	}
	free(t->pids);
	t->pids = next.pids;
	t->num_pids = next.num_pids;
	t->kind = kind;
	return 0;
}

static int only_cgroup(struct uncoremsr_session *s, const char *path)
{
	struct um_target *t = &s->choices.target;
	char *dir;
	int err;

	/* Once the session has an event, only another control group may be chosen. It applies to events added later. */
	if (s->num_events && t->kind != UM_TARGET_CGROUP)
		return after_events(s);
	err = um_cgroup_find(path, &dir, &s->um->error);
	if (err)
		return err;
	if (!s->num_events)
		free_cgroups(t);
	if (ARRAY_APPEND(t->cgroups, t->num_cgroups, dir)) {
		free(dir);
		return um_no_memory(&s->um->error);
	}
	t->kind = UM_TARGET_CGROUP;
	return 0;
}

static int parse_list(struct uncoremsr_session *s, struct um_cpuset *set, const char *list, const char *what)
{
	const char *bad = list;
	int err = um_cpuset_parse(set, list, &bad);

	if (err == -ENOMEM)
		return um_no_memory(&s->um->error);
	if (!err && set->num)
		return 0;
	um_cpuset_free(set);
	UM_USAGE(&s->um->error, "'%s' is not a list of %s%s%s%s", list, what, *bad ? " (at '" : "", bad,
		 *bad ? "')" : "");
	return um_advise(&s->um->error, -EINVAL, "write for example 0,1 or 0-3");
}

/*
 * May several CPUs of one package be chosen? Yes if a route was chosen by name, or if an event is on a route that
 * counts on each named CPU. Other routes would read the same counters through each of these CPUs.
 */
static bool may_share(const struct uncoremsr_session *s)
{
	if (s->wanted != UNCOREMSR_ROUTE_AUTO)
		return true;
	for (size_t i = 0; i < s->num_parts; i++)
		if (!s->parts[i].route->one_cpu && s->parts[i].num_events)
			return true;
	return false;
}

/* NULL: the CPU is in no chosen package. */
static struct um_place *place_of(struct um_choices *c, unsigned cpu)
{
	for (struct um_place *p = c->places; p < c->places + c->num_places; p++)
		if (um_cpuset_has(um_package_cpus(p->package), cpu))
			return p;
	return NULL;
}

static int check_cpu(struct uncoremsr_session *s, const struct um_cpuset *set, size_t i)
{
	const struct um_place *p = place_of(&s->choices, set->cpus[i]);

	if (!p) {
		UM_USAGE(&s->um->error, "CPU %u does not exist, is offline, or is in no chosen package", set->cpus[i]);
		return um_advise(&s->um->error, -EINVAL, "online CPUs are %s", s->um->m.topo.online_text);
	}
	for (size_t k = 0; k < i && !may_share(s); k++) {
		if (place_of(&s->choices, set->cpus[k]) != p)
			continue;
		UM_USAGE(&s->um->error, "CPUs %u and %u are both in package %d and reach the same counters", set->cpus[k],
			 set->cpus[i], p->package->id);
		return um_advise(&s->um->error, -EINVAL, "name one CPU per package");
	}
	return 0;
}

/* Keep only the packages in @ids; @ids NULL: those with a CPU of @cpus. */
static void keep_places(struct um_choices *c, const struct um_cpuset *ids, const struct um_cpuset *cpus)
{
	size_t n = 0;

	for (size_t i = 0; i < c->num_places; i++) {
		const struct uncoremsr_package *p = c->places[i].package;

		if (ids ? p->id >= 0 && um_cpuset_has(ids, (unsigned)p->id) : um_cpuset_overlap(cpus, um_package_cpus(p)))
			c->places[n++] = c->places[i];
	}
	c->num_places = n;
}

static int only_cpus(struct uncoremsr_session *s, const char *list)
{
	struct um_cpuset set = { 0 };
	int err = parse_list(s, &set, list, "CPUs");

	for (size_t i = 0; !err && i < set.num; i++)
		err = check_cpu(s, &set, i);
	if (err) {
		um_cpuset_free(&set);
		return err;
	}
	/* A package is reached through the lowest one of its CPUs in the list. */
	for (size_t i = set.num; i-- > 0;)
		place_of(&s->choices, set.cpus[i])->cpu = set.cpus[i];
	keep_places(&s->choices, NULL, &set);
	um_cpuset_free(&s->cpus);
	s->cpus = set;
	return 0;
}

static int only_packages(struct uncoremsr_session *s, const char *list)
{
	struct um_cpuset set = { 0 };
	int err = parse_list(s, &set, list, "packages");

	for (size_t i = 0; !err && i < set.num; i++) {
		bool found = false;

		for (size_t k = 0; k < s->choices.num_places; k++)
			found |= s->choices.places[k].package->id == (int)set.cpus[i];
		if (found)
			continue;
		err = UM_USAGE(&s->um->error, "there is no package %u", set.cpus[i]);
		um_hint(&s->um->error, "uncore-info shows the packages");
	}
	if (!err) {
		keep_places(&s->choices, &set, NULL);
		s->packages_chosen = true;
	}
	um_cpuset_free(&set);
	return err;
}

/* One more than the highest CPU number, offline CPUs included. */
static unsigned end_of_cpus(const struct uncoremsr_session *s)
{
	const struct um_cpuset *online = &s->um->m.topo.online;
	unsigned end = online->cpus[online->num - 1] + 1;
	struct um_cpuset offline;

	if (um_cpus_offline(&offline, s->um->m.access, online))
		return end;
	if (offline.num && offline.cpus[offline.num - 1] >= end)
		end = offline.cpus[offline.num - 1] + 1;
	um_cpuset_free(&offline);
	return end;
}

/* Add sets of cores. CPUs that do not exist are refused; offline CPUs are counted when they come online. */
static int only_cores(struct uncoremsr_session *s, const char *text)
{
	size_t before = s->cores.num;
	int err = um_core_groups_add(&s->cores, text, end_of_cpus(s), &s->um->error);

	return err ? err : (int)(s->cores.num - before);
}

int uncoremsr_session_only(struct uncoremsr_session *s, enum uncoremsr_only what, const char *text)
{
	static int (*const limits[])(struct uncoremsr_session *s, const char *text) = {
		[UNCOREMSR_ONLY_CPUS] = only_cpus, [UNCOREMSR_ONLY_PACKAGES] = only_packages,
		[UNCOREMSR_ONLY_CORES] = only_cores, [UNCOREMSR_ONLY_CGROUP] = only_cgroup,
	};
	int err = um_session_check_idle(s);

	if (err)
		return err;
	if (!text || (size_t)what >= ARRAY_SIZE(limits))
		return UM_USAGE(&s->um->error, "%s",
				text ? "unknown kind of limit for a session" : "the text of the limit is missing");
	if ((what == UNCOREMSR_ONLY_CORES && s->cpus.num) || (what == UNCOREMSR_ONLY_CPUS && s->cores.num))
		return UM_USAGE(&s->um->error, "sets of cores cannot be combined with a choice of CPUs");
	return limits[what](s, text);
}

static int check_cores(struct uncoremsr_session *s)
{
	for (size_t g = 0; g < s->cores.num; g++)
		for (size_t k = 0; k < s->cores.cpus[g].num; k++) {
			unsigned cpu = s->cores.cpus[g].cpus[k];
			const struct uncoremsr_package *p = um_package_with(&s->um->m.topo, cpu);

			if (!p || place_of(&s->choices, cpu))
				continue;
			UM_USAGE(&s->um->error, "CPU %u is in package %d, which was not chosen", cpu, p->id);
			return um_advise(&s->um->error, -EINVAL, "choose that package, too, or leave out the CPU");
		}
	return 0;
}

int um_choices_settle(struct uncoremsr_session *s)
{
	struct um_choices *c = &s->choices;
	int err = check_cores(s);

	if (err)
		return err;
	um_cpuset_free(&c->cpus);
	c->cpus = (struct um_cpuset){ 0 };
	err = um_cpuset_add_all(&c->cpus, &s->cpus);
	for (size_t i = 0; i < s->cores.num && !err; i++)
		err = um_cpuset_add_all(&c->cpus, &s->cores.cpus[i]);
	c->cpus_named = c->cpus.num > 0;
	for (size_t i = 0; !c->cpus_named && s->packages_chosen && i < c->num_places && !err; i++)
		err = um_cpuset_add_all(&c->cpus, um_package_cpus(c->places[i].package));
	return err ? um_no_memory(&s->um->error) : 0;
}

/*
 * A user without the right to write registers may run a program that has it. Such a user must not disturb other
 * programs' counters.
 */
static int refuse_force(struct uncoremsr_session *s)
{
	um_fail(&s->um->error, -EPERM, UNCOREMSR_ERROR_ACCESS,
			"a user without permission to write registers may not take counters that other programs use");
	return um_advise(&s->um->error, -EPERM,
			 "only this program has the permission, by file capabilities: run it as root");
}

static int set_route(struct uncoremsr_session *s, int route)
{
	bool known = route == UNCOREMSR_ROUTE_AUTO;

	for (size_t i = 0; i < s->num_parts; i++)
		known |= s->parts[i].route->id == route;
	if (!known)
		return UM_USAGE(&s->um->error, "unknown route");
	s->wanted = route;
	return 0;
}

int uncoremsr_session_set(struct uncoremsr_session *s, enum uncoremsr_session_option option, int value)
{
	int err = um_session_check_idle(s);

	if (err)
		return err;
	switch (option) {
	case UNCOREMSR_SESSION_ROUTE:
		return set_route(s, value);
	case UNCOREMSR_SESSION_MULTIPLEX:
		s->choices.no_turns = !value;
		return 0;
	case UNCOREMSR_SESSION_FORCE:
		if (value && s->um->m.borrowed)
			return refuse_force(s);
		s->choices.force = value != 0;
		return 0;
	case UNCOREMSR_SESSION_VERIFY:
		s->no_verify = !value;
		return 0;
	}
	return UM_USAGE(&s->um->error, "unknown session option");
}

int uncoremsr_session_set_counter(struct uncoremsr_session *s, size_t event, unsigned counter)
{
	int err = um_session_check_idle(s);
	const struct um_part *p;

	if (err)
		return err;
	if (event >= s->num_events)
		return UM_USAGE(&s->um->error, "no event %zu", event);
	p = &s->parts[s->events[event].part];
	if (p->route->set_counter)
		return p->route->set_counter(p->state, s->events[event].index, counter, &s->um->error);
	return UM_USAGE(&s->um->error, "%s is counted by %s, which chooses the counter itself",
			uncoremsr_session_event(s, event)->name, p->route->label);
}
