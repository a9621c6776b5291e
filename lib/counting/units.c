/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Make the units that the events of a session need, with a slot for each event on each unit. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "counting/plan.h"

bool um_box_counts(const struct um_box *b, const struct um_encoding *ev)
{
	return ev->pmu == b->pmu && (ev->unit < 0 || (unsigned)ev->unit == b->number) &&
	       (!ev->core_type || !b->core_type || ev->core_type == b->core_type);
}

static bool is_wanted(const struct um_msr *s, const struct um_box *b)
{
	for (size_t k = 0; k < s->events.num; k++)
		if (um_box_counts(b, &s->events.events[k]))
			return true;
	return false;
}

bool um_pmu_has_events(const struct um_msr *s, const struct um_pmu *pmu)
{
	for (size_t k = 0; k < s->events.num; k++)
		if (s->events.events[k].pmu == pmu)
			return true;
	return false;
}

/* Add a unit, which is reached through @cpus (empty: all CPUs of its package). */
static int append(struct um_msr *s, const struct um_unit *u, const struct um_cpuset *cpus)
{
	return ARRAY_APPEND(s->units, s->num_units, *u) ?: um_cpuset_add_all(&s->units[s->num_units - 1].cpus, cpus);
}

static bool has_dies(const struct um_machine *m, const struct um_box *b)
{
	for (size_t i = 0; i < m->topo.num_packages; i++)
		if (m->topo.packages[i].shown.id == b->package && m->topo.packages[i].shown.die != b->die)
			return true;
	return false;
}

static void name_unit(const struct um_machine *m, struct um_unit *u)
{
	int len;

	um_box_name(&u->box, u->name, sizeof(u->name));
	len = snprintf(u->label, sizeof(u->label), "package %d", u->box.package);
	if (has_dies(m, &u->box))
		len += snprintf(u->label + len, sizeof(u->label) - (size_t)len, " die %d", u->box.die);
	u->place_len = (size_t)len;
	if (strcmp(u->name, "uncore"))
		snprintf(u->label + len, sizeof(u->label) - (size_t)len, " %s", u->name);
}

void um_unit_settle(struct um_msr *s, struct um_unit *u)
{
	u->bits_register = um_counter_regs(&u->box, 0).gate;
	if (u->box.pmu->scope == UM_SCOPE_CPU)
		u->core = um_core_id(s->m->access, (int)u->box.cpu);
	name_unit(s->m, u);
}

static int add_failure(struct um_msr *s, struct um_site *site,
		       const struct um_pmu *pmu, int err, const struct um_error *e)
{
	struct um_unit u = {
		.box = um_box_first(pmu, site->package->id, site->package->die, site->cpu), .site = site, .core = -1,
		.err = err,
	};

	um_fail_as(&u.error, e);
	name_unit(s->m, &u);
	return append(s, &u, &(struct um_cpuset){ NULL, 0 });
}

/* Does the package have a CPU of that core type, even if the user chose other CPUs? */
static bool has_kind(const struct um_machine *m, const struct uncoremsr_package *p,
		     const struct um_pmu *pmu, uint8_t core_type)
{
	struct um_spots spots;
	bool has = false;

	if (um_spots_find(&spots, m, p, pmu, NULL))
		return false;
	for (size_t i = 0; i < spots.num && !has; i++)
		has = um_box_make(m, p, &spots.all[i], pmu, 0).core_type == core_type;
	um_spots_free(&spots);
	return has;
}

int um_no_unit_of_kind(const struct um_msr *s, const struct uncoremsr_package *p, const struct um_encoding *ev,
		       struct um_error *e)
{
	const char *kind = um_core_type_pmu(ev->core_type);

	if (!s->env->choices->cpus_named || !has_kind(s->m, p, ev->pmu, ev->core_type))
		return um_no_cpu_of_kind(kind, e);
	return um_fail(e, -ENODEV, UNCOREMSR_ERROR_USAGE, "none of the chosen CPUs is of the kind %s", kind);
}

/* The package has @num units of the PMU, but none that counts an event. Add one unit that has the error instead. */
static int add_none(struct um_msr *s, struct um_site *site, const struct um_pmu *pmu, unsigned num)
{
	struct um_error e;
	int unit = -1, err;

	for (const struct um_encoding *ev = s->events.events; ev < s->events.events + s->events.num; ev++) {
		/* No error: the CPUs of that kind of core may all be offline now and come online later. */
		if (ev->pmu == pmu && ev->core_type && num)
			return 0;
		if (ev->pmu == pmu)
			unit = ev->unit;
	}
	if (unit < 0 || !num)
		err = um_fail(&e, -ENODEV, UNCOREMSR_ERROR_UNSUPPORTED, "package %d has no %s", site->package->id,
			      pmu->name);
	else
		err = um_fail(&e, -ENODEV, UNCOREMSR_ERROR_USAGE, "package %d has no %s%s%d: it has %u of them",
			      site->package->id, pmu->name, um_pmu_dash(pmu), unit, num);
	return add_failure(s, site, pmu, err, &e);
}

