/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Identity of the processor, from the machine or a recorded CPUID, and whether its uncore can be counted. */
#include <string.h>

#include "info/info.h"
#include "common/properties.h"

/* Unknown numbers are -1, and unknown texts are NULL. */
struct processor {
	const char *vendor, *brand, *source, *uarch, *title, *reason;
	int family, model, stepping, hypervisor, tables, supported;
};

static struct processor of_machine(struct uncoremsr *um)
{
	const struct uncoremsr_machine *m = uncoremsr_machine(um);

	return (struct processor){
		.vendor = m->vendor, .source = m->identity_source, .uarch = m->uarch, .title = m->uarch_title,
		.reason = m->reason, .family = m->family, .model = m->model, .stepping = m->stepping,
		.hypervisor = m->hypervisor, .tables = m->tables > 0, .supported = m->supported,
	};
}

static struct processor of_kind(const struct uncoremsr_core_kind *kind)
{
	return (struct processor){
		.vendor = kind->vendor, .brand = kind->brand, .source = "file", .uarch = kind->uarch,
		.title = kind->uarch_title, .reason = "a recorded CPUID: there is no machine to count on",
		.family = kind->family, .model = kind->model, .stepping = kind->stepping,
		.hypervisor = kind->hypervisor,
		.tables = kind->tables > 0, .supported = kind->tables > 0 && !kind->hypervisor,
	};
}

static struct processor processor_of(const struct info *i, const struct uncoremsr_core_kind *kind)
{
	return kind ? of_kind(kind) : of_machine(i->um);
}

const char *info_uarch(const struct info *i, const struct uncoremsr_core_kind *kind)
{
	return kind ? kind->uarch : machine_uarch(i->um);
}

const struct uncoremsr_pmu *info_pmu(const struct info *i)
{
	const char *uarch;

	if (i->um)
		return uncoremsr_pmu(i->um, NULL, 0);
	uarch = info_uarch(i, i->cores->kinds[0]);
	return uarch ? uncoremsr_pmu(i->tables, uarch, 0) : NULL;
}

/* ---- for programs ---- */

void info_put_identity(struct info *i, const struct uncoremsr_core_kind *kind)
{
	struct processor p = processor_of(i, kind);

	record_str(&i->w, "vendor", p.vendor);
	record_int(&i->w, "family", p.family);
	record_int(&i->w, "model", p.model);
	record_int(&i->w, "stepping", p.stepping);
	record_str(&i->w, "uarch", p.uarch);
	record_bool(&i->w, "supported", p.supported);
	record_bool(&i->w, "hypervisor", p.hypervisor);
}

void info_put_names(struct info *i, const struct uncoremsr_core_kind *kind)
{
	struct processor p = processor_of(i, kind);

	record_str(&i->w, "machine", i->um ? uncoremsr_machine(i->um)->name : NULL);
	record_bool(&i->w, "simulated", machine_is_simulated(i->um));
	record_str(&i->w, "identity_source", p.source);
	record_str(&i->w, "uarch_title", p.title);
	record_str(&i->w, "reason", p.reason);
	record_str(&i->w, "online", i->um ? uncoremsr_machine(i->um)->online_cpus : NULL);
}

static const struct record_column uncore[] = {
	{ "general_counters", RECORD_INT, RECORD_AT(uncoremsr_pmu, general_counters) },
	{ "general_width", RECORD_INT, RECORD_AT(uncoremsr_pmu, general_width) },
	{ "fixed_counters", RECORD_INT, RECORD_AT(uncoremsr_pmu, fixed_counters) },
	{ "name", RECORD_STR, RECORD_AT(uncoremsr_pmu, name) },
};

void info_put_uncore(struct info *i)
{
	record_object(&i->w, "uncore", RECORD_COLUMNS(uncore), info_pmu(i));
}

/* ---- for people ---- */

static void show_head(struct info *i)
{
	const struct uncoremsr_core_kind *kind;
	size_t cpus = 0;

	if (i->um) {
		machine_put_simulated(i->o, i->um);
		return;
	}
	for (size_t k = 0; (kind = i->cores->kinds[k]); k++)
		cpus += (size_t)kind->num_cpus;
	out_fmt(i->o, "recorded CPUID of %zu logical CPUs from %s: this is not a machine\n", cpus,
		i->cpuid);
}

static void show_number(struct out *o, const char *name, int v)
{
	if (v < 0)
		out_fmt(o, " %s unknown", name);
	else
		out_fmt(o, " %s %d", name, v);
}

static const char *source_words(const struct info *i, const char *source)
{
	if (!i->um)
		return "";
	if (!source)
		return " (neither CPUID nor proc/cpuinfo is there)";
	return strcmp(source, "cpuinfo") == 0 ? " (from proc/cpuinfo: there is no CPUID here)"
					      : " (from CPUID)";
}

