/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * LDBAR, TRACE_IMC_SCOM and perf's trace config. The expected words are written in a different way, as 64
 * binary digits in IBM's order, as in the documents. Published words are from a real kernel and from stock
 * firmware; ../shared/corpus/imc has more, if it exists.
 */
#include <check.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "helpers.h"
#include "suite.h"
#include "uncoremsr/imc.h"

/* The word from 64 digits, with blanks between fields: "1 0 00 101 0 ...". */
static uint64_t word_of(const char *digits)
{
	uint64_t word = 0;
	unsigned num = 0;

	for (; *digits; digits++)
		if (*digits != ' ') {
			word = word * 2 + (*digits == '1');
			num++;
		}
	ck_assert_uint_eq(num, 64);
	return word;
}

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

static const char *const ldbar_names[] = { "enable", "mode", "scope", "address" };
static const char *const scom_names[] = { "sampsel", "load", "cpmc1sel", "cpmc2sel", "buffersize" };
static const char *const config_names[] = {
	"cpmc_load", "cpmc_samplesel", "cpmc_event", "cpmc_reserved",
};

static const struct row {
	enum uncoremsr_imc_word which;
	uint64_t word; /* 0: see digits */
	const char *digits;
	uint64_t numbers[5];
	uint64_t reserved;
} rows[] = {
	{ UNCOREMSR_IMC_LDBAR, 0x8000000033230000,
	  "1 0 00 000 0 0000000000000000000000000011001100100011000 0000000000000",
	  { 1, 0, 0, 0x33230000 }, 0 },
	{ UNCOREMSR_IMC_LDBAR, 0x4000000033280000, NULL, { 0, 1, 0, 0x33280000 }, 0 },
	{ UNCOREMSR_IMC_LDBAR, 0x8a000001ffffe000,
	  "1 0 00 101 0 0000000000000000000000011111111111111111111 0000000000000",
	  { 1, 0, 5, 0x1ffffe000 }, 0 },
	{ UNCOREMSR_IMC_LDBAR, 0x0003ffffffffe000, NULL, { 0, 0, 0, 0x3ffffffffe000 }, 0 },
	{ UNCOREMSR_IMC_LDBAR, 0x00ffffffffffe000,
	  "0 0 00 000 0 1111111111111111111111111111111111111111111 0000000000000",
	  { 0, 0, 0, 0xffffffffffe000 }, 0 },
	{ UNCOREMSR_IMC_LDBAR, 0xceffffffffffe000, NULL, { 1, 1, 7, 0xffffffffffe000 }, 0 },
	{ UNCOREMSR_IMC_LDBAR, UINT64_MAX, NULL, { 1, 1, 7, 0xffffffffffe000 }, 0x3100000000001fff },
	{ UNCOREMSR_IMC_LDBAR, 0,
	  "0 0 10 000 1 0000000000000000000000000000000000000000000 0000000000001",
	  { 0 }, 0x2100000000000001 },
	/* Words that firmware wrote on POWER9 and POWER10. */
	{ UNCOREMSR_IMC_SCOM, 0x7fffffc142020000,
	  "01 11111111111111111111111100000101 0000100 0000010 000 0000000000000",
	  { 1, 0xffffff05, 4, 2, 0 }, 0 },
	{ UNCOREMSR_IMC_SCOM, 0x3fffffc142020000, NULL, { 0, 0xffffff05, 4, 2, 0 }, 0 },
	{ UNCOREMSR_IMC_SCOM, 0x8000000040812000, NULL, { 2, 1, 1, 1, 1 }, 0 },
	{ UNCOREMSR_IMC_SCOM, 0xf7ab6fbbeaaa8000,
	  "11 11011110101011011011111011101111 1010101 0101010 100 0000000000000",
	  { 3, 0xdeadbeef, 0x55, 0x2a, 4 }, 0 },
	{ UNCOREMSR_IMC_SCOM, 0x3fffffffc0000000, NULL, { 0, 0xffffffff, 0, 0, 0 }, 0 },
	{ UNCOREMSR_IMC_SCOM, 0x000000003f800000, NULL, { 0, 0, 0x7f, 0, 0 }, 0 },
	{ UNCOREMSR_IMC_SCOM, 0x00000000007f0000, NULL, { 0, 0, 0, 0x7f, 0 }, 0 },
	{ UNCOREMSR_IMC_SCOM, 0x000000000000e000, NULL, { 0, 0, 0, 0, 7 }, 0 },
	{ UNCOREMSR_IMC_SCOM, UINT64_MAX, NULL, { 3, 0xffffffff, 0x7f, 0x7f, 7 }, 0x1fff },
	/* The only trace event of the catalogs, in both layouts. */
	{ UNCOREMSR_IMC_SCOM, 0x10200000, NULL, { 0, 0, 0x20, 0x20, 0 }, 0 },
	{ UNCOREMSR_IMC_TRACE_CONFIG, 0x10200000, NULL, { 0, 1, 2, 0 }, 0 },
	{ UNCOREMSR_IMC_TRACE_CONFIG, 0,
	  "10 11011110101011011011111011101111 10 01000001 00000000000000000011",
	  { 0xdeadbeef, 2, 0x41, 3 }, 0x8000000000000000 },
};

static const struct {
	const char *const *names;
	size_t num;
} names_of[] = {
	[UNCOREMSR_IMC_LDBAR] = { ldbar_names, ARRAY_SIZE(ldbar_names) },
	[UNCOREMSR_IMC_SCOM] = { scom_names, ARRAY_SIZE(scom_names) },
	[UNCOREMSR_IMC_TRACE_CONFIG] = { config_names, ARRAY_SIZE(config_names) },
};

