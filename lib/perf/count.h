/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Counting through the kernel: one descriptor for each combination of event, unit and CPU (or process). All descriptors
 * are opened before the first event counts; all are read in one pass, each group with one call.
 */
#ifndef UM_PERF_COUNT_H
#define UM_PERF_COUNT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "encode/perf_event.h"
#include "perf/kernel.h"
#include "session/route.h"

/* One descriptor: one unit of one event on one CPU, or for one process. */
struct um_perf_instance {
	size_t event;
	unsigned unit;
	int cpu;                      /* -1: any CPU (counts for a process) */
	pid_t pid;                    /* -1: every process */
	int fd;                       /* -1: not open; @reading says why */
	int leader;                   /* index of the group's leader; -1: the event leads a group or is in none */
	int next;                     /* index of the next member of the group; -1: none */
	bool joined;                  /* we, not the user, made the group, so that one call reads all members */
	bool grouped;                 /* a read returns a group, even if all other members were split off */
	uint64_t id;
	uint64_t raw, enabled, running;
	uint32_t rest;                /* remainder of scaling, in 2^-32 counts */
	uint64_t seen;                /* time of the last read or of the start */
	bool stalled;                 /* the event's enabled time stood still: its CPU went offline */
	bool lags;                    /* the event's enabled time advanced too little: its CPU may have been offline */
	bool away;                    /* not open because the CPU is offline; opened when the CPU comes online */
	bool placed;                  /* the CPU is to be counted; false: unknown until it comes online */
	/* Left out of sums: the CPU must not be counted, or it is offline and the user did not name it. */
	bool waits;
	const struct uncoremsr_package *package; /* package of @cpu; NULL: none, or not known yet */
	/* @missed: the last read failed; @late: the read that closed the previous interval failed */
	bool missed, late;
	struct um_reading reading, total;
	uint64_t counted, value, enabled_ns, running_ns;
	enum uncoremsr_status trouble;
	char detail[UM_DETAIL];
};

struct um_perf_count {
	struct um_perf_kernel *kernel;    /* borrowed */
	struct um_access *access;         /* borrowed */
	const struct um_topology *topo;   /* borrowed */
	struct um_perf_events events;
	/* @choices says on which CPUs whole packages, CPUs and control groups are counted. A CPU that comes online is
	 * counted if it is in a chosen package. */
	const struct um_choices *choices; /* borrowed */
	struct um_target target;          /* used instead of choices->target; its texts and lists are borrowed */
	bool nowhere;
	struct um_cpuset offline;         /* CPUs that were offline when the count was opened */
	struct um_cpuset online;          /* CPUs online at the last read that closed an interval; empty: none yet */
	bool unlisted;                    /* @online is not known: sysfs did not list it, or no instance needed it */
	/* Counted CPUs that went offline or came online between the last two reads that closed an interval. */
	struct um_cpuset went, came;
	struct um_perf_instance *instances; /* event by event */
	size_t num_instances;
	size_t *first;                    /* index of each event's first instance; last entry: number of instances */
	int *cgroup_fds;                  /* descriptors of the target's control groups; NULL: not open */
	bool running;
	uint64_t stopped_ns;
	uint64_t *buffer;
	size_t buffer_size;
};

/*
 * Plan the instances and open them. If the kernel refuses an event, its reading gets the status FAILED and the message,
 * and the others count. Returns 0 if at least one event is open, or will be opened when a CPU that the user named comes
 * online; otherwise the first error. Returns -EMFILE, with nothing left open, if the limit of descriptors is too low
 * and cannot be raised (@e says how many are needed).
 */
int um_perf_count_open(struct um_perf_count *c, struct um_error *e) UM_MUST_CHECK;
/*
 * Enable all events through their group leaders; the exec of a child process enables its events. Returns -EBUSY, and
 * closes nothing, if some events got no counter although choices->no_turns is set.
 */
int um_perf_count_start(struct um_perf_count *c, struct um_error *e) UM_MUST_CHECK;
/*
 * Read all counters; @close also ends the interval and fills the readings. @now: the time stamp; after
 * um_perf_count_stop() the time of the stop is used instead.
 */
int um_perf_count_read(struct um_perf_count *c, uint64_t now, bool close, struct um_error *e);
/*
 * Call this after a read that closed an interval, if the machine was suspended for @ns. The kernel's drivers of uncore
 * PMUs have no resume callback; disabling and enabling an event makes them program the hardware again. The counts of
 * hardware counters restart from that moment.
 */
