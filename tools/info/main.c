/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* uncore-info: what this machine is, and whether uncore events can be counted. Writes no register. */
#include <stdlib.h>

#include "common/properties.h"
#include "info/info.h"

static const struct tool_option options[] = {
	{ TOOL_STORE(info, registers), "registers", NULL, "list every uncore register of this processor" },
	{ TOOL_STORE(info, uarch), "uarch", "NAME", "with --registers: of another processor (westmere)" },
	{ TOOL_STORE(info, collisions), "collisions", NULL,
	  "list every address that means different things on\n"
	  "different processors" },
	{ TOOL_STORE(info, cpuid), "cpuid", "FILE",
	  "describe the CPUs of FILE, as 'cpuid -r' prints them,\n"
	  "instead of a machine" },
	{ TOOL_STORE(info, boot_file), "boot-log", "FILE",
	  "compare with the kernel's message in a saved boot log;\n"
	  "- is standard input" },
	{ 0, NULL, NULL, NULL },
};

const struct tool this_tool = {
	.name = "uncore-info",
	.synopsis = "[OPTION]...\n--cpuid=FILE [OPTION]...\n--registers [--uarch=NAME] [OPTION]...\n"
		    "--collisions [OPTION]...",
	.about = "Say what this machine is: identity, core counters, packages, PMUs, the register\n"
		 "driver, counters in use; with --verbose also the long lists. Registers are only\n"
		 "read.\n",
	.options = options,
	.options_only = true,
	.statuses =
		"  0   the machine was described, supported or not\n"
		"  1   the output failed\n"
		"  2   usage: a mistake in the command line or a file, or no such machine\n"
		"  3   unknown here: no CPU in sysfs; --registers: processor not in the tables\n"
		"  4   no access\n",
	.examples =
		"  uncore-info\n"
		"  uncore-info --cpuid=dump.txt --format=json\n"
		"  uncore-info --registers --uarch=nehalem --format=csv\n",
};

static int parse(struct info *i, int argc, char **argv)
{
	int status = tool_parse(argc, argv, &i->common, NULL, i);

	if (status != TOOL_GO_ON)
		return status;
	if (i->uarch && !i->registers)
		return tool_usage("--uarch: works only with --registers");
	if (i->collisions && (i->registers || i->cpuid || i->boot_file))
		return tool_usage("--collisions: cannot be combined with --registers, --cpuid or --boot-log");
	if (i->registers && (i->cpuid || i->boot_file))
		return tool_usage("--registers: cannot be combined with --cpuid or --boot-log");
	if (i->cpuid && i->common.machine_given)
		return tool_usage("--cpuid: describes a file, and cannot be combined with --machine");
	return TOOL_GO_ON;
}

/* Describe a kind of core from a CPUID file in @i->recorded. */
static void describe_kind(struct info *i, const struct uncoremsr_core_kind *kind)
{
	i->recorded = (struct uncoremsr_machine){
		.vendor = kind->vendor, .brand = kind->brand, .identity_source = "file", .family = kind->family,
		.model = kind->model, .stepping = kind->stepping, .hypervisor = kind->hypervisor,
		.uarch = kind->uarch, .uarch_title = kind->uarch_title, .tables = kind->tables,
		.supported = kind->tables > 0 && !kind->hypervisor,
		.reason = "a recorded CPUID: there is no machine to count on", .pvr = UINT64_MAX,
	};
	i->m = &i->recorded;
}

static const struct record_column identity[] = {
	{ "vendor", RECORD_STR, RECORD_AT(uncoremsr_machine, vendor) },
	{ "family", RECORD_INT, RECORD_AT(uncoremsr_machine, family) },
	{ "model", RECORD_INT, RECORD_AT(uncoremsr_machine, model) },
	{ "stepping", RECORD_INT, RECORD_AT(uncoremsr_machine, stepping) },
	{ "uarch", RECORD_STR, RECORD_AT(uncoremsr_machine, uarch) },
	{ "supported", RECORD_BOOL, RECORD_AT(uncoremsr_machine, supported) },
	{ "hypervisor", RECORD_BOOL, RECORD_AT(uncoremsr_machine, hypervisor) },
}, facts[] = {
	{ "machine", RECORD_STR, RECORD_AT(uncoremsr_machine, name) },
	{ "simulated", RECORD_BOOL, RECORD_AT(uncoremsr_machine, simulated) },
	{ "identity_source", RECORD_STR, RECORD_AT(uncoremsr_machine, identity_source) },
	{ "uarch_title", RECORD_STR, RECORD_AT(uncoremsr_machine, uarch_title) },
	{ "reason", RECORD_STR, RECORD_AT(uncoremsr_machine, reason) },
	{ "online", RECORD_STR, RECORD_AT(uncoremsr_machine, online_cpus) },
}, uncore[] = {
	{ "general_counters", RECORD_INT, RECORD_AT(uncoremsr_pmu, general_counters) },
	{ "general_width", RECORD_INT, RECORD_AT(uncoremsr_pmu, general_width) },
	{ "fixed_counters", RECORD_INT, RECORD_AT(uncoremsr_pmu, fixed_counters) },
	{ "name", RECORD_STR, RECORD_AT(uncoremsr_pmu, name) },
};

