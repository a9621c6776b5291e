/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Properties in which processors differ, for every table: source of the number of units, registers that may be
 * missing, facts from a single source. Also checks that walking a table and looking up an address agree.
 *
 * Uses internal headers, because it tests the tables directly.
 */
#include <string.h>

#include "names/format.h"
#include "helpers.h"
#include "suite.h"
#include "uarch/uarch.h"

static const struct um_uarch *uarch;
static const struct um_pmu *pmu;

static void for_each_pmu(void (*fn)(void))
{
	unsigned num = 0;

	for (uarch = NULL; (uarch = next_uarch(uarch)); )
		for (size_t k = 0; k < uarch->num_pmus; k++) {
			pmu = &uarch->pmus[k];
			if (pmu->reach != UM_REACH_MSR)
				continue;
			fn();
			num++;
		}
	ck_assert_uint_gt(num, 100);
}

#define OF(row) \
	(is_one_of((row).uarchs, uarch->name) && is_one_of((row).pmus, pmu->name))
#define SAME(what, have, want) \
	ck_assert_msg((have) == (want), "%s %s: %s is %lld, not %lld", uarch->name, pmu->name, what, \
		      (long long)(have), (long long)(want))

/* ---- words of events ---- */

static void expect_settable(void)
{
	const struct um_selector *sel = pmu->selector;

	ck_assert_msg(!(sel->enable & ~sel->settable), "%s %s", uarch->name, pmu->name);
}

/* A journal is valid only if an event could have set all bits of its words, so events must be able to set the bits that
 * we always set. */
TEST(bits_that_are_always_set_are_among_the_settable_ones)
{
	for_each_pmu(expect_settable);
	uarch = &um_core_registers;
	for (size_t i = 0; i < um_core_registers.num_pmus; i++) {
		pmu = &um_core_registers.pmus[i];
		expect_settable();
	}
}

/* ---- groups of processors ---- */

#define LATE_CLIENTS \
	"meteorlake arrowlake lunarlake pantherlake wildcatlake novalake"
#define SPR "sapphirerapids emeraldrapids"
#define GNR "graniterapids sierraforest clearwaterforest"
#define EX "nehalem-ex westmere-ex"

/* amd/uncore.c, amd_uncore_df_ctx_scan(): 4 counters; from PerfMon version 2 on their number is from CPUID. */
static void check_counters(void)
{
	bool told = is_one_of("zen4 zen5", uarch->name) && !strcmp(pmu->name, "df");

	SAME("source of the number of counters", pmu->counters_from, told ? UM_COUNTERS_AMD_DF : UM_COUNTERS_TABLE);
	SAME("written bits", pmu->counter_write_bits, 0);
	SAME("only on request", pmu->only_on_request, false);
	/* X86_FEATURE_PERFCTR_NB and _LLC: CPUID 0x80000001 ECX, bits 24 and 28. */
	SAME("bit of CPUID", pmu->amd_feature,
	     !is_one_of("bulldozer jaguar zen zen2 zen3 zen4 zen5 dhyana", uarch->name) ||
	     !strcmp(pmu->name, "umc") ? 0 : is_one_of("nb df", pmu->name) ? 24 : 28);
}

/* ---- properties of PMUs ---- */

/* PMUs with addresses from a single source, or that were never tested on hardware. */
static const struct {
	const char *uarchs, *pmus;
} unverified[] = {
	{ LATE_CLIENTS, "cbo arb hac_arb hac_cbo cncu sncu santa ia_core_bridge" },
	{ SPR " " GNR " grandridge", "iio irp ubox" }, { "clearwaterforest", "cha" },
	{ "jaguar", "l2" }, { "zen4 zen5", "umc" },
};

/* Boxes of servers before Sapphire Rapids, whose selectors have a reset bit and an enable bit. */
#define PMON \
	"sandybridge-ep ivybridge-ep haswell-ep broadwell-ep broadwell-de knightslanding knightsmill " \
	"skylake-sp snowridge icelake-sp icelake-d"

