/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/memory.h"
#include "common/number.h"
#include "read/read.h"

/* The interval if only the number of intervals (-n) is given. */
#define DEFAULT_PERIOD_NS (5 * NS_PER_S)
#define DEFAULT_SHOT_NS NS_PER_S

enum {
	OPT_EVENT = TOOL_LONG, OPT_UMASK, OPT_EDGE, OPT_INVERT, OPT_CMASK, OPT_COUNTER, OPT_PACKAGES,
	OPT_HOST, OPT_RUNS, OPT_WHEN, OPT_DO, OPT_CGROUP,
	OPT_CORES, OPT_EVENT_LIST, OPT_MIN_RUNNING,
};

static const struct tool_option options[] = {
	{ 'e', NULL, "EVENT[,EVENT...]",
	  "events in the event language: UNC_PROCHOT_ASSERTION, 'UNC_THERMAL_*',\n"
	  "0x82:0x1:edge:cmask=2, cbo/event=0x34,umask=0x11/ (every C-box),\n"
	  "cbo3/event=0x34,umask=0x11/ (one of them); may be repeated" },
	{ 'M', "metrics", "NAME,...",
	  "values computed from events: memory-bandwidth, ipc,\n"
	  "'throttled-*', see uncoremsr-metrics(7); may be repeated" },
	{ OPT_EVENT, "event", "N", "event select, 0 to 255; starts a new event" },
	{ OPT_UMASK, "umask", "N", "unit mask of the --event before it, 0 to 255" },
	{ OPT_EDGE, "edge", NULL, "count entries into the state instead of cycles in it" },
	{ OPT_INVERT, "invert", NULL, "count while the threshold is not reached" },
	{ OPT_CMASK, "cmask", "N", "threshold, 0 to 255" },
	{ 'i', "interval", "SECONDS",
	  "report every SECONDS (which may be a fraction) until stopped, or while\n"
	  "COMMAND runs" },
	{ 'I', NULL, "MILLISECONDS", "like -i, but in milliseconds, as for perf stat" },
	{ 'n', "count", "COUNT", "stop after COUNT intervals (5 seconds each without -i)" },
	{ 'o', "output", "FILE",
	  "write the readings to FILE, - for standard output; if it is renamed,\n"
	  "a new one is created; with -i also at SIGHUP" },
	{ 'x', NULL, "SEP",
	  "--format=csv with SEP between the columns: one character, or \\t" },
	{ TOOL_STORE(read_config, append), "append", NULL, "with -o: add to FILE instead of starting anew" },
	{ OPT_HOST, "host", NULL, "name this host in each reading or line" },
	{ TOOL_STORE(read_config, one_line), "oneline", NULL,
	  "text: one line of name=value for each interval, in a fixed form" },
	{ OPT_COUNTER, "counter", "N", "use counter N on every package; for a single event" },
	{ TOOL_STORE(read_config, per_unit), "per-unit", NULL,
	  "show every unit (cbo0, cbo1, ...; for core events every CPU) instead\n"
	  "of the sum of each package" },
	{ 'p', "pid", "PID[,PID...]",
	  "core and software events: count these processes with all their threads\n"
	  "and the processes they start from now on" },
	{ 't', "tid", "TID[,TID...]", "count only these threads" },
	{ OPT_CGROUP, "cgroup", "PATH", "count this control group: its folder, or as in /proc/PID/cgroup; may be repeated" },
	{ 'a', "all-cpus", NULL, "with COMMAND: count whole CPUs, not just COMMAND" },
	{ TOOL_STORE(read_config, per_socket), "per-socket", NULL, "show the sum of each package or die (default)" },
	{ TOOL_STORE(read_config, per_core), "per-core", NULL, "core and software events: show every core" },
	{ TOOL_STORE(read_config, per_cpu), "per-cpu", NULL, "core and software events: show every CPU" },
	{ OPT_CORES, "cores", "GROUP",
	  "count on these CPUs only and show their sum: 0,1,2 or 0-10,20-18 or\n"
	  "0x10-12; [4-15,32-63]: each of them separately; may be repeated" },
	{ OPT_EVENT_LIST, "event-list", "FILE",
	  "take event names from this JSON list (intel/perfmon), or from the lists\n"
	  "for this processor in this directory; may be repeated" },
	{ OPT_MIN_RUNNING, "min-running", "PERCENT",
	  "warn if an event was counted for less than this share of the time\n"
	  "(default 50)" },
	{ 'C', "cpus", "LIST",
	  "reach the packages through these CPUs, one each (0,1); core events:\n"
	  "count on these CPUs only" },
	{ OPT_PACKAGES, "packages", "LIST", "count on these packages only" },
	{ TOOL_STORE(read_config, route_word), "route", "ROUTE",
	  "how to count: auto (default), msr, perf or memory. auto: the uncore\n"
	  "through registers where they may be written, everything else through\n"
	  "the kernel; msr: registers only, for core events too; memory: POWER's\n"
	  "nest events, without rights to perf; if not given, the environment\n"
	  "variable UNCOREMSR_ROUTE" },
	{ TOOL_STORE(read_config, no_multiplex), "no-multiplex", NULL,
	  "fail if there are more events than free counters" },
	{ OPT_RUNS, "runs", "[=N]",
	  "run COMMAND several times (N times), so that events need not take turns" },
	{ OPT_WHEN, "when", "'EVENT>N[/s]'",
	  "in each interval in which EVENT counts more than N, or N per second:\n"
	  "run the PROGRAM of the --do after it; may be repeated" },
	{ OPT_DO, "do", "PROGRAM",
	  "run PROGRAM EVENT VALUE PLACE, without a shell, never two at a time,\n"
	  "for 30 seconds at most" },
	{ TOOL_STORE(read_config, force), "force", NULL,
	  "if no counter is free, take counters that another program uses without a\n"
	  "lease; report which, and restore them at the end" },
	{ TOOL_STORE(read_config, no_verify), "no-verify", NULL,
	  "do not check in each interval that the counters are still ours" },
	{ TOOL_STORE(read_config, dry_run), "dry-run", NULL,
	  "write nothing; print the rdmsr and wrmsr commands instead" },
	{ TOOL_STORE(read_config, trace), "trace", NULL, "print every register operation on standard error" },
	{ TOOL_STORE(read_config, hex), "hex", NULL, "text: also show the register in hexadecimal, as rdmsr does" },
	{ 0, NULL, NULL, NULL },
};

