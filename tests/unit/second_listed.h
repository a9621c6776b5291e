/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Known differences between the tables of lib/uarch and the simulated machines, each with its reason, and code that
 * compares tables and machines; see test_second.c.
 */
#ifndef SECOND_LISTED_H
#define SECOND_LISTED_H

#include <check.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "helpers.h"
#include "sim/box.h"
#include "uarch/uarch.h"

#define FEWER \
	"Linux 44 bits, LIKWID 48: deltas of fewer bits are right in both", \
	"0x2c in the table, 0x30 in the simulator"
#define CLOCK_44(wider) \
	wider " 48 bits, LIKWID 44: deltas of fewer bits are right in both", \
	"0x2c in the table, 0x30 in the simulator"
#define PERFMON_85 \
	"0x85 on counter 0: intel/perfmon, Linux knows no such limit", \
	"0x85: 0x1, 0x3"
#define NINTH_OF(table, guides) \
	"bit 21, the ninth of the event by the guides; no list has an event that needs it", \
	table " in the table, " guides " in the simulator"
#define NINTH NINTH_OF("0xdfd6c0ff", "0xdff6c0ff")
#define OF_EP \
	"44 bits by the guide, 48 by Linux: deltas of fewer bits are right in both", \
	"0x2c in the table, 0x30 in the simulator"
#define NO_INVERT(table, guide) \
	"bit 23 inverts by the guide; Linux does not accept it on this part", \
	table " in the table, " guide " in the simulator"
#define OCCUPANCY \
	"15:8 in Intel's lists, of which only 15:14 exist: cores in a sleep state", \
	"0x1 in the table, 0x0 in the simulator" \
	"; 0x2 in the table, 0x0 in the simulator" \
	"; 0x4 in the table, 0x0 in the simulator" \
	"; 0x8 in the table, 0x0 in the simulator" \
	"; 0x10 in the table, 0x0 in the simulator" \
	"; 0x20 in the table, 0x0 in the simulator" \
	"; 0x40 in the table, 0x1 in the simulator" \
	"; 0x80 in the table, 0x2 in the simulator"
#define STRICTER \
	"the stricter of Linux (01, 09, 38, 3b) and intel/perfmon (09 on two)", \
	"0x1: 0x1, 0xf; 0x9: 0x1, 0x3; 0x38: 0x3, 0xf; 0x3b: 0x1, 0xf"
#define THREADS(what) \
	"59:56 in FreeBSD's list, 57:56 in Linux and LIKWID", what
#define THREADS_BITS \
	THREADS("0x307dc000040ffff in the table, 0xf07dc000040ffff in the simulator")
#define TILE "Linux uncore_snb.c is the only source of the addresses"
#define SPR_CHA \
	"PCM is the only source of the addresses; Linux has the filter (200E) and the distance (10)"
#define PROBED "no register tells how many; those that the part has not fault"
#define SPR_IO "PCM is the only source of the addresses; Linux reads them from the firmware's table"
#define FREE "Linux is the only source of free-running counters"

/*
 * @uarch and @pmu are lists of names ("" for registers of no PMU). The difference must exist for each combination of
 * names. If @what is "source", both descriptions, or parts of them, have the same source. @exactly is the value in the
 * table, then the value in the simulator; any other difference fails the test.
 */
