/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the fuzzers share. Each of them is a function over any bytes, "target"; this gives it the
 * entry point of libFuzzer, and a limit of the work that an input may cause.
 */
#ifndef FUZZ_H
#define FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Against inputs whose cost explodes: so many edges between basic blocks of the library may one input
 * take. They are counted, not timed, so a busy machine changes nothing; the costliest seed
 * takes 21 million. What libc does in between is bounded by libFuzzer's own limit of time.
 */
#define FUZZ_LIMIT_STEPS UINT64_C(100000000)

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

static uint64_t fuzz_steps, fuzz_parser_steps;

/* Called at each edge; the linker gives it the place of libFuzzer's, which does nothing. */
void __wrap___sanitizer_cov_trace_pc(void);
void __wrap___sanitizer_cov_trace_pc(void)
{
	fuzz_steps++;
}

/* The parser is done: what follows only looks at what it made. */
static inline void fuzz_parsed(void)
{
	if (!fuzz_parser_steps)
		fuzz_parser_steps = fuzz_steps;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	/* Exactly as large as the input, so that the sanitizer sees each byte behind it. */
	char *text = malloc(size + 1);

	REQUIRE(text);
	memcpy(text, data, size);
	text[size] = '\0';
	fuzz_steps = fuzz_parser_steps = 0;
	target(text, size);
	fuzz_parsed();
	if (fuzz_parser_steps > FUZZ_LIMIT_STEPS) {
		fprintf(stderr, "too slow: %llu steps for %zu bytes\n",
			(unsigned long long)fuzz_parser_steps, size);
		abort();
	}
	free(text);
	return 0;
}

#endif
