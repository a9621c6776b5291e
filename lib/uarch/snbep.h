/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The boxes of Sandy Bridge-EP and Ivy Bridge-EP: C-boxes at D00, U box and power control unit at C00. A table file
 * defines SCOPE and SOURCE, then includes this file. Before it uses the macros CBO and PCU, it defines CBO_BITS,
 * PCU_BITS and the arrays cbo_terms, cbo_extras, cbo_defaults, cbo_rules, cbo_constraints and pcu_terms.
 */
#ifndef UM_UARCH_SNBEP_H
#define UM_UARCH_SNBEP_H

#include "uarch/ep_boxes.h"

/* Source: Linux; for events 03 and 14 (Ivy Bridge-EP: also 3c) Intel's event list. */
#define CBO_CONSTRAINTS \
	ONLY(0x01, COUNTER_0), ONLY(0x02, COUNTERS_0_1), ONLY(0x03, COUNTERS_0_1), \
	ONLY(0x04, COUNTERS_0_1), ONLY(0x05, COUNTERS_0_1), ONLY(0x07, COUNTERS_0_1), \
	ONLY(0x09, COUNTERS_0_1), ONLY(0x11, COUNTER_0), ONLY(0x12, COUNTERS_0_1), \
	ONLY(0x13, COUNTERS_0_1), ONLY(0x14, COUNTERS_0_1), ONLY(0x1b, COUNTERS_2_3), \
	ONLY(0x1c, COUNTERS_2_3), ONLY(0x1d, COUNTERS_2_3), ONLY(0x1e, COUNTERS_2_3), \
	ONLY(0x1f, 0xe), ONLY(0x21, COUNTERS_0_1), ONLY(0x23, COUNTERS_0_1), \
	ONLY(0x31, COUNTERS_0_1), ONLY(0x32, COUNTERS_0_1), ONLY(0x33, COUNTERS_0_1), \
	ONLY(0x34, COUNTERS_0_1), ONLY(0x35, COUNTERS_0_1), ONLY(0x36, COUNTER_0), \
	ONLY(0x37, COUNTERS_0_1), ONLY(0x38, COUNTERS_0_1), ONLY(0x39, COUNTERS_0_1), \
	ONLY(0x3b, COUNTER_0)
static const struct um_reg cbo_others[] = { PMON_STATUS(0xd15, "C%b", 4) };
#define CBO(most, fields) { \
	.name = "cbo", .kernel = "uncore_cbox", .desc = CBO_DESC, .scope = SCOPE, .source = SOURCE, \
	.units = { .from = UM_UNITS_CORES, .max = most, .stride = 0x20 }, \
	PMON_SELECTOR(0xd10, 4, "C%b", fields, CBO_BITS), PMON_COUNTERS(0xd16, 4, "C%b", 44), PMON_BOX(0xd04, "C%b"), \
	LIST(terms, cbo_terms), LIST(extras, cbo_extras), LIST(defaults, cbo_defaults), LIST(rules, cbo_rules), \
	LIST(constraints, cbo_constraints), PMON_OTHERS(cbo_others), PMON_BOUNDS }

static const struct um_fixed ubox_fixed[] = { PMON_CLOCK(0xc08, 0xc09, 44) };
static const struct um_reg ubox_others[] = { PMON_STATUS(0xc15, "U", 2) };
#define UBOX(fields, bits, list) { \
	.name = "ubox", .kernel = "uncore_ubox", .desc = UBOX_DESC, .scope = SCOPE, .source = SOURCE, \
	.units = { .max = 1 }, PMON_SELECTOR(0xc10, 2, "U", fields, bits), PMON_COUNTERS(0xc16, 2, "U", 44), \
	LIST(terms, list), LIST(fixed, ubox_fixed), PMON_OTHERS(ubox_others), PMON_BOUNDS }

static const struct um_extra pcu_extras[] = { PCU_BANDS(0xc34) };
static const struct um_reg pcu_others[] = { PMON_STATUS(0xc35, "PCU", 4) };
#define PCU(fields) { \
	.name = "pcu", .kernel = "uncore_pcu", .desc = PCU_DESC, .scope = SCOPE, .source = SOURCE, \
	.units = { .max = 1 }, PCU_SELECTOR(0xc30, fields, PCU_BITS), \
	PMON_COUNTERS(0xc36, 4, "PCU", 48), PMON_BOX(0xc24, "PCU"), \
	LIST(terms, pcu_terms), LIST(extras, pcu_extras), LIST(rules, um_pcu_occ_rules), \
	PMON_OTHERS(pcu_others), PMON_BOUNDS }

#endif
