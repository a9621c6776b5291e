/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "agent/row_numbers.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/array.h"

enum { MOST_BYTES = 64 << 20 };

static char *append_name(struct rows *r, const char *name, size_t len)
{
	if (ARRAY_ROOM(r->names, r->num, 1))
		return NULL;
	r->names[r->num] = strndup(name, len);
	return r->names[r->num] ? r->names[r->num++] : NULL;
}

int rows_load(struct rows *r, int fd)
{
	FILE *f = fd < 0 ? NULL : fdopen(dup(fd), "r");
	char *line = NULL;
	size_t room = 0;
	ssize_t len;
	off_t at = 0;
	struct stat st = { .st_size = 0 };
	bool whole;

	*r = (struct rows){ .fd = -1 };
	if (fd < 0)
		return 0;
	/* Rewind: an earlier output process may have used the same open file, and left its offset at the end. */
	whole = f && !fstat(fd, &st) && st.st_size <= MOST_BYTES && !fseek(f, 0, SEEK_SET);
	errno = 0;
	while (whole && (len = getline(&line, &room, f)) > 0 && line[len - 1] == '\n') {
		whole = append_name(r, line, (size_t)len - 1);
		at += len;
	}
	whole &= f && !ferror(f) && errno != ENOMEM;
	free(line);
	if (f)
		fclose(f);
	/* Remove an incomplete last line: writing that name failed, so the name gets a new number. */
	if (!whole || (at < st.st_size && ftruncate(fd, at) < 0) || lseek(fd, at, SEEK_SET) < 0)
		return EIO;
	r->fd = fd;
	return 0;
}

static void save(struct rows *r, const char *name)
{
	char line[512];
	int len = snprintf(line, sizeof(line), "%.510s\n", name);

	if (r->fd < 0)
		return;
	/* After an incomplete write no more names are saved: they would get wrong numbers when the file is read. */
	if (write(r->fd, line, (size_t)len) != len || fdatasync(r->fd) < 0)
		r->fd = -1;
}

uint32_t rows_number(struct rows *r, const char *name)
{
	for (size_t i = 0; i < r->num; i++) {
		size_t at = (r->next + i) % r->num;

		if (strcmp(r->names[at], name) != 0)
			continue;
		r->next = at + 1;
		return (uint32_t)at + 1;
	}
	if (!append_name(r, name, strlen(name)))
		return 0;
	save(r, name);
	return (uint32_t)r->num;
}
