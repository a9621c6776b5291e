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
struct uncoremsr_event;     /* an event that has a name, whatever it is from */
struct uncoremsr_encoding;  /* what an event becomes, for registers or for the kernel */
struct uncoremsr_metric;    /* a number that is worked out from several events */

/*
 * Everything here is asked by property: _text() gives NULL and _number() -ENODATA for what is unknown
 * or does not apply; -EINVAL stands for an object or an output that is NULL. Texts live as long as the
 * object. Where a function takes @p uarch, it is the name of a processor as uncoremsr_uarch() gives, or
 * "core", the architectural core PMU of all of them; NULL is this machine's. With a name no machine is
 * needed (a handle that was only made will do), no driver and no rights.
 */

/* ------------------------------------------------------------------- PMUs */

/** Names of processors that the tables know, supported or not, in no order; NULL past the end. */
const char *uncoremsr_uarch_name(size_t index);
/** 1 when this library can program the uncore of processor @p uarch, else 0. */
int uncoremsr_uarch_supported(const char *uarch);

/**
 * The PMUs of a processor, in the order of the tables, those that registers do not reach among them.
 * @param uarch NULL: of this machine, with the counters that it has; "kernel": those of this machine's
 *   kernel (perf), by family, then by number. The machine need not be open for these: then the tree
 *   that was chosen is looked at.
 * @return NULL past the end, or where nothing is known.
 */
const struct uncoremsr_pmu *uncoremsr_pmu(struct uncoremsr *um, const char *uarch, size_t index);

/** What can be asked about a PMU. */
enum uncoremsr_pmu_property {
	/* Texts. */
	UNCOREMSR_PMU_NAME,             /* "cbo", with units "cbo0", "cbo1"; the kernel's: "uncore_cha_3" */
	UNCOREMSR_PMU_DESCRIPTION,
	UNCOREMSR_PMU_KERNEL_NAME,      /* what Linux calls it ("uncore_cbox"), without the number of a unit */
	UNCOREMSR_PMU_ALIAS,            /* a second name that the kernel's may have */
	/*
	 * Where its counters are: "msr" (this library reaches them), "pci" (configuration space), "mmio"
	 * (memory), "discovery" (at addresses that a table in memory tells), "kernel". For those other
	 * than "msr" the kernel's perf is the way, and only names and description are known here.
	 */
	UNCOREMSR_PMU_REACH,
	UNCOREMSR_PMU_SCOPE,            /* "package", "die", "node", "l3", "core", "cpu": has one set of units */
	UNCOREMSR_PMU_UNITS_FROM,       /* who tells their number: "table", "cores", "register", "cpuid", or
					 * "probe" (those that answer) */
	UNCOREMSR_PMU_NOTE,             /* what a user has to know before trusting its counts */
	UNCOREMSR_PMU_SOURCE,           /* where the facts come from; "" where registers do not reach it */
	/* Numbers. */
	UNCOREMSR_PMU_UNITS,            /* the most units per scope; how many there are is seen when counting */
	UNCOREMSR_PMU_GENERAL_COUNTERS, /* of a unit; of the core PMU the most there can be */
	UNCOREMSR_PMU_GENERAL_WIDTH,    /* bits */
	UNCOREMSR_PMU_FIXED_COUNTERS,   /* of a unit: that count one thing, free-running ones among them */
	UNCOREMSR_PMU_UNVERIFIED,       /* 1: the addresses come from one source and were never seen to work */
	UNCOREMSR_PMU_TYPE,             /* the kernel's number for it, which may differ from boot to boot */
};
const char *uncoremsr_pmu_text(const struct uncoremsr_pmu *pmu, enum uncoremsr_pmu_property property);
/** @return 0; -ENODATA, and @p v is left alone; -EINVAL. */
int uncoremsr_pmu_number(const struct uncoremsr_pmu *pmu, enum uncoremsr_pmu_property property,
			 uint64_t *v);
/**
 * A fixed counter.
 * @param width bits. @param free_running 1 when it cannot be switched off or set, else 0.
 * @return the event it counts ("UNC_CLOCK.SOCKET"), or NULL past the last one.
 */
const char *uncoremsr_pmu_fixed_event(const struct uncoremsr_pmu *pmu, size_t index,
				      const char **desc, unsigned *width, int *free_running);
/**
 * A term of the event language, named as in the kernel's format files.
 * @param desc "" for the kernel's PMUs. @param bits how many bits its value has.
 * @return its name ("umask"), or NULL past the last one.
 */
