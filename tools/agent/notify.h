/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What a service manager is told: sd_notify(3), without its library. */
#ifndef AGENT_NOTIFY_H
#define AGENT_NOTIFY_H

#include <stdint.h>

/* "READY=1" and the like, to NOTIFY_SOCKET. Without one, or without an answer, nothing happens. */
void notify(const char *text);
/* How often at least "WATCHDOG=1" is to be said, in ns; UINT64_MAX: never. */
uint64_t notify_watchdog_ns(void);

#endif
