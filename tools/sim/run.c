/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * DIR/run/uncoremsr of a mounted machine, passed through to a temporary directory.
 *
 * The kernel checks permissions (default_permissions) before it calls the server. The only directories are "user" and
 * one folder in "user" for each user. The server opens one directory after the other with O_NOFOLLOW, so that no
 * symbolic link can lead it elsewhere. Hard links cannot be made, so each file has one inode in the kernel, to which
 * file locks belong.
 *
 * One difference from other file systems remains: libfuse looks a file up by its name before it opens it. If another
 * program replaces or removes the name in between, open(2) may fail with ENOENT or ESTALE.
 */
#include "sim/run.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "common/array.h"

#define SERVED "uncoremsr"
#define USERS "user" /* directory with one folder for each user */

struct simrun_state {
	const char *name;
	int no_data;   /* errno with which writes of data fail; 0: they succeed */
	int no_change; /* errno with which other changes fail; 0: they succeed */
};

static const struct simrun_state states[] = {
	{ "usable", 0, 0 },
	{ "full", ENOSPC, 0 }, /* as on most file systems, an empty file can still be created */
	{ "readonly", EROFS, EROFS },
};

/* Number of components of a name: 1 for "lock", 2 for "user/1000", 3 for "user/1000/1-1.journal"; 0: not valid. */
static int depth_of(const char *name)
{
	const char *slash = strchr(name, '/'), *next = slash ? strchr(slash + 1, '/') : NULL;

	if (!slash)
		return 1;
	if (strncmp(name, USERS "/", sizeof(USERS)) || (next && strchr(next + 1, '/')))
		return 0;
	return next ? 3 : 2;
}

static bool may_be_directory(const char *name)
{
	return !strcmp(name, USERS) || depth_of(name) == 2;
}

const char *simrun_name(const char *path)
{
	static const char top[] = "/run/" SERVED;

	if (strncmp(path, top, sizeof(top) - 1))
		return NULL;
	path += sizeof(top) - 1;
	if (!*path)
		return ".";
	return *path == '/' && depth_of(path + 1) ? path + 1 : NULL;
}

/* The directory of the mounted machine: the private data of FUSE begins with a struct simrun. */
static struct simrun *mounted(void)
{
	return fuse_get_context()->private_data;
}

static int answer(int result)
{
	return result < 0 ? -errno : 0;
}

/* ---------------------------------------------------------------- places */

/* Where a file is: the open directory that contains it, and its name in there. */
struct place {
	int dir;
	const char *name;
};

