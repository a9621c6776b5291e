/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Assignment of events to counters: joining groups, requested counters, turns. The functions are called through the
 * route's table.
 *
 * Uses internal headers, because public functions show the counter of an event only after a start.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "counting/plan.h"
#include "counting/route.h"
#include "names/kernel_pmu.h"
#include "names/scanner.h"
#include "helpers.h"
#include "machine/handle.h"
#include "machine.h"
#include "suite.h"

static const struct um_route *const r = &um_route_registers;
static struct um_place places[8];
static struct um_choices choices;
static struct um_route_env env;
static struct um_msr *msr;
static struct um_error e;

static unsigned names_asked;

static int no_names(const struct um_route_env *v, struct um_names **names, struct um_error *err)
{
	static bool no_memory;
	static struct um_names none = { .no_memory = &no_memory };

	(void)v;
	(void)err;
	names_asked++;
	*names = &none;
	return 0;
}

static void close_all(void)
{
	if (msr)
		r->free(msr);
	msr = NULL;
	close_machine();
}

static void open_on(const char *what)
{
	void *state;

	close_all();
	open_machine(what);
	choices = (struct um_choices){ .places = places, .num_places = 1 };
	places[0] = (struct um_place){
		.package = uncoremsr_package(um, 0), .cpu = (unsigned)uncoremsr_package(um, 0)->cpu,
	};
	env = (struct um_route_env){ .m = &um->m, .choices = &choices, .names = no_names };
	ck_assert_int_eq(r->open(&state, &env, &e), 0);
	msr = state;
}

/* @asked: the user has chosen the route, so core events are counted on the route, too. */
static void claim_as(const char *text, bool asked)
{
	enum um_answer answer;
	struct um_written w;

	ck_assert_int_eq(um_scan_events(&w, text, &e), 0);
	ck_assert_msg(!r->claim(msr, w.events, w.num, asked, &answer, &e), "%s: %s", text, e.msg);
	um_written_free(&w);
}

static void claim(const char *text)
{
	claim_as(text, false);
}

/* Events in braces are one group. */
static void add_group(const char *text)
{
	claim(text);
	ck_assert_int_gt(r->add(msr, &e), 0);
}

static void add_groups(const char *texts)
{
	char copy[256], *rest = copy;

	ck_assert_uint_lt(strlen(texts), sizeof(copy));
	strcpy(copy, texts);
	while (rest)
		add_group(strsep(&rest, " "));
}

/*
 * Add a group of which some events were added before. Expect that @new events are added, and that the events of the
 * group then have the indexes @where, for example "1 3 2".
 */
static void join(const char *text, int new, const char *where)
{
	size_t at[9], num;
	char got[64] = "";

	claim(text);
	num = msr->claimed.num;
	ck_assert_uint_le(num, ARRAY_SIZE(at));
	ck_assert_msg(r->join(msr, at, &e) == new, "%s", text);
	for (size_t i = 0; i < num; i++)
		sprintf(got + strlen(got), "%s%zu", i ? " " : "", at[i]);
	ck_assert_str_eq(got, where);
}

/*
 * Event i must be in group @letters[i]: events with equal letters are in one group, events with different letters are
 * not.
 */
static void expect_groups(const char *letters)
{
	ck_assert_uint_eq(strlen(letters), msr->events.num);
	for (size_t i = 0; letters[i]; i++) {
		ck_assert_uint_lt(msr->events.events[i].group, msr->events.num_groups);
		for (size_t k = 0; k < i; k++)
			ck_assert_msg((msr->events.events[i].group == msr->events.events[k].group) ==
				      (letters[i] == letters[k]), "%zu and %zu are not as in %s", i, k, letters);
	}
}

FIXTURE(.teardown = close_all)

/* Reading event lists is slow. So they are read only for core events, and for names that the tables do not have. */
TEST(event_lists_are_read_only_for_core_events_and_unknown_names)
{
	static const struct { const char *text; unsigned times; } claims[] = {
		{ "UNC_L3_MISS.READ", 0 }, { "{0x82:0x1,UNC_L3_MISS.READ}", 0 },
		{ "core/instructions/", 1 }, { "{core/instructions/,0x82:0x1}", 1 },
		{ "{0x82:0x1,core/instructions/}", 1 }, { "{0x82:0x1,core/cycles/,0x82:0x3}", 1 },
		{ "no_such", 1 }, { "uncore/no_such/", 1 },
	};

	open_on("westmere-2s");
	for (size_t i = 0; i < ARRAY_SIZE(claims); i++) {
		enum um_answer answer;
		struct um_written w;

		ck_assert_int_eq(um_scan_events(&w, claims[i].text, &e), 0);
		names_asked = 0;
		r->claim(msr, w.events, w.num, true, &answer, &e);
		ck_assert_msg(names_asked == claims[i].times, "%s: %u", claims[i].text, names_asked);
		um_written_free(&w);
	}
}

