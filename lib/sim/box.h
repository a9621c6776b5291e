/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Boxes of simulated uncores (Nehalem and Westmere have one). Their registers are described a second time here, from
 * the manuals and not from lib/uarch or lib/counting: a mistake in either description shows as a wrong count.
 */
#ifndef UM_SIM_BOX_H
#define UM_SIM_BOX_H

#include "sim/box_layout.h"
#include "sim/counter.h"
#include "sim/workload.h"

/* A value of the key units= (number of units of a PMU) or absent= (a unit that is fused off). */
struct um_sim_unit_rule {
	char pmu[24];
	bool absent;      /* if set, unit @number is fused off; otherwise @number is how many units exist */
	unsigned number;
	int package;      /* package id; -1: every package */
};

/* ---- families and box types (box_families.c) ---- */

/* How the counters of a family are started and stopped. */
enum um_sim_style {
	UM_SIM_STYLE_NEHALEM, /* each counter has an enable bit in the global control */
	UM_SIM_STYLE_EX,      /* each counter has an enable bit in the box control; C00 has a master enable */
	UM_SIM_STYLE_CLIENT,  /* bit 29 of the global control enables all counters */
	UM_SIM_STYLE_SERVER,  /* box control: RST_CTRL 0, RST_CTRS 1, FRZ 8, FRZ_EN 16 */
	UM_SIM_STYLE_SPR,     /* box control: FRZ 0, RST_CTRL 8, RST_CTRS 9; selectors without EN */
	UM_SIM_STYLE_AMD,     /* no control register, only the selectors' enable bits */
};

struct um_sim_family {
	const char *uarch;
	uint32_t bit;                 /* this family's bit in the @families of box types and layouts */
	enum um_sim_scope scope;      /* scope of the global control */
	enum um_sim_style style;
	uint32_t global;              /* MSR of the global control; 0: there is none */
	uint64_t global_valid;
	uint32_t status;              /* MSR of the overflow status; 0 if there is none or each box has its own */
	/* Bits of the global control. SERVER: they act when written and read as 0. SPR, EX: they are stored. */
	uint64_t freeze, unfreeze;
	bool old_freeze;              /* FRZ has an effect only together with FRZ_EN; both read as 0 */
	const struct um_sim_plain *others; /* registers that belong to no box */
	size_t num_others;
	enum um_sim_from from, also;  /* sources that describe the global control */
};

/* A bit field of a filter register. @offset: distance from selector 0 of the unit. If @high is 0, there is no field. */
struct um_sim_field {
	uint8_t offset, high, low;
};

/*
 * Filter registers of a unit. Some events count nothing until a filter is set. Simulated transactions differ only in
 * their opcodes: all of them match every nonzero filter of state, node, channel or slice.
 */
struct um_sim_filter {
	enum um_sim_from from;
	uint64_t choose[2];           /* fields of the selector; at least one bit of each must be set */
	uint64_t thread_enable;       /* selector bit that restricts counting to one thread */
	struct um_sim_field thread;
	uint8_t lookup;               /* event that counts only if a cache state is chosen in the filter */
	struct um_sim_field state;
	struct um_sim_field node;     /* if 0, lookup and TOR events with unit mask bit 6 count nothing */
	struct um_sim_field opcode[2];
	bool opcode_by_umask;         /* TOR events need an opcode only if unit mask bit 0 is set */
	struct um_sim_field tor[2];   /* if 0, TOR events count nothing */
	struct um_sim_field all_opcodes;
	struct um_sim_field bands;    /* FILTER_BANDS: one byte for each of the events 0xb to 0xe */
	enum um_sim_special_filter {
		UM_SIM_FILTER_FIELDS,   /* only the fields of this struct */
		UM_SIM_FILTER_BANDS,    /* frequency bands of a power control unit */
		UM_SIM_FILTER_EX_MATCH, /* match registers of an S-box */
		UM_SIM_FILTER_EX_PORTS, /* port registers of an R-box */
	} special;
};

struct um_sim_box_type {
	uint32_t families;
	const char *pmu;
	enum um_sim_from from, also;
	uint64_t valid;               /* bits of a selector that exist */
	uint64_t enable;              /* enable bit; 0: a counter counts when its selector is not 0 */
	uint8_t threshold;            /* threshold width (from bit 24 on); 0: neither threshold nor edge nor invert */
	const struct um_sim_filter *filter; /* NULL: no filters */
	uint64_t event_bits, umask_bits; /* selector fields of event and unit mask; 0 stands for bits 7:0 and 15:8 */
	uint32_t (*event)(uint64_t selector, unsigned counter); /* computes the event code; NULL: use @event_bits */
	uint32_t global;              /* MSR of this type's own global control; 0: the type uses that of the family */
	unsigned quirks;
};

enum {
	UM_SIM_CONTROL_BY_BITS = 1,   /* a write to the control register faults if it sets several new bits */
	UM_SIM_SELECT_TWICE = 2,      /* the first write to a selector of 0 does not store the event */
	UM_SIM_SATURATES = 4,         /* a counter stops at its largest value and sets the bit above it */
};

