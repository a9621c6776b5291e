/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Records held against the tables of this machine: a journal is believed only as far as it can be
 * ours.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "counting/record.h"
#include "counting/registers.h"

const char *um_record_uarch(const struct uncoremsr *um)
{
	return um->m.uarch ? um->m.uarch->name : um->m.model ? um->m.model->name : "unknown";
}

static uint64_t writable(const struct uncoremsr *um, uint32_t msr)
{
	const struct um_reg *row = um_reg_row(um, msr);

	return row ? row->write_mask : 0;
}

/* Words of a counter: those that events become, and what they are without the enable bit. */
static bool good_word(const struct um_box *b, const struct um_counter_regs *regs, bool fixed,
		      uint64_t word)
{
	const struct um_selector *sel = &b->pmu->selector;

	if (fixed)
		return !(word & ~regs->run);
	if (word & ~(sel->settable | sel->enable | sel->fixed_bits))
		return false;
	/* Where a bit of a gate stops the counter no word of ours lacks the enable bit. */
	return !regs->gate || regs->kernels || !sel->enable || (word & sel->enable);
}

static bool good_counter(const struct um_record *r, const struct uncoremsr *um,
			 const struct um_box *b)
{
	unsigned n = r->id.number;
	bool fixed = n >= b->num_general;
	struct um_counter_regs regs = um_counter_regs(b, n);

	for (unsigned i = 0; i < r->num_words; i++)
		if (!good_word(b, &regs, fixed, r->words[i]))
			return false;
	return !(r->old_selector & ~writable(um, regs.selector)) &&
	       !(r->old_counter & ~writable(um, regs.counter));
}

static bool counter_exists(const struct um_box *b, unsigned n)
{
	if (n < b->num_general)
		return b->general >> n & 1;
	n -= b->num_general;
	return n < b->pmu->num_fixed && (b->fixed >> n & 1) && b->pmu->fixed[n].control.msr;
}

bool um_record_extra(const struct um_lease_id *id, const struct um_box *b)
{
	for (unsigned i = 0; i < b->pmu->num_extras; i++)
		if (um_extra_msr(b, i) == id->number)
			return true;
	return false;
}

static bool good_extra(const struct um_record *r, const struct uncoremsr *um)
{
	uint64_t may = writable(um, r->id.number);

	for (unsigned i = 0; i < r->num_words; i++)
		if (r->words[i] & ~may)
			return false;
	return !(r->old_selector & ~may);
}

const struct um_gate *um_record_gate(const struct um_lease_id *id, const struct um_box *b)
{
	for (unsigned i = 0; i < b->pmu->num_gates; i++) {
		const struct um_gate *g = &b->pmu->gates[i];

		if (!g->per_counter && um_gate_msr(b, g) == id->number)
			return g;
	}
	return NULL;
}

static const char *wrong_registers(const struct um_record *r, const struct uncoremsr *um,
				   const struct um_box *b)
{
	static const char *const what = "names words or old values that no session writes";
	const struct um_gate *g;

	switch (r->id.kind) {
	case UM_LEASE_COUNTER:
		if (!counter_exists(b, r->id.number))
			return "names a counter that does not exist";
		return good_counter(r, um, b) ? NULL : what;
	case UM_LEASE_EXTRA:
		if (!um_record_extra(&r->id, b))
			return "names a register that does not exist";
		return good_extra(r, um) ? NULL : what;
	case UM_LEASE_GATE:
		g = um_record_gate(&r->id, b);
		if (!g)
			return "names a gate that does not exist";
		return (r->old_selector & ~g->mask) ? what : NULL;
	}
	return "of no kind that is known";
}

int um_record_check(const struct um_record *r, const struct uncoremsr *um, const char *boot,
		    char *why, size_t size)
{
	const char *wrong = NULL;

	if (strcmp(r->boot, boot))
		wrong = "of another boot: the registers were reset since";
	else if (strcmp(r->uarch, um_record_uarch(um)))
		wrong = "of another machine";
	if (wrong)
		snprintf(why, size, "%s", wrong);
	return wrong ? -EINVAL : 0;
}

int um_record_check_registers(const struct um_record *r, const struct uncoremsr *um,
			      const struct um_box *box, char *why, size_t size)
{
	const char *wrong = wrong_registers(r, um, box);

	if (wrong)
		snprintf(why, size, "%s", wrong);
	return wrong ? -EINVAL : 0;
}
