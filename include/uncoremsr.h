/* SPDX-License-Identifier: LGPL-2.1-or-later */
/**
 * @file uncoremsr.h
 * libuncoremsr: count processor events, those of the uncore above all, through model-specific
 * registers and through the kernel (perf_event_open(2)).
 *
 * Life cycle: uncoremsr_new(), options, uncoremsr_open(); then sessions; then uncoremsr_free().
 * A handle that failed to open can still explain why (uncoremsr_errmsg()).
 *
 * Errors: functions that can fail return 0 (or a non-negative result) or a negative errno. The
 * sentence for people, with the object and the cause, and the advice what to do next stay in the
 * handle until the next failing call on it. The library never prints, exits, creates threads,
 * installs signal handlers, or leaves the caller's CPU affinity changed.
 *
 * Threads: a handle and everything obtained from it may be used by one thread at a time;
 * different handles are independent.
 *
 * Processes: a machine belongs to the process that has opened it. In a child after fork(2) every call on
 * that handle, or on a session, region or watcher of it, that would count, read, write or ask the machine
 * fails with -ECHILD (class USAGE) and touches no register, journal or lock; getters answer what they
 * answered before the fork. uncoremsr_free() and the other functions that free give back the child's memory
 * and close its copies of the descriptors, which changes nothing for the parent. To count, a child makes and
 * opens a handle of its own.
 *
 * Ownership: pointers returned by getters belong to the handle (or session) they came from and are
 * valid until it is freed. Functions that free accept NULL.
 */
#ifndef UNCOREMSR_H
#define UNCOREMSR_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Only what is declared here is exported; everything else in the library is hidden. */
#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

struct uncoremsr;         /* a machine, live or not */
struct uncoremsr_package; /* one package (or die, where registers are per die) */
struct uncoremsr_session; /* events that are counted together */
struct uncoremsr_unit;    /* one event on one unit of a PMU ("cbo3") */
struct uncoremsr_reading; /* what one event did on one package, or on one unit */

/** Version of these headers, to compare: UNCOREMSR_VERSION >= UNCOREMSR_VERSION_NUMBER(0, 2, 0). */
#define UNCOREMSR_VERSION_MAJOR 0
#define UNCOREMSR_VERSION_MINOR 1
#define UNCOREMSR_VERSION_PATCH 0
#define UNCOREMSR_VERSION_NUMBER(major, minor, patch) ((major) * 1000000 + (minor) * 1000 + (patch))
#define UNCOREMSR_VERSION \
	UNCOREMSR_VERSION_NUMBER(UNCOREMSR_VERSION_MAJOR, UNCOREMSR_VERSION_MINOR, \
				 UNCOREMSR_VERSION_PATCH)
/** Version of the library that is linked, for example "0.1.0". Since 0.1. */
const char *uncoremsr_version(void);

/* ---------------------------------------------------------------- errors */

/** What kind of failure it was; the values are the exit statuses of the tools. */
enum uncoremsr_error_class {
	UNCOREMSR_ERROR_NONE = 0,        /* no failure so far */
	UNCOREMSR_ERROR_PARTIAL = 1,     /* something works, something is missing */
	UNCOREMSR_ERROR_USAGE = 2,       /* the caller asked for something that makes no sense */
	UNCOREMSR_ERROR_UNSUPPORTED = 3, /* cannot be known or done on this machine */
	UNCOREMSR_ERROR_ACCESS = 4,      /* driver, permission, lockdown */
};

/** The last failure in one sentence (object and cause); "" when nothing failed. */
const char *uncoremsr_errmsg(const struct uncoremsr *um);
/** What to do about it, in one sentence; "" when there is no advice. */
const char *uncoremsr_hint(const struct uncoremsr *um);
/** The class of the last failure. */
enum uncoremsr_error_class uncoremsr_error_class(const struct uncoremsr *um);

/* --------------------------------------------------------------- machine */

/** Make a handle. @return 0; -ENOMEM: *um is NULL. */
int uncoremsr_new(struct uncoremsr **um);
/** Free a handle and close its machine. Sessions must have been freed before. NULL is accepted. */
void uncoremsr_free(struct uncoremsr *um);

