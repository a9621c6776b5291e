/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Uncore events of client parts that MSRs reach, Sandy Bridge to Arrow Lake. From Ice Lake on
 * no list has events of the C-boxes. Alder Lake's list holds for Raptor Lake, Skylake's to Comet
 * Lake.
 *
 * Facts: intel/perfmon event lists; Linux uncore_snb.c. libpfm4 4.13 agrees where it has them.
 */
#include "common/error.h"
#include "events/table_data.h"

#define NOTES(NOTE) \
	NOTE(NONE, "") \
	NOTE(COUNTER0, "only counter 0 adds up occupancy") \
	NOTE(DEP, "listed as deprecated") \
	NOTE(EXP, "listed as experimental") \
	NOTE(FIXED, "fixed counter only, no unit mask, no modifiers") \
	NOTE(SLICE, "the unit mask joins a state or answer (bits 3:0) and what asked (bits " \
		"7:4); one half alone counts nothing useful")

#define TEXTS(TEXT) \
	TEXT(CBO_CACHE_LOOKUP, CBO, COUNT, SLICE, \
	     "lookups of the L3: by what, and the state in which the line was found (%m)") \
	TEXT(CBO_XSNP_RESPONSE, CBO, COUNT, SLICE, \
	     "answers of a core to a snoop: what it had of the line, and why it was asked (%m)") \
	TEXT(ARB_COH_TRK_OCCUPANCY, ARB, OCCUPANCY, COUNTER0, \
	     "coherent requests from devices that are under way, added up every clock (%m)") \
	TEXT(ARB_COH_TRK_REQUESTS, ARB, COUNT, NONE, \
	     "coherent requests from devices (%m)") \
	TEXT(ARB_DAT_OCCUPANCY, ARB, OCCUPANCY, EXP, \
	     "reads of data that wait for memory or devices, added up every clock (%m)") \
	TEXT(ARB_DAT_REQUESTS, ARB, COUNT, DEP, \
	     "reads of data from memory or devices (%m)") \
	TEXT(ARB_IFA_OCCUPANCY, ARB, OCCUPANCY, DEP, \
	     "coherent requests that are under way, added up every clock (%m)") \
	TEXT(ARB_REQ_TRK_OCCUPANCY, ARB, OCCUPANCY, EXP, \
	     "demand reads that wait for memory or devices, added up every clock (%m)") \
	TEXT(ARB_REQ_TRK_REQUEST, ARB, COUNT, NONE, \
	     "demand reads from memory or devices (%m)") \
	TEXT(ARB_TRK_OCCUPANCY, ARB, OCCUPANCY, COUNTER0, \
	     "requests that wait for memory or devices, added up every clock (%m)") \
	TEXT(ARB_TRK_OCCUPANCY_2, ARB, CYCLES, NONE, \
	     "clocks in which requests wait for memory or devices (%m)") \
	TEXT(ARB_TRK_OCCUPANCY_3, ARB, OCCUPANCY, EXP, \
	     "requests that wait for memory or devices, added up every clock (%m)") \
	TEXT(ARB_TRK_REQUESTS, ARB, COUNT, NONE, \
	     "requests to memory or devices (%m)") \
	TEXT(HAC_CBO_TOR_ALLOCATION, HAC_CBO, COUNT, NONE, \
	     "requests of the SoC tile that got an entry of the request table (%m)") \
	TEXT(HAC_ARB_COH_TRK_REQUESTS, HAC_ARB, COUNT, EXP, \
	     "coherent requests of the SoC tile from devices (%m)") \
	TEXT(HAC_ARB_REQ_TRK_REQUEST, HAC_ARB, COUNT, NONE, \
	     "demand reads of the SoC tile (%m)") \
	TEXT(HAC_ARB_TRANSACTIONS, HAC_ARB, COUNT, NONE, \
	     "transactions of the SoC tile with memory (%m)") \
	TEXT(HAC_ARB_TRK_REQUESTS, HAC_ARB, COUNT, NONE, \
	     "requests of the SoC tile to memory or devices (%m)") \
	TEXT(CLOCK, CLOCK, CLOCK, FIXED, \
	     "ticks of the uncore clock; over time they give its frequency")

