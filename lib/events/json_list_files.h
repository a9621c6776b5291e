/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Which files of a directory are the event lists of a processor. */
#ifndef UM_PERF_LIST_FILES_H
#define UM_PERF_LIST_FILES_H

#include <stdbool.h>
#include <stdint.h>

#include "common/error.h"
#include "machine/machine.h"

bool um_is_directory(const char *path);
/*
 * Those that DIR/mapfile.csv names for the processor; without such a file those that are called
 * VENDOR-FAMILY-MODEL[-STEPPING]-TYPE.json[.gz], as downloaders of the lists call them. @fn stops
 * when it returns other than 0. -ENOENT: none for this processor (sentence in @e).
 */
int um_list_files(const char *dir, const struct um_identity *id,
		  int (*fn)(void *user, const char *path, uint8_t core_type), void *user,
		  struct um_error *e) UM_MUST_CHECK;
/*
 * Is @pattern ("GenuineIntel-6-55-[01234]", "GenuineIntel-6-9E") this processor? With @exact only
 * patterns that name a stepping.
 */
bool um_list_is_for(const char *pattern, const struct um_identity *id);

#endif
