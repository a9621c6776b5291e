/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A session: events x units. A site is one package (or die) that was chosen; a unit is one unit of
 * one PMU there that an event needs; a slot is one event on one unit; a claim is one counter of a
 * unit that we have taken. Events that do not fit at once form sets that take turns on the same
 * claims; what has a counter of its own (fixed, free running) runs in every set.
 *
 * What tells one processor from another stands in the tables. This room has no branch for a model.
 */
#ifndef UM_SESSION_H
#define UM_SESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "counting/registers.h"
#include "counting/lease.h"
#include "counting/registers.h"
#include "events/event.h"
#include "session/route.h"

enum { UM_EVERY_SET = -1, UM_NO_COUNTER = -1 };
struct um_unit;
struct um_site;

/* What is told of one event on one unit. */
struct um_seen {
	struct um_unit *unit;
	/* the last closed interval, and everything since start */
	struct uncoremsr_reading reading, total;
	struct uncoremsr_unit *front;  /* as it was handed out last; NULL: never */
};

/* One event on one unit. */
struct um_slot {
	/* what every read needs comes first */
	bool active;                   /* programmed and enabled now */
	bool dirty;                    /* the last check found it changed */
	bool saturates;
	bool absent;                   /* this unit has no counter for it (another kind of core) */
	int set;                       /* whose turn it needs; UM_EVERY_SET */
	uint64_t last, last_ns;        /* register and time at the last read */
	uint64_t counted, running_ns;  /* the open interval */
	uint64_t max_rate;             /* per second, what the counter can count at most */
	uint64_t max_gap_ns;           /* longest time between two reads without a second wrap */
	enum uncoremsr_status trouble; /* UNCOREMSR_OK while nothing is wrong */
	int counter;                   /* UM_NO_COUNTER until placed */
	struct um_counter_regs regs;
	const struct um_encoding *event;
	size_t index;                  /* of the event in the session */
	char detail[UM_DETAIL];
	struct um_seen seen;
};

/* One counter of a unit, and what it held before. */
struct um_held {
	bool taken;
	int lease;                     /* descriptor, -1 none; also of one that is only looked at */
	bool touched;                  /* old_* are known and stand in the journal */
	bool programmed;               /* a word of ours was written: else nothing was changed */
	bool old_enabled;              /* its bit of the gate was on */
	struct um_counter_regs regs;
	uint64_t old_selector, old_counter;
	uint64_t word;                 /* what we last wrote to the selector */
};

/* An extra register of a unit that we have taken, and what it held before. */
struct um_extra_claim {
	uint32_t msr;
	int lease;
	bool touched;
	uint64_t old;
	uint64_t mask, word;           /* what we wrote last */
};

/* A gate of a unit or a site without bits of single counters. */
struct um_gate_use {
	const struct um_gate *gate;
	uint32_t msr;
	const struct um_unit *of;      /* NULL: of the whole site */
	unsigned users;                /* units of this session */
	int file;                      /* we hold its lease, -1 not; -1 too where there are no files */
	bool absent;                   /* this part has no such gate */
	bool changed;                  /* by us, from @old */
	bool readable;                 /* what it holds can be told */
	uint64_t old;
	uint64_t opened_ns;            /* 0: it was open */
};

/* One unit of one PMU. */
struct um_unit {
	struct um_box box;
	char name[UM_UNIT_NAME];       /* "cbo3" */
	char label[64];                /* "package 0 cbo3", for messages */
	struct um_site *site;
	struct um_cpuset cpus;         /* that reach it; empty: all of the package */
	int core;                      /* core_id of units of a CPU; else -1 */
	int err;                       /* not 0: this unit is not counted */
	bool answers;                  /* a register could be read: it is there, whatever fails later */
	bool gone;                     /* it does not answer: fused off, and counts for nothing */
	bool lost;                     /* no CPU of it was online at the last read */
	struct um_error error;
	/* Free counters; those that no event needs are given back. */
	uint32_t free, free_fixed;
	uint64_t strangers;            /* bit n: counter n is in use without a lease */
	char holders[256];             /* which of our processes hold the others */
	struct um_held *claims;       /* by counter, fixed after general */
	unsigned num_claims;
	struct um_extra_claim *extras;
	size_t num_extras;
	struct um_gate_use *gates[UM_MAX_GATES]; /* NULL: per counter, or not looked at yet */
	uint64_t interval_ns;          /* when the open interval began */
	struct um_slot *slots;         /* of the events of its PMU */
	size_t num_slots;
};

