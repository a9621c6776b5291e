/* SPDX-License-Identifier: LGPL-2.1-or-later */
/**
 * @file uncoremsr.h
 * libuncoremsr: count processor events, mainly those of the uncore, through model-specific registers or
 * through the kernel (perf_event_open(2)).
 *
 * Life cycle: uncoremsr_new(), options, uncoremsr_open(); then sessions; then uncoremsr_free(). docs/example.c is a
 * whole program. A handle that failed to open can still explain why (uncoremsr_error()).
 *
 * Errors: functions that can fail return 0 (or a non-negative result) or a negative errno. For people, the
 * handle keeps a message with the object and the cause, and advice on what to do next, until the next call on
 * it that fails. The library never prints, exits, creates threads, installs signal handlers, or leaves the
 * caller's CPU affinity changed.
 *
 * Threads: a handle and everything obtained from it may be used by one thread at a time;
 * different handles are independent.
 *
 * Processes: a handle can be used only by the process that opened it. In a child after fork(2), every call that would
 * count, or read or write the machine, fails with -ECHILD (class USAGE) and touches no register, journal or lock. This
 * also holds for sessions, regions and watchers of the handle. Getters answer as before the fork. Functions that free
 * an object, such as uncoremsr_free(), release the child's memory and close its copies of the descriptors; the parent
 * is not affected. To count, a child makes and opens a handle of its own.
 *
 * Ownership: pointers returned by getters belong to the handle (or session) they came from and are valid until it is
 * freed, unless the comment of the getter names an earlier end. Functions that free an object accept NULL.
 *
 * Structs: what a getter returns belongs to the library, which appends members in later releases. The member "size" is
 * the struct's size in the library. Use pointers; do not copy a struct or index an array of structs. A getter that
 * takes an index returns NULL past the end; a list in a struct is an array of pointers that ends with NULL. A value
 * that is unknown or does not apply is NULL (text), NAN (floating point), UINT64_MAX (unsigned) or -1 (int), never 0.
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

/** Does the library fill this member of the struct that @p p points to? A program needs this macro only for members
 * that the oldest library it supports does not have. */
#define UNCOREMSR_HAS(p, member) \
	((p)->size >= offsetof(__typeof__(*(p)), member) + sizeof((p)->member))

struct uncoremsr;         /* handle of a machine: live, simulated, or described by a directory tree */
struct uncoremsr_session; /* events that are counted together */

/** Version of these headers. Compare it like this: UNCOREMSR_VERSION >= UNCOREMSR_VERSION_NUMBER(0, 2, 0). */
#define UNCOREMSR_VERSION_MAJOR 0
#define UNCOREMSR_VERSION_MINOR 1
#define UNCOREMSR_VERSION_PATCH 0
#define UNCOREMSR_VERSION_NUMBER(major, minor, patch) ((major) * 1000000 + (minor) * 1000 + (patch))
#define UNCOREMSR_VERSION \
	UNCOREMSR_VERSION_NUMBER(UNCOREMSR_VERSION_MAJOR, UNCOREMSR_VERSION_MINOR, \
				 UNCOREMSR_VERSION_PATCH)
/** Version of the linked library, for example "0.1.0". Since 0.1. */
const char *uncoremsr_version(void);

/* ---------------------------------------------------------------- errors */

/** Kind of a failure; the values are the exit statuses of the tools. */
enum uncoremsr_error_class {
	UNCOREMSR_ERROR_NONE = 0,        /* no failure so far */
	UNCOREMSR_ERROR_PARTIAL = 1,     /* partial success: part of the result is missing */
	UNCOREMSR_ERROR_USAGE = 2,       /* the request is invalid */
	UNCOREMSR_ERROR_UNSUPPORTED = 3, /* this machine does not support the request */
	UNCOREMSR_ERROR_ACCESS = 4,      /* access denied: driver, permission, lockdown */
};

