/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Skylake, Kaby Lake, Coffee Lake, Whiskey Lake, Amber Lake and Comet Lake client (family 6 models
 * 4E 5E, 8E 9E, A5 A6): Sandy Bridge's registers with the global control at E01.
 *
 * Facts: Linux arch/x86/events/intel/uncore_snb.c (skl), likwid registers.h, edk2
 * Register/Intel/Msr/SkylakeMsr.h, intel/perfmon.
 *
 * Traps: 391 belongs to the core PMU here. The kernel's table has four counters per CBo; likwid, edk2 and perfmon have
 * two. The selectors of counters 2 and 3 would be at addresses that no manual defines.
 */
#include "uarch/client.h"

#define FROM "Linux uncore_snb.c; likwid; edk2; intel/perfmon"

static const struct um_reg regs[] = {
	CLIENT_CBO_CONFIG("edk2 Register/Intel/Msr/SkylakeMsr.h; likwid"),
	CLIENT_STATUS(0xe02, "UNC_PERF_GLOBAL_STATUS", "likwid; CoreFreq; edk2"),
};

#define GATES GATE_LIST(CLIENT_GLOBAL_GATE(0xe01, "UNC_PERF_GLOBAL_CTRL", false, FROM))

static const struct um_fixed clock[] = {
	CLIENT_CLOCK(0x394, "UNC_PERF_FIXED_CTRL", 0x395, "UNC_PERF_FIXED_CTR", 44,
		     "likwid; edk2; Linux uncore_snb.c (48 bits there)"),
};

/*
 * Boxes are 0x10 apart, but the eighth box of Coffee Lake is at F70 (Linux uncore_snb.c, CFL8): 770 is a register of
 * hardware-controlled performance states.
 */
static const int32_t cbo_offsets[] = { 0, 0x10, 0x20, 0x30, 0x40, 0x50, 0x60, 0x870 };

static const struct um_pmu pmus[] = {
	{
		.name = "cbo", .desc = CLIENT_CBO_DESC, .kernel = "uncore_cbox",
		.scope = UM_SCOPE_PACKAGE,
		.units = { .from = UM_UNITS_CORES, .max = ARRAY_SIZE(cbo_offsets),
			   .offsets = cbo_offsets },
		CLIENT_SELECTOR(0x700, 2, "UNC_CBO_%b_PERFEVTSEL%u", 5, FROM),
		CLIENT_COUNTER(0x706, 2, "UNC_CBO_%b_PERFCTR%u", 44, FROM),
		LIST(terms, client_cmask5_terms), GATES, CLIENT_BOUNDS,
		.note = "the addresses of cbo7 come from the Linux kernel alone", .source = FROM,
	},
	CLIENT_ARB_PMU(FROM), CLIENT_CLOCK_PMU("uncore_cbox_0", FROM), CLIENT_IMC_PMU("uncore_imc"),
};

CLIENT_TABLE(skylake, "skylake", "Skylake");
CLIENT_TABLE(kabylake, "kabylake", "Kaby Lake, Coffee Lake");
CLIENT_TABLE(cometlake, "cometlake", "Comet Lake");