/* Find the family of a processor, and the box type of a PMU. NULL: there is none. */
const struct um_sim_family *um_sim_family(const char *uarch);
/* Does the uncore of the machine belong to one of these families? */
bool um_sim_is_of(const struct uncoremsr_sim *sim, uint32_t flags);
const struct um_sim_box_type *um_sim_box_type(const struct um_sim_family *f, const char *pmu);

/* Event code and unit mask in a selector. */
uint32_t um_sim_event_of(const struct um_sim_box_type *t, uint64_t selector, unsigned counter);
uint64_t um_sim_umask_of(const struct um_sim_box_type *t, uint64_t selector);

/* A second register that an event of an EX box needs. While its @bits are 0, the event counts nothing. */
struct um_sim_second {
	uint32_t msr;
	uint64_t bits;
};

/* The second register of event 0 of an S-box (EX_MATCH), or of event @event of an R-box (EX_PORTS). */
struct um_sim_second um_sim_ex_match(unsigned unit);
struct um_sim_second um_sim_ex_port(unsigned unit, unsigned event);

/* Bits of a box control: those that exist, the two reset strobes, and those that store what is written. */
struct um_sim_control {
	uint64_t valid, reset_selectors, reset_counters, stays;
};

struct um_sim_control um_sim_control(enum um_sim_style style, const struct um_sim_layout *l);

/* Bits of a fixed counter's control: the enable bit, and all bits that exist. */
uint64_t um_sim_fixed_enable(enum um_sim_style style);
uint64_t um_sim_fixed_valid(enum um_sim_style style);

/* ---- the map of registers (box_map.c) ---- */

/* SELECTOR includes the controls of fixed counters. GLOBAL registers belong to no unit. */
enum um_sim_role {
	UM_SIM_ROLE_SELECTOR, UM_SIM_ROLE_COUNTER, UM_SIM_ROLE_CONTROL, UM_SIM_ROLE_PLAIN, UM_SIM_ROLE_GLOBAL,
};

struct um_sim_box_reg {
	uint32_t msr;
	enum um_sim_role role;
	unsigned pmu, unit, index;    /* index: position among the unit's registers of this role */
	enum um_sim_access access;
	uint64_t valid;               /* a write that sets another bit faults */
	/* Only GLOBAL: @scope says whether each package, die or core has its own value. */
	enum um_sim_scope scope;
	uint64_t *value;
};

struct um_sim_unit {
	bool absent;                  /* fused off: every access faults */
	uint64_t control;             /* the value in effect; a read can return another value */
	uint64_t written;             /* value last written to the control */
	uint64_t armed;               /* selectors that have been written once (Broadwell SBOX) */
	uint64_t *selector, *plain;
	struct um_sim_counter *counter; /* the general counters, then the fixed ones; @selector has the same order */
};

struct um_sim_box_pmu {
	const struct um_sim_layout *layout;
	const struct um_sim_box_type *type;
	unsigned num_general, num_counters;
	unsigned num_units;           /* units in each package, die or core */
	struct um_sim_unit *units;    /* units of copy 0, then units of copy 1, and so on */
	uint64_t *words;              /* memory that the pointers in @units point to */
	struct um_sim_counter *counters;
};

struct um_sim_boxes {
	struct um_sim_box_pmu *pmus;
	size_t num_pmus;
	struct um_sim_box_reg *regs;  /* sorted by msr */
	size_t num_regs;
	bool *frozen;                 /* SERVER: frozen by the global control; one flag per copy of that register */
	bool freezing;                /* an overflow is being handled, which updates all counters: no recursion */
	bool no_memory;
};

/* Create the map of box registers. A machine without boxes has an empty map. 0; -ENOMEM. */
int um_sim_boxes_create(struct uncoremsr_sim *sim) UM_MUST_CHECK;
void um_sim_boxes_destroy(struct uncoremsr_sim *sim);
/* Find a register, a global register or a PMU; NULL: there is none. */
const struct um_sim_box_reg *um_sim_box_find(const struct um_sim_boxes *b, uint32_t msr);
const struct um_sim_box_reg *um_sim_box_global(const struct um_sim_boxes *b, uint32_t msr);
const struct um_sim_box_pmu *um_sim_box_pmu(const struct uncoremsr_sim *sim, const char *name);
/* Mask of the bits that a counter has, and its largest value. */
uint64_t um_sim_counter_bits(const struct um_sim_box_pmu *p, unsigned index);
uint64_t um_sim_counter_limit(const struct um_sim_box_pmu *p, unsigned index);

/* ---- counting (box_count.c) ---- */

struct um_sim_counting {
	struct uncoremsr_sim *sim;
	const struct um_sim_box_pmu *pmu;
	struct um_sim_unit *u;
	unsigned copy, unit, index;   /* @index: number of the counter; fixed counters follow the general ones */
};

/* The counter's bit in registers that have one bit per counter (styles NEHALEM and EX). */
uint64_t um_sim_counter_bit(const struct um_sim_counting *c);
/* _follow updates one counter, or those of a unit. _begin restarts counting from the current time. */
void um_sim_box_counter_follow(const struct um_sim_counting *c);
void um_sim_unit_follow(struct um_sim_counting c);
void um_sim_unit_begin(struct um_sim_counting c);
void um_sim_each_unit(struct uncoremsr_sim *sim, void (*fn)(struct um_sim_counting c));

#endif
