/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The event language: texts that are refused, remarks, and names that must give the same encoding again. The encodings
 * of valid texts are in tests/kept/words.xz.
 */
#include <check.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "encoded.h"
#include "machine.h"
#include "suite.h"

/* ---- refusals ---- */

static const struct {
	const char *uarch, *text, *shows, *hints; /* @shows, @hints: parts of the message and of the hint */
	int err;
} refused[] = {
	{ "westmere", "", "missing", "", -EINVAL },
	{ "westmere", ",", "missing", "", -EINVAL },
	{ "westmere", "0x82:0x1,", "missing", "", -EINVAL },
	{ "westmere", "0x8z:0x1", "0x8z", "", -EINVAL },
	{ "westmere", "0x82:0x1z", "0x1z", "", -EINVAL },
	{ "westmere", "0x82:", "unknown modifier", "", -EINVAL },
	{ "westmere", "0x:0x1", "not a number", "", -EINVAL },
	{ "westmere", "0x100:0x1", "0x100", "", -EINVAL },
	{ "westmere", "0x82:300", "0x12c", "", -EINVAL },
	{ "westmere", "0x82:-1", "-1", "", -EINVAL },
	{ "westmere", "-1:1", "-1", "", -ENOENT },
	{ "westmere", "0x82:0x1:cmask=256", "0x100", "", -EINVAL },
	{ "westmere", "0x82:0x1:cmask=", "number is missing", "", -EINVAL },
	{ "westmere", "0x82:0x1:bogus", "bogus", "", -EINVAL },
	{ "westmere", "0x82:0x_", "not a number", "", -EINVAL },
	{ "westmere", "0x82:0xffffffffffffffff", "0xffffffffffffffff is out of range", "", -EINVAL },
	{ "westmere", "0x82:18446744073709551615", "0xffffffffffffffff is out of range", "", -EINVAL },
	{ "westmere", "0x82:18446744073709551616", "too large", "", -EINVAL },
	{ "westmere", "0x82:99999999999999999999", "too large", "", -EINVAL },
	{ "westmere", "0x520182", "bit 20", "", -EINVAL },
	{ "westmere", "0x410182", "0x10000", "", -EINVAL },
	{ "westmere", "0x100400182", "0x100000000", "", -EINVAL },
	{ "westmere", "uncore/event=0x82", "closing slash", "", -EINVAL },
	{ "westmere", "uncore/event=0x82/x", "'x'", "", -EINVAL },
	{ "westmere", "uncore/event=0x82,bogus=1/", "no term 'bogus=1'", "", -EINVAL },
	{ "westmere", "uncore/event=0x82,event=0x83/", "event select was given already, 0x82", "", -EINVAL },
	{ "westmere", "uncore/event/", "a value is missing", "", -EINVAL },
	{ "westmere", "uncore/edge=2,event=1/", "edge 0x2 is out of range 0..0x1", "", -EINVAL },
	{ "westmere", "uncore/event=0x82,raw=0x420183/", "were given already: 'raw=0x420183'", "", -EINVAL },
	{ "westmere", "uncore/event=0x82,extra0=1/", "no term 'extra0=1'", "", -EINVAL },
	{ "westmere", "uncore/event=0x82,config1=1/", "bits 0x1 of config1 have no effect on this event", "", -EINVAL },
	{ "westmere", "core/event=0xb7,umask=1,config1=1/", "no term 'config1=1'", "", -EINVAL },
	{ "zen3", "l3/event=0x4/:config1=3", "bits 0x3 of config1 have no effect on this event", "", -EINVAL },
	{ "westmere", "0x3420102:cmask=4", "cmask was given already, 0x3", "", -EINVAL },
	{ "westmere", "cbo/event=0x82/", "westmere has no PMU 'cbo'", "", -ENOENT },
	{ "westmere", "uncore1/event=0x82/", "there is only one uncore", "", -EINVAL },
	{ "westmere", "core0/cycles/", "no units to choose from", "", -EINVAL },
	{ "westmere", "core/cycles,edge/", "takes no modifier", "", -EINVAL },
	{ "westmere", "core/cycles/x", "unknown modifier 'x'", "", -EINVAL },
	{ "westmere", "core/event=0xc0,usr=0,os=0/", "neither user nor kernel mode", "", -EINVAL },
	{ "westmere", "r0123456789abcdef0", "more than 64 bits", "", -EINVAL },
	{ "westmere", "r80000005300c0", "reserved bits", "", -EINVAL },
	{ "westmere", "0x82:0x1:u", "unknown modifier 'u'", "", -EINVAL },
	{ "westmere", "{0x82:0x1", "closing brace", "", -EINVAL },
	{ "westmere", "{}", "missing", "", -EINVAL },
	{ "westmere", "{{0x82:0x1}}", "missing", "", -EINVAL },
	{ "westmere", "0x82:0x1}", "}", "", -EINVAL },
	{ "westmere", "UNC_NO_SUCH_EVENT", "UNC_NO_SUCH_EVENT", "", -ENOENT },
	{ "westmere", "UNC_NO_SUCH_*", "no uncore event matches the pattern on westmere", "", -ENOENT },
	{ "westmere", "UNC_PROCHOT_ASERTION:edge", "no event of that name", "UNC_PROCHOT_ASSERTION", -ENOENT },
	{ "westmere", "UNC_PROCHOT_ASERTION:edge", "no event of that name", "EVENT:UMASK", -ENOENT },
	{ "westmere", "UNC_QMC_NORMAL_FULL.READ.CH0", "nehalem has this event", "", -ENOENT },
	{ "westmere", "UNC_QMC_NORMAL_FULL*:edge", "nehalem has this event", "", -ENOENT },
	{ "westmere", "UNC_PROCHOT_ASSERTION:bogus", "unknown modifier 'bogus'", "", -EINVAL },
	{ "westmere", "UNC_PROCHOT_ASSERTION:", "unknown modifier ''", "", -EINVAL },
	{ "westmere", "UNC_PROCHOT_ASSERTION:raw=0x100000", "bit 20", "", -EINVAL },
	{ "westmere", "UNC_PROCHOT_ASSERTION:raw=0x10000", "reserved bits", "", -EINVAL },
	{ "westmere", "UNC_PROCHOT_ASSERTION:cmask=256", "0x100", "", -EINVAL },
	{ "westmere", "UNC_TURBO_MODE.CORE_[0-5]", "number 4", "", -ENOENT },
	{ "westmere", "UNC_TURBO_MODE.CORE_[0-3", "bracket", "", -EINVAL },
	{ "westmere", "UNC_TURBO_MODE.CORE_[0,9", "bracket", "", -EINVAL },
	{ "westmere", "uncore/UNC_NO_SUCH_EVENT/", "no event of that name", "", -ENOENT },
	{ "westmere", "uncore/*/:edge", "no modifier", "", -EINVAL },
	{ "westmere", "*,*,*,*,*,*,*,*,*,*,*,*,*,*,*,*,*,*,*,*", "more than 4096 events", "", -EINVAL },
	{ "westmere", "*,*,*,*,*,*,*,*,*,*,*,*,*,*,*,*,*,*,*,*,*,*,*,*,*,*,*,*,*,*,*,*,*,*,*,*,*,*,*,*,"
	  "*,*,*,*,*,*,*,*,*,*,*,*,*,*,*,*,*,*,*,*,*,*,*,*,*,*,*,*,*,*,*,*,*,*,*,*,*,*,*,*", "too many events", "match fewer names", -EINVAL },
	{ "westmere", "UNC_CLK_UNHALTED:edge", "no modifier", "", -EINVAL },
	/* ---- several PMUs, and the core PMU ---- */
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
	{ "sandybridge", "cbo/raw=1,raw=2/", "or some of its bits were given already: 'raw=2'", "", -EINVAL },
	{ "sandybridge", "clock/event=1/", "clock has no term", "clock/UNC_CLOCK.SOCKET/", -EINVAL },
	{ "sandybridge", "clock/raw=1/", "so no other can be chosen", "", -EINVAL },
	{ "sandybridge", "clock/clockticks,edge/", "no term 'edge'", "", -EINVAL },
	{ "sandybridge", "cbo/UNC_CBO_CACHE_LOOKUP.READ_I,umask=1/", "that the name already sets", "", -EINVAL },
	{ "sandybridge", "cbo/UNC_ARB_TRK_REQUESTS.ALL/", "cbo does not have this event, but arb does",
	  "arb/UNC_ARB_TRK_REQUESTS.ALL/", -ENOENT },
	{ "sandybridge", "UNC_CBO_CACHE_LOOKUP.READ_K", "no event of that name",
	  "UNC_CBO_CACHE_LOOKUP.READ_", -ENOENT },
	{ "sandybridge", "cbo/UNC_CBO_CACHE_LOOKUP.READ_K/", "no event of that name",
	  "did you mean UNC_CBO_CACHE_LOOKUP.READ_", -ENOENT },
	{ "tigerlake", "UNC_CBO_CACHE_LOOKUP.READ_I", "sandybridge has this event", "PMU/event=", -ENOENT },
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
	{ "ivybridge-ep", "cbo/event=0x1,filter_opc=0x182/", "register 0xd1a", "leave the term out", -EINVAL },
	/* The message names exactly the bits of config1 that the event does not use. */
	{ "haswell-ep", "cbo/event=0x34,umask=0x11,config1=0x100020000/", "bits 0x100000000 of config1",
	  "which events", -EINVAL },
	{ "haswell-ep", "cbo/event=0x34,umask=0x11,config1=0x1/", "bits 0x1 of config1", "", -EINVAL },
	{ "haswell-ep", "ubox/event=0x41,config1=0x45/", "bits 0x40 of config1", "", -EINVAL },
	{ "sandybridge-ep", "pcu/event=0xc,config1=0x14/", "bits 0x14 of config1", "", -EINVAL },
	{ "haswell-ep", "cbo/event=0x35,umask=0x41,filter_nid=2,config1=0x1820000000000000/",
	  "config1 and a term set the same filter", "", -EINVAL },
	{ "haswell-ep", "cbo/event=0x34,config1=0x20000,config1=0x20000/", "this term was given already: 'config1'",
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
	{ "haswell-ep", "cbo/event=0x1,extra0=1/", "it sets register 0xe05", "", -EINVAL },
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
	/* The hint lists the PMUs that accept codes. PMUs with only fixed-function counters accept none. */
	{ "meteorlake", "0x34:0x11", "a code needs a PMU here",
	  "name one of cbo, arb, hac_arb, hac_cbo, cncu, sncu, core: cbo/event=0x34,umask=0x11/", -EINVAL },
	{ "core", "0x3c:0x0", "a code needs a PMU here", "core/event=0x3c,umask=0x0/", -EINVAL },
	{ "nehalem-ex", "0x34:0x11", "a code needs a PMU here", "wbox, core: cbox/event=0x34,umask=0x11/", -EINVAL },
	{ "zen", "r5301b1", "no core PMU", "", -ENOENT },
	{ "skylake-sp", "iio_free_running/nosuch_*/", "", "ioclk, bw_in_port0", -ENOENT },
	/* ---- spellings of other programs ---- */
	{ "westmere", "UNC_L3_MISS_READ:UPMC8", "no such counter", "", -EINVAL },
	{ "westmere", "UNC_L3_MISS_READ:UPMC99999999999", "no such counter", "", -EINVAL },
	{ "sandybridge", "UNC_CLOCK.SOCKET:UBOX99999999999FIX", "cannot count on that unit", "", -EINVAL },
	{ "westmere", "UNC_L3_MISS_READ:UPMCFIX", "no counter of uncore can count this event", "", -EINVAL },
	{ "westmere", "UNC_L3_MISS_READ:CBOX0C0", "unknown modifier", "", -EINVAL },
	{ "westmere", "UNCORE_CLOCK:UPMC0", "a counter of its own", "", -EINVAL },
	{ "westmere", "INSTR_RETIRED_ANY:FIXC1", "fixed counter 0 counts this event, not 1", "", -EINVAL },
	{ "westmere", "CPU_CLK_UNHALTED_CORE:FIXC0:KERNEL", "fixed counter 1 counts this event, not 0", "", -EINVAL },
	{ "skylake-sp", "CPU_CLK_UNHALTED_REF:FIXC40", "fixed counter 2 counts this event, not 40", "", -EINVAL },
	{ "westmere", "UNC_L3_MISS:0x100", "too large for a unit mask", "", -EINVAL },
	{ "westmere", "UNC_DRAM_OPEN:CH0:CH7", "unknown modifier", "", -EINVAL },
	{ "westmere", "UNC_DRAM_OPEN:CH0=1", "no event of that name", "", -ENOENT },
	{ "westmere", "UNC_DRAM_OPEN:CH0:CH1=1", "unknown modifier", "", -EINVAL },
	{ "westmere", "UNC_L3_MISS::READ", "no event of that name", "", -ENOENT },
	{ "westmere", "UNC_L3_MISS:0x", "not a number", "", -EINVAL },
	{ "westmere", "wsm_unc::UNC_PROCHOT_ASSERTION:READ", "unknown modifier", "", -EINVAL },
	{ "westmere", "UNC_GQ_CYCLES:FULL_READ_TRACKER:NOT_EMPTY_READ_TRACKER", "a unit mask of another event", "",
	  -EINVAL },
	{ "westmere", "UNC_L3_HITS:READ:o=2", "unknown modifier", "", -EINVAL },
	{ "sandybridge", "ivb_unc_cbo0::UNC_CBO_CACHE_LOOKUP:STATE_M", "the event belongs to processor ivybridge", "",
	  -ENOENT },
	{ "sandybridge", "snb_unc_cbo9::UNC_CBO_CACHE_LOOKUP:STATE_M", "units 0 to", "", -EINVAL },
	{ "sandybridge", "snb_unc_cbo0::UNC_CBO_CACHE_LOOKUP:STATE_M:HITM", "unknown modifier", "", -EINVAL },
	{ "sandybridge", "UNC_CBO_CACHE_LOOKUP_READ_M:CBOX9C0", "cannot count on that unit", "", -EINVAL },
	{ "sandybridge", "cbo1/UNC_CBO_CACHE_LOOKUP.READ_M/:CBOX2C0", "cannot count on that unit", "", -EINVAL },
	{ "sandybridge", "cbo1/UNC_CBO_CACHE_LOOKUP.READ_M/:CBOX0C0", "cannot count on that unit", "", -EINVAL },
	{ "sandybridge", "cbo0/UNC_CBO_CACHE_LOOKUP.READ_M/:CBOX1C0", "cannot count on that unit", "", -EINVAL },
	{ "sandybridge", "UNC_CBO_CACHE_LOOKUP_READ_M:CBOX4C0", "cannot count on that unit", "", -EINVAL },
	{ "sandybridge", "UNC_CBO_CACHE_LOOKUP_READ_M:CBOX0C2", "no such counter", "", -EINVAL },
	/* A text with which several names with different codes begin is not a name, even if one of the codes is 0. */
	{ "westmere", "UNC_GQ_CYCLES:0x1", "no event of that name", "", -ENOENT },
	{ "westmere", "UNC_L3_HITS:READ:o=10", "unknown modifier", "", -EINVAL },
	{ "sandybridge", "UNC_CBO_CACHE_LOOKUP_READ_M:o=0", "unknown modifier", "", -EINVAL },
	{ "sandybridge", "snb_unc_cbo0::XXX_CLOCK_SOCKET", "no event of that name", "", -ENOENT },
	{ "sandybridge", "uncore_cbox_1/clockticks/", "but clock does", "", -ENOENT },
	{ "sandybridge", "cbo0/clockticks/", "but clock does", "", -ENOENT },
};

TEST_EACH(invalid_text_is_refused_with_the_offending_part_and_a_hint, ARRAY_SIZE(refused))
{
	int err = encode_on(refused[_i].uarch, refused[_i].text);

	ck_assert_msg(err == refused[_i].err, "%s: %d %s", refused[_i].text, err, encode_error);
	ck_assert_msg(strstr(encode_error, refused[_i].shows) != NULL, "%s: '%s' does not show '%s'",
		      refused[_i].text, encode_error, refused[_i].shows);
	ck_assert_msg(strstr(encode_hint, refused[_i].hints) != NULL, "%s: '%s' does not hint at '%s'",
		      refused[_i].text, encode_hint, refused[_i].hints);
	ck_assert_uint_eq(encode_class, err == -ENOTSUP ? UNCOREMSR_ERROR_UNSUPPORTED : UNCOREMSR_ERROR_USAGE);
	ck_assert_uint_eq(num_encoded, 0);
}

TEST(a_bad_event_in_a_list_leaves_the_session_as_it_was)
{
	open_stepped("westmere-2s", "");
	add("0x82:0x1");
	ck_assert_int_eq(uncoremsr_session_add(s, "0x83:0x1,{0x84:0x1,bad}"), -ENOENT);
	ck_assert_uint_eq(num_events(s), 1);
	close_machine();
}

TEST(eight_events_are_encoded_at_once)
{
	ck_assert_int_eq(encode_on("haswell-ep", "cbo/event=1/,cbo/event=1/,cbo/event=1/,cbo/event=1/,"
						 "cbo/event=1/,cbo/event=1/,cbo/event=1/,cbo/event=1/"), 8);
	ck_assert_uint_eq(num_encoded, 8);
}

/* ---- names ---- */

/* likwid's name of the event is an alias that is not in the table itself. */
TEST(an_alias_of_a_fixed_counter_has_the_row_of_its_event)
{
	ck_assert_int_eq(encode_on("westmere", "INSTR_RETIRED_ANY:FIXC0,core/instructions/"), 2);
	for (size_t i = 0; i < num_encoded; i++) {
		ck_assert_int_eq(encoded[i].counter, 0x309);
		ck_assert_str_eq(encoded[i].event, "instructions");
	}
}

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
			struct uncoremsr *handle;

			/* A Westmere. A bit that is set in EBX of leaf 0xa means that the event is absent. */
			snprintf(text, sizeof(text), "leaf = 0x0 0 0xd 0x756e6547 0x6c65746e 0x49656e69\n"
				 "leaf = 0x1 0 0x206c2 0x800 0x1 0x33\nleaf = 0xa 0 0x0d300404 0x%x 0 0x603\n"
				 "package = 0 cores=0-1 cpus=0-1\nend\n", there ? ~bit & 0x1fff : bit);
			write_text(dir, "machine", text);
			ck_assert_int_eq(uncoremsr_new(&handle), 0);
			ck_assert_int_eq(uncoremsr_set_machine(handle, path), 0);
			ck_assert_msg(uncoremsr_open(handle) == 0, "%s", uncoremsr_error(handle)->message);
			snprintf(codes, sizeof(codes), "core/event=0x%x,umask=0x%x/", architectural[i].event,
				 architectural[i].umask);
			snprintf(name, sizeof(name), "core/%s/", architectural[i].name);
			ck_assert_int_eq(encode(handle, UNCOREMSR_ROUTE_MSR, NULL, codes), 1);
			ck_assert_str_eq(encoded->name, there ? name : codes);
			uncoremsr_free(handle);
		}
	remove_dir(dir);
}

