/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Haswell-EP and Broadwell: C-boxes at E00, ring boxes (SBOX) at 720, U box and power control unit at 703 to 71A. A table
 * file defines SCOPE, SOURCE and GLOBAL_SOURCE, then includes this file, and defines the array cbo_constraints.
 */
#ifndef UM_UARCH_HSWEP_H
#define UM_UARCH_HSWEP_H

#include "uarch/ep_boxes.h"

/* ---- C-boxes ---- */

#define TID BITS(0, 5)
#define LINK BITS(6, 9)
#define STATE BITS(17, 23)
#define FILTER0 \
	PMON_REG(0xe05, 1, "C%b_MSR_PMON_BOX_FILTER0", CBO_FILTER_TEXT, um_cbo_700_filter0_fields, \
		 TID | LINK | STATE, TID | LINK | STATE, 0)
#define FILTER1 \
	PMON_REG(0xe06, 1, "C%b_MSR_PMON_BOX_FILTER1", CBO_FILTER_TEXT, um_cbo_filter1_fields, \
		 CBO_NID | CBO_OPC, CBO_NID | CBO_OPC, 0)
#define NODE(code) EXTRA_2(FILTER_NID, CBO_NID, 0x40ff, 0x4000 | (code), FILTER1)
static const struct um_extra cbo_extras[] = {
	EXTRA(FILTER_TID, TID, PMON_TID_EN, PMON_TID_EN, FILTER0),
	EXTRA(FILTER_STATE, STATE, 0xff, 0x34, FILTER0),
	EXTRA(FILTER_LINK, LINK, 0x10ff, 0x1031, FILTER0),
	EXTRA(FILTER_LINK, LINK, 0xffff, 0x0135, FILTER0),
	CBO_TOR_EXTRAS(FILTER1), NODE(0x28), NODE(0x29), NODE(0x2a), NODE(0x32), NODE(0x33), NODE(0x37), NODE(0x34),
};

/* Unit masks of event 34 for which Linux writes the filter STATE; with all others it drops the filter. */
#define CBO_STATES 0x03, 0x05, 0x09, 0x11, 0x21, 0x41
#define CBO_FROM "hswep_uncore_cbox_extra_regs"
static const struct um_linux_rule cbo_rules[] = {
	DROPS_BUT(CBO_STATES, FILTER_STATE, STATE, 0xff, 0x34, CBO_FROM),
	DROPS(FILTER_LINK, LINK, 0x10ff, 0x1031, CBO_FROM),
	CBO_TOR_RULES(CBO_FROM), DROPS(FILTER_NID, CBO_NID, 0x40ff, 0x4034, CBO_FROM),
	VERBATIM(FILTER_LINK, LINK, "hswep_uncore_cbox_formats_attr"),
};
static const struct um_default cbo_defaults[] = { DEFAULT_STATE(STATE) };
static const struct um_term cbo_terms[] = {
	TERMS_PMON(8), TERM_TID_EN(19), TERM_FILTER_TID(6, PMON_TID_EN),
	TERM_EXTRA(FILTER_LINK, "filter_link", "links whose responses are counted", 6, 4),
	TERM_EXTRA(FILTER_STATE, "filter_state", "line states that event 0x34 counts", 17, 7),
	TERMS_CBO_FILTER1,
};
static const struct um_reg cbo_others[] = { PMON_STATUS(0xe07, "C%b", 4) };

#define CBO(most) { \
	.name = "cbo", .kernel = "uncore_cbox", .desc = CBO_DESC, .scope = SCOPE, .source = SOURCE, \
	.units = { .from = UM_UNITS_CORES, .max = most, .stride = 0x10 }, \
	PMON_SELECTOR(0xe01, 4, "C%b", um_pmon8_tid_fields, PMON_BITS_INV(8) | PMON_TID_EN), \
	PMON_COUNTERS(0xe08, 4, "C%b", 48), PMON_BOX(0xe00, "C%b"), \
	LIST(terms, cbo_terms), LIST(extras, cbo_extras), LIST(defaults, cbo_defaults), LIST(rules, cbo_rules), \
	LIST(constraints, cbo_constraints), PMON_OTHERS(cbo_others), PMON_BOUNDS }

