/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The second description of the boxes. Wherever a second source exists, a row uses that source instead of the one that
 * lib/uarch uses (enum um_sim_from). lib/uarch follows the kernel's drivers in most of its tables, the guides for Sandy
 * Bridge-EP and Ivy Bridge-EP, and Intel PCM from Sapphire Rapids on. tests/unit/test_second.c lists the rows without a
 * second source.
 */
#include "sim/box_layout.h"
#include "sim/machine.h"

#define BIT UM_SIM_BIT
#define BITS UM_SIM_BITS

#define FROM(who) .from = UM_SIM_FROM_##who
#define ALSO(who) .also = UM_SIM_FROM_##who
#define BOX(f, name, where) .families = (f), .pmu = (name), .scope = UM_SIM_PER_##where
#define UNITS(how, n, by) .units = UM_SIM_UNITS_##how, .max = (n), .apart = (by)
#define UNITS_AT(how, list) .units = UM_SIM_UNITS_##how, .max = ARRAY_SIZE(list), .offsets = (list)
#define COUNT(sel, ctr, n, bits) .selector = (sel), .counter = (ctr), .num = (n), .width = (bits)
#define PAIRS(sel, n) COUNT(sel, (sel) + 1, n, 48), .step = 2
#define LIST(x, list) .x = (list), .num_##x = ARRAY_SIZE(list)

#define RW(address, bits) { .msr = (address), .access = UM_SIM_RW, .valid = (bits) }
#define RW_APART(address, bits, by) { .msr = (address), .access = UM_SIM_RW, .valid = (bits), \
	.apart = (by) }
#define RO(address) { .msr = (address), .access = UM_SIM_RO }
#define WO(address, bits) { .msr = (address), .access = UM_SIM_WO, .valid = (bits) }
#define STATUS(address, n) { .msr = (address), .access = UM_SIM_W1C, .valid = BITS((n) - 1, 0) }

/* ---- Nehalem, Westmere: one PMU without boxes ---- */

static const struct um_sim_fixed nehalem_clock[] = { { 0x395, 0x394, 48, "UNC_CLK_UNHALTED", NULL } };

/* ---- Nehalem-EX, Westmere-EX ---- */

#define EX (UM_SIM_NHM_EX | UM_SIM_WSM_EX)
/* Offsets of C-boxes, which are not in the order of their numbers. Westmere-EX has two more, far above these eight. */
static const int32_t ex_c8[] = { 0, 0x80, 0x40, 0xc0, 0x20, 0xa0, 0x60, 0xe0 };
static const int32_t ex_c10[] = { 0, 0x80, 0x40, 0xc0, 0x20, 0xa0, 0x60, 0xe0, 0x240, 0x2c0 };
#define EX_STATUS(address, n) RO(address), WO((address) + 1, BITS((n) - 1, 0))
static const struct um_sim_plain ex_c[] = { EX_STATUS(0xd01, 6) };
static const struct um_sim_plain ex_b[] = {
	EX_STATUS(0xc21, 4), RW_APART(0xe45, ~0ull, 8), RW_APART(0xe46, ~0ull, 8),
};
static const struct um_sim_plain ex_s[] = {
	EX_STATUS(0xc41, 4), RW_APART(0xe48, BIT(63), 0x10), RW_APART(0xe49, ~0ull, 0x10),
	RW_APART(0xe4a, ~0ull, 0x10),
};
static const struct um_sim_plain ex_m[] = {
	EX_STATUS(0xca1, 6), RW(0xca4, BITS(31, 0)), RW(0xca5, BITS(31, 0)),
	RW(0xca6, BITS(31, 0)), RW(0xca7, BITS(31, 0)), RW(0xca8, BITS(31, 0)),
	RW(0xca9, BITS(31, 0)), RW(0xcaa, BITS(31, 0)), RW(0xcab, BITS(31, 0)),
	RW_APART(0xe54, BIT(63), 8), RW_APART(0xe55, BITS(33, 0), 8),
	RW_APART(0xe56, BITS(26, 0), 8),
};
/* The registers of port @p; a box has four ports. */
#define EX_PORT(p) \
	RW_APART(0xe04 + (p), BITS(31, 0), 4), RW_APART(0xe24 + (p), BITS(31, 0), 4), \
	RW(0xe0c + (p), BITS(15, 0)), \
	RW(0xe60 + 4 * (p), BITS(31, 0)), RW(0xe61 + 4 * (p), ~0ull), RW(0xe62 + 4 * (p), ~0ull), \
	RW(0xe70 + 4 * (p), BITS(31, 0)), RW(0xe71 + 4 * (p), ~0ull), RW(0xe72 + 4 * (p), ~0ull)
static const struct um_sim_plain ex_r[] = {
	EX_STATUS(0xe01, 8), EX_PORT(0), EX_PORT(1), EX_PORT(2), EX_PORT(3),
};
static const struct um_sim_plain ex_w[] = { EX_STATUS(0xc81, 4) };
static const struct um_sim_fixed ex_clock[] = { { 0x395, 0x394, 48, "UNCORE_CLOCK", NULL } };

