/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The kernel's PMUs as sysfs describes them (sys/bus/event_source/devices/NAME; Linux
 * Documentation/ABI/testing/sysfs-bus-event_source-devices*): type number, format of the config words, ready-made
 * events, and the CPUs to open them on. A big server has hundreds of PMUs: the list of names is read when a PMU is
 * looked for, and the files of a PMU when it is found.
 */
#ifndef UM_PERF_PMU_H
#define UM_PERF_PMU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "access/access.h"
#include "names/format.h"
#include "names/pmus.h"
#include "names/source.h"
#include "imc/catalog.h"
#include "machine/machine.h"
#include "uarch/uarch.h"

struct um_kernel_alias {
	/*
	 * The name is the path, "uncore_imc/cas_count_read/", but for POWER's in-memory counters it is @name, as in
	 * catalogs. The measure is NULL if there is no file NAME.unit, or if the file NAME.scale contains no number.
	 */
	struct um_name base;
	char *name;            /* "cas_count_read" */
	double scale;          /* the number in the file NAME.scale; 1 if there is no file or no number */
	bool snapshot;         /* a level: do not subtract the previous reading */
};

struct um_kernel_pmu {
	struct um_pmu base;    /* its terms come from the format files and are allocated */
	struct um_pmu_shown shown;
	struct um_access *access;
	char *name, *alias;    /* alias NULL: none, or not read yet */
	char *family_name;     /* the name without the unit number, "uncore_imc" */
	unsigned type;
	enum { UM_PMU_LISTED, UM_PMU_THERE, UM_PMU_UNTYPED } state; /* UNTYPED: a folder without a type is no PMU */
	uint64_t number;       /* unit number; read as hexadecimal if it has letters */
	bool is_unit;          /* the name ends in a unit number */
	bool loaded, alias_read;
	enum um_imc_level imc; /* POWER's in-memory counters: nest, core, thread or trace */
	struct um_kernel_alias *aliases;
	size_t num_aliases;
	struct um_cpuset cpus;
	/* The file that lists CPUs for the PMU: none, "cpumask" or "cpus". */
	enum um_cpus_are { UM_CPUS_ANY, UM_CPUS_MASK, UM_CPUS_COVERED } cpus_are;
	int cpus_err;          /* negative errno if the file could not be read; @cpus is empty then */
};

/* List the PMUs of @p->access, unless that was done before. 0; -ENOENT the tree has no such folder; -ENOMEM. */
int um_kernel_pmus_list(struct um_kernel_pmus *p) UM_MUST_CHECK;
void um_kernel_pmus_free(struct um_kernel_pmus *p);
/* Is @pmu really a PMU? A folder without a file "type" cannot be opened as a PMU. The first call reads the type. */
bool um_kernel_pmu_exists(struct um_kernel_pmu *pmu);
/* The first listed PMU of the family (NULL: any) at or after index *i; *i becomes the index after it. NULL: no more. */
struct um_kernel_pmu *um_kernel_pmus_next(struct um_kernel_pmus *p, size_t *i, const char *family);
/*
 * Read the rest of a PMU; malformed files are skipped. 0; -ENOMEM. um_kernel_pmu_reload_cpus() reads the set of
 * CPUs again: a CPU that goes offline hands its PMUs over to another CPU.
 */
int um_kernel_pmu_load(struct um_kernel_pmu *pmu) UM_MUST_CHECK;
/*
 * Find an event of the PMU by its name. *found NULL: there is none. Loads the PMU only if it has a file of that name. 0;
 * -ENOMEM.
 */
int um_kernel_pmu_find_event(struct um_kernel_pmu *pmu, const char *name, size_t len,
			     const struct um_kernel_alias **found) UM_MUST_CHECK;
int um_kernel_pmu_reload_cpus(struct um_kernel_pmu *pmu) UM_MUST_CHECK;
/* pmu_getters.c: see uncoremsr_kernel_pmus(). */
typedef int um_kernel_pmu_fn(void *user, const char *name, unsigned type, const char *cpus);
int um_kernel_pmus_show(struct um_access *a, um_kernel_pmu_fn *fn, void *user) UM_MUST_CHECK;
/* -ENODEV and a message if @event cannot be counted because the kernel names no CPU for the PMU; else 0. */
int um_kernel_pmu_has_no_cpus(const struct um_kernel_pmu *pmu, const char *event, struct um_error *e) UM_CROSSES;

/* Does the PMU belong to a core type that has no CPU online? */
bool um_kernel_pmu_is_away(const struct um_kernel_pmu *pmu);

/*
 * Is @pmu a core PMU ("cpu", "cpu_core")? Core PMUs tell user and kernel mode apart, and count perf's own event names.
 */
bool um_kernel_pmu_is_core(const struct um_kernel_pmu *pmu) UM_CROSSES;

/*
 * The PMUs that a name stands for, by perf's rules: the PMU of that exact name; else every unit of the
 * family; else the unit of that number ("imc0"); else those with that alias. "uncore_" may be omitted, and shell
 * patterns match. Calls @fn for each in order; returns how many, or a negative result of @fn; -ENOMEM.
 */
int um_kernel_pmus_match(struct um_kernel_pmus *p, const char *name, size_t len,
			 int (*fn)(void *user, struct um_kernel_pmu *pmu), void *user);

const struct um_kernel_alias *um_kernel_alias(const struct um_kernel_pmu *pmu, const char *name,
					      size_t len);

#endif
