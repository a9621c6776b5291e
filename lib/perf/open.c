/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/file.h"
#include "perf/count.h"

enum { SPARE = 32 }; /* descriptors kept free for other uses of the program */

static int count_entry(void *user, const char *name)
{
	*(uint64_t *)user += name[0] != '.';
	return 0;
}

/* Number of descriptors that the program has open; an estimate if /proc does not show it. */
static uint64_t open_now(const struct um_perf_count *c)
{
	uint64_t num = 0;

	if (!c->access->live || c->access->ops->list(c->access, "proc/self/fd", count_entry, &num))
		return 8;
	return num;
}

static int check_limit(struct um_perf_count *c, struct um_error *e)
{
	uint64_t soft, hard, need = c->num_instances + open_now(c) + SPARE;

	if (!c->kernel->ops->raise_limit(c->kernel, need, &soft, &hard))
		return 0;
	um_fail(e, -EMFILE, UNCOREMSR_ERROR_UNSUPPORTED,
		"%" PRIu64 " descriptors are needed (%zu for %zu event%s on all units and CPUs), and the limit on open "
		"files is %" PRIu64, need, c->num_instances, c->events.num, c->events.num == 1 ? "" : "s", hard);
	return um_advise(e, -EMFILE, "raise it to %" PRIu64 " (ulimit -Hn, or LimitNOFILE=%" PRIu64 " in a service "
		"unit), or count fewer events or CPUs", need, need);
}

static unsigned open_flags(const struct um_perf_count *c, const struct um_perf_instance *in)
{
	unsigned flags = in->leader < 0 ? (unsigned)UM_PERF_DISABLED : 0u;
	bool tasks = um_perf_counts_tasks(c, in);

	if (um_perf_inherits(c, &c->events.events[in->event]))
		flags |= UM_PERF_INHERIT;
	else if (in->leader >= 0 || in->next >= 0)
		flags |= UM_PERF_GROUP_READ;
	if (tasks && c->target.kind == UM_TARGET_CHILD && in->leader < 0)
		flags |= UM_PERF_ENABLE_ON_EXEC;
	if (tasks && c->target.kind == UM_TARGET_CGROUP)
		flags |= UM_PERF_CGROUP;
	return flags;
}

void um_perf_mark(struct um_perf_instance *in, enum uncoremsr_status trouble, const char *detail)
{
	in->trouble = trouble;
	um_message(in->detail, sizeof(in->detail), "%s", detail);
}

/* The leader could not be opened: release the members that were joined to it, so that each counts alone. */
static void part(struct um_perf_count *c, struct um_perf_instance *leader)
{
	int next = leader->next;

	leader->next = -1;
	while (next >= 0) {
		struct um_perf_instance *in = &c->instances[next];

		next = in->next;
		in->leader = in->next = -1;
		in->joined = false;
	}
}

/*
 * The kernel refused a member of a group: no counter is left beside those of the earlier members (EINVAL), or the
 * counts of the group would exceed 16 KiB (E2BIG). Start a new group with this member, and move the later members into
 * that group. The kernel then multiplexes both groups. Members are opened in the order of the list.
 */
static void split(struct um_perf_count *c, struct um_perf_instance *in)
{
	int self = (int)(in - c->instances), at = in->leader;

	while (c->instances[at].next != self)
		at = c->instances[at].next;
	c->instances[at].next = -1;
	in->leader = -1;
	in->joined = false;
	for (at = in->next; at >= 0; at = c->instances[at].next)
		c->instances[at].leader = self;
}

static bool may_split(const struct um_perf_count *c, const struct um_perf_instance *in)
{
	const bool weak = c->events.events[in->event].weak;

	return in->leader >= 0 && ((in->fd == -EINVAL && weak) || (in->fd == -E2BIG && (weak || in->joined)));
}

/*
 * Fail because the group's leader is not open. The leader of a joined group can only be missing because its CPU is
 * offline: after other failures part() has dissolved the group.
 */
