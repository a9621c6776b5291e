/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The package of a hwmon directory is derived from its device, not from the number of the directory. */
#include "suite.h"
#include "throttle_tree.h"

#define HWMON "sys/class/hwmon/hwmon"

#define DIES(first, second) /* two packages with one core each */ \
	"processor 0x55; cpu 0 topology/physical_package_id " first "; " \
	"cpu 1 topology/physical_package_id " second "; " \
	"cpu 1 topology/core_id 0; cpu 0 topology/core_siblings_list 0; cpu 1 topology/core_siblings_list 1; " \
	"cpu 0 thermal_throttle/core_throttle_count 0; cpu 1 thermal_throttle/core_throttle_count 0; "
/* A coretemp directory with a sensor for a core. PACKAGE adds a package sensor, which Westmere does not have. */
#define CORETEMP(folder, degrees, alarm) \
	"put " HWMON folder "/name coretemp; put " HWMON folder "/temp2_label Core 0; " \
	"put " HWMON folder "/temp2_input " degrees "; put " HWMON folder "/temp2_crit_alarm " alarm "; "
#define PACKAGE(folder, id, degrees, alarm) \
	CORETEMP(folder, degrees, alarm) "put " HWMON folder "/temp1_label Package id " id "; " \
	"put " HWMON folder "/temp1_input " degrees "; put " HWMON folder "/temp1_crit_alarm " alarm "; "
#define DEVICE(folder, n) "put sys/devices/platform/coretemp." n "/hwmon/hwmon" folder "/name coretemp; "
#define AMD DIES("0", "1") "amd; "
#define K10TEMP(folder, degrees) \
	"put " HWMON folder "/name k10temp; put " HWMON folder "/temp1_label Tctl; " \
	"put " HWMON folder "/temp1_input " degrees "; "
#define PCI(folder, device) "put sys/bus/pci/drivers/k10temp/0000:00:" device ".3/hwmon/hwmon" folder "/name k10temp; "

#define ON_DIE(cpu, package, die) \
	"cpu " cpu " topology/physical_package_id " package "; cpu " cpu " topology/die_id " die "; " \
	"cpu " cpu " topology/core_id " cpu "; cpu " cpu " topology/thread_siblings_list " cpu "; " \
	"cpu " cpu " topology/die_cpus_list " cpu "; cpu " cpu " thermal_throttle/core_throttle_count 0; "
#define SIBLINGS(cpu, cpus) "cpu " cpu " topology/core_siblings_list " cpus "; "
/* Two packages of two dies each, with one core on each die. */
#define TWO_BY_TWO \
	"processor 0x55; put sys/devices/system/cpu/online 0-3; " \
	ON_DIE("0", "0", "0") ON_DIE("1", "0", "1") ON_DIE("2", "1", "0") ON_DIE("3", "1", "1") \
	SIBLINGS("0", "0-1") SIBLINGS("1", "0-1") SIBLINGS("2", "2-3") SIBLINGS("3", "2-3")
/* The second die belongs to the second package. */
#define ONE_AND_THREE \
	ON_DIE("1", "1", "2") SIBLINGS("0", "0") SIBLINGS("1", "1-3") SIBLINGS("2", "1-3") SIBLINGS("3", "1-3")

#define UNPLACED(package, core) \
	"verdict " package " " core " cannot-tell; open " package " " core " critical-temperature SENSOR_UNPLACED; " \
	"celsius " package " " core " -; "