static void check_again(const char *uarch, const char *text)
{
	struct encoded first;

	if (encode_on(uarch, text) != 1)
		return;
	first = *encoded;
	encode_one(uarch, first.name);
	ck_assert_msg(same_words(&first, encoded) && !strcmp(first.name, encoded->name),
		      "%s: %s is %s, which is %s", uarch, text, first.name, encoded->name);
}

/* TEST_EACH needs a constant: an upper limit for the number of processors in the library. */
enum { MOST_PROCESSORS = 128 };

TEST_EACH(every_name_of_every_table_reads_back_with_every_modifier, MOST_PROCESSORS)
{
	static const char *const modifiers[] = { "", ":edge", ":inv:cmask=3", ":e:i:c=1", ":t=2" };
	const char *uarch = uarch_name((size_t)_i), *pmu;
	const struct uncoremsr_event *ev;
	char text[256];

	for (size_t k = 0; uarch && (ev = uncoremsr_event(tables(), uarch, k)); k++) {
		if (strcmp(ev->from, "table"))
			continue;
		pmu = ev->pmu;
		for (size_t i = 0; i < ARRAY_SIZE(modifiers); i++) {
			snprintf(text, sizeof(text), "%s/%s%s/%s", pmu, ev->name,
				 ev->ports > 0 ? ",port=3" : "", modifiers[i]);
			check_again(uarch, text);
		}
	}
	ck_assert_ptr_null(uncoremsr_uarch(MOST_PROCESSORS));
}

