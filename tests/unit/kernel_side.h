/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What Linux does with the config words of its uncore PMUs, written down from its source
 * (arch/x86/events/intel/uncore_snb.c, uncore_snbep.c, uncore_discovery.c), not from our tables: the
 * format files, the bits of config that reach the selector, which events write which bits of the
 * filter registers. Included by test_routes.c.
 */
#ifndef KERNEL_SIDE_H
#define KERNEL_SIDE_H

#include <stdint.h>

/* For config words with (word & mask) == event these bits of config1 reach the filter registers. */
struct filter_rule {
	uint64_t event, mask, bits;
};

/* A free-running counter: event 0xff with unit mask type << 4 | index (from type 1 on). */
struct free_rule {
	uint32_t msr, step;
};

struct kernel_pmu {
	const char *name;
	const char *formats;          /* "event config:0-7;umask config:8-15;..." */
	uint64_t selector;            /* bits of config that reach the selector */
	const struct filter_rule *filters;
	const struct free_rule *free;
	const char *events;           /* "clockticks event=0xff;..." with name.scale and name.unit */
};

#define F_BASE "event config:0-7;umask config:8-15;edge config:18;"
#define F_INV F_BASE "inv config:23;"
#define S_BASE 0x84ffffull            /* event, unit mask, edge, inverted */
#define S_8 (S_BASE | 0xff000000ull)
#define S_5 (S_BASE | 0x1f000000ull)
#define TID_EN 0x80000ull

#define PMU(called, files, bits, ...) \
	{ .name = called, .formats = files, .selector = bits, __VA_ARGS__ }

/* ---- cores ---- */

/* X86_RAW_EVENT_MASK, AnyThread, and what hsw_hw_config() adds; config1 is the second register that the event select names. */
#define CPU PMU("cpu", "event config:0-7;umask config:8-15;edge config:18;pc config:19;any config:21;" \
	"inv config:23;cmask config:24-31;in_tx config:32;in_tx_cp config:33;" \
	"offcore_rsp config1:0-63;ldlat config1:0-15;frontend config1:0-23;", 0x3ffa4ffff, \
	.filters = cpu_second)
static const struct filter_rule cpu_second[] = { { 0, 0xff00000000000000, UINT64_MAX }, { 0 } };

/* What a fixed counter of the core counts, as the kernel's code for it (core.c, intel_perfmon_event_map). */
static const struct {
	uint32_t counter, code;
} fixed_cores[] = { { 0x309, 0xc0 }, { 0x30a, 0x3c }, { 0x30b, 0x300 }, { 0x30c, 0x400 } };

/* PERF_COUNT_HW_*, as intel_perfmon_event_map has them. */
static const uint16_t generic_codes[] = { 0x3c, 0xc0, 0x4f2e, 0x412e, 0xc4, 0xc5, 0x13c, 0, 0, 0x300 };

/* ---- client ---- */

#define CLIENT_5 F_INV "cmask config:24-28;"
#define CLIENT_6 F_INV "threshold config:24-29;"

static const struct kernel_pmu k_snb[] = {
	CPU,
	PMU("uncore_cbox_0", CLIENT_5, S_5, .events = "clockticks event=0xff;"),
	PMU("uncore_arb", CLIENT_5, S_5), { .name = NULL },
};
static const struct kernel_pmu k_adl[] = {
	PMU("uncore_cbox_0", CLIENT_6, S_BASE | 0x3f000000), PMU("uncore_arb", CLIENT_6, S_BASE | 0x3f000000),
	PMU("uncore_clock", "event config:0-7;", 0xff, .events = "clockticks event=0xff;"), { 0 },
};

/* ---- Sandy Bridge-EP ---- */

#define JKT_NID 0x3fc00ull
#define JKT_STATE 0x7c0000ull
#define JKT_OPC 0xff800000ull
#define JKT_TOR(code) /* all but 50, which 36 has not */ \
	{ 0x0100 | (code), 0xffff, JKT_OPC }, { 0x0300 | (code), 0xffff, JKT_OPC }, \
	{ 0x4100 | (code), 0xffff, JKT_OPC | JKT_NID }, { 0x4300 | (code), 0xffff, JKT_OPC | JKT_NID }, \
	{ 0x4400 | (code), 0xffff, JKT_NID }, { 0x4800 | (code), 0xffff, JKT_NID }, \
	{ 0x4a00 | (code), 0xffff, JKT_NID }
