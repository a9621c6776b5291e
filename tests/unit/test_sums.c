/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Sums of readings, the order in which routes are tried for an event, and options before a start. Units and their
 * readings are from a route that exists only in this test and that the library calls.
 *
 * Uses internal headers, because it implements a route itself.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "counting/route.h"
#include "names/catalogue.h"
#include "names/scanner.h"
#include "perf/route.h"
#include "made_up.h"
#include "steps.h"
#include "suite.h"
#include "uncoremsr/region.h"

enum { GIVEN = 78, MOST = 4 };

static struct um_reading readings[MOST], totals[MOST];
static struct um_front units[MOST];
static size_t num_given;
static int num_added, num_regions;
static bool was_asked, in_region, is_uncore;

static int given_open(void **state, const struct um_route_env *env, struct um_error *e)
{
	(void)env;
	(void)e;
	*state = &num_given;
	return 0;
}

static int given_claim(void *state, const struct um_event *group, size_t num, bool asked,
		       enum um_answer *answer, struct um_error *e)
{
	(void)state;
	was_asked = asked;
	*answer = UM_CLAIM_YES;
	for (size_t i = 0; i < num; i++)
		if (strncmp(group[i].text, "given", 5)) {
			*answer = UM_CLAIM_NOT_MINE;
			return um_fail(e, -ENOENT, UNCOREMSR_ERROR_USAGE, "'%s' is not given", group[i].text);
		} else if (group[i].pmu) {
			*answer = UM_CLAIM_BAD_VALUE;
			return um_fail(e, -EINVAL, UNCOREMSR_ERROR_USAGE, "given is never slow");
		}
	return 0;
}

static int given_add(void *state, struct um_error *e)
{
	(void)state;
	(void)e;
	num_added++;
	return 1;
}

static void given_cut(void *state, size_t num)
{
	(void)state;
	num_added = (int)num;
}

static void given_facts(const void *state, size_t event, struct uncoremsr_counted *f)
{
	(void)state;
	(void)event;
	f->name = "given";
	f->pmu = "test";
	f->uncore = is_uncore;
}

static const struct um_front *given_units(void *state, size_t event, size_t *num)
{
	(void)state;
	(void)event;
	*num = num_given;
	return units;
}

static int given_region(void *state, struct um_region **region, struct um_error *e)
{
	*region = state;
	num_regions++;
	(void)e;
	return 0;
}

static void given_region_free(struct um_region *region)
{
	(void)region;
	num_regions--;
}

static int given_mark(struct um_region *region, bool begin, struct um_error *e)
{
	(void)region;
	(void)e;
	in_region = begin;
	return 0;
}

/* A second route with the same functions, but without regions. */
static const struct um_route plain = {
	.name = "plain", .label = "a test", .id = GIVEN + 1, .open = given_open, .free = made_up_free,
	.claim = given_claim, .add = given_add, .cut = given_cut, .facts = given_facts,
};
static const struct um_route given = {
	.name = "given", .label = "a test", .id = GIVEN, .open = given_open, .free = made_up_free,
	.claim = given_claim, .add = given_add, .cut = given_cut, .facts = given_facts,
	.start = made_up_stop, .read = made_up_read, .stop = made_up_stop, .units = given_units,
	.no_units = made_up_no_units, .region_open = given_region, .region_free = given_region_free,
	.region_mark = given_mark,
};
static const struct um_route *const routes[] = { &given, &um_route_registers, &um_route_perf };

static void open_session(void)
{
	num_given = 0;
	num_added = 0;
	num_regions = 0;
	is_uncore = false;
	open_on_routes(routes, ARRAY_SIZE(routes));
}

static void start_given(void)
{
	ck_assert_int_eq(uncoremsr_session_add(s, "given"), 1);
	ck_assert_int_eq(uncoremsr_session_start(s), 0);
}

/*
 * Add a unit on @cpu, with core id @cpu / 2, and return its reading, which tests may change. The unit's total is @count
 * + 100.
 */
