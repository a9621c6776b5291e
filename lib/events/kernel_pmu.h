/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The kernel's PMUs as sysfs describes them (sys/bus/event_source/devices/NAME; Linux
 * Documentation/ABI/testing/sysfs-bus-event_source-devices*): type number, format of the config
 * words, ready-made events, and the CPUs to open them on. Names and types are read at once, the
 * rest of a PMU when it is asked for, because a big server has hundreds of them.
 */
#ifndef UM_PERF_PMU_H
#define UM_PERF_PMU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "access/access.h"
#include "events/kernel_format.h"
#include "events/source.h"
#include "imc/catalog.h"
#include "machine/machine.h"
#include "uarch/uarch.h"

struct um_kernel_alias {
	struct uncoremsr_event base;
	char *name, *terms;
	const char *family;    /* of its PMU, "uncore_imc" */
	char *path;            /* "uncore_imc/cas_count_read/" */
	char *scale_text;      /* as the file has it; NULL without */
	double scale;          /* 1 without */
	char *unit;            /* NULL without */
	bool snapshot;         /* a level, not to be differenced */
	bool per_package;
	bool uncore;           /* its PMU counts for a package or die: it has a cpumask */
};

struct um_kernel_pmu {
	struct uncoremsr_pmu base; /* for those who ask for PMUs of any kind */
	char *name, *alias;    /* alias NULL without */
	char *family_name;     /* "uncore_imc" */
	unsigned type;
	size_t family;         /* length of the name without the number of the unit */
	uint64_t number;       /* of the unit, read as hexadecimal where it has letters */
	bool is_unit;          /* there is a number */
	bool loaded;
	bool catalogued;       /* the machine's catalog lists its events, with more about them */
	enum um_imc_level imc; /* of POWER: who counts */
	struct um_kernel_format *formats;
	size_t num_formats;
	struct um_kernel_alias *aliases;
	size_t num_aliases;
	struct um_cpuset cpus;
	enum um_cpus_are { UM_CPUS_ANY, UM_CPUS_MASK, UM_CPUS_COVERED } cpus_are; /* no file, cpumask, cpus */
	int cpus_err;          /* why the file could not be read: a negative errno; then there are no cpus */
};

struct um_kernel_pmus {
	struct um_access *access;
	struct um_kernel_pmu *pmus; /* by family, then by number */
	size_t num;
};

/* Names and types. 0; -ENOENT the tree has no such folder; -ENOMEM. */
int um_kernel_pmus_read(struct um_kernel_pmus *p, struct um_access *a) UM_MUST_CHECK;
void um_kernel_pmus_free(struct um_kernel_pmus *p);
/*
 * The rest of one. A file that is malformed is left out. 0; -ENOMEM. The set of CPUs is read again
 * by um_kernel_pmu_reload_cpus(): a CPU that goes offline hands its part to another one.
 */
int um_kernel_pmu_load(struct um_kernel_pmus *p, struct um_kernel_pmu *pmu) UM_MUST_CHECK;
int um_kernel_pmu_reload_cpus(struct um_kernel_pmus *p, struct um_kernel_pmu *pmu) UM_MUST_CHECK;
/* -ENODEV and a sentence: @event is not counted, because the kernel names no CPU for it. 0: it names some. */
int um_kernel_pmu_has_no_cpus(const struct um_kernel_pmu *pmu, const char *event, struct um_error *e);

/* Is it of a kind of core of which no CPU is online? */
bool um_kernel_pmu_is_away(const struct um_kernel_pmu *pmu);

/* "cpu", "cpu_core": are there user and kernel mode, and perf's own names? */
bool um_kernel_pmu_is_core(const struct um_kernel_pmu *pmu);

/*
 * match.c: which PMUs a name stands for, with perf's rules: the exact name (or its alias) alone;
 * else every unit of the family, else the unit of that number ("imc0"); "uncore_" may be left out;
 * shell patterns are matched. Calls @fn for each, in order; returns how many, or what @fn returned
 * below 0.
 */
int um_kernel_pmus_match(struct um_kernel_pmus *p, const char *name, size_t len,
			 int (*fn)(void *user, struct um_kernel_pmu *pmu), void *user);
/* "_" and digits at the end (hexadecimal ones if there are more than two); 0: no such suffix. */
size_t um_unit_suffix(const char *name, size_t len);

const struct um_kernel_format *um_kernel_format(const struct um_kernel_pmu *pmu, const char *name,
						size_t len);
const struct um_kernel_alias *um_kernel_alias(const struct um_kernel_pmu *pmu, const char *name,
					      size_t len);

struct um_imc_lists;  /* imc_lists.h */
struct um_json_lists; /* json_list.h */
struct um_uarch;

/* What events of the kernel are looked up in. */
struct um_perf_scope {
	struct um_kernel_pmus *pmus;
	const struct um_json_lists *lists;  /* NULL: none */
	struct um_access *access;           /* for tracepoint ids */
	const struct um_uarch *uarch;       /* whose PMUs libpfm4's names are of; NULL: none known */
	bool codes;                         /* two numbers are codes of an uncore here, no TYPE:CONFIG */
	const struct um_imc_lists *imc;     /* NULL: none */
	struct um_names *names;             /* for names that may have been meant; NULL: nothing is offered */
};

#endif
