/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The machine's files, in sysfs, procfs and elsewhere. No file is stored. A search calls the functions that know the
 * machine's current files, directory by directory, until um_sim_offer() finds the file. Only this file's content is
 * composed, as in the kernel.
 */
#ifndef UM_SIM_SEARCH_H
#define UM_SIM_SEARCH_H

#include "sim/machine.h"

struct um_sim_search {
	struct uncoremsr_sim *sim;
	const char *path;
	const char *rest;        /* rest of @path below the entered directory; "": @path is that directory */
	int result;              /* 0: @path is a file; -EISDIR: a directory; -ENOENT: not found; or a file's error */
	bool done;
	/* The file's content has @len bytes. @buf gets up to @size of them, from offset @skip on. */
	char *buf;
	size_t size, skip, len;
	/* Called to write to the file; NULL if it is read-only. Returns 0 or -EINVAL. */
	int (*store)(struct uncoremsr_sim *sim, unsigned cpu, const char *text);
	unsigned cpu;            /* argument of @store */
	/* For a listing: the function to call for each name (or NULL), its last result, and the names so far. */
	int (*list)(void *user, const char *name, int is_dir);
	void *user;
	int answer;
	char (*seen)[256];
	size_t num_seen;
};

/* Enter an existing directory, given by its full path. False: @path is not in it, so its files can be skipped. */
bool um_sim_enter(struct um_sim_search *s, const char *fmt, ...) UM_PRINTF(2, 3);
/*
 * Compare the searched path with a file, given by its path below the entered directory. True: they are equal, and the
 * caller must print the file's content. A path that ends with '/' is a directory without files.
 */
bool um_sim_offer(struct um_sim_search *s, const char *fmt, ...) UM_PRINTF(2, 3);
void um_sim_print(struct um_sim_search *s, const char *fmt, ...) UM_PRINTF(2, 3);
void um_sim_put(struct um_sim_search *s, const void *data, size_t len);
/* um_sim_offer() for a file with one line; @fmt has no newline at the end. */
void um_sim_offer_line(struct um_sim_search *s, const char *name, const char *fmt, ...) UM_PRINTF(3, 4);
/* um_sim_offer() for a list of CPUs as the kernel prints it: those for which @test is true. @of is passed to @test. */
typedef bool um_sim_cpu_test(const struct uncoremsr_sim *sim, unsigned cpu, const void *of);
void um_sim_offer_cpus(struct um_sim_search *s, const char *name, um_sim_cpu_test *test, const void *of);
/* um_sim_offer() for a list of the online CPUs of the package, die, ... of @cpu. */
void um_sim_offer_sharing(struct um_sim_search *s, const char *name, enum um_sim_scope scope, unsigned cpu);

/* Search the files of one subject. files.c calls these functions. */
void um_sim_cpu_files(struct um_sim_search *s);
void um_sim_system_files(struct um_sim_search *s);
void um_sim_heat_files(struct um_sim_search *s);
void um_sim_kernel_files(struct um_sim_search *s);
void um_sim_imc_files(struct um_sim_search *s);
/* heat_files.c: the files in the folder of an online CPU. */
void um_sim_cpu_heat_files(struct um_sim_search *s, unsigned cpu);

#endif
