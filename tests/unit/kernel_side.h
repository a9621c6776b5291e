/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * How Linux uses the config words of its uncore PMUs: the format files, the bits of config that reach the selector, and
 * the events that write bits of the filter registers. Taken from the kernel's source
 * (arch/x86/events/intel/uncore_snb.c, uncore_snbep.c, uncore_discovery.c), not from our tables. See kernel_cases.h.
 */
#ifndef KERNEL_SIDE_H
#define KERNEL_SIDE_H

#include <stdint.h>

/* If (config & mask) == event, the config1 bits @bits reach the filter registers. */
struct filter_rule {
	uint64_t event, mask, bits;
};

/*
 * EVENT_CONSTRAINT: if (config & mask) == event, only the counters @counters can count the event. The first rule that
 * matches applies.
 */
struct counter_rule {
	uint64_t event;
	uint32_t counters;
	uint64_t mask;
};

/* A register that is written in addition to selector and counter; the address is that of the first box. */
struct kernel_second {
	uint32_t msr;
	uint64_t value;
};
enum { MAX_SECOND = 6 };

/* A type of free-running counters. Event 0xff with unit mask type << 4 | index selects a counter; types begin at 1. */
struct free_rule {
	uint32_t msr, step;
};

struct kernel_pmu {
	const char *name;
	const char *formats;          /* "event config:0-7;umask config:8-15;..." */
	uint64_t selector;            /* bits of config that reach the selector */
	const struct filter_rule *filters;
	uint64_t forced;              /* bits that Linux also sets if the event uses a filter */
	unsigned num;                 /* number of general counters; 0 if the firmware reports the number */
	const struct counter_rule *only; /* array of rules; ends with a rule whose counters are 0 */
	uint32_t fixed;               /* MSR of the fixed counter (UNCORE_FIXED_EVENT); 0: none */
	uint64_t (*fill)(uint64_t config); /* completes a selector as the kernel's driver does */
	/* Computes the registers of boxes whose filters are more than masked bits of config1. @to must be empty. */
	void (*second)(const uint64_t config[3], struct kernel_second *to);
	const struct free_rule *free;
	const char *events;           /* "clockticks event=0xff;..." with name.scale and name.unit */
};

#define F_BASE "event config:0-7;umask config:8-15;edge config:18;"
#define F_INV F_BASE "inv config:23;"
#define S_BASE 0x84ffffull            /* bits of event select, unit mask, edge and invert */
#define S_8 (S_BASE | 0xff000000ull)
#define S_5 (S_BASE | 0x1f000000ull)
#define TID_EN 0x80000ull

#define PMU(called, files, bits, ...) \
	{ .name = called, .formats = files, .selector = bits, __VA_ARGS__ }

/* ---- cores ---- */

/* Files in events/ of the core PMU (source: EVENT_ATTR in core.c). */
#define CORE_EVENTS "cpu-cycles event=0x3c;instructions event=0xc0;" \
	"cache-references event=0x2e,umask=0x4f;cache-misses event=0x2e,umask=0x41;" \
	"branch-instructions event=0xc4;branch-misses event=0xc5;bus-cycles event=0x3c,umask=0x01;" \
	"ref-cycles event=0x00,umask=0x03;"

/*
 * Bits of config: X86_RAW_EVENT_MASK, AnyThread, and the TSX bits of hsw_hw_config(). Which extra register gets config1
 * depends on the event select.
 */
#define CPU PMU("cpu", "event config:0-7;umask config:8-15;edge config:18;pc config:19;any config:21;" \
	"inv config:23;cmask config:24-31;in_tx config:32;in_tx_cp config:33;" \
	"offcore_rsp config1:0-63;ldlat config1:0-15;frontend config1:0-23;", 0x3ffa4ffff, \
	.filters = cpu_second, .events = CORE_EVENTS)
static const struct filter_rule cpu_second[] = { { 0, 0xff00000000000000, UINT64_MAX }, { 0 } };

/* Fixed counters of the core and the kernel's codes for their events (core.c, intel_perfmon_event_map). */
static const struct {
	uint32_t counter, code;
} fixed_cores[] = { { 0x309, 0xc0 }, { 0x30a, 0x3c }, { 0x30b, 0x300 }, { 0x30c, 0x400 } };

/* Codes of PERF_COUNT_HW_*, as in intel_perfmon_event_map. */
static const uint16_t generic_codes[] = { 0x3c, 0xc0, 0x4f2e, 0x412e, 0xc4, 0xc5, 0x13c, 0, 0, 0x300 };

/* ---- client ---- */

