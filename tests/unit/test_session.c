/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Sessions on simulated machines: exact counts, other programs' counters left alone, and all registers restored.
 *
 * Uses internal headers, because it stands between the library and the machine.
 */
#include <check.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "failing.h"
#include "suite.h"

enum { GLOBAL = 0x391, FIXED_CTR = 0x394, FIXED_CTRL = 0x395, PMC0 = 0x3b0, SEL0 = 0x3c0 };

/* ---- helpers ---- */

/*
 * All registers that a session may change on both packages of westmere-2s, except running counters of other programs:
 * their contents change by themselves.
 */
struct registers {
	uint64_t regs[2][2 * 8 + 3];
};

static void take_registers(struct registers *image)
{
	for (unsigned p = 0; p < 2; p++) {
		for (unsigned c = 0; c < 8; c++) {
			bool runs = peek(p, GLOBAL) >> c & peek(p, SEL0 + c) >> 22 & 1;

			image->regs[p][c] = runs ? 0 : peek(p, PMC0 + c);
			image->regs[p][8 + c] = peek(p, SEL0 + c);
		}
		image->regs[p][16] = peek(p, GLOBAL);
		image->regs[p][17] = peek(p, FIXED_CTR);
		image->regs[p][18] = peek(p, FIXED_CTRL);
	}
}

static void expect_registers(const struct registers *before)
{
	struct registers now;

	take_registers(&now);
	for (unsigned p = 0; p < 2; p++)
		for (unsigned i = 0; i < ARRAY_SIZE(now.regs[p]); i++)
			ck_assert_msg(now.regs[p][i] == before->regs[p][i],
				      "package %u register %u: 0x%" PRIx64 ", was 0x%" PRIx64, p, i,
				      now.regs[p][i], before->regs[p][i]);
}

FIXTURE(.teardown = close_machine)

/* ---- counting ---- */

TEST(a_wrap_of_48_bits_is_taken_into_account_and_sums_go_beyond_them)
{
	/* 2^48 is 281,474,976,710,656: the third interval crosses it. */
	open_machine("nehalem-1s,clock=stepped,rate=0x1d:0x1=100000000000");
	count("0x1d:0x1");
	for (int i = 0; i < 10; i++) {
		ck_assert_int_eq(pass_and_read(1000 * SECOND), 0);
		ck_assert_uint_eq(value(0, 0), UINT64_C(100000000000000));
		ck_assert_uint_lt(reading(0, 0)->raw, UINT64_C(1) << 48);
	}
	ck_assert_uint_gt(peek(0, 0x392) & 1, 0); /* the hardware saw the wrap, too */
	ck_assert_uint_eq(total_reading(0, 0)->value, UINT64_C(1000000000000000));
}

TEST(an_interval_in_which_two_wraps_are_possible_is_unknown)
{
	open_machine("nehalem-1s,clock=stepped");
	count("0x1d:0x1");
	ck_assert_int_eq(pass_and_read(uncoremsr_session_state(s)->max_interval + 1), 0);
	ck_assert_uint_eq(status(0, 0), UNCOREMSR_WRAPPED);
	ck_assert_uint_eq(reading(0, 0)->value, UINT64_MAX);
	ck_assert_uint_eq(reading(0, 0)->counted, UINT64_MAX);
	ck_assert_int_eq(pass_and_read(SECOND), 0);
	ck_assert_uint_eq(status(0, 0), UNCOREMSR_OK);
	ck_assert_uint_eq(uncoremsr_session_reading(s, 0, UNCOREMSR_PLACE_PACKAGE, 0, UNCOREMSR_TOTAL)->status,
			  UNCOREMSR_WRAPPED);
}