/* One package. */
struct um_site {
	const struct uncoremsr_package *package;
	unsigned cpu;
	struct um_cpuset asked;        /* borrowed, for PMUs of CPUs; empty: all of the package */
	int err;                       /* not 0: nothing of this package is counted */
	bool told;                     /* that it is back */
	bool has_left;                 /* something could not be put back: gates keep their records */
	struct um_error error;
	char error_text[sizeof(((struct um_error *)0)->msg) +
			sizeof(((struct um_error *)0)->hint) + 4];
	int enable;                    /* of um_enable_lock(), -1 none yet */
	struct um_gate_use *gates;
	size_t num_gates, room_gates;
};

struct um_msr_session {
	const struct um_machine *m;
	struct um_error *error;
	const struct um_route_env *env;
	struct um_encodings claimed;   /* of the last claim */
	struct um_encodings events;
	struct um_site *sites;
	size_t num_sites;
	struct um_unit *units;         /* site by site */
	size_t num_units;
	struct um_slot *slots;         /* unit by unit */
	size_t num_slots;
	/* Slots by site and event, and where those of each pair begin (one more at the end). */
	struct um_slot **by_event;
	size_t *first_slot;
	struct uncoremsr_unit *fronts; /* of the slots of each event in turn */
	size_t *first_front;
	size_t num_events;             /* of these tables: those of the last start */
	bool no_multiplex, force;
	bool running, paused;
	struct um_guard guard;
	int num_sets, active_set;
	struct um_op *ops;             /* for batch reads of one unit */
};

/* session.c: the life of a session, as route.h describes it. */
void um_msr_free(struct um_msr_session *s);
int um_msr_start(struct um_msr_session *s);
int um_msr_read(struct um_msr_session *s);
int um_msr_sample(struct um_msr_session *s);
int um_msr_verify(struct um_msr_session *s);
int um_msr_rotate(struct um_msr_session *s);
int um_msr_pause(struct um_msr_session *s);
int um_msr_stop(struct um_msr_session *s);

int um_session_no_memory(struct um_msr_session *s);
/* options.c */
int um_msr_set_counter(struct um_msr_session *s, size_t event, unsigned counter);
/*
 * failures.c: the unit is not counted from now on; u->error tells why. The same for a whole site.
 */
void um_unit_fail(struct um_unit *u, int err);
void um_site_fail(struct um_site *site, int err, const struct um_error *e);
/* At the start only: boxes that fault beside others that answer were fused off. */
void um_session_drop_absent(struct um_msr_session *s);
/* 0 when a unit counts; else the handle tells what the first one failed on. */
int um_session_any_left(struct um_msr_session *s);
/* Once per PMU and package: which units do not answer, and which cannot be counted. */
void um_session_tell_missing(struct um_msr_session *s);

/* units.c: which units the events need, with a slot for each event. */
int um_units_make(struct um_msr_session *s);
bool um_event_wants(const struct um_encoding *ev, const struct uncoremsr_pmu *pmu, unsigned unit);
void um_units_free(struct um_msr_session *s);
/* slots.c: slots and tables of all units, once they are known; the slots of an event on a site. */
int um_slots_make(struct um_msr_session *s);
struct um_slot **um_slots_of(const struct um_msr_session *s, size_t site, size_t event,
			     size_t *num);

/* find.c: free counters and their leases. */
int um_unit_find_free(struct um_msr_session *s, struct um_unit *u);

/*
 * match.c: can the slots that @choose likes be counted at once, on these counters? @at[k]: counter
 * of slot k (if not NULL). The result is NULL, or what they get in each other's way about.
 */
typedef bool um_choose_fn(const struct um_slot *slot, const void *user);
um_choose_fn um_any_slot, um_slot_of_group; /* the latter: user is the number of the group */
struct um_clash {
	enum { UM_FITS, UM_TOO_MANY, UM_CONSTRAINT, UM_SHARED_REGISTER } what;
	const struct um_slot *a, *b;   /* CONSTRAINT: a; SHARED_REGISTER: both */
	uint32_t msr;
};
struct um_clash um_match(const struct um_unit *u, uint32_t free, um_choose_fn *choose,
			 const void *user, int *at);
/* How many of them need a general counter. */
unsigned um_num_chosen(const struct um_unit *u, um_choose_fn *choose, const void *user);
/* General counters that the slot may be on. */
uint32_t um_allowed(const struct um_unit *u, const struct um_slot *slot);

/*
 * check.c: does everything fit? Groups against counters that are all free (what does not fit then
 * never will: a failure of the session), and what was asked for against the free counters of a
 * unit.
 */
