/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What one address means on different processors, including processors without a table. These texts warn people who
 * want to try a register "because it reads without an error": a successful read proves nothing, because the address may
 * be another register, and a write would change it. (uncore-info --collisions finds such addresses in the tables,
 * register by register.)
 *
 * Facts: Linux arch/x86/events/intel/uncore*.c, likwid src/includes/registers.h, edk2 Register/Intel/Msr, CoreFreq,
 * Intel's uncore performance monitoring guides, SDM volume 4.
 */
#include "common/error.h"
#include "uarch/uarch.h"

#define NHM "Nehalem, Westmere (models 1A 1E 1F 25 2C)"
#define EX "Nehalem-EX, Westmere-EX"
#define SNB "Sandy Bridge to Broadwell client"
#define SKL "Skylake to Comet Lake client"
#define ICL "Ice Lake to Rocket Lake client"
#define ADL "Alder Lake client and later"
#define V4 "everything with core PMU version 4 or later (Skylake, Goldmont and later)"
#define SNBEP "Sandy Bridge-EP, Ivy Bridge-EP"
#define HSWEP "Haswell-EP, Broadwell-EP"
#define RDT "servers with resource control (Haswell-EP and later)"

#define CLIENT "Linux uncore_snb.c; likwid; edk2; CoreFreq"
#define SERVER "Linux uncore_snbep.c; Intel uncore guides; likwid"
#define BOXES "Linux uncore_nhmex.c; likwid; Intel Xeon 7500 uncore guide"
#define ARCH "Intel SDM volume 4; likwid; edk2"
#define NEW "Linux uncore_snbep.c, uncore_discovery.c; Intel pcm"

#define SIZE sizeof(struct uncoremsr_collision)

