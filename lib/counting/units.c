/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Which units the events of a session need, and a slot for each event on each of them. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "counting/session.h"

bool um_event_wants(const struct um_encoding *ev, const struct uncoremsr_pmu *pmu, unsigned unit)
{
	return ev->pmu == pmu && (ev->unit < 0 || (unsigned)ev->unit == unit);
}

static size_t num_wanting(const struct um_msr_session *s, const struct uncoremsr_pmu *pmu,
			  unsigned unit)
{
	size_t n = 0;

	for (size_t k = 0; k < s->events.num; k++)
		n += um_event_wants(&s->events.events[k], pmu, unit);
	return n;
}

static bool is_used(const struct um_msr_session *s, const struct uncoremsr_pmu *pmu)
{
	for (size_t k = 0; k < s->events.num; k++)
		if (s->events.events[k].pmu == pmu)
			return true;
	return false;
}

static struct um_unit *more_unit(struct um_msr_session *s)
{
	struct um_unit *more = realloc(s->units, (s->num_units + 1) * sizeof(*more));

	if (!more)
		return NULL;
	s->units = more;
	more += s->num_units++;
	memset(more, 0, sizeof(*more));
	more->core = -1;
	return more;
}

static int core_of(struct um_msr_session *s, unsigned cpu)
{
	char path[96], text[16];

	snprintf(path, sizeof(path), "sys/devices/system/cpu/cpu%u/topology/core_id", cpu);
	return um_access_line(s->m->access, path, text, sizeof(text)) > 0 ? atoi(text) : -1;
}

/* The die is told where the package has several. */
static bool has_dies(const struct um_machine *m, const struct um_box *b)
{
	for (size_t i = 0; i < m->topo.num_packages; i++)
		if (m->topo.packages[i].id == b->package && m->topo.packages[i].die != b->die)
			return true;
	return false;
}

static void name_unit(const struct um_machine *m, struct um_unit *u)
{
	int len;

	um_box_name(&u->box, u->name, sizeof(u->name));
	len = snprintf(u->label, sizeof(u->label), "package %d", u->box.package);
	if (has_dies(m, &u->box))
		len += snprintf(u->label + len, sizeof(u->label) - (size_t)len, " die %d",
				u->box.die);
	if (strcmp(u->name, "uncore"))
		snprintf(u->label + len, sizeof(u->label) - (size_t)len, " %s", u->name);
}

static int add_unit(struct um_msr_session *s, struct um_site *site, const struct um_spot *spot,
		    const struct uncoremsr_pmu *pmu, unsigned index)
{
	struct um_box box = um_box_make(s->m, site->package, spot, pmu, index);
	struct um_unit *u;

	if (!num_wanting(s, pmu, box.number))
		return 0;
	u = more_unit(s);
	if (!u)
		return -ENOMEM;
	u->box = box;
	u->site = site;
	if (pmu->scope == UM_SCOPE_PACKAGE || pmu->scope == UM_SCOPE_DIE)
		u->box.cpu = site->cpu;
	else if (um_cpuset_has(&spot->cpus, site->cpu))
		u->box.cpu = site->cpu;
	if (pmu->scope == UM_SCOPE_CPU)
		u->core = core_of(s, box.cpu);
	for (size_t i = 0; i < spot->cpus.num; i++)
		if (um_cpuset_add(&u->cpus, spot->cpus.cpus[i]))
			return -ENOMEM;
	name_unit(s->m, u);
	return 0;
}

/* In place of the units of a PMU that cannot be told: carries the reason. */
static int add_failure(struct um_msr_session *s, struct um_site *site,
		       const struct uncoremsr_pmu *pmu, int err, const struct um_error *e)
{
	struct um_unit *u = more_unit(s);

	if (!u)
		return -ENOMEM;
	u->box = (struct um_box){
		.pmu = pmu, .package = site->package->id, .die = site->package->die,
		.cpu = site->cpu,
	};
	u->site = site;
	u->err = err;
	u->error = *e;
	name_unit(s->m, u);
	return 0;
}

