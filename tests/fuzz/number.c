/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Numbers of the command line. An accepted number must have the value that the C library computes. */
#include <errno.h>

#include "fuzz.h"

#include "../../tools/common/number.h"

static void check_why(const char *why)
{
	REQUIRE(why[0] && memchr(why, '\0', NUMBER_WHY_SIZE));
}

static void whole(const char *text, uint64_t max)
{
	char why[NUMBER_WHY_SIZE] = "";
	uint64_t value = 0;
	bool hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
	char *end;

	if (!number_parse(text, max, &value, why)) {
		check_why(why);
		return;
	}
	errno = 0;
	REQUIRE(value <= max && value == strtoull(text, &end, hex ? 16 : 10));
	REQUIRE(!errno && end > text && !*end);
}

static void seconds(const char *text)
{
	char why[NUMBER_WHY_SIZE] = "";
	uint64_t ns = 0;
	double about, unit;
	char *end;

	if (!number_parse_seconds(text, &ns, why)) {
		check_why(why);
		return;
	}
	about = strtod(text, &end);
	unit = !strcmp(end, "ms") ? 1e6 : !strcmp(end, "us") ? 1e3 : 1e9;
	REQUIRE(ns >= 1000 && end > text && (unit < 1e9 || !*end || !strcmp(end, "s")));
	about *= unit;
	REQUIRE((double)ns >= about * (1 - 1e-9) - 1 && (double)ns <= about * (1 + 1e-9) + 1);
}

static void target(const char *text, size_t size)
{
	(void)size;
	whole(text, 0xff);
	whole(text, INT32_MAX);
	whole(text, UINT64_MAX);
	seconds(text);
}