/* ---- joining groups ---- */

TEST(events_that_are_counted_already_are_joined_with_the_new_ones)
{
	open_on("westmere-2s");
	add_groups("{0x1:0x1,0x2:0x1} 0x3:0x1");
	join("{0x2:0x1,0x4:0x1,0x3:0x1}", 1, "1 3 2");
	expect_groups("aaaa");
	add_group("0x5:0x1");
	join("{0x6:0x1}", 1, "5");
	expect_groups("aaaabc");
}

/*
 * There are eight counters. Events that need nine counters are counted in two groups, so a shared event is counted
 * twice.
 */
TEST(events_that_do_not_fit_together_are_counted_in_two_groups)
{
	open_on("westmere-2s");
	add_groups("{1:1,2:1,3:1,4:1,5:1,6:1,7:1} clockticks");
	join("{3:1,9:1}", 1, "2 8");
	expect_groups("aaaaaaaba");
	open_on("westmere-2s");
	add_groups("{1:1,2:1,3:1,4:1,5:1,6:1,7:1,8:1} clockticks");
	join("{3:1,9:1}", 2, "9 10");
	expect_groups("aaaaaaaabcc");
}

TEST(a_fixed_counter_is_shared_by_all_groups)
{
	open_on("westmere-2s");
	add_groups("clockticks {1:1,2:1}");
	join("{clockticks,3:1}", 1, "0 3");
	expect_groups("abbc");
}

/* The event of a fixed counter takes no turns, so it stays in its group when general events are joined. */
TEST(an_event_of_a_fixed_counter_is_not_moved_into_a_joined_group)
{
	open_on("westmere-2s");
	add_group("{clockticks,1:1}");
	join("{1:1,2:1}", 1, "1 2");
	expect_groups("abb");
}

#define SEVEN \
	"{cbo/event=0x34,umask=1/,cbo/event=0x34,umask=2/,cbo/event=0x34,umask=4/,cbo/event=0x34,umask=8/," \
	"sbox/event=0x2,umask=1/,sbox/event=0x2,umask=2/,sbox/event=0x3,umask=1/}"

/* C-boxes and S-boxes have four counters each; groups are not joined if any PMU has too few. */
TEST(groups_are_joined_if_each_pmu_has_enough_counters)
{
	static const struct { const char *group, *where[2], *groups; int new; } rows[] = {
		{ "{sbox/event=0x1,umask=1/}", { "0 7", "7 0" }, "aaaaaaaa", 0 },
		{ "{sbox/event=0x1,umask=1/,cbo/event=0x36,umask=1/}", { "9 10", "9 10" }, "aaaaaaabbcc", 2 },
		{ "{sbox/event=0x1,umask=1/,sbox/event=0x5,umask=1/}", { "9 10", "9 10" }, "aaaaaaabbcc", 2 },
	};

	for (size_t i = 0; i < 2 * ARRAY_SIZE(rows); i++) {
		open_on("haswell-ep-2s");
		add_group(SEVEN);
		add_group(rows[i / 2].group);
		join(i % 2 ? "{sbox/event=0x1,umask=1/,cbo/event=0x34,umask=1/}"
			   : "{cbo/event=0x34,umask=1/,sbox/event=0x1,umask=1/}", rows[i / 2].new,
		     rows[i / 2].where[i % 2]);
		expect_groups(rows[i / 2].groups);
	}
}

TEST(only_identical_events_are_joined)
{
	open_on("haswell-ep-2s");
	add_group("cbo/event=0x35,umask=0x1,filter_opc=0x182/");
	join("{cbo/event=0x35,umask=0x1,filter_opc=0x182/}", 0, "0");
	join("{cbo1/event=0x35,umask=0x1,filter_opc=0x182/}", 1, "1");
	join("{cbo/event=0x36,umask=0x1,filter_opc=0x182/}", 1, "2");
	join("{cbo/event=0x35,umask=0x3,filter_opc=0x182/}", 1, "3");
	join("{cbo/event=0x35,umask=0x1,filter_opc=0x180/}", 1, "4");
	join("{sbox/event=0x35,umask=0x1/}", 1, "5");
	join("{cbo/event=0x37,umask=0x1/}", 1, "6");
	join("{ubox/clockticks/}", 1, "7");
	expect_groups("abcdefgh");
}

