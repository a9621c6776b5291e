/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The registers of one package: save, program, enable, disable, restore. Others use the same global
 * control register, so it is only ever changed bit by bit, and never set to 0 as a whole.
 */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "counting/session.h"

/* Another CPU of the package reaches the same registers. */
static bool move_unit(struct uncoremsr_session *s, struct um_unit *u)
{
	const struct um_cpuset *cpus = &u->package->cpus;
	struct um_error ignored;

	for (size_t i = 0; i < cpus->num; i++) {
		if (cpus->cpus[i] == u->cpu || um_reg_open(s->um, cpus->cpus[i], true, &ignored))
			continue;
		um_log(s->um, "package %d: CPU %u went offline, going on through CPU %u",
		       u->package->id, u->cpu, cpus->cpus[i]);
		s->um->access->ops->close_cpu(s->um->access, u->cpu);
		u->cpu = cpus->cpus[i];
		return true;
	}
	return false;
}

int um_unit_read(struct uncoremsr_session *s, struct um_unit *u, uint32_t msr, uint64_t *value)
{
	int err = um_reg_read(s->um, u->cpu, msr, value, &u->error);

	if (err == -ENXIO && move_unit(s, u))
		err = um_reg_read(s->um, u->cpu, msr, value, &u->error);
	return err;
}

static int unit_write(struct uncoremsr_session *s, struct um_unit *u, uint32_t msr,
		      uint64_t mask, uint64_t value)
{
	int err = um_reg_write(s->um, u->cpu, msr, mask, value, &u->error);

	if (err == -ENXIO && move_unit(s, u))
		err = um_reg_write(s->um, u->cpu, msr, mask, value, &u->error);
	return err;
}

static bool same_word(const struct um_counter_regs *r, uint64_t a, uint64_t b)
{
	return ((a ^ b) & r->compare) == 0;
}

/* Every word that this session may write to the counter's selector, rotation included. */
static void collect_words(const struct uncoremsr_session *s, const struct um_unit *u,
			  struct um_record *r)
{
	for (size_t k = 0; k < s->events.num; k++) {
		const struct um_slot *slot = &u->slots[k];

		if (slot->counter != (int)r->counter ||
		    um_record_has_word(r, slot->event.word, ~UINT64_C(0)))
			continue;
		if (!r->num_words)
			snprintf(r->event, sizeof(r->event), "%s", slot->event.name);
		r->words[r->num_words++] = slot->event.word;
	}
}

static int write_journal(struct uncoremsr_session *s, struct um_unit *u, unsigned counter,
			 const struct um_claim *c)
{
	struct um_record r = {
		.package = u->package->id, .die = u->package->die, .counter = counter,
		.pid = (long)getpid(), .since = (int64_t)time(NULL),
		.old_selector = c->old_selector, .old_counter = c->old_counter,
		.old_enabled = c->old_enabled,
	};

	if (c->lease < 0)
		return 0;
	snprintf(r.boot, sizeof(r.boot), "%s", s->guard.boot);
	snprintf(r.uarch, sizeof(r.uarch), "%s", s->um->uarch->name);
	snprintf(r.command, sizeof(r.command), "%s", program_invocation_short_name);
	for (char *p = r.command; *p; p++)
		*p = isprint((unsigned char)*p) ? *p : '?';
	collect_words(s, u, &r);
	return um_lease_store(&s->guard, c->lease, &r, &u->error);
}

/* What the registers hold, in memory and in the journal, before anything is changed. */
static int save(struct uncoremsr_session *s, struct um_unit *u, unsigned counter,
		struct um_claim *c)
{
	uint64_t global = 0;
	int err = um_unit_read(s, u, c->regs.selector, &c->old_selector);

	if (!err)
		err = um_unit_read(s, u, c->regs.counter, &c->old_counter);
	if (!err && s->force) /* else it was off: that is what free means */
		err = um_unit_read(s, u, s->pmu->global_control, &global);
	c->old_enabled = global & c->regs.global_bit;
	if (!err)
		err = write_journal(s, u, counter, c);
	c->word = c->old_selector;
	c->touched = !err;
	return err;
}

/* Change bits of the shared enable register, alone among our processes. */
static int write_global(struct uncoremsr_session *s, struct um_unit *u, uint64_t mask,
			uint64_t bits)
{
	int err = um_enable_lock(&s->guard, u->package->id, u->package->die, &u->enable, &u->error);

	if (err)
		return err;
	err = unit_write(s, u, s->pmu->global_control, mask, bits);
	um_enable_unlock(u->enable);
	return err;
}

static int not_kept(struct uncoremsr_session *s, struct um_unit *u, uint32_t msr,
		    uint64_t written, uint64_t read)
{
	char what[96];

	um_fail(&u->error, -ENOTSUP, UNCOREMSR_ERROR_UNSUPPORTED, "package %d: %s does not keep "
		"what was written (wrote 0x%" PRIx64 ", read 0x%" PRIx64 "): a virtual machine or "
		"an emulator", u->package->id,
		um_reg_format(s->um->uarch, msr, what, sizeof(what)), written, read);
	um_hint(&u->error, "nothing can be measured here; run on the hardware itself");
	return -ENOTSUP;
}

