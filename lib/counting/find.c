/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Which counters of a unit are free: no living process of ours holds the lease, the selector is not
 * enabled, and the bit of a gate that is the counter's alone is off. The lease comes first, so that
 * two sessions that start at the same time cannot both see a counter as free.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "counting/session.h"

/* For the message that tells the next session why there is no counter for it. */
static void note_holder(struct um_msr_session *s, struct um_unit *u, unsigned counter,
			const struct um_record *r)
{
	size_t len = strlen(u->holders);
	char since[32] = "", who[64];
	time_t t = (time_t)r->since;
	struct tm tm;

	if (r->since && gmtime_r(&t, &tm))
		strftime(since, sizeof(since), " since %FT%TZ", &tm);
	snprintf(who, sizeof(who), "%s (pid %ld)", r->command, r->pid);
	if (!strstr(u->holders, who))
		snprintf(u->holders + len, sizeof(u->holders) - len, "%s%s", len ? ", " : "", who);
	um_log(s->m, "%s: counter %u is held by %s (pid %ld) for %s%s", u->label, counter,
	       r->command, r->pid, r->event, since);
}

static void note_record(struct um_msr_session *s, struct um_unit *u, unsigned counter)
{
	int lease = u->claims[counter].lease;
	enum um_fault fault;
	struct um_record r;

	if (lease >= 0 && um_lease_load(lease, &r, &fault) < 0)
		um_warn(s->m, "%s: the journal of counter %u is not used: %s", u->label, counter,
			um_fault_text(fault));
}

static void found(struct um_unit *u, unsigned counter)
{
	if (counter >= u->box.num_general)
		u->free_fixed |= UINT32_C(1) << (counter - u->box.num_general);
	else
		u->free |= UINT32_C(1) << counter;
}

/* What the two registers that say whether somebody counts hold. */
struct state {
	uint64_t selector;
	uint64_t *gate; /* of the unit, shared by its counters */
};

static int read_state(struct um_msr_session *s, struct um_unit *u,
		      const struct um_counter_regs *regs, struct state *now)
{
	int err = um_unit_read_selector(s, u, regs, &now->selector);

	/* A session of ours may have given it back since that register was read. */
	if (!err && regs->gate && !regs->kernels && (*now->gate & regs->gate_bit))
		err = um_unit_read(s, u, regs->gate, now->gate);
	return err;
}

/* In use, and the lease was free: unless its holder died just now, it is a stranger. */
static int repair_and_read_again(struct um_msr_session *s, struct um_unit *u, unsigned counter,
				 const struct um_counter_regs *regs, struct state *now)
{
	struct um_lease_id id = um_unit_lease_id(u, UM_LEASE_COUNTER, counter);
	int lease = u->claims[counter].lease;
	struct um_error ignored;
	int num = lease < 0 ? 0 : um_repair_leased(s->m, &s->guard, lease, &id, &ignored);

	return num > 0 ? read_state(s, u, regs, now) : 0;
}

static void give_up(struct um_unit *u, unsigned counter)
{
	um_lease_release(u->claims[counter].lease);
	u->claims[counter].lease = -1;
}

/* Somebody without a lease counts there. */
static void note_stranger(struct um_msr_session *s, struct um_unit *u, unsigned counter,
			  const struct um_counter_regs *regs, const struct state *now, bool force)
{
	const char *gate = !regs->gate || regs->kernels ? ""
			   : *now->gate & regs->gate_bit ? ", global enable bit on"
							 : ", global enable bit off";

	(force ? um_warn : um_log)(s->m, "%s: counter %u is in use by somebody else (selector 0x%x "
				   "holds 0x%" PRIx64 "%s)%s", u->label, counter, regs->selector,
				   now->selector, gate,
				   force ? ": taken all the same, and put back afterwards" : "");
	if (force) {
		found(u, counter);
		return;
	}
	u->strangers |= UINT64_C(1) << counter;
	give_up(u, counter);
}

static int look_at(struct um_msr_session *s, struct um_unit *u, unsigned counter, uint64_t *gate,
		   bool force)
{
	struct um_counter_regs regs = um_counter_regs(&u->box, counter);
	struct um_lease_id id = um_unit_lease_id(u, UM_LEASE_COUNTER, counter);
	struct um_record held_by = { .pid = 0 };
	struct state now = { 0, gate };
	int err;

	if (!regs.selector) { /* free running: nobody's */
		found(u, counter);
		return 0;
	}
	err = um_lease_take(&s->guard, &id, &u->claims[counter].lease, &held_by, &u->error);
	if (err == -EBUSY) {
		note_holder(s, u, counter, &held_by);
		return 0;
	}
	if (!err)
		err = read_state(s, u, &regs, &now);
	if (!err && um_counter_in_use(&regs, now.selector, *gate))
		err = repair_and_read_again(s, u, counter, &regs, &now);
	if (err)
		return err;
	note_record(s, u, counter);
	if (um_counter_in_use(&regs, now.selector, *gate))
		note_stranger(s, u, counter, &regs, &now, force);
	else
		found(u, counter);
	return 0;
}

/* Looks no further than needed: each of these reads may interrupt another CPU. */
static bool enough(const struct um_unit *u, unsigned general)
{
	if ((unsigned)__builtin_popcount(u->free) < general)
		return false;
	return um_match(u, u->free, um_any_slot, NULL, NULL).what == UM_FITS;
}

static int look_round(struct um_msr_session *s, struct um_unit *u, uint64_t *gate, bool force)
{
	unsigned general = um_num_chosen(u, um_any_slot, NULL);
	uint32_t useful = 0;
	int err = 0;

	for (size_t k = 0; k < u->num_slots; k++)
		if (u->slots[k].event->fixed < 0)
			useful |= um_allowed(u, &u->slots[k]);
	useful &= u->box.general;
	for (unsigned c = 0; !err && c < u->box.num_general && !enough(u, general); c++)
		if (useful & ~u->free & UINT32_C(1) << c)
			err = look_at(s, u, c, gate, force);
	for (size_t k = 0; !err && k < u->num_slots; k++) {
		int fixed = u->slots[k].event->fixed;

		if (fixed >= 0 && (u->box.fixed & ~u->free_fixed) >> fixed & 1)
			err = look_at(s, u, u->box.num_general + (unsigned)fixed, gate, force);
	}
	return err;
}

/* The register with one bit for each counter, if this unit has one and if it tells anything. */
static int read_gate(struct um_msr_session *s, struct um_unit *u, uint64_t *gate)
{
	struct um_counter_regs regs = um_counter_regs(&u->box, 0);

	*gate = 0;
	return regs.gate && !regs.kernels ? um_unit_read(s, u, regs.gate, gate) : 0;
}

int um_unit_find_free(struct um_msr_session *s, struct um_unit *u)
{
	uint64_t gate;
	int err = read_gate(s, u, &gate);

	u->free = u->free_fixed = 0;
	u->holders[0] = '\0';
	u->strangers = 0;
	if (!err)
		err = look_round(s, u, &gate, false);
	/* Only after all free ones: what is displaced is somebody's measurement. */
	if (!err && s->force)
		err = look_round(s, u, &gate, true);
	return err;
}