/**
 * Choose the machine, before uncoremsr_open().
 * @param what NULL or "live": this machine. "root:DIR": the tree under DIR (DIR/dev/cpu/N/msr,
 *   DIR/sys, DIR/proc; nothing is taken from outside DIR). "sim:NAME[,KEY=VALUE...]": a simulated
 *   machine in this process, see uncoremsr-sim(5). Without this call it is "live"; the library
 *   itself reads no environment variable.
 * @return 0; -EINVAL the form is unknown; -EPERM root: in a program with raised privileges (set-user-ID
 *   or file capabilities), because identity and devices would be whatever its user likes; -EBUSY
 *   already open; -ENOMEM.
 */
int uncoremsr_set_machine(struct uncoremsr *um, const char *what);
/** How a register operation is described to the trace callback. */
enum uncoremsr_trace_style {
	UNCOREMSR_TRACE_NONE,
	UNCOREMSR_TRACE_TEXT,     /* CPU, register name, old and new value, decoded fields */
	UNCOREMSR_TRACE_COMMANDS, /* the equivalent rdmsr and wrmsr commands */
};
/** Pass every register operation to a callback, one line each, without line end.
 * @return 0; -EINVAL unknown style; -ENOMEM. */
int uncoremsr_set_trace(struct uncoremsr *um, enum uncoremsr_trace_style style,
			void (*fn)(void *user, const char *line), void *user);
/** How much a line of the log matters. */
enum uncoremsr_log_level {
	UNCOREMSR_LOG_REMARK,  /* what was done and why: for --verbose */
	UNCOREMSR_LOG_WARNING, /* something about this machine that the user should know */
};
/** Remarks and warnings for people ("counter 2 of package 0 is in use"), one line each, without line
 * end. Without a callback (NULL) they are dropped. */
void uncoremsr_set_log(struct uncoremsr *um,
		       void (*fn)(void *user, enum uncoremsr_log_level level, const char *line),
		       void *user);
/** With @p on not 0, registers are read but never written: every later read of a register that would
 * have been written gives the value it would hold. Time does not pass (uncoremsr_advance()).
 * @return 0; -EBUSY already open. */
int uncoremsr_set_dry_run(struct uncoremsr *um, int on);

/**
 * Find out what machine this is: identity from CPUID, topology from sysfs. Opens no register device.
 * @return 0, also on a processor whose uncore is not supported (UNCOREMSR_MACHINE_SUPPORTED
 *   in uncoremsr/machine.h); or
 *   -ENOENT  no such tree, or no such simulated machine (class USAGE)
 *   -EINVAL  a parameter or the description of the simulated machine is wrong (class USAGE)
 *   -ENODATA sysfs shows no CPU at all (class UNSUPPORTED)
 *   -EBUSY already open; -ENOTSUP built without simulated machines; -ENOMEM
 */
int uncoremsr_open(struct uncoremsr *um);

/** "live", "root:DIR", "sim:NAME": the machine without its parameters. */
const char *uncoremsr_machine(const struct uncoremsr *um);
/** Nanoseconds on the machine's monotonic clock: CLOCK_MONOTONIC, or the simulated clock. */
uint64_t uncoremsr_now(const struct uncoremsr *um);
/** Let @p ns nanoseconds pass on a machine whose clock is stepped (sim:NAME,clock=stepped) or that is
 * on a dry run. @return 1 when they have passed; 0: it runs in real time, the caller has to wait. */
int uncoremsr_advance(struct uncoremsr *um, uint64_t ns);

/** Number of packages with an online CPU (dies, where the uncore registers are per die), and on POWER of the other
 * chips whose in-memory counters firmware exports. */
size_t uncoremsr_num_packages(const struct uncoremsr *um);
/** Package by index, in the order of their lowest online CPU, those without one last; NULL past the end. */
const struct uncoremsr_package *uncoremsr_package(const struct uncoremsr *um, size_t index);
/** physical_package_id, or a number counted from 0 where the kernel says -1. */
int uncoremsr_package_id(const struct uncoremsr_package *p);
/** die_id, where the uncore registers are per die; else -1. */
int uncoremsr_package_die(const struct uncoremsr_package *p);
/** The CPU through which its registers are reached: its lowest online CPU; -1: it has none. */
int uncoremsr_package_cpu(const struct uncoremsr_package *p);
/** Its online CPUs as a kernel-style list. */
const char *uncoremsr_package_cpus(const struct uncoremsr_package *p);
/** Number of its cores with an online CPU; 0: not known, for want of memory. */
size_t uncoremsr_package_num_cores(const struct uncoremsr_package *p);

