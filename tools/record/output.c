/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/file.h"
#include "common/output.h"
#include "record/record.h"

/* Rename FILE to FILE.old, or (@back) FILE.old to FILE. */
static int rename_old(const char *path, bool back)
{
	char *old;
	int err;

	if (asprintf(&old, "%s.old", path) < 0)
		return ENOMEM;
	err = rename(back ? old : path, back ? path : old) < 0 ? errno : 0;
	free(old);
	return err;
}

int record_output_open(struct recorder *r)
{
	const char *path = r->output;
	struct stat st;
	int err = 0;

	r->fd = r->stream ? STDOUT_FILENO : -1;
	if (r->stream)
		return 0;
	if (lstat(path, &st) == 0) {
		if (S_ISCHR(st.st_mode))
			r->fd = open(path, O_WRONLY | O_CLOEXEC);
		else if (S_ISREG(st.st_mode) || S_ISLNK(st.st_mode))
			err = rename_old(path, false);
		else
			return tool_say(TOOL_USAGE, "%s: not a regular file; -o - writes to a pipe", path);
		r->kept = !err && r->fd < 0;
	}
	/* Only the owner may read a recording, because it shows who runs which programs. */
	if (!err && r->fd < 0) {
		r->fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
		r->created = r->fd >= 0;
	}
	return r->fd < 0 ? tool_file_fail(path, err ? -err : -errno) : 0;
}

void record_output_undo(const struct recorder *r)
{
	if (r->created)
		unlink(r->output);
	if (r->kept)
		rename_old(r->output, true);
}
