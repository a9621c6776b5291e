/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The simulated machine shows heat, power limits and throttling in the same registers and files as real machines. */
#include <check.h>
#include <stdbool.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "uncoremsr/sim.h"
#include "steps.h"
#include "suite.h"

#define CPU(n) "sys/devices/system/cpu/cpu" #n "/"
#define THERM 0x19c
#define PACKAGE 0x1b1
#define HSW "haswell-ep-2s,clock=stepped,throttle=none"
#define SKX "skylake-sp-2s,clock=stepped,throttle=none"
#define ICX "icelake-sp-2s,clock=stepped,throttle=none"
#define ZEN "zen-1s,clock=stepped,throttle=none"
#define WSM "westmere-2s,clock=stepped,throttle=none"
#define COUNT "thermal_throttle/core_throttle_"
#define PKG_COUNT "thermal_throttle/package_throttle_"
#define HSMP "sys/devices/platform/AMDI0097:00/prochot_status"
#define HWMON(n) "sys/class/hwmon/hwmon" #n
#define THE_HOUR(limits) \
	"at 299; field 0 0x19c 0 0x5555 0; at 330; field 0 0x19c 0 0x5555 1; at 630; field 0 0x1b1 0 0x5555 1; " \
	"at 1010; field 0 0x19c 0 0x5555 4; at 1210; field 0 0x1b1 0 0x5555 0x400; " \
	"at 1510; field 0 " limits " 0 0x5555 0x100; at 1810; field 0 " limits " 0 0x5555 0x40; " \
	"at 2410; field 0 0x19a 0 0x5555 0x10; at 3310; field 0 0x19c 0 0x5555 0x10; " \
	"read 0 0x34 0x275; read 0 0x61b 61440; " /* 600 SMIs; memory was throttled for 60 s (unit 1/1024 s) */ \
	"at 3910; field 0 0x19c 0 0x5555 1" /* after an hour the episodes repeat */

static void to(struct uncoremsr_sim *on, double seconds)
{
	uint64_t at = (uint64_t)(seconds * 1e9), now = uncoremsr_sim_state(on)->now;

	ck_assert_uint_ge(at, now);
	ck_assert_int_eq(uncoremsr_sim_advance(on, at - now), 1);
}

static uint64_t therm_bits(struct uncoremsr_sim *on, unsigned cpu, uint32_t msr)
{
	return rd(on, cpu, msr) & 0xffff;
}

/* The machine has Haswell-EP's leaves, except the signature in leaf 1. */
static void use_model(const char *signature, const char *more)
{
	char what[300];

	snprintf(what, sizeof(what), HSW ",leaf=0x1:0:%s:0x400800:0x7ffefbff:0xbfebfbff%s", signature, more);
	use(what);
}

/* ---- registers that exist ---- */

static void check_registers(const char *name, const uint32_t *there, const uint32_t *not_there)
{
	for (; *there; there++)
		ck_assert_msg(rd_err(sim, 0, *there) == 0, "%s has no 0x%x", name, *there);
	for (; *not_there; not_there++)
		ck_assert_msg(rd_err(sim, 0, *not_there) == -EIO, "%s has 0x%x", name, *not_there);
}

FIXTURE(.teardown = free_sim)

