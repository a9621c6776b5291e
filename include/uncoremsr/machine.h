/* SPDX-License-Identifier: LGPL-2.1-or-later */
/**
 * @file uncoremsr/machine.h
 * Facts about the processor and its environment: kinds of cores, CPUID, the register driver, the kernel.
 * Rules about errors, threads and ownership: uncoremsr.h.
 */
#ifndef UNCOREMSR_MACHINE_H
#define UNCOREMSR_MACHINE_H

#include <stddef.h>
#include <stdint.h>

#include "uncoremsr.h"

#ifdef __cplusplus
extern "C" {
#endif

#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

struct uncoremsr_pmu;       /* a set of counters with the same events */
struct uncoremsr_cores;     /* the kinds of cores of a machine */
struct uncoremsr_core_kind; /* a set of identical cores */

/* ------------------------------------------------------------- the machine */

/** Properties for uncoremsr_machine_text(). */
enum uncoremsr_machine_text {
	UNCOREMSR_MACHINE_VENDOR,          /* "GenuineIntel": CPUID leaf 0 */
	UNCOREMSR_MACHINE_BRAND,           /* the processor's own name: CPUID leaves 0x80000002 to 4,
	                                    * or "model name" of proc/cpuinfo */
	UNCOREMSR_MACHINE_IDENTITY_SOURCE, /* source of vendor, brand, family, model and stepping: "cpuid"
					    * or "cpuinfo" */
	UNCOREMSR_MACHINE_UARCH,           /* short name of the microarchitecture: "westmere" */
	UNCOREMSR_MACHINE_UARCH_TITLE,     /* "Westmere-EP (Xeon 5600), Gulftown" */
	UNCOREMSR_MACHINE_REASON,          /* why the uncore is not supported, in one sentence */
	UNCOREMSR_MACHINE_ONLINE_CPUS,     /* kernel-style lists: "0-3,5"; "" for none */
	UNCOREMSR_MACHINE_OFFLINE_CPUS,    /* present, but not online */
	UNCOREMSR_MACHINE_FORBIDDEN_CPUS,  /* online, but this process may not use them (cpuset or CPU
	                                    * affinity; proc/self/status) */
	UNCOREMSR_MACHINE_LIKWID_LOCK,     /* path of likwid's lock file, if it exists: the owner of the
	                                    * file reserves the counters */
	UNCOREMSR_MACHINE_DRIVER_DEVICE,   /* name of the device file in dev/cpu/N: "msr_safe" if that
	                                    * driver is loaded, else "msr" */
	UNCOREMSR_MACHINE_DRIVER_WRITES,   /* write filter of the msr driver, its module parameter
	                                    * allow_writes (Linux 5.9 and later): "on", "off" or
	                                    * "default" */
	UNCOREMSR_MACHINE_LOCKDOWN,        /* lockdown mode of the kernel: "none", "integrity",
					    * "confidentiality" */
};
/**
 * A property of an open machine that is a text.
 * @return the text, valid until the next call for the same property; NULL: unknown, or does not apply (no
 *   likwid lock; no reason because the uncore is supported).
 */
const char *uncoremsr_machine_text(struct uncoremsr *um, enum uncoremsr_machine_text what);

/** Properties for uncoremsr_machine_number(). */
enum uncoremsr_machine_number {
	UNCOREMSR_MACHINE_FAMILY,       /* display family, model (with the extended fields) and */
	UNCOREMSR_MACHINE_MODEL,        /* stepping: CPUID leaf 1 EAX */
	UNCOREMSR_MACHINE_STEPPING,
	UNCOREMSR_MACHINE_HYPERVISOR,   /* 1 in a virtual machine: CPUID leaf 1 ECX 31 */
	UNCOREMSR_MACHINE_SUPPORTED,    /* 1: uncore counters of this model can be programmed */
	UNCOREMSR_MACHINE_CONTAINER,    /* 1 in a container, according to systemd, Docker or Podman */
	UNCOREMSR_MACHINE_NMI_WATCHDOG, /* 1: the kernel's watchdog holds a core counter of every CPU */
	UNCOREMSR_MACHINE_SIMULATED,    /* 1: simulated, in this process or in a mounted tree (root:DIR) */
	UNCOREMSR_MACHINE_PVR,          /* POWER: processor version register (proc/cpuinfo) */
	UNCOREMSR_MACHINE_MAX_PRECISE,  /* highest modifier of :p (1) to :ppp (3) that the kernel accepts
					 * for core events, 0: none; caps/max_precise of its PMU cpu, or
					 * cpu_core on a hybrid processor */
	UNCOREMSR_MACHINE_BRANCHES,     /* most branch records in a sample: caps/branches */
	UNCOREMSR_MACHINE_STARVED,      /* ENOMEM, EMFILE or ENFILE if a function has failed, or returned
					 * NULL or "unknown", because memory or file descriptors ran out; 0
					 * if none has. Known even if the machine is not open */
	UNCOREMSR_MACHINE_NO_MEMORY,    /* 1 if uncoremsr_error() says that memory ran out. Known even if
					 * the machine is not open */
};
/**
 * A property of an open machine that is a number.
 * @return 0; -ENODATA unknown, or the machine is not open (@p v is unchanged).
 */
int uncoremsr_machine_number(struct uncoremsr *um, enum uncoremsr_machine_number what, uint64_t *v);

/**
 * The kernel's PMUs (sys/bus/event_source/devices), sorted by type number.
 * @param fn is called for each PMU with its name, its type, and the CPUs in its file cpumask or cpus (NULL:
 *   no such file; "": no CPU in it; "unknown": it cannot be read). A return value other than 0 ends the
 *   list.
 * @return 0; -ENOENT the directory does not exist; -EINVAL the machine is not open; -ENOMEM; or what
 *   @p fn returned.
 */
int uncoremsr_kernel_pmus(struct uncoremsr *um,
			  int (*fn)(void *user, const char *name, unsigned type,
				    const char *cpus), void *user);

/* ---------------------------------------------------------- kinds of cores */

/**
 * Sort the online CPUs into kinds of cores by their CPUID data. Reads CPUID on every CPU, and register
 * 0x345 on one CPU per kind, if CPUID says that it exists and the driver allows it. If all CPUs of one kind
 * of a hybrid processor are offline, that kind is listed too: its UNCOREMSR_CORE_NUM_CPUS is 0, and of the
 * CPUID data only UNCOREMSR_CORE_HYBRID and UNCOREMSR_CORE_TYPE are known.
 * @param cores gets the list; free it with uncoremsr_cores_free(), before the handle. It is empty if CPUID
 *   cannot be read.
 * @return 0; -EINVAL the machine is not open; -ENOMEM. *cores is NULL after a failure.
 */
int uncoremsr_cores_read(struct uncoremsr *um, struct uncoremsr_cores **cores);
/**
 * The same from a file with the output of "cpuid -r" (Debian package cpuid). No machine is needed, and none
 * is opened.
 * @param error if not NULL, a buffer of @p size bytes; after a failure it has a sentence with file, line
 *   and cause.
 * @return 0; -ENOENT no such file; -EINVAL not such output, truncated, or with impossible leaves; -ENOMEM.
 *   *cores is NULL after a failure.
 */
int uncoremsr_cores_load(struct uncoremsr_cores **cores, const char *path, char *error,
			 size_t size);
void uncoremsr_cores_free(struct uncoremsr_cores *cores);
/** A kind of core; sorted by lowest CPU, a kind without CPUs last. NULL past the end. */
const struct uncoremsr_core_kind *uncoremsr_core_kind(const struct uncoremsr_cores *cores,
						      size_t index);

/** Properties for uncoremsr_core_text(). */
enum uncoremsr_core_text {
	UNCOREMSR_CORE_CPUS,        /* CPUs of this kind as a kernel-style list */
	UNCOREMSR_CORE_VENDOR,      /* the same as in enum uncoremsr_machine_text */
	UNCOREMSR_CORE_BRAND,
	UNCOREMSR_CORE_UARCH,
	UNCOREMSR_CORE_UARCH_TITLE,
};
/** A property of a kind of core that is a text; NULL: unknown. */
const char *uncoremsr_core_text(const struct uncoremsr_core_kind *kind,
				enum uncoremsr_core_text what);

/** Source of a kind's counter masks. */
enum uncoremsr_counters_from {
	UNCOREMSR_COUNTERS_FROM_LEAF_0XA,
	UNCOREMSR_COUNTERS_FROM_LEAF_0X23,
	UNCOREMSR_COUNTERS_FROM_MODEL, /* model tables, because leaf 0xA shows only counters that both kinds
				        * have */
};
/** Properties for uncoremsr_core_number(). */
enum uncoremsr_core_number {
	UNCOREMSR_CORE_FAMILY,         /* CPUID leaf 1 EAX */
	UNCOREMSR_CORE_MODEL,
	UNCOREMSR_CORE_STEPPING,
	UNCOREMSR_CORE_HYPERVISOR,     /* leaf 1 ECX 31 */
	UNCOREMSR_CORE_NUM_CPUS,       /* logical CPUs of this kind */
	UNCOREMSR_CORE_HYBRID,         /* leaf 7 EDX 15: the processor has several kinds of cores */
	UNCOREMSR_CORE_TYPE,           /* leaf 0x1A EAX 31:24: 0x40 P-core, 0x20 E-core */
	UNCOREMSR_CORE_NATIVE_MODEL,   /* leaf 0x1A EAX 23:0 */
	UNCOREMSR_CORE_GENERAL_MASK,   /* bit n: general counter n exists on this kind */
	UNCOREMSR_CORE_FIXED_MASK,
	UNCOREMSR_CORE_COUNTERS_FROM,  /* enum uncoremsr_counters_from; unknown: no architectural PMU */
	UNCOREMSR_CORE_TOPOLOGY_LEAF,  /* 0x1F or 0xB: the leaf that uncoremsr_core_level() uses */
	/* Leaf 0xA, the core PMU; it says nothing about the uncore. */
	UNCOREMSR_CORE_0XA_VERSION,          /* EAX 7:0; 0 = no architectural PMU */
	UNCOREMSR_CORE_0XA_GENERAL_COUNTERS, /* EAX 15:8, per logical CPU */
	UNCOREMSR_CORE_0XA_GENERAL_WIDTH,    /* EAX 23:16, bits */
	UNCOREMSR_CORE_0XA_EVENT_BITS,       /* EAX 31:24, valid bits of EBX */
	UNCOREMSR_CORE_0XA_EVENTS_ABSENT,    /* EBX within EVENT_BITS: 1 = event not available */
	UNCOREMSR_CORE_0XA_FIXED_COUNTERS,   /* EDX 4:0 or ECX, whichever names more; 0 below version 2 */
	UNCOREMSR_CORE_0XA_FIXED_WIDTH,      /* EDX 12:5, bits; 0 below version 2 */
	UNCOREMSR_CORE_0XA_FIXED_MASK,       /* bit n: fixed counter n exists */
	UNCOREMSR_CORE_0XA_ANYTHREAD_DEPRECATED, /* EDX 15 */
	UNCOREMSR_CORE_0XA_EAX,              /* the four registers as CPUID returned them */
	UNCOREMSR_CORE_0XA_EBX,
	UNCOREMSR_CORE_0XA_ECX,
	UNCOREMSR_CORE_0XA_EDX,
	/* Leaf 0x23, which new processors have besides 0xA; each kind of core has its own values. */
	UNCOREMSR_CORE_0X23_SUBLEAVES, /* sub-leaf 0 EAX: bit n, sub-leaf n is valid */
	UNCOREMSR_CORE_0X23_FLAGS,     /* EBX: 0 second unit mask, 1 EQ bit */
	UNCOREMSR_CORE_0X23_SLOTS,     /* ECX */
	UNCOREMSR_CORE_0X23_GENERAL,   /* sub-leaf 1 EAX */
	UNCOREMSR_CORE_0X23_FIXED,     /* sub-leaf 1 EBX */
	UNCOREMSR_CORE_0X23_EVENTS,    /* sub-leaf 3 EAX: bit n, architectural event n available */
	/* Sampling. */
	UNCOREMSR_CORE_CAPABILITIES,   /* register IA32_PERF_CAPABILITIES (0x345), not CPUID */
	UNCOREMSR_CORE_FULL_WIDTH,     /* counters can be written in full width: 0x345 bit 13 */
	UNCOREMSR_CORE_DEBUG_STORE,    /* leaf 1 EDX 21: needed for precise sampling */
	UNCOREMSR_CORE_PEBS_FORMAT,    /* format of a precise sample: 0x345 11:8 */
	UNCOREMSR_CORE_LBR_FORMAT,     /* format of last-branch records: 0x345 5:0 */
	UNCOREMSR_CORE_LBR_DEPTH,      /* number of last-branch records: leaf 0x1C, or the kernel's
				        * caps/branches */
	UNCOREMSR_CORE_MAX_PRECISE,    /* highest precise level in the kernel (caps/max_precise) */
	/* Numbers that Linux prints at boot, computed from the above. */
	UNCOREMSR_CORE_BOOT_VERSION,
	UNCOREMSR_CORE_BOOT_WIDTH,
	UNCOREMSR_CORE_BOOT_GENERAL,
	UNCOREMSR_CORE_BOOT_VALUE_MASK,
	UNCOREMSR_CORE_BOOT_MAX_PERIOD,  /* known only with full-width writes */
	UNCOREMSR_CORE_BOOT_FIXED,
	UNCOREMSR_CORE_BOOT_EVENT_MASK,
};
/**
 * A property of a kind of core that is a number.
 * @return 0; -ENODATA unknown (@p v is unchanged).
 */
int uncoremsr_core_number(const struct uncoremsr_core_kind *kind, enum uncoremsr_core_number what,
			  uint64_t *v);

/** Types of levels in the topology leaf; other values are not defined yet (SDM volume 2A). */
enum uncoremsr_level {
	UNCOREMSR_LEVEL_SMT = 1,
	UNCOREMSR_LEVEL_CORE,
	UNCOREMSR_LEVEL_MODULE,
	UNCOREMSR_LEVEL_TILE,
	UNCOREMSR_LEVEL_DIE,
	UNCOREMSR_LEVEL_DIE_GROUP,
};
/**
 * A level of the topology leaf, the innermost first.
 * @param shift number of bits to shift an x2APIC id to the right to get the id at the next level.
 * @param cpus number of logical CPUs at this level, online or not.
 * @return 0; -ENODATA past the end.
 */
int uncoremsr_core_level(const struct uncoremsr_core_kind *kind, size_t index,
			 enum uncoremsr_level *type, unsigned *shift, unsigned *cpus);
/** Does a kind of core have an architectural event? */
enum uncoremsr_event_state {
	UNCOREMSR_EVENT_PRESENT,
	UNCOREMSR_EVENT_ABSENT,     /* CPUID says that it is not available */
	UNCOREMSR_EVENT_NOT_LISTED, /* CPUID does not list it: treat it as not available */
};
enum uncoremsr_event_state uncoremsr_core_event(const struct uncoremsr_core_kind *kind,
						unsigned bit);
/**
 * Name and codes of an architectural event, by its bit in leaf 0xA EBX.
 * @return its name ("instructions retired"), or NULL past the last one.
 */
const char *uncoremsr_arch_event(unsigned bit, unsigned *event_select, unsigned *unit_mask);

/* ------------------------------------------------- how registers are reached */

/** State of the register driver. */
enum uncoremsr_driver_state {
	UNCOREMSR_DRIVER_READY,          /* the devices can be opened */
	UNCOREMSR_DRIVER_MISSING,        /* no driver: not loaded, or not in this kernel */
	UNCOREMSR_DRIVER_NO_NODE,        /* the driver is registered, but the device node is missing */
	UNCOREMSR_DRIVER_NO_PERMISSION,  /* owner or mode of the device node forbid it */
	UNCOREMSR_DRIVER_NO_CAPABILITY,  /* CAP_SYS_RAWIO is missing */
	UNCOREMSR_DRIVER_OTHER,          /* another failure, or the machine is not open */
};
/**
 * Try to open the register devices. Accesses no register. Do not call it while a session runs.
 * @param writing 0: open the device of the first package for reading; else those of all packages for
 *   writing.
 * @return the state; unless it is READY, uncoremsr_error() gives cause and advice.
 */
enum uncoremsr_driver_state uncoremsr_driver_state(struct uncoremsr *um, int writing);

/** Is a counter in use? Judged from its registers only. */
enum uncoremsr_counter_state {
	UNCOREMSR_COUNTER_FREE,    /* selector off and global enable bit off */
	UNCOREMSR_COUNTER_IN_USE,  /* selector or global enable bit on */
	UNCOREMSR_COUNTER_UNKNOWN, /* could not be read */
	UNCOREMSR_COUNTER_STUCK,   /* off, but its contents could not be restored, so it is never used */
};
/** Contents of a counter's registers. */
struct uncoremsr_counter_words {
	uint64_t selector;         /**< selector (control) register, or the counter's bits of it */
	unsigned cpu;              /**< a CPU that can access the registers */
	uint32_t stuck;            /**< register whose contents could not be restored; 0: none */
	uint64_t holds, bits;      /**< contents of that register, and the bits that could not be
				    * restored */
	uint64_t counter;          /**< counter register; not read if the counter has no selector */
};
/**
 * Number of units that a PMU has on a package. This may need to read a register; some units may not exist.
 * @return the number, which may be 0; -ENOTSUP not accessible through MSRs, -ENODEV switched off (class
 *   UNSUPPORTED);
 *   -EINVAL the machine is not open; -ENOMEM; or the errors of the register driver.
 */
int uncoremsr_pmu_num_units(struct uncoremsr *um, const struct uncoremsr_package *p,
			    const struct uncoremsr_pmu *pmu);
/**
 * Look at one counter of a unit. Reads registers, writes nothing.
 * @param unit 0 to uncoremsr_pmu_num_units()-1.
 * @param counter general counters from 0, followed by the fixed counters.
 * @param words if not NULL, gets the contents of the registers; all 0 if the state is UNKNOWN.
 * @return the state; UNKNOWN also sets the handle's error. A counter that is IN_USE may also have contents
 *   that could not be restored (member stuck); then even UNCOREMSR_SESSION_FORCE does not take it.
 */
enum uncoremsr_counter_state uncoremsr_counter_state(struct uncoremsr *um,
						     const struct uncoremsr_package *p,
						     const struct uncoremsr_pmu *pmu,
						     unsigned unit, unsigned counter,
						     struct uncoremsr_counter_words *words);
/**
 * Look at a register that the counters of a unit share, a filter or a gate. Reads it, writes nothing.
 * @param unit as above. @param index from 0.
 * @param words if not NULL and the result is 1, gets the contents; its member selector is 0.
 * @return 1 if its contents could not be restored, so events that need the register are refused; 0 if they
 *   could; -ENOENT past the last register; -EINVAL no such unit, or the machine is not open; or the errors
 *   of the register driver.
 */
int uncoremsr_unit_stuck(struct uncoremsr *um, const struct uncoremsr_package *p,
			 const struct uncoremsr_pmu *pmu, unsigned unit, unsigned index,
			 struct uncoremsr_counter_words *words);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif

#endif
