/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The event language where the uncore has several PMUs, and on the core PMU. */
#include <check.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "events/event.h"
#include "events/names.h"
#include "suites.h"

static struct um_encodings list;
static struct um_error error;

static void setup(void)
{
	memset(&list, 0, sizeof(list));
	memset(&error, 0, sizeof(error));
}

static void teardown(void)
{
	um_events_free(&list);
}

static int parse(struct um_encodings *to, const char *uarch, const char *text)
{
	const struct um_uarch *u = um_uarch_find(uarch);
	struct um_event_pmus pmus;

	ck_assert_msg(u != NULL, "%s", uarch);
	pmus = um_event_pmus_of(u, um_core_registers.pmus);
	return um_events_parse(to, text, &pmus, NULL, &error);
}

/* ---- words ---- */

static const struct {
	const char *uarch, *text, *name;
	uint64_t word;
	int unit, fixed;
	uint32_t counters;
} good[] = {
	/* One unit, every unit, and what the kernel calls them. */
	{ "sandybridge", "cbo/event=0x34,umask=0x11/", "cbo/UNC_CBO_CACHE_LOOKUP.READ_M/", 0x401134,
	  -1, -1, 0x3 },
	{ "sandybridge", "cbo3/event=0x34,umask=0x11/", "cbo3/UNC_CBO_CACHE_LOOKUP.READ_M/",
	  0x401134, 3, -1, 0x3 },
	{ "sandybridge", "uncore_cbox_3/event=0x34,umask=0x12/", "cbo3/event=0x34,umask=0x12/",
	  0x401234, 3, -1, 0x3 },
	{ "sandybridge", "uncore_cbox/umask=18,event=52/", "cbo/event=0x34,umask=0x12/", 0x401234,
	  -1, -1, 0x3 },
	{ "sandybridge", "CBO_2/raw=0x400134/", "cbo2/event=0x34,umask=0x1/", 0x400134, 2, -1,
	  0x3 },
	/* There the kernel's clock hangs on a C-box; as a PMU the name means the C-box. */
	{ "sandybridge", "uncore_cbox_0/event=0x34/", "cbo0/event=0x34,umask=0x0/", 0x400034, 0, -1,
	  0x3 },
	{ "sandybridge", "uncore_arb/event=0x81,umask=1/", "arb/UNC_ARB_TRK_REQUESTS.ALL/",
	  0x400181, -1, -1, 0x3 },
	/* Terms: bare flags, values, other words for the threshold. */
	{ "sandybridge", "cbo/event=0x34,umask=0x1,edge,inv=1,cmask=0x1f/",
	  "cbo/event=0x34,umask=0x1,edge,inv,cmask=0x1f/", 0x1fc40134, -1, -1, 0x3 },
	{ "alderlake", "cbo/event=0x34,c=0x3f/", "cbo/event=0x34,umask=0x0,threshold=0x3f/",
	  0x3f400034, -1, -1, 0x3 },
	{ "sandybridge", "cbo/event=0x34/:edge:t=2", "cbo/event=0x34,umask=0x0,edge,cmask=0x2/",
	  0x2440034, -1, -1, 0x3 },
	/* Names, with terms behind them, and without a PMU where only one has them. */
	{ "sandybridge", "cbo1/UNC_CBO_CACHE_LOOKUP.READ_I,edge/",
	  "cbo1/UNC_CBO_CACHE_LOOKUP.READ_I,edge/", 0x441834, 1, -1, 0x3 },
	{ "ivybridge", "unc_cbo_cache_lookup_read_i:e", "cbo/UNC_CBO_CACHE_LOOKUP.READ_I,edge/",
	  0x441834, -1, -1, 0x3 },
	/* Occupancy goes to counter 0; a threshold of the row is no modifier. */
	{ "haswell", "UNC_ARB_TRK_OCCUPANCY.ALL", "arb/UNC_ARB_TRK_OCCUPANCY.ALL/", 0x400180, -1,
	  -1, 0x1 },
	{ "haswell", "arb/event=0x80,umask=1,cmask=1/",
	  "arb/UNC_ARB_TRK_OCCUPANCY.CYCLES_WITH_ANY_REQUEST/", 0x1400180, -1, -1, 0x1 },
	{ "haswell", "arb/event=0x80,umask=1,cmask=2/", "arb/UNC_ARB_TRK_OCCUPANCY.ALL,cmask=0x2/",
	  0x2400180, -1, -1, 0x1 },
	/* Fixed counters. */
	{ "skylake", "clock/clockticks/", "clock/UNC_CLOCK.SOCKET/", 0x400000, -1, 0, 0 },
	{ "skylake", "UNC_CLOCK_SOCKET", "clock/UNC_CLOCK.SOCKET/", 0x400000, -1, 0, 0 },
	{ "nehalem-ex", "wbox/clockticks/", "wbox/UNCORE_CLOCK/", 0x1, -1, 0, 0 },
	{ "icelake-sp", "iio_free_running_0/bw_in_port0/", "iio_free_running0/bw_in_port0/", 0, 0,
	  1, 0 },
	{ "skylake-sp", "uncore_iio_free_running_0/bw_in_port0/", "iio_free_running0/bw_in_port0/", 0, 0,
	  1, 0 },
	{ "pantherlake", "cncu1/clockticks/", "cncu1/UNC_CLOCK.SOCKET/", 0x400000, 1, 0, 0 },
	{ "meteorlake", "sncu/clockticks/", "sncu/UNC_CLOCK.SOCKET/", 0x400000, -1, 0, 0 },
	/* Boxes of Nehalem-EX: three layouts of the selector. */
	{ "nehalem-ex", "LLC_MISSES.ALL", "cbox/LLC_MISSES.ALL/", 0x400714, -1, -1, 0x3f },
	{ "nehalem-ex", "cbox7/LLC_MISSES.ALL,thresh=3/", "cbox7/LLC_MISSES.ALL,thresh=0x3/",
	  0x3400714, 7, -1, 0x3f },
	{ "westmere-ex", "cbox9/event=0x14/", "cbox9/event=0x14,umask=0x0/", 0x400014, 9, -1,
	  0x3f },
	{ "nehalem-ex", "ubox/event=0x50/", "ubox/U2R_REQUESTS/", 0x400050, -1, -1, 0x1 },
	{ "nehalem-ex", "mbox/inc_sel=0x1a/", "mbox/BBOX_CMDS_ALL/", 0x3441, -1, -1, 0x3f },
	{ "nehalem-ex", "mbox1/BBOX_CMDS_ALL/", "mbox1/BBOX_CMDS_ALL/", 0x3441, 1, -1, 0x3f },
	/* B-box: each counter has a list of its own; that choice is not part of the word. */
	{ "nehalem-ex", "bbox/event=9,counter=0/", "bbox/DRSQ_OCCUPANCY/", 0x13, -1, -1, 0x1 },
	{ "nehalem-ex", "bbox/event=9,counter=1/", "bbox/DRSQ_INSERTS/", 0x13, -1, -1, 0x2 },
	{ "nehalem-ex", "ACK_BEFORE_LAST_SNP", "bbox/ACK_BEFORE_LAST_SNP/", 0x33, -1, -1, 0x8 },
	/* Core: perf's words and rings; the interrupt bit is dropped. */
	{ "sandybridge", "r5301b1", "core/event=0xb1,umask=0x1/", 0x4301b1, -1, -1, 0x3ff },
	{ "westmere", "core/raw=0x5301b1/", "core/event=0xb1,umask=0x1/", 0x4301b1, -1, -1, 0x3ff },
	{ "westmere", "r3", "core/event=0x3,umask=0x0/", 0x430003, -1, -1, 0x3ff },
	{ "westmere", "r00000000005301b1", "core/event=0xb1,umask=0x1/", 0x4301b1, -1, -1, 0x3ff },
	{ "westmere", "r1b1:u", "core/event=0xb1,umask=0x1/u", 0x4101b1, -1, -1, 0x3ff },
	{ "westmere", "r4101c2", "core/event=0xc2,umask=0x1/u", 0x4101c2, -1, -1, 0x3ff },
	{ "westmere", "r1d301b1", "core/event=0xb1,umask=0x1,inv,cmask=0x1/", 0x1c301b1, -1, -1,
	  0x3ff },
	{ "westmere", "core/event=0xb1,umask=0x1/k", "core/event=0xb1,umask=0x1/k", 0x4201b1, -1,
	  -1, 0x3ff },
	{ "westmere", "cpu/event=0xb1,umask=0x1/uk", "core/event=0xb1,umask=0x1/", 0x4301b1, -1, -1,
	  0x3ff },
	{ "westmere", "core/r1b1,edge/", "core/event=0xb1,umask=0x1,edge/", 0x4701b1, -1, -1,
	  0x3ff },
	{ "westmere", "r4301b1:u", "core/event=0xb1,umask=0x1/u", 0x4101b1, -1, -1, 0x3ff },
	{ "westmere", "r4301b1:k", "core/event=0xb1,umask=0x1/k", 0x4201b1, -1, -1, 0x3ff },
	{ "westmere", "r4001b1:k", "core/event=0xb1,umask=0x1/k", 0x4201b1, -1, -1, 0x3ff },
	/* Without user mode there is kernel mode, and the other way round. */
	{ "westmere", "core/event=0xb1,umask=0x1,os=0/", "core/event=0xb1,umask=0x1/u", 0x4101b1, -1, -1, 0x3ff },
	{ "westmere", "core/event=0xb1,umask=0x1,usr=0/", "core/event=0xb1,umask=0x1/k", 0x4201b1, -1, -1, 0x3ff },
	/* A term without a value comes first as well as last. */
	{ "westmere", "core/edge,event=0xb1,umask=0x1/", "core/event=0xb1,umask=0x1,edge/", 0x4701b1, -1, -1,
	  0x3ff },
	/* Codes of a newer architectural event. */
	{ "westmere", "r1a4", "core/event=0xa4,umask=0x1/", 0x4301a4, -1, -1, 0x3ff },
	{ "westmere", "branch-misses", "core/branch-misses/", 0x4300c5, -1, -1, 0x3ff },
	{ "westmere", "LONGEST_LAT_CACHE.MISS:k", "core/LONGEST_LAT_CACHE.MISS/k", 0x42412e, -1, -1,
	  0x3ff },
	{ "westmere", "instructions", "core/instructions/", 0x3, -1, 0, 0 },
	/* Of the four bits of a counter the first is kernel mode, the second user mode. */
	{ "westmere", "cycles:u", "core/cycles/u", 0x20, -1, 1, 0 },
	{ "westmere", "cycles:k", "core/cycles/k", 0x10, -1, 1, 0 },
	{ "westmere", "cycles:uk", "core/cycles/", 0x30, -1, 1, 0 },
	{ "westmere", "slots:k", "core/slots/k", 0x1000, -1, 3, 0 },
	/* What asks for nothing does no harm. */
	{ "haswell-ep", "ubox/clockticks,edge=0,inv=0,thresh=0/", "ubox/clockticks/", 0x400000, -1, 0, 0 },
	{ "westmere", "cpu-cycles:u", "core/cycles/u", 0x20, -1, 1, 0 },
	{ "westmere", "core/ref-cycles/k", "core/ref-cycles/k", 0x100, -1, 2, 0 },
	/* A flag that the word has may be asked for again. */
	{ "sandybridge", "cbo/raw=0x440134,edge/", "cbo/event=0x34,umask=0x1,edge/", 0x440134, -1, -1, 0x3 },
	/* What the word does not have may be said beside it. */
	{ "sandybridge", "cbo/raw=0x400134,cmask=2/", "cbo/event=0x34,umask=0x1,cmask=0x2/", 0x2400134, -1, -1,
	  0x3 },
	/* A counter of likwid's leaves the unit as it is, and a PMU without units has none. */
	{ "haswell-ep", "ubox/event=0x41/:UBOX0C1", "ubox/event=0x41,umask=0x0/", 0x400041, -1, -1, 0x2 },
	{ "zen", "l3-2/event=0x4/:CPMC2", "l3-2/event=0x4,umask=0x0/", 0xff0f000000400004, 2, -1, 0x4 },
	/* What it is called wherever it is shown. */
	{ "haswell-ep", "cbo3/event=0x1,name=mine/", "mine", 0x400001, 3, -1, 0x1 },
	/* Of two names for the same codes the first one is taken. */
	{ "raptorlake", "arb/event=0x85,umask=0x1/", "arb/UNC_ARB_DAT_OCCUPANCY.ALL/", 0x400185, -1, -1, 0x1 },
	/* Where a word with enable bit 0 counts nothing, others count event 0. */
	{ "haswell-ep", "cbo/event=0/", "cbo/event=0x0,umask=0x0/", 0x400000, -1, -1, 0xf },
	/* The same codes on a general counter are another thing than the fixed counter. */
	{ "westmere", "core/event=0xc0/", "core/INST_RETIRED.ANY_P/", 0x4300c0, -1, -1, 0x3ff },
};