const struct tool this_tool = {
	.name = "uncore-read",
	.synopsis = "[-e EVENT]... [-M METRIC]... [OPTION]...\n"
		    "[OPTION]... [--] COMMAND [ARG...]\n"
		    "--event N --umask N [--edge] [--invert] [--cmask N]",
	.about = "Count uncore events on every package: for one second, every SECONDS (-i), or\n"
		 "while COMMAND runs. A box event is counted on every box of its kind; the sum\n"
		 "is shown. The registers are put back at the end. Core, software and trace\n"
		 "events are counted by the kernel: for COMMAND, processes, or whole CPUs.\n",
	.options = options,
	.statuses =
		"  0   counted; with COMMAND: its exit status (128 + N if signal N killed it)\n"
		"  1   partial result: a package, a reading or the output failed\n"
		"  2   usage error: invalid command line or event, or FILE cannot be opened\n"
		"  3   not supported here: processor, virtual machine, no free counter\n"
		"  4   no access: driver, permission, lockdown\n"
		"  126, 127  COMMAND cannot be run, or was not found\n",
	.command = true,
	.series = true,
	.examples =
		"  uncore-read --event 0x82 --umask 0x1\n"
		"  uncore-read -e 0x82:0x1,UNC_CLK_UNHALTED -i 5 --hex\n"
		"  uncore-read -M memory-bandwidth,l3-read-hit-ratio -i 1\n"
		"  uncore-read -e cha/event=0x50,umask=0x3/ --per-unit -i 1\n"
		"  uncore-read -e instructions,cycles,task-clock -- make\n"
		"  uncore-read -e uncore_imc/cas_count_read/ --route=perf -i 1\n"
		"  uncore-read --route=msr -e core/instructions/,core/cycles/ -- make\n"
		"  uncore-read -e 0x82:0x1 --machine=sim:westmere-2s --format=json -- sleep 1\n",
};

/* ---- events ---- */

static const char *option_name(int id)
{
	const struct tool_option *o = options;

	while (o->id != id)
		o++;
	return o->name;
}

static int parse_number(int id, const char *arg, uint64_t max, int *value)
{
	char option[32] = "--";
	uint64_t v = 0;
	int status;

	strncat(option, option_name(id), sizeof(option) - sizeof("--"));
	status = id == OPT_EVENT || id == OPT_UMASK ? option_code(option, arg, max, &v)
						    : option_number(option, arg, 0, max, &v);
	*value = (int)v;
	return status;
}

static int add_word(struct read_words *w, const char *word)
{
	NEED_APPEND(w->words, w->num, word);
	return 0;
}

static int parse_event(struct read_config *cfg, int id, const char *arg)
{
	struct read_event event = { .umask = -1, .cmask = -1, .at = cfg->events.num };

	if (id == 'e') {
		doubt_events("-e", arg);
		return add_word(&cfg->events, arg);
	}
	if (parse_number(id, arg, 0xff, &event.event))
		return TOOL_USAGE;
	NEED_APPEND(cfg->raw, cfg->num_raw, event);
	return add_word(&cfg->events, NULL);
}

