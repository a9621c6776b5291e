/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Kinds of cores: each bit of their CPUID leaves, and what the kernel's files add. For whole processors see
 * tests/kept/dumps.
 *
 * Uses internal headers, because the tests change single bits of a leaf.
 */
#include <errno.h>
#include <string.h>

#include "fake_tree.h"
#include "machine/core_kind.h"
#include "machine/handle.h"
#include "suite.h"

/* ---- fields, bit by bit ---- */

static const struct leaf {
	uint32_t leaf, subleaf, regs[4];
} recorded[] = {
	{ 0x0, 0, { 0x23, 0x756e6547, 0x6c65746e, 0x49656e69 } },
	{ 0x1, 0, { 0x000c06f2, 0, 0, 0 } },
	{ 0x7, 0, { 0, 0, 0, 0x88000 } },
	{ 0xa, 0, { 0x08300805, 0, 0xf, 0x8604 } },
	{ 0xb, 0, { 0xffffffe1, 0xffff0002, 0xffff0100, 0 } },
	{ 0xb, 1, { 0xffffffe7, 0xffff0040, 0xffff0201, 0 } },
	{ 0x1a, 0, { 0x40000001, 0, 0, 0 } },
	{ 0x1c, 0, { 0xffffff01, 0, 0, 0 } },
	{ 0x1f, 0, { 0xffffffe1, 0xffff0002, 0xffff0100, 0 } },
	{ 0x1f, 1, { 0xffffffe7, 0xffff0040, 0xffff0201, 0 } },
	{ 0x23, 0, { 0x1, 0, 0x8, 0 } },
	{ 0x23, 1, { 0xff, 0x7, 0, 0 } },
	{ 0x23, 3, { 0x1f, 0, 0, 0 } },
};

static struct leaf answers[ARRAY_SIZE(recorded)];

static void record(void)
{
	memcpy(answers, recorded, sizeof(answers));
}

FIXTURE(.setup = record)

static uint32_t *answer(uint32_t leaf, uint32_t subleaf)
{
	for (size_t i = 0; i < ARRAY_SIZE(answers); i++)
		if (answers[i].leaf == leaf && answers[i].subleaf == subleaf)
			return answers[i].regs;
	return NULL;
}

static int answer_cpuid(struct um_access *a, unsigned cpu, uint32_t leaf, uint32_t subleaf, uint32_t regs[4])
{
	const uint32_t *from = answer(leaf, subleaf);

	(void)a, (void)cpu;
	if (!from)
		return -ENOENT;
	memcpy(regs, from, 4 * sizeof(*regs));
	return 0;
}

static struct um_core_kind asked;

static void ask(void)
{
	struct fake_tree f;

	fake_init(&f);
	f.ops.cpuid = answer_cpuid;
	ck_assert_int_eq(um_core_kind_read(&asked, &f.base, 0), 0);
	um_core_kind_set_events(&asked);
	fake_free(&f);
}

static void expect_level(size_t index, unsigned type, unsigned shift, unsigned cpus)
{
	ck_assert_uint_gt(asked.num_levels, index);
	ck_assert_uint_eq(asked.levels[index].type, type);
	ck_assert_uint_eq(asked.levels[index].shift, shift);
	ck_assert_uint_eq(asked.levels[index].cpus, cpus);
}

static void expect_if(bool is_known, int64_t is, int64_t v)
{
	ck_assert_int_eq(is, is_known ? v : -1);
}

/* Leaf 0 returns the highest leaf; no leaf above it is read. Leaf 0x1F is preferred to 0xB. */
TEST(a_leaf_is_read_only_up_to_the_highest_leaf)
{
	for (uint32_t max = 0xa; max <= 0x24; max++) {
		answer(0, 0)[0] = max;
		ask();
		ck_assert_int_eq(asked.pub.hybrid, 1);
		expect_if(max >= 0x1a, (int64_t)asked.pub.type, 0x40);
		expect_if(max >= 0x1c, (int64_t)asked.pub.lbr_depth, 8);
		expect_if(max >= 0xb, (int64_t)asked.pub.topology_leaf, max >= 0x1f ? 0x1f : 0xb);
		expect_if(max >= 0x23, (int64_t)asked.pub.leaf_0x23_slots, 8);
	}
	answer(0, 0)[0] = 6;
	ask();
	ck_assert_int_eq(asked.pub.hybrid, 0);
	answer(0, 0)[0] = 7;
	ask();
	ck_assert_int_eq(asked.pub.hybrid, 1);
}

