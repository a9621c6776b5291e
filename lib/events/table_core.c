/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Architectural events of the core PMU, with perf's names and the manual's. What a fixed counter
 * counts is counted there; CPUID leaf 0xA tells which of the others a processor has.
 *
 * Facts: Intel SDM volume 3B, "Pre-defined Architectural Performance Events"; Linux
 * arch/x86/events/intel/core.c (intel_perfmon_event_map, intel_perfmon_arch events).
 */
#include "common/error.h"
#include "events/table_data.h"

#define NOTES(NOTE) \
	NOTE(NONE, "") \
	NOTE(VERSION5, "only where CPUID leaf 0xA or 0x23 says so") \
	NOTE(BUS, "how fast this clock is differs from model to model")

#define TEXTS(TEXT) \
	TEXT(INSTRUCTIONS, CORE, COUNT, NONE, "instructions retired") \
	TEXT(CYCLES, CORE, CYCLES, NONE, "core clock cycles, not halted") \
	TEXT(REF, CORE, CYCLES, BUS, "reference clock cycles, not halted") \
	TEXT(LLC_REFERENCES, CORE, COUNT, NONE, "references to the last-level cache") \
	TEXT(LLC_MISSES, CORE, COUNT, NONE, "references that missed the last-level cache") \
	TEXT(BRANCHES, CORE, COUNT, NONE, "branch instructions retired") \
	TEXT(BRANCH_MISSES, CORE, COUNT, NONE, "branches retired that were mispredicted") \
	TEXT(SLOTS, CORE, COUNT, VERSION5, "pipeline slots") \
	TEXT(BACKEND, CORE, COUNT, VERSION5, "pipeline slots lost because the back end was busy") \
	TEXT(SPECULATION, CORE, COUNT, VERSION5, "pipeline slots lost to wrong speculation") \
	TEXT(FRONTEND, CORE, COUNT, VERSION5, "pipeline slots lost because nothing was delivered") \
	TEXT(RETIRING, CORE, COUNT, VERSION5, "pipeline slots of what retired") \
	TEXT(LBR, CORE, COUNT, VERSION5, "entries put into the last branch record")

#include "events/table_texts.h"

#define ROW(label, code, mask, text) { \
	.name = label, .event = code, .umask = mask, .sources = UM_SDM, .on = 1, \
	.family = FAMILY_##text }
#define ROW_PERF(label, code, mask, text) { \
	.name = label, .event = code, .umask = mask, .sources = UM_SDM | UM_KERNEL, .on = 1, \
	.family = FAMILY_##text }

static const struct um_event_row rows[] = {
	ROW_PERF("branch-instructions", 0xc4, 0x00, BRANCHES),
	ROW_PERF("branch-misses", 0xc5, 0x00, BRANCH_MISSES),
	ROW_PERF("branches", 0xc4, 0x00, BRANCHES),
	ROW("BR_INST_RETIRED.ALL_BRANCHES", 0xc4, 0x00, BRANCHES),
	ROW("BR_MISP_RETIRED.ALL_BRANCHES", 0xc5, 0x00, BRANCH_MISSES),
	ROW_PERF("bus-cycles", 0x3c, 0x01, REF),
	ROW_PERF("cache-misses", 0x2e, 0x41, LLC_MISSES),
	ROW_PERF("cache-references", 0x2e, 0x4f, LLC_REFERENCES),
	ROW_PERF("cpu-cycles", 0x3c, 0x00, CYCLES),
	ROW("CPU_CLK_UNHALTED.REF_XCLK", 0x3c, 0x01, REF),
	ROW("CPU_CLK_UNHALTED.THREAD_P", 0x3c, 0x00, CYCLES),
	ROW_PERF("cycles", 0x3c, 0x00, CYCLES),
	ROW_PERF("instructions", 0xc0, 0x00, INSTRUCTIONS),
	ROW("INST_RETIRED.ANY_P", 0xc0, 0x00, INSTRUCTIONS),
	ROW("LONGEST_LAT_CACHE.MISS", 0x2e, 0x41, LLC_MISSES),
	ROW("LONGEST_LAT_CACHE.REFERENCE", 0x2e, 0x4f, LLC_REFERENCES),
	ROW("MISC_RETIRED.LBR_INSERTS", 0xe4, 0x01, LBR),
	ROW("TOPDOWN.BACKEND_BOUND_SLOTS", 0xa4, 0x02, BACKEND),
	ROW("TOPDOWN_BAD_SPECULATION.ALL", 0x73, 0x00, SPECULATION),
	ROW("TOPDOWN_FE_BOUND.ALL", 0x9c, 0x01, FRONTEND),
	ROW("TOPDOWN_RETIRING.ALL", 0xc2, 0x02, RETIRING),
	ROW("TOPDOWN.SLOTS_P", 0xa4, 0x01, SLOTS),
};

const struct um_event_data um_events_core = TABLE_DATA(rows);