TEST(removing_the_last_events_keeps_the_groups_of_the_others)
{
	open_on("westmere-2s");
	add_groups("{1:1,2:1} {3:1,4:1}");
	r->cut(msr, 3);
	expect_groups("aab");
	r->cut(msr, 2);
	expect_groups("aa");
	r->cut(msr, 0);
	add_groups("{1:1,2:1}");
	expect_groups("aa");
}

/* ---- a counter that the user chooses ---- */

static void expect_refused(size_t event, unsigned counter, const char *part)
{
	memset(&e, 0, sizeof(e));
	ck_assert_int_eq(r->set_counter(msr, event, counter, &e), -EINVAL);
	ck_assert_uint_eq(e.class, UNCOREMSR_ERROR_USAGE);
	ck_assert_msg(strstr(e.msg, part) != NULL, "'%s' without '%s'", e.msg, part);
}

TEST(a_requested_counter_must_exist_and_be_requested_once)
{
	open_on("westmere-2s");
	add_groups("1:1 2:1 clockticks");
	for (unsigned c = 0; c < 8; c++) {
		ck_assert_int_eq(r->set_counter(msr, 0, c, &e), 0);
		ck_assert_int_eq(r->set_counter(msr, 0, c, &e), 0);
		expect_refused(1, c, "is already used by UNC_GQ_CYCLES_NOT_EMPTY.READ_TRACKER");
	}
	expect_refused(0, 8, "counter 8 does not exist: westmere has general counters 0 to 7");
	expect_refused(2, 0, "UNC_CLK_UNHALTED is counted by its own fixed counter only");
}

/* On Haswell-EP, event 0x38 of C-boxes can be counted on counters 0 and 1. Each unit has its own counters. */
TEST(a_requested_counter_must_be_able_to_count_the_event)
{
	open_on("haswell-ep-2s");
	add_groups("cbo1/event=0x38,umask=0x1/ cbo2/event=0x37,umask=0x1/ cbo/event=0x37,umask=0x2/ pcu/event=0x1/");
	add_groups("cbo0/event=0x37,umask=0x4/");
	ck_assert_int_eq(r->set_counter(msr, 0, 0, &e), 0);
	ck_assert_int_eq(r->set_counter(msr, 0, 1, &e), 0);
	expect_refused(0, 2, "counter 2 cannot count cbo1/event=0x38");
	expect_refused(0, 3, "counter 3 cannot count cbo1/event=0x38");
	expect_refused(0, 4, "counter 4 does not exist: cbo has general counters 0 to 3");
	ck_assert_int_eq(r->set_counter(msr, 1, 1, &e), 0);
	ck_assert_int_eq(r->set_counter(msr, 3, 1, &e), 0);
	expect_refused(2, 1, "is already used by cbo1");
	ck_assert_int_eq(r->set_counter(msr, 2, 0, &e), 0);
	expect_refused(1, 0, "is already used by cbo/");
	expect_refused(4, 0, "is already used by cbo/");
	ck_assert_int_eq(r->set_counter(msr, 4, 1, &e), 0);
	ck_assert_int_eq(r->set_counter(msr, 1, 1, &e), 0);
}

/* ---- groups that cannot be counted on any machine of this type ---- */

static void expect_no_start(const char *part)
{
	memset(&e, 0, sizeof(e));
	ck_assert_int_eq(r->start(msr, &e), -EINVAL);
	ck_assert_msg(strstr(e.msg, part) != NULL, "'%s' without '%s'", e.msg, part);
}