static int add_units_at(struct um_msr *s, struct um_site *site,
			const struct um_spot *spot, const struct um_pmu *pmu, unsigned *sum)
{
	unsigned num = 0;
	struct um_error e;
	int err = um_box_count(s->m, site->package, site->cpu, pmu, &num, &e);

	if (err)
		return add_failure(s, site, pmu, err, &e);
	*sum += num;
	for (unsigned i = 0; i < num && !err; i++) {
		struct um_unit u = { .box = um_box_make(s->m, site->package, spot, pmu, i), .site = site, .core = -1 };

		if (!is_wanted(s, &u.box))
			continue;
		if (pmu->scope <= UM_SCOPE_DIE || um_cpuset_has(&spot->cpus, site->cpu))
			u.box.cpu = site->cpu;
		um_unit_settle(s, &u);
		err = append(s, &u, &spot->cpus);
	}
	return err;
}

static int add_units(struct um_msr *s, struct um_site *site, const struct um_pmu *pmu)
{
	size_t before = s->num_units;
	const struct um_choices *c = s->env->choices;
	struct um_spots spots;
	unsigned num = 0;
	int err = um_spots_find(&spots, s->m, site->package, pmu, c->cpus_named ? &c->cpus : NULL);
	bool none_asked = !err && !spots.num; /* the user named only CPUs of other packages */

	for (size_t i = 0; i < spots.num && !err; i++)
		err = add_units_at(s, site, &spots.all[i], pmu, &num);
	um_spots_free(&spots);
	return err || none_asked || s->num_units > before ? err : add_none(s, site, pmu, num);
}

/* The CPU's package and counters are not known yet, so the site is the placeholder after all other sites. */
static int add_waiting(struct um_msr *s, const struct um_pmu *pmu, unsigned cpu)
{
	struct um_unit u = {
		.box = { .pmu = pmu, .package = -1, .die = -1, .cpu = cpu, .number = cpu }, .core = -1,
		.site = &s->sites[s->num_sites], .waits = true, .hidden = !s->env->choices->cpus_named,
	};

	um_box_name(&u.box, u.name, sizeof(u.name));
	u.err = um_fail(&u.error, -ENXIO, UNCOREMSR_ERROR_ACCESS, "CPU %u is offline", cpu);
	return append(s, &u, &(struct um_cpuset){ &cpu, 1 });
}

/* CPUs that the user did not name may stay offline forever (nosmt, maxcpus=): hidden until they come online. */
static int add_all_waiting(struct um_msr *s, const struct um_cpuset *offline)
{
	const struct um_choices *c = s->env->choices;
	int err = 0;

	for (size_t p = 0; p < s->m->num_pmus; p++)
		for (size_t i = 0; i < offline->num && !err; i++)
			if (s->m->pmus[p].scope == UM_SCOPE_CPU && um_pmu_has_events(s, &s->m->pmus[p]) &&
			    (!c->cpus_named || um_cpuset_has(&c->cpus, offline->cpus[i])))
				err = add_waiting(s, &s->m->pmus[p], offline->cpus[i]);
	return err;
}

/* ---- slots ---- */

static uint64_t max_rate(const struct um_encoding *ev)
{
	return ev->pmu->max_clock_hz * (ev->max_per_clock ? ev->max_per_clock : 1);
}

/* Longest time in which a counter wraps at most once: 2^width divided by its highest rate. */
static uint64_t max_gap_ns(unsigned width, uint64_t rate)
{
	unsigned __int128 ns = ((unsigned __int128)1000000000u << width) / (rate ? rate : 1);

	return ns > UINT64_MAX ? UINT64_MAX : (uint64_t)ns;
}

void um_slot_mark(struct um_slot *slot, enum uncoremsr_status trouble, const char *fmt, ...)
{
	va_list ap;

	if (slot->refused)
		return;
	slot->trouble = trouble;
	va_start(ap, fmt);
	um_vmessage(slot->detail, sizeof(slot->detail), fmt, ap);
	va_end(ap);
}

void um_slot_refuse(struct um_slot *slot, enum uncoremsr_status status, const char *why)
{
	slot->trouble = status;
	um_message(slot->detail, sizeof(slot->detail), "%s", why);
	slot->refused = true;
}

static unsigned width_of(const struct um_box *b, const struct um_encoding *ev)
{
	if (ev->fixed < 0)
		return b->width;
	return b->fixed_width ? b->fixed_width : ev->pmu->fixed[ev->fixed].width;
}

