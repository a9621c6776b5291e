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
#include "sim/box.h"
#include "sim/kernel.h"
#include "sim/throttling.h"

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
	return !*rest || (*rest == '_' && isdigit((unsigned char)rest[1]) && !rest[1 + strspn(rest + 1, "0123456789")]);
}

int um_sim_kernel_add_format(struct um_sim_kernel *k, const char *pmu, const char *name, const char *text)
{
	struct um_sim_pmu_format f;

	snprintf(f.pmu, sizeof(f.pmu), "%s", pmu);
	snprintf(f.name, sizeof(f.name), "%s", name);
	snprintf(f.text, sizeof(f.text), "%s", text);
	return ARRAY_APPEND(k->formats, k->num_formats, f);
}

unsigned um_sim_owner(const struct uncoremsr_sim *sim, const struct um_sim_kernel_pmu *pmu, unsigned cpu)
{
	return pmu->masked ? um_sim_first_of(sim, pmu->scope, cpu) : cpu;
}

static unsigned core_type(const struct uncoremsr_sim *sim, unsigned cpu)
{
	return um_sim_cpuid_register(sim, cpu, 0x1a, 0) >> 24;
}

bool um_sim_has_core_pmu(const struct uncoremsr_sim *sim, const struct um_sim_kernel_pmu *pmu, unsigned cpu)
{
	return !pmu->core_type || pmu->core_type == core_type(sim, cpu);
}

/* ---- PMUs that every kernel has ---- */

/*
 * The first processor that has a format or event. ANY: Nehalem and Westmere have it, too. APERF_MPERF: any processor
 * for which CPUID leaf 6 reports IA32_APERF and IA32_MPERF.
 */
enum age { ANY, APERF_MPERF, SANDY_BRIDGE, HASWELL, SKYLAKE, ICE_LAKE, SAPPHIRE_RAPIDS };
/* Flags in @since: the row is for hybrid processors only, or for all other processors only. */
enum { HYBRID = 0x10, PLAIN = 0x20, AGES = 0xf };

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
	unsigned since;
} texts[] = {
	/* Source for hybrid processors: adl_hybrid_extra_attr, alderlake_hybrid_*_attr in Linux. */
	{ "cpu", "event", "config:0-7", ANY }, { "cpu", "umask", "config:8-15", ANY },
	{ "cpu", "edge", "config:18", ANY }, { "cpu", "pc", "config:19", ANY },
	{ "cpu", "any", "config:21", PLAIN }, { "cpu", "inv", "config:23", ANY },
	{ "cpu", "cmask", "config:24-31", ANY },
	{ "cpu", "in_tx", "config:32", PLAIN | HASWELL }, { "cpu", "in_tx_cp", "config:33", PLAIN | HASWELL },
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
	{ "cpu", "mem-stores", "event=0xd0,umask=0x82", HYBRID },
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
	{ "msr", "cpu_thermal_margin", "event=0x07", ANY }, /* a gauge, with companion files */
	{ "uncore", "event", "config:0-7", ANY }, { "uncore", "umask", "config:8-15", ANY },
	{ "uncore", "edge", "config:18", ANY }, { "uncore", "inv", "config:23", ANY },
	{ "uncore", "cmask", "config:24-31", ANY }, { "uncore", "clockticks", "event=0xff", ANY },
	/* AMD's core PMU. Source: amd_zen2_perfmon_event_map in Linux arch/x86/events/amd/core.c. */
	{ "amd", "event", "config:0-7,32-35", ANY }, { "amd", "umask", "config:8-15", ANY },
	{ "amd", "edge", "config:18", ANY }, { "amd", "inv", "config:23", ANY },
	{ "amd", "cmask", "config:24-31", ANY },
	{ "amd", "branch-instructions", "event=0xc2", ANY },
	{ "amd", "branch-misses", "event=0xc3", ANY },
	{ "amd", "cache-misses", "event=0x64,umask=0x09", ANY },
	{ "amd", "cache-references", "event=0x60,umask=0xff", ANY },
	{ "amd", "cpu-cycles", "event=0x76", ANY }, { "amd", "instructions", "event=0xc0", ANY },
};

