/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Registers for counting: the units of a PMU (boxes), the registers of a counter, and register access. Every register
 * write of the library goes through um_reg_write(), which first checks that the tables of this processor list the
 * register and the bits.
 */
#ifndef UM_REGISTERS_H
#define UM_REGISTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"
#include "machine/machine.h"
#include "uarch/uarch.h"

/*
 * ---- box.c ----
 *
 * A box: one unit of one PMU, and a CPU that reaches its registers. If the PMU belongs to a package or die, its units
 * are numbered from 0. If the PMU exists once for each last-level cache, node or CPU, its unit has the number of that
 * cache, node or CPU.
 */

enum { UM_UNIT_NAME = 24 };

struct um_box {
	const struct um_pmu *pmu;
	unsigned number;              /* number in the unit's name: the 3 of "cbo3" */
	unsigned index;               /* index of the unit for um_pmu_msr() */
	int package, die;
	unsigned cpu;
	unsigned num_general;         /* number of general counters; fixed counters are numbered after them */
	uint32_t general, fixed;      /* the counters that exist, one bit each */
	unsigned width, fixed_width;  /* width of counters in bits; if fixed_width is 0, pmu->fixed[] has the widths */
	uint8_t core_type;            /* core type of @cpu (UNCOREMSR_CORE_TYPE_P, ...); 0: unknown */
};

/* Write the name of the box: "cbo3", or the PMU's name ("uncore") if the package has only one unit. */
void um_box_name(const struct um_box *b, char *buf, size_t size);

/* A package, die, cache, node or CPU that has boxes, and the CPUs that reach them. */
struct um_spot {
	unsigned number, cpu;
	struct um_cpuset cpus;        /* CPUs that reach the boxes; empty: all CPUs of the package */
};
struct um_spots {
	struct um_spot *all;
	size_t num;
};

/*
 * Find where @pmu has units on a package: a PMU of a package or die has one spot, any other PMU has one spot for each
 * cache, node or CPU. @asked: CPUs that the user named (NULL: all). A package without any of these CPUs has no spots,
 * and a PMU that exists once per CPU has spots on these CPUs only. 0 or -ENOMEM.
 */
int um_spots_find(struct um_spots *list, const struct um_machine *m, const struct uncoremsr_package *p,
		  const struct um_pmu *pmu, const struct um_cpuset *asked) UM_MUST_CHECK;
void um_spots_free(struct um_spots *list);

/*
 * Set *num to the number of units of @pmu on the package, die, cache, node or CPU to which @cpu belongs. This is an
 * upper limit: some units may be fused off. The CPU must be open. 0, or a negative errno with the message in @e.
 */
int um_box_count(const struct um_machine *m, const struct uncoremsr_package *p, unsigned cpu,
		 const struct um_pmu *pmu, unsigned *num, struct um_error *e) UM_MUST_CHECK;
/* Box @index of @spot. The number of counters is read from CPUID if CPUID reports it. */
struct um_box um_box_make(const struct um_machine *m, const struct uncoremsr_package *p, const struct um_spot *spot,
			  const struct um_pmu *pmu, unsigned index);
/* The first box of @pmu, as its table describes it, without CPUID. */
struct um_box um_box_first(const struct um_pmu *pmu, int package, int die, unsigned cpu);
/* Does the box have this counter? General counters are numbered from 0, and fixed counters follow. */
bool um_box_has_counter(const struct um_box *b, unsigned counter);
/* Find a package by its number and die; NULL: none of its CPUs is online. */
const struct uncoremsr_package *um_package_at(const struct um_machine *m, int id, int die);
/* Find the box @name of a package. 0, -ENOMEM, or -ENODEV if there is no such box now. */
int um_box_find(const struct um_machine *m, int package, int die, const char *name, struct um_box *out) UM_MUST_CHECK;

/* ---- counter_registers.c ---- */

/* The registers of one counter, and the meaning of their bits. */
struct um_counter_regs {
	uint32_t counter;
	uint32_t selector;       /* the selector, or the control of a fixed counter; 0: the counter runs freely */
	uint32_t gate;           /* register with an enable bit for this counter alone; 0: none */
	uint64_t gate_bit;
	uint64_t mask;           /* bits of the selector register that belong to this counter */
	uint64_t run;            /* those bits of @mask that switch the counter off when they are cleared */
	uint64_t used;           /* bits of @mask; if any of them is set, a program counts or is about to count */
	uint64_t compare;        /* selector bits that must read back as written */
	unsigned width;
	unsigned write_bits;     /* number of low bits that a write sets, with sign extension; 0: all bits */
	uint32_t alias;          /* second address of the counter (IA32_A_PMCx), which takes all bits; 0: none */
	const struct um_reg *counter_row, *selector_row, *alias_row; /* table rows of these registers; NULL: none */
	bool twice;              /* write the selector twice: first with the enable bit alone */
	uint32_t overflow;       /* register in which writing @overflow_bit clears the overflow status; 0: none */
	uint64_t overflow_bit;
	bool kernels;            /* a core counter: the kernel leaves its gate bit on even when it does not count */
};

