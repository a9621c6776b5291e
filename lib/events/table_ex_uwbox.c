/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Events of the U-box (system) and the W-box (power) of Nehalem-EX and Westmere-EX.
 *
 * Names: likwid perfmon_nehalemEX_events.txt, perfmon_westmereEX_events.txt; codes compared with
 * Linux uncore_nhmex.c, pcm and the Intel Xeon 7500 uncore programming guide (323535-001), of which
 * only parts could be read. Most have no published description: what they count is said by their
 * name.
 */
#include "common/error.h"
#include "events/table_data.h"

#define NOTES(NOTE) \
	NOTE(NONE, "") \
	NOTE(CORE_BITS, "bit n of the unit mask is core n") \
	NOTE(FIXED, "fixed counter only, no unit mask, no modifiers") \
	NOTE(LIKWID, "known from likwid alone") \
	NOTE(NINE_BITS, "the code has nine bits and the field eight: what the lower eight count " \
		"is not verified") \
	NOTE(PROCHOT, "not 0x82 as on Westmere-EP; whether it counts clocks or occurrences is " \
		"not verified")

#define TEXTS(TEXT) \
	TEXT(UNCORRECTED_ERR, UBOX, COUNT, NINE_BITS, \
	     "errors that could not be corrected") \
	TEXT(BUF_VALID_DOOR_BELL, UBOX, CYCLES, LIKWID, \
	     "clocks in which a doorbell message waited in the U-box") \
	TEXT(BUF_VALID_LOCAL_INT, UBOX, CYCLES, NONE, \
	     "clocks in which an interrupt for this package waited in the U-box") \
	TEXT(BUF_VALID_LOCK, UBOX, CYCLES, NONE, \
	     "clocks in which a bus lock request waited in the U-box") \
	TEXT(BUF_VALID_PM_IN, UBOX, CYCLES, LIKWID, \
	     "clocks in which an incoming power management message waited in the U-box") \
	TEXT(BUF_VALID_PM_OUT, UBOX, CYCLES, LIKWID, \
	     "clocks in which an outgoing power management message waited in the U-box") \
	TEXT(BUF_VALID_REMOTE_INT, UBOX, CYCLES, NONE, \
	     "clocks in which an interrupt for another package waited in the U-box") \
	TEXT(BUF_VALID_SPC_CYCLES, UBOX, CYCLES, LIKWID, \
	     "clocks in which a special cycle waited in the U-box") \
	TEXT(BUF_VALID_STST, UBOX, CYCLES, NONE, \
	     "clocks in which a start or stop request waited in the U-box") \
	TEXT(CORRECTED_ERR, UBOX, COUNT, NINE_BITS, \
	     "errors that were corrected") \
	TEXT(FATAL_ERR, UBOX, COUNT, NINE_BITS, \
	     "fatal errors") \
	TEXT(IPIS_SENT, UBOX, COUNT, LIKWID, \
	     "interrupts that cores of this package sent to cores") \
	TEXT(RECOV, UBOX, COUNT, NINE_BITS, \
	     "errors from which the machine can recover") \
	TEXT(U2R_REQUESTS, UBOX, COUNT, LIKWID, \
	     "requests from the U-box to the router") \
	TEXT(U2R_REQUEST_CYCLES, UBOX, CYCLES, LIKWID, \
	     "clocks in which the U-box had a request for the router") \
	TEXT(WOKEN, UBOX, COUNT, LIKWID, \
	     "cores that the U-box woke") \
	TEXT(UNCORE_CLOCK, WBOX, CLOCK, FIXED, \
	     "ticks of the uncore clock; over time they give its frequency") \
	TEXT(C_C0_THROTTLE_DIE, WBOX, CYCLES, CORE_BITS, \
	     "clocks in which a core in C0 was throttled (%m)") \
	TEXT(C_C0_THROTTLE_PROCHOT, WBOX, CYCLES, CORE_BITS, \
	     "clocks in which a core in C0 was throttled because the pin PROCHOT was asserted " \
	     "from outside (%m)") \
	TEXT(C_C0_THROTTLE_TMP, WBOX, CYCLES, CORE_BITS, \
	     "clocks in which a core was throttled because of its temperature (%m)") \
	TEXT(C_CYCLES_TURBO, WBOX, CYCLES, CORE_BITS, \
	     "clocks in which a core in C0 ran above its nominal frequency (%m)") \
	TEXT(PROCHOT, WBOX, CYCLES, PROCHOT, \
	     "PROCHOT was asserted, by the package or from outside") \
	TEXT(RATIO_CHANGE_ABORT, WBOX, COUNT, CORE_BITS, \
	     "changes of the clock ratio that were given up (%m)") \
	TEXT(TM1_ON, WBOX, CYCLES, CORE_BITS, \
	     "clocks in which thermal monitor 1 held the clock back (%m)")