static const struct story stories[] = {
	{ "without a label the folder of the device decides", NULL,
	  DIES("0", "1") CORETEMP("2", "41000", "0") DEVICE("2", "1") CORETEMP("7", "101000", "1") DEVICE("7", "0")
	  "tree; cause 0 0 critical-temperature; no-cause 1 0 critical-temperature; celsius 1 0 41" },
	{ "if label and folder contradict each other the sensor is ignored", NULL,
	  DIES("0", "1") PACKAGE("2", "0", "41000", "0") DEVICE("2", "1") PACKAGE("7", "1", "41000", "0") "tree; "
	  "celsius 0 - -; celsius 1 - 41" },
	/* The kernel numbers dies from 0, whatever the package ids are; Linux before 4.10 used package ids. */
	{ "sensor numbers are taken as dies or packages, whichever fits", NULL,
	  DIES("0", "3") PACKAGE("2", "1", "41000", "0") PACKAGE("7", "0", "52000", "0") "tree; celsius 0 - 52; "
	  "celsius 3 - 41; put " HWMON "2/temp1_label Package id 3; tree; celsius 0 - 52; celsius 3 - 41; "
	  /* Ambiguous: number 1 could be package 1, or die 1, which is in package 2. */
	  "cpu 0 topology/physical_package_id 1; cpu 1 topology/physical_package_id 2; "
	  "put " HWMON "2/temp1_label Package id 1; "
	  "put " HWMON "7/name acpitz; tree; celsius 1 - -; celsius 2 - -" },
	{ "a package of two dies has the alarms of both and is as hot as the hotter one", NULL,
	  "processor 0x55; cpu 0 topology/die_id 0; cpu 1 topology/die_id 1; cpu 0 topology/die_cpus_list 0; "
	  "cpu 1 topology/die_cpus_list 1; " PACKAGE("3", "0", "41000", "0") PACKAGE("1", "1", "99000", "1")
	  "put " HWMON "1/temp2_label Core 1; tree; celsius 0 - 99; die 0 - critical-temperature 1; "
	  "no-cause 0 0 critical-temperature; cause 0 1 critical-temperature" },
	{ "dies of an unknown processor have cores of the same number", NULL,
	  "cpu 0 topology/die_id 0; cpu 1 topology/die_id 1; cpu 0 topology/die_cpus_list 0; "
	  "cpu 1 topology/die_cpus_list 1; cpu 1 topology/core_id 0; "
	  "cpu 0 thermal_throttle/core_throttle_count 0; cpu 1 thermal_throttle/core_throttle_count 0; "
	  PACKAGE("3", "0", "41000", "0") PACKAGE("1", "1", "99000", "1")
	  "kernel-only; celsius 0 0 41; no-cause 0 0 critical-temperature" },
	{ "a core whose die is unknown has no sensor of a die", NULL,
	  "processor 0x55; cpu 1 topology/die_id 0; cpu 0 thermal_throttle/core_throttle_count 0; "
	  PACKAGE("3", "1", "41000", "0") "tree; celsius 0 - 41; celsius 0 0 -" },
	{ "cpus whose die is unknown are no die", NULL,
	  "processor 0x55; put sys/devices/system/cpu/online 0-2; " ON_DIE("1", "0", "0") ON_DIE("2", "0", "1")
	  SIBLINGS("0", "0-2") SIBLINGS("1", "0-2") SIBLINGS("2", "0-2") PACKAGE("3", "2", "99000", "1")
	  "tree; die 0 - critical-temperature 1" },
	{ "on a machine with one package each sensor belongs to it", NULL,
	  "processor 0x2c; cpu 0 thermal_throttle/core_throttle_count 0; " CORETEMP("3", "41000", "0")
	  "tree; celsius 0 0 41; amd; " K10TEMP("3", "52000") "tree; celsius 0 - 52" },
	{ "if there is a sensor for each package, or for each die, its number is that of the package or die", NULL,
	  TWO_BY_TWO PACKAGE("1", "0", "41000", "0") PACKAGE("2", "1", "52000", "0")
	  "put " HWMON "2/temp2_label Core 3; tree; celsius 0 - 41; celsius 1 - 52; celsius 1 3 52; "
	  PACKAGE("3", "0", "43000", "0") DEVICE("3", "7") "tree; celsius 0 - -; celsius 1 - -; "
	  PACKAGE("4", "1", "44000", "0") DEVICE("4", "7") "tree; celsius 0 - 52; celsius 1 - -" },
	{ "as many amd nodes as dies are in the packages of these dies", NULL,
	  TWO_BY_TWO ONE_AND_THREE "amd; " K10TEMP("1", "41000") PCI("1", "18") K10TEMP("2", "52000") PCI("2", "19")
	  K10TEMP("3", "53000") PCI("3", "1a") "tree; celsius 0 - -; celsius 1 - -; "
	  K10TEMP("4", "54000") PCI("4", "1b") "tree; celsius 0 - 41; celsius 1 - 54; "
	  "drop " HWMON "1/name; " K10TEMP("5", "99000") PCI("5", "17") "tree; celsius 0 - -; celsius 1 - 54" },
	{ "if some amd nodes have no sensor, one with too high a number has no package", NULL,
	  TWO_BY_TWO "amd; " K10TEMP("1", "41000") PCI("1", "19") K10TEMP("2", "52000") PCI("2", "1a") "tree; "
	  "celsius 0 - -; celsius 1 - 41" },
	{ "a numa node without cpus does not identify the package", NULL,
	  AMD K10TEMP("1", "41000") "put " HWMON "1/device/numa_node 1; " PCI("1", "18") K10TEMP("2", "52000")
	  "put " HWMON "2/device/numa_node 1; " PCI("2", "19") "put sys/devices/system/node/node1/cpulist ; tree; "
	  "celsius 0 - 41; celsius 1 - 52" },
	{ "a package with several amd nodes is as hot as the hottest", NULL,
	  AMD K10TEMP("4", "50000") "put " HWMON "4/device/numa_node 0; " K10TEMP("3", "61000")
	  "put " HWMON "3/device/numa_node 1; " K10TEMP("2", "44000") "put " HWMON "2/device/numa_node 2; "
	  "put sys/devices/system/node/node0/cpulist 0; put sys/devices/system/node/node1/cpulist 0; "
	  "put sys/devices/system/node/node2/cpulist 1; tree; celsius 0 - 61; celsius 1 - 44" },
	{ "a sensor without a number does not hide the next one", NULL,
	  AMD K10TEMP("2", "none") "put " HWMON "2/device/numa_node 0; " K10TEMP("3", "61000")
	  "put " HWMON "3/device/numa_node 0; put sys/devices/system/node/node0/cpulist 0; tree; celsius 0 - 61" },
	{ "a node whose list of cpus is no list has no sensor", NULL,
	  AMD K10TEMP("3", "61000") "put " HWMON "3/device/numa_node 0; put sys/devices/system/node/node0/cpulist x; "
	  "tree; celsius 0 - -" },
	{ "without numa nodes the number of the amd node decides", NULL,
	  AMD K10TEMP("1", "44000") "put " HWMON "1/device/numa_node -1; "
	  PCI("1", "1b") K10TEMP("2", "45000") PCI("2", "1a")
	  K10TEMP("3", "61000") PCI("3", "19") K10TEMP("4", "50000") PCI("4", "18") "tree; celsius 0 - 61; "
	  "celsius 1 - 45" },
	/* k10temp has no alarm, so only the temperature is unknown. */
	{ "an amd sensor without a package gives no temperature", NULL,
	  AMD K10TEMP("1", "44000") K10TEMP("2", "61000") "tree; celsius 0 - -; celsius 1 - -; "
	  "state 0 - critical-temperature not-visible" },
	{ "a directory without a package leaves the cause unknown", NULL,
	  DIES("0", "1") CORETEMP("2", "41000", "0") CORETEMP("7", "101000", "1") "tree; " UNPLACED("0", "-")
	  UNPLACED("0", "0") UNPLACED("1", "-") UNPLACED("1", "0") "overall cannot-tell" },
};

