/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The boxes of Nehalem-EX and Westmere-EX, as in Linux (arch/x86/events/intel/uncore_nhmex.c). Like the driver in
 * hw_config() and enable_event(), the functions below compute the values of the match and mask registers.
 */
#ifndef KERNEL_EX_H
#define KERNEL_EX_H

#include "kernel_side.h"

static void put(struct kernel_second *to, uint32_t msr, uint64_t value)
{
	while (to->msr)
		to++;
	*to = (struct kernel_second){ msr, value };
}

/* Source: nhmex_bbox_hw_config(). */
static void bbox_second(const uint64_t config[3], struct kernel_second *to)
{
	unsigned counter = config[0] >> 6 & 3, event = config[0] >> 1 & 0x1f;

	if ((counter == 0 && event > 3) || (counter == 1 && event > 6) ||
	    (counter == 2 && event != 4) || counter == 3)
		return;
	put(to, 0xe45, config[1]);
	put(to, 0xe46, config[2]);
}

static void sbox_second(const uint64_t config[3], struct kernel_second *to)
{
	if (config[0] & 0xff)
		return;
	put(to, 0xe49, config[1]);
	put(to, 0xe4a, config[2]);
	put(to, 0xe48, 1ull << 63);
}

/* Source: nhmex_uncore_mbox_extra_regs. The register depends on the field inc_sel, or in flag mode on set_flag_sel. */
static const struct { uint64_t event, mask; uint32_t msr; } mbox_registers[] = {
#define INC(n, msr) { (n) << 9, 0x1f << 9 | 0x80, msr }
#define FLAG(n, msr) { (n) << 19 | 0x80, 0x7 << 19 | 0x80, msr }
	INC(0x0, 0xca5), INC(0x4, 0xca8), INC(0x5, 0xca8), INC(0x9, 0xca6), INC(0xa, 0xca6),
	INC(0xa, 0xcaa), INC(0xb, 0xcaa), INC(0xd, 0xcab), INC(0xe, 0xcab), INC(0xf, 0xcab),
	INC(0x10, 0xcab), INC(0x16, 0xca9), FLAG(0x0, 0xca5), FLAG(0x1, 0xca6), FLAG(0x5, 0xca9),
	FLAG(0x6, 0xca7),
#undef INC
#undef FLAG
};

/* Each of the events 0xd to 0x10 has three bits of its own in ZDP_CTL_FVC (nhmex_mbox_get_shared_reg()). */
static uint64_t fvc(uint64_t config, uint64_t value, unsigned common)
{
	unsigned event = (unsigned)(config >> 9 & 0x1f) - 0xd;
	uint64_t mask = ((1ull << common) - 1) | 1ull << (common + 12);

	return value & (mask | 7ull << (common + 3 * event));
}

static void mbox_second(const uint64_t config[3], struct kernel_second *to, unsigned common)
{
	unsigned num = 0;

	for (size_t i = 0; i < sizeof(mbox_registers) / sizeof(mbox_registers[0]); i++) {
		uint32_t msr = mbox_registers[i].msr;
		uint64_t value = msr == 0xcaa ? config[1] >> 32 : config[1] & 0xffffffff;

		if ((config[0] & mbox_registers[i].mask) != mbox_registers[i].event)
			continue;
		put(to, msr, msr == 0xcab ? fvc(config[0], value, common) : value);
		num++;
	}
	if (num < 2 || !(config[2] >> 63))
		return;
	put(to, 0xe55, config[2] & 0x3ffffffff);
	put(to, 0xe56, config[2] >> 34 & 0x7ffffff);
	put(to, 0xe54, 1ull << 63);
}

static void nhmex_mbox(const uint64_t config[3], struct kernel_second *to)
{
	mbox_second(config, to, 11);
}

static void wsmex_mbox(const uint64_t config[3], struct kernel_second *to)
{
	mbox_second(config, to, 12);
}

/* Source: nhmex_rbox_msr_enable_event(), for box 0; events from 0x18 on are refused. */
static void rbox_second(const uint64_t config[3], struct kernel_second *to)
{
	unsigned event = config[0] >> 1 & 0x1f, port = event / 6;
	uint32_t set = 0xe60 + 4 * port + (event % 6 == 5 ? 0x10 : 0);

	switch (event % 6) {
	case 0:
		put(to, 0xe04 + port, config[1]);
		break;
	case 1:
		put(to, 0xe24 + port, config[1]);
		break;
	case 2:
	case 3:
		put(to, 0xe0c + port, config[1] & 0xffull << (event % 6 - 2) * 8);
		break;
	default:
		put(to, set, config[0] >> 32);
		put(to, set + 1, config[1]);
		put(to, set + 2, config[2]);
	}
}

static const struct counter_rule bbox_only[] = {
	{ 0, 1, 0xc0 }, { 0x40, 2, 0xc0 }, { 0x80, 4, 0xc0 }, { 0xc0, 8, 0xc0 }, { 0 },
};

#define EX_WIDE F_INV "thresh config:24-31;"
#define EX_MATCH "match config1:0-63;mask config2:0-63;"
#define EX_BOXES(mbox, bbox_events) \
	PMU("uncore_ubox", "event config:0-7;edge config:18;", 0x400ff, .num = 1), \
	PMU("uncore_cbox_0", EX_WIDE, S_8, .num = 6), \
	PMU("uncore_bbox_0", "event config:1-5;counter config:6-7;" EX_MATCH, 0x3e, .num = 4, \
	  .only = bbox_only, .second = bbox_second), \
	PMU("uncore_sbox_0", EX_WIDE EX_MATCH, S_8, .num = 4, .second = sbox_second), \
	PMU("uncore_mbox_0", "count_mode config:2-3;storage_mode config:4-5;wrap_mode config:6;" \
	  "flag_mode config:7;inc_sel config:9-13;set_flag_sel config:19-21;" \
	  "filter_cfg_en config2:63;filter_match config2:0-33;filter_mask config2:34-61;" \
	  "dsp config1:0-31;thr config1:0-31;fvc config1:0-31;pgt config1:0-31;map config1:0-31;" \
	  "iss config1:0-31;pld config1:32-63;", 0x383efc, .num = 6, .second = mbox, \
	  .events = bbox_events), \
	PMU("uncore_rbox_0", "event config:1-5;xbr_mm_cfg config:32-63;xbr_match config1:0-63;" \
	  "xbr_mask config2:0-63;qlx_cfg config1:0-15;iperf_cfg config1:0-31;", 0x3e, .num = 8, \
	  .second = rbox_second, \
	  .events = "qpi0_flit_send event=0x0,iperf_cfg=0x80000000;" \
	  "qpi1_filt_send event=0x6,iperf_cfg=0x80000000;qpi0_date_response event=0x0,iperf_cfg=0xc4;"), \
	PMU("uncore_wbox", EX_WIDE, S_8, .num = 4, .fixed = 0x394, \
	  .events = "clockticks event=0xff,umask=0;")
static const struct kernel_pmu k_nhmex[] = {
	EX_BOXES(nhmex_mbox, "bbox_cmds_read inc_sel=0xd,fvc=0x2800;"
		 "bbox_cmds_write inc_sel=0xd,fvc=0x2820;"), { 0 },
};
static const struct kernel_pmu k_wsmex[] = {
	EX_BOXES(wsmex_mbox, "bbox_cmds_read inc_sel=0xd,fvc=0x5000;"
		 "bbox_cmds_write inc_sel=0xd,fvc=0x5040;"), { 0 },
};

#endif
