/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * perf_event_open(2) of the simulated machine, and calls on its descriptors. Checks, their order and errors are those
 * of Linux (kernel/events/core.c, arch/x86/events/core.c, arch/x86/events/intel/uncore.c).
 */
#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/array.h"
#include "sim/imc.h"
#include "sim/kernel.h"
#include "sim/sim.h"
#include "sim/trouble.h"
#include "uncoremsr/sim.h"

enum { FIRST_FD = 3 };

struct sim_kernel {
	struct um_perf_kernel base;
	struct uncoremsr_sim *sim;
	struct um_sim_perf_event **fds; /* indexed by descriptor; NULL: not in use */
	size_t num_fds, num_open;
	uint64_t soft;
};

static struct sim_kernel *kernel_of(struct um_perf_kernel *k)
{
	return (struct sim_kernel *)k;
}

static struct um_sim_perf_event *event_of(struct sim_kernel *k, int fd)
{
	size_t index = (size_t)(fd - FIRST_FD);

	return fd >= FIRST_FD && index < k->num_fds ? k->fds[index] : NULL;
}

/* For generic events the upper half of config may choose a core PMU (PERF_PMU_TYPE_SHIFT). */
static struct um_sim_kernel_pmu *find_pmu(struct um_sim_kernel *p, const struct um_perf_attr *attr)
{
	bool generic = attr->type == PERF_TYPE_HARDWARE || attr->type == PERF_TYPE_HW_CACHE;
	uint32_t type = generic ? (uint32_t)(attr->config[0] >> 32) : attr->type;

	type = generic && !type ? PERF_TYPE_RAW : type;
	for (size_t i = 0; i < p->num_pmus; i++)
		if (p->pmus[i].type == type && (!generic || p->pmus[i].kind == UM_SIM_PMU_CORE))
			return &p->pmus[i];
	return NULL;
}

/* ---- opening ---- */

static int ordered_failure(struct um_sim_kernel *p, const struct um_sim_kernel_pmu *pmu, bool reading, int cpu)
{
	for (size_t i = 0; i < p->num_fails; i++) {
		struct um_sim_perf_fail *f = &p->fails[i];

		if (f->reading != reading || !f->times || !um_sim_kernel_pmu_is(pmu, f->pmu) ||
		    (f->cpu != UINT64_MAX && f->cpu != (uint64_t)cpu))
			continue;
		if (f->times != UINT64_MAX)
			f->times--;
		return f->err;
	}
	return 0;
}

/* Is counting permitted by perf_event_paranoid (Linux Documentation/admin-guide/sysctl/kernel.rst)? */
static int check_permission(const struct um_sim_kernel *p, const struct um_perf_attr *attr, bool whole_cpu)
{
	if (!p->unprivileged)
		return 0;
	if (p->paranoid > 2 || (p->paranoid == 2 && !attr->exclude_kernel) || (p->paranoid > 0 && whole_cpu))
		return -EACCES;
	return 0;
}

static bool excludes(const struct um_perf_attr *a)
{
	return a->exclude_user || a->exclude_kernel || a->exclude_hv || a->exclude_idle ||
	       a->exclude_host || a->exclude_guest;
}

static int check_target(const struct uncoremsr_sim *sim, const struct um_sim_kernel_pmu *pmu, pid_t pid,
			int cpu, unsigned flags)
{
	bool possible = cpu >= 0 && (unsigned)cpu < sim->num_cpus && sim->cpus[cpu].present;

	if (flags & UM_PERF_CGROUP && (pid < 0 || cpu < 0))
		return -EINVAL;
	if (pid < 0 ? !possible : cpu != -1 && !possible)
		return -EINVAL;
	if (cpu >= 0 && !um_sim_has_core_pmu(sim, pmu, (unsigned)cpu))
		return -ENOENT;
	/* A PMU that counts for a whole package cannot count for a process or control group. */
	if (pmu->masked && (pid >= 0 || pmu->counted_by[um_sim_owner(sim, pmu, (unsigned)cpu)] < 0))
		return -EINVAL;
	return cpu >= 0 && !um_sim_online(sim, (unsigned)cpu) ? -ENODEV : 0;
}

