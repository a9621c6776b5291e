/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Metrics from a file, whose events are counted by a route of this test. The tests set the counts, so the exact results
 * are known.
 *
 * Uses internal headers, because it implements a route itself.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "made_up.h"
#include "suite.h"
#include "uncoremsr/names.h"

enum { MADE_UP = 79, MOST = 8, PACKAGES = 2 };

#define METRIC(name, formula) "{\"MetricName\":\"" name "\",\"BriefDescription\":\"x\",\"MetricExpr\":\"" formula "\"},"
static const char metrics[] = "["
	METRIC("mix", "EV.A + 10 * EV.B + 100 * EV.C")
	METRIC("mixed-up", "EV.C + 10 * EV.D")
	METRIC("rate", "EV.A / duration_time")
	METRIC("time", "duration_time + 0 * EV.A + 0 * EV.B")
	METRIC("share", "EV.A / EV.B")
	METRIC("things", "#num_packages + 10 * #num_dies + 100 * #num_cpus_online + 100000 * #num_cores + 0 * EV.A")
	METRIC("threads", "THREADS_PER_CORE + 10 * #SMT_on + 0 * EV.A")
	METRIC("hz", "SYSTEM_TSC_FREQ")
	METRIC("units", "source_count(EV.A) + 0 * EV.A")
	METRIC("has", "EV.A if has_event(EV.A) else EV.B")
	METRIC("has-not", "EV.B if has_event(NO.EV) else EV.A")
	METRIC("never", "EV.B if #SMT_on < 1 else EV.A")
	METRIC("agents", "UNC_CHA_T / CHAS_PER_SOCKET")
	METRIC("boxes", "UNC_C_T / #num_cores + 0 * EV.A")
	METRIC("clock", "UNC_CHA_T / (CHAS_PER_SOCKET * SOCKET_COUNT) / duration_time")
	METRIC("clock-of-cores", "UNC_C_T / (#num_cores / #num_packages * #num_packages) / duration_time")
	METRIC("latency", "EV.A / EV.B / (UNC_CHA_T / (source_count(UNC_CHA_T) * #num_packages)) * duration_time")
	METRIC("first-unit", "cha_0@EV.A@ / duration_time")
	METRIC("share-of-first", "EV.B / cha_0@EV.A@ * #num_packages")
	METRIC("no-word", "EV.A / #nothing")
	METRIC("no-agents", "EV.A / CHAS_PER_SOCKET")
	METRIC("no-event", "EV.A / NO.EV")
	METRIC("none-of-it", "#num_packages + NO.EV")
	METRIC("energy", "UNC_PKG_ENERGY_STATUS + 1000 * DURATIONTIMEINMILLISECONDS")
	METRIC("both", "EV.A + 10 * OTHER.B + 100 * EV.C + 1000 * OTHER.D")
	METRIC("some-a", "EV.A")
	METRIC("some-b", "EV.B + NO.EV")
	METRIC("some-c", "EV.C")
	"{}]";

static bool one_by_one;
static bool cannot_start;

static struct made {
	char texts[MOST][48], claimed[MOST][48];
	size_t num_texts, num_claimed;
	bool asked, together;
	struct um_reading readings[MOST][PACKAGES], totals[MOST][PACKAGES];
	struct um_front units[MOST][PACKAGES];
} first, second;

static int first_open(void **state, const struct um_route_env *env, struct um_error *e)
{
	(void)env;
	(void)e;
	*state = &first;
	return 0;
}

static int second_open(void **state, const struct um_route_env *env, struct um_error *e)
{
	(void)env;
	(void)e;
	*state = &second;
	return 0;
}

static int made_claim(void *state, const struct um_event *group, size_t num, bool asked,
		      enum um_answer *answer, struct um_error *e)
{
	struct made *m = state;

