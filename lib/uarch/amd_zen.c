/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * AMD: northbridge (families 15 and 16 hexadecimal) and L2 (16), L3 and data fabric (17 to 1A),
 * memory controllers (PerfMon version 2); Hygon (18) is like family 17. Addresses were reused: C0010230 belongs to the
 * L2 on family 16 and to the L3 later, C0010240 to the northbridge and later to the data fabric.
 *
 * Bits 24 and 28 of CPUID 0x80000001 ECX say whether the counters exist: firmware and hypervisors can switch them off.
 * Each selector has an enable bit; there is no common freeze, and we use no interrupt.
 *
 * Facts: Linux arch/x86/events/amd/uncore.c and asm/perf_event.h; LIKWID perfmon_zen*.h.
 */
#include "uarch/fields.h"

#define SOURCE "Linux arch/x86/events/amd/uncore.c; LIKWID perfmon_zen*.h"

#define EN BIT(22)
#define FEATURE_NB 24
#define FEATURE_LLC 28

#define ROW(where, address, n, label, text, list, bits, written) \
	REG_STEP(where, address, n, 2, UM_REG_RW, label, text, list, bits, written, SOURCE)

#define SELECTOR(where, address, n, label, list, bits, extra_bits, ...) SELECTOR_ROW( \
	.reg = ROW(where, address, n, label, "selector: which event its counter counts, and how", \
		   list, (bits) | (extra_bits), (bits) | (extra_bits)), \
	SELECTOR_EVENT, SELECTOR_UMASK, .enable = EN, .settable = bits, __VA_ARGS__)
#define COUNTERS(where, address, n, label) \
	.num_general = n, .general_width = 48, \
	COUNTER_ROW(ROW(where, address, n, label, "counter", um_count48_fields, LOW(48), LOW(48)))

/* The clocks of fabric and cache stay below 6 GHz; an event can occur several times in one clock. */
#define BOUNDS .max_clock_hz = 6000000000u, .max_increment = 64

#define PMU(label, linux_name, text, where, feature) \
	.name = label, .kernel = linux_name, .desc = text, .scope = where, .source = SOURCE, \
	.units = { .max = 1 }, .amd_feature = feature, BOUNDS
#define L3_DESC "L3: the cache that the cores of a complex share"
#define DF_DESC "data fabric: between cores, memory and I/O"

/* ---- northbridge and L2 before Zen ---- */

#define NB_BITS (LOW(16) | EN | BITS(32, 35))
#define NB_INTERRUPT BITS(36, 40) /* core that receives the overflow interrupt; we leave it 0 */

static const struct um_term nb_terms[] = {
	TERM_IN("event", "event select", LOW(8) | BITS(32, 35)), TERM_UMASK,
};

#define NB { \
	PMU("nb", "amd_nb", "northbridge", UM_SCOPE_NODE, FEATURE_NB), \
	SELECTOR(UM_SCOPE_NODE, 0xc0010240, 4, "NB_PERF_CTL%u", amd_zen_nb_fields, NB_BITS, NB_INTERRUPT), \
	COUNTERS(UM_SCOPE_NODE, 0xc0010241, 4, "NB_PERF_CTR%u"), LIST(terms, nb_terms) }

static const struct um_pmu bulldozer_pmus[] = { NB };
static const struct um_pmu jaguar_pmus[] = {
	NB, {
		/* Only the kernel describes the L2; it uses the northbridge's layout. */
		PMU("l2", "amd_l2", "L2: the cache that the cores share", UM_SCOPE_L3, FEATURE_LLC),
		SELECTOR(UM_SCOPE_L3, 0xc0010230, 4, "L2I_PERF_CTL%u", amd_zen_nb_fields, NB_BITS,
			 NB_INTERRUPT),
		COUNTERS(UM_SCOPE_L3, 0xc0010231, 4, "L2I_PERF_CTR%u"), LIST(terms, nb_terms),
		.unverified = true,
	},
};

/* ---- L3 ---- */