/* SDM volume 2A, CPUID: 0x1A EAX, type 31:24 and model 23:0; 0x1C EAX 7:0, one bit for each multiple of 8 records. */
TEST(every_bit_of_core_type_and_branch_records_is_decoded)
{
	for (unsigned bit = 0; bit < 32; bit++) {
		answer(0x1a, 0)[0] = 1u << bit;
		ask();
		ck_assert_uint_eq(asked.pub.type, bit < 24 ? 0 : 1u << (bit - 24));
		ck_assert_uint_eq(asked.pub.native_model, bit < 24 ? 1u << bit : 0);
		answer(0x1c, 0)[0] = 1u << bit;
		ask();
		expect_if(bit < 8, (int64_t)asked.pub.lbr_depth, 8 * (bit + 1));
		answer(0x1c, 0)[0] = 1;
		answer(7, 0)[3] = ~(1u << bit);
		ask();
		ck_assert_int_eq(asked.pub.hybrid, bit != 15);
		expect_if(bit != 19, (int64_t)asked.pub.lbr_depth, 8);
	}
}

/* Leaf 1: EDX bit 21 means debug store, ECX bit 15 register 0x345, ECX bit 31 a hypervisor. */
TEST(each_flag_of_leaf_1_has_its_own_bit)
{
	for (unsigned bit = 0; bit < 32; bit++) {
		answer(1, 0)[3] = 1u << bit;
		ask();
		ck_assert_int_eq(asked.pub.debug_store, bit == 21);
		answer(1, 0)[2] = 1u << bit;
		ask();
		ck_assert_int_eq(asked.pub.hypervisor, bit == 31);
		ck_assert_int_eq(asked.has_capabilities, bit == 15);
		expect_if(bit != 15, (int64_t)asked.pub.full_width, 0);
	}
}

/* SDM volume 2A, CPUID leaf 0x1F: EAX 4:0 shift, EBX 15:0 CPUs, ECX 15:8 type, which is 0 after the last level. */
TEST(every_bit_of_the_topology_levels_is_decoded)
{
	for (unsigned bit = 0; bit < 16; bit++) {
		answer(0x1f, 0)[1] = 0xffff0000 | 1u << bit;
		ask();
		expect_level(0, 1, 1, 1u << bit);
		expect_level(1, 2, 7, 0x40);
		answer(0x1f, 0)[1] = 2;
		answer(0x1f, 0)[0] = ~0x1fu | (bit < 5 ? 1u << bit : 0);
		ask();
		expect_level(0, 1, bit < 5 ? 1u << bit : 0, 2);
		answer(0x1f, 0)[0] = 1;
		answer(0x1f, 1)[2] = 0xffff0000 | 1u << bit;
		ask();
		ck_assert_uint_eq(asked.num_levels, bit < 8 ? 1 : 2);
		if (bit >= 8)
			expect_level(1, 1u << (bit - 8), 7, 0x40);
		answer(0x1f, 1)[2] = 0x201;
	}
	/* If the first level has no CPUs, the leaf is not valid, and the older leaf 0xB is used. */
	answer(0x1f, 0)[1] = 0xffff0000;
	answer(0xb, 0)[1] = 4;
	ask();
	ck_assert_uint_eq(asked.pub.topology_leaf, 0xb);
	expect_level(0, 1, 1, 4);
}

/* 0xA EBX: each set bit stands for an absent event; EAX 31:24 is the number of valid bits. */
TEST(each_absent_event_has_its_own_bit)
{
	for (unsigned bit = 0; bit < 8; bit++) {
		answer(0xa, 0)[1] = 1u << bit;
		ask();
		for (unsigned other = 0; other < UM_ARCH_EVENTS; other++)
			ck_assert_int_eq(asked.events[other].state,
					 other >= 8 ? UNCOREMSR_EVENT_NOT_LISTED
					 : other == bit ? UNCOREMSR_EVENT_ABSENT : UNCOREMSR_EVENT_PRESENT);
	}
	/* A counter width of 64 bits must not overflow the shift that makes the mask of counter values. */
	answer(0xa, 0)[0] = 0x08400805;
	ask();
	ck_assert_uint_eq(asked.pub.boot_value_mask, UINT64_MAX);
	answer(0xa, 0)[0] = 0x083f0805;
	ask();
	ck_assert_uint_eq(asked.pub.boot_value_mask, UINT64_MAX >> 1);
}

/* ---- files of the kernel ---- */

static struct fake_tree tree;

static void make_tree(void)
{
	fake_init(&tree);
}

static void free_tree(void)
{
	fake_free(&tree);
}

static struct um_topology topology;
static struct um_cores kinds;

