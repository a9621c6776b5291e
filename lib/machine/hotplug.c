/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <errno.h>
#include <stdlib.h>

#include "machine/machine.h"
#include "machine/sysfs.h"

int um_cpus_online(struct um_cpuset *set, struct um_access *a)
{
	int err = um_sysfs_online(a, set, false);

	return err ? err : set->num ? 0 : -ENODATA;
}

/* sysfs has no topology of an offline CPU, so read the topology of the CPUs that are online now. */
int um_package_of(const struct um_topology *t, struct um_access *a, unsigned cpu,
		  const struct uncoremsr_package **found)
{
	const struct uncoremsr_package *p;
	struct um_topology now;
	struct um_error ignored;
	int err;

	*found = um_package_with(t, cpu);
	if (*found)
		return 0;
	err = um_topology_read(&now, a, t->per_die, &ignored);
	if (err)
		return err == -ENOMEM ? err : 0;
	p = um_package_with(&now, cpu);
	for (size_t i = 0; p && i < t->num_packages; i++)
		if (t->packages[i].shown.id == p->id && t->packages[i].shown.die == p->die)
			*found = &t->packages[i].shown;
	um_topology_free(&now);
	return 0;
}

void um_tell_offline(const struct um_machine *m, const struct um_cpuset *cpus)
{
	char *text = cpus->num > 1 ? um_cpuset_format(cpus) : NULL;

	if (cpus->num == 1)
		um_warn(m, "CPU %u is offline: left out until it is online", cpus->cpus[0]);
	else if (text)
		um_warn(m, "CPUs %s are offline: left out until they are online", text);
	else if (cpus->num)
		um_warn(m, "%zu CPUs are offline: left out until they are online", cpus->num);
	free(text);
}

int um_no_cpu_of_kind(const char *kind, struct um_error *e)
{
	um_fail(e, -ENODEV, UNCOREMSR_ERROR_UNSUPPORTED, UM_NO_CPU_OF_KIND, kind);
	return um_advise(e, -ENODEV, "uncore-doctor names the CPUs that are offline");
}

void um_tell_went(const struct um_machine *m, unsigned cpu)
{
	um_warn(m, "CPU %u went offline: left out until it is back", cpu);
}

void um_tell_suspended(const struct um_machine *m, uint64_t ns)
{
	um_warn(m, "the machine was suspended for %.3f s: what happened in this interval is not known",
		(double)ns / 1e9);
}

void um_tell_came(const struct um_machine *m, const struct uncoremsr_package *p, unsigned cpu)
{
	if (p)
		um_warn(m, "package %d: CPU %u is online: counting begins again", p->id, cpu);
	else
		um_warn(m, "CPU %u is online, in a package that was not there at the start: not counted", cpu);
}