#include "events/table_texts.h"

enum {
	SNB = UM_ON_SNB, IVB = UM_ON_IVB, HSW = UM_ON_HSW, BDW = UM_ON_BDW, SKL = UM_ON_SKL,
	ICL = UM_ON_ICL, RKL = UM_ON_RKL, TGL = UM_ON_TGL, ADL = UM_ON_ADL, MTL = UM_ON_MTL,
	ARL = UM_ON_ARL,
};
#define TO_HSW (SNB | IVB | HSW)
#define TO_BDW (TO_HSW | BDW)
#define TO_SKL (TO_BDW | SKL)

/* A threshold of 1 turns an occupancy into clocks. */
#define ROW(where, label, code, mask, threshold, text) { \
	.name = label, .event = code, .umask = mask, .sources = UM_PERFMON, .on = where, \
	.family = FAMILY_##text, .more = (uint32_t)(threshold) << 24 }

static const struct um_event_row cbo_rows[] = {
	ROW(TO_SKL, "UNC_CBO_CACHE_LOOKUP.ANY_ES", 0x34, 0x86, 0, CBO_CACHE_LOOKUP),
	ROW(TO_SKL, "UNC_CBO_CACHE_LOOKUP.ANY_I", 0x34, 0x88, 0, CBO_CACHE_LOOKUP),
	ROW(TO_SKL, "UNC_CBO_CACHE_LOOKUP.ANY_M", 0x34, 0x81, 0, CBO_CACHE_LOOKUP),
	ROW(TO_SKL, "UNC_CBO_CACHE_LOOKUP.ANY_MESI", 0x34, 0x8f, 0, CBO_CACHE_LOOKUP),
	ROW(TO_HSW, "UNC_CBO_CACHE_LOOKUP.EXTSNP_ES", 0x34, 0x46, 0, CBO_CACHE_LOOKUP),
	ROW(TO_HSW, "UNC_CBO_CACHE_LOOKUP.EXTSNP_I", 0x34, 0x48, 0, CBO_CACHE_LOOKUP),
	ROW(TO_HSW, "UNC_CBO_CACHE_LOOKUP.EXTSNP_M", 0x34, 0x41, 0, CBO_CACHE_LOOKUP),
	ROW(TO_HSW, "UNC_CBO_CACHE_LOOKUP.EXTSNP_MESI", 0x34, 0x4f, 0, CBO_CACHE_LOOKUP),
	ROW(TO_SKL, "UNC_CBO_CACHE_LOOKUP.READ_ES", 0x34, 0x16, 0, CBO_CACHE_LOOKUP),
	ROW(TO_SKL, "UNC_CBO_CACHE_LOOKUP.READ_I", 0x34, 0x18, 0, CBO_CACHE_LOOKUP),
	ROW(TO_BDW, "UNC_CBO_CACHE_LOOKUP.READ_M", 0x34, 0x11, 0, CBO_CACHE_LOOKUP),
	ROW(TO_SKL, "UNC_CBO_CACHE_LOOKUP.READ_MESI", 0x34, 0x1f, 0, CBO_CACHE_LOOKUP),
	ROW(TO_SKL, "UNC_CBO_CACHE_LOOKUP.WRITE_ES", 0x34, 0x26, 0, CBO_CACHE_LOOKUP),
	ROW(TO_HSW, "UNC_CBO_CACHE_LOOKUP.WRITE_I", 0x34, 0x28, 0, CBO_CACHE_LOOKUP),
	ROW(TO_SKL, "UNC_CBO_CACHE_LOOKUP.WRITE_M", 0x34, 0x21, 0, CBO_CACHE_LOOKUP),
	ROW(TO_SKL, "UNC_CBO_CACHE_LOOKUP.WRITE_MESI", 0x34, 0x2f, 0, CBO_CACHE_LOOKUP),
	ROW(TO_HSW, "UNC_CBO_XSNP_RESPONSE.HITM_EVICTION", 0x22, 0x88, 0, CBO_XSNP_RESPONSE),
	ROW(TO_HSW, "UNC_CBO_XSNP_RESPONSE.HITM_EXTERNAL", 0x22, 0x28, 0, CBO_XSNP_RESPONSE),
	ROW(TO_SKL, "UNC_CBO_XSNP_RESPONSE.HITM_XCORE", 0x22, 0x48, 0, CBO_XSNP_RESPONSE),
	ROW(TO_HSW, "UNC_CBO_XSNP_RESPONSE.HIT_EVICTION", 0x22, 0x84, 0, CBO_XSNP_RESPONSE),
	ROW(TO_HSW, "UNC_CBO_XSNP_RESPONSE.HIT_EXTERNAL", 0x22, 0x24, 0, CBO_XSNP_RESPONSE),
	ROW(TO_SKL, "UNC_CBO_XSNP_RESPONSE.HIT_XCORE", 0x22, 0x44, 0, CBO_XSNP_RESPONSE),
	ROW(TO_SKL, "UNC_CBO_XSNP_RESPONSE.MISS_EVICTION", 0x22, 0x81, 0, CBO_XSNP_RESPONSE),
	ROW(TO_HSW, "UNC_CBO_XSNP_RESPONSE.MISS_EXTERNAL", 0x22, 0x21, 0, CBO_XSNP_RESPONSE),
	ROW(TO_SKL, "UNC_CBO_XSNP_RESPONSE.MISS_XCORE", 0x22, 0x41, 0, CBO_XSNP_RESPONSE),
};

