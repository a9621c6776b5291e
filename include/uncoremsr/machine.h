/* SPDX-License-Identifier: LGPL-2.1-or-later */
/**
 * @file uncoremsr/machine.h
 * What the processor and its surroundings are: kinds of cores, CPUID facts, the register driver, the kernel.
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

struct uncoremsr_pmu;       /* a set of counters that share one event vocabulary */
struct uncoremsr_cores;     /* the kinds of cores of a machine */
struct uncoremsr_core_kind; /* cores that are alike */

/* ------------------------------------------------------------- the machine */

/** Properties for uncoremsr_machine_text(). */
enum uncoremsr_machine_text {
	UNCOREMSR_MACHINE_VENDOR,          /* "GenuineIntel": CPUID leaf 0 */
	UNCOREMSR_MACHINE_BRAND,           /* the processor's own name: CPUID leaves 0x80000002 to 4,
	                                    * or "model name" of proc/cpuinfo */
	UNCOREMSR_MACHINE_IDENTITY_SOURCE, /* where these come from: "cpuid" or "cpuinfo" */
	UNCOREMSR_MACHINE_UARCH,           /* short name of the microarchitecture: "westmere" */
	UNCOREMSR_MACHINE_UARCH_TITLE,     /* "Westmere-EP (Xeon 5600), Gulftown" */
	UNCOREMSR_MACHINE_REASON,          /* why the uncore is not supported, in one sentence */
	UNCOREMSR_MACHINE_ONLINE_CPUS,     /* kernel-style lists: "0-3,5"; "" for none */
	UNCOREMSR_MACHINE_OFFLINE_CPUS,    /* present, but not online */
	UNCOREMSR_MACHINE_FORBIDDEN_CPUS,  /* online, but not for this process (cpuset or CPU affinity;
	                                    * proc/self/status) */
	UNCOREMSR_MACHINE_LIKWID_LOCK,     /* path of likwid's lock file, where it is there: its owner
	                                    * reserves the counters */
	UNCOREMSR_MACHINE_DRIVER_DEVICE,   /* the device file that is used, in dev/cpu/N: "msr_safe"
	                                    * where that driver is loaded, else "msr" */
	UNCOREMSR_MACHINE_DRIVER_WRITES,   /* write filter of the driver msr: "on", "off" or "default"
	                                    * (module parameter allow_writes, Linux 5.9 and later) */
	UNCOREMSR_MACHINE_LOCKDOWN,        /* of the kernel: "none", "integrity", "confidentiality" */
};
/**
 * A property of an open machine that is a name or a list.
 * @return the text, valid until the same property is asked for again; NULL: unknown, or it
 *   does not apply (no likwid lock, no reason because the uncore is supported).
 */
const char *uncoremsr_machine_text(struct uncoremsr *um, enum uncoremsr_machine_text what);

/** Properties for uncoremsr_machine_number(). */
enum uncoremsr_machine_number {
	UNCOREMSR_MACHINE_FAMILY,       /* display family, model (with the extended fields) and */
	UNCOREMSR_MACHINE_MODEL,        /* stepping: CPUID leaf 1 EAX */
	UNCOREMSR_MACHINE_STEPPING,
	UNCOREMSR_MACHINE_HYPERVISOR,   /* 1 in a virtual machine: CPUID leaf 1 ECX 31 */
	UNCOREMSR_MACHINE_SUPPORTED,    /* 1: uncore counters can be programmed, judged by the model */
	UNCOREMSR_MACHINE_CONTAINER,    /* 1 in a container: systemd, Docker or Podman say so */
	UNCOREMSR_MACHINE_NMI_WATCHDOG, /* 1: the kernel's watchdog holds a core counter of every CPU */
	UNCOREMSR_MACHINE_SIMULATED,    /* 1: simulated, in this process or mounted under root:DIR */
	UNCOREMSR_MACHINE_PVR,          /* POWER: processor version register (proc/cpuinfo) */
	UNCOREMSR_MACHINE_MAX_PRECISE,  /* highest of the modifiers :p (1) to :ppp (3) that the kernel
					 * takes for core events, 0 none: caps/max_precise of its
					 * PMU cpu, or cpu_core of a hybrid processor */
	UNCOREMSR_MACHINE_BRANCHES,     /* branch records of a sample at most: caps/branches */
	UNCOREMSR_MACHINE_STARVED,      /* also of a machine that is not open: ENOMEM, EMFILE or ENFILE
					 * where a function has since failed, or answered NULL or
					 * "unknown", for want of memory or open files, 0 where none has */
	UNCOREMSR_MACHINE_NO_MEMORY,    /* also of a machine that is not open: 1 where that is what
					 * uncoremsr_errmsg() says */
};
/**
 * A property of an open machine that is a number.
 * @return 0; -ENODATA unknown, or the machine is not open: @p v is left alone.
 */
