/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Which registers exist on which processor: data only, all of it const.
 * Adding a processor: one table file, one line in models.h, its tests.
 *
 * Each pointer in these tables has to be relocated, which costs every process a private copy of the page. So texts are
 * arrays, and a register refers to its list of fields by a number (field_lists.h). Only PMUs, processors and models
 * hold pointers.
 */
#ifndef UM_UARCH_H
#define UM_UARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "uncoremsr/machine.h"
#include "uncoremsr/names.h"

/*
 * The part of the machine that has its own copy of a register. NODE: an AMD node (CPUID 0x8000001e ECX 7:0); L3: the
 * CPUs that share a last-level cache.
 */
enum um_scope { UM_SCOPE_PACKAGE, UM_SCOPE_DIE, UM_SCOPE_NODE, UM_SCOPE_L3, UM_SCOPE_CORE,
		UM_SCOPE_CPU };
/* W1C: writing 1 to a bit clears it; writing 0 leaves it unchanged. */
enum um_reg_access { UM_REG_RW, UM_REG_RO, UM_REG_WO, UM_REG_W1C };

/*
 * A named field of a register, 1 bit or more, to decode values and to build words. A list of fields ends with one that
 * has no name.
 */
struct um_field {
	char name[24];
	uint8_t shift, width;
	char desc[128];
};

static inline uint64_t um_field_mask(const struct um_field *f)
{
	return UINT64_MAX >> (64 - f->width) << f->shift;
}

/*
 * One register, or indexed registers (PERFEVTSEL0..7 are one row with count 8). Register n is at msr + n * step, and
 * "%u" in the name stands for n. In the rows of a PMU with several units the address is that of unit 0, and "%b" in the
 * name stands for the unit ("C%b_MSR_PMON_CTL%u").
 */
struct um_reg {
	uint32_t msr;
	uint8_t count;
	uint8_t step;                /* distance of the addresses; 0 means 1 */
	enum um_scope scope : 4;
	enum um_reg_access access : 4; /* access that the hardware allows */
	bool other_units;            /* spaced by @other_stride or @other_offsets of struct um_units */
	uint16_t fields;             /* name of a list in field_lists.h; um_reg_fields() returns its fields */
	uint64_t valid;              /* bits that exist; the others are reserved and fault when set */
	uint64_t write_mask;         /* bits this library may change; 0: it never writes here */
	uint64_t reads_zero;         /* bits that can be written but always read 0 */
	char name[32];               /* "": there is no such register */
	char desc[112];
	char source[96];             /* where the facts come from */
};

/* The fields of a register, ended by one without a name. */
const struct um_field *um_reg_fields(const struct um_reg *reg);

/* ---- the words of an event ---- */

/* An event consists of numbered words: the selector (0) and extra words for registers, config words for the kernel. */
enum { UM_MAX_EXTRAS = 10, UM_WORDS = 1 + UM_MAX_EXTRAS };
#define UM_EXTRA_WORD(slot) (1 + (slot))

/*
 * A term of the event language ("umask=0x11", "filter_opc=0x182"). Its name is that of the kernel's format file; the
 * kernel's own format files are read as terms, too. The lowest bit of the value goes to the lowest bit of @mask, and so
 * on upwards.
 */
struct um_term {
	char name[32];
	char desc[64];
	uint8_t word;                /* number of the word that contains the bits */
	uint64_t mask;
	uint64_t implies;            /* selector bits that this term also sets */
};

/*
 * What Linux's driver does with bits of an event.
 * DROPS: clears them, except with certain unit masks, although it has a format for them.
 * KEEPS: writes them, whatever later rules say.
 * FILLS: sets the value if the bits are 0. FOLLOWS: sets the value whenever it fills other bits of the same word.
 * FORCES: always sets the value.
 * VERBATIM: writes the bits of the config word as they are; no format file has the term, or the file gives other bits.
 */
enum um_kernel_does { UM_KERNEL_DROPS, UM_KERNEL_KEEPS, UM_KERNEL_FILLS, UM_KERNEL_FOLLOWS, UM_KERNEL_FORCES,
		      UM_KERNEL_VERBATIM };

struct um_linux_rule {
	enum um_kernel_does does;
	uint8_t word;
	uint64_t mask, value;
	uint64_t when_mask, when_value; /* the rule holds for selector words with (word & when_mask) == when_value */
	uint8_t umasks[10];          /* DROPS: unit masks with which the bits are kept, ended by 0 */
	char source[48];             /* function or array of Linux that does it */
};

/*
 * Default bits. If an event has no term for @mask and all its bits there are 0, @value is used, because a filter of 0
 * would let nothing pass. For an extra register this is done only if the event needs that register.
 */
