/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* uncore-info: what this machine is and what stands in the way of counting. Writes no register. */
#include <signal.h>
#include <unistd.h>

#include "info.h"

struct info_config {
	struct tool_common common;
	const char *uarch;
	bool registers;
};

static int parse_option(void *user, int id, const char *arg)
{
	struct info_config *cfg = user;

	if (id == INFO_REGISTERS)
		cfg->registers = true;
	else if (id == INFO_UARCH)
		cfg->uarch = arg;
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
	return TOOL_GO_ON;
}

static int describe(const struct info_config *cfg, struct uncoremsr *um, struct out *o)
{
	/* Tables of a named processor need no machine. */
	if (!cfg->uarch && uncoremsr_open(um) < 0)
		return tool_fail(&info_tool, um);
	if (cfg->registers)
		return info_write_registers(um, o, cfg->common.format, cfg->uarch);
	if (cfg->common.format == TOOL_TEXT)
		info_write_text(um, o);
	else
		info_write_fields(um, o, cfg->common.format == TOOL_JSON);
	return TOOL_DONE;
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
	status = tool_machine(&info_tool, &cfg.common, &um);
	if (!status)
		status = describe(&cfg, um, &o);
	status = out_finish(&o, &info_tool, status);
	uncoremsr_free(um);
	out_free(&o);
	return status;
}
