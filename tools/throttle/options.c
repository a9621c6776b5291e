/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <string.h>

#include "common/number.h"
#include "throttle/throttle.h"

#define DEFAULT_PERIOD_NS (5 * NS_PER_S)
#define COMMAND_PERIOD_NS NS_PER_S
#define DIMM_PERIOD_NS NS_PER_S

enum { OPT_WITHOUT = TOOL_LONG };

static const struct tool_option options[] = {
	{ 'i', "interval", "SECONDS",
	  "watch: look every SECONDS (a fraction is allowed) until stopped, and\n"
	  "print only changes; uncore events are counted on free counters" },
	{ 'n', "count", "COUNT", "stop after COUNT intervals (of 5 seconds without -i)" },
	{ TOOL_STORE(throttle_config, since_clear), "since-clear", NULL,
	  "exit status 1 also for causes that are only logged since the last clear" },
	{ TOOL_STORE(throttle_config, kernel_only), "kernel-only", NULL,
	  "use only the kernel's files; no register is read" },
	{ OPT_WITHOUT, "without", "CAUSES",
	  "do not check for these causes (separated by commas), so that they do not make\n"
	  "the verdict cannot-tell" },
	{ TOOL_STORE(throttle_config, dimm), "dimm", NULL,
	  "only answer whether the DIMMs are throttled: yes, no or cannot tell for\n"
	  "each package; counts for one second unless -i and -n say otherwise" },
	{ TOOL_STORE(throttle_config, summary), "summary", NULL,
	  "describe the whole machine in one line, in the same form on every host" },
	{ TOOL_STORE(throttle_config, show_host), "host", NULL,
	  "put this host's name into each line of text; records always have it" },
	{ 'o', "output", "FILE",
	  "append to FILE, - for standard output; if it is renamed or removed,\n"
	  "a new one is created" },
	{ TOOL_STORE(throttle_config, clear), "clear", NULL,
	  "reset the sticky log bits and print which; cannot be undone" },
	{ TOOL_STORE(throttle_config, dry_run), "dry-run", NULL,
	  "with --clear: write nothing; print the rdmsr and wrmsr commands" },
	{ TOOL_STORE(throttle_config, trace), "trace", NULL, "print every register operation on standard error" },
	{ 0, NULL, NULL, NULL },
};

const struct tool this_tool = {
	.name = "uncore-throttle",
	.synopsis = "[--summary] [--since-clear] [--kernel-only] [--without=CAUSES] [OPTION]...\n"
		    "-i SECONDS [-n COUNT] [--output=FILE] [OPTION]...\n"
		    "--dimm [-i SECONDS] [-n COUNT] [OPTION]...\n"
		    "[-i SECONDS] [OPTION]... -- COMMAND [ARG...]\n"
		    "--clear [--dry-run] [OPTION]...",
	.about = "Is this machine being slowed down, by what, since when? Looks once, repeatedly\n"
		 "(-i) or while COMMAND runs. One look takes a fraction of a second and writes no\n"
		 "register. -i, --dimm and COMMAND program counters and restore them; --clear\n"
		 "resets log bits. No other register is written.\n",
	.options = options,
	.statuses =
		"  0   not slowed down (also: only logged, without --since-clear)\n"
		"  1   slowed down now, or at some time during -i or COMMAND\n"
		"  2   usage: invalid command line, or FILE of -o cannot be opened\n"
		"  3   cannot tell: a question that this processor can answer has no answer and\n"
		"      was not left out (--without); or the output could not be written\n"
		"  4   cannot tell, because access is missing: driver, permission, lockdown; or\n"
		"      FILE of -o may not be written\n"
		"  126, 127  COMMAND cannot be run, or was not found; the exit status of\n"
		"      COMMAND itself is only printed\n",
	.series = true,
	.examples =
		"  uncore-throttle\n"
		"  uncore-throttle --summary\n"
		"  uncore-throttle -i 10 --output=/var/log/uncore-throttle.log\n"
		"  uncore-throttle -- make -j\n"
		"  uncore-throttle --dimm -i 5 -n 1\n",
};

