/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Is this machine being slowed down? uncoremsr_throttle_look() calls look() (watcher.c), which reads all registers and
 * files that show throttling, for each core, each package, and each die where a package has several (subjects.c). It
 * judges each of these subjects separately (sources.c, judge*.c). What could not be found out is a question
 * (questions.c); an open question prevents the verdict "ok". Results are data (publish.c); the caller makes the
 * sentences. Memory is allocated only when the list of online CPUs has changed since the previous look().
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

/* A register, or a text file of the kernel with one number, as the last two calls of look() have read it. */
struct um_gauge {
	uint64_t value, before;
	bool known, had;                  /* @value was read by the last look(), @before by the look() before it */
	/* For registers only: */
	const struct um_thermal_reg *row; /* NULL: the subject does not have the register */
	bool worked;                      /* the register could be read at some time, so it is tried again */
	int err;                          /* error of the last read */
	/* Only of a file: */
	char path[UM_CPU_PATH_SIZE];      /* "/sys/..."; "": the file does not exist */
	int handle;                       /* from open_text() (access/access.h), or -1 */
	bool is_temperature;
	uint64_t read_in;                 /* the round of the last successful read; the file is read once per round */
	/* Value of the count when we last cleared the logs (cleared_file.c); the kernel's counts cannot be reset. */
	uint64_t base;
	bool based;
};

static inline const char *um_gauge_name(const struct um_gauge *r)
{
	return r->row ? r->row->reg.name : r->path;
}

/* The address of a register; of a file UINT64_MAX. */
static inline uint64_t um_gauge_msr(const struct um_gauge *r)
{
	return r->row ? r->row->reg.msr : UINT64_MAX;
}

/* Growth of a count since the previous look(). A count is reset when the CPU was offline: the growth is 0 then. */
static inline uint64_t um_grown(const struct um_gauge *r)
{
	return r->known && r->had && r->value > r->before ? r->value - r->before : 0;
}

/* Devices of hwmon that a package may have: one for each of its dies. */
enum { UM_MAX_SENSORS = 4 };

/* The files that are read. They are the sources after the registers, which are numbered by enum um_thermal_role. */
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
	UM_FILE_OCC_POWERCAP, /* this and the next four are of POWER's on-chip controller (OCC) */
	UM_FILE_OCC_OVERTEMP,
	UM_FILE_OCC_SUPPLY,
	UM_FILE_OCC_OVERCURRENT,
	UM_FILE_OCC_RESET,
	UM_FILE_TEMPERATURE,
	UM_FILE_CRIT_ALARM = UM_FILE_TEMPERATURE + UM_MAX_SENSORS,
	UM_NUM_SOURCES = UM_FILE_CRIT_ALARM + UM_MAX_SENSORS,
};

struct um_subject;

/* The properties of a source, which are the same for all subjects: a register with a certain role, or a file. */
struct um_source {
	/* Add what the source, which has been read, shows to the subject's causes and evidence. NULL: add nothing. */
	void (*judge)(struct um_subject *s, int source);
	enum uncoremsr_cause_kind cause;
	bool shows;          /* the source can show that @cause holds or does not hold */
	bool decides;        /* if the source shows @cause, this alone is a reason for a verdict */
	const char *detail;  /* more specific than the cause ("power cap"), or NULL */
	/*
	 * If several sources show a cause, only those with the lowest value answer the question about it, and one
	 * answer is enough. 0: the source answers no question about a cause.
	 */
	enum { UM_ASKED_FIRST = 1, UM_ASKED_NEXT, UM_ASKED_RING, UM_ASKED_GRAPHICS } asked;
	/* Only of a register: */
	bool constant;       /* set once by the firmware, so read once, and again after a suspend */
	bool grows;          /* a counter: only its growth between two calls of look() tells something */
	/*
	 * On real hardware at least one of these bits is set; if all are 0, a hidden hypervisor made the value up.
	 * 0: every value is plausible, except all ones.
	 */
	uint64_t nonzero;
	/* Only of a file: */
	/* The subject to which the file belongs; CHIP (POWER): the package and all its cores. 0: a device's file. */
	enum um_file_of { UM_OF_CORE = 1, UM_OF_PACKAGE, UM_OF_CHIP } of;
	char name[48];       /* below the folder of the subject's CPU; "" for a device */
	/*
	 * The file has the total time of the episodes that the previous source counts. The kernel adds to the time only
	 * after it has counted an episode (drivers/thermal/intel/therm_throt.c). So the time is 0 as long as that count
	 * is 0, and is not read.
	 */
	bool is_time;
};