/* @kind: a kind of core in a CPUID file, with null in all fields about a machine; NULL: the machine. */
static void put(struct info *i, const struct uncoremsr_core_kind *kind)
{
	const struct uncoremsr_surroundings *around;
	const struct uncoremsr_core_kind *k;

	record_fields(&i->w, RECORD_COLUMNS(identity), i->m);
	info_put_leaf_0xa(i, kind ? kind : i->cores->kinds[0]);
	info_put_packages(i);
	record_object(&i->w, "uncore", RECORD_COLUMNS(uncore), info_pmu(i));
	info_put_pmus(i);
	record_fields(&i->w, RECORD_COLUMNS(facts), i->m);
	info_put_counters(i, info_put_driver(i));
	if (kind) {
		record_str(&i->w, "core_kinds", NULL);
	} else {
		record_open_list(&i->w, "core_kinds");
		for (size_t n = 0; (k = i->cores->kinds[n]); n++) {
			record_open(&i->w, NULL);
			info_put_kind(i, k);
			info_put_leaf_0xa(i, k);
			record_close(&i->w);
		}
		record_close(&i->w);
	}
	info_put_kernel(i);
	info_put_boot_log(i);
	info_put_in_memory(i);
	around = uncoremsr_surroundings(i->um, UNCOREMSR_LOOK_AT_SAMPLING);
	record_int(&i->w, "max_precise", around ? around->max_precise : -1);
	record_int(&i->w, "branch_records", around ? around->branches : -1);
}

/* Write one object for each kind of core. In CSV, write one object with a list of all kinds. */
static void put_file(struct info *i)
{
	const struct uncoremsr_core_kind *kind;
	bool one_tree = i->w.format == &record_csv;
	int64_t cpus = 0;

	for (size_t k = 0; (kind = i->cores->kinds[k]); k++)
		cpus += kind->num_cpus;
	if (one_tree) {
		record_begin(&i->w);
		record_open_list(&i->w, "core_kinds");
	}
	for (size_t k = 0; (kind = i->cores->kinds[k]); k++) {
		if (one_tree)
			record_open(&i->w, NULL);
		else
			record_begin(&i->w);
		describe_kind(i, kind);
		put(i, kind);
		record_str(&i->w, "file", i->cpuid);
		record_int(&i->w, "logical_cpus", cpus);
		info_put_kind(i, kind);
		if (one_tree)
			record_close(&i->w);
		else
			record_end(&i->w);
	}
}

static void show(struct info *i)
{
	bool power = machine_is_power(i->um);

	info_show_processor(i);
	if (!power)
		info_show_kinds(i);
	if (i->um) {
		info_show_packages(i);
		info_show_kernel(i);
	}
	if (i->boot)
		info_show_boot_log(i);
	if (!i->um || power)
		return;
	if (info_show_driver(i))
		info_show_counters(i);
	else if (info_pmu(i))
		out_fmt(i->o, INFO_LABEL "unknown: the registers cannot be read\n", "counters");
}

static int describe_cores(struct info *i)
{
	struct boot_log log;
	int status;

	if (i->boot_file) {
		status = info_read_boot_log(i->boot_file, &log);
		if (status)
			return status;
		i->boot = &log;
	}
	i->cores = uncoremsr_cores(i->tables, i->cpuid);
	if (!i->cores && i->cpuid)
		return tool_say((int)uncoremsr_error(i->tables)->error_class, "--cpuid: %s",
				uncoremsr_error(i->tables)->message);
	if (!i->cores)
		return tool_fail(i->um);
	info_read_pmus(i);
	if (i->um)
		i->m = uncoremsr_machine(i->um);
	else
		describe_kind(i, i->cores->kinds[0]);
	if (records_for_people(&i->w)) {
		size_t start = i->o->len;

		show(i);
		out_fold(i->o, start, 80, 15);
	} else if (!i->um) {
		put_file(i);
	} else {
		record_begin(&i->w);
		put(i, NULL);
		record_end(&i->w);
	}
	return TOOL_DONE;
}

static int describe(struct info *i)
{
	i->um = i->cpuid ? NULL : i->tables;
	/* The tables of a named processor and a CPUID file can be shown without a machine. */
	if (i->um && !i->uarch && !i->collisions && uncoremsr_open(i->um) < 0)
		return tool_machine_fail(&i->common, i->um);
	if (i->collisions)
		return info_collisions(i);
	return i->registers ? info_registers(i) : describe_cores(i);
}

int main(int argc, char **argv)
{
	struct out o;
	struct info i = { .o = &o };
	int status = parse(&i, argc, argv);

	if (status != TOOL_GO_ON)
		return status;
	tool_output(&i.common, &o, &i.w, &i);
	if (!i.cpuid)
		status = tool_machine(&i.common, &i.tables);
	else
		status = uncoremsr_new(&i.tables) ? tool_no_memory() : 0;
	if (!status)
		status = describe(&i);
	records_free(&i.w);
	status = out_finish(&o, tool_complete(i.tables, &o, status));
	free(i.pmus);
	arena_free(&i.texts);
	uncoremsr_free(i.tables);
	return status;
}
