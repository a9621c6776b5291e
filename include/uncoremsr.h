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
struct uncoremsr_pmu;       /* a set of counters that share one event vocabulary */
struct uncoremsr_register;  /* one register that the tables describe */
struct uncoremsr_event;     /* an event that has a name */
struct uncoremsr_encoding;  /* what an event becomes */
struct uncoremsr_kernel_pmu;    /* a PMU of the kernel (perf) */
struct uncoremsr_listed_event;  /* an event of an event list */
struct uncoremsr_perf_encoding; /* what one unit of the kernel is asked for an event */
struct uncoremsr_session;   /* events that are counted together */
struct uncoremsr_unit;      /* one event on one unit of a PMU ("cbo3") */
struct uncoremsr_reading;   /* what one event did on one package, or on one unit */
struct uncoremsr_metric;    /* a number that is worked out from several events */
struct uncoremsr_metric_value; /* what it was on one package */
struct uncoremsr_region;    /* events of the calling thread between two calls */
struct uncoremsr_sim;       /* a simulated machine */
struct uncoremsr_cores;     /* the kinds of cores of a machine */
struct uncoremsr_core_kind; /* cores that are alike */
struct uncoremsr_leases;    /* who holds which counter, as found at one moment */
struct uncoremsr_lease;     /* one counter of one package, held or left over */
struct uncoremsr_throttle;  /* looks at whether a machine is being slowed down */
struct uncoremsr_throttle_subject; /* one package or one core, and the verdict on it */
struct uncoremsr_throttle_cause;   /* one reason for which it is or was slowed down */

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
	UNCOREMSR_0XA_ANYTHREAD_DEPRECATED, /* EDX 15 */
	UNCOREMSR_0XA_EAX,              /* the registers as the processor gave them */
	UNCOREMSR_0XA_EBX,
	UNCOREMSR_0XA_ECX,
	UNCOREMSR_0XA_EDX,
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

/* ---------------------------------------------------------- kinds of cores */

/**
 * Sort the online CPUs into kinds of cores by what CPUID says about each. Reads CPUID of every CPU,
 * and where the driver lets it and CPUID says that the register is there, 0x345 of one CPU per kind.
 * @param cores is freed with uncoremsr_cores_free(), before the handle. It has no kind where CPUID
 *   cannot be had.
 * @return 0; -ENOMEM.
 */
int uncoremsr_cores_read(struct uncoremsr *um, struct uncoremsr_cores **cores);
/**
 * The same from a file as "cpuid -r" (Debian package cpuid) prints it. There is no machine then: no
 * packages, no registers.
 * @param error if not NULL, a buffer of @p size bytes for the sentence that explains a failure; it
 *   names file and line.
 * @return 0; -ENOENT no such file; -EINVAL it is no such file, is cut, or has leaves that cannot be;
 *   -ENOMEM.
 */
int uncoremsr_cores_load(struct uncoremsr_cores **cores, const char *path, char *error,
			 size_t size);
void uncoremsr_cores_free(struct uncoremsr_cores *cores);
/** Number of logical CPUs that CPUID was had of. */
size_t uncoremsr_cores_num_cpus(const struct uncoremsr_cores *cores);
/** A kind of core, in the order of their lowest CPU; NULL past the end. */
const struct uncoremsr_core_kind *uncoremsr_core_kind(const struct uncoremsr_cores *cores,
						      size_t index);
/** Its CPUs as a kernel-style list. */
const char *uncoremsr_core_cpus(const struct uncoremsr_core_kind *kind);
/** "GenuineIntel". */
const char *uncoremsr_core_vendor(const struct uncoremsr_core_kind *kind);
/** The processor's own name, or NULL. */
const char *uncoremsr_core_brand(const struct uncoremsr_core_kind *kind);
/** As uncoremsr_uarch() and uncoremsr_uarch_title(). */
const char *uncoremsr_core_uarch(const struct uncoremsr_core_kind *kind);
const char *uncoremsr_core_uarch_title(const struct uncoremsr_core_kind *kind);
/** As uncoremsr_leaf_0xa(), of this kind. */
int64_t uncoremsr_core_leaf_0xa(const struct uncoremsr_core_kind *kind,
				enum uncoremsr_leaf_0xa field);

