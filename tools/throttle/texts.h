/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Texts for wording.c: for each cause, piece of evidence and reason. */
#ifndef THROTTLE_TEXTS_H
#define THROTTLE_TEXTS_H

#include "uncoremsr/throttle.h"

/* Explanations of the causes, each as the second half of a sentence. */
static const char *const cause_texts[] = {
	[UNCOREMSR_CAUSE_CRITICAL_TEMPERATURE] =
		"it has reached the critical temperature, beyond which it may shut down",
	[UNCOREMSR_CAUSE_PROCHOT_EXTERNAL] =
		"something outside the processor forces it (PROCHOT# or FORCEPR#: power supply, "
		"voltage regulator or management controller), not its own heat",
	[UNCOREMSR_CAUSE_CORE_THERMAL] = "its own temperature sensor has tripped (cooling)",
	[UNCOREMSR_CAUSE_PACKAGE_THERMAL] = "the package is too hot (cooling)",
	[UNCOREMSR_CAUSE_VR_THERMAL] = "the board's voltage regulator is too hot",
	[UNCOREMSR_CAUSE_DIMM_THERMAL] = "its memory is held back (hot DIMMs or memory power)",
	[UNCOREMSR_CAUSE_FIRMWARE] = "the firmware or the hardware holds the clock down",
	[UNCOREMSR_CAUSE_CLOCK_MODULATION] =
		"its clock is switched off part of the time (clock modulation, set by the "
		"operating system or the firmware)",
	[UNCOREMSR_CAUSE_POWER_LIMIT] = "a power limit holds it back",
	[UNCOREMSR_CAUSE_CURRENT_LIMIT] = "a current limit holds it back",
	[UNCOREMSR_CAUSE_CROSS_DOMAIN] = "another part of the chip uses up the power budget",
	[UNCOREMSR_CAUSE_SMI] = "the firmware interrupts all CPUs (system management interrupts)",
	[UNCOREMSR_CAUSE_OTHER] = "the hardware reports another reason",
};

static const char *const advice_texts[] = {
	[UNCOREMSR_CAUSE_CRITICAL_TEMPERATURE] =
		"stop the load at once; then check fans, heat sink and the air that comes in",
	[UNCOREMSR_CAUSE_PROCHOT_EXTERNAL] =
		"look for a failing power supply or a hot voltage regulator in the log of the management "
		"controller (ipmitool sel list)",
	[UNCOREMSR_CAUSE_CORE_THERMAL] =
		"check fans, heat sink and the temperature of the air that comes in",
	[UNCOREMSR_CAUSE_PACKAGE_THERMAL] =
		"check fans, heat sink and the temperature of the air that comes in",
	[UNCOREMSR_CAUSE_VR_THERMAL] =
		"check the air flow over the voltage regulators beside the socket; lower the load until then",
	[UNCOREMSR_CAUSE_DIMM_THERMAL] =
		"check the air flow over the memory modules, and memory power limits in the firmware setup",
	[UNCOREMSR_CAUSE_FIRMWARE] =
		"look for a power profile or power cap in the firmware setup and in the management controller",
	[UNCOREMSR_CAUSE_CLOCK_MODULATION] =
		"find out who sets it: thermald, ACPI throttling states (T-states) or the firmware",
	[UNCOREMSR_CAUSE_POWER_LIMIT] =
		"compare the limits in /sys/class/powercap with what cooling and supply allow; raise them or "
		"lower the load",
	[UNCOREMSR_CAUSE_CURRENT_LIMIT] =
		"lower the load, or look for current limits in the firmware setup",
	[UNCOREMSR_CAUSE_CROSS_DOMAIN] =
		"lower the load of the rest of the package (usually the graphics), or raise its power limit",
	[UNCOREMSR_CAUSE_SMI] =
		"update the firmware, and switch off in its setup what causes these interrupts (USB emulation, power "
		"management, error polling)",
	[UNCOREMSR_CAUSE_OTHER] = "look up the words of the evidence in the processor's manual",
};

