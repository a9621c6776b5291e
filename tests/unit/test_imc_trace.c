/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Images of trace buffers, and the records in them that the kernel would use (determined by hand). For both byte orders
 * and for wrapped buffers see imc.bats.
 */
#include <errno.h>
#include <string.h>

#include "helpers.h"
#include "suite.h"
#include "uncoremsr/imc.h"

enum { SLOTS = 16, BYTES = SLOTS * 64 };

static unsigned char image[BYTES];
static struct uncoremsr_imc_trace *trace;

static void setup(void)
{
	memset(image, 0, sizeof(image));
	trace = NULL;
}

static void teardown(void)
{
	uncoremsr_imc_trace_free(trace);
}

static void put(size_t slot, unsigned word, uint64_t v)
{
	unsigned char *p = image + slot * 64 + word * 8;

	for (int i = 0; i < 8; i++)
		p[7 - i] = (unsigned char)(v >> (i * 8));
}

/* The second time base of a record is the low 42 bits of its first time base. */
static void record(size_t slot, uint64_t tb1)
{
	put(slot, 0, tb1);
	put(slot, 1, 0xc000000000001000 + slot * 4);
	put(slot, 2, slot % 4 << 62 | slot);
	for (unsigned i = 0; i < 4; i++)
		put(slot, 3 + i, slot * 16 + i);
	put(slot, 7, tb1 % (UINT64_C(1) << 42));
}

static void look(size_t slots)
{
	uncoremsr_imc_trace_free(trace);
	ck_assert_int_eq(uncoremsr_imc_trace_new(image, slots * 64, &trace), 0);
}

#define UNKNOWN UINT64_MAX

static const struct uncoremsr_imc_record *record_at(size_t slot)
{
	const struct uncoremsr_imc_record *r = uncoremsr_imc_record(trace, slot, 0x004e1202);

	ck_assert_ptr_nonnull(r);
	return r;
}

static void counts(uint64_t records, uint64_t dropped, uint64_t kernel, uint64_t lost)
{
	ck_assert_uint_eq(trace->records, records);
	ck_assert_uint_eq(trace->dropped, dropped);
	ck_assert_uint_eq(trace->kernel, kernel);
	ck_assert_uint_eq(trace->lost, lost);
}

FIXTURE(.setup = setup, .teardown = teardown)

TEST(a_torn_record_is_dropped)
{
	for (size_t i = 0; i < 8; i++)
		record(i, 5000 + i * 10);
	put(3, 7, 5031);
	look(SLOTS);
	/* The dropped slot leaves a gap of two steps, which counts as one lost record. */
	counts(7, 1, 3, 1);
	ck_assert_int_eq(record_at(3)->tb_ok, 0);
	ck_assert_int_eq(record_at(4)->tb_ok, 1);
	ck_assert_int_eq(record_at(4)->by_kernel, 0);
}

/* After reading the buffer, the kernel clears only the first word. */
TEST(records_with_a_cleared_time_base_are_dropped)
{
	for (size_t i = 0; i < 4; i++)
		record(i, 5000 + i * 10);
	put(0, 0, 0);
	look(SLOTS);
	counts(3, 1, 0, 0);
	/* A time base of 0 is invalid, even if the second time base is 0, too. */
	put(0, 7, 0);
	look(SLOTS);
	counts(3, 1, 0, 0);
}

/* The second time base wraps to 0 within the buffer; the first time base does not wrap. */
TEST(the_second_time_base_wraps_at_42_bits)
{
	for (size_t i = 0; i < 6; i++)
		record(i, (UINT64_C(3) << 42) - 300 + i * 100);
	look(6);
	ck_assert_uint_eq(record_at(2)->tb2, (UINT64_C(1) << 42) - 100);
	ck_assert_uint_eq(record_at(3)->tb2, 0);
	counts(6, 0, 6, 0);
}

TEST(with_equal_time_bases_the_number_of_lost_records_is_unknown)
{
	for (size_t i = 0; i < 4; i++)
		record(i, 777);
	look(4);
	/* All steps between time bases are 0, so the number of lost records is unknown. */
	counts(4, 0, 1, UNKNOWN);
	for (size_t i = 0; i < 4; i++)
		ck_assert_uint_eq(trace->order[i], i);
}

