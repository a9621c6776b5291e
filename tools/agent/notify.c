/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Source: sd_notify(3): each message is a datagram; sd_watchdog_enabled(3): report every half of WATCHDOG_USEC. */
#include "agent/agent.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "common/number.h"

void notify(const char *text)
{
	const char *path = getenv("NOTIFY_SOCKET");
	struct sockaddr_un to = { .sun_family = AF_UNIX };
	size_t len = path ? strlen(path) : 0;
	int fd;

	if (!len || len >= sizeof(to.sun_path))
		return;
	memcpy(to.sun_path, path, len);
	if (*path == '@')
		to.sun_path[0] = '\0'; /* "@" means an abstract socket, which is not in the file system */
	fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return;
	sendto(fd, text, strlen(text), MSG_NOSIGNAL | MSG_DONTWAIT, (const struct sockaddr *)&to,
	       (socklen_t)(offsetof(struct sockaddr_un, sun_path) + len));
	close(fd);
}

uint64_t notify_watchdog_ns(void)
{
	const char *usec = getenv("WATCHDOG_USEC"), *pid = getenv("WATCHDOG_PID");
	uint64_t us, id;

	if (!usec || !number_parse(usec, 1, UINT64_MAX / 1000, &us, NULL))
		return UINT64_MAX;
	if (pid && (!number_parse(pid, 0, INT64_MAX, &id, NULL) || id != (uint64_t)getpid()))
		return UINT64_MAX;
	return us * 1000 / 2;
}
