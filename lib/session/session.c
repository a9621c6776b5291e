/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "session/session.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/text.h"
#include "names/catalogue.h"

static int read_names(const struct um_route_env *env, struct um_names **names, struct um_error *e)
{
	struct uncoremsr *um = env->user;
	struct um_error before = um->error;
	int err = um_names_of(um);

	if (err) {
		um_fail_as(e, &um->error);
		if (e != &um->error)
			um_fail_as(&um->error, &before);
	}
	*names = um->names;
	return err;
}

int uncoremsr_session_new(struct uncoremsr *um, struct uncoremsr_session **out)
{
	struct uncoremsr_session *s;
	int err = um_check_open(um);

	if (!out)
		return um_check_given(um, out, "s");
	*out = NULL;
	if (err)
		return err;
	s = calloc(1, sizeof(*s));
	if (!s)
		return um_no_memory(&um->error);
	s->um = um;
	s->env = (struct um_route_env){ &um->m, &s->choices, read_names, um, false };
	s->parts = calloc(um->num_routes, sizeof(*s->parts));
	err = s->parts ? um_choices_init(s) : um_no_memory(&s->um->error);
	while (!err && s->num_parts < um->num_routes) {
		struct um_part *p = &s->parts[s->num_parts];

		p->route = um->routes[s->num_parts];
		err = p->route->open(&p->state, &s->env, &um->error);
		s->num_parts += !err;
	}
	if (err) {
		uncoremsr_session_free(s);
		return err;
	}
	*out = s;
	return 0;
}

void uncoremsr_session_free(struct uncoremsr_session *s)
{
	if (!s)
		return;
	uncoremsr_session_stop(s);
	for (size_t i = 0; i < s->num_parts; i++)
		s->parts[i].route->free(s->parts[i].state);
	um_asked_free(s, 0);
	um_choices_free(s);
	free(s->parts);
	free(s->asked);
	free(s->events);
	free(s->sums);
	um_session_free_metrics(s);
	free(s);
}

/* If another route could count this route's events and only lacks a PMU, add to the error how to get that PMU. */
static void mention_other(struct uncoremsr_session *s, size_t part)
{
	struct um_error *e = &s->parts[part].error;
	char hint[sizeof(e->hint)];

	if (e->class != UNCOREMSR_ERROR_ACCESS || um_lacks_descriptors(e->code))
		return;
	for (size_t i = 0; i < s->num_events; i++) {
		const struct um_reason *r;
		const struct um_route *other;

		if (s->events[i].part != part)
			continue;
		r = um_session_reason(s, i);
		other = s->parts[r->of].route;
		if (r->kind != UM_OTHERS_ANSWER || r->answer != UM_CLAIM_NO_PMU || !other->no_pmu_advice)
			continue;
		memcpy(hint, e->hint, sizeof(hint));
		um_hint(e, "%s%s%s", hint, *hint ? "; " : "", other->no_pmu_advice(&s->um->m));
		return;
	}
}

/*
 * A route turned out to be unable to count its events: move them to other routes. The other routes append the events to
 * the session; then the events get their old indexes back. True: all were moved.
 */
static bool hand_over(struct uncoremsr_session *s, size_t part)
{
	size_t before = s->num_events, size = before * sizeof(*s->events);
	struct um_counted *to = malloc(size + 1);
	int err;

	if (!to)
		return false;
	memcpy(to, s->events, size);
	s->env.moving = true;
	err = um_session_move_asked(s, part, to) ?: um_session_move_metrics(s, part, to);
	s->env.moving = false;
	if (err) {
		um_session_cut(s, before);
	} else {
		memcpy(s->events, to, size);
		s->num_events = before;
		um_part_cut(&s->parts[part], 0);
	}
	free(to);
	return !err;
}

static int start_part(struct uncoremsr_session *s, size_t part)
{
	struct um_part *p = &s->parts[part];
	int err = p->route->start(p->state, &p->error);

	p->num_started = err ? 0 : p->num_events;
	if (!err)
		return 0;
	if (s->wanted == UNCOREMSR_ROUTE_AUTO && (p->error.class == UNCOREMSR_ERROR_ACCESS || err == -EIO)) {
		um_fail_as(&p->blocked, &p->error);
		p->shut = true;
		if (hand_over(s, part)) {
			um_session_tell_routes(s, 0);
			return 0;
		}
	}
	mention_other(s, part);
	return err;
}

