/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A ring buffer of samples in plain memory: records that wrap, lost records, and invalid data. Uses internal
 * headers, because no kernel would fill the ring buffer in this way.
 */
#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "perf/page.h"
#include "sampling/build_id.h"
#include "sampling/ring.h"
#include "suite.h"

enum { PAGE = 4096, SIZE = 128 };

/* Layout as mapped by the kernel: the page, followed by the data. */
static union {
	struct perf_event_mmap_page page;
	unsigned char bytes[PAGE + SIZE];
} memory;

static void make(struct um_ring *r, uint64_t tail)
{
	memset(&memory, 0, sizeof(memory));
	memory.page.data_offset = PAGE;
	memory.page.data_size = SIZE;
	memory.page.data_head = memory.page.data_tail = tail;
	ck_assert_int_eq(um_ring_attach(r, &memory, sizeof(memory), PAGE), 0);
}

/* Write a record as the kernel does: first its bytes, wrapping at the end, then the head. */
static void add_record(uint32_t type, uint16_t size, uint16_t told_size, const uint64_t *words)
{
	unsigned char record[SIZE] = { 0 };
	struct perf_event_header h = { .type = type, .size = told_size };

	memcpy(record, &h, sizeof(h));
	if (words)
		memcpy(record + sizeof(h), words, size - sizeof(h));
	for (size_t i = 0; i < size; i++)
		memory.bytes[PAGE + (memory.page.data_head + i) % SIZE] = record[i];
	memory.page.data_head += size;
}

TEST_EACH(a_record_that_wraps_comes_in_two_pieces, 3)
{
	/* The record begins 16 bytes before the end of the buffer; in the second case the record also crosses 2^64. */
	static const uint64_t tails[] = { SIZE - 16, UINT64_MAX - 15, 5 * SIZE - 16 };
	uint64_t words[4] = { 1, 2, 3, 0x1122334455667788 }, got[5];
	struct um_record_tally t = { 0 };
	struct um_ring_pieces p;
	struct um_ring r;

	make(&r, tails[_i]);
	add_record(PERF_RECORD_SAMPLE, 40, 40, words);
	ck_assert_int_eq(um_ring_look(&r, &p), 40);
	ck_assert_uint_eq(p.len[0], 16);
	ck_assert_uint_eq(p.len[1], 24);
	ck_assert(um_pieces_copy(&p, 0, got, sizeof(got)));
	ck_assert_mem_eq(got + 1, words, sizeof(words));
	ck_assert(!um_pieces_copy(&p, 8, got, 40));
	ck_assert_uint_eq(um_pieces_tally(&p, &t), 40);
	ck_assert_uint_eq(t.samples, 1);
	um_ring_done(&r, 40);
	ck_assert_uint_eq(memory.page.data_tail, memory.page.data_head);
	ck_assert_int_eq(um_ring_look(&r, &p), 0);
}

TEST(lost_and_throttled_samples_are_summed)
{
	uint64_t lost[2] = { 7, 888 }, more[2] = { 8, 12 };
	struct um_record_tally t = { 0 };
	struct um_ring_pieces p;
	struct um_ring r;

	make(&r, SIZE - 32);
	add_record(PERF_RECORD_SAMPLE, 16, 16, NULL);
	add_record(PERF_RECORD_LOST, 24, 24, lost); /* the record wraps inside its body */
	add_record(PERF_RECORD_THROTTLE, 32, 32, NULL);
	add_record(PERF_RECORD_LOST, 24, 24, more);
	add_record(PERF_RECORD_UNTHROTTLE, 32, 32, NULL);
	ck_assert_int_eq(um_ring_look(&r, &p), SIZE);
	ck_assert_uint_eq(um_pieces_tally(&p, &t), SIZE);
	ck_assert_uint_eq(t.records, 5);
	ck_assert_uint_eq(t.samples, 1);
	ck_assert_uint_eq(t.lost, 900);
	ck_assert_uint_eq(t.throttled, 1);
}

