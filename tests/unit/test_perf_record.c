/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Records of samples that the tests write byte by byte, in both byte orders.
 *
 * Uses internal headers, because it damages records byte by byte.
 */
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <string.h>

#include "sampling/record.h"
#include "suite.h"

/* Bits of sample_type as in perf_event_open(2). */
enum {
	IP = 1, TID = 2, TIME = 4, ADDR = 8, READ = 16, CHAIN = 32, ID = 64, CPU = 128, PERIOD = 256,
	STREAM = 512, RAW = 1024, IDENTIFIER = 65536,
};

static _Alignas(8) unsigned char bytes[UM_PERF_RECORD_ROOM];
static size_t len;
static bool big;
static struct uncoremsr_record r;

static void setup(void)
{
	memset(bytes, 0x5a, sizeof(bytes));
	memset(&r, 0, sizeof(r));
	len = 0;
	big = false;
}

static void put(uint64_t v, unsigned size)
{
	for (unsigned i = 0; i < size; i++)
		bytes[len + (big ? size - 1 - i : i)] = (unsigned char)(v >> (8 * i));
	len += size;
}

static void put64(uint64_t v)
{
	put(v, 8);
}

static void put_pair(uint32_t a, uint32_t b)
{
	put(a, 4);
	put(b, 4);
}

static void begin(uint32_t type, uint16_t misc)
{
	len = 0;
	put(type, 4);
	put(misc, 2);
	put(0, 2);
}

static void end(void)
{
	size_t size = len;

	len = 6;
	put(size, 2);
	len = size;
}

static void put_name(const char *name)
{
	size_t size = (strlen(name) + 8) / 8 * 8;

	memset(bytes + len, 0, size);
	memcpy(bytes + len, name, strlen(name));
	len += size;
}

static int parse(uint64_t type, bool id_all)
{
	struct um_perf_layout l = { .sample_type = type, .id_all = id_all, .big = big, .period = 7,
				    .read_format = 16 | 4 };

	return um_perf_record_parse(bytes, &l, &r, NULL);
}

static void sample_of(uint64_t type)
{
	uint64_t id = 0;
	struct um_perf_layout l = { .sample_type = type, .big = big };

	begin(9, 1);
	if (type & IDENTIFIER)
		put64(77);
	put64(0xffffffff81000000);
	put_pair(100, 101);
	put64(12345678901);
	put64(0xabc);
	if (type & ID)
		put64(77);
	put64(3);
	put_pair(5, 0);
	put64(4000);
	if (type & READ) {
		put64(1);
		put64(77);
		put64(0);
	}
	put64(3);
	put64((uint64_t)-128);
	put64(0xffffffff81000000);
	put64(0x401000);
	put(0x1000, 4);
	end();
	ck_assert(um_perf_record_id(bytes, &l, &id) && id == 77);
	ck_assert_int_eq(parse(type, true), 0);
}

#define ALL (IP | TID | TIME | ADDR | CPU | PERIOD | STREAM | CHAIN | RAW)
FIXTURE(.setup = setup)

TEST(a_sample_has_its_fields_in_the_order_of_the_manual)
{
	static const uint64_t types[] = { ALL | IDENTIFIER, ALL | ID, ALL | ID | READ | IDENTIFIER };

	for (int i = 0; i < 6; i++) {
		big = i & 1;
		sample_of(types[i / 2]);
		ck_assert_uint_eq(r.type, UNCOREMSR_RECORD_SAMPLE);
		ck_assert_uint_eq(r.misc & UNCOREMSR_RECORD_MODE, UNCOREMSR_RECORD_KERNEL);
		ck_assert_uint_eq(r.ip, 0xffffffff81000000);
		ck_assert_uint_eq(r.pid, 100);
		ck_assert_uint_eq(r.tid, 101);
		ck_assert_uint_eq(r.time, 12345678901);
		ck_assert_uint_eq(r.addr, 0xabc);
		ck_assert_uint_eq(r.id, 77);
		ck_assert_uint_eq(r.stream_id, 3);
		ck_assert_uint_eq(r.cpu, 5);
		ck_assert_uint_eq(r.period, 4000);
		ck_assert_uint_eq(r.num_chain, 3);
		ck_assert_uint_eq(r.chain[0], UNCOREMSR_CHAIN_KERNEL);
		ck_assert_uint_eq(r.chain[2], 0x401000);
		ck_assert_uint_eq(r.has & UNCOREMSR_HAS_PERIOD, UNCOREMSR_HAS_PERIOD);
	}
}

