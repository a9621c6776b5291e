/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Servers and AMD: register words of events, computed by hand from the bit positions in the manuals, to find
 * errors in the tables (or in the encoding).
 */
#include <string.h>

#include "encoded.h"
#include "helpers.h"
#include "suite.h"

struct written {
	uint32_t msr;
	uint64_t value;
};

struct wording {
	const char *uarch, *text;
	uint64_t word;
	uint32_t counters;
	struct written filters[3]; /* of unit 0; msr 0 ends them */
};

static void check_filters(const struct wording *w, const struct encoded *ev)
{
	if (!w->filters[0].msr)
		ck_assert_msg(!ev->num_registers || ev->registers[0].use != UNCOREMSR_USE_EVENT,
			      "%s: %s: a filter is used", w->uarch, w->text);
	for (size_t i = 0; i < ARRAY_SIZE(w->filters) && w->filters[i].msr; i++)
		ck_assert_msg(put_into(ev, w->filters[i].msr) == (int64_t)w->filters[i].value,
			      "%s: %s: 0x%x gets 0x%llx, not 0x%llx", w->uarch, w->text, w->filters[i].msr,
			      (unsigned long long)put_into(ev, w->filters[i].msr),
			      (unsigned long long)w->filters[i].value);
}

/* The words have the enable bit (bit 22; UMC: 31), except those of Sapphire Rapids and later. */
static const struct wording wordings[] = {
	/* Sandy Bridge-EP: one filter register; no overflow bit; a state filter of 0 would count nothing, so it
	 * is set by default. */
	{ "sandybridge-ep", "cbo/event=0x34,umask=0x11/", 0x401134, 0x3, { { 0xd14, 0x7c0000 } } },
	{ "sandybridge-ep", "cbo/event=0x34,umask=0x41,filter_state=0x1,filter_nid=0x2/", 0x404134,
	  0x3, { { 0xd14, 0x40800 } } },
	{ "sandybridge-ep", "cbo/event=0x35,umask=0x01,filter_opc=0x182/", 0x400135, 0x3, { { 0xd14, 0xc1000000 } } },
	{ "sandybridge-ep", "cbo/event=0x36,umask=0x43,filter_opc=0x180,filter_nid=1/", 0x404336,
	  0x1, { { 0xd14, 0xc0000400 } } },
	{ "sandybridge-ep", "cbo/event=0x0,filter_tid=0x5/", 0x480000, 0xf, { { 0xd14, 5 } } },
	{ "sandybridge-ep", "cbo/event=0x1f,umask=0x1,edge,inv,thresh=0x80/", 0x80c4011f, 0xe, { { 0 } } },
	{ "sandybridge-ep", "cbo/event=0x1b/", 0x40001b, 0xc, { { 0 } } },
	{ "sandybridge-ep", "pcu/event=0xc,filter_band1=0x14/", 0x40000c, 0xf, { { 0xc34, 0x1400 } } },
	{ "sandybridge-ep", "pcu/event=0x80,occ_sel=3,thresh=31,occ_invert=1,occ_edge=1/",
	  0xdf40c080, 0xf, { { 0 } } },
	/* Ivy Bridge-EP: two filters, a ninth event bit in the power control unit. */
	{ "ivybridge-ep", "cbo/event=0x35,umask=0x41,filter_opc=0x182,filter_nid=0x2/", 0x404135,
	  0x3, { { 0xd1a, 0x18200002 } } },
	{ "ivybridge-ep", "cbo/event=0x31,umask=0x10,filter_link=0x3/", 0x401031, 0x3, { { 0xd14, 0x60 } } },
	{ "ivybridge-ep", "cbo/event=0x34,umask=0x3,filter_state=0x20/", 0x400334, 0x3, { { 0xd14, 0x400000 } } },
	{ "ivybridge-ep", "pcu/event=0x117/", 0x600017, 0xf, { { 0 } } },
	/* Haswell-EP and Broadwell-EP. */
	{ "haswell-ep", "cbo/event=0x35,umask=0x3,filter_opc=0x182,filter_isoc=1/", 0x400335, 0xf,
	  { { 0xe06, 0x98200000 } } },
	{ "haswell-ep", "cbo/event=0x34,umask=0x11/", 0x401134, 0xf, { { 0xe05, 0xfe0000 } } },
	/* Filters as config1 of the kernel: the first register is in the bits below 32, the second in the bits
	 * above. */
	{ "haswell-ep", "cbo/event=0x35,umask=0x3,config1=0x1820000000000000/", 0x400335, 0xf,
	  { { 0xe06, 0x18200000 } } },
	{ "haswell-ep", "cbo/event=0x34,umask=0x11,config1=0x20000/", 0x401134, 0xf, { { 0xe05, 0x20000 } } },
	{ "sandybridge-ep", "cbo/event=0x35,umask=0x1,config1=0xc1000000/", 0x400135, 0x3,
	  { { 0xd14, 0xc1000000 } } },
	{ "skylake-sp", "cha/event=0x35,umask=0x21,config1=0x4043200000000/", 0x402135, 0xf, { { 0xe06, 0x40432 } } },
	{ "haswell-ep", "cbo/event=0x37,umask=0x41,filter_nid=0x8/", 0x404137, 0xf, { { 0xe06, 0x8 } } },
	{ "haswell-ep", "cbo/event=0x38,filter_tid=0x3f/", 0x480038, 0x3, { { 0xe05, 0x3f } } },
	{ "haswell-ep", "cbo/event=0x9/", 0x400009, 0x1, { { 0 } } },
	{ "broadwell-ep", "cbo/event=0x9/", 0x400009, 0x3, { { 0 } } },
	{ "haswell-ep", "ubox/event=0x42,filter_cid=0x3,filter_tid=1/", 0x400042, 0x3, { { 0x707, 0x7 } } },
	{ "haswell-ep", "sbox/event=0x2,umask=0x20,tid_en=1/", 0x482002, 0xf, { { 0 } } },
	{ "haswell-ep", "pcu/event=0xe,filter_band3=0x28/", 0x40000e, 0xf, { { 0x715, 0x28000000 } } },
	{ "broadwell-ep", "pcu/event=0x80,occ_sel=1/", 0x404080, 0xe, { { 0 } } },
	/* Knights Landing: without the default bits for remote, local and near memory, nothing would match. */
	{ "knightslanding", "cha/event=0x35,umask=0x1,filter_opc=0x204/", 0x400135, 0xf, { { 0xe06, 0x40823 } } },
	{ "knightslanding", "cha/event=0x3d,umask=0x1,filter_state=0x2/", 0x40013d, 0xf,
	  { { 0xe05, 0x80000 }, { 0xe06, 0x23 } } },
	{ "knightslanding", "cha/event=0x0,qor=1,filter_tid=0x1ff/", 0x490000, 0xf,
	  { { 0xe05, 0x1ff }, { 0xe06, 0x23 } } },
	{ "knightslanding", "pcu/event=0x7f,use_occ_ctr=1,occ_sel=2,thresh=0x3f,occ_edge_det=1/",
	  0xbf4080ff, 0xf, { { 0 } } },
	/* Skylake-SP: filter 1 is 0x3b by default. */
	{ "skylake-sp", "cha/event=0x35,umask=0x11/", 0x401135, 0xf, { { 0xe06, 0x3b } } },
	{ "skylake-sp", "cha/event=0x36,umask=0x21,filter_opc0=0x202,filter_rem=1/", 0x402136, 0x1,
	  { { 0xe06, 0x40431 } } },
	{ "skylake-sp", "cha/event=0x35,filter_opc1=0x259,filter_not_nm=1/", 0x400035, 0xf,
	  { { 0xe06, 0x12c80023 } } },
	{ "skylake-sp", "cha/event=0x34,umask=0x3,filter_state=0x1/", 0x400334, 0xf, { { 0xe05, 0x20000 } } },
	{ "skylake-sp", "cha/event=0x34,umask=0x3/", 0x400334, 0xf, { { 0xe05, 0x7fe0000 } } },
	{ "skylake-sp", "cha/event=0x3b/", 0x40003b, 0x1, { { 0 } } },
	{ "skylake-sp", "iio/event=0x83,umask=0x1,ch_mask=0x1,fc_mask=0x7,thresh=0x123/",
	  0x701123400183, 0x3, { { 0 } } },
	{ "skylake-sp", "iio/event=0xc0,umask=0x4/", 0x7ff0004004c0, 0xc, { { 0 } } },
	{ "skylake-sp", "pcu/event=0x80,umask=0x40/", 0x404080, 0xf, { { 0 } } },
	/* Snow Ridge, Ice Lake-SP: long unit masks; the only filter is that of the thread. */
	{ "icelake-sp", "cha/event=0x35,umask=0xc001ff01/", 0xc001ff00400135, 0xf, { { 0 } } },
	{ "icelake-sp", "cha/event=0x36,umask=0x1,filter_tid=0x1ff/", 0x480136, 0x1, { { 0xe05, 0x1ff } } },
	{ "icelake-sp", "iio/event=0x83,umask=0x4,ch_mask=0x1/", 0x7001000400483, 0x3, { { 0 } } },
	{ "icelake-sp", "m2pcie/event=0x23/", 0x400023, 0x3, { { 0 } } },
	{ "snowridge", "cha/event=0x34,umask=0x1fff/", 0x1f0040ff34, 0xf, { { 0 } } },
	{ "snowridge", "pcu/event=0xd,filter_band2=0x14,thresh=0xff/", 0xff40000d, 0xf, { { 0x1efc, 0x140000 } } },
	/* Sapphire Rapids and later: no enable bit, TID_EN at 16. */
	{ "sapphirerapids", "cha/event=0x35,umask=0xc001ff01/", 0xc001ff00000135, 0xf, { { 0 } } },
	/* A unit mask that uses bits 63:32: TOR_INSERTS.IA_MISS_DRD_CXL_ACC of Intel's list. */
	{ "sapphirerapids", "cha/event=0x35,umask=0x10c8078201/", 0x10c8078200000135, 0xf, { { 0 } } },
	{ "emeraldrapids", "cha/event=0x35,umask=0xffffffffff/", 0xffffffff0000ff35, 0xf, { { 0 } } },
	{ "graniterapids", "cha/event=0x35,umask=0x8000000001/", 0x8000000000000135, 0xf, { { 0 } } },
	{ "sapphirerapids", "cha/event=0x36,umask=0x1,filter_tid=0x3ff/", 0x10136, 0x1, { { 0x200e, 0x3ff } } },
	{ "sapphirerapids", "iio/event=0x83,umask=0x1,ch_mask=0xff,fc_mask=0x7/", 0x70ff000000183, 0x3, { { 0 } } },
	{ "sapphirerapids", "ubox/event=0x4d,umask=0x1/", 0x14d, 0x1, { { 0 } } },
	{ "graniterapids", "iio/event=0xc5,umask=0x1/", 0x7fff0000001c5, 0xc, { { 0 } } },
	{ "grandridge", "iio/event=0xc5,umask=0x1/", 0x7fff0000001c5, 0xf, { { 0 } } },
	{ "graniterapids", "irp/event=0x11,umask=0x101,edge/", 0x100040111, 0x3, { { 0 } } },
	/* B-box: the counter, which Linux has in bits 7:6 of config, is not part of the selector; bit 0 enables. */
	{ "nehalem-ex", "bbox/event=0x1f,counter=0/", 0x3f, 0x1, { { 0 } } },
	{ "nehalem-ex", "bbox/event=0x1f,counter=1/", 0x3f, 0x2, { { 0 } } },
	{ "nehalem-ex", "bbox/event=0x1f,counter=2/", 0x3f, 0x4, { { 0 } } },
	{ "westmere-ex", "bbox/event=0x1f,counter=3/", 0x3f, 0x8, { { 0 } } },
	/* AMD: the L3 before and after Zen 3, the fabric before and after PerfMon version 2. */
	{ "zen", "l3/event=0x4,umask=0xff/", 0xff0f00000040ff04, 0x3f, { { 0 } } },
	{ "zen2", "l3/event=0x4,umask=0xff,threadmask=0x3/", 0x030f00000040ff04, 0x3f, { { 0 } } },
	{ "dhyana", "l3/event=0x6,umask=0x1,slicemask=0x2/", 0xff02000000400106, 0x3f, { { 0 } } },
	{ "zen3", "l3/event=0x4,umask=0xff/", 0x0300c0000040ff04, 0x3f, { { 0 } } },
	{ "zen4", "l3/event=0x4,umask=0xff,sliceid=5/", 0x030580000040ff04, 0x3f, { { 0 } } },
	{ "zen5", "l3/event=0x4,umask=0x1,coreid=3,enallslices=1,threadmask=1/",
	  0x01004c0000400104, 0x3f, { { 0 } } },
	{ "zen", "df/event=0x3807,umask=0x38/", 0x1800000800403807, 0xf, { { 0 } } },
	{ "zen4", "df/event=0x1f,umask=0xffe/", 0x0f40fe1f, 0xffff, { { 0 } } },
	{ "zen4", "df/event=0x3f07,umask=0x38/", 0x3f00403807, 0xffff, { { 0 } } },
	{ "zen4", "umc/event=0xa,rdwrmask=1/", 0x8000010a, 0xf, { { 0 } } },
	{ "bulldozer", "nb/event=0x1e0,umask=0xf/", 0x100400fe0, 0xf, { { 0 } } },
};

