/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <stdlib.h>
#include <string.h>

#include "agent/agent.h"
#include "common/number.h"
#include "common/output.h"
#include "common/wait.h"

#define DEFAULT_INTERVAL_NS (10 * NS_PER_S)
/* Where outputs keep files from run to run, unless the configuration says otherwise. */
#define STATE_DIR "/var/lib/uncoremsr"
/* collectd's defaults, used if its configuration does not set them. */
#define COLLECTD_TIMEOUT 2.0
#define COLLECTD_INTERVAL_NS (10 * NS_PER_S)

enum { OPT_CONFIG = TOOL_LONG, OPT_PROMETHEUS, OPT_COLLECTD, OPT_AGENTX, OPT_STATE };

static const struct tool_option options[] = {
	{ OPT_CONFIG, "config", "FILE",
	  "what to count and where to serve it, in collectd's syntax: blocks\n"
	  "<Plugin intel_pmu> and <Plugin uncoremsr>" },
	{ 'e', "event", "EVENT", "count this event as well; may be repeated" },
	{ 'M', "metric", "METRIC", "count this metric as well; may be repeated" },
	{ TOOL_STORE(agent_config, throttle), "throttle", NULL,
	  "also report throttling and its causes; the events for that use free counters only" },
	{ 'i', "interval", "SECONDS", "interval between readings: 0.01 to 86400 seconds (default 10); overrides the file" },
	{ 'n', "count", "COUNT", "end after COUNT intervals" },
	{ OPT_PROMETHEUS, "prometheus", "WHERE",
	  "serve /metrics at [ADDR]:PORT (default ADDR: localhost) or at unix:PATH;\n"
	  "may be repeated" },
	{ OPT_COLLECTD, "collectd", "WHERE",
	  "send values to collectd: unix:PATH is the socket of its plugin unixsock; exec is\n"
	  "standard output, for an agent started by its plugin exec" },
	{ OPT_AGENTX, "agentx", "ADDRESS",
	  "serve UNCOREMSR-MIB through the SNMP daemon whose AgentX socket is tcp:HOST:PORT\n"
	  "or unix:PATH" },
	{ OPT_STATE, "state", "DIR",
	  "folder for totals and row numbers, kept between runs (default " STATE_DIR ")" },
	{ TOOL_STORE(agent_config, print_snmp_agent_conf), "print-snmp-agent-conf", NULL,
	  "print the configuration that collectd's own plugin snmp_agent needs" },
	{ TOOL_STORE(agent_config, check), "check", NULL,
	  "print what would be counted and what it needs; open nothing" },
	{ 0, NULL, NULL, NULL },
};

const struct tool this_tool = {
	.name = "uncore-agent",
	.synopsis = "--config=FILE [--check] [OPTION]...\n"
		    "[-e EVENT]... [-M METRIC]... [--throttle] [-i SECONDS] [-n COUNT]\n"
		    "[--prometheus=[ADDR]:PORT] [--collectd=unix:PATH|exec] [--agentx=ADDRESS] [--check]\n"
		    "[OPTION]...",
	.about = "Count once for all readers: one process holds the counters and reads them every\n"
		 "interval; another, without privileges, serves the totals to whoever asks. Runs\n"
		 "in the foreground until a signal ends it, and then restores every register.\n",
	.options = options,
	.statuses =
		"  0   done (--check, -n)\n"
		"  1   a register could not be restored, output cannot be written, or (--check)\n"
		"      something cannot be counted\n"
		"  2   usage: invalid command line or file; the message has FILE:LINE\n"
		"  3   cannot count this here, or an output cannot be started\n"
		"  4   no access: driver, permission, lockdown; or the address is in use\n"
		"  If a signal ends the agent, the exit status shows the signal.\n",
	.examples =
		"  uncore-agent --throttle -M memory-bandwidth -i 5 --prometheus=:9468\n"
		"  uncore-agent --config=/etc/uncore-agent.conf --check\n",
};

static int take_interval(struct agent_config *cfg, const char *arg)
{
	if (!number_parse_seconds(arg, &cfg->interval_ns, NULL) || !agent_interval_fits((double)cfg->interval_ns / 1e9))
		return tool_usage("--interval: '%s': " AGENT_INTERVALS, arg);
	doubt_number("--interval", arg, false);
	return 0;
}

