/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Return the records of all rings one by one, in the order of their time. A pass reads the rings one after the other.
 * What pass N finds in a ring was written after pass N - 1 had read that ring. So it may be older than records that
 * pass N - 1 found in other rings, but not older than any record of pass N - 2. As in perf, after pass N - 1 all
 * records up to the latest time of pass N - 2 are sorted and returned.
 */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "sampling/record.h"
#include "sampling/sampling.h"

/* Longest time between two passes. It limits the delay of a record, which is returned only after a later pass. */
enum { PASS_MS = 100 };

static struct um_perf_layout layout_of(const struct uncoremsr_sampling *s)
{
	return (struct um_perf_layout){
		.sample_type = s->first.sample_type, .read_format = s->first.read_format,
		.period = s->first.by_frequency ? 0 : s->first.period, .id_all = true,
		.big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__,
	};
}

/* Copy the record at @from, since parsing changes it. False: no valid record, or no memory. */
static bool copy_record(struct um_bytes *to, const unsigned char *from, size_t left)
{
	struct um_perf_head head;

	if (!um_perf_record_head(from, left, __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__, &head))
		return false;
	to->len = 0;
	um_bytes_put(to, from, head.size);
	um_bytes_put(to, NULL, 8);
	return !to->failed;
}

/* The time of the last record of a queue. */
static uint64_t latest(struct uncoremsr_sampling *s, struct um_sampling_ring *r)
{
	struct um_perf_layout layout = layout_of(s);
	struct uncoremsr_record record;
	struct um_perf_head head = { 0, 0, 0 };
	size_t at = r->read, last = at;

	for (; at < r->queue.len; at += head.size) {
		last = at;
		if (!um_perf_record_head(r->queue.at + at, r->queue.len - at, layout.big, &head))
			break;
	}
	if (!copy_record(&s->scratch, r->queue.at + last, r->queue.len - last) ||
	    um_perf_record_parse(s->scratch.at, &layout, &record, NULL))
		return 0;
	return record.time;
}

/* Append the whole records of a ring to its queue. */
static int queue_ring(struct uncoremsr_sampling *s, struct um_sampling_ring *r, uint64_t *seen)
{
	struct um_ring_pieces p;
	size_t good = um_sampling_look(s, r, &p), first;
	uint64_t time;

	if (!good)
		return 0;
	if (r->read == r->queue.len)
		r->read = r->queue.len = 0;
	first = p.len[0] < good ? p.len[0] : good;
	um_bytes_put(&r->queue, p.at[0], first);
	um_bytes_put(&r->queue, p.at[1], good - first);
	um_ring_done(&r->ring, good);
	if (r->queue.failed)
		return um_no_memory(&s->um->error);
	time = latest(s, r);
	*seen = time > *seen ? time : *seen;
	return 0;
}

static int pass(struct uncoremsr_sampling *s)
{
	int err = 0;

	s->limit = s->seen;
	for (size_t i = 0; i < s->num_rings && !err; i++)
		err = queue_ring(s, &s->rings[i], &s->seen);
	return err;
}

/* Parse the first record in the ring's queue, unless it was parsed before. False: the queue is empty. */
static bool ready(struct uncoremsr_sampling *s, struct um_sampling_ring *r)
{
	struct um_perf_layout layout = layout_of(s);

	while (!r->has_head && r->read < r->queue.len) {
		if (!copy_record(&r->copy, r->queue.at + r->read, r->queue.len - r->read))
			return false;
		r->read += r->copy.len - 8;
		/* Skip a record that is shorter than it claims. */
		r->has_head = !um_perf_record_parse(r->copy.at, &layout, &r->head, NULL);
	}
	return r->has_head;
}

static int compare_ids(const void *a, const void *b)
{
	const struct um_sampling_id *x = a, *y = b;

	return (x->id > y->id) - (x->id < y->id);
}

static unsigned event_of(const struct uncoremsr_sampling *s, const struct uncoremsr_record *r)
{
	struct um_sampling_id key = { .id = r->id };
	const struct um_sampling_id *found;

	if (s->num_sampled == 1)
		return 0;
	found = bsearch(&key, s->by_id, s->num_by_id, sizeof(key), compare_ids);
	return found ? (unsigned)found->sampled : UINT_MAX;
}

/* Take the oldest record of all rings, if it is not younger than the limit. */
static bool take_oldest(struct uncoremsr_sampling *s, struct uncoremsr_record *record)
{
	struct um_sampling_ring *oldest = NULL;

	for (size_t i = 0; i < s->num_rings; i++)
		if (ready(s, &s->rings[i]) && (!oldest || s->rings[i].head.time < oldest->head.time))
			oldest = &s->rings[i];
	if (!oldest || oldest->head.time > s->limit)
		return false;
	*record = oldest->head;
	record->event = event_of(s, record);
	oldest->has_head = false;
	return true;
}

static int index_ids(struct uncoremsr_sampling *s)
{
	if (s->by_id)
		return 0;
	s->by_id = calloc(s->num_streams + 1, sizeof(*s->by_id));
	if (!s->by_id)
		return um_no_memory(&s->um->error);
	for (size_t i = 0; i < s->num_sampled; i++)
		for (size_t k = 0; k < s->sampled[i].num_ids; k++)
			s->by_id[s->num_by_id++] = (struct um_sampling_id){ s->sampled[i].ids[k], i };
	qsort(s->by_id, s->num_by_id, sizeof(*s->by_id), compare_ids);
	return 0;
}

static int64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

int uncoremsr_sampling_next(struct uncoremsr_sampling *s, int timeout_ms, struct uncoremsr_record *record)
{
	int64_t end = timeout_ms < 0 ? INT64_MAX : now_ms() + timeout_ms;
	int err;

	if (!s)
		return -EINVAL;
	err = um_check_given(s->um, record, "record") ?: um_check_process(&s->um->m, &s->um->error);
	if (!err && s->records)
		err = um_fail(&s->um->error, -EBUSY, UNCOREMSR_ERROR_USAGE, "a recording gets the samples");
	if (!err)
		err = index_ids(s);
	while (!err) {
		int64_t left;

		if (take_oldest(s, record))
			return 1;
		err = pass(s);
		if (err || take_oldest(s, record))
			return err ? err : 1;
		/* No more records will come, so the rest can be returned without a limit. */
		if (s->ended || s->off) {
			s->limit = UINT64_MAX;
			return take_oldest(s, record) ? 1 : -ENODATA;
		}
		left = end - now_ms();
		if (left <= 0)
			return 0;
		err = uncoremsr_sampling_wait(s, -1, left < PASS_MS ? (int)left : PASS_MS);
		s->ended = err == -ENODATA;
		err = s->ended ? 0 : err;
	}
	return err;
}
