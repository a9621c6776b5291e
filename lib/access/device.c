/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Access through device files below a root directory: "/" for this machine, or another directory, such as a mounted
 * simulated machine. The msr driver (Linux arch/x86/kernel/msr.c) expects an 8-byte pread or pwrite at the register
 * number; the cpuid driver (arch/x86/kernel/cpuid.c) a 16-byte pread at sub-leaf << 32 | leaf. The driver msr-safe
 * (github.com/LLNL/msr-safe, README.md) is used in the same way as msr, but has an allow list.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "access/access.h"
#include "common/array.h"

struct device {
	struct um_access base;
	char *root;
	int *fds;              /* for each CPU number: descriptor + 1 of the CPU's register device; 0: closed */
	unsigned num_fds;
	int cpuid_fd;          /* descriptor of cpuid_cpu's CPUID device, kept open because callers read several leaves
			        * in a row */
	unsigned cpuid_cpu;
	bool stepped;          /* the machine is a mounted simulated one, whose clock we advance */
	/*
	 * Descriptors of files of a mounted simulated machine: its clock, which is read around each access, and the
	 * time for which the machine was suspended.
	 */
	int clock_fd, slept_fd;
};

static struct device *self(struct um_access *a)
{
	return (struct device *)(void *)a;
}

static int note_lack(struct device *d, int err)
{
	if (err == -EMFILE || err == -ENFILE || err == -ENOMEM)
		d->base.starved = -err;
	return err;
}

static int open_path(struct device *d, const char *path, int flags)
{
	/* A tree may contain anything: opening a pipe must not block. */
	return note_lack(d, um_access_open_file(&d->base, path, flags | O_NONBLOCK));
}

/*
 * In sysfs a read that returns less than 4096 bytes has reached the end (Linux fs/kernfs/file.c). This also holds for
 * long lists of CPUs, which are binary attributes. Files of other file systems below sys/ that we read are short, or
 * one read returns them whole. Elsewhere read until a read returns 0 bytes.
 */
static ssize_t device_read_text(struct um_access *a, const char *path, char *buf, size_t size)
{
	int fd = open_path(self(a), path, O_RDONLY);
	size_t len = 0, least = strncmp(path, "sys/", 4) ? 1 : 4096;
	ssize_t n = 0;

	if (fd < 0)
		return fd;
	do {
		n = read(fd, buf + len, size - 1 - len);
		len += n > 0 ? (size_t)n : 0;
	} while (n >= (ssize_t)least && len < size - 1);
	n = n < 0 ? -errno : (ssize_t)len;
	close(fd);
	buf[len] = '\0';
	return n;
}

static ssize_t device_read_at(struct um_access *a, const char *path, uint64_t at, void *buf, size_t size)
{
	int fd = open_path(self(a), path, O_RDONLY);
	ssize_t n;

	if (fd < 0)
		return fd;
	n = pread(fd, buf, size, (off_t)at);
	n = n < 0 ? -errno : n;
	close(fd);
	return n;
}

static int device_open_text(struct um_access *a, const char *path)
{
	return open_path(self(a), path, O_RDONLY);
}

/* sysfs generates the content anew for each read at offset 0. */
static ssize_t device_reread_text(struct um_access *a, int handle, char *buf, size_t size)
{
	ssize_t n = pread(handle, buf, size - 1, 0);

	(void)a;
	buf[n < 0 ? 0 : n] = '\0';
	return n < 0 ? -errno : n;
}

static void device_close_text(struct um_access *a, int handle)
{
	(void)a;
	close(handle);
}

static int device_list(struct um_access *a, const char *path, int (*fn)(void *user, const char *name), void *user)
{
	int fd = open_path(self(a), path, O_RDONLY | O_DIRECTORY), err = 0;
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;

	if (fd < 0)
		return fd;
	if (!dir) {
		close(fd);
		return note_lack(self(a), -ENOMEM);
	}
	while (!err && (entry = readdir(dir)))
		if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, ".."))
			err = fn(user, entry->d_name);
	closedir(dir);
	return err;
}

static int cpuid_open(struct device *d, unsigned cpu)
{
	char path[UM_CPU_PATH_SIZE];

	if (d->cpuid_fd >= 0 && d->cpuid_cpu == cpu)
		return 0;
	if (d->cpuid_fd >= 0)
		close(d->cpuid_fd);
	d->cpuid_fd = open_path(d, um_cpu_path(path, "dev/cpu/", cpu, "/", "cpuid"), O_RDONLY);
	d->cpuid_cpu = cpu;
	return d->cpuid_fd < 0 ? d->cpuid_fd : 0;
}

static int device_cpuid(struct um_access *a, unsigned cpu, uint32_t leaf, uint32_t subleaf, uint32_t regs[4])
{
	struct device *d = self(a);
	uint32_t got[4];
	ssize_t n;

	if (cpuid_open(d, cpu) < 0)
		return a->live ? um_cpuid_insn(cpu, leaf, subleaf, regs) : -ENOENT;
	n = pread(d->cpuid_fd, got, sizeof(got), (off_t)((uint64_t)subleaf << 32 | leaf));
	if (n != (ssize_t)sizeof(got))
		return n < 0 ? -errno : -ENODATA;
	memcpy(regs, got, sizeof(got));
	return 0;
}

