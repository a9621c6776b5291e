/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Is this machine being slowed down? A look (watcher.c) reads every source, once per core, once per
 * package, and where a package has several dies once per die (subjects.c), and judges each of these
 * subjects by itself (judge.c and its neighbours). What has no answer is a question, which may stand in
 * the way of an "ok" (questions.c). What it finds is data (properties.c); the words are the caller's.
 * All memory is allocated when the list of online CPUs changes, none by a look that finds the same CPUs
 * again.
 */
#ifndef UM_THROTTLE_H
#define UM_THROTTLE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"
#include "machine/handle.h"
#include "uarch/thermal.h"
#include "uncoremsr/throttle.h"

/* A register as it was read at the last two looks. */
struct um_reading {
	const struct um_thermal_reg *row; /* NULL: this subject has none */
	uint64_t value, before;
	bool known, had;                  /* @value, @before are readings */
	bool worked;                      /* it could be read at some time: worth another try */
	int err;                          /* of the last try */
};

/* Devices of hwmon that a package may have: one for each of its dies. */
enum { UM_MAX_SENSORS = 4 };

/* A text file of the kernel, with one number. */
enum um_file_role {
	UM_FILE_CORE_COUNT,
	UM_FILE_CORE_TIME,
	UM_FILE_BIOS_LIMIT,
	UM_FILE_CEILING,
	UM_FILE_HIGHEST,
	UM_FILE_BOOST,
	UM_FILE_PACKAGE_COUNT,
	UM_FILE_PACKAGE_TIME,
	UM_FILE_HSMP_PROCHOT,
	UM_FILE_OCC_POWERCAP, /* of POWER's on-chip controller, as the next */
	UM_FILE_OCC_OVERTEMP,
	UM_FILE_OCC_SUPPLY,
	UM_FILE_OCC_OVERCURRENT,
	UM_FILE_OCC_RESET,
	UM_FILE_TEMPERATURE,
	UM_FILE_CRIT_ALARM = UM_FILE_TEMPERATURE + UM_MAX_SENSORS,
	UM_NUM_FILES = UM_FILE_CRIT_ALARM + UM_MAX_SENSORS,
};

struct um_number_file {
	char path[120];      /* "/sys/..."; "": not there */
	int handle;          /* of the access room's open_text(), or -1 */
	uint64_t value, before;
	bool known, had;
	bool is_temperature;
	/* What it was when we last cleared the logs (cleared.c): the kernel's counts stay. */
	uint64_t base;
	bool based;
};

/* Of a package with several dies: causes and questions of each. */
enum { UM_MAX_CAUSES = 32, UM_MAX_EVIDENCE = 20, UM_MAX_QUESTIONS = 40, UM_BITS = 112 };
/* Of a temperature. */
#define UM_NO_CELSIUS INT_MIN
/* No processor runs at 100 GHz. */
#define UM_HZ_BEYOND_ANY 1e11
/* Of a number: unknown, or does not apply. */
#define UM_ABSENT UINT64_MAX

struct um_evidence {
	enum um_cause cause;
	uint64_t number[UNCOREMSR_EVIDENCE_NAME]; /* by property */
	const char *name;    /* lives as long as the watcher */
	char bits[UM_BITS];
	const char *aspects[4]; /* names more exact than the cause */
	size_t num_aspects;
	char detail[64];     /* these with commas between them */
};

struct um_question {
	uint64_t number[UNCOREMSR_QUESTION_NAME]; /* by property */
	const char *name;    /* NULL: none */
	const char *error;   /* lives until the next look; NULL: none */
	const char *hint;    /* the same */
};

/* A limit that software has set (policy.c). */
struct um_policy {
	enum uncoremsr_policy_kind kind;
	enum uncoremsr_policy_scope scope;
	const char *file, *name; /* live until the next look; @name NULL: none */
	uint64_t value, of;
	size_t cores;            /* of a package that has it from its cores: how many; else 0 */
};
enum { UM_MAX_POLICIES = 12 };

struct uncoremsr_cause {
	const struct uncoremsr_subject *of;
	enum um_cause cause;
	bool holds;          /* at this moment */
	bool happened;       /* between the last two looks */
	bool logged, decides;
	bool log_bit;        /* logged since the logs were last cleared */
	size_t cores;        /* of a package that has it from its cores: how many; else 0 */
	double share;        /* of the time between the last two looks; negative: not known */
	uint64_t count;      /* of the kernel, since we cleared the logs; 0: none */
	uint64_t total;      /* the same since it began to count */
};

