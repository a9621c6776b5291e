/* SPDX-License-Identifier: LGPL-2.1-or-later */
/**
 * @file uncoremsr/throttle.h
 * Is this machine being slowed down, by what, since when? The answer is data: a verdict for each
 * package and core (subject), its causes, the evidence for each cause, and the questions that have
 * no answer here, each with a reason. Words for people are the caller's.
 *
 * Rules about errors, threads and ownership: uncoremsr.h. Every function accepts NULL and a watcher
 * that has not looked yet. Functions named _number return 0, or -ENODATA (unknown, does not apply,
 * past the end, NULL) and leave *v alone; functions named _text return NULL then.
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

struct uncoremsr_throttle;         /* looks at whether a machine is being slowed down */
struct uncoremsr_subject; /* one package or one core, and the verdict on it */
struct uncoremsr_cause;   /* one reason why it is or was slowed down */

/**
 * Is a package or core being slowed down? The worse has the greater number: the verdict on several of
 * them is the greatest.
 */
enum uncoremsr_verdict {
	UNCOREMSR_VERDICT_OK,            /* every question that this look can answer here has the answer no */
	UNCOREMSR_VERDICT_UNKNOWN,       /* one of these has no answer, or there is none to ask */
	UNCOREMSR_VERDICT_WAS_THROTTLED, /* logged, but not so now; a question may be open all the same */
	UNCOREMSR_VERDICT_THROTTLED,     /* now, or between the last two looks */
};
/** "ok", "cannot-tell", "was-throttled", "throttled"; NULL: no such verdict. */
const char *uncoremsr_verdict_word(enum uncoremsr_verdict verdict);

/** What slows it down, the worst first; the same numbers are the questions that can stay open. */
enum uncoremsr_cause_kind {
	UNCOREMSR_CAUSE_CRITICAL_TEMPERATURE,
	UNCOREMSR_CAUSE_PROCHOT_EXTERNAL,
	UNCOREMSR_CAUSE_CORE_THERMAL, /* its own sensor */
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
	/* Questions only: */
	UNCOREMSR_CAUSE_REGISTERS,    /* which registers there are */
	UNCOREMSR_CAUSE_ANY,          /* is it slowed down at all */
};
/** "core-thermal", "package-thermal", "critical-temperature", "prochot-external", "power-limit",
 * "current-limit", "vr-thermal", "cross-domain", "dimm-thermal", "clock-modulation", "smi",
 * "firmware", "other", and words for what are questions only; NULL: no such cause. */
const char *uncoremsr_cause_word(enum uncoremsr_cause_kind cause);

/** Make a watcher of an open machine. Touches no register. Several may watch one machine.
 * @return 0; -ENOMEM; -EINVAL @um is NULL or not open, or @t is NULL. */
int uncoremsr_throttle_new(struct uncoremsr *um, struct uncoremsr_throttle **t);
/** Give back what it holds (counters, devices) and free it, before the handle.
 * @return 0, also for NULL; or the first error of putting registers back, as uncoremsr_session_stop(): what
 *   stays changed is a warning in the log, each register by name. Freed in any case. */
int uncoremsr_throttle_free(struct uncoremsr_throttle *t);

/** All 0 at first; to be set before the first look. */
enum uncoremsr_throttle_option {
	/* Read only the kernel's files (counts of thermal interrupts, sensors, frequency limits):
	 * no register is read and no device opened, whatever the next option says. */
	UNCOREMSR_THROTTLE_KERNEL_ONLY,
	/*
	 * From the first look on, also count the uncore's throttling events where this processor has
	 * them (Westmere), on free counters, through a session of the watcher's own. Without this
	 * nothing is ever programmed. They name four cores of a package; the status registers of all
	 * cores are read as well. Where fewer counters are free, fewer events are counted.
	 */
	UNCOREMSR_THROTTLE_COUNTING,
	/* Causes that are not asked for, as bits of enum uncoremsr_cause_kind: whether they hold is not
	 * said, and that something could not be read of them makes no verdict. */
	UNCOREMSR_THROTTLE_WITHOUT,
};
/** @return 0; -EINVAL no such option, no such cause, or NULL; -EBUSY it has looked already. */
int uncoremsr_throttle_set(struct uncoremsr_throttle *t, enum uncoremsr_throttle_option option,
			   int value);
