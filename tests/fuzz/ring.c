/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The ring buffer of samples with any contents. The input has data_head, data_tail, data_offset and data_size (8 bytes
 * each), and then the data. No byte outside of the buffer may be read, and no record twice.
 */
#include <errno.h>
#include <linux/perf_event.h>

#include "fuzz.h"

#include "sampling/ring.h"

enum { PAGE = 4096, WORDS = 4 };

static void check_pieces(const struct um_ring *r, const struct um_ring_pieces *p, size_t len)
{
	unsigned char *copy = malloc(len + 1);
	uint64_t sum = 0;

	REQUIRE(copy && p->len[0] + p->len[1] == len);
	for (int i = 0; i < 2; i++)
		REQUIRE(p->at[i] >= r->data && p->len[i] <= r->size - (size_t)(p->at[i] - r->data));
	REQUIRE(um_pieces_copy(p, 0, copy, len));
	REQUIRE(!um_pieces_copy(p, 0, copy, len + 1) && !um_pieces_copy(p, SIZE_MAX, copy, 8));
	REQUIRE(!len || !memcmp(copy, p->at[0], p->len[0]));
	for (size_t at = 0; at < len; at += 8) {
		uint64_t word;

		REQUIRE(um_pieces_copy(p, at, &word, sizeof(word)));
		REQUIRE(!memcmp(&word, copy + at, sizeof(word)));
		sum += word;
	}
	/* The sum is used, so the compiler cannot remove the reads. */
	REQUIRE(sum != 1 || len);
	free(copy);
}

static void read_ring(struct um_ring *r)
{
	struct um_record_tally t = { 0 };
	struct um_ring_pieces p;
	uint64_t left = r->size;
	ssize_t len;

	while ((len = um_ring_look(r, &p)) > 0) {
		size_t whole;

		REQUIRE((size_t)len <= left);
		check_pieces(r, &p, (size_t)len);
		whole = um_pieces_tally(&p, &t);
		REQUIRE(whole <= (size_t)len && whole % 8 == 0);
		if (!whole)
			break;
		left -= whole;
		um_ring_done(r, whole);
	}
	REQUIRE(len >= 0 || len == -EBADMSG);
	REQUIRE(t.samples + t.throttled <= t.records && t.records <= r->size / 8);
}

static void target(const char *text, size_t size)
{
	struct perf_event_mmap_page *page;
	uint64_t words[WORDS];
	struct um_ring r;
	size_t rest;
	int err;

	if (size < sizeof(words))
		return;
	memcpy(words, text, sizeof(words));
	rest = size - sizeof(words);
	page = calloc(1, PAGE + rest);
	REQUIRE(page);
	memcpy((char *)page + PAGE, text + sizeof(words), rest);
	page->data_head = words[0];
	page->data_tail = words[1];
	page->data_offset = words[2];
	page->data_size = words[3];
	err = um_ring_attach(&r, page, PAGE + rest, PAGE);
	REQUIRE(err == 0 || err == -EINVAL);
	if (!err)
		read_ring(&r);
	free(page);
}
