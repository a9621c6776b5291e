/* SPDX-License-Identifier: LGPL-2.1-or-later */
/**
 * @file uncoremsr/machine.h
 * Facts about the processor and its environment: kinds of cores, CPUID, the register driver, the kernel.
 * Rules about errors, threads, ownership and structs: uncoremsr.h.
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

/* ------------------------------------------------------------- the machine */

/** Facts about an open machine, read when it was opened. */
struct uncoremsr_machine {
	size_t size;
	const char *name;            /* the machine without parameters: "live", "root:DIR", "sim:NAME" */
	const char *vendor;          /* "GenuineIntel": CPUID leaf 0 */
	const char *brand;           /* the processor's own name: CPUID leaves 0x80000002 to 4, or "model name" of
				      * proc/cpuinfo */
	const char *identity_source; /* source of vendor, brand, family, model and stepping: "cpuid" or "cpuinfo" */
	int family, model, stepping; /* display family, model (with the extended fields) and stepping: CPUID leaf 1
				      * EAX */
	int hypervisor;              /* 1 in a virtual machine: CPUID leaf 1 ECX 31 */
	const char *uarch;           /* short name of the microarchitecture: "westmere" */
	const char *uarch_title;     /* "Westmere-EP (Xeon 5600), Gulftown" */
	int tables;                  /* 1: there are tables of this model's uncore */
	int supported;               /* 1: uncore counters of this model can be programmed: tables is 1, and this is no
				      * virtual machine */
	const char *reason;          /* why the uncore is not supported, in one sentence */
	int simulated;               /* 1: simulated, in this process or in a mounted tree (root:DIR) */
	uint64_t pvr;                /* POWER: processor version register (proc/cpuinfo) */
	const char *online_cpus;     /* kernel-style list: "0-3,5" */
};
/** @return facts about the machine, valid as long as it is open; NULL: no machine is open. */
const struct uncoremsr_machine *uncoremsr_machine(struct uncoremsr *um);

/** What uncoremsr_surroundings() reads. The comment beside each flag names the struct members which that flag sets. */
enum uncoremsr_look_at {
	UNCOREMSR_LOOK_AT_CPUS = 1,      /* offline_cpus, forbidden_cpus */
	UNCOREMSR_LOOK_AT_NEIGHBOURS = 2, /* container, likwid_lock */
	UNCOREMSR_LOOK_AT_WATCHDOG = 4,  /* nmi_watchdog */
	UNCOREMSR_LOOK_AT_SAMPLING = 8,  /* max_precise, branches */
	UNCOREMSR_LOOK_AT_FILTER = 16,   /* writes, lockdown */
	UNCOREMSR_LOOK_AT_DEVICE = 32,   /* device */
};
/** What the kernel's files say about the surroundings of a measurement. Members that were not read yet are unknown. */
struct uncoremsr_surroundings {
	size_t size;
	const char *offline_cpus;   /* present, but not online: kernel-style list, "" for none */
	const char *forbidden_cpus; /* online, but this process may not use them (cpuset or CPU affinity;
				     * proc/self/status) */
	int container;              /* 1 in a container, according to systemd, Docker or Podman */
	const char *likwid_lock;    /* path of likwid's lock file, if it exists: the owner of the file reserves the
				     * counters */
	int nmi_watchdog;           /* 1: the kernel's watchdog holds a core counter of every CPU */
	int max_precise;            /* highest precise level that the kernel accepts for core events, 0 (none) to 3
				     * (:ppp): caps/max_precise of the PMU cpu, or of cpu_core on a hybrid processor */
	int branches;               /* largest number of branch records in a sample: caps/branches */
	const char *writes;         /* write filter of the msr driver, its module parameter allow_writes (Linux 5.9
				     * and later): "on", "off" or "default" */
	const char *lockdown;       /* lockdown mode of the kernel: "none", "integrity", "confidentiality" */
	const char *device;         /* name of the device file in dev/cpu/N: "msr_safe" if that driver is loaded,
				     * else "msr" */
};
/**
 * Read the kernel's files for some members of the struct.
 * @param what some of enum uncoremsr_look_at, or'ed; 0: read no file, return what was read before.
 * @return valid as long as the machine is open; later calls update the members that they read. NULL: the machine is
 *   not open.
 */
