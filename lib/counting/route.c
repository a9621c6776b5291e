/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The route `msr`: the steps of a session (start, read, verify, rotate, pause, stop), each done on every unit. */
#include "counting/route.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "counting/claim.h"
#include "counting/run.h"

/* ---- units that cannot be counted ---- */

static void fail_site(struct um_site *site, int err, const struct um_error *e)
{
	site->err = err;
	um_fail_as(&site->error, e);
	snprintf(site->error_text, sizeof(site->error_text), "%s%s%s", e->msg, e->hint[0] ? "; " : "", e->hint);
}

static int fail_as(struct um_msr *s, int err, const struct um_error *e)
{
	um_fail_as(s->error, e);
	um_tell_place(s->error);
	return err;
}

/* Is any unit of @site and @pmu counted? NULL: of any site or PMU. */
static bool any_counts(const struct um_msr *s, const struct um_site *site, const struct um_pmu *pmu)
{
	for (const struct um_unit *u = s->units; u < s->units + s->num_units; u++)
		if (!u->err && (!site || u->site == site) && (!pmu || u->box.pmu == pmu))
			return true;
	return false;
}

/*
 * A box that faults from the beginning is fused off, and sums are complete without it. If a box has answered before and
 * faults now, sums without it would be incomplete, so they are unknown.
 */
static void drop_absent(struct um_msr *s)
{
	for (struct um_unit *u = s->units; u < s->units + s->num_units; u++) {
		if (u->err == -EIO && !u->answers && u->box.pmu->units.max > 1 && !u->gone &&
		    any_counts(s, u->site, u->box.pmu) && (!u->num_slots || u->slots[0].event->unit < 0))
			u->gone = true;
	}
}

/* Returns 0 if a unit counts or a named CPU may come online. A site fails when all its units have failed. */
static int any_left(struct um_msr *s)
{
	/* Units of CPUs that are offline have no site of their own. */
	for (const struct um_unit *u = s->units; u < s->units + s->num_units; u++)
		if (u->err && u->site < s->sites + s->num_sites && !u->site->err && !any_counts(s, u->site, NULL))
			fail_site(u->site, u->err, &u->error);
	for (size_t i = 0; i < s->num_units; i++)
		if (!s->units[i].err || (s->units[i].waits && !s->units[i].hidden))
			return 0;
	if (!s->num_sites)
		return um_fail(s->error, -ENODATA, UNCOREMSR_ERROR_UNSUPPORTED,
			       "sysfs shows no package, so there is nothing to count on");
	for (size_t i = 0; i < s->num_sites; i++)
		if (s->sites[i].err)
			return fail_as(s, s->sites[i].err, &s->sites[i].error);
	for (size_t k = 0; k < s->events.num; k++)
		if (s->events.events[k].core_type)
			return um_no_unit_of_kind(s, s->sites[0].package, &s->events.events[k], s->error);
	return um_fail(s->error, -ENODEV, UNCOREMSR_ERROR_UNSUPPORTED,
		       "none of the chosen CPUs is online and in a chosen package");
}

static void tell_not_counted(const struct um_msr *s, struct um_error why)
{
	um_tell_place(&why);
	um_warn(s->m, "not counted: %s", why.msg);
}

/* Units that are fused off are named in one line per PMU and package. */
static void tell_missing(struct um_msr *s)
{
	struct um_cpuset offline = { NULL, 0 };
	char list[UM_MESSAGE_SIZE];
	int err = 0;

	for (size_t i = 0; i < s->num_units && !err; i++)
		if (s->units[i].waits)
			err = um_cpuset_add(&offline, s->units[i].box.cpu);
	um_tell_offline(s->m, &offline);
	um_cpuset_free(&offline);
	for (size_t i = 0; i < s->num_units; i++) {
		const struct um_unit *u = &s->units[i];

		if (u->err && !u->gone && !u->waits && !u->site->err)
			tell_not_counted(s, u->error);
		if (i && u[-1].site == u->site && u[-1].box.pmu == u->box.pmu)
			continue;
		*list = '\0';
		for (const struct um_unit *v = u; v < s->units + s->num_units &&
		     v->site == u->site && v->box.pmu == u->box.pmu; v++)
			if (v->gone)
				um_list_add(list, sizeof(list), "%s", v->name);
		if (*list)
			um_warn(s->m, "package %d: absent units are left out: %s", u->box.package, list);
	}
}