struct um_default {
	uint8_t word;
	uint64_t mask, value;
	char why[80];                /* explanation for people */
};

/*
 * A register of a unit (filter, match, mask) that some events need besides the selector. All counters of the unit share
 * it, so two events that need different contents cannot be counted together there.
 *
 * An event's terms set its extra word number @word, which is the register's content. Usually a PMU has one row per
 * word. If the event select decides which register gets the word (Nehalem-EX: one set per port), several rows have the
 * same word, and their conditions exclude each other. If several conditions lead to one register, several rows have the
 * same @reg. Every row whose condition holds is written. Bits of the word have the same positions in the register; a
 * row may own only some of them (@mask).
 */
struct um_extra {
	struct um_reg reg;
	uint8_t word;                /* index of the event's word, from 1 (0 is the selector) */
	uint8_t config1;             /* 1 + position of the register's bit 0 in Linux's config1; 0: none */
	bool only_if_set;
	uint64_t mask;               /* bits of register and word that this row owns; 0: all valid ones */
	/*
	 * An event needs the register if (selector word & when_mask) == when_value. With @only_if_set, the event must
	 * also have a term of this row's word or set the register's bits in config1 (if @after is set, the word must
	 * not be 0). Otherwise the register is not touched.
	 */
	uint64_t when_mask, when_value;
	/*
	 * If @after is not 0, this register enables the event's other extra registers (EX: match configuration). It is
	 * written before them (@before) and after them (@after). Its word is not written.
	 */
	uint64_t before, after;
};

/* The bits of the extra register that the row owns. */
static inline uint64_t um_extra_mask(const struct um_extra *x)
{
	return x->mask ? x->mask : x->reg.valid;
}

/* An event select that not every counter can count. */
struct um_constraint {
	uint64_t mask, value;        /* the constraint holds for selector words with (word & mask) == value */
	uint32_t counters;           /* counters that can count the event, as bits */
};

/* Position of an event code (event select, unit mask) in the selector, and the name of its term. Width 0: none. */
struct um_code {
	char name[14];
	uint8_t shift, width;
};

static inline uint64_t um_code_mask(const struct um_code *c)
{
	return ((UINT64_C(1) << c->width) - 1) << c->shift;
}

/* The code in a selector word. */
static inline unsigned um_code_of(const struct um_code *c, uint64_t word)
{
	return (unsigned)((word & um_code_mask(c)) >> c->shift);
}

/* How an event becomes a selector word. */
struct um_selector {
	struct um_reg reg;           /* reg.count: number of general counters; reg.msr: selector 0 of unit 0 */
	struct um_code event, umask;
	uint64_t enable;             /* enable bit; 0: a counter runs if its selector is not 0 (Sapphire Rapids) */
	uint64_t occ_reset, pmi;
	uint64_t settable;           /* bits an event may set; others are reserved */
	/* Settable bits that are never written: they only say which counters can count the event. */
	uint64_t not_written;
	uint64_t ignore_on_compare;  /* bits that do not read back as written */
	bool twice;                  /* write EN alone before the word (erratum; harmless on other parts) */
};

/* ---- gates ---- */

/*
 * A gate: bits in a global enable register or a box control that must have a certain value for a counter to run. We
 * change only these bits, and restore them when no counter needs the gate any more. A gate without @per_counter is
 * opened once for all counters that need it. If its register has no write_mask, the gate is only read: its bits must be
 * 0, and no counter counts while another program has set them.
 */
struct um_gate {
	struct um_reg reg;
	bool of_unit;                /* the gate is in a box control, so each unit has its own */
	bool per_counter;            /* one bit per counter, from bit0 and fixed_bit0 on; if 1, the counter may run */
	uint8_t bit0, fixed_bit0;
	/*
	 * Write the whole register (@value, other bits 0), because a read need not return its content: bits may be
	 * write-only (box controls of Sandy Bridge-EP to Ice Lake-SP).
	 */
	bool plain;
	bool bit_by_bit;             /* change one bit in each write (Haswell-EP SBOX) */
	bool may_be_absent;          /* if reading @reg faults, the processor does not have it (Ice Lake client) */
	uint64_t mask, value;        /* if not per_counter: bits of the gate, and their value when it is open */
};
enum { UM_MAX_GATES = 2 };

