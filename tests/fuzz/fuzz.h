/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the fuzzers share. Each of them is a function over any bytes, "target"; this gives it the
 * entry point of libFuzzer, and a limit of time that is far below the seconds libFuzzer can count.
 */
#ifndef FUZZ_H
#define FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/*
 * Against inputs whose cost explodes, not a measurement: the slowest seed takes 2 ms in a plain build
 * and 20 to 40 ms with sanitizers on a busy machine; what was found and mended took a second.
 */
#define FUZZ_LIMIT_NS INT64_C(300000000)
#define FUZZ_TRIES 4

/* What has to hold; the input is then a finding like a crash. */
#define REQUIRE(condition) \
	do { \
		if (!(condition)) { \
			fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
			abort(); \
		} \
	} while (0)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* @text holds @size bytes, NUL bytes among them perhaps, and a NUL behind them. */
static void target(const char *text, size_t size);

static struct timespec fuzz_started;
static int64_t fuzz_ns; /* time of the parser; -1: still running */

/* The parser is done: what follows only looks at what it made. */
static inline void fuzz_parsed(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	if (fuzz_ns < 0)
		fuzz_ns = (now.tv_sec - fuzz_started.tv_sec) * INT64_C(1000000000) +
			  now.tv_nsec - fuzz_started.tv_nsec;
}

static inline int64_t fuzz_time(const char *text, size_t size)
{
	fuzz_ns = -1;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &fuzz_started);
	target(text, size);
	fuzz_parsed();
	return fuzz_ns;
}

/* Slow every time: what disturbs one run (a page fault, the other programs) must not count. */
static inline void fuzz_time_limit(const char *text, size_t size)
{
	int64_t ns = 0;

	for (int i = 0; i < FUZZ_TRIES; i++) {
		ns = fuzz_time(text, size);
		if (ns <= FUZZ_LIMIT_NS)
			return;
	}
	fprintf(stderr, "too slow: %lld us for %zu bytes\n", (long long)(ns / 1000), size);
	abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	/* Exactly as large as the input, so that the sanitizer sees each byte behind it. */
	char *text = malloc(size + 1);

	REQUIRE(text);
	memcpy(text, data, size);
	text[size] = '\0';
	fuzz_time_limit(text, size);
	free(text);
	return 0;
}

#endif
