/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Descriptions of simulated machines, and recorded CPUID leaves. A machine has exactly what its file describes, and a
 * faulty file is refused with the number of the faulty line.
 *
 * Uses internal headers, because the texts of the built-in machines are compared.
 */
#include <check.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "sim/machines.h"
#include "steps.h"
#include "suite.h"

#define S SECOND

FIXTURE(.teardown = free_sim)

/* ---- CPUID from a file ---- */

static void refused_text(const char *data, size_t size, const char *format, const char *part)
{
	char path[FD_PATH_SIZE], what[80];
	int fd = file_in_memory(path, data, size);

	snprintf(what, sizeof(what), format, path);
	expect_no_sim(what, -EINVAL, part);
	close(fd);
}

static const char dump[] =
	"CPU 0:\n"
	"   0x00000000 0x00: eax=0x00000001 ebx=0x68747541 ecx=0x444d4163 edx=0x69746e65\n"
	"   0x00000001 0x00: eax=0x00100f42 ebx=0x00000800 ecx=0x00000001 edx=0x00000002\n"
	"CPU 1:\n"
	"   0x00000001 0x00: eax=0x00100f42 ebx=0x01000800 ecx=0x00000001 edx=0x00000002\n";

static void use_dump(const char *keys)
{
	char path[FD_PATH_SIZE], what[120];
	int fd = file_in_memory(path, dump, strlen(dump));

	snprintf(what, sizeof(what), "westmere-2s,cpuid=%s%s", path, keys);
	use(what);
	close(fd);
}

TEST(cpuid_may_come_from_a_file_and_later_cpus_are_like_its_first)
{
	uint32_t r[4];

	use_dump("");
	uncoremsr_sim_cpuid(sim, 1, 1, 0, r);
	ck_assert_uint_eq(r[1], 0x01000800);
	uncoremsr_sim_cpuid(sim, 7, 1, 0, r);
	ck_assert_uint_eq(r[1], 0x800);
	uncoremsr_sim_cpuid(sim, 1, 0, 0, r); /* the file has no leaves for CPU 1, so CPU 1 has the leaves of CPU 0 */
	ck_assert_uint_eq(r[1], 0x68747541);
	uncoremsr_sim_cpuid(sim, 0, 0xa, 0, r);
	ck_assert_uint_eq(r[0], 0);
	ck_assert_ptr_nonnull(strstr(sim_file(sim, "proc/cpuinfo"), "vendor_id\t: AuthenticAMD\n"
				     "cpu family\t: 16\nmodel\t\t: 4\n"));
}

/* Leaves of "leaf=" are appended to the leaves of the file, so the array must have room for both. */
TEST(leaves_may_follow_a_cpuid_file)
{
	uint32_t r[4];

	use_dump(",leaf=0x6 0 1 2 3 4 cpus=0-23");
	for (unsigned cpu = 0; cpu < 24; cpu++) {
		ck_assert_int_eq(uncoremsr_sim_cpuid(sim, cpu, 6, 0, r), 0);
		ck_assert_uint_eq(r[3], 4);
	}
}

TEST(a_damaged_cpuid_file_is_refused_with_its_line)
{
	refused_text(dump, strlen(dump) - 4, "generic,cpuid=%s", ":5:");
	refused_text(dump + 7, strlen(dump) - 7, "generic,cpuid=%s", ":1:");
	refused_text("", 0, "generic,cpuid=%s", "no CPUID leaf");
	expect_no_sim("generic,cpuid=/nonexistent/x", -ENOENT, "/nonexistent/x");
}

/* ---- descriptions ---- */

TEST(every_ready_machine_can_be_made_and_has_a_title)
{
	const char *name, *title;
	size_t n = 0;

	while ((name = uncoremsr_sim_machine(n, &title))) {
		use(name);
		ck_assert_str_eq(uncoremsr_sim_state(sim)->name, name);
		ck_assert_int_eq(strncmp(sim_file(sim, "sim/title"), title, strlen(title)), 0);
		n++;
	}
	ck_assert_uint_eq(n, 24);
}

