/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Read files that a user named, and report those that cannot be read. */
#ifndef UM_FILE_H
#define UM_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "common/error.h"
#include "uncoremsr/file.h"

bool um_is_directory(const char *path);
/* Set the message "WHAT PATH: why" for an error of uncoremsr_file_open() or uncoremsr_file_read(). Returns @err. */
int um_file_fail(struct um_error *e, const char *what, const char *path, int err) UM_CROSSES;
/* Open and read a file. The caller frees *text, which ends with a NUL. On failure *text is NULL and @e is set. */
int um_file_read(const char *what, const char *path, size_t most, unsigned flags, char **text, size_t *len,
		 struct um_error *e) UM_MUST_CHECK UM_CROSSES;

#endif
