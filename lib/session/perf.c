/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The kernel's parts of a session: one for whole CPUs, one for a task. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "events/catalogue.h"
#include "session/session.h"

struct um_perf_part *um_perf_part_of(struct uncoremsr_session *s, enum um_part part)
{
	return part == UM_PART_TASK ? &s->task : &s->system;
}

const struct um_perf_event *um_session_perf_event(const struct uncoremsr_session *s, size_t event)
{
	const struct um_event_ref *ref = &s->refs[event];
	const struct um_perf_part *part;

	if (event >= s->num_refs || ref->part == UM_PART_MSR)
		return NULL;
	part = ref->part == UM_PART_TASK ? &s->task : &s->system;
	return &part->count.events.events[ref->index];
}

/* ---- start ---- */

static int add_package(struct um_cpuset *set, const struct uncoremsr_package *p)
{
	for (size_t i = 0; i < p->cpus.num; i++)
		if (um_cpuset_add(set, p->cpus.cpus[i]))
			return -ENOMEM;
	return 0;
}

/* The CPUs asked for; or those of the packages that were chosen, or of the groups; else all. */
static int choose_cpus(struct uncoremsr_session *s, struct um_cpuset *set)
{
	int err = 0;

	um_cpuset_free(set);
	*set = (struct um_cpuset){ 0 };
	for (size_t i = 0; i < s->cpus.num && !err; i++)
		err = um_cpuset_add(set, s->cpus.cpus[i]);
	for (size_t i = 0; i < s->groups.num && !err; i++)
		for (size_t k = 0; k < s->groups.groups[i].cpus.num && !err; k++)
			err = um_cpuset_add(set, s->groups.groups[i].cpus.cpus[k]);
	if (set->num || !s->packages_chosen)
		return err;
	for (size_t i = 0; i < um_msr_num_packages(s->msr) && !err; i++)
		err = add_package(set, um_msr_package(s->msr, i));
	return err;
}

static const struct uncoremsr_package *package_of(const struct uncoremsr *um, int cpu)
{
	for (size_t i = 0; cpu >= 0 && i < um->m.topo.num_packages; i++)
		if (um_cpuset_has(&um->m.topo.packages[i].cpus, (unsigned)cpu))
			return &um->m.topo.packages[i];
	return NULL;
}

static int core_of(const struct uncoremsr *um, int cpu)
{
	char path[96], text[16];

	if (cpu < 0)
		return -1;
	snprintf(path, sizeof(path), "sys/devices/system/cpu/cpu%d/topology/core_id", cpu);
	return um_access_line(um->m.access, path, text, sizeof(text)) > 0 ? atoi(text) : -1;
}

enum { UNIT_NAME = 32 };

/* "uncore_cha_3" for a unit of the uncore, else the CPU or the task. */
static void describe(const struct uncoremsr_session *s, const struct um_perf_part *part,
		     const struct um_perf_instance *in, struct uncoremsr_unit *u, char *name)
{
	const struct um_perf_event *ev = &part->count.events.events[in->event];
	const struct um_kernel_pmu *pmu = ev->units[in->unit].pmu;

	*u = (struct uncoremsr_unit){
		.name = name, .cpu = in->cpu, .core = -1, .reading = &in->reading,
		.total = &in->total,
	};
	u->package = package_of(s->um, in->cpu);
	if (ev->is_uncore && pmu) {
		snprintf(name, UNIT_NAME, "%.31s", pmu->name);
		u->number = (unsigned)pmu->number;
	} else if (in->cpu >= 0) {
		snprintf(name, UNIT_NAME, "cpu%d", in->cpu);
		u->number = (unsigned)in->cpu;
		u->core = core_of(s->um, in->cpu);
	} else {
		snprintf(name, UNIT_NAME, "task %d", (int)in->pid);
		u->number = (unsigned)in->pid;
	}
}

