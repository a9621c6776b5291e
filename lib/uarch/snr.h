/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The boxes that Snow Ridge and Ice Lake-SP share. For sources see pmon.h. */
#ifndef UM_UARCH_SNR_H
#define UM_UARCH_SNR_H

#include "uarch/iio.h"

#define SNR_CHA_BITS (PMON_BITS_INV(8) | PMON_TID_EN | BITS(32, 57))
#define SNR_IIO_BITS (PMON_BITS_INV(12) | BITS(36, 50))

#define SNR_CHA_EXTRAS(address) \
	EXTRA(FILTER_TID, LOW(9), PMON_TID_EN, PMON_TID_EN, \
	      PMON_REG(address, 1, "C%b_MSR_PMON_BOX_FILTER0", "thread whose events the box counts", \
		       um_snr_filter_fields, LOW(9), LOW(9), 0))

static const struct um_term um_snr_cha_terms[] = {
	TERM_EVENT, TERM_IN("umask", "unit mask", BITS(8, 15) | BITS(32, 57)), TERM_EDGE, TERM_INV,
	TERM_THRESH("thresh", 8), TERM_TID_EN(19), TERM_FILTER_TID(9, PMON_TID_EN),
};

static const struct um_constraint um_cha_constraints[] = {
	ONLY(0x11, COUNTER_0), ONLY(0x36, COUNTER_0),
};
static const struct um_constraint um_snr_iio_constraints[] = {
	ONLY(0x02, COUNTERS_0_1), ONLY(0x03, COUNTERS_0_1), ONLY(0x83, COUNTERS_0_1),
	ONLY(0x88, COUNTERS_2_3), ONLY(0xc0, COUNTERS_2_3), ONLY(0xc5, COUNTERS_2_3),
	ONLY(0xd5, COUNTERS_2_3),
};
static const struct um_constraint um_m2pcie_constraints[] = {
	ONLY(0x14, COUNTERS_0_1), ONLY(0x23, COUNTERS_0_1), ONLY(0x2d, COUNTERS_0_1),
};

/* A table file defines SCOPE and SOURCE. Arguments: addresses of selector, counter and box control; units; a note. */
#define SNR_IIO(selector, counter, box, ...) { \
	.name = "iio", .kernel = "uncore_iio", .desc = IIO_DESC, .scope = SCOPE, .source = SOURCE, __VA_ARGS__, \
	PMON_SELECTOR(selector, 4, "IIO%b", um_snr_iio_fields, SNR_IIO_BITS), \
	PMON_COUNTERS(counter, 4, "IIO%b", 48), PMON_BOX2(box, "IIO%b"), \
	LIST(terms, um_iio12_terms), LIST(defaults, um_iio12_defaults), \
	LIST(constraints, um_snr_iio_constraints), PMON_BOUNDS }
#define SNR_IRP(selector, counter, box, ...) { \
	.name = "irp", .kernel = "uncore_irp", .desc = IRP_DESC, .scope = SCOPE, .source = SOURCE, __VA_ARGS__, \
	PMON_SELECTOR(selector, 2, "IRP%b", um_pmon8_fields, PMON_BITS_INV(8)), \
	PMON_COUNTERS(counter, 2, "IRP%b", 48), PMON_BOX2(box, "IRP%b"), \
	LIST(terms, um_pmon8_terms), PMON_BOUNDS }
#define SNR_M2PCIE(selector, counter, box, ...) { \
	.name = "m2pcie", .kernel = "uncore_m2pcie", .desc = M2PCIE_DESC, .scope = SCOPE, .source = SOURCE, __VA_ARGS__, \
	PMON_SELECTOR(selector, 4, "M2PCIE%b", um_pmon8_fields, PMON_BITS_INV(8)), \
	PMON_COUNTERS(counter, 4, "M2PCIE%b", 48), PMON_BOX2(box, "M2PCIE%b"), \
	LIST(terms, um_pmon8_terms), LIST(constraints, um_m2pcie_constraints), PMON_BOUNDS }

#endif
