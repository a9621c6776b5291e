/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Policies: limits that software has set. They slow the machine on purpose, so they do not change the verdict. Each
 * names the file that shows it. Linux Documentation/admin-guide/pm/cpufreq.rst, intel_pstate.rst;
 * drivers/cpufreq/acpi-cpufreq.c;
 * Documentation/power/powercap/powercap.rst.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "common/text.h"
#include "throttle/throttle.h"

#define CPU_DIR "/sys/devices/system/cpu/"
#define POWERCAP "sys/class/powercap"

/* A power limit of a package or a part of it. */
struct zone {
	int package;         /* -1: of the whole machine */
	char name[24];       /* "package-0", "dram" */
	uint64_t design_uw;  /* the thermal design power: the limit is a policy only if it is lower */
	struct um_number_file limit, enabled;
};

struct um_policy_files {
	struct um_number_file max_perf, no_turbo, boost; /* of the whole machine */
	struct zone *zones;
	size_t num_zones;
	bool no_memory;
};

static void for_each_file(struct uncoremsr_throttle *t,
			  void (*fn)(struct uncoremsr_throttle *t, struct um_number_file *f))
{
	struct um_policy_files *p = t->policy_files;

	fn(t, &p->max_perf);
	fn(t, &p->no_turbo);
	fn(t, &p->boost);
	for (size_t i = 0; i < p->num_zones; i++) {
		fn(t, &p->zones[i].limit);
		fn(t, &p->zones[i].enabled);
	}
}

/* ---- power limits ---- */

/*
 * The package of a zone, from its name "package-1" or "package-1-die-0"; -1: none. For a part of a package
 * ("intel-rapl:1:0") use the name of its parent.
 */
static int package_of(struct uncoremsr_throttle *t, const char *zone)
{
	const char *part = strchr(zone, ':');
	int len = (int)strlen(zone), package;
	char path[96], name[32];

	part = part ? strchr(part + 1, ':') : NULL;
	if (part)
		len = (int)(part - zone);
	snprintf(path, sizeof(path), POWERCAP "/%.*s/name", len, zone);
	return um_access_line(t->um->m.access, path, name, sizeof(name)) > 0 &&
	       sscanf(name, "package-%d", &package) == 1 ? package : -1;
}

enum { MOST_CONSTRAINTS = 4 };

/* Read the design power: the largest value allowed for the zone's long-term limit. */
static uint64_t design_power(struct uncoremsr_throttle *t, const char *zone)
{
	struct um_number_file most = { .known = false };
	uint64_t design = 0;

	for (int i = 0; i < MOST_CONSTRAINTS && !design; i++) {
		char path[96], name[32] = "long_term";

		snprintf(path, sizeof(path), POWERCAP "/%.40s/constraint_%d_name", zone, i);
		um_access_line(t->um->m.access, path, name, sizeof(name));
		if (strcmp(name, "long_term") != 0)
			continue;
		um_number_file_open(t, &most, "/" POWERCAP "/%.40s/constraint_%d_max_power_uw", zone, i);
		um_number_file_read(t, &most);
		design = most.known ? most.value : 0;
		um_number_file_close(t, &most);
	}
	return design;
}

static void add_limit(struct uncoremsr_throttle *t, const char *name, int constraint, uint64_t design)
{
	struct um_policy_files *p = t->policy_files;
	struct zone *z;
	char path[96];

	if (ARRAY_ROOM(p->zones, p->num_zones, 1)) {
		p->no_memory = true;
		return;
	}
	z = &p->zones[p->num_zones];
	*z = (struct zone){ .package = package_of(t, name), .design_uw = design };
	snprintf(path, sizeof(path), POWERCAP "/%.40s/name", name);
	um_access_line(t->um->m.access, path, z->name, sizeof(z->name));
	um_number_file_open(t, &z->enabled, "/" POWERCAP "/%.40s/enabled", name);
	if (!um_number_file_open(t, &z->limit, "/" POWERCAP "/%.40s/constraint_%d_power_limit_uw", name,
				 constraint)) {
		um_number_file_close(t, &z->enabled);
		return;
	}
	p->num_zones++;
}

/* "intel-rapl:0", "intel-rapl:0:1" and "intel-rapl-mmio:0" are zones; "intel-rapl" is not. */
static int add_zone(void *user, const char *name)
{
	struct uncoremsr_throttle *t = user;
	uint64_t design;

	if (strncmp(name, "intel-rapl", 10) != 0 || !strchr(name, ':'))
		return 0;
	design = design_power(t, name);
	for (int i = 0; design && i < MOST_CONSTRAINTS; i++)
		add_limit(t, name, i, design);
	return 0;
}