const char *uncoremsr_pmu_term(const struct uncoremsr_pmu *pmu, size_t index, const char **desc,
			       unsigned *bits);

/* -------------------------------------------------------------- registers */

/** Registers of a processor, in address order.
 * @param uarch "thermal": those that show on this machine's processor whether it is slowed down
 *   (uncoremsr/throttle.h), as CPUID has it; "platform": all that the model may have, and a few more
 *   about power and the core counters;
 *   "platform:NAME": those that any processor of that name has. CPUID may still say that one of them is
 *   not there.
 * @return NULL past the end, or without tables. */
const struct uncoremsr_register *uncoremsr_register(struct uncoremsr *um, const char *uarch,
						     size_t index);

enum { UNCOREMSR_FIXED_COUNTERS = 32 };

/** What can be asked about a register. */
enum uncoremsr_register_property {
	/* Texts. */
	UNCOREMSR_REGISTER_NAME,        /* in the manuals, without MSR_; unique within a processor */
	UNCOREMSR_REGISTER_DESCRIPTION,
	UNCOREMSR_REGISTER_ACCESS,      /* what hardware allows: "read/write", "read only", "write only" */
	UNCOREMSR_REGISTER_SCOPE,       /* how many copies: "package", "die", "node", "l3", "core", "cpu" */
	UNCOREMSR_REGISTER_SOURCE,      /* where the facts come from */
	UNCOREMSR_REGISTER_PMU,         /* the PMU that it belongs to; NULL: none, or several */
	UNCOREMSR_REGISTER_PART,        /* "uncore", "core", "platform" */
	/* Numbers. */
	UNCOREMSR_REGISTER_ADDRESS,     /* MSR number */
	UNCOREMSR_REGISTER_WRITE_MASK,  /* bits that may be written; 0: this library never writes it */
	UNCOREMSR_REGISTER_VALID,       /* bits that exist; the others are reserved */
	UNCOREMSR_REGISTER_READS_ZERO,  /* bits that can be written and always read 0 */
	UNCOREMSR_REGISTER_IS_SELECTOR, /* 1: it chooses what a general counter counts */
	UNCOREMSR_REGISTER_COUNTER,     /* whose selector, control or count it is: general counters from 0,
					 * fixed ones from UNCOREMSR_FIXED_COUNTERS; none: no one's, or several
					 * counters' */
	UNCOREMSR_REGISTER_INTERRUPTS,  /* bits that have a counter interrupt its CPU when it wraps */
	UNCOREMSR_REGISTER_COUNTER_BITS, /* bits that each counter has in it; 1: bit n is of counter n, as
					 * above; more: of fixed counters alone; none: no bits of several */
	UNCOREMSR_REGISTER_ENABLES_ALL, /* 1: bits of it let counters of all units run, or stop them */
	UNCOREMSR_REGISTER_FULL_WIDTH,  /* 1: a counter that another address has as well; it is there where
					 * UNCOREMSR_CORE_FULL_WIDTH is */
};
const char *uncoremsr_register_text(const struct uncoremsr_register *reg,
				    enum uncoremsr_register_property property);
/** @return 0; -ENODATA, and @p v is left alone; -EINVAL. */
int uncoremsr_register_number(const struct uncoremsr_register *reg,
			      enum uncoremsr_register_property property, uint64_t *v);
/** Fields of a register, from the lowest bit up. @return the name, or NULL past the last one. */
const char *uncoremsr_register_field(const struct uncoremsr_register *reg, size_t index,
				     unsigned *shift, unsigned *width, const char **desc);
/**
 * What an address means on processors of other kinds; their tables are not used for anything.
 * @return the meaning in words, or NULL past the last one.
 */
const char *uncoremsr_collision(uint32_t msr, size_t index, uint32_t *first, uint32_t *last,
				const char **processors, const char **source);

/* ----------------------------------------------------------------- events */

/**
 * Named events, source by source: the built-in tables (PMU by PMU, in the order of the names), perf's
 * own names, event lists, and what the kernel's PMUs bring ("events" in sysfs), those of the units of
 * one family once.
 * @param uarch with a name only its tables and the event lists.
 * @return NULL past the end.
 */
const struct uncoremsr_event *uncoremsr_event(struct uncoremsr *um, const char *uarch, size_t index);
/** 0: there are built-in names for the events of a processor; else what
 * uncoremsr_event_find() would return, with its sentence. */
