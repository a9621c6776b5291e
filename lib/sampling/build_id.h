/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Build ids: ELF notes that identify one particular build of a program. */
#ifndef UM_SAMPLING_BUILD_ID_H
#define UM_SAMPLING_BUILD_ID_H

#include <stdbool.h>
#include <stddef.h>

#include "uncoremsr/perf_data.h"

/* Find the build id in ELF notes that are aligned to @align bytes. Returns false if there is none. */
bool um_build_id_of_notes(struct uncoremsr_perf_data_build *b, const unsigned char *notes, size_t len, size_t align);
/* Read the build id of an ELF file. Files in another byte order are not supported. */
bool um_build_id_of_file(struct uncoremsr_perf_data_build *b, const char *path);

#endif
