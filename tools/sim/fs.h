/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The tree of files that uncore-sim mount serves. The private data of the FUSE handle is a struct simfs. */
#ifndef TOOL_SIMFS_H
#define TOOL_SIMFS_H

#define FUSE_USE_VERSION 314
#include <fuse.h>
#include <sys/stat.h>

#include "sim/dev.h"
#include "sim/run.h"

struct simfs {
	struct simrun run; /* the first member, see mounted() in run.c */
	struct simdev dev;
	struct stat msr; /* mode and owners that all msr nodes show; chmod and chown change them, as udev would */
};

extern const struct fuse_operations simfs_operations;

#endif
