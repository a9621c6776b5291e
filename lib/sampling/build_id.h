/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Build ids: the note in an ELF file that tells one build of a program from another. */
#ifndef UM_SAMPLING_BUILD_ID_H
#define UM_SAMPLING_BUILD_ID_H

#include <stdbool.h>
#include <stddef.h>

#include "uncoremsr/perf_data.h"

/*
 * Find the build id in the bytes of ELF notes (the same for 32 and 64 bits), aligned to @align. False: there is none.
 */
bool um_build_id_of_notes(struct uncoremsr_perf_data_build *b, const unsigned char *notes, size_t len, size_t align);
/* Read the build id of an ELF file; only files of this machine's byte order are understood. */
bool um_build_id_of_file(struct uncoremsr_perf_data_build *b, const char *path);

#endif
