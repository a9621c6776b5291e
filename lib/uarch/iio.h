/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Macros for the boxes of I/O stacks (Skylake-SP and later): channel and flow masks, and free-running counters. See
 * pmon.h.
 *
 * Facts: Linux arch/x86/events/intel/uncore_snbep.c.
 */
#ifndef UM_UARCH_IIO_H
#define UM_UARCH_IIO_H

#include "uarch/pmon.h"

/* ---- selectors ---- */

#define TERMS_IIO(channel, bits, flow) \
	TERMS_PMON(12), \
	TERM("ch_mask", "channels (ports) to count, a set of bits", channel, bits), \
	TERM("fc_mask", "flow classes to count: 1 posted, 2 non-posted, 4 completions", flow, 3)
static const struct um_term um_iio12_terms[] = { TERMS_IIO(36, 12, 48) };
#define DEFAULTS_IIO(channels, flows) \
	{ .mask = channels, .value = channels, .why = "no channel given: all of them" }, \
	{ .mask = flows, .value = flows, .why = "no flow class given: all of them" }
static const struct um_default um_iio12_defaults[] = {
	DEFAULTS_IIO(BITS(36, 47), BITS(48, 50)),
};

/* ---- free-running counters ---- */

/*
 * A table file defines FREE_RUNNING_SOURCE. @label: the kernel's name of the counter. @others: true if the units are
 * spaced by other_stride or other_offsets of struct um_units. The upper half of the unit mask is the type of the
 * counter, the lower half its number (Linux arch/x86/events/intel/uncore.h, uncore_freerunning_idx()).
 */
#define FREE_RUNNING(address, list, bits, label, text, others, ...) { \
	.counter = { .msr = address, .count = 1, .scope = SCOPE, .access = UM_REG_RO, \
		     .other_units = others, .name = "IIO%b_" label, .desc = text, \
		     .valid = LOW(bits), .fields = list, \
		     .source = FREE_RUNNING_SOURCE }, \
	.width = bits, .event = label, .desc = text, __VA_ARGS__ }

#define IIO_CLOCK(address, list, bits) \
	FREE_RUNNING(address, list, bits, "ioclk", "clock ticks of the I/O stack", false, .umask = 0x10)
/*
 * A count is 4 bytes on Skylake-SP. On later parts it is 32 bytes for data coming in, and a request of any size for
 * data going out. (Linux used 4 bytes for all until 2025: "Fix the scale of IIO free running counters".)
 */
#define IIO_BYTES(n) .scale = (n) / 1048576.0, .unit = "MiB"
#define IIO_IN(address, list, bits, port, others, n) \
	FREE_RUNNING(address, list, bits, "bw_in_port" #port, \
		     "data from the device behind port " #port " to memory", others, IIO_BYTES(n), \
		     .umask = 0x20 + (port))
/* @mask: after Skylake-SP, counters of data going out have unit masks 0x30 and up; on Skylake-SP 0x24 and up. */
#define IIO_OUT(address, list, bits, port, others, mask, ...) \
	FREE_RUNNING(address, list, bits, "bw_out_port" #port, \
		     "data to the device behind port " #port, others, __VA_ARGS__, .umask = (mask))

/* Eight ports whose registers are @by apart; Snow Ridge and later. */
#define IIO_IN8(address, by, others) \
	IIO_IN(address, um_count48_fields, 48, 0, others, 32), \
	IIO_IN((address) + (by), um_count48_fields, 48, 1, others, 32), \
	IIO_IN((address) + 2 * (by), um_count48_fields, 48, 2, others, 32), \
	IIO_IN((address) + 3 * (by), um_count48_fields, 48, 3, others, 32), \
	IIO_IN((address) + 4 * (by), um_count48_fields, 48, 4, others, 32), \
	IIO_IN((address) + 5 * (by), um_count48_fields, 48, 5, others, 32), \
	IIO_IN((address) + 6 * (by), um_count48_fields, 48, 6, others, 32), \
	IIO_IN((address) + 7 * (by), um_count48_fields, 48, 7, others, 32)
#define IIO_OUT8(address, by, others) \
	IIO_OUT(address, um_count48_fields, 48, 0, others, 0x30, .scale = 0), \
	IIO_OUT((address) + (by), um_count48_fields, 48, 1, others, 0x31, .scale = 0), \
	IIO_OUT((address) + 2 * (by), um_count48_fields, 48, 2, others, 0x32, .scale = 0), \
	IIO_OUT((address) + 3 * (by), um_count48_fields, 48, 3, others, 0x33, .scale = 0), \
	IIO_OUT((address) + 4 * (by), um_count48_fields, 48, 4, others, 0x34, .scale = 0), \
	IIO_OUT((address) + 5 * (by), um_count48_fields, 48, 5, others, 0x35, .scale = 0), \
	IIO_OUT((address) + 6 * (by), um_count48_fields, 48, 6, others, 0x36, .scale = 0), \
	IIO_OUT((address) + 7 * (by), um_count48_fields, 48, 7, others, 0x37, .scale = 0)

/* Bounds: a port of 16 lanes moves 16 GB/s (PCIe 3) to 64 GB/s (PCIe 5); a count is at least 4 bytes. */
#define FREE_RUNNING_BOUNDS .max_clock_hz = 1000000000u, .max_increment = 32

/* The last arguments are initializers of struct um_units. */
#define IIO_FREE_RUNNING(list, ...) { \
	.name = "iio_free_running", .kernel = "uncore_iio_free_running", .scope = SCOPE, \
	.desc = "free-running counters of the I/O stacks", \
	.units = { __VA_ARGS__ }, NO_COUNTERS, LIST(fixed, list), FREE_RUNNING_BOUNDS, .source = FREE_RUNNING_SOURCE }

#endif
