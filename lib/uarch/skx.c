/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Skylake-SP, Cascade Lake-SP, Cooper Lake (family 6 model 55): CHAs at E00, I/O stacks at A40, U
 * box and power control unit as on Haswell-EP.
 *
 * The number of CHAs is read from MSR 702, as in Intel PCM (the kernel counts bits of CAPID6 in PCI config space). A
 * package with two dies (Cascade Lake-AP) has these registers once per die. The free-running counters of the I/O stacks
 * have only 36 bits.
 */
#include "uarch/iio.h"

#define SCOPE UM_SCOPE_DIE
#define SOURCE "Linux uncore_snbep.c (skx); LIKWID; Intel PCM"
#define GLOBAL_SOURCE "LIKWID; Intel PCM"
#define FREE_RUNNING_SOURCE SOURCE

#include "uarch/skx.h"

#define TID BITS(0, 8)
#define LINK BITS(9, 12)
#define STATE BITS(17, 26)
#define NODES BITS(0, 1)
#define NEAR BITS(4, 5)
#define OPCODES BITS(9, 28)
#define FILTER1_BITS (NODES | BIT(3) | NEAR | OPCODES | BITS(29, 31))

#define FILTER0 \
	PMON_REG(0xe05, 1, "C%b_MSR_PMON_BOX_FILTER0", CBO_FILTER_TEXT, skx_filter0_fields, \
		 TID | LINK | STATE, TID | LINK | STATE, 0)
#define FILTER1 \
	PMON_REG(0xe06, 1, "C%b_MSR_PMON_BOX_FILTER1", CBO_FILTER_TEXT, skx_filter1_fields, \
		 FILTER1_BITS, FILTER1_BITS, 0)

/* Unit masks of event 34 for which Linux writes the filter STATE; with all others it drops the filter. */
#define CHA_STATES 0x03, 0x05, 0x09, 0x11, 0x31, 0x91

static const struct um_extra cha_extras[] = {
	EXTRA(FILTER_TID, TID, PMON_TID_EN, PMON_TID_EN, FILTER0),
	EXTRA(FILTER_STATE, STATE, 0xff, 0x34, FILTER0),
	EXTRA(FILTER_TID, TID, 0xff, 0x38, FILTER0),
	EXTRA(FILTER_LINK, LINK, 0xff, 0x38, FILTER0),
	EXTRA_2(FILTER_MATCH, FILTER1_BITS, 0xff, 0x35, FILTER1),
	EXTRA_2(FILTER_MATCH, FILTER1_BITS, 0xff, 0x36, FILTER1),
};

#define CHA_FROM "skx_uncore_cha_extra_regs"
static const struct um_linux_rule cha_rules[] = {
	RULE(UM_KERNEL_KEEPS, FILTER_TID, TID, CHA_FROM, .when_mask = 0xff, .when_value = 0x38),
	DROPS(FILTER_TID, TID, PMON_TID_EN, PMON_TID_EN, CHA_FROM),
	DROPS_BUT(CHA_STATES, FILTER_STATE, STATE, 0xff, 0x34, CHA_FROM),
	VERBATIM(FILTER_MATCH, BIT(29), "skx_uncore_cha_formats_attr"),
};

/* TOR events count nothing while these filter bits are 0. Intel PCM also uses 0x3b as "no filter" in FILTER_MATCH. */
static const struct um_default cha_defaults[] = {
	DEFAULT_STATE(STATE),
	{ .word = UM_EXTRA_WORD(FILTER_MATCH), .mask = NODES, .value = NODES,
	  .why = "neither remote nor local given: both" },
	{ .word = UM_EXTRA_WORD(FILTER_MATCH), .mask = BIT(3) | OPCODES, .value = BIT(3),
	  .why = "no opcode given: all of them" },
	{ .word = UM_EXTRA_WORD(FILTER_MATCH), .mask = NEAR, .value = NEAR,
	  .why = "neither near memory nor other given: both" },
};

