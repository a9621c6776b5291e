/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A route that exists only in this test, with two counters ("hands") on each package. They count by one per read, up to
 * ten. The library gets only the table of its functions.
 *
 * Uses internal headers, because it implements a route itself.
 */
#include <check.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "counting/route.h"
#include "names/catalogue.h"
#include "names/scanner.h"
#include "perf/route.h"
#include "made_up.h"
#include "suite.h"

enum { TEN = 77, MOST = 4 };

struct ten {
	const struct um_route_env *env;
	char names[MOST][32];
	size_t num, claimed;
	char last[MOST][32];
	uint64_t counts[MOST][2];
	struct um_reading readings[MOST][2], totals[MOST][2];
	struct um_front units[MOST][2];
};

static int ten_open(void **state, const struct um_route_env *env, struct um_error *e)
{
	struct ten *t = calloc(1, sizeof(*t));

	(void)e;
	ck_assert_ptr_nonnull(t);
	t->env = env;
	*state = t;
	return 0;
}

static void ten_free(void *state)
{
	free(state);
}

/* Claims groups of "ten". Refuses "ten/slow/" with a reason; any other event belongs to other routes. */
static int ten_claim(void *state, const struct um_event *group, size_t num, bool asked,
		     enum um_answer *answer, struct um_error *e)
{
	struct ten *t = state;

	(void)asked;
	t->claimed = 0;
	for (size_t i = 0; i < num; i++) {
		*answer = UM_CLAIM_NOT_MINE;
		if (strncmp(group[i].text, "ten", 3) != 0)
			return um_fail(e, -ENOENT, UNCOREMSR_ERROR_USAGE, "'%s' is not ten", group[i].text);
		*answer = UM_CLAIM_BAD_VALUE;
		if (group[i].pmu)
			return um_fail(e, -EINVAL, UNCOREMSR_ERROR_USAGE, "ten is never slow");
		snprintf(t->last[t->claimed++], sizeof(t->last[0]), "%.31s", group[i].text);
	}
	*answer = UM_CLAIM_YES;
	return 0;
}

static int ten_add(void *state, struct um_error *e)
{
	struct ten *t = state;

	(void)e;
	for (size_t i = 0; i < t->claimed; i++)
		memcpy(t->names[t->num++], t->last[i], sizeof(t->last[i]));
	return (int)t->claimed;
}

static void ten_cut(void *state, size_t num)
{
	((struct ten *)state)->num = num;
}

static void ten_facts(const void *state, size_t event, struct uncoremsr_counted *f)
{
	const struct ten *t = state;

	f->name = t->names[event];
	f->pmu = "fingers";
	f->encoding = 10;
	f->uncore = true;
}

static int ten_start(void *state, struct um_error *e)
{
	struct ten *t = state;

	(void)e;
	for (size_t i = 0; i < t->num; i++)
		for (size_t k = 0; k < 2; k++) {
			t->counts[i][k] = 0;
			t->totals[i][k] = (struct um_reading){ .counter = (int)k };
			t->units[i][k] = (struct um_front){
				.shown.name = k ? "left" : "right", .shown.core = -1,
				.shown.cpu = (int)t->env->choices->places[0].cpu,
				.shown.package = t->env->choices->places[0].package,
				.reading = &t->readings[i][k], .total = &t->totals[i][k],
			};
		}
	return 0;
}

/* The counter named "left" is on for half of the time. */
static int ten_read(void *state, bool close, struct um_error *e)
{
	struct ten *t = state;

	(void)e;
	for (size_t i = 0; close && i < t->num; i++)
		for (size_t k = 0; k < 2; k++) {
			uint64_t more = t->counts[i][k] < 10;
			uint64_t running = k ? 50 : 100;

			t->counts[i][k] += more;
			t->readings[i][k] = (struct um_reading){
				.counter = (int)k, .have_raw = true, .raw = t->counts[i][k],
				.counted = more, .value = more, .enabled_ns = 100,
				.running_ns = running,
			};
			t->totals[i][k].counted = t->totals[i][k].value = t->counts[i][k];
			t->totals[i][k].enabled_ns += 100;
			t->totals[i][k].running_ns += running;
		}
	return 0;
}

