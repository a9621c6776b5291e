/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Runs the suites named as arguments, or all of them, on every CPU: each worker takes the next suite.
 * CK_TAP_LOG_FILE_NAME (libcheck) writes the results as TAP. CK_FORK=no runs all in this process,
 * for a debugger; UNIT_JOBS=N sets the number of workers.
 */
#include <check.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "suites.h"

#define NAME_AND_MAKER(name) { #name, name##_suite },
static const struct {
	const char *name;
	Suite *(*make)(void);
} suites[] = { SUITES(NAME_AND_MAKER) };

enum { NUM_SUITES = sizeof(suites) / sizeof(suites[0]) };

static size_t wanted[NUM_SUITES], num_wanted;

/* What the workers share. */
static struct { atomic_size_t next, checks, failures, errors; } *shared;

static void run_suite(size_t i, const char *tap)
{
	const char *verbosity = getenv("CK_VERBOSITY");
	SRunner *sr = srunner_create(suites[wanted[i]].make());
	char name[4096];
	TestResult **failed;
	int num;

	if (tap) {
		snprintf(name, sizeof(name), "%s.%zu", tap, i);
		srunner_set_tap(sr, name);
	}
	srunner_run_all(sr, CK_SILENT);
	num = srunner_ntests_failed(sr);
	failed = srunner_failures(sr);
	for (int k = 0; k < num; k++)
		(*(tr_rtype(failed[k]) == CK_FAILURE ? &shared->failures : &shared->errors))++;
	free(failed);
	shared->checks += (size_t)srunner_ntests_run(sr);
	if (!verbosity || strcmp(verbosity, "silent")) {
		if (verbosity && !strcmp(verbosity, "verbose"))
			srunner_print(sr, CK_VERBOSE);
		else if (num)
			srunner_print(sr, CK_NORMAL);
	}
	fflush(stdout);
	srunner_free(sr);
}

/* The TAP files of the suites become one, with one count and one plan. */
static void join_tap(const char *tap)
{
	FILE *out = fopen(tap, "w"), *in;
	char name[4096], *line = NULL;
	size_t size = 0, n = 0;

	if (!out)
		return;
	for (size_t i = 0; i < num_wanted; i++) {
		snprintf(name, sizeof(name), "%s.%zu", tap, i);
		in = fopen(name, "r");
		if (!in)
			continue;
		while (getline(&line, &size, in) > 0) {
			const char *rest = strstr(line, " - ");

			if (!strncmp(line, "ok ", 3) || !strncmp(line, "not ok ", 7))
				fprintf(out, "%s %zu%s", line[0] == 'o' ? "ok" : "not ok", ++n,
					rest ? rest : "\n");
			else if (strncmp(line, "1..", 3))
				fputs(line, out);
		}
		fclose(in);
		unlink(name);
	}
	fprintf(out, "1..%zu\n", n);
	fclose(out);
	free(line);
}

static int run_parallel(long workers)
{
	const char *tap = getenv("CK_TAP_LOG_FILE_NAME");
	int status, broken = 0;

	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (shared == MAP_FAILED)
		return perror("mmap"), EXIT_FAILURE;
	fflush(NULL);
	for (long w = 0; w < workers; w++)
		if (fork() == 0) {
			for (size_t i; (i = shared->next++) < num_wanted;)
				run_suite(i, tap);
			_exit(0);
		}
	while (wait(&status) > 0 || errno == EINTR)
		broken |= status;
	if (tap)
		join_tap(tap);
	printf("%zu%%: Checks: %zu, Failures: %zu, Errors: %zu%s\n",
	       shared->checks ? 100 - (shared->failures + shared->errors) * 100 / shared->checks : 0,
	       shared->checks, shared->failures, shared->errors, broken ? "; a worker died" : "");
	/* Nothing run (CK_RUN_SUITE mistyped, for one) is nothing shown. */
	return shared->failures || shared->errors || broken || !shared->checks ? EXIT_FAILURE
									      : EXIT_SUCCESS;
}

static int run_here(void)
{
	SRunner *sr = srunner_create(NULL);
	int failed;

	for (size_t i = 0; i < num_wanted; i++)
		srunner_add_suite(sr, suites[wanted[i]].make());
	srunner_run_all(sr, CK_ENV);
	failed = srunner_ntests_failed(sr) || !srunner_ntests_run(sr);
	srunner_free(sr);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

/* Adds the suites of this name; NULL: all. */
static void want(const char *name)
{
	size_t before = num_wanted;

	for (size_t i = 0; i < NUM_SUITES && num_wanted < NUM_SUITES; i++)
		if (!name || !strcmp(name, suites[i].name))
			wanted[num_wanted++] = i;
	if (num_wanted > before)
		return;
	fprintf(stderr, "unit: no suite '%s'; there are:", name);
	for (size_t i = 0; i < NUM_SUITES; i++)
		fprintf(stderr, " %s", suites[i].name);
	fputc('\n', stderr);
	exit(2);
}

int main(int argc, char **argv)
{
	const char *fork_mode = getenv("CK_FORK"), *jobs = getenv("UNIT_JOBS");
	long workers = jobs ? atol(jobs) : sysconf(_SC_NPROCESSORS_ONLN);

	for (int i = 1; i < argc; i++)
		want(argv[i]);
	if (argc < 2)
		want(NULL);
	if ((fork_mode && !strcmp(fork_mode, "no")) || getenv("CK_XML_LOG_FILE_NAME"))
		return run_here();
	return run_parallel(workers < 1 ? 1 : workers > 64 ? 64 : workers);
}
