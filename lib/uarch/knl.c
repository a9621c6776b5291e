/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Knights Landing (family 6 model 57) and Knights Mill (85): CHAs at E00, 0xC apart (not 0x10), U
 * box and power control unit as on Haswell-EP.
 *
 * The number of CHAs is read from MSR 702, as in Intel PCM; the kernel always assumes 38. Only one source has
 * register 715, a filter of the power control unit; the register is described, but not used.
 */
#include "uarch/ep_boxes.h"

#define SCOPE UM_SCOPE_PACKAGE
#define SOURCE "Linux uncore_snbep.c (knl); LIKWID; Intel PCM"
#define GLOBAL_SOURCE "LIKWID"

#define CHA_BITS (PMON_BITS_INV(8) | PMON_TID_EN | BIT(16))
#define UBOX_BITS (PMON_BITS_INV(5) | PMON_TID_EN)
#define PCU_BITS ((PMON_BITS_INV(6) & ~BITS(8, 15)) | PMON_TID_EN | PMON_PCU_OCC)

#define TID BITS(0, 8)
#define LINK BIT(12)
#define STATE BITS(18, 20)
#define NODES BITS(0, 1)
#define NNM BIT(5)
#define OPCODES (BIT(3) | BITS(9, 31))

#define FILTER0 \
	PMON_REG(0xe05, 1, "C%b_MSR_PMON_BOX_FILTER0", CBO_FILTER_TEXT, knl_filter0_fields, \
		 TID | LINK | STATE, TID | LINK | STATE, 0)
#define FILTER1 \
	PMON_REG(0xe06, 1, "C%b_MSR_PMON_BOX_FILTER1", CBO_FILTER_TEXT, knl_filter1_fields, \
		 NODES | NNM | OPCODES, NODES | NNM | OPCODES, 0)

static const struct um_extra cha_extras[] = {
	EXTRA(FILTER_TID, TID, PMON_TID_EN, PMON_TID_EN, FILTER0),
	{ .word = UM_EXTRA_WORD(FILTER_LINK), .mask = LINK, .only_if_set = true, .config1 = 1,
	  .reg = FILTER0 },
	EXTRA(FILTER_STATE, STATE, 0xff, 0x3d, FILTER0),
	EXTRA_2(FILTER_MATCH, NODES | NNM, PMON_TID_EN, PMON_TID_EN, FILTER1),
	EXTRA_2(FILTER_MATCH, NODES | NNM, 0xff, 0x3d, FILTER1),
	EXTRA_2(FILTER_MATCH, NODES | NNM | OPCODES, 0xff, 0x35, FILTER1),
	EXTRA_2(FILTER_MATCH, NODES | NNM | OPCODES, 0xff, 0x36, FILTER1),
};

/* Without the bits remote, local and nnm nothing matches. */
static const struct um_default cha_defaults[] = {
	DEFAULT_STATE(STATE),
	{ .word = UM_EXTRA_WORD(FILTER_MATCH), .mask = NODES, .value = NODES,
	  .why = "neither remote nor local given: both" },
	{ .word = UM_EXTRA_WORD(FILTER_MATCH), .mask = NNM, .value = NNM,
	  .why = "nnm is set: without it nothing matches" },
};

/* The kernel sets remote, local and nnm whenever it uses a filter. Format files: knl_uncore_cha_formats_attr. */
static const struct um_linux_rule cha_rules[] = {
	DROPS(FILTER_LINK, LINK, 0, 0, "knl_cha_filter_mask() has none"),
	RULE(UM_KERNEL_FORCES, FILTER_MATCH, NODES, "knl_cha_hw_config()", .value = NODES),
	RULE(UM_KERNEL_FORCES, FILTER_MATCH, NNM, "knl_cha_hw_config()", .value = NNM),
	VERBATIM(FILTER_MATCH, BIT(0) | BIT(29), "knl_uncore_cha_formats_attr"),
};

static const struct um_term cha_terms[] = {
	TERMS_PMON(8), TERM_TID_EN(19), TERM_FILTER_TID(9, PMON_TID_EN),
	TERM("qor", "1: clear the queue occupancy first", 16, 1),
	TERM_EXTRA(FILTER_LINK, "filter_link", "links whose responses to count", 12, 1),
	TERM_EXTRA(FILTER_STATE, "filter_state", "line states that event 0x3d counts", 18, 3),
	TERM_EXTRA(FILTER_MATCH, "filter_rem", "1: count requests for remote memory", 0, 1),
	TERM_EXTRA(FILTER_MATCH, "filter_local", "1: count requests for local memory", 1, 1),
	TERM_EXTRA(FILTER_MATCH, "filter_all_op", "1: count any opcode", 3, 1),
	TERM_EXTRA(FILTER_MATCH, "filter_nnm", "1: count requests for near and for other memory", 5, 1),
	TERM_EXTRA(FILTER_MATCH, "filter_opc", "opcodes that events 0x35 and 0x36 count", 9, 20),
	TERM_EXTRA(FILTER_MATCH, "filter_c6", "1: only requests of a core in C6", 29, 1),
	TERM_EXTRA(FILTER_MATCH, "filter_nc", "1: only non-coherent requests", 30, 1),
	TERM_EXTRA(FILTER_MATCH, "filter_isoc", "1: only isochronous requests", 31, 1),
};

