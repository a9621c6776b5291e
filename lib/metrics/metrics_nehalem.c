/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Nehalem and Westmere. Meaning of the events: Intel SDM volume 3 (2016), tables 19-18 and 19-20. likwid (groups
 * MEM, L3CACHE) and Intel pcm are named where their formula is the same.
 *
 * Bounds, which tell a wrong value from a surprising one:
 *   memory   three channels of DDR3-1333 move 3 * 10.67 GB/s; a quarter more for DDR3-1600
 *   QPI      6.4 GT/s of 2 bytes in each direction of a link; a quarter more
 *   clock    the register tables allow 4 GHz at most; it may stop in package sleep states
 *   latency  in clocks: thousands of clocks are no latency any more
 */
#include "metrics/metrics.h"

#include "common/error.h"

enum { NHM = UM_M_NHM, WSM = UM_M_WSM, BOTH = NHM | WSM };

#define SHARE "%", 102
#define MEMORY "GB/s", 40
#define CHANNEL "GB/s", 13.4
#define LINK "GB/s", 16
#define TWO_LINKS "GB/s", 32
#define CLOCKS "clocks", 20000

#define MEANING "SDM (meaning of the events)"
#define READS \
	"UNC_QMC_NORMAL_READS.ANY + UNC_QMC_HIGH_PRIORITY_READS.ANY + " \
	"UNC_QMC_CRITICAL_PRIORITY_READS.ANY"
#define WRITES "UNC_QMC_WRITES.FULL.ANY + UNC_QMC_WRITES.PARTIAL.ANY"
#define CAS "({0x63:0x15} + {0x64:0x15})"
#define CLK "UNC_CLK_UNHALTED"
#define OCCUPANCY "(UNC_QMC_OCCUPANCY.CH0 + UNC_QMC_OCCUPANCY.CH1 + UNC_QMC_OCCUPANCY.CH2)"
#define QHL "UNC_QHL_REQUESTS."
#define REMOTE "(" QHL "REMOTE_READS + " QHL "REMOTE_WRITES)"
#define REQUESTS \
	"(" QHL "REMOTE_READS + " QHL "REMOTE_WRITES + " QHL "LOCAL_READS + " \
	QHL "LOCAL_WRITES + " QHL "IOH_READS + " QHL "IOH_WRITES)"

#define PARTIAL_NOTE "the bus cost of a partial write is not documented; it counts as a whole line"
#define AUTO_NOTE \
	"no source says whether the read and write commands include those with " \
	"auto-precharge; with a closed-page policy the value may be wrong"
#define HOME_NOTE "requests are counted at the package that owns the memory, not at the one that sends them"
#define CORES_NOTE \
	"unit masks exist for cores 0 to 3 only, and no source says which CPUs these are"

/* SHARE and the like expand to unit and bound, so ROW() expands its arguments first. */
#define ROW_(on, name, title, formula, unit, bound, note, sources) \
	{ on, name, title, formula, unit, bound, note, sources, UM_METRIC_PLAIN }
#define ROW(...) ROW_(__VA_ARGS__)

#define PER_CHANNEL(n) \
	ROW(BOTH, "memory-bandwidth-ch" #n, "memory traffic of channel " #n, \
	    "64 * (UNC_QMC_NORMAL_READS.CH" #n " + UNC_QMC_WRITES.FULL.CH" #n ") / dt / 1e9", CHANNEL, \
	    "ordinary reads and whole-line writes only", MEANING)

#define PER_LINK(n) \
	ROW(BOTH, "qpi-out-busy-link" #n, \
	    "time in which the buffer for outgoing headers of QPI link " #n " was in use", \
	    "100 * UNC_QPI_TX_HEADER.BUSY.LINK_" #n " / " CLK, SHARE, \
	    "no event counts flits; this is the closest measure of utilisation", MEANING)

