/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Return the records of all rings one by one, in the order of their time. A pass reads the rings one after the other.
 * What pass N finds in a ring was written after pass N - 1 had read that ring. So it may be older than records that
 * pass N - 1 found in other rings, but not older than any record of pass N - 2. As in perf, after pass N - 1 all
 * records up to the latest time of pass N - 2 are sorted and returned.
 */
#include <errno.h>
#include <limits.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <time.h>

#include "common/array.h"
#include "sampling/record.h"
#include "sampling/sampling.h"

/* Longest time between two passes. It limits the delay of a record, which is returned only after a later pass. */
enum { PASS_MS = 100 };

struct um_queued {
	struct uncoremsr_record record;
	uint64_t number;                /* position in the order of reading */
	uint64_t bytes[];               /* contents of the record, to which @record points */
};

/* Oldest record last; of two records with the same time, the one that was read first is the older one. */
static int newest_first(const void *a, const void *b)
{
	const struct um_queued *x = *(struct um_queued *const *)a, *y = *(struct um_queued *const *)b;
	uint64_t left = x->record.time, right = y->record.time;

	if (left == right) {
		left = x->number;
		right = y->number;
	}
	return (left < right) - (left > right);
}

static unsigned event_of(const struct uncoremsr_sampling *s, const struct um_sampling_ring *r, uint64_t id)
{
	if (s->num_sampled == 1)
		return 0;
	for (size_t i = r->first; i < r->first + r->num; i++)
		if (s->streams[i].id == id)
			return (unsigned)s->streams[i].sampled;
	return UINT_MAX;
}

/* Append a record to the queue, unless the record is invalid. */
static int queue_record(struct uncoremsr_sampling *s, const struct um_sampling_ring *r, const struct um_ring_pieces *p,
			size_t at, size_t size)
{
	const struct um_perf_layout layout = {
		.sample_type = s->settings.sample_type, .read_format = s->settings.read_format,
		.period = s->settings.by_frequency ? 0 : s->settings.period, .id_all = true,
		.big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__,
	};
	struct um_queued *q = calloc(1, sizeof(*q) + size + 8);
	int err = q ? 0 : -ENOMEM;

	if (!err && um_pieces_copy(p, at, q->bytes, size) &&
	    !um_perf_record_parse(q->bytes, &layout, &q->record, NULL)) {
		q->record.event = event_of(s, r, q->record.id);
		q->number = s->num_read++;
		s->seen = q->record.time > s->seen ? q->record.time : s->seen;
		err = ARRAY_APPEND(s->queue, s->num_queued, q);
		if (!err)
			return 0;
	}
	free(q);
	return err;
}

static int queue_ring(struct uncoremsr_sampling *s, struct um_sampling_ring *r)
{
	struct um_ring_pieces p;
	size_t good = um_sampling_look(s, r, &p);
	struct perf_event_header h;
	int err = 0;

	for (size_t at = 0; !err && at < good && um_pieces_copy(&p, at, &h, sizeof(h)); at += h.size)
		err = queue_record(s, r, &p, at, h.size);
	if (good)
		um_ring_done(&r->ring, good);
	return err;
}

static int pass(struct uncoremsr_sampling *s)
{
	int err = 0;

	s->limit = s->seen;
	for (size_t i = 0; i < s->num_rings && !err; i++)
		err = queue_ring(s, &s->rings[i]);
	if (s->num_queued)
		qsort(s->queue, s->num_queued, sizeof(*s->queue), newest_first);
	return err ? um_no_memory(&s->um->error) : 0;
}

/* Return the oldest record, if it is not newer than the limit. It stays valid until the next one is returned. */
static bool take_oldest(struct uncoremsr_sampling *s, struct uncoremsr_record *record)
{
	struct um_queued *oldest = s->num_queued ? s->queue[s->num_queued - 1] : NULL;

	if (!oldest || oldest->record.time > s->limit)
		return false;
	free(s->taken);
	s->taken = oldest;
	s->num_queued--;
	*record = oldest->record;
	return true;
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
		err = um_fail(&s->um->error, -EBUSY, UNCOREMSR_ERROR_USAGE,
			      "the samples go to a recording; finish it first");
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
