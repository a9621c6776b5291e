/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* uncore-report: where the samples of a perf.data file were taken. Reads no register. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/file.h"
#include "common/memory.h"
#include "common/privileges.h"
#include "report/names.h"
#include "report/report.h"
#include "report/stacks.h"
#include "uncoremsr/file.h"

enum { OPT_SORT = TOOL_LONG };

static const struct tool_option options[] = {
	{ 'i', "input", "FILE", "read FILE (perf.data); \"-\": standard input" },
	{ 'e', NULL, "EVENT", "show only samples of this event" },
	{ OPT_SORT, "sort", "KEY[,KEY...]",
	  "group samples by: comm, pid, tid, dso, symbol, caller, address, cpu,\n"
	  "srcline (default: comm,dso,symbol)" },
	{ TOOL_STORE(report, symfs), "symfs", "DIR",
	  "look for programs, libraries and debug files under DIR" },
	{ TOOL_STORE(report, svg), "svg", "FILE", "also draw a flame graph, for a browser" },
	{ 0, NULL, NULL, NULL },
};

const struct tool this_tool = {
	.name = "uncore-report",
	.synopsis = "[OPTION]...",
	.about =
		"Shows in which functions of which programs the samples of a perf.data file were\n"
		"taken: files of uncore-record and of perf record, of either byte order. Nothing\n"
		"is looked up on a network.\n",
	.options = options,
	.statuses = "  0  done\n"
		    "  1  the file is cut or damaged: what could be read is shown\n"
		    "  2  usage: no such key or event, a file that cannot be read\n"
		    "  4  no permission to read the file\n",
	.examples = "  uncore-report\n"
		    "  uncore-report -i perf.data --sort=comm,pid\n"
		    "  uncore-report --svg=flames.svg\n"
		    "  perf record -g -o - ./program | uncore-report -i - --format=folded\n",
	.own_format = "folded",
	.own_format_help = "text (default), csv, json, or folded: stacks of callers\n"
			   "(\"main;work 12\"), for other flame graph tools",
};

const char *const key_names[NUM_KEYS] = {
	[KEY_COMM] = "comm", [KEY_PID] = "pid", [KEY_TID] = "tid", [KEY_DSO] = "dso",
	[KEY_SYMBOL] = "symbol", [KEY_CALLER] = "caller", [KEY_ADDRESS] = "address", [KEY_CPU] = "cpu",
	[KEY_SRCLINE] = "srcline",
};

static int parse_keys(struct report *r, const char *list)
{
	memset(r->by, 0, sizeof(r->by));
	for (const char *word = list;;) {
		size_t len = strcspn(word, ",");
		int k = 0;

		while (k < NUM_KEYS && (strlen(key_names[k]) != len || strncmp(key_names[k], word, len) != 0))
			k++;
		if (k == NUM_KEYS)
			return tool_usage("--sort: '%.*s': must be comm, pid, tid, dso, symbol, caller, "
					  "address, cpu or srcline", (int)len, word);
		r->by[k] = true;
		if (!word[len])
			return 0;
		word += len + 1;
	}
}

static int parse_option(void *user, int id, const char *arg)
{
	struct report *r = user;

	switch (id) {
	case 'i':
		r->input = arg;
		return 0;
	case 'e':
		r->event = arg;
		return 0;
	case OPT_SORT:
		return parse_keys(r, arg);
	default:
		return tool_usage("'%s': unexpected argument; -i FILE names the file", arg);
	}
}

static int parse(struct report *r, int argc, char **argv)
{
	int status;

	r->input = "perf.data";
	r->by[KEY_COMM] = r->by[KEY_DSO] = r->by[KEY_SYMBOL] = true;
	status = tool_parse(argc, argv, &r->common, parse_option, r);
	if (status != TOOL_GO_ON)
		return status;
	if (r->common.has_rest || r->common.rest[0])
		return tool_usage("takes no command after \"--\"");
	r->name = strcmp(r->input, "-") ? out_quoted(r->quoted, r->input) : "standard input";
	return TOOL_GO_ON;
}

static const char *const refusals[] = {
	[UNCOREMSR_PERF_DATA_CUT] = "ends within its header: nothing can be read; record again",
	[UNCOREMSR_PERF_DATA_FOREIGN] = "not a perf.data file",
	[UNCOREMSR_PERF_DATA_OLD] = "a perf.data file from before 2010, which is not supported; use a perf of that time",
	[UNCOREMSR_PERF_DATA_COMPRESSED] = "compressed (perf record -z), which is not read; record without -z",
	[UNCOREMSR_PERF_DATA_DIRECTORY] =
		"a directory of files of perf's threads, which is not read; let perf record write one file",
	[UNCOREMSR_PERF_DATA_EVENTLESS] = "names no event that could have samples: damaged; record again",
	[UNCOREMSR_PERF_DATA_MIXED] =
		"its events have samples of different formats that carry no event id; record each event into its own "
		"file",
};

static int refuse(const struct report *r, int err)
{
	unsigned state = err == -EISDIR ? UNCOREMSR_PERF_DATA_DIRECTORY : r->data ? r->data->state : 0;
	const char *why = state < ARRAY_SIZE(refusals) ? refusals[state] : NULL;

	return why ? tool_say(TOOL_USAGE, "%s: %s", r->name, why)
		   : tool_file_fail(strcmp(r->input, "-") ? r->input : NULL, err);
}

