/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Check that all events can count at the same time, for users who want no multiplexing. */
#include <errno.h>
#include <stdlib.h>

#include "perf/count.h"

static unsigned num_beside(const struct um_perf_count *c, const struct um_perf_instance *in)
{
	const struct um_kernel_pmu *pmu = um_perf_unit_of(c, in)->pmu;
	unsigned num = 0;

	for (size_t i = 0; i < c->num_instances; i++) {
		const struct um_perf_instance *other = &c->instances[i];

		num += other->fd >= 0 && other->cpu == in->cpu && other->pid == in->pid &&
		       um_perf_unit_of(c, other)->pmu == pmu;
	}
	return num;
}

/* Does a leader have a counter? read() returns 0 bytes for a pinned event without one; see perf_event_open(2). */
static int check(struct um_perf_count *c, const struct um_perf_instance *in, int fd, struct um_error *e)
{
	const struct um_kernel_pmu *pmu = um_perf_unit_of(c, in)->pmu;

	if (fd < 0 || in->leader >= 0 || c->kernel->ops->read(c->kernel, fd, c->buffer, c->buffer_size))
		return 0;
	um_fail(e, -EBUSY, UNCOREMSR_ERROR_UNSUPPORTED,
		"event '%s': no free counter: %u needed at the same time on %s",
		c->events.events[in->event].name, num_beside(c, in),
		pmu ? pmu->name : c->events.events[in->event].pmu);
	return um_advise(e, -EBUSY, "count fewer events, or let them take turns: leave out the braces and "
		"--no-multiplex");
}

int um_perf_check_fit(struct um_perf_count *c, struct um_error *e)
{
	int err = 0;

	for (size_t i = 0; i < c->num_instances && !err; i++)
		if (!um_perf_counts_tasks(c, &c->instances[i]))
			err = check(c, &c->instances[i], c->instances[i].fd, e);
	return err;
}

/* Is the instance tested? Testing one task is enough, because each task has all counters while it runs. */
static bool is_tried(const struct um_perf_count *c, const struct um_perf_instance *in)
{
	return in->fd >= 0 && um_perf_counts_tasks(c, in) && (in->cpu >= 0 || in->pid == c->target.pids[0]);
}

static int open_again(struct um_perf_count *c, const struct um_perf_instance *in, int leader)
{
	struct um_perf_attr attr = um_perf_unit_of(c, in)->attr;
	unsigned flags = in->leader < 0 ? (unsigned)UM_PERF_DISABLED : 0u;

	if (in->leader >= 0 || in->next >= 0)
		flags |= UM_PERF_GROUP_READ;
	attr.pinned |= in->leader < 0;
	return um_perf_open_event(c->kernel, attr, in->cpu < 0 ? 0 : -1, in->cpu, leader, flags);
}

int um_perf_try_fit(struct um_perf_count *c, struct um_error *e)
{
	int *fds = calloc(c->num_instances + 1, sizeof(*fds)), err = 0;

	if (!fds)
		return um_no_memory(e);
	for (size_t i = 0; i < c->num_instances; i++) {
		const struct um_perf_instance *in = &c->instances[i];
		int leader = in->leader < 0 ? -1 : fds[in->leader];

		/*
		 * If an event cannot be opened for the test, say nothing here: opening it for counting reports the
		 * failure.
		 */
		fds[i] = is_tried(c, in) && (in->leader < 0 || leader >= 0)
			 ? open_again(c, in, leader) : -1;
	}
	for (size_t i = 0; i < c->num_instances; i++)
		if (fds[i] >= 0 && c->instances[i].leader < 0)
			c->kernel->ops->enable(c->kernel, fds[i], true);
	for (size_t i = 0; i < c->num_instances && !err; i++)
		err = check(c, &c->instances[i], fds[i], e);
	for (size_t i = c->num_instances; i-- > 0;)
		if (fds[i] >= 0)
			c->kernel->ops->close(c->kernel, fds[i]);
	free(fds);
	return err;
}
