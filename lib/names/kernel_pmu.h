/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The kernel's PMUs in sysfs (sys/bus/event_source/devices/NAME; Linux
 * Documentation/ABI/testing/sysfs-bus-event_source-devices*): type number, format of the config words, predefined
 * events, and CPUs on which they are opened. A big server has hundreds of PMUs. So their names are listed when a PMU is
 * first looked up, and the files of a PMU are read when it is used.
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
	 * base.path is "uncore_imc/cas_count_read/". The name is the same or, for POWER's in-memory counters, @name as
	 * in catalogs. The measure is NULL if there is no file NAME.unit, or if NAME.scale is malformed.
	 */
	struct um_name base;
	char *name;
	double scale;          /* the number in NAME.scale; 1 if there is none */
	bool snapshot;         /* a momentary value: do not subtract the previous reading */
};

struct um_kernel_pmu {
	struct um_pmu base;    /* its terms are read from the format files */
	struct um_pmu_shown shown;
	struct um_access *access;
	char *name, *alias;    /* @alias NULL: none, or not read yet */
	char *family_name;     /* the name without the unit number, "uncore_imc" */
	unsigned type;
	enum { UM_PMU_LISTED, UM_PMU_THERE, UM_PMU_UNTYPED } state; /* UNTYPED: the folder has no file "type" */
	uint64_t number;       /* unit number, hexadecimal if it has letters */
	bool is_unit;          /* the name ends in a unit number */
	bool loaded, alias_read;
	enum um_imc_level imc; /* level of POWER's in-memory counters; 0: another kind of PMU */
	struct um_kernel_alias *aliases;
	size_t num_aliases;
	struct um_cpuset cpus;
	/* Which file lists CPUs for the PMU: none, "cpumask" or "cpus". */
	enum um_cpus_are { UM_CPUS_ANY, UM_CPUS_MASK, UM_CPUS_COVERED } cpus_are;
	int cpus_err;          /* negative errno if the file could not be read; @cpus is empty then */
};

/* List the PMUs of @p->access, unless that was done before. 0; -ENOENT: the tree has no such folder; -ENOMEM. */
int um_kernel_pmus_list(struct um_kernel_pmus *p) UM_MUST_CHECK;
void um_kernel_pmus_free(struct um_kernel_pmus *p);
/* Does @pmu have a file "type"? A folder without one is no PMU. The first call reads the file. */
bool um_kernel_pmu_exists(struct um_kernel_pmu *pmu);
/* The first listed PMU of @family (NULL: any) from index *i on. Sets *i to the index after it. NULL: no more. */
struct um_kernel_pmu *um_kernel_pmus_next(struct um_kernel_pmus *p, size_t *i, const char *family);
/*
 * Read all files of a PMU; malformed files are skipped. 0; -ENOMEM. um_kernel_pmu_reload_cpus() only reads the set of
 * CPUs again: if a CPU goes offline, the kernel moves its PMUs to another CPU.
 */
int um_kernel_pmu_load(struct um_kernel_pmu *pmu) UM_MUST_CHECK;
/* Set *found to an event of the PMU; NULL: none. Loads the PMU only if it has a file of that name. 0; -ENOMEM. */
int um_kernel_pmu_find_event(struct um_kernel_pmu *pmu, const char *name, size_t len,
			     const struct um_kernel_alias **found) UM_MUST_CHECK;
int um_kernel_pmu_reload_cpus(struct um_kernel_pmu *pmu) UM_MUST_CHECK;
/* Returns -ENODEV, with a message, if the kernel lists no CPU on which the PMU can count @event; else 0. */
int um_kernel_pmu_has_no_cpus(const struct um_kernel_pmu *pmu, const char *event, struct um_error *e) UM_CROSSES;

/* Are all CPUs of the PMU's core type offline? */
bool um_kernel_pmu_is_away(const struct um_kernel_pmu *pmu);

/* Core PMUs ("cpu", "cpu_core") can exclude user or kernel mode, and they count perf's own events. */
bool um_kernel_pmu_is_core(const struct um_kernel_pmu *pmu) UM_CROSSES;

/*
 * Call @fn for each PMU that a name stands for. By perf's rules it is the PMU of exactly that name; else all units of
 * that family; else the unit with that number ("imc0"); else PMUs with that alias. "uncore_" may be omitted, and shell
 * patterns match. Returns how many; or a negative result of @fn; -ENOMEM.
 */
int um_kernel_pmus_match(struct um_kernel_pmus *p, const char *name, size_t len,
			 int (*fn)(void *user, struct um_kernel_pmu *pmu), void *user);

const struct um_kernel_alias *um_kernel_alias(const struct um_kernel_pmu *pmu, const char *name, size_t len);

#endif
