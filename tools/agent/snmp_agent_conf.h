/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* --print-snmp-agent-conf: what collectd's own plugin snmp_agent needs in order to serve INTEL-PMU-MIB. */
#ifndef AGENT_SNMP_AGENT_CONF_H
#define AGENT_SNMP_AGENT_CONF_H

/* Returns the exit status. */
int agent_print_snmp_agent_conf(void);

#endif