static void read_kinds(const char *online)
{
	ck_assert_int_eq(um_cpuset_parse(&topology.online, online, NULL), 0);
	ck_assert_int_eq(um_cores_read(&kinds, &tree.base, &topology), 0);
}

static void free_kinds(void)
{
	um_cores_free(&kinds);
	um_cpuset_free(&topology.online);
}

FIXTURE(.setup = make_tree, .teardown = free_tree)

static void use_leaves(const struct fake_leaf *leaves, size_t num)
{
	tree.leaves = leaves;
	tree.num_leaves = num;
}

#define DEVICES "sys/bus/event_source/devices/"

static int note_pmu(void *user, const char *name, unsigned type, const char *cpus)
{
	size_t len = strlen(user);

	snprintf((char *)user + len, 256 - len, "%s=%u(%s) ", name, type, !cpus ? "" : *cpus ? cpus : "none");
	return 0;
}

TEST(kernel_pmus_are_listed_by_type_with_their_cpus)
{
	static const char *const files[][2] = {
		{ "uncore_imc_0/type", "14\n" }, { "uncore_imc_0/cpumask", "0,18\n" }, { "cpu/type", "4\n" },
		{ "cpu_atom/type", "10\n" }, { "cpu_atom/cpus", "16-23\n" }, { "cpu_off/type", "5\n" },
		{ "cpu_off/cpus", "\n" }, { "cpu_torn/type", "6\n" }, { "cpu_torn/cpumask", "0-\n" },
		{ "odd/type", "4x\n" }, { "none/other", "1\n" },
	};
	struct uncoremsr um = { .m.access = &tree.base };
	char seen[256] = "";

	ck_assert_int_eq(uncoremsr_kernel_pmus(&um, note_pmu, seen), -ENOENT);
	for (size_t i = 0; i < ARRAY_SIZE(files); i++)
		fake_add(&tree, files[i][1], DEVICES "%s", files[i][0]);
	ck_assert_int_eq(uncoremsr_kernel_pmus(&um, note_pmu, seen), 0);
	ck_assert_str_eq(seen, "cpu=4() cpu_off=5(none) cpu_torn=6(unknown) cpu_atom=10(16-23) uncore_imc_0=14(0,18) ");
}

TEST(the_watchdog_is_on_off_or_unknown)
{
	static const struct { const char *text; int on; } rows[] = { { "1\n", 1 }, { "0\n", 0 }, { "on\n", -1 } };

	ck_assert_int_eq(um_nmi_watchdog(&tree.base), -1);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		fake_add(&tree, rows[i].text, "proc/sys/kernel/nmi_watchdog");
		ck_assert_int_eq(um_nmi_watchdog(&tree.base), rows[i].on);
	}
}

/* Contents of register 0x345 (IA32_PERF_CAPABILITIES). */
static uint64_t capabilities;
static int devices_open;

static int fake_open(struct um_access *a, unsigned cpu, bool for_writing)
{
	(void)a, (void)cpu;
	ck_assert(!for_writing);
	devices_open++;
	return 0;
}

static void fake_close(struct um_access *a, unsigned cpu)
{
	(void)a, (void)cpu;
	devices_open--;
}

static int fake_read(struct um_access *a, unsigned cpu, uint32_t msr, uint64_t *value)
{
	(void)a, (void)cpu;
	ck_assert_uint_eq(msr, 0x345);
	*value = capabilities;
	return 0;
}

TEST(register_0x345_shows_full_width_writes_and_formats_if_readable)
{
	static const struct fake_leaf ivybridge[] = {
		{ 0, { 0xd, 0x756e6547, 0x6c65746e, 0x49656e69 } },
		{ 1, { 0x000306a9, 0, 0x8000, 0x200000 } },
		{ 0xa, { 0x07300403, 0, 0, 0x603 } },
	};
	const struct uncoremsr_core_kind *k;

	use_leaves(ivybridge, ARRAY_SIZE(ivybridge));
	tree.ops.open_cpu = fake_open;
	tree.ops.close_cpu = fake_close;
	tree.ops.read = fake_read;
	fake_add(&tree, "16\n", DEVICES "cpu/caps/branches");
	fake_add(&tree, "2\n", DEVICES "cpu/caps/max_precise");
	capabilities = 0x31c4;
	read_kinds("0-3");
	k = &kinds.kinds[0].pub;
	ck_assert_uint_eq(kinds.num, 1);
	ck_assert_str_eq(kinds.kinds[0].cpus_text, "0-3");
	ck_assert_int_eq(k->full_width, 1);
	ck_assert_uint_eq(k->pebs_format, 1);
	ck_assert_uint_eq(k->lbr_format, 4);
	ck_assert_uint_eq(k->lbr_depth, 16);
	ck_assert_uint_eq(k->max_precise, 2);
	ck_assert_uint_eq(k->boot_max_period, 0x00007fffffffffff);
	free_kinds();
	/* Bits 5:0, 11:8 and 13 (SDM volume 4, IA32_PERF_CAPABILITIES). */
	for (unsigned bit = 0; bit < 32; bit++) {
		capabilities = UINT64_C(1) << bit;
		read_kinds("0-3");
		k = &kinds.kinds[0].pub;
		ck_assert_uint_eq(k->lbr_format, bit < 6 ? 1u << bit : 0);
		ck_assert_uint_eq(k->pebs_format, bit >= 8 && bit < 12 ? 1u << (bit - 8) : 0);
		ck_assert_int_eq(k->full_width, bit == 13);
		free_kinds();
	}
	ck_assert_int_eq(devices_open, 0);
}

