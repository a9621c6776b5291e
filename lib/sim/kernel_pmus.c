/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The PMUs of the simulated kernel: those that every kernel has, the core PMU, and those that the
 * description adds. Formats and events are as in Linux (arch/x86/events/intel/core.c,
 * uncore_snb.c, arch/x86/events/msr.c).
 */
#include <ctype.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "sim/kernel.h"

/* Type numbers of PMUs are assigned dynamically; these were seen on real machines. */
enum { TYPE_ATOM = 8, TYPE_MSR = 9, TYPE_UNCORE = 10 };

int um_sim_kernel_new(struct uncoremsr_sim *sim)
{
	struct um_sim_kernel *k = sim->kernel = calloc(1, sizeof(*k));

	if (!k)
		return -ENOMEM;
	k->paranoid = 2;
	k->soft = 1024;
	k->hard = 1048576;
	return 0;
}

bool um_sim_kernel_pmu_is(const struct um_sim_kernel_pmu *pmu, const char *text)
{
	size_t len = strlen(text);
	const char *rest = pmu->name + len;

	if (strncmp(pmu->name, text, len))
		return false;
	return !*rest || (*rest == '_' && isdigit((unsigned char)rest[1]) &&
			  !rest[1 + strspn(rest + 1, "0123456789")]);
}

struct um_sim_kernel_pmu *um_sim_kernel_add_pmu(struct um_sim_kernel *k, const char *name,
						enum um_sim_pmu_kind kind, unsigned type)
{
	struct um_sim_kernel_pmu *pmu;

	if (ARRAY_APPEND(k->pmus, k->num_pmus, (struct um_sim_kernel_pmu){ .kind = kind, .type = type }))
		return NULL;
	pmu = &k->pmus[k->num_pmus - 1];
	snprintf(pmu->name, sizeof(pmu->name), "%s", name);
	return pmu;
}

unsigned um_sim_owner(const struct uncoremsr_sim *sim, const struct um_sim_kernel_pmu *pmu, unsigned cpu)
{
	return !pmu->masked ? cpu : pmu->by_core ? sim->kernel->core[cpu] : sim->kernel->die[cpu];
}

static unsigned core_type(const struct uncoremsr_sim *sim, unsigned cpu)
{
	return um_sim_cpuid_register(sim, cpu, 0x1a, 0) >> 24;
}

bool um_sim_has_core_pmu(const struct uncoremsr_sim *sim, const struct um_sim_kernel_pmu *pmu,
			 unsigned cpu)
{
	return !pmu->core_type || pmu->core_type == core_type(sim, cpu);
}

/* ---- what every kernel has ---- */

/*
 * The first processor that has a format or event. ANY: Nehalem and Westmere have it, too. APERF_MPERF: any processor
 * for which CPUID leaf 6 reports IA32_APERF and IA32_MPERF.
 */
enum age { ANY, APERF_MPERF, SANDY_BRIDGE, HASWELL, SKYLAKE, ICE_LAKE, SAPPHIRE_RAPIDS };

static const struct {
	uint8_t model;
	enum age age;
} models[] = {
	{ 0x2a, SANDY_BRIDGE }, { 0x2d, SANDY_BRIDGE }, { 0x3a, SANDY_BRIDGE },
	{ 0x3e, SANDY_BRIDGE },
	{ 0x3c, HASWELL }, { 0x3d, HASWELL }, { 0x3f, HASWELL }, { 0x45, HASWELL },
	{ 0x46, HASWELL }, { 0x47, HASWELL }, { 0x4f, HASWELL }, { 0x56, HASWELL },
	{ 0x4e, SKYLAKE }, { 0x55, SKYLAKE }, { 0x5e, SKYLAKE }, { 0x6a, ICE_LAKE },
	{ 0x6c, ICE_LAKE }, { 0x7d, ICE_LAKE }, { 0x7e, ICE_LAKE }, { 0x8e, SKYLAKE },
	{ 0x8f, SAPPHIRE_RAPIDS }, { 0x9e, SKYLAKE }, { 0xa5, SKYLAKE }, { 0xa7, ICE_LAKE },
	{ 0xcf, SAPPHIRE_RAPIDS },
};

