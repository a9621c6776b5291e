/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Files that a command line names. */
#ifndef TOOL_FILE_H
#define TOOL_FILE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/options.h"

/* The exit status if a file cannot be opened; @err is a negative errno. (If writing fails, see out_finish().) */
int tool_file_status(int err);
/* Print "PATH: why" for @err, a negative errno. Returns the exit status. */
int tool_file_fail(const char *path, int err);
/*
 * Read a file of at most @most bytes, or standard input if @path is NULL, and add a NUL. A larger file is an error if
 * @more is NULL; else it is truncated, and *more is set. Returns 0, and the caller frees *text; or the exit status
 * after a message, with *text NULL.
 */
int tool_file_read(const char *path, uint64_t most, char **text, size_t *len, bool *more);

bool file_is_same(const char *a, const char *b);

/*
 * A file that is replaced as a whole: the new one is written beside it and then renamed, so that a reader never sees
 * half of it. Only a plain file is replaced; a terminal, pipe or device is written into.
 */
struct file_next {
	char path[PATH_MAX]; /* path of the file; its symbolic links are resolved if the file is replaced */
	char next[PATH_MAX + 32];
	bool replaces;
};

void file_next_init(struct file_next *n, const char *path);
/* Open the new file, or the device. Returns a descriptor or a negative errno. */
int file_next_open(struct file_next *n);
/* Close @fd. If @err is 0, the new file replaces the old one; else it is removed. Returns @err, or a later errno. */
int file_next_end(const struct file_next *n, int fd, int err);

#endif
