/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tables of files. Their contents are composed on each read, as in the kernel. */
#ifndef UM_SIM_FILE_TABLE_H
#define UM_SIM_FILE_TABLE_H

#include "sim/machine.h"
#include "sim/text.h"

/*
 * Placeholders in paths: '#' a CPU number; '@' a package, counted from 0; '^' a node (an Intel die), counted from 0
 * over all packages; '!' the number of the node's sensor folder; '%' a core of the node, as coretemp numbers its
 * sensors. For all but '#' the functions get the first CPU of the package, node or core.
 */
struct um_sim_file {
	const char *path;
	void (*show)(struct uncoremsr_sim *sim, unsigned cpu, struct um_sim_text *t);
	bool (*exists)(const struct uncoremsr_sim *sim, unsigned cpu); /* NULL: always */
	/* NULL: the file is read-only. 0; -EINVAL. */
	int (*store)(struct uncoremsr_sim *sim, unsigned cpu, const char *text);
};

/* The tables, each ended by a row without a path: in cpu_files.c and heat_files.c. */
extern const struct um_sim_file um_sim_cpu_files[], um_sim_heat_files[], um_sim_system_files[];

#endif
