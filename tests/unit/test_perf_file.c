/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* perf.data files that the tests write word by word, in both byte orders, as a file and as a stream. */
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "helpers.h"
#include "suite.h"
#include "uncoremsr/perf_data.h"

enum { IP = 1, TID = 2, TIME = 4, PERIOD = 256, IDENTIFIER = 65536, TYPE = IP | TID | TIME | PERIOD | IDENTIFIER };
enum { READ = 16, WITH_ID = 4, OF_GROUP = 8 };
enum { ATTR = 64, HEADER = 104 };

static unsigned char bytes[8192];
static size_t len;
static bool big, grouped;
static struct uncoremsr_perf_data *data;

static void setup(void)
{
	len = 0;
	big = grouped = false;
	data = NULL;
}

static void teardown(void)
{
	uncoremsr_perf_data_close(data);
}

static void put_at(size_t at, uint64_t v, unsigned size)
{
	for (unsigned i = 0; i < size; i++)
		bytes[at + (big ? size - 1 - i : i)] = (unsigned char)(v >> (8 * i));
}

static void put(uint64_t v, unsigned size)
{
	put_at(len, v, size);
	len += size;
}

static void put64(uint64_t v)
{
	put(v, 8);
}

/* sample_id_all is bit 18 and freq is bit 10. In big-endian files, bits are numbered from the top of each byte. */
static void put_attr(uint64_t config, bool freq)
{
	size_t at = len;

	memset(bytes + len, 0, ATTR);
	put(1, 4);
	put(ATTR, 4);
	put64(config);
	put64(4000);
	put64(grouped ? TYPE | READ : TYPE);
	put64(grouped ? OF_GROUP | WITH_ID : 0);
	bytes[at + 40 + 18 / 8] = (unsigned char)(big ? 0x80 >> 18 % 8 : 1 << 18 % 8);
	if (freq)
		bytes[at + 40 + 10 / 8] |= (unsigned char)(big ? 0x80 >> 10 % 8 : 1 << 10 % 8);
	len = at + ATTR;
}

static void put_head(uint32_t type, uint16_t size)
{
	put(type, 4);
	put(2, 2);
	put(size, 2);
}

static void put_sample(uint64_t id, uint64_t time, uint64_t period)
{
	put_head(9, 48);
	put64(id);
	put64(0x1000 + time);
	put(10, 4);
	put(11, 4);
	put64(time);
	put64(period);
}

/* Write a sample of the group's leader, with the counts of both members at that time. */
static void put_group_sample(uint64_t time, uint64_t period, uint64_t first, uint64_t second)
{
	put_sample(71, time, period);
	put_at(len - 48 + 6, 48 + 8 + 2 * 16, 2);
	put64(2);
	put64(first);
	put64(71);
	put64(second);
	put64(72);
}

static void put_records(void)
{
	if (grouped) {
		put_group_sample(300, 5, 13, 140);
		put_group_sample(400, 5, 18, 140);
		put_group_sample(100, 8, 8, 100);
		return;
	}
	put_sample(71, 300, 5);
	put_sample(72, 200, 6);
	put_sample(99, 250, 7);
	put_sample(71, 100, 8);
}

static void put_magic(void)
{
	memcpy(bytes, big ? "2ELIFREP" : "PERFILE2", 8);
	len = 8;
}

/* Write a file with two events. If @facts is set, the host's name follows the data. */
static void put_file(bool facts)
{
	size_t begin, end;

	put_magic();
	put64(HEADER);
	put64(ATTR + 16);
	put64(HEADER + 16);
	put64(2 * (ATTR + 16));
	len = HEADER;
	memset(bytes + 56, 0, HEADER - 56);
	put64(71);
	put64(72);
	for (unsigned i = 0; i < 2; i++) {
		put_attr(i ? 2 : 0, i);
		put64(HEADER + 8 * i);
		put64(8);
	}
	begin = len;
	put_records();
	end = len;
	put_at(40, begin, 8);
	put_at(48, end - begin, 8);
	if (!facts)
		return;
	put_at(72, 1 << 3, 8);
	put64(end + 16);
	put64(8);
	put(4, 4);
	memcpy(bytes + len, "box", 4);
	len += 4;
}

static void put_stream_head(void)
{
	put_magic();
	put64(16);
	for (unsigned i = 0; i < 2; i++) {
		put_head(64, 8 + ATTR + 8);
		put_attr(i ? 2 : 0, i);
		put64(71 + i);
	}
}

static void put_stream(void)
{
	put_stream_head();
	put_records();
}

static int open_bytes(size_t size)
{
	char path[FD_PATH_SIZE];
	int fd = file_in_memory(path, bytes, size), err;

	uncoremsr_perf_data_close(data);
	err = uncoremsr_perf_data_open(fd, &data);
	close(fd);
	return err;
}

