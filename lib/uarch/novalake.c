/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Nova Lake (family 18, in decimal, models 1 and 3).
 *
 * Facts: Linux arch/x86/events/intel/uncore_snb.c (nvl, as of early 2026), no other source. MSR 711
 * points at a table in memory with further units, which MSRs do not reach.
 */
#include "uarch/client.h"

#define FROM "Linux uncore_snb.c (2026; the only source of the addresses)"

#define GATES GATE_LIST(CLIENT_BOX_GATE(0x202e, "UNC_CNCU_BOX_CTRL", false, FROM))

static const struct um_fixed clock[] = {
	CLIENT_CLOCK(0x2022, "UNC_CNCU_FIXED_CTRL", 0x2028, "UNC_CNCU_FIXED_CTR", 48, FROM),
};

#define BOXES(number) .scope = UM_SCOPE_PACKAGE, .units = { .max = number, .stride = 0x10 }, \
	GATES, .unverified = true, .source = FROM

static const struct um_pmu pmus[] = {
	{
		.name = "cbo", .desc = CLIENT_CBO_DESC, .kernel = "uncore_cbox", BOXES(12),
		CLIENT_SELECTOR(0x2102, 2, "UNC_CBO_%b_PERFEVTSEL%u", 6, FROM),
		CLIENT_COUNTER(0x2108, 2, "UNC_CBO_%b_PERFCTR%u", 48, FROM),
		LIST(terms, client_threshold6_terms), CLIENT_BOUNDS,
	}, {
		.name = "santa", .desc = "arbiter between the compute tile and memory",
		.kernel = "uncore_santa", BOXES(2),
		CLIENT_SELECTOR(0x2042, 2, "UNC_SANTA_%b_PERFEVTSEL%u", 6, FROM),
		CLIENT_COUNTER(0x2048, 2, "UNC_SANTA_%b_PERFCTR%u", 48, FROM),
		LIST(terms, client_threshold6_terms), CLIENT_BOUNDS,
	}, {
		.name = "cncu", .desc = "clock of the compute tile", .kernel = "uncore_cncu",
		.scope = UM_SCOPE_PACKAGE, .units = { .max = 1 }, NO_COUNTERS,
		LIST(fixed, clock), GATES, CLIENT_BOUNDS, .max_increment = 1, .unverified = true, .source = FROM,
	},
	OUT_OF_REACH("imc", "memory controllers", UM_REACH_DISCOVERY, "uncore_imc"),
	OUT_OF_REACH("hbo", "home agents", UM_REACH_DISCOVERY, "uncore_hbo"),
	OUT_OF_REACH("sncu", "clock of the SoC tile", UM_REACH_DISCOVERY, "uncore_sncu"),
};

const struct um_uarch um_uarch_novalake = {
	.name = "novalake", .title = "Nova Lake", .scope = UM_SCOPE_PACKAGE, LIST(pmus, pmus),
};
