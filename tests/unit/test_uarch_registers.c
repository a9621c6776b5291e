/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Addresses of registers according to manuals and sources, and bits that must never be written.
 *
 * Uses internal headers, because it tests the tables directly.
 */
#include <string.h>

#include "names/format.h"
#include "suite.h"
#include "uarch/uarch.h"
#include "uarch_spots.h"

static const struct um_pmu *find_pmu(const struct um_uarch *u, const char *name)
{
	for (size_t i = 0; i < u->num_pmus; i++)
		if (strcmp(u->pmus[i].name, name) == 0)
			return &u->pmus[i];
	ck_abort_msg("%s has no %s", u->name, name);
}

static const struct um_reg *box_control(const struct um_pmu *p)
{
	for (unsigned i = 0; i < p->num_gates; i++)
		if (p->gates[i].of_unit || p->units.max == 1)
			return &p->gates[i].reg;
	ck_abort_msg("%s has no box control", p->name);
}

/* Find any row with this register; several rows may have it. */
static const struct um_reg *extra_at(const struct um_pmu *p, const struct spot *s)
{
	for (size_t i = 0; i < p->num_extras; i++)
		if (um_pmu_msr(p, &p->extras[i].reg, s->unit, 0) == s->msr)
			return &p->extras[i].reg;
	ck_abort_msg("%s%u has no second register 0x%x", p->name, s->unit, s->msr);
}

static const struct um_reg *row_of(const struct um_pmu *p, const struct spot *s)
{
	switch (s->kind) {
	case SELECTOR:
		ck_assert_uint_lt(s->index, p->selector->reg.count);
		return &p->selector->reg;
	case COUNTER:
		ck_assert_uint_lt(s->index, p->counter->count);
		return p->counter;
	case GATE:
		ck_assert_uint_lt(s->index, p->num_gates);
		return &p->gates[s->index].reg;
	case BOX_CONTROL:
		return box_control(p);
	case EXTRA:
		return extra_at(p, s);
	default:
		ck_assert_uint_lt(s->index, p->num_fixed);
		return s->kind == FIXED ? &p->fixed[s->index].counter
					: &p->fixed[s->index].control;
	}
}

static void check_spot(const struct um_uarch *u, const struct spot *s)
{
	const struct um_pmu *p = find_pmu(u, s->pmu);
	const struct um_reg *reg = row_of(p, s);
	bool indexed = s->kind == SELECTOR || s->kind == COUNTER;
	uint32_t msr = um_pmu_msr(p, reg, s->unit, indexed ? s->index : 0);

	ck_assert_uint_lt(s->unit, p->units.max);
	ck_assert_msg(msr == s->msr, "%s: %s%u: 0x%x instead of 0x%x", u->name, p->name, s->unit,
		      msr, s->msr);
	ck_assert_uint_ne(um_reg_find(u, msr, NULL)->write_mask, 0);
}

TEST(a_dozen_registers_of_each_family_are_where_the_manuals_say)
{
	for (size_t i = 0; i < ARRAY_SIZE(families); i++) {
		const struct um_uarch *u = um_uarch_find(families[i].uarch);

		ck_assert_msg(u != NULL, "%s", families[i].uarch);
		ck_assert_uint_ge(families[i].num, 12);
		for (size_t k = 0; k < families[i].num; k++)
			check_spot(u, &families[i].spots[k]);
	}
}

static const char *name_of(const char *uarch, uint32_t msr)
{
	static char buf[64];

	return um_reg_format(um_uarch_find(uarch), msr, buf, sizeof(buf));
}

TEST(names_contain_box_and_counter)
{
	ck_assert_str_eq(name_of("skylake", 0xf77), "UNC_CBO_7_PERFCTR1 (0xf77)");
	ck_assert_str_eq(name_of("westmere-ex", 0xfdb), "C9_MSR_PMON_CTR5 (0xfdb)");
	ck_assert_str_eq(name_of("nehalem-ex", 0xe4d), "B1_MSR_MATCH (0xe4d)");
	ck_assert_str_eq(name_of("nehalem-ex", 0xe85), "R1_MSR_PORT1_XBR_SET1_MATCH (0xe85)");
	ck_assert_str_eq(name_of("nehalem-ex", 0xe2f), "R1_MSR_PORT3_QLX_CFG (0xe2f)");
	ck_assert_str_eq(name_of("nehalem-ex", 0xc81), "W_MSR_PMON_STATUS (0xc81)");
	ck_assert_str_eq(name_of("meteorlake", 0x200e), "UNC_SNCU_BOX_CTRL (0x200e)");
}

