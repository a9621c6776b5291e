/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Notify a service manager, as sd_notify(3) does, but without its library. */
#ifndef AGENT_NOTIFY_H
#define AGENT_NOTIFY_H

#include <stdint.h>

/* Send "READY=1" and the like to NOTIFY_SOCKET. Does nothing if there is no such socket, or if sending fails. */
void notify(const char *text);
/* Longest time between two messages "WATCHDOG=1", in ns; UINT64_MAX: none need be sent. */
uint64_t notify_watchdog_ns(void);

#endif
