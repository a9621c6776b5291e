/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A bank of registers: all registers of one kind of hardware. */
#ifndef UM_SIM_REGISTER_BANK_H
#define UM_SIM_REGISTER_BANK_H

#include "sim/machine.h"

/* @read, @write, @preset: 0; -EIO the access faults; 1 the register is not in this bank. */
struct um_sim_register_bank {
	/* Create the registers that follow from the whole description. 0; -ENOMEM. */
	int (*create)(struct uncoremsr_sim *sim);
	/* Set reset values, when the workload is complete. NULL: nothing to do. */
	void (*reset)(struct uncoremsr_sim *sim);
	/* Clear what a suspend clears: counters and their controls become 0. NULL: nothing. */
	void (*clear)(struct uncoremsr_sim *sim);
	void (*destroy)(struct uncoremsr_sim *sim);
	bool (*exists)(const struct uncoremsr_sim *sim, uint32_t msr);
	int (*read)(struct uncoremsr_sim *sim, unsigned cpu, uint32_t msr, uint64_t *value);
	int (*write)(struct uncoremsr_sim *sim, unsigned cpu, uint32_t msr, uint64_t value);
	/* Set initial content, even of bits that are read-only. -EINVAL: this register cannot be set. */
	int (*preset)(struct uncoremsr_sim *sim, unsigned cpu, uint32_t msr, uint64_t value);
};

/* The banks, each defined in the file of its name: box_registers.c, core_pmu.c, platform_registers.c. */
extern const struct um_sim_register_bank um_sim_box_bank, um_sim_core_bank, um_sim_platform_bank;

#endif
