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

/* Bits 8 to 31 and 33 to 47 are reserved; so are 52 and up, also on parts with six cores. */
static const struct um_field global_ctrl_fields[] = {
	{ "EN_PC0", 0, 1, "counter 0 may run (its selector's EN has to be set too)" },
	{ "EN_PC1", 1, 1, "counter 1 may run" },
	{ "EN_PC2", 2, 1, "counter 2 may run" },
	{ "EN_PC3", 3, 1, "counter 3 may run" },
	{ "EN_PC4", 4, 1, "counter 4 may run" },
	{ "EN_PC5", 5, 1, "counter 5 may run" },
	{ "EN_PC6", 6, 1, "counter 6 may run" },
	{ "EN_PC7", 7, 1, "counter 7 may run" },
	{ "EN_FC0", 32, 1, "the fixed counter may run (its control's EN has to be set too)" },
	{ "EN_PMI_CORE0", 48, 1, "send overflow interrupts to core 0" },
	{ "EN_PMI_CORE1", 49, 1, "send overflow interrupts to core 1" },
	{ "EN_PMI_CORE2", 50, 1, "send overflow interrupts to core 2" },
	{ "EN_PMI_CORE3", 51, 1, "send overflow interrupts to core 3" },
	{ "PMI_FRZ", 63, 1, "an overflow interrupt stops all counters" },
};

static const struct um_field global_status_fields[] = {
	{ "OVF_PC0", 0, 1, "counter 0 has wrapped" },
	{ "OVF_PC1", 1, 1, "counter 1 has wrapped" },
	{ "OVF_PC2", 2, 1, "counter 2 has wrapped" },
	{ "OVF_PC3", 3, 1, "counter 3 has wrapped" },
	{ "OVF_PC4", 4, 1, "counter 4 has wrapped" },
	{ "OVF_PC5", 5, 1, "counter 5 has wrapped" },
	{ "OVF_PC6", 6, 1, "counter 6 has wrapped" },
	{ "OVF_PC7", 7, 1, "counter 7 has wrapped" },
	{ "OVF_FC0", 32, 1, "the fixed counter has wrapped" },
	{ "OVF_PMI", 61, 1, "an overflow has raised an interrupt" },
	{ "CHG", 63, 1, "a bit of this register has changed since it was last cleared" },
};

static const struct um_field overflow_ctrl_fields[] = {
	{ "CLR_OVF_PC0", 0, 1, "writing 1 clears OVF_PC0" },
	{ "CLR_OVF_PC1", 1, 1, "writing 1 clears OVF_PC1" },
	{ "CLR_OVF_PC2", 2, 1, "writing 1 clears OVF_PC2" },
	{ "CLR_OVF_PC3", 3, 1, "writing 1 clears OVF_PC3" },
	{ "CLR_OVF_PC4", 4, 1, "writing 1 clears OVF_PC4" },
	{ "CLR_OVF_PC5", 5, 1, "writing 1 clears OVF_PC5" },
	{ "CLR_OVF_PC6", 6, 1, "writing 1 clears OVF_PC6" },
	{ "CLR_OVF_PC7", 7, 1, "writing 1 clears OVF_PC7" },
	{ "CLR_OVF_FC0", 32, 1, "writing 1 clears OVF_FC0" },
	{ "CLR_OVF_PMI", 61, 1, "writing 1 clears OVF_PMI" },
	{ "CLR_CHG", 63, 1, "writing 1 clears CHG" },
};

static const struct um_field fixed_ctrl_fields[] = {
	{ "EN", 0, 1, "count uncore clock ticks" },
	{ "PMI", 2, 1, "raise an interrupt when the counter wraps" },
};

static const struct um_field match_fields[] = {
	{ "ADDR", 3, 37, "physical address bits 39:3 to compare with" },
	{ "OPCODE", 40, 4, "QPI packet header opcode to compare with" },
	{ "CLASS", 44, 4, "QPI message class: 0 home request, 1 snoop response, 14 data response" },
	{ "MATCH_SEL", 61, 3, "0 off, 4 address, 2 opcode, 6 either, 1 both" },
};

static const struct um_field selector_fields[] = {
	{ "EVENT", 0, 8, "event select" },
	{ "UMASK", 8, 8, "unit mask" },
	{ "OCC_CTR_RST", 17, 1,
	  "clears the queue occupancy the event adds up, not the counter; reads as 0" },
	{ "EDGE", 18, 1, "count how often the condition begins instead of how long it lasts" },
	{ "PMI", 20, 1, "raise an interrupt when the counter wraps" },
	{ "EN", 22, 1, "count (the global enable bit has to be set too)" },
	{ "INV", 23, 1, "with CMASK: count clocks below the threshold" },
	{ "CMASK", 24, 8, "threshold: count clocks with at least this many occurrences; 0 is off" },
};

static const struct um_field snoop_fields[] = {
	{ "FROM_M_TO_S", 0, 1, "snoops that turned modified into shared" },
	{ "FROM_E_TO_S", 1, 1, "snoops that turned exclusive into shared" },
	{ "FROM_S_TO_S", 2, 1, "snoops that found shared and left it" },
	{ "FROM_F_TO_S", 3, 1, "snoops that turned forward into shared" },
	{ "FROM_M_TO_I", 4, 1, "snoops that turned modified into invalid" },
	{ "FROM_E_TO_I", 5, 1, "snoops that turned exclusive into invalid" },
	{ "FROM_S_TO_I", 6, 1, "snoops that turned shared into invalid" },
	{ "FROM_F_TO_I", 7, 1, "snoops that turned forward into invalid" },
};