static int parse_option(void *user, int id, const char *arg)
{
	struct agent_config *cfg = user;

	switch (id) {
	case OPT_CONFIG:
		if (cfg->path)
			return tool_usage("--config: given twice");
		cfg->path = arg;
		return *arg ? 0 : tool_usage("--config: '': a file name is required");
	case 'e':
		doubt_events("-e", arg);
		return agent_take_event(cfg, &cfg->own, AGENT_EVENT, arg, 0) ? 0 : TOOL_PARTIAL;
	case 'M':
		return agent_take_event(cfg, &cfg->own, AGENT_METRIC, arg, 0) ? 0 : TOOL_PARTIAL;
	case 'i':
		return take_interval(cfg, arg);
	case 'n':
		return option_number("--count", arg, 1, INT64_MAX, &cfg->count);
	case OPT_PROMETHEUS:
		return agent_config_option(cfg, "--prometheus", arg);
	case OPT_COLLECTD:
		if (*cfg->collectd.where)
			return tool_usage("--collectd: given twice");
		return agent_config_option(cfg, "--collectd", arg);
	case OPT_AGENTX:
		return agent_config_option(cfg, "--agentx", arg);
	case OPT_STATE:
		return agent_config_option(cfg, "--state", arg);
	default:
		return tool_usage("'%s': unexpected argument; put an event after -e", arg);
	}
}

/* Options of the command line take precedence over those of the file. */
static int read_file(struct agent_config *cfg)
{
	const struct agent_config given = *cfg;
	int status;

	*cfg->collectd.where = '\0';
	status = cfg->path ? agent_config_read(cfg) : 0;
	if (given.interval_ns)
		cfg->interval_ns = given.interval_ns;
	if (*given.collectd.where)
		memcpy(cfg->collectd.where, given.collectd.where, sizeof(given.collectd.where));
	if (*given.snmp.address)
		memcpy(cfg->snmp.address, given.snmp.address, sizeof(given.snmp.address));
	if (given.state || !cfg->state)
		cfg->state = given.state ? given.state : STATE_DIR;
	return status;
}

/* Take the interval from the environment that collectd's plugin exec sets. */
static void hear_collectd(struct agent_config *cfg)
{
	const char *interval = getenv("COLLECTD_INTERVAL");
	uint64_t ns;

	if (strcmp(cfg->collectd.where, "exec") != 0 || !interval ||
	    !number_parse_seconds(interval, &ns, NULL) || !agent_interval_fits((double)ns / 1e9))
		return;
	cfg->collectd.timeout_ns = ns;
	cfg->interval_ns = cfg->interval_ns ? cfg->interval_ns : ns;
}

static bool counts_nothing(const struct agent_config *cfg)
{
	size_t num = cfg->own.num_events;

	for (size_t i = 0; i < cfg->num_groups; i++)
		num += cfg->groups[i].num_events;
	return !num;
}

int agent_options_parse(struct agent_config *cfg, int argc, char **argv)
{
	int status;

	*cfg = (struct agent_config){
		.min_running = 50, .snmp_base = SNMP_BASE,
		.collectd = { .timeout = COLLECTD_TIMEOUT, .timeout_ns = COLLECTD_INTERVAL_NS },
	};
	cfg->snmp.num_base = agent_snmp_parse(cfg->snmp_base, cfg->snmp.base);
	status = tool_parse(argc, argv, &cfg->common, parse_option, cfg);
	if (status != TOOL_GO_ON)
		return status;
	if (cfg->common.has_rest)
		return tool_usage("--: uncore-agent runs no COMMAND");
	if (cfg->print_snmp_agent_conf)
		return agent_print_snmp_agent_conf();
	status = read_file(cfg);
	if (status)
		return status;
	hear_collectd(cfg);
	cfg->interval_ns = cfg->interval_ns ? cfg->interval_ns : DEFAULT_INTERVAL_NS;
	if (counts_nothing(cfg) && !cfg->throttle)
		return cfg->path ? tool_say(TOOL_USAGE, "%s: nothing to count: no <Plugin uncoremsr> or "
					    "<Plugin intel_pmu> in it names an event, a metric or Throttle",
					    OUT_QUOTED(cfg->path))
				 : tool_usage("nothing to count: give -e, -M, --throttle or --config");
	if (!cfg->check && !cfg->num_listens && !*cfg->collectd.where && !*cfg->snmp.address)
		return tool_usage("nowhere to send the values: give --prometheus, "
				  "--collectd or --agentx, or name an output in the file");
	return TOOL_GO_ON;
}
