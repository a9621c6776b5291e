/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The machine's sysfs and procfs: finding, reading, writing and listing files of the tables in
 * file_table.h. The kernel's PMUs have files of their own (kernel_files.c).
 */
#ifndef UM_SIM_FILES_H
#define UM_SIM_FILES_H

#include "sim/machine.h"

/* Called for each name in a directory; the listing stops when it returns other than 0. */
typedef int um_sim_name_fn(void *user, const char *name, int is_dir);

/* The public functions uncoremsr_sim_file_*(), which uncoremsr/sim.h describes, call these. */
long um_sim_file_read(struct uncoremsr_sim *sim, const char *path, char *buf, size_t size);
int um_sim_file_write(struct uncoremsr_sim *sim, const char *path, const char *text, size_t size);
int um_sim_file_list(struct uncoremsr_sim *sim, const char *path, um_sim_name_fn *fn, void *user);

#endif
