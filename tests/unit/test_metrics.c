/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Every row of the table of metrics, and metrics counted on simulated machines. Uses internal headers, because it
 * replaces the kernel's files.
 */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "machine/handle.h"
#include "encoded.h"
#include "kernel_cases.h"
#include "machine.h"
#include "suite.h"

/* ---- metrics in a session ---- */

FIXTURE(.teardown = close_machine)

static void add_metrics(const char *metrics)
{
	ck_assert_msg(uncoremsr_session_add_metric(s, metrics) > 0, "%s", uncoremsr_error(um)->message);
}

static void count_for(unsigned seconds)
{
	ck_assert_int_eq(pass_and_read(seconds * SECOND), 0);
}

static void start_and_count(unsigned seconds)
{
	start();
	count_for(seconds);
}

/* ---- every row of the table of metrics ---- */

/* The events of a single metric must fit on the counters together. Each input has the canonical name of its event. */
static void check_inputs(const char *uarch, const struct uncoremsr_event *m)
{
	const char *metric = m->name;
	const struct uncoremsr_metric_input *in;
	size_t num = 0;

	add_metrics(metric);
	ck_assert_msg(uncoremsr_session_start(s) == 0, "%s: %s", metric, uncoremsr_error(um)->message);
	ck_assert_msg(uncoremsr_session_state(s)->turns == 1, "%s takes turns", metric);
	count_for(1);
	for (; (in = metric_reading(0, 0)->inputs[num]); num++) {
		if (in->event == SIZE_MAX || !isalpha((unsigned char)in->name[0]))
			continue;
		ck_assert_str_eq(encode_one(uarch, in->name)->name, in->name);
		ck_assert_msg(!encoded->num_registers || encoded->registers[0].use != UNCOREMSR_USE_EVENT, "%s: %s",
			      metric, in->name);
	}
	ck_assert_uint_gt(num, 0);
}

TEST(every_formula_is_understood_and_its_events_exist_where_the_row_says)
{
	static const struct { const char *uarch, *machine; } on[] = {
		{ "nehalem", "nehalem-1s" }, { "westmere", "westmere-2s" },
	};
	const struct uncoremsr_event *m;

	for (size_t k = 0; k < ARRAY_SIZE(on); k++)
		for (size_t i = 0; (m = uncoremsr_metric(tables(), on[k].uarch, i)); i++) {
			if (strstr(m->formula, "UNC_") == NULL)
				continue;
			open_stepped(on[k].machine, "");
			check_inputs(on[k].uarch, m);
		}
}

/* Test every metric on a machine of its processor. The kernel may lack events of a metric, but each formula must be
 * valid. */