START_TEST(an_event_becomes_exactly_this_word_unit_and_name)
{
	const struct um_encoding *ev;

	ck_assert_msg(parse(&list, good[_i].uarch, good[_i].text) == 1, "%s: %s", good[_i].text,
		      error.msg);
	ev = &list.events[0];
	ck_assert_str_eq(ev->name, good[_i].name);
	ck_assert_msg(ev->word == good[_i].word, "%s: 0x%llx", good[_i].text,
		      (unsigned long long)ev->word);
	ck_assert_int_eq(ev->unit, good[_i].unit);
	ck_assert_int_eq(ev->fixed, good[_i].fixed);
	ck_assert_uint_eq(ev->counters, good[_i].counters);
}
END_TEST

/* ---- refusals ---- */

static const struct {
	const char *uarch, *text, *shows, *hints;
	int err;
} refused[] = {
	{ "sandybridge", "0x34:0x11", "more than one PMU", "cbo/event=0x34,umask=0x11/", -EINVAL },
	{ "sandybridge", "0x100000035:0x200000041", "more than one PMU",
	  "cbo/event=0x100000035,umask=0x200000041/", -EINVAL },
	{ "sandybridge", "0x400134", "more than one PMU", "cbo/raw=0x400134/", -EINVAL },
	{ "sandybridge", "0x34:300", "more than one PMU", "cbo", -EINVAL },
	{ "sandybridge", "pcu/event=1/", "sandybridge has no PMU 'pcu'", "cbo, arb, clock, core",
	  -ENOENT },
	{ "sandybridge", "cbo4/event=1/", "units 0 to 3 at most, not 4", "", -EINVAL },
	{ "sandybridge", "cbo99999/event=1/", "no PMU 'cbo99999'", "cbo", -ENOENT },
	{ "sandybridge", "arb1/event=1/", "there is only one arb", "", -EINVAL },
	{ "sandybridge", "imc/event=1/", "not among the MSRs", "uncore_imc", -ENOTSUP },
	{ "sandybridge", "uncore_imc/data_reads/", "not among the MSRs", "uncore_imc", -ENOTSUP },
	{ "sandybridge", "cbo/event=0x100/", "0x100 is out of range 0..0xff", "", -EINVAL },
	{ "sandybridge", "cbo/event=1,cmask=32/", "0x20 is out of range 0..0x1f", "", -EINVAL },
	{ "sandybridge", "cbo/filter_tid=1/", "cbo has no term 'filter_tid=1'", "umask", -EINVAL },
	{ "sandybridge", "cbo/raw=0x500134/", "bit 20", "leave the bit out", -EINVAL },
	{ "sandybridge", "cbo/raw=0x410134/", "reserved bits 0x10000", "", -EINVAL },
	{ "sandybridge", "cbo/raw=0x1400134,cmask=2/", "cmask already, 0x1", "", -EINVAL },
	{ "sandybridge", "cbo/raw=1,raw=2/", "whole word", "", -EINVAL },
	{ "sandybridge", "clock/event=1/", "clock has no term", "clock/UNC_CLOCK.SOCKET/",
	  -EINVAL },
	{ "sandybridge", "clock/raw=1/", "none to choose an event for", "", -EINVAL },
	{ "sandybridge", "clock/clockticks,edge/", "no term 'edge'", "", -EINVAL },
	{ "sandybridge", "cbo/UNC_CBO_CACHE_LOOKUP.READ_I,umask=1/", "what the name says", "",
	  -EINVAL },
	{ "sandybridge", "cbo/UNC_ARB_TRK_REQUESTS.ALL/", "cbo does not have it; arb has",
	  "arb/UNC_ARB_TRK_REQUESTS.ALL/", -ENOENT },
	{ "sandybridge", "UNC_CBO_CACHE_LOOKUP.READ_K", "no event of that name",
	  "UNC_CBO_CACHE_LOOKUP.READ_", -ENOENT },
	{ "sandybridge", "cbo/UNC_CBO_CACHE_LOOKUP.READ_K/", "no event of that name",
	  "did you mean UNC_CBO_CACHE_LOOKUP.READ_", -ENOENT },
	{ "tigerlake", "UNC_CBO_CACHE_LOOKUP.READ_I", "sandybridge has it", "PMU/event=", -ENOENT },
	{ "meteorlake", "clockticks", "several PMUs", "cncu/clockticks/, sncu/clockticks/",
	  -EINVAL },
	{ "nehalem-ex", "bbox/event=9/", "event selects of its own", "counter=0", -EINVAL },
	{ "nehalem-ex", "bbox/event=9,counter=4/", "0x4 is out of range 0..0x3", "", -EINVAL },
	{ "nehalem-ex", "FLITS_SENT", "which one, 0 to 3?", "rbox/FLITS_SENT,port=0/", -EINVAL },
	{ "nehalem-ex", "rbox/FLITS_SENT,port=4/", "out of range port=0..3", "", -EINVAL },
	{ "nehalem-ex", "mbox/inc_sel=0xa,filter_match=1/", "no effect without filter_cfg_en=1", "", -EINVAL },
	{ "nehalem-ex", "mbox/inc_sel=0xa,filter_cfg_en=0/", "filter_cfg_en has no effect", "", -EINVAL },
	{ "nehalem-ex", "rbox/FLITS_SENT,port=0,set=2/", "set=0..1", "", -EINVAL },
	{ "nehalem-ex", "cbox/LLC_MISSES.ALL,port=0/", "belongs to no port", "", -EINVAL },
	{ "nehalem-ex", "rbox/event=0,port=1/", "port and set go with a name: 'event=0,port=1'", "", -EINVAL },
	{ "nehalem-ex", "rbox/event=0,port=0/", "go with a name", "", -EINVAL },
	{ "nehalem-ex", "rbox/event=0,set=0/", "go with a name", "", -EINVAL },
	{ "nehalem-ex", "mbox/inc_sel=1,dsp=0x80/", "dsp has no effect", "leave the term out",
	  -EINVAL },
	{ "nehalem-ex", "sbox/event=1,match=5/", "match has no effect", "", -EINVAL },
	{ "nehalem-ex", "cbox8/event=1/", "units 0 to 7", "", -EINVAL },
	{ "nehalem-ex", "mbox/inc_sel=0,dsp=0x100000000/", "out of range 0..0xffffffff", "",
	  -EINVAL },
	{ "nehalem-ex", "mbox/inc_sel=0,extra0=0x100000000/", "do not exist", "", -EINVAL },
	{ "nehalem-ex", "mbox/inc_sel=0,dsp=1,extra0=2/", "given already", "", -EINVAL },
	/* Bits 16:14 are those of event 0xe. */
	{ "nehalem-ex", "mbox/inc_sel=0xd,fvc=0x4000/", "bits 0x4000 of register 0xcab, which fvc fills", "", -EINVAL },
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
	/* Exactly those bits of config1 that nobody takes. */
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
	  "", -EINVAL },
	{ "haswell-ep", "cbo/event=0x34,umask=0x11,extra1=0x40/", "filter_link has no effect", "", -EINVAL },
	{ "haswell-ep", "cbo/event=0x34,umask=0x11,extra5=0x40/", "no term 'extra5=0x40'", "filter_isoc",
	  -EINVAL },
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
	/* Nor has an event that is more than its codes: a threshold, a port, another register. */
	{ "haswell", "UNC_ARB_TRK_OCCUPANCY.CYCLES_WITH_ANY_REQUEST:0x3", "unknown modifier '0x3'", "", -EINVAL },
	{ "nehalem-ex", "DRAM_CMD.CAS_RD_CLS_WRPRIO:0x1", "unknown modifier '0x1'", "", -EINVAL },
	{ "nehalem-ex", "rbox/FLITS_SENT,port=0/:0x1", "unknown modifier '0x1'", "", -EINVAL },
	{ "nehalem-ex", "rbox/FLITS_SENT,port=0x100000000/", "is out of range port=0..3", "", -EINVAL },
	{ "nehalem-ex", "rbox/FLITS_SENT,port=0,set=0x100000001/", "set=0..1", "", -EINVAL },
	{ "sapphirerapids", "ubox/event=0/", "the selector word 0 switches the counter off", "", -EINVAL },
};

