/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What client parts from Sandy Bridge on share: selectors (with a threshold of five or six bits), global control,
 * clock. Only their table files include this file.
 *
 * Trap: from Sandy Bridge on 394 is the control of the fixed counter and 395 the counter. On Nehalem it is the reverse.
 */
#ifndef UM_UARCH_CLIENT_H
#define UM_UARCH_CLIENT_H

#include "uarch/fields.h"

#define CLIENT_ROW(address, n, rw, label, text, list, bits, written, from) \
	REG(UM_SCOPE_PACKAGE, address, n, rw, label, text, list, bits, written, from)

/* ---- selectors ---- */

/* We may write all bits that exist, to restore what another program left in a disabled selector. */
#define CLIENT_SELECTOR_BITS(thresh) \
	(LOW(16) | BIT(18) | BIT(20) | BIT(22) | BIT(23) | LOW(thresh) << 24)

/* Writing 0 switches the counter off. Events cannot set OVF_EN, because nothing handles the interrupt. */
#define CLIENT_SELECTOR(address, n, label, thresh, from) SELECTOR_ROW( \
	.reg = CLIENT_ROW(address, n, UM_REG_RW, label, \
			  "selector: which event its counter counts, and how", \
			  client_selector##thresh##_fields, CLIENT_SELECTOR_BITS(thresh), \
			  CLIENT_SELECTOR_BITS(thresh), from), \
	SELECTOR_EVENT, SELECTOR_UMASK, .enable = BIT(22), .pmi = BIT(20), \
	.settable = CLIENT_SELECTOR_BITS(thresh) & ~BIT(20)), \
	.max_increment = 1u << (thresh)

#define CLIENT_COUNTER(address, n, label, bits, from) \
	.num_general = n, .general_width = bits, \
	COUNTER_ROW(CLIENT_ROW(address, n, UM_REG_RW, label, "general counter", \
			       um_count##bits##_fields, LOW(bits), LOW(bits), from))

#define CLIENT_TERMS(thresh_name, thresh) { TERM_EVENT, TERM_UMASK, TERM_EDGE, TERM_INV, \
	TERM_THRESH(thresh_name, thresh) }
/* The kernel names the threshold "cmask" up to Rocket Lake, "threshold" later. */
static const struct um_term client_cmask5_terms[] = CLIENT_TERMS("cmask", 5);
static const struct um_term client_threshold6_terms[] = CLIENT_TERMS("threshold", 6);

/*
 * Only counter 0 can add up queue occupancy (Linux uncore_snb.c, snb_uncore_arb_constraints). Event 0x85 is from
 * intel/perfmon; the kernel does not have it.
 */
static const struct um_constraint client_arb_constraints[] = {
	ONLY(0x80, COUNTER_0), ONLY(0x83, COUNTER_0), ONLY(0x85, COUNTER_0),
};

/* ---- gates (if @absent is set, parts may lack the register) ---- */

/* Bits 0 to 4 route interrupts; we do not change them. */
#define CLIENT_GLOBAL_BITS (LOW(5) | BITS(29, 31))

#define CLIENT_GLOBAL_GATE(address, label, absent, from) { \
	.reg = CLIENT_ROW(address, 1, UM_REG_RW, label, "lets the counters of the uncore run", \
			  client_global_fields, CLIENT_GLOBAL_BITS, BIT(29), from), \
	.mask = BIT(29), .value = BIT(29), .may_be_absent = absent }

/* Meteor Lake and later: the box control of an NCU enables the counters of its tile. */
#define CLIENT_BOX_GATE(address, label, absent, from) { \
	.reg = CLIENT_ROW(address, 1, UM_REG_RW, label, "lets the counters of the uncore run", \
			  client_box_control_fields, BIT(29), BIT(29), from), \
	.mask = BIT(29), .value = BIT(29), .may_be_absent = absent }

/*
 * We never clear overflow bits here. Bit 1 stands for all counters of the ARB, bit 3 for all counters of the C-boxes,
 * so clearing a bit could hide a wrap of another program's counter.
 */
