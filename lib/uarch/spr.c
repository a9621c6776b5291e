/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Sapphire Rapids (family 6 model 8F) and Emerald Rapids (CF): the boxes whose addresses are known
 * without the firmware's discovery table.
 *
 * MSR 2FFE has the number of CHAs. The kernel trusts it more than the discovery table, which is wrong on some parts. On
 * large Emerald Rapids the MSR reads 0. Bit 0 of the global control 2FF0 freezes all boxes; we read it, but never write
 * it. On Alder Lake bit 29 of the same address enables everything.
 */
#include "uarch/spr.h"

#define SCOPE UM_SCOPE_DIE
#define GLOBAL_FREEZE PMON_OTHER(0x2ff0, "MSR_PMON_GLOBAL_CTL", "freezes and unfreezes all boxes", \
			      spr_global_fields, BIT(0))
#define GLOBAL_STOP { .reg = GLOBAL_FREEZE, .mask = BIT(0), .value = 0 }
#define SOURCE "Intel PCM types.h; Linux uncore_discovery.c and uncore_snbep.c (spr)"
#define FREE_RUNNING_SOURCE "Linux uncore_snbep.c (spr)"

static const struct um_extra cha_extras[] = { SPR_CHA_EXTRAS };

static const struct um_constraint iio_constraints[] = {
	ONLY(0x02, COUNTERS_0_1), ONLY(0x03, COUNTERS_0_1), ONLY(0x83, COUNTERS_0_1),
	ONLY(0xc0, COUNTERS_2_3), ONLY(0xd5, COUNTERS_2_3),
};

static const struct um_fixed iio_free[] = {
	IIO_CLOCK(0x340e, um_count48_fields, 48),
	IIO_IN8(0x3800, 1, false),
	IIO_OUT8(0x3808, 1, false),
};

static const struct um_fixed ubox_fixed[] = { PMON_CLOCK(0x2fde, 0x2fdf, 48) };
static const struct um_constraint ubox_constraints[] = {
	ONLY(0x4c, COUNTER_0), ONLY(0x4d, COUNTER_0), ONLY(0x4e, COUNTER_0),
	ONLY(0x4f, COUNTER_0),
};

static const struct um_pmu pmus[] = {
	SPR_CHA(cha_extras, false, .max = 60, .msr = 0x2ffe, .width = 16,
		.zero_means_probe = true),
	SPR_IIO(0x3000, 12, iio_constraints),
	IIO_FREE_RUNNING(iio_free, .from = UM_UNITS_PROBE, .max = 12, .stride = 0x10),
	SPR_IRP(0x3400, 12),
	SPR_UBOX(0x2fd0, ubox_fixed, LIST(constraints, ubox_constraints)),
	SPR_DISCOVERY_BOXES("uncore_mdf"),
	OUT_OF_REACH("m2pcie", M2PCIE_DESC, UM_REACH_DISCOVERY, "uncore_m2pcie"),
	OUT_OF_REACH("m2m", "mesh to memory", UM_REACH_PCI, "uncore_m2m"),
	OUT_OF_REACH("upi", "UPI links", UM_REACH_PCI, "uncore_upi"),
	OUT_OF_REACH("m3upi", "mesh to UPI", UM_REACH_PCI, "uncore_m3upi"),
	OUT_OF_REACH("imc", "memory controller channels", UM_REACH_MMIO, "uncore_imc"),
	OUT_OF_REACH("hbm", "on-package memory", UM_REACH_MMIO, "uncore_hbm"),
	OUT_OF_REACH("cxlcm", "CXL cache and memory", UM_REACH_MMIO, "uncore_cxlcm"),
	OUT_OF_REACH("cxldp", "CXL data path", UM_REACH_MMIO, "uncore_cxldp"),
};

static const struct um_reg regs[] = {
	GLOBAL_FREEZE,
	PMON_OTHER(0x2ffe, "MSR_UNC_CBO_CONFIG", "how many CHAs there are", spr_count_fields, LOW(16)),
};

const struct um_uarch um_uarch_sapphirerapids = {
	.name = "sapphirerapids", .title = "Sapphire Rapids", .scope = SCOPE,
	LIST(regs, regs), LIST(pmus, pmus),
};

const struct um_uarch um_uarch_emeraldrapids = {
	.name = "emeraldrapids", .title = "Emerald Rapids", .scope = SCOPE,
	LIST(regs, regs), LIST(pmus, pmus),
};
