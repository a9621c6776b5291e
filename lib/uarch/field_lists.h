/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The fields of all registers, in lists to which the rows of registers refer (.fields = skx_filter0_fields). fields.h
 * makes the names of the lists from this file, and fields.c their content.
 *
 *   FIELD_LIST(name, { "FIELD", lowest bit, width, "text" }, ...)
 *
 * The first part of a list's name is that of its table file. Lists named "um_..." belong to headers that several
 * table files share, lists named "client_..." to client.h.
 */

/* ---- fields that many registers have ---- */

#define FIELD_EVENT { "EVENT", 0, 8, "event select" }
#define FIELD_UMASK { "UMASK", 8, 8, "unit mask" }
#define FIELD_EDGE { "EDGE", 18, 1, \
	"count how often the condition begins instead of how long it lasts" }
#define FIELD_OVF_EN(bit) { "OVF_EN", bit, 1, "report an overflow (interrupt); left 0" }
#define FIELD_EN(bit) { "EN", bit, 1, "count" }
#define FIELD_INVERT { "INV", 23, 1, "with THRESH: count clocks below the threshold" }
#define FIELD_THRESH(width) { "THRESH", 24, width, \
	"threshold: count clocks with at least this many occurrences; 0 is off" }

/* Counters of 48 and of 44 bits. */
FIELD_LIST(um_count48_fields, { "COUNT", 0, 48, "count; wraps to 0" })
FIELD_LIST(um_count44_fields, { "COUNT", 0, 44, "count; wraps to 0" })

/* ---- boxes of servers ---- */

#define FIELD_RST { "RST", 17, 1, "writing 1 clears the counter; reads as 0" }
#define FIELD_TID_EN(bit) { "TID_EN", bit, 1, "count only what the thread of the filter does" }
#define FIELD_OCC_SEL { "OCC_SEL", 14, 2, "count cores in: 1 C0, 2 C3, 3 C6" }
#define FIELD_OCC_INV { "OCC_INV", 30, 1, "count clocks with fewer cores than the threshold" }
#define FIELD_OCC_EDGE { "OCC_EDGE", 31, 1, "count how often the number of cores changes" }
#define FIELD_UMASK_EXT(width) { "UMASK_EXT", 32, width, "more bits of the unit mask" }
#define FIELDS_PMON_INV(width) FIELD_EVENT, FIELD_UMASK, FIELD_RST, FIELD_EDGE, \
	FIELD_OVF_EN(20), FIELD_EN(22), FIELD_INVERT, FIELD_THRESH(width)
#define FIELDS_BOX_CTL \
	{ "RST_CTRL", 0, 1, "writing 1 clears all selectors of the box" }, \
	{ "RST_CTRS", 1, 1, "writing 1 clears all counters of the box" }, \
	{ "FRZ", 8, 1, "the counters of the box stand still" }
#define FIELDS_IIO_MASKS(channel, bits, flow) \
	{ "CH_MASK", channel, bits, "channels (ports) to count" }, \
	{ "FC_MASK", flow, 3, "flow classes to count: posted, non-posted, completions" }

/* Selectors of Haswell-EP and later: with a threshold of 5 or 8 bits, and of 8 bits with the thread filter. */
FIELD_LIST(um_pmon5_fields, FIELDS_PMON_INV(5))
FIELD_LIST(um_pmon8_fields, FIELDS_PMON_INV(8))
FIELD_LIST(um_pmon8_tid_fields, FIELDS_PMON_INV(8), FIELD_TID_EN(19))
/* Selectors of a power control unit. */
FIELD_LIST(um_pmon_pcu_fields,
	FIELD_EVENT, FIELD_OCC_SEL, FIELD_RST, FIELD_EDGE, FIELD_OVF_EN(20), FIELD_EN(22),
	FIELD_INVERT, FIELD_THRESH(5), FIELD_OCC_INV, FIELD_OCC_EDGE)
FIELD_LIST(um_pmon_box_fields, FIELDS_BOX_CTL, { "FRZ_EN", 16, 1, "1: FRZ has an effect" })
/* IIO, IRP, M2PCIe: FRZ_EN has two bits, and the guides require both to be set. */
FIELD_LIST(um_pmon_box2_fields, FIELDS_BOX_CTL, { "FRZ_EN", 16, 2, "3 (both bits): FRZ has an effect" })
FIELD_LIST(um_pmon_status2_fields, { "OVF", 0, 2, "bit n: counter n has wrapped" })
FIELD_LIST(um_pmon_status4_fields, { "OVF", 0, 4, "bit n: counter n has wrapped" })
FIELD_LIST(um_residency_fields, { "COUNT", 0, 64, "time-stamp clock ticks" })
/* Strobes that start and stop every box of the package, then the status and configuration registers. */
FIELD_LIST(um_global_29_fields,
	{ "UNFRZ_ALL", 29, 1, "writing 1 lets all boxes run" },
	{ "FRZ_ALL", 31, 1, "writing 1 freezes all boxes" })
FIELD_LIST(um_global_61_fields,
	{ "UNFRZ_ALL", 61, 1, "writing 1 lets all boxes run" },
	{ "FRZ_ALL", 63, 1, "writing 1 freezes all boxes" })