static const struct um_event_row arb_rows[] = {
	ROW(TO_HSW, "UNC_ARB_COH_TRK_OCCUPANCY.ALL", 0x83, 0x01, 0, ARB_COH_TRK_OCCUPANCY),
	ROW(TO_SKL | ICL | RKL | TGL | ADL,
	    "UNC_ARB_COH_TRK_REQUESTS.ALL", 0x84, 0x01, 0, ARB_COH_TRK_REQUESTS),
	ROW(RKL | TGL | ADL, "UNC_ARB_DAT_OCCUPANCY.ALL", 0x85, 0x01, 0, ARB_DAT_OCCUPANCY),
	ROW(RKL | TGL | ADL | MTL, "UNC_ARB_DAT_OCCUPANCY.RD", 0x85, 0x02, 0, ARB_DAT_OCCUPANCY),
	ROW(TGL | ADL, "UNC_ARB_DAT_REQUESTS.RD", 0x81, 0x02, 0, ARB_DAT_REQUESTS),
	ROW(TGL | ADL, "UNC_ARB_IFA_OCCUPANCY.ALL", 0x85, 0x01, 0, ARB_IFA_OCCUPANCY),
	ROW(RKL | TGL | ADL, "UNC_ARB_REQ_TRK_OCCUPANCY.DRD", 0x80, 0x02, 0, ARB_REQ_TRK_OCCUPANCY),
	ROW(TGL | ADL, "UNC_ARB_REQ_TRK_REQUEST.DRD", 0x81, 0x02, 0, ARB_REQ_TRK_REQUEST),
	ROW(TO_SKL | RKL | TGL | ADL,
	    "UNC_ARB_TRK_OCCUPANCY.ALL", 0x80, 0x01, 0, ARB_TRK_OCCUPANCY),
	ROW(SNB | IVB,
	    "UNC_ARB_TRK_OCCUPANCY.CYCLES_OVER_HALF_FULL", 0x80, 0x01, 10, ARB_TRK_OCCUPANCY_2),
	ROW(TO_SKL,
	    "UNC_ARB_TRK_OCCUPANCY.CYCLES_WITH_ANY_REQUEST", 0x80, 0x01, 1, ARB_TRK_OCCUPANCY_2),
	ROW(SKL, "UNC_ARB_TRK_OCCUPANCY.DATA_READ", 0x80, 0x02, 0, ARB_TRK_OCCUPANCY),
	ROW(BDW, "UNC_ARB_TRK_OCCUPANCY.DRD_DIRECT", 0x80, 0x02, 0, ARB_TRK_OCCUPANCY),
	ROW(RKL | TGL | ADL, "UNC_ARB_TRK_OCCUPANCY.RD", 0x80, 0x02, 0, ARB_TRK_OCCUPANCY_3),
	ROW(TO_SKL | ICL | RKL | TGL | ADL,
	    "UNC_ARB_TRK_REQUESTS.ALL", 0x81, 0x01, 0, ARB_TRK_REQUESTS),
	ROW(SKL, "UNC_ARB_TRK_REQUESTS.DATA_READ", 0x81, 0x02, 0, ARB_TRK_REQUESTS),
	ROW(BDW | SKL, "UNC_ARB_TRK_REQUESTS.DRD_DIRECT", 0x81, 0x02, 0, ARB_TRK_REQUESTS),
	ROW(SNB | IVB, "UNC_ARB_TRK_REQUESTS.EVICTIONS", 0x81, 0x80, 0, ARB_TRK_REQUESTS),
	ROW(RKL | TGL | ADL, "UNC_ARB_TRK_REQUESTS.RD", 0x81, 0x02, 0, ARB_TRK_REQUESTS),
	ROW(TO_SKL, "UNC_ARB_TRK_REQUESTS.WRITES", 0x81, 0x20, 0, ARB_TRK_REQUESTS),
};

