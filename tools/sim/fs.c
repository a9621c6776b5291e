/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The FUSE operations of a mounted machine: its devices (dev.c), its own text files (node.c) and the files that
 * programs make in DIR/run/uncoremsr (run.c).
 *
 * FUSE forces two differences from the real drivers. read(2) moves the file position by the number of bytes read; the
 * msr driver does not move it, the cpuid driver moves it by one per leaf. pread(2) behaves the same. And fstat(2) of an
 * open file whose CPU went offline fails with ENOENT.
 */
#include "sim/node.h"
#include "uncoremsr/sim.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct simfs *mounted(void)
{
	return fuse_get_context()->private_data;
}

static pid_t caller(void)
{
	return fuse_get_context()->pid;
}

struct filling {
	void *buf;
	fuse_fill_dir_t fill;
};

static int fill_name(void *user, const char *name, int is_dir)
{
	struct filling *f = user;

	(void)is_dir;
	return f->fill(f->buf, name, NULL, 0, 0) ? -ENOMEM : 0;
}

/* List the folder "7" in /dev/cpu for "cpu7" in sysfs, if the CPU is online. */
static int fill_cpu(void *user, const char *name, int is_dir)
{
	struct node cpu = { .kind = NODE_CPU };

	if (!is_dir || sscanf(name, "cpu%u", &cpu.cpu) != 1 || !simnode_exists(mounted(), &cpu))
		return 0;
	return fill_name(user, name + 3, 1);
}

static int op_getattr(const char *path, struct stat *st, struct fuse_file_info *fi)
{
	struct simfs *fs = mounted();
	struct node n;
	int err = simnode_find(fs, path, &n);

	(void)fi;
	if (err)
		return err;
	if (n.kind == NODE_RUN_FILE)
		return simrun_getattr(&fs->run, n.text, st);
	return simnode_getattr(fs, &n, st);
}

static int op_readdir(const char *path, void *buf, fuse_fill_dir_t fill, off_t off,
		      struct fuse_file_info *fi, enum fuse_readdir_flags flags)
{
	struct filling f = { buf, fill };
	struct simfs *fs = mounted();
	struct node n, cpu = { .kind = NODE_CPU };
	int err = simnode_find(fs, path, &n);

	(void)off;
	(void)fi;
	(void)flags;
	if (err)
		return err;
	fill(buf, ".", NULL, 0, 0);
	fill(buf, "..", NULL, 0, 0);
	switch (n.kind) {
	case NODE_TOP:
		fill(buf, "dev", NULL, 0, 0);
		fill(buf, "run", NULL, 0, 0);
		return uncoremsr_sim_file_list(fs->dev.sim, "", fill_name, &f);
	case NODE_RUN:
		return fill_name(&f, "uncoremsr", 1);
	case NODE_RUN_FILE:
		return simrun_list(&fs->run, n.text, fill_name, &f);
	case NODE_TEXT:
		if (!strcmp(n.text, "sim")) {
			fill(buf, "run", NULL, 0, 0);
			fill(buf, "trouble", NULL, 0, 0);
		}
		return uncoremsr_sim_file_list(fs->dev.sim, n.text, fill_name, &f);
	case NODE_DEV:
		return fill_name(&f, "cpu", 1);
	case NODE_CPUS:
		return uncoremsr_sim_file_list(fs->dev.sim, "sys/devices/system/cpu", fill_cpu, &f);
	default:
		cpu.cpu = n.cpu;
		cpu.kind = NODE_MSR;
		if (simnode_exists(fs, &cpu))
			fill(buf, "msr", NULL, 0, 0);
		return fill_name(&f, "cpuid", 0);
	}
}

static int op_open(const char *path, struct fuse_file_info *fi)
{
	struct simfs *fs = mounted();
	struct node n;
	int err = simnode_find(fs, path, &n);

	if (!err && n.kind == NODE_RUN_FILE)
		return simrun_open(&fs->run, n.text, fi);
	/* Without direct_io the kernel would change position and size of reads. */
	fi->direct_io = 1;
	if (!err && n.kind == NODE_MSR)
		err = simdev_open_msr(&fs->dev, caller(), n.cpu, fi->flags);
	return err;
}

/*
 * Parse the path, but do not check with find() that the node still exists: a file that was opened before its CPU went
 * offline stays open, and reads fail with ENXIO.
 */
static int op_read(const char *path, char *buf, size_t size, off_t pos, struct fuse_file_info *fi)
{
	struct simfs *fs = mounted();
	struct node n;
	int err = simnode_parse(path, &n);

	if (simrun_is_open(fi))
		return simrun_read(buf, size, pos, fi);
	if (err)
		return err;
	if (n.kind == NODE_RUN_STATE || n.kind == NODE_TROUBLE)
		return simnode_read_state(fs, n.kind, buf, size, pos);
	if (n.kind == NODE_MSR)
		return simdev_read_msr(&fs->dev, caller(), n.cpu, buf, size, pos);
	if (n.kind == NODE_CPUID)
		return simdev_read_cpuid(&fs->dev, n.cpu, buf, size, pos);
	return simnode_read_text(fs, n.text, buf, size, pos);
}

static int op_write(const char *path, const char *buf, size_t size, off_t pos,
		    struct fuse_file_info *fi)
{
	struct simfs *fs = mounted();
	struct node n;
	int err = simnode_parse(path, &n);