/* ---- steps ---- */

typedef int unit_step(struct um_msr *s, struct um_unit *u);

/* Run one step on every unit that still counts. If the step fails on a unit, restore its registers and leave it out. */
static void each_unit(struct um_msr *s, unit_step *step)
{
	for (struct um_unit *u = s->units; u < s->units + s->num_units; u++) {
		int err = u->err ? 0 : step(s, u);

		if (!err)
			continue;
		u->err = err;
		um_unit_restore(s, u);
	}
}

/* Goes on after a failure. Returns the first error; @first is the result of an earlier step. */
static int try_each_unit(struct um_msr *s, unit_step *step, int first)
{
	for (size_t i = 0; i < s->num_units; i++) {
		int err = step(s, &s->units[i]);

		if (err && !first)
			first = fail_as(s, err, &s->units[i].error);
	}
	return first;
}

/* ---- start ---- */

static int make_sites(struct um_msr *s)
{
	const struct um_choices *choices = s->env->choices;

	um_units_free(s);
	free(s->sites);
	s->num_sites = 0;
	s->sites = calloc(choices->num_places + 1, sizeof(*s->sites));
	if (!s->sites)
		return um_no_memory(s->error);
	s->num_sites = choices->num_places;
	for (size_t i = 0; i < s->num_sites; i++) {
		struct um_site *site = &s->sites[i];
		struct um_error e;
		int err;

		*site = (struct um_site){ .package = choices->places[i].package, .cpu = choices->places[i].cpu };
		err = um_open_cpu(s, site->cpu, &e);
		if (err)
			fail_site(site, err, &e);
	}
	return 0;
}

static int open_unit(struct um_msr *s, struct um_unit *u)
{
	int err;

	if (u->box.cpu == u->site->cpu)
		return 0;
	err = um_open_cpu(s, u->box.cpu, &u->error);
	/* -ENXIO: the unit's CPU went offline after the topology was read. */
	u->waits = err == -ENXIO && u->box.pmu->scope == UM_SCOPE_CPU;
	return err;
}

/* The first interval begins with a read: the time between two reads is then the same for all units. */
static int begin_interval(struct um_msr *s, struct um_unit *u)
{
	um_unit_sample(s, u);
	u->interval_ns = um_now(s->m);
	for (struct um_slot *slot = u->slots; slot < u->slots + u->num_slots; slot++) {
		slot->counted = slot->running_ns = 0;
		slot->unsure_ns = slot->total_unsure_ns = slot->active ? slot->last_read.window_ns : 0;
		if (slot->active && slot->last_read.ns < u->interval_ns)
			u->interval_ns = slot->last_read.ns;
	}
	return 0;
}

static void tell_of_unverified(struct um_msr *s)
{
	char list[UM_MESSAGE_LIST_SIZE] = "";

	for (const struct um_pmu *pmu = s->m->pmus; pmu < s->m->pmus + s->m->num_pmus; pmu++) {
		if (pmu->unverified && um_pmu_has_events(s, pmu))
			um_list_add(list, sizeof(list), "%s", pmu->name);
	}
	if (*list)
		um_warn(s->m, "not verified on hardware: the registers of %s on %s are known from one source only, "
				"or were never tested", list, um_processor_name(s->m));
}

/* Bytes that all units together write into the journal at most, if other programs do not keep taking counters. */
static size_t journal_room(const struct um_msr *s)
{
	size_t records = 0, words = 0;

	for (const struct um_unit *u = s->units; u < s->units + s->num_units; u++) {
		size_t shared = u->box.pmu ? u->box.pmu->num_extras + u->box.pmu->num_gates : 0;

		/* Any counter may get a record: an event moves to another counter if a program takes the old one. */
		records += um_num_counters(u) + shared;
		words += 3 * (u->num_slots + um_num_counters(u)) + shared * 2 * (size_t)s->num_sets;
	}
	return records * UM_RECORD_ROOM + words * UM_WORD_ROOM;
}

