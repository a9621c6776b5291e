/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "common/text.h"
#include "machine/core_kind.h"
#include "machine/handle.h"
#include "uarch/uarch.h"

#define PERF_CAPABILITIES 0x345u /* IA32_PERF_CAPABILITIES, which exists if leaf 1 ECX bit 15 is set */

/* *index becomes the index of the CPU's kind; if CPUID cannot be read, *index is unchanged. */
static int add_cpu(struct um_cores *c, struct um_access *a, unsigned cpu, size_t *index)
{
	struct um_core_kind like;
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

/* Find the kind among the known kinds, by leaf 0x1A alone. SIZE_MAX: none fits, or the processor is not hybrid. */
static size_t kind_by_type(const struct um_cores *c, struct um_access *a, unsigned cpu)
{
	uint32_t regs[4] = { 0 };

	if (!c->num || c->kinds[0].pub.hybrid != 1 || a->ops->cpuid(a, cpu, 0x1a, 0, regs) || !regs[0])
		return SIZE_MAX;
	for (size_t i = 0; i < c->num; i++)
		if (c->kinds[i].pub.type == regs[0] >> 24 && c->kinds[i].pub.native_model == (regs[0] & 0xffffff))
			return i;
	return SIZE_MAX;
}

/*
 * Reading CPUID of another CPU interrupts that CPU, and the properties of a kind are in a dozen leaves. So all leaves
 * are read on only one CPU of each kind. CPUs of a package differ only on hybrid processors.
 */
static int add_package(struct um_cores *c, struct um_access *a, const struct um_cpuset *cpus)
{
	size_t first = SIZE_MAX;
	int err = 0;

	for (size_t i = 0; i < cpus->num && !err; i++) {
		size_t kind = kind_by_type(c, a, cpus->cpus[i]);

		if (first != SIZE_MAX && c->kinds[first].pub.hybrid != 1)
			kind = first;
		err = kind == SIZE_MAX ? add_cpu(c, a, cpus->cpus[i], &first)
				       : um_cpuset_add(&c->kinds[kind].cpus, cpus->cpus[i]);
	}
	return err;
}

/*
 * On a hybrid processor, if all CPUs of @online are of one kind, add the other kind without CPUs: all its CPUs are
 * offline, so their CPUID cannot be read. Not in a guest: the hypervisor may show the hybrid bit although the guest has
 * only one kind.
 */
static int add_offline_kind(struct um_cores *c, const struct um_cpuset *online)
{
	const struct um_core_kind *first = c->kinds;
	uint64_t type = c->num ? first->pub.type : UINT64_MAX;
	struct um_core_kind other;
	size_t num = 0;

	for (size_t i = 0; i < c->num; i++) {
		num += c->kinds[i].cpus.num;
		if (c->kinds[i].pub.type != type)
			return 0;
	}
	if ((type != UNCOREMSR_CORE_TYPE_P && type != UNCOREMSR_CORE_TYPE_E) || first->pub.hybrid != 1 ||
	    first->id.hypervisor == 1 || num != online->num)
		return 0;
	um_core_kind_init(&other);
	other.pub.hybrid = 1;
	other.pub.type = type == UNCOREMSR_CORE_TYPE_P ? UNCOREMSR_CORE_TYPE_E : UNCOREMSR_CORE_TYPE_P;
	other.pub.core_type = (int)other.pub.type;
	return ARRAY_APPEND(c->kinds, c->num, other);
}

/* The kind must not be moved in memory any more: callers get pointers into it. */
static int publish(struct um_core_kind *k)
{
	const struct um_model *m = um_model_find(k->id.vendor, k->id.family, k->id.model);

	k->cpus_text = um_cpuset_format(&k->cpus);
	if (!k->cpus_text)
		return -ENOMEM;
	um_core_kind_set_events(k);
	k->pub.cpus = k->cpus_text;
	k->pub.num_cpus = (int)k->cpus.num;
	k->pub.vendor = um_or_null(k->id.vendor);
	k->pub.brand = um_or_null(k->id.brand);
	k->pub.uarch = m ? m->name : NULL;
	k->pub.uarch_title = m ? m->title : NULL;
	k->pub.tables = k->pub.vendor ? m && m->uarch : -1;
	for (size_t i = 0; i < UM_ARCH_EVENTS; i++)
		k->listed_events[i] = &k->events[i];
	for (size_t i = 0; i < k->num_levels; i++)
		k->listed_levels[i] = &k->levels[i];
	k->pub.events = k->listed_events;
	k->pub.levels = k->listed_levels;
	return 0;
}

/* @offline: add the kind of which no CPU is online. */
static int read_kinds(struct um_cores *c, struct um_access *a, const struct um_topology *t, bool offline)
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
	if (!err) {
		c->list = calloc(c->num + 1, sizeof(*c->list));
		err = c->list ? 0 : -ENOMEM;
	}
	for (size_t i = 0; i < c->num && !err; i++) {
		err = publish(&c->kinds[i]);
		c->list[i] = &c->kinds[i].pub;
	}
	c->pub = (struct uncoremsr_cores){ .size = sizeof(c->pub), .kinds = c->list };
	if (err)
		um_cores_free(c);
	return err;
}