static int find_cause(const char *word, size_t len)
{
	for (int cause = 0; cause < THROTTLE_CAUSES; cause++) {
		const char *is = uncoremsr_cause_word((enum uncoremsr_cause_kind)cause);

		if (strlen(is) == len && !strncmp(is, word, len))
			return cause;
	}
	return -1;
}

static int take_without(struct throttle_config *cfg, const char *list)
{
	for (const char *end; ; list = end + 1) {
		int cause;

		end = list + strcspn(list, ",");
		cause = find_cause(list, (size_t)(end - list));
		if (cause < 0)
			return tool_usage("--without: '%.*s': no such cause; uncore-throttle(1) "
					"lists them", (int)(end - list), list);
		cfg->without |= 1u << cause;
		if (!*end)
			return 0;
	}
}

static int parse_option(void *user, int id, const char *arg)
{
	struct throttle_config *cfg = user;

	switch (id) {
	case 'i':
		cfg->periodic = true;
		return option_seconds("--interval", arg, &cfg->interval_ns);
	case 'n':
		cfg->periodic = true;
		return option_number("--count", arg, 1, INT64_MAX, &cfg->count);
	case OPT_WITHOUT:
		return take_without(cfg, arg);
	case 'o':
		cfg->output = arg;
		return *arg ? 0 : tool_usage("--output: '': a file name is required");
	default:
		return tool_usage("'%s': not an option; COMMAND goes after --", arg);
	}
}

static int check(const struct throttle_config *cfg)
{
	bool several = cfg->periodic || cfg->command;
	bool others = cfg->kernel_only || cfg->since_clear || cfg->dimm || cfg->summary;

	if (cfg->without == (1u << THROTTLE_CAUSES) - 1)
		return tool_usage("--without: leaves out every cause, so nothing is left to check");
	if (cfg->dimm && (cfg->without >> UNCOREMSR_CAUSE_DIMM_THERMAL & 1))
		return tool_usage("--without=dimm-thermal: cannot be used with --dimm, which checks only this cause");
	if (cfg->count && cfg->command)
		return tool_usage("--count: cannot be used with COMMAND, which is watched until it ends");
	if (cfg->clear && (several || others || cfg->without))
		return tool_usage("--clear: cannot be used with other modes; use them before or after it");
	if (cfg->dry_run && !cfg->clear)
		return tool_usage("--dry-run: works only with --clear");
	if (cfg->summary && (several || cfg->dimm))
		return tool_usage("--summary: shows the state once; leave out -i, -n, --dimm and COMMAND");
	if (cfg->common.series && (cfg->clear || cfg->dimm || cfg->summary))
		return tool_usage("--format=%s: lists every cause; leave out --clear, --dimm and "
				"--summary", cfg->common.series->name);
	if (cfg->dimm && cfg->kernel_only)
		return tool_usage("--dimm: no file shows throttling of DIMMs; leave out --kernel-only");
	return TOOL_GO_ON;
}

static void derive(struct throttle_config *cfg)
{
	if (cfg->periodic && !cfg->interval_ns)
		cfg->interval_ns = DEFAULT_PERIOD_NS;
	if (!cfg->interval_ns && cfg->command)
		cfg->interval_ns = COMMAND_PERIOD_NS;
	if (!cfg->interval_ns && cfg->dimm) {
		cfg->interval_ns = DIMM_PERIOD_NS;
		cfg->count = 1;
	}
}

int throttle_options_parse(struct throttle_config *cfg, int argc, char **argv)
{
	int status;

	*cfg = (struct throttle_config){ .periodic = false };
	host_name(cfg->host);
	status = tool_parse(argc, argv, &cfg->common, parse_option, cfg);
	if (status != TOOL_GO_ON)
		return status;
	if (cfg->common.has_rest && !cfg->common.rest[0])
		return tool_usage("--: COMMAND is missing after it");
	if (cfg->common.has_rest)
		cfg->command = cfg->common.rest;
	status = check(cfg);
	derive(cfg);
	return status;
}
