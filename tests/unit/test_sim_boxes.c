/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Simulated uncores with boxes behave like the hardware that the manuals describe. Tests use register addresses from
 * the manuals, so that the tables are tested, too.
 *
 * Uses internal headers, because the tables say which registers exist.
 */
#include <check.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "steps.h"
#include "suite.h"
#include "uarch/uarch.h"
#include "uncoremsr.h"

#define EN 0x400000ull
#define BIT(n) (1ull << (n))
#define SNB "sandybridge-1s,clock=stepped,start=0"
#define HSX "haswell-ep-2s,clock=stepped,start=0"
#define SPR "sapphire-rapids-2s,clock=stepped,start=0"
#define EX "nehalem-ex-4s,clock=stepped,start=0"

static void use_one(const char *uncore, const char *text)
{
	char path[FD_PATH_SIZE], what[80];
	int fd = file_in_memory(path, "", 0);

	dprintf(fd, "uncore = %s\nuncore_hz = 1000000000\n"
		"leaf = 0x0 0 0x0000000d 0x756e6547 0x6c65746e 0x49656e69\n"
		"package = 0 cores=0-3 cpus=0-3\n%s\nend\n", uncore, text);
	snprintf(what, sizeof(what), "%s,clock=stepped,start=0", path);
	use(what);
	close(fd);
}

FIXTURE(.teardown = free_sim)