extern const struct um_source um_sources[UM_NUM_SOURCES];

/* Limits for one subject: enough for a package with several dies, which collects the causes and questions of each. */
enum { UM_MAX_CAUSES = 32, UM_MAX_EVIDENCE = 20, UM_MAX_QUESTIONS = 40, UM_BITS = 112 };
/* A clock of 100 GHz or more is an error of measurement. */
#define UM_HZ_BEYOND_ANY 1e11
/* A number that is unknown or does not apply. */
#define UM_ABSENT UINT64_MAX

struct um_evidence {
	struct uncoremsr_evidence pub;
	enum uncoremsr_cause_kind cause;
	char bits[UM_BITS];
	char detail[64];     /* details of the cause ("core 0"), separated by commas */
};

/* Maximum number of policies of a subject (policy.c). */
enum { UM_MAX_POLICIES = 12 };

struct um_subject {
	struct uncoremsr_subject pub; /* look() fills it in; um_publish() adds the lists */
	int package, core;   /* core -1: a package or die */
	int die;             /* id of a die, where a package has several; else -1 */
	unsigned cpu;
	/*
	 * The die or package that the subject belongs to (if there are several dies, a core belongs to its die); NULL:
	 * the subject is a package.
	 */
	struct um_subject *of;
	size_t num;          /* number of a package's cores, which follow it in the list */
	size_t num_dies;     /* number of a package's dies, which have the UM_SCOPE_DIE registers; 0: only one die */
	bool fresh;          /* no look() has judged the subject yet: there is no earlier value to compare with */
	unsigned gates;
	bool gates_for_all;  /* a package: @gates are those of its cores, too */
	struct um_gauge sources[UM_NUM_SOURCES];
	/* Performance limit reasons of TPMI (tpmi.c): causes as bits, and the kernel's words for them. */
	struct um_gauge plr;
	char plr_words[UM_BITS];
	unsigned guaranteed; /* the first guaranteed HWP level that was read; 0: none */
	/* Why registers cannot be read; class NONE: they can. */
	struct um_error access;
	int open_err;        /* error of the last attempt to open the device */
	/* Results of the last look(). */
	bool explained, explained_before; /* whether a cause that held explains a slow clock, at the last look() and the
					   * one before */
	unsigned means;      /* causes that this processor can show for the subject, as bits */
	unsigned answered;   /* causes about which the events counted by this look() give an answer, as bits */
	uint64_t told_ns[UM_NUM_CAUSES]; /* time of the last look() that had an answer about the cause, or UM_ABSENT */
	bool inherits;       /* a package or die without a status register: the verdict follows from the cores */
	bool read;           /* this look() has read the subject */
	bool lost;           /* the subject's CPU went offline during this look() */
	struct uncoremsr_cause causes[UM_MAX_CAUSES + 1]; /* the last element is scratch for causes without room */
	size_t num_causes;
	struct um_evidence evidence[UM_MAX_EVIDENCE + 1]; /* the last element is scratch for evidence without room */
	size_t num_evidence;
	struct uncoremsr_question questions[UM_MAX_QUESTIONS + 1]; /* the last element is scratch for questions without
								    * room */
	size_t num_questions, num_open; /* open questions come first */
	uint64_t table_khz;  /* highest frequency in the cpufreq driver's table; 0: the driver has none */
	struct uncoremsr_policy policies[UM_MAX_POLICIES];
	size_t num_policies;
	/*
	 * Causes, policies, questions and evidence as lists of pointers for callers. The evidence for each kind of
	 * cause is followed by NULL.
	 */
	const struct uncoremsr_cause *listed_causes[UM_MAX_CAUSES + 1];
	const struct uncoremsr_policy *listed_policies[UM_MAX_POLICIES + 1];
	const struct uncoremsr_question *listed_questions[UM_MAX_QUESTIONS + 1];
	const struct uncoremsr_evidence *listed_evidence[UM_MAX_EVIDENCE + UM_NUM_CAUSES];
	const struct uncoremsr_throttle *watcher;
};

