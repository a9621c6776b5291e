/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "common/text.h"
#include "names/catalogue.h"

static void *fixed_counters(const struct um_pmu *pmu)
{
	struct uncoremsr_fixed_counter **list = array_of_structs(pmu->num_fixed, sizeof(**list));

	for (size_t i = 0; list && i < pmu->num_fixed; i++) {
		const struct um_fixed *f = &pmu->fixed[i];

		*list[i] = (struct uncoremsr_fixed_counter){
			sizeof(**list), f->event, f->desc, f->width, !f->control.msr,
		};
	}
	return list;
}

static void *terms(const struct um_pmu *pmu)
{
	struct uncoremsr_term **list = array_of_structs(pmu->num_terms, sizeof(**list));

	for (size_t i = 0; list && i < pmu->num_terms; i++) {
		const struct um_term *t = &pmu->terms[i];

		*list[i] = (struct uncoremsr_term){
			sizeof(**list), t->name, t->desc, __builtin_popcountll(t->mask),
		};
	}
	return list;
}

/* Fill the public PMU in @to; if memory runs out, its fixed counters or terms are NULL. */
static void show(struct um_pmu_shown *to, const struct um_pmu *pmu)
{
	static const char reaches[][12] = {
		[UM_REACH_MSR] = "msr", [UM_REACH_PCI] = "pci", [UM_REACH_MMIO] = "mmio",
		[UM_REACH_DISCOVERY] = "discovery", [UM_REACH_KERNEL] = "kernel",
	}, units[][12] = {
		[UM_UNITS_ALL] = "table", [UM_UNITS_CORES] = "cores", [UM_UNITS_MSR] = "register",
		[UM_UNITS_PROBE] = "probe", [UM_UNITS_AMD_UMC] = "cpuid",
	};
	/* The first member of a kernel PMU is a struct um_pmu. */
	const struct um_kernel_pmu *kernel = pmu->reach == UM_REACH_KERNEL ? (const struct um_kernel_pmu *)pmu : NULL;
	bool reached = pmu->reach == UM_REACH_MSR;

	to->pmu = pmu;
	to->pub = (struct uncoremsr_pmu){
		.size = sizeof(to->pub), .name = pmu->name, .description = pmu->desc,
		.kernel_name = um_or_null(pmu->kernel),
		.alias = kernel ? kernel->alias : NULL, .reach = reaches[pmu->reach],
		.scope = reached ? um_scope_word(pmu->scope) : NULL,
		.units_from = reached ? units[pmu->units.from] : NULL, .note = pmu->note,
		.source = pmu->source ? pmu->source : "", .units = reached ? (int)pmu->units.max : -1,
		.general_counters = reached ? (int)pmu->num_general : -1,
		.general_width = reached ? (int)pmu->general_width : -1,
		.fixed_counters = reached ? (int)pmu->num_fixed : -1, .unverified = reached ? pmu->unverified : -1,
		.type = kernel ? kernel->type : UINT64_MAX,
		.fixed = fixed_counters(pmu), .terms = terms(pmu),
	};
}

static const struct uncoremsr_pmu *shown(struct uncoremsr *um, struct um_pmu_shown *to, const struct um_pmu *pmu)
{
	if (!to->pub.size)
		show(to, pmu);
	if (to->pub.fixed && to->pub.terms)
		return &to->pub;
	um_pmu_shown_free(to);
	um_no_memory(&um->error);
	return NULL;
}

static const struct uncoremsr_pmu *kernel_pmu(struct uncoremsr *um, size_t index)
{
	struct um_kernel_pmus *all = &um->names->kernel;
	struct um_kernel_pmu *pmu = NULL;
	size_t at = 0;
	int err;

	if (um_names_of(um))
		return NULL;
	err = um_kernel_pmus_list(all);
	while ((pmu = um_kernel_pmus_next(all, &at, NULL)) && index--)
		;
	if (pmu)
		err = um_kernel_pmu_load(pmu);
	if (err == -ENOMEM)
		um_no_memory(&um->error);
	return pmu && !err ? shown(um, &pmu->shown, &pmu->base) : NULL;
}

static void drop(void *records, size_t num)
{
	struct um_pmu_shown *pmus = records;

	for (size_t i = 0; i < num; i++)
		um_pmu_shown_free(&pmus[i]);
}

static const struct uncoremsr_pmu *pmu_of(struct uncoremsr *um, const struct um_pmu *of, size_t num, size_t index)
{
	struct um_pmu_shown *all = um_records(um->names, of, num, sizeof(*all), NULL, drop);

	if (!all)
		um_no_memory(&um->error);
	return all && index < num ? shown(um, &all[index], &of[index]) : NULL;
}

const struct uncoremsr_pmu *uncoremsr_pmu(struct uncoremsr *um, const char *uarch, size_t index)
{
	const struct um_uarch *u;

	if (!um)
		return NULL;
	if (uarch && strcmp(uarch, "kernel") == 0)
		return kernel_pmu(um, index);
	if (!uarch)
		return um->m.pmus && um->m.uarch ? pmu_of(um, um->m.pmus, um->m.uarch->num_pmus, index) : NULL;
	u = um_uarch_find(uarch);
	return u ? pmu_of(um, u->pmus, u->num_pmus, index) : NULL;
}

static int by_type(const void *a, const void *b)
{
	const struct um_kernel_pmu *x = a, *y = b;

	return x->type == y->type ? strcmp(x->name, y->name) : x->type < y->type ? -1 : 1;
}

typedef int kernel_pmu_fn(void *user, const char *name, unsigned type, const char *cpus);

static int report(struct um_kernel_pmu *pmu, kernel_pmu_fn *fn, void *user)
{
	char *text;
	int err = um_kernel_pmu_reload_cpus(pmu);

	if (err)
		return err;
	if (pmu->cpus_are == UM_CPUS_ANY || pmu->cpus_err)
		return fn(user, pmu->name, pmu->type, pmu->cpus_err ? "unknown" : NULL);
	text = um_cpuset_format(&pmu->cpus);
	err = text ? fn(user, pmu->name, pmu->type, text) : -ENOMEM;
	free(text);
	return err;
}

int uncoremsr_kernel_pmus(struct uncoremsr *um, kernel_pmu_fn *fn, void *user)
{
	struct um_kernel_pmus p = { .num = 0 };
	int err = um_check_open(um) ?: um_check_given(um, fn, "fn");

	if (err)
		return err;
	p.access = um->m.access;
	err = um_kernel_pmus_list(&p);
	for (size_t i = 0; i < p.num; i++)
		um_kernel_pmu_exists(&p.pmus[i]); /* by_type() needs the type, which the first call reads */
	if (p.num)
		qsort(p.pmus, p.num, sizeof(*p.pmus), by_type);
	for (size_t i = 0; i < p.num && !err; i++)
		if (um_kernel_pmu_exists(&p.pmus[i]))
			err = report(&p.pmus[i], fn, user);
	um_kernel_pmus_free(&p);
	/* Many callers only check whether there is a PMU of some kind, and ignore errors. */
	if (err == -ENOMEM)
		um->m.access->starved = ENOMEM;
	return err;
}
