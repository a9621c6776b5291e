/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sampling/file_runs.h"

#include <stdbool.h>
#include <stdlib.h>

#include "common/array.h"

int um_runs_add(struct um_runs *r, uint64_t time, uint64_t at, uint64_t size)
{
	struct um_run *run = r->num ? &r->at[r->num - 1] : NULL;
	bool follows = run && run->end == at && time >= r->last;

	r->last = time;
	if (!follows)
		return ARRAY_APPEND(r->at, r->num, (struct um_run){ .time = time, .at = at, .end = at + size });
	run->end += size;
	return 0;
}

void um_runs_skip(struct um_runs *r, uint64_t at, uint64_t size)
{
	if (r->num && r->at[r->num - 1].end == at)
		r->at[r->num - 1].end += size;
}

static int compare(const void *a, const void *b)
{
	const struct um_run *x = a, *y = b;

	return x->time != y->time ? x->time < y->time ? -1 : 1 : x->at < y->at ? -1 : x->at > y->at;
}

void um_runs_order(struct um_runs *r)
{
	if (r->num)
		qsort(r->at, r->num, sizeof(*r->at), compare);
}

/* Sift the first run down the heap, to its position by time. */
static void sink(struct um_runs *r)
{
	struct um_run run = r->at[0];
	size_t to = 0;

	for (size_t child; (child = 2 * to + 1) < r->num; to = child) {
		if (child + 1 < r->num && compare(&r->at[child + 1], &r->at[child]) < 0)
			child++;
		if (compare(&run, &r->at[child]) < 0)
			break;
		r->at[to] = r->at[child];
	}
	r->at[to] = run;
}

void um_runs_settle(struct um_runs *r)
{
	if (r->at[0].at >= r->at[0].end) {
		free(r->at[0].window);
		r->at[0] = r->at[--r->num];
	}
	if (r->num)
		sink(r);
}

void um_runs_free(struct um_runs *r)
{
	for (size_t i = 0; i < r->num; i++)
		free(r->at[i].window);
	free(r->at);
	*r = (struct um_runs){ .num = 0 };
}
