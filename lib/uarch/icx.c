/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Ice Lake-SP (family 6 model 6A) and Ice Lake-D (6C): CHAs 0xE apart with a gap after the 18th
 * and a jump back to B60 at the 35th, I/O stacks at A40 to B27 with holes between them.
 *
 * The number of CHAs is read from MSR 702, as in Intel PCM (the kernel counts bits in PCI config space). The kernel's
 * list has 40 CHAs, Intel PCM's 42.
 */
#include "uarch/ep_boxes.h"
#include "uarch/snr.h"

#define SCOPE UM_SCOPE_DIE
#define SOURCE "Linux uncore_snbep.c (icx); LIKWID; Intel PCM"
#define GLOBAL_SOURCE "LIKWID; Intel PCM"
#define FREE_RUNNING_SOURCE SOURCE

#define CHA(address) ((address) - 0xe00)

static const int32_t cha_offsets[] = {
	CHA(0xe00), CHA(0xe0e), CHA(0xe1c), CHA(0xe2a), CHA(0xe38), CHA(0xe46), CHA(0xe54),
	CHA(0xe62), CHA(0xe70), CHA(0xe7e), CHA(0xe8c), CHA(0xe9a), CHA(0xea8), CHA(0xeb6),
	CHA(0xec4), CHA(0xed2), CHA(0xee0), CHA(0xeee), CHA(0xf0a), CHA(0xf18), CHA(0xf26),
	CHA(0xf34), CHA(0xf42), CHA(0xf50), CHA(0xf5e), CHA(0xf6c), CHA(0xf7a), CHA(0xf88),
	CHA(0xf96), CHA(0xfa4), CHA(0xfb2), CHA(0xfc0), CHA(0xfce), CHA(0xfdc), CHA(0xb60),
	CHA(0xb6e), CHA(0xb7c), CHA(0xb8a), CHA(0xb98), CHA(0xba6), CHA(0xbb4), CHA(0xbc2),
};
static const struct um_extra cha_extras[] = { SNR_CHA_EXTRAS(0xe05) };
static const struct um_reg cha_others[] = { PMON_STATUS(0xe07, "C%b", 4) };

static const int32_t iio_offsets[] = { 0, 0x20, 0x40, 0x90, 0xb0, 0xd0 };
static const int32_t bandwidth_offsets[] = { 0, 0x10, 0x20, 0x90, 0xa0, 0xb0 };

static const struct um_fixed iio_free[] = {
	IIO_CLOCK(0xa55, um_count48_fields, 48),
	IIO_IN8(0xaa0, 1, true),
};

static const struct um_fixed ubox_fixed[] = { PMON_CLOCK(0x703, 0x704, 48) };
static const struct um_reg ubox_others[] = { PMON_STATUS(0x708, "U", 2) };

static const struct um_extra pcu_extras[] = { PCU_BANDS(0x715) };
static const struct um_term pcu_terms[] = { PCU_SKX_TERMS };
static const struct um_reg pcu_others[] = { PMON_STATUS(0x716, "PCU", 4) };

