/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * How families and their box types behave. As in box_layouts.c, each row names its source, if possible another one than
 * that of lib/uarch.
 */
#include <string.h>

#include "sim/box.h"

#define BIT UM_SIM_BIT
#define BITS UM_SIM_BITS
#define FROM(who) .from = UM_SIM_FROM_##who
#define ALSO(who) .also = UM_SIM_FROM_##who

enum {
	NHM = UM_SIM_NHM, WSM = UM_SIM_WSM,
	NHM_EX = UM_SIM_NHM_EX, WSM_EX = UM_SIM_WSM_EX, EX = NHM_EX | WSM_EX,
	SNB = UM_SIM_SNB, SKL = UM_SIM_SKL, ICL = UM_SIM_ICL, TGL = UM_SIM_TGL,
	CLIENT_OLD = SNB | SKL | ICL | TGL,
	ADL = UM_SIM_ADL, MTL = UM_SIM_MTL, LNL = UM_SIM_LNL, PTL = UM_SIM_PTL, NVL = UM_SIM_NVL,
	CLIENT_NEW = MTL | LNL | PTL | NVL,
	SNBEP = UM_SIM_SNBEP, IVBEP = UM_SIM_IVBEP, HSX = UM_SIM_HSX, BDX = UM_SIM_BDX,
	BDE = UM_SIM_BDE, KNL = UM_SIM_KNL, SKX = UM_SIM_SKX, SNR = UM_SIM_SNR, ICX = UM_SIM_ICX,
	SERVER_2 = HSX | BDX | BDE, SERVER_700 = SERVER_2 | KNL | SKX | ICX,
	SPR = UM_SIM_SPR, GNR = UM_SIM_GNR, GRR = UM_SIM_GRR, DISCOVERY = SPR | GNR | GRR,
	ZEN = UM_SIM_ZEN, ZEN3 = UM_SIM_ZEN3, ZEN4 = UM_SIM_ZEN4, FAM15 = UM_SIM_FAM15,
	FAM16 = UM_SIM_FAM16,
};

/* Bits of the clients' global control: PMI routing 4:0, EN 29, wake 30, freeze on overflow 31. */
#define CLIENT_GLOBAL (BITS(31, 29) | BITS(4, 0))

/* ---- registers that belong to no box: status, number of boxes, further global registers ---- */

#define RW(address, bits, who) { .msr = (address), .access = UM_SIM_RW, .valid = (bits), FROM(who) }
/* A read-only register with the number of boxes. */
#define BOXES(address, who) { .msr = (address), .access = UM_SIM_RO, .valid = BITS(3, 0), FROM(who) }
#define RO(address, who) { .msr = (address), .access = UM_SIM_RO, FROM(who) }
#define PER_DIE(address, bits, who) { .msr = (address), .access = UM_SIM_RW, .valid = (bits), \
	.scope = UM_SIM_PER_DIE, FROM(who) }
#define PER_CORE(address, who) { .msr = (address), .access = UM_SIM_RO, \
	.scope = UM_SIM_PER_CORE, FROM(who) }
#define CLIENT_STATUS (BIT(3) | BITS(1, 0))

/*
 * The status register, the register that clears it, and two filters: opcode match, and cache states of event 0C. The
 * filters have no effect on what the simulated events count.
 */
#define NEHALEM_OTHERS RO(0x392, FREEBSD), { .msr = 0x393, .access = UM_SIM_WO, \
	.valid = BITS(7, 0) | BIT(32) | BIT(61) | BIT(63), FROM(FREEBSD) }, { .msr = 0x396, \
	.valid = BITS(63, 61) | BITS(47, 3), FROM(FREEBSD), ALSO(SDM) }
