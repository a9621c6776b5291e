/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The architectural core PMU, one set of registers per logical CPU. The kernel owns it, so we use it only if the user
 * chooses this route. CPUID reports the number of counters.
 *
 * Facts: Intel SDM volume 3B, chapter "Performance Monitoring" (architectural performance
 * monitoring); Linux arch/x86/include/asm/perf_event.h, msr-index.h, arch/x86/events/intel/core.c.
 */
#include "uarch/fields.h"

#define FROM "Intel SDM volume 3B, architectural performance monitoring; Linux msr-index.h"

/* Largest numbers: leaf 0x23 of Arrow Lake and later reports ten general counters (bitmap 0x3ff). */
#define GENERAL 10
#define FIXED 4
#define WIDTH 48

static const struct um_field selector_fields[] = {
	{ "EVENT", 0, 8, "event select" },
	{ "UMASK", 8, 8, "unit mask" },
	{ "USR", 16, 1, "count in user mode (privilege levels 1 to 3)" },
	{ "OS", 17, 1, "count in kernel mode (privilege level 0)" },
	{ "EDGE", 18, 1, "count how often the condition begins instead of how long it lasts" },
	{ "PC", 19, 1, "pin control; without use on current parts" },
	{ "INT", 20, 1, "raise an interrupt when the counter wraps" },
	{ "ANY", 21, 1, "count both threads of the core; from version 3, later taken away again" },
	{ "EN", 22, 1, "count (the global enable bit has to be set too)" },
	{ "INV", 23, 1, "with CMASK: count clocks below the threshold" },
	{ "CMASK", 24, 8, "threshold: count clocks with at least this many occurrences; 0 is off" },
	{ "IN_TX", 32, 1, "count in transactions only; parts with TSX" },
	{ "IN_TXCP", 33, 1, "do not count what an aborted transaction did; parts with TSX" },
};

static const struct um_field fixed_ctrl_fields[] = {
	{ "OS0", 0, 1, "fixed counter 0 (instructions) counts in kernel mode" },
	{ "USR0", 1, 1, "fixed counter 0 counts in user mode" },
	{ "ANY0", 2, 1, "fixed counter 0 counts both threads of the core" },
	{ "PMI0", 3, 1, "fixed counter 0 raises an interrupt when it wraps" },
	{ "OS1", 4, 1, "fixed counter 1 (core cycles) counts in kernel mode" },
	{ "USR1", 5, 1, "fixed counter 1 counts in user mode" },
	{ "ANY1", 6, 1, "fixed counter 1 counts both threads of the core" },
	{ "PMI1", 7, 1, "fixed counter 1 raises an interrupt when it wraps" },
	{ "OS2", 8, 1, "fixed counter 2 (reference cycles) counts in kernel mode" },
	{ "USR2", 9, 1, "fixed counter 2 counts in user mode" },
	{ "ANY2", 10, 1, "fixed counter 2 counts both threads of the core" },
	{ "PMI2", 11, 1, "fixed counter 2 raises an interrupt when it wraps" },
	{ "OS3", 12, 1, "fixed counter 3 (slots) counts in kernel mode; version 5" },
	{ "USR3", 13, 1, "fixed counter 3 counts in user mode; version 5" },
	{ "PMI3", 15, 1, "fixed counter 3 raises an interrupt when it wraps; version 5" },
};

static const struct um_field global_status_fields[] = {
	{ "OVF_PC", 0, GENERAL, "bit n: general counter n has wrapped" },
	{ "OVF_FIXED", 32, FIXED, "bit n: fixed counter n has wrapped" },
	{ "OVF_METRICS", 48, 1, "the top-down metrics have overflowed" },
	{ "TRACE_TOPA", 55, 1, "a trace buffer is full" },
	{ "LBR_FRZ", 58, 1, "last-branch records are frozen" },
	{ "CTR_FRZ", 59, 1, "the counters are frozen" },
	{ "ASCI", 60, 1, "what was counted includes an enclave" },
	{ "OVF_UNCORE", 61, 1, "an uncore counter has wrapped" },
	{ "OVF_BUF", 62, 1, "the debug store buffer is full" },
	{ "COND_CHGD", 63, 1, "a bit of this register has changed since it was last cleared" },
};

static const struct um_field in_use_fields[] = {
	{ "PERFEVTSEL", 0, GENERAL, "bit n: the event select of general counter n is not 0" },
	{ "FIXED", 32, FIXED, "bit n: fixed counter n counts in some mode" },
	{ "PMI", 63, 1, "some counter raises an interrupt when it wraps" },
};

