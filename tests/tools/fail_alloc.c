/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Preloaded: allocation number FAIL_ALLOC of the program fails, and all after it if FAIL_ALL is set.
 * Without FAIL_ALLOC how many there were is written to the file COUNT_ALLOC.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t num, size_t size);
void *__libc_realloc(void *old, size_t size);

static unsigned long at, last;
static bool all, ready;

static bool fails(void)
{
	if (!ready)
		return false;
	at++;
	if (!last || (at != last && !(all && at > last)))
		return false;
	errno = ENOMEM;
	return true;
}

void *malloc(size_t size)
{
	return fails() ? NULL : __libc_malloc(size);
}

void *calloc(size_t num, size_t size)
{
	return fails() ? NULL : __libc_calloc(num, size);
}

void *realloc(void *old, size_t size)
{
	return fails() ? NULL : __libc_realloc(old, size);
}

__attribute__((constructor)) static void begin(void)
{
	const char *text = getenv("FAIL_ALLOC");

	last = text ? strtoul(text, NULL, 10) : 0;
	all = getenv("FAIL_ALL");
	ready = true;
}

__attribute__((destructor)) static void end(void)
{
	const char *name = getenv("COUNT_ALLOC");
	FILE *f;

	ready = false;
	f = name ? fopen(name, "w") : NULL;
	if (f) {
		fprintf(f, "%lu\n", at);
		fclose(f);
	}
}