static int make_units(struct uncoremsr_session *s, struct um_perf_part *part)
{
	size_t n = part->count.num_instances;
	char *names;

	free(part->units);
	free(part->first);
	part->units = malloc(n * (sizeof(*part->units) + UNIT_NAME) + 1);
	part->first = calloc(part->count.events.num + 1, sizeof(*part->first));
	if (!part->units || !part->first)
		return -ENOMEM;
	names = (char *)(part->units + n);
	/* Those of one event stand one after the other. */
	for (size_t i = 0; i < n; i++)
		part->first[part->count.instances[i].event + 1] = i + 1;
	for (size_t i = 0; i < n; i++)
		describe(s, part, &part->count.instances[i], &part->units[i],
			 names + i * UNIT_NAME);
	return 0;
}

/* Instances that could not be opened, once per event and reason. */
static void tell_of_refused(struct uncoremsr_session *s, const struct um_perf_part *part)
{
	const struct um_perf_count *c = &part->count;

	for (size_t i = 0; i < c->num_instances; i++) {
		const struct um_perf_instance *in = &c->instances[i];
		bool told = false;

		if (in->fd >= 0)
			continue;
		for (size_t k = 0; k < i && !told; k++)
			told = c->instances[k].fd < 0 && c->instances[k].event == in->event;
		if (!told)
			um_warn(&s->um->m, "not counted: %s", in->detail);
	}
}

static int open_part(struct uncoremsr_session *s, struct um_perf_part *part)
{
	struct um_perf_count *c = &part->count;
	struct um_perf_scope scope;
	int err = um_perf_names(s->um, &scope);

	if (!err)
		err = um_perf_kernel_of(s->um, &c->kernel);
	if (err) {
		part->error = s->um->error;
		return err;
	}
	c->access = s->um->m.access;
	c->topo = &s->um->m.topo;
	c->pmus = scope.pmus;
	if (part == &s->system || s->target == UM_TARGET_CGROUP)
		err = choose_cpus(s, &c->target.cpus);
	if (!err)
		return um_perf_count_open(c, &part->error);
	return um_fail(&part->error, -ENOMEM, UNCOREMSR_ERROR_UNSUPPORTED, "out of memory");
}

/*
 * A command without any of its events: as with perf stat it runs all the same where the machine has no
 * such counters, because how long it took is an answer too, and every event tells why it has none.
 */
static bool is_worth_running(const struct uncoremsr_session *s, const struct um_perf_part *part)
{
	return s->target == UM_TARGET_CHILD && part == &s->task && part->err == -ENOENT &&
	       part->error.class == UNCOREMSR_ERROR_UNSUPPORTED && part->count.num_instances;
}

int um_perf_part_start(struct uncoremsr_session *s, struct um_perf_part *part)
{
	part->err = open_part(s, part);
	if (part->err && !is_worth_running(s, part))
		return part->err;
	if (make_units(s, part))
		part->err = um_fail(&part->error, -ENOMEM, UNCOREMSR_ERROR_UNSUPPORTED,
				    "out of memory");
	else
		part->err = um_perf_count_start(&part->count, &part->error);
	part->runs = !part->err;
	if (part->runs)
		tell_of_refused(s, part);
	else
		um_perf_count_close(&part->count);
	return part->err;
}

/* ---- while it runs ---- */

int um_perf_part_read(struct uncoremsr_session *s, struct um_perf_part *part, bool close)
{
	return um_perf_count_read(&part->count, uncoremsr_now(s->um), close, &s->um->error);
}

void um_perf_part_stop(struct um_perf_part *part)
{
	if (part->runs)
		um_perf_count_stop(&part->count);
}

void um_perf_part_free(struct um_perf_part *part)
{
	um_perf_count_free(&part->count);
	free(part->units);
	free(part->first);
	part->units = NULL;
	part->first = NULL;
	part->runs = false;
}

/* ---- units ---- */

const struct uncoremsr_unit *um_perf_unit_at(const struct uncoremsr_session *s, size_t event,
					     size_t index)
{
	const struct um_event_ref *ref = &s->refs[event];
	const struct um_perf_part *part = ref->part == UM_PART_TASK ? &s->task : &s->system;
	const struct um_perf_instance *in;

	if (!part->runs || index >= part->first[ref->index + 1] - part->first[ref->index])
		return NULL;
	index += part->first[ref->index];
	in = &part->count.instances[index];
	part->units[index].cpu = in->cpu;
	part->units[index].error = in->fd < 0 ? in->detail : NULL;
	return &part->units[index];
}