/* ------------------------------------------------- a session: what to count */

/** Make a session on an open machine. Touches no register. @return 0; -ENOMEM. */
int uncoremsr_session_new(struct uncoremsr *um, struct uncoremsr_session **s);
/** Stop it if it runs (registers are put back) and free it. NULL is accepted. */
void uncoremsr_session_free(struct uncoremsr_session *s);

/** How counters are reached. */
enum uncoremsr_route {
	UNCOREMSR_ROUTE_AUTO, /* registers for the uncore where they may be written; else the kernel */
	UNCOREMSR_ROUTE_MSR,  /* registers for everything, the core PMU too */
	UNCOREMSR_ROUTE_PERF, /* the kernel's perf */
	UNCOREMSR_ROUTE_MEMORY, /* POWER: nest counters, from the memory that microcode writes them to */
};
/**
 * Choose the route of events that are added from now on.
 * AUTO: the uncore PMUs of our tables are counted by registers, unless these may not be written
 * (no driver, permission or capability, kernel lockdown, write filter) and the kernel has a PMU for
 * them; everything else by the kernel, the core PMU too, because perf rewrites its registers at any
 * time. Names of event lists follow the same rules; with MSR they are counted where our tables reach
 * their PMU. PERF knows the names of our tables too, and has no metrics. MEMORY is never chosen by AUTO: it
 * only reads, and while no event of the nest is open in the kernel the microcode may be paused
 * (UNCOREMSR_PAUSED).
 * @return 0; -EINVAL unknown route; -EBUSY the session runs.
 */
int uncoremsr_session_set_route(struct uncoremsr_session *s, enum uncoremsr_route route);
/** Whom the kernel's events count. Uncore events always count for whole packages. */
enum uncoremsr_target {
	UNCOREMSR_TARGET_SYSTEM,  /* CPUs, whatever runs on them */
	UNCOREMSR_TARGET_PROCESS, /* a process with its threads, and what these start */
	UNCOREMSR_TARGET_THREAD,  /* a thread alone */
	UNCOREMSR_TARGET_COMMAND, /* a child of the caller from its next exec(2) on, and what it starts */
};
/** Choose whom to count, before events are added.
 * @param id of the process or thread. Of a command that does not run yet 0; then call it again with
 *   the child's before uncoremsr_session_start(), and let the child exec after that.
 * @return 0; -ESRCH there is no such process; -EINVAL no such target, or there are events for another
 *   one; -EBUSY the session runs; -ENOMEM. */
int uncoremsr_session_set_target(struct uncoremsr_session *s, enum uncoremsr_target target, long id);
/** Count what belongs to a control group, on CPUs. Called again when events were added: those that come
 * then are for this group.
 * @param path of a group: a folder that has a file cgroup.procs, whole or below /sys/fs/cgroup, or as
 *   /proc/PID/cgroup names it, in any hierarchy. Not the root of all, which has everything in it.
 * @return 0; -EINVAL there are events for another target, or the path is empty or the root's; -ENOENT, -EACCES
 *   or the like: there is no such group (class USAGE); -EBUSY the session runs; -ENOMEM. */
int uncoremsr_session_set_cgroup(struct uncoremsr_session *s, const char *path);
/**
 * Add events, before uncoremsr_session_start(). Each takes the route that uncoremsr_session_set_route()
 * describes, a group as a whole; the log says which one and why.
 * @param text one or several events separated by commas: "UNC_PROCHOT_ASSERTION", "0x82:0x1",
 *   "0x82:0x1:edge:cmask=2", "uncore/event=0x82,umask=0x1,edge/", the selector word "0x420182",
 *   "UNC_CLK_UNHALTED" (the fixed uncore clock), patterns that stand for several events
 *   ("UNC_TURBO_MODE.CORE_[0-3]", "UNC_THERMAL_*"), and groups "{a,b}" that are always counted at
 *   the same time; what perf takes ("cycles:u", "r5301b1", "power/energy-pkg/", tracepoints); names
 *   of event lists with terms ("UNC_C_TOR_INSERTS.OPCODE:filter_opc=0x182"): uncoremsr-events(7)
 * @return how many were added; or, nothing having been added,
 *   -EINVAL  the text is not understood, or a value is out of range, or a reserved bit is set, or a
 *            group is of several PMUs (class USAGE)
 *   -ENOENT  no event or PMU of that name, here or in the kernel
 *   -ENOTSUP this machine's uncore is not supported, or is virtual, or the event needs a register
 *            that this library does not set, or the route cannot express it (class UNSUPPORTED)
 *   -EACCES  the number of a tracepoint may not be read
 *   -EBUSY the session runs; -ENOMEM
 */