int uncoremsr_event_tables(struct uncoremsr *um, const char *uarch);
/**
 * Events by name, in any spelling of uncoremsr-events(7), or by pattern; in the order of
 * uncoremsr_event().
 * @param fn stops when it returns other than 0; NULL: only count them.
 * @return how many; -ENOENT none of that name, with near ones in uncoremsr_hint() (class USAGE);
 *   -EINVAL a pattern that is not understood, or no such processor (class USAGE); -ENOTSUP the
 *   processor has no tables and no other source has the name (class UNSUPPORTED); -ENOMEM; or what
 *   @p fn returned.
 */
int uncoremsr_event_find(struct uncoremsr *um, const char *uarch, const char *text,
			 int (*fn)(void *user, const struct uncoremsr_event *event), void *user);

/** What can be asked about a named event, as far as its source knows. */
enum uncoremsr_event_property {
	/* Texts. */
	UNCOREMSR_EVENT_NAME,        /* "UNC_L3_HITS.READ", "uncore_imc/cas_count_read/": it can be counted so */
	UNCOREMSR_EVENT_FROM,        /* "table", "list" (an event list), "imc" (a catalog of POWER's), "kernel", "perf" (names perf has everywhere),
				      * "fixed" (what fixed and free-running counters count) */
	UNCOREMSR_EVENT_UARCH,       /* table: the processor whose event it is */
	UNCOREMSR_EVENT_PMU,         /* "cbo"; of lists and the kernel without the number of a unit: "uncore_cha" */
	UNCOREMSR_EVENT_DESCRIPTION, /* what it counts: a sentence, without full stop in tables */
	UNCOREMSR_EVENT_UNIT,        /* the part of the uncore ("GQ", "QMC", "C-box"), or the list's word: "CHA";
				      * imc: the node of the device tree, "mcs01@c8" */
	UNCOREMSR_EVENT_KIND,        /* table: "count", "cycles", "occupancy" or "clock" */
	UNCOREMSR_EVENT_NOTE,        /* table: a trap one should know about */
	UNCOREMSR_EVENT_MANUAL,      /* table: where Intel lists the events of this processor */
	UNCOREMSR_EVENT_TERMS,       /* list, imc, kernel: "event=0x35,umask=0x21", in words of the PMU's format files */
	UNCOREMSR_EVENT_COUNTERS,    /* list: who can count it ("0,1,2,3", "Fixed counter 1") */
	UNCOREMSR_EVENT_IMPOSSIBLE,  /* list, imc: why the kernel cannot count it; NULL where it can */
	UNCOREMSR_EVENT_MEASURE,     /* kernel, imc: "MiB", what a count times the scale is in */
	UNCOREMSR_EVENT_SCALE,       /* kernel, imc: "6.103515625e-5", what a count is multiplied with */
	UNCOREMSR_EVENT_LEVEL,       /* imc: "nest", "core", "thread" or "trace": who is counted */
	/* Numbers. */
	UNCOREMSR_EVENT_SELECT,      /* table, list: event select; not of what only a fixed counter counts */
	UNCOREMSR_EVENT_UNIT_MASK,
	UNCOREMSR_EVENT_WORD,        /* table: for the selector, or the control of the fixed counter; on port 0 */
	UNCOREMSR_EVENT_PORTS,       /* table: that many ports have it, and one has to be named (R-box) */
	UNCOREMSR_EVENT_EXTRA_REGISTER, /* table: has to be set besides the selector (the first one, of unit 0) */
	UNCOREMSR_EVENT_EXTRA_VALUE, /* table: to this; unknown where the caller has to choose */
	UNCOREMSR_EVENT_OFFSET,      /* imc: bytes from the beginning of its unit's memory to the counter */
	UNCOREMSR_EVENT_UNCORE,      /* kernel, imc: 1 when it counts for a package or die, 0 for a CPU */
	UNCOREMSR_EVENT_DEPRECATED,  /* list: 1 for a name that is only kept for compatibility */
	UNCOREMSR_EVENT_HIDDEN,      /* list, imc: 1 when one before it has the same name, and is meant by it */
	UNCOREMSR_EVENT_CORE_TYPE,   /* list, hybrid processors: kind of core (CPUID leaf 0x1a), 0x40 or 0x20 */
};

const char *uncoremsr_event_text(const struct uncoremsr_event *event,
				 enum uncoremsr_event_property property);