static void check_no_write(const char *uarch, uint32_t msr, uint64_t bits)
{
	const struct um_reg *reg = um_reg_find(um_uarch_find(uarch), msr, NULL);

	ck_assert_msg(!reg || !(reg->write_mask & bits), "%s: 0x%x", uarch, msr);
}

/* Writing these bits would break the core PMU, power management, all programs' counters, or interrupts. */
TEST(bits_that_do_harm_are_never_written)
{
	static const char *const client[] = {
		"skylake", "kabylake", "cometlake", "icelake", "tigerlake", "rocketlake",
		"alderlake", "meteorlake", "lunarlake", "pantherlake", "novalake",
	};
	static const char *const old[] = { "sandybridge", "ivybridge", "haswell", "broadwell" };

	for (size_t i = 0; i < ARRAY_SIZE(client); i++) {
		for (uint32_t msr = 0x391; msr <= 0x393; msr++)
			check_no_write(client[i], msr, UINT64_MAX);
		for (uint32_t msr = 0x770; msr <= 0x77f; msr++)
			check_no_write(client[i], msr, UINT64_MAX);
		check_no_write(client[i], 0xe01, 0xc000001f);
		check_no_write(client[i], 0x396, UINT64_MAX);
	}
	for (size_t i = 0; i < ARRAY_SIZE(old); i++)
		check_no_write(old[i], 0x391, 0xc000001f);
	check_no_write("nehalem-ex", 0xc00, 0xa000001e);
	check_no_write("westmere-ex", 0xc00, 0xa000001e);
}

TEST(from_sandy_bridge_on_counter_and_control_of_the_clock_are_swapped)
{
	static const char *const after[] = { "sandybridge", "haswell", "skylake", "rocketlake" };

	ck_assert_uint_eq(um_reg_find(&um_uarch_nehalem, 0x395, NULL)->valid, 5);
	ck_assert_uint_eq(um_reg_find(um_uarch_find("westmere-ex"), 0x395, NULL)->valid, 1);
	for (size_t i = 0; i < ARRAY_SIZE(after); i++) {
		const struct um_uarch *u = um_uarch_find(after[i]);

		ck_assert_uint_eq(um_reg_find(u, 0x394, NULL)->valid, 0x500000);
		ck_assert_uint_eq(um_reg_find(u, 0x395, NULL)->valid, 0xffffffffffff);
	}
}

/* ---- what differs from the neighbours ---- */

static const struct um_pmu *pmu_of(const char *uarch, const char *name)
{
	return find_pmu(um_uarch_find(uarch), name);
}

TEST(oddities_of_client_parts_are_in_the_tables)
{
	ck_assert_int_eq(pmu_of("cometlake", "cbo")->units.from, UM_UNITS_CORES);
	ck_assert_int_eq(pmu_of("icelake", "cbo")->units.from, UM_UNITS_MSR);
	ck_assert_uint_eq(pmu_of("icelake", "cbo")->units.msr, 0x396);
	ck_assert_uint_eq(pmu_of("icelake", "cbo")->units.width, 4);
	ck_assert_uint_eq(pmu_of("icelake", "arb")->num_general, 1);
	ck_assert_uint_eq(pmu_of("tigerlake", "arb")->num_general, 2);
	ck_assert(pmu_of("icelake", "cbo")->gates[0].may_be_absent);
	ck_assert(!pmu_of("tigerlake", "cbo")->gates[0].may_be_absent);
	ck_assert_uint_eq(um_selector_bits(pmu_of("rocketlake", "cbo"), "cmask") >> 24, 0x1f);
	ck_assert_uint_eq(um_selector_bits(pmu_of("alderlake", "cbo"), "cmask") >> 24, 0x3f);
	ck_assert_uint_eq(um_selector_bits(pmu_of("alderlake", "arb"), "cmask") >> 24, 0x1f);
	ck_assert_uint_eq(um_selector_bits(pmu_of("meteorlake", "arb"), "cmask") >> 24, 0x3f);
	ck_assert_uint_eq(pmu_of("meteorlake", "cbo")->num_gates, 2);
	ck_assert_uint_eq(pmu_of("skylake", "clock")->fixed[0].width, 44);
	ck_assert_uint_eq(pmu_of("meteorlake", "cncu")->fixed[0].width, 48);
}

