/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "common/number.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "common/options.h"

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

/* ---- numbers that may be mistyped ---- */

/* Warn about the @len digits at @text, if the user may have meant a hexadecimal or octal number. */
static void doubt(const char *option, const char *text, size_t len, bool code)
{
	unsigned long long v = strtoull(text, NULL, 10);
	bool zero = len > 1 && *text == '0';

	if (zero || (code && len > 1))
		tool_say(TOOL_DONE, "%s: %.*s is read as decimal %llu, which is 0x%llx; %s", option,
			 (int)len, text, v, v, zero ? "a leading zero does not make a number octal"
						    : "write 0x before a hexadecimal number");
}

void doubt_number(const char *option, const char *text, bool code)
{
	size_t len = strspn(text, DIGITS);

	if (len && !text[len])
		doubt(option, text, len, code);
}

void doubt_list(const char *option, const char *text)
{
	for (size_t len; *text; text += len + (text[len] != '\0')) {
		size_t digits = strspn(text, DIGITS);

		len = strcspn(text, ",-:/");
		if (digits && digits == len)
			doubt(option, text, len, false);
	}
}

/* Is the value of the term whose name ends before @end a code or register word? */
static bool is_code_term(const char *text, const char *end)
{
	static const char *const terms[] = {
		"event", "umask", "raw", "config", "config1", "config2",
	};

	for (size_t i = 0; i < ARRAY_SIZE(terms); i++) {
		size_t len = strlen(terms[i]);

		if ((size_t)(end - text) > len && strncmp(end - len, terms[i], len) == 0 &&
		    strchr("/,:", end[-(long)len - 1]))
			return true;
	}
	return false;
}

/* Is the number before @behind the TYPE of perf's TYPE:CONFIG? Yes if the number after the colon exceeds 0xff. */
static bool is_type(const char *behind)
{
	return *behind == ':' && strspn(behind + 1, DIGITS) && strtoull(behind + 1, NULL, 0) > 0xff;
}

static void doubt_terms(const char *option, const char *text, bool codes)
{
	bool slashes = false, brackets = false, pair = true;

	for (const char *p = text; *p; p++) {
		size_t len = strspn(p, DIGITS);
		char before = p > text ? p[-1] : ',';

		slashes ^= *p == '/';
		brackets = *p == '[' || (brackets && *p != ']');
		/* A colon begins a unit mask (EVENT:UMASK) only after a number; otherwise it belongs to a name. */
		if (before == ',' || before == '{')
			pair = len || strncmp(p, "0x", 2) == 0;
		if (!len || brackets || !strchr(",{:=", before))
			continue;
		if (!p[len] || strchr(",:/}", p[len])) {
			bool word = before == '=' ? is_code_term(text, p - 1)
						: !slashes && pair && !is_type(p + len);

			doubt(option, p, len, codes && word);
		}
		p += len - 1;
	}
}

void doubt_events(const char *option, const char *text)
{
	doubt_terms(option, text, true);
}

void doubt_machine(const char *option, const char *text)
{
	doubt_terms(option, text, false);
}

/* ---- numbers of options ---- */

/* If @parsed is false, print @why; else warn if the number in @arg may be mistyped. */
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
