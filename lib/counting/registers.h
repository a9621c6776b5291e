/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Registers as the session uses them. Every register write of the library goes through
 * um_reg_write(), which checks the tables' claim for this processor first.
 */
#ifndef UM_REGISTERS_H
#define UM_REGISTERS_H

#include <stdbool.h>
#include <stdint.h>

#include "counting/box.h"
#include "common/error.h"
#include "machine/handle.h"

/* The registers of one counter and what its words look like. */
struct um_counter_regs {
	uint32_t counter;
	uint32_t selector;       /* or control; 0: free running, nobody's */
	uint32_t gate;           /* register with a bit that lets this counter alone run; 0: none */
	uint64_t gate_bit;
	uint64_t mask;           /* bits of the selector register that are this counter's */
	uint64_t run;            /* of these, those to clear to switch it off */
	uint64_t used;           /* and those that say that somebody counts or is about to */
	uint64_t compare;        /* selector bits that must read back as written */
	unsigned width;
	unsigned write_bits;     /* a write takes so many bits and extends the sign; 0: all */
	uint32_t alias;          /* the same counter, written in full where that is possible; 0: none */
	bool twice;              /* selector: write the enable bit alone first */
	bool kernels;            /* the kernel's: its gate bits are on whether it counts or not */
};

/* @counter: general ones from 0, then the fixed ones. */
struct um_counter_regs um_counter_regs(const struct um_box *b, unsigned counter);
/* Somebody counts on it, or is about to. @gate: contents of the gate register. */
bool um_counter_in_use(const struct um_counter_regs *r, uint64_t selector, uint64_t gate);
/* @word without what makes it count. */
static inline uint64_t um_off_word(const struct um_counter_regs *r, uint64_t word)
{
	return word & ~r->run;
}
/* Bits of a shared gate that have to have a value, as far as they read back. */
static inline uint64_t um_gate_mask(const struct um_gate *g)
{
	return g->mask & ~g->reg.reads_zero;
}
uint32_t um_gate_msr(const struct um_box *b, const struct um_gate *g);
uint32_t um_extra_msr(const struct um_box *b, unsigned extra);

/* The row of the tables that describes @msr on this machine; NULL: none claims it. */
const struct um_reg *um_reg_row(const struct uncoremsr *um, uint32_t msr);
/* As um_reg_format(), from the tables of this machine. Returns @buf. */
const char *um_reg_text(const struct uncoremsr *um, uint32_t msr, char *buf, size_t size);


/* Each of these sets @e (object, cause, advice) and returns a negative errno when it fails. */
int um_reg_open(struct uncoremsr *um, unsigned cpu, bool for_writing,
		struct um_error *e) UM_MUST_CHECK;
int um_reg_read(struct uncoremsr *um, unsigned cpu, uint32_t msr, uint64_t *value,
		struct um_error *e);
/* As a mask: all bits that exist, so that the register need not be read first. */
#define UM_WHOLE (~UINT64_C(0))
/*
 * Change the bits @mask of a register to those of @value; the other bits stay (they are read first,
 * unless @mask holds all bits that exist). -EPERM: the tables do not claim the register or a bit.
 */
int um_reg_write(struct uncoremsr *um, unsigned cpu, uint32_t msr, uint64_t mask, uint64_t value,
		 struct um_error *e);

#endif