static const struct um_sim_plain nehalem_others[] = { NEHALEM_OTHERS };
static const struct um_sim_plain westmere_others[] = {
	NEHALEM_OTHERS, { .msr = 0x301, .valid = BITS(7, 0), FROM(FREEBSD), ALSO(EDK2) },
};
/* Writing to C02 clears the overflow status in C01. */
static const struct um_sim_plain ex_others[] = {
	RO(0xc01, GUIDE), { .msr = 0xc02, .access = UM_SIM_WO, .valid = BITS(31, 30) | BITS(3, 0), FROM(GUIDE) },
};
static const struct um_sim_plain snb_others[] = {
	RW(0x392, CLIENT_STATUS, LIKWID), BOXES(0x396, LIKWID),
};
static const struct um_sim_plain skl_others[] = {
	RW(0xe02, CLIENT_STATUS, EDK2), BOXES(0x396, LIKWID),
};
static const struct um_sim_plain icl_others[] = {
	RW(0xe02, CLIENT_STATUS, LIKWID), BOXES(0x396, LINUX),
};
static const struct um_sim_plain adl_others[] = {
	RW(0x2ff2, CLIENT_STATUS, COREFREQ), BOXES(0x396, LINUX),
};
static const struct um_sim_plain mtl_others[] = { RW(0x200e, BIT(29), LINUX), BOXES(0x396, LINUX) };
static const struct um_sim_plain ptl_others[] = { RW(0x254e, BIT(29), LINUX) };
static const struct um_sim_plain snbep_others[] = {
	PER_CORE(0x3fc, LINUX), PER_CORE(0x3fd, LINUX),
};
static const struct um_sim_plain ivbep_others[] = {
	PER_CORE(0x3fc, LINUX), PER_CORE(0x3fd, LINUX), RW(0xc01, BITS(31, 0), LIKWID),
	RW(0xc06, BITS(5, 0), LIKWID),
};
static const struct um_sim_plain hsx_others[] = {
	RW(0x701, BITS(31, 0), EDK2), RW(0x702, BITS(5, 0), EDK2),
};
static const struct um_sim_plain knl_others[] = {
	RW(0x701, BITS(31, 0), LIKWID), RW(0x702, BITS(5, 0), PCM),
};
static const struct um_sim_plain skx_others[] = {
	PER_DIE(0x701, BITS(31, 0), LIKWID), PER_DIE(0x702, BITS(5, 0), PCM),
};
static const struct um_sim_plain icx_others[] = {
	PER_DIE(0x702, BITS(5, 0), PCM), PER_DIE(0x70e, BITS(31, 0), LIKWID),
	PER_DIE(0x70f, BITS(31, 0), LIKWID),
};
static const struct um_sim_plain spr_others[] = { PER_DIE(0x2ffe, BITS(15, 0), LINUX) };
static const struct um_sim_plain gnr_others[] = { PER_DIE(0x3fed, BITS(8, 0), PCM) };

#define OTHERS(list) .others = (list), .num_others = ARRAY_SIZE(list)
#define FAMILY(name, flag, way, where) .uarch = (name), .bit = (flag), \
	.style = UM_SIM_STYLE_##way, .scope = UM_SIM_PER_##where
/* Source of bits 49 to 51: CoreFreq. */
#define NEHALEM_FAMILY(name, flag, list) { FAMILY(name, flag, NEHALEM, PACKAGE), .global = 0x391, \
	.global_valid = BITS(7, 0) | BIT(32) | BITS(51, 48) | BIT(63), .status = 0x392, OTHERS(list), FROM(FREEBSD) }
#define EX_FAMILY(name, flag) { FAMILY(name, flag, EX, PACKAGE), .global = 0xc00, \
	.global_valid = BIT(31) | BITS(29, 28) | BITS(4, 0), OTHERS(ex_others), \
	.freeze = BIT(31), FROM(PCM), ALSO(LINUX) /* bits 4:1 and 31 are from Linux */ }
#define CLIENT_FAMILY(name, flag, address, list, who) { FAMILY(name, flag, CLIENT, PACKAGE), \
	.global = (address), .global_valid = CLIENT_GLOBAL, OTHERS(list), FROM(who) }