TEST(a_group_that_can_never_be_counted_says_why)
{
	static const struct { const char *machine, *group, *why; } groups[] = {
		{ "haswell-ep-2s", "{pcu/event=1/,pcu/event=2/,pcu/event=3/,pcu/event=4/,pcu/event=5/}",
		  "a group has 5 events of pcu, but there are only 4 general counters" },
		{ "haswell-ep-2s", "{cbo1/event=0x38,umask=1/,cbo1/event=0x38,umask=2/,"
		  "cbo1/event=0x38,umask=4/}", "can be counted only on counter 0, 1 of a cbo, which "
		  "other events of its group need" },
		{ "haswell-ep-2s", "{cbo1/event=0x11,umask=1/,cbo1/event=0x11,umask=2/}",
		  "can be counted only on counter 0 of a cbo" },
		{ "haswell-ep-2s", "{cbo1/event=0x35,umask=1,filter_opc=0x182/,"
		  "cbo1/event=0x35,umask=1,filter_opc=0x180/}", "cannot be counted at the same time: they "
		  "need different contents of " },
	};

	for (size_t i = 0; i < ARRAY_SIZE(groups); i++) {
		open_on(groups[i].machine);
		add_group("ubox/event=0x42,umask=0x8/");
		add_group("cbo0/event=0x37,umask=1/");
		add_group(groups[i].group);
		expect_no_start(groups[i].why);
	}
}

/* ---- turns ---- */

static void expect_sets(int num, const int *sets)
{
	ck_assert_msg(!r->start(msr, &e), "%s", e.msg);
	ck_assert_int_eq(msr->num_sets, num);
	ck_assert_uint_eq(r->turns(msr), (size_t)num);
	for (size_t k = 0; k < msr->events.num; k++)
		ck_assert_msg(msr->set_of[k] == sets[k], "event %zu is of set %d", k, msr->set_of[k]);
	for (size_t i = 0; i < msr->num_slots; i++) {
		ck_assert_int_eq(msr->slots[i].set, sets[msr->slots[i].index]);
		ck_assert_int_ge(msr->slots[i].counter, 0);
		for (size_t k = 0; k < i; k++)
			ck_assert(msr->slots[k].unit != msr->slots[i].unit ||
				  msr->slots[k].counter != msr->slots[i].counter ||
				  (msr->slots[k].set != msr->slots[i].set &&
				   msr->slots[k].set >= 0 && msr->slots[i].set >= 0));
	}
	ck_assert_int_eq(r->stop(msr, &e), 0);
}

/* Nine events for eight counters: a group that was made for a metric is split, and its events take turns. */
TEST(a_group_made_for_a_metric_is_split_if_it_does_not_fit)
{
	open_on("westmere-2s");
	join("{1:1,2:1,3:1,4:1,5:1,6:1,7:1,8:1,9:1}", 9, "0 1 2 3 4 5 6 7 8");
	expect_sets(2, (int[]){ 0, 0, 0, 0, 0, 0, 0, 0, 1 });
	add_group("17:1");
	expect_groups("aaaaaaaabc");
}

TEST(groups_fill_a_set_until_the_next_one_does_not_fit)
{
	enum { EVERY = UM_EVERY_SET };

	open_on("westmere-2s");
	add_groups("{1:1,2:1,3:1,4:1,5:1} clockticks {6:1,7:1,8:1}");
	expect_sets(1, (int[]){ EVERY, EVERY, EVERY, EVERY, EVERY, EVERY, EVERY, EVERY, EVERY });
	add_groups("9:1 {10:1,11:1,12:1,13:1,14:1,15:1,16:1} 17:1");
	expect_sets(3, (int[]){ 0, 0, 0, 0, 0, EVERY, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 2 });
	close_all();
	/* Events on the PCU's four counters take turns. C-box events do not, except in a group with PCU
	 * events. */
	open_on("haswell-ep-2s");
	add_groups("cbo1/event=0x37,umask=1/ {pcu/event=1/,pcu/event=2/,pcu/event=3/}");
	add_groups("{pcu/event=4/,pcu/event=5/,cbo1/event=0x37,umask=2/} ubox/clockticks/ cbo2/event=0x37,umask=1/");
	expect_sets(2, (int[]){ EVERY, 0, 0, 0, 1, 1, EVERY, EVERY, EVERY });
	open_on("haswell-ep-2s");
	add_groups("cbo1/event=0x35,umask=1,filter_opc=0x182/ cbo2/event=0x35,umask=1,filter_opc=0x180/");
	add_groups("cbo1/event=0x35,umask=1,filter_opc=0x180/");
	expect_sets(2, (int[]){ 0, 0, 1 });
}

/*
 * Cycles in user mode and cycles in all modes need the same fixed counter, so they take turns. Cycles of P-cores and of
 * E-cores are on different counters, so they take no turns.
 */