	*answer = UM_CLAIM_NOT_MINE;
	m->asked = asked;
	m->together = true;
	m->num_claimed = 0;
	if (num > MOST || (num > 1 && one_by_one))
		return um_fail(e, -EINVAL, UNCOREMSR_ERROR_USAGE, "one by one");
	for (size_t i = 0; i < num; i++) {
		if (!strcmp(group[i].text, "NO.EV") || !strncmp(group[i].text, "UNC_GQ_DATA.", 12) ||
		    (m == &first && !strncmp(group[i].text, "OTHER.", 6)))
			return um_fail(e, -ENOENT, UNCOREMSR_ERROR_USAGE, "there is no %s", group[i].text);
		m->together &= group[i].braces && group[i].group == group[0].group;
		snprintf(m->claimed[m->num_claimed++], sizeof(m->claimed[0]), "%.47s", group[i].text);
	}
	*answer = UM_CLAIM_YES;
	return 0;
}

static int made_add(void *state, struct um_error *e)
{
	struct made *m = state;

	(void)e;
	for (size_t i = 0; i < m->num_claimed; i++)
		memcpy(m->texts[m->num_texts++], m->claimed[i], sizeof(m->claimed[i]));
	return (int)m->num_claimed;
}

static void made_cut(void *state, size_t num)
{
	((struct made *)state)->num_texts = num;
}

static int made_join(void *state, size_t *where, struct um_error *e)
{
	struct made *m = state;
	size_t before = m->num_texts;

	(void)e;
	ck_assert(m->asked && m->together);
	for (size_t i = 0; i < m->num_claimed; i++) {
		for (where[i] = 0; where[i] < m->num_texts; where[i]++)
			if (!strcmp(m->texts[where[i]], m->claimed[i]))
				break;
		if (where[i] == m->num_texts)
			memcpy(m->texts[m->num_texts++], m->claimed[i], sizeof(m->claimed[i]));
	}
	return (int)(m->num_texts - before);
}

static void made_facts(const void *state, size_t event, struct uncoremsr_counted *f)
{
	f->name = ((const struct made *)state)->texts[event];
	f->pmu = "test";
}

static int made_start(void *state, struct um_error *e)
{
	if (state == &first && cannot_start)
		return um_fail(e, -EACCES, UNCOREMSR_ERROR_ACCESS, "the first cannot start");
	return 0;
}

static const struct um_front *made_units(void *state, size_t event, size_t *num)
{
	*num = PACKAGES;
	return ((struct made *)state)->units[event];
}

#define MADE_UP_ROUTE(which, number) \
	static const struct um_route which##_route = { \
		.name = #which, .label = "the " #which, .id = number, .open = which##_open, .free = made_up_free, \
		.claim = made_claim, .add = made_add, .cut = made_cut, .join = made_join, .facts = made_facts, \
		.start = made_start, .read = made_up_read, .stop = made_up_stop, .units = made_units, \
		.no_units = made_up_no_units, \
	}
MADE_UP_ROUTE(first, MADE_UP);
MADE_UP_ROUTE(second, MADE_UP + 1);
static const struct um_route *const routes[] = { &first_route, &second_route };

static void open_session(void)
{
	memset(&first, 0, sizeof(first));
	memset(&second, 0, sizeof(second));
	one_by_one = cannot_start = false;
	open_on_routes(routes, ARRAY_SIZE(routes));
	add_event_list(um, metrics);
}

FIXTURE(.setup = open_session, .teardown = close_machine, .only_if = has_lists)

static void add_metrics(const char *names)
{
	ck_assert_msg(uncoremsr_session_add_metric(s, names) > 0, "%s", uncoremsr_error(um)->message);
}

static void count_metrics(const char *names)
{
	add_metrics(names);
	ck_assert_msg(!uncoremsr_session_start(s), "%s", uncoremsr_error(um)->message);
}

static size_t find(const char *event, struct made **of)
{
	struct made *const all[] = { &first, &second };

	for (size_t k = 0; k < ARRAY_SIZE(all); k++)
		for (size_t i = 0; i < all[k]->num_texts; i++)
			if (!strcmp(all[k]->texts[i], event)) {
				*of = all[k];
				return i;
			}
	ck_abort_msg("%s is not counted", event);
}

