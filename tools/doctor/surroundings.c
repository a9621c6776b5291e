/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* uncore-doctor: what else affects counting: containers, the kernel, other programs, offline CPUs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "doctor/doctor.h"

/* The register that enables all counters; 0: none. Linux writes it as a whole (uncore_nhmex.c, uncore_snb.c). */
static uint32_t enable_register(struct uncoremsr *um)
{
	const struct uncoremsr_register *reg;

	for (size_t i = 0; (reg = uncoremsr_register(um, NULL, i)); i++)
		if (reg->enables_all && reg->write_mask)
			return reg->address;
	return 0;
}

void doctor_check_surroundings(struct doctor *d)
{
	const struct uncoremsr_surroundings *s = uncoremsr_surroundings(d->um, UNCOREMSR_LOOK_AT_CPUS |
			UNCOREMSR_LOOK_AT_NEIGHBOURS | UNCOREMSR_LOOK_AT_WATCHDOG);
	const char *lock = s->likwid_lock, *offline = s->offline_cpus, *forbidden = s->forbidden_cpus;

	if (s->container > 0) {
		doctor_add(d, "container", DOCTOR_REMARK, "this is a container: it has its own devices, capabilities "
			   "and leases, but shares the counters with the host and with other containers, which cannot "
			   "see our leases");
		doctor_next(d, "run on the host, or share the host's /dev/cpu and /run/uncoremsr");
	}
	if (d->has_uncore_pmu) {
		uint32_t enable = enable_register(d->um);
		char effect[96] = "it programs counters of that PMU without checking whether they are in use";

		if (enable)
			snprintf(effect, sizeof(effect), "the enable register 0x%x is overwritten as a whole", enable);
		doctor_add(d, "kernel-pmu", DOCTOR_REMARK, "the kernel has its own driver for the uncore: while perf "
			   "counts one of its events, %s", effect);
		doctor_next(d, "pgrep -a perf");
	}
	if (lock) {
		doctor_add(d, "likwid", DOCTOR_REMARK, "likwid's lock file %s%s exists: the counters are reserved for "
			   "likwid, which clears other programs' enable bits", d->root, lock);
		doctor_next(d, "ls -l %s%s; pgrep -a likwid", d->root, lock);
	}
	if (offline && *offline) {
		doctor_add(d, "offline-cpus", DOCTOR_REMARK, "CPUs %s are offline: a package is counted as long as one "
			   "of its CPUs is online", offline);
		doctor_next(d, "echo 1 > %s/sys/devices/system/cpu/cpu%ld/online", d->root,
			    strtol(offline, NULL, 10));
	}
	if (forbidden && *forbidden) {
		doctor_add(d, "cpuset", DOCTOR_REMARK, "this process may not run on CPUs %s (cpuset or CPU affinity): "
			   "their registers are reached by an interrupt, which takes longer; the numbers are the same",
			   forbidden);
		doctor_next(d, "taskset -c -p %s $$", uncoremsr_machine(d->um)->online_cpus);
	}
	if (s->nmi_watchdog > 0) {
		doctor_add(d, "nmi-watchdog", DOCTOR_REMARK, "the kernel's NMI watchdog holds a core counter of every "
			   "CPU; uncore counters are not affected");
		doctor_next(d, "sysctl kernel.nmi_watchdog=0 (only if that core counter is needed)");
	}
}

/* Find the kernel's first uncore PMU that accepts an event. The event is not opened. */
static int find_countable(void *user, const char *name, unsigned type, const char *cpus)
{
	char event[128];

	(void)type;
	/* On Nehalem and Westmere the PMU's name is "uncore". */
	if (!cpus || (strncmp(name, "uncore", 6) && strncmp(name, "amd_", 4)))
		return 0;
	snprintf(event, sizeof(event), "%s/config=0x1/", name);
	return uncoremsr_session_add(user, event) > 0;
}

static bool has_countable_pmu(struct doctor *d)
{
	struct uncoremsr_session *s = NULL;
	bool has;

	if (uncoremsr_session_new(d->um, &s))
		return false;
	has = !uncoremsr_session_set(s, UNCOREMSR_SESSION_ROUTE, UNCOREMSR_ROUTE_PERF) &&
	      uncoremsr_kernel_pmus(d->um, find_countable, s) > 0;
	uncoremsr_session_free(s);
	return has;
}

void doctor_check_kernel(struct doctor *d)
{
	for (size_t i = 0; i < d->num && !d->blocked; i++)
		if (d->list[i].severity <= DOCTOR_NO_ACCESS)
			d->blocked = d->list[i].message;
	/* With root:DIR, the files in DIR may belong to another machine, but perf counts on this machine. */
	if (d->root[0] || !has_countable_pmu(d))
		return;
	d->kernel_refuses = !doctor_may_count(d, DOCTOR_WHOLE_CPUS);
	d->kernel_counts = !d->kernel_refuses && d->blocked;
	if (!d->kernel_refuses)
		return;
	doctor_add(d, "perf", d->blocked ? DOCTOR_NO_ACCESS : DOCTOR_REMARK,
		   "the kernel has drivers for the uncore, but this user may not count with them: %s",
		   d->trials[DOCTOR_WHOLE_CPUS].why);
	doctor_next(d, "run as root, or sysctl kernel.perf_event_paranoid=0");
}
