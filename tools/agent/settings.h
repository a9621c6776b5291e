/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Settings of outputs: the configuration fills them in, and the output's process reads them in shared memory. */
#ifndef AGENT_SETTINGS_H
#define AGENT_SETTINGS_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * collectd: the process writes PUTVAL and PUTNOTIF lines for the plugins unixsock and exec. It inherits a descriptor of
 * the file of totals, if there is one.
 */
struct agent_collectd {
	char where[113];      /* "unix:PATH", or "exec": standard output; "": no output for collectd */
	char hostname[HOST_NAME_MAX + 1]; /* "": COLLECTD_HOSTNAME, else gethostname(2) */
	unsigned values;      /* enum series_values; 0: the default */
	uint64_t run;         /* number of the agent's run */
	/* collectd forgets a value that is not renewed after @timeout intervals plus @timeout_ns. */
	double timeout;
	uint64_t timeout_ns;  /* collectd's own interval */
};

#define SNMP_BASE ".1.3.6.1.4.1.8072.9999.9999.2010"

enum { SNMP_MOST_PARTS = 64 };

/*
 * SNMP: the process is a sub-agent (AgentX) of an SNMP daemon. It serves UNCOREMSR-MIB and, on request, the columns of
 * INTEL-PMU-MIB. It inherits a descriptor of the file of row numbers, if there is one.
 */
struct agent_snmp {
	char address[128];    /* "tcp:HOST:PORT" or "unix:PATH"; "": no SNMP */
	unsigned long base[SNMP_MOST_PARTS];
	size_t num_base;
	bool intel_pmu_mib;
	uint64_t started_ns;  /* Unix time */
};

/* Parse a name such as ".1.3.6.1". Returns the number of its parts; 0: @text is no valid name. */
size_t agent_snmp_parse(const char *text, unsigned long parts[SNMP_MOST_PARTS]);

#endif
