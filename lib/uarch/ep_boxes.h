/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Boxes that several of the servers from Sandy Bridge-EP to Ice Lake-SP share: the C-box filters,
 * and the boxes at 700 and up of Haswell-EP and later. See pmon.h.
 */
#ifndef UM_UARCH_EP_BOXES_H
#define UM_UARCH_EP_BOXES_H

#include "uarch/pmon.h"

#define RING_PCI_BOXES \
	OUT_OF_REACH("ha", "home agent", UM_REACH_PCI, "uncore_ha"), \
	OUT_OF_REACH("imc", "memory controller channels", UM_REACH_PCI, "uncore_imc"), \
	OUT_OF_REACH("qpi", "QPI links", UM_REACH_PCI, "uncore_qpi"), \
	OUT_OF_REACH("r2pcie", "ring to PCIe", UM_REACH_PCI, "uncore_r2pcie"), \
	OUT_OF_REACH("r3qpi", "ring to QPI", UM_REACH_PCI, "uncore_r3qpi")

#define CBO_FILTER_TEXT "what some events of the box count"
/*
 * The second C-box filter, with nodes and opcodes; from Ivy Bridge-EP on. First the unit masks of events 35 and 36 for
 * which Linux writes this filter (ivbep_, hswep_uncore_cbox_extra_regs).
 */
#define TOR_OPC 0x01, 0x03, 0x21, 0x23, 0x41, 0x43, 0x81, 0x83
#define TOR_NID 0x41, 0x43, 0x44, 0x48, 0x4a, 0x50
#define CBO_NID LOW(16)
#define CBO_OPC BITS(20, 31) /* the opcode, and above it C6, NC and ISOC, which belong to it */
#define TERMS_CBO_FILTER1 \
	TERM_EXTRA(FILTER_NID, "filter_nid", "nodes to count, a set of bits", 0, 16), \
	TERM_EXTRA(FILTER_OPC, "filter_opc", "opcode that events 0x35 and 0x36 count", 20, 9), \
	TERM_EXTRA(FILTER_OPC, "filter_c6", "1: only requests of a core in C6", 29, 1), \
	TERM_EXTRA(FILTER_OPC, "filter_nc", "1: only non-coherent requests", 30, 1), \
	TERM_EXTRA(FILTER_OPC, "filter_isoc", "1: only isochronous requests", 31, 1)
#define CBO_TOR_EXTRAS(...) \
	EXTRA_2(FILTER_OPC, CBO_OPC, 0x01ff, 0x0135, __VA_ARGS__), \
	EXTRA_2(FILTER_NID, CBO_NID, 0x40ff, 0x4035, __VA_ARGS__), \
	EXTRA_2(FILTER_OPC, CBO_OPC, 0x01ff, 0x0136, __VA_ARGS__), \
	EXTRA_2(FILTER_NID, CBO_NID, 0x40ff, 0x4036, __VA_ARGS__)
#define CBO_TOR_RULES(from) \
	DROPS_BUT(TOR_OPC, FILTER_OPC, CBO_OPC, 0x01ff, 0x0135, from), \
	DROPS_BUT(TOR_NID, FILTER_NID, CBO_NID, 0x40ff, 0x4035, from), \
	DROPS_BUT(TOR_OPC, FILTER_OPC, CBO_OPC, 0x01ff, 0x0136, from), \
	DROPS_BUT(TOR_NID, FILTER_NID, CBO_NID, 0x40ff, 0x4036, from)
#define DEFAULT_STATE(states) { .word = UM_EXTRA_WORD(FILTER_STATE), \
	.mask = states, .value = states, .why = "no state given: every state" }

/* Haswell-EP and Broadwell-EP: C-boxes at E00, the others at 700. */
#define CBO_700_TID BITS(0, 5)
#define CBO_700_LINK BITS(6, 9)
#define CBO_700_STATE BITS(17, 23)
#define CBO_700_FILTER0 \
	PMON_REG(0xe05, 1, "C%b_MSR_PMON_BOX_FILTER0", CBO_FILTER_TEXT, \
		 um_cbo_700_filter0_fields, CBO_700_TID | CBO_700_LINK | CBO_700_STATE, \
		 CBO_700_TID | CBO_700_LINK | CBO_700_STATE, 0)
#define CBO_700_FILTER1 \
	PMON_REG(0xe06, 1, "C%b_MSR_PMON_BOX_FILTER1", CBO_FILTER_TEXT, \
		 um_cbo_filter1_fields, CBO_NID | CBO_OPC, CBO_NID | CBO_OPC, 0)
