/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* uncore-throttle: is this machine being slowed down, by what, since when? */
#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "throttle/throttle.h"

static int open_machine(struct throttle_run *run)
{
	const struct throttle_config *cfg = run->cfg;
	int status = tool_open(&cfg->common, &run->um, cfg->dry_run ? run->out : NULL, cfg->trace);

	if (status)
		return status;
	if (uncoremsr_throttle_new(run->um, &run->t) < 0)
		return tool_no_memory();
	uncoremsr_throttle_set(run->t, UNCOREMSR_THROTTLE_KERNEL_ONLY, cfg->kernel_only);
	uncoremsr_throttle_set(run->t, UNCOREMSR_THROTTLE_WITHOUT, (int)cfg->without);
	return 0;
}

/* ---- the output ---- */

static const struct throttle_columns *columns_of(const struct throttle_config *cfg)
{
	return cfg->clear ? &throttle_clear_columns : cfg->summary ? &throttle_summary_columns
	       : cfg->dimm ? &throttle_dimm_columns : &throttle_record_columns;
}

static int open_output(struct throttle_run *run)
{
	const struct throttle_columns *c = columns_of(run->cfg);
	int status;

	run->log.path = run->cfg->output;
	run->log.append = true;
	run->log.whole = run->series.format && run->series.format->whole;
	status = log_open(&run->log, run->out);
	return status ? status : log_check(&run->log, &run->cfg->common, c->columns, c->num, run);
}

/* Detect that the reader of the output has ended. A watch may write nothing for months, so do not wait for EPIPE. */
static void check_reader(struct out *out)
{
	struct pollfd p = { .fd = out->fd };

	if (!out->error && poll(&p, 1, 0) > 0 && (p.revents & POLLERR))
		out->error = EPIPE;
}

/* Like throttle_output_flush(), but writes the heading of a new file even if nothing else was collected. */
static int write_output(struct throttle_run *run)
{
	const struct throttle_columns *c = columns_of(run->cfg);
	size_t len = run->out->len;

	if (log_begins(&run->log, run->out) && !records_for_people(&run->records) && !run->series.format)
		record_head(&run->records, c->columns, c->num);
	out_move_front(run->out, len);
	return log_flush(&run->log, run->out);
}

int throttle_output_flush(struct throttle_run *run)
{
	if (run->out->len)
		return write_output(run);
	if (!run->log.path)
		check_reader(run->out);
	return run->out->error;
}

/* ---- clearing ---- */

/* Write which log bits were cleared. If that fails, print them on stderr: the registers no longer have them. */
static void tell_cleared(struct throttle_run *run, const struct out *said)
{
	const char *line = said->buf, *end = line + said->len;

	out_mem(run->out, line, said->len);
	if (!write_output(run))
		return;
	for (const char *next; line < end; line = next) {
		next = (const char *)memchr(line, '\n', (size_t)(end - line)) + 1;
		tool_say(0, "%.*s", (int)(next - 1 - line), line);
	}
}

enum { MOST_LINE = 512 };

/* State of --clear, which is also the row when a record is written. */
struct clearing {
	struct throttle_record record;
	struct out said;
	struct records records;
	bool dry_run;
	struct uncoremsr_clear_report r;
	const char *result;
};

static const struct record_column columns[] = {
	THROTTLE_RECORD_COLUMNS,
	{ .name = "cpu", .type = RECORD_INT, RECORD_AT(clearing, r.cpu) },
	{ .name = "register", .type = RECORD_WORD, RECORD_AT(clearing, r.msr) },
	{ .name = "name", .type = RECORD_STR, RECORD_AT(clearing, r.name) },
	{ .name = "value", .type = RECORD_WORD, RECORD_AT(clearing, r.value), .all_ones = true },
	{ .name = "cleared", .type = RECORD_WORD, RECORD_AT(clearing, r.cleared) },
	{ .name = "bits", .type = RECORD_STR, RECORD_AT(clearing, r.bits) },
	{ .name = "result", .type = RECORD_STR, RECORD_AT(clearing, result) },
	THROTTLE_HOST_COLUMN,
};
const struct throttle_columns throttle_clear_columns = { RECORD_COLUMNS(columns) };

