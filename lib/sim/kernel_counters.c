/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * When events are on a counter, and on which CPU, die or process. As in Linux (kernel/events/core.c), pinned groups get
 * counters first. Flexible groups follow in order until one does not fit; each time slice begins with the next group.
 */
#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "sim/kernel.h"

#define MANY_TURNS 65536u

#define CYCLES 0x003cu
#define INSTRUCTIONS 0x00c0u
#define REF_CYCLES 0x0300u
#define SLOTS 0x0400u

/* Counters that events need: a general one, or the core's fixed counter of instructions, cycles etc. */
enum counter { GENERAL, OF_INSTRUCTIONS, OF_CYCLES, OF_REF_CYCLES, OF_SLOTS, COUNTERS, NO_COUNTER };

struct load {
	unsigned num[COUNTERS];
	bool exclusive;
};

/* A field of register PERF_METRICS needs no counter (Linux arch/x86/events/perf_event.h, is_metric_event()). */
static bool is_share_of_slots(const struct um_sim_perf_event *ev)
{
	uint64_t code = um_sim_core_code(&ev->attr);

	return ev->pmu->kind == UM_SIM_PMU_CORE && !(code & 0xff) && code >= 0x8000 && code <= 0x8700;
}

static enum counter counter_for(const struct um_sim_perf_event *ev)
{
	if (!ev->pmu->counters || is_share_of_slots(ev))
		return NO_COUNTER;
	if (ev->pmu->kind == UM_SIM_PMU_UNCORE)
		return (ev->attr.config[0] & 0xff) == 0xff ? OF_REF_CYCLES : GENERAL;
	if (ev->pmu->kind != UM_SIM_PMU_CORE)
		return GENERAL;
	switch (um_sim_core_code(&ev->attr)) {
	case INSTRUCTIONS: return OF_INSTRUCTIONS;
	case CYCLES: return OF_CYCLES;
	case REF_CYCLES: return OF_REF_CYCLES;
	case SLOTS: return OF_SLOTS;
	default: return GENERAL;
	}
}

static unsigned over(unsigned wanted, unsigned fixed)
{
	return wanted > fixed ? wanted - fixed : 0;
}

/* Do the events fit? Only instructions and cycles can use a general counter if their fixed counter is taken. */
static bool fits(const struct um_sim_kernel_pmu *pmu, const struct load *l)
{
	bool core = pmu->kind == UM_SIM_PMU_CORE;
	unsigned general = l->num[GENERAL] + over(l->num[OF_INSTRUCTIONS], core && pmu->fixed > 0) +
			   over(l->num[OF_CYCLES], core && pmu->fixed > 1);

	return !pmu->counters ||
	       (l->num[OF_SLOTS] <= (core && pmu->fixed > 3) && general <= pmu->counters &&
		l->num[OF_REF_CYCLES] <= (core ? pmu->fixed > 2 : pmu->fixed));
}

/* The PMU that a group is bound to. NULL: its events, such as software events, can be in any group. */
static const struct um_sim_kernel_pmu *counters_of(const struct um_sim_perf_event *leader)
{
	for (const struct um_sim_perf_event *ev = leader; ev; ev = ev->next)
		if (ev->pmu->counters || ev->pmu->kind == UM_SIM_PMU_DESCRIBED || ev->pmu->kind == UM_SIM_PMU_IMC)
			return ev->pmu;
	return NULL;
}

static bool take_counters(struct load *l, const struct um_sim_perf_event *leader)
{
	const struct um_sim_kernel_pmu *pmu = counters_of(leader);
	static const struct load empty;
	struct load more = *l;

	if (l->exclusive || (leader->attr.exclusive && memcmp(l->num, empty.num, sizeof(l->num))))
		return false;
	for (const struct um_sim_perf_event *ev = leader; ev; ev = ev->next) {
		enum counter counter = counter_for(ev);

		if (counter != NO_COUNTER)
			more.num[counter]++;
	}
	if (pmu && !fits(pmu, &more))
		return false;
	more.exclusive = leader->attr.exclusive;
	*l = more;
	return true;
}

static bool group_fits(const struct um_sim_perf_event *leader)
{
	struct load l = { 0 };

	return take_counters(&l, leader);
}

/* ---- time ---- */

static bool waits(const struct um_sim_perf_event *leader)
{
	return leader->on && !leader->dead && !leader->lost;
}