TEST(queue_occupancy_of_the_arbiter_is_counted_only_by_counter_0)
{
	static const char *const uarchs[] = { "sandybridge", "skylake", "tigerlake", "alderlake" };

	for (size_t i = 0; i < ARRAY_SIZE(uarchs); i++) {
		const struct um_pmu *p = pmu_of(uarchs[i], "arb");
		unsigned found = 0;

		for (size_t k = 0; k < p->num_constraints; k++)
			found += (p->constraints[k].value == 0x80 ||
				  p->constraints[k].value == 0x83) &&
				 p->constraints[k].counters == 1;
		ck_assert_uint_eq(found, 2);
	}
}

TEST(facts_from_a_single_source_are_marked)
{
	static const char *const uarchs[] = {
		"meteorlake", "arrowlake", "lunarlake", "pantherlake", "wildcatlake", "novalake",
	};

	for (size_t i = 0; i < ARRAY_SIZE(uarchs); i++) {
		const struct um_uarch *u = um_uarch_find(uarchs[i]);

		for (size_t k = 0; k < u->num_pmus; k++)
			ck_assert_msg(u->pmus[k].unverified == (u->pmus[k].reach == UM_REACH_MSR),
				      "%s %s", u->name, u->pmus[k].name);
	}
	ck_assert(pmu_of("sapphirerapids", "iio")->unverified);
	ck_assert(pmu_of("graniterapids", "ubox")->unverified);
	ck_assert(pmu_of("clearwaterforest", "cha")->unverified);
	ck_assert(pmu_of("zen4", "umc")->unverified);
	ck_assert(!pmu_of("sapphirerapids", "cha")->unverified);
	ck_assert(!pmu_of("graniterapids", "cha")->unverified);
	ck_assert(!pmu_of("skylake-sp", "iio")->unverified);
	ck_assert(!pmu_of("skylake", "cbo")->unverified);
}

/* Nehalem-EX: a comparison must be off while its registers are written. */
TEST(comparisons_are_switched_on_after_their_words_are_written)
{
	const struct um_pmu *p = pmu_of("nehalem-ex", "sbox");
	unsigned switches = 0;

	for (size_t i = 0; i < p->num_extras; i++) {
		if (!p->extras[i].after)
			continue;
		ck_assert_uint_eq(p->extras[i].before, 0);
		ck_assert_uint_eq(p->extras[i].after, 1ull << 63);
		switches++;
	}
	ck_assert_uint_eq(switches, 1);
	ck_assert_uint_eq(pmu_of("nehalem-ex", "bbox")->selector->not_written, 0xc0);
}

/* ---- Nehalem and Westmere, the core PMU ---- */

/* Numbers from the manual, written a second time to find errors in the table. */
TEST(nehalem_and_westmere_registers_are_those_of_the_manual)
{
	static const struct {
		uint32_t msr;
		uint64_t valid, write;
		enum um_reg_access access;
	} want[] = {
		{ 0x391, 0x800f0001000000ff, 0x1000000ff, UM_REG_RW },
		{ 0x392, 0xa0000001000000ff, 0, UM_REG_RO },
		{ 0x393, 0xa0000001000000ff, 0x1000000ff, UM_REG_WO },
		{ 0x394, 0xffffffffffff, 0xffffffffffff, UM_REG_RW },
		{ 0x395, 0x5, 0x5, UM_REG_RW },
		{ 0x396, 0xe000fffffffffff8, 0, UM_REG_RW },
		{ 0x3b0, 0xffffffffffff, 0xffffffffffff, UM_REG_RW },
		{ 0x3b7, 0xffffffffffff, 0xffffffffffff, UM_REG_RW },
		{ 0x3c0, 0xffd6ffff, 0xffd6ffff, UM_REG_RW },
		{ 0x3c7, 0xffd6ffff, 0xffd6ffff, UM_REG_RW },
	};
	static const struct um_uarch *const both[] = { &um_uarch_nehalem, &um_uarch_westmere };

	for (size_t i = 0; i < ARRAY_SIZE(want) * ARRAY_SIZE(both); i++) {
		const struct um_reg *reg = um_reg_find(both[i % 2], want[i / 2].msr, NULL);

		ck_assert_ptr_nonnull(reg);
		ck_assert_uint_eq(reg->valid, want[i / 2].valid);
		ck_assert_uint_eq(reg->write_mask, want[i / 2].write);
		ck_assert_int_eq(reg->access, want[i / 2].access);
		ck_assert_int_eq(reg->scope, UM_SCOPE_PACKAGE);
	}
	ck_assert_uint_eq(um_reg_find(&um_uarch_westmere, 0x301, NULL)->write_mask, 0);
	ck_assert_ptr_null(um_reg_find(&um_uarch_nehalem, 0x301, NULL));
}

