/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Several users of one handle: when one of them closes a register device, the device stays open for the others. A
 * closed simulated device fails like a closed descriptor.
 *
 * Uses internal headers, because it intercepts register accesses.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>

#include "access/access.h"
#include "uarch/uarch.h"
#include "machine.h"
#include "suite.h"
#include "uncoremsr/leases.h"
#include "uncoremsr/machine.h"
#include "uncoremsr/throttle.h"

static const struct {
	const char *machine, *uarch, *keys, *events;
	unsigned second_cpu;
} machines[] = {
	{ "westmere-2s", "westmere", ",rate=0x1d:0x1=1000", "0x1d:0x1", 1 },
	{ "haswell-ep-2s", "haswell-ep", ",rate=cbo:0x37:0x1=1000", "cbo0/event=0x37,umask=0x1/", 1 },
	{ "sandybridge-1s", "sandybridge", ",rate=cbo:0x34:0x88=1000", "cbo0/event=0x34,umask=0x88/", 0 },
};

static struct uncoremsr_session *two[2];

/* Without a lease directory two sessions would not know of each other. */
static void open_on(const char *machine, const char *keys)
{
	open_stepped(machine, keys);
	use_root();
}

static void take_registers(struct image *image, int i)
{
	const struct um_uarch *table = um_uarch_find(machines[i].uarch);

	ck_assert_ptr_nonnull(table);
	image->num = 0;
	take_image(image, table, 0);
	if (machines[i].second_cpu)
		take_image(image, table, machines[i].second_cpu);
}

static void begin(unsigned who, const char *events)
{
	ck_assert_int_eq(uncoremsr_session_new(um, &two[who]), 0);
	ck_assert_msg(uncoremsr_session_add(two[who], events) > 0, "%s", uncoremsr_error(um)->message);
	ck_assert_msg(!uncoremsr_session_start(two[who]), "%s", uncoremsr_error(um)->message);
}

static void look(unsigned who, uint64_t counted)
{
	ck_assert_msg(!uncoremsr_session_read(two[who]), "%s", uncoremsr_error(um)->message);
	ck_assert_uint_eq(value_of(uncoremsr_session_reading(two[who], 0, UNCOREMSR_PLACE_PACKAGE, 0,
			  UNCOREMSR_INTERVAL)), counted);
}

static void end(unsigned who)
{
	ck_assert_msg(!uncoremsr_session_stop(two[who]), "%s", uncoremsr_error(um)->message);
	uncoremsr_session_free(two[who]);
	two[who] = NULL;
}

/* Run two users; each has the steps start, read, read and end. Bit n of @order says which user does step n. */
enum { STEPS = 4, NUM_ORDERS = 1 << 2 * STEPS };

static void go_through(unsigned order, const char *events)
{
	unsigned done[2] = { 0 };
	uint64_t begun[2] = { 0 };

	for (unsigned i = 0; i < 2 * STEPS; i++) {
		unsigned who = order >> i & 1;

		pass(SECOND);
		switch (done[who]++) {
		case 0:
			begin(who, events);
			break;
		case STEPS - 1:
			end(who);
			break;
		default:
			look(who, (i - begun[who]) * 1000);
			break;
		}
		begun[who] = i;
	}
}

FIXTURE(.setup = make_root, .teardown = close_in_root)

TEST_EACH(two_sessions_start_read_and_end_in_every_order, ARRAY_SIZE(machines))
{
	static struct image before, after;
	char what[64];
	unsigned num = 0;

	open_on(machines[_i].machine, machines[_i].keys);
	take_registers(&before, _i);
	for (unsigned order = 0; order < NUM_ORDERS; order++) {
		if (__builtin_popcount(order) != STEPS)
			continue;
		num++;
		go_through(order, machines[_i].events);
		take_registers(&after, _i);
		snprintf(what, sizeof(what), "order 0x%x", order);
		expect_image(&before, &after, what);
	}
	ck_assert_uint_eq(num, 70);
}

static void ask_state(void)
{
	ck_assert_int_eq(uncoremsr_driver_state(um, 1), UNCOREMSR_DRIVER_READY);
	ck_assert_int_eq(uncoremsr_driver_state(um, 0), UNCOREMSR_DRIVER_READY);
}

static void ask_counters(void)
{
	const struct uncoremsr_package *p = uncoremsr_package(um, 0);
	const struct uncoremsr_pmu *pmu = uncoremsr_pmu(um, NULL, 0);
	const struct uncoremsr_counters *counters = uncoremsr_counters(um, p, pmu);

	ck_assert_ptr_nonnull(counters);
	ck_assert_uint_gt(counters->units, 0);
	ck_assert_int_ne(counters->list[0]->state, UNCOREMSR_COUNTER_UNKNOWN);
}

static void ask_cores(void)
{
	ck_assert_ptr_nonnull(uncoremsr_cores(um, NULL));
}

static void ask_another(void)
{
	begin(1, "clockticks");
	end(1);
}

static void ask_verdict(void)
{
	struct uncoremsr_throttle *t;

	ck_assert_int_eq(uncoremsr_throttle_new(um, &t), 0);
	ck_assert_int_eq(uncoremsr_throttle_look(t), 0);
	uncoremsr_throttle_free(t);
}

static void ask_repair(void)
{
	ck_assert_int_eq(uncoremsr_repair(um, NULL, NULL), 0);
}

static void (*const questions[])(void) = {
	ask_state, ask_counters, ask_cores, ask_another, ask_verdict, ask_repair,
};

TEST_EACH(a_session_continues_whatever_else_the_handle_is_asked, ARRAY_SIZE(questions))
{
	open_on("westmere-2s", ",rate=0x1d:0x1=1000");
	begin(0, "0x1d:0x1");
	for (int i = 0; i < 3; i++) {
		pass(SECOND);
		look(0, 1000);
		questions[_i]();
	}
	end(0);
}

TEST_EACH(queries_leave_no_device_open, ARRAY_SIZE(questions))
{
	struct um_op op = { .cpu = 0, .msr = 0x391 };

	open_on("westmere-2s", "");
	for (int i = 0; i < 2; i++) {
		questions[_i]();
		access_of(um)->ops->batch_read(access_of(um), &op, 1);
		ck_assert_int_eq(op.err, -EBADF);
	}
}

/* Number of subjects with a known temperature. The temperature of each subject is in a register of its own. */
static unsigned num_warm(const struct uncoremsr_throttle *t)
{
	const struct uncoremsr_subject *subject;
	unsigned num = 0;

	for (size_t i = 0; (subject = uncoremsr_throttle_subject(t, i)); i++)
		num += isnan(subject->temperature) ? 0 : 1;
	return num;
}

TEST(a_watch_goes_on_when_a_session_has_ended)
{
	struct uncoremsr_throttle *t;

	open_on("westmere-2s", "");
	begin(0, "0x1d:0x1");
	ck_assert_int_eq(uncoremsr_throttle_new(um, &t), 0);
	for (int i = 0; i < 2; i++) {
		ck_assert_int_eq(uncoremsr_throttle_look(t), 0);
		ck_assert_uint_ge(num_warm(t), 12);
		if (two[0])
			end(0);
		pass(SECOND);
	}
	uncoremsr_throttle_free(t);
}

SUITE(shared)
