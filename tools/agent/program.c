/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "agent/program.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "common/wait.h"

int64_t agent_now_ms(void)
{
	return (int64_t)(clock_now(CLOCK_MONOTONIC) / 1000000);
}

void agent_tell(const char *fmt, ...)
{
	char line[AGENT_LINE];
	va_list ap;
	int len;

	va_start(ap, fmt);
	len = vsnprintf(line, sizeof(line), fmt, ap);
	va_end(ap);
	/* The pipe accepts a message completely or not at all. If it is full, drop the message. */
	if (len > 0)
		(void)!write(AGENT_MESSAGES, line, strlen(line));
}

bool agent_has_news(int news)
{
	bool has = false;
	char bytes[64];
	ssize_t n;

	while ((n = read(news, bytes, sizeof(bytes))) > 0)
		has = true;
	/* The agent has ended. PR_SET_PDEATHSIG is not enough: exec clears it if our security label changes. */
	if (n == 0 || (errno != EAGAIN && errno != EINTR))
		_exit(0);
	return has;
}
