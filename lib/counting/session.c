/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Life of a session. */
#include "counting/session.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int um_session_no_memory(struct um_msr_session *s)
{
	return um_fail(s->error, -ENOMEM, UNCOREMSR_ERROR_UNSUPPORTED, "out of memory");
}

void um_msr_free(struct um_msr_session *s)
{
	if (!s)
		return;
	um_msr_stop(s);
	um_guard_close(&s->guard);
	for (size_t i = 0; i < s->num_units; i++)
		s->m->access->ops->close_cpu(s->m->access, s->units[i].box.cpu);
	um_units_free(s);
	for (size_t i = 0; i < s->num_sites; i++) {
		s->m->access->ops->close_cpu(s->m->access, s->sites[i].cpu);
		if (!s->env) /* else the choices own it */
			um_cpuset_free(&s->sites[i].asked);
	}
	um_events_free(&s->events);
	free(s->sites);
	free(s);
}

typedef int unit_step(struct um_msr_session *s, struct um_unit *u, int set);

/* One step on every unit that still counts; a unit that fails is put back and left out. */
static void each_unit(struct um_msr_session *s, unit_step *step, int set)
{
	for (size_t i = 0; i < s->num_units; i++) {
		struct um_unit *u = &s->units[i];
		int err = u->err ? 0 : step(s, u, set);

		if (!err)
			continue;
		um_unit_fail(u, err);
		um_unit_restore(s, u);
	}
}

/* ---- start ---- */

static void open_sites(struct um_msr_session *s)
{
	for (size_t i = 0; i < s->num_sites; i++) {
		struct um_site *site = &s->sites[i];
		struct um_error e;
		int err = um_reg_open(s->m, site->cpu, true, &e);

		site->err = 0;
		site->error_text[0] = '\0';
		if (err)
			um_site_fail(site, err, &e);
	}
}

/* Units of the package are reached through the site's CPU, which is open. */
static int open_unit(struct um_msr_session *s, struct um_unit *u, int set)
{
	(void)set;
	if (u->box.cpu == u->site->cpu)
		return 0;
	return um_reg_open(s->m, u->box.cpu, true, &u->error);
}

/* The first interval of a unit begins when its counters were switched on. */
static int enable_first(struct um_msr_session *s, struct um_unit *u, int set)
{
	int err = um_unit_enable(s, u, set);

	u->interval_ns = um_now(s->m);
	for (size_t k = 0; k < u->num_slots; k++)
		if (u->slots[k].active)
			u->interval_ns = u->slots[k].last_ns;
	return err;
}

/* What was never seen to work is said once. */
static void tell_of_unverified(struct um_msr_session *s)
{
	char list[128];
	size_t len = 0;

	for (size_t i = 0; i < s->m->num_pmus && len < sizeof(list); i++) {
		const struct uncoremsr_pmu *pmu = &s->m->pmus[i];
		bool used = false;

		for (size_t k = 0; k < s->events.num; k++)
			used |= s->events.events[k].pmu == pmu;
		if (used && pmu->unverified)
			len += (size_t)snprintf(list + len, sizeof(list) - len, "%s%s",
						len ? ", " : "", pmu->name);
	}
	if (len)
		um_warn(s->m, "not verified on hardware: what is known of the registers of %s on %s "
			"comes from one source or was never seen to work", list,
			um_processor_name(s->m));
}

/*
 * What dead sessions left behind goes back before we look for counters. All units are programmed
 * before the first one is enabled, so that they start close together.
 */
static int take_counters(struct um_msr_session *s)
{
	int err = um_repair_all(s->m, &s->guard, NULL, NULL, s->error);

	if (err < 0)
		um_warn(s->m, "leftovers of dead sessions: %s", s->error->msg);
	err = um_place(s);
	um_session_drop_absent(s);
	if (!err)
		err = um_session_any_left(s);
	if (!err)
		each_unit(s, um_unit_program, 0);
	return err;
}

static int open_guard(struct um_msr_session *s, int *start)
{
	int err;

	um_guard_close(&s->guard);
	err = um_guard_open(&s->guard, s->m, true, s->error);
	return err ? err : um_start_lock(&s->guard, start, s->error);
}

static int prepare(struct um_msr_session *s)
{
	int err;

	open_sites(s);
	err = um_units_make(s);
	if (err)
		return err;
	each_unit(s, open_unit, 0);
	return um_session_any_left(s);
}

int um_msr_start(struct um_msr_session *s)
{
	int start = -1, err = prepare(s);

	if (err)
		return err;
	err = open_guard(s, &start);
	if (!err)
		err = take_counters(s);
	um_lease_release(start);
	if (err) {
		for (size_t i = 0; i < s->num_units; i++)
			um_unit_restore(s, &s->units[i]);
		return err;
	}
	tell_of_unverified(s);
	each_unit(s, enable_first, 0);
	s->active_set = 0;
	um_session_drop_absent(s);
	err = um_session_any_left(s);
	s->running = !err;
	s->paused = false;
	if (!err)
		um_session_tell_missing(s);
	return err;
}

/* ---- turns and stop ---- */

static int rotate_unit(struct um_msr_session *s, struct um_unit *u, int set)
{
	int next = (set + 1) % s->num_sets;
	int err = um_unit_disable(s, u, set);

	if (!err)
		err = um_unit_program(s, u, next);
	return err ? err : um_unit_enable(s, u, next);
}

int um_msr_rotate(struct um_msr_session *s)
{
	if (!s->running || s->paused || s->num_sets < 2)
		return 0;
	each_unit(s, rotate_unit, s->active_set);
	s->active_set = (s->active_set + 1) % s->num_sets;
	return um_session_any_left(s);
}

int um_msr_pause(struct um_msr_session *s)
{
	int first = 0;

	for (size_t i = 0; i < s->num_units && !s->paused; i++) {
		struct um_unit *u = &s->units[i];
		int err = u->err ? 0 : um_unit_disable(s, u, UM_EVERY_SET);

		if (err && !first) {
			first = err;
			*s->error = u->error;
		}
	}
	s->paused = true;
	return first;
}

int um_msr_stop(struct um_msr_session *s)
{
	int first = 0;

	if (!s->running)
		return 0;
	s->running = false;
	for (size_t i = 0; i < s->num_units; i++) {
		struct um_unit *u = &s->units[i];
		int err = um_unit_restore(s, u);

		if (err && !first) {
			first = err;
			*s->error = u->error;
		}
	}
	return first;
}