/*
 * The selector first: as long as it does not hold a word of ours nothing else has been changed, so
 * that whoever finds the journal after our death can tell from the selector alone. The counter does
 * not run yet, because its global enable bit is off.
 */
static int write_words(struct uncoremsr_session *s, struct um_unit *u, struct um_claim *c,
		       uint64_t word)
{
	uint64_t selector = 0, counter = 0;
	int err = unit_write(s, u, c->regs.selector, UM_WHOLE, word);

	if (!err) {
		c->word = word;
		c->programmed = true;
	}
	if (!err && c->old_enabled)
		err = write_global(s, u, c->regs.global_bit, 0);
	if (!err)
		err = unit_write(s, u, c->regs.counter, UM_WHOLE, 0);
	if (!err)
		err = um_unit_read(s, u, c->regs.selector, &selector);
	if (!err)
		err = um_unit_read(s, u, c->regs.counter, &counter);
	if (err)
		return err;
	if (!same_word(&c->regs, selector, word)) {
		c->word = selector; /* so that restoring does not take it for somebody else's */
		return not_kept(s, u, c->regs.selector, word, selector);
	}
	return counter ? not_kept(s, u, c->regs.counter, 0, counter) : 0;
}

/* A selector that is not ours any more, but nobody's either: reset, or cleared by a stranger. */
static bool is_unused(struct uncoremsr_session *s, struct um_unit *u, const struct um_claim *c,
		      uint64_t selector)
{
	uint64_t global = 0;

	return !um_unit_read(s, u, s->pmu->global_control, &global) &&
	       !um_counter_in_use(&c->regs, selector, global);
}

/* After the first round the selector must still be ours before it is written again. */
static int program_slot(struct uncoremsr_session *s, struct um_unit *u, struct um_slot *slot)
{
	struct um_claim *c = &u->claims[slot->counter];
	uint64_t now = 0;
	int err;

	if (!c->touched) {
		err = save(s, u, (unsigned)slot->counter, c);
		return err ? err : write_words(s, u, c, slot->event.word);
	}
	err = um_unit_read(s, u, c->regs.selector, &now);
	if (err)
		return err;
	if (same_word(&c->regs, now, c->word) || is_unused(s, u, c, now))
		return write_words(s, u, c, slot->event.word);
	slot->trouble = UNCOREMSR_DISTURBED;
	slot->dirty = true;
	snprintf(slot->detail, sizeof(slot->detail), "selector 0x%x holds 0x%" PRIx64 ", not our 0x%"
		 PRIx64 ": somebody else uses the counter now", c->regs.selector, now, c->word);
	return 0;
}

int um_unit_program(struct uncoremsr_session *s, struct um_unit *u, int set)
{
	for (size_t k = 0; k < s->events.num; k++) {
		struct um_slot *slot = &u->slots[k];
		int err;

		if (slot->active || !um_slot_in_set(slot, set))
			continue;
		slot->dirty = false;
		err = program_slot(s, u, slot);
		if (err)
			return err;
	}
	return 0;
}

/*
 * Set bits in the global control register and see that they stay: our own sessions wait for each
 * other, but a stranger who reads, changes and writes it at the same time may undo it. Try again.
 */
static int set_global_bits(struct uncoremsr_session *s, struct um_unit *u, uint64_t bits)
{
	uint64_t global = 0;

	for (int tries = 0; tries < 3; tries++) {
		int err = write_global(s, u, bits, bits);

		if (!err)
			err = um_unit_read(s, u, s->pmu->global_control, &global);
		if (err || (global & bits) == bits)
			return err;
	}
	return not_kept(s, u, s->pmu->global_control, global | bits, global);
}

int um_unit_enable(struct uncoremsr_session *s, struct um_unit *u, int set)
{
	uint64_t bits = 0, now;
	int err;

	for (size_t k = 0; k < s->events.num; k++)
		if (!u->slots[k].active && !u->slots[k].dirty && um_slot_in_set(&u->slots[k], set))
			bits |= u->slots[k].regs.global_bit;
	if (!bits)
		return 0;
	err = set_global_bits(s, u, bits);
	if (err)
		return err;
	now = uncoremsr_now(s->um);
	for (size_t k = 0; k < s->events.num; k++) {
		struct um_slot *slot = &u->slots[k];

		if (slot->active || slot->dirty || !um_slot_in_set(slot, set))
			continue;
		slot->active = true;
		slot->last = 0;
		slot->last_ns = now;
	}
	return 0;
}

