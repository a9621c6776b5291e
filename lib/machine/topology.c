/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "common/number.h"
#include "machine/machine.h"
#include "machine/sysfs.h"

static int no_cpus(struct um_access *a, int why, struct um_error *e)
{
	bool closed = um_lacks_permission(why), missing = !why || why == -ENOENT;
	int err = closed || um_lacks_descriptors(why) ? why : -ENODATA;

	um_fail(e, err, closed ? UNCOREMSR_ERROR_ACCESS : UNCOREMSR_ERROR_UNSUPPORTED, "%s/" UM_SYSFS_CPU "%s%s", a->root,
		why ? "/online: " : ": ",
		!why ? "no online CPU is shown" : why == -EINVAL ? "this is not a list of CPUs"
		     : why == -EFBIG ? "longer than any list that a kernel writes" : strerror(-why));
	if (!closed && !um_hint_descriptors(e, err) && !(missing && um_access_hint_outside(a, UM_SYSFS_CPU, e)))
		um_hint(e, "%s", a->live ? "check that sysfs is mounted on /sys"
					 : "check that this is the root of a machine and has a sys directory");
	return err;
}

static int contradiction(struct um_access *a, struct um_error *e)
{
	um_fail(e, -ENODATA, UNCOREMSR_ERROR_UNSUPPORTED, "%s/" UM_SYSFS_CPU ": cannot tell which CPUs form a package: "
		"physical_package_id is -1, and the sibling masks contradict each other", a->root);
	return um_advise(e, -ENODATA, "compare cpu*/topology/core_siblings_list; each CPU of a package lists all of "
		"them");
}

static int publish(struct um_package *p, struct um_access *a)
{
	p->access = a;
	p->cpus_text = um_cpuset_format(&p->cpus);
	p->shown.size = sizeof(p->shown);
	p->shown.cpu = p->cpus.num ? (int)p->cpus.cpus[0] : -1;
	p->shown.cpus = p->cpus_text;
	return p->cpus_text ? 0 : -ENOMEM;
}

static int give_up(struct um_topology *t, int err, struct um_error *e)
{
	if (err == -ENOMEM)
		um_no_memory(e);
	um_topology_free(t);
	return err;
}

int um_topology_read_online(struct um_topology *t, struct um_access *a, struct um_error *e)
{
	int err;

	*t = (struct um_topology){ .num_packages = 0 };
	err = um_sysfs_online(a, &t->online, true);
	if (err != -ENOMEM && !t->online.num)
		err = no_cpus(a, err, e);
	else if (!err)
		t->online_text = um_cpuset_format(&t->online);
	return t->online_text ? 0 : give_up(t, err ? err : -ENOMEM, e);
}

int um_topology_read_packages(struct um_topology *t, struct um_access *a, bool per_die, struct um_error *e)
{
	int err;

	t->per_die = per_die;
	err = um_sysfs_packages(t, a);
	if (err == -EBADMSG)
		err = contradiction(a, e);
	for (size_t i = 0; i < t->num_packages && !err; i++)
		err = publish(&t->packages[i], a);
	return err ? give_up(t, err, e) : 0;
}

int um_topology_read(struct um_topology *t, struct um_access *a, bool per_die, struct um_error *e)
{
	return um_topology_read_online(t, a, e) ?: um_topology_read_packages(t, a, per_die, e);
}

/* ---- chips of POWER ---- */

static int add_chip_id(void *user, const char *name)
{
	static const char export[] = UM_CHIP_EXPORT;
	const char *digits = name + sizeof(export) - 1;
	uint64_t id;

	if (strncmp(name, export, sizeof(export) - 1) || !um_perf_hex(digits, strlen(digits), &id) || id > INT_MAX)
		return 0;
	return um_cpuset_add(user, (unsigned)id);
}

static bool has_package(const struct um_topology *t, unsigned id)
{
	for (size_t i = 0; i < t->num_packages; i++)
		if (t->packages[i].shown.id == (int)id)
			return true;
	return false;
}