/* If CPUID does not report @number, read the kernel's number from the PMU's caps folder. */
static void read_cap(uint64_t *number, struct um_access *a, const char *pmu, const char *cap)
{
	int v = *number == UINT64_MAX ? um_pmu_cap(a, pmu, cap) : -1;

	if (v >= 0)
		*number = (uint64_t)v;
}

/* The kernel's PMU of the kind, as find_hybrid_pmu_for_cpu() in Linux arch/x86/events/intel/core.c chooses it. */
static const char *pmu_of(const struct um_core_kind *k, struct um_access *a)
{
	int type = k->pub.core_type;

	if (k->pub.hybrid != 1)
		return "cpu";
	/* A kernel without the PMU cpu_lowpower counts low-power cores with cpu_atom. */
	if (type == UNCOREMSR_CORE_TYPE_LOW_POWER &&
	    um_pmu_cap(a, um_core_type_pmu(UNCOREMSR_CORE_TYPE_LOW_POWER), "max_precise") < 0)
		type = UNCOREMSR_CORE_TYPE_E;
	return um_core_type_pmu(type < 0 ? UNCOREMSR_CORE_TYPE_P : (uint8_t)type);
}

static void read_capabilities(struct um_core_kind *k, struct um_access *a)
{
	unsigned cpu = k->cpus.cpus[0];
	uint64_t v;

	if (um_access_open_cpu(a, cpu, false))
		return;
	if (!a->ops->read(a, cpu, PERF_CAPABILITIES, &v) && v <= INT64_MAX)
		um_core_kind_set_capabilities(k, v);
	um_access_close_cpu(a, cpu);
}

int um_cores_read(struct um_cores *c, struct um_access *a, const struct um_topology *t)
{
	int err = read_kinds(c, a, t, true);

	for (size_t i = 0; i < c->num && !err; i++) {
		struct um_core_kind *k = &c->kinds[i];
		const char *pmu = pmu_of(k, a);

		if (k->has_capabilities)
			read_capabilities(k, a);
		read_cap(&k->pub.lbr_depth, a, pmu, "branches");
		read_cap(&k->pub.max_precise, a, pmu, "max_precise");
	}
	return err;
}

void um_cores_free(struct um_cores *c)
{
	for (size_t i = 0; i < c->num; i++) {
		um_cpuset_free(&c->kinds[i].cpus);
		free(c->kinds[i].cpus_text);
	}
	free(c->kinds);
	free(c->list);
	free(c->packages);
	memset(c, 0, sizeof(*c));
}

/* ---- recorded CPUID ---- */

struct recorded {
	struct um_access base;
	const struct um_cpuid_dump *dump;
};

static int recorded_cpuid(struct um_access *a, unsigned cpu, uint32_t leaf, uint32_t subleaf, uint32_t regs[4])
{
	const struct um_cpuid_dump *d = ((struct recorded *)a)->dump;
	const struct um_cpuid_leaf *l = um_cpuid_dump_find(d, cpu, leaf, subleaf);

	/* The recording of a CPU may lack leaves that are the same as those of the first CPU. */
	if (!l)
		l = um_cpuid_dump_find(d, d->leaves[0].cpu, leaf, subleaf);
	if (!l)
		return -ENOENT;
	memcpy(regs, l->regs, sizeof(l->regs));
	return 0;
}

static int load_kinds(struct um_cores *c, const struct um_cpuid_dump *d)
{
	static const struct um_access_ops ops = { .cpuid = recorded_cpuid };
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

static int load_file(struct um_cores *c, const char *file, struct um_error *e)
{
	struct um_cpuid_dump d = { 0 };
	int err = um_cpuid_dump_load(&d, file, e) ?: um_cpuid_dump_check(&d, file, e) ?: load_kinds(c, &d);

	um_cpuid_dump_free(&d);
	return err;
}

static int read_machine(struct um_cores *c, const struct um_machine *m)
{
	int err = um_cores_read(c, m->access, &m->topo);
	size_t num = 0;

	c->packages = calloc(m->topo.num_packages + 1, sizeof(*c->packages));
	if (!c->packages)
		return -ENOMEM;
	for (size_t i = 0; i < m->topo.num_packages && !err; i++) {
		err = um_package_num_cores(&m->topo.packages[i].shown, &num);
		c->packages[i] = (int)num;
	}
	c->pub.packages = c->packages;
	return err;
}

void um_cores_forget(struct uncoremsr *um)
{
	if (um->cores)
		um_cores_free(um->cores);
	FREE_AND_NULL(um->cores);
}

const struct uncoremsr_cores *uncoremsr_cores(struct uncoremsr *um, const char *file)
{
	int err = um && file ? 0 : um_check_open(um);

	if (err)
		return NULL;
	um_cores_forget(um);
	um->cores = calloc(1, sizeof(*um->cores));
	if (!um->cores)
		err = -ENOMEM;
	else
		err = file ? load_file(um->cores, file, &um->error)
			   : read_machine(um->cores, &um->m);
	if (!err)
		return &um->cores->pub;
	if (err == -ENOMEM)
		um_no_memory(&um->error);
	um_cores_forget(um);
	return NULL;
}