static int no_leader(struct um_perf_count *c, struct um_perf_instance *in, struct um_error *e)
{
	const struct um_perf_event *ev = &c->events.events[in->event];

	if (in->joined)
		um_perf_explain(c->access, ev, in->unit, in->cpu, in->pid, -ENODEV, e);
	else if (c->instances[in->leader].away)
		um_fail(e, -ENODEV, UNCOREMSR_ERROR_UNSUPPORTED, "CPU %d is offline", in->cpu);
	else
		um_fail(e, -ENODEV, UNCOREMSR_ERROR_UNSUPPORTED, "event '%s': the first event of "
			"its group could not be opened", ev->name);
	in->away = c->instances[in->leader].away;
	um_perf_mark(in, in->away ? UNCOREMSR_OFFLINE : UNCOREMSR_FAILED, e->msg);
	return -ENODEV;
}

static int try_open(struct um_perf_count *c, struct um_perf_instance *in, unsigned flags)
{
	struct um_perf_attr attr = um_perf_unit_of(c, in)->attr;
	int leader = in->leader < 0 ? -1 : c->instances[in->leader].fd;

	/*
	 * Without multiplexing pin the leaders: pinned events get a counter at once or never. Members follow their
	 * leader.
	 */
	attr.pinned |= c->choices->no_turns && in->leader < 0;
	return um_perf_open_event(c->kernel, attr, in->pid, in->cpu, leader, flags);
}

int um_perf_open_instance(struct um_perf_count *c, struct um_perf_instance *in, struct um_error *e)
{
	unsigned flags = open_flags(c, in);
	int err;

	if (in->leader >= 0 && c->instances[in->leader].fd < 0)
		return no_leader(c, in, e);
	in->fd = try_open(c, in, flags);
	if (may_split(c, in)) {
		split(c, in);
		flags = open_flags(c, in);
		in->fd = try_open(c, in, flags);
	}
	if (in->fd >= 0) {
		in->grouped = flags & UM_PERF_GROUP_READ;
		if (in->grouped)
			c->kernel->ops->id(c->kernel, in->fd, &in->id);
		in->raw = in->enabled = in->running = 0;
		in->away = in->waits = false;
		return 0;
	}
	in->away = in->fd == -ENODEV && in->cpu >= 0 && um_perf_is_offline(c->access, in->cpu);
	if (!in->away && in->leader < 0 && in->next >= 0 && c->instances[in->next].joined)
		part(c, in);
	err = um_perf_explain(c->access, &c->events.events[in->event], in->unit, in->cpu, in->pid, in->fd, e);
	in->fd = -1;
	um_perf_mark(in, in->away ? UNCOREMSR_OFFLINE : UNCOREMSR_FAILED, e->msg);
	return err;
}

void um_perf_count_close(struct um_perf_count *c)
{
	/* Close members before leaders, so that no member goes on counting alone for a moment. */
	for (size_t i = c->num_instances; i-- > 0;) {
		if (c->instances[i].fd >= 0)
			c->kernel->ops->close(c->kernel, c->instances[i].fd);
		c->instances[i].fd = -1;
	}
	for (size_t i = 0; c->cgroup_fds && i < c->target.num_cgroups; i++)
		if (c->cgroup_fds[i] >= 0)
			close(c->cgroup_fds[i]);
	FREE_AND_NULL(c->cgroup_fds);
}

static int open_cgroups(struct um_perf_count *c, struct um_error *e)
{
	size_t num = c->target.num_cgroups;
	bool needed = false;
	int err = 0;

	for (size_t i = 0; i < c->events.num; i++)
		needed |= um_perf_is_of_tasks(&c->target, &c->events.events[i]);
	if (c->target.kind != UM_TARGET_CGROUP || !needed)
		return 0;
	c->cgroup_fds = malloc((num + 1) * sizeof(*c->cgroup_fds));
	if (!c->cgroup_fds)
		return um_no_memory(e);
	for (size_t i = 0; i < num; i++)
		c->cgroup_fds[i] = -1;
	for (size_t i = 0; i < num && !err; i++) {
		const char *dir = c->target.cgroups[i];

		c->cgroup_fds[i] = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		err = c->cgroup_fds[i] >= 0 ? 0 : errno;
		if (err)
			um_file_fail(e, "cgroup", dir, -err);
	}
	return -err;
}