/* A counter can count at most 64 per clock, and the clock is at most 4 GHz: 256e9 per second. */
TEST(a_count_beyond_the_hardwares_maximum_is_unknown)
{
	static const struct { uint64_t rate; enum uncoremsr_status status; } cases[] = {
		{ UINT64_C(256000000000), UNCOREMSR_OK }, { UINT64_C(90000000000000), UNCOREMSR_DISTURBED },
		{ UINT64_C(260000000000), UNCOREMSR_DISTURBED },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		char what[96];

		snprintf(what, sizeof(what), "westmere-2s,clock=stepped,rate=0x2c:0x1=%" PRIu64, cases[i].rate);
		open_machine(what);
		count("0x2c:0x1");
		ck_assert_int_eq(pass_and_read(SECOND), 0);
		ck_assert_uint_eq(status(0, 0), cases[i].status);
		close_machine();
	}
}

/* 20e9 instructions per second are possible (four per clock at 5 GHz). 9e9 cycles are not: they count one per clock. */
TEST(a_fixed_counter_may_count_several_per_clock)
{
	open_machine("westmere-2s,clock=stepped,rate=core:0xc0:0x0=20000000000,rate=core:0x3c:0x0=9000000000");
	ck_assert_int_eq(uncoremsr_session_set(s, UNCOREMSR_SESSION_ROUTE, UNCOREMSR_ROUTE_MSR), 0);
	count("instructions,cycles");
	ck_assert_int_eq(pass_and_read(5 * SECOND), 0);
	ck_assert_uint_eq(status(0, 0), UNCOREMSR_OK);
	ck_assert_uint_eq(status(0, 1), UNCOREMSR_DISTURBED);
}

TEST(sampling_in_between_makes_long_intervals_possible)
{
	open_machine("nehalem-1s,clock=stepped,rate=0x1d:0x1=1000000000");
	count("0x1d:0x1");
	for (int i = 0; i < 3; i++) {
		pass(uncoremsr_session_state(s)->max_interval);
		ck_assert_int_eq(uncoremsr_session_sample(s), 0);
	}
	ck_assert_int_eq(uncoremsr_session_read(s), 0);
	ck_assert_uint_eq(value(0, 0), 3 * uncoremsr_session_state(s)->max_interval);
}

TEST(before_the_first_read_readings_are_unknown)
{
	open_machine("westmere-2s,clock=stepped");
	count("0x82:0x1");
	ck_assert_uint_eq(reading(0, 0)->value, UINT64_MAX);
}

/* ---- good manners ---- */

TEST(counters_of_others_are_neither_taken_nor_stopped)
{
	uint64_t theirs;

	open_machine("westmere-2s,clock=stepped,busy=0,rate=0x1d:0x1=10");
	poke(0, SEL0 + 3, 0x40011d);  /* only the selector is on: another program is setting it up */
	poke(0, GLOBAL, peek(0, GLOBAL) | 1u << 4); /* only the global enable bit is on */
	theirs = peek(0, GLOBAL);
	count("0x1d:0x1,0x1d:0x1,0x1d:0x1");
	ck_assert_int_eq(reading(0, 0)->counter, 1);
	ck_assert_int_eq(reading(0, 1)->counter, 2);
	ck_assert_int_eq(reading(0, 2)->counter, 5);
	ck_assert_uint_eq(peek(0, GLOBAL), theirs | 0x26);
	ck_assert_int_eq(uncoremsr_session_stop(s), 0);
	ck_assert_uint_eq(peek(0, GLOBAL), theirs);
	ck_assert_uint_eq(peek(0, SEL0 + 3), 0x40011d);
	ck_assert_ptr_nonnull(strstr(logged, "counter 0 is in use"));
	ck_assert_ptr_nonnull(strstr(logged, "package 0: another program counts without a lease on counter "
				     "0, 3, 4"));
}