TEST(events_become_the_words_computed_from_bit_positions)
{
	for (size_t i = 0; i < ARRAY_SIZE(wordings); i++) {
		const struct wording *w = &wordings[i];
		const struct encoded *ev = encode_one(w->uarch, w->text);

		ck_assert_msg(ev->word == w->word, "%s: %s: 0x%llx, not 0x%llx", w->uarch, w->text,
			      (unsigned long long)ev->word, (unsigned long long)w->word);
		ck_assert_msg(ev->counters == w->counters, "%s: %s: counters 0x%llx, not 0x%x", w->uarch, w->text,
			      (unsigned long long)ev->counters, w->counters);
		check_filters(w, ev);
	}
}

TEST(words_that_the_part_cannot_take_are_refused)
{
	static const struct {
		const char *uarch, *text;
	} bad[] = {
		{ "sandybridge-ep", "cbo/event=0x100/" },
		{ "sandybridge-ep", "pcu/event=0x217/" },
		{ "ivybridge-ep", "cbo/event=0x0,inv/" },
		{ "sandybridge-ep", "pcu/event=0x1,umask=0x1/" },
		{ "haswell-ep", "pcu/event=0x1,thresh=0x20/" },
		{ "haswell-ep", "cbo/raw=0x500034/" },         /* the interrupt bit */
		{ "skylake-sp", "cha/event=0x0,filter_opc0=0x202/" }, /* the filter would have no effect */
		{ "skylake-sp", "cha/event=0x35,umask=0x21,config1=0x1/" },   /* sets the other filter
									       * register */
		{ "skylake-sp", "cha/event=0x35,config1=0x100000000,filter_loc/" },
		{ "skylake-sp", "iio/event=0x83,config1=0x1/" },
		{ "skylake-sp", "iio/event=0x83,ch_mask=0x100/" },
		{ "icelake-sp", "cha/event=0x35,umask=0x400000000/" },
		{ "sapphirerapids", "cha/raw=0x400135/" },     /* there is no enable bit */
		{ "zen", "l3/event=0x4,sliceid=1/" },
		{ "zen3", "l3/event=0x4,slicemask=1/" },
		{ "zen4", "df/event=0x4000/" },
		{ "zen", "df/event=0x7,umask=0x100/" },
		{ "zen", "l3/event=0x4,edge/" },
		{ "zen4", "umc/event=0xa,umask=0x10/" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		ck_assert_msg(encode_on(bad[i].uarch, bad[i].text) < 0, "%s: %s", bad[i].uarch, bad[i].text);
		ck_assert_str_ne(encode_error, "");
	}
}

SUITE(uarch_words)
