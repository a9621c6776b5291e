/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Nehalem-EX and Westmere-EX (family 6 models 2E, 2F): seven kinds of boxes. They share only the clock at 394 and 395
 * with the smaller Nehalems. Selectors and counters alternate (step 2). The enable bit of a counter is bit 22 or 0 of
 * its selector, or in the box control.
 *
 * Facts: Linux arch/x86/events/intel/uncore_nhmex.c, likwid registers.h, Intel Xeon 7500 uncore
 * performance monitoring guide (323535); edk2 for the first registers of the U-, B- and W-boxes.
 *
 * Traps: the C-boxes are in bit-reversed order. Bit 29 of C00 resets all counters (on Ivy Bridge-EP it starts them), so
 * we never write it. libpfm4 gives model 2F the registers of 2C, which is wrong.
 */
#include "uarch/fields.h"

#define FROM "Linux uncore_nhmex.c; likwid; Intel Xeon 7500 uncore guide"

#define ROW(address, n, rw, label, text, list, bits, written) \
	REG(UM_SCOPE_PACKAGE, address, n, rw, label, text, list, bits, written, FROM)
#define PAIR(address, n, label, text, list, bits) \
	REG_STEP(UM_SCOPE_PACKAGE, address, n, 2, UM_REG_RW, label, text, list, bits, bits, FROM)

/* ---- gates ---- */

#define GLOBAL_REG ROW(0xc00, 1, UM_REG_RW, "U_MSR_PMON_GLOBAL_CTL", \
		       "lets the counters of all boxes run", ex_global_fields, \
		       LOW(5) | BIT(28) | BIT(29) | BIT(31), BIT(0) | BIT(28))
#define GLOBAL_GATE { .reg = GLOBAL_REG, .mask = BIT(28), .value = BIT(28) }

#define GLOBAL_STATUS_BITS (LOW(4) | BIT(30) | BIT(31))

static const struct um_reg regs[] = {
	REG(UM_SCOPE_PACKAGE, 0xc01, 1, UM_REG_RO, "U_MSR_PMON_GLOBAL_STATUS",
	    "which boxes have overflowed", ex_global_status_fields, GLOBAL_STATUS_BITS, 0,
	    "Intel Xeon 7500 uncore guide (bits not verified)"),
	REG(UM_SCOPE_PACKAGE, 0xc02, 1, UM_REG_WO, "U_MSR_PMON_GLOBAL_OVF_CTL",
	    "clears bits of U_MSR_PMON_GLOBAL_STATUS", ex_global_status_fields, GLOBAL_STATUS_BITS,
	    0, "Intel Xeon 7500 uncore guide (bits not verified)"),
};

#define BOX_GATE(address, label, list, bits) { \
	.reg = ROW(address, 1, UM_REG_RW, label, "which counters of the box may run", list, bits, \
		   bits), \
	.of_unit = true, .per_counter = true, .bit0 = 0, .fixed_bit0 = 31 }