/**
 * Look: read everything that shows throttling, once per core and once per package or die, and judge. Shares of
 * time, effective frequency and counts are those since the previous look; the first one has none.
 * Writes nothing (but see UNCOREMSR_THROTTLE_COUNTING). Packages and cores are those that are
 * online now: they may come and go between two looks, and pointers to them and into them are good
 * until the next look. Which registers exist and what their bits mean follows from the model and
 * CPUID leaves 1 and 6 (Intel SDM volumes 3B and 4; Linux drivers/thermal/intel/therm_throt.c).
 * @return 0 when some question has an answer; or
 *   -EINVAL  NULL
 *   -ENODATA no answer at all, errmsg says why: a virtual machine, a processor in no table without
 *            counts of the kernel (class UNSUPPORTED); or there is no online CPU
 *   -EACCES, -EPERM, -ENOENT, -ENODEV, -ENXIO no access to the registers, and sysfs has
 *            no answer either (class ACCESS)
 *   -ENOMEM
 * Whatever could be read is there in any case.
 */
int uncoremsr_throttle_look(struct uncoremsr_throttle *t);

enum uncoremsr_throttle_property {
	UNCOREMSR_THROTTLE_TIME,       /* ns, clock of uncoremsr_now(): when the last look was made */
	UNCOREMSR_THROTTLE_INTERVAL,   /* ns since the look before; 0: there was none */
	UNCOREMSR_THROTTLE_CLEARED_AT, /* Unix time (s) of the last uncoremsr_throttle_clear() */
	UNCOREMSR_THROTTLE_EVENTS,     /* 1: events of the uncore are counted, in cycles */
	UNCOREMSR_THROTTLE_VERDICT,    /* enum uncoremsr_verdict on the whole machine at the last look */
	UNCOREMSR_THROTTLE_LACKS,      /* enum uncoremsr_error_class: a question has no answer, _ACCESS for
					* want of access, else _UNSUPPORTED; none: each has one */
};
int uncoremsr_throttle_number(const struct uncoremsr_throttle *t,
			      enum uncoremsr_throttle_property property, uint64_t *v);

/** What uncoremsr_throttle_clear() has to say, each about one register or once. */
enum uncoremsr_clear_result {
	UNCOREMSR_CLEAR_DONE,          /* the bits @cleared were set and are clear now */
	UNCOREMSR_CLEAR_SET_AGAIN,     /* the same, but some of them were set again at once */
	UNCOREMSR_CLEAR_KERNEL_COUNTS, /* @value counts of the kernel are not 0 and stay; no register */
};
struct uncoremsr_clear_report {
	enum uncoremsr_clear_result result;
	unsigned cpu;              /* through which it was written */
	uint32_t msr;
	const char *name;          /* "IA32_THERM_STATUS"; NULL: no register */
	uint64_t value;            /* before it was written */
	uint64_t cleared;          /* bits */
	const char *bits;          /* their names, with blanks between them */
};
/**
 * Reset the sticky log bits that are set and speak for a cause: they are written as 0, all other log
 * bits as 1, which leaves them as they are. Cannot be undone; other tools see it. The log bits of
 * thresholds (the kernel's) and of ordinary turbo operation stay. The kernel's counts cannot be
 * reset: what they are now makes no verdict any more, what they grow by does. These and the time are
 * kept in ROOT/run/uncoremsr/throttle-cleared until the next boot, also when no bit was set.
 * @param fn gets a report of each register that was written, and one when a count of the kernel is
 *   not 0; the report is valid during the call. NULL: nothing is reported.
 * @return how many registers were written; or the first failure, after the others were tried:
 *   -EINVAL  NULL, or kernel only (class USAGE)
 *   -ENOTSUP no such register on this processor, or a virtual machine (class UNSUPPORTED)
 *   -EACCES, -EPERM, -ENOENT, -ENODEV, -ENXIO, -EIO: no access to the registers (class ACCESS)
 *   other: cleared, but the file could not be written (class ACCESS or UNSUPPORTED)
 *   -ENOMEM
 */
int uncoremsr_throttle_clear(struct uncoremsr_throttle *t,
			     void (*fn)(void *user, const struct uncoremsr_clear_report *report),
			     void *user);

