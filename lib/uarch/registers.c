/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Search the tables: the address of a row's register in a unit, and the row of an address. */
#include <stdio.h>
#include <string.h>

#include "common/error.h"
#include "common/number.h"
#include "uarch/uarch.h"

const struct um_selector um_no_selector;

/* Is the register a gate of the whole processor? Its address is then the same for all units. */
static bool stays(const struct um_pmu *pmu, const struct um_reg *reg)
{
	for (unsigned i = 0; i < pmu->num_gates; i++)
		if (reg->msr == pmu->gates[i].reg.msr)
			return !pmu->gates[i].of_unit;
	return false;
}

static const int32_t *offsets_of(const struct um_pmu *pmu, const struct um_reg *reg)
{
	return reg->other_units ? pmu->units.other_offsets : pmu->units.offsets;
}

static uint32_t stride_of(const struct um_pmu *pmu, const struct um_reg *reg)
{
	return reg->other_units ? pmu->units.other_stride : pmu->units.stride;
}

static uint32_t step_of(const struct um_reg *reg)
{
	return reg->step ? reg->step : 1;
}

uint32_t um_pmu_msr(const struct um_pmu *pmu, const struct um_reg *reg, unsigned unit,
		    unsigned index)
{
	uint32_t msr = reg->msr + index * step_of(reg);
	const int32_t *offsets;

	if (!unit || stays(pmu, reg))
		return msr;
	offsets = offsets_of(pmu, reg);
	return offsets ? msr + (uint32_t)offsets[unit] : msr + unit * stride_of(pmu, reg);
}

uint32_t um_place_msr(const struct um_reg_place *at)
{
	return at->pmu ? um_pmu_msr(at->pmu, at->reg, at->unit, at->index) : at->reg->msr;
}

/* Row number @n of a PMU, NULL past the end. A row without a name means that the PMU has no such register. */
static const struct um_reg *row_of(const struct um_pmu *pmu, size_t n)
{
	const struct um_reg *const heads[] = {
		&pmu->selector->reg, pmu->counter, pmu->counter_alias,
	};
	size_t num_heads = pmu->num_general ? ARRAY_SIZE(heads) - !pmu->counter_alias : 0;

	if (n < num_heads)
		return heads[n];
	n -= num_heads;
	if (n < pmu->num_gates)
		return &pmu->gates[n].reg;
	n -= pmu->num_gates;
	if (n < pmu->num_extras)
		return &pmu->extras[n].reg;
	n -= pmu->num_extras;
	if (n < pmu->num_fixed)
		return &pmu->fixed[n].counter;
	n -= pmu->num_fixed;
	if (n < pmu->num_fixed)
		return &pmu->fixed[n].control;
	n -= pmu->num_fixed;
	return n < pmu->num_others ? &pmu->others[n] : NULL;
}

/* Does an earlier row of the PMU have the same register? A shared register is listed once, with its first row. */
static bool seen_before(const struct um_pmu *pmu, size_t n)
{
	uint32_t msr = row_of(pmu, n)->msr;

	for (size_t i = 0; i < n; i++)
		if (row_of(pmu, i)->msr == msr)
			return true;
	return false;
}

/* Is the gate already listed, among the processor's registers or with an earlier PMU? */
static bool claimed_before(const struct um_uarch *u, const struct um_pmu *pmu, uint32_t msr)
{
	for (size_t i = 0; i < u->num_regs; i++)
		if (msr >= u->regs[i].msr && msr - u->regs[i].msr < u->regs[i].count)
			return true;
	for (const struct um_pmu *p = u->pmus; p < pmu; p++)
		for (unsigned i = 0; i < p->num_gates; i++)
			if (!p->gates[i].of_unit && p->gates[i].reg.msr == msr)
				return true;
	return false;
}

static int each_index(struct um_reg_place *at, int (*fn)(void *, const struct um_reg_place *),
		      void *user)
{
	int stop = 0;

	for (at->index = 0; at->index < at->reg->count && !stop; at->index++)
		stop = fn(user, at);
	return stop;
}

