/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Registers as the session uses them. Every register write of the library goes through
 * um_reg_write(), which checks the tables' claim for this processor first.
 */
#ifndef UM_REGISTERS_H
#define UM_REGISTERS_H

#include <stdbool.h>
#include <stdint.h>

#include "error.h"
#include "internal.h"

/* The registers of one counter and what its words look like. */
struct um_counter_regs {
	uint32_t counter, selector;
	uint64_t global_bit;     /* in the PMU's global control */
	uint64_t enable;         /* in the selector */
	uint64_t compare;        /* selector bits that must read back as written */
	unsigned width;
};

/* @counter: general ones from 0, then the fixed ones. */
struct um_counter_regs um_counter_regs(const struct uncoremsr_pmu *pmu, unsigned counter);
/* Somebody counts on it, or is about to: either enable bit is on. */
bool um_counter_in_use(const struct um_counter_regs *r, uint64_t selector, uint64_t global);

/* The row that describes a register on the detected processor; NULL: the tables do not claim it. */
const struct um_reg *um_reg_claimed(const struct uncoremsr *um, uint32_t msr);
/* "IA32_THERM_STATUS (0x19c)"; for a register in no table "MSR 0x...". Returns @buf. */
const char *um_reg_words(const struct uncoremsr *um, uint32_t msr, char *buf, size_t size);

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
