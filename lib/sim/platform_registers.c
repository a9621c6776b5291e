/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Registers that belong to no PMU: the time stamp counter; registers about heat, power and frequency, which depend on
 * the processor and on throttling; and some that only hold a value. Sources: Intel SDM volume 4, Linux msr-index.h and
 * therm_throt.c, turbostat. The server layout of 0x690 agrees with values read on real Xeons.
 */
#include <errno.h>
#include <stdlib.h>

#include "sim/register_bank.h"
#include "sim/throttling.h"

#define BIT UM_SIM_BIT
#define BITS UM_SIM_BITS

/* A register of one CPU, core or die: its stored value, and the time when each cause's log bit was last cleared. */
struct um_sim_cell {
	uint64_t value;
	bool fixed; /* always reads as @value (key set=) */
	uint64_t cleared[UM_SIM_CAUSES];
};

enum scope { CPU, CORE, DIE };
enum meaning {
	HOLDS, STATUS, HWP_STATUS, HWP_CAPS, RATIO, APERF, MODULATION, SMI, TIME, TIME_STAMP,
	PSTATE_LIMIT, PSTATE,
};
enum layout_id { THERM, PACKAGE_THERM, SERVER_690, CLIENT_690, LIMITS_64F, RING };

struct row {
	uint32_t msr;
	enum scope scope;
	enum meaning meaning;
	unsigned needs;     /* exists if the processor has all these features (enum um_sim_means) */
	uint8_t arg;        /* layout of a STATUS register; cause that a TIME register counts */
	uint64_t writable;  /* a write that sets another bit faults; 0: every write faults */
	uint64_t reset;
};

#define PMC(n) \
	{ 0x0c1 + (n), CPU, HOLDS, UM_SIM_INTEL, 0, BITS(47, 0), 0 }, \
	{ 0x186 + (n), CPU, HOLDS, UM_SIM_INTEL, 0, BITS(31, 0), 0 }
#define FIXED_CTR(n) { 0x309 + (n), CPU, HOLDS, UM_SIM_INTEL, 0, BITS(47, 0), 0 }

