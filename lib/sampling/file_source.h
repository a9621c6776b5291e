/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The bytes of a file, at any place; what comes through a pipe is put aside first. */
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
	bool own;          /* what was put aside */
	unsigned char *buf;
	uint64_t buf_at;   /* where in the file @buf begins */
	size_t buf_len;
};

/*
 * @magic gets the first bytes, which @good looks at before more of a pipe is read. 0; -EBADMSG they are
 * not there or not good; or what read(2) failed with.
 */
int um_source_open(struct um_source *s, int fd, unsigned char magic[UM_SOURCE_MAGIC],
		   bool (*good)(const unsigned char *magic)) UM_MUST_CHECK;
void um_source_close(struct um_source *s);
/* How many bytes there were, @len unless the file ends before; or a negative errno. */
ssize_t um_source_read(struct um_source *s, uint64_t at, void *to, size_t len) UM_MUST_CHECK;

#endif