#define STATUS(address, box, n) { \
	ROW(address, 1, UM_REG_RO, box "_MSR_PMON_STATUS", "which counters have wrapped", \
	    ex_wrapped##n##_fields, LOW(n), 0), \
	ROW(address + 1, 1, UM_REG_WO, box "_MSR_PMON_OVF_CTL", "clears bits of the status", \
	    ex_wrapped##n##_fields, LOW(n), LOW(n)) }
/* The first register of the list is the overflow status; the second one clears it. */
#define EX_OTHERS(list) LIST(others, list), .overflow = &(list)[1]

/* ---- selectors ---- */

#define U_SELECTOR_BITS (LOW(8) | BIT(18) | BIT(20) | BIT(22))

/* Selectors of C-, S- and W-boxes. */
#define WIDE_SELECTOR_BITS (LOW(16) | BIT(18) | BIT(20) | BIT(22) | BITS(23, 31))

#define M_SELECTOR_BITS (LOW(8) | BITS(9, 13) | BITS(19, 21))

#define WIDE_SELECTOR(address, n, label) SELECTOR_ROW( \
	.reg = PAIR(address, n, label, "selector: which event its counter counts, and how", \
		    ex_wide_selector_fields, WIDE_SELECTOR_BITS), \
	SELECTOR_EVENT, SELECTOR_UMASK, .enable = BIT(22), \
	.pmi = BIT(20), .settable = WIDE_SELECTOR_BITS & ~BIT(20))
#define NARROW_SELECTOR(address, n, label, list, bits, pmi_bits) \
	.reg = PAIR(address, n, label, "selector: which event its counter counts, and how", list, \
		    bits), \
	.enable = BIT(0), .pmi = pmi_bits
#define COUNTERS(address, n, label) .num_general = n, .general_width = 48, \
	COUNTER_ROW(PAIR(address, n, label, "general counter", um_count48_fields, LOW(48)))

static const struct um_term u_terms[] = { TERM_EVENT, TERM_EDGE };
static const struct um_term wide_terms[] = {
	TERM_EVENT, TERM_UMASK, TERM_EDGE, TERM_INV, TERM_THRESH("thresh", 8),
};
#define TERM_EVENT5 TERM("event", "event select", 1, 5)

/* ---- second registers ---- */

#define SECOND(address, label, text, list, bits) \
	.reg = ROW(address, 1, UM_REG_RW, label, text, list, bits, bits)

/* ---- B-box: events 0-3 of counter 0, events 0-6 of counter 1 and event 4 of counter 2 compare packets ---- */

static const struct um_term b_terms[] = {
	TERM_EVENT5,
	TERM("counter", "counter whose list of events is used", 6, 2),
	TERM_EXTRA(0, "match", "packet bits to compare with", 0, 64),
	TERM_EXTRA(1, "mask", "which packet bits are compared", 0, 64),
};

static const struct um_constraint b_constraints[] = {
	{ 0xc0, 0x00, 0x1 }, { 0xc0, 0x40, 0x2 }, { 0xc0, 0x80, 0x4 }, { 0xc0, 0xc0, 0x8 },
};

#define B_MATCH(m, v) { SECOND(0xe45, "B%b_MSR_MATCH", "packets to count", ex_match64_fields, ~0ull), \
	.word = UM_EXTRA_WORD(0), .when_mask = m, .when_value = v, .reg.other_units = true }
#define B_MASK(m, v) { SECOND(0xe46, "B%b_MSR_MASK", "which bits of a packet are compared", \
			      ex_mask64_fields, ~0ull), \
	.word = UM_EXTRA_WORD(1), .when_mask = m, .when_value = v, .reg.other_units = true }
#define B_BOTH(m, v) B_MATCH(m, v), B_MASK(m, v)

static const struct um_extra b_extras[] = {
	B_BOTH(0xf8, 0x00),                                        /* counter 0: events 0-3 */
	B_BOTH(0xf8, 0x40), B_BOTH(0xfc, 0x48), B_BOTH(0xfe, 0x4c), /* counter 1: events 0-3, 4-5, 6 */
	B_BOTH(0xfe, 0x88),                                        /* counter 2: event 4 */
};

static const struct um_reg b_others[] = STATUS(0xc21, "B%b", 4);

/* ---- S-box: event 0 compares packets ---- */

static const struct um_term s_terms[] = {
	TERM_EVENT, TERM_UMASK, TERM_EDGE, TERM_INV, TERM_THRESH("thresh", 8),
	TERM_EXTRA(0, "match", "packet bits to compare with", 0, 64),
	TERM_EXTRA(1, "mask", "which packet bits are compared", 0, 64),
};

#define S_EXTRA(n) .word = UM_EXTRA_WORD(n), .when_mask = 0xff, .when_value = 0, \
	.reg.other_units = true
static const struct um_extra s_extras[] = {
	{ SECOND(0xe49, "S%b_MSR_MATCH", "packets to count", ex_match64_fields, ~0ull), S_EXTRA(0) },
	{ SECOND(0xe4a, "S%b_MSR_MASK", "which bits of a packet are compared", ex_mask64_fields,
		 ~0ull), S_EXTRA(1) },
	{ SECOND(0xe48, "S%b_MSR_MM_CFG", "switches the comparison on", ex_match_on_fields, BIT(63)),
	  S_EXTRA(0), .before = 0, .after = BIT(63) },
};

static const struct um_reg s_others[] = STATUS(0xc41, "S%b", 4);

/* ---- M-box: INC_SEL, or SET_FLAG_SEL in flag mode, decides which extra registers an event needs ---- */

enum { M_DSP, M_THR, M_FVC, M_PGT, M_MAP, M_ISS, M_PLD, M_FILTER_EN, M_FILTER_MATCH,
       M_FILTER_MASK };

