/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/doubt.h"
#include "common/number.h"
#include "common/period.h"
#include "read/read.h"

/* The period that a monitor has when only the number of looks is given. */
#define DEFAULT_PERIOD_NS (5 * NS_PER_S)
#define DEFAULT_SHOT_NS NS_PER_S

enum {
	OPT_EVENT = TOOL_LONG, OPT_UMASK, OPT_EDGE, OPT_INVERT, OPT_CMASK, OPT_COUNTER, OPT_CPUS,
	OPT_PACKAGES, OPT_ROUTE, OPT_NO_MULTIPLEX, OPT_NO_VERIFY, OPT_DRY_RUN, OPT_TRACE, OPT_HEX, OPT_FORCE,
	OPT_PER_UNIT,
};

static const struct tool_option options[] = {
	{ 'e', NULL, "EVENT[,EVENT...]",
	  "events in the event language: UNC_PROCHOT_ASSERTION, 'UNC_THERMAL_*',\n"
	  "0x82:0x1:edge:cmask=2, cbo/event=0x34,umask=0x11/ (every C-box),\n"
	  "cbo3/event=0x34,umask=0x11/ (one of them); may be repeated" },
	{ 'M', "metrics", "NAME,...",
	  "values computed from events: memory-bandwidth, l3-read-hit-ratio,\n"
	  "'throttled-*', see uncoremsr-metrics(7); may be repeated" },
	{ OPT_EVENT, "event", "N", "event select, 0 to 255; starts a new event" },
	{ OPT_UMASK, "umask", "N", "unit mask of the --event before it, 0 to 255" },
	{ OPT_EDGE, "edge", NULL, "count entries into the state instead of cycles in it" },
	{ OPT_INVERT, "invert", NULL, "count while the threshold is not reached" },
	{ OPT_CMASK, "cmask", "N", "threshold, 0 to 255" },
	{ 'i', "interval", "SECONDS",
	  "report every SECONDS (which may be a fraction) until stopped, or while\n"
	  "COMMAND runs" },
	{ 'n', "count", "COUNT", "stop after COUNT intervals (5 seconds each without -i)" },
	{ OPT_COUNTER, "counter", "N", "use counter N on every package; for a single event" },
	{ OPT_PER_UNIT, "per-unit", NULL,
	  "show every unit (cbo0, cbo1, ...; for core events every CPU) instead\n"
	  "of the sum of each package" },
	READ_TARGET_OPTIONS,
	{ OPT_CPUS, "cpus", "LIST",
	  "reach the packages through these CPUs, one each (0,1); core events:\n"
	  "count on these CPUs only" },
	{ OPT_PACKAGES, "packages", "LIST", "count on these packages only" },
	{ OPT_ROUTE, "route", "ROUTE",
	  "how to count: auto (default), msr or perf. auto: the uncore through\n"
	  "registers where they may be written, everything else through the\n"
	  "kernel; msr: registers only, for core events too" },
	{ OPT_NO_MULTIPLEX, "no-multiplex", NULL,
	  "fail if there are more events than free counters" },
	{ OPT_FORCE, "force", NULL,
	  "take counters that another program uses without a lease if no other is\n"
	  "free; report which, and put them back at the end" },
	{ OPT_NO_VERIFY, "no-verify", NULL,
	  "do not check in each interval that the counters are still ours" },
	{ OPT_DRY_RUN, "dry-run", NULL,
	  "write nothing; print the rdmsr and wrmsr commands instead" },
	{ OPT_TRACE, "trace", NULL, "print every register operation on standard error" },
	{ OPT_HEX, "hex", NULL, "text: also show the register in hexadecimal, as rdmsr does" },
	{ 0, NULL, NULL, NULL },
};