/* Add the table's files for @of to PMU @pmu, unless a later processor than @age (with HYBRID or PLAIN) is needed. */
static int add_texts(struct um_sim_kernel *k, const char *of, const char *pmu, unsigned age)
{
	int err = 0;

	for (const struct text *t = texts; t < texts + ARRAY_SIZE(texts) && !err; t++) {
		struct um_sim_pmu_event ev = { .snapshot = !strcmp(t->name, "cpu_thermal_margin") };

		if (strcmp(t->pmu, of) || (t->since & AGES) > (age & AGES) || (t->since & ~age & (HYBRID | PLAIN)))
			continue;
		if (strchr(t->text, ':')) {
			err = um_sim_kernel_add_format(k, pmu, t->name, t->text);
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

static int add_pmu(struct um_sim_kernel *k, const struct um_sim_kernel_pmu *pmu, const char *of, unsigned age)
{
	return ARRAY_APPEND(k->pmus, k->num_pmus, *pmu) ?: add_texts(k, of, pmu->name, age);
}

/* The core PMU, with the counters that CPUID leaf 0xA reports. Under a hypervisor there is none. */
static int add_core_pmu(struct uncoremsr_sim *sim)
{
	/* Hybrid processors have a core PMU per core type. The first has the type number of an ordinary core PMU. */
	static const struct um_sim_kernel_pmu amd = {
		.name = "cpu", .kind = UM_SIM_PMU_CORE, .type = PERF_TYPE_RAW, .amd = true, .excludes = true,
		.counters = 6,
	}, large = {
		.name = "cpu_core", .kind = UM_SIM_PMU_CORE, .type = PERF_TYPE_RAW, .core_type = 0x40, .excludes = true,
		.counters = 8, .fixed = 3,
	}, small = {
		.name = "cpu_atom", .kind = UM_SIM_PMU_CORE, .type = TYPE_ATOM, .core_type = 0x20, .excludes = true,
		.counters = 6, .fixed = 3,
	};
	struct um_sim_kernel *k = sim->kernel;
	unsigned cpu = um_sim_first_cpu(sim);
	uint32_t signature = um_sim_cpuid_register(sim, cpu, 1, 0), leaf0[4], leaf_0xa[4];
	uint32_t model = (signature >> 4 & 0xf) | (signature >> 12 & 0xf0);
	struct um_sim_kernel_pmu pmu = {
		.name = "cpu", .kind = UM_SIM_PMU_CORE, .type = PERF_TYPE_RAW, .excludes = true,
	};
	enum age age = ANY;

	um_sim_cpuid(sim, cpu, 0, 0, leaf0);
	um_sim_cpuid(sim, cpu, 0xa, 0, leaf_0xa);
	if (um_sim_cpuid_register(sim, cpu, 1, 2) >> 31)
		return 0;
	if (leaf0[1] == 0x68747541 /* "Auth" */ && (signature >> 20 & 0xff) >= 8)
		return add_pmu(k, &amd, "amd", ANY);
	if (!um_sim_has(sim, UM_SIM_INTEL) || leaf0[0] < 0xa || !(leaf_0xa[0] & 0xff) || !(leaf_0xa[0] >> 8 & 0xff))
		return 0;
	if (um_sim_cpuid_register(sim, cpu, 7, 3) >> 15 & 1)
		return add_pmu(k, &large, "cpu", HYBRID | SAPPHIRE_RAPIDS) ?:
		       add_pmu(k, &small, "cpu", HYBRID | SANDY_BRIDGE);
	pmu.counters = leaf_0xa[0] >> 8 & 0xff;
	pmu.fixed = (leaf_0xa[0] & 0xff) > 1 ? leaf_0xa[3] & 0x1f : 0;
	for (size_t i = 0; i < ARRAY_SIZE(models); i++)
		if (models[i].model == model)
			age = models[i].age;
	return add_pmu(k, &pmu, "cpu", PLAIN | age);
}

static int add_all(struct uncoremsr_sim *sim)
{
	static const struct um_sim_kernel_pmu software = {
		.name = "software", .kind = UM_SIM_PMU_SOFTWARE, .type = PERF_TYPE_SOFTWARE, .excludes = true,
	}, tracepoint = {
		.name = "tracepoint", .kind = UM_SIM_PMU_TRACEPOINT, .type = PERF_TYPE_TRACEPOINT, .excludes = true,
	}, msr = {
		.name = "msr", .kind = UM_SIM_PMU_MSR, .type = TYPE_MSR,
	}, uncore = {
		.name = "uncore", .kind = UM_SIM_PMU_UNCORE, .type = TYPE_UNCORE, .counters = UM_SIM_GENERAL,
		.fixed = 1, .masked = true, .scope = UM_SIM_PER_DIE,
	};
	struct um_sim_kernel *k = sim->kernel;
	int err = add_pmu(k, &software, "software", ANY) ?: add_pmu(k, &tracepoint, "tracepoint", ANY);

	if (err || sim->pvr)
		return err; /* POWER: the other PMUs exist on x86 only */
	err = add_pmu(k, &msr, "msr", um_sim_has(sim, UM_SIM_APERF) ? APERF_MPERF : ANY) ?: add_core_pmu(sim);
	if (!err && k->kernel_uncore && um_sim_is_of(sim, UM_SIM_NHM | UM_SIM_WSM))
		err = add_pmu(k, &uncore, "uncore", ANY);
	return err;
}

/* ---- checks when all PMUs are known, and the choice of counting CPUs ---- */

static int check_known(const struct uncoremsr_sim *sim, struct um_error *e, const char *key, const char *pmu)
{
	for (size_t i = 0; i < sim->kernel->num_pmus; i++)
		if (um_sim_kernel_pmu_is(&sim->kernel->pmus[i], pmu))
			return 0;
	return UM_USAGE(e, "%s: %s: the kernel has no PMU '%s'", sim->name, key, pmu);
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
			if (k->pmus[i].type == k->pmus[n].type || !strcmp(k->pmus[i].name, k->pmus[n].name))
				return UM_USAGE(e, "%s: kernel_pmu: '%s' and '%s' have the same name or type",
						sim->name, k->pmus[n].name, k->pmus[i].name);
	return err;
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
	return pmu->masked ? find_mask(sim, pmu) : 0;
}

int um_sim_kernel_finish(struct uncoremsr_sim *sim, struct um_error *e)
{
	int err = add_all(sim) ?: check(sim, e);

	for (size_t i = 0; !err && i < sim->kernel->num_pmus; i++)
		err = finish_pmu(sim, &sim->kernel->pmus[i]);
	return err;
}

void um_sim_kernel_free(struct uncoremsr_sim *sim)
{
	struct um_sim_kernel *k = sim->kernel;

	if (!k)
		return;
	for (size_t i = 0; i < k->num_pmus; i++)
		free(k->pmus[i].counted_by);
	for (struct um_sim_place *place = k->places, *next; place; place = next) {
		next = place->next;
		free(place->groups);
		free(place);
	}
	free(k->pmus);
	free(k->formats);
	free(k->events);
	free(k->rates);
	free(k->filters);
	free(k->fails);
	free(k);
}
