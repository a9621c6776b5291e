/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The simulated machine: packages, CPUs, CPUID, clock, and the state of each module. It is a model of the hardware,
 * made from the manuals and not from this library's register tables, so that a mistake in the tables shows up as a
 * difference.
 *
 * The modules. Each uses only those above it in this list:
 *   machine.h     topology, CPUID, clock (machine.c, cpuid.c)
 *   workload.h    how often an event has happened by a given time
 *   throttling.h  which causes slow the machine down at a given time (throttling.c, processor.c)
 *   counter.h     a counter, computed from the workload at each access
 *   register_bank.h  banks of registers: boxes (box.h), core_pmu.c, platform_registers.c
 *   registers.h   the register file
 *   kernel.h      the kernel's PMUs and perf_event_open(2); imc.h: those of POWER, from a device tree
 *   trouble.h     failures, hotplug and other programs; advances the time
 *   search.h      sysfs and procfs (files.c: cpu_files.c, heat_files.c, kernel_files.c, imc_files.c)
 *   description.h makes a machine from its text (machines.h, parse.h, keys.h)
 *   sim.c         the public functions; access.c, kernel_calls.c: back ends for the library
 */
#ifndef UM_SIM_MACHINE_H
#define UM_SIM_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "access/access.h"
#include "common/error.h"
#include "uncoremsr.h"
#include "uncoremsr/sim.h"

__extension__ typedef unsigned __int128 um_u128;

#define UM_SIM_MAX_CPUS 1024u
#define UM_SIM_NS 1000000000ull
#define UM_SIM_BIT(n) (1ull << (n))
#define UM_SIM_BITS(high, low) ((~0ull >> (63 - (high))) & ~0ull << (low))
#define UM_SIM_UNUSED __attribute__((unused))

/* Counters of the uncore of Nehalem and Westmere: UNCORE_PMC0-7, then the fixed counter. */
enum { UM_SIM_GENERAL = 8, UM_SIM_COUNTERS = UM_SIM_GENERAL + 1 };

/* State of the msr driver: MISSING: not loaded; NO_NODE: loaded, but it has no devices. */
enum { UM_SIM_DRIVER_READY, UM_SIM_DRIVER_MISSING, UM_SIM_DRIVER_NO_NODE };

/* Sets of CPUs that share a register or another resource. Nodes are dies, unless node= says otherwise (AMD). */
enum um_sim_scope {
	UM_SIM_PER_PACKAGE, UM_SIM_PER_DIE, UM_SIM_PER_NODE, UM_SIM_PER_L3, UM_SIM_PER_CORE,
	UM_SIM_SCOPES,
};

struct um_sim_cpu {
	bool present, online;
	int package;                   /* package id */
	unsigned die, core_id, thread; /* ids within the package; number of the thread in the core */
	unsigned l3, node;             /* ids within the machine; UM_SIM_AS_DIE: each die has its own */
	unsigned copy[UM_SIM_SCOPES]; /* number of the CPU's package, die, ... in @copies of the machine */
};
#define UM_SIM_AS_DIE UINT32_MAX

/* The packages, dies, nodes, ... of the machine, numbered from 0 in the order of their first CPUs. */
struct um_sim_copies {
	unsigned num;
	struct um_sim_copy {
		unsigned first_cpu; /* online or not */
		unsigned rank;      /* number of the copy within its package */
	} *at;
};

/* CPU number of CPUID leaves that hold for every CPU. The topology in these leaves is computed for each CPU. */
#define UM_SIM_EVERY_CPU UINT32_MAX

struct um_sim_range {
	uint32_t first, last;
};

static inline bool um_sim_in_range(const struct um_sim_range *r, uint32_t msr)
{
	return msr >= r->first && msr <= r->last;
}

/* A value of the key keeps=: undocumented bits that registers store. The bits have no effect. */
struct um_sim_keeping {
	struct um_sim_range registers;
	uint64_t bits;
};