/* ---- client parts ---- */

#define ICL_TGL (UM_SIM_ICL | UM_SIM_TGL)
#define MTL_LNL (UM_SIM_MTL | UM_SIM_LNL)
#define CLOCK "UNC_CLOCK.SOCKET"
/*
 * Sources disagree about the width of the clock. edk2 has bits 47:0 in SandyBridgeMsr.h, 43:0 in SkylakeMsr.h; Linux
 * has 48 bits everywhere (fixed_ctr_bits of uncore_snb.c), LIKWID 44. Each row here has the width of its own source.
 * lib/uarch always uses 44 bits: this tests that its differences are also right on a counter of 48 bits.
 */
static const struct um_sim_fixed snb_clock[] = { { 0x394, 0x395, 48, CLOCK, NULL } };
static const struct um_sim_fixed skl_clock[] = { { 0x394, 0x395, 44, CLOCK, NULL } };
static const struct um_sim_fixed adl_clock[] = { { 0x2fde, 0x2fdf, 48, CLOCK, NULL } };
static const struct um_sim_fixed cncu_clock[] = { { 0x2402, 0x2408, 48, CLOCK, NULL } };
static const struct um_sim_fixed sncu_clock[] = { { 0x2002, 0x2008, 48, CLOCK, NULL } };
static const struct um_sim_fixed nvl_clock[] = { { 0x2022, 0x2028, 48, CLOCK, NULL } };
/* The eighth box of Coffee Lake is at F70. (Only Linux has it; edk2 has four boxes.) */
static const int32_t skl_cbo[] = { 0, 0x10, 0x20, 0x30, 0x40, 0x50, 0x60, 0x870 };
static const struct um_sim_only arb_only[] = { { 0xff, 0x80, 1 }, { 0xff, 0x83, 1 } };

/* ---- Sandy Bridge-EP to Ice Lake-SP ---- */

#define BROADWELL (UM_SIM_BDX | UM_SIM_BDE)
#define UCLK "clockticks"
#define FILTER1 (BITS(31, 20) | BITS(15, 0))

static const struct um_sim_plain snbep_cbo[] = {
	RW(0xd14, BITS(31, 10) | BITS(4, 0)), STATUS(0xd15, 4),
};
static const struct um_sim_plain ivbep_cbo[] = {
	RW(0xd14, BITS(22, 17) | BITS(8, 0)), STATUS(0xd15, 4), RW(0xd1a, FILTER1),
};
/* Counters of an event: column "Ctrs" in the guides' tables of events. Linux lacks the rows of events 0x03 and 0x14. */
static const struct um_sim_only snbep_only[] = {
	{ 0xff, 0x01, 1 }, { 0xff, 0x02, 3 }, { 0xff, 0x03, 3 }, { 0xff, 0x04, 3 },
	{ 0xff, 0x05, 3 }, { 0xff, 0x07, 3 }, { 0xff, 0x09, 3 }, { 0xff, 0x11, 1 },
	{ 0xff, 0x12, 3 }, { 0xff, 0x13, 3 }, { 0xff, 0x14, 3 }, { 0xff, 0x1b, 12 },
	{ 0xff, 0x1c, 12 }, { 0xff, 0x1d, 12 }, { 0xff, 0x1e, 12 }, { 0xff, 0x1f, 14 },
	{ 0xff, 0x21, 3 }, { 0xff, 0x23, 3 }, { 0xff, 0x31, 3 }, { 0xff, 0x32, 3 },
	{ 0xff, 0x33, 3 }, { 0xff, 0x34, 3 }, { 0xff, 0x35, 3 }, { 0xff, 0x36, 1 },
	{ 0xff, 0x37, 3 }, { 0xff, 0x38, 3 }, { 0xff, 0x39, 3 }, { 0xff, 0x3b, 1 },
	/* Only Ivy Bridge-EP has the next event. */
	{ 0xff, 0x3c, 3 },
};
static const struct um_sim_plain ep_pcu[] = { RW(0xc34, BITS(31, 0)), STATUS(0xc35, 4) };
static const struct um_sim_plain ep_ubox[] = { STATUS(0xc15, 2) };
/* The width of 48 bits is from Linux (uncore_snbep.c, fixed_ctr_bits); the guide has a field of 44 bits. */
static const struct um_sim_fixed ep_uclk[] = { { 0xc08, 0xc09, 48, UCLK, NULL } };

