/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* For LD_PRELOAD: simulates a kernel without CAP_PERFMON, like those before Linux 5.8. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdarg.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

int prctl(int option, ...)
{
	unsigned long arg[4];
	va_list ap;

	va_start(ap, option);
	for (int i = 0; i < 4; i++)
		arg[i] = va_arg(ap, unsigned long);
	va_end(ap);
	if (option == PR_CAPBSET_READ && arg[0] == 38) {
		errno = EINVAL;
		return -1;
	}
	return (int)syscall(SYS_prctl, option, arg[0], arg[1], arg[2], arg[3]);
}