static void check_habits(void)
{
	bool alone = false, server = is_one_of(PMON, uarch->name) && pmu->num_general;

	for (size_t i = 0; i < ARRAY_SIZE(unverified); i++)
		alone |= OF(unverified[i]);
	SAME("unverified", pmu->unverified, alone);
	/* If SPR_MSR_UNC_CBO_CONFIG reads 0, the library probes which units exist. */
	SAME("0 for unknown", pmu->units.zero_means_probe, is_one_of(SPR, uarch->name) && !strcmp(pmu->name, "cha"));
	SAME("written twice", pmu->selector->twice, server);
	/* Bit 17 reads 0: it is RST in boxes, and OCC_CTR_RST on Nehalem. */
	SAME("reads as 0", pmu->selector->reg.reads_zero, pmu->num_general &&
	     is_one_of(PMON " nehalem westmere " SPR " " GNR " grandridge", uarch->name) ? 0x20000 : 0);
	SAME("not compared", pmu->selector->ignore_on_compare, pmu->selector->reg.reads_zero);
	SAME("occupancy reset", pmu->selector->occ_reset, is_one_of("nehalem westmere", uarch->name) ? 0x20000 : 0);
	SAME("scope of the uncore", uarch->scope, !is_one_of("nehalem westmere", uarch->name)
	     ? uarch->scope : UM_SCOPE_PACKAGE);
	/* nhmex_bbox_hw_config(): bits 7:6 choose the counter. */
	SAME("bits that choose the counter", pmu->selector->not_written, strcmp(pmu->name, "bbox") ? 0 : 0xc0);
	for (unsigned i = 0; i < pmu->num_gates; i++) {
		const struct um_gate *g = &pmu->gates[i];

		/*
		 * Linux does not write the gate on Ice Lake (icl_uncore_msr_ops); it is unknown whether every
		 * Panther Lake has the second cNCU.
		 */
		SAME("may be missing", g->may_be_absent, !strcmp(uarch->name, "icelake") ||
		     (is_one_of("pantherlake wildcatlake", uarch->name) && g->reg.msr == 0x254e));
		SAME("whole values", g->plain, server || (g->of_unit &&
		     is_one_of(SPR " " GNR " grandridge", uarch->name)));
		/* RST_CTRL and RST_CTRS: bits 1:0, from Sapphire Rapids on 9:8. */
		SAME("gate reads as 0", g->reg.reads_zero, !g->plain ? 0 : server ? 0x3 : 0x300);
		SAME("scope of a gate", g->reg.scope, pmu->scope);
	}
}

/* ---- rows of a PMU ---- */

/* The scope of a register is that of its PMU; status bits are cleared by writing 1. */
static void check_row(const struct um_reg *reg)
{
	bool status = strstr(reg->name, "_STATUS") != NULL && is_one_of(PMON, uarch->name);

	ck_assert_msg(reg->scope == pmu->scope, "%s %s: %s", uarch->name, pmu->name, reg->name);
	ck_assert_msg(!status || reg->access == UM_REG_W1C, "%s %s: %s", uarch->name, pmu->name, reg->name);
	ck_assert_msg(!reg->reads_zero, "%s %s: %s", uarch->name, pmu->name, reg->name);
}

static void check_rows(void)
{
	for (size_t i = 0; i < pmu->num_others; i++)
		check_row(&pmu->others[i]);
	for (size_t i = 0; i < pmu->num_extras; i++) {
		const struct um_extra *x = &pmu->extras[i];

		check_row(&x->reg);
		SAME("access of a second register", x->reg.access, UM_REG_RW);
		/*
		 * Registers that are written only if one of their terms is given: registers that no event needs, and
		 * the address filter of M-boxes (nhmex_mbox_hw_config() requires filter_cfg_en).
		 */
		SAME("only if a term is given", x->only_if_set, !x->when_mask ||
		     (!strcmp(pmu->name, "mbox") && x->reg.msr >= 0xe54));
	}
	for (unsigned i = 0; i < pmu->num_fixed; i++) {
		const struct um_fixed *f = &pmu->fixed[i];

		check_row(&f->counter);
		/* Interrupt bit: 2 on Nehalem (SDM), 20 in boxes (SNB_UNC, SNBEP_PMON_CTL_OVF_EN), none in W-boxes. */
		SAME("interrupt of a fixed counter", f->pmi,
		     !f->control.msr || is_one_of(EX, uarch->name) ? 0
		     : is_one_of("nehalem westmere", uarch->name) ? 1 << 2 : 1 << 20);
		if (!f->control.msr)
			continue;
		check_row(&f->control);
		SAME("access of a control", f->control.access, UM_REG_RW);
		/* Enable bit: 22 (SNB_UNC_FIXED_CTR_CTRL, SNBEP_PMON_CTL_EN); bit 0 on Nehalem and in the W-box. */
		SAME("enable of a fixed counter", f->enable,
		     is_one_of("nehalem westmere " EX, uarch->name) ? 1 : 1 << 22);
		SAME("bits of a control", f->control_mask, 0);
	}
	if (pmu->num_general) {
		check_row(pmu->counter);
		SAME("access of a counter", pmu->counter->access, UM_REG_RW);
		SAME("scope of a selector", pmu->selector->reg.scope, pmu->scope);
	}
}