static const struct filter_rule jkt_cbox[] = {
	{ TID_EN, TID_EN, 0x1f }, { 0x0334, 0xffff, JKT_STATE }, { 0x0534, 0xffff, JKT_STATE },
	{ 0x0934, 0xffff, JKT_STATE }, { 0x4334, 0xffff, JKT_STATE | JKT_NID },
	{ 0x4534, 0xffff, JKT_STATE | JKT_NID }, { 0x4934, 0xffff, JKT_STATE | JKT_NID },
	{ 0x4134, 0xffff, JKT_STATE | JKT_NID }, JKT_TOR(0x35), JKT_TOR(0x36), { 0x5035, 0xffff, JKT_NID },
	{ 0x4037, 0x40ff, JKT_NID }, { 0 },
};
static const struct filter_rule bands[] = {
	{ 0xb, 0xff, 0xff }, { 0xc, 0xff, 0xff00 }, { 0xd, 0xff, 0xff0000 }, { 0xe, 0xff, 0xff000000 }, { 0 },
};
#define F_BANDS "filter_band0 config1:0-7;filter_band1 config1:8-15;filter_band2 config1:16-23;" \
	"filter_band3 config1:24-31;"
static const struct kernel_pmu k_jkt[] = {
	PMU("uncore_cbox_0", F_INV "tid_en config:19;thresh config:24-31;filter_tid config1:0-4;"
	  "filter_nid config1:10-17;filter_state config1:18-22;filter_opc config1:23-31;",
	  S_8 | TID_EN, .filters = jkt_cbox),
	PMU("uncore_pcu", "event config:0-7;occ_sel config:14-15;edge config:18;inv config:23;"
	  "thresh config:24-28;occ_invert config:30;occ_edge config:14-51;" F_BANDS,
	  0xdf84c0ff, .filters = bands),
	PMU("uncore_ubox", F_INV "thresh config:24-28;", S_5), { 0 },
};

/* ---- Ivy Bridge-EP, Haswell-EP ---- */

#define NODES (0xffffull << 32)
#define OPC_C6_NC_ISOC (0xfffull << 52)
#define TOR_OPC(code) \
	{ 0x0100 | (code), 0xffff, OPC_C6_NC_ISOC }, { 0x0300 | (code), 0xffff, OPC_C6_NC_ISOC }, \
	{ 0x2100 | (code), 0xffff, OPC_C6_NC_ISOC }, { 0x2300 | (code), 0xffff, OPC_C6_NC_ISOC }, \
	{ 0x8100 | (code), 0xffff, OPC_C6_NC_ISOC }, { 0x8300 | (code), 0xffff, OPC_C6_NC_ISOC }, \
	{ 0x4100 | (code), 0xffff, OPC_C6_NC_ISOC | NODES }, \
	{ 0x4300 | (code), 0xffff, OPC_C6_NC_ISOC | NODES }, \
	{ 0x4400 | (code), 0xffff, NODES }, { 0x4800 | (code), 0xffff, NODES }, \
	{ 0x4a00 | (code), 0xffff, NODES }, { 0x5000 | (code), 0xffff, NODES }
