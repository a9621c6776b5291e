/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Counting through the kernel: events times units times CPUs (or processes), each a descriptor.
 * Opens everything before anything counts, reads all in one pass, groups with one call.
 */
#ifndef UM_PERF_COUNT_H
#define UM_PERF_COUNT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "perf/event.h"
#include "perf/kernel.h"
#include "session/route.h"

/* One descriptor: one unit of one event on one CPU, or for one process. */
struct um_perf_instance {
	size_t event;                 /* index into the events */
	unsigned unit;                /* index into the event's units */
	int cpu;                      /* -1: any, for a process */
	pid_t pid;                    /* -1: every process */
	int fd;                       /* -1: not open; the reading tells why */
	int leader;                   /* index of its group's leader; -1: alone */
	int next;                     /* index of the next member of the group; -1: none */
	bool joined;                  /* not asked for as a group: it is read at once */
	uint64_t id;                  /* in group answers */
	uint64_t raw, enabled, running; /* as last read */
	uint32_t rest;                /* what scaling has left over, in 2^-32 counts */
	uint64_t seen;                /* when it was read last, or switched on */
	bool stalled;                 /* its time did not pass: the CPU went offline */
	bool lags;                    /* so did a part of it */
	bool away;                    /* not open because its CPU is offline; tried again */
	bool placed;                  /* it is known that its CPU is one of those that are counted */
	bool waits;                   /* it is not, and was not asked for by number: of no sum */
	const struct uncoremsr_package *package; /* NULL: none, or not known yet */
	bool missed, late;            /* @missed: the last read failed; @late: the last interval's did */
	struct uncoremsr_reading reading, total;
	/* the open interval */
	uint64_t counted, value, enabled_ns, running_ns;
	enum uncoremsr_status trouble;
	char detail[UM_DETAIL];
};

struct um_perf_count {
	struct um_perf_kernel *kernel;    /* borrowed */
	struct um_access *access;         /* borrowed */
	const struct um_topology *topo;   /* borrowed */
	struct um_kernel_pmus *pmus;      /* borrowed */
	struct um_perf_events events;
	struct um_target target;          /* its texts and lists are borrowed */
	struct um_cpuset cpus;            /* SYSTEM, CGROUP: these (borrowed); empty: all online ones */
	bool cpus_named;                  /* no other CPU will join them */
	const struct um_place *places;    /* CPUs that come are counted in these (borrowed) */
	size_t num_places;
	bool nowhere;                     /* no CPU is online in any of the packages that were chosen */
	struct um_cpuset offline;         /* CPUs that were offline when it was opened */
	struct um_cpuset online;          /* as seen by the last read that closed; empty: not known */
	struct um_cpuset went, came;      /* since the one before: CPUs of what is counted */
	struct um_perf_instance *instances;
	size_t num_instances;
	int *cgroup_fds;                  /* of the target's control groups; NULL: none are open */
	bool no_turns;                    /* what does not fit at once is an error */
	bool running;
	uint64_t stopped_ns;              /* when it was stopped last */
	uint64_t *buffer;                 /* of the largest group's answer */
	size_t buffer_size;
};

/*
 * Plan and open. What the kernel refuses has a reading with status FAILED and the sentence; the
 * others count. 0 when at least one is open; else the first error. -EMFILE: the limit of
 * descriptors is too low and cannot be raised (how many are needed stands in @e); nothing is left
 * open.
 */
int um_perf_count_open(struct um_perf_count *c, struct um_error *e) UM_MUST_CHECK;
/*
 * Switch all on, leaders only. With a CHILD target its exec does that. -EBUSY: @no_turns, and not all
 * have a counter; nothing is closed.
 */
int um_perf_count_start(struct um_perf_count *c, struct um_error *e) UM_MUST_CHECK;
/* Read everything; @close also closes the interval and fills the readings. @now: the time stamp. */
int um_perf_count_read(struct um_perf_count *c, uint64_t now, bool close, struct um_error *e);
/*
 * After a read that closed: the machine was suspended for @ns. Drivers of uncore PMUs have no resume:
 * what counts on hardware is switched off and on, which programs it again, and begins there.
 */
int um_perf_count_suspended(struct um_perf_count *c, uint64_t now, uint64_t ns, struct um_error *e);
void um_perf_count_stop(struct um_perf_count *c);
/* Close every descriptor; the readings stay. Opening it again does that by itself. */
void um_perf_count_close(struct um_perf_count *c);
/* Close every descriptor and free everything but @c itself. */
void um_perf_count_free(struct um_perf_count *c);

/*
 * plan.c: which instances there are; nothing is opened. An event that no CPU counts has none. 0; -ENODEV none of
 * the events has any; -EINVAL a group that cannot be; -ENOMEM.
 */
int um_perf_plan(struct um_perf_count *c, struct um_error *e) UM_MUST_CHECK;
/* Why an event has no instance; or none on a chip of which no CPU is online (POWER). -ENODEV. */
int um_perf_no_instance(const struct um_perf_count *c, const struct um_perf_event *ev, struct um_error *e);
int um_perf_no_cpu_of_chip(const struct um_perf_event *ev, struct um_error *e);
/* open.c: one instance. */
int um_perf_open_instance(struct um_perf_count *c, struct um_perf_instance *in,
			  struct um_error *e) UM_MUST_CHECK;
/*
 * fit.c: 0; or -EBUSY, when not all that counts has a counter. What belongs to a task or a control group
 * gets counters when that runs: it is tried beforehand, for this thread or on all that runs.
 */
int um_perf_check_fit(struct um_perf_count *c, struct um_error *e) UM_MUST_CHECK;
int um_perf_try_fit(struct um_perf_count *c, struct um_error *e) UM_MUST_CHECK;
/*
 * reopen.c: an event whose CPU went offline no longer counts, not even when the CPU is back. Open its
 * group again, on another CPU of the package where the PMU is one of a package. The readings tell.
 */
void um_perf_reopen(struct um_perf_count *c, struct um_perf_instance *leader);
/* Once in an interval: which CPUs are online? */
void um_perf_look(struct um_perf_count *c);
/* Its events are of that CPU alone, and it is not among those that are online. */
bool um_perf_is_gone(const struct um_perf_count *c, const struct um_perf_instance *in);
/* What goes into the open interval's reading instead of a number. */
void um_perf_mark(struct um_perf_instance *in, enum uncoremsr_status trouble, const char *detail);
static inline const struct um_perf_unit *um_perf_unit_of(const struct um_perf_count *c,
							  const struct um_perf_instance *in)
{
	return &c->events.events[in->event].units[in->unit];
}

/* explain.c: is the CPU offline now? True as well where sysfs does not tell. */
bool um_perf_is_offline(struct um_access *a, int cpu);
/* Why the kernel refused an event, with advice. Returns @err. */
int um_perf_explain(struct um_access *a, const struct um_perf_event *ev, unsigned unit, int cpu,
		    pid_t pid, int err, struct um_error *e);

#endif
