/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The files of a mounted machine, as FUSE asks for them: DIR/dev/cpu/N/msr and DIR/dev/cpu/N/cpuid,
 * and the machine's own text files DIR/sys, DIR/proc and DIR/sim.
 *
 * Differences from the drivers that FUSE leaves: it moves the file position of read(2) on by what
 * was read (the msr driver does not move it, the cpuid driver by one per leaf; pread(2) is the
 * same), and fstat(2) of a file whose CPU went offline answers ENOENT.
 */
#include "simfs.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum kind { NODE_TOP, NODE_DEV, NODE_CPUS, NODE_CPU, NODE_MSR, NODE_CPUID, NODE_TEXT };

struct node {
	enum kind kind;
	unsigned cpu;     /* of NODE_CPU, NODE_MSR, NODE_CPUID */
	const char *text; /* path of NODE_TEXT in the machine's own tree */
};

static const mode_t node_mode[] = {
	[NODE_TOP] = S_IFDIR | 0755,
	[NODE_DEV] = S_IFDIR | 0755,
	[NODE_CPUS] = S_IFDIR | 0755,
	[NODE_CPU] = S_IFDIR | 0755,
	[NODE_MSR] = S_IFREG | 0600,   /* msr_devnode() leaves the default, root only */
	[NODE_CPUID] = S_IFREG | 0444, /* cpuid_devnode() */
};

static struct simfs *mounted(void)
{
	return fuse_get_context()->private_data;
}

static pid_t caller(void)
{
	return fuse_get_context()->pid;
}

/* "N", "N/msr" or "N/cpuid". */
static int parse_cpu(const char *name, struct node *n)
{
	unsigned long cpu;
	char *end;

	if (*name < '0' || *name > '9' || (name[0] == '0' && name[1] && name[1] != '/'))
		return -ENOENT;
	errno = 0;
	cpu = strtoul(name, &end, 10);
	if (errno || cpu > INT_MAX)
		return -ENOENT;
	n->cpu = (unsigned)cpu;
	if (!*end)
		n->kind = NODE_CPU;
	else if (!strcmp(end, "/msr"))
		n->kind = NODE_MSR;
	else if (!strcmp(end, "/cpuid"))
		n->kind = NODE_CPUID;
	else
		return -ENOENT;
	return 0;
}

static int parse(const char *path, struct node *n)
{
	static const char cpus[] = "/dev/cpu/";

	n->cpu = 0;
	n->text = path + 1;
	if (!strcmp(path, "/"))
		n->kind = NODE_TOP;
	else if (!strcmp(path, "/dev"))
		n->kind = NODE_DEV;
	else if (!strcmp(path, "/dev/cpu"))
		n->kind = NODE_CPUS;
	else if (!strncmp(path, cpus, sizeof(cpus) - 1))
		return parse_cpu(path + sizeof(cpus) - 1, n);
	else
		n->kind = NODE_TEXT;
	return 0;
}

/* The drivers remove a CPU's nodes when it goes offline, and devtmpfs the empty directory. */
static bool exists(struct simfs *fs, const struct node *n)
{
	switch (n->kind) {
	case NODE_CPU:
	case NODE_CPUID:
		return simdev_has_cpuid(&fs->dev, n->cpu);
	case NODE_MSR:
		return simdev_has_msr(&fs->dev, n->cpu);
	default:
		return true;
	}
}

static int find(struct simfs *fs, const char *path, struct node *n)
{
	int err = parse(path, n);

	if (err)
		return err;
	return exists(fs, n) ? 0 : -ENOENT;
}

/* ---------------------------------------------------------------- text files */

static long text_length(struct uncoremsr_sim *sim, const char *path)
{
	char c;

	return uncoremsr_sim_file_read(sim, path, &c, 0);
}

/* Writing nothing makes no sense to any file, but those that are read only say so first. */
static bool text_writable(struct uncoremsr_sim *sim, const char *path)
{
	return uncoremsr_sim_file_write(sim, path, "", 0) != -EACCES;
}

