/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The U box and the power control unit of Skylake-SP and Ice Lake-SP, at 703 to 71A. A table file defines SCOPE
 * and SOURCE, then includes this file.
 */
#ifndef UM_UARCH_SKX_H
#define UM_UARCH_SKX_H

#include "uarch/ep_boxes.h"

static const struct um_fixed ubox_fixed[] = { PMON_CLOCK(0x703, 0x704, 48) };
static const struct um_reg ubox_others[] = { PMON_STATUS(0x708, "U", 2) };

#define UBOX { \
	.name = "ubox", .kernel = "uncore_ubox", .desc = UBOX_DESC, .scope = SCOPE, .source = SOURCE, \
	.units = { .max = 1 }, UBOX_700_SELECTOR, PMON_COUNTERS(0x709, 2, "U", 48), \
	LIST(terms, um_pmon5_terms), LIST(fixed, ubox_fixed), PMON_OTHERS(ubox_others), PMON_BOUNDS }

/*
 * Intel's event lists and the kernel's format call bits 15:8 a unit mask, but use only its upper two bits (occ_sel); the
 * kernel masks the others off. No known program sets them, so we do not either.
 */
static const struct um_extra pcu_extras[] = { PCU_BANDS(0x715) };
static const struct um_term pcu_terms[] = {
	TERM_EVENT, TERM("umask", "count cores in: 0x40 C0, 0x80 C3, 0xc0 C6", 8, 8), TERM_EDGE,
	TERM_INV, TERM_THRESH("thresh", 5), TERMS_PCU_OCC("occ_edge_det"), TERMS_BANDS,
};
static const struct um_reg pcu_others[] = { PMON_STATUS(0x716, "PCU", 4) };

#define PCU { \
	.name = "pcu", .kernel = "uncore_pcu", .desc = PCU_DESC, .scope = SCOPE, .source = SOURCE, \
	.units = { .max = 1 }, PMON_SELECTOR(0x711, 4, "PCU", um_pmon_pcu_fields, PMON_PCU_BITS), \
	PMON_COUNTERS(0x717, 4, "PCU", 48), PMON_BOX(0x710, "PCU"), \
	LIST(terms, pcu_terms), LIST(extras, pcu_extras), LIST(rules, um_pcu_band_rules), \
	PMON_OTHERS(pcu_others), PMON_BOUNDS }

#endif