static int read_file(struct report *r)
{
	bool standard = !strcmp(r->input, "-");
	int fd = standard ? STDIN_FILENO : uncoremsr_file_open(r->input, UNCOREMSR_FILE_ANY, 0), err;

	if (fd == -ENOENT)
		return tool_say(TOOL_USAGE, "%s: no such file; record one (uncore-record, perf "
				"record) or name one with -i", r->name);
	if (fd < 0)
		return refuse(r, fd);
	err = uncoremsr_perf_data_open(fd, &r->data);
	if (!standard)
		close(fd);
	return err ? refuse(r, err) : 0;
}

/* Print what is wrong with the file. Returns the exit status, which is 0 for a complete file or a killed recorder. */
static int tell_state(const struct report *r)
{
	unsigned long long end = r->data->end, broken = r->data->broken;
	int nothing = r->all.samples ? TOOL_PARTIAL : TOOL_USAGE, status = 0;

	switch (r->data->state) {
	case UNCOREMSR_PERF_DATA_UNFINISHED:
		tool_say(0, "%s: the recorder was killed: read up to its last record, at byte %llu", r->name, end);
		break;
	case UNCOREMSR_PERF_DATA_CUT:
		status = tool_say(nothing, "%s: file is truncated: read up to byte %llu", r->name, end);
		break;
	case UNCOREMSR_PERF_DATA_DAMAGED:
		status = tool_say(nothing, "%s: damaged: invalid record at byte %llu; read up to there", r->name, end);
		break;
	default:
		break;
	}
	if (broken && !status)
		status = tool_say(nothing, "%s: damaged: records or header entries left out because "
				"their size is wrong: %llu", r->name, broken);
	return status;
}

static int find_events(struct report *r)
{
	for (unsigned i = (unsigned)r->data->num_events; i-- > 0;)
		if (!r->event || !strcmp(r->data->events[i]->name, r->event)) {
			r->first = i;
			r->num_chosen++;
		}
	if (!r->num_chosen)
		return tool_say(TOOL_USAGE, "-e: '%s': not an event of %s; its first event is '%s'", r->event,
				r->name, event_of_index(r, 0));
	r->sums = need(calloc(r->data->num_events + 1, sizeof(*r->sums)));
	return 0;
}

static int draw(struct report *r)
{
	struct out o;
	int fd, err;

	if (!*r->svg || strcmp(r->svg, "-") == 0)
		return tool_usage("--svg: '%s': a file name is required", r->svg);
	if (file_is_same(r->svg, r->input))
		return tool_usage("--svg: %s: this is the recording; name another file", OUT_QUOTED(r->svg));
	fd = open(r->svg, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (fd < 0)
		return tool_say(tool_file_status(-errno), "--svg: %s: %s", OUT_QUOTED(r->svg), strerror(errno));
	out_init(&o, fd);
	stacks_draw(r->stacks, &o, event_of_index(r, r->first));
	err = out_flush(&o);
	out_free(&o);
	if (close(fd) && !err)
		err = errno;
	return err ? tool_say(TOOL_PARTIAL, "--svg: %s: %s", OUT_QUOTED(r->svg), strerror(err)) : 0;
}

static int work(struct report *r)
{
	bool folded = r->common.own_format;
	int status = read_file(r), state, err;

	if (!status)
		status = find_events(r);
	if (status)
		return status;
	if (r->svg || folded)
		r->stacks = stacks_new();
	/* Samples of different events cannot be added up. */
	if (r->stacks && r->num_chosen > 1)
		tool_say(0, "showing only the stacks of '%s', the first of %zu events%s", event_of_index(r, r->first),
			 r->num_chosen, r->event ? " of that name" : "; -e EVENT chooses another one");
	err = samples_read(r);
	if (err)
		return tool_say(TOOL_PARTIAL, "%s: %s", r->name, err == -ENOMEM ? "out of memory" : err == -EBADMSG
				? "the file was changed while it was read; run uncore-report again" : strerror(-err));
	state = tell_state(r);
	if (state == TOOL_USAGE)
		return state;
	if (r->svg)
		status = draw(r);
	if (!status && folded)
		stacks_fold(r->stacks, &r->out);
	else if (!status)
		show_rows(r);
	return status ? status : state;
}

static FILE *start_pager(void)
{
	privileges_drop();
	setenv("LESS", "FRX", 0);
	/* If less is not installed, use cat. With -F, less ends at once if the text fits on the screen. */
	return popen("if [ -n \"$PAGER\" ]; then exec $PAGER; fi; command -v less >/dev/null && exec less; exec cat", "we");
}

int main(int argc, char **argv)
{
	struct report r = { .input = NULL };
	FILE *pager = NULL;
	int status = parse(&r, argc, argv);

	if (status != TOOL_GO_ON)
		return status;
	tool_output(&r.common, &r.out, &r.w, &r);
	status = work(&r);
	records_free(&r.w);
	if (r.out.len && records_for_people(&r.w) && isatty(STDOUT_FILENO))
		pager = start_pager();
	if (pager) {
		r.out.fd = fileno(pager);
		signal(SIGINT, SIG_IGN); /* Ctrl-C is meant for the pager */
	}
	/* It is no error if the user quits the pager early. */
	if (pager && out_flush(&r.out) == EPIPE)
		r.out.error = 0;
	status = out_finish(&r.out, status);
	if (pager)
		pclose(pager);
	stacks_free(r.stacks);
	table_free(&r);
	uncoremsr_perf_data_close(r.data);
	names_free();
	return status;
}
