/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Haswell-EP and EX (family 6 model 3F): the boxes of hswep.h.
 *
 * Parts with few cores have only two SBOXes. The kernel finds the number in CAPID4 in PCI config space; we probe them,
 * because reading an absent one faults. Only one bit of an SBOX's box control can be set per write. Counters of the U
 * box and the SBOX have 44 bits in the kernel, 48 in LIKWID.
 */
#define SCOPE UM_SCOPE_PACKAGE
#define SOURCE "Linux uncore_snbep.c (hswep); LIKWID; Intel PCM"
#define GLOBAL_SOURCE "LIKWID; Intel PCM; edk2"
#include "uarch/hswep.h"

/* Source: Linux, which is stricter than Intel's event list: the list allows event 09 on counters 0 and 1. */
static const struct um_constraint cbo_constraints[] = {
	ONLY(0x01, COUNTER_0), ONLY(0x09, COUNTER_0), ONLY(0x11, COUNTER_0),
	ONLY(0x36, COUNTER_0), ONLY(0x38, COUNTERS_0_1), ONLY(0x3b, COUNTER_0),
	ONLY(0x3e, COUNTER_0),
};

static const struct um_pmu pmus[] = {
	CBO(18), SBOX(PMON_COUNTERS_44_OR_48(0x726, 4, "S%b")), UBOX(PMON_COUNTERS_44_OR_48(0x709, 2, "U")), PCU(),
	NO_MSR_BOXES,
};

const struct um_uarch um_uarch_haswell_ep = {
	.name = "haswell-ep", .title = "Haswell-EP", .scope = SCOPE,
	LIST(regs, regs), LIST(pmus, pmus),
};
