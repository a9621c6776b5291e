/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Words, numbers and lists of a machine's description. Strict: nothing is skipped or guessed. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "sim/model.h"

int um_sim_bad(const struct um_sim_source *s, const char *fmt, ...)
{
	char text[256];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	if (s->file)
		return um_fail(s->error, -EINVAL, UNCOREMSR_ERROR_USAGE, "%s:%u: %s%s%s", s->file,
			       s->line, s->key ? s->key : "", s->key ? ": " : "", text);
	return um_fail(s->error, -EINVAL, UNCOREMSR_ERROR_USAGE, "parameter %s: %s", s->key, text);
}

static int digit(char c, unsigned base)
{
	int d = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 :
		c >= 'A' && c <= 'F' ? c - 'A' + 10 : 99;

	return d < (int)base ? d : -1;
}

bool um_sim_number(const char *text, uint64_t max, uint64_t *value)
{
	unsigned base = text[0] == '0' && (text[1] == 'x' || text[1] == 'X') ? 16 : 10;
	um_u128 v = 0;

	if (base == 16)
		text += 2;
	if (!*text)
		return false;
	for (; *text; text++) {
		int d = digit(*text, base);

		if (d < 0)
			return false;
		v = v * base + (unsigned)d;
		if (v > max)
			return false;
	}
	*value = (uint64_t)v;
	return true;
}

bool um_sim_seconds(const char *text, uint64_t *ns)
{
	um_u128 v = 0;
	int decimals = -1; /* -1: before the point */

	if (digit(text[0], 10) < 0)
		return false;
	for (; *text; text++) {
		int d = digit(*text, 10);

		if (*text == '.' && decimals < 0 && text[1]) {
			decimals = 0;
			continue;
		}
		if (d < 0 || decimals >= 9)
			return false;
		v = v * 10 + (unsigned)d;
		if (decimals >= 0)
			decimals++;
		if (v > UINT64_MAX)
			return false;
	}
	for (int i = decimals < 0 ? 0 : decimals; i < 9; i++)
		v *= 10;
	*ns = (uint64_t)v;
	return v < UINT64_MAX;
}

/* A decimal number at the start of @text; NULL when there is none or it is above @max. */
static const char *list_number(const char *text, unsigned max, unsigned *n)
{
	*n = 0;
	if (digit(*text, 10) < 0)
		return NULL;
	for (; digit(*text, 10) >= 0; text++) {
		*n = *n * 10 + (unsigned)digit(*text, 10);
		if (*n > max)
			return NULL;
	}
	return text;
}

bool um_sim_list(const char *text, bool *flags, unsigned max)
{
	for (;;) {
		unsigned first, last;

		text = list_number(text, max, &first);
		if (!text)
			return false;
		last = first;
		if (*text == '-')
			text = list_number(text + 1, max, &last);
		if (!text || last < first)
			return false;
		while (first <= last)
			flags[first++] = true;
		if (!*text)
			return true;
		if (*text++ != ',')
			return false;
	}
}

bool um_sim_registers(const char *text, uint32_t *first, uint32_t *last)
{
	const char *dash = strchr(text, '-');
	char start[24];
	uint64_t a, b;

	if (snprintf(start, sizeof(start), "%.*s", (int)(dash ? dash - text : 23), text) >=
	    (int)sizeof(start))
		return false;
	if (!um_sim_number(start, UINT32_MAX, &a) ||
	    !um_sim_number(dash ? dash + 1 : start, UINT32_MAX, &b) || b < a)
		return false;
	*first = (uint32_t)a;
	*last = (uint32_t)b;
	return true;
}

int um_sim_words(char *text, bool colons, char **words, int max)
{
	const char *between = colons ? " \t:" : " \t";
	int n = 0;

	for (char *w = strtok_r(text, between, &text); w; w = strtok_r(NULL, between, &text)) {
		if (n == max)
			return -1;
		words[n++] = w;
	}
	return n;
}
