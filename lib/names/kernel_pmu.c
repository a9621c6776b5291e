/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "names/kernel_pmu.h"

#include <ctype.h>
#include <errno.h>
#include <fnmatch.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "common/number.h"
#include "common/text.h"
#include "imc/catalog.h"
#include "names/names.h"
#include "names/scanner.h"

#define DEVICES "sys/bus/event_source/devices"

static int read_file(const struct um_kernel_pmu *pmu, const char *file, char *buf, size_t size)
{
	char path[512];

	if ((size_t)snprintf(path, sizeof(path), DEVICES "/%s/%s", pmu->name, file) >= sizeof(path))
		return -ENAMETOOLONG;
	return (int)um_access_line(pmu->access, path, buf, size);
}

/* Length of a unit suffix: "_" and decimal digits, or at least three hexadecimal digits; 0: no such suffix. */
static size_t unit_suffix(const char *name, size_t len)
{
	bool hex = false;
	size_t i = len;

	while (i && isxdigit((unsigned char)name[i - 1]) && !isupper((unsigned char)name[i - 1]))
		hex |= !isdigit((unsigned char)name[--i]);
	if (i == len || i < 2 || name[i - 1] != '_')
		return 0;
	/* Two letters such as "cf" in "cpum_cf" are part of the name; "ddr_pmu_87e1b0000000" ends in a number. */
	return hex && len - i <= 2 ? 0 : len - i + 1;
}

static int add_pmu(void *user, const char *name)
{
	struct um_kernel_pmus *p = user;
	struct um_kernel_pmu *pmu;
	size_t suffix = unit_suffix(name, strlen(name)), family = strlen(name) - suffix;

	if (name[0] == '.')
		return 0;
	if (ARRAY_APPEND(p->pmus, p->num, (struct um_kernel_pmu){
			.access = p->access, .name = strdup(name), .family_name = strndup(name, family),
			.is_unit = suffix > 0, .imc = um_imc_pmu_level(name) }))
		return -ENOMEM;
	pmu = &p->pmus[p->num - 1];
	if (!pmu->name || !pmu->family_name)
		return -ENOMEM;
	/* The number in "uncore_cha_10" is decimal. If there are letters, it is a hexadecimal address. */
	if (suffix && !um_perf_number(name + family + 1, suffix - 1, &pmu->number))
		(void)um_perf_hex(name + family + 1, suffix - 1, &pmu->number);
	pmu->base = (struct um_pmu){
		.name = pmu->name, .desc = "", .kernel = pmu->family_name, .reach = UM_REACH_KERNEL,
		.selector = &um_no_selector,
	};
	return 0;
}

bool um_kernel_pmu_exists(struct um_kernel_pmu *pmu)
{
	char line[256];
	uint64_t type;

	if (pmu->state != UM_PMU_LISTED)
		return pmu->state == UM_PMU_THERE;
	pmu->state = UM_PMU_UNTYPED;
	if (read_file(pmu, "type", line, sizeof(line)) <= 0 ||
	    !um_perf_number(line, strlen(line), &type) || type > UINT_MAX)
		return false;
	pmu->type = (unsigned)type;
	pmu->state = UM_PMU_THERE;
	return true;
}

static int read_alias(struct um_kernel_pmu *pmu)
{
	char line[256];

	if (pmu->alias_read)
		return 0;
	if (read_file(pmu, "alias", line, sizeof(line)) > 0) {
		pmu->alias = strdup(line);
		if (!pmu->alias)
			return -ENOMEM;
	}
	pmu->alias_read = true;
	return 0;
}

struct um_kernel_pmu *um_kernel_pmus_next(struct um_kernel_pmus *p, size_t *i, const char *family)
{
	while (*i < p->num) {
		struct um_kernel_pmu *at = &p->pmus[(*i)++];

		if ((!family || !strcmp(at->family_name, family)) && um_kernel_pmu_exists(at))
			return at;
	}
	return NULL;
}

static int by_family(const void *a, const void *b)
{
	const struct um_kernel_pmu *x = a, *y = b;
	int order = strcmp(x->family_name, y->family_name);

	if (order)
		return order;
	if (x->is_unit != y->is_unit)
		return x->is_unit ? 1 : -1;
	return x->number < y->number ? -1 : x->number > y->number;
}

bool um_kernel_pmu_is_core(const struct um_kernel_pmu *pmu)
{
	return !strcmp(pmu->name, "cpu") || um_starts_with(pmu->name, "cpu_");
}

