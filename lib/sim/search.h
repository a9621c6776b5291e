/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The machine's files, in sysfs, procfs and elsewhere. None is stored. At each access the functions below offer the
 * files that the machine has now, directory by directory, and the search takes the one that it looks for. Only then the
 * content is composed, as in the kernel.
 */
#ifndef UM_SIM_SEARCH_H
#define UM_SIM_SEARCH_H

#include "sim/machine.h"

struct um_sim_search {
	struct uncoremsr_sim *sim;
	const char *path;
	const char *rest;        /* the part of @path below the directory that was entered; "": @path is that one */
	int result;              /* 0: @path is a file; -EISDIR; -ENOENT; the file's own error */
	bool done;               /* nothing more is looked for */
	/* The file's content has @len bytes; @buf gets the @size bytes of it that follow @skip bytes. */
	char *buf;
	size_t size, skip, len;
	/* How to write to the file. 0; -EINVAL. NULL: it is read-only. */
	int (*store)(struct uncoremsr_sim *sim, unsigned cpu, const char *text);
	unsigned cpu;            /* argument of @store */
	/* To list a directory: the function for each name (NULL: do not list), what it returned last, and its names. */
	int (*list)(void *user, const char *name, int is_dir);
	void *user;
	int answer;
	char (*seen)[256];
	size_t num_seen;
};

/* Enter a directory that exists, whatever was entered before. False: @path is not there, so its files do not matter. */
bool um_sim_enter(struct um_sim_search *s, const char *fmt, ...) UM_PRINTF(2, 3);
/*
 * Offer a file of the directory, by its path from there. True: it is the one, and the caller prints its content. A path
 * that ends with '/' is a directory that nothing else shows.
 */
bool um_sim_offer(struct um_sim_search *s, const char *fmt, ...) UM_PRINTF(2, 3);
/* Append text or any bytes to the content. */
void um_sim_print(struct um_sim_search *s, const char *fmt, ...) UM_PRINTF(2, 3);
void um_sim_put(struct um_sim_search *s, const void *data, size_t len);
/* Offer a file with one line, without its line end in @fmt. */
void um_sim_offer_line(struct um_sim_search *s, const char *name, const char *fmt, ...) UM_PRINTF(3, 4);
/* Offer a file with a list of CPUs, as the kernel prints it: those that pass a test, which gets @of. */
typedef bool um_sim_cpu_test(const struct uncoremsr_sim *sim, unsigned cpu, const void *of);
void um_sim_offer_cpus(struct um_sim_search *s, const char *name, um_sim_cpu_test *test, const void *of);
/* Offer a file with a list of the online CPUs of the package, die, ... of @cpu. */
void um_sim_offer_sharing(struct um_sim_search *s, const char *name, enum um_sim_scope scope, unsigned cpu);

/*
 * Offer all files of a subject. files.c calls these functions; each is in the source file of its name, except system:
 * cpu_files.c.
 */
void um_sim_cpu_files(struct um_sim_search *s);
void um_sim_system_files(struct um_sim_search *s);
void um_sim_heat_files(struct um_sim_search *s);
void um_sim_kernel_files(struct um_sim_search *s);
void um_sim_imc_files(struct um_sim_search *s);
/* heat_files.c: those in the folder of an online CPU. */
void um_sim_cpu_heat_files(struct um_sim_search *s, unsigned cpu);

#endif
