/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * DIR/run/uncoremsr of a mounted machine, passed through to a temporary directory.
 *
 * The kernel checks permissions (default_permissions) before it calls the server. The only directories are "user" and
 * one folder in "user" for each user. Hard links cannot be made, so each file has one inode in the kernel, to which
 * file locks belong.
 *
 * No symbolic link can lead the server elsewhere: simrun_name() refuses names below a link, and files are opened with
 * O_NOFOLLOW. Nothing changes between check and use, because the server has one thread, and no other user can
 * access the temporary directory.
 *
 * One difference from other file systems remains: libfuse looks a file up by its name before it opens it. If another
 * program replaces or removes the name in between, open(2) may fail with ENOENT or ESTALE.
 */
#include "sim/run.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "common/array.h"

#define SERVED "uncoremsr"
#define USERS "user"

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

/* The directory of the mounted machine: the private data of FUSE begins with a struct simrun. */
static struct simrun *mounted(void)
{
	return fuse_get_context()->private_data;
}

static bool is_below_link(const char *name)
{
	char copy[PATH_MAX];
	struct stat st;

	snprintf(copy, sizeof(copy), "%s", name);
	for (char *folder = dirname(copy); strcmp(folder, "."); folder = dirname(folder))
		if (!fstatat(mounted()->dir, folder, &st, AT_SYMLINK_NOFOLLOW) && S_ISLNK(st.st_mode))
			return true;
	return false;
}

const char *simrun_name(const char *path)
{
	static const char top[] = "/run/" SERVED;

	if (strncmp(path, top, sizeof(top) - 1))
		return NULL;
	path += sizeof(top) - 1;
	if (!*path)
		return ".";
	return *path == '/' && depth_of(path + 1) && !is_below_link(path + 1) ? path + 1 : NULL;
}

static int answer(int result)
{
	return result < 0 ? -errno : 0;
}

/* May the file be changed? 0, or -errno. @name NULL: the file is outside. */
static int check_change(const char *name)
{
	return name ? -mounted()->state->no_change : -EACCES;
}

const char *simrun_state(const struct simrun *run)
{
	return run->state->name;
}

int simrun_set_state(struct simrun *run, const char *text, size_t size)
{
	if (size && text[size - 1] == '\n')
		size--;
	for (size_t i = 0; i < ARRAY_SIZE(states); i++)
		if (strlen(states[i].name) == size && !memcmp(states[i].name, text, size)) {
			run->state = &states[i];
			return 0;
		}
	return -EINVAL;
}

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

/* fh is the descriptor + 1, because fh 0 means that the file is not in this directory. */
static int descriptor(const struct fuse_file_info *fi)
{
	return (int)fi->fh - 1;
}

