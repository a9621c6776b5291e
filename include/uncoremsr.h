/* SPDX-License-Identifier: LGPL-2.1-or-later */
/**
 * @file uncoremsr.h
 * libuncoremsr: count processor uncore events through model-specific registers.
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
struct uncoremsr_pmu;       /* a set of counters that share one event vocabulary */
struct uncoremsr_register;  /* one register that the tables describe */
struct uncoremsr_session;   /* events that are counted together */
struct uncoremsr_reading;   /* what one event did on one package */
struct uncoremsr_sim;       /* a simulated machine */

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
 * @return 0; -EINVAL the form is unknown; -EBUSY already open; -ENOMEM.
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
/**
 * Remarks for people ("counter 2 of package 0 is in use"), one line without line end each.
 * Without a callback they are dropped. fn NULL switches them off.
 */
void uncoremsr_set_log(struct uncoremsr *um, void (*fn)(void *user, const char *line),
		       void *user);
/**
 * With @p on not 0, registers are read but never written: every later read of a register that would
 * have been written gives the value it would hold. Time does not pass (uncoremsr_advance()).
 * @return 0; -EBUSY already open.
 */
int uncoremsr_set_dry_run(struct uncoremsr *um, int on);

/**
 * Find out what machine this is: identity from CPUID, topology from sysfs. Opens no register device.
 * @return 0, also on a processor whose uncore is not supported (see uncoremsr_supported()); or
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

/** "GenuineIntel", or NULL when it could not be told. CPUID leaf 0. */
const char *uncoremsr_vendor(const struct uncoremsr *um);
/** Display family, model (extended fields included), stepping; -1 unknown. CPUID leaf 1 EAX. */
int uncoremsr_family(const struct uncoremsr *um);
int uncoremsr_model(const struct uncoremsr *um);
int uncoremsr_stepping(const struct uncoremsr *um);
/** 1 under a hypervisor, 0 not, -1 unknown. CPUID leaf 1 ECX bit 31. */
int uncoremsr_hypervisor(const struct uncoremsr *um);
/** The processor's own name (CPUID leaves 0x80000002 to 4, or "model name"), or NULL. */
const char *uncoremsr_brand(const struct uncoremsr *um);
/** Where identity came from: "cpuid", "cpuinfo" (proc/cpuinfo), or NULL when there was nothing. */
const char *uncoremsr_identity_source(const struct uncoremsr *um);
/** Short name of the microarchitecture ("westmere"), or NULL when the model is in no table. */
const char *uncoremsr_uarch(const struct uncoremsr *um);
/** The same in words ("Westmere-EP (Xeon 5600), Gulftown"), or NULL. */
const char *uncoremsr_uarch_title(const struct uncoremsr *um);
/** 1 when uncore counters can be programmed here as far as the model tells, else 0. */
int uncoremsr_supported(const struct uncoremsr *um);
/** Why not, in one sentence; NULL when supported. */
const char *uncoremsr_unsupported_reason(const struct uncoremsr *um);

/** Fields of CPUID leaf 0xA, the core PMU (it says nothing about the uncore). */
enum uncoremsr_leaf_0xa {
	UNCOREMSR_0XA_VERSION,          /* EAX 7:0; 0 = no architectural PMU */
	UNCOREMSR_0XA_GENERAL_COUNTERS, /* EAX 15:8, per logical CPU */
	UNCOREMSR_0XA_GENERAL_WIDTH,    /* EAX 23:16, bits */
	UNCOREMSR_0XA_EVENT_BITS,       /* EAX 31:24, valid bits of EBX */
	UNCOREMSR_0XA_EVENTS_ABSENT,    /* EBX within EVENT_BITS: 1 = event not available */
	UNCOREMSR_0XA_FIXED_COUNTERS,   /* EDX 4:0 or ECX, whichever names more; 0 below version 2 */
	UNCOREMSR_0XA_FIXED_WIDTH,      /* EDX 12:5, bits; 0 below version 2 */
	UNCOREMSR_0XA_FIXED_MASK,       /* bit n: fixed counter n exists */
};
/** One field of leaf 0xA. @return the value, or -1 when the processor has no such leaf. */
int64_t uncoremsr_leaf_0xa(const struct uncoremsr *um, enum uncoremsr_leaf_0xa field);