#include "events/table_texts.h"

enum { NHM = UM_ON_NEHALEM_EX, WSM = UM_ON_WESTMERE_EX, BOTH = NHM | WSM };
#define BY_L (UM_LIKWID)
#define BY_LG (UM_LIKWID | UM_GUIDE)
#define BY_LKP (UM_LIKWID | UM_KERNEL | UM_PCM)

#define ROW(where, label, code, mask, from, text) { \
	.name = label, .event = code, .umask = mask, .sources = from, .on = where, \
	.family = FAMILY_##text }

static const struct um_event_row ubox_rows[] = {
	ROW(WSM, "UNCORRECTED_ERR", 0xe5, 0x00, BY_L, UNCORRECTED_ERR),
	ROW(WSM, "BUF_VALID_DOOR_BELL", 0x05, 0x00, BY_L, BUF_VALID_DOOR_BELL),
	ROW(BOTH, "BUF_VALID_LOCAL_INT", 0x00, 0x00, BY_LG, BUF_VALID_LOCAL_INT),
	ROW(BOTH, "BUF_VALID_LOCK", 0x02, 0x00, BY_LG, BUF_VALID_LOCK),
	ROW(WSM, "BUF_VALID_PM_IN", 0x06, 0x00, BY_L, BUF_VALID_PM_IN),
	ROW(WSM, "BUF_VALID_PM_OUT", 0x07, 0x00, BY_L, BUF_VALID_PM_OUT),
	ROW(BOTH, "BUF_VALID_REMOTE_INT", 0x01, 0x00, BY_LG, BUF_VALID_REMOTE_INT),
	ROW(BOTH, "BUF_VALID_SPC_CYCLES", 0x04, 0x00, BY_L, BUF_VALID_SPC_CYCLES),
	ROW(BOTH, "BUF_VALID_STST", 0x03, 0x00, BY_LG, BUF_VALID_STST),
	ROW(BOTH, "CORRECTED_ERR", 0xe4, 0x00, BY_L, CORRECTED_ERR),
	ROW(NHM, "FATAL_ERR", 0xe6, 0x00, BY_L, FATAL_ERR),
	ROW(BOTH, "IPIS_SENT", 0xf9, 0x00, BY_L, IPIS_SENT),
	ROW(BOTH, "RECOV", 0xdf, 0x00, BY_L, RECOV),
	ROW(BOTH, "U2R_REQUESTS", 0x50, 0x00, BY_L, U2R_REQUESTS),
	ROW(BOTH, "U2R_REQUEST_CYCLES", 0x51, 0x00, BY_L, U2R_REQUEST_CYCLES),
	ROW(BOTH, "WOKEN", 0xf8, 0x00, BY_L, WOKEN),
};

