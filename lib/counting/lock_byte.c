/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Lock bytes of a file (open-file-description locks), and lock journals by bytes of "root.lock". */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>

#include "counting/lease.h"

/* Offset of the bytes of "root.lock" that stand for journals; registers have smaller offsets (lock.c). */
#define JOURNALS (UINT64_C(6) << 56)

static struct flock flock_of(uint64_t first, uint64_t last, short type)
{
	return (struct flock){
		.l_type = type, .l_whence = SEEK_SET, .l_start = (off_t)first,
		.l_len = last == UM_LOCK_END ? 0 : (off_t)(last - first + 1),
	};
}

int um_lock(int fd, uint64_t first, uint64_t last, short type)
{
	struct flock l = flock_of(first, last, type);

	return fcntl(fd, F_OFD_SETLK, &l) < 0 ? -errno : 0;
}

bool um_lock_find(int fd, uint64_t *first, uint64_t *last, short type)
{
	struct flock l = flock_of(*first, *last, type);

	if (fcntl(fd, F_OFD_GETLK, &l) || l.l_type == F_UNLCK)
		return false;
	*first = (uint64_t)l.l_start;
	*last = l.l_len ? *first + (uint64_t)l.l_len - 1 : UM_LOCK_END;
	return true;
}

static int lock_journal(const struct um_guard *g, const char *name, short type)
{
	unsigned pid = 0, nth = 0;
	uint64_t byte;

	if (g->own < 0)
		return 0;
	sscanf(name, "%u-%u", &pid, &nth);
	byte = JOURNALS | (uint64_t)pid << 24 | (nth & 0xffffff);
	return um_lock(g->own, byte, byte, type);
}

int um_journal_lock(const struct um_guard *g, const char *name)
{
	return lock_journal(g, name, F_WRLCK);
}

void um_journal_unlock(const struct um_guard *g, const char *name)
{
	lock_journal(g, name, F_UNLCK);
}