#define TILE_FAMILY(name, flag, address, ...) { FAMILY(name, flag, CLIENT, PACKAGE), \
	.global = (address), .global_valid = BIT(29), FROM(LINUX), __VA_ARGS__ }
#define OLD_SERVER(name, flag, address, routing, list, who) { \
	FAMILY(name, flag, SERVER, PACKAGE), .global = (address), \
	.global_valid = BITS(31, 29) | (routing), .freeze = BIT(31), .unfreeze = BIT(29), \
	OTHERS(list), FROM(who) }
#define NEW_SERVER(name, flag, where, list, who) { FAMILY(name, flag, SERVER, where), \
	.global = 0x700, .global_valid = BITS(63, 61), .freeze = BIT(63), .unfreeze = BIT(61), \
	OTHERS(list), FROM(who) }
#define SPR_FAMILY(name) { FAMILY(name, SPR, SPR, DIE), .global = 0x2ff0, \
	.global_valid = BIT(0), .freeze = BIT(0), OTHERS(spr_others), FROM(PCM) }
#define GNR_FAMILY(name, flag) { FAMILY(name, flag, SPR, DIE), OTHERS(gnr_others) }

static const struct um_sim_family families[] = {
	NEHALEM_FAMILY("nehalem", NHM, nehalem_others), NEHALEM_FAMILY("westmere", WSM, westmere_others),
	/* Bits of C00: enable of the U-box counter, PMI routing, EN_ALL 28, RST_ALL 29, FRZ_ALL 31 */
	EX_FAMILY("nehalem-ex", NHM_EX), EX_FAMILY("westmere-ex", WSM_EX),
	CLIENT_FAMILY("sandybridge", SNB, 0x391, snb_others, EDK2),
	CLIENT_FAMILY("ivybridge", SNB, 0x391, snb_others, EDK2),
	CLIENT_FAMILY("haswell", SNB, 0x391, snb_others, EDK2),
	CLIENT_FAMILY("broadwell", SNB, 0x391, snb_others, EDK2),
	CLIENT_FAMILY("skylake", SKL, 0xe01, skl_others, EDK2),
	CLIENT_FAMILY("kabylake", SKL, 0xe01, skl_others, EDK2),
	CLIENT_FAMILY("cometlake", SKL, 0xe01, skl_others, EDK2),
	CLIENT_FAMILY("icelake", ICL, 0xe01, icl_others, LIKWID),
	CLIENT_FAMILY("tigerlake", TGL, 0xe01, icl_others, LIKWID),
	CLIENT_FAMILY("rocketlake", TGL, 0xe01, icl_others, LIKWID),
	CLIENT_FAMILY("alderlake", ADL, 0x2ff0, adl_others, COREFREQ),
	CLIENT_FAMILY("raptorlake", ADL, 0x2ff0, adl_others, COREFREQ),
	TILE_FAMILY("meteorlake", MTL, 0x240e, OTHERS(mtl_others)),
	TILE_FAMILY("arrowlake", MTL, 0x240e, OTHERS(mtl_others)),
	TILE_FAMILY("lunarlake", LNL, 0x240e, .num_others = 0),
	TILE_FAMILY("pantherlake", PTL, 0x240e, OTHERS(ptl_others)),
	TILE_FAMILY("wildcatlake", PTL, 0x240e, OTHERS(ptl_others)),
	TILE_FAMILY("novalake", NVL, 0x202e, .num_others = 0),
	{ FAMILY("sandybridge-ep", SNBEP, SERVER, PACKAGE), .old_freeze = true, OTHERS(snbep_others) },
	/* Bits 14:0 and 30 of the global control are from the guide. */
	OLD_SERVER("ivybridge-ep", IVBEP, 0xc00, BITS(14, 0), ivbep_others, LINUX),
	OLD_SERVER("haswell-ep", HSX, 0x700, BITS(17, 0), hsx_others, EDK2),
	OLD_SERVER("broadwell-ep", BDX, 0x700, BITS(17, 0), hsx_others, EDK2),
	OLD_SERVER("broadwell-de", BDE, 0x700, BITS(17, 0), hsx_others, EDK2),
	NEW_SERVER("knightslanding", KNL, PACKAGE, knl_others, LIKWID),
	NEW_SERVER("knightsmill", KNL, PACKAGE, knl_others, LIKWID),
	NEW_SERVER("skylake-sp", SKX, DIE, skx_others, PCM),
	NEW_SERVER("icelake-sp", ICX, DIE, icx_others, PCM),
	NEW_SERVER("icelake-d", ICX, DIE, icx_others, PCM),
	{ FAMILY("snowridge", SNR, SERVER, DIE) },
	SPR_FAMILY("sapphirerapids"), SPR_FAMILY("emeraldrapids"),
	GNR_FAMILY("graniterapids", GNR), GNR_FAMILY("sierraforest", GNR),
	GNR_FAMILY("grandridge", GRR), GNR_FAMILY("clearwaterforest", GNR),
	{ FAMILY("bulldozer", FAM15, AMD, NODE) }, { FAMILY("jaguar", FAM16, AMD, NODE) },
	{ FAMILY("zen", ZEN, AMD, NODE) }, { FAMILY("zen2", ZEN, AMD, NODE) },
	{ FAMILY("dhyana", ZEN, AMD, NODE) }, { FAMILY("zen3", ZEN3, AMD, PACKAGE) },
	{ FAMILY("zen4", ZEN4, AMD, PACKAGE) }, { FAMILY("zen5", ZEN4, AMD, PACKAGE) },
};

