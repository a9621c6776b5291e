/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "prestart.h"

enum { MAX_WORDS = 256, MAX_BYTES = 1 << 16 };

static char bytes[MAX_BYTES];
static char *words[MAX_WORDS + 1];

static bool get(int fd, void *to, size_t size)
{
	for (size_t done = 0; done < size;) {
		ssize_t n = read(fd, (char *)to + done, size - done);

		if (n <= 0)
			return false;
		done += (size_t)n;
	}
	return true;
}

static bool get_words(int control)
{
	uint32_t len;
	size_t num = 0;

	if (!get(control, &len, sizeof(len)) || len > sizeof(bytes) || !get(control, bytes, len))
		return false;
	for (char *at = bytes; at < bytes + len && num < MAX_WORDS; at += strlen(at) + 1)
		words[num++] = at;
	words[num] = NULL;
	return true;
}

static char **begin(int control, int out, int err)
{
	char go, **word = words;
	int null = open("/dev/null", O_RDONLY);

	setpgid(0, 0);
	if (dup2(null, 0) < 0 || dup2(out, 1) < 0 || dup2(err, 2) < 0)
		_exit(126);
	if (read(control, &go, 1) != 1)
		_exit(126);
	for (int fd = 3; fd < 256; fd++)
		close(fd);
	for (; *word && strchr(*word, '='); word++)
		putenv(*word);
	return word;
}

char **prestart_serve(int control, int out, int err)
{
	while (get_words(control)) {
		int status = 0;
		siginfo_t ended;
		pid_t pid = fork();

		if (!pid)
			return begin(control, out, err);
		if (pid < 0)
			_exit(126);
		setpgid(pid, pid);
		if (write(control, &pid, sizeof(pid)) != sizeof(pid))
			_exit(126);
		/*
		 * Kill the processes that the run left behind, and only then reap its first process: until it is
		 * reaped, the kernel cannot reuse its PID, which is also the ID of the process group.
		 */
		while (waitid(P_PID, (id_t)pid, &ended, WEXITED | WNOWAIT) < 0 && errno == EINTR)
			;
		kill(-pid, SIGKILL);
		while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
			;
		if (write(control, &status, sizeof(status)) != sizeof(status))
			_exit(126);
	}
	_exit(0);
}
