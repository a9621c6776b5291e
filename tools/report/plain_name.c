/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "report/plain_name.h"

#include <string.h>

#include "common/output.h"
#include "report/names.h"

#ifdef HAVE_LIBIBERTY

#include <libiberty/demangle.h>

static void append(const char *text, size_t len, void *out)
{
	out_mem(out, text, len);
}

/* Old names of Rust ("_ZN...17h<hash>E") are valid names of C++, too. Without options there are no types. */
static bool demangle(const char *name, struct out *o)
{
	if (rust_demangle_callback(name, 0, append, o))
		return true;
	o->len = 0;
	return cplus_demangle_v3_callback(name, 0, append, o);
}

const char *plain_name(const char *name)
{
	const char *plain = name;
	struct out o;

	if (strncmp(name, "_Z", 2) && strncmp(name, "_R", 2))
		return name;
	out_init(&o, -1);
	if (demangle(name, &o))
		plain = o.error ? NULL : name_of(out_text(&o));
	if (o.error)
		out_lacks_memory();
	out_free(&o);
	return plain;
}

#else

const char *plain_name(const char *name)
{
	return name;
}

#endif