static const struct um_pmu pmus[] = {
	{
		.name = "cha", .kernel = "uncore_cha", .desc = CHA_DESC,
		.scope = SCOPE, .source = SOURCE,
		.units = { .from = UM_UNITS_MSR, .max = ARRAY_SIZE(cha_offsets),
			   .offsets = cha_offsets, .msr = 0x702, .width = 6 },
		PMON_SELECTOR(0xe01, 4, "C%b", um_snr_cha_fields, SNR_CHA_BITS),
		PMON_COUNTERS(0xe08, 4, "C%b", 48), PMON_BOX(0xe00, "C%b"),
		LIST(terms, um_snr_cha_terms), LIST(extras, cha_extras),
		LIST(constraints, um_cha_constraints), PMON_OTHERS(cha_others), PMON_BOUNDS,
	}, {
		.name = "iio", .kernel = "uncore_iio", .desc = IIO_DESC,
		.scope = SCOPE, .source = SOURCE, .units = { .max = 6, .offsets = iio_offsets },
		PMON_SELECTOR(0xa58, 4, "IIO%b", um_snr_iio_fields, SNR_IIO_BITS),
		PMON_COUNTERS(0xa51, 4, "IIO%b", 48), PMON_BOX2(0xa50, "IIO%b"),
		LIST(terms, um_iio12_terms), LIST(defaults, um_iio12_defaults),
		LIST(constraints, um_snr_iio_constraints), PMON_BOUNDS,
		.note = "stacks 0 to 4 are PCIe 1 to 5, 5 is CBDMA and DMI",
	},
	IIO_FREE_RUNNING(iio_free, .max = 6, .offsets = iio_offsets, .other_offsets = bandwidth_offsets),
	{
		.name = "irp", .kernel = "uncore_irp", .desc = IRP_DESC,
		.scope = SCOPE, .source = SOURCE, .units = { .max = 6, .offsets = iio_offsets },
		PMON_SELECTOR(0xa4d, 2, "IRP%b", um_pmon8_fields, PMON_BITS_INV(8)),
		PMON_COUNTERS(0xa4b, 2, "IRP%b", 48), PMON_BOX2(0xa4a, "IRP%b"),
		LIST(terms, um_pmon8_terms), PMON_BOUNDS,
	}, {
		.name = "m2pcie", .kernel = "uncore_m2pcie", .desc = M2PCIE_DESC,
		.scope = SCOPE, .source = SOURCE, .units = { .max = 6, .offsets = iio_offsets },
		PMON_SELECTOR(0xa46, 4, "M2PCIE%b", um_pmon8_fields, PMON_BITS_INV(8)),
		PMON_COUNTERS(0xa41, 4, "M2PCIE%b", 48), PMON_BOX2(0xa40, "M2PCIE%b"),
		LIST(terms, um_pmon8_terms), LIST(constraints, um_m2pcie_constraints),
		PMON_BOUNDS,
	}, {
		.name = "ubox", .kernel = "uncore_ubox", .desc = UBOX_DESC,
		.scope = SCOPE, .source = SOURCE, .units = { .max = 1 },
		UBOX_700_SELECTOR, PMON_COUNTERS(0x709, 2, "U", 48),
		LIST(terms, um_pmon5_terms), LIST(fixed, ubox_fixed), PMON_OTHERS(ubox_others),
		PMON_BOUNDS,
	}, {
		.name = "pcu", .kernel = "uncore_pcu", .desc = PCU_DESC,
		.scope = SCOPE, .source = SOURCE, .units = { .max = 1 },
		PCU_SKX_REGISTERS, LIST(terms, pcu_terms), LIST(extras, pcu_extras), LIST(rules, um_pcu_band_rules),
		PMON_OTHERS(pcu_others), PMON_BOUNDS,
	},
	OUT_OF_REACH("m2m", "mesh to memory", UM_REACH_PCI, "uncore_m2m"),
	OUT_OF_REACH("upi", "UPI links", UM_REACH_PCI, "uncore_upi"),
	OUT_OF_REACH("m3upi", "mesh to UPI", UM_REACH_PCI, "uncore_m3upi"),
	OUT_OF_REACH("imc", "memory controller channels", UM_REACH_MMIO, "uncore_imc"),
};

static const struct um_reg regs[] = {
	GLOBAL_CTL(0x700, 61), GLOBAL_CONFIG(0x702), GLOBAL_STATUS(0x70e, "0"),
	GLOBAL_STATUS(0x70f, "1"),
};

const struct um_uarch um_uarch_icelake_sp = {
	.name = "icelake-sp", .title = "Ice Lake-SP", .scope = SCOPE,
	LIST(regs, regs), LIST(pmus, pmus),
};

const struct um_uarch um_uarch_icelake_d = {
	.name = "icelake-d", .title = "Ice Lake-D", .scope = SCOPE,
	LIST(regs, regs), LIST(pmus, pmus),
};
