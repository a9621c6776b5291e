/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sampling/bytes.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/array.h"

void um_bytes_free(struct um_bytes *b)
{
	free(b->at);
	*b = (struct um_bytes){ .len = 0 };
}

void um_bytes_put(struct um_bytes *b, const void *data, size_t len)
{
	if (!b->failed && ARRAY_ROOM(b->at, b->len, len))
		b->failed = true;
	if (!len || b->failed)
		return;
	if (data)
		memcpy(b->at + b->len, data, len);
	else
		memset(b->at + b->len, 0, len);
	b->len += len;
}

int um_write_at(int fd, const void *data, size_t len, off_t at)
{
	while (len) {
		ssize_t n = pwrite(fd, data, len, at);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n ? -errno : -EIO;
		data = (const char *)data + n;
		len -= (size_t)n;
		at += n;
	}
	return 0;
}

void um_bytes_u32(struct um_bytes *b, uint32_t v)
{
	um_bytes_put(b, &v, sizeof(v));
}

void um_bytes_u64(struct um_bytes *b, uint64_t v)
{
	um_bytes_put(b, &v, sizeof(v));
}

void um_bytes_padded(struct um_bytes *b, const char *text, size_t align)
{
	size_t len = strlen(text) + 1;

	um_bytes_put(b, text, len);
	um_bytes_put(b, NULL, (align - len % align) % align);
}

void um_bytes_string(struct um_bytes *b, const char *text)
{
	size_t len = strlen(text) + 1, fill = (8 - (len + 4) % 8) % 8;

	um_bytes_u32(b, (uint32_t)(len + fill));
	um_bytes_put(b, text, len);
	um_bytes_put(b, NULL, fill);
}

size_t um_bytes_begin(struct um_bytes *b, uint32_t type, uint16_t misc)
{
	struct perf_event_header h = { .type = type, .misc = misc };
	size_t at = b->len;

	um_bytes_put(b, &h, sizeof(h));
	return at;
}

void um_bytes_end(struct um_bytes *b, size_t at, uint64_t sample_type)
{
	static const uint64_t words = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID |
				      PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU | PERF_SAMPLE_IDENTIFIER;
	uint16_t size;

	um_bytes_put(b, NULL, 8u * (unsigned)__builtin_popcountll(sample_type & words));
	if (b->failed)
		return;
	if (b->len - at > UINT16_MAX) {
		b->len = at;
		return;
	}
	size = (uint16_t)(b->len - at);
	memcpy(b->at + at + offsetof(struct perf_event_header, size), &size, sizeof(size));
}

void um_bytes_kernel_map(struct um_bytes *b, uint64_t start, uint64_t len, uint64_t offset, const char *name,
			 uint64_t sample_type)
{
	size_t at = um_bytes_begin(b, PERF_RECORD_MMAP, PERF_RECORD_MISC_KERNEL);

	um_bytes_u32(b, UINT32_MAX); /* pid */
	um_bytes_u32(b, 0);
	um_bytes_u64(b, start);
	um_bytes_u64(b, len);
	um_bytes_u64(b, offset);
	um_bytes_padded(b, name, 8);
	um_bytes_end(b, at, sample_type);
}
