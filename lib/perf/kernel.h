/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The interface to the kernel: perf_event_open(2) and operations on its descriptors. There are two implementations: the
 * live kernel (live.c), and the kernel of a simulated machine (sim/kernel_calls.c).
 */
#ifndef UM_PERF_KERNEL_H
#define UM_PERF_KERNEL_H

#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "encode/perf_event.h"

enum { UM_PERF_DISABLED = 1, UM_PERF_INHERIT = 2, UM_PERF_ENABLE_ON_EXEC = 4,
       UM_PERF_GROUP_READ = 8, UM_PERF_CGROUP = 16 };

struct um_perf_kernel;

struct um_perf_kernel_ops {
	/*
	 * Returns a descriptor, or a negative errno. @pid -1: every process; with UM_PERF_CGROUP it is the
	 * descriptor of a control group.
	 */
	int (*open)(struct um_perf_kernel *k, const struct um_perf_attr *attr, pid_t pid, int cpu,
		    int group_fd, unsigned flags);
	/*
	 * Read an event in the format PERF_FORMAT_TOTAL_TIME_ENABLED | _RUNNING, plus _GROUP | _ID if it was opened
	 * with UM_PERF_GROUP_READ. Returns the number of bytes.
	 */
	ssize_t (*read)(struct um_perf_kernel *k, int fd, void *buf, size_t size);
	/*
	 * enable(): enable or disable an event with its group (PERF_EVENT_IOC_ENABLE, _DISABLE). id(): get the event's
	 * id (PERF_EVENT_IOC_ID).
	 */
	int (*enable)(struct um_perf_kernel *k, int fd, bool on);
	int (*id)(struct um_perf_kernel *k, int fd, uint64_t *id);
	/* Map the event's page for user space; NULL: it has none. @map is NULL if the kernel has no such pages. */
	void *(*map)(struct um_perf_kernel *k, int fd);
	void (*unmap)(struct um_perf_kernel *k, void *page);
	/*
	 * Map the ring of a sampling event: a page for the head, then @size bytes (a power of two pages). NULL with
	 * a negative errno in *err; -EPERM: the ring is too large for this user.
	 */
	void *(*map_ring)(struct um_perf_kernel *k, int fd, size_t size, int *err);
	void (*unmap_ring)(struct um_perf_kernel *k, void *ring, size_t size);
	/* Make an event write into the ring of another event on the same CPU. 0 or a negative errno. */
	int (*set_output)(struct um_perf_kernel *k, int fd, int to);
	/*
	 * Like poll(2): wait until a ring is half full, its task has ended, one of the caller's own descriptors is
	 * ready, or @timeout_ms have passed. Returns how many are ready, or a negative errno.
	 */
	int (*wait)(struct um_perf_kernel *k, struct pollfd *fds, size_t num, int timeout_ms);
	void (*close)(struct um_perf_kernel *k, int fd);
	/*
	 * Raise the soft limit of descriptors to @need if it is lower. *soft and *hard become the limits, or stay
	 * unchanged if the limits are unknown. Returns -EMFILE if the limit stays too low, else 0.
	 */
	int (*raise_limit)(struct um_perf_kernel *k, uint64_t need, uint64_t *soft, uint64_t *hard);
	void (*destroy)(struct um_perf_kernel *k);
};

struct um_perf_kernel {
	const struct um_perf_kernel_ops *ops;
};

int um_perf_kernel_live(struct um_perf_kernel **out) UM_MUST_CHECK;

/* Open an event. If the kernel refuses exclude_guest and that was only our default, open the event without it. */
static inline int um_perf_open_event(struct um_perf_kernel *k, struct um_perf_attr attr, pid_t pid, int cpu,
				     int group_fd, unsigned flags)
{
	int fd = k->ops->open(k, &attr, pid, cpu, group_fd, flags);

	if (fd != -EINVAL || !attr.guest_by_default)
		return fd;
	attr.exclude_guest = false;
	return k->ops->open(k, &attr, pid, cpu, group_fd, flags);
}

#endif
