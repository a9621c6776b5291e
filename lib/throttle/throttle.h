/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Is this machine being slowed down? uncoremsr_throttle_look() calls look() (watcher.c), which reads all registers and
 * files that show throttling. The subjects are each core, each package, and each die of a package with several dies
 * (subjects.c). Each subject is judged separately (sources.c, judge*.c). What could not be determined becomes a
 * question (questions.c); an open question prevents the verdict "ok". Results are data (publish.c), from which the
 * caller writes sentences. Memory is allocated only when the list of online CPUs has changed since the previous look().
 */
#ifndef UM_THROTTLE_H
#define UM_THROTTLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"
#include "machine/handle.h"
#include "uarch/thermal.h"
#include "uncoremsr/throttle.h"

/* Values of a register, or of a kernel file with one number, from the last two calls of look(). */
struct um_gauge {
	uint64_t value, before;
	bool known, had;                  /* @value was read by the last look(), @before by the look() before it */
	/* For registers only: */
	const struct um_thermal_reg *row; /* NULL: the subject does not have the register */
	bool worked;                      /* a read has succeeded before, so read again even after an error */
	int err;                          /* negative errno of the last read; -ENODATA: not plausible */
	/* For files only: */
	char path[UM_CPU_PATH_SIZE];      /* "/sys/..."; "" if the file does not exist */
	int handle;                       /* from open_text() (access/access.h), or -1 */
	bool is_temperature;
	uint64_t read_in;                 /* the round of the last successful read; the file is read once per round */
	/* The kernel's count, which cannot be reset, when we last cleared the logs (cleared_file.c). */
	uint64_t base;
	bool based;
};

static inline const char *um_gauge_name(const struct um_gauge *r)
{
	return r->row ? r->row->reg.name : r->path;
}

/* The address of a register, or UINT64_MAX for a file. */
static inline uint64_t um_gauge_msr(const struct um_gauge *r)
{
	return r->row ? r->row->reg.msr : UINT64_MAX;
}

/* Increase of a count since the previous look(). If the count was reset (the CPU was offline), this is 0. */
static inline uint64_t um_grown(const struct um_gauge *r)
{
	return r->known && r->had && r->value > r->before ? r->value - r->before : 0;
}

/* Maximum number of hwmon devices of a package: one for each die. */
enum { UM_MAX_SENSORS = 4 };

/* The files that are read. Their numbers follow those of the registers (enum um_thermal_role). */
enum um_file {
	UM_FILE_CORE_COUNT = UM_NUM_ROLES,
	UM_FILE_CORE_TIME,
	UM_FILE_BIOS_LIMIT,
	UM_FILE_CEILING,
	UM_FILE_HIGHEST,
	UM_FILE_BOOST,
	UM_FILE_PACKAGE_COUNT,
	UM_FILE_PACKAGE_TIME,
	UM_FILE_HSMP_PROCHOT,
	UM_FILE_OCC_POWERCAP, /* UM_FILE_OCC_...: POWER's on-chip controller (OCC) */
	UM_FILE_OCC_OVERTEMP,
	UM_FILE_OCC_SUPPLY,
	UM_FILE_OCC_OVERCURRENT,
	UM_FILE_OCC_RESET,
	UM_FILE_TEMPERATURE,
	UM_FILE_CRIT_ALARM = UM_FILE_TEMPERATURE + UM_MAX_SENSORS,
	UM_NUM_SOURCES = UM_FILE_CRIT_ALARM + UM_MAX_SENSORS,
};

struct um_subject;