TEST_EACH(only_complete_records_before_a_damaged_one_are_read, 6)
{
	static const uint16_t sizes[] = { 0, 4, 7, 12, 48, UINT16_MAX };
	struct um_record_tally t = { 0 };
	struct um_ring_pieces p;
	struct um_ring r;

	make(&r, 0);
	add_record(PERF_RECORD_SAMPLE, 16, 16, NULL);
	add_record(PERF_RECORD_SAMPLE, 40, sizes[_i], NULL);
	ck_assert_int_eq(um_ring_look(&r, &p), 56);
	ck_assert_uint_eq(um_pieces_tally(&p, &t), 16);
	ck_assert_uint_eq(t.samples, 1);
}

TEST_EACH(an_impossible_head_is_an_error, 4)
{
	static const uint64_t heads[] = { SIZE + 8, 0 - UINT64_C(8), 4, UINT64_MAX / 2 };
	struct um_ring_pieces p;
	struct um_ring r;

	make(&r, 0);
	memory.page.data_head = heads[_i];
	ck_assert_int_eq(um_ring_look(&r, &p), -EBADMSG);
}

TEST_EACH(memory_that_is_no_ring_is_refused, 7)
{
	static const uint64_t places[][2] = {
		{ PAGE, SIZE - 8 }, { PAGE, 2 * SIZE }, { PAGE + 8, SIZE }, { 8, SIZE }, { PAGE, 4 },
		{ UINT64_MAX - 7, SIZE }, { PAGE, UINT64_C(1) << 63 },
	};
	struct um_ring r;

	make(&r, 0);
	memory.page.data_offset = places[_i][0];
	memory.page.data_size = places[_i][1];
	ck_assert_int_eq(um_ring_attach(&r, &memory, sizeof(memory), PAGE), -EINVAL);
}

/* Linux before 4.1 has no data offset and size in the page. */
TEST(an_old_kernels_ring_follows_the_page)
{
	struct um_ring r;

	make(&r, 0);
	memory.page.data_offset = memory.page.data_size = 0;
	ck_assert_int_eq(um_ring_attach(&r, &memory, sizeof(memory), PAGE), 0);
	ck_assert_uint_eq(r.size, SIZE);
	ck_assert_ptr_eq(r.data, memory.bytes + PAGE);
}

/* ELF notes with wrong sizes: nothing is read past the end, and no build id is found. */
TEST_EACH(invalid_notes_give_no_build_id, 8)
{
	static const struct {
		uint32_t sizes[3];
		size_t len;
		unsigned found;
	} notes[] = {
		{ { 4, 4, 3 }, 20, 4 },
		{ { 4, 4, 3 }, 19, 0 },
		{ { 4, 0, 3 }, 20, 0 },
		{ { 4, 21, 3 }, 20, 0 },
		{ { 4, UINT32_MAX, 3 }, 20, 0 },
		{ { UINT32_MAX, 4, 3 }, 20, 0 },
		{ { 4, 4, 1 }, 20, 0 },
		{ { 0, 0, 3 }, 11, 0 },
	};
	unsigned char exact[20] = { [12] = 'G', 'N', 'U', 0, 0x44, 0x33, 0x22, 0x11 };
	struct uncoremsr_perf_data_build b = { .size = sizeof(b) };
	unsigned char *bytes = malloc(notes[_i].len);

	memcpy(exact, notes[_i].sizes, sizeof(notes[_i].sizes));
	memcpy(bytes, exact, notes[_i].len);
	ck_assert_int_eq(um_build_id_of_notes(&b, bytes, notes[_i].len, 4), notes[_i].found > 0);
	ck_assert_uint_eq(b.id_size, notes[_i].found);
	if (b.id_size)
		ck_assert_mem_eq(b.id, exact + 16, b.id_size);
	free(bytes);
}

/* Cases in which rdpmc would fault or read the wrong counter. */
TEST_EACH(a_counter_is_not_read_directly_if_the_page_forbids_it, 4)
{
	struct perf_event_mmap_page page = {
		.lock = 2, .index = 1, .offset = 5, .time_enabled = 900, .time_running = 700, .pmc_width = 48,
	};
	uint64_t value = 7, missed;

	page.cap_user_rdpmc = _i > 0;
	if (_i == 1)
		page.index = 0; /* the event has no counter at the moment */
	if (_i > 1)
		page.pmc_width = _i == 2 ? 0 : 65;
	ck_assert(!um_perf_page_read(&page, &value, &missed));
	ck_assert_uint_eq(value, 7);
}

SUITE(ring)