/*
 * Text for a piece of evidence. @numbers is the format for evidence with numbers, which are given in @unit. @plain is
 * the text for evidence without numbers; if it is NULL, the names of the bits are written.
 */
static const struct finding_text {
	const char *numbers, *plain;
	double unit;
} finding_texts[] = {
	[UNCOREMSR_FINDING_BITS] = { NULL, NULL, 1 },
	[UNCOREMSR_FINDING_DUTY] = { "ON, running %.4g %% of the time", NULL, 1e4 },
	[UNCOREMSR_FINDING_GUARANTEED] = { "guaranteed level %.0f, %.0f at the first look", NULL, 1 },
	[UNCOREMSR_FINDING_PSTATE] =
		{ "fastest P-state allowed now is %.0f of 0 to %.0f", NULL, 1 },
	[UNCOREMSR_FINDING_LOST_TIME] = { "%.4g s more than at the last look", NULL, 1e9 },
	[UNCOREMSR_FINDING_LOST_UNITS] =
		{ "%.0f units of time more than at the last look; the length of a unit is unknown", NULL, 1 },
	[UNCOREMSR_FINDING_POWER_LIMITS] = { "PL1 %.4g W%s, PL2 %.4g W%s", NULL, 1e6 },
	[UNCOREMSR_FINDING_INTERRUPTS] = { "%.0f more than at the last look", NULL, 1 },
	[UNCOREMSR_FINDING_FREQUENCY] =
		{ "%.4g MHz since the last look, base %.4g MHz", NULL, 1e6 },
	[UNCOREMSR_FINDING_RATIO] = { "ratio %.0f, requested %.0f", NULL, 1 },
	[UNCOREMSR_FINDING_TIMES] = { "times, %.0f more than at the last look", "times", 1 },
	[UNCOREMSR_FINDING_MILLISECONDS] = { NULL, "ms in all", 1 },
	[UNCOREMSR_FINDING_KHZ] = { "kHz of %.0f", NULL, 1 },
	[UNCOREMSR_FINDING_FLAG] = { NULL, "set", 1 },
	[UNCOREMSR_FINDING_ASSERTIONS] = { NULL, "assertions", 1 },
	[UNCOREMSR_FINDING_CYCLES] = { "uncore cycles of %.0f", "uncore cycles", 1 },
};

/*
 * Reasons for open questions. Placeholders: %N is the register, event or file, %E the error message, %H the advice,
 * %O why the register could not be read, and %S the time since which the question is open.
 */
