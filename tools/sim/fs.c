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
		return simdev_access_msr(&fs->dev, caller(), n.cpu, buf, NULL, size, pos);
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
		return simdev_access_msr(&fs->dev, caller(), n.cpu, NULL, buf, size, pos);
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

/* Nodes cannot be made. Without this function libfuse would return ENOSYS instead of EACCES. */
static int op_mknod(const char *path, mode_t mode, dev_t dev)
{
	(void)path, (void)mode, (void)dev;
	return -EACCES;
}

/* Only mode and owner of msr nodes can be changed. Returns 0; -EPERM if @path is another node; -ENOENT. */
static int find_msr(const char *path)
{
	struct node n;
	int err = simnode_find(mounted(), path, &n);

	return err ? err : n.kind == NODE_MSR ? 0 : -EPERM;
}

static int op_chmod(const char *path, mode_t mode, struct fuse_file_info *fi)
{
	bool in_run = simrun_name(path);
	int err = in_run ? simrun_chmod(path, mode) : find_msr(path);

	(void)fi;
	if (!in_run && !err)
		mounted()->msr.st_mode = S_IFREG | (mode & 07777);
	return err;
}

static int op_chown(const char *path, uid_t uid, gid_t gid, struct fuse_file_info *fi)
{
	bool in_run = simrun_name(path);
	int err = in_run ? simrun_chown(path, uid, gid) : find_msr(path);

	(void)fi;
	if (!in_run && !err && uid != (uid_t)-1)
		mounted()->msr.st_uid = uid;
	if (!in_run && !err && gid != (gid_t)-1)
		mounted()->msr.st_gid = gid;
	return err;
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
	.truncate = simrun_truncate,
	.mknod = op_mknod,
	.mkdir = simrun_mkdir,
	.rmdir = simrun_rmdir,
	.create = simrun_create,
	.release = simrun_release,
	.unlink = simrun_unlink,
	.rename = simrun_rename,
	.symlink = simrun_symlink,
	.readlink = simrun_readlink,
	.chmod = op_chmod,
	.chown = op_chown,
	.utimens = simrun_utimens,
	.statfs = simrun_statfs,
};
