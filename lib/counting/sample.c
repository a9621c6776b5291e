/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Read counters with one system call each, and add the differences, at the counter's own width, to 64-bit sums. This is
 * the hot path: nothing is allocated or formatted here unless something went wrong.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "counting/claim.h"
#include "counting/run.h"

/* If true, another program wrote the counter. The last read happened at an unknown moment in its window. */
static bool is_too_much(const struct um_slot *slot, uint64_t increase, uint64_t gap)
{
	return (unsigned __int128)increase * 1000000000u >
	       ((unsigned __int128)gap + slot->last_read.window_ns) * slot->max_rate;
}

static void account(struct um_slot *slot, const struct um_op *op)
{
	struct um_moment now = slot->stop.ns ? slot->stop : (struct um_moment){ op->ns, op->ns - op->begin_ns };
	uint64_t raw = op->value, gap = now.ns - slot->last_read.ns;
	/* If this program was stopped during the last read, the read may be much older than its time stamp. */
	uint64_t longest = gap + slot->last_read.window_ns;
	uint64_t increase = (raw - slot->last) & um_low_mask(slot->regs.width);

	if (slot->missed && slot->trouble == UNCOREMSR_FAILED)
		slot->trouble = UNCOREMSR_OK; /* this read includes the counts that the failed read missed */
	slot->missed = false;
	if (slot->regs.overflow_bit && (raw < slot->last || longest > slot->max_gap_ns))
		slot->unit->counters[slot->counter].wrapped = true;
	if (slot->saturates && slot->regs.width < 64 && raw >> slot->regs.width)
		um_slot_mark(slot, UNCOREMSR_WRAPPED, "the counter reached its maximum and has stopped");
	else if (longest > slot->max_gap_ns && slot->trouble == UNCOREMSR_OK)
		um_slot_mark(slot, UNCOREMSR_WRAPPED, "read too late: the counter may have wrapped more "
		     "than once since the previous read");
	else if (is_too_much(slot, increase, gap))
		um_slot_mark(slot, UNCOREMSR_DISTURBED, "the count increased by more than the hardware can count in "
		     "that time: another program wrote the counter");
	slot->counted += increase;
	slot->running_ns += gap;
	slot->last = raw;
	slot->last_read = now;
	slot->reading.raw = slot->total.raw = raw;
	slot->reading.have_raw = slot->total.have_raw = true;
}

static void failed(struct um_unit *u, struct um_slot *slot, int err)
{
	if (err == -ENXIO) {
		u->lost = true;
		u->site->told = false;
	}
	slot->missed = true;
	slot->reading.have_raw = slot->total.have_raw = false;
	um_slot_mark(slot, um_status_of(u, err), "%s", u->error.msg);
}

void um_unit_batch(struct um_msr *s, size_t n)
{
	struct um_access *a = s->m->access;

	if (a->ops->batch_read && s->m->trace_style == UNCOREMSR_TRACE_NONE) {
		a->ops->batch_read(a, s->ops, n);
		return;
	}
	for (size_t i = 0; i < n; i++)
		s->ops[i].err = -EAGAIN;
}

static int read_alone(struct um_msr *s, struct um_unit *u, struct um_op *op)
{
	int err;

	op->begin_ns = um_now(s->m);
	err = um_unit_read(s, u, op->msr, &op->value);
	op->ns = um_now(s->m);
	return err;
}

int um_unit_finish(struct um_msr *s, struct um_unit *u, struct um_op *op)
{
	int err;

	if (!op->err)
		return 0;
	err = read_alone(s, u, op);
	/* Try each register twice. After -EAGAIN there was no read in a batch. */
	return err && op->err == -EAGAIN ? read_alone(s, u, op) : err;
}

/* Marks slots that run, and slots that have not counted in this interval. */
int um_unit_spoil(struct um_unit *u, int err)
{
	for (size_t k = 0; k < u->num_slots; k++)
		if (u->slots[k].active || !u->slots[k].running_ns)
			failed(u, &u->slots[k], err);
	return err;
}