static int by_path(const void *a, const void *b)
{
	return strcmp(((const struct zone *)a)->limit.path, ((const struct zone *)b)->limit.path);
}

/* ---- which files there are ---- */

/* Find the highest frequency in the table of the cpufreq driver, if it has one; turbo may go beyond it. */
static void find_table(struct uncoremsr_throttle *t, struct um_subject *s)
{
	char path[96], text[1024];

	snprintf(path, sizeof(path), "sys/devices/system/cpu/cpu%u/cpufreq/scaling_available_frequencies",
		 s->cpu);
	s->table_khz = 0;
	if (um_access_line(t->um->m.access, path, text, sizeof(text)) <= 0)
		return;
	for (char *at = text, *end;; at = end) {
		unsigned long long khz = strtoull(at, &end, 10);

		if (end == at)
			return;
		s->table_khz = khz > s->table_khz ? khz : s->table_khz;
	}
}

int um_policies_find(struct uncoremsr_throttle *t)
{
	struct um_policy_files *p;

	um_policies_free(t);
	if (t->guest)
		return 0;
	p = t->policy_files = calloc(1, sizeof(*p));
	if (!p)
		return -ENOMEM;
	um_number_file_open(t, &p->max_perf, CPU_DIR "intel_pstate/max_perf_pct");
	um_number_file_open(t, &p->no_turbo, CPU_DIR "intel_pstate/no_turbo");
	um_number_file_open(t, &p->boost, CPU_DIR "cpufreq/boost");
	t->um->m.access->ops->list(t->um->m.access, POWERCAP, add_zone, t);
	if (p->num_zones)
		qsort(p->zones, p->num_zones, sizeof(*p->zones), by_path);
	for (size_t i = 0; i < t->num_subjects; i++)
		if (t->subjects[i].core >= 0)
			find_table(t, &t->subjects[i]);
	return p->no_memory ? -ENOMEM : 0;
}

void um_policies_read(struct uncoremsr_throttle *t)
{
	if (t->policy_files)
		for_each_file(t, um_number_file_read);
}

void um_policies_free(struct uncoremsr_throttle *t)
{
	struct um_policy_files *p = t->policy_files;

	if (!p)
		return;
	for_each_file(t, um_number_file_close);
	free(p->zones);
	free(p);
	t->policy_files = NULL;
}

/* ---- what they say ---- */

uint64_t um_highest_khz(const struct um_subject *s)
{
	const struct um_number_file *highest = &s->files[UM_FILE_HIGHEST];

	return s->table_khz ? s->table_khz : highest->known ? highest->value : 0;
}

/* acpi-cpufreq shows turbo as a frequency of its own, 1 MHz above the nominal one. */
enum { TURBO_STEP_KHZ = 1000 };

bool um_turbo_is_off(const struct um_subject *s)
{
	const struct um_number_file *limit = &s->files[UM_FILE_BIOS_LIMIT];

	return limit->known && limit->value + TURBO_STEP_KHZ == um_highest_khz(s);
}

static const char words[][20] = {
	[UNCOREMSR_POLICY_MAX_FREQUENCY] = "scaling_max_freq",
	[UNCOREMSR_POLICY_MAX_PERFORMANCE] = "max_perf_pct",
	[UNCOREMSR_POLICY_NO_TURBO] = "no_turbo",
	[UNCOREMSR_POLICY_POWER_LIMIT] = "rapl_power_limit",
};

/* Add a policy of a subject. NULL: there is no room. */
static struct uncoremsr_policy *add_policy(struct um_subject *s, const struct uncoremsr_policy *policy)
{
	if (s->num_policies == UM_MAX_POLICIES)
		return NULL;
	s->policies[s->num_policies] = *policy;
	return &s->policies[s->num_policies++];
}

static struct uncoremsr_policy *add_file(struct um_subject *s, enum uncoremsr_policy_kind kind,
					 enum uncoremsr_policy_scope scope, const struct um_number_file *f, uint64_t of)
{
	return add_policy(s, &(struct uncoremsr_policy){
		.size = sizeof(struct uncoremsr_policy), .kind = kind, .word = words[kind], .scope = scope,
		.cores = -1, .value = f->value, .of = of, .file = f->path,
	});
}