static int parse_event_part(struct read_config *cfg, int id, const char *arg)
{
	struct read_event *event = cfg->num_raw ? &cfg->raw[cfg->num_raw - 1] : NULL;
	int *number;

	if (!event)
		return tool_usage("--%s: put an --event before it", option_name(id));
	event->edge |= id == OPT_EDGE;
	event->invert |= id == OPT_INVERT;
	number = id == OPT_UMASK ? &event->umask : id == OPT_CMASK ? &event->cmask : NULL;
	if (number && *number >= 0)
		return tool_usage("--%s: given twice for --event 0x%x", option_name(id), (unsigned)event->event);
	return number ? parse_number(id, arg, 0xff, number) : 0;
}

static int compose_event(struct read_config *cfg, struct read_event *event)
{
	char cmask[24] = "";

	if (event->umask < 0)
		return tool_usage("--event 0x%x: --umask is missing", (unsigned)event->event);
	if (event->cmask >= 0)
		snprintf(cmask, sizeof(cmask), ":cmask=%d", event->cmask);
	snprintf(event->text, sizeof(event->text), "0x%x:0x%x%s%s%s", (unsigned)event->event,
		 (unsigned)event->umask, event->edge ? ":edge" : "", event->invert ? ":inv" : "", cmask);
	cfg->events.words[event->at] = event->text;
	return 0;
}

/* ---- the other options ---- */

/* Without --route, the environment variable counts. */
static int parse_route(struct read_config *cfg)
{
	const char *word = cfg->route_word, *from = word ? "--route" : "UNCOREMSR_ROUTE";

	if (!word)
		word = secure_getenv(from);
	if (!word || (!*word && !cfg->route_word))
		return 0;
	for (int i = UNCOREMSR_ROUTE_AUTO; i <= UNCOREMSR_ROUTE_MEMORY; i++)
		if (strcmp(word, counted_route_word((enum uncoremsr_route)i)) == 0) {
			cfg->route = (enum uncoremsr_route)i;
			return 0;
		}
	return tool_usage("%s: '%s': must be auto, msr, perf or memory", from, word);
}

/* Characters that can be part of a number, a name or a quoted cell cannot separate columns. */
static int parse_separator(struct read_config *cfg, const char *arg)
{
	char c = strcmp(arg, "\\t") == 0 ? '\t' : *arg;

	if ((c != '\t' && arg[1]) || (c != '\t' && !ispunct((unsigned char)c)) || !c || strchr("\".-+_/=", c))
		return tool_usage("-x: '%s': must be one character such as , ; | or \\t", arg);
	cfg->common.separator = c;
	cfg->common.writer = &record_csv;
	cfg->common.series = NULL;
	return 0;
}

static int parse_option(void *user, int id, const char *arg)
{
	struct read_config *cfg = user;
	int status;

	switch (id) {
	case 'e':
	case OPT_EVENT:
		return parse_event(cfg, id, arg);
	case 'M':
		return add_word(&cfg->metrics, arg);
	case OPT_UMASK:
	case OPT_EDGE:
	case OPT_INVERT:
	case OPT_CMASK:
		return parse_event_part(cfg, id, arg);
	case 'i':
		return option_seconds("--interval", arg, &cfg->interval_ns);
	case 'I':
		status = option_number("-I", arg, 1, INT64_MAX / NS_PER_MS, &cfg->interval_ns);
		cfg->interval_ns *= NS_PER_MS;
		return status;
	case 'x':
		return parse_separator(cfg, arg);
	case 'n':
		return option_number("--count", arg, 1, INT64_MAX, &cfg->count);
	case 'o':
		cfg->output = arg;
		return *arg ? 0 : tool_usage("--output: '': a file name is required");
	case OPT_WHEN:
		return read_when_add(cfg, arg);
	case OPT_DO:
		return read_do_add(cfg, arg);
	case OPT_RUNS:
		cfg->in_runs = cfg->no_multiplex = true;
		return arg ? option_number("--runs", arg, 1, 1000, &cfg->runs) : 0;
	case OPT_HOST:
		host_name(cfg->host);
		return 0;
	case OPT_COUNTER:
		return parse_number(id, arg, INT_MAX, &cfg->counter);
	case 'C':
		doubt_list("--cpus", cfg->cpus = arg);
		return 0;
	case OPT_PACKAGES:
		doubt_list("--packages", cfg->packages = arg);
		return 0;
	case 'p':
	case 't':
		return task_ids_add(&cfg->tasks, (char)id, arg);
	case 'a':
		cfg->all_cpus = true;
		return 0;
	case OPT_CGROUP:
		return add_word(&cfg->cgroups, arg);
	case OPT_CORES:
		doubt_list("--cores", arg);
		return add_word(&cfg->cores, arg);
	case OPT_EVENT_LIST:
		return event_lists_take(&cfg->lists, arg);
	case OPT_MIN_RUNNING:
		return parse_number(id, arg, 100, &cfg->min_running);
	}
	return 0;
}