const struct uncoremsr_surroundings *uncoremsr_surroundings(struct uncoremsr *um, unsigned what);

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

/** Source of the counter masks of a kind of core. */
enum uncoremsr_counters_from {
	UNCOREMSR_COUNTERS_FROM_LEAF_0XA,
	UNCOREMSR_COUNTERS_FROM_LEAF_0X23,
	UNCOREMSR_COUNTERS_FROM_MODEL, /* model tables: on the first hybrid parts leaf 0xA reports only the counters
				        * that both kinds of cores have */
};
/** Types of levels in the topology leaf; other values are not defined yet (SDM volume 2A). */
enum uncoremsr_level {
	UNCOREMSR_LEVEL_SMT = 1,
	UNCOREMSR_LEVEL_CORE,
	UNCOREMSR_LEVEL_MODULE,
	UNCOREMSR_LEVEL_TILE,
	UNCOREMSR_LEVEL_DIE,
	UNCOREMSR_LEVEL_DIE_GROUP,
};
/** A level of the topology leaf. */
struct uncoremsr_core_level {
	size_t size;
	enum uncoremsr_level type;
	unsigned shift; /* an x2APIC id shifted right by this number of bits is the id at the next level */
	unsigned cpus;  /* number of logical CPUs at this level, online or not */
};

/** Does a kind of core have an architectural event? */
enum uncoremsr_event_state {
	UNCOREMSR_EVENT_PRESENT,
	UNCOREMSR_EVENT_ABSENT,     /* CPUID says that the event is not available */
	UNCOREMSR_EVENT_NOT_LISTED, /* CPUID does not list the event: treat it as not available */
};
/** An architectural event. */
struct uncoremsr_core_event {
	size_t size;
	unsigned bit;       /* bit of the event in leaf 0xA EBX */
	const char *name;   /* "instructions retired" */
	unsigned event_select, unit_mask;
	enum uncoremsr_event_state state;
};

