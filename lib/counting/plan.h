/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Plan: which events of a session are counted on which units. A site is one package (or die) that was chosen. A unit is
 * an instance of a PMU there ("cbo3") that has to count events. A slot is one event on one unit. Events that do not fit
 * at the same time form sets that take turns on the same counters. An event that has a counter of its own (fixed, free
 * running) counts in every set.
 *
 * All differences between processors are in the tables. No code of lib/counting branches on a model.
 */
#ifndef UM_PLAN_H
#define UM_PLAN_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "counting/lease.h"
#include "counting/registers.h"
#include "encode/event.h"
#include "session/route.h"

enum { UM_EVERY_SET = -1, UM_NO_COUNTER = -1 };

/*
 * Start value of a counter, read back before it runs. Not 0: a register that ignores writes (in a guest or an emulator)
 * reads as 0, and would pass the check.
 */
enum { UM_COUNTER_START = 0x5a };

/* The time of an access: it happened within @window_ns before @ns. */
struct um_moment {
	uint64_t ns, window_ns;
};

/* One event on one unit. */
struct um_slot {
	/* members that every read needs come first */
	bool active;                   /* programmed and enabled now */
	bool dirty;                    /* the last check found that another program changed the counter's registers */
	bool stopped;                  /* dirty only because a gate that all counters share was closed */
	bool again;                    /* the event is being programmed again, on its own counter or on another one */
	bool missed, late;             /* @missed: last read failed; @late: last read of the previous interval failed */
	bool saturates;
	int set;                       /* the event counts in the turn of this set; UM_EVERY_SET: all the time */
	uint64_t last;
	struct um_moment last_read;
	uint64_t unsure_ns;            /* sum of the windows in which counting began and ended (open interval) */
	uint64_t total_unsure_ns;
	struct um_moment stop;         /* when the counter was switched off; ns 0: it runs */
	uint64_t counted, running_ns;  /* counts and running time of the open interval */
	uint64_t max_rate;             /* largest number of events per second that the counter can count */
	uint64_t max_gap_ns;           /* longest time between two reads in which a counter wraps at most once */
	enum uncoremsr_status trouble;
	bool refused;                  /* the event is never counted on this unit; @trouble and @detail say why */
	int counter;                   /* number of the counter; UM_NO_COUNTER until one is assigned */
	struct um_counter_regs regs;
	const struct um_encoding *event;
	size_t index;                  /* index of the event in the events of struct um_msr */
	char detail[UM_DETAIL];
	struct um_unit *unit;
	/* @reading: the last closed interval; @total: everything since the start */
	struct um_reading reading, total;
	struct um_front *front;        /* the public unit of this slot; NULL: not shown (yet) */
};

/* One instance of a PMU, such as "cbo3". */
struct um_unit {
	struct um_box box;
	char name[UM_UNIT_NAME];       /* "cbo3" */
	char label[64];                /* "package 0 cbo3", for messages */
	size_t place_len;              /* length of "package 0" in @label */
	struct um_site *site;
	uint32_t bits_register;        /* the register with a gate bit for each counter; 0: the unit has none */
	struct um_cpuset cpus;         /* CPUs that reach the unit; empty: all CPUs of the package */
	int core;                      /* core_id of the CPU if the unit belongs to one CPU; else -1 */
	int err;                       /* why this unit is not counted; 0: it is counted */
	bool answers;                  /* a register could be read, so the unit exists */
	bool gone;                     /* accesses to the unit's registers fault: it is fused off, and not in sums */
	bool lost;                     /* none of the unit's CPUs was online at the last read */
	bool waits;                    /* the unit's CPU is offline since the start; @site is a placeholder */
	bool hidden;                   /* the user did not name the unit's CPU: not shown until the CPU comes online */
	struct um_error error;
	uint64_t interval_ns;          /* time when the open interval began */
	struct um_moment written;      /* time of the last write to a register of the unit */
	struct um_slot *slots;         /* one for each event of its PMU, in the order of the events */
	size_t num_slots;
	uint32_t by_hand;              /* counters that the user chose for events of this unit */
	/* Bit masks of counters (general, then fixed), set by functions of claim.h. @held: other sessions hold them. */
	uint64_t free, held;
	struct um_change *counters;    /* change.h: general counters, then fixed ones; NULL before um_claim_free() */
	struct um_change *filters;     /* extra registers that the unit's events need */
	size_t num_filters;
	struct um_gate_use *gates[UM_MAX_GATES];
	unsigned num_gates;            /* 0 if the unit has no gates, or until they are read */
	bool behind_gates;             /* the unit is counted as a user of its gates */
};