static const struct row rows[] = {
	{ 0x010, CPU, TIME_STAMP, 0, 0, 0, 0 },
	{ 0x01b, CPU, HOLDS, 0, 0, 0, 0xfee00800 },                         /* APIC_BASE */
	{ 0x034, CORE, SMI, UM_SIM_TARGET, 0, 0, 0x1d },                    /* SMI_COUNT */
	{ 0x0ce, DIE, HOLDS, UM_SIM_TARGET, 0, 0, 0 },                  /* PLATFORM_INFO */
	{ 0x0e7, CPU, TIME_STAMP, UM_SIM_APERF, 0, 0, 0 },
	{ 0x0e8, CPU, APERF, UM_SIM_APERF, 0, 0, 0 },
	{ 0x198, CORE, RATIO, UM_SIM_INTEL, 0, 0, 0 },                      /* PERF_STATUS */
	{ 0x199, CPU, HOLDS, UM_SIM_INTEL, 0, BIT(32) | 0xffff, 0 },        /* PERF_CTL */
	{ 0x19a, CPU, MODULATION, UM_SIM_DTS, 0, 0x1f, 0 },                 /* CLOCK_MODULATION */
	{ 0x19b, CORE, HOLDS, UM_SIM_DTS, 0, 0x01ffff1f, 0x3 },             /* THERM_INTERRUPT */
	{ 0x19c, CORE, STATUS, UM_SIM_DTS, THERM, 0, 0 },     /* THERM_STATUS */
	{ 0x19d, CORE, HOLDS, UM_SIM_DTS, 0, 0, 0 },                        /* THERM2_CTL */
	{ 0x1a0, DIE, HOLDS, UM_SIM_DTS, 0, 0, 0x850089 },              /* MISC_ENABLE */
	{ 0x1a2, DIE, HOLDS, UM_SIM_TARGET, 0, 0, 0 },                  /* TEMPERATURE_TARGET */
	{ 0x1b1, DIE, STATUS, UM_SIM_PKG, PACKAGE_THERM, 0, 0 },
	{ 0x1b2, DIE, HOLDS, UM_SIM_PKG, 0, 0x03ffff17, 0x3 },
	{ 0x1fc, DIE, HOLDS, UM_SIM_TARGET, 0, 0, 0 },                  /* POWER_CTL */
	{ 0x606, DIE, HOLDS, UM_SIM_RAPL, 0, 0, 0xa0e03 },              /* time unit 2^-10 s */
	{ 0x610, DIE, HOLDS, UM_SIM_RAPL, 0, 0, 0 },                    /* PKG_POWER_LIMIT */
	{ 0x613, DIE, TIME, UM_SIM_PKG_TIME, UM_SIM_POWER, 0, 0x15 },   /* PKG_PERF_STATUS */
	{ 0x618, DIE, HOLDS, UM_SIM_DRAM_TIME, 0, 0, 0 },               /* DRAM_POWER_LIMIT */
	{ 0x61b, DIE, HOLDS, UM_SIM_DRAM_CONST, 0, 0, 0x58f0 },
	{ 0x61b, DIE, TIME, UM_SIM_DRAM_TIME, UM_SIM_DIMM, 0, 0 },      /* DRAM_PERF_STATUS */
	{ 0x63b, DIE, HOLDS, UM_SIM_PP0_TIME, 0, 0, 0 },                /* PP0_PERF_STATUS */
	{ 0x64f, DIE, STATUS, UM_SIM_64F, LIMITS_64F, 0, 0 },
	{ 0x690, DIE, STATUS, UM_SIM_690_CLIENT, CLIENT_690, 0, 0 },
	/* initial log bits, as ordinary turbo operation leaves them: "below P1", "n-core turbo", "frequency limit" */
	{ 0x690, DIE, STATUS, UM_SIM_690_SERVER, SERVER_690, 0, 0xe0000000 },
	/* a last-branch record (LBR) with an address in the kernel */
	{ 0x690, CPU, HOLDS, UM_SIM_690_LBR, 0, 0, 0xffffffff81a2c3d7 },
	{ 0x6b0, DIE, HOLDS, UM_SIM_6B0, 0, 0, 0 },                     /* graphics limits: none */
	{ 0x6b1, DIE, STATUS, UM_SIM_6B1, RING, 0, 0 },
	{ 0x6b1, DIE, HOLDS, UM_SIM_6B1_ZERO, 0, 0, 0 },
	{ 0x770, DIE, HOLDS, UM_SIM_HWP, 0, 0, 1 },                     /* PM_ENABLE */
	{ 0x771, CPU, HWP_CAPS, UM_SIM_HWP, 0, 0, 0x070a0000 },
	{ 0x774, CPU, HOLDS, UM_SIM_HWP, 0, 0x3ffffffffff, 0x80002515 },    /* HWP_REQUEST */
	/* log bits: 0 guaranteed level changed, 2 below the requested minimum, 3 highest level changed */
	{ 0x777, CPU, HWP_STATUS, UM_SIM_HWP, 0, 0xd, 0x4 },
	{ 0xc0010061, CORE, PSTATE_LIMIT, UM_SIM_AMD_PSTATE, 0, 0, 0x20 },  /* 3 P-states */
	{ 0xc0010062, CORE, HOLDS, UM_SIM_AMD_PSTATE, 0, 0x7, 0 },          /* requested P-state */
	{ 0xc0010063, CORE, PSTATE, UM_SIM_AMD_PSTATE, 0, 0, 0 },           /* current P-state */
	{ 0xc0010064, CORE, HOLDS, UM_SIM_AMD_PSTATE, 0, 0, 0x8000000048100862 }, /* 2450 MHz */
	{ 0xc0010065, CORE, HOLDS, UM_SIM_AMD_PSTATE, 0, 0, 0x8000000048100850 }, /* 2000 MHz */
	{ 0xc0010066, CORE, HOLDS, UM_SIM_AMD_PSTATE, 0, 0, 0x800000004810083c }, /* 1500 MHz */
	{ 0xc00102b1, CORE, HOLDS, UM_SIM_AMD_PSTATE, 0, 0x1, 0 },          /* CPPC is off */

	/* Registers of the core PMU on CPUs without one (CPUID leaf 0xA is empty). They only hold values. */
	PMC(0), PMC(1), PMC(2), PMC(3),
	FIXED_CTR(0), FIXED_CTR(1), FIXED_CTR(2),
	{ 0x38d, CPU, HOLDS, UM_SIM_INTEL, 0, BITS(11, 0), 0 },             /* FIXED_CTR_CTRL */
	{ 0x38e, CPU, HOLDS, UM_SIM_INTEL, 0, 0, 0 },                       /* PERF_GLOBAL_STATUS */
	{ 0x38f, CPU, HOLDS, UM_SIM_INTEL, 0, BITS(34, 32) | BITS(3, 0), 0xf }, /* PERF_GLOBAL_CTRL */
};

