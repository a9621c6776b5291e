/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Which registers the simulated processors have and what an access does. A register that is not
 * here faults, and so does a write that sets a bit outside "writable" (#GP, seen as EIO). Boxes
 * (box_*.c) and core PMUs (core.c) come first.
 * Sources: Intel SDM volume 3 (uncore performance monitoring of Nehalem) and volume 4 (MSR lists).
 */
#include <errno.h>

#include "sim/thermal.h"

#define NHM UM_SIM_NEHALEM
#define WSM UM_SIM_WESTMERE
#define ANY (~0u)
#define INTEL (1u << 31) /* beside enum um_sim_uncore */
#define BITS(high, low) ((~0ull >> (63 - (high))) & ~0ull << (low))

enum scope { CPU, CORE, PACKAGE };
enum meaning {
	PLAIN, SELECTOR, COUNTER, FIXED_COUNTER, FIXED_CONTROL, GLOBAL, STATUS, OVF_CLEAR, TSC,
};

struct row {
	uint32_t msr;
	uint8_t count;      /* this many registers in a row */
	enum scope scope;
	enum meaning meaning;
	unsigned on;        /* enum um_sim_uncore bits, INTEL, ANY: every machine */
	uint64_t writable;  /* 0: a write faults whatever its value */
	uint64_t reset;
};

static const struct row rows[] = {
	/* A few registers of every CPU, for other tools to read. Those about heat, power and
	 * frequency are in thermal.c; those of a core PMU hold values only where there is none
	 * (CPUID leaf 0xA empty). */
	{ 0x010, 1, CPU, TSC, ANY, 0, 0 },                        /* TIME_STAMP_COUNTER */
	{ 0x01b, 1, CPU, PLAIN, ANY, 0, 0xfee00800 },             /* APIC_BASE */
	{ 0x0c1, 4, CPU, PLAIN, INTEL, BITS(47, 0), 0 },          /* PMC0-3 */
	{ 0x186, 4, CPU, PLAIN, INTEL, BITS(31, 0), 0 },          /* PERFEVTSEL0-3 */
	{ 0x309, 3, CPU, PLAIN, INTEL, BITS(47, 0), 0 },          /* FIXED_CTR0-2 */
	{ 0x38d, 1, CPU, PLAIN, INTEL, BITS(11, 0), 0 },          /* FIXED_CTR_CTRL */
	{ 0x38e, 1, CPU, PLAIN, INTEL, 0, 0 },                    /* PERF_GLOBAL_STATUS */
	{ 0x38f, 1, CPU, PLAIN, INTEL, BITS(34, 32) | BITS(3, 0), 0xf }, /* PERF_GLOBAL_CTRL */

	/* Nehalem, Westmere uncore. */
	{ 0x301, 1, PACKAGE, PLAIN, WSM, BITS(7, 0), 0 },         /* GQ_SNOOP_MESF */
	{ 0x391, 1, PACKAGE, GLOBAL, NHM | WSM,
	  BITS(7, 0) | BIT(32) | BITS(51, 48) | BIT(63), 0 },
	{ 0x392, 1, PACKAGE, STATUS, NHM | WSM, 0, 0 },
	{ 0x393, 1, PACKAGE, OVF_CLEAR, NHM | WSM, BITS(7, 0) | BIT(32) | BIT(61) | BIT(63), 0 },
	{ 0x394, 1, PACKAGE, FIXED_COUNTER, NHM | WSM, BITS(47, 0), 0 },
	{ 0x395, 1, PACKAGE, FIXED_CONTROL, NHM | WSM, BIT(2) | BIT(0), 0 },
	{ 0x396, 1, PACKAGE, PLAIN, NHM | WSM, BITS(63, 61) | BITS(47, 3), 0 }, /* OPCODE_MATCH */
	{ 0x3b0, 8, PACKAGE, COUNTER, NHM | WSM, BITS(47, 0), 0 },
	{ 0x3c0, 8, PACKAGE, SELECTOR, NHM | WSM,
	  BITS(31, 22) | BIT(20) | BIT(18) | BIT(17) | BITS(15, 0), 0 },
};

/* The row of a register on this machine. *slot numbers registers through all rows. */
static const struct row *find(const struct uncoremsr_sim *sim, uint32_t msr, unsigned *index,
			      size_t *slot)
{
	unsigned has = sim->uncore | (um_sim_has(sim, UM_SIM_INTEL) ? INTEL : 0);
	size_t first = 0;

	for (size_t i = 0; i < ARRAY_SIZE(rows); first += rows[i++].count) {
		if (msr - rows[i].msr >= rows[i].count)
			continue;
		if (rows[i].on != ANY && !(rows[i].on & has))
			continue;
		*index = msr - rows[i].msr;
		*slot = first + *index;
		return &rows[i];
	}
	return NULL;
}

size_t um_sim_num_plain(void)
{
	size_t n = 0;

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		n += rows[i].count;
	return n;
}

bool um_sim_register_exists(const struct uncoremsr_sim *sim, uint32_t msr)
{
	unsigned index;
	size_t slot;

	return um_sim_box_exists(sim, msr) || um_sim_core_exists(sim, msr) ||
		find(sim, msr, &index, &slot) || um_sim_thermal_exists(sim, msr);
}

/* Where a plain register of one CPU is kept: CPUs of one core or package share the place. */
static uint64_t *place(struct uncoremsr_sim *sim, enum scope scope, size_t slot, unsigned cpu)
{
	const struct um_sim_cpu *c = &sim->cpus[cpu];
	size_t copy = scope == CPU ? cpu : scope == CORE ? c->core : c->package;

	return &sim->plain[slot * sim->num_cpus + copy];
}

static int row_read(struct uncoremsr_sim *sim, unsigned cpu, uint32_t msr, uint64_t *value)
{
	struct um_sim_package *p = &sim->packages[sim->cpus[cpu].package];
	unsigned index;
	size_t slot;
	const struct row *row = find(sim, msr, &index, &slot);

	if (!row)
		return um_sim_thermal_read(sim, cpu, msr, value);
	switch (row->meaning) {
	case PLAIN: *value = *place(sim, row->scope, slot, cpu); break;
	case TSC: *value = (uint64_t)((um_u128)sim->tsc_hz * sim->now / UM_SIM_NS); break;
	case SELECTOR: *value = p->selector[index]; break;
	case COUNTER: *value = um_sim_counter_read(sim, p, index); break;
	case FIXED_COUNTER: *value = um_sim_counter_read(sim, p, UM_SIM_FIXED); break;
	case FIXED_CONTROL: *value = p->fixed_control; break;
	case GLOBAL: *value = p->global; break;
	case STATUS:
		um_sim_sync(sim, p);
		*value = p->status;
		break;
	case OVF_CLEAR: return -EIO; /* write only */
	}
	return 0;
}

int um_sim_register_read(struct uncoremsr_sim *sim, unsigned cpu, uint32_t msr, uint64_t *value)
{
	int err = um_sim_box_read(sim, cpu, msr, value);

	if (err > 0)
		err = um_sim_core_read(sim, cpu, msr, value);
	return err > 0 ? row_read(sim, cpu, msr, value) : err;
}

/* A register that decides what counts: what ran until now is settled, then the new rule holds. */
static void write_control(struct uncoremsr_sim *sim, struct um_sim_package *p, uint64_t *reg,
			  uint64_t value)
{
	um_sim_sync(sim, p);
	*reg = value;
	um_sim_resume(sim, p);
}

static int row_write(struct uncoremsr_sim *sim, unsigned cpu, uint32_t msr, uint64_t value)
{
	struct um_sim_package *p = &sim->packages[sim->cpus[cpu].package];
	unsigned index;
	size_t slot;
	const struct row *row = find(sim, msr, &index, &slot);

	if (!row)
		return um_sim_thermal_write(sim, cpu, msr, value);
	if (!row->writable || value & ~row->writable)
		return -EIO;
	switch (row->meaning) {
	case PLAIN: *place(sim, row->scope, slot, cpu) = value; break;
	case SELECTOR:
		/* Bit 17 clears an occupancy accumulator that this model does not need; it reads 0
		 * and leaves the counter alone. */
		write_control(sim, p, &p->selector[index], value & ~BIT(17));
		break;
	case COUNTER: um_sim_counter_write(sim, p, index, value); break;
	case FIXED_COUNTER: um_sim_counter_write(sim, p, UM_SIM_FIXED, value); break;
	case FIXED_CONTROL: write_control(sim, p, &p->fixed_control, value); break;
	case GLOBAL: write_control(sim, p, &p->global, value); break;
	case OVF_CLEAR:
		um_sim_sync(sim, p);
		p->status &= ~value;
		break;
	case STATUS:
	case TSC: return -EIO;
	}
	return 0;
}

int um_sim_register_write(struct uncoremsr_sim *sim, unsigned cpu, uint32_t msr, uint64_t value)
{
	int err = um_sim_box_write(sim, cpu, msr, value);

	if (err > 0)
		err = um_sim_core_write(sim, cpu, msr, value);
	return err > 0 ? row_write(sim, cpu, msr, value) : err;
}

/* 1: the register is none of these. */
static int preset_one(struct uncoremsr_sim *sim, unsigned cpu, uint32_t msr, uint64_t value)
{
	int err = um_sim_box_preset(sim, cpu, msr, value);
	const struct row *row;
	unsigned index;
	size_t slot;

	if (err > 0)
		err = um_sim_core_preset(sim, cpu, msr, value);
	if (err <= 0)
		return err;
	row = find(sim, msr, &index, &slot);
	if (!row)
		return 1;
	if (row->meaning != PLAIN)
		return -EINVAL;
	*place(sim, row->scope, slot, cpu) = value;
	return 0;
}

int um_sim_preset(struct uncoremsr_sim *sim, const struct um_sim_preset *preset)
{
	int err = 0;

	for (unsigned cpu = 0; cpu < sim->num_cpus && !err; cpu++)
		if (sim->cpus[cpu].present && (preset->cpu == UINT64_MAX || preset->cpu == cpu))
			err = preset_one(sim, cpu, preset->msr, preset->value);
	return err > 0 ? um_sim_thermal_preset(sim, preset) : err;
}

void um_sim_reset(struct uncoremsr_sim *sim)
{
	size_t slot = 0;

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		for (unsigned n = 0; n < rows[i].count; n++, slot++)
			for (unsigned copy = 0; copy < sim->num_cpus; copy++)
				sim->plain[slot * sim->num_cpus + copy] = rows[i].reset;
	um_sim_uncore_reset(sim);
	um_sim_boxes_reset(sim);
}