static int add_chip(struct um_topology *t, struct um_access *a, unsigned id)
{
	const struct um_package chip = { .shown = { .id = (int)id, .die = -1 } };

	return ARRAY_APPEND(t->packages, t->num_packages, chip) ?: publish(&t->packages[t->num_packages - 1], a);
}

static int by_id(const void *a, const void *b)
{
	const struct um_package *x = a, *y = b;

	return (x->shown.id > y->shown.id) - (x->shown.id < y->shown.id);
}

int um_topology_add_chips(struct um_topology *t, struct um_access *a)
{
	struct um_cpuset ids = { NULL, 0 };
	int err = a->ops->list(a, UM_CHIP_EXPORTS, add_chip_id, &ids);
	bool known = t->num_packages > 0;

	/*
	 * Without chip ids in sysfs, packages are numbered from 0, and these numbers do not tell which chip each
	 * package is.
	 */
	for (size_t i = 0; i < t->num_packages; i++)
		known &= t->packages[i].shown.id >= 0 && um_cpuset_has(&ids, (unsigned)t->packages[i].shown.id);
	for (size_t i = 0; i < ids.num && known && !err; i++)
		if (!has_package(t, ids.cpus[i]))
			err = add_chip(t, a, ids.cpus[i]);
	if (known)
		qsort(t->packages, t->num_packages, sizeof(*t->packages), by_id);
	um_cpuset_free(&ids);
	return err == -ENOMEM ? err : 0;
}

void um_topology_free(struct um_topology *t)
{
	for (size_t i = 0; i < t->num_packages; i++) {
		um_cpuset_free(&t->packages[i].cpus);
		free(t->packages[i].cpus_text);
		um_cpuset_free(&t->packages[i].cores);
	}
	free(t->packages);
	free(t->online_text);
	um_cpuset_free(&t->online);
	memset(t, 0, sizeof(*t));
}

/* ---- cores ---- */

/*
 * @seen: the CPUs of all cores that were added before. If no file names the siblings, CPUs with the same core_id are
 * one core; @ids: the core_ids of such cores.
 */
static int add_core(struct um_package *p, struct um_sysfs *s, unsigned cpu,
		    struct um_cpuset *seen, struct um_cpuset *ids)
{
	struct um_cpuset siblings;
	int id, err = um_sysfs_cpus(s, cpu, um_core_files, &siblings);

	if (!err) {
		err = um_cpuset_add_all(seen, &siblings);
		um_cpuset_free(&siblings);
	} else if (err != -ENOMEM) {
		id = um_core_id(s->a, (int)cpu);
		if (id >= 0 && um_cpuset_has(ids, (unsigned)id))
			return 0;
		err = id >= 0 ? um_cpuset_add(ids, (unsigned)id) : 0;
	}
	return err ? err : um_cpuset_add(&p->cores, cpu);
}

int um_package_read_cores(struct um_package *p)
{
	struct um_cpuset seen = { NULL, 0 }, ids = { NULL, 0 };
	struct um_sysfs s = { .a = p->access };
	int err = 0;

	if (p->cores.num)
		return 0;
	for (size_t i = 0; i < p->cpus.num && !err; i++)
		if (!um_cpuset_has(&seen, p->cpus.cpus[i]))
			err = add_core(p, &s, p->cpus.cpus[i], &seen, &ids);
	um_cpuset_free(&seen);
	um_cpuset_free(&ids);
	if (err)
		um_cpuset_free(&p->cores);
	return err;
}

int um_package_num_cores(const struct uncoremsr_package *shown, size_t *num)
{
	/* Cast away const: the list of cores is filled in on first use. */
	struct um_package *p = (struct um_package *)shown;
	int err = um_package_read_cores(p);

	if (err)
		p->access->starved = -err;
	else
		*num = p->cores.num;
	return err;
}