	if (simrun_is_open(fi))
		return simrun_write(&fs->run, buf, size, pos, fi);
	if (err)
		return err;
	if (n.kind == NODE_MSR)
		return simdev_write_msr(&fs->dev, caller(), n.cpu, buf, size, pos);
	if (n.kind == NODE_CPUID || pos)
		return -EINVAL; /* the cpuid driver has no write function */
	if (n.kind == NODE_RUN_STATE)
		err = simrun_set_state(&fs->run, buf, size);
	else if (n.kind == NODE_TROUBLE)
		err = simdev_set_trouble(&fs->dev, buf, size);
	else
		err = uncoremsr_sim_file_write(fs->dev.sim, n.text, buf, size);
	return err ? err : (int)size;
}

/* "echo 0 > FILE" truncates the file first; devices and sysfs ignore that. */
static int op_truncate(const char *path, off_t size, struct fuse_file_info *fi)
{
	const char *name = simrun_name(path);

	return name ? simrun_truncate(&mounted()->run, name, size, fi) : 0;
}

/* Files can be created in DIR/run/uncoremsr only. Without these functions the error elsewhere would be ENOSYS. */
#define UNUSED __attribute__((unused))
static int op_mknod(const char *path UNUSED, mode_t mode UNUSED, dev_t dev UNUSED)
{
	return -EACCES;
}

static int op_mkdir(const char *path, mode_t mode)
{
	const char *name = simrun_name(path);

	return name ? simrun_mkdir(&mounted()->run, name, mode) : -EACCES;
}

static int op_rmdir(const char *path)
{
	const char *name = simrun_name(path);

	return name ? simrun_rmdir(&mounted()->run, name) : -EACCES;
}

static int op_create(const char *path, mode_t mode, struct fuse_file_info *fi)
{
	const char *name = simrun_name(path);

	return name ? simrun_create(&mounted()->run, name, mode, fi) : -EACCES;
}

static int op_release(const char *path, struct fuse_file_info *fi)
{
	(void)path;
	return simrun_is_open(fi) ? simrun_release(fi) : 0;
}

static int op_unlink(const char *path)
{
	const char *name = simrun_name(path);

	return name ? simrun_unlink(&mounted()->run, name) : -EACCES;
}

static int op_rename(const char *from, const char *to, unsigned flags)
{
	const char *old = simrun_name(from), *name = simrun_name(to);

	return old && name ? simrun_rename(&mounted()->run, old, name, flags) : -EACCES;
}

static int op_symlink(const char *target, const char *path)
{
	const char *name = simrun_name(path);

	return name ? simrun_symlink(&mounted()->run, target, name) : -EACCES;
}

static int op_readlink(const char *path, char *buf, size_t size)
{
	const char *name = simrun_name(path);

	return name ? simrun_readlink(&mounted()->run, name, buf, size) : -EINVAL;
}

static int op_chmod(const char *path, mode_t mode, struct fuse_file_info *fi)
{
	struct simfs *fs = mounted();
	const char *name = simrun_name(path);
	struct node n;
	int err = name ? simrun_chmod(&fs->run, name, mode) : simnode_find(fs, path, &n);

	(void)fi;
	if (!name && !err)
		err = n.kind == NODE_MSR ? 0 : -EPERM;
	if (!name && !err)
		fs->msr.st_mode = S_IFREG | (mode & 07777);
	return err;
}

static int op_chown(const char *path, uid_t uid, gid_t gid, struct fuse_file_info *fi)
{
	struct simfs *fs = mounted();
	const char *name = simrun_name(path);
	struct node n;
	int err = name ? simrun_chown(&fs->run, name, uid, gid) : simnode_find(fs, path, &n);

	(void)fi;
	if (!name && !err)
		err = n.kind == NODE_MSR ? 0 : -EPERM;
	if (!name && !err && uid != (uid_t)-1)
		fs->msr.st_uid = uid;
	if (!name && !err && gid != (gid_t)-1)
		fs->msr.st_gid = gid;
	return err;
}

static int op_utimens(const char *path, const struct timespec times[2], struct fuse_file_info *fi)
{
	const char *name = simrun_name(path);

	(void)fi;
	return name ? simrun_utimens(&mounted()->run, name, times) : -EPERM;
}

static int op_statfs(const char *path, struct statvfs *st)
{
	(void)path;
	return simrun_statfs(&mounted()->run, st);
}

/* The mount is ready now. Caching is switched off, because CPUs go online and offline. */
static void *op_init(struct fuse_conn_info *conn, struct fuse_config *cfg)
{
	struct simfs *fs = mounted();

	(void)conn;
	cfg->entry_timeout = cfg->attr_timeout = cfg->negative_timeout = 0;
	fs->msr = (struct stat){ /* default mode and owner of msr nodes, root only */
		.st_mode = S_IFREG | 0600, .st_nlink = 1, .st_uid = getuid(), .st_gid = getgid(),
	};
	fs->ready(fs->user);
	return fs;
}

const struct fuse_operations simfs_operations = {
	.init = op_init,
	.getattr = op_getattr,
	.readdir = op_readdir,
	.open = op_open,
	.read = op_read,
	.write = op_write,
	.truncate = op_truncate,
	.mknod = op_mknod,
	.mkdir = op_mkdir,
	.rmdir = op_rmdir,
	.create = op_create,
	.release = op_release,
	.unlink = op_unlink,
	.rename = op_rename,
	.symlink = op_symlink,
	.readlink = op_readlink,
	.chmod = op_chmod,
	.chown = op_chown,
	.utimens = op_utimens,
	.statfs = op_statfs,
};
