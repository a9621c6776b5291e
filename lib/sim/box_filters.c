/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Filters: registers of a unit without whose right content some events count nothing. The workload
 * happens in every state, node, channel and slice, and belongs to thread 0 of core 0; only opcodes
 * are told apart.
 */
#include "sim/box.h"

#define TID_EN UM_SIM_BIT(19)
#define TID_EN_SPR UM_SIM_BIT(16)
#define NID 0x40u /* unit mask bit: match the node */

static uint64_t field(uint64_t word, unsigned high, unsigned low)
{
	return (word & UM_SIM_BITS(high, low)) >> low;
}

static uint64_t selector(const struct um_sim_counting *c)
{
	return c->u->selector[c->index];
}

static uint8_t event(const struct um_sim_counting *c)
{
	return (uint8_t)selector(c);
}

static uint64_t filter(const struct um_sim_counting *c, uint32_t offset)
{
	return um_sim_box_plain(c, um_sim_box_base(c) + offset);
}

static bool thread_passes(const struct um_sim_counting *c, uint64_t enable, uint64_t thread)
{
	return !(selector(c) & enable) || thread == 0;
}

static bool opcode_matches(uint64_t wanted, const struct um_sim_box_event *e)
{
	return wanted && (!e->opc || e->opc == wanted);
}

/* Cache lookups want a state, TOR events with unit mask bit 0 an opcode, bit 6 always a node. */
static bool cbo_passes(const struct um_sim_counting *c, uint64_t umask,
		       const struct um_sim_box_event *e, uint64_t state, uint64_t node,
		       uint64_t opc)
{
	bool tor = event(c) == 0x35 || event(c) == 0x36;

	if (event(c) == 0x34 && !state)
		return false;
	if ((tor || event(c) == 0x34 || event(c) == 0x37) && umask & NID && !node)
		return false;
	return !tor || !(umask & 1) || opcode_matches(opc, e);
}

bool um_sim_passes_snbep(const struct um_sim_counting *c, uint64_t umask,
			 const struct um_sim_box_event *e)
{
	uint64_t f = filter(c, 4); /* D14 beside D10 */

	return thread_passes(c, TID_EN, field(f, 4, 0)) &&
		cbo_passes(c, umask, e, field(f, 22, 18), field(f, 17, 10), field(f, 31, 23));
}

static bool two_filters(const struct um_sim_counting *c, uint64_t umask,
			const struct um_sim_box_event *e, unsigned thread_bits, unsigned state_high,
			uint32_t second)
{
	uint64_t f = filter(c, 4), g = filter(c, second);

	return thread_passes(c, TID_EN, field(f, thread_bits - 1, 0)) &&
		cbo_passes(c, umask, e, field(f, state_high, 17), field(g, 15, 0),
			   field(g, 28, 20));
}

/* D14 and D1A beside D10. */
bool um_sim_passes_ivbep(const struct um_sim_counting *c, uint64_t umask,
			 const struct um_sim_box_event *e)
{
	return two_filters(c, umask, e, 5, 22, 0xa);
}

/* E05 and E06 beside E01. */
bool um_sim_passes_hsx(const struct um_sim_counting *c, uint64_t umask,
		       const struct um_sim_box_event *e)
{
	return two_filters(c, umask, e, 6, 23, 5);
}

/* Two opcode fields, either of which may match; neither set, or "all opcodes": any. */
static bool either_opcode(uint64_t f, const struct um_sim_box_event *e)
{
	uint64_t first = field(f, 18, 9), second = field(f, 28, 19);

	return field(f, 3, 3) || (!first && !second) || opcode_matches(first, e) ||
		opcode_matches(second, e);
}

/* Filter 1: remote 0, local 1, near or not near 5. */
bool um_sim_passes_knl(const struct um_sim_counting *c, uint64_t umask,
		       const struct um_sim_box_event *e)
{
	uint64_t f = filter(c, 4), g = filter(c, 5);

	(void)umask;
	if (!thread_passes(c, TID_EN, field(f, 8, 0)) || (event(c) == 0x3d && !field(f, 20, 18)))
		return false;
	if (event(c) != 0x35 && event(c) != 0x36)
		return true;
	return field(g, 1, 0) && field(g, 5, 5) && either_opcode(g, e);
}