static struct um_reading *unit(int cpu, enum uncoremsr_status status, uint64_t count,
				      uint64_t enabled, uint64_t running)
{
	static const char *const names[MOST] = { "u0", "u1", "u2", "u3" };
	size_t i = num_given++;

	readings[i] = (struct um_reading){
		.status = status, .counter = 0, .counted = count, .value = count,
		.enabled_ns = enabled, .running_ns = running,
	};
	snprintf(readings[i].detail, sizeof(readings[i].detail), "why %zu", i);
	totals[i] = readings[i];
	totals[i].counted = totals[i].value = count + 100;
	units[i] = (struct um_front){
		.shown.name = names[i], .shown.cpu = cpu, .shown.core = cpu < 0 ? -1 : cpu / 2,
		.shown.package = cpu < 0 ? NULL : uncoremsr_session_package(s, (size_t)cpu % 2)->package,
		.reading = &readings[i], .total = &totals[i],
	};
	return &readings[i];
}

static const struct uncoremsr_reading *everywhere(void)
{
	return uncoremsr_session_reading(s, 0, UNCOREMSR_PLACE_EVERYWHERE, 0, UNCOREMSR_INTERVAL);
}

static void expect(enum uncoremsr_status status, const char *detail)
{
	ck_assert_int_eq(everywhere()->status, status);
	ck_assert_str_eq(everywhere()->detail, detail);
}

FIXTURE(.setup = open_session, .teardown = close_machine)

/* ---- sums ---- */

/* A sum has the times of the unit that ran for the smallest share of its enabled time; among equal shares, of
 * the unit with the longest enabled time. The order of the units does not matter. */
TEST(a_sum_has_the_times_of_the_unit_with_the_smallest_share)
{
	static const struct {
		uint64_t enabled[2], running[2], sum_enabled, sum_running;
		enum uncoremsr_status second;
	} cases[] = {
		{ { 100, 100 }, { 100, 50 }, 100, 50, UNCOREMSR_OK },
		{ { 100, 1000 }, { 50, 500 }, 1000, 500, UNCOREMSR_OK },
		{ { 100, 1000 }, { 1, 500 }, 100, 1, UNCOREMSR_OK },
		{ { 100, 1000 }, { 100, 10 }, 1000, 10, UNCOREMSR_OK },
		{ { 100, 0 }, { 100, 0 }, 100, 100, UNCOREMSR_OK },
		{ { 100, 100 }, { 100, 0 }, 100, 0, UNCOREMSR_OK },
		{ { 100, 100 }, { 100, 1 }, 100, 100, UNCOREMSR_OFFLINE },
	};

	start_given();
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		for (size_t first = 0; first < 2; first++) {
			num_given = 0;
			for (size_t k = first, n = 0; n < 2; n++, k = !k)
				unit((int)n, k ? cases[i].second : UNCOREMSR_OK, 5, cases[i].enabled[k],
				     cases[i].running[k])->time_ns = k ? 7 : 9;
			ck_assert_uint_eq(everywhere()->enabled_ns, cases[i].sum_enabled);
			ck_assert_uint_eq(everywhere()->running_ns, cases[i].sum_running);
			ck_assert_uint_eq(everywhere()->time_ns, 9);
		}
}

TEST(a_sum_leaves_out_units_that_are_offline)
{
	start_given();
	unit(0, UNCOREMSR_OK, 3, 10, 10);
	unit(1, UNCOREMSR_OFFLINE, 50, 10, 10);
	unit(2, UNCOREMSR_OK, 4, 10, 10);
	expect(UNCOREMSR_OK, "");
	play_on(__func__, "counted all 0 7; value all 0 7; known all 0 ok, 2 of 3; total all 0 207");
	/* A unit that turned out to be on another type of core is not included in sums. */
	units[2].left_out = true;
	play_on(__func__, "counted all 0 3; of all 0 2; raw all 0 0xffffffffffffffff");
	units[1].left_out = true;
	ck_assert_ptr_eq(everywhere(), &readings[0].shown);
	ck_assert_uint_eq(everywhere()->units, 1);
}

