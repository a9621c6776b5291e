/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "report/names.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/memory.h"
#include "common/output.h"
#include "common/set.h"

static struct set names;

const char *name_of(const char *text)
{
	return need(set_get(&names, text, strlen(text) + 1, SET_TEXTS));
}

const char *name_of_fmt(const char *fmt, ...)
{
	const char *name;
	char *text;
	va_list ap;

	va_start(ap, fmt);
	need(vasprintf(&text, fmt, ap) < 0 ? NULL : text);
	va_end(ap);
	name = name_of(text);
	free(text);
	return name;
}

void names_free(void)
{
	set_free(&names);
}

#ifdef HAVE_LIBIBERTY

#include <libiberty/demangle.h>

/* A short mangled name can expand to gigabytes, because it can repeat its parts. Longer names are shown mangled. */
enum { LONGEST = 1 << 16 };

struct demangled {
	struct out text;
	jmp_buf too_long;
};

static void append(const char *text, size_t len, void *demangled)
{
	struct demangled *d = demangled;

	if (d->text.len + len > LONGEST)
		longjmp(d->too_long, 1);
	out_mem(&d->text, text, len);
}

/* Rust comes first: its old names ("_ZN...17h<hash>E") are also C++ names. Options 0 leave out parameter types. */
static bool demangle(const char *name, struct demangled *d)
{
	if (setjmp(d->too_long))
		return false;
	if (rust_demangle_callback(name, 0, append, d))
		return true;
	d->text.len = 0;
	return cplus_demangle_v3_callback(name, 0, append, d);
}

const char *plain_name(const char *name)
{
	const char *plain;
	struct demangled d;

	if (strncmp(name, "_Z", 2) && strncmp(name, "_R", 2))
		return name_of(name);
	out_init(&d.text, -1);
	plain = name_of(demangle(name, &d) ? out_text(&d.text) : name);
	if (d.text.error)
		no_memory();
	out_free(&d.text);
	return plain;
}

#else

const char *plain_name(const char *name)
{
	return name_of(name);
}

#endif
