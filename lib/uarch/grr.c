/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Grand Ridge (family 6 model B6): as Granite Rapids, with three I/O stacks. Its U box is at 3F50, with the fixed
 * control before the counter.
 */
#include "uarch/spr.h"

#define SCOPE UM_SCOPE_DIE
#define GLOBAL_STOP
#define SOURCE "Intel PCM types.h; Linux uncore_discovery.c and uncore_snbep.c (gnr)"

static const struct um_extra cha_extras[] = { SPR_CHA_EXTRAS };

static const struct um_constraint iio_constraints[] = {
	ONLY(0x83, COUNTERS_0_1), ONLY(0x84, COUNTERS_0_1), ONLY(0xc0, COUNTERS_2_3),
	ONLY(0xc1, COUNTERS_2_3), ONLY(0xd5, COUNTERS_2_3),
};

static const struct um_fixed ubox_fixed[] = { PMON_CLOCK(0x3f5e, 0x3f5f, 48) };

static const struct um_pmu pmus[] = {
	SPR_CHA(cha_extras, false, .max = 144, .msr = 0x3fed, .width = 9),
	SPR_IIO(0x2900, 3, iio_constraints),
	SPR_IRP(0x2a00, 3),
	SPR_UBOX(0x3f50, ubox_fixed, .num_constraints = 0),
	SPR_DISCOVERY_BOXES("uncore_mdf_sbo"),
	OUT_OF_REACH("b2cmi", "mesh to memory", UM_REACH_MMIO, "uncore_b2cmi"),
	OUT_OF_REACH("imc", "memory controller channels", UM_REACH_MMIO, "uncore_imc"),
};

static const struct um_reg regs[] = {
	PMON_OTHER(0x3fed, "MSR_UNC_CBO_CONFIG", "how many CHAs there are", gnr_count_fields, LOW(9)),
};

const struct um_uarch um_uarch_grandridge = {
	.name = "grandridge", .title = "Grand Ridge", .scope = SCOPE,
	LIST(regs, regs), LIST(pmus, pmus),
};
