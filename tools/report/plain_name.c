/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "report/plain_name.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "report/names.h"

#ifdef HAVE_CXX_NAMES

/* From libstdc++; defined by the C++ ABI. Returns NULL if the name is not a mangled one. */
char *__cxa_demangle(const char *name, char *room, size_t *size, int *status);

static bool ends_with(const char *text, size_t len, const char *end)
{
	return len >= strlen(end) && !memcmp(text + len - strlen(end), end, strlen(end));
}

/* Length of "name(int) const &" without the qualifiers at its end. */
static size_t without_qualifiers(const char *text, size_t len)
{
	static const char *const words[] = { " const", " volatile", " &", " &&" };

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (ends_with(text, len, words[i])) {
			len -= strlen(words[i]);
			i = (size_t)-1;
		}
	return len;
}

/* Where the parameter list at the end begins; @len: there is none. */
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

/* Where the name begins, behind the return type, which demangled templates have. */
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

	/* Code that the compiler made for a function: keep the full text. */
	if (strstr(text, "thunk to ") || strstr(text, "transaction clone for "))
		return name_of_fmt("%.*s", (int)len, text);
	if (end < len && text[end - 1] == '>')
		start = returned(text, end);
	/* If a function returns a pointer to a function, that type is written around its name: keep the full text. */
	if (start == end || !strncmp(text + start, "(*", 2) || !strncmp(text + start, "(&", 2))
		return name_of_fmt("%.*s", (int)len, text);
	return name_of_fmt("%.*s", (int)(end - start), text + start);
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
