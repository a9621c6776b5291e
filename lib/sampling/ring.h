/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The ring into which the kernel writes records (perf_event_open(2), "MMAP layout"). Its first page has the head, which
 * the kernel advances, and the tail, which the reader advances. The data follow; their size is a power of two.
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
	uint64_t *head, *tail;       /* head and tail in the first page; they only increase */
	const unsigned char *data;
	uint64_t size;
};

/* The unread bytes of a ring: two pieces if they wrap around the end of the ring. */
struct um_ring_pieces {
	const unsigned char *at[2];
	size_t len[2];
};

/* Numbers of records. @lost: sum of all LOST records. @files: gets the names in MMAP2 records, unless it is NULL. */
struct um_record_tally {
	uint64_t records, samples, lost, throttled;
	struct um_mapped_files *files;
};

/* Use the mapping @map of @size bytes as a ring. Returns 0, or -EINVAL if its sizes are not valid. */
int um_ring_attach(struct um_ring *r, void *map, size_t size, size_t page_size) UM_MUST_CHECK;
/* Get the bytes from tail to head, which the kernel leaves alone. Returns their number; -EBADMSG: invalid positions. */
ssize_t um_ring_look(const struct um_ring *r, struct um_ring_pieces *p);
/* Release the first @len unread bytes; the kernel may then overwrite them. */
void um_ring_done(struct um_ring *r, size_t len);
/* Copy @len of the unread bytes to @to, from offset @from on. Returns false if there are not enough bytes. */
bool um_pieces_copy(const struct um_ring_pieces *p, size_t from, void *to, size_t len);
/* Count the complete records. Returns their size, which is less than that of @p if a record has an impossible size. */
size_t um_pieces_tally(const struct um_ring_pieces *p, struct um_record_tally *t);

#endif
