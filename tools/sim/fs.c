/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The tree of a mounted machine and its FUSE operations: devices (dev.c), the machine's own text files, and the files
 * that programs make in DIR/run/uncoremsr (run.c). DIR/sim/run is the state of that directory; DIR/sim/trouble sets up
 * failures of register accesses.
 *
 * FUSE forces two differences from the real drivers. First, read(2) moves the file position by the number of bytes
 * read; the msr driver does not move it, the cpuid driver moves it by one per leaf. (pread(2) does not differ.) Second,
 * fstat(2) of an open file whose CPU went offline fails with ENOENT.
 */
#include "sim/fs.h"
#include "uncoremsr/sim.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/array.h"

enum node_kind {
	NODE_DIR, NODE_CPUS, NODE_CPU, NODE_MSR, NODE_CPUID, NODE_RUN_FILE,
	NODE_TEXT, NODE_RUN_STATE, NODE_TROUBLE, /* get_text() returns the contents of these three */
};

struct node {
	enum node_kind kind;
	unsigned cpu;
	const char *text; /* NODE_TEXT: path in the machine's own tree; NODE_RUN_FILE: name of the file */
};

/* Paths that are not in the machine's own tree of text files. For the nodes of CPUs see parse_cpu(). */
static const struct {
	const char *path;
	enum node_kind kind;
} places[] = {
	{ "/dev", NODE_DIR }, { "/dev/cpu", NODE_CPUS }, { "/run", NODE_DIR }, { "/run/uncoremsr", NODE_RUN_FILE },
	{ "/sim/run", NODE_RUN_STATE }, { "/sim/trouble", NODE_TROUBLE },
};

static const mode_t node_mode[] = {
	[NODE_DIR] = S_IFDIR | 0755,
	[NODE_CPUS] = S_IFDIR | 0755,
	[NODE_CPU] = S_IFDIR | 0755,
	[NODE_CPUID] = S_IFREG | 0444, /* as in cpuid_devnode() of the driver */
	[NODE_RUN_STATE] = S_IFREG | 0644,
	[NODE_TROUBLE] = S_IFREG | 0644,
};

/* Parse "/dev/cpu/N", "/dev/cpu/N/msr" or "/dev/cpu/N/cpuid". sscanf() is lenient, so compare the composed path. */
static int parse_cpu(const char *path, struct node *n)
{
	static const struct {
		const char *end;
		enum node_kind kind;
	} kinds[] = { { "", NODE_CPU }, { "/msr", NODE_MSR }, { "/cpuid", NODE_CPUID } };
	char same[32];

	if (sscanf(path, "/dev/cpu/%u", &n->cpu) != 1)
		return -ENOENT;
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		snprintf(same, sizeof(same), "/dev/cpu/%u%s", n->cpu, kinds[i].end);
		n->kind = kinds[i].kind;
		if (!strcmp(same, path))
			return 0;
	}
	return -ENOENT;
}

/* A path that matches no other node is taken for a text file, which may not exist. Returns 0 or -ENOENT. */
static int parse(const char *path, struct node *n)
{
	static const char cpus[] = "/dev/cpu/", run[] = "/run/";

	*n = (struct node){ .kind = NODE_TEXT, .text = path + 1 };
	if (!strncmp(path, cpus, sizeof(cpus) - 1))
		return parse_cpu(path, n);
	if (!strncmp(path, run, sizeof(run) - 1)) {
		n->kind = NODE_RUN_FILE;
		n->text = simrun_name(path);
		return n->text ? 0 : -ENOENT;
	}
	for (size_t i = 0; i < ARRAY_SIZE(places); i++)
		if (!strcmp(path, places[i].path))
			n->kind = places[i].kind;
	return 0;
}

static int find(struct simfs *fs, const char *path, struct node *n)
{
	int err = parse(path, n);

	if (err)
		return err;
	/* When a CPU goes offline, the drivers remove its nodes, and devtmpfs its empty directory. */
	if (n->kind == NODE_MSR)
		return simdev_has_msr(&fs->dev, n->cpu) ? 0 : -ENOENT;
	if (n->kind == NODE_CPU || n->kind == NODE_CPUID)
		return simdev_has_cpuid(&fs->dev, n->cpu) ? 0 : -ENOENT;
	return 0;
}