/** @return 0; -ENODATA, and @p v is left alone; -EINVAL. */
int uncoremsr_event_number(const struct uncoremsr_event *event,
			   enum uncoremsr_event_property property, uint64_t *v);
/** Who gives an event of the tables these codes: "sdm", "freebsd", "libpfm4", "likwid", "kernel", "pcm",
 * "guide" (Intel Xeon 7500 uncore programming guide), "perfmon" (intel/perfmon); NULL past the last. */
const char *uncoremsr_event_source(const struct uncoremsr_event *event, size_t index);
/** Who lists the name with other codes, and which; NULL past the last one. */
const char *uncoremsr_event_dispute(const struct uncoremsr_event *event, size_t index,
				    unsigned *event_select, unsigned *unit_mask);
/**
 * How another tool spells the name of an event of the tables.
 * @param who "libpfm4", "likwid" or "freebsd".
 * @return its length, as snprintf() does; -ENOENT they do not have it.
 */
int uncoremsr_event_spelling(const struct uncoremsr_event *event, const char *who, char *buf,
			     size_t size);
/** What a source lists for a processor and the tables leave out: its name there; NULL past the end. */
const char *uncoremsr_event_left_out(const char *uarch, size_t index, const char **who,
				     unsigned *event_select, unsigned *unit_mask, const char **why);
/**
 * What a word of a core selector is called on a processor: by the event lists that were added, else by
 * the few names that are known here, or by the architectural events; with these very fields (event select,
 * unit mask, edge, any, inv, cmask).
 * @param core_type set to the kind of core that the name is for (UNCOREMSR_EVENT_CORE_TYPE); 0: any.
 * @return NULL past the last one: no name is known for this processor.
 */
const char *uncoremsr_core_event_name(struct uncoremsr *um, const char *uarch, uint64_t word,
				      size_t index, unsigned *core_type);

/* ------------------------------------------------------------ event lists */

/*
 * The JSON files of intel/perfmon, in the old form (an array) and the new one (Header and Events), plain
 * or compressed by gzip. For POWER the catalogs of in-memory collection counters: device trees, flat (.dtb),
 * as source text (.dts, which a child process, dtc, compiles) or as folders (proc/device-tree). The
 * machine's own is found by itself. Choosing another machine forgets them.
 */

/** Where a copy of the vendor's lists is looked for. */
#define UNCOREMSR_EVENT_LISTS "/var/lib/uncoremsr/events"

/**
 * Say for which processor event lists are chosen, instead of the machine's. It is written as in
 * mapfile.csv and in perf's PERF_CPUID: "GenuineIntel-6-55-4", family decimal, model and stepping
 * hexadecimal; the stepping may be left out. Or POWER's processor version register: "0x004e1202".
 * @return 0; -EINVAL; -ENOMEM.
 */
int uncoremsr_event_list_set_cpu(struct uncoremsr *um, const char *cpu);
/**
 * Add event lists: of a file, or those of a directory that are for this processor, found through its
 * mapfile.csv, or by names as "GenuineIntel-6-55-4-core.json"; a catalog, or one of a directory of catalogs called
 * "NAME.4E0200.dtb", by the processor version register. Where several lists have an event the one added
 * first counts.
 * @param path NULL: the installed copy, UNCOREMSR_EVENT_LISTS.
 * @return how many files; -ENOENT (or another errno of open(2)) no such file, or none for this
 *   processor; -ENODATA the processor is unknown; -EINVAL it is no such list (the line is named);
 *   -ENOTSUP the library was built without JSON or libfdt, or there is no dtc; -ENOMEM.
 */
int uncoremsr_event_list_add(struct uncoremsr *um, const char *path);
/**
 * Do not look for the machine's own catalog of in-memory counters: events that it describes are then
 * listed as the kernel shows them (UNCOREMSR_EVENT_FROM "kernel"). Before anything is listed or found.
 * @return 0; -EINVAL NULL; -ENOMEM.
 */
int uncoremsr_event_list_ignore_own(struct uncoremsr *um);
/** The files that were added, and their version ("" unknown). NULL past the end. */
const char *uncoremsr_event_list_file(const struct uncoremsr *um, size_t index,
				      const char **version);
/**
 * Why an entry of the JSON lists was left out: it has no name, or a field of it cannot be read or has more bits
 * than the register has room for. Such an entry is no event, cannot be found and is never counted.
 * @return -EINVAL, with file, line, event and field in uncoremsr_errmsg(); 0 past the end; -EINVAL NULL.
 */