/* The uncore's own throttling events (uncore_events.c). */
struct um_uncore_events {
	struct uncoremsr_session *session; /* NULL: the events are not counted */
	size_t num;                        /* how many of the events are counted */
	unsigned clock;                    /* 1: the clock is counted as the first event; 0: it is not counted */
	struct um_error error;             /* why the events are not counted; class NONE: there was no failure */
	bool read;                         /* an interval has been closed */
};
/* A limit that software can set, and its file (policy.c). */
struct um_limit;

/* Size of the largest text: a list of 8192 CPUs of which every second is online, or one line per CPU of a die. */
enum { UM_LIST_SIZE = 65536 };

struct uncoremsr_throttle {
	struct uncoremsr_throttle_state state;
	struct uncoremsr *um;
	bool kernel_only, counting, looked;
	uint64_t round;                       /* incremented whenever all files are read (struct um_gauge) */
	unsigned without;                     /* causes that the user left out, as bits */
	const struct um_thermal_model *model; /* NULL: no table of throttling registers for this processor */
	double base_hz;                       /* 0: not known */
	unsigned flag_gates;                  /* UM_GATE_* bits from /proc/cpuinfo, used where CPUID cannot be read */
	bool guest;                           /* a virtual machine: no registers are read */
	struct um_topology topo;
	struct um_topology by_die;            /* every die as a package of its own; empty until um_read_dies() */
	char *list;                           /* buffer of UM_LIST_SIZE */
	/* The online CPUs for which @subjects were listed; NULL: list them again. */
	char *online;
	int online_file;
	struct um_cpuset opened;              /* CPUs whose register device is open */
	size_t retry;                         /* subject whose device is tried next among those that did not open */
	struct um_subject *subjects;   /* packages, each with its cores behind it; then dies */
	size_t num_subjects, num_listed;      /* number of all subjects; number of subjects without the dies, which
					       * callers do not see */
	uint64_t slept_ns;
	bool suspended;                       /* the machine was suspended between the last two calls of look() */
	struct um_cleared_count *counts;      /* the kernel's counts when we cleared the logs */
	size_t num_counts;
	struct um_uncore_events events;
	struct um_limit *limits;
	size_t num_limits;
	int not_put_back;          /* first error of restoring the counters of @events */
	char unplaced[48];         /* folder of a sensor whose package is not known; "": none */
	char dies[16][96];                    /* paths of TPMI's file of each die (tpmi.c) */
	size_t num_dies;
};

/* ---- decode.c: pure functions, from register values to their meaning ---- */

/* Degrees C below the target, from the readout in a status register; -1: there is no valid readout. */
int um_thermal_below(const struct um_thermal_reg *row, unsigned gates, uint64_t value);
/* All log bits of the register that exist on this processor. */
uint64_t um_thermal_log_bits(const struct um_thermal_reg *row, unsigned gates);
/* The target temperature in degrees C from register 0x1a2; 0: none, or an impossible one. */
int um_thermal_target(uint64_t value);
/* Share of the time that the clock runs, 0 to 1; 1 when it is not modulated. */
double um_thermal_duty(uint64_t clock_modulation, unsigned gates);
/* Write the names of the bits @mask, from the fields of the register, to @buf. Returns @buf. */
char *um_thermal_bits(const struct um_field *fields, uint64_t mask, char *buf, size_t size);
/* Base frequency in Hz from the name of the processor ("... @ 2.67GHz"); 0: the name has none. */
double um_thermal_brand_hz(const char *brand);

