/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A log that is written to for months: logrotate(8) renames it (a new one is made at the next line)
 * or truncates it (every write goes to the end, wherever that is then).
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "throttle/throttle.h"

static int open_file(struct throttle_run *run)
{
	int fd = open(run->cfg->output, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
	struct stat st;

	if (fd < 0)
		return -errno;
	if (fstat(fd, &st) == 0) {
		run->output_dev = st.st_dev;
		run->output_ino = st.st_ino;
	}
	return fd;
}

int throttle_output_open(struct throttle_run *run)
{
	int fd;

	if (!run->cfg->output)
		return 0;
	fd = open_file(run);
	if (fd < 0)
		return tool_say(&throttle_tool, TOOL_UNSUPPORTED, "--output: %s: %s",
				run->cfg->output, strerror(-fd));
	run->out->fd = fd;
	run->out->name = run->output_name;
	snprintf(run->output_name, sizeof(run->output_name), "--output: %s", run->cfg->output);
	return 0;
}

/* Where a new file cannot be made (its directory is gone), the old one is as good as none: it is
 * kept, and the next line tries again. */
static void renew(struct throttle_run *run)
{
	struct stat st;
	int fd;

	if (stat(run->cfg->output, &st) == 0 && st.st_dev == run->output_dev &&
	    st.st_ino == run->output_ino)
		return;
	fd = open_file(run);
	if (fd < 0)
		return;
	close(run->out->fd);
	run->out->fd = fd;
}

/* A watch may have nothing to write for months: a reader that has left is looked for. */
static void check_reader(struct out *out)
{
	struct pollfd p = { .fd = out->fd };

	if (!out->error && poll(&p, 1, 0) > 0 && (p.revents & POLLERR))
		out->error = EPIPE;
}

int throttle_output_flush(struct throttle_run *run)
{
	if (!run->out->len) {
		if (!run->cfg->output)
			check_reader(run->out);
		return run->out->error;
	}
	if (run->cfg->output)
		renew(run);
	return out_flush(run->out);
}
