/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Macros for the boxes of servers ("PMON") from Sandy Bridge-EP to Ice Lake-SP. A table file defines SCOPE and SOURCE
 * before it uses them.
 *
 * Facts: Linux arch/x86/events/intel/uncore_snbep.c; Intel uncore performance monitoring guides
 * (E5-2600, E5 v2); Intel PCM and LIKWID. Where the sources disagree, a comment says so.
 */
#ifndef UM_UARCH_PMON_H
#define UM_UARCH_PMON_H

#include "uarch/fields.h"

/* A register of a box; @zero: bits that always read 0. */
#define PMON_REG(address, n, label, text, list, bits, written, zero) { \
	.msr = address, .count = n, .scope = SCOPE, .access = UM_REG_RW, .name = label, \
	.desc = text, .valid = bits, .write_mask = written, .reads_zero = zero, .fields = list, \
	 .source = SOURCE }

/* A register that is described, but never written. */
#define PMON_OTHER(address, label, text, list, bits) \
	PMON_REG(address, 1, label, text, list, bits, 0, 0)

/* ---- selectors ---- */

#define PMON_RST BIT(17)
#define PMON_EDGE BIT(18)
#define PMON_TID_EN BIT(19)
#define PMON_OVF_EN BIT(20)
#define PMON_EN BIT(22)
#define PMON_INVERT BIT(23)
#define PMON_THRESH(width) (LOW(width) << 24)

/* Bits of a selector: event and unit mask, reset, edge, enable, and a threshold of @width bits. */
#define PMON_BITS(width) (LOW(16) | PMON_RST | PMON_EDGE | PMON_EN | PMON_THRESH(width))
/* PMON_BITS() with overflow enable and invert. Haswell-EP and later have both, Ivy Bridge-EP only overflow enable. */
#define PMON_BITS_INV(width) (PMON_BITS(width) | PMON_OVF_EN | PMON_INVERT)

#define PMON_PCU_OCC (BITS(14, 15) | BITS(30, 31))
#define PMON_PCU_BITS \
	((PMON_BITS_INV(5) & ~BITS(8, 15)) | PMON_PCU_OCC)

#define PMON_SELECTOR_TEXT "selector: which event its counter counts, and how"

/*
 * Selectors. @bits: bits that exist; @event_bits, @umask_bits: widths of the fields. Each selector is written
 * twice: the SBOX of Broadwell-EP needs this to store the event, and on other parts it does no harm.
 */
#define PMON_SELECTOR_OF(address, n, prefix, list, bits, event_bits, umask_bits) \
	SELECTOR_ROW( \
		.reg = PMON_REG(address, n, prefix "_MSR_PMON_CTL%u", PMON_SELECTOR_TEXT, list, \
				bits, bits, PMON_RST), \
		.event = { "event", 0, event_bits }, \
		.umask = { "umask", 8, umask_bits }, .enable = PMON_EN, \
		.pmi = (bits) & PMON_OVF_EN, .settable = (bits) & ~(PMON_RST | PMON_OVF_EN), \
		.ignore_on_compare = PMON_RST, .twice = true)
#define PMON_SELECTOR(address, n, prefix, list, bits) PMON_SELECTOR_OF(address, n, prefix, list, bits, 8, 8)
/* A power control unit has no unit mask. */
#define PCU_SELECTOR(address, list, bits) PMON_SELECTOR_OF(address, 4, "PCU", list, bits, 8, 0)