struct uncoremsr_sim {
	struct uncoremsr_sim_state state;
	char *name, title[4096];
	/* The hardware. */
	const struct um_sim_family *family; /* family of the uncore (box.h); NULL: there is no uncore */
	uint64_t uncore_hz, tsc_hz;
	uint64_t max_khz;             /* highest frequency of a core in cpufreq's files; 0: there are no such files */
	struct um_sim_cpu cpus[UM_SIM_MAX_CPUS]; /* indexed by CPU number, which may have gaps */
	unsigned num_cpus;
	struct um_sim_copies copies[UM_SIM_SCOPES];
	bool cpu0_hotplug;
	bool offline[UM_SIM_MAX_CPUS]; /* CPUs that are offline at the start */
	struct um_cpuid_dump cpuid;
	int hypervisor;               /* hypervisor flag: 0 or 1; -1: as in the CPUID leaves */
	uint64_t pvr;                 /* POWER: the processor version register; 0: x86, with CPUID */
	char brand[48];               /* padded with NUL, as in leaves 0x80000002 to 4 */
	struct um_sim_unit_rule *unit_rules;
	size_t num_unit_rules;
	int num_included;             /* number of texts read by include=, which is limited */
	bool busy[UM_SIM_COUNTERS];   /* Nehalem and Westmere: counters in use from the start */
	uint64_t seed, start;         /* initial value of counters; if @start is UINT64_MAX, it is made from @seed */
	/* The workload. */
	struct um_sim_event *events, *rates;
	size_t num_events, num_rates;
	/* For each low byte of an event code: a range of @events that contains all events with this byte. */
	struct { size_t first, end; } events_of[256];
	struct um_sim_throttle *throttles;
	size_t num_throttles;
	bool calm;                    /* no log bit is set at the start */
	bool kernel_thermal, kernel_clears, hsmp, plr;
	/* Failures and other trouble (trouble.h). */
	struct um_sim_failure *failures;
	size_t num_failures;
	struct um_sim_happening *happenings;
	size_t num_happenings;
	struct um_sim_allowed *allowed; /* allow list of msr-safe; empty: everything is allowed */
	size_t num_allowed;
	struct um_sim_delay *delays;
	size_t num_delays;
	struct um_sim_range *silent;
	size_t num_silent;
	struct um_sim_keeping *keepings;
	size_t num_keepings;
	struct um_sim_preset *presets;
	size_t num_presets;
	uint64_t slow;
	int driver;
	int writes_allowed;           /* enum um_sim_writes */
	int lockdown;                 /* enum um_sim_lockdown; -1: the kernel has no lockdown */
	/* The current state. */
	int stepped;
	uint64_t created;             /* CLOCK_MONOTONIC when the machine was made; used with the real clock only */
	uint64_t now;                 /* time of the current access; the clock is read once per access */
	uint64_t slept;               /* total time suspended, which the clock does not count */
	uint64_t accesses;
	struct um_sim_boxes *boxes;
	struct um_sim_core *cores;    /* indexed by CPU number */
	struct um_sim_processor *processor;
	struct um_sim_cell *cells;
	struct um_sim_kernel *kernel;
	struct um_sim_imc *imc;       /* NULL: x86 */
};

/* Nanoseconds since the machine was made, by its clock. (sim->now is the time of the current access.) */
uint64_t um_sim_clock(const struct uncoremsr_sim *sim);
uint64_t um_sim_monotonic(void);
/* Ticks of a clock from time 0 to @ns. */
um_u128 um_sim_ticks(uint64_t hz, uint64_t ns);

bool um_sim_online(const struct uncoremsr_sim *sim, unsigned cpu);
/* Find the packages, dies, ... when all CPUs are known. 0; -ENOMEM. */
int um_sim_find_copies(struct uncoremsr_sim *sim) UM_MUST_CHECK;
bool um_sim_shares(const struct uncoremsr_sim *sim, enum um_sim_scope scope, unsigned a, unsigned b);
/* The lowest CPU of the package, die, ... of @cpu. */
unsigned um_sim_first_of(const struct uncoremsr_sim *sim, enum um_sim_scope scope, unsigned cpu);
/* The lowest CPU of the machine, online or not. */
unsigned um_sim_first_cpu(const struct uncoremsr_sim *sim);
/* The lowest online CPU of the package, die, ... of @cpu; -1: all are offline. */
int um_sim_first_online(const struct uncoremsr_sim *sim, enum um_sim_scope scope, unsigned cpu);
/* Number of cores of the CPU's package; with @online, only cores that have an online CPU. */
unsigned um_sim_num_cores(const struct uncoremsr_sim *sim, unsigned cpu, bool online);

/* Undocumented bits that the register stores (key keeps=). */
uint64_t um_sim_kept_bits(const struct uncoremsr_sim *sim, uint32_t msr);

/* What CPUID returns on an existing CPU: all four registers, or only register @reg (0 to 3: EAX to EDX). */
void um_sim_cpuid(const struct uncoremsr_sim *sim, unsigned cpu, uint32_t leaf, uint32_t subleaf, uint32_t regs[4]);
uint32_t um_sim_cpuid_register(const struct uncoremsr_sim *sim, unsigned cpu, uint32_t leaf, unsigned reg);

#endif
