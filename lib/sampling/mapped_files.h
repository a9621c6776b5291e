/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The files named by the MMAP2 records of a recording, each once, with their build ids. */
#ifndef UM_SAMPLING_MAPPED_FILES_H
#define UM_SAMPLING_MAPPED_FILES_H

#include "common/error.h"
#include "uncoremsr/perf_data.h"

/* Initialize with zeros. */
struct um_mapped_files {
	struct uncoremsr_perf_data_build *builds;
	size_t num;
	void *names;                 /* tree (tsearch(3)) of the names in @builds */
	bool failed;                 /* an allocation failed, so a name is missing */
};

/* Add a name while sampling. The file is not opened, because that would take too long. */
void um_mapped_files_add(struct um_mapped_files *m, const char *name);
/* Read the build ids of the files, drop files without one, add the kernel (@live: the running one). 0 or -ENOMEM. */
int um_mapped_files_read(struct um_mapped_files *m, bool live) UM_MUST_CHECK;
void um_mapped_files_free(struct um_mapped_files *m);

#endif