int um_unit_sample(struct um_msr *s, struct um_unit *u)
{
	struct um_op *op = s->ops;
	int first = 0;

	for (size_t k = 0; k < u->num_slots; k++)
		if (u->slots[k].active)
			*op++ = (struct um_op){ .cpu = u->box.cpu, .msr = u->slots[k].regs.counter };
	um_unit_batch(s, (size_t)(op - s->ops));
	op = s->ops;
	for (struct um_slot *slot = u->slots; slot < u->slots + u->num_slots; slot++) {
		int err;

		if (!slot->active)
			continue;
		err = um_unit_finish(s, u, op);
		if (err)
			failed(u, slot, err);
		else
			account(slot, op);
		first = first ? first : err;
		op++;
	}
	return first;
}

static inline void fill(struct um_reading *r, uint64_t now)
{
	r->time_ns = now;
	if (r->status == UNCOREMSR_OK && !r->running_ns) {
		r->status = UNCOREMSR_NOT_COUNTED;
		snprintf(r->detail, sizeof(r->detail), "%s", r->enabled_ns ? "its group had no turn in this interval"
			 : "nothing was counted since the previous read");
	}
	if (r->status == UNCOREMSR_NOT_COUNTED && r->running_ns)
		r->status = UNCOREMSR_OK;
	r->value = r->running_ns && r->running_ns < r->enabled_ns
			   ? um_scale(r->counted, r->enabled_ns, r->running_ns) : r->counted;
}

static void close_slot(struct um_unit *u, struct um_slot *slot, uint64_t now)
{
	struct um_reading *r = &slot->reading, *total = &slot->total;
	bool every = slot->set == UM_EVERY_SET;
	uint64_t begun;

	/* An event that takes no turns was enabled exactly as long as it ran. */
	r->enabled_ns = every || slot->running_ns > now - u->interval_ns ? slot->running_ns : now - u->interval_ns;
	r->running_ns = slot->running_ns;
	r->counted = slot->counted;
	r->status = UNCOREMSR_OK;
	if (total->status == UNCOREMSR_SPREAD)
		total->status = UNCOREMSR_OK; /* um_reading_judge_time() below sets SPREAD again if it still applies */
	/* This was the first read, or the event went on counting while it could not be read: nothing is lost. */
	if (!total->time_ns || (total->status == UNCOREMSR_FAILED && !slot->missed && !slot->refused))
		total->status = UNCOREMSR_OK;
	if (slot->trouble != UNCOREMSR_OK) {
		um_reading_spoil(r, slot->trouble, slot->detail);
		um_reading_spoil(total, slot->trouble, slot->detail);
	} else if (slot->late && !slot->missed) {
		um_reading_spoil(r, UNCOREMSR_FAILED, UM_LATE);
	}
	r->counter = total->counter = slot->counter;
	slot->late = slot->missed;
	total->enabled_ns += r->enabled_ns;
	total->running_ns += r->running_ns;
	total->counted += r->counted;
	fill(r, now);
	fill(total, now);
	begun = slot->active ? slot->last_read.window_ns : 0;
	um_reading_judge_time(r, slot->unsure_ns + begun);
	um_reading_judge_time(total, slot->total_unsure_ns + begun);
	slot->unsure_ns = begun; /* the last read of this interval is the first of the next */
	slot->counted = slot->running_ns = 0;
	if (!slot->refused)
		slot->trouble = UNCOREMSR_OK;
}

static void close_failed(struct um_unit *u, struct um_slot *slot)
{
	struct um_reading *both[] = { &slot->reading, &slot->total };

	if (slot->front)
		slot->front->shown.error = u->error.msg;
	for (int i = 0; i < 2; i++) {
		both[i]->have_raw = false;
		um_reading_spoil(both[i], um_status_of(u, u->err), u->error.msg);
	}
}

void um_unit_close(struct um_unit *u)
{
	uint64_t now = u->interval_ns;

	/* The interval ends at the read, not at the call of this function. */
	for (size_t k = 0; k < u->num_slots; k++)
		if (u->slots[k].last_read.ns > now)
			now = u->slots[k].last_read.ns;
	for (struct um_slot *slot = u->slots; slot < u->slots + u->num_slots; slot++) {
		if (slot->front)
			slot->front->shown.cpu = (int)u->box.cpu; /* the previous CPU may have gone offline */
		if (u->err)
			close_failed(u, slot);
		else
			close_slot(u, slot, now);
	}
	u->interval_ns = now;
}
