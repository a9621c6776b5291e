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

static void free_fronts(struct um_msr *s)
{
	FREE_AND_NULL(s->fronts);
	FREE_AND_NULL(s->first_front);
	FREE_AND_NULL(s->num_shown);
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
	free_fronts(s);
	free(s);
}

/* ---- start ---- */

/* Make a site for each package or die that was chosen. um_run_start() opens the CPU that reaches it. */
static int make_sites(struct um_msr *s, struct um_error *e)
{
	const struct um_choices *choices = s->env->choices;

	free_fronts(s);
	um_units_free(s);
	free(s->sites);
	s->num_sites = 0;
	s->sites = calloc(choices->num_places + 1, sizeof(*s->sites));
	if (!s->sites)
		return um_no_memory(e);
	s->num_sites = choices->num_places;
	for (size_t i = 0; i < s->num_sites; i++)
		s->sites[i] = (struct um_site){
			.package = choices->places[i].package, .cpu = choices->places[i].cpu,
		};
	return 0;
}

/* Make the public list of units, event by event. It has no units that are fused off or still hidden. */
static int make_fronts(struct um_msr *s, struct um_error *e)
{
	size_t *first = calloc(s->events.num + 1, sizeof(*first));

	s->first_front = first;
	s->num_shown = calloc(s->events.num + 1, sizeof(*s->num_shown));
	s->fronts = calloc(s->num_slots + 1, sizeof(*s->fronts));
	if (!first || !s->fronts || !s->num_shown) {
		free_fronts(s);
		return um_no_memory(e);
	}
	for (size_t i = 0; i < s->num_slots; i++)
		first[s->slots[i].index + 1]++;
	for (size_t k = 1; k < s->events.num; k++)
		first[k] += first[k - 1];
	for (size_t i = 0; i < s->num_slots; i++)
		if (!s->slots[i].unit->gone && !s->slots[i].unit->hidden)
			um_slot_show(s, &s->slots[i]);
	return 0;
}

static int start(void *state, struct um_error *e)
{
	struct um_msr *s = state;
	int err = make_sites(s, e) ?: um_run_start(s, e);
	struct um_error ignored;

	if (err)
		return err;
	err = make_fronts(s, e);
	if (!err)
		return 0;
	/* The caller does not stop a session that failed to start, so stop it here, and keep the first error. */
	um_run_stop(s, &ignored);
	s->error = e;
	return err;
}

/* ---- what was counted ---- */

static const struct um_front *units(void *state, size_t event, size_t *num)
{
	struct um_msr *s = state;

	*num = s->fronts ? s->num_shown[event] : 0;
	return s->fronts ? &s->fronts[s->first_front[event]] : NULL;
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
	.set_counter = um_msr_set_counter, .start = start, .read = um_run_read,
	.verify = um_run_verify, .suspended = um_run_suspended, .rotate = um_run_rotate, .pause = um_run_pause,
	.stop = um_run_stop, .units = units, .no_units = no_units, .turns = turns,
	.max_interval = max_interval, .place_cpu = place_cpu, .place_error = place_error,
};
