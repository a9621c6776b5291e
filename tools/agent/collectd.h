/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What collectd is told: PUTVAL and PUTNOTIF, by its unixsock or its exec plugin. */
#ifndef AGENT_COLLECTD_H
#define AGENT_COLLECTD_H

#include <limits.h>
#include <stdint.h>

/* Its task; the descriptor, if there is one, is the file of the totals. */
struct agent_collectd {
	char hostname[HOST_NAME_MAX + 1]; /* "": the usual name */
	char path[108];       /* of the socket; "": standard output */
	unsigned values;      /* enum series_values */
	uint64_t interval_ns; /* the interval at the start */
	uint64_t run;         /* number of the agent's run */
	/* How long collectd remembers a value that no longer comes, in intervals and in time. */
	double timeout;
	uint64_t timeout_ns;
};

#endif