static const struct um_term cha_terms[] = {
	TERMS_PMON(8), TERM_TID_EN(19), TERM_FILTER_TID(9, PMON_TID_EN),
	TERM_EXTRA(FILTER_LINK, "filter_link", "links whose responses event 0x38 counts", 9, 4),
	TERM_EXTRA(FILTER_STATE, "filter_state", "line states that event 0x34 counts", 17, 10),
	TERM_EXTRA(FILTER_MATCH, "filter_rem", "1: count requests for remote memory", 0, 1),
	TERM_EXTRA(FILTER_MATCH, "filter_loc", "1: count requests for local memory", 1, 1),
	TERM_EXTRA(FILTER_MATCH, "filter_all_op", "1: count any opcode", 3, 1),
	TERM_EXTRA(FILTER_MATCH, "filter_nm", "1: count requests for near memory", 4, 1),
	TERM_EXTRA(FILTER_MATCH, "filter_not_nm", "1: count requests for other memory", 5, 1),
	TERM_EXTRA(FILTER_MATCH, "filter_opc0", "opcode that events 0x35 and 0x36 count", 9, 10),
	TERM_EXTRA(FILTER_MATCH, "filter_opc1", "another opcode that events 0x35 and 0x36 count", 19, 10),
	TERM_EXTRA(FILTER_MATCH, "filter_c6", "1: only requests of a core in C6", 29, 1),
	TERM_EXTRA(FILTER_MATCH, "filter_nc", "1: only non-coherent requests", 30, 1),
	TERM_EXTRA(FILTER_MATCH, "filter_isoc", "1: only isochronous requests", 31, 1),
};

/* Event 3b is from Intel's event list only. */
static const struct um_constraint cha_constraints[] = {
	ONLY(0x11, COUNTER_0), ONLY(0x36, COUNTER_0), ONLY(0x3b, COUNTER_0),
};
static const struct um_reg cha_others[] = { PMON_STATUS(0xe07, "C%b", 4) };

#define CHANNELS BITS(36, 43)
#define FLOWS BITS(44, 46)
#define IIO_BITS (PMON_BITS_INV(12) | CHANNELS | FLOWS)

static const struct um_term iio_terms[] = { TERMS_IIO(36, 8, 44) };
static const struct um_default iio_defaults[] = { DEFAULTS_IIO(CHANNELS, FLOWS) };
static const struct um_constraint iio_constraints[] = {
	ONLY(0x83, COUNTERS_0_1), ONLY(0x88, COUNTERS_2_3), ONLY(0x95, COUNTERS_2_3),
	ONLY(0xc0, COUNTERS_2_3), ONLY(0xc5, COUNTERS_2_3), ONLY(0xd4, COUNTERS_2_3),
	ONLY(0xd5, COUNTERS_2_3),
};
static const struct um_reg iio_others[] = { PMON_STATUS(0xa47, "IIO%b", 4) };
static const struct um_reg irp_others[] = { PMON_STATUS(0xa5f, "IRP%b", 2) };

#define BW_IN(msr, port) IIO_IN(msr, skx_count36_fields, 36, port, true, 4)
#define BW_OUT(msr, port) \
	IIO_OUT(msr, skx_count36_fields, 36, port, true, 0x24 + (port), IIO_BYTES(4))
#define UTIL(msr, way, port, mask) \
	FREE_RUNNING(msr, skx_count36_fields, 36, "util_" way "_port" port, \
		     "clocks in which port " port " moved data, " way, true, .scale = 0, .umask = (mask))

