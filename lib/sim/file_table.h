/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The machine's files, in sysfs, procfs and elsewhere. Their contents are composed on each read, as in the kernel. */
#ifndef UM_SIM_FILE_TABLE_H
#define UM_SIM_FILE_TABLE_H

#include <string.h>

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

/* Print a kernel-style list of the CPUs that pass a test, and a line end. @of is passed to the test. */
typedef bool um_sim_cpu_test(const struct uncoremsr_sim *sim, unsigned cpu, unsigned of);
void um_sim_print_cpus(const struct uncoremsr_sim *sim, struct um_sim_text *t, um_sim_cpu_test *test, unsigned of);

/* Define a function show_NAME() for the member @show. */
#define SHOW(name) static void show_##name(struct uncoremsr_sim *sim UM_SIM_UNUSED, unsigned cpu UM_SIM_UNUSED, \
					   struct um_sim_text *t)

/* The tables, each ended by a row without a path: in cpu_files.c and heat_files.c. */
extern const struct um_sim_file um_sim_cpu_files[], um_sim_heat_files[], um_sim_system_files[];

/*
 * Files that are in no table: those of the kernel's PMUs (kernel_files.c) and of POWER's firmware (imc_files.c). The
 * functions call @visit with the path and content of each file. If @visit returns other than 0, they stop and return
 * that value. They return a negative errno after failures of their own. They may leave out files that are neither *path
 * nor below it. *path becomes relative to the directory to which the visited paths are relative. A visited path that
 * ends with '/' is a directory.
 */
struct um_sim_visitor {
	int (*visit)(struct um_sim_visitor *v, const char *path, const void *data, size_t len);
};

int um_sim_kernel_visit(const struct uncoremsr_sim *sim, const char **path, struct um_sim_visitor *v);
int um_sim_imc_visit(const struct uncoremsr_sim *sim, const char **path, struct um_sim_visitor *v);

static inline int um_sim_visit_text(struct um_sim_visitor *v, const char *path, const char *text)
{
	return v->visit(v, path, text, strlen(text));
}

/* The part of @path below the directory @dir; "": they are the same; NULL: @path is not below @dir. */
static inline const char *um_sim_path_below(const char *path, const char *dir)
{
	size_t len = strlen(dir);

	if (!len)
		return path;
	if (strncmp(path, dir, len))
		return NULL;
	return !path[len] ? path + len : path[len] == '/' ? path + len + 1 : NULL;
}

#endif
