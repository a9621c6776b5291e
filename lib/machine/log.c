/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <stdarg.h>

#include "machine/machine.h"

void um_log_line(const struct um_machine *m, enum uncoremsr_log_level level, const char *fmt, ...)
{
	char line[2 * UM_MESSAGE_SIZE];
	va_list ap;

	if (!m->log || level < m->log_from)
		return;
	va_start(ap, fmt);
	um_vmessage(line, sizeof(line), fmt, ap);
	va_end(ap);
	m->log(m->log_user, level, line);
}

bool um_logs_remarks(const struct um_machine *m)
{
	return m->log && m->log_from == UNCOREMSR_LOG_REMARK;
}