#define IVT_STATE(umask, more) { (umask) << 8 | 0x34, 0xffff, 0x7e0000 | (more) }
#define HSX_STATE(umask) { (umask) << 8 | 0x34, 0xffff, 0xfe0000 }
static const struct filter_rule ivt_cbox[] = {
	{ TID_EN, TID_EN, 0x1f }, { 0x1031, 0x10ff, 0x1e0 },
	IVT_STATE(0x03, 0), IVT_STATE(0x05, 0), IVT_STATE(0x09, 0), IVT_STATE(0x11, 0),
	IVT_STATE(0x41, NODES), IVT_STATE(0x43, NODES), IVT_STATE(0x45, NODES),
	IVT_STATE(0x49, NODES), IVT_STATE(0x51, NODES),
	TOR_OPC(0x35), TOR_OPC(0x36), { 0x4037, 0x40ff, NODES }, { 0 },
};
static const struct filter_rule hsx_cbox[] = {
	{ TID_EN, TID_EN, 0x3f }, HSX_STATE(0x03), HSX_STATE(0x05), HSX_STATE(0x09),
	HSX_STATE(0x11), HSX_STATE(0x21), HSX_STATE(0x41),
	{ 0x4037, 0x40ff, NODES }, { 0x4028, 0x40ff, NODES }, { 0x4032, 0x40ff, NODES },
	{ 0x4029, 0x40ff, NODES }, { 0x4033, 0x40ff, NODES }, { 0x402a, 0x40ff, NODES },
	{ 0x0135, 0xffff, 0x3c0 }, TOR_OPC(0x35), TOR_OPC(0x36), { 0 },
};
static const struct filter_rule hsx_ubox[] = { { 0, 0, 0x3f }, { 0 } };
/* hswep_pcu_hw_config(): 0xff << n */
static const struct filter_rule lost_bands[] = {
	{ 0xb, 0xff, 0xff }, { 0xc, 0xff, 0x1fe }, { 0xd, 0xff, 0x3fc }, { 0xe, 0xff, 0x7f8 }, { 0 },
};
#define F_NODES "filter_nid config1:32-47;filter_opc config1:52-60;filter_nc config1:62;" \
	"filter_c6 config1:61;filter_isoc config1:63;"
static const struct kernel_pmu k_ivt[] = {
	PMU("uncore_cbox_0", F_BASE "tid_en config:19;thresh config:24-31;filter_tid config1:0-4;"
	  "filter_link config1:5-8;filter_state config1:17-22;" F_NODES,
	  (S_8 & ~0x800000ull) | TID_EN, .filters = ivt_cbox),
	PMU("uncore_pcu", "event config:0-7;occ_sel config:14-15;edge config:18;"
	  "thresh config:24-28;occ_invert config:30;occ_edge config:14-51;" F_BANDS,
	  0xdf04c0ff, .filters = bands),
	PMU("uncore_ubox", F_INV "thresh config:24-28;", S_5 & ~0x800000ull), { 0 },
};
static const struct kernel_pmu k_hsx[] = {
	PMU("uncore_cbox_0", F_BASE "tid_en config:19;thresh config:24-31;filter_tid config1:0-5;"
	  "filter_link config1:6-8;filter_state config1:17-23;" F_NODES,
	  S_8 | TID_EN, .filters = hsx_cbox),
	PMU("uncore_sbox_0", F_INV "tid_en config:19;thresh config:24-31;", S_8 | TID_EN),
	PMU("uncore_pcu", "event config:0-7;occ_sel config:14-15;edge config:18;inv config:23;"
	  "thresh config:24-28;occ_invert config:30;occ_edge config:14-51;" F_BANDS,
	  0xdf84c0ff, .filters = lost_bands),
	PMU("uncore_ubox", F_INV "thresh config:24-28;filter_tid config1:0;filter_cid config1:5;", S_5,
	  .filters = hsx_ubox), { 0 },
};

/* ---- Skylake-SP ---- */

#define SKX_STATE(umask) { (umask) << 8 | 0x34, 0xffff, 0x7fe0000 }
#define SKX_MATCH 0xdffffe3b00000000ull
static const struct filter_rule skx_cha[] = {
	SKX_STATE(0x03), SKX_STATE(0x05), SKX_STATE(0x09), SKX_STATE(0x11), SKX_STATE(0x31),
	SKX_STATE(0x91), { 0x35, 0xff, SKX_MATCH }, { 0x36, 0xff, SKX_MATCH }, { 0x38, 0xff, 0x1fff }, { 0 },
};
static const struct free_rule skx_free[] = { { 0xa45, 1 }, { 0xb00, 1 }, { 0xb08, 1 } };
#define F_FREE "event config:0-7;umask config:8-15;"
#define MIB(name, umask, scale) name " event=0xff,umask=" umask ";" name ".scale " scale ";" \
	name ".unit MiB;"
