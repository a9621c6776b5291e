/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Bytes that are put together for a file: numbers in this machine's order, strings as perf.data has them. */
#ifndef UM_SAMPLING_BYTES_H
#define UM_SAMPLING_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* All zeros is empty. Want of memory is remembered, and nothing is added any more. */
struct um_bytes {
	unsigned char *at;
	size_t len, room;
	bool failed;
};

void um_bytes_free(struct um_bytes *b);
/* @data NULL: zeros. */
void um_bytes_put(struct um_bytes *b, const void *data, size_t len);
void um_bytes_u16(struct um_bytes *b, uint16_t v);
void um_bytes_u32(struct um_bytes *b, uint32_t v);
void um_bytes_u64(struct um_bytes *b, uint64_t v);
/* Its length with the NUL and what fills it up, then both: a multiple of 8 bytes in all. */
void um_bytes_string(struct um_bytes *b, const char *text);
/* The NUL and zeros up to a multiple of @align, as names in records have them. */
void um_bytes_padded(struct um_bytes *b, const char *text, size_t align);

/* A record's header; what it returns um_bytes_end() takes. */
size_t um_bytes_begin(struct um_bytes *b, uint32_t type, uint16_t misc);
/*
 * What every record but samples ends with where sample_id_all is set, all zeros: older than all others.
 * Then its size. A record that is too long for it is taken off again.
 */
void um_bytes_end(struct um_bytes *b, size_t at, uint64_t sample_type);

#endif
