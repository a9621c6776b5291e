/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The most wanted metrics, under the same names on every processor that has events for them. Registers of memory
 * controllers, links and I/O stacks are in PCI or memory space, where only the kernel reaches them. The formulas
 * use raw counts, never counts scaled by a .scale file.
 *
 * Sources: perfmon: the event lists and metric files of intel/perfmon; kernel: Linux
 * arch/x86/events/intel/uncore_*.c, rapl.c, msr.c; amd: Linux tools/perf/pmu-events/arch/x86/amdzen*; likwid, pcm:
 * where their formula is the same.
 *
 * Bounds: channels * 8 bytes * transfer rate of the fastest memory that the processor supports; links * 2 bytes *
 * transfer rate each way; 16 lanes for each stack; 5 % more for inexact clocks.
 */
#include "metrics/metrics.h"

#include "common/error.h"

/* Processors with the same events. */
enum {
	OLD_IMC = UM_M_JKT | UM_M_IVT | UM_M_HSX | UM_M_BDX | UM_M_SKX,
	ICX = UM_M_ICX | UM_M_SNR,
	SPR = UM_M_SPR | UM_M_EMR,
	GNR = UM_M_GNR | UM_M_SRF | UM_M_GRR,
	QPI_OLD = UM_M_JKT | UM_M_IVT,
	QPI = UM_M_HSX | UM_M_BDX,
	UPI = UM_M_SKX | UM_M_ICX | UM_M_SPR | UM_M_EMR | UM_M_GNR | UM_M_SRF,
	CBO = UM_M_JKT | UM_M_IVT | UM_M_HSX | UM_M_BDX,
	CHA_0 = UM_M_KNL | UM_M_SKX | ICX,      /* UNC_CHA_CLOCKTICKS is event 0 */
	CHA_1 = SPR | GNR,                      /* UNC_CHA_CLOCKTICKS is event 1 */
	IIO = UM_M_ICX | SPR | UM_M_GNR | UM_M_SRF,
	ZEN_DF = UM_M_ZEN | UM_M_ZEN2 | UM_M_ZEN3,
	ZEN_UMC = UM_M_ZEN4 | UM_M_ZEN5,
	AMD = ZEN_DF | ZEN_UMC,
	INTEL = UM_M_ALL & ~AMD,
	/* Nehalem and Westmere have more precise rows of their own. */
	LLC = INTEL & ~(UM_M_NHM | UM_M_WSM)
};

#define PERCENT "%", 102
#define NO_NOTE ""

#define ROW_(on, name, title, formula, unit, bound, note, sources) \
	{ on, name, title, formula, unit, bound, note, sources, UM_METRIC_PLAIN }
#define ROW(...) ROW_(__VA_ARGS__)
/* Links between packages, or between dies that each have an uncore of their own. */
#define BETWEEN(on, name, title, formula, bound, note, sources) \
	{ on, name, title, formula, "GB/s", bound, note, sources, UM_METRIC_BETWEEN_PACKAGES }

/* ---- memory: lines of 64 bytes ---- */

/* Memory metrics from events that count reads and events that count writes. */
#define MEMORY(on, reads, writes, bound, note, sources) \
	ROW(on, "memory-bandwidth", "memory traffic, reads and writes", \
	    "64 * (" reads " + " writes ") / dt / 1e9", "GB/s", bound, note, sources), \
	ROW(on, "memory-read-bandwidth", "memory reads", "64 * (" reads ") / dt / 1e9", \
	    "GB/s", bound, note, sources), \
	ROW(on, "memory-write-bandwidth", "memory writes", "64 * (" writes ") / dt / 1e9", \
	    "GB/s", bound, note, sources)

#define CAS(read, write) "{uncore_imc/event=" read "/}", "{uncore_imc/event=" write "/}"
#define MEMORY_CAS(on, read, write, bound) MEMORY_(on, CAS(read, write), bound)
#define MEMORY_(on, ...) MEMORY(on, __VA_ARGS__, NO_NOTE, \
	"perfmon memory_bandwidth_*; kernel cas_count_*; likwid MEM; pcm")

/* The sum over the channels, which the fabric counts separately. */
#define DF_CHANNEL(code) "{df/event=" code ",umask=0x38/}"
#define DF_CHANNELS \
	DF_CHANNEL("0x07") " + " DF_CHANNEL("0x47") " + " DF_CHANNEL("0x87") " + " \
	DF_CHANNEL("0xc7") " + " DF_CHANNEL("0x107") " + " DF_CHANNEL("0x147") " + " \
	DF_CHANNEL("0x187") " + " DF_CHANNEL("0x1c7")

/* ---- links and devices ---- */