int uncoremsr_session_add(struct uncoremsr_session *s, const char *text);
/** Count event @p event on this counter of every package, and nowhere else.
 * @return 0; -EINVAL no such event, no such counter, the event cannot be counted there, or the
 *   counter is already asked for; -EBUSY the session runs. */
int uncoremsr_session_set_counter(struct uncoremsr_session *s, size_t event, unsigned counter);
/**
 * Count on these CPUs, after the events were added. Packages without one of them are not counted.
 * Registers of a package are reached through the first of its CPUs. Where only registers count, two CPUs
 * of one package are a mistake, unless the route is UNCOREMSR_ROUTE_MSR (core counters are counted on
 * each CPU). The kernel's events are counted on each CPU, those of its uncore PMUs on their packages.
 * @param list kernel-style ("0,1").
 * @return 0; -EINVAL not a list, a CPU that does not exist or is offline, two CPUs of one package;
 *   -EBUSY the session runs; -ENOMEM.
 */
int uncoremsr_session_set_cpus(struct uncoremsr_session *s, const char *list);
/** Count on these packages only, by their ids.
 * @return 0; -EINVAL not a list, or no such package; -EBUSY the session runs; -ENOMEM. */
int uncoremsr_session_set_packages(struct uncoremsr_session *s, const char *list);
/** Sum counts over sets of CPUs (cores), and let the kernel count on no others. A CPU that is offline is
 * missing in the sum until it comes.
 * @param text one set "0,1,2", "0-10,20-18", "0x10-12"; in brackets "[4-15]" a set for each CPU.
 * @return how many sets were added; -EINVAL not a set, a CPU that does not exist or is in another set;
 *   -EBUSY the session runs; -ENOMEM. */
int uncoremsr_session_add_cores(struct uncoremsr_session *s, const char *text);
/** A set as it was written; for a set out of brackets the number of its CPU. NULL past the end. */
const char *uncoremsr_session_cores(const struct uncoremsr_session *s, size_t index);
/** What is on or off. */
enum uncoremsr_session_option {
	UNCOREMSR_SESSION_MULTIPLEX, /* on at first: events that do not fit at once form groups that take
				      * turns, and the caller calls uncoremsr_session_rotate() */
	UNCOREMSR_SESSION_FORCE,     /* take counters that seem to be in use (selector or enable bit on)
				      * but have no lease; what they held is logged and put back */
	UNCOREMSR_SESSION_VERIFY,    /* on at first: uncoremsr_session_read() checks that the
				      * counters are still ours. Off saves its reads; what another
				      * program changes is counted then */
};
/** @return 0; -EINVAL no such option; -EBUSY the session runs; -EPERM FORCE, where the right to write
 *   registers is not the user's, but that of a program with file capabilities. */
int uncoremsr_session_set_option(struct uncoremsr_session *s, enum uncoremsr_session_option option,
				 int on);

/* ------------------------------------------------------ a session: counting */