static const struct um_event_row wbox_rows[] = {
	ROW(BOTH, "UNCORE_CLOCK", 0xff, 0x00, BY_LKP, UNCORE_CLOCK),
	ROW(BOTH, "C_C0_THROTTLE_DIE.C0", 0x01, 0x01, BY_LG, C_C0_THROTTLE_DIE),
	ROW(BOTH, "C_C0_THROTTLE_DIE.C1", 0x01, 0x02, BY_LG, C_C0_THROTTLE_DIE),
	ROW(BOTH, "C_C0_THROTTLE_DIE.C2", 0x01, 0x04, BY_LG, C_C0_THROTTLE_DIE),
	ROW(BOTH, "C_C0_THROTTLE_DIE.C3", 0x01, 0x08, BY_LG, C_C0_THROTTLE_DIE),
	ROW(BOTH, "C_C0_THROTTLE_DIE.C4", 0x01, 0x10, BY_LG, C_C0_THROTTLE_DIE),
	ROW(BOTH, "C_C0_THROTTLE_DIE.C5", 0x01, 0x20, BY_LG, C_C0_THROTTLE_DIE),
	ROW(BOTH, "C_C0_THROTTLE_DIE.C6", 0x01, 0x40, BY_LG, C_C0_THROTTLE_DIE),
	ROW(BOTH, "C_C0_THROTTLE_DIE.C7", 0x01, 0x80, BY_LG, C_C0_THROTTLE_DIE),
	ROW(BOTH, "C_C0_THROTTLE_DIE.C_ALL", 0x01, 0xff, BY_LG, C_C0_THROTTLE_DIE),
	ROW(BOTH, "C_C0_THROTTLE_PROCHOT.C0", 0x03, 0x01, BY_LG, C_C0_THROTTLE_PROCHOT),
	ROW(BOTH, "C_C0_THROTTLE_PROCHOT.C1", 0x03, 0x02, BY_LG, C_C0_THROTTLE_PROCHOT),
	ROW(BOTH, "C_C0_THROTTLE_PROCHOT.C2", 0x03, 0x04, BY_LG, C_C0_THROTTLE_PROCHOT),
	ROW(BOTH, "C_C0_THROTTLE_PROCHOT.C3", 0x03, 0x08, BY_LG, C_C0_THROTTLE_PROCHOT),
	ROW(BOTH, "C_C0_THROTTLE_PROCHOT.C4", 0x03, 0x10, BY_LG, C_C0_THROTTLE_PROCHOT),
	ROW(BOTH, "C_C0_THROTTLE_PROCHOT.C5", 0x03, 0x20, BY_LG, C_C0_THROTTLE_PROCHOT),
	ROW(BOTH, "C_C0_THROTTLE_PROCHOT.C6", 0x03, 0x40, BY_LG, C_C0_THROTTLE_PROCHOT),
	ROW(BOTH, "C_C0_THROTTLE_PROCHOT.C7", 0x03, 0x80, BY_LG, C_C0_THROTTLE_PROCHOT),
	ROW(BOTH, "C_C0_THROTTLE_PROCHOT.C_ALL", 0x03, 0xff, BY_LG, C_C0_THROTTLE_PROCHOT),
	ROW(BOTH, "C_C0_THROTTLE_TMP.C0", 0x00, 0x01, BY_LG, C_C0_THROTTLE_TMP),
	ROW(BOTH, "C_C0_THROTTLE_TMP.C1", 0x00, 0x02, BY_LG, C_C0_THROTTLE_TMP),
	ROW(BOTH, "C_C0_THROTTLE_TMP.C2", 0x00, 0x04, BY_LG, C_C0_THROTTLE_TMP),
	ROW(BOTH, "C_C0_THROTTLE_TMP.C3", 0x00, 0x08, BY_LG, C_C0_THROTTLE_TMP),
	ROW(BOTH, "C_C0_THROTTLE_TMP.C4", 0x00, 0x10, BY_LG, C_C0_THROTTLE_TMP),
	ROW(BOTH, "C_C0_THROTTLE_TMP.C5", 0x00, 0x20, BY_LG, C_C0_THROTTLE_TMP),
	ROW(BOTH, "C_C0_THROTTLE_TMP.C6", 0x00, 0x40, BY_LG, C_C0_THROTTLE_TMP),
	ROW(BOTH, "C_C0_THROTTLE_TMP.C7", 0x00, 0x80, BY_LG, C_C0_THROTTLE_TMP),
	ROW(BOTH, "C_C0_THROTTLE_TMP.C_ALL", 0x00, 0xff, BY_LG, C_C0_THROTTLE_TMP),
	ROW(BOTH, "C_CYCLES_TURBO.C0", 0x04, 0x01, BY_LG, C_CYCLES_TURBO),
	ROW(BOTH, "C_CYCLES_TURBO.C1", 0x04, 0x02, BY_LG, C_CYCLES_TURBO),
	ROW(BOTH, "C_CYCLES_TURBO.C2", 0x04, 0x04, BY_LG, C_CYCLES_TURBO),
	ROW(BOTH, "C_CYCLES_TURBO.C3", 0x04, 0x08, BY_LG, C_CYCLES_TURBO),
	ROW(BOTH, "C_CYCLES_TURBO.C4", 0x04, 0x10, BY_LG, C_CYCLES_TURBO),
	ROW(BOTH, "C_CYCLES_TURBO.C5", 0x04, 0x20, BY_LG, C_CYCLES_TURBO),
	ROW(BOTH, "C_CYCLES_TURBO.C6", 0x04, 0x40, BY_LG, C_CYCLES_TURBO),
	ROW(BOTH, "C_CYCLES_TURBO.C7", 0x04, 0x80, BY_LG, C_CYCLES_TURBO),
	ROW(BOTH, "C_CYCLES_TURBO.C_ALL", 0x04, 0xff, BY_LG, C_CYCLES_TURBO),
	ROW(BOTH, "PROCHOT", 0x02, 0x00, BY_LG, PROCHOT),
	ROW(BOTH, "RATIO_CHANGE_ABORT.C0", 0x08, 0x01, BY_LG, RATIO_CHANGE_ABORT),
	ROW(BOTH, "RATIO_CHANGE_ABORT.C1", 0x08, 0x02, BY_LG, RATIO_CHANGE_ABORT),
	ROW(BOTH, "RATIO_CHANGE_ABORT.C2", 0x08, 0x04, BY_LG, RATIO_CHANGE_ABORT),
	ROW(BOTH, "RATIO_CHANGE_ABORT.C3", 0x08, 0x08, BY_LG, RATIO_CHANGE_ABORT),
	ROW(BOTH, "RATIO_CHANGE_ABORT.C4", 0x08, 0x10, BY_LG, RATIO_CHANGE_ABORT),
	ROW(BOTH, "RATIO_CHANGE_ABORT.C5", 0x08, 0x20, BY_LG, RATIO_CHANGE_ABORT),
	ROW(BOTH, "RATIO_CHANGE_ABORT.C6", 0x08, 0x40, BY_LG, RATIO_CHANGE_ABORT),
	ROW(BOTH, "RATIO_CHANGE_ABORT.C7", 0x08, 0x80, BY_LG, RATIO_CHANGE_ABORT),
	ROW(BOTH, "RATIO_CHANGE_ABORT.C_ALL", 0x08, 0xff, BY_LG, RATIO_CHANGE_ABORT),
	ROW(BOTH, "TM1_ON.C0", 0x07, 0x01, BY_LG, TM1_ON),
	ROW(BOTH, "TM1_ON.C1", 0x07, 0x02, BY_LG, TM1_ON),
	ROW(BOTH, "TM1_ON.C2", 0x07, 0x04, BY_LG, TM1_ON),
	ROW(BOTH, "TM1_ON.C3", 0x07, 0x08, BY_LG, TM1_ON),
	ROW(BOTH, "TM1_ON.C4", 0x07, 0x10, BY_LG, TM1_ON),
	ROW(BOTH, "TM1_ON.C5", 0x07, 0x20, BY_LG, TM1_ON),
	ROW(BOTH, "TM1_ON.C6", 0x07, 0x40, BY_LG, TM1_ON),
	ROW(BOTH, "TM1_ON.C7", 0x07, 0x80, BY_LG, TM1_ON),
	ROW(BOTH, "TM1_ON.C_ALL", 0x07, 0xff, BY_LG, TM1_ON),
};

const struct um_event_data um_events_ex_ubox = TABLE_DATA(ubox_rows);
const struct um_event_data um_events_ex_wbox = TABLE_DATA(wbox_rows);
