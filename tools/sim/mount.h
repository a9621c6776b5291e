/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* uncore-sim mount: a simulated machine as a directory. Only in builds with FUSE (HAVE_FUSE). */
#ifndef TOOLS_MOUNT_H
#define TOOLS_MOUNT_H

#include <stdbool.h>

#include "common/options.h"
#include "uncoremsr/sim.h"

struct mount_options {
	const char *log;  /* file that gets one line per register access, or NULL */
	bool daemon;      /* return as soon as the mount is ready */
	bool allow_other;
};

/* Serve @sim in @dir until stopped or unmounted. Returns the exit status; prints errors on stderr. */
int mount_machine(struct uncoremsr_sim *sim, const char *dir, const struct mount_options *o);

#endif