int um_perf_count_suspended(struct um_perf_count *c, uint64_t now, uint64_t ns, struct um_error *e);
void um_perf_count_stop(struct um_perf_count *c);
/* Close every descriptor; the readings stay. um_perf_count_open() calls it first. */
void um_perf_count_close(struct um_perf_count *c);
/* Frees everything but @c itself. */
void um_perf_count_free(struct um_perf_count *c);

/*
 * plan.c: make the list of instances, but open nothing. An event that no CPU counts gets no instance. Returns 0,
 * -ENODEV if no event is counted anywhere, -EINVAL if a group is impossible, or -ENOMEM.
 */
int um_perf_plan(struct um_perf_count *c, struct um_error *e) UM_MUST_CHECK;
/*
 * Fail with -ENODEV: um_perf_no_instance() because the event has no instance, um_perf_no_cpu_of_chip() because no CPU
 * of the event's chip is online (POWER).
 */
int um_perf_no_instance(const struct um_perf_count *c, const struct um_perf_event *ev, struct um_error *e);
int um_perf_no_cpu_of_chip(const struct um_perf_event *ev, struct um_error *e);
int um_perf_open_instance(struct um_perf_count *c, struct um_perf_instance *in, struct um_error *e) UM_MUST_CHECK;
/*
 * fit.c: return -EBUSY if some events have no counter, else 0. Events of a task or control group get counters only
 * while it runs, so um_perf_try_fit() tests them before the start: it opens the same events for this thread or, for a
 * control group, for the whole CPU. um_perf_check_fit() tests the other events after the start.
 */
int um_perf_check_fit(struct um_perf_count *c, struct um_error *e) UM_MUST_CHECK;
int um_perf_try_fit(struct um_perf_count *c, struct um_error *e) UM_MUST_CHECK;
/*
 * reopen.c: an event whose CPU went offline never counts again, even if the CPU comes back. Open its group again; if
 * the PMU belongs to a package, open it on another CPU of that package. The readings report the gap.
 */
void um_perf_reopen(struct um_perf_count *c, struct um_perf_instance *leader);
/* Update the set of online CPUs; called once in an interval. */
void um_perf_look(struct um_perf_count *c);
bool um_perf_is_gone(const struct um_perf_count *c, const struct um_perf_instance *in);
/* Give the reading of the current interval a status other than OK, and the message. */
void um_perf_mark(struct um_perf_instance *in, enum uncoremsr_status trouble, const char *detail);
static inline const struct um_perf_unit *um_perf_unit_of(const struct um_perf_count *c,
							  const struct um_perf_instance *in)
{
	return &c->events.events[in->event].units[in->unit];
}

/* The next member of an instance's group; NULL: none. */
static inline struct um_perf_instance *um_perf_next(struct um_perf_count *c, const struct um_perf_instance *in)
{
	return in->next < 0 ? NULL : &c->instances[in->next];
}

/*
 * Is the event counted for tasks or control groups? Uncore events count for whole packages, also in a session for a task.
 */
static inline bool um_perf_is_of_tasks(const struct um_target *t, const struct um_perf_event *ev)
{
	return t->kind != UM_TARGET_SYSTEM && !ev->is_uncore;
}

static inline bool um_perf_counts_tasks(const struct um_perf_count *c, const struct um_perf_instance *in)
{
	return um_perf_is_of_tasks(&c->target, &c->events.events[in->event]);
}

/* Do children inherit the event? Then it cannot be read in a group (kernel/events/core.c, perf_event_alloc()). */
static inline bool um_perf_inherits(const struct um_perf_count *c, const struct um_perf_event *ev)
{
	return um_perf_is_of_tasks(&c->target, ev) &&
	       (c->target.kind == UM_TARGET_PROCESS || c->target.kind == UM_TARGET_CHILD);
}

/* explain.c: is the CPU offline now? Also true if sysfs does not list the CPU. */
bool um_perf_is_offline(struct um_access *a, int cpu);
/* Why the kernel refused an event, with advice. Returns @err, but -EACCES for -EPERM and -ENOENT for -EOPNOTSUPP. */
int um_perf_explain(struct um_access *a, const struct um_perf_event *ev, unsigned unit, int cpu,
		    pid_t pid, int err, struct um_error *e) UM_CROSSES;

#endif
