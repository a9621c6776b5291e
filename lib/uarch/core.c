/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Registers of the architectural core PMU, one set per logical CPU: described, so that values can
 * be decoded; never written (write_mask 0), because counting here is about the uncore.
 *
 * Facts: Intel SDM volume 3B, chapter "Performance Monitoring" (architectural performance
 * monitoring); Linux arch/x86/include/asm/perf_event.h and msr-index.h.
 */
#include "error.h"
#include "uarch/uarch.h"

#define BIT(n) (1ull << (n))
#define LOW(n) (BIT(n) - 1)

#define FROM "Intel SDM volume 3B, architectural performance monitoring; Linux msr-index.h"

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
	{ "CMASK", 24, 8, "threshold: count clocks with at least so many occurrences; 0 is off" },
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
	{ "OVF_PC", 0, 8, "bit n: general counter n has wrapped" },
	{ "OVF_FIXED", 32, 4, "bit n: fixed counter n has wrapped" },
	{ "OVF_METRICS", 48, 1, "the top-down metrics have overflowed" },
	{ "TRACE_TOPA", 55, 1, "a trace buffer is full" },
	{ "LBR_FRZ", 58, 1, "last-branch records are frozen" },
	{ "CTR_FRZ", 59, 1, "the counters are frozen" },
	{ "ASCI", 60, 1, "what was counted includes an enclave" },
	{ "OVF_UNCORE", 61, 1, "an uncore counter has wrapped" },
	{ "OVF_BUF", 62, 1, "the debug store buffer is full" },
	{ "COND_CHGD", 63, 1, "a bit of this register has changed since it was last cleared" },
};

static const struct um_field global_ctrl_fields[] = {
	{ "EN_PC", 0, 8, "bit n: general counter n may run (its selector's EN has to be set too)" },
	{ "EN_FIXED", 32, 4, "bit n: fixed counter n may run" },
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

#define ROW(address, n, rw, label, text, bits) \
	.msr = address, .count = n, .scope = UM_SCOPE_CPU, .access = rw, .name = label, \
	.desc = text, .valid = bits, .source = FROM
#define FIELDS(f) .fields = f, .num_fields = ARRAY_SIZE(f)

#define STATUS_BITS \
	(LOW(8) | LOW(4) << 32 | BIT(48) | BIT(55) | LOW(6) << 58)

static const struct um_reg core_regs[] = {
	{ ROW(0xc1, 8, UM_REG_RW, "IA32_PMC%u", "general core counter; a write takes 32 bits",
	      LOW(48)) },
	{ ROW(0x186, 8, UM_REG_RW, "IA32_PERFEVTSEL%u",
	      "selector: which event its general core counter counts, and how", LOW(34)),
	  FIELDS(selector_fields) },
	{ ROW(0x309, 4, UM_REG_RW, "IA32_FIXED_CTR%u",
	      "fixed core counter: 0 instructions, 1 core cycles, 2 reference cycles, 3 slots",
	      LOW(48)) },
	{ ROW(0x345, 1, UM_REG_RO, "IA32_PERF_CAPABILITIES", "what the core PMU can do", LOW(17)),
	  FIELDS(capability_fields) },
	{ ROW(0x38d, 1, UM_REG_RW, "IA32_FIXED_CTR_CTRL", "switches the fixed core counters on",
	      LOW(14) | BIT(15)), FIELDS(fixed_ctrl_fields) },
	{ ROW(0x38e, 1, UM_REG_RO, "IA32_PERF_GLOBAL_STATUS", "which core counters have wrapped",
	      STATUS_BITS), FIELDS(global_status_fields) },
	{ ROW(0x38f, 1, UM_REG_RW, "IA32_PERF_GLOBAL_CTRL", "which core counters may run",
	      LOW(8) | LOW(4) << 32 | BIT(48)), FIELDS(global_ctrl_fields) },
	{ ROW(0x390, 1, UM_REG_WO, "IA32_PERF_GLOBAL_OVF_CTRL",
	      "writing 1 clears a bit of IA32_PERF_GLOBAL_STATUS; version 4 and later call it "
	      "IA32_PERF_GLOBAL_STATUS_RESET", STATUS_BITS), FIELDS(global_status_fields) },
};

const struct um_uarch um_core_registers = {
	.name = "core", .title = "architectural core PMU", .scope = UM_SCOPE_CPU,
	.regs = core_regs, .num_regs = ARRAY_SIZE(core_regs),
};
