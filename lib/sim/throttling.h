/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Throttling of the simulated machine: the registers and features with which a processor can show it (processor.c), and
 * the effect of episodes on a core or package up to a given time (throttling.c). Programs see the effect through
 * platform_registers.c and heat_files.c.
 */
#ifndef UM_SIM_THROTTLING_H
#define UM_SIM_THROTTLING_H

#include "sim/workload.h"

/* Features that show throttling, from CPUID leaves 1 and 6 and the model. Bits of um_sim_processor.has. */
enum um_sim_means {
	UM_SIM_INTEL = 1 << 0,
	UM_SIM_AMD_PSTATE = 1 << 1,    /* P-state MSRs of AMD and Hygon */
	UM_SIM_DTS = 1 << 2,           /* leaf 1 EDX bit 22: 0x19a to 0x19c */
	UM_SIM_TM2 = 1 << 3,           /* leaf 1 ECX bit 8: thresholds */
	UM_SIM_PLN = 1 << 4,           /* leaf 6 EAX bit 4: power limit notification */
	UM_SIM_PKG = 1 << 5,           /* leaf 6 EAX bit 6: package status */
	UM_SIM_HWP = 1 << 6,           /* leaf 6 EAX bit 7 */
	UM_SIM_APERF = 1 << 7,         /* leaf 6 ECX bit 0 */
	UM_SIM_TARGET = 1 << 8,        /* Nehalem and later: 0x34, 0xce, 0x1a2, 0x1fc */
	UM_SIM_RATIO_HIGH = 1 << 9,    /* Sandy Bridge and later: ratios in bits 15:8 */
	UM_SIM_RAPL = 1 << 10,         /* 0x606, 0x610 */
	UM_SIM_PKG_TIME = 1 << 11,     /* 0x613 */
	UM_SIM_DRAM_TIME = 1 << 12,    /* 0x618, 0x61b */
	UM_SIM_DRAM_CONST = 1 << 13,   /* 0x61b always reads the same value */
	UM_SIM_PP0_TIME = 1 << 14,     /* 0x63b */
	UM_SIM_690_CLIENT = 1 << 15,   /* 0x690: limit reasons, client layout */
	UM_SIM_690_SERVER = 1 << 16,   /* 0x690: limit reasons, server layout */
	UM_SIM_690_LBR = 1 << 17,      /* 0x690: a last-branch record */
	UM_SIM_64F = 1 << 18,
	UM_SIM_6B0 = 1 << 19,
	UM_SIM_6B1 = 1 << 20,          /* 0x6b1 shows reasons (client parts) */
	UM_SIM_6B1_ZERO = 1 << 21,     /* 0x6b1 always reads 0 (Xeons) */
	UM_SIM_READOUT = 1 << 22,      /* leaf 6 EAX bit 0: digital readout */
	UM_SIM_PLR = 1 << 23,          /* limit reasons in TPMI memory, and the driver that shows them */
	/* The kernel counts thermal interrupts (therm_throt.c): only on Intel, and never in a virtual machine. */
	UM_SIM_COUNTED = 1 << 24,
};

struct um_sim_processor {
	unsigned has;
	unsigned target;      /* degrees C */
	uint64_t power_ctl;   /* 0x1fc */
	uint64_t power_limit; /* 0x610 */
};

/* Find the processor's features; CPUID must have been described before. 0; -ENOMEM. */
int um_sim_processor_new(struct uncoremsr_sim *sim) UM_MUST_CHECK;
/* Does the processor have all of these features? */
static inline bool um_sim_has(const struct uncoremsr_sim *sim, unsigned means)
{
	return (sim->processor->has & means) == means;
}

enum um_sim_cause {
	UM_SIM_CORE_THERMAL, UM_SIM_PACKAGE_THERMAL, UM_SIM_CRITICAL, UM_SIM_PROCHOT, UM_SIM_POWER,
	UM_SIM_CURRENT, UM_SIM_VR, UM_SIM_CROSS, UM_SIM_DIMM, UM_SIM_MODULATION, UM_SIM_SMI,
	UM_SIM_FIRMWARE, UM_SIM_OTHER, UM_SIM_CAUSES
};

/* An episode: when and where a cause holds. */
struct um_sim_throttle {
	enum um_sim_cause cause;
	struct um_sim_episodes when;
	int core;        /* core_id, or -1: the whole package */
	int die;         /* id of the die in its package, or -1: all dies */
	bool events;     /* the Westmere uncore's throttling events count this episode too */
	uint64_t rate;   /* SMIs per second */
	unsigned loss;   /* loss of frequency, in 1/1000 */
};

extern const struct um_sim_cause_kind {
	const char *name;
	unsigned loss;     /* usual loss of frequency, in 1/1000 */
	bool on_cores;     /* the cause may hold on one core alone */
	/* Features that can show the cause, as bits; the processor must have one of them. 0: no feature is needed. */
	unsigned shown_by;
} um_sim_cause_kinds[UM_SIM_CAUSES];

/* A die of a package (core -1) or one of its cores. */
struct um_sim_subject {
	int package, core, die;
};

/* The core of a CPU, and its die. Package registers exist once per die. */
struct um_sim_subject um_sim_core_of(const struct uncoremsr_sim *sim, unsigned cpu);
struct um_sim_subject um_sim_package_of(const struct uncoremsr_sim *sim, unsigned cpu);

/* Causes that hold at @ns, as bits. */
unsigned um_sim_causes(const struct uncoremsr_sim *sim, struct um_sim_subject s, uint64_t ns);
/* Total time of a cause's episodes until @ns. Times of overlapping episodes are added up. */
um_u128 um_sim_cause_ns(const struct uncoremsr_sim *sim, struct um_sim_subject s, enum um_sim_cause cause, uint64_t ns);
/* Has the cause held after @since? */
bool um_sim_logged(const struct uncoremsr_sim *sim, uint64_t since, enum um_sim_cause cause, struct um_sim_subject s);

/*
 * @begun: number of episodes that have begun. The other members are about episodes that have ended: their total time,
 * the longest time, and the end of the last one.
 */
struct um_sim_past {
	uint64_t begun, total_ns, max_ns, last_end;
};
struct um_sim_past um_sim_past(const struct uncoremsr_sim *sim, struct um_sim_subject s, enum um_sim_cause cause);

/* um_sim_speed(): the current clock in 1/1000 of the nominal one. um_sim_aperf(): clock cycles since time 0. */
unsigned um_sim_speed(const struct uncoremsr_sim *sim, struct um_sim_subject s);
uint64_t um_sim_aperf(const struct uncoremsr_sim *sim, struct um_sim_subject s);
/* Temperature of a core or die, in whole degrees C below the limit. */
unsigned um_sim_below(const struct uncoremsr_sim *sim, struct um_sim_subject s);
uint64_t um_sim_smis(const struct uncoremsr_sim *sim, struct um_sim_subject s);

/* Called when the description is complete: compute the effect of the episodes on uncore events and on the frequency. */
int um_sim_finish_throttles(struct uncoremsr_sim *sim, struct um_error *e) UM_MUST_CHECK;

#endif
