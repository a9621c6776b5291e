/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Macros for the boxes of Sapphire Rapids and later servers. Compared with pmon.h, the bits of the box control are at
 * other positions, and selectors have no enable bit.
 *
 * Facts: Linux arch/x86/events/intel/uncore_discovery.h and uncore_snbep.c (spr), Intel PCM.
 */
#ifndef UM_UARCH_SPR_H
#define UM_UARCH_SPR_H

#include "uarch/iio.h"

#define SPR_TID_EN BIT(16)
/* Without an enable bit, a counter counts as soon as its selector is not 0. */
#define SPR_BITS (LOW(16) | PMON_RST | PMON_EDGE | PMON_OVF_EN | PMON_INVERT | PMON_THRESH(8))
/* CXL events of the CHA use all of 63:32 for their unit mask (Linux before 6.11 passes 55:32). */
#define SPR_CHA_BITS (SPR_BITS | SPR_TID_EN | BITS(32, 63))
#define SPR_IIO_BITS (SPR_BITS | BITS(32, 50))

#define SPR_SELECTOR(address, n, prefix, list, bits) SELECTOR_ROW( \
	.reg = PMON_REG(address, n, prefix "_MSR_PMON_CTL%u", PMON_SELECTOR_TEXT, list, bits, \
			bits, PMON_RST), \
	SELECTOR_EVENT, SELECTOR_UMASK, .pmi = PMON_OVF_EN, \
	.settable = (bits) & ~(PMON_RST | PMON_OVF_EN), .ignore_on_compare = PMON_RST)

/* FRZ is bit 0, which is RST_CTRL on older servers: a control value for these would freeze the box. */
#define SPR_BOX_GATE(address, prefix) { \
	.reg = PMON_REG(address, 1, prefix "_MSR_PMON_BOX_CTL", \
			"box control: freezes and resets the counters of the box", \
			um_spr_box_fields, BIT(0) | BITS(8, 9), BIT(0) | BITS(8, 9), BITS(8, 9)), \
	.of_unit = true, .mask = BIT(0), .value = 0, .plain = true }
/*
 * A table file defines GLOBAL_STOP, which is empty if no register is known that stops all boxes.
 */
#define SPR_BOX(address, prefix) GATE_LIST(SPR_BOX_GATE(address, prefix), GLOBAL_STOP)

/* ---- boxes that are the same on all these servers ---- */

/* Of the older CHA's filters only the thread filter exists here. */
#define SPR_CHA_EXTRAS \
	EXTRA(FILTER_TID, LOW(10), SPR_TID_EN, SPR_TID_EN, \
	      PMON_REG(0x200e, 1, "C%b_MSR_PMON_BOX_FILTER0", "thread whose events the box counts", \
		       um_spr_filter_fields, LOW(10), LOW(10), 0))
#define TERM_SPR_UMASK(more) TERM_IN("umask", "unit mask", BITS(8, 15) | BITS(32, 31 + (more)))
static const struct um_term um_spr_cha_terms[] = {
	TERM_EVENT, TERM_SPR_UMASK(32), TERM_EDGE, TERM_INV, TERM_THRESH("thresh", 8),
	TERM_TID_EN(16), TERM_FILTER_TID(10, SPR_TID_EN),
};
/* Terms of the IRP. For this box the kernel also accepts a longer unit mask. */
static const struct um_term um_spr_umask_terms[] = {
	TERM_EVENT, TERM_SPR_UMASK(24), TERM_EDGE, TERM_INV, TERM_THRESH("thresh", 8),
};
static const struct um_constraint um_spr_cha_constraints[] = {
	ONLY(0x11, COUNTER_0), ONLY(0x36, COUNTER_0),
};

/* CHAs. @extra_list: extra registers. The last arguments, members of struct um_units, say how many CHAs there are. */
#define SPR_CHA(extra_list, unsure, ...) { \
	.name = "cha", .kernel = "uncore_cha", .desc = CHA_DESC, .scope = SCOPE, \
	.source = SOURCE, .unverified = unsure, \
	.units = { .from = UM_UNITS_MSR, .stride = 0x10, __VA_ARGS__ }, \
	SPR_SELECTOR(0x2002, 4, "C%b", um_spr_cha_fields, SPR_CHA_BITS), \
	PMON_COUNTERS(0x2008, 4, "C%b", 48), SPR_BOX(0x2000, "C%b"), \
	LIST(terms, um_spr_cha_terms), LIST(extras, extra_list), \
	LIST(constraints, um_spr_cha_constraints), PMON_BOUNDS }

/* I/O stacks: every stack whose registers can be read is used. Only Intel PCM has their addresses. */
#define SPR_IIO(address, n, constraint_list) { \
	.name = "iio", .kernel = "uncore_iio", .desc = IIO_DESC, .scope = SCOPE, \
	.source = SOURCE, .unverified = true, \
	.units = { .from = UM_UNITS_PROBE, .max = n, .stride = 0x10 }, \
	SPR_SELECTOR((address) + 2, 4, "IIO%b", um_spr_iio_fields, SPR_IIO_BITS), \
	PMON_COUNTERS((address) + 8, 4, "IIO%b", 48), SPR_BOX(address, "IIO%b"), \
	LIST(terms, um_iio12_terms), LIST(defaults, um_iio12_defaults), \
	LIST(constraints, constraint_list), PMON_BOUNDS }
#define SPR_IRP(address, n) { \
	.name = "irp", .kernel = "uncore_irp", .desc = IRP_DESC, .scope = SCOPE, \
	.source = SOURCE, .unverified = true, \
	.units = { .from = UM_UNITS_PROBE, .max = n, .stride = 0x10 }, \
	SPR_SELECTOR((address) + 2, 2, "IRP%b", um_spr_umask_fields, SPR_BITS | BITS(32, 55)), \
	PMON_COUNTERS((address) + 8, 2, "IRP%b", 48), SPR_BOX(address, "IRP%b"), \
	LIST(terms, um_spr_umask_terms), PMON_BOUNDS }
#define SPR_UBOX(address, fixed_list, ...) { \
	.name = "ubox", .kernel = "uncore_ubox", .desc = UBOX_DESC, .scope = SCOPE, \
	.source = SOURCE, .unverified = true, .units = { .max = 1 }, \
	SPR_SELECTOR((address) + 2, 2, "U", um_spr_fields, SPR_BITS), \
	PMON_COUNTERS((address) + 8, 2, "U", 48), SPR_BOX(address, "U"), \
	LIST(terms, um_pmon8_terms), LIST(fixed, fixed_list), PMON_BOUNDS, __VA_ARGS__ }

/*
 * The addresses of these boxes are in tables that the firmware keeps in memory. They cannot be read through MSRs; the
 * kernel reads them.
 */
#define SPR_DISCOVERY_BOXES(mdf_name) \
	OUT_OF_REACH("pcu", PCU_DESC, UM_REACH_DISCOVERY, "uncore_pcu"), \
	OUT_OF_REACH("mdf", "MDF: between the tiles of the package", UM_REACH_DISCOVERY, mdf_name)

#endif