/* Write the text of a file into @buf, cut off at @size. Returns the length of the whole text, or a negative errno. */
static long get_text(struct simfs *fs, const struct node *n, char *buf, size_t size)
{
	char trouble[SIMDEV_TROUBLE_TEXT];

	if (n->kind == NODE_TEXT)
		return uncoremsr_sim_file_read(fs->dev.sim, n->text, buf, size);
	if (n->kind == NODE_RUN_STATE)
		return snprintf(buf, size, "%s\n", simrun_state(&fs->run));
	simdev_trouble(&fs->dev.trouble, trouble);
	return snprintf(buf, size, "%s\n", trouble);
}

/* The text is generated for each read (sysfs and procfs do it for each open). */
static int read_text(struct simfs *fs, const struct node *n, char *buf, size_t size, off_t pos)
{
	char c, *text;
	long room = get_text(fs, n, &c, 0), len;

	if (room < 0)
		return (int)room;
	text = malloc((size_t)room + 1);
	if (!text)
		return -ENOMEM;
	len = get_text(fs, n, text, (size_t)room + 1);
	if (len > room)
		len = room; /* the text has grown in between */
	if (len >= 0) {
		len = len > pos ? len - pos : 0;
		len = len > (long)size ? (long)size : len;
		memcpy(buf, text + (len ? pos : 0), (size_t)len);
	}
	free(text);
	return (int)len;
}

/* Attributes of all nodes except NODE_RUN_FILE: for those, simrun_getattr() calls fstatat() on the real file. */
static int get_attributes(struct simfs *fs, const struct node *n, struct stat *st)
{
	char c;
	long len = n->kind >= NODE_TEXT ? get_text(fs, n, &c, 0) : 0;

	if (len < 0 && len != -EISDIR)
		return (int)len;
	memset(st, 0, sizeof(*st));
	st->st_uid = getuid();
	st->st_gid = getgid();
	st->st_nlink = 1;
	if (n->kind == NODE_MSR)
		*st = fs->msr;
	else if (n->kind != NODE_TEXT)
		st->st_mode = node_mode[n->kind];
	else if (len < 0)
		st->st_mode = S_IFDIR | 0755;
	else /* a write of 0 bytes fails with EACCES if the file is read-only */
		st->st_mode = S_IFREG |
			(uncoremsr_sim_file_write(fs->dev.sim, n->text, "", 0) != -EACCES ? 0644 : 0444);
	st->st_size = len < 0 ? 0 : len;
	return 0;
}

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

/* For "cpu7" in sysfs, list the folder "7" in /dev/cpu. */
static int fill_cpu(void *user, const char *name, int is_dir)
{
	unsigned cpu;

	if (!is_dir || sscanf(name, "cpu%u", &cpu) != 1 || !simdev_has_cpuid(&mounted()->dev, cpu))
		return 0;
	return fill_name(user, name + 3, 1);
}

static int op_getattr(const char *path, struct stat *st, struct fuse_file_info *fi)
{
	struct simfs *fs = mounted();
	struct node n;
	int err = find(fs, path, &n);

	(void)fi;
	if (err)
		return err;
	if (n.kind == NODE_RUN_FILE)
		return simrun_getattr(&fs->run, n.text, st);
	return get_attributes(fs, &n, st);
}

static int op_readdir(const char *path, void *buf, fuse_fill_dir_t fill, off_t off,
		      struct fuse_file_info *fi, enum fuse_readdir_flags flags)
{
	struct filling f = { buf, fill };
	struct simfs *fs = mounted();
	size_t len = path[1] ? strlen(path) : 0;
	struct node n;
	int err = find(fs, path, &n);

