/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A bank of registers: all registers of one kind of hardware. */
#ifndef UM_SIM_REGISTER_BANK_H
#define UM_SIM_REGISTER_BANK_H

#include "sim/machine.h"

struct um_sim_register {
	const struct um_sim_register_bank *bank;
	unsigned cpu;
	uint32_t msr;
	uint64_t kept;                /* undocumented bits that the register stores (key keeps=) */
	/* Filled in by find(): */
	const void *row;              /* the bank's description of the register */
	bool absent;                  /* every access faults */
	bool write_only;
	uint64_t valid;               /* bits that a write may set; 0: every write faults */
	uint64_t *content;            /* NULL: the register cannot be preset */
};

struct um_sim_register_bank {
	/* Create the registers; called when the description is complete. 0; -ENOMEM. */
	int (*create)(struct uncoremsr_sim *sim);
	/* Give registers their reset values, after the workload was read. NULL: nothing to do. */
	void (*reset)(struct uncoremsr_sim *sim);
	/* A suspend: set counters and their controls to 0. NULL: nothing to do. */
	void (*clear)(struct uncoremsr_sim *sim);
	void (*destroy)(struct uncoremsr_sim *sim);
	/* Find the register r->msr of r->cpu. False: it is not in this bank. */
	bool (*find)(struct uncoremsr_sim *sim, struct um_sim_register *r);
	/* Access a register that was found; a write sets only valid and kept bits. 0; -EIO: the access faults. */
	uint64_t (*read)(struct uncoremsr_sim *sim, const struct um_sim_register *r);
	int (*write)(struct uncoremsr_sim *sim, const struct um_sim_register *r, uint64_t value);
	/* Set initial content, even of bits that are read-only. */
	void (*preset)(struct uncoremsr_sim *sim, const struct um_sim_register *r, uint64_t value);
};

/* The banks, each in its own file: box_registers.c, core_pmu.c, platform_registers.c. */
extern const struct um_sim_register_bank um_sim_box_bank, um_sim_core_bank, um_sim_platform_bank;

#endif
