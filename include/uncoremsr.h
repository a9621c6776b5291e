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

/* Only what stands here leaves the library; everything else in it is compiled as hidden. */
#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

struct uncoremsr;           /* a machine, live or not */
struct uncoremsr_package;   /* one package (or die, where registers are per die) */
struct uncoremsr_event;  /* an event of an event list */
struct uncoremsr_session;   /* events that are counted together */
struct uncoremsr_unit;      /* one event on one unit of a PMU ("cbo3") */
struct uncoremsr_reading;   /* what one event did on one package, or on one unit */
struct uncoremsr_sim;       /* a simulated machine */

/** Version of these headers; a number to compare: UNCOREMSR_VERSION >= UNCOREMSR_VERSION_NUMBER(0, 2, 0). */
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
	UNCOREMSR_ERROR_UNSUPPORTED = 3, /* cannot be told or done on this machine */
	UNCOREMSR_ERROR_ACCESS = 4,      /* driver, permission, lockdown */
};

/** The last failure in one sentence (object and cause); "" when nothing failed. */
const char *uncoremsr_errmsg(const struct uncoremsr *um);
/** What to do about it, in one sentence; "" when there is no advice. */
const char *uncoremsr_hint(const struct uncoremsr *um);
/** The class of the last failure. */
enum uncoremsr_error_class uncoremsr_error_class(const struct uncoremsr *um);

/* --------------------------------------------------------------- machine */

/**
 * Make a handle.
 * @return 0, or -ENOMEM (then *um is NULL).
 */
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
/**
 * Use a simulated machine that the caller made and keeps (tests do this, to look at it afterwards).
 * @param sim borrowed; must outlive the handle.
 * @return 0; -EBUSY already open; -ENOTSUP built without simulated machines.
 */
int uncoremsr_set_sim(struct uncoremsr *um, struct uncoremsr_sim *sim);

/** How a register operation is told to the trace callback. */
enum uncoremsr_trace_style {
	UNCOREMSR_TRACE_NONE,
	UNCOREMSR_TRACE_TEXT,     /* CPU, register name, old and new value, decoded fields */
	UNCOREMSR_TRACE_COMMANDS, /* the equivalent rdmsr and wrmsr commands */
};
/**
 * Tell every register operation to a callback, one line without line end each.
 * @return 0; -EINVAL unknown style.
 */
int uncoremsr_set_trace(struct uncoremsr *um, enum uncoremsr_trace_style style,
			void (*fn)(void *user, const char *line), void *user);
/** How much a line of the log matters. */
enum uncoremsr_log_level {
	UNCOREMSR_LOG_REMARK,  /* what was done and why: for --verbose */
	UNCOREMSR_LOG_WARNING, /* something about this machine that the user should know */
};
/**
 * Remarks and warnings for people ("counter 2 of package 0 is in use"), one line without line end
 * each. Without a callback they are dropped. fn NULL switches them off.
 */
void uncoremsr_set_log(struct uncoremsr *um,
		       void (*fn)(void *user, enum uncoremsr_log_level level, const char *line),
		       void *user);
/**
 * With @p on not 0, registers are read but never written: every later read of a register that would
 * have been written gives the value it would hold. Time does not pass (uncoremsr_advance()).
 * @return 0; -EBUSY already open.
 */
int uncoremsr_set_dry_run(struct uncoremsr *um, int on);

/**
 * Find out what machine this is: identity from CPUID, topology from sysfs. Opens no register device.
 * @return 0, also on a processor whose uncore is not supported (UNCOREMSR_MACHINE_SUPPORTED
 *   in uncoremsr/machine.h); or
 *   -ENOENT  no such tree, or no such simulated machine (class USAGE)
 *   -EINVAL  a parameter or the description of the simulated machine is wrong (class USAGE)
 *   -ENODATA sysfs shows no CPU at all (class UNSUPPORTED)
 *   -EBUSY   already open
 *   -ENOTSUP built without simulated machines
 *   -ENOMEM
 */