START_TEST(nonsense_is_refused_with_a_reason_and_a_way_out)
{
	int err = parse(&list, refused[_i].uarch, refused[_i].text);

	ck_assert_msg(err == refused[_i].err, "%s: %d %s", refused[_i].text, err, error.msg);
	ck_assert_msg(strstr(error.msg, refused[_i].shows) != NULL, "'%s' does not show '%s'",
		      error.msg, refused[_i].shows);
	ck_assert_msg(strstr(error.hint, refused[_i].hints) != NULL, "'%s' does not hint at '%s'",
		      error.hint, refused[_i].hints);
	ck_assert_uint_eq(list.num, 0);
}
END_TEST

/* ---- extra registers ---- */

/* What the register gets, of all rows that are in it; -1: nothing. */
static int64_t written(const struct um_encoding *ev, uint32_t msr)
{
	uint64_t value = 0;
	bool any = false;

	for (size_t i = 0; i < ev->pmu->num_extras; i++)
		if (ev->extras >> i & 1 && ev->pmu->extras[i].reg.msr == msr) {
			value |= ev->extra[ev->pmu->extras[i].slot];
			any = true;
		}
	return any ? (int64_t)value : -1;
}

static const struct {
	const char *uarch, *text;
	uint32_t msr;
	int64_t value;
} extras[] = {
	{ "nehalem-ex", "FVC_EV0.BBOX_CMDS_READS", 0xcab, 0x2800 },
	{ "nehalem-ex", "FVC_EV0.BBOX_CMDS_WRITES", 0xcab, 0x2820 },
	{ "westmere-ex", "FVC_EV0.BBOX_CMDS_READS", 0xcab, 0x5000 },
	{ "westmere-ex", "FVC_EV0.BBOX_CMDS_WRITES", 0xcab, 0x5040 },
	{ "nehalem-ex", "FVC_EV3.SMI_CRC_ERR", 0xcab, 0 },
	{ "nehalem-ex", "DRAM_CMD.CAS_RD_CLS_WRPRIO", 0xcaa, 0x501 },
	{ "nehalem-ex", "DRAM_CMD.CAS_RD_CLS_WRPRIO", 0xca6, 0x100 },
	{ "nehalem-ex", "CYCLES_PGT_STATE.OPEN", 0xca9, 0x40 },
	{ "nehalem-ex", "THERM_TRP_DN.DIMM3_GT_LO", 0xca8, 0x240 },
	{ "nehalem-ex", "rbox/FLITS_SENT,port=2/", 0xe06, 0x80000000 },
	{ "nehalem-ex", "rbox/FLITS_SENT,port=2/", 0xe26, -1 },
	{ "nehalem-ex", "rbox/FLITS_SENT,port=2,set=1/", 0xe26, 0x80000000 },
	{ "nehalem-ex", "rbox/QUE_ARB_BID_FAIL.HOM,port=1/", 0xe0d, 0x03 },
	{ "nehalem-ex", "rbox/QUE_ARB_BID_FAIL.HOM,port=1,set=1/", 0xe0d, 0x300 },
	{ "nehalem-ex", "sbox/TO_R_PROG_EV,match=0x5,mask=0xff/", 0xe49, 0x5 },
	{ "nehalem-ex", "sbox/TO_R_PROG_EV,match=0x5,mask=0xff/", 0xe4a, 0xff },
	{ "nehalem-ex", "sbox/TO_R_PROG_EV,match=0x5,mask=0x8000000000000000/", 0xe4a, INT64_MIN },
	{ "nehalem-ex", "LLC_MISSES.ALL", 0xe49, -1 },
	/* Linux has the first filter of Haswell-EP in bits 31:0 of config1, the second one above. */
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
	/* A word as a whole for a register that the PMU has, the first of them too. */
	{ "haswell-ep", "cbo/event=0x34,umask=0x11,tid_en=1,extra0=0x2/", 0xe05, 0xfe0002 },
	{ "haswell-ep", "cbo/event=0x34,umask=0x11,extra2=0x20000/", 0xe05, 0x20000 },
	{ "haswell-ep", "ubox/event=0x41,extra0=0x5/", 0x707, 0x5 },
	/* Without a state every state is asked for; one of 0 was asked for. */
	{ "sandybridge-ep", "cbo/event=0x34,umask=0x11/", 0xd14, 0x7c0000 },
	{ "sandybridge-ep", "cbo/event=0x34,umask=0x11,filter_state=0/", 0xd14, 0 },
	{ "sandybridge-ep", "cbo/event=0x36,umask=0x41,filter_nid=0x4/", 0xd14, 0x1000 },
	/* The switch of the match registers is thrown for an event that uses them, and for no other. */
	{ "nehalem-ex", "mbox/inc_sel=0xa,filter_cfg_en=1,filter_match=5/", 0xe55, 5 },
	{ "nehalem-ex", "mbox/inc_sel=0xa,filter_cfg_en=1,filter_match=5/", 0xe54, INT64_MIN },
	{ "nehalem-ex", "mbox/inc_sel=0xa,filter_cfg_en=1,filter_match=5/", 0xe56, -1 },
	{ "nehalem-ex", "mbox/inc_sel=0xd,fvc=0x800000/", 0xcab, 0x800000 },
};