/** What can be told about a kind of core. */
enum uncoremsr_core_fact {
	UNCOREMSR_CORE_FAMILY,         /* CPUID leaf 1 EAX */
	UNCOREMSR_CORE_MODEL,
	UNCOREMSR_CORE_STEPPING,
	UNCOREMSR_CORE_HYPERVISOR,     /* leaf 1 ECX 31 */
	UNCOREMSR_CORE_HYBRID,         /* leaf 7 EDX 15: the processor has several kinds of cores */
	UNCOREMSR_CORE_TYPE,           /* leaf 0x1A EAX 31:24: 0x40 P-core, 0x20 E-core */
	UNCOREMSR_CORE_NATIVE_MODEL,   /* leaf 0x1A EAX 23:0 */
	UNCOREMSR_CORE_GENERAL_MASK,   /* bit n: general counter n exists on this kind */
	UNCOREMSR_CORE_FIXED_MASK,
	UNCOREMSR_CORE_0X23_SUBLEAVES, /* leaf 0x23 sub-leaf 0 EAX: bit n, sub-leaf n is valid */
	UNCOREMSR_CORE_0X23_FLAGS,     /* EBX: 0 second unit mask, 1 EQ bit */
	UNCOREMSR_CORE_0X23_SLOTS,     /* ECX */
	UNCOREMSR_CORE_0X23_GENERAL,   /* sub-leaf 1 EAX */
	UNCOREMSR_CORE_0X23_FIXED,     /* sub-leaf 1 EBX */
	UNCOREMSR_CORE_0X23_EVENTS,    /* sub-leaf 3 EAX: bit n, architectural event n available */
	UNCOREMSR_CORE_TOPOLOGY_LEAF,  /* 0x1F or 0xB, whichever uncoremsr_core_level() comes from */
	UNCOREMSR_CORE_CAPABILITIES,   /* register IA32_PERF_CAPABILITIES (0x345), not CPUID */
	UNCOREMSR_CORE_FULL_WIDTH,     /* counters can be written in full width: 0x345 bit 13 */
	UNCOREMSR_CORE_DEBUG_STORE,    /* leaf 1 EDX 21: without it there is no precise sampling */
	UNCOREMSR_CORE_PEBS_FORMAT,    /* format of a precise sample: 0x345 11:8 */
	UNCOREMSR_CORE_LBR_FORMAT,     /* format of last-branch records: 0x345 5:0 */
	UNCOREMSR_CORE_LBR_DEPTH,      /* last-branch records: leaf 0x1C, or the kernel's caps/branches */
	UNCOREMSR_CORE_MAX_PRECISE,    /* precise levels of the kernel (caps/max_precise) */
	/* What Linux prints when it starts, worked out from the above. */
	UNCOREMSR_CORE_BOOT_VERSION,
	UNCOREMSR_CORE_BOOT_WIDTH,
	UNCOREMSR_CORE_BOOT_GENERAL,
	UNCOREMSR_CORE_BOOT_VALUE_MASK,
	UNCOREMSR_CORE_BOOT_MAX_PERIOD,  /* known only where full-width writes are */
	UNCOREMSR_CORE_BOOT_FIXED,
	UNCOREMSR_CORE_BOOT_EVENT_MASK,
};
/** One of them. @return 0; -ENODATA it cannot be told here, and @p v is left alone. */
int uncoremsr_core_fact(const struct uncoremsr_core_kind *kind, enum uncoremsr_core_fact fact,
			uint64_t *v);
/** Where the number of counters comes from, in words; NULL: there is no architectural PMU. */
const char *uncoremsr_core_counters_from(const struct uncoremsr_core_kind *kind);
/**
 * A level of the topology leaf, the innermost first.
 * @param shift how far an x2APIC id is shifted to get the id of the next level.
 * @param cpus logical CPUs at this level as the processor was made, online or not.
 * @return "SMT", "core", "module", "tile", "die", "die group" or "unknown"; NULL past the end.
 */
const char *uncoremsr_core_level(const struct uncoremsr_core_kind *kind, size_t index,
				 unsigned *shift, unsigned *cpus);
