/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Packages from sysfs. Neither file alone is enough: physical_package_id is -1 on every CPU of s390
 * and some POWER, and one id can stand for two packages on ia64; sibling masks have been seen
 * damaged. So CPUs belong together when they have the same id and one lists the other as a sibling
 * (or reaches it over others that do).
 *
 * Kernels make masks symmetric, so the first CPU of a package normally lists all its members. The quick way trusts
 * that mask, compares only the ids of the first and the last member, and so reads three files per package. If anything
 * does not fit (no mask, a different id, a CPU claimed twice), the slow way reads the files of every CPU.
 */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>

#include "machine/siblings.h"

#define NO_ID INT_MIN /* no physical_package_id: the kernel does not know a package */
#define IN_DOUBT 1    /* the quick way has failed */

/* -1 and other negative values all mean "not known" to the kernel. */
static int read_id(struct um_sysfs *s, unsigned cpu)
{
	int id;

	if (um_sysfs_int(s, cpu, "physical_package_id", &id) < 0)
		return NO_ID;
	return id < 0 ? -1 : id;
}

/* ---- the quick way ---- */

/* Put the online ones of @siblings into group @group; *last is the highest of them. */
static int claim(struct um_siblings *g, const struct um_cpuset *online,
		 const struct um_cpuset *siblings, int id, unsigned *last)
{
	for (size_t i = 0; i < siblings->num; i++) {
		size_t slot = um_cpuset_index(online, siblings->cpus[i]);

		if (slot == online->num)
			continue;
		if (g->cpu[slot].package != UM_NO_GROUP)
			return IN_DOUBT;
		g->cpu[slot].package = g->num_groups;
		g->cpu[slot].id = id;
		*last = siblings->cpus[i];
	}
	return 0;
}

/* The package of the online CPU at @slot, which is in no package so far. */
static int quick_package(struct um_siblings *g, struct um_sysfs *s,
			 const struct um_cpuset *online, size_t slot)
{
	unsigned cpu = online->cpus[slot], last = cpu;
	struct um_cpuset siblings;
	int ret, id = read_id(s, cpu);

	if (id == NO_ID)
		return 0;
	ret = um_sysfs_cpus(s, cpu, um_package_files, &siblings);
	if (ret < 0)
		return ret == -ENOMEM ? ret : IN_DOUBT;
	ret = claim(g, online, &siblings, id, &last);
	if (ret == 0 && g->cpu[slot].package != g->num_groups)
		ret = IN_DOUBT; /* it does not list itself */
	if (ret == 0 && last != cpu && read_id(s, last) != id)
		ret = IN_DOUBT;
	um_cpuset_free(&siblings);
	g->num_groups++;
	return ret;
}

static void forget(struct um_siblings *g, size_t num)
{
	g->num_groups = 0;
	for (size_t i = 0; i < num; i++)
		g->cpu[i] = (struct um_sibling){ NO_ID, -1, UM_NO_GROUP, UM_NO_GROUP };
}

static int group_quickly(struct um_siblings *g, struct um_sysfs *s,
			 const struct um_cpuset *online)
{
	int ret = 0;

	forget(g, online->num);
	for (size_t i = 0; i < online->num && ret == 0; i++)
		if (g->cpu[i].package == UM_NO_GROUP)
			ret = quick_package(g, s, online, i);
	return ret;
}

/* ---- asking every CPU: a union-find forest over the online ones ---- */

static size_t root_of(size_t *parent, size_t i)
{
	while (parent[i] != i)
		i = parent[i] = parent[parent[i]];
	return i;
}

static void join(size_t *parent, size_t a, size_t b)
{
	a = root_of(parent, a);
	b = root_of(parent, b);
	if (a < b)
		parent[b] = a;
	else
		parent[a] = b;
}

/* Without a mask the id is all there is: join the first CPU that has the same. */
static void join_by_id(const struct um_siblings *g, size_t *parent, size_t slot)
{
	size_t i = 0;

	while (g->cpu[i].id != g->cpu[slot].id)
		i++;
	join(parent, i, slot);
}

static int join_siblings(const struct um_siblings *g, struct um_sysfs *s,
			 const struct um_cpuset *online, size_t *parent, size_t slot)
{
	struct um_cpuset siblings;
	int ret = um_sysfs_cpus(s, online->cpus[slot], um_package_files, &siblings);

	if (ret == -ENOMEM)
		return ret;
	if (ret < 0) {
		join_by_id(g, parent, slot);
		return 0;
	}
	for (size_t i = 0; i < siblings.num; i++) {
		size_t other = um_cpuset_index(online, siblings.cpus[i]);

		if (other < online->num && g->cpu[other].id == g->cpu[slot].id)
			join(parent, other, slot);
	}
	um_cpuset_free(&siblings);
	return 0;
}

