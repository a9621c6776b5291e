/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Tiger Lake and Rocket Lake (family 6 models 8C 8D, A7): the C-boxes of Ice Lake, and the ARB of Sandy Bridge with two
 * counters.
 *
 * Facts: Linux arch/x86/events/intel/uncore_snb.c (tgl, rkl), intel/perfmon; likwid for Rocket
 * Lake.
 */
#include "uarch/client.h"

#define FROM "Linux uncore_snb.c; likwid"
#define FROM_CLOCK "likwid (Rocket Lake, 44 bits); Linux uncore_snb.c (48)"
#define FROM_ARB "Linux uncore_snb.c; intel/perfmon"

static const struct um_reg regs[] = {
	CLIENT_CBO_CONFIG("Linux uncore_snb.c"),
	CLIENT_STATUS(0xe02, "UNC_PERF_GLOBAL_STATUS", "likwid (Skylake, Ice Lake; not verified)"),
};

#define GATES GATE_LIST(CLIENT_GLOBAL_GATE(0xe01, "UNC_PERF_GLOBAL_CTRL", false, FROM))

static const struct um_fixed clock[] = {
	CLIENT_CLOCK(0x394, "UNC_PERF_FIXED_CTRL", 0x395, "UNC_PERF_FIXED_CTR", 44,
		     FROM_CLOCK),
};

#define CBO { \
	.name = "cbo", .desc = CLIENT_CBO_DESC, .kernel = "uncore_cbox", \
	.scope = UM_SCOPE_PACKAGE, \
	/* At most 8 boxes: a ninth would be at 740, and from 770 on there are power management registers. */ \
	.units = { .from = UM_UNITS_MSR, .max = 8, .stride = 8, .msr = 0x396, .width = 4 }, \
	CLIENT_SELECTOR(0x700, 2, "UNC_CBO_%b_PERFEVTSEL%u", 5, FROM), \
	CLIENT_COUNTER(0x702, 2, "UNC_CBO_%b_PERFCTR%u", 44, FROM), \
	LIST(terms, client_cmask5_terms), GATES, CLIENT_BOUNDS, .source = FROM }

static const struct um_pmu tigerlake_pmus[] = {
	CBO, CLIENT_ARB_PMU(FROM_ARB), CLIENT_CLOCK_PMU("uncore_clock", FROM_CLOCK),
	CLIENT_IMC_PMU("uncore_imc_free_running"),
};

static const struct um_pmu rocketlake_pmus[] = {
	CBO, CLIENT_ARB_PMU(FROM_ARB), CLIENT_CLOCK_PMU("uncore_clock", FROM_CLOCK),
	CLIENT_IMC_PMU("uncore_imc"),
};

const struct um_uarch um_uarch_tigerlake = {
	.name = "tigerlake", .title = "Tiger Lake", .scope = UM_SCOPE_PACKAGE, LIST(regs, regs),
	LIST(pmus, tigerlake_pmus),
};

const struct um_uarch um_uarch_rocketlake = {
	.name = "rocketlake", .title = "Rocket Lake", .scope = UM_SCOPE_PACKAGE, LIST(regs, regs),
	LIST(pmus, rocketlake_pmus),
};
