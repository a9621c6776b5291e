/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Events of the B-boxes (home agents) of Nehalem-EX and Westmere-EX.
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
	NOTE(COHQ, "likwid alone has this code on Westmere-EX, where COHQ_BYPASS has it too; " \
		"Nehalem-EX has 0x13; not verified") \
	NOTE(IMT_FULL, "likwid alone has this code on Westmere-EX, where IMPLICIT_WBS has it " \
		"too; Nehalem-EX has 0x16; not verified") \
	NOTE(LIKWID, "known from likwid alone")

#define TEXTS(TEXT) \
	TEXT(ACK_BEFORE_LAST_SNP, BBOX, COUNT, NONE, \
	     "acknowledgements that arrived before the last snoop response") \
	TEXT(ADDR_IN_MATCH, BBOX, COUNT, NONE, \
	     "incoming packets whose address is the one asked for") \
	TEXT(COHQ_BYPASS, BBOX, COUNT, NONE, \
	     "requests that bypassed the coherence queue") \
	TEXT(COHQ_IMT_ALLOC_WAIT, BBOX, COUNT, NONE, \
	     "clocks in which the coherence queue waited for an entry of the in-flight table") \
	TEXT(COHQ_IMT_ALLOC_WAIT_2, BBOX, COUNT, COHQ, \
	     "clocks in which the coherence queue waited for an entry of the in-flight table") \
	TEXT(CONFLICTS, BBOX, COUNT, NONE, \
	     "requests for a line that another request was working on") \
	TEXT(DEMAND_FETCH, BBOX, COUNT, NONE, \
	     "lines fetched from memory on demand, not speculatively") \
	TEXT(DIRQ_INSERTS, BBOX, COUNT, LIKWID, \
	     "entries put into the direct data queue") \
	TEXT(DIRQ_OCCUPANCY, BBOX, OCCUPANCY, LIKWID, \
	     "entries of the direct data queue, added up every clock") \
	TEXT(DRSQ_INSERTS, BBOX, COUNT, LIKWID, \
	     "entries put into the data response queue") \
	TEXT(DRSQ_OCCUPANCY, BBOX, OCCUPANCY, LIKWID, \
	     "entries of the data response queue, added up every clock") \
	TEXT(EARLY_ACK, BBOX, COUNT, NONE, \
	     "early acknowledgements of writes") \
	TEXT(IMPLICIT_WBS, BBOX, COUNT, NONE, \
	     "writebacks that a snoop brought about") \
	TEXT(IMT_FULL, BBOX, CYCLES, NONE, \
	     "clocks in which the in-flight table was full") \
	TEXT(IMT_FULL_2, BBOX, CYCLES, IMT_FULL, \
	     "clocks in which the in-flight table was full") \
	TEXT(IMT_INSERTS_ALL, BBOX, COUNT, LIKWID, \
	     "requests put into the in-flight table") \
	TEXT(IMT_INSERTS_INVITOE, BBOX, COUNT, LIKWID, \
	     "requests put into the in-flight table: invitoe") \
	TEXT(IMT_INSERTS_IOH, BBOX, COUNT, LIKWID, \
	     "requests put into the in-flight table: I/O hub") \
	TEXT(IMT_INSERTS_IOH_INVITOE, BBOX, COUNT, LIKWID, \
	     "requests put into the in-flight table: I/O hub invitoe") \
	TEXT(IMT_INSERTS_IOH_WR, BBOX, COUNT, LIKWID, \
	     "requests put into the in-flight table: I/O hub wr") \
	TEXT(IMT_INSERTS_NON_IOH, BBOX, COUNT, LIKWID, \
	     "requests put into the in-flight table: non I/O hub") \
	TEXT(IMT_INSERTS_NON_IOH_INVITOE, BBOX, COUNT, LIKWID, \
	     "requests put into the in-flight table: non I/O hub invitoe") \
	TEXT(IMT_INSERTS_NON_IOH_RD, BBOX, COUNT, LIKWID, \
	     "requests put into the in-flight table: non I/O hub rd") \
	TEXT(IMT_INSERTS_NON_IOH_WR, BBOX, COUNT, LIKWID, \
	     "requests put into the in-flight table: non I/O hub wr") \
	TEXT(IMT_INSERTS_RD, BBOX, COUNT, LIKWID, \
	     "requests put into the in-flight table: rd") \
	TEXT(IMT_INSERTS_WR, BBOX, COUNT, LIKWID, \
	     "requests put into the in-flight table: wr") \
	TEXT(IMT_NE_CYCLES, BBOX, CYCLES, NONE, \
	     "clocks in which the in-flight table held something") \
	TEXT(IMT_PREALLOC, BBOX, COUNT, NONE, \
	     "entries of the in-flight table that were allocated in advance") \
	TEXT(IMT_VALID_OCCUPANCY, BBOX, OCCUPANCY, LIKWID, \
	     "valid entries of the in-flight table, added up every clock") \
	TEXT(MSGS_B_TO_S, BBOX, COUNT, LIKWID, \
	     "messages from the B-box to the S-box") \
	TEXT(MSGS_IN_NON_SNP, BBOX, COUNT, LIKWID, \
	     "incoming messages that are no snoops") \
	TEXT(MSGS_S_TO_B, BBOX, COUNT, LIKWID, \
	     "messages from the S-box to the B-box") \
	TEXT(MSG_ADDR_IN_MATCH, BBOX, COUNT, LIKWID, \
	     "incoming packets whose message class and address are those asked for") \
	TEXT(MSG_IN_MATCH, BBOX, COUNT, LIKWID, \
	     "incoming packets of the message class asked for") \
	TEXT(MSG_OPCODE_ADDR_IN_MATCH, BBOX, COUNT, LIKWID, \
	     "incoming packets whose class, opcode and address are those asked for") \
	TEXT(MSG_OPCODE_IN_MATCH, BBOX, COUNT, LIKWID, \
	     "incoming packets whose class and opcode are those asked for") \
	TEXT(MSG_OPCODE_OUT_MATCH, BBOX, COUNT, LIKWID, \
	     "outgoing packets whose class and opcode are those asked for") \
	TEXT(MSG_OUT_MATCH, BBOX, COUNT, LIKWID, \
	     "outgoing packets of the message class asked for") \
	TEXT(OPCODE_ADDR_IN_MATCH, BBOX, COUNT, LIKWID, \
	     "incoming packets whose opcode and address are those asked for") \
	TEXT(OPCODE_IN_MATCH, BBOX, COUNT, LIKWID, \
	     "incoming packets with the opcode asked for") \
	TEXT(OPCODE_OUT_MATCH, BBOX, COUNT, LIKWID, \
	     "outgoing packets with the opcode asked for") \
	TEXT(RBOX_VNA_UNAVAIL, BBOX, CYCLES, NONE, \
	     "clocks without a VNA credit towards the router") \
	TEXT(SBOX_VN0_UNAVAIL, BBOX, CYCLES, NONE, \
	     "clocks without a VN0 credit towards the S-box") \
	TEXT(SNPOQ_INSERTS, BBOX, COUNT, LIKWID, \
	     "entries put into the queue of outgoing snoops") \
	TEXT(SNPOQ_OCCUPANCY, BBOX, OCCUPANCY, LIKWID, \
	     "entries of the queue of outgoing snoops, added up every clock") \
	TEXT(TF_ALL, BBOX, COUNT, LIKWID, \
	     "entries of the tracker file, added up every clock: all") \
	TEXT(TF_INVITOE, BBOX, COUNT, LIKWID, \
	     "entries of the tracker file, added up every clock: invitoe") \
	TEXT(TF_IOH, BBOX, COUNT, LIKWID, \
	     "entries of the tracker file, added up every clock: I/O hub") \
	TEXT(TF_IOH_INVITOE, BBOX, COUNT, LIKWID, \
	     "entries of the tracker file, added up every clock: I/O hub invitoe") \
	TEXT(TF_IOH_NON_INVITOE_RD, BBOX, COUNT, LIKWID, \
	     "entries of the tracker file, added up every clock: I/O hub non invitoe rd") \
	TEXT(TF_IOH_WR, BBOX, COUNT, LIKWID, \
	     "entries of the tracker file, added up every clock: I/O hub wr") \
	TEXT(TF_WR, BBOX, COUNT, LIKWID, \
	     "entries of the tracker file, added up every clock: wr")