int uncoremsr_machine_number(struct uncoremsr *um, enum uncoremsr_machine_number what, uint64_t *v);

/**
 * The kernel's own PMUs (sys/bus/event_source/devices), in the order of their type numbers.
 * @param fn gets name, type, and the CPUs in the file cpumask or cpus (NULL: there is neither; "": it names
 *   none; "unknown": it cannot be read); stops when it returns other than 0.
 * @return 0; -ENOENT there is no such folder; -EINVAL the machine is not open; -ENOMEM; or what
 *   @p fn returned.
 */
int uncoremsr_kernel_pmus(struct uncoremsr *um,
			  int (*fn)(void *user, const char *name, unsigned type,
				    const char *cpus), void *user);

/* ---------------------------------------------------------- kinds of cores */

/**
 * Sort the online CPUs into kinds of cores by what CPUID says about each. Reads CPUID of every CPU,
 * and register 0x345 of one CPU per kind, where CPUID says that it exists and the driver allows it.
 * A hybrid processor of which all CPUs of one kind are offline has that kind, too: UNCOREMSR_CORE_NUM_CPUS is 0, and
 * of what CPUID says only UNCOREMSR_CORE_HYBRID and UNCOREMSR_CORE_TYPE are known.
 * @param cores is freed with uncoremsr_cores_free(), before the handle. It has no kind where CPUID
 *   cannot be read.
 * @return 0; -EINVAL the machine is not open; -ENOMEM. *cores is NULL on failure.
 */
int uncoremsr_cores_read(struct uncoremsr *um, struct uncoremsr_cores **cores);
/**
 * The same from a file as "cpuid -r" (Debian package cpuid) prints it. There is no machine then: no
 * packages, no registers.
 * @param error if not NULL, a buffer of @p size bytes for the sentence that explains a failure; it
 *   names file and line.
 * @return 0; -ENOENT no such file; -EINVAL it is not such a file, is cut, or has impossible leaves;
 *   -ENOMEM. *cores is NULL on failure.
 */
int uncoremsr_cores_load(struct uncoremsr_cores **cores, const char *path, char *error,
			 size_t size);
void uncoremsr_cores_free(struct uncoremsr_cores *cores);
/** A kind of core, in the order of their lowest CPU, one without CPUs last; NULL past the end. */
const struct uncoremsr_core_kind *uncoremsr_core_kind(const struct uncoremsr_cores *cores,
						      size_t index);

/** Properties for uncoremsr_core_text(). */
enum uncoremsr_core_text {
	UNCOREMSR_CORE_CPUS,        /* its CPUs as a kernel-style list */
	UNCOREMSR_CORE_VENDOR,      /* these as for the machine */
	UNCOREMSR_CORE_BRAND,
	UNCOREMSR_CORE_UARCH,
	UNCOREMSR_CORE_UARCH_TITLE,
};
/** A property of a kind of core that is a name or a list; NULL: unknown. */
const char *uncoremsr_core_text(const struct uncoremsr_core_kind *kind,
				enum uncoremsr_core_text what);

