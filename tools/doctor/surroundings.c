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

void doctor_check_surroundings(struct doctor *d)
{
	const char *lock = uncoremsr_machine_text(d->um, UNCOREMSR_MACHINE_LIKWID_LOCK);
	const char *offline = uncoremsr_machine_text(d->um, UNCOREMSR_MACHINE_OFFLINE_CPUS);
	const char *forbidden = uncoremsr_machine_text(d->um, UNCOREMSR_MACHINE_FORBIDDEN_CPUS);
	bool kernel = false;

	if (doctor_machine_is(d, UNCOREMSR_MACHINE_CONTAINER)) {
		doctor_add(d, "container", DOCTOR_REMARK, "this is a container: it has its own "
			   "devices, capabilities and leases, but shares the counters with the host and "
			   "with other containers, which cannot see our leases");
		doctor_next(d, "run on the host, or share the host's /dev/cpu and /run/uncoremsr");
	}
	/* Linux arch/x86/events/intel/uncore_nhmex.c and uncore_snb.c write 0x391 without looking at it. */
	if (uncoremsr_kernel_pmus(d->um, find_uncore, &kernel) >= 0 && kernel) {
		doctor_add(d, "kernel-pmu", DOCTOR_REMARK, "the kernel has its own driver for the "
			   "uncore: while perf counts one of its events, the enable register 0x391 is "
			   "overwritten as a whole");
		doctor_next(d, "pgrep -a perf");
	}
	if (lock) {
		doctor_add(d, "likwid", DOCTOR_REMARK, "likwid's lock file %s%s exists: the "
			   "counters are reserved for likwid, which clears other programs' enable bits",
			   d->root, lock);
		doctor_next(d, "ls -l %s%s; pgrep -a likwid", d->root, lock);
	}
	if (offline && *offline) {
		doctor_add(d, "offline-cpus", DOCTOR_REMARK, "CPUs %s are offline: a package is "
			   "counted as long as one of its CPUs is online", offline);
		doctor_next(d, "echo 1 > %s/sys/devices/system/cpu/cpu%ld/online", d->root,
			    strtol(offline, NULL, 10));
	}
	if (forbidden && *forbidden) {
		doctor_add(d, "cpuset", DOCTOR_REMARK, "this process may not run on CPUs %s "
			   "(cpuset or CPU affinity): their registers are reached by an interrupt, "
			   "which takes longer; the numbers are the same", forbidden);
		doctor_next(d, "taskset -c -p %s $$",
			    uncoremsr_machine_text(d->um, UNCOREMSR_MACHINE_ONLINE_CPUS));
	}
	if (doctor_machine_is(d, UNCOREMSR_MACHINE_NMI_WATCHDOG)) {
		doctor_add(d, "nmi-watchdog", DOCTOR_REMARK, "the kernel's NMI watchdog holds a "
			   "core counter of every CPU; uncore counters are not affected");
		doctor_next(d, "sysctl kernel.nmi_watchdog=0 (only if that core counter is needed)");
	}
}
