/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The CPUs of a machine, or of a recorded CPUID, sorted into kinds of cores. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "machine/core_kind.h"

#define PERF_CAPABILITIES 0x345u /* IA32_PERF_CAPABILITIES, where leaf 1 ECX bit 15 is set */

static struct uncoremsr_core_kind *find_kind(struct uncoremsr_cores *c,
					     const struct uncoremsr_core_kind *like)
{
	for (size_t i = 0; i < c->num; i++)
		if (um_core_kind_same(&c->kinds[i], like))
			return &c->kinds[i];
	return NULL;
}

static int add_cpu(struct uncoremsr_cores *c, struct um_access *a, unsigned cpu)
{
	struct uncoremsr_core_kind like, *kind, *grown;

	if (um_core_kind_read(&like, a, cpu) < 0)
		return 0;
	kind = find_kind(c, &like);
	if (!kind) {
		grown = realloc(c->kinds, (c->num + 1) * sizeof(*grown));
		if (!grown)
			return -ENOMEM;
		c->kinds = grown;
		kind = &c->kinds[c->num++];
		*kind = like;
	}
	c->num_cpus++;
	return um_cpuset_add(&kind->cpus, cpu);
}

/* ---- what CPUID does not tell ---- */

/* The device stays open until the machine is closed: a session may be using it. */
static int64_t read_capabilities(struct um_access *a, unsigned cpu)
{
	uint64_t v;

	if (a->ops->open_cpu(a, cpu, false) < 0 ||
	    a->ops->read(a, cpu, PERF_CAPABILITIES, &v) < 0 || v > INT64_MAX)
		return -1;
	return (int64_t)v;
}

static int64_t read_cap(struct um_access *a, const char *pmu, const char *cap)
{
	char path[96] = "sys/bus/event_source/devices/", line[24], *end;
	long v;

	strcat(strcat(strcat(path, pmu), "/caps/"), cap);
	if (um_access_line(a, path, line, sizeof(line)) <= 0)
		return -1;
	errno = 0;
	v = strtol(line, &end, 10);
	return errno || *end || end == line || v < 0 ? -1 : v;
}

/* The kernel's PMU for a kind of core: "cpu", or two of them on a hybrid machine. */
static const char *kernel_pmu(const struct uncoremsr_core_kind *k)
{
	if (!k->hybrid)
		return "cpu";
	return k->leaf_0x1a >> 24 == 0x20 ? "cpu_atom" : "cpu_core";
}

static void read_rest(struct uncoremsr_core_kind *k, struct um_access *a)
{
	if (k->has_capabilities)
		k->capabilities = read_capabilities(a, k->cpus.cpus[0]);
	k->caps_branches = read_cap(a, kernel_pmu(k), "branches");
	k->caps_max_precise = read_cap(a, kernel_pmu(k), "max_precise");
}

static int read_kinds(struct uncoremsr_cores *c, struct um_access *a, const struct um_cpuset *cpus)
{
	int err = 0;

	memset(c, 0, sizeof(*c));
	for (size_t i = 0; i < cpus->num && !err; i++)
		err = add_cpu(c, a, cpus->cpus[i]);
	for (size_t i = 0; i < c->num && !err; i++) {
		c->kinds[i].cpus_text = um_cpuset_format(&c->kinds[i].cpus);
		err = c->kinds[i].cpus_text ? 0 : -ENOMEM;
	}
	if (err)
		um_cores_free(c);
	return err;
}

int um_cores_read(struct uncoremsr_cores *c, struct um_access *a, const struct um_cpuset *cpus)
{
	int err = read_kinds(c, a, cpus);

	for (size_t i = 0; i < c->num && !err; i++)
		read_rest(&c->kinds[i], a);
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

/* Answers CPUID and nothing else: there is no machine around it. */
struct recorded {
	struct um_access base;
	const struct um_cpuid_dump *dump;
};

static int recorded_cpuid(struct um_access *a, unsigned cpu, uint32_t leaf, uint32_t subleaf,
			  uint32_t regs[4])
{
	const struct um_cpuid_dump *d = ((struct recorded *)a)->dump;
	const struct um_cpuid_leaf *l = um_cpuid_dump_find(d, cpu, leaf, subleaf);

	/* A CPU that is like the first one need not repeat all of it. */
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

static int cpus_of(const struct um_cpuid_dump *d, struct um_cpuset *cpus)
{
	int err = 0;

	memset(cpus, 0, sizeof(*cpus));
	for (size_t i = 0; i < d->num && !err; i++)
		if (i == 0 || d->leaves[i].cpu != d->leaves[i - 1].cpu)
			err = um_cpuset_add(cpus, d->leaves[i].cpu);
	return err;
}

static int load_kinds(struct uncoremsr_cores *c, const struct um_cpuid_dump *d)
{
	static const struct um_access_ops ops = {
		.cpuid = recorded_cpuid, .read_text = recorded_text,
	};
	struct recorded r = { .base = { .ops = &ops, .root = "" }, .dump = d };
	struct um_cpuset cpus;
	int err = cpus_of(d, &cpus);

	if (!err)
		err = read_kinds(c, &r.base, &cpus);
	um_cpuset_free(&cpus);
	return err;
}

int um_cores_load(struct uncoremsr_cores *c, const char *path, struct um_error *e)
{
	struct um_cpuid_dump d;
	int err = um_cpuid_dump_load(&d, path, e);

	memset(c, 0, sizeof(*c));
	if (err)
		return err;
	err = um_cpuid_dump_check(&d, path, e);
	if (!err) {
		err = load_kinds(c, &d);
		if (err)
			um_fail(e, err, UNCOREMSR_ERROR_UNSUPPORTED, "%s: out of memory", path);
	}
	um_cpuid_dump_free(&d);
	return err;
}
