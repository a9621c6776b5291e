/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sim/parse.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <string.h>

#include "common/number.h"

int um_sim_bad(const struct um_sim_source *s, const char *fmt, ...)
{
	char text[UM_MESSAGE_SIZE];
	va_list ap;

	va_start(ap, fmt);
	um_vmessage(text, sizeof(text), fmt, ap);
	va_end(ap);
	if (s->file)
		return UM_USAGE(s->error, "%s:%u: %s%s%s", UM_QUOTED(s->file), s->line, s->key ? s->key : "",
				s->key ? ": " : "", text);
	return UM_USAGE(s->error, "parameter %s: %s", s->key, text);
}

bool um_sim_number(const char *text, uint64_t max, uint64_t *value)
{
	uint64_t v;

	if (!um_perf_number(text, strlen(text), &v) || v > max)
		return false;
	*value = v;
	return true;
}

static bool seconds(const char *text, uint64_t *ns)
{
	uint64_t v = 0, digit_ns = 1000000000; /* nanoseconds that the digit read last stands for */
	bool point = false;

	if (!isdigit((unsigned char)text[0]))
		return false;
	for (; *text; text++) {
		if (*text == '.' && !point && text[1]) {
			point = true;
			continue;
		}
		if (!isdigit((unsigned char)*text) || digit_ns == 1)
			return false;
		if (__builtin_mul_overflow(v, 10, &v) || __builtin_add_overflow(v, (unsigned)(*text - '0'), &v))
			return false;
		if (point)
			digit_ns /= 10;
	}
	return !__builtin_mul_overflow(v, digit_ns, ns) && *ns < UINT64_MAX;
}

bool um_sim_list(const char *text, bool *flags, unsigned max)
{
	for (;;) {
		unsigned first, last;

		if (!um_read_range(&text, max, &first, &last))
			return false;
		while (first <= last)
			flags[first++] = true;
		if (!*text)
			return true;
		if (*text++ != ',')
			return false;
	}
}

static bool registers(const char *text, uint32_t range[2])
{
	size_t len = strcspn(text, "-");
	uint64_t first, last;

	if (!um_perf_number(text, len, &first) || first > UINT32_MAX)
		return false;
	last = first;
	if (text[len] && !um_sim_number(text + len + 1, UINT32_MAX, &last))
		return false;
	range[0] = (uint32_t)first;
	range[1] = (uint32_t)last;
	return last >= first;
}

/* Index of @text in a list of words with blanks between them; -1: not in the list. */
static int which(const char *words, const char *text)
{
	size_t len = strlen(text);

	for (int i = 0; *words; i++) {
		size_t n = strcspn(words, " ");

		if (n == len && !strncmp(words, text, n))
			return i;
		words += n + strspn(words + n, " ");
	}
	return -1;
}

static int error_number(const char *text)
{
	static const struct { const char *name; int number; } errnos[] = {
		{ "EIO", EIO }, { "ENXIO", ENXIO }, { "EPERM", EPERM }, { "EACCES", EACCES },
		{ "ENOENT", ENOENT }, { "ENODEV", ENODEV }, { "EBUSY", EBUSY }, { "EINTR", EINTR },
		{ "E2BIG", E2BIG }, { "EAGAIN", EAGAIN }, { "EINVAL", EINVAL }, { "ENOMEM", ENOMEM },
		{ "EMFILE", EMFILE }, { "ESRCH", ESRCH }, { "ENOSYS", ENOSYS },
		{ "EOPNOTSUPP", EOPNOTSUPP },
	};

	for (size_t i = 0; i < ARRAY_SIZE(errnos); i++)
		if (!strcmp(errnos[i].name, text))
			return -errnos[i].number;
	return 0;
}

static int bad_number(const struct um_sim_source *s, const struct um_sim_item *i, const char *text)
{
	const char *name = i->name ? i->name : "", *equals = i->name ? "=" : "";

	if (!i->min && (i->max == UINT64_MAX || i->max == UINT32_MAX))
		return um_sim_bad(s, "%s%s'%s' is not a number of %d bits (decimal, or 0x hexadecimal)", name, equals,
				  text, i->max == UINT64_MAX ? 64 : 32);
	return um_sim_bad(s, "%s%s'%s' is not a number from %llu to %llu (decimal, or 0x hexadecimal)", name, equals,
			  text, (unsigned long long)i->min, (unsigned long long)i->max);
}