int um_kernel_pmus_list(struct um_kernel_pmus *p)
{
	struct um_access *a = p->access;
	int err;

	if (p->listed)
		return 0;
	err = a->ops->list(a, DEVICES, add_pmu, p);
	if (err) {
		um_kernel_pmus_free(p);
		p->access = a;
	}
	if (p->num)
		qsort(p->pmus, p->num, sizeof(*p->pmus), by_family);
	/* A kernel without perf has no such folder; do not try again. */
	p->listed = err != -ENOMEM;
	return err;
}

static void unload(struct um_kernel_pmu *pmu)
{
	for (size_t i = 0; i < pmu->num_aliases; i++) {
		const struct uncoremsr_event *pub = &pmu->aliases[i].base.pub;

		free(pmu->aliases[i].name);
		free(pmu->aliases[i].base.path);
		free((char *)pub->terms);
		free((char *)pub->scale);
		free((char *)pub->measure);
	}
	um_pmu_shown_free(&pmu->shown);
	free((struct um_term *)pmu->base.terms);
	FREE_AND_NULL(pmu->aliases);
	um_cpuset_free(&pmu->cpus);
	pmu->base.terms = NULL;
	pmu->base.num_terms = pmu->num_aliases = 0;
	pmu->cpus = (struct um_cpuset){ 0 };
}

void um_kernel_pmus_free(struct um_kernel_pmus *p)
{
	for (size_t i = 0; i < p->num; i++) {
		unload(&p->pmus[i]);
		free(p->pmus[i].name);
		free(p->pmus[i].alias);
		free(p->pmus[i].family_name);
	}
	free(p->pmus);
	*p = (struct um_kernel_pmus){ 0 };
}

static int add_format(void *user, const char *name)
{
	struct um_kernel_pmu *pmu = user;
	struct um_term *terms = (struct um_term *)pmu->base.terms, found = { .name = "" };
	char file[300], line[128];

	/* Skip names that are too long. The longest name in Linux, counter_info_version of hv_gpci, has 20 letters. */
	if (name[0] == '.' || strlen(name) >= sizeof(found.name))
		return 0;
	strcpy(found.name, name);
	snprintf(file, sizeof(file), "format/%s", name);
	if (read_file(pmu, file, line, sizeof(line)) <= 0 || um_format_parse(&found, line))
		return 0;
	if (ARRAY_APPEND(terms, pmu->base.num_terms, found))
		return -ENOMEM;
	pmu->base.terms = terms;
	return 0;
}

/* Files that belong to an event's file, such as "NAME.scale". Only those before NUM_READ are read. */
enum { SCALE, UNIT, SNAPSHOT, NUM_READ, PER_PACKAGE = NUM_READ, COMPANIONS };
static const char companions[COMPANIONS][12] = {
	[SCALE] = ".scale", [UNIT] = ".unit", [SNAPSHOT] = ".snapshot", [PER_PACKAGE] = ".per-pkg",
};

static bool is_companion(const char *name)
{
	const char *dot = strrchr(name, '.');

	for (size_t i = 0; dot && i < COMPANIONS; i++)
		if (!strcmp(dot, companions[i]))
			return true;
	return name[0] == '.';
}

static int add_alias(void *user, const char *name)
{
	struct um_kernel_pmu *pmu = user;
	struct um_kernel_alias *alias;
	struct uncoremsr_event *pub;
	char file[340], line[1024], beside[NUM_READ][128];
	double scale = 1;

	if (is_companion(name))
		return 0;
	snprintf(file, sizeof(file), "events/%s", name);
	if (read_file(pmu, file, line, sizeof(line)) <= 0)
		return 0;
	if (ARRAY_ROOM(pmu->aliases, pmu->num_aliases, 1))
		return -ENOMEM;
	alias = &pmu->aliases[pmu->num_aliases++];
	for (size_t i = 0; i < NUM_READ; i++) {
		snprintf(file, sizeof(file), "events/%s%s", name, companions[i]);
		if (read_file(pmu, file, beside[i], sizeof(beside[i])) <= 0)
			beside[i][0] = '\0';
	}
	/* If the scale cannot be parsed, counts stay raw; drop their unit of measurement, too. */
	if (*beside[SCALE] && !um_perf_scale(beside[SCALE], &scale)) {
		scale = 1;
		beside[SCALE][0] = beside[UNIT][0] = '\0';
	}
	*alias = (struct um_kernel_alias){
		.name = strdup(name), .scale = scale, .snapshot = !strcmp(beside[SNAPSHOT], "1"),
	};
	if (asprintf(&alias->base.path, "%s/%s/", pmu->family_name, name) < 0)
		alias->base.path = NULL;
	um_name_make(&alias->base, UM_FROM_KERNEL, pmu->imc ? alias->name : alias->base.path);
	pub = &alias->base.pub;
	pub->pmu = pmu->family_name;
	pub->terms = strdup(line);
	pub->scale = *beside[SCALE] ? strdup(beside[SCALE]) : NULL;
	pub->measure = *beside[UNIT] ? strdup(beside[UNIT]) : NULL;
	um_terms_value(line, "event", &pub->event_select);
	um_terms_value(line, "umask", &pub->unit_mask);
	if (pmu->imc) {
		pub->level = um_imc_level_name(pmu->imc);
		pub->offset = pub->event_select;
	}
	return alias->name && pub->terms && alias->base.path && (pub->measure || !*beside[UNIT]) &&
	       (pub->scale || !*beside[SCALE]) ? 0 : -ENOMEM;
}