FIELD_LIST(um_global_status_fields, { "OVF", 0, 32, "which boxes have a counter that has wrapped" })
FIELD_LIST(um_global_config_fields, { "NUM_CBO", 0, 6, "how many C-boxes (CHAs) there are" })
FIELD_LIST(um_pmon_fixed_fields, FIELD_OVF_EN(20), FIELD_EN(22))
FIELD_LIST(um_pmon_bands_fields,
	{ "BAND0", 0, 8, "frequency that event 0xb compares with" },
	{ "BAND1", 8, 8, "frequency that event 0xc compares with" },
	{ "BAND2", 16, 8, "frequency that event 0xd compares with" },
	{ "BAND3", 24, 8, "frequency that event 0xe compares with" })

FIELD_LIST(um_cbo_700_filter0_fields,
	{ "TID", 0, 6, "thread: bit 0 the thread, 5:1 the core" },
	{ "LINK", 6, 4, "where responses come from" },
	{ "STATE", 17, 7, "states of the cache line" })
FIELD_LIST(um_cbo_filter1_fields,
	{ "NID", 0, 16, "nodes, a set of bits" }, { "OPC", 20, 9, "opcode" },
	{ "C6", 29, 1, "only requests of a core in C6" },
	{ "NC", 30, 1, "only non-coherent requests" },
	{ "ISOC", 31, 1, "only isochronous requests" })
FIELD_LIST(um_ubox_filter_fields, { "TID", 0, 1, "thread of the core" }, { "CID", 1, 5, "core" })

FIELD_LIST(um_snr_cha_fields, FIELDS_PMON_INV(8), FIELD_TID_EN(19), FIELD_UMASK_EXT(26))
FIELD_LIST(um_snr_iio_fields, FIELDS_PMON_INV(12), FIELDS_IIO_MASKS(36, 12, 48))
FIELD_LIST(um_snr_filter_fields, { "TID", 0, 9, "thread" })

#define FIELDS_SPR(thresh) FIELD_EVENT, FIELD_UMASK, FIELD_RST, FIELD_EDGE, FIELD_OVF_EN(20), \
	FIELD_INVERT, FIELD_THRESH(thresh)
FIELD_LIST(um_spr_fields, FIELDS_SPR(8))
FIELD_LIST(um_spr_umask_fields, FIELDS_SPR(8), FIELD_UMASK_EXT(24))
FIELD_LIST(um_spr_cha_fields, FIELDS_SPR(8), FIELD_TID_EN(16), FIELD_UMASK_EXT(32))
FIELD_LIST(um_spr_iio_fields, FIELDS_SPR(12), FIELDS_IIO_MASKS(36, 12, 48))
FIELD_LIST(um_spr_box_fields,
	{ "FRZ", 0, 1, "the counters of the box stand still" },
	{ "RST_CTRL", 8, 1, "writing 1 clears all selectors of the box" },
	{ "RST_CTRS", 9, 1, "writing 1 clears all counters of the box" })
FIELD_LIST(um_spr_filter_fields, { "TID", 0, 10, "thread" })

#define FIELDS_SNBEP(thresh) \
	FIELD_EVENT, FIELD_RST, FIELD_EDGE, FIELD_EN(22), FIELD_INVERT, FIELD_THRESH(thresh)
FIELD_LIST(snbep_ubox_fields, FIELDS_SNBEP(5), FIELD_UMASK)
FIELD_LIST(snbep_cbo_fields, FIELDS_SNBEP(8), FIELD_UMASK, FIELD_TID_EN(19))
FIELD_LIST(snbep_pcu_fields,
	FIELDS_SNBEP(5), FIELD_OCC_SEL, { "EVENT_EXT", 21, 1, "ninth bit of the event select" },
	FIELD_OCC_INV, FIELD_OCC_EDGE)
FIELD_LIST(snbep_filter_fields,
	{ "TID", 0, 5, "thread: bit 0 the thread, 3:1 the core" },
	{ "NID", 10, 8, "node" },
	{ "STATE", 18, 5, "states of the cache line" },
	{ "OPC", 23, 9, "opcode" })

#define FIELDS_IVBEP(thresh) \
	FIELD_EVENT, FIELD_RST, FIELD_EDGE, FIELD_OVF_EN(20), FIELD_EN(22), FIELD_THRESH(thresh)
FIELD_LIST(ivbep_ubox_fields, FIELDS_IVBEP(5), FIELD_UMASK)
FIELD_LIST(ivbep_cbo_fields, FIELDS_IVBEP(8), FIELD_UMASK, FIELD_TID_EN(19))
FIELD_LIST(ivbep_pcu_fields,
	FIELDS_IVBEP(5), FIELD_OCC_SEL, { "EVENT_EXT", 21, 1, "ninth bit of the event select" },
	FIELD_OCC_INV, FIELD_OCC_EDGE)
FIELD_LIST(ivbep_filter0_fields,
	{ "TID", 0, 5, "thread: bit 0 the thread, 4:1 the core" },
	{ "LINK", 5, 4, "where responses come from" },
	{ "STATE", 17, 6, "states of the cache line" })

FIELD_LIST(knl_cha_fields,
	FIELDS_PMON_INV(8), FIELD_TID_EN(19),
	{ "QOR", 16, 1, "writing 1 clears the queue occupancy the event adds up" })
FIELD_LIST(knl_ubox_fields, FIELDS_PMON_INV(5), FIELD_TID_EN(19))
FIELD_LIST(knl_pcu_fields,
	{ "EVENT", 0, 7, "event select" }, { "USE_OCC", 7, 1, "use the occupancy of cores" },
	FIELD_OCC_SEL, FIELD_RST, FIELD_EDGE, FIELD_TID_EN(19), FIELD_OVF_EN(20), FIELD_EN(22),
	FIELD_INVERT, FIELD_THRESH(6), FIELD_OCC_INV, FIELD_OCC_EDGE)