/* The machine is in this process only, so there is no lease directory to exclude sessions from each other. */
TEST(sessions_of_one_handle_do_not_share_a_counter)
{
	struct uncoremsr_session *other;

	open_machine("westmere-2s,clock=stepped");
	count("0x82:0x1");
	ck_assert_int_eq(uncoremsr_session_new(um, &other), 0);
	ck_assert_int_ge(uncoremsr_session_add(other, "0x83:0x1"), 0);
	ck_assert_int_eq(uncoremsr_session_start(other), 0);
	ck_assert_int_eq(uncoremsr_session_reading(other, 0, UNCOREMSR_PLACE_PACKAGE, 0,
			 UNCOREMSR_INTERVAL)->counter, 1);
	ck_assert_uint_eq(times("package 0: counter 0 is held by another session of this program\n"), 1);
	ck_assert_uint_eq(times("another program"), 0);
	ck_assert_int_eq(uncoremsr_session_stop(s), 0);
	/* The stopped session gave its counter back, so it can be used again. */
	ck_assert_int_eq(uncoremsr_session_start(s), 0);
	ck_assert_int_eq(reading(0, 0)->counter, 0);
	uncoremsr_session_free(other);
}

TEST(interrupt_routing_bits_of_others_survive)
{
	open_machine("westmere-2s,clock=stepped");
	poke(0, GLOBAL, UINT64_C(1) << 48 | UINT64_C(1) << 63);
	count("0x82:0x1");
	ck_assert_uint_eq(peek(0, GLOBAL), UINT64_C(1) << 48 | UINT64_C(1) << 63 | 1);
	uncoremsr_session_stop(s);
	ck_assert_uint_eq(peek(0, GLOBAL), UINT64_C(1) << 48 | UINT64_C(1) << 63);
}

TEST(a_leftover_interrupt_bit_is_cleared_while_we_count)
{
	open_machine("nehalem-1s,clock=stepped");
	poke(0, SEL0, 0x100182);
	count("0x1d:0x1");
	ck_assert_uint_eq(peek(0, SEL0), 0x40011d);
	uncoremsr_session_stop(s);
	ck_assert_uint_eq(peek(0, SEL0), 0x100182);
}

/* ---- interference ---- */

TEST(a_counter_that_another_program_set_back_is_noticed)
{
	open_machine("westmere-2s,clock=stepped,rate=0x1d:0x1=1000");
	count("0x1d:0x1");
	pass_and_read(SECOND);
	poke(1, PMC0, 0);
	pass_and_read(SECOND / 2);
	ck_assert_uint_eq(status(1, 0), UNCOREMSR_DISTURBED);
	ck_assert_uint_eq(value(0, 0), 500);
	pass_and_read(SECOND);
	ck_assert_uint_eq(value(1, 0), 1000);
}

/* ---- turns ---- */

TEST(a_group_without_a_turn_is_not_counted_rather_than_zero)
{
	open_machine("nehalem-1s,clock=stepped");
	count("{0x1d:0x1,0x1d:0x1,0x1d:0x1,0x1d:0x1,0x1d:0x1},{0x1e:0x1,0x1e:0x1,0x1e:0x1,0x1e:0x1}");
	ck_assert_uint_eq(uncoremsr_session_state(s)->turns, 2); /* 5 + 4 > 8: groups stay whole */
	pass_and_read(SECOND);
	ck_assert_uint_eq(status(0, 0), UNCOREMSR_OK);
	ck_assert_uint_eq(status(0, 5), UNCOREMSR_NOT_COUNTED);
}

