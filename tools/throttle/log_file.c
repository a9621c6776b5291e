/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The output file. A watch may print nothing for months, so each check also tests whether the reader is gone. */
#include <errno.h>
#include <poll.h>

#include "throttle/throttle.h"

static const struct throttle_columns *columns_of(const struct throttle_config *cfg)
{
	return cfg->clear ? &throttle_clear_columns : cfg->summary ? &throttle_summary_columns
	       : cfg->dimm ? &throttle_dimm_columns : &throttle_record_columns;
}

int throttle_output_open(struct throttle_run *run)
{
	const struct throttle_columns *c = columns_of(run->cfg);
	int status;

	run->log.path = run->cfg->output;
	run->log.append = true;
	run->log.whole = run->series.format && run->series.format->whole;
	status = log_open(&run->log, run->out);
	return status ? status : log_check(&run->log, &run->cfg->common, c->columns, c->num, run);
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
	const struct throttle_columns *c = columns_of(run->cfg);
	size_t len = run->out->len;

	/* In CSV an empty file begins with the names of the columns. */
	if (log_begins(&run->log, run->out) && !records_for_people(&run->records) && !run->series.format)
		record_head(&run->records, c->columns, c->num);
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
