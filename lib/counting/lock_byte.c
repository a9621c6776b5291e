/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>

#include "counting/lease.h"

/* Offset of the bytes of "root.lock" that stand for journals; registers have smaller offsets (lock.c). */
#define JOURNALS (UINT64_C(6) << 56)

int um_lock_byte(int fd, uint64_t byte, short type)
{
	struct flock l = {
		.l_type = type, .l_whence = SEEK_SET, .l_start = (off_t)byte, .l_len = 1,
	};

	return fcntl(fd, F_OFD_SETLK, &l) < 0 ? -errno : 0;
}

static uint64_t byte_of(const char *name)
{
	unsigned pid = 0, nth = 0;

	sscanf(name, "%u-%u", &pid, &nth);
	return JOURNALS | (uint64_t)pid << 24 | (nth & 0xffffff);
}

int um_journal_lock(const struct um_guard *g, const char *name)
{
	return g->own < 0 ? 0 : um_lock_byte(g->own, byte_of(name), F_WRLCK);
}

void um_journal_unlock(const struct um_guard *g, const char *name)
{
	if (g->own >= 0)
		um_lock_byte(g->own, byte_of(name), F_UNLCK);
}
