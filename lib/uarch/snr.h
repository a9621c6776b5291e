/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the boxes of Snow Ridge and Ice Lake-SP have in common. Facts as in pmon.h. */
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

#endif