FIELD_LIST(knl_filter0_fields,
	{ "TID", 0, 9, "thread" }, { "LINK", 12, 1, "where responses come from" },
	{ "STATE", 18, 3, "states of the cache line" })
FIELD_LIST(knl_filter1_fields,
	{ "REM", 0, 1, "requests for remote memory" },
	{ "LOC", 1, 1, "requests for local memory" },
	{ "ALL_OPC", 3, 1, "any opcode" },
	{ "NNM", 5, 1, "requests for near and for other memory" },
	{ "OPC", 9, 20, "two opcodes of 10 bits" },
	{ "C6", 29, 1, "only requests of a core in C6" },
	{ "NC", 30, 1, "only non-coherent requests" },
	{ "ISOC", 31, 1, "only isochronous requests" })

FIELD_LIST(skx_filter0_fields,
	{ "TID", 0, 9, "thread" }, { "LINK", 9, 4, "where responses come from" },
	{ "STATE", 17, 10, "states of the cache line" })
FIELD_LIST(skx_filter1_fields,
	{ "REM", 0, 1, "requests for remote memory" },
	{ "LOC", 1, 1, "requests for local memory" },
	{ "ALL_OPC", 3, 1, "any opcode" },
	{ "NM", 4, 1, "requests for near memory" },
	{ "NOT_NM", 5, 1, "requests for other memory" },
	{ "OPC0", 9, 10, "opcode" },
	{ "OPC1", 19, 10, "another opcode" },
	{ "C6", 29, 1, "only requests of a core in C6" },
	{ "NC", 30, 1, "only non-coherent requests" },
	{ "ISOC", 31, 1, "only isochronous requests" })
FIELD_LIST(skx_iio_fields, FIELDS_PMON_INV(12), FIELDS_IIO_MASKS(36, 8, 44))
FIELD_LIST(skx_count36_fields, { "COUNT", 0, 36, "count; wraps to 0" })

FIELD_LIST(spr_global_fields, { "FRZ_ALL", 0, 1, "all boxes stand still" })
FIELD_LIST(spr_count_fields, { "NUM_CHA", 0, 16, "how many CHAs there are" })
FIELD_LIST(gnr_count_fields, { "NUM_CHA", 0, 9, "how many CHAs there are" })

/* ---- clients ---- */

#define CLIENT_SELECTOR_FIELDS(thresh) FIELD_EVENT, FIELD_UMASK, FIELD_EDGE, FIELD_OVF_EN(20), \
	FIELD_EN(22), FIELD_INVERT, FIELD_THRESH(thresh)
FIELD_LIST(client_selector5_fields, CLIENT_SELECTOR_FIELDS(5))
FIELD_LIST(client_selector6_fields, CLIENT_SELECTOR_FIELDS(6))
/* Bits 0 to 4 route interrupts; we do not change them. */
FIELD_LIST(client_global_fields,
	{ "PMI_SEL", 0, 5, "bit n: overflow interrupts go to core n" },
	{ "EN", 29, 1, "all uncore counters may run" },
	{ "WAKE_PMI", 30, 1, "an overflow interrupt wakes the cores" },
	{ "FRZ_ON_OVF", 31, 1, "an overflow clears EN; not a way to stop the counters" })
FIELD_LIST(client_box_control_fields, { "EN", 29, 1, "the counters may run" })
FIELD_LIST(client_status_fields,
	{ "FIXED", 0, 1, "the clock counter has wrapped" },
	{ "ARB", 1, 1, "a counter of the ARB has wrapped" },
	{ "CBO", 3, 1, "a counter of a CBo has wrapped" })
FIELD_LIST(client_cbo_config_fields,
	{ "NUM_CBO", 0, 4, "number of CBo boxes (on Haswell and Broadwell plus 1; up to Comet Lake "
	  "the box of the graphics is included)" })
FIELD_LIST(client_fixed_fields,
	FIELD_OVF_EN(20),
	{ "EN", 22, 1, "count uncore clock ticks" })

/* ---- Nehalem and Westmere, then Nehalem-EX and Westmere-EX ---- */

/* Bits 8 to 31, 33 to 47, and 52 and up are reserved, even on parts with six cores. */
FIELD_LIST(nehalem_global_ctrl_fields,
	{ "EN_PC0", 0, 1, "counter 0 may run (its selector's EN has to be set too)" },
	{ "EN_PC1", 1, 1, "counter 1 may run" },
	{ "EN_PC2", 2, 1, "counter 2 may run" },
	{ "EN_PC3", 3, 1, "counter 3 may run" },
	{ "EN_PC4", 4, 1, "counter 4 may run" },
	{ "EN_PC5", 5, 1, "counter 5 may run" },
	{ "EN_PC6", 6, 1, "counter 6 may run" },
	{ "EN_PC7", 7, 1, "counter 7 may run" },
	{ "EN_FC0", 32, 1, "the fixed counter may run (its control's EN has to be set too)" },
	{ "EN_PMI_CORE0", 48, 1, "send overflow interrupts to core 0" },
	{ "EN_PMI_CORE1", 49, 1, "send overflow interrupts to core 1" },
	{ "EN_PMI_CORE2", 50, 1, "send overflow interrupts to core 2" },
	{ "EN_PMI_CORE3", 51, 1, "send overflow interrupts to core 3" },
	{ "PMI_FRZ", 63, 1, "an overflow interrupt stops all counters" })