const struct uncoremsr_collision um_collisions[] = {
	{ SIZE, 0x301, 0x301, NHM, "qualifier of snoop event 0x0c (Westmere)", "edk2; FreeBSD" },
	{ SIZE, 0x301, 0x301, "Pentium 4", "a counter of the branch prediction unit", ARCH },
	{ SIZE, 0x390, 0x390, "every processor here",
	  "core PMU: clears overflow bits; nothing to do with the uncore", ARCH },
	{ SIZE, 0x391, 0x391, NHM, "uncore enable bits 0 to 7 and 32", CLIENT },
	{ SIZE, 0x391, 0x391, SNB, "uncore: bit 29 enables, 0 to 4 choose cores for the interrupt, 31 "
	  "stops at overflow; the Nehalem bits would enable nothing", CLIENT },
	{ SIZE, 0x391, 0x391, V4, "IA32_PERF_GLOBAL_STATUS_SET of the core PMU: a written 1 marks a core "
	  "counter as overflowed and so misleads profilers", ARCH },
	{ SIZE, 0x391, 0x393, EX, "absent", BOXES },
	{ SIZE, 0x392, 0x392, NHM, "uncore overflow status, read only", CLIENT },
	{ SIZE, 0x392, 0x392, SNB, "uncore status: 0 clock, 1 ARB, 3 CBo", CLIENT },
	{ SIZE, 0x392, 0x392, V4, "IA32_PERF_GLOBAL_INUSE of the core PMU, read only", ARCH },
	{ SIZE, 0x393, 0x393, NHM, "clears uncore overflow bits, write only", CLIENT },
	{ SIZE, 0x393, 0x393, SNB, "clears uncore overflow bits", "likwid; CoreFreq" },
	{ SIZE, 0x394, 0x394, NHM, "fixed counter: uncore clock ticks", CLIENT },
	{ SIZE, 0x394, 0x394, EX, "W-box fixed counter", BOXES },
	{ SIZE, 0x394, 0x394, "Sandy Bridge to Rocket Lake client",
	  "control of the fixed counter (bit 22 enables), not the counter", CLIENT },
	{ SIZE, 0x394, 0x395, ADL, "not used: the clock moved to 0x2fde, 0x2402 and elsewhere", CLIENT },
	{ SIZE, 0x395, 0x395, NHM, "control of the fixed counter (bit 0 enables)", CLIENT },
	{ SIZE, 0x395, 0x395, EX, "control of the W-box fixed counter", BOXES },
	{ SIZE, 0x395, 0x395, "Sandy Bridge to Rocket Lake client",
	  "the fixed counter, not its control: writing 1 overwrites the count", CLIENT },
	{ SIZE, 0x396, 0x396, NHM, "address and opcode that event 0x35 compares with", CLIENT },
	{ SIZE, 0x396, 0x396, "Sandy Bridge client and later", "number of CBo boxes, read only", CLIENT },
	{ SIZE, 0x396, 0x396, EX, "absent", BOXES },
	{ SIZE, 0x3b0, 0x3b7, NHM, "uncore counters 0 to 7", CLIENT },
	{ SIZE, 0x3b0, 0x3b7, EX, "absent", BOXES },
	{ SIZE, 0x3b0, 0x3b1, "Sandy Bridge to Comet Lake, Tiger Lake, Rocket Lake client",
	  "ARB counters 0 and 1; on Ice Lake only 0x3b1", CLIENT },
	{ SIZE, 0x3b2, 0x3b3, "Sandy Bridge to Comet Lake, Tiger Lake, Rocket Lake client",
	  "ARB selectors 0 and 1 (on Ice Lake only 0x3b3): a program that clears Nehalem's counters 2 "
	  "and 3 would stop the ARB counters", CLIENT },
	{ SIZE, 0x3c0, 0x3c7, NHM, "uncore selectors 0 to 7", CLIENT },
	{ SIZE, 0x3c0, 0x3c7, EX, "absent", BOXES },
	{ SIZE, 0x3c0, 0x3c7, "Sandy Bridge and later", "not documented", CLIENT },
	{ SIZE, 0x3fc, 0x3fd, "Nehalem and later", "residency of a core in C3 and C6; the guides of "
	  SNBEP " count them among the power unit's counters", SERVER },

	{ SIZE, 0x620, 0x621, "Haswell-EP and later servers",
	  "limits and status of the uncore frequency, not counters: a counting program must not write them",
	  "Linux intel_uncore_frequency" },
	{ SIZE, 0x700, 0x707, "Sandy Bridge to Comet Lake client",
	  "CBo 0: selectors 0x700 and 0x701, counters 0x706 and 0x707", CLIENT },
	{ SIZE, 0x700, 0x707, ICL, "CBo 0: selectors 0x700 and 0x701, counters 0x702 and 0x703", CLIENT },
	{ SIZE, 0x700, 0x707, "Haswell-EP to Ice Lake-SP", "0x700 global control, 0x701 status, 0x702 "
	  "configuration, 0x703 and 0x704 clock, 0x705 to 0x707 U box", SERVER },
	{ SIZE, 0x708, 0x70f, ICL, "CBo 1", CLIENT },
	{ SIZE, 0x708, 0x70a, "Haswell-EP to Ice Lake-SP", "U box status and counters", SERVER },
	{ SIZE, 0x70e, 0x70f, "Ice Lake-SP", "global status", SERVER },
	{ SIZE, 0x710, 0x71f, SNB " and " SKL, "CBo 1", CLIENT },
	{ SIZE, 0x710, 0x71f, ICL, "CBo 2 and 3", CLIENT },
	{ SIZE, 0x710, 0x71a, "Haswell-EP to Ice Lake-SP", "power control unit", SERVER },
	{ SIZE, 0x710, 0x711, "Diamond Rapids (0x710), Nova Lake (0x711)",
	  "where the table of uncore units begins", NEW },
	{ SIZE, 0x720, 0x73f, SNB " and " SKL, "CBo 2 and 3", CLIENT },
	{ SIZE, 0x720, 0x73f, ICL, "CBo 4 to 7", CLIENT },
	{ SIZE, 0x720, 0x747, HSWEP, "S boxes", SERVER },
	{ SIZE, 0x740, 0x76f, SKL, "CBo 4 to 6", CLIENT },
	{ SIZE, 0x770, 0x777, "Skylake and later", "hardware-controlled performance states "
	  "(IA32_PM_ENABLE and HWP): a mistake here changes power management", ARCH },

	{ SIZE, 0xa40, 0xaff, "Skylake-SP", "IIO and IRP boxes, 0x20 apart", SERVER },
	{ SIZE, 0xa40, 0xaff, "Ice Lake-SP", "M2PCIe, IRP and IIO boxes; from 0xaa0 free-running IIO "
	  "bandwidth", SERVER },
	{ SIZE, 0xb00, 0xb5f, "Skylake-SP", "free-running IIO counters", SERVER },
	{ SIZE, 0xb00, 0xb5f, "Ice Lake-SP", "IIO 4 and 5, IRP and M2PCIe 5, free-running bandwidth",
	  SERVER },
	{ SIZE, 0xb60, 0xbcf, "Ice Lake-SP", "CHA 34 to 41", SERVER },
	{ SIZE, 0xc00, 0xc02, EX, "U box global control: bit 28 enables, 29 resets all, 31 stops all",
	  BOXES },
	{ SIZE, 0xc00, 0xc06, "Ivy Bridge-EP", "global control (bit 29 enables all, on Nehalem-EX it "
	  "resets all; 31 stops all), 0xc01 status, 0xc06 number of boxes", SERVER },
	{ SIZE, 0xc08, 0xc09, SNBEP, "uncore clock", SERVER },
	{ SIZE, 0xc10, 0xc11, EX, "U box selector and counter", BOXES },
	{ SIZE, 0xc10, 0xc17, SNBEP, "U box: selectors 0xc10 and 0xc11, counters 0xc16 and 0xc17", SERVER },
	{ SIZE, 0xc20, 0xc37, EX, "B box 0", BOXES },
	{ SIZE, 0xc24, 0xc39, SNBEP, "power control unit", SERVER },
	{ SIZE, 0xc40, 0xc77, EX, "S box 0, B box 1", BOXES },
	{ SIZE, 0xc80, 0xc97, EX, "W box", BOXES },
	{ SIZE, 0xc81, 0xc97, RDT, "resource control: QOS_CFG, QM_EVTSEL, QM_CTR, PQR_ASSOC, masks of L3 "
	  "classes from 0xc90", "intel-cmt-cat; " ARCH },
	{ SIZE, 0xca0, 0xcff, EX, "M box 0, S box 1, M box 1", BOXES },
	{ SIZE, 0xd00, 0xdff, EX, "C boxes", BOXES },
	{ SIZE, 0xd00, 0xdff, SNBEP, "CBo 0 to 7", SERVER },
	{ SIZE, 0xd10, 0xd4f, RDT, "masks of L2 classes", "intel-cmt-cat" },
	{ SIZE, 0xd50, 0xd8f, RDT, "limits of memory bandwidth", "intel-cmt-cat" },
	{ SIZE, 0xd90, 0xd90, "Skylake and later", "IA32_BNDCFGS", ARCH },
	{ SIZE, 0xda0, 0xda0, "Skylake and later", "IA32_XSS", ARCH },
	{ SIZE, 0xdb0, 0xdb2, "Skylake and later", "hardware duty cycling", ARCH },
	{ SIZE, 0xdc0, 0xddf, "Skylake and later", "details of last-branch records", ARCH },
	{ SIZE, 0xe00, 0xe9f, EX, "R boxes and, from 0xe45, match registers", BOXES },
	{ SIZE, 0xe00, 0xedf, "Ivy Bridge-EP", "CBo 8 to 14, 0x20 apart from 0xe04", SERVER },
	{ SIZE, 0xe00, 0xeff, "Haswell-EP, Broadwell-EP, Skylake-SP", "CBo or CHA 0 to 15, 0x10 apart",
	  SERVER },
	{ SIZE, 0xe00, 0xeff, "Knights Landing", "CHA, 0xc apart", SERVER },
	{ SIZE, 0xe00, 0xeff, "Ice Lake-SP", "CHA 0 to 17, 0xe apart", SERVER },
	{ SIZE, 0xe01, 0xe02, "Skylake to Rocket Lake client", "uncore global control and status",
	  CLIENT },
	{ SIZE, 0xf00, 0xfbf, "Haswell-EP, Broadwell-EP, Skylake-SP", "CBo or CHA 16 and up", SERVER },
	{ SIZE, 0xf00, 0xfc7, "Knights Landing", "CHA 22 and up", SERVER },
	{ SIZE, 0xf0a, 0xfe7, "Ice Lake-SP", "CHA 18 to 33", SERVER },
	{ SIZE, 0xf40, 0xfdf, "Westmere-EX", "C box 8 (0xf40) and 9 (0xfc0)", BOXES },
	{ SIZE, 0xf70, 0xf77, "Coffee Lake with eight cores", "CBo 7", CLIENT },

	{ SIZE, 0x1c00, 0x1f9f, "Snow Ridge", "all of its boxes", SERVER },
	{ SIZE, 0x2000, 0x2077, "Alder Lake, Raptor Lake",
	  "CBo: selector 0x2000 + 8n, counter 0x2002 + 8n", CLIENT },
	{ SIZE, 0x2000, 0x23bf, "Sapphire Rapids, Emerald Rapids", "CHA, 0x10 apart", NEW },
	{ SIZE, 0x2000, 0x28ff, "Granite Rapids and later servers", "CHA, 0x10 apart", NEW },
	{ SIZE, 0x2000, 0x205f, "Meteor Lake", "sNCU 0x2002, HAC_ARB 0x2012, HAC_CBO 0x2042", CLIENT },
	{ SIZE, 0x2020, 0x205f, "Panther Lake, Nova Lake", "bridge 0x2022, cNCU, santa 0x2042", CLIENT },
	{ SIZE, 0x2100, 0x21bf, "Nova Lake", "CBo from 0x2102", CLIENT },
	{ SIZE, 0x2400, 0x254e, "Meteor Lake to Panther Lake", "cNCU, ARB or santa, CBo", CLIENT },
	{ SIZE, 0x2900, 0x2aff, "Granite Rapids and later servers", "IIO, IRP", NEW },
	{ SIZE, 0x2e00, 0x3dff, "Granite Rapids, Sierra Forest, Clearwater Forest",
	  "free-running bandwidth: out from 0x2e0e, in from 0x360e", NEW },
	{ SIZE, 0x2fd0, 0x2fdb, "Alder Lake, Raptor Lake", "ARB 0 and 1", CLIENT },
	{ SIZE, 0x2fd0, 0x2fd9, "Sapphire Rapids", "U box", NEW },
	{ SIZE, 0x2fde, 0x2fdf, "Alder Lake, Raptor Lake, Sapphire Rapids", "uncore clock", CLIENT },
	{ SIZE, 0x2ff0, 0x2ff2, "Alder Lake, Raptor Lake",
	  "global enable (0x2ff0 bit 29) and status (0x2ff2)", CLIENT },
	{ SIZE, 0x2ff0, 0x2ff0, "Sapphire Rapids, Emerald Rapids", "global stop (bit 0)", NEW },
	{ SIZE, 0x2ffe, 0x2ffe, "Sapphire Rapids, Emerald Rapids", "number of CHA boxes", NEW },
	{ SIZE, 0x3000, 0x34bf, "Sapphire Rapids, Emerald Rapids", "IIO, from 0x3400 IRP", NEW },
	{ SIZE, 0x3800, 0x38bf, "Sapphire Rapids, Emerald Rapids", "free-running counters", NEW },
	{ SIZE, 0x3f50, 0x3f5f, "Grand Ridge", "U box", NEW },
	{ SIZE, 0x3fed, 0x3fed, "Granite Rapids and later servers", "number of CHA boxes", NEW },
	{ SIZE, 0x3ff0, 0x3ffe, "Granite Rapids, Sierra Forest, Clearwater Forest", "U box and its clock", NEW },
};

const size_t um_num_collisions = ARRAY_SIZE(um_collisions);