/* Buffer for the largest group: number of members, enabled time, running time, then value and id of each member. */
static int make_buffer(struct um_perf_count *c)
{
	c->buffer_size = (3 + 2 * (c->events.num + 1)) * sizeof(*c->buffer);
	free(c->buffer);
	c->buffer = malloc(c->buffer_size);
	return c->buffer ? 0 : -ENOMEM;
}

static void free_cpus(struct um_perf_count *c)
{
	um_cpuset_free(&c->offline);
	um_cpuset_free(&c->online);
	um_cpuset_free(&c->went);
	um_cpuset_free(&c->came);
}

int um_perf_count_open(struct um_perf_count *c, struct um_error *e)
{
	size_t num_open = 0, by_tasks[2] = { 0, 0 };
	int err, first = 0;

	um_perf_count_close(c);
	free_cpus(c);
	err = um_cpus_offline(&c->offline, c->access, &c->topo->online);
	if (err)
		c->offline.num = 0; /* which CPUs are offline is unknown: treat no CPU as offline */
	err = err == -ENOMEM ? um_no_memory(e) : open_cgroups(c, e) ?: um_perf_plan(c, e) ?: check_limit(c, e);
	if (!err && make_buffer(c))
		err = um_no_memory(e);
	for (size_t i = 0; i < c->num_instances && !err; i++) {
		struct um_error why = { .msg = "" };
		int failed = c->instances[i].away
			   ? 0 : um_perf_open_instance(c, &c->instances[i], &why);

		num_open += c->instances[i].fd >= 0 || (c->instances[i].away && !c->instances[i].waits);
		by_tasks[um_perf_counts_tasks(c, &c->instances[i])] += c->instances[i].fd >= 0;
		if (failed && !first) {
			first = failed;
			um_fail_as(e, &why);
		}
		/* Events for tasks and events on whole CPUs are independent: one kind may be missing. */
		if (um_lacks_descriptors(failed) && !by_tasks[!um_perf_counts_tasks(c, &c->instances[i])])
			err = failed;
	}
	if (!err && num_open)
		return 0;
	um_perf_count_close(c);
	return err ? err : first;
}

int um_perf_count_start(struct um_perf_count *c, struct um_error *e)
{
	uint64_t now = c->access->ops->now(c->access);
	/* The events of a child process are enabled by its exec; a simulated kernel does not notice the exec. */
	bool by_exec = c->target.kind == UM_TARGET_CHILD && !c->access->simulated;
	int unfit = c->choices->no_turns && c->target.kind != UM_TARGET_SYSTEM ? um_perf_try_fit(c, e) : 0;

	if (unfit)
		return unfit;
	c->running = true;
	for (size_t i = 0; i < c->num_instances; i++) {
		struct um_perf_instance *in = &c->instances[i];
		int err;

		in->seen = now;
		if (in->fd < 0 || in->leader >= 0 || (by_exec && um_perf_counts_tasks(c, in)))
			continue;
		err = c->kernel->ops->enable(c->kernel, in->fd, true);
		if (err)
			return um_fail(e, err, UNCOREMSR_ERROR_UNSUPPORTED,
				       "event '%s': could not be switched on: %s",
				       c->events.events[in->event].name, strerror(-err));
	}
	return c->choices->no_turns ? um_perf_check_fit(c, e) : 0;
}

void um_perf_count_stop(struct um_perf_count *c)
{
	for (size_t i = 0; i < c->num_instances; i++)
		if (c->instances[i].fd >= 0 && c->instances[i].leader < 0)
			c->kernel->ops->enable(c->kernel, c->instances[i].fd, false);
	if (c->running)
		c->stopped_ns = c->access->ops->now(c->access);
	c->running = false;
}

void um_perf_count_free(struct um_perf_count *c)
{
	um_perf_count_close(c);
	um_perf_events_free(&c->events);
	free_cpus(c);
	free(c->instances);
	free(c->first);
	free(c->buffer);
	*c = (struct um_perf_count){ .num_instances = 0 };
}
