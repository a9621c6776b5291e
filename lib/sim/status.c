/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Registers of status and sticky log bits. Layouts: Linux msr-index.h and therm_throt.c, turbostat,
 * SDM volume 4; the server layout of 0x690 fits values that real Xeons have.
 */
#include <errno.h>

#include "sim/thermal.h"

#define AT(n) ((n) + 1) /* 0: the layout does not have it */

/* Where a cause has its status bit; its log bit is @shift higher. */
static const struct layout {
	uint8_t at[UM_SIM_CAUSES];
	uint8_t shift;
	uint64_t more;   /* log bits for which nothing happens on this machine */
	uint64_t ignore; /* read-only fields: a write may hold anything there */
} layouts[] = {
	[UM_SIM_LAYOUT_THERM] = {
		{ [UM_SIM_CORE_THERMAL] = AT(0), [UM_SIM_PROCHOT] = AT(2), [UM_SIM_CRITICAL] = AT(4),
		  [UM_SIM_POWER] = AT(10), [UM_SIM_CURRENT] = AT(12), [UM_SIM_CROSS] = AT(14) },
		1, BIT(7) | BIT(9), 0xf87f0000 },
	[UM_SIM_LAYOUT_PACKAGE_THERM] = {
		{ [UM_SIM_PACKAGE_THERMAL] = AT(0), [UM_SIM_PROCHOT] = AT(2),
		  [UM_SIM_CRITICAL] = AT(4), [UM_SIM_POWER] = AT(10) },
		1, BIT(7) | BIT(9), 0xfc7f0000 /* bit 26 too: hardware feedback */ },
	[UM_SIM_LAYOUT_SERVER_690] = {
		{ [UM_SIM_PROCHOT] = AT(0), [UM_SIM_PACKAGE_THERMAL] = AT(1), [UM_SIM_POWER] = AT(2),
		  [UM_SIM_VR] = AT(6), [UM_SIM_CURRENT] = AT(8) },
		16, 0xe4280000, 0 },
	[UM_SIM_LAYOUT_CLIENT_690] = {
		{ [UM_SIM_PROCHOT] = AT(0), [UM_SIM_PACKAGE_THERMAL] = AT(1), [UM_SIM_VR] = AT(6),
		  [UM_SIM_CURRENT] = AT(8), [UM_SIM_POWER] = AT(10) },
		16, 0x3a300000, 0 },
	[UM_SIM_LAYOUT_LIMITS_64F] = {
		{ [UM_SIM_PROCHOT] = AT(0), [UM_SIM_PACKAGE_THERMAL] = AT(1), [UM_SIM_VR] = AT(6),
		  [UM_SIM_CURRENT] = AT(8), [UM_SIM_POWER] = AT(10) },
		16, 0x78b00000, 0 },
	[UM_SIM_LAYOUT_RING] = {
		{ [UM_SIM_PROCHOT] = AT(0), [UM_SIM_PACKAGE_THERMAL] = AT(1), [UM_SIM_VR] = AT(6),
		  [UM_SIM_POWER] = AT(10) },
		16, 0x09a00000, 0 },
};

/* The position of a cause's status bit here, or -1. Bits 10 to 15 came with later processors. */
static int bit_of(const struct uncoremsr_sim *sim, const struct layout *l, unsigned cause)
{
	int bit = l->at[cause] - 1;

	if (l->shift == 1 && bit >= 10 && !um_sim_has(sim, bit == 10 ? UM_SIM_PLN : UM_SIM_HWP))
		return -1;
	return bit;
}

bool um_sim_logged(const struct uncoremsr_sim *sim, uint64_t since, enum um_sim_cause cause,
		   struct um_sim_subject s)
{
	return um_sim_causes(sim, s, sim->now) >> cause & 1 ||
		um_sim_cause_ns(sim, s, cause, sim->now) > um_sim_cause_ns(sim, s, cause, since);
}

/* When the kernel's handler last cleared the log bits: at the end of what its interrupt told. */
static uint64_t kernel_cleared(const struct uncoremsr_sim *sim, enum um_sim_layout layout,
			       struct um_sim_subject s)
{
	if (!sim->kernel_clears || !um_sim_kernel_counts(sim) || layouts[layout].shift != 1)
		return 0;
	return um_sim_past(sim, s, layout == UM_SIM_LAYOUT_THERM ? UM_SIM_CORE_THERMAL
								 : UM_SIM_PACKAGE_THERMAL).last_end;
}

uint64_t um_sim_status_read(const struct uncoremsr_sim *sim, enum um_sim_layout layout,
			    const struct um_sim_cell *cell, struct um_sim_subject s)
{
	const struct layout *l = &layouts[layout];
	uint64_t value = cell->value, kernel = kernel_cleared(sim, layout, s);
	unsigned now = um_sim_causes(sim, s, sim->now);

	for (unsigned c = 0; c < UM_SIM_CAUSES; c++) {
		uint64_t since = cell->cleared[c] > kernel ? cell->cleared[c] : kernel;
		int bit = bit_of(sim, l, c);

		if (bit < 0)
			continue;
		value |= now >> c & 1 ? BIT(bit) : 0;
		if (um_sim_logged(sim, since, (enum um_sim_cause)c, s))
			value |= BIT(bit + l->shift);
	}
	/* resolution 1 degree, reading valid */
	if (l->shift == 1 && um_sim_has(sim, UM_SIM_READOUT))
		value |= 0x88000000 | (uint64_t)um_sim_below(sim, s) << 16;
	return value;
}

/* All log bits of a register. */
static uint64_t log_bits(const struct uncoremsr_sim *sim, const struct layout *l)
{
	uint64_t bits = l->shift > 1 || um_sim_has(sim, UM_SIM_TM2) ? l->more : 0;

	for (unsigned c = 0; c < UM_SIM_CAUSES; c++)
		if (bit_of(sim, l, c) >= 0)
			bits |= BIT(bit_of(sim, l, c) + l->shift);
	return bits;
}

/* Writing 0 clears a log bit and 1 leaves it; status bits ignore writes; reserved bits fault. */
int um_sim_status_write(const struct uncoremsr_sim *sim, enum um_sim_layout layout,
			struct um_sim_cell *cell, uint64_t value)
{
	const struct layout *l = &layouts[layout];
	uint64_t logs = log_bits(sim, l);

	if (value & ~(logs | logs >> l->shift | l->ignore))
		return -EIO;
	cell->value &= value | ~logs;
	for (unsigned c = 0; c < UM_SIM_CAUSES; c++) {
		int bit = bit_of(sim, l, c);

		if (bit >= 0 && !(value >> (bit + l->shift) & 1))
			cell->cleared[c] = sim->now;
	}
	return 0;
}