/* ---- boxes without unit masks, whose event numbers are computed from the selector ---- */

static uint32_t event_of_b(uint64_t selector, unsigned counter)
{
	/* Each counter of a B-box has its own list of events, so the event code includes the counter's number. */
	return (uint32_t)(counter << 5 | (selector >> 1 & 0x1f));
}

static uint32_t event_of_m(uint64_t selector, unsigned counter UM_SIM_UNUSED)
{
	/* SET_FLAG_SEL (bits 21:19) selects the event if bit 7 (flag mode) is set, else INC_SEL (bits 13:9). */
	return (uint32_t)(selector & BIT(7) ? 0x20 | (selector >> 19 & 7) : selector >> 9 & 0x1f);
}

/* ---- filters ---- */

#define TID_EN BIT(19)

/*
 * Filters of unit 0. Sandy Bridge-EP has one at D14, Ivy Bridge-EP has D14 and D1A (selector 0 is D10). Haswell-EP and
 * later have E05 and E06 (selector 0 is E01).
 */
#define CBO_FILTER FROM(LIBPFM4), .thread_enable = TID_EN, .lookup = 0x34, .opcode_by_umask = true
static const struct um_sim_filter cbo_snbep = { CBO_FILTER, .thread = { 4, 4, 0 },
	.state = { 4, 22, 18 }, .node = { 4, 17, 10 }, .opcode = { { 4, 31, 23 } } };
static const struct um_sim_filter cbo_ivbep = { CBO_FILTER, .thread = { 4, 4, 0 },
	.state = { 4, 22, 17 }, .node = { 10, 15, 0 }, .opcode = { { 10, 28, 20 } } };
static const struct um_sim_filter cbo_hsx = { CBO_FILTER, .thread = { 4, 5, 0 },
	.state = { 4, 23, 17 }, .node = { 5, 15, 0 }, .opcode = { { 5, 28, 20 } } };

/*
 * Bits of filter 1: 0 remote, 1 local, 3 all opcodes, 4 near memory, 5 not near memory. A transaction passes if it
 * matches one of the two opcodes, or if both opcode fields are 0.
 */