	(void)off;
	(void)fi;
	(void)flags;
	if (err)
		return err;
	fill(buf, ".", NULL, 0, 0);
	fill(buf, "..", NULL, 0, 0);
	for (size_t i = 0; i < ARRAY_SIZE(places); i++)
		if (!strncmp(places[i].path, path, len) && strrchr(places[i].path, '/') == places[i].path + len)
			fill_name(&f, places[i].path + len + 1, 0);
	switch (n.kind) {
	case NODE_RUN_FILE:
		return simrun_list(&fs->run, n.text, fill_name, &f);
	case NODE_TEXT:
		return uncoremsr_sim_file_list(fs->dev.sim, n.text, fill_name, &f);
	case NODE_CPUS:
		return uncoremsr_sim_file_list(fs->dev.sim, "sys/devices/system/cpu", fill_cpu, &f);
	case NODE_CPU:
		if (simdev_has_msr(&fs->dev, n.cpu))
			fill_name(&f, "msr", 0);
		return fill_name(&f, "cpuid", 0);
	default:
		return 0;
	}
}

static int op_open(const char *path, struct fuse_file_info *fi)
{
	struct simfs *fs = mounted();
	struct node n;
	int err = find(fs, path, &n);

	if (!err && n.kind == NODE_RUN_FILE)
		return simrun_open(&fs->run, n.text, fi);
	/* Without direct_io the kernel would change position and size of reads. */
	fi->direct_io = 1;
	if (!err && n.kind == NODE_MSR)
		err = simdev_open_msr(&fs->dev, caller(), n.cpu, fi->flags);
	return err;
}

/* find() is not called here: a file stays open when its CPU goes offline, and its reads fail with ENXIO. */
static int op_read(const char *path, char *buf, size_t size, off_t pos, struct fuse_file_info *fi)
{
	struct simfs *fs = mounted();
	struct node n;
	int err;

	if (simrun_is_open(fi))
		return simrun_read(buf, size, pos, fi);
	err = parse(path, &n);
	if (err)
		return err;
	if (n.kind == NODE_MSR)
		return simdev_access_msr(&fs->dev, caller(), n.cpu, buf, NULL, size, pos);
	if (n.kind == NODE_CPUID)
		return simdev_read_cpuid(&fs->dev, n.cpu, buf, size, pos);
	return read_text(fs, &n, buf, size, pos);
}

static int op_write(const char *path, const char *buf, size_t size, off_t pos, struct fuse_file_info *fi)
{
	struct simfs *fs = mounted();
	struct node n;
	int err;

	if (simrun_is_open(fi))
		return simrun_write(&fs->run, buf, size, pos, fi);
	err = parse(path, &n);
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

/* Only mode and owner of msr nodes can be changed. Returns 0, -EPERM or -ENOENT. */
static int find_msr(const char *path)
{
	struct node n;
	int err = find(mounted(), path, &n);

	return err ? err : n.kind == NODE_MSR ? 0 : -EPERM;
}

static int op_chmod(const char *path, mode_t mode, struct fuse_file_info *fi)
{
	int err;

	(void)fi;
	if (simrun_name(path))
		return simrun_chmod(path, mode);
	err = find_msr(path);
	if (!err)
		mounted()->msr.st_mode = S_IFREG | (mode & 07777);
	return err;
}

static int op_chown(const char *path, uid_t uid, gid_t gid, struct fuse_file_info *fi)
{
	int err;

	(void)fi;
	if (simrun_name(path))
		return simrun_chown(path, uid, gid);
	err = find_msr(path);
	if (!err && uid != (uid_t)-1)
		mounted()->msr.st_uid = uid;
	if (!err && gid != (gid_t)-1)
		mounted()->msr.st_gid = gid;
	return err;
}

static void *op_init(struct fuse_conn_info *conn, struct fuse_config *cfg)
{
	struct simfs *fs = mounted();

	(void)conn;
	/* No caching, because CPUs go online and offline. */
	cfg->entry_timeout = cfg->attr_timeout = cfg->negative_timeout = 0;
	fs->msr = (struct stat){
		.st_mode = S_IFREG | 0600, .st_nlink = 1, .st_uid = getuid(), .st_gid = getgid(),
	};
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
