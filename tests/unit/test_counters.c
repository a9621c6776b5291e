/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Single counters: whether they are in use, which of their bits can be written, and which of them depend on a gate.
 * Also single accesses to registers.
 *
 * Uses internal headers, because it accesses single registers without a session.
 */
#include <errno.h>
#include <stdio.h>

#include "counting/plan.h"
#include "counting/registers.h"
#include "machine/handle.h"
#include "failing.h"
#include "suite.h"

static struct um_error e;

static struct um_box box_of(const char *name)
{
	struct um_box b;

	ck_assert_msg(!um_box_find(&um->m, 0, uncoremsr_package(um, 0)->die, name, &b), "%s", name);
	if (b.pmu->scope == UM_SCOPE_PACKAGE || b.pmu->scope == UM_SCOPE_DIE)
		b.cpu = (unsigned)uncoremsr_package(um, 0)->cpu;
	ck_assert_int_eq(um_driver_open(um->m.access, b.cpu, true, &e), 0);
	return b;
}

FIXTURE(.teardown = close_machine)

/* ---- number of counters ---- */

/*
 * The number of counters is from CPUID leaf 0xA of the box's own CPU (EAX 15:8, EDX 4:0), because kinds of cores may
 * differ. A P-core of Alder Lake has a fourth fixed counter (TOPDOWN.SLOTS), which the leaf does not list.
 */
