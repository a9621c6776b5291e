/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The register devices of a simulated machine: what /dev/cpu/N/msr and /dev/cpu/N/cpuid answer.
 * Results are a number of bytes or a negative errno. Knows nothing of FUSE.
 */
#ifndef TOOL_SIMDEV_H
#define TOOL_SIMDEV_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

#include "uncoremsr.h"

/* A failure that is set up for a coming register access. */
struct simdev_trouble {
	int err;            /* the access fails with this error; 0: its process is killed */
	unsigned long left; /* the access that fails is the n-th from now; 0: no failure is set up */
	pid_t pid;          /* count only accesses of this process; 0: all accesses */
};

enum { SIMDEV_TROUBLE_TEXT = 48 };

struct simdev {
	struct uncoremsr_sim *sim;
	FILE *log;
	bool has_driver; /* the machine's kernel has the msr driver and its nodes */
	bool ask_rawio;  /* refuse the msr device to processes without CAP_SYS_RAWIO */
	int proc;        /* descriptor of the real /proc, opened before the simulated one can be mounted over it */
	struct simdev_trouble trouble;
};

/* Start serving. @log: file for one line per register access; NULL: none. 0; -errno: the log cannot be opened. */
int simdev_start(struct simdev *d, struct uncoremsr_sim *sim, const char *log);
/* Stop, and close the log. 0, or a negative errno: the log is not complete. */
int simdev_stop(struct simdev *d);

/* Does the CPU have its nodes? They are removed when the CPU goes offline. */
bool simdev_has_cpuid(struct simdev *d, unsigned cpu);
bool simdev_has_msr(struct simdev *d, unsigned cpu);

/* @pid: the process that makes the access. */
int simdev_open_msr(struct simdev *d, pid_t pid, unsigned cpu, int flags);
/* Write @size bytes from @from or, if @from is NULL, read @size bytes into @in. */
int simdev_access_msr(struct simdev *d, pid_t pid, unsigned cpu, char *in, const char *from, size_t size, off_t pos);
/*
 * Set or get the failure that is set up: "kill K" or "ERRNO K", each optionally followed by a process id, or "none".
 * Set returns 0 or -EINVAL.
 */
int simdev_set_trouble(struct simdev *d, const char *text, size_t size);
void simdev_trouble(const struct simdev *d, char text[SIMDEV_TROUBLE_TEXT]);
int simdev_read_cpuid(struct simdev *d, unsigned cpu, char *buf, size_t size, off_t pos);

#endif
