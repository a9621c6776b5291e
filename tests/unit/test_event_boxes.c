/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The event language where the uncore has several PMUs, and on the core PMU. */
#include <check.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "encoded.h"
#include "helpers.h"
#include "suite.h"

/* ---- words ---- */

static const struct {
	const char *uarch, *text, *name;
	uint64_t word;
	int unit, fixed; /* the fixed counter's MSR; -1: a general counter */
	uint32_t counters;
} good[] = {
	/* One unit, all units, and the kernel's PMU names. */
	{ "sandybridge", "uncore_cbox_3/event=0x34,umask=0x12/", "cbo3/event=0x34,umask=0x12/",
	  0x401234, 3, -1, 0x3 },
	{ "sandybridge", "uncore_cbox/umask=18,event=52/", "cbo/event=0x34,umask=0x12/", 0x401234, -1, -1, 0x3 },
	{ "sandybridge", "CBO_2/raw=0x400134/", "cbo2/event=0x34,umask=0x1/", 0x400134, 2, -1, 0x3 },
	/*
	 * The kernel puts the clock into the PMU of a C-box, so uncore_cbox_0 could mean both; as a PMU it means the
	 * C-box.
	 */
	{ "sandybridge", "uncore_cbox_0/event=0x34/", "cbo0/event=0x34,umask=0x0/", 0x400034, 0, -1, 0x3 },
	{ "sandybridge", "uncore_arb/event=0x81,umask=1/", "arb/UNC_ARB_TRK_REQUESTS.ALL/", 0x400181, -1, -1, 0x3 },
	/* Terms: flags with and without a value, and other names for the threshold. */
	{ "sandybridge", "cbo/event=0x34,umask=0x1,edge,inv=1,cmask=0x1f/",
	  "cbo/event=0x34,umask=0x1,edge,inv,cmask=0x1f/", 0x1fc40134, -1, -1, 0x3 },
	{ "alderlake", "cbo/event=0x34,c=0x3f/", "cbo/event=0x34,umask=0x0,threshold=0x3f/",
	  0x3f400034, -1, -1, 0x3 },
	{ "sandybridge", "cbo/event=0x34/:edge:t=2", "cbo/event=0x34,umask=0x0,edge,cmask=0x2/",
	  0x2440034, -1, -1, 0x3 },
	/* Names with terms after them; names without a PMU if only one PMU has them. */
	{ "sandybridge", "cbo1/UNC_CBO_CACHE_LOOKUP.READ_I,edge/",
	  "cbo1/UNC_CBO_CACHE_LOOKUP.READ_I,edge/", 0x441834, 1, -1, 0x3 },
	{ "ivybridge", "unc_cbo_cache_lookup_read_i:e", "cbo/UNC_CBO_CACHE_LOOKUP.READ_I,edge/",
	  0x441834, -1, -1, 0x3 },
	/* In the ARB only counter 0 counts occupancies. A threshold of the named event is not shown as a modifier. */
	{ "haswell", "arb/event=0x80,umask=1,cmask=1/",
	  "arb/UNC_ARB_TRK_OCCUPANCY.CYCLES_WITH_ANY_REQUEST/", 0x1400180, -1, -1, 0x1 },
	{ "haswell", "arb/event=0x80,umask=1,cmask=2/", "arb/UNC_ARB_TRK_OCCUPANCY.ALL,cmask=0x2/",
	  0x2400180, -1, -1, 0x1 },
	/* Fixed counters. */
	{ "skylake", "UNC_CLOCK_SOCKET", "clock/UNC_CLOCK.SOCKET/", 0x400000, -1, 0x395, 0 },
	{ "icelake-sp", "iio_free_running_0/bw_in_port0/", "iio_free_running0/bw_in_port0/", 0, 0, 0xaa0, 0 },
	{ "skylake-sp", "uncore_iio_free_running_0/bw_in_port0/", "iio_free_running0/bw_in_port0/", 0, 0, 0xb00, 0 },
	{ "pantherlake", "cncu1/clockticks/", "cncu1/UNC_CLOCK.SOCKET/", 0x400000, 1, 0x2548, 0 },
	{ "meteorlake", "sncu/clockticks/", "sncu/UNC_CLOCK.SOCKET/", 0x400000, -1, 0x2008, 0 },
	/* Boxes of Nehalem-EX: three layouts of the selector. */
	{ "nehalem-ex", "cbox7/LLC_MISSES.ALL,thresh=3/", "cbox7/LLC_MISSES.ALL,thresh=0x3/",
	  0x3400714, 7, -1, 0x3f },
	{ "westmere-ex", "cbox9/event=0x14/", "cbox9/event=0x14,umask=0x0/", 0x400014, 9, -1, 0x3f },
	{ "nehalem-ex", "ubox/event=0x50/", "ubox/U2R_REQUESTS/", 0x400050, -1, -1, 0x1 },
	{ "nehalem-ex", "mbox/inc_sel=0x1a/", "mbox/BBOX_CMDS_ALL/", 0x3441, -1, -1, 0x3f },
	{ "nehalem-ex", "mbox1/BBOX_CMDS_ALL/", "mbox1/BBOX_CMDS_ALL/", 0x3441, 1, -1, 0x3f },
	/* B-box: each counter counts other events, so the counter is part of the name, but not of the selector word. */
	{ "nehalem-ex", "bbox/event=9,counter=0/", "bbox/DRSQ_OCCUPANCY/", 0x13, -1, -1, 0x1 },
	/* Core: perf's raw words and user or kernel mode; the interrupt bit is dropped. */
	{ "westmere", "r3", "core/event=0x3,umask=0x0/", 0x430003, -1, -1, 0x3ff },
	{ "westmere", "r00000000005301b1", "core/event=0xb1,umask=0x1/", 0x4301b1, -1, -1, 0x3ff },
	{ "westmere", "r1b1:u", "core/event=0xb1,umask=0x1/u", 0x4101b1, -1, -1, 0x3ff },
	{ "westmere", "r4101c2", "core/event=0xc2,umask=0x1/u", 0x4101c2, -1, -1, 0x3ff },
	{ "westmere", "r1d301b1", "core/event=0xb1,umask=0x1,inv,cmask=0x1/", 0x1c301b1, -1, -1, 0x3ff },
	{ "westmere", "core/event=0xb1,umask=0x1/k", "core/event=0xb1,umask=0x1/k", 0x4201b1, -1, -1, 0x3ff },
	{ "westmere", "cpu/event=0xb1,umask=0x1/uk", "core/event=0xb1,umask=0x1/", 0x4301b1, -1, -1, 0x3ff },
	{ "westmere", "core/r1b1,edge/", "core/event=0xb1,umask=0x1,edge/", 0x4701b1, -1, -1, 0x3ff },
	{ "westmere", "r4301b1:u", "core/event=0xb1,umask=0x1/u", 0x4101b1, -1, -1, 0x3ff },
	{ "westmere", "r4301b1:k", "core/event=0xb1,umask=0x1/k", 0x4201b1, -1, -1, 0x3ff },
	{ "westmere", "r4001b1:k", "core/event=0xb1,umask=0x1/k", 0x4201b1, -1, -1, 0x3ff },
	/* If one of user and kernel mode is switched off, the other one is still counted. */
	{ "westmere", "core/event=0xb1,umask=0x1,os=0/", "core/event=0xb1,umask=0x1/u", 0x4101b1, -1, -1, 0x3ff },
	{ "westmere", "core/event=0xb1,umask=0x1,usr=0/", "core/event=0xb1,umask=0x1/k", 0x4201b1, -1, -1, 0x3ff },
	/* A term without a value may also come first. */
	{ "westmere", "core/edge,event=0xb1,umask=0x1/", "core/event=0xb1,umask=0x1,edge/", 0x4701b1, -1, -1, 0x3ff },
	/* Codes of an architectural event that is newer than this processor have no name. */
	{ "westmere", "r1a4", "core/event=0xa4,umask=0x1/", 0x4301a4, -1, -1, 0x3ff },
	{ "westmere", "LONGEST_LAT_CACHE.MISS:k", "core/LONGEST_LAT_CACHE.MISS/k", 0x42412e, -1, -1, 0x3ff },
	/* A fixed counter has four bits in its control register: the first is kernel mode, the second user mode. */
	{ "westmere", "slots:k", "core/slots/k", 0x1000, -1, 0x30c, 0 },
	/* A fixed counter has no modifiers, but modifiers of 0 are accepted. */
	{ "haswell-ep", "ubox/clockticks,edge=0,inv=0,thresh=0/", "ubox/clockticks/", 0x400000, -1, 0x704, 0 },
	{ "westmere", "cpu-cycles:u", "core/cycles/u", 0x20, -1, 0x30a, 0 },
	{ "westmere", "core/ref-cycles/k", "core/ref-cycles/k", 0x100, -1, 0x30b, 0 },
	/* A flag that is already set in a raw word may be given again. */
	{ "sandybridge", "cbo/raw=0x440134,edge/", "cbo/event=0x34,umask=0x1,edge/", 0x440134, -1, -1, 0x3 },
	/* A modifier that is 0 in a raw word may be given in addition. */
	{ "sandybridge", "cbo/raw=0x400134,cmask=2/", "cbo/event=0x34,umask=0x1,cmask=0x2/", 0x2400134, -1, -1, 0x3 },
	/* A counter name of likwid does not change the unit, nor does it add one to a PMU without units. */
	{ "haswell-ep", "ubox/event=0x41/:UBOX0C1", "ubox/event=0x41,umask=0x0/", 0x400041, -1, -1, 0x2 },
	{ "zen", "l3-2/event=0x4/:CPMC2", "l3-2/event=0x4,umask=0x0/", 0xff0f000000400004, 2, -1, 0x4 },
	/* name= replaces the canonical name. */
	{ "haswell-ep", "cbo3/event=0x1,name=mine/", "mine", 0x400001, 3, -1, 0x1 },
	/* If two names have the same codes, the first one is used. */
	{ "raptorlake", "arb/event=0x85,umask=0x1/", "arb/UNC_ARB_DAT_OCCUPANCY.ALL/", 0x400185, -1, -1, 0x1 },
	/* event=0 with the enable bit set is a valid event. */
	{ "haswell-ep", "cbo/event=0/", "cbo/event=0x0,umask=0x0/", 0x400000, -1, -1, 0xf },
	/* On a general counter these codes are an event with its own name, not the event of the fixed counter. */
	{ "westmere", "core/event=0xc0/", "core/INST_RETIRED.ANY_P/", 0x4300c0, -1, -1, 0x3ff },
};