/** Whether a kind of core has an architectural event. */
enum uncoremsr_event_state {
	UNCOREMSR_EVENT_PRESENT,
	UNCOREMSR_EVENT_ABSENT,     /* the processor says that it is not there */
	UNCOREMSR_EVENT_NOT_LISTED, /* beyond what the leaf tells about: to be taken as not there */
};
enum uncoremsr_event_state uncoremsr_core_event(const struct uncoremsr_core_kind *kind,
						unsigned bit);
/**
 * An architectural event by its bit in leaf 0xA EBX.
 * @return its name ("instructions retired"), or NULL past the last one.
 */
const char *uncoremsr_arch_event(unsigned bit, unsigned *event_select, unsigned *unit_mask);

/**
 * The kernel's own PMUs (sys/bus/event_source/devices), in the order of their type numbers.
 * @param fn gets name, type, and the file cpumask or cpus (NULL: neither); stops when it returns
 *   other than 0.
 * @return 0; -ENOENT the tree has no such folder; -ENOMEM; or what @p fn returned.
 */
int uncoremsr_kernel_pmus(struct uncoremsr *um,
			  int (*fn)(void *user, const char *name, unsigned type,
				    const char *cpus), void *user);
/** 1 when the kernel's NMI watchdog runs and holds a core counter of every CPU, 0 when not, -1
 * unknown. */
int uncoremsr_nmi_watchdog(struct uncoremsr *um);

/** CPUs that are present but offline, as a kernel-style list; "" none, NULL it cannot be told. */
const char *uncoremsr_offline_cpus(struct uncoremsr *um);
/** Online CPUs on which this process may not run (cpuset or CPU affinity; proc/self/status), as a
 * kernel-style list; "" none, NULL it cannot be told. */
const char *uncoremsr_forbidden_cpus(struct uncoremsr *um);
/** 1 in a container (systemd, Docker or Podman say so), 0 when there is no sign of one. */
int uncoremsr_container(struct uncoremsr *um);
/** Path of likwid's lock file where it is there: somebody reserves the counters; NULL without. */
const char *uncoremsr_likwid_lock(struct uncoremsr *um);

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
 * Not being ready is also the handle's last failure: uncoremsr_errmsg(), uncoremsr_hint().
 * @param why if not NULL: set to a sentence, valid until the next call on @p um; "" when ready.
 */
enum uncoremsr_driver_state uncoremsr_driver_state(struct uncoremsr *um, const char **why);
/**
 * Try to open the register devices of all packages for reading and writing. Nothing is written.
 * Not while a session runs.
 * @return 0; -ENODEV no driver; -ENOENT, -EACCES, -EPERM, -ENXIO and so on as the driver says.
 */
int uncoremsr_driver_writable(struct uncoremsr *um);
/** Name of the device file that is used, in dev/cpu/N: "msr_safe" where the driver msr-safe is
 * loaded, else "msr" (there or not). */
const char *uncoremsr_driver_device(struct uncoremsr *um);
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
/**
 * How many units a PMU has on a package. Where a register tells, that is read; some of them may turn
 * out not to be there.
 * @return the number, also 0; -ENOTSUP out of reach of MSRs, or switched off (class UNSUPPORTED);
 *   -ENOMEM; or the errors of the register driver.
 */
int uncoremsr_pmu_num_units(struct uncoremsr *um, const struct uncoremsr_package *p,
			    const struct uncoremsr_pmu *pmu);
/**
 * As uncoremsr_counter_state(), which is about unit 0 of the first PMU.
 * @param unit 0 to uncoremsr_pmu_num_units()-1.
 */
enum uncoremsr_counter_state uncoremsr_unit_counter_state(struct uncoremsr *um,
							  const struct uncoremsr_package *p,
							  const struct uncoremsr_pmu *pmu,
							  unsigned unit, unsigned counter,
							  uint64_t *selector);

/* ---------------------------------------------------------------- leases */

/**
 * The directory in which sessions of all processes on this machine keep their leases and journals:
 * "/run/uncoremsr", or "DIR/run/uncoremsr" under root:DIR; NULL where there is none (sim:).
 */
