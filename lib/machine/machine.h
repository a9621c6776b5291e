/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What this machine is: identity (CPUID, or proc/cpuinfo where there is no CPUID), topology (sysfs), and the tables of
 * lib/uarch that describe its processor (open.c).
 */
#ifndef UM_MACHINE_H
#define UM_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "access/access.h"
#include "common/error.h"

/* Highest CPU number in a list: far above the limit of any kernel (8192 CPUs), but it limits the memory of a list. */
#define UM_CPU_MAX 131071u

struct um_cpuset {
	unsigned *cpus; /* ascending, no duplicates */
	size_t num;
};

/*
 * Parse a kernel-style list of CPUs up to UM_CPU_MAX (blanks and a final line end allowed; "" is the
 * empty set). On -EINVAL nothing is allocated and *bad (if not NULL) points at the offending place
 * in @text.
 */
int um_cpuset_parse(struct um_cpuset *set, const char *text, const char **bad) UM_MUST_CHECK;
/*
 * Parse a list of CPUs from a file of the machine. 0; -EINVAL it is not a list; -EFBIG it is longer than any list that
 * a kernel writes; -ENOMEM; or the reader's errno. After a failure *set is empty.
 */
int um_cpuset_read(struct um_cpuset *set, struct um_access *a, const char *path) UM_MUST_CHECK;
int um_cpuset_add(struct um_cpuset *set, unsigned cpu) UM_MUST_CHECK;
int um_cpuset_add_all(struct um_cpuset *set, const struct um_cpuset *more) UM_MUST_CHECK UM_CROSSES;
bool um_cpuset_has(const struct um_cpuset *set, unsigned cpu) UM_CROSSES;
bool um_cpuset_overlap(const struct um_cpuset *a, const struct um_cpuset *b);
char *um_cpuset_format(const struct um_cpuset *set); /* Returns a text that the caller frees; NULL: no memory. */
void um_cpuset_free(struct um_cpuset *set) UM_CROSSES;

struct um_leaf_0xa {
	bool present;
	uint32_t version, general, general_width, event_bits, events_absent;
	uint32_t fixed, fixed_width, fixed_mask;
	bool anythread_deprecated;
	uint32_t regs[4];
};

struct um_identity {
	const char *source;  /* where the identity is from: "cpuid", "cpuinfo", or NULL (unknown) */
	char vendor[13];     /* "" unknown */
	int family, model, stepping; /* -1 unknown */
	int hypervisor;      /* 1: a hypervisor is present; 0: none; -1: unknown */
	char brand[64];      /* name that the processor reports, blanks trimmed; "": unknown */
	struct um_leaf_0xa leaf_0xa;
	const char *foreign; /* name of an unsupported architecture; NULL: x86 or POWER */
	uint32_t pvr;        /* POWER: the processor version register; 0: not POWER, or unknown */
};

/* Bits 0 to @bits - 1. */
static inline uint64_t um_low_mask(uint32_t bits)
{
	return bits >= 64 ? UINT64_MAX : (1ull << bits) - 1;
}

/* These decoders do not access the machine, so that tests can pass recorded values. */
void um_identity_decode_signature(struct um_identity *id, uint32_t leaf1_eax);
void um_leaf_0xa_decode(struct um_leaf_0xa *l, const uint32_t regs[4]);

/*
 * AMD PerfMon version 2 (CPUID leaf 0x80000022 EAX bit 0): how many counters the data fabric and
 * all memory controllers have (EBX 15:10, 23:16), and the set of memory controllers in use (ECX).
 * False: the leaf does not exist, or reports another version.
 */
struct um_amd_counters {
	unsigned fabric, memory;
	uint32_t controllers;
};
bool um_amd_counters_read(struct um_amd_counters *n, struct um_access *a, unsigned cpu);

enum { UM_ARCH_EVENTS = 13 };
/* Name, event select and unit mask of an architectural event, by its bit; NULL: not defined. */
const char *um_arch_event(unsigned bit, unsigned *event, unsigned *umask);
/* Bit n: architectural event n exists. If @l is NULL or absent, assume the events of every processor since Core 2. */
uint32_t um_arch_events(const struct um_leaf_0xa *l);

/* Read the identity from CPUID of @cpu or, if that fails, from proc/cpuinfo. If both fail, source stays NULL. */
void um_identity_read(struct um_identity *id, struct um_access *a, unsigned cpu);
int um_identity_read_cpuid(struct um_identity *id, struct um_access *a, unsigned cpu);

/* A package. Callers get @shown; it must stay first, because um_package_cpus() casts it back to the whole struct. */
struct um_package {
	struct uncoremsr_package shown;
	struct um_cpuset cpus;
	char *cpus_text;
	struct um_access *access; /* borrowed, for um_package_read_cores() */
	struct um_cpuset cores;   /* the lowest online CPU of each core; empty: not read yet */
};

static inline const struct um_cpuset *um_package_cpus(const struct uncoremsr_package *p)
{
	return &((const struct um_package *)p)->cpus;
}

