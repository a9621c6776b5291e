/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Sandy Bridge-EP and EN (family 6 model 2D): C-boxes at D00, U box and power control unit at C00.
 *
 * There is no global control: one program uses 391 as such, but no document describes it. FRZ of the box control works
 * only with FRZ_EN, and bit 17 has to be 0 (E5-2600 guide).
 *
 * Widths: C-box counters have 44 bits in the guide, Linux and LIKWID, 48 in PCM. The U clock has 44 bits in the guide
 * and 48 in Linux: differences of 44 bits are right in both cases; we restore 48 bits.
 */
#define SCOPE UM_SCOPE_PACKAGE
#define SOURCE "Intel Xeon E5-2600 uncore guide (327043); Linux uncore_snbep.c (snbep)"

#include "uarch/snbep.h"

/* Sandy Bridge-EP has no overflow enable bit yet. */
#define BITS_INV(thresh) (PMON_BITS(thresh) | PMON_INVERT)
#define CBO_BITS (BITS_INV(8) | PMON_TID_EN)
#define PCU_BITS ((BITS_INV(5) & ~BITS(8, 15)) | PMON_PCU_OCC | BIT(21))

#define TID BITS(0, 4)
#define NID BITS(10, 17)
#define STATE BITS(18, 22)
#define OPC BITS(23, 31)

#define FILTER \
	PMON_REG(0xd14, 1, "C%b_MSR_PMON_BOX_FILTER", CBO_FILTER_TEXT, \
		 snbep_filter_fields, TID | NID | STATE | OPC, TID | NID | STATE | OPC, 0)

/* Unit masks of events 34 to 36 for which Linux writes a filter; with all others it drops the filter. */
#define CBO_STATES 0x03, 0x05, 0x09, 0x41, 0x43, 0x45, 0x49
#define NID_34 0x41, 0x43, 0x45, 0x49
#define TOR_35_36_OPC 0x01, 0x03, 0x41, 0x43
#define NID_35 0x41, 0x43, 0x44, 0x48, 0x4a, 0x50
#define NID_36 0x41, 0x43, 0x44, 0x48, 0x4a

static const struct um_extra cbo_extras[] = {
	EXTRA(FILTER_TID, TID, PMON_TID_EN, PMON_TID_EN, FILTER),
	EXTRA(FILTER_STATE, STATE, 0xff, 0x34, FILTER),
	EXTRA(FILTER_NID, NID, 0x40ff, 0x4034, FILTER),
	EXTRA(FILTER_OPC, OPC, 0x01ff, 0x0135, FILTER),
	EXTRA(FILTER_NID, NID, 0x40ff, 0x4035, FILTER),
	EXTRA(FILTER_OPC, OPC, 0x01ff, 0x0136, FILTER),
	EXTRA(FILTER_NID, NID, 0x40ff, 0x4036, FILTER),
	EXTRA(FILTER_NID, NID, 0x40ff, 0x4037, FILTER),
};

#define CBO_FROM "snbep_uncore_cbox_extra_regs"
static const struct um_linux_rule cbo_rules[] = {
	DROPS_BUT(CBO_STATES, FILTER_STATE, STATE, 0xff, 0x34, CBO_FROM),
	DROPS_BUT(NID_34, FILTER_NID, NID, 0x40ff, 0x4034, CBO_FROM),
	DROPS_BUT(TOR_35_36_OPC, FILTER_OPC, OPC, 0x01ff, 0x0135, CBO_FROM),
	DROPS_BUT(NID_35, FILTER_NID, NID, 0x40ff, 0x4035, CBO_FROM),
	DROPS_BUT(TOR_35_36_OPC, FILTER_OPC, OPC, 0x01ff, 0x0136, CBO_FROM),
	DROPS_BUT(NID_36, FILTER_NID, NID, 0x40ff, 0x4036, CBO_FROM),
};

static const struct um_term cbo_terms[] = {
	TERMS_PMON(8), TERM_TID_EN(19), TERM_FILTER_TID(5, PMON_TID_EN),
	TERM_EXTRA(FILTER_NID, "filter_nid", "nodes to count, a set of bits", 10, 8),
	TERM_EXTRA(FILTER_STATE, "filter_state", "line states that event 0x34 counts", 18, 5),
	TERM_EXTRA(FILTER_OPC, "filter_opc", "opcode that events 0x35 and 0x36 count", 23, 9),
};

static const struct um_default cbo_defaults[] = { DEFAULT_STATE(STATE) };

static const struct um_constraint cbo_constraints[] = { CBO_CONSTRAINTS };

/* Sources of the ninth event bit: libpfm4 and intel/perfmon (core transitions, 0x103 to 0x10a). */
static const struct um_term pcu_terms[] = {
	TERM_IN("event", "event select", LOW(8) | BIT(21)), TERM_OCC_SEL, TERM_EDGE, TERM_INV,
	TERM_THRESH("thresh", 5),
	TERMS_PCU_OCC("occ_edge"), TERMS_BANDS,
};

static const struct um_pmu pmus[] = {
	CBO(8, snbep_cbo_fields), UBOX(snbep_ubox_fields, BITS_INV(5), um_pmon5_terms), PCU(snbep_pcu_fields),
	RING_PCI_BOXES,
};

static const struct um_reg regs[] = { CORE_RESIDENCY_REGS };

const struct um_uarch um_uarch_sandybridge_ep = {
	.name = "sandybridge-ep", .title = "Sandy Bridge-EP", .scope = SCOPE,
	LIST(regs, regs), LIST(pmus, pmus),
};