TEST_EACH(an_event_becomes_exactly_this_word_unit_and_name, ARRAY_SIZE(good))
{
	const struct encoded *ev = encode_one(good[_i].uarch, good[_i].text);

	ck_assert_str_eq(ev->name, good[_i].name);
	ck_assert_msg(ev->word == good[_i].word, "%s: 0x%llx", good[_i].text, (unsigned long long)ev->word);
	ck_assert_int_eq(ev->unit, good[_i].unit);
	ck_assert_int_eq(ev->fixed, good[_i].fixed > 0);
	if (ev->fixed)
		ck_assert_int_eq(ev->counter, good[_i].fixed);
	else
		ck_assert_int_eq(ev->counters, good[_i].counters);
}

/* ---- refusals ---- */

static const struct {
	const char *uarch, *text, *shows, *hints;
	int err;
} refused[] = {
	{ "sandybridge", "0x34:0x11", "a code needs a PMU here", "cbo/event=0x34,umask=0x11/", -EINVAL },
	{ "sandybridge", "0x100000035:0x200000041", "a code needs a PMU here",
	  "cbo/event=0x100000035,umask=0x200000041/", -EINVAL },
	{ "sandybridge", "0x400134", "a code needs a PMU here", "cbo/raw=0x400134/", -EINVAL },
	{ "sandybridge", "0x34:300", "a code needs a PMU here", "cbo", -EINVAL },
	{ "sandybridge", "pcu/event=1/", "sandybridge has no PMU 'pcu'", "cbo, arb, clock, core", -ENOENT },
	{ "sandybridge", "cbo4/event=1/", "units 0 to 3 at most, not 4", "", -EINVAL },
	{ "sandybridge", "cbo99999/event=1/", "no PMU 'cbo99999'", "cbo", -ENOENT },
	{ "sandybridge", "arb1/event=1/", "there is only one arb", "", -EINVAL },
	{ "sandybridge", "imc/event=1/", "not among the MSRs", "uncore_imc", -ENOTSUP },
	{ "sandybridge", "uncore_imc/data_reads/", "not among the MSRs", "uncore_imc", -ENOTSUP },
	{ "sandybridge", "cbo/event=0x100/", "0x100 is out of range 0..0xff", "", -EINVAL },
	{ "sandybridge", "cbo/event=1,cmask=32/", "0x20 is out of range 0..0x1f", "", -EINVAL },
	{ "sandybridge", "cbo/filter_tid=1/", "cbo has no term 'filter_tid=1'", "umask", -EINVAL },
	{ "sandybridge", "cbo/raw=0x500134/", "bit 20", "leave the bit out", -EINVAL },
	{ "nehalem-ex", "mbox/raw=0x3/", "bit 1 would", "leave the bit out", -EINVAL },
	{ "sandybridge", "cbo/raw=0x410134/", "reserved bits 0x10000", "", -EINVAL },
	{ "sandybridge", "cbo/raw=0x1400134,cmask=2/", "cmask was given already, 0x1", "", -EINVAL },
	{ "sandybridge", "cbo/raw=1,raw=2/", "or bits of it, were given already: 'raw=2'", "", -EINVAL },
	{ "sandybridge", "clock/event=1/", "clock has no term", "clock/UNC_CLOCK.SOCKET/", -EINVAL },
	{ "sandybridge", "clock/raw=1/", "no event can be chosen", "", -EINVAL },
	{ "sandybridge", "clock/clockticks,edge/", "no term 'edge'", "", -EINVAL },
	{ "sandybridge", "cbo/UNC_CBO_CACHE_LOOKUP.READ_I,umask=1/", "that the name already sets", "", -EINVAL },
	{ "sandybridge", "cbo/UNC_ARB_TRK_REQUESTS.ALL/", "cbo does not have it; arb has",
	  "arb/UNC_ARB_TRK_REQUESTS.ALL/", -ENOENT },
	{ "sandybridge", "UNC_CBO_CACHE_LOOKUP.READ_K", "no event of that name",
	  "UNC_CBO_CACHE_LOOKUP.READ_", -ENOENT },
	{ "sandybridge", "cbo/UNC_CBO_CACHE_LOOKUP.READ_K/", "no event of that name",
	  "did you mean UNC_CBO_CACHE_LOOKUP.READ_", -ENOENT },
	{ "tigerlake", "UNC_CBO_CACHE_LOOKUP.READ_I", "sandybridge has it", "PMU/event=", -ENOENT },
	{ "meteorlake", "clockticks", "several PMUs", "cncu/clockticks/, sncu/clockticks/", -EINVAL },
	{ "nehalem-ex", "bbox/event=9/", "depends on the counter", "counter=0", -EINVAL },
	{ "nehalem-ex", "bbox/event=9,counter=4/", "0x4 is out of range 0..0x3", "", -EINVAL },
	{ "nehalem-ex", "FLITS_SENT", "give a port, 0 to 3", "rbox/FLITS_SENT,port=0/", -EINVAL },
	{ "nehalem-ex", "rbox/FLITS_SENT,port=4/", "out of range port=0..3", "", -EINVAL },
	{ "nehalem-ex", "mbox/inc_sel=0xa,filter_match=1/", "no effect without filter_cfg_en=1", "", -EINVAL },
	{ "nehalem-ex", "mbox/inc_sel=0xa,filter_cfg_en=0/", "filter_cfg_en has no effect", "", -EINVAL },
	{ "nehalem-ex", "rbox/FLITS_SENT,port=0,set=2/", "set=0..1", "", -EINVAL },
	{ "nehalem-ex", "cbox/LLC_MISSES.ALL,port=0/", "takes no port", "", -EINVAL },
	{ "nehalem-ex", "rbox/event=0,port=1/", "port and set need an event name: 'event=0,port=1'", "", -EINVAL },
	{ "nehalem-ex", "rbox/event=0,port=0/", "need an event name", "", -EINVAL },
	{ "nehalem-ex", "rbox/event=0,set=0/", "need an event name", "", -EINVAL },
	{ "nehalem-ex", "mbox/inc_sel=1,dsp=0x80/", "dsp has no effect", "leave the term out", -EINVAL },
	{ "nehalem-ex", "sbox/event=1,match=5/", "match has no effect", "", -EINVAL },
	{ "nehalem-ex", "cbox8/event=1/", "units 0 to 7", "", -EINVAL },
	{ "nehalem-ex", "mbox/inc_sel=0,dsp=0x100000000/", "out of range 0..0xffffffff", "", -EINVAL },
	{ "nehalem-ex", "mbox/inc_sel=0,extra0=0x100000000/", "do not exist", "", -EINVAL },
	{ "nehalem-ex", "mbox/inc_sel=0,dsp=1,extra0=2/", "bits of that word already", "", -EINVAL },
	/* Register 0xcab (M-box, ZDP_CTL_FVC): event 0xd may set only its own bits; bits 16:14 belong to event 0xe. */
	{ "nehalem-ex", "mbox/inc_sel=0xd,fvc=0x4000/", "fvc sets bits 0x4000 of register 0xcab",
	  "leave these bits out", -EINVAL },
	{ "nehalem-ex", "mbox/inc_sel=0,extra12=2/", "no term", "", -EINVAL },
	{ "nehalem-ex", "mbox/inc_sel=0,extra1x=2/", "no term", "", -EINVAL },
	{ "westmere", "rx1b1", "no event of that name", "", -ENOENT },
	{ "westmere", "r", "no event of that name", "", -ENOENT },
	{ "haswell-ep", "ubox/clockticks,filter_tid=1/", "takes no modifier", "", -EINVAL },
	{ "haswell-ep", "ubox/clockticks,thresh=1/", "takes no modifier", "leave", -EINVAL },
	{ "haswell-ep", "ubox/clockticks,umask=0/", "takes no modifier", "leave", -EINVAL },
	{ "haswell-ep", "ubox/clockticks,edge=1/", "takes no modifier", "leave", -EINVAL },
	{ "haswell-ep", "ubox/clockticks,raw=0/", "takes no modifier", "leave", -EINVAL },
	{ "haswell-ep", "ubox/clockticks/raw=0x40000", "", "", -EINVAL },
	{ "haswell-ep", "ubox/clockticks,filter_cid=0/", "takes no modifier", "leave", -EINVAL },
	{ "ivybridge-ep", "cbo/event=0x1,filter_opc=0x182/", "(0xd1a)", "leave the term out", -EINVAL },
	/* The message names exactly those bits of config1 that this event does not use. */
	{ "haswell-ep", "cbo/event=0x34,umask=0x11,config1=0x100020000/", "bits 0x100000000 of config1",
	  "which events", -EINVAL },
	{ "haswell-ep", "cbo/event=0x34,umask=0x11,config1=0x1/", "bits 0x1 of config1", "", -EINVAL },
	{ "haswell-ep", "ubox/event=0x41,config1=0x45/", "bits 0x40 of config1", "", -EINVAL },
	{ "sandybridge-ep", "pcu/event=0xc,config1=0x14/", "bits 0x14 of config1", "", -EINVAL },
	{ "haswell-ep", "cbo/event=0x35,umask=0x41,filter_nid=2,config1=0x1820000000000000/",
	  "config1 and a term set the same filter", "", -EINVAL },
	{ "haswell-ep", "cbo/event=0x34,config1=0x20000,config1=0x20000/", "it was given already: 'config1'",
	  "", -EINVAL },
	{ "haswell-ep", "cbo/event=0x34,umask=0x11,extra2=0x20001/", "bits 0x1 do not exist in register 0xe05",
	  "leave these bits out", -EINVAL },
	{ "haswell-ep", "cbo/event=0x34,umask=0x11,extra1=0x40/", "filter_link has no effect", "", -EINVAL },
	{ "haswell-ep", "cbo/event=0x34,umask=0x11,extra5=0x40/", "no term 'extra5=0x40'", "filter_isoc", -EINVAL },
	{ "sandybridge-ep", "cbo/event=0x34,umask=0x51,filter_nid=1,filter_opc=1/", "filter_opc has no effect",
	  "", -EINVAL },
	{ "nehalem-ex", "mbox/inc_sel=0xa,filter_mask=5/", "filter_mask has no effect without filter_cfg_en=1",
	  "", -EINVAL },
	{ "nehalem-ex", "*:edge:bogus", "bogus", "", -EINVAL },
	{ "westmere", "core/r1b1=1/", "core has no term 'r1b1=1'", "it has event, umask, ", -EINVAL },
	{ "haswell-ep", "cbo/nosuch=1/", "cbo has no term 'nosuch=1'", "it has event, umask, edge, ", -EINVAL },
	{ "westmere", "core/instructions,offcore_rsp=1/", "core has no term 'offcore_rsp=1'", "", -EINVAL },
	{ "sandybridge", "cbo//", "cbo has no term ''", "", -EINVAL },
	{ "haswell-ep", "cbo/event=0x1,extra0=1/", "filter_tid has no effect", "leave the term out", -EINVAL },
	{ "haswell-ep", "cbo/event=0x1,extra0=1/", "fills (0xe05)", "", -EINVAL },
	{ "skylake-sp", "iio_free_running/event=0xff,umask=0x20,edge=0/", "no term 'event=0xff'", "", -EINVAL },
	{ "skylake-sp", "iio_free_running/event=0xff,umask=0x100000000000020/", "no term 'event=0xff'", "", -EINVAL },
	/* A fixed counter has no unit masks. */
	{ "westmere", "UNC_CLK_UNHALTED:0x1", "unknown modifier '0x1'", "", -EINVAL },
	{ "westmere", "cycles:0x1:u", "unknown modifier '0x1'", "", -EINVAL },
	{ "nehalem-ex", "wbox/clockticks,port=0/", "takes no modifier", "leave", -EINVAL },
	{ "nehalem-ex", "wbox/clockticks,set=0/", "takes no modifier", "leave", -EINVAL },
	/*
	 * A named event that needs more than its codes (a threshold, a port, another register) has no unit masks
	 * either.
	 */
	{ "haswell", "UNC_ARB_TRK_OCCUPANCY.CYCLES_WITH_ANY_REQUEST:0x3", "unknown modifier '0x3'", "", -EINVAL },
	{ "nehalem-ex", "DRAM_CMD.CAS_RD_CLS_WRPRIO:0x1", "unknown modifier '0x1'", "", -EINVAL },
	{ "nehalem-ex", "rbox/FLITS_SENT,port=0/:0x1", "unknown modifier '0x1'", "", -EINVAL },
	{ "nehalem-ex", "rbox/FLITS_SENT,port=0x100000000/", "is out of range port=0..3", "", -EINVAL },
	{ "nehalem-ex", "rbox/FLITS_SENT,port=0,set=0x100000001/", "set=0..1", "", -EINVAL },
	{ "sapphirerapids", "ubox/event=0/", "the selector word 0 switches the counter off", "", -EINVAL },
};

