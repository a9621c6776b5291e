/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Lock bytes of a file (open-file-description locks), and find out who has locked which bytes of "lock". Any process
 * that can open the file learns from F_OFD_GETLK which bytes are locked. Only /proc/PID/fdinfo shows which process has
 * locked them: F_OFD_GETLK and /proc/locks report the process id -1.
 */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "counting/lease.h"

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

/*
 * Does @line of an fdinfo file report a lock on file @st that covers the range @what? Example: "lock:\t1: OFDLCK
 * ADVISORY WRITE -1 00:1a:1234 256 256". POSIX in place of OFDLCK means a classic record lock, which conflicts with
 * ours, too. Locks of other types (FLOCK, LEASE) do not conflict.
 */
static bool is_lock_of(const char *line, const struct stat *st, const struct um_locked *what)
{
	unsigned long long ino, first;
	unsigned major_number, minor_number;
	char kind[8], end[24];

	return sscanf(line, "lock: %*d: %7s %*s %*s %*d %x:%x:%llu %llu %23s", kind, &major_number,
		      &minor_number, &ino, &first, end) == 6 &&
	       (!strcmp(kind, "OFDLCK") || !strcmp(kind, "POSIX")) &&
	       major_number == major(st->st_dev) && minor_number == minor(st->st_dev) &&
	       ino == st->st_ino && first <= what->first &&
	       (!strcmp(end, "EOF") || what->last <= strtoull(end, NULL, 10));
}

static bool has_line(const char *path, const struct stat *st, const struct um_locked *what)
{
	FILE *f = fopen(path, "re");
	char line[256];
	bool has = false;

	while (f && !has && fgets(line, sizeof(line), f))
		has = is_lock_of(line, st, what);
	if (f)
		fclose(f);
	return has;
}

static long find_holder(int fd, const struct um_locked *what)
{
	glob_t all = { .gl_pathc = 0 };
	struct stat st;
	long pid = 0;

	if (!fstat(fd, &st) && !glob("/proc/[0-9]*/fdinfo/*", GLOB_NOSORT, NULL, &all))
		for (size_t i = 0; i < all.gl_pathc && !pid; i++)
			if (has_line(all.gl_pathv[i], &st, what))
				pid = atol(all.gl_pathv[i] + strlen("/proc/"));
	globfree(&all);
	return pid;
}

long um_lock_holder(const struct um_guard *g, uint64_t byte)
{
	return find_holder(g->locks, &(struct um_locked){ .first = byte, .last = byte });
}

/* A process can choose any name, so replace unprintable characters. */
void um_lock_describe(const struct um_guard *g, struct um_locked *l)
{
	char path[64];
	struct stat st;
	FILE *f;

	l->pid = find_holder(g->locks, l);
	l->user = -1;
	snprintf(path, sizeof(path), "/proc/%ld/comm", l->pid);
	f = l->pid ? fopen(path, "re") : NULL;
	if (f && !fstat(fileno(f), &st))
		l->user = st.st_uid;
	if (f && fgets(l->command, sizeof(l->command), f))
		l->command[strcspn(l->command, "\n")] = '\0';
	if (f)
		fclose(f);
	for (char *p = l->command; *p; p++)
		*p = isgraph((unsigned char)*p) ? *p : '?';
}

/* Largest number of locked ranges that are listed: a member of the Unix group could lock every second byte of the
 * file. */
enum { MOST_PARTS = 1 << 14 };

struct looking {
	int fd;
	int (*fn)(void *user, uint64_t first, uint64_t last);
	void *user;
	unsigned parts;
};

long um_journal_holder(const struct um_journal *j)
{
	struct um_locked what = { .first = 0, .last = UM_LOCK_END };

	return um_lock_find(j->fd, &what.first, &what.last, F_WRLCK) ? find_holder(j->fd, &what) : 0;
}

/* F_OFD_GETLK returns any overlapping lock, not the first one. So search the bytes before and after that lock, too. */
static int look(struct looking *l, uint64_t first, uint64_t last)
{
	int err = 0;

	while (!err && l->parts < MOST_PARTS) {
		uint64_t from = first, to = last;

		if (!um_lock_find(l->fd, &from, &to, F_WRLCK))
			break;
		l->parts++;
		err = l->fn(l->user, from, to);
		if (!err && from > first)
			err = look(l, first, from - 1);
		if (to >= last)
			break;
		first = to + 1;
	}
	return err;
}

int um_locks_each(const struct um_guard *g, int (*fn)(void *user, uint64_t first, uint64_t last), void *user)
{
	return g->locks < 0 ? 0 : look(&(struct looking){ .fd = g->locks, .fn = fn, .user = user }, 0, UM_LOCK_END);
}
