/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What can be asked about the surroundings of a measurement: nothing here touches a register. */
#include <stdlib.h>

#include "machine/handle.h"

/* Keep the list as text in the handle, and free it. */
static const char *keep(char **text, struct um_cpuset *set, int err)
{
	free(*text);
	*text = NULL;
	if (err)
		return NULL;
	*text = um_cpuset_format(set);
	um_cpuset_free(set);
	return *text;
}

const char *uncoremsr_offline_cpus(struct uncoremsr *um)
{
	struct um_cpuset set;
	int err = um_cpus_offline(&set, um->m.access, &um->m.topo.online);

	return keep(&um->offline, &set, err);
}

const char *uncoremsr_forbidden_cpus(struct uncoremsr *um)
{
	struct um_cpuset set;
	int err = um_cpus_forbidden(&set, um->m.access, &um->m.topo.online);

	return keep(&um->forbidden, &set, err);
}

int uncoremsr_container(struct uncoremsr *um)
{
	return um_access_in_container(um->m.access);
}

const char *uncoremsr_likwid_lock(struct uncoremsr *um)
{
	return um_likwid_lock(um->m.access);
}
