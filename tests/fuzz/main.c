/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * All fuzzers in one program, so that it is linked only once. The name by which the program is called chooses the
 * fuzzer. The work that an input may cause is limited.
 */
#include <libgen.h>
#include <sys/mman.h>
#include <unistd.h>

#define FUZZ_MAIN
#include "fuzz.h"

/*
 * Time limit for one input, as the number of basic blocks that are entered. Unlike a limit in seconds, it does not
 * depend on how busy the machine is. The most expensive seed takes 93 million. Time in libc is limited by libFuzzer.
 */
#define LIMIT_STEPS UINT64_C(400000000)

static struct {
	const char *file;
	void (*target)(const char *text, size_t size);
} fuzzers[32];
static size_t num;

static void (*chosen)(const char *text, size_t size);
static uint64_t steps, parser_steps;

/* Coverage counters: libFuzzer prefers inputs that change a counter for the first time. Counters may wrap. */
__attribute__((section("__libfuzzer_extra_counters"))) static uint8_t counters[1 << 17];

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
void __wrap___sanitizer_cov_trace_pc(void);

/* Called at each basic block of the library and of the fuzzers. */
void __wrap___sanitizer_cov_trace_pc(void)
{
	steps++;
	counters[(uintptr_t)__builtin_return_address(0) % sizeof(counters)]++;
}

void fuzz_add(const char *file, void (*target)(const char *text, size_t size))
{
	REQUIRE(num < sizeof(fuzzers) / sizeof(*fuzzers));
	fuzzers[num].file = file;
	fuzzers[num++].target = target;
}

void fuzz_parsed(void)
{
	if (!parser_steps)
		parser_steps = steps;
}

int fuzz_file(const char *text, size_t size)
{
	int fd = memfd_create("fuzz", MFD_CLOEXEC);

	REQUIRE(fd >= 0 && write(fd, text, size) == (ssize_t)size);
	return fd;
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	const char *name = basename((*argv)[0]), *file;
	size_t length = strlen(name);

	(void)argc;
	for (size_t i = 0; i < num; i++) {
		file = strrchr(fuzzers[i].file, '/') + 1;
		if (!strncmp(file, name, length) && !strcmp(file + length, ".c"))
			chosen = fuzzers[i].target;
	}
	REQUIRE(chosen);
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	/* The copy of the input ends at its NUL, so sanitizers notice any access beyond the NUL. */
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