static const struct um_field global_ctrl_fields[] = {
	{ "EN_PC", 0, GENERAL, "bit n: general counter n may run (its selector's EN has to be set too)" },
	{ "EN_FIXED", 32, FIXED, "bit n: fixed counter n may run" },
	{ "EN_METRICS", 48, 1, "the top-down metrics may run" },
};

static const struct um_field capability_fields[] = {
	{ "LBR_FMT", 0, 6, "format of last-branch records" },
	{ "PEBS_TRAP", 6, 1, "a precise sample is taken after the instruction" },
	{ "PEBS_ARCH_REG", 7, 1, "a precise sample holds the registers" },
	{ "PEBS_FMT", 8, 4, "format of a precise sample" },
	{ "SMM_FREEZE", 12, 1, "counters can be stopped in system management mode" },
	{ "FW_WRITE", 13, 1, "counters can be written in full width at 0x4c1 and up" },
	{ "PEBS_BASELINE", 14, 1, "precise samples have the extended form" },
	{ "PERF_METRICS", 15, 1, "register 0x329 (top-down metrics) exists" },
	{ "PEBS_TO_PT", 16, 1, "precise samples can go to the processor trace" },
};

#define ROW(address, n, rw, label, text, list, bits, written) \
	REG(UM_SCOPE_CPU, address, n, rw, label, text, list, bits, written, FROM)

#define COUNTERS (LOW(GENERAL) | LOW(FIXED) << 32)
#define STATUS_BITS (COUNTERS | BIT(48) | BIT(55) | LOW(6) << 58)
/* While this bit is set nothing counts (version 4 and later). In earlier versions it reads 0. */
#define CTR_FRZ BIT(59)
#define GLOBAL_STATUS \
	ROW(0x38e, 1, UM_REG_RO, "IA32_PERF_GLOBAL_STATUS", "which core counters have wrapped", \
	    global_status_fields, STATUS_BITS, 0)

#define OVERFLOW_CTRL core_regs[2]
static const struct um_reg core_regs[] = {
	ROW(0x345, 1, UM_REG_RO, "IA32_PERF_CAPABILITIES", "what the core PMU can do",
	    capability_fields, LOW(17), 0),
	GLOBAL_STATUS,
	ROW(0x390, 1, UM_REG_WO, "IA32_PERF_GLOBAL_OVF_CTRL",
	    "writing 1 clears a bit of IA32_PERF_GLOBAL_STATUS; version 4 and later call it "
	    "IA32_PERF_GLOBAL_STATUS_RESET", global_status_fields, STATUS_BITS, COUNTERS),
	ROW(0x391, 1, UM_REG_WO, "IA32_PERF_GLOBAL_STATUS_SET",
	    "writing 1 sets a bit of IA32_PERF_GLOBAL_STATUS, as if a counter had wrapped; version 4 "
	    "and later", global_status_fields, STATUS_BITS, 0),
	ROW(0x392, 1, UM_REG_RO, "IA32_PERF_GLOBAL_INUSE",
	    "which core counters have been programmed; version 4 and later", in_use_fields,
	    COUNTERS | BIT(63), 0),
};

/* Most instructions or slots per clock: Lion Cove has eight (Intel's optimization manual), more with fused branches. */
enum { WIDEST = 10 };

/*
 * @otherwise: the architectural event of the same name for a general counter (leaf 0xA); some parts lack it. Each
 * counter has four control bits: OS, USR, ANY, PMI; we count both rings. The slots counter has no ANY; we do not change
 * its bit (Linux uses it to clear the metrics).
 */
#define FIXED_COUNTER(n, name, also, text, bits, most, otherwise) { \
	.counter = ROW(0x309 + n, 1, UM_REG_RW, "IA32_FIXED_CTR" #n, \
		       "fixed core counter: " text, um_count48_fields, LOW(WIDTH), LOW(WIDTH)), \
	.control = ROW(0x38d, 1, UM_REG_RW, "IA32_FIXED_CTR_CTRL", \
		       "switches the fixed core counters on", fixed_ctrl_fields, \
		       LOW(14) | BIT(15), LOW(14) | BIT(15)), \
	.control_mask = (uint64_t)(bits) << 4 * n, .enable = UINT64_C(3) << 4 * n, \
	.pmi = BIT(4 * n + 3), .width = WIDTH, .max_increment = most, \
	.event = name, .aliases = also, .desc = text, .instead = otherwise }

/* Other names of the fixed events; the last of each list is likwid's. */
static const char *const instructions_aliases[] = { "INST_RETIRED.ANY", "INSTR_RETIRED_ANY", NULL };
static const char *const cycles_aliases[] = {
	"cpu-cycles", "CPU_CLK_UNHALTED.THREAD", "CPU_CLK_UNHALTED_CORE", NULL
};
static const char *const ref_aliases[] = { "CPU_CLK_UNHALTED.REF_TSC", "CPU_CLK_UNHALTED_REF", NULL };
static const char *const slots_aliases[] = { "TOPDOWN.SLOTS", "TOPDOWN_SLOTS", NULL };

