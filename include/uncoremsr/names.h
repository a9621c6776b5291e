/* SPDX-License-Identifier: LGPL-2.1-or-later */
/**
 * @file uncoremsr/names.h
 * Names and encodings of what can be counted: PMUs, registers, events, event lists, metrics. Rules about
 * errors, threads and ownership: uncoremsr.h.
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

/*
 * The parameter @p uarch is the name of a processor as in struct uncoremsr_uarch, or "core" for the
 * architectural core PMU of all processors; NULL means this machine's processor. With a name, neither an open
 * machine nor a driver nor any permission is needed: a handle from uncoremsr_new() is enough.
 */

/* ------------------------------------------------------------------- PMUs */

/** A processor that this library knows by name. */
struct uncoremsr_uarch {
	size_t size;
	char name[24];              /* "westmere" */
	int tables;                 /* 1: there are tables of its uncore, so this library can program it */
};
/** A processor by index; the order has no meaning. @return valid for ever; NULL past the end. */
const struct uncoremsr_uarch *uncoremsr_uarch(size_t index);

/** A counter that can count only one event. */
struct uncoremsr_fixed_counter {
	size_t size;
	const char *event;          /* the event it counts, "UNC_CLOCK.SOCKET" */
	const char *description;
	int width;                  /* bits */
	int free_running;           /* 1 if the counter cannot be switched off or set, else 0 */
};
/** A term of the event language, named as in the kernel's format files. */
struct uncoremsr_term {
	size_t size;
	const char *name;           /* "umask" */
	const char *description;    /* "" for terms of the kernel's PMUs */
	int bits;                   /* number of bits of the value */
};
/** A PMU. If MSRs do not reach it, scope, units_from and all numbers are unknown, except the kernel's type number. */
struct uncoremsr_pmu {
	size_t size;
	const char *name;           /* "cbo" (its units are "cbo0", "cbo1"); for the kernel's PMUs "uncore_cha_3" */
	const char *description;
	const char *kernel_name;    /* name in Linux ("uncore_cbox"), without the number of a unit */
	const char *alias;          /* second name of a kernel's PMU, if it has one */
	/* Where the PMU's counters are: "msr" (this library counts them), "pci" (configuration space), "mmio" (memory),
	 * "discovery" (at addresses from a table in memory), "kernel". All but "msr" are counted by the kernel's perf;
	 * the tables have only their names and descriptions. */
	const char *reach;
	const char *scope;          /* "package", "die", "node", "l3", "core", "cpu": each of these has one set of
				     * units */
	const char *units_from;     /* source of the number of units: "table", "cores", "register", "cpuid", or "probe"
				     * (units that answer) */
	const char *note;           /* what users must know before they trust the PMU's counts */
	const char *source;         /* where the facts come from; "" if MSRs cannot reach the PMU */
	int units;                  /* largest number of units per scope; the actual number is found when counting
				     * starts */
	int general_counters;       /* number of general counters per unit; for the core PMU, the maximum */
	int general_width;          /* bits */
	int fixed_counters;         /* number of counters per unit with a fixed event, including free-running ones */
	int unverified;             /* 1: the addresses come from a single source and were never tested on hardware */
	uint64_t type;              /* type number in the kernel, which may differ from boot to boot */
	const struct uncoremsr_fixed_counter *const *fixed; /* ends with NULL */
	const struct uncoremsr_term *const *terms; /* ends with NULL */
};

/**
 * The PMUs of a processor, in the order of the tables, including those that MSRs cannot reach.
 * @param uarch NULL: PMUs of this machine, with the counters that it has. "kernel": PMUs of this machine's
 *   kernel (perf), sorted by family, then by number; for these the machine need not be open, only chosen.
 * @return NULL past the end, or if no PMU is known. PMUs of the kernel are valid until the machine is opened or chosen
 *   again.
 */
