/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Numbers of table rows: a name keeps its number, even if the agent is restarted. */
#ifndef AGENT_ROW_NUMBERS_H
#define AGENT_ROW_NUMBERS_H

#include <stddef.h>
#include <stdint.h>

/* The file has one name per line; line 1 is row number 1. */
struct rows {
	char *text; /* the file as it was loaded, with its names */
	char **names;
	size_t num, next;
	int fd; /* -1: no file, so names get new numbers at each start */
};

/* Returns 0, or an errno if new numbers cannot be saved; the numbers read so far are valid. */
int rows_load(struct rows *r, int fd);
/* The row number of @name, from 1; a new name is saved first. 0: out of memory. */
uint32_t rows_number(struct rows *r, const char *name);

#endif
