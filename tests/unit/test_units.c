/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Units of a PMU: their numbers, and whether a unit belongs to a package, cache, node or CPU. Uses internal headers,
 * because the tests define PMUs and replace the machine.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "counting/plan.h"
#include "helpers.h"
#include "suite.h"

enum { NUM_CPUS = 8 };

static const char *cache_ids[NUM_CPUS], *cache_lists[NUM_CPUS];
static uint32_t nodes[NUM_CPUS], features, controllers, amd_counters;
static uint64_t value;
static int read_error;
static struct um_error e;

static ssize_t read_text(struct um_access *a, const char *path, char *buf, size_t size)
{
	const char *text = NULL;
	unsigned cpu;
	char file[24];

	(void)a;
	if (sscanf(path, "sys/devices/system/cpu/cpu%u/cache/index3/%23s", &cpu, file) == 2)
		text = (strcmp(file, "id") ? cache_lists : cache_ids)[cpu];
	else if (sscanf(path, "sys/devices/system/cpu/cpu%u/topology/%23s", &cpu, file) == 2)
		text = strcmp(file, "core_id") ? NULL : (const char *[]){ "0", "4", "5", "9" }[cpu / 2];
	return text ? snprintf(buf, size, "%s\n", text) : -ENOENT;
}

static int cpuid(struct um_access *a, unsigned cpu, uint32_t leaf, uint32_t subleaf, uint32_t regs[4])
{
	(void)a;
	(void)subleaf;
	memset(regs, 0, 4 * sizeof(*regs));
	if (leaf == 0x8000001e)
		regs[2] = nodes[cpu];
	else if (leaf == 0x80000001)
		regs[2] = features;
	else if (leaf == 0x80000000)
		regs[0] = 0x80000022;
	else if (leaf == 0x80000022)
		memcpy(regs, (uint32_t[]){ 1, amd_counters, controllers, 0 }, 4 * sizeof(*regs));
	else
		return -ENOENT;
	return 0;
}

static int read_msr(struct um_access *a, unsigned cpu, uint32_t msr, uint64_t *v)
{
	(void)a;
	(void)cpu;
	*v = msr == 0x702 ? value : 0;
	return read_error;
}

static const struct um_access_ops ops = { .read_text = read_text, .cpuid = cpuid, .read = read_msr };
static struct um_access access = { .ops = &ops };
static struct um_package package = { .shown = { .id = 2, .die = 1, .cpu = 1 } };
static struct um_machine machine = { .access = &access };
static struct um_pmu pmu;
static struct um_spots spots;

static void begin(enum um_scope scope, unsigned max)
{
	for (unsigned cpu = 0; cpu < NUM_CPUS; cpu++)
		ck_assert_int_eq(um_cpuset_add(&package.cpus, cpu), 0);
	pmu = (struct um_pmu){
		.name = "box", .scope = scope, .units.max = (uint16_t)max, .num_general = 4,
		.general_width = 48, .num_fixed = 2, .selector = &um_no_selector, .counter = &um_no_selector.reg,
	};
}

static void end(void)
{
	um_spots_free(&spots);
	um_cpuset_free(&package.cpus);
}

/* The expected units, each as "NUMBER@CPU:CPUS". */
static void expect_spots(const struct um_cpuset *asked, const char *want)
{
	char text[256] = "";

	um_spots_free(&spots);
	ck_assert_int_eq(um_spots_find(&spots, &machine, &package.shown, &pmu, asked), 0);
	for (size_t i = 0; i < spots.num; i++) {
		sprintf(text + strlen(text), "%s%u@%u:", i ? " " : "", spots.all[i].number, spots.all[i].cpu);
		for (size_t k = 0; k < spots.all[i].cpus.num; k++)
			sprintf(text + strlen(text), "%s%u", k ? "," : "", spots.all[i].cpus.cpus[k]);
	}
	ck_assert_str_eq(text, want);
}

FIXTURE(.teardown = end)