static int alias_by_name(const void *a, const void *b)
{
	const struct um_kernel_alias *x = a, *y = b;

	return strcmp(x->name, y->name);
}

static const char cpu_files[][8] = { [UM_CPUS_MASK] = "cpumask", [UM_CPUS_COVERED] = "cpus" };

int um_kernel_pmu_reload_cpus(struct um_kernel_pmu *pmu)
{
	char path[512];

	pmu->cpus_are = UM_CPUS_ANY;
	pmu->cpus_err = 0;
	for (enum um_cpus_are are = UM_CPUS_MASK; are <= UM_CPUS_COVERED; are++) {
		int err;

		um_cpuset_free(&pmu->cpus);
		snprintf(path, sizeof(path), DEVICES "/%s/%s", pmu->name, cpu_files[are]);
		err = um_cpuset_read(&pmu->cpus, pmu->access, path);
		if (err == -ENOENT)
			continue;
		/* Note an empty or unreadable file, too: UM_CPUS_ANY is only for a PMU without these files. */
		pmu->cpus_are = are;
		pmu->cpus_err = err;
		return err == -ENOMEM ? err : 0;
	}
	return 0;
}

bool um_kernel_pmu_is_away(const struct um_kernel_pmu *pmu)
{
	return pmu->cpus_are == UM_CPUS_COVERED && !pmu->cpus_err && !pmu->cpus.num;
}

int um_kernel_pmu_has_no_cpus(const struct um_kernel_pmu *pmu, const char *event, struct um_error *e)
{
	if (pmu->cpus_are == UM_CPUS_ANY || pmu->cpus.num)
		return 0;
	/* While all CPUs of a core type are offline, Linux keeps its PMU, with an empty list of CPUs. */
	if (um_kernel_pmu_is_away(pmu))
		return um_no_cpu_of_kind(pmu->name, e);
	return um_fail(e, -ENODEV, UNCOREMSR_ERROR_UNSUPPORTED, "event '%s': the kernel names no CPU that counts "
		       "%s: /" DEVICES "/%s/%s: %s", event, pmu->name, pmu->name, cpu_files[pmu->cpus_are],
		       !pmu->cpus_err ? "the file is empty" : pmu->cpus_err == -EINVAL ? "not a list of CPUs"
		       : pmu->cpus_err == -EFBIG ? "the file is longer than any kernel writes"
						 : strerror(-pmu->cpus_err));
}

static int list_dir(struct um_kernel_pmu *pmu, const char *dir, int (*fn)(void *user, const char *name))
{
	char path[512];
	int err;

	snprintf(path, sizeof(path), DEVICES "/%s/%s", pmu->name, dir);
	err = pmu->access->ops->list(pmu->access, path, fn, pmu);
	return err == -ENOMEM ? err : 0;
}

int um_kernel_pmu_load(struct um_kernel_pmu *pmu)
{
	int err;

	if (pmu->loaded)
		return 0;
	err = read_alias(pmu) ?: list_dir(pmu, "format", add_format) ?:
	      list_dir(pmu, "events", add_alias) ?: um_kernel_pmu_reload_cpus(pmu);
	/* Unload what was read, so that a retry does not add events twice. */
	if (err) {
		unload(pmu);
		return err;
	}
	if (pmu->num_aliases)
		qsort(pmu->aliases, pmu->num_aliases, sizeof(*pmu->aliases), alias_by_name);
	for (size_t i = 0; i < pmu->num_aliases; i++)
		pmu->aliases[i].base.pub.uncore = pmu->imc ? pmu->imc == UM_IMC_NEST : pmu->cpus_are == UM_CPUS_MASK;
	pmu->loaded = true;
	return 0;
}

const struct um_kernel_alias *um_kernel_alias(const struct um_kernel_pmu *pmu, const char *name, size_t len)
{
	for (size_t i = 0; i < pmu->num_aliases; i++)
		if (um_is_exactly(name, len, pmu->aliases[i].name))
			return &pmu->aliases[i];
	return NULL;
}