static struct uncoremsr_sim *copy;

/* Compare a file, or all files below a directory; only the machine's name may differ. */
static int same_file(void *user, const char *name, int is_dir)
{
	struct { struct uncoremsr_sim *sim; const char *dir; } *here = user, below = { sim, NULL };
	static char buf[2][65536];
	char path[512];
	long size;

	snprintf(path, sizeof(path), "%s%s%s", here->dir, *here->dir ? "/" : "", name);
	below.dir = path;
	if (is_dir)
		return uncoremsr_sim_file_list(sim, path, same_file, &below);
	if (!strcmp(path, "sim/name"))
		return 0;
	size = uncoremsr_sim_file_read(sim, path, buf[0], sizeof(buf[0]));
	ck_assert_int_eq(uncoremsr_sim_file_read(copy, path, buf[1], sizeof(buf[1])), size);
	size = size < (long)sizeof(buf[0]) ? size : (long)sizeof(buf[0]);
	ck_assert_msg(size <= 0 || !memcmp(buf[0], buf[1], (size_t)size), "%s: %s", uncoremsr_sim_state(sim)->name,
		      path);
	return 0;
}

static void same_registers(unsigned cpu, uint32_t first, uint32_t last)
{
	for (uint32_t msr = first; msr <= last; msr++) {
		uint64_t a = 0, b = 0;

		ck_assert_int_eq(uncoremsr_sim_rdmsr(sim, cpu, msr, &a), uncoremsr_sim_rdmsr(copy, cpu, msr, &b));
		ck_assert_msg(a == b, "%s: CPU %u, register 0x%x", uncoremsr_sim_state(sim)->name, cpu, msr);
	}
}

TEST(the_text_of_a_ready_machine_in_a_file_makes_the_same_machine)
{
	struct { struct uncoremsr_sim *sim; const char *dir; } top = { NULL, "" };
	const struct um_sim_builtin *m;
	char path[FD_PATH_SIZE], what[80];

	for (size_t i = 0; (m = um_sim_builtin_at(i)); i++) {
		int fd = file_in_memory(path, m->text, strlen(m->text));

		snprintf(what, sizeof(what), "%s,clock=stepped", path);
		copy = sim_or_fail(what);
		close(fd);
		snprintf(what, sizeof(what), "%s,clock=stepped", m->name);
		use(what);
		advance(sim, 31 * S);
		advance(copy, 31 * S);
		ck_assert_int_eq(uncoremsr_sim_file_list(sim, "", same_file, &top), 0);
		for (unsigned cpu = 0; cpu < 12; cpu++) {
			same_registers(cpu, 0, 0xfff);
			same_registers(cpu, 0x1400, 0x14ff);
			same_registers(cpu, 0x2000, 0x3fff);
			same_registers(cpu, 0xc0010000, 0xc00102ff);
		}
		uncoremsr_sim_free(copy);
	}
}

TEST(a_description_includes_machines_parts_and_files)
{
	static const char data[] = "include = nehalem-1s\ntitle = mine\nrate = 0xaa:0x1=20\nend\n";
	char path[FD_PATH_SIZE], what[64];
	int fd = file_in_memory(path, data, strlen(data));

	snprintf(what, sizeof(what), "%s,clock=stepped,start=0", path);
	use(what);
	ck_assert_str_eq(sim_file(sim, "sim/title"), "mine\n");
	/* The second event is from the description that nehalem-1s includes. */
	play_steps(&sim_steps, __func__, "write 0 0x391 1; count 0 0x3c0 0x3b0 0x4001aa 20; "
		   "count 0 0x3c0 0x3b0 0x400103 52000000");
	snprintf(what, sizeof(what), "generic,include=%s", path);
	expect_no_sim(what, -EINVAL, "CPU 0 is already in a package");
	close(fd);
	expect_no_sim(what, -ENOENT, path);
	expect_no_sim("generic,include=", -EINVAL, "missing");
	expect_no_sim("generic,include=ring", -EINVAL, "no machine or part 'ring'");
	expect_no_sim("ring-events", -ENOENT, "no simulated machine 'ring-events'");
}

