/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* After log bits were cleared: the time since then, and which counts of the kernel still affect the verdict. */
#include "suite.h"
#include "throttle_tree.h"

#define COUNT "thermal_throttle/core_throttle_count"
#define PACKAGE_COUNT "thermal_throttle/package_throttle_count"
#define CLEARED "run/uncoremsr/throttle-cleared"

#define BOOT(id) "put proc/sys/kernel/random/boot_id " id
#define IDLE(cpu) "register " cpu " 0x19c 0x88340000"
#define HOT "register 0 0x19c 0x88340008"
#define CLEAR_ONCE \
	"processor 0x3f; " BOOT("first") "; " HOT "; " IDLE("1") "; tree prochot; verdict 0 0 was-throttled; " \
	"cleared 0; clear 1; " HOT "; "

/* The kernel has counted an episode and cleared the log bits. */
#define COUNTS \
	"processor 0x3f; " BOOT("first") "; " IDLE("0") "; " IDLE("1") "; cpu 0 " COUNT " 7; cpu 1 " COUNT " 0; " \
	"cpu 0 " PACKAGE_COUNT " 3"
/* The kernel's counts cannot be reset, but after a clear only what was counted since then matters. */
#define CLEAR_COUNTS COUNTS "; tree heat; verdict 0 0 was-throttled; verdict 0 - was-throttled; clear 0; "
/* A malformed line is ignored, which can only show more throttling, never less. */
#define INVALID(line) \
	{ "invalid lines hide no throttling: " line, NULL, COUNTS "; put " CLEARED " 2026-11-21T16:03:00Z first|" line \
	  "|cpu 0 package 3; tree heat; verdict 0 0 was-throttled; verdict 0 - ok" }

static const struct story stories[] = {
	{ "the time of clearing is remembered for the next program", NULL, CLEAR_ONCE "tree prochot; cleared 1" },
	{ "the time of clearing is valid for one boot", NULL,
	  CLEAR_ONCE BOOT("second") "; tree prochot; verdict 0 0 was-throttled; cleared 0" },
	{ "an invalid file gives no time of clearing", NULL,
	  CLEAR_ONCE "put " CLEARED " yesterday, about 2026-11 first; tree prochot; cleared 0" },
	/* A new handle gives the same results, because the time of clearing and the counts are in a file. */
	{ "after clearing old kernel counts do not change the verdict", NULL,
	  CLEAR_COUNTS "look; verdict 0 0 ok; verdict 0 - ok; before-clear 0 0 7; before-clear 0 1 -; tree heat; "
	  "verdict 0 0 ok; verdict 0 - ok; before-clear 0 0 7; cleared 1" },
	{ "kernel counts after clearing are reported with the total", NULL,
	  CLEAR_COUNTS "cpu 0 " COUNT " 9; tree heat; verdict 0 0 was-throttled; verdict 0 - ok; "
	  "cause 0 0 core-thermal our-clear; counted 0 0 core-thermal 2 9" },
	{ "a count that restarted after clearing matters", NULL,
	  CLEAR_COUNTS "cpu 0 " COUNT " 2; tree heat; verdict 0 0 was-throttled; counted 0 0 core-thermal 2" },
	{ "counts at the time of clearing are valid for one boot", NULL,
	  CLEAR_COUNTS BOOT("second") "; tree heat; verdict 0 0 was-throttled; counted 0 0 core-thermal 7" },
	INVALID("cpu 0 core 7x"), INVALID("cpu 0 core -1"), INVALID("cpu 0 core"),
	INVALID("cpu 0 core 99999999999999999999"), INVALID("cpu 65536 core 7"), INVALID("cpu  0 core 7"),
	INVALID("cpu 0 cores 7"), INVALID("cpu -0 core 7"), INVALID("core 7"), INVALID(""),
};

FIXTURE(.setup = setup, .teardown = teardown)

TEST_STORIES(what_was_cleared_does_not_change_the_verdict, play_tree, stories)

static void put_counts(void)
{
	play_steps(&tree_steps, __func__, COUNTS);
}

static void count_at_write(void *user, const char *line)
{
	(void)user;
	if (!strncmp(line, "wrmsr", 5))
		put_cpu(0, "8\n", "%s", COUNT);
}

TEST(counts_made_during_a_clear_belong_to_the_time_before_it)
{
	put_counts();
	put_register(0, 0x19c, 0x88340008);
	open_tree();
	ask_only(HEAT);
	uncoremsr_set_trace(um, UNCOREMSR_TRACE_COMMANDS, count_at_write, NULL);
	ck_assert_int_eq(uncoremsr_throttle_clear(t, NULL, NULL), 1);
	look();
	ck_assert_uint_eq(subject(0, 0)->before_clear, 8);
}

TEST(a_look_after_a_clear_reads_all_files_again)
{
	put_counts();
	put("sys/devices/system/cpu/intel_pstate/max_perf_pct", "100\n");
	put_cpu(0, "3900000\n", "cpufreq/cpuinfo_max_freq");
	put_cpu(0, "3900000\n", "cpufreq/scaling_max_freq");
	for (int i = 0; i < 2; i++) {
		dry = i;
		open_tree();
		dry = false;
		ask_only(HEAT);
		ck_assert_int_eq(uncoremsr_throttle_clear(t, NULL, NULL), 0);
		put("sys/devices/system/cpu/intel_pstate/max_perf_pct", i ? "50\n" : "40\n");
		put_cpu(0, i ? "1500000\n" : "1600000\n", "cpufreq/scaling_max_freq");
		look();
		ck_assert_str_eq(policies(0, 0), i ? "max_perf_pct 50/100 intel_pstate/max_perf_pct, "
				 "scaling_max_freq 1500000/3900000 cpu0/cpufreq/scaling_max_freq"
				 : "max_perf_pct 40/100 intel_pstate/max_perf_pct, "
				 "scaling_max_freq 1600000/3900000 cpu0/cpufreq/scaling_max_freq");
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

TEST(nothing_is_written_into_a_directory_that_others_can_write)
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
	ck_assert_str_eq(verdict(0, 0), "ok"); /* the handle itself knows the time of clearing, too */
}

SUITE(throttle_clear)