static void check_records(void)
{
	static const struct {
		uint64_t time, period;
		unsigned event;
	} rows[] = { { 100, 8, 0 }, { 200, 6, 1 }, { 250, 7, UINT_MAX }, { 300, 5, 0 } };
	const struct uncoremsr_record *r;

	ck_assert_uint_eq(data->records, ARRAY_SIZE(rows));
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		ck_assert_int_eq(uncoremsr_perf_data_next(data, &r), 1);
		ck_assert_uint_eq(r->time, rows[i].time);
		ck_assert_uint_eq(r->period, rows[i].period);
		ck_assert_uint_eq(r->event, rows[i].event);
		ck_assert_uint_eq(r->ip, 0x1000 + rows[i].time);
		ck_assert(r->pid == 10 && r->tid == 11);
	}
	ck_assert_int_eq(uncoremsr_perf_data_next(data, &r), 0);
	ck_assert_ptr_null(r);
}

static void check_events(void)
{
	const struct uncoremsr_perf_data_event *a = data->events[0], *b = data->events[1];

	ck_assert(data->num_events == 2 && a && b && !data->events[2]);
	ck_assert_str_eq(a->name, "cpu-clock");
	ck_assert_str_eq(b->name, "page-faults");
	ck_assert(a->period == 4000 && a->frequency == 0);
	ck_assert(b->period == 0 && b->frequency == 4000);
}

FIXTURE(.setup = setup, .teardown = teardown)

/* Bit 0 of the case number selects big-endian, bit 1 a stream. */
TEST_EACH(records_come_in_the_order_of_time_with_their_events, 4)
{
	big = _i & 1;
	if (_i & 2)
		put_stream();
	else
		put_file(true);
	ck_assert_int_eq(open_bytes(len), 0);
	ck_assert_uint_eq(data->state, UNCOREMSR_PERF_DATA_WHOLE);
	ck_assert_int_eq(data->big, (int)big);
	ck_assert_int_eq(data->stream, (int)(_i >> 1));
	check_events();
	check_records();
	if (_i & 2)
		ck_assert_ptr_null(data->host);
	else
		ck_assert_str_eq(data->host, "box");
}

TEST(a_stream_through_a_pipe_gives_the_same_records)
{
	int ends[2], err;

	put_file(true);
	ck_assert_int_eq(pipe(ends), 0);
	ck_assert_int_eq(write(ends[1], bytes, len), (ssize_t)len);
	close(ends[1]);
	err = uncoremsr_perf_data_open(ends[0], &data);
	close(ends[0]);
	ck_assert_int_eq(err, 0);
	check_records();
}

/*
 * Recorders write a part of each ring buffer in turn: the parts overlap in time, have records with the same time, and
 * are followed by PERF_RECORD_FINISHED_ROUND. The period is the number of the sample in the file.
 */
TEST_EACH(records_of_several_rings_are_merged, 2)
{
	enum { ROUNDS = 3, RINGS = 4, PART = 5 };
	const struct uncoremsr_record *r;
	uint64_t num = 0, last = 0, last_period = 0;

	big = _i;
	put_stream_head();
	for (uint64_t round = 0; round < ROUNDS; round++) {
		for (uint64_t ring = 0; ring < RINGS; ring++)
			for (uint64_t i = 0; i < PART; i++)
				put_sample(71 + ring % 2, 1000 + round * 35 + ring * (2 + round % 2) + i * 10, ++num);
		put_head(68, 8);
	}
	ck_assert_int_eq(open_bytes(len), 0);
	ck_assert_uint_eq(data->records, num);
	for (uint64_t i = 0; i < num; i++) {
		ck_assert_int_eq(uncoremsr_perf_data_next(data, &r), 1);
		ck_assert(r->time > last || (r->time == last && r->period > last_period));
		last = r->time;
		last_period = r->period;
	}
	ck_assert_int_eq(uncoremsr_perf_data_next(data, &r), 0);
}

TEST(a_file_that_became_shorter_is_reported)
{
	const struct uncoremsr_record *r;
	char path[FD_PATH_SIZE];
	int fd;

	put_file(false);
	fd = file_in_memory(path, bytes, len);
	ck_assert_int_eq(uncoremsr_perf_data_open(fd, &data), 0);
	ck_assert_int_eq(ftruncate(fd, (off_t)len - 4 * 48), 0);
	close(fd);
	ck_assert_int_eq(uncoremsr_perf_data_next(data, &r), -EBADMSG);
	ck_assert_ptr_null(r);
}

/* Cut the file at each length: only complete records are read, and the state says why reading ended. */
TEST(a_truncated_file_is_read_up_to_its_last_complete_record)
{
	size_t begin = HEADER + 16 + 2 * (ATTR + 16);

	put_file(true);
	for (size_t size = 0; size < len; size++) {
		int err = open_bytes(size);
		enum uncoremsr_perf_data_state state = data->state;

		if (size < begin) {
			ck_assert_int_eq(err, -EBADMSG);
			continue;
		}
		ck_assert_int_eq(err, 0);
		ck_assert_uint_eq(data->records, (size - begin) / 48 > 4 ? 4 : (size - begin) / 48);
		ck_assert(state == UNCOREMSR_PERF_DATA_CUT || data->broken);
	}
}