/** Core types of hybrid processors: CPUID leaf 0x1A EAX 31:24, except the low-power E-cores of Arrow Lake-H. */
enum uncoremsr_core_type {
	UNCOREMSR_CORE_TYPE_E = 0x20,
	/*
	 * Our own number: in CPUID these cores have the type of the other E-cores, but they have another
	 * microarchitecture (Crestmont, not Skymont) with other event codes, and a PMU of their own in Linux:
	 * "cpu_lowpower".
	 */
	UNCOREMSR_CORE_TYPE_LOW_POWER = 0x21,
	UNCOREMSR_CORE_TYPE_P = 0x40,
};
/** A set of identical cores. */
struct uncoremsr_core_kind {
	size_t size;
	const char *cpus;              /* CPUs of this kind as a kernel-style list */
	int num_cpus;                  /* number of logical CPUs of this kind */
	const char *vendor, *brand, *uarch, *uarch_title; /* as in struct uncoremsr_machine */
	int tables;                    /* as in struct uncoremsr_machine */
	int family, model, stepping;   /* CPUID leaf 1 EAX */
	int hypervisor;                /* leaf 1 ECX 31 */
	int hybrid;                    /* leaf 7 EDX 15: the processor has several kinds of cores */
	uint64_t type;                 /* leaf 0x1A EAX 31:24: 0x40 P-core, 0x20 E-core */
	uint64_t native_model;         /* leaf 0x1A EAX 23:0 */
	uint64_t general_mask;         /* bit n: this kind of core has general counter n */
	uint64_t fixed_mask;
	int counters_from;             /* enum uncoremsr_counters_from; unknown: no architectural PMU */
	const struct uncoremsr_core_event *const *events; /* architectural events with a name, by bit; ends with NULL */
	uint64_t topology_leaf;        /* leaf that reported the levels: 0x1F or 0xB */
	const struct uncoremsr_core_level *const *levels; /* levels, the innermost first; ends with NULL */
	/* Leaf 0xA, the core PMU; it says nothing about the uncore. */
	uint64_t leaf_0xa_version;          /* EAX 7:0; 0 = no architectural PMU */
	uint64_t leaf_0xa_general_counters; /* EAX 15:8, per logical CPU */
	uint64_t leaf_0xa_general_width;    /* EAX 23:16, bits */
	uint64_t leaf_0xa_event_bits;       /* EAX 31:24, valid bits of EBX */
	uint64_t leaf_0xa_events_absent;    /* EBX, only its valid bits: 1 = event not available */
	uint64_t leaf_0xa_fixed_counters;   /* EDX 4:0 or ECX, whichever gives more counters; 0 below version 2 */
	uint64_t leaf_0xa_fixed_width;      /* EDX 12:5, bits; 0 below version 2 */
	uint64_t leaf_0xa_fixed_mask;       /* bit n: this kind of core has fixed counter n */
	int leaf_0xa_anythread_deprecated;  /* EDX 15 */
	uint64_t leaf_0xa_eax, leaf_0xa_ebx, leaf_0xa_ecx, leaf_0xa_edx; /* the leaf as CPUID returned it */
	/* Leaf 0x23, which new processors have besides 0xA; each kind of core has its own values. */
	uint64_t leaf_0x23_subleaves;  /* sub-leaf 0 EAX: bit n is 1 if sub-leaf n is valid */
	uint64_t leaf_0x23_flags;      /* EBX: bit 0 second unit mask, bit 1 EQ bit */
	uint64_t leaf_0x23_slots;      /* ECX */
	uint64_t leaf_0x23_general;    /* sub-leaf 1 EAX */
	uint64_t leaf_0x23_fixed;      /* sub-leaf 1 EBX */
	uint64_t leaf_0x23_events;     /* sub-leaf 3 EAX: bit n is 1 if architectural event n is available */
	/* Sampling. */
	uint64_t capabilities;         /* register IA32_PERF_CAPABILITIES (0x345), not CPUID */
	int full_width;                /* counters can be written in full width: 0x345 bit 13 */
	int debug_store;               /* leaf 1 EDX 21: needed for precise sampling */
	uint64_t pebs_format;          /* format of a precise sample: 0x345 11:8 */
	uint64_t lbr_format;           /* format of last-branch records: 0x345 5:0 */
	uint64_t lbr_depth;            /* number of last-branch records: leaf 0x1C, or the kernel's caps/branches */
	uint64_t max_precise;          /* highest precise level in the kernel (caps/max_precise) */
	/* Numbers that Linux prints at boot, computed from the members above. */
	uint64_t boot_version, boot_width, boot_general, boot_value_mask;
	uint64_t boot_max_period;      /* known only if full-width writes are possible */
	uint64_t boot_fixed, boot_event_mask;
	int core_type;                 /* enum uncoremsr_core_type; -1: unknown */
};
/** Kinds of cores of a machine, and the number of cores of each package. */
struct uncoremsr_cores {
	size_t size;
	const struct uncoremsr_core_kind *const *kinds; /* sorted by lowest CPU, kinds without CPUs last; ends with
							 * NULL */
	const int *packages; /* number of cores with an online CPU, by index of uncoremsr_package(); NULL if the data
			      * are from a file */
};

