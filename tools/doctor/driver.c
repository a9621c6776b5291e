/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* uncore-doctor: checks of the processor, and of access to its registers. */
#include <string.h>

#include "common/properties.h"
#include "doctor/doctor.h"

const char *doctor_why_unsupported(struct doctor *d)
{
	const char *why = uncoremsr_machine(d->um)->reason;

	return why ? why : "not supported (the reason could not be read: out of memory)";
}

/* POWER has no model-specific registers, so only the kernel can count. */
static void check_power(struct doctor *d)
{
	if (d->has_in_memory_pmu)
		return;
	doctor_add(d, "model", DOCTOR_UNSUPPORTED, "this kernel has no in-memory counters (PMUs nest_*_imc, "
		   "core_imc): firmware offers them to a kernel on bare metal only, not to a guest or partition");
	doctor_next(d, "ls %s/proc/device-tree/imc-counters", d->root);
}

void doctor_check_processor(struct doctor *d)
{
	if (uncoremsr_machine(d->um)->hypervisor > 0) {
		doctor_add(d, "guest", DOCTOR_UNSUPPORTED, "this is a virtual machine (CPUID hypervisor bit): uncore "
			   "registers fault or are silently ignored in a guest");
		doctor_next(d, "run uncore-doctor on the host");
	}
	if (machine_is_power(d->um))
		return check_power(d);
	if (uncoremsr_machine(d->um)->tables)
		return;
	/* Without tables for this model, registers cannot be used even if all other checks pass. */
	doctor_add(d, "model", DOCTOR_UNSUPPORTED, "%s", doctor_why_unsupported(d));
	doctor_next(d, "uncore-read --machine=sim:westmere-2s -e 0x82:0x1 (to try it on a simulated machine)");
}

static void check_writes(struct doctor *d, bool locked, const char *writes)
{
	if (!writes || strcmp(writes, "on") == 0)
		return;
	if (strcmp(writes, "off") == 0)
		doctor_add(d, "writes", DOCTOR_NO_ACCESS, "the msr driver's write filter refuses every register write "
			   "(allow_writes=off)");
	else if (locked || !uncoremsr_machine(d->um)->supported)
		return;
	else
		doctor_add(d, "writes", DOCTOR_REMARK, "the msr driver allows writes (allow_writes=%s), but the kernel "
			   "logs \"msr: Write to unrecognized MSR\" and sets its taint flag S", writes);
	doctor_next(d, "echo on > %s/sys/module/msr/parameters/allow_writes", d->root);
}

bool doctor_check_driver(struct doctor *d)
{
	static const char *const checks[] = {
		[UNCOREMSR_DRIVER_MISSING] = "driver",
		[UNCOREMSR_DRIVER_NO_NODE] = "device-node",
		[UNCOREMSR_DRIVER_NO_PERMISSION] = "permission",
		[UNCOREMSR_DRIVER_NO_CAPABILITY] = "capability",
		[UNCOREMSR_DRIVER_OTHER] = "driver",
	};
	/* The permissions of a device node can allow reading but not writing, so check both. */
	bool ready = uncoremsr_driver_state(d->um, 0) == UNCOREMSR_DRIVER_READY;
	enum uncoremsr_driver_state state = uncoremsr_driver_state(d->um, 1);
	const struct uncoremsr_surroundings *around;
	bool locked;

	if (machine_is_power(d->um))
		return false;
	if (state != UNCOREMSR_DRIVER_READY)
		doctor_add_failure(d, checks[state]);
	if (state == UNCOREMSR_DRIVER_NO_PERMISSION)
		doctor_next_grant(d);
	/* Lockdown and the write filter concern only the driver msr; msr-safe has its own rules. */
	around = uncoremsr_surroundings(d->um, UNCOREMSR_LOOK_AT_DEVICE);
	if (strcmp(around->device, "msr") != 0)
		return ready;
	around = uncoremsr_surroundings(d->um, UNCOREMSR_LOOK_AT_FILTER);
	locked = around->lockdown && strcmp(around->lockdown, "none") != 0;
	if (locked) {
		doctor_add(d, "lockdown", DOCTOR_NO_ACCESS, "kernel lockdown (%s): the kernel refuses register writes "
			   "until it is booted without lockdown", around->lockdown);
		doctor_next(d, "mokutil --sb-state; reboot with Secure Boot off and without lockdown= "
			    "on the kernel's command line");
	}
	check_writes(d, locked, around->writes);
	return ready;
}
