/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "agent/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "agent/snmp.h"
#include "common/counted.h"
#include "common/records.h"
#include "uncoremsr/machine.h"

/* An event, a metric, or what cannot be counted. */
struct check_row {
	const struct agent_counts *c;
	const struct agent_count *n;
	size_t event;
	const struct uncoremsr_metric *metric;
	const struct agent_missing *missing;
	int64_t descriptors; /* -1: it needs registers, and no descriptor of its own */
};

/* ---- how many descriptors ---- */

/* Numbers in a list such as "0-3,8": how many. */
static size_t count_list(const char *list)
{
	size_t num = 0;

	while (list && *list) {
		char *end;
		unsigned long first = strtoul(list, &end, 0), last = first;

		if (end == list)
			break;
		if (*end == '-')
			last = strtoul(end + 1, &end, 0);
		num += (last > first ? last - first : first - last) + 1;
		list = end + (*end == ',');
	}
	return num;
}

struct kernel_pmu {
	const char *name;
	size_t num;
};

/* "uncore_cha" is one of its kind, or many: uncore_cha_0, uncore_cha_1. */
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

static size_t count_cpus(const struct check_row *r)
{
	size_t num = 0;
	const char *cores;

	for (size_t i = 0; (cores = uncoremsr_session_cores(r->n->session, i)); i++)
		num += count_list(cores);
	return num ? num : count_list(uncoremsr_machine_text(r->c->um, UNCOREMSR_MACHINE_ONLINE_CPUS));
}

static int64_t count_descriptors(const struct check_row *r)
{
	const struct uncoremsr_session *s = r->n->session;
	struct kernel_pmu k = {
		.name = uncoremsr_session_event_text(s, r->event, UNCOREMSR_COUNTED_PMU),
	};

	if (counted_number(s, r->event, UNCOREMSR_COUNTED_ROUTE) != UNCOREMSR_ROUTE_PERF)
		return -1;
	if (!counted_number(s, r->event, UNCOREMSR_COUNTED_UNCORE))
		return (int64_t)count_cpus(r);
	uncoremsr_kernel_pmus(r->c->um, add_kernel_pmu, &k);
	return (int64_t)k.num;
}

/* ---- columns ---- */

#define GETTER(name) static enum record_state name(const void *item, struct record_value *v)
#define COLUMN(name, value) \
	GETTER(name) \
	{ \
		const struct check_row *r = item; \
		return (value); \
	}

COLUMN(get_group, value_number(v, r->n - r->c->list + 1))

GETTER(get_line)
{
	const struct check_row *r = item;
	unsigned line = r->missing ? r->missing->line : r->n->group->events[0].line;

	return value_number(v, line ? (int64_t)line : -1);
}

/* The sets of CPUs, or "package". */
GETTER(get_cores)
{
	const struct check_row *r = item;
	const struct agent_group *g = r->n->group;

	if (!g->num_cores)
		return value_copy(v, g->each_cpu ? "each CPU" : "packages");
	for (size_t i = 0; i < g->num_cores; i++) {
		out_str(v->scratch, i ? " " : "");
		out_str(v->scratch, g->cores[i]);
	}
	return record_composed(v);
}

/* Who said so: "line 7", or "line 2, for all of the block". */
GETTER(get_cores_from)
{
	const struct check_row *r = item;
	const struct agent_group *g = r->n->group;
	char text[64];

	if (!g->cores_line)
		return RECORD_NONE;
	snprintf(text, sizeof(text), "line %u%s", g->cores_line, g->global_cores ? " (global)" : "");
	return value_copy(v, text);
}

GETTER(get_name)
{
	const struct check_row *r = item;

	if (r->missing)
		return value_text(v, r->missing->text);
	if (r->metric)
		return value_text(v, uncoremsr_metric_text(r->metric, UNCOREMSR_METRIC_NAME));
	return value_text(v, uncoremsr_session_event_text(r->n->session, r->event,
							  UNCOREMSR_COUNTED_NAME));
}

static bool is_event(const struct check_row *r)
{
	return !r->missing && !r->metric;
}

COLUMN(get_pmu, value_text(v, !is_event(r) ? NULL :
			   uncoremsr_session_event_text(r->n->session, r->event, UNCOREMSR_COUNTED_PMU)))
COLUMN(get_route, value_text(v, !is_event(r) ? NULL :
			     counted_route_word((enum uncoremsr_route)counted_number(
				     r->n->session, r->event, UNCOREMSR_COUNTED_ROUTE))))
/* One counter on each unit and CPU, whoever counts. */
COLUMN(get_counters, value_number(v, !is_event(r) ? -1 : 1))
COLUMN(get_descriptors, value_number(v, !is_event(r) ? -1 : r->descriptors))
COLUMN(get_status, value_text(v, r->missing ? r->missing->reason : "ok"))
COLUMN(get_why, value_text(v, r->missing ? r->missing->why : NULL))

