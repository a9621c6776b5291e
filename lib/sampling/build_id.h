/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What tells a program from another build of it: the note that the linker leaves in the file. */
#ifndef UM_SAMPLING_BUILD_ID_H
#define UM_SAMPLING_BUILD_ID_H

#include <stdbool.h>
#include <stddef.h>

#include "sampling/file_writer.h"

/* In the bytes of notes (ELF, 32 and 64 bits alike), aligned to @align. False: there is none. */
bool um_build_id_of_notes(struct um_perf_data_build *b, const unsigned char *notes, size_t len, size_t align);
/* Of an ELF file of this machine's byte order. */
bool um_build_id_of_file(struct um_perf_data_build *b, const char *path);

#endif
