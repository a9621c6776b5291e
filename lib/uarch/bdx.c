/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Broadwell-EP and EX (family 6 model 4F), Broadwell-DE (56): as Haswell-EP, with up to 24 C-boxes
 * and wider counters. Some parts of model 4F have four SBOXes, others none; model 56 never has one. The
 * SBOX's selectors store the event only if they are written twice (LIKWID quotes Intel for it).
 */
#define SCOPE UM_SCOPE_PACKAGE
#define SOURCE "Linux uncore_snbep.c (bdx); LIKWID; Intel PCM"
#define GLOBAL_SOURCE "LIKWID; Intel PCM; edk2"
#include "uarch/hswep.h"

static const struct um_constraint cbo_constraints[] = {
	ONLY(0x09, COUNTERS_0_1), ONLY(0x11, COUNTER_0), ONLY(0x36, COUNTER_0),
	ONLY(0x3e, COUNTER_0),
};

/* Events that use the occupancy of cores (bit 7) cannot count on counter 0. */
static const struct um_constraint pcu_constraints[] = {
	{ .mask = BIT(7), .value = BIT(7), .counters = 0xe },
};

static const struct um_pmu ep_pmus[] = {
	CBO(24), UBOX(PMON_COUNTERS(0x709, 2, "U", 48)), PCU(LIST(constraints, pcu_constraints)),
	SBOX(PMON_COUNTERS(0x726, 4, "S%b", 48)), NO_MSR_BOXES,
};

static const struct um_pmu de_pmus[] = {
	CBO(24), UBOX(PMON_COUNTERS(0x709, 2, "U", 48)), PCU(LIST(constraints, pcu_constraints)), NO_MSR_BOXES,
};

const struct um_uarch um_uarch_broadwell_ep = {
	.name = "broadwell-ep", .title = "Broadwell-EP", .scope = SCOPE,
	LIST(regs, regs), LIST(pmus, ep_pmus),
};

const struct um_uarch um_uarch_broadwell_de = {
	.name = "broadwell-de", .title = "Broadwell-DE", .scope = SCOPE,
	LIST(regs, regs), LIST(pmus, de_pmus),
};
