/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Files that a command line names. */
#ifndef TOOL_FILE_H
#define TOOL_FILE_H

#include <stddef.h>
#include <stdint.h>

#include "common/options.h"

/* Says why it cannot be read: "PATH: why". Returns the exit status for @err, a negative errno. */
int tool_file_fail(const struct tool *tool, const char *path, int err);
/*
 * All of a file of at most @most bytes, with a NUL behind it; @path NULL: standard input. With @more, of a larger
 * one the beginning, and *more tells that it was larger. 0, and *text is to be freed; or the exit status after
 * saying why, and *text is NULL.
 */
int tool_file_read(const struct tool *tool, const char *path, uint64_t most, char **text, size_t *len,
		   bool *more);

#endif
