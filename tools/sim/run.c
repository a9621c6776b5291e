/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * DIR/run/uncoremsr of a mounted machine, passed through to a temporary directory.
 *
 * The kernel checks permissions (default_permissions) before it asks. There are no directories and
 * no hard links in here: a name never has a slash, so that no symbolic link can lead the server
 * elsewhere, and every file is one inode to the kernel, on which its locks are.
 *
 * A difference from other file systems that libfuse leaves: it finds a file by its name first and
 * opens it then, so that an open(2) may answer ENOENT or ESTALE when another program replaces or
 * removes the name in between.
 */
#include "sim/run.h"
#include "sim/leftovers.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#define SERVED "uncoremsr"

struct simrun_state {
	const char *name;
	int no_data;   /* error of every write of data, 0: none */
	int no_change; /* error of every other change */
};

static const struct simrun_state states[] = {
	{ "usable", 0, 0 },
	{ "full", ENOSPC, 0 }, /* as most file systems: an empty file still fits */
	{ "readonly", EROFS, EROFS },
};

const char *simrun_name(const char *path)
{
	static const char top[] = "/run/" SERVED;

	if (strncmp(path, top, sizeof(top) - 1))
		return NULL;
	path += sizeof(top) - 1;
	if (!*path)
		return ".";
	return *path == '/' && !strchr(path + 1, '/') ? path + 1 : NULL;
}

static int answer(int result)
{
	return result < 0 ? -errno : 0;
}

/* A call that changes something; or the error of the state. */
#define CHANGE(run, call) ((run)->state->no_change ? -(run)->state->no_change : answer(call))

/* ---------------------------------------------------------------- state */

const char *simrun_state(const struct simrun *run)
{
	return run->state->name;
}

int simrun_set_state(struct simrun *run, const char *text, size_t size)
{
	size_t i;

	if (size && text[size - 1] == '\n')
		size--;
	for (i = 0; i < sizeof(states) / sizeof(states[0]); i++) {
		if (strlen(states[i].name) == size && !memcmp(states[i].name, text, size)) {
			run->state = &states[i];
			return 0;
		}
	}
	return -EINVAL;
}

/* ---------------------------------------------------------------- start, stop */

