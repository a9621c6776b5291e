/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Reading a perf.data file at any offset. The content of a pipe is first copied to an anonymous file (memfd). */
#ifndef UM_SAMPLING_FILE_SOURCE_H
#define UM_SAMPLING_FILE_SOURCE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "common/error.h"

enum { UM_SOURCE_MAGIC = 16 };

/* A read-ahead buffer of a file. */
struct um_window {
	uint64_t at;       /* offset of the bytes in the file */
	size_t len, room;
	unsigned char bytes[];
};

struct um_source {
	int fd;                   /* descriptor of the file, or of our copy of a pipe's content */
	struct um_window *window; /* read-ahead buffer for sequential reading */
};

/* Allocate a read-ahead buffer of @room bytes. Returns NULL if there is no memory. */
struct um_window *um_window_new(size_t room);
/*
 * Read the first bytes into @magic, and copy the rest if @fd is a pipe. @fd may be closed afterwards. Returns 0,
 * -EBADMSG if this is no perf.data file, or another negative errno.
 */
int um_source_open(struct um_source *s, int fd, unsigned char magic[UM_SOURCE_MAGIC]) UM_MUST_CHECK;
void um_source_close(struct um_source *s);
/* Read @len bytes through the buffer @w. Returns their number, smaller at the end of the file, or a negative errno. */
ssize_t um_source_read(const struct um_source *s, struct um_window *w, uint64_t at, void *to, size_t len)
	UM_MUST_CHECK;

#endif