/* A fixed counter: it counts only one event. */
struct um_fixed {
	struct um_reg counter;       /* the counter in unit 0; counter.count is 1 */
	/*
	 * Control register; several counters may share it. control.msr 0: the counter is free running, so it is never
	 * switched off, written or leased.
	 */
	struct um_reg control;
	uint64_t control_mask;       /* bits of the control that belong to this counter (core PMU: 4); 0: all */
	uint64_t enable;             /* the bits of control_mask that switch the counter on */
	uint64_t pmi;                /* the bit that lets the counter interrupt its CPU; 0: not used */
	uint8_t width;
	uint8_t max_increment;       /* largest number of counts per clock; 0: the PMU's if the counter is free
				      * running, else 1 */
	uint8_t umask;               /* unit mask of Linux's event 0xff for this free-running counter; 0: none */
	char event[24];              /* canonical name of the counter's event */
	char aliases[4][32];         /* other names, ended by "" */
	char desc[72];
	char instead[16];            /* terms of the same event on a general counter; "": none */
	double scale;                /* quantity of @unit that one count stands for; 0: a plain count */
	char unit[8];                /* "MiB"; "": a plain count */
};

/* ---- units ---- */

enum um_units_from {
	UM_UNITS_ALL,                /* @max units */
	UM_UNITS_CORES,              /* one unit per core of the package, at most @max */
	UM_UNITS_MSR,                /* a field of register @msr has the number, at most @max */
	UM_UNITS_PROBE,              /* units whose first register can be read without a fault */
	/*
	 * One unit per bit set in CPUID 0x80000022 ECX on a CPU of the package (unit n: the n-th set bit). There are
	 * none if EBX 23:16, the number of counters, differs from the number of set bits times num_general.
	 */
	UM_UNITS_AMD_UMC,
};

struct um_units {
	enum um_units_from from;
	uint16_t max;
	bool zero_means_probe;       /* if the register reads 0 (as on some parts), probe the units */
	uint32_t stride;             /* distance between units; not used with @offsets */
	uint32_t other_stride;       /* distance for registers with @other_units; not used with @other_offsets */
	uint32_t msr;                /* UM_UNITS_MSR: register with the number of units */
	uint8_t shift, width;
	const int32_t *offsets, *other_offsets; /* offset of each unit from unit 0 (@max elements) */
};

/* How the counters can be accessed. */
enum um_reach { UM_REACH_MSR, UM_REACH_PCI, UM_REACH_MMIO, UM_REACH_DISCOVERY, UM_REACH_KERNEL };

/*
 * A PMU: counters that share one set of events. It has one unit (Nehalem's uncore) or many (C-boxes). PMUs that MSRs do
 * not reach are listed so that users learn that they exist; they have only name, desc, reach and kernel.
 */
struct um_pmu {
	const char *name, *desc;          /* "cbo"; units are called "cbo0", "cbo1" */
	enum um_reach reach;
	const char *kernel;               /* Linux's name for the PMU, "uncore_cbox" */
	enum um_scope scope;
	struct um_units units;
	unsigned num_general, general_width;
	enum um_counters_from {           /* source of the number of general counters, which is at most num_general */
		UM_COUNTERS_TABLE, UM_COUNTERS_LEAF_0XA,
		UM_COUNTERS_AMD_DF, /* CPUID 0x80000022 EBX 15:10 */
	} counters_from;
	/* The selector of the general counters. A PMU without them has NO_COUNTERS (fields.h), and @counter is NULL. */
	const struct um_selector *selector;
	const struct um_reg *counter;     /* counter->count is num_general */
	/* A write stores this many bits, sign-extended (32 for IA32_PMCn); 0: the whole width. */
	uint8_t counter_write_bits;
	/*
	 * IA32_A_PMCn: second addresses of the general counters, which write the full width; they exist if bit 13 of
	 * 0x345 is set. NULL: there are none.
	 */
	const struct um_reg *counter_alias;
	/*
	 * A term named "event" or "umask" replaces the struct um_code of that name, which cannot describe bits that are
	 * not contiguous.
	 */
	const struct um_term *terms;
	size_t num_terms;
	const struct um_extra *extras;
	size_t num_extras;
	const struct um_default *defaults;
	size_t num_defaults;
	const struct um_linux_rule *rules;
	size_t num_rules;
	const struct um_constraint *constraints;
	size_t num_constraints;
	const struct um_gate *gates;      /* opened in this order, at most UM_MAX_GATES */
	unsigned num_gates;
	const struct um_fixed *fixed;
	unsigned num_fixed;
	/* Further registers of a unit, or NULL. They are described, but only @overflow is written. */
	const struct um_reg *others;
	size_t num_others;
	/*
	 * The register (in @others, or in um_uarch.regs) where writing 1 clears a counter's overflow status. The bit
	 * has the number of the counter's gate bit, or of the general counter if there is no gate. NULL: unknown.
	 */
	const struct um_reg *overflow;
	/* Upper bounds of the count rate. They determine the shortest time to a wrap. */
	uint64_t max_clock_hz;
	unsigned max_increment;           /* largest increment per clock, which occupancy events reach */
	/* AMD: the PMU exists only if this bit of CPUID 0x80000001 ECX is set; 0: no condition. */
	uint8_t amd_feature;
	/* A counter does not wrap, but stops at its largest value and sets the bit above it; its count is then lost. */
	bool saturates;
	bool only_on_request;             /* core PMU, which the kernel owns: used only with --route=msr */
	bool unverified;                  /* from a single source, or never tested on hardware; users are told once */
	const char *note;                 /* what a user must know about the PMU, or NULL */
	const char *source;
};