const struct uncoremsr_pmu *uncoremsr_pmu(struct uncoremsr *um, const char *uarch, size_t index);

/* -------------------------------------------------------------- registers */

enum { UNCOREMSR_FIXED_COUNTERS = 32 };

/** A field of a register. */
struct uncoremsr_field {
	size_t size;
	const char *name;
	const char *description;
	unsigned shift;             /* number of the field's lowest bit */
	unsigned width;             /* bits */
	uint64_t mask;              /* the field's bits in the register */
};
/** A register. */
struct uncoremsr_register {
	size_t size;
	const char *name;           /* name in the manuals, without MSR_; unique within a processor */
	const char *description;
	const char *access;         /* access that hardware allows: "read/write", "read only", "write only", "read,
				     * write 1 to clear" */
	const char *scope;          /* "package", "die", "node", "l3", "core", "cpu": each of these has one copy */
	const char *source;         /* where the facts come from */
	const char *pmu;            /* the PMU that the register belongs to; NULL: none or several */
	const char *part;           /* "uncore", "core", "platform" */
	uint32_t address;           /* MSR number */
	int is_selector;            /* 1: selects the event of a general counter */
	int enables_all;            /* 1: has bits that start or stop counters of all units */
	int full_width;             /* 1: a second address of a counter, for full-width writes; exists only on
				     * cores whose struct uncoremsr_core_kind has full_width 1 */
	uint64_t write_mask;        /* bits that this library may write; 0: it never writes the register */
	uint64_t valid;             /* bits that exist; the others are reserved */
	uint64_t reads_zero;        /* bits that can be written but always read as 0 */
	uint64_t interrupts;        /* bits that let a counter interrupt its CPU when it wraps */
	int counter;                /* index of the counter that the register selects, controls or holds: general
				     * counters from 0, fixed ones from UNCOREMSR_FIXED_COUNTERS; -1: none or several */
	int counter_bits;           /* in a register that several counters share, number of bits per counter: 1 if bit n
				     * belongs to counter n (see "counter"), more for fixed counters; 0 in other
				     * registers */
	const struct uncoremsr_field *const *fields; /* the lowest bits first; ends with NULL */
};
/** Registers of a processor, sorted by address.
 * @param uarch also "thermal": registers that show throttling on this machine (uncoremsr/throttle.h), if
 *   CPUID says that they exist; "platform": all that this model may have, and a few more about power and
 *   core counters; "platform:NAME": those of any processor of that name. The last two also list
 *   registers that do not exist according to CPUID.
 * @return NULL past the end, or if the processor has no tables. */
const struct uncoremsr_register *uncoremsr_register(struct uncoremsr *um, const char *uarch,
						     size_t index);

/** Meaning of a range of MSR addresses on some processors, for information only; the library does not use it. */
struct uncoremsr_collision {
	size_t size;
	uint32_t first;             /* the range of addresses, both inclusive */
	uint32_t last;
	const char *processors;
	const char *meaning;
	const char *source;
};
/** A range that has the address @p msr, by index; NULL past the last one. */
const struct uncoremsr_collision *uncoremsr_collision(uint32_t msr, size_t index);

/* ----------------------------------------------------------------- events */

/**
 * Named events, source by source: the built-in tables (PMU by PMU, sorted by name), perf's own names, event
 * lists, and events of the kernel's PMUs ("events" in sysfs). If units of a family have the same event, it
 * is listed once.
 * @param uarch with a name: only that processor's tables and the event lists.
 * @return NULL past the end. Events of the kernel are valid until the machine is opened or chosen again, those of
 *   event lists until it is chosen again.
 */
const struct uncoremsr_event *uncoremsr_event(struct uncoremsr *um, const char *uarch, size_t index);
/** @return 0 if the tables have events for the processor; else the error, with a message, that uncoremsr_event_find()
 * would return. */