TEST(a_description_that_includes_itself_is_refused)
{
	char path[FD_PATH_SIZE], what[64];
	int fd = file_in_memory(path, "", 0);

	dprintf(fd, "include = %s\nend\n", path);
	snprintf(what, sizeof(what), "generic,include=%s", path);
	expect_no_sim(what, -EINVAL, "more than 32 texts");
	close(fd);
}

/* Parameters that are refused after @machine, each with a part of the error message. */
static const struct {
	const char *machine;
	struct { const char *parameter, *part; } rows[64];
} wrong[] = {
	{ "westmere-2s,", {
		{ "start=0x8z", "'0x8z'" }, { "start=-1", "'-1'" }, { "start=", "missing" },
		{ "start=0x1000000000000", "'0x1000000000000'" }, { "seed=1 2", "'1 2'" },
		{ "clock=fast", "'fast'" }, { "bogus=1", "bogus" }, { "bogus", "bogus" },
		{ "rate=0x82=5", "few" },
		{ "rate=5", "'5'" }, { "silent=x", "'x'" }, { "set=1:y", "'y'" },
		{ "set=0x19c:0:cpu=99", "99" }, { "hotplug=a:on:at=1", "'a'" },
		{ "foreign=b:1:at=1", "'b'" }, { "foreign=1:c:at=1", "'c'" },
		{ "rate=0x182:1=5", "'0x182'" }, { "rate=1:1=x", "'x'" },
		{ "rate=1:1=18446744073709551616", "'18446744073709551616'" }, { "busy=9", "'9'" },
		{ "busy=3-1", "'3-1'" }, { "offline=99", "99" },
		{ "fail=read:0x391:EWHAT", "'EWHAT'" },
		{ "fail=peek:0x391:EIO", "'peek'" }, { "fail=read:0x391:EIO:cpu=77", "77" },
		{ "fail=read:0x391:EIO:cup=7", "'cup=7'" },
		{ "fail=read:0x5-0x4:EIO", "'0x5-0x4'" },
		{ "foreign=0x391:0", "few" }, { "foreign=0x391:0:at=1:after=1", "one of" },
		{ "foreign=0x777:0:at=1", "0x777" }, { "foreign=0x391:0:at=1:package=7", "7" },
		{ "hotplug=1:up:at=1", "'up'" }, { "hotplug=99:on:at=1", "99" },
		{ "slow=-1", "'-1'" },
		{ "slow=1.0000000001", "'1.0000000001'" }, { "slow=1.", "'1.'" },
		{ "open=1", "'1'" }, { "allow_writes=maybe", "'maybe'" }, { "uncore_hz=0", "'0'" },
		{ "event=1:1", "few" }, { "event=1:1 rate=1 inc=0", "inc='0'" },
		{ "event=1:1 rate=1 for=3", "every=" },
		{ "event=1:1 rate=1 every=2 for=3", "every=" },
		{ "event=1:1 rate=1 burst=episode", "burst=" },
		{ "event=1:1 rate=1 burst=0", "burst=" },
		{ "event=1:1 rate=1 package=9", "9" }, { "set=0x999:1", "0x999" },
		{ "set=0x393:1", "0x393" },
		{ "package=0 cores=0 cpus=0", "CPU 0" }, { "silent=", "missing" },
		{ "leaf=1 2 3", "few" },
		{ "package=3 cores=0,1 cpus=30", "2 cores" },
		{ "seed=1,", "'1,'" }, { ",seed=1", "''" }, { "", "''" },
	} },
	{ "haswell-ep-2s,throttle=", {
		{ "heat", "'heat'" }, { "none core=1", "'none'" }, { "hour for=1", "'hour'" },
		{ "core-thermal core=99", "core 99" }, { "smi package=7", "package 7" },
		{ "package-thermal core=0", "package" }, { "prochot-external core=0", "one core" },
		{ "core-thermal every=10", "for=" }, { "core-thermal phase=10", "for=" },
		{ "core-thermal every=10 for=11", "shorter" },
		{ "core-thermal every=10 for=0", "for=" }, { "power-limit rate=5", "smi" },
		{ "smi rate=0", "rate='0'" }, { "core-thermal events=maybe", "maybe" },
		{ "core-thermal core", "'core'" }, { "core-thermal for=-1", "for='-1'" },
	} },
	{ "haswell-ep-2s,", {
		{ "rate=cha:0x35:0x08=1", "no PMU 'cha'" }, { "rate=cbo:0x35=1", "a unit mask" },
		{ "rate=ubox:twoticks=1", "twoticks" }, { "units=cha 3", "no PMU 'cha'" },
		{ "units=cbo 3 package=7", "package 7" }, { "event=cbo:0x35:0x08 rate=1 package=4", "package 4" },
		{ "absent=cbo three", "three" }, { "uncore=pentium", "pentium" },
		{ "leaf=0x1a 0 1 2 3 4 cpus=x", "not a list" },
	} },
	{ "generic,", {
		{ "kernel_pmu=x", "too few words" }, { "kernel_pmu=x:type=4", "type='4'" },
		{ "kernel_pmu=x:counters=4", "type= is missing" },
		{ "kernel_pmu=x:type=9", "the same name or type" },
		{ "kernel_pmu=msr:type=90", "the same name or type" },
		{ "kernel_pmu=x_3-1:type=90", "not a range of units" },
		{ "kernel_pmu=x:type=90:cpumask=all", "neither 'package' nor a list" },
		{ "kernel_pmu=x:type=90:free_running=1", "none of: no yes" },
		{ "kernel_format=msr:x:config:7-0", "does not have the form" },
		{ "kernel_format=nosuch:x:config:0-7", "has no PMU 'nosuch'" },
		{ "kernel_rate=nosuch:0:1", "has no PMU 'nosuch'" },
		{ "kernel_rate=msr:0:1000000000000001", "from 0 to 1000000000000000" },
		{ "perf_fail=nosuch:EIO", "has no PMU 'nosuch'" }, { "perf_fail=msr:EWHAT", "not an errno" },
		{ "perf_fail=msr:EIO:step=close", "none of: open read" }, { "perf_limit=10,5", "SOFT,HARD" },
		{ "perf_paranoid=x", "not a level" }, { "perf_user=me", "none of: root nobody" },
		{ "kernel_uncore=maybe", "none of: no yes" },
	} },
};

