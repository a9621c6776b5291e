/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Which package does a hwmon directory belong to? The directory's device says so, not its number. */
#include <math.h>

#include "suite.h"
#include "throttle_tree.h"

#define HWMON "sys/class/hwmon/hwmon"

/* Make two packages with one core each. */
static void two_packages(const char *first, const char *second)
{
	put_processor(0x55, FLAGS);
	put_cpu(0, first, "topology/physical_package_id");
	put_cpu(1, second, "topology/physical_package_id");
	put_cpu(1, "0\n", "topology/core_id");
	put_cpu(0, "0\n", "topology/core_siblings_list");
	put_cpu(1, "1\n", "topology/core_siblings_list");
	put_cpu(0, "0\n", "thermal_throttle/core_throttle_count");
	put_cpu(1, "0\n", "thermal_throttle/core_throttle_count");
}

static void __attribute__((format(printf, 3, 4))) put_sensor(unsigned folder, const char *text, const char *name, ...)
{
	char path[128];
	int len = snprintf(path, sizeof(path), HWMON "%u/", folder);
	va_list ap;

	va_start(ap, name);
	vsnprintf(path + len, sizeof(path) - (size_t)len, name, ap);
	va_end(ap);
	put(path, text);
}

/* Make a coretemp directory with a sensor of the package and one of a core; @label NULL: as on Westmere. */
static void put_coretemp(unsigned folder, const char *label, const char *degrees, const char *alarm)
{
	put_sensor(folder, "coretemp\n", "name");
	if (label) {
		put_sensor(folder, label, "temp1_label");
		put_sensor(folder, degrees, "temp1_input");
		put_sensor(folder, alarm, "temp1_crit_alarm");
	}
	put_sensor(folder, "Core 0\n", "temp2_label");
	put_sensor(folder, degrees, "temp2_input");
	put_sensor(folder, alarm, "temp2_crit_alarm");
}

/* Make .../hwmonN/device a link to @device, which need not exist. */
static void link_device(unsigned folder, const char *device)
{
	char name[64], path[256], to[128];

	snprintf(name, sizeof(name), HWMON "%u/device", folder);
	path_of(path, sizeof(path), name);
	snprintf(to, sizeof(to), "../../../%s", device);
	ck_assert_int_eq(symlink(to, path), 0);
}

static int degrees(int package, int core)
{
	double celsius = subject(package, core)->temperature;

	return isnan(celsius) ? -1 : (int)celsius;
}

static const char *critical(int package, int core)
{
	return find_cause(subject(package, core), "critical-temperature") ? "critical" : "-";
}

FIXTURE(.setup = setup, .teardown = teardown)

TEST(without_a_label_the_link_to_the_device_decides)
{
	two_packages("0\n", "1\n");
	put_coretemp(2, NULL, "41000\n", "0\n");
	link_device(2, "devices/platform/coretemp.1");
	put_coretemp(7, NULL, "101000\n", "1\n");
	link_device(7, "devices/platform/coretemp.0");
	look_at_tree(0);
	ck_assert_str_eq(critical(0, 0), "critical");
	ck_assert_str_eq(critical(1, 0), "-");
	ck_assert_int_eq(degrees(1, 0), 41);
}

/* If the link hwmonN/device cannot be read, as on a simulated machine, the device is the one whose directory contains
 * hwmonN. */
TEST(without_a_link_the_folder_of_the_device_decides)
{
	two_packages("0\n", "1\n");
	put_coretemp(2, NULL, "41000\n", "0\n");
	put("sys/devices/platform/coretemp.1/hwmon/hwmon2/name", "coretemp\n");
	put_coretemp(7, NULL, "101000\n", "1\n");
	put("sys/devices/platform/coretemp.0/hwmon/hwmon7/name", "coretemp\n");
	look_at_tree(0);
	ck_assert_str_eq(critical(0, 0), "critical");
	ck_assert_str_eq(critical(1, 0), "-");
}

TEST(if_label_and_link_contradict_each_other_the_sensor_is_ignored)
{
	two_packages("0\n", "1\n");
	put_coretemp(2, "Package id 0\n", "41000\n", "0\n");
	put("sys/devices/platform/coretemp.1/hwmon/hwmon2/name", "coretemp\n");
	put_coretemp(7, "Package id 1\n", "41000\n", "0\n");
	look_at_tree(0);
	ck_assert_int_eq(degrees(0, -1), -1);
	ck_assert_int_eq(degrees(1, -1), 41);
}

/* The kernel numbers dies from 0, whatever the package ids are; before Linux 4.10 it used package ids. */
TEST(numbers_are_those_of_dies_or_of_packages_whichever_fits)
{
	two_packages("0\n", "3\n");
	put_coretemp(2, "Package id 1\n", "41000\n", "0\n");
	put_coretemp(7, "Package id 0\n", "52000\n", "0\n");
	look_at_tree(0);
	ck_assert_int_eq(degrees(0, -1), 52);
	ck_assert_int_eq(degrees(3, -1), 41);
	close_tree();
	put_sensor(2, "Package id 3\n", "temp1_label");
	look_at_tree(0);
	ck_assert_int_eq(degrees(0, -1), 52);
	ck_assert_int_eq(degrees(3, -1), 41);
	close_tree();
	/* Ambiguous: number 1 could be package 1, or die 1, which is package 2. */
	put_cpu(0, "1\n", "topology/physical_package_id");
	put_cpu(1, "2\n", "topology/physical_package_id");
	put_sensor(2, "Package id 1\n", "temp1_label");
	put_sensor(7, "acpitz\n", "name");
	look_at_tree(0);
	ck_assert_int_eq(degrees(1, -1), -1);
	ck_assert_int_eq(degrees(2, -1), -1);
}