/* Properties of a source, which is a register with a certain role, or a file. They are the same for all subjects. */
struct um_source {
	/* Evaluate a source that has been read: add causes and evidence to the subject. May be NULL. */
	void (*judge)(struct um_subject *s, int source);
	enum uncoremsr_cause_kind cause;
	bool shows;          /* the source can show whether @cause holds */
	bool decides;        /* @cause changes the verdict even if only this source shows it */
	const char *detail;  /* a more specific name of the cause ("power cap"), or NULL */
	/* Only sources with the lowest value are asked about their cause; one answer is enough. 0: never asked. */
	enum { UM_ASKED_FIRST = 1, UM_ASKED_NEXT, UM_ASKED_RING, UM_ASKED_GRAPHICS } asked;
	/* For registers only: */
	bool constant;       /* set by the firmware at boot, so it is read only once, and after a suspend */
	bool grows;          /* a counter: only its increase between two calls of look() shows a cause */
	/* 0: only all ones are implausible. Else one of these bits is set, unless a hypervisor invented the value. */
	uint64_t nonzero;
	/* For files only: */
	/* The subjects that have the file. CHIP (POWER): a package and all its cores. 0: it belongs to a device. */
	enum um_file_of { UM_OF_CORE = 1, UM_OF_PACKAGE, UM_OF_CHIP } of;
	char name[48];       /* path below the folder of the subject's CPU; "" if the file belongs to a device */
	/*
	 * The file has the total time of the episodes that the previous source counts. The kernel increases the count
	 * first (drivers/thermal/intel/therm_throt.c), so the file is not read while the count is 0.
	 */
	bool is_time;
};

extern const struct um_source um_sources[UM_NUM_SOURCES];

/* Limits for one subject: enough for a package with several dies, which gets the causes and questions of each. */
enum { UM_MAX_CAUSES = 32, UM_MAX_EVIDENCE = 20, UM_MAX_QUESTIONS = 40, UM_BITS = 112 };
/* A clock of 100 GHz or more is a measurement error. */
#define UM_HZ_BEYOND_ANY 1e11
/* A number that is unknown or does not apply. */
#define UM_ABSENT UINT64_MAX

struct um_evidence {
	struct uncoremsr_evidence pub;
	enum uncoremsr_cause_kind cause;
	char bits[UM_BITS];
	char detail[64];     /* details of the cause ("core 0"), separated by commas */
};

enum { UM_MAX_POLICIES = 12 };

struct um_subject {
	struct uncoremsr_subject pub; /* set by look(), except the lists, which um_publish() sets */
	int package, core;   /* -1 for a package or die */
	int die;             /* id of the die if the package has several dies, else -1 */
	unsigned cpu;
	/* The subject's package, or for a core of a package with several dies the core's die; NULL for a package. */
	struct um_subject *of;
	size_t num;          /* number of a package's cores, which follow it in the list */
	size_t num_dies;     /* number of a package's dies; 0 if there is only one */
	bool fresh;          /* not yet judged by any look(), so there are no earlier values */
	unsigned gates;
	bool gates_for_all;  /* for a package: all its cores have the same @gates */
	struct um_gauge sources[UM_NUM_SOURCES];
	/* Performance limit reasons from TPMI (tpmi.c): a mask of causes, and the kernel's words. */
	struct um_gauge plr;
	char plr_words[UM_BITS];
	unsigned guaranteed; /* the first guaranteed HWP level that was read, or 0 */
	/* why registers cannot be read; class NONE if they can */
	struct um_error access;
	int open_err;        /* error of the last attempt to open the device */
	bool explained, explained_before; /* whether a cause explained a slow clock, now and at the previous look() */
	unsigned means;      /* causes that this processor can show for the subject, as bits */
	unsigned answered;   /* causes that the events counted by this look() can show, as bits */
	uint64_t told_ns[UM_NUM_CAUSES]; /* time of the last look() that had an answer about each cause, or UM_ABSENT */
	bool inherits;       /* a package or die without a status register: its verdict is that of its cores */
	bool read;
	bool lost;           /* the subject's CPU went offline during this look() */
	/* If one of these arrays is full, its last element is overwritten. */
	struct uncoremsr_cause causes[UM_MAX_CAUSES + 1];
	size_t num_causes;
	struct um_evidence evidence[UM_MAX_EVIDENCE + 1];
	size_t num_evidence;
	struct uncoremsr_question questions[UM_MAX_QUESTIONS + 1];
	size_t num_questions, num_open; /* open questions come first */
	uint64_t table_khz;  /* highest frequency in the cpufreq driver's table; 0 if there is no table */
	struct uncoremsr_policy policies[UM_MAX_POLICIES];
	size_t num_policies;
	/* Lists of pointers for callers. A NULL follows the evidence for each kind of cause. */
	const struct uncoremsr_cause *listed_causes[UM_MAX_CAUSES + 1];
	const struct uncoremsr_policy *listed_policies[UM_MAX_POLICIES + 1];
	const struct uncoremsr_question *listed_questions[UM_MAX_QUESTIONS + 1];
	const struct uncoremsr_evidence *listed_evidence[UM_MAX_EVIDENCE + UM_NUM_CAUSES];
	const struct uncoremsr_throttle *watcher;
};