static void device_close_cpu(struct um_access *a, unsigned cpu)
{
	struct device *d = self(a);

	if (cpu < d->num_fds && d->fds[cpu]) {
		close(d->fds[cpu] - 1);
		d->fds[cpu] = 0;
	}
}

static int open_node(struct device *d, unsigned cpu, const char *node, bool for_writing)
{
	char path[UM_CPU_PATH_SIZE];

	return open_path(d, um_cpu_path(path, "dev/cpu/", cpu, "/", node), for_writing ? O_RDWR : O_RDONLY);
}

/*
 * Try msr_safe first: if it is loaded, the administrator wants it to be used. If it refuses the user, msr may still
 * be allowed; if both refuse, report the error of msr_safe.
 */
static int open_registers(struct device *d, unsigned cpu, bool for_writing)
{
	int safe = open_node(d, cpu, "msr_safe", for_writing);
	int fd = safe < 0 ? open_node(d, cpu, "msr", for_writing) : safe;

	return fd < 0 && safe != -ENOENT ? safe : fd;
}

static int device_open_cpu(struct um_access *a, unsigned cpu, bool for_writing)
{
	struct device *d = self(a);
	int fd;

	while (cpu >= d->num_fds)
		if (ARRAY_APPEND(d->fds, d->num_fds, 0))
			return -ENOMEM;
	fd = open_registers(d, cpu, for_writing);
	if (fd < 0)
		return fd;
	/* Keep a descriptor that is open for writing: another user in this process may need it. */
	if (!for_writing && d->fds[cpu] && (fcntl(d->fds[cpu] - 1, F_GETFL) & O_ACCMODE) == O_RDWR) {
		close(fd);
		return 0;
	}
	device_close_cpu(a, cpu);
	d->fds[cpu] = fd + 1;
	return 0;
}

static int cpu_fd(const struct device *d, unsigned cpu)
{
	return cpu < d->num_fds ? d->fds[cpu] - 1 : -1;
}

/* The drivers msr and msr-safe refuse to read 4 bytes, because a register has 8. A plain file would return them. */
static int device_check_cpu(struct um_access *a, unsigned cpu)
{
	uint32_t half;

	return pread(cpu_fd(self(a), cpu), &half, sizeof(half), 0) < 0 && errno == EINVAL ? 0
											  : -EPROTO;
}

static inline int device_read(struct um_access *a, unsigned cpu, uint32_t msr, uint64_t *value)
{
	ssize_t n = pread(cpu_fd(self(a), cpu), value, sizeof(*value), (off_t)msr);

	return n == (ssize_t)sizeof(*value) ? 0 : n < 0 ? -errno : -ENODATA;
}

static int device_write(struct um_access *a, unsigned cpu, uint32_t msr, uint64_t value)
{
	ssize_t n = pwrite(cpu_fd(self(a), cpu), &value, sizeof(value), (off_t)msr);

	return n == (ssize_t)sizeof(value) ? 0 : n < 0 ? -errno : -ENODATA;
}

static bool read_kept(struct device *d, int *fd, const char *path, char *text, size_t size)
{
	if (*fd < 0)
		*fd = open_path(d, path, O_RDONLY);
	return *fd >= 0 && device_reread_text(&d->base, *fd, text, size) >= 0;
}

/* A mounted simulated machine has its clock in sim/clock: "stepped NS" or "real NS". */
static uint64_t stepped_now(struct um_access *a)
{
	struct device *d = self(a);
	char text[64];

	if (!read_kept(d, &d->clock_fd, "sim/clock", text, sizeof(text)) || strncmp(text, "stepped ", 8))
		return 0;
	return strtoull(text + 8, NULL, 10);
}

static uint64_t nanoseconds(const struct timespec *ts)
{
	return (uint64_t)ts->tv_sec * 1000000000u + (uint64_t)ts->tv_nsec;
}

static uint64_t device_now(struct um_access *a)
{
	struct timespec ts;

	if (self(a)->stepped)
		return stepped_now(a);
	clock_gettime(CLOCK_MONOTONIC, &ts);
	return nanoseconds(&ts);
}

enum { TRIES = 16, CLOSE_NS = 100000 };

