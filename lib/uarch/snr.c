/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Snow Ridge (family 6 model 86): all boxes at 1C00 to 1FFF. No source has a global control. Each cluster of four cores
 * has a CHA: six on the largest part, fewer on smaller ones.
 */
#include "uarch/iio.h"
#include "uarch/snr.h"

#define SCOPE UM_SCOPE_DIE
#define SOURCE "Linux uncore_snbep.c (snr); Intel PCM"
#define FREE_RUNNING_SOURCE "Linux uncore_snbep.c (snr)"

static const struct um_extra cha_extras[] = { SNR_CHA_EXTRAS(0x1c05) };

static const struct um_fixed iio_free[] = {
	IIO_CLOCK(0x1eac, um_count48_fields, 48),
	IIO_IN8(0x1f00, 1, false),
};

static const struct um_fixed ubox_fixed[] = { PMON_CLOCK(0x1f93, 0x1f94, 48) };

/* There are no occupancy bits: the threshold of eight bits includes bits 30 and 31. */
static const struct um_term pcu_terms[] = { TERMS_PMON(8), TERMS_BANDS };
static const struct um_extra pcu_extras[] = { PCU_BANDS(0x1efc) };

static const struct um_pmu pmus[] = {
	{
		.name = "cha", .kernel = "uncore_cha", .desc = CHA_DESC,
		.scope = SCOPE, .source = SOURCE,
		.units = { .from = UM_UNITS_PROBE, .max = 6, .stride = 0x10 },
		PMON_SELECTOR(0x1c01, 4, "C%b", um_snr_cha_fields, SNR_CHA_BITS),
		PMON_COUNTERS(0x1c08, 4, "C%b", 48), PMON_BOX(0x1c00, "C%b"),
		LIST(terms, um_snr_cha_terms), LIST(extras, cha_extras),
		LIST(constraints, um_cha_constraints), PMON_BOUNDS,
	},
	SNR_IIO(0x1e08, 0x1e01, 0x1e00, .units = { .max = 5, .stride = 0x10 },
		.note = "stack 0 is QAT, 1 CBDMA and DMI, 2 NIS, 3 DLB, 4 PCIe"),
	IIO_FREE_RUNNING(iio_free, .max = 5, .stride = 0x10),
	SNR_IRP(0x1ea8, 0x1ea1, 0x1ea0, .units = { .max = 5, .stride = 0x10 }),
	SNR_M2PCIE(0x1e58, 0x1e51, 0x1e50, .units = { .max = 5, .stride = 0x10 }),
	{
		.name = "ubox", .kernel = "uncore_ubox", .desc = UBOX_DESC,
		.scope = SCOPE, .source = SOURCE, .units = { .max = 1 },
		PMON_SELECTOR(0x1f91, 2, "U", um_pmon8_fields, PMON_BITS_INV(8)),
		PMON_COUNTERS(0x1f98, 2, "U", 48), LIST(terms, um_pmon8_terms),
		LIST(fixed, ubox_fixed), PMON_BOUNDS,
	}, {
		.name = "pcu", .kernel = "uncore_pcu", .desc = PCU_DESC,
		.scope = SCOPE, .source = SOURCE, .units = { .max = 1 },
		PMON_SELECTOR(0x1ef1, 4, "PCU", um_pmon8_fields, PMON_BITS_INV(8)),
		PMON_COUNTERS(0x1ef8, 4, "PCU", 48), PMON_BOX(0x1ef0, "PCU"),
		LIST(terms, pcu_terms), LIST(extras, pcu_extras), LIST(rules, um_pcu_band_rules), PMON_BOUNDS,
	},
	OUT_OF_REACH("m2m", "mesh to memory", UM_REACH_PCI, "uncore_m2m"),
	OUT_OF_REACH("pcie3", "PCIe root ports", UM_REACH_PCI, "uncore_pcie3"),
	OUT_OF_REACH("imc", "memory controller channels", UM_REACH_MMIO, "uncore_imc"),
};

const struct um_uarch um_uarch_snowridge = {
	.name = "snowridge", .title = "Snow Ridge", .scope = SCOPE, LIST(pmus, pmus),
};