/* A file in a PMU's directory: in format/ if the text has a colon, else in events/. */
static const struct text {
	const char *pmu, *name, *text;
	enum age since;
} texts[] = {
	{ "cpu", "event", "config:0-7", ANY }, { "cpu", "umask", "config:8-15", ANY },
	{ "cpu", "edge", "config:18", ANY }, { "cpu", "pc", "config:19", ANY },
	{ "cpu", "any", "config:21", ANY }, { "cpu", "inv", "config:23", ANY },
	{ "cpu", "cmask", "config:24-31", ANY },
	{ "cpu", "in_tx", "config:32", HASWELL }, { "cpu", "in_tx_cp", "config:33", HASWELL },
	{ "cpu", "offcore_rsp", "config1:0-63", ANY }, { "cpu", "ldlat", "config1:0-15", ANY },
	{ "cpu", "frontend", "config1:0-23", SKYLAKE },
	{ "cpu", "branch-instructions", "event=0xc4", ANY },
	{ "cpu", "branch-misses", "event=0xc5", ANY },
	{ "cpu", "bus-cycles", "event=0x3c,umask=0x01", ANY },
	{ "cpu", "cache-misses", "event=0x2e,umask=0x41", ANY },
	{ "cpu", "cache-references", "event=0x2e,umask=0x4f", ANY },
	{ "cpu", "cpu-cycles", "event=0x3c", ANY }, { "cpu", "instructions", "event=0xc0", ANY },
	{ "cpu", "ref-cycles", "event=0x00,umask=0x03", ANY },
	{ "cpu", "mem-loads", "event=0xcd,umask=0x1,ldlat=3", SANDY_BRIDGE },
	/* Top-down events. Source: Linux icl_td_events_attrs, spr_td_events_attrs. */
	{ "cpu", "slots", "event=0x00,umask=0x4", ICE_LAKE },
	{ "cpu", "topdown-retiring", "event=0x00,umask=0x80", ICE_LAKE },
	{ "cpu", "topdown-bad-spec", "event=0x00,umask=0x81", ICE_LAKE },
	{ "cpu", "topdown-fe-bound", "event=0x00,umask=0x82", ICE_LAKE },
	{ "cpu", "topdown-be-bound", "event=0x00,umask=0x83", ICE_LAKE },
	{ "cpu", "topdown-heavy-ops", "event=0x00,umask=0x84", SAPPHIRE_RAPIDS },
	{ "cpu", "topdown-br-mispredict", "event=0x00,umask=0x85", SAPPHIRE_RAPIDS },
	{ "cpu", "topdown-fetch-lat", "event=0x00,umask=0x86", SAPPHIRE_RAPIDS },
	{ "cpu", "topdown-mem-bound", "event=0x00,umask=0x87", SAPPHIRE_RAPIDS },
	{ "msr", "event", "config:0-63", ANY },
	{ "msr", "tsc", "event=0x00", ANY }, { "msr", "aperf", "event=0x01", APERF_MPERF },
	{ "msr", "mperf", "event=0x02", APERF_MPERF }, { "msr", "smi", "event=0x04", ANY },
	{ "msr", "cpu_thermal_margin", "event=0x07", ANY }, /* a level, with companion files */
	{ "uncore", "event", "config:0-7", ANY }, { "uncore", "umask", "config:8-15", ANY },
	{ "uncore", "edge", "config:18", ANY }, { "uncore", "inv", "config:23", ANY },
	{ "uncore", "cmask", "config:24-31", ANY }, { "uncore", "clockticks", "event=0xff", ANY },
};

