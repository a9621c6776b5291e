/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The register file: the registers that rdmsr and wrmsr access. Each register belongs to a bank (register_bank.h); the
 * banks are searched in order. Access to a register that no bank has is a fault.
 */
#ifndef UM_SIM_REGISTERS_H
#define UM_SIM_REGISTERS_H

#include "sim/machine.h"

/* An initial value from the key set=. */
struct um_sim_preset {
	uint32_t msr;
	uint64_t value;
	uint64_t cpu; /* UINT64_MAX: all CPUs */
};

/* Create the registers; reset them to their initial content, with the presets. */
int um_sim_registers_create(struct uncoremsr_sim *sim, struct um_error *e) UM_MUST_CHECK;
int um_sim_registers_reset(struct uncoremsr_sim *sim, struct um_error *e) UM_MUST_CHECK;
/* Clear counters and their controls, as a suspend does. */
void um_sim_registers_clear(struct uncoremsr_sim *sim);
void um_sim_registers_destroy(struct uncoremsr_sim *sim);

bool um_sim_register_exists(struct uncoremsr_sim *sim, uint32_t msr);
/* Access the register itself, without driver, permissions and simulated failures. 0 or -EIO. */
int um_sim_register_read(struct uncoremsr_sim *sim, unsigned cpu, uint32_t msr, uint64_t *value);
int um_sim_register_write(struct uncoremsr_sim *sim, unsigned cpu, uint32_t msr, uint64_t value);

#endif