TEST_EACH(invalid_text_is_refused_with_a_reason_and_a_hint, ARRAY_SIZE(refused))
{
	int err = encode_on(refused[_i].uarch, refused[_i].text);

	ck_assert_msg(err == refused[_i].err, "%s: %d %s", refused[_i].text, err, encode_error);
	ck_assert_msg(strstr(encode_error, refused[_i].shows) != NULL, "'%s' does not show '%s'", encode_error,
		      refused[_i].shows);
	ck_assert_msg(strstr(encode_hint, refused[_i].hints) != NULL, "'%s' does not hint at '%s'", encode_hint,
		      refused[_i].hints);
}

/* ---- extra registers ---- */

static const struct {
	const char *uarch, *text;
	uint32_t msr;
	int64_t value;
} extras[] = {
	{ "nehalem-ex", "rbox/FLITS_SENT,port=2/", 0xe06, 0x80000000 },
	{ "nehalem-ex", "rbox/FLITS_SENT,port=2/", 0xe26, -1 },
	{ "nehalem-ex", "rbox/FLITS_SENT,port=2,set=1/", 0xe26, 0x80000000 },
	{ "nehalem-ex", "rbox/QUE_ARB_BID_FAIL.HOM,port=1,set=1/", 0xe0d, 0x300 },
	{ "nehalem-ex", "sbox/TO_R_PROG_EV,match=0x5,mask=0xff/", 0xe49, 0x5 },
	{ "nehalem-ex", "sbox/TO_R_PROG_EV,match=0x5,mask=0xff/", 0xe4a, 0xff },
	{ "nehalem-ex", "sbox/TO_R_PROG_EV,match=0x5,mask=0x8000000000000000/", 0xe4a, INT64_MIN },
	/*
	 * Linux takes the first filter register of Haswell-EP from bits 31:0 of config1, the second one from the bits
	 * above.
	 */
	{ "haswell-ep", "cbo/event=0x34,umask=0x11,config1=0x20000/", 0xe05, 0x20000 },
	{ "haswell-ep", "cbo/event=0x34,umask=0x11,config1=0x20000/", 0xe06, -1 },
	{ "haswell-ep", "cbo/event=0x34,umask=0x11,tid_en=1,config1=0x20003/", 0xe05, 0x20003 },
	{ "haswell-ep", "cbo/event=0x35,umask=0x41,config1=0x1820000100000000/", 0xe06, 0x18200001 },
	{ "haswell-ep", "cbo/event=0x35,umask=0x41,config1=0x1820000100000000/", 0xe05, -1 },
	{ "haswell-ep", "cbo/event=0x35,umask=0x41,filter_opc=0x182,filter_nid=1/", 0xe06, 0x18200001 },
	{ "haswell-ep", "ubox/event=0x41,config1=0x5/", 0x707, 0x5 },
	{ "haswell-ep", "ubox/event=0x41,config1=0/", 0x707, -1 },
	{ "haswell-ep", "ubox/event=0x41/", 0x707, -1 },
	{ "sandybridge-ep", "pcu/event=0xb,config1=0x14/", 0xc34, 0x14 },
	{ "sandybridge-ep", "pcu/event=0xc,config1=0x1400/", 0xc34, 0x1400 },
	{ "sandybridge-ep", "pcu/event=0xe,config1=0x14000000/", 0xc34, 0x14000000 },
	/* extraN= sets a whole filter register, numbered from 0. */
	{ "haswell-ep", "cbo/event=0x34,umask=0x11,tid_en=1,extra0=0x2/", 0xe05, 0xfe0002 },
	{ "haswell-ep", "cbo/event=0x34,umask=0x11,extra2=0x20000/", 0xe05, 0x20000 },
	{ "haswell-ep", "ubox/event=0x41,extra0=0x5/", 0x707, 0x5 },
	/* Without filter_state all states are selected; filter_state=0 is used as given. */
	{ "sandybridge-ep", "cbo/event=0x34,umask=0x11,filter_state=0/", 0xd14, 0 },
	{ "sandybridge-ep", "cbo/event=0x36,umask=0x41,filter_nid=0x4/", 0xd14, 0x1000 },
	/* M1_MSR_MM_CFG (0xe54) bit 63 switches the address comparison on; it is set only for events that use it. */
	{ "nehalem-ex", "mbox/inc_sel=0xa,filter_cfg_en=1,filter_match=5/", 0xe55, 5 },
	{ "nehalem-ex", "mbox/inc_sel=0xa,filter_cfg_en=1,filter_match=5/", 0xe54, INT64_MIN },
	{ "nehalem-ex", "mbox/inc_sel=0xa,filter_cfg_en=1,filter_match=5/", 0xe56, -1 },
	{ "nehalem-ex", "mbox/inc_sel=0xd,fvc=0x800000/", 0xcab, 0x800000 },
};

