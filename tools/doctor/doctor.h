/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the files of uncore-doctor share: the list of findings, to which the checks add; and the jobs that options choose
 * instead of the checks.
 */
#ifndef TOOL_DOCTOR_H
#define TOOL_DOCTOR_H

#include "common/options.h"
#include "common/records.h"
#include "uncoremsr.h"
#include "uncoremsr/machine.h"
#include "uncoremsr/leases.h"

enum { DOCTOR_REPAIR = TOOL_LONG, DOCTOR_LEASES, DOCTOR_GRANT };

/* Worst first. The first two block: nothing can be counted until their cause is removed. */
enum doctor_severity {
	DOCTOR_UNSUPPORTED,
	DOCTOR_NO_ACCESS,
	DOCTOR_LEFTOVER, /* something that one of our processes left behind */
	DOCTOR_REMARK,   /* information */
};

struct doctor_finding {
	const char *check;
	enum doctor_severity severity;
	char *message, *next; /* both allocated; next: what the user should do, NULL: unknown */
};

/* Things that the kernel may allow this user to count; each is tried once. */
enum doctor_whom { DOCTOR_WHOLE_CPUS, DOCTOR_OWN_PROCESS, DOCTOR_OWN_USER_MODE, DOCTOR_NUM_WHOM };
struct doctor_trial {
	bool done, may;
	char why[900];
};

struct doctor {
	struct tool_common common;
	int job;                /* 0: the checks, or the id of an option */
	const char *group;      /* argument of --grant */
	bool core;              /* --core: core counters and the logs of throttling may be written, too */
	struct uncoremsr *um;
	struct records records;
	const char *root;       /* "" or the DIR of root:DIR, quoted for a command line */
	char quoted[OUT_QUOTED_SIZE];
	char machine[4200];     /* " --machine=..." for a command line, "" for the live machine */
	struct doctor_finding *list;
	size_t num;
	const struct uncoremsr_leases *leases; /* read by doctor_check_leases() */
	const char *blocked;    /* the first reason why registers cannot be used; NULL: they can */
	bool kernel_counts;     /* registers are blocked, and the kernel's own PMUs of the uncore count */
	bool kernel_refuses;    /* registers are blocked, and the kernel's PMUs do not count for this user */
	bool all_zeros;         /* all uncore registers read 0, which may be right, or an effect of a hypervisor */
	/* Does the kernel have PMUs for core counters, for uncore counters, for POWER's in-memory counters? */
	bool has_core_pmu, has_uncore_pmu, has_in_memory_pmu;
	struct doctor_trial trials[DOCTOR_NUM_WHOM];
};

/* Add a finding. doctor_next() adds to the latest finding what the user should do. */
void doctor_add(struct doctor *d, const char *check, enum doctor_severity severity,
		const char *fmt, ...) __attribute__((format(printf, 4, 5)));
void doctor_next(struct doctor *d, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void doctor_free_findings(struct doctor *d);
/* Add the library's last error as a finding that blocks counting, with the library's advice. */
void doctor_add_failure(struct doctor *d, const char *check);
/* May this user restore the registers of the lease? */
bool doctor_lease_is_ours(const struct uncoremsr_lease *l);
/* Suggest the --grant command that would let an ordinary user count. */
void doctor_next_grant(struct doctor *d);

/* The checks. */
/* Why the processor model is not supported, as a phrase. */
const char *doctor_why_unsupported(struct doctor *d);
void doctor_check_processor(struct doctor *d);
/* Returns whether the registers can be read. */
bool doctor_check_driver(struct doctor *d);
void doctor_check_leases(struct doctor *d);
/* Call this after doctor_check_leases(): leases show which counters are ours. */
void doctor_check_counters(struct doctor *d);
void doctor_check_surroundings(struct doctor *d);
/* Check whether the kernel lets this process count; if not, note why. */
bool doctor_may_count(struct doctor *d, enum doctor_whom whom);
/* Call this after all other checks: if registers are blocked, can the kernel count instead? */
void doctor_check_kernel(struct doctor *d);

/* Print all findings, worst first. Returns the exit status. */
int doctor_show(struct doctor *d);
/* Call this after all checks: print typical questions of users, each with the command that answers it on this machine. */
void doctor_show_questions(struct doctor *d);

/* --leases, --repair, --grant. Each returns the exit status. */
int doctor_show_leases(struct doctor *d);
int doctor_repair(struct doctor *d);
int doctor_grant(struct doctor *d);
extern const char doctor_grant_text[]; /* generated from grant.text */

#endif
