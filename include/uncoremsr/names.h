/* SPDX-License-Identifier: LGPL-2.1-or-later */
/**
 * @file uncoremsr/names.h
 * What can be counted and what it is called: PMUs, registers, events, encodings, event lists, metrics.
 * Rules about errors, threads and ownership: uncoremsr.h.
 */
#ifndef UNCOREMSR_NAMES_H
#define UNCOREMSR_NAMES_H

#include <stddef.h>
#include <stdint.h>

#include "uncoremsr.h"

#ifdef __cplusplus
extern "C" {
#endif

#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

struct uncoremsr_pmu;       /* a set of counters that share one event vocabulary */
struct uncoremsr_register;  /* one register that the tables describe */
struct uncoremsr_event;     /* an event that has a name */
struct uncoremsr_encoding;  /* what an event becomes */
struct uncoremsr_kernel_pmu;    /* a PMU of the kernel (perf) */
struct uncoremsr_perf_encoding; /* what one unit of the kernel is asked for an event */
struct uncoremsr_metric;    /* a number that is worked out from several events */
struct uncoremsr_metric_value; /* what it was on one package */

/* ------------------------------------------------------- PMUs, registers */

/**
 * Number of uncore PMUs of this machine, those that registers do not reach among them; 0 when it is
 * not supported.
 */
size_t uncoremsr_num_pmus(const struct uncoremsr *um);
/** One of them, in the order of the tables. @return NULL past the end. */
const struct uncoremsr_pmu *uncoremsr_pmu(const struct uncoremsr *um, size_t index);
/**
 * The core PMU (CPUID leaf 0xA), which belongs to each logical CPU and to the kernel. Its counters are
 * used on request only, see uncoremsr_session_set_route(). @return NULL without one, and in a guest.
 */
const struct uncoremsr_pmu *uncoremsr_core_pmu(const struct uncoremsr *um);
/**
 * The PMUs of a processor, whatever this machine is.
 * @param uarch a name as uncoremsr_uarch() gives; "core": the core PMU, which is one.
 * @return NULL past the end, or when the processor is not in the tables. Valid forever.
 */
const struct uncoremsr_pmu *uncoremsr_uarch_pmu(const char *uarch, size_t index);
/** "cbo"; the units are called "cbo0", "cbo1" and so on. */
const char *uncoremsr_pmu_name(const struct uncoremsr_pmu *pmu);
const char *uncoremsr_pmu_desc(const struct uncoremsr_pmu *pmu);
/** What Linux calls it ("uncore_cbox"); "" when Linux does not know it. */
const char *uncoremsr_pmu_kernel_name(const struct uncoremsr_pmu *pmu);
/**
 * Where its counters are: "msr" (this library reaches them), "pci" (configuration space), "mmio"
 * (memory) or "discovery" (at addresses that a table in memory tells). For those other than "msr"
 * the kernel's perf is the way, and name, description and kernel name are all that is known here.
 */
const char *uncoremsr_pmu_reach(const struct uncoremsr_pmu *pmu);
/** "package", "die", "node", "l3", "core" or "cpu": what has one set of its units. */
const char *uncoremsr_pmu_scope(const struct uncoremsr_pmu *pmu);
/** The most units that any product has per scope; how many this one has is found out when counting. */
unsigned uncoremsr_pmu_units(const struct uncoremsr_pmu *pmu);
/** Who tells how many units there are: "table", "cores", "register", "cpuid" or "probe" (those that
 * answer). */
const char *uncoremsr_pmu_units_from(const struct uncoremsr_pmu *pmu);
/** General counters of a unit; of the core PMU the most there can be (leaf 0xA tells). */
unsigned uncoremsr_pmu_general_counters(const struct uncoremsr_pmu *pmu);
unsigned uncoremsr_pmu_general_width(const struct uncoremsr_pmu *pmu);
/** Counters of a unit that count one thing, free-running ones among them. */
unsigned uncoremsr_pmu_fixed_counters(const struct uncoremsr_pmu *pmu);
/**
 * A fixed counter.
 * @param width bits. @param free_running 1 when it cannot be switched off or set, else 0.
 * @return the event it counts ("UNC_CLOCK.SOCKET"), or NULL past the last one.
 */
const char *uncoremsr_pmu_fixed_event(const struct uncoremsr_pmu *pmu, size_t index,
				      const char **desc, unsigned *width, int *free_running);
/**
 * A term of the event language, named as in the kernel's format files.
 * @param bits how many bits its value has.
 * @return its name ("umask"), or NULL past the last one.
 */
const char *uncoremsr_pmu_term(const struct uncoremsr_pmu *pmu, size_t index, const char **desc,
			       unsigned *bits);
/** What a user has to know before trusting its counts; NULL when nothing. */
const char *uncoremsr_pmu_note(const struct uncoremsr_pmu *pmu);
/** 1 when the addresses come from one source only and were never seen to work, else 0. */
int uncoremsr_pmu_unverified(const struct uncoremsr_pmu *pmu);
/** Where the facts come from; "" for a PMU that registers do not reach. */
const char *uncoremsr_pmu_source(const struct uncoremsr_pmu *pmu);

/**
 * Registers of a processor, in address order.
 * @param uarch a name as uncoremsr_uarch() gives; "core": those of the architectural core PMU;
 *   NULL: of this machine.
 * @return the register, or NULL past the end or when the processor is not in the tables.
 */
const struct uncoremsr_register *uncoremsr_register(struct uncoremsr *um, const char *uarch,
						     size_t index);
/** The PMU that it belongs to; NULL: none, or several. */
const struct uncoremsr_pmu *uncoremsr_register_pmu(const struct uncoremsr_register *reg);
/** 1 when it chooses what a general counter counts, else 0. */
int uncoremsr_register_is_selector(const struct uncoremsr_register *reg);
/** MSR number. */
uint32_t uncoremsr_register_msr(const struct uncoremsr_register *reg);
/** Name in the manuals, without MSR_ ("UNCORE_PERFEVTSEL0"). No two registers of a processor share
 * one. */
const char *uncoremsr_register_name(const struct uncoremsr_register *reg);
const char *uncoremsr_register_desc(const struct uncoremsr_register *reg);
/** Bits that may be written at all; 0 for a register that this library never writes. */
uint64_t uncoremsr_register_write_mask(const struct uncoremsr_register *reg);
/** "read/write", "read only" or "write only": what the hardware allows. */
const char *uncoremsr_register_access(const struct uncoremsr_register *reg);
/** "package", "die", "node", "l3", "core" or "cpu": how many copies exist. */
const char *uncoremsr_register_scope(const struct uncoremsr_register *reg);
/** Where the facts come from. */
const char *uncoremsr_register_source(const struct uncoremsr_register *reg);

/** Names of processors that the tables know, supported or not, in no order; NULL past the end. */
const char *uncoremsr_uarch_name(size_t index);
/** 1 when this library can program the uncore of processor @p uarch, else 0. */
int uncoremsr_uarch_supported(const char *uarch);

/* ---------------------------------------------------------------- events */

/*
 * Tables that come with the library: they need no machine (a handle that was only made will do),
 * no driver and no rights. Where a function takes @p uarch, it is a name as uncoremsr_uarch() gives;
 * NULL means this machine's, which then has to be open.
 */

/**
 * What can be told about a named event. Texts are for uncoremsr_event_text(), numbers for
 * uncoremsr_event_number(); what an event's source does not know, or what does not apply, is NULL or
 * -ENODATA.
 */
enum uncoremsr_event_property {
	/* Texts. */
	UNCOREMSR_EVENT_NAME,        /* "UNC_L3_HITS.READ", "uncore_imc/cas_count_read/": it can be counted so */
	UNCOREMSR_EVENT_FROM,        /* "table", "list" (an event list), "kernel", "perf" (names perf has everywhere) */
	UNCOREMSR_EVENT_UARCH,       /* table: the processor whose event it is */
	UNCOREMSR_EVENT_PMU,         /* "cbo"; of lists and the kernel without the number of a unit: "uncore_cha" */
	UNCOREMSR_EVENT_DESCRIPTION, /* what it counts: a sentence, without full stop in tables */
	UNCOREMSR_EVENT_UNIT,        /* the part of the uncore ("GQ", "QMC", "C-box"), or the list's word: "CHA" */
	UNCOREMSR_EVENT_KIND,        /* table: "count", "cycles", "occupancy" or "clock" */
	UNCOREMSR_EVENT_NOTE,        /* table: a trap one should know about */
	UNCOREMSR_EVENT_MANUAL,      /* table: where Intel lists the events of this processor */
	UNCOREMSR_EVENT_TERMS,       /* list, kernel: "event=0x35,umask=0x21", in words of the PMU's format files */
	UNCOREMSR_EVENT_COUNTERS,    /* list: who can count it ("0,1,2,3", "Fixed counter 1") */
	UNCOREMSR_EVENT_IMPOSSIBLE,  /* list: why the kernel cannot count it; NULL where it can */
	UNCOREMSR_EVENT_MEASURE,     /* kernel: "MiB", what a count times the scale is in */
	UNCOREMSR_EVENT_SCALE,       /* kernel: "6.103515625e-5", what a count is multiplied with */
	/* Numbers. */
	UNCOREMSR_EVENT_SELECT,      /* table, list: event select; not of what only a fixed counter counts */
	UNCOREMSR_EVENT_UNIT_MASK,
	UNCOREMSR_EVENT_WORD,        /* table: for the selector, or the control of the fixed counter; on port 0 */
	UNCOREMSR_EVENT_PORTS,       /* table: that many ports have it, and one has to be named (R-box) */
	UNCOREMSR_EVENT_EXTRA_REGISTER, /* table: has to be set besides the selector (the first one, of unit 0) */
	UNCOREMSR_EVENT_EXTRA_VALUE, /* table: to this; unknown where the caller has to choose */
	UNCOREMSR_EVENT_DEPRECATED,  /* list: 1 for a name that is only kept for compatibility */
	UNCOREMSR_EVENT_CORE_TYPE,   /* list, hybrid processors: kind of core (CPUID leaf 0x1a), 0x40 or 0x20 */
};

/** A named event; PMU by PMU, in the order of the names. "core" has architectural events. @return NULL
 * past the end, or without tables (then uncoremsr_errmsg() says why). */
const struct uncoremsr_event *uncoremsr_event(struct uncoremsr *um, const char *uarch,
					      size_t index);
/**
 * Events by name, in any spelling of uncoremsr-events(7), or by pattern; in the order of the names.
 * @param fn stops when it returns other than 0; NULL: only count them.
 * @return how many; -ENOENT none of that name, with near ones in uncoremsr_hint() (class USAGE);
 *   -EINVAL a pattern that is not understood, or no such processor (class USAGE); -ENOTSUP the
 *   processor has no tables (class UNSUPPORTED); -ENOMEM; or what @p fn returned.
 */
int uncoremsr_event_find(struct uncoremsr *um, const char *uarch, const char *text,
			 int (*fn)(void *user, const struct uncoremsr_event *event), void *user);
/** Events by event select and unit mask: several where another register tells them apart.
 * @return NULL past the last one. */
const struct uncoremsr_event *uncoremsr_event_at(struct uncoremsr *um, const char *uarch,
						 unsigned event_select, unsigned unit_mask,
						 size_t index);
/** @return NULL: unknown, or it does not apply. Valid as long as the event. */
const char *uncoremsr_event_text(const struct uncoremsr_event *event,
				 enum uncoremsr_event_property property);
/** @return 0; -ENODATA unknown, or it does not apply, and @p v is left alone; -EINVAL. */
int uncoremsr_event_number(const struct uncoremsr_event *event,
			   enum uncoremsr_event_property property, uint64_t *v);
/** "UNC_L3_HITS.READ". */
const char *uncoremsr_event_name(const struct uncoremsr_event *event);
/** The processor whose event it is, and its PMU there. */
const char *uncoremsr_event_uarch(const struct uncoremsr_event *event);
const char *uncoremsr_event_pmu(const struct uncoremsr_event *event);
/** Event select and unit mask; -1 for what only a fixed counter counts, the clock above all. */
int uncoremsr_event_select(const struct uncoremsr_event *event);
int uncoremsr_event_unit_mask(const struct uncoremsr_event *event);
/** The word for the selector, or for the control register of the fixed counter. Of an event of a
 * port that of port 0. */
uint64_t uncoremsr_event_encoding(const struct uncoremsr_event *event);
/** Number of ports that have it, so that one has to be named (R-box: "rbox/NULL_IDLE,port=2/"); 0: it
 * has no ports. */
unsigned uncoremsr_event_ports(const struct uncoremsr_event *event);
/** "count", "cycles", "occupancy" or "clock". */
const char *uncoremsr_event_kind(const struct uncoremsr_event *event);
/** The part of the uncore: "GQ", "L3", "QHL", "QMC", "QPI", "DRAM", "thermal", "power", "clock"; on
 * processors with several kinds of units one of those ("CBo", "ARB", "M-box"); "core". */
const char *uncoremsr_event_unit(const struct uncoremsr_event *event);
/** What it counts, in a sentence without full stop. */
const char *uncoremsr_event_description(const struct uncoremsr_event *event);
/** A trap one should know about; "" when there is none. */
const char *uncoremsr_event_note(const struct uncoremsr_event *event);
/** Where Intel's manual lists the events of this processor. */
const char *uncoremsr_event_manual(const struct uncoremsr_event *event);
/** Who gives it these codes: "sdm", "freebsd", "libpfm4", "likwid", "kernel", "pcm", "guide" (Intel
 * Xeon 7500 uncore programming guide), "perfmon" (intel/perfmon); NULL past the last one. */
const char *uncoremsr_event_source(const struct uncoremsr_event *event, size_t index);
/** Who lists the name with other codes, and which; NULL past the last one. */
const char *uncoremsr_event_dispute(const struct uncoremsr_event *event, size_t index,
				    unsigned *event_select, unsigned *unit_mask);
/** The register that has to be set besides the selector (the first one, of the first unit), and to
 * what (0: the caller chooses); 0: none. uncoremsr_encoding_extra() has them all. */
uint32_t uncoremsr_event_extra(const struct uncoremsr_event *event, uint64_t *value);
/**
 * How somebody else spells the name.
 * @param who "libpfm4", "likwid" or "freebsd".
 * @return its length, as snprintf() does; -ENOENT they do not have it.
 */
int uncoremsr_event_spelling(const struct uncoremsr_event *event, const char *who, char *buf,
			     size_t size);
/**
 * What a source lists for a processor and these tables leave out.
 * @return its name there, or NULL past the end.
 */
const char *uncoremsr_event_left_out(const char *uarch, size_t index, const char **who,
				     unsigned *event_select, unsigned *unit_mask, const char **why);
/**
 * Names of events of the core PMU for a pair of codes, the architectural events among them. Only
 * few are known.
 * @param processors set to where the name holds.
 * @return NULL past the last one.
 */
const char *uncoremsr_core_event_name(unsigned event_select, unsigned unit_mask, size_t index,
				      const char **processors);

/**
 * What a text of the event language becomes, in the order written.
 * @param fn gets each event, which is valid during the call; stops when it returns other than 0.
 * @param uarch "core": the core PMU alone, which every other processor has as well.
 * @return how many; -EINVAL, -ENOENT, -ENOMEM as uncoremsr_session_add(); -ENOTSUP the processor is
 *   not in the register tables, or the PMU is out of reach of MSRs; or what @p fn returned.
 */
int uncoremsr_encode(struct uncoremsr *um, const char *uarch, const char *text,
		     int (*fn)(void *user, const struct uncoremsr_encoding *encoding), void *user);
/** Canonical name with modifiers; "0x82:0x3" where there is none. */
const char *uncoremsr_encoding_name(const struct uncoremsr_encoding *encoding);
const char *uncoremsr_encoding_pmu(const struct uncoremsr_encoding *encoding);
/** The word for the selector, or for the control register of the fixed counter. */
uint64_t uncoremsr_encoding_word(const struct uncoremsr_encoding *encoding);
/** 1 when only the fixed counter counts it, else 0. */
int uncoremsr_encoding_fixed(const struct uncoremsr_encoding *encoding);
/** The unit asked for ("cbo3": 3), or -1: every unit of the PMU. */
int uncoremsr_encoding_unit(const struct uncoremsr_encoding *encoding);
/** General counters that can count it, bit n is counter n; 0 when it is fixed. */
uint32_t uncoremsr_encoding_counters(const struct uncoremsr_encoding *encoding);
/** What was added or left out without being asked for (defaults, the interrupt bit), as sentences.
 * @return NULL past the last one. */
const char *uncoremsr_encoding_remark(const struct uncoremsr_encoding *encoding, size_t index);
/** MSR of the selector, or of the fixed counter's control (0: free running), that could count it: of
 * its unit or the first one, and of the lowest counter. */
uint32_t uncoremsr_encoding_selector(const struct uncoremsr_encoding *encoding);
/** MSR of the counter that goes with uncoremsr_encoding_selector(). */
uint32_t uncoremsr_encoding_counter(const struct uncoremsr_encoding *encoding);
/** Registers that have to hold @p value besides (filters, matches; 0 where the tables do not know it:
 * the caller chooses), in the order of writing. @return the MSR, or 0 past the last one. */
uint32_t uncoremsr_encoding_extra(const struct uncoremsr_encoding *encoding, size_t index,
				  uint64_t *value);
/**
 * Registers whose bits @p mask have to be @p value for that counter to run.
 * @param own 1 when no other counter needs these bits, else 0.
 * @return the MSR, or 0 past the last one.
 */
uint32_t uncoremsr_encoding_gate(const struct uncoremsr_encoding *encoding, size_t index,
				 uint64_t *mask, uint64_t *value, int *own);
/** Events of one group are counted at the same time. */
unsigned uncoremsr_encoding_group(const struct uncoremsr_encoding *encoding);
/** The named event behind it, or NULL. */
const struct uncoremsr_event *uncoremsr_encoding_event(const struct uncoremsr_encoding *encoding);

/**
 * Fields of a register, from the lowest bit up.
 * @return the name, or NULL past the last one.
 */
const char *uncoremsr_register_field(const struct uncoremsr_register *reg, size_t index,
				     unsigned *shift, unsigned *width, const char **desc);
/** Bits that exist; the others are reserved. */
uint64_t uncoremsr_register_valid(const struct uncoremsr_register *reg);
/** Bits that can be written but always read 0. */
uint64_t uncoremsr_register_reads_zero(const struct uncoremsr_register *reg);
/**
 * What an address means on processors of other kinds; their tables are not used for anything.
 * @return the meaning in words, or NULL past the last one.
 */
const char *uncoremsr_collision(uint32_t msr, size_t index, uint32_t *first, uint32_t *last,
				const char **processors, const char **source);

/* ----------------------------- the kernel's route: names and encodings */

/*
 * What perf_event_open(2) takes for an event, and the names that the kernel and event lists have.
 * Nothing is counted and no right is needed. A handle that was only made will do, too: then the tree
 * of the machine that was chosen is looked at, which may have nothing but
 * sys/bus/event_source/devices; choosing another one forgets all of this. Event lists are the JSON
 * files of intel/perfmon, in the old form (an array) and the new one (Header and Events), plain or
 * compressed by gzip.
 */

/**
 * Say for which processor event lists are chosen, instead of the machine's. It is written as in
 * mapfile.csv and in perf's PERF_CPUID: "GenuineIntel-6-55-4", family decimal, model and stepping
 * hexadecimal; the stepping may be left out.
 * @return 0; -EINVAL; -ENOMEM.
 */
int uncoremsr_event_list_set_cpu(struct uncoremsr *um, const char *cpu);
/** The processor that lists are chosen for, in that form. NULL: unknown, see uncoremsr_errmsg(). */
const char *uncoremsr_event_list_cpu(struct uncoremsr *um);
/**
 * Add event lists: of a file, or those of a directory that are for this processor, found through its
 * mapfile.csv, or by names as "GenuineIntel-6-55-4-core.json". Where several lists have an event the
 * one added first counts.
 * @param path NULL: the installed copy, see uncoremsr_event_list_installed().
 * @return how many files; -ENOENT (or another errno of open(2)) no such file, or none for this
 *   processor; -ENODATA the processor is unknown; -EINVAL it is no such list (the line is named);
 *   -ENOTSUP the library was built without JSON; -ENOMEM.
 */
int uncoremsr_event_list_add(struct uncoremsr *um, const char *path);
/** Where a copy of the vendor's lists is looked for: "/var/lib/uncoremsr/events". */
const char *uncoremsr_event_list_installed(void);
/** The files that were added, and their version ("" unknown). NULL past the end. */
const char *uncoremsr_event_list_file(const struct uncoremsr *um, size_t index,
				      const char **version);

/** The events of the lists, in their order; deprecated ones too. NULL past the end. */
const struct uncoremsr_listed_event *uncoremsr_listed_event(const struct uncoremsr *um,
							    size_t index);
/** By its name in upper or lower case; NULL: in no list. */
const struct uncoremsr_listed_event *uncoremsr_listed_event_find(const struct uncoremsr *um,
								 const char *name);
/** As the list spells it. */
const char *uncoremsr_listed_event_name(const struct uncoremsr_listed_event *event);
/** The kernel's PMU, without the number of a unit: "cpu" ("cpu_core", "cpu_atom" on hybrid
 * processors), "uncore_cha". */
const char *uncoremsr_listed_event_pmu(const struct uncoremsr_listed_event *event);
/** The list's word for it: "CHA"; "" for events of the core. */
const char *uncoremsr_listed_event_unit(const struct uncoremsr_listed_event *event);
/** "event=0x35,umask=0x21": terms of the PMU's format files, as this machine's kernel has them. */
const char *uncoremsr_listed_event_terms(struct uncoremsr *um,
					 const struct uncoremsr_listed_event *event);
/** Counters that can count it, as the list has them: "0,1,2,3", "Fixed counter 1"; "" unknown. */
const char *uncoremsr_listed_event_counters(const struct uncoremsr_listed_event *event);
/** One line; of a deprecated event what to use instead. "" without. */
const char *uncoremsr_listed_event_description(const struct uncoremsr_listed_event *event);
/** Why the kernel cannot count it; "" where it can. */
const char *uncoremsr_listed_event_impossible(const struct uncoremsr_listed_event *event);
/** 1 for a name that is only kept for compatibility. */
int uncoremsr_listed_event_deprecated(const struct uncoremsr_listed_event *event);
/** Of hybrid processors the kind of core (CPUID leaf 0x1a): 0x40 Core, 0x20 Atom; 0: any. */
int uncoremsr_listed_event_core_type(const struct uncoremsr_listed_event *event);

/**
 * What a text of the event language (uncoremsr-events(7)) becomes for the kernel.
 * @param fn gets one encoding for each unit of each event, in the order written; it is valid during
 *   the call. It stops when it returns other than 0.
 * @return how many events; -EINVAL the text is malformed; -ENOENT no such event or PMU; -ENOTSUP the
 *   kernel cannot express it; -EACCES the number of a tracepoint may not be read; -ENOMEM; or what
 *   @p fn returned.
 */
int uncoremsr_perf_encode(struct uncoremsr *um, const char *text,
			  int (*fn)(void *user, const struct uncoremsr_perf_encoding *encoding),
			  void *user);
/** As it was written, or what name=TEXT says. */
const char *uncoremsr_perf_encoding_name(const struct uncoremsr_perf_encoding *encoding);
/** The PMU without the number of a unit ("uncore_cha"), and the unit's own name ("uncore_cha_3"). */
const char *uncoremsr_perf_encoding_family(const struct uncoremsr_perf_encoding *encoding);
const char *uncoremsr_perf_encoding_pmu(const struct uncoremsr_perf_encoding *encoding);
/** Member type of struct perf_event_attr, and config, config1, config2, config3 (@p index 0 to 3). */
unsigned uncoremsr_perf_encoding_type(const struct uncoremsr_perf_encoding *encoding);
uint64_t uncoremsr_perf_encoding_config(const struct uncoremsr_perf_encoding *encoding,
					unsigned index);
/** Its modifiers as perf-list(1) has them: "u", "kppD"; "" none. */
const char *uncoremsr_perf_encoding_modifiers(const struct uncoremsr_perf_encoding *encoding);
/** The file cpumask or cpus of the unit, as a kernel-style list; NULL: any CPU. */
const char *uncoremsr_perf_encoding_cpus(const struct uncoremsr_perf_encoding *encoding);
/** What a count has to be multiplied with (1: nothing), and what is then measured ("MiB"; NULL). */
double uncoremsr_perf_encoding_scale(const struct uncoremsr_perf_encoding *encoding);
const char *uncoremsr_perf_encoding_measure(const struct uncoremsr_perf_encoding *encoding);
/** Of the list; NULL without. */
const char *uncoremsr_perf_encoding_description(const struct uncoremsr_perf_encoding *encoding);
/** Events of one group are counted at the same time. */
unsigned uncoremsr_perf_encoding_group(const struct uncoremsr_perf_encoding *encoding);
/** Which event of the text it is, counted from 0. */
size_t uncoremsr_perf_encoding_event(const struct uncoremsr_perf_encoding *encoding);
/** Which unit of the event, counted from 0. @param num_units set to how many there are, if given. */
size_t uncoremsr_perf_encoding_unit(const struct uncoremsr_perf_encoding *encoding,
				    size_t *num_units);

/** A PMU of the kernel, by family, then by number. NULL past the end. */
const struct uncoremsr_kernel_pmu *uncoremsr_kernel_pmu(struct uncoremsr *um, size_t index);
/** Its name, and a second one that it may have (NULL without). */
const char *uncoremsr_kernel_pmu_name(const struct uncoremsr_kernel_pmu *pmu);
const char *uncoremsr_kernel_pmu_alias(const struct uncoremsr_kernel_pmu *pmu);
/** Its number in perf_event_attr, which may differ from boot to boot. */
unsigned uncoremsr_kernel_pmu_type(const struct uncoremsr_kernel_pmu *pmu);
/** How long the name is without the number of the unit. */
size_t uncoremsr_kernel_pmu_family(const struct uncoremsr_kernel_pmu *pmu);
/**
 * A term of its format files: the value's lowest bit goes to the lowest bit of the mask, and so on.
 * @param config which config word, 0 to 3.
 * @return its name; NULL past the end.
 */
const char *uncoremsr_kernel_pmu_format(const struct uncoremsr_kernel_pmu *pmu, size_t index,
					unsigned *config, uint64_t *mask);
/**
 * One of its ready-made events.
 * @param measure set to its unit ("MiB") or NULL.
 * @return its name; NULL past the end.
 */
const char *uncoremsr_kernel_pmu_event(const struct uncoremsr_kernel_pmu *pmu, size_t index,
				       const char **terms, double *scale, const char **measure);

/* -------------------------------------------------------------- metrics */

/**
 * The metrics of a processor.
 * @param uarch a name as uncoremsr_uarch() gives.
 * @return the metric, or NULL past the end or when the processor has none.
 */
const struct uncoremsr_metric *uncoremsr_metric(const char *uarch, size_t index);
/** Its name ("memory-bandwidth"). */
const char *uncoremsr_metric_name(const struct uncoremsr_metric *m);
/** What it tells, in a few words. */
const char *uncoremsr_metric_title(const struct uncoremsr_metric *m);
/** "B/s", "Hz", "ratio", "clocks" or "s". */
const char *uncoremsr_metric_unit(const struct uncoremsr_metric *m);
/** How it is worked out from names of events and dt, the seconds of the interval. */
const char *uncoremsr_metric_formula(const struct uncoremsr_metric *m);
/** A trap one should know about, or "". */
const char *uncoremsr_metric_note(const struct uncoremsr_metric *m);
/** Where the formula comes from. */
const char *uncoremsr_metric_sources(const struct uncoremsr_metric *m);
/** What the machine can physically do; a value outside is UNCOREMSR_IMPLAUSIBLE. */
void uncoremsr_metric_bounds(const struct uncoremsr_metric *m, double *low, double *high);

/**
 * Add metrics, before uncoremsr_session_start(). The events of one metric are counted at the same
 * time. Those that the session does not have yet become events of it, behind the others; an event
 * that it has already is shared where it can be counted together with the rest.
 * @param text one or several names or patterns ("throttled-*") separated by commas.
 * @return how many were added (one that is there already is not added again); or
 *   -EINVAL  there is nothing between two commas, or a name is too long (class USAGE)
 *   -ENOENT  no metric of that name on this machine (class USAGE)
 *   -ENOTSUP this machine's uncore is not supported, or is virtual (class UNSUPPORTED)
 *   -EBUSY   the session runs
 *   -ENOMEM
 */
int uncoremsr_session_add_metric(struct uncoremsr_session *s, const char *text);
size_t uncoremsr_session_num_metrics(const struct uncoremsr_session *s);
/** A metric of the session, in the order in which they were added; NULL past the end. */
const struct uncoremsr_metric *uncoremsr_session_metric(const struct uncoremsr_session *s,
							size_t metric);
/**
 * What a metric was on a package in the last closed interval, worked out now from the readings of
 * its events. Valid until the next call for the same metric and package.
 * @return NULL past the end or before uncoremsr_session_start().
 */
const struct uncoremsr_metric_value *
uncoremsr_session_metric_value(const struct uncoremsr_session *s, size_t package, size_t metric);
/** The same from start to the last closed interval. */
const struct uncoremsr_metric_value *
uncoremsr_session_metric_total(const struct uncoremsr_session *s, size_t package, size_t metric);
/** UNCOREMSR_OK, IMPLAUSIBLE, UNDEFINED, or the status of the first event that was not counted. */
enum uncoremsr_status uncoremsr_metric_value_status(const struct uncoremsr_metric_value *v);
/** What was wrong, as a sentence; "" when the status is OK. */
const char *uncoremsr_metric_value_detail(const struct uncoremsr_metric_value *v);
/** The number. @return 0; -ENODATA unknown, @p value is left alone. */
int uncoremsr_metric_value_get(const struct uncoremsr_metric_value *v, double *value);
/** As those of a reading; of several events the shortest running time. */
uint64_t uncoremsr_metric_value_enabled_ns(const struct uncoremsr_metric_value *v);
uint64_t uncoremsr_metric_value_running_ns(const struct uncoremsr_metric_value *v);
uint64_t uncoremsr_metric_value_time_ns(const struct uncoremsr_metric_value *v);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif

#endif