static const struct story episodes[] = {
	{ "clients have their own limit reasons",
	  HSW ",leaf=0x1:0:0x000306c3:0x400800:0x7ffefbff:0xbfebfbff,throttle=power-limit,throttle=vr-thermal",
	  "read 0 0x690 0x4400440; read 0 0x6b1 0x4400440" },
	{ "an episode affects only its core or its package",
	  HSW ",throttle=core-thermal:package=1:core=2,throttle=package-thermal:package=0",
	  /* CPUs 8 and 20 are core 2 of package 1, CPU 2 is core 2 of package 0 */
	  "field 8 0x19c 0 0xffff 3; field 20 0x19c 0 0xffff 3; field 2 0x19c 0 0xffff 0; field 7 0x19c 0 0xffff 0; "
	  "field 0 0x1b1 0 0xffff 3; field 6 0x1b1 0 0xffff 0" },
	{ "status bits last as long as the episode and log bits stay",
	  HSW ",throttle=prochot-external:every=10:for=2:phase=3",
	  "field 0 0x19c 0 0xffff 0; "
	  "at 2.999999999; field 0 0x19c 0 0xffff 0; "
	  "at 3; field 0 0x19c 0 0xffff 0xc; "
	  "at 5; field 0 0x19c 0 0xffff 8; "
	  "at 14; field 0 0x19c 0 0xffff 0xc" },
	{ "an episode between two reads is logged", HSW ",throttle=vr-thermal:for=0.001:phase=1",
	  "at 3600; read 0 0x690 0x400000; "
	  "at 1000000; " /* without every= there is only one episode */
	  "write 0 0x690 0; at 2000000; read 0 0x690 0" },
	{ "writing 0 clears a log bit and writing 1 leaves it",
	  HSW ",throttle=core-thermal:every=10:for=1:phase=1,throttle=prochot-external:every=10:for=1:phase=2",
	  "write 0 0x19c 0xaaa; " /* a write of 1 does not set a log bit */
	  "field 0 0x19c 0 0xffff 0; "
	  "at 5; field 0 0x19c 0 0xffff 0xa; "
	  "write 0 0x19c 0xaaa; field 0 0x19c 0 0xffff 0xa; "
	  "write 0 0x19c 0xaa8; "
	  "field 0 0x19c 0 0xffff 8; field 12 0x19c 0 0xffff 8; " /* CPUs 0 and 12 are one core */
	  "field 1 0x19c 0 0xffff 0xa; "
	  "field 0 0x1b1 0 0xffff 8; "
	  "at 15; field 0 0x19c 0 0xffff 0xa" }, /* the cause has held again since bit 1 was cleared */
	{ "a log bit cleared while its cause holds is set again", HSW ",throttle=core-thermal:every=10:for=4",
	  "at 1; write 0 0x19c 0; field 0 0x19c 0 0xffff 3; "
	  "at 5; field 0 0x19c 0 0xffff 2" },
	{ "bits of normal operation are logged unless the machine is calm", "haswell-ep-2s,clock=stepped",
	  "read 0 0x690 0xe0000000; "
	  "write 0 0x690 0x80000000; read 0 0x690 0x80000000; "
	  "use skylake-sp-2s,clock=stepped; "
	  "read 0 0x777 4; "
	  "write 0 0x777 0; read 0 0x777 0; read 1 0x777 4; refuses 0 0x777 2 EIO" },
	{ "a preset register holds its value whatever happens",
	  HSW ",throttle=core-thermal,set=0x19c:0x88330008:cpu=3,set=0x1a2:0",
	  "read 3 0x19c 0x88330008; read 15 0x19c 0x88330008; field 2 0x19c 0 0xffff 3; read 0 0x1a2 0; "
	  "write 3 0x19c 0; read 3 0x19c 0x88330000" },
	{ "the simulated kernel may clear log bits between two reads",
	  HSW ",kernel_clears=yes,throttle=core-thermal:every=100:for=4:phase=2,"
	  "throttle=prochot-external:every=100:for=1",
	  "at 4; field 0 0x19c 0 0xffff 0xb; "
	  "at 6; field 0 0x19c 0 0xffff 0; " /* the core's interrupt cleared the log */
	  "field 0 0x1b1 0 0xffff 8; " /* the package had no interrupt */
	  "file sys/devices/system/cpu/cpu0/thermal_throttle/core_throttle_count 1" },
	{ "the temperature follows the episodes of heat",
	  HSW ",throttle=core-thermal:core=0:every=100:for=4:phase=20,"
	  "throttle=prochot-external:every=100:for=5:phase=60",
	  "read 0 0x19c 0x88280000; field 0 0x1a2 16 0xff 87; "
	  "at 15; read 0 0x19c 0x88140000; "
	  "at 22; read 0 0x19c 0x88000003; read 0 0x1b1 0x88000000; " /* the package is as hot as its hottest core */
	  "read 1 0x19c 0x88280000; "
	  "at 26.5; read 0 0x19c 0x880a0002; "
	  "at 62; read 0 0x19c 0x8828000e" },
	{ "a throttled core runs slower", HSW ",throttle=core-thermal:core=0:every=10:for=4",
	  "read 0 0x199 0x1700; field 0 0x198 8 0xff 16; " /* 0.7 of the requested ratio 23 */
	  "field 1 0x198 8 0xff 23; "
	  "at 4; read 0 0xe7 9200000000; read 0 0xe8 6440000000; read 12 0xe8 6440000000; read 1 0xe8 9200000000; "
	  "field 0 0x198 8 0xff 23; "
	  "at 10; read 0 0xe8 20240000000" },
	{ "on westmere events count user defined episodes too",
	  WSM ",throttle=core-thermal:package=0:core=8:every=10:for=1,throttle=prochot-external:package=1:for=1",
	  "write 0 0x391 0; write 0 0x3b0 0; write 0 0x3c0 0x400880; write 0 0x3b1 0; write 0 0x3c1 0x400881; "
	  /* core 8 is the fourth core of the package */
	  "write 0 0x3b2 0; write 0 0x3c2 0x400182; write 0 0x3b3 0; write 0 0x3c3 0x400283; write 0 0x391 0xf; "
	  "at 10; read 0 0x3b0 2666666667; read 0 0x3b1 1333333333; read 0 0x3b2 0; "
	  "read 0 0x3b3 0; "
	  "use " WSM ",throttle=core-thermal:core=9:for=1; "
	  "write 0 0x391 0; write 0 0x3b0 0; write 0 0x3c0 0x400880; write 0 0x3b1 0; write 0 0x3c1 0x400881; "
	  /* core 9 is the fifth core of the package; only the first four have events */
	  "write 0 0x3b2 0; write 0 0x3c2 0x400182; write 0 0x3b3 0; write 0 0x3c3 0x400283; write 0 0x391 0xf; "
	  "at 10; read 0 0x3b0 0; field 8 0x19c 0 0xffff 2" },
	{ "the kernel counts episodes of its own sensors",
	  HSW ",throttle=core-thermal:package=0:core=1:every=10:for=2:phase=1,"
	  "throttle=package-thermal:package=1:every=10:for=0.25:phase=1,throttle=prochot-external",
	  "file sys/devices/system/cpu/cpu1/thermal_throttle/core_throttle_count 0; "
	  "at 12; file sys/devices/system/cpu/cpu1/thermal_throttle/core_throttle_count 2; "
	  "file sys/devices/system/cpu/cpu13/thermal_throttle/core_throttle_count 2; "
	  /* the second episode has not ended, so its time is not included */
	  "file sys/devices/system/cpu/cpu1/thermal_throttle/core_throttle_total_time_ms 2000; "
	  "file sys/devices/system/cpu/cpu1/thermal_throttle/core_throttle_max_time_ms 2000; "
	  "file sys/devices/system/cpu/cpu1/thermal_throttle/package_throttle_count 0; "
	  "file sys/devices/system/cpu/cpu0/thermal_throttle/core_throttle_count 0; " /* Linux does not count PROCHOT */
	  "file sys/devices/system/cpu/cpu6/thermal_throttle/package_throttle_count 2; "
	  "file sys/devices/system/cpu/cpu6/thermal_throttle/package_throttle_total_time_ms 500; "
	  "file sys/devices/system/cpu/cpu6/thermal_throttle/package_throttle_max_time_ms 250" },
	{ "power counts what its on chip controller did",
	  "power9-2s,clock=stepped,throttle=package-thermal:package=8:every=10:for=1:phase=5,"
	  "throttle=power-limit:every=10:for=1:phase=2",
	  "file sys/devices/system/cpu/cpu8/cpufreq/throttle_stats/overtemp 0; "
	  "at 16; file sys/devices/system/cpu/cpu8/cpufreq/throttle_stats/overtemp 2; "
	  "file sys/devices/system/cpu/cpu15/cpufreq/throttle_stats/overtemp 2; "
	  "file sys/devices/system/cpu/cpu0/cpufreq/throttle_stats/overtemp 0; "
	  "file sys/devices/system/cpu/cpu0/cpufreq/throttle_stats/powercap 2" },
	{ "a simulated server shows one cause after the other", "skylake-sp-2s,clock=stepped",
	  "at 9; field 1 0x19c 0 0x5555 0; "
	  "at 11; field 1 0x19c 0 0x5555 1; "
	  "at 21; field 4 0x1b1 0 0x5555 1; "
	  "at 31; field 0 0x19c 0 0x5555 4; "
	  "at 41; field 0 0x1b1 0 0x5555 0x400; "
	  "at 51; field 4 0x19c 0 0x5555 0x1000; "
	  "at 61; field 0 0x64f 0 0x5555 0x40; "
	  "at 81; field 3 0x19a 0 0x5555 0x10; "
	  "at 111; field 2 0x19c 0 0x5555 0x10; "
	  "at 116; field 4 0x19c 0 0x5555 0x4000" },
	/* CPUID leaf 6 is that of Nehalem: neither package thermal status nor power-limit notification */
	{ "leaf 6 decides about the package register and the newer bits",
	  HSW ",leaf=0x6:0:0x3:2:1:0,throttle=power-limit",
	  "fails 0 0x1b1 EIO; read 0 0x19c 0x88280000; refuses 0 0x19c 0x800 EIO" },
	{ "register 690 of a skylake is a branch record", SKX ",throttle=prochot-external",
	  "field 0 0x690 32 0xffffffff 0xffffffff; refuses 0 0x690 0 EIO" },
	{ "status bits and readout ignore writes and reserved bits fault", HSW ",throttle=core-thermal:every=10:for=4",
	  "read 0 0x19c 0x88000003; write 0 0x19c 0x88000003; "
	  "write 0 0x19c 0xf87f0ffc; field 0 0x19c 0 0xffff 3; takes 0 0x19c 0xf87f0fff; "
	  "refuses 0 0x1b1 0x3000 EIO; refuses 0 0x690 0x800000 EIO; refuses 0 0x1a2 0 EIO" },
	{ "smis are counted and the clock is modulated",
	  HSW ",throttle=smi:package=0:rate=20:every=10:for=5,throttle=clock-modulation:core=1:every=10:for=5",
	  "read 1 0x19a 0x18; read 0 0x19a 0; field 1 0x198 8 0xff 23; " /* clock modulation keeps the ratio */
	  "at 10; read 0 0x34 0x81; read 6 0x34 0x1d; " /* 5 s of 20 SMIs a second on package 0 */
	  "at 16; read 1 0x19a 0; write 1 0x19a 0x14; read 1 0x19a 0x14; "
	  "read 1 0xe7 16*2300000000; read 1 0xe8 11*2300000000" },
	{ "firmware takes frequency without any status bit", SKX ",throttle=firmware:every=10:for=2",
	  "read 0 0x19c 0x88280000; read 0 0x199 0x1500; field 0 0x198 8 0xff 13; "
	  "read 0 0x771 0x070a0d15; read 0 0x777 1; " /* the guaranteed ratio is 13 instead of 21 */
	  "at 2; read 0 0x771 0x070a1515; read 0 0x777 1; "
	  "use " ZEN ",throttle=firmware:every=10:for=2; "
	  "read 0 0xc0010061 0x22; read 0 0xc0010063 2; at 2; read 0 0xc0010061 0x20; read 0 0xc0010063 0" },
	{ "throttle none removes only the throttling events", WSM,
	  "write 0 0x3b0 0; write 0 0x3c0 0x400182; write 0 0x3b1 0; write 0 0x3c1 0x400f83; write 0 0x3b2 0; "
	  "write 0 0x3c2 0x400103; write 0 0x3b3 0; write 0 0x3c3 0x400167; write 0 0x391 0xf; "
	  "at 100; read 0 0x3b0 0; read 0 0x3b1 0; not 0 0x3b2 0; read 0 0x3b3 0" },
	{ "a kernel without throttle counts has no files for them", WSM,
	  "file " CPU(0) COUNT "count 0; no-file " CPU(0) PKG_COUNT "count ENOENT; "
	  "online 2 0; no-file " CPU(2) COUNT "count ENOENT; no-file " CPU(2) "thermal_throttle ENOENT; "
	  "online 2 1; no-file " CPU(2) "thermal_throttle EISDIR; "
	  "use " ZEN "; no-file " CPU(0) "thermal_throttle ENOENT; "
	  "use " HSW ",kernel_thermal=no; no-file " CPU(0) "thermal_throttle ENOENT; "
	  "use " HSW ",hypervisor=yes; no-file " CPU(0) "thermal_throttle ENOENT; "
	  "use generic; no-file " CPU(0) "thermal_throttle ENOENT" },
	{ "there is a sensor for each package and core",
	  HSW ",throttle=critical-temperature:package=1:core=2:for=1:phase=20",
	  /* The listing is in the order in which drivers found the sensors; hwmon0 belongs to another driver. */
	  "list sys/class/hwmon hwmon0/ hwmon3/ hwmon1/; file " HWMON(0) "/name acpitz; "
	  "file " HWMON(3) "/temp1_label Package id 0; list sys/devices/platform/coretemp.1/hwmon hwmon1/; "
	  "list sys/devices/platform/coretemp.0/hwmon hwmon3/; file " HWMON(1) "/name coretemp; "
	  "file " HWMON(1) "/temp1_label Package id 1; file " HWMON(1) "/temp4_label Core 2; "
	  "file " HWMON(1) "/temp4_crit 87000; file " HWMON(1) "/temp4_input 47000; "
	  "file " HWMON(1) "/temp4_crit_alarm 0; "
	  "at 20; file " HWMON(1) "/temp4_input 87000; file " HWMON(1) "/temp3_input 47000; "
	  "file " HWMON(3) "/temp1_input 47000; "
	  "at 100; file " HWMON(1) "/temp4_crit_alarm 1; "
	  "file " HWMON(1) "/temp1_crit_alarm 0; "
	  "write 8 0x19c 0; file " HWMON(1) "/temp4_crit_alarm 0; no-file " HWMON(1) "/temp8_input ENOENT; "
	  "no-file " HWMON(2) "/name ENOENT" },
	{ "sensors are listed once each and follow the cpus", "westmere-2s-holes,clock=stepped",
	  /* package 2 has cores 0, 2, 8, 10 and no sensor of its own */
	  "list " HWMON(1) " name temp2_label temp2_input temp2_max temp2_crit temp2_crit_alarm "
	  "temp4_label temp4_input temp4_max temp4_crit temp4_crit_alarm "
	  "temp10_label temp10_input temp10_max temp10_crit temp10_crit_alarm "
	  "temp12_label temp12_input temp12_max temp12_crit temp12_crit_alarm; "
	  "online 7 0; file " HWMON(1) "/temp10_input 56000; " /* read on the other thread of the core of CPU 7 */
	  "online 21 0; no-file " HWMON(1) "/temp10_input ENOENT; file " HWMON(1) "/temp12_input 56000" },
	{ "zen shows throttling by its sensor and by hsmp",
	  ZEN ",throttle=package-thermal:every=100:for=1:phase=20,throttle=prochot-external:every=100:for=1:phase=50",
	  "file " HWMON(1) "/name k10temp; list " HWMON(1) " name device/ temp1_label temp1_input; file " HSMP " 0; "
	  "at 20; file " HWMON(1) "/temp1_input 95000; file " HSMP " 0; "
	  "at 50; file " HWMON(1) "/temp1_input 55000; file " HSMP " 1; "
	  "use " ZEN ",hsmp=no; no-file " HSMP " ENOENT" },
	/* Each die of Intel and each node of AMD has a device; its label has the number of the die. */
	{ "a package of several dies or nodes has several sensors", "cascadelake-ap-1s",
	  "list sys/class/hwmon hwmon0/ hwmon3/ hwmon1/; file " HWMON(1) "/temp1_label Package id 1; "
	  "file " HWMON(1) "/temp7_label Core 5; no-file " HWMON(3) "/temp7_label ENOENT; "
	  "use naples-1s; "
	  "list sys/class/hwmon hwmon7/ hwmon5/ hwmon3/ hwmon1/; file " HWMON(5) "/device/numa_node 1; "
	  "file sys/devices/system/node/node1/cpulist 2-3,10-11" },
	{ "the scripted hour follows its table", "throttled-hour,clock=stepped", THE_HOUR("0x690") },
	{ "the scripted hour of another machine follows its table", "skylake-sp-2s,clock=stepped,throttle=hour",
	  THE_HOUR("0x64f") },
};

