/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "common/text.h"
#include "names/pmus.h"
#include "machine/machine.h"

struct um_event_pmus um_event_pmus_of(const struct um_uarch *u, const struct um_pmu *core)
{
	struct um_event_pmus pmus = { .uarch = u->name, .arch_events = um_arch_events(NULL) };

	for (size_t i = 0; i < u->num_pmus && pmus.num < UM_EVENT_PMUS; i++)
		pmus.pmus[pmus.num++] = &u->pmus[i];
	if (core && pmus.num < UM_EVENT_PMUS)
		pmus.pmus[pmus.num++] = core;
	return pmus;
}

struct um_event_pmus um_event_pmus_of_machine(const struct um_machine *m)
{
	struct um_event_pmus list = { .uarch = m->uarch ? m->uarch->name
				     : m->model ? m->model->name : "unknown",
				      .arch_events = um_arch_events(&m->id.leaf_0xa) };

	for (size_t i = 0; i < m->num_pmus && list.num < UM_EVENT_PMUS; i++)
		list.pmus[list.num++] = &m->pmus[i];
	return list;
}

bool um_pmu_is_core(const struct um_pmu *pmu)
{
	return pmu->scope == UM_SCOPE_CPU;
}

const struct um_pmu *um_event_plain_pmu(const struct um_event_pmus *pmus)
{
	const struct um_pmu *plain = NULL;

	for (size_t i = 0; i < pmus->num; i++) {
		const struct um_pmu *p = pmus->pmus[i];

		if (um_pmu_is_core(p) || p->reach != UM_REACH_MSR)
			continue;
		if (plain || p->units.max > 1 || !p->num_general || p->num_extras)
			return NULL;
		plain = p;
	}
	return plain;
}

const struct um_pmu *um_event_core_pmu(const struct um_event_pmus *pmus)
{
	for (size_t i = 0; i < pmus->num; i++)
		if (um_pmu_is_core(pmus->pmus[i]))
			return pmus->pmus[i];
	return NULL;
}

const char *um_pmu_dash(const struct um_pmu *pmu)
{
	size_t len = strlen(pmu->name);

	return len && isdigit((unsigned char)pmu->name[len - 1]) ? "-" : "";
}

const char *um_event_pmu_names(const struct um_event_pmus *pmus, char *buf, size_t size)
{
	*buf = '\0';
	for (size_t i = 0; i < pmus->num; i++)
		if (pmus->pmus[i]->reach == UM_REACH_MSR)
			um_list_add(buf, size, "%s", pmus->pmus[i]->name);
	return buf;
}

/* Compare with the kernel's name, "uncore_cbox", or without its prefix, "cbox". */
static bool is_kernel_name(const struct um_pmu *p, const char *name, size_t len)
{
	const char *theirs = p->kernel;
	static const char uncore[] = "uncore_";

	if (um_is_word(name, len, theirs) || (um_pmu_is_core(p) && um_core_type_of(name, len)))
		return true;
	return um_starts_with(theirs, uncore) && um_is_word(name, len, theirs + strlen(uncore));
}

/*
 * Find a PMU by our name, else by the kernel's. @programmable: by the kernel's name, find only PMUs that have general
 * counters or no MSRs. Up to Comet Lake uncore_cbox_0 is the kernel's name for both the C-box and our PMU of the clock;
 * the C-box must be found first.
 */
static const struct um_pmu *by_name(const struct um_event_pmus *pmus, const char *name, size_t len, bool programmable)
{
	for (size_t i = 0; i < pmus->num; i++)
		if (um_is_word(name, len, pmus->pmus[i]->name))
			return pmus->pmus[i];
	for (size_t i = 0; i < pmus->num; i++)
		if ((!programmable || pmus->pmus[i]->num_general || pmus->pmus[i]->reach != UM_REACH_MSR) &&
		    is_kernel_name(pmus->pmus[i], name, len))
			return pmus->pmus[i];
	return NULL;
}

/* Length of a PMU's name without its unit number ("cbo3", "l3-1", "uncore_cbox_3"); 0: it has no number. */
static size_t without_number(const char *name, size_t len, unsigned *number)
{
	size_t at = len;

	while (at > 0 && isdigit((unsigned char)name[at - 1]))
		at--;
	if (at == 0 || at == len || len - at > 4)
		return 0;
	*number = (unsigned)strtoul(name + at, NULL, 10);
	if (name[at - 1] == '-' && at > 1 && isdigit((unsigned char)name[at - 2]))
		return at - 1;
	return name[at - 1] == '_' ? at - 1 : at;
}

