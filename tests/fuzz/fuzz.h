/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Included by every fuzzer. A fuzzer is a file that defines a function "target", which accepts any bytes. The fuzzer's
 * name is the name of the file without ".c".
 */
#ifndef FUZZ_H
#define FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* If the condition is false, the input is reported like a crash. */
#define REQUIRE(condition) \
	do { \
		if (!(condition)) { \
			fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
			abort(); \
		} \
	} while (0)

/*
 * A fuzzer calls this when the parser has finished: only the steps before this call count against the limit in main.c.
 */
void fuzz_parsed(void);

/* Make a file with these contents. Returns its descriptor N, which the caller closes; its path is /proc/self/fd/N. */
int fuzz_file(const char *text, size_t size);

/* Register the function "target" of the fuzzer in @file. */
void fuzz_add(const char *file, void (*target)(const char *text, size_t size));

#ifndef FUZZ_MAIN
/* @text has @size bytes, which may include NUL bytes, and a final NUL. */
static void target(const char *text, size_t size);

__attribute__((constructor)) static void add_target(void)
{
	fuzz_add(__BASE_FILE__, target);
}
#endif

#endif
