/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A session as its user sees it: events in the order in which they were added, on any route. It knows the routes
 * only through route.h.
 */
#ifndef UM_SESSION_SESSION_H
#define UM_SESSION_SESSION_H

#include "metrics/formula.h"
#include "metrics/published.h"
#include "names/scanner.h"
#include "machine/core_groups.h"
#include "machine/handle.h"
#include "session/route.h"

struct um_part {
	const struct um_route *route;
	void *state;
	size_t num_events;
	/* Number of events when the route was started; events added since have no units. 0: it has no readings. */
	size_t num_started;
	struct um_error error;         /* why the route has no readings */
	bool shut;                     /* a start has shown that the route cannot count here */
	struct um_error blocked;       /* what prevents the route from counting */
	/* Result of the first check whether something prevents the route from counting (may_be_blocked()). */
	enum { UM_NOT_LOOKED, UM_WAS_BLOCKED, UM_WAS_FREE } looked;
};

/*
 * Why a route counts an event: the user chose the route, a metric needs the event, or route @of answered @answer.
 * UM_NOT_ASKED: route @of has not been asked yet; um_session_reason() asks it.
 */
struct um_reason {
	enum { UM_ASKED_FOR, UM_FOR_A_METRIC, UM_OTHERS_ANSWER, UM_NOT_ASKED } kind;
	enum um_answer answer;
	size_t of;                     /* index in s->parts of the route that answered @answer */
};

struct um_counted {
	size_t part, index;
	struct um_reason reason;
	struct uncoremsr_counted shown;
};

/* A group as the user wrote it; kept so that another route can be asked if the first one fails. */
struct um_asked {
	struct um_written written;
	size_t first, num;
};

struct um_metric_input {
	struct um_input_meaning meaning;
	bool needed;                   /* the value of the formula can depend on the input */
	/* The members below are set only if the input has an event. */
	struct um_written written;
	struct um_counted at;          /* while routes are chosen: the route that will count the event, and its index there */
	bool in_slots_group;           /* @at is in the group of the slots event */
	size_t event;
	struct um_reading *reading;    /* reading of the event during an evaluation; NULL: the input has no event */
};

static inline bool um_metric_has_event(const struct um_metric_input *input)
{
	enum um_input_kind kind = input->meaning.kind;

	return input->needed && (kind == UM_INPUT_COUNT || kind == UM_INPUT_TICKS || kind == UM_INPUT_HZ ||
				 kind == UM_INPUT_UNITS || kind == UM_INPUT_CLOCK);
}

struct um_session_metric {
	const struct um_metric *row;
	struct uncoremsr_event shown;
	struct um_formula formula;
	struct um_metric_input *inputs;
	double *numbers;
	struct uncoremsr_metric_input **inputs_shown; /* made by array_of_structs() */
	double clock_bound;                /* highest clock in GHz that a core of this machine reaches; 0: unknown */
	char why[UM_DETAIL];               /* why the metric cannot be counted here; "": it can */
};

/* Value of a metric for @place, in the last interval or, if @total is set, since the start. */
struct um_metric_value {
	struct uncoremsr_metric_reading shown;
	const struct uncoremsr_session *s;
	struct um_session_metric *m;
	enum uncoremsr_place place;
	size_t index;
	bool total;
	char detail[UM_DETAIL];
};

struct uncoremsr_session {
	struct uncoremsr *um;
	struct uncoremsr_session_state state;
	int wanted;                        /* enum uncoremsr_route */
	struct um_route_env env;
	struct um_part *parts;
	size_t num_parts;
	struct um_choices choices;
	struct um_cpuset cpus;
	bool packages_chosen;
	struct um_core_groups cores;
	struct um_counted *events;
	size_t num_events;
	struct um_asked *asked;
	size_t num_asked;
	bool running, no_verify;
	uint64_t slept_ns;                 /* time in suspend before this interval began */
	struct um_reading *sums;
	size_t num_sums;
	struct um_session_metric *metrics;
	size_t num_metrics;
	/* A warning about metrics that a pattern left out, logged when an event is counted; "": none. */
	char left_out[UM_MESSAGE_SIZE];
	/*
	 * Two values (interval, total) of each metric for each package, for the machine, and for the set of CPUs, core
	 * or CPU that was asked for last.
	 */
	struct um_metric_value *metric_values;
};

/* metric.c */
void um_session_free_metrics(struct uncoremsr_session *s);
/* Like um_session_move_asked(), for the events of metrics. */
int um_session_move_metrics(struct uncoremsr_session *s, size_t part, struct um_counted *to);

/* metric_value.c */
/* Value of an input that needs no counter, for a package, a die or the whole machine; NAN if unknown. */
double um_metric_known_number(const struct uncoremsr_session *s, enum uncoremsr_place place, size_t index,
			      const struct um_metric_input *input);

/* claim.c */
/* May the session be changed? Returns 0, -EINVAL if there is no session, or -EBUSY if it is running. */
int um_session_check_idle(struct uncoremsr_session *s);
/*
 * Find the route that counts an event, or several events as one group. 0; or a negative errno and the handle's error.
 */
int um_session_part_for(struct uncoremsr_session *s, const struct um_event *group, size_t num,
			size_t *part) UM_MUST_CHECK;
/* Log which route counts each event from @from on, and why. */
void um_session_tell_routes(struct uncoremsr_session *s, size_t from);
void um_part_cut(struct um_part *p, size_t num);
void um_session_cut(struct uncoremsr_session *s, size_t num);
/* Append the last @num events of a route to the session. 0; or -ENOMEM, and the route drops them. */
int um_session_append(struct uncoremsr_session *s, size_t part, size_t num, struct um_reason reason);
/*
 * Move the groups that the user asked for from this route to other routes, where their events are appended. @to[i]
 * becomes the route of event i of the session and its index there. 0 or a negative errno.
 */
int um_session_move_asked(struct uncoremsr_session *s, size_t part, struct um_counted *to);
void um_asked_free(struct uncoremsr_session *s, size_t from);
const struct um_reason *um_session_reason(struct uncoremsr_session *s, size_t event);

/*
 * cgroups.c: find the folder of a control group in the hierarchy that perf counts in. The caller frees *dir. 0 or a
 * negative errno.
 */
int um_cgroup_find(const char *path, char **dir, struct um_error *e);
/* choices.c */
/* Set choices.cpus and cpus_named from everything that was chosen. 0 or -ENOMEM. */
int um_choices_settle(struct uncoremsr_session *s);
int um_choices_init(struct uncoremsr_session *s);
void um_choices_free(struct uncoremsr_session *s);

/* readings.c */
int um_session_make_sums(struct uncoremsr_session *s);
/*
 * The reading of an event for @place. For CORE and CPU, @unit is any unit on that core or CPU; NULL: unit @index of
 * this event. Returns NULL if there is no such place, or if the session was not started.
 */
struct um_reading *um_session_reading(const struct uncoremsr_session *s, size_t event, enum uncoremsr_place place,
				      size_t index, const struct uncoremsr_unit *unit, bool total);

#endif