/* Roots are the lowest CPUs of their packages: count them off in order. */
static void number_groups(struct um_siblings *g, size_t *parent, size_t num)
{
	for (size_t i = 0; i < num; i++) {
		size_t root = root_of(parent, i);

		if (g->cpu[i].id == NO_ID)
			continue;
		g->cpu[i].package = root == i ? g->num_groups++ : g->cpu[root].package;
	}
}

static int group_carefully(struct um_siblings *g, struct um_sysfs *s,
			   const struct um_cpuset *online)
{
	size_t *parent = calloc(online->num, sizeof(*parent));
	int ret = 0;

	if (!parent)
		return -ENOMEM;
	forget(g, online->num);
	for (size_t i = 0; i < online->num; i++) {
		parent[i] = i;
		g->cpu[i].id = read_id(s, online->cpus[i]);
	}
	for (size_t i = 0; i < online->num && ret == 0; i++)
		if (g->cpu[i].id != NO_ID)
			ret = join_siblings(g, s, online, parent, i);
	if (ret == 0)
		number_groups(g, parent, online->num);
	free(parent);
	return ret;
}

/* ---- what both have in common ---- */

/* Packages without a number of their own are counted from 0. */
static int number_nameless(struct um_siblings *g, size_t num)
{
	int *label, next = 0, seen = 0;

	if (!g->num_groups)
		return 0;
	label = calloc((size_t)g->num_groups, sizeof(*label));
	if (!label)
		return -ENOMEM;
	for (size_t i = 0; i < num; i++) {
		struct um_sibling *c = &g->cpu[i];

		if (c->package == UM_NO_GROUP || c->id >= 0)
			continue;
		if (c->package >= seen) {
			seen = c->package + 1;
			label[c->package] = next++;
		}
		c->id = label[c->package];
	}
	free(label);
	return 0;
}

static int find_die(const struct um_siblings *g, const size_t *first, int num,
		    const struct um_sibling *c)
{
	int i = 0;

	while (i < num && (g->cpu[first[i]].die != c->die ||
			   g->cpu[first[i]].package != c->package))
		i++;
	return i;
}

static int read_die(struct um_sysfs *s, unsigned cpu)
{
	int die;

	return um_sysfs_int(s, cpu, "die_id", &die) < 0 || die < 0 ? -1 : die;
}

/*
 * Split packages by die_id. Die ids count within a package on some machines and over the whole
 * machine on others; with the package beside them it makes no difference.
 */
static int split_dies(struct um_siblings *g, struct um_sysfs *s, const struct um_cpuset *online)
{
	size_t *first = calloc(online->num, sizeof(*first)); /* CPU of each die found so far */
	int num = 0;

	if (!first)
		return -ENOMEM;
	for (size_t i = 0; i < online->num; i++) {
		struct um_sibling *c = &g->cpu[i];

		if (c->package == UM_NO_GROUP)
			continue;
		c->die = read_die(s, online->cpus[i]);
		c->group = find_die(g, first, num, c);
		if (c->group == num)
			first[num++] = i;
	}
	g->num_groups = num;
	free(first);
	return 0;
}

int um_siblings_read(struct um_siblings *g, struct um_sysfs *s, const struct um_cpuset *online,
		     bool per_die)
{
	int ret;

	g->cpu = calloc(online->num, sizeof(*g->cpu));
	if (!g->cpu)
		return -ENOMEM;
	ret = group_quickly(g, s, online);
	if (ret == IN_DOUBT)
		ret = group_carefully(g, s, online);
	if (ret == 0)
		ret = number_nameless(g, online->num);
	for (size_t i = 0; i < online->num && ret == 0; i++)
		g->cpu[i].group = g->cpu[i].package;
	if (ret == 0 && per_die)
		ret = split_dies(g, s, online);
	if (ret < 0) {
		free(g->cpu);
		g->cpu = NULL;
	}
	return ret;
}

int um_cpus_of_core(struct um_cpuset *set, struct um_access *a, unsigned cpu)
{
	struct um_sysfs s;
	int err = um_sysfs_open(&s, a);

	*set = (struct um_cpuset){ .num = 0 };
	if (err)
		return err;
	err = um_sysfs_cpus(&s, cpu, um_core_files, set);
	um_sysfs_close(&s);
	return err;
}