static void show_power(struct info *i, const struct processor *p)
{
	/* Linux arch/powerpc/include/asm/reg.h, PVR_POWER8 and so on */
	static const struct {
		uint16_t version;
		const char *name;
	} names[] = {
		{ 0x4b, "POWER8" }, { 0x4c, "POWER8" }, { 0x4d, "POWER8" }, { 0x4e, "POWER9" },
		{ 0x80, "POWER10" }, { 0x82, "POWER11" },
	};
	const uint64_t pvr = uncoremsr_machine(i->um)->pvr;
	const char *name = "POWER";

	for (size_t n = 0; n < ARRAY_SIZE(names); n++)
		if (names[n].version == pvr >> 16)
			name = names[n].name;
	out_fmt(i->o, INFO_LABEL "%s, processor version register 0x%08x (from proc/cpuinfo)\n", "processor",
		name, (unsigned)pvr);
	out_fmt(i->o, INFO_LABEL "%s\n", "counters", p->reason ? p->reason : "unknown");
	info_show_in_memory(i);
}

/* Kinds of PMUs that the kernel of a guest may have. */
enum { CORE, UNCORE, SOFTWARE, NUM_KINDS };

static int note_kind(void *user, const char *name, unsigned type, const char *cpus)
{
	bool *kinds = user;

	(void)type;
	(void)cpus;
	kinds[CORE] |= strcmp(name, "cpu") == 0 || strncmp(name, "cpu_", strlen("cpu_")) == 0;
	kinds[UNCORE] |= strncmp(name, "uncore_", strlen("uncore_")) == 0 ||
			 strncmp(name, "amd_", strlen("amd_")) == 0;
	kinds[SOFTWARE] |= strcmp(name, "software") == 0;
	return 0;
}

static void show_guest(struct info *i)
{
	static const char *const names[] = { "core", "uncore", "software" };
	bool kinds[NUM_KINDS] = { false };
	const char *join = ", which counts ";

	uncoremsr_kernel_pmus(i->um, note_kind, kinds);
	out_fmt(i->o, INFO_LABEL "yes, this is a virtual machine", "hypervisor");
	for (size_t k = 0; k < NUM_KINDS; k++)
		if (kinds[k]) {
			out_fmt(i->o, "%s%s events", join, names[k]);
			join = ", ";
		}
	out_char(i->o, '\n');
}

static void show_identity(struct info *i, const struct processor *p)
{
	out_fmt(i->o, INFO_LABEL "%s", "processor", p->vendor ? p->vendor : "unknown");
	show_number(i->o, "family", p->family);
	show_number(i->o, "model", p->model);
	if (p->model >= 0)
		out_fmt(i->o, " (0x%x)", (unsigned)p->model);
	show_number(i->o, "stepping", p->stepping);
	out_fmt(i->o, "%s\n", source_words(i, p->source));
	if (p->brand)
		out_fmt(i->o, INFO_LABEL "%s\n", "name", p->brand);
	if (p->uarch)
		out_fmt(i->o, INFO_LABEL "%s: %s\n", "uarch", p->uarch, p->title);
	else
		out_fmt(i->o, INFO_LABEL "unknown: the model is in no table\n", "uarch");
	if (i->um && p->hypervisor > 0)
		show_guest(i);
	else
		out_fmt(i->o, INFO_LABEL "%s\n", "hypervisor", p->hypervisor < 0 ? "unknown"
			: p->hypervisor ? "yes, this was a virtual machine" : "no");
}

static void show_uncore(struct info *i, const struct processor *p)
{
	const struct uncoremsr_pmu *pmu = info_pmu(i);

	if (i->um && !p->supported)
		out_fmt(i->o, INFO_LABEL "not supported: %s\n", "uncore", p->reason ? p->reason : "unknown");
	if (pmu && num_pmus(i->um) == 1)
		out_fmt(i->o, INFO_LABEL "PMU %s: %d general counters of %d bits, %d fixed\n",
			"uncore", pmu->name, pmu->general_counters, pmu->general_width, pmu->fixed_counters);
	else if (p->uarch && !i->um && !p->tables)
		out_fmt(i->o, INFO_LABEL "none that this version knows how to reach\n", "uncore");
	else if (p->uarch)
		info_show_pmus(i, p->uarch);
}

void info_show_processor(struct info *i)
{
	struct processor p = processor_of(i, i->um ? NULL : i->cores->kinds[0]);

	show_head(i);
	if (machine_is_power(i->um)) {
		show_power(i, &p);
		return;
	}
	show_identity(i, &p);
	show_uncore(i, &p);
}
