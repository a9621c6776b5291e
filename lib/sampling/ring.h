/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The ring into which the kernel writes records (perf_event_open(2), "MMAP layout"): a page with the
 * head, which the kernel moves on, and the tail, which the reader does; then a power of two of bytes.
 * Works on any memory of that form.
 */
#ifndef UM_SAMPLING_RING_H
#define UM_SAMPLING_RING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "common/error.h"

struct um_ring {
	uint64_t *head, *tail;       /* in the page; both only grow */
	const unsigned char *data;
	uint64_t size;
};

/* What was copied: bytes of memory that belongs to the ring, at most two, since records may wrap. */
struct um_ring_pieces {
	const unsigned char *at[2];
	size_t len[2];
};

/* What records have told, without a look into their bodies but for what was lost. */
struct um_record_tally {
	uint64_t records, samples, lost, throttled;
};

/* @map: the page and what follows it, @size bytes. 0; -EINVAL: these are not a ring's. */
int um_ring_attach(struct um_ring *r, void *map, size_t size, size_t page_size) UM_MUST_CHECK;
/*
 * What stands between tail and head now: how many bytes, which the kernel does not overwrite. -EBADMSG:
 * head and tail cannot be right.
 */
ssize_t um_ring_look(const struct um_ring *r, struct um_ring_pieces *p);
/* The reader is done with the first @len of them. */
void um_ring_done(struct um_ring *r, size_t len);
/* @len bytes from @from on into @to, over the edge. False: there are not so many. */
bool um_pieces_copy(const struct um_ring_pieces *p, size_t from, void *to, size_t len);
/*
 * Go over the headers of whole records and sum them up. How many bytes these records are: less than
 * all where a record's size cannot be right.
 */
size_t um_pieces_tally(const struct um_ring_pieces *p, struct um_record_tally *t);

#endif
