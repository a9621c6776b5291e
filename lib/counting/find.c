/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Which counters of a package are free: no living process of ours holds the lease, the selector is
 * not enabled, and the global enable bit is off. The lease comes first, so that two sessions that
 * start at the same time cannot both see a counter as free.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "counting/session.h"

bool um_is_wanted(const struct uncoremsr_session *s, unsigned counter)
{
	for (size_t i = 0; i < s->events.num; i++)
		if (s->events.events[i].counter == (int)counter)
			return true;
	return false;
}

/* For the message that tells the next session why there is no counter for it. */
static void note_holder(struct uncoremsr_session *s, struct um_unit *u, unsigned counter,
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
	um_log(s->um, "package %d: counter %u is held by %s (pid %ld) for %s%s", u->package->id,
	       counter, r->command, r->pid, r->event, since);
}

static void note_record(struct uncoremsr_session *s, struct um_unit *u, unsigned counter)
{
	struct um_record r;
	char why[96];

	if (u->leases[counter] >= 0 &&
	    um_lease_load(u->leases[counter], &r, why, sizeof(why)) < 0)
		um_warn(s->um, "package %d: the journal of counter %u is not used: %s",
		       u->package->id, counter, why);
}

static void found(struct uncoremsr_session *s, struct um_unit *u, unsigned counter)
{
	if (counter >= s->pmu->num_general)
		u->fixed_free = true;
	else
		u->free[u->num_free++] = counter;
}

static int read_state(struct uncoremsr_session *s, struct um_unit *u,
		      const struct um_counter_regs *regs, uint64_t *selector, uint64_t *global)
{
	int err = um_unit_read(s, u, regs->selector, selector);

	/* A session of ours may have given it back since that register was read. */
	if (!err && (*global & regs->global_bit))
		err = um_unit_read(s, u, s->pmu->global_control, global);
	return err;
}

/* In use, and the lease was free: unless its holder died just now, it is a stranger. */
static int repair_and_read_again(struct uncoremsr_session *s, struct um_unit *u, unsigned counter,
				 uint64_t *selector, uint64_t *global)
{
	struct um_counter_regs regs = um_counter_regs(s->pmu, counter);
	int num = u->leases[counter] < 0 ? 0 :
		um_repair_leased(s->um, &s->guard, u->leases[counter], u->package->id,
				 u->package->die, counter, NULL, NULL);

	return num > 0 ? read_state(s, u, &regs, selector, global) : 0;
}

static int look_at(struct uncoremsr_session *s, struct um_unit *u, unsigned counter,
		   uint64_t *global, bool force)
{
	struct um_counter_regs regs = um_counter_regs(s->pmu, counter);
	struct um_record held_by = { .pid = 0 };
	uint64_t selector = 0;
	int err = um_lease_take(&s->guard, u->package->id, u->package->die, counter,
				&u->leases[counter], &held_by, &u->error);

	if (err == -EBUSY) {
		note_holder(s, u, counter, &held_by);
		return 0;
	}
	if (!err)
		err = read_state(s, u, &regs, &selector, global);
	if (!err && um_counter_in_use(&regs, selector, *global))
		err = repair_and_read_again(s, u, counter, &selector, global);
	if (err)
		return err;
	note_record(s, u, counter);
	if (!um_counter_in_use(&regs, selector, *global)) {
		found(s, u, counter);
		return 0;
	}
	(force ? um_warn : um_log)(s->um, "package %d: counter %u is in use by somebody else (selector "
				   "0x%x holds 0x%" PRIx64 ", global enable bit %s)%s",
				   u->package->id, counter, regs.selector, selector,
				   *global & regs.global_bit ? "on" : "off",
				   force ? ": taken all the same, and put back afterwards" : "");
	if (force) {
		found(s, u, counter);
		return 0;
	}
	u->strangers |= 1u << counter;
	um_lease_release(u->leases[counter]);
	u->leases[counter] = -1;
	return 0;
}

struct need {
	unsigned others; /* events that any counter will do for */
	bool fixed;
};

static struct need count_need(const struct uncoremsr_session *s)
{
	struct need n = { 0, false };

	for (size_t i = 0; i < s->events.num; i++) {
		n.fixed |= s->events.events[i].fixed;
		n.others += !s->events.events[i].fixed && s->events.events[i].counter < 0;
	}
	return n;
}

static bool have(const struct um_unit *u, unsigned counter)
{
	for (unsigned i = 0; i < u->num_free; i++)
		if (u->free[i] == counter)
			return true;
	return false;
}

/* Looks no further than needed: each of these reads may interrupt another CPU. */
static int look_round(struct uncoremsr_session *s, struct um_unit *u, uint64_t *global, bool force)
{
	struct need n = count_need(s);
	unsigned others = 0;
	int err = 0;

	for (unsigned i = 0; i < u->num_free; i++)
		others += !um_is_wanted(s, u->free[i]);
	for (unsigned c = 0; !err && c < s->pmu->num_general; c++) {
		unsigned before = u->num_free;

		if (have(u, c) || (!um_is_wanted(s, c) && others >= n.others))
			continue;
		err = look_at(s, u, c, global, force);
		others += u->num_free > before && !um_is_wanted(s, c);
	}
	if (!err && n.fixed && !u->fixed_free)
		err = look_at(s, u, s->pmu->num_general, global, force);
	return err;
}

static void sort_free(struct um_unit *u)
{
	for (unsigned i = 1; i < u->num_free; i++)
		for (unsigned k = i; k > 0 && u->free[k - 1] > u->free[k]; k--) {
			unsigned swap = u->free[k];

			u->free[k] = u->free[k - 1];
			u->free[k - 1] = swap;
		}
}

int um_unit_find_free(struct uncoremsr_session *s, struct um_unit *u)
{
	uint64_t global = 0;
	int err = um_unit_read(s, u, s->pmu->global_control, &global);

	u->num_free = 0;
	u->fixed_free = false;
	u->holders[0] = '\0';
	u->strangers = 0;
	if (!err)
		err = look_round(s, u, &global, false);
	/* Only after all free ones: what is displaced is somebody's measurement. */
	if (!err && s->force)
		err = look_round(s, u, &global, true);
	sort_free(u);
	return err;
}