static const struct story stories[] = {
	{ "a client counter needs its selector and bit 29", SNB,
	  "count 0 0x700 0x706 0x408834 0; write 0 0x391 0x20000000; count 0 0x700 0x706 0x8834 0; "
	  "count 0 0x700 0x706 0x408834 700000; count 0 0x701 0x707 0x408834 700000; "
	  "count 7 0x730 0x736 0x408834 2800000; write 0 0x391 0; count 0 0x700 0x706 0x408834 0" },
	{ "the clients clock is counted at 395 and controlled at 394", SNB,
	  "write 0 0x391 0x20000000; refuses 0 0x394 1 EIO; " /* on Nehalem the value 1 enables the clock */
	  "pass 1; read 0 0x395 0; "
	  "write 0 0x394 0x400000; pass 1; read 0 0x395 3300000000" },
	{ "reserved bits and absent boxes of a client fault", SNB,
	  "takes 0 0x700 0x1fd4ffff; takes 0 0x3b2 0x1fd4ffff; takes 0 0x391 0xe000001f; "
	  "takes 0 0x706 0xfffffffffff; fails 0 0x740 EIO; " /* the machine has only four C-boxes */
	  "fails 0 0x702 EIO; fails 0 0x3b4 EIO; fails 0 0x3c0 EIO; refuses 0 0x396 0 EIO; read 0 0x396 5" },
	{ "a client counter wraps at 44 bits", SNB,
	  "write 0 0x391 0x20000000; write 0 0x706 0xfffffffffff; write 0 0x700 0x408834; pass 1; "
	  "read 0 0x706 699999; read 0 0x391 0x20000000" },
	{ "bit 31 of the client control freezes on overflow and not before", SNB,
	  "write 0 0x391 0xa0000000; write 0 0x706 0xffffff0bdc0; write 0 0x700 0x408834; write 0 0x716 0; "
	  "write 0 0x710 0x408834; pass 1; read 0 0x706 0xffffffb6c20; "
	  "pass 1; read 0 0x716 2800000; read 0 0x391 0x80000000; "
	  "pass 1; read 0 0x716 2800000" },
	{ "arb occupancy counts on counter 0 alone", SNB,
	  "write 0 0x391 0x20000000; count 0 0x3b2 0x3b0 0x400180 90000000; count 0 0x3b3 0x3b1 0x400180 0; "
	  "count 0 0x3b3 0x3b1 0x400181 4000000" },
	{ "unit masks thresholds and edges work as on nehalem", SNB,
	  "write 0 0x391 0x20000000; count 0 0x700 0x706 0x404522 8000; count 0 0x700 0x706 0x408f34 2500000; "
	  "count 0 0x3b2 0x3b0 0x8400180 11250000; count 0 0x3b2 0x3b0 0x9400180 0; "
	  "count 0 0x3b2 0x3b0 0x1c00181 3296000000; count 0 0x3b2 0x3b0 0x440181 4000000" },
	{ "alder lake has boxes at other addresses and reports their number", "alderlake-hybrid,clock=stepped,start=0",
	  "field 0 0x396 0 0xf 10; "
	  "write 23 0x2ff0 0x20000000; count 0 0x2000 0x2002 0x408834 700000; "
	  "count 23 0x2048 0x204a 0x408834 7000000; fails 0 0x2050 EIO; "
	  "count 0 0x2fd8 0x2fda 0x400181 8000000; write 0 0x2fdf 0; write 0 0x2fde 0x400000; pass 1; "
	  "read 0 0x2fdf 3800000000; "
	  "write 0 0x2ff0 0; " /* on Alder Lake, 0x2ff0 stops the clock, too */
	  "pass 1; read 0 0x2fdf 3800000000; "
	  "takes 0 0x2000 0x3fd4ffff; takes 0 0x2fd0 0x1fd4ffff" },
	{ "meteor lake has an enable for each tile", "meteorlake,clock=stepped,start=0",
	  "write 0 0x240e 0x20000000; count 0 0x2442 0x2448 0x408834 700000; "
	  "count 0 0x2422 0x2428 0x400181 8000000; count 0 0x2042 0x2048 0x400135 0; write 0 0x2002 0x400000; "
	  "write 0 0x2008 0; pass 1; read 0 0x2008 0; "
	  "write 0 0x200e 0x20000000; pass 1; read 0 0x2008 2400000000; "
	  "count 0 0x2042 0x2048 0x400135 550000" },
	{ "a server box freezes with bit 8 and resets with bits 0 and 1", HSX,
	  "write 0 0xe01 0x400835; pass 1; read 0 0xe08 900000; "
	  "write 0 0xe00 0x10100; read 0 0xe00 0x10100; "
	  "pass 1; read 0 0xe08 900000; "
	  /* bit 1 is a strobe and reads 0 */
	  "write 0 0xe00 0x10102; read 0 0xe08 0; read 0 0xe01 0x400835; read 0 0xe00 0x10100; "
	  "write 0 0xe00 0x10000; pass 1; read 0 0xe08 900000; "
	  "write 0 0xe00 0x10001; read 0 0xe01 0; read 0 0xe08 900000; "
	  "takes 0 0xe00 0x30103" },
	{ "bit 17 of a server selector clears its counter", HSX,
	  "write 0 0xe09 1234; write 0 0xe02 0x20835; read 0 0xe09 0; read 0 0xe02 0x835; "
	  "takes 0 0xe02 0xffdeffff; takes 0 0x705 0x1fd6ffff" },
	{ "units and packages of a server count separately", HSX,
	  "count 0 0xe01 0xe08 0x400835 900000; count 0 0xe11 0xe18 0x400835 1800000; "
	  "count 0 0xe21 0xe28 0x400835 2700000; count 0 0xe31 0xe38 0x400835 3600000; "
	  /* the package has six cores, so C-box 6 does not exist */
	  "count 0 0xe41 0xe48 0x400835 4500000; count 0 0xe51 0xe58 0x400835 5400000; fails 0 0xe60 EIO; "
	  "write 0 0xe01 0x400835; read 17 0xe01 0x400835; read 6 0xe01 0" },
	{ "an sbox control takes one new bit at a time", HSX,
	  "refuses 0 0x720 0x10003 EIO; "
	  "write 0 0x720 1; write 0 0x720 3; write 0 0x720 0x10003; write 0 0x720 0x10000; "
	  "refuses 0 0x720 0x10103 EIO; "
	  "write 0 0x720 0x10100; read 0 0x720 0x10100; "
	  "write 0 0xe00 0x10003" }, /* boxes other than S-boxes accept several bits at once */
	{ "lookups need a state filter and opcode events an opcode filter", HSX,
	  "count 0 0xe01 0xe08 0x401134 0; write 0 0xe05 0xfc0000; count 0 0xe01 0xe08 0x401134 5000000; "
	  "count 0 0xe01 0xe08 0x404134 0; write 0 0xe06 1; "
	  "count 0 0xe01 0xe08 0x404134 1500000; count 0 0xe01 0xe08 0x400135 0; write 0 0xe06 0x18200000; "
	  "count 0 0xe01 0xe08 0x400135 600000; count 0 0xe01 0xe08 0x400335 300000; write 0 0xe06 0x18000000; "
	  /* only counter 0 can count event 0x36 */
	  "count 0 0xe01 0xe08 0x400135 70000; count 0 0xe02 0xe09 0x400836 0; "
	  "count 0 0xe01 0xe08 0x400836 20000000" },
	{ "a thread filter that is on counts its thread alone", HSX,
	  /* only thread 0 has a workload */
	  "write 0 0xe05 3; count 0 0xe01 0xe08 0x400835 900000; count 0 0xe01 0xe08 0x480835 0; write 0 0xe05 0; "
	  "count 0 0xe01 0xe08 0x480835 900000" },
	{ "each band of the pcu has a byte of the filter", HSX,
	  "write 0 0x715 0xffffff; count 0 0x711 0x717 0x40000e 760000000; count 0 0x711 0x717 0x40000b 0; "
	  "write 0 0x715 0xffffff18; count 0 0x711 0x717 0x40000b 790000000; count 0 0x711 0x717 0x40000e 0; "
	  "count 0 0x712 0x718 0x40c080 1600000000; count 0 0x712 0x718 0x4404080 600000000" },
	{ "skylake sp counts no tor event with filter 1 zero", "skylake-sp-2s,clock=stepped,start=0",
	  "read 0 0x702 10; "
	  "count 0 0xe01 0xe08 0x402135 0; write 0 0xe06 0x3b; count 0 0xe01 0xe08 0x402135 670000; "
	  "write 0 0xe06 0x40233; count 0 0xe01 0xe08 0x402135 600000; write 0 0xe06 0x10100033; "
	  "count 0 0xe01 0xe08 0x402135 70000; write 0 0xe96 0x3b; count 0 0xe91 0xe98 0x402135 6700000; "
	  "fails 0 0xea1 EIO" },
	{ "iio counts nothing without channel and fc masks", "skylake-sp-2s,clock=stepped,start=0",
	  "count 0 0xa48 0xa41 0x400183 0; count 0 0xa48 0xa41 0x700000400183 0; "
	  "count 0 0xa48 0xa41 0x7ff000400183 1000000; count 0 0xa4a 0xa43 0x7ff000400183 0; "
	  "count 0 0xaea 0xae3 0x7ff0004001c0 1800000; count 0 0xae8 0xae1 0x7ff0004001c0 0; "
	  "takes 0 0xa48 0x7fffffd6ffff" },
	{ "free running counters run and cannot be written", "skylake-sp-2s,clock=stepped,start=0",
	  "refuses 0 0xb00 0 EIO; refuses 0 0xa45 0 EIO; "
	  "pass 1; read 0 0xb00 1000000; read 0 0xb53 24000000; read 0 0xb04 5000000; read 0 0xa45 500000000; "
	  "pass 140; " /* a counter of 36 bits wraps after 137 seconds */
	  "read 0 0xa45 0x6a20a100" },
	{ "ice lake sp has its chas at irregular places", "icelake-sp-2s,clock=stepped,start=0",
	  "read 8 0x702 40; "
	  "count 8 0xe01 0xe08 54045385965961525 600000; count 8 0xe0f 0xe16 54045385965961525 1200000; "
	  "count 8 0xeef 0xef6 54045385965961525 10800000; count 8 0xf0b 0xf12 54045385965961525 11400000; "
	  "count 8 0xfdd 0xfe4 54045385965961525 20400000; count 8 0xb61 0xb68 54045385965961525 21000000; "
	  /* the addresses have a gap after the 18th CHA */
	  "count 8 0xba7 0xbae 54045385965961525 24000000; count 0 0xe01 0xe08 0x400135 0; fails 0 0xefc EIO; "
	  "fails 0 0xbb4 EIO; "
	  "takes 0 0xe01 0x3ffffffffdeffff" },
	{ "sapphire rapids moved the bits of the box control", SPR,
	  "write 0 0x2002 0x150; " /* selectors of Sapphire Rapids have no enable bit */
	  "pass 1; read 0 0x2008 400000; "
	  "write 0 0x2000 1; pass 1; read 0 0x2008 400000; read 0 0x2000 1; "
	  "write 0 0x2000 0x201; read 0 0x2008 0; read 0 0x2002 0x150; "
	  /* bits 1:0, which reset a box of older servers, must be 0 */
	  "write 0 0x2000 0x100; read 0 0x2002 0; read 0 0x2000 0; refuses 0 0x2000 3 EIO; "
	  "takes 0 0x2002 0xffffffffff97ffff; takes 0 0x3002 0x7ffffff96ffff" },
	{ "sapphire rapids has sixty chas a package", SPR,
	  "read 0 0x2ffe 60; "
	  "count 8 0x23b2 0x23b8 0xc001fe00000135 36000000; fails 0 0x23c2 EIO; "
	  "write 0 0x200e 5; count 0 0x2002 0x2008 0x10150 0; count 0 0x2002 0x2008 0x150 400000" },
	{ "sapphire rapids stops everything with bit 0 of 2ff0", SPR,
	  "write 0 0x2fde 0x400000; write 0 0x2fd2 0x842; pass 1; write 0 0x2ff0 1; pass 1; "
	  "read 0 0x2fdf 2500000000; read 0 0x2fd8 12000; read 8 0x2ff0 0; "
	  "refuses 0 0x2ff0 0x20000000 EIO; fails 8 0x30b0 EIO; " /* package 1 lacks the twelfth stack */
	  "fails 0 0x30b0 0; refuses 0 0x340e 0 EIO; read 0 0x340e 1000000000" }, /* free-running counters never stop */
	{ "granite rapids has counter and control of the u clock swapped", "granite-rapids-2s,clock=stepped,start=0",
	  "field 0 0x3fed 0 0x1ff 86; "
	  "count 0 0x2552 0x2558 0x150 34400000; write 0 0x3ffe 0x400000; pass 1; read 0 0x3ffd 2300000000; "
	  /* Port 2 of stack 1 after two seconds; ports are 0x10 apart, stacks 0x80. */
	  "read 0 0x36ae 12000000" },
	{ "dies of a package have boxes of their own", "cascadelake-ap-1s,clock=stepped,start=0",
	  "write 0 0xe01 0x400150; read 11 0xe01 0x400150; read 4 0xe01 0; "
	  /* rates grow with the box number; box numbers of die 1 begin at 28 */
	  "write 15 0xe01 0x400150; write 15 0xe08 0; pass 1; read 0 0xe08 400000; read 4 0xe08 11600000" },
	{ "knights landings chas are 12 apart", "knights-landing-1s,clock=stepped,start=0",
	  "count 0 0xfbd 0xfc4 0x400113 7600000; count 0 0xe01 0xe08 0x402135 0; write 0 0xe06 0x23; "
	  "count 0 0xe01 0xe08 0x402135 670000; write 0 0xe06 0x30423; count 0 0xe01 0xe08 0x402135 600000; "
	  "read 31 0x38f 3; " /* a thread has two general counters */
	  "fails 31 0xc3 EIO" },
	{ "an ex counter needs master box and selector enables", EX,
	  "write 0 0xd10 0x400f15; write 0 0xd00 1; pass 1; read 0 0xd11 0; "
	  "write 0 0xc00 0x10000000; pass 1; read 0 0xd11 3000000; "
	  "write 0 0xd00 2; "
	  "pass 1; read 0 0xd11 3000000; "
	  "takes 0 0xd00 0x3f; takes 0 0xc00 0xb000001f" },
	{ "ex boxes have their enable bits at three places", EX,
	  "write 0 0xc00 0x10000001; write 0 0xc20 0xf; write 0 0xca0 0x3f; write 0 0xc80 0x8000000f; "
	  "count 0 0xc30 0xc31 17 400000; count 0 0xc36 0xc37 23 700000; count 0 0xc30 0xc31 16 0; "
	  "count 0 0xcb0 0xcb1 0x1a01 1300000; count 0 0xcb2 0xcb3 0x80081 15000; "
	  /* 0x394 is the W-box clock counter */
	  "count 0 0xc10 0xc11 0x400002 1700; count 0 0xc90 0xc91 0x400103 300000; write 0 0x394 0; "
	  "write 0 0x395 1; pass 1; read 0 0x394 2266666667; refuses 0 0xc30 0x400000 EIO" },
	{ "ex c boxes are numbered in bit reversed order", EX,
	  "write 8 0xc00 0x10000000; write 8 0xd00 0x3f; count 8 0xd1a 0xd1b 0x400f15 3000000; write 8 0xd80 0x3f; "
	  "count 8 0xd9a 0xd9b 0x400f15 6000000; write 8 0xd40 0x3f; count 8 0xd5a 0xd5b 0x400f15 9000000; "
	  "write 8 0xdc0 0x3f; count 8 0xdda 0xddb 0x400f15 12000000; write 8 0xd20 0x3f; "
	  "count 8 0xd3a 0xd3b 0x400f15 15000000; write 8 0xda0 0x3f; count 8 0xdba 0xdbb 0x400f15 18000000; "
	  "write 8 0xd60 0x3f; count 8 0xd7a 0xd7b 0x400f15 21000000; write 8 0xde0 0x3f; "
	  "count 8 0xdfa 0xdfb 0x400f15 24000000; fails 8 0xf40 EIO" }, /* only Westmere-EX has C-box 8 */
	{ "ex reset all clears every box of the package", EX,
	  "write 0 0xd00 0x3f; write 0 0xd10 0x400f15; write 0 0xd11 77; write 0 0xe04 5; write 8 0xd11 78; "
	  "write 0 0xc00 0x20000000; read 0 0xc00 0; read 0 0xd00 0; read 0 0xd10 0; read 0 0xd11 0; read 0 0xe04 0; "
	  "read 8 0xd11 78" },
	{ "ex match registers decide what counts", EX,
	  "write 0 0xc00 0x10000000; write 0 0xcc0 0xf; write 0 0xe00 0xff; write 0 0xe20 0xff; "
	  "count 0 0xcd0 0xcd1 0x400000 0; write 0 0xe58 0x8000000000000000; count 0 0xcd0 0xcd1 0x400000 60000; "
	  /* port 4 is the first port of R-box 1 */
	  "count 0 0xe10 0xe11 1 0; write 0 0xe04 1; count 0 0xe10 0xe11 1 100000; write 0 0xe2c 0xf900; "
	  "count 0 0xe30 0xe31 7 260000; count 0 0xe30 0xe31 5 0" },
	{ "an l3 event without thread mask counts nothing", "zen-1s,clock=stepped,start=0",
	  "count 0 0xc0010230 0xc0010231 0x400104 0; count 0 0xc0010230 0xc0010231 0x300c00000400104 1200000; "
	  "count 0 0xc0010230 0xc0010231 0x300c00000000104 0; "
	  "use naples-1s,clock=stepped,start=0; "
	  "count 0 0xc0010230 0xc0010231 0xff00000000400104 0; "
	  "count 0 0xc0010230 0xc0010231 0xff0f000000400104 1200000" },
	{ "each l3 has counters of its own and the fabric one set", "zen-1s,clock=stepped,start=0",
	  "write 0 0xc001023a 216383888350576388; read 11 0xc001023a 216383888350576388; read 4 0xc001023a 0; "
	  "count 15 0xc0010230 0xc0010231 216383888350576388 18000000; fails 0 0xc001023c EIO; "
	  "write 0 0xc0010240 0x403807; read 7 0xc0010240 0x403807; "
	  "count 7 0xc0010240 0xc0010241 0x100403887 300000; count 7 0xc0010240 0xc0010241 0x403887 0; "
	  "fails 0 0xc0010248 EIO" },
	{ "perfmon 2 reports the number of counters", "genoa-1s,clock=stepped,start=0",
	  "write 0 0xc001025e 0x740fe1f; pass 1; read 0 0xc001025f 8000000; fails 0 0xc0010260 EIO; "
	  /* the machine has only two memory channels */
	  "count 0 0xc0010808 0xc0010809 0x8000010a 6000000; fails 0 0xc0010810 EIO; "
	  "write 0 0xc0010801 0xfffffffffff6; write 0 0xc0010800 0x8000000a; pass 1; "
	  "read 0 0xc0010801 0x1ffffffffffff" }, /* the counter is full and stopped, with bit 48 set */
	{ "a core counts architectural events in the requested modes", "westmere-2s,clock=stepped",
	  "write 3 0x186 0x43003c; write 3 0x187 0x40003c; write 3 0x188 0x42003c; write 3 0x189 0x41003c; pass 1; "
	  /* CPU 15 is the second thread of the core and has its own counter */
	  "read 3 0xc1 2000000000; read 3 0xc2 0; read 3 0xc3 500000000; read 3 0xc4 1500000000; read 15 0xc1 0; "
	  "fails 3 0xc5 EIO" },
	{ "a core counter needs its global bit", "westmere-2s,clock=stepped",
	  "write 0 0x38f 0; write 0 0x186 0x4300c0; write 0 0x38d 0x333; pass 1; read 0 0xc1 0; read 0 0x309 0; "
	  "write 0 0x38f 0x700000001; pass 1; read 0 0xc1 1500000000; read 0 0x309 1500000000; "
	  "read 0 0x30a 2000000000; read 0 0x30b 2933333333; read 5 0x38f 0xf" },
	{ "writes of core counters take 32 bits and extend the sign", "haswell-ep-2s,clock=stepped",
	  "write 0 0xc1 0x123456787fffffff; read 0 0xc1 0x7fffffff; "
	  "write 0 0xc1 0x80000000; read 0 0xc1 0xffff80000000; "
	  "write 0 0x4c1 0x123480000000; " /* 0x4c1 is the full-width alias of counter 0 */
	  "read 0 0xc1 0x123480000000; refuses 0 0x4c1 0x1000000000000 EIO; refuses 0 0x309 0x1000000000000 EIO; "
	  "field 0 0x345 13 1 1; "
	  "use westmere-2s,clock=stepped; "
	  "field 0 0x345 13 1 0; fails 0 0x4c1 EIO" },
	{ "a core counter that wraps sets its status bit", "skylake-sp-2s,clock=stepped",
	  "write 0 0x4c2 0xffffffffffff; write 0 0x187 0x43003c; pass 1; read 0 0xc2 1999999999; read 0 0x38e 2; "
	  "refuses 0 0x38e 0 EIO; "
	  "write 0 0x390 2; read 0 0x38e 0" },
	{ "register 391 of skylake sp belongs to the core", "skylake-sp-2s,clock=stepped",
	  "write 0 0x391 0x10000000f; " /* on Nehalem this value enables four uncore counters and the clock */
	  "read 0 0x391 0; read 0 0x38e 0x10000000f; read 1 0x38e 0; refuses 0 0x391 0x1000000000000 EIO; "
	  "refuses 0 0x391 0x8000000000000000 EIO; refuses 0 0x392 0 EIO; fails 0 0x394 EIO; "
	  /* bit 59 of 0x38e is set, and the core counters freeze */
	  "write 0 0x390 0x10000000f; write 0 0x186 0x43003c; write 0 0x391 0x800000000000000; "
	  "pass 1; read 0 0xc1 0; "
	  "write 0 0x390 0x800000000000000; pass 1; read 0 0xc1 2000000000" },
	{ "the in use register depends on the event field not the enable bit", "icelake-sp-2s,clock=stepped",
	  "read 0 0x392 0; "
	  "write 0 0x186 0x400000; write 0 0x18d 0x3c; write 0 0x38d 0x3000; read 0 0x392 0x800000080; "
	  /* Ice Lake has no AnyThread */
	  "write 0 0x187 0x100000; read 0 0x392 0x8000000800000080; refuses 0 0x186 0x200000 EIO" },
	{ "rates replace the workload of a box",
	  HSX ",rate=cbo:0x35:0x08=1000,rate=cbo:0x2a:0x01=7,rate=core:0xc0:0=42",
	  "count 0 0xe11 0xe18 0x400835 2000; count 0 0xe01 0xe08 0x40012a 7; count 5 0x186 0xc1 0x4300c0 42" },
	{ "a box register can be in use from the start", HSX ",set=0xe01 0x400835 cpu=0,set=0x710 0x10100",
	  "pass 1; read 0 0xe08 900000; read 6 0xe08 0; read 6 0x710 0x10100" },
	{ "a counter starts with no more bits than it has", "westmere-2s,set=0x3b0 0xffffffffffffffff",
	  "read 0 0x3b0 0xffffffffffff" },
	{ "another program can write a box register", HSX ",foreign=0xe01 0x400835 at=1 package=1",
	  "pass 3; read 6 0xe08 1800000; read 0 0xe01 0" },
	{ "the number of units can be described", "skylake-sp-2s,units=cha 28 package=1,absent=iio 2 package=0",
	  "read 0 0x702 10; read 4 0x702 28; fails 4 0xfb0 0; fails 0 0xfb0 EIO; fails 0 0xa80 EIO; fails 4 0xa80 0" },
};

