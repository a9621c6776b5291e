/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What is chosen before a session starts: route, target, CPUs, packages, groups of cores. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "session/session.h"

int uncoremsr_session_set_route(struct uncoremsr_session *s, enum uncoremsr_route route)
{
	if (s->running)
		return um_front_runs(s);
	if (route != UNCOREMSR_ROUTE_AUTO && route != UNCOREMSR_ROUTE_MSR &&
	    route != UNCOREMSR_ROUTE_PERF)
		return um_fail(&s->um->error, -EINVAL, UNCOREMSR_ERROR_USAGE, "unknown route");
	s->route = route;
	um_msr_set_core_on_request(s->msr, route == UNCOREMSR_ROUTE_MSR);
	return 0;
}

/* ---- whom to count ---- */

static int add_pid(struct um_perf_target *t, pid_t pid)
{
	pid_t *grown;

	for (size_t i = 0; i < t->num_pids; i++)
		if (t->pids[i] == pid)
			return 0;
	grown = realloc(t->pids, (t->num_pids + 1) * sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	t->pids = grown;
	grown[t->num_pids++] = pid;
	return 0;
}

static int add_thread(void *user, const char *name)
{
	char *end;
	long tid = strtol(name, &end, 10);

	return *end || tid <= 0 ? 0 : add_pid(user, (pid_t)tid);
}

/* Threads that are there now; what they start is counted with them. */
static int add_threads(struct uncoremsr_session *s, long pid)
{
	char path[64];
	int err;

	snprintf(path, sizeof(path), "proc/%ld/task", pid);
	err = s->um->m.access->ops->list(s->um->m.access, path, add_thread, &s->task.count.target);
	if (err == -ENOMEM)
		return um_front_no_memory(s);
	if (err || !s->task.count.target.num_pids)
		return um_fail(&s->um->error, -ESRCH, UNCOREMSR_ERROR_USAGE,
			       "there is no process %ld", pid);
	return 0;
}

int uncoremsr_session_set_target(struct uncoremsr_session *s, enum uncoremsr_target target, long id)
{
	static const enum um_perf_target_kind kinds[] = {
		[UNCOREMSR_TARGET_SYSTEM] = UM_TARGET_SYSTEM,
		[UNCOREMSR_TARGET_PROCESS] = UM_TARGET_PROCESS,
		[UNCOREMSR_TARGET_THREAD] = UM_TARGET_THREAD,
		[UNCOREMSR_TARGET_COMMAND] = UM_TARGET_CHILD,
	};
	struct um_perf_target *t = &s->task.count.target;
	bool more = (target == UNCOREMSR_TARGET_PROCESS || target == UNCOREMSR_TARGET_THREAD) &&
		    s->target == kinds[target];

	if (s->running)
		return um_front_runs(s);
	if ((size_t)target >= ARRAY_SIZE(kinds) || id < 0)
		return um_fail(&s->um->error, -EINVAL, UNCOREMSR_ERROR_USAGE, "no such target");
	if (s->num_refs && kinds[target] != s->target)
		return um_fail(&s->um->error, -EINVAL, UNCOREMSR_ERROR_USAGE,
			       "the target has to be chosen before the events");
	s->target = t->kind = kinds[target];
	if (!more)
		t->num_pids = 0;
	if (target == UNCOREMSR_TARGET_SYSTEM)
		return 0;
	if (target == UNCOREMSR_TARGET_PROCESS)
		return add_threads(s, id);
	return add_pid(t, (pid_t)id) ? um_front_no_memory(s) : 0;
}

int uncoremsr_session_set_cgroup(struct uncoremsr_session *s, const char *path)
{
	struct um_perf_target *t = &s->task.count.target;
	char *copy = strdup(path + strspn(path, "/"));

	if (s->running || s->num_refs) {
		free(copy);
		return s->running ? um_front_runs(s)
				  : um_fail(&s->um->error, -EINVAL, UNCOREMSR_ERROR_USAGE,
					    "the target has to be chosen before the events");
	}
	if (!copy)
		return um_front_no_memory(s);
	free(t->cgroup);
	t->cgroup = copy;
	s->target = t->kind = UM_TARGET_CGROUP;
	return 0;
}

/* ---- where ---- */

/*
 * Registers of a package are reached through one of its CPUs, so two CPUs of one are a mistake
 * where only they count; the kernel counts on every CPU that is named.
 */
static int choose_packages(struct uncoremsr_session *s, const char *list)
{
	bool several = s->route != UNCOREMSR_ROUTE_AUTO || um_session_uses(s, UM_PART_SYSTEM) ||
		       um_session_uses(s, UM_PART_TASK);
	int err;

	um_msr_set_core_on_request(s->msr, several);
	err = um_msr_set_cpus(s->msr, list);
	um_msr_set_core_on_request(s->msr, s->route == UNCOREMSR_ROUTE_MSR);
	return err;
}

int uncoremsr_session_set_cpus(struct uncoremsr_session *s, const char *list)
{
	struct um_cpuset set = { 0 };
	int err = s->running ? um_front_runs(s) : choose_packages(s, list);

	if (!err && um_cpuset_parse(&set, list, NULL))
		err = um_front_no_memory(s);
	if (err) {
		um_cpuset_free(&set);
		return err;
	}
	um_cpuset_free(&s->cpus);
	s->cpus = set;
	return 0;
}

int uncoremsr_session_set_packages(struct uncoremsr_session *s, const char *list)
{
	int err = um_msr_set_packages(s->msr, list);

	s->packages_chosen |= !err;
	return err;
}

/* CPUs that were never there are refused here, those that are offline when it starts. */
int uncoremsr_session_add_group(struct uncoremsr_session *s, const char *text)
{
	const struct um_cpuset *online = &s->um->m.topo.online;
	unsigned limit = online->num ? online->cpus[online->num - 1] + 1 : 0;
	size_t before = s->groups.num;
	int err;

	if (s->running)
		return um_front_runs(s);
	err = um_core_groups_add(&s->groups, text, limit, &s->um->error);
	return err ? err : (int)(s->groups.num - before);
}

size_t uncoremsr_session_num_core_groups(const struct uncoremsr_session *s)
{
	return s->groups.num;
}

const char *uncoremsr_session_core_group(const struct uncoremsr_session *s, size_t group)
{
	return group < s->groups.num ? s->groups.groups[group].text : NULL;
}

/* ---- how ---- */

void uncoremsr_session_set_multiplex(struct uncoremsr_session *s, int allow)
{
	um_msr_set_multiplex(s->msr, allow);
}

void uncoremsr_session_set_force(struct uncoremsr_session *s, int force)
{
	um_msr_set_force(s->msr, force);
}

int uncoremsr_session_set_counter(struct uncoremsr_session *s, size_t event, unsigned counter)
{
	if (event >= s->num_refs)
		return um_fail(&s->um->error, -EINVAL, UNCOREMSR_ERROR_USAGE, "no event %zu",
			       event);
	if (s->refs[event].part == UM_PART_MSR)
		return um_msr_set_counter(s->msr, s->refs[event].index, counter);
	um_fail(&s->um->error, -EINVAL, UNCOREMSR_ERROR_USAGE,
		"%s is counted by the kernel, which chooses the counter itself",
		uncoremsr_session_event_name(s, event));
	return -EINVAL;
}