static const struct um_term m_terms[] = {
	TERM("count_mode", "see the Intel Xeon 7500 uncore guide", 2, 2),
	TERM("storage_mode", "see the Intel Xeon 7500 uncore guide", 4, 2),
	TERM("wrap_mode", "0: stop at the top, 1: wrap", 6, 1),
	TERM("flag_mode", "1: set_flag_sel chooses the event", 7, 1),
	TERM("inc_sel", "event select of flag mode 0", 9, 5),
	TERM("set_flag_sel", "event select of flag mode 1", 19, 3),
	TERM_EXTRA(M_DSP, "dsp", "DSP register (inc_sel 0)", 0, 32),
	TERM_EXTRA(M_THR, "thr", "MSC_THR register (inc_sel 4, 5)", 0, 32),
	TERM_EXTRA(M_FVC, "fvc", "ZDP_CTL_FVC register (inc_sel 0xd to 0x10)", 0, 32),
	TERM_EXTRA(M_PGT, "pgt", "PGT register (inc_sel 0x16)", 0, 32),
	TERM_EXTRA(M_MAP, "map", "MAP register (set_flag_sel 6)", 0, 32),
	TERM_EXTRA(M_ISS, "iss", "ISS register (inc_sel 9, 0xa)", 0, 32),
	TERM_EXTRA(M_PLD, "pld", "PLD register (inc_sel 0xa, 0xb)", 0, 32),
	TERM_EXTRA(M_FILTER_EN, "filter_cfg_en", "1: compare addresses (inc_sel 0xa)", 63, 1),
	TERM_EXTRA(M_FILTER_MATCH, "filter_match", "address bits 39:6 to compare with", 0, 34),
	TERM_EXTRA(M_FILTER_MASK, "filter_mask", "which address bits are compared", 0, 27),
};

/* Source: the 7500 guide, table 2-67; likwid and pcm set wrap_mode (bit 6) in every selector, too. */
static const struct um_default m_defaults[] = {
	{ .mask = BIT(6), .value = BIT(6),
	  .why = "wrap_mode is set: without it a full counter stops instead of wrapping" },
};

/*
 * INC(n, span): condition for event @n in INC_SEL; with @span 2 also for event @n + 1. FLAG(n): condition for flag @n.
 */
#define INC(n, span) .when_mask = BIT(7) | (BITS(9, 13) & ~(((span) - 1ull) << 9)), \
	.when_value = (n) << 9
#define FLAG(n) .when_mask = BIT(7) | BITS(19, 21), .when_value = BIT(7) | (n) << 19
#define M_SUB(address, name, number, ...) { \
	SECOND(address, "M%b_MSR_PMU_" name, "second register of some events", ex_value32_fields, \
	       LOW(32)), .word = UM_EXTRA_WORD(number), __VA_ARGS__ }

#define M_FILTER(number) .word = UM_EXTRA_WORD(number), INC(0xaull, 1), .only_if_set = true, \
	.reg.other_units = true

/*
 * ZDP_CTL_FVC: events 0xd to 0x10 share the fields fvid, bcmd and resp; above these, each event has three bits of its
 * own, which select what it counts. On Westmere-EX fvid is one bit wider, so all other fields are one bit higher.
 */
#define M_FVC_EVENT(event, k, wide) { \
	SECOND(0xcab, "M%b_MSR_PMU_ZDP_CTL_FVC", "second register of some events", ex_value32_fields, \
	       LOW(32)), .word = UM_EXTRA_WORD(M_FVC), INC(event, 1), \
	.mask = LOW(11 + wide) | BITS(11 + wide + 3 * k, 13 + wide + 3 * k) | \
		BITS(23 + wide, 31) }

#define M_EXTRAS(wide) { \
	M_SUB(0xca5, "DSP", M_DSP, INC(0ull, 1)), M_SUB(0xca5, "DSP", M_DSP, FLAG(0ull)), \
	M_SUB(0xca6, "ISS", M_ISS, INC(9ull, 1)), M_SUB(0xca6, "ISS", M_ISS, INC(0xaull, 1)), \
	M_SUB(0xca6, "ISS", M_ISS, FLAG(1ull)), M_SUB(0xca7, "MAP", M_MAP, FLAG(6ull)), \
	M_SUB(0xca8, "MSC_THR", M_THR, INC(4ull, 2)), \
	M_SUB(0xca9, "PGT", M_PGT, INC(0x16ull, 1)), M_SUB(0xca9, "PGT", M_PGT, FLAG(5ull)), \
	M_SUB(0xcaa, "PLD", M_PLD, INC(0xaull, 2)), \
	M_FVC_EVENT(0xdull, 0, wide), M_FVC_EVENT(0xeull, 1, wide), \
	M_FVC_EVENT(0xfull, 2, wide), M_FVC_EVENT(0x10ull, 3, wide), \
	{ SECOND(0xe55, "M%b_MSR_MATCH", "addresses to count", ex_match34_fields, LOW(34)), \
	  M_FILTER(M_FILTER_MATCH) }, \
	{ SECOND(0xe56, "M%b_MSR_MASK", "which bits of an address are compared", ex_mask27_fields, \
		 LOW(27)), M_FILTER(M_FILTER_MASK) }, \
	{ SECOND(0xe54, "M%b_MSR_MM_CFG", "switches the comparison on", ex_match_on_fields, BIT(63)), \
	  M_FILTER(M_FILTER_EN), .before = 0, .after = BIT(63) } }