TEST_STORIES(episodes_happen_as_the_manuals_say, play, episodes)

TEST(each_ready_machine_has_the_registers_that_dumps_of_it_show)
{
	static const struct { const char *what; const uint32_t there[20], not_there[20]; } t[] = {
		{ "nehalem-1s", { 0x34, 0xce, 0xe7, 0xe8, 0x198, 0x199, 0x19a, 0x19c, 0x1a2, 0x1fc },
		  { 0x1b1, 0x606, 0x610, 0x613, 0x61b, 0x63b, 0x64f, 0x690, 0x6b0, 0x6b1, 0x777 } },
		{ HSW, { 0x19c, 0x1b1, 0x606, 0x610, 0x613, 0x61b, 0x690, 0x6b1 },
		  { 0x63b, 0x64f, 0x6b0, 0x770, 0x777, 0xc0010061 } },
		{ SKX, { 0x1b1, 0x613, 0x61b, 0x64f, 0x690, 0x6b1, 0x770, 0x771, 0x774, 0x777 }, { 0x63b, 0x6b0 } },
		{ ICX, { 0x1b1, 0x613, 0x61b, 0x63b, 0x64f, 0x690, 0x6b1 }, { 0x6b0, 0x777, 0x771 } },
		{ ZEN, { 0xe7, 0xe8, 0xc0010061, 0xc0010062, 0xc0010063, 0xc0010064 },
		  { 0x34, 0xc1, 0xce, 0x186, 0x198, 0x199, 0x19a, 0x19c, 0x1a0, 0x1a2, 0x1b1, 0x1fc,
		    0x38f, 0x606, 0x690, 0x777 } },
		{ "generic", { 0x198 }, { 0x19a, 0x19c, 0x1b1, 0x1a2, 0x34, 0xe7, 0x690 } },
	};

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		use(t[i].what);
		check_registers(t[i].what, t[i].there, t[i].not_there);
	}
}