#define CLIENT_5 F_INV "cmask config:24-28;"
#define CLIENT_6 F_INV "threshold config:24-29;"

static const struct counter_rule snb_arb[] = { { 0x80, 1, 0xff }, { 0x83, 1, 0xff }, { 0 } };
#define CLIENT_ARB(called) PMU(called, CLIENT_5, S_5, .num = 2, .only = snb_arb)
#define CLIENT_TICKS .events = "clockticks event=0xff;"
static const struct kernel_pmu k_snb[] = {
	CPU, PMU("uncore_cbox_0", CLIENT_5, S_5, .num = 2, .fixed = 0x395, CLIENT_TICKS),
	CLIENT_ARB("uncore_arb"), { .name = NULL },
};
/* Source: skl_uncore_cbox. */
static const struct kernel_pmu k_skl[] = {
	PMU("uncore_cbox_0", CLIENT_5, S_5, .num = 4, .fixed = 0x395, CLIENT_TICKS),
	CLIENT_ARB("uncore_arb"), { .name = NULL },
};
/* Source: icl_msr_uncores, tgl_msr_uncores. */
#define ICL_CBOX PMU("uncore_cbox_0", CLIENT_5, S_5, .num = 2)
#define CLIENT_CLOCK(msr) \
	PMU("uncore_clock", "event config:0-7;", 0xff, .num = 1, .fixed = msr, CLIENT_TICKS)
static const struct kernel_pmu k_icl[] = {
	ICL_CBOX, PMU("uncore_arb", CLIENT_5, S_5, .num = 1), CLIENT_CLOCK(0x395), { .name = NULL },
};
static const struct kernel_pmu k_tgl[] = {
	ICL_CBOX, CLIENT_ARB("uncore_arb"), CLIENT_CLOCK(0x395), { .name = NULL },
};
/* Source: intel_pmu_init(). Each kind of core has its own PMU; P-cores have more formats than E-cores. */
#define CORE_FORMATS "event config:0-7;umask config:8-15;edge config:18;pc config:19;inv config:23;" \
	"cmask config:24-31;offcore_rsp config1:0-63;ldlat config1:0-15;"
static const struct kernel_pmu k_adl[] = {
	PMU("cpu_core", CORE_FORMATS "frontend config1:0-23;in_tx config:32;in_tx_cp config:33;",
	  0x3ffa4ffff, .filters = cpu_second, .events = CORE_EVENTS),
	PMU("cpu_atom", CORE_FORMATS, 0x3ffa4ffff, .filters = cpu_second, .events = CORE_EVENTS),
	PMU("uncore_cbox_0", CLIENT_6, S_BASE | 0x3f000000, .num = 2), CLIENT_ARB("uncore_arb_0"),
	CLIENT_CLOCK(0x2fdf), { .name = NULL },
};

/* ---- Sandy Bridge-EP ---- */

#define JKT_NID 0x3fc00ull
#define JKT_STATE 0x7c0000ull
#define JKT_OPC 0xff800000ull
#define JKT_TOR(code) /* all unit masks with a filter, except 0x50, which is only valid for event 0x35 */ \
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
static const struct counter_rule snbep_only[] = {
	{ 0x01, 0x1, 0xff }, { 0x02, 0x3, 0xff }, { 0x04, 0x3, 0xff }, { 0x05, 0x3, 0xff },
	{ 0x07, 0x3, 0xff }, { 0x09, 0x3, 0xff }, { 0x11, 0x1, 0xff }, { 0x12, 0x3, 0xff },
	{ 0x13, 0x3, 0xff }, { 0x1b, 0xc, 0xff }, { 0x1c, 0xc, 0xff }, { 0x1d, 0xc, 0xff },
	{ 0x1e, 0xc, 0xff }, { 0x1f, 0xe, 0xff }, { 0x21, 0x3, 0xff }, { 0x23, 0x3, 0xff },
	{ 0x31, 0x3, 0xff }, { 0x32, 0x3, 0xff }, { 0x33, 0x3, 0xff }, { 0x34, 0x3, 0xff },
	{ 0x35, 0x3, 0xff }, { 0x36, 0x1, 0xff }, { 0x37, 0x3, 0xff }, { 0x38, 0x3, 0xff },
	{ 0x39, 0x3, 0xff }, { 0x3b, 0x1, 0xff }, { 0 },
};
#define F_BANDS "filter_band0 config1:0-7;filter_band1 config1:8-15;filter_band2 config1:16-23;" \
	"filter_band3 config1:24-31;"
