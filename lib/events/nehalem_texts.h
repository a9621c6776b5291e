/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the uncore events of Nehalem and Westmere count: one entry per family of rows that differ
 * only by channel, core, link and so on. TEXT(family, unit, kind, note, description); "%s" stands
 * for the words that the end of the name means (table.c). NOTE(name, text) comes first.
 *
 * Meanings: Intel SDM volume 3 (2016), tables 19-18 and 19-20, compared with the sources that
 * table.h names.
 */
#ifndef UM_NEHALEM_TEXTS_H
#define UM_NEHALEM_TEXTS_H

#define NEHALEM_NOTES(NOTE) \
	NOTE(NONE, "") \
	NOTE(FIXED, "fixed counter only, no unit mask, no modifiers; libpfm4 and Linux call it " \
	     "event 0xff, likwid 0x00: neither may be written to a selector") \
	NOTE(NO_PROBES, "snoops (PROBE) are not in this sum") \
	NOTE(INCLUSIVE, "expected to stay at 0: this L3 holds every line that a core holds") \
	NOTE(VICTIM, "modified lines have to be written to the memory they belong to") \
	NOTE(TO_S, "the state is chosen in MSR 0x301, which all counters of a package share: one " \
	     "state at a time") \
	NOTE(TO_I, "the state is chosen in MSR 0x301, which all counters of a package share; the " \
	     "manual contradicts itself: its register table has 0x10 M, 0x20 E, 0x40 S, 0x80 F " \
	     "for this direction, its event table the values used here; untested") \
	NOTE(PCM_DIFFERS, "Intel pcm does not trust this one and computes remote reads as a " \
	     "difference; how exact it is has not been verified") \
	NOTE(PFM4_MODIFIERS, "libpfm4 allows no modifiers here; the manual does not forbid them") \
	NOTE(FILTER, "MSR 0x396 is shared by all counters of a package; bits 63:61 mean 0 off, 4 " \
	     "address, 2 opcode, 6 either, 1 both; likwid's choices for Westmere are shifted by " \
	     "one bit; likwid alone lists the event on Nehalem too (unit masks 0 and 1)") \
	NOTE(LIKWID_SUM, "likwid alone has the sum UNC_QMC_NORMAL_FULL_READ_ANY (unit mask 0x07)") \
	NOTE(NO_COUNT, "an occupancy, although its name says reads") \
	NOTE(RAS, "stays at 0 unless a RAS mode is on") \
	NOTE(OVERCOUNTS, "may be too high: clocks in which another class would have gone first " \
	     "are in it") \
	NOTE(AUTO, "no source says whether the bursts with auto-precharge are in it; adding both " \
	     "may count those twice") \
	NOTE(FOUR_CORES, "only cores 0 to 3 have a unit mask, also on parts with six; which CPU " \
	     "of the system core n is, no source says") \
	NOTE(FREEBSD_NHM, "FreeBSD's driver accepts it on Nehalem too, its manual does not list it")

