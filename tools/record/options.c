/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/memory.h"
#include "common/number.h"
#include "common/records.h"
#include "record/record.h"

enum { OPT_CORES = TOOL_LONG, OPT_EVENT_LIST };

static const struct tool_option options[] = {
	{ 'e', "event", "EVENT[,EVENT...]",
	  "what to sample, in the event language: cycles, cache-misses:u,\n"
	  "page-faults, cpu/event=0xc0/p; may be repeated; default: cycles, or\n"
	  "cpu-clock where cycles cannot be counted" },
	{ 'c', "period", "PERIOD",
	  "a sample each time EVENT has happened PERIOD times (of a clock: in ns)" },
	{ 'F', "freq", "FREQUENCY",
	  "samples per second and CPU (default 4000); the kernel's limit\n"
	  "is kernel.perf_event_max_sample_rate" },
	{ 'g', "call-graph", NULL, "also record callers, by frame pointers" },
	{ 'd', "data", NULL, "also record the address of the data, if the processor reports it" },
	{ 'a', "all-cpus", NULL, "everything on all CPUs, until stopped or while COMMAND runs" },
	{ 'p', "pid", "PID[,PID...]", "processes with all their threads, and what they start" },
	{ 't', "tid", "TID[,TID...]", "threads alone" },
	{ OPT_CORES, "cores", "LIST", "only on these CPUs (0-3,8)" },
	{ OPT_EVENT_LIST, "event-list", "FILE|DIR",
	  "names of events from this list; may be repeated" },
	{ 'o', "output", "FILE",
	  "output file (default perf.data); - writes to a pipe, for\n"
	  "uncore-report -i - or perf report -i -" },
	{ TOOL_STORE(recorder, estimate), "estimate", NULL,
	  "record nothing, do not start COMMAND; show what recording would cost, in\n"
	  "the format of --format" },
	{ 0, NULL, NULL, NULL },
};

const struct tool this_tool = {
	.name = "uncore-record",
	.synopsis = "[OPTION]... [--] COMMAND [ARG...]\n"
		    "[OPTION]... -a | -p PID | -t TID | --cores=LIST [[--] COMMAND [ARG...]]",
	.about = "Sample where events happen: which instruction, of which thread. Writes a\n"
		 "perf.data file for uncore-report and perf. Child processes are sampled too.\n"
		 "Without permission to see the kernel, only user code is sampled. An existing\n"
		 "FILE is renamed to FILE.old.\n",
	.options = options,
	.command = true,
	.statuses =
		"  0   recorded; with COMMAND: its exit status (128 + N if signal N killed it)\n"
		"  1   partial result: the file could not be written to its end\n"
		"  2   usage error: invalid command line or event, or FILE cannot be opened\n"
		"  3   not supported here: an event that cannot sample\n"
		"  4   no access: permission (kernel.perf_event_paranoid)\n"
		"  126, 127  COMMAND cannot be run, or was not found\n",
	.examples =
		"  uncore-record -g -- make\n"
		"  uncore-record -e cache-misses -c 10000 -- ./work\n"
		"  uncore-record -F 99 -a -- sleep 10\n"
		"  uncore-record --estimate -F 10000 -g -a\n"
		"  uncore-record -p 4711 -o - | uncore-report -i -\n",
};

static void add_events(struct recorder *r, const char *text)
{
	char *all;

	doubt_events("-e", text);
	if (asprintf(&all, "%s%s%s", r->events ? r->events : "", r->events ? "," : "", text) < 0)
		no_memory();
	free(r->events);
	r->events = all;
}

static int parse_option(void *user, int id, const char *arg)
{
	struct recorder *r = user;

	switch (id) {
	case 'e':
		add_events(r, arg);
		return 0;
	case 'c':
		return option_number("-c", arg, 1, INT64_MAX, &r->options.period);
	case 'F':
		return option_number("-F", arg, 1, INT64_MAX, &r->options.frequency);
	case 'g':
		r->options.flags |= UNCOREMSR_SAMPLING_CALLCHAIN;
		return 0;
	case 'd':
		r->options.flags |= UNCOREMSR_SAMPLING_ADDRESS;
		return 0;
	case 'a':
		r->system = true;
		return 0;
	case 'p':
	case 't':
		return task_ids_add(&r->tasks, (char)id, arg);
	case OPT_CORES:
		doubt_list("--cores", r->options.cpus = arg);
		return 0;
	case OPT_EVENT_LIST:
		return event_lists_take(&r->lists, arg);
	case 'o':
		r->output = arg;
		return *arg ? 0 : tool_usage("--output: '': a file name is required");
	}
	return 0;
}

static int choose_target(struct recorder *r)
{
	struct uncoremsr_sampling_options *o = &r->options;

	if (r->system && r->tasks.option)
		return tool_usage("-a and -%c: choose one", r->tasks.option);
	o->ids = r->tasks.ids;
	o->num_ids = r->tasks.num;
	if (r->tasks.option)
		o->target = r->tasks.option == 'p' ? UNCOREMSR_TARGET_PROCESS : UNCOREMSR_TARGET_THREAD;
	else if (r->system || o->cpus)
		o->target = UNCOREMSR_TARGET_SYSTEM;
	else if (r->common.has_rest || r->estimate)
		o->target = UNCOREMSR_TARGET_COMMAND;
	else
		return tool_usage("nothing to sample: give a COMMAND after --, -p PID, -t TID or -a");
	return TOOL_GO_ON;
}

int record_options_parse(struct recorder *r, int argc, char **argv)
{
	int status;

	r->output = "perf.data";
	status = tool_parse(argc, argv, &r->common, parse_option, r);
	if (status != TOOL_GO_ON)
		return status;
	if (r->options.period && r->options.frequency)
		return tool_usage("-c and -F: choose one");
	if (r->common.has_rest && !r->common.rest[0])
		return tool_usage("--: COMMAND is missing");
	r->stream = strcmp(r->output, "-") == 0;
	if (!r->estimate && !r->common.writer->for_people)
		return tool_usage("--format: belongs to --estimate; uncore-report --format shows samples");
	if (r->stream && !r->estimate && isatty(STDOUT_FILENO))
		return tool_usage("-o -: standard output is a terminal; send it into a pipe or a file");
	r->options.events = r->events;
	return choose_target(r);
}

void record_options_free(struct recorder *r)
{
	free(r->events);
	free(r->tasks.ids);
}
