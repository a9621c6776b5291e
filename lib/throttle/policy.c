/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Policies: limits that software has set. They slow the machine on purpose, so they do not change the verdict. A policy
 * is called by the name of its file. Linux Documentation/admin-guide/pm/cpufreq.rst, intel_pstate.rst;
 * drivers/cpufreq/acpi-cpufreq.c; Documentation/power/powercap/powercap.rst.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "common/text.h"
#include "throttle/throttle.h"

#define CPU_DIR "/sys/devices/system/cpu/"
#define POWERCAP "sys/class/powercap"

/* A file with a limit for a package, for a part of a package, or (package -1) for the whole machine. */
struct um_limit {
	enum uncoremsr_policy_kind kind;
	int package;
	char name[24];       /* name of the powercap zone of a power limit: "package-0", "dram" */
	uint64_t low, high;  /* a value from @low to @high means that software has set a limit */
	uint64_t of;         /* value if software sets no limit; UM_ABSENT if the file is an on/off switch */
	struct um_gauge file, enabled;
};

/* Limits of the whole machine, which come first in t->limits. */
enum { MAX_PERFORMANCE, NO_TURBO, BOOST, NUM_OF_MACHINE };
static const struct um_limit of_machine[NUM_OF_MACHINE] = {
	[MAX_PERFORMANCE] = { .kind = UNCOREMSR_POLICY_MAX_PERFORMANCE, .package = -1, .low = 0, .high = 99, .of = 100,
			      .file.path = CPU_DIR "intel_pstate/max_perf_pct" },
	[NO_TURBO] = { .kind = UNCOREMSR_POLICY_NO_TURBO, .package = -1, .low = 1, .high = 1, .of = UM_ABSENT,
		       .file.path = CPU_DIR "intel_pstate/no_turbo" },
	[BOOST] = { .kind = UNCOREMSR_POLICY_NO_TURBO, .package = -1, .low = 0, .high = 0, .of = UM_ABSENT,
		    .file.path = CPU_DIR "cpufreq/boost" },
};

static struct um_limit *add_limit(struct uncoremsr_throttle *t, struct um_limit limit)
{
	limit.file.handle = limit.enabled.handle = -1;
	return ARRAY_APPEND(t->limits, t->num_limits, limit) ? NULL : &t->limits[t->num_limits - 1];
}

/* ---- power limits ---- */

/*
 * The package of a zone, from its name "package-1" or "package-1-die-0"; -1 if it has another name. If the zone is a
 * part of a package ("intel-rapl:1:0"), the name of its parent is used.
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
	uint64_t design = 0;

	for (int i = 0; i < MOST_CONSTRAINTS && !design; i++) {
		char path[96], name[32] = "long_term";
		/* Use a new gauge for each file, because um_number_file_open() reads a gauge only once per round. */
		struct um_gauge most = { .known = false };

		snprintf(path, sizeof(path), POWERCAP "/%.40s/constraint_%d_name", zone, i);
		um_access_line(t->um->m.access, path, name, sizeof(name));
		if (strcmp(name, "long_term") != 0)
			continue;
		um_number_file_open(t, &most, "/" POWERCAP "/%.40s/constraint_%d_max_power_uw", zone, i);
		design = most.known ? most.value : 0;
		um_number_file_close(t, &most);
	}
	return design;
}

/*
 * Add the limits of a zone: "intel-rapl:0", "intel-rapl:0:1" and "intel-rapl-mmio:0" are zones; "intel-rapl" is not. A
 * limit is a policy only if it is lower than the design power.
 */
static int add_zone(void *user, const char *zone)
{
	struct um_limit usual = { .kind = UNCOREMSR_POLICY_POWER_LIMIT, .low = 1 }, *l;
	struct uncoremsr_throttle *t = user;
	char path[96];

	if (strncmp(zone, "intel-rapl", 10) != 0 || !strchr(zone, ':'))
		return 0;
	usual.of = design_power(t, zone);
	if (!usual.of)
		return 0;
	usual.high = usual.of - 1;
	usual.package = package_of(t, zone);
	snprintf(path, sizeof(path), POWERCAP "/%.40s/name", zone);
	um_access_line(t->um->m.access, path, usual.name, sizeof(usual.name));
	for (int i = 0; i < MOST_CONSTRAINTS; i++) {
		l = add_limit(t, usual);
		if (!l)
			return -ENOMEM;
		um_number_file_open(t, &l->enabled, "/" POWERCAP "/%.40s/enabled", zone);
		if (um_number_file_open(t, &l->file, "/" POWERCAP "/%.40s/constraint_%d_power_limit_uw", zone, i))
			continue;
		um_number_file_close(t, &l->enabled);
		t->num_limits--;
	}
	return 0;
}

static int by_path(const void *a, const void *b)
{
	return strcmp(((const struct um_limit *)a)->file.path, ((const struct um_limit *)b)->file.path);
}

