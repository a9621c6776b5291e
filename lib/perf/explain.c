/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* perf_event_open(2) returns only an errno: find out what it means. */
#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>

#include "perf/count.h"
#include "common/number.h"

bool um_perf_is_offline(struct um_access *a, int cpu)
{
	struct um_cpuset online = { NULL, 0 };
	bool offline = um_cpus_online(&online, a) || !um_cpuset_has(&online, (unsigned)cpu);

	um_cpuset_free(&online);
	return offline;
}

struct refusal {
	struct um_access *access;
	const struct um_perf_event *event;
	const struct um_perf_unit *unit;
	int cpu;
	pid_t pid;
	char where[40];              /* for messages: "CPU 3", "process 123" */
};

static bool is_core_type(uint32_t type)
{
	return type == PERF_TYPE_HARDWARE || type == PERF_TYPE_HW_CACHE || type == PERF_TYPE_RAW;
}

static bool has_core_pmu(struct um_access *a)
{
	char line[16];

	return um_access_line(a, "sys/bus/event_source/devices/cpu/type", line, sizeof(line)) > 0 ||
	       um_access_line(a, "sys/bus/event_source/devices/cpu_core/type", line, sizeof(line)) > 0;
}

/* ---- POWER (Linux arch/powerpc/perf/imc-pmu.c) ---- */

static enum um_imc_level level_of(const struct refusal *r)
{
	return r->unit->pmu ? r->unit->pmu->imc : UM_IMC_NO_LEVEL;
}

static int no_memory_of_chip(const struct refusal *r, struct um_error *e)
{
	return um_fail(e, -ENODEV, UNCOREMSR_ERROR_UNSUPPORTED, "event '%s': %s is offline, or firmware has set "
		       "up no memory for the counters of %s there", r->event->name, r->where, r->unit->pmu->name);
}

#define LEVEL(level) (1u << (level))
enum { OF_CORES = LEVEL(UM_IMC_CORE), OF_THREADS = LEVEL(UM_IMC_THREAD), OF_TRACE = LEVEL(UM_IMC_TRACE) };

/* Errnos with a special meaning for IMC PMUs. Core, thread and trace counting share a facility of the core. */
static const struct {
	int err;
	unsigned levels;
	enum uncoremsr_error_class class;
	const char *why, *hint;
} imc_refusals[] = {
	{ -EBUSY, OF_CORES | OF_THREADS | OF_TRACE, UNCOREMSR_ERROR_UNSUPPORTED,
	  "cannot count while another of core_imc, thread_imc and trace_imc is in use anywhere on this machine",
	  "count one of the three at a time, and end other programs that use them" },
	{ -EINVAL, OF_THREADS, UNCOREMSR_ERROR_UNSUPPORTED, "counts for processes, not for whole CPUs",
	  "give a COMMAND, or a process with -p; to count for whole cores use core_imc" },
	{ -ENOENT, OF_TRACE, UNCOREMSR_ERROR_UNSUPPORTED, "records where a program runs, and counts nothing",
	  "to count events use core_imc or thread_imc" },
	/* perfmon_capable() is required at every level of perf_event_paranoid. */
	{ -EACCES, OF_THREADS | OF_TRACE, UNCOREMSR_ERROR_ACCESS,
	  "needs CAP_PERFMON, at every level of perf_event_paranoid",
	  "run as root, or give the program CAP_PERFMON (setcap cap_perfmon+ep)" },
};

/* Returns @err if it has a special meaning for this PMU, else 0. */
static int imc_refusal(const struct refusal *r, int err, struct um_error *e)
{
	enum um_imc_level level = level_of(r);

	if (err == -ENODEV && (level == UM_IMC_NEST || level == UM_IMC_CORE))
		return no_memory_of_chip(r, e);
	for (size_t i = 0; i < ARRAY_SIZE(imc_refusals); i++) {
		if (imc_refusals[i].err != err || !(imc_refusals[i].levels & LEVEL(level)) ||
		    (err == -EINVAL && r->pid != -1))
			continue;
		um_fail(e, err, imc_refusals[i].class, "event '%s': %s %s", r->event->name, r->unit->pmu->name,
			imc_refusals[i].why);
		return um_advise(e, err, "%s", imc_refusals[i].hint);
	}
	return 0;
}

/* Which level of perf_event_paranoid permits what: Linux Documentation/admin-guide/perf-security.rst. */
static int denied(const struct refusal *r, struct um_error *e)
{
	char level[16] = "unknown";

	um_access_line(r->access, "proc/sys/kernel/perf_event_paranoid", level, sizeof(level));
	um_fail(e, -EACCES, UNCOREMSR_ERROR_ACCESS,
		"event '%s': not permitted on %s: perf_event_paranoid is %s and CAP_PERFMON is "
		"missing", r->event->name, r->where, level);
	if (r->pid != -1 && r->unit->attr.exclude_kernel)
		um_hint(e, "run as root, or give the program CAP_PERFMON, or set kernel.perf_event_paranoid to 2");
	else
		um_hint(e, r->pid == -1
			? "run as root, or give the program CAP_PERFMON (setcap cap_perfmon+ep), or set "
			  "kernel.perf_event_paranoid to 0 (whole CPUs need 0 or less)"
			: "run as root, or give the program CAP_PERFMON, or count in user mode only (:u), "
			  "or set kernel.perf_event_paranoid to 1");
	return -EACCES;
}