/** Online CPUs as a kernel-style list ("0-3,5"). */
const char *uncoremsr_online_cpus(const struct uncoremsr *um);
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

/* ------------------------------------------------------- PMUs, registers */

/** Number of uncore PMUs of this machine; 0 when it is not supported. */
size_t uncoremsr_num_pmus(const struct uncoremsr *um);
const struct uncoremsr_pmu *uncoremsr_pmu(const struct uncoremsr *um, size_t index);
const char *uncoremsr_pmu_name(const struct uncoremsr_pmu *pmu);
const char *uncoremsr_pmu_desc(const struct uncoremsr_pmu *pmu);
unsigned uncoremsr_pmu_general_counters(const struct uncoremsr_pmu *pmu);
unsigned uncoremsr_pmu_general_width(const struct uncoremsr_pmu *pmu);
unsigned uncoremsr_pmu_fixed_counters(const struct uncoremsr_pmu *pmu);

/**
 * Registers of a processor, in address order.
 * @param uarch a name as uncoremsr_uarch() gives; NULL: of this machine.
 * @return the register, or NULL past the end or when the processor is not in the tables.
 */
const struct uncoremsr_register *uncoremsr_register(struct uncoremsr *um, const char *uarch,
						     size_t index);
/** MSR number. */
uint32_t uncoremsr_register_msr(const struct uncoremsr_register *reg);
/** Name in the manuals, without MSR_ ("UNCORE_PERFEVTSEL0"). */
const char *uncoremsr_register_name(const struct uncoremsr_register *reg);
const char *uncoremsr_register_desc(const struct uncoremsr_register *reg);
/** Bits that may be written at all; 0 for a register that this library never writes. */
uint64_t uncoremsr_register_write_mask(const struct uncoremsr_register *reg);
/** "read/write", "read only" or "write only": what the hardware allows. */
const char *uncoremsr_register_access(const struct uncoremsr_register *reg);
/** "package", "die", "core" or "cpu": how many copies exist. */
const char *uncoremsr_register_scope(const struct uncoremsr_register *reg);
/** Where the facts come from. */
const char *uncoremsr_register_source(const struct uncoremsr_register *reg);

/** Names of processors that the tables know, supported or not, in no order; NULL past the end. */
const char *uncoremsr_uarch_name(size_t index);
/** 1 when this library can program the uncore of processor @p uarch, else 0. */
int uncoremsr_uarch_supported(const char *uarch);

/* ------------------------------------------------- how registers are reached */

/** State of the register driver. */
enum uncoremsr_driver_state {
	UNCOREMSR_DRIVER_READY,          /* the device of a CPU in use can be opened */
	UNCOREMSR_DRIVER_MISSING,        /* no driver: not loaded, or not in this kernel */
	UNCOREMSR_DRIVER_NO_NODE,        /* driver registered, device node missing */
	UNCOREMSR_DRIVER_NO_PERMISSION,  /* the node's owner or mode forbids it */
	UNCOREMSR_DRIVER_NO_CAPABILITY,  /* CAP_SYS_RAWIO is missing */
	UNCOREMSR_DRIVER_OTHER,          /* something else; the sentence tells */
};
/**
 * Try to open the register device of the first package's CPU, for reading only.
 * @param why if not NULL: set to a sentence, valid until the next call on @p um; "" when ready.
 */
enum uncoremsr_driver_state uncoremsr_driver_state(struct uncoremsr *um, const char **why);
/** The driver's write filter: "on", "off", "default", or NULL when it cannot be told (module
 * parameter allow_writes of msr, Linux 5.9 and later). Never changed by this library. */