/* ---- subjects.c: the packages, cores and dies to look at ---- */

/*
 * List the subjects again if the online CPUs have changed. Try again to open a register device that did not open
 * before; *opened becomes true if one opened now.
 */
int um_subjects_update(struct uncoremsr_throttle *t, bool *opened) UM_MUST_CHECK;
void um_subjects_free(struct uncoremsr_throttle *t);

/* Why no question can be answered in a virtual machine. */
#define UM_GUEST "virtual machine (CPUID hypervisor bit): the registers are absent or answered by " \
	"the hypervisor, which does not show what slows the processor down; ask the host"

/* ---- sources.c: what registers and files show ---- */

/* The causes that a register or file of the subject can show, as bits. */
unsigned um_shows(const struct um_subject *s, int source);
void um_judge_sources(struct um_subject *s);
/* The highest frequency that software may request, in kHz; 0: not known. */
uint64_t um_highest_khz(const struct um_subject *s);
/* Does the ACPI limit (bios_limit) forbid only turbo, and no other frequency? */
bool um_turbo_is_off(const struct um_subject *s);

/* ---- files.c: the kernel's numbers ---- */

/*
 * Read a text file that every look() reads; @path as for read_text() (access/access.h). Where the machine can keep
 * files open, the file stays open in *handle, which is -1 at first. Returns the length of the text or a negative errno.
 */
ssize_t um_text_read(struct um_access *a, const char *path, int *handle, char *buf, size_t size);
void um_text_close(struct um_access *a, int *handle);
void um_files_find(struct uncoremsr_throttle *t);
void um_files_read(struct uncoremsr_throttle *t, struct um_subject *s);
/* Open and read a file; @f must be closed. False: there is no such file or no number in it; then @f->path is empty. */
bool um_number_file_open(struct uncoremsr_throttle *t, struct um_gauge *f, const char *fmt, ...)
	UM_PRINTF(3, 4);
void um_number_file_read(struct uncoremsr_throttle *t, struct um_gauge *f);
void um_number_file_close(struct uncoremsr_throttle *t, struct um_gauge *f);
/* Are there files of POWER's on-chip controller? */
bool um_has_occ(const struct um_subject *s);
/* hwmon.c: temperatures, for subjects whose registers are not read. */
int um_hwmon_find(struct uncoremsr_throttle *t) UM_MUST_CHECK;
/* Fill t->by_die, unless that was done before; it stays empty if the dies cannot be read. 0 or -ENOMEM. */
int um_read_dies(struct uncoremsr_throttle *t) UM_MUST_CHECK;

/* ---- causes.c: what is found out about a subject ---- */

/*
 * Get the subject's own cause of that kind, or add it. Note when it held (of several phases the latest stays), and
 * whether it decides the verdict.
 */
struct uncoremsr_cause *um_blame(struct um_subject *s, enum uncoremsr_cause_kind cause,
				 enum uncoremsr_phase phase, bool decides);
/* The causes that hold or have held since the previous look(), as bits. */
unsigned um_holding(const struct um_subject *s);
/* Note that a log bit shows the cause. The bit covers the time since the log was last cleared. */
void um_note_log_bit(const struct um_subject *s, struct uncoremsr_cause *c);
/*
 * Add the cause of the limit reason @b if a bit of register @r shows it, with the time at which it held: now, since the
 * previous look(), or before. Returns whether it was added.
 */
bool um_blame_bit(struct um_subject *s, const struct um_limit_bit *b, const struct um_gauge *r);
/* Raise the share of the time since the previous look() in which the cause held, to 1 at most. */
void um_raise_share(struct uncoremsr_cause *c, double share);
/* Set *known to the larger of *known and @value; either may be NAN (unknown). */
void um_raise(double *known, double value);
/* Add evidence from an event, or from a register or file (um_add_gauge()); the caller fills in the rest. */
struct um_evidence *um_add_evidence(struct um_subject *s, enum uncoremsr_cause_kind cause,
				    enum uncoremsr_evidence_kind kind, const char *name,
				    uint64_t value, enum uncoremsr_finding finding,
				    uint64_t amount, uint64_t of);