FIELD_LIST(nehalem_global_status_fields,
	{ "OVF_PC0", 0, 1, "counter 0 has wrapped" },
	{ "OVF_PC1", 1, 1, "counter 1 has wrapped" },
	{ "OVF_PC2", 2, 1, "counter 2 has wrapped" },
	{ "OVF_PC3", 3, 1, "counter 3 has wrapped" },
	{ "OVF_PC4", 4, 1, "counter 4 has wrapped" },
	{ "OVF_PC5", 5, 1, "counter 5 has wrapped" },
	{ "OVF_PC6", 6, 1, "counter 6 has wrapped" },
	{ "OVF_PC7", 7, 1, "counter 7 has wrapped" },
	{ "OVF_FC0", 32, 1, "the fixed counter has wrapped" },
	{ "OVF_PMI", 61, 1, "an overflow has raised an interrupt" },
	{ "CHG", 63, 1, "a bit of this register has changed since it was last cleared" })
FIELD_LIST(nehalem_overflow_ctrl_fields,
	{ "CLR_OVF_PC0", 0, 1, "writing 1 clears OVF_PC0" },
	{ "CLR_OVF_PC1", 1, 1, "writing 1 clears OVF_PC1" },
	{ "CLR_OVF_PC2", 2, 1, "writing 1 clears OVF_PC2" },
	{ "CLR_OVF_PC3", 3, 1, "writing 1 clears OVF_PC3" },
	{ "CLR_OVF_PC4", 4, 1, "writing 1 clears OVF_PC4" },
	{ "CLR_OVF_PC5", 5, 1, "writing 1 clears OVF_PC5" },
	{ "CLR_OVF_PC6", 6, 1, "writing 1 clears OVF_PC6" },
	{ "CLR_OVF_PC7", 7, 1, "writing 1 clears OVF_PC7" },
	{ "CLR_OVF_FC0", 32, 1, "writing 1 clears OVF_FC0" },
	{ "CLR_OVF_PMI", 61, 1, "writing 1 clears OVF_PMI" },
	{ "CLR_CHG", 63, 1, "writing 1 clears CHG" })
FIELD_LIST(nehalem_fixed_ctrl_fields,
	{ "EN", 0, 1, "count uncore clock ticks" },
	{ "PMI", 2, 1, "raise an interrupt when the counter wraps" })
FIELD_LIST(nehalem_match_fields,
	{ "ADDR", 3, 37, "physical address bits 39:3 to compare with" },
	{ "OPCODE", 40, 4, "QPI packet header opcode to compare with" },
	{ "CLASS", 44, 4, "QPI message class: 0 home request, 1 snoop response, 14 data response" },
	{ "MATCH_SEL", 61, 3, "0 off, 4 address, 2 opcode, 6 either, 1 both" })
FIELD_LIST(nehalem_selector_fields,
	{ "EVENT", 0, 8, "event select" },
	{ "UMASK", 8, 8, "unit mask" },
	{ "OCC_CTR_RST", 17, 1,
	  "clears the queue occupancy the event adds up, not the counter; reads as 0" },
	{ "EDGE", 18, 1, "count how often the condition begins instead of how long it lasts" },
	{ "PMI", 20, 1, "raise an interrupt when the counter wraps" },
	{ "EN", 22, 1, "count (the global enable bit has to be set too)" },
	{ "INV", 23, 1, "with CMASK: count clocks below the threshold" },
	{ "CMASK", 24, 8, "threshold: count clocks with at least this many occurrences; 0 is off" })
FIELD_LIST(nehalem_snoop_fields,
	{ "FROM_M_TO_S", 0, 1, "snoops that turned modified into shared" },
	{ "FROM_E_TO_S", 1, 1, "snoops that turned exclusive into shared" },
	{ "FROM_S_TO_S", 2, 1, "snoops that left shared unchanged" },
	{ "FROM_F_TO_S", 3, 1, "snoops that turned forward into shared" },
	{ "FROM_M_TO_I", 4, 1, "snoops that turned modified into invalid" },
	{ "FROM_E_TO_I", 5, 1, "snoops that turned exclusive into invalid" },
	{ "FROM_S_TO_I", 6, 1, "snoops that turned shared into invalid" },
	{ "FROM_F_TO_I", 7, 1, "snoops that turned forward into invalid" })

FIELD_LIST(ex_global_fields,
	{ "EN_U", 0, 1, "the U-box counter may run" },
	{ "PMI_CORE", 1, 4, "which cores get overflow interrupts" },
	{ "EN_ALL", 28, 1, "the counters of all boxes may run" },
	{ "RST_ALL", 29, 1, "resets all boxes" },
	{ "FRZ_ALL", 31, 1, "stops all boxes" })
FIELD_LIST(ex_global_status_fields,
	{ "OVF_U", 0, 1, "the U-box counter has wrapped" },
	{ "OVF_W", 1, 1, "a W-box counter has wrapped" },
	{ "OVF_S1", 2, 1, "a counter of S-box 1 has wrapped" },
	{ "OVF_S0", 3, 1, "a counter of S-box 0 has wrapped" },
	{ "PMI", 30, 1, "an overflow has raised an interrupt" },
	{ "CHG", 31, 1, "a bit of this register has changed since it was last cleared" })
FIELD_LIST(ex_enable4_fields, { "EN_CTR", 0, 4, "bit n: counter n may run" })
FIELD_LIST(ex_enable6_fields, { "EN_CTR", 0, 6, "bit n: counter n may run" })
FIELD_LIST(ex_enable8_fields, { "EN_CTR", 0, 8, "bit n: counter n may run" })
FIELD_LIST(ex_enable_w_fields,
	{ "EN_CTR", 0, 4, "bit n: counter n may run" },
	{ "EN_FIXED", 31, 1, "the fixed counter may run" })