/** The last failure of a handle: code and class for programs, message and hint for people. */
struct uncoremsr_error {
	size_t size;
	int code;             /* negative errno; 0: no failure so far */
	enum uncoremsr_error_class error_class;
	const char *message;  /* object and cause in one sentence; "" when nothing failed */
	const char *hint;     /* what the user can do about it, in one sentence; "" when there is no advice */
	int starved;          /* 0, or ENOMEM, EMFILE or ENFILE if memory or file descriptors ran out in this or an
			       * earlier call, even if that call reported it only as NULL or "unknown" */
};
/** The last failure of a call on this handle. @return valid until the handle is freed; each call of this function
 * overwrites it. */
const struct uncoremsr_error *uncoremsr_error(const struct uncoremsr *um);

/* --------------------------------------------------------------- machine */

/** Make a handle. @return 0; -ENOMEM (*um is NULL then). */
int uncoremsr_new(struct uncoremsr **um);
/** Free a handle and close its machine. Sessions must have been freed before. NULL is accepted. */
void uncoremsr_free(struct uncoremsr *um);

/**
 * Choose the machine, before uncoremsr_open().
 * @param what NULL or "live": this machine. "root:DIR": the tree under DIR (DIR/dev/cpu/N/msr, DIR/sys,
 *   DIR/proc; nothing outside DIR is read). "sim:NAME[,KEY=VALUE...]": a simulated machine in this process,
 *   see uncoremsr-sim(5). Without this call the machine is "live"; the library reads no environment
 *   variable.
 * @return 0; -EINVAL unknown form of @p what; -EPERM "root:" in a program with raised privileges
 *   (set-user-ID or file capabilities), because its user could forge identity and devices; -EBUSY already
 *   open; -ENOMEM.
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
/** Level of a line of the log. */
enum uncoremsr_log_level {
	UNCOREMSR_LOG_REMARK,  /* what the library did and why; tools show it with --verbose */
	UNCOREMSR_LOG_WARNING, /* something about this machine that the user should know */
};
/** Pass remarks and warnings for people ("counter 2 of package 0 is in use") to a callback, one line each, without line
 * end. Without a callback (NULL) they are discarded. */
void uncoremsr_set_log(struct uncoremsr *um,
		       void (*fn)(void *user, enum uncoremsr_log_level level, const char *line),
		       void *user);
/** Options of a handle. */
enum uncoremsr_option {
	UNCOREMSR_DRY_RUN,     /* 1: registers are read but never written; a later read returns the value that would
			        * have been written. Set it before uncoremsr_open(). The machine's clock is advanced
			        * only by uncoremsr_advance(). Events that the kernel counts are not started */
	UNCOREMSR_OWN_CATALOG, /* POWER, default 1: find the machine's own catalog of in-memory counters
			        * (uncoremsr/names.h). 0: list its events as the kernel shows them (their source is
			        * "kernel"). Set it before events are listed or searched */
	UNCOREMSR_LOG_FROM,    /* lowest level that is passed to the log (enum uncoremsr_log_level), default
			        * UNCOREMSR_LOG_REMARK. With UNCOREMSR_LOG_WARNING the library skips work that only
			        * remarks need, such as finding out why another route cannot count an event */
};
/** Set an option of a handle. @return 0; -EINVAL no such option or level; -EBUSY the machine is open, so
 * DRY_RUN cannot change; -ENOMEM. */
int uncoremsr_set(struct uncoremsr *um, enum uncoremsr_option option, int value);

/**
 * Identify the machine: identity from CPUID, topology from sysfs. Opens no register device.
 * @return 0, also on a processor whose uncore is not supported (uncoremsr_machine()
 *   in uncoremsr/machine.h); or
 *   -ENOENT  no such directory, or no such simulated machine (class USAGE)
 *   -EINVAL  a parameter or the description of the simulated machine is wrong (class USAGE)
 *   -ENODATA sysfs shows no CPU, or does not show which CPUs form a package, or this is an s390 or Itanium machine
 *            (class UNSUPPORTED)
 *   -EBUSY already open; -ENOMEM; -EMFILE, -ENFILE
 *   -ENOTSUP the machine is simulated, but libuncoremsr-sim of this release is not installed
 *   -EPERM  the machine is simulated, but libuncoremsr-sim is not loaded into a program with raised privileges
 */
