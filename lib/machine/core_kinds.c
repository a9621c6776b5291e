/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The CPUs of a machine, or of a recorded CPUID, sorted into kinds of cores; and their properties. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "machine/core_kind.h"
#include "machine/handle.h"

#define PERF_CAPABILITIES 0x345u /* IA32_PERF_CAPABILITIES, where leaf 1 ECX bit 15 is set */

/* Ask a CPU for its kind, and add it. *index becomes that of the kind; it stays if CPUID cannot be read. */
static int add_cpu(struct uncoremsr_cores *c, struct um_access *a, unsigned cpu, size_t *index)
{
	struct uncoremsr_core_kind like;
	size_t i = 0;

	if (um_core_kind_read(&like, a, cpu) < 0)
		return 0;
	while (i < c->num && !um_core_kind_same(&c->kinds[i], &like))
		i++;
	if (i == c->num && ARRAY_APPEND(c->kinds, c->num, like))
		return -ENOMEM;
	*index = i;
	return um_cpuset_add(&c->kinds[i].cpus, cpu);
}

/* The known kind of a CPU of a hybrid processor, by leaf 0x1A alone; SIZE_MAX: none, or the processor is not hybrid. */
static size_t kind_by_type(const struct uncoremsr_cores *c, struct um_access *a, unsigned cpu)
{
	uint32_t regs[4] = { 0 };

	if (!c->num || !c->kinds[0].numbers[UNCOREMSR_CORE_HYBRID] ||
	    a->ops->cpuid(a, cpu, 0x1a, 0, regs) || !regs[0])
		return SIZE_MAX;
	for (size_t i = 0; i < c->num; i++)
		if (c->kinds[i].numbers[UNCOREMSR_CORE_TYPE] == regs[0] >> 24 &&
		    c->kinds[i].numbers[UNCOREMSR_CORE_NATIVE_MODEL] == (regs[0] & 0xffffff))
			return i;
	return SIZE_MAX;
}

/*
 * Add the CPUs of a package. Reading CPUID of another CPU interrupts it, and a kind takes a dozen leaves; so only one CPU
 * of each kind is asked. CPUs of a package differ only on hybrid processors.
 */
static int add_package(struct uncoremsr_cores *c, struct um_access *a, const struct um_cpuset *cpus)
{
	size_t first = SIZE_MAX;
	int err = 0;

	for (size_t i = 0; i < cpus->num && !err; i++) {
		size_t kind = kind_by_type(c, a, cpus->cpus[i]);

		if (first != SIZE_MAX && !c->kinds[first].numbers[UNCOREMSR_CORE_HYBRID])
			kind = first;
		err = kind == SIZE_MAX ? add_cpu(c, a, cpus->cpus[i], &first)
				       : um_cpuset_add(&c->kinds[kind].cpus, cpus->cpus[i]);
	}
	return err;
}

/*
 * The other kind of a hybrid processor, if all CPUs of @online are of one: CPUID of a CPU that is offline cannot be
 * read. A hypervisor may pass the bit on and show one kind alone.
 */
static int add_offline_kind(struct uncoremsr_cores *c, const struct um_cpuset *online)
{
	const struct uncoremsr_core_kind *first = c->kinds;
	uint64_t type = c->num ? first->numbers[UNCOREMSR_CORE_TYPE] : 0;
	struct uncoremsr_core_kind other = { .known = 0 };
	size_t num = 0;

	for (size_t i = 0; i < c->num; i++) {
		num += c->kinds[i].cpus.num;
		if (c->kinds[i].numbers[UNCOREMSR_CORE_TYPE] != type)
			return 0;
	}
	if ((type != UM_CORE_TYPE_P && type != UM_CORE_TYPE_E) || !first->numbers[UNCOREMSR_CORE_HYBRID] ||
	    first->id.hypervisor == 1 || num != online->num)
		return 0;
	um_core_kind_set(&other, UNCOREMSR_CORE_HYBRID, 1);
	um_core_kind_set(&other, UNCOREMSR_CORE_TYPE, type == UM_CORE_TYPE_P ? UM_CORE_TYPE_E : UM_CORE_TYPE_P);
	return ARRAY_APPEND(c->kinds, c->num, other);
}

