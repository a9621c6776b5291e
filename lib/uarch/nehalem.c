/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Nehalem and Westmere (family 6 models 1A 1E 1F, 25 2C): one uncore PMU per package, no boxes.
 *
 * Facts: Intel SDM volume 3B (2009 to 2016 editions), section 30.6.2 "Performance Monitoring
 * Facility in the Uncore" and table B-6; compared with Linux arch/x86/events/intel/uncore_snb.c
 * (nhm), FreeBSD sys/dev/hwpmc/hwpmc_uncore.c and edk2 Register/Intel/Msr/NehalemMsr.h, which agree
 * on every address here.
 *
 * Trap: 394 is the fixed counter and 395 its control. From Sandy Bridge on it is the reverse, and from Skylake on 391
 * sets overflow bits of the core PMU. So these tables must be used for the models above only.
 */
#include "uarch/fields.h"

#define FROM_SDM "Intel SDM volume 3B, section 30.6.2 and table B-6; Linux uncore_snb.c"
#define FROM_EDK2 "edk2 Register/Intel/Msr/NehalemMsr.h; FreeBSD hwpmc_uncore.h"

#define COUNTER_BITS 48 /* bits 63:48 read as zero */

#define STATUS_BITS (LOW(8) | BIT(32) | BIT(61) | BIT(63))

/*
 * We may write all bits that exist, to restore what another program left in a disabled selector. They include the PMI
 * bit, which events cannot set, because nothing handles the interrupt.
 */
#define SELECTOR_WRITE 0xffd6ffffull
#define SELECTOR_OCC_RESET BIT(17)
#define SELECTOR_PMI BIT(20)

#define ROW(address, n, rw, label, text, list, bits, written) \
	REG(UM_SCOPE_PACKAGE, address, n, rw, label, text, list, bits, written, FROM_SDM)

/* Registers of both Nehalem and Westmere; a macro, because C cannot put one constant table into another. */
#define COMMON_REGS \
	ROW(0x392, 1, UM_REG_RO, "UNCORE_PERF_GLOBAL_STATUS", "which counters have wrapped", \
	    nehalem_global_status_fields, STATUS_BITS, 0), \
	ROW(0x393, 1, UM_REG_WO, "UNCORE_PERF_GLOBAL_OVF_CTRL", \
	    "clears bits of UNCORE_PERF_GLOBAL_STATUS", nehalem_overflow_ctrl_fields, STATUS_BITS, \
	    LOW(8) | BIT(32)), \
	ROW(0x396, 1, UM_REG_RW, "UNCORE_ADDR_OPCODE_MATCH", \
	    "address and opcode that event 0x35 compares with", nehalem_match_fields, \
	    LOW(45) << 3 | LOW(3) << 61, 0)

static const struct um_reg nehalem_regs[] = { COMMON_REGS };
#define OVERFLOW_CTRL nehalem_regs[1]

static const struct um_reg westmere_regs[] = {
	REG(UM_SCOPE_PACKAGE, 0x301, 1, UM_REG_RW, "GQ_SNOOP_MESF",
	    "which snoops event 0x0c counts with unit masks 4 and 8", nehalem_snoop_fields, LOW(8), 0,
	    FROM_EDK2),
	COMMON_REGS,
};

static const struct um_fixed clock[] = {
	{
		.counter = ROW(0x394, 1, UM_REG_RW, "UNCORE_FIXED_CTR0",
			       "fixed counter: uncore clock ticks", um_count48_fields,
			       LOW(COUNTER_BITS), LOW(COUNTER_BITS)),
		.control = ROW(0x395, 1, UM_REG_RW, "UNCORE_FIXED_CTR_CTRL",
			       "switches the fixed counter on", nehalem_fixed_ctrl_fields,
			       BIT(0) | BIT(2), BIT(0) | BIT(2)),
		.enable = BIT(0), .pmi = BIT(2), .width = COUNTER_BITS,
		/* Other names of the event: clockticks is from Linux, the rest from FreeBSD and other programs. */
		.event = "UNC_CLK_UNHALTED", .aliases = { "clockticks", "UNCORE_CLOCK", "UNCORE_CLOCKTICKS" },
		.desc = "uncore clock ticks",
	},
};

static const struct um_term terms[] = {
	TERM_EVENT, TERM_UMASK, TERM_EDGE, TERM_INV, TERM_THRESH("cmask", 8),
	TERM("occ_rst", "1: start with an empty queue occupancy", 17, 1),
};

/*
 * Every general counter can count every event; the fixed one counts only the uncore clock.
 *
 * The two bounds decide how often counters have to be read, so they err on the high side. The uncore runs at 2.1 to 2.7
 * GHz on every product; 4 GHz leaves room for overclocked ones. An occupancy event adds the entries of one queue each
 * clock. The longest queue, the read tracker of the global queue, has 32 entries; 64 is twice that. A counter then
 * needs at least 18 minutes to wrap.
 */
static const struct um_pmu uncore_pmu = {
	.name = "uncore", .kernel = "uncore", .scope = UM_SCOPE_PACKAGE,
	.desc = "uncore counters of a package: global queue, L3, memory controller, QPI",
	.units = { .from = UM_UNITS_ALL, .max = 1 },
	.num_general = 8, .general_width = COUNTER_BITS,
	SELECTOR_ROW(
		.reg = ROW(0x3c0, 8, UM_REG_RW, "UNCORE_PERFEVTSEL%u",
			   "selector: which event its general counter counts, and how",
			   nehalem_selector_fields, SELECTOR_WRITE, SELECTOR_WRITE),
		.reg.reads_zero = SELECTOR_OCC_RESET,
		SELECTOR_EVENT, SELECTOR_UMASK, .enable = BIT(22),
		.occ_reset = SELECTOR_OCC_RESET, .pmi = SELECTOR_PMI,
		/* Events may set EN, because a user can give a whole selector word that includes it. */
		.settable = SELECTOR_WRITE & ~SELECTOR_PMI,
		.ignore_on_compare = SELECTOR_OCC_RESET),
	COUNTER_ROW(ROW(0x3b0, 8, UM_REG_RW, "UNCORE_PMC%u", "general counter", um_count48_fields,
			LOW(COUNTER_BITS), LOW(COUNTER_BITS))),
	LIST(terms, terms),
	GATE_LIST(
		{
			.reg = ROW(0x391, 1, UM_REG_RW, "UNCORE_PERF_GLOBAL_CTRL",
				   "which counters may run, and where overflow interrupts go",
				   nehalem_global_ctrl_fields, LOW(8) | BIT(32) | LOW(4) << 48 | BIT(63),
				   LOW(8) | BIT(32)),
			.per_counter = true, .bit0 = 0, .fixed_bit0 = 32,
		}),
	LIST(fixed, clock), .overflow = &OVERFLOW_CTRL,
	.max_clock_hz = 4000000000u, .max_increment = 64,
	.source = FROM_SDM,
};

const struct um_uarch um_uarch_nehalem = {
	.name = "nehalem", .title = "Nehalem", .scope = UM_SCOPE_PACKAGE,
	.regs = nehalem_regs, .num_regs = ARRAY_SIZE(nehalem_regs),
	.pmus = &uncore_pmu, .num_pmus = 1,
};

const struct um_uarch um_uarch_westmere = {
	.name = "westmere", .title = "Westmere", .scope = UM_SCOPE_PACKAGE,
	.regs = westmere_regs, .num_regs = ARRAY_SIZE(westmere_regs),
	.pmus = &uncore_pmu, .num_pmus = 1,
};