int uncoremsr_event_list_refused(struct uncoremsr *um, size_t index);
/**
 * Add every event of the lists (uncoremsr_event_list_add()) in their order, deprecated ones too. Each
 * takes a route of its own. An event that cannot be counted here is left out; a name that is in several
 * places is added once, as the first of them.
 * @param left_out gets each event that was left out, with the reason in one sentence that is valid
 *   during the call. NULL: the reasons are logged as warnings.
 * @return how many were added, which may be 0; -ENOENT there are no lists; -EBUSY the session runs;
 *   -ENOMEM: those before it have been added.
 */
int uncoremsr_session_add_listed(struct uncoremsr_session *s,
				 void (*left_out)(void *user,
						  const struct uncoremsr_event *event,
						  const char *why),
				 void *user);

/* -------------------------------------------------------------- encodings */

/**
 * What a text of the event language (uncoremsr-events(7)) becomes. Nothing is counted.
 * @param route UNCOREMSR_ROUTE_MSR: words of registers; UNCOREMSR_ROUTE_PERF: what perf_event_open(2)
 *   takes, one encoding for each unit of each event; UNCOREMSR_ROUTE_AUTO: words of registers, or else
 *   what the kernel takes.
 * @param uarch of the registers; "core": the core PMU alone, which the tables of Intel's have as well.
 * @param fn gets the encodings in the order written, each valid during the call; stops when it returns
 *   other than 0.
 * @return how many events; -EINVAL the text is malformed; -ENOENT no such event or PMU; -ENOTSUP the
 *   processor is not in the tables, the PMU is out of reach of MSRs, or the kernel cannot express it;
 *   -EACCES the number of a tracepoint may not be read; -ENOMEM; or what @p fn returned.
 */
int uncoremsr_encode(struct uncoremsr *um, enum uncoremsr_route route, const char *uarch,
		     const char *text,
		     int (*fn)(void *user, const struct uncoremsr_encoding *encoding), void *user);

/** What can be asked about an encoding. */
enum uncoremsr_encoding_property {
	/* Texts. */
	UNCOREMSR_ENCODING_ROUTE,       /* "msr" or "perf" */
	UNCOREMSR_ENCODING_NAME,        /* msr: canonical, with modifiers, "0x82:0x3" where there is none;
					 * perf: as written, or what name=TEXT says */
	UNCOREMSR_ENCODING_FROM,        /* the source of the name, see UNCOREMSR_EVENT_FROM; NULL: codes */
	UNCOREMSR_ENCODING_PMU,         /* "cbo"; the kernel's unit: "uncore_cha_3" */
	UNCOREMSR_ENCODING_FAMILY,      /* perf: the PMU without the number of the unit: "uncore_cha" */
	UNCOREMSR_ENCODING_DESCRIPTION, /* of what has a name and a description */
	UNCOREMSR_ENCODING_MODIFIERS,   /* perf, as in perf-list(1): "u", "kppD"; "" none */
	UNCOREMSR_ENCODING_CPUS,        /* perf: files cpumask or cpus of the unit; NULL: any CPU */
	UNCOREMSR_ENCODING_SCALE,       /* perf: what a count is multiplied with: "1", "6.103515625e-05" */
	UNCOREMSR_ENCODING_MEASURE,     /* perf: what is measured then: "MiB" */
	UNCOREMSR_ENCODING_KERNEL_SCALE, /* as UNCOREMSR_COUNTED_KERNEL_SCALE */
	UNCOREMSR_ENCODING_TERMS,       /* msr: of a general counter, as terms of Linux's driver, with what
					 * was added: "event=0x34,umask=0x11,filter_state=0x7f"; NULL: that
					 * cannot count it, or would count another one */
	/* Numbers. */
	UNCOREMSR_ENCODING_GROUP,       /* events of one group are counted at the same time */
	UNCOREMSR_ENCODING_WORD,        /* msr: for the selector, or the control of the fixed counter */
	UNCOREMSR_ENCODING_FIXED,       /* msr: 1 when only a fixed counter counts it, else 0 */
	UNCOREMSR_ENCODING_COUNTERS,    /* msr: general counters that can count it, bit n is counter n */
	UNCOREMSR_ENCODING_UNIT,        /* msr: the unit asked for ("cbo3": 3); perf: counted from 0 */
	UNCOREMSR_ENCODING_UNITS,       /* perf: units of the event */
	UNCOREMSR_ENCODING_EVENT,       /* which event of the text it is, counted from 0 */
	/* MSRs of the selector (none: free running) and the counter: of its unit or the first one, and of
	 * the lowest counter that can count it. */
	UNCOREMSR_ENCODING_SELECTOR,
	UNCOREMSR_ENCODING_SELECTOR_MASK, /* bits of the selector's register that are this counter's */
	UNCOREMSR_ENCODING_ENABLE,      /* those that switch it on; none: any bit of the word does */
	UNCOREMSR_ENCODING_COUNTER,
	UNCOREMSR_ENCODING_TYPE,        /* perf: members of struct perf_event_attr */
	UNCOREMSR_ENCODING_CONFIG,
	UNCOREMSR_ENCODING_CONFIG1,
	UNCOREMSR_ENCODING_CONFIG2,
	UNCOREMSR_ENCODING_CONFIG3,
	/* Texts again; msr: what other programs call it, NULL: they have no word that counts the same, or we do
	 * not know it. */
	UNCOREMSR_ENCODING_IN_PERF,     /* "uncore_cbox/config=0x1134/", "r1b1:u" */
	UNCOREMSR_ENCODING_IN_LIKWID,   /* "UNC_L3_HITS_READ:UPMC0" */
	UNCOREMSR_ENCODING_IN_LIBPFM4,  /* "wsm_unc::UNC_LLC_HITS:READ" */
};
const char *uncoremsr_encoding_text(const struct uncoremsr_encoding *encoding,
				    enum uncoremsr_encoding_property property);
