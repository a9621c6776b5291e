/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Files whose names a user gave, and what is said of those that cannot be read. */
#ifndef UM_FILE_H
#define UM_FILE_H

#include <stddef.h>

#include "common/error.h"
#include "uncoremsr/file.h"

/* "WHAT PATH: why", for an error of uncoremsr_file_open() or uncoremsr_file_read(). Returns @err. */
int um_file_fail(struct um_error *e, const char *what, const char *path, int err);
/* Both of them. *text has a NUL behind it and is to be freed; NULL on failure, which um_file_fail() tells. */
int um_file_read(const char *what, const char *path, size_t most, unsigned flags, char **text, size_t *len,
		 struct um_error *e) UM_MUST_CHECK;

#endif
