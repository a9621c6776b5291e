/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the tables say about PMUs. */
#include <string.h>

#include "machine/handle.h"

size_t uncoremsr_num_pmus(const struct uncoremsr *um)
{
	return um && um->m.pmus && um->m.uarch ? um->m.uarch->num_pmus : 0;
}

const struct uncoremsr_pmu *uncoremsr_pmu(const struct uncoremsr *um, size_t index)
{
	return index < uncoremsr_num_pmus(um) ? &um->m.pmus[index] : NULL;
}

const struct uncoremsr_pmu *uncoremsr_core_pmu(const struct uncoremsr *um)
{
	return um && um->m.pmus && um->m.have_core ? &um->m.pmus[um->m.num_pmus - 1] : NULL;
}

const struct uncoremsr_pmu *uncoremsr_uarch_pmu(const char *uarch, size_t index)
{
	const struct um_uarch *u = strcmp(uarch, um_core_registers.name) == 0
					   ? &um_core_registers : um_uarch_find(uarch);

	return u && index < u->num_pmus ? &u->pmus[index] : NULL;
}

const char *uncoremsr_pmu_name(const struct uncoremsr_pmu *pmu)
{
	return pmu->name;
}

const char *uncoremsr_pmu_desc(const struct uncoremsr_pmu *pmu)
{
	return pmu->desc;
}

const char *uncoremsr_pmu_kernel_name(const struct uncoremsr_pmu *pmu)
{
	return pmu->kernel ? pmu->kernel : "";
}

const char *uncoremsr_pmu_reach(const struct uncoremsr_pmu *pmu)
{
	static const char *const words[] = {
		[UM_REACH_MSR] = "msr", [UM_REACH_PCI] = "pci", [UM_REACH_MMIO] = "mmio",
		[UM_REACH_DISCOVERY] = "discovery",
	};

	return words[pmu->reach];
}

const char *uncoremsr_pmu_scope(const struct uncoremsr_pmu *pmu)
{
	return um_scope_word(pmu->scope);
}

unsigned uncoremsr_pmu_units(const struct uncoremsr_pmu *pmu)
{
	return pmu->units.max;
}

const char *uncoremsr_pmu_units_from(const struct uncoremsr_pmu *pmu)
{
	static const char *const words[] = {
		[UM_UNITS_ALL] = "table", [UM_UNITS_CORES] = "cores", [UM_UNITS_MSR] = "register",
		[UM_UNITS_PROBE] = "probe", [UM_UNITS_AMD_UMC] = "cpuid",
	};

	return words[pmu->units.from];
}

unsigned uncoremsr_pmu_general_counters(const struct uncoremsr_pmu *pmu)
{
	return pmu->num_general;
}

unsigned uncoremsr_pmu_general_width(const struct uncoremsr_pmu *pmu)
{
	return pmu->general_width;
}

unsigned uncoremsr_pmu_fixed_counters(const struct uncoremsr_pmu *pmu)
{
	return pmu->num_fixed;
}

const char *uncoremsr_pmu_fixed_event(const struct uncoremsr_pmu *pmu, size_t index,
				      const char **desc, unsigned *width, int *free_running)
{
	const struct um_fixed *f;

	if (index >= pmu->num_fixed)
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
	const struct um_term *t;

	if (index >= pmu->num_terms)
		return NULL;
	t = &pmu->terms[index];
	*desc = t->desc;
	*bits = 0;
	for (unsigned i = 0; i < t->num_ranges; i++)
		*bits += t->ranges[i].width;
	return t->name;
}

const char *uncoremsr_pmu_note(const struct uncoremsr_pmu *pmu)
{
	return pmu->note;
}

int uncoremsr_pmu_unverified(const struct uncoremsr_pmu *pmu)
{
	return pmu->unverified;
}

const char *uncoremsr_pmu_source(const struct uncoremsr_pmu *pmu)
{
	return pmu->source ? pmu->source : "";
}
