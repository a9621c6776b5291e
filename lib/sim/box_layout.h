/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Where the registers of simulated boxes are: addresses, widths, numbers. A second description,
 * written without lib/uarch and from another source than its table wherever there is one, so that
 * one error cannot stand on both sides. tests/unit/test_second.c compares the two.
 */
#ifndef UM_SIM_BOX_LAYOUT_H
#define UM_SIM_BOX_LAYOUT_H

#include <stddef.h>
#include <stdint.h>

/* Processors whose boxes are alike have one flag. */
enum {
	UM_SIM_NHM_EX = 1 << 0, UM_SIM_SNB = 1 << 1, UM_SIM_SKL = 1 << 2, UM_SIM_ICL = 1 << 3,
	UM_SIM_ADL = 1 << 4, UM_SIM_MTL = 1 << 5, UM_SIM_LNL = 1 << 6, UM_SIM_PTL = 1 << 7,
	UM_SIM_NVL = 1 << 8, UM_SIM_SNBEP = 1 << 9, UM_SIM_IVBEP = 1 << 10, UM_SIM_HSX = 1 << 11,
	UM_SIM_BDX = 1 << 12, UM_SIM_KNL = 1 << 13, UM_SIM_SKX = 1 << 14, UM_SIM_SNR = 1 << 15,
	UM_SIM_ICX = 1 << 16, UM_SIM_SPR = 1 << 17, UM_SIM_GNR = 1 << 18, UM_SIM_ZEN = 1 << 19,
	UM_SIM_ZEN3 = 1 << 20, UM_SIM_ZEN4 = 1 << 21, UM_SIM_FAM15 = 1 << 22,
	UM_SIM_FAM16 = 1 << 23, UM_SIM_WSM_EX = 1 << 24, UM_SIM_BDE = 1 << 25,
	UM_SIM_GRR = 1 << 26, UM_SIM_TGL = 1 << 27,
};

/* There is one copy of a register per... */
enum um_sim_scope {
	UM_SIM_PER_PACKAGE, UM_SIM_PER_DIE, UM_SIM_PER_NODE, UM_SIM_PER_L3, UM_SIM_PER_CORE,
	UM_SIM_SCOPES,
};

/*
 * Who says so. LINUX: arch/x86/events/intel/uncore_{snb,snbep,nhmex}.c, amd/uncore.c. LIKWID:
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
 * A register that holds what is written. @msr: of unit 0; the others follow as the selectors do.
 * W1C: a bit for each counter that has wrapped; writing 1 clears it. The same is one that is RO with
 * one behind it that is WO and clears.
 */
struct um_sim_plain {
	uint32_t msr;
	enum um_sim_access { UM_SIM_RW, UM_SIM_RO, UM_SIM_WO, UM_SIM_W1C } access;
	uint64_t valid;               /* a write that sets another bit faults */
	uint8_t apart;                /* distance of the units here; 0: as the selectors */
	/* Of a register that belongs to no unit; others are from where their layout is. */
	enum um_sim_scope scope;
	enum um_sim_from from;
};

/* A counter that counts one thing; @control 0: it always runs and cannot be written. */
struct um_sim_fixed {
	uint32_t control, counter;    /* of unit 0 */
	uint8_t width;
	const char *name;
	const int32_t *offsets;       /* of each unit from unit 0; NULL: as the selectors */
};

/* An event select, bits 7:0 under @mask, that only some counters can count. */
struct um_sim_only {
	uint8_t mask, event, counters;
};

struct um_sim_layout {
	uint32_t families;
	const char *pmu;
	enum um_sim_scope scope;
	/* ALL: @max; the others at most that. MSR: @tells holds the number. */
	enum um_sim_units { UM_SIM_UNITS_ALL, UM_SIM_UNITS_CORES, UM_SIM_UNITS_MSR,
			    UM_SIM_UNITS_UMC } units;
	unsigned max;
	uint32_t apart;               /* distance of the units; or */
	const int32_t *offsets;       /* of each unit from unit 0 */
	uint32_t tells;
	uint32_t selector, counter;   /* number 0 of unit 0 */
	uint8_t num, step, width;     /* counters of a unit; their distance (0: 1); bits */
	uint32_t control;             /* box control of unit 0; 0: none */
	const struct um_sim_fixed *fixed;
	size_t num_fixed;
	const struct um_sim_plain *plain;
	size_t num_plain;
	const struct um_sim_only *only;
	size_t num_only;
	/* @also: of what @from has not, and the table took from there too. */
	enum um_sim_from from, also;
};

extern const struct um_sim_layout um_sim_layouts[];
extern const size_t um_sim_num_layouts;

/* How far unit @unit is from unit 0. */
uint32_t um_sim_unit_offset(const struct um_sim_layout *l, unsigned unit);

#endif