static int each_of_pmu(const struct um_uarch *u, const struct um_pmu *pmu, unsigned unit,
		       int (*fn)(void *, const struct um_reg_place *), void *user)
{
	const struct um_reg *reg;
	int stop = 0;

	for (size_t n = 0; !stop && (reg = row_of(pmu, n)); n++) {
		bool common = stays(pmu, reg);
		struct um_reg_place at = { reg, common ? NULL : pmu, unit, 0 };

		if (!*reg->name || seen_before(pmu, n) ||
		    (common && (unit || claimed_before(u, pmu, reg->msr))))
			continue;
		stop = each_index(&at, fn, user);
	}
	return stop;
}

int um_regs_each(const struct um_uarch *u, int (*fn)(void *user, const struct um_reg_place *at),
		 void *user)
{
	int stop = 0;

	for (size_t i = 0; i < u->num_regs && !stop; i++) {
		struct um_reg_place at = { .reg = &u->regs[i] };

		stop = each_index(&at, fn, user);
	}
	for (size_t i = 0; i < u->num_pmus; i++)
		for (unsigned unit = 0; unit < u->pmus[i].units.max && !stop; unit++)
			stop = each_of_pmu(u, &u->pmus[i], unit, fn, user);
	return stop;
}

/* Index of @msr among the registers of a row that begins at @first, or the row's count if it is not one of them. */
static unsigned index_in(const struct um_reg *reg, uint32_t first, uint32_t msr)
{
	uint32_t distance = msr - first, step = step_of(reg);

	if (msr < first || distance % step || distance / step >= reg->count)
		return reg->count;
	return distance / step;
}

static bool row_has(const struct um_pmu *pmu, const struct um_reg *reg, uint32_t msr,
		    struct um_reg_place *at)
{
	unsigned first = 0, end = pmu->units.max;
	bool common = stays(pmu, reg);

	if (common)
		end = 1;
	else if (!offsets_of(pmu, reg) && stride_of(pmu, reg) && msr > reg->msr) {
		/* No row is longer than the distance between two units, so only one unit can have the address. */
		first = (msr - reg->msr) / stride_of(pmu, reg);
		end = first < end ? first + 1 : 0;
	}
	for (unsigned unit = first; unit < end; unit++) {
		unsigned index = index_in(reg, um_pmu_msr(pmu, reg, unit, 0), msr);

		if (index == reg->count)
			continue;
		*at = (struct um_reg_place){ reg, common ? NULL : pmu, unit, index };
		return true;
	}
	return false;
}

bool um_reg_place(const struct um_uarch *u, uint32_t msr, struct um_reg_place *at)
{
	const struct um_reg *reg;

	for (size_t i = 0; i < u->num_regs; i++) {
		unsigned index = index_in(&u->regs[i], u->regs[i].msr, msr);

		if (index == u->regs[i].count)
			continue;
		*at = (struct um_reg_place){ .reg = &u->regs[i], .index = index };
		return true;
	}
	for (size_t i = 0; i < u->num_pmus; i++)
		for (size_t n = 0; (reg = row_of(&u->pmus[i], n)); n++)
			if (*reg->name && row_has(&u->pmus[i], reg, msr, at))
				return true;
	return false;
}

const struct um_reg *um_reg_find(const struct um_uarch *u, uint32_t msr)
{
	struct um_reg_place at;

	return um_reg_place(u, msr, &at) ? at.reg : NULL;
}

/* Names in the tables have two placeholders: "%b" stands for the unit, "%u" for the index. */
const char *um_reg_name(const struct um_reg_place *at, char *buf, size_t size)
{
	const char *last = buf + size - 1;
	char *to = buf;

	for (const char *from = at->reg->name; *from && to < last; from++) {
		if (*from != '%')
			*to++ = *from;
		else
			to = um_put_decimal(to, last, *++from == 'b' ? at->unit : at->index);
	}
	*to = '\0';
	return buf;
}

const char *um_reg_format(const struct um_uarch *u, uint32_t msr, char *buf, size_t size)
{
	struct um_reg_place at;
	size_t len;

	if (!u || !um_reg_place(u, msr, &at)) {
		snprintf(buf, size, "MSR 0x%x", msr);
		return buf;
	}
	len = strlen(um_reg_name(&at, buf, size));
	snprintf(buf + len, size - len, " (0x%x)", msr);
	return buf;
}
