/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Inside machine/ only: the files under sys/devices/system/cpu, parsed. */
#ifndef UM_SYSFS_H
#define UM_SYSFS_H

#include "machine/machine.h"

#define UM_SYSFS_CPU "sys/devices/system/cpu"

/* A file with a set of CPUs; its name and format depend on the kernel's version. */
struct um_cpu_file {
	const char *name;
	bool hex;         /* a mask in words of 32 bits, "00000000,0000000f"; else a list */
};

/* Rows with the newest name first; the last row is empty. */
extern const struct um_cpu_file um_package_files[], um_die_files[], um_core_files[];

struct um_sysfs {
	struct um_access *a;
	const struct um_cpu_file *known; /* the row that served the first CPU; later rows are tried after it. NULL: the first row */
};

/*
 * The number in a file of cpuN/topology. -1: the number is negative, which means "not known"; UM_NO_ID: there is no such
 * file, or no number in it.
 */
#define UM_NO_ID (-2)
int um_sysfs_id(struct um_access *a, unsigned cpu, const char *name);
/* Read the set of CPUs from the first valid file. 0; -ENODATA if no file is valid; -ENOMEM. */
int um_sysfs_cpus(struct um_sysfs *s, unsigned cpu, const struct um_cpu_file *files,
		  struct um_cpuset *set) UM_MUST_CHECK;
/*
 * Find the online CPUs. Without @check, trust the file "online", unless it is missing or the access has odd_online set.
 * Otherwise compare it with the files "offline" and "present", and read cpuN/online of each CPU that these do not
 * confirm. If cpuN/online contradicts the file "online", as in a container with lxcfs, believe cpuN/online and set
 * odd_online. Ignore a CPU that is neither in "present" nor in "online", even if it has a folder. Also ignore a CPU
 * that is not in "online" and has no folder. 0, possibly with an empty set; -EINVAL when "online" is no list; -ENOMEM.
 */
int um_sysfs_online(struct um_access *a, struct um_cpuset *online, bool check) UM_MUST_CHECK;

/*
 * siblings.c: put the online CPUs of @t into packages, or into dies if t->per_die is set: sets @id, @die and @cpus of
 * each. 0, -ENOMEM, or -EBADMSG: CPUs have no package id, and their masks contradict each other.
 */
int um_sysfs_packages(struct um_topology *t, struct um_access *a) UM_MUST_CHECK;

#endif
