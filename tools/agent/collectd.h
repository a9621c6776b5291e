/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What collectd is told: PUTVAL and PUTNOTIF, by its unixsock or its exec plugin. */
#ifndef AGENT_COLLECTD_H
#define AGENT_COLLECTD_H

#include <limits.h>
#include <stdint.h>

/* Its task; the descriptor, if there is one, is the file of the totals. */
struct agent_collectd {
	char hostname[HOST_NAME_MAX + 1]; /* "": as ever */
	char path[108];       /* of the socket; "": standard output */
	unsigned values;      /* enum series_values */
	uint64_t interval_ns; /* at the start */
	uint64_t run;         /* of the agent */
	/* For so many intervals, and so long, collectd remembers a value that no longer comes. */
	double timeout;
	uint64_t timeout_ns;
};

#endif