TEST(units_are_found_by_their_index)
{
	start_given();
	unit(5, UNCOREMSR_OK, 3, 10, 10);
	ck_assert_ptr_eq(uncoremsr_session_unit(s, 0, 0), &units[0].shown);
	ck_assert_ptr_null(uncoremsr_session_unit(s, 0, 1));
	ck_assert_ptr_null(uncoremsr_session_unit(s, 1, 0));
	ck_assert_ptr_null(uncoremsr_session_unit(NULL, 0, 0));
	ck_assert_ptr_eq(uncoremsr_session_reading(s, 0, UNCOREMSR_PLACE_UNIT, 0, UNCOREMSR_TOTAL), &totals[0].shown);
	ck_assert_ptr_eq(uncoremsr_session_reading(s, 0, UNCOREMSR_PLACE_UNIT, 0, UNCOREMSR_INTERVAL),
			 &readings[0].shown);
	ck_assert_ptr_null(uncoremsr_session_reading(s, 0, UNCOREMSR_PLACE_UNIT, 1, UNCOREMSR_INTERVAL));
}

TEST(a_sum_has_the_number_of_its_units)
{
	for (unsigned n = 1; n <= 3; n++) {
		num_given = 0;
		for (unsigned i = 0; i < n; i++)
			unit((int)i, i ? UNCOREMSR_OK : UNCOREMSR_FAILED, 1, 10, 10);
		if (n == 1)
			start_given();
		ck_assert_uint_eq(everywhere()->units, n);
		ck_assert_uint_eq(everywhere()->units_known, n - 1);
	}
}

TEST(a_sum_has_a_counter_number_if_all_units_have_the_same)
{
	static const struct { int counters[3], sum; } cases[] = {
		{ { 0, 0, 0 }, 0 }, { { 3, 3, 3 }, 3 }, { { 1, 2, 2 }, -1 }, { { 2, 2, 1 }, -1 },
		{ { 2, 1, 2 }, -1 }, { { -1, 2, 2 }, -1 },
	};

	start_given();
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		num_given = 0;
		for (int k = 0; k < 3; k++)
			unit(k, UNCOREMSR_OK, 1, 10, 10)->counter = cases[i].counters[k];
		ck_assert_int_eq(everywhere()->counter, cases[i].sum);
	}
	num_given = 0;
	ck_assert_int_eq(everywhere()->counter, -1);
}

TEST(the_first_unknown_unit_gives_the_reason_of_an_unknown_sum)
{
	start_given();
	unit(0, UNCOREMSR_OK, 1, 10, 10);
	unit(1, UNCOREMSR_OFFLINE, 0, 10, 10);
	unit(2, UNCOREMSR_WRAPPED, 1, 10, 10);
	unit(3, UNCOREMSR_FAILED, 1, 10, 10);
	expect(UNCOREMSR_WRAPPED, "u2: why 2");
	ck_assert_uint_eq(everywhere()->units_known, 1);
	ck_assert_uint_eq(everywhere()->counted, UINT64_MAX);
	/* The error of a unit already has the unit's name, so the reason is shown without the name. */
	units[2].shown.error = "u2 is out of reach";
	expect(UNCOREMSR_WRAPPED, "why 2");
	/* A spread reading has a count, so an unknown reading is worse, in any order. */
	readings[0].status = UNCOREMSR_SPREAD;
	expect(UNCOREMSR_WRAPPED, "why 2");
	readings[3].status = UNCOREMSR_SPREAD;
	readings[2].status = UNCOREMSR_OK;
	expect(UNCOREMSR_SPREAD, "u0: why 0");
	readings[0].status = UNCOREMSR_FAILED;
	expect(UNCOREMSR_FAILED, "u0: why 0");
	num_given = 0;
	unit(0, UNCOREMSR_OFFLINE, 1, 10, 10);
	unit(1, UNCOREMSR_OFFLINE, 1, 10, 10);
	expect(UNCOREMSR_OFFLINE, "none of the CPUs of the sum is online");
	num_given = 0;
	expect(UNCOREMSR_FAILED, "none anywhere");
	play_on(__func__, "detail 1 0 none on this package");
}

