/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Metrics of a file, with events of a route that exists only in this test. Each test sets the counts of the
 * events, so the value must be exactly the result of the formula.
 *
 * Uses internal headers, because it implements a route itself.
 */
#include <check.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "helpers.h"
#include "session/session.h"
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

static struct uncoremsr *um;
static struct uncoremsr_session *s;
static bool one_by_one;                    /* the route refuses groups */
static bool cannot_start;                  /* the first route fails to start */

/* Events of each route, and the readings that tests set. */
static struct made {
	char texts[MOST][48], claimed[MOST][48];
	size_t num_texts, num_claimed;
	bool asked, together;              /* arguments of the last call of claim() */
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

static void made_free(void *state)
{
	(void)state;
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
		/* Only the second route has events with this prefix. */
		if (!strcmp(group[i].text, "NO.EV") || !strncmp(group[i].text, "UNC_GQ_DATA.", 12) || (m == &first && !strncmp(group[i].text, "OTHER.", 6)))
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

/* An event that exists already is shared. */
static int made_join(void *state, size_t *where, struct um_error *e)
{
	struct made *m = state;
	size_t before = m->num_texts;

	(void)e;
	/* A metric's events are one group, and must be claimed by one route. */
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

static int made_nothing(void *state, struct um_error *e)
{
	(void)state;
	(void)e;
	return 0;
}

static int made_start(void *state, struct um_error *e)
{
	if (state == &first && cannot_start)
		return um_fail(e, -EACCES, UNCOREMSR_ERROR_ACCESS, "the first cannot start");
	return 0;
}

static int made_read(void *state, bool close, struct um_error *e)
{
	(void)close;
	return made_nothing(state, e);
}

static const struct um_front *made_units(void *state, size_t event, size_t *num)
{
	*num = PACKAGES;
	return ((struct made *)state)->units[event];
}

static enum uncoremsr_status made_no_units(const void *state, size_t event,
					   const struct uncoremsr_package *package, char *why, size_t size)
{
	(void)state;
	(void)event;
	(void)package;
	snprintf(why, size, "none");
	return UNCOREMSR_FAILED;
}

#define MADE_UP_ROUTE(which, number) \
	static const struct um_route which##_route = { \
		.name = #which, .label = "the " #which, .id = number, .open = which##_open, .free = made_free, \
		.claim = made_claim, .add = made_add, .cut = made_cut, .join = made_join, .facts = made_facts, \
		.start = made_start, .read = made_read, .stop = made_nothing, .units = made_units, \
		.no_units = made_no_units, \
	}
MADE_UP_ROUTE(first, MADE_UP);
MADE_UP_ROUTE(second, MADE_UP + 1);
static const struct um_route *const routes[] = { &first_route, &second_route };

/* Open two packages of six cores with two threads each. False if built without JSON. */
static bool open_session(void)
{
	char path[64];
	int fd = memfd_create("metrics", MFD_CLOEXEC), err;

	memset(&first, 0, sizeof(first));
	memset(&second, 0, sizeof(second));
	one_by_one = cannot_start = false;
	ck_assert_int_eq(write(fd, metrics, strlen(metrics)), (int)strlen(metrics));
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	ck_assert_int_eq(uncoremsr_new(&um), 0);
	um->routes = routes;
	um->num_routes = ARRAY_SIZE(routes);
	ck_assert_int_eq(uncoremsr_set_machine(um, "sim:westmere-2s,clock=stepped"), 0);
	ck_assert_int_eq(uncoremsr_open(um), 0);
	err = uncoremsr_event_list_add(um, path);
	close(fd);
	ck_assert_msg(err >= 0 || err == -ENOTSUP, "%s", uncoremsr_error(um)->message);
	ck_assert_int_eq(uncoremsr_session_new(um, &s), 0);
	if (err >= 0)
		return true;
	printf("# skipped: %s\n", uncoremsr_error(um)->message);
	return false;
}

static void close_session(void)
{
	uncoremsr_session_free(s);
	uncoremsr_free(um);
}

static void add(const char *names)
{
	ck_assert_msg(uncoremsr_session_add_metric(s, names) > 0, "%s", uncoremsr_error(um)->message);
}

static void start(void)
{
	ck_assert_msg(!uncoremsr_session_start(s), "%s", uncoremsr_error(um)->message);
}

/* Find the route that counts an event, and the event's index there. */
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

/* Set the counts of an event on both packages, and its time; its total is 1000 times the count. */
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

static struct um_reading *reading_of(const char *event, size_t package)
{
	struct made *m;
	size_t i = find(event, &m);

	return &m->readings[i][package];
}

/* The index after the last package means the whole machine. */
enum { MACHINE = PACKAGES };

static const struct uncoremsr_metric_reading *metric_in(size_t place, size_t metric, enum uncoremsr_span span)
{
	return uncoremsr_session_metric_reading(s, metric, place == MACHINE ? UNCOREMSR_PLACE_EVERYWHERE
						: UNCOREMSR_PLACE_PACKAGE, place, span);
}

static double value_in(size_t place, size_t metric, enum uncoremsr_span span)
{
	const struct uncoremsr_metric_reading *r = metric_in(place, metric, span);

	ck_assert_msg(r->status == UNCOREMSR_OK, "%zu %zu: %s: %s", place, metric, r->word,
		      r->detail);
	ck_assert_str_eq(r->detail, "");
	return r->value;
}

static double value(size_t place, size_t metric)
{
	return value_in(place, metric, UNCOREMSR_INTERVAL);
}

static void expect_unknown(size_t place, size_t metric, enum uncoremsr_status status, const char *why)
{
	const struct uncoremsr_metric_reading *r = metric_in(place, metric, UNCOREMSR_INTERVAL);

	ck_assert_int_eq(r->status, status);
	ck_assert_str_eq(r->detail, why);
	ck_assert_double_nan(r->value);
}


/* ---- which events ---- */

TEST(each_input_is_its_own_event_however_the_route_takes_them)
{
	for (int alone = 0; alone < 2 && open_session(); alone++, close_session()) {
		one_by_one = alone;
		ck_assert_int_eq(uncoremsr_session_add(s, "EV.C"), 1);
		add("mix");
		add("mixed-up");
		ck_assert_uint_eq(num_events(s), 4);
		start();
		counted("EV.A", 1, 5, 100);
		counted("EV.B", 2, 6, 100);
		counted("EV.C", 3, 7, 100);
		counted("EV.D", 4, 8, 100);
		ck_assert_double_eq(value(0, 0), 321);
		ck_assert_double_eq(value(1, 0), 765);
		ck_assert_double_eq(value(MACHINE, 0), 1086);
		ck_assert_double_eq(value(0, 1), 43);
		ck_assert_double_eq(value(1, 1), 87);
		ck_assert_double_eq(value_in(0, 0, UNCOREMSR_TOTAL), 321000);
		ck_assert_double_eq(value_in(MACHINE, 1, UNCOREMSR_TOTAL), 130000);
	}
}

TEST(each_route_counts_what_it_can_of_a_metric)
{
	for (int alone = 0; alone < 2 && open_session(); alone++, close_session()) {
		one_by_one = alone;
		add("both");
		ck_assert_uint_eq(first.num_texts, 2);
		ck_assert_uint_eq(second.num_texts, 2);
		start();
		counted("EV.A", 1, 5, 100);
		counted("OTHER.B", 2, 6, 100);
		counted("EV.C", 3, 7, 100);
		counted("OTHER.D", 4, 8, 100);
		ck_assert_double_eq(value(0, 0), 4321);
		ck_assert_double_eq(value(1, 0), 8765);
	}
}

TEST(if_a_route_cannot_start_a_metric_moves_with_its_events)
{
	if (open_session()) {
		ck_assert_int_eq(uncoremsr_session_add(s, "EV.D"), 1);
		add("mix,both,mixed-up");
		cannot_start = true;
		start();
		ck_assert_uint_eq(first.num_texts, 0);
		ck_assert_uint_eq(second.num_texts, 6);
		counted("EV.A", 1, 5, 100);
		counted("EV.B", 9, 9, 100);
		counted("OTHER.B", 2, 6, 100);
		counted("EV.C", 3, 7, 100);
		counted("OTHER.D", 4, 8, 100);
		counted("EV.D", 6, 2, 100);
		ck_assert_double_eq(value(0, 0), 391);
		ck_assert_double_eq(value(0, 1), 4321);
		ck_assert_double_eq(value(1, 1), 8765);
		ck_assert_double_eq(value(1, 2), 27);
	}
	close_session();
}

/* The event that moved is before that of the other route in the session, but behind it in the other route. */
TEST(an_event_that_is_added_after_others_have_moved_keeps_its_own_place)
{
	static const char *const names[] = { "EV.A", "OTHER.B", "OTHER.D" };

	if (open_session()) {
		ck_assert_int_eq(uncoremsr_session_add(s, names[0]), 1);
		ck_assert_int_eq(uncoremsr_session_add(s, names[1]), 1);
		cannot_start = true;
		start();
		ck_assert_int_eq(uncoremsr_session_stop(s), 0);
		ck_assert_int_eq(uncoremsr_session_add(s, names[2]), 1);
		for (size_t i = 0; i < ARRAY_SIZE(names); i++)
			ck_assert_str_eq(uncoremsr_session_event(s, i)->name, names[i]);
	}
	close_session();
}

TEST(only_inputs_that_may_be_needed_are_counted)
{
	if (open_session()) {
		add("has,has-not,never");
		ck_assert_uint_eq(num_events(s), 1);
		start();
		counted("EV.A", 3, 5, 100);
		for (size_t m = 0; m < 3; m++) {
			ck_assert_double_eq(value(0, m), 3);
			ck_assert_double_eq(value(1, m), 5);
		}
	}
	close_session();
}

static void refused(const char *names, int err, const char *why)
{
	ck_assert_int_eq(uncoremsr_session_add_metric(s, names), err);
	ck_assert_msg(strstr(uncoremsr_error(um)->message, why) == uncoremsr_error(um)->message, "%s", uncoremsr_error(um)->message);
	ck_assert_uint_eq(num_events(s), 1);
	ck_assert_uint_eq(first.num_texts, 1);
}

TEST(a_metric_that_cannot_be_counted_leaves_everything_as_it_was)
{
	if (open_session()) {
		ck_assert_int_eq(uncoremsr_session_add(s, "EV.D"), 1);
		refused("no-word", -ENOTSUP, "metric 'no-word': the value of '#nothing' is not known here");
		refused("no-agents", -ENOTSUP, "metric 'no-agents': the value of 'CHAS_PER_SOCKET' is not known");
		refused("no-event", -ENOENT, "metric 'no-event': there is no NO.EV");
		/* An unknown event in a file is a usage error; in our tables it means that the processor lacks
		 * the event. */
		ck_assert_int_eq(uncoremsr_error(um)->error_class, UNCOREMSR_ERROR_USAGE);
		refused("qpi-in-busy", -ENOENT, "metric 'qpi-in-busy': there is no UNC_GQ_DATA.FROM_QPI");
		ck_assert_int_eq(uncoremsr_error(um)->error_class, UNCOREMSR_ERROR_UNSUPPORTED);
		refused("none-of-*", -ENOENT, "none of the metrics 'none-of-*' can be counted here: "
			"metric 'none-of-it': there is no NO.EV");
		refused("no-*", -ENOTSUP, "none of the metrics 'no-*' can be counted here: metric 'no-word': ");
		refused(",share", -EINVAL, "metrics ',share': a name is missing");
		ck_assert_ptr_null(uncoremsr_session_metric(s, 1));
	}
	close_session();
}

TEST(of_several_metrics_those_that_can_be_counted_are)
{
	if (open_session()) {
		ck_assert_int_eq(uncoremsr_session_add_metric(s, "some-*,some-a"), 2);
		ck_assert_uint_eq(num_events(s), 2);
		ck_assert_int_eq(uncoremsr_session_add_metric(s, "some-?"), 0);
		start();
		counted("EV.A", 1, 2, 100);
		counted("EV.C", 3, 4, 100);
		ck_assert_double_eq(value(1, 0), 2);
		ck_assert_double_eq(value(1, 1), 4);
		ck_assert_ptr_null(uncoremsr_session_metric(s, 2));
	}
	close_session();
}

/* ---- what is worked out ---- */

TEST(numbers_of_cores_and_threads_are_those_of_the_place)
{
	struct um_package die;

	if (open_session()) {
		add("things,threads");
		start();
		counted("EV.A", 1, 1, 100);
		for (size_t p = 0; p < PACKAGES; p++) {
			ck_assert_double_eq(value(p, 0), 600000 + 1200 + 10 + 1);
			ck_assert_double_eq(value(p, 1), 12);
		}
		ck_assert_double_eq(value(MACHINE, 0), 1200000 + 2400 + 20 + 2);
		ck_assert_double_eq(value(MACHINE, 1), 12);
		/* Two dies of the same package count as one package. */
		die = *(const struct um_package *)s->choices.places[1].package;
		die.shown.id = s->choices.places[0].package->id;
		s->choices.places[1].package = &die.shown;
		ck_assert_double_eq(value(MACHINE, 0), 1200000 + 2400 + 20 + 1);
		/* Six cores with one thread each; then one of them has two. */
		die.cpus.num = 6;
		counted("EV.A", 1, 1, 100);
		ck_assert_double_eq(value(1, 1), 1);
		/* The number of threads is not summed; the machine has that of the first package. */
		ck_assert_double_eq(value(MACHINE, 1), 12);
		die.cpus.num = 7;
		ck_assert_double_eq(value(1, 1), 12);
	}
	close_session();
}

TEST(counts_are_scaled_to_the_time_of_the_first_event)
{
	if (open_session()) {
		add("mix,rate,time,hz");
		start();
		counted("EV.A", 50, 40, SECOND / 2);
		counted("EV.B", 2, 4, SECOND / 4);
		counted("EV.C", 3, 1, SECOND);
		counted("msr/tsc/", 700, 900, SECOND / 4);
		ck_assert_double_eq(value(0, 0), 50 + 40 + 150);
		ck_assert_double_eq(value(1, 0), 40 + 80 + 50);
		ck_assert_double_eq(value(0, 1), 100);
		ck_assert_double_eq(value(MACHINE, 1), 180);
		ck_assert_double_eq(value(0, 2), 0.5);
		/* The clock of several packages is the average, not the sum. */
		ck_assert_double_eq(value(0, 3), 2800);
		ck_assert_double_eq(value(1, 3), 3600);
		ck_assert_double_eq(value(MACHINE, 3), 3200);
	}
	close_session();
}

/* perf counts energy in units of 2^-32 J; formulas expect 2^-14 J, and milliseconds. */
TEST(counts_and_times_are_in_the_units_of_the_formula)
{
	if (open_session()) {
		add("energy");
		start();
		counted("power/energy-pkg/", UINT64_C(3) << 18, UINT64_C(5) << 18, SECOND / 4);
		ck_assert_double_eq(value(0, 0), 250003);
		ck_assert_double_eq(value(1, 0), 250005);
	}
	close_session();
}

/* The largest possible number of 64-byte lines on three channels in a second, and one line more. */
TEST(the_largest_possible_value_is_accepted)
{
	if (open_session()) {
		add("memory-read-bandwidth");
		start();
		counted("UNC_QMC_NORMAL_READS.ANY", 625000000, 625000001, SECOND);
		counted("UNC_QMC_HIGH_PRIORITY_READS.ANY", 0, 0, SECOND);
		counted("UNC_QMC_CRITICAL_PRIORITY_READS.ANY", 0, 0, SECOND);
		ck_assert_double_eq(value(0, 0), 40);
		expect_unknown(1, 0, UNCOREMSR_IMPLAUSIBLE,
			       "computed as 40 GB/s, which is beyond what the machine can do (0 to 40)");
		counted("UNC_QMC_NORMAL_READS.ANY", 0, 1, SECOND);
		ck_assert_double_eq(value(0, 0), 0);
	}
	close_session();
}

/* source_count(), CHAS_PER_SOCKET, and #num_cores with a C-box event are the number of units that counted. */
TEST(the_number_of_units_is_that_of_the_event)
{
	if (open_session()) {
		add("units,agents,boxes");
		start();
		counted("EV.A", 1, 1, 100);
		counted("UNC_CHA_T", 8, 8, 100);
		counted("UNC_C_T", 8, 4, 100);
		ck_assert_double_eq(value(0, 0), 1);
		ck_assert_double_eq(value(MACHINE, 0), 2);
		ck_assert_double_eq(value(1, 1), 8);
		ck_assert_double_eq(value(MACHINE, 1), 8);
		ck_assert_double_eq(value(MACHINE, 2), 6);
		reading_of("EV.A", 1)->status = UNCOREMSR_OFFLINE;
		reading_of("UNC_C_T", 1)->status = UNCOREMSR_OFFLINE;
		ck_assert_double_eq(value(MACHINE, 0), 1);
		ck_assert_double_eq(value(MACHINE, 2), 8);
	}
	close_session();
}

/*
 * Two packages with one unit each. Their clocks have 600 and 1000 ticks per second, on average 800. 2 and 4
 * requests take 240 and 480 ticks in all, so 120 ticks each.
 */
TEST(the_clock_of_the_machine_is_the_mean_of_its_packages)
{
	if (open_session()) {
		add("clock,clock-of-cores,latency,first-unit,share-of-first");
		start();
		counted("UNC_CHA_T", 600, 1000, SECOND);
		counted("UNC_C_T", 600, 1000, SECOND);
		counted("EV.A", 240, 480, SECOND);
		counted("EV.B", 2, 4, SECOND);
		counted("cha_0/EV.A/", 600, 1000, SECOND);
		for (size_t metric = 0; metric < 4; metric++) {
			if (metric == 2)
				continue;
			ck_assert_double_eq(value(0, metric), 600);
			ck_assert_double_eq(value(1, metric), 1000);
			ck_assert_double_eq(value(MACHINE, metric), 800);
		}
		ck_assert_double_eq_tol(value(0, 2), 120.0 / 600, 1e-9);
		ck_assert_double_eq_tol(value(1, 2), 120.0 / 1000, 1e-9);
		ck_assert_double_eq_tol(value(MACHINE, 2), 120.0 / 800, 1e-9);
		/* The numbers of occupied cores are summed over packages. */
		counted("EV.B", 1200, 3000, SECOND);
		counted("cha_0/EV.A/", 600, 600, SECOND);
		ck_assert_double_eq(value(0, 4), 2);
		ck_assert_double_eq(value(1, 4), 5);
		ck_assert_double_eq(value(MACHINE, 4), 7);
	}
	close_session();
}

TEST(an_unknown_metric_names_the_event_and_the_reason)
{
	if (open_session()) {
		add("mix,time,share");
		ck_assert_ptr_null(metric_in(0, 0, UNCOREMSR_INTERVAL));
		start();
		counted("EV.A", 5, 5, 100);
		counted("EV.B", 0, 1, 100);
		counted("EV.C", 1, 1, 100);
		expect_unknown(0, 2, UNCOREMSR_UNDEFINED, "the total is 0, so there is no share");
		reading_of("EV.C", 1)->status = UNCOREMSR_WRAPPED;
		expect_unknown(1, 0, UNCOREMSR_WRAPPED, "EV.C: why EV.C");
		expect_unknown(MACHINE, 0, UNCOREMSR_WRAPPED, "EV.C: u: why EV.C");
		ck_assert_double_eq(value(0, 0), 105);
		reading_of("EV.B", 1)->status = UNCOREMSR_LOST;
		expect_unknown(1, 0, UNCOREMSR_LOST, "EV.B: why EV.B");
		/* The metric is unknown if any of its events is. */
		reading_of("EV.A", 1)->status = UNCOREMSR_FAILED;
		expect_unknown(1, 1, UNCOREMSR_FAILED, "EV.A: why EV.A");
		ck_assert_ptr_null(metric_in(MACHINE + 1, 0, UNCOREMSR_INTERVAL));
		ck_assert_ptr_null(metric_in(0, 3, UNCOREMSR_INTERVAL));
	}
	close_session();
}

/* A message stays valid while other messages are requested. */
TEST(each_metric_reading_has_its_own_storage_for_the_reason)
{
	enum { METRICS = 3, ALL = (PACKAGES + 1) * METRICS * 2 };
	const char *details[ALL];

	if (open_session()) {
		add("mix,share,rate");
		start();
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
	close_session();
}

/* A metric has the shortest running time of its events, the time of the first event, and the units of the event
 * with the smallest known share. */
TEST(a_metric_has_the_times_and_units_of_its_events)
{
	if (open_session()) {
		add("mix,share");
		start();
		counted("EV.A", 5, 5, 100);
		counted("EV.B", 5, 5, 200);
		counted("EV.C", 5, 5, 300);
		reading_of("EV.B", 0)->running_ns = 40;
		reading_of("EV.C", 0)->running_ns = 60;
		ck_assert_uint_eq(metric_in(0, 0, UNCOREMSR_INTERVAL)->enabled_ns, 100);
		ck_assert_uint_eq(metric_in(0, 0, UNCOREMSR_INTERVAL)->time_ns, 100);
		ck_assert_uint_eq(metric_in(0, 0, UNCOREMSR_INTERVAL)->running_ns, 40);
		ck_assert_uint_eq(metric_in(1, 0, UNCOREMSR_INTERVAL)->running_ns, 100);
		reading_of("EV.C", 0)->running_ns = 30;
		ck_assert_uint_eq(metric_in(0, 0, UNCOREMSR_INTERVAL)->running_ns, 30);
		/* Events after the first unknown one are not considered. */
		reading_of("EV.B", 0)->status = UNCOREMSR_LOST;
		ck_assert_uint_eq(metric_in(0, 0, UNCOREMSR_INTERVAL)->running_ns, 40);
		ck_assert_uint_eq(metric_in(0, 0, UNCOREMSR_INTERVAL)->units, 1);
		ck_assert_uint_eq(metric_in(MACHINE, 0, UNCOREMSR_INTERVAL)->units, 2);
		ck_assert_uint_eq(metric_in(MACHINE, 0, UNCOREMSR_INTERVAL)->units_known, 1);
		reading_of("EV.B", 0)->status = UNCOREMSR_OK;
		ck_assert_uint_eq(metric_in(MACHINE, 0, UNCOREMSR_INTERVAL)->units_known, 2);
		reading_of("EV.C", 0)->status = UNCOREMSR_OFFLINE;
		ck_assert_uint_eq(metric_in(MACHINE, 0, UNCOREMSR_INTERVAL)->units_known, 1);
		ck_assert_uint_eq(metric_in(MACHINE, 1, UNCOREMSR_INTERVAL)->units_known, 2);
	}
	close_session();
}

TEST(an_input_has_its_name_event_and_value)
{
	const struct uncoremsr_metric_reading *r;
	const struct uncoremsr_metric_input *in;

	if (open_session()) {
		ck_assert_int_eq(uncoremsr_session_add(s, "EV.D"), 1);
		add("rate");
		start();
		counted("EV.A", 5, 6, SECOND * 2);
		r = metric_in(1, 0, UNCOREMSR_INTERVAL);
		in = r->inputs[0];
		ck_assert_str_eq(in->name, "EV.A");
		ck_assert_uint_eq(in->event, 1);
		ck_assert_double_eq(in->value, 6);
		in = metric_in(1, 0, UNCOREMSR_TOTAL)->inputs[1];
		ck_assert_str_eq(in->name, "duration_time");
		ck_assert_uint_eq(in->event, SIZE_MAX);
		ck_assert_double_eq(in->value, 2);
		in = metric_in(MACHINE, 0, UNCOREMSR_TOTAL)->inputs[0];
		ck_assert_double_eq(in->value, 11000);
		reading_of("EV.A", 1)->status = UNCOREMSR_LOST;
		r = metric_in(1, 0, UNCOREMSR_INTERVAL);
		ck_assert_double_nan(r->inputs[0]->value);
		ck_assert_ptr_null(r->inputs[2]);
	}
	close_session();
}

SUITE(metric_inputs)
