/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Program the counters of a unit; put back its counters, filters and gates. Only our own enable bits change. */
#include <errno.h>
#include <inttypes.h>

#include "counting/claim.h"

/* Add every word that this session may write to the counter's selector in any turn. */
static void add_words(const struct um_unit *u, const struct um_change *c, int counter, struct um_record *r)
{
	for (const struct um_slot *slot = u->slots; slot < u->slots + u->num_slots; slot++) {
		if (slot->counter != counter)
			continue;
		um_record_add_word(r, slot->event->word);
		if (um_stops_by_selector(&c->regs))
			um_record_add_word(r, um_off_word(&c->regs, slot->event->word));
		if (c->regs.twice)
			um_record_add_word(r, c->regs.run);
	}
}

/* The selector was just read again, because another program may have used the counter since it was found free. */
static int save(struct um_msr *s, struct um_unit *u, const struct um_slot *slot, struct um_change *c)
{
	bool changed = c->seen != c->old.word;
	struct um_record r;
	uint64_t gate = 0;
	int err = 0;

	c->old.word = c->seen;
	if (changed)
		err = um_change_look(s, u, c);
	/* If the counter was free, its gate bit is 0 and need not be read. The gate of core counters may be open. */
	if (!err && c->regs.gate && (s->env->choices->force || c->regs.kernels))
		err = um_unit_read(s, u, c->regs.gate, &gate);
	c->old.enabled = gate & c->regs.gate_bit || (c->regs.kernels && c->old.enabled) ||
			 (c->strange.quiet && c->strange.enabled);
	c->strange = (struct um_strange){ .word = 0 };
	/* Keep the first event's name: a record replaces an older one only if both have the same length. */
	if (!c->event)
		c->event = slot->event->name;
	if (err)
		return err;
	um_record_begin(&r, s->m, s->guard->boot, &c->lease.id, c->event);
	add_words(u, c, slot->counter, &r);
	return um_change_record(s, u, c, &r);
}

/* Call it only while the counter does not run. */
static int check_counter(struct um_msr *s, struct um_unit *u, const struct um_change *c)
{
	uint64_t counter = 0;
	int err = um_unit_read(s, u, c->regs.counter, &counter);

	if (err || counter == UM_COUNTER_START)
		return err;
	return um_unit_not_kept(s, u, c->regs.counter, UM_COUNTER_START, counter);
}

static int preset(struct um_msr *s, struct um_unit *u, const struct um_change *c)
{
	int err = um_unit_clear_bits(s, u, c->old.enabled ? c->regs.gate_bit : 0) ?:
		  um_unit_write(s, u, c->regs.counter, UM_WHOLE, UM_COUNTER_START);

	return err || !um_stops_by_selector(&c->regs) ? err : check_counter(s, u, c);
}

/*
 * Write the selector first. If we die, the next session sees from the selector alone whether there is something to
 * restore: as long as the selector does not hold a word of ours, nothing else has been changed. The counter does not
 * run yet: its gate bit is off, or the word is written without the enable bit until the counter is preset.
 */
static int write_words(struct um_msr *s, struct um_unit *u, struct um_slot *slot, struct um_change *c)
{
	uint64_t word = slot->event->word;
	bool stop = um_stops_by_selector(&c->regs);
	int kept, err = c->regs.twice ? um_change_write(s, u, c, c->regs.run) : 0;

	if (!err)
		err = um_change_write(s, u, c, stop ? um_off_word(&c->regs, word) : word) ?: preset(s, u, c);
	if (!err && stop)
		err = um_change_write(s, u, c, word);
	slot->last_read = u->written;
	/* If the counter does not keep its value, check the selector too: it may not hold the written value either. */
	if (err && err != -ENOTSUP)
		return err;
	kept = um_change_check(s, u, c);
	/* The counter can be checked only while a gate bit stops it. */
	if (!kept && !stop)
		kept = check_counter(s, u, c);
	return err ? err : kept;
}

static bool may_program(struct um_msr *s, struct um_unit *u, struct um_change *c)
{
	if (um_change_is_recorded(c) ? um_same_word(&c->regs, c->seen, c->ours)
				     : c->seen == c->old.word || s->env->choices->force)
		return true;
	if (!(c->strange.quiet && c->seen == c->strange.word) && !um_change_is_unused(s, u, c))
		return false;
	c->stage = UM_CHANGE_TAKEN; /* what the register holds now will be restored */
	return true;
}

static int program_slot(struct um_msr *s, struct um_unit *u, struct um_slot *slot)
{
	struct um_change *c = &u->counters[slot->counter];
	int err = um_unit_read_selector(s, u, &c->regs, &c->seen);

	if (err)
		return err;
	if (may_program(s, u, c)) {
		if (!um_change_is_recorded(c))
			err = save(s, u, slot, c);
		return err ? err : write_words(s, u, slot, c);
	}
	slot->dirty = true;
	um_slot_mark(slot, UNCOREMSR_DISTURBED, "selector 0x%x holds 0x%" PRIx64 ", not our 0x%" PRIx64
		     ": another program uses the counter now", c->regs.selector, c->seen,
		     um_change_is_recorded(c) ? c->ours : slot->event->word);
	return 0;
}

/* Returns -ENOTSUP if the unit has no other event left. */
static int refuse(struct um_msr *s, struct um_unit *u, struct um_slot *slot)
{
	um_slot_refuse(slot, um_status_of(u, -ENOTSUP), u->error.msg);
	for (size_t k = 0; k < u->num_slots; k++)
		if (!u->slots[k].refused) {
			um_log(s->m, "not counted: %s: %s", slot->event->name, u->error.msg);
			return 0;
		}
	return -ENOTSUP;
}

int um_unit_look(struct um_msr *s, struct um_unit *u)
{
	return um_filters_take(s, u) ?: um_gates_look(s, u);
}

int um_unit_program(struct um_msr *s, struct um_unit *u)
{
	int err = um_filters_set(s, u);

	for (struct um_slot *slot = u->slots; slot < u->slots + u->num_slots && !err; slot++) {
		if (slot->active || slot->refused || !um_slot_in_set(slot, s->active_set))
			continue;
		slot->dirty = false;
		if (slot->regs.selector)
			err = program_slot(s, u, slot);
		if (err == -ENOTSUP)
			err = refuse(s, u, slot);
	}
	return err;
}

int um_unit_restore(struct um_msr *s, struct um_unit *u)
{
	struct um_error before = u->error;

	s->restoring = true;
	s->left = 0;
	um_changes_undo(s, u, u->counters, um_num_counters(u));
	while (u->num_filters) {
		struct um_change *filter = &u->filters[--u->num_filters];

		um_changes_undo(s, u, filter, 1);
		um_changes_end(s, filter, 1);
	}
	um_gates_restore(s, u);
	/* Release last: while another session starts with a released counter, we must not close the gate. */
	um_changes_end(s, u->counters, um_num_counters(u));
	if (s->left)
		um_fail_as(&u->error, &s->left_error);
	if (u->err)
		um_fail_as(&u->error, &before);
	s->restoring = false;
	return s->left;
}