#define MESH_FILTER .thread_enable = TID_EN, .thread = { 4, 8, 0 }, .all_opcodes = { 5, 3, 3 }, \
	.opcode = { { 5, 18, 9 }, { 5, 28, 19 } }
static const struct um_sim_filter cha_knl = { FROM(LIKWID), MESH_FILTER, .lookup = 0x3d,
	.state = { 4, 20, 18 }, .tor = { { 5, 1, 0 }, { 5, 5, 5 } } };
static const struct um_sim_filter cha_skx = { FROM(LIBPFM4), MESH_FILTER, .lookup = 0x34,
	.state = { 4, 26, 17 }, .tor = { { 5, 1, 0 }, { 5, 5, 4 } } };
static const struct um_sim_filter cha_icx = { FROM(LIKWID), .thread_enable = TID_EN, .thread = { 4, 8, 0 } };
/* The filter register of unit 0 is 200E, 12 above its selector 2002. */
static const struct um_sim_filter cha_spr = { FROM(LINUX), .thread_enable = BIT(16), .thread = { 12, 9, 0 } };

/* The selector has a channel mask and a flow class (FC) mask; at least one bit of each must be set. */
#define IIO_MASKS .choose = { BITS(47, 36), BITS(50, 48) }
static const struct um_sim_filter iio_skx = { FROM(PCM), .choose = { BITS(43, 36), BITS(46, 44) } };
static const struct um_sim_filter iio_icx = { FROM(PCM), IIO_MASKS };
static const struct um_sim_filter iio_spr = { FROM(LINUX), IIO_MASKS };
/* The selector has a slice mask and a thread mask; at least one bit of each must be set. */
static const struct um_sim_filter l3_zen = { FROM(FREEBSD), .choose = { BITS(51, 48), BITS(63, 56) } };
static const struct um_sim_filter l3_zen3 = { FROM(FREEBSD), .choose = { BITS(59, 56) } };

#define BANDS(at) .special = UM_SIM_FILTER_BANDS, .bands = { at, 31, 0 }
static const struct um_sim_filter pcu_bands = { FROM(PCM), BANDS(4) };
static const struct um_sim_filter pcu_bands_snr = { FROM(LINUX), BANDS(11) }; /* the filter's address is 1EFC */
static const struct um_sim_filter ex_match = { FROM(LIKWID), .special = UM_SIM_FILTER_EX_MATCH };
static const struct um_sim_filter ex_ports = { FROM(LIKWID), .special = UM_SIM_FILTER_EX_PORTS };

/* ---- selectors ---- */

#define EN BIT(22)
#define CODES BITS(15, 0)                                     /* event select and unit mask */
#define CLIENT5 (BITS(28, 22) | BIT(20) | BIT(18) | CODES)    /* threshold 28:24 */
#define CLIENT6 (BITS(29, 22) | BIT(20) | BIT(18) | CODES)
#define EX_PLAIN (BITS(31, 22) | BIT(20) | BIT(18) | CODES)
#define SERVER5 (CLIENT5 | BIT(17))                           /* adds RST (bit 17) */
#define SERVER8 (EX_PLAIN | BIT(17))
#define TID BIT(19)
#define OV_EN BIT(20)                                         /* overflow enable, from Ivy Bridge-EP on (LIKWID) */
/* Bits of a power control unit: occupancy select 15:14, EV_SEL_EXT 21, occupancy inversion 30, occupancy edge 31. */
#define PCU (BITS(31, 30) | BITS(28, 20) | BITS(18, 17) | BITS(15, 14) | BITS(7, 0))
#define PCU6 (PCU | BIT(29))
#define SPR8 (SERVER8 & ~EN)

/*
 * A box type: its source, the selector bits that exist, the enable bits (0: a counter counts if its selector is not 0),
 * and the width of the threshold, which begins at bit 24.
 */
#define TYPE(f, name, who, bits, on, width) .families = (f), .pmu = (name), FROM(who), \
	.valid = (bits), .enable = (on), .threshold = (width)
