/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* IMC catalogs as event lists: catalogs that a user names, and the one in the machine's own device tree. */
#ifndef UM_IMC_LISTS_H
#define UM_IMC_LISTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "access/access.h"
#include "common/error.h"
#include "names/source.h"
#include "imc/catalog.h"

struct um_imc_name {
	struct um_name base;
	const struct um_imc_list *list;
	const struct um_imc_unit *unit;
	const struct um_imc_event *event;
	char terms[24];          /* "event=0xc8" */
};

struct um_imc_list {
	struct uncoremsr_event_list shown;
	char *path;
	char version[16];        /* "0x20"; "" unknown */
	bool chosen;             /* chosen from a folder of catalogs; false: the user named this catalog */
	bool own;                /* the catalog in the machine's own device tree */
	struct um_imc_catalog *catalog;
	struct um_imc_name *names;
};

/* Is @path a catalog, a folder that holds a device tree, or a folder of catalogs? */
bool um_imc_is_list(const char *path);
/*
 * Add a catalog. @pvr: POWER's processor version register, by which the catalog is chosen from a folder of catalogs; 0:
 * unknown. Returns how many were added; -ENODATA: the folder needs a known @pvr; -ENOENT: it has no catalog for @pvr;
 * or an error of um_tree_file(), um_tree_folder(), um_imc_catalog_make().
 */
int um_imc_add(struct um_imc_lists *l, const char *path, uint32_t pvr, struct um_error *e) UM_MUST_CHECK;
/*
 * Add the catalog in the machine's own device tree (proc/device-tree); later calls do nothing. 0, even if the tree has
 * no catalog or a damaged one: names then come only from the kernel's PMUs. -ENOMEM.
 */
int um_imc_add_own(struct um_imc_lists *l, struct um_access *a) UM_MUST_CHECK;
void um_imc_forget_own(struct um_imc_lists *l);
void um_imc_free(struct um_imc_lists *l);
/* Add to @others the catalogs in the folders of @l that were not chosen; unreadable ones are skipped. 0; -ENOMEM. */
int um_imc_add_others(struct um_imc_lists *others, const struct um_imc_lists *l) UM_MUST_CHECK;
/* The processor generation ("POWER9") from the name of a published catalog; NULL: unknown. */
const char *um_imc_generation(const char *path);

/* Find an event by its name, with or without the PMU; NULL: none. */
const struct um_imc_name *um_imc_find(const struct um_imc_lists *l, const char *text, size_t len);

/* Get the scale of an event's counts, and the unit of a scaled count. If the scale is malformed: 1, and no unit. */
void um_imc_amount(const struct um_imc_event *ev, double *scale, const char **measure);

const struct um_imc_unit *um_imc_find_unit(const struct um_imc_lists *l, const char *name, size_t len);

#endif
