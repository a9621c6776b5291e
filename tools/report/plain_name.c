/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "report/plain_name.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "report/names.h"

#ifdef HAVE_CXX_NAMES

/* Of libstdc++; the C++ ABI fixes what it is. NULL for what is no such name. */
char *__cxa_demangle(const char *name, char *room, size_t *size, int *status);

static bool ends_with(const char *text, size_t len, const char *end)
{
	return len >= strlen(end) && !memcmp(text + len - strlen(end), end, strlen(end));
}

/* "name(int) const &" without qualifiers: its length. */
static size_t without_qualifiers(const char *text, size_t len)
{
	static const char *const words[] = { " const", " volatile", " &", " &&" };

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (ends_with(text, len, words[i])) {
			len -= strlen(words[i]);
			i = (size_t)-1;
		}
	return len;
}

/* Where the parentheses begin which close at the end; @len: there are none. */
static size_t parameters(const char *text, size_t len)
{
	size_t at = without_qualifiers(text, len);
	int depth = 0;

	if (!at || text[at - 1] != ')')
		return len;
	do {
		at--;
		depth += (text[at] == ')') - (text[at] == '(');
	} while (at && depth);
	return at && !depth ? at : len;
}

static bool is_operator(const char *at)
{
	return !strncmp(at, "operator", 8) && !isalnum((unsigned char)at[8]) && at[8] != '_';
}

/* Where the name begins: templates tell what they return. */
static size_t returned(const char *text, size_t len)
{
	size_t start = 0;
	int depth = 0;

	for (size_t i = 0; i < len; i++) {
		if (!depth && is_operator(text + i) && (i == start || text[i - 1] == ':'))
			break;
		depth += !!strchr("<({[", text[i]) - !!strchr(">)}]", text[i]);
		if (!depth && text[i] == ' ')
			start = i + 1;
	}
	return start;
}

static const char *without_types(char *text)
{
	char *clone = strstr(text, " [clone ");
	size_t len = clone ? (size_t)(clone - text) : strlen(text), end = parameters(text, len), start = 0;

	/* Made by the compiler for a function, which is named in full. */
	if (strstr(text, "thunk to ") || strstr(text, "transaction clone for "))
		return name_of_len(text, len);
	if (end < len && text[end - 1] == '>')
		start = returned(text, end);
	/* What returns a pointer to a function is written around its name: that stays as it is. */
	if (start == end || !strncmp(text + start, "(*", 2) || !strncmp(text + start, "(&", 2))
		return name_of_len(text, len);
	return name_of_len(text + start, end - start);
}

const char *plain_name(const char *name)
{
	char *text = strncmp(name, "_Z", 2) ? NULL : __cxa_demangle(name, NULL, NULL, NULL);
	const char *plain = text ? without_types(text) : name;

	free(text);
	return plain;
}

#else

const char *plain_name(const char *name)
{
	return name;
}

#endif