const char *uncoremsr_driver_writes(struct uncoremsr *um);
/** Kernel lockdown: "none", "integrity", "confidentiality", or NULL when it cannot be told. */
const char *uncoremsr_lockdown(struct uncoremsr *um);

/** Who seems to use a counter, judged from its registers alone. */
enum uncoremsr_counter_state {
	UNCOREMSR_COUNTER_FREE,    /* selector off and global enable bit off */
	UNCOREMSR_COUNTER_IN_USE,  /* selector or global enable bit on */
	UNCOREMSR_COUNTER_UNKNOWN, /* could not be read */
};
/**
 * Look at one counter of one package. Reads registers, writes nothing.
 * @param counter 0 to uncoremsr_pmu_general_counters()-1; after these come the fixed ones.
 * @param selector if not NULL: what its selector (control) register holds.
 * @return the state; UNKNOWN also sets the handle's error.
 */
enum uncoremsr_counter_state uncoremsr_counter_state(struct uncoremsr *um,
						     const struct uncoremsr_package *p,
						     unsigned counter, uint64_t *selector);

/* --------------------------------------------------------------- session */

/**
 * Make a session on an open machine. Touches no register.
 * @return 0; -ENOMEM.
 */
int uncoremsr_session_new(struct uncoremsr *um, struct uncoremsr_session **s);
/** Stop it if it runs (registers are put back) and free it. NULL is accepted. */
void uncoremsr_session_free(struct uncoremsr_session *s);

/**
 * Add events, before uncoremsr_session_start().
 * @param text one or several events separated by commas: "0x82:0x1", "0x82:0x1:edge:cmask=2",
 *   "uncore/event=0x82,umask=0x1,edge/", the selector word "0x420182", "UNC_CLK_UNHALTED" (the fixed
 *   uncore clock), and groups "{a,b}" that are always counted at the same time. See
 *   uncoremsr-events(7).
 * @return how many were added; or
 *   -EINVAL  the text is not understood, or a value is out of range, or a reserved bit is set
 *            (class USAGE); nothing was added
 *   -ENOENT  no event of that name (class USAGE)
 *   -ENOTSUP this machine's uncore is not supported, or is virtual (class UNSUPPORTED)
 *   -EBUSY   the session runs
 *   -ENOMEM
 */
int uncoremsr_session_add(struct uncoremsr_session *s, const char *text);
/**
 * Count event @p event on this counter of every package, and nowhere else.
 * @return 0; -EINVAL no such event, no such counter, the event cannot be counted there, or the
 *   counter was already asked for; -EBUSY the session runs.
 */
int uncoremsr_session_set_counter(struct uncoremsr_session *s, size_t event, unsigned counter);
/**
 * Use these CPUs to reach the registers: one per package; packages without one are not counted.
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
 * Place the events on free counters, program them (counters zeroed, selectors written and read
 * back) and switch them on with one write per package that keeps everybody else's enable bits.
 * A package that fails is left as it was found and the others go on; see
 * uncoremsr_session_package_error().
 * @return 0 when at least one package counts; or
 *   -EINVAL  no events, or a group larger than the number of counters (class USAGE)
 *   -EBUSY   not enough free counters, or the counter asked for is in use (class UNSUPPORTED)
 *   -ENOTSUP a virtual machine: a register does not keep what was written (class UNSUPPORTED)
 *   -ENOENT, -ENODEV, -EACCES, -EPERM, -ENXIO no access: no driver, no node, no permission, no
 *            capability, lockdown, write filter, CPU offline (class ACCESS)
 *   -EIO     a register faulted (class UNSUPPORTED)
 *   -ENOMEM
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
 * one per package. An interval is good only between two clean checks; otherwise its readings become
 * UNCOREMSR_DISTURBED. Call it right after uncoremsr_session_read().
 * @return the number of disturbed counters, or a negative errno when a check could not be made.
 */