/** Where the masks of a kind's counters come from. */
enum uncoremsr_counters_from {
	UNCOREMSR_COUNTERS_FROM_LEAF_0XA,
	UNCOREMSR_COUNTERS_FROM_LEAF_0X23,
	UNCOREMSR_COUNTERS_FROM_MODEL, /* leaf 0xA has only what both kinds of core have */
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
	UNCOREMSR_CORE_TOPOLOGY_LEAF,  /* 0x1F or 0xB, whichever uncoremsr_core_level() comes from */
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
	UNCOREMSR_CORE_0XA_EAX,              /* the registers as the processor gave them */
	UNCOREMSR_CORE_0XA_EBX,
	UNCOREMSR_CORE_0XA_ECX,
	UNCOREMSR_CORE_0XA_EDX,
	/* Leaf 0x23, which new processors have beside it; each kind of core has its own. */
	UNCOREMSR_CORE_0X23_SUBLEAVES, /* sub-leaf 0 EAX: bit n, sub-leaf n is valid */
	UNCOREMSR_CORE_0X23_FLAGS,     /* EBX: 0 second unit mask, 1 EQ bit */
	UNCOREMSR_CORE_0X23_SLOTS,     /* ECX */
	UNCOREMSR_CORE_0X23_GENERAL,   /* sub-leaf 1 EAX */
	UNCOREMSR_CORE_0X23_FIXED,     /* sub-leaf 1 EBX */
	UNCOREMSR_CORE_0X23_EVENTS,    /* sub-leaf 3 EAX: bit n, architectural event n available */
	/* Sampling. */
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
/**
 * A property of a kind of core that is a number.
 * @return 0; -ENODATA unknown here: @p v is left alone.
 */
int uncoremsr_core_number(const struct uncoremsr_core_kind *kind, enum uncoremsr_core_number what,
			  uint64_t *v);

/** What a level of the topology leaf is made of; other values are not defined yet (SDM volume 2A). */
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
 * @param shift how far an x2APIC id is shifted to get the id of the next level.
 * @param cpus logical CPUs at this level as the processor was made, online or not.
 * @return 0; -ENODATA past the end.
 */
int uncoremsr_core_level(const struct uncoremsr_core_kind *kind, size_t index,
			 enum uncoremsr_level *type, unsigned *shift, unsigned *cpus);
/** Whether a kind of core has an architectural event. */
enum uncoremsr_event_state {
	UNCOREMSR_EVENT_PRESENT,
	UNCOREMSR_EVENT_ABSENT,     /* the processor says that it is not there */
	UNCOREMSR_EVENT_NOT_LISTED, /* beyond what the leaf covers: treat it as not there */
};
enum uncoremsr_event_state uncoremsr_core_event(const struct uncoremsr_core_kind *kind,
						unsigned bit);
/**
 * An architectural event by its bit in leaf 0xA EBX.
 * @return its name ("instructions retired"), or NULL past the last one.
 */
const char *uncoremsr_arch_event(unsigned bit, unsigned *event_select, unsigned *unit_mask);

/* ------------------------------------------------- how registers are reached */

/** State of the register driver. */
enum uncoremsr_driver_state {
	UNCOREMSR_DRIVER_READY,          /* the devices can be opened */
	UNCOREMSR_DRIVER_MISSING,        /* no driver: not loaded, or not in this kernel */
	UNCOREMSR_DRIVER_NO_NODE,        /* driver registered, device node missing */
	UNCOREMSR_DRIVER_NO_PERMISSION,  /* the node's owner or mode forbids it */
	UNCOREMSR_DRIVER_NO_CAPABILITY,  /* CAP_SYS_RAWIO is missing */
	UNCOREMSR_DRIVER_OTHER,          /* something else, or the machine is not open */
};
/**
 * Try to open register devices. No register is read or written. Not while a session runs.
 * @param writing 0: that of the first package, for reading; else those of all packages, for writing.
 * @return the state; unless it is READY, sentence and advice are the handle's last failure
 *   (uncoremsr_errmsg(), uncoremsr_hint()).
 */
enum uncoremsr_driver_state uncoremsr_driver_state(struct uncoremsr *um, int writing);

/** Who seems to use a counter, judged from its registers alone. */
enum uncoremsr_counter_state {
	UNCOREMSR_COUNTER_FREE,    /* selector off and global enable bit off */
	UNCOREMSR_COUNTER_IN_USE,  /* selector or global enable bit on */
	UNCOREMSR_COUNTER_UNKNOWN, /* could not be read */
	UNCOREMSR_COUNTER_STUCK,   /* off, but what it holds could not be put back: never taken */
};
/** What the registers of a counter hold. */
struct uncoremsr_counter_words {
	uint64_t selector;         /**< its selector (control) register, or its share of it */
	unsigned cpu;              /**< one that reaches the registers */
	uint32_t stuck;            /**< the register whose content could not be put back; 0: all could */
	uint64_t holds, bits;      /**< then: what it holds, and which bits of that are the reason */
	uint64_t counter;          /**< its counter register; one without a selector is not read */
};
/**
 * How many units a PMU has on a package. It may take a register to know; some of them may turn out
 * not to exist.
 * @return the number, also 0; -ENOTSUP out of reach of MSRs, -ENODEV switched off (class UNSUPPORTED);
 *   -EINVAL the machine is not open; -ENOMEM; or the errors of the register driver.
 */
int uncoremsr_pmu_num_units(struct uncoremsr *um, const struct uncoremsr_package *p,
			    const struct uncoremsr_pmu *pmu);
/**
 * Look at one counter of a unit. Reads registers, writes nothing.
 * @param unit 0 to uncoremsr_pmu_num_units()-1.
 * @param counter the general ones from 0; after these come the fixed ones.
 * @param words if not NULL: what its registers hold; all 0 when the state is UNKNOWN.
 * @return the state; UNKNOWN also sets the handle's error. One that is IN_USE may also hold what could
 *   not be put back; it is then not even taken by force.
 */
enum uncoremsr_counter_state uncoremsr_counter_state(struct uncoremsr *um,
						     const struct uncoremsr_package *p,
						     const struct uncoremsr_pmu *pmu,
						     unsigned unit, unsigned counter,
						     struct uncoremsr_counter_words *words);
/**
 * Look at a register that the counters of a unit share, a filter or a gate. Reads it, writes nothing.
 * @param unit as above. @param index from 0.
 * @param words if not NULL, and the answer is 1: what it holds; its selector is 0.
 * @return 1 what it holds could not be put back, so events that need it are refused; 0 it could;
 *   -ENOENT past the last one; -EINVAL no such unit, or the machine is not open; or the errors of the
 *   register driver.
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