/* Westmere's events about throttling (uncore_events.c). */
struct um_uncore_events {
	struct uncoremsr_session *session; /* NULL if the events are not counted */
	size_t num;
	unsigned clock;                    /* 1 if the first event of the session is the clock, else 0 */
	struct um_error error;             /* why the events are not counted; class NONE if there was no failure */
	bool read;                         /* the counters have been read since they were started */
};
struct um_limit;

/* Size of the largest text: a list of every second of 8192 CPUs, or one line per CPU of a die. */
enum { UM_LIST_SIZE = 65536 };

struct uncoremsr_throttle {
	struct uncoremsr_throttle_state state;
	struct uncoremsr *um;
	bool kernel_only, counting, looked;
	uint64_t round;                       /* incremented before all files are read again (see struct um_gauge) */
	unsigned without;                     /* causes that the user excluded, as bits */
	const struct um_thermal_model *model; /* NULL if the throttling registers of this processor are not known */
	double base_hz;                       /* 0: not known */
	unsigned flag_gates;                  /* UM_GATE_* bits from /proc/cpuinfo, for use if CPUID cannot be read */
	bool guest;                           /* a virtual machine, in which no registers are read */
	struct um_topology topo;
	struct um_topology by_die;            /* each die as a package; empty before um_read_dies() */
	char *list;                           /* buffer of UM_LIST_SIZE */
	/* The online CPUs when @subjects were listed. If NULL, @subjects must be listed again. */
	char *online;
	int online_file;
	struct um_cpuset opened;              /* CPUs with an open register device */
	bool device_opened;                   /* this look() has opened a device that could not be opened before */
	size_t retry;                         /* index of the subject at which retry_devices() continues */
	struct um_subject *subjects;   /* each package followed by its cores; then all dies */
	size_t num_subjects, num_listed;      /* num_listed does not include the dies */
	uint64_t slept_ns;
	bool suspended;                       /* the machine was suspended between the last two calls of look() */
	struct um_cleared_count *counts;      /* the kernel's counts when we cleared the logs */
	size_t num_counts;
	struct um_uncore_events events;
	struct um_limit *limits;
	size_t num_limits;
	int not_put_back;          /* first error when the counters of @events were restored */
	char unplaced[48];         /* hwmon folder of a sensor whose package is unknown, or "" */
	char dies[16][96];                    /* paths of the TPMI files, one for each die (tpmi.c) */
	size_t num_dies;
};

/* ---- decode.c: pure functions, from register values to their meaning ---- */

/* Degrees C below the target, from the value of a status register. -1 if the readout is not valid. */
int um_thermal_below(const struct um_thermal_reg *row, unsigned gates, uint64_t value);
/* All log bits of the register that exist on this processor. */
uint64_t um_thermal_log_bits(const struct um_thermal_reg *row, unsigned gates);
/* The target temperature in degrees C from register 0x1a2, or 0 if it is missing or implausible. */
int um_thermal_target(uint64_t value);
/* Share of the time in which the clock runs, from 0 to 1 (not modulated). */
double um_thermal_duty(uint64_t clock_modulation, unsigned gates);
/* Write the names of the bits in @mask to @buf; @fields are those of the register. Returns @buf. */
char *um_thermal_bits(const struct um_field *fields, uint64_t mask, char *buf, size_t size);
/* Base frequency in Hz from the name of the processor ("... @ 2.67GHz"), or 0 if the name has none. */
double um_thermal_brand_hz(const char *brand);