static const struct difference {
	const char *uarch, *pmu, *what, *why, *exactly;
} listed[] = {
	{ "haswell-ep", "ubox; sbox", "width", FEWER },
	{ "sandybridge-ep; ivybridge-ep", "ubox", "fixed width", OF_EP },
	{ "sandybridge; ivybridge; haswell; broadwell", "clock", "fixed width", CLOCK_44("edk2 and Linux") },
	{ "icelake; tigerlake; rocketlake", "clock", "fixed width", CLOCK_44("Linux") },
	{ "alderlake; raptorlake", "clock", "fixed width", CLOCK_44("CoreFreq and Linux") },
	{ "sandybridge; ivybridge; haswell; broadwell; skylake; kabylake; cometlake; tigerlake; rocketlake; "
	  "alderlake; raptorlake; meteorlake; arrowlake; lunarlake", "arb", "counters of an event", PERFMON_85 },
	{ "sandybridge-ep", "cbo", "counters of an event", "3c is an event of Ivy Bridge-EP", "0x3c: 0xf, 0x3" },
	{ "haswell-ep", "cbo", "counters of an event", STRICTER },
	{ "ivybridge-ep", "cbo", "selector bits", NO_INVERT("0xff5effff", "0xffdeffff") },
	{ "ivybridge-ep", "cbo; ubox; pcu", "inversion", NO_INVERT("0x0", "0x800000") },
	{ "ivybridge-ep", "ubox", "selector bits", NO_INVERT("0x1f56ffff", "0x1fd6ffff") },
	{ "ivybridge-ep", "pcu", "selector bits", NO_INVERT("0xdf76c0ff", "0xdff6c0ff") },
	{ "haswell-ep; broadwell-ep; broadwell-de; skylake-sp; icelake-sp; icelake-d", "pcu", "selector bits", NINTH },
	{ "knightslanding; knightsmill", "pcu", "selector bits", NINTH_OF("0xffdec0ff", "0xfffec0ff") },
	{ "knightslanding; knightsmill", "cha", "counters of an event",
	  "1f on counter 0: Linux, not intel/perfmon", "0x1f: 0x1, 0xf" },
	{ "skylake-sp; icelake-sp; icelake-d", "pcu", "unit mask", OCCUPANCY },
	{ "zen3; zen4; zen5", "l3", "selector bits", THREADS_BITS },
	{ "zen3; zen4; zen5", "l3", "choice", THREADS("0xc00000000000000") },
	{ "alderlake; raptorlake; lunarlake", "cbo; arb", "source", TILE, "Linux in both" },
	{ "meteorlake; arrowlake", "cbo; arb; hac_arb; hac_cbo; cncu; sncu", "source", TILE, "Linux in both" },
	{ "pantherlake; wildcatlake", "cbo; santa; ia_core_bridge; cncu", "source", TILE, "Linux in both" },
	{ "novalake", "cbo; santa; cncu", "source", TILE, "Linux in both" },
	{ "skylake; kabylake; cometlake", "cbo", "source",
	  "Linux is the only source of the eighth box", "a part from Linux" },
	{ "icelake-sp; icelake-d", "cha", "source",
	  "PCM is the only source of C40 and C41; Linux and LIKWID end at C39", "a part from Intel PCM" },
	{ "sapphirerapids; emeraldrapids; graniterapids; sierraforest; clearwaterforest; grandridge",
	  "cha", "source", SPR_CHA, "Intel PCM in both" },
	{ "sapphirerapids; emeraldrapids; graniterapids; sierraforest; clearwaterforest; grandridge",
	  "iio; irp; ubox", "source", SPR_IO, "Intel PCM in both" },
	{ "sapphirerapids; emeraldrapids; graniterapids; sierraforest; clearwaterforest; snowridge", "iio_free_running",
	  "source", FREE, "Linux in both" },
	{ "snowridge", "m2pcie; ubox; pcu", "source", "PCM does not have them", "Linux in both" },
	{ "jaguar", "l2", "source", "Linux is the only source", "Linux in both" },

	{ "alderlake; raptorlake; lunarlake", "cbo; arb", "source of the selector", TILE, "Linux in both" },
	{ "meteorlake; arrowlake", "cbo; arb; hac_arb; hac_cbo", "source of the selector", TILE, "Linux in both" },
	{ "pantherlake; wildcatlake", "cbo; santa; ia_core_bridge", "source of the selector", TILE, "Linux in both" },
	{ "novalake", "cbo; santa", "source of the selector", TILE, "Linux in both" },
	{ "nehalem-ex; westmere-ex", "ubox", "source of the selector",
	  "LIKWID gives it no event; those bits are from Linux alone", "a part from Linux" },
	{ "ivybridge-ep", "cbo; ubox; pcu", "source of the selector",
	  "the guide's bits in the simulator; the table has what Linux takes, see inversion",
	  "Intel Xeon in both" },
	{ "knightslanding; knightsmill", "cha", "source of the selector",
	  "LIKWID has no queue occupancy reset (16)", "a part from Linux" },
	{ "knightslanding; knightsmill", "pcu", "source of the selector",
	  "LIKWID gives the threshold five bits, Linux six", "a part from Linux" },
	{ "snowridge", "ubox; pcu", "source of the selector", "PCM does not have them", "Linux in both" },
	{ "jaguar", "l2", "source of the selector", "Linux is the only source", "Linux in both" },
	{ "zen4; zen5", "df", "selector bits", "37:32 in Linux, 38:32 in FreeBSD and LIKWID",
	  "0x3f0f40ffff in the table, 0x7f0f40ffff in the simulator" },

	{ "nehalem-ex; westmere-ex", "", "source of the global control",
	  "PMI routing and FRZ_ALL are from Linux alone", "a part from Linux" },
	{ "snowridge", "pcu", "source of the filter", "PCM does not have it", "Linux in both" },
	{ "haswell-ep; broadwell-ep", "sbox", "how many", PROBED, "those that answer, 4" },
	{ "snowridge", "cha", "how many", PROBED, "those that answer, 6" },
	{ "sapphirerapids; emeraldrapids", "iio; irp; iio_free_running", "how many", PROBED,
	  "those that answer, 12" },
	{ "graniterapids; sierraforest; clearwaterforest", "iio; irp; iio_free_running", "how many",
	  PROBED, "those that answer, 16" },
	{ "grandridge", "iio; irp", "how many", PROBED, "those that answer, 3" },
	{ "nehalem; westmere", "", "source of 0x396",
	  "its fields are the SDM's alone: FreeBSD has the address, LIKWID packs them otherwise",
	  "a part from Intel SDM" },
	{ "westmere", "", "source of 0x301",
	  "its upper four bits are edk2's alone: FreeBSD uses the lower ones",
	  "a part from edk2" },
	{ "icelake", "", "source of the global control", "Linux writes none", "likwid in both" },
	{ "meteorlake; arrowlake; lunarlake; pantherlake; wildcatlake; novalake", "",
	  "source of the global control", TILE, "Linux in both" },
	{ "knightslanding; knightsmill", "", "source of the global control",
	  "LIKWID is the only source of its bits", "likwid in both" },
	{ "sapphirerapids; emeraldrapids", "", "source of the global control",
	  "Linux and LIKWID read the address from the firmware's table", "Intel PCM in both" },
	{ "nehalem-ex; westmere-ex", "", "source of 0xc01", "one source; bits not verified", "Intel Xeon in both" },
	{ "nehalem-ex; westmere-ex", "", "source of 0xc02", "one source; bits not verified", "Intel Xeon in both" },
	{ "icelake; tigerlake; rocketlake; alderlake; raptorlake; meteorlake; arrowlake", "",
	  "source of 0x396", "the number of boxes: from Ice Lake on Linux alone", "Linux in both" },
	{ "icelake; tigerlake; rocketlake", "", "source of 0xe02",
	  "LIKWID alone; not verified on Tiger Lake", "likwid in both" },
	{ "alderlake; raptorlake", "", "source of 0x2ff2", "CoreFreq alone", "CoreFreq in both" },
	{ "meteorlake; arrowlake", "", "source of 0x200e", TILE, "Linux in both" },
	{ "pantherlake; wildcatlake", "", "source of 0x254e", TILE, "Linux in both" },
	{ "knightslanding; knightsmill; skylake-sp", "", "source of 0x701", "LIKWID alone", "likwid in both" },
	{ "icelake-sp; icelake-d", "", "source of 0x70e", "LIKWID alone", "likwid in both" },
	{ "icelake-sp; icelake-d", "", "source of 0x70f", "LIKWID alone", "likwid in both" },
	{ "graniterapids; sierraforest; clearwaterforest; grandridge", "", "source of 0x3fed",
	  "PCM alone", "Intel PCM in both" },
};

