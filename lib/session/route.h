/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The interface of a route, which is one way of counting: by registers, through the kernel, or another way. A route is
 * a table of functions with a state for each session. The session asks the routes which of them counts a group of
 * events, and stores `{route, index there, reason}` for each event. The session's code is the same for all routes. To
 * add a route, write a file that implements the table and add a line where the handle registers the routes (handle/).
 *
 * Order of calls: open; then claim, add, cut, join, set_counter in any order; then start; then read, verify, rotate,
 * pause, stop. After stop, all of these may follow again. free stops a running state first. The session keeps this
 * order, so routes need not check it.
 *
 * A function marked "may be NULL" is NULL if the route cannot do this. The session then does nothing, or uses the value
 * in the function's comment. The message of a failure goes to @e only.
 */
#ifndef UM_ROUTE_H
#define UM_ROUTE_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "common/error.h"
#include "machine/machine.h"
#include "session/reading.h"
#include "uncoremsr/region.h"

struct um_event;
struct um_names;

struct um_place {
	const struct uncoremsr_package *package;
	unsigned cpu;               /* the CPU through which the package or die is reached */
	struct uncoremsr_session_package shown;
};

/* What is counted: everything on the chosen CPUs, or only some tasks or control groups. */
struct um_target {
	enum um_target_kind {
		UM_TARGET_SYSTEM = UNCOREMSR_TARGET_SYSTEM,
		UM_TARGET_PROCESS = UNCOREMSR_TARGET_PROCESS, /* processes with all their threads and children */
		UM_TARGET_THREAD = UNCOREMSR_TARGET_THREAD,   /* single threads */
		UM_TARGET_CHILD = UNCOREMSR_TARGET_COMMAND,   /* a child process before its exec, and its children */
		UM_TARGET_CGROUP,                             /* tasks of a control group, while they run on the chosen
							       * CPUs */
	} kind;
	pid_t *pids;
	size_t num_pids;
	char **cgroups; /* folders; an event belongs to the group that was chosen last before the event was added */
	size_t num_cgroups;
};

/*
 * What the user chose for a session. The session owns it; a route reads it when it claims and when it starts. It does
 * not change while the session runs.
 */
struct um_choices {
	struct um_place *places;
	size_t num_places;
	/* CPUs that the user named directly or through packages or cores; empty: all */
	struct um_cpuset cpus;
	bool cpus_named;              /* CPUs or cores were named, not only packages: count on no other CPU that comes
				       * online */
	struct um_target target;
	bool force;                   /* also use counters that others seem to use */
	bool no_turns;                /* no multiplexing: fail if not everything fits at once */
};

/* Arguments for opening a route's state; they must live as long as the state. */
struct um_route_env {
	const struct um_machine *m;
	const struct um_choices *choices;
	/*
	 * The kernel's PMUs and the event lists; the first call reads them. 0, or a negative errno with a message
	 * in @e.
	 */
	int (*names)(const struct um_route_env *env, struct um_names **names, struct um_error *e);
	void *user;                   /* for names() */
	bool moving;                  /* add() gets another route's events; that route has warned about them */
};

/*
 * The answers of a route to a group of events, sorted by how much they help a user: if no route takes a group, the
 * message of the highest answer is shown.
 */
enum um_answer {
	UM_CLAIM_NOTHING_HERE,        /* the route can count nothing on this machine */
	UM_CLAIM_NOT_MINE,            /* the route knows no such PMU or name */
	UM_CLAIM_NO_PMU,              /* the route knows the event, but its PMU does not exist here */
	UM_CLAIM_BAD_VALUE,           /* the PMU is known, but a term, a value or the group is wrong */
	UM_CLAIM_INEXPRESSIBLE,       /* the PMU exists, but cannot count this event */
	UM_CLAIM_ON_REQUEST,          /* counted only if the user asks for this route by name */
	UM_CLAIM_NO_TASKS,            /* the route counts whole CPUs only, but a task was asked for */
	UM_CLAIM_NOT_SUPPORTED,       /* the event is known, but this machine (such as a virtual one) cannot count it */
	UM_CLAIM_NO_ACCESS,           /* the event is known, but access to a file or a name was denied */
	UM_CLAIM_FAILED,
	UM_CLAIM_YES,
};

/* The answer that corresponds to the error @err of class @class, for routes whose errors determine the answer. */
static inline enum um_answer um_answer_for(int err, enum uncoremsr_error_class class)
{
	switch (err) {
	case 0:
		return UM_CLAIM_YES;
	case -ENOENT: /* the kernel's driver is missing, or no table or list has the name */
		return class == UNCOREMSR_ERROR_UNSUPPORTED ? UM_CLAIM_NO_PMU : UM_CLAIM_NOT_MINE;
	case -EINVAL:
		return UM_CLAIM_BAD_VALUE;
	case -ENOTSUP:
		return UM_CLAIM_INEXPRESSIBLE;
	case -EACCES:
		return UM_CLAIM_NO_ACCESS;
	default:
		return UM_CLAIM_FAILED;
	}
}

struct um_region;

struct um_route {
	const char *name;             /* name for options and records: "msr" */
	const char *label;            /* for messages: "registers", as in "counted by registers" */
	int id;                       /* enum uncoremsr_route */
	/* The route reaches a package through one of its CPUs: two CPUs of a package would read the same counters. */
	bool one_cpu;
	/*
	 * claim() may read hundreds of files. If an earlier route has claimed a group, this route is asked only if
	 * something prevents the earlier route from counting the group, or if the user wants to know the answer.
	 */
	bool slow_claim;
	/*
	 * Advice on how to get the PMU that this route lacks. If this route answered NO_PMU, the advice is appended to
	 * the error of another route that has no access or refused the group. May be NULL.
	 */
	const char *(*no_pmu_advice)(const struct um_machine *m);

