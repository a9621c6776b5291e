/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The cores of a package, by the lowest online CPU of each. */
#include <errno.h>
#include <stdlib.h>

#include "machine/machine.h"
#include "machine/sysfs.h"

static int add_core(struct um_core_list *l, unsigned cpu, int id)
{
	struct um_core *cores = realloc(l->cores, (l->num + 1) * sizeof(*cores));

	if (!cores)
		return -ENOMEM;
	cores[l->num++] = (struct um_core){ .cpu = cpu, .id = id };
	l->cores = cores;
	return 0;
}

static int note_siblings(struct um_sysfs *s, unsigned cpu, struct um_cpuset *seen)
{
	struct um_cpuset siblings;
	int err = um_sysfs_cpus(s, cpu, um_core_files, &siblings);

	if (err)
		return err == -ENOMEM ? err : 0;
	for (size_t i = 0; i < siblings.num && !err; i++)
		err = um_cpuset_add(seen, siblings.cpus[i]);
	um_cpuset_free(&siblings);
	return err;
}

static bool has_id(const struct um_core_list *l, int id)
{
	for (size_t i = 0; i < l->num; i++)
		if (l->cores[i].id == id)
			return true;
	return false;
}

/* Where no file names the siblings, CPUs with the same core_id are one core. */
static int read_core(struct um_core_list *l, struct um_sysfs *s, unsigned cpu,
		     struct um_cpuset *seen)
{
	size_t known = seen->num;
	int id, err = note_siblings(s, cpu, seen);

	if (err)
		return err;
	if (um_sysfs_int(s, cpu, "core_id", &id) < 0 || id < 0)
		id = (int)l->num;
	else if (seen->num == known && has_id(l, id))
		return 0;
	return add_core(l, cpu, id);
}

int um_core_list_read(struct um_core_list *l, const struct uncoremsr_package *p)
{
	struct um_cpuset seen = { NULL, 0 };
	struct um_sysfs s;
	int err;

	*l = (struct um_core_list){ NULL, 0 };
	err = um_sysfs_open(&s, p->access);
	for (size_t i = 0; i < p->cpus.num && !err; i++)
		if (!um_cpuset_has(&seen, p->cpus.cpus[i]))
			err = read_core(l, &s, p->cpus.cpus[i], &seen);
	um_cpuset_free(&seen);
	um_sysfs_close(&s);
	if (err)
		um_core_list_free(l);
	return err;
}

void um_core_list_free(struct um_core_list *l)
{
	free(l->cores);
	*l = (struct um_core_list){ NULL, 0 };
}
