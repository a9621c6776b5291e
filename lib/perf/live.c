/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "perf/attr_layout.h"
#include "perf/kernel.h"

struct live {
	struct um_perf_kernel base;
	pid_t pid;                     /* the process that made the mappings of events */
};

static int live_open(struct um_perf_kernel *k, const struct um_perf_attr *attr, pid_t pid, int cpu,
		     int group_fd, unsigned flags)
{
	unsigned long open_flags = PERF_FLAG_FD_CLOEXEC;
	union um_perf_attr_words a;
	long fd;

	(void)k;
	um_perf_attr_fill(&a, attr, flags);
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

static int live_enable(struct um_perf_kernel *k, int fd, bool on)
{
	(void)k;
	return ioctl(fd, on ? PERF_EVENT_IOC_ENABLE : PERF_EVENT_IOC_DISABLE, PERF_IOC_FLAG_GROUP) < 0 ? -errno : 0;
}

static int live_id(struct um_perf_kernel *k, int fd, uint64_t *id)
{
	(void)k;
	return ioctl(fd, PERF_EVENT_IOC_ID, id) < 0 ? -errno : 0;
}

static size_t page_size(void)
{
	return (size_t)sysconf(_SC_PAGESIZE);
}

static void *live_map(struct um_perf_kernel *k, int fd)
{
	void *page = mmap(NULL, page_size(), PROT_READ, MAP_SHARED, fd, 0);

	(void)k;
	return page == MAP_FAILED ? NULL : page;
}

/* A child process does not inherit the pages of its parent's events; something else may be mapped there. */
static bool is_mapped(const struct um_perf_kernel *k)
{
	return ((const struct live *)(const void *)k)->pid == getpid();
}

static void live_unmap(struct um_perf_kernel *k, void *page)
{
	if (is_mapped(k))
		munmap(page, page_size());
}

static void *live_map_ring(struct um_perf_kernel *k, int fd, size_t size, int *err)
{
	void *ring = mmap(NULL, page_size() + size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	(void)k;
	*err = ring == MAP_FAILED ? -errno : 0;
	return *err ? NULL : ring;
}

static void live_unmap_ring(struct um_perf_kernel *k, void *ring, size_t size)
{
	if (is_mapped(k))
		munmap(ring, page_size() + size);
}

static int live_set_output(struct um_perf_kernel *k, int fd, int to)
{
	(void)k;
	return ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, to) < 0 ? -errno : 0;
}

static int live_wait(struct um_perf_kernel *k, struct pollfd *fds, size_t num, int timeout_ms)
{
	int ready = poll(fds, (nfds_t)num, timeout_ms);

	(void)k;
	return ready < 0 ? -errno : ready;
}

static void live_close(struct um_perf_kernel *k, int fd)
{
	(void)k;
	close(fd);
}

static int live_raise_limit(struct um_perf_kernel *k, uint64_t need, uint64_t *soft, uint64_t *hard)
{
	struct rlimit r, raised;

	(void)k;
	if (getrlimit(RLIMIT_NOFILE, &r))
		return 0;
	raised = (struct rlimit){ .rlim_cur = need, .rlim_max = r.rlim_max };
	if (need > r.rlim_cur && need <= r.rlim_max && !setrlimit(RLIMIT_NOFILE, &raised))
		r = raised;
	*soft = r.rlim_cur;
	*hard = r.rlim_max;
	return need <= *soft ? 0 : -EMFILE;
}

static void live_destroy(struct um_perf_kernel *k)
{
	free(k);
}

static const struct um_perf_kernel_ops live_ops = {
	.open = live_open, .read = live_read, .enable = live_enable, .id = live_id,
	.map = live_map, .unmap = live_unmap, .map_ring = live_map_ring,
	.unmap_ring = live_unmap_ring, .set_output = live_set_output, .wait = live_wait,
	.close = live_close, .raise_limit = live_raise_limit, .destroy = live_destroy,
};

int um_perf_kernel_live(struct um_perf_kernel **out)
{
	struct live *k = calloc(1, sizeof(*k));

	*out = k ? &k->base : NULL;
	if (!k)
		return -ENOMEM;
	k->base.ops = &live_ops;
	k->pid = getpid();
	return 0;
}