/* ---- status and log bits ---- */

#define AT(n) ((n) + 1) /* stored as n + 1; 0 means that the layout has no such bit */

/* Layout of a status register: the position of each cause's status bit; its log bit is @shift higher. */
static const struct layout {
	uint8_t at[UM_SIM_CAUSES];
	uint8_t shift;
	uint64_t more;   /* further log bits, which nothing sets on this machine */
	uint64_t ignore; /* read-only bits, which a write does not change */
} layouts[] = {
	[THERM] = {
		{ [UM_SIM_CORE_THERMAL] = AT(0), [UM_SIM_PROCHOT] = AT(2), [UM_SIM_CRITICAL] = AT(4),
		  [UM_SIM_POWER] = AT(10), [UM_SIM_CURRENT] = AT(12), [UM_SIM_CROSS] = AT(14) },
		1, BIT(7) | BIT(9), 0xf87f0000 },
	[PACKAGE_THERM] = {
		{ [UM_SIM_PACKAGE_THERMAL] = AT(0), [UM_SIM_PROCHOT] = AT(2),
		  [UM_SIM_CRITICAL] = AT(4), [UM_SIM_POWER] = AT(10) },
		1, BIT(7) | BIT(9), 0xfc7f0000 /* includes bit 26, hardware feedback */ },
	[SERVER_690] = {
		{ [UM_SIM_PROCHOT] = AT(0), [UM_SIM_PACKAGE_THERMAL] = AT(1), [UM_SIM_POWER] = AT(2),
		  [UM_SIM_VR] = AT(6), [UM_SIM_CURRENT] = AT(8) },
		16, 0xe4280000, 0 },
	[CLIENT_690] = {
		{ [UM_SIM_PROCHOT] = AT(0), [UM_SIM_PACKAGE_THERMAL] = AT(1), [UM_SIM_VR] = AT(6),
		  [UM_SIM_CURRENT] = AT(8), [UM_SIM_POWER] = AT(10) },
		16, 0x3a300000, 0 },
	[LIMITS_64F] = {
		{ [UM_SIM_PROCHOT] = AT(0), [UM_SIM_PACKAGE_THERMAL] = AT(1), [UM_SIM_VR] = AT(6),
		  [UM_SIM_CURRENT] = AT(8), [UM_SIM_POWER] = AT(10) },
		16, 0x78b00000, 0 },
	[RING] = {
		{ [UM_SIM_PROCHOT] = AT(0), [UM_SIM_PACKAGE_THERMAL] = AT(1), [UM_SIM_VR] = AT(6),
		  [UM_SIM_POWER] = AT(10) },
		16, 0x09a00000, 0 },
};

/* Position of a cause's status bit on this processor, or -1. (Bits 10 to 15 exist on later processors only.) */
static int bit_of(const struct uncoremsr_sim *sim, const struct layout *l, unsigned cause)
{
	int bit = l->at[cause] - 1;

	if (l->shift == 1 && bit >= 10 && !um_sim_has(sim, bit == 10 ? UM_SIM_PLN : UM_SIM_HWP))
		return -1;
	return bit;
}

/* Status bits show which causes hold now, log bits which have held since they were cleared. */
static uint64_t read_status(const struct uncoremsr_sim *sim, const struct um_sim_cell *cell,
			    enum layout_id id, struct um_sim_subject s)
{
	const struct layout *l = &layouts[id];
	uint64_t value = cell->value, kernel = 0;
	unsigned now = um_sim_causes(sim, s, sim->now);