TEST(every_row_has_a_description_and_properties)
{
	const struct uncoremsr_event *m, *before;
	char dir[DIR_SIZE], path[DIR_SIZE + 16];

	make_dir(dir);
	for (size_t c = 0; c < ARRAY_SIZE(cases); c++) {
		FILE *f;

		snprintf(path, sizeof(path), "%s/machine", dir);
		f = fopen(path, "w");
		ck_assert_ptr_nonnull(f);
		describe_case(f, &cases[c]);
		fclose(f);
		open_machine(path);
		for (size_t i = 0; (m = uncoremsr_metric(um, cases[c].uarch, i)); i++) {
			const char *name = m->name;
			int num = uncoremsr_session_add_metric(s, name);

			ck_assert_msg(num >= 0 || !strstr(uncoremsr_error(um)->message, "formula '"), "%s on %s: %s", name,
				      cases[c].uarch, uncoremsr_error(um)->message);
			ck_assert_msg(strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-") == strlen(name), "%s", name);
			ck_assert(*m->description && *m->measure && *m->formula_from && *m->formula);
			ck_assert(m->high > m->low);
			for (size_t k = 0; k < i && (before = uncoremsr_metric(um, cases[c].uarch, k)); k++)
				ck_assert_msg(strcmp(name, before->name), "%s twice", name);
		}
		ck_assert_uint_gt(uncoremsr_metric(um, cases[c].uarch, 0) != NULL, 0);
	}
	remove_dir(dir);
}

/* ---- values of metrics ---- */

static double metric_value(size_t package, size_t metric)
{
	const struct uncoremsr_metric_reading *r = metric_reading(package, metric);

	ck_assert_msg(r->status == UNCOREMSR_OK, "%s: %s", r->word, r->detail);
	ck_assert_str_eq(r->detail, "");
	return r->value;
}

static enum uncoremsr_status metric_status(size_t package, size_t metric)
{
	return metric_reading(package, metric)->status;
}

static size_t num_metrics(void)
{
	size_t num = 0;

	while (uncoremsr_session_metric(s, num))
		num++;
	return num;
}

TEST(a_metric_has_no_reading_where_it_is_not_counted)
{
	/* @has: does the core metric have a reading on this place, and does the uncore metric? */
	static const struct { enum uncoremsr_place place; size_t index; bool has[2]; } rows[] = {
		{ UNCOREMSR_PLACE_CORES, 0, { true, false } }, { UNCOREMSR_PLACE_CORES, 1, { false, false } },
		{ UNCOREMSR_PLACE_CORE, 0, { true, false } }, { UNCOREMSR_PLACE_CPU, 99, { false, false } },
		{ UNCOREMSR_PLACE_UNIT, 0, { false, false } }, { UNCOREMSR_PLACE_PACKAGE, 0, { true, true } },
	};

	open_machine("westmere-2s,clock=stepped");
	ck_assert_int_eq(uncoremsr_session_only(s, UNCOREMSR_ONLY_CORES, "0-3"), 1);
	ck_assert_int_eq(uncoremsr_session_only(s, UNCOREMSR_ONLY_CPUS, "0"), -EINVAL);
	add_metrics("ipc,memory-bandwidth");
	start_and_count(1);
	for (size_t i = 0; i < 2 * ARRAY_SIZE(rows); i++)
		ck_assert_int_eq(uncoremsr_session_metric_reading(s, i % 2, rows[i / 2].place, rows[i / 2].index,
								  UNCOREMSR_TOTAL) != NULL, rows[i / 2].has[i % 2]);
}

TEST(values_are_exact)
{
	open_stepped("westmere-2s,uncore_hz=2000000000,rate=0x2c:0x1=1000,rate=0x2c:0x2=0,"
		     "rate=0x2c:0x4=0,rate=0x2d:0x1=20,rate=0x2e:0x1=3,rate=0x2f:0x1=50,"
		     "rate=0x2f:0x2=0,rate=0x2f:0x4=0,rate=0x2f:0x8=7,rate=0x8:0x1=30,"
		     "rate=0x9:0x1=10,rate=0x84:0x1=500000000", "");
	add_metrics("memory-read-bandwidth,memory-write-bandwidth,memory-bandwidth");
	add_metrics("l3-read-hit-ratio");
	add_metrics("uncore-frequency,turbo-core0");
	ck_assert_uint_eq(num_metrics(), 6);
	start_and_count(5);
	for (size_t p = 0; p < 2; p++) {
		ck_assert_double_eq_tol(metric_value(p, 0), 64 * 1023e-9, 1e-15);
		ck_assert_double_eq_tol(metric_value(p, 1), 64 * 57e-9, 1e-15);
		ck_assert_double_eq_tol(metric_value(p, 2), 64 * 1080e-9, 1e-15);
		ck_assert_double_eq(metric_value(p, 3), 75);
		ck_assert_double_eq(metric_value(p, 4), 2);
		ck_assert_double_eq(metric_value(p, 5), 25);
	}
}

TEST(a_metric_is_added_once)
{
	open_stepped("westmere-2s", "");
	add_metrics("memory-bandwidth");
	ck_assert_int_eq(uncoremsr_session_add_metric(s, "memory-bandwidth"), 0);
	ck_assert_int_eq(uncoremsr_session_add_metric(s, "memory-*,MEMORY-READ-BANDWIDTH"), 5);
	ck_assert_uint_eq(num_metrics(), 6);
	ck_assert_int_eq(uncoremsr_session_add_metric(s, "a-name-that-is-longer-than-any-metric-will-ever-be-"
						      "a-name-that-is-longer-than-any-metric-will-ever-be-"
						      "a-name-that-is-longer-than-any-metric-will-ever-be"), -EINVAL);
	ck_assert_ptr_nonnull(strstr(uncoremsr_error(um)->message, "longer"));
}

/* An input is the count of an event, a constant of the machine, or the time. */
TEST(inputs_are_events_or_numbers)
{
	const struct uncoremsr_metric_input *in;
	size_t events = 0, others = 0;

	open_stepped("westmere-2s,uncore_hz=2000000000", "");
	add_metrics("throttled-prochot-core0,memory-read-bandwidth,uncore-frequency");
	start_and_count(5);
	for (size_t m = 0; m < num_metrics(); m++)
		for (size_t i = 0; (in = metric_reading(0, m)->inputs[i]); i++) {
			if (in->event == SIZE_MAX) {
				others++;
				continue;
			}
			events++;
			ck_assert_ptr_nonnull(strstr(uncoremsr_session_event(s, in->event)->name, "UNC_"));
			ck_assert_double_eq(in->value, (double)uncoremsr_session_reading(s, in->event,
					    UNCOREMSR_PLACE_PACKAGE, 0, UNCOREMSR_INTERVAL)->value);
		}
	ck_assert_uint_gt(events, 0);
	ck_assert_uint_gt(others, 0);
}

TEST(an_event_that_others_need_at_another_time_is_counted_again)
{
	open_stepped("westmere-2s", "");
	/*
	 * Seven events of a group and four events of a metric, of which one is shared, need more than eight counters.
	 */
	ck_assert_int_eq(uncoremsr_session_add(s, "{0x1:1,0x1:2,0x1:4,0x3:1,0x3:2,"
					       "UNC_QMC_NORMAL_READS.ANY,0x5:1}"), 7);
	add_metrics("memory-read-bandwidth");
	ck_assert_uint_eq(num_events(s), 10);
	start_and_count(1);
	ck_assert_uint_eq(uncoremsr_session_state(s)->turns, 2);
	ck_assert_uint_eq(metric_status(0, 0), UNCOREMSR_NOT_COUNTED);
	ck_assert_int_eq(uncoremsr_session_rotate(s), 0);
	count_for(1);
	ck_assert_double_eq_tol(metric_value(0, 0), 64 * 20850000e-9, 1e-12);
}

TEST(with_turns_a_metric_says_for_how_long_it_was_counted)
{
	open_stepped("westmere-2s", "");
	add_metrics("remote-share,memory-bandwidth");
	ck_assert_int_eq(uncoremsr_session_start(s), 0);
	ck_assert_uint_eq(uncoremsr_session_state(s)->turns, 2);
	uncoremsr_advance(um, 3 * SECOND);
	ck_assert_int_eq(uncoremsr_session_rotate(s), 0);
	count_for(1);
	ck_assert_double_eq_tol(metric_value(0, 0), 730000000.0 / 30760000, 1e-12);
	ck_assert_double_eq_tol(metric_value(0, 1), 64 * 30392000e-9, 64e-9);
	ck_assert_uint_eq(metric_reading(0, 1)->enabled_ns, 4 * SECOND);
	ck_assert_uint_eq(metric_reading(0, 1)->running_ns, SECOND);
	ck_assert_uint_eq(metric_reading(0, 1)->time_ns, 4 * SECOND);
}

TEST(totals_cover_all_intervals)
{
	open_stepped("westmere-2s,uncore_hz=2000000000", "");
	add_metrics("throttled-prochot-core0"); /* throttled half of the time in 3 of every 20 seconds */
	start_and_count(3);
	count_for(7);
	ck_assert_double_eq(metric_value(1, 0), 0);
	ck_assert_double_eq_tol(metric_in(1, 0, UNCOREMSR_TOTAL)->value, 3 * 133333333300.0 / 20e9, 1e-7);
	ck_assert_int_eq(metric_in(1, 0, UNCOREMSR_TOTAL)->status, UNCOREMSR_OK);
	ck_assert_uint_eq(metric_in(1, 0, UNCOREMSR_TOTAL)->enabled_ns, 10 * SECOND);
	ck_assert_int_eq(metric_in(0, 0, UNCOREMSR_TOTAL)->status, UNCOREMSR_OK);
	ck_assert_double_ge(metric_in(0, 0, UNCOREMSR_TOTAL)->value, 0);
}

static const char *fast_cpu;
static double fast_ghz;

static ssize_t read_acpi_cpufreq(struct um_access *a, const char *path, char *buf, size_t size)
{
	if (!strstr(path, "scaling_driver"))
		return true_ops->read_text(a, path, buf, size);
	return snprintf(buf, size, "acpi-cpufreq\n");
}

static ssize_t read_no_driver(struct um_access *a, const char *path, char *buf, size_t size)
{
	return strstr(path, "scaling_driver") ? -ENOENT : true_ops->read_text(a, path, buf, size);
}

static ssize_t read_fast_cpu(struct um_access *a, const char *path, char *buf, size_t size)
{
	if (!strstr(path, fast_cpu) || !strstr(path, "cpuinfo_max_freq"))
		return true_ops->read_text(a, path, buf, size);
	return snprintf(buf, size, "%.0f\n", fast_ghz * 1e6);
}

/* Upper bound of the core frequency of package @place (2: the whole machine). @read may replace read_text(). */
static double highest_frequency(size_t place, ssize_t (*read)(struct um_access *a, const char *path, char *buf,
							     size_t size))
{
	double high = 0;

	open_stepped("skylake-sp-2s,max_khz=3500000", "");
	if (read)
		spy_on()->read_text = read;
	add_metrics("cpu-frequency");
	ck_assert_msg(uncoremsr_session_start(s) == 0, "%s", uncoremsr_error(um)->message);
	high = metric_reading(place, 0)->high;
	return high;
}

/* With acpi-cpufreq, cpuinfo_max_freq does not include boost (Linux drivers/cpufreq/acpi-cpufreq.c). */
TEST(a_cpufreq_driver_without_boost_gives_no_bound)
{
	double open = highest_frequency(0, read_acpi_cpufreq);

	ck_assert_double_eq(highest_frequency(0, NULL), 3.5 * 1.05);
	ck_assert_double_gt(open, 3.5 * 1.05);
	ck_assert_double_eq(highest_frequency(0, read_no_driver), open);
	ck_assert_double_eq(highest_frequency(2, read_acpi_cpufreq), open);
}

TEST(the_fastest_core_bounds_the_clock_wherever_it_is)
{
	static const char *const cpus[] = { "/cpu0/", "/cpu1/", "/cpu3/", "/cpu7/" };

	fast_ghz = 3.6;
	for (size_t i = 0; i < ARRAY_SIZE(cpus); i++) {
		fast_cpu = cpus[i];
		ck_assert_double_eq(highest_frequency(0, read_fast_cpu), 3.6 * 1.05);
	}
	fast_ghz = highest_frequency(0, read_acpi_cpufreq);
	ck_assert_double_eq(highest_frequency(0, read_fast_cpu), fast_ghz);
}

SUITE(metrics)