static const char *const reason_texts[] = {
	[UNCOREMSR_REASON_NO_CORE_STATUS] =
		"this processor has no thermal status register (CPUID leaf 1 EDX bit 22)",
	[UNCOREMSR_REASON_NO_FORCED_BITS] = "this processor has no status bits for PROCHOT# from outside",
	[UNCOREMSR_REASON_NO_POWER_REGISTERS] =
		"this processor has no power-limit bits (CPUID leaf 6 EAX bit 4) and no limit-reason "
		"or power-time register",
	[UNCOREMSR_REASON_NO_CLOCK_MODULATION] = "this processor has no clock modulation register",
	[UNCOREMSR_REASON_NO_PACKAGE_STATUS] =
		"this processor has no package status (CPUID leaf 6 EAX bit 6)",
	[UNCOREMSR_REASON_NO_REGISTER] = "no register of this processor shows it",
	[UNCOREMSR_REASON_NO_MEMORY_REGISTER] =
		"no register of this processor shows it; its memory controller's counters may",
	[UNCOREMSR_REASON_NO_EVENT] =
		"the event for it is not defined for this model (Westmere has it)",
	[UNCOREMSR_REASON_TPMI_ONLY] =
		"no register of this processor shows it; the driver intel_plr_tpmi does, in "
		"/sys/kernel/debug (Linux 6.12 and later)",
	[UNCOREMSR_REASON_PROCHOT_IGNORED] =
		"%N bit 0 is off: the processor is set to ignore PROCHOT# from outside, so "
		"requests from the board have no effect and cannot be seen here",
	[UNCOREMSR_REASON_AMD_SMN_ONLY] =
		"AMD has no register for it that can be read here (SMN 0x59804 has it)",
	[UNCOREMSR_REASON_AMD_PSTATE_ONLY] =
		"AMD has no register for it; a P-state limit may have this reason",
	[UNCOREMSR_REASON_AMD_NO_REGISTER] = "AMD has no register for it",
	[UNCOREMSR_REASON_AMD_CPPC] =
		"the hardware chooses the clock itself (CPPC), so a slow clock may be what the operating system "
		"requested",
	[UNCOREMSR_REASON_NEEDS_COUNTING] =
		"only the uncore's events show it, and a single look counts nothing: use --dimm, watch with -i, "
		"or run a COMMAND",
	[UNCOREMSR_REASON_LEFT_OUT] = "left out by --without",
	[UNCOREMSR_REASON_GUEST] = "virtual machine (CPUID hypervisor bit): the registers are absent or "
		"answered by the hypervisor, which does not show what slows the processor down; ask the host",
	[UNCOREMSR_REASON_NO_TABLE] = "no register that shows throttling is known for this processor",
	[UNCOREMSR_REASON_NO_CPUID] = "the processor is unknown, because CPUID cannot be read",
	[UNCOREMSR_REASON_NOTHING_VISIBLE] =
		"no register of this processor and no file of the kernel shows any of the requested causes",
	[UNCOREMSR_REASON_KERNEL_ONLY] =
		"registers are not read here, and the kernel's files do not show it",
	[UNCOREMSR_REASON_NO_ACCESS] = "%E%H",
	[UNCOREMSR_REASON_NO_HSMP] =
		"only the processor's mailbox (HSMP) shows it, and %N is not there: load its driver: modprobe "
		"amd_hsmp, or hsmp_acpi",
	[UNCOREMSR_REASON_FILE_FAILED] = "%N cannot be read",
	[UNCOREMSR_REASON_READ_FAILED] = "%N: %O",
	[UNCOREMSR_REASON_ALL_ONES] = "%N: all its bits read as 1, which is not a valid value",
	[UNCOREMSR_REASON_ALL_ZEROS] =
		"%N: it reads as 0, which no processor does: a hypervisor may be answering",
	[UNCOREMSR_REASON_STANDS_STILL] =
		"%N: it does not advance, so the core's clock is unknown",
	[UNCOREMSR_REASON_AMD_NO_BASE] =
		"%N: it has no base frequency to compare a core's clock with",
	[UNCOREMSR_REASON_CPU_OFFLINE] = "%N: its CPU went offline",
	[UNCOREMSR_REASON_NOT_YET_COUNTED] = "not counted yet",
	[UNCOREMSR_REASON_NO_COUNTERS] = "the uncore's events cannot be counted: %E%H",
	[UNCOREMSR_REASON_PACKAGE_NOT_COUNTED] = "the uncore's events are not counted: %E",
	[UNCOREMSR_REASON_EVENT_NOT_COUNTED] = "%N: %E",
	[UNCOREMSR_REASON_EVENT_DISTURBED] = "%N: disturbed since %S: %E",
	[UNCOREMSR_REASON_SUSPENDED] =
		"%N: the machine was suspended: what happened in this interval is unknown",
	[UNCOREMSR_REASON_NOT_READ_BEFORE] =
		"%N: it had no value at the previous look, so what happened since is unknown",
	[UNCOREMSR_REASON_SENSOR_UNPLACED] =
		"%N does not say which package it belongs to: no label 'Package id N', no device",
};

#endif
