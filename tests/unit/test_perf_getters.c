/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The kernel's route in the public interface: encodings, PMUs and lists of a simulated server. */
#include <check.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "suites.h"
#include "uncoremsr.h"
#include "uncoremsr/names.h"

#define ALL "tests/fixtures/lists/all.json"

static struct uncoremsr *um;

static void open_machine(void)
{
	ck_assert_int_eq(uncoremsr_new(&um), 0);
	ck_assert_int_eq(uncoremsr_set_machine(um, "sim:skylake-sp-perf,clock=stepped"), 0);
	ck_assert_msg(!uncoremsr_open(um), "%s", uncoremsr_errmsg(um));
}

static void close_machine(void)
{
	uncoremsr_free(um);
}

/* ---- encodings ---- */

struct shown {
	char text[4096];
	int stop_after;
};

static int show(void *user, const struct uncoremsr_perf_encoding *enc)
{
	struct shown *s = user;
	size_t len = strlen(s->text), num, unit = uncoremsr_perf_encoding_unit(enc, &num);
	const char *measure = uncoremsr_perf_encoding_measure(enc);
	const char *cpus = uncoremsr_perf_encoding_cpus(enc);

	ck_assert_uint_eq(uncoremsr_perf_encoding_unit(enc, NULL), unit);
	ck_assert_uint_lt(unit, num);
	ck_assert_uint_eq(uncoremsr_perf_encoding_config(enc, 4), 0);
	snprintf(s->text + len, sizeof(s->text) - len,
		 "%zu.%zu/%zu %s %s %s %u:%llx:%llx:%llx:%llx '%s' on %s x%g %s group %u\n",
		 uncoremsr_perf_encoding_event(enc), unit, num, uncoremsr_perf_encoding_name(enc),
		 uncoremsr_perf_encoding_family(enc), uncoremsr_perf_encoding_pmu(enc),
		 uncoremsr_perf_encoding_type(enc),
		 (unsigned long long)uncoremsr_perf_encoding_config(enc, 0),
		 (unsigned long long)uncoremsr_perf_encoding_config(enc, 1),
		 (unsigned long long)uncoremsr_perf_encoding_config(enc, 2),
		 (unsigned long long)uncoremsr_perf_encoding_config(enc, 3),
		 uncoremsr_perf_encoding_modifiers(enc), cpus ? cpus : "any",
		 uncoremsr_perf_encoding_scale(enc), measure ? measure : "counts",
		 uncoremsr_perf_encoding_group(enc));
	return s->stop_after && !--s->stop_after ? 42 : 0;
}

static const struct {
	const char *text, *encodings;
	int num;
} encoded[] = {
	{ "cycles:ukD", "0.0/1 cycles:ukD cpu cpu 0:0:0:0:0 'ukD' on any x1 counts group 0\n", 1 },
	{ "r5301b1:pp",
	  "0.0/1 r5301b1:pp cpu cpu 4:5301b1:0:0:0 'pp' on any x1 counts group 0\n", 1 },
	{ "task-clock",
	  "0.0/1 task-clock software software 1:1:0:0:0 '' on any x1e-09 s group 0\n", 1 },
	{ "{uncore_m2m/event=1/,uncore_imc_3/cas_count_write/},power/energy-pkg/",
	  "0.0/2 uncore_m2m/event=1/ uncore_m2m uncore_m2m_0 56:1:0:0:0 '' on 0,4 x1 counts "
	  "group 0\n"
	  "0.1/2 uncore_m2m/event=1/ uncore_m2m uncore_m2m_1 57:1:0:0:0 '' on 0,4 x1 counts "
	  "group 0\n"
	  "1.0/1 uncore_imc_3/cas_count_write/ uncore_imc_3 uncore_imc_3 53:c04:0:0:0 '' on 0,4 "
	  "x6.10352e-05 MiB group 0\n"
	  "2.0/1 power/energy-pkg/ power power 11:2:0:0:0 '' on 0,4 x2.32831e-10 Joules "
	  "group 1\n", 3 },
	{ "uncore_cha_0/event=0x35,umask=0x21,config1=0x4043200000000/",
	  "0.0/1 uncore_cha_0/event=0x35,umask=0x21,config1=0x4043200000000/ uncore_cha_0 "
	  "uncore_cha_0 13:2135:4043200000000:0:0 '' on 0,4 x1 counts group 0\n", 1 },
};