int uncoremsr_open(struct uncoremsr *um);

/** Nanoseconds on the machine's monotonic clock: CLOCK_MONOTONIC, or the simulated clock. */
uint64_t uncoremsr_now(const struct uncoremsr *um);
/** Advance the machine's clock by @p ns nanoseconds, if it is stepped (sim:NAME,clock=stepped) or this is a dry run.
 * @return 1; 0 if the clock is real, so the caller has to wait. */
int uncoremsr_advance(struct uncoremsr *um, uint64_t ns);

/** One package; or one die, if the uncore registers are per die. */
struct uncoremsr_package {
	size_t size;
	int id;           /* physical_package_id; if the kernel has -1 there, packages are numbered from 0 */
	int die;          /* die_id, where the uncore registers are per die; else -1 */
	int cpu;          /* CPU through which the registers are accessed: the package's lowest online CPU; -1 if there
			   * is none */
	const char *cpus; /* online CPUs as a kernel-style list */
};
/** Package by index, sorted by lowest online CPU. Packages without an online CPU are last; they are listed only on
 * POWER, if firmware exports the chip's in-memory counters. NULL past the end. */
const struct uncoremsr_package *uncoremsr_package(const struct uncoremsr *um, size_t index);

/* ------------------------------------------------- a session: what to count */

/** Make a session on an open machine. Touches no register. @return 0; -EINVAL the machine is not open; -ENOMEM. */
int uncoremsr_session_new(struct uncoremsr *um, struct uncoremsr_session **s);
/** Free a session. If it runs, stop it first, which restores the registers. NULL is accepted. */
void uncoremsr_session_free(struct uncoremsr_session *s);

/** How counters are reached. */
enum uncoremsr_route {
	UNCOREMSR_ROUTE_AUTO, /* registers for the uncore if they may be written; else the kernel */
	UNCOREMSR_ROUTE_MSR,  /* registers for everything, including the core PMU */
	UNCOREMSR_ROUTE_PERF, /* the kernel's perf */
	UNCOREMSR_ROUTE_MEMORY, /* POWER: nest counters, read from the memory to which microcode writes
				 * them */
};
/** How a session counts. */
enum uncoremsr_session_option {
	/*
	 * Route of the events that are added from now on, enum uncoremsr_route; default AUTO. AUTO counts the uncore
	 * PMUs of our tables through registers. If registers may not be written (no driver, permission or capability,
	 * kernel lockdown, write filter), the kernel counts these PMUs if it supports them. The kernel counts
	 * everything else, including the core PMU, because perf may rewrite core registers at any time. Names from
	 * event lists follow the same rules; MSR counts them if our tables can reach their PMU. PERF accepts the names
	 * of our tables, too, but no metrics. AUTO never chooses MEMORY, because this route only reads: the microcode
	 * may be paused (UNCOREMSR_PAUSED) while the kernel has no nest event open.
	 */
	UNCOREMSR_SESSION_ROUTE,
	UNCOREMSR_SESSION_MULTIPLEX, /* default 1: events that do not fit at the same time form groups that
				      * take turns; the caller calls uncoremsr_session_rotate(). 0:
				      * uncoremsr_session_start() fails (-EBUSY) unless all fit, on every route */
	UNCOREMSR_SESSION_FORCE,     /* 1: use counters that seem to be in use (selector or enable bit on) but have no
				      * lease; their contents are logged and restored */
	UNCOREMSR_SESSION_VERIFY,    /* default 1: uncoremsr_session_read() also reads selectors and enable bits, to
				      * check that the counters are still ours. 0 saves these reads, but changes by
				      * another program go unnoticed */
};
/** Set an option of a session. @return 0; -EINVAL no such option or route; -EBUSY the session runs; -EPERM for FORCE:
 *   the right to write registers comes from the program's file capabilities, not from its user. */
