/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Where to listen: "[ADDR]:PORT" (the default of ADDR is localhost), or "unix:PATH". */
#ifndef AGENT_ADDRESS_H
#define AGENT_ADDRESS_H

#include <stdbool.h>
#include <sys/socket.h>
#include <sys/un.h>

struct address {
	union {
		struct sockaddr any;
		struct sockaddr_un local;
		struct sockaddr_storage room;
	};
	socklen_t len;
};

enum { ADDRESS_WHY = 160 };

/* Is @text a valid address? If not, @why says what is wrong with it. */
bool address_parse(struct address *a, const char *text, char why[ADDRESS_WHY]);
/* Are both the same address, however it was written? */
bool address_same(const struct address *a, const struct address *b);
/*
 * Listen at the address. Returns a descriptor; -1: @why has the reason, and errno is EADDRINUSE if another process
 * listens there. A socket file that nobody listens to is replaced.
 */
int address_listen(const struct address *a, char why[ADDRESS_WHY]);
/* Call this at the end: remove the socket file of "unix:PATH". */
void address_remove(const struct address *a);

#endif