#define PER_CORE(n) \
	ROW(WSM, "throttled-temp-core" #n, "time in which core " #n " was slowed by its own heat", \
	    "100 * UNC_THERMAL_THROTTLED_TEMP.CORE_" #n " / " CLK, SHARE, CORES_NOTE, MEANING), \
	ROW(WSM, "throttled-prochot-core" #n, \
	    "time in which core " #n " was slowed because the platform asserted PROCHOT", \
	    "100 * UNC_THERMAL_THROTTLING_PROCHOT.CORE_" #n " / " CLK, SHARE, CORES_NOTE, MEANING), \
	ROW(WSM, "hot-core" #n, "time in which core " #n " was above its throttling temperature", \
	    "100 * UNC_THERMAL_THROTTLING_TEMP.CORE_" #n " / " CLK, SHARE, CORES_NOTE, MEANING), \
	ROW(WSM, "turbo-core" #n, "time in which core " #n " ran at a turbo frequency", \
	    "100 * UNC_TURBO_MODE.CORE_" #n " / " CLK, SHARE, CORES_NOTE, MEANING)

const struct um_metric_row um_metrics_nehalem[] = {
	ROW(BOTH, "memory-bandwidth", "memory traffic of the package",
	    "64 * (" READS " + " WRITES ") / dt / 1e9", MEMORY, PARTIAL_NOTE, MEANING ", likwid, pcm"),
	ROW(BOTH, "memory-read-bandwidth", "memory reads of the package", "64 * (" READS ") / dt / 1e9",
	    MEMORY, "", MEANING ", likwid, pcm"),
	ROW(BOTH, "memory-write-bandwidth", "memory writes of the package",
	    "64 * (" WRITES ") / dt / 1e9", MEMORY, PARTIAL_NOTE, MEANING ", likwid, pcm"),
	PER_CHANNEL(0), PER_CHANNEL(1), PER_CHANNEL(2),
	ROW(NHM, "dram-read-latency", "mean time of a memory read in uncore clocks",
	    OCCUPANCY " / UNC_QMC_NORMAL_READS.ANY", CLOCKS, "", "SDM"),
	ROW(WSM, "dram-read-latency", "mean time of a memory read in uncore clocks",
	    "UNC_QMC_OCCUPANCY.ANY / UNC_QMC_NORMAL_READS.ANY", CLOCKS, "", "SDM"),
	ROW(NHM, "dram-read-time", "mean time of a memory read",
	    OCCUPANCY " / UNC_QMC_NORMAL_READS.ANY * dt / " CLK " * 1e9",
	    "ns", 10000, "", "SDM"),
	ROW(WSM, "dram-read-time", "mean time of a memory read",
	    "UNC_QMC_OCCUPANCY.ANY / UNC_QMC_NORMAL_READS.ANY * dt / " CLK " * 1e9",
	    "ns", 10000, "", "SDM"),
	ROW(BOTH, "dram-page-hit-ratio", "memory accesses that found their page open",
	    "100 * (1 - {0x60:0x7} / " CAS ")", SHARE, AUTO_NOTE, MEANING),
	ROW(BOTH, "dram-page-miss-ratio", "memory accesses that had to close another page first",
	    "100 * {0x62:0x7} / " CAS, SHARE, AUTO_NOTE, MEANING),
	ROW(BOTH, "dram-page-empty-ratio", "memory accesses that found no page open",
	    "100 * ({0x60:0x7} - {0x62:0x7}) / " CAS, SHARE, AUTO_NOTE, MEANING),

	ROW(BOTH, "l3-read-hit-ratio", "reads that the L3 answered",
	    "100 * UNC_L3_HITS.READ / (UNC_L3_HITS.READ + UNC_L3_MISS.READ)", SHARE, "", MEANING),
	ROW(BOTH, "llc-miss-ratio", "L3 accesses that missed, as likwid computes it",
	    "100 * UNC_L3_MISS.ANY / (UNC_L3_HITS.ANY + UNC_L3_MISS.ANY)", SHARE,
	    "the accesses include writebacks, which always hit, so the ratio looks better than that of reads",
	    "likwid"),
	ROW(WSM, "gq-read-latency", "mean time of a read in the global queue in uncore clocks",
	    "UNC_GQ_OCCUPANCY.READ_TRACKER / UNC_GQ_ALLOC.READ_TRACKER", CLOCKS, "", "SDM"),

	PER_LINK(0), PER_LINK(1),
	ROW(BOTH, "qpi-in-busy", "time in which the port for data from QPI was busy",
	    "100 * UNC_GQ_DATA.FROM_QPI / " CLK, SHARE, "", "SDM"),
	ROW(BOTH, "interconnect-bandwidth", "data from QPI, at least",
	    "8 * UNC_GQ_DATA.FROM_QPI / dt / 1e9", TWO_LINKS,
	    "a busy clock moves 8 to 16 bytes; 8 are assumed", "SDM"),
	ROW(BOTH, "io-bandwidth", "memory traffic of this package's I/O hub",
	    "64 * (" QHL "IOH_READS + " QHL "IOH_WRITES) / dt / 1e9", TWO_LINKS, HOME_NOTE, "pcm"),
	ROW(BOTH, "io-read-bandwidth", "what the I/O hub read from this package's memory",
	    "64 * " QHL "IOH_READS / dt / 1e9", LINK, HOME_NOTE, "pcm"),
	ROW(BOTH, "io-write-bandwidth", "what the I/O hub wrote to this package's memory",
	    "64 * " QHL "IOH_WRITES / dt / 1e9", LINK, HOME_NOTE, MEANING),
	ROW(BOTH, "remote-share", "requests to this package's memory that came from other packages",
	    "100 * " REMOTE " / " REQUESTS, SHARE, HOME_NOTE, MEANING),

	ROW(BOTH, "uncore-frequency", "clock of the uncore",
	    CLK " / source_count(" CLK ") / dt / 1e9", "GHz", 4,
	    "the clock stands still in package sleep states", "SDM, likwid"),
	ROW(WSM, "throttled-dram", "time in which memory was slowed because DIMMs were hot",
	    "100 * UNC_DRAM_THERMAL_THROTTLED / " CLK, SHARE, "", MEANING),
	PER_CORE(0), PER_CORE(1), PER_CORE(2), PER_CORE(3),
};

const size_t um_num_metrics_nehalem = ARRAY_SIZE(um_metrics_nehalem);
