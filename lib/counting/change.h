/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Change: a register that we write, and what it held before. A counter, filter or gate goes through these stages:
 *
 *	TAKEN     we hold the lease of the register, so no other session of ours touches it
 *	RECORDED  what the register held, and every word that we may write, is in the journal
 *	WRITTEN   the register holds our word; each check reads it to see whether it still does
 *	undone    the register is restored if it still held our word; the record is marked as done, the lease released
 *
 * The registers of one counter are one change, because they depend on its selector: the counter, its enable bit and
 * its overflow status. The selector is written first and put back last. So the selector alone shows whether one of our
 * changes is left, even after our process has died. If another program has written the selector since, all registers of
 * the counter stay as they are. Only our enable bit is cleared, if the counter is off.
 * A gate is shared: the last process that needs it puts it back (gate.c). After kill -9 a later process reads the
 * changes from the journal, and undoes them by the same functions (repair.c).
 */
#ifndef UM_CHANGE_H
#define UM_CHANGE_H

#include "counting/plan.h"

enum um_stage {
	UM_CHANGE_NONE,                /* not leased: the register was only read, or the change was undone */
	UM_CHANGE_TAKEN,
	UM_CHANGE_RECORDED,            /* nothing was written yet, so there is nothing to put back */
	UM_CHANGE_STALE,               /* a reset or another program may have changed the register: write it again */
	UM_CHANGE_WRITTEN,
	UM_CHANGE_DROPPED,             /* the register did not keep what we wrote: restore it, whatever it holds now */
	UM_CHANGE_LEFT,                /* another program took the counter; our event has moved to another counter */
	UM_CHANGE_FAILED,              /* restoring failed; the record stays in the journal for a repair */
};

/* A foreign value that the checks have seen in one of our registers. */
struct um_strange {
	uint64_t word, since_ns;
	unsigned checks;               /* number of successive checks that saw @word; 0: the register holds our word */
	bool quiet;                    /* the program that wrote @word seems to have ended: we may take the register */
	bool enabled;                  /* the program that wrote @word left the counter's gate bit on */
};

struct um_change {
	struct um_lease lease;         /* the register's lease, with the offset of its journal record */
	const char *event;
	enum um_stage stage;
	struct um_counter_regs regs;   /* the counter's other registers depend on regs.selector */
	struct um_old old;
	uint64_t ours;                 /* the word that we last wrote */
	uint64_t seen;                 /* what the register held when it was last read */
	struct um_stuck stuck;         /* bits of @old that no write could restore */
	struct um_strange strange;
	bool stranger;                 /* a program without a lease uses the counter */
	bool wrapped;                  /* the counter may have overflowed: clear its overflow status at the end */
};

/* Number of entries in u->counters: general counters, then fixed ones. 0 before um_claim_free() has run. */
static inline unsigned um_num_counters(const struct um_unit *u)
{
	return u->counters ? u->box.num_general + u->box.pmu->num_fixed : 0;
}
static inline bool um_change_is_recorded(const struct um_change *c)
{
	return c->stage >= UM_CHANGE_RECORDED;
}
static inline bool um_change_is_written(const struct um_change *c)
{
	return c->stage >= UM_CHANGE_STALE;
}
/* True if the counter has no gate bit, or if the kernel leaves that bit on (core counters). */
static inline bool um_stops_by_selector(const struct um_counter_regs *r)
{
	return !r->gate || r->kernels;
}
/* Do the two words agree in all bits that must read back as written? */
static inline bool um_same_word(const struct um_counter_regs *r, uint64_t a, uint64_t b)
{
	return ((a ^ b) & r->compare & r->mask) == 0;
}

/* Initialise a change of one of the unit's registers, without taking its lease. @number: as in struct um_lease_id. */
struct um_change um_unit_change(const struct um_unit *u, enum um_lease_kind kind, unsigned number);
/*
 * Write the record, with c->old, into the journal before the register is written. -EBUSY: nothing was recorded, because
 * no write could restore the old value (c->stuck), or because the record is full.
 */
int um_change_record(struct um_msr *s, struct um_unit *u, struct um_change *c, struct um_record *r);
int um_change_write(struct um_msr *s, struct um_unit *u, struct um_change *c, uint64_t word);
/* Does the register hold what was written? Returns -ENOTSUP if it ignored the write, as in a virtual machine. */
int um_change_check(struct um_msr *s, struct um_unit *u, struct um_change *c);
/* Result of um_change_state(), which reads the register into c->seen. */
enum um_contents {
	UM_HOLDS_OTHER,                /* another word, with counting enabled: another program uses the counter */
	UM_HOLDS_OURS,                 /* our word */
	UM_HOLDS_UNUSED,               /* another word, with counting disabled */
};
int um_change_state(struct um_msr *s, struct um_unit *u, struct um_change *c);
/* Is the counter that holds c->seen unused? If we have programmed the counter, its gate bit proves nothing. */
bool um_change_is_unused(struct um_msr *s, struct um_unit *u, const struct um_change *c);
/*
 * Has the program that wrote the foreign word c->seen ended? Some programs leave counters running (Intel PCM). Returns
 * 1 and sets c->strange.quiet if the word has not changed during several checks and seconds; else 0 or a negative
 * errno.
 */
int um_change_is_quiet(struct um_msr *s, struct um_unit *u, struct um_change *c);

/* Restore the registers that still hold our words. um_unit_left() logs what cannot be restored. */
void um_changes_undo(struct um_msr *s, struct um_unit *u, struct um_change *list, unsigned num);
/* Restore the register of a change. Call it only if the register held @c->ours when it was last read. */
void um_change_put_back(struct um_msr *s, struct um_unit *u, struct um_change *c);
/* Mark the records of undone changes as done, and release all leases. */
void um_changes_end(struct um_msr *s, struct um_change *list, unsigned num);

#endif