/* Set the counts of an event on both packages, and its counting time. The totals become 1000 times the counts. */
static void counted(const char *event, uint64_t on_0, uint64_t on_1, uint64_t ns)
{
	const uint64_t on[PACKAGES] = { on_0, on_1 };
	struct made *m;
	size_t i = find(event, &m);

	for (size_t p = 0; p < PACKAGES; p++) {
		m->readings[i][p] = (struct um_reading){
			.status = UNCOREMSR_OK, .counter = -1, .counted = on[p], .value = on[p],
			.enabled_ns = ns, .running_ns = ns, .time_ns = ns,
		};
		snprintf(m->readings[i][p].detail, sizeof(m->readings[i][p].detail), "why %s", event);
		m->totals[i][p] = m->readings[i][p];
		m->totals[i][p].counted = m->totals[i][p].value = 1000 * on[p];
		m->units[i][p] = (struct um_front){
			.shown.name = "u", .shown.cpu = (int)p, .shown.core = -1,
			.shown.package = uncoremsr_session_package(s, p)->package,
			.reading = &m->readings[i][p], .total = &m->totals[i][p],
		};
	}
}

static void set_status(const char *event, size_t package, enum uncoremsr_status status)
{
	struct made *m;
	size_t i = find(event, &m);

	m->readings[i][package].status = status;
}

static void set_running(const char *event, uint64_t ns)
{
	struct made *m;
	size_t i = find(event, &m);

	m->readings[i][0].running_ns = ns;
}

/* The index after the last package means the whole machine. */
enum { MACHINE = PACKAGES };

static void expect(size_t place, size_t metric, enum uncoremsr_span span, double value)
{
	const struct uncoremsr_metric_reading *r = metric_in(place, metric, span);

	ck_assert_msg(r->status == UNCOREMSR_OK, "%zu %zu: %s: %s", place, metric, r->word, r->detail);
	ck_assert_str_eq(r->detail, "");
	ck_assert_msg(fabs(r->value - value) < 1e-9, "%zu %zu: %g, not %g", place, metric, r->value, value);
}

static void expect_no_value(size_t place, size_t metric, enum uncoremsr_status status, const char *why)
{
	const struct uncoremsr_metric_reading *r = metric_reading(place, metric);

	ck_assert_int_eq(r->status, status);
	ck_assert_str_eq(r->detail, why);
	ck_assert_double_nan(r->value);
}

/* ---- the events of a metric ---- */

