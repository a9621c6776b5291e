/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * POWER's counters in the simulated kernel: which events each level accepts, with which error it refuses
 * others, how counts grow, and when the nest's counters run or pause. The rules are those of a real POWER9
 * kernel (Linux arch/powerpc/perf/imc-pmu.c), the offsets those of POWER9's published catalog. Uses internal headers,
 * because it tests single calls of the simulated kernel.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "perf/kernel.h"
#include "sim/sim.h"
#include "suite.h"
#include "uncoremsr/sim.h"

#define SECOND 1000000000ull
#define CHIP "sys/firmware/opal/exports/imc_nest_chip_"
#define READS "PM_MCS01_64B_RD_DISP_PORT01"
#define RATED "power9-2s,clock=stepped,rate=" READS "=1000"
/* Sizes of the memory; offsets of a memory controller's read counter and of the control block. */
enum { NEST = 0x40000, PAGE = 0x2000, READ_WORDS = 0xc8, CONTROL = 0x3fc00 };
enum { STATUS = CONTROL, COMMAND = CONTROL + 8 };
enum { RUNNING = 1, PAUSED = 2, RESUME = 1, PAUSE = 2 };

static struct uncoremsr_sim *sim;
static struct um_perf_kernel *kernel;
static unsigned char memory[NEST];

static void begin(const char *machine)
{
	char text[256] = "";

	ck_assert_msg(!uncoremsr_sim_new(&sim, machine, text, sizeof(text)), "%s", text);
	ck_assert_int_eq(um_sim_perf_kernel(sim, &kernel), 0);
}

static void end(void)
{
	kernel->ops->destroy(kernel);
	uncoremsr_sim_free(sim);
}

FIXTURE(.teardown = end)

static uint32_t type_of(const char *pmu)
{
	char path[128], text[32] = "";

	snprintf(path, sizeof(path), "sys/bus/event_source/devices/%s/type", pmu);
	ck_assert_msg(uncoremsr_sim_file_read(sim, path, text, sizeof(text) - 1) > 0, "%s", path);
	return (uint32_t)strtoul(text, NULL, 10);
}

static int open_attr(struct um_perf_attr attr, const char *pmu, pid_t pid, int cpu)
{
	attr.type = type_of(pmu);
	return kernel->ops->open(kernel, &attr, pid, cpu, -1, 0);
}

static int open_at(const char *pmu, uint64_t config, pid_t pid, int cpu)
{
	return open_attr((struct um_perf_attr){ .config = { config } }, pmu, pid, cpu);
}

/* Return the error with which an event is refused, or 0. An event that was opened is closed again. */
static int answer(const char *pmu, uint64_t config, pid_t pid, int cpu)
{
	int fd = open_at(pmu, config, pid, cpu);

	if (fd >= 0)
		kernel->ops->close(kernel, fd);
	return fd < 0 ? fd : 0;
}

static uint64_t word_at(const char *chip, size_t at)
{
	char path[64];
	uint64_t word = 0;

	snprintf(path, sizeof(path), CHIP "%s", chip);
	ck_assert_int_eq(uncoremsr_sim_file_read(sim, path, (char *)memory, sizeof(memory)), NEST);
	for (size_t i = 0; i < 8; i++)
		word = word << 8 | memory[at + i];
	return word;
}

TEST(each_level_accepts_only_its_kind_of_target)
{
	static const struct {
		const char *pmu;
		pid_t pid;
		int cpu, err;
	} rows[] = {
		{ "nest_mcs01_imc", -1, 0, 0 }, { "nest_mcs01_imc", -1, 15, 0 },
		{ "nest_mcs01_imc", 7, -1, -EINVAL }, { "nest_mcs01_imc", 7, 0, -EINVAL },
		{ "nest_mcs01_imc", -1, -1, -EINVAL }, { "nest_mcs01_imc", -1, 16, -EINVAL },
		{ "core_imc", -1, 0, 0 }, { "core_imc", -1, 3, 0 }, { "core_imc", 7, 0, -EINVAL },
		{ "core_imc", -1, -1, -EINVAL },
		{ "thread_imc", 7, -1, 0 }, { "thread_imc", 7, 2, 0 }, { "thread_imc", -1, 0, -EINVAL },
		/* refused, because sample_period is missing */
		{ "trace_imc", 7, -1, -ENOENT }, { "trace_imc", -1, 0, -ENOENT },
	};

	begin("power9-2s");
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		ck_assert_msg(answer(rows[i].pmu, 0x28, rows[i].pid, rows[i].cpu) == rows[i].err,
			      "row %zu, %s", i, rows[i].pmu);
}

TEST(an_offset_up_to_the_size_is_accepted_and_higher_bits_are_ignored)
{
	begin("power9-2s");
	ck_assert_int_eq(answer("nest_mcs01_imc", NEST, -1, 0), 0);
	ck_assert_int_eq(answer("nest_mcs01_imc", NEST + 1, -1, 0), -EINVAL);
	ck_assert_int_eq(answer("core_imc", PAGE, -1, 0), 0);
	ck_assert_int_eq(answer("core_imc", PAGE + 1, -1, 0), -EINVAL);
	ck_assert_int_eq(answer("thread_imc", PAGE, 7, -1), 0);
	ck_assert_int_eq(answer("thread_imc", 0xfffffff8, 7, -1), -EINVAL);
	/* the event has rvalue=1,mode=3 */
	ck_assert_int_eq(answer("nest_mcs01_imc", 0x700000000 | READ_WORDS, -1, 0), 0);
}