#define CLIENT_STATUS(address, label, from) \
	CLIENT_ROW(address, 1, UM_REG_RW, label, "which counters have wrapped", \
		   client_status_fields, BIT(0) | BIT(1) | BIT(3), 0, from)

#define CLIENT_CBO_CONFIG(from) \
	CLIENT_ROW(0x396, 1, UM_REG_RO, "UNC_CBO_CONFIG", "how many CBo boxes there are", \
		   client_cbo_config_fields, LOW(4), 0, from)

/* ---- the clock ---- */

/* Other names of UNC_CLOCK.SOCKET (perfmon): clockticks in the kernel, UNCORE_CLOCK in likwid. */
#define CLIENT_CLOCK_ALIASES { "clockticks", "UNCORE_CLOCK" }

/*
 * A clock counter. Up to Raptor Lake sources disagree whether it has 44 or 48 bits. Differences of 44 bits are right in
 * both cases, as long as two reads are closer than a wrap of 44 bits (46 minutes at 6.4 GHz).
 */
#define CLIENT_CLOCK(control_msr, control_label, counter_msr, counter_label, bits, from) { \
	.counter = CLIENT_ROW(counter_msr, 1, UM_REG_RW, counter_label, \
			      "fixed counter: uncore clock ticks", um_count48_fields, LOW(48), \
			      LOW(48), from), \
	.control = CLIENT_ROW(control_msr, 1, UM_REG_RW, control_label, \
			      "switches the fixed counter on", client_fixed_fields, \
			      BIT(20) | BIT(22), BIT(20) | BIT(22), from), \
	.enable = BIT(22), .pmi = BIT(20), .width = bits, .event = "UNC_CLOCK.SOCKET", \
	.aliases = CLIENT_CLOCK_ALIASES, .desc = "uncore clock ticks" }

/*
 * Upper bounds. They decide how often counters have to be read, so they err on the high side. Ring clocks stay near or
 * below 5 GHz. An occupancy event adds the number of entries in a queue each clock. The threshold is compared with this
 * number, so its width of five or six bits bounds it (max_increment in CLIENT_SELECTOR).
 */
#define CLIENT_BOUNDS .max_clock_hz = 6400000000u

#define CLIENT_TABLE(id, label, text) const struct um_uarch um_uarch_##id = { \
	.name = label, .title = text, .scope = UM_SCOPE_PACKAGE, LIST(regs, regs), \
	LIST(pmus, pmus) }

#define CLIENT_CBO_DESC "C-boxes: slices of the last-level cache, one per core"
#define CLIENT_ARB_DESC "arbiter: requests from the ring to memory and devices"
#define CLIENT_CLOCK_DESC "uncore clock"

/* PMUs that several table files share. A file that uses them defines GATES and FROM, and an array named "clock". */
#define CLIENT_ARB_PMU(from) { \
	.name = "arb", .desc = CLIENT_ARB_DESC, .kernel = "uncore_arb", \
	.scope = UM_SCOPE_PACKAGE, .units = { .max = 1 }, \
	CLIENT_SELECTOR(0x3b2, 2, "UNC_ARB_PERFEVTSEL%u", 5, from), \
	CLIENT_COUNTER(0x3b0, 2, "UNC_ARB_PERFCTR%u", 44, from), \
	LIST(terms, client_cmask5_terms), LIST(constraints, client_arb_constraints), \
	GATES, CLIENT_BOUNDS, .source = from }
#define CLIENT_CLOCK_PMU(linux_name, from) { \
	.name = "clock", .desc = CLIENT_CLOCK_DESC, .kernel = linux_name, \
	.scope = UM_SCOPE_PACKAGE, .units = { .max = 1 }, \
	NO_COUNTERS, LIST(fixed, clock), GATES, CLIENT_BOUNDS, .max_increment = 1, .source = from }
#define CLIENT_IMC_PMU(linux_name) \
	OUT_OF_REACH("imc", "memory controller: free-running counters of reads and writes", \
		     UM_REACH_MMIO, linux_name)

#endif