static void step_amd(const struct step *s)
{
	(void)s;
	put("proc/cpuinfo", "processor\t: 0\nvendor_id\t: AuthenticAMD\ncpu family\t: 23\nmodel\t\t: 1\n"
	    "model name\t: Test CPU\nstepping\t: 2\nflags\t\t: fpu\n\n");
}

static void step_kernel_only(const struct step *s)
{
	close_tree();
	open_tree();
	step_error(s, uncoremsr_throttle_set(t, UNCOREMSR_THROTTLE_KERNEL_ONLY, 1), STEP_WORDS);
	look();
}

static void step_die(const struct step *s)
{
	int die = step_found(s)->die;

	step_got(s, die == step_int(s, 3), (uint64_t)die);
}

static const struct step_kind kinds[] = {
	{ "amd", 0, 0, step_amd }, { "die", 4, 4, step_die }, { "kernel-only", 0, 0, step_kernel_only },
	{ .name = NULL },
};
static const struct vocabulary sensor_steps = { .kinds = kinds, .base = &tree_steps };

FIXTURE(.setup = setup, .teardown = teardown)

TEST_EACH(a_sensor_belongs_to_the_package_of_its_device, ARRAY_SIZE(stories))
{
	play_steps(&sensor_steps, stories[_i].name, stories[_i].steps);
}

SUITE(sensors)
