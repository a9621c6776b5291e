/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Ice Lake-SP (family 6 model 6A) and Ice Lake-D (6C): CHAs 0xE apart with a gap after the 18th
 * and a jump back to B60 at the 35th, I/O stacks at A40 to B27 with holes between them.
 *
 * The number of CHAs is read from MSR 702, as in Intel PCM (the kernel counts bits in PCI config space). The kernel's
 * list has 40 CHAs, Intel PCM's 42.
 */
#include "uarch/snr.h"

#define SCOPE UM_SCOPE_DIE
#define SOURCE "Linux uncore_snbep.c (icx); LIKWID; Intel PCM"
#define GLOBAL_SOURCE "LIKWID; Intel PCM"
#define FREE_RUNNING_SOURCE SOURCE

#include "uarch/skx.h"

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
	},
	SNR_IIO(0xa58, 0xa51, 0xa50, .units = { .max = 6, .offsets = iio_offsets },
		.note = "stacks 0 to 4 are PCIe 1 to 5, 5 is CBDMA and DMI"),
	IIO_FREE_RUNNING(iio_free, .max = 6, .offsets = iio_offsets, .other_offsets = bandwidth_offsets),
	SNR_IRP(0xa4d, 0xa4b, 0xa4a, .units = { .max = 6, .offsets = iio_offsets }),
	SNR_M2PCIE(0xa46, 0xa41, 0xa40, .units = { .max = 6, .offsets = iio_offsets }),
	UBOX, PCU,
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
