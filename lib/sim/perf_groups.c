/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Where an event counts and in whose group, as Linux kernel/events/core.c has it. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "perf/kernel.h"
#include "sim/perf.h"

/* A process is taken to run all the time, and has the counters of a CPU of its own. */
static struct um_sim_place *task_place(struct uncoremsr_sim *sim, const struct um_sim_pmu *pmu,
				       pid_t pid)
{
	struct um_sim_perf *p = sim->perf;
	struct um_sim_place **grown;

	for (size_t i = 0; i < p->num_tasks; i++)
		if (p->tasks[i]->pmu == pmu && p->tasks[i]->pid == pid)
			return p->tasks[i];
	grown = realloc(p->tasks, (p->num_tasks + 1) * sizeof(*grown));
	if (!grown)
		return NULL;
	p->tasks = grown;
	grown[p->num_tasks] = calloc(1, sizeof(**grown));
	if (!grown[p->num_tasks])
		return NULL;
	grown[p->num_tasks]->pmu = pmu;
	grown[p->num_tasks]->pid = pid;
	grown[p->num_tasks]->seen = sim->now;
	return grown[p->num_tasks++];
}

static struct um_sim_place *place_of(struct uncoremsr_sim *sim, const struct um_sim_perf_event *ev)
{
	if (ev->pid >= 0 && !(ev->flags & UM_PERF_CGROUP))
		return task_place(sim, ev->pmu, ev->pid);
	return &ev->pmu->places[ev->pmu->masked ? um_sim_die(sim, ev->cpu) : ev->cpu];
}

static int add_group(struct um_sim_place *place, struct um_sim_perf_event *leader)
{
	if (!UM_SIM_APPEND(place->groups, place->num))
		return -ENOMEM;
	place->groups[place->num - 1] = leader;
	return 0;
}

static void remove_group(struct um_sim_place *place, const struct um_sim_perf_event *leader)
{
	size_t i = 0;

	while (i < place->num && place->groups[i] != leader)
		i++;
	if (i == place->num)
		return;
	place->num--;
	memmove(place->groups + i, place->groups + i + 1,
		(place->num - i) * sizeof(*place->groups));
}

static int check_group(const struct um_sim_perf_event *leader, const struct um_sim_perf_event *ev)
{
	if (leader->leader != leader || leader->dead || leader->pid != ev->pid ||
	    (leader->flags ^ ev->flags) & UM_PERF_CGROUP || leader->cpu != ev->cpu)
		return -EINVAL;
	return ev->attr.exclusive || ev->attr.pinned ? -EINVAL : 0;
}

/* Counters of two PMUs in one group cannot be; software events and such go with any. */
static const struct um_sim_pmu *counters_of(const struct um_sim_perf_event *leader)
{
	for (const struct um_sim_perf_event *ev = leader; ev; ev = ev->next)
		if (ev->pmu->counters || ev->pmu->kind == UM_SIM_PMU_DESCRIBED)
			return ev->pmu;
	return NULL;
}

static void append(struct um_sim_perf_event *leader, struct um_sim_perf_event *ev)
{
	struct um_sim_perf_event **at = &leader->next;

	while (*at)
		at = &(*at)->next;
	*at = ev;
	ev->leader = leader;
}

static void detach(struct um_sim_perf_event *ev)
{
	struct um_sim_perf_event **at = &ev->leader->next;

	while (*at && *at != ev)
		at = &(*at)->next;
	if (*at)
		*at = ev->next;
	ev->next = NULL;
}

static int join_group(struct uncoremsr_sim *sim, struct um_sim_perf_event *leader,
		      struct um_sim_perf_event *ev)
{
	const struct um_sim_pmu *counters = counters_of(leader), *mine = counters_of(ev);
	struct um_sim_place *to;
	int err = check_group(leader, ev);

	if (err || (counters && mine && counters != mine))
		return -EINVAL;
	um_sim_place_settle(sim, leader->place);
	append(leader, ev);
	if (!um_sim_group_fits(leader)) {
		detach(ev);
		return -EINVAL;
	}
	if (counters || !mine) {
		ev->place = leader->place;
		return 0;
	}
	/* A group of software events that gets a counter moves to where the counter is. */
	to = place_of(sim, ev);
	if (to)
		um_sim_place_settle(sim, to);
	if (!to || add_group(to, leader)) {
		detach(ev);
		return -ENOMEM;
	}
	remove_group(leader->place, leader);
	for (struct um_sim_perf_event *e = leader; e; e = e->next)
		e->place = to;
	return 0;
}

static int start_alone(struct uncoremsr_sim *sim, struct um_sim_perf_event *ev)
{
	ev->leader = ev;
	if (!um_sim_group_fits(ev))
		return -EINVAL;
	ev->place = place_of(sim, ev);
	if (!ev->place)
		return -ENOMEM;
	um_sim_place_settle(sim, ev->place);
	return add_group(ev->place, ev);
}

int um_sim_perf_join(struct uncoremsr_sim *sim, struct um_sim_perf_event *leader,
		     struct um_sim_perf_event *ev)
{
	return leader ? join_group(sim, leader, ev) : start_alone(sim, ev);
}

/* Members of a group whose leader goes are groups of their own from then on. */
static void free_members(struct um_sim_perf_event *leader)
{
	struct um_sim_perf_event *ev = leader->next;

	while (ev) {
		struct um_sim_perf_event *next = ev->next;

		ev->leader = ev;
		ev->next = NULL;
		/* Without memory it counts no more, which is seen by its time. */
		if (!leader->dead)
			ev->dead = add_group(ev->place, ev) != 0;
		ev = next;
	}
}

void um_sim_perf_leave(struct um_sim_perf_event *ev)
{
	if (ev->leader != ev) {
		detach(ev);
		return;
	}
	remove_group(ev->place, ev);
	free_members(ev);
}
