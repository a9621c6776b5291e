/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * One process publishes intervals as fast as it can, and others read them: each must be whole, and none older than the
 * one before. Every byte of an interval's rows is the lowest byte of the interval's number.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "agent/shared.h"

enum { READERS = 3, INTERVALS = 3000, MOST = 1000000 };

static size_t size_of(unsigned number)
{
	return number * 7919u % MOST;
}

/* Returns the exit status. */
static int read_all(const struct shared *m)
{
	struct shared_interval i = { .number = 0 };
	char *rows;

	for (unsigned last = 0; last < INTERVALS; last = i.number) {
		int got = shared_read(m, &i, &rows);

		if (!got)
			continue;
		if (got < 0 || i.number < last || i.size != size_of(i.number) || i.wall_ns != i.number)
			return 1;
		for (size_t k = 0; k < i.size; k++)
			if (rows[k] != (char)i.number)
				return 1;
		free(rows);
	}
	return 0;
}

int main(void)
{
	static char rows[MOST];
	struct shared_writer w;
	int failed = shared_create(&w), status;

	if (failed)
		return 2;
	for (int i = 0; i < READERS; i++)
		if (fork() == 0)
			_exit(read_all(shared_map(w.readable)));
	for (unsigned number = 1; number <= INTERVALS; number++) {
		memset(rows, (char)number, sizeof(rows));
		failed |= shared_publish(&w, &(struct shared_interval){ .wall_ns = number, .size = size_of(number) }, rows);
	}
	while (wait(&status) > 0)
		failed |= status;
	puts(failed ? "a reader got a part of an interval" : "whole");
	return failed != 0;
}
