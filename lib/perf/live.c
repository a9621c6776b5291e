/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The kernel that this program runs on: perf_event_open(2). */
#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "perf/kernel.h"

/*
 * The smallest attr that holds what is set, so that old kernels take it. config3 stands behind what
 * the headers of older systems know (include/uapi/linux/perf_event.h, PERF_ATTR_SIZE_VER8).
 */
enum { SIZE_CONFIG1 = 64, SIZE_CONFIG2 = 72, SIZE_CONFIG3 = 136, AT_CONFIG3 = 128 };

union attr {
	struct perf_event_attr attr;
	unsigned char bytes[SIZE_CONFIG3 > sizeof(struct perf_event_attr)
				    ? SIZE_CONFIG3 : sizeof(struct perf_event_attr)];
};

static void fill(union attr *a, const struct um_perf_attr *from, unsigned flags)
{
	struct perf_event_attr *p = &a->attr;

	memset(a, 0, sizeof(*a));
	p->type = from->type;
	p->size = from->config[3] ? SIZE_CONFIG3 : from->config[2] ? SIZE_CONFIG2 : SIZE_CONFIG1;
	p->config = from->config[0];
	p->config1 = from->config[1];
	p->config2 = from->config[2];
	memcpy(a->bytes + AT_CONFIG3, &from->config[3], sizeof(from->config[3]));
	p->read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	if (flags & UM_PERF_GROUP_READ)
		p->read_format |= PERF_FORMAT_GROUP | PERF_FORMAT_ID;
	p->disabled = (flags & UM_PERF_DISABLED) != 0;
	p->inherit = (flags & UM_PERF_INHERIT) != 0;
	p->enable_on_exec = (flags & UM_PERF_ENABLE_ON_EXEC) != 0;
	p->exclude_user = from->exclude_user;
	p->exclude_kernel = from->exclude_kernel;
	p->exclude_hv = from->exclude_hv;
	p->exclude_idle = from->exclude_idle;
	p->exclude_host = from->exclude_host;
	p->exclude_guest = from->exclude_guest;
	p->pinned = from->pinned;
	p->exclusive = from->exclusive;
	p->precise_ip = from->precise & 3u;
}

static int live_open(struct um_perf_kernel *k, const struct um_perf_attr *attr, pid_t pid, int cpu,
		     int group_fd, unsigned flags)
{
	unsigned long open_flags = PERF_FLAG_FD_CLOEXEC;
	union attr a;
	long fd;

	(void)k;
	fill(&a, attr, flags);
	if (flags & UM_PERF_CGROUP)
		open_flags |= PERF_FLAG_PID_CGROUP;
	fd = syscall(SYS_perf_event_open, &a.attr, pid, cpu, group_fd, open_flags);
	return fd < 0 ? -errno : (int)fd;
}

static ssize_t live_read(struct um_perf_kernel *k, int fd, void *buf, size_t size)
{
	ssize_t got;

	(void)k;
	do
		got = read(fd, buf, size);
	while (got < 0 && errno == EINTR);
	return got < 0 ? -errno : got;
}

static int live_enable(struct um_perf_kernel *k, int fd, bool on, bool whole_group)
{
	(void)k;
	return ioctl(fd, on ? PERF_EVENT_IOC_ENABLE : PERF_EVENT_IOC_DISABLE,
		     whole_group ? PERF_IOC_FLAG_GROUP : 0) < 0 ? -errno : 0;
}

static int live_id(struct um_perf_kernel *k, int fd, uint64_t *id)
{
	(void)k;
	return ioctl(fd, PERF_EVENT_IOC_ID, id) < 0 ? -errno : 0;
}

static void *live_map(struct um_perf_kernel *k, int fd)
{
	void *page = mmap(NULL, (size_t)sysconf(_SC_PAGESIZE), PROT_READ, MAP_SHARED, fd, 0);

	(void)k;
	return page == MAP_FAILED ? NULL : page;
}

static void live_unmap(struct um_perf_kernel *k, void *page)
{
	(void)k;
	munmap(page, (size_t)sysconf(_SC_PAGESIZE));
}

static void live_close(struct um_perf_kernel *k, int fd)
{
	(void)k;
	close(fd);
}

static int live_limits(struct um_perf_kernel *k, uint64_t *soft, uint64_t *hard)
{
	struct rlimit r;

	(void)k;
	if (getrlimit(RLIMIT_NOFILE, &r))
		return -errno;
	*soft = r.rlim_cur;
	*hard = r.rlim_max;
	return 0;
}

static int live_raise_limit(struct um_perf_kernel *k, uint64_t soft)
{
	struct rlimit r;

	(void)k;
	if (getrlimit(RLIMIT_NOFILE, &r))
		return -errno;
	r.rlim_cur = soft;
	return setrlimit(RLIMIT_NOFILE, &r) ? -errno : 0;
}

static void live_destroy(struct um_perf_kernel *k)
{
	free(k);
}

static const struct um_perf_kernel_ops live_ops = {
	.open = live_open, .read = live_read, .enable = live_enable, .id = live_id,
	.map = live_map, .unmap = live_unmap, .close = live_close,
	.limits = live_limits, .raise_limit = live_raise_limit, .destroy = live_destroy,
};

int um_perf_kernel_live(struct um_perf_kernel **out)
{
	*out = calloc(1, sizeof(**out));
	if (!*out)
		return -ENOMEM;
	(*out)->ops = &live_ops;
	return 0;
}
