/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <stdarg.h>

#include "machine/machine.h"

static void log_line(const struct um_machine *m, enum uncoremsr_log_level level, const char *fmt,
		     va_list ap)
{
	char line[2 * UM_MESSAGE_SIZE];

	if (!m->log || level < m->log_from)
		return;
	um_vmessage(line, sizeof(line), fmt, ap);
	m->log(m->log_user, level, line);
}

void um_log(const struct um_machine *m, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	log_line(m, UNCOREMSR_LOG_REMARK, fmt, ap);
	va_end(ap);
}

bool um_logs_remarks(const struct um_machine *m)
{
	return m->log && m->log_from == UNCOREMSR_LOG_REMARK;
}

void um_warn(const struct um_machine *m, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	log_line(m, UNCOREMSR_LOG_WARNING, fmt, ap);
	va_end(ap);
}