int uncoremsr_event_tables(struct uncoremsr *um, const char *uarch);
/**
 * Find events by name, in any spelling of uncoremsr-events(7), or by pattern; in the order of uncoremsr_event(). A name
 * in the lists of several kinds of cores is one event for each kind. If no event has the name, metrics are searched.
 * @param fn is called for each event; a return value other than 0 ends the search. NULL: only count them.
 * @return number of events; -ENOENT no event of that name, similar names are in the hint of uncoremsr_error() (class
 *   USAGE); -EINVAL a malformed pattern, or no such processor (class USAGE); -ENOTSUP the processor has no
 *   tables and no other source has the name (class UNSUPPORTED); -ENOMEM; or what
 *   @p fn returned.
 */
int uncoremsr_event_find(struct uncoremsr *um, const char *uarch, const char *text,
			 int (*fn)(void *user, const struct uncoremsr_event *event), void *user);

/** Codes of an event in a source that disagrees with the tables, or that lists an event that the tables do not have. */
struct uncoremsr_other_codes {
	size_t size;
	const char *source;         /* name of the source, as in "sources" of struct uncoremsr_event */
	unsigned event_select;
	unsigned unit_mask;
	const char *name;           /* name of the event in the source; NULL except from uncoremsr_event_left_out() */
	const char *why;            /* why the tables omit the event; NULL except from uncoremsr_event_left_out() */
};

/** What another program calls an event or an encoding. */
struct uncoremsr_spelling {
	size_t size;
	const char *program;        /* "perf", "likwid", "libpfm4", "freebsd" */
	const char *text;
};

/** A named event. If only some sources set a member, its comment names them first ("list: ..."). */
struct uncoremsr_event {
	size_t size;
	const char *name;           /* "UNC_L3_HITS.READ", "uncore_imc/cas_count_read/": a text for
				     * uncoremsr_session_add() */
	const char *from;           /* source: "table", "list" (an event list), "imc" (a catalog of POWER's),
				     * "kernel", "perf" (names that perf has on every machine), "fixed" (events of
				     * fixed and free-running counters), "metric" */
	const char *uarch;          /* table, fixed: the processor that has the event */
	const char *pmu;            /* "cbo"; list, kernel: without the number of a unit, "uncore_cha" */
	const char *description;    /* a sentence; without full stop if it is from the tables */
	const char *unit;           /* the part of the uncore: "GQ", "QMC", "C-box"; list: as the list calls it,
				     * "CHA"; imc: the node of the device tree, "mcs01@c8" */
	const char *kind;           /* table: "count", "cycles", "occupancy" or "clock" */
	const char *note;           /* table, metric: a pitfall that users should know */
	const char *manual;         /* table: Intel's document with the events of this processor */
	const char *terms;          /* list, imc, kernel: "event=0x35,umask=0x21", terms as in the PMU's format
				     * files */
	const char *counters;       /* list: counters that can count the event ("0,1,2,3", "Fixed counter 1") */
	const char *impossible;     /* list, imc: why the kernel cannot count the event; NULL if it can */
	const char *measure;        /* kernel, imc, fixed: unit of a count times its scale, "MiB"; metric: "GB/s" */
	const char *scale;          /* kernel, imc, fixed: factor for a count, "6.103515625e-5" */
	const char *level;          /* imc, kernel: level of one of POWER's in-memory counters: "nest", "core",
				     * "thread" or "trace"; NULL for other events */
	const char *formula;        /* metric: formula of events and dt (length of the interval in seconds), see
				     * uncoremsr-metrics(7) */
	const char *formula_from;   /* metric: where the formula comes from */
	/* table: sources of the event's codes: "sdm", "freebsd", "libpfm4", "likwid", "kernel", "pcm", "guide"
	 * (Intel Xeon 7500 uncore programming guide), "perfmon" (intel/perfmon). NULL ends the array, which is
	 * empty for events that are not from the tables. */
	const char *const *sources;
	/* table: names in other programs ("libpfm4", "likwid", "freebsd"), only of programs that have exactly one name
	 * for the event. NULL ends the array. */
	const struct uncoremsr_spelling *const *spellings;
	const struct uncoremsr_other_codes *dispute; /* table: codes in a source that disagrees; NULL: none does */
	uint64_t event_select;      /* table, list, kernel: event code; unknown if only a fixed counter counts it */
	uint64_t unit_mask;
	uint64_t word;              /* table, fixed: contents of the selector, or of the control register of the fixed
				     * counter; of an event with ports, those for port 0 */
	uint64_t extra_register;    /* table: address of the first register that has to be set besides the
				     * selector, in unit 0 */
	uint64_t extra_value;       /* table: value for that register; unknown if the caller has to choose it */
	uint64_t offset;            /* imc, kernel: offset in bytes of an in-memory counter in the memory of its unit */
	int ports;                  /* table: number of ports that have the event; the user must name one of them
				     * (R-box) */
	int uncore;                 /* kernel, imc, fixed: 1 if the event counts a package or die, 0 if it counts a
				     * CPU */
	int deprecated;             /* list: 1 if the name is only kept for compatibility */
	int hidden;                 /* list, imc: 1 if an earlier event has the same name, so that the name stands
				     * for that event */
	int core_type;              /* list, for hybrid processors: kind of core, as in struct uncoremsr_core_kind */
	int on_cpus;                /* uncoremsr_session_metric(): 1 if all events of the metric are counted on CPUs, so
				     * that it has values for cores, sets of CPUs and tasks; unknown if the metric
				     * cannot be counted here */
	double low, high;           /* metric: lowest and highest value that is physically possible on a package of any
				     * processor with this metric; infinite: no bound */
};

