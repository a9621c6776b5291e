/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* PMUs and event lists of a simulated server, through the public functions and the kernel's route. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine.h"
#include "suite.h"
#include "uncoremsr/names.h"

#define ALL "tests/fixtures/lists/all.json"

static void open_server(void)
{
	open_machine("skylake-sp-perf,clock=stepped");
}

FIXTURE(.setup = open_server, .teardown = close_machine)

/* ---- encodings ---- */

struct shown {
	char text[256];
	int stop_after;
};

static int show(void *user, const struct uncoremsr_encoding *enc)
{
	struct shown *shown = user;
	size_t len = strlen(shown->text);

	ck_assert_int_lt(enc->unit, enc->units);
	ck_assert_uint_eq(enc->word, UINT64_MAX);
	ck_assert_int_eq(enc->route, UNCOREMSR_ROUTE_PERF);
	snprintf(shown->text + len, sizeof(shown->text) - len, "%zu.%d/%d ", enc->index, enc->unit, enc->units);
	return shown->stop_after && !--shown->stop_after ? 42 : 0;
}

TEST(encoding_stops_when_the_callback_says_so)
{
	struct shown shown = { .stop_after = 2 };

	ck_assert_int_eq(uncoremsr_encode(um, UNCOREMSR_ROUTE_PERF, NULL,
					  "cycles,uncore_m2m/event=1/", show, &shown), 42);
	ck_assert_ptr_nonnull(strstr(shown.text, "1.0/2 "));
	ck_assert_ptr_null(strstr(shown.text, "1.1/2 "));
}

/* ---- PMUs ---- */

/* ---- sources of names ---- */

static int keep(void *user, const struct uncoremsr_event *ev)
{
	const struct uncoremsr_event **found = user;

	*found = ev;
	return 0;
}

static const struct uncoremsr_event *found(const char *name)
{
	const struct uncoremsr_event *ev = NULL;

	ck_assert_msg(uncoremsr_event_find(um, NULL, name, keep, &ev) == 1, "%s", name);
	return ev;
}

TEST(a_predefined_event_of_the_kernel_is_listed_like_any_event)
{
	const struct uncoremsr_event *ev;

	ev = found("uncore_imc/cas_count_read/");
	ck_assert_ptr_eq(found("cas_count_read"), ev);
	ck_assert_ptr_eq(found("CAS_COUNT_R*"), ev);
	ck_assert_str_eq(ev->name, "uncore_imc/cas_count_read/");
	ck_assert_str_eq(ev->from, "kernel");
	ck_assert_str_eq(ev->pmu, "uncore_imc");
	ck_assert_str_eq(ev->terms, "event=0x04,umask=0x03");
	ck_assert_str_eq(ev->measure, "MiB");
	ck_assert_double_eq_tol(strtod(ev->scale, NULL), 6.103515625e-5, 1e-12);
	ck_assert_uint_eq(ev->event_select, 4);
	ck_assert_uint_eq(ev->word, UINT64_MAX);
	ck_assert_str_eq(found("LLC-load-misses")->from, "perf");
	ck_assert_ptr_eq(found("LLC-read-miss"), found("LLC-load-misses"));
}

TEST(every_event_that_is_listed_is_found_by_its_name_and_encoded)
{
	const struct uncoremsr_event *ev;
	size_t num[4] = { 0 };

	uncoremsr_event_list_add(um, ALL);
	for (size_t i = 0; (ev = uncoremsr_event(um, NULL, i)); i++) {
		static const char *const sources[] = { "table", "perf", "list", "kernel" };
		const char *name = ev->name;
		const struct uncoremsr_event *same = NULL;

		for (size_t k = 0; k < 4; k++)
			num[k] += !strcmp(ev->from, sources[k]);
		uncoremsr_event_find(um, NULL, name, keep, &same);
		if (ev->hidden <= 0)
			ck_assert_msg(same == ev, "%s", name);
		if (strcmp(ev->from, "list") && !(ev->terms && strchr(ev->terms, '?')))
			ck_assert_msg(uncoremsr_encode(um, UNCOREMSR_ROUTE_AUTO, NULL, name, NULL,
						       NULL) == 1, "%s: %s", name, uncoremsr_error(um)->message);
	}
	ck_assert_uint_eq(num[0], 0);
	ck_assert_uint_ge(num[1], 42);
	ck_assert_uint_ge(num[3], 10);
}

