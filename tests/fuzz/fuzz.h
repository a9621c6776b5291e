/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Code for all fuzzers. Each fuzzer is a function "target" that accepts any bytes; this header adds libFuzzer's entry
 * point, and a limit for the work that an input may cause.
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
 * Limit against inputs whose cost explodes: number of edges between basic blocks of the library for one input. It is
 * a count, so a busy machine does not matter; the most expensive seed takes 21 million. Time in libc is limited by
 * libFuzzer.
 */
#define FUZZ_LIMIT_STEPS UINT64_C(100000000)

/* A condition that must hold; otherwise the input is reported like a crash. */
#define REQUIRE(condition) \
	do { \
		if (!(condition)) { \
			fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
			abort(); \
		} \
	} while (0)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* @text has @size bytes, which may include NUL bytes, and a final NUL. */
static void target(const char *text, size_t size);

static uint64_t fuzz_steps, fuzz_parser_steps;

/* Called at each edge; the linker replaces libFuzzer's empty function by this one. */
void __wrap___sanitizer_cov_trace_pc(void);
void __wrap___sanitizer_cov_trace_pc(void)
{
	fuzz_steps++;
}

/* Call it when the parser has finished; later steps only read its result. */
static inline void fuzz_parsed(void)
{
	if (!fuzz_parser_steps)
		fuzz_parser_steps = fuzz_steps;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	/* Exactly as large as the input, so that sanitizers notice any access beyond it. */
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
