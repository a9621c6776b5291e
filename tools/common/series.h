/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Series: quantities that programs such as Prometheus and collectd follow over time. A tool makes rows from the values
 * of an interval; a format (series_prometheus.c, series_collectd.c) writes them. Counts are totals since the tool
 * began, which never fall. An unknown value is a row that says why.
 */
#ifndef TOOL_SERIES_H
#define TOOL_SERIES_H

#include <limits.h>

#include "common/output.h"

/* What a quantity refers to. NULL or a negative number: does not apply. */
struct series_labels {
	const char *machine;
	int package, die, core, cpu, unit;
	const char *cpus;      /* a set of CPUs, in place of @cpu */
	const char *unit_name; /* name of @unit ("cbo3"), for formats without labels */
	const char *pmu, *event, *route;
	const char *metric, *measure;
	const char *cause;
	const char *reason;    /* SERIES_UNKNOWN: the reason, which is one of a few words */
	/* For collectd: the core group of the block intel_pmu that asked for the event. */
	const char *group;
	int type;              /* type number of the PMU of @unit in the kernel */
	bool again;            /* the series was written before for another core group; only collectd needs it again */
};
#define SERIES_LABELS .package = -1, .die = -1, .core = -1, .cpu = -1, .unit = -1, .type = -1

/*
 * The int and text members of struct series_labels. Prometheus gets those that have a name, in this order. Two have the
 * name "cpu": Prometheus gets @cpus if it is set, else @cpu.
 */
enum { SERIES_NUM_LABELS = 17 };
struct series_label {
	const char *name; /* NULL: only for collectd; these come last */
	size_t at;
	bool number;      /* the member is an int; if false, a text */
};
extern const struct series_label series_label_table[SERIES_NUM_LABELS];

static inline int series_label_number(const struct series_labels *l, const struct series_label *label)
{
	return *(const int *)(const void *)((const char *)l + label->at);
}
/* The text of a label; NULL: it does not apply, or the label is a number. */
static inline const char *series_label_text(const struct series_labels *l, const struct series_label *label)
{
	return label->number ? NULL : *(const char *const *)(const void *)((const char *)l + label->at);
}

/* Total of an event since the tool began. */
struct series_total {
	uint64_t value;   /* estimate for the whole time, if the event was counted only for a part of it */
	uint64_t counted; /* the count as read, not scaled up */
	uint64_t enabled_ns, running_ns;
};

struct series_throttling {
	uint64_t now;      /* 1 if the cause slows the package or core down now, else 0 */
	uint64_t episodes; /* number of episodes since the tool began */
	uint64_t ns;       /* total time of @episodes */
	uint64_t timed;    /* 1 if @ns was measured, else 0 */
};

struct series_change {
	uint64_t now;     /* 1 if throttling began, 0 if it ended */
	uint64_t number;  /* number of the change, from 1; set only for the agent's outputs */
	uint64_t wall_ns; /* Unix time of the end of the interval with the change */
};

enum series_kind { SERIES_EVENT, SERIES_METRIC, SERIES_THROTTLED, SERIES_CHANGED, SERIES_UNKNOWN };

/*
 * The value of a series in an interval, or why there is none. The members of the union consist of numbers of 64 bits, at
 * most SERIES_MOST_VALUES of them, because other processes may see all of their bytes.
 */
enum { SERIES_MOST_VALUES = 4 };
struct series_row {
	enum series_kind kind;
	struct series_labels labels;
	union {
		struct series_total total;           /* SERIES_EVENT */
		double value;                        /* SERIES_METRIC */
		struct series_throttling throttling; /* SERIES_THROTTLED */
		struct series_change change;         /* SERIES_CHANGED: throttling began or ended */
	};
};

struct series_interval {
	uint64_t ns;     /* length of the interval; 0: none has ended yet */
	uint64_t missed; /* intervals that were skipped since the tool began */
};

/* How an event is written for collectd. */
enum series_values {
	SERIES_COUNTER = 1, /* the event's value, as type "counter" */
	SERIES_FOUR = 2,    /* value, counted, enabled and running, as type "pmu_counter" */
	SERIES_SINGLES = 4, /* counted, enabled and running, each as type "counter" */
};

enum { SERIES_BODIES = 11 };

struct series {
	struct out *out;
	const struct series_format *format;
	uint64_t interval_ns; /* the interval that the user asked for; 0: there is only one interval */
	uint64_t wall_ns;     /* Unix time of the end of the interval */
	char host[HOST_NAME_MAX + 1];
	unsigned values;      /* collectd: enum series_values */
	bool dated;           /* add a time stamp to each line, for readers that may get it late */
	struct out bodies[SERIES_BODIES]; /* prometheus: one buffer per metric name, so that its lines are adjacent */
};

struct series_format {
	const char *name; /* argument of --format */
	bool whole;       /* a file in this format has one interval, and is replaced after each interval */
	/* Write a row; kinds that the format cannot express are ignored. */
	void (*put)(struct series *s, const struct series_row *row);
	/* The interval is complete: append its rows to s->out. NULL: put() has appended them. */
	void (*end)(struct series *s, const struct series_interval *i);
};

extern const struct series_format series_prometheus, series_openmetrics, series_collectd;

/*
 * The part of collectd's identifier after the host: "intel_pmu-0:cpu/cycles", for the type "pmu_counter". @counter: for
 * the type "counter", in the form of the plugin's earlier generation.
 */
enum { SERIES_NAME = 2 * 128 };
void series_collectd_name(char name[SERIES_NAME], const struct series_labels *l, bool counter);

static inline void series_add(struct series_total *sum, const struct series_total *more)
{
	sum->value += more->value;
	sum->counted += more->counted;
	sum->enabled_ns += more->enabled_ns;
	sum->running_ns += more->running_ns;
}

void series_init(struct series *s, const struct series_format *format, struct out *out, uint64_t interval_ns);
void series_free(struct series *s);

static inline void series_end(struct series *s, const struct series_interval *i)
{
	if (s->format->end)
		s->format->end(s, i);
}
static inline void series_put_total(struct series *s, const struct series_labels *l, const struct series_total *t)
{
	s->format->put(s, &(struct series_row){ .kind = SERIES_EVENT, .labels = *l, .total = *t });
}
static inline void series_put_metric(struct series *s, const struct series_labels *l, double value)
{
	s->format->put(s, &(struct series_row){ .kind = SERIES_METRIC, .labels = *l, .value = value });
}
static inline void series_put_unknown(struct series *s, const struct series_labels *l, const char *reason)
{
	struct series_row row = { .kind = SERIES_UNKNOWN, .labels = *l };

	row.labels.reason = reason;
	s->format->put(s, &row);
}
/*
 * Write an event's reading. A count of this interval is added to @since, and the sum is written. For a level the value
 * itself is written, and @l becomes the labels of a metric. An unknown value is written as such, with the word of its
 * status.
 */
void series_put_reading(struct series *s, struct series_labels *l, const struct uncoremsr_counted *ev,
			struct series_total *since, const struct uncoremsr_reading *r);
struct uncoremsr_metric_reading;
void series_put_metric_reading(struct series *s, const struct series_labels *l,
			       const struct uncoremsr_metric_reading *r);

#endif