/* ---- lists ---- */

FIXTURE(.setup = open_server, .teardown = close_machine, .only_if = has_lists)

static void add_all(void)
{
	ck_assert_int_eq(uncoremsr_event_list_add(um, ALL), 1);
}

TEST(lists_are_for_the_processor_that_was_chosen)
{
	const struct uncoremsr_event *ev;

	ck_assert_int_eq(uncoremsr_event_list_set_cpu(um, "GenuineIntel-6-97"), 0);
	ck_assert_str_eq(uncoremsr_event_list_uarch(um), "alderlake");
	ck_assert_int_eq(uncoremsr_event_list_set_cpu(um, "GenuineIntel"), -EINVAL);
	ck_assert_int_eq(uncoremsr_event_list_set_cpu(um, "GenuineIntel-6-"), -EINVAL);
	ck_assert_int_eq(uncoremsr_event_list_set_cpu(um, "GenuineIntel-6-5Z"), -EINVAL);
	ck_assert_int_eq(uncoremsr_event_list_set_cpu(um, "GenuineIntel-6-55-4-1"), -EINVAL);
	add_all();
	ck_assert_int_eq(uncoremsr_event_list_add(um, "tests/fixtures/lists/hybrid"), 2);
	ev = found("ATOM_ONLY");
	ck_assert_str_eq(ev->pmu, "cpu_atom");
	ck_assert_int_eq(ev->core_type, 0x20);
}

/* ---- all events of a list ---- */

struct refusals {
	char text[4096];
	unsigned num;
};

static void note(void *user, const struct uncoremsr_event *event, const char *why)
{
	struct refusals *r = user;
	size_t len = strlen(r->text);

	r->num++;
	snprintf(r->text + len, sizeof(r->text) - len, "%s: %s\n", event->name, why);
}

static const char *const added[] = { "CORE_LISTED", "UNC_CHA_LISTED", "UNC_M_LISTED" };
static const char *const refused[] = {
	"UNC_H_MATCHED: event 'UNC_H_MATCHED': perf cannot express this event",
	"UNC_SBO_LISTED: event 'UNC_SBO_LISTED': the event list has this event, but this kernel has no PMU",
	"UNC_M_TOO_WIDE: event 'UNC_M_TOO_WIDE': perf cannot express this event",
	"UNC_CHA,ODD: event 'UNC_CHA,ODD': not a valid name",
};

TEST(all_events_of_a_list_are_added_except_reported_uncountable_ones)
{
	struct refusals r = { .num = 0 };

	ck_assert_int_eq(uncoremsr_session_set(s, UNCOREMSR_SESSION_ROUTE, UNCOREMSR_ROUTE_PERF), 0);
	ck_assert_int_eq(uncoremsr_session_add_listed(s, note, &r), -ENOENT);
	add_all();
	add("uncore_m2m/event=1/");
	ck_assert_int_eq(uncoremsr_session_add_listed(s, note, &r), 3);
	ck_assert_uint_eq(num_events(s), 4);
	for (size_t i = 0; i < 3; i++)
		ck_assert_str_eq(uncoremsr_session_event(s, 1 + i)->name, added[i]);
	ck_assert_msg(r.num == 4, "%s", r.text);
	for (size_t i = 0; i < 4; i++)
		ck_assert_msg(strstr(r.text, refused[i]) != NULL, "%s", r.text);
	start();
	ck_assert_int_eq(uncoremsr_session_add_listed(s, note, &r), -EBUSY);
	ck_assert_int_eq(pass_and_read(SECOND), 0);
	/* 18 C-boxes, each with 12 million TOR inserts per second. */
	ck_assert_uint_eq(value(0, 2), 18 * 12000000);
}

TEST(without_a_callback_uncountable_events_of_a_list_are_logged)
{
	ck_assert_int_eq(uncoremsr_session_set(s, UNCOREMSR_SESSION_ROUTE, UNCOREMSR_ROUTE_PERF), 0);
	add_all();
	ck_assert_int_eq(uncoremsr_session_add_listed(s, NULL, NULL), 3);
	ck_assert_uint_eq(times("left out: event 'UNC_"), 4);
	ck_assert_uint_eq(times("W left out: event 'UNC_"), 4);
}

SUITE(perf_getters)