#define FILTER(name) .filter = &(name)
#define EVENT(bits) .event_bits = (bits)
#define UMASK(bits) .umask_bits = (bits)
#define LONG_UMASK(high, low) UMASK(BITS(15, 8) | BITS(high, low))
#define DF_EVENT EVENT(BITS(60, 59) | BITS(35, 32) | BITS(7, 0))
#define OCCUPANCY UMASK(BITS(15, 14))

static const struct um_sim_box_type types[] = {
	{ TYPE(NHM | WSM, "uncore", FREEBSD, SERVER8, EN, 8) },

	/* Linux has an event field for the U-box, LIKWID has none. */
	{ TYPE(EX, "ubox", LIKWID, BIT(22) | BIT(20) | BIT(18) | BITS(7, 0), EN, 0), ALSO(LINUX) },
	{ TYPE(EX, "cbox", LIKWID, EX_PLAIN, EN, 8) },
	{ TYPE(EX, "bbox", LIKWID, BITS(5, 0), BIT(0), 0), .event = event_of_b },
	{ TYPE(EX, "sbox", LIKWID, EX_PLAIN, EN, 8), FILTER(ex_match) },
	{ TYPE(EX, "mbox", LIKWID, BITS(21, 19) | BITS(13, 9) | BITS(7, 0), BIT(0), 0), .event = event_of_m },
	{ TYPE(EX, "rbox", LIKWID, BITS(6, 0), BIT(0), 0), FILTER(ex_ports), EVENT(BITS(5, 1)) },
	{ TYPE(EX, "wbox", LIKWID, EX_PLAIN, EN, 8) },

	{ TYPE(CLIENT_OLD, "cbo", LIKWID, CLIENT5, EN, 5) },
	{ TYPE(CLIENT_OLD, "arb", LIKWID, CLIENT5, EN, 5) },
	{ TYPE(ADL, "arb", LINUX, CLIENT5, EN, 5) },
	{ TYPE(ADL | CLIENT_NEW, "cbo", LINUX, CLIENT6, EN, 6) },
	{ TYPE(CLIENT_NEW, "arb", LINUX, CLIENT6, EN, 6) },
	{ TYPE(CLIENT_NEW, "santa", LINUX, CLIENT6, EN, 6) },
	{ TYPE(CLIENT_NEW, "ia_core_bridge", LINUX, CLIENT6, EN, 6) },
	{ TYPE(MTL, "hac_arb", LINUX, CLIENT6, EN, 6), .global = 0x200e },
	{ TYPE(MTL, "hac_cbo", LINUX, CLIENT6, EN, 6), .global = 0x200e },
	{ TYPE(MTL, "sncu", LINUX, 0, 0, 0), .global = 0x200e },

	{ TYPE(SNBEP, "cbo", LIBPFM4, (SERVER8 & ~OV_EN) | TID, EN, 8), FILTER(cbo_snbep) },
	{ TYPE(IVBEP, "cbo", GUIDE, SERVER8 | TID, EN, 8), FILTER(cbo_ivbep) },
	{ TYPE(SERVER_2, "cbo", LIBPFM4, SERVER8 | TID, EN, 8), FILTER(cbo_hsx) },
	{ TYPE(HSX, "sbox", LIKWID, SERVER8 | TID, EN, 8), .quirks = UM_SIM_CONTROL_BY_BITS },
	{ TYPE(BDX, "sbox", LIKWID, SERVER8 | TID, EN, 8), .quirks = UM_SIM_CONTROL_BY_BITS | UM_SIM_SELECT_TWICE },
	/* Bit 16 resets the queue occupancy; LIKWID does not have it. */
	{ TYPE(KNL, "cha", LIKWID, SERVER8 | TID | BIT(16), EN, 8), ALSO(LINUX), FILTER(cha_knl) },
	{ TYPE(SKX, "cha", LIBPFM4, SERVER8 | TID, EN, 8), FILTER(cha_skx) },
	{ TYPE(SNR | ICX, "cha", LIBPFM4, SERVER8 | TID | BITS(57, 32), EN, 8), FILTER(cha_icx), LONG_UMASK(57, 32) },
	{ TYPE(SNBEP, "ubox", LIKWID, SERVER5 & ~OV_EN, EN, 5) },
	{ TYPE(IVBEP, "ubox", GUIDE, SERVER5, EN, 5) },
	{ TYPE(KNL, "ubox", LIKWID, SERVER5 | TID, EN, 5) },
	{ TYPE(SNR, "ubox", LINUX, SERVER8, EN, 8) },
	{ TYPE(SERVER_700, "ubox", LIKWID, SERVER5, EN, 5) },
	{ TYPE(SNBEP, "pcu", PCM, PCU & ~OV_EN, EN, 5), FILTER(pcu_bands), EVENT(BIT(21) | BITS(7, 0)), OCCUPANCY },
	{ TYPE(IVBEP, "pcu", GUIDE, PCU, EN, 5), FILTER(pcu_bands), EVENT(BIT(21) | BITS(7, 0)), OCCUPANCY },
	/* The threshold has six bits; LIKWID has five. */
	{ TYPE(KNL, "pcu", LIKWID, PCU6 | TID, EN, 6), ALSO(LINUX), OCCUPANCY },
	{ TYPE(SNR, "pcu", LINUX, SERVER8, EN, 8), FILTER(pcu_bands_snr) },
	{ TYPE(SERVER_700, "pcu", PCM, PCU, EN, 5), FILTER(pcu_bands), EVENT(BIT(21) | BITS(7, 0)), OCCUPANCY },
	{ TYPE(SKX, "iio", PCM, BITS(46, 32) | SERVER8, EN, 12), FILTER(iio_skx) },
	{ TYPE(SNR | ICX, "iio", PCM, BITS(50, 32) | SERVER8, EN, 12), FILTER(iio_icx) },
	{ TYPE(SKX | SNR | ICX, "irp", LIBPFM4, SERVER8, EN, 8) },
	{ TYPE(SNR | ICX, "m2pcie", LIKWID, SERVER8, EN, 8) },

	/* No enable bit: a counter counts when its selector is not 0. */
	{ TYPE(DISCOVERY, "cha", LINUX, SPR8 | BIT(16) | BITS(63, 32), 0, 8), FILTER(cha_spr), LONG_UMASK(63, 32) },
	{ TYPE(DISCOVERY, "iio", LINUX, SPR8 | BITS(50, 32), 0, 12), FILTER(iio_spr) },
	{ TYPE(DISCOVERY, "irp", LINUX, SPR8 | BITS(55, 32), 0, 8), LONG_UMASK(55, 32) },
	{ TYPE(DISCOVERY, "ubox", LINUX, SPR8, 0, 8) },

	{ TYPE(FAM15 | FAM16, "nb", LIKWID, BITS(40, 32) | EN | CODES, EN, 0), DF_EVENT },
	{ TYPE(FAM16, "l2", LINUX, BITS(40, 32) | EN | CODES, EN, 0), DF_EVENT },
	/* Zen: slices 51:48, threads 63:56. From Zen 3: core 44:42, all slices 46, all cores 47, slice 50:48. */
	{ TYPE(ZEN, "l3", FREEBSD, BITS(63, 56) | BITS(51, 48) | EN | CODES, EN, 0), FILTER(l3_zen) },
	{ TYPE(ZEN3 | ZEN4, "l3", FREEBSD,
	       BITS(59, 56) | BITS(50, 46) | BITS(44, 42) | EN | CODES, EN, 0), FILTER(l3_zen3) },
	{ TYPE(ZEN | ZEN3, "df", FREEBSD, BITS(60, 59) | BITS(35, 32) | EN | CODES, EN, 0), DF_EVENT },
	{ TYPE(ZEN4, "df", FREEBSD, BITS(38, 32) | BITS(27, 24) | EN | CODES, EN, 0),
	  EVENT(BITS(38, 32) | BITS(7, 0)), LONG_UMASK(27, 24) },
	{ TYPE(ZEN4, "umc", LIKWID, BIT(31) | BITS(9, 0), BIT(31), 0), UMASK(BITS(9, 8)), .quirks = UM_SIM_SATURATES },
};