FIELD_LIST(ex_wrapped4_fields, { "OVF", 0, 4, "bit n: counter n has wrapped" })
FIELD_LIST(ex_wrapped6_fields, { "OVF", 0, 6, "bit n: counter n has wrapped" })
FIELD_LIST(ex_wrapped8_fields, { "OVF", 0, 8, "bit n: counter n has wrapped" })
FIELD_LIST(ex_u_selector_fields, FIELD_EVENT, FIELD_EDGE, FIELD_OVF_EN(20), FIELD_EN(22))
/* Selectors of C-, S- and W-boxes. */
FIELD_LIST(ex_wide_selector_fields,
	FIELD_EVENT, FIELD_UMASK, FIELD_EDGE, FIELD_OVF_EN(20), FIELD_EN(22), FIELD_INVERT,
	FIELD_THRESH(8))
FIELD_LIST(ex_b_selector_fields, FIELD_EN(0), { "EVENT", 1, 5, "event select; each counter has events of its own" })
FIELD_LIST(ex_m_selector_fields,
	FIELD_EN(0), FIELD_OVF_EN(1),
	{ "COUNT_MODE", 2, 2, "0 count, 1 hold, 2 or 3 count up and down by other counters' flags" },
	{ "STORAGE_MODE", 4, 2, "see the Intel Xeon 7500 uncore guide" },
	{ "WRAP_MODE", 6, 1, "0 stop at the top, 1 wrap" },
	{ "FLAG_MODE", 7, 1, "0: INC_SEL chooses the event, 1: SET_FLAG_SEL does" },
	{ "INC_SEL", 9, 5, "event select of flag mode 0" },
	{ "SET_FLAG_SEL", 19, 3, "event select of flag mode 1" })
FIELD_LIST(ex_r_selector_fields,
	FIELD_EN(0), { "EVENT", 1, 5, "6 times the port of the box plus the kind of event" },
	FIELD_OVF_EN(6))
FIELD_LIST(ex_value16_fields, { "VALUE", 0, 16, "see the Intel Xeon 7500 uncore guide" })
FIELD_LIST(ex_value32_fields, { "VALUE", 0, 32, "see the Intel Xeon 7500 uncore guide" })
FIELD_LIST(ex_match64_fields, { "MATCH", 0, 64, "bits to compare with" })
FIELD_LIST(ex_mask64_fields, { "MASK", 0, 64, "1: compare this bit" })
FIELD_LIST(ex_match34_fields, { "MATCH", 0, 34, "address bits 39:6" })
/* The kernel's format has 28 bits, but its driver writes only 27. */
FIELD_LIST(ex_mask27_fields, { "MASK", 0, 27, "1: compare this bit" })
FIELD_LIST(ex_match_on_fields, { "EN", 63, 1, "compare" })
FIELD_LIST(ex_xbr_cfg_fields, { "CFG", 0, 32, "what is compared" })
FIELD_LIST(ex_w_fixed_fields, { "EN", 0, 1, "count uncore clock ticks" })

/* ---- AMD ---- */

FIELD_LIST(amd_zen_nb_fields,
	FIELD_EVENT, FIELD_UMASK, FIELD_EN(22),
	{ "EVENT_EXT", 32, 4, "more bits of the event select" },
	{ "INT_EN", 36, 1, "report an overflow (interrupt); left 0" },
	{ "INT_CORE", 37, 4, "the core that gets the interrupt" })
FIELD_LIST(amd_zen_l3_old_fields,
	FIELD_EVENT, FIELD_UMASK, FIELD_EN(22),
	{ "SLICE_MASK", 48, 4, "slices to count" }, { "THREAD_MASK", 56, 8, "threads to count" })
FIELD_LIST(amd_zen_l3_fields,
	FIELD_EVENT, FIELD_UMASK, FIELD_EN(22), { "CORE_ID", 42, 3, "core to count" },
	{ "ALL_SLICES", 46, 1, "any slice" }, { "ALL_CORES", 47, 1, "any core" },
	{ "SLICE_ID", 48, 3, "slice to count" },
	{ "THREAD_MASK", 56, 2, "threads of a core to count" })
FIELD_LIST(amd_zen_df_old_fields,
	FIELD_EVENT, FIELD_UMASK, FIELD_EN(22),
	{ "EVENT_11_8", 32, 4, "more bits of the event select" },
	{ "EVENT_13_12", 59, 2, "more bits of the event select" })
FIELD_LIST(amd_zen_df_fields,
	FIELD_EVENT, FIELD_UMASK, FIELD_EN(22),
	{ "UMASK_EXT", 24, 4, "more bits of the unit mask" },
	{ "EVENT_EXT", 32, 6, "more bits of the event select" })
FIELD_LIST(amd_zen_umc_fields, FIELD_EVENT, { "RDWR_MASK", 8, 2, "1 reads, 2 writes, 0 or 3 both" }, FIELD_EN(31))
FIELD_LIST(amd_zen_umc_count_fields,
	{ "COUNT", 0, 48, "count; stops at its maximum" },
	{ "LOST", 48, 1, "the counter was at its maximum: events were lost" })

/* ---- core PMU ---- */

/* Largest numbers of counters: Arrow Lake and later report ten general ones in leaf 0x23 (bitmap 0x3ff). */
#define CORE_GENERAL 10
#define CORE_FIXED 4