/** @return 0; -ENODATA, and @p v is left alone; -EINVAL. */
int uncoremsr_encoding_number(const struct uncoremsr_encoding *encoding,
			      enum uncoremsr_encoding_property property, uint64_t *v);
/** What was added or left out without being asked for (defaults, the interrupt bit), as sentences.
 * @return NULL past the last one. */
const char *uncoremsr_encoding_remark(const struct uncoremsr_encoding *encoding, size_t index);

/** Why a register besides selector and counter has to be set. */
enum uncoremsr_register_use {
	UNCOREMSR_USE_EVENT,   /* the event needs it: a filter, a match (value 0 where the tables do not
				* know it: the caller chooses) */
	UNCOREMSR_USE_SWITCH,  /* the counter's own switch: no other counter needs these bits */
	UNCOREMSR_USE_SHARED,  /* what all counters behind it need */
};
/**
 * Registers whose bits @p mask have to be @p value for the event to be counted, in the order of
 * writing. @return the MSR, or 0 past the last one.
 */
uint32_t uncoremsr_encoding_register(const struct uncoremsr_encoding *encoding, size_t index,
				     enum uncoremsr_register_use *use, uint64_t *mask,
				     uint64_t *value);
/** The named event behind it, or NULL. */
const struct uncoremsr_event *uncoremsr_encoding_event(const struct uncoremsr_encoding *encoding);

/* ---------------------------------------------------------------- metrics */

/**
 * The metrics of a processor (a name; NULL: an unknown one), then those of the metric files among the
 * handle's event lists (@p um may be NULL: none).
 * @return it belongs to the library or the handle; NULL past the end, or the files are damaged: see
 *   uncoremsr_errmsg().
 */
const struct uncoremsr_metric *uncoremsr_metric(struct uncoremsr *um, const char *uarch, size_t index);
/** What can be asked about a metric: texts. */
enum uncoremsr_metric_property {
	UNCOREMSR_METRIC_NAME,    /* "memory-bandwidth" */
	UNCOREMSR_METRIC_TITLE,   /* what it tells, in a few words */
	UNCOREMSR_METRIC_MEASURE, /* "GB/s", "%", "GHz", "W", "clocks", "ns", "instructions/cycle" */
	UNCOREMSR_METRIC_FORMULA, /* from events and dt, the seconds of the interval; uncoremsr-metrics(7) */
	UNCOREMSR_METRIC_NOTE,    /* a trap one should know about, or "" */
	UNCOREMSR_METRIC_SOURCES, /* where the formula comes from */
};
const char *uncoremsr_metric_text(const struct uncoremsr_metric *m,
				  enum uncoremsr_metric_property property);
