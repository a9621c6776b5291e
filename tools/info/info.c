/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The options of uncore-info and the words that its formats share. */
#include <stdio.h>

#include "info/info.h"

static const struct tool_option options[] = {
	{ INFO_REGISTERS, "registers", NULL, "list every uncore register of this processor" },
	{ INFO_UARCH, "uarch", "NAME", "with --registers: of another processor (westmere)" },
	{ INFO_COLLISIONS, "collisions", NULL, "list every address that means different things on\n"
	  "different processors" },
	{ INFO_CPUID, "cpuid", "FILE", "describe the CPUs of FILE, as 'cpuid -r' prints them,\n"
	  "instead of a machine" },
	{ INFO_BOOT_LOG, "boot-log", "FILE", "compare with what the kernel said in a saved boot\n"
	  "log; - is standard input" },
	{ 0, NULL, NULL, NULL },
};

const struct tool info_tool = {
	.name = "uncore-info",
	.synopsis = "[OPTION]...\n--cpuid=FILE [OPTION]...\n--registers [--uarch=NAME] [OPTION]...\n"
		    "--collisions [OPTION]...",
	.about = "Say what this machine is: identity, core counters, packages, PMUs, the register\n"
		 "driver, counters in use; with --verbose also the long lists. Registers are read only.\n",
	.options = options,
	.statuses =
		"  0   the machine was described, supported or not\n"
		"  1   the output failed\n"
		"  2   usage: the command line or a file makes no sense, or there is no such machine\n"
		"  3   cannot be told here: no CPU in sysfs; --registers: processor not in the tables\n"
		"  4   no access\n",
	.examples =
		"  uncore-info\n"
		"  uncore-info --cpuid=dump.txt --format=json\n"
		"  uncore-info --registers --uarch=nehalem --format=csv\n",
};

const struct uncoremsr_pmu *info_pmu(const struct uncoremsr *um)
{
	return uncoremsr_num_pmus(um) ? uncoremsr_pmu(um, 0) : NULL;
}

const char *info_driver_word(enum uncoremsr_driver_state state)
{
	static const char *const words[] = {
		[UNCOREMSR_DRIVER_READY] = "ready",
		[UNCOREMSR_DRIVER_MISSING] = "missing",
		[UNCOREMSR_DRIVER_NO_NODE] = "no-node",
		[UNCOREMSR_DRIVER_NO_PERMISSION] = "no-permission",
		[UNCOREMSR_DRIVER_NO_CAPABILITY] = "no-capability",
		[UNCOREMSR_DRIVER_OTHER] = "other",
	};

	return words[state];
}

const char *info_counter_word(enum uncoremsr_counter_state state)
{
	static const char *const words[] = {
		[UNCOREMSR_COUNTER_FREE] = "free",
		[UNCOREMSR_COUNTER_IN_USE] = "in-use",
		[UNCOREMSR_COUNTER_UNKNOWN] = "unknown",
	};

	return words[state];
}

const char *info_event_word(enum uncoremsr_event_state state)
{
	static const char *const words[] = {
		[UNCOREMSR_EVENT_PRESENT] = "present",
		[UNCOREMSR_EVENT_ABSENT] = "absent",
		[UNCOREMSR_EVENT_NOT_LISTED] = "not-listed",
	};

	return words[state];
}

const char *info_counters_from(const struct uncoremsr_core_kind *kind)
{
	static const char *const words[] = {
		[UNCOREMSR_COUNTERS_FROM_LEAF_0XA] = "leaf 0xA",
		[UNCOREMSR_COUNTERS_FROM_LEAF_0X23] = "leaf 0x23",
		[UNCOREMSR_COUNTERS_FROM_MODEL] =
			"model: leaf 0xA tells what both kinds of core have",
	};
	int64_t from = info_fact(kind, UNCOREMSR_CORE_COUNTERS_FROM);

	return from < 0 ? NULL : words[from];
}

const char *info_level_word(enum uncoremsr_level level)
{
	static const char *const words[] = {
		"unknown", "SMT", "core", "module", "tile", "die", "die group",
	};

	return words[(unsigned)level <= UNCOREMSR_LEVEL_DIE_GROUP ? level : 0];
}

size_t info_num_cpus(const struct uncoremsr_cores *cores)
{
	const struct uncoremsr_core_kind *kind;
	size_t num = 0;

	for (size_t k = 0; (kind = uncoremsr_core_kind(cores, k)); k++)
		num += (size_t)info_fact(kind, UNCOREMSR_CORE_NUM_CPUS);
	return num;
}

const char *info_driver_why(struct uncoremsr *um, char *buf, size_t size)
{
	const char *hint = uncoremsr_hint(um);

	snprintf(buf, size, "%s%s%s", uncoremsr_errmsg(um), *hint ? "; " : "", hint);
	return buf;
}

const char *info_core_type(const struct uncoremsr_core_kind *kind)
{
	switch (info_fact(kind, UNCOREMSR_CORE_TYPE)) {
	case 0x40:
		return "P";
	case 0x20:
		return "E";
	default:
		return NULL;
	}
}
