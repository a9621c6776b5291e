/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "report/names.h"

#include <search.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/output.h"

static void *names;

static int compare(const void *a, const void *b)
{
	return strcmp(a, b);
}

const char *name_of(const char *text)
{
	void *const *found = tfind(text, &names, compare);
	char *copy;

	if (found)
		return *found;
	copy = strdup(text);
	if (copy && !tsearch(copy, &names, compare)) {
		free(copy);
		copy = NULL;
	}
	if (!copy)
		out_lacks_memory();
	return copy;
}

const char *name_of_len(const char *text, size_t len)
{
	char *copy = strndup(text, len);
	const char *name = copy ? name_of(copy) : NULL;

	free(copy);
	return name;
}

const char *name_of_fmt(const char *fmt, ...)
{
	const char *name;
	char *text;
	va_list ap;
	int len;

	va_start(ap, fmt);
	len = vasprintf(&text, fmt, ap);
	va_end(ap);
	if (len < 0) {
		out_lacks_memory();
		return NULL;
	}
	name = name_of(text);
	free(text);
	return name;
}

void names_free(void)
{
	tdestroy(names, free);
	names = NULL;
}