static int open_dir(int at, const char *name)
{
	return openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

static int enter(const struct simrun *run, const char *name, struct place *p)
{
	const char *slash;

	*p = (struct place){ open_dir(run->dir, "."), name };
	while (p->dir >= 0 && (slash = strchr(p->name, '/'))) {
		int up = p->dir;
		char part[NAME_MAX + 1];

		snprintf(part, sizeof(part), "%.*s", (int)(slash - p->name), p->name);
		*p = (struct place){ open_dir(up, part), slash + 1 };
		close(up);
	}
	return p->dir < 0 ? -errno : 0;
}

static int leave(const struct place *p, int result)
{
	int err = answer(result);

	close(p->dir);
	return err;
}

/* Open the directory that contains @path, to change a file in it. -EACCES: @path is outside. */
static int enter_to_change(const char *path, struct place *p)
{
	const struct simrun *run = mounted();
	const char *name = simrun_name(path);

	if (!name)
		return -EACCES;
	return run->state->no_change ? -run->state->no_change : enter(run, name, p);
}

/* Open the directory that contains @path, do the system call @call in it, and close it. Returns 0 or -errno. */
#define CHANGE(path, p, call) (enter_to_change(path, &(p)) ?: leave(&(p), call))

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
	for (i = 0; i < ARRAY_SIZE(states); i++) {
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
	/* The path must be absolute, because the daemon changes its directory. */
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
	return run->dir < 0 || fchmod(run->dir, 0755) ? -errno : 0; /* fchmod() ignores the umask */
}

void simrun_stop(struct simrun *run)
{
	if (!run->path[0])
		return;
	if (run->dir >= 0)
		close(run->dir);
	leftovers_empty(run->top);
	unlinkat(run->top, SERVED, AT_REMOVEDIR); /* leftovers_empty() needs descriptors, which may be used up */
	rmdir(run->path);
	if (run->top >= 0)
		close(run->top);
	run->dir = run->top = -1;
}

/* ---------------------------------------------------------------- open files */

/* fh is the descriptor + 1, because fh 0 means that the file is not in this directory. */
static int descriptor(const struct fuse_file_info *fi)
{
	return (int)fi->fh - 1;
}

static int opened(struct fuse_file_info *fi, int fd)
{
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
	struct place p;
	int fd;

	if (changes && run->state->no_change)
		return -run->state->no_change;
	return enter(run, name, &p) ?: leave(&p, fd = openat(p.dir, p.name, open_flags(fi))) ?: opened(fi, fd);
}

/* Set the owner of a new file to the caller, its group to the caller's (not if the directory is set-group-ID). */
static int give_to_caller(const struct place *p)
{
	const struct fuse_context *caller = fuse_get_context();
	struct stat st;
	gid_t gid;

	if (fstat(p->dir, &st))
		return -1;
	gid = st.st_mode & S_ISGID ? (gid_t)-1 : caller->gid;
	/* A server that is not root cannot change owners. The file then belongs to the server's user. */
	return fchownat(p->dir, p->name, caller->uid, gid, AT_SYMLINK_NOFOLLOW) && errno != EPERM ? -1
												: 0;
}

/* The kernel has already applied the caller's umask; the server's umask must not be applied, too. */
int simrun_create(const char *path, mode_t mode, struct fuse_file_info *fi)
{
	struct place p;
	int fd, err = enter_to_change(path, &p);

	if (err)
		return err;
	fd = openat(p.dir, p.name, open_flags(fi) | O_CREAT | O_EXCL, 0600);
	if (fd < 0)
		return leave(&p, fd);
	err = give_to_caller(&p) || fchmod(fd, mode & 07777) ? -errno : opened(fi, fd);
	if (err) {
		close(fd);
		unlinkat(p.dir, p.name, 0);
	}
	close(p.dir);
	return err;
}

static int make_directory(const struct place *p, mode_t mode)
{
	return mkdirat(p->dir, p->name, 0700) || give_to_caller(p) ||
	       fchmodat(p->dir, p->name, mode & 07777, 0) ? -1 : 0;
}

int simrun_mkdir(const char *path, mode_t mode)
{
	const char *name = simrun_name(path);
	struct place p;

	return name && may_be_directory(name) ? CHANGE(path, p, make_directory(&p, mode)) : -EACCES;
}

int simrun_release(const char *path, struct fuse_file_info *fi)
{
	(void)path;
	return simrun_is_open(fi) ? answer(close(descriptor(fi))) : 0;
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

/* "echo 0 > FILE" truncates the file first; devices and sysfs ignore that. */
int simrun_truncate(const char *path, off_t size, struct fuse_file_info *fi)
{
	const int no_change = mounted()->state->no_change;
	struct place p;
	int fd = -1, err;

	if (!simrun_name(path))
		return 0;
	if (simrun_is_open(fi))
		return no_change ? -no_change : answer(ftruncate(descriptor(fi), size));
	err = CHANGE(path, p, (fd = openat(p.dir, p.name, O_WRONLY | O_NOFOLLOW | O_CLOEXEC)) < 0
		     ? fd : ftruncate(fd, size));
	if (fd >= 0)
		close(fd);
	return err;
}

/* ---------------------------------------------------------------- names */

int simrun_getattr(struct simrun *run, const char *name, struct stat *st)
{
	struct place p;

	return enter(run, name, &p) ?: leave(&p, fstatat(p.dir, p.name, st, AT_SYMLINK_NOFOLLOW));
}

/*
 * Leave out ".fuse_hidden" names: libfuse keeps files that were removed while open under such names until they are
 * closed.
 */
int simrun_list(struct simrun *run, const char *name, simrun_name_fn *fn, void *user)
{
	struct place p;
	int fd, err = enter(run, name, &p) ?: leave(&p, fd = open_dir(p.dir, p.name));
	DIR *d;
	struct dirent *e;

	if (err)
		return err;
	d = fdopendir(fd);
	if (!d) {
		err = -errno;
		close(fd);
		return err;
	}
	while (!err && (e = readdir(d)))
		if (strcmp(e->d_name, ".") && strcmp(e->d_name, "..") && strncmp(e->d_name, ".fuse_hidden", 12))
			err = fn(user, e->d_name, 0);
	closedir(d);
	return err;
}

int simrun_unlink(const char *path)
{
	struct place p;

	return CHANGE(path, p, unlinkat(p.dir, p.name, 0));
}

int simrun_rmdir(const char *path)
{
	struct place p;

	return CHANGE(path, p, unlinkat(p.dir, p.name, AT_REMOVEDIR));
}

/* Is the file a directory? Directories cannot be renamed, because the new name might not be valid. */
static bool is_directory(const struct place *p)
{
	struct stat st;

	return !fstatat(p->dir, p->name, &st, AT_SYMLINK_NOFOLLOW) && S_ISDIR(st.st_mode);
}

int simrun_rename(const char *from, const char *to, unsigned flags)
{
	const char *old = simrun_name(from);
	struct place a, b;
	int err = old && simrun_name(to) ? enter(mounted(), old, &a) : -EACCES;

	if (err)
		return err;
	if (is_directory(&a))
		err = -EACCES;
	else
		err = CHANGE(to, b, is_directory(&b) ? (errno = EISDIR, -1)
			     : renameat2(a.dir, a.name, b.dir, b.name, flags));
	close(a.dir);
	return err;
}

int simrun_symlink(const char *target, const char *path)
{
	struct place p;

	return CHANGE(path, p, symlinkat(target, p.dir, p.name) || give_to_caller(&p) ? -1 : 0);
}

int simrun_readlink(const char *path, char *buf, size_t size)
{
	const char *name = simrun_name(path);
	struct place p;
	ssize_t n;
	int err = !name ? -EINVAL : enter(mounted(), name, &p)
		  ?: leave(&p, (int)(n = readlinkat(p.dir, p.name, buf, size - 1)));

	if (!err)
		buf[n] = '\0';
	return err;
}

int simrun_chmod(const char *path, mode_t mode)
{
	struct place p;

	return CHANGE(path, p, fchmodat(p.dir, p.name, mode & 07777, 0));
}

int simrun_chown(const char *path, uid_t uid, gid_t gid)
{
	struct place p;

	return CHANGE(path, p, fchownat(p.dir, p.name, uid, gid, AT_SYMLINK_NOFOLLOW));
}

int simrun_utimens(const char *path, const struct timespec times[2], struct fuse_file_info *fi)
{
	struct place p;

	(void)fi;
	return simrun_name(path) ? CHANGE(path, p, utimensat(p.dir, p.name, times, AT_SYMLINK_NOFOLLOW)) : -EPERM;
}

int simrun_statfs(const char *path, struct statvfs *st)
{
	const struct simrun *run = mounted();

	(void)path;
	if (fstatvfs(run->dir, st))
		return -errno;
	if (run->state->no_data)
		st->f_bfree = st->f_bavail = 0;
	return 0;
}