#include "events/table_texts.h"

enum { NHM = UM_ON_NEHALEM_EX, WSM = UM_ON_WESTMERE_EX, BOTH = NHM | WSM };
#define BY_L (UM_LIKWID)
#define BY_LG (UM_LIKWID | UM_GUIDE)

#define ROW(where, label, code, mask, from, text) { \
	.name = label, .event = code, .umask = mask, .sources = from, .on = where, \
	.family = FAMILY_##text }
/* Each counter has event selects of its own; Linux says which one in bits 7:6. */
#define BROW(where, label, code, counter, from, text) { \
	.name = label, .event = code, .sources = from, .on = where, .family = FAMILY_##text, \
	.more = (counter) << 6 }

static const struct um_event_row bbox_rows[] = {
	BROW(BOTH, "ACK_BEFORE_LAST_SNP", 0x19, 3, BY_LG, ACK_BEFORE_LAST_SNP),
	BROW(BOTH, "ADDR_IN_MATCH", 0x04, 2, BY_LG, ADDR_IN_MATCH),
	BROW(BOTH, "COHQ_BYPASS", 0x0e, 3, BY_LG, COHQ_BYPASS),
	BROW(NHM, "COHQ_IMT_ALLOC_WAIT", 0x13, 3, BY_LG, COHQ_IMT_ALLOC_WAIT),
	BROW(WSM, "COHQ_IMT_ALLOC_WAIT", 0x0e, 3, BY_L, COHQ_IMT_ALLOC_WAIT_2),
	BROW(BOTH, "CONFLICTS", 0x17, 3, BY_LG, CONFLICTS),
	BROW(BOTH, "DEMAND_FETCH", 0x0f, 3, BY_LG, DEMAND_FETCH),
	BROW(BOTH, "DIRQ_INSERTS", 0x17, 1, BY_L, DIRQ_INSERTS),
	BROW(BOTH, "DIRQ_OCCUPANCY", 0x17, 0, BY_L, DIRQ_OCCUPANCY),
	BROW(BOTH, "DRSQ_INSERTS", 0x09, 1, BY_L, DRSQ_INSERTS),
	BROW(BOTH, "DRSQ_OCCUPANCY", 0x09, 0, BY_L, DRSQ_OCCUPANCY),
	BROW(BOTH, "EARLY_ACK", 0x02, 3, BY_LG, EARLY_ACK),
	BROW(BOTH, "IMPLICIT_WBS", 0x12, 3, BY_LG, IMPLICIT_WBS),
	BROW(NHM, "IMT_FULL", 0x16, 3, BY_LG, IMT_FULL),
	BROW(WSM, "IMT_FULL", 0x12, 3, BY_L, IMT_FULL_2),
	BROW(BOTH, "IMT_INSERTS_ALL", 0x07, 1, BY_L, IMT_INSERTS_ALL),
	BROW(BOTH, "IMT_INSERTS_INVITOE", 0x0f, 1, BY_L, IMT_INSERTS_INVITOE),
	BROW(BOTH, "IMT_INSERTS_IOH", 0x0a, 1, BY_L, IMT_INSERTS_IOH),
	BROW(BOTH, "IMT_INSERTS_IOH_INVITOE", 0x10, 1, BY_L, IMT_INSERTS_IOH_INVITOE),
	BROW(BOTH, "IMT_INSERTS_IOH_WR", 0x0d, 1, BY_L, IMT_INSERTS_IOH_WR),
	BROW(BOTH, "IMT_INSERTS_NON_IOH", 0x0b, 1, BY_L, IMT_INSERTS_NON_IOH),
	BROW(BOTH, "IMT_INSERTS_NON_IOH_INVITOE", 0x1c, 1, BY_L, IMT_INSERTS_NON_IOH_INVITOE),
	BROW(BOTH, "IMT_INSERTS_NON_IOH_RD", 0x1f, 1, BY_L, IMT_INSERTS_NON_IOH_RD),
	BROW(BOTH, "IMT_INSERTS_NON_IOH_WR", 0x0e, 1, BY_L, IMT_INSERTS_NON_IOH_WR),
	BROW(BOTH, "IMT_INSERTS_RD", 0x1d, 1, BY_L, IMT_INSERTS_RD),
	BROW(BOTH, "IMT_INSERTS_WR", 0x0c, 1, BY_L, IMT_INSERTS_WR),
	BROW(BOTH, "IMT_NE_CYCLES", 0x07, 2, BY_LG, IMT_NE_CYCLES),
	BROW(BOTH, "IMT_PREALLOC", 0x06, 3, BY_LG, IMT_PREALLOC),
	BROW(BOTH, "IMT_VALID_OCCUPANCY", 0x07, 0, BY_L, IMT_VALID_OCCUPANCY),
	BROW(BOTH, "MSGS_B_TO_S", 0x03, 2, BY_L, MSGS_B_TO_S),
	BROW(BOTH, "MSGS_IN_NON_SNP", 0x01, 2, BY_L, MSGS_IN_NON_SNP),
	BROW(BOTH, "MSGS_S_TO_B", 0x02, 2, BY_L, MSGS_S_TO_B),
	BROW(BOTH, "MSG_ADDR_IN_MATCH", 0x01, 0, BY_L, MSG_ADDR_IN_MATCH),
	BROW(BOTH, "MSG_IN_MATCH", 0x01, 1, BY_L, MSG_IN_MATCH),
	BROW(BOTH, "MSG_OPCODE_ADDR_IN_MATCH", 0x03, 0, BY_L, MSG_OPCODE_ADDR_IN_MATCH),
	BROW(BOTH, "MSG_OPCODE_IN_MATCH", 0x05, 1, BY_L, MSG_OPCODE_IN_MATCH),
	BROW(BOTH, "MSG_OPCODE_OUT_MATCH", 0x06, 1, BY_L, MSG_OPCODE_OUT_MATCH),
	BROW(BOTH, "MSG_OUT_MATCH", 0x02, 1, BY_L, MSG_OUT_MATCH),
	BROW(BOTH, "OPCODE_ADDR_IN_MATCH", 0x02, 0, BY_L, OPCODE_ADDR_IN_MATCH),
	BROW(BOTH, "OPCODE_IN_MATCH", 0x03, 1, BY_L, OPCODE_IN_MATCH),
	BROW(BOTH, "OPCODE_OUT_MATCH", 0x04, 1, BY_L, OPCODE_OUT_MATCH),
	BROW(BOTH, "RBOX_VNA_UNAVAIL", 0x15, 3, BY_LG, RBOX_VNA_UNAVAIL),
	BROW(BOTH, "SBOX_VN0_UNAVAIL", 0x14, 3, BY_LG, SBOX_VN0_UNAVAIL),
	BROW(BOTH, "SNPOQ_INSERTS", 0x12, 1, BY_L, SNPOQ_INSERTS),
	BROW(BOTH, "SNPOQ_OCCUPANCY", 0x12, 0, BY_L, SNPOQ_OCCUPANCY),
	BROW(BOTH, "TF_ALL", 0x04, 0, BY_L, TF_ALL),
	BROW(BOTH, "TF_INVITOE", 0x06, 0, BY_L, TF_INVITOE),
	BROW(BOTH, "TF_IOH", 0x0b, 0, BY_L, TF_IOH),
	BROW(BOTH, "TF_IOH_INVITOE", 0x0f, 0, BY_L, TF_IOH_INVITOE),
	BROW(BOTH, "TF_IOH_NON_INVITOE_RD", 0x1c, 0, BY_L, TF_IOH_NON_INVITOE_RD),
	BROW(BOTH, "TF_IOH_WR", 0x0d, 0, BY_L, TF_IOH_WR),
	BROW(BOTH, "TF_WR", 0x05, 0, BY_L, TF_WR),
};

const struct um_event_data um_events_ex_bbox = TABLE_DATA(bbox_rows);