enum step { SAMPLE, READ, VERIFY, ROTATE, PAUSE, STOP };

static int do_step(const struct um_part *p, enum step step, struct um_error *e)
{
	const struct um_route *r = p->route;
	int (*fn)(void *state, struct um_error *e) = step == VERIFY ? r->verify : step == ROTATE ? r->rotate
						   : step == PAUSE ? r->pause : r->stop;

	if (step == SAMPLE || step == READ)
		return r->read(p->state, step == READ, e);
	return fn ? fn(p->state, e) : 0;
}

/*
 * Do a step on every route that counts, even after one has failed. Returns the first error; @first is the result of an
 * earlier step.
 */
static int each_part(struct uncoremsr_session *s, enum step step, int first)
{
	for (size_t i = 0; i < s->num_parts; i++) {
		const struct um_part *p = &s->parts[step == STOP ? s->num_parts - 1 - i : i];
		struct um_error e;
		int err;

		if (!p->num_started)
			continue;
		err = do_step(p, step, &e);
		if (err && !first) {
			first = err;
			um_fail_as(&s->um->error, &e);
		}
	}
	return first;
}

/*
 * Start the kernel after the registers, so that the kernel does not count the cost of programming them. A route that
 * fails does not stop the others, unless it has too few counters for a session without turns.
 */
static int start_parts(struct uncoremsr_session *s)
{
	const struct um_error *why = NULL;
	bool any = false;
	int first = 0;

	for (size_t i = 0; i < s->num_parts; i++)
		s->parts[i].num_started = 0;
	for (size_t i = 0; i < s->num_parts; i++) {
		int err = s->parts[i].num_events ? start_part(s, i) : 0;

		any |= s->parts[i].num_started > 0;
		if (!err)
			continue;
		if (err == -EBUSY && s->choices.no_turns) {
			each_part(s, STOP, 0);
			um_fail_as(&s->um->error, &s->parts[i].error);
			for (size_t k = 0; k < i; k++)
				s->parts[k].num_started = 0;
			return err;
		}
		if (why)
			um_warn(&s->um->m, "not counted: %s", s->parts[i].error.msg);
		else
			why = &s->parts[i].error;
		first = first ? first : err;
	}
	if (!why)
		return 0;
	if (any) {
		um_warn(&s->um->m, "not counted: %s", why->msg);
		return 0;
	}
	um_fail_as(&s->um->error, why);
	return first;
}

int uncoremsr_session_start(struct uncoremsr_session *s)
{
	int err = um_session_check_idle(s);

	if (err)
		return err;
	if (!s->num_events && !s->num_metrics)
		return s->um->m.uarch || s->um->m.have_core ? UM_USAGE(&s->um->error, "no events")
							    : um_machine_refuse(&s->um->m, &s->um->error);
	err = um_session_make_sums(s) ?: um_choices_settle(s);
	if (err)
		return err;
	s->slept_ns = um_access_slept(s->um->m.access);
	err = start_parts(s);
	if (err)
		return err;
	s->running = true;
	/* Warn only if something counts; otherwise the caller gets the error alone. */
	if (*s->left_out)
		um_warn(&s->um->m, "%s", s->left_out);
	*s->left_out = '\0';
	return 0;
}

static int step_running(struct uncoremsr_session *s, enum step step)
{
	if (!s)
		return -EINVAL;
	return um_check_process(&s->um->m, &s->um->error) ?:
	       s->running ? each_part(s, step, 0) : UM_USAGE(&s->um->error, "the session is not running");
}

int uncoremsr_session_sample(struct uncoremsr_session *s)
{
	return step_running(s, SAMPLE);
}