static int keep(struct sim_kernel *k, struct um_sim_perf_event *ev)
{
	size_t i = 0;

	while (i < k->num_fds && k->fds[i])
		i++;
	if (i == k->num_fds && ARRAY_APPEND(k->fds, k->num_fds, NULL))
		return -ENOMEM;
	k->fds[i] = ev;
	k->num_open++;
	k->sim->kernel->open_imc[ev->pmu->level]++;
	return (int)i + FIRST_FD;
}

static int check_open(struct sim_kernel *k, const struct um_sim_kernel_pmu *pmu,
		      const struct um_perf_attr *attr, pid_t pid, int cpu, unsigned flags)
{
	struct um_sim_kernel *p = k->sim->kernel;
	bool whole_cpu = pid < 0 || flags & UM_PERF_CGROUP;
	int err = check_permission(p, attr, whole_cpu);

	if (err)
		return err;
	if (k->num_open >= k->soft)
		return -EMFILE;
	if (!pmu)
		return -ENOENT;
	err = ordered_failure(p, pmu, false, cpu);
	if (err)
		return err;
	/* Before Linux 6.13 an event with inherit cannot be read as a group. */
	if ((excludes(attr) && !pmu->excludes) || (flags & UM_PERF_INHERIT && flags & UM_PERF_GROUP_READ))
		return -EINVAL;
	err = um_sim_kernel_valid(pmu, attr);
	if (!err && attr->sampling)
		err = um_sim_samples_check(pmu, attr);
	if (!err && pmu->kind == UM_SIM_PMU_IMC)
		err = um_sim_imc_check(p, pmu, attr, pid, cpu);
	return err ? err : check_target(k->sim, pmu, pid, cpu, flags);
}

static int sim_open(struct um_perf_kernel *base, const struct um_perf_attr *attr, pid_t pid,
		    int cpu, int group_fd, unsigned flags)
{
	struct sim_kernel *k = kernel_of(base);
	struct um_sim_perf_event *ev, *leader = event_of(k, group_fd);
	const struct um_sim_kernel_pmu *pmu;
	int err, fd;

	um_sim_tick(k->sim);
	pmu = find_pmu(k->sim->kernel, attr);
	err = check_open(k, pmu, attr, pid, cpu, flags);
	if (!err && group_fd != -1 && !leader)
		err = -EBADF;
	if (err)
		return err;
	ev = calloc(1, sizeof(*ev));
	if (!ev)
		return -ENOMEM;
	*ev = (struct um_sim_perf_event){
		.pmu = pmu, .attr = *attr, .flags = flags, .pid = pid,
		/* Any CPU of a package can be given for the package's PMU. */
		.cpu = cpu < 0 ? 0 : um_sim_owner(k->sim, pmu, (unsigned)cpu), .id = ++k->sim->kernel->last_id,
		.on = !(flags & (UM_PERF_DISABLED | UM_PERF_ENABLE_ON_EXEC)),
	};
	if (attr->sampling) {
		ev->sampling = *attr->sampling;
		ev->attr.sampling = &ev->sampling;
		ev->sampled = k->sim->now;
	}
	err = um_sim_kernel_join(k->sim, leader, ev);
	fd = err ? err : keep(k, ev);
	if (!err && fd < 0)
		um_sim_kernel_leave(ev);
	if (fd < 0)
		free(ev);
	return fd;
}

/* ---- calls on a descriptor ---- */

static ssize_t read_group(const struct um_sim_perf_event *leader, uint64_t *v, size_t size)
{
	size_t num = 0, n = 3;

	for (const struct um_sim_perf_event *ev = leader; ev; ev = ev->next)
		num++;
	if (size < (3 + 2 * num) * sizeof(*v))
		return -ENOSPC;
	v[0] = num;
	v[1] = leader->enabled;
	v[2] = leader->running;
	for (const struct um_sim_perf_event *ev = leader; ev; ev = ev->next) {
		v[n++] = ev->value;
		v[n++] = ev->id;
	}
	return (ssize_t)(n * sizeof(*v));
}

