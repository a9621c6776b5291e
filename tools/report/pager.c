/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "report/report.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/privileges.h"

/* Without less, cat prints the text. (less itself just prints a text that fits on the screen.) */
static const char shell[] = "if [ -n \"$PAGER\" ]; then exec $PAGER; fi; "
			    "command -v less >/dev/null && exec less; exec cat";

int pager_start(struct pager *p)
{
	int ends[2];

	if (pipe2(ends, O_CLOEXEC))
		return -errno;
	p->pid = fork();
	if (!p->pid) {
		privileges_drop();
		dup2(ends[0], STDIN_FILENO);
		setenv("LESS", "FRX", 0);
		execl("/bin/sh", "sh", "-c", shell, (char *)NULL);
		_exit(127);
	}
	close(ends[0]);
	p->fd = ends[1];
	if (p->pid > 0)
		return 0;
	close(ends[1]);
	return -EAGAIN;
}

void pager_wait(const struct pager *p)
{
	/* Ignore Ctrl-C, which is meant for the pager. */
	signal(SIGINT, SIG_IGN);
	close(p->fd);
	while (waitpid(p->pid, NULL, 0) < 0 && errno == EINTR)
		;
}
