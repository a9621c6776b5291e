/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Packages from sysfs. On some POWER machines physical_package_id is -1 on every CPU, so only the masks of siblings
 * tell packages apart. Other machines have been seen with damaged masks, so only the ids tell packages apart there.
 *
 * Kernels make masks symmetric, so the first CPU of a package normally lists all its members. The quick way trusts
 * that mask, compares only the ids of the first and the last member, and so reads three files per package. If anything
 * does not fit (no mask, a different id, a CPU claimed twice), the ids of all CPUs decide.
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

/* Put the online CPUs of @siblings into the next package; *last is the highest of them. */
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
		ret = IN_DOUBT; /* the CPU is missing in its own mask */
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

/* ---- asking every CPU for its id ---- */

/* Returns IN_DOUBT if a CPU has a mask but no id (-1): masks cannot be trusted after the quick way has failed. */
static int group_by_id(struct um_siblings *g, struct um_sysfs *s, const struct um_cpuset *online)
{
	forget(g, online->num);
	for (size_t i = 0; i < online->num; i++) {
		struct um_sibling *c = &g->cpu[i];
		struct um_cpuset siblings;
		size_t same = 0;
		int ret;

		c->id = read_id(s, online->cpus[i]);
		if (c->id == NO_ID)
			continue;
		ret = c->id >= 0 ? -ENODATA : um_sysfs_cpus(s, online->cpus[i], um_package_files, &siblings);
		if (ret == 0)
			um_cpuset_free(&siblings);
		if (ret == 0 || ret == -ENOMEM)
			return ret ?: IN_DOUBT;
		while (g->cpu[same].id != c->id)
			same++;
		c->package = same == i ? g->num_groups++ : g->cpu[same].package;
	}
	return 0;
}

/* ---- for both ways ---- */

/* Give numbers from 0 on to the packages that have no id. */
static void number_nameless(struct um_siblings *g, size_t num)
{
	int next = 0;

	for (size_t i = 0; i < num; i++) {
		struct um_sibling *c = &g->cpu[i];
		size_t first = 0;

		if (c->package == UM_NO_GROUP || c->id >= 0)
			continue;
		while (g->cpu[first].package != c->package)
			first++;
		c->id = first < i ? g->cpu[first].id : next++;
	}
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
 * Copy the die of the CPU at @slot to the CPUs in its mask of die siblings that are online and in the same package. The
 * mask is trusted if the highest of these CPUs has the same die_id. 0; -ENODATA without a mask that can be trusted;
 * -ENOMEM.
 */
static int share_die(struct um_siblings *g, struct um_sysfs *s, const struct um_cpuset *online, size_t slot)
{
	const struct um_sibling *c = &g->cpu[slot];
	bool trusted = false;
	struct um_cpuset siblings;
	int err = um_sysfs_cpus(s, online->cpus[slot], um_die_files, &siblings);

	if (err)
		return err;
	for (size_t i = siblings.num; i-- > 0;) {
		size_t k = um_cpuset_index(online, siblings.cpus[i]);

		if (k <= slot || k == online->num || g->cpu[k].package != c->package || g->cpu[k].die >= 0)
			continue;
		trusted = trusted || read_die(s, online->cpus[k]) == c->die;
		if (!trusted) {
			err = -ENODATA;
			break;
		}
		g->cpu[k].die = c->die;
		g->cpu[k].group = c->group;
	}
	um_cpuset_free(&siblings);
	return err;
}

/*
 * Split packages by die_id. Die ids count within a package on some machines and over the whole machine on others, so
 * compare the package as well as the id.
 */
static int split_dies(struct um_siblings *g, struct um_sysfs *s, const struct um_cpuset *online)
{
	size_t *first = calloc(online->num, sizeof(*first)); /* CPU of each die found so far */
	int num = 0, masks = 0;

	if (!first)
		return -ENOMEM;
	s->known = NULL;
	for (size_t i = 0; i < online->num && masks != -ENOMEM; i++) {
		struct um_sibling *c = &g->cpu[i];

		if (c->package == UM_NO_GROUP || c->die >= 0)
			continue;
		c->die = read_die(s, online->cpus[i]);
		c->group = find_die(g, first, num, c);
		if (c->group == num)
			first[num++] = i;
		if (c->die >= 0 && !masks)
			masks = share_die(g, s, online, i);
	}
	g->num_groups = num;
	free(first);
	return masks == -ENOMEM ? masks : 0;
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
		ret = group_by_id(g, s, online);
	if (ret == 0)
		number_nameless(g, online->num);
	for (size_t i = 0; i < online->num && ret == 0; i++)
		g->cpu[i].group = g->cpu[i].package;
	if (ret == 0 && per_die)
		ret = split_dies(g, s, online);
	if (ret != 0)
		FREE_AND_NULL(g->cpu);
	return ret == IN_DOUBT ? -EBADMSG : ret;
}

int um_cpus_of_core(struct um_cpuset *set, struct um_access *a, unsigned cpu)
{
	struct um_sysfs s;
	int err;

	*set = (struct um_cpuset){ .num = 0 };
	err = um_sysfs_open(&s, a) ?: um_sysfs_cpus(&s, cpu, um_core_files, set);
	um_sysfs_close(&s);
	return err;
}
