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

static char *add(struct rows *r, const char *name, size_t len)
{
	if (ARRAY_ROOM(r->names, r->num, 1))
		return NULL;
	r->names[r->num] = strndup(name, len);
	return r->names[r->num] ? r->names[r->num++] : NULL;
}

static char *read_all(int fd, size_t *len)
{
	struct stat st;
	ssize_t n = 0;
	char *text;

	if (fstat(fd, &st) < 0 || st.st_size > MOST_BYTES)
		return NULL;
	text = malloc((size_t)st.st_size + 1);
	for (*len = 0; text && *len < (size_t)st.st_size; *len += (size_t)n) {
		n = pread(fd, text + *len, (size_t)st.st_size - *len, (off_t)*len);
		if (n <= 0)
			break;
	}
	return text;
}

int rows_load(struct rows *r, int fd)
{
	size_t len = 0, at = 0;
	const char *end;
	char *text;

	*r = (struct rows){ .fd = -1 };
	text = fd < 0 ? NULL : read_all(fd, &len);
	if (fd >= 0 && !text)
		return EIO;
	for (; at < len && (end = memchr(text + at, '\n', len - at)); at = (size_t)(end - text) + 1)
		if (!add(r, text + at, (size_t)(end - (text + at))))
			break;
	free(text);
	/* The last line is incomplete, so its number was never used: remove it. */
	if (at < len && ftruncate(fd, (off_t)at) < 0)
		return errno;
	if (fd >= 0 && lseek(fd, (off_t)at, SEEK_SET) < 0)
		return errno;
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
	if (!add(r, name, strlen(name)))
		return 0;
	save(r, name);
	return (uint32_t)r->num;
}