int um_kernel_pmu_find_event(struct um_kernel_pmu *pmu, const char *name, size_t len,
			     const struct um_kernel_alias **found)
{
	char file[300], line[8];
	int err = 0;

	*found = NULL;
	if (!pmu->loaded) {
		if ((size_t)snprintf(file, sizeof(file), "events/%.*s", (int)len, name) >= sizeof(file) ||
		    read_file(pmu, file, line, sizeof(line)) == -ENOENT)
			return 0;
		err = um_kernel_pmu_load(pmu);
	}
	if (!err)
		*found = um_kernel_alias(pmu, name, len);
	return err;
}

/* ---- the PMUs that a name stands for (Linux tools/perf/util/pmus.c and pmu.c) ---- */

#define UNCORE "uncore_"

/* Users may omit the prefix "uncore_". */
static bool matches(const char *text, size_t len, const char *name)
{
	return um_is_exactly(text, len, name) ||
	       (len && um_starts_with(name, UNCORE) && um_is_exactly(text, len, name + strlen(UNCORE)));
}

enum how { EXACT, FAMILY, ONE_UNIT, PATTERN, ALIAS, ALIAS_FAMILY };

/* Does the text name a unit without the "_" of the kernel's names, such as "imc0"? */
static bool is_unit(const struct um_kernel_pmu *pmu, const char *text, size_t len)
{
	size_t head = len;

	while (head && isdigit((unsigned char)text[head - 1]))
		head--;
	return pmu->is_unit && head < len && matches(text, head, pmu->family_name) &&
	       um_is_exactly(text + head, len - head, pmu->name + strlen(pmu->family_name) + 1);
}

static bool names_it(const struct um_kernel_pmu *pmu, const char *text, size_t len, enum how how)
{
	char with_uncore[135];

	if (how == EXACT)
		return matches(text, len, pmu->name) || um_imc_pmu_is(pmu->name, text, len);
	if (how == FAMILY)
		return pmu->is_unit && matches(text, len, pmu->family_name);
	if (how == ONE_UNIT)
		return is_unit(pmu, text, len);
	if (snprintf(with_uncore, sizeof(with_uncore), UNCORE "%.*s", (int)len, text) >= (int)sizeof(with_uncore))
		return false;
	return !fnmatch(with_uncore + strlen(UNCORE), pmu->name, 0) || !fnmatch(with_uncore, pmu->name, 0);
}

/* Does the text stand for the PMU by the rule @how? 1: yes; 0: no; -ENOMEM. */
static int is_meant(struct um_kernel_pmu *pmu, const char *text, size_t len, enum how how)
{
	char family[256];

	if (how < ALIAS)
		return names_it(pmu, text, len, how) && um_kernel_pmu_exists(pmu);
	if (!um_kernel_pmu_exists(pmu))
		return 0;
	if (read_alias(pmu))
		return -ENOMEM;
	if (!pmu->alias)
		return 0;
	snprintf(family, sizeof(family), "%.*s",
		 (int)(strlen(pmu->alias) - unit_suffix(pmu->alias, strlen(pmu->alias))), pmu->alias);
	return matches(text, len, how == ALIAS ? pmu->alias : family);
}

int um_kernel_pmus_match(struct um_kernel_pmus *p, const char *name, size_t len,
			 int (*fn)(void *user, struct um_kernel_pmu *pmu), void *user)
{
	const bool pattern = um_event_is_pattern(name, len);
	const enum how order[] = { EXACT, pattern ? PATTERN : FAMILY, ONE_UNIT, ALIAS, ALIAS_FAMILY };
	size_t steps = ARRAY_SIZE(order) - (pattern ? 2 : 0);
	int num = 0;

	if (um_kernel_pmus_list(p) == -ENOMEM)
		return -ENOMEM;
	/*
	 * An exact name has precedence, so "uncore_imc" never includes uncore_imc_free_running. Aliases come last,
	 * because each must be read from a file. The kernel's aliases, such as "uncore_type_6_0", are never names of
	 * other PMUs (Linux arch/x86/events/intel/uncore.c, uncore_get_alias_name()).
	 */
	for (size_t step = 0; step < steps && !num; step++)
		for (size_t i = 0; i < p->num; i++) {
			int err = is_meant(&p->pmus[i], name, len, order[step]);

			if (!err)
				continue;
			if (err > 0)
				err = fn ? fn(user, &p->pmus[i]) : 0;
			if (err < 0)
				return err;
			num++;
		}
	return num;
}
