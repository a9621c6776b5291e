/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Alder Lake, Alder Lake-N and Raptor Lake (family 6 models 97 9A BE, B7 BA BF). Hybrid: both kinds
 * of cores reach the same registers.
 *
 * Facts: Linux arch/x86/events/intel/uncore_snb.c (adl), intel/perfmon, CoreFreq (clock, status).
 *
 * Trap: bit 29 of 2FF0 enables all counters here. On Sapphire Rapids, bit 0 of the same address freezes
 * everything.
 */
#include "uarch/client.h"

#define FROM "Linux uncore_snb.c"
#define FROM_ARB "Linux uncore_snb.c; intel/perfmon"

static const struct um_reg regs[] = {
	CLIENT_CBO_CONFIG("Linux uncore_snb.c"),
	CLIENT_STATUS(0x2ff2, "UNC_PERF_GLOBAL_STATUS", "CoreFreq (not verified)"),
};

#define GATES \
	GATE_LIST(CLIENT_GLOBAL_GATE(0x2ff0, "UNC_PERF_GLOBAL_CTRL", false, "Linux uncore_snb.c; CoreFreq"))

static const struct um_fixed clock[] = {
	CLIENT_CLOCK(0x2fde, "UNC_PERF_FIXED_CTRL", 0x2fdf, "UNC_PERF_FIXED_CTR", 44,
		     "Linux uncore_snb.c (48 bits; likwid has 44 for every client); CoreFreq"),
};

static const struct um_pmu pmus[] = {
	{
		.name = "cbo", .desc = CLIENT_CBO_DESC, .kernel = "uncore_cbox",
		.scope = UM_SCOPE_PACKAGE,
		.units = { .from = UM_UNITS_MSR, .max = 15, .stride = 8, .msr = 0x396,
			   .width = 4 },
		CLIENT_SELECTOR(0x2000, 2, "UNC_CBO_%b_PERFEVTSEL%u", 6, FROM),
		CLIENT_COUNTER(0x2002, 2, "UNC_CBO_%b_PERFCTR%u", 44, FROM),
		LIST(terms, client_threshold6_terms), GATES, CLIENT_BOUNDS, .source = FROM,
	}, {
		/* The threshold of the ARB has five bits, that of a CBo six. */
		.name = "arb", .desc = CLIENT_ARB_DESC, .kernel = "uncore_arb",
		.scope = UM_SCOPE_PACKAGE, .units = { .max = 2, .stride = 8 },
		CLIENT_SELECTOR(0x2fd0, 2, "UNC_ARB_%b_PERFEVTSEL%u", 5, FROM_ARB),
		CLIENT_COUNTER(0x2fd2, 2, "UNC_ARB_%b_PERFCTR%u", 44, FROM_ARB),
		LIST(terms, client_cmask5_terms), LIST(constraints, client_arb_constraints),
		GATES, CLIENT_BOUNDS, .source = FROM_ARB,
	},
	CLIENT_CLOCK_PMU("uncore_clock", FROM),
	OUT_OF_REACH("imc", "memory controller: commands and queues, five counters each",
		     UM_REACH_MMIO, "uncore_imc"),
	OUT_OF_REACH("imc_free_running", "memory controller: free-running counters of reads and "
		     "writes", UM_REACH_MMIO, "uncore_imc_free_running"),
};

CLIENT_TABLE(alderlake, "alderlake", "Alder Lake");
CLIENT_TABLE(raptorlake, "raptorlake", "Raptor Lake");
