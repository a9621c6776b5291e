/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "common/digits.h"

#include <endian.h>
#include <stdio.h>
#include <string.h>

static const uint32_t powers_of_10[] = {
	1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000, 1000000000,
};

/*
 * Compute the eight digits of @v, one in each byte, the first one in the lowest byte. @v is split into halves of four
 * digits, then into quarters of two, then into single digits. Multiplying by 10486 / 2^20 divides a number of four
 * digits by 100; multiplying by 103 / 2^10 divides a number of two digits by 10.
 */
static inline uint64_t eight_digits(uint32_t v)
{
	const uint64_t high = v / 10000;
	uint64_t d = (v - high * 10000) << 32 | high, upper;

	upper = (d * 10486 >> 20) & UINT64_C(0x0000007f0000007f);
	d = (d - upper * 100) << 16 | upper;
	upper = (d * 103 >> 10) & UINT64_C(0x000f000f000f000f);
	return (d - upper * 10) << 8 | upper;
}

static inline void put_eight(char *p, uint64_t digits)
{
	digits = htole64(digits | UINT64_C(0x3030303030303030));
	memcpy(p, &digits, sizeof(digits));
}

/* Write @v, which must be below 10^8, without leading zeros. */
static inline char *put_short(char *p, uint32_t v)
{
	uint64_t digits;
	unsigned zeros;

	if (v < 10) {
		*p = (char)('0' + v);
		return p + 1;
	}
	digits = eight_digits(v);
	zeros = (unsigned)__builtin_ctzll(digits) / 8;
	put_eight(p, digits >> 8 * zeros);
	return p + 8 - zeros;
}

char *digits_u64(char *p, uint64_t v)
{
	const uint64_t eight = 100000000, upper = v / eight;

	if (!upper)
		return put_short(p, (uint32_t)v);
	if (upper < eight) {
		p = put_short(p, (uint32_t)upper);
	} else {
		p = put_short(p, (uint32_t)(upper / eight));
		put_eight(p, eight_digits((uint32_t)(upper % eight)));
		p += 8;
	}
	put_eight(p, eight_digits((uint32_t)(v % eight)));
	return p + 8;
}

char *digits_hex(char *p, uint64_t v)
{
	unsigned digits = (63 - (unsigned)__builtin_clzll(v | 1)) / 4 + 1;

	for (char *at = p + digits; at > p; v >>= 4)
		*--at = "0123456789abcdef"[v & 0xf];
	return p + digits;
}

/* Write @v with @digits (1 to 9) digits, including leading zeros. */
static char *put_fraction(char *p, uint32_t v, unsigned digits)
{
	const uint32_t nine = v * powers_of_10[9 - digits];

	put_eight(p, eight_digits(nine / 10));
	p[8] = (char)('0' + nine % 10);
	return p + digits;
}

char *digits_fixed(char *p, uint64_t v, unsigned digits)
{
	char *end, ninth;
	uint64_t eight;

	if (digits && v < powers_of_10[digits])
		return put_fraction(mempcpy(p, "0.", 2), (uint32_t)v, digits);
	end = digits_u64(p, v);
	if (!digits)
		return end;
	/* Move the last digits, at most nine, to make room for the point. */
	p = end - digits;
	memcpy(&eight, p, sizeof(eight));
	ninth = p[8];
	*p = '.';
	memcpy(p + 1, &eight, sizeof(eight));
	p[9] = ninth;
	return end + 1;
}

char *digits_real(char *p, double v, unsigned digits)
{
	double unit = 1, rest;
	uint64_t whole;

	for (unsigned i = 0; i < digits; i++)
		unit *= 10;
	if (v < 0)
		*p++ = '-';
	v = v < 0 ? -v : v;
	if (!(v < 0x1p64))
		return p + sprintf(p, "%.15g", v);
	whole = (uint64_t)v;
	rest = (v - (double)whole) * unit + 0.5;
	if (rest >= unit) {
		whole++;
		rest = 0;
	}
	p = digits_u64(p, whole);
	if (!digits)
		return p;
	*p++ = '.';
	if (digits > 9) {
		uint32_t upper = (uint32_t)(rest / 1e6);

		p = put_fraction(p, upper, digits - 6);
		rest -= upper * 1e6;
		digits = 6;
	}
	return put_fraction(p, (uint32_t)rest, digits);
}

char *digits_measured(char *p, double v)
{
	if (v > -1e-6 && v < 1e-6 && (v < 0 || v > 0))
		return p + sprintf(p, "%.12g", v);
	return digits_real(p, v, v > -1 && v < 1 ? 12 : v > -1e6 && v < 1e6 ? 9 : 3);
}

/* The date, @days after 1970-01-01. Years begin in March here, so that the leap day is the last day of a year. */
static char *put_date(char *p, uint32_t days)
{
	const uint32_t since = days + 719468; /* 0000-03-01 */
	const uint32_t era = since / 146097, day = since % 146097; /* 400 years */
	const uint32_t year = (day - day / 1460 + day / 36524 - day / 146096) / 365;
	const uint32_t of_year = day - (365 * year + year / 4 - year / 100);
	const uint32_t month = (5 * of_year + 2) / 153; /* 153 days are five months, from March or August on */

	p = put_fraction(p, era * 400 + year + (month >= 10), 4);
	*p++ = '-';
	p = put_fraction(p, month < 10 ? month + 3 : month - 9, 2);
	*p++ = '-';
	return put_fraction(p, of_year - (153 * month + 2) / 5 + 1, 2);
}

char *digits_time(char *p, uint64_t wall_ns, unsigned digits)
{
	const uint64_t seconds = wall_ns / 1000000000;
	const uint32_t of_day = (uint32_t)(seconds % 86400);

	p = put_date(p, (uint32_t)(seconds / 86400));
	*p++ = 'T';
	p = put_fraction(p, of_day / 3600, 2);
	*p++ = ':';
	p = put_fraction(p, of_day / 60 % 60, 2);
	*p++ = ':';
	p = put_fraction(p, of_day % 60, 2);
	if (digits) {
		*p++ = '.';
		p = put_fraction(p, (uint32_t)(wall_ns % 1000000000) / powers_of_10[9 - digits], digits);
	}
	*p++ = 'Z';
	return p;
}