TEST(other_models_have_their_own_registers)
{
	static const struct { const char *signature; const uint32_t there[8], not_there[8]; } t[] = {
		{ "0x000806f8", { 0x613, 0x63b, 0x6b1 }, { 0x690, 0x64f, 0x6b0 } }, /* Sapphire Rapids */
		{ "0x000306c3", { 0x613, 0x690, 0x6b0, 0x6b1 }, { 0x63b, 0x64f } }, /* Haswell */
		{ "0x000906e9", { 0x64f, 0x690, 0x6b0, 0x6b1 }, { 0x63b } },        /* Kaby Lake */
		{ "0x00090672", { 0x64f, 0x6b0, 0x6b1 }, { 0x690, 0x63b } },        /* Alder Lake */
		{ "0x000206d7", { 0x613, 0x61b, 0x63b }, { 0x690, 0x6b1 } }, /* Sandy Bridge-EP */
		{ "0x00050663", { 0x690, 0x6b1 }, { 0x63b, 0x64f, 0x6b0 } }, /* Broadwell-DE */
		{ "0x000706a8", { 0x613, 0x61b }, { 0x63b, 0x690, 0x6b1 } }, /* Goldmont Plus */
		{ "0x000006f6", { 0x19c }, { 0x1a2, 0x34, 0x1fc, 0x606, 0x613 } }, /* Core 2 */
	};

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		use_model(t[i].signature, "");
		check_registers(t[i].signature, t[i].there, t[i].not_there);
	}
	use_model("0x000706a8", "");
	ck_assert_uint_eq(rd(sim, 0, 0x61b), 0x58f0); /* a constant on Goldmont Plus, not a time */
}