TEST(a_unit_belongs_to_a_package_a_cache_a_node_or_a_cpu)
{
	struct um_cpuset some = { NULL, 0 };

	begin(UM_SCOPE_PACKAGE, 4);
	expect_spots(NULL, "0@1:");
	pmu.scope = UM_SCOPE_DIE;
	expect_spots(NULL, "0@1:");
	pmu.scope = UM_SCOPE_L3;
	for (unsigned cpu = 0; cpu < NUM_CPUS; cpu++) {
		cache_ids[cpu] = cpu < 4 ? "5" : cpu < 7 ? "12" : NULL;
		cache_lists[cpu] = "7,15";
	}
	expect_spots(NULL, "5@0:0,1,2,3 12@4:4,5,6 7@7:7");
	cache_ids[7] = "x"; /* "x" is not a number; the library treats the file as missing */
	expect_spots(NULL, "5@0:0,1,2,3 12@4:4,5,6 7@7:7");
	cache_lists[7] = "x";
	expect_spots(NULL, "5@0:0,1,2,3 12@4:4,5,6 0@7:7");
	pmu.scope = UM_SCOPE_NODE;
	for (unsigned cpu = 0; cpu < NUM_CPUS; cpu++)
		nodes[cpu] = 0x100u | (cpu < 2 ? 0x80 : 0x7f);
	expect_spots(NULL, "128@0:0,1 127@2:2,3,4,5,6,7");
	pmu.scope = UM_SCOPE_CPU;
	ck_assert_int_eq(um_cpuset_add(&some, 2), 0);
	ck_assert_int_eq(um_cpuset_add(&some, 5), 0);
	ck_assert_int_eq(um_cpuset_add(&some, 99), 0);
	expect_spots(&some, "2@2:2 5@5:5");
	expect_spots(NULL, "0@0:0 1@1:1 2@2:2 3@3:3 4@4:4 5@5:5 6@6:6 7@7:7");
	/* Only CPUs 2 and 5 were chosen, but a node still has all its CPUs. */
	pmu.scope = UM_SCOPE_NODE;
	expect_spots(&some, "128@0:0,1 127@2:2,3,4,5,6,7");
	some.num = 1;
	*some.cpus = 99;
	for (pmu.scope = UM_SCOPE_PACKAGE; pmu.scope <= UM_SCOPE_CPU; pmu.scope++)
		expect_spots(&some, "");
	um_cpuset_free(&some);
}

