/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Output for collectd: PUTVAL and PUTNOTIF lines for its plugins unixsock and exec. */
#ifndef AGENT_COLLECTD_H
#define AGENT_COLLECTD_H

#include <limits.h>
#include <stdint.h>

/* Settings of the output for collectd. Its process inherits the file of the totals as descriptor, if there is one. */
struct agent_collectd {
	char hostname[HOST_NAME_MAX + 1]; /* "": COLLECTD_HOSTNAME, else gethostname(2) */
	char path[108];       /* of the socket; "": standard output */
	unsigned values;      /* enum series_values */
	uint64_t run;         /* number of the agent's run */
	/* collectd forgets a value that is not renewed after @timeout intervals plus @timeout_ns. */
	double timeout;
	uint64_t timeout_ns;
};

#endif
