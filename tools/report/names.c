/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "report/names.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/memory.h"
#include "common/set.h"

static struct set names;

static bool same(const void *a, const void *b)
{
	return !strcmp(a, b);
}

const char *name_of(const char *text)
{
	size_t len = strlen(text);

	return need(set_get(&names, text, len + 1, set_hash(text, len), same));
}

const char *name_of_fmt(const char *fmt, ...)
{
	const char *name;
	char *text;
	va_list ap;

	va_start(ap, fmt);
	if (vasprintf(&text, fmt, ap) < 0)
		no_memory();
	va_end(ap);
	name = name_of(text);
	free(text);
	return name;
}

void names_free(void)
{
	set_free(&names);
}