#define CBO_700_STATES 0x03, 0x05, 0x09, 0x11, 0x21, 0x41
#define CBO_700_NODE(code) EXTRA_2(FILTER_NID, CBO_NID, 0x40ff, 0x4000 | (code), CBO_700_FILTER1)
#define CBO_700_EXTRAS \
	EXTRA(FILTER_TID, CBO_700_TID, PMON_TID_EN, PMON_TID_EN, CBO_700_FILTER0), \
	EXTRA(FILTER_STATE, CBO_700_STATE, 0xff, 0x34, CBO_700_FILTER0), \
	EXTRA(FILTER_LINK, CBO_700_LINK, 0x10ff, 0x1031, CBO_700_FILTER0), \
	EXTRA(FILTER_LINK, CBO_700_LINK, 0xffff, 0x0135, CBO_700_FILTER0), \
	CBO_TOR_EXTRAS(CBO_700_FILTER1), CBO_700_NODE(0x28), CBO_700_NODE(0x29), \
	CBO_700_NODE(0x2a), CBO_700_NODE(0x32), CBO_700_NODE(0x33), CBO_700_NODE(0x37), \
	EXTRA_2(FILTER_NID, CBO_NID, 0x40ff, 0x4034, CBO_700_FILTER1)
#define CBO_700_FROM "hswep_uncore_cbox_extra_regs"
#define CBO_700_RULES \
	DROPS_BUT(CBO_700_STATES, FILTER_STATE, CBO_700_STATE, 0xff, 0x34, CBO_700_FROM), \
	DROPS(FILTER_LINK, CBO_700_LINK, 0x10ff, 0x1031, CBO_700_FROM), \
	CBO_TOR_RULES(CBO_700_FROM), DROPS(FILTER_NID, CBO_NID, 0x40ff, 0x4034, CBO_700_FROM), \
	VERBATIM(FILTER_LINK, CBO_700_LINK, "hswep_uncore_cbox_formats_attr")
#define CBO_700_TERMS \
	TERMS_PMON(8), TERM_TID_EN(19), TERM_FILTER_TID(6, PMON_TID_EN), \
	TERM_EXTRA(FILTER_LINK, "filter_link", "links whose responses are counted", 6, 4), \
	TERM_EXTRA(FILTER_STATE, "filter_state", "line states that event 0x34 counts", 17, 7), \
	TERMS_CBO_FILTER1
#define CBO_700_REGISTERS \
	PMON_SELECTOR(0xe01, 4, "C%b", um_pmon8_tid_fields, PMON_BITS_INV(8) | PMON_TID_EN), \
	PMON_COUNTERS(0xe08, 4, "C%b", 48), PMON_BOX(0xe00, "C%b")

/* The SBOX's control must be written bit by bit: setting several new bits at once can fault. */
#define SBOX_SELECTOR PMON_SELECTOR(0x721, 4, "S%b", um_pmon8_tid_fields, \
				    PMON_BITS_INV(8) | PMON_TID_EN)
#define SBOX_GATE BOX_GATE(0x720, "S%b", um_pmon_box_fields, BOX_FRZ_EN, true)

#define UBOX_700_EXTRAS { \
	.reg = PMON_REG(0x707, 1, "U_MSR_PMON_BOX_FILTER", "core and thread whose events the box counts", \
			um_ubox_filter_fields, LOW(6), LOW(6), 0), \
	.word = UM_EXTRA_WORD(0), .config1 = 1, .only_if_set = true }
#define UBOX_700_TERMS \
	TERMS_PMON(5), TERM_EXTRA(0, "filter_tid", "thread of the core", 0, 1), \
	TERM_EXTRA(0, "filter_cid", "core", 1, 5)
/* Linux's format file wrongly gives filter_cid as config1:5; the driver passes bits 1 to 5 on. */
#define UBOX_700_RULES VERBATIM(0, BITS(1, 5), "hswep_uncore_ubox_formats_attr")
#define UBOX_700_SELECTOR \
	PMON_SELECTOR(0x705, 2, "U", um_pmon5_fields, PMON_BITS_INV(5))

#define PCU_700_REGISTERS \
	PCU_SELECTOR(0x711, um_pmon_pcu_fields, PMON_PCU_BITS), \
	PMON_COUNTERS(0x717, 4, "PCU", 48), PMON_BOX(0x710, "PCU")
#define PCU_700_TERMS \
	TERM_EVENT, TERM_OCC_SEL, TERM_EDGE, TERM_INV, TERM_THRESH("thresh", 5), \
	TERMS_PCU_OCC("occ_edge"), TERMS_BANDS
/*
 * The power control unit of Skylake-SP and Ice Lake-SP. Intel's event lists and the kernel's format call bits 15:8 a
 * unit mask, but use only its upper two bits (occ_sel); the kernel masks the others off. No known program
 * sets them, so we do not either.
 */
#define PCU_SKX_REGISTERS \
	PMON_SELECTOR(0x711, 4, "PCU", um_pmon_pcu_fields, PMON_PCU_BITS), \
	PMON_COUNTERS(0x717, 4, "PCU", 48), PMON_BOX(0x710, "PCU")
#define PCU_SKX_TERMS \
	TERM_EVENT, TERM("umask", "count cores in: 0x40 C0, 0x80 C3, 0xc0 C6", 8, 8), TERM_EDGE, \
	TERM_INV, TERM_THRESH("thresh", 5), TERMS_PCU_OCC("occ_edge_det"), TERMS_BANDS

#endif