/** Event that a source lists for a processor but that the tables leave out; NULL past the end. */
const struct uncoremsr_other_codes *uncoremsr_event_left_out(const char *uarch, size_t index);
/**
 * Name of the event that a core counter counts if @p word is in its selector. Event select, unit mask, edge, any, inv
 * and cmask must all match. The name comes from the event lists that were added, else from the few names in the
 * library, or from the architectural events.
 * @param core_type set to the kind of core that the name is for (its core_type); 0: any.
 * @return NULL past the last name.
 */
const char *uncoremsr_core_event_name(struct uncoremsr *um, const char *uarch, uint64_t word,
				      size_t index, unsigned *core_type);

/* ------------------------------------------------------------ event lists */

/*
 * An event list is a JSON file of intel/perfmon, in the old form (an array) or the new one (Header and
 * Events), plain or compressed with gzip. For POWER it is a catalog of in-memory collection counters: a
 * device tree, flat (.dtb), as source (.dts, compiled by the program dtc in a child process) or as a
 * directory (proc/device-tree). The machine's own catalog is found automatically,
 * unless UNCOREMSR_OWN_CATALOG is 0. Choosing another machine
 * removes the lists.
 */

/** Default directory for a copy of the vendor's lists. */
#define UNCOREMSR_EVENT_LISTS "/var/lib/uncoremsr/events"

/**
 * Choose event lists for this processor instead of the machine's. @p cpu is written as in mapfile.csv and
 * in perf's PERF_CPUID: "GenuineIntel-6-55-4", with decimal family and hexadecimal model and stepping; the
 * stepping is optional. For POWER it is the processor version register: "0x004e1202".
 * @return 0; -EINVAL; -ENOMEM.
 */
int uncoremsr_event_list_set_cpu(struct uncoremsr *um, const char *cpu);
/** @return name of the processor that uncoremsr_event_list_set_cpu() chose, as in struct uncoremsr_uarch; NULL: none
 * was chosen, or this library does not know it. Valid for ever. */