TEST_EACH(wrong_parameters_are_refused_with_the_offending_part, ARRAY_SIZE(wrong))
{
	for (size_t i = 0; i < ARRAY_SIZE(wrong[_i].rows) && wrong[_i].rows[i].part; i++) {
		char what[200];

		snprintf(what, sizeof(what), "%s%s", wrong[_i].machine, wrong[_i].rows[i].parameter);
		expect_no_sim(what, -EINVAL, wrong[_i].rows[i].part);
	}
}

TEST(a_machine_that_does_not_exist_is_refused_with_the_reason)
{
	expect_no_sim("", -ENOENT, "westmere-2s");
	expect_no_sim("westmere", -ENOENT, "westmere-2s-holes");
	expect_no_sim("/nonexistent/machine", -ENOENT, "/nonexistent/machine");
	expect_no_sim("/", -EINVAL, "/");
	expect_no_sim("/dev/zero", -EINVAL, "/dev/zero: a device, a pipe or a socket, not a file");
	expect_no_sim("sandybridge-1s,busy=0", -EINVAL, "busy: only for Nehalem and Westmere; elsewhere set=");
}

TEST(a_file_describes_a_machine_in_the_format_of_the_ready_ones)
{
	static const char data[] = "# a test machine\n\n  title = two dies \r\n"
		"uncore = westmere\nclock=stepped # no waiting\n"
		"package = 4 cores=0 cpus=1 die=0\npackage = 4 cores=1 cpus=2 die=1\n"
		"event = 0xaa:0x1 rate=10\nend\n# nothing more\n\n";
	char path[FD_PATH_SIZE], what[80];
	int fd = file_in_memory(path, data, strlen(data));

	snprintf(what, sizeof(what), "%s,rate=0xaa:0x1=20,start=0", path);
	use(what);
	ck_assert_str_eq(uncoremsr_sim_state(sim)->name, path);
	ck_assert_str_eq(sim_file(sim, "sim/title"), "two dies\n");
	ck_assert_str_eq(sim_file(sim, "sys/devices/system/cpu/cpu2/topology/die_id"), "1\n");
	ck_assert_str_eq(sim_file(sim, "sys/devices/system/cpu/cpu2/topology/die_cpus_list"), "2\n");
	ck_assert_str_eq(sim_file(sim, "sys/devices/system/cpu/cpu2/topology/package_cpus_list"), "1-2\n");
	play_steps(&sim_steps, __func__, "write 1 0x3c0 0x4001aa; write 2 0x391 1; pass 1; read 2 0x3b0 20");
	close(fd);
}