static unsigned leaves_read[8];

/* Count the CPUID leaves that are read on each CPU. On a hybrid processor CPUs 2 and 3 are E-cores. */
static int count_cpuid(struct um_access *a, unsigned cpu, uint32_t leaf, uint32_t subleaf, uint32_t regs[4])
{
	int err = fake_cpuid(a, cpu, leaf, subleaf, regs);

	leaves_read[cpu]++;
	if (leaf == 0x1a && (cpu == 2 || cpu == 3))
		regs[0] = 0x20000001;
	return err;
}

/* Reading a CPUID leaf interrupts the CPU on which it is read, so few CPUs are used. */
TEST(all_leaves_are_read_on_one_cpu_of_each_kind_and_package)
{
	static const struct fake_leaf plain[] = {
		{ 0, { 0xd, 0x756e6547, 0x6c65746e, 0x49656e69 } },
		{ 1, { 0x00050654, 0, 0, 0 } },
		{ 0xa, { 0x07300404, 0, 0, 0x603 } },
	}, hybrid[] = {
		{ 0, { 0x1a, 0x756e6547, 0x6c65746e, 0x49656e69 } },
		{ 1, { 0x000b0671, 0, 0, 0 } },
		{ 7, { 0, 0, 0, 0x8000 } },
		{ 0xa, { 0x07300605, 0, 7, 0x8603 } },
		{ 0x1a, { 0x40000001, 0, 0, 0 } },
	};
	struct um_package packages[2] = { { .shown = { .cpu = 0 } }, { .shown = { .cpu = 4 } } };

	use_leaves(plain, ARRAY_SIZE(plain));
	tree.ops.cpuid = count_cpuid;
	topology.packages = packages;
	topology.num_packages = 2;
	ck_assert_int_eq(um_cpuset_parse(&packages[0].cpus, "0-3", NULL), 0);
	ck_assert_int_eq(um_cpuset_parse(&packages[1].cpus, "4-7", NULL), 0);
	read_kinds("0-7");
	ck_assert_uint_eq(kinds.num, 1);
	ck_assert_str_eq(kinds.kinds[0].cpus_text, "0-7");
	for (unsigned cpu = 0; cpu < 8; cpu++)
		ck_assert_msg((leaves_read[cpu] > 0) == (cpu % 4 == 0), "CPU %u: %u leaves", cpu, leaves_read[cpu]);
	free_kinds();
	use_leaves(hybrid, ARRAY_SIZE(hybrid));
	topology.num_packages = 1;
	memset(leaves_read, 0, sizeof(leaves_read));
	read_kinds("0-3");
	ck_assert_uint_eq(kinds.num, 2);
	ck_assert_str_eq(kinds.kinds[0].cpus_text, "0-1");
	ck_assert_str_eq(kinds.kinds[1].cpus_text, "2-3");
	ck_assert_uint_eq(leaves_read[1], 1);
	ck_assert_uint_eq(leaves_read[3], 1);
	free_kinds();
	topology = (struct um_topology){ .num_packages = 0 };
	um_cpuset_free(&packages[0].cpus);
	um_cpuset_free(&packages[1].cpus);
}

static void add_caps(const char *pmu, const char *branches, const char *max_precise)
{
	fake_add(&tree, branches, DEVICES "%s/caps/branches", pmu);
	fake_add(&tree, max_precise, DEVICES "%s/caps/max_precise", pmu);
}

/*
 * On a hybrid processor the kernel has a PMU for each kind of core; the PMU's files in caps/ describe only one kind. A
 * number of branch records in CPUID leaf 0x1C (8 in this test) is preferred to the kernel's number.
 */