/** What any machine of its processors can physically do on a package. @return 0; -EINVAL. */
int uncoremsr_metric_bounds(const struct uncoremsr_metric *m, double *low, double *high);

/**
 * Add metrics, before uncoremsr_session_start(). The events of one metric are counted at the same
 * time where the counters allow it. Those that the session does not have yet become events of it, behind
 * the others; an event that it has already is shared where it can be counted together with the rest.
 * @param text one or several names or patterns ("throttled-*") separated by commas; "default" are those
 *   that are asked first. What a pattern stands for and cannot be counted here is left out, with one warning
 *   for the pattern. A name among several is kept without a value: it is UNCOREMSR_NOT_COUNTED, with the reason.
 * @return how many can be counted of those that were added (one that is there already is not added again);
 *   or, and then none was added:
 *   -EINVAL  there is nothing between two commas, or a name is too long (class USAGE)
 *   -ENOENT  no metric of that name on this machine (class USAGE)
 *   -EBUSY   the session runs
 *   -ENOMEM
 *   or why an event of the only one, or of the first of several of which none can be counted, cannot be
 *   counted here: see uncoremsr_session_add()
 */
int uncoremsr_session_add_metric(struct uncoremsr_session *s, const char *text);
/** A metric of the session, in the order in which they were added; NULL past the end. */
const struct uncoremsr_metric *uncoremsr_session_metric(const struct uncoremsr_session *s,
							size_t metric);
/**
 * Are all events of a metric counted on CPUs, so that it has values of cores, sets of CPUs and tasks?
 * @return 1; 0; -ENODATA it cannot be counted here; -EINVAL past the end
 */
int uncoremsr_session_metric_on_cpus(const struct uncoremsr_session *s, size_t metric);
/**
 * A place of such a metric besides packages.
 * @param index as for uncoremsr_session_sum(); a core and a CPU are those of a unit of the metric's first event
 * @return what stands for the place in the calls below, instead of a package's index; SIZE_MAX past the end,
 *   for a metric that has none, and before uncoremsr_session_start()
 */
size_t uncoremsr_session_metric_place(const struct uncoremsr_session *s, size_t metric,
				      enum uncoremsr_place place, size_t index);
/**
 * What a metric was on a package, worked out now from the readings of its events.
 * @param package an index, as for uncoremsr_session_package(); their number stands for the whole machine:
 *   the formula over all of them; or uncoremsr_session_metric_place() (the same for the calls below).
 * @param value the number; left alone unless the status is OK. May be NULL.
 * @param detail what was wrong, as a sentence, "" when the status is OK; valid until the next call for
 *   the same metric, package and span, and on cores, sets and CPUs for any of them. May be NULL.
 * @return UNCOREMSR_OK, IMPLAUSIBLE, UNDEFINED, or the status of the first event that was not counted;
 *   NOT_COUNTED also if it cannot be counted here, past the end, and before uncoremsr_session_start().
 */
enum uncoremsr_status uncoremsr_session_metric_value(const struct uncoremsr_session *s, size_t package,
						     size_t metric, double *value,
						     const char **detail, enum uncoremsr_span span);
/** What this machine can physically do there, in the metric's unit; a value outside is
 * UNCOREMSR_IMPLAUSIBLE. Clocks of cores are bounded by what the kernel's files say they reach.
 * @param low, high may be NULL. @return 0; -EINVAL past the end, and before uncoremsr_session_start(). */
int uncoremsr_session_metric_bounds(const struct uncoremsr_session *s, size_t package, size_t metric,
				    double *low, double *high);
/** Its times (UNCOREMSR_READING_TIME_NS and the like); of several events the shortest running time.
 * UNCOREMSR_READING_UNITS, UNITS_KNOWN: of the event that knows least. 0: none. */
uint64_t uncoremsr_session_metric_ns(const struct uncoremsr_session *s, size_t package, size_t metric,
				     enum uncoremsr_reading_number which, enum uncoremsr_span span);
/**
 * What it was worked out from: a number for each event and constant of its formula.
 * @param name as the formula has it. @param event its place among the session's events; SIZE_MAX: a constant.
 * @param number what the formula was given. All three may be NULL.
 * @return 0; -ENODATA the number is not known; -EINVAL past the end, and before uncoremsr_session_start()
 */
int uncoremsr_session_metric_input(const struct uncoremsr_session *s, size_t package, size_t metric,
				   size_t input, enum uncoremsr_span span, const char **name,
				   size_t *event, double *number);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif

#endif
