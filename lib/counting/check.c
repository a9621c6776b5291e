/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Can the requested events be counted at all? Can they be counted on the counters that are free? */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/text.h"
#include "counting/claim.h"

static int refuse_shared(struct um_msr *s, const struct um_clash *clash)
{
	UM_USAGE(s->error, "%s and %s cannot be counted at the same time: they need different contents of %s, which "
		 "all counters of a unit share", clash->a->event->name, clash->b->event->name,
		 UM_REG_TEXT(s->m, clash->msr));
	return um_advise(s->error, -EINVAL, "let them take turns: leave out the braces and --no-multiplex");
}

static int refuse_constraint(struct um_msr *s, const struct um_unit *u, uint64_t free, const struct um_clash *clash)
{
	char list[128] = "";
	uint32_t may = um_allowed(u, clash->a) & u->box.general;

	for (unsigned c = 0; c < u->box.num_general; c++)
		if (may >> c & 1)
			um_list_add(list, sizeof(list), "%u", c);
	UM_USAGE(s->error, !may
		 ? "%s cannot be counted on any counter%s of a %s" : may & free
		 ? "%s can be counted only on counter %s of a %s, which other events of its group need"
		 : "%s can be counted only on counter %s of a %s, which is in use", clash->a->event->name, list,
		 u->box.pmu->name);
	return um_advise(s->error, -EINVAL, "%s", !may || may & free ? "make the group smaller"
							   : "uncore-info shows the counters in use");
}

static int check_group(struct um_msr *s, const struct um_unit *u, unsigned group)
{
	struct um_clash clash = um_match(s, u, u->box.general, group, UM_NONE, NULL);

	switch (clash.what) {
	case UM_FITS:
		break;
	case UM_TOO_MANY:
		return UM_USAGE(s->error, "a group has %u events of %s, but there are only %d general counters",
				clash.need, u->box.pmu->name, __builtin_popcount(u->box.general));
	case UM_CONSTRAINT:
		return refuse_constraint(s, u, u->box.general, &clash);
	case UM_SHARED_REGISTER:
		return refuse_shared(s, &clash);
	}
	return 0;
}

bool um_begins_group(const struct um_msr *s, size_t event)
{
	return s->groups[s->events.events[event].group].first == event;
}

/* If true, all groups that fit on the previous unit fit on this unit, too. */
static bool is_like_previous(const struct um_msr *s, const struct um_unit *u)
{
	return u > s->units && u[-1].box.pmu == u->box.pmu && u[-1].num_slots == u->num_slots &&
	       u[-1].box.general == u->box.general && !u[-1].err;
}

static bool move_last(struct um_msr *s, unsigned group, unsigned to)
{
	for (size_t i = s->events.num; i-- > 1;) {
		struct um_encoding *ev = &s->events.events[i];

		if (ev->group == group && ev->weak && !um_begins_group(s, i)) {
			ev->group = to;
			um_span_add(&s->groups[to], (struct um_span){ i, i + 1 });
			return true;
		}
	}
	return false;
}

/* Split a group that was made for a metric until it fits. */
static int fit_group(struct um_msr *s, const struct um_unit *u, unsigned group)
{
	unsigned rest = s->events.num_groups;
	int err;

	while ((err = check_group(s, u, group)) && move_last(s, group, rest))
		s->events.num_groups = rest + 1;
	return err;
}

int um_check_groups(struct um_msr *s)
{
	/* fit_group() adds at most one group per event. */
	s->groups = calloc(s->events.num_groups + s->events.num + 1, sizeof(*s->groups));
	if (!s->groups)
		return um_no_memory(s->error);
	for (size_t k = 0; k < s->events.num; k++)
		um_span_add(&s->groups[s->events.events[k].group], (struct um_span){ k, k + 1 });
	for (const struct um_unit *u = s->units; u < s->units + s->num_units; u++) {
		if (u->err || is_like_previous(s, u))
			continue;
		for (size_t k = 0; k < s->events.num; k++) {
			int err = um_begins_group(s, k) ? fit_group(s, u, s->events.events[k].group) : 0;

			if (err)
				return err;
		}
	}
	return 0;
}

/* @instead: terms that count the same event on a general counter, or NULL. */
static void advise(struct um_unit *u, bool watchdog, const char *instead)
{
	if (instead)
		um_hint(&u->error, "%s/%s/ counts the same on a general counter%s",
			u->box.pmu->name, instead, watchdog
			? "; or switch the NMI watchdog off (sysctl kernel.nmi_watchdog=0)" : "");
	else
		um_hint(&u->error, watchdog
			? "switch the NMI watchdog off for the measurement (sysctl kernel.nmi_watchdog=0), or "
					"leave out --route=msr"
			: "uncore-info shows the counters in use, uncore-doctor --leases the "
			  "sessions that use them");
}