/* Families 0x17 and 0x18. */
#define L3_OLD_BITS (LOW(16) | EN | BITS(48, 51) | BITS(56, 63))
static const struct um_term l3_old_terms[] = {
	TERM_EVENT, TERM_UMASK,
	TERM("slicemask", "slices to count, a set of bits", 48, 4),
	TERM("threadmask", "threads of the complex to count, a set of bits", 56, 8),
};
static const struct um_default l3_old_defaults[] = {
	{ .mask = BITS(48, 51), .value = BITS(48, 51),
	  .why = "no slice given: all of them" },
	{ .mask = BITS(56, 63), .value = BITS(56, 63),
	  .why = "no thread given: all of them" },
};
#define L3_FROM "l3_thread_slice_mask()"
static const struct um_linux_rule l3_old_rules[] = {
	{ .does = UM_KERNEL_FILLS, .mask = BITS(48, 51), .value = BITS(48, 51), .source = L3_FROM },
	{ .does = UM_KERNEL_FILLS, .mask = BITS(56, 63), .value = BITS(56, 63), .source = L3_FROM },
};

/* Families 19 and 1A. */
#define L3_BITS (LOW(16) | EN | BITS(42, 44) | BITS(46, 50) | BITS(56, 57))
static const struct um_term l3_terms[] = {
	TERM_EVENT, TERM_UMASK,
	TERM("coreid", "core of the complex to count", 42, 3),
	TERM("enallslices", "1: count all slices", 46, 1),
	TERM("enallcores", "1: count all cores", 47, 1),
	TERM("sliceid", "slice to count", 48, 3),
	TERM("threadmask", "threads of a core to count, a set of bits", 56, 2),
};
/*
 * Each mask has its own default, as in LIKWID: if only a slice is given, all cores and threads are counted. The kernel
 * sets all three masks if the thread mask is 0, so it ignores a slice that is given alone.
 */
static const struct um_default l3_defaults[] = {
	{ .mask = BIT(46) | BITS(48, 50), .value = BIT(46), .why = "no slice given: all of them" },
	{ .mask = BIT(47) | BITS(42, 44), .value = BIT(47), .why = "no core given: all of them" },
	{ .mask = BITS(56, 57), .value = BITS(56, 57),
	  .why = "no thread given: all of them" },
};
static const struct um_linux_rule l3_rules[] = {
	{ .does = UM_KERNEL_FOLLOWS, .mask = BIT(46) | BITS(48, 50), .value = BIT(46), .source = L3_FROM },
	{ .does = UM_KERNEL_FOLLOWS, .mask = BIT(47) | BITS(42, 44), .value = BIT(47), .source = L3_FROM },
	{ .does = UM_KERNEL_FILLS, .mask = BITS(56, 57), .value = BITS(56, 57), .source = L3_FROM },
};

#define L3_OF(list, bits, term_list, default_list, rule_list) { \
	PMU("l3", "amd_l3", L3_DESC, UM_SCOPE_L3, FEATURE_LLC), \
	SELECTOR(UM_SCOPE_L3, 0xc0010230, 6, "L3_PERF_CTL%u", list, bits, 0), \
	COUNTERS(UM_SCOPE_L3, 0xc0010231, 6, "L3_PERF_CTR%u"), \
	LIST(terms, term_list), LIST(defaults, default_list), LIST(rules, rule_list) }
#define L3_OLD L3_OF(amd_zen_l3_old_fields, L3_OLD_BITS, l3_old_terms, l3_old_defaults, l3_old_rules)
#define L3 L3_OF(amd_zen_l3_fields, L3_BITS, l3_terms, l3_defaults, l3_rules)

/* ---- data fabric ---- */

/* Data fabric before PerfMon version 2. The same code is another event in the later layout. */
#define DF_OLD_BITS (LOW(16) | EN | BITS(32, 35) | BITS(59, 60))
static const struct um_term df_old_terms[] = {
	TERM_IN("event", "event select", LOW(8) | BITS(32, 35) | BITS(59, 60)), TERM_UMASK,
};

/* Data fabric with PerfMon version 2. (The field at bit 32 has six bits in the kernel, seven in LIKWID.) */
#define DF_BITS (LOW(16) | EN | BITS(24, 27) | BITS(32, 37))
static const struct um_term df_terms[] = {
	TERM_IN("event", "event select", LOW(8) | BITS(32, 37)),
	TERM_IN("umask", "unit mask", BITS(8, 15) | BITS(24, 27)),
};

/* The kernel's format file has these bits of the event, but its driver drops them. */
static const struct um_linux_rule df_old_rules[] = {
	{ .does = UM_KERNEL_DROPS, .mask = BITS(59, 60), .source = "AMD64_RAW_EVENT_MASK_NB lacks them" },
};

