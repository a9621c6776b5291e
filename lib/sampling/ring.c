/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sampling/ring.h"

#include <errno.h>
#include <limits.h>
#include <linux/perf_event.h>
#include <string.h>

int um_ring_attach(struct um_ring *r, void *map, size_t size, size_t page_size)
{
	struct perf_event_mmap_page *page = map;
	uint64_t from, len;

	if (size <= page_size || page_size < sizeof(*page))
		return -EINVAL;
	/* Kernels before 4.1 leave data_offset and data_size 0. */
	from = page->data_size ? page->data_offset : page_size;
	len = page->data_size ? page->data_size : size - page_size;
	if (len < 8 || len & (len - 1) || from < page_size || from > size || len > size - from)
		return -EINVAL;
	*r = (struct um_ring){
		.head = (uint64_t *)&page->data_head, .tail = (uint64_t *)&page->data_tail,
		.data = (const unsigned char *)map + from, .size = len,
	};
	return 0;
}

ssize_t um_ring_look(const struct um_ring *r, struct um_ring_pieces *p)
{
	/* Acquire, because the kernel stores the head after it has written the data (kernel/events/ring_buffer.c). */
	uint64_t head = __atomic_load_n(r->head, __ATOMIC_ACQUIRE), tail = *r->tail;
	uint64_t at = tail & (r->size - 1), len = head - tail;

	*p = (struct um_ring_pieces){ .len = { 0, 0 } };
	/* A distance larger than the ring, or not a multiple of 8, is impossible: the ring is damaged. */
	if (len > r->size || len % 8 || at % 8)
		return -EBADMSG;
	p->at[0] = r->data + at;
	p->len[0] = len < r->size - at ? len : r->size - at;
	p->at[1] = r->data;
	p->len[1] = len - p->len[0];
	return (ssize_t)len;
}

void um_ring_done(struct um_ring *r, size_t len)
{
	__atomic_store_n(r->tail, *r->tail + len, __ATOMIC_RELEASE);
}

bool um_pieces_copy(const struct um_ring_pieces *p, size_t from, void *to, size_t len)
{
	size_t all = p->len[0] + p->len[1], first;

	if (from > all || len > all - from)
		return false;
	first = from >= p->len[0] ? 0 : p->len[0] - from < len ? p->len[0] - from : len;
	if (first)
		memcpy(to, p->at[0] + from, first);
	if (len > first)
		memcpy((char *)to + first, p->at[1] + (from + first - p->len[0]), len - first);
	return true;
}

static void tell_mapped(const struct um_ring_pieces *p, size_t at, size_t size, const struct um_record_tally *t)
{
	enum { NAME_AT = 72 }; /* offset of the name in an MMAP2 record (perf_event_open(2)) */
	char name[PATH_MAX];
	size_t len = size - NAME_AT < sizeof(name) ? size - NAME_AT : sizeof(name) - 1;

	if (size <= NAME_AT || !um_pieces_copy(p, at + NAME_AT, name, len))
		return;
	name[len] = '\0';
	um_mapped_files_add(t->files, name);
}

static void count_record(const struct um_ring_pieces *p, size_t at,
			 const struct perf_event_header *h, struct um_record_tally *t)
{
	uint64_t lost[2]; /* id of the event, number of lost records */

	t->records++;
	t->samples += h->type == PERF_RECORD_SAMPLE;
	t->throttled += h->type == PERF_RECORD_THROTTLE;
	if (h->type == PERF_RECORD_LOST && h->size >= sizeof(*h) + sizeof(lost) &&
	    um_pieces_copy(p, at + sizeof(*h), lost, sizeof(lost)))
		t->lost += lost[1];
	if (h->type == PERF_RECORD_MMAP2 && t->files)
		tell_mapped(p, at, h->size, t);
}

size_t um_pieces_tally(const struct um_ring_pieces *p, struct um_record_tally *t)
{
	size_t all = p->len[0] + p->len[1], at = 0;
	struct perf_event_header h;

	while (um_pieces_copy(p, at, &h, sizeof(h))) {
		if (h.size < sizeof(h) || h.size % 8 || h.size > all - at)
			break;
		count_record(p, at, &h, t);
		at += h.size;
	}
	return at;
}