/* General counters. If sources differ, use the smaller width: differences are right as long as no wrap is missed. */
#define PMON_COUNTERS(address, n, prefix, width) \
	.num_general = n, .general_width = width, \
	COUNTER_ROW(PMON_REG(address, n, prefix "_MSR_PMON_CTR%u", "general counter", \
			     um_count##width##_fields, LOW(width), LOW(width), 0))
/* Sources disagree: 44 or 48 bits. Write 48, so that any old value can be restored. */
#define PMON_COUNTERS_44_OR_48(address, n, prefix) \
	.num_general = n, .general_width = 44, \
	COUNTER_ROW(PMON_REG(address, n, prefix "_MSR_PMON_CTR%u", "general counter", \
			     um_count48_fields, LOW(48), LOW(48), 0))

/* ---- box control, Sandy Bridge-EP to Ice Lake-SP ---- */

#define BOX_RST LOW(2)
#define BOX_FRZ BIT(8)
#define BOX_FRZ_EN BIT(16)
#define BOX_FRZ_EN2 BITS(16, 17)

/*
 * We write the whole register, as Intel PCM does, instead of changing bits: the E5-2600 guide calls FRZ and FRZ_EN
 * write-only, so what is read cannot be trusted.
 */
#define BOX_GATE(address, prefix, list, frz_en, one_by_one) GATE_LIST({ \
	.reg = PMON_REG(address, 1, prefix "_MSR_PMON_BOX_CTL", \
			"box control: freezes and resets the counters of the box", list, \
			BOX_RST | BOX_FRZ | (frz_en), BOX_RST | BOX_FRZ | (frz_en), BOX_RST), \
	.of_unit = true, .mask = BOX_FRZ | (frz_en), .value = frz_en, .plain = true, \
	.bit_by_bit = one_by_one })

#define PMON_BOX(address, prefix) \
	BOX_GATE(address, prefix, um_pmon_box_fields, BOX_FRZ_EN, false)
#define PMON_BOX2(address, prefix) \
	BOX_GATE(address, prefix, um_pmon_box2_fields, BOX_FRZ_EN2, false)

/* Overflow status of a box. Writing 1 clears a bit (guides: "RW1C"; LIKWID does it). */
#define PMON_STATUS(address, prefix, n) { \
	.msr = address, .count = 1, .scope = SCOPE, .access = UM_REG_W1C, \
	.name = prefix "_MSR_PMON_BOX_STATUS", .desc = "which counters have wrapped", \
	.valid = LOW(n), .write_mask = LOW(n), .fields = um_pmon_status##n##_fields, \
	 .source = SOURCE }
/* @list: other registers of the box, beginning with the overflow status. */
#define PMON_OTHERS(list) LIST(others, list), .overflow = &(list)[0]

/* ---- registers that belong to no box ---- */

/* Residency counters. The guides list them with the power control unit, but they cannot be frozen or reset. */
#define RESIDENCY(address, label, state) { \
	.msr = address, .count = 1, .scope = UM_SCOPE_CORE, .access = UM_REG_RO, .name = label, \
	.desc = "time the core spent in sleep state " state, .valid = UINT64_MAX, \
	.fields = um_residency_fields, .source = SOURCE }
#define CORE_RESIDENCY_REGS \
	RESIDENCY(0x3fc, "CORE_C3_RESIDENCY", "C3"), RESIDENCY(0x3fd, "CORE_C6_RESIDENCY", "C6")

/*
 * Strobes that start and stop every box of the package. The kernel may use some of these boxes, so we never write a
 * strobe. The bits of the status registers differ by part, and no source lists them all. A table file defines
 * GLOBAL_SOURCE, because from Haswell-EP on Linux has none of these registers.
 */
#define GLOBAL_REG(address, label, text, list, bits) { \
	.msr = address, .count = 1, .scope = SCOPE, .access = UM_REG_RW, .name = label, \
	.desc = text, .valid = bits, .fields = list, \
	.source = GLOBAL_SOURCE }
