/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The files named by the MMAP records of a recording, each once, with their build ids. */
#ifndef UM_SAMPLING_MAPPED_FILES_H
#define UM_SAMPLING_MAPPED_FILES_H

#include "sampling/sampling.h"

struct um_mapped_files {
	struct uncoremsr_perf_data_build *builds;
	size_t num;
};

/* Read the MMAP records of the recording. 0 or -ENOMEM; files that cannot be read have no build ids. */
int um_mapped_files_read(struct um_mapped_files *m, const struct uncoremsr_sampling *s) UM_MUST_CHECK;
void um_mapped_files_free(struct um_mapped_files *m);

#endif