int uncoremsr_session_verify(struct uncoremsr_session *s);
/** Take the next group's turn: sample, switch off, program, switch on. @return 0 or the first error. */
int uncoremsr_session_rotate(struct uncoremsr_session *s);
/**
 * Stop counting and put back what was there before: enable bit, selector (if it still holds what we
 * wrote) and then the counter. May be called again.
 * @return 0; or the first error, with the rest put back all the same.
 */
int uncoremsr_session_stop(struct uncoremsr_session *s);

size_t uncoremsr_session_num_events(const struct uncoremsr_session *s);
/** Canonical name of an event: its name, or "0x82:0x1" with its modifiers. */
const char *uncoremsr_session_event_name(const struct uncoremsr_session *s, size_t event);
/** Name of its PMU ("uncore"). */
const char *uncoremsr_session_event_pmu(const struct uncoremsr_session *s, size_t event);
/** The selector word that is written. */
uint64_t uncoremsr_session_event_encoding(const struct uncoremsr_session *s, size_t event);
/** Number of groups that take turns; 1 when everything fits. Known after start. */
size_t uncoremsr_session_num_groups(const struct uncoremsr_session *s);
/** Number of packages that were chosen, failing ones included. */
size_t uncoremsr_session_num_packages(const struct uncoremsr_session *s);
const struct uncoremsr_package *uncoremsr_session_package(const struct uncoremsr_session *s,
							  size_t index);
/** CPU used to reach this package. */
int uncoremsr_session_package_cpu(const struct uncoremsr_session *s, size_t index);
/** Why this package is not counted, as a sentence; NULL when it is. */
const char *uncoremsr_session_package_error(const struct uncoremsr_session *s, size_t index);
/** Longest time between two reads in which no counter can wrap more than once, in nanoseconds: from
 * counter width, highest uncore clock and highest increment per clock. */
uint64_t uncoremsr_session_max_interval(const struct uncoremsr_session *s);

/** What became of a reading. Every other status than OK has no value. */
enum uncoremsr_status {
	UNCOREMSR_OK,          /* "ok" */
	UNCOREMSR_NOT_COUNTED, /* "not-counted": its group had no turn in this interval */
	UNCOREMSR_WRAPPED,     /* "wrapped": more than one wrap was possible */
	UNCOREMSR_DISTURBED,   /* "disturbed": somebody changed the selector or the enable bit */
	UNCOREMSR_LOST,        /* "lost": the CPU went offline */
	UNCOREMSR_FAILED,      /* "failed": programming or reading failed */
};
/** The word for a status, as in the tools' output. */
const char *uncoremsr_status_word(enum uncoremsr_status status);

/** What an event did on a package in the last closed interval. @return NULL past the end. */
const struct uncoremsr_reading *uncoremsr_session_reading(const struct uncoremsr_session *s,
							  size_t package, size_t event);
/** The same from start to the last closed interval. */
const struct uncoremsr_reading *uncoremsr_session_total(const struct uncoremsr_session *s,
							size_t package, size_t event);
enum uncoremsr_status uncoremsr_reading_status(const struct uncoremsr_reading *r);
/** What was wrong, as a sentence; "" when the status is OK. */
const char *uncoremsr_reading_detail(const struct uncoremsr_reading *r);
/** Index of the counter (general ones from 0, the fixed clock after them); -1 none. */
int uncoremsr_reading_counter(const struct uncoremsr_reading *r);
/**
 * raw: the register as last read. counted: what it counted in this interval. value: the same,
 * scaled by enabled/running time when groups take turns (an estimate then).
 * @return 0; -ENODATA unknown, @p v is left alone.
 */