int um_check_groups(struct um_msr_session *s);
int um_check_unit(struct um_msr_session *s, struct um_unit *u);
/* Is it the first event of its group? The others need not follow at once: metrics share events. */
bool um_begins_group(const struct um_msr_session *s, size_t event);

/* place.c: give every event its set and counter. Fails unit by unit, or all at once. */
int um_place(struct um_msr_session *s);

/* program.c: the counters of one unit. On failure @u->error tells. */
int um_unit_program(struct um_msr_session *s, struct um_unit *u, int set);
/* Write a word to the selector of a counter that we hold, and remember it. */
int um_claim_write(struct um_msr_session *s, struct um_unit *u, struct um_held *c,
		   uint64_t word);

/* enable.c */
int um_unit_enable(struct um_msr_session *s, struct um_unit *u, int set);
int um_unit_disable(struct um_msr_session *s, struct um_unit *u, int set);
/* A CPU of the unit is online again: count anew. The error says that there is none yet. */
int um_unit_come_back(struct um_msr_session *s, struct um_unit *u);

/* write.c: read a register, from another CPU of the unit when ours went offline. */
int um_unit_read(struct um_msr_session *s, struct um_unit *u, uint32_t msr, uint64_t *value);
int um_unit_write(struct um_msr_session *s, struct um_unit *u, uint32_t msr, uint64_t mask,
		  uint64_t value);
/* The same, alone among our processes: registers that counters share. */
int um_unit_write_shared(struct um_msr_session *s, struct um_unit *u, uint32_t msr,
			 uint64_t mask, uint64_t value);
int um_unit_lock(struct um_msr_session *s, struct um_unit *u);
void um_unit_unlock(struct um_unit *u);
/* The selector of a counter, its own bits of the control register of a fixed one. */
int um_unit_read_selector(struct um_msr_session *s, struct um_unit *u,
			  const struct um_counter_regs *r, uint64_t *word);
int um_unit_write_selector(struct um_msr_session *s, struct um_unit *u,
			   const struct um_counter_regs *r, uint64_t word);
/* Put back what a counter held, as far as it can be written. */
int um_unit_write_counter(struct um_msr_session *s, struct um_unit *u,
			  const struct um_counter_regs *r, uint64_t value);
/* What was written is not what is there: a virtual machine. Returns -ENOTSUP. */
int um_unit_not_kept(struct um_msr_session *s, struct um_unit *u, uint32_t msr, uint64_t written,
		     uint64_t read);
struct um_lease_id um_unit_lease_id(const struct um_unit *u, enum um_lease_kind kind,
				    unsigned number);

/* extra.c: filters. Set those that a set's events need; put all back. */
int um_extras_set(struct um_msr_session *s, struct um_unit *u, int set);
int um_extras_restore(struct um_msr_session *s, struct um_unit *u);
/* One that holds something else than we wrote, in *@msr; 0: none. */
int um_extras_changed(struct um_msr_session *s, struct um_unit *u, uint32_t *msr);

/* gate.c: what lets counters run besides their selectors and their own gate bits. */
int um_gates_open(struct um_msr_session *s, struct um_unit *u);
/* After a time without any CPU: open again what a reset has closed. */
int um_gates_reopen(struct um_msr_session *s, struct um_unit *u);
/*
 * Are they still open? Reads for each that can be told; then the first one that is closed, or NULL.
 */
size_t um_gates_ops(const struct um_unit *u, struct um_op *ops);
const struct um_gate_use *um_gates_closed(const struct um_unit *u, const struct um_op *ops);
int um_gates_restore(struct um_msr_session *s, struct um_unit *u);
/*
 * restore.c: everything of a unit as it was found. Goes on after an error, returns the first one.
 */
int um_unit_restore(struct um_msr_session *s, struct um_unit *u);

/*
 * sample.c: read the first @n of s->ops in one go where the machine can (never while tracing); then
 * um_unit_finish() on each of them, which reads and explains what is still missing.
 */
void um_unit_batch(struct um_msr_session *s, size_t n);
int um_unit_finish(struct um_msr_session *s, struct um_unit *u, struct um_op *op);
int um_unit_sample(struct um_msr_session *s, struct um_unit *u);
/* It cannot be read: what it counted is lost or failed, as u->error tells. Returns @err. */
int um_unit_spoil(struct um_unit *u, int err);

/* verify.c: 1 the slot's registers were changed (its detail tells), 0 not; or a negative errno. */
int um_slot_verify(struct um_msr_session *s, struct um_unit *u, struct um_slot *slot);

static inline bool um_slot_in_set(const struct um_slot *slot, int set)
{
	return slot->counter != UM_NO_COUNTER && (slot->set == set || slot->set == UM_EVERY_SET);
}

#endif