const struct tool read_tool = {
	.name = "uncore-read",
	.synopsis = "[-e EVENT]... [-M METRIC]... [OPTION]... [-- COMMAND [ARG...]]\n"
		    "--event N --umask N [--edge] [--invert] [--cmask N] [OPTION]...",
	.about = "Count uncore events on every package: for one second, every SECONDS (-i), or while\n"
		 "COMMAND runs. A box event is counted on every box of its kind; the sum is shown.\n"
		 "The registers are put back at the end. Core, software and trace events are\n"
		 "counted by the kernel: for COMMAND, for processes, or on whole CPUs.\n",
	.options = options,
	.statuses =
		"  0   counted; with COMMAND: its exit status (128 + N if signal N killed it)\n"
		"  1   partial result: a package, a reading or the output failed\n"
		"  2   usage error: invalid command line or event\n"
		"  3   not supported here: processor, virtual machine, no free counter\n"
		"  4   no access: driver, permission, lockdown\n"
		"  126, 127  COMMAND cannot be run, or was not found\n",
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

static int add_event(struct read_config *cfg, struct read_event event)
{
	struct read_event *events = realloc(cfg->events, (cfg->num_events + 1) * sizeof(*events));

	if (!events)
		return tool_say(&read_tool, TOOL_PARTIAL, "out of memory");
	cfg->events = events;
	events[cfg->num_events++] = event;
	return 0;
}

static struct read_event *latest_event(struct read_config *cfg)
{
	for (size_t i = cfg->num_events; i > 0; i--)
		if (!cfg->events[i - 1].text)
			return &cfg->events[i - 1];
	return NULL;
}

static const char *option_name(int id)
{
	const struct tool_option *o = options;

	while (o->id != id)
		o++;
	return o->name;
}

static int parse_number(int id, const char *arg, uint64_t max, int *value)
{
	char why[NUMBER_WHY_SIZE];
	uint64_t v;

	if (!number_parse(arg, max, &v, why))
		return tool_usage(&read_tool, "--%s: %s", option_name(id), why);
	snprintf(why, sizeof(why), "--%s", option_name(id));
	doubt_number(&read_tool, why, arg, id == OPT_EVENT || id == OPT_UMASK);
	*value = (int)v;
	return 0;
}

static int parse_event(struct read_config *cfg, int id, const char *arg)
{
	struct read_event event = { .event = -1, .umask = -1, .cmask = -1 };

	if (id == 'e')
		doubt_events(&read_tool, "-e", event.text = arg);
	else if (parse_number(id, arg, 0xff, &event.event))
		return TOOL_USAGE;
	return add_event(cfg, event);
}

/* An option that belongs to the --event before it. */
static int parse_event_part(struct read_config *cfg, int id, const char *arg)
{
	struct read_event *event = latest_event(cfg);
	int *number = NULL;

	if (!event)
		return tool_usage(&read_tool, "--%s: no --event before it", option_name(id));
	if (id == OPT_UMASK)
		number = &event->umask;
	else if (id == OPT_CMASK)
		number = &event->cmask;
	else if (id == OPT_EDGE)
		event->edge = true;
	else
		event->invert = true;
	if (number && *number >= 0)
		return tool_usage(&read_tool, "--%s: given twice for --event 0x%x", option_name(id),
				  (unsigned)event->event);
	return number ? parse_number(id, arg, 0xff, number) : 0;
}

const char *read_event_text(const struct read_event *event, char *buf, size_t size)
{
	char cmask[24] = "";

	if (event->text)
		return event->text;
	if (event->cmask >= 0)
		snprintf(cmask, sizeof(cmask), ":cmask=%d", event->cmask);
	snprintf(buf, size, "0x%x:0x%x%s%s%s", (unsigned)event->event, (unsigned)event->umask,
		 event->edge ? ":edge" : "", event->invert ? ":inv" : "", cmask);
	return buf;
}

/* ---- the other options ---- */

static int parse_route(struct read_config *cfg, const char *arg)
{
	static const char *const words[] = {
		[UNCOREMSR_ROUTE_AUTO] = "auto", [UNCOREMSR_ROUTE_MSR] = "msr",
		[UNCOREMSR_ROUTE_PERF] = "perf",
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strcmp(arg, words[i]) == 0) {
			cfg->route = (enum uncoremsr_route)i;
			return 0;
		}
	return tool_usage(&read_tool, "--route: '%s': must be auto, msr or perf", arg);
}

static int parse_option(void *user, int id, const char *arg)
{
	static const unsigned flags[] = {
		[OPT_NO_MULTIPLEX - TOOL_LONG] = READ_NO_MULTIPLEX,
		[OPT_NO_VERIFY - TOOL_LONG] = READ_NO_VERIFY,
		[OPT_DRY_RUN - TOOL_LONG] = READ_DRY_RUN,
		[OPT_TRACE - TOOL_LONG] = READ_TRACE,
		[OPT_HEX - TOOL_LONG] = READ_HEX,
		[OPT_FORCE - TOOL_LONG] = READ_FORCE,
		[OPT_PER_UNIT - TOOL_LONG] = READ_PER_UNIT,
	};
	struct read_config *cfg = user;
	int status = read_target_option(&cfg->target, id, arg);

	if (status >= 0)
		return status;
	switch (id) {
	case 'e':
	case OPT_EVENT:
		return parse_event(cfg, id, arg);
	case 'M':
		return read_words_add(&cfg->metrics, arg);
	case OPT_UMASK:
	case OPT_EDGE:
	case OPT_INVERT:
	case OPT_CMASK:
		return parse_event_part(cfg, id, arg);
	case 'i':
		cfg->periodic = true;
		return period_interval(&read_tool, arg, &cfg->interval_ns);
	case 'n':
		cfg->periodic = true;
		return period_count(&read_tool, arg, &cfg->count);
	case OPT_COUNTER:
		return parse_number(id, arg, INT_MAX, &cfg->counter);
	case OPT_CPUS:
		doubt_list(&read_tool, "--cpus", cfg->cpus = arg);
		return 0;
	case OPT_PACKAGES:
		doubt_list(&read_tool, "--packages", cfg->packages = arg);
		return 0;
	case OPT_ROUTE:
		return parse_route(cfg, arg);
	case TOOL_ARGUMENT:
		return tool_usage(&read_tool, "'%s': not an option; put COMMAND after --", arg);
	default:
		cfg->flags |= flags[id - TOOL_LONG];
		return 0;
	}
}

static int check_events(const struct read_config *cfg)
{
	if (!cfg->num_events && !cfg->metrics.num)
		return tool_usage(&read_tool, "no event given; name one with -e EVENT or --event N --umask N, "
				  "or a metric with -M NAME");
	for (size_t i = 0; i < cfg->num_events; i++)
		if (!cfg->events[i].text && cfg->events[i].umask < 0)
			return tool_usage(&read_tool, "--event 0x%x: --umask is missing",
					  (unsigned)cfg->events[i].event);
	return TOOL_GO_ON;
}

/* Fill in what follows from the other options. */
static void derive(struct read_config *cfg)
{
	bool dry = cfg->flags & READ_DRY_RUN;

	if (cfg->common.has_rest)
		cfg->command = cfg->common.rest;
	if (cfg->periodic && !cfg->interval_ns)
		cfg->interval_ns = DEFAULT_PERIOD_NS;
	if (!cfg->periodic && !cfg->command) {
		cfg->interval_ns = DEFAULT_SHOT_NS;
		cfg->count = 1;
	}
	/* Time does not pass on a dry run: an endless list of commands helps nobody. */
	if (dry && !cfg->count)
		cfg->count = 1;
}

int read_options_parse(struct read_config *cfg, int argc, char **argv)
{
	int status;

	*cfg = (struct read_config){ .counter = -1, .target = READ_TARGET_DEFAULT };
	status = tool_parse(&read_tool, argc, argv, &cfg->common, parse_option, cfg);
	if (status != TOOL_GO_ON)
		return status;
	if (cfg->common.has_rest && !cfg->common.rest[0])
		return tool_usage(&read_tool, "--: COMMAND is missing");
	derive(cfg);
	status = read_target_check(cfg);
	return status == TOOL_GO_ON ? check_events(cfg) : status;
}

void read_options_free(struct read_config *cfg)
{
	free(cfg->events);
	free(cfg->metrics.words);
	read_target_free(&cfg->target);
	cfg->events = NULL;
	cfg->metrics = (struct read_words){ NULL, 0 };
}