/* Source: amd_zen2_perfmon_event_map in Linux arch/x86/events/amd/core.c. */
static const struct text amd_texts[] = {
	{ "cpu", "event", "config:0-7,32-35", ANY }, { "cpu", "umask", "config:8-15", ANY },
	{ "cpu", "edge", "config:18", ANY }, { "cpu", "inv", "config:23", ANY },
	{ "cpu", "cmask", "config:24-31", ANY },
	{ "cpu", "branch-instructions", "event=0xc2", ANY },
	{ "cpu", "branch-misses", "event=0xc3", ANY },
	{ "cpu", "cache-misses", "event=0x64,umask=0x09", ANY },
	{ "cpu", "cache-references", "event=0x60,umask=0xff", ANY },
	{ "cpu", "cpu-cycles", "event=0x76", ANY }, { "cpu", "instructions", "event=0xc0", ANY },
};

/* Give PMU @pmu the files in the rows of @of, if the processor is new enough (@age). */
static int add_table(struct um_sim_kernel *k, const struct text *table, size_t num, const char *of,
		     const char *pmu, enum age age)
{
	int err = 0;

	for (const struct text *t = table; t < table + num && !err; t++) {
		struct um_sim_pmu_format f = { "", "", "" };
		struct um_sim_pmu_event ev = { .snapshot = !strcmp(t->name, "cpu_thermal_margin") };

		if (strcmp(t->pmu, of) || t->since > age)
			continue;
		if (strchr(t->text, ':')) {
			snprintf(f.pmu, sizeof(f.pmu), "%s", pmu);
			snprintf(f.name, sizeof(f.name), "%s", t->name);
			snprintf(f.text, sizeof(f.text), "%s", t->text);
			err = ARRAY_APPEND(k->formats, k->num_formats, f);
			continue;
		}
		snprintf(ev.pmu, sizeof(ev.pmu), "%s", pmu);
		snprintf(ev.name, sizeof(ev.name), "%s", t->name);
		snprintf(ev.terms, sizeof(ev.terms), "%s", t->text);
		snprintf(ev.unit, sizeof(ev.unit), "%s", ev.snapshot ? "C" : "");
		err = ARRAY_APPEND(k->events, k->num_events, ev);
	}
	return err;
}

static int add_texts(struct um_sim_kernel *k, const char *pmu, enum age age)
{
	return add_table(k, texts, ARRAY_SIZE(texts), pmu, pmu, age);
}

/* AMD's core PMU, with six counters. */
static int add_amd_core_pmu(struct uncoremsr_sim *sim)
{
	struct um_sim_kernel_pmu *pmu = um_sim_kernel_add_pmu(sim->kernel, "cpu", UM_SIM_PMU_CORE,
							      PERF_TYPE_RAW);

	if (!pmu)
		return -ENOMEM;
	pmu->amd = true;
	pmu->excludes = true;
	pmu->counters = 6;
	return add_table(sim->kernel, amd_texts, ARRAY_SIZE(amd_texts), "cpu", "cpu", ANY);
}

/* Source: adl_hybrid_extra_attr, alderlake_hybrid_*_attr in Linux arch/x86/events/intel/core.c. */
static const struct text hybrid_texts[] = {
	{ "cpu_", "event", "config:0-7", ANY }, { "cpu_", "umask", "config:8-15", ANY },
	{ "cpu_", "edge", "config:18", ANY }, { "cpu_", "pc", "config:19", ANY },
	{ "cpu_", "inv", "config:23", ANY }, { "cpu_", "cmask", "config:24-31", ANY },
	{ "cpu_", "offcore_rsp", "config1:0-63", ANY }, { "cpu_", "ldlat", "config1:0-15", ANY },
	{ "cpu_", "frontend", "config1:0-23", SKYLAKE }, /* large cores only */
	{ "cpu_", "branch-instructions", "event=0xc4", ANY },
	{ "cpu_", "branch-misses", "event=0xc5", ANY },
	{ "cpu_", "bus-cycles", "event=0x3c,umask=0x01", ANY },
	{ "cpu_", "cache-misses", "event=0x2e,umask=0x41", ANY },
	{ "cpu_", "cache-references", "event=0x2e,umask=0x4f", ANY },
	{ "cpu_", "cpu-cycles", "event=0x3c", ANY }, { "cpu_", "instructions", "event=0xc0", ANY },
	{ "cpu_", "ref-cycles", "event=0x00,umask=0x03", ANY },
	{ "cpu_", "mem-loads", "event=0xcd,umask=0x1,ldlat=3", ANY },
	{ "cpu_", "mem-stores", "event=0xd0,umask=0x82", ANY },
	{ "cpu_", "slots", "event=0x00,umask=0x4", SKYLAKE },
	{ "cpu_", "topdown-retiring", "event=0x00,umask=0x80", SKYLAKE },
	{ "cpu_", "topdown-bad-spec", "event=0x00,umask=0x81", SKYLAKE },
	{ "cpu_", "topdown-fe-bound", "event=0x00,umask=0x82", SKYLAKE },
	{ "cpu_", "topdown-be-bound", "event=0x00,umask=0x83", SKYLAKE },
	{ "cpu_", "topdown-heavy-ops", "event=0x00,umask=0x84", SKYLAKE },
	{ "cpu_", "topdown-br-mispredict", "event=0x00,umask=0x85", SKYLAKE },
	{ "cpu_", "topdown-fetch-lat", "event=0x00,umask=0x86", SKYLAKE },
	{ "cpu_", "topdown-mem-bound", "event=0x00,umask=0x87", SKYLAKE },
};

