/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Images of trace buffers: for any bytes the numbers must be consistent, and the records in the order of time. */
#include <errno.h>

#include "fuzz.h"

#include "uncoremsr/imc.h"

static const struct uncoremsr_imc_record *record_at(struct uncoremsr_imc_trace *t, uint64_t slot)
{
	const struct uncoremsr_imc_record *r = uncoremsr_imc_record(t, (size_t)slot, 0x004e1202);

	REQUIRE(r && r->mode);
	return r;
}

static void check_order(struct uncoremsr_imc_trace *t)
{
	uint64_t last = 0;

	for (size_t i = 0; i < t->records; i++) {
		uint64_t slot = t->order[i];

		REQUIRE(record_at(t, slot)->tb_ok);
		REQUIRE(record_at(t, slot)->tb1 >= last);
		last = record_at(t, slot)->tb1;
	}
}

static void check(struct uncoremsr_imc_trace *t, size_t slots)
{
	uint64_t good = 0, empty = 0, kernel = 0;

	for (size_t i = 0; i < slots; i++) {
		const struct uncoremsr_imc_record *record = record_at(t, i);

		good += record->tb_ok == 1;
		empty += record->empty == 1;
		kernel += record->by_kernel == 1;
		REQUIRE(uncoremsr_imc_record(t, i, 0x00800200)->mode);
	}
	REQUIRE(t->slots == slots);
	REQUIRE(good == t->records && kernel == t->kernel && kernel <= good);
	REQUIRE(good + empty + t->dropped == slots);
	check_order(t);
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
