/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Source: collectd.conf(5) of collectd 5.12, and the behaviour of its plugin snmp_agent. */
#include "agent/agent.h"

#include <unistd.h>

#include "agent/pmu_table.h"
#include "common/output.h"

static const char head[] =
	"# For collectd.conf: INTEL-PMU-MIB by collectd's plugin snmp_agent, if SNMP must come from collectd.\n"
	"# What uncore-agent serves by itself (--agentx) has none of these limits:\n"
	"# - values pass through floating point: the low digits are lost above 2^53, which the cycles of one CPU\n"
	"#   at 3 GHz reach after 35 days, and those of 64 CPUs after half a day;\n"
	"# - rows are numbered as they come, and have other numbers after each start of collectd;\n"
	"# - only the 42 events that the MIB has a column for are shown;\n"
	"# - the plugin polls every 10 microseconds, and takes 30 % of a CPU for that;\n"
	"# - a request while the plugin registers rows can block collectd for ever (5.12 takes two locks in both\n"
	"#   orders): let managers ask only when the first values have been stored.\n"
	"# collectd finds the MIB, INTEL-PMU-MIB.txt, by MIBDIRS and MIBS=INTEL-PMU-MIB in its environment; without\n"
	"# it the plugin serves nothing and logs no error. The block <Collectd> of the agent needs Values \"counter\",\n"
	"# and Hostname where collectd's is not what hostname(1) says (FQDNLookup).\n"
	"LoadPlugin snmp_agent\n"
	"<Plugin snmp_agent>\n"
	"  <Table \"pmuTable\">\n"
	"    IndexOID \"INTEL-PMU-MIB::pmuGroupIndex\"\n"
	"    <Data \"pmuGroupDescr\">\n"
	"      <IndexKey>\n"
	"        Source \"PluginInstance\"\n"
	"      </IndexKey>\n"
	"      Plugin \"intel_pmu\"\n"
	"      OIDs \"INTEL-PMU-MIB::pmuGroupDescr\"\n"
	"    </Data>\n";

int agent_print_snmp_agent_conf(void)
{
	struct out out;

	out_init(&out, STDOUT_FILENO);
	out_str(&out, head);
	for (size_t i = 0; i < PMU_EVENTS; i++)
		out_fmt(&out,
			"    <Data \"%s\">\n"
			"      Plugin \"intel_pmu\"\n"
			"      Type \"counter\"\n"
			"      TypeInstance \"%s\"\n"
			"      OIDs \"INTEL-PMU-MIB::%s\"\n"
			"    </Data>\n",
			agent_pmu_events[i].column, agent_pmu_events[i].event, agent_pmu_events[i].column);
	out_str(&out, "  </Table>\n</Plugin>\n");
	return out_finish(&out, TOOL_DONE);
}
