/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Identity of the processor (of a machine or a CPUID file), and whether its uncore can be counted. */
#include <string.h>

#include "info/info.h"
#include "common/properties.h"

const struct uncoremsr_pmu *info_pmu(const struct info *i)
{
	const char *uarch = i->um ? NULL : i->cores->kinds[0]->uarch;

	return i->um || uarch ? uncoremsr_pmu(i->tables, uarch, 0) : NULL;
}

static void show_head(struct info *i)
{
	const struct uncoremsr_core_kind *kind;
	size_t cpus = 0;

	if (i->um) {
		put_simulated(i->o, machine_simulated_name(i->um));
		return;
	}
	for (size_t k = 0; (kind = i->cores->kinds[k]); k++)
		cpus += (size_t)kind->num_cpus;
	out_fmt(i->o, "recorded CPUID of %zu logical CPUs from %s: this is not a machine\n", cpus, i->cpuid);
}

static void show_number(struct out *o, const char *name, int v)
{
	if (v < 0)
		out_fmt(o, " %s unknown", name);
	else
		out_fmt(o, " %s %d", name, v);
}

static const char *source_words(const struct info *i)
{
	const char *source = i->m->identity_source;

	if (!i->um)
		return "";
	if (!source)
		return " (neither CPUID nor proc/cpuinfo is there)";
	return strcmp(source, "cpuinfo") == 0 ? " (from proc/cpuinfo: there is no CPUID here)" : " (from CPUID)";
}

static void show_power(struct info *i)
{
	/* Linux arch/powerpc/include/asm/reg.h, PVR_POWER8 and so on */
	static const struct {
		uint16_t version;
		const char *name;
	} versions[] = {
		{ 0x4b, "POWER8" }, { 0x4c, "POWER8" }, { 0x4d, "POWER8" }, { 0x4e, "POWER9" },
		{ 0x80, "POWER10" }, { 0x82, "POWER11" },
	};
	const char *name = "POWER";

	for (size_t n = 0; n < ARRAY_SIZE(versions); n++)
		if (versions[n].version == i->m->pvr >> 16)
			name = versions[n].name;
	out_fmt(i->o, INFO_LABEL "%s, processor version register 0x%08x (from proc/cpuinfo)\n", "processor",
		name, (unsigned)i->m->pvr);
	out_fmt(i->o, INFO_LABEL "%s\n", "counters", i->m->reason ? i->m->reason : "unknown");
	info_show_in_memory(i);
}

static void show_guest(struct info *i)
{
	bool has_core = false, has_uncore = false, has_software = false;
	char counts[64] = "";

	for (size_t n = 0; n < i->num_pmus; n++) {
		const char *name = i->pmus[n].name;

		has_core |= strcmp(name, "cpu") == 0 || strncmp(name, "cpu_", strlen("cpu_")) == 0;
		has_uncore |= strncmp(name, "uncore_", strlen("uncore_")) == 0 ||
			      strncmp(name, "amd_", strlen("amd_")) == 0;
		has_software |= strcmp(name, "software") == 0;
	}
	if (has_core)
		list_add(counts, sizeof(counts), ", ", "core events");
	if (has_uncore)
		list_add(counts, sizeof(counts), ", ", "uncore events");
	if (has_software)
		list_add(counts, sizeof(counts), ", ", "software events");
	out_fmt(i->o, INFO_LABEL "yes, this is a virtual machine%s%s\n", "hypervisor", *counts ? ", which counts " : "",
		counts);
}

static void show_identity(struct info *i)
{
	const struct uncoremsr_machine *m = i->m;

	out_fmt(i->o, INFO_LABEL "%s", "processor", m->vendor ? m->vendor : "unknown");
	show_number(i->o, "family", m->family);
	show_number(i->o, "model", m->model);
	if (m->model >= 0)
		out_fmt(i->o, " (0x%x)", (unsigned)m->model);
	show_number(i->o, "stepping", m->stepping);
	out_fmt(i->o, "%s\n", source_words(i));
	if (!i->um && m->brand)
		out_fmt(i->o, INFO_LABEL "%s\n", "name", m->brand);
	if (m->uarch)
		out_fmt(i->o, INFO_LABEL "%s: %s\n", "uarch", m->uarch, m->uarch_title);
	else
		out_fmt(i->o, INFO_LABEL "unknown: no table has this model\n", "uarch");
	if (i->um && m->hypervisor > 0)
		show_guest(i);
	else
		out_fmt(i->o, INFO_LABEL "%s\n", "hypervisor", m->hypervisor < 0 ? "unknown"
			: m->hypervisor ? "yes, this was a virtual machine" : "no");
}

static void show_uncore(struct info *i)
{
	const struct uncoremsr_machine *m = i->m;
	const struct uncoremsr_pmu *pmu = info_pmu(i);

	if (i->um && !m->supported)
		out_fmt(i->o, INFO_LABEL "not supported: %s\n", "uncore", m->reason ? m->reason : "unknown");
	if (pmu && num_pmus(i->um) == 1)
		out_fmt(i->o, INFO_LABEL "PMU %s: %d general counters of %d bits, %d fixed\n",
			"uncore", pmu->name, pmu->general_counters, pmu->general_width, pmu->fixed_counters);
	else if (m->uarch && !i->um && m->tables <= 0)
		out_fmt(i->o, INFO_LABEL "none that this version can read\n", "uncore");
	else if (m->uarch)
		info_show_pmus(i);
}

void info_show_processor(struct info *i)
{
	show_head(i);
	if (machine_is_power(i->um))
		return show_power(i);
	show_identity(i);
	show_uncore(i);
}