	/* The kernel's interrupt handler clears the log bit when the condition ends. */
	if (l->shift == 1 && sim->kernel_clears && um_sim_has(sim, UM_SIM_COUNTED))
		kernel = um_sim_past(sim, s, id == THERM ? UM_SIM_CORE_THERMAL : UM_SIM_PACKAGE_THERMAL).last_end;
	for (unsigned c = 0; c < UM_SIM_CAUSES; c++) {
		uint64_t since = cell->cleared[c] > kernel ? cell->cleared[c] : kernel;
		int bit = bit_of(sim, l, c);

		if (bit < 0)
			continue;
		value |= now >> c & 1 ? BIT(bit) : 0;
		if (um_sim_logged(sim, since, (enum um_sim_cause)c, s))
			value |= BIT(bit + l->shift);
	}
	/* Bits for a resolution of 1 degree and "reading valid". */
	if (l->shift == 1 && um_sim_has(sim, UM_SIM_READOUT))
		value |= 0x88000000 | (uint64_t)um_sim_below(sim, s) << 16;
	return value;
}

static uint64_t log_bits(const struct uncoremsr_sim *sim, const struct layout *l)
{
	uint64_t logs = l->shift > 1 || um_sim_has(sim, UM_SIM_TM2) ? l->more : 0;

	for (unsigned c = 0; c < UM_SIM_CAUSES; c++)
		if (bit_of(sim, l, c) >= 0)
			logs |= BIT(bit_of(sim, l, c) + l->shift);
	return logs;
}