int um_sim_take(const struct um_sim_source *s, const struct um_sim_item *i, void *row, const char *text)
{
	const char *name = i->name ? i->name : "", *equals = i->name ? "=" : "";
	const char *words = i->words ? i->words : "no yes";
	void *to = (char *)row + i->at;
	uint64_t number = 0;
	size_t before;
	int n;

	switch (i->kind) {
	case UM_SIM_NUMBER:
		if (i->words && !strcmp(text, i->words)) {
			*(uint64_t *)to = 0;
			return 0;
		}
		/* fall through */
	case UM_SIM_NUMBER32:
	case UM_SIM_ID:
		if (!um_sim_number(text, i->max, &number) || number < i->min)
			return bad_number(s, i, text);
		if (i->kind == UM_SIM_ID)
			*(int *)to = (int)number;
		else if (i->kind == UM_SIM_NUMBER32)
			*(uint32_t *)to = (uint32_t)number;
		else
			*(uint64_t *)to = number;
		return 0;
	case UM_SIM_SECONDS:
		return seconds(text, to) ? 0 :
			um_sim_bad(s, "%s%s'%s' is not a time in seconds", name, equals, text);
	case UM_SIM_CHOICE:
	case UM_SIM_WORD:
		n = which(words, text);
		if (n < 0)
			return um_sim_bad(s, "%s%s'%s' is none of: %s", name, equals, text, words);
		if (i->kind == UM_SIM_CHOICE)
			*(bool *)to = n;
		else
			*(int *)to = n + (int)i->min;
		return 0;
	case UM_SIM_TEXT:
		*(const char **)to = text;
		return 0;
	case UM_SIM_NAME:
	case UM_SIM_MORE:
		before = i->kind == UM_SIM_MORE ? strlen(to) + 1 : 0;
		if (before + strlen(text) >= i->max)
			return um_sim_bad(s, "%s%s'%s%s%s' is longer than %llu characters", name, equals,
					  before ? (char *)to : "", before ? ":" : "", text,
					  (unsigned long long)(i->max - 1));
		if (before)
			((char *)to)[before - 1] = ':';
		strncpy((char *)to + before, text, (size_t)i->max - before); /* fills the rest with NUL */
		return 0;
	case UM_SIM_LIST:
		return um_sim_list(text, to, (unsigned)i->max) ? 0 :
			um_sim_bad(s, "%s%s'%s' is not a list of %s (0 to %llu)", name, equals, text,
				   i->words, (unsigned long long)i->max);
	case UM_SIM_RANGE:
		return registers(text, to) ? 0 :
			um_sim_bad(s, "'%s' is neither a register nor a range of registers", text);
	case UM_SIM_ERRNO:
		*(int *)to = error_number(text);
		return *(int *)to ? 0 :
			um_sim_bad(s, "'%s' is not an errno of the simulator (EIO, EPERM, ...)", text);
	}
	return -EINVAL;
}

int um_sim_split(const struct um_sim_source *s, char *value, char **words, int min)
{
	int n = 0;

	for (char *w = strtok_r(value, " \t:", &value); w; w = strtok_r(NULL, " \t:", &value)) {
		if (n == UM_SIM_MAX_WORDS)
			return um_sim_bad(s, "too many words; the form is %s", s->form);
		words[n++] = w;
	}
	return n < min ? um_sim_bad(s, "too few words; the form is %s", s->form) : n;
}

int um_sim_take_words(const struct um_sim_source *s, char **words, int num,
		      const struct um_sim_item *items, size_t num_items, void *to)
{
	size_t positional = 0;
	int err = 0;

	while (positional < num_items && !items[positional].name)
		positional++;
	for (int i = 0; i < num && !err; i++) {
		const char *eq = strchr(words[i], '=');
		size_t k = positional, len = eq ? (size_t)(eq - words[i]) : 0;

		if ((size_t)i < positional) {
			err = um_sim_take(s, &items[i], to, words[i]);
			continue;
		}
		while (k < num_items && (strncmp(words[i], items[k].name, len) || items[k].name[len]))
			k++;
		if (!eq || k == num_items)
			return um_sim_bad(s, "'%s' is not understood; the form is %s", words[i], s->form);
		err = um_sim_take(s, &items[k], to, eq + 1);
	}
	return err;
}

int um_sim_take_value(const struct um_sim_source *s, char *value, int min,
		      const struct um_sim_item *items, size_t num_items, void *to)
{
	char *words[UM_SIM_MAX_WORDS];
	int n = um_sim_split(s, value, words, min);

	return n < 0 ? n : um_sim_take_words(s, words, n, items, num_items, to);
}