struct uncoremsr_subject {
	int package, core;   /* core -1: a package or die */
	int die;             /* of a die of a package that has several; else -1 */
	unsigned cpu;
	/* Of a core: its die where the package has several, else its package; of a die: its package; else NULL. */
	struct uncoremsr_subject *of;
	size_t num;          /* of a package: its cores, which follow it */
	size_t num_dies;     /* of a package with several: they have its registers; else 0 */
	bool fresh;          /* at this look for the first time: there is nothing to compare */
	unsigned gates;
	struct um_reading regs[UM_NUM_ROLES];
	struct um_number_file files[UM_NUM_FILES];
	/* Causes that TPMI names, as bits, and its words for them (tpmi.c). */
	unsigned plr, plr_before;
	bool plr_known, plr_had;
	const char *plr_path;
	char plr_words[UM_BITS];
	unsigned guaranteed; /* HWP level at the first look; 0: none */
	/* Why the registers are out of reach; class NONE: they are not. */
	struct um_error access;
	int access_err, open_err;
	/* What the last look found. */
	enum uncoremsr_verdict verdict;
	bool could_tell;     /* something that decides was read */
	bool explained, explained_before; /* a cause held or happened, at this look and the last */
	unsigned means;      /* causes that this processor can show of it, as bits */
	unsigned could_show; /* causes that something which was read would have shown, as bits */
	unsigned answered;   /* causes that the uncore's events answer, as bits */
	unsigned told;       /* questions that had an answer at some look, as bits; and when last */
	uint64_t told_ns[UM_NUM_CAUSES];
	bool inherits;       /* a package with no status of its own: it is what its cores are */
	bool read;           /* at this look */
	bool lost;           /* its CPU went away during the look */
	uint64_t remembered; /* times that the kernel has counted before we cleared the logs */
	int below;           /* -1: not known */
	int celsius;         /* UM_NO_CELSIUS: not known */
	uint64_t hz;         /* 0: not known */
	struct uncoremsr_cause causes[UM_MAX_CAUSES + 1]; /* the last takes what has no room */
	size_t num_causes;
	struct um_evidence evidence[UM_MAX_EVIDENCE + 1]; /* as above */
	size_t num_evidence;
	struct um_question questions[UM_MAX_QUESTIONS + 1]; /* as above */
	size_t num_questions, num_open; /* the open ones come first */
	uint64_t table_khz;  /* the highest frequency of its driver's table; 0: it has none */
	struct um_policy policies[UM_MAX_POLICIES];
	size_t num_policies;
	const struct uncoremsr_throttle *watcher;
};

/* The uncore's own throttling events (uncore_events.c). */
struct um_uncore_events;
/* Files that say what software limits (policy.c). */
struct um_policy_files;

/* Room for the largest text: a list of 4096 of 8192 CPUs, or one line per CPU of a die. */
enum { UM_LIST_SIZE = 65536 };

struct uncoremsr_throttle {
	struct uncoremsr *um;
	bool kernel_only, counting, looked;
	unsigned without;                     /* causes that are not asked for, as bits */
	const struct um_thermal_model *model; /* NULL: no registers to ask */
	double base_hz;                       /* 0: not known */
	unsigned flag_gates;                  /* where CPUID cannot be had */
	bool guest;                           /* in a virtual machine: nothing is asked */
	struct um_topology topo;
	char *list;                           /* room for that text */
	char *online;                         /* the online CPUs that are listed, as text; NULL: not settled */
	int online_file;
	struct um_cpuset opened;              /* CPUs whose register device is open */
	size_t retry;                         /* where to look for a device that did not open */
	struct uncoremsr_subject *subjects;   /* packages, each with its cores; then dies */
	size_t num_subjects, num_listed;      /* listed are the former */
	uint64_t time_ns, interval_ns, slept_ns;
	bool suspended;                       /* since the look before */
	uint64_t cleared_at;                  /* Unix time when we cleared the logs; UM_ABSENT */
	struct um_cleared_count *counts;      /* of the kernel at that time */
	size_t num_counts;
	struct um_uncore_events *events;
	struct um_policy_files *policy_files;
	int not_put_back;          /* the first error of giving their counters back */
	char unplaced[48];         /* folder of a sensor that does not say whose it is; "": none */
	char (*dies)[96];                     /* files of tpmi.c */
	size_t num_dies;
};

