/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The cost of leases and journals: sessions start and stop on a simulated machine in this process, alternately with a
 * lease directory under DIR and without one; the difference is the cost.
 * usage: lease_loop DIR EVENTS ROUNDS
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "machine/handle.h"

static double now_us(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec * 1e6 + (double)ts.tv_nsec / 1e3;
}

static double start_and_stop(struct uncoremsr *um, const char *events)
{
	struct uncoremsr_session *s;
	double begin = now_us();

	if (uncoremsr_session_new(um, &s) || uncoremsr_session_add(s, events) < 0 ||
	    uncoremsr_session_start(s) || uncoremsr_session_stop(s)) {
		fprintf(stderr, "lease_loop: %s\n", uncoremsr_error(um)->message);
		exit(EXIT_FAILURE);
	}
	uncoremsr_session_free(s);
	return now_us() - begin;
}

static int by_value(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

int main(int argc, char **argv)
{
	long rounds = argc == 4 ? strtol(argv[3], NULL, 10) : 0;
	double *us = rounds > 0 ? calloc((size_t)rounds, sizeof(*us)) : NULL;
	struct uncoremsr *um;

	if (!us || uncoremsr_new(&um) || uncoremsr_set_machine(um, "sim:westmere-2s,clock=stepped") ||
	    uncoremsr_open(um))
		return EXIT_FAILURE;
	um->m.access->root = argv[1];
	for (long i = 0; i < rounds; i++) {
		double without;

		um->m.access->has_files = false;
		without = start_and_stop(um, argv[2]);
		um->m.access->has_files = true;
		us[i] = start_and_stop(um, argv[2]) - without;
	}
	qsort(us, (size_t)rounds, sizeof(*us), by_value);
	printf("%.0f us\n", us[rounds / 2]);
	uncoremsr_free(um);
	free(us);
	return 0;
}