/* Writing 0 clears a log bit and 1 leaves it; status bits ignore writes. */
static void write_status(const struct uncoremsr_sim *sim, struct um_sim_cell *cell, enum layout_id id, uint64_t value)
{
	const struct layout *l = &layouts[id];

	cell->value &= value | ~log_bits(sim, l);
	for (unsigned c = 0; c < UM_SIM_CAUSES; c++) {
		int bit = bit_of(sim, l, c);

		if (bit >= 0 && !(value >> (bit + l->shift) & 1))
			cell->cleared[c] = sim->now;
	}
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

/* ---- access ---- */

static const struct row *find_row(const struct uncoremsr_sim *sim, uint32_t msr)
{
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (rows[i].msr == msr && um_sim_has(sim, rows[i].needs))
			return &rows[i];
	return NULL;
}

/*
 * The stored content of a register. CPUs of one core or die share it, depending on the row's scope. Intel's package
 * registers exist once per die (Linux coretemp.c has one device per die).
 */
static struct um_sim_cell *cell_of(struct uncoremsr_sim *sim, const struct row *row, unsigned cpu)
{
	size_t copy = row->scope == CPU ? cpu :
		sim->cpus[cpu].copy[row->scope == CORE ? UM_SIM_PER_CORE : UM_SIM_PER_DIE];

	return &sim->cells[(size_t)(row - rows) * sim->num_cpus + copy];
}

/* Clock modulation at half speed: 4/8 in bits 3:1, which is 8/16 in bits 3:0. */
#define HALF_DUTY 0x18ull

static uint64_t read_row(struct uncoremsr_sim *sim, const struct row *row,
			 const struct um_sim_cell *cell, struct um_sim_subject s)
{
	unsigned causes = um_sim_causes(sim, s, sim->now);
	bool firmware = causes >> UM_SIM_FIRMWARE & 1;

	switch (row->meaning) {
	case HOLDS: break;
	case STATUS: return read_status(sim, cell, row->arg, s);
	case HWP_STATUS: return cell->value | um_sim_logged(sim, cell->cleared[UM_SIM_FIRMWARE], UM_SIM_FIRMWARE, s);
	/* Performance levels: lowest 7, efficient 10, guaranteed, highest. */
	case HWP_CAPS: return cell->value | base_ratio(sim) |
			(firmware ? ratio_now(sim, s) : base_ratio(sim)) << 8;
	/* The high half holds the voltage on newer processors. */
	case RATIO: return as_state(sim, ratio_now(sim, s)) |
			(um_sim_has(sim, UM_SIM_RATIO_HIGH) ? 0x1a00ull << 32 : 0);
	case APERF: return um_sim_aperf(sim, s);
	case TIME_STAMP: return (uint64_t)um_sim_ticks(sim->tsc_hz, sim->now);
	case MODULATION: return causes >> UM_SIM_MODULATION & 1 ? HALF_DUTY : cell->value;
	case SMI: return (cell->value + um_sim_smis(sim, s)) & UINT32_MAX;
	case TIME: return (cell->value + (uint64_t)(um_sim_cause_ns(sim, s, row->arg, sim->now) *
						    1024 / UM_SIM_NS)) & UINT32_MAX;
	case PSTATE_LIMIT: return cell->value | (firmware ? 2 : 0);
	case PSTATE: return firmware ? 2 : 0;
	}
	return cell->value;
}

static bool find(struct uncoremsr_sim *sim, struct um_sim_register *r)
{
	const struct row *row = find_row(sim, r->msr);

	if (!row)
		return false;
	r->row = row;
	r->valid = row->writable;
	if (row->meaning == STATUS) { /* reserved bits fault */
		const struct layout *l = &layouts[row->arg];

		r->valid = log_bits(sim, l) | log_bits(sim, l) >> l->shift | l->ignore;
	}
	if (row->meaning != TIME_STAMP || row->needs)
		r->content = &cell_of(sim, row, r->cpu)->value;
	return true;
}

static uint64_t read_register(struct uncoremsr_sim *sim, const struct um_sim_register *r)
{
	const struct row *row = r->row;
	const struct um_sim_cell *cell = cell_of(sim, row, r->cpu);

	if (cell->fixed || row->meaning == HOLDS)
		return cell->value;
	return read_row(sim, row, cell,
			row->scope == DIE ? um_sim_package_of(sim, r->cpu) : um_sim_core_of(sim, r->cpu));
}

static int write_register(struct uncoremsr_sim *sim, const struct um_sim_register *r, uint64_t value)
{
	const struct row *row = r->row;
	struct um_sim_cell *cell = cell_of(sim, row, r->cpu);

	if (row->meaning == STATUS) {
		write_status(sim, cell, row->arg, value);
	} else if (row->meaning == HWP_STATUS) {
		cell->value &= value;
		if (!(value & 1))
			cell->cleared[UM_SIM_FIRMWARE] = sim->now;
	} else {
		cell->value = value;
	}
	return 0;
}

/* Apply the key set=: from now on the register always reads as this value, whatever happens on the machine. */
static void preset(struct uncoremsr_sim *sim, const struct um_sim_register *r, uint64_t value)
{
	struct um_sim_cell *cell = cell_of(sim, r->row, r->cpu);

	cell->value = value;
	cell->fixed = true;
}

static uint64_t initial(const struct uncoremsr_sim *sim, const struct row *row)
{
	bool high = um_sim_has(sim, UM_SIM_RATIO_HIGH);

	switch (row->msr) {
	/* The lowest ratio is 12. Bit 30 on newer processors: the temperature target can be changed. */
	case 0x0ce: return 0x0cull << 40 | (high ? 0xf0000000 : 0) | base_ratio(sim) << 8;
	case 0x199: return as_state(sim, base_ratio(sim));
	case 0x1a2: return (uint64_t)sim->processor->target << 16 | (high ? 0xa00 : 0);
	case 0x1fc: return sim->processor->power_ctl;
	case 0x610: return sim->processor->power_limit;
	default:
		if ((row->meaning == STATUS || row->meaning == HWP_STATUS) && sim->calm)
			return 0;
		return row->reset;
	}
}

static int create(struct uncoremsr_sim *sim)
{
	sim->cells = calloc(ARRAY_SIZE(rows) * sim->num_cpus, sizeof(*sim->cells));
	if (!sim->cells)
		return -ENOMEM;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		/* Do not touch the cells of registers that the processor lacks: untouched pages take no memory. */
		uint64_t value = um_sim_has(sim, rows[i].needs) ? initial(sim, &rows[i]) : 0;

		for (unsigned n = 0; n < sim->num_cpus && value; n++)
			sim->cells[i * sim->num_cpus + n].value = value;
	}
	return 0;
}

/* A suspend clears only those registers of this bank that count the time of a cause. */
static void clear(struct uncoremsr_sim *sim)
{
	for (unsigned cpu = 0; cpu < sim->num_cpus; cpu++)
		for (const struct row *row = rows; sim->cpus[cpu].present && row < rows + ARRAY_SIZE(rows); row++)
			if (row->meaning == TIME && find_row(sim, row->msr) == row && !cell_of(sim, row, cpu)->fixed)
				cell_of(sim, row, cpu)->value -=
					read_register(sim, &(struct um_sim_register){ .cpu = cpu, .row = row });
}

static void destroy(struct uncoremsr_sim *sim)
{
	free(sim->cells);
}

const struct um_sim_register_bank um_sim_platform_bank = {
	.create = create, .clear = clear, .destroy = destroy, .find = find,
	.read = read_register, .write = write_register, .preset = preset,
};