static int none_of_them(const struct um_msr_session *s, const struct um_site *site,
			const struct uncoremsr_pmu *pmu, unsigned num, struct um_error *e)
{
	int unit = -1;

	for (size_t k = 0; k < s->events.num; k++)
		if (s->events.events[k].pmu == pmu)
			unit = s->events.events[k].unit;
	if (unit < 0 || !num)
		return um_fail(e, -ENODEV, UNCOREMSR_ERROR_UNSUPPORTED, "package %d has no %s",
			       site->package->id, pmu->name);
	return um_fail(e, -ENODEV, UNCOREMSR_ERROR_USAGE,
		       "package %d has no %s%s%d: it has %u of them", site->package->id,
		       pmu->name, um_pmu_dash(pmu), unit, num);
}

static int add_units_at(struct um_msr_session *s, struct um_site *site,
			const struct um_spot *spot, const struct uncoremsr_pmu *pmu, unsigned *sum)
{
	unsigned cpu = pmu->scope > UM_SCOPE_DIE ? spot->cpu : site->cpu, num = 0;
	struct um_error e;
	int err = 0;

	/* A register may have to tell how many there are. */
	if (cpu != site->cpu && pmu->units.from == UM_UNITS_MSR)
		err = um_reg_open(s->m, cpu, true, &e);
	if (!err)
		err = um_box_count(s->m, site->package, cpu, pmu, &num, &e);
	if (err)
		return add_failure(s, site, pmu, err, &e);
	*sum += num;
	for (unsigned i = 0; i < num && !err; i++)
		err = add_unit(s, site, spot, pmu, i);
	return err;
}

static int add_units(struct um_msr_session *s, struct um_site *site,
		     const struct uncoremsr_pmu *pmu)
{
	size_t before = s->num_units;
	struct um_spots spots;
	struct um_error e;
	unsigned num = 0;
	int err = um_spots_find(&spots, s->m, site->package, pmu, &site->asked);

	for (size_t i = 0; i < spots.num && !err; i++)
		err = add_units_at(s, site, &spots.all[i], pmu, &num);
	um_spots_free(&spots);
	if (err || s->num_units > before)
		return err;
	err = none_of_them(s, site, pmu, num, &e);
	return add_failure(s, site, pmu, err, &e);
}

int um_units_make(struct um_msr_session *s)
{
	int err = 0;

	um_units_free(s);
	for (size_t i = 0; i < s->num_sites; i++)
		for (size_t p = 0; p < s->m->num_pmus && !err && !s->sites[i].err; p++)
			if (is_used(s, &s->m->pmus[p]))
				err = add_units(s, &s->sites[i], &s->m->pmus[p]);
	if (!err)
		err = um_slots_make(s);
	if (!err)
		return 0;
	um_units_free(s);
	return um_session_no_memory(s);
}

void um_units_free(struct um_msr_session *s)
{
	for (size_t i = 0; i < s->num_units; i++) {
		um_cpuset_free(&s->units[i].cpus);
		free(s->units[i].claims);
		free(s->units[i].extras);
	}
	for (size_t i = 0; i < s->num_sites; i++) {
		free(s->sites[i].gates);
		s->sites[i].gates = NULL;
		s->sites[i].num_gates = s->sites[i].room_gates = 0;
	}
	free(s->units);
	free(s->slots);
	free(s->by_event);
	free(s->first_slot);
	free(s->fronts);
	free(s->first_front);
	free(s->ops);
	s->units = NULL;
	s->slots = NULL;
	s->by_event = NULL;
	s->first_slot = NULL;
	s->fronts = NULL;
	s->first_front = NULL;
	s->ops = NULL;
	s->num_units = s->num_slots = s->num_events = 0;
}