static const struct um_sim_plain hsx_cbo[] = {
	RW(0xe05, BITS(23, 17) | BITS(9, 0)), RW(0xe06, FILTER1), STATUS(0xe07, 4),
};
static const struct um_sim_only hsx_only[] = { /* from the event lists in github.com/intel/perfmon */
	{ 0xff, 0x09, 3 }, { 0xff, 0x11, 1 }, { 0xff, 0x36, 1 }, { 0xff, 0x3e, 1 },
};
static const struct um_sim_only bdx_pcu_only[] = { { 0x80, 0x80, 14 } };
static const struct um_sim_plain sbox[] = { STATUS(0x725, 4) };
static const struct um_sim_plain ubox_filter[] = { RW(0x707, BITS(5, 0)), STATUS(0x708, 2) };
static const struct um_sim_plain ubox_status[] = { STATUS(0x708, 2) };
static const struct um_sim_plain pcu_700[] = { RW(0x715, BITS(31, 0)), STATUS(0x716, 4) };
static const struct um_sim_fixed uclk_700[] = { { 0x703, 0x704, 48, UCLK, NULL } };

static const struct um_sim_plain knl_cha[] = {
	RW(0xe05, BITS(20, 18) | BIT(12) | BITS(8, 0)),
	RW(0xe06, BITS(31, 9) | BIT(5) | BIT(3) | BITS(1, 0)), STATUS(0xe07, 4),
};
static const struct um_sim_only cha_only[] = { { 0xff, 0x11, 1 }, { 0xff, 0x36, 1 } };

static const struct um_sim_plain skx_cha[] = {
	RW(0xe05, BITS(26, 17) | BITS(12, 0)), RW(0xe06, BITS(31, 9) | BITS(5, 3) | BITS(1, 0)),
	STATUS(0xe07, 4),
};
static const struct um_sim_only skx_cha_only[] = { /* from the event lists in github.com/intel/perfmon */
	{ 0xff, 0x11, 1 }, { 0xff, 0x36, 1 }, { 0xff, 0x3b, 1 },
};
static const struct um_sim_only skx_iio_only[] = {
	{ 0xff, 0x83, 3 }, { 0xff, 0x88, 12 }, { 0xff, 0x95, 12 }, { 0xff, 0xc0, 12 },
	{ 0xff, 0xc5, 12 }, { 0xff, 0xd4, 12 }, { 0xff, 0xd5, 12 },
};
static const struct um_sim_plain skx_iio[] = { STATUS(0xa47, 4) };
static const struct um_sim_plain skx_irp[] = { STATUS(0xa5f, 2) };
static const int32_t by_10[] = {
	0x00, 0x10, 0x20, 0x30, 0x40, 0x50, 0x60, 0x70, 0x80, 0x90, 0xa0, 0xb0,
};
#define FREE(address, bits, label, list) { 0, address, bits, label, list }
#define BANDWIDTH8(address, by, way, list) \
	FREE(address, 48, "bw_" way "_port0", list), \
	FREE((address) + (by), 48, "bw_" way "_port1", list), \
	FREE((address) + 2 * (by), 48, "bw_" way "_port2", list), \
	FREE((address) + 3 * (by), 48, "bw_" way "_port3", list), \
	FREE((address) + 4 * (by), 48, "bw_" way "_port4", list), \
	FREE((address) + 5 * (by), 48, "bw_" way "_port5", list), \
	FREE((address) + 6 * (by), 48, "bw_" way "_port6", list), \
	FREE((address) + 7 * (by), 48, "bw_" way "_port7", list)
#define SKX_FREE(address, label) FREE(address, 36, label, by_10)
static const struct um_sim_fixed skx_free[] = {
	FREE(0xa45, 36, "ioclk", NULL),
	SKX_FREE(0xb00, "bw_in_port0"), SKX_FREE(0xb01, "bw_in_port1"),
	SKX_FREE(0xb02, "bw_in_port2"), SKX_FREE(0xb03, "bw_in_port3"),
	SKX_FREE(0xb04, "bw_out_port0"), SKX_FREE(0xb05, "bw_out_port1"),
	SKX_FREE(0xb06, "bw_out_port2"), SKX_FREE(0xb07, "bw_out_port3"),
	SKX_FREE(0xb08, "util_in_port0"), SKX_FREE(0xb09, "util_out_port0"),
	SKX_FREE(0xb0a, "util_in_port1"), SKX_FREE(0xb0b, "util_out_port1"),
	SKX_FREE(0xb0c, "util_in_port2"), SKX_FREE(0xb0d, "util_out_port2"),
	SKX_FREE(0xb0e, "util_in_port3"), SKX_FREE(0xb0f, "util_out_port3"),
};

static const struct um_sim_plain snr_cha[] = { RW(0x1c05, BITS(8, 0)) };
static const struct um_sim_plain snr_pcu[] = { RW(0x1efc, BITS(31, 0)) };
static const struct um_sim_fixed snr_uclk[] = { { 0x1f93, 0x1f94, 48, UCLK, NULL } };
static const struct um_sim_fixed snr_free[] = {
	FREE(0x1eac, 48, "ioclk", NULL), BANDWIDTH8(0x1f00, 1, "in", NULL),
};
static const struct um_sim_only icx_iio_only[] = { /* from the event lists in github.com/intel/perfmon */
	{ 0xff, 0x02, 3 }, { 0xff, 0x03, 3 }, { 0xff, 0x83, 3 }, { 0xff, 0x88, 12 },
	{ 0xff, 0xc0, 12 }, { 0xff, 0xc5, 12 }, { 0xff, 0xd5, 12 },
};
static const struct um_sim_only m2pcie_only[] = {
	{ 0xff, 0x14, 3 }, { 0xff, 0x23, 3 }, { 0xff, 0x2d, 3 },
};

