/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* IMC catalogs as lists of events: those that a user names, and the one of the machine's own device tree. */
#ifndef UM_IMC_LISTS_H
#define UM_IMC_LISTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "access/access.h"
#include "common/error.h"
#include "events/source.h"
#include "imc/catalog.h"

/* An event of a catalog, as the source of names gives it. */
struct um_imc_name {
	struct uncoremsr_event base;
	const struct um_imc_catalog *catalog;
	const struct um_imc_event *event;
	char *path;              /* "nest_mcs01_imc/PM_MCS01_64B_RD_DISP_PORT01/" */
	char terms[24];          /* "event=0xc8" */
	bool hidden;             /* one before it has the same name, and is meant by it */
};

struct um_imc_list {
	char *path;              /* of the file or folder */
	char *folder;            /* of catalogs, from which it was chosen; NULL: it was named itself */
	char version[16];        /* "0x20"; "" unknown */
	bool own;                /* of the machine's own tree */
	struct um_imc_catalog *catalog;
	struct um_imc_name *names;
};

struct um_imc_lists {
	struct um_imc_list *lists;
	size_t num;
	bool looked;             /* for the machine's own tree */
};

/* Is it a catalog, a folder with a device tree, or one with catalogs? */
bool um_imc_is_list(const char *path);
/*
 * Add a catalog. @pvr: POWER's processor version register, which chooses one of a folder of catalogs; 0:
 * unknown. How many were added; or as um_tree_file(), um_tree_folder(), um_imc_catalog_make();
 * -ENODATA @pvr has to be known; -ENOENT none is for it.
 */
int um_imc_add(struct um_imc_lists *l, const char *path, uint32_t pvr, struct um_error *e) UM_MUST_CHECK;
/*
 * Add that of proc/device-tree, once. 0, also where there is none or where it is no catalog: the kernel's
 * PMUs are what counts there. -ENOMEM.
 */
int um_imc_add_own(struct um_imc_lists *l, struct um_access *a) UM_MUST_CHECK;
/* Forget the machine's own. */
void um_imc_forget_own(struct um_imc_lists *l);
void um_imc_free(struct um_imc_lists *l);
/* The same, but for @l itself. */
void um_imc_empty(struct um_imc_lists *l);
/*
 * The catalogs that were not chosen of the folders of @l, into @others; what cannot be read is left out.
 * 0; -ENOMEM.
 */
int um_imc_add_others(struct um_imc_lists *others, const struct um_imc_lists *l) UM_MUST_CHECK;
/* The processors of a catalog that is called as the published ones: "POWER9"; NULL: they are not known. */
const char *um_imc_generation(const char *path);

/* An event by its name, with or without its PMU; NULL: there is none. */
const struct um_imc_name *um_imc_find(const struct um_imc_lists *l, const char *text, size_t len);

#endif
