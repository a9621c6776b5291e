/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Registers of each family, written out by hand from the manuals and sources that the tables name. They show an error
 * in a base, a stride or a list of offsets. Included by test_uarch_registers.c.
 */
#ifndef UARCH_SPOTS_H
#define UARCH_SPOTS_H

#include <stddef.h>
#include <stdint.h>

#include "helpers.h"

/* GATE: number @index; BOX_CONTROL: the gate of the unit; EXTRA: any of the second registers. */
enum kind { SELECTOR, COUNTER, GATE, BOX_CONTROL, CONTROL, FIXED, EXTRA };

struct spot {
	const char *pmu;
	unsigned unit;
	enum kind kind;
	unsigned index;
	uint32_t msr;
};

#define SPOTS_OF_EX \
	{ "ubox", 0, SELECTOR, 0, 0xc10 }, { "ubox", 0, COUNTER, 0, 0xc11 }, \
	{ "cbox", 0, SELECTOR, 0, 0xd10 }, { "cbox", 1, SELECTOR, 0, 0xd90 }, \
	{ "cbox", 2, COUNTER, 5, 0xd5b }, { "cbox", 3, SELECTOR, 1, 0xdd2 }, \
	{ "cbox", 4, COUNTER, 0, 0xd31 }, { "cbox", 5, SELECTOR, 5, 0xdba }, \
	{ "cbox", 6, SELECTOR, 0, 0xd70 }, { "cbox", 7, COUNTER, 0, 0xdf1 }, \
	{ "bbox", 1, SELECTOR, 3, 0xc76 }, { "bbox", 1, COUNTER, 0, 0xc71 }, \
	{ "sbox", 1, SELECTOR, 0, 0xcd0 }, { "sbox", 0, COUNTER, 3, 0xc57 }, \
	{ "mbox", 1, SELECTOR, 5, 0xcfa }, { "mbox", 1, COUNTER, 3, 0xcf7 }, \
	{ "rbox", 1, SELECTOR, 7, 0xe3e }, { "rbox", 0, COUNTER, 7, 0xe1f }, \
	{ "wbox", 0, SELECTOR, 3, 0xc96 }, { "wbox", 0, COUNTER, 0, 0xc91 }, \
	{ "wbox", 0, FIXED, 0, 0x394 }, { "wbox", 0, CONTROL, 0, 0x395 }

