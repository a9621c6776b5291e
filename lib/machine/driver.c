/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Errors of the register driver. Sources: Linux arch/x86/kernel/msr.c (msr_open: EPERM without CAP_SYS_RAWIO, ENXIO for
 * an offline CPU, EIO without MSRs; msr_write: EPERM from lockdown or from the allow_writes filter; EIO for a fault),
 * kernel/lockdown; and msr-safe (README.md: EACCES for a register that is not in its allow list).
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "machine/handle.h"

enum { CAP_SYS_RAWIO_BIT = 17 };

/* Is the driver registered ("202 cpu/msr")? 1 yes, 0 no, -1 unknown. */
static int driver_registered(struct um_access *a)
{
	char text[8192];

	if (a->ops->read_text(a, "proc/devices", text, sizeof(text)) <= 0)
		return -1;
	return strstr(text, " cpu/msr\n") != NULL;
}

static bool have_rawio(struct um_access *a)
{
	char text[4096];
	const char *line;

	if (!a->live || a->ops->read_text(a, "proc/self/status", text, sizeof(text)) <= 0)
		return false;
	line = strstr(text, "\nCapEff:");
	return line && strtoull(line + strlen("\nCapEff:"), NULL, 16) >> CAP_SYS_RAWIO_BIT & 1;
}

static int explain_missing(struct um_access *a, unsigned cpu, struct um_error *e)
{
	int registered = driver_registered(a);
	const char *where = um_access_in_container(a) ? " (in a container: on its host)" : "";
	char path[UM_CPU_PATH_SIZE];

	if (registered == 0) {
		um_fail(e, -ENODEV, UNCOREMSR_ERROR_ACCESS,
			"no msr driver: %s/dev/cpu/%u/msr does not exist and %s/proc/devices has no "
			"cpu/msr", a->root, cpu, a->root);
		return um_advise(e, -ENODEV, "load the driver%s: modprobe msr", where);
	}
	um_fail(e, -ENOENT, UNCOREMSR_ERROR_ACCESS, "%s/dev/cpu/%u/msr: no device node%s",
		a->root, cpu, registered > 0 ? " although the msr driver is there" : "");
	if (um_access_hint_outside(a, um_cpu_path(path, "dev/cpu/", cpu, "/", "msr"), e))
		return -ENOENT;
	if (registered < 0)
		um_hint(e, "load the driver%s: modprobe msr", where);
	else if (um_access_in_container(a))
		um_hint(e, "pass the device into the container, or run on the host");
	else
		um_hint(e, "make sure that the CPU is online; if it is, create the node: mkdir -p %s/dev/cpu/%u; "
			"mknod -m 600 %s/dev/cpu/%u/msr c 202 %u", a->root, cpu, a->root, cpu, cpu);
	return -ENOENT;
}

static int explain_open_eperm(struct um_access *a, unsigned cpu, struct um_error *e)
{
	if (have_rawio(a)) {
		um_fail(e, -EPERM, UNCOREMSR_ERROR_ACCESS,
			"%s/dev/cpu/%u/msr: access denied although this process has CAP_SYS_RAWIO", a->root, cpu);
		return um_advise(e, -EPERM, "a container's device rules or a security module forbid it: run on the "
			"host, or allow character device 202");
	}
	um_fail(e, -EPERM, UNCOREMSR_ERROR_ACCESS,
		"%s/dev/cpu/%u/msr: the capability CAP_SYS_RAWIO is missing", a->root, cpu);
	return um_advise(e, -EPERM, "run as root, or give the program the capability: setcap cap_sys_rawio+ep PROGRAM");
}

static int explain_open(struct um_access *a, unsigned cpu, int err, struct um_error *e)
{
	switch (err) {
	case -ENOENT:
	case -ENOTDIR:
		return explain_missing(a, cpu, e);
	case -EPERM:
		return explain_open_eperm(a, cpu, e);
	case -EACCES:
		um_fail(e, err, UNCOREMSR_ERROR_ACCESS, "%s/dev/cpu/%u/%s: no permission on the "
			"device node", a->root, cpu, um_access_node(a, cpu));
		return um_advise(e, err, "run as root");
	case -ENXIO:
		um_fail(e, err, UNCOREMSR_ERROR_ACCESS, "%s/dev/cpu/%u/msr: CPU %u is offline or "
			"does not exist, or the driver is gone", a->root, cpu, cpu);
		return um_advise(e, err, "bring it online, or count through another CPU of the package (uncore-read "
			"--cpus=LIST)");
	case -EIO:
		return um_fail(e, err, UNCOREMSR_ERROR_UNSUPPORTED,
			       "%s/dev/cpu/%u/msr: this CPU has no model-specific registers",
			       a->root, cpu);
	case -ENOMEM:
		return um_no_memory(e);
	case -EPROTO:
		um_fail(e, err, UNCOREMSR_ERROR_ACCESS, "%s/dev/cpu/%u/%s: not the register driver's "
			"device: it answers a read of 4 bytes, which the driver refuses", a->root, cpu,
			um_access_node(a, cpu));
		return um_advise(e, err, "a plain file cannot count: load the msr driver, or mount a simulated machine "
			"(uncore-sim mount)");
	default:
		um_fail(e, err, UNCOREMSR_ERROR_ACCESS, "%s/dev/cpu/%u/msr: %s", a->root, cpu, strerror(-err));
		um_hint_descriptors(e, err);
		return err;
	}
}