TEST(addresses_beside_the_tables_are_not_claimed)
{
	static const uint32_t others[] = { 0x0, 0x300, 0x302, 0x390, 0x397, 0x3af, 0x3b8, 0x3bf,
					   0x3c8, 0x1b1, 0x186, 0xffffffff };

	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		ck_assert_ptr_null(um_reg_find(&um_uarch_westmere, others[i], NULL));
}

TEST(the_fixed_counter_is_0x394_and_its_control_0x395)
{
	const struct um_pmu *p = um_uarch_westmere.pmus;

	ck_assert_uint_eq(p->fixed[0].counter.msr, 0x394);
	ck_assert_uint_eq(p->fixed[0].control.msr, 0x395);
	ck_assert_uint_eq(p->fixed[0].enable, 1);
	ck_assert_uint_eq(p->num_gates, 1);
	ck_assert_uint_eq(p->gates[0].reg.msr, 0x391);
	ck_assert(p->gates[0].per_counter);
	ck_assert_uint_eq(p->gates[0].bit0, 0);
	ck_assert_uint_eq(p->gates[0].fixed_bit0, 32);
	ck_assert_uint_eq(p->num_general, 8);
	ck_assert_uint_eq(p->general_width, 48);
	ck_assert_uint_eq(p->selector->reg.msr, 0x3c0);
	ck_assert_uint_eq(p->counter->msr, 0x3b0);
	ck_assert_uint_eq(p->selector->ignore_on_compare, 1u << 17);
	ck_assert_uint_eq(p->selector->settable, 0xffc6ffff); /* no event sets bit 20, the PMI */
	ck_assert_str_eq(p->fixed[0].event, "UNC_CLK_UNHALTED");
}

TEST(registers_are_written_with_name_and_number)
{
	char buf[64], tiny[8];
	unsigned index = 99;

	ck_assert_ptr_nonnull(um_reg_find(&um_uarch_westmere, 0x3c3, &index));
	ck_assert_uint_eq(index, 3);
	ck_assert_str_eq(um_reg_format(&um_uarch_westmere, 0x3c3, buf, sizeof(buf)),
			 "UNCORE_PERFEVTSEL3 (0x3c3)");
	ck_assert_str_eq(um_reg_format(&um_uarch_westmere, 0x391, buf, sizeof(buf)),
			 "UNCORE_PERF_GLOBAL_CTRL (0x391)");
	ck_assert_str_eq(um_reg_format(&um_uarch_westmere, 0x3c8, buf, sizeof(buf)), "MSR 0x3c8");
	ck_assert_str_eq(um_reg_format(NULL, 0x3c3, buf, sizeof(buf)), "MSR 0x3c3");
	ck_assert_str_eq(um_reg_format(&um_uarch_westmere, 0x3c3, tiny, sizeof(tiny)), "UNCORE_");
}

TEST(the_core_pmu_has_its_registers_where_the_manual_says)
{
	const struct um_pmu *p = um_core_registers.pmus;

	ck_assert_uint_eq(p->selector->reg.msr, 0x186);
	ck_assert_uint_eq(p->counter->msr, 0xc1);
	ck_assert_uint_eq(p->counter_alias->msr, 0x4c1);
	ck_assert_uint_eq(p->gates[0].reg.msr, 0x38f);
	ck_assert_uint_eq(p->num_fixed, 4);
	for (unsigned i = 0; i < p->num_fixed; i++) {
		ck_assert_uint_eq(p->fixed[i].counter.msr, 0x309 + i);
		ck_assert_uint_eq(p->fixed[i].control.msr, 0x38d);
		ck_assert_uint_eq(p->fixed[i].enable, 3ull << 4 * i);
	}
	ck_assert_uint_eq(p->selector->settable & 1u << 20, 0); /* no event sets the interrupt */
	ck_assert_uint_eq(p->counter_write_bits, 32);
	ck_assert(p->only_on_request);
	ck_assert_ptr_null(um_uarch_find("core"));
}

SUITE(uarch_registers)
