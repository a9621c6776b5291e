/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sim/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void um_sim_print(struct um_sim_text *t, const char *fmt, ...)
{
	size_t room = t->len < t->size ? t->size - t->len : 0;
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
	if (room)
		memcpy(t->buf + t->len, line, (size_t)n < room ? (size_t)n : room);
	t->len += (size_t)n;
}
