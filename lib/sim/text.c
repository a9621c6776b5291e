/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sim/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void um_sim_put(struct um_sim_text *t, const void *data, size_t len)
{
	size_t from = t->len < t->skip ? t->skip : t->len, to = t->len + len;

	if (to > t->skip && to - t->skip > t->size)
		to = t->skip + t->size;
	if (from < to)
		memcpy(t->buf + (from - t->skip), (const char *)data + (from - t->len), to - from);
	t->len += len;
}

void um_sim_print(struct um_sim_text *t, const char *fmt, ...)
{
	char line[512];
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(line, sizeof(line), fmt, ap);
	va_end(ap);
	if (n < 0)
		return;
	if ((size_t)n >= sizeof(line))
		n = sizeof(line) - 1;
	um_sim_put(t, line, (size_t)n);
}