/**
 * Place the events on free counters of the units that they are for, program them (filters, selectors
 * written and read back, counters zeroed) and switch them on bit by bit, so that the enable bits of
 * other programs are kept. A unit that fails is left as it was found and the others go on; see
 * UNCOREMSR_UNIT_ERROR, and uncoremsr_session_package_error() where nothing of a package is left.
 * Units that do not answer (fused off) are left out. Then the kernel's events are opened and switched
 * on. If one route fails the other one still counts: a warning in the log names what is missing, and
 * its readings are unknown for that reason. A stopped session may be started again, from zero.
 * @return 0 when at least one unit counts; or
 *   -EINVAL  no events, or a group that can never be counted at once: larger than the number of
 *            counters, against their constraints, or with different contents of a filter that
 *            all counters of a unit share (class USAGE)
 *   -ENODEV  no such unit on any package
 *   -EBUSY   not enough free counters, or the counter asked for is in use (class UNSUPPORTED)
 *   -ENOTSUP a virtual machine: a register does not keep what was written (class UNSUPPORTED)
 *   -ENOENT, -ENODEV, -EACCES, -EPERM, -ENXIO no access: no driver, no node, no permission, no
 *            capability, lockdown, write filter, CPU offline (class ACCESS)
 *   -EIO     a register faulted (class UNSUPPORTED)
 *   -EMFILE  more descriptors are needed than the limit allows (the sentence has the number)
 *   -ENOMEM; or another errno of perf_event_open(2)
 */
int uncoremsr_session_start(struct uncoremsr_session *s);
/**
 * Read every active counter and close the interval: readings are then about the time since the
 * previous call (or the start). One system call per counter, no allocation. Then check that
 * selectors and enable bits still hold what the session wrote: at most one more read per counter and
 * one per enable register. An interval is good only between two clean checks; otherwise its readings are
 * UNCOREMSR_DISTURBED. UNCOREMSR_SESSION_VERIFY switches the check off.
 * @return 0 when everything was read and checked, or the first error; the other readings are still
 *   good.
 */
int uncoremsr_session_read(struct uncoremsr_session *s);
/** Read every active counter without closing the interval, so that no counter can wrap twice
 * between two reads. Needed at least every uncoremsr_session_max_interval() nanoseconds. */
int uncoremsr_session_sample(struct uncoremsr_session *s);
/** Longest time between two reads in which no counter can wrap more than once, in nanoseconds: from
 * counter width, highest uncore clock and highest increment per clock. */
uint64_t uncoremsr_session_max_interval(const struct uncoremsr_session *s);
/** Number of turns in which events are counted; 1 when everything fits. Known after start. */
size_t uncoremsr_session_num_turns(const struct uncoremsr_session *s);
/** Take the next group's turn: sample, switch off, program, switch on. @return 0 or the first error. */
int uncoremsr_session_rotate(struct uncoremsr_session *s);
/** Switch the counters off and read them once more, so that a program can end its measurement at a
 * moment of its choice: uncoremsr_session_read() then closes the interval without touching a register.
 * Free-running counters are only read. Only uncoremsr_session_stop() can follow.
 * @return 0; -EINVAL the session is not running; or the first error. */
int uncoremsr_session_pause(struct uncoremsr_session *s);
/** Stop counting and restore what was there before: enable bit, selector (if it still holds what we
 * wrote) and then the counter. May be called again.
 * @return 0; or the first error, after everything else was restored. */
int uncoremsr_session_stop(struct uncoremsr_session *s);

/* -------------------------------------------- a session: events, packages, units */

size_t uncoremsr_session_num_events(const struct uncoremsr_session *s);
/** Properties for uncoremsr_session_event_text(). */
enum uncoremsr_counted_text {
	UNCOREMSR_COUNTED_NAME, /* canonical, or "0x82:0x3" where it has none, with its modifiers */
	UNCOREMSR_COUNTED_PMU,  /* "uncore", "cbo", "cpu"; "cpu_atom+cpu_core": both kinds of cores */
	UNCOREMSR_COUNTED_KERNEL_SCALE, /* what the kernel's file says one count is, as in
				 * "3.814697266e-06 MiB", where it says something else than the
				 * tables, which are used; NULL: it does not */
};
/** @return NULL past the end. */
const char *uncoremsr_session_event_text(const struct uncoremsr_session *s, size_t event,
					 enum uncoremsr_counted_text what);