START_TEST(every_unit_of_every_event_is_told_with_all_that_the_kernel_is_asked)
{
	struct shown s = { .text = "" };

	open_machine();
	ck_assert_int_eq(uncoremsr_perf_encode(um, encoded[_i].text, show, &s), encoded[_i].num);
	ck_assert_str_eq(s.text, encoded[_i].encodings);
	close_machine();
}
END_TEST

START_TEST(telling_stops_when_the_caller_says_so)
{
	struct shown s = { .stop_after = 2 };

	open_machine();
	ck_assert_int_eq(uncoremsr_perf_encode(um, "cycles,uncore_m2m/event=1/", show, &s), 42);
	ck_assert_ptr_nonnull(strstr(s.text, "1.0/2 "));
	ck_assert_ptr_null(strstr(s.text, "1.1/2 "));
	close_machine();
}
END_TEST

START_TEST(a_text_that_is_not_understood_tells_no_encoding)
{
	struct shown s = { .text = "" };

	open_machine();
	ck_assert_int_eq(uncoremsr_perf_encode(um, "cycles,nope", show, &s), -ENOENT);
	ck_assert_str_eq(s.text, "");
	ck_assert_ptr_nonnull(strstr(uncoremsr_errmsg(um), "nope"));
	close_machine();
}
END_TEST

/* ---- PMUs ---- */

static const struct uncoremsr_kernel_pmu *pmu_called(const char *name)
{
	const struct uncoremsr_kernel_pmu *pmu;

	for (size_t i = 0; (pmu = uncoremsr_kernel_pmu(um, i)); i++)
		if (!strcmp(uncoremsr_kernel_pmu_name(pmu), name))
			return pmu;
	ck_abort_msg("no PMU %s", name);
	return NULL;
}

START_TEST(a_pmu_of_the_kernel_shows_its_terms_and_ready_made_events)
{
	const struct uncoremsr_kernel_pmu *pmu;
	const char *name, *terms, *measure;
	unsigned config, formats = 0, events = 0;
	uint64_t mask;
	double scale;

	open_machine();
	pmu = pmu_called("uncore_imc_5");
	ck_assert_uint_eq(uncoremsr_kernel_pmu_type(pmu), 55);
	ck_assert_uint_eq(uncoremsr_kernel_pmu_family(pmu), strlen("uncore_imc"));
	ck_assert_ptr_null(uncoremsr_kernel_pmu_alias(pmu));
	for (size_t i = 0; (name = uncoremsr_kernel_pmu_format(pmu, i, &config, &mask)); i++) {
		formats++;
		ck_assert_uint_eq(config, 0);
		ck_assert(strcmp(name, "umask") || mask == 0xff00);
	}
	ck_assert_uint_eq(formats, 5);
	while ((name = uncoremsr_kernel_pmu_event(pmu, events, &terms, &scale, &measure))) {
		events++;
		if (strcmp(name, "cas_count_read"))
			continue;
		ck_assert_str_eq(terms, "event=0x04,umask=0x03");
		ck_assert_str_eq(measure, "MiB");
		ck_assert_double_eq_tol(scale, 6.103515625e-5, 1e-12);
	}
	ck_assert_uint_eq(events, 3);
	close_machine();
}
END_TEST

/* ---- lists ---- */

/* Built with JSON=no: nothing to look at. @function: libcheck adds "_fn" to the test's name. */
static bool is_left_out(const char *function)
{
	if (uncoremsr_event_list_add(um, ALL) != -ENOTSUP)
		return false;
	fprintf(stderr, "%.*s: skipped: built without JSON event lists\n",
		(int)strlen(function) - 3, function);
	return true;
}

#define left_out() is_left_out(__func__)