static const struct {
	const char *rule;
	void (*check)(void);
} rules[] = {
	{ "the number of counters is from the table or from cpuid", check_counters },
	{ "peculiarities are set only for the processors that have them", check_habits },
	{ "each register of a pmu exists once per unit", check_rows },
};

TEST_EACH(every_pmu_keeps_each_rule, ARRAY_SIZE(rules))
{
	for_each_pmu(rules[_i].check);
}

/* ---- the core PMU (SDM volume 3B, IA32_FIXED_CTR_CTRL: four bits for each counter) ---- */

TEST(fixed_counters_of_a_core_have_their_four_bits)
{
	const struct um_pmu *core = um_core_registers.pmus;

	ck_assert_int_eq(um_core_registers.scope, UM_SCOPE_CPU);
	ck_assert_int_eq(core->scope, UM_SCOPE_CPU);
	ck_assert_uint_eq(core->num_fixed, 4);
	for (unsigned i = 0; i < 4; i++) {
		const struct um_fixed *f = &core->fixed[i];

		/* Fixed counter 3 (slots) has no ANY bit; Linux uses bit 14 of 0x38d to clear the metrics. */
		ck_assert_uint_eq(f->control_mask, (i < 3 ? 0xfull : 0xbull) << 4 * i);
		ck_assert_uint_eq(f->enable, 0x3ull << 4 * i);
		ck_assert_uint_eq(f->pmi, 0x8ull << 4 * i);
		ck_assert_uint_eq(f->width, 48);
		ck_assert_uint_eq(f->control.valid, 0xbfff);
		ck_assert_uint_eq(f->control.write_mask, 0xbfff);
		ck_assert_int_eq(f->counter.scope, UM_SCOPE_CPU);
		ck_assert_int_eq(f->counter.access, UM_REG_RW);
		ck_assert_int_eq(f->control.scope, UM_SCOPE_CPU);
		ck_assert_int_eq(f->control.access, UM_REG_RW);
	}
	ck_assert_uint_eq(core->counter_write_bits, 32);
	ck_assert(core->only_on_request);
	ck_assert_ptr_eq(um_uarch_find("core"), &um_core_registers);
	ck_assert_uint_eq(core->num_general, 10);
	ck_assert_uint_eq(core->selector->reg.valid, 0x3ffffffff);
	ck_assert_uint_eq(core->selector->settable, 0x3ffe7ffff);
	ck_assert_uint_eq(core->selector->pmi, 1u << 20);
	ck_assert_uint_eq(um_selector_bits(core, "edge"), 1u << 18);
	ck_assert_uint_eq(um_selector_bits(core, "inv"), 1u << 23);
	ck_assert_uint_eq(core->selector->enable, 1u << 22);
	ck_assert_int_eq(core->counters_from, UM_COUNTERS_LEAF_0XA);
	/* General counters are in the bits from 0 on, fixed counters from 32 on, the metrics in bit 48. */
	ck_assert_uint_eq(core->gates[0].reg.valid, 0x1000f000003ff);
	ck_assert_uint_eq(core->gates[0].reg.write_mask, 0xf000003ff);
	ck_assert(core->gates[0].per_counter);
	ck_assert_uint_eq(core->gates[0].bit0, 0);
	ck_assert_uint_eq(core->gates[0].fixed_bit0, 32);
	/* IA32_PERF_GLOBAL_STATUS.CTR_FRZ */
	ck_assert_uint_eq(core->num_gates, 2);
	ck_assert_uint_eq(core->gates[1].reg.msr, 0x38e);
	ck_assert_uint_eq(core->gates[1].mask, 1ull << 59);
	ck_assert_uint_eq(core->gates[1].value, 0);
	ck_assert_uint_eq(core->overflow->msr, 0x390);
	ck_assert_uint_eq(core->defaults[0].mask, 0x30000);
	ck_assert_uint_eq(core->defaults[0].value, 0x30000);
}