/* Extract the bits of @word that the mask @bits selects, and pack them from bit 0 on. */
static uint64_t gather(uint64_t word, uint64_t bits)
{
	uint64_t value = 0;

	for (unsigned n = 0; bits; bits &= bits - 1, n++)
		value |= (word >> __builtin_ctzll(bits) & 1) << n;
	return value;
}

uint32_t um_sim_event_of(const struct um_sim_box_type *t, uint64_t selector, unsigned counter)
{
	return t->event ? t->event(selector, counter) : (uint32_t)gather(selector, t->event_bits ?: BITS(7, 0));
}

uint64_t um_sim_umask_of(const struct um_sim_box_type *t, uint64_t selector)
{
	return t->event ? 0 : gather(selector, t->umask_bits ?: BITS(15, 8));
}

/* Bit 22 enables the counter, bit 20 its overflow signal (edk2; PCM's UCLK_FIXED_CTL_EN and _OV_EN). */
uint64_t um_sim_fixed_enable(enum um_sim_style style)
{
	return style <= UM_SIM_STYLE_EX ? BIT(0) : BIT(22);
}

uint64_t um_sim_fixed_valid(enum um_sim_style style)
{
	return style == UM_SIM_STYLE_NEHALEM ? BIT(2) | BIT(0)
	     : style == UM_SIM_STYLE_EX ? BIT(0) : BIT(22) | BIT(20);
}