/** Properties for uncoremsr_session_event_number(). */
enum uncoremsr_counted_number {
	UNCOREMSR_COUNTED_ENCODING, /* the selector word; for the kernel config of perf_event_attr */
	UNCOREMSR_COUNTED_ROUTE,    /* who counts it: UNCOREMSR_ROUTE_MSR, _PERF or _MEMORY */
	UNCOREMSR_COUNTED_LEVEL,    /* 1: a level (a temperature, say), not summed over time. Over units it
				     * is, as perf does it: look at units where a sum makes no sense */
	UNCOREMSR_COUNTED_TASK,     /* 1: counted for the target alone; 0: for whole CPUs or packages */
	UNCOREMSR_COUNTED_UNCORE,   /* 1: of a package, die or core; 0: of a task, or of each CPU */
	UNCOREMSR_COUNTED_CORES,    /* 1: each unit is a core, whatever CPU of it is read (core_imc) */
};
/** @return 0; -ENODATA past the end, @p v is left alone. */
int uncoremsr_session_event_number(const struct uncoremsr_session *s, size_t event,
				   enum uncoremsr_counted_number what, uint64_t *v);
/** What one count of an event is: for events that have a measure (bandwidths of free-running counters), and
 * for those that have a scale alone (POWER's in-memory counters, of which one in 256 or 512 is kept).
 * @param scale one count is so much; 1: counts are counts. Left alone past the end.
 * @return the unit of that ("MiB"); NULL: it has none. */
const char *uncoremsr_session_event_measure(const struct uncoremsr_session *s, size_t event,
					    double *scale);

/** Number of packages that were chosen, failing ones included. */
size_t uncoremsr_session_num_packages(const struct uncoremsr_session *s);
/** One of them; NULL past the end. */
const struct uncoremsr_package *uncoremsr_session_package(const struct uncoremsr_session *s,
							  size_t index);
/** CPU used to reach its registers. */
int uncoremsr_session_package_cpu(const struct uncoremsr_session *s, size_t index);
/** Why this package is not counted, as a sentence; NULL when something of it is. */
const char *uncoremsr_session_package_error(const struct uncoremsr_session *s, size_t index);

/** Number of units that count an event, of all packages; known after start. It grows when a CPU comes online
 * that was offline at the start. */
size_t uncoremsr_session_num_units(const struct uncoremsr_session *s, size_t event);
/** One of them, package by package; NULL past the end. Valid until the session starts again. */
const struct uncoremsr_unit *uncoremsr_session_unit(const struct uncoremsr_session *s, size_t event,
						    size_t index);
/** Properties for uncoremsr_unit_text(). */
enum uncoremsr_unit_text {
	UNCOREMSR_UNIT_NAME,  /* "cbo3"; "cpu5" for core counters; the PMU's where it is the only one */
	UNCOREMSR_UNIT_ERROR, /* why it is not counted, as a sentence; NULL when it is */
	UNCOREMSR_UNIT_PMU,   /* of an event that is counted by the PMUs of several kinds of cores, that of
			       * its own: "cpu_core"; else NULL */
};
const char *uncoremsr_unit_text(const struct uncoremsr_unit *u, enum uncoremsr_unit_text what);
/** Properties for uncoremsr_unit_number(). */
enum uncoremsr_unit_number {
	UNCOREMSR_UNIT_NUMBER, /* the 3 of "cbo3"; of the cache, node or CPU that it belongs to */
	UNCOREMSR_UNIT_CPU,    /* CPU used to reach it, or on which it counts; none: wherever a task runs */
	UNCOREMSR_UNIT_CORE,   /* core_id of the CPU whose counters these are; none for the uncore */
};
/** @return 0; -ENODATA it has none, @p v is left alone. */
int uncoremsr_unit_number(const struct uncoremsr_unit *u, enum uncoremsr_unit_number what, uint64_t *v);
/** Its package, as in uncoremsr_session_package(). */
const struct uncoremsr_package *uncoremsr_unit_package(const struct uncoremsr_unit *u);

/* ---------------------------------------------------------------- readings */

/** The last closed interval, or everything from the start to it. */
enum uncoremsr_span { UNCOREMSR_INTERVAL, UNCOREMSR_TOTAL };
/** What an event did on a unit. */
const struct uncoremsr_reading *uncoremsr_unit_reading(const struct uncoremsr_unit *u,
						       enum uncoremsr_span span);
/** What an event did on a package: the sum of its units, each scaled to the whole interval first, with
 * the times of the one that was counted least: with the smallest share of running to enabled time, and
 * among equal shares the longest time. Unknown while one of them is unknown. A sum has no raw value, and
 * a counter only if it is the same on all units. @return NULL past the end. */
const struct uncoremsr_reading *uncoremsr_session_reading(const struct uncoremsr_session *s,
							  size_t package, size_t event,
							  enum uncoremsr_span span);
