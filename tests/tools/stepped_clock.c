/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * For LD_PRELOAD: simulates that the system clock is set while a program runs. As soon as the file CLOCK_FILE has
 * three lines, CLOCK_REALTIME is shifted by CLOCK_STEP seconds; other clocks are not changed.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static bool is_set(void)
{
	static bool set;
	const char *file = getenv("CLOCK_FILE");
	char text[4096];
	int fd = set || !file ? -1 : open(file, O_RDONLY | O_CLOEXEC), lines = 0;
	ssize_t len = fd < 0 ? 0 : read(fd, text, sizeof(text));

	for (ssize_t i = 0; i < len; i++)
		lines += text[i] == '\n';
	if (fd >= 0)
		close(fd);
	return set = set || lines >= 3;
}

int clock_gettime(clockid_t clock, struct timespec *t)
{
	int err = (int)syscall(SYS_clock_gettime, clock, t);

	if (clock == CLOCK_REALTIME && is_set())
		t->tv_sec += atol(getenv("CLOCK_STEP"));
	return err;
}
