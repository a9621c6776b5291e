/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The table of rows; a row sums up all samples with the same keys. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "report/report.h"

static uint64_t mix(uint64_t hash, uint64_t v)
{
	hash = (hash ^ v) * UINT64_C(0x9e3779b97f4a7c15);
	return hash ^ hash >> 29;
}

static uint64_t hash_of(const struct row_key *key)
{
	uint64_t hash = key->event;

	for (int k = 0; k < NUM_KEYS; k++)
		hash = mix(mix(hash, (uint64_t)(uintptr_t)key->text[k]), (uint64_t)key->number[k]);
	return hash;
}

static bool same(const struct row_key *a, const struct row_key *b)
{
	return a->event == b->event && !memcmp(a->text, b->text, sizeof(a->text)) &&
	       !memcmp(a->number, b->number, sizeof(a->number));
}

/* The slot of a row in the hash table, or a free slot for it. A slot holds the row's index + 1. */
static size_t *slot_of(struct report *r, const struct row_key *key)
{
	size_t at = (size_t)hash_of(key) & (r->num_slots - 1);

	while (r->slots[at] && !same(&r->rows[r->slots[at] - 1].key, key))
		at = (at + 1) & (r->num_slots - 1);
	return &r->slots[at];
}

/* Grow the tables, so that at most half of the slots of the hash table are used. */
static int grow(struct report *r)
{
	size_t num = r->num_slots ? 2 * r->num_slots : 1024;
	size_t *slots = calloc(num, sizeof(*slots));

	if (!slots)
		return -ENOMEM;
	free(r->slots);
	r->slots = slots;
	r->num_slots = num;
	for (size_t i = 0; i < r->num_rows; i++)
		*slot_of(r, &r->rows[i].key) = i + 1;
	return 0;
}

/* Add with saturation: a sum that would be too large becomes the largest number. */
static void add(uint64_t *sum, uint64_t v)
{
	*sum = v > UINT64_MAX - *sum ? UINT64_MAX : *sum + v;
}

int table_add(struct report *r, const struct row_key *key, uint64_t period)
{
	struct sum *sum = &r->sums[key->event < r->num_events ? key->event : r->num_events];
	struct row *row;
	size_t *slot;

	if (r->num_rows == r->num_slots / 2 && grow(r))
		return -ENOMEM;
	slot = slot_of(r, key);
	if (!*slot) {
		if (ARRAY_APPEND(r->rows, r->num_rows, (struct row){ .key = *key }))
			return -ENOMEM;
		*slot = r->num_rows;
	}
	row = &r->rows[*slot - 1];
	row->samples++;
	add(&row->period, period);
	row->share += (double)period;
	sum->samples++;
	add(&sum->period, period);
	sum->weight += (double)period;
	r->all.samples++;
	add(&r->all.period, period);
	return 0;
}

static int compare_texts(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) : !a - !b;
}

/* Order of rows: by event, then the largest first, then by keys, so that the order is always the same. */
static int compare(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

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
	for (size_t i = 0; i < r->num_rows; i++) {
		struct row *row = &r->rows[i];
		double weight = r->sums[row->key.event < r->num_events ? row->key.event : r->num_events].weight;

		row->share = weight > 0 ? row->share / weight : 0;
	}
	if (r->num_rows)
		qsort(r->rows, r->num_rows, sizeof(*r->rows), compare);
}
