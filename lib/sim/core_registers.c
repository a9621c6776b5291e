/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The registers of a core PMU (Intel SDM volume 4, architectural MSRs). */
#include <errno.h>

#include "sim/core.h"

#define BIT(n) (1ull << (n))
#define BITS(high, low) ((~0ull >> (63 - (high))) & ~0ull << (low))

enum kind { NONE, COUNTER, ALIAS, SELECTOR, FIXED, CAPABILITIES, FIXED_CONTROL, STATUS, GLOBAL,
	    STATUS_RESET, STATUS_SET, INUSE };

static const struct range {
	uint32_t msr;
	unsigned count;
	enum kind kind;
	unsigned version; /* from which on */
} ranges[] = {
	{ 0x0c1, 8, COUNTER, 1 }, { 0x186, 8, SELECTOR, 1 }, { 0x309, UM_SIM_CORE_FIXED, FIXED, 2 },
	{ 0x345, 1, CAPABILITIES, 1 }, { 0x38d, 1, FIXED_CONTROL, 2 }, { 0x38e, 1, STATUS, 2 },
	{ 0x38f, 1, GLOBAL, 2 }, { 0x390, 1, STATUS_RESET, 2 }, { 0x391, 1, STATUS_SET, 4 },
	{ 0x392, 1, INUSE, 4 }, { 0x4c1, 8, ALIAS, 1 },
};

/* NONE: not a register of this file. */
static enum kind find(const struct um_sim_core *c, uint32_t msr, unsigned *index)
{
	for (size_t i = 0; i < ARRAY_SIZE(ranges); i++) {
		*index = msr - ranges[i].msr;
		if (c->version >= ranges[i].version && *index < ranges[i].count)
			return ranges[i].kind;
	}
	return NONE;
}

static bool exists(const struct um_sim_core *c, enum kind kind, unsigned index)
{
	switch (kind) {
	case COUNTER:
	case SELECTOR: return c->general >> index & 1;
	case ALIAS: return c->full_width && c->general >> index & 1;
	case FIXED: return c->fixed >> index & 1;
	case CAPABILITIES: return c->has_capabilities;
	default: return kind != NONE;
	}
}

bool um_sim_core_exists(const struct uncoremsr_sim *sim, uint32_t msr)
{
	unsigned index;

	for (unsigned cpu = 0; cpu < sim->num_cpus; cpu++) {
		enum kind kind = find(&sim->cores[cpu], msr, &index);

		if (exists(&sim->cores[cpu], kind, index))
			return true;
	}
	return false;
}

/* 0x392: what looks taken: an event, not its EN; a fixed counter with a ring; any PMI enable. */
static uint64_t in_use(const struct um_sim_core *c)
{
	uint64_t used = 0, pmi = 0;

	for (unsigned i = 0; i < UM_SIM_CORE_GENERAL; i++) {
		used |= c->selector[i] & 0xff ? BIT(i) : 0;
		pmi |= c->selector[i] & BIT(20);
	}
	for (unsigned i = 0; i < UM_SIM_CORE_FIXED; i++) {
		used |= c->fixed_control >> (4 * i) & 3 ? BIT(32 + i) : 0;
		pmi |= c->fixed_control >> (4 * i) & 8;
	}
	return used | (pmi ? BIT(63) : 0);
}

int um_sim_core_read(struct uncoremsr_sim *sim, unsigned cpu, uint32_t msr, uint64_t *value)
{
	struct um_sim_core *c = &sim->cores[cpu];
	unsigned index;
	enum kind kind = find(c, msr, &index);

	if (kind == NONE)
		return 1;
	if (!exists(c, kind, index))
		return -EIO;
	um_sim_core_sync(sim, c);
	switch (kind) {
	case COUNTER:
	case ALIAS: *value = c->counter[index].value; break;
	case SELECTOR: *value = c->selector[index]; break;
	case FIXED: *value = c->fixed_counter[index].value; break;
	case CAPABILITIES: *value = c->capabilities; break;
	case FIXED_CONTROL: *value = c->fixed_control; break;
	case STATUS: *value = c->status; break;
	case GLOBAL: *value = c->global; break;
	case INUSE: *value = in_use(c); break;
	default: *value = 0; break;
	}
	return 0;
}

