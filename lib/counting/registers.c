/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "counting/registers.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "counting/trace.h"
#include "uarch/thermal.h"

struct um_counter_regs um_counter_regs(const struct uncoremsr_pmu *pmu, unsigned counter)
{
	if (counter >= pmu->num_general)
		return (struct um_counter_regs){
			.counter = pmu->fixed_counter,
			.selector = pmu->fixed_control,
			.global_bit = UINT64_C(1) << pmu->global_fixed_bit,
			.enable = pmu->fixed_enable,
			.compare = ~UINT64_C(0),
			.width = pmu->fixed_width,
		};
	return (struct um_counter_regs){
		.counter = pmu->counter0 + counter,
		.selector = pmu->selector0 + counter,
		.global_bit = UINT64_C(1) << (pmu->global_general_bit0 + counter),
		.enable = pmu->selector.enable,
		.compare = ~pmu->selector.ignore_on_compare,
		.width = pmu->general_width,
	};
}

bool um_counter_in_use(const struct um_counter_regs *r, uint64_t selector, uint64_t global)
{
	return (selector & r->enable) || (global & r->global_bit);
}

int um_reg_open(struct uncoremsr *um, unsigned cpu, bool for_writing, struct um_error *e)
{
	int err = um->access->ops->open_cpu(um->access, cpu, for_writing);

	return err ? um_access_explain(um->access, UM_STEP_OPEN, cpu, NULL, err, e) : 0;
}

/* Registers about throttling are there on many processors whose uncore is in no table. */
static const struct um_reg *find_thermal(const struct uncoremsr *um, uint32_t msr)
{
	const struct um_identity *id = &um->id;
	const struct um_thermal_model *m = NULL;
	const struct um_thermal_reg *row = NULL;

	if (id->source && id->hypervisor != 1)
		m = um_thermal_find(id->vendor, id->family, id->model);
	if (m)
		row = um_thermal_reg_at(m, msr);
	return row ? &row->reg : NULL;
}

const struct um_reg *um_reg_claimed(const struct uncoremsr *um, uint32_t msr)
{
	const struct um_reg *reg = um->uarch ? um_reg_find(um->uarch, msr, NULL) : NULL;

	return reg ? reg : find_thermal(um, msr);
}

const char *um_reg_words(const struct uncoremsr *um, uint32_t msr, char *buf, size_t size)
{
	const struct um_reg *reg = find_thermal(um, msr);

	if (!reg)
		return um_reg_format(um->uarch, msr, buf, size);
	snprintf(buf, size, "%s (0x%x)", reg->name, msr);
	return buf;
}

static int explain(struct uncoremsr *um, enum um_access_step step, unsigned cpu, uint32_t msr,
		   int err, struct um_error *e)
{
	char what[96];

	um_reg_words(um, msr, what, sizeof(what));
	return um_access_explain(um->access, step, cpu, what, err, e);
}

int um_reg_read(struct uncoremsr *um, unsigned cpu, uint32_t msr, uint64_t *value,
		struct um_error *e)
{
	int err = um->access->ops->read(um->access, cpu, msr, value);

	if (um->trace_style != UNCOREMSR_TRACE_NONE)
		um_trace_read(um, cpu, msr, err, *value);
	return err ? explain(um, UM_STEP_READ, cpu, msr, err, e) : 0;
}

static int not_claimed(struct uncoremsr *um, uint32_t msr, uint64_t mask, struct um_error *e)
{
	char what[96];

	return um_fail(e, -EPERM, UNCOREMSR_ERROR_UNSUPPORTED,
		       "writing %s: refused, the tables of %s do not claim the bits 0x%" PRIx64,
		       um_reg_words(um, msr, what, sizeof(what)),
		       um->uarch ? um->uarch->name : "this processor", mask);
}

int um_reg_write(struct uncoremsr *um, unsigned cpu, uint32_t msr, uint64_t mask, uint64_t value,
		 struct um_error *e)
{
	const struct um_reg *reg = um_reg_claimed(um, msr);
	bool whole = mask == UM_WHOLE;
	uint64_t old = 0, word = value;
	int err;

	if (reg && whole)
		mask = reg->valid;
	if (!reg || (mask & ~reg->write_mask) || (value & ~mask))
		return not_claimed(um, msr, mask | value, e);
	if (!whole || um->trace_style == UNCOREMSR_TRACE_TEXT) {
		err = um->access->ops->read(um->access, cpu, msr, &old);
		if (um->trace_style != UNCOREMSR_TRACE_NONE && !whole)
			um_trace_read(um, cpu, msr, err, old);
		if (err)
			return explain(um, UM_STEP_READ, cpu, msr, err, e);
	}
	if (!whole)
		word = (old & ~mask) | value;
	err = um->access->ops->write(um->access, cpu, msr, word);
	if (um->trace_style != UNCOREMSR_TRACE_NONE)
		um_trace_write(um, cpu, msr, err, old, word);
	return err ? explain(um, UM_STEP_WRITE, cpu, msr, err, e) : 0;
}
