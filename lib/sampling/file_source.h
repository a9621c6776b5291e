/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Reading a file at any offset. The content of a pipe is first copied to an anonymous file (memfd). */
#ifndef UM_SAMPLING_FILE_SOURCE_H
#define UM_SAMPLING_FILE_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "common/error.h"

enum { UM_SOURCE_MAGIC = 16 };

struct um_source {
	int fd;
	bool own;          /* @fd is our copy of a pipe, to be closed */
	unsigned char *buf;
	uint64_t buf_at;   /* where in the file @buf begins */
	size_t buf_len;
};

/*
 * Read the first bytes into @magic, and let @good check them before more of a pipe is read. 0; -EBADMSG: they are
 * missing or wrong; or the negative errno of read(2).
 */
int um_source_open(struct um_source *s, int fd, unsigned char magic[UM_SOURCE_MAGIC],
		   bool (*good)(const unsigned char *magic)) UM_MUST_CHECK;
void um_source_close(struct um_source *s);
/* Returns the number of bytes read: @len, or fewer at the end of the file; or a negative errno. */
ssize_t um_source_read(struct um_source *s, uint64_t at, void *to, size_t len) UM_MUST_CHECK;

#endif
