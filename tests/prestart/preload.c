/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Preloaded into a program under test; runs before its main(). See prestart.h and fail_alloc.c. */
#pragma GCC visibility push(default)

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "memory/fail_alloc.h"
#include "prestart/prestart.h"

static int (*real_main)(int argc, char **argv, char **envp);

static int begin_main(int argc, char **argv, char **envp)
{
	const char *asked = getenv(PRESTART_VARIABLE);
	int fds[3];

	fail_alloc_prepare();
	if (asked) {
		if (sscanf(asked, "%d %d %d", &fds[0], &fds[1], &fds[2]) != 3)
			_exit(126);
		/* Programs that the program under test starts must run without preload.so. */
		unsetenv("LD_PRELOAD");
		unsetenv(PRESTART_VARIABLE);
		argv = prestart_serve(fds[0], fds[1], fds[2]);
		for (argc = 0; argv[argc];)
			argc++;
		envp = environ;
	}
	fail_alloc_begin();
	return real_main(argc, argv, envp);
}

int __libc_start_main(int (*main)(int, char **, char **), int argc, char **argv, void (*init)(void),
		      void (*fini)(void), void (*rtld_fini)(void), void *stack_end);

int __libc_start_main(int (*main)(int, char **, char **), int argc, char **argv, void (*init)(void),
		      void (*fini)(void), void (*rtld_fini)(void), void *stack_end)
{
	int (*start)(int (*)(int, char **, char **), int, char **, void (*)(void), void (*)(void),
		     void (*)(void), void *);

	*(void **)&start = dlsym(RTLD_NEXT, "__libc_start_main");
	real_main = main;
	return start(begin_main, argc, argv, init, fini, rtld_fini, stack_end);
}
