/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* After the logs were cleared: the time since then, and which of the kernel's counts still matter. */
#include "suite.h"
#include "throttle_tree.h"

#define COUNT "thermal_throttle/core_throttle_count"
#define PACKAGE_COUNT "thermal_throttle/package_throttle_count"
#define CLEARED "run/uncoremsr/throttle-cleared"

static bool knows_the_time(void)
{
	uint64_t at = uncoremsr_throttle_state(t)->cleared_at;

	if (at == UINT64_MAX)
		return false;
	ck_assert_uint_le(at, (uint64_t)time(NULL));
	ck_assert_uint_gt(at, (uint64_t)time(NULL) - 60);
	return true;
}

static void clear_once(void)
{
	put_processor(0x3f, FLAGS);
	put("proc/sys/kernel/random/boot_id", "first\n");
	put_register(0, 0x19c, 0x88340008);
	put_register(1, 0x19c, 0x88340000);
	look_at_tree(1u << UNCOREMSR_CAUSE_PROCHOT_EXTERNAL);
	ck_assert_str_eq(verdict(0, 0), "was-throttled");
	ck_assert(!knows_the_time());
	ck_assert_int_eq(uncoremsr_throttle_clear(t, NULL, NULL), 1);
	close_tree();
	put_register(0, 0x19c, 0x88340008);
}

FIXTURE(.setup = setup, .teardown = teardown)

TEST(the_time_of_clearing_is_remembered_for_the_next_program)
{
	clear_once();
	look_at_tree(1u << UNCOREMSR_CAUSE_PROCHOT_EXTERNAL);
	ck_assert(knows_the_time());
}

TEST(the_time_of_clearing_is_valid_for_one_boot)
{
	clear_once();
	put("proc/sys/kernel/random/boot_id", "second\n");
	look_at_tree(1u << UNCOREMSR_CAUSE_PROCHOT_EXTERNAL);
	ck_assert_str_eq(verdict(0, 0), "was-throttled");
	ck_assert(!knows_the_time());
}

TEST(an_invalid_file_gives_no_time_of_clearing)
{
	clear_once();
	put(CLEARED, "yesterday, about 2026-11 first\n");
	look_at_tree(1u << UNCOREMSR_CAUSE_PROCHOT_EXTERNAL);
	ck_assert(!knows_the_time());
}

/* ---- counts of the kernel, which cannot be reset ---- */

/* No log bit is set, because the kernel has counted and cleared them. */
static void put_counts(void)
{
	put_processor(0x3f, FLAGS);
	put("proc/sys/kernel/random/boot_id", "first\n");
	put_register(0, 0x19c, 0x88340000);
	put_register(1, 0x19c, 0x88340000);
	put_cpu(0, "7\n", COUNT);
	put_cpu(1, "0\n", COUNT);
	put_cpu(0, "3\n", PACKAGE_COUNT);
}

static unsigned reports;

static void check_report(void *user, const struct uncoremsr_clear_report *r)
{
	(void)user;
	ck_assert_int_eq(r->result, UNCOREMSR_CLEAR_KERNEL_COUNTS);
	ck_assert_uint_eq(r->value, 2);
	ck_assert_ptr_null(r->name);
	reports++;
}

static void clear_counts(void)
{
	put_counts();
	look_at_tree(HEAT);
	ck_assert_str_eq(verdict(0, 0), "was-throttled");
	ck_assert_str_eq(verdict(0, -1), "was-throttled");
	reports = 0;
	ck_assert_int_eq(uncoremsr_throttle_clear(t, check_report, NULL), 0);
	ck_assert_uint_eq(reports, 1);
}

static const struct uncoremsr_cause *core_thermal(void)
{
	return find_cause(subject(0, 0), "core-thermal");
}

