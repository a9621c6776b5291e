/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Events of the C-boxes (slices of the L3) of Nehalem-EX and Westmere-EX.
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
	NOTE(ARB, "likwid gives ARB_WINS and ARB_LOSSES the same code; one of them should be " \
		"0x09 (not verified)") \
	NOTE(C2S, "the 7500 guide calls it C2S_AD_SB") \
	NOTE(LIKWID, "known from likwid alone") \
	NOTE(VICTIMS, "likwid has unit mask 0x0f on Westmere-EX; bit 4 is fills without a " \
		"victim")

#define TEXTS(TEXT) \
	TEXT(ARB_LOSSES, CBOX, COUNT, LIKWID, \
	     "times that a message did not get its place on a ring (%m)") \
	TEXT(ARB_WINS, CBOX, COUNT, ARB, \
	     "times that a message got its place on a ring (%m)") \
	TEXT(ARB_WINS_P2C_NSB, CBOX, COUNT, LIKWID, \
	     "times that a message towards the core got its place, other sideband") \
	TEXT(ARB_WINS_P2C_SB, CBOX, COUNT, LIKWID, \
	     "times that a message towards the core got its place, same sideband") \
	TEXT(BOUNCES_C2P_AD, CBOX, COUNT, LIKWID, \
	     "messages from the core on the AD ring that had to go round again (%m)") \
	TEXT(BOUNCES_C2P_AK, CBOX, COUNT, LIKWID, \
	     "messages from the core on the AK ring that had to go round again (%m)") \
	TEXT(BOUNCES_C2P_BL, CBOX, COUNT, LIKWID, \
	     "messages from the core on the BL ring that had to go round again (%m)") \
	TEXT(BOUNCES_C2P_IV, CBOX, COUNT, LIKWID, \
	     "messages from the core on the IV ring that had to go round again") \
	TEXT(BOUNCES_P2C_AD, CBOX, COUNT, LIKWID, \
	     "messages to the core on the AD ring that had to go round again (%m)") \
	TEXT(BOUNCE_ASSERT, CBOX, COUNT, LIKWID, \
	     "times that bouncing began") \
	TEXT(BOUNCE_DEASSERT, CBOX, COUNT, LIKWID, \
	     "times that bouncing ended") \
	TEXT(EGRESS_BYPASS_WINS, CBOX, COUNT, LIKWID, \
	     "messages that bypassed the egress queue (%m)") \
	TEXT(IDF_NONZERO_NO_BL_CRD, CBOX, COUNT, LIKWID, \
	     "clocks with data to send and no credit of the BL ring") \
	TEXT(IDF_NONZERO_NO_VLD, CBOX, COUNT, LIKWID, \
	     "clocks with data expected and none valid") \
	TEXT(IGR_BID_BLOCKED, CBOX, COUNT, LIKWID, \
	     "bids of the ingress that were blocked") \
	TEXT(IGR_OP_SRAM, CBOX, COUNT, LIKWID, \
	     "operations of the ingress on the arrays") \
	TEXT(IGR_OP_UC, CBOX, COUNT, LIKWID, \
	     "operations of the ingress that are not cached") \
	TEXT(INGRESS_BYPASS_WINS_AD, CBOX, COUNT, LIKWID, \
	     "messages of the AD ring that bypassed the ingress queue (%m)") \
	TEXT(LLC_HITS, CBOX, COUNT, LIKWID, \
	     "lookups that found the line in the L3, by the state it was in (%m)") \
	TEXT(LLC_MISSES, CBOX, COUNT, LIKWID, \
	     "lookups that did not find the line in the L3, or not in the state needed (%m)") \
	TEXT(LLC_S_FILLS, CBOX, COUNT, LIKWID, \
	     "lines that the S-box filled into the L3, by their new state (%m)") \
	TEXT(LLC_VICTIMS, CBOX, COUNT, VICTIMS, \
	     "lines that were thrown out of the L3, by the state they were in (%m)") \
	TEXT(LLC_VICTIMS_2, CBOX, COUNT, LIKWID, \
	     "lines that were thrown out of the L3, by the state they were in (%m)") \
	TEXT(MAF_ACK, CBOX, COUNT, LIKWID, \
	     "entries of the miss tracker (MAF) that were accepted") \
	TEXT(MAF_NACK1, CBOX, COUNT, LIKWID, \
	     "rejections by the miss tracker (MAF), first group of reasons (%m)") \
	TEXT(MAF_NACK2, CBOX, COUNT, LIKWID, \
	     "rejections by the miss tracker (MAF), second group of reasons (%m)") \
	TEXT(OCCUPANCY_IPQ, CBOX, OCCUPANCY, LIKWID, \
	     "entries of the queue of snoops from outside (IPQ), added up every clock") \
	TEXT(OCCUPANCY_IRQ, CBOX, OCCUPANCY, LIKWID, \
	     "entries of the queue of requests from the core (IRQ), added up every clock") \
	TEXT(OCCUPANCY_MAF, CBOX, OCCUPANCY, LIKWID, \
	     "entries of the queue of misses in flight (MAF), added up every clock") \
	TEXT(OCCUPANCY_RSPF, CBOX, OCCUPANCY, LIKWID, \
	     "entries of the queue of snoop responses (RSPF), added up every clock") \
	TEXT(OCCUPANCY_RWRF, CBOX, OCCUPANCY, LIKWID, \
	     "entries of the queue of data to write (RWRF), added up every clock") \
	TEXT(OCCUPANCY_VIQ, CBOX, OCCUPANCY, LIKWID, \
	     "entries of the queue of victims (VIQ), added up every clock") \
	TEXT(SINKS_C2P, CBOX, COUNT, LIKWID, \
	     "messages from the core that the C-box took from the ring (%m)") \
	TEXT(SINKS_P2C, CBOX, COUNT, LIKWID, \
	     "messages to the core that were taken from the ring (%m)") \
	TEXT(SINKS_S2C, CBOX, COUNT, LIKWID, \
	     "messages from the S-box that the C-box took from the ring (%m)") \
	TEXT(SINKS_S2P_BL, CBOX, COUNT, LIKWID, \
	     "data from the S-box that the core took from the BL ring") \
	TEXT(SNPS, CBOX, COUNT, NONE, \
	     "snoops of other packages that reached the C-box (%m)") \
	TEXT(SNP_HITS, CBOX, COUNT, LIKWID, \
	     "snoops of other packages that found the line, by its state (%m)") \
	TEXT(SPL_ARB_PRI_SW, CBOX, COUNT, LIKWID, \
	     "states of the split logic: arb pri sw") \
	TEXT(SPL_CO_NSB, CBOX, COUNT, LIKWID, \
	     "states of the split logic: co nsb") \
	TEXT(SPL_CO_SB, CBOX, COUNT, LIKWID, \
	     "states of the split logic: co sb") \
	TEXT(SPL_DEAD, CBOX, COUNT, LIKWID, \
	     "split state: dead") \
	TEXT(SPL_EGR_NSB, CBOX, COUNT, LIKWID, \
	     "states of the split logic: egr nsb") \
	TEXT(SPL_EGR_SB, CBOX, COUNT, LIKWID, \
	     "states of the split logic: egr sb") \
	TEXT(SPL_IN_FULL_IRQ, CBOX, COUNT, LIKWID, \
	     "states of the split logic: in full irq") \
	TEXT(SPL_NOT_CO, CBOX, COUNT, LIKWID, \
	     "states of the split logic: not co") \
	TEXT(SPOOF_ASSERT, CBOX, COUNT, LIKWID, \
	     "times that spoofing began") \
	TEXT(SPOOF_CRD_EMPTY, CBOX, COUNT, LIKWID, \
	     "times that no credit was left for spoofing") \
	TEXT(SPOOF_DEASSERT, CBOX, COUNT, LIKWID, \
	     "times that spoofing ended") \
	TEXT(STARVED_EGRESS, CBOX, CYCLES, NONE, \
	     "clocks in which an egress queue could not send for long (%m)") \
	TEXT(STARVED_EGRESS_2, CBOX, CYCLES, C2S, \
	     "clocks in which an egress queue could not send for long (%m)") \
	TEXT(TRANS_IPQ, CBOX, COUNT, NONE, \
	     "entries put into the queue of snoops from outside (IPQ)") \
	TEXT(TRANS_IRQ, CBOX, COUNT, LIKWID, \
	     "entries put into the queue of requests from the core (IRQ)") \
	TEXT(TRANS_MAF, CBOX, COUNT, LIKWID, \
	     "entries put into the queue of misses in flight (MAF)") \
	TEXT(TRANS_RSPF, CBOX, COUNT, LIKWID, \
	     "entries put into the queue of snoop responses (RSPF)") \
	TEXT(TRANS_RWRF, CBOX, COUNT, LIKWID, \
	     "entries put into the queue of data to write (RWRF)") \
	TEXT(TRANS_VIQ, CBOX, COUNT, LIKWID, \
	     "entries put into the queue of victims (VIQ)")