/* Read an event with PERF_FORMAT_ID | PERF_FORMAT_LOST, or with PERF_FORMAT_ID alone. */
static ssize_t read_lost(const struct um_sim_perf_event *ev, void *buf, size_t size)
{
	const uint64_t words[] = { ev->value, ev->id, ev->dropped };
	size_t len = sizeof(words) - (ev->sampling.read_format & PERF_FORMAT_LOST ? 0 : sizeof(words[0]));

	if (size < len)
		return -ENOSPC;
	memcpy(buf, words, len);
	return (ssize_t)len;
}

static ssize_t sim_read(struct um_perf_kernel *base, int fd, void *buf, size_t size)
{
	struct sim_kernel *k = kernel_of(base);
	struct um_sim_perf_event *ev = event_of(k, fd);
	int err;

	um_sim_tick(k->sim);
	if (!ev)
		return -EBADF;
	err = ordered_failure(k->sim->kernel, ev->pmu, true, (int)ev->cpu);
	if (err)
		return err;
	um_sim_place_settle(k->sim, ev->place);
	if (ev->leader->lost)
		return 0;
	if (ev->attr.sampling)
		return read_lost(ev, buf, size);
	if (ev->flags & UM_PERF_GROUP_READ)
		return read_group(ev->leader, buf, size);
	if (size < 3 * sizeof(uint64_t))
		return -ENOSPC;
	memcpy(buf, (uint64_t[]){ ev->value, ev->enabled, ev->running }, 3 * sizeof(uint64_t));
	return 3 * sizeof(uint64_t);
}

static void set_on(struct um_sim_perf_event *ev, bool on)
{
	ev->on = on;
	ev->lost = ev->lost && !on;
	ev->deaf = ev->deaf && on;
}

static int sim_enable(struct um_perf_kernel *base, int fd, bool on)
{
	struct sim_kernel *k = kernel_of(base);
	struct um_sim_perf_event *ev = event_of(k, fd);

	um_sim_tick(k->sim);
	if (!ev)
		return -EBADF;
	um_sim_place_settle(k->sim, ev->place);
	if (ev->attr.sampling) {
		um_sim_samples_take(k->sim, ev);
		if (on && !ev->on)
			ev->sampled = k->sim->now;
	}
	for (ev = ev->leader; ev; ev = ev->next)
		set_on(ev, on);
	return 0;
}

static int sim_id(struct um_perf_kernel *base, int fd, uint64_t *id)
{
	const struct um_sim_perf_event *ev = event_of(kernel_of(base), fd);

	if (!ev)
		return -EBADF;
	*id = ev->id;
	return 0;
}

/* ---- rings ---- */

static void *sim_map_ring(struct um_perf_kernel *base, int fd, size_t size, int *err)
{
	struct um_sim_perf_event *ev = event_of(kernel_of(base), fd);
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	struct perf_event_mmap_page *ring;

	*err = !ev ? -EBADF : !ev->attr.sampling || size & (size - 1) || size % page ? -EINVAL : 0;
	ring = *err ? NULL : calloc(1, page + size);
	if (!ring) {
		*err = *err ? *err : -ENOMEM;
		return NULL;
	}
	ring->data_offset = page;
	ring->data_size = size;
	ev->ring = ring;
	return ring;
}

static void sim_unmap_ring(struct um_perf_kernel *base, void *ring, size_t size)
{
	struct sim_kernel *k = kernel_of(base);

	(void)size;
	for (size_t i = 0; i < k->num_fds; i++)
		if (k->fds[i] && k->fds[i]->ring == ring)
			k->fds[i]->ring = NULL;
	free(ring);
}

static int sim_set_output(struct um_perf_kernel *base, int fd, int to)
{
	struct um_sim_perf_event *ev = event_of(kernel_of(base), fd), *owner = event_of(kernel_of(base), to);

	if (!ev || !owner)
		return -EBADF;
	if (ev->cpu != owner->cpu || !owner->ring)
		return -EINVAL;
	ev->ring = owner->ring;
	return 0;
}

