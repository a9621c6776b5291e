/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "agent/counts.h"

#include <inttypes.h>
#include <string.h>

#include "common/counted.h"
#include "common/properties.h"
#include "common/records.h"

/* A row of the table: an event or metric, even if it cannot be counted. -1 or NULL: the column does not apply. */
struct check_row {
	const struct agent_group *of;
	int group, line, counters;
	int64_t descriptors; /* -1 if the kernel does not count the event, or if the number is unknown */
	const char *name, *pmu, *route, *status, *why;
};

static enum record_state get_cores(const void *row, struct record_value *v)
{
	const struct agent_group *g = ((const struct check_row *)row)->of;

	if (!agent_num_cores(g))
		return value_text(v, g->each_cpu ? "each CPU" : "packages");
	for (size_t i = 0; i < g->cores->num; i++) {
		out_str(v->scratch, i ? " " : "");
		out_str(v->scratch, g->cores->values[i].text);
	}
	return record_composed(v);
}

static enum record_state get_cores_from(const void *row, struct record_value *v)
{
	const struct agent_group *g = ((const struct check_row *)row)->of;

	if (!g->cores)
		return RECORD_NONE;
	out_fmt(v->scratch, "line %u%s", g->cores->line, g->global_cores ? " (global)" : "");
	return record_composed(v);
}

static void each_row(const struct agent_counts *c, void (*fn)(void *user, const struct check_row *r), void *user)
{
	for (const struct agent_count *n = c->list; n < c->list + c->num; n++) {
		struct check_row r = {
			.of = n->group, .group = (int)(n - c->list + 1), .counters = -1, .descriptors = -1,
			.status = "ok",
		};
		const struct uncoremsr_event *metric;
		const struct uncoremsr_counted *ev;

		for (size_t i = 0; (ev = uncoremsr_session_event(n->session, i)); i++) {
			struct check_row event = r;

			event.line = (int)n->lines[false].of[i] ?: -1;
			event.counters = 1; /* an event takes one counter per unit or CPU, on every route */
			event.descriptors = agent_needs_of(c, n, i);
			event.name = ev->name;
			event.pmu = ev->pmu;
			event.route = counted_route_word(ev->route);
			fn(user, &event);
		}
		for (size_t i = 0; (metric = uncoremsr_session_metric(n->session, i)); i++) {
			r.line = (int)n->lines[true].of[i] ?: -1;
			r.name = metric->name;
			fn(user, &r);
		}
		for (const struct agent_missing *m = c->missing; m < c->missing + c->num_missing; m++) {
			if (m->group != n->group)
				continue;
			r.name = m->text;
			r.line = (int)m->line ?: -1;
			r.status = m->reason;
			r.why = m->why;
			fn(user, &r);
		}
	}
}

static void keep_longest(void *user, const struct check_row *r)
{
	int *longest = user, len = (int)strlen(r->name);

	*longest = len > *longest ? len : *longest;
}

static int name_width(const void *longest)
{
	return -*(const int *)longest;
}

static const struct record_column columns[] = {
	{ .name = "group", .type = RECORD_INT, RECORD_AT(check_row, group), .width = 5 },
	{ .name = "line", .type = RECORD_INT, RECORD_AT(check_row, line), .width = 4 },
	{ .name = "event", .type = RECORD_STR, RECORD_AT(check_row, name), .measure = name_width },
	{ .name = "cores", .type = RECORD_STR, .get = get_cores, .width = -12 },
	{ .name = "cores_from", .type = RECORD_STR, .get = get_cores_from, .width = -15 },
	{ .name = "pmu", .type = RECORD_STR, RECORD_AT(check_row, pmu), .width = -12 },
	{ .name = "route", .type = RECORD_STR, RECORD_AT(check_row, route), .width = -5 },
	{ .name = "counters", .type = RECORD_INT, RECORD_AT(check_row, counters), .width = 8 },
	{ .name = "descriptors", .type = RECORD_INT, RECORD_AT(check_row, descriptors), .width = 11 },
	{ .name = "status", .type = RECORD_STR, RECORD_AT(check_row, status), .width = -11 },
	{ .name = "why", .type = RECORD_STR, RECORD_AT(check_row, why) },
};

