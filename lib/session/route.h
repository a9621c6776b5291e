/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The one interface of everything that counts: registers, the kernel, and whatever comes. A route
 * is a table of functions with a state for each session. The session asks the routes which of them
 * takes a group of events, keeps `{route, index there, reason}` for each event, and never asks which
 * route it is talking to. A new route is a new file that implements the table, and a line where the
 * handle registers them (handle/).
 *
 * Who may be called when: open; then claim, add, cut, join, set_counter in any order; then start;
 * then read, verify, rotate, pause, stop; after stop all of it again. free ends a running one first.
 * The session keeps this order, so that a route needs no check of its own.
 *
 * Functions marked "may be NULL" are for what a route does not do; the session then does nothing,
 * or takes the value given here. The sentence of a failure goes to @e, and nowhere else.
 */
#ifndef UM_ROUTE_H
#define UM_ROUTE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "common/error.h"
#include "machine/machine.h"
#include "session/reading.h"

struct um_event;       /* events/scanner.h: an event as it was written */
struct um_perf_scope;  /* the kernel's PMUs and the event lists */

/* A package (or die) of the session. */
struct um_place {
	const struct uncoremsr_package *package;
	unsigned cpu;               /* through which it is reached */
	struct um_cpuset asked;     /* CPUs of it that were asked for; empty: all */
};

/* Whose events are counted. */
struct um_target {
	enum um_target_kind {
		UM_TARGET_SYSTEM,     /* CPUs, whatever runs on them */
		UM_TARGET_PROCESS,    /* processes with all their threads, and what they start */
		UM_TARGET_THREAD,     /* threads alone */
		UM_TARGET_CHILD,      /* a child that is about to exec, and what it starts */
		UM_TARGET_CGROUP,     /* on CPUs, only what belongs to a control group */
	} kind;
	pid_t *pids;
	size_t num_pids;
	char **cgroups;               /* folders of groups; an event is for the one chosen before it */
	size_t num_cgroups;
};

/*
 * What was chosen for a session. The session owns it; a route looks at it when it claims and when it
 * starts. It does not change while the session runs.
 */
struct um_choices {
	struct um_place *places;      /* in the order of the machine's packages */
	size_t num_places;
	struct um_cpuset cpus;        /* CPUs that were asked for, or of the packages or cores that were;
				       * empty: all */
	bool cpus_named;              /* not just the packages: no other CPU will join them */
	struct um_target target;
	bool force;                   /* take counters that others seem to use */
	bool no_turns;                /* what does not fit at once is an error */
};

/* What a state is opened with. Lives as long as the state. */
struct um_route_env {
	const struct um_machine *m;
	const struct um_choices *choices;
	/*
	 * The kernel's PMUs and the event lists, read at the first call. 0, or a negative errno with
	 * a sentence in @e.
	 */
	int (*names)(const struct um_route_env *env, struct um_perf_scope *scope,
		     struct um_error *e);
	void *user;                   /* of names() */
	bool moving;                  /* add() takes over another route's: its name was warned about */
};

/*
 * What a route says to a group of events, from what helps least to what helps most: where none takes
 * a group, the sentence of the highest answer is the one that is shown.
 */
enum um_answer {
	UM_CLAIM_NOTHING_HERE,        /* it counts nothing on this machine */
	UM_CLAIM_NOT_MINE,            /* it knows no such PMU or name */
	UM_CLAIM_NO_PMU,              /* it knows the event; the PMU for it is not there */
	UM_CLAIM_BAD_VALUE,           /* it knows the PMU; a term, a value or the group is wrong */
	UM_CLAIM_INEXPRESSIBLE,       /* the PMU is there, but cannot count this */
	UM_CLAIM_ON_REQUEST,          /* only when this route is asked for by name */
	UM_CLAIM_NO_TASKS,            /* it counts whole CPUs, and a task is asked for */
	UM_CLAIM_NOT_SUPPORTED,       /* its event, but not on this machine (a virtual one) */
	UM_CLAIM_NO_ACCESS,           /* its event, but a file or a name may not be read */
	UM_CLAIM_FAILED,              /* no memory, and the like */
	UM_CLAIM_YES,
};

/* What an event is, for the user of a session. Texts belong to the route's state. */
struct um_event_facts {
	const char *name;             /* canonical, or as written */
	const char *pmu;              /* "uncore", "cbo", "uncore_cha" */
	uint64_t encoding;            /* selector word, or config */
	const char *measure;          /* "MiB"; NULL: counts are counts */
	double scale;                 /* one count is so much of it; 1 without */
	const char *kernel_scale;     /* what the kernel's file says instead; "" or NULL: the same */
	bool level;                   /* a level, not to be differenced */
	bool task;                    /* counted for the session's task alone */
	bool uncore;                  /* of a package, die or core, not of the CPU that reads it */
	bool cores;                   /* of these: of a core */
};

struct um_region;              /* a region's counters, private to the route */

struct um_route {
	const char *name;             /* "msr", for options and records */
	const char *label;            /* "registers", for sentences: "counted by registers" */
	int id;                       /* enum uncoremsr_route */
	/* Reaches a package through one of its CPUs: two of one package would be the same counters. */
	bool one_cpu;
	/* Advice where a start without access fails and this route has answered NO_PMU. Or NULL. */
	const char *(*no_pmu_advice)(const struct um_machine *m);