int uncoremsr_open(struct uncoremsr *um);

/** "live", "root:DIR", "sim:NAME": the machine without its parameters. */
const char *uncoremsr_machine(const struct uncoremsr *um);
/** 1 for a simulated machine (in this process or mounted under root:DIR), else 0. */
int uncoremsr_is_simulated(const struct uncoremsr *um);
/** Nanoseconds on the machine's monotonic clock: CLOCK_MONOTONIC, or the simulated clock. */
uint64_t uncoremsr_now(const struct uncoremsr *um);
/**
 * Let @p ns nanoseconds pass on a machine whose clock is stepped (sim:NAME,clock=stepped) or that is
 * on a dry run.
 * @return 1 when the time has passed; 0 when this machine runs in real time and the caller has to
 *   wait in its own way.
 */
int uncoremsr_advance(struct uncoremsr *um, uint64_t ns);

/** Number of packages with an online CPU (dies, where the uncore registers are per die). */
size_t uncoremsr_num_packages(const struct uncoremsr *um);
/** Package by index, in the order of their lowest online CPU; NULL past the end. */
const struct uncoremsr_package *uncoremsr_package(const struct uncoremsr *um, size_t index);
/** physical_package_id, or a number counted from 0 where the kernel says -1. */
int uncoremsr_package_id(const struct uncoremsr_package *p);
/** die_id, where the uncore registers are per die; else -1. */
int uncoremsr_package_die(const struct uncoremsr_package *p);
/** The CPU through which its registers are reached: its lowest online CPU. */
int uncoremsr_package_cpu(const struct uncoremsr_package *p);
/** Its online CPUs as a kernel-style list. */
const char *uncoremsr_package_cpus(const struct uncoremsr_package *p);
/** Number of its cores with an online CPU. */
size_t uncoremsr_package_num_cores(const struct uncoremsr_package *p);

/* --------------------------------------------------------------- session */

/**
 * Make a session on an open machine. Touches no register.
 * @return 0; -ENOMEM.
 */
int uncoremsr_session_new(struct uncoremsr *um, struct uncoremsr_session **s);
/** Stop it if it runs (registers are put back) and free it. NULL is accepted. */
void uncoremsr_session_free(struct uncoremsr_session *s);

/**
 * Add events, before uncoremsr_session_start(). Each item of the text takes the route that
 * uncoremsr_session_set_route() describes, a group as a whole; the log tells which one and why.
 * @param text one or several events separated by commas: "UNC_PROCHOT_ASSERTION", "0x82:0x1",
 *   "0x82:0x1:edge:cmask=2", "uncore/event=0x82,umask=0x1,edge/", the selector word "0x420182",
 *   "UNC_CLK_UNHALTED" (the fixed uncore clock), patterns that stand for several events
 *   ("UNC_TURBO_MODE.CORE_[0-3]", "UNC_THERMAL_*"), and groups "{a,b}" that are always counted at
 *   the same time; what perf takes ("cycles:u", "r5301b1", "power/energy-pkg/", tracepoints); names
 *   of event lists, with more terms ("UNC_C_TOR_INSERTS.OPCODE:filter_opc=0x182"). See
 *   uncoremsr-events(7).
 * @return how many were added; or, nothing having been added,
 *   -EINVAL  the text is not understood, or a value is out of range, or a reserved bit is set, or a
 *            group is of several PMUs (class USAGE)
 *   -ENOENT  no event or PMU of that name, here or in the kernel
 *   -ENOTSUP this machine's uncore is not supported, or is virtual, or the event needs a register
 *            that this library does not set, or the route cannot express it (class UNSUPPORTED)
 *   -EACCES  the number of a tracepoint may not be read
 *   -EBUSY   the session runs
 *   -ENOMEM
 */
