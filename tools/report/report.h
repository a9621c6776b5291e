/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TOOL_REPORT_H
#define TOOL_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/options.h"
#include "common/output.h"
#include "common/records.h"
#include "common/set.h"
#include "uncoremsr/perf_data.h"

enum key {
	KEY_COMM, KEY_PID, KEY_TID, KEY_DSO, KEY_SYMBOL, KEY_CALLER, KEY_ADDRESS, KEY_CPU, KEY_SRCLINE, NUM_KEYS
};

/* Texts are interned: equal texts have the same pointer. NULL and negative numbers mean unknown. */
struct row_key {
	const char *text[NUM_KEYS];
	int64_t number[NUM_KEYS];
	unsigned event;        /* UINT_MAX: unknown */
};

struct row {
	struct row_key key;
	uint64_t samples, period;
	double share;
	const char *event; /* name of the event; set when the rows are shown */
};

/* Sums over the samples of one event, or of all events. */
struct sum {
	uint64_t samples, period, lost, throttled;
	double weight;         /* sum of all periods, which may exceed 64 bits */
};

struct report {
	struct tool_common common;
	struct out out;
	struct records w;
	const char *input, *symfs, *svg, *event;
	const char *name; /* name of the input, for messages */
	char quoted[OUT_QUOTED_SIZE];
	bool by[NUM_KEYS];
	struct uncoremsr_perf_data *data;
	unsigned first;                /* the first event that -e chooses; stacks show only this event */
	size_t num_chosen;             /* number of events that -e chooses; several events can have the same name */
	struct set rows;               /* of struct row; table_finish() sorts them by event and share */
	struct sum *sums;              /* by event; the last sum is for samples of an unknown event */
	struct sum all;
	struct stacks *stacks;         /* NULL if no stacks are shown */
};

extern const char *const key_names[NUM_KEYS];

/* table.c: add a sample to the sums; add it to its row; compute all shares and sort the rows. */
void table_sum(struct report *r, unsigned event, uint64_t period);
void table_add(struct report *r, const struct row_key *key, uint64_t period);
void table_finish(struct report *r);
void table_free(struct report *r);

/* samples.c: add all samples of the file to the table. Returns 0 or an error of uncoremsr_perf_data_next(). */
int samples_read(struct report *r);

static inline struct sum *sum_of(const struct report *r, unsigned event)
{
	return &r->sums[event < r->data->num_events ? event : r->data->num_events];
}

void show_rows(struct report *r);
/* The name of an event; NULL if the event is unknown. */
const char *event_of_index(const struct report *r, unsigned event);

#endif