int uncoremsr_session_set(struct uncoremsr_session *s, enum uncoremsr_session_option option, int value);
/** What the kernel's events count. Uncore events always count for whole packages. */
enum uncoremsr_target {
	UNCOREMSR_TARGET_SYSTEM,  /* everything that runs on the CPUs */
	UNCOREMSR_TARGET_PROCESS, /* a process: its threads, and threads and processes that they start */
	UNCOREMSR_TARGET_THREAD,  /* one thread only */
	UNCOREMSR_TARGET_COMMAND, /* a child of the caller from its next exec(2) on, and processes that it
				   * starts */
};
/** Choose the target, before events are added. Call this function for each of several processes or threads; another
 * kind of target replaces the earlier ones. A call that fails changes nothing.
 * @param id process or thread id. 0 for a command that does not run yet: call this function again with the
 *   child's id before uncoremsr_session_start(), and let the child call exec(2) after that.
 * @return 0; -ESRCH no such process; -EINVAL no such target, an invalid id, or the session has events for another
 *   target; -EBUSY the session runs; -EMFILE, -ENFILE too few descriptors; -ENOMEM. */
int uncoremsr_session_set_target(struct uncoremsr_session *s, enum uncoremsr_target target, long id);
/**
 * Add events, before uncoremsr_session_start(). Each event, or each group as a whole, takes the route that
 * UNCOREMSR_SESSION_ROUTE describes; the log says which one and why.
 * @param text one or several events separated by commas: "UNC_PROCHOT_ASSERTION", "0x82:0x1",
 *   "0x82:0x1:edge:cmask=2", "uncore/event=0x82,umask=0x1,edge/", the selector word "0x420182",
 *   "UNC_CLK_UNHALTED" (the fixed uncore clock), patterns that stand for several events
 *   ("UNC_TURBO_MODE.CORE_[0-3]", "UNC_THERMAL_*"), and groups "{a,b}" that are always counted at
 *   the same time; what perf accepts ("cycles:u", "r5301b1", "power/energy-pkg/", tracepoints); names from
 *   event lists with terms ("UNC_C_TOR_INSERTS.OPCODE:filter_opc=0x182"): uncoremsr-events(7)
 * @return the number of added events; or, if nothing was added,
 *   -EINVAL  the text is not understood, or a value is out of range, or a reserved bit is set, or a group has events of
 *            several PMUs (class USAGE)
 *   -ENOENT  no event or PMU of that name, here or in the kernel
 *   -ENOTSUP this machine's uncore is not supported, or is virtual, or the event needs a register
 *            that this library does not set, or the route cannot express it (class UNSUPPORTED)
 *   -EACCES  no permission to read the number of a tracepoint
 *   -EBUSY the session runs; -ENOMEM
 */
int uncoremsr_session_add(struct uncoremsr_session *s, const char *text);
/** Count event @p event on this counter of every package, and nowhere else.
 * @return 0; -EINVAL no such event, no such counter, the event cannot be counted there, or the
 *   counter was chosen for another event; -EBUSY the session runs. */
