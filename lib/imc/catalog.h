/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * IMC catalogs: the events of POWER's in-memory collection counters, from the device tree of a machine (completed by
 * its firmware) or from a published device tree. Meaning of the properties: Linux arch/powerpc/perf/imc-pmu.c and
 * arch/powerpc/platforms/powernv/opal-imc.c, skiboot doc/device-tree/imc.rst.
 */
#ifndef UM_IMC_CATALOG_H
#define UM_IMC_CATALOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"
#include "imc/tree.h"

enum um_imc_level {
	UM_IMC_NO_LEVEL = 0,
	UM_IMC_THREAD = 0x1,
	UM_IMC_TRACE = 0x2,
	UM_IMC_CORE = 0x4,
	UM_IMC_NEST = 0x10,
};

/* A PMU. The catalog owns the texts. */
struct um_imc_unit {
	const char *node;      /* "mcs01@c8" */
	char *pmu;             /* the kernel's name: "nest_mcs01_imc" */
	enum um_imc_level level;
	uint32_t size;         /* bytes of memory that holds the unit's counters */
	uint32_t base;         /* offset of the counters in the unit's memory */
	uint32_t control;      /* offset of the microcode's control block in the memory */
	bool repeated;         /* an earlier unit has the same name; the kernel uses the first */
};

struct um_imc_event {
	size_t unit;
	char *name;            /* name with the unit's prefix: "PM_MCS01_64B_RD_DISP_PORT01" */
	uint32_t offset;       /* offset of the counter in the unit's memory; for trace events the value of config */
	const char *scale;     /* scale of the event or, if it has none, of its unit: "256"; NULL: neither has one */
	const char *measure;   /* unit of the scaled count: "MiB"; "" if the property is empty; NULL: none */
	const char *description; /* NULL: none */
};

/* A unit of the tree that cannot become a PMU. */
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
	struct um_imc_event *events;     /* all events of the first unit, then those of the second unit, ... */
	struct um_imc_skipped *skipped;
	size_t num_units, num_events, num_skipped;
	bool has_version;
	uint32_t version;                /* property version-id */
};

/* Limits of one catalog; the largest published one has 621 events of 61 units. */
enum { UM_IMC_UNITS = 1 << 12, UM_IMC_EVENTS = 1 << 16, UM_IMC_NAME = 256 };

/* The name of a level: "nest", "core", "thread", "trace". */
const char *um_imc_level_name(enum um_imc_level level);

/*
 * Build a catalog from a tree, which the catalog then owns (freed on failure). @where names the tree in messages.
 * 0; -EINVAL not a catalog, no event, or too many units or events; -ENOMEM.
 */
int um_imc_catalog_make(struct um_imc_catalog **out, struct um_tree *tree, const char *where,
			struct um_error *e) UM_MUST_CHECK;
void um_imc_catalog_free(struct um_imc_catalog *c);

/* Does a user's name mean this unit: "nest_mcs01_imc", "nest_mcs01", "mcs01", "mcs01@c8"? */
bool um_imc_unit_is(const struct um_imc_unit *unit, const char *text, size_t len);
/* Does a user's name mean the kernel's PMU @pmu? Like um_imc_unit_is(), but without the node's name. */
bool um_imc_pmu_is(const char *pmu, const char *text, size_t len);
/* The level of a kernel PMU by its name, as imc_pmu_probe() builds names; 0: not an IMC PMU. */
enum um_imc_level um_imc_pmu_level(const char *pmu);

#endif