int uncoremsr_session_add(struct uncoremsr_session *s, const char *text);
/**
 * Add every event of the lists (uncoremsr_event_list_add()), deprecated ones too, in their order. Each
 * takes its route by itself. One that cannot be counted here is left out, and the rest is added; a
 * name that stands in several places is added once, as the first of them.
 * @param left_out is told each that was left out, and why, in one sentence that is valid during the
 *   call. NULL: the log has it, as a warning.
 * @return how many were added, which may be 0; -ENOENT there are no lists; -EBUSY the session runs;
 *   -ENOMEM: those before it have been added.
 */
int uncoremsr_session_add_listed(struct uncoremsr_session *s,
				 void (*left_out)(void *user,
						  const struct uncoremsr_event *event,
						  const char *why),
				 void *user);
/**
 * Count event @p event on this counter of every package, and nowhere else.
 * @return 0; -EINVAL no such event, no such counter, the event cannot be counted there, or the
 *   counter was already asked for; -EBUSY the session runs.
 */
int uncoremsr_session_set_counter(struct uncoremsr_session *s, size_t event, unsigned counter);
/** How counters are reached. */
enum uncoremsr_route {
	UNCOREMSR_ROUTE_AUTO,  /* registers for the uncore where they may be written; else the kernel */
	UNCOREMSR_ROUTE_MSR,   /* registers for everything, the core PMU too */
	UNCOREMSR_ROUTE_PERF,  /* the kernel's perf */
};
/**
 * Choose the route of events that are added from now on.
 *
 * AUTO: what our tables know of the uncore is counted by registers, unless these may not be written
 * (no driver, permission or capability, kernel lockdown, write filter) and the kernel has a PMU for
 * it; all else is the kernel's. The core PMU belongs to the kernel too, and perf rewrites its registers
 * whenever it likes: they are used with MSR only. Names of event lists take the same ways; with MSR
 * they are counted where our tables reach the PMU that the list means. PERF takes the names of our
 * tables as well, and has no metrics.
 * @return 0; -EINVAL unknown route; -EBUSY the session runs.
 */
int uncoremsr_session_set_route(struct uncoremsr_session *s, enum uncoremsr_route route);
/**
 * Count on these CPUs: packages without one of them are not counted. Registers of a package are
 * reached through its first one. Where only registers count, two CPUs of one package are a mistake,
 * unless the route is UNCOREMSR_ROUTE_MSR (core counters are counted on each CPU). Events of the
 * kernel are counted on each CPU, those of its uncore PMUs on the packages of these CPUs. To be called
 * when the events were added.
 * @param list kernel-style ("0,1").
 * @return 0; -EINVAL not a list, a CPU that does not exist or is offline, two CPUs of one package;
 *   -EBUSY the session runs; -ENOMEM.
 */
int uncoremsr_session_set_cpus(struct uncoremsr_session *s, const char *list);
/**
 * Count on these packages only, by their ids.
 * @return 0; -EINVAL not a list, or no such package; -EBUSY the session runs; -ENOMEM.
 */
int uncoremsr_session_set_packages(struct uncoremsr_session *s, const char *list);
/**
 * Allow (default) or forbid more events than there are counters. When they do not fit at once they
 * form several groups, and the caller has to call uncoremsr_session_rotate().
 */
void uncoremsr_session_set_multiplex(struct uncoremsr_session *s, int allow);

/**
 * Place the events on free counters of each unit that they are for, program them (filters, selectors
 * written and read back, counters zeroed) and switch them on bit by bit, so that everybody else's
 * enable bits are kept. A unit that fails is left as it was found and the others go on; see
 * uncoremsr_unit_error(), and uncoremsr_session_package_error() where nothing of a package is left.
 * Units that do not answer at all (fused off) are left out. Then the kernel's events are opened and
 * switched on. A route that fails does not keep the other one from counting: a warning in the log names
 * what is missing, and its readings are unknown with that reason. A session that was stopped may be
 * started again; what it had counted is forgotten then.
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
 * Read every active counter and close the interval: readings then tell what happened since the
 * previous call (or the start). One system call per counter, no allocation.
 * @return 0 when everything was read, or the first error; the other readings are still good.
 */