/** Packages and cores, each package followed by its cores; NULL past the end. */
const struct uncoremsr_subject *
uncoremsr_throttle_subject(const struct uncoremsr_throttle *t, size_t index);

enum uncoremsr_subject_property {
	UNCOREMSR_SUBJECT_PACKAGE,     /* physical_package_id */
	UNCOREMSR_SUBJECT_CORE,        /* core_id; none: this is a package */
	UNCOREMSR_SUBJECT_CPU,         /* that was asked: the lowest online one */
	UNCOREMSR_SUBJECT_VERDICT,     /* enum uncoremsr_verdict */
	UNCOREMSR_SUBJECT_INHERITED,   /* 1: a package without a status of its own, which has the
					* verdict and the causes of its cores */
	UNCOREMSR_SUBJECT_CORES,       /* of a package: how many */
	UNCOREMSR_SUBJECT_BELOW_LIMIT, /* whole degrees C below the limit */
	UNCOREMSR_SUBJECT_TEMPERATURE, /* degrees C, an int64_t: may be negative; none: no reading, or
					* the limit is unknown */
	UNCOREMSR_SUBJECT_FREQUENCY,   /* Hz while not halted since the previous look: APERF over
					* MPERF times the base frequency */
	UNCOREMSR_SUBJECT_BEFORE_CLEAR, /* times that the kernel counted before the log was cleared,
					 * where it has counted none since */
	UNCOREMSR_SUBJECT_COULD_SHOW,  /* causes that something here would have shown: for each enum
					* uncoremsr_cause_kind its bit. Whether one of the others holds,
					* or one that is an open question, is not known. */
};
int uncoremsr_subject_number(const struct uncoremsr_subject *s,
			     enum uncoremsr_subject_property property, uint64_t *v);

/** The worst first: those that decide, of these those that hold now; NULL past the end. */
const struct uncoremsr_cause *
uncoremsr_subject_cause(const struct uncoremsr_subject *s, size_t index);

/** When it held. */
enum uncoremsr_phase {
	UNCOREMSR_PHASE_LOGGED,  /* at some time: a sticky bit or a count shows it */
	UNCOREMSR_PHASE_BETWEEN, /* at some time between the last two looks */
	UNCOREMSR_PHASE_NOW,
};
/** Since when a log or count speaks. */
enum uncoremsr_since {
	UNCOREMSR_SINCE_KERNEL_START, /* since the kernel began to count */
	UNCOREMSR_SINCE_LOG_CLEARED,  /* since the log was last cleared, by any program */
	UNCOREMSR_SINCE_OUR_CLEAR,    /* the same; UNCOREMSR_THROTTLE_CLEARED_AT is the earliest time */
};
enum uncoremsr_cause_property {
	UNCOREMSR_CAUSE_KIND,      /* enum uncoremsr_cause_kind */
	UNCOREMSR_CAUSE_PHASE,     /* enum uncoremsr_phase, the latest */
	UNCOREMSR_CAUSE_LOGGED,    /* 1: a sticky bit or a count shows that it held at some time */
	UNCOREMSR_CAUSE_SINCE,     /* enum uncoremsr_since, of what is logged */
	UNCOREMSR_CAUSE_DECIDES,   /* 1: this alone makes a verdict; 0: normal operation, shown as
				    * evidence (a power or current limit that is only logged, a few
				    * SMIs) */
	UNCOREMSR_CAUSE_INHERITED, /* of a package: how many of its cores have it; none: it is its own.
				    * Its evidence has one piece of each of these cores. */
	UNCOREMSR_CAUSE_COUNT,     /* times that the kernel counted since the log was cleared */
	UNCOREMSR_CAUSE_TOTAL,     /* the same since it began to count */
	UNCOREMSR_CAUSE_DIE,       /* die_id, where the package has several and each a register of its
				    * own: then there is a cause of the same kind for each die */
};
int uncoremsr_cause_number(const struct uncoremsr_cause *c,
			   enum uncoremsr_cause_property property, uint64_t *v);
/** Share of the time between the last two looks, 0 to 1. @return 0; -ENODATA. */
int uncoremsr_cause_share(const struct uncoremsr_cause *c, double *share);