/* Write all samples that are due. Returns how many of @fds have a ring buffer that is half full. */
static int take_samples(struct sim_kernel *k, struct pollfd *fds, size_t num)
{
	int ready = 0;

	um_sim_tick(k->sim);
	for (size_t i = 0; i < k->num_fds; i++)
		if (k->fds[i] && k->fds[i]->attr.sampling)
			um_sim_samples_take(k->sim, k->fds[i]);
	for (size_t i = 0; i < num; i++) {
		const struct um_sim_perf_event *ev = event_of(k, fds[i].fd);

		fds[i].revents = ev && um_sim_ring_is_half_full(ev->ring) ? POLLIN : 0;
		ready += fds[i].revents != 0;
	}
	return ready;
}

/*
 * The last entry of @fds is a real descriptor of the caller or -1, so use the real poll(2). A stepped clock is advanced
 * instead of waiting. If there is a descriptor, wait in real time as well, because its events happen in real time. The
 * slices are short, so that samples are taken before the rings overflow.
 */
static int sim_wait(struct um_perf_kernel *base, struct pollfd *fds, size_t num, int timeout_ms)
{
	enum { SLICE_MS = 20 };
	struct sim_kernel *k = kernel_of(base);
	struct pollfd *own = &fds[num - 1];
	int waited = 0;

	for (;;) {
		int left = timeout_ms < 0 || timeout_ms - waited > SLICE_MS ? SLICE_MS : timeout_ms - waited;
		bool stepped = uncoremsr_sim_advance(k->sim, (uint64_t)left * 1000000) == 1;
		int mine = poll(own, 1, stepped && own->fd < 0 ? 0 : left), rings;

		if (mine < 0)
			return -errno;
		rings = take_samples(k, fds, num - 1);
		waited += left;
		if (mine || rings || (timeout_ms >= 0 && waited >= timeout_ms))
			return mine + rings;
	}
}

static void sim_close(struct um_perf_kernel *base, int fd)
{
	struct sim_kernel *k = kernel_of(base);
	struct um_sim_perf_event *ev = event_of(k, fd);

	um_sim_tick(k->sim);
	if (!ev)
		return;
	um_sim_place_settle(k->sim, ev->place);
	um_sim_kernel_leave(ev);
	k->fds[fd - FIRST_FD] = NULL;
	k->num_open--;
	k->sim->kernel->open_imc[ev->pmu->level]--;
	free(ev);
}

static int sim_raise_limit(struct um_perf_kernel *base, uint64_t need, uint64_t *soft, uint64_t *hard)
{
	struct sim_kernel *k = kernel_of(base);

	*hard = k->sim->kernel->hard;
	if (need > k->soft && need <= *hard)
		k->soft = need;
	*soft = k->soft;
	return need <= *soft ? 0 : -EMFILE;
}

static void sim_destroy(struct um_perf_kernel *base)
{
	struct sim_kernel *k = kernel_of(base);

	for (size_t i = 0; i < k->num_fds; i++)
		sim_close(base, (int)i + FIRST_FD);
	free(k->fds);
	free(k);
}

/* There are no pages for user space: rdpmc in this program cannot read the counters of a simulated machine. */
static const struct um_perf_kernel_ops ops = {
	.open = sim_open, .read = sim_read, .enable = sim_enable, .id = sim_id,
	.map_ring = sim_map_ring, .unmap_ring = sim_unmap_ring,
	.set_output = sim_set_output, .wait = sim_wait, .close = sim_close,
	.raise_limit = sim_raise_limit, .destroy = sim_destroy,
};

int um_sim_perf_kernel(struct uncoremsr_sim *sim, struct um_perf_kernel **out)
{
	struct sim_kernel *k = calloc(1, sizeof(*k));

	*out = NULL;
	if (!k)
		return -ENOMEM;
	k->base.ops = &ops;
	k->sim = sim;
	k->soft = sim->kernel->soft;
	*out = &k->base;
	return 0;
}
