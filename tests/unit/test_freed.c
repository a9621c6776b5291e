/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * After counting, all devices are closed. After a failed allocation, everything that was added before can still be
 * used. (Leaks are found by sanitizers, in all suites.)
 *
 * Uses internal headers, because it intercepts register accesses.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "access/access.h"
#include "machine.h"
#include "suite.h"
#include "uncoremsr/names.h"
#include "uncoremsr/throttle.h"

/*
 * @cpus: the CPUs to count on, or NULL for all. @open: the least number of devices that are open while the session
 * counts; 0 if the session does not use registers.
 */
static const struct {
	const char *machine, *cpus, *events;
	unsigned open;
} counted[] = {
	{ "westmere-2s", NULL, "UNC_L3_MISS.ANY,0x82:0x1", 1 },
	{ "westmere-2s-holes", NULL, "UNC_CLK_UNHALTED", 1 },
	{ "nehalem-ex-4s", NULL, "cbox/event=0x3/,mbox0/event=0x2/", 1 },
	{ "haswell-ep-2s", NULL, "cbo/event=0x34,umask=0x11/,pcu/event=0x0/,ubox/event=0x42/", 1 },
	{ "sapphire-rapids-2s", NULL, "cha/event=0x50,umask=0x4/,iio/event=0x1/", 1 },
	{ "skylake-sp-perf", NULL, "uncore_imc/cas_count_read/,cycles,{instructions,cycles}", 0 },
	{ "skylake-sp-2s", "1,2", "core/event=0xb1,umask=0x1/", 2 },
	{ "alderlake-hybrid", NULL, "cbo/event=0x34,umask=0x1/", 1 },
	{ "alderlake-hybrid", NULL, "cpu_atom/event=0xc4/", 5 },
	{ "zen-1s", NULL, "l3/event=0x4,umask=0xff/,df/event=0x7/", 1 },
	{ "zen-1s", "5", "l3/event=0x4,umask=0xff/", 2 },
	{ "power9-2s", NULL, "nest_mcs01/PM_MCS01_64B_RD_DISP_PORT01/", 0 },
};

/*
 * Number of the allocation that fails, or 0. With AddressSanitizer, which has its own allocator, no allocation fails.
 */
static size_t left;

#ifndef __SANITIZE_ADDRESS__
enum { CAN_FAIL = 1 };

/* The functions replace malloc() and the like for all libraries of the process. */
#pragma GCC visibility push(default)
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t num, size_t size);
void *__libc_realloc(void *block, size_t size);

static bool fails(void)
{
	return left && !--left;
}

void *malloc(size_t size)
{
	return fails() ? NULL : __libc_malloc(size);
}

void *calloc(size_t num, size_t size)
{
	return fails() ? NULL : __libc_calloc(num, size);
}

void *realloc(void *block, size_t size)
{
	return fails() ? NULL : __libc_realloc(block, size);
}

#pragma GCC visibility pop
#else
enum { CAN_FAIL = 0 };
#endif

FIXTURE(.teardown = close_machine)

/* ---- allocations that fail ---- */

static int add_metrics(void)
{
	return uncoremsr_session_add_metric(s, "memory-bandwidth,l3-read-hit-ratio");
}

static int start_session(void)
{
	return uncoremsr_session_start(s);
}

/* Run @fn, and let its allocation @n fail. Returns false if @fn makes fewer allocations and therefore succeeds. */
static bool without(size_t n, int (*fn)(void), int done)
{
	bool failed;
	int err;

	left = n;
	err = fn();
	failed = !left;
	left = 0;
	ck_assert_msg(err == done || (failed && err == -ENOMEM), "block %zu: %d: %s", n, err,
		      uncoremsr_error(um)->message);
	return failed;
}

/* After a failure, metrics that were added before are kept, and more metrics can be added once memory is available. */
TEST(a_metric_for_which_memory_ran_out_is_not_added)
{
	bool failed = CAN_FAIL;

	for (size_t n = 1; failed; n++) {
		int num = 0;

		open_stepped("westmere-2s", "");
		failed = without(n, add_metrics, 2);
		while (uncoremsr_session_metric(s, (size_t)num))
			num++;
		ck_assert_int_eq(add_metrics(), 2 - num);
	}
}

TEST(a_session_that_could_not_start_can_be_started_again)
{
	bool failed = CAN_FAIL;

	for (size_t n = 1; failed; n++) {
		open_stepped("westmere-2s", "");
		ck_assert_int_eq(add_metrics(), 2);
		failed = without(n, start_session, 0);
		/* If the session has started, events have readings, and a metric without a value has a reason. */
		if (uncoremsr_session_read(s) != -EINVAL) {
			ck_assert_ptr_nonnull(reading(0, 0));
			if (metric_reading(0, 0)->status)
				ck_assert_str_ne(metric_reading(0, 0)->detail, "");
		}
		(void)uncoremsr_session_stop(s);
		ck_assert_msg(!uncoremsr_session_start(s), "block %zu: %s", n, uncoremsr_error(um)->message);
		ck_assert_int_eq(pass_and_read(SECOND), 0);
		ck_assert_double_gt(metric_reading(0, 0)->value, 0);
	}
}

/* ---- devices ---- */

static bool is_open[64];

static int open_cpu(struct um_access *a, unsigned cpu, bool for_writing)
{
	int err = true_ops->open_cpu(a, cpu, for_writing);

	is_open[cpu] |= !err;
	return err;
}

