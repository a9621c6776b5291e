/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* uncore-doctor: what is good to know about the machine around the counters. */
#include <stdlib.h>
#include <string.h>

#include "doctor/doctor.h"
#include "uncoremsr/machine.h"

static int find_uncore(void *user, const char *name, unsigned type, const char *cpus)
{
	(void)type;
	(void)cpus;
	if (strncmp(name, "uncore", 6) == 0)
		*(bool *)user = true;
	return 0;
}

/* Linux arch/x86/events/intel/uncore_nhmex.c and uncore_snb.c write 0x391 without looking at it. */
static void check_kernel_pmu(struct doctor *d)
{
	bool there = false;

	if (uncoremsr_kernel_pmus(d->um, find_uncore, &there) < 0 || !there)
		return;
	doctor_add(d, "kernel-pmu", DOCTOR_REMARK, TOOL_DONE, "the kernel has its own driver for "
		   "the uncore: while perf counts one of its events, the enable register 0x391 is "
		   "overwritten as a whole");
	doctor_next(d, "pgrep -a perf");
}

static void check_likwid(struct doctor *d)
{
	const char *path = uncoremsr_machine_text(d->um, UNCOREMSR_MACHINE_LIKWID_LOCK);

	if (!path)
		return;
	doctor_add(d, "likwid", DOCTOR_REMARK, TOOL_DONE, "likwid's lock file %s%s exists: the "
		   "counters are reserved for likwid, which clears other programs' enable bits",
		   d->root, path);
	doctor_next(d, "ls -l %s%s; pgrep -a likwid", d->root, path);
}

static void check_watchdog(struct doctor *d)
{
	if (!doctor_machine_is(d, UNCOREMSR_MACHINE_NMI_WATCHDOG))
		return;
	doctor_add(d, "nmi-watchdog", DOCTOR_REMARK, TOOL_DONE, "the kernel's NMI watchdog holds a "
		   "core counter of every CPU; uncore counters are not affected");
	doctor_next(d, "sysctl kernel.nmi_watchdog=0 (only if that core counter is needed)");
}

static void check_offline(struct doctor *d)
{
	const char *cpus = uncoremsr_machine_text(d->um, UNCOREMSR_MACHINE_OFFLINE_CPUS);

	if (!cpus || !*cpus)
		return;
	doctor_add(d, "offline-cpus", DOCTOR_REMARK, TOOL_DONE, "CPUs %s are offline: a package is "
		   "counted as long as one of its CPUs is online", cpus);
	doctor_next(d, "echo 1 > %s/sys/devices/system/cpu/cpu%ld/online", d->root,
		    strtol(cpus, NULL, 10));
}

static void check_cpuset(struct doctor *d)
{
	const char *cpus = uncoremsr_machine_text(d->um, UNCOREMSR_MACHINE_FORBIDDEN_CPUS);

	if (!cpus || !*cpus)
		return;
	doctor_add(d, "cpuset", DOCTOR_REMARK, TOOL_DONE, "this process may not run on CPUs %s "
		   "(cpuset or CPU affinity): their registers are reached by an interrupt, "
		   "which takes longer; the numbers are the same", cpus);
	doctor_next(d, "taskset -c -p %s $$",
		    uncoremsr_machine_text(d->um, UNCOREMSR_MACHINE_ONLINE_CPUS));
}

static void check_container(struct doctor *d)
{
	if (!doctor_machine_is(d, UNCOREMSR_MACHINE_CONTAINER))
		return;
	doctor_add(d, "container", DOCTOR_REMARK, TOOL_DONE, "this is a container: it has its own "
		   "devices, capabilities and leases, but shares the counters with the host and with "
		   "other containers, which cannot see our leases");
	doctor_next(d, "run on the host, or share the host's /dev/cpu and /run/uncoremsr");
}

void doctor_check_surroundings(struct doctor *d)
{
	check_container(d);
	check_kernel_pmu(d);
	check_likwid(d);
	check_offline(d);
	check_cpuset(d);
	check_watchdog(d);
}
