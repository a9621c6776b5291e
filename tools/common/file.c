/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "common/file.h"
#include "common/output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "uncoremsr/file.h"

int tool_file_status(int err)
{
	return err == -EACCES || err == -EPERM || err == -EROFS ? TOOL_NO_ACCESS : TOOL_USAGE;
}

int tool_file_fail(const struct tool *tool, const char *path, int err)
{
	const char *shown = path ? OUT_QUOTED(path) : "standard input";

	if (err == -ENOMEM)
		return tool_say(tool, TOOL_PARTIAL, "%s: out of memory", shown);
	return tool_say(tool, tool_file_status(err), "%s: %s", shown, uncoremsr_file_error(err));
}

int tool_file_read(const struct tool *tool, const char *path, uint64_t most, char **text, size_t *len,
		   bool *more)
{
	int fd = path ? uncoremsr_file_open(path, more ? UNCOREMSR_FILE_ANY : most, 0) : STDIN_FILENO, err = fd;

	*text = NULL;
	if (fd >= 0)
		err = uncoremsr_file_read(fd, most, text, len);
	if (fd >= 0 && path)
		close(fd);
	if (more)
		*more = err > 0;
	if (err >= 0 && (more || !err))
		return 0;
	free(*text);
	*text = NULL;
	return tool_file_fail(tool, path, err > 0 ? -EFBIG : err);
}
