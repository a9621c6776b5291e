/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Addresses to listen on: "[ADDR]:PORT" (ADDR defaults to localhost), or "unix:PATH". */
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
/* Are both the same address, even if they were written differently? */
bool address_same(const struct address *a, const struct address *b);
/*
 * Listen at the address; a socket file on which no process listens is replaced. Returns a descriptor, or -1 with the
 * reason in @why; errno is EADDRINUSE if another process listens there.
 */
int address_listen(const struct address *a, char why[ADDRESS_WHY]);
/* Call this at the end: remove the socket file of "unix:PATH". */
void address_remove(const struct address *a);

#endif