TEST(a_unit_has_the_number_of_its_cache_node_or_cpu)
{
	static const struct { enum um_scope scope; unsigned max, spot, index; const char *name; } units[] = {
		{ UM_SCOPE_PACKAGE, 1, 0, 0, "box" }, { UM_SCOPE_PACKAGE, 2, 0, 0, "box0" },
		{ UM_SCOPE_PACKAGE, 18, 0, 17, "box17" }, { UM_SCOPE_DIE, 1, 0, 0, "box" },
		{ UM_SCOPE_L3, 1, 3, 0, "box3" }, { UM_SCOPE_NODE, 1, 0, 0, "box0" },
		{ UM_SCOPE_NODE, 4, 3, 2, "box14" }, { UM_SCOPE_CPU, 1, 7, 0, "cpu7" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(units); i++) {
		const struct um_spot spot = { .number = units[i].spot, .cpu = 6 };
		struct um_box b;
		char name[UM_UNIT_NAME];

		begin(units[i].scope, units[i].max);
		b = um_box_make(&machine, &package.shown, &spot, &pmu, units[i].index);
		um_box_name(&b, name, sizeof(name));
		ck_assert_str_eq(name, units[i].name);
		ck_assert_uint_eq(b.index, units[i].index);
		ck_assert_int_eq(b.package, 2);
		ck_assert_int_eq(b.die, 1);
		ck_assert_uint_eq(b.cpu, 6);
		ck_assert_uint_eq(b.general, 0xf);
		ck_assert_uint_eq(b.fixed, 3);
		um_cpuset_free(&package.cpus);
	}
	begin(UM_SCOPE_PACKAGE, 1);
	for (unsigned num = 0; num <= 32; num++) {
		const struct um_spot spot = { .number = 0 };

		pmu.num_general = num;
		ck_assert_uint_eq(um_box_make(&machine, &package.shown, &spot, &pmu, 0).general,
				  (uint32_t)((UINT64_C(1) << num) - 1));
	}
}

TEST(a_box_has_the_counters_in_its_masks)
{
	struct um_box b;

	begin(UM_SCOPE_PACKAGE, 1);
	b = (struct um_box){ .pmu = &pmu, .num_general = 4, .general = 0x9, .fixed = 0x6 };
	for (unsigned c = 0; c < 40; c++)
		ck_assert_int_eq(um_box_has_counter(&b, c), c == 0 || c == 3 || c == 5);
	pmu.num_fixed = 3;
	ck_assert(um_box_has_counter(&b, 6));
	ck_assert(!um_box_has_counter(&b, 7));
}

static unsigned counted(void)
{
	unsigned num = 99;

	ck_assert_int_eq(um_box_count(&machine, &package.shown, 1, &pmu, &num, &e), 0);
	return num;
}

TEST(the_number_of_units_can_be_a_field_of_a_register)
{
	begin(UM_SCOPE_PACKAGE, 12);
	pmu.units.from = UM_UNITS_MSR;
	pmu.units.msr = 0x702;
	for (unsigned shift = 0; shift < 64; shift += 4)
		for (unsigned n = 0; n < 16; n++) {
			pmu.units.shift = (uint8_t)shift;
			pmu.units.width = 4;
			value = ~(UINT64_C(15) << shift) | (uint64_t)n << shift;
			pmu.units.zero_means_probe = false;
			ck_assert_uint_eq(counted(), n > 12 ? 12 : n);
			pmu.units.zero_means_probe = true;
			ck_assert_uint_eq(counted(), n > 12 || !n ? 12 : n);
		}
	pmu.units.shift = 0;
	pmu.units.width = 64;
	value = 2;
	ck_assert_uint_eq(counted(), 2);
	value = UINT64_C(0xfff0000000000001);
	ck_assert_uint_eq(counted(), 12);
	read_error = -ENXIO;
	ck_assert_int_eq(um_box_count(&machine, &package.shown, 1, &pmu, &(unsigned){ 0 }, &e), -ENXIO);
	read_error = 0;
}

/* Eight CPUs of four cores, with any core ids. */
TEST(the_number_of_units_can_be_that_of_cores_up_to_a_maximum)
{
	begin(UM_SCOPE_PACKAGE, 12);
	package.access = &access;
	pmu.units.from = UM_UNITS_CORES;
	for (unsigned max = 1; max < 8; max++) {
		pmu.units.max = (uint16_t)max;
		ck_assert_uint_eq(counted(), max < 4 ? max : 4);
	}
}

/*
 * CPUID 0x80000022: EBX 23:16 is the number of counters, ECX a mask of the memory controllers. A bit of 0x80000001 ECX
 * says whether memory controllers have counters.
 */
TEST(amds_memory_controllers_are_used_if_their_counters_divide_evenly)
{
	begin(UM_SCOPE_PACKAGE, 8);
	pmu.units.from = UM_UNITS_AMD_UMC;
	for (unsigned mask = 0; mask < 4096; mask++) {
		unsigned num = (unsigned)__builtin_popcount(mask);

		controllers = mask;
		amd_counters = num * 4 << 16;
		ck_assert_msg(counted() == (num < 8 ? num : 8), "0x%x", mask);
		amd_counters = (num * 4 + 1) << 16;
		ck_assert_msg(counted() == 0, "0x%x", mask);
	}
	pmu.units.from = UM_UNITS_ALL;
	ck_assert_uint_eq(counted(), 8);
	for (unsigned bit = 1; bit < 32; bit++) {
		pmu.amd_feature = (uint8_t)bit;
		features = UINT32_C(1) << bit;
		ck_assert_uint_eq(counted(), 8);
		features = ~features;
		ck_assert_int_eq(um_box_count(&machine, &package.shown, 1, &pmu, &(unsigned){ 0 }, &e), -ENODEV);
	}
	controllers = amd_counters = 0;
}

TEST(a_unit_counts_only_its_own_events)
{
	struct um_pmu other = { .name = "other", .selector = &um_no_selector };
	struct um_box b = { .pmu = &pmu, .number = 3, .core_type = 0x40 };

	for (int unit = -1; unit < 5; unit++)
		for (unsigned type = 0; type < 3; type++) {
			const struct um_encoding ev = {
				.pmu = &pmu, .unit = unit, .core_type = (uint8_t)(type * 0x20),
			};
			struct um_encoding foreign = ev;

			b.core_type = 0x40;
			ck_assert_int_eq(um_box_counts(&b, &ev), (unit < 0 || unit == 3) && type != 1);
			b.core_type = 0;
			ck_assert_int_eq(um_box_counts(&b, &ev), unit < 0 || unit == 3);
			foreign.pmu = &other;
			ck_assert(!um_box_counts(&b, &foreign));
		}
}

/* The package has the caches 4 to 7, so caches 0 and 9 are missing. */
TEST(for_a_unit_that_the_package_lacks_the_message_has_their_number)
{
	static struct um_encoding ev = { .pmu = &pmu, .fixed = -1 };
	const struct um_choices choices = { .num_places = 1 };
	const struct um_route_env env = { .m = &machine, .choices = &choices };
	struct um_site site = { .package = &package.shown, .cpu = 1 };
	struct um_msr s = {
		.m = &machine, .env = &env, .events = { .events = &ev, .num = 1 }, .sites = &site,
		.num_sites = 1, .error = &e,
	};

	begin(UM_SCOPE_L3, 1);
	machine.pmus = &pmu;
	machine.num_pmus = 1;
	for (unsigned cpu = 0; cpu < NUM_CPUS; cpu++)
		cache_ids[cpu] = (const char *[]){ "4", "5", "6", "7" }[cpu / 2];
	for (int unit = 0; unit <= 9; unit += 9) {
		char why[64];

		ev.unit = unit;
		ck_assert_int_eq(um_units_make(&s), 0);
		ck_assert_uint_eq(s.num_units, 1);
		ck_assert_int_eq(s.units[0].err, -ENODEV);
		snprintf(why, sizeof(why), "package 2 has no box%d: it has 4 of them", unit);
		ck_assert_str_eq(s.units[0].error.msg, why);
		ck_assert_int_eq(s.units[0].error.class, UNCOREMSR_ERROR_USAGE);
		um_units_free(&s);
	}
	ev.unit = 6;
	ck_assert_int_eq(um_units_make(&s), 0);
	ck_assert_uint_eq(s.num_units, 1);
	ck_assert_int_eq(s.units[0].err, 0);
	ck_assert_str_eq(s.units[0].name, "box6");
	ck_assert_uint_eq(s.units[0].box.cpu, 4);
	um_units_free(&s);
	machine.num_pmus = 0;
}

TEST(the_longest_interval_is_the_time_to_one_wrap)
{
	static struct um_encoding ev = { .pmu = &pmu, .fixed = -1, .unit = -1 };
	static const struct um_fixed fixed[] = { { .width = 32 }, { .width = 36 } };
	struct um_msr s = { .m = &machine, .events = { .events = &ev, .num = 1 } };
	struct um_unit u = { .box = { .pmu = &pmu, .width = 48, .fixed = 3 } };
	struct um_slot slot = { .active = false };

	begin(UM_SCOPE_PACKAGE, 1);
	pmu.max_clock_hz = 1000000000;
	pmu.fixed = fixed;
	um_slot_init(&s, &u, &slot, 0);
	ck_assert_uint_eq(slot.max_gap_ns, UINT64_C(1) << 48);
	ck_assert_uint_eq(slot.max_rate, 1000000000);
	ev.max_per_clock = 4;
	um_slot_init(&s, &u, &slot, 0);
	ck_assert_uint_eq(slot.max_gap_ns, UINT64_C(1) << 46);
	ck_assert_uint_eq(slot.max_rate, 4000000000);
	ev.max_per_clock = 1;
	pmu.max_clock_hz = 0;
	um_slot_init(&s, &u, &slot, 0);
	ck_assert_uint_eq(slot.max_gap_ns, UINT64_MAX);
	pmu.max_clock_hz = 1000000000;
	u.box.width = 64;
	um_slot_init(&s, &u, &slot, 0);
	ck_assert_uint_eq(slot.max_gap_ns, UINT64_MAX);
	for (int f = 0; f < 2; f++) {
		slot = (struct um_slot){ .active = false };
		ev.fixed = f;
		u.box.fixed_width = 0;
		um_slot_init(&s, &u, &slot, 0);
		ck_assert_uint_eq(slot.max_gap_ns, UINT64_C(1) << fixed[f].width);
		ck_assert(!slot.refused);
		u.box.fixed_width = 40;
		um_slot_init(&s, &u, &slot, 0);
		ck_assert_uint_eq(slot.max_gap_ns, UINT64_C(1) << 40);
		u.box.fixed = f ? 1 : 2;
		um_slot_init(&s, &u, &slot, 0);
		ck_assert(slot.refused);
		ck_assert_int_eq(slot.trouble, UNCOREMSR_FAILED);
		u.box.fixed = 3;
	}
}

SUITE(units)
