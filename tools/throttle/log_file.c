/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The output file. A watch may print nothing for months, so at each check for throttling it tests for a lost reader. */
#include <errno.h>
#include <poll.h>

#include "throttle/throttle.h"

/* Write what an empty file begins with: in CSV the names of the columns. */
static void put_head(struct throttle_run *run, struct out *to)
{
	const struct throttle_config *cfg = run->cfg;
	const struct throttle_columns *head = cfg->clear ? &throttle_clear_columns :
					      cfg->summary ? &throttle_summary_columns :
					      cfg->dimm ? &throttle_dimm_columns : &throttle_record_columns;

	if (records_for_people(&run->records) || run->series.format)
		return;
	run->records.out = to;
	record_head(&run->records, head->columns, head->num);
	run->records.out = run->out;
}

int throttle_output_open(struct throttle_run *run)
{
	struct out head;
	int status;

	run->log.path = run->cfg->output;
	run->log.append = true;
	run->log.whole = run->series.format && run->series.format->whole;
	status = log_open(&run->log, run->out);
	out_init(&head, -1);
	put_head(run, &head);
	if (!status)
		status = log_check(&run->log, &run->cfg->common, &head);
	out_free(&head);
	return status;
}

/* Notice that the reader of the output has ended, even if we have nothing to write. */
static void check_reader(struct out *out)
{
	struct pollfd p = { .fd = out->fd };

	if (!out->error && poll(&p, 1, 0) > 0 && (p.revents & POLLERR))
		out->error = EPIPE;
}

int throttle_output_write(struct throttle_run *run)
{
	size_t len = run->out->len;

	if (log_begins(&run->log, run->out))
		put_head(run, run->out);
	out_move_front(run->out, len);
	return log_flush(&run->log, run->out);
}

int throttle_output_flush(struct throttle_run *run)
{
	if (run->out->len)
		return throttle_output_write(run);
	if (!run->log.path)
		check_reader(run->out);
	return run->out->error;
}