static void look_for_suspend(struct uncoremsr_session *s)
{
	uint64_t now = um_access_slept(s->um->m.access), ns = now - s->slept_ns;
	struct um_error e;

	if (now < s->slept_ns + UM_LEAST_SLEEP_NS)
		return;
	s->slept_ns = now;
	um_tell_suspended(&s->um->m, ns);
	for (struct um_part *p = s->parts; p < s->parts + s->num_parts; p++) {
		/* If an event cannot be programmed again, the next reading of the event says so. */
		if (p->num_started && p->route->suspended && p->route->suspended(p->state, ns, &e))
			um_log(&s->um->m, "after the suspend: %s", e.msg);
	}
}

/* Read all counters close together in time, and check them afterwards. */
int uncoremsr_session_read(struct uncoremsr_session *s)
{
	int err = step_running(s, READ);

	if (!s || !s->running || err == -ECHILD)
		return err;
	look_for_suspend(s);
	return s->no_verify ? err : each_part(s, VERIFY, err);
}

int uncoremsr_session_rotate(struct uncoremsr_session *s)
{
	return step_running(s, ROTATE);
}

int uncoremsr_session_pause(struct uncoremsr_session *s)
{
	return step_running(s, PAUSE);
}

int uncoremsr_session_stop(struct uncoremsr_session *s)
{
	int err;

	if (!s)
		return -EINVAL;
	err = um_check_process(&s->um->m, &s->um->error);
	if (err || !s->running)
		return err;
	s->running = false;
	return each_part(s, STOP, 0);
}

const struct uncoremsr_session_state *uncoremsr_session_state(const struct uncoremsr_session *s)
{
	static const char *const no_cores[] = { NULL };
	/* One thread at a time uses a session, so writing into it is safe. */
	struct uncoremsr_session_state *shown = s ? &((struct uncoremsr_session *)(uintptr_t)s)->state : NULL;

	if (!s)
		return NULL;
	*shown = (struct uncoremsr_session_state){
		.size = sizeof(*shown), .packages = s->choices.num_places, .turns = 1, .max_interval = UINT64_MAX,
		.cores = s->cores.texts ? s->cores.texts : no_cores,
		.cpus = s->cores.num ? 0 : s->um->m.topo.online.num,
		.left_out = um_or_null(s->left_out),
	};
	for (size_t i = 0; i < s->cores.num; i++)
		shown->cpus += s->cores.cpus[i].num;
	for (const struct um_part *p = s->parts; p < s->parts + s->num_parts; p++) {
		size_t turns = p->num_started && p->route->turns ? p->route->turns(p->state) : 1;
		uint64_t ns = p->num_started && p->route->max_interval ? p->route->max_interval(p->state) : UINT64_MAX;

		shown->turns = turns > shown->turns ? turns : shown->turns;
		shown->max_interval = ns < shown->max_interval ? ns : shown->max_interval;
	}
	return shown;
}

static int package_cpu(const struct uncoremsr_session *s, size_t index)
{
	for (size_t i = 0; i < s->num_parts; i++)
		if (s->parts[i].num_started && s->parts[i].route->place_cpu)
			return s->parts[i].route->place_cpu(s->parts[i].state, index);
	return (int)s->choices.places[index].cpu;
}

static const char *package_error(const struct uncoremsr_session *s, size_t index)
{
	const char *first = NULL;

	for (const struct um_part *p = s->parts; p < s->parts + s->num_parts; p++) {
		const char *why = NULL;

		if (!p->num_events)
			continue;
		if (p->route->place_error)
			why = p->route->place_error(p->state, index);
		if (p->num_started && !why)
			return NULL;
		first = first ? first : why;
	}
	return first;
}

const struct uncoremsr_session_package *uncoremsr_session_package(const struct uncoremsr_session *s, size_t index)
{
	struct um_place *place = s && index < s->choices.num_places ? &s->choices.places[index] : NULL;

	if (!place)
		return NULL;
	place->shown = (struct uncoremsr_session_package){
		.size = sizeof(place->shown), .package = place->package, .cpu = package_cpu(s, index),
		.error = package_error(s, index),
	};
	for (size_t i = s->cores.num; i-- > 0;)
		if (um_cpuset_overlap(&s->cores.cpus[i], um_package_cpus(place->package)))
			place->shown.cores = s->cores.texts[i];
	return &place->shown;
}