/** Where a piece of evidence was read. */
enum uncoremsr_evidence_kind {
	UNCOREMSR_EVIDENCE_REGISTER, /* value: its contents */
	UNCOREMSR_EVIDENCE_FILE,     /* value: the number in it */
	UNCOREMSR_EVIDENCE_EVENT,    /* value: what it counted since the previous look */
};
/** What it says; UNCOREMSR_EVIDENCE_AMOUNT and _OF have the numbers. */
enum uncoremsr_finding {
	UNCOREMSR_FINDING_BITS,         /* the bits are set */
	UNCOREMSR_FINDING_DUTY,         /* the clock runs AMOUNT of 10^6 of the time */
	UNCOREMSR_FINDING_GUARANTEED,   /* guaranteed performance level AMOUNT, OF at the first look */
	UNCOREMSR_FINDING_PSTATE,       /* the fastest P-state allowed is AMOUNT of 0 to OF */
	UNCOREMSR_FINDING_LOST_TIME,    /* AMOUNT ns lost since the previous look */
	UNCOREMSR_FINDING_LOST_UNITS,   /* the same in a unit of time that cannot be read */
	UNCOREMSR_FINDING_POWER_LIMITS, /* PL1 is AMOUNT, PL2 is OF microwatts; the enable bits that are
					 * on are UNCOREMSR_EVIDENCE_MASK (bit 15, bit 47) */
	UNCOREMSR_FINDING_INTERRUPTS,   /* AMOUNT more since the previous look */
	UNCOREMSR_FINDING_FREQUENCY,    /* ran at AMOUNT Hz since the previous look; OF: the base */
	UNCOREMSR_FINDING_RATIO,        /* frequency ratio AMOUNT, OF was requested */
	UNCOREMSR_FINDING_TIMES,        /* counted by the kernel, AMOUNT since the previous look */
	UNCOREMSR_FINDING_MILLISECONDS, /* in all, says the kernel */
	UNCOREMSR_FINDING_KHZ,          /* a ceiling; the processor can do OF kHz */
	UNCOREMSR_FINDING_FLAG,         /* a flag is set */
	UNCOREMSR_FINDING_ASSERTIONS,   /* of a signal */
	UNCOREMSR_FINDING_CYCLES,       /* of the uncore; OF were counted in all */
};
enum uncoremsr_evidence_property {
	UNCOREMSR_EVIDENCE_KIND,    /* enum uncoremsr_evidence_kind */
	UNCOREMSR_EVIDENCE_FINDING, /* enum uncoremsr_finding */
	UNCOREMSR_EVIDENCE_MSR,     /* address of the register */
	UNCOREMSR_EVIDENCE_VALUE,
	UNCOREMSR_EVIDENCE_MASK,    /* the bits of a register that matter */
	UNCOREMSR_EVIDENCE_AMOUNT,
	UNCOREMSR_EVIDENCE_OF,
	UNCOREMSR_EVIDENCE_CORE,    /* of an inherited cause: core_id of the core that has it */
	/* Texts: */
	UNCOREMSR_EVIDENCE_NAME,    /* "IA32_THERM_STATUS", "/sys/...", "UNC_DRAM_THERMAL_THROTTLED" */
	UNCOREMSR_EVIDENCE_BITS,    /* names of the bits ("THERMAL_LOG PROCHOT_LOG"), or the kernel's */
	UNCOREMSR_EVIDENCE_DETAIL,  /* more exact than the cause: "PL1", "core 0" */
};
/** Evidence @index of a cause; both answer for the properties that are theirs. */
int uncoremsr_evidence_number(const struct uncoremsr_cause *c, size_t index,
			      enum uncoremsr_evidence_property property, uint64_t *v);
const char *uncoremsr_evidence_text(const struct uncoremsr_cause *c, size_t index,
				    enum uncoremsr_evidence_property property);

/**
 * A limit that software has set: a user, a daemon, the operating system or the BIOS. It makes no
 * verdict. Governors and energy preferences are none.
 */