TEST_EACH(an_event_needs_exactly_these_extra_registers, ARRAY_SIZE(extras))
{
	int64_t value = put_into(encode_one(extras[_i].uarch, extras[_i].text), extras[_i].msr);

	ck_assert_msg(value == extras[_i].value, "%s: 0x%llx", extras[_i].text, (unsigned long long)value);
}

/* The hint lists the PMUs that accept codes. Those with only fixed-function counters do not. */
TEST(for_codes_without_a_pmu_the_hint_lists_the_pmus)
{
	ck_assert_int_eq(encode_on("meteorlake", "0x34:0x11"), -EINVAL);
	ck_assert_str_eq(encode_hint,
			 "name one of cbo, arb, hac_arb, hac_cbo, cncu, sncu, core: cbo/event=0x34,umask=0x11/");
	ck_assert_int_eq(encode_on("nehalem-ex", "0x34:0x11"), -EINVAL);
	ck_assert_ptr_nonnull(strstr(encode_hint, "wbox, core: cbox/event=0x34,umask=0x11/"));
	ck_assert_int_eq(encode_on("zen", "r5301b1"), -ENOENT);
	ck_assert_ptr_nonnull(strstr(encode_error, "no core PMU"));
}

TEST(events_have_the_names_and_groups_in_which_they_were_written)
{
	ck_assert_int_eq(encode_on("haswell-ep", "cbo/event=1,name=a/,cbo/event=1,name=b/,cbo/event=1,name=c/,"
				   "cbo/event=1,name=d/,cbo/event=1,name=e/,cbo/event=1,name=f/,"
				   "cbo/event=1,name=g/,cbo/event=1,name=h/"), 8);
	for (size_t i = 0; i < 8; i++) {
		ck_assert_int_eq(encoded[i].name[0], (int)('a' + i));
		ck_assert_uint_eq(encoded[i].group, i);
	}
}