START_TEST(an_event_needs_exactly_these_extra_registers)
{
	ck_assert_msg(parse(&list, extras[_i].uarch, extras[_i].text) == 1, "%s: %s",
		      extras[_i].text, error.msg);
	ck_assert_msg(written(&list.events[0], extras[_i].msr) == extras[_i].value, "%s: 0x%llx",
		      extras[_i].text,
		      (unsigned long long)written(&list.events[0], extras[_i].msr));
}
END_TEST

/* There is no PMU to name where there is none. */
START_TEST(codes_alone_name_a_pmu_that_could_be_meant)
{
	struct um_event_pmus none = { .uarch = "nothing" };
	struct um_event_pmus all = um_event_pmus_of(um_uarch_find("meteorlake"), NULL);

	ck_assert_int_eq(um_events_parse(&list, "0x34:0x11", &none, NULL, &error), -EINVAL);
	ck_assert_ptr_nonnull(strstr(error.hint, "PMU/event=0x34,umask=0x11/"));
	/* One whose counters count one thing each takes no codes. */
	for (size_t i = 0; i < all.num; i++) {
		none.pmus[0] = strcmp(all.pmus[i]->name, "cncu") ? none.pmus[0] : all.pmus[i];
		none.pmus[1] = strcmp(all.pmus[i]->name, "cbo") ? none.pmus[1] : all.pmus[i];
	}
	none.num = 2;
	ck_assert_int_eq(um_events_parse(&list, "0x34:0x11", &none, NULL, &error), -EINVAL);
	ck_assert_str_eq(error.hint, "name one of cncu, cbo: cbo/event=0x34,umask=0x11/");
	ck_assert_int_eq(um_events_parse(&list, "r5301b1", &none, NULL, &error), -ENOENT);
	ck_assert_ptr_nonnull(strstr(error.msg, "no core PMU"));
}
END_TEST

