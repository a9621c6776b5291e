/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The architectural core PMU, one set of registers per logical CPU. The kernel owns it, so we use it only if the user
 * chooses this route. CPUID reports the number of counters.
 *
 * Facts: Intel SDM volume 3B, chapter "Performance Monitoring" (architectural performance
 * monitoring); Linux arch/x86/include/asm/perf_event.h, msr-index.h, arch/x86/events/intel/core.c.
 */
#include <string.h>

#include "common/text.h"
#include "uarch/fields.h"

#define FROM "Intel SDM volume 3B, architectural performance monitoring; Linux msr-index.h"

#define WIDTH 48

#define ROW(address, n, rw, label, text, list, bits, written) \
	REG(UM_SCOPE_CPU, address, n, rw, label, text, list, bits, written, FROM)

#define COUNTERS (LOW(CORE_GENERAL) | LOW(CORE_FIXED) << 32)
#define STATUS_BITS (COUNTERS | BIT(48) | BIT(55) | LOW(6) << 58)
/* While this bit is set nothing counts (version 4 and later). In earlier versions it reads 0. */
#define CTR_FRZ BIT(59)
#define GLOBAL_STATUS \
	ROW(0x38e, 1, UM_REG_RO, "IA32_PERF_GLOBAL_STATUS", "which core counters have wrapped", \
	    core_global_status_fields, STATUS_BITS, 0)

#define OVERFLOW_CTRL core_regs[2]
static const struct um_reg core_regs[] = {
	ROW(0x345, 1, UM_REG_RO, "IA32_PERF_CAPABILITIES", "what the core PMU can do",
	    core_capability_fields, LOW(17), 0),
	GLOBAL_STATUS,
	ROW(0x390, 1, UM_REG_WO, "IA32_PERF_GLOBAL_OVF_CTRL",
	    "writing 1 clears a bit of IA32_PERF_GLOBAL_STATUS; version 4 and later call it "
	    "IA32_PERF_GLOBAL_STATUS_RESET", core_global_status_fields, STATUS_BITS, COUNTERS),
	ROW(0x391, 1, UM_REG_WO, "IA32_PERF_GLOBAL_STATUS_SET",
	    "writing 1 sets a bit of IA32_PERF_GLOBAL_STATUS, as if a counter had wrapped; version 4 "
	    "and later", core_global_status_fields, STATUS_BITS, 0),
	ROW(0x392, 1, UM_REG_RO, "IA32_PERF_GLOBAL_INUSE",
	    "which core counters have been programmed; version 4 and later", core_in_use_fields,
	    COUNTERS | BIT(63), 0),
};

/* Largest number of instructions or slots per clock: Lion Cove has eight (Intel's optimization manual), more with fused
 * branches. */
enum { WIDEST = 10 };

/*
 * @otherwise: terms of the same event on a general counter, for parts without the fixed counter; "": none. Each counter
 * has four control bits: OS, USR, ANY, PMI; we set OS and USR. The slots counter has no ANY; we do not change this bit
 * (Linux uses it to clear the metrics).
 */
#define FIXED_COUNTER(n, name, text, bits, most, otherwise, ...) { \
	.counter = ROW(0x309 + n, 1, UM_REG_RW, "IA32_FIXED_CTR" #n, \
		       "fixed core counter: " text, um_count48_fields, LOW(WIDTH), LOW(WIDTH)), \
	.control = ROW(0x38d, 1, UM_REG_RW, "IA32_FIXED_CTR_CTRL", \
		       "switches the fixed core counters on", core_fixed_ctrl_fields, \
		       LOW(14) | BIT(15), LOW(14) | BIT(15)), \
	.control_mask = (uint64_t)(bits) << 4 * n, .enable = UINT64_C(3) << 4 * n, \
	.pmi = BIT(4 * n + 3), .width = WIDTH, .max_increment = most, \
	.event = name, .aliases = { __VA_ARGS__ }, .desc = text, .instead = otherwise }

