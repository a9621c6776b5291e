/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Inside machine/ only: which online CPUs belong together. */
#ifndef UM_SIBLINGS_H
#define UM_SIBLINGS_H

#include "machine/sysfs.h"

#define UM_NO_GROUP (-1)

struct um_sibling {
	int id;      /* number of the CPU's package that is shown to users */
	int die;     /* -1 unless grouped per die */
	int package; /* counted from 0 in the order of the lowest CPU; UM_NO_GROUP: in no package */
	int group;   /* when grouped per die: the die, counted like @package; else equal to @package */
};

struct um_siblings {
	struct um_sibling *cpu; /* one per online CPU, in the order of the CPU numbers */
	int num_groups;
};

/* Group the online CPUs. 0, -ENOMEM, or -EBADMSG: CPUs have no package id, and their masks contradict each other. */
int um_siblings_read(struct um_siblings *g, struct um_sysfs *s, const struct um_cpuset *online,
		     bool per_die) UM_MUST_CHECK;

#endif
