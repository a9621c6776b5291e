/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The lease directory, and its locks. */
#include "counting/lease.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

bool um_lease_dir(const struct um_machine *m, char *buf, size_t size)
{
	if (!m->access || !m->access->has_files || m->dry_run)
		return false;
	return snprintf(buf, size, "%s/run/uncoremsr", m->access->root) < (int)size;
}

static void read_boot(struct um_guard *g, const struct um_machine *m)
{
	if (um_access_line(m->access, "proc/sys/kernel/random/boot_id", g->boot,
			   sizeof(g->boot)) <= 0)
		strcpy(g->boot, "-");
}

static int cannot_use(const char *path, int err, struct um_error *e)
{
	um_fail(e, err, UNCOREMSR_ERROR_ACCESS,
		"%s: %s: counters are shared, so nothing is programmed without leases", path,
		strerror(-err));
	um_hint(e, "run as root, or let uncore-doctor --grant show how to share it with a group");
	return err;
}

int um_guard_open(struct um_guard *g, const struct um_machine *m, bool create, struct um_error *e)
{
	const char *path = g->path;
	int err;

	*g = (struct um_guard){ .dir = -1 };
	if (!um_lease_dir(m, g->path, sizeof(g->path)))
		return 0;
	read_boot(g, m);
	if (create && mkdir(path, 0755) < 0 && errno != EEXIST)
		return cannot_use(path, -errno, e);
	g->dir = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
	if (g->dir < 0)
		return cannot_use(path, -errno, e);
	err = um_access_check_dir(g->dir, path, e);
	if (err)
		um_guard_close(g);
	return err;
}

void um_guard_close(struct um_guard *g)
{
	if (g->dir >= 0)
		close(g->dir);
	g->dir = -1;
}

int um_lease_each(struct um_guard *g,
		  int (*fn)(void *user, const char *name, const struct um_lease_id *id), void *user)
{
	int fd = g->dir < 0 ? -1 : openat(g->dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;
	int err = 0;

	if (!dir && fd >= 0)
		close(fd);
	while (dir && !err && (entry = readdir(dir))) {
		struct um_lease_id id;

		if (um_lease_parse_name(entry->d_name, &id))
			err = fn(user, entry->d_name, &id);
	}
	if (dir)
		closedir(dir);
	return err;
}

/* @type: F_WRLCK alone, F_RDLCK together with others, F_UNLCK. */
static int lock(int fd, short type)
{
	struct flock l = { .l_type = type, .l_whence = SEEK_SET };

	return fcntl(fd, F_OFD_SETLK, &l) < 0 ? -errno : 0;
}

bool um_lease_is_held(int fd)
{
	struct flock l = { .l_type = F_WRLCK, .l_whence = SEEK_SET };

	return fcntl(fd, F_OFD_GETLK, &l) == 0 && l.l_type != F_UNLCK;
}

/* A file of the directory, for a group where the directory is one's. Not through links. */
static int open_file(struct um_guard *g, const char *name)
{
	struct stat dir, st;
	int fd = openat(g->dir, name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0644);

	if (fd < 0)
		return -errno;
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode)) {
		if (fstat(g->dir, &dir) == 0 && (dir.st_mode & S_IWGRP) && !(st.st_mode & S_IWGRP))
			fchmod(fd, 0664); /* best effort: only its owner may */
		return fd;
	}
	close(fd);
	return -EINVAL;
}

static int file_failed(const struct um_guard *g, const char *name, int err, struct um_error *e)
{
	um_fail(e, err, UNCOREMSR_ERROR_ACCESS, "%s/%s: %s: counters are shared, so nothing is "
		"programmed without leases", g->path, name, strerror(-err));
	um_hint(e, "uncore-doctor tells what is wrong with the lease directory");
	return err;
}

/* Open and lock it. */
static int hold(struct um_guard *g, const struct um_lease_id *id, short type, int *out,
		struct um_record *held_by, struct um_error *e)
{
	char name[UM_LEASE_NAME];
	enum um_fault fault;
	int fd, err;

	*out = -1;
	if (g->dir < 0)
		return 0;
	um_lease_name(id, name, sizeof(name));
	fd = open_file(g, name);
	if (fd < 0)
		return file_failed(g, name, fd, e);
	err = lock(fd, type);
	if (!err) {
		*out = fd;
		return 0;
	}
	if (held_by && (err == -EAGAIN || err == -EACCES)) {
		if (um_lease_load(fd, held_by, &fault) != 1)
			*held_by = (struct um_record){ .command = "another session" };
		err = -EBUSY;
	} else {
		file_failed(g, name, err, e);
	}
	close(fd);
	return err;
}

