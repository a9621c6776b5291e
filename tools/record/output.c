/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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

int record_output_open(const struct record_config *cfg, struct record_output *o)
{
	const char *path = cfg->output;
	struct stat st;
	int err = 0;

	*o = (struct record_output){ .fd = STDOUT_FILENO };
	if (cfg->stream)
		return 0;
	o->fd = -1;
	if (lstat(path, &st) == 0) {
		if (S_ISCHR(st.st_mode))
			o->fd = open(path, O_WRONLY | O_CLOEXEC);
		else if (S_ISREG(st.st_mode) || S_ISLNK(st.st_mode))
			err = rename_old(path, false);
		else
			return tool_say(&record_tool, TOOL_USAGE,
					"%s: not a regular file; -o - writes to a pipe", path);
		o->kept = !err && o->fd < 0;
	}
	/* Only the owner may read a recording, because it shows who runs which programs. */
	if (!err && o->fd < 0) {
		o->fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
		o->created = o->fd >= 0;
	}
	return o->fd < 0 ? tool_file_fail(&record_tool, path, err ? -err : -errno) : 0;
}

void record_output_undo(const struct record_config *cfg, const struct record_output *o)
{
	if (o->created)
		unlink(cfg->output);
	if (o->kept)
		rename_old(cfg->output, true);
}