/* A package or die on which the session counts. */
struct um_site {
	const struct uncoremsr_package *package;
	unsigned cpu;
	int err;                       /* why nothing on this package is counted; 0: it is counted */
	bool told;                     /* already logged that the package has an online CPU again */
	bool has_left;                 /* a register could not be put back: stopping the session will fail */
	struct um_error error;
	char error_text[sizeof(((struct um_error *)0)->msg) + sizeof(((struct um_error *)0)->hint) + 4];
	struct um_gate_use *gates;
	size_t num_gates;
};

/* A range of events: from index @first up to, but not including, @end. */
struct um_span {
	size_t first, end;
};

/* The part of a session that counts through registers. */
struct um_msr {
	const struct um_route_env *env;
	const struct um_machine *m;
	struct um_error *error;        /* receives the error of the current call */
	struct um_encodings claimed;   /* the events of the last um_msr_claim(); um_msr_add() appends them to @events */
	struct um_encodings events;
	struct um_site *sites;
	size_t num_sites;
	struct um_unit *units;         /* site by site */
	size_t num_units;
	struct um_slot *slots;         /* unit by unit */
	size_t num_slots;
	struct um_front *fronts;       /* public units of each event, with room for hidden units */
	size_t *first_front;           /* index in @fronts of the first unit of each event */
	size_t *num_shown;             /* for each event, the number of its units that are shown */
	struct um_span *groups;        /* range of the events of each group; other events may lie between them */
	int *set_of;                   /* the set of each event */
	struct um_cpuset opened;       /* CPUs whose register device this session uses; each is listed once */
	bool running, paused;
	bool restoring;                /* registers are being put back: a failed access is tried again */
	int left;                      /* first error of restoring a unit's registers; @left_error has the message */
	struct um_error left_error;
	size_t num_reprogrammed;       /* number of units whose counters the last check programmed again */
	const struct um_unit *reprogrammed;
	size_t num_moved;              /* number of events that the last check moved to another counter */
	const struct um_slot *moved;
	int moved_from;                /* the counter that the event of @moved had before */
	struct um_guard own_guard;
	struct um_guard *guard;        /* &own_guard; while repairing, the guard of the caller */
	struct um_span *sets;          /* range of the events of each set; other events may lie between them */
	int num_sets, active_set;
	struct um_op *ops;             /* operations of a batch read of one unit */
};

/* All CPUs of the unit are offline: a unit of one CPU counts nothing, a unit of a package counts on, but unread. */
static inline enum uncoremsr_status um_status_away(const struct um_unit *u)
{
	return u && u->box.pmu->scope == UM_SCOPE_CPU ? UNCOREMSR_OFFLINE : UNCOREMSR_LOST;
}
/* Status of readings that failed with @err, on unit @u (NULL: on a whole package). */
static inline enum uncoremsr_status um_status_of(const struct um_unit *u, int err)
{
	return err == -ENXIO ? um_status_away(u) : err == -ENOTSUP ? UNCOREMSR_SILENT : UNCOREMSR_FAILED;
}

/* ---- units.c: which units the events need, with a slot for each event ---- */

