/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Which events which PMU of which processor has. */
#include <string.h>

#include "common/error.h"
#include "events/table_data.h"

#define SDM(table) "Intel SDM volume 3, table " table " (2016), volume 3B, appendix A (2010)"
#define GUIDE "Intel Xeon Processor 7500 Series Uncore Programming Guide (323535-001)"
#define PERFMON "intel/perfmon event lists"

#define TABLE(name, kind, bits, rows, where) \
	{ .uarch = name, .pmu = kind, .on = bits, .data = &rows, .manual = where }

#define EX(name, bits) \
	TABLE(name, "cbox", bits, um_events_ex_cbox, GUIDE), \
	TABLE(name, "ubox", bits, um_events_ex_ubox, GUIDE), \
	TABLE(name, "bbox", bits, um_events_ex_bbox, GUIDE), \
	TABLE(name, "sbox", bits, um_events_ex_sbox, GUIDE), \
	TABLE(name, "mbox", bits, um_events_ex_mbox, GUIDE), \
	TABLE(name, "rbox", bits, um_events_ex_rbox, GUIDE), \
	TABLE(name, "wbox", bits, um_events_ex_wbox, GUIDE)

#define CLIENT_ARB(name, bits, clock) \
	TABLE(name, "arb", bits, um_events_client_arb, PERFMON), \
	TABLE(name, clock, bits, um_events_client_clock, PERFMON)
#define CLIENT(name, bits) \
	TABLE(name, "cbo", bits, um_events_client_cbo, PERFMON), CLIENT_ARB(name, bits, "clock")

const struct um_event_table um_event_tables[] = {
	TABLE("nehalem", "uncore", UM_ON_NEHALEM, um_events_nehalem, SDM("19-18")),
	TABLE("westmere", "uncore", UM_ON_WESTMERE, um_events_nehalem, SDM("19-20")),
	EX("nehalem-ex", UM_ON_NEHALEM_EX),
	EX("westmere-ex", UM_ON_WESTMERE_EX),
	CLIENT("sandybridge", UM_ON_SNB),
	CLIENT("ivybridge", UM_ON_IVB),
	CLIENT("haswell", UM_ON_HSW),
	CLIENT("broadwell", UM_ON_BDW),
	CLIENT("skylake", UM_ON_SKL),
	CLIENT("kabylake", UM_ON_SKL),
	CLIENT("cometlake", UM_ON_SKL),
	CLIENT_ARB("icelake", UM_ON_ICL, "clock"),
	CLIENT_ARB("rocketlake", UM_ON_RKL, "clock"),
	CLIENT_ARB("tigerlake", UM_ON_TGL, "clock"),
	CLIENT_ARB("alderlake", UM_ON_ADL, "clock"),
	CLIENT_ARB("raptorlake", UM_ON_ADL, "clock"),
	CLIENT_ARB("meteorlake", UM_ON_MTL, "cncu"),
	TABLE("meteorlake", "hac_arb", UM_ON_MTL, um_events_client_hac_arb, PERFMON),
	TABLE("meteorlake", "hac_cbo", UM_ON_MTL, um_events_client_hac_cbo, PERFMON),
	TABLE("arrowlake", "cncu", UM_ON_ARL, um_events_client_clock, PERFMON),
	TABLE("arrowlake", "hac_arb", UM_ON_ARL, um_events_client_hac_arb, PERFMON),
	TABLE("arrowlake", "hac_cbo", UM_ON_ARL, um_events_client_hac_cbo, PERFMON),
	TABLE("core", "core", 1, um_events_core,
	      "Intel SDM volume 3B, pre-defined architectural performance events"),
};

const size_t um_num_event_tables = ARRAY_SIZE(um_event_tables);

const struct um_event_table *um_event_table_find(const char *uarch, const char *pmu)
{
	for (size_t i = 0; i < um_num_event_tables; i++) {
		const struct um_event_table *t = &um_event_tables[i];

		if (strcmp(t->uarch, uarch) == 0 && strcmp(t->pmu, pmu) == 0)
			return t;
	}
	return NULL;
}

const struct um_event_table *um_event_table_of(const char *uarch, const struct uncoremsr_pmu *pmu)
{
	return um_event_table_find(pmu->scope == UM_SCOPE_CPU ? "core" : uarch, pmu->name);
}