const char *uncoremsr_lease_dir(const struct uncoremsr *um);

/** What a lease file tells. */
enum uncoremsr_lease_state {
	UNCOREMSR_LEASE_HELD,     /* its process is alive and counts */
	UNCOREMSR_LEASE_LEFTOVER, /* its process died; uncoremsr_repair() puts the registers back */
	UNCOREMSR_LEASE_INVALID,  /* torn, foreign, of another boot or machine: never replayed */
};
/**
 * Look who holds which counter. Touches no register and needs no permission but to read the
 * directory.
 * @param leases is freed with uncoremsr_leases_free(). Empty when there is no directory.
 * @return 0; -EACCES, -EPERM the directory cannot be read (class ACCESS); -ENOMEM.
 */
int uncoremsr_leases_read(struct uncoremsr *um, struct uncoremsr_leases **leases);
void uncoremsr_leases_free(struct uncoremsr_leases *leases);
/** By index, in the order of package and counter; NULL past the end. */
const struct uncoremsr_lease *uncoremsr_lease(const struct uncoremsr_leases *leases, size_t index);
enum uncoremsr_lease_state uncoremsr_lease_state(const struct uncoremsr_lease *lease);
/** physical_package_id and die_id (-1 none); index of the counter as in readings, -1 when it is about
 * another register. */
int uncoremsr_lease_package(const struct uncoremsr_lease *lease);
int uncoremsr_lease_die(const struct uncoremsr_lease *lease);
int uncoremsr_lease_counter(const struct uncoremsr_lease *lease);
/** "cbo3"; the name of the PMU where it has no units ("uncore"); "" for a register of the package. */
const char *uncoremsr_lease_unit(const struct uncoremsr_lease *lease);
/** Address of the filter or gate that it is about; 0 for a counter. */
uint32_t uncoremsr_lease_register(const struct uncoremsr_lease *lease);
/** Name of its file in uncoremsr_lease_dir(). */
const char *uncoremsr_lease_file(const struct uncoremsr_lease *lease);
/** Who: process id (-1 unknown), its command ("" unknown), the event, since when (Unix seconds). */
long uncoremsr_lease_pid(const struct uncoremsr_lease *lease);
const char *uncoremsr_lease_command(const struct uncoremsr_lease *lease);
const char *uncoremsr_lease_event(const struct uncoremsr_lease *lease);
int64_t uncoremsr_lease_since(const struct uncoremsr_lease *lease);
/** Why it is invalid, as a sentence; "" otherwise. */
const char *uncoremsr_lease_why(const struct uncoremsr_lease *lease);

/**
 * Put back what processes that died have left in the registers, from their journals; only where a
 * selector still holds one of their words. Every session does this when it starts.
 * @param fn gets a sentence about each counter (put back, left alone and why); NULL: the log does.
 * @return how many counters were put back; or -EACCES and so on as uncoremsr_session_start().
 */
int uncoremsr_repair(struct uncoremsr *um, void (*fn)(void *user, const char *line), void *user);

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
 *   -ENOENT  no event of that name on this machine, or the kernel has no such PMU
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
						  const struct uncoremsr_listed_event *event,
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
/** Canonical name of an event: its name, or "0x82:0x3" where it has none, with its modifiers. */
const char *uncoremsr_session_event_name(const struct uncoremsr_session *s, size_t event);
/** Name of its PMU ("uncore"). */
const char *uncoremsr_session_event_pmu(const struct uncoremsr_session *s, size_t event);
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
/** Number of groups that take turns; 1 when everything fits. Known after start. */
size_t uncoremsr_session_num_groups(const struct uncoremsr_session *s);
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
 * Sum the kernel's counts over groups of CPUs, and count on no others.
 * @param text one group "0,1,2", "0-10,20-18", "0x10-12"; in brackets "[4-15,32-63]" a group for each
 *   CPU.
 * @return how many groups were added; -EINVAL it is no such text, a CPU does not exist, or it is in
 *   another group (the sentence tells); -EBUSY the session runs; -ENOMEM.
 */