int um_lease_take(struct um_guard *g, const struct um_lease_id *id, int *fd,
		  struct um_record *held_by, struct um_error *e)
{
	return hold(g, id, F_WRLCK, fd, held_by, e);
}

int um_gate_hold(struct um_guard *g, const struct um_lease_id *id, int *fd, struct um_error *e)
{
	return hold(g, id, F_RDLCK, fd, NULL, e);
}

int um_lease_load(int fd, struct um_record *r, enum um_fault *fault)
{
	char text[UM_RECORD_TEXT];
	ssize_t len = pread(fd, text, sizeof(text), 0);

	if (len == 0)
		return 0;
	*fault = len < 0 ? UM_FAULT_UNREADABLE : um_record_parse(r, text, (size_t)len);
	return *fault ? -EINVAL : 1;
}

int um_lease_store(struct um_guard *g, int fd, const struct um_record *r, struct um_error *e)
{
	char text[UM_RECORD_TEXT];
	int len = um_record_format(r, text, sizeof(text));
	ssize_t done;

	if (fd < 0)
		return 0;
	if (len < 0)
		return um_fail(e, len, UNCOREMSR_ERROR_USAGE, "too many groups take turns");
	done = ftruncate(fd, 0) < 0 ? -1 : pwrite(fd, text, (size_t)len, 0);
	if (done == len)
		return 0;
	um_fail(e, done < 0 ? -errno : -ENOSPC, UNCOREMSR_ERROR_ACCESS,
		"%s: the journal cannot be written: %s: nothing is programmed without it", g->path,
		strerror(done < 0 ? errno : ENOSPC));
	um_hint(e, "make room in the lease directory's file system");
	if (ftruncate(fd, 0) < 0)
		um_hint(e, "make room, and empty the lease files");
	return done < 0 ? -EIO : -ENOSPC;
}

/* A record that cannot be emptied is found by the next run, which sees nothing to put back. */
void um_lease_forget(int fd)
{
	if (fd >= 0)
		(void)!ftruncate(fd, 0);
}

void um_lease_release(int fd)
{
	if (fd >= 0)
		close(fd);
}

void um_gate_join(struct um_guard *g, const struct um_lease_id *id, int *out)
{
	struct stat st;
	char name[UM_LEASE_NAME];
	int fd;

	um_lease_name(id, name, sizeof(name));
	fd = g->dir < 0 ? -1 : openat(g->dir, name, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
	if (fd >= 0 && (fstat(fd, &st) || !S_ISREG(st.st_mode) || !st.st_size || lock(fd, F_RDLCK))) {
		close(fd);
		fd = -1;
	}
	*out = fd;
}

bool um_gate_is_last(int fd)
{
	return fd < 0 || !lock(fd, F_WRLCK);
}

static bool lock_in_time(int fd, int ms)
{
	const struct timespec pause = { .tv_nsec = 1000000 };

	while (lock(fd, F_WRLCK)) {
		if (!ms--)
			return false;
		nanosleep(&pause, NULL);
	}
	return true;
}

int um_start_lock(struct um_guard *g, int *out, struct um_error *e)
{
	int fd;

	*out = -1;
	if (g->dir < 0)
		return 0;
	fd = open_file(g, "start");
	if (fd < 0)
		return file_failed(g, "start", fd, e);
	if (lock_in_time(fd, 5000))
		*out = fd;
	else
		close(fd);
	return 0;
}

int um_enable_lock(struct um_guard *g, int package, int die, int *fd, struct um_error *e)
{
	char name[64];
	int opened;

	if (g->dir < 0)
		return 0;
	if (die >= 0)
		snprintf(name, sizeof(name), "package%d-die%d-enable", package, die);
	else
		snprintf(name, sizeof(name), "package%d-enable", package);
	if (*fd < 0) {
		opened = open_file(g, name);
		if (opened < 0)
			return file_failed(g, name, opened, e);
		*fd = opened;
	}
	/* Held for three register operations at most, unless its holder is stopped. */
	if (lock_in_time(*fd, 2000))
		return 0;
	um_fail(e, -EBUSY, UNCOREMSR_ERROR_UNSUPPORTED,
		"package %d: another session has been changing the enable register for 2 s", package);
	um_hint(e, "is one of our processes stopped? uncore-doctor --leases shows them");
	return -EBUSY;
}

void um_enable_unlock(int fd)
{
	if (fd >= 0)
		lock(fd, F_UNLCK);
}
