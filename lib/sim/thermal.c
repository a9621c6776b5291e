/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The registers about heat, power and frequency: which exist on which processor, and what they say
 * about the episodes of throttling. Sources: Linux msr-index.h, turbostat, SDM volume 4.
 */
#include <errno.h>
#include <stdlib.h>

#include "sim/thermal.h"

enum scope { CPU, CORE, PACKAGE };
enum meaning {
	HOLDS, STATUS, HWP_STATUS, HWP_CAPS, RATIO, APERF, MPERF, MODULATION, SMI, TIME,
	PSTATE_LIMIT, PSTATE,
};

struct row {
	uint32_t msr;
	enum scope scope;
	enum meaning meaning;
	unsigned needs;
	uint8_t arg;        /* layout, or cause whose time is added up */
	uint64_t writable;
	uint64_t reset;
};

static const struct row rows[] = {
	{ 0x034, CORE, SMI, UM_SIM_TARGET, 0, 0, 0x1d },                    /* SMI_COUNT */
	{ 0x0ce, PACKAGE, HOLDS, UM_SIM_TARGET, 0, 0, 0 },                  /* PLATFORM_INFO */
	{ 0x0e7, CPU, MPERF, UM_SIM_APERF, 0, 0, 0 },
	{ 0x0e8, CPU, APERF, UM_SIM_APERF, 0, 0, 0 },
	{ 0x198, CORE, RATIO, UM_SIM_INTEL, 0, 0, 0 },                      /* PERF_STATUS */
	{ 0x199, CPU, HOLDS, UM_SIM_INTEL, 0, BIT(32) | 0xffff, 0 },        /* PERF_CTL */
	{ 0x19a, CPU, MODULATION, UM_SIM_DTS, 0, 0x1f, 0 },                 /* CLOCK_MODULATION */
	{ 0x19b, CORE, HOLDS, UM_SIM_DTS, 0, 0x01ffff1f, 0x3 },             /* THERM_INTERRUPT */
	{ 0x19c, CORE, STATUS, UM_SIM_DTS, UM_SIM_LAYOUT_THERM, 0, 0 },     /* THERM_STATUS */
	{ 0x19d, CORE, HOLDS, UM_SIM_DTS, 0, 0, 0 },                        /* THERM2_CTL */
	{ 0x1a0, PACKAGE, HOLDS, UM_SIM_DTS, 0, 0, 0x850089 },              /* MISC_ENABLE */
	{ 0x1a2, PACKAGE, HOLDS, UM_SIM_TARGET, 0, 0, 0 },                  /* TEMPERATURE_TARGET */
	{ 0x1b1, PACKAGE, STATUS, UM_SIM_PKG, UM_SIM_LAYOUT_PACKAGE_THERM, 0, 0 },
	{ 0x1b2, PACKAGE, HOLDS, UM_SIM_PKG, 0, 0x03ffff17, 0x3 },
	{ 0x1fc, PACKAGE, HOLDS, UM_SIM_TARGET, 0, 0, 0 },                  /* POWER_CTL */
	{ 0x606, PACKAGE, HOLDS, UM_SIM_RAPL, 0, 0, 0xa0e03 },              /* time unit 2^-10 s */
	{ 0x610, PACKAGE, HOLDS, UM_SIM_RAPL, 0, 0, 0 },                    /* PKG_POWER_LIMIT */
	{ 0x613, PACKAGE, TIME, UM_SIM_PKG_TIME, UM_SIM_POWER, 0, 0x15 },   /* PKG_PERF_STATUS */
	{ 0x618, PACKAGE, HOLDS, UM_SIM_DRAM_TIME, 0, 0, 0 },               /* DRAM_POWER_LIMIT */
	{ 0x61b, PACKAGE, HOLDS, UM_SIM_DRAM_CONST, 0, 0, 0x58f0 },
	{ 0x61b, PACKAGE, TIME, UM_SIM_DRAM_TIME, UM_SIM_DIMM, 0, 0 },      /* DRAM_PERF_STATUS */
	{ 0x63b, PACKAGE, HOLDS, UM_SIM_PP0_TIME, 0, 0, 0 },                /* PP0_PERF_STATUS */
	{ 0x64f, PACKAGE, STATUS, UM_SIM_64F, UM_SIM_LAYOUT_LIMITS_64F, 0, 0 },
	{ 0x690, PACKAGE, STATUS, UM_SIM_690_CLIENT, UM_SIM_LAYOUT_CLIENT_690, 0, 0 },
	/* below P1, n-core turbo and frequency limit have been logged: ordinary turbo life */
	{ 0x690, PACKAGE, STATUS, UM_SIM_690_SERVER, UM_SIM_LAYOUT_SERVER_690, 0, 0xe0000000 },
	/* a branch record, here of an address in the kernel */
	{ 0x690, CPU, HOLDS, UM_SIM_690_LBR, 0, 0, 0xffffffff81a2c3d7 },
	{ 0x6b0, PACKAGE, HOLDS, UM_SIM_6B0, 0, 0, 0 },                     /* no graphics work */
	{ 0x6b1, PACKAGE, STATUS, UM_SIM_6B1, UM_SIM_LAYOUT_RING, 0, 0 },
	{ 0x6b1, PACKAGE, HOLDS, UM_SIM_6B1_ZERO, 0, 0, 0 },
	{ 0x770, PACKAGE, HOLDS, UM_SIM_HWP, 0, 0, 1 },                     /* PM_ENABLE */
	{ 0x771, CPU, HWP_CAPS, UM_SIM_HWP, 0, 0, 0x070a0000 },
	{ 0x774, CPU, HOLDS, UM_SIM_HWP, 0, 0x3ffffffffff, 0x80002515 },    /* HWP_REQUEST */
	{ 0x777, CPU, HWP_STATUS, UM_SIM_HWP, 0, 0, 0x4 },
	{ 0xc0010061, CORE, PSTATE_LIMIT, UM_SIM_AMD_PSTATE, 0, 0, 0x20 },  /* 3 P-states */
	{ 0xc0010062, CORE, HOLDS, UM_SIM_AMD_PSTATE, 0, 0x7, 0 },          /* P-state asked for */
	{ 0xc0010063, CORE, PSTATE, UM_SIM_AMD_PSTATE, 0, 0, 0 },           /* and in force */
	{ 0xc0010064, CORE, HOLDS, UM_SIM_AMD_PSTATE, 0, 0, 0x8000000048100862 }, /* 2450 MHz */
	{ 0xc0010065, CORE, HOLDS, UM_SIM_AMD_PSTATE, 0, 0, 0x8000000048100850 }, /* 2000 MHz */
	{ 0xc0010066, CORE, HOLDS, UM_SIM_AMD_PSTATE, 0, 0, 0x800000004810083c }, /* 1500 MHz */
};