int uncoremsr_session_add_group(struct uncoremsr_session *s, const char *text);
size_t uncoremsr_session_num_core_groups(const struct uncoremsr_session *s);
/** As it was written; of a group out of brackets the number of its CPU. NULL past the end. */
const char *uncoremsr_session_core_group(const struct uncoremsr_session *s, size_t group);
/**
 * What an event of the kernel did on a group of CPUs, or everywhere: each CPU and unit scaled by its
 * own times, then added up; the times are their mean. Unknown when one of them is. An uncore belongs
 * to no group of CPUs: its events are unknown there.
 * @param total 0: in the last closed interval; else since the start.
 * @return valid until the next call for the same place and event; NULL past the end and before the
 *   session was started.
 */
const struct uncoremsr_reading *uncoremsr_session_group_reading(const struct uncoremsr_session *s,
								size_t group, size_t event,
								int total);
const struct uncoremsr_reading *uncoremsr_session_whole_reading(const struct uncoremsr_session *s,
								size_t event, int total);
/**
 * The same for one core: the sum of all CPUs of it that count an event.
 * @param index of a unit of that core, as in uncoremsr_session_unit().
 * @return NULL past the end, for units of the uncore, and before the session was started; valid until
 *   the next call for the same event.
 */
const struct uncoremsr_reading *uncoremsr_session_core_reading(const struct uncoremsr_session *s,
							       size_t event, size_t index,
							       int total);
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
 * What an event did on a package in the last closed interval: the sum of its units, each scaled to the
 * whole interval first. It is not known while one of them is not known. A sum has no raw value, and a
 * counter only where it is the same on all units. @return NULL past the end.
 */
const struct uncoremsr_reading *uncoremsr_session_reading(const struct uncoremsr_session *s,
							  size_t package, size_t event);
/** The same from start to the last closed interval. */
const struct uncoremsr_reading *uncoremsr_session_total(const struct uncoremsr_session *s,
							size_t package, size_t event);
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
/** What the event did on this unit in the last closed interval, and since the start. */
const struct uncoremsr_reading *uncoremsr_unit_reading(const struct uncoremsr_unit *u);
const struct uncoremsr_reading *uncoremsr_unit_total(const struct uncoremsr_unit *u);
/** Why this unit is not counted, as a sentence; NULL when it is. */
const char *uncoremsr_unit_error(const struct uncoremsr_unit *u);
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

/* --------------------------------------------- a program that watches itself */

/**
 * Open events for the calling thread. Only the kernel's route, and no uncore events: these belong to
 * everybody. Where processor and kernel allow it the counters are read without a system call.
 * @param events as uncoremsr_session_add() takes them ("instructions,cycles").
 * @return 0 when at least one of them can be counted; -EINVAL, -ENOENT, -ENOTSUP the text, as
 *   uncoremsr_perf_encode(); -EACCES not permitted; or another errno of perf_event_open(2); -ENOMEM.
 */
int uncoremsr_region_new(struct uncoremsr *um, const char *events, struct uncoremsr_region **region);
/** Close them, before the handle is freed. NULL is accepted. */
void uncoremsr_region_free(struct uncoremsr_region *region);
/**
 * Begin and end the part of the program that is counted; it may be passed any number of times, by the
 * thread that made the region.
 * @return 0; -EINVAL it was not begun; or the errno of read(2).
 */
int uncoremsr_region_begin(struct uncoremsr_region *region);
int uncoremsr_region_end(struct uncoremsr_region *region);
size_t uncoremsr_region_num_events(const struct uncoremsr_region *region);
/** NULL past the end. */
const char *uncoremsr_region_event_name(const struct uncoremsr_region *region, size_t event);
/** What an event did in all passes together. @return 0; -ENODATA it could not be opened, or
 * others had the counter for a part of the time. */
int uncoremsr_region_count(const struct uncoremsr_region *region, size_t event, uint64_t *count);

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

/* ------------------------------------------------------------ throttling */

/** Is a package or core being slowed down? In the order of how bad it is. */
enum uncoremsr_verdict {
	UNCOREMSR_VERDICT_OK,            /* "ok": everything that can be asked here says no */
	UNCOREMSR_VERDICT_UNKNOWN,       /* "unknown": nothing that tells could be read */
	UNCOREMSR_VERDICT_WAS_THROTTLED, /* "was-throttled": logged, but not so now */
	UNCOREMSR_VERDICT_THROTTLED,     /* "throttled": now, or between the last two looks */
};
/** The word for a verdict, as in the tools' output. */
const char *uncoremsr_verdict_word(enum uncoremsr_verdict verdict);