/* ---- ring boxes ---- */

static const struct um_reg sbox_others[] = { PMON_STATUS(0x725, "S%b", 4) };

/* The SBOX's control must be written bit by bit: setting several new bits at once can fault. */
#define SBOX(counters) { \
	.name = "sbox", .kernel = "uncore_sbox", .desc = SBOX_DESC, .scope = SCOPE, .source = SOURCE, \
	.units = { .from = UM_UNITS_PROBE, .max = 4, .stride = 0xa }, \
	PMON_SELECTOR(0x721, 4, "S%b", um_pmon8_tid_fields, PMON_BITS_INV(8) | PMON_TID_EN), counters, \
	BOX_GATE(0x720, "S%b", um_pmon_box_fields, BOX_FRZ_EN, true), \
	LIST(terms, um_pmon8_tid_terms), PMON_OTHERS(sbox_others), PMON_BOUNDS }

/* ---- U box ---- */

static const struct um_extra ubox_extras[] = { {
	.reg = PMON_REG(0x707, 1, "U_MSR_PMON_BOX_FILTER", "core and thread whose events the box counts",
			um_ubox_filter_fields, LOW(6), LOW(6), 0),
	.word = UM_EXTRA_WORD(0), .config1 = 1, .only_if_set = true,
} };
/* Linux's format file wrongly gives filter_cid as config1:5; the driver passes bits 1 to 5 on. */
static const struct um_linux_rule ubox_rules[] = { VERBATIM(0, BITS(1, 5), "hswep_uncore_ubox_formats_attr") };
static const struct um_term ubox_terms[] = {
	TERMS_PMON(5), TERM_EXTRA(0, "filter_tid", "thread of the core", 0, 1), TERM_EXTRA(0, "filter_cid", "core", 1, 5),
};
static const struct um_fixed ubox_fixed[] = { PMON_CLOCK(0x703, 0x704, 48) };
static const struct um_reg ubox_others[] = { PMON_STATUS(0x708, "U", 2) };

#define UBOX(counters) { \
	.name = "ubox", .kernel = "uncore_ubox", .desc = UBOX_DESC, .scope = SCOPE, .source = SOURCE, \
	.units = { .max = 1 }, UBOX_700_SELECTOR, counters, \
	LIST(terms, ubox_terms), LIST(extras, ubox_extras), LIST(rules, ubox_rules), LIST(fixed, ubox_fixed), \
	PMON_OTHERS(ubox_others), PMON_BOUNDS }

/* ---- power control unit (the last argument is a list of constraints, or nothing) ---- */

static const struct um_extra pcu_extras[] = { PCU_BANDS(0x715) };
static const struct um_linux_rule pcu_rules[] = { PCU_BAND_RULES, PCU_OCC_RULE };
static const struct um_term pcu_terms[] = {
	TERM_EVENT, TERM_OCC_SEL, TERM_EDGE, TERM_INV, TERM_THRESH("thresh", 5), TERMS_PCU_OCC("occ_edge"), TERMS_BANDS,
};
static const struct um_reg pcu_others[] = { PMON_STATUS(0x716, "PCU", 4) };

#define PCU(...) { \
	.name = "pcu", .kernel = "uncore_pcu", .desc = PCU_DESC, .scope = SCOPE, .source = SOURCE, \
	.units = { .max = 1 }, PCU_SELECTOR(0x711, um_pmon_pcu_fields, PMON_PCU_BITS), \
	PMON_COUNTERS(0x717, 4, "PCU", 48), PMON_BOX(0x710, "PCU"), \
	LIST(terms, pcu_terms), LIST(extras, pcu_extras), LIST(rules, pcu_rules), \
	PMON_OTHERS(pcu_others), PMON_BOUNDS, __VA_ARGS__ }

/* ---- the others ---- */

#define NO_MSR_BOXES RING_PCI_BOXES, OUT_OF_REACH("irp", "I/O ring port", UM_REACH_PCI, "uncore_irp")

static const struct um_reg regs[] = {
	GLOBAL_CTL(0x700, 29), GLOBAL_STATUS(0x701, ""), GLOBAL_CONFIG(0x702),
};

#endif