/* All PMUs that have a name are told, the first one too. */
START_TEST(a_name_that_several_pmus_have_is_told_with_each)
{
	struct um_event_pmus pmus = um_event_pmus_of(um_uarch_find("meteorlake"), NULL);
	size_t i = 0;

	while (strcmp(pmus.pmus[i]->name, "cncu"))
		i++;
	pmus.pmus[UM_EVENT_PMUS - 1] = pmus.pmus[0];
	pmus.pmus[0] = pmus.pmus[i];
	pmus.pmus[i] = pmus.pmus[UM_EVENT_PMUS - 1];
	ck_assert_int_eq(um_events_parse(&list, "clockticks", &pmus, NULL, &error), -EINVAL);
	ck_assert_str_eq(error.hint, "write one of cncu/clockticks/, sncu/clockticks/");
}
END_TEST

/* Wherever the clock stands among the PMUs. */
START_TEST(the_kernels_first_c_box_has_the_clock)
{
	struct um_event_pmus pmus = um_event_pmus_of(um_uarch_find("sandybridge"), NULL);

	for (size_t i = 0; i < pmus.num; i++)
		if (!strcmp(pmus.pmus[i]->name, "clock")) {
			const struct uncoremsr_pmu *clock = pmus.pmus[i];

			pmus.pmus[i] = pmus.pmus[0];
			pmus.pmus[0] = clock;
		}
	ck_assert_int_eq(um_events_parse(&list, "uncore_cbox_0/clockticks/", &pmus, NULL, &error), 1);
	ck_assert_str_eq(list.events[0].name, "clock/UNC_CLOCK.SOCKET/");
}
END_TEST