enum { MOST = 256, TEXT = 160 };
static char found[MOST][TEXT];
static unsigned num_found;
/* For each row of @listed, a bit for each combination of processor and PMU for which the difference was found. */
static uint64_t used[ARRAY_SIZE(listed)];

static const struct um_uarch *uarch;
static const struct um_pmu *pmu;

static unsigned names_in(const char *list)
{
	unsigned n = 1;

	for (const char *p = strchr(list, ';'); p; p = strchr(p + 1, ';'))
		n++;
	return n;
}

/* Index of @text in @list, whose items are separated by "; ", or -1. */
static int place_in(const char *list, const char *text)
{
	size_t len = strlen(text);

	for (int n = 0; list; n++) {
		const char *next = strstr(list, "; ");

		if (!strncmp(list, text, len) && list + len == (next ? next : list + strlen(list)))
			return n;
		list = next ? next + 2 : NULL;
	}
	return -1;
}

static uint64_t all_of(const struct difference *d)
{
	return UINT64_MAX >> (64 - names_in(d->uarch) * names_in(d->pmu));
}

static void differ(const char *what, const char *fmt, ...)
{
	const char *label = pmu ? pmu->name : "";
	char text[TEXT / 2];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	for (size_t i = 0; i < ARRAY_SIZE(listed); i++) {
		const struct difference *d = &listed[i];
		int u = place_in(d->uarch, uarch->name), p = place_in(d->pmu, label);

		if (u >= 0 && p >= 0 && !strcmp(d->what, what) && place_in(d->exactly, text) >= 0) {
			used[i] |= 1ull << ((unsigned)u * names_in(d->pmu) + (unsigned)p);
			return;
		}
	}
	if (num_found < MOST)
		snprintf(found[num_found++], TEXT, "%s %s, %s: %s", uarch->name, label, what, text);
}