/* Counters of bandwidth and utilisation are 0x10 apart from stack to stack, clock counters 0x20. */
static const struct um_fixed iio_free[] = {
	IIO_CLOCK(0xa45, skx_count36_fields, 36),
	BW_IN(0xb00, 0), BW_IN(0xb01, 1), BW_IN(0xb02, 2), BW_IN(0xb03, 3),
	BW_OUT(0xb04, 0), BW_OUT(0xb05, 1), BW_OUT(0xb06, 2), BW_OUT(0xb07, 3),
	UTIL(0xb08, "in", "0", 0x30), UTIL(0xb09, "out", "0", 0x31), UTIL(0xb0a, "in", "1", 0x32),
	UTIL(0xb0b, "out", "1", 0x33), UTIL(0xb0c, "in", "2", 0x34), UTIL(0xb0d, "out", "2", 0x35),
	UTIL(0xb0e, "in", "3", 0x36), UTIL(0xb0f, "out", "3", 0x37),
};

static const struct um_pmu pmus[] = {
	{
		.name = "cha", .kernel = "uncore_cha", .desc = CHA_DESC,
		.scope = SCOPE, .source = SOURCE,
		.units = { .from = UM_UNITS_MSR, .max = 28, .stride = 0x10, .msr = 0x702,
			   .width = 6 },
		PMON_SELECTOR(0xe01, 4, "C%b", um_pmon8_tid_fields, PMON_BITS_INV(8) | PMON_TID_EN),
		PMON_COUNTERS(0xe08, 4, "C%b", 48), PMON_BOX(0xe00, "C%b"),
		LIST(terms, cha_terms), LIST(extras, cha_extras), LIST(defaults, cha_defaults), LIST(rules, cha_rules),
		LIST(constraints, cha_constraints), PMON_OTHERS(cha_others), PMON_BOUNDS,
	}, {
		.name = "iio", .kernel = "uncore_iio", .desc = IIO_DESC,
		.scope = SCOPE, .source = SOURCE, .units = { .max = 6, .stride = 0x20 },
		PMON_SELECTOR(0xa48, 4, "IIO%b", skx_iio_fields, IIO_BITS),
		PMON_COUNTERS(0xa41, 4, "IIO%b", 48), PMON_BOX2(0xa40, "IIO%b"),
		LIST(terms, iio_terms), LIST(defaults, iio_defaults),
		LIST(constraints, iio_constraints), PMON_OTHERS(iio_others), PMON_BOUNDS,
		.note = "stack 0 is CBDMA and DMI, 1 to 3 are PCIe 0 to 2, 4 and 5 on-package",
	},
	IIO_FREE_RUNNING(iio_free, .max = 6, .stride = 0x20, .other_stride = 0x10),
	{
		.name = "irp", .kernel = "uncore_irp", .desc = IRP_DESC,
		.scope = SCOPE, .source = SOURCE, .units = { .max = 6, .stride = 0x20 },
		PMON_SELECTOR(0xa5b, 2, "IRP%b", um_pmon8_fields, PMON_BITS_INV(8)),
		PMON_COUNTERS(0xa59, 2, "IRP%b", 48), PMON_BOX2(0xa58, "IRP%b"),
		LIST(terms, um_pmon8_terms), PMON_OTHERS(irp_others), PMON_BOUNDS,
	},
	UBOX, PCU,
	OUT_OF_REACH("imc", "memory controller channels", UM_REACH_PCI, "uncore_imc"),
	OUT_OF_REACH("m2m", "mesh to memory", UM_REACH_PCI, "uncore_m2m"),
	OUT_OF_REACH("upi", "UPI links", UM_REACH_PCI, "uncore_upi"),
	OUT_OF_REACH("m3upi", "mesh to UPI", UM_REACH_PCI, "uncore_m3upi"),
	OUT_OF_REACH("m2pcie", M2PCIE_DESC, UM_REACH_PCI, "uncore_m2pcie"),
};

static const struct um_reg regs[] = {
	GLOBAL_CTL(0x700, 61), GLOBAL_STATUS(0x701, ""), GLOBAL_CONFIG(0x702),
};

const struct um_uarch um_uarch_skylake_sp = {
	.name = "skylake-sp", .title = "Skylake-SP, Cascade Lake-SP, Cooper Lake", .scope = SCOPE,
	LIST(regs, regs), LIST(pmus, pmus),
};