static int explain_write_eperm(struct um_access *a, unsigned cpu, const char *what, struct um_error *e)
{
	char mode[32];

	if (um_access_lockdown(a, mode, sizeof(mode)) && strcmp(mode, "none")) {
		um_fail(e, -EPERM, UNCOREMSR_ERROR_ACCESS,
			"CPU %u: writing %s: forbidden by kernel lockdown (%s)", cpu, what, mode);
		return um_advise(e, -EPERM, "registers can be read but not programmed on this kernel; lockdown ends "
			"only with a reboot (it often comes with Secure Boot)");
	}
	if (um_access_write_filter(a, mode, sizeof(mode)) && !strcmp(mode, "off")) {
		um_fail(e, -EPERM, UNCOREMSR_ERROR_ACCESS, "CPU %u: writing %s: forbidden by the "
			"msr driver's write filter (allow_writes=off)", cpu, what);
		return um_advise(e, -EPERM, "if this system's policy permits it, allow writes: echo on > "
			"%s/sys/module/msr/parameters/allow_writes", a->root);
	}
	um_fail(e, -EPERM, UNCOREMSR_ERROR_ACCESS,
		"CPU %u: writing %s: forbidden by the kernel", cpu, what);
	return um_advise(e, -EPERM, "look at /sys/kernel/security/lockdown and "
		"/sys/module/msr/parameters/allow_writes");
}

static int explain_allow_list(struct um_access *a, unsigned cpu, const char *verb,
			      const char *what, struct um_error *e)
{
	um_fail(e, -EACCES, UNCOREMSR_ERROR_ACCESS,
		"CPU %u: %s %s: not in the allow list of the driver msr-safe", cpu, verb, what);
	return um_advise(e, -EACCES, "uncore-doctor --grant=GROUP prints the lines that %s/dev/cpu/msr_allowlist "
		"needs; with --core also those of core counters and of uncore-throttle --clear", a->root);
}

static int explain_register(struct um_access *a, enum um_access_step step, unsigned cpu,
			    const char *what, int err, struct um_error *e)
{
	const char *verb = step == UM_STEP_WRITE ? "writing" : "reading";

	if (err == -EACCES && strcmp(um_access_node(a, cpu), "msr_safe") == 0)
		return explain_allow_list(a, cpu, verb, what, e);
	switch (err) {
	case -EIO:
		um_fail(e, err, UNCOREMSR_ERROR_UNSUPPORTED, "CPU %u: %s %s: the register faults",
			cpu, verb, what);
		return um_advise(e, err, "this processor may not have the register, or a hypervisor or firmware may "
			"block it");
	case -ENXIO:
		um_fail(e, err, UNCOREMSR_ERROR_ACCESS, "CPU %u: %s %s: the CPU went offline", cpu,
			verb, what);
		return um_advise(e, err, "bring it online, or count through another CPU of the package (uncore-read "
			"--cpus=LIST)");
	case -ENODATA:
		um_fail(e, err, UNCOREMSR_ERROR_ACCESS,
			"CPU %u: %s %s: the device transferred fewer than 8 bytes", cpu, verb, what);
		return um_advise(e, err, "%s/dev/cpu/%u/msr must be the msr driver's device, not a plain file", a->root,
				 cpu);
	case -EPERM:
		if (step == UM_STEP_WRITE)
			return explain_write_eperm(a, cpu, what, e);
		/* fall through */
	default:
		return um_fail(e, err, UNCOREMSR_ERROR_ACCESS, "CPU %u: %s %s: %s", cpu, verb, what, strerror(-err));
	}
}

int um_driver_explain(struct um_access *a, enum um_access_step step, unsigned cpu,
		      const char *what, int err, struct um_error *e)
{
	if (step == UM_STEP_OPEN)
		return explain_open(a, cpu, err, e);
	return explain_register(a, step, cpu, what, err, e);
}

int um_driver_open(struct um_access *a, unsigned cpu, bool writing, struct um_error *e)
{
	int err = um_access_open_cpu(a, cpu, writing);

	if (!err && a->ops->check_cpu) {
		err = a->ops->check_cpu(a, cpu);
		if (err)
			um_access_close_cpu(a, cpu);
	}
	return err ? um_driver_explain(a, UM_STEP_OPEN, cpu, NULL, err, e) : 0;
}

unsigned um_first_cpu(const struct uncoremsr *um)
{
	return um->m.topo.num_packages ? (unsigned)um->m.topo.packages[0].shown.cpu
				       : um->m.topo.online.cpus[0];
}

static int try_cpu(struct uncoremsr *um, unsigned cpu, bool writing)
{
	int err = um_driver_open(um->m.access, cpu, writing, &um->error);

	if (!err)
		um_access_close_cpu(um->m.access, cpu);
	return err;
}

static int open_all_writable(struct uncoremsr *um)
{
	int err = 0;

	for (size_t i = 0; i < um->m.topo.num_packages && !err; i++)
		err = try_cpu(um, (unsigned)um->m.topo.packages[i].shown.cpu, true);
	return err;
}

enum uncoremsr_driver_state uncoremsr_driver_state(struct uncoremsr *um, int writing)
{
	int err = um_check_open(um);

	if (!err && um->m.id.pvr)
		err = um_fail(&um->error, -ENODEV, UNCOREMSR_ERROR_UNSUPPORTED,
			      "POWER has no model-specific registers, and no driver for them");
	else if (!err)
		err = writing ? open_all_writable(um) : try_cpu(um, um_first_cpu(um), false);
	switch (err) {
	case 0:
		return UNCOREMSR_DRIVER_READY;
	case -ENODEV:
		return UNCOREMSR_DRIVER_MISSING;
	case -ENOENT:
		return UNCOREMSR_DRIVER_NO_NODE;
	case -EACCES:
		return UNCOREMSR_DRIVER_NO_PERMISSION;
	case -EPERM:
		return UNCOREMSR_DRIVER_NO_CAPABILITY;
	default:
		return UNCOREMSR_DRIVER_OTHER;
	}
}
