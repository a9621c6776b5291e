/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* uncore-info: what this machine is, and whether its uncore can be counted. Writes no register. */
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "common/properties.h"
#include "info/info.h"

struct config {
	struct tool_common common;
	const char *uarch, *cpuid, *boot_log;
	bool registers, collisions;
};

static const struct tool_option options[] = {
	{ TOOL_STORE(config, registers), "registers", NULL, "list every uncore register of this processor" },
	{ TOOL_STORE(config, uarch), "uarch", "NAME", "with --registers: of another processor (westmere)" },
	{ TOOL_STORE(config, collisions), "collisions", NULL,
	  "list every address that means different things on\n"
	  "different processors" },
	{ TOOL_STORE(config, cpuid), "cpuid", "FILE",
	  "describe the CPUs of FILE, as 'cpuid -r' prints them,\n"
	  "instead of a machine" },
	{ TOOL_STORE(config, boot_log), "boot-log", "FILE",
	  "compare with the kernel's message in a saved boot log;\n"
	  "- is standard input" },
	{ 0, NULL, NULL, NULL },
};

const struct tool info_tool = {
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

static int parse(struct config *cfg, int argc, char **argv)
{
	int status = tool_parse(&info_tool, argc, argv, &cfg->common, NULL, cfg);

	if (status != TOOL_GO_ON)
		return status;
	if (cfg->uarch && !cfg->registers)
		return tool_usage(&info_tool, "--uarch: works only with --registers");
	if (cfg->collisions && (cfg->registers || cfg->cpuid || cfg->boot_log))
		return tool_usage(&info_tool, "--collisions: cannot be combined with --registers, "
				  "--cpuid or --boot-log");
	if (cfg->registers && (cfg->cpuid || cfg->boot_log))
		return tool_usage(&info_tool, "--registers: cannot be combined with --cpuid or "
				  "--boot-log");
	if (cfg->cpuid && cfg->common.machine_given)
		return tool_usage(&info_tool, "--cpuid: describes a file, and cannot be combined with "
				  "--machine");
	return TOOL_GO_ON;
}

/*
 * Write the record. @kind: a kind of core of a file, with null for everything that needs a machine; NULL: the machine.
 */
static void put(struct info *i, const struct uncoremsr_core_kind *kind)
{
	const struct uncoremsr_core_kind *k;

	info_put_identity(i, kind);
	info_put_leaf_0xa(i, kind ? kind : i->cores->kinds[0]);
	info_put_packages(i);
	info_put_uncore(i);
	info_put_pmus(i, info_uarch(i, kind));
	info_put_names(i, kind);
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
	info_put_sampling(i);
}

/* Write an object for each kind of core; in CSV, a list of them in one object. */
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
		put(i, kind);
		record_str(&i->w, "file", i->file);
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

/* Describe what the user asks for, from the machine in @i or from the file. */
static int describe_cores(const struct config *cfg, struct info *i)
{
	struct boot_log log;
	int status;

	if (cfg->boot_log) {
		status = boot_log_read(cfg->boot_log, &log);
		if (status)
			return status;
		i->boot = &log;
	}
	i->cores = uncoremsr_cores(i->tables, cfg->cpuid);
	if (!i->cores && cfg->cpuid)
		return tool_say(&info_tool, TOOL_USAGE, "--cpuid: %s", uncoremsr_error(i->tables)->message);
	if (!i->cores)
		return tool_fail(&info_tool, i->um);
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

static int describe(const struct config *cfg, struct uncoremsr *um, struct out *o)
{
	struct info i = {
		.um = cfg->cpuid ? NULL : um, .tables = um, .file = cfg->cpuid, .boot_file = cfg->boot_log,
		.verbose = cfg->common.verbose, .o = o,
	};
	int status;

	/* Tables of named processors, and a file, need no machine. */
	if (i.um && !cfg->uarch && !cfg->collisions && uncoremsr_open(um) < 0)
		return tool_machine_fail(&info_tool, &cfg->common, um);
	records_init(&i.w, &cfg->common, o, &i);
	if (cfg->collisions)
		status = info_collisions(&i);
	else if (cfg->registers)
		status = info_registers(&i, cfg->uarch);
	else
		status = describe_cores(cfg, &i);
	records_free(&i.w);
	return status;
}

int main(int argc, char **argv)
{
	struct config cfg = { .uarch = NULL };
	struct uncoremsr *um = NULL;
	struct out o;
	int status = parse(&cfg, argc, argv);

	if (status != TOOL_GO_ON)
		return status;
	/* If the reader of stdout ends, do not die of SIGPIPE: the write fails, and we report that. */
	signal(SIGPIPE, SIG_IGN);
	out_init(&o, STDOUT_FILENO);
	if (!cfg.cpuid)
		status = tool_machine(&info_tool, &cfg.common, &um);
	else
		status = uncoremsr_new(&um) ? tool_no_memory(&info_tool) : 0;
	if (!status)
		status = describe(&cfg, um, &o);
	status = out_finish(&o, &info_tool, tool_complete(&info_tool, um, &o, status));
	uncoremsr_free(um);
	out_free(&o);
	return status;
}
