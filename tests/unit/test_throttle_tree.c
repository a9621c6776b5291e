/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Looks at trees of plain files: what the kernel tells, open files, the date of the log. */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "suites.h"
#include "throttle_machine.h"

static char root[64];

/* ---- a tree ---- */

static void path_of(char *path, size_t size, const char *name)
{
	snprintf(path, size, "%s/%s", root, name);
	for (char *slash = path + strlen(root) + 1; (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		mkdir(path, 0755);
		*slash = '/';
	}
}

static void put(const char *name, const char *text)
{
	char path[256];
	FILE *f;

	path_of(path, sizeof(path), name);
	f = fopen(path, "w");
	ck_assert_msg(f && fputs(text, f) >= 0 && fclose(f) == 0, "%s", path);
}

static void __attribute__((format(printf, 3, 4))) put_cpu(unsigned cpu, const char *text,
							   const char *name, ...)
{
	char path[128];
	int len = snprintf(path, sizeof(path), "sys/devices/system/cpu/cpu%u/", cpu);
	va_list ap;

	va_start(ap, name);
	vsnprintf(path + len, sizeof(path) - (size_t)len, name, ap);
	va_end(ap);
	put(path, text);
}

/* Registers are in a file with holes: eight bytes at their number. */
static void put_register(unsigned cpu, uint32_t msr, uint64_t value)
{
	char name[32], path[256];
	int fd;

	snprintf(name, sizeof(name), "dev/cpu/%u/msr", cpu);
	path_of(path, sizeof(path), name);
	fd = open(path, O_RDWR | O_CREAT, 0644);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(ftruncate(fd, 0x2000), 0);
	ck_assert_int_eq(pwrite(fd, &value, 4, msr), 4);
	close(fd);
}

static void put_processor(int model, const char *flags)
{
	char text[512];

	snprintf(text, sizeof(text), "processor\t: 0\nvendor_id\t: GenuineIntel\ncpu family\t: 6\n"
		 "model\t\t: %d\nmodel name\t: Test CPU @ 2.00GHz\nstepping\t: 2\n"
		 "flags\t\t: %s\n\n", model, flags);
	put("proc/cpuinfo", text);
}

/* Two cores without SMT in one package. */
static void setup(void)
{
	strcpy(root, "/tmp/uncoremsr-test-XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(root));
	put("sys/devices/system/cpu/online", "0-1\n");
	put("run/here", "");
	for (unsigned cpu = 0; cpu < 2; cpu++) {
		put_cpu(cpu, "0\n", "topology/physical_package_id");
		put_cpu(cpu, cpu ? "1\n" : "0\n", "topology/core_id");
		put_cpu(cpu, cpu ? "1\n" : "0\n", "topology/thread_siblings_list");
		put_cpu(cpu, "0-1\n", "topology/core_siblings_list");
	}
}

static void open_tree(void)
{
	char what[96];

	snprintf(what, sizeof(what), "root:%s", root);
	ck_assert_int_eq(uncoremsr_new(&um), 0);
	ck_assert_int_eq(uncoremsr_set_machine(um, what), 0);
	ck_assert_msg(uncoremsr_open(um) == 0, "%s", uncoremsr_errmsg(um));
	ck_assert_int_eq(uncoremsr_throttle_new(um, &t), 0);
}

static void close_tree(void)
{
	uncoremsr_throttle_free(t);
	uncoremsr_free(um);
	t = NULL;
	um = NULL;
}

static void teardown(void)
{
	char command[128];

	close_tree();
	snprintf(command, sizeof(command), "rm -rf '%s'", root);
	ck_assert_int_eq(system(command), 0);
}

#define FLAGS "fpu acpi tm2 dtherm pln pts aperfmperf"

/* ---- tests ---- */

START_TEST(counts_are_followed_in_files_that_stay_open)
{
	put_processor(0x3f, FLAGS);
	put_cpu(0, "7\n", "thermal_throttle/core_throttle_count");
	put_cpu(1, "0\n", "thermal_throttle/core_throttle_count");
	open_tree();
	look();
	ck_assert_str_eq(verdict(0, 0), "was-throttled");
	ck_assert_str_eq(verdict(0, 1), "ok");
	ck_assert_ptr_nonnull(strstr(uncoremsr_subject_sentence(subject(0, 0)), "7 times"));
	put_cpu(1, "1\n", "thermal_throttle/core_throttle_count");
	look();
	ck_assert_str_eq(verdict(0, 0), "was-throttled");
	ck_assert_str_eq(verdict(0, 1), "throttled");
	look();
	ck_assert_str_eq(verdict(0, 1), "was-throttled");
}
END_TEST

START_TEST(a_count_that_began_anew_is_no_difference)
{
	put_processor(0x3f, FLAGS);
	put_cpu(0, "9\n", "thermal_throttle/core_throttle_count");
	open_tree();
	look();
	put_cpu(0, "3\n", "thermal_throttle/core_throttle_count");
	look();
	ck_assert_str_eq(causes_now(), "");
	put_cpu(0, "nonsense\n", "thermal_throttle/core_throttle_count");
	uncoremsr_throttle_look(t);
	ck_assert_str_eq(verdict(0, 0), "unknown");
}
END_TEST

/* The counts of a CPU begin anew when it comes back, and its files are other ones. */
START_TEST(a_cpu_that_went_and_came_back_has_no_difference)
{
	char path[256];

	put_processor(0x3f, FLAGS);
	put_cpu(1, "9\n", "thermal_throttle/core_throttle_count");
	open_tree();
	look();
	path_of(path, sizeof(path),
		"sys/devices/system/cpu/cpu1/thermal_throttle/core_throttle_count");
	ck_assert_int_eq(unlink(path), 0);
	put("sys/devices/system/cpu/online", "0\n");
	uncoremsr_throttle_look(t);
	ck_assert_str_eq(verdict(0, 1), "gone");
	put_cpu(1, "3\n", "thermal_throttle/core_throttle_count");
	put("sys/devices/system/cpu/online", "0-1\n");
	look();
	ck_assert_str_eq(verdict(0, 1), "was-throttled");
	ck_assert_str_eq(causes_now(), "");
}
END_TEST

START_TEST(a_ceiling_set_by_firmware_is_told_apart_from_one_set_by_people)
{
	put_processor(0x3f, FLAGS);
	put_cpu(0, "2600000\n", "cpufreq/cpuinfo_max_freq");
	put_cpu(0, "1200000\n", "cpufreq/bios_limit");
	put_cpu(0, "1200000\n", "cpufreq/scaling_max_freq");
	put_cpu(1, "2600000\n", "cpufreq/cpuinfo_max_freq");
	put_cpu(1, "2600000\n", "cpufreq/bios_limit");
	put_cpu(1, "2000000\n", "cpufreq/scaling_max_freq");
	put_cpu(1, "0\n", "thermal_throttle/core_throttle_count");
	open_tree();
	look();
	ck_assert_str_eq(verdict(0, 0), "throttled");
	ck_assert_ptr_nonnull(find_cause(subject(0, 0), "firmware"));
	ck_assert_str_eq(verdict(0, 1), "ok");
	ck_assert_ptr_null(find_cause(subject(0, 1), "firmware"));
	ck_assert_int_eq(uncoremsr_cause_decides(find_cause(subject(0, 1), "other")), 0);
}
END_TEST

START_TEST(temperatures_and_alarms_of_coretemp_are_used_without_registers)
{
	int degrees;

	put_processor(0x3f, FLAGS);
	put("sys/class/hwmon/hwmon0/name", "acpitz\n");
	put("sys/class/hwmon/hwmon3/name", "coretemp\n");
	put("sys/class/hwmon/hwmon3/temp1_label", "Package id 0\n");
	put("sys/class/hwmon/hwmon3/temp1_input", "71000\n");
	put("sys/class/hwmon/hwmon3/temp1_crit_alarm", "0\n");
	put("sys/class/hwmon/hwmon3/temp3_label", "Core 1\n");
	put("sys/class/hwmon/hwmon3/temp3_input", "68000\n");
	put("sys/class/hwmon/hwmon3/temp3_crit_alarm", "1\n");
	open_tree();
	look();
	ck_assert_int_eq(uncoremsr_subject_temperature(subject(0, -1), &degrees), 0);
	ck_assert_int_eq(degrees, 71);
	ck_assert_int_eq(uncoremsr_subject_temperature(subject(0, 1), &degrees), 0);
	ck_assert_int_eq(degrees, 68);
	ck_assert_str_eq(verdict(0, 1), "was-throttled");
	ck_assert_ptr_nonnull(find_cause(subject(0, 1), "critical-temperature"));
}
END_TEST

#define PLR "sys/kernel/debug/tpmi-0000:00:03.1/plr/domain0/status"

START_TEST(limit_reasons_in_tpmi_are_those_of_their_cpus)
{
	put_processor(0xad, FLAGS);
	put(PLR, "cpus POWER\ncpu0 POWER POWER_PKG_PL1_MSR_TPMI\ncpu1 none\n");
	open_tree();
	look();
	ck_assert_str_eq(verdict(0, 0), "ok");
	ck_assert_int_eq(uncoremsr_cause_decides(find_cause(subject(0, 0), "power-limit")), 0);
	ck_assert_str_eq(verdict(0, 1), "ok");
	put(PLR, "cpus POWER\ncpu0 POWER POWER_PKG_PL1_MSR_TPMI\ncpu1 PLATFORM PLATFORM_PROCHOT\n");
	look();
	ck_assert_str_eq(verdict(0, 1), "throttled");
	ck_assert_ptr_nonnull(find_cause(subject(0, 1), "prochot-external"));
	look();
	ck_assert_str_eq(verdict(0, 1), "was-throttled");
}
END_TEST

START_TEST(a_processor_that_nobody_knows_is_not_asked)
{
	put_processor(0x3f, FLAGS);
	put("proc/cpuinfo", "processor\t: 0\ncpu\t\t: POWER9\n");
	put_register(0, 0x19c, 0x88340001);
	open_tree();
	ck_assert_int_eq(uncoremsr_throttle_look(t), -ENODATA);
	ck_assert(has_unknown(subject(0, 0), "the processor is unknown"));
}
END_TEST

START_TEST(a_status_of_zeros_is_no_status)
{
	put_processor(0x3f, FLAGS);
	put_register(0, 0x19c, 0);
	put_register(1, 0x19c, 0x88340000);
	open_tree();
	look();
	ck_assert_str_eq(verdict(0, 0), "unknown");
	ck_assert(has_unknown(subject(0, 0), "it reads as 0, which no sensor does"));
	ck_assert_str_eq(verdict(0, 1), "ok");
}
END_TEST

/* ---- when the log was cleared ---- */

static bool says_cleared_by_us(void)
{
	return strstr(uncoremsr_subject_sentence(subject(0, 0)), "cleared (by us, 20") != NULL;
}

static void clear_once(void)
{
	put_processor(0x3f, FLAGS);
	put("proc/sys/kernel/random/boot_id", "first\n");
	put_register(0, 0x19c, 0x88340008);
	put_register(1, 0x19c, 0x88340000);
	open_tree();
	look();
	ck_assert_str_eq(verdict(0, 0), "was-throttled");
	ck_assert(!says_cleared_by_us());
	ck_assert_int_eq(uncoremsr_throttle_clear(t, NULL, NULL), 1);
	close_tree();
	put_register(0, 0x19c, 0x88340008);
}

START_TEST(the_time_of_clearing_is_remembered_for_the_next_program)
{
	clear_once();
	open_tree();
	look();
	ck_assert(says_cleared_by_us());
}
END_TEST

START_TEST(the_time_of_clearing_is_forgotten_with_the_boot)
{
	clear_once();
	put("proc/sys/kernel/random/boot_id", "second\n");
	open_tree();
	look();
	ck_assert_str_eq(verdict(0, 0), "was-throttled");
	ck_assert(!says_cleared_by_us());
}
END_TEST

START_TEST(a_file_of_nonsense_is_no_time)
{
	clear_once();
	put("run/uncoremsr/throttle-cleared", "yesterday, about 2026-11 first\n");
	open_tree();
	look();
	ck_assert(!says_cleared_by_us());
}
END_TEST

Suite *throttle_tree_suite(void)
{
	Suite *s = suite_create("throttle-tree");
	TCase *c = tcase_create("tree");

	tcase_add_checked_fixture(c, setup, teardown);
	tcase_add_test(c, counts_are_followed_in_files_that_stay_open);
	tcase_add_test(c, a_count_that_began_anew_is_no_difference);
	tcase_add_test(c, a_cpu_that_went_and_came_back_has_no_difference);
	tcase_add_test(c, a_ceiling_set_by_firmware_is_told_apart_from_one_set_by_people);
	tcase_add_test(c, temperatures_and_alarms_of_coretemp_are_used_without_registers);
	tcase_add_test(c, limit_reasons_in_tpmi_are_those_of_their_cpus);
	tcase_add_test(c, a_processor_that_nobody_knows_is_not_asked);
	tcase_add_test(c, a_status_of_zeros_is_no_status);
	tcase_add_test(c, the_time_of_clearing_is_remembered_for_the_next_program);
	tcase_add_test(c, the_time_of_clearing_is_forgotten_with_the_boot);
	tcase_add_test(c, a_file_of_nonsense_is_no_time);
	suite_add_tcase(s, c);
	return s;
}
