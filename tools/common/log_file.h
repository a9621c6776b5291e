/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A file that takes a tool's output (-o FILE), perhaps for months: logrotate(8) renames it (a new one
 * is made at the next line) or truncates it (every write goes to the end, wherever that is then).
 */
#ifndef TOOL_LOG_FILE_H
#define TOOL_LOG_FILE_H

#include <limits.h>
#include <stdbool.h>
#include <sys/types.h>

#include "common/output.h"

struct log_file {
	const char *path; /* NULL: the output stays what it is */
	bool append;      /* what the file holds stays */
	bool whole;       /* each time it is written it is replaced: a reader never sees a part */
	bool begun;
	dev_t dev;        /* of the file that is open, to see whether it was replaced */
	ino_t ino;
	char name[PATH_MAX + 16]; /* for messages */
};

/*
 * @o writes into @f->path from now on, unless that is NULL. What a file holds that is to start anew
 * goes away only when something is written. 0 or a negative errno.
 */
int log_open(struct log_file *f, struct out *o);
/*
 * Write what was collected, and where @f->whole put it in the place of the file: into ".NAME.tmp" beside it,
 * which then gets the name. 0 or the errno of the first failure, as out_flush().
 */
int log_flush(const struct log_file *f, struct out *o);
/* Open the file again if it was renamed or removed. Where that fails the next call tries again. */
void log_renew(struct log_file *f, struct out *o);
/*
 * Before something is collected for it: is this the first line of the file, so that what heads it
 * belongs there? Of what is no plain file: of the run.
 */
bool log_begins(struct log_file *f, struct out *o);
/* Does the file hold something that begins in another way than with @head? */
bool log_differs(const struct log_file *f, const char *head, size_t len);

#endif