TEST(after_clearing_old_kernel_counts_do_not_change_the_verdict)
{
	clear_counts();
	look();
	ck_assert_str_eq(verdict(0, 0), "ok");
	ck_assert_str_eq(verdict(0, -1), "ok");
	ck_assert_uint_eq(subject(0, 0)->before_clear, 7);
	ck_assert_uint_eq(subject(0, 1)->before_clear, UINT64_MAX);
	close_tree();
	look_at_tree(HEAT); /* a new watcher gives the same results */
	ck_assert_str_eq(verdict(0, 0), "ok");
	ck_assert_str_eq(verdict(0, -1), "ok");
	ck_assert_uint_eq(subject(0, 0)->before_clear, 7);
	ck_assert(knows_the_time());
}

TEST(kernel_counts_after_clearing_are_reported_with_the_total)
{
	clear_counts();
	put_cpu(0, "9\n", COUNT);
	close_tree();
	look_at_tree(HEAT);
	ck_assert_str_eq(verdict(0, 0), "was-throttled");
	ck_assert_str_eq(verdict(0, -1), "ok");
	ck_assert_int_eq(core_thermal()->since, UNCOREMSR_SINCE_OUR_CLEAR);
	ck_assert_uint_eq(core_thermal()->count, 2);
	ck_assert_uint_eq(core_thermal()->total, 9);
}

TEST(a_count_that_restarted_after_clearing_matters)
{
	clear_counts();
	close_tree();
	put_cpu(0, "2\n", COUNT);
	look_at_tree(HEAT);
	ck_assert_str_eq(verdict(0, 0), "was-throttled");
	ck_assert_uint_eq(core_thermal()->count, 2);
}

TEST(counts_at_the_time_of_clearing_are_valid_for_one_boot)
{
	clear_counts();
	close_tree();
	put("proc/sys/kernel/random/boot_id", "second\n");
	look_at_tree(HEAT);
	ck_assert_str_eq(verdict(0, 0), "was-throttled");
	ck_assert_uint_eq(core_thermal()->count, 7);
}

/* A malformed line is ignored. This can only show more throttling, never less. */
TEST(invalid_lines_hide_no_throttling)
{
	static const char *const lines[] = {
		"cpu 0 core 7x", "cpu 0 core -1", "cpu 0 core", "cpu 0 core 99999999999999999999",
		"cpu 65536 core 7", "cpu  0 core 7", "cpu 0 cores 7", "cpu -0 core 7", "core 7", "",
	};

	put_counts();
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		char text[128];

		snprintf(text, sizeof(text), "2026-11-21T16:03:00Z first\n%s\ncpu 0 package 3\n", lines[i]);
		put(CLEARED, text);
		look_at_tree(HEAT);
		ck_assert_msg(!strcmp(verdict(0, 0), "was-throttled"), "%s", lines[i]);
		ck_assert_msg(!strcmp(verdict(0, -1), "ok"), "%s", lines[i]);
		close_tree();
	}
}

TEST(a_pipe_in_place_of_the_file_does_not_block)
{
	char path[256];

	put_counts();
	path_of(path, sizeof(path), CLEARED);
	ck_assert_int_eq(mkfifo(path, 0644), 0);
	look_at_tree(HEAT);
	ck_assert_str_eq(verdict(0, 0), "was-throttled");
}

TEST(a_dry_run_leaves_the_counts_as_they_are)
{
	put_counts();
	dry = true;
	open_tree();
	dry = false;
	ck_assert_int_eq(uncoremsr_throttle_clear(t, NULL, NULL), 0);
	look();
	ck_assert_str_eq(verdict(0, 0), "was-throttled");
}

TEST(in_a_directory_that_is_open_to_others_nothing_is_kept)
{
	char path[256];

	put_counts();
	path_of(path, sizeof(path), CLEARED);
	*strrchr(path, '/') = '\0';
	ck_assert_int_eq(chmod(path, 0777), 0);
	open_tree();
	ask_only(HEAT);
	uncoremsr_throttle_clear(t, NULL, NULL);
	path_of(path, sizeof(path), CLEARED);
	ck_assert_int_eq(access(path, F_OK), -1);
	look();
	ck_assert_str_eq(verdict(0, 0), "ok"); /* this watcher itself remembers the clear */
}

SUITE(throttle_clear)