/* Are the units numbered like caches or NUMA nodes? Then their number depends on the machine, not on the tables. */
static bool is_by_place(const struct um_pmu *p)
{
	return p->scope == UM_SCOPE_L3 || p->scope == UM_SCOPE_NODE;
}

static int check_unit(const struct um_pmu *p, unsigned unit, const char *text, struct um_error *e)
{
	unsigned max = p->units.max ? p->units.max : 1;

	if (um_pmu_is_core(p)) {
		um_event_fail(e, -EINVAL, text, "%s has no units to choose from", p->name);
		return um_advise(e, -EINVAL, "choose CPUs with --cpus, not in the event");
	}
	if (unit < max || is_by_place(p))
		return 0;
	if (max == 1)
		return um_event_fail(e, -EINVAL, text, "there is only one %s, so unit %u does not exist", p->name,
				     unit);
	return um_event_fail(e, -EINVAL, text, "%s has units 0 to %u at most, not %u", p->name, max - 1, unit);
}

static int check_reach(const struct um_pmu *p, const char *text, struct um_error *e)
{
	static const char *const ways[] = {
		[UM_REACH_PCI] = "in PCI configuration space", [UM_REACH_MMIO] = "in memory",
		[UM_REACH_DISCOVERY] = "at addresses that only the discovery table gives",
	};

	if (p->reach == UM_REACH_MSR)
		return 0;
	um_event_fail(e, -ENOTSUP, text, "the registers of %s are %s, not among the MSRs", p->name, ways[p->reach]);
	return um_advise(e, -ENOTSUP, "only the kernel's driver (module intel_uncore) reaches these registers, as %s",
			 p->kernel);
}

static int unknown(const struct um_event_pmus *pmus, const char *name, size_t len, const char *text, struct um_error *e)
{
	char names[256];

	um_event_fail(e, -ENOENT, text, "%s has no PMU '%.*s'", pmus->uarch, (int)len, name);
	return um_advise(e, -ENOENT, "it has %s", um_event_pmu_names(pmus, names, sizeof(names)));
}

const struct um_pmu *um_event_pmu_named(const struct um_event_pmus *pmus, const char *name, size_t len, int *number)
{
	const struct um_pmu *p = NULL;
	unsigned n = 0;
	size_t head = without_number(name, len, &n);

	*number = -1;
	/*
	 * If no PMU has this name, try the name without the unit number ("uncore_cbox_3"). PMUs that cannot be
	 * programmed ("uncore_iio_free_running_3") are tried last.
	 */
	for (int programmable = 1; programmable >= 0 && !p; programmable--) {
		p = by_name(pmus, name, len, programmable);
		if (p || !head)
			continue;
		p = by_name(pmus, name, head, programmable);
		*number = p ? (int)n : -1;
	}
	return p;
}

int um_event_pmu(const struct um_event_pmus *pmus, const char *name, size_t len,
		 const struct um_pmu **pmu, int *unit, const char *text, struct um_error *e)
{
	const struct um_pmu *p = *pmu = um_event_pmu_named(pmus, name, len, unit);
	int err = p ? check_reach(p, text, e) : unknown(pmus, name, len, text, e);

	if (!err && *unit >= 0)
		err = check_unit(p, (unsigned)*unit, text, e);
	if (!err && p->units.max <= 1 && !is_by_place(p))
		*unit = -1;
	return err;
}

int um_pmu_find_fixed(const struct um_pmu *pmu, const char *text, size_t len)
{
	for (unsigned i = 0; i < pmu->num_fixed; i++) {
		const struct um_fixed *f = &pmu->fixed[i];

		if (um_is_word(text, len, f->event))
			return (int)i;
		for (size_t k = 0; *f->aliases[k]; k++)
			if (um_is_word(text, len, f->aliases[k]))
				return (int)i;
	}
	return -1;
}

/* SDM volume 3B, IA32_PERFEVTSELx: bit 16 is USR, bit 17 OS. Uncore selectors have other bits there. */
bool um_pmu_rings(const struct um_pmu *pmu, uint64_t *user, uint64_t *kernel)
{
	if (!um_pmu_is_core(pmu))
		return false;
	*user = UINT64_C(1) << 16;
	*kernel = UINT64_C(1) << 17;
	return true;
}