/* Counts of events, and the metrics that are computed from them for two packages and for the machine. */
static const struct {
	const char *name, *events, *metrics;
	const char *offline;                  /* events that package 1 cannot count */
	/* @first_fails: the first route cannot start. @sums: test the totals, too (see counted()). */
	bool first_fails, sums;
	size_t on_first, on_second;           /* number of events that each route counts */
	struct count { const char *event; uint64_t on_0, on_1, ns; } counts[7];
	struct value { size_t place, metric; double value; } values[13];
} rows[] = {
	{ "each input is its own event", "EV.C", "mix,mixed-up", "", false, true, 4, 0,
	  { { "EV.A", 1, 5, 100 }, { "EV.B", 2, 6, 100 }, { "EV.C", 3, 7, 100 }, { "EV.D", 4, 8, 100 } },
	  { { 0, 0, 321 }, { 1, 0, 765 }, { MACHINE, 0, 1086 }, { 0, 1, 43 }, { 1, 1, 87 }, { MACHINE, 1, 130 } } },
	{ "each route counts what it can", NULL, "both", "", false, true, 2, 2,
	  { { "EV.A", 1, 5, 100 }, { "OTHER.B", 2, 6, 100 }, { "EV.C", 3, 7, 100 }, { "OTHER.D", 4, 8, 100 } },
	  { { 0, 0, 4321 }, { 1, 0, 8765 } } },
	{ "a metric moves with its events to another route", "EV.D", "mix,both,mixed-up", "", true, true, 0, 6,
	  { { "EV.A", 1, 5, 100 }, { "EV.B", 9, 9, 100 }, { "OTHER.B", 2, 6, 100 }, { "EV.C", 3, 7, 100 },
	    { "OTHER.D", 4, 8, 100 }, { "EV.D", 6, 2, 100 } },
	  { { 0, 0, 391 }, { 0, 1, 4321 }, { 1, 1, 8765 }, { 1, 2, 27 } } },
	{ "only inputs that may be needed are counted", NULL, "has,has-not,never", "", false, true, 1, 0,
	  { { "EV.A", 3, 5, 100 } }, { { 0, 0, 3 }, { 1, 0, 5 }, { 0, 1, 3 }, { 1, 1, 5 }, { 0, 2, 3 }, { 1, 2, 5 } } },
	{ "counts are scaled to the time of the first event", NULL, "mix,rate,time,hz", "", false, false, 4, 0,
	  { { "EV.A", 50, 40, SECOND / 2 }, { "EV.B", 2, 4, SECOND / 4 }, { "EV.C", 3, 1, SECOND },
	    { "msr/tsc/", 700, 900, SECOND / 4 } },
	  { { 0, 0, 50 + 40 + 150 }, { 1, 0, 40 + 80 + 50 }, { 0, 1, 100 }, { MACHINE, 1, 180 }, { 0, 2, 0.5 },
	    { 0, 3, 2800 }, { 1, 3, 3600 }, { MACHINE, 3, 3200 } } },
	/* perf counts energy in units of 2^-32 J. The formula expects units of 2^-14 J and milliseconds. */
	{ "counts and times have the units of the formula", NULL, "energy", "", false, false, 1, 0,
	  { { "power/energy-pkg/", UINT64_C(3) << 18, UINT64_C(5) << 18, SECOND / 4 } },
	  { { 0, 0, 250003 }, { 1, 0, 250005 } } },
	/* source_count(), CHAS_PER_SOCKET, and #num_cores with a C-box event are the number of units that counted. */
	{ "the number of units is that of the event's units", NULL, "units,agents,boxes", "", false, false, 3, 0,
	  { { "EV.A", 1, 1, 100 }, { "UNC_CHA_T", 8, 8, 100 }, { "UNC_C_T", 8, 4, 100 } },
	  { { 0, 0, 1 }, { MACHINE, 0, 2 }, { 1, 1, 8 }, { MACHINE, 1, 8 }, { MACHINE, 2, 6 } } },
	{ "units that are offline are not counted", NULL, "units,agents,boxes", "EV.A UNC_C_T", false, false, 3, 0,
	  { { "EV.A", 1, 1, 100 }, { "UNC_CHA_T", 8, 8, 100 }, { "UNC_C_T", 8, 4, 100 } },
	  { { MACHINE, 0, 1 }, { MACHINE, 2, 8 } } },
	/*
	 * Two packages with one unit each, whose clocks have 600 and 1000 ticks per second (mean 800). The 2 and 4
	 * requests take 240 and 480 ticks in all, so 120 ticks each.
	 */
	{ "the clock of the machine is the mean of its packages", NULL, "clock,clock-of-cores,latency,first-unit",
	  "", false, false, 5, 0,
	  { { "UNC_CHA_T", 600, 1000, SECOND }, { "UNC_C_T", 600, 1000, SECOND }, { "EV.A", 240, 480, SECOND },
	    { "EV.B", 2, 4, SECOND }, { "cha_0/EV.A/", 600, 1000, SECOND } },
	  { { 0, 0, 600 }, { 1, 0, 1000 }, { MACHINE, 0, 800 }, { 0, 1, 600 }, { 1, 1, 1000 }, { MACHINE, 1, 800 },
	    { 0, 3, 600 }, { 1, 3, 1000 }, { MACHINE, 3, 800 },
	    { 0, 2, 120.0 / 600 }, { 1, 2, 120.0 / 1000 }, { MACHINE, 2, 120.0 / 800 } } },
	{ "numbers of occupied cores are summed over packages", NULL, "share-of-first", "", false, false, 2, 0,
	  { { "EV.B", 1200, 3000, SECOND }, { "cha_0/EV.A/", 600, 600, SECOND } },
	  { { 0, 0, 2 }, { 1, 0, 5 }, { MACHINE, 0, 7 } } },
};

