/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "common/host.h"

#include <stdio.h>
#include <unistd.h>

void host_name(char host[HOST_SIZE])
{
	if (gethostname(host, HOST_SIZE - 1) < 0 || !*host)
		snprintf(host, HOST_SIZE, "unknown");
	host[HOST_SIZE - 1] = '\0';
}