/* Find the highest frequency in the table of the cpufreq driver, if there is a table. Turbo may exceed it. */
static void find_table(struct uncoremsr_throttle *t, struct um_subject *s)
{
	char path[96], text[1024];

	snprintf(path, sizeof(path), "sys/devices/system/cpu/cpu%u/cpufreq/scaling_available_frequencies", s->cpu);
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
	int err;

	um_policies_free(t);
	if (t->guest)
		return 0;
	for (size_t i = 0; i < NUM_OF_MACHINE; i++) {
		struct um_limit *l = add_limit(t, of_machine[i]);

		if (!l)
			return -ENOMEM;
		um_number_file_open(t, &l->file, "%s", of_machine[i].file.path);
	}
	err = t->um->m.access->ops->list(t->um->m.access, POWERCAP, add_zone, t);
	qsort(t->limits + NUM_OF_MACHINE, t->num_limits - NUM_OF_MACHINE, sizeof(*t->limits), by_path);
	for (size_t i = 0; i < t->num_subjects; i++)
		if (t->subjects[i].core >= 0)
			find_table(t, &t->subjects[i]);
	return err == -ENOMEM ? err : 0;
}

void um_policies_read(struct uncoremsr_throttle *t)
{
	for (struct um_limit *l = t->limits; l < t->limits + t->num_limits; l++) {
		um_number_file_read(t, &l->file);
		um_number_file_read(t, &l->enabled);
	}
}

void um_policies_free(struct uncoremsr_throttle *t)
{
	for (struct um_limit *l = t->limits; l < t->limits + t->num_limits; l++) {
		um_number_file_close(t, &l->file);
		um_number_file_close(t, &l->enabled);
	}
	free(t->limits);
	t->limits = NULL;
	t->num_limits = 0;
}

/* ---- judging ---- */

static const char words[][20] = {
	[UNCOREMSR_POLICY_MAX_FREQUENCY] = "scaling_max_freq",
	[UNCOREMSR_POLICY_MAX_PERFORMANCE] = "max_perf_pct",
	[UNCOREMSR_POLICY_NO_TURBO] = "no_turbo",
	[UNCOREMSR_POLICY_POWER_LIMIT] = "rapl_power_limit",
};

static void add_policy(struct um_subject *s, const struct uncoremsr_policy *policy)
{
	if (s->num_policies < UM_MAX_POLICIES)
		s->policies[s->num_policies++] = *policy;
}

static void add_file(struct um_subject *s, enum uncoremsr_policy_kind kind, enum uncoremsr_policy_scope scope,
		     const struct um_gauge *f, uint64_t of, const char *name)
{
	add_policy(s, &(struct uncoremsr_policy){
		.size = sizeof(struct uncoremsr_policy), .kind = kind, .word = words[kind], .scope = scope,
		.cores = -1, .value = f->value, .of = of, .file = f->path, .name = name,
	});
}

static bool is_off(const struct um_gauge *f)
{
	return f->known && !f->value;
}

static void judge_limit(const struct um_limit *l, struct um_subject *s)
{
	if ((l->package >= 0 && l->package != s->package) || is_off(&l->enabled) || !l->file.known ||
	    l->file.value < l->low || l->file.value > l->high)
		return;
	add_file(s, l->kind, l->package < 0 ? UNCOREMSR_POLICY_OF_MACHINE : UNCOREMSR_POLICY_OF_PACKAGE, &l->file,
		 l->of, um_or_null(l->name));
}

/* Has software lowered scaling_max_freq? If the firmware's limit is not higher, the file may only show that limit. */
static bool is_lowered(const struct um_subject *s, uint64_t highest)
{
	const struct um_gauge *ceiling = &s->sources[UM_FILE_CEILING];
	const struct um_gauge *limit = &s->sources[UM_FILE_BIOS_LIMIT];

	return ceiling->known && ceiling->value && ceiling->value < highest &&
	       !(limit->known && limit->value && limit->value <= ceiling->value);
}

static void judge_core(const struct um_limit *boost, struct um_subject *s)
{
	uint64_t highest = um_highest_khz(s);

	if (is_lowered(s, highest))
		add_file(s, UNCOREMSR_POLICY_MAX_FREQUENCY, UNCOREMSR_POLICY_OF_CORE,
			 &s->sources[UM_FILE_CEILING], highest, NULL);
	if (um_turbo_is_off(s))
		add_file(s, UNCOREMSR_POLICY_NO_TURBO, UNCOREMSR_POLICY_OF_CORE,
			 &s->sources[UM_FILE_BIOS_LIMIT], highest, NULL);
	if (is_off(&s->sources[UM_FILE_BOOST]) && !is_off(&boost->file))
		add_file(s, UNCOREMSR_POLICY_NO_TURBO, UNCOREMSR_POLICY_OF_CORE, &s->sources[UM_FILE_BOOST],
			 UM_ABSENT, NULL);
}

/* Add a core's policy to its package. A policy of several cores is added once, with the file of the first core. */
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
	for (size_t i = 0; i < t->num_listed; i++) {
		struct um_subject *s = &t->subjects[i];

		s->num_policies = 0;
		for (size_t k = 0; k < t->num_limits; k++)
			judge_limit(&t->limits[k], s);
		if (s->core < 0 || !t->num_limits)
			continue;
		judge_core(&t->limits[BOOST], s);
		for (size_t k = 0; k < s->num_policies; k++)
			if (s->policies[k].scope == UNCOREMSR_POLICY_OF_CORE)
				inherit_policy(s->of->of ? s->of->of : s->of, &s->policies[k]);
	}
}
