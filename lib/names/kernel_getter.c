/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The kernel's PMUs, for users of a handle. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "machine/handle.h"
#include "names/kernel_pmu.h"

static int by_type(const void *a, const void *b)
{
	const struct um_kernel_pmu *x = a, *y = b;

	return x->type == y->type ? strcmp(x->name, y->name) : x->type < y->type ? -1 : 1;
}

static int show(struct um_kernel_pmus *p, struct um_kernel_pmu *pmu, um_kernel_pmu_fn *fn, void *user)
{
	char *text;
	int err = um_kernel_pmu_reload_cpus(p, pmu);

	if (err)
		return err;
	if (pmu->cpus_are == UM_CPUS_ANY || pmu->cpus_err)
		return fn(user, pmu->name, pmu->type, pmu->cpus_err ? "unknown" : NULL);
	text = um_cpuset_format(&pmu->cpus);
	err = text ? fn(user, pmu->name, pmu->type, text) : -ENOMEM;
	free(text);
	return err;
}

int um_kernel_pmus_show(struct um_access *a, um_kernel_pmu_fn *fn, void *user)
{
	struct um_kernel_pmus p = { .access = a };
	int err = um_kernel_pmus_list(&p);

	for (size_t i = 0; i < p.num; i++)
		um_kernel_pmu_exists(&p, &p.pmus[i]); /* reads the type */
	if (p.num)
		qsort(p.pmus, p.num, sizeof(*p.pmus), by_type);
	for (size_t i = 0; i < p.num && !err; i++)
		if (um_kernel_pmu_exists(&p, &p.pmus[i]))
			err = show(&p, &p.pmus[i], fn, user);
	um_kernel_pmus_free(&p);
	/*
	 * Record the lack of memory here: many callers only ask whether there is a PMU of some kind, and ignore errors.
	 */
	if (err == -ENOMEM)
		um_access_lacks_memory(a);
	return err;
}

int uncoremsr_kernel_pmus(struct uncoremsr *um, um_kernel_pmu_fn *fn, void *user)
{
	return um_check_open(um) ?: um_check_given(um, fn, "fn") ?: um_kernel_pmus_show(um->m.access, fn, user);
}