TEST(a_pattern_matches_the_names_of_free_running_counters)
{
	ck_assert_int_eq(encode_on("skylake-sp", "iio_free_running/bw_in_*/"), 4);
	for (size_t i = 0; i < num_encoded; i++) {
		char name[64];

		snprintf(name, sizeof(name), "iio_free_running/bw_in_port%zu/", i);
		ck_assert_str_eq(encoded[i].name, name);
		ck_assert_int_eq(encoded[i].unit, -1);
	}
	/* An I/O stack has a clock; and for each of four ports incoming data, outgoing data and two utilisations. */
	ck_assert_int_eq(encode_on("skylake-sp", "iio_free_running2/*/"), 1 + 4 * 4);
	ck_assert_int_eq(encoded[num_encoded - 1].unit, 2);
	ck_assert_int_eq(encode_on("skylake-sp", "iio_free_running/bw_in_*/e"), -EINVAL);
	ck_assert_int_eq(encode_on("skylake-sp", "iio_free_running/nosuch_*/"), -ENOENT);
	ck_assert_ptr_nonnull(strstr(encode_hint, "ioclk, bw_in_port0"));
}


/* ---- architectural events ---- */

/*
 * Intel SDM volume 3: the architectural event of each bit in CPUID leaf 0xa EBX. If an event is absent, its codes have
 * no name.
 */
