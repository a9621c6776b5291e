/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Ivy Bridge-EP, EN and EX (family 6 model 3E): the boxes of Sandy Bridge-EP, up to 15 C-boxes with
 * a second filter register, selectors without the invert bit, and a global control at C00.
 *
 * C00 has other bits than on Nehalem-EX: bit 29 starts all boxes here, and resets them there.
 */
#define SCOPE UM_SCOPE_PACKAGE
#define SOURCE "Intel Xeon E5 v2, E7 v2 uncore guide (329468); Linux uncore_snbep.c (ivbep)"
#define GLOBAL_SOURCE SOURCE

#include "uarch/snbep.h"

#define BITS_OVF(thresh) (PMON_BITS(thresh) | PMON_OVF_EN)
#define CBO_BITS (BITS_OVF(8) | PMON_TID_EN)
#define PCU_BITS ((BITS_OVF(5) & ~BITS(8, 15)) | PMON_PCU_OCC | BIT(21))

#define TID BITS(0, 4)
#define LINK BITS(5, 8)
#define STATE BITS(17, 22)

#define FILTER0 \
	PMON_REG(0xd14, 1, "C%b_MSR_PMON_BOX_FILTER", CBO_FILTER_TEXT, ivbep_filter0_fields, \
		 TID | LINK | STATE, TID | LINK | STATE, 0)
#define FILTER1 \
	PMON_REG(0xd1a, 1, "C%b_MSR_PMON_BOX_FILTER1", CBO_FILTER_TEXT, um_cbo_filter1_fields, \
		 CBO_NID | CBO_OPC, CBO_NID | CBO_OPC, 0)

/* Unit masks of event 34 for which Linux writes the filters STATE and NID; with all others it drops the filter. */
#define CBO_STATES 0x03, 0x05, 0x09, 0x11, 0x41, 0x43, 0x45, 0x49, 0x51
#define NID_34 0x41, 0x43, 0x45, 0x49, 0x51

static const struct um_extra cbo_extras[] = {
	EXTRA(FILTER_TID, TID, PMON_TID_EN, PMON_TID_EN, FILTER0),
	EXTRA(FILTER_LINK, LINK, 0x10ff, 0x1031, FILTER0),
	EXTRA(FILTER_STATE, STATE, 0xff, 0x34, FILTER0),
	EXTRA_2(FILTER_NID, CBO_NID, 0x40ff, 0x4034, FILTER1),
	CBO_TOR_EXTRAS(FILTER1),
	EXTRA_2(FILTER_NID, CBO_NID, 0x40ff, 0x4037, FILTER1),
};

#define CBO_FROM "ivbep_uncore_cbox_extra_regs"
static const struct um_linux_rule cbo_rules[] = {
	DROPS_BUT(CBO_STATES, FILTER_STATE, STATE, 0xff, 0x34, CBO_FROM),
	DROPS_BUT(NID_34, FILTER_NID, CBO_NID, 0x40ff, 0x4034, CBO_FROM), CBO_TOR_RULES(CBO_FROM),
};

static const struct um_term cbo_terms[] = {
	TERM_EVENT, TERM_UMASK, TERM_EDGE, TERM_THRESH("thresh", 8), TERM_TID_EN(19),
	TERM_FILTER_TID(5, PMON_TID_EN),
	TERM_EXTRA(FILTER_LINK, "filter_link", "links whose responses event 0x31 counts", 5, 4),
	TERM_EXTRA(FILTER_STATE, "filter_state", "line states that event 0x34 counts", 17, 6),
	TERMS_CBO_FILTER1,
};

static const struct um_default cbo_defaults[] = { DEFAULT_STATE(STATE) };

static const struct um_constraint cbo_constraints[] = { CBO_CONSTRAINTS, ONLY(0x3c, COUNTERS_0_1) };

static const struct um_term ubox_terms[] = {
	TERM_EVENT, TERM_UMASK, TERM_EDGE, TERM_THRESH("thresh", 5),
};

/* Source of the ninth event bit: libpfm4 (core transitions 0x17 to 0x20). The kernel does not accept it. */
static const struct um_term pcu_terms[] = {
	TERM_IN("event", "event select", LOW(8) | BIT(21)), TERM_OCC_SEL, TERM_EDGE,
	TERM_THRESH("thresh", 5), TERMS_PCU_OCC("occ_edge"), TERMS_BANDS,
};

static const struct um_pmu pmus[] = {
	CBO(15, ivbep_cbo_fields), UBOX(ivbep_ubox_fields, BITS_OVF(5), ubox_terms), PCU(ivbep_pcu_fields),
	RING_PCI_BOXES,
	OUT_OF_REACH("irp", "I/O ring port", UM_REACH_PCI, "uncore_irp"),
};

static const struct um_reg regs[] = {
	CORE_RESIDENCY_REGS,
	GLOBAL_CTL(0xc00, 29), GLOBAL_STATUS(0xc01, ""), GLOBAL_CONFIG(0xc06),
};

const struct um_uarch um_uarch_ivybridge_ep = {
	.name = "ivybridge-ep", .title = "Ivy Bridge-EP", .scope = SCOPE,
	LIST(regs, regs), LIST(pmus, pmus),
};