TEST(a_sample_without_a_period_has_that_of_its_event)
{
	begin(9, 2);
	put64(0x1000);
	end();
	ck_assert_int_eq(parse(IP, false), 0);
	ck_assert_uint_eq(r.period, 7);
	ck_assert_uint_eq(r.has, IP | PERIOD);
}

static void map2(uint16_t misc)
{
	begin(10, misc);
	put_pair(100, 101);
	put64(0x400000);
	put64(0x2000);
	put64(0x1000);
	if (misc & 1 << 14) {
		put(4, 1);
		put(0, 1);
		put(0, 2);
		for (unsigned i = 0; i < 20; i++)
			put(i + 1, 1);
	} else {
		put_pair(8, 1);
		put64(99);
		put64(0);
	}
	put_pair(5, 2);
	put_name("/bin/true");
	/* sample_id at the end of the record: pid, tid, time */
	put_pair(100, 101);
	put64(555);
	end();
}

TEST(a_mapping_has_its_address_file_and_build_id)
{
	for (int i = 0; i < 4; i++) {
		big = i & 1;
		map2((uint16_t)(2 | (i & 2) << 13));
		ck_assert_int_eq(parse(IP | TID | TIME, true), 0);
		ck_assert_uint_eq(r.pid, 100);
		ck_assert_uint_eq(r.start, 0x400000);
		ck_assert_uint_eq(r.len, 0x2000);
		ck_assert_uint_eq(r.pgoff, 0x1000);
		ck_assert_uint_eq(r.prot, 5);
		ck_assert_uint_eq(r.time, 555);
		ck_assert_str_eq(r.name, "/bin/true");
		ck_assert_uint_eq(r.build_id_size, i & 2 ? 4 : 0);
		ck_assert(!(i & 2) || r.build_id[3] == 4);
	}
}

TEST(task_records_and_lost_records_are_decoded)
{
	for (int i = 0; i < 2; i++) {
		big = i;
		begin(7, 0);
		put_pair(200, 100);
		put_pair(201, 101);
		put64(9);
		end();
		ck_assert_int_eq(parse(IP, false), 0);
		ck_assert(r.pid == 200 && r.ppid == 100 && r.tid == 201 && r.ptid == 101);
		begin(2, 0);
		put64(77);
		put64(888);
		end();
		ck_assert_int_eq(parse(IP, false), 0);
		ck_assert(r.id == 77 && r.lost == 888);
		begin(3, UNCOREMSR_RECORD_EXEC);
		put_pair(200, 201);
		put_name("sleep");
		end();
		ck_assert_int_eq(parse(IP, false), 0);
		ck_assert_str_eq(r.name, "sleep");
	}
}

TEST(a_name_without_an_end_ends_with_its_record)
{
	begin(3, 0);
	put_pair(1, 1);
	len = 65528;
	end();
	ck_assert_int_eq(parse(IP, false), 0);
	ck_assert_uint_eq(strlen(r.name), 65528 - 16);
	end();
	bytes[65528] = 0x5a;
	ck_assert_int_eq(parse(IP | TIME | TID, true), 0);
	ck_assert_uint_eq(strlen(r.name), 65528 - 32);
}

TEST(a_record_with_sizes_beyond_its_end_is_refused)
{
	static const uint64_t counts[] = { 2, 1 << 20, UINT64_C(1) << 60, UINT64_C(1) << 61,
					   UINT64_C(1) << 63, UINT64_MAX };
	struct um_perf_head head;

	for (size_t i = 0; i < ARRAY_SIZE(counts); i++) {
		begin(9, 2);
		put64(counts[i]);
		put64(0x1000);
		end();
		ck_assert_int_eq(parse(CHAIN, false), -EBADMSG);
	}
	for (size_t size = 8; size < 72; size += 8) {
		map2(2);
		len = size;
		end();
		ck_assert_int_eq(parse(IP, false), -EBADMSG);
	}
	begin(4, 0);
	end();
	ck_assert_int_eq(parse(IP | TIME, true), -EBADMSG);
	ck_assert(!um_perf_record_head(bytes, 7, false, &head));
	len = 7;
	end();
	ck_assert(!um_perf_record_head(bytes, sizeof(bytes), false, &head));
	len = 16;
	end();
	ck_assert(!um_perf_record_head(bytes, 15, false, &head));
	ck_assert(um_perf_record_head(bytes, 16, false, &head));
}

SUITE(perf_record)