FIELD_LIST(core_selector_fields,
	{ "EVENT", 0, 8, "event select" },
	{ "UMASK", 8, 8, "unit mask" },
	{ "USR", 16, 1, "count in user mode (privilege levels 1 to 3)" },
	{ "OS", 17, 1, "count in kernel mode (privilege level 0)" },
	{ "EDGE", 18, 1, "count how often the condition begins instead of how long it lasts" },
	{ "PC", 19, 1, "pin control; not used on current parts" },
	{ "INT", 20, 1, "raise an interrupt when the counter wraps" },
	{ "ANY", 21, 1, "count both threads of the core; from version 3 on, removed on newer parts" },
	{ "EN", 22, 1, "count (the global enable bit has to be set too)" },
	{ "INV", 23, 1, "with CMASK: count clocks below the threshold" },
	{ "CMASK", 24, 8, "threshold: count clocks with at least this many occurrences; 0 is off" },
	{ "IN_TX", 32, 1, "count in transactions only; parts with TSX" },
	{ "IN_TXCP", 33, 1, "do not count what an aborted transaction did; parts with TSX" })
FIELD_LIST(core_fixed_ctrl_fields,
	{ "OS0", 0, 1, "fixed counter 0 (instructions) counts in kernel mode" },
	{ "USR0", 1, 1, "fixed counter 0 counts in user mode" },
	{ "ANY0", 2, 1, "fixed counter 0 counts both threads of the core" },
	{ "PMI0", 3, 1, "fixed counter 0 raises an interrupt when it wraps" },
	{ "OS1", 4, 1, "fixed counter 1 (core cycles) counts in kernel mode" },
	{ "USR1", 5, 1, "fixed counter 1 counts in user mode" },
	{ "ANY1", 6, 1, "fixed counter 1 counts both threads of the core" },
	{ "PMI1", 7, 1, "fixed counter 1 raises an interrupt when it wraps" },
	{ "OS2", 8, 1, "fixed counter 2 (reference cycles) counts in kernel mode" },
	{ "USR2", 9, 1, "fixed counter 2 counts in user mode" },
	{ "ANY2", 10, 1, "fixed counter 2 counts both threads of the core" },
	{ "PMI2", 11, 1, "fixed counter 2 raises an interrupt when it wraps" },
	{ "OS3", 12, 1, "fixed counter 3 (slots) counts in kernel mode; version 5" },
	{ "USR3", 13, 1, "fixed counter 3 counts in user mode; version 5" },
	{ "PMI3", 15, 1, "fixed counter 3 raises an interrupt when it wraps; version 5" })
FIELD_LIST(core_global_status_fields,
	{ "OVF_PC", 0, CORE_GENERAL, "bit n: general counter n has wrapped" },
	{ "OVF_FIXED", 32, CORE_FIXED, "bit n: fixed counter n has wrapped" },
	{ "OVF_METRICS", 48, 1, "the top-down metrics have overflowed" },
	{ "TRACE_TOPA", 55, 1, "a trace buffer is full" },
	{ "LBR_FRZ", 58, 1, "last-branch records are frozen" },
	{ "CTR_FRZ", 59, 1, "the counters are frozen" },
	{ "ASCI", 60, 1, "the counts include those of an enclave" },
	{ "OVF_UNCORE", 61, 1, "an uncore counter has wrapped" },
	{ "OVF_BUF", 62, 1, "the debug store buffer is full" },
	{ "COND_CHGD", 63, 1, "a bit of this register has changed since it was last cleared" })
FIELD_LIST(core_in_use_fields,
	{ "PERFEVTSEL", 0, CORE_GENERAL, "bit n: the event select of general counter n is not 0" },
	{ "FIXED", 32, CORE_FIXED, "bit n: fixed counter n counts in some mode" },
	{ "PMI", 63, 1, "some counter raises an interrupt when it wraps" })
FIELD_LIST(core_global_ctrl_fields,
	{ "EN_PC", 0, CORE_GENERAL, "bit n: general counter n may run (its selector's EN has to be set too)" },
	{ "EN_FIXED", 32, CORE_FIXED, "bit n: fixed counter n may run" },
	{ "EN_METRICS", 48, 1, "the top-down metrics may run" })
FIELD_LIST(core_capability_fields,
	{ "LBR_FMT", 0, 6, "format of last-branch records" },
	{ "PEBS_TRAP", 6, 1, "a precise sample is taken after the instruction" },
	{ "PEBS_ARCH_REG", 7, 1, "a precise sample holds the registers" },
	{ "PEBS_FMT", 8, 4, "format of a precise sample" },
	{ "SMM_FREEZE", 12, 1, "counters can be stopped in system management mode" },
	{ "FW_WRITE", 13, 1, "counters can be written in full width at 0x4c1 and up" },
	{ "PEBS_BASELINE", 14, 1, "precise samples have the extended form" },
	{ "PERF_METRICS", 15, 1, "register 0x329 (top-down metrics) exists" },
	{ "PEBS_TO_PT", 16, 1, "precise samples can go to the processor trace" })

/* ---- throttling and its reasons ---- */