static const struct {
	unsigned bit, event, umask;
	const char *name;
} architectural[] = {
	{ 0, 0x3c, 0, "CPU_CLK_UNHALTED.THREAD_P" }, { 1, 0xc0, 0, "INST_RETIRED.ANY_P" },
	{ 2, 0x3c, 1, "bus-cycles" }, { 3, 0x2e, 0x4f, "cache-references" },
	{ 4, 0x2e, 0x41, "cache-misses" }, { 5, 0xc4, 0, "branch-instructions" },
	{ 6, 0xc5, 0, "branch-misses" }, { 7, 0xa4, 1, "TOPDOWN.SLOTS_P" },
	{ 8, 0xa4, 2, "TOPDOWN.BACKEND_BOUND_SLOTS" }, { 9, 0x73, 0, "TOPDOWN_BAD_SPECULATION.ALL" },
	{ 10, 0x9c, 1, "TOPDOWN_FE_BOUND.ALL" }, { 11, 0xc2, 2, "TOPDOWN_RETIRING.ALL" },
	{ 12, 0xe4, 1, "MISC_RETIRED.LBR_INSERTS" },
};

TEST(codes_have_the_name_of_an_architectural_event_where_there_is_one)
{
	char dir[DIR_SIZE], path[DIR_SIZE + 16], text[512], codes[64], name[64];

	make_dir(dir);
	snprintf(path, sizeof(path), "sim:%s/machine", dir);
	for (size_t i = 0; i < ARRAY_SIZE(architectural); i++)
		for (unsigned there = 0; there < 2; there++) {
			unsigned bit = 1u << architectural[i].bit;
			struct uncoremsr *um;

			/* A Westmere; a bit that is set in EBX of leaf 0xa means that the event is absent. */
			snprintf(text, sizeof(text), "leaf = 0x0 0 0xd 0x756e6547 0x6c65746e 0x49656e69\n"
				 "leaf = 0x1 0 0x206c2 0x800 0x1 0x33\nleaf = 0xa 0 0x0d300404 0x%x 0 0x603\n"
				 "package = 0 cores=0-1 cpus=0-1\nend\n", there ? ~bit & 0x1fff : bit);
			write_text(dir, "machine", text);
			ck_assert_int_eq(uncoremsr_new(&um), 0);
			ck_assert_int_eq(uncoremsr_set_machine(um, path), 0);
			ck_assert_msg(uncoremsr_open(um) == 0, "%s", uncoremsr_error(um)->message);
			snprintf(codes, sizeof(codes), "core/event=0x%x,umask=0x%x/", architectural[i].event,
				 architectural[i].umask);
			snprintf(name, sizeof(name), "core/%s/", architectural[i].name);
			ck_assert_int_eq(encode(um, UNCOREMSR_ROUTE_MSR, NULL, codes), 1);
			ck_assert_str_eq(encoded->name, there ? name : codes);
			uncoremsr_free(um);
		}
	remove_dir(dir);
}

