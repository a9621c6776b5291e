/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Runs the suites named as arguments, or all of them, on every CPU: each worker takes the next suite.
 * CK_TAP_LOG_FILE_NAME (libcheck) writes the results as TAP. CK_FORK=no runs all in this process, for a debugger;
 * UNIT_JOBS=N sets the number of workers. UNIT_FORK=suite starts a process for each suite instead of one for each test.
 * That takes half of the time, or a third with sanitizers, because the leak check then runs once per suite. A suite
 * that fails, or takes more than UNIT_LIMIT seconds (1200), is run again with a process for each test, to find the test
 * that failed. CK_DEFAULT_TIMEOUT: the seconds (300) after which a test is killed. Both limits are meant for tests that
 * hang: on a busy machine tests may take ten times as long as usual.
 */
#include <check.h>
#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "suites.h"

#define NAME_AND_MAKER(name) { #name, name##_suite },
static const struct {
	const char *name;
	Suite *(*make)(void);
} suites[] = { SUITES(NAME_AND_MAKER) };

enum { NUM_SUITES = sizeof(suites) / sizeof(suites[0]) };

static size_t wanted[NUM_SUITES], num_wanted;

/* Shared by the workers: the next suite, and the result of each. */
static struct {
	atomic_size_t next;
	struct result {
		size_t checks, failures, errors;
	} results[NUM_SUITES];
} *shared;

static void tap_name(char name[4096], const char *tap, size_t i)
{
	snprintf(name, 4096, "%s.%zu", tap, i);
}

static bool run_suite(size_t i, const char *tap, enum fork_status mode)
{
	const char *verbosity = getenv("CK_VERBOSITY");
	SRunner *sr = srunner_create(suites[wanted[i]].make());
	struct result *result = &shared->results[i];
	char name[4096];
	TestResult **failed;
	int num;

	if (tap) {
		tap_name(name, tap, i);
		srunner_set_tap(sr, name);
	}
	srunner_set_fork_status(sr, mode);
	srunner_run_all(sr, CK_SILENT);
	num = srunner_ntests_failed(sr);
	failed = srunner_failures(sr);
	*result = (struct result){ .checks = (size_t)srunner_ntests_run(sr) };
	for (int k = 0; k < num; k++)
		(*(tr_rtype(failed[k]) == CK_FAILURE ? &result->failures : &result->errors))++;
	free(failed);
	if (!verbosity || strcmp(verbosity, "silent")) {
		if (verbosity && !strcmp(verbosity, "verbose"))
			srunner_print(sr, CK_VERBOSE);
		else if (num)
			srunner_print(sr, CK_NORMAL);
	}
	fflush(stdout);
	srunner_free(sr);
	return num == 0;
}

/* Kill a process that runs longer than @seconds. Returns the wait status of the process. */
static int wait_for(pid_t pid, long seconds)
{
	const struct timespec pause = { 0, 20 * 1000 * 1000 };
	time_t end = time(NULL) + seconds;
	int status;

	while (waitpid(pid, &status, WNOHANG) == 0) {
		if (time(NULL) > end)
			kill(-pid, SIGKILL);
		nanosleep(&pause, NULL);
	}
	return status;
}

/*
 * Run a suite with one process for all its tests. A suite that fails is run again with a process for each test, which
 * repeats the messages about failures.
 */
static void run_in_one_process(size_t i, const char *tap)
{
	const char *limit = getenv("UNIT_LIMIT"), *suite = suites[wanted[i]].name;
	char how[64], name[4096];
	FILE *out;
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		setpgid(0, 0);
		exit(run_suite(i, tap, CK_NOFORK) ? EXIT_SUCCESS : EXIT_FAILURE); /* the leak check runs in exit() */
	}
	if (pid < 0) {
		perror("fork");
		exit(EXIT_FAILURE);
	}
	setpgid(pid, pid);
	status = wait_for(pid, limit ? atol(limit) : 1200);
	if (!status)
		return;
	snprintf(how, sizeof(how), WIFSIGNALED(status) ? "was killed by signal %d" : "ended with status %d",
		 WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
	fprintf(stderr, "unit: in one process the suite %s %s; now with a process for each test\n", suite, how);
	run_suite(i, tap, CK_FORK);
	shared->results[i].checks++;
	shared->results[i].errors++;
	if (!tap)
		return;
	tap_name(name, tap, i);
	out = fopen(name, "a");
	if (!out)
		return;
	fprintf(out, "not ok 0 - %s: the suite %s in one process\n", suite, how);
	fclose(out);
}

/* Join the TAP files of the suites into one file, with one numbering and one plan. */
static void join_tap(const char *tap)
{
	FILE *out = fopen(tap, "w"), *in;
	char name[4096], *line = NULL;
	size_t size = 0, n = 0;

	if (!out)
		return;
	for (size_t i = 0; i < num_wanted; i++) {
		tap_name(name, tap, i);
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
	const char *tap = getenv("CK_TAP_LOG_FILE_NAME"), *mode = getenv("UNIT_FORK");
	bool one_process = mode && !strcmp(mode, "suite");
	struct result sum = { 0 };
	int status, broken = 0;

	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (shared == MAP_FAILED)
		return perror("mmap"), EXIT_FAILURE;
	fflush(NULL);
	for (long w = 0; w < workers; w++)
		if (fork() == 0) {
			for (size_t i; (i = shared->next++) < num_wanted;)
				if (one_process)
					run_in_one_process(i, tap);
				else
					run_suite(i, tap, CK_FORK);
			_exit(0);
		}
	while (wait(&status) > 0 || errno == EINTR)
		broken |= status;
	if (tap)
		join_tap(tap);
	for (size_t i = 0; i < num_wanted; i++) {
		sum.checks += shared->results[i].checks;
		sum.failures += shared->results[i].failures;
		sum.errors += shared->results[i].errors;
	}
	printf("%zu%%: Checks: %zu, Failures: %zu, Errors: %zu%s\n",
	       sum.checks ? 100 - (sum.failures + sum.errors) * 100 / sum.checks : 0, sum.checks, sum.failures,
	       sum.errors, broken ? "; a worker died" : "");
	/* A run without any test is a failure; CK_RUN_SUITE may be misspelled. */
	return sum.failures || sum.errors || broken || !sum.checks ? EXIT_FAILURE : EXIT_SUCCESS;
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

/* Add the suites with the name @name; NULL: all suites. */
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

	setenv("CK_DEFAULT_TIMEOUT", "300", 0);
	for (int i = 1; i < argc; i++)
		want(argv[i]);
	if (argc < 2)
		want(NULL);
	if ((fork_mode && !strcmp(fork_mode, "no")) || getenv("CK_XML_LOG_FILE_NAME"))
		return run_here();
	return run_parallel(workers < 1 ? 1 : workers > 64 ? 64 : workers);
}
