/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Numbers and times that the tools write must be those of printf() and strftime(). Prints "same" or the differences. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/digits.h"

enum { NS = 1000000000, DRAWN = 20000 };

static char text[DIGITS_ROOM];
static int differs;

static void expect(const char *end, const char *wanted)
{
	size_t len = (size_t)(end - text);

	if (len == strlen(wanted) && !memcmp(text, wanted, len))
		return;
	printf("'%.*s', not '%s'\n", (int)len, text, wanted);
	differs = 1;
}

static void check_whole(uint64_t v)
{
	char wanted[64];

	snprintf(wanted, sizeof(wanted), "%" PRIu64, v);
	expect(digits_u64(text, v), wanted);
	snprintf(wanted, sizeof(wanted), "%" PRIx64, v);
	expect(digits_hex(text, v), wanted);
	for (unsigned digits = 1, unit = 10; digits <= 9; digits++, unit *= 10) {
		snprintf(wanted, sizeof(wanted), "%" PRIu64 ".%0*" PRIu64, v / unit, (int)digits, v % unit);
		expect(digits_fixed(text, v, digits), wanted);
	}
}

/* @v must not be halfway between two results: digits_real() rounds such values away from zero, printf() to even. */
static void check_real(double v, unsigned digits)
{
	char wanted[64];

	snprintf(wanted, sizeof(wanted), "%.*f", (int)digits, v);
	expect(digits_real(text, v, digits), wanted);
}

static void check_time(uint64_t seconds)
{
	time_t t = (time_t)seconds;
	char wanted[64];
	struct tm tm;

	strftime(wanted, sizeof(wanted), "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&t, &tm));
	expect(digits_time(text, seconds * NS + NS - 1, 0), wanted);
	strftime(wanted, sizeof(wanted), "%Y-%m-%dT%H:%M:%S.007Z", &tm);
	expect(digits_time(text, seconds * NS + 7999999, 3), wanted);
}

int main(void)
{
	uint64_t power = 1, drawn = 88172645463325252u;

	for (int i = 0; i < 20; i++, power *= 10)
		for (int k = -1; k <= 1; k++)
			check_whole(power + (uint64_t)k);
	check_whole(UINT64_MAX);
	check_whole(INT64_MAX);
	for (int i = 0; i < DRAWN; i++) {
		drawn ^= drawn << 13; /* xorshift */
		drawn ^= drawn >> 7;
		drawn ^= drawn << 17;
		check_whole(drawn >> drawn % 64);
		check_real((double)(drawn >> 20) / 3e6 - 1e6, (unsigned)(drawn % 7));
	}
	check_real(0, 0);
	check_real(9.9951, 2);
	check_real(0.9999999, 3);
	check_real(-0.25, 2);
	check_real(1e15, 1);
	check_real(0.125, 15);
	check_real(0x1p64 - 2048, 3);
	expect(digits_real(text, 0x1p64, 3), "1.84467440737096e+19");
	expect(digits_measured(text, 0), "0.000000000000");
	expect(digits_measured(text, -2.5e-13), "-2.5e-13");
	expect(digits_measured(text, -1.25e300), "-1.25e+300");
	/* Each day from 1970 to 2150. The year 2000 is a leap year, and 2100 is not. */
	for (uint64_t day = 0; day < 66000; day++)
		check_time(day * 86400 + day % 86400);
	puts(differs ? "differs" : "same");
	return differs;
}