/* Linux uncore_snbep.c: the clock is 0x10, what comes in on four ports 0x20 to 0x23, what goes out 0x30. */
START_TEST(free_running_counters_have_the_kernels_unit_masks)
{
	static const struct { const char *name; int umask; } counters[] = {
		{ "ioclk", 0x10 }, { "bw_in_port0", 0x20 }, { "bw_in_port3", 0x23 }, { "bw_out_port0", 0x30 },
		{ "bw_out_port3", 0x33 }, { "util_in_port0", -1 }, { "util_out_port3", -1 },
	};
	struct um_event_pmus pmus = um_event_pmus_of(um_uarch_find("skylake-sp"), NULL);
	size_t i = 0, cha = 0;

	while (strcmp(pmus.pmus[i]->name, "iio_free_running"))
		i++;
	while (strcmp(pmus.pmus[cha]->name, "cha"))
		cha++;
	for (size_t k = 0; k < ARRAY_SIZE(counters); k++) {
		int fixed = um_pmu_find_fixed(pmus.pmus[i], counters[k].name, strlen(counters[k].name));

		ck_assert_int_ge(fixed, 0);
		ck_assert_int_eq(um_free_running_umask(pmus.pmus[i], fixed), counters[k].umask);
	}
	ck_assert_int_eq(um_free_running_umask(pmus.pmus[cha], 0), -1);
}
END_TEST

/* The last one says that a filter was wanted. */
START_TEST(remarks_end_with_the_filter_that_is_not_there)
{
	const char *const remarks[UM_EVENT_REMARKS] = { "first", "second" };

	ck_assert_str_eq(um_event_remark(remarks, 2, false, 0), "first");
	ck_assert_str_eq(um_event_remark(remarks, 2, true, 1), "second");
	ck_assert_ptr_null(um_event_remark(remarks, 2, false, 2));
	ck_assert_ptr_nonnull(strstr(um_event_remark(remarks, 2, true, 2), "filter"));
	ck_assert_ptr_null(um_event_remark(remarks, 2, true, 3));
	ck_assert_ptr_null(um_event_remark(remarks, 0, false, 0));
}
END_TEST

/* Room is made for eight first; the sanitizers look on. */
START_TEST(a_list_that_is_just_full_is_not_written_beyond)
{
	ck_assert_int_eq(parse(&list, "haswell-ep", "cbo/event=1,name=a/,cbo/event=1,name=b/,cbo/event=1,name=c/,"
			       "cbo/event=1,name=d/,cbo/event=1,name=e/,cbo/event=1,name=f/,"
			       "cbo/event=1,name=g/,cbo/event=1,name=h/"), 8);
	for (size_t i = 0; i < 8; i++) {
		ck_assert_int_eq(list.events[i].name[0], (int)('a' + i));
		ck_assert_uint_eq(list.events[i].group, i);
	}
}
END_TEST

/* ---- patterns where no table has names ---- */

START_TEST(a_pattern_stands_for_counters_that_count_one_thing_each)
{
	ck_assert_int_eq(parse(&list, "skylake-sp", "iio_free_running/bw_in_*/"), 4);
	for (size_t i = 0; i < list.num; i++) {
		char name[64];

		snprintf(name, sizeof(name), "iio_free_running/bw_in_port%zu/", i);
		ck_assert_str_eq(list.events[i].name, name);
		ck_assert_int_eq(list.events[i].unit, -1);
	}
	/* The clock, what comes in and goes out on four ports, and how busy that was. */
	ck_assert_int_eq(parse(&list, "skylake-sp", "iio_free_running2/*/"), 1 + 4 * 4);
	ck_assert_int_eq(list.events[list.num - 1].unit, 2);
	ck_assert_int_eq(parse(&list, "skylake-sp", "iio_free_running/bw_in_*/e"), -EINVAL);
	ck_assert_int_eq(parse(&list, "skylake-sp", "iio_free_running/nosuch_*/"), -ENOENT);
	ck_assert_ptr_nonnull(strstr(error.hint, "ioclk, bw_in_port0"));
}
END_TEST