static const struct um_event_row hac_cbo_rows[] = {
	ROW(MTL | ARL, "UNC_HAC_CBO_TOR_ALLOCATION.ALL", 0x35, 0x08, 0, HAC_CBO_TOR_ALLOCATION),
	ROW(MTL | ARL, "UNC_HAC_CBO_TOR_ALLOCATION.DRD", 0x35, 0x01, 0, HAC_CBO_TOR_ALLOCATION),
};

static const struct um_event_row hac_arb_rows[] = {
	ROW(MTL, "UNC_HAC_ARB_COH_TRK_REQUESTS.ALL", 0x84, 0x01, 0, HAC_ARB_COH_TRK_REQUESTS),
	ROW(MTL | ARL, "UNC_HAC_ARB_REQ_TRK_REQUEST.DRD", 0x81, 0x02, 0, HAC_ARB_REQ_TRK_REQUEST),
	ROW(MTL | ARL, "UNC_HAC_ARB_TRANSACTIONS.ALL", 0x8a, 0x01, 0, HAC_ARB_TRANSACTIONS),
	ROW(MTL | ARL, "UNC_HAC_ARB_TRANSACTIONS.READS", 0x8a, 0x02, 0, HAC_ARB_TRANSACTIONS),
	ROW(MTL | ARL, "UNC_HAC_ARB_TRANSACTIONS.WRITES", 0x8a, 0x04, 0, HAC_ARB_TRANSACTIONS),
	ROW(MTL | ARL, "UNC_HAC_ARB_TRK_REQUESTS.ALL", 0x81, 0x01, 0, HAC_ARB_TRK_REQUESTS),
};

static const struct um_event_row clock_rows[] = {
	ROW(TO_SKL | ICL | RKL | TGL | ADL | MTL | ARL, "UNC_CLOCK.SOCKET", 0x00, 0x01, 0, CLOCK),
};

const struct um_event_data um_events_client_cbo = TABLE_DATA(cbo_rows);
const struct um_event_data um_events_client_arb = TABLE_DATA(arb_rows);
const struct um_event_data um_events_client_hac_cbo = TABLE_DATA(hac_cbo_rows);
const struct um_event_data um_events_client_hac_arb = TABLE_DATA(hac_arb_rows);
const struct um_event_data um_events_client_clock = TABLE_DATA(clock_rows);
