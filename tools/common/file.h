/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Files that a command line names. */
#ifndef TOOL_FILE_H
#define TOOL_FILE_H

#include <stddef.h>
#include <stdint.h>

#include "common/options.h"

/*
 * The exit status if a file on the command line cannot be opened because of @err, a negative errno: TOOL_NO_ACCESS for
 * want of rights, else TOOL_USAGE. (Once it is open, a failure to write is TOOL_PARTIAL, see out_finish().)
 */
int tool_file_status(int err);
/* Print "PATH: why" for @err, a negative errno. Returns the exit status. */
int tool_file_fail(const struct tool *tool, const char *path, int err);
/*
 * Read a whole file of at most @most bytes, and add a NUL; @path NULL: standard input. If @more is not NULL, a larger
 * file is cut and *more set; else a larger file is an error. 0, and the caller frees *text; or the exit status after a
 * message, with *text NULL.
 */
int tool_file_read(const struct tool *tool, const char *path, uint64_t most, char **text, size_t *len,
		   bool *more);

#endif