/* ---- decode.c: pure, from values to meaning ---- */

struct um_decoded {
	uint64_t now, logged; /* the bits that are set and mean something on this processor */
	bool valid;           /* there is a readout */
	int below;            /* degrees C below the target */
};

struct um_decoded um_thermal_decode(const struct um_thermal_reg *row, unsigned gates,
				    uint64_t value);
/* All log bits of the register that exist here. */
uint64_t um_thermal_log_bits(const struct um_thermal_reg *row, unsigned gates);
/* Degrees C from 0x1a2; 0: none, or absurd. */
int um_thermal_target(uint64_t value);
/* Share of the time that the clock runs, 0 to 1; 1 when it is not modulated. */
double um_thermal_duty(uint64_t clock_modulation, unsigned gates);
/* By how much a counter in bits 31:0 has grown; it wraps. */
uint32_t um_thermal_grown(uint64_t before, uint64_t value);
/* Names of the bits @mask, by the fields of the register, into @buf. Returns @buf. */
char *um_thermal_bits(const struct um_reg *reg, uint64_t mask, char *buf, size_t size);
/* Base frequency in Hz from the name of the processor ("... @ 2.67GHz"); 0: it is not in there. */
double um_thermal_brand_hz(const char *brand);

/* ---- subjects.c: which there are ---- */

/*
 * Look for changes of the online CPUs; list the subjects again when there are any. Try again what
 * did not open: *opened, when that has worked.
 */
int um_subjects_update(struct uncoremsr_throttle *t, bool *opened) UM_MUST_CHECK;
void um_subjects_free(struct uncoremsr_throttle *t);

/* The error of everything that is asked in a virtual machine. */
#define UM_GUEST "virtual machine (CPUID hypervisor bit): the registers are absent or answered by " \
	"the hypervisor, which does not show what slows the processor down; ask the host"

/* ---- processor.c: what this processor is ---- */

void um_throttle_identify(struct uncoremsr_throttle *t);
unsigned um_throttle_gates(struct uncoremsr_throttle *t, unsigned cpu);

/* ---- files.c: the kernel's numbers ---- */

void um_files_find(struct uncoremsr_throttle *t);
void um_files_close(struct uncoremsr_throttle *t, struct uncoremsr_subject *s);
void um_files_read(struct uncoremsr_throttle *t, struct uncoremsr_subject *s);
/* Use a file for a role if it is there and has a number; or whenever a look finds it. */
void um_file_set(struct uncoremsr_throttle *t, struct uncoremsr_subject *s,
		 enum um_file_role role, const char *fmt, ...) UM_PRINTF(4, 5);
void um_file_await(struct uncoremsr_subject *s, enum um_file_role role, const char *fmt, ...)
	UM_PRINTF(3, 4);
/* Of any file: open it as @f. Is it there, with a number? */
bool um_number_file_open(struct uncoremsr_throttle *t, struct um_number_file *f, const char *fmt, ...)
	UM_PRINTF(3, 4);
void um_number_file_read(struct uncoremsr_throttle *t, struct um_number_file *f);
void um_number_file_close(struct uncoremsr_throttle *t, struct um_number_file *f);
/* Are there files of POWER's on-chip controller? */
bool um_has_occ(const struct uncoremsr_subject *s);
/* hwmon.c: temperatures, for subjects whose registers are not read. */
int um_hwmon_find(struct uncoremsr_throttle *t) UM_MUST_CHECK;

/* ---- causes.c: what is found out about a subject ---- */

/* The subject's cause of that kind; made when it is not there. */
struct uncoremsr_cause *um_blame(struct uncoremsr_subject *s, enum um_cause cause);
/* From an event; and from a register or file that was read. The caller adds what else there is. */
struct um_evidence *um_add_evidence(struct uncoremsr_subject *s, enum um_cause cause,
				    enum uncoremsr_evidence_kind kind, const char *name,
				    uint64_t value, enum uncoremsr_finding finding,
				    uint64_t amount, uint64_t of);
struct um_evidence *um_add_register(struct uncoremsr_subject *s, enum um_cause cause,
				    const struct um_reading *r, enum uncoremsr_finding finding,
				    uint64_t amount, uint64_t of);
/* Bits that are set, with their names. */
struct um_evidence *um_add_bits(struct uncoremsr_subject *s, enum um_cause cause,
				const struct um_reading *r, uint64_t mask);