/* ---- architectural events ---- */

/* Intel SDM volume 3: the event of each bit. One that is not there leaves its codes without a name. */
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

START_TEST(codes_have_the_name_of_an_architectural_event_where_there_is_one)
{
	const struct um_uarch *u = um_uarch_find("westmere");

	for (size_t i = 0; i < ARRAY_SIZE(architectural); i++)
		for (unsigned there = 0; there < 2; there++) {
			struct um_event_pmus pmus = um_event_pmus_of(u, um_core_registers.pmus);
			char codes[64], name[64];

			pmus.arch_events = there ? 1u << architectural[i].bit : ~(1u << architectural[i].bit);
			snprintf(codes, sizeof(codes), "core/event=0x%x,umask=0x%x/", architectural[i].event,
				 architectural[i].umask);
			snprintf(name, sizeof(name), "core/%s/", architectural[i].name);
			list.num = 0;
			ck_assert_int_eq(um_events_parse(&list, codes, &pmus, NULL, &error), 1);
			ck_assert_str_eq(list.events[0].name, there ? name : codes);
		}
}
END_TEST

/* ---- filters of servers ---- */

START_TEST(a_filter_goes_where_the_event_uses_it_and_is_refused_elsewhere)
{
	const struct um_encoding *ev;

	ck_assert_msg(parse(&list, "ivybridge-ep",
			    "cbo/event=0x35,umask=0x1,filter_opc=0x182/") == 1, "%s", error.msg);
	ev = &list.events[0];
	ck_assert_int_eq(written(ev, 0xd1a), 0x182 << 20);
	ck_assert_int_eq(written(ev, 0xd14), -1);
	ck_assert_int_eq(parse(&list, "ivybridge-ep", "cbo/event=0x1,filter_opc=0x182/"), -EINVAL);
	ck_assert_ptr_nonnull(strstr(error.msg, "filter_opc has no effect"));
	ck_assert_int_eq(parse(&list, "ivybridge-ep", "cbo/event=0x35,filter_opc=0x200/"), -EINVAL);
	ck_assert_ptr_nonnull(strstr(error.msg, "0x200 is out of range 0..0x1ff"));
}
END_TEST

START_TEST(a_default_is_filled_in_and_said)
{
	const struct um_encoding *ev;

	/* The state filter of LLC_LOOKUP: without a state nothing passes. */
	ck_assert_msg(parse(&list, "haswell-ep", "cbo/event=0x34,umask=0x11/") == 1, "%s",
		      error.msg);
	ev = &list.events[0];
	ck_assert_uint_ge(ev->num_remarks, 1);
	ck_assert_int_eq(parse(&list, "haswell-ep", "cbo/event=0x34,umask=0x11,filter_state=0x1/"),
			 1);
	ck_assert_uint_eq(list.events[1].num_remarks, 0);
	ck_assert_int_eq(parse(&list, "nehalem-ex", "mbox/inc_sel=0x1a/"), 1);
	ck_assert_ptr_nonnull(strstr(list.events[2].remarks[0], "wrap_mode"));
	/* A whole word is taken as it is. */
	ck_assert_int_eq(parse(&list, "nehalem-ex", "mbox/raw=0x3401/"), 1);
	ck_assert_uint_eq(list.events[3].num_remarks, 0);
	ck_assert_uint_eq(list.events[3].word, 0x3401);
}
END_TEST

START_TEST(the_interrupt_bit_of_a_core_word_is_dropped_with_a_remark)
{
	ck_assert_int_eq(parse(&list, "westmere", "r5301b1,r4301b1,r4001b1"), 3);
	ck_assert_uint_eq(list.events[0].num_remarks, 1);
	ck_assert_ptr_nonnull(strstr(list.events[0].remarks[0], "bit 20"));
	ck_assert_uint_eq(list.events[1].num_remarks, 0);
	/* Neither ring would count nothing. */
	ck_assert_uint_eq(list.events[2].word, 0x4301b1);
	ck_assert_ptr_nonnull(strstr(list.events[2].remarks[0], "neither user nor kernel"));
}
END_TEST

/* ---- every event of every table ---- */

static bool same(const struct um_encoding *a, const struct um_encoding *b)
{
	return a->pmu == b->pmu && a->unit == b->unit && a->fixed == b->fixed &&
	       a->counters == b->counters && a->extras == b->extras &&
	       memcmp(a->extra, b->extra, sizeof(a->extra)) == 0 &&
	       !((a->word ^ b->word) & ~a->pmu->selector.ignore_on_compare) &&
	       strcmp(a->name, b->name) == 0;
}

static void check_row(const struct um_event_table *t, const struct um_event_row *row)
{
	const char *uarch = strcmp(t->uarch, "core") ? t->uarch : "westmere";
	struct um_encodings one = { 0 }, again = { 0 };
	char text[96];

	snprintf(text, sizeof(text), "%s/%s%s/", t->pmu, row->name, row->ports ? ",port=3" : "");
	ck_assert_msg(parse(&one, uarch, text) == 1, "%s: %s: %s", uarch, text, error.msg);
	ck_assert_msg(one.events[0].row == row || one.events[0].fixed >= 0, "%s", text);
	ck_assert_msg(parse(&again, uarch, one.events[0].name) == 1, "%s: %s: %s", uarch,
		      one.events[0].name, error.msg);
	ck_assert_msg(same(&one.events[0], &again.events[0]), "%s: %s became %s", uarch, text,
		      again.events[0].name);
	um_events_free(&one);
	um_events_free(&again);
}