int simrun_start(struct simrun *run)
{
	const char *tmp = secure_getenv("TMPDIR");

	run->state = &states[0];
	run->dir = run->top = -1;
	/* It must be absolute: the daemon leaves its directory. */
	tmp = tmp && *tmp == '/' ? tmp : "/tmp";
	leftovers_remove(tmp, SERVED);
	snprintf(run->path, sizeof(run->path), "%s/" SIM_TEMPORARY "XXXXXX", tmp);
	if (!mkdtemp(run->path)) {
		int err = -errno;

		run->path[0] = '\0';
		return err;
	}
	run->top = open(run->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (run->top >= 0 && !leftovers_hold(run->top) && !mkdirat(run->top, SERVED, 0700))
		run->dir = openat(run->top, SERVED, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return run->dir < 0 || fchmod(run->dir, 0755) ? -errno : 0; /* whatever the umask */
}

static int remove_name(void *user, const char *name, int is_dir)
{
	struct simrun *run = user;

	(void)is_dir;
	return answer(unlinkat(run->dir, name, 0));
}

static int for_each_name(struct simrun *run, simrun_name_fn *fn, void *user)
{
	int fd = openat(run->dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC), err = 0;
	DIR *d = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *e;

	if (!d) {
		err = -errno;
		if (fd >= 0)
			close(fd);
		return err;
	}
	while (!err && (e = readdir(d)))
		if (strcmp(e->d_name, ".") && strcmp(e->d_name, ".."))
			err = fn(user, e->d_name, 0);
	closedir(d);
	return err;
}

void simrun_stop(struct simrun *run)
{
	char served[sizeof(run->path) + sizeof(SERVED)];

	if (!run->path[0])
		return;
	if (run->dir >= 0) {
		for_each_name(run, remove_name, run);
		close(run->dir);
	}
	run->dir = -1;
	snprintf(served, sizeof(served), "%s/" SERVED, run->path);
	rmdir(served);
	rmdir(run->path);
	if (run->top >= 0)
		close(run->top);
	run->top = -1;
}

/* ---------------------------------------------------------------- open files */

/* 0 in a handle means that the file is not ours, and 0 may be a descriptor. */
static int descriptor(const struct fuse_file_info *fi)
{
	return (int)fi->fh - 1;
}

static int opened(struct fuse_file_info *fi, int fd)
{
	if (fd < 0)
		return -errno;
	fi->fh = (uint64_t)fd + 1;
	return 0;
}

static int open_flags(const struct fuse_file_info *fi)
{
	return (fi->flags & (O_ACCMODE | O_APPEND | O_TRUNC)) | O_NOFOLLOW | O_CLOEXEC;
}

int simrun_open(struct simrun *run, const char *name, struct fuse_file_info *fi)
{
	bool changes = (fi->flags & O_ACCMODE) != O_RDONLY || (fi->flags & O_TRUNC);

	if (changes && run->state->no_change)
		return -run->state->no_change;
	return opened(fi, openat(run->dir, name, open_flags(fi)));
}

/* A directory with the set-group-ID bit hands its group on, else the group is the caller's. */
static int give_to_caller(struct simrun *run, const char *name)
{
	const struct fuse_context *caller = fuse_get_context();
	struct stat st;
	gid_t gid;

	if (fstat(run->dir, &st))
		return -errno;
	gid = st.st_mode & S_ISGID ? (gid_t)-1 : caller->gid;
	/* A server that is not root can give nothing away; then it stays the server's. */
	if (fchownat(run->dir, name, caller->uid, gid, AT_SYMLINK_NOFOLLOW) && errno != EPERM)
		return -errno;
	return 0;
}

/* The kernel has applied the caller's umask; ours must not come on top. */
int simrun_create(struct simrun *run, const char *name, mode_t mode, struct fuse_file_info *fi)
{
	int fd, err;

	if (run->state->no_change)
		return -run->state->no_change;
	fd = openat(run->dir, name, open_flags(fi) | O_CREAT | O_EXCL, 0600);
	if (fd < 0)
		return -errno;
	err = give_to_caller(run, name);
	if (!err)
		err = answer(fchmod(fd, mode & 07777));
	if (!err)
		return opened(fi, fd);
	close(fd);
	unlinkat(run->dir, name, 0);
	return err;
}

int simrun_release(struct fuse_file_info *fi)
{
	return answer(close(descriptor(fi)));
}

int simrun_read(char *buf, size_t size, off_t pos, struct fuse_file_info *fi)
{
	ssize_t n = pread(descriptor(fi), buf, size, pos);

	return n < 0 ? -errno : (int)n;
}

int simrun_write(struct simrun *run, const char *buf, size_t size, off_t pos,
		 struct fuse_file_info *fi)
{
	ssize_t n;

	if (run->state->no_data)
		return -run->state->no_data;
	n = pwrite(descriptor(fi), buf, size, pos);
	return n < 0 ? -errno : (int)n;
}

int simrun_truncate(struct simrun *run, const char *name, off_t size, struct fuse_file_info *fi)
{
	int fd, err;

	if (run->state->no_change)
		return -run->state->no_change;
	if (simrun_is_open(fi))
		return answer(ftruncate(descriptor(fi), size));
	fd = openat(run->dir, name, O_WRONLY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	err = answer(ftruncate(fd, size));
	close(fd);
	return err;
}

/* ---------------------------------------------------------------- names */

int simrun_getattr(struct simrun *run, const char *name, struct stat *st)
{
	return answer(fstatat(run->dir, name, st, AT_SYMLINK_NOFOLLOW));
}

struct listing {
	simrun_name_fn *fn;
	void *user;
};

/* libfuse keeps a file that is removed while it is open under such a name until it is closed. */
static int list_name(void *user, const char *name, int is_dir)
{
	const struct listing *l = user;

	return strncmp(name, ".fuse_hidden", 12) ? l->fn(l->user, name, is_dir) : 0;
}

int simrun_list(struct simrun *run, simrun_name_fn *fn, void *user)
{
	struct listing l = { fn, user };

	return for_each_name(run, list_name, &l);
}

int simrun_unlink(struct simrun *run, const char *name)
{
	return CHANGE(run, unlinkat(run->dir, name, 0));
}

int simrun_rename(struct simrun *run, const char *from, const char *to, unsigned flags)
{
	return CHANGE(run, renameat2(run->dir, from, run->dir, to, flags));
}

int simrun_symlink(struct simrun *run, const char *target, const char *name)
{
	if (run->state->no_change)
		return -run->state->no_change;
	if (symlinkat(target, run->dir, name))
		return -errno;
	return give_to_caller(run, name);
}

int simrun_readlink(struct simrun *run, const char *name, char *buf, size_t size)
{
	ssize_t n = readlinkat(run->dir, name, buf, size - 1);

	if (n < 0)
		return -errno;
	buf[n] = '\0';
	return 0;
}

int simrun_chmod(struct simrun *run, const char *name, mode_t mode)
{
	return CHANGE(run, fchmodat(run->dir, name, mode & 07777, 0));
}

int simrun_chown(struct simrun *run, const char *name, uid_t uid, gid_t gid)
{
	return CHANGE(run, fchownat(run->dir, name, uid, gid, AT_SYMLINK_NOFOLLOW));
}

int simrun_utimens(struct simrun *run, const char *name, const struct timespec times[2])
{
	return CHANGE(run, utimensat(run->dir, name, times, AT_SYMLINK_NOFOLLOW));
}

int simrun_statfs(struct simrun *run, struct statvfs *st)
{
	if (fstatvfs(run->dir, st))
		return -errno;
	if (run->state->no_data)
		st->f_bfree = st->f_bavail = 0;
	return 0;
}