struct um_topology {
	struct um_cpuset online;
	char *online_text;
	bool per_die;                /* each entry of @packages is a die */
	struct um_package *packages; /* in the order of their lowest online CPU; those without an online CPU are last */
	size_t num_packages;
};

/*
 * Read the topology. @per_die: one entry per die instead of one per package. A CPU without a file physical_package_id
 * in sysfs is in no package. 0; -ENODATA with a message in @e when there is no online CPU, or when it is unknown which
 * CPUs form a package; -ENOMEM. After a failure *t is empty.
 */
int um_topology_read(struct um_topology *t, struct um_access *a, bool per_die, struct um_error *e) UM_MUST_CHECK;
/* um_topology_read() in two steps, for a caller that has to access an online CPU before it knows @per_die. */
int um_topology_read_online(struct um_topology *t, struct um_access *a, struct um_error *e) UM_MUST_CHECK;
int um_topology_read_packages(struct um_topology *t, struct um_access *a, bool per_die,
			      struct um_error *e) UM_MUST_CHECK;
void um_topology_free(struct um_topology *t);
/*
 * POWER: firmware exports the memory in which each chip's nest counts, also for chips that have no CPU online. Such a
 * chip becomes a package without CPUs if the ids of the other packages are chip numbers. 0; -ENOMEM.
 */
#define UM_CHIP_EXPORTS "sys/firmware/opal/exports"
#define UM_CHIP_EXPORT "imc_nest_chip_" /* followed by the number of the chip in hexadecimal */
int um_topology_add_chips(struct um_topology *t, struct um_access *a) UM_MUST_CHECK;

/*
 * Read the cores with an online CPU, unless they were read before; um_package_num_cores() returns how many there are.
 * Call this only when needed: it reads a file per core, and counting events should not wait for that. 0 or -ENOMEM.
 */
int um_package_read_cores(struct um_package *p) UM_MUST_CHECK;
int um_package_num_cores(const struct uncoremsr_package *p, size_t *num) UM_MUST_CHECK;

enum um_access_step { UM_STEP_OPEN, UM_STEP_READ, UM_STEP_WRITE };

/*
 * Make a message and advice for a failed access to a register device. @what names the register ("UNCORE_PERFEVTSEL0
 * (0x3c0)"), or is NULL for UM_STEP_OPEN. Returns @err, except that an ENOENT on open becomes -ENODEV when no driver is
 * there.
 */
int um_driver_explain(struct um_access *a, enum um_access_step step, unsigned cpu,
		      const char *what, int err, struct um_error *e);
/*
 * Open a CPU's device, or explain why that fails. Only the register driver's own device is opened for writing. The
 * caller closes it with um_access_close_cpu().
 */
int um_driver_open(struct um_access *a, unsigned cpu, bool writing, struct um_error *e) UM_MUST_CHECK;

/* The CPUs that exist but are offline. 0; -ENODATA if that is unknown; -ENOMEM. */
int um_cpus_offline(struct um_cpuset *set, struct um_access *a, const struct um_cpuset *online) UM_MUST_CHECK;
/* The CPUs of the core that @cpu belongs to. 0; -ENODATA: sysfs does not show them; -ENOMEM. */
int um_cpus_of_core(struct um_cpuset *set, struct um_access *a, unsigned cpu) UM_MUST_CHECK;
/* 0; -ENODATA if the online CPUs are unknown; -ENOMEM. */
int um_cpus_online(struct um_cpuset *set, struct um_access *a) UM_MUST_CHECK;
/* -1: the core of the CPU is unknown. */
int um_core_id(struct um_access *a, int cpu);
/*
 * Find the package of @t that a CPU belongs to, even if the CPU was offline when @t was read. *found is NULL if the CPU
 * is offline or in no package, or its package was not there when @t was read. 0; -ENOMEM.
 */
int um_package_of(const struct um_topology *t, struct um_access *a, unsigned cpu,
		  const struct uncoremsr_package **found) UM_MUST_CHECK;
/* The package of a CPU that was online when @t was read; NULL: none. */
const struct uncoremsr_package *um_package_with(const struct um_topology *t, unsigned cpu);
/* Does the kernel's NMI watchdog hold a core counter? 1 yes, 0 no, -1 unknown. */
int um_nmi_watchdog(struct um_access *a);
/* The number in file caps/@name of a PMU of the kernel; -1 unknown. */
int um_pmu_cap(struct um_access *a, const char *pmu, const char *name);

/* The process that opened the machine; pid 0: none. */
struct um_process {
	long pid;
	char *here;                    /* a page that reads 0 in a child (MADV_WIPEONFORK); NULL: not available */
};

struct um_model;
struct um_handle_leases;
struct um_traced;
struct um_uarch;
struct um_pmu;

struct um_perf_kernel;

/* Why the uncore cannot be counted by registers, as far as the processor's identity shows. */
enum um_unsupported {
	UM_SUPPORTED,
	UM_UNSUPPORTED_NO_IDENTITY,
	UM_UNSUPPORTED_POWER,
	UM_UNSUPPORTED_MODEL,
	UM_UNSUPPORTED_NO_COUNTERS, /* none of the processor's counters can be reached by MSRs */
	UM_UNSUPPORTED_GUEST,
};