/**
 * Make a watcher of an open machine. Touches no register. Several may look at one machine.
 * @return 0; -ENOMEM.
 */
int uncoremsr_throttle_new(struct uncoremsr *um, struct uncoremsr_throttle **t);
/** Give back what it holds (counters, devices) and free it, before the handle. NULL is accepted. */
void uncoremsr_throttle_free(struct uncoremsr_throttle *t);
/** Only what the kernel tells in sysfs (counts of thermal interrupts, sensors, limits of frequency):
 * no register is read and no device opened. Before the first look. */
void uncoremsr_throttle_set_kernel_only(struct uncoremsr_throttle *t, int on);
/**
 * From the first look on, also count the uncore's throttling events, where this processor has them
 * (Westmere), on free counters, through a session of the watcher's own. Without this nothing is ever
 * programmed. They name four cores of a package. Where fewer counters are free, fewer events are
 * counted; what cannot be counted becomes a question without an answer
 * (uncoremsr_throttle_unknown()). Before the first look.
 */
void uncoremsr_throttle_set_counting(struct uncoremsr_throttle *t, int on);
/**
 * Look: read everything that can tell, once per core and once per package, and judge. Shares of
 * time, effective frequency and counts are those since the previous look; the first one has none.
 * Writes nothing (but see uncoremsr_throttle_set_counting()). Packages and cores are those that are
 * online now: they may come and go between two looks, and pointers to them and into them are good
 * until the next look. Which register is there and what its bits mean is told by the model and by
 * CPUID leaves 1 and 6 (Intel SDM volumes 3B and 4; Linux drivers/thermal/intel/therm_throt.c).
 * @return 0 when something could be told; or
 *   -ENODATA nothing at all could be told, errmsg says why: a virtual machine, a processor in no
 *            table without counts of the kernel (class UNSUPPORTED); or there is no online CPU
 *   -EACCES, -EPERM, -ENOENT, -ENODEV, -ENXIO no access to the registers, and sysfs does not tell
 *            either (class ACCESS)
 *   -ENOMEM
 * Whatever could be read is there in any case.
 */
int uncoremsr_throttle_look(struct uncoremsr_throttle *t);
/** When the last look was made, on the clock of uncoremsr_now(), and how long after the one before
 * it (0: there was none). */
uint64_t uncoremsr_throttle_time_ns(const struct uncoremsr_throttle *t);
uint64_t uncoremsr_throttle_interval_ns(const struct uncoremsr_throttle *t);
/**
 * Reset the sticky log bits that are set and speak for a cause: they are written as 0, all other log
 * bits as 1, which leaves them as they are. Cannot be undone; other tools see it. The log bits of
 * thresholds (the kernel's) and of ordinary turbo life stay. The kernel's counts cannot be reset:
 * what they are now makes no verdict any more, what they grow by does. These and the time are kept in
 * ROOT/run/uncoremsr/throttle-cleared until the next boot, also when no bit was set.
 * @param fn gets a sentence about each register that was written, and one when the kernel has
 *   counted anything; NULL: the log does.
 * @return how many registers were written; or the first failure, after the others were tried:
 *   -EINVAL  kernel only (class USAGE)
 *   -ENOTSUP no such register on this processor, or a virtual machine (class UNSUPPORTED)
 *   -EACCES, -EPERM, -ENOENT, -ENODEV, -ENXIO, -EIO: no access to the registers (class ACCESS)
 *   -ENOMEM
 */
int uncoremsr_throttle_clear(struct uncoremsr_throttle *t,
			     void (*fn)(void *user, const char *line), void *user);

/** Packages and cores, each package followed by its cores. 0 before the first look. */
size_t uncoremsr_throttle_num_subjects(const struct uncoremsr_throttle *t);
const struct uncoremsr_throttle_subject *
uncoremsr_throttle_subject(const struct uncoremsr_throttle *t, size_t index);
/** physical_package_id; core_id (-1: this is a package); the CPU that was asked: the lowest online
 * one of the core or package. */
