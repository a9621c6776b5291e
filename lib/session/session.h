/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A session as its user sees it: events in the order in which they were added, whoever counts them. It
 * knows the routes by route.h alone.
 */
#ifndef UM_SESSION_SESSION_H
#define UM_SESSION_SESSION_H

#include "events/formula.h"
#include "events/published.h"
#include "events/scanner.h"
#include "machine/core_groups.h"
#include "machine/handle.h"
#include "session/route.h"

/* A route in this session. */
struct um_part {
	const struct um_route *route;
	void *state;
	bool runs;                     /* it has readings */
	struct um_error error;         /* why it has none */
	bool shut;                     /* a start has shown that it cannot count here */
	struct um_error blocked;       /* what is in the way of it */
};

/* Why a route counts an event: it was asked for by name; or what another route had answered. */
struct um_reason {
	enum { UM_ASKED_FOR, UM_FOR_A_METRIC, UM_OTHERS_ANSWER } kind;
	enum um_answer answer;
	size_t of;                     /* the other route */
};

/* An event: who counts it, and its index there. */
struct um_counted {
	size_t part, index;
	struct um_reason reason;
};

/* A group as it was written, so that another route can be asked when the first one fails. */
struct um_asked {
	struct um_written written;
	size_t first, num;             /* its events in the session */
};

struct um_metric_value {
	enum uncoremsr_status status;
	double value;
	char detail[UM_DETAIL];
};

/* What a formula needs to know. */
struct um_metric_input {
	enum um_input_kind kind;
	double factor;                 /* see struct um_input_meaning */
	bool per_package;              /* and the formula has the number of packages as well */
	bool needed;                   /* not only in a branch that is never taken */
	size_t event;                  /* of the session, where there is one */
};

/* Inputs that are counted. */
static inline bool um_metric_has_event(enum um_input_kind kind)
{
	return kind == UM_INPUT_COUNT || kind == UM_INPUT_TICKS || kind == UM_INPUT_HZ ||
	       kind == UM_INPUT_UNITS || kind == UM_INPUT_CLOCK;
}

struct um_session_metric {
	const struct uncoremsr_metric *row;
	struct um_formula formula;
	struct um_metric_input *inputs;    /* in the order of the formula */
	double *numbers;                   /* the same, while a value is worked out */
	double clock_bound;                /* GHz, what a core of this machine reaches; 0: unknown */
	char why[UM_DETAIL];               /* it cannot be counted here; "": it can */
};

struct uncoremsr_session {
	struct uncoremsr *um;
	int wanted;                        /* enum uncoremsr_route */
	struct um_route_env env;
	struct um_part *parts;             /* in the order of the handle's routes */
	size_t num_parts;
	struct um_choices choices;
	struct um_cpuset cpus;             /* asked for */
	bool packages_chosen;
	struct um_core_groups cores;
	struct um_counted *events;
	size_t num_events;
	struct um_asked *asked;
	size_t num_asked;
	bool running, unverified;          /* @unverified: intervals are not checked */
	uint64_t slept_ns;                 /* the machine was suspended for so long before this interval */
	struct uncoremsr_reading *sums;    /* of packages, cores and everything, by event */
	size_t num_sums;                   /* events that there were at the start */
	struct um_session_metric *metrics;
	size_t num_metrics;
	char left_out[UM_SENTENCE];        /* of patterns: a warning for when anything is counted; "": none */
	/* Of the interval and since the start: two for each metric of each package, the machine, and other places. */
	struct um_metric_value *metric_values;
};

int um_session_runs(struct uncoremsr_session *s);
int um_session_unsupported(struct uncoremsr_session *s);
/* 0, or -EINVAL, -EBUSY: there is no session, or it runs. */
int um_session_check_idle(struct uncoremsr_session *s);

/* metric.c */
void um_session_free_metrics(struct uncoremsr_session *s);
/* As um_session_move_asked(), for what metrics need of the part, which is shut. */
int um_session_move_metrics(struct uncoremsr_session *s, size_t part, struct um_counted *to);

/* metric_value.c */
/* What is known of an input without counting, of a package, a die or the whole machine; NAN: nothing. */
double um_metric_known_number(const struct uncoremsr_session *s, size_t place, const struct um_metric_input *input);

/* hand_over.c */
/* Let other routes count what this part has, where they can; true: it is theirs now. */
bool um_session_hand_over(struct uncoremsr_session *s, size_t part);

/* claim.c */
/* Which part counts an event, or several as one group: 0; or a negative errno and the handle's error. */
int um_session_part_for(struct uncoremsr_session *s, const struct um_event *group, size_t num,
			size_t *part) UM_MUST_CHECK;
/* Who counts an event and why, for the log, from event @from on. */
void um_session_tell_routes(const struct uncoremsr_session *s, size_t from);
/* What was added behind the first @num events is taken off again. */
void um_session_cut(struct uncoremsr_session *s, size_t num);
/* How many events of the session a part has: the index of its next one. */
size_t um_session_num_of(const struct uncoremsr_session *s, size_t part);
/* Append events of a part, the last @num of those it has. */
int um_session_append(struct uncoremsr_session *s, size_t part, size_t first, size_t num,
		      struct um_reason reason);
/*
 * Let other routes count what was asked for of this part: their events are added behind the others. @to[i]
 * becomes where event i of the session is counted then. 0 or a negative errno.
 */
int um_session_move_asked(struct uncoremsr_session *s, size_t part, struct um_counted *to);
void um_asked_free(struct uncoremsr_session *s, size_t from);
bool um_session_uses(const struct uncoremsr_session *s, size_t part);

/*
 * cgroups.c: the folder of a control group in the hierarchy in which perf counts, in *dir, which the
 * caller frees. 0 or a negative errno.
 */
int um_cgroup_find(const char *path, char **dir, struct um_error *e);
/* choices.c */
/* CPUs for those that count on CPUs, from everything that was chosen. 0 or -ENOMEM. */
int um_choices_settle(struct uncoremsr_session *s);
int um_choices_init(struct uncoremsr_session *s);
void um_choices_free(struct uncoremsr_session *s);

/* readings.c */
int um_session_make_sums(struct uncoremsr_session *s);
const struct uncoremsr_reading *um_session_place_reading(const struct uncoremsr_session *s,
							 size_t place, size_t event, bool total);
/* An event on the core of @unit, which may be another event's; or, @one_cpu, on its CPU alone. */
const struct uncoremsr_reading *um_session_core_sum(const struct uncoremsr_session *s, size_t event,
						    const struct uncoremsr_unit *unit, bool one_cpu,
						    bool total);

static inline void um_session_facts(const struct uncoremsr_session *s, size_t event,
				    struct um_event_facts *facts)
{
	const struct um_counted *c = &s->events[event];

	*facts = (struct um_event_facts){ .scale = 1 };
	s->parts[c->part].route->facts(s->parts[c->part].state, c->index, facts);
}

#endif