TEST_EACH(metrics_are_computed_whether_or_not_the_route_counts_groups, 2 * ARRAY_SIZE(rows))
{
	const size_t row = (size_t)_i / 2;

	one_by_one = _i % 2;
	cannot_start = rows[row].first_fails;
	ck_assert_msg(!rows[row].events || uncoremsr_session_add(s, rows[row].events) == 1, "%s", rows[row].name);
	count_metrics(rows[row].metrics);
	ck_assert_msg(first.num_texts == rows[row].on_first && second.num_texts == rows[row].on_second,
		      "%s: %zu and %zu events", rows[row].name, first.num_texts, second.num_texts);
	ck_assert_uint_eq(num_events(s), rows[row].on_first + rows[row].on_second);
	for (const struct count *c = rows[row].counts; c->event; c++) {
		counted(c->event, c->on_0, c->on_1, c->ns);
		if (is_one_of(rows[row].offline, c->event))
			set_status(c->event, 1, UNCOREMSR_OFFLINE);
	}
	for (const struct value *v = rows[row].values; v->value > 0; v++) {
		expect(v->place, v->metric, UNCOREMSR_INTERVAL, v->value);
		if (rows[row].sums)
			expect(v->place, v->metric, UNCOREMSR_TOTAL, 1000 * v->value);
	}
}

/* EV.A was added before OTHER.B, and comes after OTHER.B when EV.A moves to the second route. */
TEST(events_keep_their_order_after_some_have_moved_to_another_route)
{
	static const char *const names[] = { "EV.A", "OTHER.B", "OTHER.D" };

	ck_assert_int_eq(uncoremsr_session_add(s, names[0]), 1);
	ck_assert_int_eq(uncoremsr_session_add(s, names[1]), 1);
	cannot_start = true;
	ck_assert_int_eq(uncoremsr_session_start(s), 0);
	ck_assert_int_eq(uncoremsr_session_stop(s), 0);
	ck_assert_int_eq(uncoremsr_session_add(s, names[2]), 1);
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		ck_assert_str_eq(uncoremsr_session_event(s, i)->name, names[i]);
}

static void refused(const char *names, int err, const char *why)
{
	ck_assert_int_eq(uncoremsr_session_add_metric(s, names), err);
	ck_assert_msg(!strncmp(uncoremsr_error(um)->message, why, strlen(why)), "%s", uncoremsr_error(um)->message);
	ck_assert_uint_eq(num_events(s), 1);
	ck_assert_uint_eq(first.num_texts, 1);
}

TEST(a_metric_that_cannot_be_counted_leaves_everything_as_it_was)
{
	ck_assert_int_eq(uncoremsr_session_add(s, "EV.D"), 1);
	refused("no-word", -ENOTSUP, "metric 'no-word': the value of '#nothing' is not known here");
	refused("no-agents", -ENOTSUP, "metric 'no-agents': the value of 'CHAS_PER_SOCKET' is not known");
	refused("no-event", -ENOENT, "metric 'no-event': there is no NO.EV");
	/*
	 * An unknown event in a file is a usage error; an unknown event in our tables is an event that the processor
	 * lacks.
	 */
	ck_assert_int_eq(uncoremsr_error(um)->error_class, UNCOREMSR_ERROR_USAGE);
	refused("qpi-in-busy", -ENOENT, "metric 'qpi-in-busy': there is no UNC_GQ_DATA.FROM_QPI");
	ck_assert_int_eq(uncoremsr_error(um)->error_class, UNCOREMSR_ERROR_UNSUPPORTED);
	refused("none-of-*", -ENOENT, "none of the metrics 'none-of-*' can be counted here: "
		"metric 'none-of-it': there is no NO.EV");
	refused("no-*", -ENOTSUP, "none of the metrics 'no-*' can be counted here: metric 'no-word': ");
	refused(",share", -EINVAL, "metrics ',share': a name is missing");
	ck_assert_ptr_null(uncoremsr_session_metric(s, 1));
}

TEST(metrics_that_can_be_counted_are_added_without_the_others)
{
	ck_assert_int_eq(uncoremsr_session_add_metric(s, "some-*,SOME-A"), 2);
	ck_assert_uint_eq(num_events(s), 2);
	ck_assert_int_eq(uncoremsr_session_add_metric(s, "some-?"), 0);
	ck_assert_int_eq(uncoremsr_session_start(s), 0);
	counted("EV.A", 1, 2, 100);
	counted("EV.C", 3, 4, 100);
	expect(1, 0, UNCOREMSR_INTERVAL, 2);
	expect(1, 1, UNCOREMSR_INTERVAL, 4);
	ck_assert_ptr_null(uncoremsr_session_metric(s, 2));
}