static int opened(struct fuse_file_info *fi, int fd)
{
	fi->fh = (uint64_t)fd + 1;
	return answer(fd);
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

/* Set the owner of a new file to the caller, its group to the caller's (not if the directory is set-group-ID). */
static int give_to_caller(const char *name)
{
	const struct fuse_context *caller = fuse_get_context();
	const int dir = mounted()->dir;
	char copy[PATH_MAX];
	struct stat st;
	gid_t gid;

	snprintf(copy, sizeof(copy), "%s", name);
	if (fstatat(dir, dirname(copy), &st, 0))
		return -1;
	gid = st.st_mode & S_ISGID ? (gid_t)-1 : caller->gid;
	/* A server that is not root cannot change owners. The file then belongs to the server's user. */
	return fchownat(dir, name, caller->uid, gid, AT_SYMLINK_NOFOLLOW) && errno != EPERM ? -1 : 0;
}

/* The kernel has already applied the caller's umask; the server's umask must not be applied, too. */
int simrun_create(const char *path, mode_t mode, struct fuse_file_info *fi)
{
	const char *name = simrun_name(path);
	const int dir = mounted()->dir;
	int fd, err = check_change(name);

	if (err)
		return err;
	fd = openat(dir, name, open_flags(fi) | O_CREAT | O_EXCL, 0600);
	if (fd < 0)
		return -errno;
	if (!give_to_caller(name) && !fchmod(fd, mode & 07777))
		return opened(fi, fd);
	err = -errno;
	close(fd);
	unlinkat(dir, name, 0);
	return err;
}

int simrun_mkdir(const char *path, mode_t mode)
{
	const char *name = simrun_name(path);
	const int dir = mounted()->dir;

	if (!name || !may_be_directory(name))
		return -EACCES;
	return check_change(name) ?: answer(mkdirat(dir, name, 0700) || give_to_caller(name) ||
					    fchmodat(dir, name, mode & 07777, 0) ? -1 : 0);
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

int simrun_write(struct simrun *run, const char *buf, size_t size, off_t pos, struct fuse_file_info *fi)
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
	const char *name = simrun_name(path);
	int fd, err = name ? check_change(name) : 0;

	if (err || !name)
		return err;
	if (simrun_is_open(fi))
		return answer(ftruncate(descriptor(fi), size));
	fd = openat(mounted()->dir, name, O_WRONLY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	err = answer(ftruncate(fd, size));
	close(fd);
	return err;
}

int simrun_getattr(struct simrun *run, const char *name, struct stat *st)
{
	return answer(fstatat(run->dir, name, st, AT_SYMLINK_NOFOLLOW));
}

/* Leave out ".fuse_hidden" names, under which libfuse keeps files that were removed while open. */
int simrun_list(struct simrun *run, const char *name, simrun_name_fn *fn, void *user)
{
	int fd = openat(run->dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC), err = 0;
	DIR *d = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *e;

	if (!d) {
		err = -errno;
		if (fd >= 0)
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
	const char *name = simrun_name(path);

	return check_change(name) ?: answer(unlinkat(mounted()->dir, name, 0));
}

int simrun_rmdir(const char *path)
{
	const char *name = simrun_name(path);

	return check_change(name) ?: answer(unlinkat(mounted()->dir, name, AT_REMOVEDIR));
}

/* Is the file a directory? Directories cannot be renamed, because the new name might not be valid. */
static bool is_directory(const char *name)
{
	struct stat st;

	return !fstatat(mounted()->dir, name, &st, AT_SYMLINK_NOFOLLOW) && S_ISDIR(st.st_mode);
}

int simrun_rename(const char *from, const char *to, unsigned flags)
{
	const char *old = simrun_name(from), *new = simrun_name(to);
	const int dir = mounted()->dir;
	int err;

	if (!old || !new || is_directory(old))
		return -EACCES;
	err = check_change(new);
	if (!err && is_directory(new))
		err = -EISDIR;
	return err ?: answer(renameat2(dir, old, dir, new, flags));
}

int simrun_symlink(const char *target, const char *path)
{
	const char *name = simrun_name(path);

	return check_change(name) ?: answer(symlinkat(target, mounted()->dir, name) || give_to_caller(name) ? -1 : 0);
}

int simrun_readlink(const char *path, char *buf, size_t size)
{
	const char *name = simrun_name(path);
	ssize_t n;

	if (!name)
		return -EINVAL;
	n = readlinkat(mounted()->dir, name, buf, size - 1);
	if (n < 0)
		return -errno;
	buf[n] = '\0';
	return 0;
}

int simrun_chmod(const char *path, mode_t mode)
{
	const char *name = simrun_name(path);

	return check_change(name) ?: answer(fchmodat(mounted()->dir, name, mode & 07777, 0));
}

int simrun_chown(const char *path, uid_t uid, gid_t gid)
{
	const char *name = simrun_name(path);

	return check_change(name) ?: answer(fchownat(mounted()->dir, name, uid, gid, AT_SYMLINK_NOFOLLOW));
}

int simrun_utimens(const char *path, const struct timespec times[2], struct fuse_file_info *fi)
{
	const char *name = simrun_name(path);

	(void)fi;
	if (!name)
		return -EPERM;
	return check_change(name) ?: answer(utimensat(mounted()->dir, name, times, AT_SYMLINK_NOFOLLOW));
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