TEST_EACH(spellings_printed_for_other_programs_are_accepted_again, 2)
{
	static const char *const uarchs[] = { "nehalem", "westmere" };
	const struct uncoremsr_event *ev;
	const struct uncoremsr_spelling *spelled;
	char text[192];
	unsigned num = 0;

	for (size_t k = 0; (ev = uncoremsr_event(tables(), uarchs[_i], k)); k++) {
		uint64_t umask = ev->unit_mask;
		uint64_t codes = ev->event_select | umask << 8;

		if (strcmp(ev->pmu, "uncore") || !strcmp(ev->kind, "clock"))
			continue;
		for (size_t i = 0; (spelled = ev->spellings[i]); i++) {
			if (!strcmp(spelled->program, "likwid"))
				snprintf(text, sizeof(text), "%s:UPMC0:EDGEDETECT:THRESHOLD=0x2", spelled->text);
			else if (!strcmp(spelled->program, "libpfm4"))
				snprintf(text, sizeof(text), "%s::%s:0x%x:e:c=2", _i ? "wsm_unc" : "nhm_unc",
					 spelled->text, (unsigned)umask);
			else
				continue;
			encode_one(uarchs[_i], text);
			ck_assert_msg((encoded->word & 0xff04ffff) == (codes | 0x2040000), "%s is 0x%llx", text,
				      (unsigned long long)encoded->word);
			num++;
		}
	}
	ck_assert_uint_gt(num, 300);
}

