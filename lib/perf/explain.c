/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Explain why the kernel refused an event: perf_event_open(2) returns only an errno. */
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
	char where[40];              /* "CPU 3", "process 123" */
};

static bool is_core_type(uint32_t type)
{
	return type == PERF_TYPE_HARDWARE || type == PERF_TYPE_HW_CACHE || type == PERF_TYPE_RAW;
}

static bool has_core_pmu(struct um_access *a)
{
	char line[16];

	return um_access_line(a, "sys/bus/event_source/devices/cpu/type", line, sizeof(line)) > 0 ||
	       um_access_line(a, "sys/bus/event_source/devices/cpu_core/type", line,
			      sizeof(line)) > 0;
}

/* ---- POWER (Linux arch/powerpc/perf/imc-pmu.c) ---- */

static enum um_imc_level level_of(const struct refusal *r)
{
	return r->unit->pmu ? r->unit->pmu->imc : UM_IMC_NO_LEVEL;
}

/* Core, thread and trace counting use the same facility of a core in different ways. */
static int excluded(const struct refusal *r, struct um_error *e)
{
	um_fail(e, -EBUSY, UNCOREMSR_ERROR_UNSUPPORTED, "event '%s': %s cannot count while another of core_imc, "
		"thread_imc and trace_imc is in use anywhere on this machine", r->event->name,
		r->unit->pmu->name);
	um_hint(e, "count one of the three at a time, and end other programs that use them");
	return -EBUSY;
}

static int needs_a_task(const struct refusal *r, struct um_error *e)
{
	um_fail(e, -EINVAL, UNCOREMSR_ERROR_UNSUPPORTED, "event '%s': thread_imc counts for processes, not for "
		"whole CPUs", r->event->name);
	um_hint(e, "name a COMMAND, or a process with -p; core_imc counts for whole cores");
	return -EINVAL;
}

static int only_samples(const struct refusal *r, struct um_error *e)
{
	um_fail(e, -ENOENT, UNCOREMSR_ERROR_UNSUPPORTED,
			"event '%s': trace_imc records where a program runs, and counts nothing", r->event->name);
	um_hint(e, "core_imc and thread_imc count");
	return -ENOENT;
}

/* perfmon_capable() is required at every level of perf_event_paranoid. */
static int needs_perfmon(const struct refusal *r, struct um_error *e)
{
	um_fail(e, -EACCES, UNCOREMSR_ERROR_ACCESS, "event '%s': %s needs CAP_PERFMON, at every level of "
		"perf_event_paranoid", r->event->name, r->unit->pmu->name);
	um_hint(e, "run as root, or give the program CAP_PERFMON (setcap cap_perfmon+ep)");
	return -EACCES;
}

static int no_memory_of_chip(const struct refusal *r, struct um_error *e)
{
	return um_fail(e, -ENODEV, UNCOREMSR_ERROR_UNSUPPORTED, "event '%s': %s is offline, or firmware has set "
		       "up no memory of %s there", r->event->name, r->where, r->unit->pmu->name);
}

/* Explanations of errnos that have a special meaning for IMC PMUs. */
static int (*imc_refusal(const struct refusal *r, int err))(const struct refusal *r, struct um_error *e)
{
	enum um_imc_level level = level_of(r);
	bool own = level == UM_IMC_THREAD || level == UM_IMC_TRACE;

	switch (err) {
	case -EBUSY:
		return own || level == UM_IMC_CORE ? excluded : NULL;
	case -EINVAL:
		return level == UM_IMC_THREAD && r->pid == -1 ? needs_a_task : NULL;
	case -ENOENT:
		return level == UM_IMC_TRACE ? only_samples : NULL;
	case -EACCES:
		return own ? needs_perfmon : NULL;
	case -ENODEV:
		return level == UM_IMC_NEST || level == UM_IMC_CORE ? no_memory_of_chip : NULL;
	default:
		return NULL;
	}
}

/* ---- every machine ---- */

/* Which level of perf_event_paranoid permits what: Linux Documentation/admin-guide/perf-security.rst. */
static int denied(const struct refusal *r, struct um_error *e)
{
	char level[16] = "unknown";

	um_access_line(r->access, "proc/sys/kernel/perf_event_paranoid", level, sizeof(level));
	um_fail(e, -EACCES, UNCOREMSR_ERROR_ACCESS,
		"event '%s': not permitted on %s: perf_event_paranoid is %s and CAP_PERFMON is "
		"missing", r->event->name, r->where, level);
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
		um_hint(e, "software events and tracepoints can be counted everywhere");
		return -ENOENT;
	}
	um_fail(e, -ENOENT, UNCOREMSR_ERROR_UNSUPPORTED,
		"event '%s': this processor does not have it", r->event->name);
	return -ENOENT;
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
		um_hint(e, "count it without a process: it counts what all of them do");
	} else if (excludes(&r->unit->attr) && !is_core_type(r->unit->attr.type)) {
		um_fail(e, -EINVAL, UNCOREMSR_ERROR_UNSUPPORTED,
			"event '%s': %s cannot tell user and kernel mode, or guests, apart",
			r->event->name, pmu);
		um_hint(e, "leave out the modifier after the event");
	} else {
		um_fail(e, -EINVAL, UNCOREMSR_ERROR_UNSUPPORTED,
			"event '%s': the kernel refuses it on %s: %s does not have that event, or "
			"not on that CPU, or not this many in a group", r->event->name, r->where,
			pmu);
	}
	return -EINVAL;
}

int um_perf_explain(struct um_access *a, const struct um_perf_event *ev, unsigned unit, int cpu,
		    pid_t pid, int err, struct um_error *e)
{
	struct refusal r = { .access = a, .event = ev, .unit = &ev->units[unit], .cpu = cpu,
			     .pid = pid };
	int (*imc)(const struct refusal *r, struct um_error *e) = imc_refusal(&r, err);

	if (cpu >= 0)
		snprintf(r.where, sizeof(r.where), "CPU %d", cpu);
	else
		snprintf(r.where, sizeof(r.where), "process %d", (int)pid);
	if (imc)
		return imc(&r, e);
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
				       "does not find this unit on %s", ev->name, r.where);
		return um_fail(e, err, UNCOREMSR_ERROR_UNSUPPORTED, "event '%s': %s is offline",
			       ev->name, r.where);
	case -ESRCH:
		return um_fail(e, err, UNCOREMSR_ERROR_USAGE, "event '%s': there is no %s",
			       ev->name, r.where);
	case -EMFILE:
	case -ENFILE:
		um_fail(e, err, UNCOREMSR_ERROR_UNSUPPORTED, "event '%s': out of descriptors",
			ev->name);
		um_hint(e, "raise the limit (ulimit -n) or count fewer events");
		return err;
	case -EBUSY:
		um_fail(e, err, UNCOREMSR_ERROR_UNSUPPORTED,
			"event '%s': the counters of %s are reserved by another event or driver",
			ev->name, r.where);
		um_hint(e, "stop the other profiler, or try again when it has ended");
		return err;
	case -ENOSYS:
		return um_fail(e, err, UNCOREMSR_ERROR_UNSUPPORTED,
			       "event '%s': this kernel was built without perf events", ev->name);
	default:
		return um_fail(e, err, UNCOREMSR_ERROR_UNSUPPORTED, "event '%s' on %s: %s",
			       ev->name, r.where, strerror(-err));
	}
}