TEST_STORIES(simulated_boxes_behave_as_the_manuals_say, play, stories)

/* ---- servers up to Ice Lake-SP ---- */

TEST(a_fused_off_box_faults)
{
	use(HSX);
	play_steps(&sim_steps, __func__, "fails 0 0x73e 0; fails 0 0xe40 0; "
		   "fails 6 0xe50 0"); /* package 1 lacks S-box 3 and C-box 4 */
	for (uint32_t msr = 0x73e; msr < 0x748; msr++)
		ck_assert_int_eq(rd_err(sim, 6, msr), -EIO);
	for (uint32_t msr = 0xe40; msr < 0xe4c; msr++)
		ck_assert_int_eq(uncoremsr_sim_wrmsr(sim, 23, msr, 0), -EIO);
}

TEST(sandy_bridge_ep_freezes_only_with_frz_en_and_both_bits_read_as_0)
{
	use_one("sandybridge-ep", "event = cbo:0x11:0x01 rate=1000");
	play_steps(&sim_steps, __func__, "write 0 0xd10 0x400111; write 0 0xd04 0x100; pass 1; read 0 0xd16 1000; "
		"write 0 0xd04 0x10100; read 0 0xd04 0; pass 1; read 0 0xd16 1000; takes 0 0xd16 0xfffffffffff");
}