TEST_EACH(words_are_decoded_as_documented, ARRAY_SIZE(rows))
{
	const struct row *r = &rows[_i];
	uint64_t word = r->word ? r->word : word_of(r->digits);

	if (r->digits)
		ck_assert_uint_eq(word_of(r->digits), word);
	for (size_t i = 0; i < names_of[r->which].num; i++)
		ck_assert_uint_eq(number_of(r->which, names_of[r->which].names[i], word), r->numbers[i]);
	ck_assert_ptr_null(uncoremsr_imc_field(r->which, names_of[r->which].num));
	ck_assert_uint_eq(uncoremsr_imc_reserved(r->which, word), r->reserved);
}

static uint64_t random_word(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

/* Bits first to last of a word, in IBM's order. */
static uint64_t digits_between(uint64_t word, unsigned first, unsigned last)
{
	uint64_t v = 0;

	for (unsigned b = first; b <= last; b++)
		v = v * 2 + !!(word & UINT64_C(0x8000000000000000) >> b);
	return v;
}

/* Decoding and encoding all fields gives the word without its reserved bits. */
TEST_EACH(decoding_and_encoding_all_fields_gives_the_same_word, UNCOREMSR_IMC_TRACE_CONFIG + 1)
{
	enum uncoremsr_imc_word which = (enum uncoremsr_imc_word)_i;
	const struct uncoremsr_imc_field *f;
	uint64_t state = 0x9e3779b97f4a7c15;

	for (unsigned n = 0; n < 20000; n++) {
		uint64_t word = random_word(&state), again = 0, number;

		/* Buffer sizes above 4 are not defined: clear the highest bit of the field. */
		if (which == UNCOREMSR_IMC_SCOM && (word >> 13 & 7) > 4)
			word &= ~UINT64_C(0x8000);
		for (size_t i = 0; (f = uncoremsr_imc_field(which, i)); i++) {
			ck_assert_int_eq(uncoremsr_imc_get(which, i, word, &number), 0);
			ck_assert_uint_eq(number >> f->low, digits_between(word, f->first, f->last));
			ck_assert_int_eq(uncoremsr_imc_set(which, i, number, &again), 0);
		}
		ck_assert_uint_eq(again, word & ~uncoremsr_imc_reserved(which, word));
	}
}

/* Setting one field does not change the others. */
TEST_EACH(setting_one_field_changes_only_that_field, UNCOREMSR_IMC_TRACE_CONFIG + 1)
{
	enum uncoremsr_imc_word which = (enum uncoremsr_imc_word)_i;
	const struct uncoremsr_imc_field *f;

	for (size_t i = 0; (f = uncoremsr_imc_field(which, i)); i++) {
		uint64_t none = 0, all = UINT64_MAX;

		ck_assert_int_eq(uncoremsr_imc_set(which, i, f->most, &none), 0);
		ck_assert_int_eq(uncoremsr_imc_set(which, i, 0, &all), 0);
		if (f->most >> f->low == UINT64_MAX >> (63 - f->last + f->first))
			ck_assert_uint_eq(none, ~all);
		ck_assert_int_eq(uncoremsr_imc_set(which, i, f->most + 1, &none), -ERANGE);
		ck_assert_int_eq(uncoremsr_imc_set(which, i, UINT64_MAX, &none), -ERANGE);
		ck_assert_ptr_nonnull(f->source);
	}
}

TEST(invalid_numbers_are_refused)
{
	size_t address = index_of(UNCOREMSR_IMC_LDBAR, "address");
	size_t size = index_of(UNCOREMSR_IMC_SCOM, "buffersize");
	uint64_t word = 5, number = 6;

	ck_assert_int_eq(uncoremsr_imc_set(UNCOREMSR_IMC_LDBAR, address, 0x1000, &word), -ERANGE);
	ck_assert_int_eq(uncoremsr_imc_set(UNCOREMSR_IMC_LDBAR, address, 0x100000000000000, &word), -ERANGE);
	for (uint64_t n = 5; n < 9; n++)
		ck_assert_int_eq(uncoremsr_imc_set(UNCOREMSR_IMC_SCOM, size, n, &word), -ERANGE);
	ck_assert_int_eq(uncoremsr_imc_set(UNCOREMSR_IMC_SCOM, 5, 0, &word), -EINVAL);
	ck_assert_int_eq(uncoremsr_imc_set(UNCOREMSR_IMC_SCOM, 0, 0, NULL), -EINVAL);
	ck_assert_uint_eq(word, 5);
	ck_assert_int_eq(uncoremsr_imc_get(99, 0, 1, &number), -EINVAL);
	ck_assert_int_eq(uncoremsr_imc_get(UNCOREMSR_IMC_SCOM, 0, 1, NULL), -EINVAL);
	ck_assert_uint_eq(number, 6);
	ck_assert_ptr_null(uncoremsr_imc_field(99, 0));
}

/* Sources differ only about the address field of LDBAR: bits 8 to 50, or 14 to 50. */
TEST(only_the_address_field_is_disputed)
{
	const struct uncoremsr_imc_field *f;

	for (enum uncoremsr_imc_word which = 0; which <= UNCOREMSR_IMC_TRACE_CONFIG; which++)
		for (size_t i = 0; (f = uncoremsr_imc_field(which, i)); i++) {
			ck_assert_int_eq(f->other != NULL, !strcmp(f->name, "address"));
			if (!f->other)
				continue;
			ck_assert_uint_eq(f->first, 8);
			ck_assert_uint_eq(f->last, 50);
			ck_assert_uint_eq(f->other_first, 14);
			ck_assert_uint_eq(f->other_last, 50);
		}
}

SUITE(imc_registers)