static void same(const char *what, uint64_t table, uint64_t second)
{
	if (table != second)
		differ(what, "0x%llx in the table, 0x%llx in the simulator",
		       (unsigned long long)table, (unsigned long long)second);
}

/* ---- sources ---- */

static const struct {
	const char *begins;
	enum um_sim_from who;
} sources[] = {
	{ "Linux", UM_SIM_FROM_LINUX }, { "likwid", UM_SIM_FROM_LIKWID },
	{ "LIKWID", UM_SIM_FROM_LIKWID }, { "Intel PCM", UM_SIM_FROM_PCM },
	{ "edk2", UM_SIM_FROM_EDK2 }, { "Intel Xeon", UM_SIM_FROM_GUIDE },
	{ "Intel SDM", UM_SIM_FROM_SDM }, { "CoreFreq", UM_SIM_FROM_COREFREQ },
	{ "FreeBSD", UM_SIM_FROM_FREEBSD }, { "libpfm4", UM_SIM_FROM_LIBPFM4 },
};

/* The source with which @text begins; @text lists the sources of a table, and the values are from the first source. */
static enum um_sim_from first_of(const char *text)
{
	for (size_t i = 0; text && i < ARRAY_SIZE(sources); i++)
		if (!strncmp(text, sources[i].begins, strlen(sources[i].begins)))
			return sources[i].who;
	return UM_SIM_FROM_NOBODY;
}

static const char *name_of(enum um_sim_from who)
{
	for (size_t i = 0; i < ARRAY_SIZE(sources); i++)
		if (sources[i].who == who)
			return sources[i].begins;
	return "nobody";
}

/* The two descriptions must have different sources; otherwise both would have the errors of the source. */
static void two_sources(const char *what, const char *table, enum um_sim_from from, enum um_sim_from also)
{
	enum um_sim_from first = first_of(table);

	if (!first || !from)
		differ(what, "%s in the table, %s in the simulator", name_of(first), name_of(from));
	else if (first == from)
		differ(what, "%s in both", name_of(from));
	if (also)
		differ(what, "a part from %s", name_of(also));
}

/* expect_listed(): the differences that were found must be exactly the differences in the list. */
static void expect_listed(void)
{
	for (unsigned i = 0; i < num_found; i++)
		fprintf(stderr, "not listed: %s\n", found[i]);
	for (size_t i = 0; i < ARRAY_SIZE(listed); i++)
		if (used[i] != all_of(&listed[i]))
			fprintf(stderr, "no difference any more: %s %s, %s\n", listed[i].uarch,
				listed[i].pmu, listed[i].what);
	for (size_t i = 0; i < ARRAY_SIZE(listed); i++)
		ck_assert_msg(used[i] == all_of(&listed[i]), "%s %s, %s: no difference any more", listed[i].uarch,
			      listed[i].pmu, listed[i].what);
	ck_assert_msg(num_found == 0, "%u differences, the first: %s", num_found, found[0]);
}

#endif
