/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Panther Lake and Wildcat Lake (family 6 models CC, D5).
 *
 * Facts: Linux arch/x86/events/intel/uncore_snb.c (ptl, as of early 2026), no other source. MSR
 * 201E points at a table in memory with further units, which MSRs do not reach.
 */
#include "uarch/client.h"

#define FROM "Linux uncore_snb.c (2026; the only source of the addresses)"
#define FREEZE "a stop bit in a memory-mapped register may hold every counter at 0"

/* The kernel sets the enable bit of each cNCU. No source says which of them enables which box. */
#define GATES GATE_LIST( \
		CLIENT_BOX_GATE(0x240e, "UNC_CNCU_0_BOX_CTRL", false, FROM), \
		CLIENT_BOX_GATE(0x254e, "UNC_CNCU_1_BOX_CTRL", true, FROM))

static const struct um_fixed clock[] = {
	CLIENT_CLOCK(0x2402, "UNC_CNCU_%b_FIXED_CTRL", 0x2408, "UNC_CNCU_%b_FIXED_CTR", 48, FROM),
};

#define BOXES(number, apart) .scope = UM_SCOPE_PACKAGE, \
	.units = { .max = number, .stride = apart }, GATES, .unverified = true, .note = FREEZE, \
	.source = FROM

static const struct um_pmu pmus[] = {
	{
		.name = "cbo", .desc = CLIENT_CBO_DESC, .kernel = "uncore_cbox", BOXES(6, 0x10),
		CLIENT_SELECTOR(0x2442, 2, "UNC_CBO_%b_PERFEVTSEL%u", 6, FROM),
		CLIENT_COUNTER(0x2448, 2, "UNC_CBO_%b_PERFCTR%u", 48, FROM),
		LIST(terms, client_threshold6_terms), CLIENT_BOUNDS,
	}, {
		.name = "santa", .desc = "arbiter between the compute tile and memory",
		.kernel = "uncore_santa", BOXES(2, 0x10),
		CLIENT_SELECTOR(0x2412, 2, "UNC_SANTA_%b_PERFEVTSEL%u", 6, FROM),
		CLIENT_COUNTER(0x2418, 2, "UNC_SANTA_%b_PERFCTR%u", 48, FROM),
		LIST(terms, client_threshold6_terms), CLIENT_BOUNDS,
	}, {
		.name = "ia_core_bridge", .desc = "bridge between the cores and the fabric",
		.kernel = "uncore_ia_core_bridge", BOXES(1, 0),
		CLIENT_SELECTOR(0x2022, 2, "UNC_IA_CORE_BRIDGE_PERFEVTSEL%u", 6, FROM),
		CLIENT_COUNTER(0x2028, 2, "UNC_IA_CORE_BRIDGE_PERFCTR%u", 48, FROM),
		LIST(terms, client_threshold6_terms), CLIENT_BOUNDS,
	}, {
		.name = "cncu", .desc = "clock of the compute tile", .kernel = "uncore_cncu",
		BOXES(2, 0x140), NO_COUNTERS, LIST(fixed, clock), CLIENT_BOUNDS, .max_increment = 1,
	},
	OUT_OF_REACH("imc", "memory controllers", UM_REACH_DISCOVERY, "uncore_imc"),
	OUT_OF_REACH("hbo", "home agents", UM_REACH_DISCOVERY, "uncore_hbo"),
	OUT_OF_REACH("sncu", "clock of the SoC tile", UM_REACH_DISCOVERY, "uncore_sncu"),
};

#define TABLE(id, label, text) const struct um_uarch um_uarch_##id = { \
	.name = label, .title = text, .scope = UM_SCOPE_PACKAGE, LIST(pmus, pmus) }

TABLE(pantherlake, "pantherlake", "Panther Lake");
TABLE(wildcatlake, "wildcatlake", "Wildcat Lake");
