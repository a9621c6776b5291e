/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Registers of simulated boxes: addresses, widths, numbers. This is a second description, independent of lib/uarch. It
 * uses another source wherever there is one, so that no error is in both. tests/unit/test_second.c compares the two.
 */
#ifndef UM_SIM_BOX_LAYOUT_H
#define UM_SIM_BOX_LAYOUT_H

#include <stddef.h>
#include <stdint.h>

#include "sim/machine.h"

/* Flags of processors. Processors with the same boxes share a flag. */
enum {
	UM_SIM_NHM_EX = 1 << 0, UM_SIM_SNB = 1 << 1, UM_SIM_SKL = 1 << 2, UM_SIM_ICL = 1 << 3,
	UM_SIM_ADL = 1 << 4, UM_SIM_MTL = 1 << 5, UM_SIM_LNL = 1 << 6, UM_SIM_PTL = 1 << 7,
	UM_SIM_NVL = 1 << 8, UM_SIM_SNBEP = 1 << 9, UM_SIM_IVBEP = 1 << 10, UM_SIM_HSX = 1 << 11,
	UM_SIM_BDX = 1 << 12, UM_SIM_KNL = 1 << 13, UM_SIM_SKX = 1 << 14, UM_SIM_SNR = 1 << 15,
	UM_SIM_ICX = 1 << 16, UM_SIM_SPR = 1 << 17, UM_SIM_GNR = 1 << 18, UM_SIM_ZEN = 1 << 19,
	UM_SIM_ZEN3 = 1 << 20, UM_SIM_ZEN4 = 1 << 21, UM_SIM_FAM15 = 1 << 22,
	UM_SIM_FAM16 = 1 << 23, UM_SIM_WSM_EX = 1 << 24, UM_SIM_BDE = 1 << 25,
	UM_SIM_GRR = 1 << 26, UM_SIM_TGL = 1 << 27, UM_SIM_NHM = 1 << 28, UM_SIM_WSM = 1 << 29,
};

/*
 * Source of a row. LINUX: arch/x86/events/intel/uncore_{snb,snbep,nhmex}.c, amd/uncore.c. LIKWID:
 * registers.h, perfmon_*.h. PCM: Intel PCM's types.h. EDK2: MdePkg Register/Intel/Msr. GUIDE: Intel's
 * uncore performance monitoring guides. COREFREQ: CoreFreq intel_reg.h. FREEBSD: hwpmc_uncore.h,
 * hwpmc_amd.h. LIBPFM4: pfmlib_intel_snbep_unc_priv.h. SDM: volume 3, "Uncore performance monitoring".
 */
enum um_sim_from {
	UM_SIM_FROM_NOBODY, UM_SIM_FROM_LINUX, UM_SIM_FROM_LIKWID, UM_SIM_FROM_PCM, UM_SIM_FROM_EDK2,
	UM_SIM_FROM_GUIDE, UM_SIM_FROM_COREFREQ, UM_SIM_FROM_FREEBSD, UM_SIM_FROM_LIBPFM4,
	UM_SIM_FROM_SDM,
};

/*
 * A plain register holds what is written to it. @msr: address in unit 0. W1C: overflow status, a bit for each counter;
 * writing 1 clears the bit. Some processors have a read-only status (RO) that a write to the next register (WO) clears.
 */
struct um_sim_plain {
	uint32_t msr;
	enum um_sim_access { UM_SIM_RW, UM_SIM_RO, UM_SIM_WO, UM_SIM_W1C } access;
	uint64_t valid;               /* a write that sets another bit faults */
	uint8_t apart;                /* distance between units; 0: the distance of their selectors */
	/* For a register that belongs to no unit. For a register of units, see these members of the layout. */
	enum um_sim_scope scope;
	enum um_sim_from from, also;
};

/* A fixed counter. @control 0: the counter is free running and cannot be written. */
struct um_sim_fixed {
	uint32_t control, counter;    /* addresses in unit 0 */
	uint8_t width;
	const char *name;
	const int32_t *offsets;       /* offset of each unit from unit 0; NULL: the offset of the unit's selectors */
};

/* An event that only some counters can count. It matches event selects whose bits in @mask equal @event. */
struct um_sim_only {
	uint8_t mask, event, counters;
};

struct um_sim_layout {
	uint32_t families;
	const char *pmu;
	enum um_sim_scope scope;
	/* Source of the number of units, which is at most @max. MSR: register @tells reports it. */
	enum um_sim_units { UM_SIM_UNITS_ALL, UM_SIM_UNITS_CORES, UM_SIM_UNITS_MSR, UM_SIM_UNITS_UMC } units;
	unsigned max;
	uint32_t apart;               /* distance between units; not used with @offsets */
	const int32_t *offsets;       /* distance of each unit from unit 0 */
	uint32_t tells;
	uint32_t selector, counter;   /* addresses of selector 0 and counter 0 in unit 0 */
	uint8_t num, step, width;     /* counters per unit, address step (0 means 1), width in bits */
	uint32_t control;             /* box control of unit 0; 0: none */
	const struct um_sim_fixed *fixed;
	size_t num_fixed;
	const struct um_sim_plain *plain;
	size_t num_plain;
	const struct um_sim_only *only;
	size_t num_only;
	/* @also: a second source for facts that @from lacks. It may be the source that lib/uarch uses. */
	enum um_sim_from from, also;
};

extern const struct um_sim_layout um_sim_layouts[];
extern const size_t um_sim_num_layouts;

/* Distance of the registers of unit @unit from those of unit 0. */
uint32_t um_sim_unit_offset(const struct um_sim_layout *l, unsigned unit);

#endif
