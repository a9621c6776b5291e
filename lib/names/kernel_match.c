/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Find the PMUs that a name stands for (Linux tools/perf/util/pmus.c and pmu.c). */
#include <ctype.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

#include "common/text.h"
#include "names/kernel_pmu.h"
#include "names/names.h"
#include "imc/catalog.h"

#define UNCORE "uncore_"

/* Compare with a PMU's name, also without the prefix "uncore_", which users may omit. */
static bool matches(const char *text, size_t len, const char *name)
{
	return um_is_exactly(text, len, name) ||
	       (len && um_starts_with(name, UNCORE) && um_is_exactly(text, len, name + strlen(UNCORE)));
}

enum how { EXACT, FAMILY, UNIT, PATTERN, ALIAS, ALIAS_FAMILY };

/* Does the text name a unit in the form of our PMUs, "imc0", without the "_" of the kernel's names? */
static bool is_unit(const struct um_kernel_pmu *pmu, const char *text, size_t len)
{
	size_t head = len;

	while (head && isdigit((unsigned char)text[head - 1]))
		head--;
	return pmu->is_unit && head < len && matches(text, head, pmu->family_name) &&
	       um_is_exactly(text + head, len - head, pmu->name + strlen(pmu->family_name) + 1);
}

/* Does the text match the PMU's name, compared in the way @how? */
static bool names_it(const struct um_kernel_pmu *pmu, const char *text, size_t len, enum how how)
{
	char pattern[128], with_uncore[136];

	if (how == EXACT)
		return matches(text, len, pmu->name) || um_imc_pmu_is(pmu->name, text, len);
	if (how == FAMILY)
		return pmu->is_unit && matches(text, len, pmu->family_name);
	if (how == UNIT)
		return is_unit(pmu, text, len);
	if (len >= sizeof(pattern))
		return false;
	snprintf(pattern, sizeof(pattern), "%.*s", (int)len, text);
	snprintf(with_uncore, sizeof(with_uncore), UNCORE "%s", pattern);
	return !fnmatch(pattern, pmu->name, 0) || !fnmatch(with_uncore, pmu->name, 0);
}

/* Does the text, compared in the way @how, stand for the PMU? 1: yes; 0: no; -ENOMEM. */
static int is_meant(struct um_kernel_pmu *pmu, const char *text, size_t len, enum how how)
{
	char family[256];

	if (how < ALIAS)
		return names_it(pmu, text, len, how) && um_kernel_pmu_exists(pmu);
	if (!um_kernel_pmu_exists(pmu))
		return 0;
	if (um_kernel_pmu_read_alias(pmu))
		return -ENOMEM;
	if (!pmu->alias)
		return 0;
	snprintf(family, sizeof(family), "%.*s",
		 (int)(strlen(pmu->alias) - um_unit_suffix(pmu->alias, strlen(pmu->alias))), pmu->alias);
	return matches(text, len, how == ALIAS ? pmu->alias : family);
}

int um_kernel_pmus_match(struct um_kernel_pmus *p, const char *name, size_t len,
			 int (*fn)(void *user, struct um_kernel_pmu *pmu), void *user)
{
	const bool pattern = um_event_is_pattern(name, len);
	const enum how order[] = { EXACT, pattern ? PATTERN : FAMILY, UNIT, ALIAS, ALIAS_FAMILY };
	size_t steps = ARRAY_SIZE(order) - (pattern ? 2 : 0);
	int num = 0;

	if (um_kernel_pmus_list(p) == -ENOMEM)
		return -ENOMEM;
	/*
	 * An exact name has precedence, so "uncore_imc" never includes uncore_imc_free_running. Aliases come last,
	 * because each must be read from a file. An alias of the kernel, such as "uncore_type_6_0", is never the name
	 * of another PMU (Linux arch/x86/events/intel/uncore.c, uncore_get_alias_name()).
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
