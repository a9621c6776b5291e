/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* uncore-info: what this machine is and what stands in the way of counting. Writes no register. */
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "info/info.h"

struct info_config {
	struct tool_common common;
	const char *uarch, *cpuid, *boot_log;
	bool registers, collisions;
};

static int parse_option(void *user, int id, const char *arg)
{
	struct info_config *cfg = user;

	if (id == INFO_REGISTERS)
		cfg->registers = true;
	else if (id == INFO_COLLISIONS)
		cfg->collisions = true;
	else if (id == INFO_UARCH)
		cfg->uarch = arg;
	else if (id == INFO_CPUID)
		cfg->cpuid = arg;
	else if (id == INFO_BOOT_LOG)
		cfg->boot_log = arg;
	else
		return tool_usage(&info_tool, "'%s': not an option", arg);
	return 0;
}

static int parse(struct info_config *cfg, int argc, char **argv)
{
	int status = tool_parse(&info_tool, argc, argv, &cfg->common, parse_option, cfg);

	if (status != TOOL_GO_ON)
		return status;
	if (cfg->common.rest[0])
		return tool_usage(&info_tool, "'%s': not an option", cfg->common.rest[0]);
	if (cfg->uarch && !cfg->registers)
		return tool_usage(&info_tool, "--uarch: goes with --registers only");
	if (cfg->collisions && (cfg->registers || cfg->cpuid || cfg->boot_log))
		return tool_usage(&info_tool, "--collisions: is about all tables and goes with none "
				  "of --registers, --cpuid and --boot-log");
	if (cfg->registers && (cfg->cpuid || cfg->boot_log))
		return tool_usage(&info_tool, "--registers: does not go with --cpuid or --boot-log");
	if (cfg->cpuid && cfg->common.machine && cfg->common.machine != getenv("UNCOREMSR_MACHINE"))
		return tool_usage(&info_tool, "--cpuid: describes a file, not a --machine");
	return TOOL_GO_ON;
}

/* What was asked for, from the machine in @i or from the file. */
static int describe_cores(const struct info_config *cfg, struct info *i, struct out *o)
{
	struct boot_log log;
	char why[512];
	int status;

	if (cfg->boot_log) {
		status = boot_log_read(&info_tool, cfg->boot_log, &log);
		if (status)
			return status;
		i->boot = &log;
	}
	if (i->um && uncoremsr_cores_read(i->um, &i->cores) < 0)
		return tool_fail(&info_tool, i->um);
	if (!i->um && uncoremsr_cores_load(&i->cores, cfg->cpuid, why, sizeof(why)) < 0)
		return tool_say(&info_tool, TOOL_USAGE, "--cpuid: %s", why);
	if (cfg->common.format == TOOL_TEXT)
		info_write_text(i, o);
	else
		info_write_fields(i, o, cfg->common.format == TOOL_JSON);
	uncoremsr_cores_free(i->cores);
	return TOOL_DONE;
}

static int describe(const struct info_config *cfg, struct uncoremsr *um, struct out *o)
{
	struct info i = {
		.um = um, .file = cfg->cpuid, .boot_file = cfg->boot_log,
		.verbose = cfg->common.verbose,
	};

	/* Tables of named processors, and a file, need no machine. */
	if (um && !cfg->uarch && !cfg->collisions && uncoremsr_open(um) < 0)
		return tool_fail(&info_tool, um);
	if (cfg->collisions)
		return info_write_collisions(um, o, cfg->common.format);
	if (cfg->registers)
		return info_write_registers(um, o, cfg->common.format, cfg->uarch);
	return describe_cores(cfg, &i, o);
}

int main(int argc, char **argv)
{
	struct info_config cfg = { .uarch = NULL };
	struct uncoremsr *um = NULL;
	struct out o;
	int status = parse(&cfg, argc, argv);

	if (status != TOOL_GO_ON)
		return status;
	/* A reader that leaves is seen as a failed write. */
	signal(SIGPIPE, SIG_IGN);
	out_init(&o, STDOUT_FILENO);
	status = cfg.cpuid ? 0 : tool_machine(&info_tool, &cfg.common, &um);
	if (!status)
		status = describe(&cfg, um, &o);
	status = out_finish(&o, &info_tool, status);
	uncoremsr_free(um);
	out_free(&o);
	return status;
}