/* @offline: add the kind of which no CPU is online. */
static int read_kinds(struct uncoremsr_cores *c, struct um_access *a, const struct um_topology *t, bool offline)
{
	size_t index;
	int err = 0;

	memset(c, 0, sizeof(*c));
	for (size_t i = 0; i < t->num_packages && !err; i++)
		err = add_package(c, a, &t->packages[i].cpus);
	for (size_t i = 0; i < t->online.num && !err; i++)
		if (!um_package_with(t, t->online.cpus[i]))
			err = add_cpu(c, a, t->online.cpus[i], &index);
	if (!err && offline)
		err = add_offline_kind(c, &t->online);
	for (size_t i = 0; i < c->num && !err; i++) {
		um_core_kind_set(&c->kinds[i], UNCOREMSR_CORE_NUM_CPUS, c->kinds[i].cpus.num);
		c->kinds[i].cpus_text = um_cpuset_format(&c->kinds[i].cpus);
		err = c->kinds[i].cpus_text ? 0 : -ENOMEM;
	}
	if (err)
		um_cores_free(c);
	return err;
}

/* If CPUID does not tell @what, read the kernel's number from the PMU's caps folder. */
static void read_cap(struct uncoremsr_core_kind *k, struct um_access *a, const char *pmu,
		     const char *cap, enum uncoremsr_core_number what)
{
	char path[96], line[24], *end;
	long v;

	snprintf(path, sizeof(path), "sys/bus/event_source/devices/%s/caps/%s", pmu, cap);
	if (k->known >> what & 1 || um_access_line(a, path, line, sizeof(line)) <= 0)
		return;
	errno = 0;
	v = strtol(line, &end, 10);
	if (!errno && !*end && end != line && v >= 0)
		um_core_kind_set(k, what, (uint64_t)v);
}

static void read_capabilities(struct uncoremsr_core_kind *k, struct um_access *a)
{
	unsigned cpu = k->cpus.cpus[0];
	uint64_t v;

	if (um_access_open_cpu(a, cpu, false))
		return;
	if (!a->ops->read(a, cpu, PERF_CAPABILITIES, &v) && v <= INT64_MAX)
		um_core_kind_set_capabilities(k, v);
	um_access_close_cpu(a, cpu);
}

int um_cores_read(struct uncoremsr_cores *c, struct um_access *a, const struct um_topology *t)
{
	int err = read_kinds(c, a, t, true);

	for (size_t i = 0; i < c->num && !err; i++) {
		struct uncoremsr_core_kind *k = &c->kinds[i];
		const char *pmu = "cpu";

		if (k->has_capabilities)
			read_capabilities(k, a);
		if (k->numbers[UNCOREMSR_CORE_HYBRID])
			pmu = k->numbers[UNCOREMSR_CORE_TYPE] == UM_CORE_TYPE_E ? "cpu_atom" : "cpu_core";
		read_cap(k, a, pmu, "branches", UNCOREMSR_CORE_LBR_DEPTH);
		read_cap(k, a, pmu, "max_precise", UNCOREMSR_CORE_MAX_PRECISE);
	}
	return err;
}

void um_cores_free(struct uncoremsr_cores *c)
{
	for (size_t i = 0; i < c->num; i++) {
		um_cpuset_free(&c->kinds[i].cpus);
		free(c->kinds[i].cpus_text);
	}
	free(c->kinds);
	memset(c, 0, sizeof(*c));
}

/* ---- recorded CPUID ---- */

/* An access that answers only CPUID, from a recording. */
struct recorded {
	struct um_access base;
	const struct um_cpuid_dump *dump;
};

static int recorded_cpuid(struct um_access *a, unsigned cpu, uint32_t leaf, uint32_t subleaf,
			  uint32_t regs[4])
{
	const struct um_cpuid_dump *d = ((struct recorded *)a)->dump;
	const struct um_cpuid_leaf *l = um_cpuid_dump_find(d, cpu, leaf, subleaf);

	/* A recorded CPU may leave out leaves that are the same as those of the first CPU. */
	if (!l)
		l = um_cpuid_dump_find(d, d->leaves[0].cpu, leaf, subleaf);
	if (!l)
		return -ENOENT;
	memcpy(regs, l->regs, sizeof(l->regs));
	return 0;
}

static ssize_t recorded_text(struct um_access *a, const char *path, char *buf, size_t size)
{
	(void)a, (void)path, (void)buf, (void)size;
	return -ENOENT;
}

static int load_kinds(struct uncoremsr_cores *c, const struct um_cpuid_dump *d)
{
	static const struct um_access_ops ops = {
		.cpuid = recorded_cpuid, .read_text = recorded_text,
	};
	struct recorded r = { .base = { .ops = &ops, .root = "" }, .dump = d };
	struct um_topology t = { .num_packages = 0 };
	int err = 0;

	for (size_t i = 0; i < d->num && !err; i++)
		if (i == 0 || d->leaves[i].cpu != d->leaves[i - 1].cpu)
			err = um_cpuset_add(&t.online, d->leaves[i].cpu);
	if (!err)
		err = read_kinds(c, &r.base, &t, false);
	um_cpuset_free(&t.online);
	return err;
}