static const struct um_extra nehalem_m_extras[] = M_EXTRAS(0);
static const struct um_extra westmere_m_extras[] = M_EXTRAS(1);

static const struct um_reg m_others[] = {
	ROW(0xca1, 1, UM_REG_RO, "M%b_MSR_PMON_STATUS", "which counters have wrapped",
	    ex_wrapped6_fields, LOW(6), 0),
	ROW(0xca2, 1, UM_REG_WO, "M%b_MSR_PMON_OVF_CTL", "clears bits of the status",
	    ex_wrapped6_fields, LOW(6), LOW(6)),
	ROW(0xca4, 1, UM_REG_RW, "M%b_MSR_PMU_TIMESTAMP", "when a counter is sampled",
	    ex_value32_fields, LOW(32), 0),
};

/*
 * ---- R-box: event 6p + k belongs to port p of the box and needs registers of this port: IPERF_CFG0 or IPERF_CFG1 if k
 * is 0 or 1; the low or the high byte of QLX if k is 2 or 3; packet comparison set 1 or 2 if k is 4 or 5. Box 1 has
 * ports 4 to 7. ----
 */
enum { R_IPERF, R_QLX, R_XBR_CFG, R_XBR_MATCH, R_XBR_MASK };

static const struct um_term r_terms[] = {
	TERM_EVENT5,
	TERM_EXTRA(R_IPERF, "iperf_cfg", "IPERF_CFG register (events 6p, 6p + 1)", 0, 32),
	TERM_EXTRA(R_QLX, "qlx_cfg", "QLX register (events 6p + 2: low byte, 6p + 3: high byte)",
		   0, 16),
	TERM_EXTRA(R_XBR_CFG, "xbr_mm_cfg", "what is compared (events 6p + 4, 6p + 5)", 0, 32),
	TERM_EXTRA(R_XBR_MATCH, "xbr_match", "packet bits to compare with", 0, 64),
	TERM_EXTRA(R_XBR_MASK, "xbr_mask", "which packet bits are compared", 0, 64),
};

#define R_WHEN(n) .when_mask = BITS(1, 5), .when_value = (n) << 1
#define R_XBR(p, set, address, n) \
	{ SECOND(address, "R%b_MSR_PORT" #p "_XBR_SET" #set "_MM_CFG", "what is compared", \
		 ex_xbr_cfg_fields, LOW(32)), .word = UM_EXTRA_WORD(R_XBR_CFG), R_WHEN(n) }, \
	{ SECOND((address) + 1, "R%b_MSR_PORT" #p "_XBR_SET" #set "_MATCH", "packets to count", \
		 ex_match64_fields, ~0ull), .word = UM_EXTRA_WORD(R_XBR_MATCH), R_WHEN(n) }, \
	{ SECOND((address) + 2, "R%b_MSR_PORT" #p "_XBR_SET" #set "_MASK", \
		 "which bits of a packet are compared", ex_mask64_fields, ~0ull), \
	  .word = UM_EXTRA_WORD(R_XBR_MASK), R_WHEN(n) }
#define R_QLX_BYTE(p, bits, n) { \
	SECOND(0xe0c + p, "R%b_MSR_PORT" #p "_QLX_CFG", "what the port's queue events count", \
	       ex_value16_fields, LOW(16)), .word = UM_EXTRA_WORD(R_QLX), .mask = bits, R_WHEN(n) }