TEST(an_encoding_has_the_kind_of_core_that_the_event_is_for)
{
	ck_assert_int_eq(encode_on("alderlake", "cpu_atom/r3c/,cpu_core/r3c/,core/r3c/,cbo/event=0x34/"), 4);
	for (size_t i = 0; i < num_encoded; i++)
		ck_assert_int_eq(encoded[i].core_type, i == 0 ? 0x20 : i == 1 ? 0x40 : 0);
}

/* ---- remarks and rates ---- */

TEST(a_remark_says_what_was_filled_in_or_left_out)
{
	ck_assert_ptr_nonnull(strstr(encode_one("nehalem-ex", "mbox/inc_sel=0x1a/")->remarks[0], "wrap_mode"));
	ck_assert_int_eq(encode_on("westmere", "r5301b1,r4001b1"), 2);
	ck_assert_ptr_nonnull(strstr(encoded[0].remarks[0], "bit 20"));
	ck_assert_ptr_nonnull(strstr(encoded[1].remarks[0], "neither user nor kernel"));
}

/* Longest time until a counter of the event can wrap; it is longer for events with fewer increments per clock. */
static uint64_t time_to_wrap(const char *event)
{
	uint64_t ns;

	open_stepped("westmere-2s", "");
	count(event);
	ns = uncoremsr_session_state(s)->max_interval;
	close_machine();
	return ns;
}

TEST(edge_and_threshold_bound_the_rate_to_one_per_clock)
{
	uint64_t once = time_to_wrap("clockticks");

	ck_assert_uint_lt(time_to_wrap("0x02:0x1"), once);
	ck_assert_uint_eq(time_to_wrap("0x02:0x1:edge"), once);
	ck_assert_uint_eq(time_to_wrap("0x02:0x1:cmask=2"), once);
}

SUITE(events)
