/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Where to listen: "[ADDR]:PORT" (without ADDR localhost), or "unix:PATH". */
#ifndef AGENT_ADDRESS_H
#define AGENT_ADDRESS_H

#include <stdbool.h>

enum { ADDRESS_WHY = 160 };

/* Is it one? If not, @why says what is wrong with it. */
bool address_check(const char *text, char why[ADDRESS_WHY]);
/* A descriptor that listens there; -1: @why says why not. A socket that nobody listens to is replaced. */
int address_listen(const char *text, char why[ADDRESS_WHY]);
/* At the end: the socket of a path goes away. */
void address_remove(const char *text);

#endif