#define NEHALEM_TEXTS(TEXT) \
	TEXT(CLOCK, CLOCK, CLOCK, FIXED, \
	     "ticks of the uncore clock; over time they give its frequency, and they are what " \
	     "clocks of other events are compared with") \
	\
	TEXT(GQ_FULL, GQ, CYCLES, NONE, \
	     "clocks in which the %s tracker of the global queue had no free entry and new " \
	     "requests had to wait") \
	TEXT(GQ_BUSY, GQ, CYCLES, NONE, \
	     "clocks in which the %s tracker of the global queue held at least one request") \
	TEXT(GQ_OCC, GQ, OCCUPANCY, FREEBSD_NHM, \
	     "entries in use in the %s tracker, added up every clock; divided by " \
	     "UNC_GQ_ALLOC.READ_TRACKER they give the mean time of a read in uncore clocks") \
	TEXT(ALLOC_READ, GQ, COUNT, NONE, \
	     "requests that entered the read tracker; what a mean read time is divided by") \
	TEXT(ALLOC_MISS, GQ, COUNT, NONE, \
	     "reads of whole lines in the read tracker whose line was not in the L3") \
	TEXT(ALLOC_RESP, GQ, COUNT, NONE, \
	     "requests in the read tracker that the L3 answered, whether or not it had the line") \
	TEXT(ALLOC_RT_ID, GQ, COUNT, NONE, \
	     "reads that missed the L3 and had yet to get a transaction id to go on") \
	TEXT(ALLOC_WT_ID, GQ, COUNT, NONE, \
	     "writes that missed the L3 and had yet to get a transaction id to go on") \
	TEXT(ALLOC_WRITE, GQ, COUNT, NONE, \
	     "requests in the write tracker whose line was not in the L3") \
	TEXT(ALLOC_PROBE, GQ, COUNT, NONE, \
	     "snoops from outside in the peer probe tracker whose line was not in the L3") \
	TEXT(FROM_QPI, GQ, CYCLES, NONE, \
	     "clocks in which QPI delivered data; times 8 and times 16 they bound the bytes that " \
	     "came in from other packages and I/O") \
	TEXT(FROM_QMC, GQ, CYCLES, NONE, \
	     "clocks in which the memory controller delivered data, 8 or 16 bytes each") \
	TEXT(FROM_L3, GQ, CYCLES, NONE, \
	     "clocks in which the L3 delivered data, 32 bytes each") \
	TEXT(FROM_CORES, GQ, CYCLES, NONE, \
	     "clocks in which %s delivered data, 32 bytes each") \
	TEXT(TO_QPI_QMC, GQ, CYCLES, NONE, \
	     "clocks in which data was sent to QPI or to the memory controller, 32 bytes each") \
	TEXT(TO_L3, GQ, CYCLES, NONE, \
	     "clocks in which data was sent to the L3, 32 bytes each") \
	TEXT(TO_CORES, GQ, CYCLES, NONE, \
	     "clocks in which data was sent to the cores, 32 bytes each") \
	TEXT(SNOOP_LOCAL, GQ, COUNT, NONE, \
	     "snoop answers given to the home logic of this same package that said: %s") \
	TEXT(SNOOP_REMOTE, GQ, COUNT, NONE, \
	     "snoop answers given to the home logic of another package that said: %s") \
	TEXT(SNOOP_S, GQ, COUNT, NONE, \
	     "snoops from other packages after which a line may stay here as shared at most") \
	TEXT(SNOOP_I, GQ, COUNT, NONE, \
	     "snoops from other packages after which a line may not stay here") \
	TEXT(SNOOP_S_HIT, GQ, COUNT, TO_S, \
	     "snoops from other packages that found a line %s here and leave it shared at most") \
	TEXT(SNOOP_I_HIT, GQ, COUNT, TO_I, \
	     "snoops from other packages that found a line %s here and take it away") \
	\
	TEXT(HIT_READ, L3, COUNT, NONE, \
	     "reads for code, data or ownership that the L3 could serve; with UNC_L3_MISS.READ " \
	     "they give the L3 hit ratio") \
	TEXT(HIT_WRITE, L3, COUNT, NONE, \
	     "lines written back by the cores that were in the L3") \
	TEXT(HIT_PROBE, L3, COUNT, NONE, \
	     "snoops from the I/O hub or other packages whose line was in the L3") \
	TEXT(HIT_ANY, L3, COUNT, NO_PROBES, \
	     "reads and write-backs of the cores whose line was in the L3") \
	TEXT(MISS_READ, L3, COUNT, NONE, \
	     "reads for code, data or ownership that the L3 could not serve, so that memory or " \
	     "another package had to") \
	TEXT(MISS_WRITE, L3, COUNT, INCLUSIVE, \
	     "lines written back by the cores that were not in the L3") \
	TEXT(MISS_PROBE, L3, COUNT, NONE, \
	     "snoops from the I/O hub or other packages whose line was not in the L3") \
	TEXT(MISS_ANY, L3, COUNT, NO_PROBES, \
	     "reads and write-backs of the cores whose line was not in the L3") \
	TEXT(IN, L3, COUNT, NONE, "lines that entered the L3 in state %s") \
	TEXT(IN_ANY, L3, COUNT, NONE, "lines that entered the L3, in whatever state") \
	TEXT(OUT, L3, COUNT, VICTIM, \
	     "lines of state %s that left the L3 to make room for others") \
	TEXT(OUT_ANY, L3, COUNT, VICTIM, \
	     "lines that left the L3 to make room for others, in whatever state") \
	\
	TEXT(HOME, QHL, COUNT, NONE, \
	     "%s of memory that belongs to this package; local against remote shows how well " \
	     "programs and their memory are placed") \
	TEXT(HOME_REMOTE, QHL, COUNT, PCM_DIFFERS, \
	     "%s of memory that belongs to this package; what this package fetches from others " \
	     "is counted there") \
	TEXT(QHL_FULL, QHL, CYCLES, NONE, \
	     "clocks in which the home logic could take no further request from %s") \
	TEXT(QHL_BUSY, QHL, CYCLES, PFM4_MODIFIERS, \
	     "clocks in which the home logic held at least one request from %s") \
	TEXT(QHL_OCC, QHL, OCCUPANCY, NONE, \
	     "reads from %s that the home logic holds, added up every clock; divided by their " \
	     "number in UNC_QHL_REQUESTS they give their mean time") \
	TEXT(QHL_WAYS, QHL, COUNT, NONE, \
	     "entries of the home logic's conflict table that never held more than %s requests " \
	     "for one address, counted when they are freed") \
	TEXT(QHL_CONFLICT, QHL, CYCLES, NONE, \
	     "clocks in which two or three requests from %s wanted the same address") \
	TEXT(BYPASS, QHL, COUNT, NONE, \
	     "requests that reached the memory controller without passing the home logic") \
	TEXT(FORCED, QHL, COUNT, NONE, \
	     "conflicts that the home logic ended by a forced acknowledgement to %s") \
	TEXT(FORCED_ANY, QHL, COUNT, NONE, \
	     "conflicts that the home logic ended by a forced acknowledgement to whomever") \
	TEXT(SLEEP_ORDER, QHL, COUNT, NONE, \
	     "requests from %s that had to wait before memory because of ordering") \
	TEXT(SLEEP_CONFLICT, QHL, COUNT, NONE, \
	     "requests from %s that had to wait before memory because of an address conflict") \
	TEXT(MATCH, QHL, COUNT, FILTER, \
	     "requests from %s that pass the address and opcode filter in MSR 0x396") \
	\
	TEXT(NORMAL_FULL_READ, QMC, CYCLES, LIKWID_SUM, \
	     "clocks in which the queue of ordinary reads for %s was full") \
	TEXT(NORMAL_FULL_WRITE, QMC, CYCLES, NONE, \
	     "clocks in which the queue of ordinary writes for %s was full") \
	TEXT(ISOC_FULL_READ, QMC, CYCLES, NONE, \
	     "clocks in which the queue of isochronous reads for %s was full") \
	TEXT(ISOC_FULL_WRITE, QMC, CYCLES, NONE, \
	     "clocks in which the queue of isochronous writes for %s was full") \
	TEXT(BUSY_READ, QMC, CYCLES, NONE, \
	     "clocks in which at least one read of %s was under way") \
	TEXT(BUSY_WRITE, QMC, CYCLES, NONE, \
	     "clocks in which at least one write to %s was under way") \
	TEXT(QMC_OCC, QMC, OCCUPANCY, NONE, \
	     "ordinary reads under way on %s, added up every clock; divided by " \
	     "UNC_QMC_NORMAL_READS they give the mean time of a memory read in uncore clocks") \
	TEXT(ISOC_OCC, QMC, OCCUPANCY, NONE, \
	     "isochronous reads under way on %s, added up every clock") \
	TEXT(ISOC_READS, QMC, OCCUPANCY, NO_COUNT, \
	     "isochronous reads under way on %s, added up every clock") \
	TEXT(READS, QMC, COUNT, NONE, \
	     "ordinary reads of %s; times 64 bytes they are nearly all of the read bandwidth") \
	TEXT(READS_HIGH, QMC, COUNT, NONE, \
	     "isochronous reads of %s with high priority, 64 bytes each") \
	TEXT(READS_CRITICAL, QMC, COUNT, NONE, \
	     "isochronous reads of %s with critical priority, 64 bytes each") \
	TEXT(WRITES, QMC, COUNT, NONE, \
	     "writes of whole lines to %s; times 64 bytes they are nearly all of the write " \
	     "bandwidth") \
	TEXT(WRITES_PARTIAL, QMC, COUNT, NONE, \
	     "writes of less than a line to %s; what one costs on the bus is not documented") \
	TEXT(CANCEL, QMC, COUNT, NONE, "requests for %s that were withdrawn") \
	TEXT(PRIORITY, QMC, COUNT, NONE, \
	     "requests waiting for %s that were moved up to a higher priority") \
	TEXT(RETRY, QMC, COUNT, RAS, "requests for %s that had to be repeated") \
	\
	TEXT(STALL_HOME, QPI, CYCLES, OVERCOUNTS, \
	     "clocks in which a home message had to wait for credits before it could leave on %s") \
	TEXT(STALL_SNOOP, QPI, CYCLES, OVERCOUNTS, \
	     "clocks in which a snoop had to wait for credits before it could leave on %s") \
	TEXT(STALL_NDR, QPI, CYCLES, OVERCOUNTS, \
	     "clocks in which an answer without data had to wait for credits before it could " \
	     "leave on %s") \
	TEXT(STALL_SINGLE, QPI, CYCLES, OVERCOUNTS, \
	     "clocks in which a message of one flit had to wait for credits before it could " \
	     "leave on %s") \
	TEXT(STALL_DRS, QPI, CYCLES, OVERCOUNTS, \
	     "clocks in which an answer with data had to wait for credits before it could leave " \
	     "on %s") \
	TEXT(STALL_NCB, QPI, CYCLES, OVERCOUNTS, \
	     "clocks in which a non-coherent bypass message had to wait for credits before it " \
	     "could leave on %s") \
	TEXT(STALL_NCS, QPI, CYCLES, OVERCOUNTS, \
	     "clocks in which a non-coherent standard message had to wait for credits before it " \
	     "could leave on %s") \
	TEXT(STALL_MULTI, QPI, CYCLES, OVERCOUNTS, \
	     "clocks in which a message of several flits had to wait for credits before it could " \
	     "leave on %s") \
	TEXT(HEADER_FULL, QPI, CYCLES, NONE, \
	     "clocks in which the buffer for headers that leave on %s was full") \
	TEXT(HEADER_BUSY, QPI, CYCLES, NONE, \
	     "clocks in which the buffer for headers that leave on %s was in use; the nearest " \
	     "thing to link utilisation that these processors count") \
	TEXT(NO_PPT, QPI, CYCLES, NONE, \
	     "clocks in which snoops that came in on %s waited for a free entry of the peer " \
	     "probe tracker") \
	\
	TEXT(OPEN, DRAM, COUNT, NONE, \
	     "rows opened (activated) on %s; set against reads and writes they give the share of " \
	     "accesses that found their page closed") \
	TEXT(CLOSE, DRAM, COUNT, NONE, \
	     "rows closed (precharged) on %s because no one had used them for some time") \
	TEXT(CONFLICT, DRAM, COUNT, NONE, \
	     "rows closed (precharged) on %s because an access needed another row of that bank") \
	TEXT(READ_CAS, DRAM, COUNT, AUTO, "read bursts (CAS commands) on %s") \
	TEXT(READ_CAS_AUTO, DRAM, COUNT, NONE, \
	     "read bursts on %s that close their row at the end (auto-precharge)") \
	TEXT(WRITE_CAS, DRAM, COUNT, AUTO, "write bursts (CAS commands) on %s") \
	TEXT(WRITE_CAS_AUTO, DRAM, COUNT, NONE, \
	     "write bursts on %s that close their row at the end (auto-precharge)") \
	TEXT(REFRESH, DRAM, COUNT, NONE, "refresh commands on %s") \
	TEXT(PRECHARGE, DRAM, COUNT, NONE, \
	     "commands on %s that close all rows at once, as for a refresh or to save power") \
	\
	TEXT(DIMM_THROTTLED, THERMAL, CYCLES, NONE, \
	     "clocks in which memory was slowed down because the DIMMs were too hot; anything " \
	     "above 0 means DIMM throttling") \
	TEXT(CORE_HOT, THERMAL, CYCLES, FOUR_CORES, \
	     "clocks in which %s was hotter than the temperature at which throttling begins; the " \
	     "cause, not yet the slowdown") \
	TEXT(CORE_THROTTLED, THERMAL, CYCLES, FOUR_CORES, \
	     "clocks in which %s was slowed down because it was too hot itself") \
	TEXT(PROCHOT, THERMAL, COUNT, NONE, \
	     "how often the platform asserted PROCHOT, by which board, fans or power supply " \
	     "demand a slowdown") \
	TEXT(CORE_PROCHOT, THERMAL, CYCLES, FOUR_CORES, \
	     "clocks in which %s was slowed down because the platform asserted PROCHOT") \
	TEXT(TURBO, POWER, CYCLES, FOUR_CORES, "clocks in which %s ran at a turbo frequency") \
	TEXT(L3_ON, POWER, CYCLES, NONE, \
	     "clocks in which some core was awake and all ways of the L3 were switched on") \
	TEXT(L3_OFF, POWER, CYCLES, NONE, \
	     "clocks in which some core was awake and all ways of the L3 were switched off")

#endif