int uncoremsr_reading_raw(const struct uncoremsr_reading *r, uint64_t *v);
int uncoremsr_reading_counted(const struct uncoremsr_reading *r, uint64_t *v);
int uncoremsr_reading_value(const struct uncoremsr_reading *r, uint64_t *v);
/** Nanoseconds: the interval, and the part of it in which the event was really being counted. */
uint64_t uncoremsr_reading_enabled_ns(const struct uncoremsr_reading *r);
uint64_t uncoremsr_reading_running_ns(const struct uncoremsr_reading *r);
/** When the interval ended, on the clock of uncoremsr_now(). */
uint64_t uncoremsr_reading_time_ns(const struct uncoremsr_reading *r);

/* ------------------------------------------------------ simulated machines */

/** A ready machine: its name and one line about it; NULL past the end. */
const char *uncoremsr_sim_machine(size_t index, const char **title);
/**
 * Make a simulated machine.
 * @param what NAME[,KEY=VALUE...] or PATH[,KEY=VALUE...] (a path has a slash), see uncoremsr-sim(5).
 * @param error if not NULL, a buffer of @p size bytes for the sentence that explains a failure.
 * @return 0; -ENOENT no such machine or file; -EINVAL a parameter or description is wrong;
 *   -ENOTSUP built without simulated machines; -ENOMEM.
 */
int uncoremsr_sim_new(struct uncoremsr_sim **sim, const char *what, char *error, size_t size);
void uncoremsr_sim_free(struct uncoremsr_sim *sim);
/** Its name without parameters. */
const char *uncoremsr_sim_name(const struct uncoremsr_sim *sim);
/**
 * What the rdmsr and wrmsr instructions do on a CPU of the machine.
 * @return 0; -EIO the access faults (#GP); -ENXIO no such CPU or offline; or an error to order.
 */
int uncoremsr_sim_rdmsr(struct uncoremsr_sim *sim, unsigned cpu, uint32_t msr, uint64_t *value);
int uncoremsr_sim_wrmsr(struct uncoremsr_sim *sim, unsigned cpu, uint32_t msr, uint64_t value);
/** What CPUID returns there: eax, ebx, ecx, edx. @return 0; -ENXIO. */
int uncoremsr_sim_cpuid(struct uncoremsr_sim *sim, unsigned cpu, uint32_t leaf, uint32_t subleaf,
			uint32_t regs[4]);
/** What opening the msr device of a CPU answers: 0, or a negative errno (-ENXIO when offline). */
int uncoremsr_sim_open_cpu(struct uncoremsr_sim *sim, unsigned cpu, int for_writing);
/** Number of possible CPUs, offline ones included. */
unsigned uncoremsr_sim_num_cpus(const struct uncoremsr_sim *sim);
/** Nanoseconds since the machine was made, on its own clock. */
uint64_t uncoremsr_sim_now(const struct uncoremsr_sim *sim);
/** As uncoremsr_advance(): 1 the stepped clock moved on, 0 the clock is real. */
int uncoremsr_sim_advance(struct uncoremsr_sim *sim, uint64_t ns);
/**
 * The machine's sysfs and procfs as text files ("sys/devices/system/cpu/online"), no leading slash.
 * @return the length of the whole text (at most @p size bytes of it in @p buf, no terminating NUL);
 *   -ENOENT; -EISDIR.
 */
long uncoremsr_sim_file_read(struct uncoremsr_sim *sim, const char *path, char *buf, size_t size);
/**
 * Write to one of these files. "sys/devices/system/cpu/cpuN/online" takes a CPU off and back.
 * @return 0; -ENOENT; -EISDIR; -EACCES the file is read only; -EINVAL the text makes no sense.
 */
int uncoremsr_sim_file_write(struct uncoremsr_sim *sim, const char *path, const char *text,
			     size_t size);
/**
 * Names in a directory of that tree ("" is its top). dev/cpu/N/msr and dev/cpu/N/cpuid are not
 * part of it: they are devices.
 * @return 0; -ENOENT; -ENOTDIR; or the first value other than 0 that @p fn returned.
 */
int uncoremsr_sim_file_list(struct uncoremsr_sim *sim, const char *path,
			    int (*fn)(void *user, const char *name, int is_dir), void *user);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif

#endif