TEST(broadwells_sbox_forgets_an_event_that_is_written_once)
{
	use_one("broadwell-ep", "event = sbox:0x02:0x01 rate=1000");
	play_steps(&sim_steps, __func__, "write 0 0x721 0x400102; read 0 0x721 0x400000; pass 1; read 0 0x726 0; "
		"write 0 0x721 0x400102; pass 1; read 0 0x726 1000; "
		/* after a write of 0, two writes are needed again */
		"write 0 0x721 0; write 0 0x721 0x400000; write 0 0x721 0x400102; read 0 0x721 0x400102");
}

static void stops_everything(const char *machine, uint64_t freeze, uint64_t unfreeze)
{
	uint64_t before;

	use(machine);
	wr(sim, 0, 0x703, EN);
	wr(sim, 0, 0x700, freeze);
	before = rd(sim, 0, 0x704);
	play_steps(&sim_steps, __func__, "read 0 0x700 0; pass 1; "
		   "write 0 0x700 0; pass 1"); /* a write of 0 to a box control does not unfreeze the box */
	ck_assert_uint_eq(rd(sim, 0, 0x704), before);
	wr(sim, 0, 0x700, unfreeze);
	advance(sim, SECOND);
	ck_assert_uint_gt(rd(sim, 0, 0x704), before);
}