int uncoremsr_session_set_counter(struct uncoremsr_session *s, size_t event, unsigned counter);
/** Limits for counting, which uncoremsr_session_only() sets. Lists are kernel-style ("0,2-3"). */
enum uncoremsr_only {
	/*
	 * A list of CPUs. Set it after the events were added. Packages without one of these CPUs are not counted. The
	 * registers of a package are accessed through the first of these CPUs. If all events are counted through
	 * registers, two CPUs of one package are an error, unless the route is UNCOREMSR_ROUTE_MSR (core counters are
	 * counted on each CPU). The kernel counts events of its uncore PMUs on the packages of these CPUs, and all
	 * other events on each of the CPUs.
	 */
	UNCOREMSR_ONLY_CPUS,
	UNCOREMSR_ONLY_PACKAGES, /* a list of physical_package_id */
	/*
	 * A set of CPUs on which counts are summed, such as "0,1,2", "0-10,20-18" or "0x10-12". Brackets make one set
	 * per CPU: "[4-15]". Each call adds sets. The kernel counts only on CPUs that are in a set. A CPU that is
	 * offline is not part of the sum until it comes online. The uncore is counted only on packages that have a CPU
	 * in a set that is online at the start. Cannot be combined with UNCOREMSR_ONLY_CPUS. With
	 * UNCOREMSR_ONLY_PACKAGES, uncoremsr_session_start() refuses a set that has a CPU of another package.
	 */
	UNCOREMSR_ONLY_CORES,
	/*
	 * Count only the tasks of a control group, on CPUs. The limit applies to events that are added later; set it
	 * again to change it for further events. The text is the group's directory (which has a file cgroup.procs): an
	 * absolute path, a path below /sys/fs/cgroup, or a path as in /proc/PID/cgroup, in any hierarchy. The root
	 * group is refused, because it contains every task.
	 */
	UNCOREMSR_ONLY_CGROUP,
};
/**
 * Limit what the session counts.
 * @return 0, or for CORES the number of added sets; or
 *   -EINVAL  @p text is NULL or not a list; CPUS: a CPU does not exist or is offline, or two are of one package;
 *            PACKAGES: no such package; CORES: a CPU does not exist or is in another set; CPUS and CORES are both used;
 *            CGROUP: the session has events for another target, or the path is empty or that of the root group
 *   -ENOENT or a similar error: no such group (class USAGE); -EACCES: no permission to see it (class ACCESS)
 *   -EBUSY the session runs; -ENOMEM
 */
int uncoremsr_session_only(struct uncoremsr_session *s, enum uncoremsr_only what, const char *text);

/* ------------------------------------------------------ a session: counting */

/**
 * Start counting. Assign the events to free counters of their units and program these: write filters and
 * selectors and read them back, set the counters to 0. Then set only our own enable bits, so that those of
 * other programs are kept. A unit that fails is restored and the others go on: see struct uncoremsr_unit,
 * and struct uncoremsr_session_package if no unit of a package is left. Units that do not answer (fused
 * off) are left out. Then the kernel's events are opened and switched on. If one route fails, the other one
 * still counts (unless UNCOREMSR_SESSION_MULTIPLEX is 0 and the error is -EBUSY): a warning in the log names
 * what is missing, and the readings of the failed route are unknown. A stopped session may be started again,
 * from zero.
 * @return 0 when at least one unit counts; or
 *   -EINVAL  no events, or a group whose events can never be counted at the same time: more events than
 *            counters, constraints that exclude each other, or two values for a filter that all counters of
 *            a unit share; or a set of cores that has a CPU of a package that was not chosen (class
 *            USAGE)
 *   -ENODEV  no such unit on any package
 *   -EBUSY   not enough free counters, the counter asked for is in use, or more events take turns on a counter than a
 *            record of the journal can hold, which is at least 256 (class UNSUPPORTED)
 *   -ENOTSUP a virtual machine: a register does not keep what was written (class UNSUPPORTED)
 *   -ENOENT, -ENODEV, -EACCES, -EPERM, -ENXIO no access: no driver, no node, no permission, no
 *            capability, lockdown, write filter, CPU offline (class ACCESS)
 *   -EIO     a register faulted (class UNSUPPORTED)
 *   -EMFILE  more descriptors are needed than the limit allows (the message says how many)
 *   -ENOMEM; or another errno of perf_event_open(2)
 */