/* ---- the public functions ---- */

int uncoremsr_cores_read(struct uncoremsr *um, struct uncoremsr_cores **cores)
{
	int err = um_check_open(um);

	if (!cores)
		return -EINVAL;
	*cores = err ? NULL : calloc(1, sizeof(**cores));
	if (err)
		return err;
	err = *cores ? um_cores_read(*cores, um->m.access, &um->m.topo) : -ENOMEM;
	if (!err)
		return 0;
	free(*cores);
	*cores = NULL;
	return um_no_memory(&um->error);
}

int uncoremsr_cores_load(struct uncoremsr_cores **cores, const char *path, char *error,
			 size_t size)
{
	struct um_cpuid_dump d = { 0 };
	struct um_error e;
	int err = um_no_memory(&e);

	if (!cores || !path)
		return -EINVAL;
	*cores = calloc(1, sizeof(**cores));
	if (*cores)
		err = um_cpuid_dump_load(&d, path, &e);
	if (!err)
		err = um_cpuid_dump_check(&d, path, &e);
	if (!err)
		err = load_kinds(*cores, &d);
	um_cpuid_dump_free(&d);
	if (!err)
		return 0;
	if (error && size)
		um_sentence(error, size, "%s", e.msg);
	free(*cores);
	*cores = NULL;
	return err;
}

void uncoremsr_cores_free(struct uncoremsr_cores *cores)
{
	if (cores)
		um_cores_free(cores);
	free(cores);
}

const struct uncoremsr_core_kind *uncoremsr_core_kind(const struct uncoremsr_cores *cores,
						      size_t index)
{
	return cores && index < cores->num ? &cores->kinds[index] : NULL;
}

const char *uncoremsr_core_text(const struct uncoremsr_core_kind *kind,
				enum uncoremsr_core_text what)
{
	const struct um_model *m;

	if (!kind)
		return NULL;
	m = um_model_find(kind->id.vendor, kind->id.family, kind->id.model);
	switch (what) {
	case UNCOREMSR_CORE_CPUS:
		return kind->cpus_text;
	case UNCOREMSR_CORE_VENDOR:
		return kind->id.vendor[0] ? kind->id.vendor : NULL;
	case UNCOREMSR_CORE_BRAND:
		return kind->id.brand[0] ? kind->id.brand : NULL;
	case UNCOREMSR_CORE_UARCH:
		return m ? m->name : NULL;
	case UNCOREMSR_CORE_UARCH_TITLE:
		return m ? m->title : NULL;
	}
	return NULL;
}

int uncoremsr_core_number(const struct uncoremsr_core_kind *kind, enum uncoremsr_core_number what,
			  uint64_t *v)
{
	if (!kind || !v || (unsigned)what >= UM_CORE_NUMBERS || !(kind->known >> what & 1))
		return -ENODATA;
	*v = kind->numbers[what];
	return 0;
}

int uncoremsr_core_level(const struct uncoremsr_core_kind *kind, size_t index,
			 enum uncoremsr_level *type, unsigned *shift, unsigned *cpus)
{
	if (!kind || index >= kind->num_levels)
		return -ENODATA;
	*type = (enum uncoremsr_level)kind->levels[index].type;
	*shift = kind->levels[index].shift;
	*cpus = kind->levels[index].cpus;
	return 0;
}

enum uncoremsr_event_state uncoremsr_core_event(const struct uncoremsr_core_kind *kind,
						unsigned bit)
{
	const struct um_leaf_0xa *l = kind ? &kind->id.leaf_0xa : NULL;
	uint64_t events;

	if (!kind || bit > 31)
		return UNCOREMSR_EVENT_NOT_LISTED;
	if (uncoremsr_core_number(kind, UNCOREMSR_CORE_0X23_EVENTS, &events) == 0)
		return events >> bit & 1 ? UNCOREMSR_EVENT_PRESENT : UNCOREMSR_EVENT_ABSENT;
	if (!l->present || !l->version || bit >= l->event_bits)
		return UNCOREMSR_EVENT_NOT_LISTED;
	return l->events_absent >> bit & 1 ? UNCOREMSR_EVENT_ABSENT : UNCOREMSR_EVENT_PRESENT;
}

const char *uncoremsr_arch_event(unsigned bit, unsigned *event_select, unsigned *unit_mask)
{
	unsigned event, umask;

	return um_arch_event(bit, event_select ? event_select : &event,
			     unit_mask ? unit_mask : &umask);
}
