/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Find the PMUs that a name stands for (Linux tools/perf/util/pmus.c and pmu.c). */
#include <ctype.h>
#include <fnmatch.h>
#include <string.h>
#include <strings.h>

#include "common/error.h"
#include "names/kernel_pmu.h"
#include "names/names.h"
#include "imc/catalog.h"

static bool same(const char *a, size_t len, const char *b, size_t b_len)
{
	return len == b_len && !memcmp(a, b, len);
}

/* Compare with a PMU's name, also without the prefix "uncore_", which users may omit. */
static bool matches(const char *text, size_t len, const char *name, size_t name_len)
{
	static const char uncore[] = "uncore_";
	const size_t skip = sizeof(uncore) - 1;

	if (same(text, len, name, name_len))
		return true;
	return name_len > skip && !memcmp(name, uncore, skip) &&
	       same(text, len, name + skip, name_len - skip);
}

enum how { EXACT, FAMILY, UNIT, PATTERN };

/* Does the text name a unit in the form of our PMUs, "imc0", without the "_" of the kernel's names? */
static bool is_unit(const struct um_kernel_pmu *pmu, const char *text, size_t len)
{
	size_t head = len;

	while (head && isdigit((unsigned char)text[head - 1]))
		head--;
	return pmu->is_unit && head < len && matches(text, head, pmu->name, pmu->family) &&
	       same(text + head, len - head, pmu->name + pmu->family + 1,
		    strlen(pmu->name + pmu->family + 1));
}

static bool is_meant(const struct um_kernel_pmu *pmu, const char *text, size_t len, enum how how)
{
	char pattern[128], with_uncore[136] = "uncore_";

	switch (how) {
	case EXACT:
		return matches(text, len, pmu->name, strlen(pmu->name)) ||
		       um_imc_pmu_is(pmu->name, text, len) ||
		       (pmu->alias && matches(text, len, pmu->alias, strlen(pmu->alias)));
	case FAMILY:
		if (pmu->is_unit && matches(text, len, pmu->name, pmu->family))
			return true;
		return pmu->alias && matches(text, len, pmu->alias, strlen(pmu->alias) -
					     um_unit_suffix(pmu->alias, strlen(pmu->alias)));
	case UNIT:
		return is_unit(pmu, text, len);
	case PATTERN:
		break;
	}
	if (len >= sizeof(pattern))
		return false;
	memcpy(pattern, text, len);
	pattern[len] = '\0';
	memcpy(with_uncore + 7, pattern, len + 1);
	return !fnmatch(pattern, pmu->name, 0) || !fnmatch(with_uncore, pmu->name, 0);
}

int um_kernel_pmus_match(struct um_kernel_pmus *p, const char *name, size_t len,
			 int (*fn)(void *user, struct um_kernel_pmu *pmu), void *user)
{
	const enum how order[] = { EXACT, um_event_is_pattern(name, len) ? PATTERN : FAMILY, UNIT };
	int num = 0;

	/* An exact name has precedence, so "uncore_imc" never includes uncore_imc_free_running. */
	for (size_t step = 0; step < ARRAY_SIZE(order) && !num; step++)
		for (size_t i = 0; i < p->num; i++) {
			int err;

			if (!is_meant(&p->pmus[i], name, len, order[step]))
				continue;
			err = fn ? fn(user, &p->pmus[i]) : 0;
			if (err < 0)
				return err;
			num++;
		}
	return num;
}