int uncoremsr_session_start(struct uncoremsr_session *s);
/**
 * Read every active counter and end the interval: readings then cover the time since the previous call (or
 * the start). This takes one system call per counter and allocates nothing. Then check that selectors and
 * enable bits still hold what the session wrote, with at most one more read per counter and one per enable
 * register. An interval is valid only if the checks before and after it found no change; otherwise its
 * readings are UNCOREMSR_DISTURBED. If UNCOREMSR_SESSION_VERIFY is 0, nothing is checked.
 * @return 0 if everything was read and checked, or the first error; the other readings are still valid.
 */
int uncoremsr_session_read(struct uncoremsr_session *s);
/** Read every active counter without ending the interval, so that no counter can wrap twice between two
 * reads. Call this or uncoremsr_session_read() at least every max_interval nanoseconds
 * (uncoremsr_session_state()). */
int uncoremsr_session_sample(struct uncoremsr_session *s);
/** Begin the next group's turn: read the counters and switch them off, then program the next group and switch it on.
 * @return 0 or the first error. */
int uncoremsr_session_rotate(struct uncoremsr_session *s);
/** Switch the counters off and read them a last time, so that a program can end its measurement at a moment
 * of its choice. uncoremsr_session_read() then ends the interval without accessing a register. Free-running
 * counters are only read, because they cannot be switched off. A paused session cannot go on; stop it with
 * uncoremsr_session_stop().
 * @return 0; -EINVAL the session is not running; or the first error. */
int uncoremsr_session_pause(struct uncoremsr_session *s);
/** Stop counting and restore what was there before: enable bit, selector (only if it still holds what we
 * wrote), then the counter. Does nothing if the session does not run. So a second call after a failure does not try
 * again. The journal keeps the old contents of registers that were not restored, for uncoremsr_repair(). A simulated
 * machine in this process has no journal.
 * @return 0; or the first error, after everything else was restored. */
int uncoremsr_session_stop(struct uncoremsr_session *s);

/* -------------------------------------------- a session: events, packages, units */

/** A session as a whole. */
struct uncoremsr_session_state {
	size_t size;
	size_t packages;          /* number of chosen packages, including those that cannot be counted */
	size_t turns;             /* number of groups that take turns on the counters; 1 if all events fit at the same
				   * time. Known after start */
	uint64_t max_interval;    /* longest time in ns between two reads in which no counter can wrap twice; follows
				   * from counter width, highest uncore clock and highest increment per clock */
	const char *const *cores; /* sets of CPUs (UNCOREMSR_ONLY_CORES), each as the caller wrote it; a set that was
				   * made by brackets is the number of its CPU. The array ends with NULL */
	size_t cpus;              /* number of CPUs in all sets; if there are no sets, number of online CPUs */
	const char *left_out;     /* sentence about the metrics of a pattern or of "default" that were left out because
				   * they cannot be counted here. NULL: none were left out, or the start of the session
				   * has logged the sentence */
};
/** @return the state of the session, valid until the session is limited or started again; each call of this function
 * overwrites it. NULL without a session. */
const struct uncoremsr_session_state *uncoremsr_session_state(const struct uncoremsr_session *s);

/** An event of a session. */
struct uncoremsr_counted {
	size_t size;
	const char *name;         /* canonical name, or codes ("0x82:0x3") if it has none; with its modifiers */
	const char *pmu;          /* PMU: "uncore", "cbo"; "cpu_atom+cpu_core" if several kinds of cores count it */
	const char *measure;      /* unit of the scaled count ("MiB"); NULL: it has none */
	double scale;             /* factor for one count; 1 if counts are not scaled. Bandwidths of free-running
				   * counters have scale and unit. POWER's in-memory counters have a scale only:
				   * the hardware stores the count divided by 256 or 512 */
	const char *kernel_scale; /* scale and unit in the kernel's file, as "3.814697266e-06 MiB", if they differ from
				   * those of the tables, by which counts are scaled. NULL: no difference */
	uint64_t encoding;        /* the selector word; on the kernel's route, config of perf_event_attr */
	enum uncoremsr_route route; /* the route that counts the event: UNCOREMSR_ROUTE_MSR, _PERF or _MEMORY */
	int level;                /* 1: a level, such as a temperature. It is summed over units, as perf does, but not
				   * over time. If the sum makes no sense, use the units' readings */
	int task;                 /* 1: the event counts only the target; 0: whole CPUs or packages */
	int uncore;               /* 1: the event counts a package, die or core; 0: a task, or each CPU */
	int cores;                /* 1: each unit is a core; all CPUs of the core read the same counter (core_imc) */
};
/** An event by index; events have the order in which they were added. @return valid until events are added or the
 * session starts; NULL past the end. */