TEST(the_global_stop_bits_of_servers_differ)
{
	stops_everything(HSX, BIT(31), BIT(29));
	ck_assert_int_eq(uncoremsr_sim_wrmsr(sim, 0, 0x700, BIT(63)), -EIO);
	stops_everything("skylake-sp-2s,clock=stepped,start=0", BIT(63), BIT(61));
	stops_everything("icelake-sp-2s,clock=stepped,start=0", BIT(63), BIT(61));
}

/* ---- descriptions ---- */

TEST(counters_of_boxes_begin_with_garbage_of_their_width)
{
	struct uncoremsr_sim *a = sim_or_fail("sandybridge-1s");
	struct uncoremsr_sim *b = sim_or_fail("sandybridge-1s,seed=2");
	uint64_t v = rd(a, 0, 0x706);

	ck_assert_uint_ne(v, 0);
	ck_assert_uint_ne(v, rd(a, 0, 0x707));
	ck_assert_uint_ne(v, rd(b, 0, 0x706));
	ck_assert_uint_lt(v | rd(a, 0, 0x707) | rd(b, 0, 0x706), BIT(44));
	uncoremsr_sim_free(a);
	uncoremsr_sim_free(b);
}

static int reads_back(void *user, const struct um_reg_place *at)
{
	uint64_t v;
	int err = uncoremsr_sim_rdmsr(sim, 0, um_place_msr(at), &v);
	bool there = at->unit == 0 && at->reg->access != UM_REG_WO;

	(void)user;
	/* The number of memory channels and fabric counters is in CPUID leaves that the simulated machines lack. */
	if (at->pmu && (at->pmu->counters_from == UM_COUNTERS_AMD_DF || at->pmu->units.from == UM_UNITS_AMD_UMC))
		return 0;
	ck_assert_msg(err == 0 || (!there && err == -EIO), "%s (0x%x): %d", at->reg->name, um_place_msr(at), err);
	return 0;
}

TEST(every_table_of_boxes_can_be_simulated_and_all_its_registers_read)
{
	unsigned n = 0;

	for (size_t i = 0; i < um_num_models; i++) {
		const struct um_uarch *u = um_models[i].uarch;

		if (!u || !strcmp(u->pmus[0].name, "uncore"))
			continue;
		use_one(u->name, "");
		um_regs_each(u, reads_back, NULL);
		n++;
	}
	ck_assert_uint_gt(n, 50);
}

SUITE(sim_boxes)