static int absent(const struct refusal *r, struct um_error *e)
{
	if (is_core_type(r->unit->attr.type) && !has_core_pmu(r->access)) {
		um_fail(e, -ENOENT, UNCOREMSR_ERROR_UNSUPPORTED,
			"event '%s': this machine has no core PMU (a virtual machine without one?)",
			r->event->name);
		return um_advise(e, -ENOENT, "software events and tracepoints can be counted everywhere");
	}
	return um_fail(e, -ENOENT, UNCOREMSR_ERROR_UNSUPPORTED, "event '%s': this processor does not have it",
		       r->event->name);
}

static bool excludes(const struct um_perf_attr *a)
{
	return a->exclude_user || a->exclude_kernel || a->exclude_hv || a->exclude_idle ||
	       a->exclude_host || a->exclude_guest;
}

static int invalid(const struct refusal *r, struct um_error *e)
{
	const char *pmu = r->unit->pmu ? r->unit->pmu->name : r->event->pmu;
	bool masked = r->unit->pmu && r->unit->pmu->cpus_are == UM_CPUS_MASK;

	if (r->cpu < 0 && masked) {
		um_fail(e, -EINVAL, UNCOREMSR_ERROR_UNSUPPORTED,
			"event '%s': %s counts for a whole %s and cannot tell processes apart",
			r->event->name, pmu, level_of(r) == UM_IMC_CORE ? "core" : "package");
		return um_advise(e, -EINVAL, "count it without a process; it then counts what all processes do");
	}
	if (excludes(&r->unit->attr) && !is_core_type(r->unit->attr.type)) {
		um_fail(e, -EINVAL, UNCOREMSR_ERROR_UNSUPPORTED,
			"event '%s': %s cannot tell user and kernel mode, or guests, apart",
			r->event->name, pmu);
		return um_advise(e, -EINVAL, "leave out the modifier after the event");
	}
	return um_fail(e, -EINVAL, UNCOREMSR_ERROR_UNSUPPORTED,
		       "event '%s': the kernel refuses it on %s: %s lacks the event, or cannot count it on that CPU, or "
		       "cannot count so many in a group", r->event->name, r->where, pmu);
}

int um_perf_explain(struct um_access *a, const struct um_perf_event *ev, unsigned unit, int cpu,
		    pid_t pid, int err, struct um_error *e)
{
	struct refusal r = { .access = a, .event = ev, .unit = &ev->units[unit], .cpu = cpu,
			     .pid = pid };

	if (cpu >= 0)
		snprintf(r.where, sizeof(r.where), "CPU %d", cpu);
	else
		snprintf(r.where, sizeof(r.where), "process %d", (int)pid);
	if (imc_refusal(&r, err, e))
		return err;
	switch (err) {
	case -EACCES:
	case -EPERM:
		return denied(&r, e);
	case -ENOENT:
	case -EOPNOTSUPP:
		return absent(&r, e);
	case -EINVAL:
		return invalid(&r, e);
	case -ENODEV:
		if (cpu >= 0 && !um_perf_is_offline(a, cpu))
			return um_fail(e, err, UNCOREMSR_ERROR_UNSUPPORTED, "event '%s': the kernel's driver "
				       "does not find %s on %s", ev->name,
				       r.unit->pmu ? r.unit->pmu->name : "this unit", r.where);
		return um_fail(e, err, UNCOREMSR_ERROR_UNSUPPORTED, "event '%s': %s is offline", ev->name, r.where);
	case -ESRCH:
		return um_fail(e, err, UNCOREMSR_ERROR_USAGE, "event '%s': there is no %s", ev->name, r.where);
	case -E2BIG:
		if (r.unit->attr.config[3]) {
			um_fail(e, err, UNCOREMSR_ERROR_UNSUPPORTED, "event '%s': this kernel does not know config3, "
				"in which the event has bits", ev->name);
			return um_advise(e, err, "Linux supports config3 since 6.3; on an older kernel leave out the "
				"terms in config3");
		}
		um_fail(e, err, UNCOREMSR_ERROR_UNSUPPORTED, "event '%s': its group has more events than the "
			"kernel can read at once (16 KiB, about 1,000 events)", ev->name);
		return um_advise(e, err, "make several groups, or leave out the braces");
	case -EMFILE:
	case -ENFILE:
		um_fail(e, err, UNCOREMSR_ERROR_UNSUPPORTED, "event '%s': too many open files", ev->name);
		return um_advise(e, err, "raise the limit on open files (ulimit -n) or count fewer events");
	case -EBUSY:
		um_fail(e, err, UNCOREMSR_ERROR_UNSUPPORTED,
			"event '%s': the counters of %s are reserved by another event or driver",
			ev->name, r.where);
		return um_advise(e, err, "stop the other profiler, or try again when it has ended");
	case -ENOSYS:
		return um_fail(e, err, UNCOREMSR_ERROR_UNSUPPORTED,
			       "event '%s': this kernel was built without perf events", ev->name);
	default:
		return um_fail(e, err, UNCOREMSR_ERROR_UNSUPPORTED, "event '%s' on %s: %s",
			       ev->name, r.where, strerror(-err));
	}
}