const struct uncoremsr_counted *uncoremsr_session_event(const struct uncoremsr_session *s, size_t event);

/** A package of a session. */
struct uncoremsr_session_package {
	size_t size;
	const struct uncoremsr_package *package;
	int cpu;           /* CPU through which the package's registers are accessed; -1: none */
	const char *error; /* why no unit of the package counts, as a sentence. NULL if at least one unit counts, if no
			    * set has a CPU of the package (see cores), or if all its CPUs went offline after the start
			    * (see its readings) */
	const char *cores; /* the first set of struct uncoremsr_session_state that has a CPU of this package. NULL if
			    * there are no sets. Also NULL if no set has such a CPU; the package is then not counted */
};
/** A chosen package, even if it cannot be counted; NULL past the end. @return valid until the session is limited
 * or started again; each call for the same package overwrites it. */
const struct uncoremsr_session_package *uncoremsr_session_package(const struct uncoremsr_session *s, size_t index);

/** One event on one unit of a PMU, or on one CPU, or for a task. */
struct uncoremsr_unit {
	size_t size;
	const char *name;      /* "cbo3"; "cpu5" for core counters; the PMU's name if it has only one unit */
	const char *error;     /* why the unit does not count, as a sentence; NULL if it does, or if all CPUs that reach
			        * its registers went offline after the start (see its readings) */
	const char *pmu;       /* the unit's own PMU ("cpu_core") if PMUs of several kinds of cores count the event;
				* else NULL */
	int number;            /* unit number: 3 for "cbo3" or "uncore_cha_3", or that of the cache, node or CPU; -1:
			        * none */
	int cpu;               /* CPU through which the unit is accessed, or on which it counts; -1: counts a task on
			        * any CPU */
	int core;              /* core_id of the unit's CPU; -1 for the uncore */
	const struct uncoremsr_package *package; /* the package as in struct uncoremsr_session_package; NULL: none */
};
/** A unit that counts an event; units are listed package by package and known after start. CPUs that come online
 * later are appended. @return NULL past the end. Valid until the session starts again; reads may change its CPU and
 * its error. */
const struct uncoremsr_unit *uncoremsr_session_unit(const struct uncoremsr_session *s, size_t event,
						    size_t index);

/* ---------------------------------------------------------------- readings */