/* ---- subjects.c: the packages, cores and dies to look at ---- */

/* List the subjects again if the online CPUs changed, else retry a device (t->device_opened). */
int um_subjects_update(struct uncoremsr_throttle *t) UM_MUST_CHECK;
void um_subjects_free(struct uncoremsr_throttle *t);

/* Why no question can be answered in a virtual machine. */
#define UM_GUEST "virtual machine (CPUID hypervisor bit): the registers are absent or answered by " \
	"the hypervisor, which does not show what slows the processor down; ask the host"

/* ---- sources.c: what registers and files show ---- */

/* The causes that a register or file of the subject can show, as bits. */
unsigned um_shows(const struct um_subject *s, int source);
void um_judge_sources(struct um_subject *s);
/* The highest frequency that software may request, in kHz, or 0 if unknown. */
uint64_t um_highest_khz(const struct um_subject *s);
/* Does the ACPI limit (bios_limit) forbid turbo, but no other frequency? */
bool um_turbo_is_off(const struct um_subject *s);

/* ---- files.c: the kernel's numbers ---- */

/*
 * Read a text file that is read by every look(). @path is that of read_text() (access/access.h). If the machine can
 * keep files open, *handle keeps the descriptor (-1 at first). Returns the length or a negative errno.
 */
ssize_t um_text_read(struct um_access *a, const char *path, int *handle, char *buf, size_t size);
void um_text_close(struct um_access *a, int *handle);
void um_files_find(struct uncoremsr_throttle *t);
void um_files_read(struct uncoremsr_throttle *t, struct um_subject *s);
/* Open and read a file. @f must not be open. Returns false and clears @f->path if there is no file with a number. */
bool um_number_file_open(struct uncoremsr_throttle *t, struct um_gauge *f, const char *fmt, ...)
	UM_PRINTF(3, 4);
void um_number_file_read(struct uncoremsr_throttle *t, struct um_gauge *f);
void um_number_file_close(struct uncoremsr_throttle *t, struct um_gauge *f);
/* Are there files of POWER's on-chip controller? */
bool um_has_occ(const struct um_subject *s);
/* hwmon.c: temperatures of subjects whose registers are not read. */
int um_hwmon_find(struct uncoremsr_throttle *t) UM_MUST_CHECK;
/* Fill t->by_die, if it is empty. It stays empty if the dies are unknown. Returns 0 or -ENOMEM. */
int um_read_dies(struct uncoremsr_throttle *t) UM_MUST_CHECK;

/* ---- causes.c: what is found out about a subject ---- */

/* Return the subject's own cause of this kind, or add one. The cause keeps its latest phase, and @decides once set. */
struct uncoremsr_cause *um_blame(struct um_subject *s, enum uncoremsr_cause_kind cause,
				 enum uncoremsr_phase phase, bool decides);
/* The causes that hold or have held since the previous look(), as bits. */
unsigned um_holding(const struct um_subject *s);
/* Mark the cause as shown by a log bit, which covers the time since the log was last cleared. */
void um_note_log_bit(const struct um_subject *s, struct uncoremsr_cause *c);
/*
 * Add the cause of limit reason @b if a bit of register @r shows it. The bits also tell whether the cause holds now,
 * held since the previous look(), or held before. Returns whether the cause was added.
 */
