/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Which registers exist on which processor: data only. Everything here is const and knows nobody.
 * Adding a processor: one table file, one line in index.c, its tests.
 */
#ifndef UM_UARCH_H
#define UM_UARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum um_scope { UM_SCOPE_PACKAGE, UM_SCOPE_DIE, UM_SCOPE_CORE, UM_SCOPE_CPU };
enum um_reg_access { UM_REG_RW, UM_REG_RO, UM_REG_WO };

/* A named field of a register; for people (decode) and for building words. */
struct um_field {
	const char *name;
	uint8_t shift, width;
	const char *desc;
};

/*
 * One register. Indexed registers (PERFEVTSEL0..7) are one row with count 8: msr + n, and "%u" in
 * the name stands for n.
 */
struct um_reg {
	uint32_t msr;
	uint8_t count;
	enum um_scope scope;
	enum um_reg_access access;   /* what the hardware allows */
	const char *name;
	const char *desc;
	uint64_t valid;              /* bits that exist; the others are reserved and fault when set */
	uint64_t write_mask;         /* bits this library may change; 0: it never writes here */
	uint64_t reads_zero;         /* bits that can be written but always read 0 */
	const struct um_field *fields;
	size_t num_fields;
	const char *source;          /* where the facts come from */
};

/* How an event becomes a selector word. Masks of one bit, or fields. */
struct um_selector {
	struct um_field event, umask, cmask;
	uint64_t enable, edge, invert, occ_reset, pmi;
	uint64_t settable;           /* bits an event may set; others are reserved */
	uint64_t ignore_on_compare;  /* bits that do not read back */
};

/* A PMU without boxes: general counters with one selector each, and fixed counters. */
struct uncoremsr_pmu {
	const char *name, *desc;
	unsigned num_general, general_width;
	uint32_t selector0, counter0;     /* first of each; the others follow at a step of 1 */
	struct um_selector selector;
	unsigned num_fixed, fixed_width;  /* at most one for now */
	uint32_t fixed_counter, fixed_control;
	uint64_t fixed_enable;            /* the word that switches the fixed counter on locally */
	const char *fixed_event;          /* canonical name of what it counts */
	const char *const *fixed_aliases; /* NULL-terminated */
	uint32_t global_control;
	unsigned global_general_bit0, global_fixed_bit;
	uint32_t global_status, global_overflow_control;
	/* Upper bounds, from which the time of one wrap follows. */
	uint64_t max_clock_hz;
	unsigned max_increment;           /* per clock, of an occupancy event */
};

struct um_uarch {
	const char *name, *title;
	enum um_scope scope;              /* of the uncore registers */
	const struct um_reg *regs;
	size_t num_regs;
	const struct uncoremsr_pmu *pmus;
	size_t num_pmus;
};

/* A row of the index: models that share a name; table NULL = known by name, not supported. */
struct um_model {
	const char *vendor;
	int family;
	int model_first, model_last;      /* inclusive */
	const char *name, *title;
	const struct um_uarch *uarch;
};

extern const struct um_uarch um_uarch_nehalem, um_uarch_westmere;
/* Registers only, in no index: described, never touched. */
extern const struct um_uarch um_core_registers;

/* What addresses @first to @last mean on some processors (collisions.c), sorted by @first. */
struct um_collision {
	uint32_t first, last;
	const char *processors, *meaning, *source;
};

extern const struct um_collision um_collisions[];
extern const size_t um_num_collisions;

extern const struct um_model um_models[];
extern const size_t um_num_models;

const struct um_model *um_model_find(const char *vendor, int family, int model);
const struct um_uarch *um_uarch_find(const char *name);
/* The row that describes @msr, and its index within the row; NULL: the tables do not claim it. */
const struct um_reg *um_reg_find(const struct um_uarch *u, uint32_t msr, unsigned *index);
/* "UNCORE_PERFEVTSEL3 (0x3c3)"; for a register in no table "MSR 0x...". Returns @buf. */
const char *um_reg_format(const struct um_uarch *u, uint32_t msr, char *buf, size_t size);

#endif