TEST(a_package_of_two_dies_has_the_alarms_of_both_and_is_as_hot_as_the_hotter_one)
{
	put_processor(0x55, FLAGS);
	put_cpu(0, "0\n", "topology/die_id");
	put_cpu(1, "1\n", "topology/die_id");
	put_cpu(0, "0\n", "topology/die_cpus_list");
	put_cpu(1, "1\n", "topology/die_cpus_list");
	put_coretemp(3, "Package id 0\n", "41000\n", "0\n");
	put_coretemp(1, "Package id 1\n", "99000\n", "1\n");
	put_sensor(1, "Core 1\n", "temp2_label");
	look_at_tree(0);
	ck_assert_int_eq(degrees(0, -1), 99);
	ck_assert_int_eq(find_cause(subject(0, -1), "critical-temperature")->die, 1);
	ck_assert_str_eq(critical(0, 0), "-");
	ck_assert_str_eq(critical(0, 1), "critical");
}

/* ---- AMD ---- */

static void put_amd(void)
{
	two_packages("0\n", "1\n");
	put("proc/cpuinfo", "processor\t: 0\nvendor_id\t: AuthenticAMD\ncpu family\t: 23\nmodel\t\t: 1\n"
	    "model name\t: Test CPU\nstepping\t: 2\nflags\t\t: fpu\n\n");
}

static void put_k10temp(unsigned folder, const char *degrees)
{
	put_sensor(folder, "k10temp\n", "name");
	put_sensor(folder, "Tctl\n", "temp1_label");
	put_sensor(folder, degrees, "temp1_input");
}

TEST(a_package_with_several_amd_nodes_is_as_hot_as_the_hottest)
{
	put_amd();
	put_k10temp(4, "50000\n");
	put_sensor(4, "0\n", "device/numa_node");
	put_k10temp(3, "61000\n");
	put_sensor(3, "1\n", "device/numa_node");
	put_k10temp(2, "44000\n");
	put_sensor(2, "2\n", "device/numa_node");
	put("sys/devices/system/node/node0/cpulist", "0\n");
	put("sys/devices/system/node/node1/cpulist", "0\n");
	put("sys/devices/system/node/node2/cpulist", "1\n");
	look_at_tree(0);
	ck_assert_int_eq(degrees(0, -1), 61);
	ck_assert_int_eq(degrees(1, -1), 44);
}

TEST(without_numa_nodes_the_number_of_the_amd_node_decides)
{
	put_amd();
	put_k10temp(1, "44000\n");
	put_sensor(1, "-1\n", "device/numa_node");
	put("sys/bus/pci/drivers/k10temp/0000:00:1b.3/hwmon/hwmon1/name", "k10temp\n");
	put_k10temp(2, "45000\n");
	put("sys/bus/pci/drivers/k10temp/0000:00:1a.3/hwmon/hwmon2/name", "k10temp\n");
	put_k10temp(3, "61000\n");
	put("sys/bus/pci/drivers/k10temp/0000:00:19.3/hwmon/hwmon3/name", "k10temp\n");
	put_k10temp(4, "50000\n");
	link_device(4, "0000:00:18.3");
	look_at_tree(0);
	ck_assert_int_eq(degrees(0, -1), 61);
	ck_assert_int_eq(degrees(1, -1), 45);
}

/* k10temp has no alarm, so only the temperature is unknown. */
TEST(an_amd_sensor_without_a_package_gives_no_temperature)
{
	put_amd();
	put_k10temp(1, "44000\n");
	put_k10temp(2, "61000\n");
	look_at_tree(0);
	ck_assert_int_eq(degrees(0, -1), -1);
	ck_assert_int_eq(degrees(1, -1), -1);
	ck_assert(!is_open(subject(0, -1), "critical-temperature", UNCOREMSR_REASON_SENSOR_UNPLACED));
}

TEST(a_directory_without_a_package_leaves_the_cause_unknown)
{
	const struct uncoremsr_subject *s;

	two_packages("0\n", "1\n");
	put_coretemp(2, NULL, "41000\n", "0\n");
	put_coretemp(7, NULL, "101000\n", "1\n");
	look_at_tree(0);
	for (size_t i = 0; (s = uncoremsr_throttle_subject(t, i)); i++) {
		ck_assert_int_eq(s->verdict, UNCOREMSR_VERDICT_UNKNOWN);
		ck_assert(is_open(s, "critical-temperature", UNCOREMSR_REASON_SENSOR_UNPLACED));
		ck_assert_double_nan(s->temperature);
	}
}

SUITE(sensors)
