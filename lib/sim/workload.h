/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The events of a simulated machine, and how often each has happened by a given time. A count depends on the time alone
 * and is computed in 128-bit integers. With a stepped clock it is exact, however often it is read.
 */
#ifndef UM_SIM_WORKLOAD_H
#define UM_SIM_WORKLOAD_H

#include "sim/machine.h"

#define UM_SIM_MAX_EVENTS 2048u /* limit of events and of rates, ten times more than any machine has */

/* PMU numbers that stand for no box; box.h numbers the boxes from 0. */
#define UM_SIM_NO_PMU UINT32_MAX         /* the machine does not have the PMU */
#define UM_SIM_CORE_PMU (UINT32_MAX - 1) /* core PMU; its unit numbers are CPUs */

/* When an event or a cause is active: periodically, in one package or in all. Times are in nanoseconds. */
struct um_sim_episodes {
	uint64_t every, length, phase; /* @every 0: always active; UINT64_MAX: active only once */
	int package;                   /* package id; -1: every package */
};

/* From time 0 to @ns: total time within episodes, and number of episodes that have begun. */
uint64_t um_sim_active_ns(const struct um_sim_episodes *e, uint64_t ns);
uint64_t um_sim_begun(const struct um_sim_episodes *e, uint64_t ns);

struct um_sim_event {
	char pmu[24];    /* "": the uncore of Nehalem and Westmere */
	char name[32];   /* name of a fixed counter; "": the event has a code */
	uint32_t event;
	uint64_t umask;  /* unit mask, including bits above the usual eight */
	uint64_t opcode; /* opcode of the event's transactions; 0: any */
	uint64_t rate;   /* increments of unit 0 per second while the event is active */
	uint64_t spread; /* unit n of a package has rate + n * spread */
	uint64_t inc;    /* increment in each active uncore cycle, 1 to 255 */
	uint64_t burst;  /* consecutive active cycles of a burst; 0: a burst is a whole episode */
	struct um_sim_episodes when;
	unsigned index;  /* index of the PMU on this machine */
};

/* What a counter is programmed to count. */
struct um_sim_selection {
	unsigned pmu;     /* index of the PMU */
	const char *name; /* NULL: the event has a code */
	uint32_t event;
	uint64_t umask;
	unsigned threshold;
	bool edge, invert;
	int package;
	uint64_t n;       /* number of the unit within the package, or of the CPU */
	bool blocked;         /* a filter lets no event pass */
	unsigned num_opcodes; /* 0: any opcode */
	uint64_t opcodes[2];
};

/* Index the events by code for um_sim_count(). Call this when all events are known. */
void um_sim_index_events(struct uncoremsr_sim *sim);
/* What a counter with this selection would have counted from time 0 to @ns. */
um_u128 um_sim_count(const struct uncoremsr_sim *sim, const struct um_sim_selection *s, uint64_t ns);
/* Fill in @s from the fields that have the same position in every selector (SDM, IA32_PERFEVTSELx). */
void um_sim_select(struct um_sim_selection *s, uint64_t selector);
/* Does the workload define events for the counter @name of a PMU? */
bool um_sim_counts_named(const struct uncoremsr_sim *sim, unsigned pmu, const char *name);
/* Apply the keys rate=. 0; -ENOMEM. */
int um_sim_apply_rates(struct uncoremsr_sim *sim) UM_MUST_CHECK;

#endif
