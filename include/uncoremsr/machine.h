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

#ifdef __GNUC__
#pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif

#endif
