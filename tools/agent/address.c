/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "agent/address.h"

#include <errno.h>
#include <netdb.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/number.h"

enum { BACKLOG = 4096 };

static bool parse_path(struct address *a, const char *path, char why[ADDRESS_WHY])
{
	a->local.sun_family = AF_UNIX;
	a->len = sizeof(a->local);
	if (*path && strlen(path) < sizeof(a->local.sun_path)) {
		memcpy(a->local.sun_path, path, strlen(path) + 1);
		return true;
	}
	snprintf(why, ADDRESS_WHY, *path ? "the path of a socket can have at most %zu bytes"
					 : "the path is missing", sizeof(a->local.sun_path) - 1);
	return false;
}

/* Accept only numeric addresses and "localhost", so that no name server is asked. */
static bool parse_host(struct address *a, char *host, const char *port, char why[ADDRESS_WHY])
{
	const struct addrinfo hints = {
		.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV, .ai_socktype = SOCK_STREAM,
	};
	size_t len = strlen(host);
	struct addrinfo *list;
	int err;

	if (len > 1 && host[0] == '[' && host[len - 1] == ']') {
		host[len - 1] = '\0';
		host++;
	}
	if (!*host || strcmp(host, "localhost") == 0)
		host = (char *)(uintptr_t)"127.0.0.1";
	err = getaddrinfo(host, port, &hints, &list);
	if (err) {
		snprintf(why, ADDRESS_WHY, err == EAI_MEMORY ? "'%.60s': out of memory"
							     : "'%.60s': must be a numeric IP address", host);
		return false;
	}
	memcpy(&a->room, list->ai_addr, list->ai_addrlen);
	a->len = list->ai_addrlen;
	freeaddrinfo(list);
	return true;
}

bool address_parse(struct address *a, const char *text, char why[ADDRESS_WHY])
{
	const char *colon = strrchr(text, ':');
	char host[80], decimal[8];
	uint64_t port;

	memset(a, 0, sizeof(*a)); /* also the padding, because address_same() compares all bytes */
	if (strncmp(text, "unix:", 5) == 0)
		return parse_path(a, text + 5, why);
	if (!colon || (size_t)(colon - text) >= sizeof(host)) {
		snprintf(why, ADDRESS_WHY, "must be [ADDR]:PORT or unix:PATH");
		return false;
	}
	if (!number_parse(colon + 1, 1, 65535, &port, NULL)) {
		snprintf(why, ADDRESS_WHY, "the port must be 1 to 65535");
		return false;
	}
	snprintf(host, sizeof(host), "%.*s", (int)(colon - text), text);
	snprintf(decimal, sizeof(decimal), "%u", (unsigned)port); /* getaddrinfo() does not accept a hexadecimal port */
	return parse_host(a, host, decimal, why);
}

bool address_same(const struct address *a, const struct address *b)
{
	return a->len == b->len && !memcmp(&a->room, &b->room, a->len);
}

/* Remove the socket file if no process listens on it, as after a crash. False if the file is not a socket. */
static bool remove_stale(const struct address *a)
{
	struct stat st;
	int fd;

	if (stat(a->local.sun_path, &st) < 0)
		return true;
	if (!S_ISSOCK(st.st_mode))
		return false;
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd >= 0 && connect(fd, &a->any, a->len) < 0 && errno == ECONNREFUSED)
		unlink(a->local.sun_path);
	if (fd >= 0)
		close(fd);
	return true;
}

/* Bind with permissions for all users, because a web server runs as another user. The folder can restrict access. */
static int bind_open(int fd, const struct address *a)
{
	const mode_t before = umask(0111);
	int err = bind(fd, &a->any, a->len);

	umask(before);
	return err;
}

int address_listen(const struct address *a, char why[ADDRESS_WHY])
{
	const bool local = a->any.sa_family == AF_UNIX;
	const int on = 1;
	int fd;

	if (local && !remove_stale(a)) {
		snprintf(why, ADDRESS_WHY, "exists and is not a socket; name another path");
		return -1;
	}
	fd = socket(a->any.sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd >= 0 && !local)
		setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	if (fd >= 0 && !bind_open(fd, a) && !listen(fd, BACKLOG))
		return fd;
	snprintf(why, ADDRESS_WHY, "%s", strerror(errno));
	if (fd >= 0)
		close(fd);
	return -1;
}

void address_remove(const struct address *a)
{
	if (a->any.sa_family == AF_UNIX)
		unlink(a->local.sun_path);
}