const char *uncoremsr_event_list_uarch(const struct uncoremsr *um);
/**
 * Add event lists: a file, or those files of a directory that are for this processor. These are found through the
 * directory's mapfile.csv, or by names as "GenuineIntel-6-55-4-core.json". For POWER, @p path is a catalog, or a
 * directory with catalogs: the one whose name has the processor version register ("NAME.4E0200.dtb") is used. If
 * several lists have an event, the list that was added first is used.
 * @param path NULL: the installed copy, UNCOREMSR_EVENT_LISTS.
 * @return number of files; -ENOENT (or another errno of open(2)) no such file, or none for this processor;
 *   -ENODATA the processor is unknown; -EINVAL not an event list (the message names the line); -ENOTSUP the
 *   library was built without JSON or libfdt, libuncoremsr-lists cannot be loaded, or dtc is missing; -ENOMEM.
 */
int uncoremsr_event_list_add(struct uncoremsr *um, const char *path);
/** An event list that was added. */
struct uncoremsr_event_list {
	size_t size;
	const char *file;
	const char *version; /* "" if unknown */
	/* Why entries were left out: they have no name, or a field that cannot be read or does not fit into its
	 * register. Such an entry is never found or counted. Each text is a message with file, line, event and field.
	 * NULL ends the array. */
	const char *const *refused;
};
/**
 * An added list: JSON files, then catalogs. On POWER the catalog of the machine's own device tree is listed, too, once
 * names have been asked for; this catalog is valid until UNCOREMSR_OWN_CATALOG is set or the machine is opened.
 * @return valid until another JSON list is added or another machine is chosen; NULL past the end.
 */
const struct uncoremsr_event_list *uncoremsr_event_list(const struct uncoremsr *um, size_t index);
/**
 * Add every event of the lists (uncoremsr_event_list_add()) in their order, including deprecated ones. The
 * route is chosen for each event. An event that cannot be counted on this machine is left out. If a name
 * occurs several times, only the first one is added.
 * @param left_out is called for each event that was left out, with the reason as a sentence that is valid
 *   during the call. NULL: the reasons are logged as warnings.
 * @return number of added events, which may be 0; -ENOENT there are no lists; -EBUSY the session runs;
 *   -ENOMEM (events before that stay added).
 */
int uncoremsr_session_add_listed(struct uncoremsr_session *s,
				 void (*left_out)(void *user,
						  const struct uncoremsr_event *event,
						  const char *why),
				 void *user);

/* -------------------------------------------------------------- encodings */

/** Why another register has to be set besides selector and counter. */
enum uncoremsr_register_use {
	UNCOREMSR_USE_EVENT,   /* a filter or match register that the event needs. The value is 0 if the tables have
			        * none; then the caller chooses it */
	UNCOREMSR_USE_SWITCH,  /* an enable bit of this counter only */
	UNCOREMSR_USE_SHARED,  /* an enable bit that several counters need */
};

/** Register in which the bits @p mask have to be @p value so that the event is counted. */
struct uncoremsr_register_bits {
	size_t size;
	enum uncoremsr_register_use use;
	uint32_t address;
	uint64_t mask;
	uint64_t value;
};

/** An encoding. In the comments of members, "msr:" or "perf:" precedes what applies to that route only. */
struct uncoremsr_encoding {
	size_t size;
	enum uncoremsr_route route;          /* UNCOREMSR_ROUTE_MSR or UNCOREMSR_ROUTE_PERF */
	size_t index;                        /* index of the event in the text, from 0 */
	uint64_t group;                      /* number of the group; events of one group are counted at the same time */
	const struct uncoremsr_event *event; /* the named event; NULL: the codes have no name of their own */
	const char *name;                    /* msr: canonical name with modifiers, or "0x82:0x3" if there is none;
					      * perf: as written, or the TEXT of name=TEXT */
	const char *pmu;                     /* msr: "cbo"; perf: the kernel's unit, "uncore_cha_3" */
	const char *description;             /* description of a named event */
	const char *kernel_scale;            /* as in struct uncoremsr_counted */
	/* Sentences about what the library added or left out by itself (a default, the interrupt bit); NULL ends
	 * the array. */
	const char *const *remarks;