START_TEST(an_event_of_a_list_tells_what_the_list_says)
{
	const struct uncoremsr_listed_event *ev;
	const char *version;

	open_machine();
	if (!left_out()) {
		ck_assert_str_eq(uncoremsr_event_list_file(um, 0, &version), ALL);
		ck_assert_str_eq(version, "3");
		ck_assert_ptr_null(uncoremsr_event_list_file(um, 1, NULL));
		ck_assert_str_eq(uncoremsr_event_list_cpu(um), "GenuineIntel-6-55-4");
		ev = uncoremsr_listed_event_find(um, "unc_cha_listed");
		ck_assert_ptr_eq(ev, uncoremsr_listed_event(um, 1));
		ck_assert_str_eq(uncoremsr_listed_event_name(ev), "UNC_CHA_LISTED");
		ck_assert_str_eq(uncoremsr_listed_event_pmu(ev), "uncore_cha");
		ck_assert_str_eq(uncoremsr_listed_event_unit(ev), "CHA");
		ck_assert_str_eq(uncoremsr_listed_event_terms(um, ev), "event=0x35,umask=0x21");
		ck_assert_str_eq(uncoremsr_listed_event_counters(ev), "0,1,2,3");
		ck_assert_str_eq(uncoremsr_listed_event_description(ev), "What it counts");
		ck_assert_str_eq(uncoremsr_listed_event_impossible(ev), "");
		ck_assert_int_eq(uncoremsr_listed_event_deprecated(ev), 0);
		ck_assert_int_eq(uncoremsr_listed_event_core_type(ev), 0);
		ev = uncoremsr_listed_event_find(um, "UNC_H_MATCHED");
		ck_assert_str_ne(uncoremsr_listed_event_impossible(ev), "");
		ck_assert_int_eq(uncoremsr_listed_event_deprecated(ev), 1);
	}
	close_machine();
}
END_TEST

START_TEST(lists_are_for_the_processor_that_was_chosen)
{
	open_machine();
	ck_assert_int_eq(uncoremsr_event_list_set_cpu(um, "GenuineIntel-6-97"), 0);
	ck_assert_str_eq(uncoremsr_event_list_cpu(um), "GenuineIntel-6-97-0");
	ck_assert_int_eq(uncoremsr_event_list_set_cpu(um, "GenuineIntel"), -EINVAL);
	ck_assert_int_eq(uncoremsr_event_list_set_cpu(um, "GenuineIntel-6-"), -EINVAL);
	ck_assert_int_eq(uncoremsr_event_list_set_cpu(um, "GenuineIntel-6-5Z"), -EINVAL);
	ck_assert_int_eq(uncoremsr_event_list_set_cpu(um, "GenuineIntel-6-55-4-1"), -EINVAL);
	ck_assert_str_eq(uncoremsr_event_list_cpu(um), "GenuineIntel-6-97-0");
	if (!left_out()) {
		const struct uncoremsr_listed_event *ev;

		ck_assert_int_eq(uncoremsr_event_list_add(um, "tests/fixtures/lists/hybrid"), 2);
		ev = uncoremsr_listed_event_find(um, "ATOM_ONLY");
		ck_assert_str_eq(uncoremsr_listed_event_pmu(ev), "cpu_atom");
		ck_assert_int_eq(uncoremsr_listed_event_core_type(ev), 0x20);
	}
	close_machine();
}
END_TEST

/* ---- all of a list ---- */

struct refusals {
	char text[4096];
	unsigned num;
};

static void note(void *user, const struct uncoremsr_listed_event *event, const char *why)
{
	struct refusals *r = user;
	size_t len = strlen(r->text);

	r->num++;
	snprintf(r->text + len, sizeof(r->text) - len, "%s: %s\n",
		 uncoremsr_listed_event_name(event), why);
}

static const char *const added[] = { "CORE_LISTED", "UNC_CHA_LISTED", "UNC_M_LISTED" };
static const char *const refused[] = {
	"UNC_H_MATCHED: event 'UNC_H_MATCHED': perf cannot express it",
	"UNC_SBO_LISTED: event 'UNC_SBO_LISTED': the list has it, but this kernel has no PMU",
	"UNC_M_TOO_WIDE: event 'UNC_M_TOO_WIDE': perf cannot express it",
	"UNC_CHA,ODD: event 'UNC_CHA,ODD': not a name that can be asked for",
};