/* Filter 1: remote 0, local 1, near memory 4, not near memory 5. */
bool um_sim_passes_skx(const struct um_sim_counting *c, uint64_t umask,
		       const struct um_sim_box_event *e)
{
	uint64_t f = filter(c, 4), g = filter(c, 5);

	(void)umask;
	if (!thread_passes(c, TID_EN, field(f, 8, 0)) || (event(c) == 0x34 && !field(f, 26, 17)))
		return false;
	if (event(c) != 0x35 && event(c) != 0x36)
		return true;
	return field(g, 1, 0) && field(g, 5, 4) && either_opcode(g, e);
}

bool um_sim_passes_icx(const struct um_sim_counting *c, uint64_t umask,
		       const struct um_sim_box_event *e)
{
	(void)umask;
	(void)e;
	return thread_passes(c, TID_EN, field(filter(c, 4), 8, 0));
}

/* 200E beside 2002. */
bool um_sim_passes_spr(const struct um_sim_counting *c, uint64_t umask,
		       const struct um_sim_box_event *e)
{
	(void)umask;
	(void)e;
	return thread_passes(c, TID_EN_SPR, field(filter(c, 0xc), 9, 0));
}

/* Events B to E count while the ratio is at least what their byte of the filter says. */
#define PCU_RATIO 24

bool um_sim_passes_pcu(const struct um_sim_counting *c, uint64_t umask,
		       const struct um_sim_box_event *e)
{
	unsigned band = event(c) - 0xbu;

	(void)umask;
	(void)e;
	return band > 3 || field(filter(c, 4), band * 8 + 7, band * 8) <= PCU_RATIO;
}

bool um_sim_passes_iio_skx(const struct um_sim_counting *c, uint64_t umask,
			   const struct um_sim_box_event *e)
{
	(void)umask;
	(void)e;
	return field(selector(c), 43, 36) && field(selector(c), 46, 44);
}

bool um_sim_passes_iio(const struct um_sim_counting *c, uint64_t umask,
		       const struct um_sim_box_event *e)
{
	(void)umask;
	(void)e;
	return field(selector(c), 47, 36) && field(selector(c), 50, 48);
}

/* Slices and threads are chosen by masks; none chosen, nothing counted. */
bool um_sim_passes_l3_zen(const struct um_sim_counting *c, uint64_t umask,
			  const struct um_sim_box_event *e)
{
	(void)umask;
	(void)e;
	return field(selector(c), 51, 48) && field(selector(c), 63, 56);
}

bool um_sim_passes_l3_zen3(const struct um_sim_counting *c, uint64_t umask,
			   const struct um_sim_box_event *e)
{
	(void)umask;
	(void)e;
	return field(selector(c), 59, 56);
}

/* Event 0 counts what the match register lets through, once its configuration has bit 63. */
bool um_sim_passes_ex_s(const struct um_sim_counting *c, uint64_t umask,
			const struct um_sim_box_event *e)
{
	(void)umask;
	(void)e;
	return event(c) != 0 || field(um_sim_box_plain(c, c->unit ? 0xe58 : 0xe48), 63, 63);
}

/*
 * Six events per port: IPERF 0 and 1, low and high byte of QLX, two sets of XBR match registers.
 * Each counts what its register says, so nothing while that is 0.
 */
bool um_sim_passes_ex_r(const struct um_sim_counting *c, uint64_t umask,
			const struct um_sim_box_event *e)
{
	unsigned n = selector(c) >> 1 & 0x1f, port = n / 6 + 4 * c->unit;
	uint32_t qlx = port < 4 ? 0xe0c + port : 0xe2c + port - 4;
	uint32_t xbr = 4 * port + (port < 4 ? 0 : 0x10);

	(void)umask;
	(void)e;
	switch (n % 6) {
	case 0: return um_sim_box_plain(c, 0xe04 + port) != 0;
	case 1: return um_sim_box_plain(c, 0xe24 + port) != 0;
	case 2: return (um_sim_box_plain(c, qlx) & 0xff) != 0;
	case 3: return (um_sim_box_plain(c, qlx) & 0xff00) != 0;
	case 4: return um_sim_box_plain(c, 0xe60 + xbr) != 0;
	default: return um_sim_box_plain(c, 0xe70 + xbr) != 0;
	}
}