	/* Create a state. 0 or -ENOMEM. Does not access the machine. */
	int (*open)(void **state, const struct um_route_env *env, struct um_error *e);
	void (*free)(void *state);

	/*
	 * Would this route count the group as a whole? @asked: the user chose this route by name. The answer YES
	 * returns 0 and keeps the encoded events for add(), until the next claim. Any other answer returns a negative
	 * errno, with a message in @e unless @e is NULL. Expensive work (reading formats) may wait until add().
	 */
	int (*claim)(void *state, const struct um_event *group, size_t num, bool asked,
		     enum um_answer *answer, struct um_error *e);
	/*
	 * Does anything (a driver, a permission, a missing PMU) prevent the route from counting its last claim now?
	 * Called if two routes claim a group, before a later route with slow_claim is asked, before this route is
	 * recommended, and for events of metrics. Returns 0 if nothing prevents it. Leaves nothing open. May be NULL:
	 * the route can always count.
	 */
	int (*blocked)(void *state, struct um_error *e);
	/*
	 * Append the events of the last claim as one group, in the order in which they were written. A pattern gives
	 * several events. Returns the number of events; or a negative errno, and nothing was added.
	 */
	int (*add)(void *state, struct um_error *e);
	/* Drop all events except the first @num. */
	void (*cut)(void *state, size_t num);
	/*
	 * Like add(), for the events of a metric. Events that exist already are used again. Groups that share an event
	 * with the new group are joined with it if everything fits at the same time. @where[i] becomes the index of
	 * event i of the claim, which has no patterns. Returns the number of new events, which are the last ones, or a
	 * negative errno. May be NULL: this route counts no metrics.
	 */
	int (*join)(void *state, size_t *where, struct um_error *e);
	/*
	 * Properties of an event that was added, except its route. A missing text may be NULL or "". May be called at
	 * any time.
	 */
	void (*facts)(const void *state, size_t event, struct uncoremsr_counted *facts);
	/* Count the event on this counter only. 0 or -EINVAL. May be NULL: the route chooses counters itself. */
	int (*set_counter)(void *state, size_t event, unsigned counter, struct um_error *e);

	/*
	 * Start all events. 0 if something counts; failures of the rest are reported by um_warn() and by their
	 * units. Otherwise returns the first error, and nothing has changed.
	 */
	int (*start)(void *state, struct um_error *e);
	/* Read all counters; @close also closes the interval. Goes on after an error, and returns the first one. */
	int (*read)(void *state, bool close, struct um_error *e);
	/*
	 * Mark readings whose counters were changed by others. Call it after a read() that closed the interval. After
	 * pause(), which has checked already, no register is touched. 0 or a negative errno; readings that could not be
	 * checked become unknown, too. May be NULL: nobody can change the counters.
	 */
	int (*verify)(void *state, struct um_error *e);
	/*
	 * Call it after a read() that closed the interval, if the machine was suspended for @ns in the interval. Gives
	 * readings and totals of hardware counters the status SUSPENDED, and programs again what the suspend may have
	 * cleared. After pause() no register is touched. 0 or the first error. May be NULL: a suspend stops nothing
	 * that the route counts.
	 */
	int (*suspended)(void *state, uint64_t ns, struct um_error *e);
	/* Let the next set of groups count (multiplexing). May be NULL: the route multiplexes itself, or not at all. */
	int (*rotate)(void *state, struct um_error *e);
	/*
	 * Stop counting and read once more; a following read() closes the interval with those values. May be NULL: what
	 * the route reads cannot be stopped.
	 */
	int (*pause)(void *state, struct um_error *e);
	/* Stop counting and restore all registers. Readings stay until the next start. */
	int (*stop)(void *state, struct um_error *e);

	/* The following may be called only while the session runs, and after stop. */

	/*
	 * The units that count an event, package by package and without gaps, followed by CPUs that came online
	 * since the start. Valid until the next start; units may be appended. Each read may change cpu and error of
	 * a unit; it changes package and core only for a CPU that was offline.
	 */
	const struct um_front *(*units)(void *state, size_t event, size_t *num);
	/* Why an event has no units on @package (NULL: on any). Returns the status; @why gets the message. */
	enum uncoremsr_status (*no_units)(const void *state, size_t event,
					  const struct uncoremsr_package *package, char *why,
					  size_t size);
	/* Number of sets of groups that take turns (multiplexing). May be NULL: always 1. */
	size_t (*turns)(const void *state);
	/* Longest time between two reads in which no counter can wrap twice. May be NULL: any time is short enough. */
	uint64_t (*max_interval)(const void *state);
	/* The CPU through which a package or die (@place) is reached now. May be NULL: the CPU that was chosen. */
	int (*place_cpu)(const void *state, size_t place);
	/*
	 * Why nothing is counted on a package or die (@place); NULL if something is. May be NULL if the route never
	 * leaves out a package or die.
	 */
	const char *(*place_error)(const void *state, size_t place);

	/*
	 * Count events of the calling thread between two calls (uncoremsr_region_new()). All NULL: the route cannot
	 * do that. region_open takes over the events of the last claim, like add().
	 */
	int (*region_open)(void *state, struct um_region **region, struct um_error *e);
	void (*region_free)(struct um_region *region);
	int (*region_mark)(struct um_region *region, bool begin, struct um_error *e);
	/* False: the region has no such event. */
	bool (*region_count)(const struct um_region *region, size_t event, struct uncoremsr_region_count *count);
};

#endif
