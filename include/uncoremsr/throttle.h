/* SPDX-License-Identifier: LGPL-2.1-or-later */
/**
 * @file uncoremsr/throttle.h
 * Is this machine being throttled, by what, and since when? The answer is data: for each package and core
 * (subject) a verdict, its causes, the evidence for each cause, and questions without an answer, each with
 * a reason. The caller makes sentences from it.
 *
 * Rules about errors, threads, ownership and structs: uncoremsr.h. A look is a call of uncoremsr_throttle_look(). Every
 * function accepts NULL, and may be called before the first look. Lists are arrays of pointers that end with NULL; they
 * are never NULL themselves. The results of a look are valid until the next look, and until uncoremsr_throttle_clear().
 */
#ifndef UNCOREMSR_THROTTLE_H
#define UNCOREMSR_THROTTLE_H

#include <stddef.h>
#include <stdint.h>

#include "uncoremsr.h"

#ifdef __cplusplus
extern "C" {
#endif

#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

struct uncoremsr_throttle; /* a watcher: checks whether a machine is being throttled */

/**
 * Is a package or core being throttled? A worse verdict has a greater number, so the verdict on several
 * subjects is the greatest one.
 */
enum uncoremsr_verdict {
	UNCOREMSR_VERDICT_OK,            /* not throttled, as far as this machine can show; no question is open */
	UNCOREMSR_VERDICT_UNKNOWN,       /* this machine can answer no question, or one that it can answer is open */
	UNCOREMSR_VERDICT_WAS_THROTTLED, /* logged in the past, but not throttled now; questions may be
					  * open */
	UNCOREMSR_VERDICT_THROTTLED,     /* throttled now, or between the last two looks */
};
/** "ok", "cannot-tell", "was-throttled", "throttled"; NULL: no such verdict. */
const char *uncoremsr_verdict_word(enum uncoremsr_verdict verdict);

/** Causes of throttling, the worst first. The same numbers name the questions that may stay open. */
enum uncoremsr_cause_kind {
	UNCOREMSR_CAUSE_CRITICAL_TEMPERATURE,
	UNCOREMSR_CAUSE_PROCHOT_EXTERNAL,
	UNCOREMSR_CAUSE_CORE_THERMAL, /* the core's own temperature sensor */
	UNCOREMSR_CAUSE_PACKAGE_THERMAL,
	UNCOREMSR_CAUSE_VR_THERMAL,
	UNCOREMSR_CAUSE_DIMM_THERMAL,
	UNCOREMSR_CAUSE_FIRMWARE,
	UNCOREMSR_CAUSE_CLOCK_MODULATION,
	UNCOREMSR_CAUSE_POWER_LIMIT,
	UNCOREMSR_CAUSE_CURRENT_LIMIT,
	UNCOREMSR_CAUSE_CROSS_DOMAIN,
	UNCOREMSR_CAUSE_SMI,
	UNCOREMSR_CAUSE_OTHER,
	/* These numbers name questions only, not causes: */
	UNCOREMSR_CAUSE_REGISTERS,    /* which throttling registers the processor has */
	UNCOREMSR_CAUSE_ANY,          /* whether the package or core is throttled at all */
};
/** "core-thermal", "package-thermal", "critical-temperature", "prochot-external", "power-limit",
 * "current-limit", "vr-thermal", "cross-domain", "dimm-thermal", "clock-modulation", "smi",
 * "firmware", "other", and words for the values that are only questions; NULL: no such cause. */
const char *uncoremsr_cause_word(enum uncoremsr_cause_kind cause);

/** Make a watcher of an open machine. Accesses no register. A machine may have several watchers.
 * @return 0; -ENOMEM; -EINVAL @p um is NULL or not open, or @p t is NULL. */
int uncoremsr_throttle_new(struct uncoremsr *um, struct uncoremsr_throttle **t);
/** Release counters and devices of a watcher and free it. Call this before the handle is freed.
 * @return 0, also for NULL; or the first error of restoring registers, as uncoremsr_session_stop(): the log
 *   has a warning for each register that stays changed. The watcher is freed in any case. */
int uncoremsr_throttle_free(struct uncoremsr_throttle *t);

/** Options of a watcher; the default is 0. Set them before the first look. */
enum uncoremsr_throttle_option {
	/* Read only the kernel's files (counts of thermal interrupts, sensors, frequency limits): no
	 * register is read and no device opened, even with UNCOREMSR_THROTTLE_COUNTING. */
	UNCOREMSR_THROTTLE_KERNEL_ONLY,
	/*
	 * From the first look on, also count the uncore's throttling events if this processor has them
	 * (Westmere), on free counters, through a session of the watcher's own. Without this option no
	 * counter is programmed. The events cover only four cores of a package, so the status registers of all cores
	 * are read, too. If counters are missing, fewer events are counted.
	 */
	UNCOREMSR_THROTTLE_COUNTING,
	/* Causes to ignore: bit n stands for cause n of enum uncoremsr_cause_kind. They are not reported. The verdict
	 * does not change if something about them cannot be read. */
	UNCOREMSR_THROTTLE_WITHOUT,
};
/** Set an option of a watcher. @return 0; -EINVAL no such option, no such cause, or @p t is NULL; -EBUSY after the
 * first look. */
int uncoremsr_throttle_set(struct uncoremsr_throttle *t, enum uncoremsr_throttle_option option,
			   int value);
/**
 * Read everything that shows throttling, once per core and once per package or die, and judge it. Shares of
 * time, effective frequency and counts cover the time since the previous look; the first look has none.
 * Writes nothing (except with UNCOREMSR_THROTTLE_COUNTING). The subjects are the packages and cores that
 * are online now; they may change from look to look. Which registers exist and what their bits mean depends on the
 * model and CPUID leaves 1 and 6 (Intel SDM volumes 3B and 4; Linux drivers/thermal/intel/therm_throt.c).
 * @return 0 if at least one question has an answer; or
 *   -EINVAL  @p t is NULL
 *   -ENODATA no answer at all; uncoremsr_error() says why: a virtual machine, or a processor that is not
 *            in the tables and for which the kernel has no counts (class UNSUPPORTED); or no CPU is online
 *   -EACCES, -EPERM, -ENOENT, -ENODEV, -ENXIO no access to the registers, and sysfs shows nothing either
 *            (class ACCESS)
 *   -EMFILE, -ENFILE the list of online CPUs cannot be opened; -ENOMEM
 * Everything that could be read is available in any case.
 */
int uncoremsr_throttle_look(struct uncoremsr_throttle *t);

/** The machine as a whole. */
struct uncoremsr_throttle_state {
	size_t size;
	uint64_t time;       /* time of the last look: ns on the clock of uncoremsr_now() */
	uint64_t interval;   /* ns from the previous look to the last one; 0 after the first look */
	uint64_t cleared_at; /* Unix time (s) of the last uncoremsr_throttle_clear() */
	int events;          /* 1: uncore events are counted */
	enum uncoremsr_verdict verdict; /* verdict of the last look */
	/* Class of the reason for missing answers: _ACCESS if access is missing, else _UNSUPPORTED; _NONE if no answer
	 * is missing, or there was no look yet. */
	enum uncoremsr_error_class lacks;
};
/**
 * @return the state of the machine as a whole, valid as long as the watcher. Each look and uncoremsr_throttle_clear()
 *   change its contents. NULL without a watcher.
 */
const struct uncoremsr_throttle_state *uncoremsr_throttle_state(const struct uncoremsr_throttle *t);

/** What a report of uncoremsr_throttle_clear() says. */
enum uncoremsr_clear_result {
	UNCOREMSR_CLEAR_DONE,          /* the cleared bits were set before and are 0 now */
	UNCOREMSR_CLEAR_SET_AGAIN,     /* the bits were cleared, but hardware set some of them again at once */
	UNCOREMSR_CLEAR_KERNEL_COUNTS, /* not about a register: value is the number of the kernel's counts that are not
				        * 0, which cannot be reset */
};
struct uncoremsr_clear_report {
	enum uncoremsr_clear_result result;
	unsigned cpu;              /* CPU through which the register was written */
	uint32_t msr;
	const char *name;          /* "IA32_THERM_STATUS"; NULL: no register */
	uint64_t value;            /* contents before the write */
	uint64_t cleared;          /* the cleared bits */
	const char *bits;          /* names of these bits, separated by blanks */
};
/**
 * Reset the sticky log bits that are set and show a cause, by writing 0 to them. All other log bits are written as 1,
 * which does not change them. This cannot be undone, and other tools notice it. Log bits of thresholds (used by the
 * kernel) and of ordinary turbo operation stay. The kernel's counts cannot be reset; instead, later looks judge only
 * their growth from now on. The counts and the time are saved in ROOT/run/uncoremsr/throttle-cleared until the next
 * boot, even if no bit was set.
 * @param fn is called with a report for each written register, and with one more if a count of the kernel
 *   is not 0. A report is valid during the call. NULL: nothing is reported.
 * @return number of written registers; or, after all registers were tried, the first failure:
 *   -EINVAL  @p t is NULL, or UNCOREMSR_THROTTLE_KERNEL_ONLY is on (class USAGE)
 *   -ENOTSUP no such register on this processor, or a virtual machine (class UNSUPPORTED)
 *   -EACCES, -EPERM, -ENOENT, -ENODEV, -ENXIO, -EIO: no access to the registers (class ACCESS)
 *   other errors: bits were cleared, but the file could not be written (class ACCESS or UNSUPPORTED)
 *   -ENOMEM
 */
int uncoremsr_throttle_clear(struct uncoremsr_throttle *t,
			     void (*fn)(void *user, const struct uncoremsr_clear_report *report),
			     void *user);

/** Source of a piece of evidence. */
enum uncoremsr_evidence_kind {
	UNCOREMSR_EVIDENCE_REGISTER, /* a register; the value is its contents */
	UNCOREMSR_EVIDENCE_FILE,     /* a file; the value is the number in it */
	UNCOREMSR_EVIDENCE_EVENT,    /* a counted event; the value is its count since the previous look */
};
/** What a piece of evidence says. AMOUNT and OF stand for its members amount and of. */
enum uncoremsr_finding {
	UNCOREMSR_FINDING_BITS,         /* the bits in "mask" are set */
	UNCOREMSR_FINDING_DUTY,         /* the clock runs AMOUNT millionths of the time */
	UNCOREMSR_FINDING_GUARANTEED,   /* the guaranteed performance level is AMOUNT; at the first look it was OF */
	UNCOREMSR_FINDING_PSTATE,       /* the fastest allowed P-state is number AMOUNT; the numbers go from 0 to OF */
	UNCOREMSR_FINDING_LOST_TIME,    /* AMOUNT ns lost since the previous look */
	UNCOREMSR_FINDING_LOST_UNITS,   /* AMOUNT lost since the previous look, in an unknown unit of time */
	UNCOREMSR_FINDING_POWER_LIMITS, /* PL1 is AMOUNT, PL2 is OF, in microwatts; mask has the enable bits
					 * that are set (bit 15, bit 47) */
	UNCOREMSR_FINDING_INTERRUPTS,   /* AMOUNT interrupts since the previous look */
	UNCOREMSR_FINDING_FREQUENCY,    /* the average frequency since the previous look is AMOUNT Hz; the base
					 * frequency is OF Hz */
	UNCOREMSR_FINDING_RATIO,        /* the frequency ratio is AMOUNT; OF was requested */
	UNCOREMSR_FINDING_TIMES,        /* the kernel counted the cause AMOUNT times since the previous look */
	UNCOREMSR_FINDING_MILLISECONDS, /* the value is the total time of the cause in ms, as the kernel counted it */
	UNCOREMSR_FINDING_KHZ,          /* the value is a frequency limit in kHz; the processor can reach OF kHz */
	UNCOREMSR_FINDING_FLAG,         /* a flag is set */
	UNCOREMSR_FINDING_ASSERTIONS,   /* the value is the number of times that a signal was asserted */
	UNCOREMSR_FINDING_CYCLES,       /* the cause held in AMOUNT of OF uncore cycles */
};
/** A piece of evidence. */
struct uncoremsr_evidence {
	size_t size;
	enum uncoremsr_evidence_kind kind;
	enum uncoremsr_finding finding;
	const char *name;   /* "IA32_THERM_STATUS", "/sys/...", "UNC_DRAM_THERMAL_THROTTLED" */
	uint64_t msr;       /* address of the register */
	uint64_t value;
	uint64_t mask;      /* the relevant bits of the register */
	const char *bits;   /* names of the bits, from the manuals ("THERMAL_LOG PROCHOT_LOG") or from the kernel */
	const char *detail; /* detail of the cause: "PL1", "core 0" */
	uint64_t amount, of;
	int core;           /* core_id of the core, if a package inherited the cause from its cores */
};

/** When a cause held. */
enum uncoremsr_phase {
	UNCOREMSR_PHASE_LOGGED,  /* at some time in the past, as a sticky bit or a count shows */
	UNCOREMSR_PHASE_BETWEEN, /* at some time between the last two looks */
	UNCOREMSR_PHASE_NOW,
};
/** Beginning of the time that a log bit or count covers. */
enum uncoremsr_since {
	UNCOREMSR_SINCE_KERNEL_START, /* when the kernel began to count */
	UNCOREMSR_SINCE_LOG_CLEARED,  /* when any program last cleared the log */
	UNCOREMSR_SINCE_OUR_CLEAR,    /* when any program last cleared the log, which was at cleared_at of the state or
				       * later */
};
/** One cause of throttling. */
struct uncoremsr_cause {
	size_t size;
	enum uncoremsr_cause_kind kind;
	enum uncoremsr_phase phase; /* the latest time at which the cause held */
	int logged;                 /* 1: a sticky bit or a count shows that the cause held at some time */
	enum uncoremsr_since since; /* beginning of the time that the log covers */
	int decides;                /* 1: this cause determines the verdict; 0: evidence only, because it occurs in
				     * normal operation (a power or current limit that is only logged, a few SMIs) */
	int inherited;              /* if a package inherited the cause: number of cores that have it, each with one
				     * piece of evidence; -1: the package itself has it */
	int die;                    /* die_id of the die that has the cause, if each die of the package has its own
				     * register; the package then lists the causes of all its dies */
	double share;               /* share of the time between the last two looks in which the cause held, 0 to 1 */
	uint64_t count;             /* events that the kernel counted since the log was cleared; never 0 */
	uint64_t total;             /* events that the kernel counted since it began to count; never 0 */
	const struct uncoremsr_evidence *const *evidence;
};

/**
 * A policy: a limit that was set by a user, a daemon, the operating system or the BIOS. It does not change
 * the verdict. Governors and energy preferences do not count as policies.
 */
enum uncoremsr_policy_kind {
	UNCOREMSR_POLICY_MAX_FREQUENCY,   /* at most VALUE kHz; the processor can reach OF kHz */
	UNCOREMSR_POLICY_MAX_PERFORMANCE, /* at most VALUE percent; OF percent without the limit */
	UNCOREMSR_POLICY_NO_TURBO,        /* turbo (boost) is off */
	UNCOREMSR_POLICY_POWER_LIMIT,     /* RAPL limit of VALUE microwatts; OF is the design power */
};
/** Scope of a policy. Packages and cores also list policies of the machine. Cores also list policies of their
 * package. A package also lists policies of its cores; equal policies of several cores are listed once. */
enum uncoremsr_policy_scope {
	UNCOREMSR_POLICY_OF_MACHINE, UNCOREMSR_POLICY_OF_PACKAGE, UNCOREMSR_POLICY_OF_CORE,
};
struct uncoremsr_policy {
	size_t size;
	enum uncoremsr_policy_kind kind;
	const char *word; /* "scaling_max_freq", "max_perf_pct", "no_turbo", "rapl_power_limit" */
	enum uncoremsr_policy_scope scope;
	int cores;        /* if a package lists a policy of its cores: number of cores that have the policy */
	uint64_t value;   /* the limit, as read from the file */
	uint64_t of;      /* the value without the limit, in the same unit */
	const char *file; /* file with the limit ("/sys/..."); for a policy of several cores, the first core's file */
	const char *name; /* for a power limit: the kernel's name of the limited domain ("package-0") */
};

/** What a missing answer to a question means. */
enum uncoremsr_question_state {
	UNCOREMSR_QUESTION_OPEN,        /* this machine could answer the question; while it is open, the verdict is not
					 * "ok" */
	UNCOREMSR_QUESTION_NEEDS_COUNTING, /* only counters can answer the question, and UNCOREMSR_THROTTLE_COUNTING
					    * is off */
	UNCOREMSR_QUESTION_NOT_VISIBLE, /* nothing on this processor can answer the question, for the package or its
					 * cores */
	UNCOREMSR_QUESTION_NOT_ASKED,   /* ignored because of UNCOREMSR_THROTTLE_WITHOUT */
};
/** Why a question has no answer. */
enum uncoremsr_reason {
	/* UNCOREMSR_QUESTION_NOT_VISIBLE: */
	UNCOREMSR_REASON_NO_CORE_STATUS,      /* CPUID leaf 1 EDX bit 22 is 0 */
	UNCOREMSR_REASON_NO_FORCED_BITS,      /* register 0x19c has no bits 2 and 3 */
	UNCOREMSR_REASON_NO_POWER_REGISTERS,  /* CPUID leaf 6 EAX bit 4 is 0, and no register of limits or
					       * times exists */
	UNCOREMSR_REASON_NO_CLOCK_MODULATION, /* no register for clock modulation */
	UNCOREMSR_REASON_NO_PACKAGE_STATUS,   /* CPUID leaf 6 EAX bit 6 is 0 */
	UNCOREMSR_REASON_NO_REGISTER,         /* no register shows the cause */
	UNCOREMSR_REASON_NO_MEMORY_REGISTER,  /* no register shows the cause, but counters of the memory controller
					       * may */
	UNCOREMSR_REASON_NO_EVENT,            /* neither a register nor an event of this model shows the cause */
	UNCOREMSR_REASON_TPMI_ONLY,           /* no register shows the cause, but the driver intel_plr_tpmi does */
	UNCOREMSR_REASON_PROCHOT_IGNORED,     /* bit 0 of the register is 0: the processor ignores
					       * PROCHOT# */
	UNCOREMSR_REASON_AMD_SMN_ONLY,        /* AMD: only SMN register 0x59804 shows the cause */
	UNCOREMSR_REASON_AMD_PSTATE_ONLY,     /* AMD: no register shows the cause, but a P-state limit may be due to
					       * it */
	UNCOREMSR_REASON_AMD_NO_REGISTER,     /* AMD: no register shows the cause */
	UNCOREMSR_REASON_AMD_CPPC,            /* AMD: hardware chooses the frequency itself (CPPC), so a low frequency
					       * may be its choice */
	/* UNCOREMSR_QUESTION_NEEDS_COUNTING, UNCOREMSR_QUESTION_NOT_ASKED: */
	UNCOREMSR_REASON_NEEDS_COUNTING,
	UNCOREMSR_REASON_LEFT_OUT,
	/* UNCOREMSR_QUESTION_OPEN, for the whole machine: */
	UNCOREMSR_REASON_GUEST,            /* the hypervisor owns the registers */
	UNCOREMSR_REASON_NO_TABLE,         /* no register of this processor is known */
	UNCOREMSR_REASON_NO_CPUID,         /* the processor cannot be identified */
	UNCOREMSR_REASON_NOTHING_VISIBLE,  /* no register and no file of the kernel shows any requested cause */
	/* UNCOREMSR_QUESTION_OPEN, for one question: */
	UNCOREMSR_REASON_KERNEL_ONLY,      /* UNCOREMSR_THROTTLE_KERNEL_ONLY is on */
	UNCOREMSR_REASON_NO_ACCESS,        /* the register device cannot be opened: see err and error */
	UNCOREMSR_REASON_NO_HSMP,          /* the driver for AMD's mailbox is not loaded; name is its device file */
	UNCOREMSR_REASON_FILE_FAILED,      /* the file "name" could not be read */
	UNCOREMSR_REASON_READ_FAILED,      /* the register could not be read: see err */
	UNCOREMSR_REASON_ALL_ONES,         /* the register reads as all ones, which is no valid value */
	UNCOREMSR_REASON_ALL_ZEROS,        /* the register reads as 0; a hypervisor may emulate it */
	UNCOREMSR_REASON_STANDS_STILL,     /* the register should count clocks, but does not change */
	UNCOREMSR_REASON_AMD_NO_BASE,      /* AMD: the register of P-state 0 has no frequency */
	UNCOREMSR_REASON_CPU_OFFLINE,      /* the CPU went offline during the look */
	UNCOREMSR_REASON_NOT_YET_COUNTED,  /* counting has only begun; the next look may have an answer */
	UNCOREMSR_REASON_NO_COUNTERS,      /* the events cannot be counted: see error */
	UNCOREMSR_REASON_PACKAGE_NOT_COUNTED, /* the events cannot be counted on this package: see error */
	UNCOREMSR_REASON_EVENT_NOT_COUNTED,   /* one event was not counted: see name, error and since */
	UNCOREMSR_REASON_EVENT_DISTURBED,  /* another program changed the counter of an event: see name, error and
					    * since */
	UNCOREMSR_REASON_SUSPENDED,        /* the machine was suspended, and only the growth of the register
					    * is meaningful */
	UNCOREMSR_REASON_NOT_READ_BEFORE,  /* only the growth of the register is meaningful, and the
					    * previous look could not read it */
	UNCOREMSR_REASON_SENSOR_UNPLACED,  /* name is the directory of a sensor whose package is unknown */
};
/** A question without an answer. */
struct uncoremsr_question {
	size_t size;
	enum uncoremsr_cause_kind cause; /* the cause that the question is about */
	enum uncoremsr_reason reason;
	enum uncoremsr_question_state state;
	int access;        /* 1: no answer because access is missing (driver, permission, lockdown) */
	int err;           /* errno, positive */
	uint64_t msr;      /* address of the register in question */
	uint64_t since;    /* time of the last look that gave an answer, ns on the clock of uncoremsr_now(); UINT64_MAX:
			    * no look gave one */
	const char *name;  /* name of the register, event or file in question */
	const char *error; /* error message, as from uncoremsr_error() */
	const char *hint;  /* advice, as from uncoremsr_error() */
};

/** One package or one core, and the verdict on it. */
struct uncoremsr_subject {
	size_t size;
	int package;           /* physical_package_id */
	int core;              /* core_id; -1: this is a package */
	int cpu;               /* CPU through which the subject was read: the subject's lowest online CPU */
	enum uncoremsr_verdict verdict;
	int inherited;         /* 1: a package without a status register of its own: it has the verdict and the causes
				* of its cores */
	int cores;             /* of a package: number of its cores */
	int below_limit;       /* whole degrees C below the limit */
	double temperature;    /* degrees C; unknown: no reading, or the limit is unknown */
	uint64_t frequency;    /* average Hz while not halted since the previous look: APERF/MPERF times the base
				* frequency */
	uint64_t before_clear; /* the kernel's count of thermal interrupts before the log was cleared; known only if the
				* kernel has counted none since */
	unsigned could_show;   /* causes that this machine can show: bit n stands for cause n of enum
				* uncoremsr_cause_kind. Nothing is known about other causes, nor about open
				* questions. */
	/* Causes, the worst first: those that decide the verdict come before others; then current causes before past
	 * ones. */
	const struct uncoremsr_cause *const *causes;
	const struct uncoremsr_policy *const *policies;
	/* Questions without an answer, open ones first. Questions in other states are listed only for the package; they
	 * cover its cores, too. */
	const struct uncoremsr_question *const *questions;
};
/** Packages and cores, each package followed by its cores; NULL past the end. */
const struct uncoremsr_subject *
uncoremsr_throttle_subject(const struct uncoremsr_throttle *t, size_t index);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif

#endif