enum uncoremsr_policy_kind {
	UNCOREMSR_POLICY_MAX_FREQUENCY,   /* VALUE kHz may be asked for; the processor can do OF */
	UNCOREMSR_POLICY_MAX_PERFORMANCE, /* VALUE percent of OF */
	UNCOREMSR_POLICY_NO_TURBO,        /* turbo (boost) is off */
	UNCOREMSR_POLICY_POWER_LIMIT,     /* of RAPL: VALUE microwatts; OF is the design power */
};
/** "scaling_max_freq", "max_perf_pct", "no_turbo", "rapl_power_limit"; NULL: no such kind. */
const char *uncoremsr_policy_word(enum uncoremsr_policy_kind kind);

/** What a policy is set for. Packages and cores also list those of the machine, cores those of their
 * package, and a package those of its cores, equal ones once. */
enum uncoremsr_policy_scope {
	UNCOREMSR_POLICY_OF_MACHINE, UNCOREMSR_POLICY_OF_PACKAGE, UNCOREMSR_POLICY_OF_CORE,
};
enum uncoremsr_policy_property {
	UNCOREMSR_POLICY_KIND,  /* enum uncoremsr_policy_kind */
	UNCOREMSR_POLICY_SCOPE, /* enum uncoremsr_policy_scope */
	UNCOREMSR_POLICY_VALUE, /* in the file */
	UNCOREMSR_POLICY_OF,    /* what it is without the limit, in the same unit */
	UNCOREMSR_POLICY_CORES, /* of a package that has it from its cores: how many */
	/* Texts: */
	UNCOREMSR_POLICY_FILE,  /* that says so, "/sys/..."; where several cores have it, that of the first */
	UNCOREMSR_POLICY_NAME,  /* of a power limit: the kernel's name of what it limits ("package-0") */
};
/** Policy @index; both answer for the properties that are theirs. */
int uncoremsr_policy_number(const struct uncoremsr_subject *s, size_t index,
			    enum uncoremsr_policy_property property, uint64_t *v);
const char *uncoremsr_policy_text(const struct uncoremsr_subject *s, size_t index,
				  enum uncoremsr_policy_property property);