TEST(only_events_of_the_same_kind_of_core_share_a_fixed_counter)
{
	enum { EVERY = UM_EVERY_SET };
	static const struct { const char *machine, *events[3]; int num, sets[3]; } rows[] = {
		{ "skylake-sp-2s", { "core/cycles/", "core/cycles/u" }, 2, { 0, 1 } },
		{ "alderlake-hybrid", { "cpu_core/cycles/", "cpu_core/cycles/u" }, 2, { 0, 1 } },
		{ "alderlake-hybrid", { "cpu_core/cycles/", "cpu_atom/cycles/u" }, 1, { EVERY, EVERY } },
		{ "alderlake-hybrid", { "core/cycles/", "cpu_atom/cycles/u" }, 2, { 0, 1 } },
		{ "alderlake-hybrid", { "cpu_core/cycles/", "cpu_core/cycles/u", "cpu_atom/cycles/" }, 2, { 0, 1, EVERY } },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		open_on(rows[i].machine);
		for (size_t k = 0; k < 3 && rows[i].events[k]; k++) {
			claim_as(rows[i].events[k], true);
			ck_assert_int_gt(r->add(msr, &e), 0);
		}
		expect_sets(rows[i].num, rows[i].sets);
	}
}

/* ---- what the route reports ---- */

TEST(a_package_without_units_has_an_error_with_the_cause)
{
	struct uncoremsr_package packages[3] = { { .id = 0 } };
	struct um_site sites[3] = {
		{ .package = &packages[0] },
		{ .package = &packages[1], .err = -EIO, .error.msg = "it burns" },
		{ .package = &packages[2], .err = -ENXIO, .error.msg = "gone" },
	};
	/* The error of a package is that of its own site; the error of the whole machine is the worst of all sites. */
	static const struct {
		unsigned first, num;
		int package;         /* -1 means the whole machine */
		enum uncoremsr_status status;
		const char *why;
	} rows[] = {
		{ 0, 3, 0, UNCOREMSR_FAILED, "this package has no such unit" },
		{ 0, 3, 1, UNCOREMSR_FAILED, "it burns" }, { 0, 3, 2, UNCOREMSR_LOST, "gone" },
		{ 0, 3, -1, UNCOREMSR_FAILED, "it burns" }, { 1, 2, 1, UNCOREMSR_FAILED, "it burns" },
		{ 2, 1, -1, UNCOREMSR_LOST, "gone" }, { 2, 0, -1, UNCOREMSR_FAILED, "this package has no such unit" },
	};
	struct um_encoding event = { .unit = -1 };
	const struct um_choices all = { .num_places = 0 };
	const struct um_route_env of_all = { .choices = &all };
	struct um_msr hand = { .env = &of_all, .events = { .events = &event, .num = 1 } };
	char why[UM_MESSAGE_SIZE];

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const struct uncoremsr_package *p = rows[i].package < 0 ? NULL : &packages[rows[i].package];

		hand.sites = &sites[rows[i].first];
		hand.num_sites = rows[i].num;
		ck_assert_int_eq(r->no_units(&hand, 0, p, why, sizeof(why)), rows[i].status);
		ck_assert_msg(!strcmp(why, rows[i].why), "row %zu: %s", i, why);
	}
	hand.sites = sites;
	hand.num_sites = 3;
	strcpy(sites[2].error_text, "gone; away");
	ck_assert_str_eq(r->place_error(&hand, 2), "gone; away");
	ck_assert_ptr_null(r->place_error(&hand, 0));
	ck_assert_ptr_null(r->place_error(&hand, 3));
}

TEST(the_longest_interval_is_that_of_the_fastest_active_counter)
{
	struct um_unit units[2] = { { .err = 0 }, { .err = 0 } };
	struct um_slot slots[3] = {
		{ .unit = &units[0], .max_gap_ns = 30 }, { .unit = &units[1], .max_gap_ns = 10 },
		{ .unit = &units[0], .max_gap_ns = 20 },
	};
	struct um_msr hand = { .slots = slots, .num_slots = 3 };

	ck_assert_uint_eq(r->max_interval(&hand), 10);
	units[1].err = -EIO;
	ck_assert_uint_eq(r->max_interval(&hand), 20);
	hand.num_slots = 2;
	ck_assert_uint_eq(r->max_interval(&hand), 30);
	units[0].err = -EIO;
	ck_assert_uint_eq(r->max_interval(&hand), UINT64_MAX);
}

SUITE(planned)
