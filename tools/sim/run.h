/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * DIR/run/uncoremsr of a mounted machine. In this directory the programs that share the machine keep their leases and
 * journals; "user" contains one folder for each user. The files are stored in a private temporary directory.
 * File locks do not reach the server: it has no lock operations, so the kernel handles locks itself.
 */
#ifndef TOOL_SIMRUN_H
#define TOOL_SIMRUN_H

#include <limits.h>
#include <stdbool.h>
#include <sys/types.h>

#define FUSE_USE_VERSION 314
#include <fuse.h>

struct simrun_state;

struct simrun {
	char path[PATH_MAX]; /* the temporary directory, for this user only */
	int top;             /* open descriptor of @path, which marks the directory as in use */
	int dir;             /* descriptor of the subdirectory that is served */
	const struct simrun_state *state;
};

typedef int simrun_name_fn(void *user, const char *name, int is_dir);

/* simrun_start() makes the temporary directory (0 or -errno). simrun_stop() removes it, also after a failure. */
int simrun_start(struct simrun *run);
void simrun_stop(struct simrun *run);

/* The part of @path below DIR/run/uncoremsr, "." for the directory itself; NULL: @path is outside. */
const char *simrun_name(const char *path);

/* Get or set the state of the directory: "usable", "full" or "readonly". Set returns 0 or -EINVAL. */
const char *simrun_state(const struct simrun *run);
int simrun_set_state(struct simrun *run, const char *text, size_t size);

/* FUSE operations that fs.c implements for other files, too. Call these only for files in DIR/run/uncoremsr. */
int simrun_getattr(struct simrun *run, const char *name, struct stat *st);
int simrun_list(struct simrun *run, const char *name, simrun_name_fn *fn, void *user);
int simrun_open(struct simrun *run, const char *name, struct fuse_file_info *fi);
int simrun_read(char *buf, size_t size, off_t pos, struct fuse_file_info *fi);
int simrun_write(struct simrun *run, const char *buf, size_t size, off_t pos, struct fuse_file_info *fi);
int simrun_chmod(const char *path, mode_t mode);
int simrun_chown(const char *path, uid_t uid, gid_t gid);

/* FUSE operations that exist only for this directory. The private data of FUSE must begin with a struct simrun. */
int simrun_truncate(const char *path, off_t size, struct fuse_file_info *fi);
int simrun_create(const char *path, mode_t mode, struct fuse_file_info *fi);
int simrun_release(const char *path, struct fuse_file_info *fi);
int simrun_mkdir(const char *path, mode_t mode);
int simrun_rmdir(const char *path);
int simrun_unlink(const char *path);
int simrun_rename(const char *from, const char *to, unsigned flags);
int simrun_symlink(const char *target, const char *path);
int simrun_readlink(const char *path, char *buf, size_t size);
int simrun_utimens(const char *path, const struct timespec times[2], struct fuse_file_info *fi);
int simrun_statfs(const char *path, struct statvfs *st);

static inline bool simrun_is_open(const struct fuse_file_info *fi)
{
	return fi && fi->fh;
}

/* ---- leftovers.c: temporary directories of mounts that were killed ---- */

#define SIM_TEMPORARY "uncore-sim-mount."

/* Mark the directory with descriptor @fd as in use for as long as @fd is open. 0 or a negative errno. */
int leftovers_hold(int fd);
/* Remove this user's temporary directories in @tmp that no process uses and that contain @served or are empty. */
void leftovers_remove(const char *tmp, const char *served);
void leftovers_empty(int dir);

#endif
