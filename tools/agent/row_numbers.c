/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "agent/row_numbers.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/array.h"

enum { MOST_BYTES = 64 << 20 };

int rows_load(struct rows *r, int fd)
{
	struct stat st;
	char *line, *end;
	off_t at;

	*r = (struct rows){ .fd = -1 };
	if (fd < 0)
		return 0;
	if (fstat(fd, &st) < 0 || st.st_size > MOST_BYTES)
		return EIO;
	r->text = malloc((size_t)st.st_size + 1);
	if (!r->text || pread(fd, r->text, (size_t)st.st_size, 0) != st.st_size)
		return EIO;
	r->text[st.st_size] = '\0';
	for (line = r->text; (end = memchr(line, '\n', (size_t)(r->text + st.st_size - line))); line = end + 1) {
		*end = '\0';
		if (ARRAY_APPEND(r->names, r->num, line))
			return ENOMEM;
	}
	/* Remove an incomplete last line, left by a failed write. Its name gets a new number. */
	at = line - r->text;
	if ((at < st.st_size && ftruncate(fd, at) < 0) || lseek(fd, at, SEEK_SET) < 0)
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
	/* After an incomplete write save no more names: they would get wrong numbers when the file is read. */
	if (write(r->fd, line, (size_t)len) != len || fdatasync(r->fd) < 0)
		r->fd = -1;
}

uint32_t rows_number(struct rows *r, const char *name)
{
	char *copy;

	for (size_t i = 0; i < r->num; i++) {
		size_t at = (r->next + i) % r->num;

		if (strcmp(r->names[at], name) != 0)
			continue;
		r->next = at + 1;
		return (uint32_t)at + 1;
	}
	copy = strdup(name);
	if (!copy || ARRAY_APPEND(r->names, r->num, copy)) {
		free(copy);
		return 0;
	}
	save(r, name);
	return (uint32_t)r->num;
}
