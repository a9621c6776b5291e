/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Sandy Bridge, Ivy Bridge, Haswell and Broadwell client (family 6 models 2A, 3A, 3C 45 46, 3D 47).
 *
 * Facts: Linux arch/x86/events/intel/uncore_snb.c (snb), likwid registers.h, edk2
 * Register/Intel/Msr/{SandyBridge,Haswell}Msr.h, intel/perfmon; Intel SDM volume 3B, "Performance
 * Monitoring Facility in the Uncore" of these parts.
 *
 * Trap: the addresses 391 to 396 and 3B0 to 3B3 exist on Nehalem, too, but have other meanings there.
 */
#include "uarch/client.h"

#define FROM "Linux uncore_snb.c; likwid; edk2; intel/perfmon"
#define FROM_EDK2 "edk2 Register/Intel/Msr; likwid"

static const struct um_reg regs[] = {
	CLIENT_STATUS(0x392, "UNC_PERF_GLOBAL_STATUS", FROM_EDK2),
	CLIENT_CBO_CONFIG(FROM_EDK2),
};

#define GATES GATE_LIST(CLIENT_GLOBAL_GATE(0x391, "UNC_PERF_GLOBAL_CTRL", false, FROM))

/* We use 44 bits. Sources disagree: the kernel has 48, likwid 44, edk2 48 here and 44 for Skylake. */
static const struct um_fixed clock[] = {
	CLIENT_CLOCK(0x394, "UNC_PERF_FIXED_CTRL", 0x395, "UNC_PERF_FIXED_CTR", 44,
		     "Linux uncore_snb.c; CoreFreq; edk2"),
};

static const struct um_pmu pmus[] = {
	{
		.name = "cbo", .desc = CLIENT_CBO_DESC, .kernel = "uncore_cbox",
		.scope = UM_SCOPE_PACKAGE,
		/* The number of boxes is not read from 396, because its count includes the box of the graphics. */
		.units = { .from = UM_UNITS_CORES, .max = 4, .stride = 0x10 },
		CLIENT_SELECTOR(0x700, 2, "UNC_CBO_%b_PERFEVTSEL%u", 5, FROM),
		CLIENT_COUNTER(0x706, 2, "UNC_CBO_%b_PERFCTR%u", 44, FROM),
		LIST(terms, client_cmask5_terms), GATES, CLIENT_BOUNDS, .source = FROM,
	},
	CLIENT_ARB_PMU(FROM), CLIENT_CLOCK_PMU("uncore_cbox_0", FROM), CLIENT_IMC_PMU("uncore_imc"),
};

CLIENT_TABLE(sandybridge, "sandybridge", "Sandy Bridge");
CLIENT_TABLE(ivybridge, "ivybridge", "Ivy Bridge");
CLIENT_TABLE(haswell, "haswell", "Haswell");
CLIENT_TABLE(broadwell, "broadwell", "Broadwell");
