/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* From start to stop: what each step does to every unit. */
#include "counting/run.h"

#include <errno.h>
#include <stdio.h>

#include "counting/claim.h"

typedef int unit_step(struct um_msr *s, struct um_unit *u, int set);

/* One step on every unit that still counts; a unit that fails is put back and left out. */
static void each_unit(struct um_msr *s, unit_step *step, int set)
{
	for (size_t i = 0; i < s->num_units; i++) {
		struct um_unit *u = &s->units[i];
		int err = u->err ? 0 : step(s, u, set);

		if (!err)
			continue;
		u->err = err;
		um_unit_restore(s, u);
	}
}

/* One step on every unit, whatever becomes of the others. The first error. */
static int try_each_unit(struct um_msr *s, unit_step *step, int set)
{
	int first = 0;

	for (size_t i = 0; i < s->num_units; i++) {
		int err = step(s, &s->units[i], set);

		if (err < 0 && !first) {
			first = err;
			*s->error = s->units[i].error;
		}
	}
	return first;
}

/* ---- start ---- */

static void open_sites(struct um_msr *s)
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
static int open_unit(struct um_msr *s, struct um_unit *u, int set)
{
	(void)set;
	if (u->box.cpu == u->site->cpu)
		return 0;
	return um_reg_open(s->m, u->box.cpu, true, &u->error);
}

/* The first interval of a unit begins when its counters were switched on. */
static int enable_first(struct um_msr *s, struct um_unit *u, int set)
{
	int err = um_unit_enable(s, u, set);

	u->interval_ns = um_now(s->m);
	for (size_t k = 0; k < u->num_slots; k++)
		if (u->slots[k].active)
			u->interval_ns = u->slots[k].last_ns;
	return err;
}

/* One warning about what was never seen to work. */
static void tell_of_unverified(struct um_msr *s)
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
static int take_counters(struct um_msr *s)
{
	int err = um_repair_all(s->m, &s->guard, NULL, NULL, s->error);

	if (err < 0)
		um_warn(s->m, "leftovers of dead sessions: %s", s->error->msg);
	err = um_check_groups(s);
	for (size_t i = 0; !err && i < s->num_units; i++) {
		struct um_unit *u = &s->units[i];

		if (!u->err)
			u->err = um_claim_free(s, u);
		if (!u->err)
			u->err = um_check_unit(s, u);
	}
	if (!err)
		err = um_place(s);
	for (size_t i = 0; i < s->num_units; i++)
		um_claim_keep(s, &s->units[i]);
	um_drop_absent(s);
	if (!err)
		err = um_any_left(s);
	if (!err)
		each_unit(s, um_unit_program, 0);
	return err;
}

static int restore_unit(struct um_msr *s, struct um_unit *u, int set)
{
	(void)set;
	return um_unit_restore(s, u);
}

/* The error stays the one that failed, not one from putting back. */
static int give_up(struct um_msr *s, int err)
{
	struct um_error why = *s->error;

	try_each_unit(s, restore_unit, 0);
	*s->error = why;
	return err;
}

int um_run_start(void *state, struct um_error *e)
{
	struct um_msr *s = state;
	int start = -1, err;

	s->error = e;
	open_sites(s);
	err = um_units_make(s);
	if (err)
		return err;
	each_unit(s, open_unit, 0);
	err = um_any_left(s);
	if (err)
		return err;
	um_guard_close(&s->guard);
	err = um_guard_open(&s->guard, s->m, true, e);
	if (!err)
		err = um_start_lock(&s->guard, &start, e);
	if (!err)
		err = take_counters(s);
	um_lease_release(start);
	if (err)
		return give_up(s, err);
	tell_of_unverified(s);
	each_unit(s, enable_first, 0);
	s->active_set = 0;
	um_drop_absent(s);
	err = um_any_left(s);
	s->running = !err;
	s->paused = false;
	if (!err)
		um_tell_missing(s);
	return err;
}

/* ---- while it runs ---- */

static int read_unit(struct um_msr *s, struct um_unit *u, int close)
{
	int err = u->gone ? 0 : u->err ? u->err : um_unit_sample(s, u);

	if (close && !u->gone)
		um_unit_close(u);
	return err;
}

int um_run_read(void *state, bool close, struct um_error *e)
{
	struct um_msr *s = state;
	struct um_error of_units = { .msg = "" };
	int err;

	s->error = &of_units;
	err = try_each_unit(s, read_unit, close);
	*e = of_units;
	for (size_t i = 0; i < s->num_sites; i++)
		if (s->sites[i].err) {
			*e = s->sites[i].error;
			return s->sites[i].err;
		}
	return err;
}

int um_run_verify(void *state, struct um_error *e)
{
	struct um_msr *s = state;
	int num = 0, first = 0;

	for (size_t i = 0; i < s->num_units; i++) {
		struct um_unit *u = &s->units[i];
		int err = u->err ? 0 : um_unit_verify(s, u, &num);

		if (err && !first)
			*e = u->error;
		first = first ? first : err;
	}
	return first ? first : num;
}

static int rotate_unit(struct um_msr *s, struct um_unit *u, int set)
{
	int next = (set + 1) % s->num_sets;
	int err = um_unit_disable(s, u, set);

	if (!err)
		err = um_unit_program(s, u, next);
	return err ? err : um_unit_enable(s, u, next);
}

int um_run_rotate(void *state, struct um_error *e)
{
	struct um_msr *s = state;

	s->error = e;
	if (s->paused || s->num_sets < 2)
		return 0;
	each_unit(s, rotate_unit, s->active_set);
	s->active_set = (s->active_set + 1) % s->num_sets;
	return um_any_left(s);
}

/* ---- pause and stop ---- */

static int pause_unit(struct um_msr *s, struct um_unit *u, int set)
{
	return u->err ? 0 : um_unit_disable(s, u, set);
}

int um_run_pause(void *state, struct um_error *e)
{
	struct um_msr *s = state;
	int err;

	s->error = e;
	err = s->paused ? 0 : try_each_unit(s, pause_unit, UM_EVERY_SET);
	s->paused = true;
	return err;
}

int um_run_stop(void *state, struct um_error *e)
{
	struct um_msr *s = state;

	s->error = e;
	if (!s->running)
		return 0;
	s->running = false;
	return try_each_unit(s, restore_unit, 0);
}
