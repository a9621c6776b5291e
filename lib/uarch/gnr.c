/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Granite Rapids (family 6 models AD and AE), Sierra Forest (AF), Clearwater Forest (DD): the boxes
 * whose addresses are known without the firmware's discovery table.
 *
 * MSR 3FED has the number of CHAs; there is room for 144 before the I/O stacks begin. The U box has its fixed counter
 * before the control; on Sapphire Rapids it is the reverse. Intel PCM does not say that its list holds for Clearwater
 * Forest, but the kernel uses the Granite Rapids driver for it.
 */
#include "uarch/spr.h"

#define SCOPE UM_SCOPE_DIE
#define GLOBAL_STOP
#define SOURCE "Intel PCM types.h; Linux uncore_discovery.c and uncore_snbep.c (gnr)"
#define FREE_RUNNING_SOURCE "Linux uncore_snbep.c (gnr)"

static const struct um_extra cha_extras[] = { SPR_CHA_EXTRAS };

static const struct um_constraint iio_constraints[] = {
	ONLY(0x83, COUNTERS_0_1), ONLY(0x84, COUNTERS_0_1), ONLY(0xc0, COUNTERS_2_3),
	ONLY(0xc1, COUNTERS_2_3), ONLY(0xc5, COUNTERS_2_3), ONLY(0xd5, COUNTERS_2_3),
};

/*
 * The free-running counters of a stack's ports are 0x10 apart; those of the same port in adjacent stacks are 0x80
 * apart. The clocks of adjacent stacks are only 0x10 apart, as are the registers of the boxes.
 */
static const struct um_fixed iio_free[] = {
	IIO_CLOCK(0x290e, um_count48_fields, 48),
	IIO_IN8(0x360e, 0x10, true),
	IIO_OUT8(0x2e0e, 0x10, true),
};

static const struct um_fixed ubox_fixed[] = { PMON_CLOCK(0x3ffe, 0x3ffd, 48) };

/* A macro, because C cannot put one constant table into another. */
#define PMUS(cha_unsure) { \
	SPR_CHA(cha_extras, cha_unsure, .max = 144, .msr = 0x3fed, .width = 9), \
	SPR_IIO(0x2900, 16, iio_constraints), \
	IIO_FREE_RUNNING(iio_free, .from = UM_UNITS_PROBE, .max = 16, .stride = 0x10, .other_stride = 0x80), \
	SPR_IRP(0x2a00, 16), \
	SPR_UBOX(0x3ff0, ubox_fixed, .num_constraints = 0), \
	SPR_DISCOVERY_BOXES("uncore_mdf_sbo"), \
	OUT_OF_REACH("upi", "UPI links", UM_REACH_PCI, "uncore_upi"), \
	OUT_OF_REACH("b2upi", "mesh to UPI", UM_REACH_PCI, "uncore_b2upi"), \
	OUT_OF_REACH("b2cmi", "mesh to memory", UM_REACH_MMIO, "uncore_b2cmi"), \
	OUT_OF_REACH("b2hot", "mesh to I/O", UM_REACH_MMIO, "uncore_b2hot"), \
	OUT_OF_REACH("b2cxl", "mesh to CXL", UM_REACH_MMIO, "uncore_b2cxl"), \
	OUT_OF_REACH("cxlcm", "CXL cache and memory", UM_REACH_MMIO, "uncore_cxlcm"), \
	OUT_OF_REACH("cxldp", "CXL data path", UM_REACH_MMIO, "uncore_cxldp"), \
	OUT_OF_REACH("imc", "memory controller channels", UM_REACH_MMIO, "uncore_imc"), \
}

static const struct um_pmu pmus[] = PMUS(false);
static const struct um_pmu clearwater_pmus[] = PMUS(true);

static const struct um_reg regs[] = {
	PMON_OTHER(0x3fed, "MSR_UNC_CBO_CONFIG", "how many CHAs there are", gnr_count_fields, LOW(9)),
};

const struct um_uarch um_uarch_graniterapids = {
	.name = "graniterapids", .title = "Granite Rapids", .scope = SCOPE,
	LIST(regs, regs), LIST(pmus, pmus),
};

const struct um_uarch um_uarch_sierraforest = {
	.name = "sierraforest", .title = "Sierra Forest", .scope = SCOPE,
	LIST(regs, regs), LIST(pmus, pmus),
};

const struct um_uarch um_uarch_clearwaterforest = {
	.name = "clearwaterforest", .title = "Clearwater Forest", .scope = SCOPE,
	LIST(regs, regs), LIST(pmus, clearwater_pmus),
};
