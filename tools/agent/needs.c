/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "agent/counts.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "common/privileges.h"
#include "uncoremsr/machine.h"
#include "uncoremsr/names.h"

/* All descriptors but those of counters: sockets, files of sysfs and procfs, shared memory, files of the C library. */
enum { OTHERS = 64 };

static size_t count_list(const char *list)
{
	unsigned long first, last;
	size_t num = 0;
	char *end;

	for (; list && *list; list = end + (*end == ',')) {
		first = last = strtoul(list, &end, 10);
		if (end == list)
			break;
		if (*end == '-')
			last = strtoul(end + 1, &end, 10);
		num += last - first + 1;
	}
	return num;
}

struct kernel_pmu {
	const char *name;
	size_t num;
};

/* The name of a PMU can stand for several PMUs of the kernel: "uncore_cha" for uncore_cha_0, uncore_cha_1 and so on. */
static int add_kernel_pmu(void *user, const char *name, unsigned type, const char *cpus)
{
	struct kernel_pmu *k = user;
	size_t len = strlen(k->name);

	(void)type;
	if (!strncmp(name, k->name, len) &&
	    (!name[len] || (name[len] == '_' && !name[len + 1 + strspn(name + len + 1, "0123456789")])))
		k->num += cpus ? count_list(cpus) : 1;
	return 0;
}

static size_t count_units(const struct agent_counts *c, const char *kernel_name)
{
	struct kernel_pmu k = { .name = kernel_name };

	uncoremsr_kernel_pmus(c->um, add_kernel_pmu, &k);
	return k.num;
}

/* Number of descriptors that an event of the route msr needs if the kernel counts it instead. */
static size_t count_moved(const struct agent_counts *c, const struct uncoremsr_counted *ev)
{
	const struct uncoremsr_pmu *pmu = NULL;

	for (size_t i = 0; ev->route == UNCOREMSR_ROUTE_MSR && (pmu = uncoremsr_pmu(c->um, NULL, i)); i++)
		if (!strcmp(pmu->name, ev->pmu))
			break;
	return pmu && pmu->kernel_name ? count_units(c, pmu->kernel_name) : 0;
}

int64_t agent_needs_of(const struct agent_counts *c, const struct agent_count *n, size_t event)
{
	const struct uncoremsr_counted *ev = uncoremsr_session_event(n->session, event);
	size_t num;

	if (ev->route != UNCOREMSR_ROUTE_PERF)
		return -1;
	if (!ev->uncore)
		return (int64_t)uncoremsr_session_state(n->session)->cpus;
	num = count_units(c, ev->pmu);
	return uncoremsr_error(c->um)->starved ? -1 : (int64_t)num;
}

/* For the memory route only file permissions matter. */
static unsigned counting_of(const struct uncoremsr_session *s, size_t event)
{
	switch (uncoremsr_session_event(s, event)->route) {
	case UNCOREMSR_ROUTE_PERF:
		return PRIVILEGES_KERNEL;
	case UNCOREMSR_ROUTE_MEMORY:
		return 0;
	default:
		return PRIVILEGES_REGISTERS;
	}
}

struct agent_needs agent_needs(const struct agent_counts *c)
{
	struct rlimit limit = { .rlim_max = 0 };
	struct agent_needs needs = { .counting = c->cfg.throttle ? PRIVILEGES_REGISTERS : 0 };

	for (size_t i = 0; i < c->num; i++)
		for (size_t e = 0; uncoremsr_session_event(c->list[i].session, e); e++) {
			int64_t num = agent_needs_of(c, &c->list[i], e);

			needs.counters += num > 0 ? (uint64_t)num : 0;
			needs.counting |= counting_of(c->list[i].session, e);
		}
	/* Counting through registers opens the device of every CPU. */
	if (needs.counting & PRIVILEGES_REGISTERS)
		needs.counters += count_list(uncoremsr_machine(c->um)->online_cpus);
	needs.all = needs.counters + OTHERS;
	/* Counters simulated in this process need no descriptors; the devices that uncore-sim mounts do. */
	needs.here = strncmp(uncoremsr_machine(c->um)->name, "sim:", 4) ? needs.all : OTHERS;
	getrlimit(RLIMIT_NOFILE, &limit);
	needs.limit = limit.rlim_max;
	return needs;
}

uint64_t agent_needs_moved(const struct agent_counts *c)
{
	const struct uncoremsr_counted *ev;
	uint64_t num = 0;

	for (size_t i = 0; i < c->num; i++)
		for (size_t e = 0; (ev = uncoremsr_session_event(c->list[i].session, e)); e++)
			num += count_moved(c, ev);
	return num;
}

int agent_needs_meet(const struct agent_counts *c)
{
	const struct agent_needs needs = agent_needs(c);
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) < 0 || needs.here <= limit.rlim_cur)
		return 0;
	limit.rlim_cur = needs.here;
	if (needs.here <= needs.limit && !setrlimit(RLIMIT_NOFILE, &limit))
		return 0;
	return tool_say(TOOL_UNSUPPORTED, "%" PRIu64 " descriptors are needed, and the limit on open files is %"
			PRIu64 ": put LimitNOFILE=%" PRIu64 " into the service unit (ulimit -Hn in a shell), "
			"or count fewer events or CPUs", needs.here, needs.limit, needs.here);
}
