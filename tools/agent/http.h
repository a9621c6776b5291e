/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What Prometheus asks: /metrics from the last values; /, /-/healthy and /-/ready. */
#ifndef AGENT_HTTP_H
#define AGENT_HTTP_H

#include <stddef.h>

/* The work of a child (agent/child.h): answer on sockets that listen, until the agent is gone. */
int agent_http(int values, const int *listens, size_t num);

#endif
