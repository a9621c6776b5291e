/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* LDBAR, TRACE_IMC_SCOM and perf's trace config: fields in IBM's bit numbering, and values that are refused. */
#include <string.h>

#include "helpers.h"
#include "suite.h"
#include "uncoremsr/imc.h"

static size_t index_of(enum uncoremsr_imc_word which, const char *name)
{
	size_t i = 0;

	while (uncoremsr_imc_field(which, i) && strcmp(uncoremsr_imc_field(which, i)->name, name))
		i++;
	ck_assert_ptr_nonnull(uncoremsr_imc_field(which, i));
	return i;
}

static uint64_t number_of(enum uncoremsr_imc_word which, const char *name, uint64_t word)
{
	uint64_t number = UINT64_MAX;

	ck_assert_int_eq(uncoremsr_imc_get(which, index_of(which, name), word, &number), 0);
	return number;
}

/* Words of LDBAR and TRACE_IMC_SCOM are in tests/kept/commands, where uncore-imc decodes them. */
TEST(a_trace_config_is_decoded_as_documented)
{
	static const char *const names[] = { "cpmc_load", "cpmc_samplesel", "cpmc_event", "cpmc_reserved" };
	static const struct { uint64_t word, numbers[4], reserved; } rows[] = {
		{ 0x10200000, { 0, 1, 2, 0 }, 0 }, /* config of the only trace event that the catalogs have */
		{ 0xb7ab6fbbe4100003, { 0xdeadbeef, 2, 0x41, 3 }, 0x8000000000000000 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		for (size_t k = 0; k < ARRAY_SIZE(names); k++)
			ck_assert_uint_eq(number_of(UNCOREMSR_IMC_TRACE_CONFIG, names[k], rows[i].word),
					  rows[i].numbers[k]);
		ck_assert_uint_eq(uncoremsr_imc_reserved(UNCOREMSR_IMC_TRACE_CONFIG, rows[i].word), rows[i].reserved);
	}
	ck_assert_ptr_null(uncoremsr_imc_field(UNCOREMSR_IMC_LDBAR, 4));
	ck_assert_ptr_null(uncoremsr_imc_field(UNCOREMSR_IMC_SCOM, 5));
	ck_assert_ptr_null(uncoremsr_imc_field(UNCOREMSR_IMC_TRACE_CONFIG, ARRAY_SIZE(names)));
}

static uint64_t random_word(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

/* Bits @first to @last of a word in IBM's numbering, where bit 0 is the highest. */
static uint64_t digits_between(uint64_t word, unsigned first, unsigned last)
{
	uint64_t v = 0;

	for (unsigned b = first; b <= last; b++)
		v = v * 2 + !!(word & UINT64_C(0x8000000000000000) >> b);
	return v;
}

/* Setting all fields to their decoded values gives the same word. Reserved bits are not changed. */
TEST_EACH(decoding_and_encoding_all_fields_gives_the_same_word, UNCOREMSR_IMC_TRACE_CONFIG + 1)
{
	enum uncoremsr_imc_word which = (enum uncoremsr_imc_word)_i;
	const struct uncoremsr_imc_field *f;
	uint64_t state = 0x9e3779b97f4a7c15;

	for (unsigned n = 0; n < 20000; n++) {
		uint64_t word = random_word(&state), again = UINT64_MAX, number;

		/* Buffer sizes above 4 are not defined: clear the highest bit of the field. */
		if (which == UNCOREMSR_IMC_SCOM && (word >> 13 & 7) > 4)
			word &= ~UINT64_C(0x8000);
		for (size_t i = 0; (f = uncoremsr_imc_field(which, i)); i++) {
			ck_assert_int_eq(uncoremsr_imc_get(which, i, word, &number), 0);
			ck_assert_uint_eq(number >> f->low, digits_between(word, f->first, f->last));
			ck_assert_int_eq(uncoremsr_imc_set(which, i, number, &again), 0);
		}
		ck_assert_uint_eq(again, word | uncoremsr_imc_reserved(which, UINT64_MAX));
	}
}

SUITE(imc_registers)