START_TEST(every_name_can_be_counted_and_its_canonical_name_is_the_same_event)
{
	for (size_t i = 0; i < um_num_event_tables; i++) {
		const struct um_event_table *t = &um_event_tables[i];
		const struct um_event_row *row = NULL;

		while ((row = um_event_next(t, row)))
			check_row(t, row);
	}
}
END_TEST

/* Terms of every PMU of every processor, with the largest value: accepted, or with a reason. */
static void check_term(const char *uarch, const struct uncoremsr_pmu *pmu, const struct um_term *t)
{
	struct um_encodings one = { 0 }, again = { 0 };
	char text[128];

	snprintf(text, sizeof(text), "%s/%s=0x%llx/", pmu->name, t->name,
		 (unsigned long long)um_term_max(t));
	if (parse(&one, uarch, text) < 0) {
		ck_assert_str_ne(error.msg, "");
		ck_assert_uint_eq(error.class, UNCOREMSR_ERROR_USAGE);
	} else {
		ck_assert_msg(parse(&again, uarch, one.events[0].name) == 1, "%s: %s: %s", uarch,
			      one.events[0].name, error.msg);
		ck_assert_msg(same(&one.events[0], &again.events[0]), "%s: %s became %s", uarch,
			      text, again.events[0].name);
	}
	um_events_free(&one);
	um_events_free(&again);
	if (um_term_max(t) == UINT64_MAX)
		return;
	snprintf(text, sizeof(text), "%s/%s=0x%llx/", pmu->name, t->name,
		 (unsigned long long)um_term_max(t) + 1);
	ck_assert_msg(parse(&one, uarch, text) == -EINVAL && strstr(error.msg, "out of range"),
		      "%s: %s: %s", uarch, text, error.msg);
}

START_TEST(every_term_takes_its_largest_value_and_not_one_more)
{
	for (size_t i = 0; i < um_num_models; i++) {
		const struct um_uarch *u = um_models[i].uarch;

		for (size_t p = 0; u && p < u->num_pmus; p++)
			for (size_t k = 0; k < u->pmus[p].num_terms; k++)
				check_term(u->name, &u->pmus[p], &u->pmus[p].terms[k]);
	}
}
END_TEST

/* Every fixed and free-running counter can be named, under all its names. */
START_TEST(every_fixed_counter_can_be_named)
{
	for (size_t i = 0; i < um_num_models; i++) {
		const struct um_uarch *u = um_models[i].uarch;

		for (size_t p = 0; u && p < u->num_pmus; p++)
			for (unsigned k = 0; k < u->pmus[p].num_fixed; k++) {
				struct um_encodings one = { 0 };
				char text[96];

				snprintf(text, sizeof(text), "%s/%s/", u->pmus[p].name,
					 u->pmus[p].fixed[k].event);
				ck_assert_msg(parse(&one, u->name, text) == 1, "%s: %s: %s",
					      u->name, text, error.msg);
				ck_assert_int_eq(one.events[0].fixed, (int)k);
				ck_assert_uint_eq(one.events[0].word, u->pmus[p].fixed[k].enable);
				um_events_free(&one);
			}
	}
}
END_TEST

Suite *event_boxes_suite(void)
{
	Suite *s = suite_create("event-boxes");
	TCase *tc = tcase_create("language"), *all = tcase_create("every row");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_loop_test(tc, an_event_becomes_exactly_this_word_unit_and_name, 0,
			    (int)ARRAY_SIZE(good));
	tcase_add_loop_test(tc, nonsense_is_refused_with_a_reason_and_a_way_out, 0,
			    (int)ARRAY_SIZE(refused));
	tcase_add_loop_test(tc, an_event_needs_exactly_these_extra_registers, 0,
			    (int)ARRAY_SIZE(extras));
	tcase_add_test(tc, codes_alone_name_a_pmu_that_could_be_meant);
	tcase_add_test(tc, a_name_that_several_pmus_have_is_told_with_each);
	tcase_add_test(tc, the_kernels_first_c_box_has_the_clock);
	tcase_add_test(tc, free_running_counters_have_the_kernels_unit_masks);
	tcase_add_test(tc, remarks_end_with_the_filter_that_is_not_there);
	tcase_add_test(tc, a_list_that_is_just_full_is_not_written_beyond);
	tcase_add_test(tc, a_pattern_stands_for_counters_that_count_one_thing_each);
	tcase_add_test(tc, codes_have_the_name_of_an_architectural_event_where_there_is_one);
	tcase_add_test(tc, a_filter_goes_where_the_event_uses_it_and_is_refused_elsewhere);
	tcase_add_test(tc, a_default_is_filled_in_and_said);
	tcase_add_test(tc, the_interrupt_bit_of_a_core_word_is_dropped_with_a_remark);
	tcase_set_timeout(all, 60);
	tcase_add_test(all, every_name_can_be_counted_and_its_canonical_name_is_the_same_event);
	tcase_add_test(all, every_term_takes_its_largest_value_and_not_one_more);
	tcase_add_test(all, every_fixed_counter_can_be_named);
	suite_add_tcase(s, tc);
	suite_add_tcase(s, all);
	return s;
}
