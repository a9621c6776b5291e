/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * IMC catalogs: the events of POWER's in-memory collection counters as a device tree has them, on a
 * machine completed by its firmware, or as they are published. Meaning of the properties: Linux
 * arch/powerpc/perf/imc-pmu.c and arch/powerpc/platforms/powernv/opal-imc.c, skiboot
 * doc/device-tree/imc.rst.
 */
#ifndef UM_IMC_CATALOG_H
#define UM_IMC_CATALOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"
#include "imc/tree.h"

/* Who counts, and for whom: property "type" of a unit. */
enum um_imc_level {
	UM_IMC_NO_LEVEL = 0,
	UM_IMC_THREAD = 0x1,
	UM_IMC_TRACE = 0x2,
	UM_IMC_CORE = 0x4,
	UM_IMC_NEST = 0x10,
};

/* A PMU. Texts belong to the catalog. */
struct um_imc_unit {
	const char *node;      /* "mcs01@c8" */
	char *pmu;             /* "nest_mcs01_imc", as the kernel calls it */
	enum um_imc_level level;
	uint32_t size;         /* bytes of memory that its counters are in */
	uint32_t base;         /* where its counters begin there */
	bool has_offset;       /* firmware says where its memory is: */
	uint32_t offset;       /* from what firmware gives as the base of each chip */
	uint32_t control;      /* the control block of the microcode, in the memory */
	bool repeated;         /* a unit before it has the same name: the kernel takes the first */
};

struct um_imc_event {
	size_t unit;           /* its index */
	char *name;            /* with the unit's prefix: "PM_MCS01_64B_RD_DISP_PORT01" */
	uint32_t offset;       /* of the counter, in the unit's memory; trace: see facts of the PMU */
	const char *scale;     /* "256"; NULL: none. Its own, or the unit's */
	const char *measure;   /* "MiB", or "" where the tree says so; NULL: none */
	const char *description; /* NULL: none */
};

/* A unit that cannot be a PMU. */
struct um_imc_skipped {
	const char *node;
	enum um_imc_why {
		UM_IMC_NO_TYPE,
		UM_IMC_UNKNOWN_TYPE,
		UM_IMC_NO_SIZE,
	} why;
	uint32_t type;
};

struct um_imc_catalog {
	struct um_tree *tree;
	struct um_imc_unit *units;
	struct um_imc_event *events;     /* those of a unit in one run, in its order */
	struct um_imc_skipped *skipped;
	size_t num_units, num_events, num_skipped;
	bool has_version;
	uint32_t version;                /* property version-id */
};

/* Bounds of one catalog; the largest published one has 621 events of 61 units. */
enum { UM_IMC_UNITS = 1 << 12, UM_IMC_EVENTS = 1 << 16, UM_IMC_NAME = 256 };

/* The name of a level: "nest", "core", "thread", "trace". */
const char *um_imc_level_name(enum um_imc_level level);

/*
 * Take a tree as a catalog. @where names it in messages. The tree is the catalog's, or freed.
 * 0; -EINVAL it is none, has no event, or has too many units or events; -ENOMEM.
 */
int um_imc_catalog_make(struct um_imc_catalog **out, struct um_tree *tree, const char *where,
			struct um_error *e) UM_MUST_CHECK;
void um_imc_catalog_free(struct um_imc_catalog *c);

/* Does a name that a user wrote stand for the unit: "nest_mcs01_imc", "nest_mcs01", "mcs01", "mcs01@c8"? */
bool um_imc_unit_is(const struct um_imc_unit *unit, const char *text, size_t len);
/* The same for a PMU's name alone. */
bool um_imc_pmu_is(const char *pmu, const char *text, size_t len);
/* Who counts on a PMU of the kernel, by its name, as imc_pmu_probe makes them; 0: it is not of IMC. */
enum um_imc_level um_imc_pmu_level(const char *pmu);

#endif
