/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* --print-snmp-agent-conf: the configuration with which collectd's plugin snmp_agent serves INTEL-PMU-MIB. */
#ifndef AGENT_SNMP_AGENT_CONF_H
#define AGENT_SNMP_AGENT_CONF_H

/* Returns the exit status. */
int agent_print_snmp_agent_conf(void);

#endif
