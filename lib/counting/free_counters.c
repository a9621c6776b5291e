/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Which counters of a unit are free: no other session holds the lease, the selector is not enabled, and the counter's
 * own gate bit is off. The lease is taken before the registers are read, so that two sessions that start at the same
 * time cannot both find a counter free.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "counting/claim.h"

void um_claim_holders(struct um_msr *s, const struct um_unit *u, char *buf, size_t size)
{
	struct um_record r;
	const char *who;

	*buf = '\0';
	for (unsigned c = 0; c < um_num_counters(u); c++) {
		if (!(u->held >> c & 1))
			continue;
		um_lease_holder(s->guard, &u->counters[c].lease, &r);
		who = UM_PROCESS_TEXT(r.command, r.pid);
		if (!strstr(buf, who))
			um_list_add(buf, size, "%s", who);
	}
}

/* Reads the journal of the counter's holder only if remarks are logged. */
static void note_holder(struct um_msr *s, struct um_unit *u, unsigned counter)
{
	char since[32] = "";
	struct um_record r;
	struct tm tm;
	time_t t;

	u->held |= UINT64_C(1) << counter;
	if (!um_logs_remarks(s->m))
		return;
	um_lease_holder(s->guard, &u->counters[counter].lease, &r);
	t = (time_t)r.since;
	if (t && gmtime_r(&t, &tm))
		strftime(since, sizeof(since), " since %FT%TZ", &tm);
	um_log(s->m, "%s: counter %u is held by %s%s%s%s", u->label, counter, UM_PROCESS_TEXT(r.command, r.pid),
	       r.event[0] ? " for " : "", r.event, since);
}

int um_change_look(struct um_msr *s, struct um_unit *u, struct um_change *h)
{
	const struct um_counter_regs *r = &h->regs;
	int err = um_unit_read(s, u, r->counter, &h->old.counter);

	if (!err)
		h->stuck = um_unit_stuck(s, u, r, h->old.word, h->old.counter);
	return err;
}

/*
 * Read the selector into *word. Returns 1 if the counter is in use, 0 if it is free, or a negative errno. *gate has the
 * enable bits as read earlier. If the counter's bit was set then, read the bits again, because another session may have
 * released the counter since.
 */
static int read_state(struct um_msr *s, struct um_unit *u, const struct um_counter_regs *regs,
		      uint64_t *gate, uint64_t *word)
{
	int err = um_unit_read_selector(s, u, regs, word);

	if (!err && regs->gate && !regs->kernels && (*gate & regs->gate_bit))
		err = um_unit_read(s, u, regs->gate, gate);
	return err ? err : um_counter_in_use(regs, *word, *gate);
}

static void note_stranger(const struct um_msr *s, const struct um_unit *u, unsigned counter, uint64_t word,
			  uint64_t gate, bool force)
{
	const struct um_counter_regs *regs = &u->counters[counter].regs;
	const char *bit = !regs->gate || regs->kernels ? ""
			  : gate & regs->gate_bit ? ", global enable bit on"
						  : ", global enable bit off";

	um_log_line(s->m, force ? UNCOREMSR_LOG_WARNING : UNCOREMSR_LOG_REMARK,
		    "%s: counter %u is in use by another program (selector 0x%x holds 0x%" PRIx64 "%s)%s", u->label,
		    counter, regs->selector, word, bit, force ? ": taken anyway, and put back afterwards" : "");
}

/* FREE: off and not leased. CONTESTED: off, but locked by a member of the Unix group. FORCED: in use. */
enum reach { FREE, CONTESTED, FORCED };

/* A member who locks counters, but does not count, must not keep the directory's owner from counting. */
static bool is_members(struct um_msr *s, struct um_unit *u, unsigned counter, bool used, enum reach reach)
{
	struct um_change *h = &u->counters[counter];

	if (!h->lease.contested || (!used && reach == CONTESTED))
		return false;
	if (reach == FREE)
		note_holder(s, u, counter);
	um_lease_release(s->guard, &h->lease);
	return true;
}