static const struct lost_row {
	uint64_t at[8]; /* time bases of the records minus 1000; ends with 0 */
	uint64_t lost;
} lost_rows[] = {
	{ { 1 }, UNKNOWN },
	{ { 100, 200 }, UNKNOWN },
	{ { 100, 200, 300 }, 0 },
	{ { 100, 200, 300, 600 }, 2 },
	{ { 100, 200, 300, 449, 549 }, 0 }, /* a step of 1.49 times the median is rounded to one */
	{ { 100, 200, 300, 450, 550 }, 1 },
	{ { 100, 200, 1200, 1300, 2300, 2400, 2500 }, 18 },
	{ { 100, 200, 500 }, 1 }, /* the median of 100 and 300 is 200 */
	{ { 1, 2, UINT64_C(1) << 60 }, 1 }, /* the median of 1 and a huge step is half of the huge step */
	{ { 1, 2, 3, UINT64_C(1) << 60 }, (UINT64_C(1) << 60) - 4 },
};

TEST_EACH(lost_records_follow_from_the_median_step, ARRAY_SIZE(lost_rows))
{
	const struct lost_row *r = &lost_rows[_i];
	size_t num = 0;

	for (; num < 8 && r->at[num]; num++)
		record((num * 3 + 1) % 8, 1000 + r->at[num]);
	look(SLOTS);
	ck_assert_uint_eq(trace->records, num);
	ck_assert_uint_eq(trace->lost, r->lost);
}

TEST(an_image_that_is_too_large_or_has_no_place_to_go_is_refused)
{
	struct uncoremsr_imc_trace *none = trace;

	ck_assert_int_eq(uncoremsr_imc_trace_new(image, UNCOREMSR_IMC_TRACE_MOST + UNCOREMSR_IMC_RECORD_SIZE, &none), -EFBIG);
	ck_assert_ptr_null(none);
	ck_assert_int_eq(uncoremsr_imc_trace_new(image, UNCOREMSR_IMC_RECORD_SIZE, NULL), -EINVAL);
}

TEST(an_empty_buffer_has_no_records)
{
	look(SLOTS);
	counts(0, 0, 0, UNKNOWN);
	ck_assert_int_eq(trace->little, -1);
	/* Slot 7 has data but no time base. In an image without records, numbers are read as big-endian. */
	put(7, 1, 0x1234);
	look(SLOTS);
	counts(0, 1, 0, UNKNOWN);
	ck_assert_uint_eq(record_at(7)->ip, 0x1234);
}

TEST(the_mode_depends_on_the_processor)
{
	static const char *const by_bits[] = { "guest_kernel", "guest_user", "kernel", "user" };

	for (size_t i = 0; i < 4; i++)
		record(i, 100 + i);
	put(2, 1, 0xbfffffffffffffff);
	put(3, 1, 0xc000000000000000);
	look(4);
	for (size_t i = 0; i < 4; i++) {
		ck_assert_str_eq(uncoremsr_imc_record(trace, i, 0x004e1202)->mode, i == 2 ? "user" : "kernel");
		ck_assert_str_eq(uncoremsr_imc_record(trace, i, 0x00800200)->mode, by_bits[i]);
		ck_assert_str_eq(uncoremsr_imc_record(trace, i, 0x00820200)->mode, by_bits[i]);
		ck_assert_ptr_null(uncoremsr_imc_record(trace, i, 0x004d0200)->mode);
	}
	ck_assert_ptr_null(uncoremsr_imc_record(trace, 4, 0x00800200));
}

/* ---- conversion to perf.data ---- */

TEST(an_image_is_not_written_to_a_closed_descriptor)
{
	look(1);
	ck_assert_int_eq(uncoremsr_imc_trace_perf_data(trace, 0x004e1200, 0, -1), -EBADF);
	ck_assert_int_eq(uncoremsr_imc_trace_perf_data(trace, 0x004e1200, 0, 999), -EBADF);
}

SUITE(imc_trace)