/**
 * Sort the online CPUs into kinds of cores by their CPUID data. Reads CPUID on every CPU, and register 0x345 on one CPU
 * per kind, if CPUID says that it exists and the driver allows it. If all CPUs of one kind of a hybrid processor are
 * offline, that kind is listed too: its num_cpus is 0, and of the CPUID data only hybrid and type are known. The number
 * of cores of a package is from the kernel's files.
 * @param file NULL: this machine, which must be open. Else a file with the output of "cpuid -r" (Debian package
 *   cpuid), which needs no machine.
 * @return valid until the next call; no kind is listed if the machine's CPUID cannot be read. NULL after a failure,
 *   with the code in uncoremsr_error(): -EINVAL the machine is not open; or the file is not such output, truncated, or
 *   has impossible leaves (the message has its name and line); -ENOENT or another error of open(2); -ECHILD a child of
 *   the process that has opened the machine; -ENOMEM.
 */
const struct uncoremsr_cores *uncoremsr_cores(struct uncoremsr *um, const char *file);

/* ------------------------------------------------- how registers are reached */

/** State of the register driver. */
enum uncoremsr_driver_state {
	UNCOREMSR_DRIVER_READY,          /* the devices can be opened */
	UNCOREMSR_DRIVER_MISSING,        /* no driver: not loaded, or not in this kernel */
	UNCOREMSR_DRIVER_NO_NODE,        /* the driver is registered, but the device node is missing */
	UNCOREMSR_DRIVER_NO_PERMISSION,  /* owner or mode of the device node forbid access */
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
	UNCOREMSR_COUNTER_STUCK,   /* off, but its contents could not be restored after counting, so it is never used */
};
/** A register whose contents cannot be restored, so the library never writes it. */
struct uncoremsr_stuck {
	size_t size;
	unsigned unit;  /* a unit that has the register: 0 to units - 1 of struct uncoremsr_counters */
	unsigned cpu;   /* a CPU that can access it */
	uint32_t msr;
	uint64_t holds; /* its contents */
	uint64_t bits;  /* the bits that cannot be restored */
};
/** A counter and its registers. */
struct uncoremsr_counter {
	size_t size;
	unsigned unit;     /* 0 to units - 1 of struct uncoremsr_counters */
	unsigned number;   /* general counters from 0, followed by the fixed ones */
	enum uncoremsr_counter_state state;
	/* selector and value are unknown only if the state is UNKNOWN. UINT64_MAX is a valid number here. */
	uint64_t selector; /* contents of the selector or control register; if shared, only the counter's bits */
	uint64_t value;    /* contents of the counter register */
	const struct uncoremsr_stuck *stuck; /* register of the counter whose contents cannot be restored; NULL: none.
					      * The library never uses a counter with such a register, even with
					      * UNCOREMSR_SESSION_FORCE */
};
/** The counters of a PMU on a package. */
struct uncoremsr_counters {
	size_t size;
	unsigned units;    /* number of units; if some of them do not exist, their counters are UNKNOWN */
	unsigned unreachable; /* number of units whose register device cannot be opened */
	const struct uncoremsr_counter *const *list; /* unit by unit, without free-running counters; ends with NULL */
	/* Filters and enable registers that cannot be restored; events that need one of them are refused. Unit by unit,
	 * without units that do not answer; ends with NULL. */
	const struct uncoremsr_stuck *const *shared;
};
/**
 * Read the state of the counters of a PMU on a package. Writes no register.
 * @return valid until the next call for the same PMU and package. If counters are UNKNOWN, uncoremsr_error() says why,
 *   for the first of them. NULL after a failure, with the code in uncoremsr_error(): -ENOTSUP MSRs cannot reach the
 *   PMU, -ENODEV the PMU is switched off (class UNSUPPORTED); -EINVAL no such package or PMU, or the machine is not
 *   open; -ECHILD a child of the process that has opened the machine; -ENOMEM; or the errors of the register driver.
 */
const struct uncoremsr_counters *uncoremsr_counters(struct uncoremsr *um, const struct uncoremsr_package *p,
						    const struct uncoremsr_pmu *pmu);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif

#endif