static const struct um_front *ten_units(void *state, size_t event, size_t *num)
{
	*num = 2;
	return ((struct ten *)state)->units[event];
}

static const struct um_route ten = {
	.name = "ten", .label = "fingers", .id = TEN, .open = ten_open, .free = ten_free,
	.claim = ten_claim, .add = ten_add, .cut = ten_cut, .facts = ten_facts,
	.start = ten_start, .read = ten_read, .stop = made_up_stop, .units = ten_units,
	.no_units = made_up_no_units,
};
static const struct um_route *const routes[] = { &ten, &um_route_registers, &um_route_perf };

FIXTURE(.teardown = close_machine)

TEST(a_route_that_the_library_does_not_contain_counts_with_the_others)
{
	const struct uncoremsr_reading *r;

	open_on_routes(routes, ARRAY_SIZE(routes));
	ck_assert_int_eq(uncoremsr_session_add(s, "UNC_L3_HITS.READ,ten,{ten:a,ten:b}"), 4);
	ck_assert_str_eq(uncoremsr_session_event(s, 2)->name, "ten:a");
	ck_assert_str_eq(uncoremsr_session_event(s, 1)->pmu, "fingers");
	ck_assert_int_eq((int)uncoremsr_session_event(s, 3)->route, TEN);
	ck_assert_int_eq(uncoremsr_session_event(s, 0)->route, UNCOREMSR_ROUTE_MSR);
	ck_assert_int_eq(uncoremsr_session_start(s), 0);
	for (unsigned i = 0; i < 12; i++) {
		ck_assert_int_eq(uncoremsr_advance(um, SECOND), 1);
		ck_assert_int_eq(uncoremsr_session_read(s), 0);
		ck_assert_uint_eq(reading(0, 1)->value, i < 10 ? 2 : 0);
	}
	ck_assert_uint_eq(num_disturbed(s), 0);
	/* The sum has the counts of both counters, and the times of the one that was on for the shorter time. */
	r = uncoremsr_session_reading(s, 2, UNCOREMSR_PLACE_PACKAGE, 0, UNCOREMSR_TOTAL);
	ck_assert_uint_eq(r->value, 20);
	ck_assert_uint_eq(r->enabled_ns, 1200);
	ck_assert_uint_eq(r->running_ns, 600);
	ck_assert_uint_eq(r->raw, UINT64_MAX);
	ck_assert_int_eq(r->counter, -1);
	/* On the other package the event is not counted. */
	r = uncoremsr_session_reading(s, 1, UNCOREMSR_PLACE_PACKAGE, 1, UNCOREMSR_INTERVAL);
	ck_assert_int_eq(r->status, UNCOREMSR_FAILED);
	ck_assert_str_eq(r->detail, "none on this package");
	ck_assert_int_eq(uncoremsr_session_stop(s), 0);
}