/** What it means that a question has no answer. */
enum uncoremsr_question_state {
	UNCOREMSR_QUESTION_OPEN,        /* it could be answered here: without an answer there is no "ok" */
	UNCOREMSR_QUESTION_NEEDS_COUNTING, /* only counters show it, and this look uses none
					    * (UNCOREMSR_THROTTLE_COUNTING) */
	UNCOREMSR_QUESTION_NOT_VISIBLE, /* nothing on this processor shows it, here nor on its cores */
	UNCOREMSR_QUESTION_NOT_ASKED,   /* UNCOREMSR_THROTTLE_WITHOUT */
};
/** Why a question has no answer. */
enum uncoremsr_reason {
	/* UNCOREMSR_QUESTION_NOT_VISIBLE: */
	UNCOREMSR_REASON_NO_CORE_STATUS,      /* CPUID leaf 1 EDX bit 22 */
	UNCOREMSR_REASON_NO_FORCED_BITS,      /* bits 2 and 3 of 0x19c */
	UNCOREMSR_REASON_NO_POWER_REGISTERS,  /* CPUID leaf 6 EAX bit 4, and no register of limits or times */
	UNCOREMSR_REASON_NO_CLOCK_MODULATION, /* no such register */
	UNCOREMSR_REASON_NO_PACKAGE_STATUS,   /* CPUID leaf 6 EAX bit 6 */
	UNCOREMSR_REASON_NO_REGISTER,         /* no register shows it */
	UNCOREMSR_REASON_NO_MEMORY_REGISTER,  /* the same; counters of the memory controller may */
	UNCOREMSR_REASON_NO_EVENT,            /* nor an event of this model */
	UNCOREMSR_REASON_TPMI_ONLY,           /* no register; the driver intel_plr_tpmi would show it */
	UNCOREMSR_REASON_PROCHOT_IGNORED,     /* the register (bit 0) makes the processor deaf to PROCHOT# */
	UNCOREMSR_REASON_AMD_SMN_ONLY,        /* AMD: only SMN 0x59804 */
	UNCOREMSR_REASON_AMD_PSTATE_ONLY,     /* AMD: a P-state limit may have this reason */
	UNCOREMSR_REASON_AMD_NO_REGISTER,     /* AMD: nothing */
	UNCOREMSR_REASON_AMD_CPPC,            /* AMD: hardware chooses the clock itself */
	/* UNCOREMSR_QUESTION_NEEDS_COUNTING, UNCOREMSR_QUESTION_NOT_ASKED: */
	UNCOREMSR_REASON_NEEDS_COUNTING,
	UNCOREMSR_REASON_LEFT_OUT,
	/* UNCOREMSR_QUESTION_OPEN, for the whole machine: */
	UNCOREMSR_REASON_GUEST,            /* the registers are the hypervisor's */
	UNCOREMSR_REASON_NO_TABLE,         /* no register of this processor is known */
	UNCOREMSR_REASON_NO_CPUID,         /* which processor it is cannot be found out */
	UNCOREMSR_REASON_NOTHING_VISIBLE,  /* nothing here shows any cause */
	/* The same, for one question: */
	UNCOREMSR_REASON_KERNEL_ONLY,      /* UNCOREMSR_THROTTLE_KERNEL_ONLY is on */
	UNCOREMSR_REASON_NO_ACCESS,        /* the register device; ERRNO, ERROR */
	UNCOREMSR_REASON_NO_HSMP,          /* the driver that reads AMD's mailbox is not there; NAME is its file */
	UNCOREMSR_REASON_FILE_FAILED,      /* the file NAME has no answer */
	UNCOREMSR_REASON_READ_FAILED,      /* the register; ERRNO */
	UNCOREMSR_REASON_ALL_ONES,         /* the register reads so, which is no answer */
	UNCOREMSR_REASON_ALL_ZEROS,        /* the same; perhaps a hypervisor answers */
	UNCOREMSR_REASON_STANDS_STILL,     /* the register counts clocks, and does not move */
	UNCOREMSR_REASON_AMD_NO_BASE,      /* AMD: the register of P-state 0 holds no clock */
	UNCOREMSR_REASON_CPU_OFFLINE,      /* during the look */
	UNCOREMSR_REASON_NOT_YET_COUNTED,  /* the next look may have it */
	UNCOREMSR_REASON_NO_COUNTERS,      /* the events cannot be counted; ERROR */
	UNCOREMSR_REASON_PACKAGE_NOT_COUNTED, /* not on this package; ERROR */
	UNCOREMSR_REASON_EVENT_NOT_COUNTED,   /* one event was not; NAME, ERROR, SINCE */
	UNCOREMSR_REASON_EVENT_DISTURBED,  /* its counter was changed; NAME, ERROR, SINCE */
	UNCOREMSR_REASON_SUSPENDED,        /* the machine was, and the register tells by how much it grows */
	UNCOREMSR_REASON_NOT_READ_BEFORE,  /* such a register, which had no value at the look before */
	UNCOREMSR_REASON_SENSOR_UNPLACED,  /* NAME is the folder of a sensor that does not say whose it is */
};
enum uncoremsr_question_property {
	UNCOREMSR_QUESTION_CAUSE,  /* enum uncoremsr_cause_kind: what was asked */
	UNCOREMSR_QUESTION_REASON, /* enum uncoremsr_reason */
	UNCOREMSR_QUESTION_ERRNO,  /* positive */
	UNCOREMSR_QUESTION_MSR,    /* address of the register it is about */
	UNCOREMSR_QUESTION_SINCE,  /* ns, clock of uncoremsr_now(): the last look with an answer; none:
				    * there was none */
	UNCOREMSR_QUESTION_STATE,  /* enum uncoremsr_question_state */
	UNCOREMSR_QUESTION_ACCESS, /* 1: it has no answer for want of access (driver, permission, lockdown) */
	/* Texts: */
	UNCOREMSR_QUESTION_NAME,   /* of that register, event or file */
	UNCOREMSR_QUESTION_ERROR,  /* the error sentence of what failed, as uncoremsr_errmsg() gives it */
	UNCOREMSR_QUESTION_HINT,   /* and what to do next, as uncoremsr_hint() gives it */
};
/**
 * Question @index without an answer; both answer for the properties that are theirs. Those that are open come
 * first; the others are listed with their package, for it and its cores.
 */
int uncoremsr_question_number(const struct uncoremsr_subject *s, size_t index,
			      enum uncoremsr_question_property property, uint64_t *v);
const char *uncoremsr_question_text(const struct uncoremsr_subject *s, size_t index,
				    enum uncoremsr_question_property property);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif

#endif
