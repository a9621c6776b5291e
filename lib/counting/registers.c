/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "counting/registers.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "counting/trace.h"
#include "uarch/thermal.h"

static const struct um_gate *own_gate(const struct uncoremsr_pmu *pmu)
{
	for (unsigned i = 0; i < pmu->num_gates; i++)
		if (pmu->gates[i].per_counter)
			return &pmu->gates[i];
	return NULL;
}

uint32_t um_gate_msr(const struct um_box *b, const struct um_gate *g)
{
	return um_pmu_msr(b->pmu, &g->reg, b->index, 0);
}

uint32_t um_extra_msr(const struct um_box *b, unsigned extra)
{
	return um_pmu_msr(b->pmu, &b->pmu->extras[extra].reg, b->index, 0);
}

static struct um_counter_regs general_regs(const struct um_box *b, unsigned counter)
{
	const struct um_selector *sel = &b->pmu->selector;
	uint64_t event = b->pmu->only_on_request
				 ? ((UINT64_C(1) << sel->event.width) - 1) << sel->event.shift : 0;

	return (struct um_counter_regs){
		.counter = um_pmu_msr(b->pmu, &b->pmu->counter, b->index, counter),
		.selector = um_pmu_msr(b->pmu, &sel->reg, b->index, counter),
		.mask = UM_WHOLE,
		.run = sel->enable ? sel->enable : UM_WHOLE,
		.used = sel->enable ? sel->enable | event : ~sel->ignore_on_compare,
		.compare = ~sel->ignore_on_compare,
		.width = b->width,
		.write_bits = b->pmu->counter_write_bits,
		.alias = b->pmu->counter_alias.name
				 ? um_pmu_msr(b->pmu, &b->pmu->counter_alias, b->index, counter) : 0,
		.twice = sel->twice,
	};
}

static struct um_counter_regs fixed_regs(const struct um_box *b, unsigned fixed)
{
	const struct um_fixed *f = &b->pmu->fixed[fixed];
	uint64_t run = f->control_mask ? f->control_mask : f->enable;

	return (struct um_counter_regs){
		.counter = um_pmu_msr(b->pmu, &f->counter, b->index, 0),
		.selector = f->control.msr ? um_pmu_msr(b->pmu, &f->control, b->index, 0) : 0,
		.mask = f->control_mask ? f->control_mask : UM_WHOLE,
		.run = run, .used = run, .compare = UM_WHOLE,
		.width = b->fixed_width ? b->fixed_width : f->width,
	};
}

struct um_counter_regs um_counter_regs(const struct um_box *b, unsigned counter)
{
	const struct um_gate *gate = own_gate(b->pmu);
	bool fixed = counter >= b->num_general;
	unsigned n = fixed ? counter - b->num_general : counter;
	struct um_counter_regs r = fixed ? fixed_regs(b, n) : general_regs(b, n);

	r.kernels = b->pmu->only_on_request;
	if (gate && r.selector) {
		r.gate = um_gate_msr(b, gate);
		r.gate_bit = UINT64_C(1) << (n + (fixed ? gate->fixed_bit0 : gate->bit0));
	}
	return r;
}

bool um_counter_in_use(const struct um_counter_regs *r, uint64_t selector, uint64_t gate)
{
	return (selector & r->mask & r->used) || (!r->kernels && (gate & r->gate_bit));
}

/*
 * Registers about throttling are there on many processors whose uncore is in no table. A guest's
 * are the hypervisor's.
 */
static const struct um_reg *find_thermal(const struct uncoremsr *um, uint32_t msr)
{
	const struct um_identity *id = &um->m.id;
	const struct um_thermal_model *m = NULL;
	const struct um_thermal_reg *row = NULL;

	if (id->source && id->hypervisor != 1)
		m = um_thermal_find(id->vendor, id->family, id->model);
	if (m)
		row = um_thermal_reg_at(m, msr);
	return row ? &row->reg : NULL;
}

const struct um_reg *um_reg_row(const struct uncoremsr *um, uint32_t msr)
{
	const struct um_reg *row = um->m.uarch ? um_reg_find(um->m.uarch, msr, NULL) : NULL;

	if (!row && um->m.have_core)
		row = um_reg_find(&um_core_registers, msr, NULL);
	return row ? row : find_thermal(um, msr);
}

const char *um_reg_text(const struct uncoremsr *um, uint32_t msr, char *buf, size_t size)
{
	bool core = um->m.have_core && !(um->m.uarch && um_reg_find(um->m.uarch, msr, NULL));
	const struct um_reg *thermal = find_thermal(um, msr);

	if (!thermal)
		return um_reg_format(core || !um->m.uarch ? &um_core_registers : um->m.uarch, msr, buf,
				     size);
	snprintf(buf, size, "%s (0x%x)", thermal->name, msr);
	return buf;
}

int um_reg_open(struct uncoremsr *um, unsigned cpu, bool for_writing, struct um_error *e)
{
	int err = um->m.access->ops->open_cpu(um->m.access, cpu, for_writing);

	return err ? um_access_explain(um->m.access, UM_STEP_OPEN, cpu, NULL, err, e) : 0;
}

static int explain(struct uncoremsr *um, enum um_access_step step, unsigned cpu, uint32_t msr,
		   int err, struct um_error *e)
{
	char what[96];

	um_reg_text(um, msr, what, sizeof(what));
	return um_access_explain(um->m.access, step, cpu, what, err, e);
}

int um_reg_read(struct uncoremsr *um, unsigned cpu, uint32_t msr, uint64_t *value,
		struct um_error *e)
{
	int err = um->m.access->ops->read(um->m.access, cpu, msr, value);

	if (um->m.trace_style != UNCOREMSR_TRACE_NONE)
		um_trace_read(um, cpu, msr, err, *value);
	return err ? explain(um, UM_STEP_READ, cpu, msr, err, e) : 0;
}

static int not_claimed(struct uncoremsr *um, uint32_t msr, uint64_t mask, struct um_error *e)
{
	char what[96];

	return um_fail(e, -EPERM, UNCOREMSR_ERROR_UNSUPPORTED,
		       "writing %s: refused, the tables of %s do not claim the bits 0x%" PRIx64,
		       um_reg_text(um, msr, what, sizeof(what)),
		       um->m.uarch ? um->m.uarch->name : "this processor", mask);
}

int um_reg_write(struct uncoremsr *um, unsigned cpu, uint32_t msr, uint64_t mask, uint64_t value,
		 struct um_error *e)
{
	const struct um_reg *reg = um_reg_row(um, msr);
	bool whole = mask == UM_WHOLE;
	uint64_t old = 0, word = value;
	int err;

	if (reg && whole)
		mask = reg->valid;
	if (!reg || (mask & ~reg->write_mask) || (value & ~mask))
		return not_claimed(um, msr, mask | value, e);
	if (!whole || um->m.trace_style == UNCOREMSR_TRACE_TEXT) {
		err = um->m.access->ops->read(um->m.access, cpu, msr, &old);
		if (um->m.trace_style != UNCOREMSR_TRACE_NONE && !whole)
			um_trace_read(um, cpu, msr, err, old);
		if (err)
			return explain(um, UM_STEP_READ, cpu, msr, err, e);
	}
	if (!whole)
		word = (old & ~mask) | value;
	err = um->m.access->ops->write(um->m.access, cpu, msr, word);
	if (um->m.trace_style != UNCOREMSR_TRACE_NONE)
		um_trace_write(um, cpu, msr, err, old, word);
	return err ? explain(um, UM_STEP_WRITE, cpu, msr, err, e) : 0;
}