bool um_blame_bit(struct um_subject *s, const struct um_limit_bit *b, const struct um_gauge *r);
/* Raise the cause's share of the time since the previous look() to @share, but not above 1. */
void um_raise_share(struct uncoremsr_cause *c, double share);
/* Set *known to the larger of *known and @value. NAN stands for an unknown number. */
void um_raise(double *known, double value);
/* Add evidence: an event, or with um_add_gauge() a register or file. The caller may set further members. */
struct um_evidence *um_add_evidence(struct um_subject *s, enum uncoremsr_cause_kind cause,
				    enum uncoremsr_evidence_kind kind, const char *name,
				    uint64_t value, enum uncoremsr_finding finding, uint64_t amount, uint64_t of);
struct um_evidence *um_add_gauge(struct um_subject *s, enum uncoremsr_cause_kind cause, const struct um_gauge *r,
				    enum uncoremsr_finding finding, uint64_t amount, uint64_t of);
/* Add the set bits in @mask of a register as evidence. Bits of one register that show the same cause are merged. */
struct um_evidence *um_add_bits(struct um_subject *s, enum uncoremsr_cause_kind cause,
				const struct um_gauge *r, uint64_t mask);
/* Add a question without an answer; the caller may set further members. Open questions must be added first. */
struct uncoremsr_question *um_add_question(struct um_subject *s, enum uncoremsr_cause_kind cause,
				    enum uncoremsr_reason reason);

/* ---- judge.c: from readings to causes, and to the verdict of each subject ---- */

void um_judge_all(struct uncoremsr_throttle *t);

void um_judge_clock(struct uncoremsr_throttle *t, struct um_subject *s);
/* Is the core's actual ratio compared with the requested one? Not with HWP, where the guaranteed level is checked. */
bool um_judges_ratio(const struct um_subject *s);

/* ---- questions.c: what could not be found out ---- */

void um_judge_questions(struct uncoremsr_throttle *t, struct um_subject *s);
/* Add questions about causes that cannot be shown or are excluded. All cores of @package must have been judged. */
void um_judge_visibility(const struct uncoremsr_throttle *t, struct um_subject *package);

/* ---- policy.c: limits that software has set, which do not change the verdict ---- */

/* Call _find() when subjects are listed again, _read() in each look(), _judge() after all subjects were judged. */
int um_policies_find(struct uncoremsr_throttle *t) UM_MUST_CHECK;
void um_policies_read(struct uncoremsr_throttle *t);
void um_policies_judge(struct uncoremsr_throttle *t);
void um_policies_free(struct uncoremsr_throttle *t);

void um_publish(struct uncoremsr_throttle *t);

/* ---- uncore_events.c: throttling events of the uncore, if the user wants them counted ---- */

bool um_uncore_has_events(const struct uncoremsr_throttle *t);
bool um_uncore_counts(const struct uncoremsr_throttle *t);
/* Read the counters of the events, or start them: at the first look(), and when a device has been opened. */
int um_uncore_read(struct uncoremsr_throttle *t) UM_MUST_CHECK;
void um_uncore_judge(struct uncoremsr_throttle *t, struct um_subject *s);
void um_uncore_end(struct uncoremsr_throttle *t);

/* ---- tpmi.c: limit reasons of the newest servers ---- */

void um_tpmi_find(struct uncoremsr_throttle *t);
void um_tpmi_read(struct uncoremsr_throttle *t);
/* Causes that TPMI's files can show for the subject, as bits. 0 if there are no files. */
unsigned um_tpmi_means(const struct uncoremsr_throttle *t, const struct um_subject *s);
void um_tpmi_judge(struct um_subject *s);

/* ---- cleared_file.c: time of our last clearing of the logs, and the kernel's counts at that time ---- */

struct um_cleared_count {
	unsigned cpu;
	bool core;           /* false if the count is that of the package */
	uint64_t count;
};

void um_cleared_load(struct uncoremsr_throttle *t);
/* Set the base of each count file to the kernel's count at our last clearing. */
void um_cleared_apply(struct uncoremsr_throttle *t);
/* Store the time of the clearing and the kernel's counts. Returns how many counts are not 0, or a negative errno. */
int um_cleared_store(struct uncoremsr_throttle *t) UM_MUST_CHECK;

#endif
