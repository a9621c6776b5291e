/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Packages and their online CPUs, ready to be handed out. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "machine/group.h"
#include "machine/machine.h"
#include "machine/sysfs.h"

static int add_member(struct uncoremsr_package *p, const struct um_group_cpu *c, unsigned cpu)
{
	if (p->cpus.num == 0) {
		p->id = c->id;
		p->die = c->die;
		p->cpu = (int)cpu;
	}
	return um_cpuset_add(&p->cpus, cpu);
}

static int fill_packages(struct um_topology *t, const struct um_grouping *g,
			 struct um_access *a)
{
	t->num_packages = (size_t)g->num_groups;
	t->packages = calloc(t->num_packages + 1, sizeof(*t->packages));
	if (!t->packages)
		return -ENOMEM;
	for (size_t i = 0; i < t->online.num; i++) {
		const struct um_group_cpu *c = &g->cpu[i];

		if (c->group != UM_NO_GROUP &&
		    add_member(&t->packages[c->group], c, t->online.cpus[i]) < 0)
			return -ENOMEM;
	}
	for (size_t i = 0; i < t->num_packages; i++) {
		t->packages[i].access = a;
		t->packages[i].cpus_text = um_cpuset_format(&t->packages[i].cpus);
		if (!t->packages[i].cpus_text)
			return -ENOMEM;
	}
	return 0;
}

static int read_packages(struct um_topology *t, struct um_sysfs *s, bool per_die)
{
	struct um_grouping g = { NULL, 0 };
	int ret = um_group(&g, s, &t->online, per_die);

	if (ret == 0)
		ret = fill_packages(t, &g, s->a);
	free(g.cpu);
	return ret;
}

static int no_cpus(struct um_access *a, int why, struct um_error *e)
{
	if (why == -EINVAL)
		um_fail(e, -ENODATA, UNCOREMSR_ERROR_UNSUPPORTED,
			"%s/" UM_SYSFS_CPU "/online: this is not a list of CPUs", a->root);
	else
		um_fail(e, -ENODATA, UNCOREMSR_ERROR_UNSUPPORTED,
			"%s/" UM_SYSFS_CPU ": no online CPU is shown", a->root);
	if (a->live)
		um_hint(e, "check that sysfs is mounted on /sys");
	else
		um_hint(e, "check that this is the root of a machine with its own sys directory");
	return -ENODATA;
}

static int read_with(struct um_topology *t, struct um_sysfs *s, bool per_die, struct um_error *e)
{
	int ret = um_sysfs_online(s, &t->online);

	if (ret == -EINVAL || (ret == 0 && t->online.num == 0))
		return no_cpus(s->a, ret, e);
	if (ret < 0)
		return ret;
	t->online_text = um_cpuset_format(&t->online);
	if (!t->online_text)
		return -ENOMEM;
	return read_packages(t, s, per_die);
}

int um_topology_read(struct um_topology *t, struct um_access *a, bool per_die,
		     struct um_error *e)
{
	struct um_sysfs s;
	int ret;

	memset(t, 0, sizeof(*t));
	ret = um_sysfs_open(&s, a);
	if (ret == 0)
		ret = read_with(t, &s, per_die, e);
	um_sysfs_close(&s);
	if (ret == -ENOMEM)
		um_fail(e, ret, UNCOREMSR_ERROR_ACCESS, "topology: out of memory");
	if (ret < 0)
		um_topology_free(t);
	return ret;
}

void um_topology_free(struct um_topology *t)
{
	for (size_t i = 0; t->packages && i < t->num_packages; i++) {
		um_cpuset_free(&t->packages[i].cpus);
		free(t->packages[i].cpus_text);
	}
	free(t->packages);
	free(t->online_text);
	um_cpuset_free(&t->online);
	memset(t, 0, sizeof(*t));
}

/* ---- cores ---- */

/* A core not seen so far: its siblings are remembered, or where no file names them, its core_id. */
static int note_core(struct um_sysfs *s, unsigned cpu, struct um_cpuset *seen,
		     struct um_cpuset *core_ids, size_t *num)
{
	struct um_cpuset siblings;
	int id, ret = um_sysfs_cpus(s, cpu, um_core_files, &siblings);

	if (ret == -ENOMEM)
		return ret;
	if (ret == 0) {
		(*num)++;
		for (size_t i = 0; i < siblings.num && ret == 0; i++)
			ret = um_cpuset_add(seen, siblings.cpus[i]);
		um_cpuset_free(&siblings);
		return ret;
	}
	if (um_sysfs_int(s, cpu, "core_id", &id) < 0 || id < 0) {
		(*num)++;
		return 0;
	}
	if (!um_cpuset_has(core_ids, (unsigned)id))
		(*num)++;
	return um_cpuset_add(core_ids, (unsigned)id);
}

size_t um_package_num_cores(const struct uncoremsr_package *p)
{
	struct um_cpuset seen = { NULL, 0 }, core_ids = { NULL, 0 };
	struct um_sysfs s;
	size_t num = 0;
	int ret = um_sysfs_open(&s, p->access);

	for (size_t i = 0; i < p->cpus.num && ret == 0; i++)
		if (!um_cpuset_has(&seen, p->cpus.cpus[i]))
			ret = note_core(&s, p->cpus.cpus[i], &seen, &core_ids, &num);
	um_cpuset_free(&seen);
	um_cpuset_free(&core_ids);
	um_sysfs_close(&s);
	return ret < 0 ? 0 : num;
}