#define GLOBAL_CTL(address, bit) \
	GLOBAL_REG(address, "U_MSR_PMON_GLOBAL_CTL", "freezes and unfreezes all boxes", \
		   um_global_##bit##_fields, BIT(bit) | BIT((bit) + 2))
#define GLOBAL_STATUS(address, n) \
	GLOBAL_REG(address, "U_MSR_PMON_GLOBAL_STATUS" n, "which boxes have wrapped counters", \
		   um_global_status_fields, LOW(32))
#define GLOBAL_CONFIG(address) \
	GLOBAL_REG(address, "U_MSR_PMON_GLOBAL_CONFIG", "how many boxes there are", \
		   um_global_config_fields, LOW(6))

/* ---- clock of the U box ---- */

/* UNC_U_CLOCKTICKS is Intel's name (perfmon lists), UNCORE_CLOCK likwid's, "uclk" that of the guides' register. */
#define PMON_CLOCK_NAMES { "UNC_U_CLOCKTICKS", "UNCORE_CLOCK", "uclk" }

/* The clock counter. The register has 48 bits; differences are computed with @bits bits. */
#define PMON_CLOCK(ctl, ctr, bits) { \
	.counter = PMON_REG(ctr, 1, "U_MSR_PMON_UCLK_FIXED_CTR", \
			    "fixed counter: uncore clock ticks", um_count48_fields, \
			    LOW(48), LOW(48), 0), \
	.control = PMON_REG(ctl, 1, "U_MSR_PMON_UCLK_FIXED_CTL", \
			    "switches the fixed counter on", um_pmon_fixed_fields, \
			    PMON_OVF_EN | PMON_EN, PMON_OVF_EN | PMON_EN, 0), \
	.enable = PMON_EN, .pmi = PMON_OVF_EN, .width = bits, .event = "clockticks", \
	.aliases = PMON_CLOCK_NAMES, .desc = "uncore clock ticks" }

/* ---- terms, with the names of the kernel's format files ---- */

/*
 * Extra words. C-boxes and CHAs have one for each field of the filter registers, so that events that need different
 * fields can be counted together; the power control unit has one for each frequency band.
 */
enum { FILTER_TID, FILTER_LINK, FILTER_STATE, FILTER_NID, FILTER_OPC, FILTER_MATCH };

#define TERMS_PMON(thresh) \
	TERM_EVENT, TERM_UMASK, TERM_EDGE, TERM_INV, TERM_THRESH("thresh", thresh)
#define TERM_TID_EN(bit) TERM("tid_en", "1: count only what the thread of filter_tid does", bit, 1)
/* The hardware ignores the thread filter unless TID_EN is set, so this term sets that bit. */
#define TERM_FILTER_TID(bits, tid_en) { \
	.name = "filter_tid", .desc = "thread (core and thread number) to count", \
	.word = UM_EXTRA_WORD(FILTER_TID), .mask = LOW(bits), \
	.implies = tid_en }

#define TERMS_BANDS \
	TERM_EXTRA(0, "filter_band0", "frequency that event 0xb compares with, in units of 100 MHz", 0, 8), \
	TERM_EXTRA(1, "filter_band1", "frequency that event 0xc compares with, in units of 100 MHz", 8, 8), \
	TERM_EXTRA(2, "filter_band2", "frequency that event 0xd compares with, in units of 100 MHz", 16, 8), \
	TERM_EXTRA(3, "filter_band3", "frequency that event 0xe compares with, in units of 100 MHz", 24, 8)
/* The kernel's name is occ_edge (with wrong bits) up to Broadwell-EP, occ_edge_det later. */
#define TERMS_PCU_OCC(edge_name) \
	TERM("occ_invert", "1: count clocks with fewer cores than the threshold", 30, 1), \
	TERM(edge_name, "1: count how often the number of cores changes", 31, 1)
#define TERM_OCC_SEL TERM("occ_sel", "count cores in: 1 C0, 2 C3, 3 C6", 14, 2)

static const struct um_term um_pmon5_terms[] = { TERMS_PMON(5) };
static const struct um_term um_pmon8_terms[] = { TERMS_PMON(8) };
static const struct um_term um_pmon8_tid_terms[] = { TERMS_PMON(8), TERM_TID_EN(19) };

/* ---- extra registers ---- */

/*
 * Extra word @number goes to @bits of a register (the last argument, an initializer) if (selector word & @cond) == @is.
 * The conditions are from the kernel's lists of extra registers. In the unit mask of events 35 and 36 bit 0 means
 * "match the opcode", bit 6 "match the node".
 */