static bool is_set(const struct um_number_file *f, uint64_t value)
{
	return f->known && f->value == value;
}

static void judge_machine(const struct um_policy_files *p, struct um_subject *s)
{
	if (p->max_perf.known && p->max_perf.value < 100)
		add_file(s, UNCOREMSR_POLICY_MAX_PERFORMANCE, UNCOREMSR_POLICY_OF_MACHINE, &p->max_perf, 100);
	if (is_set(&p->no_turbo, 1))
		add_file(s, UNCOREMSR_POLICY_NO_TURBO, UNCOREMSR_POLICY_OF_MACHINE, &p->no_turbo, UM_ABSENT);
	if (is_set(&p->boost, 0))
		add_file(s, UNCOREMSR_POLICY_NO_TURBO, UNCOREMSR_POLICY_OF_MACHINE, &p->boost, UM_ABSENT);
}

/* Has software lowered scaling_max_freq? Not if the firmware's limit is as low: then the value follows that limit. */
static bool is_lowered(const struct um_subject *s, uint64_t highest)
{
	const struct um_number_file *ceiling = &s->files[UM_FILE_CEILING];
	const struct um_number_file *limit = &s->files[UM_FILE_BIOS_LIMIT];

	return ceiling->known && ceiling->value && ceiling->value < highest &&
	       !(limit->known && limit->value && limit->value <= ceiling->value);
}

static void judge_core(const struct um_policy_files *p, struct um_subject *s)
{
	uint64_t highest = um_highest_khz(s);

	if (is_lowered(s, highest))
		add_file(s, UNCOREMSR_POLICY_MAX_FREQUENCY, UNCOREMSR_POLICY_OF_CORE,
			 &s->files[UM_FILE_CEILING], highest);
	if (um_turbo_is_off(s))
		add_file(s, UNCOREMSR_POLICY_NO_TURBO, UNCOREMSR_POLICY_OF_CORE,
			 &s->files[UM_FILE_BIOS_LIMIT], highest);
	/* Turbo is switched off for this core, and not by the switch of the whole machine. */
	if (is_set(&s->files[UM_FILE_BOOST], 0) && !is_set(&p->boost, 0))
		add_file(s, UNCOREMSR_POLICY_NO_TURBO, UNCOREMSR_POLICY_OF_CORE, &s->files[UM_FILE_BOOST],
			 UM_ABSENT);
}

static void judge_zone(const struct zone *z, struct um_subject *s)
{
	struct uncoremsr_policy *policy;

	if ((z->package >= 0 && z->package != s->package) || is_set(&z->enabled, 0) ||
	    !z->limit.known || !z->limit.value || z->limit.value >= z->design_uw)
		return;
	policy = add_file(s, UNCOREMSR_POLICY_POWER_LIMIT,
			  z->package < 0 ? UNCOREMSR_POLICY_OF_MACHINE : UNCOREMSR_POLICY_OF_PACKAGE,
			  &z->limit, z->design_uw);
	if (policy)
		policy->name = um_or_null(z->name);
}

/* Add a core's policy to its package. The same policy of several cores becomes one, with the file of the first. */
static void inherit_policy(struct um_subject *p, const struct uncoremsr_policy *of_core)
{
	struct uncoremsr_policy first = *of_core;

	for (size_t i = 0; i < p->num_policies; i++) {
		struct uncoremsr_policy *own = &p->policies[i];

		if (own->scope != UNCOREMSR_POLICY_OF_CORE || own->kind != of_core->kind ||
		    own->value != of_core->value || own->of != of_core->of)
			continue;
		own->cores++;
		return;
	}
	first.cores = 1;
	add_policy(p, &first);
}

void um_policies_judge(struct uncoremsr_throttle *t)
{
	const struct um_policy_files *p = t->policy_files;

	for (size_t i = 0; i < t->num_listed; i++) {
		struct um_subject *s = &t->subjects[i];

		s->num_policies = 0;
		if (!p)
			continue;
		judge_machine(p, s);
		for (size_t k = 0; k < p->num_zones; k++)
			judge_zone(&p->zones[k], s);
		if (s->core < 0)
			continue;
		judge_core(p, s);
		for (size_t k = 0; k < s->num_policies; k++)
			if (s->policies[k].scope == UNCOREMSR_POLICY_OF_CORE)
				inherit_policy(s->of->of ? s->of->of : s->of, &s->policies[k]);
	}
}