#include "events/table_texts.h"

enum { NHM = UM_ON_NEHALEM_EX, WSM = UM_ON_WESTMERE_EX, BOTH = NHM | WSM };
#define BY_L (UM_LIKWID)
#define BY_LG (UM_LIKWID | UM_GUIDE)

#define ROW(where, label, code, mask, from, text) { \
	.name = label, .event = code, .umask = mask, .sources = from, .on = where, \
	.family = FAMILY_##text }

static const struct um_event_row cbox_rows[] = {
	ROW(BOTH, "ARB_LOSSES.AD_ALL", 0x0a, 0x03, BY_L, ARB_LOSSES),
	ROW(BOTH, "ARB_LOSSES.AD_NSB", 0x0a, 0x02, BY_L, ARB_LOSSES),
	ROW(BOTH, "ARB_LOSSES.AD_SB", 0x0a, 0x01, BY_L, ARB_LOSSES),
	ROW(BOTH, "ARB_LOSSES.AK_ALL", 0x0a, 0x0c, BY_L, ARB_LOSSES),
	ROW(BOTH, "ARB_LOSSES.AK_NSB", 0x0a, 0x08, BY_L, ARB_LOSSES),
	ROW(BOTH, "ARB_LOSSES.AK_SB", 0x0a, 0x04, BY_L, ARB_LOSSES),
	ROW(BOTH, "ARB_LOSSES.ALL", 0x0a, 0x7f, BY_L, ARB_LOSSES),
	ROW(BOTH, "ARB_LOSSES.BL_ALL", 0x0a, 0x30, BY_L, ARB_LOSSES),
	ROW(BOTH, "ARB_LOSSES.BL_NSB", 0x0a, 0x20, BY_L, ARB_LOSSES),
	ROW(BOTH, "ARB_LOSSES.BL_SB", 0x0a, 0x10, BY_L, ARB_LOSSES),
	ROW(BOTH, "ARB_LOSSES.IV", 0x0a, 0x40, BY_L, ARB_LOSSES),
	ROW(BOTH, "ARB_WINS.AD_ALL", 0x0a, 0x03, BY_L, ARB_WINS),
	ROW(BOTH, "ARB_WINS.AD_NSB", 0x0a, 0x02, BY_L, ARB_WINS),
	ROW(BOTH, "ARB_WINS.AD_SB", 0x0a, 0x01, BY_L, ARB_WINS),
	ROW(BOTH, "ARB_WINS.AK_ALL", 0x0a, 0x0c, BY_L, ARB_WINS),
	ROW(BOTH, "ARB_WINS.AK_NSB", 0x0a, 0x08, BY_L, ARB_WINS),
	ROW(BOTH, "ARB_WINS.AK_SB", 0x0a, 0x04, BY_L, ARB_WINS),
	ROW(BOTH, "ARB_WINS.ALL", 0x0a, 0x7f, BY_L, ARB_WINS),
	ROW(BOTH, "ARB_WINS.BL_ALL", 0x0a, 0x30, BY_L, ARB_WINS),
	ROW(BOTH, "ARB_WINS.BL_NSB", 0x0a, 0x20, BY_L, ARB_WINS),
	ROW(BOTH, "ARB_WINS.BL_SB", 0x0a, 0x10, BY_L, ARB_WINS),
	ROW(BOTH, "ARB_WINS.IV", 0x0a, 0x40, BY_L, ARB_WINS),
	ROW(WSM, "ARB_WINS_P2C_NSB", 0x34, 0x00, BY_L, ARB_WINS_P2C_NSB),
	ROW(WSM, "ARB_WINS_P2C_SB", 0x33, 0x00, BY_L, ARB_WINS_P2C_SB),
	ROW(WSM, "BOUNCES_C2P_AD.ALL", 0x01, 0x03, BY_L, BOUNCES_C2P_AD),
	ROW(WSM, "BOUNCES_C2P_AD.NSB", 0x01, 0x02, BY_L, BOUNCES_C2P_AD),
	ROW(WSM, "BOUNCES_C2P_AD.SB", 0x01, 0x01, BY_L, BOUNCES_C2P_AD),
	ROW(BOTH, "BOUNCES_C2P_AK.ALL", 0x02, 0x03, BY_L, BOUNCES_C2P_AK),
	ROW(BOTH, "BOUNCES_C2P_AK.NSB", 0x02, 0x02, BY_L, BOUNCES_C2P_AK),
	ROW(BOTH, "BOUNCES_C2P_AK.SB", 0x02, 0x01, BY_L, BOUNCES_C2P_AK),
	ROW(BOTH, "BOUNCES_C2P_BL.ALL", 0x03, 0x03, BY_L, BOUNCES_C2P_BL),
	ROW(BOTH, "BOUNCES_C2P_BL.NSB", 0x03, 0x02, BY_L, BOUNCES_C2P_BL),
	ROW(BOTH, "BOUNCES_C2P_BL.SB", 0x03, 0x01, BY_L, BOUNCES_C2P_BL),
	ROW(BOTH, "BOUNCES_C2P_IV", 0x04, 0x00, BY_L, BOUNCES_C2P_IV),
	ROW(NHM, "BOUNCES_P2C_AD.ALL", 0x01, 0x03, BY_L, BOUNCES_P2C_AD),
	ROW(NHM, "BOUNCES_P2C_AD.NSB", 0x01, 0x02, BY_L, BOUNCES_P2C_AD),
	ROW(NHM, "BOUNCES_P2C_AD.SB", 0x01, 0x01, BY_L, BOUNCES_P2C_AD),
	ROW(WSM, "BOUNCE_ASSERT", 0x38, 0x00, BY_L, BOUNCE_ASSERT),
	ROW(WSM, "BOUNCE_DEASSERT", 0x39, 0x00, BY_L, BOUNCE_DEASSERT),
	ROW(BOTH, "EGRESS_BYPASS_WINS.AD_BYP0", 0x0c, 0x01, BY_L, EGRESS_BYPASS_WINS),
	ROW(BOTH, "EGRESS_BYPASS_WINS.AD_BYP1", 0x0c, 0x02, BY_L, EGRESS_BYPASS_WINS),
	ROW(BOTH, "EGRESS_BYPASS_WINS.AK_BYP0", 0x0c, 0x04, BY_L, EGRESS_BYPASS_WINS),
	ROW(BOTH, "EGRESS_BYPASS_WINS.AK_BYP1", 0x0c, 0x08, BY_L, EGRESS_BYPASS_WINS),
	ROW(BOTH, "EGRESS_BYPASS_WINS.BL_BYP0", 0x0c, 0x10, BY_L, EGRESS_BYPASS_WINS),
	ROW(BOTH, "EGRESS_BYPASS_WINS.BL_BYP1", 0x0c, 0x20, BY_L, EGRESS_BYPASS_WINS),
	ROW(BOTH, "EGRESS_BYPASS_WINS.IV_BYP0", 0x0c, 0x40, BY_L, EGRESS_BYPASS_WINS),
	ROW(BOTH, "EGRESS_BYPASS_WINS.IV_BYP1", 0x0c, 0x80, BY_L, EGRESS_BYPASS_WINS),
	ROW(WSM, "IDF_NONZERO_NO_BL_CRD", 0x36, 0x00, BY_L, IDF_NONZERO_NO_BL_CRD),
	ROW(WSM, "IDF_NONZERO_NO_VLD", 0x37, 0x00, BY_L, IDF_NONZERO_NO_VLD),
	ROW(WSM, "IGR_BID_BLOCKED", 0x3c, 0x00, BY_L, IGR_BID_BLOCKED),
	ROW(WSM, "IGR_OP_SRAM", 0x31, 0x00, BY_L, IGR_OP_SRAM),
	ROW(WSM, "IGR_OP_UC", 0x32, 0x00, BY_L, IGR_OP_UC),
	ROW(BOTH, "INGRESS_BYPASS_WINS_AD.IPQ_BYP0", 0x0e, 0x04, BY_L, INGRESS_BYPASS_WINS_AD),
	ROW(BOTH, "INGRESS_BYPASS_WINS_AD.IPQ_BYP1", 0x0e, 0x08, BY_L, INGRESS_BYPASS_WINS_AD),
	ROW(BOTH, "INGRESS_BYPASS_WINS_AD.IRQ_BYP0", 0x0e, 0x01, BY_L, INGRESS_BYPASS_WINS_AD),
	ROW(BOTH, "INGRESS_BYPASS_WINS_AD.IRQ_BYP1", 0x0e, 0x02, BY_L, INGRESS_BYPASS_WINS_AD),
	ROW(BOTH, "LLC_HITS.ALL", 0x15, 0x0f, BY_L, LLC_HITS),
	ROW(BOTH, "LLC_HITS.EXCLUSIVE", 0x15, 0x02, BY_L, LLC_HITS),
	ROW(BOTH, "LLC_HITS.FORWARD", 0x15, 0x08, BY_L, LLC_HITS),
	ROW(BOTH, "LLC_HITS.MODIFIED", 0x15, 0x01, BY_L, LLC_HITS),
	ROW(BOTH, "LLC_HITS.SHARED", 0x15, 0x04, BY_L, LLC_HITS),
	ROW(BOTH, "LLC_MISSES.ALL", 0x14, 0x07, BY_L, LLC_MISSES),
	ROW(BOTH, "LLC_MISSES.FORWARD", 0x14, 0x02, BY_L, LLC_MISSES),
	ROW(BOTH, "LLC_MISSES.INVALID", 0x14, 0x04, BY_L, LLC_MISSES),
	ROW(BOTH, "LLC_MISSES.SHARED", 0x14, 0x01, BY_L, LLC_MISSES),
	ROW(BOTH, "LLC_S_FILLS.ALL", 0x16, 0x0f, BY_L, LLC_S_FILLS),
	ROW(BOTH, "LLC_S_FILLS.EXCLUSIVE", 0x16, 0x02, BY_L, LLC_S_FILLS),
	ROW(BOTH, "LLC_S_FILLS.FORWARD", 0x16, 0x08, BY_L, LLC_S_FILLS),
	ROW(BOTH, "LLC_S_FILLS.MODIFIED", 0x16, 0x01, BY_L, LLC_S_FILLS),
	ROW(BOTH, "LLC_S_FILLS.SHARED", 0x16, 0x04, BY_L, LLC_S_FILLS),
	ROW(NHM, "LLC_VICTIMS.ALL", 0x17, 0x1f, BY_L, LLC_VICTIMS),
	ROW(WSM, "LLC_VICTIMS.ALL", 0x17, 0x0f, BY_L, LLC_VICTIMS),
	ROW(BOTH, "LLC_VICTIMS.EXCLUSIVE", 0x17, 0x02, BY_L, LLC_VICTIMS_2),
	ROW(BOTH, "LLC_VICTIMS.FILL_WITHOUT_VICTIMS", 0x17, 0x10, BY_L, LLC_VICTIMS_2),
	ROW(BOTH, "LLC_VICTIMS.FORWARD", 0x17, 0x08, BY_L, LLC_VICTIMS_2),
	ROW(BOTH, "LLC_VICTIMS.MODIFIED", 0x17, 0x01, BY_L, LLC_VICTIMS_2),
	ROW(BOTH, "LLC_VICTIMS.SHARED", 0x17, 0x04, BY_L, LLC_VICTIMS_2),
	ROW(BOTH, "MAF_ACK", 0x10, 0x00, BY_L, MAF_ACK),
	ROW(BOTH, "MAF_NACK1.AC_PENDING", 0x11, 0x08, BY_L, MAF_NACK1),
	ROW(BOTH, "MAF_NACK1.ALL_MAF_NACK1", 0x11, 0x80, BY_L, MAF_NACK1),
	ROW(BOTH, "MAF_NACK1.GO_PENDING", 0x11, 0x01, BY_L, MAF_NACK1),
	ROW(BOTH, "MAF_NACK1.IDLE_QPI", 0x11, 0x40, BY_L, MAF_NACK1),
	ROW(BOTH, "MAF_NACK1.IDX_BLOCK", 0x11, 0x10, BY_L, MAF_NACK1),
	ROW(BOTH, "MAF_NACK1.PA_BLOCK", 0x11, 0x20, BY_L, MAF_NACK1),
	ROW(BOTH, "MAF_NACK1.SNP_PENDING", 0x11, 0x04, BY_L, MAF_NACK1),
	ROW(BOTH, "MAF_NACK1.TOTAL_MAF_NACKS", 0x11, 0xff, BY_L, MAF_NACK1),
	ROW(BOTH, "MAF_NACK1.VIC_PENDING", 0x11, 0x02, BY_L, MAF_NACK1),
	ROW(BOTH, "MAF_NACK2.EGRESS_FULL", 0x12, 0x02, BY_L, MAF_NACK2),
	ROW(BOTH, "MAF_NACK2.MAF_FULL", 0x12, 0x01, BY_L, MAF_NACK2),
	ROW(BOTH, "MAF_NACK2.NACK2_ELSE", 0x12, 0x80, BY_L, MAF_NACK2),
	ROW(BOTH, "MAF_NACK2.NO_S_FIFO_CREDITS", 0x12, 0x10, BY_L, MAF_NACK2),
	ROW(BOTH, "MAF_NACK2.NO_S_REQTBL_ENTRIES", 0x12, 0x20, BY_L, MAF_NACK2),
	ROW(BOTH, "MAF_NACK2.NO_TRACKER_CREDITS", 0x12, 0x08, BY_L, MAF_NACK2),
	ROW(BOTH, "MAF_NACK2.VIQ_FULL", 0x12, 0x04, BY_L, MAF_NACK2),
	ROW(BOTH, "MAF_NACK2.WB_PENDING", 0x12, 0x40, BY_L, MAF_NACK2),
	ROW(BOTH, "OCCUPANCY_IPQ", 0x1a, 0x00, BY_L, OCCUPANCY_IPQ),
	ROW(BOTH, "OCCUPANCY_IRQ", 0x18, 0x00, BY_L, OCCUPANCY_IRQ),
	ROW(BOTH, "OCCUPANCY_MAF", 0x1e, 0x00, BY_L, OCCUPANCY_MAF),
	ROW(BOTH, "OCCUPANCY_RSPF", 0x22, 0x00, BY_L, OCCUPANCY_RSPF),
	ROW(BOTH, "OCCUPANCY_RWRF", 0x20, 0x00, BY_L, OCCUPANCY_RWRF),
	ROW(BOTH, "OCCUPANCY_VIQ", 0x1c, 0x00, BY_L, OCCUPANCY_VIQ),
	ROW(BOTH, "SINKS_C2P.AK", 0x06, 0x02, BY_L, SINKS_C2P),
	ROW(BOTH, "SINKS_C2P.BL", 0x06, 0x04, BY_L, SINKS_C2P),
	ROW(BOTH, "SINKS_C2P.IV", 0x06, 0x01, BY_L, SINKS_C2P),
	ROW(BOTH, "SINKS_P2C.AK", 0x05, 0x02, BY_L, SINKS_P2C),
	ROW(BOTH, "SINKS_P2C.BL", 0x05, 0x04, BY_L, SINKS_P2C),
	ROW(BOTH, "SINKS_P2C.IV", 0x05, 0x01, BY_L, SINKS_P2C),
	ROW(BOTH, "SINKS_S2C.AD", 0x07, 0x01, BY_L, SINKS_S2C),
	ROW(BOTH, "SINKS_S2C.AK", 0x07, 0x02, BY_L, SINKS_S2C),
	ROW(BOTH, "SINKS_S2C.BL", 0x07, 0x04, BY_L, SINKS_S2C),
	ROW(BOTH, "SINKS_S2P_BL", 0x08, 0x00, BY_L, SINKS_S2P_BL),
	ROW(BOTH, "SNPS.REMOTE_ANY", 0x27, 0x03, BY_LG, SNPS),
	ROW(BOTH, "SNPS.REMOTE_RD", 0x27, 0x01, BY_LG, SNPS),
	ROW(BOTH, "SNPS.REMOTE_RFO", 0x27, 0x02, BY_LG, SNPS),
	ROW(BOTH, "SNP_HITS.REMOTE_ANY", 0x28, 0xff, BY_L, SNP_HITS),
	ROW(BOTH, "SNP_HITS.REMOTE_HITE", 0x28, 0x22, BY_L, SNP_HITS),
	ROW(BOTH, "SNP_HITS.REMOTE_HITF", 0x28, 0x88, BY_L, SNP_HITS),
	ROW(BOTH, "SNP_HITS.REMOTE_HITM", 0x28, 0x11, BY_L, SNP_HITS),
	ROW(BOTH, "SNP_HITS.REMOTE_HITS", 0x28, 0x44, BY_L, SNP_HITS),
	ROW(BOTH, "SNP_HITS.REMOTE_RD_HITE", 0x28, 0x02, BY_L, SNP_HITS),
	ROW(BOTH, "SNP_HITS.REMOTE_RD_HITF", 0x28, 0x08, BY_L, SNP_HITS),
	ROW(BOTH, "SNP_HITS.REMOTE_RD_HITM", 0x28, 0x01, BY_L, SNP_HITS),
	ROW(BOTH, "SNP_HITS.REMOTE_RD_HITS", 0x28, 0x04, BY_L, SNP_HITS),
	ROW(BOTH, "SNP_HITS.REMOTE_RFO_HITE", 0x28, 0x20, BY_L, SNP_HITS),
	ROW(BOTH, "SNP_HITS.REMOTE_RFO_HITF", 0x28, 0x80, BY_L, SNP_HITS),
	ROW(BOTH, "SNP_HITS.REMOTE_RFO_HITM", 0x28, 0x10, BY_L, SNP_HITS),
	ROW(BOTH, "SNP_HITS.REMOTE_RFO_HITS", 0x28, 0x40, BY_L, SNP_HITS),
	ROW(WSM, "SPL_ARB_PRI_SW", 0x2a, 0x00, BY_L, SPL_ARB_PRI_SW),
	ROW(WSM, "SPL_CO_NSB", 0x2d, 0x00, BY_L, SPL_CO_NSB),
	ROW(WSM, "SPL_CO_SB", 0x2c, 0x00, BY_L, SPL_CO_SB),
	ROW(WSM, "SPL_DEAD", 0x29, 0x00, BY_L, SPL_DEAD),
	ROW(WSM, "SPL_EGR_NSB", 0x30, 0x00, BY_L, SPL_EGR_NSB),
	ROW(WSM, "SPL_EGR_SB", 0x2f, 0x00, BY_L, SPL_EGR_SB),
	ROW(WSM, "SPL_IN_FULL_IRQ", 0x2e, 0x00, BY_L, SPL_IN_FULL_IRQ),
	ROW(WSM, "SPL_NOT_CO", 0x2b, 0x00, BY_L, SPL_NOT_CO),
	ROW(WSM, "SPOOF_ASSERT", 0x3a, 0x00, BY_L, SPOOF_ASSERT),
	ROW(WSM, "SPOOF_CRD_EMPTY", 0x35, 0x00, BY_L, SPOOF_CRD_EMPTY),
	ROW(WSM, "SPOOF_DEASSERT", 0x3b, 0x00, BY_L, SPOOF_DEASSERT),
	ROW(BOTH, "STARVED_EGRESS.AD", 0x0b, 0x07, BY_LG, STARVED_EGRESS),
	ROW(BOTH, "STARVED_EGRESS.AD_NSB", 0x0b, 0x04, BY_LG, STARVED_EGRESS),
	ROW(BOTH, "STARVED_EGRESS.AD_SB", 0x0b, 0x03, BY_LG, STARVED_EGRESS),
	ROW(BOTH, "STARVED_EGRESS.AK", 0x0b, 0x18, BY_LG, STARVED_EGRESS),
	ROW(BOTH, "STARVED_EGRESS.AK_NSB", 0x0b, 0x10, BY_LG, STARVED_EGRESS),
	ROW(BOTH, "STARVED_EGRESS.AK_SB", 0x0b, 0x08, BY_LG, STARVED_EGRESS),
	ROW(BOTH, "STARVED_EGRESS.BL", 0x0b, 0x60, BY_LG, STARVED_EGRESS),
	ROW(BOTH, "STARVED_EGRESS.BL_NSB", 0x0b, 0x40, BY_LG, STARVED_EGRESS),
	ROW(BOTH, "STARVED_EGRESS.BL_SB", 0x0b, 0x20, BY_LG, STARVED_EGRESS),
	ROW(BOTH, "STARVED_EGRESS.C2P_AD_SB", 0x0b, 0x02, BY_LG, STARVED_EGRESS_2),
	ROW(BOTH, "STARVED_EGRESS.IV", 0x0b, 0x80, BY_LG, STARVED_EGRESS),
	ROW(BOTH, "STARVED_EGRESS.P2C_AD_SB", 0x0b, 0x01, BY_LG, STARVED_EGRESS),
	ROW(BOTH, "TRANS_IPQ", 0x1b, 0x00, BY_LG, TRANS_IPQ),
	ROW(BOTH, "TRANS_IRQ", 0x19, 0x00, BY_L, TRANS_IRQ),
	ROW(BOTH, "TRANS_MAF", 0x1f, 0x00, BY_L, TRANS_MAF),
	ROW(BOTH, "TRANS_RSPF", 0x23, 0x00, BY_L, TRANS_RSPF),
	ROW(BOTH, "TRANS_RWRF", 0x21, 0x00, BY_L, TRANS_RWRF),
	ROW(BOTH, "TRANS_VIQ", 0x1d, 0x00, BY_L, TRANS_VIQ),
};

const struct um_event_data um_events_ex_cbox = TABLE_DATA(cbox_rows);