#define R_PORT(p) \
	{ SECOND(0xe04 + p, "R%b_MSR_PORT" #p "_IPERF_CFG0", "what the port's IPERF events count", \
		 ex_value32_fields, LOW(32)), .word = UM_EXTRA_WORD(R_IPERF), R_WHEN(6 * p), \
	  .reg.other_units = true }, \
	{ SECOND(0xe24 + p, "R%b_MSR_PORT" #p "_IPERF_CFG1", "what the port's IPERF events count", \
		 ex_value32_fields, LOW(32)), .word = UM_EXTRA_WORD(R_IPERF), R_WHEN(6 * p + 1), \
	  .reg.other_units = true }, \
	R_QLX_BYTE(p, 0xff, 6 * p + 2), R_QLX_BYTE(p, 0xff00, 6 * p + 3), \
	R_XBR(p, 1, 0xe60 + 4 * p, 6 * p + 4), R_XBR(p, 2, 0xe70 + 4 * p, 6 * p + 5)

static const struct um_extra r_extras[] = { R_PORT(0), R_PORT(1), R_PORT(2), R_PORT(3) };

static const struct um_reg r_others[] = STATUS(0xe01, "R%b", 8);

/* ---- C-box and W-box ---- */

/* Offsets of the C-boxes, in bit-reversed order; the last two exist on Westmere-EX only. */
static const int32_t c_offsets[] = { 0, 0x80, 0x40, 0xc0, 0x20, 0xa0, 0x60, 0xe0, 0x240, 0x2c0 };

static const struct um_reg c_others[] = STATUS(0xd01, "C%b", 6);
static const struct um_reg w_others[] = STATUS(0xc81, "W", 4);

static const struct um_fixed w_fixed[] = {
	{
		.counter = ROW(0x394, 1, UM_REG_RW, "W_MSR_PMON_FIXED_CTR",
			       "fixed counter: uncore clock ticks", um_count48_fields, LOW(48),
			       LOW(48)),
		.control = ROW(0x395, 1, UM_REG_RW, "W_MSR_PMON_FIXED_CTL",
			       "switches the fixed counter on", ex_w_fixed_fields, BIT(0), BIT(0)),
		.enable = BIT(0), .width = 48, .event = "UNCORE_CLOCK", .aliases = { "clockticks", "UNC_CLK_UNHALTED" },
		.desc = "uncore clock ticks",
	},
};

/*
 * Upper bounds, which err on the high side: the uncore runs at 2.67 GHz at most, and the longest queue with an
 * occupancy event has 64 entries.
 */
#define BOX .scope = UM_SCOPE_PACKAGE, .max_clock_hz = 4000000000u, .max_increment = 64, \
	.source = FROM
#define GATES(address, label, list, bits) \
	GATE_LIST(GLOBAL_GATE, BOX_GATE(address, label, list, bits))

#define CBOX(number) { \
	.name = "cbox", .desc = "C-boxes: slices of the last-level cache", \
	.kernel = "uncore_cbox", BOX, \
	.units = { .from = UM_UNITS_CORES, .max = number, .offsets = c_offsets }, \
	WIDE_SELECTOR(0xd10, 6, "C%b_MSR_PMON_EVT_SEL%u"), \
	COUNTERS(0xd11, 6, "C%b_MSR_PMON_CTR%u"), LIST(terms, wide_terms), \
	GATES(0xd00, "C%b_MSR_PMON_GLOBAL_CTL", ex_enable6_fields, LOW(6)), EX_OTHERS(c_others) }

