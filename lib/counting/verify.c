/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Do selectors and enable bits hold what we wrote? A check sees no write to a counter, and no change undone since. */
#include <inttypes.h>
#include <stdio.h>

#include "counting/claim.h"
#include "counting/run.h"

struct seen {
	uint64_t selector;
	uint64_t gate;      /* the register with an enable bit for each counter */
	const struct um_gate_use *closed; /* a shared gate that is closed; NULL: all are open */
	uint32_t filter;    /* address of an extra register that was changed; 0: none */
};

static inline bool slot_changed(struct um_slot *slot, const struct seen *now)
{
	const struct um_counter_regs *r = &slot->regs;
	uint64_t word = slot->event->word;
	char *detail = slot->detail;
	size_t size = sizeof(slot->detail);

	if ((now->selector ^ word) & r->compare & r->mask)
		snprintf(detail, size, "another program changed selector 0x%x: it holds 0x%" PRIx64
			 ", we wrote 0x%" PRIx64, r->selector, now->selector & r->mask, word);
	else if ((now->gate & r->gate_bit) != r->gate_bit)
		snprintf(detail, size, "another program cleared our global enable bit (the register holds 0x%"
			 PRIx64 ")", now->gate);
	else if (now->closed)
		um_gate_closed_detail(now->closed, detail, size);
	else if (now->filter && slot->event->extras)
		snprintf(detail, size, "another program changed filter 0x%x", now->filter);
	else
		return false;
	return true;
}

int um_slot_verify(struct um_msr *s, struct um_unit *u, struct um_slot *slot)
{
	struct um_op ops[UM_MAX_GATES];
	struct seen now = { .gate = 0 };
	size_t num = um_gates_ops(u, ops);
	int err = um_unit_read(s, u, slot->regs.selector, &now.selector);

	if (!err && slot->regs.gate)
		err = um_unit_read(s, u, slot->regs.gate, &now.gate);
	for (size_t i = 0; i < num && !err; i++)
		err = um_unit_read(s, u, ops[i].msr, &ops[i].value);
	if (!err)
		err = um_filters_changed(s, u, &now.filter);
	if (err)
		return err;
	now.closed = um_gates_closed(u, ops);
	return slot_changed(slot, &now);
}

static void spoil(struct um_slot *slot, enum uncoremsr_status status, const char *detail)
{
	struct um_reading *both[] = { &slot->reading, &slot->total };

	for (int i = 0; i < 2; i++) {
		if (!um_reading_counted(both[i]) && both[i]->status != UNCOREMSR_NOT_COUNTED)
			continue;
		um_reading_spoil(both[i], status, detail);
	}
}

static void check_slot(struct um_slot *slot, const struct seen *now)
{
	bool was_dirty = slot->dirty;

	slot->dirty = slot_changed(slot, now);
	slot->stopped &= slot->dirty;
	if (!slot->dirty && !was_dirty)
		return;
	if (!slot->dirty)
		snprintf(slot->detail, sizeof(slot->detail),
			 "at the start of the interval another program held the registers");
	spoil(slot, UNCOREMSR_DISTURBED, slot->detail);
}

static bool is_checked(const struct um_slot *slot)
{
	return slot->active && slot->regs.selector;
}

/* First the registers that all counters share, whose number is returned; then the selectors of active slots. */
static size_t read_controls(struct um_msr *s, struct um_unit *u, uint32_t gate)
{
	struct um_op *op = s->ops;
	size_t shared;

	if (gate)
		*op++ = (struct um_op){ .cpu = u->box.cpu, .msr = gate };
	op += um_gates_ops(u, op);
	shared = (size_t)(op - s->ops);
	for (size_t k = 0; k < u->num_slots; k++)
		if (is_checked(&u->slots[k]))
			*op++ = (struct um_op){
				.cpu = u->box.cpu, .msr = u->slots[k].regs.selector,
			};
	um_unit_batch(s, (size_t)(op - s->ops));
	return shared;
}

int um_unit_verify(struct um_msr *s, struct um_unit *u)
{
	uint32_t gate = u->num_slots ? u->bits_register : 0;
	size_t shared = read_controls(s, u, gate);
	struct um_op *op = s->ops;
	struct seen now;
	int err = 0;

	for (size_t i = 0; i < shared && !err; i++)
		err = um_unit_finish(s, u, &op[i]);
	now.gate = gate ? op->value : 0;
	now.closed = um_gates_closed(u, op + (gate ? 1 : 0));
	op += shared;
	if (!err)
		err = um_filters_changed(s, u, &now.filter);
	for (size_t k = 0; !err && k < u->num_slots; k++) {
		if (!is_checked(&u->slots[k]))
			continue;
		err = um_unit_finish(s, u, op);
		now.selector = op++->value;
		if (!err)
			check_slot(&u->slots[k], &now);
	}
	/* If the check failed, we do not know whether the counters are still ours. */
	for (size_t k = 0; err && k < u->num_slots; k++)
		if (is_checked(&u->slots[k]))
			spoil(&u->slots[k], um_status_of(u, err), u->error.msg);
	return err;
}