struct um_machine;

/*
 * Access to single registers for code that does not count. All access is traced, and writes go through the one function
 * that checks whether the processor tables allow them. On failure each function sets @e and returns a negative errno.
 */
struct um_register_ops {
	/* Open a CPU's device. The caller closes it with um_access_close_cpu(). */
	int (*open)(const struct um_machine *m, unsigned cpu, bool for_writing, struct um_error *e);
	int (*read)(const struct um_machine *m, unsigned cpu, uint32_t msr, uint64_t *value, struct um_error *e);
	/* Change the bits @mask to those of @value. */
	int (*write)(const struct um_machine *m, unsigned cpu, uint32_t msr, uint64_t mask,
		     uint64_t value, struct um_error *e);
};

/* A machine, as code above lib/machine sees it. The struct points to the processor tables and does not copy them. */
struct um_machine {
	struct um_access *access;
	const struct um_register_ops *registers;
	struct um_process process;
	bool dry_run;
	/*
	 * The right to write registers comes from the program's file capabilities; the user who runs the program does
	 * not have it.
	 */
	bool borrowed;
	struct um_identity id;
	struct um_topology topo;
	const struct um_model *model;  /* NULL: no table has the processor */
	enum um_unsupported unsupported;
	const struct um_uarch *uarch;  /* NULL: not supported */
	/*
	 * The PMUs of this machine: those of the tables, with the numbers of counters that CPUID reports; last the core
	 * PMU, if there is one. The array is a copy of the tables; all other code points into it.
	 */
	struct um_pmu *pmus;
	size_t num_pmus;
	bool have_core;                /* the core PMU is the last of @pmus */
	char lease_dir[4096];          /* directory of leases; "": no leases are used */
	struct um_handle_leases *handle_leases;
	enum uncoremsr_trace_style trace_style;
	void (*trace)(void *user, const char *line);
	void *trace_user;
	struct um_traced *traced;      /* register values that the trace has seen; NULL: none yet */
	void (*log)(void *user, enum uncoremsr_log_level level, const char *line);
	void *log_user;
	enum uncoremsr_log_level log_from;
	/*
	 * Get the kernel that counts on this machine: the one that runs here, or that of a simulated machine. Made at
	 * the first call; the handle frees it. 0; -ENOTSUP there is none, -ENOMEM.
	 */
	int (*kernel)(void *user, struct um_perf_kernel **kernel, struct um_error *e);
	void *kernel_user;
};

/* The clock of the machine, in nanoseconds. */
static inline uint64_t um_now(const struct um_machine *m)
{
	return m->access->ops->now(m->access);
}

void um_process_remember(struct um_process *p);
void um_process_forget(struct um_process *p);
/*
 * Are we a child forked from the process that opened the machine? A child reads and writes nothing. It only frees
 * memory and closes its descriptors, which does not affect the parent.
 */
bool um_in_child(const struct um_machine *m);
int um_check_process(const struct um_machine *m, struct um_error *e) UM_MUST_CHECK UM_CROSSES;

/* Find out everything about the machine of @m->access. On failure call um_machine_close(). */
int um_machine_open(struct um_machine *m, struct um_error *e) UM_MUST_CHECK;
/* Close the access and clear all facts about the machine, but keep options and callbacks. */
void um_machine_close(struct um_machine *m);
/* Write why the uncore is not supported to @why, as one sentence. False: it is supported, and @why is unchanged. */
bool um_machine_unsupported(const struct um_machine *m, char *why, size_t size);
/* Fail because the uncore is not supported. Returns -ENOTSUP. */
int um_machine_refuse(const struct um_machine *m, struct um_error *e);

void um_log_line(const struct um_machine *m, enum uncoremsr_log_level level, const char *fmt, ...)
	UM_PRINTF(3, 4) UM_CROSSES;
#define um_log(m, ...) um_log_line(m, UNCOREMSR_LOG_REMARK, __VA_ARGS__)
#define um_warn(m, ...) um_log_line(m, UNCOREMSR_LOG_WARNING, __VA_ARGS__)
bool um_logs_remarks(const struct um_machine *m);

#define UM_LEAF_7_EDX_HYBRID (1u << 15) /* CPUID leaf 7 EDX bit 15 (SDM volume 2A) */

/*
 * Log which counted CPUs are offline, which one went offline, or (um_tell_came()) which one is online again. @p: its
 * package, from um_package_of().
 */
void um_tell_offline(const struct um_machine *m, const struct um_cpuset *cpus);
void um_tell_went(const struct um_machine *m, unsigned cpu);
/* Message for -ENODEV: no CPU of a kind of core is online. %s is the name of its PMU in Linux ("cpu_atom"). */
#define UM_NO_CPU_OF_KIND "no CPU of the kind %s is online"
int um_no_cpu_of_kind(const char *kind, struct um_error *e);
void um_tell_suspended(const struct um_machine *m, uint64_t ns);
void um_tell_came(const struct um_machine *m, const struct uncoremsr_package *p, unsigned cpu);

#endif