/* If the units of a PMU cannot be determined, one unit with @err and @error stands for them. 0 or -ENOMEM. */
int um_units_make(struct um_msr *s);
void um_units_free(struct um_msr *s);
/* Set the error: no unit of package @p has the core type that the event needs. Returns -ENODEV. */
int um_no_unit_of_kind(const struct um_msr *s, const struct uncoremsr_package *p, const struct um_encoding *ev,
		       struct um_error *e);
bool um_pmu_has_events(const struct um_msr *s, const struct um_pmu *pmu);
/* Does the box count the event? PMU and core type must match, and the unit number if the event names a unit. */
bool um_box_counts(const struct um_box *b, const struct um_encoding *ev);
/* Initialise the slot for event @k: nothing has been counted. */
void um_slot_init(struct um_msr *s, struct um_unit *u, struct um_slot *slot, size_t k);
/* Fill in the public unit of the slot. A slot without one gets the next free public unit of its event. */
void um_slot_show(struct um_msr *s, struct um_slot *slot);
/* Once u->box is known: set the unit's name, its register with gate bits and, for a unit of one CPU, its core. */
void um_unit_settle(struct um_msr *s, struct um_unit *u);
/* Set the slot's status and message for the open interval, unless the event was refused on this unit. */
void um_slot_mark(struct um_slot *slot, enum uncoremsr_status trouble, const char *fmt, ...) UM_PRINTF(3, 4);
/* Do not count the event on its unit: its readings get @status, and @why as the message. */
void um_slot_refuse(struct um_slot *slot, enum uncoremsr_status status, const char *why);
static inline bool um_slot_in_set(const struct um_slot *slot, int set)
{
	return slot->counter != UM_NO_COUNTER && (slot->set == set || slot->set == UM_EVERY_SET);
}

/* The value that an event needs in its bits of an extra register. */
static inline uint64_t um_extra_value(const struct um_encoding *ev, const struct um_extra *x)
{
	return x->after ? x->after : ev->words[x->word] & um_extra_mask(x);
}

/* ---- match.c ---- */

enum { UM_NONE = -2 }; /* no group, or no set */

struct um_clash {
	enum { UM_FITS, UM_TOO_MANY, UM_CONSTRAINT, UM_SHARED_REGISTER } what;
	const struct um_slot *a, *b;   /* UM_CONSTRAINT: no counter can count @a; UM_SHARED_REGISTER: @a and @b exclude
				        * each other */
	uint32_t msr;
	unsigned need;                 /* number of slots that need a general counter */
};
/*
 * Do the slots of @group and those of @set fit on the counters @free at the same time? If both are UM_NONE, all slots
 * of the unit are tried. Returns UM_FITS or the conflict. If they fit, @at (may be NULL) receives the counter of each
 * slot.
 */
struct um_clash um_match(const struct um_msr *s, const struct um_unit *u, uint64_t free, long group, int set, int *at);
/* The slot of the event; NULL: the unit has none. */
const struct um_slot *um_unit_slot(const struct um_unit *u, size_t event);
static inline void um_span_add(struct um_span *span, struct um_span more)
{
	span->first = !span->end || more.first < span->first ? more.first : span->first;
	span->end = more.end > span->end ? more.end : span->end;
}
/* um_allowed(): general counters for the slot's event. um_useful(): those for any event of the unit. */
uint32_t um_allowed(const struct um_unit *u, const struct um_slot *slot);
uint32_t um_useful(const struct um_unit *u);

/*
 * ---- check.c ----
 *
 * Do the events fit on the counters? um_check_groups() assumes that all counters are free. A group that does not fit
 * even then can never be counted, and the session fails. um_check_unit() looks at the counters of a unit that are free
 * now.
 */
int um_check_groups(struct um_msr *s); /* also sets s->groups */
int um_check_unit(struct um_msr *s, struct um_unit *u);
/* Is the event the first of its group? Others of the group may follow later, because metrics share events. */
bool um_begins_group(const struct um_msr *s, size_t event);