	int unit;                            /* msr: the requested unit ("cbo3": 3); perf: index of the unit from 0 */
	int fixed;                           /* msr: 1 if only a fixed counter counts the event, else 0 */
	uint64_t word;                       /* msr: contents of the selector, or of the control register of the fixed
					      * counter */
	uint64_t counters;                   /* msr: bit n: general counter n can count the event; 0 if only a fixed one
					      * can */
	/* msr: addresses of selector (unknown if the counter is free running) and counter. They are those of the lowest
	 * counter that can count the event, on the requested or else the first unit. */
	uint64_t selector;
	uint64_t selector_mask;              /* msr: bits of the selector register that belong to this counter */
	uint64_t enable;                     /* msr: bits that switch the counter on; 0: any nonzero selector does */
	uint64_t counter;
	/* msr: texts for other programs: "perf" ("uncore_cbox/config=0x1134/", "r1b1:u"), "likwid"
	 * ("UNC_L3_HITS_READ:UPMC0"), "libpfm4" ("wsm_unc::UNC_LLC_HITS:READ"). A program is left out if it cannot
	 * count the event, or if its text for the event is not known. NULL ends the array. */
	const struct uncoremsr_spelling *const *spellings;
	const struct uncoremsr_register_bits *const *registers; /* msr: further registers to set, in the order of
								 * writing; NULL ends the array */
	const char *terms;                   /* msr: this encoding as terms for the Linux driver, including what the
					      * library added: "event=0x34,umask=0x11,filter_state=0x7f". NULL if no
					      * general counter can count the event, or if the driver cannot count
					      * exactly this event */

	const char *family;                  /* perf: the PMU without the number of the unit: "uncore_cha" */
	const char *modifiers;               /* perf: modifiers as in perf-list(1), "u", "kppD"; "" if there are none */
	const char *cpus;                    /* perf: contents of the unit's file cpumask or cpus; NULL: any CPU */
	const char *scale;                   /* perf: factor for a count, "1", "6.103515625e-05" */
	const char *measure;                 /* perf: unit of the scaled count, "MiB" */
	int units;                           /* perf: number of units of the event */
	uint64_t type;                       /* perf: type of struct perf_event_attr; unknown: not in this kernel */
	uint64_t config[4];                  /* perf: config, config1, config2 and config3 of struct perf_event_attr */
	int core_type;                       /* msr: the kind of core whose CPUs count the event, as in struct
					      * uncoremsr_core_kind; 0: any CPU, or the event is not of the core PMU */
};

/**
 * Encode a text of the event language (uncoremsr-events(7)). Nothing is counted.
 * @param route UNCOREMSR_ROUTE_MSR: words for registers; UNCOREMSR_ROUTE_PERF: arguments of
 *   perf_event_open(2), one encoding for each unit of each event; UNCOREMSR_ROUTE_AUTO: words for registers
 *   if possible, else the kernel's encoding.
 * @param uarch processor for the registers; "core": only the core PMU, which tables of Intel processors
 *   also include.
 * @param fn is called for each encoding, in the order of the text; the encoding is valid during the call. A
 *   return value other than 0 ends the encoding.
 * @return number of events; -EINVAL the text is malformed or NULL, or no such route; -ENOENT no such event or PMU;
 *   -ENOTSUP the processor is not in the tables, MSRs cannot reach the PMU, or the kernel cannot express the event;
 *   -EACCES no permission to read the number of a tracepoint; -ENOMEM; or what @p fn returned.
 */
int uncoremsr_encode(struct uncoremsr *um, enum uncoremsr_route route, const char *uarch,
		     const char *text,
		     int (*fn)(void *user, const struct uncoremsr_encoding *encoding), void *user);

/* ---------------------------------------------------------------- metrics */