#define STATUS_BITS (LOW(8) | BIT(32) | BIT(61) | BIT(63))

/*
 * We may write all bits that exist, to restore whatever another program left in a selector that is off. They include
 * the PMI bit, which events cannot set, because nothing handles the interrupt.
 */
#define SELECTOR_WRITE 0xffd6ffffull
#define SELECTOR_OCC_RESET BIT(17)
#define SELECTOR_PMI BIT(20)

#define ROW(address, n, rw, label, text, list, bits, written) \
	REG(UM_SCOPE_PACKAGE, address, n, rw, label, text, list, bits, written, FROM_SDM)

/* Registers of both Nehalem and Westmere; a macro, because C cannot put one constant table into another. */
#define COMMON_REGS \
	ROW(0x392, 1, UM_REG_RO, "UNCORE_PERF_GLOBAL_STATUS", "which counters have wrapped", \
	    global_status_fields, STATUS_BITS, 0), \
	ROW(0x393, 1, UM_REG_WO, "UNCORE_PERF_GLOBAL_OVF_CTRL", \
	    "clears bits of UNCORE_PERF_GLOBAL_STATUS", overflow_ctrl_fields, STATUS_BITS, \
	    LOW(8) | BIT(32)), \
	ROW(0x396, 1, UM_REG_RW, "UNCORE_ADDR_OPCODE_MATCH", \
	    "address and opcode that event 0x35 compares with", match_fields, \
	    LOW(45) << 3 | LOW(3) << 61, 0)

static const struct um_reg nehalem_regs[] = { COMMON_REGS };
#define OVERFLOW_CTRL nehalem_regs[1]

static const struct um_reg westmere_regs[] = {
	REG(UM_SCOPE_PACKAGE, 0x301, 1, UM_REG_RW, "GQ_SNOOP_MESF",
	    "which snoops event 0x0c counts with unit masks 4 and 8", snoop_fields, LOW(8), 0,
	    FROM_EDK2),
	COMMON_REGS,
};

/* Other names of the clock: clockticks in Linux; the others are from FreeBSD and other programs. */
static const char *const clock_aliases[] = {
	"clockticks", "UNCORE_CLOCK", "UNCORE_CLOCKTICKS", NULL,
};

static const struct um_fixed clock[] = {
	{
		.counter = ROW(0x394, 1, UM_REG_RW, "UNCORE_FIXED_CTR0",
			       "fixed counter: uncore clock ticks", um_count48_fields,
			       LOW(COUNTER_BITS), LOW(COUNTER_BITS)),
		.control = ROW(0x395, 1, UM_REG_RW, "UNCORE_FIXED_CTR_CTRL",
			       "switches the fixed counter on", fixed_ctrl_fields,
			       BIT(0) | BIT(2), BIT(0) | BIT(2)),
		.enable = BIT(0), .pmi = BIT(2), .width = COUNTER_BITS,
		.event = "UNC_CLK_UNHALTED", .aliases = clock_aliases,
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
 * The two bounds decide how often counters have to be read, so they are rather too high than too low. The uncore runs
 * at 2.1 to 2.7 GHz on every product; 4 GHz leaves room for overclocked ones. An occupancy event adds the entries of
 * one queue each clock. The longest queue, the read tracker of the global queue, has 32 entries; 64 is twice that. A
 * counter then needs at least 18 minutes to wrap.
 */
static const struct um_pmu uncore_pmu = {
	.name = "uncore", .kernel = "uncore", .scope = UM_SCOPE_PACKAGE,
	.desc = "uncore counters of a package: global queue, L3, memory controller, QPI",
	.units = { .from = UM_UNITS_ALL, .max = 1 },
	.num_general = 8, .general_width = COUNTER_BITS,
	.selector = {
		.reg = ROW(0x3c0, 8, UM_REG_RW, "UNCORE_PERFEVTSEL%u",
			   "selector: which event its general counter counts, and how",
			   selector_fields, SELECTOR_WRITE, SELECTOR_WRITE),
		.reg.reads_zero = SELECTOR_OCC_RESET,
		SELECTOR_EVENT, SELECTOR_UMASK, .enable = BIT(22),
		.occ_reset = SELECTOR_OCC_RESET, .pmi = SELECTOR_PMI,
		/* Events may set EN, because a user can give a whole selector word that includes it. */
		.settable = SELECTOR_WRITE & ~SELECTOR_PMI,
		.ignore_on_compare = SELECTOR_OCC_RESET,
	},
	.counter = ROW(0x3b0, 8, UM_REG_RW, "UNCORE_PMC%u", "general counter", um_count48_fields,
		       LOW(COUNTER_BITS), LOW(COUNTER_BITS)),
	LIST(terms, terms),
	GATE_LIST(
		{
			.reg = ROW(0x391, 1, UM_REG_RW, "UNCORE_PERF_GLOBAL_CTRL",
				   "which counters may run, and where overflow interrupts go",
				   global_ctrl_fields, LOW(8) | BIT(32) | LOW(4) << 48 | BIT(63),
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