/* The times are unknown if the shortest and the longest differ by more than a twentieth. */
TEST(units_that_were_read_apart_make_the_time_unknown)
{
	static const struct {
		uint64_t enabled[2];
		bool stamped[2], spread;
	} cases[] = {
		{ { 1000000, 1000000 }, { true, true }, false },
		{ { 9500000, 10000000 }, { true, true }, false },
		{ { 9499999, 10000000 }, { true, true }, true },
		{ { 10000000, 9499999 }, { true, true }, true },
		{ { 5000000, 10000000 }, { true, false }, false },
		{ { 5000000, 10000000 }, { false, true }, false },
	};

	start_given();
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		num_given = 0;
		for (int k = 0; k < 2; k++)
			unit(k, UNCOREMSR_OK, 1, cases[i].enabled[k],
			     cases[i].enabled[k])->stamped = cases[i].stamped[k];
		ck_assert_int_eq(everywhere()->status, cases[i].spread ? UNCOREMSR_SPREAD : UNCOREMSR_OK);
		ck_assert(!cases[i].spread || strstr(everywhere()->detail, "9.500 to 10.000 ms"));
	}
	num_given = 0;
	unit(0, UNCOREMSR_OK, 1, 10, 10)->stamped = true;
	unit(1, UNCOREMSR_OFFLINE, 1, 1000, 1000)->stamped = true;
	unit(2, UNCOREMSR_OK, 1, 10, 10)->stamped = true;
	expect(UNCOREMSR_OK, "");
}

TEST(a_core_package_or_group_of_cores_has_the_sum_of_its_cpus)
{
	play_on(__func__, "only cores 0,2; only cores 3");
	start_given();
	unit(0, UNCOREMSR_OK, 1, 10, 10);
	unit(1, UNCOREMSR_OK, 2, 10, 10);
	unit(2, UNCOREMSR_OK, 4, 10, 10);
	unit(-1, UNCOREMSR_OK, 8, 10, 10);
	play_on(__func__, "counted cores0 0 5; counted cores1 0 0xffffffffffffffff; "
		"detail cores1 0 the event is not counted on this package, core or set of CPUs; "
		"no-reading cores2 0; counted all 0 15; "
		"counted core0 0 1; counted core1 0 2; no-reading core3 0; no-reading core4 0");
	ck_assert_ptr_null(uncoremsr_session_reading(s, 0, 99, 0, UNCOREMSR_INTERVAL));
	units[1].shown.package = units[0].shown.package;
	play_on(__func__, "counted core0 0 3; counted 0 0 7; no-reading 2 0; no-reading 0 1; no-reading all 1");
}

TEST(a_core_without_units_has_no_reading_but_a_reason)
{
	start_given();
	unit(0, UNCOREMSR_OK, 1, 10, 10);
	unit(2, UNCOREMSR_OK, 2, 10, 10);
	units[0].left_out = true;
	play_on(__func__, "unknown core0 0 failed the event is not counted on this package, core or set of CPUs");
}

/* Counts of a package are not attributed to the CPU through which its counters are read. */
TEST(uncore_counts_are_not_attributed_to_cpus)
{
	is_uncore = true;
	ck_assert_int_eq(uncoremsr_session_only(s, UNCOREMSR_ONLY_CORES, "0"), 1);
	ck_assert_str_eq(uncoremsr_session_state(s)->cores[0], "0");
	ck_assert_ptr_null(uncoremsr_session_state(s)->cores[1]);
	ck_assert_ptr_null(uncoremsr_session_state(NULL));
	start_given();
	unit(0, UNCOREMSR_OK, 1, 10, 10);
	unit(1, UNCOREMSR_OK, 2, 10, 10);
	play_on(__func__, "counted cores0 0 0xffffffffffffffff; counted all 0 3");
}