TEST(a_core_box_has_the_counters_that_cpuid_reports)
{
	static const struct { const char *machine, *box; unsigned general, fixed; } rows[] = {
		{ "westmere-2s", "cpu0", 4, 3 }, { "skylake-sp-2s", "cpu0", 4, 3 },
		{ "icelake-sp-2s", "cpu0", 8, 4 },
		{ "alderlake-hybrid,leaf=0xa 0 0x07300405 0x0 0x3 0x8602 cpus=16-23", "cpu0", 6, 4 },
		{ "alderlake-hybrid,leaf=0xa 0 0x07300405 0x0 0x3 0x8602 cpus=16-23", "cpu16", 4, 2 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct um_box b;

		open_machine(rows[i].machine);
		b = box_of(rows[i].box);
		ck_assert_uint_eq(b.num_general, rows[i].general);
		ck_assert_uint_eq(b.general, (1u << rows[i].general) - 1);
		ck_assert_uint_eq(b.fixed, (1u << rows[i].fixed) - 1);
		ck_assert_uint_eq(b.width, 48);
		ck_assert_uint_eq(b.fixed_width, 48);
	}
}

/* ---- writing a counter ---- */

/* Contents of a counter of @width bits after a write that stores only the low @taken bits and extends their sign. */
static uint64_t written(uint64_t word, unsigned taken, unsigned width)
{
	uint64_t value = word;

	for (unsigned bit = taken; bit < 64; bit++)
		value = word >> (taken - 1) & 1 ? value | UINT64_C(1) << bit
						: value & ~(UINT64_C(1) << bit);
	return width == 64 ? value : value & ((UINT64_C(1) << width) - 1);
}

static void expect_way(unsigned taken, unsigned width, uint64_t value)
{
	struct um_counter_regs r = {
		.counter = 0xc1, .alias = 0x4c1, .width = width, .write_bits = taken,
	};
	bool can = !taken || taken >= 64 || written(value, taken, width) == value;
	uint64_t word = 1;

	for (int full = 0; full < 2; full++) {
		uint32_t way = um_counter_way(&r, value, full, &word);

		ck_assert_msg(way == (can ? 0xc1u : full ? 0x4c1u : 0), "%u of %u bits: 0x%llx by 0x%x", taken,
		      width, (unsigned long long)value, way);
		if (way != 0xc1 || !taken || taken >= 64)
			ck_assert_msg(word == value, "0x%llx is written as another word", (unsigned long long)value);
		else
			ck_assert_msg(!(word >> taken) && written(word, taken, width) == value,
			      "0x%llx is not the result of that write", (unsigned long long)value);
	}
}

TEST(a_value_is_written_if_sign_extension_gives_all_of_its_bits)
{
	static const unsigned takes[] = { 0, 8, 31, 32, 40, 63, 64 }, widths[] = { 40, 48, 63, 64 };

	for (size_t t = 0; t < ARRAY_SIZE(takes); t++)
		for (size_t w = 0; w < ARRAY_SIZE(widths); w++)
			for (unsigned bit = 0; bit < widths[w] && takes[t] <= widths[w]; bit++) {
				uint64_t all = UINT64_MAX >> (64 - widths[w]), one = UINT64_C(1) << bit;

				expect_way(takes[t], widths[w], one);
				expect_way(takes[t], widths[w], one - 1);
				expect_way(takes[t], widths[w], all & ~(one - 1));
				expect_way(takes[t], widths[w], all & ~one);
				expect_way(takes[t], widths[w], all & ~(one - 1) & ~(one << 1));
			}
}

/* IA32_PMC0 of Haswell has 48 bits. A write to 0xc1 sets 32 of them and extends the sign; 0x4c1 sets all 48. */
TEST(bits_that_no_write_can_restore_are_named)
{
	struct um_box b;
	struct um_counter_regs r;
	struct um_stuck stuck;

	open_machine("haswell-ep-2s");
	b = box_of("cpu0");
	r = um_counter_regs(&b, 0);
	for (unsigned bit = 0; bit < 48; bit++) {
		uint64_t value = UINT64_C(1) << bit;

		stuck = um_counter_stuck(&r, 0, value, false);
		ck_assert_uint_eq(stuck.msr, bit < 31 ? 0 : 0xc1);
		ck_assert_uint_eq(stuck.bits, bit < 31 ? 0 : value);
		ck_assert_uint_eq(stuck.holds, bit < 31 ? 0 : value);
		ck_assert_uint_eq(um_counter_stuck(&r, 0, value, true).msr, 0);
	}
	stuck = um_counter_stuck(&r, 0, 0x7fffffff, false);
	ck_assert_uint_eq(stuck.msr, 0);
	stuck = um_counter_stuck(&r, 0, 0xffff80000000, false);
	ck_assert_uint_eq(stuck.msr, 0);
	/* IA32_PERFEVTSEL0: we do not write bit 21 (any thread), bits 32 and 33 (TSX) and the bits above. */
	for (unsigned bit = 0; bit < 64; bit++) {
		stuck = um_counter_stuck(&r, UINT64_C(1) << bit, 0, false);
		ck_assert(bit < 34 || stuck.msr == 0x186);
		ck_assert(!stuck.msr || (stuck.bits == UINT64_C(1) << bit && stuck.holds == stuck.bits));
	}
	ck_assert_uint_eq(um_counter_stuck(&r, 0x4300c0, 0, false).msr, 0);
}

/* ---- counters in use ---- */

/* On Westmere a counter is in use if bit 22 of its selector is set, or its bit in the gate. */
TEST(a_counter_is_in_use_by_its_enable_bit_or_its_gate)
{
	struct um_counter_regs r;
	struct um_box b;

	open_machine("westmere-2s");
	b = box_of("uncore");
	for (unsigned c = 0; c < 8; c++) {
		r = um_counter_regs(&b, c);
		ck_assert_uint_eq(r.counter, 0x3b0 + c);
		ck_assert_uint_eq(r.selector, 0x3c0 + c);
		ck_assert_uint_eq(r.gate, 0x391);
		ck_assert_uint_eq(r.gate_bit, UINT64_C(1) << c);
		for (unsigned bit = 0; bit < 64; bit++) {
			uint64_t one = UINT64_C(1) << bit;

			ck_assert_int_eq(um_counter_in_use(&r, one, 0), bit == 22);
			ck_assert_int_eq(um_counter_in_use(&r, 0, one), bit == c);
		}
	}
	r = um_counter_regs(&b, 8); /* the fixed clock: bit 32 of the gate, bit 0 of its control register */
	ck_assert_uint_eq(r.counter, 0x394);
	ck_assert_uint_eq(r.selector, 0x395);
	ck_assert_uint_eq(r.gate_bit, UINT64_C(1) << 32);
	ck_assert(um_counter_in_use(&r, 1, 0));
	ck_assert(um_counter_in_use(&r, 0, UINT64_C(1) << 32));
	ck_assert(!um_counter_in_use(&r, 0, UINT64_C(1) << 31 | UINT64_C(1) << 33));
}

/* A core counter with an event in its selector is in use. Its gate bit does not matter, because the kernel leaves the
 * bit set. */
TEST(a_core_counter_is_in_use_by_its_event)
{
	struct um_counter_regs r;
	struct um_box b;

	open_machine("skylake-sp-2s");
	b = box_of("cpu0");
	r = um_counter_regs(&b, 2);
	ck_assert_uint_eq(r.counter, 0xc3);
	ck_assert_uint_eq(r.selector, 0x188);
	ck_assert_uint_eq(r.gate, 0x38f);
	ck_assert_uint_eq(r.gate_bit, 4);
	for (unsigned bit = 0; bit < 64; bit++) {
		ck_assert_int_eq(um_counter_in_use(&r, UINT64_C(1) << bit, 0), bit < 8 || bit == 22);
		ck_assert(!um_counter_in_use(&r, 0, UINT64_C(1) << bit));
	}
	/* Fixed counter 1 has bits 7:4 of 0x38d; of these, bits 4 (kernel mode) and 5 (user mode) enable it. */
	r = um_counter_regs(&b, b.num_general + 1);
	ck_assert_uint_eq(r.counter, 0x30a);
	ck_assert_uint_eq(r.selector, 0x38d);
	ck_assert_uint_eq(r.mask, 0xf0);
	ck_assert_uint_eq(r.gate_bit, UINT64_C(1) << 33);
	for (unsigned bit = 0; bit < 64; bit++)
		if (bit < 4 || bit > 7)
			ck_assert(!um_counter_in_use(&r, UINT64_C(1) << bit, 0));
	ck_assert(um_counter_in_use(&r, 0x30, 0));
}

/* ---- counters behind a gate ---- */

static const struct { const char *machine, *box; } gated[] = {
	{ "haswell-ep-2s", "cbo0" }, { "haswell-ep-2s", "cbo1" }, { "haswell-ep-2s", "sbox1" },
	{ "haswell-ep-2s", "pcu" }, { "skylake-sp-2s", "cha3" }, { "skylake-sp-2s", "iio1" },
	{ "nehalem-ex-4s", "cbox1" }, { "nehalem-ex-4s", "sbox1" }, { "nehalem-ex-4s", "wbox" },
	{ "sandybridge-1s", "cbo1" }, { "sapphire-rapids-2s", "cha2" },
};

static void expect_in_use(const struct um_box *b, const struct um_gate *g, unsigned counter)
{
	struct um_counter_regs r = um_counter_regs(b, counter);
	uint64_t old;

	if (!r.selector)
		return;
	old = peek(b->cpu, r.selector);
	poke(b->cpu, r.selector, old | (r.run == UM_WHOLE ? 1 : r.run));
	ck_assert_uint_eq(um_gate_users(&um->m, b, g, g->of_unit), 1);
	poke(b->cpu, r.selector, old);
	ck_assert_uint_eq(um_gate_users(&um->m, b, g, g->of_unit), 0);
}

TEST_EACH(any_active_counter_keeps_the_gate_open, ARRAY_SIZE(gated))
{
	struct um_box b;

	open_machine(gated[_i].machine);
	b = box_of(gated[_i].box);
	for (unsigned i = 0; i < b.pmu->num_gates; i++) {
		const struct um_gate *g = &b.pmu->gates[i];

		if (g->per_counter || !g->reg.write_mask)
			continue;
		for (unsigned c = 0; c < b.num_general + b.pmu->num_fixed; c++)
			expect_in_use(&b, g, c);
	}
}

TEST(a_device_that_fails_twice_does_not_close_a_gate)
{
	const struct um_gate *gate = NULL;
	struct um_box b;

	open_machine("haswell-ep-2s");
	b = box_of("cbo1");
	for (unsigned i = 0; i < b.pmu->num_gates; i++)
		if (b.pmu->gates[i].of_unit)
			gate = &b.pmu->gates[i];
	fail_after(0, 0, 0);
	ck_assert_uint_eq(um_gate_users(&um->m, &b, gate, true), 0);
	ck_assert_uint_eq(spy.reads, 4);
	poke(b.cpu, um_counter_regs(&b, 0).selector, UINT64_C(1) << 22);
	for (int times = 0; times < 5; times++) {
		fail_after(0, times, -EIO);
		ck_assert_uint_eq(um_gate_users(&um->m, &b, gate, true), times < 3);
	}
}

/* ---- single accesses ---- */

TEST(transient_errors_are_tried_three_times_and_permanent_ones_once)
{
	static const struct { int error; int tries; } errors[] = {
		{ -EIO, 3 }, { -EINTR, 3 }, { -ENXIO, 1 }, { -EPERM, 1 }, { -EACCES, 1 },
	};
	unsigned cpus[] = { 0 };
	struct um_msr route = { .restoring = true };
	struct um_unit unit = { .cpus = { cpus, 1 } };

	open_machine("westmere-2s");
	box_of("uncore");
	route.m = &um->m;
	for (size_t i = 0; i < ARRAY_SIZE(errors); i++)
		for (int times = 0; times < 5; times++) {
			int err = times < errors[i].tries ? 0 : errors[i].error;
			unsigned num = (unsigned)(err ? errors[i].tries : times + 1);
			uint64_t value;

			if (errors[i].tries == 1 && times > 1)
				continue;
			fail_after(0, times, errors[i].error);
			ck_assert_int_eq(um_unit_read(&route, &unit, 0x3c0, &value), err);
			ck_assert_uint_eq(spy.reads, num);
			fail_after(0, times, errors[i].error);
			ck_assert_int_eq(um_unit_write(&route, &unit, 0x3c0, UM_WHOLE, 0), err);
			ck_assert_uint_eq(spy.writes, num);
			ck_assert_uint_eq(spy.reads, 0);
		}
}

/*
 * MSR_UNCORE_PERFEVTSEL0 (0x3c0): event 7:0, umask 15:8, reset of occupancy 17, edge 18, PMI 20, enable
 * 22, invert 23, threshold 31:24. We never set the PMI bit.
 */
TEST(only_bits_of_the_selector_are_written_and_the_others_stay)
{
	const uint64_t exist = UINT64_C(0xffd6ffff);

	open_machine("westmere-2s");
	box_of("uncore");
	for (unsigned bit = 0; bit < 64; bit++) {
		uint64_t one = UINT64_C(1) << bit;
		bool may = (exist & ~(UINT64_C(1) << 20)) >> bit & 1;
		int err;

		poke(0, 0x3c0, 0x01800081);
		err = um_reg_write(&um->m, 0, 0x3c0, one, one, &e);
		ck_assert_msg(!err || err == -EPERM, "bit %u", bit);
		if (bit != 20)
			ck_assert_msg(!err == may, "bit %u: %d", bit, err);
		/* Bit 17 is not stored: a write resets the occupancy, and a read returns 0. */
		ck_assert_uint_eq(peek(0, 0x3c0), 0x01800081 | (err || bit == 17 ? 0 : one));
		ck_assert_int_eq(!um_reg_unclaimed(um_reg_row(&um->m, 0x3c0), one, one), !err);
		if (!err) {
			ck_assert_int_eq(um_reg_write(&um->m, 0, 0x3c0, one, 0, &e), 0);
			ck_assert_uint_eq(peek(0, 0x3c0), 0x01800081 & ~one);
			ck_assert_int_eq(um_reg_write(&um->m, 0, 0x3c0, one, bit ? 1 : 2, &e), -EPERM);
		}
	}
	ck_assert_int_eq(um_reg_write(&um->m, 0, 0x10, UM_WHOLE, 0, &e), -EPERM);
	ck_assert_uint_eq(um_reg_unclaimed(um_reg_row(&um->m, 0x10), 6, 9), 15);
}

/* In a virtual machine the thermal registers belong to the hypervisor. */
TEST(a_guest_has_no_thermal_registers)
{
	char text[96];

	open_machine("westmere-2s");
	ck_assert_ptr_nonnull(um_reg_row(&um->m, 0x19c));
	ck_assert_str_eq(um_reg_text(&um->m, 0x19c, text, sizeof(text)), "IA32_THERM_STATUS (0x19c)");
	ck_assert_str_eq(um_reg_text(&um->m, 0x3c1, text, sizeof(text)), "UNCORE_PERFEVTSEL1 (0x3c1)");
	ck_assert_str_eq(um_reg_text(&um->m, 0x187, text, sizeof(text)), "IA32_PERFEVTSEL1 (0x187)");
	open_machine("westmere-2s,hypervisor=yes");
	ck_assert_ptr_null(um_reg_row(&um->m, 0x19c));
	ck_assert_str_eq(um_reg_text(&um->m, 0x19c, text, sizeof(text)), "MSR 0x19c");
	ck_assert_ptr_null(um_reg_row(&um->m, 0x3c1));
}

/*
 * Status bits are cleared by writing 1. If the register were read first and written back, the bits of other
 * users would be cleared as well. Xeon E5 v3 uncore guide (Cn_MSR_PMON_BOX_STATUS), SDM
 * (MSR_UNCORE_PERF_GLOBAL_OVF_CTRL).
 */
TEST(write_one_to_clear_registers_are_not_read_before_a_write)
{
	static const struct { const char *machine, *box; uint32_t msr; unsigned reads; } rows[] = {
		{ "haswell-ep-2s", "cbo1", 0xe17, 0 }, { "westmere-2s", "uncore", 0x393, 0 },
		{ "westmere-2s", "uncore", 0x391, 1 }, { "westmere-2s", "uncore", 0x3c0, 1 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		open_machine(rows[i].machine);
		box_of(rows[i].box);
			fail_after(0, 0, 0);
		ck_assert_int_eq(um_reg_write(&um->m, 0, rows[i].msr, 2, 2, &e), 0);
		ck_assert_uint_eq(spy.reads, rows[i].reads);
		ck_assert_uint_eq(spy.writes, 1);
	}
}

static void expect_line(const char *line)
{
	char want[256];

	snprintf(want, sizeof(want), "- %s\n", line);
	ck_assert_str_eq(logged, want);
	logged[0] = '\0';
}

/*
 * Accesses and their lines in the trace. The line of a failed access has the error; the line of a write has the last
 * known value and the new value.
 */
static const struct traced {
	char what; /* "r" or "w" */
	unsigned cpu;
	uint32_t msr;
	uint64_t value;
	bool fails;
	const char *line;
} with_names[] = {
	{ 'w', 0, 0x3c1, 0x182, false, "cpu 0 write UNCORE_PERFEVTSEL1 (0x3c1) -> 0x182 [EVENT=0x82 UMASK=0x1]" },
	{ 'r', 0, 0x3c0, 0, true, "cpu 0 read  UNCORE_PERFEVTSEL0 (0x3c0): Input/output error" },
	{ 'w', 0, 0x3c0, 0x182, true, "cpu 0 write UNCORE_PERFEVTSEL0 (0x3c0) -> 0x182: Input/output error" },
	{ 'r', 0, 0x3c0, 0, false,
	  "cpu 0 read  UNCORE_PERFEVTSEL0 (0x3c0) = 0x440182 [EVENT=0x82 UMASK=0x1 EDGE EN]" },
	{ 'w', 0, 0x3c0, 0x182, true, "cpu 0 write UNCORE_PERFEVTSEL0 (0x3c0) 0x440182 -> 0x182: Input/output error" },
	{ 'w', 0, 0x3c0, 0, false, "cpu 0 write UNCORE_PERFEVTSEL0 (0x3c0) 0x440182 -> 0x0" },
	{ 'w', 0, 0x3c0, 0xffc6ffff, false, "cpu 0 write UNCORE_PERFEVTSEL0 (0x3c0) 0x0 -> 0xffc6ffff "
	  "[EVENT=0xff UMASK=0xff OCC_CTR_RST EDGE EN INV CMASK=0xff]" },
	{ 'w', 1, 0x3c0, 1, false, "cpu 1 write UNCORE_PERFEVTSEL0 (0x3c0) -> 0x1 [EVENT=0x1]" },
	{ 'w', 1, 0x3c0, 0x100, false, "cpu 1 write UNCORE_PERFEVTSEL0 (0x3c0) 0x1 -> 0x100 [UMASK=0x1]" },
	{ 'w', 0, 0x3c1, 0, false, "cpu 0 write UNCORE_PERFEVTSEL1 (0x3c1) 0x182 -> 0x0" },
	/* The trace has the names of core registers, too. Counters have no fields. */
	{ 'r', 0, 0x38d, 0, false, "cpu 0 read  IA32_FIXED_CTR_CTRL (0x38d) = 0x3 [OS0 USR0]" },
	{ 'r', 0, 0x394, 0, false, "cpu 0 read  UNCORE_FIXED_CTR0 (0x394) = 0x123456789abc" },
}, commands[] = {
	{ 'r', 0, 0x3c0, 0, false, "rdmsr -p 0 0x3c0" },
	{ 'w', 1, 0x3c0, 0x182, false, "wrmsr -p 1 0x3c0 0x182" },
	{ 'w', 1, 0x3c0, 0, true, "wrmsr -p 1 0x3c0 0x0" },
/* Bits 15:14 of a PCU selector choose the occupancy (Xeon E5 v3 uncore guide). */
}, of_pcu[] = {
	{ 'r', 0, 0x711, 0, false, "cpu 0 read  PCU_MSR_PMON_CTL0 (0x711) = 0x8080 [EVENT=0x80 OCC_SEL=0x2]" },
};

static void expect_trace(enum uncoremsr_trace_style style, const struct traced *rows, size_t num)
{
	uncoremsr_set_trace(um, style, remember_line, NULL);
	logged[0] = '\0';
	for (size_t i = 0; i < num; i++) {
		uint64_t value;

		fail_after(0, rows[i].fails, -EIO);
		if (rows[i].what == 'r')
			(void)um_reg_read(&um->m, rows[i].cpu, rows[i].msr, &value, &e);
		else
			(void)um_reg_write(&um->m, rows[i].cpu, rows[i].msr, UM_WHOLE, rows[i].value, &e);
		expect_line(rows[i].line);
	}
}

TEST(a_trace_line_shows_what_was_read_and_written)
{
	open_machine("westmere-2s");
	box_of("uncore");
	ck_assert_int_eq(um_driver_open(um->m.access, 1, true, &e), 0);
	poke(0, 0x3c0, 0x440182);
	poke(0, 0x394, 0x123456789abc);
	poke(0, 0x38d, 0x3);
	expect_trace(UNCOREMSR_TRACE_TEXT, with_names, ARRAY_SIZE(with_names));
	expect_trace(UNCOREMSR_TRACE_COMMANDS, commands, ARRAY_SIZE(commands));
	ck_assert_int_eq(uncoremsr_set_trace(um, UNCOREMSR_TRACE_TEXT, NULL, NULL), 0);
	logged[0] = '\0';
	(void)um_reg_write(&um->m, 0, 0x3c0, UM_WHOLE, 0, &e);
	ck_assert_str_eq(logged, "");
	open_machine("haswell-ep-2s");
	box_of("pcu");
	poke(0, 0x711, 0x8080);
	expect_trace(UNCOREMSR_TRACE_TEXT, of_pcu, ARRAY_SIZE(of_pcu));
}

/* The last box of each kind according to the manuals (Xeon E5 v3 uncore guide, table 2-3); the next number
 * must not exist. */
TEST(a_box_is_found_by_its_name_up_to_the_last_one)
{
	static const struct { const char *machine, *last, *behind; } rows[] = {
		{ "haswell-ep-2s", "cbo17", "cbo18" },
		{ "haswell-ep-2s", "pcu", "pcu0" }, { "haswell-ep-2s", "ubox", "" },
		{ "westmere-2s", "uncore", "uncore0" }, { "nehalem-ex-4s", "mbox1", "mbox2" },
		{ "sandybridge-1s", "cbo3", "cbo4" },
		{ "nehalem-ex-4s", "rbox1", "rbox2" }, { "nehalem-ex-4s", "mbox0", "mbox" },
	};
	struct um_box b;

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		open_machine(rows[i].machine);
		ck_assert_msg(!um_box_find(&um->m, 0, uncoremsr_package(um, 0)->die, rows[i].last, &b), "%s",
			      rows[i].last);
		ck_assert_int_eq(um_box_find(&um->m, 0, uncoremsr_package(um, 0)->die, rows[i].behind, &b), -ENODEV);
	}
}

SUITE(counters)
