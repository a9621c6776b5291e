/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Buffer for the contents of a perf.data file. Numbers are stored in this machine's byte order. */
#ifndef UM_SAMPLING_BYTES_H
#define UM_SAMPLING_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Initialize with zeros. A failed allocation sets @failed; from then on the functions append nothing. */
struct um_bytes {
	unsigned char *at;
	size_t len;
	bool failed;
};

void um_bytes_free(struct um_bytes *b);
/* Append @len bytes of @data, or @len zeros if @data is NULL. */
void um_bytes_put(struct um_bytes *b, const void *data, size_t len);
void um_bytes_u32(struct um_bytes *b, uint32_t v);
void um_bytes_u64(struct um_bytes *b, uint64_t v);
/* Append a string: its length with NUL and padding, the text, NUL, and zeros up to a multiple of 8 bytes. */
void um_bytes_string(struct um_bytes *b, const char *text);
/* Append a name: the text, NUL, and zeros up to a multiple of @align. */
void um_bytes_padded(struct um_bytes *b, const char *text, size_t align);
/* Write bytes at an offset of a file. Returns 0 or the negative errno of pwrite(2). */
int um_write_at(int fd, const void *data, size_t len, off_t at);

/* Begin a record with its header; pass the return value to um_bytes_end(). */
size_t um_bytes_begin(struct um_bytes *b, uint32_t type, uint16_t misc);
/*
 * End a record: append the trailer that sample_id_all adds to all records except samples, and set the size. The trailer
 * is zeros, so the record has time 0. A record that is too long for the size field is removed again.
 */
void um_bytes_end(struct um_bytes *b, size_t at, uint64_t sample_type);
/* Append an MMAP record that maps the kernel's text or a module. */
void um_bytes_kernel_map(struct um_bytes *b, uint64_t start, uint64_t len, uint64_t offset, const char *name,
			 uint64_t sample_type);

#endif