/* ---- filters of servers ---- */

TEST(a_default_value_is_filled_in_with_a_remark)
{
	/* LLC_LOOKUP has a filter for states: with 0 in it nothing would be counted, so all states are the default. */
	ck_assert_uint_ge(encode_one("haswell-ep", "cbo/event=0x34,umask=0x11/")->num_remarks, 1);
	ck_assert_uint_eq(encode_one("haswell-ep", "cbo/event=0x34,umask=0x11,filter_state=0x1/")->num_remarks, 0);
	ck_assert_ptr_nonnull(strstr(encode_one("nehalem-ex", "mbox/inc_sel=0x1a/")->remarks[0], "wrap_mode"));
	/* If the whole register value is given, no default is added to it. */
	ck_assert_uint_eq(encode_one("nehalem-ex", "mbox/raw=0x3401/")->num_remarks, 0);
	ck_assert_uint_eq(encoded->word, 0x3401);
}

TEST(the_interrupt_bit_of_a_core_word_is_dropped_with_a_remark)
{
	ck_assert_int_eq(encode_on("westmere", "r5301b1,r4301b1,r4001b1"), 3);
	ck_assert_uint_eq(encoded[0].num_remarks, 1);
	ck_assert_ptr_nonnull(strstr(encoded[0].remarks[0], "bit 20"));
	ck_assert_uint_eq(encoded[1].num_remarks, 0);
	/* Without user and kernel mode nothing would be counted, so both are set. */
	ck_assert_uint_eq(encoded[2].word, 0x4301b1);
	ck_assert_ptr_nonnull(strstr(encoded[2].remarks[0], "neither user nor kernel"));
}

