/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What /dev/cpu/N/msr and /dev/cpu/N/cpuid of a simulated machine answer: a number of bytes, or a negative errno. */
#ifndef TOOL_SIMDEV_H
#define TOOL_SIMDEV_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

#include "uncoremsr.h"

struct simdev_trouble {
	int err;            /* error of the access; 0: kill the process instead */
	unsigned long left; /* number of accesses up to the one that fails; 0: no failure is set up */
	pid_t pid;          /* count only accesses of this process; 0: all accesses */
};

enum { SIMDEV_TROUBLE_TEXT = 48 };

struct simdev {
	struct uncoremsr_sim *sim;
	FILE *log;
	bool has_driver; /* the machine's kernel has the msr driver */
	bool ask_rawio;  /* refuse the msr device to processes without CAP_SYS_RAWIO */
	struct simdev_trouble trouble;
};

/* Start serving. @log: file for a line per register access, or NULL. -errno: @log cannot be opened. */
int simdev_start(struct simdev *d, struct uncoremsr_sim *sim, const char *log);
/* Stop, and close the log. 0, or a negative errno: the log is not complete. */
int simdev_stop(struct simdev *d);

/* Does the CPU have a device node? The nodes are removed when the CPU goes offline. */
bool simdev_has_cpuid(struct simdev *d, unsigned cpu);
bool simdev_has_msr(struct simdev *d, unsigned cpu);

/* @pid: the process that makes the access. */
int simdev_open_msr(struct simdev *d, pid_t pid, unsigned cpu, int flags);
/* If @from is NULL, read @size bytes into @in; otherwise write @size bytes from @from. */
int simdev_access_msr(struct simdev *d, pid_t pid, unsigned cpu, char *in, const char *from, size_t size, off_t pos);
/* Set or get the failure: "none", "kill K" or "ERRNO K". A process id may follow K. Setting returns 0 or -EINVAL. */
int simdev_set_trouble(struct simdev *d, const char *text, size_t size);
void simdev_trouble(const struct simdev_trouble *t, char text[SIMDEV_TROUBLE_TEXT]);
int simdev_read_cpuid(struct simdev *d, unsigned cpu, char *buf, size_t size, off_t pos);

#endif
