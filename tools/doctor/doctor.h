/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* uncore-doctor: the checks, the list of their findings, and the options that replace the checks. */
#ifndef TOOL_DOCTOR_H
#define TOOL_DOCTOR_H

#include "common/options.h"
#include "common/records.h"
#include "uncoremsr.h"
#include "uncoremsr/machine.h"
#include "uncoremsr/leases.h"
#include "uncoremsr/names.h"

enum { DOCTOR_REPAIR = TOOL_LONG, DOCTOR_LEASES, DOCTOR_GRANT };

/* Worst first. With one of the first two, nothing can be counted until its cause is removed. */
enum doctor_severity {
	DOCTOR_UNSUPPORTED,
	DOCTOR_NO_ACCESS,
	DOCTOR_LEFTOVER, /* a dead session left registers programmed */
	DOCTOR_REMARK,
};

struct doctor_finding {
	const char *check;
	enum doctor_severity severity;
	char *message, *next; /* both allocated; @next: what the user should do, may be NULL */
};

/* What the kernel may let this user count. Each permission is tried once. */
enum doctor_whom { DOCTOR_WHOLE_CPUS, DOCTOR_OWN_PROCESS, DOCTOR_OWN_USER_MODE, DOCTOR_NUM_WHOM };
struct doctor_trial {
	bool done, may;
	char why[900];
};

struct doctor {
	struct tool_common common;
	int job;                /* id of --repair, --leases or --grant; 0 if the checks are run */
	const char *group;      /* argument of --grant */
	bool core;              /* --core is given: the group may also write core counters and throttling logs */
	struct uncoremsr *um;
	struct records records;
	const char *root;       /* DIR of --machine=root:DIR, quoted for the shell; else "" */
	char quoted[OUT_QUOTED_SIZE];
	char machine[4200];     /* " --machine=...", quoted for the shell; "" for the live machine */
	struct doctor_finding *list;
	size_t num;
	const struct uncoremsr_leases *leases; /* read by doctor_check_leases() */
	const char *blocked;    /* the first reason why registers cannot be used; NULL: none */
	bool kernel_counts;     /* registers cannot be used, but perf can count uncore events */
	bool kernel_refuses;    /* the kernel has uncore PMUs, but this user may not use them */
	bool all_zeros;         /* all uncore registers read 0; perhaps a hypervisor hides their values */
	bool has_core_pmu, has_uncore_pmu, has_in_memory_pmu; /* kinds of PMUs that the kernel has */
	struct doctor_trial trials[DOCTOR_NUM_WHOM];
};

/* doctor_next() adds to the latest finding what the user should do. */
void doctor_add(struct doctor *d, const char *check, enum doctor_severity severity, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
void doctor_next(struct doctor *d, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void doctor_free_findings(struct doctor *d);
/* Add the library's last error as a finding that blocks counting, with the library's advice. */
void doctor_add_failure(struct doctor *d, const char *check);
/* May this user restore the registers of the lease? */
bool doctor_lease_is_ours(const struct uncoremsr_lease *l);
void doctor_next_grant(struct doctor *d);

const char *doctor_why_unsupported(struct doctor *d);
void doctor_check_processor(struct doctor *d);
/* Returns whether the registers can be read. */
bool doctor_check_driver(struct doctor *d);
void doctor_check_leases(struct doctor *d);
/* Call this after doctor_check_leases(): leases show which counters our sessions use. */
void doctor_check_counters(struct doctor *d);
void doctor_check_surroundings(struct doctor *d);
bool doctor_may_count(struct doctor *d, enum doctor_whom whom);
/* Call this after all other checks. If registers cannot be used, check whether perf can count. */
void doctor_check_kernel(struct doctor *d);

/* Print all findings, worst first. Returns the exit status. */
int doctor_show(struct doctor *d);
/* Call this after all checks: print questions of users, and the commands that answer them on this machine. */
void doctor_show_questions(struct doctor *d);

/* --leases, --repair and --grant; each returns the exit status. */
int doctor_show_leases(struct doctor *d);
int doctor_repair(struct doctor *d);
int doctor_grant(struct doctor *d);
extern const char doctor_grant_text[]; /* generated from grant.text */

#endif
