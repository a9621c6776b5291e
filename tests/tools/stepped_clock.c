/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * For LD_PRELOAD: somebody sets the system clock while a program runs. From its fourth look at it on,
 * CLOCK_REALTIME is CLOCK_STEP seconds away from what it was; the other clocks go on.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int clock_gettime(clockid_t clock, struct timespec *t)
{
	static int looks;
	const char *step = getenv("CLOCK_STEP");
	int err = (int)syscall(SYS_clock_gettime, clock, t);

	if (clock == CLOCK_REALTIME && step && looks++ > 2)
		t->tv_sec += atol(step);
	return err;
}