static const struct record_column columns[] = {
	{ .name = "group", .type = RECORD_INT, .get = get_group, .width = 5 },
	{ .name = "line", .type = RECORD_INT, .get = get_line, .width = 4 },
	{ .name = "event", .type = RECORD_STR, .get = get_name, .width = -28 },
	{ .name = "cores", .type = RECORD_STR, .get = get_cores, .width = -12 },
	{ .name = "cores_from", .type = RECORD_STR, .get = get_cores_from, .width = -15 },
	{ .name = "pmu", .type = RECORD_STR, .get = get_pmu, .width = -12 },
	{ .name = "route", .type = RECORD_STR, .get = get_route, .width = -5 },
	{ .name = "counters", .type = RECORD_INT, .get = get_counters, .width = 8 },
	{ .name = "descriptors", .type = RECORD_INT, .get = get_descriptors, .width = 11 },
	{ .name = "status", .type = RECORD_STR, .get = get_status, .width = -11 },
	{ .name = "why", .type = RECORD_STR, .get = get_why },
};
enum { NUM_COLUMNS = sizeof(columns) / sizeof(columns[0]) };

/* ---- all of it ---- */

static void put_count(struct records *w, const struct agent_counts *c, const struct agent_count *n,
		      size_t *descriptors, bool *registers)
{
	struct check_row r = { .c = c, .n = n };

	for (r.event = 0; r.event < uncoremsr_session_num_events(n->session); r.event++) {
		r.descriptors = count_descriptors(&r);
		*descriptors += r.descriptors > 0 ? (size_t)r.descriptors : 0;
		*registers |= r.descriptors < 0;
		record_row(w, columns, NUM_COLUMNS, &r);
	}
	for (size_t i = 0; (r.metric = uncoremsr_session_metric(n->session, i)); i++)
		record_row(w, columns, NUM_COLUMNS, &r);
	for (size_t i = 0; i < n->num_missing; i++) {
		r.missing = &n->missing[i];
		record_row(w, columns, NUM_COLUMNS, &r);
	}
}

/* Sets of cores that the block of collectd's plugin asks for, at most of one of its groups. */
static size_t most_sets(const struct agent_counts *c)
{
	size_t most = 0;

	for (size_t i = 0; i < c->num; i++) {
		size_t sets = 0;

		while (c->list[i].group->intel_pmu && uncoremsr_session_cores(c->list[i].session, sets))
			sets++;
		most = sets > most ? sets : most;
	}
	return most;
}

static void put_needs(const struct agent_counts *c, struct out *out, size_t descriptors)
{
	struct rlimit limit = { .rlim_max = 0 };

	getrlimit(RLIMIT_NOFILE, &limit);
	out_fmt(out, "\ninterval     %.3f s\n", (double)c->cfg->interval_ns / 1e9);
	out_fmt(out, "throttling   %s\n", c->cfg->throttle ? "told" : "not looked at");
	out_fmt(out, "descriptors  %zu for the kernel's counters; the limit is %ju%s\n", descriptors,
		(uintmax_t)limit.rlim_max,
		descriptors + 64 > limit.rlim_max ? ": too few, put LimitNOFILE= into the unit" : "");
	if (most_sets(c))
		out_fmt(out, "threads      one pass reads all; collectd's own plugin would need ReadThreads %zu\n",
			most_sets(c) / 2 + 1);
	for (size_t i = 0; i < c->cfg->num_listens; i++)
		out_fmt(out, "listens on   %s%s\n", *c->cfg->listens[i] == ':' ? "localhost" : "",
			c->cfg->listens[i]);
	if (c->cfg->collectd)
		out_fmt(out, "collectd     %s\n",
			strcmp(c->cfg->collectd, "exec") ? c->cfg->collectd : "standard output");
	if (c->cfg->agentx)
		out_fmt(out, "AgentX       %s, at %s%s\n", c->cfg->agentx,
			c->cfg->snmp_base ? c->cfg->snmp_base : SNMP_BASE,
			c->cfg->intel_pmu_mib ? " and INTEL-PMU-MIB" : "");
	if (c->cfg->collectd || c->cfg->agentx)
		out_fmt(out, "state        %s\n", c->cfg->state);
}

int agent_check(const struct agent_counts *c, struct out *out)
{
	size_t descriptors = 0, missing = 0;
	bool registers = false;
	uint64_t simulated = 0;
	struct records w;

	records_init(&w, &c->cfg->common, out, NULL);
	uncoremsr_machine_number(c->um, UNCOREMSR_MACHINE_SIMULATED, &simulated);
	if (simulated && records_for_people(&w))
		out_fmt(out, "SIMULATED machine %s\n", uncoremsr_machine(c->um));
	record_head(&w, columns, NUM_COLUMNS);
	for (size_t i = 0; i < c->num; i++) {
		put_count(&w, c, &c->list[i], &descriptors, &registers);
		missing += c->list[i].num_missing;
	}
	if (records_for_people(&w))
		put_needs(c, out, descriptors + (registers ? uncoremsr_num_packages(c->um) : 0));
	records_free(&w);
	return missing ? TOOL_PARTIAL : TOOL_DONE;
}
