/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Properties of a PMU. The kernel's PMUs have the same struct as those of the tables; see kernel_pmu.h. */
#include <errno.h>
#include <string.h>

#include "events/catalogue.h"

static const struct uncoremsr_pmu *kernel_pmu(struct uncoremsr *um, size_t index)
{
	struct um_kernel_pmu *pmu;
	struct um_names *n;
	int err;

	if (um_names_of(um, &n) || index >= n->kernel->num)
		return NULL;
	pmu = &n->kernel->pmus[index];
	err = um_kernel_pmu_load(n->kernel, pmu);
	if (err == -ENOMEM)
		um_no_memory(&um->error);
	return err ? NULL : &pmu->base;
}

const struct uncoremsr_pmu *uncoremsr_pmu(struct uncoremsr *um, const char *uarch, size_t index)
{
	const struct um_uarch *u;

	if (!uarch)
		return um && um->m.pmus && um->m.uarch && index < um->m.uarch->num_pmus ? &um->m.pmus[index]
									  : NULL;
	if (strcmp(uarch, "kernel") == 0)
		return um ? kernel_pmu(um, index) : NULL;
	u = strcmp(uarch, um_core_registers.name) == 0 ? &um_core_registers : um_uarch_find(uarch);
	return u && index < u->num_pmus ? &u->pmus[index] : NULL;
}

/* NULL: it is a PMU of the tables. */
static const struct um_kernel_pmu *of_kernel(const struct uncoremsr_pmu *pmu)
{
	return pmu && pmu->reach == UM_REACH_KERNEL ? (const struct um_kernel_pmu *)pmu : NULL;
}

const char *uncoremsr_pmu_text(const struct uncoremsr_pmu *pmu, enum uncoremsr_pmu_property p)
{
	static const char *const reaches[] = {
		[UM_REACH_MSR] = "msr", [UM_REACH_PCI] = "pci", [UM_REACH_MMIO] = "mmio",
		[UM_REACH_DISCOVERY] = "discovery", [UM_REACH_KERNEL] = "kernel",
	}, *const units[] = {
		[UM_UNITS_ALL] = "table", [UM_UNITS_CORES] = "cores", [UM_UNITS_MSR] = "register",
		[UM_UNITS_PROBE] = "probe", [UM_UNITS_AMD_UMC] = "cpuid",
	};
	const struct um_kernel_pmu *kernel = of_kernel(pmu);

	if (!pmu)
		return NULL;
	const char *const texts[] = {
		[UNCOREMSR_PMU_NAME] = pmu->name,
		[UNCOREMSR_PMU_DESCRIPTION] = pmu->desc,
		[UNCOREMSR_PMU_KERNEL_NAME] = pmu->kernel && *pmu->kernel ? pmu->kernel : NULL,
		[UNCOREMSR_PMU_ALIAS] = kernel ? kernel->alias : NULL,
		[UNCOREMSR_PMU_REACH] = reaches[pmu->reach],
		[UNCOREMSR_PMU_SCOPE] = kernel ? NULL : um_scope_word(pmu->scope),
		[UNCOREMSR_PMU_UNITS_FROM] = kernel ? NULL : units[pmu->units.from],
		[UNCOREMSR_PMU_NOTE] = pmu->note,
		[UNCOREMSR_PMU_SOURCE] = pmu->source ? pmu->source : "",
	};

	return (unsigned)p < ARRAY_SIZE(texts) ? texts[p] : NULL;
}

int uncoremsr_pmu_number(const struct uncoremsr_pmu *pmu, enum uncoremsr_pmu_property p, uint64_t *v)
{
	const struct um_kernel_pmu *kernel = of_kernel(pmu);

	if (!pmu || !v)
		return -EINVAL;
	if (p < UNCOREMSR_PMU_UNITS || p > UNCOREMSR_PMU_TYPE ||
	    (p == UNCOREMSR_PMU_TYPE) != (kernel != NULL))
		return -ENODATA;
	*v = (uint64_t[]){
		[UNCOREMSR_PMU_UNITS] = pmu->units.max,
		[UNCOREMSR_PMU_GENERAL_COUNTERS] = pmu->num_general,
		[UNCOREMSR_PMU_GENERAL_WIDTH] = pmu->general_width,
		[UNCOREMSR_PMU_FIXED_COUNTERS] = pmu->num_fixed,
		[UNCOREMSR_PMU_UNVERIFIED] = pmu->unverified,
		[UNCOREMSR_PMU_TYPE] = kernel ? kernel->type : 0,
	}[p];
	return 0;
}

const char *uncoremsr_pmu_fixed_event(const struct uncoremsr_pmu *pmu, size_t index,
				      const char **desc, unsigned *width, int *free_running)
{
	const struct um_fixed *f;

	if (!pmu || index >= pmu->num_fixed)
		return NULL;
	f = &pmu->fixed[index];
	*desc = f->desc;
	*width = f->width;
	*free_running = !f->control.msr;
	return f->event;
}

const char *uncoremsr_pmu_term(const struct uncoremsr_pmu *pmu, size_t index, const char **desc,
			       unsigned *bits)
{
	const struct um_kernel_pmu *kernel = of_kernel(pmu);
	const struct um_term *t;

	if (!pmu || index >= (kernel ? kernel->num_formats : pmu->num_terms))
		return NULL;
	t = kernel ? &kernel->formats[index] : &pmu->terms[index];
	*desc = t->desc ? t->desc : "";
	*bits = (unsigned)__builtin_popcountll(t->mask);
	return t->name;
}