static bool has_core_online(const struct uncoremsr_sim *sim, unsigned core_type)
{
	const struct um_sim_kernel_pmu of_kind = { .core_type = core_type };

	for (unsigned cpu = 0; cpu < sim->num_cpus; cpu++)
		if (um_sim_online(sim, cpu) && um_sim_has_core_pmu(sim, &of_kind, cpu))
			return true;
	return false;
}

/*
 * Time until @ns that the event's process has run on cores of the PMU's core type. On a hybrid processor, processes run
 * three quarters of the time on large cores, or all the time on one type if no core of the other is online.
 */
static uint64_t time_there(const struct uncoremsr_sim *sim, const struct um_sim_perf_event *ev, uint64_t ns)
{
	bool large = ev->pmu->core_type == 0x40;

	if (!ev->pmu->core_type || ev->pid < 0 || ev->flags & UM_PERF_CGROUP)
		return ns;
	if (!has_core_online(sim, large ? 0x40 : 0x20))
		return 0;
	if (!has_core_online(sim, large ? 0x20 : 0x40))
		return ns;
	return large ? ns - ns / 4 : ns / 4;
}

/* Add a period of time to an event. @counts: the event was on a counter. */
static void pass(const struct uncoremsr_sim *sim, struct um_sim_perf_event *ev, uint64_t from, uint64_t to, bool counts)
{
	uint64_t level;

	if (!ev->on)
		return;
	ev->enabled += to - from;
	if (!counts)
		return;
	from = time_there(sim, ev, from);
	to = time_there(sim, ev, to);
	ev->running += to - from;
	if (ev->deaf)
		return;
	if (um_sim_kernel_level(ev, &level))
		ev->value = level;
	else
		ev->value += (uint64_t)(um_sim_kernel_happened(sim, ev, to) - um_sim_kernel_happened(sim, ev, from));
}

static void pass_group(const struct uncoremsr_sim *sim, struct um_sim_perf_event *leader,
		       uint64_t from, uint64_t to, bool counts)
{
	for (struct um_sim_perf_event *ev = leader; ev; ev = ev->next)
		pass(sim, ev, from, to, counts);
}

static void pass_pinned(const struct uncoremsr_sim *sim, struct um_sim_place *place,
			struct load *l, uint64_t from, uint64_t to)
{
	for (size_t i = 0; i < place->num; i++) {
		struct um_sim_perf_event *leader = place->groups[i];

		if (!leader->attr.pinned || !waits(leader))
			continue;
		if (take_counters(l, leader))
			pass_group(sim, leader, from, to, true);
		else
			leader->lost = true;
	}
}

static size_t num_flexible(const struct um_sim_place *place)
{
	size_t num = 0;

	for (size_t i = 0; i < place->num; i++)
		num += !place->groups[i]->attr.pinned && waits(place->groups[i]);
	return num;
}

/* Let flexible groups count in order, from group @first on and wrapping around, until one does not fit. */
static void pass_flexible(const struct uncoremsr_sim *sim, struct um_sim_place *place,
			  struct load *l, size_t first, uint64_t from, uint64_t to)
{
	bool room = true;

	for (int round = 0; round < 2; round++) {
		size_t n = 0;

		for (size_t i = 0; i < place->num; i++) {
			struct um_sim_perf_event *leader = place->groups[i];

			if (leader->attr.pinned || !waits(leader))
				continue;
			if ((n++ < first) == !round)
				continue;
			room = room && take_counters(l, leader);
			pass_group(sim, leader, from, to, room);
		}
	}
}

static bool all_fit(const struct um_sim_place *place)
{
	struct load l = { 0 };

	for (size_t i = 0; i < place->num; i++)
		if (waits(place->groups[i]) && !take_counters(&l, place->groups[i]))
			return false;
	return true;
}

void um_sim_place_settle(struct uncoremsr_sim *sim, struct um_sim_place *place)
{
	size_t num = num_flexible(place);
	bool turns = !all_fit(place);
	uint64_t length;

	if (!place->num || place->seen >= sim->now) {
		struct load l = { 0 };

		/* As in Linux, a pinned event that gets no counter is in error as soon as it is switched on. */
		place->seen = sim->now;
		pass_pinned(sim, place, &l, place->seen, place->seen);
	}
	/* Use longer time slices for a long jump of the clock: a jump over years would need too many normal ones. */
	length = UM_SIM_KERNEL_TURN * (1 + (sim->now - place->seen) / UM_SIM_KERNEL_TURN / MANY_TURNS);
	while (place->seen < sim->now) {
		uint64_t left = length - place->seen % length, end = sim->now;
		struct load l = { 0 };

		if (turns && left < end - place->seen)
			end = place->seen + left;
		pass_pinned(sim, place, &l, place->seen, end);
		if (num)
			pass_flexible(sim, place, &l, place->seen / length % num, place->seen, end);
		place->seen = end;
	}
}