/* CLOCK_BOOTTIME is CLOCK_MONOTONIC plus the time spent suspended (Linux 2.6.39). */
static uint64_t device_slept(struct um_access *a)
{
	struct timespec before, boot, after;
	uint64_t ns = 0, closest = UINT64_MAX;
	char text[32];

	if (a->simulated)
		return read_kept(self(a), &self(a)->slept_fd, "sim/slept", text, sizeof(text))
			       ? strtoull(text, NULL, 10) : 0;
	/* This program may be stopped between the two reads, so take the closest pair of several tries. */
	for (int i = 0; i < TRIES && closest > CLOSE_NS; i++) {
		uint64_t apart;

		clock_gettime(CLOCK_MONOTONIC, &before);
		if (clock_gettime(CLOCK_BOOTTIME, &boot))
			return 0;
		clock_gettime(CLOCK_MONOTONIC, &after);
		apart = nanoseconds(&after) - nanoseconds(&before);
		if (apart >= closest)
			continue;
		closest = apart;
		ns = nanoseconds(&boot) > nanoseconds(&after) ? nanoseconds(&boot) - nanoseconds(&after)
							      : 0;
	}
	return ns;
}

static void device_batch_read(struct um_access *a, struct um_op *ops, size_t n)
{
	uint64_t now = device_now(a);

	for (size_t i = 0; i < n; i++) {
		ops[i].begin_ns = now;
		ops[i].err = device_read(a, ops[i].cpu, ops[i].msr, &ops[i].value);
		ops[i].ns = now = device_now(a);
	}
}

static bool device_advance(struct um_access *a, uint64_t ns)
{
	struct device *d = self(a);
	char text[32];
	int fd, len;
	bool moved;

	if (!d->stepped)
		return false;
	fd = open_path(d, "sim/clock", O_WRONLY);
	if (fd < 0)
		return false;
	len = snprintf(text, sizeof(text), "+%llu", (unsigned long long)ns);
	moved = write(fd, text, (size_t)len) == len;
	close(fd);
	return moved;
}

static void device_close(struct um_access *a)
{
	struct device *d = self(a);

	for (unsigned cpu = 0; cpu < d->num_fds; cpu++)
		device_close_cpu(a, cpu);
	if (d->cpuid_fd >= 0)
		close(d->cpuid_fd);
	if (d->clock_fd >= 0)
		close(d->clock_fd);
	if (d->slept_fd >= 0)
		close(d->slept_fd);
	if (d->base.tree)
		close(d->base.tree - 1);
	free(d->fds);
	free(d->root);
	free(d);
}

static const struct um_access_ops device_ops = {
	.read_text = device_read_text,
	.read_at = device_read_at,
	.open_text = device_open_text,
	.reread_text = device_reread_text,
	.close_text = device_close_text,
	.list = device_list,
	.cpuid = device_cpuid,
	.open_cpu = device_open_cpu,
	.close_cpu = device_close_cpu,
	.check_cpu = device_check_cpu,
	.read = device_read,
	.write = device_write,
	.batch_read = device_batch_read,
	.now = device_now,
	.slept = device_slept,
	.advance = device_advance,
	.close = device_close,
};

/*
 * Open the directory @root. *tree: see struct um_access; it stays 0 if links cannot be kept in the tree. Linux before
 * 5.6 has no openat2(2), and seccomp may forbid it.
 */
static int open_root(const char *root, int *tree, struct um_error *e)
{
	int dir = open(root, O_PATH | O_DIRECTORY | O_CLOEXEC), err = dir < 0 ? -errno : 0, probe;

	if (err) {
		bool lacking = um_lacks_descriptors(err), closed = um_lacks_permission(err);

		um_fail(e, lacking || closed ? err : -ENOENT, lacking ? UNCOREMSR_ERROR_UNSUPPORTED
			: closed ? UNCOREMSR_ERROR_ACCESS : UNCOREMSR_ERROR_USAGE,
			"root:%s: %s", UM_QUOTED(root), strerror(-err));
		if (!um_hint_descriptors(e, err) && !closed)
			um_hint(e, "name a directory that contains dev/cpu, sys and proc");
		return e->code;
	}
	probe = um_access_open_in_tree(dir, ".", O_PATH | O_CLOEXEC);
	if (probe == -ENOSYS || probe == -EPERM)
		close(dir);
	else
		*tree = dir + 1;
	if (probe >= 0)
		close(probe);
	return 0;
}

static void find_simulation(struct device *d)
{
	char text[64];

	if (d->base.live)
		return;
	d->base.simulated = device_read_text(&d->base, "sim/name", text, sizeof(text)) > 0;
	d->stepped = d->base.simulated &&
		     device_read_text(&d->base, "sim/clock", text, sizeof(text)) > 0 &&
		     !strncmp(text, "stepped ", 8);
}

int um_access_device(struct um_access **out, const char *root, struct um_error *e)
{
	struct device *d;
	int tree = 0, err = root ? open_root(root, &tree, e) : 0;

	if (err)
		return err;
	d = calloc(1, sizeof(*d));
	if (d)
		d->root = strdup(root ? root : "");
	if (!d || !d->root) {
		free(d);
		if (tree)
			close(tree - 1);
		return um_no_memory(e);
	}
	d->cpuid_fd = d->clock_fd = d->slept_fd = -1;
	d->base = (struct um_access){
		.ops = &device_ops, .root = d->root, .tree = tree, .live = !root, .has_files = true,
	};
	find_simulation(d);
	*out = &d->base;
	return 0;
}