/* In a session without turns: does each PMU have at least one unit on which its events fit? */
static int check_pmus(struct um_msr *s)
{
	for (const struct um_unit *u = s->units; u < s->units + s->num_units && s->env->choices->no_turns; u++)
		if (u->err == -EBUSY && !any_counts(s, NULL, u->box.pmu))
			return fail_as(s, u->err, &u->error);
	return 0;
}

/*
 * Restore what dead sessions left before looking for free counters. Program all units before enabling the first one, so
 * that they start close together.
 */
static int take_counters(struct um_msr *s)
{
	int err = um_repair_all(s->m, s->guard, false, NULL, NULL, s->error);

	/* The limit of descriptors is reached: this session could not open its own journal either. */
	if (um_lacks_descriptors(err))
		return err;
	if (err < 0)
		um_warn(s->m, "leftovers of dead sessions: %s", s->error->msg);
	err = um_check_groups(s);
	for (struct um_unit *u = s->units; !err && u < s->units + s->num_units; u++) {
		if (!u->err)
			u->err = um_claim_free(s, u);
		if (!u->err)
			u->err = um_check_unit(s, u);
	}
	if (!err)
		err = um_assign_counters(s);
	for (size_t i = 0; i < s->num_units; i++)
		um_claim_keep(s, &s->units[i]);
	drop_absent(s);
	err = err ?: any_left(s) ?: um_journal_begin(s->guard, journal_room(s), s->error);
	if (err)
		return err;
	each_unit(s, um_unit_look);
	each_unit(s, um_unit_program);
	return check_pmus(s);
}

static int restore_unit(struct um_msr *s, struct um_unit *u)
{
	return u->waits ? 0 : um_unit_restore(s, u);
}

static int run_start(void *state, struct um_error *e)
{
	struct um_msr *s = state;
	int err;

	s->error = e;
	s->active_set = 0;
	err = make_sites(s) ?: um_units_make(s);
	if (err)
		return err;
	each_unit(s, open_unit);
	err = any_left(s);
	if (err)
		return err;
	um_guard_close(s->guard);
	err = um_guard_open(s->guard, s->m, true, e) ?: um_start_lock(s->m, s->guard, e) ?: take_counters(s);
	um_start_unlock(s->guard);
	if (err) { /* undo everything, and keep the error, even if a register cannot be restored */
		try_each_unit(s, restore_unit, err);
		um_guard_close(s->guard);
		return err;
	}
	tell_of_unverified(s);
	each_unit(s, um_unit_enable);
	each_unit(s, begin_interval);
	drop_absent(s);
	err = any_left(s);
	s->running = !err;
	s->paused = false;
	if (err) {
		um_guard_close(s->guard);
		return err;
	}
	tell_missing(s);
	for (size_t i = 0; i < s->num_slots; i++)
		if (!s->slots[i].unit->gone && !s->slots[i].unit->hidden)
			um_slot_show(s, &s->slots[i]);
	return 0;
}

/* ---- while it runs ---- */

static void look_for_cpus(struct um_msr *s)
{
	struct um_cpuset online = { NULL, 0 };
	bool any = false;
	int err;

	for (size_t i = 0; i < s->num_units && !any; i++)
		any = s->units[i].waits && !s->units[i].gone;
	if (!any || s->paused)
		return;
	err = um_cpus_online(&online, s->m->access);
	for (struct um_unit *u = s->units; !err && u < s->units + s->num_units; u++)
		if (u->waits && !u->gone && um_cpuset_has(&online, u->box.cpu) && um_unit_cpu_online(s, u)) {
			um_unit_restore(s, u);
			tell_not_counted(s, u->error);
		}
	um_cpuset_free(&online);
}

/* Returns 0 even if the unit's CPU is offline: the reading reports that. */
static int read_unit(struct um_msr *s, struct um_unit *u)
{
	bool was_lost = u->lost;
	int err = u->err;

	if (u->waits || u->gone)
		return 0;
	if (!err && u->lost)
		err = um_unit_come_back(s, u);
	if (!u->err)
		err = err ? um_unit_spoil(u, err) : um_unit_sample(s, u);
	if (!u->lost || um_status_away(u) != UNCOREMSR_OFFLINE)
		return err;
	if (!was_lost)
		um_tell_went(s->m, u->box.cpu);
	return 0;
}