static uint64_t fixed_control_bits(const struct um_sim_core *c)
{
	uint64_t bits = 0;

	for (unsigned i = 0; i < UM_SIM_CORE_FIXED; i++)
		if (c->fixed >> i & 1)
			bits |= (c->any_thread ? 0xfull : 0xbull) << (4 * i);
	return bits;
}

static uint64_t counter_bits(const struct um_sim_core *c)
{
	return (uint64_t)c->fixed << 32 | c->general;
}

/* Bits that may be set; others fault. */
static uint64_t valid_bits(const struct um_sim_core *c, enum kind kind)
{
	switch (kind) {
	case COUNTER: return UINT64_MAX; /* the upper half is ignored */
	case ALIAS: return c->limit;
	case SELECTOR: return BITS(31, 0) & ~(c->any_thread ? 0 : BIT(21));
	case FIXED: return c->fixed_limit;
	case FIXED_CONTROL: return fixed_control_bits(c);
	case GLOBAL: return counter_bits(c);
	/* 55 trace, 58 LBR, 59 counters frozen, 60 SGX, 61 uncore, 62 DS, 63 changed */
	case STATUS_RESET: return counter_bits(c) | BITS(63, 58) | BIT(55);
	case STATUS_SET: return counter_bits(c) | BITS(62, 58) | BIT(55);
	default: return 0; /* read only */
	}
}

/* IA32_PMCn takes 32 bits and repeats the highest of them (SDM, "Full-width writes"). */
static uint64_t extend(const struct um_sim_core *c, uint64_t value)
{
	return (uint64_t)(int64_t)(int32_t)(uint32_t)value & c->limit;
}

static void set(struct um_sim_core *c, enum kind kind, unsigned index, uint64_t value)
{
	switch (kind) {
	case COUNTER:
	case ALIAS: c->counter[index].value = value; break;
	case SELECTOR: c->selector[index] = value; break;
	case FIXED: c->fixed_counter[index].value = value; break;
	case CAPABILITIES: c->capabilities = value; break;
	case FIXED_CONTROL: c->fixed_control = value; break;
	case GLOBAL: c->global = value; break;
	case STATUS: c->status = value; break;
	case STATUS_RESET: c->status &= ~value; break;
	case STATUS_SET: c->status |= value; break;
	default: break;
	}
}

int um_sim_core_write(struct uncoremsr_sim *sim, unsigned cpu, uint32_t msr, uint64_t value)
{
	struct um_sim_core *c = &sim->cores[cpu];
	unsigned index;
	enum kind kind = find(c, msr, &index);
	uint64_t valid = valid_bits(c, kind);

	if (kind == NONE)
		return 1;
	if (!exists(c, kind, index) || !valid || value & ~valid)
		return -EIO;
	um_sim_core_sync(sim, c);
	set(c, kind, index, kind == COUNTER ? extend(c, value) : value);
	um_sim_core_resume(sim, c);
	return 0;
}

int um_sim_core_preset(struct uncoremsr_sim *sim, unsigned cpu, uint32_t msr, uint64_t value)
{
	struct um_sim_core *c = &sim->cores[cpu];
	unsigned index;
	enum kind kind = find(c, msr, &index);

	if (kind == NONE)
		return 1;
	if (!exists(c, kind, index) || kind == INUSE || kind == STATUS_RESET || kind == STATUS_SET)
		return -EINVAL;
	set(c, kind, index, value);
	c->full_width = c->capabilities >> 13 & 1;
	um_sim_core_resume(sim, c);
	return 0;
}
