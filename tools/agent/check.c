/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "agent/check.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agent/needs.h"
#include "agent/snmp.h"
#include "common/counted.h"
#include "common/records.h"
#include "uncoremsr/machine.h"

/* A row: an event, a metric, or something that cannot be counted. */
struct check_row {
	const struct agent_counts *c;
	const struct agent_count *n;
	size_t event;
	const struct uncoremsr_event *metric;
	const struct agent_missing *missing;
	int64_t descriptors; /* -1: counted through registers, with no descriptor of its own */
};

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

/* The sets of CPUs on which the event is counted, or "package". */
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

/* Where the cores were configured: "line 7", or "line 2, for all of the block". */
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

static const char *name_of(const struct check_row *r)
{
	if (r->missing)
		return r->missing->text;
	if (r->metric)
		return r->metric->name;
	return uncoremsr_session_event(r->n->session, r->event)->name;
}

COLUMN(get_name, value_text(v, name_of(r)))

static bool is_event(const struct check_row *r)
{
	return !r->missing && !r->metric;
}

COLUMN(get_pmu, value_text(v, !is_event(r) ? NULL :
			   uncoremsr_session_event(r->n->session, r->event)->pmu))
COLUMN(get_route, value_text(v, !is_event(r) ? NULL :
			     counted_route_word(uncoremsr_session_event(r->n->session, r->event)->route)))
/* An event needs one counter on each unit or CPU, on every route. */
COLUMN(get_counters, value_number(v, !is_event(r) ? -1 : 1))
COLUMN(get_descriptors, value_number(v, !is_event(r) ? -1 : r->descriptors))
COLUMN(get_status, value_text(v, r->missing ? r->missing->reason : "ok"))
COLUMN(get_why, value_text(v, r->missing ? r->missing->why : NULL))

/* Call @fn for each row: first events, then metrics, then what cannot be counted. */
static void each_row(const struct agent_counts *c, void (*fn)(void *user, const struct check_row *r), void *user)
{
	for (size_t k = 0; k < c->num; k++) {
		const struct agent_count *n = &c->list[k];
		struct check_row r = { .c = c, .n = n };

		for (r.event = 0; uncoremsr_session_event(n->session, r.event); r.event++) {
			r.descriptors = agent_needs_of(c, n, r.event);
			fn(user, &r);
		}
		for (size_t i = 0; (r.metric = uncoremsr_session_metric(n->session, i)); i++)
			fn(user, &r);
		for (size_t i = 0; i < n->num_missing; i++) {
			r.missing = &n->missing[i];
			fn(user, &r);
		}
	}
}

static void keep_longest(void *user, const struct check_row *r)
{
	int *longest = user, len = (int)strlen(name_of(r));

	*longest = len > *longest ? len : *longest;
}

static int name_width(const void *longest)
{
	return -*(const int *)longest;
}

static const struct record_column columns[] = {
	{ .name = "group", .type = RECORD_INT, .get = get_group, .width = 5 },
	{ .name = "line", .type = RECORD_INT, .get = get_line, .width = 4 },
	{ .name = "event", .type = RECORD_STR, .get = get_name, .measure = name_width },
	{ .name = "cores", .type = RECORD_STR, .get = get_cores, .width = -12 },
	{ .name = "cores_from", .type = RECORD_STR, .get = get_cores_from, .width = -15 },
	{ .name = "pmu", .type = RECORD_STR, .get = get_pmu, .width = -12 },
	{ .name = "route", .type = RECORD_STR, .get = get_route, .width = -5 },
	{ .name = "counters", .type = RECORD_INT, .get = get_counters, .width = 8 },
	{ .name = "descriptors", .type = RECORD_INT, .get = get_descriptors, .width = 11 },
	{ .name = "status", .type = RECORD_STR, .get = get_status, .width = -11 },
	{ .name = "why", .type = RECORD_STR, .get = get_why },
};
enum { NUM_COLUMNS = ARRAY_SIZE(columns) };

/* ---- all of it ---- */

static void put_row(void *user, const struct check_row *r)
{
	record_row(user, columns, NUM_COLUMNS, r);
}

/* The largest number of core sets in a group of <Plugin intel_pmu>. */
static size_t most_sets(const struct agent_counts *c)
{
	size_t most = 0;

	for (size_t i = 0; i < c->num; i++) {
		size_t sets = 0;

		while (c->list[i].group->intel_pmu && uncoremsr_session_state(c->list[i].session)->cores[sets])
			sets++;
		most = sets > most ? sets : most;
	}
	return most;
}

static void put_needs(const struct agent_counts *c, struct out *out)
{
	const struct agent_needs needs = agent_needs(c);

	out_fmt(out, "\ninterval     %.3f s\n", (double)c->cfg->interval_ns / 1e9);
	out_fmt(out, "throttling   %s\n", c->cfg->throttle ? "reported" : "not watched");
	out_fmt(out, "descriptors  %" PRIu64 " for counters, %" PRIu64 " in total; the limit is %" PRIu64,
		needs.counters, needs.all, needs.limit);
	if (needs.all > needs.limit)
		out_fmt(out, ": too low; set LimitNOFILE=%" PRIu64 " in the service unit", needs.all);
	out_str(out, "\n");
	if (most_sets(c))
		out_fmt(out, "threads      one reads everything; collectd's own plugin would need ReadThreads %zu\n",
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
	size_t missing = 0;
	struct records w;
	int longest = (int)strlen("event");

	each_row(c, keep_longest, &longest);
	records_init(&w, &c->cfg->common, out, &longest);
	if (uncoremsr_machine(c->um)->simulated && records_for_people(&w))
		out_fmt(out, "SIMULATED machine %s\n", uncoremsr_machine(c->um)->name);
	record_head(&w, columns, NUM_COLUMNS);
	each_row(c, put_row, &w);
	for (size_t i = 0; i < c->num; i++)
		missing += c->list[i].num_missing;
	if (records_for_people(&w))
		put_needs(c, out);
	records_free(&w);
	return missing ? TOOL_PARTIAL : TOOL_DONE;
}