/* One core PMU for each kind of core. The first has the type of an ordinary core PMU. */
static int add_hybrid_pmus(struct uncoremsr_sim *sim)
{
	static const struct {
		const char *name;
		unsigned core_type, type, general;
		enum age age;
	} kinds[] = {
		{ "cpu_core", 0x40, PERF_TYPE_RAW, 8, SKYLAKE }, { "cpu_atom", 0x20, TYPE_ATOM, 6, ANY },
	};
	int err = 0;

	for (size_t i = 0; i < ARRAY_SIZE(kinds) && !err; i++) {
		struct um_sim_kernel_pmu *pmu = um_sim_kernel_add_pmu(
			sim->kernel, kinds[i].name, UM_SIM_PMU_CORE, kinds[i].type);

		if (!pmu)
			return -ENOMEM;
		pmu->excludes = true;
		pmu->core_type = kinds[i].core_type;
		pmu->counters = kinds[i].general;
		pmu->fixed = 3;
		err = add_table(sim->kernel, hybrid_texts, ARRAY_SIZE(hybrid_texts), "cpu_",
				kinds[i].name, kinds[i].age);
	}
	return err;
}

/* The core PMU, with the counters that CPUID leaf 0xA reports. Under a hypervisor there is none. */
static int add_core_pmu(struct uncoremsr_sim *sim)
{
	unsigned cpu = um_sim_first_cpu(sim, -1);
	uint32_t signature = um_sim_cpuid_register(sim, cpu, 1, 0), leaf0[4], leaf_0xa[4];
	uint32_t model = (signature >> 4 & 0xf) | (signature >> 12 & 0xf0);
	struct um_sim_kernel_pmu *pmu;
	enum age age = ANY;

	um_sim_cpuid(sim, cpu, 0, 0, leaf0);
	um_sim_cpuid(sim, cpu, 0xa, 0, leaf_0xa);
	if (leaf0[1] == 0x68747541 /* "Auth" */ && (signature >> 20 & 0xff) >= 8 &&
	    !(um_sim_cpuid_register(sim, cpu, 1, 2) >> 31))
		return add_amd_core_pmu(sim);
	if (leaf0[1] != 0x756e6547 /* "Genu" */ || leaf0[0] < 0xa || !(leaf_0xa[0] & 0xff) ||
	    !(leaf_0xa[0] >> 8 & 0xff) || um_sim_cpuid_register(sim, cpu, 1, 2) >> 31)
		return 0;
	if (um_sim_cpuid_register(sim, cpu, 7, 3) >> 15 & 1)
		return add_hybrid_pmus(sim);
	pmu = um_sim_kernel_add_pmu(sim->kernel, "cpu", UM_SIM_PMU_CORE, PERF_TYPE_RAW);
	if (!pmu)
		return -ENOMEM;
	pmu->excludes = true;
	pmu->counters = leaf_0xa[0] >> 8 & 0xff;
	pmu->fixed = (leaf_0xa[0] & 0xff) > 1 ? leaf_0xa[3] & 0x1f : 0;
	for (size_t i = 0; i < ARRAY_SIZE(models); i++)
		if (models[i].model == model)
			age = models[i].age;
	return add_texts(sim->kernel, "cpu", age);
}