static const struct row *find(const struct uncoremsr_sim *sim, uint32_t msr)
{
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (rows[i].msr == msr && um_sim_has(sim, rows[i].needs))
			return &rows[i];
	return NULL;
}

bool um_sim_thermal_exists(const struct uncoremsr_sim *sim, uint32_t msr)
{
	return find(sim, msr) != NULL;
}

static struct um_sim_cell *cell_of(struct uncoremsr_sim *sim, const struct row *row, unsigned cpu)
{
	const struct um_sim_cpu *c = &sim->cpus[cpu];
	size_t copy = row->scope == CPU ? cpu : row->scope == CORE ? c->core : c->package;

	return &sim->cells[(size_t)(row - rows) * sim->num_cpus + copy];
}

static struct um_sim_subject subject_of(const struct uncoremsr_sim *sim, const struct row *row,
					unsigned cpu)
{
	return row->scope == PACKAGE ? um_sim_package_of(sim, cpu) : um_sim_core_of(sim, cpu);
}

/* 0x777: bit 0 guaranteed level changed, 2 below the requested minimum, 3 highest level changed. */
#define HWP_LOGS 0xdull

static int write_hwp_status(struct uncoremsr_sim *sim, struct um_sim_cell *cell, uint64_t value)
{
	if (value & ~HWP_LOGS)
		return -EIO;
	cell->value &= value;
	if (!(value & 1))
		cell->cleared[UM_SIM_FIRMWARE] = sim->now;
	return 0;
}

/* ---- frequency ---- */

/* The bus clock is 133 MHz up to Westmere and 100 MHz from Sandy Bridge on. */
static unsigned base_ratio(const struct uncoremsr_sim *sim)
{
	uint64_t bus = um_sim_has(sim, UM_SIM_RATIO_HIGH) ? 100000000 : 133333333;
	uint64_t ratio = (sim->tsc_hz + bus / 2) / bus;

	return ratio < 1 ? 1 : ratio > 255 ? 255 : (unsigned)ratio;
}

static unsigned ratio_now(const struct uncoremsr_sim *sim, struct um_sim_subject core)
{
	unsigned ratio = base_ratio(sim) * um_sim_speed(sim, core) / 1000;

	return ratio ? ratio : 1;
}

static uint64_t as_state(const struct uncoremsr_sim *sim, unsigned ratio)
{
	return um_sim_has(sim, UM_SIM_RATIO_HIGH) ? (uint64_t)ratio << 8 : ratio;
}

static bool firmware_limits(const struct uncoremsr_sim *sim, struct um_sim_subject s)
{
	return um_sim_causes(sim, s, sim->now) >> UM_SIM_FIRMWARE & 1;
}

/* Lowest 7, efficient 10, guaranteed and highest. */
static uint64_t hwp_caps(const struct uncoremsr_sim *sim, uint64_t fixed, struct um_sim_subject s)
{
	unsigned guaranteed = firmware_limits(sim, s) ? ratio_now(sim, s) : base_ratio(sim);

	return fixed | guaranteed << 8 | base_ratio(sim);
}

