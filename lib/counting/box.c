/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Boxes: where the units of a PMU are, how many there are, and which counters each one has. */
#include "counting/registers.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "encode/event.h"
#include "machine/core_kind.h"

enum { EAX, EBX, ECX, EDX };

void um_box_name(const struct um_box *b, char *buf, size_t size)
{
	const char *name = b->pmu->name;
	bool many = b->pmu->units.max > 1 || b->pmu->scope > UM_SCOPE_DIE;

	if (b->pmu->scope == UM_SCOPE_CPU)
		snprintf(buf, size, "cpu%u", b->number);
	else if (many)
		snprintf(buf, size, "%s%s%u", name, um_pmu_dash(b->pmu), b->number);
	else
		snprintf(buf, size, "%s", name);
}

bool um_box_has_counter(const struct um_box *b, unsigned counter)
{
	if (counter < b->num_general)
		return b->general >> counter & 1;
	counter -= b->num_general;
	return counter < b->pmu->num_fixed && b->fixed >> counter & 1;
}

/* The kernel's id of a CPU's last-level cache; if it has no id, the lowest CPU that shares the cache. */
static unsigned l3_of(const struct um_machine *m, unsigned cpu)
{
	static const char files[][16] = { "id", "shared_cpu_list" };
	char path[96], text[32];

	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		snprintf(path, sizeof(path), "sys/devices/system/cpu/cpu%u/cache/index3/%s", cpu, files[i]);
		if (um_access_line(m->access, path, text, sizeof(text)) > 0 && isdigit((unsigned char)*text))
			return (unsigned)strtoul(text, NULL, 10);
	}
	return 0;
}

static unsigned place_of(const struct um_machine *m, enum um_scope scope, unsigned cpu)
{
	uint32_t regs[4] = { 0 };

	if (scope == UM_SCOPE_L3)
		return l3_of(m, cpu);
	if (scope != UM_SCOPE_NODE)
		return cpu;
	/* AMD: the id of the CPU's node is in CPUID leaf 0x8000001e ECX 7:0. */
	return m->access->ops->cpuid(m->access, cpu, 0x8000001e, 0, regs) ? 0 : regs[ECX] & 0xff;
}

static struct um_spot *spot_of(struct um_spots *list, unsigned number, unsigned cpu)
{
	for (size_t i = 0; i < list->num; i++)
		if (list->all[i].number == number)
			return &list->all[i];
	return ARRAY_APPEND(list->all, list->num, (struct um_spot){ .number = number, .cpu = cpu })
	       ? NULL : &list->all[list->num - 1];
}

int um_spots_find(struct um_spots *list, const struct um_machine *m, const struct uncoremsr_package *p,
		  const struct um_pmu *pmu, const struct um_cpuset *asked)
{
	const struct um_cpuset *cpus = um_package_cpus(p);
	bool all = pmu->scope != UM_SCOPE_CPU || !asked;
	int err = 0;

	*list = (struct um_spots){ NULL, 0 };
	if (asked && !um_cpuset_overlap(cpus, asked))
		return 0;
	if (pmu->scope == UM_SCOPE_PACKAGE || pmu->scope == UM_SCOPE_DIE)
		return spot_of(list, 0, (unsigned)p->cpu) ? 0 : -ENOMEM;
	for (size_t i = 0; !err && i < cpus->num; i++) {
		unsigned cpu = cpus->cpus[i];
		struct um_spot *spot;

		if (!all && !um_cpuset_has(asked, cpu))
			continue;
		spot = spot_of(list, place_of(m, pmu->scope, cpu), cpu);
		err = spot ? um_cpuset_add(&spot->cpus, cpu) : -ENOMEM;
	}
	if (err)
		um_spots_free(list);
	return err;
}

void um_spots_free(struct um_spots *list)
{
	for (size_t i = 0; i < list->num; i++)
		um_cpuset_free(&list->all[i].cpus);
	free(list->all);
	*list = (struct um_spots){ NULL, 0 };
}

static int count_by_msr(const struct um_machine *m, unsigned cpu, const struct um_units *units,
			unsigned *num, struct um_error *e)
{
	uint64_t value = 0;
	int err = um_reg_read(m, cpu, units->msr, &value, e);

	if (err)
		return err;
	value = value >> units->shift & um_low_mask(units->width);
	if (!value && units->zero_means_probe)
		value = units->max;
	*num = value < units->max ? (unsigned)value : units->max;
	return 0;
}

/* Returns 0 if CPUID does not report num_general counters per controller: their assignment is then unknown. */
static unsigned count_umc(const struct um_machine *m, unsigned cpu, const struct um_pmu *pmu)
{
	struct um_amd_counters amd;
	unsigned active;

	um_amd_counters_read(&amd, m->access, cpu);
	active = (unsigned)__builtin_popcount(amd.controllers);
	if (amd.memory != active * pmu->num_general)
		return 0;
	return active < pmu->units.max ? active : pmu->units.max;
}