/* Source: Intel PCM's ICX_CHA_MSR_PMON_BOX_CTL[]; the lists of LIKWID and Linux end at C39. */
#define C(base) ((base) - 0xe00)
static const int32_t icx_cha[] = {
	C(0xe00), C(0xe0e), C(0xe1c), C(0xe2a), C(0xe38), C(0xe46), C(0xe54), C(0xe62), C(0xe70),
	C(0xe7e), C(0xe8c), C(0xe9a), C(0xea8), C(0xeb6), C(0xec4), C(0xed2), C(0xee0), C(0xeee),
	C(0xf0a), C(0xf18), C(0xf26), C(0xf34), C(0xf42), C(0xf50), C(0xf5e), C(0xf6c), C(0xf7a),
	C(0xf88), C(0xf96), C(0xfa4), C(0xfb2), C(0xfc0), C(0xfce), C(0xfdc), C(0xb60), C(0xb6e),
	C(0xb7c), C(0xb8a), C(0xb98), C(0xba6), C(0xbb4), C(0xbc2),
};
static const struct um_sim_plain icx_filter[] = { RW(0xe05, BITS(8, 0)), STATUS(0xe07, 4) };
static const int32_t icx_iio[] = { 0, 0x20, 0x40, 0x90, 0xb0, 0xd0 };
static const int32_t icx_bandwidth[] = { 0, 0x10, 0x20, 0x90, 0xa0, 0xb0 };
static const struct um_sim_fixed icx_free[] = {
	FREE(0xa55, 48, "ioclk", icx_iio), BANDWIDTH8(0xaa0, 1, "in", icx_bandwidth),
};

/* ---- Sapphire Rapids and later ---- */

#define GNR_GRR (UM_SIM_GNR | UM_SIM_GRR)
#define DISCOVERY (UM_SIM_SPR | GNR_GRR)
static const struct um_sim_plain spr_cha[] = { RW(0x200e, BITS(9, 0)) };
static const struct um_sim_fixed spr_uclk[] = { { 0x2fde, 0x2fdf, 48, UCLK, NULL } };
/* The address of the counter is below that of its control. */
static const struct um_sim_fixed gnr_uclk[] = { { 0x3ffe, 0x3ffd, 48, UCLK, NULL } };
static const struct um_sim_fixed grr_uclk[] = { { 0x3f5e, 0x3f5f, 48, UCLK, NULL } };
static const struct um_sim_only spr_iio_only[] = { /* from the event lists in github.com/intel/perfmon */
	{ 0xff, 0x02, 3 }, { 0xff, 0x03, 3 }, { 0xff, 0x83, 3 }, { 0xff, 0xc0, 12 },
	{ 0xff, 0xd5, 12 },
};
static const struct um_sim_only gnr_iio_only[] = {
	{ 0xff, 0x83, 3 }, { 0xff, 0x84, 3 }, { 0xff, 0xc0, 12 }, { 0xff, 0xc1, 12 },
	{ 0xff, 0xc5, 12 }, { 0xff, 0xd5, 12 },
};
static const struct um_sim_only grr_iio_only[] = {
	{ 0xff, 0x83, 3 }, { 0xff, 0x84, 3 }, { 0xff, 0xc0, 12 }, { 0xff, 0xc1, 12 },
	{ 0xff, 0xd5, 12 },
};
static const struct um_sim_only spr_ubox_only[] = {
	{ 0xff, 0x4c, 1 }, { 0xff, 0x4d, 1 }, { 0xff, 0x4e, 1 }, { 0xff, 0x4f, 1 },
};
static const struct um_sim_fixed spr_free[] = {
	FREE(0x340e, 48, "ioclk", NULL), BANDWIDTH8(0x3800, 1, "in", NULL),
	BANDWIDTH8(0x3808, 1, "out", NULL),
};
static const int32_t gnr_bandwidth[] = {
	0x000, 0x080, 0x100, 0x180, 0x200, 0x280, 0x300, 0x380,
	0x400, 0x480, 0x500, 0x580, 0x600, 0x680, 0x700, 0x780,
};
static const struct um_sim_fixed gnr_free[] = {
	FREE(0x290e, 48, "ioclk", NULL), BANDWIDTH8(0x360e, 0x10, "in", gnr_bandwidth),
	BANDWIDTH8(0x2e0e, 0x10, "out", gnr_bandwidth),
};

/* ---- AMD ---- */

#define ZENS (UM_SIM_ZEN | UM_SIM_ZEN3 | UM_SIM_ZEN4)