#define STATUS_FIELDS \
	{ "THERMAL", 0, 1, "the processor's own sensor has tripped: it slows itself down now" }, \
	{ "THERMAL_LOG", 1, 1, "THERMAL has been 1; writing 0 clears the log" }, \
	{ "PROCHOT", 2, 1, "PROCHOT# or FORCEPR# is driven from outside now" }, \
	{ "PROCHOT_LOG", 3, 1, "PROCHOT has been 1; writing 0 clears the log" }, \
	{ "CRITICAL", 4, 1, "critical temperature now" }, \
	{ "CRITICAL_LOG", 5, 1, "CRITICAL has been 1; writing 0 clears the log" }, \
	{ "THRESHOLD1", 6, 1, "above the kernel's first threshold now" }, \
	{ "THRESHOLD1_LOG", 7, 1, "the threshold was crossed; writing 0 clears it" }, \
	{ "THRESHOLD2", 8, 1, "above the kernel's second threshold now" }, \
	{ "THRESHOLD2_LOG", 9, 1, "the threshold was crossed; writing 0 clears it" }, \
	{ "POWER_LIMIT", 10, 1, "held back by a power limit now" }, \
	{ "POWER_LIMIT_LOG", 11, 1, "POWER_LIMIT has been 1; writing 0 clears the log" }, \
	{ "READOUT", 16, 7, "degrees C below the target temperature" }, \
	{ "RESOLUTION", 27, 4, "resolution of the readout, in degrees C" }, \
	{ "VALID", 31, 1, "the readout is valid" }
FIELD_LIST(thermal_core_status_fields,
	STATUS_FIELDS,
	{ "CURRENT_LIMIT", 12, 1, "held back by a current limit now" },
	{ "CURRENT_LIMIT_LOG", 13, 1, "CURRENT_LIMIT has been 1; writing 0 clears the log" },
	{ "CROSS_DOMAIN", 14, 1, "held back for another part of the chip now" },
	{ "CROSS_DOMAIN_LOG", 15, 1, "CROSS_DOMAIN has been 1; writing 0 clears the log" })
FIELD_LIST(thermal_package_status_fields,
	STATUS_FIELDS,
	{ "FEEDBACK", 26, 1, "the hardware feedback table was updated; writing 0 clears it" })

/* Limit reasons: status in bits 15:0, log in bits 31:16. */
#define REASON(name, n, text) \
	{ name, n, 1, text " now" }, { name "_LOG", (n) + 16, 1, text "; writing 0 clears it" }
#define COMMON_REASONS \
	REASON("PROCHOT", 0, "PROCHOT# driven from outside"), \
	REASON("THERMAL", 1, "too hot"), \
	REASON("VR_THERMAL", 6, "the voltage regulator is too hot")
#define TURBO_REASONS \
	REASON("PL1", 10, "package power limit 1"), REASON("PL2", 11, "package power limit 2"), \
	REASON("MAX_TURBO", 12, "turbo limit for this number of cores"), \
	REASON("ATTENUATION", 13, "turbo transition attenuation")
#define SKYLAKE_REASONS \
	COMMON_REASONS, \
	REASON("RATL", 5, "running average of the temperature"), \
	REASON("VR_CURRENT", 7, "current limit of the voltage regulator"), \
	REASON("OTHER", 8, "another limit, such as an electrical one"), \
	REASON("PL1", 10, "package power limit 1"), REASON("PL2", 11, "package power limit 2")
FIELD_LIST(thermal_client_fields,
	COMMON_REASONS, TURBO_REASONS,
	REASON("GRAPHICS_DRIVER", 4, "requested by the graphics driver"),
	REASON("AUTONOMOUS", 5, "chosen by the hardware because of utilization"),
	REASON("EDP", 8, "electrical design point (current)"),
	REASON("CORE_POWER", 9, "power limit of the cores"))
/* On servers bits 2, 3, 10 and 13 to 15 have other meanings than on clients. */
FIELD_LIST(thermal_server_fields,
	COMMON_REASONS,
	REASON("POWER_BUDGET", 2, "power budget of the package"),
	REASON("PLATFORM", 3, "platform configuration services (management controller)"),
	REASON("AUTONOMOUS", 5, "chosen by the hardware because of utilization"),
	REASON("EDP", 8, "electrical design point (current)"),
	REASON("MULTICORE_TURBO", 10, "turbo limit for several cores"),
	REASON("P1", 13, "below the guaranteed frequency"),
	REASON("NCORE_TURBO", 14, "turbo limit for this number of cores"),
	REASON("FREQUENCY", 15, "the frequency is limited below the request"))
FIELD_LIST(thermal_skylake_fields,
	SKYLAKE_REASONS,
	REASON("RESIDENCY", 4, "residency state regulation"),
	REASON("MAX_TURBO", 12, "turbo limit for this number of cores"),
	REASON("ATTENUATION", 13, "turbo transition attenuation"),
	REASON("TVB", 14, "thermal velocity boost"))
/* Limit reasons of ring and graphics. The ring has fewer reasons than the graphics unit; the names are the same. */
FIELD_LIST(thermal_haswell_graphics_fields,
	COMMON_REASONS,
	REASON("GRAPHICS", 4, "requested by the graphics driver"),
	REASON("CURRENT", 8, "current"),
	REASON("GRAPHICS_POWER", 9, "power limit of the graphics"),
	REASON("PL1", 10, "package power limit 1"), REASON("PL2", 11, "package power limit 2"))
FIELD_LIST(thermal_skylake_graphics_fields, SKYLAKE_REASONS, REASON("INEFFICIENT", 12, "inefficient graphics"))
FIELD_LIST(thermal_clock_modulation_fields,
	{ "DUTY", 0, 4, "share of the time that the clock runs: bits 3:1 in 1/8, or 3:0 in 1/16" },
	{ "ON", 4, 1, "the clock is modulated" })