int uncoremsr_session_read(struct uncoremsr_session *s);
/**
 * Read every active counter without closing the interval, so that no counter can wrap twice
 * between two reads. Needed at least every uncoremsr_session_max_interval() nanoseconds.
 */
int uncoremsr_session_sample(struct uncoremsr_session *s);
/**
 * Check that selectors and enable bits are still as programmed: at most one read per counter and
 * one per enable register of a unit. An interval is good only between two clean checks; otherwise its readings become
 * UNCOREMSR_DISTURBED. Call it right after uncoremsr_session_read().
 * @return the number of disturbed counters, or a negative errno when a check could not be made.
 */
int uncoremsr_session_verify(struct uncoremsr_session *s);
/** Take the next group's turn: sample, switch off, program, switch on. @return 0 or the first error. */
int uncoremsr_session_rotate(struct uncoremsr_session *s);
/**
 * Switch the counters off and read them once more, so that a program can end its measurement at a
 * moment of its own choice: uncoremsr_session_read() then closes the interval without touching a
 * register. Free-running counters are read only. What follows can only be uncoremsr_session_stop().
 * @return 0; -EINVAL the session is not running; or the first error.
 */
int uncoremsr_session_pause(struct uncoremsr_session *s);
/**
 * Stop counting and put back what was there before: enable bit, selector (if it still holds what we
 * wrote) and then the counter. May be called again.
 * @return 0; or the first error, with the rest put back all the same.
 */
int uncoremsr_session_stop(struct uncoremsr_session *s);

size_t uncoremsr_session_num_events(const struct uncoremsr_session *s);
/** What is known in words of an event of a session. */
enum uncoremsr_counted {
	UNCOREMSR_COUNTED_NAME, /* canonical, or "0x82:0x3" where it has none, with its modifiers */
	UNCOREMSR_COUNTED_PMU,  /* "uncore", "cbo", "cpu" */
};
/** @return NULL past the end. */
const char *uncoremsr_session_event_text(const struct uncoremsr_session *s, size_t event,
					 enum uncoremsr_counted property);
/** The selector word that is written; of an event of the kernel config in perf_event_attr. */
uint64_t uncoremsr_session_event_encoding(const struct uncoremsr_session *s, size_t event);
/**
 * What one count of an event is, for events that have a measure (bandwidths of free-running counters).
 * @param scale one count is so much of the unit. @return the unit ("MiB"); NULL: counts are counts.
 */
const char *uncoremsr_session_event_measure(const struct uncoremsr_session *s, size_t event,
					    double *scale);
/**
 * Take counters although somebody else seems to use them (selector or enable bit on, but no lease).
 * What is displaced is logged, and put back at the end.
 */
void uncoremsr_session_set_force(struct uncoremsr_session *s, int force);
/** Number of turns in which events are counted; 1 when everything fits. Known after start. */
size_t uncoremsr_session_num_turns(const struct uncoremsr_session *s);
/** Number of packages that were chosen, failing ones included. */
size_t uncoremsr_session_num_packages(const struct uncoremsr_session *s);
const struct uncoremsr_package *uncoremsr_session_package(const struct uncoremsr_session *s,
							  size_t index);
/** CPU used to reach its registers. */
int uncoremsr_session_package_cpu(const struct uncoremsr_session *s, size_t index);
/** Why this package is not counted, as a sentence; NULL when something of it is. */
const char *uncoremsr_session_package_error(const struct uncoremsr_session *s, size_t index);
/** Who counts an event: UNCOREMSR_ROUTE_MSR or UNCOREMSR_ROUTE_PERF. */
enum uncoremsr_route uncoremsr_session_event_route(const struct uncoremsr_session *s, size_t event);
/** 1 when the value is a level (of a temperature, say) and not a count, else 0. A level is not summed
 * over time; over units it is, as perf does it: look at the units where a sum makes no sense. */
int uncoremsr_session_event_is_level(const struct uncoremsr_session *s, size_t event);
/** 1 when it is counted for the session's task alone, 0 when for whole CPUs or packages. */
int uncoremsr_session_event_is_task(const struct uncoremsr_session *s, size_t event);