static const struct kernel_pmu k_jkt[] = {
	PMU("uncore_cbox_0", F_INV "tid_en config:19;thresh config:24-31;filter_tid config1:0-4;"
	  "filter_nid config1:10-17;filter_state config1:18-22;filter_opc config1:23-31;",
	  S_8 | TID_EN, .filters = jkt_cbox, .num = 4, .only = snbep_only),
	PMU("uncore_pcu", "event config:0-7;occ_sel config:14-15;edge config:18;inv config:23;"
	  "thresh config:24-28;occ_invert config:30;occ_edge config:14-51;" F_BANDS,
	  0xdf84c0ff, .filters = bands, .num = 4),
	PMU("uncore_ubox", F_INV "thresh config:24-28;", S_5, .num = 2, .fixed = 0xc09), { 0 },
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
/*
 * Source: hswep_pcu_hw_config(). For event 0xb + n the kernel uses bits 0xff << n of config1 instead of 0xff << 8 * n.
 */
static const struct filter_rule lost_bands[] = {
	{ 0xb, 0xff, 0xff }, { 0xc, 0xff, 0x1fe }, { 0xd, 0xff, 0x3fc }, { 0xe, 0xff, 0x7f8 }, { 0 },
};
#define F_NODES "filter_nid config1:32-47;filter_opc config1:52-60;filter_nc config1:62;" \
	"filter_c6 config1:61;filter_isoc config1:63;"
static const struct kernel_pmu k_ivt[] = {
	PMU("uncore_cbox_0", F_BASE "tid_en config:19;thresh config:24-31;filter_tid config1:0-4;"
	  "filter_link config1:5-8;filter_state config1:17-22;" F_NODES,
	  (S_8 & ~0x800000ull) | TID_EN, .filters = ivt_cbox, .num = 4, .only = snbep_only),
	PMU("uncore_pcu", "event config:0-7;occ_sel config:14-15;edge config:18;"
	  "thresh config:24-28;occ_invert config:30;occ_edge config:14-51;" F_BANDS,
	  0xdf04c0ff, .filters = bands, .num = 4),
	PMU("uncore_ubox", F_INV "thresh config:24-28;", S_5 & ~0x800000ull, .num = 2,
	  .fixed = 0xc09), { 0 },
};
static const struct counter_rule hsx_only[] = {
	{ 0x01, 0x1, 0xff }, { 0x09, 0x1, 0xff }, { 0x11, 0x1, 0xff }, { 0x36, 0x1, 0xff },
	{ 0x38, 0x3, 0xff }, { 0x3b, 0x1, 0xff }, { 0x3e, 0x1, 0xff }, { 0 },
};
static const struct counter_rule bdx_only[] = {
	{ 0x09, 0x3, 0xff }, { 0x11, 0x1, 0xff }, { 0x36, 0x1, 0xff }, { 0x3e, 0x1, 0xff }, { 0 },
};
/* Source: bdx_uncore_pcu_constraints. Events that use the occupancy counter cannot be counted on counter 0. */
static const struct counter_rule bdx_pcu[] = { { 0x80, 0xe, 0x80 }, { 0 } };
#define HSX_CBOX(rules) \
	PMU("uncore_cbox_0", F_BASE "tid_en config:19;thresh config:24-31;filter_tid config1:0-5;" \
	  "filter_link config1:6-8;filter_state config1:17-23;" F_NODES, \
	  S_8 | TID_EN, .filters = hsx_cbox, .num = 4, .only = rules), \
	PMU("uncore_sbox_0", F_INV "tid_en config:19;thresh config:24-31;", S_8 | TID_EN, .num = 4)
#define HSX_PCU(...) \
	PMU("uncore_pcu", "event config:0-7;occ_sel config:14-15;edge config:18;inv config:23;" \
	  "thresh config:24-28;occ_invert config:30;occ_edge config:14-51;" F_BANDS, \
	  0xdf84c0ff, .filters = lost_bands, .num = 4, __VA_ARGS__)
/*
 * Haswell-EP's U-box has filters (hswep_ubox_hw_config()). Broadwell's U-box (bdx_uncore_ubox) has no filters and the
 * formats of Ivy Bridge-EP.
 */
static const struct kernel_pmu k_hsx[] = {
	HSX_CBOX(hsx_only), HSX_PCU(.only = NULL),
	PMU("uncore_ubox", F_INV "thresh config:24-28;filter_tid config1:0;filter_cid config1:5;", S_5,
	  .filters = hsx_ubox, .num = 2, .fixed = 0x704), { 0 },
};
#define UBOX_700 \
	PMU("uncore_ubox", F_INV "thresh config:24-28;", S_5, .num = 2, .fixed = 0x704)
static const struct kernel_pmu k_bdx[] = {
	HSX_CBOX(bdx_only), HSX_PCU(.only = bdx_pcu), UBOX_700, { 0 },
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
static const struct counter_rule cha_only[] = { { 0x11, 0x1, 0xff }, { 0x36, 0x1, 0xff }, { 0 } };
static const struct counter_rule skx_iio[] = {
	{ 0x83, 0x3, 0xff }, { 0x88, 0xc, 0xff }, { 0x95, 0xc, 0xff }, { 0xc0, 0xc, 0xff },
	{ 0xc5, 0xc, 0xff }, { 0xd4, 0xc, 0xff }, { 0xd5, 0xc, 0xff }, { 0 },
};
#define SKX_PCU \
	PMU("uncore_pcu", F_INV "thresh config:24-31;occ_invert config:30;occ_edge_det config:31;" \
	  F_BANDS, 0xdf84c0ff, .filters = lost_bands, .num = 4)
#define IRP_8 PMU("uncore_irp_0", F_INV "thresh config:24-31;", S_8, .num = 2)
static const struct kernel_pmu k_skx[] = {
	CPU,
	PMU("uncore_cha_0", F_INV "tid_en config:19;thresh config:24-31;filter_tid config1:0-8;"
	  "filter_state config1:17-26;filter_rem config1:32;filter_loc config1:33;"
	  "filter_nm config1:36;filter_all_op config1:35;filter_not_nm config1:37;"
	  "filter_opc0 config1:41-50;filter_opc1 config1:51-60;filter_nc config1:62;"
	  "filter_isoc config1:63;", S_8 | TID_EN, .filters = skx_cha, .num = 4, .only = cha_only),
	PMU("uncore_iio_0", F_INV "thresh config:24-35;ch_mask config:36-43;fc_mask config:44-46;",
	  S_8 | 0x7fff00000000, .num = 4, .only = skx_iio),
	PMU("uncore_iio_free_running_0", F_FREE, 0, .free = skx_free,
	  .events = "ioclk event=0xff,umask=0x10;" SKX_PORTS),
	IRP_8, SKX_PCU, UBOX_700, { 0 },
};

/* ---- Knights Landing: knl_cha_hw_config() sets remote, local and nnm with any filter ---- */

static const struct filter_rule knl_cha[] = {
	{ TID_EN, TID_EN, 0x1ff }, { 0x3d, 0xff, 0x1c0000 },
	{ 0x35, 0xff, 0xfffffe2a00000000 }, { 0x36, 0xff, 0xfffffe2a00000000 }, { 0 },
};
static const struct counter_rule knl_only[] = {
	{ 0x11, 0x1, 0xff }, { 0x1f, 0x1, 0xff }, { 0x36, 0x1, 0xff }, { 0 },
};
static const struct kernel_pmu k_knl[] = {
	PMU("uncore_cha_0", F_INV "qor config:16;tid_en config:19;thresh config:24-31;"
	  "filter_tid config1:0-8;filter_link config1:12;filter_state config1:18-20;"
	  "filter_local config1:33;filter_all_op config1:35;filter_nnm config1:37;"
	  "filter_opc config1:41-60;filter_nc config1:62;filter_isoc config1:63;",
	  S_8 | TID_EN | 0x10000, .filters = knl_cha, .forced = 0x2300000000, .num = 4, .only = knl_only),
	PMU("uncore_ubox", F_INV "tid_en config:19;thresh config:24-28;", S_5 | TID_EN, .num = 2,
	  .fixed = 0x704),
	PMU("uncore_pcu", "event config:0-6;use_occ_ctr config:7;occ_sel config:14-15;edge config:18;"
	  "tid_en config:19;inv config:23;thresh config:24-29;occ_invert config:30;"
	  "occ_edge_det config:31;", 0xff8cc0ff, .num = 4), { 0 },
};

/* ---- Snow Ridge, Ice Lake-SP ---- */

static const struct filter_rule snr_cha[] = { { TID_EN, TID_EN, 0x1ff }, { 0 } };
static const struct counter_rule snr_iio[] = {
	{ 0x83, 0x3, 0xff }, { 0xc0, 0xc, 0xff }, { 0xd5, 0xc, 0xff }, { 0 },
};
static const struct counter_rule icx_iio[] = {
	{ 0x02, 0x3, 0xff }, { 0x03, 0x3, 0xff }, { 0x83, 0x3, 0xff }, { 0x88, 0xc, 0xff },
	{ 0xc0, 0xc, 0xff }, { 0xc5, 0xc, 0xff }, { 0xd5, 0xc, 0xff }, { 0 },
};
static const struct counter_rule icx_m2pcie[] = {
	{ 0x14, 0x3, 0xff }, { 0x23, 0x3, 0xff }, { 0x2d, 0x3, 0xff }, { 0 },
};
static const struct free_rule snr_free[] = { { 0x1eac, 1 }, { 0x1f00, 1 } };
static const struct free_rule icx_free[] = { { 0xa55, 1 }, { 0xaa0, 1 } };
/*
 * One count is 32 bytes: Linux commit "Fix the scale of IIO free running counters on SNR", and similar commits for ICX
 * and SPR.
 */
#define IN_SCALE "3.0517578125e-5"
#define SNR_CHA \
	PMU("uncore_cha_0", "event config:0-7;umask config:8-15,32-57;edge config:18;" \
	  "tid_en config:19;inv config:23;thresh config:24-31;filter_tid config1:0-8;", \
	  S_8 | TID_EN | 0x3ffffff00000000, .filters = snr_cha, .num = 4, .only = cha_only)
#define SNR_IIO(rules, counters) \
	PMU("uncore_iio_0", F_INV "thresh config:24-35;ch_mask config:36-47;fc_mask config:48-50;", \
	  S_8 | 0x7ffff00000000, .num = counters, .only = rules)
#define FREE_8(list) PMU("uncore_iio_free_running_0", F_FREE, 0, .free = list, \
	  .events = "ioclk event=0xff,umask=0x10;" PORTS_8(IN_SCALE))
#define M2PCIE(rules) PMU("uncore_m2pcie_0", F_INV "thresh config:24-31;", S_8, .num = 4, .only = rules)
static const struct kernel_pmu k_icx[] = {
	SNR_CHA, SNR_IIO(icx_iio, 4), FREE_8(icx_free), IRP_8, M2PCIE(icx_m2pcie), SKX_PCU, UBOX_700, { 0 },
};
/* The PMU has the formats of Skylake-SP (snr_uncore_pcu), but a selector mask of its own. */
static const struct kernel_pmu k_snr[] = {
	SNR_CHA, SNR_IIO(snr_iio, 4), FREE_8(snr_free), IRP_8, M2PCIE(NULL),
	PMU("uncore_pcu", F_INV "thresh config:24-31;occ_invert config:30;occ_edge_det config:31;"
	  F_BANDS, S_8, .filters = lost_bands, .num = 4),
	PMU("uncore_ubox", F_INV "thresh config:24-31;", S_8, .num = 2, .fixed = 0x1f94), { 0 },
};

/* ---- Sapphire Rapids and later: boxes of the discovery table ---- */

static const struct filter_rule spr_cha[] = { { 0x10000, 0x10000, 0x3ff }, { 0 } };
static const struct free_rule spr_free[] = { { 0x340e, 1 }, { 0x3800, 1 }, { 0x3808, 1 } };
static const struct free_rule gnr_free[] = { { 0x290e, 1 }, { 0x360e, 0x10 }, { 0x2e0e, 0x10 } };
#define SPR_BOXES(iio_rules) \
	PMU("uncore_cha_0", "event config:0-7;umask config:8-15,32-63;tid_en config:16;" \
	  "edge config:18;inv config:23;thresh config:24-31;filter_tid config1:0-9;", \
	  S_8 | 0x10000 | 0xffffffff00000000, .filters = spr_cha, .only = cha_only), \
	SNR_IIO(iio_rules, 0), \
	PMU("uncore_irp_0", "event config:0-7;umask config:8-15,32-55;edge config:18;inv config:23;" \
	  "thresh config:24-31;", S_8 | 0xffffff00000000), \
	PMU("uncore_ubox", F_INV "thresh config:24-31;", S_8)
static const struct kernel_pmu k_spr[] = { CPU, SPR_BOXES(icx_iio), FREE_8(spr_free), { 0 } };
static const struct kernel_pmu k_emr[] = { SPR_BOXES(icx_iio), FREE_8(spr_free), { 0 } };
static const struct kernel_pmu k_gnr[] = { SPR_BOXES(icx_iio), FREE_8(gnr_free), { 0 } };
static const struct kernel_pmu k_grr[] = { SPR_BOXES(icx_iio), { 0 } };

static const struct kernel_pmu k_wsm[] = {
	CPU, PMU("uncore", F_INV "cmask config:24-31;", S_8, .num = 8, .fixed = 0x394,
	  .events = "clockticks event=0xff;"),
	{ .name = NULL },
};

#endif