void um_slot_init(struct um_msr *s, struct um_unit *u, struct um_slot *slot, size_t k)
{
	const struct um_encoding *ev = &s->events.events[k];

	*slot = (struct um_slot){
		.event = ev, .index = k, .unit = u, .front = slot->front, .counter = UM_NO_COUNTER, .set = UM_EVERY_SET,
		.saturates = ev->pmu->saturates, .max_rate = max_rate(ev),
		.max_gap_ns = max_gap_ns(width_of(&u->box, ev), max_rate(ev)),
		.reading = um_reading_none(), .total = um_reading_none(),
	};
	if (ev->counter >= 0)
		u->by_hand |= UINT32_C(1) << ev->counter;
	if (ev->fixed >= 0 && !u->err && !(u->box.fixed >> ev->fixed & 1))
		um_slot_refuse(slot, UNCOREMSR_FAILED, "this kind of core has no counter for the event");
}

void um_slot_show(struct um_msr *s, struct um_slot *slot)
{
	const struct um_unit *u = slot->unit;

	if (!slot->front)
		slot->front = &s->fronts[s->first_front[slot->index] + s->num_shown[slot->index]++];
	*slot->front = (struct um_front){
		.shown = {
			.size = sizeof(slot->front->shown), .name = u->name,
			.number = strcmp(u->name, u->box.pmu->name) ? (int)u->box.number : -1,
			.package = u->site->package, .cpu = (int)u->box.cpu, .core = u->core,
			.error = u->err ? u->error.msg : NULL,
		},
		.reading = &slot->reading, .total = &slot->total,
	};
}

/* We do not know which events a unit with an error can count: it gets all events of its PMU, to show the error. */
static bool has_slot(const struct um_unit *u, const struct um_encoding *ev)
{
	return u->err ? ev->pmu == u->box.pmu : um_box_counts(&u->box, ev);
}

static int make_slots(struct um_msr *s)
{
	struct um_slot *slot;
	size_t most = 0;

	for (struct um_unit *u = s->units; u < s->units + s->num_units; u++) {
		for (size_t k = 0; k < s->events.num; k++)
			u->num_slots += has_slot(u, &s->events.events[k]);
		s->num_slots += u->num_slots;
		most = u->num_slots > most ? u->num_slots : most;
	}
	s->slots = calloc(s->num_slots + 1, sizeof(*s->slots));
	s->fronts = calloc(s->num_slots + 1, sizeof(*s->fronts));
	s->first_front = calloc(s->events.num + 1, sizeof(*s->first_front));
	s->num_shown = calloc(s->events.num + 1, sizeof(*s->num_shown));
	s->ops = calloc(most + UM_MAX_GATES + 1, sizeof(*s->ops));
	if (!s->slots || !s->fronts || !s->first_front || !s->num_shown || !s->ops)
		return -ENOMEM;
	slot = s->slots;
	for (struct um_unit *u = s->units; u < s->units + s->num_units; u++) {
		u->slots = slot;
		for (size_t k = 0; k < s->events.num; k++)
			if (has_slot(u, &s->events.events[k])) {
				um_slot_init(s, u, slot++, k);
				s->first_front[k + 1]++;
			}
	}
	for (size_t k = 1; k < s->events.num; k++)
		s->first_front[k] += s->first_front[k - 1];
	return 0;
}

/* ---- all of them ---- */

int um_units_make(struct um_msr *s)
{
	struct um_cpuset offline = { NULL, 0 };
	int err = um_cpus_offline(&offline, s->m->access, &s->m->topo.online);

	if (err != -ENOMEM)
		err = 0; /* sysfs does not list the CPUs: treat none as offline */
	for (size_t i = 0; i < s->num_sites; i++)
		for (size_t p = 0; p < s->m->num_pmus && !err && !s->sites[i].err; p++)
			if (um_pmu_has_events(s, &s->m->pmus[p]))
				err = add_units(s, &s->sites[i], &s->m->pmus[p]);
	err = err ?: add_all_waiting(s, &offline) ?: make_slots(s);
	um_cpuset_free(&offline);
	if (!err)
		return 0;
	um_units_free(s);
	return um_no_memory(s->error);
}

void um_units_free(struct um_msr *s)
{
	for (size_t i = 0; i < s->num_units; i++) {
		um_cpuset_free(&s->units[i].cpus);
		free(s->units[i].counters);
		free(s->units[i].filters);
	}
	for (size_t i = 0; i < s->num_sites; i++) {
		FREE_AND_NULL(s->sites[i].gates);
		s->sites[i].num_gates = 0;
	}
	FREE_AND_NULL(s->units);
	FREE_AND_NULL(s->slots);
	FREE_AND_NULL(s->fronts);
	FREE_AND_NULL(s->first_front);
	FREE_AND_NULL(s->num_shown);
	FREE_AND_NULL(s->ops);
	FREE_AND_NULL(s->groups);
	FREE_AND_NULL(s->set_of);
	FREE_AND_NULL(s->sets);
	s->num_units = s->num_slots = 0;
}