/** Whom the kernel's events count. Uncore events always count for whole packages. */
enum uncoremsr_target {
	UNCOREMSR_TARGET_SYSTEM,  /* CPUs, whatever runs on them */
	UNCOREMSR_TARGET_PROCESS, /* a process with its threads, and what these start */
	UNCOREMSR_TARGET_THREAD,  /* a thread alone */
	UNCOREMSR_TARGET_COMMAND, /* a child of the caller from its next exec(2) on, and what it starts */
};
/**
 * Choose whom to count, before events are added.
 * @param id of the process or thread. Of a command that does not run yet 0; then call it again with
 *   the child's before uncoremsr_session_start(), and let the child exec after that.
 * @return 0; -ESRCH there is no such process; -EINVAL no such target, or there are events for another
 *   one; -EBUSY the session runs; -ENOMEM.
 */
int uncoremsr_session_set_target(struct uncoremsr_session *s, enum uncoremsr_target target, long id);
/**
 * Count what belongs to a control group, on CPUs. Before events are added.
 * @param path below /sys/fs/cgroup (cgroup2).
 * @return 0; -EINVAL there are events; -EBUSY the session runs; -ENOMEM. A group that is not there is
 *   told when the session starts.
 */
int uncoremsr_session_set_cgroup(struct uncoremsr_session *s, const char *path);

/**
 * Sum the kernel's counts over sets of CPUs (cores), and count on no others.
 * @param text one set "0,1,2", "0-10,20-18", "0x10-12"; in brackets "[4-15,32-63]" a set for each
 *   CPU.
 * @return how many sets were added; -EINVAL it is no such text, a CPU does not exist, or it is in
 *   another set (the sentence tells); -EBUSY the session runs; -ENOMEM.
 */
int uncoremsr_session_add_cores(struct uncoremsr_session *s, const char *text);
size_t uncoremsr_session_num_cores(const struct uncoremsr_session *s);
/** As it was written; of a set out of brackets the number of its CPU. NULL past the end. */
const char *uncoremsr_session_cores(const struct uncoremsr_session *s, size_t group);
/** The last closed interval, or everything from the start to it. */
enum uncoremsr_span { UNCOREMSR_INTERVAL, UNCOREMSR_TOTAL };
/**
 * What an event did on a set of CPUs, everywhere, or on one core: each CPU and unit scaled by its own
 * times, then added up; the times are those of the unit that was counted least. Unknown when one of them
 * is. An uncore belongs to no CPU: its events are unknown on cores.
 * @param index of a unit of the core, as in uncoremsr_session_unit().
 * @return valid until the next call for the same place and event; NULL past the end, for a unit of the
 *   uncore, and before the session was started.
 */
const struct uncoremsr_reading *uncoremsr_session_cores_reading(const struct uncoremsr_session *s,
								size_t cores, size_t event,
								enum uncoremsr_span span);
const struct uncoremsr_reading *uncoremsr_session_whole_reading(const struct uncoremsr_session *s,
								size_t event,
								enum uncoremsr_span span);
const struct uncoremsr_reading *uncoremsr_session_core_reading(const struct uncoremsr_session *s,
							       size_t event, size_t index,
							       enum uncoremsr_span span);
/** Longest time between two reads in which no counter can wrap more than once, in nanoseconds: from
 * counter width, highest uncore clock and highest increment per clock. */
uint64_t uncoremsr_session_max_interval(const struct uncoremsr_session *s);