FIELD_LIST(thermal_target_fields,
	{ "WINDOW", 0, 7, "averaging window; newer clients" },
	{ "FAN_OFFSET", 8, 8, "fan target, degrees below the target" },
	{ "TARGET", 16, 8, "temperature in degrees C at which the processor's own sensor trips" },
	{ "OFFSET", 24, 6, "degrees by which the target was lowered; 4 bits on servers" })
FIELD_LIST(thermal_power_ctl_fields, { "BD_PROCHOT", 0, 1, "PROCHOT# driven from outside slows the processor" })
FIELD_LIST(thermal_units_fields,
	{ "POWER", 0, 4, "unit of power: 1/2^n W" },
	{ "ENERGY", 8, 5, "unit of energy: 1/2^n J" },
	{ "TIME", 16, 4, "unit of time: 1/2^n s" })
FIELD_LIST(thermal_package_limit_fields,
	{ "PL1", 0, 15, "power limit 1, in the unit POWER of 0x606" }, { "PL1_ON", 15, 1, "power limit 1 is in force" },
	{ "PL2", 32, 15, "power limit 2, in the same unit" }, { "PL2_ON", 47, 1, "power limit 2 is in force" },
	{ "LOCK", 63, 1, "the limits cannot be changed until the next reset" })
FIELD_LIST(thermal_perf_fields, { "TIME", 0, 32, "time spent below the wanted frequency because of power" })
FIELD_LIST(thermal_energy_fields, { "ENERGY", 0, 32, "energy used since reset, in the unit ENERGY of 0x606; wraps" })
/* Source of the fixed unit: Linux arch/x86/events/rapl.c (RAPL_UNIT_QUIRK_INTEL_HSW). */
FIELD_LIST(thermal_dram_energy_fields,
	{ "ENERGY", 0, 32, "energy used since reset; wraps; unit: 1/2^16 J on servers from Haswell to Ice Lake, "
			   "else ENERGY of 0x606" })
FIELD_LIST(thermal_power_info_fields,
	{ "TDP", 0, 15, "thermal design power, in the unit POWER of 0x606" },
	{ "MINIMUM", 16, 15, "lowest power limit" }, { "MAXIMUM", 32, 15, "highest power limit" },
	{ "WINDOW", 48, 6, "longest time of a limit" })
FIELD_LIST(thermal_amd_selector_fields,
	{ "EVENT", 0, 8, "event select, lower bits" }, { "UMASK", 8, 8, "unit mask" },
	{ "USR", 16, 1, "count in user mode" }, { "OS", 17, 1, "count in kernel mode" },
	{ "EDGE", 18, 1, "count how often the condition begins instead of how long it lasts" },
	{ "INT", 20, 1, "raise an interrupt when the counter wraps" },
	{ "EN", 22, 1, "count" }, { "INV", 23, 1, "with CMASK: count clocks below the threshold" },
	{ "CMASK", 24, 8, "threshold: count clocks with at least this many occurrences; 0 is off" },
	{ "EVENT_EXT", 32, 4, "event select, upper bits" },
	{ "GUEST", 40, 1, "count in guests only" }, { "HOST", 41, 1, "count in the host only" })
FIELD_LIST(thermal_pm_enable_fields,
	{ "HWP_ENABLE", 0, 1, "hardware chooses the frequency; off again only by a reset" })
FIELD_LIST(thermal_hwp_capabilities_fields,
	{ "HIGHEST", 0, 8, "highest level" }, { "GUARANTEED", 8, 8, "guaranteed level" },
	{ "EFFICIENT", 16, 8, "most efficient level" }, { "LOWEST", 24, 8, "lowest level" })
FIELD_LIST(thermal_hwp_status_fields,
	{ "GUARANTEED_CHANGED", 0, 1, "the guaranteed level has changed" },
	{ "EXCURSION", 2, 1, "performance went below the requested minimum; not an error" },
	{ "HIGHEST_CHANGED", 3, 1, "the highest level has changed" })
FIELD_LIST(thermal_perf_status_fields,
	{ "RATIO_NEHALEM", 0, 8, "clock ratio on Nehalem and Westmere" },
	{ "RATIO", 8, 8, "clock ratio from Sandy Bridge on" })
FIELD_LIST(thermal_pstate_limit_fields,
	{ "LIMIT", 0, 4, "fastest P-state allowed now; 0 is no limit" },
	{ "MAX", 4, 4, "number of the slowest P-state" })
FIELD_LIST(thermal_pstate_command_fields, { "PSTATE", 0, 3, "number of the requested P-state" })
#define PSTATE_VALID { "VALID", 63, 1, "this P-state exists" }
FIELD_LIST(thermal_pstate_old_fields,
	{ "FID", 0, 6, "clock: 100 MHz x (FID + 16, on family 11h + 8) / 2^DID" },
	{ "DID", 6, 3, "divisor of the clock, as a power of 2" }, PSTATE_VALID)
FIELD_LIST(thermal_pstate_zen_fields,
	{ "FID", 0, 8, "clock: 200 MHz x FID / DID" },
	{ "DID", 8, 6, "divisor of the clock" }, PSTATE_VALID)
FIELD_LIST(thermal_pstate_zen5_fields, { "FID", 0, 12, "clock: 5 MHz x FID" }, PSTATE_VALID)
FIELD_LIST(thermal_pstate_other_fields, PSTATE_VALID)
FIELD_LIST(thermal_cppc_fields, { "ENABLE", 0, 1, "hardware chooses the clock itself, within the requested range" })
FIELD_LIST(thermal_platform_info_fields, { "RATIO", 8, 8, "ratio of the base frequency" })
