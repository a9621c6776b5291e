/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Macros for table files: bits, rows, terms, units; and names of the lists of fields. Only table files include this.
 *
 * Fields are for people who decode a register, terms for people who write an event; the terms are
 * named as in the kernel's format files (Linux arch/x86/events/intel/uncore_*.c, "config:0-7").
 *
 * Names of PMUs (cbo, cha, arb, ubox, pcu, sbox, iio, irp, m2pcie ...) are in lower case, and mostly the kernel's names
 * without "uncore_". The number of a unit follows the name (cbo3).
 */
#ifndef UM_UARCH_FIELDS_H
#define UM_UARCH_FIELDS_H

#include "common/error.h"
#include "uarch/uarch.h"

#define BIT(n) (1ull << (n))
#define LOW(n) (BIT(n) - 1)                   /* the lowest n bits */
#define BITS(from, to) (~0ull >> (63 - ((to) - (from))) << (from))

/* ---- lists of fields ---- */

/* The value of a list's name is the index of its first field among all fields. Each list ends with a marker. */
#define FIELD_LIST(list, ...) \
	list, list##_end = list + sizeof((const struct um_field[]){ __VA_ARGS__ }) / sizeof(struct um_field),
enum um_field_list {
	um_no_fields,
#include "uarch/field_lists.h"
};
#undef FIELD_LIST

/* ---- rows ---- */

/*
 * Initializer of a struct um_reg: scope, address, number of registers, access, name, text, list of fields, bits that
 * exist, bits that this library may change, source.
 */
#define REG(where, address, n, rw, label, text, list, bits, written, from) { \
	.msr = address, .count = n, .scope = where, .access = rw, .name = label, .desc = text, \
	.valid = bits, .write_mask = written, .fields = list, .source = from }

/* REG() for registers whose addresses are @by apart. */
#define REG_STEP(where, address, n, by, rw, label, text, list, bits, written, from) { \
	.msr = address, .count = n, .step = by, .scope = where, .access = rw, .name = label, \
	.desc = text, .valid = bits, .write_mask = written, .fields = list, .source = from }

/* The one or two gates of a PMU. */
#define GATE_LIST(...) .gates = (const struct um_gate[]){ __VA_ARGS__ }, \
	.num_gates = ARRAY_SIZE(((const struct um_gate[]){ __VA_ARGS__ }))

/* Set the members x and num_x to an array and its length. */
#define LIST(x, array) .x = array, .num_##x = ARRAY_SIZE(array)

/* The selector and the general counters of a PMU. */
#define SELECTOR_ROW(...) .selector = &(const struct um_selector){ __VA_ARGS__ }
#define COUNTER_ROW(...) .counter = &(const struct um_reg)__VA_ARGS__
/* A PMU without general counters. */
#define NO_COUNTERS .selector = &um_no_selector

/* A PMU that Linux's driver can reach, but MSRs cannot. */
#define OUT_OF_REACH(label, text, way, linux_name) { \
	.name = label, .desc = text, .reach = way, .kernel = linux_name, NO_COUNTERS }

/* ---- terms ---- */

#define TERM(label, text, from, bits) { \
	.name = label, .desc = text, .mask = BITS(from, (from) + (bits) - 1) }
/* A term whose bits are not contiguous. */
#define TERM_IN(label, text, bits) { .name = label, .desc = text, .mask = bits }
/* A term in the extra word number @slot. */
#define TERM_EXTRA(slot, label, text, from, bits) { .name = label, .desc = text, \
	.word = UM_EXTRA_WORD(slot), .mask = BITS(from, (from) + (bits) - 1) }

#define TERM_EVENT TERM("event", "event select", 0, 8)
#define TERM_UMASK TERM("umask", "unit mask", 8, 8)
#define TERM_EDGE TERM("edge", "1: count how often the condition begins", 18, 1)
#define TERM_INV TERM("inv", "1: count clocks below the threshold", 23, 1)
/* The kernel calls the threshold "thresh" on servers. (On clients see client.h.) */
#define TERM_THRESH(label, bits) \
	TERM(label, "count clocks with at least this many occurrences; 0 is off", 24, bits)

/* ---- counters ---- */

/* Only the counters in bit mask @set can count event select @code (bits 7:0). */
#define ONLY(code, set) { .mask = 0xff, .value = code, .counters = set }
#define COUNTER_0 0x1u
#define COUNTERS_0_1 0x3u
#define COUNTERS_2_3 0xcu

/* ---- event codes in the selector ---- */

/* Positions of event select and unit mask, the same in nearly all boxes. */
#define SELECTOR_EVENT .event = { "event", 0, 8 }
#define SELECTOR_UMASK .umask = { "umask", 8, 8 }

#endif
