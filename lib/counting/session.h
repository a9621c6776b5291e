/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A session: events x packages. A slot is one event on one package; a claim is one counter of one
 * package that we have taken. Events that do not fit at once form sets that take turns on the same
 * claims; the fixed clock has its own counter and runs in every set.
 */
#ifndef UM_SESSION_H
#define UM_SESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "counting/lease.h"
#include "counting/registers.h"
#include "events/event.h"
#include "events/metrics.h"
#include "internal.h"

enum { UM_MAX_COUNTERS = 16, UM_EVERY_SET = -1, UM_NO_COUNTER = -1 };
enum { UM_DETAIL = sizeof(((struct um_error *)0)->msg) };

struct uncoremsr_reading {
	enum uncoremsr_status status;
	int counter;
	bool have_raw;
	uint64_t raw, counted, value;
	uint64_t enabled_ns, running_ns, time_ns;
	char detail[UM_DETAIL];
};

/* One event on one package. */
struct um_slot {
	struct um_event event;
	int set;                       /* whose turn it needs; UM_EVERY_SET */
	int counter;                   /* UM_NO_COUNTER until placed */
	struct um_counter_regs regs;
	uint64_t max_rate;             /* per second, what the counter can count at most */
	uint64_t max_gap_ns;           /* longest time between two reads without a second wrap */
	bool active;                   /* programmed and enabled now */
	bool dirty;                    /* the last check found it changed */
	uint64_t last, last_ns;        /* register and time at the last read */
	/* the open interval */
	uint64_t counted, running_ns;
	enum uncoremsr_status trouble; /* UNCOREMSR_OK while nothing is wrong */
	char detail[UM_DETAIL];
	/* the last closed interval, and everything since start */
	struct uncoremsr_reading reading, total;
};

/* One counter of one package that we have taken, and what it held before. */
struct um_claim {
	bool taken;
	int lease;                     /* descriptor, -1 none */
	bool touched;                  /* old_* are known and stand in the journal */
	bool programmed;               /* a word of ours was written: else nothing was changed */
	bool old_enabled;              /* its bit of the global control register: --force only */
	struct um_counter_regs regs;
	uint64_t old_selector, old_counter;
	uint64_t word;                 /* what we last wrote to the selector */
};

/* One package. */
struct um_unit {
	const struct uncoremsr_package *package;
	unsigned cpu;
	bool cpu_was_asked_for;
	int err;                       /* not 0: this package is not counted */
	bool lost;                     /* no CPU of it was online at the last read */
	struct um_error error;
	char error_text[sizeof(((struct um_error *)0)->msg) +
			sizeof(((struct um_error *)0)->hint) + 4];
	/* Free general counters and their leases; those that no event needs are given back. */
	unsigned free[UM_MAX_COUNTERS], num_free;
	int leases[UM_MAX_COUNTERS];   /* by counter, -1 none */
	bool fixed_free;
	int enable;                    /* of um_enable_lock(), -1 none yet */
	char holders[256];             /* which of our processes hold the others */
	unsigned strangers;            /* bit n: counter n is in use without a lease */
	struct um_claim claims[UM_MAX_COUNTERS];  /* by counter, fixed after general */
	uint64_t interval_ns;          /* when the open interval began */
	struct um_slot *slots;         /* one per event */
};

/* What a metric was; worked out when somebody asks. */
struct uncoremsr_metric_value {
	enum uncoremsr_status status;
	double value;
	uint64_t enabled_ns, running_ns, time_ns;
	char detail[UM_DETAIL];
};

struct um_session_metric {
	const struct uncoremsr_metric *row;
	struct um_formula formula;
	size_t events[UM_FORMULA_INPUTS]; /* the formula's inputs, as events of the session */
};

struct uncoremsr_session {
	struct uncoremsr *um;
	const struct uncoremsr_pmu *pmu;
	struct um_event_list events;
	struct um_unit *units;
	size_t num_units;
	bool no_multiplex, force;
	bool running;
	struct um_guard guard;
	int num_sets, active_set;
	struct um_op *ops;             /* for batch reads; one per event and one more */
	struct um_session_metric *metrics;
	size_t num_metrics;
	/* Two for each metric of each package: of the interval and since the start. */
	struct uncoremsr_metric_value *metric_values;
};

/* find.c: free counters and their leases; is this one asked for by number? */
int um_unit_find_free(struct uncoremsr_session *s, struct um_unit *u);
bool um_is_wanted(const struct uncoremsr_session *s, unsigned counter);
/* session.c: refusals that all options share; they set the handle's error. */
int um_session_no_memory(struct uncoremsr_session *s);
int um_session_runs(struct uncoremsr_session *s);
int um_session_cannot_count(struct uncoremsr_session *s);

/* place.c: find free counters, give every event its set and counter. Fails unit by unit. */
int um_place(struct uncoremsr_session *s);

/* program.c: registers of one package. On failure @u->error tells. */
void um_unit_fail(struct um_unit *u, int err);
int um_unit_program(struct uncoremsr_session *s, struct um_unit *u, int set);
int um_unit_enable(struct uncoremsr_session *s, struct um_unit *u, int set);
int um_unit_disable(struct uncoremsr_session *s, struct um_unit *u, int set);
/* A CPU of the package is online again: count anew. The error says that there is none yet. */
int um_unit_come_back(struct uncoremsr_session *s, struct um_unit *u);
int um_unit_restore(struct uncoremsr_session *s, struct um_unit *u);
/* Read a register, from another CPU of the package when ours went offline. */
int um_unit_read(struct uncoremsr_session *s, struct um_unit *u, uint32_t msr, uint64_t *value);

/*
 * sample.c: read the first @n of s->ops in one go where the machine can (never while tracing); then
 * um_unit_finish() on each of them, which reads and explains what is still missing.
 */
void um_unit_batch(struct uncoremsr_session *s, size_t n);
int um_unit_finish(struct uncoremsr_session *s, struct um_unit *u, struct um_op *op);
int um_unit_sample(struct uncoremsr_session *s, struct um_unit *u);

/* verify.c: 1 the slot's registers were changed (its detail tells), 0 not; or a negative errno. */
int um_slot_verify(struct uncoremsr_session *s, struct um_unit *u, struct um_slot *slot,
		   uint64_t global);

static inline bool um_slot_in_set(const struct um_slot *slot, int set)
{
	return slot->counter != UM_NO_COUNTER && (slot->set == set || slot->set == UM_EVERY_SET);
}

#endif
