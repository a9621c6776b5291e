/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The route `msr`: connects the modules of lib/counting to the table of session/route.h. */
#include "counting/route.h"

#include <stdlib.h>

#include "counting/run.h"

static int open_state(void **state, const struct um_route_env *env, struct um_error *e)
{
	struct um_msr *s = calloc(1, sizeof(*s));

	*state = s;
	if (!s)
		return um_no_memory(e);
	s->m = env->m;
	s->env = env;
	s->own_guard = (struct um_guard){ .dir = -1, .locks = -1, .own = -1, .home = -1, .journal = -1 };
	s->guard = &s->own_guard;
	return 0;
}

static void free_state(void *state)
{
	struct um_msr *s = state;
	struct um_error ignored;

	if (!s)
		return;
	if (um_in_child(s->m))
		um_guard_let_go(s->guard);
	else
		um_run_stop(s, &ignored);
	um_guard_close(s->guard);
	for (size_t i = 0; i < s->opened.num; i++)
		um_access_close_cpu(s->m->access, s->opened.cpus[i]);
	um_cpuset_free(&s->opened);
	um_units_free(s);
	um_events_free(&s->claimed);
	um_events_free(&s->events);
	free(s->sites);
	free(s);
}

/* ---- what was counted ---- */

static const struct um_front *units(void *state, size_t event, size_t *num)
{
	struct um_msr *s = state;

	*num = s->num_shown[event];
	return &s->fronts[s->first_front[event]];
}

static enum uncoremsr_status no_units(const void *state, size_t event,
				      const struct uncoremsr_package *package, char *why, size_t size)
{
	const struct um_msr *s = state;
	const struct um_encoding *ev = &s->events.events[event];
	const struct um_cpuset *cpus = &s->env->choices->cpus;
	struct um_error e;

	um_message(why, size, "%s", package && cpus->num && !um_cpuset_overlap(um_package_cpus(package), cpus)
		   ? "none of the chosen CPUs was online in this package at the start"
		   : "this package has no such unit");
	for (const struct um_site *site = s->sites; site < s->sites + s->num_sites; site++) {
		if ((package && site->package != package) || !site->err)
			continue;
		um_message(why, size, "%s", site->error.msg);
		return um_status_of(NULL, site->err);
	}
	if (!ev->core_type || !s->num_sites)
		return UNCOREMSR_FAILED;
	um_no_unit_of_kind(s, package ? package : s->sites[0].package, ev, &e);
	um_message(why, size, "%s", e.msg);
	return e.class == UNCOREMSR_ERROR_USAGE ? UNCOREMSR_FAILED : UNCOREMSR_OFFLINE;
}

static int place_cpu(const void *state, size_t place)
{
	return (int)((const struct um_msr *)state)->sites[place].cpu;
}

static size_t turns(const void *state)
{
	return (size_t)((const struct um_msr *)state)->num_sets;
}

static uint64_t max_interval(const void *state)
{
	const struct um_msr *s = state;
	uint64_t shortest = UINT64_MAX;

	/* A unit that is not counted has no counter that could wrap. */
	for (size_t i = 0; i < s->num_slots; i++)
		if (!s->slots[i].unit->err && s->slots[i].max_gap_ns < shortest)
			shortest = s->slots[i].max_gap_ns;
	return shortest;
}

static const char *place_error(const void *state, size_t place)
{
	const struct um_msr *s = state;

	return place < s->num_sites && s->sites[place].err ? s->sites[place].error_text : NULL;
}

const struct um_route um_route_registers = {
	.name = "msr", .label = "registers", .id = UNCOREMSR_ROUTE_MSR, .one_cpu = true,
	.open = open_state, .free = free_state, .claim = um_msr_claim, .blocked = um_msr_blocked,
	.add = um_msr_add, .cut = um_msr_cut, .join = um_msr_join, .facts = um_msr_facts,
	.set_counter = um_msr_set_counter, .start = um_run_start, .read = um_run_read,
	.verify = um_run_verify, .suspended = um_run_suspended, .rotate = um_run_rotate, .pause = um_run_pause,
	.stop = um_run_stop, .units = units, .no_units = no_units, .turns = turns,
	.max_interval = max_interval, .place_cpu = place_cpu, .place_error = place_error,
};