static const struct spot spot_nehalem_ex[] = { SPOTS_OF_EX };
static const struct spot spot_westmere_ex[] = {
	SPOTS_OF_EX, { "cbox", 8, SELECTOR, 0, 0xf50 }, { "cbox", 9, COUNTER, 5, 0xfdb },
};
static const struct spot spot_sandybridge[] = {
	{ "cbo", 0, SELECTOR, 0, 0x700 }, { "cbo", 1, SELECTOR, 1, 0x711 },
	{ "cbo", 3, SELECTOR, 0, 0x730 }, { "cbo", 3, COUNTER, 1, 0x737 },
	{ "cbo", 2, COUNTER, 0, 0x726 }, { "arb", 0, SELECTOR, 0, 0x3b2 },
	{ "arb", 0, SELECTOR, 1, 0x3b3 }, { "arb", 0, COUNTER, 0, 0x3b0 },
	{ "arb", 0, COUNTER, 1, 0x3b1 }, { "clock", 0, FIXED, 0, 0x395 },
	{ "clock", 0, CONTROL, 0, 0x394 }, { "cbo", 0, GATE, 0, 0x391 },
};
static const struct spot spot_skylake[] = {
	{ "cbo", 0, SELECTOR, 0, 0x700 }, { "cbo", 4, SELECTOR, 1, 0x741 },
	{ "cbo", 6, SELECTOR, 0, 0x760 }, { "cbo", 6, COUNTER, 1, 0x767 },
	{ "cbo", 7, SELECTOR, 0, 0xf70 }, { "cbo", 7, SELECTOR, 1, 0xf71 },
	{ "cbo", 7, COUNTER, 0, 0xf76 }, { "arb", 0, SELECTOR, 0, 0x3b2 },
	{ "arb", 0, COUNTER, 1, 0x3b1 }, { "clock", 0, FIXED, 0, 0x395 },
	{ "clock", 0, CONTROL, 0, 0x394 }, { "cbo", 0, GATE, 0, 0xe01 },
};
static const struct spot spot_icelake[] = {
	{ "cbo", 0, SELECTOR, 0, 0x700 }, { "cbo", 0, COUNTER, 0, 0x702 },
	{ "cbo", 1, SELECTOR, 0, 0x708 }, { "cbo", 1, COUNTER, 1, 0x70b },
	{ "cbo", 3, SELECTOR, 1, 0x719 }, { "cbo", 7, COUNTER, 1, 0x73b },
	{ "cbo", 2, SELECTOR, 0, 0x710 }, { "arb", 0, SELECTOR, 0, 0x3b3 },
	{ "arb", 0, COUNTER, 0, 0x3b1 }, { "clock", 0, FIXED, 0, 0x395 },
	{ "clock", 0, CONTROL, 0, 0x394 }, { "arb", 0, GATE, 0, 0xe01 },
};
static const struct spot spot_tigerlake[] = {
	{ "cbo", 0, SELECTOR, 0, 0x700 }, { "cbo", 0, COUNTER, 0, 0x702 },
	{ "cbo", 1, SELECTOR, 1, 0x709 }, { "cbo", 5, COUNTER, 0, 0x72a },
	{ "cbo", 7, SELECTOR, 0, 0x738 }, { "cbo", 7, COUNTER, 1, 0x73b },
	{ "arb", 0, SELECTOR, 0, 0x3b2 }, { "arb", 0, SELECTOR, 1, 0x3b3 },
	{ "arb", 0, COUNTER, 0, 0x3b0 }, { "clock", 0, FIXED, 0, 0x395 },
	{ "clock", 0, CONTROL, 0, 0x394 }, { "clock", 0, GATE, 0, 0xe01 },
};
static const struct spot spot_alderlake[] = {
	{ "cbo", 0, SELECTOR, 0, 0x2000 }, { "cbo", 0, COUNTER, 0, 0x2002 },
	{ "cbo", 1, SELECTOR, 1, 0x2009 }, { "cbo", 9, SELECTOR, 0, 0x2048 },
	{ "cbo", 9, COUNTER, 1, 0x204b }, { "cbo", 11, COUNTER, 0, 0x205a },
	{ "arb", 0, SELECTOR, 0, 0x2fd0 }, { "arb", 1, SELECTOR, 1, 0x2fd9 },
	{ "arb", 1, COUNTER, 0, 0x2fda }, { "clock", 0, CONTROL, 0, 0x2fde },
	{ "clock", 0, FIXED, 0, 0x2fdf }, { "cbo", 0, GATE, 0, 0x2ff0 },
};
static const struct spot spot_meteorlake[] = {
	{ "cbo", 0, SELECTOR, 0, 0x2442 }, { "cbo", 0, COUNTER, 0, 0x2448 },
	{ "cbo", 7, SELECTOR, 1, 0x24b3 }, { "cbo", 7, COUNTER, 1, 0x24b9 },
	{ "arb", 0, SELECTOR, 0, 0x2412 }, { "arb", 1, COUNTER, 0, 0x2428 },
	{ "hac_arb", 0, SELECTOR, 0, 0x2012 }, { "hac_arb", 1, COUNTER, 1, 0x2029 },
	{ "hac_cbo", 0, COUNTER, 0, 0x2048 }, { "hac_cbo", 1, SELECTOR, 0, 0x2052 },
	{ "cncu", 0, CONTROL, 0, 0x2402 }, { "cncu", 0, FIXED, 0, 0x2408 },
	{ "sncu", 0, CONTROL, 0, 0x2002 }, { "sncu", 0, FIXED, 0, 0x2008 },
	{ "cncu", 0, GATE, 0, 0x240e }, { "cncu", 0, GATE, 1, 0x200e },
};
static const struct spot spot_lunarlake[] = {
	{ "cbo", 0, SELECTOR, 0, 0x2442 }, { "cbo", 1, SELECTOR, 1, 0x2453 },
	{ "cbo", 2, COUNTER, 0, 0x2468 }, { "cbo", 3, SELECTOR, 0, 0x2472 },
	{ "cbo", 3, COUNTER, 1, 0x2479 }, { "cbo", 0, COUNTER, 1, 0x2449 },
	{ "arb", 0, SELECTOR, 0, 0x2412 }, { "arb", 0, COUNTER, 1, 0x2419 },
	{ "arb", 1, SELECTOR, 0, 0x2422 }, { "arb", 1, SELECTOR, 1, 0x2423 },
	{ "arb", 1, COUNTER, 0, 0x2428 }, { "arb", 0, GATE, 0, 0x240e },
};
static const struct spot spot_pantherlake[] = {
	{ "cbo", 0, SELECTOR, 0, 0x2442 }, { "cbo", 5, SELECTOR, 1, 0x2493 },
	{ "cbo", 5, COUNTER, 0, 0x2498 }, { "santa", 0, SELECTOR, 0, 0x2412 },
	{ "santa", 1, COUNTER, 1, 0x2429 }, { "ia_core_bridge", 0, SELECTOR, 1, 0x2023 },
	{ "ia_core_bridge", 0, COUNTER, 0, 0x2028 }, { "cncu", 0, CONTROL, 0, 0x2402 },
	{ "cncu", 0, FIXED, 0, 0x2408 }, { "cncu", 1, CONTROL, 0, 0x2542 },
	{ "cncu", 1, FIXED, 0, 0x2548 }, { "cbo", 0, GATE, 0, 0x240e },
	{ "cbo", 0, GATE, 1, 0x254e },
};
static const struct spot spot_novalake[] = {
	{ "cbo", 0, SELECTOR, 0, 0x2102 }, { "cbo", 0, COUNTER, 0, 0x2108 },
	{ "cbo", 1, SELECTOR, 1, 0x2113 }, { "cbo", 11, SELECTOR, 0, 0x21b2 },
	{ "cbo", 11, COUNTER, 1, 0x21b9 }, { "cbo", 6, COUNTER, 0, 0x2168 },
	{ "santa", 0, SELECTOR, 0, 0x2042 }, { "santa", 0, COUNTER, 1, 0x2049 },
	{ "santa", 1, SELECTOR, 0, 0x2052 }, { "cncu", 0, CONTROL, 0, 0x2022 },
	{ "cncu", 0, FIXED, 0, 0x2028 }, { "cncu", 0, GATE, 0, 0x202e },
};
static const struct spot spot_sandybridge_ep[] = {
	{ "ubox", 0, SELECTOR, 1, 0xc11 }, { "ubox", 0, COUNTER, 0, 0xc16 },
	{ "ubox", 0, CONTROL, 0, 0xc08 }, { "ubox", 0, FIXED, 0, 0xc09 },
	{ "cbo", 0, SELECTOR, 0, 0xd10 }, { "cbo", 0, COUNTER, 3, 0xd19 },
	{ "cbo", 7, SELECTOR, 0, 0xdf0 }, { "cbo", 7, COUNTER, 0, 0xdf6 },
	{ "cbo", 7, BOX_CONTROL, 0, 0xde4 }, { "cbo", 3, EXTRA, 0, 0xd74 },
	{ "pcu", 0, SELECTOR, 0, 0xc30 }, { "pcu", 0, COUNTER, 3, 0xc39 },
	{ "pcu", 0, BOX_CONTROL, 0, 0xc24 },
};
static const struct spot spot_ivybridge_ep[] = {
	{ "ubox", 0, SELECTOR, 0, 0xc10 }, { "ubox", 0, COUNTER, 1, 0xc17 },
	{ "ubox", 0, CONTROL, 0, 0xc08 }, { "ubox", 0, FIXED, 0, 0xc09 },
	{ "cbo", 8, SELECTOR, 0, 0xe10 }, { "cbo", 14, SELECTOR, 3, 0xed3 },
	{ "cbo", 14, COUNTER, 0, 0xed6 }, { "cbo", 14, BOX_CONTROL, 0, 0xec4 },
	{ "cbo", 9, EXTRA, 0, 0xe34 }, { "cbo", 9, EXTRA, 1, 0xe3a },
	{ "pcu", 0, SELECTOR, 3, 0xc33 }, { "pcu", 0, COUNTER, 0, 0xc36 },
	{ "pcu", 0, EXTRA, 0, 0xc34 },
};
static const struct spot spot_haswell_ep[] = {
	{ "ubox", 0, SELECTOR, 0, 0x705 }, { "ubox", 0, COUNTER, 1, 0x70a },
	{ "ubox", 0, CONTROL, 0, 0x703 }, { "ubox", 0, FIXED, 0, 0x704 },
	{ "cbo", 0, SELECTOR, 0, 0xe01 }, { "cbo", 0, COUNTER, 0, 0xe08 },
	{ "cbo", 17, SELECTOR, 3, 0xf14 }, { "cbo", 17, COUNTER, 0, 0xf18 },
	{ "cbo", 17, BOX_CONTROL, 0, 0xf10 }, { "cbo", 16, EXTRA, 0, 0xf05 },
	{ "cbo", 16, EXTRA, 1, 0xf06 }, { "pcu", 0, SELECTOR, 0, 0x711 },
	{ "pcu", 0, COUNTER, 3, 0x71a }, { "pcu", 0, BOX_CONTROL, 0, 0x710 },
	{ "sbox", 0, SELECTOR, 0, 0x721 }, { "sbox", 1, COUNTER, 0, 0x730 },
	{ "sbox", 3, SELECTOR, 3, 0x742 }, { "sbox", 3, COUNTER, 3, 0x747 },
	{ "sbox", 2, BOX_CONTROL, 0, 0x734 },
};
static const struct spot spot_broadwell_ep[] = {
	{ "ubox", 0, SELECTOR, 0, 0x705 }, { "ubox", 0, COUNTER, 1, 0x70a },
	{ "ubox", 0, CONTROL, 0, 0x703 }, { "ubox", 0, FIXED, 0, 0x704 },
	{ "cbo", 0, SELECTOR, 0, 0xe01 }, { "cbo", 0, COUNTER, 0, 0xe08 },
	{ "cbo", 17, SELECTOR, 3, 0xf14 }, { "cbo", 17, COUNTER, 0, 0xf18 },
	{ "cbo", 17, BOX_CONTROL, 0, 0xf10 }, { "cbo", 16, EXTRA, 0, 0xf05 },
	{ "cbo", 16, EXTRA, 1, 0xf06 }, { "pcu", 0, SELECTOR, 0, 0x711 },
	{ "pcu", 0, COUNTER, 3, 0x71a }, { "pcu", 0, BOX_CONTROL, 0, 0x710 },
	{ "sbox", 0, SELECTOR, 0, 0x721 }, { "sbox", 1, COUNTER, 0, 0x730 },
	{ "sbox", 3, SELECTOR, 3, 0x742 }, { "sbox", 3, COUNTER, 3, 0x747 },
	{ "sbox", 2, BOX_CONTROL, 0, 0x734 }, { "cbo", 23, SELECTOR, 0, 0xf71 },
};
static const struct spot spot_broadwell_de[] = {
	{ "ubox", 0, SELECTOR, 0, 0x705 }, { "ubox", 0, COUNTER, 1, 0x70a },
	{ "ubox", 0, CONTROL, 0, 0x703 }, { "ubox", 0, FIXED, 0, 0x704 },
	{ "cbo", 0, SELECTOR, 0, 0xe01 }, { "cbo", 0, COUNTER, 0, 0xe08 },
	{ "cbo", 17, SELECTOR, 3, 0xf14 }, { "cbo", 17, COUNTER, 0, 0xf18 },
	{ "cbo", 17, BOX_CONTROL, 0, 0xf10 }, { "cbo", 16, EXTRA, 0, 0xf05 },
	{ "cbo", 16, EXTRA, 1, 0xf06 }, { "pcu", 0, SELECTOR, 0, 0x711 },
	{ "pcu", 0, COUNTER, 3, 0x71a }, { "pcu", 0, BOX_CONTROL, 0, 0x710 },
};
static const struct spot spot_knightslanding[] = {
	{ "ubox", 0, SELECTOR, 0, 0x705 }, { "ubox", 0, COUNTER, 0, 0x709 },
	{ "ubox", 0, CONTROL, 0, 0x703 }, { "ubox", 0, FIXED, 0, 0x704 },
	{ "cha", 0, SELECTOR, 0, 0xe01 }, { "cha", 1, SELECTOR, 0, 0xe0d },
	{ "cha", 18, COUNTER, 0, 0xee0 }, { "cha", 37, COUNTER, 3, 0xfc7 },
	{ "cha", 37, BOX_CONTROL, 0, 0xfbc }, { "cha", 2, EXTRA, 0, 0xe1d },
	{ "pcu", 0, SELECTOR, 0, 0x711 }, { "pcu", 0, COUNTER, 0, 0x717 },
};
static const struct spot spot_skylake_sp[] = {
	{ "ubox", 0, SELECTOR, 0, 0x705 }, { "ubox", 0, COUNTER, 0, 0x709 },
	{ "cha", 0, SELECTOR, 0, 0xe01 }, { "cha", 27, SELECTOR, 3, 0xfb4 },
	{ "cha", 27, COUNTER, 3, 0xfbb }, { "cha", 27, BOX_CONTROL, 0, 0xfb0 },
	{ "iio", 0, SELECTOR, 0, 0xa48 }, { "iio", 5, SELECTOR, 3, 0xaeb },
	{ "iio", 5, COUNTER, 0, 0xae1 }, { "iio", 1, BOX_CONTROL, 0, 0xa60 },
	{ "irp", 0, SELECTOR, 0, 0xa5b }, { "irp", 5, COUNTER, 1, 0xafa },
	{ "irp", 2, BOX_CONTROL, 0, 0xa98 }, { "pcu", 0, SELECTOR, 0, 0x711 },
	{ "pcu", 0, COUNTER, 3, 0x71a },
};
static const struct spot spot_snowridge[] = {
	{ "ubox", 0, SELECTOR, 0, 0x1f91 }, { "ubox", 0, COUNTER, 1, 0x1f99 },
	{ "ubox", 0, CONTROL, 0, 0x1f93 }, { "ubox", 0, FIXED, 0, 0x1f94 },
	{ "cha", 0, SELECTOR, 0, 0x1c01 }, { "cha", 5, COUNTER, 3, 0x1c5b },
	{ "iio", 0, SELECTOR, 0, 0x1e08 }, { "iio", 4, COUNTER, 0, 0x1e41 },
	{ "irp", 4, SELECTOR, 1, 0x1ee9 }, { "irp", 0, COUNTER, 0, 0x1ea1 },
	{ "m2pcie", 4, SELECTOR, 0, 0x1e98 }, { "m2pcie", 0, COUNTER, 3, 0x1e54 },
	{ "pcu", 0, SELECTOR, 0, 0x1ef1 }, { "pcu", 0, COUNTER, 3, 0x1efb },
};
static const struct spot spot_icelake_sp[] = {
	{ "ubox", 0, SELECTOR, 0, 0x705 }, { "ubox", 0, COUNTER, 0, 0x709 },
	{ "cha", 0, SELECTOR, 0, 0xe01 }, { "cha", 17, SELECTOR, 0, 0xeef },
	{ "cha", 18, SELECTOR, 0, 0xf0b }, { "cha", 33, COUNTER, 3, 0xfe7 },
	{ "cha", 34, SELECTOR, 0, 0xb61 }, { "cha", 39, COUNTER, 0, 0xbae },
	{ "cha", 18, BOX_CONTROL, 0, 0xf0a }, { "cha", 38, BOX_CONTROL, 0, 0xb98 },
	{ "iio", 3, SELECTOR, 0, 0xae8 }, { "iio", 5, COUNTER, 0, 0xb21 },
	{ "irp", 3, SELECTOR, 0, 0xadd }, { "irp", 5, COUNTER, 1, 0xb1c },
	{ "m2pcie", 4, SELECTOR, 0, 0xaf6 }, { "m2pcie", 5, COUNTER, 3, 0xb14 },
	{ "pcu", 0, SELECTOR, 0, 0x711 },
};
static const struct spot spot_sapphirerapids[] = {
	{ "cha", 0, SELECTOR, 0, 0x2002 }, { "cha", 0, COUNTER, 0, 0x2008 },
	{ "cha", 59, SELECTOR, 3, 0x23b5 }, { "cha", 59, COUNTER, 3, 0x23bb },
	{ "cha", 59, BOX_CONTROL, 0, 0x23b0 }, { "cha", 1, EXTRA, 0, 0x201e },
	{ "ubox", 0, SELECTOR, 0, 0x2fd2 }, { "ubox", 0, COUNTER, 1, 0x2fd9 },
	{ "ubox", 0, CONTROL, 0, 0x2fde }, { "ubox", 0, FIXED, 0, 0x2fdf },
	{ "iio", 11, SELECTOR, 0, 0x30b2 }, { "iio", 0, COUNTER, 3, 0x300b },
	{ "irp", 11, COUNTER, 0, 0x34b8 },
};
static const struct spot spot_graniterapids[] = {
	{ "cha", 0, SELECTOR, 0, 0x2002 }, { "cha", 64, SELECTOR, 0, 0x2402 },
	{ "cha", 64, COUNTER, 0, 0x2408 }, { "cha", 1, BOX_CONTROL, 0, 0x2010 },
	{ "cha", 1, EXTRA, 0, 0x201e }, { "ubox", 0, SELECTOR, 0, 0x3ff2 },
	{ "ubox", 0, COUNTER, 0, 0x3ff8 }, { "ubox", 0, CONTROL, 0, 0x3ffe },
	{ "ubox", 0, FIXED, 0, 0x3ffd }, { "iio", 0, SELECTOR, 0, 0x2902 },
	{ "iio", 15, COUNTER, 0, 0x29f8 }, { "irp", 15, SELECTOR, 1, 0x2af3 },
	{ "irp", 0, COUNTER, 0, 0x2a08 },
};
static const struct spot spot_grandridge[] = {
	{ "cha", 0, SELECTOR, 0, 0x2002 }, { "cha", 3, COUNTER, 0, 0x2038 },
	{ "cha", 3, SELECTOR, 3, 0x2035 }, { "cha", 2, BOX_CONTROL, 0, 0x2020 },
	{ "cha", 1, EXTRA, 0, 0x201e }, { "ubox", 0, SELECTOR, 0, 0x3f52 },
	{ "ubox", 0, COUNTER, 0, 0x3f58 }, { "ubox", 0, CONTROL, 0, 0x3f5e },
	{ "ubox", 0, FIXED, 0, 0x3f5f }, { "iio", 2, SELECTOR, 0, 0x2922 },
	{ "iio", 2, COUNTER, 3, 0x292b }, { "irp", 2, SELECTOR, 0, 0x2a22 },
	{ "irp", 0, COUNTER, 1, 0x2a09 },
};