TEST(turns_restore_old_values_and_leave_a_taken_counter_alone)
{
	struct registers before;

	open_machine("westmere-2s,clock=stepped,start=77,busy=0,1,2,3,4,5");
	take_registers(&before);
	count("0x1d:0x1,0x1d:0x2,0x1d:0x4");
	ck_assert_uint_eq(uncoremsr_session_state(s)->turns, 2);
	for (int i = 0; i < 5; i++) {
		pass(SECOND);
		ck_assert_int_eq(uncoremsr_session_rotate(s), 0);
	}
	poke(0, SEL0 + 6, 0x4000aa);
	ck_assert_int_eq(uncoremsr_session_rotate(s), 0);
	ck_assert_int_eq(uncoremsr_session_rotate(s), 0);
	uncoremsr_session_read(s);
	ck_assert_uint_eq(status(0, 0), UNCOREMSR_DISTURBED);
	ck_assert_uint_eq(peek(0, SEL0 + 6), 0x4000aa);
	poke(0, SEL0 + 6, before.regs[0][8 + 6]);
	poke(0, PMC0 + 6, before.regs[0][6]);
	poke(0, GLOBAL, peek(0, GLOBAL) & ~(UINT64_C(1) << 6));
	uncoremsr_session_stop(s);
	expect_registers(&before);
}

/* ---- choices ---- */

TEST(cpus_can_be_chosen_but_not_two_of_one_package)
{
	open_machine("westmere-2s,clock=stepped");
	ck_assert_int_eq(uncoremsr_session_only(s, UNCOREMSR_ONLY_CPUS, "0,2"), -EINVAL);
	ck_assert_ptr_nonnull(strstr(uncoremsr_error(um)->message, "both in package 0"));
	uncoremsr_session_free(s);
	ck_assert_int_eq(uncoremsr_session_new(um, &s), 0);
	ck_assert_int_eq(uncoremsr_session_only(s, UNCOREMSR_ONLY_CPUS, "99"), -EINVAL);
	ck_assert_int_eq(uncoremsr_session_only(s, UNCOREMSR_ONLY_CPUS, "x"), -EINVAL);
	ck_assert_int_eq(uncoremsr_session_only(s, UNCOREMSR_ONLY_CPUS, "5"), 0);
	ck_assert_uint_eq(uncoremsr_session_state(s)->packages, 1);
	ck_assert_int_eq(uncoremsr_session_package(s, 0)->cpu, 5);
	/* Two CPUs of one package are also refused if events were added before. */
	uncoremsr_session_free(s);
	ck_assert_int_eq(uncoremsr_session_new(um, &s), 0);
	ck_assert_int_ge(uncoremsr_session_add(s, "0x82:0x1"), 0);
	ck_assert_int_eq(uncoremsr_session_only(s, UNCOREMSR_ONLY_CPUS, "0,2"), -EINVAL);
	ck_assert_ptr_nonnull(strstr(uncoremsr_error(um)->message, "both in package 0"));
}

static unsigned num_written;

static int write_through_5(struct um_access *a, unsigned cpu, uint32_t msr, uint64_t v)
{
	ck_assert_uint_eq(cpu, 5);
	num_written++;
	return true_ops->write(a, cpu, msr, v);
}

static int read_through_5(struct um_access *a, unsigned cpu, uint32_t msr, uint64_t *v)
{
	ck_assert_uint_eq(cpu, 5);
	return true_ops->read(a, cpu, msr, v);
}

