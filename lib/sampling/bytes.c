/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sampling/bytes.h"

#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

void um_bytes_free(struct um_bytes *b)
{
	free(b->at);
	*b = (struct um_bytes){ .len = 0 };
}

static bool make_room(struct um_bytes *b, size_t len)
{
	size_t room = b->room ? b->room : 512;
	unsigned char *grown;

	if (b->failed)
		return false;
	while (room - b->len < len)
		room *= 2;
	grown = room == b->room ? b->at : realloc(b->at, room);
	b->failed = !grown;
	if (!grown)
		return false;
	b->at = grown;
	b->room = room;
	return true;
}

void um_bytes_put(struct um_bytes *b, const void *data, size_t len)
{
	if (!len || !make_room(b, len))
		return;
	if (data)
		memcpy(b->at + b->len, data, len);
	else
		memset(b->at + b->len, 0, len);
	b->len += len;
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
