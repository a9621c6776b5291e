/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Numbers on the command line. Results are compared with digit-by-digit arithmetic, and seconds with strtod(). */
#include <ctype.h>

#include "fuzz.h"

#include "../../tools/common/number.h"

static void check_why(const char *why)
{
	REQUIRE(why[0] && memchr(why, '\0', NUMBER_WHY_SIZE));
}

/* False if @text is not all digits, or its value is above @max. */
static bool by_digits(const char *text, uint64_t max, uint64_t *value)
{
	static const char digits[] = "0123456789abcdef";
	unsigned base = text[0] == '0' && (text[1] == 'x' || text[1] == 'X') ? 16 : 10;
	const char *at = base == 16 ? text + 2 : text, *digit;

	*value = 0;
	if (!*at)
		return false;
	for (; *at; at++) {
		digit = memchr(digits, tolower((unsigned char)*at), base);
		if (!digit || __builtin_mul_overflow(*value, base, value) ||
		    __builtin_add_overflow(*value, (uint64_t)(digit - digits), value))
			return false;
	}
	return *value <= max;
}

static void whole(const char *text, uint64_t max)
{
	char why[NUMBER_WHY_SIZE] = "";
	uint64_t value = 0, right;

	if (by_digits(text, max, &right)) {
		REQUIRE(number_parse(text, 0, max, &value, why) && value == right);
		return;
	}
	REQUIRE(!number_parse(text, 0, max, &value, why));
	check_why(why);
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
