/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A session as its user sees it: events of both routes in the order in which they were added. The
 * register part (counting/) and the kernel's part (perf/) know nothing of each other.
 */
#ifndef UM_SESSION_FRONT_H
#define UM_SESSION_FRONT_H

#include "counting/session.h"
#include "machine/core_groups.h"
#include "perf/count.h"

/* Who counts an event, and its index there. */
enum um_part { UM_PART_MSR, UM_PART_SYSTEM, UM_PART_TASK };

struct um_event_ref {
	enum um_part part;
	size_t index;
	const char *why;               /* it takes this route */
};

/* The kernel's part for one target: whole CPUs, or a task. */
struct um_perf_part {
	struct um_perf_count count;
	struct uncoremsr_unit *units;  /* one per instance, made when it starts */
	size_t *first;                 /* instance of each event, and their number at the end */
	bool runs;                     /* it has readings */
	int err;                       /* not 0: nothing of it counts, and why */
	struct um_error error;
};

struct uncoremsr_session {
	struct uncoremsr *um;
	enum uncoremsr_route route;
	struct um_msr_session *msr;
	bool msr_runs;                     /* it has readings */
	struct um_error msr_error;         /* why it has none */
	enum { UM_UNASKED, UM_MAY_WRITE, UM_MAY_NOT_WRITE } writes;
	char why_not[sizeof(((struct um_error *)0)->msg)];
	struct um_perf_part system, task;
	enum um_perf_target_kind target;   /* of the task part; UM_TARGET_SYSTEM: there is none */
	struct um_event_ref *refs;
	size_t num_refs, num_known;        /* num_known: events of the register part among them */
	struct um_cpuset cpus;             /* asked for; empty: all */
	bool packages_chosen;
	struct um_core_groups groups;
	bool running;
	struct uncoremsr_reading *sums;    /* of packages, groups and everything, by event */
};

int um_front_no_memory(struct uncoremsr_session *s);
int um_front_runs(struct uncoremsr_session *s);

/*
 * session_add.c: add the events of a text to one of the parts. @why is kept, not copied. Returns
 * how many; on failure nothing is added.
 */
int um_front_add_msr(struct uncoremsr_session *s, const char *text, const char *why);
int um_front_add_perf(struct uncoremsr_session *s, const char *text, const char *why);
bool um_session_uses(const struct uncoremsr_session *s, enum um_part part);
/* What was added behind the first @num is taken off again. */
void um_front_take_back(struct uncoremsr_session *s, size_t num);
/* For the log: who counts the events from @from on, and why. */
void um_front_tell_routes(struct uncoremsr_session *s, size_t from);

/* session_route.c: add one item of a text by the route that is right for it. */
int um_front_route(struct uncoremsr_session *s, const char *text);
/*
 * Registers failed with @err when they were to be programmed (the handle tells why): let the kernel
 * count their events, where it can. True: they are its now.
 */
bool um_front_go_over(struct uncoremsr_session *s, int err);
#define UM_WHY_NO_KERNEL_PMU "it is of the uncore, and the kernel has no PMU for it"
#define UM_WHY_KERNEL_CANNOT "it is of the uncore, and the kernel's PMU cannot count it"

/*
 * session_words.c: events of our tables for the kernel, under our names. -ENOENT the kernel has no
 * such PMU; -ENOTSUP its formats cannot express one of them; -ENOMEM. Is there a PMU for all?
 */
int um_front_translate(struct uncoremsr_session *s, const struct um_encodings *list,
		       const char *why);
bool um_front_kernel_has(struct uncoremsr_session *s, const struct um_encodings *list);

/*
 * session_listed.c: a text with names of event lists written out in our language, to be freed;
 * NULL: there is none in it. And the names for the events of the register part from @from on.
 */
char *um_front_unlist(struct uncoremsr_session *s, const char *text);
/* -ENOTSUP: the lists have it, but not for registers (sentence in the handle); 0: in no list. */
int um_front_not_reached(struct uncoremsr_session *s, const char *text);
void um_front_keep_listed(struct uncoremsr_session *s, const char *text, size_t from);

/* session_perf.c: the kernel's parts. */
struct um_perf_part *um_perf_part_of(struct uncoremsr_session *s, enum um_part part);
const struct um_perf_event *um_session_perf_event(const struct uncoremsr_session *s, size_t event);
int um_perf_part_start(struct uncoremsr_session *s, struct um_perf_part *part);
int um_perf_part_read(struct uncoremsr_session *s, struct um_perf_part *part, bool close);
void um_perf_part_stop(struct um_perf_part *part);
void um_perf_part_free(struct um_perf_part *part);
/* The units of an event, one after the other; NULL past the end. */
const struct uncoremsr_unit *um_perf_unit_at(const struct uncoremsr_session *s, size_t event,
					     size_t index);

/* session_readings.c: room for sums. */
int um_session_make_sums(struct uncoremsr_session *s);

/* perf_kernel.c: the machine's kernel, made when it is first needed; the handle keeps it. */
int um_perf_kernel_of(struct uncoremsr *um, struct um_perf_kernel **kernel) UM_MUST_CHECK;

#endif
