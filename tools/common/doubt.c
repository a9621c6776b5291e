/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "common/doubt.h"

#include <stdlib.h>
#include <string.h>

#include "common/array.h"

#define DIGITS "0123456789"

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

/* Does the term whose name ends before @end take codes or register words as its value? */
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

/* Is the number before @behind the TYPE of perf's TYPE:CONFIG? Assume so if the part after the colon exceeds 0xff. */
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
		/*
		 * Only after a number does a colon begin a unit mask (EVENT:UMASK). After a name it is a part of the
		 * name.
		 */
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