static void put_row(void *user, const struct check_row *r)
{
	record_row(user, RECORD_COLUMNS(columns), r);
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

static void put_descriptors(const struct agent_counts *c, const struct agent_needs *needs, struct out *out)
{
	const uint64_t moved = agent_needs_moved(c);
	/* Counters simulated in this process never need descriptors, so do not add @moved for them. */
	const uint64_t most = needs->here < needs->all ? needs->here : needs->here + moved;
	int starved = uncoremsr_error(c->um)->starved;

	/* If memory ran out, events or lists of CPUs are missing, and the number is too low. */
	if (starved) {
		out_fmt(out, "descriptors  unknown: %s\n", strerror(starved));
		return;
	}
	out_fmt(out, "descriptors  %" PRIu64 " for counters, %" PRIu64 " in total; the limit is %" PRIu64,
		needs->counters, needs->all, needs->limit);
	if (moved)
		out_fmt(out, "; %" PRIu64 " more if registers cannot be used at the start, so that the kernel counts",
			moved);
	if (most > needs->limit)
		out_fmt(out, ": too low%s; set LimitNOFILE=%" PRIu64 " in the service unit",
			needs->here > needs->limit ? "" : " for those", most);
	else if (needs->all + moved > needs->limit)
		out_fmt(out, "; a simulated machine needs only %" PRIu64, needs->here);
	out_str(out, "\n");
}

static void put_needs(const struct agent_counts *c, const struct agent_needs *needs, struct out *out)
{
	const char *collectd = c->cfg.collectd.where, *agentx = c->cfg.snmp.address;

	out_fmt(out, "\ninterval     %.3f s\n", (double)c->cfg.interval_ns / 1e9);
	out_fmt(out, "throttling   %s\n", c->cfg.throttle ? "reported" : "not watched");
	put_descriptors(c, needs, out);
	if (most_sets(c))
		out_fmt(out, "threads      one, which reads everything; collectd's own plugin would need ReadThreads %zu\n",
			most_sets(c) / 2 + 1);
	for (size_t i = 0; i < c->cfg.num_listens; i++)
		out_fmt(out, "listens on   %s%s\n", *c->cfg.listens[i].text == ':' ? "localhost" : "",
			c->cfg.listens[i].text);
	if (*collectd)
		out_fmt(out, "collectd     %s\n", strcmp(collectd, "exec") ? collectd : "standard output");
	if (*agentx)
		out_fmt(out, "AgentX       %s, at %s%s\n", agentx, c->cfg.snmp_base,
			c->cfg.snmp.intel_pmu_mib ? " and INTEL-PMU-MIB" : "");
	if (!c->cfg.num_listens && !*collectd && !*agentx)
		out_str(out, "outputs      none: give --prometheus, --collectd or --agentx, or name one in the file\n");
	if (*collectd || *agentx)
		out_fmt(out, "state        %s\n", c->cfg.state);
}

int agent_check(const struct agent_counts *c)
{
	const struct agent_needs needs = agent_needs(c);
	const int status = c->num_missing || needs.here > needs.limit ? TOOL_PARTIAL : TOOL_DONE;
	int longest = (int)strlen("event");
	struct records w;
	struct out out;

	tool_output(&c->cfg.common, &out, &w, &longest);
	each_row(c, keep_longest, &longest);
	if (records_for_people(&w))
		put_simulated(&out, machine_simulated_name(c->um));
	record_head(&w, RECORD_COLUMNS(columns));
	each_row(c, put_row, &w);
	if (records_for_people(&w))
		put_needs(c, &needs, &out);
	records_free(&w);
	return out_finish(&out, status);
}