/* ---- status and log bits ---- */

/* During an episode only the cause of the episode is reported; uncore-throttle.bats tests all other bits. */
TEST(an_episode_sets_its_bits_in_every_register_that_has_them)
{
	static const struct { const char *what; uint32_t msr; uint64_t bits; } t[] = {
		{ HSW ",throttle=core-thermal", PACKAGE, 0 },
		{ HSW ",throttle=package-thermal", 0x690, 0x20002 },
		{ HSW ",throttle=prochot-external", PACKAGE, 0xc },
		{ HSW ",throttle=prochot-external", 0x690, 0x10001 },
		{ HSW ",throttle=prochot-external", 0x6b1, 0 }, /* 0x6b1 of a Xeon reads 0 */
		{ HSW ",throttle=critical-temperature:core=0", PACKAGE, 0 },
		{ HSW ",throttle=critical-temperature", PACKAGE, 0x30 },
		{ HSW ",throttle=power-limit", PACKAGE, 0xc00 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		uint64_t mask = t[i].msr == THERM || t[i].msr == PACKAGE ? 0xffff : UINT64_MAX, bits;

		use(t[i].what);
		bits = rd(sim, 0, t[i].msr) & mask;
		ck_assert_msg(bits == t[i].bits, "%s 0x%x: 0x%llx", t[i].what, t[i].msr, (unsigned long long)bits);
	}
}

/* ---- temperature, frequency, counts ---- */

TEST(simultaneous_causes_leave_half_of_the_frequency)
{
	/*
	 * PROCHOT takes 0.4 of the clock, heat 0.3. PROCHOT and heat may coincide, so both are scaled to take 0.5
	 * together.
	 */
	uint64_t before = 0;

	use(HSW ",throttle=prochot-external:every=10:for=4,"
	    "throttle=core-thermal:core=0:every=4:for=1");
	to(sim, 0.5);
	ck_assert_uint_eq(rd(sim, 0, 0x198) >> 8 & 0xff, 11);
	for (unsigned i = 1; i < 100; i++) {
		uint64_t aperf;

		to(sim, 0.5 + i * 0.1);
		aperf = rd(sim, 0, 0xe8);
		ck_assert_uint_ge(aperf - before, 115000000 - 1000);
		before = aperf;
	}
	/* The episodes of the two causes never coincide, so nothing is scaled. */
	use(HSW ",throttle=prochot-external:every=10:for=4,"
	    "throttle=core-thermal:every=20:for=1:phase=5");
	ck_assert_uint_eq(rd(sim, 0, 0x198) >> 8 & 0xff, 13);
	to(sim, 5);
	ck_assert_uint_eq(rd(sim, 0, 0x198) >> 8 & 0xff, 16);
}

TEST(what_a_processor_cannot_show_does_not_slow_it_down)
{
	static const char *const none[] = {
		HSW ",throttle=cross-domain", ICX ",throttle=cross-domain", WSM ",throttle=vr-thermal",
		WSM ",throttle=package-thermal", WSM ",throttle=power-limit",
		WSM ",throttle=current-limit",
	};

	for (size_t i = 0; i < ARRAY_SIZE(none); i++) {
		use(none[i]);
		to(sim, 10);
		ck_assert_uint_eq(rd(sim, 0, 0xe8), rd(sim, 0, 0xe7));
	}
	use(SKX ",throttle=cross-domain");
	to(sim, 10);
	ck_assert_uint_lt(rd(sim, 0, 0xe8), rd(sim, 0, 0xe7));
}

TEST(power_and_memory_limits_add_up_in_their_time_counters)
{
	uint64_t p0, p1;

	use(HSW ",throttle=power-limit:package=0:every=10:for=2:phase=1,"
	    "throttle=dimm-thermal:package=1:every=10:for=3:phase=1");
	p0 = rd(sim, 0, 0x613);
	p1 = rd(sim, 6, 0x613);
	ck_assert_uint_eq(rd(sim, 0, 0x606) >> 16 & 0xf, 10); /* the unit of time is 1/1024 s */
	to(sim, 10);
	ck_assert_uint_eq(rd(sim, 0, 0x613) - p0, 2048);
	ck_assert_uint_eq(rd(sim, 6, 0x613) - p1, 0);
	ck_assert_uint_eq(rd(sim, 0, 0x61b), 0);
	ck_assert_uint_eq(rd(sim, 6, 0x61b), 3072);
	to(sim, 1e8); /* the counter wraps at 32 bits */
	ck_assert_uint_le(rd(sim, 0, 0x613), UINT32_MAX);
}

/* ---- Westmere: registers and uncore events agree ---- */

TEST(on_westmere_status_bits_hold_while_their_events_count)
{
	static const struct { unsigned cpu; uint64_t bit; } of[] = { { 0, 1 }, { 2, 1 }, { 6, 4 } };
	uint64_t before[4] = { 0 };

	use("westmere-2s,clock=stepped");
	/* events: cores 0 and 1 above their threshold; PROCHOT of core 3; throttled memory */
	play_steps(&sim_steps, __func__, "write 0 0x391 0; write 0 0x3b0 0; write 0 0x3c0 0x400180; write 0 0x3b1 0; "
		   "write 0 0x3c1 0x400280; write 0 0x3b2 0; write 0 0x3c2 0x400883; write 0 0x3b3 0; "
		   "write 0 0x3c3 0x400167; write 0 0x391 0xf");
	for (unsigned i = 0; i < 240; i++) {
		bool now[3];

		for (unsigned n = 0; n < 3; n++)
			now[n] = rd(sim, of[n].cpu, THERM) & of[n].bit;
		to(sim, (i + 1) * 0.5);
		for (unsigned n = 0; n < 3; n++) {
			uint64_t count = rd(sim, 0, 0x3b0 + n);

			ck_assert_msg((count > before[n]) == now[n], "%u at %u/2 s", n, i);
			before[n] = count;
		}
	}
	ck_assert_uint_eq(rd(sim, 0, 0x3b3), 53333333ull * 4); /* memory was throttled in two episodes of 2 s */
	ck_assert_uint_eq(therm_bits(sim, 4, THERM) & 3, 0);
}

TEST(extreme_times_do_no_harm)
{
	use(HSW ",throttle=core-thermal:every=18446744072:for=18446744072:phase=1,"
	    "throttle=core-thermal:for=18446744072:phase=18446744072,"
	    "throttle=smi:every=0.000000001:for=0.000000001:rate=1000000,"
	    "throttle=package-thermal:every=0.000000002:for=0.000000001");
	for (unsigned i = 0; i < 5; i++) {
		uint64_t aperf = rd(sim, 0, 0xe8);

		rd(sim, 0, THERM);
		rd(sim, 0, PACKAGE);
		rd(sim, 0, 0x34);
		sim_file(sim, CPU(0) COUNT "total_time_ms");
		sim_file(sim, CPU(0) PKG_COUNT "count");
		uncoremsr_sim_advance(sim, UINT64_MAX / 4);
		ck_assert(i > 3 || rd(sim, 0, 0xe8) != aperf);
	}
}

SUITE(sim_thermal)