/* The text is made anew for each read, as sysfs and procfs do it for each open. */
static int read_text(struct simfs *fs, const char *path, char *buf, size_t size, off_t pos)
{
	long len = text_length(fs->dev.sim, path);
	size_t n = 0;
	char *text;

	if (len < 0)
		return (int)len;
	text = malloc((size_t)len + 1);
	if (!text)
		return -ENOMEM;
	len = uncoremsr_sim_file_read(fs->dev.sim, path, text, (size_t)len);
	if (len > pos) {
		n = (size_t)(len - pos) < size ? (size_t)(len - pos) : size;
		memcpy(buf, text + pos, n);
	}
	free(text);
	return len < 0 ? (int)len : (int)n;
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

/* ---------------------------------------------------------------- FUSE */

static int op_getattr(const char *path, struct stat *st, struct fuse_file_info *fi)
{
	struct simfs *fs = mounted();
	struct node n;
	long len = 0;
	int err = find(fs, path, &n);

	(void)fi;
	if (err)
		return err;
	if (n.kind == NODE_TEXT)
		len = text_length(fs->dev.sim, n.text);
	if (len < 0 && len != -EISDIR)
		return (int)len;
	memset(st, 0, sizeof(*st));
	st->st_uid = getuid();
	st->st_gid = getgid();
	st->st_nlink = 1;
	if (n.kind != NODE_TEXT)
		st->st_mode = node_mode[n.kind];
	else if (len < 0)
		st->st_mode = S_IFDIR | 0755;
	else
		st->st_mode = S_IFREG | (text_writable(fs->dev.sim, n.text) ? 0644 : 0444);
	st->st_size = len < 0 ? 0 : len;
	return 0;
}

static int op_readdir(const char *path, void *buf, fuse_fill_dir_t fill, off_t off,
		      struct fuse_file_info *fi, enum fuse_readdir_flags flags)
{
	struct filling f = { buf, fill };
	struct simfs *fs = mounted();
	struct node n, cpu = { .kind = NODE_CPU };
	char name[16];
	int err = find(fs, path, &n);

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
		return uncoremsr_sim_file_list(fs->dev.sim, "", fill_name, &f);
	case NODE_TEXT:
		return uncoremsr_sim_file_list(fs->dev.sim, n.text, fill_name, &f);
	case NODE_DEV:
		return fill_name(&f, "cpu", 1);
	case NODE_CPUS:
		for (; cpu.cpu < uncoremsr_sim_num_cpus(fs->dev.sim); cpu.cpu++) {
			snprintf(name, sizeof(name), "%u", cpu.cpu);
			if (exists(fs, &cpu))
				fill(buf, name, NULL, 0, 0);
		}
		return 0;
	default:
		cpu.cpu = n.cpu;
		cpu.kind = NODE_MSR;
		if (exists(fs, &cpu))
			fill(buf, "msr", NULL, 0, 0);
		return fill_name(&f, "cpuid", 0);
	}
}

static int op_open(const char *path, struct fuse_file_info *fi)
{
	struct simfs *fs = mounted();
	struct node n;
	int err = find(fs, path, &n);

	/* Position and size must arrive as the program gave them. */
	fi->direct_io = 1;
	if (!err && n.kind == NODE_MSR)
		err = simdev_open_msr(&fs->dev, caller(), n.cpu, fi->flags);
	return err;
}

/* No find() here: a file that was opened in time stays, and answers ENXIO once its CPU is off. */
static int op_read(const char *path, char *buf, size_t size, off_t pos, struct fuse_file_info *fi)
{
	struct simfs *fs = mounted();
	struct node n;
	int err = parse(path, &n);

	(void)fi;
	if (err)
		return err;
	if (n.kind == NODE_MSR)
		return simdev_read_msr(&fs->dev, caller(), n.cpu, buf, size, pos);
	if (n.kind == NODE_CPUID)
		return simdev_read_cpuid(&fs->dev, n.cpu, buf, size, pos);
	return read_text(fs, n.text, buf, size, pos);
}

static int op_write(const char *path, const char *buf, size_t size, off_t pos,
		    struct fuse_file_info *fi)
{
	struct simfs *fs = mounted();
	struct node n;
	int err = parse(path, &n);

	(void)fi;
	if (err)
		return err;
	if (n.kind == NODE_MSR)
		return simdev_write_msr(&fs->dev, caller(), n.cpu, buf, size, pos);
	if (n.kind == NODE_CPUID || pos)
		return -EINVAL; /* the cpuid driver has no write function */
	err = uncoremsr_sim_file_write(fs->dev.sim, n.text, buf, size);
	return err ? err : (int)size;
}

/* "echo 0 > FILE" truncates first; neither devices nor sysfs mind. */
static int op_truncate(const char *path, off_t size, struct fuse_file_info *fi)
{
	(void)path;
	(void)size;
	(void)fi;
	return 0;
}

/* Nobody can make files here; without this the answer would be ENOSYS. */
static int op_mknod(const char *path, mode_t mode, dev_t dev)
{
	(void)path;
	(void)mode;
	(void)dev;
	return -EACCES;
}

/* The kernel has answered: from here on DIR serves. CPUs come and go, so nothing is cached. */
static void *op_init(struct fuse_conn_info *conn, struct fuse_config *cfg)
{
	struct simfs *fs = mounted();

	(void)conn;
	cfg->entry_timeout = cfg->attr_timeout = cfg->negative_timeout = 0;
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
};