/* The registers belong to a package up to Haswell-EP, and to a die from Skylake-SP on. */
TEST(registers_are_reached_through_the_cpu_that_was_chosen)
{
	static const struct { const char *machine, *event; } rows[] = {
		{ "westmere-2s", "0x82:0x1" }, { "haswell-ep-2s", "cbo/event=0x11,umask=0x1/" },
		{ "skylake-sp-2s", "cha/event=0x35,umask=0x11/" }, { "icelake-sp-2s", "cha/event=0x35,umask=0x11/" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct um_access_ops *ops;

		open_machine(rows[i].machine);
		ck_assert_int_eq(uncoremsr_session_only(s, UNCOREMSR_ONLY_CPUS, "5"), 0);
		ck_assert_int_ge(uncoremsr_session_add(s, rows[i].event), 1);
		ops = spy_on();
		ops->read = read_through_5;
		ops->write = write_through_5;
		num_written = 0;
		ck_assert_int_eq(uncoremsr_session_start(s), 0);
		ck_assert_int_eq(uncoremsr_session_read(s), 0);
		ck_assert_int_eq(uncoremsr_session_stop(s), 0);
		stop_spying();
		ck_assert_uint_gt(num_written, 2);
		close_machine();
	}
	open_machine("westmere-2s");
}

TEST(an_offset_beyond_the_memory_of_a_unit_is_refused)
{
	open_machine("power9-2s,clock=stepped");
	ck_assert_int_eq(uncoremsr_session_add(s, "nest_mcs01_imc/event=0x40000/"), -EINVAL);
	ck_assert_ptr_nonnull(strstr(uncoremsr_error(um)->message, "no counter of nest_mcs01_imc at offset 0x40000"));
	ck_assert_ptr_nonnull(strstr(uncoremsr_error(um)->hint, "below 0x40000"));
	ck_assert_int_eq(uncoremsr_session_add(s, "nest_mcs01_imc/event=0x3fffc/"), -EINVAL);
	ck_assert_int_eq(uncoremsr_session_add(s, "nest_mcs01_imc/event=0x3fff8/"), 1);
}

/* The library adds the machine's own catalog by itself when names are asked for. */
TEST(an_added_catalog_stays_where_it_is_when_the_own_one_is_added)
{
	const struct uncoremsr_event_list *list;

	open_machine("power9-2s,clock=stepped");
	if (uncoremsr_event_list_add(um, "tests/fixtures/imc/small.dts") == -ENOTSUP) {
		fprintf(stderr, "%s: skipped: no libfdt or no dtc\n", __func__);
		return;
	}
	list = uncoremsr_event_list(um, 0);
	ck_assert_ptr_null(uncoremsr_event_list(um, 1));
	ck_assert_ptr_nonnull(uncoremsr_event(um, NULL, 0));
	ck_assert_str_eq(uncoremsr_event_list(um, 1)->file, "/proc/device-tree");
	ck_assert_ptr_eq(uncoremsr_event_list(um, 0), list);
	ck_assert_str_eq(list->file, "tests/fixtures/imc/small.dts");
	ck_assert_str_eq(list->version, "0x99");
}

TEST(packages_can_be_chosen_by_their_ids)
{
	open_machine("westmere-2s-holes,clock=stepped");
	ck_assert_int_eq(uncoremsr_session_only(s, UNCOREMSR_ONLY_PACKAGES, "1"), -EINVAL);
	ck_assert_int_eq(uncoremsr_session_only(s, UNCOREMSR_ONLY_PACKAGES, "2"), 0);
	ck_assert_uint_eq(uncoremsr_session_state(s)->packages, 1);
	ck_assert_int_eq(uncoremsr_session_package(s, 0)->package->id, 2);
}

/* ---- machines that must not be touched ---- */

TEST(other_models_are_refused_by_name)
{
	char path[] = "/tmp/uncoremsr-test-XXXXXX", what[64];
	static const char text[] = "leaf = 0x0 0 0x0000000b 0x756e6547 0x6c65746e 0x49656e69\n"
				   "leaf = 0x1 0 0x000406d8 0x00200800 0x029ee3ff 0xbfebfbff\n"
				   "leaf = 0xa 0 0x07300203 0x00000000 0x00000000 0x00000503\n"
				   "package = 0 cores=0-3 cpus=0-3\nend\n";
	int fd = mkstemp(path);

	ck_assert_int_eq(write(fd, text, sizeof(text) - 1), (ssize_t)sizeof(text) - 1);
	close(fd);
	snprintf(what, sizeof(what), "%s,clock=stepped", path);
	open_machine(what);
	unlink(path);
	ck_assert_int_eq(uncoremsr_session_add(s, "0x82:0x1"), -ENOTSUP);
	ck_assert_uint_eq(uncoremsr_error(um)->error_class, UNCOREMSR_ERROR_UNSUPPORTED);
	ck_assert_ptr_nonnull(strstr(uncoremsr_error(um)->message, "Avoton"));
	ck_assert_int_eq(uncoremsr_session_add_metric(s, "memory-bandwidth"), -ENOTSUP);
}

/* ---- trouble ---- */

TEST_EACH(a_package_without_any_cpu_is_lost_until_one_comes_back, 2)
{
	open_machine("westmere-2s,clock=stepped,rate=0x1d:0x1=10");
	count("0x1d:0x1");
	for (unsigned cpu = 1; cpu < 24; cpu += 2)
		set_online(cpu, "0");
	ck_assert_int_eq(pass_and_read(SECOND), -ENXIO);
	ck_assert_uint_eq(value(0, 0), 10);
	ck_assert_uint_eq(status(1, 0), UNCOREMSR_LOST);
	ck_assert_int_eq(pass_and_read(SECOND), -ENXIO);
	ck_assert_uint_eq(status(1, 0), UNCOREMSR_LOST);
	set_online(5, "1");
	/* In the second run a reset has cleared the registers. The counter looks free, but it is ours by lease. */
	if (_i)
		poke(5, SEL0, 0), poke(5, GLOBAL, 0);
	ck_assert_int_eq(pass_and_read(SECOND), 0);
	ck_assert_uint_eq(status(1, 0), UNCOREMSR_LOST);
	ck_assert_int_eq(uncoremsr_session_package(s, 1)->cpu, 5);
	ck_assert_int_eq(pass_and_read(2 * SECOND), 0);
	ck_assert_uint_eq(num_disturbed(s), 0);
	ck_assert_uint_eq(value(1, 0), 20);
	ck_assert_int_eq(uncoremsr_session_stop(s), 0);
	ck_assert_uint_eq(peek(5, GLOBAL), 0);
}

static bool claimed(uint32_t msr, uint64_t v)
{
	if (msr >= PMC0 && msr < PMC0 + 8)
		return v < UINT64_C(1) << 48;
	if (msr >= SEL0 && msr < SEL0 + 8)
		return !(v & ~UINT64_C(0xffd6ffff));
	if (msr == GLOBAL)
		return !(v & ~UINT64_C(0x1000000ff));
	return msr == FIXED_CTR ? v < UINT64_C(1) << 48 : msr == FIXED_CTRL && v <= 1;
}

/* 0 if all registers have been put back, as far as start() and stop() say. */
static int whole_run(void)
{
	add("0x1d:0x1,0x1d:0x2,0x1d:0x4,clockticks");
	if (uncoremsr_session_start(s))
		return 0;
	pass(SECOND);
	uncoremsr_session_rotate(s);
	pass_and_read(SECOND);
	return uncoremsr_session_stop(s);
}

/*
 * Let each register operation fail once, one per run. Afterwards the registers must be as before, unless the operation
 * that failed was a restoring write; then stop() must have reported it.
 */
TEST_EACH(one_failing_operation_anywhere_leaves_nothing_behind, 3)
{
	static const int errors[] = { -EIO, -EPERM, -ENODATA };
	int op = 0;

	for (bool more = true; more; op++) {
		struct registers before, after;
		int err;

		open_machine("westmere-2s,clock=stepped,start=9,busy=0,1,2,3,4,5");
		take_registers(&before);
		fail_after(op, 1, errors[_i]);
		spy.claimed = claimed;
		err = whole_run();
		more = !spy.times;
		ck_assert_uint_eq(spy.foreign, 0);
		take_registers(&after);
		if (memcmp(&before, &after, sizeof(before)))
			ck_assert_msg(err != 0, "operation %d: something was left behind in silence", op);
		close_machine();
	}
	ck_assert_int_gt(op, 100);
}

TEST(a_package_that_fails_is_restored_and_the_other_counts)
{
	struct registers before;

	open_machine("westmere-2s,clock=stepped,start=9,rate=0x1d:0x1=10");
	take_registers(&before);
	add("0x1d:0x1");
	fail_after(2 * 3, 1, -EIO); /* the first access after the search for a free counter */
	start();
	ck_assert_ptr_nonnull(uncoremsr_session_package(s, 0)->error);
	ck_assert_ptr_null(uncoremsr_session_package(s, 1)->error);
	ck_assert_int_eq(pass_and_read(SECOND), -EIO);
	ck_assert_uint_eq(value(1, 0), 10);
	ck_assert_uint_eq(status(0, 0), UNCOREMSR_FAILED);
	ck_assert_uint_eq(reading(0, 0)->raw, UINT64_MAX);
	ck_assert_int_eq(uncoremsr_session_stop(s), 0);
	expect_registers(&before);
}

/* ---- dry run and trace ---- */

TEST(a_dry_run_shows_the_articles_commands_and_writes_nothing)
{
	struct registers before;
	static const char *const in_order[] = {
		"rdmsr -p 0 0x391", "wrmsr -p 0 0x3c2 0x420183", "wrmsr -p 0 0x3b2 0x5a",
		"wrmsr -p 1 0x3c2 0x420183", "wrmsr -p 0 0x391 0x4", "sleep 1",
		"rdmsr -p 0 0x3b2", "wrmsr -p 0 0x391 0x0", "wrmsr -p 0 0x3b2 0x9",
		"wrmsr -p 0 0x3c2 0x0", NULL,
	};
	const char *at = logged;

	ck_assert_int_eq(uncoremsr_sim_new(&sim, "westmere-2s,clock=stepped,start=9", NULL, 0), 0);
	ck_assert_int_eq(uncoremsr_new(&um), 0);
	take_registers(&before);
	uncoremsr_set_sim(um, sim);
	uncoremsr_set(um, UNCOREMSR_DRY_RUN, 1);
	logged[0] = '\0';
	ck_assert_int_eq(uncoremsr_set_trace(um, UNCOREMSR_TRACE_COMMANDS, remember_line, NULL), 0);
	ck_assert_int_eq(uncoremsr_open(um), 0);
	ck_assert_int_eq(uncoremsr_session_new(um, &s), 0);
	add("0x83:0x1");
	ck_assert_int_eq(uncoremsr_session_set_counter(s, 0, 2), 0);
	start();
	pass_and_read(SECOND);
	uncoremsr_session_stop(s);
	for (size_t i = 0; in_order[i]; i++) {
		at = strstr(at, in_order[i]);
		ck_assert_msg(at != NULL, "'%s' is missing in\n%s", in_order[i], logged);
		at += strlen(in_order[i]);
	}
	expect_registers(&before);
}

/* Count one event from start to stop. Returns how often a register was read or written. */
static unsigned accesses_of_a_life(enum uncoremsr_trace_style style)
{
	open_machine("nehalem-1s,clock=stepped");
	fail_after(-1, 0, 0);
	logged[0] = '\0';
	uncoremsr_set_trace(um, style, remember_line, NULL);
	count("0x82:0x1");
	ck_assert_int_eq(pass_and_read(SECOND), 0);
	ck_assert_int_eq(uncoremsr_session_stop(s), 0);
	return (unsigned)(spy.reads + spy.writes);
}

TEST(a_trace_lists_every_access_and_makes_none_of_its_own)
{
	unsigned plain = accesses_of_a_life(UNCOREMSR_TRACE_NONE), lines = 0;

	close_machine();
	ck_assert_uint_eq(accesses_of_a_life(UNCOREMSR_TRACE_TEXT), plain);
	for (const char *at = logged; (at = strstr(at, "cpu 0 ")); at++)
		lines++;
	ck_assert_msg(lines == plain, "%u accesses, %u told:\n%s", plain, lines, logged);
	/* The line of a write shows the value that was read before as the old one. */
	ck_assert_ptr_nonnull(strstr(logged, "UNCORE_PERFEVTSEL0 (0x3c0) 0x400182 -> 0x0"));
}

SUITE(session)