struct um_uarch {
	char name[20], title[48];
	enum um_scope scope;              /* scope of the uncore registers */
	const struct um_reg *regs;        /* registers that belong to no PMU, or to several */
	size_t num_regs;
	const struct um_pmu *pmus;
	size_t num_pmus;
};

/* A row of the index: models that share a name. @table NULL: the name is known, but the model is not supported. */
struct um_model {
	char vendor[16];
	int family;
	int model_first, model_last;      /* inclusive */
	char name[20], title[64];
	const struct um_uarch *uarch;
	struct uncoremsr_uarch shown;
};

/* Tables that other files use by name. index.c declares the table of each line of models.h. */
extern const struct um_uarch um_uarch_nehalem, um_uarch_westmere;
/*
 * The architectural core PMU (pmus[0], "core"). It is used together with the table of any processor whose CPUID leaf
 * 0xA reports one. Each logical CPU has its own registers.
 */
extern const struct um_uarch um_core_registers;
/* The selector of a PMU without general counters: no register, no bits. */
extern const struct um_selector um_no_selector;

/* What addresses @first to @last mean on some processors (collisions.c), sorted by @first. */
extern const struct uncoremsr_collision um_collisions[];
extern const size_t um_num_collisions;

extern const struct um_model um_models[];
extern const size_t um_num_models;

const struct um_model *um_model_find(const char *vendor, int family, int model);
/* um_model_named(): the first model of that name; um_uarch_find(): the table of that name. NULL: there is none. */
const struct um_model *um_model_named(const char *name);
const struct um_uarch *um_uarch_find(const char *name);
/* The core types, enum uncoremsr_core_type, by index; 0 past the last one. */
uint8_t um_core_type(size_t i);
bool um_is_core_type(uint8_t core_type);
/*
 * Convert between the PMU of a core type on hybrid processors, as Linux calls it ("cpu_core", "cpu_atom",
 * "cpu_lowpower"), and the number of the type. "cpu" and 0 stand for any type.
 */
const char *um_core_type_pmu(uint8_t core_type);
uint8_t um_core_type_of(const char *pmu, size_t len);
/* um_core_registers if the vendor's processors have Intel's core PMU; else NULL. */
const struct um_uarch *um_core_registers_of(const char *vendor);

/*
 * Address of a register of a PMU: @reg is one of its rows, @unit and @index count from 0. The address of a gate that
 * does not belong to a unit is the same for all units.
 */
uint32_t um_pmu_msr(const struct um_pmu *pmu, const struct um_reg *reg, unsigned unit,
		    unsigned index);
/* The place of a register in the tables. */
struct um_reg_place {
	const struct um_reg *reg;
	const struct um_pmu *pmu;  /* NULL: the register belongs to no PMU, or is a gate of several */
	unsigned unit, index;
};
uint32_t um_place_msr(const struct um_reg_place *at);
/*
 * Call @fn once for every register in the tables of @u: first registers that belong to no PMU, then for each PMU the
 * registers of each unit (up to the table's max). A nonzero return value of @fn ends the loop and is returned.
 */
int um_regs_each(const struct um_uarch *u, int (*fn)(void *user, const struct um_reg_place *at),
		 void *user);
/* Find the place of @msr; false: it is not in the tables. */
bool um_reg_place(const struct um_uarch *u, uint32_t msr, struct um_reg_place *at);
/* Find only the row of @msr; NULL: it is not in the tables. */
const struct um_reg *um_reg_find(const struct um_uarch *u, uint32_t msr);
/* "UNCORE_PERFEVTSEL3 (0x3c3)"; for a register in no table "MSR 0x...". Returns @buf. */
const char *um_reg_format(const struct um_uarch *u, uint32_t msr, char *buf, size_t size);
/* The name of a register without its address, with unit and index filled in. Returns @buf. */
const char *um_reg_name(const struct um_reg_place *at, char *buf, size_t size);

#endif