static int check_feature(const struct um_machine *m, unsigned cpu, const struct um_pmu *pmu, struct um_error *e)
{
	uint32_t regs[4] = { 0 };

	if (!pmu->amd_feature)
		return 0;
	if (!m->access->ops->cpuid(m->access, cpu, 0x80000001, 0, regs) && (regs[ECX] >> pmu->amd_feature & 1))
		return 0;
	return um_fail(e, -ENODEV, UNCOREMSR_ERROR_UNSUPPORTED, "%s: switched off by firmware or "
		       "a hypervisor (CPUID 0x80000001 ECX bit %u)", pmu->name, pmu->amd_feature);
}

int um_box_count(const struct um_machine *m, const struct uncoremsr_package *p, unsigned cpu,
		 const struct um_pmu *pmu, unsigned *num, struct um_error *e)
{
	const struct um_units *units = &pmu->units;
	int err = check_feature(m, cpu, pmu, e);
	size_t cores;

	*num = units->max;
	if (!err && units->from == UM_UNITS_MSR)
		return count_by_msr(m, cpu, units, num, e);
	if (units->from == UM_UNITS_AMD_UMC)
		*num = count_umc(m, cpu, pmu);
	if (units->from == UM_UNITS_CORES) {
		if (um_package_num_cores(p, &cores))
			return um_no_memory(e);
		if (cores < *num)
			*num = (unsigned)cores;
	}
	return err;
}

static void ask_cpuid(const struct um_machine *m, struct um_box *b)
{
	const struct um_pmu *pmu = b->pmu;
	struct um_core_kind kind;
	unsigned num = 0;

	if (um_core_kind_read(&kind, m->access, b->cpu))
		return;
	b->core_type = kind.pub.core_type < 0 ? 0 : (uint8_t)kind.pub.core_type;
	b->general = kind.pub.general_mask == UINT64_MAX ? 0 : (uint32_t)kind.pub.general_mask & b->general;
	b->fixed = kind.pub.fixed_mask == UINT64_MAX ? 0 : (uint32_t)kind.pub.fixed_mask & b->fixed;
	while (num < pmu->num_general && b->general >> num) /* the numbers of the counters may have gaps */
		num++;
	b->num_general = num;
	b->width = kind.id.leaf_0xa.general_width;
	b->fixed_width = kind.id.leaf_0xa.fixed_width;
}

struct um_box um_box_first(const struct um_pmu *pmu, int package, int die, unsigned cpu)
{
	return (struct um_box){
		.pmu = pmu, .package = package, .die = die, .cpu = cpu,
		.num_general = pmu->num_general, .width = pmu->general_width,
		.general = (uint32_t)um_low_mask(pmu->num_general), .fixed = (uint32_t)um_low_mask(pmu->num_fixed),
	};
}

struct um_box um_box_make(const struct um_machine *m, const struct uncoremsr_package *p, const struct um_spot *spot,
			  const struct um_pmu *pmu, unsigned index)
{
	struct um_box b = um_box_first(pmu, p->id, p->die, spot->cpu);

	b.index = index;
	b.number = pmu->units.max > 1 ? spot->number * pmu->units.max + index : spot->number;
	if (pmu->counters_from == UM_COUNTERS_LEAF_0XA)
		ask_cpuid(m, &b);
	return b;
}

static int find_numbered(const struct um_machine *m, const struct uncoremsr_package *p, const struct um_pmu *pmu,
			 unsigned number, struct um_box *out)
{
	unsigned each = pmu->units.max > 1 ? pmu->units.max : 1;
	struct um_spots spots;
	int err = um_spots_find(&spots, m, p, pmu, NULL);

	if (err)
		return err;
	err = -ENODEV;
	for (size_t i = 0; i < spots.num && err; i++)
		if (spots.all[i].number == number / each) {
			*out = um_box_make(m, p, &spots.all[i], pmu, number % each);
			err = 0;
		}
	um_spots_free(&spots);
	return err;
}

const struct uncoremsr_package *um_package_at(const struct um_machine *m, int id, int die)
{
	for (size_t i = 0; i < m->topo.num_packages; i++)
		if (m->topo.packages[i].shown.id == id && m->topo.packages[i].shown.die == die)
			return &m->topo.packages[i].shown;
	return NULL;
}

int um_box_find(const struct um_machine *m, int package, int die, const char *name, struct um_box *out)
{
	const struct uncoremsr_package *p = um_package_at(m, package, die);
	const char *digits = name + strlen(name);
	char text[UM_UNIT_NAME];
	int err = -ENODEV;
	unsigned number;

	while (digits > name && isdigit((unsigned char)digits[-1]))
		digits--;
	number = (unsigned)strtoul(digits, NULL, 10);
	for (const struct um_pmu *pmu = m->pmus; p && pmu < m->pmus + m->num_pmus && err == -ENODEV; pmu++) {
		/* If @name is the name of the PMU, digits at its end are part of that name, not a unit number. */
		const struct um_box box = { .pmu = pmu, .number = strcmp(name, pmu->name) ? number : 0 };

		um_box_name(&box, text, sizeof(text));
		if (pmu->reach == UM_REACH_MSR && !strcmp(text, name))
			err = find_numbered(m, p, pmu, box.number, out);
	}
	return err;
}