/* The last strings of each row are other names of the event; the very last is likwid's. */
static const struct um_fixed fixed[] = {
	FIXED_COUNTER(0, "instructions", "instructions retired", 0xf, WIDEST, "event=0xc0",
		      "INST_RETIRED.ANY", "INSTR_RETIRED_ANY"),
	FIXED_COUNTER(1, "cycles", "core clock cycles, not halted", 0xf, 1, "event=0x3c",
		      "cpu-cycles", "CPU_CLK_UNHALTED.THREAD", "CPU_CLK_UNHALTED_CORE"),
	FIXED_COUNTER(2, "ref-cycles", "reference clock cycles, at the rate of the time stamp, not halted", 0xf, 1, "",
		      "CPU_CLK_UNHALTED.REF_TSC", "CPU_CLK_UNHALTED_REF"),
	FIXED_COUNTER(3, "slots", "pipeline slots; performance monitoring version 5 and later", 0xb, WIDEST, "",
		      "TOPDOWN.SLOTS", "TOPDOWN_SLOTS"),
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

/* We may write all bits that exist, to restore what another program left in a disabled selector. */
#define SELECTOR_WRITE LOW(34)
#define SELECTOR_PC BIT(19)
#define SELECTOR_PMI BIT(20)

static const struct um_reg counter_alias =
	ROW(0x4c1, CORE_GENERAL, UM_REG_RW, "IA32_A_PMC%u",
	    "general core counter; a write takes all bits (0x345 bit 13)", um_count48_fields, LOW(WIDTH), LOW(WIDTH));

/*
 * The bound of the clock leaves room above the fastest product (6.2 GHz). Each clock has at most eight slots, and at
 * most eight instructions retire, or a few more (see WIDEST).
 */
static const struct um_pmu core_pmu = {
	.name = "core", .kernel = "cpu", .scope = UM_SCOPE_CPU,
	.desc = "core counters of a logical CPU: instructions, cycles, caches, branches",
	.units = { .from = UM_UNITS_ALL, .max = 1 },
	.num_general = CORE_GENERAL, .general_width = WIDTH, .counters_from = UM_COUNTERS_LEAF_0XA,
	SELECTOR_ROW(
		.reg = ROW(0x186, CORE_GENERAL, UM_REG_RW, "IA32_PERFEVTSEL%u",
			   "selector: which event its general core counter counts, and how",
			   core_selector_fields, SELECTOR_WRITE, SELECTOR_WRITE),
		SELECTOR_EVENT, SELECTOR_UMASK, .enable = BIT(22), .pmi = SELECTOR_PMI,
		/* Events cannot set the interrupt bit: the kernel's handler would mistake our interrupt for perf's. */
		.settable = SELECTOR_WRITE & ~(SELECTOR_PMI | SELECTOR_PC)),
	COUNTER_ROW(ROW(0xc1, CORE_GENERAL, UM_REG_RW, "IA32_PMC%u",
			"general core counter; a write takes 32 bits", um_count48_fields,
			LOW(WIDTH), LOW(WIDTH))),
	.counter_write_bits = 32,
	.counter_alias = &counter_alias,
	LIST(terms, terms), LIST(defaults, defaults), LIST(fixed, fixed),
	GATE_LIST(
		{
			.reg = ROW(0x38f, 1, UM_REG_RW, "IA32_PERF_GLOBAL_CTRL",
				   "which core counters may run", core_global_ctrl_fields,
				   COUNTERS | BIT(48), COUNTERS),
			.per_counter = true, .bit0 = 0, .fixed_bit0 = 32,
		},
		/* CTR_FRZ is set when a counter wraps, if bit 12 of DEBUGCTL is set (the kernel decides that). */
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

/* The mapping of intel_hybrid_pmu_type_map[] in Linux arch/x86/events/intel/core.c. */
static const struct {
	uint8_t type;
	const char *pmu;
} core_types[] = {
	{ UNCOREMSR_CORE_TYPE_P, "cpu_core" }, { UNCOREMSR_CORE_TYPE_E, "cpu_atom" },
	{ UNCOREMSR_CORE_TYPE_LOW_POWER, "cpu_lowpower" },
};

uint8_t um_core_type(size_t i)
{
	return i < ARRAY_SIZE(core_types) ? core_types[i].type : 0;
}

bool um_is_core_type(uint8_t core_type)
{
	size_t i = 0;

	while (um_core_type(i) && um_core_type(i) != core_type)
		i++;
	return um_core_type(i) != 0;
}

const char *um_core_type_pmu(uint8_t core_type)
{
	for (size_t i = 0; i < ARRAY_SIZE(core_types); i++)
		if (core_types[i].type == core_type)
			return core_types[i].pmu;
	return "cpu";
}

uint8_t um_core_type_of(const char *pmu, size_t len)
{
	for (size_t i = 0; i < ARRAY_SIZE(core_types); i++)
		if (um_is_word(pmu, len, core_types[i].pmu))
			return core_types[i].type;
	return 0;
}
