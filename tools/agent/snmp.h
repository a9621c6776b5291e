/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A sub-agent of an SNMP daemon, by AgentX: UNCOREMSR-MIB, and on request the columns of INTEL-PMU-MIB. */
#ifndef AGENT_SNMP_H
#define AGENT_SNMP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SNMP_BASE ".1.3.6.1.4.1.8072.9999.9999.2010"

enum { SNMP_MOST_PARTS = 64 };

/* Settings of the output for SNMP. Its process inherits the file of the row numbers as descriptor, if there is one. */
struct agent_snmp {
	char address[128];    /* "tcp:HOST:PORT" or "unix:PATH" */
	unsigned long base[SNMP_MOST_PARTS];
	size_t num_base;
	bool intel_pmu_mib;
	uint64_t started_ns;  /* Unix time */
};

/* Parse a name such as ".1.3.6.1". Returns the number of its parts; 0: @text is no valid name. */
size_t agent_snmp_parse(const char *text, unsigned long parts[SNMP_MOST_PARTS]);

#endif