/* Name, address, number, access, bits: SDM volume 4, table 2-2. */
TEST(registers_of_a_core_are_those_of_the_manual)
{
	static const struct {
		uint32_t msr;
		enum um_reg_access access;
		uint64_t valid;
	} want[] = {
		{ 0x345, UM_REG_RO, 0x1ffff }, { 0x38e, UM_REG_RO, 0xfc81000f000003ff },
		{ 0x390, UM_REG_WO, 0xfc81000f000003ff }, { 0x391, UM_REG_WO, 0xfc81000f000003ff },
		{ 0x392, UM_REG_RO, 0x8000000f000003ff }, { 0x38d, UM_REG_RW, 0xbfff },
		{ 0x38f, UM_REG_RW, 0x1000f000003ff }, { 0x186, UM_REG_RW, 0x3ffffffff },
		{ 0x18f, UM_REG_RW, 0x3ffffffff }, { 0xc1, UM_REG_RW, 0xffffffffffff },
		{ 0xca, UM_REG_RW, 0xffffffffffff }, { 0x4c1, UM_REG_RW, 0xffffffffffff },
		{ 0x4ca, UM_REG_RW, 0xffffffffffff }, { 0x309, UM_REG_RW, 0xffffffffffff },
		{ 0x30c, UM_REG_RW, 0xffffffffffff },
	};

	for (size_t i = 0; i < ARRAY_SIZE(want); i++) {
		const struct um_reg *r = um_reg_find(&um_core_registers, want[i].msr);

		ck_assert_msg(r && r->access == want[i].access && r->valid == want[i].valid &&
			      r->scope == UM_SCOPE_CPU, "0x%x", want[i].msr);
	}
	/* We write only the register that clears overflow bits (0x390), and only its bits of counters. */
	for (size_t i = 0; i < um_core_registers.num_regs; i++)
		ck_assert_uint_eq(um_core_registers.regs[i].write_mask,
				  um_core_registers.regs[i].msr == 0x390 ? 0xf000003ff : 0);
	ck_assert_ptr_null(um_reg_find(&um_core_registers, 0x30d));
	ck_assert_ptr_null(um_reg_find(&um_core_registers, 0x190));
}

/* ---- walking through registers ---- */

enum { INTEL_END = 0x4800, AMD_FIRST = 0xc0010200, AMD_END = 0xc0010a00 };
static unsigned char walked[INTEL_END + AMD_END - AMD_FIRST];

static unsigned char *seen(uint32_t msr)
{
	ck_assert_msg(msr < INTEL_END || (msr >= AMD_FIRST && msr < AMD_END), "0x%x", msr);
	return &walked[msr < INTEL_END ? msr : msr - AMD_FIRST + INTEL_END];
}

static int walk(void *user, const struct um_reg_place *at)
{
	uint32_t *left = user;

	++*seen(um_place_msr(at));
	return left && !--*left ? 7 : 0;
}

static void check_walk(const struct um_uarch *u)
{
	struct um_reg_place at;
	uint32_t num = 0, left;

	memset(walked, 0, sizeof(walked));
	ck_assert_int_eq(um_regs_each(u, walk, NULL), 0);
	for (size_t i = 0; i < sizeof(walked); i++) {
		uint32_t msr = (uint32_t)(i < INTEL_END ? i : i - INTEL_END + AMD_FIRST);

		num += walked[i];
		/* Test only addresses next to registers, and every 64th of all remaining addresses. */
		if (!walked[i] && !(i && walked[i - 1]) && i + 1 < sizeof(walked) && !walked[i + 1] && i % 64)
			continue;
		ck_assert_msg(walked[i] == um_reg_place(u, msr, &at), "%s: 0x%x %d times", u->name, msr, walked[i]);
	}
	/* The walk ends when the callback returns a value that is not 0, and returns this value. */
	for (uint32_t end = 1; end <= num; end++) {
		memset(walked, 0, sizeof(walked));
		left = end;
		ck_assert_int_eq(um_regs_each(u, walk, &left), 7);
		ck_assert_uint_eq(left, 0);
		if (end > 40)
			end += num / 8;
	}
}

TEST(every_register_is_walked_over_once_and_no_other_is_found)
{
	check_walk(&um_core_registers);
	for (const struct um_uarch *u = NULL; (u = next_uarch(u)); )
		check_walk(u);
}

SUITE(uarch_habits)