static int add_uncore(struct um_sim_kernel *k)
{
	struct um_sim_kernel_pmu *pmu = um_sim_kernel_add_pmu(k, "uncore", UM_SIM_PMU_UNCORE,
							      TYPE_UNCORE);

	if (!pmu)
		return -ENOMEM;
	pmu->counters = UM_SIM_GENERAL;
	pmu->fixed = 1;
	pmu->masked = true;
	return add_texts(k, "uncore", ANY);
}

static int add_all(struct uncoremsr_sim *sim)
{
	static const struct {
		const char *name;
		enum um_sim_pmu_kind kind;
		unsigned type;
		bool excludes;
	} every[] = {
		{ "software", UM_SIM_PMU_SOFTWARE, PERF_TYPE_SOFTWARE, true },
		{ "tracepoint", UM_SIM_PMU_TRACEPOINT, PERF_TYPE_TRACEPOINT, true },
	};
	struct um_sim_kernel *k = sim->kernel;
	struct um_sim_kernel_pmu *pmu;
	int err;

	for (size_t i = 0; i < ARRAY_SIZE(every); i++) {
		pmu = um_sim_kernel_add_pmu(k, every[i].name, every[i].kind, every[i].type);
		if (!pmu)
			return -ENOMEM;
		pmu->excludes = every[i].excludes;
	}
	if (sim->pvr)
		return 0; /* POWER: the other PMUs exist on x86 only */
	pmu = um_sim_kernel_add_pmu(k, "msr", UM_SIM_PMU_MSR, TYPE_MSR);
	if (!pmu)
		return -ENOMEM;
	err = add_texts(k, "msr", um_sim_cpuid_register(sim, um_sim_first_cpu(sim, -1), 6, 2) & 1
				  ? APERF_MPERF : ANY);
	if (!err)
		err = add_core_pmu(sim);
	if (!err && k->kernel_uncore &&
	    (sim->uncore == UM_SIM_NEHALEM || sim->uncore == UM_SIM_WESTMERE))
		err = add_uncore(k);
	return err;
}

/* ---- once all are known ---- */

static int check_known(const struct uncoremsr_sim *sim, struct um_error *e, const char *key,
		       const char *pmu)
{
	for (size_t i = 0; i < sim->kernel->num_pmus; i++)
		if (um_sim_kernel_pmu_is(&sim->kernel->pmus[i], pmu))
			return 0;
	return um_fail(e, -EINVAL, UNCOREMSR_ERROR_USAGE, "%s: %s: the kernel has no PMU '%s'",
		       sim->name, key, pmu);
}

static int check(const struct uncoremsr_sim *sim, struct um_error *e)
{
	const struct um_sim_kernel *k = sim->kernel;
	int err = 0;

	for (size_t i = 0; i < k->num_formats && !err; i++)
		err = check_known(sim, e, "kernel_format", k->formats[i].pmu);
	for (size_t i = 0; i < k->num_events && !err; i++)
		err = check_known(sim, e, "kernel_event", k->events[i].pmu);
	for (size_t i = 0; i < k->num_rates && !err; i++)
		err = check_known(sim, e, "kernel_rate", k->rates[i].pmu);
	for (size_t i = 0; i < k->num_filters && !err; i++)
		err = check_known(sim, e, "kernel_filter", k->filters[i].pmu);
	for (size_t i = 0; i < k->num_fails && !err; i++)
		err = check_known(sim, e, "perf_fail", k->fails[i].pmu);
	for (size_t i = 0; i < k->num_pmus && !err; i++)
		for (size_t n = 0; n < i; n++)
			if (k->pmus[i].type == k->pmus[n].type ||
			    !strcmp(k->pmus[i].name, k->pmus[n].name))
				return um_fail(e, -EINVAL, UNCOREMSR_ERROR_USAGE,
					       "%s: kernel_pmu: '%s' and '%s' have the same name "
					       "or type", sim->name, k->pmus[n].name, k->pmus[i].name);
	return err;
}

