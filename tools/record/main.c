/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* uncore-record: record where events happen, into a perf.data file. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/file.h"
#include "common/output.h"
#include "common/properties.h"
#include "record/record.h"

/* Maximum time between two reads of the ring buffers. If the tool is killed, samples after the last read are lost. */
enum { PASS_MS = 1000 };

static void put_size(struct out *o, uint64_t bytes)
{
	static const char *const units[] = { "B", "KiB", "MiB", "GiB", "TiB" };
	double size = (double)bytes;
	size_t unit = 0;

	for (; size >= 1024 && unit + 1 < ARRAY_SIZE(units); unit++)
		size /= 1024;
	out_fmt(o, "%.*f %s", unit ? 1 : 0, size, units[unit]);
}

/* Rename FILE to FILE.old or, if @back, FILE.old to FILE. */
static int rename_old(const char *path, bool back)
{
	char *old;
	int err;

	if (asprintf(&old, "%s.old", path) < 0)
		return ENOMEM;
	err = rename(back ? old : path, back ? path : old) < 0 ? errno : 0;
	free(old);
	return err;
}

/* Create the file. An existing one is renamed to FILE.old, as perf does. 0, or the exit status after a message. */
static int open_output(struct recorder *r)
{
	const char *path = r->output;
	struct stat st;
	int err = 0;

	r->fd = r->stream ? STDOUT_FILENO : -1;
	if (r->stream)
		return 0;
	if (lstat(path, &st) == 0) {
		if (S_ISCHR(st.st_mode))
			r->fd = open(path, O_WRONLY | O_CLOEXEC);
		else if (S_ISREG(st.st_mode) || S_ISLNK(st.st_mode))
			err = rename_old(path, false);
		else
			return tool_say(TOOL_USAGE, "%s: not a regular file; to write to a pipe, use '-o -'", path);
		r->kept = !err && r->fd < 0;
	}
	/* Only the owner may read a recording, because it shows who runs which programs. */
	if (!err && r->fd < 0) {
		r->fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
		r->created = r->fd >= 0;
	}
	return r->fd < 0 ? tool_file_fail(path, err ? -err : -errno) : 0;
}

static void undo_output(const struct recorder *r)
{
	if (r->created)
		unlink(r->output);
	if (r->kept)
		rename_old(r->output, true);
}

static int open_events(struct recorder *r)
{
	struct uncoremsr_sampling_options o = r->options;
	long child = r->command.pid;

	if (o.target == UNCOREMSR_TARGET_COMMAND) {
		o.ids = &child;
		o.num_ids = 1;
	}
	return uncoremsr_sampling_open(r->um, &o, &r->sampling) < 0 ? tool_fail(r->um) : 0;
}

static int cannot_write(const struct recorder *r, int err)
{
	if (err == -EPIPE && r->stream)
		return TOOL_PARTIAL; /* the reader of the pipe has ended, as in "| head" */
	if (err == -EBADMSG)
		return tool_say(TOOL_PARTIAL, "a ring buffer of the kernel holds invalid data; samples of its CPU are "
				"missing from there on");
	return tool_say(TOOL_PARTIAL, "%s: %s", r->stream ? "standard output" : OUT_QUOTED(r->output), strerror(-err));
}

static int start(struct recorder *r)
{
	struct uncoremsr_recording_options o = { .stream = r->stream, .command = (const char *const *)r->line };
	int status = open_output(r), err;

	if (status)
		return status;
	o.fd = r->fd;
	err = uncoremsr_sampling_record(r->sampling, &o);
	if (err)
		return cannot_write(r, err);
	r->begin_ns = clock_now(CLOCK_MONOTONIC);
	if (uncoremsr_sampling_enable(r->sampling, 1) < 0)
		return tool_fail(r->um);
	if (!r->common.has_rest)
		return 0;
	status = command_start(&r->command, "");
	if (status)
		undo_output(r);
	return status;
}

/* Show progress, unless a COMMAND uses the terminal. */
static void show_progress(struct recorder *r)
{
	const struct uncoremsr_sampling_state *state = uncoremsr_sampling_state(r->sampling);
	struct out line;

	if (r->common.has_rest || !out_redraws(STDERR_FILENO))
		return;
	out_init(&line, STDERR_FILENO);
	out_fmt(&line, "\r%" PRIu64 " sample%s, ", state->samples, state->samples == 1 ? "" : "s");
	put_size(&line, state->bytes);
	out_fmt(&line, ", %" PRIu64 " s   ", (clock_now(CLOCK_MONOTONIC) - r->begin_ns) / NS_PER_S);
	if (line.len)
		out_message(line.buf, line.len);
	out_free(&line);
	r->progress = true;
}