#define PORTS_8(scale) MIB("bw_in_port0", "0x20", scale) MIB("bw_in_port1", "0x21", scale) \
	MIB("bw_in_port2", "0x22", scale) MIB("bw_in_port3", "0x23", scale) \
	MIB("bw_in_port4", "0x24", scale) MIB("bw_in_port5", "0x25", scale) \
	MIB("bw_in_port6", "0x26", scale) MIB("bw_in_port7", "0x27", scale)
#define SKX_SCALE "3.814697266e-6"
#define SKX_PORTS MIB("bw_in_port0", "0x20", SKX_SCALE) MIB("bw_in_port1", "0x21", SKX_SCALE) \
	MIB("bw_in_port2", "0x22", SKX_SCALE) MIB("bw_in_port3", "0x23", SKX_SCALE) \
	MIB("bw_out_port0", "0x24", SKX_SCALE) MIB("bw_out_port1", "0x25", SKX_SCALE) \
	MIB("bw_out_port2", "0x26", SKX_SCALE) MIB("bw_out_port3", "0x27", SKX_SCALE)
static const struct kernel_pmu k_skx[] = {
	CPU,
	PMU("uncore_cha_0", F_INV "tid_en config:19;thresh config:24-31;filter_tid config1:0-8;"
	  "filter_state config1:17-26;filter_rem config1:32;filter_loc config1:33;filter_nm config1:36;"
	  "filter_all_op config1:35;filter_not_nm config1:37;filter_opc0 config1:41-50;"
	  "filter_opc1 config1:51-60;filter_nc config1:62;filter_isoc config1:63;",
	  S_8 | TID_EN, .filters = skx_cha),
	PMU("uncore_iio_0", F_INV "thresh config:24-35;ch_mask config:36-43;fc_mask config:44-46;",
	  S_8 | 0x7fff00000000),
	PMU("uncore_iio_free_running_0", F_FREE, 0, .free = skx_free,
	  .events = "ioclk event=0xff,umask=0x10;" SKX_PORTS),
	PMU("uncore_irp_0", F_INV "thresh config:24-31;", S_8),
	PMU("uncore_pcu", F_INV "thresh config:24-31;occ_invert config:30;occ_edge_det config:31;" F_BANDS,
	  0xdf84c0ff, .filters = lost_bands),
	PMU("uncore_ubox", F_INV "thresh config:24-28;", S_5), { 0 },
};

/* ---- Sapphire Rapids ---- */

static const struct filter_rule spr_cha[] = { { 0x10000, 0x10000, 0x3ff }, { 0 } };
static const struct free_rule spr_free[] = { { 0x340e, 1 }, { 0x3800, 1 }, { 0x3808, 1 } };
static const struct kernel_pmu k_spr[] = {
	CPU,
	PMU("uncore_cha_0", "event config:0-7;umask config:8-15,32-63;tid_en config:16;edge config:18;"
	  "inv config:23;thresh config:24-31;filter_tid config1:0-9;",
	  S_8 | 0x10000 | 0xffffffff00000000, .filters = spr_cha),
	PMU("uncore_iio_0", F_INV "thresh config:24-35;ch_mask config:36-47;fc_mask config:48-50;",
	  S_8 | 0x7ffff00000000),
	PMU("uncore_iio_free_running_0", F_FREE, 0, .free = spr_free,
	  .events = "ioclk event=0xff,umask=0x10;" PORTS_8("3.0517578125e-5")),
	PMU("uncore_irp_0", "event config:0-7;umask config:8-15,32-55;edge config:18;inv config:23;"
	  "thresh config:24-31;", S_8 | 0xffffff00000000),
	PMU("uncore_ubox", F_INV "thresh config:24-31;", S_8), { 0 },
};

static const struct kernel_pmu k_wsm[] = {
	CPU, PMU("uncore", F_INV "cmask config:24-31;", S_8, .events = "clockticks event=0xff;"),
	{ .name = NULL },
};

#endif
