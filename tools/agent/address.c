/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "agent/address.h"

#include <errno.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "common/number.h"

enum { BACKLOG = 4096 };

struct address {
	union {
		struct sockaddr any;
		struct sockaddr_un local;
		struct sockaddr_storage room;
	};
	socklen_t len;
};

static bool is_path(const char *text)
{
	return strncmp(text, "unix:", 5) == 0;
}

static bool parse_path(struct address *a, const char *path, char why[ADDRESS_WHY])
{
	a->local = (struct sockaddr_un){ .sun_family = AF_UNIX };
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

static bool parse(struct address *a, const char *text, char why[ADDRESS_WHY])
{
	const char *colon = strrchr(text, ':');
	char host[80];
	uint64_t port;

	if (is_path(text))
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
	return parse_host(a, host, colon + 1, why);
}

bool address_check(const char *text, char why[ADDRESS_WHY])
{
	struct address a;

	return parse(&a, text, why);
}

bool address_same(const char *a, const char *b)
{
	char why[ADDRESS_WHY];
	struct address x, y;

	return parse(&x, a, why) && parse(&y, b, why) && x.len == y.len && !memcmp(&x.room, &y.room, x.len);
}

/* Remove the socket file if no process listens on it (its process was killed). False: the file is not a socket. */
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

int address_listen(const char *text, char why[ADDRESS_WHY])
{
	const int on = 1;
	struct address a;
	int fd;

	if (!parse(&a, text, why))
		return -1;
	if (is_path(text) && !remove_stale(&a)) {
		snprintf(why, ADDRESS_WHY, "exists and is not a socket; name another path");
		return -1;
	}
	fd = socket(a.any.sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd >= 0 && a.any.sa_family != AF_UNIX)
		setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	if (fd >= 0 && !bind_open(fd, &a) && !listen(fd, BACKLOG))
		return fd;
	snprintf(why, ADDRESS_WHY, "%s", strerror(errno));
	if (fd >= 0)
		close(fd);
	return -1;
}

void address_remove(const char *text)
{
	if (is_path(text))
		unlink(text + 5);
}
