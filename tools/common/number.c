/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "common/number.h"
#include "common/doubt.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NS_PER_S UINT64_C(1000000000)
#define SHORTEST_NS 1000
#define LONGEST_S UINT64_C(1000000000)

__attribute__((format(printf, 2, 3))) static bool refuse(char *why, const char *fmt, ...)
{
	va_list ap;

	if (!why)
		return false;
	va_start(ap, fmt);
	vsnprintf(why, NUMBER_WHY_SIZE, fmt, ap);
	va_end(ap);
	return false;
}

#define DIGITS "0123456789"

/*
 * Parse digits of @base from @p on. Returns their end; strtoull() alone would also accept blanks, a sign, and another
 * 0x. A number of more than 64 bits becomes UINT64_MAX, and errno ERANGE.
 */
static const char *scan_digits(const char *p, int base, uint64_t *value)
{
	size_t len = strspn(p, base == 16 ? DIGITS "abcdefABCDEF" : DIGITS);

	errno = 0;
	*value = len ? strtoull(p, NULL, base) : 0;
	return p + len;
}

/* Arguments for "%.*s%s": at most @max characters of @text, and "..." if there are more. */
#define SHORT(text, max) max, text, strlen(text) > max ? "..." : ""

static bool refuse_place(char *why, const char *text, const char *at)
{
	if (!*text)
		return refuse(why, "'': a number is required");
	if (!*at)
		return refuse(why, "'%.*s%s': not a number (digits are missing)", SHORT(text, 60));
	return refuse(why, "'%.*s%s': not a number (at '%.*s%s')", SHORT(text, 60), SHORT(at, 20));
}

bool number_parse(const char *text, uint64_t min, uint64_t max, uint64_t *value, char *why)
{
	bool negative = text[0] == '-';
	const char *start = text + negative, *end;
	int base = 10;
	uint64_t v;

	if (start[0] == '0' && (start[1] == 'x' || start[1] == 'X')) {
		base = 16;
		start += 2;
	}
	end = scan_digits(start, base, &v);
	if (end == start || *end)
		return refuse_place(why, text, negative && end == start ? text : end);
	if (negative || v < min || v > max || errno)
		return refuse(why, "%.*s%s is out of range %llu..%llu", SHORT(text, 60),
			      (unsigned long long)min, (unsigned long long)max);
	*value = v;
	return true;
}

/* Parse the digits of a fraction as nanoseconds; digits after the ninth are dropped. */
static const char *scan_fraction(const char *p, uint64_t *ns)
{
	uint64_t weight = NS_PER_S / 10;

	for (*ns = 0; *p >= '0' && *p <= '9'; p++, weight /= 10)
		*ns += (uint64_t)(*p - '0') * weight;
	return p;
}

bool number_parse_seconds(const char *text, uint64_t *ns, char *why)
{
	bool negative = text[0] == '-';
	const char *start = text + negative, *end;
	uint64_t whole, fraction = 0, parts;
	size_t digits;

	/* A number that does not fit becomes the largest one, which is refused below. */
	end = scan_digits(start, 10, &whole);
	digits = (size_t)(end - start);
	if (*end == '.') {
		const char *point = end++;

		end = scan_fraction(end, &fraction);
		digits += (size_t)(end - point) - 1;
	}
	parts = !strcmp(end, "ms") ? 1000 : !strcmp(end, "us") ? 1000000 : 1;
	if (parts > 1 || !strcmp(end, "s"))
		end += strlen(end);
	if (!digits || *end)
		return refuse_place(why, text, digits ? end : text);
	fraction = (whole % parts * NS_PER_S + fraction) / parts;
	whole /= parts;
	if (negative || (whole == 0 && fraction < SHORTEST_NS))
		return refuse(why, "'%.*s%s': must be at least 0.000001 seconds", SHORT(text, 60));
	if (whole > LONGEST_S)
		return refuse(why, "'%.*s%s': longer than %llu seconds", SHORT(text, 60),
			      (unsigned long long)LONGEST_S);
	*ns = whole * NS_PER_S + fraction;
	return true;
}

/* If @arg was not @parsed, print @why; else warn if the number may be mistyped. */
static int finish(const char *option, const char *arg, bool code, bool parsed, const char *why)
{
	if (!parsed)
		return tool_usage("%s: %s", option, why);
	doubt_number(option, arg, code);
	return 0;
}

int option_number(const char *option, const char *arg, uint64_t min, uint64_t max, uint64_t *value)
{
	char why[NUMBER_WHY_SIZE];

	return finish(option, arg, false, number_parse(arg, min, max, value, why), why);
}

int option_code(const char *option, const char *arg, uint64_t max, uint64_t *value)
{
	char why[NUMBER_WHY_SIZE];

	return finish(option, arg, true, number_parse(arg, 0, max, value, why), why);
}

int option_seconds(const char *option, const char *arg, uint64_t *ns)
{
	char why[NUMBER_WHY_SIZE];

	return finish(option, arg, false, number_parse_seconds(arg, ns, why), why);
}