int um_unit_come_back(struct uncoremsr_session *s, struct um_unit *u)
{
	uint64_t global = 0, bits = 0;
	int err = um_unit_read(s, u, s->pmu->global_control, &global);

	if (err)
		return err;
	um_warn(s->um, "package %d: CPU %u is online: counting begins anew", u->package->id, u->cpu);
	for (size_t k = 0; k < s->events.num; k++) {
		struct um_slot *slot = &u->slots[k];

		if (!slot->active)
			continue;
		bits |= slot->regs.global_bit;
		slot->active = false;
		slot->trouble = UNCOREMSR_LOST;
		snprintf(slot->detail, sizeof(slot->detail),
			 "no CPU of the package was online; counting has begun anew");
	}
	u->lost = false;
	err = write_global(s, u, bits & global, 0);
	if (!err)
		err = um_unit_program(s, u, s->active_set);
	return err ? err : um_unit_enable(s, u, s->active_set);
}

/* A set's turn ends: check it, switch it off, take its counts. The fixed clock goes on. */
int um_unit_disable(struct uncoremsr_session *s, struct um_unit *u, int set)
{
	uint64_t global = 0, bits = 0;
	int err = um_unit_read(s, u, s->pmu->global_control, &global);

	for (size_t k = 0; !err && k < s->events.num; k++) {
		struct um_slot *slot = &u->slots[k];
		int changed;

		if (!slot->active || slot->set != set)
			continue;
		changed = um_slot_verify(s, u, slot, global);
		if (changed < 0)
			err = changed;
		else if (changed)
			slot->trouble = UNCOREMSR_DISTURBED;
		else
			bits |= slot->regs.global_bit;
	}
	if (!err && bits)
		err = write_global(s, u, bits, 0);
	if (!err)
		err = um_unit_sample(s, u);
	for (size_t k = 0; k < s->events.num; k++)
		if (u->slots[k].set == set)
			u->slots[k].active = false;
	return err;
}

/* Which claims still hold our word? Their bits of the global control register. */
static uint64_t still_ours(struct uncoremsr_session *s, struct um_unit *u, bool *ours, int *first)
{
	uint64_t bits = 0;

	for (unsigned c = 0; c < UM_MAX_COUNTERS; c++) {
		struct um_claim *claim = &u->claims[c];
		uint64_t selector = 0;
		int err;

		ours[c] = false;
		claim->touched &= claim->programmed;
		if (!claim->touched)
			continue;
		err = um_unit_read(s, u, claim->regs.selector, &selector);
		if (err) {
			*first = *first ? *first : err;
			continue;
		}
		ours[c] = same_word(&claim->regs, selector, claim->word);
		if (ours[c]) {
			bits |= claim->old_enabled ? 0 : claim->regs.global_bit;
			continue;
		}
		claim->touched = false;
		um_warn(s->um, "package %d: selector 0x%x holds 0x%" PRIx64 ", not our 0x%" PRIx64
		       ": left to whoever wrote it", u->package->id, claim->regs.selector,
		       selector, claim->word);
	}
	return bits;
}

/*
 * The selector last, for the same reason that it was the first to be written, and only when everything
 * else is back: after an error it keeps our word and the record stays in the lease file, so that the
 * next run can tell that there is something left to do.
 */
static int restore_claim(struct uncoremsr_session *s, struct um_unit *u, struct um_claim *c)
{
	int err = unit_write(s, u, c->regs.counter, UM_WHOLE, c->old_counter);

	if (c->old_enabled && !err)
		err = write_global(s, u, c->regs.global_bit, c->regs.global_bit);
	if (!err)
		err = unit_write(s, u, c->regs.selector, UM_WHOLE, c->old_selector);
	c->touched = false;
	return err;
}

static void end_leases(struct um_unit *u, const bool *failed)
{
	for (unsigned c = 0; c < UM_MAX_COUNTERS; c++) {
		struct um_claim *claim = &u->claims[c];

		if (!claim->taken)
			continue;
		if (failed[c] || claim->touched)
			um_lease_release(claim->lease);
		else
			um_lease_drop(claim->lease);
		claim->lease = -1;
		claim->taken = false;
		claim->touched = false; /* without the lease it is no longer ours to restore */
	}
}

/*
 * Put back what was there: our enable bits (they were off), selectors that still hold our word, then
 * the counters. Goes on after an error and returns the first one; its sentence is in u->error unless
 * the package had failed before.
 */
int um_unit_restore(struct uncoremsr_session *s, struct um_unit *u)
{
	struct um_error before = u->error;
	bool ours[UM_MAX_COUNTERS], failed[UM_MAX_COUNTERS] = { false };
	int first = 0, err;
	uint64_t bits = still_ours(s, u, ours, &first);
	int off = bits ? write_global(s, u, bits, 0) : 0;

	first = first ? first : off;
	for (unsigned c = 0; c < UM_MAX_COUNTERS; c++) {
		err = ours[c] && !off ? restore_claim(s, u, &u->claims[c]) : 0;
		failed[c] = ours[c] && (err || off);
		first = first ? first : err;
	}
	end_leases(u, failed);
	um_unlock(u->enable);
	u->enable = -1;
	for (size_t k = 0; u->slots && k < s->events.num; k++)
		u->slots[k].active = false;
	if (u->err)
		u->error = before;
	return first;
}
