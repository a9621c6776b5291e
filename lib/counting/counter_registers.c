/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Find the registers of a counter, and find out whether counters are in use. */
#include "counting/registers.h"

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
	const struct um_selector *sel = b->pmu->selector;
	uint64_t event = b->pmu->only_on_request ? um_code_mask(&sel->event) : 0;

	return (struct um_counter_regs){
		.counter = um_pmu_msr(b->pmu, b->pmu->counter, b->index, counter),
		.selector = um_pmu_msr(b->pmu, &sel->reg, b->index, counter),
		.mask = UM_WHOLE,
		.run = sel->enable ? sel->enable : UM_WHOLE,
		.used = sel->enable ? sel->enable | event : ~sel->ignore_on_compare,
		.compare = ~sel->ignore_on_compare,
		.width = b->width,
		.write_bits = b->pmu->counter_write_bits,
		.alias = b->pmu->counter_alias ? um_pmu_msr(b->pmu, b->pmu->counter_alias, b->index, counter) : 0,
		.counter_row = b->pmu->counter, .selector_row = &sel->reg, .alias_row = b->pmu->counter_alias,
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
		.counter_row = &f->counter, .selector_row = f->control.msr ? &f->control : NULL,
	};
}

struct um_counter_regs um_counter_regs(const struct um_box *b, unsigned counter)
{
	const struct um_pmu *pmu = b->pmu;
	bool fixed = counter >= b->num_general;
	unsigned n = fixed ? counter - b->num_general : counter;
	struct um_counter_regs r = fixed ? fixed_regs(b, n) : general_regs(b, n);

	r.kernels = pmu->only_on_request;
	if (pmu->overflow)
		r.overflow = um_pmu_msr(pmu, pmu->overflow, b->index, 0);
	for (const struct um_gate *g = pmu->gates; r.selector && g < pmu->gates + pmu->num_gates; g++)
		if (g->per_counter) {
			r.gate = um_gate_msr(b, g);
			r.gate_bit = UINT64_C(1) << (n + (fixed ? g->fixed_bit0 : g->bit0));
			break;
		}
	if (pmu->overflow)
		r.overflow_bit = (r.gate ? r.gate_bit : fixed ? 0 : UINT64_C(1) << n) & pmu->overflow->write_mask;
	return r;
}

bool um_counter_in_use(const struct um_counter_regs *r, uint64_t selector, uint64_t gate)
{
	return (selector & r->mask & r->used) || (!r->kernels && (gate & r->gate_bit));
}

int um_counter_look(const struct um_machine *m, unsigned cpu, const struct um_counter_regs *r, uint64_t *selector,
		    struct um_error *e)
{
	uint64_t word = 0, gate = 0;
	int err = r->selector ? um_reg_read(m, cpu, r->selector, &word, e) : 0;

	if (!err && r->gate && !r->kernels)
		err = um_reg_read(m, cpu, r->gate, &gate, e);
	if (err)
		return err;
	if (selector)
		*selector = word & r->mask;
	return um_counter_in_use(r, word, gate);
}

/* Can a write of the lowest write_bits bits, which the counter sign-extends, produce @value? */
static bool fits(const struct um_counter_regs *r, uint64_t value)
{
	uint64_t width = um_low_mask(r->width), low = um_low_mask(r->write_bits);
	uint64_t sign = UINT64_C(1) << (r->write_bits - 1);
	uint64_t got = value & sign ? (value & low) | (width & ~low) : value & low;

	return got == value;
}

uint32_t um_counter_way(const struct um_counter_regs *r, uint64_t value, bool full, uint64_t *word)
{
	*word = value;
	if (!r->write_bits || r->write_bits >= 64)
		return r->counter;
	if (fits(r, value)) {
		*word &= um_low_mask(r->write_bits);
		return r->counter;
	}
	return full ? r->alias : 0;
}

struct um_stuck um_counter_stuck(const struct um_counter_regs *r, uint64_t selector, uint64_t value, bool full)
{
	struct um_stuck stuck = {
		.msr = r->selector, .holds = selector,
		.bits = um_reg_unclaimed(r->selector_row, r->mask, selector),
	};
	uint64_t word;
	uint32_t way;

	if (stuck.bits)
		return stuck;
	way = um_counter_way(r, value, full, &word);
	stuck = (struct um_stuck){
		.msr = r->counter, .holds = value,
		.bits = way ? um_reg_unclaimed(way == r->counter ? r->counter_row : r->alias_row, UM_WHOLE, word)
			    : value & ~((UINT64_C(1) << (r->write_bits - 1)) - 1),
	};
	return stuck.bits ? stuck : (struct um_stuck){ .msr = 0 };
}

struct um_stuck um_gate_stuck(const struct um_box *b, const struct um_gate *g, uint64_t now)
{
	return (struct um_stuck){
		.msr = um_gate_msr(b, g), .holds = now,
		.bits = g->plain && !um_gate_is_open(g, now) ? now & ~g->mask & ~g->reg.reads_zero : 0,
	};
}

/* A counter without a box cannot be read. Try several times: a device error must not close a gate that is needed. */
static unsigned running_in(const struct um_machine *m, const struct um_box *b)
{
	unsigned num = 0;

	for (unsigned c = 0; c < b->num_general + b->pmu->num_fixed; c++) {
		const struct um_counter_regs regs = um_counter_regs(b, c);
		int used = -1;

		for (int tries = 0; tries < 3 && used < 0; tries++)
			used = um_counter_look(m, b->cpu, &regs, NULL, NULL);
		num += used > 0;
	}
	return num;
}

const struct um_gate *um_gate_at(const struct um_box *b, uint32_t msr)
{
	for (const struct um_gate *g = b->pmu->gates; g < b->pmu->gates + b->pmu->num_gates; g++)
		if (!g->per_counter && um_gate_msr(b, g) == msr)
			return g;
	return NULL;
}

unsigned um_gate_users(const struct um_machine *m, const struct um_box *box, const struct um_gate *gate, bool of_unit)
{
	unsigned num = 0;

	if (of_unit)
		return running_in(m, box);
	for (const struct um_pmu *pmu = m->pmus; pmu < m->pmus + m->num_pmus; pmu++) {
		struct um_box b = um_box_first(pmu, box->package, box->die, box->cpu);

		if (pmu->reach != UM_REACH_MSR || !um_gate_at(&b, gate->reg.msr))
			continue;
		for (; b.index < pmu->units.max; b.index++)
			num += running_in(m, &b);
	}
	return num;
}