#define EXTRA_FIELDS(where, number, bits, cond, is, ...) \
	.word = UM_EXTRA_WORD(number), .mask = bits, .when_mask = cond, .when_value = is, .config1 = 1 + (where), \
	.reg = __VA_ARGS__
#define EXTRA_AT(...) { EXTRA_FIELDS(__VA_ARGS__) }
/* In Linux the first filter is in the lower half of config1, the second one in the upper half. */
#define EXTRA(...) EXTRA_AT(0, __VA_ARGS__)
#define EXTRA_2(...) EXTRA_AT(32, __VA_ARGS__)

#define PCU_FILTER(address) \
	PMON_REG(address, 1, "PCU_MSR_PMON_BOX_FILTER", \
		 "frequencies in units of 100 MHz that events 0xb to 0xe compare with", \
		 um_pmon_bands_fields, LOW(32), LOW(32), 0)
/* Band n has bits 8n+7:8n. */
#define PCU_BAND(n, address) EXTRA(n, BITS(8 * (n), 8 * (n) + 7), 0xff, 0xb + (n), PCU_FILTER(address))
#define PCU_BANDS(address) PCU_BAND(0, address), PCU_BAND(1, address), PCU_BAND(2, address), PCU_BAND(3, address)

/* ---- what Linux does with the bits of an event ---- */

#define RULE(what, slot, bits, from, ...) { \
	.does = what, .word = UM_EXTRA_WORD(slot), .mask = bits, .source = from, __VA_ARGS__ }
/*
 * Linux clears @bits of the event's word @slot if (selector word & @cond) == @is. DROPS_BUT(): not if the event has one
 * of the unit masks @masks.
 */
#define DROPS(slot, bits, cond, is, from) \
	RULE(UM_KERNEL_DROPS, slot, bits, from, .when_mask = cond, .when_value = is)
#define DROPS_BUT(masks, slot, bits, cond, is, from) \
	RULE(UM_KERNEL_DROPS, slot, bits, from, .when_mask = cond, .when_value = is, .umasks = { masks })
#define VERBATIM(slot, bits, from) RULE(UM_KERNEL_VERBATIM, slot, bits, from, .value = 0)

/* On Haswell-EP and later, Linux masks the filter of band n with 0xff << n; correct would be 0xff << 8n. */
#define PCU_BAND_RULES \
	DROPS(1, BITS(9, 15), 0, 0, "hswep_pcu_hw_config()"), DROPS(2, BITS(16, 23), 0, 0, "hswep_pcu_hw_config()"), \
	DROPS(3, BITS(24, 31), 0, 0, "hswep_pcu_hw_config()")
/* Linux's format file wrongly gives occ_edge as config:14-51; the driver passes bit 31 on. */
#define PCU_OCC_RULE { \
	.does = UM_KERNEL_VERBATIM, .word = 0, .mask = BIT(31), .source = "snbep_uncore_pcu_formats_attr" }
static const struct um_linux_rule um_pcu_band_rules[] = { PCU_BAND_RULES };
static const struct um_linux_rule um_pcu_occ_rules[] = { PCU_OCC_RULE };

/* ---- bounds and texts ---- */

/*
 * The bounds decide how often counters have to be read, so they err on the high side. No uncore runs faster than 5 GHz.
 * Occupancy events add up queue entries (20 in a C-box, 64 in a CHA) or cores (up to 144 in a package).
 */
#define PMON_BOUNDS .max_clock_hz = 5000000000u, .max_increment = 160

#define CBO_DESC "C-box: a slice of the last-level cache and its stop on the ring"
#define CHA_DESC "CHA: caching and home agent, one per slice of the last-level cache"
#define SBOX_DESC "S box: where rings meet"
#define UBOX_DESC "U box: interrupts, locks and the uncore clock"
#define PCU_DESC "power control unit: frequencies, sleep states, throttling"
#define IIO_DESC "IIO: traffic of an I/O stack (PCIe and the like)"
#define IRP_DESC "IRP: coherent requests of an I/O stack"
#define M2PCIE_DESC "M2PCIe: between mesh and I/O stack"

#endif