static int find_owners(struct uncoremsr_sim *sim)
{
	unsigned *die = sim->kernel->die = calloc(sim->num_cpus, sizeof(*die));
	unsigned *core = sim->kernel->core = calloc(sim->num_cpus, sizeof(*core));

	if (!die || !core)
		return -ENOMEM;
	for (unsigned cpu = 0; cpu < sim->num_cpus; cpu++) {
		const struct um_sim_cpu *c = &sim->cpus[cpu];

		while (c->present && (!sim->cpus[die[cpu]].present ||
				      sim->cpus[die[cpu]].package != c->package ||
				      sim->cpus[die[cpu]].die != c->die))
			die[cpu]++;
		while (c->present && (!sim->cpus[core[cpu]].present ||
				      sim->cpus[core[cpu]].core != c->core))
			core[cpu]++;
	}
	return 0;
}

/* Choose the counting CPU of each die or core: the first one that is in the cpumask. */
static int find_mask(const struct uncoremsr_sim *sim, struct um_sim_kernel_pmu *pmu)
{
	int *by_owner = calloc(sim->num_cpus, sizeof(*by_owner));

	if (!by_owner)
		return -ENOMEM;
	for (unsigned i = 0; i < sim->num_cpus; i++)
		by_owner[i] = -1;
	for (unsigned i = sim->num_cpus; i-- > 0;)
		if (sim->cpus[i].present && (!pmu->counted_by || pmu->counted_by[i] >= 0))
			by_owner[um_sim_owner(sim, pmu, i)] = (int)i;
	free(pmu->counted_by);
	pmu->counted_by = by_owner;
	return 0;
}

static int finish_pmu(const struct uncoremsr_sim *sim, struct um_sim_kernel_pmu *pmu)
{
	struct um_term f;

	for (size_t i = 0; i < sim->kernel->num_formats; i++)
		if (um_sim_kernel_pmu_is(pmu, sim->kernel->formats[i].pmu) &&
		    !um_format_parse(&f, sim->kernel->formats[i].text) && !f.word)
			pmu->mask |= f.mask;
	pmu->places = calloc(sim->num_cpus, sizeof(*pmu->places));
	if (!pmu->places)
		return -ENOMEM;
	for (unsigned i = 0; i < sim->num_cpus; i++)
		pmu->places[i] = (struct um_sim_place){ .pmu = pmu, .pid = -1 };
	return pmu->masked ? find_mask(sim, pmu) : 0;
}

int um_sim_kernel_finish(struct uncoremsr_sim *sim, struct um_error *e)
{
	int err = add_all(sim);

	if (!err)
		err = find_owners(sim);
	if (!err)
		err = check(sim, e);
	for (size_t i = 0; !err && i < sim->kernel->num_pmus; i++)
		err = finish_pmu(sim, &sim->kernel->pmus[i]);
	return err;
}

void um_sim_kernel_free(struct uncoremsr_sim *sim)
{
	struct um_sim_kernel *k = sim->kernel;

	if (!k)
		return;
	for (size_t i = 0; i < k->num_pmus; i++) {
		for (unsigned n = 0; k->pmus[i].places && n < sim->num_cpus; n++)
			free(k->pmus[i].places[n].groups);
		free(k->pmus[i].places);
		free(k->pmus[i].counted_by);
	}
	for (struct um_sim_place *task = k->tasks, *next; task; task = next) {
		next = task->next;
		free(task->groups);
		free(task);
	}
	free(k->die);
	free(k->core);
	free(k->pmus);
	free(k->formats);
	free(k->events);
	free(k->rates);
	free(k->filters);
	free(k->fails);
	free(k);
}