struct um_evidence *um_add_gauge(struct um_subject *s, enum uncoremsr_cause_kind cause,
				    const struct um_gauge *r, enum uncoremsr_finding finding,
				    uint64_t amount, uint64_t of);
/*
 * Add the set bits @mask of a register as evidence, with their names. Bits of one register that show the same cause
 * become one piece of evidence.
 */
struct um_evidence *um_add_bits(struct um_subject *s, enum uncoremsr_cause_kind cause,
				const struct um_gauge *r, uint64_t mask);
/* Add a question without an answer; the caller fills in the rest. Open questions must be added before others. */
struct uncoremsr_question *um_add_question(struct um_subject *s, enum uncoremsr_cause_kind cause,
				    enum uncoremsr_reason reason);

/* ---- judge.c: from readings to causes, and to the verdict of each subject ---- */

void um_judge_all(struct uncoremsr_throttle *t);

/* ---- judge_clock.c ---- */

void um_judge_clock(struct uncoremsr_throttle *t, struct um_subject *s);
/* Is the core's clock judged by the requested ratio? Not if HWP is on: then the levels of HWP are used. */
bool um_judges_ratio(const struct um_subject *s);

/* ---- questions.c: what could not be found out ---- */

/* Add the open questions about one package, die or core. */
void um_judge_questions(struct uncoremsr_throttle *t, struct um_subject *s);
/*
 * Call this when all cores of a package are judged: it adds questions about causes that nothing on this processor can
 * show, or that the user left out.
 */
void um_judge_visibility(const struct uncoremsr_throttle *t, struct um_subject *package);

/* ---- policy.c: limits that software has set, which do not change the verdict ---- */

/* Call _find() when the subjects are listed again, _read() in each look(), _judge() when all subjects are judged. */
int um_policies_find(struct uncoremsr_throttle *t) UM_MUST_CHECK;
void um_policies_read(struct uncoremsr_throttle *t);
void um_policies_judge(struct uncoremsr_throttle *t);
void um_policies_free(struct uncoremsr_throttle *t);

/* ---- publish.c: the results of look(), for callers ---- */

void um_publish(struct uncoremsr_throttle *t);

/* ---- uncore_events.c: the uncore's events, when counting is switched on ---- */

/* Does this processor have throttling events? */
bool um_uncore_has_events(const struct uncoremsr_throttle *t);
/* Are the events counted now? */
bool um_uncore_counts(const struct uncoremsr_throttle *t);
/* Read the events' counters, and close the interval. If the events are not counted and @start: start counting. */
int um_uncore_read(struct uncoremsr_throttle *t, bool start) UM_MUST_CHECK;
void um_uncore_judge(struct uncoremsr_throttle *t, struct um_subject *s);
/* Stop counting the events. */
void um_uncore_end(struct uncoremsr_throttle *t);

/* ---- tpmi.c: limit reasons of the newest servers ---- */

void um_tpmi_find(struct uncoremsr_throttle *t);
void um_tpmi_read(struct uncoremsr_throttle *t);
/* Causes that TPMI's files show for the subject, as bits; 0 if there are no files. */
unsigned um_tpmi_means(const struct uncoremsr_throttle *t, const struct um_subject *s);
void um_tpmi_judge(struct um_subject *s);

/* ---- cleared_file.c: when we last cleared the logs, and what the kernel had counted then ---- */

struct um_cleared_count {
	unsigned cpu;
	bool core;           /* false: the count of the package */
	uint64_t count;
};

void um_cleared_load(struct uncoremsr_throttle *t);
/* Set the base of the subjects' count files to what the kernel had counted when the logs were cleared. */
void um_cleared_apply(struct uncoremsr_throttle *t);
/* The logs have been cleared: store the time and the kernel's counts. Returns how many counts are not 0, or -ENOMEM. */
int um_cleared_store(struct uncoremsr_throttle *t) UM_MUST_CHECK;

#endif
