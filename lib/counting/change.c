/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Changes of registers: record, write, check and undo them. */
#include <inttypes.h>
#include <string.h>

#include "counting/change.h"

struct um_change um_unit_change(const struct um_unit *u, enum um_lease_kind kind, unsigned number)
{
	struct um_lease_id id = {
		.package = u->box.package, .die = u->box.die, .kind = kind, .number = number,
	};

	memcpy(id.unit, u->name, sizeof(id.unit));
	return (struct um_change){
		.lease = um_lease_make(&id, &u->box),
		.regs = kind == UM_LEASE_COUNTER ? um_counter_regs(&u->box, number) : (struct um_counter_regs){
			.selector = number, .mask = UM_WHOLE, .used = UM_WHOLE, .compare = UM_WHOLE,
			.kernels = u->box.pmu->only_on_request,
		},
	};
}

int um_change_record(struct um_msr *s, struct um_unit *u, struct um_change *c, struct um_record *r)
{
	int err = um_unit_refuse_stuck(s, u, &c->stuck);

	/* After a crash, a repair would take an unrecorded word for another program's. */
	if (!err && r->full) {
		err = um_unit_refuse(u, -EBUSY, "too many events take turns: a record of the journal has room for %d "
				     "values of a register", UM_RECORD_WORDS);
		um_hint(&u->error, "count fewer events at once");
	}
	r->old = c->old;
	if (!err)
		err = um_lease_store(s->guard, &c->lease, r, &u->error);
	if (err || um_change_is_recorded(c))
		return err;
	c->ours = c->old.word;
	c->stage = UM_CHANGE_RECORDED;
	return 0;
}

int um_change_write(struct um_msr *s, struct um_unit *u, struct um_change *c, uint64_t word)
{
	int err = um_unit_write_selector(s, u, &c->regs, word);

	if (!err) {
		c->ours = word;
		c->stage = UM_CHANGE_WRITTEN;
	}
	return err;
}

int um_change_check(struct um_msr *s, struct um_unit *u, struct um_change *c)
{
	uint64_t now = 0, written = c->ours;
	int err = um_unit_read_selector(s, u, &c->regs, &now);

	if (err || um_same_word(&c->regs, now, written))
		return err;
	c->stage = UM_CHANGE_DROPPED;
	c->ours = now; /* so that um_changes_undo() does not mistake @now for another program's word */
	return um_unit_not_kept(s, u, c->regs.selector, written, now);
}

bool um_change_is_unused(struct um_msr *s, struct um_unit *u, const struct um_change *c)
{
	uint64_t gate = 0;

	if (c->regs.gate && !um_change_is_written(c) && um_unit_read(s, u, c->regs.gate, &gate))
		return false;
	return !um_counter_in_use(&c->regs, c->seen, gate);
}

int um_change_state(struct um_msr *s, struct um_unit *u, struct um_change *c)
{
	int err = um_unit_read_selector(s, u, &c->regs, &c->seen);

	if (err)
		return err;
	if (um_change_is_recorded(c) && um_same_word(&c->regs, c->seen, c->ours))
		return UM_HOLDS_OURS;
	return um_change_is_unused(s, u, c) ? UM_HOLDS_UNUSED : UM_HOLDS_OTHER;
}

enum { QUIET_CHECKS = 5 };
#define QUIET_NS UINT64_C(5000000000)

/* Always 0 for core counters: the kernel uses them, too, and may leave a selector unchanged for a long time. */
int um_change_is_quiet(struct um_msr *s, struct um_unit *u, struct um_change *c)
{
	struct um_strange *strange = &c->strange;
	uint64_t gate = 0, now = um_now(s->m);
	int err = 0;

	strange->quiet = false;
	if (!strange->checks || strange->word != c->seen)
		*strange = (struct um_strange){ .word = c->seen, .since_ns = now };
	if (strange->checks++ < QUIET_CHECKS || now - strange->since_ns < QUIET_NS || c->regs.kernels)
		return 0;
	if (c->regs.gate)
		err = um_unit_read(s, u, c->regs.gate, &gate);
	if (err)
		return err;
	strange->enabled = gate & c->regs.gate_bit;
	strange->quiet = true;
	return 1;
}

/*
 * Read the selector of a written change. If the selector still holds our word, add the gate bit that we have to clear
 * to *bits. If another program has written the selector, none of the counter's registers will be restored, and the gate
 * bit is added only if the counter is off.
 */
static void look_before_undo(struct um_msr *s, struct um_unit *u, struct um_change *c, uint64_t *bits)
{
	const struct um_counter_regs *r = &c->regs;
	const uint32_t all[] = { r->gate, r->counter, r->selector };
	uint64_t bit = c->old.enabled ? 0 : r->gate_bit;
	int err = um_unit_read_selector(s, u, r, &c->seen);
	bool off;

	for (size_t i = 0; err && i < ARRAY_SIZE(all); i++)
		if (all[i])
			um_unit_left(s, u, all[i], err);
	if (err) {
		c->stage = UM_CHANGE_FAILED;
		return;
	}
	if (um_same_word(r, c->seen, c->ours)) {
		*bits |= bit;
		return;
	}
	/* If we saw another program count here, that program may have stopped the counter only for a moment. */
	off = !um_counter_in_use(r, c->seen, 0) && (c->stage == UM_CHANGE_LEFT || !c->strange.checks);
	if (off)
		*bits |= bit;
	if (!(off && c->stage == UM_CHANGE_LEFT) && (r->counter || c->seen != c->old.word))
		um_warn(s->m, "%s: %s 0x%x holds 0x%" PRIx64 ", not our 0x%" PRIx64 ": left as it is, another "
			"program wrote it", u->label, r->counter ? "selector" : "register", r->selector, c->seen,
			c->ours);
	c->stage = UM_CHANGE_TAKEN;
}

