/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Predefined events of the kernel's PMUs (folders "events"), once for each PMU family. */
#include <errno.h>
#include <string.h>

#include "common/text.h"
#include "names/imc_lists.h"
#include "names/kernel_pmu.h"

/* The next PMU from index *i on that has another family than @before; @before NULL: any family. NULL: no more. */
static struct um_kernel_pmu *next_family(const struct um_lookup *l, size_t *i, const struct um_kernel_pmu *before)
{
	struct um_kernel_pmus *p = &l->names->kernel;
	struct um_kernel_pmu *pmu;

	if (!l->machine || !p->access)
		return NULL;
	*l->names->no_memory |= um_kernel_pmus_list(p) == -ENOMEM;
	while ((pmu = um_kernel_pmus_next(p, i, NULL)) && before && !strcmp(before->family_name, pmu->family_name))
		;
	return pmu;
}

/* The machine's IMC catalog describes the events in more detail than the kernel. */
static bool is_catalogued(const struct um_imc_lists *imc, const struct um_kernel_pmu *pmu)
{
	for (size_t i = 0; i < imc->num; i++) {
		const struct um_imc_catalog *c = imc->lists[i]->catalog;

		for (size_t k = 0; imc->lists[i]->own && k < c->num_units; k++)
			if (!strcmp(c->units[k].pmu, pmu->name))
				return true;
	}
	return false;
}

static int each(const struct um_lookup *l, int (*fn)(void *user, const struct uncoremsr_event *ev), void *user)
{
	struct um_kernel_pmu *pmu = NULL;
	int err = 0;

	for (size_t i = 0; !err && (pmu = next_family(l, &i, pmu));) {
		if (is_catalogued(&l->names->imc, pmu))
			continue;
		*l->names->no_memory |= um_kernel_pmu_load(pmu) == -ENOMEM;
		for (size_t k = 0; k < pmu->num_aliases && !err; k++)
			err = fn(user, &pmu->aliases[k].base.pub);
	}
	return err;
}

/* Find "mem-loads" on any PMU of the kernel, or "uncore_imc/clockticks/" on the PMU in the text. */
static const struct uncoremsr_event *find(const struct um_lookup *l, const char *text, size_t len)
{
	const char *slash = memchr(text, '/', len), *name = slash ? slash + 1 : text;
	size_t name_len = len - (size_t)(name - text);
	const struct um_kernel_alias *found = NULL;
	struct um_kernel_pmu *pmu = NULL;

	if (slash && (name_len < 2 || text[len - 1] != '/'))
		return NULL;
	name_len -= slash != NULL;
	for (size_t i = 0; !found && (pmu = next_family(l, &i, pmu));)
		if (!slash || um_is_exactly(text, (size_t)(slash - text), pmu->family_name) ||
		    um_imc_pmu_is(pmu->name, text, (size_t)(slash - text)))
			*l->names->no_memory |= um_kernel_pmu_find_event(pmu, name, name_len,
									 &found) == -ENOMEM;
	return found ? &found->base.pub : NULL;
}

const struct um_name_source um_kernel_source = { each, find, NULL };
