/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * One program with all fuzzers, which links once: the name that it is called by chooses the fuzzer. Limits the work
 * that an input may cause.
 */
#include <libgen.h>

#include "fuzz.h"

/*
 * Limit against inputs whose cost explodes: number of edges between basic blocks of the library for one input. It is
 * a count, so a busy machine does not matter; the most expensive seed takes 21 million. Time in libc is limited by
 * libFuzzer.
 */
#define LIMIT_STEPS UINT64_C(100000000)

/* fuzzers.h, which tests/fuzz/run writes, has a line such as FUZZER("cpuid-dump", fuzz_cpuid_dump) for each fuzzer. */
#define FUZZER(name, target) extern void (*const target)(const char *, size_t);
#include "fuzzers.h"
#undef FUZZER

#define FUZZER(name, target) { name, &target },
static const struct {
	const char *name;
	void (*const *target)(const char *text, size_t size);
} fuzzers[] = {
#include "fuzzers.h"
};

static void (*chosen)(const char *text, size_t size);
static uint64_t steps, parser_steps;

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
void __wrap___sanitizer_cov_trace_pc(void);

/* Called at each edge; the linker replaces libFuzzer's empty function by this one. */
void __wrap___sanitizer_cov_trace_pc(void)
{
	steps++;
}

void fuzz_parsed(void)
{
	if (!parser_steps)
		parser_steps = steps;
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	const char *name = basename((*argv)[0]);

	(void)argc;
	for (size_t i = 0; i < sizeof(fuzzers) / sizeof(*fuzzers); i++)
		if (!strcmp(name, fuzzers[i].name))
			chosen = *fuzzers[i].target;
	REQUIRE(chosen);
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	/* Exactly as large as the input, so that sanitizers notice any access beyond it. */
	char *text = malloc(size + 1);

	REQUIRE(text);
	memcpy(text, data, size);
	text[size] = '\0';
	steps = parser_steps = 0;
	chosen(text, size);
	fuzz_parsed();
	if (parser_steps > LIMIT_STEPS) {
		fprintf(stderr, "too slow: %llu steps for %zu bytes\n", (unsigned long long)parser_steps, size);
		abort();
	}
	free(text);
	return 0;
}