#define OTHER_BOXES(m_extras) { \
	.name = "ubox", .desc = "U-box: system configuration, interrupts", \
	.kernel = "uncore_ubox", BOX, .units = { .max = 1 }, \
	SELECTOR_ROW( \
		.reg = ROW(0xc10, 1, UM_REG_RW, "U_MSR_PMON_EVT_SEL", \
			   "selector: which event its counter counts", ex_u_selector_fields, \
			   U_SELECTOR_BITS, U_SELECTOR_BITS), \
		SELECTOR_EVENT, .enable = BIT(22), .pmi = BIT(20), \
		.settable = U_SELECTOR_BITS & ~BIT(20)), \
	.num_general = 1, .general_width = 48, \
	COUNTER_ROW(ROW(0xc11, 1, UM_REG_RW, "U_MSR_PMON_CTR", "general counter", \
			um_count48_fields, LOW(48), LOW(48))), \
	LIST(terms, u_terms), \
	GATE_LIST(GLOBAL_GATE, { .reg = GLOBAL_REG, .per_counter = true, .bit0 = 0 }), \
}, { \
	.name = "bbox", .desc = "B-boxes: home agents", .kernel = "uncore_bbox", BOX, \
	.units = { .max = 2, .stride = 0x40, .other_stride = 8 }, \
	SELECTOR_ROW( \
		NARROW_SELECTOR(0xc30, 4, "B%b_MSR_PMON_EVT_SEL%u", ex_b_selector_fields, LOW(6), 0), \
		.event = { "event", 1, 5 }, \
		.settable = LOW(8), .not_written = BITS(6, 7)), \
	COUNTERS(0xc31, 4, "B%b_MSR_PMON_CTR%u"), LIST(terms, b_terms), \
	LIST(constraints, b_constraints), LIST(extras, b_extras), \
	GATES(0xc20, "B%b_MSR_PMON_GLOBAL_CTL", ex_enable4_fields, LOW(4)), EX_OTHERS(b_others) \
}, { \
	.name = "sbox", .desc = "S-boxes: between the C-boxes and the router", \
	.kernel = "uncore_sbox", BOX, .units = { .max = 2, .stride = 0x80, .other_stride = 0x10 }, \
	WIDE_SELECTOR(0xc50, 4, "S%b_MSR_PMON_EVT_SEL%u"), \
	COUNTERS(0xc51, 4, "S%b_MSR_PMON_CTR%u"), LIST(terms, s_terms), LIST(extras, s_extras), \
	GATES(0xc40, "S%b_MSR_PMON_GLOBAL_CTL", ex_enable4_fields, LOW(4)), EX_OTHERS(s_others) \
}, { \
	.name = "mbox", .desc = "M-boxes: memory controllers", .kernel = "uncore_mbox", BOX, \
	.units = { .max = 2, .stride = 0x40, .other_stride = 8 }, \
	SELECTOR_ROW( \
		NARROW_SELECTOR(0xcb0, 6, "M%b_MSR_PMON_EVT_SEL%u", ex_m_selector_fields, \
				M_SELECTOR_BITS, BIT(1)), \
		.event = { "inc_sel", 9, 5 }, \
		.settable = M_SELECTOR_BITS & ~BIT(1)), \
	COUNTERS(0xcb1, 6, "M%b_MSR_PMON_CTR%u"), LIST(terms, m_terms), LIST(extras, m_extras), \
	LIST(defaults, m_defaults), \
	GATES(0xca0, "M%b_MSR_PMON_GLOBAL_CTL", ex_enable6_fields, LOW(6)), EX_OTHERS(m_others) \
}, { \
	.name = "rbox", .desc = "R-boxes: router; box 0 has ports 0 to 3, box 1 ports 4 to 7", \
	.kernel = "uncore_rbox", BOX, .units = { .max = 2, .stride = 0x20, .other_stride = 4 }, \
	SELECTOR_ROW( \
		NARROW_SELECTOR(0xe10, 8, "R%b_MSR_PMON_EVT_SEL%u", ex_r_selector_fields, LOW(7), \
				BIT(6)), \
		.event = { "event", 1, 5 }, .settable = LOW(6)), \
	COUNTERS(0xe11, 8, "R%b_MSR_PMON_CTR%u"), LIST(terms, r_terms), LIST(extras, r_extras), \
	GATES(0xe00, "R%b_MSR_PMON_GLOBAL_CTL", ex_enable8_fields, LOW(8)), EX_OTHERS(r_others) \
}, { \
	.name = "wbox", .desc = "W-box: power control, and the uncore clock", \
	.kernel = "uncore_wbox", BOX, .units = { .max = 1 }, \
	WIDE_SELECTOR(0xc90, 4, "W_MSR_PMON_EVT_SEL%u"), \
	COUNTERS(0xc91, 4, "W_MSR_PMON_CTR%u"), LIST(terms, wide_terms), LIST(fixed, w_fixed), \
	GATES(0xc80, "W_MSR_PMON_GLOBAL_CTL", ex_enable_w_fields, LOW(4) | BIT(31)), \
	EX_OTHERS(w_others) \
}

static const struct um_pmu nehalem_ex_pmus[] = { CBOX(8), OTHER_BOXES(nehalem_m_extras) };
static const struct um_pmu westmere_ex_pmus[] = { CBOX(10), OTHER_BOXES(westmere_m_extras) };

const struct um_uarch um_uarch_nehalem_ex = {
	.name = "nehalem-ex", .title = "Nehalem-EX", .scope = UM_SCOPE_PACKAGE, LIST(regs, regs),
	LIST(pmus, nehalem_ex_pmus),
};

const struct um_uarch um_uarch_westmere_ex = {
	.name = "westmere-ex", .title = "Westmere-EX", .scope = UM_SCOPE_PACKAGE, LIST(regs, regs),
	LIST(pmus, westmere_ex_pmus),
};