/* Data sent and received, in bytes. */
#define LINKS(on, sent, received, bound, note, sources) \
	BETWEEN(on, "interconnect-bandwidth", "data sent to and received from other packages", \
		"(" sent " + " received ") / dt / 1e9", bound, note, sources), \
	BETWEEN(on, "interconnect-out-bandwidth", "data sent to other packages", \
		sent " / dt / 1e9", bound, note, sources), \
	BETWEEN(on, "interconnect-in-bandwidth", "data received from other packages", \
		"(" received ") / dt / 1e9", bound, note, sources)

#define IO(on, reads, writes, bound, note, sources) \
	ROW(on, "io-read-bandwidth", "what devices read from memory", reads " / dt / 1e9", \
	    "GB/s", bound, note, sources), \
	ROW(on, "io-write-bandwidth", "what devices wrote to memory", writes " / dt / 1e9", \
	    "GB/s", bound, note, sources)

/* Transactions of the C-boxes by opcode. Those of devices have thread 0x3e, which needs tid_en. */
#define TOR(opcode) "cbo/event=0x35,umask=0x1,filter_opc=" opcode "/"
#define TOR_OF_DEVICES(opcode) \
	"cbo/event=0x35,umask=0x1,filter_opc=" opcode ",tid_en=1,filter_tid=0x3e/"
#define IIO_PARTS(umask, mask) "{iio/event=0x83,umask=" umask ",ch_mask=" mask ",fc_mask=0x7/}"


/* AMD's data fabric has an event for each link and device. */
#define DF(code, umask) "{df/event=" code ",umask=" umask "/}"
#define ZEN_LINKS \
	DF("0x7c7", "0x02") " + " DF("0x807", "0x02") " + " DF("0x847", "0x02") " + " \
	DF("0x887", "0x02")
#define ZEN4_LINKS \
	DF("0xb5f", "0xf3e") " + " DF("0xb9f", "0xf3e") " + " DF("0xbdf", "0xf3e") " + " \
	DF("0xc1f", "0xf3e") " + " DF("0xc5f", "0xf3e") " + " DF("0xc9f", "0xf3e") " + " \
	DF("0xcdf", "0xf3e") " + " DF("0xd1f", "0xf3e")
#define SIX_LINKS(umask) \
	DF("0xd5f", umask) " + " DF("0xd9f", umask) " + " DF("0xddf", umask) " + " \
	DF("0xe1f", umask) " + " DF("0xe5f", umask) " + " DF("0xe9f", umask)
#define IO_4(umask) \
	DF("0x81f", umask) " + " DF("0x85f", umask) " + " DF("0x89f", umask) " + " \
	DF("0x8df", umask)
#define IO_8(umask) \
	DF("0x91f", umask) " + " DF("0x95f", umask) " + " DF("0x99f", umask) " + " \
	DF("0x9df", umask)

/* ---- clocks ---- */

/* The mean over all boxes of a kind. */
#define MEAN_CLOCK(on, event, sources) \
	ROW(on, "uncore-frequency", "mean clock of the uncore", \
	    "{" event "} / source_count(" event ") / dt / 1e9", "GHz", 5, \
	    "the clock stands still in package sleep states", sources)