static void settle_all(struct uncoremsr_sim *sim)
{
	for (struct um_sim_place *place = sim->kernel->places; place; place = place->next)
		um_sim_place_settle(sim, place);
}

/* ---- groups ---- */

/* Find or add the CPU, die or process that an event counts on. NULL: out of memory. Processes run all the time. */
static struct um_sim_place *place_of(struct uncoremsr_sim *sim, const struct um_sim_perf_event *ev)
{
	struct um_sim_kernel *k = sim->kernel;
	bool of_process = ev->pid >= 0 && !(ev->flags & UM_PERF_CGROUP);
	pid_t pid = of_process ? ev->pid : -1;
	unsigned cpu = of_process ? 0 : ev->cpu;
	struct um_sim_place *place;

	for (place = k->places; place; place = place->next)
		if (place->pmu == ev->pmu && place->pid == pid && place->cpu == cpu)
			return place;
	place = calloc(1, sizeof(*place));
	if (!place)
		return NULL;
	*place = (struct um_sim_place){
		.pmu = ev->pmu, .pid = pid, .cpu = cpu, .seen = sim->now, .next = k->places,
	};
	k->places = place;
	return place;
}

static void remove_group(struct um_sim_place *place, const struct um_sim_perf_event *leader)
{
	size_t i = 0;

	while (i < place->num && place->groups[i] != leader)
		i++;
	if (i == place->num)
		return;
	place->num--;
	memmove(place->groups + i, place->groups + i + 1, (place->num - i) * sizeof(*place->groups));
}

static int check_group(const struct um_sim_perf_event *leader, const struct um_sim_perf_event *ev)
{
	if (leader->leader != leader || leader->dead || leader->pid != ev->pid ||
	    (leader->flags ^ ev->flags) & UM_PERF_CGROUP || leader->cpu != ev->cpu)
		return -EINVAL;
	return ev->attr.exclusive || ev->attr.pinned ? -EINVAL : 0;
}

/* The result of a group read must be smaller than 16 KiB (Linux events/core.c, perf_event_validate_size()). */
static bool is_readable(const struct um_sim_perf_event *leader)
{
	size_t size = 32; /* sizes of the record's header, the number of events, and two times */

	for (const struct um_sim_perf_event *ev = leader; ev; ev = ev->next)
		size += 16;
	return size < 16 * 1024;
}

static void append(struct um_sim_perf_event *leader, struct um_sim_perf_event *ev)
{
	struct um_sim_perf_event **at = &leader->next;

	while (*at)
		at = &(*at)->next;
	*at = ev;
	ev->leader = leader;
}

static void detach(struct um_sim_perf_event *ev)
{
	struct um_sim_perf_event **at = &ev->leader->next;

	while (*at && *at != ev)
		at = &(*at)->next;
	if (*at)
		*at = ev->next;
	ev->next = NULL;
}

static int join_group(struct uncoremsr_sim *sim, struct um_sim_perf_event *leader, struct um_sim_perf_event *ev)
{
	const struct um_sim_kernel_pmu *counters = counters_of(leader), *mine = counters_of(ev);
	struct um_sim_place *to;
	int err = check_group(leader, ev);

	if (err || (counters && mine && counters != mine) ||
	    (is_share_of_slots(ev) && um_sim_core_code(&leader->attr) != SLOTS))
		return -EINVAL;
	if (ev->flags & UM_PERF_GROUP_READ && !is_readable(leader))
		return -E2BIG;
	um_sim_place_settle(sim, leader->place);
	append(leader, ev);
	if (!group_fits(leader)) {
		detach(ev);
		return -EINVAL;
	}
	if (counters || !mine) {
		ev->place = leader->place;
		return 0;
	}
	/* A software group gets an event that needs a counter: move the whole group to where that event counts. */
	to = place_of(sim, ev);
	if (to)
		um_sim_place_settle(sim, to);
	if (!to || ARRAY_APPEND(to->groups, to->num, leader)) {
		detach(ev);
		return -ENOMEM;
	}
	remove_group(leader->place, leader);
	for (struct um_sim_perf_event *e = leader; e; e = e->next)
		e->place = to;
	return 0;
}