/* ---- inputs and results of a formula ---- */

TEST(numbers_of_cores_and_threads_are_those_of_the_package_or_machine)
{
	struct um_package die;

	count_metrics("things,threads");
	counted("EV.A", 1, 1, 100);
	for (size_t p = 0; p < PACKAGES; p++)
		expect(p, 0, UNCOREMSR_INTERVAL, 600000 + 1200 + 10 + 1);
	expect(MACHINE, 0, UNCOREMSR_INTERVAL, 1200000 + 2400 + 20 + 2);
	for (size_t place = 0; place <= MACHINE; place++)
		expect(place, 1, UNCOREMSR_INTERVAL, 12);
	die = *(const struct um_package *)s->choices.places[1].package;
	die.shown.id = s->choices.places[0].package->id;
	s->choices.places[1].package = &die.shown;
	expect(MACHINE, 0, UNCOREMSR_INTERVAL, 1200000 + 2400 + 20 + 1);
	/* Package 1 has six cores with one thread each; later one core has two threads. */
	die.cpus.num = 6;
	counted("EV.A", 1, 1, 100);
	expect(1, 1, UNCOREMSR_INTERVAL, 1);
	/* The number of threads of the machine is that of its first package, not a sum. */
	expect(MACHINE, 1, UNCOREMSR_INTERVAL, 12);
	die.cpus.num = 7;
	expect(1, 1, UNCOREMSR_INTERVAL, 12);
}

/* Three channels transfer at most 625000000 lines of 64 bytes in a second. 625000001 lines are impossible. */
TEST(the_largest_possible_value_is_accepted)
{
	count_metrics("memory-read-bandwidth");
	counted("UNC_QMC_NORMAL_READS.ANY", 625000000, 625000001, SECOND);
	counted("UNC_QMC_HIGH_PRIORITY_READS.ANY", 0, 0, SECOND);
	counted("UNC_QMC_CRITICAL_PRIORITY_READS.ANY", 0, 0, SECOND);
	expect(0, 0, UNCOREMSR_INTERVAL, 40);
	expect_no_value(1, 0, UNCOREMSR_IMPLAUSIBLE,
		       "computed as 40 GB/s, which is beyond what the machine can do (0 to 40)");
	counted("UNC_QMC_NORMAL_READS.ANY", 0, 1, SECOND);
	expect(0, 0, UNCOREMSR_INTERVAL, 0);
}

TEST(an_unknown_metric_names_the_event_and_the_reason)
{
	add_metrics("mix,time,share");
	ck_assert_ptr_null(metric_reading(0, 0));
	ck_assert_int_eq(uncoremsr_session_start(s), 0);
	counted("EV.A", 5, 5, 100);
	counted("EV.B", 0, 1, 100);
	counted("EV.C", 1, 1, 100);
	expect_no_value(0, 2, UNCOREMSR_UNDEFINED, "the total is 0, so there is no share");
	set_status("EV.C", 1, UNCOREMSR_WRAPPED);
	expect_no_value(1, 0, UNCOREMSR_WRAPPED, "EV.C: why EV.C");
	expect_no_value(MACHINE, 0, UNCOREMSR_WRAPPED, "EV.C: u: why EV.C");
	expect(0, 0, UNCOREMSR_INTERVAL, 105);
	set_status("EV.B", 1, UNCOREMSR_LOST);
	expect_no_value(1, 0, UNCOREMSR_LOST, "EV.B: why EV.B");
	set_status("EV.A", 1, UNCOREMSR_FAILED);
	expect_no_value(1, 1, UNCOREMSR_FAILED, "EV.A: why EV.A");
	ck_assert_ptr_null(metric_reading(MACHINE + 1, 0));
	ck_assert_ptr_null(metric_reading(0, 3));
}

TEST(each_metric_reading_has_its_own_storage_for_the_reason)
{
	enum { METRICS = 3, ALL = (PACKAGES + 1) * METRICS * 2 };
	const char *details[ALL];

	count_metrics("mix,share,rate");
	counted("EV.A", 5, 5, 100);
	counted("EV.B", 5, 5, 100);
	counted("EV.C", 5, 5, 100);
	for (size_t i = 0; i < ALL; i++)
		details[i] = metric_in(i / 2 / METRICS, i / 2 % METRICS,
				       i % 2 ? UNCOREMSR_TOTAL : UNCOREMSR_INTERVAL)->detail;
	for (size_t a = 0; a < ALL; a++)
		for (size_t b = 0; b < a; b++)
			ck_assert_ptr_ne(details[a], details[b]);
}