static void refused_description(const char *data, const char *part)
{
	refused_text(data, strlen(data), "%s", part);
}

TEST(wrong_descriptions_are_refused_with_file_and_line)
{
	refused_description("package = 0 cores=0 cpus=0\n", ":1: the description stops");
	refused_description("", ":0: the description stops");
	refused_description("end\n", "no package");
	refused_description("package = 0 cores=0 cpus=0\nend\nseed = 1\n", ":3: text after");
	refused_description("\n\nwhat is this\nend\n", ":3: 'what is this'");
	refused_description("seed = 1\nsede = 1\nend\n", ":2: sede: ");
	refused_description("package = 0 cores=0 cpus=0,0-5000\nend\n", "cpus='0,0-5000'");
	refused_description("package = 0 cores= cpus=0\nend\n", "cores=''");
	refused_text("seed = 1\n\0\nend\n", 15, "%s", ":2: the line is too long");
}

static bool accepted(const char *data, size_t size)
{
	struct uncoremsr_sim *made;
	char path[FD_PATH_SIZE], what[80], error[512];
	int fd = file_in_memory(path, data, size), err;

	snprintf(what, sizeof(what), "%s,clock=stepped", path);
	err = uncoremsr_sim_new(&made, what, error, sizeof(error));
	close(fd);
	if (!err)
		uncoremsr_sim_advance(made, S);
	else
		ck_assert_uint_gt(strlen(error), 0);
	uncoremsr_sim_free(made);
	return !err;
}

TEST(a_truncated_description_is_always_noticed)
{
	const char *whole = um_sim_find_builtin("nehalem-1s")->text;
	size_t len = strlen(whole);

	for (size_t i = 0; i < len - 1; i++)
		ck_assert_msg(!accepted(whole, i), "the first %zu bytes of %zu", i, len);
	ck_assert(accepted(whole, len - 1));
	ck_assert(accepted(whole, len));
}

/* Counting an event compares it with all events of the same unit mask, so the number of events is limited. */
TEST(an_excessive_number_of_events_is_refused)
{
	static const char *const lines[] = { "event = 1:1 rate=1\n", "rate = 1:1=1\n" };
	static char data[100000];

	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		size_t len = strlen(lines[i]), at = 0;

		for (int n = 0; n < 2048; n++, at += len)
			strcpy(data + at, lines[i]);
		strcpy(data + at, "package = 0 cores=0 cpus=0\nend\n");
		ck_assert(accepted(data, strlen(data)));
		strcpy(data + at, lines[i]);
		refused_description(data, ":2049: ");
		refused_description(data, "more than 2048");
	}
}

SUITE(sim_texts)