static void say_cleared(char line[MOST_LINE], const struct uncoremsr_clear_report *r, bool dry_run)
{
	if (r->result == UNCOREMSR_CLEAR_KERNEL_COUNTS)
		snprintf(line, MOST_LINE, "the kernel's counts cannot be reset (%" PRIu64 " %s not 0): "
				"verdicts use only counts added from now on", r->value, r->value == 1 ? "is" : "are");
	else if (dry_run)
		snprintf(line, MOST_LINE, "CPU %u: %s (0x%x) is 0x%" PRIx64 ": would clear %s", r->cpu,
			 r->name, r->msr, r->value, r->bits);
	else
		snprintf(line, MOST_LINE, "CPU %u: %s (0x%x) was 0x%" PRIx64 ": cleared %s%s", r->cpu,
			 r->name, r->msr, r->value, r->bits, r->result == UNCOREMSR_CLEAR_SET_AGAIN
			 ? "; the processor has set some again: their causes still last" : "");
}

/* Collect a line or record for tell_cleared(). Print the line at once if it has no record, or if memory ran out. */
static void keep_cleared(void *user, const struct uncoremsr_clear_report *report)
{
	char line[MOST_LINE];
	struct clearing *c = user;
	const size_t before = c->said.len;

	say_cleared(line, report, c->dry_run);
	c->r = *report;
	c->result = c->dry_run ? "would-clear" : report->result == UNCOREMSR_CLEAR_SET_AGAIN ? "set-again" : "cleared";
	if (records_for_people(&c->records))
		out_fmt(&c->said, "%s\n", line);
	else if (report->name)
		record_row(&c->records, RECORD_COLUMNS(columns), c);
	else
		tool_say(0, "%s", line);
	if (!c->said.error)
		return;
	c->said.len = before;
	tool_say(0, "%s", line);
}

/* Block signals while registers are cleared and the time of clearing is saved. The output is written after that. */
static int clear_logs(struct throttle_run *run)
{
	struct clearing c = { .dry_run = run->cfg->dry_run };
	int num;

	out_init(&c.said, -1);
	records_init(&c.records, &run->cfg->common, &c.said, NULL);
	if (records_for_people(&c.records)) {
		out_str(run->out, c.dry_run && machine_simulated_name(run->um) ? "# " : "");
		put_simulated(run->out, machine_simulated_name(run->um));
	}
	wait_init(&run->wait, false);
	wait_dispositions();
	run->wall_ns = wait_wall_clock(&run->wait);
	c.record = throttle_record(run);
	num = uncoremsr_throttle_clear(run->t, keep_cleared, &c);
	if (!records_for_people(&c.records))
		run->out->len = 0; /* drop the rdmsr and wrmsr commands of a dry run */
	else if (!num)
		out_str(&c.said, c.dry_run ? "no log bit is set: nothing would be written\n"
					   : "no log bit was set: nothing was written\n");
	if (wait_signal(&run->wait, 0) != WAKE_TIME)
		run->wait.die_of = run->wait.info.si_signo;
	sigprocmask(SIG_SETMASK, &run->wait.old_mask, NULL);
	tell_cleared(run, &c.said);
	if (!run->out->error)
		run->out->error = c.said.error;
	records_free(&c.records);
	out_free(&c.said);
	return num < 0 ? throttle_trouble(tool_fail(run->um)) : TOOL_DONE;
}

static int work(struct throttle_run *run)
{
	int status = open_output(run);

	if (!status)
		status = throttle_trouble(open_machine(run));
	if (status)
		return status;
	run->wait.um = run->um;
	return run->cfg->clear ? clear_logs(run) : throttle_run(run);
}

static int finish(struct throttle_run *run, int status)
{
	int err = throttle_output_flush(run), complete;

	complete = tool_complete(run->um, NULL, status);
	if (complete != status)
		status = throttle_trouble(complete);
	if (!err)
		return status;
	out_finish(run->out, status);
	return status == TOOL_DONE ? TOOL_UNSUPPORTED : status;
}

int main(int argc, char **argv)
{
	struct throttle_config cfg;
	struct out out;
	struct throttle_run run = { .cfg = &cfg, .out = &out };
	int status = throttle_options_parse(&cfg, argc, argv);

	if (status != TOOL_GO_ON)
		return throttle_trouble(status);
	out_init(&out, STDOUT_FILENO);
	records_init(&run.records, &cfg.common, &out, &run);
	series_init(&run.series, cfg.common.series, &out, cfg.interval_ns);
	status = finish(&run, work(&run));
	/* If registers could not be restored (messages name them), the exit status must not be "not throttled". */
	if (uncoremsr_throttle_free(run.t) && status == TOOL_DONE)
		status = TOOL_UNSUPPORTED;
	uncoremsr_free(run.um);
	throttle_tracks_free(&run);
	records_free(&run.records);
	series_free(&run.series);
	set_free(&run.series_tracks);
	out_free(&out);
	if (run.wait.die_of)
		wait_die(run.wait.die_of);
	return status;
}
