/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Images of trace buffers: for any bytes the numbers must be consistent, and the order must be that of time. */
#include <errno.h>

#include "fuzz.h"

#include "uncoremsr/imc.h"

static uint64_t of(const struct uncoremsr_imc_trace *t, size_t slot, enum uncoremsr_imc_record_number what)
{
	uint64_t v = 0;

	REQUIRE(uncoremsr_imc_record_number(t, slot, what, &v) == 0);
	return v;
}

static uint64_t number(const struct uncoremsr_imc_trace *t, enum uncoremsr_imc_trace_number what)
{
	uint64_t v = 0;

	REQUIRE(uncoremsr_imc_trace_number(t, what, &v) != -EINVAL);
	return v;
}

static void check_order(const struct uncoremsr_imc_trace *t, size_t records)
{
	uint64_t last = 0;

	for (size_t i = 0; i < records; i++) {
		size_t slot = uncoremsr_imc_trace_slot(t, i);

		REQUIRE(of(t, slot, UNCOREMSR_IMC_RECORD_TB_OK));
		REQUIRE(of(t, slot, UNCOREMSR_IMC_RECORD_TB1) >= last);
		last = of(t, slot, UNCOREMSR_IMC_RECORD_TB1);
	}
	REQUIRE(uncoremsr_imc_trace_slot(t, records) == SIZE_MAX);
}

static void check(const struct uncoremsr_imc_trace *t, size_t slots)
{
	uint64_t records = number(t, UNCOREMSR_IMC_TRACE_RECORDS), good = 0, empty = 0, kernel = 0;

	for (size_t i = 0; i < slots; i++) {
		good += of(t, i, UNCOREMSR_IMC_RECORD_TB_OK);
		empty += of(t, i, UNCOREMSR_IMC_RECORD_EMPTY);
		kernel += of(t, i, UNCOREMSR_IMC_RECORD_BY_KERNEL);
		REQUIRE(uncoremsr_imc_record_mode(t, i, 0x004e1202));
		REQUIRE(uncoremsr_imc_record_mode(t, i, 0x00800200));
	}
	REQUIRE(number(t, UNCOREMSR_IMC_TRACE_SLOTS) == slots);
	REQUIRE(good == records && kernel == number(t, UNCOREMSR_IMC_TRACE_KERNEL) && kernel <= good);
	REQUIRE(good + empty + number(t, UNCOREMSR_IMC_TRACE_DROPPED) == slots);
	check_order(t, (size_t)records);
}

static void target(const char *text, size_t size)
{
	struct uncoremsr_imc_trace *t;
	int err = uncoremsr_imc_trace_new(text, size, &t);

	REQUIRE(!err == (size && size % UNCOREMSR_IMC_RECORD_SIZE == 0));
	if (!err)
		check(t, size / UNCOREMSR_IMC_RECORD_SIZE);
	uncoremsr_imc_trace_free(t);
}