TEST(every_sum_has_its_own_storage)
{
	static const struct { enum uncoremsr_place place; size_t index; } places[] = {
		{ UNCOREMSR_PLACE_PACKAGE, 0 }, { UNCOREMSR_PLACE_PACKAGE, 1 }, { UNCOREMSR_PLACE_EVERYWHERE, 0 },
		{ UNCOREMSR_PLACE_CORES, 0 }, { UNCOREMSR_PLACE_CORES, 1 }, { UNCOREMSR_PLACE_CORE, 0 },
	};
	enum { EVENTS = 3, SUMS = EVENTS * 2 * ARRAY_SIZE(places) };
	const struct uncoremsr_reading *sums[SUMS];

	play_on(__func__, "only cores 0,2; only cores 1,3; add given,given");
	start_given();
	for (int i = 0; i < MOST; i++)
		unit(i, UNCOREMSR_OK, 1, 10, 10);
	units[3].shown.core = units[1].shown.core;
	units[2].shown.core = units[0].shown.core;
	for (size_t i = 0; i < SUMS; i++) {
		size_t place = i / EVENTS % ARRAY_SIZE(places);

		sums[i] = uncoremsr_session_reading(s, i % EVENTS, places[place].place, places[place].index,
						    i < SUMS / 2 ? UNCOREMSR_INTERVAL : UNCOREMSR_TOTAL);
		ck_assert_ptr_nonnull(sums[i]);
		for (size_t k = 0; k < i; k++)
			ck_assert_msg(sums[i] != sums[k], "%zu and %zu", i, k);
	}
}

/* ---- routes ---- */

TEST(if_a_route_declines_an_event_the_most_specific_reason_is_reported)
{
	play_on(__func__, "no-event given/slow/ EINVAL given is never slow; "
		"no-event {given,UNC_L3_HITS.READ} EINVAL one is counted by a test, the other by registers");
	ck_assert_int_eq(uncoremsr_session_set(s, UNCOREMSR_SESSION_ROUTE, (enum uncoremsr_route)GIVEN), 0);
	play_on(__func__, "no-event cycles ENOENT 'cycles' is not given; events 0");
	ck_assert_int_lt(uncoremsr_session_set(s, UNCOREMSR_SESSION_ROUTE, (enum uncoremsr_route)(GIVEN + 1)), 0);
	play_on(__func__, "no-event cycles ENOENT 'cycles' is not given");
	ck_assert_int_eq(uncoremsr_session_set(s, UNCOREMSR_SESSION_ROUTE, UNCOREMSR_ROUTE_AUTO), 0);
	play_on(__func__, "add UNC_L3_HITS.READ; events 1");
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
		.name = "slow", .label = "toes", .id = GIVEN + 1, .slow_claim = true, .claim = slow_claim,
		.open = given_open, .free = made_up_free, .cut = given_cut,
	};
	static const struct um_route *const both[] = { &given, &slow };

	num_slow_claims = 0;
	open_on_routes(both, ARRAY_SIZE(both));
	uncoremsr_set_log(um, remember, NULL);
	ck_assert_int_eq(uncoremsr_set(um, UNCOREMSR_LOG_FROM, UNCOREMSR_LOG_WARNING), 0);
	ck_assert_int_eq(uncoremsr_session_add(s, "given"), 1);
	ck_assert_uint_eq(num_slow_claims, 0);
	ck_assert_int_eq(uncoremsr_set(um, UNCOREMSR_LOG_FROM, UNCOREMSR_LOG_REMARK), 0);
	ck_assert_int_eq(uncoremsr_session_add(s, "given"), 1);
	ck_assert_uint_eq(num_slow_claims, 1);
	ck_assert_ptr_nonnull(strstr(logged, "given: counted by a test: the event is not understood by toes"));
	ck_assert_int_lt(uncoremsr_session_add(s, "cycles"), 0);
	ck_assert_uint_ge(num_slow_claims, 2);
}

TEST(another_machine_can_be_chosen_after_names_were_looked_up)
{
	close_machine();
	ck_assert_int_eq(uncoremsr_new(&um), 0);
	ck_assert_int_eq(uncoremsr_set_machine(um, "sim:westmere-2s"), 0);
	ck_assert_int_eq(um_names_of(um), 0);
	ck_assert_int_eq(uncoremsr_set_machine(um, "sim:westmere-2s,clock=stepped"), 0);
	ck_assert_int_eq(uncoremsr_open(um), 0);
	ck_assert_int_eq(uncoremsr_session_new(um, &s), 0);
	ck_assert_int_eq(uncoremsr_session_set(s, UNCOREMSR_SESSION_ROUTE, UNCOREMSR_ROUTE_PERF), 0);
	ck_assert_int_eq(uncoremsr_session_add(s, "cycles,task-clock"), 2);
	ck_assert_int_eq(uncoremsr_session_start(s), 0);
	ck_assert_int_eq(uncoremsr_session_read(s), 0);
}