/** What became of a reading. Every other status than OK has no value. */
enum uncoremsr_status {
	UNCOREMSR_OK,          /* "ok" */
	UNCOREMSR_NOT_COUNTED, /* "not-counted": it had no turn in this interval, or was not read yet */
	UNCOREMSR_WRAPPED,     /* "wrapped": more than one wrap was possible */
	UNCOREMSR_DISTURBED,   /* "disturbed": somebody changed the selector or the enable bit */
	UNCOREMSR_LOST,        /* "lost": the CPU went offline */
	UNCOREMSR_FAILED,      /* "failed": programming or reading failed */
	/* Metrics only: */
	UNCOREMSR_IMPLAUSIBLE, /* "implausible": beyond what the machine can physically do */
	UNCOREMSR_UNDEFINED,   /* "undefined": a division by 0, nothing happened to be a share of */
};
/** The word for a status, as in the tools' output. */
const char *uncoremsr_status_word(enum uncoremsr_status status);

/**
 * What an event did on a package: the sum of its units, each scaled to the whole interval first, with the
 * times of the one that was counted least. It is not known while one of them is not known. A sum has no raw
 * value, and a counter only where it is the same on all units. @return NULL past the end.
 */
const struct uncoremsr_reading *uncoremsr_session_reading(const struct uncoremsr_session *s,
							  size_t package, size_t event,
							  enum uncoremsr_span span);
/** Number of units that count an event, of all packages; known after start. */
size_t uncoremsr_session_num_units(const struct uncoremsr_session *s, size_t event);
/** One of them, package by package; NULL past the end. Valid until the session starts again. */
const struct uncoremsr_unit *uncoremsr_session_unit(const struct uncoremsr_session *s, size_t event,
						    size_t index);
/** "cbo3"; "cpu5" for core counters; the name of the PMU where a package has only one of it. */
const char *uncoremsr_unit_name(const struct uncoremsr_unit *u);
/** The 3 of "cbo3"; the number of the cache, node or CPU for PMUs that belong to these. */
unsigned uncoremsr_unit_number(const struct uncoremsr_unit *u);
/** Its package, as in uncoremsr_session_package(). */
const struct uncoremsr_package *uncoremsr_unit_package(const struct uncoremsr_unit *u);
/** CPU used to reach it, or on which it counts; -1: wherever a task runs. */
int uncoremsr_unit_cpu(const struct uncoremsr_unit *u);
/** core_id of the CPU whose counters these are; -1 for counters of the uncore. */
int uncoremsr_unit_core(const struct uncoremsr_unit *u);
/** What the event did on this unit. */
const struct uncoremsr_reading *uncoremsr_unit_reading(const struct uncoremsr_unit *u,
						       enum uncoremsr_span span);
/** Why this unit is not counted, as a sentence; NULL when it is. */
const char *uncoremsr_unit_error(const struct uncoremsr_unit *u);
enum uncoremsr_status uncoremsr_reading_status(const struct uncoremsr_reading *r);
/** What was wrong, as a sentence; "" when the status is OK. */
const char *uncoremsr_reading_detail(const struct uncoremsr_reading *r);
/** Index of the counter (general ones from 0, the fixed clock after them); -1 none. */
int uncoremsr_reading_counter(const struct uncoremsr_reading *r);
/** A number of a reading. */
enum uncoremsr_reading_property {
	UNCOREMSR_READING_RAW,     /* the register as last read */
	UNCOREMSR_READING_COUNTED, /* what it counted */
	UNCOREMSR_READING_VALUE,   /* the same, scaled by enabled/running time when events take turns */
	UNCOREMSR_READING_UNITS,   /* of a sum: how many units or CPUs there are */
	UNCOREMSR_READING_UNITS_KNOWN, /* of a sum: how many of them are known */
};
/** @return 0; -ENODATA unknown, @p v is left alone. */
int uncoremsr_reading_number(const struct uncoremsr_reading *r,
			     enum uncoremsr_reading_property property, uint64_t *v);
/** Times in nanoseconds. */
enum uncoremsr_ns {
	UNCOREMSR_NS_ENABLED, /* the interval */
	UNCOREMSR_NS_RUNNING, /* the part of it in which the event was really being counted */
	UNCOREMSR_NS_TIME,    /* when it ended, on the clock of uncoremsr_now() */
};
uint64_t uncoremsr_reading_ns(const struct uncoremsr_reading *r, enum uncoremsr_ns which);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif

#endif
