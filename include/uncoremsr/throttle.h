/* SPDX-License-Identifier: LGPL-2.1-or-later */
/**
 * @file uncoremsr/throttle.h
 * Is this machine being slowed down, by whom, since when?
 * Rules about errors, threads and ownership: uncoremsr.h.
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

struct uncoremsr_throttle;  /* looks at whether a machine is being slowed down */
struct uncoremsr_throttle_subject; /* one package or one core, and the verdict on it */
struct uncoremsr_throttle_cause;   /* one reason for which it is or was slowed down */

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

#ifdef __GNUC__
#pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif

#endif