/**
 * The metrics of a processor, then those of the metric files among the handle's event lists. A metric is a number that
 * is computed from several events; in struct uncoremsr_event it sets the members whose comments name "metric" or no
 * source. @p uarch NULL stands for an unknown processor.
 * @return a metric, those of files valid until another machine is chosen; NULL past the end, or if a file is damaged:
 *   see uncoremsr_error().
 */
const struct uncoremsr_event *uncoremsr_metric(struct uncoremsr *um, const char *uarch, size_t index);
/**
 * Add metrics, before uncoremsr_session_start(). The events of one metric are counted at the same time if
 * the counters allow it. Events that the session does not have yet are appended to its events; an event
 * that it already has is shared if it can be counted together with the rest.
 * @param text one or several names or patterns ("throttled-*") separated by commas; "default" stands for
 *   the most useful ones. Metrics of a pattern that cannot be counted on this machine are left out, with
 *   one warning for the pattern. A single name among several that cannot be counted is kept without a
 *   value: its status is UNCOREMSR_NOT_COUNTED, with the reason.
 * @return number of added metrics that can be counted (a metric that the session has already is not added
 *   again); or, if none was added:
 *   -EINVAL  no name between two commas, or a name is too long (class USAGE)
 *   -ENOENT  no metric of that name on this machine (class USAGE)
 *   -EBUSY   the session runs
 *   -ENOMEM
 *   or, if no metric can be counted, the error of the first one, as from uncoremsr_session_add()
 */
int uncoremsr_session_add_metric(struct uncoremsr_session *s, const char *text);
/** A metric of the session by index; metrics have the order in which they were added. @return valid until
 * metrics are added; each call overwrites it. NULL past the end. */
const struct uncoremsr_event *uncoremsr_session_metric(const struct uncoremsr_session *s, size_t metric);
/** An input of a metric's formula: an event, or a constant. */
struct uncoremsr_metric_input {
	size_t size;
	const char *name;      /* name of the input in the formula */
	size_t event;          /* index of the event whose count, rate or time is the input; SIZE_MAX: none */
	double value;          /* number that the formula used */
};
/** Value of a metric in one place, computed from the readings of its events. */
struct uncoremsr_metric_reading {
	size_t size;
	enum uncoremsr_status status; /* UNCOREMSR_OK, IMPLAUSIBLE, UNDEFINED, or the status of the first event that was
				       * not counted; NOT_COUNTED also if the metric cannot be counted here */
	const char *word;      /* the status as in the tools' output: "ok", "implausible" */
	const char *detail;    /* why the status is not OK, as a sentence; "" if it is OK */
	double value;          /* known only with status OK */
	double low, high;      /* bounds of what is physically possible in this place; a value outside is IMPLAUSIBLE.
				* Core frequencies are bounded by the maximum in the kernel's files */
	/* Units of the event with the smallest share of known units; 0 if no event is counted. */
	unsigned units, units_known;
	/* Times of the first event, except that the running time is the shortest of all events. */
	uint64_t enabled_ns, running_ns, time_ns;
	const struct uncoremsr_metric_input *const *inputs; /* ends with NULL. Valid until the next call for
							     * this metric */
};
/**
 * Compute the value of a metric in a place.
 * @param place EVERYWHERE: the formula is applied to all packages together. Only metrics that are counted on CPUs have
 *   values for sets of CPUs, cores and CPUs. For a core or a CPU @p index is that of a unit of the first event.
 * @return valid until the session is read or started again, or until the next call for the same metric, place and span;
 *   all sets of CPUs, cores and CPUs share one reading. NULL past the end, and before uncoremsr_session_start().
 */
const struct uncoremsr_metric_reading *uncoremsr_session_metric_reading(const struct uncoremsr_session *s, size_t metric,
									enum uncoremsr_place place, size_t index,
									enum uncoremsr_span span);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif

#endif
