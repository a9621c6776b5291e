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
#include <stdlib.h>

#include "common/array.h"
#include "machine/sysfs.h"

#define IN_DOUBT 1 /* the quick way has failed */

static int read_id(const struct um_sysfs *s, unsigned cpu)
{
	return um_sysfs_id(s->a, cpu, "physical_package_id");
}

const struct uncoremsr_package *um_package_with(const struct um_topology *t, unsigned cpu)
{
	for (size_t i = 0; i < t->num_packages; i++)
		if (um_cpuset_has(&t->packages[i].cpus, cpu))
			return &t->packages[i].shown;
	return NULL;
}

static int add_package(struct um_topology *t, int id, int die)
{
	return ARRAY_APPEND(t->packages, t->num_packages, (struct um_package){ .shown = { .id = id, .die = die } });
}

static void drop_packages(struct um_topology *t)
{
	while (t->num_packages)
		um_cpuset_free(&t->packages[--t->num_packages].cpus);
	FREE_AND_NULL(t->packages);
}

static int claim(struct um_topology *t, const struct um_cpuset *siblings, int id)
{
	int err = add_package(t, id, -1);

	for (size_t i = 0; i < siblings->num && !err; i++) {
		if (!um_cpuset_has(&t->online, siblings->cpus[i]))
			continue;
		err = um_package_with(t, siblings->cpus[i])
			? IN_DOUBT : um_cpuset_add(&t->packages[t->num_packages - 1].cpus, siblings->cpus[i]);
	}
	return err;
}

static int quick_package(struct um_topology *t, struct um_sysfs *s, unsigned cpu)
{
	const struct um_cpuset *members;
	struct um_cpuset siblings;
	int ret, id = read_id(s, cpu);

	if (id == UM_NO_ID)
		return 0;
	ret = um_sysfs_cpus(s, cpu, um_package_files, &siblings);
	if (ret < 0)
		return ret == -ENOMEM ? ret : IN_DOUBT;
	ret = claim(t, &siblings, id);
	um_cpuset_free(&siblings);
	if (ret)
		return ret;
	members = &t->packages[t->num_packages - 1].cpus;
	if (!um_cpuset_has(members, cpu))
		return IN_DOUBT;
	return members->num == 1 || read_id(s, members->cpus[members->num - 1]) == id ? 0 : IN_DOUBT;
}

static int group_quickly(struct um_topology *t, struct um_sysfs *s)
{
	int ret = 0;

	for (size_t i = 0; i < t->online.num && ret == 0; i++)
		if (!um_package_with(t, t->online.cpus[i]))
			ret = quick_package(t, s, t->online.cpus[i]);
	return ret;
}

/* Add a CPU to the package with this id and die, or to a new one. Search from index @from on. NULL: no memory. */
static struct um_package *add_cpu(struct um_topology *t, size_t from, int id, int die, unsigned cpu)
{
	while (from < t->num_packages && (t->packages[from].shown.id != id || t->packages[from].shown.die != die))
		from++;
	if (from == t->num_packages && add_package(t, id, die))
		return NULL;
	return um_cpuset_add(&t->packages[from].cpus, cpu) ? NULL : &t->packages[from];
}

/* Returns IN_DOUBT if a CPU has a mask but no id (-1): masks cannot be trusted after the quick way has failed. */
static int group_by_id(struct um_topology *t, struct um_sysfs *s)
{
	int ret = 0;

	drop_packages(t);
	for (size_t i = 0; i < t->online.num && !ret; i++) {
		unsigned cpu = t->online.cpus[i];
		int id = read_id(s, cpu);
		struct um_cpuset siblings;

		if (id == UM_NO_ID)
			continue;
		ret = id >= 0 ? -ENODATA : um_sysfs_cpus(s, cpu, um_package_files, &siblings);
		if (ret == 0)
			um_cpuset_free(&siblings);
		if (ret == 0 || ret == -ENOMEM)
			return ret ?: IN_DOUBT;
		ret = add_cpu(t, 0, id, -1, cpu) ? 0 : -ENOMEM;
	}
	return ret;
}

static int read_die(const struct um_sysfs *s, unsigned cpu)
{
	int die = um_sysfs_id(s->a, cpu, "die_id");

	return die < 0 ? -1 : die;
}

/*
 * Add to @die the CPUs in the mask of die siblings of @cpu that are in the same package and in no die so far. The mask
 * is trusted if the highest of these CPUs has the same die_id. 0; -ENODATA without a mask that can be trusted; -ENOMEM.
 */
static int share_die(const struct um_topology *dies, struct um_package *die, struct um_sysfs *s,
		     const struct um_cpuset *package, unsigned cpu)
{
	bool trusted = false;
	struct um_cpuset siblings;
	int err = um_sysfs_cpus(s, cpu, um_die_files, &siblings);

	if (err)
		return err;
	for (size_t i = siblings.num; i-- > 0 && !err;) {
		unsigned other = siblings.cpus[i];

		if (other <= cpu || !um_cpuset_has(package, other) || um_package_with(dies, other))
			continue;
		trusted = trusted || read_die(s, other) == die->shown.die;
		err = trusted ? um_cpuset_add(&die->cpus, other) : -ENODATA;
	}
	um_cpuset_free(&siblings);
	return err;
}

static int by_first_cpu(const void *a, const void *b)
{
	const struct um_package *x = a, *y = b;

	return (x->cpus.cpus[0] > y->cpus.cpus[0]) - (x->cpus.cpus[0] < y->cpus.cpus[0]);
}

/*
 * Split packages by die_id. Die ids count within a package on some machines and over the whole machine on others, so
 * each package is split on its own.
 */
static int split_dies(struct um_topology *t, struct um_sysfs *s)
{
	struct um_topology dies = { .num_packages = 0 };
	int masks = 0;               /* error of the last mask; after an error no other mask is read */

	s->known = NULL;
	for (const struct um_package *p = t->packages; p < t->packages + t->num_packages; p++) {
		size_t from = dies.num_packages;

		for (size_t i = 0; i < p->cpus.num && masks != -ENOMEM; i++) {
			unsigned cpu = p->cpus.cpus[i];
			struct um_package *die;

			if (um_package_with(&dies, cpu))
				continue;
			die = add_cpu(&dies, from, p->shown.id, read_die(s, cpu), cpu);
			if (!die)
				masks = -ENOMEM;
			else if (die->shown.die >= 0 && !masks)
				masks = share_die(&dies, die, s, &p->cpus, cpu);
		}
	}
	drop_packages(t);
	t->packages = dies.packages;
	t->num_packages = dies.num_packages;
	if (masks == -ENOMEM)
		return masks;
	if (t->num_packages)
		qsort(t->packages, t->num_packages, sizeof(*t->packages), by_first_cpu);
	return 0;
}

int um_sysfs_packages(struct um_topology *t, struct um_access *a)
{
	struct um_sysfs s = { .a = a };
	int next = 0, ret = group_quickly(t, &s);

	if (ret == IN_DOUBT)
		ret = group_by_id(t, &s);
	for (size_t i = 0; i < t->num_packages; i++)
		if (t->packages[i].shown.id < 0)
			t->packages[i].shown.id = next++;
	if (ret == 0 && t->per_die)
		ret = split_dies(t, &s);
	return ret == IN_DOUBT ? -EBADMSG : ret;
}

int um_cpus_of_core(struct um_cpuset *set, struct um_access *a, unsigned cpu)
{
	struct um_sysfs s = { .a = a };

	return um_sysfs_cpus(&s, cpu, um_core_files, set);
}
