/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Plan: the events of a session x the units that they need. A site is one package (or die) that was
 * chosen; a unit is one unit of one PMU there that an event needs; a slot is one event on one unit.
 * Events that do not fit at once form sets that take turns on the same counters; what has a counter
 * of its own (fixed, free running) runs in every set.
 *
 * What tells one processor from another stands in the tables. This room has no branch for a model.
 */
#ifndef UM_PLAN_H
#define UM_PLAN_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "counting/lease.h"
#include "counting/registers.h"
#include "events/event.h"
#include "session/route.h"

enum { UM_EVERY_SET = -1, UM_NO_COUNTER = -1 };

/*
 * Where a counter starts. Not at 0, which is what a register reads that swallows writes (a guest, an
 * emulator): it has to read back before the counter runs.
 */
enum { UM_COUNTER_START = 0x5a };

/* One event on one unit. */
struct um_slot {
	/* what every read needs comes first */
	bool active;                   /* programmed and enabled now */
	bool dirty;                    /* the last check found it changed */
	bool stopped;                  /* ... by a gate alone that all counters share */
	bool again;                    /* it is free, and being programmed again */
	bool missed, late;             /* @missed: the last read failed; @late: the last interval's did */
	bool saturates;
	int set;                       /* whose turn it needs; UM_EVERY_SET */
	uint64_t last, last_ns;        /* register and time at the last read */
	uint64_t window_ns;            /* between the stamps around that read: it was somewhere in it */
	uint64_t unsure_ns;            /* such windows of the open interval, at the ends of what it counted */
	uint64_t total_unsure_ns;      /* the same since the start */
	uint64_t stopped_ns;           /* when it was switched off; 0: it runs */
	uint64_t stopped_window_ns;
	uint64_t counted, running_ns;  /* the open interval */
	uint64_t max_rate;             /* per second, what the counter can count at most */
	uint64_t max_gap_ns;           /* longest time between two reads without a second wrap */
	enum uncoremsr_status trouble; /* UNCOREMSR_OK while nothing is wrong */
	enum uncoremsr_status refused; /* other than OK: never counted on this unit, for @why */
	int counter;                   /* UM_NO_COUNTER until placed */
	struct um_counter_regs regs;
	const struct um_encoding *event;
	size_t index;                  /* of the event in the session */
	char detail[UM_DETAIL], why[UM_DETAIL];
	struct um_unit *unit;
	/* the last closed interval, and everything since start */
	struct uncoremsr_reading reading, total;
	struct uncoremsr_unit *front;  /* as it is handed out; NULL: not yet, or the unit is gone */
};

/* One unit of one PMU. */
struct um_unit {
	struct um_box box;
	char name[UM_UNIT_NAME];       /* "cbo3" */
	char label[64];                /* "package 0 cbo3", for messages */
	size_t place_len;              /* of "package 0" in it */
	struct um_site *site;
	uint32_t bits_register;        /* with a bit for each counter; 0: this unit has none */
	struct um_cpuset cpus;         /* that reach it; empty: all of the package */
	int core;                      /* core_id of units of a CPU; else -1 */
	int err;                       /* not 0: this unit is not counted */
	bool answers;                  /* a register could be read: it is there, whatever fails later */
	bool gone;                     /* it does not answer: fused off, and counts for nothing */
	bool lost;                     /* no CPU of it was online at the last read */
	bool waits;                    /* nor since the start; it has an error, and nowhere as its site */
	bool hidden;                   /* not asked for by number: it belongs to nothing until it comes */
	struct um_error error;
	uint64_t interval_ns;          /* when the open interval began */
	uint64_t written_ns;           /* right after the last write, as the stamps of reads are */
	uint64_t written_window_ns;    /* how long it took */
	struct um_slot *slots;         /* of the events of its PMU, in their order */
	size_t num_slots;
	bool by_hand;                  /* one of them is to be on a certain counter */
	/* Found by claim.h: free counters, and which of our processes hold the others. */
	uint32_t free, free_fixed;
	char holders[256];
	struct um_held *held;          /* claim.h: counters that we hold; NULL: none */
	struct um_filter *filters;     /* claim.h: the same for extra registers */
	size_t num_filters;
	struct um_gate_use *gates[UM_MAX_GATES]; /* gate.h; NULL: per counter, or not looked at yet */
};