int uncoremsr_subject_package(const struct uncoremsr_throttle_subject *s);
int uncoremsr_subject_core(const struct uncoremsr_throttle_subject *s);
int uncoremsr_subject_cpu(const struct uncoremsr_throttle_subject *s);
/** The verdict on it; a package without a status of its own is what its cores are, for the same
 * causes (uncoremsr_cause_inherited()). */
enum uncoremsr_verdict uncoremsr_subject_verdict(const struct uncoremsr_throttle_subject *s);
/** The verdict in one sentence, by its worst cause; without full stop. */
const char *uncoremsr_subject_sentence(const struct uncoremsr_throttle_subject *s);
/** Whole degrees C below the limit. @return 0; -ENODATA. */
int uncoremsr_subject_below_limit(const struct uncoremsr_throttle_subject *s, int *degrees);
/** Degrees C. @return 0; -ENODATA no reading, or the limit is not known or absurd. */
int uncoremsr_subject_temperature(const struct uncoremsr_throttle_subject *s, int *degrees);
/** Frequency while not halted since the previous look, in Hz: APERF over MPERF times the base
 * frequency. @return 0; -ENODATA. */
int uncoremsr_subject_frequency(const struct uncoremsr_throttle_subject *s, uint64_t *hz);
/** What was asked and cannot be answered here ("dimm-thermal: ..."), in a sentence with the reason;
 * NULL past the end. */
const char *uncoremsr_throttle_unknown(const struct uncoremsr_throttle_subject *s, size_t index);

/** Reasons, the worst first: those that decide, of these those that hold now; NULL past the end. */
const struct uncoremsr_throttle_cause *
uncoremsr_throttle_cause(const struct uncoremsr_throttle_subject *s, size_t index);
/** "core-thermal", "package-thermal", "critical-temperature", "prochot-external", "power-limit",
 * "current-limit", "vr-thermal", "cross-domain", "dimm-thermal", "clock-modulation", "smi",
 * "firmware" or "other". */
const char *uncoremsr_cause_word(const struct uncoremsr_throttle_cause *c);
/** 1 when it holds now or did at some time between the last two looks, else 0. */
int uncoremsr_cause_now(const struct uncoremsr_throttle_cause *c);
/** 1 when a sticky bit or a count tells that it has held at some time, else 0. */
int uncoremsr_cause_logged(const struct uncoremsr_throttle_cause *c);
/** 1 when this alone makes a verdict; 0: normal life of a processor, shown as evidence (a power or
 * current limit that is only logged, a frequency ceiling that somebody set, a few SMIs). */
int uncoremsr_cause_decides(const struct uncoremsr_throttle_cause *c);
/** 1 of a package without a status of its own (Nehalem, Westmere), when its cores have this cause:
 * its evidence is one piece for each of these, with "core N: " before the bits; else 0. */
int uncoremsr_cause_inherited(const struct uncoremsr_throttle_cause *c);
/** Who slows it down, since when and how much, in one sentence without full stop. */
const char *uncoremsr_cause_sentence(const struct uncoremsr_throttle_cause *c);
/** Share of the time between the last two looks, 0 to 1. @return 0; -ENODATA. */
int uncoremsr_cause_share(const struct uncoremsr_throttle_cause *c, double *share);
/**
 * What it was told from.
 * @param value what was read there; of an event what it counted since the previous look.
 * @param bits the bits that matter, by name ("THERMAL_LOG PROCHOT_LOG"), or what the number is.
 * @return name of the register with its number ("IA32_THERM_STATUS (0x19c)"), of the event
 *   ("UNC_DRAM_THERMAL_THROTTLED"), or path of the file ("/sys/..."); NULL past the end.
 */
const char *uncoremsr_cause_evidence(const struct uncoremsr_throttle_cause *c, size_t index,
				     uint64_t *value, const char **bits);
/** Address of that register; -1 where the evidence is none (a file, an event), or past the end. */
int64_t uncoremsr_cause_evidence_msr(const struct uncoremsr_throttle_cause *c, size_t index);

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
