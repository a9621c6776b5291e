/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Boxes that several of the servers from Sandy Bridge-EP to Ice Lake-SP share: the C-box filters,
 * and the boxes at 700 and up that Haswell-EP and later have. See pmon.h.
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
 * The second C-box filter, for nodes and opcodes (Ivy Bridge-EP and later). TOR_OPC and TOR_NID are the unit masks of
 * events 35 and 36 for which Linux writes this filter (ivbep_, hswep_uncore_cbox_extra_regs).
 */
#define TOR_OPC 0x01, 0x03, 0x21, 0x23, 0x41, 0x43, 0x81, 0x83
#define TOR_NID 0x41, 0x43, 0x44, 0x48, 0x4a, 0x50
#define CBO_NID LOW(16)
#define CBO_OPC BITS(20, 31) /* the opcode and, above it, its attributes C6, NC and ISOC */
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

#define UBOX_700_SELECTOR \
	PMON_SELECTOR(0x705, 2, "U", um_pmon5_fields, PMON_BITS_INV(5))

#endif