/** The time that a reading covers: the last interval, or from the start to the end of the last interval. */
enum uncoremsr_span { UNCOREMSR_INTERVAL, UNCOREMSR_TOTAL };
/** Status of a reading. Only OK has a count and a value; SPREAD has a count. */
enum uncoremsr_status {
	UNCOREMSR_OK,          /* "ok" */
	UNCOREMSR_NOT_COUNTED, /* "not-counted": the event had no turn in this interval, or was not read
			        * yet */
	UNCOREMSR_WRAPPED,     /* "wrapped": the counter may have wrapped more than once */
	UNCOREMSR_DISTURBED,   /* "disturbed": another program changed the selector or the enable bit */
	UNCOREMSR_LOST,        /* "lost": the CPU went offline, and no other CPU of the package was online; or a
			        * pinned event got no counter */
	UNCOREMSR_FAILED,      /* "failed": programming or reading failed */
	/* For metrics only: */
	UNCOREMSR_IMPLAUSIBLE, /* "implausible": the value exceeds what the hardware can reach */
	UNCOREMSR_UNDEFINED,   /* "undefined": the event in the denominator did not occur (division by 0), or the result
			        * is too large for a number */
	/* For events only: */
	UNCOREMSR_SILENT,      /* "silent" (registers only): a register does not keep the written value, so
			        * nothing is counted */
	UNCOREMSR_OFFLINE,     /* "offline": the CPU is or was offline, or the package has no CPU online; sums
			        * are over the other units */
	UNCOREMSR_SPREAD,      /* "spread" (registers only): the program was stopped while it read. The count is known,
				* but its time is uncertain by more than 5 percent. So there is no rate, and events that
				* take turns have no value */
	UNCOREMSR_SUSPENDED,   /* "suspended": the machine was suspended in this interval (for a total: at
				* any time), and hardware may have lost power; the next interval begins
				* anew */
	UNCOREMSR_PAUSED,      /* "paused" (route MEMORY only): the counting microcode was paused at the beginning
				* or end of the interval; a count of 0 would be wrong */
};

/** Count, status and times of one event in one place (enum uncoremsr_place). */
struct uncoremsr_reading {
	size_t size;
	enum uncoremsr_status status;
	const char *word;      /* the status as in the tools' output: "ok", "not-counted" */
	const char *detail;    /* why the status is not OK, as a sentence; "" if it is OK */
	uint64_t counted;      /* events counted; only with status OK or SPREAD */
	uint64_t value;        /* the count; if events take turns, scaled by enabled/running time. With status OK,
				* UINT64_MAX is a valid count */
	uint64_t raw;          /* contents of the counter register at the last read */
	int counter;           /* index of the counter: general ones from 0, then the fixed clock */
	unsigned units;        /* number of units or CPUs whose counts were added */
	unsigned units_known;  /* number of units or CPUs with a known count */
	/* Times in nanoseconds, known whatever the status is; 0 before the first read. */
	uint64_t enabled_ns;   /* length of the interval; for a task, the time for which it ran */
	uint64_t running_ns;   /* the part of the interval in which the event was counted */
	uint64_t time_ns;      /* end of the interval, on the clock of uncoremsr_now() */
};
/** Where an event or a metric is read, and what the parameter index means there. */
enum uncoremsr_place {
	UNCOREMSR_PLACE_PACKAGE,    /* index as in uncoremsr_session_package() */
	UNCOREMSR_PLACE_EVERYWHERE, /* all CPUs and units; the index is ignored */
	UNCOREMSR_PLACE_CORES,      /* a set of CPUs: index as in cores of struct uncoremsr_session_state */
	UNCOREMSR_PLACE_CORE,       /* one core: index of one of its units, as in uncoremsr_session_unit() */
	UNCOREMSR_PLACE_CPU,        /* one CPU: index of one of its units */
	UNCOREMSR_PLACE_UNIT,       /* one unit: index as in uncoremsr_session_unit(). Metrics have no value there */
};
/** Reading of an event in a place: the sum over the units of the place. Each unit's count is first scaled to the whole
 * interval. The sum is unknown if the count of any unit is unknown; units that are OFFLINE are left out. The times are
 * those of the unit with the smallest ratio of running to enabled time; if ratios are equal, of the unit with the
 * longest enabled time. A sum has no raw value, and has a counter only if all units use the same one. Counts of uncore
 * events on a set of CPUs are unknown.
 * @return valid until the session is read or started again, or until the next call for the same place, event and span;
 *   all cores and CPUs share one reading per event and span. NULL past the end and before the session was started; for
 *   a core or CPU also if @p index is a unit of the uncore. */
const struct uncoremsr_reading *uncoremsr_session_reading(const struct uncoremsr_session *s, size_t event,
							  enum uncoremsr_place place, size_t index,
							  enum uncoremsr_span span);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif

#endif