struct um_evidence *um_add_file(struct uncoremsr_subject *s, enum um_cause cause,
				enum um_file_role role, enum uncoremsr_finding finding,
				uint64_t amount, uint64_t of);
/* Piece @index of the evidence for a cause; NULL: there is none. */
const struct um_evidence *um_evidence_of(const struct uncoremsr_cause *c, size_t index);
/* A name more exact than the cause; each once among the evidence for it. */
void um_add_aspect(struct uncoremsr_cause *c, struct um_evidence *e, const char *name);
/* A question without an answer (@cause as of both enums); the caller adds what it is about. Open ones first. */
struct um_question *um_add_question(struct uncoremsr_subject *s, unsigned cause,
				    enum uncoremsr_reason reason);
/* All open questions of a look have been asked: say since when those have no answer that had one. */
void um_date_questions(struct uncoremsr_subject *s, uint64_t now_ns);
/* Bring the causes into their order: the worst first. */
void um_sort_causes(struct uncoremsr_subject *s);

/* ---- judge.c: from readings to causes, and to the verdict of each subject ---- */

void um_judge_all(struct uncoremsr_throttle *t);

/* judge_power.c, judge_files.c: its parts */
void um_judge_power(struct uncoremsr_throttle *t, struct uncoremsr_subject *s);
void um_judge_frequency(struct uncoremsr_throttle *t, struct uncoremsr_subject *s);
void um_judge_files(struct uncoremsr_throttle *t, struct uncoremsr_subject *s);
/* Is the clock of a core judged by the ratio that was asked for, not by the levels of HWP? */
bool um_judges_ratio(const struct uncoremsr_subject *s);

/* ---- questions.c: what was asked and cannot be answered ---- */

/* Of one package, die or core: open questions. */
void um_judge_questions(struct uncoremsr_throttle *t, struct uncoremsr_subject *s);
/* Of a package and its cores, all of which were judged: what nothing can show, or was not asked. */
void um_judge_visibility(const struct uncoremsr_throttle *t, struct uncoremsr_subject *package);

/* ---- policy.c: limits that software has set, which make no verdict ---- */

/* When the subjects are listed again; at each look; when all have been judged. */
int um_policies_find(struct uncoremsr_throttle *t) UM_MUST_CHECK;
void um_policies_read(struct uncoremsr_throttle *t);
void um_policies_judge(struct uncoremsr_throttle *t);
void um_policies_free(struct uncoremsr_throttle *t);
/* The highest frequency that may be asked for, in kHz; 0: not known. */
uint64_t um_highest_khz(const struct uncoremsr_subject *s);
/* Does what ACPI allows leave out turbo, and nothing else? */
bool um_turbo_is_off(const struct uncoremsr_subject *s);

/* ---- uncore_events.c: the uncore's events, when counting is switched on ---- */

/* If they are counted already, close an interval. */
int um_uncore_start(struct uncoremsr_throttle *t) UM_MUST_CHECK;
/* Does this processor have any? */
bool um_uncore_has_events(const struct uncoremsr_throttle *t);
/* Are they counted now? */
bool um_uncore_counts(const struct uncoremsr_throttle *t);
/* Close an interval. */
void um_uncore_read(struct uncoremsr_throttle *t);
void um_uncore_judge(struct uncoremsr_throttle *t, struct uncoremsr_subject *s);
void um_uncore_free(struct uncoremsr_throttle *t);

/* ---- tpmi.c: limit reasons of the newest servers ---- */

int um_tpmi_find(struct uncoremsr_throttle *t) UM_MUST_CHECK;
void um_tpmi_read(struct uncoremsr_throttle *t);
/* Causes that its files show, where there are any, as bits; else 0. */
unsigned um_tpmi_means(const struct uncoremsr_throttle *t, const struct uncoremsr_subject *s);
void um_tpmi_judge(struct uncoremsr_subject *s);

/* ---- cleared_file.c: when we last cleared the logs, and what the kernel had counted then ---- */

struct um_cleared_count {
	unsigned cpu;
	enum um_file_role role;
	uint64_t count;
};

void um_cleared_load(struct uncoremsr_throttle *t);
/* Tell the subjects what was counted then. */
void um_cleared_apply(struct uncoremsr_throttle *t);
/* The logs are clear now. Returns how many counts of the kernel are not 0; -ENOMEM. */
int um_cleared_store(struct uncoremsr_throttle *t) UM_MUST_CHECK;

#endif