/* Naples and Hygon have several nodes in a package, each with a fabric of its own. */
#define DF_OLD(where) { \
	PMU("df", "amd_df", DF_DESC, where, FEATURE_NB), \
	SELECTOR(where, 0xc0010240, 4, "DF_PERF_CTL%u", amd_zen_df_old_fields, DF_OLD_BITS, 0), \
	COUNTERS(where, 0xc0010241, 4, "DF_PERF_CTR%u"), LIST(terms, df_old_terms), LIST(rules, df_old_rules) }
#define DF { \
	PMU("df", "amd_df", DF_DESC, UM_SCOPE_PACKAGE, FEATURE_NB), \
	SELECTOR(UM_SCOPE_PACKAGE, 0xc0010240, 16, "DF_PERF_CTL%u", amd_zen_df_fields, DF_BITS, 0), \
	COUNTERS(UM_SCOPE_PACKAGE, 0xc0010241, 16, "DF_PERF_CTR%u"), LIST(terms, df_terms), \
	.counters_from = UM_COUNTERS_AMD_DF }

/* ---- memory controllers ---- */

#define UMC_EN BIT(31)
static const struct um_term umc_terms[] = {
	TERM_EVENT, TERM("rdwrmask", "1 reads, 2 writes, 0 or 3 both", 8, 2),
};

/*
 * All parts seen so far have four counters per channel, except Bergamo. Its counters cannot be divided evenly among the
 * channels, so we use none there.
 */
#define UMC { \
	.name = "umc", .kernel = "amd_umc", .desc = "memory controller channel", \
	.scope = UM_SCOPE_PACKAGE, .source = SOURCE, .unverified = true, BOUNDS, \
	.units = { .from = UM_UNITS_AMD_UMC, .max = 16, .stride = 8 }, \
	.num_general = 4, .general_width = 48, .saturates = true, LIST(terms, umc_terms), \
	SELECTOR_ROW( \
		.reg = ROW(UM_SCOPE_PACKAGE, 0xc0010800, 4, "UMC%b_PERF_CTL%u", \
			   "selector: which event its counter counts, and how", amd_zen_umc_fields, \
			   LOW(10) | UMC_EN, LOW(10) | UMC_EN), \
		SELECTOR_EVENT, .umask = { "rdwrmask", 8, 2 }, \
		.enable = UMC_EN, .settable = LOW(10) | UMC_EN), \
	COUNTER_ROW(ROW(UM_SCOPE_PACKAGE, 0xc0010801, 4, "UMC%b_PERF_CTR%u", "counter", \
			amd_zen_umc_count_fields, LOW(49), LOW(49))) }

/* ---- processors ---- */

static const struct um_pmu zen_pmus[] = { L3_OLD, DF_OLD(UM_SCOPE_NODE) };
static const struct um_pmu zen3_pmus[] = { L3, DF_OLD(UM_SCOPE_PACKAGE) };
static const struct um_pmu zen4_pmus[] = { L3, DF, UMC };

const struct um_uarch um_uarch_bulldozer = {
	.name = "bulldozer", .title = "Bulldozer to Excavator", .scope = UM_SCOPE_NODE,
	LIST(pmus, bulldozer_pmus),
};
const struct um_uarch um_uarch_jaguar = {
	.name = "jaguar", .title = "Jaguar, Puma", .scope = UM_SCOPE_NODE,
	LIST(pmus, jaguar_pmus),
};
const struct um_uarch um_uarch_zen = {
	.name = "zen", .title = "Zen, Zen+", .scope = UM_SCOPE_NODE, LIST(pmus, zen_pmus),
};
const struct um_uarch um_uarch_zen2 = {
	.name = "zen2", .title = "Zen 2", .scope = UM_SCOPE_NODE, LIST(pmus, zen_pmus),
};
const struct um_uarch um_uarch_zen3 = {
	.name = "zen3", .title = "Zen 3", .scope = UM_SCOPE_PACKAGE, LIST(pmus, zen3_pmus),
};
const struct um_uarch um_uarch_zen4 = {
	.name = "zen4", .title = "Zen 4", .scope = UM_SCOPE_PACKAGE, LIST(pmus, zen4_pmus),
};
const struct um_uarch um_uarch_zen5 = {
	.name = "zen5", .title = "Zen 5", .scope = UM_SCOPE_PACKAGE, LIST(pmus, zen4_pmus),
};
const struct um_uarch um_uarch_dhyana = {
	.name = "dhyana", .title = "Hygon Dhyana", .scope = UM_SCOPE_NODE, LIST(pmus, zen_pmus),
};