TEST(if_a_route_declines_an_event_the_most_specific_reason_is_reported)
{
	open_on_routes(routes, ARRAY_SIZE(routes));
	ck_assert_int_eq(uncoremsr_session_add(s, "ten/slow/"), -EINVAL);
	ck_assert_str_eq(uncoremsr_error(um)->message, "ten is never slow");
	ck_assert_int_eq(uncoremsr_session_add(s, "{ten,UNC_L3_HITS.READ}"), -EINVAL);
	ck_assert_ptr_nonnull(strstr(uncoremsr_error(um)->message, "one is counted by fingers, the other "
							    "by registers"));
	ck_assert_int_eq(uncoremsr_session_set(s, UNCOREMSR_SESSION_ROUTE, (enum uncoremsr_route)TEN), 0);
	ck_assert_int_eq(uncoremsr_session_add(s, "cycles"), -ENOENT);
	ck_assert_str_eq(uncoremsr_error(um)->message, "'cycles' is not ten");
	ck_assert_uint_eq(num_events(s), 0);
	/* A route that does not exist is refused; the session keeps its route. */
	ck_assert_int_lt(uncoremsr_session_set(s, UNCOREMSR_SESSION_ROUTE, (enum uncoremsr_route)(TEN + 1)), 0);
	ck_assert_int_eq(uncoremsr_session_add(s, "cycles"), -ENOENT);
	ck_assert_int_eq(uncoremsr_session_set(s, UNCOREMSR_SESSION_ROUTE, UNCOREMSR_ROUTE_AUTO), 0);
	ck_assert_int_eq(uncoremsr_session_add(s, "UNC_L3_HITS.READ"), 1);
}

static unsigned num_slow_claims;

static int slow_claim(void *state, const struct um_event *group, size_t num, bool asked,
		      enum um_answer *answer, struct um_error *e)
{
	(void)state, (void)num, (void)asked;
	num_slow_claims++;
	*answer = UM_CLAIM_BAD_VALUE;
	return um_fail(e, -EINVAL, UNCOREMSR_ERROR_USAGE, "'%s' is not slow", group->text);
}

TEST(a_route_whose_claim_is_slow_is_asked_only_if_the_answer_matters)
{
	static const struct um_route slow = {
		.name = "slow", .label = "toes", .id = TEN + 1, .slow_claim = true, .claim = slow_claim,
		.open = ten_open, .free = ten_free, .cut = ten_cut,
	};
	static const struct um_route *const both[] = { &ten, &slow };

	num_slow_claims = 0;
	open_on_routes(both, ARRAY_SIZE(both));
	uncoremsr_set_log(um, remember, NULL);
	ck_assert_int_eq(uncoremsr_set(um, UNCOREMSR_LOG_FROM, UNCOREMSR_LOG_WARNING), 0);
	ck_assert_int_eq(uncoremsr_session_add(s, "ten"), 1);
	ck_assert_uint_eq(num_slow_claims, 0);
	ck_assert_int_eq(uncoremsr_set(um, UNCOREMSR_LOG_FROM, UNCOREMSR_LOG_REMARK), 0);
	ck_assert_int_eq(uncoremsr_session_add(s, "ten"), 1);
	ck_assert_uint_eq(num_slow_claims, 1);
	ck_assert_ptr_nonnull(strstr(logged, "ten: counted by fingers: the event is not understood by toes"));
	ck_assert_int_lt(uncoremsr_session_add(s, "cycles"), 0);
	ck_assert_uint_ge(num_slow_claims, 2);
}

/* Names that were cached from the first machine must not be used for the second one. */
TEST(another_machine_can_be_chosen_after_names_were_looked_up)
{
	struct um_names *names;

	ck_assert_int_eq(uncoremsr_new(&um), 0);
	ck_assert_int_eq(uncoremsr_set_machine(um, "sim:westmere-2s"), 0);
	ck_assert_int_eq(um_names_of(um, &names), 0);
	ck_assert_int_eq(uncoremsr_set_machine(um, "sim:westmere-2s,clock=stepped"), 0);
	ck_assert_int_eq(uncoremsr_open(um), 0);
	ck_assert_int_eq(uncoremsr_session_new(um, &s), 0);
	ck_assert_int_eq(uncoremsr_session_set(s, UNCOREMSR_SESSION_ROUTE, UNCOREMSR_ROUTE_PERF), 0);
	ck_assert_int_eq(uncoremsr_session_add(s, "cycles,task-clock"), 2);
	ck_assert_int_eq(uncoremsr_session_start(s), 0);
	ck_assert_int_eq(uncoremsr_session_read(s), 0);
}

SUITE(made_up_route)