/* A region uses the first route that supports regions. The route must act as if the user had chosen it. */
TEST(a_region_asks_the_first_route_that_has_regions)
{
	static const struct um_route *const both[] = { &plain, &given };
	struct uncoremsr_region *r;

	um->routes = both;
	um->num_routes = ARRAY_SIZE(both);
	was_asked = false;
	ck_assert_int_eq(uncoremsr_region_new(um, "given", &r), 0);
	ck_assert(was_asked);
	ck_assert_int_eq(uncoremsr_region_begin(r), 0);
	ck_assert(in_region);
	ck_assert_int_eq(uncoremsr_region_end(r), 0);
	ck_assert(!in_region);
	ck_assert_int_eq(num_regions, 1);
	uncoremsr_region_free(r);
	ck_assert_int_eq(num_regions, 0);
	uncoremsr_region_free(NULL);
	ck_assert_int_eq(uncoremsr_region_new(NULL, "given", &r), -EINVAL);
	ck_assert_int_eq(uncoremsr_region_new(um, "given", NULL), -EINVAL);
	ck_assert_int_eq(uncoremsr_region_new(um, NULL, &r), -EINVAL);
	ck_assert_ptr_null(r);
	um->num_routes = 1;
	ck_assert_int_eq(uncoremsr_region_new(um, "given", &r), -ENOTSUP);
	ck_assert_ptr_null(r);
	ck_assert_str_eq(uncoremsr_error(um)->message, "nothing on this machine can count a single thread");
}

/* ---- choices before a start ---- */

/* A route that does not access a package through one CPU counts on each CPU in the list. */
TEST(chosen_cpus_and_packages_determine_where_to_count)
{
	ck_assert_int_eq(uncoremsr_session_only(s, UNCOREMSR_ONLY_CPUS, ""), -EINVAL);
	ck_assert_str_eq(uncoremsr_error(um)->message, "'' is not a list of CPUs");
	play_on(__func__, "only cpus 1,x EINVAL; says '1,x' is not a list of CPUs (at 'x'); only packages 0,2 EINVAL; "
		"says there is no package 2; packages 2");
	ck_assert_int_eq(uncoremsr_session_set(s, UNCOREMSR_SESSION_ROUTE, (enum uncoremsr_route)GIVEN), 0);
	play_on(__func__, "only cpus 2,4; packages 1; through 0 2; only cpus 1 EINVAL; says is in no chosen package; "
		"only cores [6-8] EINVAL");
	start_given();
	ck_assert_uint_eq(s->choices.cpus.num, 2);
	ck_assert(s->choices.cpus_named);
}

TEST(two_cpus_of_a_package_can_be_chosen_if_the_route_counts_on_each)
{
	play_on(__func__, "counter 0 0 EINVAL; says no event 0; only cpus 2,4 EINVAL; add given; only cpus 2,4; "
		"counter 0 0 EINVAL; says given is counted by a test, which chooses the counter itself");
}

TEST(choosing_packages_chooses_their_cpus)
{
	ck_assert_int_eq(uncoremsr_session_only(s, UNCOREMSR_ONLY_PACKAGES, "1"), 0);
	start_given();
	ck_assert_uint_gt(s->choices.cpus.num, 0);
	for (size_t i = 0; i < s->choices.cpus.num; i++)
		ck_assert_uint_eq(s->choices.cpus.cpus[i] % 2, 1);
	ck_assert(!s->choices.cpus_named);
	play_on(__func__, "stop; only cores 5,7; start given; stop; only cores [3-4]; "
		"no-start EINVAL CPU 4 is in package 0, which was not chosen");
}

SUITE(sums)
