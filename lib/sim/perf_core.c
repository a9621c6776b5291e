/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The core PMU that the simulated kernel finds on an Intel processor: counters out of CPUID leaf
 * 0xA, formats and events as Linux has them (arch/x86/events/intel/core.c).
 */
#include <errno.h>
#include <linux/perf_event.h>

#include "sim/perf.h"

#define INTEL_EBX 0x756e6547u /* "Genu" of leaf 0 */

/* Since which processor: Nehalem and Westmere have the first, Sandy Bridge adds some, and so on. */
enum age { ANY, SANDY_BRIDGE, HASWELL, SKYLAKE };

static const struct {
	uint8_t model;
	enum age age;
} models[] = {
	{ 0x2a, SANDY_BRIDGE }, { 0x2d, SANDY_BRIDGE }, { 0x3a, SANDY_BRIDGE },
	{ 0x3e, SANDY_BRIDGE },
	{ 0x3c, HASWELL }, { 0x3d, HASWELL }, { 0x3f, HASWELL }, { 0x45, HASWELL },
	{ 0x46, HASWELL }, { 0x47, HASWELL }, { 0x4f, HASWELL }, { 0x56, HASWELL },
	{ 0x4e, SKYLAKE }, { 0x55, SKYLAKE }, { 0x5e, SKYLAKE }, { 0x6a, SKYLAKE },
	{ 0x6c, SKYLAKE }, { 0x7d, SKYLAKE }, { 0x7e, SKYLAKE }, { 0x8e, SKYLAKE },
	{ 0x8f, SKYLAKE }, { 0x9e, SKYLAKE }, { 0xa5, SKYLAKE }, { 0xa7, SKYLAKE },
	{ 0xcf, SKYLAKE },
};

struct text {
	const char *name, *text;
	enum age since;
};

static const struct text formats[] = {
	{ "event", "config:0-7", ANY }, { "umask", "config:8-15", ANY },
	{ "edge", "config:18", ANY }, { "pc", "config:19", ANY }, { "any", "config:21", ANY },
	{ "inv", "config:23", ANY }, { "cmask", "config:24-31", ANY },
	{ "in_tx", "config:32", HASWELL }, { "in_tx_cp", "config:33", HASWELL },
	{ "offcore_rsp", "config1:0-63", ANY }, { "ldlat", "config1:0-15", ANY },
	{ "frontend", "config1:0-23", SKYLAKE },
};

static const struct text events[] = {
	{ "branch-instructions", "event=0xc4", ANY }, { "branch-misses", "event=0xc5", ANY },
	{ "bus-cycles", "event=0x3c,umask=0x01", ANY },
	{ "cache-misses", "event=0x2e,umask=0x41", ANY },
	{ "cache-references", "event=0x2e,umask=0x4f", ANY },
	{ "cpu-cycles", "event=0x3c", ANY }, { "instructions", "event=0xc0", ANY },
	{ "ref-cycles", "event=0x00,umask=0x03", ANY },
	{ "mem-loads", "event=0xcd,umask=0x1,ldlat=3", SANDY_BRIDGE },
};

static enum age age_of(uint32_t signature)
{
	uint32_t model = (signature >> 4 & 0xf) | (signature >> 12 & 0xf0);

	for (size_t i = 0; i < ARRAY_SIZE(models); i++)
		if (models[i].model == model)
			return models[i].age;
	return ANY;
}

/* Under a hypervisor there is none, and a hybrid processor would have two of other names. */
static bool has_core_pmu(const struct uncoremsr_sim *sim, uint32_t leaf1[4], uint32_t leaf_0xa[4])
{
	uint32_t leaf0[4], leaf7[4];
	unsigned cpu = 0;

	while (!sim->cpus[cpu].present)
		cpu++;
	um_sim_cpuid(sim, cpu, 0, 0, leaf0);
	um_sim_cpuid(sim, cpu, 1, 0, leaf1);
	um_sim_cpuid(sim, cpu, 7, 0, leaf7);
	um_sim_cpuid(sim, cpu, 0xa, 0, leaf_0xa);
	return leaf0[1] == INTEL_EBX && leaf0[0] >= 0xa && !(leaf1[2] >> 31) &&
	       leaf_0xa[0] & 0xff && leaf_0xa[0] >> 8 & 0xff && !(leaf7[3] >> 15 & 1);
}

int um_sim_perf_add_core(struct uncoremsr_sim *sim)
{
	uint32_t leaf1[4], leaf_0xa[4];
	struct um_sim_perf *p = sim->perf;
	struct um_sim_pmu *pmu;
	enum age age;

	if (!has_core_pmu(sim, leaf1, leaf_0xa))
		return 0;
	pmu = um_sim_pmu_add(p, "cpu", UM_SIM_PMU_CORE, PERF_TYPE_RAW);
	if (!pmu)
		return -ENOMEM;
	pmu->excludes = true;
	pmu->counters = leaf_0xa[0] >> 8 & 0xff;
	pmu->fixed = (leaf_0xa[0] & 0xff) > 1 ? leaf_0xa[3] & 0x1f : 0;
	age = age_of(leaf1[0]);
	for (size_t i = 0; i < ARRAY_SIZE(formats); i++)
		if (formats[i].since <= age &&
		    um_sim_perf_add_format(p, "cpu", formats[i].name, formats[i].text))
			return -ENOMEM;
	for (size_t i = 0; i < ARRAY_SIZE(events); i++)
		if (events[i].since <= age &&
		    um_sim_perf_add_event(p, "cpu", events[i].name, events[i].text))
			return -ENOMEM;
	return 0;
}