/* ---- every event of every table ---- */

/* The canonical name of @text must give the same encoding as @text. */
static void check_again(const char *uarch, const char *text)
{
	struct encoded first = *encoded;

	encode_one(uarch, first.name);
	ck_assert_msg(same_words(&first, encoded) && !strcmp(first.name, encoded->name), "%s: %s became %s", uarch, text,
	      encoded->name);
}

static void check_event(const struct uncoremsr_event *ev)
{
	const char *uarch = ev->uarch, *name = ev->name;
	char text[160];

	snprintf(text, sizeof(text), "%s/%s%s/", ev->pmu, name, ev->ports > 0 ? ",port=3" : "");
	encode_one(uarch, text);
	ck_assert_msg(encoded->fixed || !strcmp(encoded->event, name), "%s is %s", text, encoded->event);
	check_again(uarch, text);
}

TEST(every_name_can_be_counted_and_its_canonical_name_is_the_same_event)
{
	const struct uncoremsr_event *ev;
	const char *uarch;
	unsigned num = 0;

	for (size_t i = 0; (uarch = uarch_name(i)); i++)
		for (size_t k = 0; (ev = uncoremsr_event(tables(), uarch, k)); k++)
			if (!strcmp(ev->from, "table")) {
				check_event(ev);
				num++;
			}
	for (size_t k = 0; (ev = uncoremsr_event(tables(), "core", k)); k++)
		if (!strcmp(ev->from, "table"))
			check_event(ev);
	ck_assert_uint_gt(num, 2000);
}

SUITE(event_boxes)
