/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The output file. A watch may print nothing for months, so at each check for throttling it tests for a lost reader. */
#include <errno.h>
#include <poll.h>
#include <string.h>

#include "common/file.h"
#include "throttle/throttle.h"

int throttle_output_open(struct throttle_run *run)
{
	run->log.path = run->cfg->output;
	run->log.append = true;
	run->log.whole = run->series.format && run->series.format->whole;
	return log_open(&throttle_tool, &run->log, run->out);
}

/* Notice that the reader of the output has ended, even if we have nothing to write. */
static void check_reader(struct out *out)
{
	struct pollfd p = { .fd = out->fd };

	if (!out->error && poll(&p, 1, 0) > 0 && (p.revents & POLLERR))
		out->error = EPIPE;
}

int throttle_output_flush(struct throttle_run *run)
{
	if (!run->out->len) {
		if (!run->cfg->output)
			check_reader(run->out);
		return run->out->error;
	}
	log_renew(&run->log, run->out);
	return log_flush(&run->log, run->out);
}
