/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sim/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void um_sim_put(struct um_sim_text *t, const void *data, size_t len)
{
	size_t room = t->len < t->size ? t->size - t->len : 0;

	if (room && len)
		memcpy(t->buf + t->len, data, len < room ? len : room);
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