/* The registers of a counter. @counter: its number in the box; fixed counters follow the general ones. */
struct um_counter_regs um_counter_regs(const struct um_box *b, unsigned counter);
/* Does a program count on the counter, or is it about to? @gate: contents of the gate register. */
bool um_counter_in_use(const struct um_counter_regs *r, uint64_t selector, uint64_t gate);
/* Returns 1 (in use), 0 (free) or a negative errno. *selector (may be NULL) becomes what the selector holds. */
int um_counter_look(const struct um_machine *m, unsigned cpu, const struct um_counter_regs *r, uint64_t *selector,
		    struct um_error *e);
static inline uint64_t um_off_word(const struct um_counter_regs *r, uint64_t word)
{
	return word & ~r->run;
}
/* A register that no write can restore, its contents, and the bits that would be lost. msr 0: none. */
struct um_stuck {
	uint32_t msr;
	uint64_t holds, bits;
};

/*
 * Choose the register to write so that the counter holds @value: the counter itself or, if @full is set, its alias.
 * *word becomes the word to write. Returns 0 if no write can do it.
 */
uint32_t um_counter_way(const struct um_counter_regs *r, uint64_t value, bool full, uint64_t *word);
/* Does IA32_PERF_CAPABILITIES say that counters have an alias that takes all bits (FW_WRITE, bit 13)? */
#define UM_PERF_CAPABILITIES 0x345
static inline bool um_full_width(uint64_t capabilities)
{
	return capabilities >> 13 & 1;
}
/* Could this selector and value be restored? If not, returns the register and the bits that would be lost. */
struct um_stuck um_counter_stuck(const struct um_counter_regs *r, uint64_t selector, uint64_t value, bool full);
uint32_t um_extra_msr(const struct um_box *b, unsigned extra);

/* ---- gates: enable bits of counters in registers other than their selectors ---- */

/* Is the gate open? Bits that do not read back as written are ignored. */
static inline bool um_gate_is_open(const struct um_gate *g, uint64_t now)
{
	return ((now ^ g->value) & g->mask & ~g->reg.reads_zero) == 0;
}
/* Bits that would be lost if the gate were opened: some gates are opened by a write of the whole register. */
struct um_stuck um_gate_stuck(const struct um_box *b, const struct um_gate *g, uint64_t now);
uint32_t um_gate_msr(const struct um_box *b, const struct um_gate *g);
/* The gate of the box in register @msr; NULL: there is none. Does not find gates with a bit for each counter. */
const struct um_gate *um_gate_at(const struct um_box *b, uint32_t msr);
/* Number of enabled counters that need this gate. @of_unit: the gate belongs to this box alone. */
unsigned um_gate_users(const struct um_machine *m, const struct um_box *box, const struct um_gate *gate, bool of_unit);

/* ---- registers.c ---- */

static inline const char *um_processor_name(const struct um_machine *m)
{
	return m->uarch ? m->uarch->name : m->model ? m->model->name : "unknown";
}
/* The row of the tables that describes @msr on this machine; NULL: the tables do not list it. */
const struct um_reg *um_reg_row(const struct um_machine *m, uint32_t msr);
/* Like um_reg_format(), but uses the tables of this machine. Returns @buf. */
const char *um_reg_text(const struct um_machine *m, uint32_t msr, char *buf, size_t size);
#define UM_REG_TEXT(m, msr) um_reg_text(m, msr, (char[96]){ 0 }, 96)

/* Last value of each register, which a trace shows as the old value. NULL: no memory, so no old values. */
struct um_traced *um_traced_new(void);
void um_traced_free(struct um_traced *t);

/*
 * On failure each of these functions returns a negative errno and, unless @e is NULL, sets @e (object, cause, advice).
 * The caller closes what it opened with um_access_close_cpu().
 */
int um_reg_open(const struct um_machine *m, unsigned cpu, bool for_writing, struct um_error *e) UM_MUST_CHECK;
int um_reg_read(const struct um_machine *m, unsigned cpu, uint32_t msr, uint64_t *value, struct um_error *e);
/* Mask of all bits, for which um_reg_write() need not read the register first. */
#define UM_WHOLE (~UINT64_C(0))
/*
 * Change the bits @mask of a register to those of @value; the other bits are kept. The register is read first, unless
 * @mask is UM_WHOLE, or the register is write-only or write-1-to-clear. -EPERM: the tables do not list the register or
 * one of the bits.
 */
int um_reg_write(const struct um_machine *m, unsigned cpu, uint32_t msr, uint64_t mask, uint64_t value,
		 struct um_error *e);
/* Bits that um_reg_write() refuses: unwritable bits of @mask, and bits of @value outside @mask. @row NULL: all bits. */
uint64_t um_reg_unclaimed(const struct um_reg *row, uint64_t mask, uint64_t value);

/* um_reg_open(), um_reg_read() and um_reg_write() for code outside lib/counting. */
extern const struct um_register_ops um_register_ops;

#endif
