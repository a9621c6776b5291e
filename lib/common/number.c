/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "common/number.h"

#include <ctype.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>

static unsigned digit_value(unsigned char c)
{
	if (isdigit(c))
		return (unsigned)(c - '0');
	return isxdigit(c) ? (unsigned)(tolower(c) - 'a') + 10 : 16;
}

static bool digits(const char *text, size_t len, unsigned base, uint64_t *value)
{
	uint64_t v = 0;

	for (size_t i = 0; i < len; i++) {
		unsigned digit = digit_value((unsigned char)text[i]);

		if (digit >= base || v > (UINT64_MAX - digit) / base)
			return false;
		v = v * base + digit;
	}
	*value = v;
	return len > 0;
}

bool um_read_decimal(const char **at, unsigned max, unsigned *value)
{
	const char *end = *at;
	uint64_t v;

	while (isdigit((unsigned char)*end))
		end++;
	if (!digits(*at, (size_t)(end - *at), 10, &v) || v > max)
		return false;
	*at = end;
	*value = (unsigned)v;
	return true;
}

bool um_read_range(const char **at, unsigned max, unsigned *first, unsigned *last)
{
	const char *from = *at;

	if (!um_read_decimal(at, max, first))
		return false;
	*last = *first;
	if (**at == '-') {
		(*at)++;
		if (!um_read_decimal(at, max, last))
			return false;
	}
	if (*last >= *first)
		return true;
	*at = from;
	return false;
}

char *um_put_decimal(char *at, const char *end, unsigned n)
{
	char digits[10];
	size_t num = 0;

	do
		digits[num++] = (char)('0' + n % 10);
	while (n /= 10);
	while (num && at < end)
		*at++ = digits[--num];
	return at;
}

bool um_perf_hex(const char *text, size_t len, uint64_t *value)
{
	return len <= 16 && digits(text, len, 16, value);
}

bool um_perf_number(const char *text, size_t len, uint64_t *value)
{
	if (len > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X'))
		return digits(text + 2, len - 2, 16, value);
	return digits(text, len, 10, value);
}

bool um_real_number(const char *text, const char **end, double *value)
{
	locale_t c = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
	char *behind;

	if (!c)
		return false;
	*value = strtod_l(text, &behind, c);
	freelocale(c);
	*end = behind;
	return behind != text && isfinite(*value);
}

bool um_perf_scale(const char *text, double *value)
{
	const char *end;

	return um_real_number(text, &end, value) && !*end && *value > 0;
}