const struct um_sim_layout um_sim_layouts[] = {
	{ BOX(UM_SIM_NHM | UM_SIM_WSM, "uncore", PACKAGE), UNITS(ALL, 1, 0), COUNT(0x3c0, 0x3b0, 8, 48),
	  LIST(fixed, nehalem_clock), FROM(FREEBSD) },

	{ BOX(UM_SIM_NHM_EX, "cbox", PACKAGE), UNITS_AT(CORES, ex_c8), PAIRS(0xd10, 6),
	  .control = 0xd00, LIST(plain, ex_c), FROM(LIKWID) },
	{ BOX(UM_SIM_WSM_EX, "cbox", PACKAGE), UNITS_AT(CORES, ex_c10), PAIRS(0xd10, 6),
	  .control = 0xd00, LIST(plain, ex_c), FROM(LIKWID) },
	{ BOX(EX, "ubox", PACKAGE), UNITS(ALL, 1, 0), PAIRS(0xc10, 1), FROM(EDK2) },
	{ BOX(EX, "bbox", PACKAGE), UNITS(ALL, 2, 0x40), PAIRS(0xc30, 4), .control = 0xc20,
	  LIST(plain, ex_b), FROM(LIKWID) },
	{ BOX(EX, "sbox", PACKAGE), UNITS(ALL, 2, 0x80), PAIRS(0xc50, 4), .control = 0xc40,
	  LIST(plain, ex_s), FROM(LIKWID) },
	{ BOX(EX, "mbox", PACKAGE), UNITS(ALL, 2, 0x40), PAIRS(0xcb0, 6), .control = 0xca0,
	  LIST(plain, ex_m), FROM(LIKWID) },
	{ BOX(EX, "rbox", PACKAGE), UNITS(ALL, 2, 0x20), PAIRS(0xe10, 8), .control = 0xe00,
	  LIST(plain, ex_r), FROM(LIKWID) },
	{ BOX(EX, "wbox", PACKAGE), UNITS(ALL, 1, 0), PAIRS(0xc90, 4), .control = 0xc80,
	  LIST(plain, ex_w), LIST(fixed, ex_clock), FROM(EDK2) },

	{ BOX(UM_SIM_SNB, "cbo", PACKAGE), UNITS(CORES, 4, 0x10), COUNT(0x700, 0x706, 2, 44), FROM(EDK2) },
	{ BOX(UM_SIM_SKL, "cbo", PACKAGE), UNITS_AT(CORES, skl_cbo), COUNT(0x700, 0x706, 2, 44),
	  FROM(EDK2), ALSO(LINUX) },
	{ BOX(ICL_TGL, "cbo", PACKAGE), UNITS(MSR, 8, 8), .tells = 0x396, COUNT(0x700, 0x702, 2, 44), FROM(LIKWID) },
	{ BOX(UM_SIM_SNB | UM_SIM_SKL | UM_SIM_TGL, "arb", PACKAGE), UNITS(ALL, 1, 0),
	  COUNT(0x3b2, 0x3b0, 2, 44), LIST(only, arb_only), FROM(EDK2) },
	/* LIKWID and edk2 list this pair of registers as the second one */
	{ BOX(UM_SIM_ICL, "arb", PACKAGE), UNITS(ALL, 1, 0), COUNT(0x3b3, 0x3b1, 1, 44), FROM(LIKWID) },
	{ BOX(UM_SIM_SNB, "clock", PACKAGE), UNITS(ALL, 1, 0), LIST(fixed, snb_clock), FROM(EDK2) },
	{ BOX(UM_SIM_SKL, "clock", PACKAGE), UNITS(ALL, 1, 0), LIST(fixed, skl_clock), FROM(EDK2) },
	{ BOX(ICL_TGL, "clock", PACKAGE), UNITS(ALL, 1, 0), LIST(fixed, snb_clock), FROM(LINUX) },
	{ BOX(UM_SIM_ADL, "cbo", PACKAGE), UNITS(MSR, 15, 8), .tells = 0x396,
	  COUNT(0x2000, 0x2002, 2, 44), FROM(LINUX) },
	{ BOX(UM_SIM_ADL, "arb", PACKAGE), UNITS(ALL, 2, 8), COUNT(0x2fd0, 0x2fd2, 2, 44),
	  LIST(only, arb_only), FROM(LINUX) },
	{ BOX(UM_SIM_ADL, "clock", PACKAGE), UNITS(ALL, 1, 0), LIST(fixed, adl_clock), FROM(COREFREQ) },
	{ BOX(UM_SIM_MTL, "cbo", PACKAGE), UNITS(MSR, 15, 0x10), .tells = 0x396,
	  COUNT(0x2442, 0x2448, 2, 48), FROM(LINUX) },
	{ BOX(UM_SIM_LNL, "cbo", PACKAGE), UNITS(ALL, 4, 0x10), COUNT(0x2442, 0x2448, 2, 48), FROM(LINUX) },
	{ BOX(UM_SIM_PTL, "cbo", PACKAGE), UNITS(ALL, 6, 0x10), COUNT(0x2442, 0x2448, 2, 48), FROM(LINUX) },
	{ BOX(MTL_LNL, "arb", PACKAGE), UNITS(ALL, 2, 0x10), COUNT(0x2412, 0x2418, 2, 48),
	  LIST(only, arb_only), FROM(LINUX) },
	{ BOX(UM_SIM_MTL, "hac_arb", PACKAGE), UNITS(ALL, 2, 0x10), COUNT(0x2012, 0x2018, 2, 48), FROM(LINUX) },
	{ BOX(UM_SIM_MTL, "hac_cbo", PACKAGE), UNITS(ALL, 2, 0x10), COUNT(0x2042, 0x2048, 2, 48), FROM(LINUX) },
	{ BOX(UM_SIM_MTL, "cncu", PACKAGE), UNITS(ALL, 1, 0), LIST(fixed, cncu_clock), FROM(LINUX) },
	{ BOX(UM_SIM_MTL, "sncu", PACKAGE), UNITS(ALL, 1, 0), LIST(fixed, sncu_clock), FROM(LINUX) },
	{ BOX(UM_SIM_PTL, "santa", PACKAGE), UNITS(ALL, 2, 0x10), COUNT(0x2412, 0x2418, 2, 48), FROM(LINUX) },
	{ BOX(UM_SIM_PTL, "ia_core_bridge", PACKAGE), UNITS(ALL, 1, 0), COUNT(0x2022, 0x2028, 2, 48), FROM(LINUX) },
	{ BOX(UM_SIM_PTL, "cncu", PACKAGE), UNITS(ALL, 2, 0x140), LIST(fixed, cncu_clock), FROM(LINUX) },
	{ BOX(UM_SIM_NVL, "cbo", PACKAGE), UNITS(ALL, 12, 0x10), COUNT(0x2102, 0x2108, 2, 48), FROM(LINUX) },
	{ BOX(UM_SIM_NVL, "santa", PACKAGE), UNITS(ALL, 2, 0x10), COUNT(0x2042, 0x2048, 2, 48), FROM(LINUX) },
	{ BOX(UM_SIM_NVL, "cncu", PACKAGE), UNITS(ALL, 1, 0), LIST(fixed, nvl_clock), FROM(LINUX) },

	{ BOX(UM_SIM_SNBEP, "cbo", PACKAGE), UNITS(CORES, 8, 0x20), COUNT(0xd10, 0xd16, 4, 44),
	  .control = 0xd04, LIST(plain, snbep_cbo), LIST(only, snbep_only), FROM(LINUX) },
	{ BOX(UM_SIM_IVBEP, "cbo", PACKAGE), UNITS(CORES, 15, 0x20), COUNT(0xd10, 0xd16, 4, 44),
	  .control = 0xd04, LIST(plain, ivbep_cbo), LIST(only, snbep_only), FROM(LINUX) },
	{ BOX(UM_SIM_SNBEP | UM_SIM_IVBEP, "ubox", PACKAGE), UNITS(ALL, 1, 0), COUNT(0xc10, 0xc16, 2, 44),
	  LIST(plain, ep_ubox), LIST(fixed, ep_uclk), FROM(LINUX) },
	{ BOX(UM_SIM_SNBEP | UM_SIM_IVBEP, "pcu", PACKAGE), UNITS(ALL, 1, 0),
	  COUNT(0xc30, 0xc36, 4, 48), .control = 0xc24, LIST(plain, ep_pcu), FROM(LINUX) },

	{ BOX(UM_SIM_HSX, "cbo", PACKAGE), UNITS(CORES, 18, 0x10), COUNT(0xe01, 0xe08, 4, 48),
	  .control = 0xe00, LIST(plain, hsx_cbo), LIST(only, hsx_only), FROM(LIKWID) },
	{ BOX(BROADWELL, "cbo", PACKAGE), UNITS(CORES, 24, 0x10), COUNT(0xe01, 0xe08, 4, 48),
	  .control = 0xe00, LIST(plain, hsx_cbo), LIST(only, hsx_only), FROM(LIKWID) },
	{ BOX(UM_SIM_HSX | UM_SIM_BDX, "sbox", PACKAGE), UNITS(ALL, 4, 0xa),
	  COUNT(0x721, 0x726, 4, 48), .control = 0x720, LIST(plain, sbox), FROM(LIKWID) },
	{ BOX(UM_SIM_HSX | BROADWELL, "ubox", PACKAGE), UNITS(ALL, 1, 0), COUNT(0x705, 0x709, 2, 48),
	  LIST(plain, ubox_filter), LIST(fixed, uclk_700), FROM(LIKWID) },
	{ BOX(UM_SIM_KNL, "ubox", PACKAGE), UNITS(ALL, 1, 0), COUNT(0x705, 0x709, 2, 48),
	  LIST(plain, ubox_status), LIST(fixed, uclk_700), FROM(LIKWID) },
	{ BOX(UM_SIM_SKX | UM_SIM_ICX, "ubox", DIE), UNITS(ALL, 1, 0), COUNT(0x705, 0x709, 2, 48),
	  LIST(plain, ubox_status), LIST(fixed, uclk_700), FROM(LIKWID) },
	{ BOX(BROADWELL, "pcu", PACKAGE), UNITS(ALL, 1, 0), COUNT(0x711, 0x717, 4, 48),
	  .control = 0x710, LIST(plain, pcu_700), LIST(only, bdx_pcu_only), FROM(LIKWID) },
	{ BOX(UM_SIM_HSX | UM_SIM_KNL, "pcu", PACKAGE), UNITS(ALL, 1, 0),
	  COUNT(0x711, 0x717, 4, 48), .control = 0x710, LIST(plain, pcu_700), FROM(LIKWID) },
	{ BOX(UM_SIM_SKX | UM_SIM_ICX, "pcu", DIE), UNITS(ALL, 1, 0),
	  COUNT(0x711, 0x717, 4, 48), .control = 0x710, LIST(plain, pcu_700), FROM(LIKWID) },
	{ BOX(UM_SIM_KNL, "cha", PACKAGE), UNITS(MSR, 38, 0xc), .tells = 0x702, COUNT(0xe01, 0xe08, 4, 48),
	  .control = 0xe00, LIST(plain, knl_cha), LIST(only, cha_only), FROM(LIKWID) },
	{ BOX(UM_SIM_SKX, "cha", DIE), UNITS(MSR, 28, 0x10), .tells = 0x702, COUNT(0xe01, 0xe08, 4, 48),
	  .control = 0xe00, LIST(plain, skx_cha), LIST(only, skx_cha_only), FROM(LIKWID) },
	{ BOX(UM_SIM_SKX, "iio", DIE), UNITS(ALL, 6, 0x20), COUNT(0xa48, 0xa41, 4, 48),
	  .control = 0xa40, LIST(plain, skx_iio), LIST(only, skx_iio_only), FROM(LIKWID) },
	{ BOX(UM_SIM_SKX, "iio_free_running", DIE), UNITS(ALL, 6, 0x20), LIST(fixed, skx_free), FROM(LIKWID) },
	{ BOX(UM_SIM_SKX, "irp", DIE), UNITS(ALL, 6, 0x20), COUNT(0xa5b, 0xa59, 2, 48),
	  .control = 0xa58, LIST(plain, skx_irp), FROM(LIKWID) },
	{ BOX(UM_SIM_SNR, "cha", DIE), UNITS(ALL, 6, 0x10), COUNT(0x1c01, 0x1c08, 4, 48),
	  .control = 0x1c00, LIST(plain, snr_cha), LIST(only, cha_only), FROM(PCM) },
	{ BOX(UM_SIM_SNR, "iio", DIE), UNITS(ALL, 5, 0x10), COUNT(0x1e08, 0x1e01, 4, 48),
	  .control = 0x1e00, LIST(only, icx_iio_only), FROM(PCM) },
	{ BOX(UM_SIM_SNR, "iio_free_running", DIE), UNITS(ALL, 5, 0x10), LIST(fixed, snr_free), FROM(LINUX) },
	{ BOX(UM_SIM_SNR, "irp", DIE), UNITS(ALL, 5, 0x10), COUNT(0x1ea8, 0x1ea1, 2, 48),
	  .control = 0x1ea0, FROM(PCM) },
	{ BOX(UM_SIM_SNR, "m2pcie", DIE), UNITS(ALL, 5, 0x10), COUNT(0x1e58, 0x1e51, 4, 48),
	  .control = 0x1e50, LIST(only, m2pcie_only), FROM(LINUX) },
	{ BOX(UM_SIM_SNR, "ubox", DIE), UNITS(ALL, 1, 0), COUNT(0x1f91, 0x1f98, 2, 48),
	  LIST(fixed, snr_uclk), FROM(LINUX) },
	{ BOX(UM_SIM_SNR, "pcu", DIE), UNITS(ALL, 1, 0), COUNT(0x1ef1, 0x1ef8, 4, 48),
	  .control = 0x1ef0, LIST(plain, snr_pcu), FROM(LINUX) },
	{ BOX(UM_SIM_ICX, "cha", DIE), UNITS_AT(MSR, icx_cha), .tells = 0x702, COUNT(0xe01, 0xe08, 4, 48),
	  .control = 0xe00, LIST(plain, icx_filter), LIST(only, cha_only), FROM(LIKWID), ALSO(PCM) },
	{ BOX(UM_SIM_ICX, "iio", DIE), UNITS_AT(ALL, icx_iio), COUNT(0xa58, 0xa51, 4, 48),
	  .control = 0xa50, LIST(only, icx_iio_only), FROM(LIKWID) },
	{ BOX(UM_SIM_ICX, "iio_free_running", DIE), UNITS(ALL, 6, 0x20), LIST(fixed, icx_free), FROM(LIKWID) },
	{ BOX(UM_SIM_ICX, "irp", DIE), UNITS_AT(ALL, icx_iio), COUNT(0xa4d, 0xa4b, 2, 48),
	  .control = 0xa4a, FROM(LIKWID) },
	{ BOX(UM_SIM_ICX, "m2pcie", DIE), UNITS_AT(ALL, icx_iio), COUNT(0xa46, 0xa41, 4, 48),
	  .control = 0xa40, LIST(only, m2pcie_only), FROM(LIKWID) },

	{ BOX(UM_SIM_SPR, "cha", DIE), UNITS(MSR, 60, 0x10), .tells = 0x2ffe, COUNT(0x2002, 0x2008, 4, 48),
	  .control = 0x2000, LIST(plain, spr_cha), LIST(only, cha_only), FROM(PCM) },
	{ BOX(GNR_GRR, "cha", DIE), UNITS(MSR, 144, 0x10), .tells = 0x3fed, COUNT(0x2002, 0x2008, 4, 48),
	  .control = 0x2000, LIST(plain, spr_cha), LIST(only, cha_only), FROM(PCM) },
	{ BOX(UM_SIM_SPR, "iio", DIE), UNITS(ALL, 12, 0x10), COUNT(0x3002, 0x3008, 4, 48),
	  .control = 0x3000, LIST(only, spr_iio_only), FROM(PCM) },
	{ BOX(UM_SIM_SPR, "iio_free_running", DIE), UNITS(ALL, 12, 0x10), LIST(fixed, spr_free), FROM(LINUX) },
	{ BOX(UM_SIM_SPR, "irp", DIE), UNITS(ALL, 12, 0x10), COUNT(0x3402, 0x3408, 2, 48),
	  .control = 0x3400, FROM(PCM) },
	{ BOX(UM_SIM_SPR, "ubox", DIE), UNITS(ALL, 1, 0), COUNT(0x2fd2, 0x2fd8, 2, 48), .control = 0x2fd0,
	  LIST(fixed, spr_uclk), LIST(only, spr_ubox_only), FROM(PCM) },
	{ BOX(UM_SIM_GNR, "iio", DIE), UNITS(ALL, 16, 0x10), COUNT(0x2902, 0x2908, 4, 48),
	  .control = 0x2900, LIST(only, gnr_iio_only), FROM(PCM) },
	{ BOX(UM_SIM_GNR, "iio_free_running", DIE), UNITS(ALL, 16, 0x10), LIST(fixed, gnr_free), FROM(LINUX) },
	{ BOX(UM_SIM_GNR, "irp", DIE), UNITS(ALL, 16, 0x10), COUNT(0x2a02, 0x2a08, 2, 48),
	  .control = 0x2a00, FROM(PCM) },
	{ BOX(UM_SIM_GNR, "ubox", DIE), UNITS(ALL, 1, 0), COUNT(0x3ff2, 0x3ff8, 2, 48),
	  .control = 0x3ff0, LIST(fixed, gnr_uclk), FROM(PCM) },
	{ BOX(UM_SIM_GRR, "iio", DIE), UNITS(ALL, 3, 0x10), COUNT(0x2902, 0x2908, 4, 48),
	  .control = 0x2900, LIST(only, grr_iio_only), FROM(PCM) },
	{ BOX(UM_SIM_GRR, "irp", DIE), UNITS(ALL, 3, 0x10), COUNT(0x2a02, 0x2a08, 2, 48),
	  .control = 0x2a00, FROM(PCM) },
	{ BOX(UM_SIM_GRR, "ubox", DIE), UNITS(ALL, 1, 0), COUNT(0x3f52, 0x3f58, 2, 48),
	  .control = 0x3f50, LIST(fixed, grr_uclk), FROM(PCM) },

	{ BOX(UM_SIM_FAM15 | UM_SIM_FAM16, "nb", NODE), UNITS(ALL, 1, 0), PAIRS(0xc0010240, 4), FROM(LIKWID) },
	{ BOX(UM_SIM_FAM16, "l2", L3), UNITS(ALL, 1, 0), PAIRS(0xc0010230, 4), FROM(LINUX) },
	{ BOX(ZENS, "l3", L3), UNITS(ALL, 1, 0), PAIRS(0xc0010230, 6), FROM(FREEBSD) },
	{ BOX(UM_SIM_ZEN, "df", NODE), UNITS(ALL, 1, 0), PAIRS(0xc0010240, 4), FROM(FREEBSD) },
	{ BOX(UM_SIM_ZEN3, "df", PACKAGE), UNITS(ALL, 1, 0), PAIRS(0xc0010240, 4), FROM(FREEBSD) },
	{ BOX(UM_SIM_ZEN4, "df", PACKAGE), UNITS(ALL, 1, 0), PAIRS(0xc0010240, 16), FROM(FREEBSD) },
	{ BOX(UM_SIM_ZEN4, "umc", PACKAGE), UNITS(UMC, 16, 8), PAIRS(0xc0010800, 4), FROM(LIKWID) },
};

const size_t um_sim_num_layouts = ARRAY_SIZE(um_sim_layouts);

uint32_t um_sim_unit_offset(const struct um_sim_layout *l, unsigned unit)
{
	return l->offsets ? (uint32_t)l->offsets[unit] : unit * l->apart;
}