static int in_use(struct um_msr *s, struct um_unit *u, unsigned counter, const char *which, const char *instead)
{
	const struct um_change *h = &u->counters[counter];
	char holders[256];
	bool watchdog = u->box.pmu->only_on_request && um_nmi_watchdog(s->m->access) == 1;

	if (h->stuck.msr) {
		um_unit_refuse(u, -EBUSY, "%s cannot be taken: %s", which, UM_STUCK_TEXT(s, &h->stuck));
		return um_stuck_hint(u, &h->stuck);
	}
	um_claim_holders(s, u, holders, sizeof(holders));
	um_unit_refuse(u, -EBUSY, "%s is in use by %s", which, *holders ? holders : watchdog
		? "another program (the kernel's NMI watchdog holds a counter of each CPU)"
		: "another program");
	advise(u, watchdog, instead);
	return -EBUSY;
}

static int check_own_counters(struct um_msr *s, struct um_unit *u)
{
	char which[48];

	for (size_t k = 0; k < u->num_slots; k++) {
		const struct um_encoding *ev = u->slots[k].event;
		const struct um_fixed *fixed = ev->fixed >= 0 ? &u->box.pmu->fixed[ev->fixed] : NULL;
		int counter = fixed ? (int)u->box.num_general + ev->fixed : ev->counter;
		bool several = u->box.pmu->num_fixed > 1;

		if (u->slots[k].refused || counter < 0 || u->free >> counter & 1)
			continue;
		if (fixed)
			snprintf(which, sizeof(which), "the fixed counter%s%s", several ? " of " : "",
				 several ? fixed->event : "");
		else
			snprintf(which, sizeof(which), "counter %d", counter);
		return in_use(s, u, (unsigned)counter, which, fixed ? um_or_null(fixed->instead) : NULL);
	}
	return 0;
}

/* The message names only counters that can count one of the events; other counters were not read. */
static int not_enough(struct um_msr *s, struct um_unit *u, unsigned need, bool at_once)
{
	const struct um_stuck *stuck = NULL;
	char holders[256];
	int num_free = __builtin_popcount(u->box.general & (uint32_t)u->free), num = __builtin_popcount(um_useful(u));

	for (unsigned c = 0; c < u->box.num_general && !stuck; c++)
		if (u->counters[c].stuck.msr)
			stuck = &u->counters[c].stuck;
	um_claim_holders(s, u, holders, sizeof(holders));
	um_unit_refuse(u, -EBUSY,
		"no free counter: %u needed at the same time, %d of %d %sfree%s%s%s%s", need, num_free,
		num, num < __builtin_popcount(u->box.general)
		? "that can count the event " : "", *holders ? "; held by " : "", holders,
		stuck ? "; " : "", stuck ? UM_STUCK_TEXT(s, stuck) : "");
	if (stuck)
		return um_stuck_hint(u, stuck);
	return um_advise(&u->error, -EBUSY, "%s", num_free && at_once
		       ? "count fewer events, or let them take turns: leave out the braces, --no-multiplex "
			 "and --counter"
		       : "uncore-info shows the counters in use");
}

static int check_fit(struct um_msr *s, struct um_unit *u, struct um_clash clash, bool at_once)
{
	int err;

	if (clash.what == UM_FITS)
		return 0;
	if (clash.what == UM_TOO_MANY)
		return not_enough(s, u, clash.need, at_once);
	err = clash.what == UM_SHARED_REGISTER ? refuse_shared(s, &clash) : refuse_constraint(s, u, u->free, &clash);
	u->error = *s->error;
	if (clash.what == UM_CONSTRAINT) {
		u->error.class = UNCOREMSR_ERROR_UNSUPPORTED;
		err = -EBUSY;
	}
	return err;
}

static bool do_without(struct um_unit *u, int err, unsigned group)
{
	bool any = false;

	for (size_t k = 0; k < u->num_slots; k++) {
		if (u->slots[k].event->group == group)
			um_slot_refuse(&u->slots[k], um_status_of(u, err), u->error.msg);
		any |= !u->slots[k].refused;
	}
	return any;
}

/* If the user chose a counter for an event, all events must fit at once: that counter takes no turns. */
int um_check_unit(struct um_msr *s, struct um_unit *u)
{
	int err = check_own_counters(s, u);

	if (err)
		return err;
	if (s->env->choices->no_turns || u->by_hand)
		return check_fit(s, u, um_match(s, u, u->free, UM_NONE, UM_NONE, NULL), true);
	for (size_t k = 0; k < s->events.num && !err; k++) {
		unsigned group = s->events.events[k].group;

		if (um_begins_group(s, k))
			err = check_fit(s, u, um_match(s, u, u->free, group, UM_NONE, NULL), false);
		if (err && do_without(u, err, group))
			err = 0;
	}
	return err;
}
