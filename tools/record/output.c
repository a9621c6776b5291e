/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "record/record.h"

static int refuse(const char *path, int err)
{
	return tool_say(&record_tool, err == EACCES || err == EPERM ? TOOL_NO_ACCESS : TOOL_USAGE, "%s: %s",
			path, strerror(err));
}

static int keep_old(const char *path)
{
	char *old;
	int err;

	if (asprintf(&old, "%s.old", path) < 0)
		return ENOMEM;
	err = rename(path, old) < 0 ? errno : 0;
	free(old);
	return err;
}

int record_output_open(const struct record_config *cfg, int *fd)
{
	const char *path = cfg->output;
	struct stat st;
	int err = 0;

	*fd = STDOUT_FILENO;
	if (cfg->stream)
		return 0;
	*fd = -1;
	if (lstat(path, &st) == 0) {
		if (S_ISCHR(st.st_mode))
			*fd = open(path, O_WRONLY | O_CLOEXEC);
		else if (S_ISREG(st.st_mode) || S_ISLNK(st.st_mode))
			err = keep_old(path);
		else
			return tool_say(&record_tool, TOOL_USAGE, "%s: not a file; -o - writes to a pipe", path);
	}
	/* A recording tells who runs what: it is for its owner alone. */
	if (!err && *fd < 0)
		*fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	return *fd < 0 ? refuse(path, err ? err : errno) : 0;
}
