/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * For all fuzzers. Each is a function "target" that accepts any bytes. FUZZER, which tests/fuzz/run defines, is the
 * name by which main.c finds it.
 */
#ifndef FUZZ_H
#define FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A condition that must hold; otherwise the input is reported like a crash. */
#define REQUIRE(condition) \
	do { \
		if (!(condition)) { \
			fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
			abort(); \
		} \
	} while (0)

/* Call it when the parser has finished; later steps only read its result. */
void fuzz_parsed(void);

#ifdef FUZZER
/* @text has @size bytes, which may include NUL bytes, and a final NUL. */
static void target(const char *text, size_t size);

extern void (*const FUZZER)(const char *text, size_t size);
void (*const FUZZER)(const char *text, size_t size) = target;
#endif

#endif
