/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Ice Lake client (family 6 models 7D, 7E, 9D): boxes 8 apart, one ARB counter.
 *
 * Facts: Linux arch/x86/events/intel/uncore_snb.c (icl), likwid registers.h, intel/perfmon.
 *
 * Sources differ about the global control: the kernel writes none, likwid writes E01. So we write E01 if it exists.
 * Sources also differ about ARB counters: likwid has two, the kernel and perfmon one.
 */
#include "uarch/client.h"

#define FROM "Linux uncore_snb.c; likwid"
#define FROM_CLOCK "likwid (44 bits); Linux uncore_snb.c (48)"

static const struct um_reg regs[] = {
	CLIENT_CBO_CONFIG("Linux uncore_snb.c"),
	CLIENT_STATUS(0xe02, "UNC_PERF_GLOBAL_STATUS", "likwid"),
};

#define GATES GATE_LIST(CLIENT_GLOBAL_GATE(0xe01, "UNC_PERF_GLOBAL_CTRL", true, "likwid"))

static const struct um_fixed clock[] = {
	CLIENT_CLOCK(0x394, "UNC_PERF_FIXED_CTRL", 0x395, "UNC_PERF_FIXED_CTR", 44,
		     FROM_CLOCK),
};

static const struct um_pmu pmus[] = {
	{
		.name = "cbo", .desc = CLIENT_CBO_DESC, .kernel = "uncore_cbox",
		.scope = UM_SCOPE_PACKAGE,
		/* At most 8 boxes: a ninth would be at 740, and from 770 on there are power management registers. */
		.units = { .from = UM_UNITS_MSR, .max = 8, .stride = 8, .msr = 0x396, .width = 4 },
		CLIENT_SELECTOR(0x700, 2, "UNC_CBO_%b_PERFEVTSEL%u", 5, FROM),
		CLIENT_COUNTER(0x702, 2, "UNC_CBO_%b_PERFCTR%u", 44, FROM),
		LIST(terms, client_cmask5_terms), GATES, CLIENT_BOUNDS, .source = FROM,
	}, {
		.name = "arb", .desc = CLIENT_ARB_DESC, .kernel = "uncore_arb",
		.scope = UM_SCOPE_PACKAGE, .units = { .max = 1 },
		CLIENT_SELECTOR(0x3b3, 1, "UNC_ARB_PERFEVTSEL", 5,
				"Linux uncore_snb.c; intel/perfmon"),
		CLIENT_COUNTER(0x3b1, 1, "UNC_ARB_PERFCTR", 44,
			       "Linux uncore_snb.c; intel/perfmon"),
		LIST(terms, client_cmask5_terms), GATES, CLIENT_BOUNDS,
		.source = "Linux uncore_snb.c; intel/perfmon",
	},
	CLIENT_CLOCK_PMU("uncore_clock", FROM_CLOCK), CLIENT_IMC_PMU("uncore_imc"),
};

CLIENT_TABLE(icelake, "icelake", "Ice Lake");