/* One package. */
struct um_site {
	const struct uncoremsr_package *package;
	unsigned cpu;
	int err;                       /* not 0: nothing of this package is counted */
	bool told;                     /* that it is back */
	bool has_left;                 /* something could not be put back: gates keep their records */
	struct um_error error;
	char error_text[sizeof(((struct um_error *)0)->msg) +
			sizeof(((struct um_error *)0)->hint) + 4];
	struct um_gate_use *gates;     /* gate.h */
	size_t num_gates;
};

/* Events from @first to before @end. */
struct um_span {
	size_t first, end;
};

/* The register part of a session. */
struct um_msr {
	const struct um_route_env *env;
	const struct um_machine *m;
	struct um_error *error;        /* of the call that goes on */
	struct um_encodings claimed;   /* what the last claim was about */
	struct um_encodings events;
	struct um_site *sites;
	size_t num_sites;
	struct um_unit *units;         /* site by site */
	size_t num_units;
	struct um_slot *slots;         /* unit by unit */
	size_t num_slots;
	/* Units by event, as they are handed out, and where those of each event begin. */
	struct uncoremsr_unit *fronts;
	size_t *first_front;
	size_t *num_shown;             /* of each event; behind them CPUs that have not come yet */
	struct um_span *groups;        /* where the events of each group are, perhaps with others between them */
	int *set_of;                   /* of each event: its set */
	struct um_cpuset online;       /* when it was last looked for those */
	struct um_cpuset opened;       /* CPUs whose register device this session uses, once each */
	bool running, paused;
	bool restoring;                /* accesses that fail are tried again */
	size_t num_retaken;            /* units whose counters were programmed again, by the last check */
	const struct um_unit *retaken; /* the first of them */
	size_t num_moved;              /* events that went on with another counter, by the last check */
	const struct um_slot *moved;   /* the first of them, */
	int moved_from;                /* and where it was */
	struct um_guard guard;
	int num_sets, active_set;
	struct um_op *ops;             /* for batch reads of one unit */
};

/* Without any CPU: a unit of one CPU has nothing to count then, one of a package goes on unseen. */
static inline enum uncoremsr_status um_status_away(const struct um_unit *u)
{
	return u && u->box.pmu->scope == UM_SCOPE_CPU ? UNCOREMSR_OFFLINE : UNCOREMSR_LOST;
}
/* What readings say of a unit (NULL: a package) or slot that failed with @err. */
static inline enum uncoremsr_status um_status_of(const struct um_unit *u, int err)
{
	return err == -ENXIO ? um_status_away(u) : err == -ENOTSUP ? UNCOREMSR_SILENT
								   : UNCOREMSR_FAILED;
}

/* ---- units.c: which units the events need, with a slot for each event ---- */

/* 0, or -ENOMEM. A unit that is not known carries the reason. */
int um_units_make(struct um_msr *s);
void um_units_free(struct um_msr *s);
/* -ENODEV: no unit of a package is of the kind of core that the event counts on. */
int um_no_unit_of_kind(const struct um_msr *s, const struct uncoremsr_package *p, const struct um_encoding *ev,
		       struct um_error *e);
/* Does this box count the event: of its unit, and of its kind of core? */
bool um_box_counts(const struct um_box *b, const struct um_encoding *ev);
/* A slot for event @k, as before anything was counted. */
void um_slot_init(struct um_msr *s, struct um_unit *u, struct um_slot *slot, size_t k);
/* Name, core and registers of a unit of one CPU whose box is known. */
void um_unit_settle(struct um_msr *s, struct um_unit *u);
/* From now on it is not counted on its unit, and its readings say why. */
void um_slot_refuse(struct um_slot *slot, enum uncoremsr_status status, const char *why);
static inline bool um_slot_in_set(const struct um_slot *slot, int set)
{
	return slot->counter != UM_NO_COUNTER && (slot->set == set || slot->set == UM_EVERY_SET);
}

/* Bits of an extra register that are a row's, and what an event wants in them. */
static inline uint64_t um_extra_mask(const struct um_extra *x)
{
	return x->mask ? x->mask : x->reg.valid;
}
static inline uint64_t um_extra_value(const struct um_encoding *ev, const struct um_extra *x)
{
	return x->after ? x->after : ev->extra[x->slot] & um_extra_mask(x);
}

/*
 * ---- match.c ----
 *
 * Can the slots that @choose likes be counted at once, on these counters? @at[k]: counter of slot k
 * (if not NULL). The result is UM_FITS, or what they get in each other's way about.
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
/*
 * The unit with the slots of these events alone, so that many groups do not make each question long; all of it where
 * a counter was chosen by hand, which is kept from all others.
 */