/** Where other sums are made. */
enum uncoremsr_place {
	UNCOREMSR_PLACE_EVERYWHERE, /* on all CPUs and units; the index does not matter */
	UNCOREMSR_PLACE_CORES,      /* on a set of CPUs: index as in uncoremsr_session_cores() */
	UNCOREMSR_PLACE_CORE,       /* on one core: index of one of its units, uncoremsr_session_unit() */
	UNCOREMSR_PLACE_CPU,        /* on one CPU: the same */
};
/** What an event did there, summed as for a package; on cores, events of the uncore are unknown.
 * @return valid until the next call for the same place and event; NULL past the end, on a core for a
 *   unit of the uncore, and before the session was started. */
const struct uncoremsr_reading *uncoremsr_session_sum(const struct uncoremsr_session *s, size_t event,
						      enum uncoremsr_place place, size_t index,
						      enum uncoremsr_span span);

/** What became of a reading. Only OK has a count and a value, and SPREAD a count. */
enum uncoremsr_status {
	UNCOREMSR_OK,          /* "ok" */
	UNCOREMSR_NOT_COUNTED, /* "not-counted": it had no turn in this interval, or was not read yet */
	UNCOREMSR_WRAPPED,     /* "wrapped": more than one wrap was possible */
	UNCOREMSR_DISTURBED,   /* "disturbed": another program changed the selector or the enable bit */
	UNCOREMSR_LOST,        /* "lost": the CPU went offline, and no other one of the package was left */
	UNCOREMSR_FAILED,      /* "failed": programming or reading failed */
	/* Metrics only: */
	UNCOREMSR_IMPLAUSIBLE, /* "implausible": beyond what the machine can physically do */
	UNCOREMSR_UNDEFINED,   /* "undefined": a division by 0, because nothing happened */
	/* Registers only: */
	UNCOREMSR_SILENT,      /* "silent": a register does not keep what is written, so nothing counts */
	/* Events of CPUs only: */
	UNCOREMSR_OFFLINE,     /* "offline": its CPU is or was; sums leave it out, and know fewer units */
	/* Registers only: */
	UNCOREMSR_SPREAD,      /* "spread": the program was stopped while it read. What was counted is known,
				* the time is not to 5 percent: no rate, and no value of what takes turns */
	UNCOREMSR_SUSPENDED,   /* "suspended": the machine was, in this interval (of a total: at some time);
				* the hardware may have been switched off, and the next interval begins anew */
	/* Memory only: */
	UNCOREMSR_PAUSED,      /* "paused": the microcode that counts was, at the beginning or end of the
				* interval: what stood still looks like nothing */
};
/** The word for a status, as in the tools' output. */
const char *uncoremsr_status_word(enum uncoremsr_status status);
enum uncoremsr_status uncoremsr_reading_status(const struct uncoremsr_reading *r);
/** What was wrong, as a sentence; "" when the status is OK. */
const char *uncoremsr_reading_detail(const struct uncoremsr_reading *r);
/** Properties for uncoremsr_reading_number(). */
enum uncoremsr_reading_number {
	UNCOREMSR_READING_RAW,     /* the register as last read */
	UNCOREMSR_READING_COUNTED, /* what it counted; status OK and SPREAD only */
	UNCOREMSR_READING_VALUE,   /* the same, scaled by enabled/running time when events take turns */
	UNCOREMSR_READING_COUNTER, /* index of the counter: general ones from 0, then the fixed clock */
	UNCOREMSR_READING_UNITS,   /* of a sum: how many units or CPUs there are */
	UNCOREMSR_READING_UNITS_KNOWN, /* of a sum: how many of them are known all the time */
	/* Times in nanoseconds, known whatever the status is; 0 before the first read. */
	UNCOREMSR_READING_ENABLED_NS, /* the interval */
	UNCOREMSR_READING_RUNNING_NS, /* the part of it in which the event was really being counted */
	UNCOREMSR_READING_TIME_NS,    /* when it ended, on the clock of uncoremsr_now() */
};
/** @return 0; -ENODATA unknown, @p v is left alone. */
int uncoremsr_reading_number(const struct uncoremsr_reading *r, enum uncoremsr_reading_number what,
			     uint64_t *v);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif

#endif