TEST(exclude_bits_are_refused_and_only_trace_can_sample)
{
	static const struct um_perf_sampling each = { .period = 1000 };
	static const struct um_perf_attr refused[] = {
		{ .exclude_user = true }, { .exclude_kernel = true }, { .exclude_hv = true },
		{ .exclude_idle = true }, { .exclude_host = true }, { .exclude_guest = true },
		{ .sampling = &each },
	};
	static const char *const pmus[] = { "nest_mcs01_imc", "core_imc", "thread_imc" };
	int fd;

	begin("power9-2s");
	for (size_t p = 0; p < 3; p++)
		for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++)
			ck_assert_int_eq(open_attr(refused[i], pmus[p], p == 2 ? 7 : -1, p == 2 ? -1 : 0), -EINVAL);
	ck_assert_int_eq(open_attr((struct um_perf_attr){ .sampling = &each, .exclude_guest = true },
				   "trace_imc", -1, 0), -EINVAL);
	/* The config word of trace_imc is not an offset in memory. */
	fd = open_attr((struct um_perf_attr){ .config = { 0x10200000 }, .sampling = &each }, "trace_imc", -1, 0);
	ck_assert_int_ge(fd, 0);
	kernel->ops->close(kernel, fd);
}

TEST(core_thread_and_trace_exclude_each_other_everywhere)
{
	static const struct um_perf_sampling each = { .period = 1000 };
	const struct um_perf_attr traced = { .sampling = &each };
	int first, second;

	begin("power9-2s");
	first = open_at("core_imc", 0x28, -1, 0);
	second = open_at("core_imc", 0x30, -1, 12);
	ck_assert(first >= 0 && second >= 0);
	ck_assert_int_eq(answer("thread_imc", 0x10e0, 7, -1), -EBUSY);
	ck_assert_int_eq(open_attr(traced, "trace_imc", -1, 8), -EBUSY);
	ck_assert_int_eq(answer("nest_mcs01_imc", READ_WORDS, -1, 0), 0);
	kernel->ops->close(kernel, first);
	ck_assert_int_eq(answer("thread_imc", 0x10e0, 7, -1), -EBUSY);
	kernel->ops->close(kernel, second);
	ck_assert_int_eq(answer("thread_imc", 0x10e0, 7, -1), 0);

	first = open_attr(traced, "trace_imc", 7, -1);
	ck_assert_int_ge(first, 0);
	ck_assert_int_eq(answer("core_imc", 0x28, -1, 0), -EBUSY);
	ck_assert_int_eq(answer("thread_imc", 0x10e0, 7, -1), -EBUSY);
	kernel->ops->close(kernel, first);
	first = open_at("nest_mcs01_imc", READ_WORDS, -1, 0);
	ck_assert_int_eq(answer("core_imc", 0x28, -1, 0), 0);
	kernel->ops->close(kernel, first);
}

TEST(thread_events_need_the_privilege_at_any_paranoid_level)
{
	static const struct um_perf_sampling each = { .period = 1000 };

	begin("power9-2s,perf_user=nobody,perf_paranoid=-1");
	ck_assert_int_eq(answer("nest_mcs01_imc", READ_WORDS, -1, 0), 0);
	ck_assert_int_eq(answer("core_imc", 0x28, -1, 0), 0);
	ck_assert_int_eq(answer("thread_imc", 0x10e0, 7, -1), -EACCES);
	ck_assert_int_eq(open_attr((struct um_perf_attr){ .sampling = &each }, "trace_imc", 7, -1), -EACCES);
	ck_assert_int_eq(uncoremsr_sim_file_read(sim, CHIP "0", (char *)memory, sizeof(memory)), -EACCES);
}

TEST(paused_memory_stands_still_until_a_nest_event_is_open)
{
	uint64_t first;
	int fd;

	begin(RATED ",nest=paused at=1");
	first = word_at("0", READ_WORDS);
	ck_assert_uint_eq(word_at("0", STATUS), RUNNING);
	ck_assert_int_eq(uncoremsr_sim_advance(sim, 3 * SECOND), 1);
	ck_assert_uint_eq(word_at("0", STATUS), PAUSED);
	ck_assert_uint_eq(word_at("0", COMMAND), PAUSE);
	ck_assert_uint_eq(word_at("0", READ_WORDS) - first, 1000);
	fd = open_at("core_imc", 0x28, -1, 0);
	ck_assert_uint_eq(word_at("0", STATUS), PAUSED);
	kernel->ops->close(kernel, fd);

	fd = open_at("nest_mcs23_imc", 0x48, -1, 0);
	ck_assert_uint_eq(word_at("0", STATUS), RUNNING);
	ck_assert_uint_eq(word_at("0", COMMAND), RESUME);
	first = word_at("0", READ_WORDS);
	ck_assert_int_eq(uncoremsr_sim_advance(sim, SECOND), 1);
	ck_assert_uint_eq(word_at("0", READ_WORDS) - first, 1000);
	kernel->ops->close(kernel, fd);
	ck_assert_uint_eq(word_at("0", STATUS), PAUSED);
}

SUITE(imc_kernel)