START_TEST(all_of_a_list_is_added_but_what_cannot_be_counted_which_is_told)
{
	struct uncoremsr_session *s;
	const struct uncoremsr_reading *r_cha;
	struct refusals r = { .num = 0 };
	uint64_t value;

	open_machine();
	ck_assert_int_eq(uncoremsr_session_new(um, &s), 0);
	ck_assert_int_eq(uncoremsr_session_set_route(s, UNCOREMSR_ROUTE_PERF), 0);
	ck_assert_int_eq(uncoremsr_session_add_listed(s, note, &r), -ENOENT);
	if (!left_out()) {
		ck_assert_int_eq(uncoremsr_session_add(s, "uncore_m2m/event=1/"), 1);
		ck_assert_int_eq(uncoremsr_session_add_listed(s, note, &r), 3);
		ck_assert_uint_eq(uncoremsr_session_num_events(s), 4);
		for (size_t i = 0; i < 3; i++)
			ck_assert_str_eq(uncoremsr_session_event_name(s, 1 + i), added[i]);
		ck_assert_msg(r.num == 4, "%s", r.text);
		for (size_t i = 0; i < 4; i++)
			ck_assert_msg(strstr(r.text, refused[i]) != NULL, "%s", r.text);
		ck_assert_msg(!uncoremsr_session_start(s), "%s", uncoremsr_errmsg(um));
		ck_assert_int_eq(uncoremsr_session_add_listed(s, note, &r), -EBUSY);
		ck_assert_int_eq(uncoremsr_advance(um, 1000000000), 1);
		ck_assert_int_eq(uncoremsr_session_read(s), 0);
		/* 18 C-boxes, of which each counts 12 million TOR inserts a second. */
		r_cha = uncoremsr_session_reading(s, 0, 2);
		ck_assert_int_eq(uncoremsr_reading_value(r_cha, &value), 0);
		ck_assert_uint_eq(value, 18 * 12000000);
	}
	uncoremsr_session_free(s);
	close_machine();
}
END_TEST

static void count_warnings(void *user, enum uncoremsr_log_level level, const char *line)
{
	*(unsigned *)user += level == UNCOREMSR_LOG_WARNING &&
			     strstr(line, "left out: event 'UNC_");
}

START_TEST(what_of_a_list_cannot_be_counted_stands_in_the_log_if_nobody_asks)
{
	struct uncoremsr_session *s;
	unsigned warnings = 0;

	open_machine();
	uncoremsr_set_log(um, count_warnings, &warnings);
	ck_assert_int_eq(uncoremsr_session_new(um, &s), 0);
	ck_assert_int_eq(uncoremsr_session_set_route(s, UNCOREMSR_ROUTE_PERF), 0);
	if (!left_out()) {
		ck_assert_int_eq(uncoremsr_session_add_listed(s, NULL, NULL), 3);
		ck_assert_uint_eq(warnings, 4);
	}
	uncoremsr_session_free(s);
	close_machine();
}
END_TEST

Suite *perf_getters_suite(void)
{
	Suite *s = suite_create("perf_getters");
	TCase *tc = tcase_create("perf");

	tcase_add_loop_test(tc,
			    every_unit_of_every_event_is_told_with_all_that_the_kernel_is_asked, 0,
			    sizeof(encoded) / sizeof(encoded[0]));
	tcase_add_test(tc, telling_stops_when_the_caller_says_so);
	tcase_add_test(tc, a_text_that_is_not_understood_tells_no_encoding);
	tcase_add_test(tc, a_pmu_of_the_kernel_shows_its_terms_and_ready_made_events);
	tcase_add_test(tc, an_event_of_a_list_tells_what_the_list_says);
	tcase_add_test(tc, lists_are_for_the_processor_that_was_chosen);
	tcase_add_test(tc, all_of_a_list_is_added_but_what_cannot_be_counted_which_is_told);
	tcase_add_test(tc, what_of_a_list_cannot_be_counted_stands_in_the_log_if_nobody_asks);
	suite_add_tcase(s, tc);
	return s;
}