TEST(caps_of_a_kind_come_from_its_own_pmu)
{
	enum { RAPTOR = 0x000b0671, ARROW_H = 0x000c0652, HYBRID = 0x8000 };
	/* @low: does the kernel have the PMU cpu_lowpower? */
	static const struct {
		uint32_t max, signature, features, type;
		bool low;
		unsigned branches, precise;
	} rows[] = {
		{ 0x1a, RAPTOR, HYBRID, 0x20000001, true, 32, 2 }, { 0x1a, RAPTOR, HYBRID, 0x40000001, true, 16, 3 },
		{ 0x1c, RAPTOR, HYBRID | 0x80000, 0x40000001, true, 8, 3 }, { 0x1a, RAPTOR, 0, 0x20000001, true, 4, 0 },
		/* As find_hybrid_pmu_for_cpu() in Linux: a CPU without a core type is taken for a P-core. */
		{ 7, RAPTOR, HYBRID, 0, true, 16, 3 }, { 0x1a, RAPTOR, HYBRID, 0, true, 16, 3 },
		/* A kernel that does not know the low-power E-cores of Arrow Lake-H counts them with cpu_atom. */
		{ 0x1a, ARROW_H, HYBRID, 0x20000002, false, 32, 2 }, { 0x1a, ARROW_H, HYBRID, 0x20000003, true, 32, 2 },
		{ 0x1a, ARROW_H, HYBRID, 0x20000002, true, 64, 1 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const struct fake_leaf leaves[] = {
			{ 0, { rows[i].max, 0x756e6547, 0x6c65746e, 0x49656e69 } },
			{ 1, { rows[i].signature, 0, 0, 0 } },
			{ 7, { 0, 0, 0, rows[i].features } },
			{ 0xa, { 0x07300605, 0, 7, 0x8603 } },
			{ 0x1a, { rows[i].type, 0, 0, 0 } },
			{ 0x1c, { 0x40000001, 0, 0, 0 } },
		};

		fake_free(&tree);
		fake_init(&tree);
		add_caps("cpu", "4\n", "0\n");
		add_caps("cpu_atom", "32\n", "2\n");
		add_caps("cpu_core", "16\n", "3\n");
		if (rows[i].low)
			add_caps("cpu_lowpower", "64\n", "1\n");
		use_leaves(leaves, ARRAY_SIZE(leaves));
		read_kinds("0");
		ck_assert_msg(kinds.kinds[0].pub.lbr_depth == rows[i].branches, "row %zu: %u", i,
			      (unsigned)kinds.kinds[0].pub.lbr_depth);
		ck_assert_msg(kinds.kinds[0].pub.max_precise == rows[i].precise, "row %zu: %u", i,
			      (unsigned)kinds.kinds[0].pub.max_precise);
		free_kinds();
	}
}

/*
 * The kind of a CPU decides which counters of the CPU a session uses. CPUs that differ only in their APIC ids are of
 * one kind.
 */
TEST(cores_are_of_one_kind_if_their_leaves_about_counters_are_the_same)
{
	enum { EAX, EBX, ECX, EDX, SUBLEAVES = 0xb };
	static const struct { uint32_t leaf, subleaf, reg, bit; bool same; } rows[] = {
		{ 0x1, 0, EAX, 1 << 0, false }, { 0x1, 0, EAX, 1 << 4, false }, { 0x1, 0, EAX, 1 << 8, false },
		{ 0x1a, 0, EAX, 1 << 29, false }, { 0x1a, 0, EAX, 1 << 1, false }, { 0x0, 0, EBX, 1, false },
		{ 0xa, 0, EAX, 1 << 8, false }, { 0xa, 0, EBX, 1, false }, { 0xa, 0, ECX, 1 << 4, false },
		{ 0xa, 0, EDX, 1, false }, { 0x23, 0, EAX, 1 << 2, false }, { 0x23, 0, ECX, 1, false },
		{ 0x23, 1, EAX, 1 << 7, false }, { 0x23, 1, EBX, 1 << 2, false }, { 0x23, 3, EAX, 1, false },
		{ 0x1, 0, EBX, 1 << 24, true }, { 0xb, 0, EDX, 1, true }, { 0x1f, 0, EDX, 1, true },
	};
	struct um_core_kind first;

	record();
	answer(0x23, 0)[EAX] = SUBLEAVES;
	ask();
	first = asked;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		uint32_t *reg = &answer(rows[i].leaf, rows[i].subleaf)[rows[i].reg];

		*reg ^= rows[i].bit;
		ask();
		ck_assert_msg(um_core_kind_same(&first, &asked) == rows[i].same, "row %zu", i);
		*reg ^= rows[i].bit;
	}
}

SUITE(core_kind)