static void close_cpu(struct um_access *a, unsigned cpu)
{
	is_open[cpu] = false;
	true_ops->close_cpu(a, cpu);
}

static unsigned num_open(void)
{
	unsigned num = 0;

	for (size_t cpu = 0; cpu < sizeof(is_open); cpu++)
		num += is_open[cpu];
	return num;
}

static void watch_devices(void)
{
	struct um_access_ops *spy = spy_on();

	spy->open_cpu = open_cpu;
	spy->close_cpu = close_cpu;
}

TEST_EACH(sessions_and_watches_close_the_devices_that_they_opened, ARRAY_SIZE(counted))
{
	struct uncoremsr_throttle *watch;

	open_stepped(counted[_i].machine, "");
	watch_devices();
	if (counted[_i].open)
		ck_assert_int_eq(uncoremsr_session_set(s, UNCOREMSR_SESSION_ROUTE, UNCOREMSR_ROUTE_MSR), 0);
	if (counted[_i].cpus)
		ck_assert_int_eq(uncoremsr_session_only(s, UNCOREMSR_ONLY_CPUS, counted[_i].cpus), 0);
	count(counted[_i].events);
	ck_assert_int_eq(pass_and_read(SECOND), 0);
	ck_assert_msg(counted[_i].open ? num_open() >= counted[_i].open : !num_open(), "%u are open", num_open());
	uncoremsr_session_free(s);
	s = NULL;
	ck_assert_uint_eq(num_open(), 0);
	ck_assert_int_eq(uncoremsr_throttle_new(um, &watch), 0);
	(void)uncoremsr_throttle_look(watch);
	pass(SECOND);
	(void)uncoremsr_throttle_look(watch);
	(void)uncoremsr_throttle_free(watch);
	ck_assert_uint_eq(num_open(), 0);
	stop_spying();
}

/* ---- a folder that cannot be listed for lack of memory ---- */

static const char *unlisted;
static unsigned failures;    /* how often listing the folder still fails */

static int list(struct um_access *a, const char *path, int (*fn)(void *user, const char *name), void *user)
{
	if (strcmp(path, unlisted) != 0 || !failures)
		return true_ops->list(a, path, fn, user);
	failures--;
	return -ENOMEM;
}

static void list_fails_once(const char *path)
{
	unlisted = path;
	failures = 1;
	spy_on()->list = list;
}

/*
 * If uncoremsr_throttle_look() ignored that the power limits could not be listed, it would report that there are none.
 */
TEST(if_listing_the_power_limits_fails_the_next_call_lists_them)
{
	struct uncoremsr_throttle *watch;

	open_stepped("skylake-sp-2s", "");
	ck_assert_int_eq(uncoremsr_throttle_new(um, &watch), 0);
	list_fails_once("sys/class/powercap");
	ck_assert_int_eq(uncoremsr_throttle_look(watch), -ENOMEM);
	ck_assert_str_eq(uncoremsr_error(um)->message, "out of memory");
	ck_assert_ptr_null(uncoremsr_throttle_subject(watch, 0));
	ck_assert_int_eq(uncoremsr_throttle_look(watch), 0);
	ck_assert_ptr_nonnull(uncoremsr_throttle_subject(watch, 0));
	ck_assert_int_eq(uncoremsr_throttle_free(watch), 0);
	stop_spying();
}

TEST(if_the_kernels_pmus_cannot_be_listed_encoding_reports_out_of_memory)
{
	open_stepped("skylake-sp-perf", "");
	ck_assert_int_lt(uncoremsr_encode(um, UNCOREMSR_ROUTE_PERF, NULL, "{", NULL, NULL), 0);
	list_fails_once("sys/bus/event_source/devices");
	ck_assert_int_eq(uncoremsr_encode(um, UNCOREMSR_ROUTE_PERF, NULL, "cha/event=0x50,umask=0x3/", NULL, NULL),
			 -ENOMEM);
	ck_assert_str_eq(uncoremsr_error(um)->message, "out of memory");
	ck_assert_int_eq(uncoremsr_encode(um, UNCOREMSR_ROUTE_PERF, NULL, "cha/event=0x50,umask=0x3/", NULL, NULL), 1);
	stop_spying();
}

static int keep_terms(void *user, const struct uncoremsr_event *ev)
{
	snprintf(user, 64, "%s", ev->terms);
	return 0;
}

FIXTURE(.teardown = close_machine, .only_if = has_lists)

/* The terms of a PCU occupancy event depend on whether the kernel's PMU has a unit mask. */
TEST(a_pmu_that_cannot_be_listed_does_not_change_the_terms_of_an_event)
{
	char terms[64];

	open_stepped("skylake-sp-perf", "");
	add_event_list(um, "[{\"Unit\":\"PCU\",\"EventName\":\"UNC_P_T.C0\",\"EventCode\":\"0x80\","
		       "\"UMask\":\"0x40\"}]");
	list_fails_once("sys/bus/event_source/devices");
	for (int i = 0; i < 2; i++) {
		ck_assert_int_eq(uncoremsr_event_find(um, NULL, "UNC_P_T.C0", keep_terms, terms), 1);
		ck_assert_str_eq(terms, "event=0x80,umask=0x40");
		ck_assert_uint_eq(failures, 0);
	}
	stop_spying();
}

SUITE(freed)