#define SPOTS(name, list) { name, list, ARRAY_SIZE(list) }

static const struct {
	const char *uarch;
	const struct spot *spots;
	size_t num;
} families[] = {
	SPOTS("nehalem-ex", spot_nehalem_ex),
	SPOTS("westmere-ex", spot_westmere_ex),
	SPOTS("sandybridge", spot_sandybridge),
	SPOTS("ivybridge", spot_sandybridge),
	SPOTS("haswell", spot_sandybridge),
	SPOTS("broadwell", spot_sandybridge),
	SPOTS("skylake", spot_skylake),
	SPOTS("kabylake", spot_skylake),
	SPOTS("cometlake", spot_skylake),
	SPOTS("icelake", spot_icelake),
	SPOTS("tigerlake", spot_tigerlake),
	SPOTS("rocketlake", spot_tigerlake),
	SPOTS("alderlake", spot_alderlake),
	SPOTS("raptorlake", spot_alderlake),
	SPOTS("meteorlake", spot_meteorlake),
	SPOTS("arrowlake", spot_meteorlake),
	SPOTS("lunarlake", spot_lunarlake),
	SPOTS("pantherlake", spot_pantherlake),
	SPOTS("wildcatlake", spot_pantherlake),
	SPOTS("novalake", spot_novalake),
	SPOTS("sandybridge-ep", spot_sandybridge_ep),
	SPOTS("ivybridge-ep", spot_ivybridge_ep),
	SPOTS("haswell-ep", spot_haswell_ep),
	SPOTS("broadwell-ep", spot_broadwell_ep),
	SPOTS("broadwell-de", spot_broadwell_de),
	SPOTS("knightslanding", spot_knightslanding),
	SPOTS("knightsmill", spot_knightslanding),
	SPOTS("skylake-sp", spot_skylake_sp),
	SPOTS("snowridge", spot_snowridge),
	SPOTS("icelake-sp", spot_icelake_sp),
	SPOTS("icelake-d", spot_icelake_sp),
	SPOTS("sapphirerapids", spot_sapphirerapids),
	SPOTS("emeraldrapids", spot_sapphirerapids),
	SPOTS("graniterapids", spot_graniterapids),
	SPOTS("sierraforest", spot_graniterapids),
	SPOTS("clearwaterforest", spot_graniterapids),
	SPOTS("grandridge", spot_grandridge),
};

#endif
