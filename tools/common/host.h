/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The name of this host, for records of many hosts in one place. */
#ifndef TOOL_HOST_H
#define TOOL_HOST_H

#include <limits.h>

enum { HOST_SIZE = HOST_NAME_MAX + 1 };

/* Write the name, or "unknown" if the kernel has none. */
void host_name(char host[HOST_SIZE]);

#endif
