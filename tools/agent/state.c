/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "agent/state.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent/agent.h"
#include "common/output.h"

static int open_in(const char *dir, const char *name)
{
	int folder, fd;

	if (mkdir(dir, 0755) < 0 && errno != EEXIST)
		return -1;
	folder = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (folder < 0)
		return -1;
	fd = openat(folder, name, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600);
	close(folder);
	return fd;
}

static bool is_file(int fd)
{
	struct stat st;

	return fstat(fd, &st) == 0 && S_ISREG(st.st_mode);
}

int state_open(const char *dir, const char *name, const char *for_what)
{
	int fd = open_in(dir, name);
	const char *why = fd < 0 ? strerror(errno) : NULL;

	if (!why && !is_file(fd))
		why = "not a regular file";
	else if (!why && flock(fd, LOCK_EX | LOCK_NB) < 0)
		why = errno == EWOULDBLOCK ? "another agent uses it" : strerror(errno);
	if (!why)
		return fd;
	tool_say(&agent_tool, 0, "%s/%s: %s; %s", OUT_QUOTED(dir), name, why, for_what);
	if (fd >= 0)
		close(fd);
	return -1;
}
