/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * One process publishes intervals as fast as it can, and others read them. Each interval must be complete, and none may
 * be older than the previous one. Every byte of an interval's rows is the lowest byte of the interval's number.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "agent/shared.h"

enum { READERS = 3, INTERVALS = 3000, MOST = 8000 };

static size_t count_rows(unsigned number)
{
	return number * 7919u % MOST;
}

/* Returns the exit status. */
static int read_all(const struct shared *m)
{
	struct shared_interval i = { .number = 0 };
	struct series_row row;
	char *rows;

	for (unsigned last = 0; last < INTERVALS; last = i.number) {
		size_t num = 0;
		int got = shared_read(m, &i, &rows);

		if (!got)
			continue;
		if (got < 0 || i.number < last || i.wall_ns != i.number)
			return 1;
		for (size_t at = 0; shared_next(rows, i.size, &at, &row); num++)
			if (row.total.value != i.number || strcmp(row.labels.event, "an event") != 0)
				return 1;
		if (num != count_rows(i.number))
			return 1;
		free(rows);
	}
	return 0;
}

int main(void)
{
	const struct series_labels labels = { SERIES_LABELS, .event = "an event" };
	static struct shared_writer w;
	int failed = shared_create(&w), status;

	if (failed)
		return 2;
	for (int i = 0; i < READERS; i++)
		if (fork() == 0)
			_exit(read_all(shared_map(w.readable)));
	for (unsigned number = 1; number <= INTERVALS; number++) {
		struct series *s = shared_begin(&w, &(struct shared_interval){ .wall_ns = number });

		for (size_t i = count_rows(number); i > 0; i--)
			series_put_total(s, &labels, &(struct series_total){ .value = number });
		failed |= shared_publish(&w);
	}
	while (wait(&status) > 0)
		failed |= status;
	puts(failed ? "a reader got a part of an interval" : "whole");
	return failed != 0;
}
