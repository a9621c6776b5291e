/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Haswell-EP and EX (family 6 model 3F): C-boxes at E00, ring boxes (SBOX) at 720, U box and power
 * control unit at 703 to 71A.
 *
 * Parts with few cores have only two SBOXes. The kernel finds the number in CAPID4 in PCI config space; we probe them,
 * because reading an absent one faults. The box control of an SBOX takes one new bit per write. Counters of the U box
 * and the SBOX have 44 bits in the kernel, 48 in LIKWID.
 */
#include "uarch/ep_boxes.h"

#define SCOPE UM_SCOPE_PACKAGE
#define SOURCE "Linux uncore_snbep.c (hswep); LIKWID; Intel PCM"
#define GLOBAL_SOURCE "LIKWID; Intel PCM; edk2"

static const struct um_extra cbo_extras[] = { CBO_700_EXTRAS };
static const struct um_linux_rule cbo_rules[] = { CBO_700_RULES };
static const struct um_default cbo_defaults[] = { DEFAULT_STATE(CBO_700_STATE) };
static const struct um_term cbo_terms[] = { CBO_700_TERMS };
/* Source: Linux, which is stricter than Intel's event list: the list allows event 09 on counters 0 and 1. */
static const struct um_constraint cbo_constraints[] = {
	ONLY(0x01, COUNTER_0), ONLY(0x09, COUNTER_0), ONLY(0x11, COUNTER_0),
	ONLY(0x36, COUNTER_0), ONLY(0x38, COUNTERS_0_1), ONLY(0x3b, COUNTER_0),
	ONLY(0x3e, COUNTER_0),
};
static const struct um_reg cbo_others[] = { PMON_STATUS(0xe07, "C%b", 4) };

static const struct um_reg sbox_others[] = { PMON_STATUS(0x725, "S%b", 4) };

static const struct um_extra ubox_extras[] = { UBOX_700_EXTRAS };
static const struct um_linux_rule ubox_rules[] = { UBOX_700_RULES };
static const struct um_term ubox_terms[] = { UBOX_700_TERMS };
static const struct um_fixed ubox_fixed[] = { PMON_CLOCK(0x703, 0x704, 48) };
static const struct um_reg ubox_others[] = { PMON_STATUS(0x708, "U", 2) };

static const struct um_extra pcu_extras[] = { PCU_BANDS(0x715) };
static const struct um_linux_rule pcu_rules[] = { PCU_BAND_RULES, PCU_OCC_RULE };
static const struct um_term pcu_terms[] = { PCU_700_TERMS };
static const struct um_reg pcu_others[] = { PMON_STATUS(0x716, "PCU", 4) };

static const struct um_pmu pmus[] = {
	{
		.name = "cbo", .kernel = "uncore_cbox", .desc = CBO_DESC,
		.scope = SCOPE, .source = SOURCE,
		.units = { .from = UM_UNITS_CORES, .max = 18, .stride = 0x10 },
		CBO_700_REGISTERS, LIST(terms, cbo_terms), LIST(extras, cbo_extras),
		LIST(defaults, cbo_defaults), LIST(rules, cbo_rules), LIST(constraints, cbo_constraints),
		PMON_OTHERS(cbo_others), PMON_BOUNDS,
	}, {
		.name = "sbox", .kernel = "uncore_sbox", .desc = SBOX_DESC,
		.scope = SCOPE, .source = SOURCE,
		.units = { .from = UM_UNITS_PROBE, .max = 4, .stride = 0xa },
		SBOX_SELECTOR, PMON_COUNTERS_44_OR_48(0x726, 4, "S%b"), SBOX_GATE,
		LIST(terms, um_pmon8_tid_terms), PMON_OTHERS(sbox_others), PMON_BOUNDS,
	}, {
		.name = "ubox", .kernel = "uncore_ubox", .desc = UBOX_DESC,
		.scope = SCOPE, .source = SOURCE, .units = { .max = 1 },
		UBOX_700_SELECTOR, PMON_COUNTERS_44_OR_48(0x709, 2, "U"),
		LIST(terms, ubox_terms), LIST(extras, ubox_extras), LIST(rules, ubox_rules), LIST(fixed, ubox_fixed),
		PMON_OTHERS(ubox_others), PMON_BOUNDS,
	}, {
		.name = "pcu", .kernel = "uncore_pcu", .desc = PCU_DESC,
		.scope = SCOPE, .source = SOURCE, .units = { .max = 1 },
		PCU_700_REGISTERS, LIST(terms, pcu_terms), LIST(extras, pcu_extras), LIST(rules, pcu_rules),
		PMON_OTHERS(pcu_others), PMON_BOUNDS,
	},
	RING_PCI_BOXES,
	OUT_OF_REACH("irp", "I/O ring port", UM_REACH_PCI, "uncore_irp"),
};

static const struct um_reg regs[] = {
	GLOBAL_CTL(0x700, 29), GLOBAL_STATUS(0x701, ""), GLOBAL_CONFIG(0x702),
};

const struct um_uarch um_uarch_haswell_ep = {
	.name = "haswell-ep", .title = "Haswell-EP", .scope = SCOPE,
	LIST(regs, regs), LIST(pmus, pmus),
};