	/* Touches nothing. 0 or -ENOMEM. */
	int (*open)(void **state, const struct um_route_env *env, struct um_error *e);
	void (*free)(void *state);

	/*
	 * Would this route count the group, as a whole? @asked: the user has chosen this route by name.
	 * Other answers than YES return a negative errno, with a sentence in @e unless that is NULL. With
	 * YES (0) add() then takes these events over: what was found out is kept until the next claim. What costs
	 * (reading formats) may wait until add().
	 */
	int (*claim)(void *state, const struct um_event *group, size_t num, bool asked,
		     enum um_answer *answer, struct um_error *e);
	/*
	 * Although it would count the last claim: is something in the way of that now (driver, permission,
	 * no such PMU)? Asked where two routes claim a group, and before this one is advised. Nothing is
	 * left open. 0: nothing. NULL: never.
	 */
	int (*blocked)(void *state, struct um_error *e);
	/*
	 * Append the events of the last claim as one group, in the order in which they were written. A
	 * pattern becomes several. Returns how many; or a negative errno, and nothing was added.
	 */
	int (*add)(void *state, struct um_error *e);
	/* Only the first @num events stay. */
	void (*cut)(void *state, size_t num);
	/*
	 * Like add(), for what a metric needs: events that are there already are used again, and groups
	 * that share one are joined with the new one where all of it fits at the same time. @where[i]
	 * becomes the index of event i of the claim, which has no patterns. Returns how many events are
	 * new, which are the last ones; or a negative errno. NULL: this route has no metrics.
	 */
	int (*join)(void *state, size_t *where, struct um_error *e);
	/* Of an event that was added, at any time. */
	void (*facts)(const void *state, size_t event, struct um_event_facts *facts);
	/* Count it on this counter and nowhere else. 0 or -EINVAL. NULL: the route chooses itself. */
	int (*set_counter)(void *state, size_t event, unsigned counter, struct um_error *e);

	/*
	 * Start what was added. 0 when something counts; what does not is reported by um_warn() and by
	 * its units. Else the first error, and everything is as before.
	 */
	int (*start)(void *state, struct um_error *e);
	/* Read all counters; @close also closes the interval. The first error, the rest is read. */
	int (*read)(void *state, bool close, struct um_error *e);
	/*
	 * After a read() that closed the interval: spoil the readings of counters that were
	 * changed. 0, or a negative errno: what could not be checked is unknown as well.
	 * After pause(), which has looked itself, nothing is touched. NULL: nothing can change them.
	 */
	int (*verify)(void *state, struct um_error *e);
	/*
	 * After a read() that closed the interval: the machine was suspended for @ns in it. Its readings
	 * and the totals become SUSPENDED where the hardware counts, and what may have been cleared is
	 * programmed again; after pause() nothing is touched. 0 or the first error. NULL: nothing of it
	 * stands still.
	 */
	int (*suspended)(void *state, uint64_t ns, struct um_error *e);
	/* The next events' turn. NULL: it takes turns by itself, or none. */
	int (*rotate)(void *state, struct um_error *e);
	/* Switch off and read once more; read() then closes the interval from that. */
	int (*pause)(void *state, struct um_error *e);
	/* Put everything back. Readings stay until the next start. */
	int (*stop)(void *state, struct um_error *e);

	/* While it runs and after stop; the session does not ask before. */

	/*
	 * The units that count an event, package by package, those of one package in one run; behind them
	 * CPUs that came online since the start. Valid until the next start, and more may follow; cpu and
	 * error may change with each read, package and core of a CPU that was offline.
	 */
	const struct uncoremsr_unit *(*units)(void *state, size_t event, size_t *num);
	/* Why an event has no units on a package (NULL: anywhere): status and sentence. */
	enum uncoremsr_status (*no_units)(const void *state, size_t event,
					  const struct uncoremsr_package *package, char *why,
					  size_t size);
	/* Number of groups that take turns. NULL: 1. */
	size_t (*turns)(const void *state);
	/* Longest time between two reads in which no counter wraps twice. NULL: any. */
	uint64_t (*max_interval)(const void *state);
	/* The CPU through which a place is reached now; NULL: the one that was chosen. */
	int (*place_cpu)(const void *state, size_t place);
	/* Why nothing of a place is counted; NULL: something is. NULL function: something always is. */
	const char *(*place_error)(const void *state, size_t place);

	/*
	 * Events of the calling thread between two calls (uncoremsr_region_new()). All NULL: not by this
	 * route. region_open takes over the events of the last claim, like add().
	 */
	int (*region_open)(void *state, struct um_region **region, struct um_error *e);
	void (*region_free)(struct um_region *region);
	int (*region_mark)(struct um_region *region, bool begin, struct um_error *e);
	const char *(*region_name)(const struct um_region *region, size_t event);
	/* -ENODATA: unknown. */
	int (*region_count)(const struct um_region *region, size_t event, uint64_t *count);
};

#endif
