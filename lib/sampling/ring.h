/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The ring into which the kernel writes records (perf_event_open(2), "MMAP layout"): a page with the
 * head, which the kernel advances, and the tail, which the reader advances; then the data, whose size is
 * a power of two. Works on any memory of that form.
 */
#ifndef UM_SAMPLING_RING_H
#define UM_SAMPLING_RING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "common/error.h"
#include "sampling/mapped_files.h"

struct um_ring {
	uint64_t *head, *tail;       /* head and tail in the page; both only grow */
	const unsigned char *data;
	uint64_t size;
};

/* The unread bytes of a ring, as pieces of its memory: two if they wrap around its end. */
struct um_ring_pieces {
	const unsigned char *at[2];
	size_t len[2];
};

/*
 * Numbers of records by type, from their headers. @lost is the sum of what the LOST records say. @files gets the name of
 * each MMAP2 record; NULL: the names are not read.
 */
struct um_record_tally {
	uint64_t records, samples, lost, throttled;
	struct um_mapped_files *files;
};

/* Use the mapping @map of @size bytes: the page and the data behind it. 0; -EINVAL: this is no ring. */
int um_ring_attach(struct um_ring *r, void *map, size_t size, size_t page_size) UM_MUST_CHECK;
/*
 * Get the bytes between tail and head, which the kernel does not overwrite. Returns their number. -EBADMSG: head and
 * tail contradict each other.
 */
ssize_t um_ring_look(const struct um_ring *r, struct um_ring_pieces *p);
/* Give the first @len unread bytes back to the kernel, which may then overwrite them. */
void um_ring_done(struct um_ring *r, size_t len);
/* Copy @len of the unread bytes into @to; @from is an offset into both pieces together. False: too few bytes. */
bool um_pieces_copy(const struct um_ring_pieces *p, size_t from, void *to, size_t len);
/*
 * Sum up the headers of all whole records. Returns the size of these records; it is less than all bytes if the size of
 * a record is impossible.
 */
size_t um_pieces_tally(const struct um_ring_pieces *p, struct um_record_tally *t);

#endif
