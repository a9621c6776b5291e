/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The machine's files, in sysfs, procfs and elsewhere. No file is stored. Each access goes through the files that the
 * machine has now, directory by directory, until um_sim_offer() finds the one that the search is for. Only the content
 * of this file is composed, as in the kernel.
 */
#ifndef UM_SIM_SEARCH_H
#define UM_SIM_SEARCH_H

#include "sim/machine.h"

struct um_sim_search {
	struct uncoremsr_sim *sim;
	const char *path;
	const char *rest;        /* the part of @path below the directory that was entered; "": that directory itself */
	int result;              /* 0: @path is a file; -EISDIR; -ENOENT; the file's own error */
	bool done;               /* the search is finished */
	/* The file's content has @len bytes; @buf gets the @size bytes of it that follow @skip bytes. */
	char *buf;
	size_t size, skip, len;
	/* How to write to the file. 0; -EINVAL. NULL: it is read-only. */
	int (*store)(struct uncoremsr_sim *sim, unsigned cpu, const char *text);
	unsigned cpu;            /* argument of @store */
	/* To list a directory: the function for each name (NULL: do not list), its last result, the names so far. */
	int (*list)(void *user, const char *name, int is_dir);
	void *user;
	int answer;
	char (*seen)[256];
	size_t num_seen;
};

/* Enter an existing directory, given by its full path. False: @path is not in it, so its files can be skipped. */
bool um_sim_enter(struct um_sim_search *s, const char *fmt, ...) UM_PRINTF(2, 3);
/*
 * Offer a file by its path below the entered directory. True: it is the one that the search is for, and the caller
 * prints its content. A path that ends with '/' is a directory without files.
 */
bool um_sim_offer(struct um_sim_search *s, const char *fmt, ...) UM_PRINTF(2, 3);
/* Append text or any bytes to the content. */
void um_sim_print(struct um_sim_search *s, const char *fmt, ...) UM_PRINTF(2, 3);
void um_sim_put(struct um_sim_search *s, const void *data, size_t len);
/* Offer a file with one line; @fmt has no newline at the end. */
void um_sim_offer_line(struct um_sim_search *s, const char *name, const char *fmt, ...) UM_PRINTF(3, 4);
/* Offer a file with a list of CPUs, as the kernel prints it: those for which @test is true. @of is passed to @test. */
typedef bool um_sim_cpu_test(const struct uncoremsr_sim *sim, unsigned cpu, const void *of);
void um_sim_offer_cpus(struct um_sim_search *s, const char *name, um_sim_cpu_test *test, const void *of);
/* Offer a file with a list of the online CPUs of the package, die, ... of @cpu. */
void um_sim_offer_sharing(struct um_sim_search *s, const char *name, enum um_sim_scope scope, unsigned cpu);

/*
 * Offer all files of one subject. files.c calls these functions. Each is in the source file of its name, but
 * um_sim_system_files() is in cpu_files.c.
 */
void um_sim_cpu_files(struct um_sim_search *s);
void um_sim_system_files(struct um_sim_search *s);
void um_sim_heat_files(struct um_sim_search *s);
void um_sim_kernel_files(struct um_sim_search *s);
void um_sim_imc_files(struct um_sim_search *s);
/* heat_files.c: the files in the folder of an online CPU. */
void um_sim_cpu_heat_files(struct um_sim_search *s, unsigned cpu);

#endif
