/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The seam to the kernel: perf_event_open(2) and what is done with its descriptors. The live kernel
 * (live.c) and the scripted one (sim/perf.c), for machines that are not there and for tests.
 */
#ifndef UM_PERF_KERNEL_H
#define UM_PERF_KERNEL_H

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "perf/event.h"

enum { UM_PERF_DISABLED = 1, UM_PERF_INHERIT = 2, UM_PERF_ENABLE_ON_EXEC = 4,
       UM_PERF_GROUP_READ = 8, UM_PERF_CGROUP = 16 };

struct um_perf_kernel;

struct um_perf_kernel_ops {
	/*
	 * A descriptor, or a negative errno. @pid -1: every process; with UM_PERF_CGROUP a cgroup
	 * fd.
	 */
	int (*open)(struct um_perf_kernel *k, const struct um_perf_attr *attr, pid_t pid, int cpu,
		    int group_fd, unsigned flags);
	/*
	 * PERF_FORMAT_TOTAL_TIME_ENABLED | _RUNNING, and | _GROUP | _ID if it was opened so. Bytes.
	 */
	ssize_t (*read)(struct um_perf_kernel *k, int fd, void *buf, size_t size);
	/* PERF_EVENT_IOC_ENABLE, _DISABLE, _RESET (@whole_group: PERF_IOC_FLAG_GROUP), _ID. */
	int (*enable)(struct um_perf_kernel *k, int fd, bool on, bool whole_group);
	int (*id)(struct um_perf_kernel *k, int fd, uint64_t *id);
	/* The mmap page of user-space reading, or NULL with errno where there is none. */
	void *(*map)(struct um_perf_kernel *k, int fd);
	void (*unmap)(struct um_perf_kernel *k, void *page);
	/*
	 * The ring of an event that samples: a page for the head, then @size bytes, a power of two of pages.
	 * NULL with a negative errno in *err; -EPERM: it is too large for this user.
	 */
	void *(*map_ring)(struct um_perf_kernel *k, int fd, size_t size, int *err);
	void (*unmap_ring)(struct um_perf_kernel *k, void *ring, size_t size);
	/* Let an event write into the ring of another one on the same CPU. 0 or a negative errno. */
	int (*set_output)(struct um_perf_kernel *k, int fd, int to);
	/*
	 * As poll(2): until a ring is half full or its task is gone, a descriptor of the caller's own is
	 * ready, or @timeout_ms have passed. How many are ready, or a negative errno.
	 */
	int (*wait)(struct um_perf_kernel *k, struct pollfd *fds, size_t num, int timeout_ms);
	void (*close)(struct um_perf_kernel *k, int fd);
	/* Soft and hard limit of descriptors; raising the soft one. */
	int (*limits)(struct um_perf_kernel *k, uint64_t *soft, uint64_t *hard);
	int (*raise_limit)(struct um_perf_kernel *k, uint64_t soft);
	void (*destroy)(struct um_perf_kernel *k);
};

struct um_perf_kernel {
	const struct um_perf_kernel_ops *ops;
};

int um_perf_kernel_live(struct um_perf_kernel **out) UM_MUST_CHECK;

#endif