/* ---- options that contradict each other ---- */

/* NULL: the options can be used together. */
static const char *contradiction(const struct read_config *cfg)
{
	int per = cfg->per_socket + cfg->per_core + cfg->per_cpu;

	if (cfg->common.has_rest && !cfg->common.rest[0])
		return "--: COMMAND is missing";
	if (cfg->append && !cfg->output)
		return "--append: no file to append to; name it with -o FILE";
	if (cfg->one_line && !cfg->common.writer->for_people)
		return "--oneline: works only with text; leave out --format";
	if (cfg->in_runs && !cfg->command)
		return "--runs: a COMMAND is required";
	if (cfg->in_runs && cfg->dry_run)
		return "--runs and --dry-run: choose one; a dry run does not run COMMAND";
	if (cfg->in_runs && cfg->num_whens)
		return "--runs and --when: choose one";
	if (cfg->tasks.option && cfg->command)
		return "-p and -t watch what is already running; leave out COMMAND";
	if (cfg->tasks.option && cfg->all_cpus)
		return "-a counts everything, -p and -t only certain tasks; choose one";
	if (cfg->tasks.option && cfg->cgroups.num)
		return "--cgroup and -p or -t: choose one";
	if (per > 1)
		return "--per-socket, --per-core and --per-cpu: choose one";
	if (cfg->cores.num && per)
		return "--cores shows sums of its own; leave out --per-socket, --per-core and --per-cpu";
	if (cfg->cgroups.num > 1 && cfg->in_runs)
		return "--runs and several --cgroup: choose one";
	if (cfg->cores.num && cfg->cpus)
		return "--cores and --cpus both say where to count; choose one";
	if (cfg->route == UNCOREMSR_ROUTE_MSR && (cfg->tasks.option || cfg->cgroups.num))
		return "--route=msr: registers cannot tell processes apart; leave out --route";
	return NULL;
}

static int check(const struct read_config *cfg)
{
	const struct series_format *series = cfg->common.series;
	const char *why = contradiction(cfg);

	if (why)
		return tool_usage("%s", why);
	if (series && cfg->in_runs)
		return tool_usage("--format=%s: shows totals over all intervals; leave out --runs", series->name);
	if (series && series->whole && cfg->append)
		return tool_usage("--format=%s: a file holds one interval; leave out --append", series->name);
	return read_when_check(cfg);
}

static void derive(struct read_config *cfg)
{
	if (cfg->common.has_rest)
		cfg->command = cfg->common.rest;
	if (cfg->tasks.option)
		cfg->whom = cfg->tasks.option == 'p' ? UNCOREMSR_TARGET_PROCESS : UNCOREMSR_TARGET_THREAD;
	else if (cfg->command && !cfg->all_cpus && !cfg->cgroups.num && cfg->route != UNCOREMSR_ROUTE_MSR)
		cfg->whom = UNCOREMSR_TARGET_COMMAND;
	cfg->defaults = !cfg->events.num && !cfg->metrics.num && !cfg->num_whens;
	/* If the user names event lists, the installed ones are not used. */
	cfg->tried_installed = cfg->lists.num > 0;
	cfg->periodic = cfg->interval_ns || cfg->count;
	if (cfg->periodic && !cfg->interval_ns)
		cfg->interval_ns = DEFAULT_PERIOD_NS;
	if (!cfg->periodic && !cfg->command) {
		cfg->interval_ns = DEFAULT_SHOT_NS;
		cfg->count = 1;
	}
	/* No time passes in a dry run, so without -n the list of commands would be endless. */
	if (cfg->dry_run && !cfg->count)
		cfg->count = 1;
}

int read_options_parse(struct read_config *cfg, int argc, char **argv)
{
	int status;

	*cfg = (struct read_config){ .counter = -1, .min_running = 50 };
	status = tool_parse(argc, argv, &cfg->common, parse_option, cfg);
	if (status != TOOL_GO_ON)
		return status;
	status = parse_route(cfg);
	derive(cfg);
	if (!status)
		status = check(cfg);
	if (!status && cfg->defaults)
		status = add_word(&cfg->metrics, "default");
	for (size_t i = 0; i < cfg->num_raw && !status; i++)
		status = compose_event(cfg, &cfg->raw[i]);
	return status ? status : TOOL_GO_ON;
}

void read_options_free(struct read_config *cfg)
{
	free(cfg->raw);
	free(cfg->events.words);
	free(cfg->metrics.words);
	read_when_free(cfg);
	free(cfg->tasks.ids);
	free(cfg->cores.words);
	free(cfg->cgroups.words);
	free(cfg->first_event);
}