/* A recorder that is killed leaves size 0 in the header, or the size of its last update. */
TEST(records_after_the_last_updated_size_are_read)
{
	for (uint64_t marked = 0; marked <= 96; marked += 48) {
		put_file(false);
		put_at(48, marked, 8);
		ck_assert_int_eq(open_bytes(len - 20), 0);
		ck_assert_uint_eq(data->state, UNCOREMSR_PERF_DATA_UNFINISHED);
		ck_assert_uint_eq(data->records, 3);
		ck_assert_uint_eq(data->end, len - 48);
	}
}

/* As in perf report: a member's count since the previous sample becomes a sample of the member. */
TEST_EACH(members_of_a_sampled_group_have_samples_of_their_own, 2)
{
	static const struct { uint64_t time, period; unsigned event; } rows[] = {
		{ 100, 8, 0 }, { 100, 100, 1 }, { 300, 5, 0 }, { 300, 40, 1 }, { 400, 5, 0 },
	};
	const struct uncoremsr_record *r;

	big = _i;
	grouped = true;
	put_file(true);
	ck_assert_int_eq(open_bytes(len), 0);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		ck_assert_int_eq(uncoremsr_perf_data_next(data, &r), 1);
		ck_assert_uint_eq(r->time, rows[i].time);
		ck_assert_uint_eq(r->period, rows[i].period);
		ck_assert_uint_eq(r->event, rows[i].event);
		ck_assert_uint_eq(r->ip, 0x1000 + rows[i].time);
	}
	ck_assert_int_eq(uncoremsr_perf_data_next(data, &r), 0);
}

TEST(unsupported_formats_are_named)
{
	static const struct {
		unsigned at;
		uint64_t v;
		int err;
		enum uncoremsr_perf_data_state state;
	} rows[] = {
		{ 0, 0x454c494646524550, -ENOTSUP, UNCOREMSR_PERF_DATA_OLD }, /* "PERFFILE" in ASCII */
		{ 0, 0x464c457f, -EBADMSG, UNCOREMSR_PERF_DATA_FOREIGN },
		{ 72, 1 << 24, -ENOTSUP, UNCOREMSR_PERF_DATA_DIRECTORY },
		{ 72, 1 << 27, -ENOTSUP, UNCOREMSR_PERF_DATA_COMPRESSED },
		{ 16, 16, -EBADMSG, UNCOREMSR_PERF_DATA_EVENTLESS },
		{ 16, UINT64_MAX, -EBADMSG, UNCOREMSR_PERF_DATA_EVENTLESS },
		{ 24, UINT64_C(1) << 63, -EBADMSG, UNCOREMSR_PERF_DATA_EVENTLESS },
		{ 32, 0, -EBADMSG, UNCOREMSR_PERF_DATA_EVENTLESS },
		{ HEADER + 16 + 24, IP, -ENOTSUP, UNCOREMSR_PERF_DATA_MIXED },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		put_file(true);
		put_at(rows[i].at, rows[i].v, 8);
		ck_assert_int_eq(open_bytes(len), rows[i].err);
		ck_assert_uint_eq(data->state, rows[i].state);
	}
}

TEST(a_record_without_a_size_ends_the_file)
{
	put_file(true);
	put_at(HEADER + 16 + 2 * (ATTR + 16) + 48 + 6, 0, 2);
	ck_assert_int_eq(open_bytes(len), 0);
	ck_assert_uint_eq(data->state, UNCOREMSR_PERF_DATA_DAMAGED);
	ck_assert_uint_eq(data->records, 1);
	ck_assert_uint_eq(data->end, HEADER + 16 + 2 * (ATTR + 16) + 48);
}

/* If a file has no event names, the name is derived from type and config (perf_event_open(2)). */
TEST(an_event_without_a_name_is_named_by_its_type_and_config)
{
	static const struct { uint32_t type; uint64_t config; const char *name; } rows[] = {
		{ 0, 0, "cycles" }, { 0, 1, "instructions" }, { 0, 3, "cache-misses" }, { 0, 9, "ref-cycles" },
		{ 0, 10, "type 0 config 0xa" }, { 1, 1, "task-clock" }, { 1, 11, "cgroup-switches" },
		{ 1, 12, "type 1 config 0xc" }, { 3, 0x10002, "type 3 config 0x10002" }, { 4, 0x1a1, "r1a1" },
	};

	put_file(false);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		put_at(HEADER + 16, rows[i].type, 4);
		put_at(HEADER + 16 + 8, rows[i].config, 8);
		ck_assert_int_eq(open_bytes(len), 0);
		ck_assert_str_eq(data->events[0]->name, rows[i].name);
	}
}

SUITE(perf_file)
