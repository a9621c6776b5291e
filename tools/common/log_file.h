/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A file for a tool's output (-o FILE), which a tool may write for months. If logrotate(8) renames the file, a new one
 * is made at the next line. If logrotate(8) truncates it, that does no harm: every write goes to the end of the file.
 */
#ifndef TOOL_LOG_FILE_H
#define TOOL_LOG_FILE_H

#include <limits.h>
#include <stdbool.h>
#include <sys/types.h>

#include "common/file.h"
#include "common/options.h"
#include "common/records.h"

struct log_file {
	const char *path; /* NULL, or "-" for log_open(): write to standard output */
	bool append;      /* if false, log_begins() truncates an old file */
	bool whole;       /* replace the whole file at each write, so that a reader never sees half of it */
	bool begun;
	struct file_next next; /* the new file, if @whole */
	dev_t dev;        /* device and inode of the open file, to notice that it was replaced */
	ino_t ino;
	char name[PATH_MAX + 16]; /* name of the file in messages */
};

/* Let @o write into @f->path, unless that is NULL. 0, or the exit status after a message. */
int log_open(struct log_file *f, struct out *o);
/* Write what was collected, with @f->whole into a new file that replaces the old one. 0, or the first errno. */
int log_flush(struct log_file *f, struct out *o);
/* Open the file again if it was renamed or removed. If that fails, the next call tries again. */
void log_renew(struct log_file *f, struct out *o);
/*
 * Must a heading precede the next line? Yes for the first line of a plain file and, in any other output, for the first
 * line of the run. Appends a newline to @o if the file ends in an incomplete line. Call this before output is
 * collected, or out_move_front() afterwards.
 */
bool log_begins(struct log_file *f, struct out *o);
/* After log_open(): refuse to append to a file of another format or other columns. 0, or the exit status. */
int log_check(const struct log_file *f, const struct tool_common *common, const struct record_column *columns,
	      size_t num, const void *user);

#endif