const struct um_metric_row um_metrics[] = {
	MEMORY_CAS(UM_M_JKT, "0x04,umask=0x03", "0x04,umask=0x0c", 54),
	MEMORY_CAS(UM_M_IVT, "0x04,umask=0x03", "0x04,umask=0x0c", 63),
	MEMORY_CAS(UM_M_HSX, "0x04,umask=0x03", "0x04,umask=0x0c", 72),
	MEMORY_CAS(UM_M_BDX, "0x04,umask=0x03", "0x04,umask=0x0c", 81),
	MEMORY_CAS(UM_M_SKX, "0x04,umask=0x03", "0x04,umask=0x0c", 148),
	MEMORY_CAS(ICX, "0x04,umask=0x0f", "0x04,umask=0x30", 215),
	MEMORY_CAS(UM_M_SPR, "0x05,umask=0xcf", "0x05,umask=0xf0", 322),
	MEMORY_CAS(UM_M_EMR, "0x05,umask=0xcf", "0x05,umask=0xf0", 376),
	MEMORY(GNR, "{uncore_imc/event=0x05,umask=0xcf/} + {uncore_imc/event=0x06,umask=0xcf/}",
	       "{uncore_imc/event=0x05,umask=0xf0/} + {uncore_imc/event=0x06,umask=0xf0/}", 887,
	       "aliases of kernels before 2026 count half of it",
	       "perfmon UNC_M_CAS_COUNT_SCH0.*, SCH1.*; kernel uncore_snbep.c"),
	MEMORY(UM_M_KNL, "{uncore_imc/event=0x03,umask=0x01/}", "{uncore_imc/event=0x03,umask=0x02/}",
	       121, "DDR only, without the memory in the package",
	       "perfmon UNC_M_CAS_COUNT.RD, .WR"),
	MEMORY(UM_M_SNB, "{uncore_imc/event=0x01/}", "{uncore_imc/event=0x02/}", 54, NO_NOTE,
	       "kernel uncore_snb.c (data_reads, data_writes); likwid MEM; pcm"),
	MEMORY(UM_M_TGL, "{uncore_imc_free_running/event=0xff,umask=0x20/}",
	       "{uncore_imc_free_running/event=0xff,umask=0x30/}", 162, NO_NOTE,
	       "kernel uncore_snb.c (data_read, data_write); perfmon"),
	/*
	 * Writes are not counted by FVC_EV0.BBOX_CMDS_WRITES: it needs another value in register ZDP_CTL_FVC than the
	 * reads, and an M-box has only one such register. likwid counts DRAM_CMD.CAS_WR_OPN for writes on Nehalem-EX,
	 * which misses writes to closed pages (likwid groups/nehalemEX/MEM.txt). The B-box, in front of the M-box,
	 * counts all writes.
	 */
	MEMORY(UM_M_EX, "{FVC_EV0.BBOX_CMDS_READS}", "{IMT_INSERTS_WR}", 54,
	       "writes as the home agents get them; not verified on hardware",
	       "likwid MEM (reads); pcm (both)"),
	ROW(ZEN_DF, "memory-bandwidth", "memory traffic, reads and writes",
	    "64 * (" DF_CHANNELS ") / dt / 1e9", "GB/s", 215,
	    "approximate, according to AMD: half of the channels at a time, and only with one node per socket",
	    "amd data-fabric.json (dram_channel_data_controller_*); likwid"),
	MEMORY(ZEN_UMC, "{umc/event=0x0a,rdwrmask=1/}", "{umc/event=0x0a,rdwrmask=2/}", 645, NO_NOTE,
	       "amd memory-controller.json (umc_cas_cmd.*); likwid MEM"),

	ROW(LLC, "llc-miss-ratio", "accesses to the last-level cache that missed, of all cores",
	    "100 * {cache-misses} / {cache-references}", PERCENT,
	    "demand accesses and prefetches as the cores count them",
	    "perfmon LONGEST_LAT_CACHE.MISS, .REFERENCE; SDM (CPUID 0xA)"),
	ROW(AMD, "llc-miss-ratio", "accesses to the L3 that missed",
	    "100 * {l3/event=0x04,umask=0x01/} / {l3/event=0x04,umask=0xff/}", PERCENT, NO_NOTE,
	    "amd cache.json (l3_lookup_state.*)"),

	LINKS(QPI_OLD, "8 * {uncore_qpi/event=0x00,umask=0x02/}", "8 * {uncore_qpi/event=0x01,umask=0x02/}",
	      68, NO_NOTE, "perfmon UNC_Q_TxL_FLITS_G0.DATA, RxL_FLITS_G0.DATA; likwid QPI"),
	LINKS(QPI, "8 * {uncore_qpi/event=0x00,umask=0x02/}",
	      "8 * ({uncore_qpi/event=0x102,umask=0x08/} + {uncore_qpi/event=0x103,umask=0x04/})", 81,
	      NO_NOTE, "perfmon UNC_Q_TxL_*G0.DATA, RxL_*G1.DRS_DATA, G2.NCB_DATA; pcm"),
	LINKS(UPI, "64 / 9 * {uncore_upi/event=0x02,umask=0x0f/}",
	      "64 / 9 * {uncore_upi/event=0x03,umask=0x0f/}", 600, NO_NOTE,
	      "perfmon UNC_UPI_TxL_FLITS.ALL_DATA, RxL_*; likwid UPI; pcm"),

	IO(UM_M_HSX, "64 * {" TOR("0x19e") "}", "64 * {" TOR_OF_DEVICES("0x1c8") "}", 84,
	   "whole lines on the coherent path", "perfmon io_bandwidth_read, io_bandwidth_write; pcm"),
	/* On Broadwell the published formula also has partial writes. */
	IO(UM_M_BDX, "64 * {" TOR("0x19e") "}",
	   "64 * ({" TOR_OF_DEVICES("0x1c8") "} + {" TOR_OF_DEVICES("0x180") "})", 84,
	   "lines on the coherent path; a partial write counts as a line",
	   "perfmon io_bandwidth_read, io_bandwidth_write; pcm"),
	ROW(UM_M_ZEN, "interconnect-bandwidth", "data sent to other dies and packages",
	    "32 * (" ZEN_LINKS ") / dt / 1e9", "GB/s", 160, "what is received is not counted here",
	    "amd data-fabric.json (remote_outbound_data_controller_*)"),
	BETWEEN(UM_M_ZEN2 | UM_M_ZEN3, "interconnect-bandwidth", "data sent to other packages",
		"32 * (" ZEN_LINKS ") / dt / 1e9", 160, "what is received is not counted here",
		"amd data-fabric.json (remote_outbound_data_controller_*)"),
	BETWEEN(UM_M_ZEN4, "interconnect-bandwidth", "data sent to other packages",
		"64 * (" ZEN4_LINKS ") / dt / 1e9", 520, "what is received is not counted here",
		"amd amdzen4/data-fabric.json (outbound data of links)"),
	LINKS(UM_M_ZEN5, "64 * (" SIX_LINKS("0xf3e") ")", "64 * (" SIX_LINKS("0xf3f") ")", 1040,
	      NO_NOTE, "amd amdzen5/data-fabric.json (data of links)"),

	IO(UM_M_SKX, "4 * " IIO_PARTS("0x4", "0xf"), "4 * " IIO_PARTS("0x1", "0xf"), 99, NO_NOTE,
	   "perfmon UNC_IIO_DATA_REQ_OF_CPU.MEM_READ.*, .MEM_WRITE.*; pcm"),
	IO(IIO, "4 * " IIO_PARTS("0x4", "0xff"), "4 * " IIO_PARTS("0x1", "0xff"), 800, NO_NOTE,
	   "perfmon UNC_IIO_DATA_REQ_OF_CPU.MEM_READ.*, .MEM_WRITE.*; pcm"),
	IO(UM_M_ZEN4, "64 * (" IO_4("0x7fe") ")", "64 * (" IO_4("0x7ff") ")", 540,
	   "transfers from and to the memory of this package",
	   "amd amdzen4/data-fabric.json (io)"),
	IO(UM_M_ZEN5, "64 * (" IO_4("0x7fe") " + " IO_8("0x7fe") ")",
	   "64 * (" IO_4("0x7ff") " + " IO_8("0x7ff") ")", 540,
	   "transfers from and to the memory of this package",
	   "amd amdzen5/data-fabric.json (io)"),

	MEAN_CLOCK(CBO, "cbo/event=0x0,umask=0x0/", "perfmon UNC_C_CLOCKTICKS, uncore_frequency"),
	MEAN_CLOCK(CHA_0, "cha/event=0x0,umask=0x0/", "perfmon UNC_CHA_CLOCKTICKS, uncore_frequency"),
	MEAN_CLOCK(CHA_1, "cha/event=0x1,umask=0x0/", "perfmon UNC_CHA_CLOCKTICKS, uncore_frequency"),
	ROW(UM_M_SNB | UM_M_TGL | UM_M_LNL, "uncore-frequency", "clock of the uncore",
	    "{clock/UNC_CLOCK.SOCKET/} / source_count(clock/UNC_CLOCK.SOCKET/) / dt / 1e9", "GHz", 6,
	    "the clock stands still in package sleep states",
	    "SDM (MSR_UNC_PERF_FIXED_CTR); kernel uncore_snb.c"),

	{ UM_M_ALL, "cpu-frequency", "mean clock of the cores while they are not halted",
	  "{msr/aperf/} / {msr/mperf/} * {msr/tsc/} / source_count(msr/tsc/) / dt / 1e9", "GHz", 6.5,
	  NO_NOTE, "SDM (IA32_APERF, IA32_MPERF); kernel msr.c; pcm", UM_METRIC_CORE_CLOCK },
	ROW(UM_M_ALL, "ipc", "instructions in each clock of the cores", "{instructions} / {cycles}",
	    "instructions/cycle", 10, NO_NOTE,
	    "perfmon INST_RETIRED.ANY, CPU_CLK_UNHALTED.THREAD; SDM"),
	/* RAPL: the kernel counts 2^-32 J. */
	ROW(UM_M_ALL, "package-power", "power of the package", "{power/energy-pkg/} / 4294967296 / dt", "W",
	    2000, NO_NOTE, "kernel rapl.c; SDM (MSR_PKG_ENERGY_STATUS)"),
	ROW(INTEL, "dram-power", "power of the memory", "{power/energy-ram/} / 4294967296 / dt", "W",
	    1000, NO_NOTE, "kernel rapl.c; SDM (MSR_DRAM_ENERGY_STATUS)"),
};

const size_t um_num_metrics = ARRAY_SIZE(um_metrics);