/* Bits of the box control, by style. Those of EX, one for each counter, are computed (um_sim_control()). */
static const struct um_sim_control controls[] = {
	[UM_SIM_STYLE_SERVER] = { BIT(17) | BIT(16) | BIT(8) | BIT(1) | BIT(0), BIT(0), BIT(1),
				  BIT(17) | BIT(16) | BIT(8) },
	[UM_SIM_STYLE_SPR] = { BIT(9) | BIT(8) | BIT(0), BIT(8), BIT(9), BIT(0) },
	[UM_SIM_STYLE_CLIENT] = { BIT(29), 0, 0, BIT(29) },
	[UM_SIM_STYLE_AMD] = { 0, 0, 0, 0 }, /* AMD has no box control */
};

struct um_sim_control um_sim_control(enum um_sim_style style, const struct um_sim_layout *l)
{
	struct um_sim_control k = { 0, 0, 0, 0 };

	if (style != UM_SIM_STYLE_EX)
		return controls[style];
	k.valid = k.stays = UM_SIM_BITS(l->num - 1, 0) | (l->num_fixed ? BIT(31) : 0);
	return k;
}

/* Box type of a PMU without selectors, which has only fixed and free-running counters. */
static const struct um_sim_box_type no_type = { .pmu = "" };

const struct um_sim_family *um_sim_family(const char *uarch)
{
	for (size_t i = 0; i < ARRAY_SIZE(families); i++)
		if (!strcmp(families[i].uarch, uarch))
			return &families[i];
	return NULL;
}

bool um_sim_is_of(const struct uncoremsr_sim *sim, uint32_t flags)
{
	return sim->family && sim->family->bit & flags;
}

const struct um_sim_box_type *um_sim_box_type(const struct um_sim_family *f, const char *pmu)
{
	for (size_t i = 0; i < ARRAY_SIZE(types); i++)
		if (types[i].families & f->bit && !strcmp(types[i].pmu, pmu))
			return &types[i];
	return &no_type;
}