struct um_unit um_unit_part(const struct um_unit *u, struct um_span events);
/* The slot of the event; NULL: the unit has none. */
const struct um_slot *um_unit_slot(const struct um_unit *u, size_t event);
/* Make @span hold event @k, too. */
static inline void um_span_add(struct um_span *span, size_t k)
{
	span->first = !span->end || k < span->first ? k : span->first;
	span->end = k >= span->end ? k + 1 : span->end;
}
/* General counters that the slot may be on, and those that are of any use to the unit's slots. */
uint32_t um_allowed(const struct um_unit *u, const struct um_slot *slot);
uint32_t um_useful(const struct um_unit *u);

/*
 * ---- check.c ----
 *
 * Does everything fit? Groups against counters that are all free (what does not fit then never
 * will: a failure of the session), and what was asked for against the free counters of a unit.
 */
int um_check_groups(struct um_msr *s); /* also finds s->groups */
int um_check_unit(struct um_msr *s, struct um_unit *u);
/* Is it the first event of its group? The others need not follow at once: metrics share events. */
bool um_begins_group(const struct um_msr *s, size_t event);

/* ---- place.c: give every event its set and counter. 0 or -ENOMEM. ---- */
int um_place(struct um_msr *s);
/* The same for one unit that came later: in the sets that there are, or -EBUSY. */
int um_place_late(struct um_msr *s, struct um_unit *u);
/* The event is on this counter from now on. */
void um_slot_put_on(const struct um_unit *u, struct um_slot *slot, unsigned counter);

/*
 * ---- unit_registers.c: registers of a unit, through another CPU of it when ours went offline ----
 *
 * A CPU stays open until the session is freed: it may come back, and other units may be on it.
 */
int um_open_cpu(struct um_msr *s, unsigned cpu, struct um_error *e);
int um_unit_read(struct um_msr *s, struct um_unit *u, uint32_t msr, uint64_t *value);
int um_unit_write(struct um_msr *s, struct um_unit *u, uint32_t msr, uint64_t mask, uint64_t value);
/* The same, alone among our processes: registers that counters share. */
int um_unit_write_shared(struct um_msr *s, struct um_unit *u, uint32_t msr, uint64_t mask,
			 uint64_t value);
int um_unit_lock(struct um_msr *s, struct um_unit *u);
void um_unit_unlock(struct um_msr *s, struct um_unit *u);
/* The selector of a counter, its own bits of the control register of a fixed one. */
int um_unit_read_selector(struct um_msr *s, struct um_unit *u, const struct um_counter_regs *r,
			  uint64_t *word);
int um_unit_write_selector(struct um_msr *s, struct um_unit *u, const struct um_counter_regs *r,
			   uint64_t word);
/* Put back what a counter held; what of that and of its selector no write can give. */
int um_unit_write_counter(struct um_msr *s, struct um_unit *u, const struct um_counter_regs *r,
			  uint64_t value);
struct um_stuck um_unit_stuck(struct um_msr *s, struct um_unit *u, const struct um_counter_regs *r,
			      uint64_t selector, uint64_t value);
/* A register holds bits that could not be put back: the unit is refused. 0: it has none; -EBUSY. */
int um_unit_refuse_stuck(struct um_msr *s, struct um_unit *u, const struct um_stuck *stuck);
/* "UNCORE_PERFEVTSEL0 (0x3c0) holds 0x90407, and its bits 0x90000 could not be put back" */
const char *um_stuck_text(const struct um_msr *s, const struct um_stuck *stuck, char *buf, size_t size);
void um_stuck_hint(struct um_unit *u, const struct um_stuck *stuck);
/*
 * @err of a write that should have put @value back, or 0 if the register holds it all the same: the write
 * that would have changed it had failed as well.
 */
int um_unit_unless_back(struct um_msr *s, struct um_unit *u, int err, uint32_t msr, uint64_t mask,
			uint64_t value);
/* It could not be put back, for the reason in u->error: said by name, and a stop will fail. */
void um_unit_left(struct um_msr *s, struct um_unit *u, uint32_t msr);
/* The unit cannot be counted: the sentence, behind its name where there are others. Returns @err. */
int um_unit_refuse(struct um_unit *u, int err, const char *fmt, ...) UM_PRINTF(3, 4);
/* What was written is not what is there: a virtual machine. Returns -ENOTSUP. */
int um_unit_not_kept(struct um_msr *s, struct um_unit *u, uint32_t msr, uint64_t written,
		     uint64_t read);
/* Not held yet. */
struct um_lease um_unit_lease(const struct um_unit *u, enum um_lease_kind kind, unsigned number);

#endif
