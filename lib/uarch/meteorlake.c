/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Meteor Lake and Arrow Lake (family 6 models AA AC, C6 C5 B5). There is no global control. Counters are enabled by the
 * box controls of the two clock units: cNCU on the compute tile and sNCU on the SoC tile.
 *
 * Facts: Linux arch/x86/events/intel/uncore_snb.c (mtl); intel/perfmon confirms the number of
 * counters, not the addresses.
 */
#include "uarch/client.h"

#define FROM "Linux uncore_snb.c (the only source of the addresses)"

static const struct um_reg regs[] = { CLIENT_CBO_CONFIG("Linux uncore_snb.c") };

/* No source says which of the two controls enables which box. We set both, as the kernel does. */
#define GATES GATE_LIST( \
		CLIENT_BOX_GATE(0x240e, "UNC_CNCU_BOX_CTRL", false, FROM), \
		CLIENT_BOX_GATE(0x200e, "UNC_SNCU_BOX_CTRL", false, FROM))

static const struct um_fixed cncu_clock[] = {
	CLIENT_CLOCK(0x2402, "UNC_CNCU_FIXED_CTRL", 0x2408, "UNC_CNCU_FIXED_CTR", 48, FROM),
};

static const struct um_fixed sncu_clock[] = {
	CLIENT_CLOCK(0x2002, "UNC_SNCU_FIXED_CTRL", 0x2008, "UNC_SNCU_FIXED_CTR", 48, FROM),
};

#define BOXES(number) .scope = UM_SCOPE_PACKAGE, .units = { .max = number, .stride = 0x10 }, \
	LIST(terms, client_threshold6_terms), GATES, CLIENT_BOUNDS, .unverified = true, \
	.source = FROM

static const struct um_pmu pmus[] = {
	{
		.name = "cbo", .desc = CLIENT_CBO_DESC, .kernel = "uncore_cbox",
		.scope = UM_SCOPE_PACKAGE,
		.units = { .from = UM_UNITS_MSR, .max = 15, .stride = 0x10, .msr = 0x396,
			   .width = 4 },
		CLIENT_SELECTOR(0x2442, 2, "UNC_CBO_%b_PERFEVTSEL%u", 6, FROM),
		CLIENT_COUNTER(0x2448, 2, "UNC_CBO_%b_PERFCTR%u", 48, FROM),
		LIST(terms, client_threshold6_terms), GATES, CLIENT_BOUNDS,
		.unverified = true, .source = FROM,
	}, {
		.name = "arb", .desc = CLIENT_ARB_DESC, .kernel = "uncore_arb", BOXES(2),
		CLIENT_SELECTOR(0x2412, 2, "UNC_ARB_%b_PERFEVTSEL%u", 6, FROM),
		CLIENT_COUNTER(0x2418, 2, "UNC_ARB_%b_PERFCTR%u", 48, FROM),
		LIST(constraints, client_arb_constraints),
	}, {
		.name = "hac_arb", .desc = "home agents: arbiter on the SoC tile",
		.kernel = "uncore_hac_arb", BOXES(2),
		CLIENT_SELECTOR(0x2012, 2, "UNC_HAC_ARB_%b_PERFEVTSEL%u", 6, FROM),
		CLIENT_COUNTER(0x2018, 2, "UNC_HAC_ARB_%b_PERFCTR%u", 48, FROM),
	}, {
		.name = "hac_cbo", .desc = "home agents: C-boxes on the SoC tile",
		.kernel = "uncore_hac_cbox", BOXES(2),
		CLIENT_SELECTOR(0x2042, 2, "UNC_HAC_CBO_%b_PERFEVTSEL%u", 6, FROM),
		CLIENT_COUNTER(0x2048, 2, "UNC_HAC_CBO_%b_PERFCTR%u", 48, FROM),
	}, {
		.name = "cncu", .desc = "clock of the compute tile", .kernel = "uncore_cncu",
		.scope = UM_SCOPE_PACKAGE, .units = { .max = 1 },
		NO_COUNTERS, LIST(fixed, cncu_clock), GATES, CLIENT_BOUNDS, .max_increment = 1, .unverified = true,
		.source = FROM,
	}, {
		.name = "sncu", .desc = "clock of the SoC tile", .kernel = "uncore_sncu",
		.scope = UM_SCOPE_PACKAGE, .units = { .max = 1 },
		NO_COUNTERS, LIST(fixed, sncu_clock), GATES, CLIENT_BOUNDS, .max_increment = 1, .unverified = true,
		.source = FROM,
	},
	OUT_OF_REACH("imc", "memory controller: commands and queues, five counters each",
		     UM_REACH_MMIO, "uncore_imc"),
	OUT_OF_REACH("imc_free_running", "memory controller: free-running counters of reads and "
		     "writes", UM_REACH_MMIO, "uncore_imc_free_running"),
};

CLIENT_TABLE(meteorlake, "meteorlake", "Meteor Lake");
CLIENT_TABLE(arrowlake, "arrowlake", "Arrow Lake");