static const struct um_constraint cha_constraints[] = {
	ONLY(0x11, COUNTER_0), ONLY(0x1f, COUNTER_0), ONLY(0x36, COUNTER_0),
};
static const struct um_reg cha_others[] = { PMON_STATUS(0xe07, "C%b", 4) };

static const struct um_term ubox_terms[] = { TERMS_PMON(5), TERM_TID_EN(19) };
static const struct um_fixed ubox_fixed[] = { PMON_CLOCK(0x703, 0x704, 48) };
static const struct um_reg ubox_others[] = { PMON_STATUS(0x708, "U", 2) };

static const struct um_term pcu_terms[] = {
	TERM("event", "event select", 0, 7), TERM_OCC_SEL, TERM_EDGE, TERM_INV, TERM_TID_EN(19),
	TERM("use_occ_ctr", "1: use the occupancy of cores", 7, 1), TERM_THRESH("thresh", 6),
	TERMS_PCU_OCC("occ_edge_det"),
};
static const struct um_reg pcu_others[] = {
	PMON_STATUS(0x716, "PCU", 4),
	PMON_OTHER(0x715, "PCU_MSR_PMON_BOX_FILTER",
		   "frequencies to compare with; only one source describes it",
		   um_pmon_bands_fields, LOW(32)),
};

static const struct um_pmu pmus[] = {
	{
		.name = "cha", .kernel = "uncore_cha", .desc = CHA_DESC,
		.scope = SCOPE, .source = SOURCE,
		.units = { .from = UM_UNITS_MSR, .max = 38, .stride = 0xc, .msr = 0x702,
			   .width = 6 },
		PMON_SELECTOR(0xe01, 4, "C%b", knl_cha_fields, CHA_BITS),
		PMON_COUNTERS(0xe08, 4, "C%b", 48), PMON_BOX(0xe00, "C%b"),
		LIST(terms, cha_terms), LIST(extras, cha_extras), LIST(defaults, cha_defaults), LIST(rules, cha_rules),
		LIST(constraints, cha_constraints), PMON_OTHERS(cha_others), PMON_BOUNDS,
	}, {
		.name = "ubox", .kernel = "uncore_ubox", .desc = UBOX_DESC,
		.scope = SCOPE, .source = SOURCE, .units = { .max = 1 },
		PMON_SELECTOR(0x705, 2, "U", knl_ubox_fields, UBOX_BITS),
		PMON_COUNTERS(0x709, 2, "U", 48), LIST(terms, ubox_terms),
		LIST(fixed, ubox_fixed), PMON_OTHERS(ubox_others), PMON_BOUNDS,
	}, {
		.name = "pcu", .kernel = "uncore_pcu", .desc = PCU_DESC,
		.scope = SCOPE, .source = SOURCE, .units = { .max = 1 },
		PMON_SELECTOR_OF(0x711, 4, "PCU", knl_pcu_fields, PCU_BITS, 7, 0),
		PMON_COUNTERS(0x717, 4, "PCU", 48), PMON_BOX(0x710, "PCU"),
		LIST(terms, pcu_terms), PMON_OTHERS(pcu_others), PMON_BOUNDS,
	},
	OUT_OF_REACH("imc", "memory controller channels", UM_REACH_PCI, "uncore_imc"),
	OUT_OF_REACH("imc_uclk", "memory controllers, uncore clock", UM_REACH_PCI,
		     "uncore_imc_uclk"),
	OUT_OF_REACH("edc_uclk", "MCDRAM controllers, uncore clock", UM_REACH_PCI,
		     "uncore_edc_uclk"),
	OUT_OF_REACH("edc_eclk", "MCDRAM controllers", UM_REACH_PCI, "uncore_edc_eclk"),
	OUT_OF_REACH("m2pcie", M2PCIE_DESC, UM_REACH_PCI, "uncore_m2pcie"),
	OUT_OF_REACH("irp", IRP_DESC, UM_REACH_PCI, "uncore_irp"),
};

static const struct um_reg regs[] = {
	GLOBAL_CTL(0x700, 61), GLOBAL_STATUS(0x701, ""), GLOBAL_CONFIG(0x702),
};

const struct um_uarch um_uarch_knightslanding = {
	.name = "knightslanding", .title = "Knights Landing", .scope = SCOPE,
	LIST(regs, regs), LIST(pmus, pmus),
};

const struct um_uarch um_uarch_knightsmill = {
	.name = "knightsmill", .title = "Knights Mill", .scope = SCOPE,
	LIST(regs, regs), LIST(pmus, pmus),
};