/* ---- assign_counters.c: give every event its set and counter ---- */

/* 0 or -ENOMEM. The error of a single unit is in u->err. */
int um_assign_counters(struct um_msr *s);
/* For a unit whose CPU came online after the start. -EBUSY: the events do not fit into the existing sets. */
int um_assign_unit_counters(struct um_msr *s, struct um_unit *u);
/* Set the counter of the slot. Readings of closed intervals keep their counter number. */
void um_slot_put_on(const struct um_unit *u, struct um_slot *slot, unsigned counter);

/*
 * ---- unit_registers.c: registers of a unit; if one CPU goes offline, another CPU of the unit is used ----
 *
 * The device of a CPU stays open until the session is freed: the CPU may come back, and other units may use it.
 */
int um_open_cpu(struct um_msr *s, unsigned cpu, struct um_error *e);
int um_unit_read(struct um_msr *s, struct um_unit *u, uint32_t msr, uint64_t *value);
int um_unit_write(struct um_msr *s, struct um_unit *u, uint32_t msr, uint64_t mask, uint64_t value);
/* Write a register that counters share, under the lock that keeps other sessions out. */
int um_unit_write_shared(struct um_msr *s, struct um_unit *u, uint32_t msr, uint64_t mask, uint64_t value);
/* Gate bits of counters: set them and check that they stay set, or clear them. Clearing does nothing if @bits is 0. */
int um_unit_set_bits(struct um_msr *s, struct um_unit *u, uint64_t bits);
int um_unit_clear_bits(struct um_msr *s, struct um_unit *u, uint64_t bits);
/* Read or write the selector of a general counter, or a fixed counter's own bits of the shared control register. */
int um_unit_read_selector(struct um_msr *s, struct um_unit *u, const struct um_counter_regs *r, uint64_t *word);
int um_unit_write_selector(struct um_msr *s, struct um_unit *u, const struct um_counter_regs *r, uint64_t word);
/* um_unit_write_counter(): write @value into a counter. um_unit_stuck(): can a write restore @selector and @value? */
int um_unit_write_counter(struct um_msr *s, struct um_unit *u, const struct um_counter_regs *r, uint64_t value);
struct um_stuck um_unit_stuck(struct um_msr *s, struct um_unit *u, const struct um_counter_regs *r,
			      uint64_t selector, uint64_t value);
/* If @stuck names a register that could not be restored, refuse the unit and return -EBUSY. Otherwise return 0. */
int um_unit_refuse_stuck(struct um_msr *s, struct um_unit *u, const struct um_stuck *stuck);
/* Write @stuck in words: "UNCORE_PERFEVTSEL0 (0x3c0) holds 0x90407, and its bits 0x90000 could not be put back" */
const char *um_stuck_text(const struct um_msr *s, const struct um_stuck *stuck, char buf[UM_DETAIL]);
#define UM_STUCK_TEXT(s, stuck) um_stuck_text(s, stuck, (char[UM_DETAIL]){ 0 })
int um_stuck_hint(struct um_unit *u, const struct um_stuck *stuck);
/* @err: result of a write that should have restored @value. Returns 0 if the register holds @value nevertheless. */
int um_unit_unless_back(struct um_msr *s, struct um_unit *u, int err, uint32_t msr, uint64_t mask, uint64_t value);
/* If @err, log that register @msr could not be put back (reason in u->error). Stopping the session then fails. */
void um_unit_left(struct um_msr *s, struct um_unit *u, uint32_t msr, int err);
/* The message begins with the unit's name, unless the package has only one unit. Returns @err. */
int um_unit_refuse(struct um_unit *u, int err, const char *fmt, ...) UM_PRINTF(3, 4);
/* Set the unit's error: the register does not keep what was written, as in a virtual machine. Returns -ENOTSUP. */
int um_unit_not_kept(struct um_msr *s, struct um_unit *u, uint32_t msr, uint64_t written, uint64_t read);

#endif