static int start_alone(struct uncoremsr_sim *sim, struct um_sim_perf_event *ev)
{
	ev->leader = ev;
	if (is_share_of_slots(ev) || !group_fits(ev))
		return -EINVAL;
	ev->place = place_of(sim, ev);
	if (!ev->place)
		return -ENOMEM;
	um_sim_place_settle(sim, ev->place);
	return ARRAY_APPEND(ev->place->groups, ev->place->num, ev);
}

int um_sim_kernel_join(struct uncoremsr_sim *sim, struct um_sim_perf_event *leader, struct um_sim_perf_event *ev)
{
	return leader ? join_group(sim, leader, ev) : start_alone(sim, ev);
}

/* Make each member of a group a group of its own, or end it if the leader has ended. */
static void free_members(struct um_sim_perf_event *leader)
{
	for (struct um_sim_perf_event *ev; (ev = leader->next);) {
		leader->next = ev->next;
		ev->leader = ev;
		ev->next = NULL;
		/* Out of memory: the event stops, which a reader can see from its times. */
		ev->dead = leader->dead || ARRAY_APPEND(ev->place->groups, ev->place->num, ev);
	}
}

void um_sim_kernel_leave(struct um_sim_perf_event *ev)
{
	if (ev->leader != ev) {
		detach(ev);
		return;
	}
	remove_group(ev->place, ev);
	free_members(ev);
}

/* ---- hotplug (Linux perf_event_exit_cpu(), uncore_event_cpu_offline()) ---- */

void um_sim_kernel_move_masks(struct uncoremsr_sim *sim)
{
	for (size_t i = 0; i < sim->kernel->num_pmus; i++) {
		struct um_sim_kernel_pmu *pmu = &sim->kernel->pmus[i];

		for (unsigned owner = 0; pmu->masked && owner < sim->num_cpus; owner++) {
			int other;

			if (pmu->counted_by[owner] < 0 || um_sim_online(sim, (unsigned)pmu->counted_by[owner]))
				continue;
			other = um_sim_first_online(sim, pmu->scope, owner);
			if (other >= 0)
				pmu->counted_by[owner] = other;
		}
	}
}

/* End all events of a CPU or die for good, even if the CPU comes back; dissolve their groups. */
static void kill_groups(struct um_sim_place *place)
{
	for (size_t i = 0; i < place->num; i++) {
		place->groups[i]->dead = true;
		free_members(place->groups[i]);
	}
	place->num = 0;
}

static void cpu_gone(struct uncoremsr_sim *sim, unsigned cpu)
{
	for (struct um_sim_place *place = sim->kernel->places; place; place = place->next)
		if (place->pid < 0 && place->cpu == um_sim_owner(sim, place->pmu, cpu) &&
		    (!place->pmu->masked || um_sim_first_online(sim, place->pmu->scope, cpu) < 0))
			kill_groups(place);
}

void um_sim_kernel_hotplug(struct uncoremsr_sim *sim, unsigned cpu, bool online)
{
	if (sim->cpus[cpu].online == online)
		return;
	settle_all(sim);
	sim->cpus[cpu].online = online;
	if (!online)
		cpu_gone(sim, cpu);
	um_sim_kernel_move_masks(sim);
}

/*
 * The drivers of uncore PMUs do not handle a resume (arch/x86/events/intel/uncore.c). The counter was cleared, so the
 * kernel subtracts a large old value from a small new one and adds a huge difference. The selector stays 0 until the
 * event is switched off and on.
 */
static void deafen(struct um_sim_place *place)
{
	for (size_t i = 0; i < place->num; i++)
		for (struct um_sim_perf_event *ev = place->groups[i]; ev; ev = ev->next) {
			if (!ev->pmu->masked || !ev->on)
				continue;
			ev->deaf = true;
			ev->value += UM_SIM_BIT(40);
		}
}

void um_sim_kernel_suspend(struct uncoremsr_sim *sim)
{
	settle_all(sim);
	for (struct um_sim_place *place = sim->kernel->places; place; place = place->next)
		deafen(place);
}