static int run_read(void *state, bool close, struct um_error *e)
{
	struct um_msr *s = state;
	int err;

	s->error = e;
	if (close)
		look_for_cpus(s);
	err = try_each_unit(s, read_unit, 0);
	for (struct um_unit *u = s->units; close && u < s->units + s->num_units; u++)
		if (!u->gone)
			um_unit_close(u);
	for (size_t i = 0; i < s->num_sites; i++)
		if (s->sites[i].err)
			return fail_as(s, s->sites[i].err, &s->sites[i].error);
	return err;
}

static int verify_unit(struct um_msr *s, struct um_unit *u)
{
	int err;

	if (u->err || u->lost)
		return 0;
	err = um_unit_verify(s, u);
	/* Report at once that the CPU went offline. Other failures to reprogram are shown by the next reading. */
	if (!err && um_unit_reprogram(s, u) == -ENXIO)
		err = -ENXIO;
	if (err != -ENXIO || um_status_away(u) != UNCOREMSR_OFFLINE)
		return err;
	/* The CPU went offline after the unit's last read. */
	u->lost = true;
	um_tell_went(s->m, u->box.cpu);
	return 0;
}

static int run_verify(void *state, struct um_error *e)
{
	struct um_msr *s = state;
	int err;

	s->error = e;
	if (s->paused)
		return 0;
	s->num_reprogrammed = s->num_moved = 0;
	err = try_each_unit(s, verify_unit, 0);
	um_tell_reprogrammed(s);
	return err;
}

/* Checks even if the user switched checks off: a counter whose selector was cleared would never count again. */
static int run_suspended(void *state, uint64_t ns, struct um_error *e)
{
	struct um_msr *s = state;

	for (size_t i = 0; i < s->num_slots; i++) {
		um_reading_suspended(&s->slots[i].reading, ns);
		um_reading_suspended(&s->slots[i].total, ns);
	}
	return run_verify(s, e);
}

static int rotate_unit(struct um_msr *s, struct um_unit *u)
{
	return um_unit_disable(s, u, false) ?: um_unit_begin(s, u);
}

static int run_rotate(void *state, struct um_error *e)
{
	struct um_msr *s = state;

	s->error = e;
	if (s->paused || s->num_sets < 2)
		return 0;
	s->active_set = (s->active_set + 1) % s->num_sets;
	each_unit(s, rotate_unit);
	return any_left(s);
}

/* ---- pause and stop ---- */

static int pause_unit(struct um_msr *s, struct um_unit *u)
{
	return u->err ? 0 : um_unit_disable(s, u, true);
}

static int run_pause(void *state, struct um_error *e)
{
	struct um_msr *s = state;
	int err;

	s->error = e;
	err = s->paused ? 0 : try_each_unit(s, pause_unit, 0);
	s->paused = true;
	return err;
}

/* Fail if a unit failed earlier in the session and some of its registers could not be restored. */
static int left_before(struct um_msr *s)
{
	for (size_t i = 0; i < s->num_sites; i++)
		if (s->sites[i].has_left) {
			um_fail(s->error, -EIO, UNCOREMSR_ERROR_UNSUPPORTED, "package %d: not all "
				"registers could be put back", s->sites[i].package->id);
			return um_advise(s->error, -EIO, "uncore-doctor --repair puts back what is left");
		}
	return 0;
}

static int run_stop(void *state, struct um_error *e)
{
	struct um_msr *s = state;
	int err;

	s->error = e;
	if (!s->running)
		return 0;
	s->running = false;
	err = try_each_unit(s, restore_unit, 0);
	um_guard_close(s->guard);
	return err ? err : left_before(s);
}

/* ---- the state of a session ---- */

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
		run_stop(s, &ignored);
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
	.set_counter = um_msr_set_counter, .start = run_start, .read = run_read,
	.verify = run_verify, .suspended = run_suspended, .rotate = run_rotate, .pause = run_pause,
	.stop = run_stop, .units = units, .no_units = no_units, .turns = turns,
	.max_interval = max_interval, .place_cpu = place_cpu, .place_error = place_error,
};