/* ---- access ---- */

/* Clock modulation by half: 4/8 in bits 3:1, and 8/16 in bits 3:0. */
#define HALF_DUTY 0x18ull

static uint64_t read_row(struct uncoremsr_sim *sim, const struct row *row,
			 const struct um_sim_cell *cell, struct um_sim_subject s)
{
	unsigned causes = um_sim_causes(sim, s, sim->now);

	switch (row->meaning) {
	case HOLDS: break;
	case STATUS: return um_sim_status_read(sim, row->arg, cell, s);
	case HWP_STATUS: return cell->value | um_sim_logged(sim, cell->cleared[UM_SIM_FIRMWARE],
							 UM_SIM_FIRMWARE, s);
	case HWP_CAPS: return hwp_caps(sim, cell->value, s);
	/* The high half holds the voltage on newer processors. */
	case RATIO: return as_state(sim, ratio_now(sim, s)) |
			(um_sim_has(sim, UM_SIM_RATIO_HIGH) ? 0x1a00ull << 32 : 0);
	case APERF: return um_sim_aperf(sim, s);
	case MPERF: return (uint64_t)((um_u128)sim->tsc_hz * sim->now / UM_SIM_NS);
	case MODULATION: return causes >> UM_SIM_MODULATION & 1 ? HALF_DUTY : cell->value;
	case SMI: return (cell->value + um_sim_smis(sim, s)) & UINT32_MAX;
	case TIME: return (cell->value + (uint64_t)(um_sim_cause_ns(sim, s, row->arg, sim->now) *
						    1024 / UM_SIM_NS)) & UINT32_MAX;
	case PSTATE_LIMIT: return cell->value | (firmware_limits(sim, s) ? 2 : 0);
	case PSTATE: return firmware_limits(sim, s) ? 2 : 0;
	}
	return cell->value;
}

int um_sim_thermal_read(struct uncoremsr_sim *sim, unsigned cpu, uint32_t msr, uint64_t *value)
{
	const struct row *row = find(sim, msr);
	const struct um_sim_cell *cell;

	if (!row)
		return -EIO;
	cell = cell_of(sim, row, cpu);
	*value = cell->fixed ? cell->value
			     : read_row(sim, row, cell, subject_of(sim, row, cpu));
	return 0;
}

int um_sim_thermal_write(struct uncoremsr_sim *sim, unsigned cpu, uint32_t msr, uint64_t value)
{
	const struct row *row = find(sim, msr);
	struct um_sim_cell *cell;

	if (!row)
		return -EIO;
	cell = cell_of(sim, row, cpu);
	if (row->meaning == STATUS)
		return um_sim_status_write(sim, row->arg, cell, value);
	if (row->meaning == HWP_STATUS)
		return write_hwp_status(sim, cell, value);
	if (!row->writable || value & ~row->writable)
		return -EIO;
	cell->value = value;
	return 0;
}

int um_sim_thermal_preset(struct uncoremsr_sim *sim, const struct um_sim_preset *p)
{
	const struct row *row = find(sim, p->msr);

	if (!row)
		return -EINVAL;
	for (unsigned cpu = 0; cpu < sim->num_cpus; cpu++) {
		if (!sim->cpus[cpu].present || (p->cpu != UINT64_MAX && p->cpu != cpu))
			continue;
		cell_of(sim, row, cpu)->value = p->value;
		cell_of(sim, row, cpu)->fixed = true;
	}
	return 0;
}

/* ---- reset ---- */

static uint64_t initial(const struct uncoremsr_sim *sim, const struct row *row)
{
	bool high = um_sim_has(sim, UM_SIM_RATIO_HIGH);

	switch (row->msr) {
	/* lowest ratio 12; the temperature target can be moved on the newer ones (bit 30) */
	case 0x0ce: return 0x0cull << 40 | (high ? 0xf0000000 : 0) | base_ratio(sim) << 8;
	case 0x199: return as_state(sim, base_ratio(sim));
	case 0x1a2: return (uint64_t)sim->part->target << 16 | (high ? 0xa00 : 0);
	case 0x1fc: return sim->part->power_ctl;
	case 0x610: return sim->part->power_limit;
	default:
		if ((row->meaning == STATUS || row->meaning == HWP_STATUS) && sim->calm)
			return 0;
		return row->reset;
	}
}

int um_sim_thermal_new(struct uncoremsr_sim *sim)
{
	sim->part = calloc(1, sizeof(*sim->part));
	sim->cells = calloc(ARRAY_SIZE(rows) * sim->num_cpus, sizeof(*sim->cells));
	if (!sim->part || !sim->cells)
		return -ENOMEM;
	um_sim_find_part(sim, sim->part);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		uint64_t value = initial(sim, &rows[i]);

		for (unsigned n = 0; n < sim->num_cpus && value; n++)
			sim->cells[i * sim->num_cpus + n].value = value;
	}
	return 0;
}
