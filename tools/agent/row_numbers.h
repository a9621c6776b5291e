/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Numbers of rows: a name that has one keeps it, also when the agent is started again. */
#ifndef AGENT_ROW_NUMBERS_H
#define AGENT_ROW_NUMBERS_H

#include <stddef.h>
#include <stdint.h>

/* The file is their names, one per line: the first is number 1. */
struct rows {
	char **names;
	size_t num, next;
	int fd; /* -1: none, they are numbered anew each time */
};

/* 0 or an errno: those that are read are good, more cannot be saved. */
int rows_load(struct rows *r, int fd);
/* 1 or more; a new name is saved before. 0: out of memory. */
uint32_t rows_number(struct rows *r, const char *name);
void rows_free(struct rows *r);

#endif