/*
 * The running time of a metric is the shortest of its events; all other times are from its first event. Its units are
 * from the event with the smallest share of known units.
 */
TEST(a_metric_has_the_times_and_units_of_its_events)
{
	count_metrics("mix,share");
	counted("EV.A", 5, 5, 100);
	counted("EV.B", 5, 5, 200);
	counted("EV.C", 5, 5, 300);
	set_running("EV.B", 40);
	set_running("EV.C", 60);
	ck_assert_uint_eq(metric_reading(0, 0)->enabled_ns, 100);
	ck_assert_uint_eq(metric_reading(0, 0)->time_ns, 100);
	ck_assert_uint_eq(metric_reading(0, 0)->running_ns, 40);
	ck_assert_uint_eq(metric_reading(1, 0)->running_ns, 100);
	set_running("EV.C", 30);
	ck_assert_uint_eq(metric_reading(0, 0)->running_ns, 30);
	set_status("EV.B", 0, UNCOREMSR_LOST);
	ck_assert_uint_eq(metric_reading(0, 0)->running_ns, 40);
	ck_assert_uint_eq(metric_reading(0, 0)->units, 1);
	ck_assert_uint_eq(metric_reading(MACHINE, 0)->units, 2);
	ck_assert_uint_eq(metric_reading(MACHINE, 0)->units_known, 1);
	set_status("EV.B", 0, UNCOREMSR_OK);
	ck_assert_uint_eq(metric_reading(MACHINE, 0)->units_known, 2);
	set_status("EV.C", 0, UNCOREMSR_OFFLINE);
	ck_assert_uint_eq(metric_reading(MACHINE, 0)->units_known, 1);
	ck_assert_uint_eq(metric_reading(MACHINE, 1)->units_known, 2);
}

TEST(an_input_has_its_name_event_and_value)
{
	const struct uncoremsr_metric_input *in;

	ck_assert_int_eq(uncoremsr_session_add(s, "EV.D"), 1);
	count_metrics("rate");
	counted("EV.A", 5, 6, SECOND * 2);
	in = metric_reading(1, 0)->inputs[0];
	ck_assert_str_eq(in->name, "EV.A");
	ck_assert_uint_eq(in->event, 1);
	ck_assert_double_eq(in->value, 6);
	in = metric_in(1, 0, UNCOREMSR_TOTAL)->inputs[1];
	ck_assert_str_eq(in->name, "duration_time");
	ck_assert_uint_eq(in->event, SIZE_MAX);
	ck_assert_double_eq(in->value, 2);
	ck_assert_double_eq(metric_in(MACHINE, 0, UNCOREMSR_TOTAL)->inputs[0]->value, 11000);
	set_status("EV.A", 1, UNCOREMSR_LOST);
	ck_assert_double_nan(metric_reading(1, 0)->inputs[0]->value);
	ck_assert_ptr_null(metric_reading(1, 0)->inputs[2]);
}

static int first_start(void *state, struct um_error *e)
{
	(void)state;
	return um_fail(e, -EACCES, UNCOREMSR_ERROR_ACCESS, "the first is blocked");
}

TEST(a_metric_goes_to_a_slow_route_if_the_first_cannot_start)
{
	static struct um_route blocked, slow;
	static const struct um_route *const both[] = { &blocked, &slow };
	struct made *m;

	blocked = first_route;
	slow = second_route;
	blocked.start = first_start;
	slow.slow_claim = true;
	open_on_routes(both, ARRAY_SIZE(both));
	add_event_list(um, metrics);
	add_metrics("mix");
	find("EV.B", &m);
	ck_assert_ptr_eq(m, &first);
	ck_assert_int_eq(uncoremsr_session_start(s), 0);
	find("EV.B", &m);
	ck_assert_ptr_eq(m, &second);
}

SUITE(metric_inputs)
