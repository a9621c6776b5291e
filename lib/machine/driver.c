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

/* A failed access to a device or register, which @object names for messages. */
struct failure {
	struct um_access *a;
	int err;
	char object[UM_MESSAGE_SIZE];
	struct um_error *e;
};

static int deny(const struct failure *f, const char *why, const char *hint)
{
	um_fail(f->e, f->err, UNCOREMSR_ERROR_ACCESS, "%s: %s", f->object, why);
	return um_advise(f->e, f->err, "%s", hint);
}

static int explain_open_eperm(const struct failure *f)
{
	if (have_rawio(f->a))
		return deny(f, "access denied although this process has CAP_SYS_RAWIO", "a container's device rules or "
			    "a security module forbid it: run on the host, or allow character device 202");
	return deny(f, "the capability CAP_SYS_RAWIO is missing",
		    "run as root, or give the program the capability: setcap cap_sys_rawio+ep PROGRAM");
}

static int explain_write_eperm(const struct failure *f)
{
	char mode[32];

	if (um_access_lockdown(f->a, mode, sizeof(mode)) && strcmp(mode, "none")) {
		um_fail(f->e, -EPERM, UNCOREMSR_ERROR_ACCESS, "%s: forbidden by kernel lockdown (%s)", f->object, mode);
		return um_advise(f->e, -EPERM, "registers can be read but not programmed on this kernel; lockdown ends "
			"only with a reboot (it often comes with Secure Boot)");
	}
	if (um_access_write_filter(f->a, mode, sizeof(mode)) && !strcmp(mode, "off")) {
		um_fail(f->e, -EPERM, UNCOREMSR_ERROR_ACCESS,
			"%s: forbidden by the msr driver's write filter (allow_writes=off)", f->object);
		return um_advise(f->e, -EPERM, "if this system's policy permits it, allow writes: echo on > "
			"%s/sys/module/msr/parameters/allow_writes", f->a->root);
	}
	return deny(f, "forbidden by the kernel",
		    "look at /sys/kernel/security/lockdown and /sys/module/msr/parameters/allow_writes");
}

static int explain_allow_list(const struct failure *f)
{
	um_fail(f->e, -EACCES, UNCOREMSR_ERROR_ACCESS, "%s: not in the allow list of the driver msr-safe", f->object);
	return um_advise(f->e, -EACCES, "uncore-doctor --grant=GROUP prints the lines that %s/dev/cpu/msr_allowlist "
		"needs; with --core also those of core counters and of uncore-throttle --clear", f->a->root);
}

#define BRING_ONLINE "bring it online, or count through another CPU of the package (uncore-read --cpus=LIST)"

static const struct {
	bool of_open;        /* an error of opening a device; false: of reading or writing a register */
	int err;
	enum uncoremsr_error_class class;
	char why[96], hint[104];
} meanings[] = {
	{ true, -EACCES, UNCOREMSR_ERROR_ACCESS, "no permission on the device node", "run as root" },
	{ true, -ENXIO, UNCOREMSR_ERROR_ACCESS, "the CPU is offline or does not exist, or the driver is gone", BRING_ONLINE },
	{ true, -EIO, UNCOREMSR_ERROR_UNSUPPORTED, "this CPU has no model-specific registers", "" },
	{ true, -EPROTO, UNCOREMSR_ERROR_ACCESS,
	  "not the register driver's device: it answers a read of 4 bytes, which the driver refuses",
	  "a plain file cannot count: load the msr driver, or mount a simulated machine (uncore-sim mount)" },
	{ false, -EIO, UNCOREMSR_ERROR_UNSUPPORTED, "the register faults",
	  "this processor may not have the register, or a hypervisor or firmware may block it" },
	{ false, -ENXIO, UNCOREMSR_ERROR_ACCESS, "the CPU went offline", BRING_ONLINE },
	{ false, -ENODATA, UNCOREMSR_ERROR_ACCESS, "the device transferred fewer than 8 bytes",
	  "the device must be that of the msr driver, not a plain file" },
};

int um_driver_explain(struct um_access *a, enum um_access_step step, unsigned cpu,
		      const char *what, int err, struct um_error *e)
{
	struct failure f = { .a = a, .err = err, .e = e };

	if (step == UM_STEP_OPEN)
		um_message(f.object, sizeof(f.object), "%s/dev/cpu/%u/%s", a->root, cpu, um_access_node(a, cpu));
	else
		um_message(f.object, sizeof(f.object), "CPU %u: %s %s", cpu,
			   step == UM_STEP_WRITE ? "writing" : "reading", what);
	if (err == -ENOMEM)
		return um_no_memory(e);
	if (step == UM_STEP_OPEN && (err == -ENOENT || err == -ENOTDIR))
		return explain_missing(a, cpu, e);
	if (step == UM_STEP_OPEN && err == -EPERM)
		return explain_open_eperm(&f);
	if (step == UM_STEP_WRITE && err == -EPERM)
		return explain_write_eperm(&f);
	if (step != UM_STEP_OPEN && err == -EACCES && !strcmp(um_access_node(a, cpu), "msr_safe"))
		return explain_allow_list(&f);
	for (size_t i = 0; i < ARRAY_SIZE(meanings); i++)
		if (meanings[i].of_open == (step == UM_STEP_OPEN) && meanings[i].err == err) {
			um_fail(e, err, meanings[i].class, "%s: %s", f.object, meanings[i].why);
			return um_advise(e, err, "%s", meanings[i].hint);
		}
	um_fail(e, err, UNCOREMSR_ERROR_ACCESS, "%s: %s", f.object, strerror(-err));
	um_hint_descriptors(e, err);
	return err;
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
