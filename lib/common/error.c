/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

#include "common/error.h"

int um_fail(struct um_error *e, int err, enum uncoremsr_error_class class, const char *fmt, ...)
{
	va_list ap;

	e->class = class;
	e->hint[0] = '\0';
	va_start(ap, fmt);
	vsnprintf(e->msg, sizeof(e->msg), fmt, ap);
	va_end(ap);
	return err;
}

void um_hint(struct um_error *e, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(e->hint, sizeof(e->hint), fmt, ap);
	va_end(ap);
}

int um_no_memory(struct um_error *e)
{
	return um_fail(e, -ENOMEM, UNCOREMSR_ERROR_UNSUPPORTED, "out of memory");
}
