/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* CPUs that were offline when the session started: when such a CPU comes online, its units begin to count. */
#include <errno.h>

#include "counting/claim.h"
#include "counting/run.h"

static struct um_site *site_of(struct um_msr *s, const struct uncoremsr_package *p)
{
	for (size_t i = 0; i < s->num_sites; i++)
		if (s->sites[i].package == p)
			return &s->sites[i];
	return NULL;
}

/* The readings of events that this kind of core cannot count are left out of all sums. */
static void choose_slots(struct um_msr *s, struct um_unit *u)
{
	size_t num = 0;

	u->by_hand = 0;
	for (size_t k = 0; k < u->num_slots; k++) {
		struct um_slot other = u->slots[num];

		if (!um_box_counts(&u->box, u->slots[k].event))
			continue;
		u->slots[num++] = u->slots[k];
		u->slots[k] = other;
	}
	for (size_t k = 0; k < u->num_slots; k++) {
		struct um_slot *slot = &u->slots[k];

		if (k < num) {
			um_slot_init(s, u, slot, slot->index);
		} else if (slot->front) {
			um_slot_show(s, slot);
			slot->front->left_out = true;
		}
	}
	u->num_slots = num;
}

static int take_counters(struct um_msr *s, struct um_unit *u)
{
	int err = um_start_lock(s->m, s->guard, &u->error) ?: um_claim_free(s, u) ?: um_check_unit(s, u) ?:
		  um_assign_unit_counters(s, u);

	um_claim_keep(s, u);
	um_start_unlock(s->guard);
	return err;
}

static int begin(struct um_msr *s, struct um_unit *u)
{
	int err = take_counters(s, u) ?: um_unit_look(s, u) ?: um_unit_begin(s, u);

	/* The unit has counted only in the last part of this interval, so mark its readings. */
	for (size_t k = 0; k < u->num_slots && !err; k++)
		um_slot_mark(&u->slots[k], um_status_away(u), "the unit's CPU was offline for a time");
	u->interval_ns = um_now(s->m);
	return err;
}

int um_unit_cpu_online(struct um_msr *s, struct um_unit *u)
{
	unsigned cpu = u->box.cpu;
	struct um_spot spot = { .number = cpu, .cpu = cpu };
	const struct uncoremsr_package *p;
	struct um_site *site;

	if (um_package_of(&s->m->topo, s->m->access, cpu, &p))
		return 0; /* no memory: try again in the next interval */
	site = site_of(s, p);
	if (!site) {
		u->gone = true;
		if (!p)
			um_tell_came(s->m, p, cpu);
		return 0;
	}
	u->err = um_open_cpu(s, cpu, &u->error);
	if (u->err == -ENXIO)
		return 0; /* the CPU is offline again */
	u->waits = false;
	u->site = site;
	u->box = um_box_make(s->m, p, &spot, u->box.pmu, 0);
	um_unit_settle(s, u);
	choose_slots(s, u);
	if (u->num_slots)
		um_tell_came(s->m, p, cpu);
	else
		u->gone = true;
	if (!u->err && u->num_slots)
		u->err = begin(s, u);
	for (size_t k = 0; k < u->num_slots; k++)
		um_slot_show(s, &u->slots[k]);
	return u->err;
}
