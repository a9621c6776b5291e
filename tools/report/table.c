/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The table of rows. A row sums up all samples with the same keys. */
#include <stdlib.h>
#include <string.h>

#include "common/memory.h"
#include "report/report.h"

static void add_saturating(uint64_t *sum, uint64_t v)
{
	*sum = v > UINT64_MAX - *sum ? UINT64_MAX : *sum + v;
}

void table_add(struct report *r, const struct row_key *key, uint64_t period)
{
	struct row *row = need(set_get(&r->rows, &(struct row){ .key = *key }, sizeof(*row),
				       SET_KEY(struct row, key.event)));

	row->samples++;
	add_saturating(&row->period, period);
	row->share += (double)period;
}

void table_sum(struct report *r, unsigned event, uint64_t period)
{
	struct sum *sum = sum_of(r, event);

	sum->samples++;
	add_saturating(&sum->period, period);
	sum->weight += (double)period;
	r->all.samples++;
	add_saturating(&r->all.period, period);
}

static int compare_texts(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) : !a - !b;
}

/* Sort rows by event, then by share (largest first), then by keys, so that the order is deterministic. */
static int compare(const void *a, const void *b)
{
	const struct row *x = *(struct row *const *)a, *y = *(struct row *const *)b;

	if (x->key.event != y->key.event)
		return x->key.event < y->key.event ? -1 : 1;
	if (x->share < y->share || x->share > y->share)
		return x->share > y->share ? -1 : 1;
	if (x->samples != y->samples)
		return x->samples > y->samples ? -1 : 1;
	for (int k = 0; k < NUM_KEYS; k++) {
		int texts = compare_texts(x->key.text[k], y->key.text[k]);

		if (texts)
			return texts;
		if (x->key.number[k] != y->key.number[k])
			return x->key.number[k] < y->key.number[k] ? -1 : 1;
	}
	return 0;
}

void table_finish(struct report *r)
{
	for (size_t i = 0; i < r->rows.num; i++) {
		struct row *row = r->rows.items[i];
		double weight = sum_of(r, row->key.event)->weight;

		row->share = weight > 0 ? row->share / weight : 0;
	}
	set_sort(&r->rows, compare);
}

void table_free(struct report *r)
{
	set_free(&r->rows);
	free(r->sums);
}
