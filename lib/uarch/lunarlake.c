/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Lunar Lake (family 6 model BD): the compute tile of Meteor Lake with four boxes; no clock by MSR.
 *
 * Facts: Linux arch/x86/events/intel/uncore_snb.c (lnl). intel/perfmon has the clock in a unit SANTA, but
 * no source has its address.
 */
#include "uarch/client.h"

#define FROM "Linux uncore_snb.c (the only source of the addresses)"

#define GATES GATE_LIST(CLIENT_BOX_GATE(0x240e, "UNC_CNCU_BOX_CTRL", false, FROM))

static const struct um_pmu pmus[] = {
	{
		.name = "cbo", .desc = CLIENT_CBO_DESC, .kernel = "uncore_cbox",
		.scope = UM_SCOPE_PACKAGE, .units = { .max = 4, .stride = 0x10 },
		CLIENT_SELECTOR(0x2442, 2, "UNC_CBO_%b_PERFEVTSEL%u", 6, FROM),
		CLIENT_COUNTER(0x2448, 2, "UNC_CBO_%b_PERFCTR%u", 48, FROM),
		LIST(terms, client_threshold6_terms), GATES, CLIENT_BOUNDS,
		.unverified = true, .source = FROM,
	}, {
		.name = "arb", .desc = CLIENT_ARB_DESC, .kernel = "uncore_arb",
		.scope = UM_SCOPE_PACKAGE, .units = { .max = 2, .stride = 0x10 },
		CLIENT_SELECTOR(0x2412, 2, "UNC_ARB_%b_PERFEVTSEL%u", 6, FROM),
		CLIENT_COUNTER(0x2418, 2, "UNC_ARB_%b_PERFCTR%u", 48, FROM),
		LIST(terms, client_threshold6_terms), LIST(constraints, client_arb_constraints),
		GATES, CLIENT_BOUNDS, .unverified = true, .source = FROM,
	},
	OUT_OF_REACH("imc", "memory controllers", UM_REACH_MMIO, "uncore_imc"),
	OUT_OF_REACH("hbo", "home agents", UM_REACH_MMIO, "uncore_hbo"),
	OUT_OF_REACH("sncu", "clock of the SoC tile", UM_REACH_MMIO, "uncore_sncu"),
};

const struct um_uarch um_uarch_lunarlake = {
	.name = "lunarlake", .title = "Lunar Lake", .scope = UM_SCOPE_PACKAGE,
	LIST(pmus, pmus),
};
