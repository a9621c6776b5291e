/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Ready-made events of the kernel's PMUs (folders "events"), once for each family. */
#include <string.h>

#include "common/text.h"
#include "names/kernel_pmu.h"

/* Load and return the next PMU that is the first of its family; *i advances. NULL: no more. */
static const struct um_kernel_pmu *next_family(const struct um_lookup *l, size_t *i)
{
	struct um_kernel_pmus *p = l->machine ? l->names->kernel : NULL;

	while (p && *i < p->num) {
		struct um_kernel_pmu *pmu = &p->pmus[(*i)++];

		if (*i > 1 && !strcmp(pmu[-1].family_name, pmu->family_name))
			continue;
		if (um_kernel_pmu_load(p, pmu)) {
			*l->names->no_memory = true; /* the only possible error is -ENOMEM */
			continue;
		}
		return pmu;
	}
	return NULL;
}

static int each(const struct um_lookup *l, int (*fn)(void *user, const struct uncoremsr_event *ev), void *user)
{
	const struct um_kernel_pmu *pmu;
	int err = 0;

	for (size_t i = 0; !err && (pmu = next_family(l, &i));)
		for (size_t k = 0; k < pmu->num_aliases && !pmu->catalogued && !err; k++)
			err = fn(user, &pmu->aliases[k].base.pub);
	return err;
}

/* Find an event by name alone ("mem-loads"), on any PMU of the kernel, or with its PMU. */
static const struct uncoremsr_event *find(const struct um_lookup *l, const char *text, size_t len)
{
	const char *slash = memchr(text, '/', len);
	const struct um_kernel_pmu *pmu;

	for (size_t i = 0; (pmu = next_family(l, &i));)
		for (size_t k = 0; k < pmu->num_aliases; k++)
			if (um_is_exactly(text, len, slash ? pmu->aliases[k].base.pub.name : pmu->aliases[k].name))
				return &pmu->aliases[k].base.pub;
	return NULL;
}

const struct um_name_source um_kernel_source = { each, find, NULL };