/* The gate bit may be clear now because the counter's turn has ended, or because programming the counter has failed. */
static int restore_bit(struct um_msr *s, struct um_unit *u, const struct um_change *c)
{
	uint64_t gate = 0;
	int err = c->old.enabled ? um_unit_read(s, u, c->regs.gate, &gate) : 0;

	if (err || !c->old.enabled || (gate & c->regs.gate_bit))
		return err;
	return um_unit_write_shared(s, u, c->regs.gate, c->regs.gate_bit, c->regs.gate_bit);
}

/* Stop the counter, and put back the registers that depend on its selector. Goes on after an error. */
static int put_back_counter(struct um_msr *s, struct um_unit *u, struct um_change *c)
{
	const struct um_counter_regs *r = &c->regs;
	uint64_t off = um_off_word(r, c->ours);
	int err, bit;

	if (um_stops_by_selector(r) && off != c->ours && !um_unit_write_selector(s, u, r, off))
		c->ours = off;
	err = um_unit_write_counter(s, u, r, c->old.counter);
	err = um_unit_unless_back(s, u, err, r->counter, UM_WHOLE, c->old.counter);
	um_unit_left(s, u, r->counter, err);
	bit = restore_bit(s, u, c);
	um_unit_left(s, u, r->gate, bit);
	return err ? err : bit;
}

/*
 * Restore the counter first and its selector last, because the selector was written first. If the counter could not be
 * restored, or if our gate bit could not be cleared (@bit_left), mark the journal record before the selector is
 * written. Skip the write of a selector that already holds its old value. Always write a filter, because only the bits
 * that we wrote have been compared.
 */
static void put_back(struct um_msr *s, struct um_unit *u, struct um_change *c, bool bit_left)
{
	const struct um_counter_regs *r = &c->regs;
	bool left = (r->counter && put_back_counter(s, u, c)) || bit_left;
	int err = 0;

	if (left)
		um_lease_mark(&c->lease, UM_MARK_GATE);
	if (c->ours != c->old.word || c->stage == UM_CHANGE_DROPPED || !r->counter)
		err = um_unit_write_selector(s, u, r, c->old.word);
	err = um_unit_unless_back(s, u, err, r->selector, r->mask, c->old.word);
	um_unit_left(s, u, r->selector, err);
	left |= err != 0;
	/*
	 * Other programs may read the overflow status that our counting has set. The counter has stopped, so the status
	 * stays clear.
	 */
	err = c->wrapped ? um_unit_write(s, u, r->overflow, r->overflow_bit, r->overflow_bit) : 0;
	um_unit_left(s, u, r->overflow, err);
	if (err && !left)
		um_lease_mark(&c->lease, UM_MARK_WRAP);
	c->stage = left || err ? UM_CHANGE_FAILED : UM_CHANGE_TAKEN;
}

static void put_back_all(struct um_msr *s, struct um_unit *u, struct um_change *list, unsigned num, uint64_t bits)
{
	int off = um_unit_clear_bits(s, u, bits);

	off = um_unit_unless_back(s, u, off, u->bits_register, bits, 0);
	um_unit_left(s, u, u->bits_register, off);
	for (struct um_change *c = list; c < list + num; c++) {
		bool bit_left = off && (bits & c->regs.gate_bit);

		if (um_change_is_written(c) && c->stage != UM_CHANGE_FAILED)
			put_back(s, u, c, bit_left);
		else if (bit_left)
			c->stage = UM_CHANGE_FAILED;
	}
}

void um_changes_undo(struct um_msr *s, struct um_unit *u, struct um_change *list, unsigned num)
{
	uint64_t bits = 0;

	for (struct um_change *c = list; c < list + num; c++)
		if (um_change_is_written(c))
			look_before_undo(s, u, c, &bits);
	put_back_all(s, u, list, num, bits);
}

void um_change_put_back(struct um_msr *s, struct um_unit *u, struct um_change *c)
{
	c->stage = UM_CHANGE_WRITTEN;
	put_back_all(s, u, c, 1, c->old.enabled ? 0 : c->regs.gate_bit);
}

void um_changes_end(struct um_msr *s, struct um_change *list, unsigned num)
{
	for (struct um_change *c = list; c < list + num; c++) {
		if (c->stage != UM_CHANGE_FAILED && c->stage != UM_CHANGE_NONE)
			um_lease_forget(s->guard, &c->lease);
		um_lease_release(s->guard, &c->lease);
		c->stage = UM_CHANGE_NONE; /* without a lease we must not write the register any more */
	}
}