static const struct um_fixed fixed[] = {
	FIXED_COUNTER(0, "instructions", instructions_aliases, "instructions retired", 0xf,
		      WIDEST, "event=0xc0"),
	FIXED_COUNTER(1, "cycles", cycles_aliases, "core clock cycles, not halted", 0xf, 1,
		      "event=0x3c"),
	FIXED_COUNTER(2, "ref-cycles", ref_aliases,
		      "reference clock cycles, at the rate of the time stamp, not halted", 0xf, 1,
		      NULL),
	FIXED_COUNTER(3, "slots", slots_aliases, "pipeline slots; version 5", 0xb, WIDEST,
		      NULL),
};

static const struct um_term terms[] = {
	TERM_EVENT, TERM_UMASK, TERM_EDGE, TERM_INV, TERM_THRESH("cmask", 8),
	TERM("any", "1: count both threads of the core; parts that still have it", 21, 1),
	TERM("in_tx", "1: count in transactions only; parts with TSX", 32, 1),
	TERM("in_tx_cp", "1: leave out what an aborted transaction did; parts with TSX", 33, 1),
	TERM("usr", "1: count in user mode", 16, 1),
	TERM("os", "1: count in kernel mode", 17, 1),
};

static const struct um_default defaults[] = {
	{ .mask = BIT(16) | BIT(17), .value = BIT(16) | BIT(17),
	  .why = "neither user nor kernel mode given: both" },
};

/* We may write all bits that exist, to restore whatever another program left in a selector that is off. */
#define SELECTOR_WRITE LOW(34)
#define SELECTOR_PC BIT(19)
#define SELECTOR_PMI BIT(20)

static const struct um_reg counter_alias =
	ROW(0x4c1, GENERAL, UM_REG_RW, "IA32_A_PMC%u",
	    "general core counter; a write takes all bits (0x345 bit 13)", um_count48_fields, LOW(WIDTH), LOW(WIDTH));

/*
 * The bound of the clock leaves room above the fastest product (6.2 GHz). A clock has at most eight slots and retires
 * at most eight instructions, or some more (see WIDEST).
 */
static const struct um_pmu core_pmu = {
	.name = "core", .kernel = "cpu", .scope = UM_SCOPE_CPU,
	.desc = "core counters of a logical CPU: instructions, cycles, caches, branches",
	.units = { .from = UM_UNITS_ALL, .max = 1 },
	.num_general = GENERAL, .general_width = WIDTH, .counters_from = UM_COUNTERS_LEAF_0XA,
	.selector = {
		.reg = ROW(0x186, GENERAL, UM_REG_RW, "IA32_PERFEVTSEL%u",
			   "selector: which event its general core counter counts, and how",
			   selector_fields, SELECTOR_WRITE, SELECTOR_WRITE),
		SELECTOR_EVENT, SELECTOR_UMASK, .enable = BIT(22), .pmi = SELECTOR_PMI,
		/*
		 * Events cannot set the interrupt bit: the kernel's handler would take our interrupt for one of perf's.
		 */
		.settable = SELECTOR_WRITE & ~(SELECTOR_PMI | SELECTOR_PC),
	},
	.counter = ROW(0xc1, GENERAL, UM_REG_RW, "IA32_PMC%u",
		       "general core counter; a write takes 32 bits", um_count48_fields,
		       LOW(WIDTH), LOW(WIDTH)),
	.counter_write_bits = 32,
	.counter_alias = &counter_alias,
	LIST(terms, terms), LIST(defaults, defaults), LIST(fixed, fixed),
	GATE_LIST(
		{
			.reg = ROW(0x38f, 1, UM_REG_RW, "IA32_PERF_GLOBAL_CTRL",
				   "which core counters may run", global_ctrl_fields,
				   COUNTERS | BIT(48), COUNTERS),
			.per_counter = true, .bit0 = 0, .fixed_bit0 = 32,
		},
		/* The bit is set when a counter wraps, if the kernel has chosen that in bit 12 of DEBUGCTL. */
		{ .reg = GLOBAL_STATUS, .mask = CTR_FRZ, .value = 0 }),
	.overflow = &OVERFLOW_CTRL,
	.max_clock_hz = 8000000000u, .max_increment = 8,
	.only_on_request = true,
	.source = FROM,
};

const struct um_uarch um_core_registers = {
	.name = "core", .title = "architectural core PMU", .scope = UM_SCOPE_CPU,
	LIST(regs, core_regs),
	.pmus = &core_pmu, .num_pmus = 1,
};
