/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What Prometheus asks: /metrics from the last values; /, /-/healthy and /-/ready. */
#ifndef AGENT_HTTP_H
#define AGENT_HTTP_H

#include "agent/child.h"

/* Its work: answer on its descriptors, sockets that listen, until the agent is gone. */
int agent_http(const struct agent_child *c, int values);

#endif