static int look_at(struct um_msr *s, struct um_unit *u, unsigned counter, uint64_t *gate, enum reach reach)
{
	struct um_change *h = &u->counters[counter];
	const struct um_counter_regs *regs = &h->regs;
	bool force = reach == FORCED;
	uint64_t word = 0;
	int used, err;

	if (reach == CONTESTED && !h->lease.contested)
		return 0;
	*h = um_unit_change(u, UM_LEASE_COUNTER, counter);
	if (!regs->selector) { /* a free-running counter is never in use */
		u->free |= UINT64_C(1) << counter;
		return 0;
	}
	used = um_lease_take(s->guard, &h->lease, &u->error);
	if (used == -EBUSY) {
		note_holder(s, u, counter);
		return 0;
	}
	if (!used)
		used = read_state(s, u, regs, gate, &word);
	/* A program without leases uses the counter, or the session that held the lease has just died. */
	if (used > 0 && h->lease.held && um_repair_leased(s->m, s->guard, &h->lease))
		used = read_state(s, u, regs, gate, &word);
	if (used < 0)
		return used;
	if (is_members(s, u, counter, used, reach))
		return 0;
	if (used && !force) {
		note_stranger(s, u, counter, word, *gate, false);
		h->stranger = true;
		um_lease_release(s->guard, &h->lease);
		return 0;
	}
	h->old.word = word;
	err = um_change_look(s, u, h);
	if (err)
		return err;
	if (h->stuck.msr) { /* not taken, not even with --force */
		um_log(s->m, "%s: counter %u is not taken: %s", u->label, counter, UM_STUCK_TEXT(s, &h->stuck));
		um_lease_release(s->guard, &h->lease);
		return 0;
	}
	if (used)
		note_stranger(s, u, counter, word, *gate, true);
	u->free |= UINT64_C(1) << counter;
	return 0;
}

/* Read the register with the counters' enable bits; 0 for core counters, whose enable bits the kernel leaves on. */
static int read_gate(struct um_msr *s, struct um_unit *u, uint64_t *gate)
{
	*gate = 0;
	return u->bits_register && !u->box.pmu->only_on_request ? um_unit_read(s, u, u->bits_register, gate) : 0;
}

int um_claim_another(struct um_msr *s, struct um_unit *u, unsigned counter)
{
	uint64_t gate;
	int err;

	u->free &= ~(UINT64_C(1) << counter);
	err = read_gate(s, u, &gate) ?: look_at(s, u, counter, &gate, FREE);
	if (err || !(u->free >> counter & 1))
		return err;
	u->counters[counter].stage = UM_CHANGE_TAKEN;
	return 1;
}

/* Look for free counters. Stop when enough are found, because each read may interrupt another CPU. */
static int look_round(struct um_msr *s, struct um_unit *u, uint64_t *gate, enum reach reach)
{
	uint32_t useful = um_useful(u);
	int err = 0;

	for (unsigned c = 0; !err && c < u->box.num_general &&
	     um_match(s, u, u->free, UM_NONE, UM_NONE, NULL).what != UM_FITS; c++)
		if ((useful & ~u->free) >> c & 1 && !u->counters[c].stuck.msr)
			err = look_at(s, u, c, gate, reach);
	for (size_t k = 0; !err && k < u->num_slots; k++) {
		unsigned fixed = (unsigned)u->slots[k].event->fixed, c = u->box.num_general + fixed;

		if (u->slots[k].event->fixed >= 0 && u->box.fixed >> fixed & 1 && !(u->free >> c & 1))
			err = look_at(s, u, c, gate, reach);
	}
	return err;
}

int um_claim_free(struct um_msr *s, struct um_unit *u)
{
	unsigned num = u->box.num_general + u->box.pmu->num_fixed;
	uint64_t gate;
	int err;

	u->counters = calloc(num + 1u, sizeof(*u->counters));
	if (!u->counters)
		return um_no_memory(&u->error);
	err = read_gate(s, u, &gate) ?: look_round(s, u, &gate, FREE) ?: look_round(s, u, &gate, CONTESTED);
	/* Take counters in use last: taking one disturbs the measurement of another program. */
	if (!err && s->env->choices->force)
		err = look_round(s, u, &gate, FORCED);
	return err;
}

/* Warn if programs without leases (pcm, likwid, perf) use counters of the unit: they may overwrite our bits. */
static void warn_of_strangers(struct um_msr *s, const struct um_unit *u)
{
	char list[64] = "";

	for (unsigned c = 0; c < um_num_counters(u); c++)
		if (u->counters[c].stranger)
			um_list_add(list, sizeof(list), "%u", c);
	if (*list)
		um_warn(s->m, "%s: another program uses counter %s without a lease: left alone, "
			"but watch for disturbed intervals", u->label, list);
}

void um_claim_keep(struct um_msr *s, struct um_unit *u)
{
	for (const struct um_slot *slot = u->slots; u->counters && slot < u->slots + u->num_slots; slot++) {
		if (!slot->regs.selector) /* the event has no counter, or a free-running one */
			continue;
		u->counters[slot->counter].stage = UM_CHANGE_TAKEN;
	}
	for (unsigned c = 0; c < um_num_counters(u); c++)
		if (u->counters[c].stage == UM_CHANGE_NONE)
			um_lease_release(s->guard, &u->counters[c].lease);
	if (!u->err)
		warn_of_strangers(s, u);
}
