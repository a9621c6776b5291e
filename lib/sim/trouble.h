/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Failures as on real machines, at times that the description chooses: failing accesses, CPUs that go offline, writes
 * by other programs. This module also advances the machine's time, which triggers them.
 */
#ifndef UM_SIM_TROUBLE_H
#define UM_SIM_TROUBLE_H

#include "sim/machine.h"

/* Steps of an access that can fail. */
enum { UM_SIM_FAIL_READ = 1, UM_SIM_FAIL_WRITE = 2, UM_SIM_FAIL_OPEN = 4 };

enum um_sim_writes { UM_SIM_WRITES_DEFAULT, UM_SIM_WRITES_ON, UM_SIM_WRITES_OFF };
enum um_sim_lockdown { UM_SIM_LOCKDOWN_NONE, UM_SIM_LOCKDOWN_INTEGRITY, UM_SIM_LOCKDOWN_ALL };

struct um_sim_failure {
	int steps;                     /* bits UM_SIM_FAIL_ */
	struct um_sim_range registers; /* registers whose accesses fail; opening a device ignores this member */
	int err;                       /* negative errno */
	uint64_t cpu;                  /* UINT64_MAX: any */
	uint64_t after, times, seen;
};

/* A delay between the read of a register and the return of its value, as if the program were stopped. */
struct um_sim_delay {
	struct um_sim_failure of;      /* which reads are delayed; @err is not used */
	uint64_t ns;
};

/* A line of the driver msr-safe's allow list. */
struct um_sim_allowed {
	uint32_t msr;
	uint64_t mask;                 /* bits that a write can change */
};

/* Something that happens to the machine once. */
struct um_sim_happening {
	enum { UM_SIM_HOTPLUG, UM_SIM_FOREIGN_WRITE, UM_SIM_SUSPEND } kind;
	uint64_t at;      /* time in nanoseconds, or UINT64_MAX if @after decides */
	uint64_t after;   /* number of register accesses, or UINT64_MAX if @at decides */
	bool done;
	uint64_t cpu;     /* hotplug: the CPU that goes online or offline */
	bool online;
	uint32_t msr;     /* foreign write: the register */
	uint64_t value;
	int package;      /* package id; -1: every package */
	uint64_t ns;      /* suspend: duration */
	bool keeps;       /* suspend: the registers of counters keep their content */
};

/* The negative errno with which this step of an access fails, or 0. @step is one of UM_SIM_FAIL_. */
int um_sim_failure(struct uncoremsr_sim *sim, int step, unsigned cpu, uint32_t msr);
/* How many nanoseconds this read of a register is delayed. */
uint64_t um_sim_delayed(struct uncoremsr_sim *sim, unsigned cpu, uint32_t msr);
/* Look up a register in msr-safe's allow list. 0, with the writable bits in *mask; -EACCES: not in the list. */
int um_sim_allowed(const struct uncoremsr_sim *sim, uint32_t msr, uint64_t *mask);
/* Does the register read 0 and ignore writes? */
bool um_sim_is_silent(const struct uncoremsr_sim *sim, uint32_t msr);
/* Set the machine's time to @now; everything due until then happens. */
void um_sim_go_on(struct uncoremsr_sim *sim, uint64_t now);
/* Advance the machine's time to what its clock shows now. Every access to the machine calls this first. */
void um_sim_tick(struct uncoremsr_sim *sim);
/* Advance a stepped clock. If the clock is real, do nothing and return false. */
bool um_sim_advance(struct uncoremsr_sim *sim, uint64_t ns);

#endif