/* Write samples until COMMAND or the sampled tasks have ended, or a signal arrives. Returns 0, or the exit status. */
static int follow(struct recorder *r)
{
	bool ended = false;

	while (!ended) {
		int ready = uncoremsr_sampling_wait(r->sampling, r->signals, PASS_MS), err;

		err = uncoremsr_sampling_copy(r->sampling);
		if (err && err != -EBADMSG)
			return cannot_write(r, err);
		if (err)
			cannot_write(r, err);
		if (ready == -ENODATA && r->command.pid <= 0)
			break;
		if (ready == -ENODATA)
			ended = command_ends_run(&r->command, &r->wait, wait_signal(&r->wait, UINT64_MAX));
		while (ready == 1 && !ended) {
			enum wake wake = wait_signal(&r->wait, 0);

			if (wake == WAKE_TIME)
				break;
			ended = command_ends_run(&r->command, &r->wait, wake);
		}
		if (ready == 0)
			show_progress(r);
	}
	return 0;
}

static void tell_summary(struct recorder *r)
{
	const struct uncoremsr_sampling_state *state = uncoremsr_sampling_state(r->sampling);
	uint64_t samples = state->samples, ns = r->end_ns - r->begin_ns;
	struct out line;

	out_init(&line, STDERR_FILENO);
	if (r->progress)
		out_char(&line, '\n');
	out_fmt(&line, "%s: %s", this_tool.name, machine_simulated_name(r->um) ? "SIMULATED: " : "");
	out_text_str(&line, r->stream ? "standard output" : r->output);
	out_fmt(&line, ": %" PRIu64 " sample%s in ", samples, samples == 1 ? "" : "s");
	out_fixed(&line, ns / (NS_PER_MS * 10), 2);
	out_fmt(&line, " s (%.0f per second), ", ns ? (double)samples * 1e9 / (double)ns : 0);
	put_size(&line, state->bytes);
	out_fmt(&line, ", %" PRIu64 " lost, %" PRIu64 " throttled; recording took %.2f s of processor time\n", state->lost,
		state->throttled, (double)clock_now(CLOCK_PROCESS_CPUTIME_ID) / 1e9);
	if (line.len)
		out_message(line.buf, line.len);
	out_free(&line);
}

static int finish(struct recorder *r, int status)
{
	int err;

	uncoremsr_sampling_enable(r->sampling, 0);
	r->end_ns = clock_now(CLOCK_MONOTONIC);
	if (status)
		return status;
	err = uncoremsr_sampling_finish(r->sampling);
	status = err ? cannot_write(r, err) : 0;
	if (!r->stream && close(r->fd) < 0 && !status)
		status = cannot_write(r, -errno);
	tell_summary(r);
	return status;
}

/* With --estimate COMMAND is not started: the events are opened for this process, which gives the same numbers. */
static int estimate(struct recorder *r)
{
	int status;

	r->command.pid = getpid();
	status = open_events(r);
	r->command.pid = 0;
	return status ? status : record_estimate(r);
}

static int record(struct recorder *r)
{
	int status = 0;

	r->command.no_output = r->stream;
	if (r->common.has_rest)
		status = command_hold(&r->command, r->common.rest, &r->wait);
	wait_dispositions();
	if (!status)
		status = open_events(r);
	if (!status)
		status = start(r);
	if (status)
		return status;
	status = finish(r, follow(r));
	/* COMMAND may still run if sampling ended early, or if the file could not be written. */
	return command_finish(&r->command, &r->wait, status);
}

int main(int argc, char **argv)
{
	struct recorder r = { .line = argv };
	int status = record_options_parse(&r, argc, argv);

	if (status == TOOL_GO_ON) {
		status = tool_open(&r.common, &r.um, NULL, false);
		if (!status && r.lists.num)
			status = event_lists_load(&r.lists, r.um, r.common.verbose);
		r.wait.um = r.um;
		if (!status && r.estimate) {
			status = estimate(&r);
		} else if (!status) {
			wait_init(&r.wait, false);
			r.signals = signalfd(-1, &r.wait.signals, SFD_CLOEXEC | SFD_NONBLOCK);
			status = r.signals < 0 ? tool_say(TOOL_PARTIAL, "signals: %m") : record(&r);
		}
		status = tool_complete(r.um, NULL, status);
		uncoremsr_sampling_close(r.sampling);
		command_drop(&r.command);
		uncoremsr_free(r.um);
	}
	record_options_free(&r);
	if (r.wait.die_of)
		wait_die(r.wait.die_of);
	return status;
}
