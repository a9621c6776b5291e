/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "agent/counts.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "common/counted.h"
#include "common/installed_lists.h"
#include "common/output.h"
#include "common/wait.h"
#include "uncoremsr/machine.h"
#include "uncoremsr/names.h"

static const char *reason_of(const struct uncoremsr *um)
{
	switch (uncoremsr_error(um)->error_class) {
	case UNCOREMSR_ERROR_USAGE:
		return "no-event";
	case UNCOREMSR_ERROR_ACCESS:
		return "no-access";
	case UNCOREMSR_ERROR_UNSUPPORTED:
		return "unsupported";
	default:
		return "failed";
	}
}

/* ---- events and metrics of a group ---- */

static bool is_told(const struct agent_counts *c, const char *text, const char *reason)
{
	for (size_t i = 0; i < c->num_missing; i++)
		if (strcmp(c->missing[i].text, text) == 0 && strcmp(c->missing[i].reason, reason) == 0)
			return true;
	return false;
}

static int add_missing(struct agent_counts *c, struct agent_count *n, const char *text, unsigned line, const char *why)
{
	const struct agent_missing m = {
		n->group, arena_text(&c->texts, text), line, reason_of(c->um), arena_text(&c->texts, why),
		is_told(c, text, reason_of(c->um)),
	};

	if (m.text && m.why && !ARRAY_APPEND(c->missing, c->num_missing, m))
		return 0;
	return tool_no_memory();
}

/* @line 0: the event is from the command line. */
static int fail_at(const struct agent_counts *c, unsigned line)
{
	const struct uncoremsr_error *e = uncoremsr_error(c->um);
	int class = (int)e->error_class;

	if (!line)
		return tool_fail(c->um);
	return tool_say(class ? class : TOOL_PARTIAL, "%s:%u: %s%s%s", OUT_QUOTED(c->cfg.path), line, e->message,
			*e->hint ? "; " : "", e->hint);
}

static int add_group(struct agent_counts *c, struct uncoremsr_session *s, const char *events)
{
	char *text;
	int err;

	if (asprintf(&text, strchr(events, ',') && *events != '{' ? "{%s}" : "%s", events) < 0)
		return -ENOMEM;
	err = installed_lists_add(c->um, s, uncoremsr_session_add, text, &c->tried_installed);
	free(text);
	return err;
}

/* Append the event to @group or, if it cannot be counted even alone, add it to the missing events. */
static int sort_out(struct agent_counts *c, struct agent_count *n, const char *event, unsigned line, struct out *group)
{
	struct uncoremsr_session *alone = NULL;
	int status = 0;

	if (!uncoremsr_session_new(c->um, &alone) && add_group(c, alone, event) >= 0)
		out_fmt(group, "%s%s", group->len ? "," : "", event);
	else
		status = add_missing(c, n, event, line, uncoremsr_error(c->um)->message);
	uncoremsr_session_free(alone);
	return status;
}

/* Commas between events make them a group. Events that cannot be counted are left out, as in collectd's plugin. */
static int add_listed(struct agent_counts *c, struct agent_count *n, const struct agent_event *e)
{
	const size_t before = c->num_missing;
	struct out group;
	int status = 0;

	if (add_group(c, n->session, e->text) >= 0)
		return 0;
	out_init(&group, -1);
	for (const char *text = e->text;; text++) {
		size_t len = counted_text_len(text);
		char *event = strndup(text, len);

		if (!event)
			status = tool_no_memory();
		else if (*event)
			status = sort_out(c, n, event, e->line, &group);
		free(event);
		text += len;
		if (status || !*text)
			break;
	}
	if (group.error)
		status = tool_no_memory();
	else if (!status && (group.len ? add_group(c, n->session, out_text(&group)) < 0 : c->num_missing == before))
		status = add_missing(c, n, group.len ? group.buf : e->text, e->line, uncoremsr_error(c->um)->message);
	out_free(&group);
	return status;
}

static void ignore(void *user, const struct uncoremsr_event *event, const char *why)
{
	(void)user, (void)event, (void)why;
}

/* Add metrics one by one: in a list, a metric that cannot be counted causes no error, but never has a value. */
static int add_metrics(struct agent_counts *c, struct agent_count *n, const char *text)
{
	char one[160]; /* longer than the name of any metric */

	for (;; text++) {
		size_t len = counted_text_len(text);
		int err;

		snprintf(one, sizeof(one), "%.*s", (int)len, text);
		err = installed_lists_add(c->um, n->session, uncoremsr_session_add_metric, one, &c->tried_installed);
		text += len;
		if (err < 0 || !*text)
			return err;
	}
}

static int add_event(struct agent_counts *c, struct agent_count *n, const struct agent_event *e)
{
	int err;

	switch (e->kind) {
	case AGENT_LISTED:
		return add_listed(c, n, e);
	case AGENT_ALL_LISTED:
		err = uncoremsr_session_add_listed(n->session, ignore, NULL);
		break;
	case AGENT_METRIC:
		err = add_metrics(c, n, e->text);
		break;
	default:
		err = installed_lists_add(c->um, n->session, uncoremsr_session_add, e->text, &c->tried_installed);
		break;
	}
	return err < 0 ? fail_at(c, e->line) : 0;
}

static int keep_line(struct agent_count *n, unsigned line)
{
	for (int metrics = 0; metrics < 2; metrics++)
		while (counted_name(n->session, metrics, n->lines[metrics].num))
			if (ARRAY_APPEND(n->lines[metrics].of, n->lines[metrics].num, line))
				return tool_no_memory();
	return 0;
}

/* Count on each CPU separately, including offline CPUs, which may come online later. */
static int add_each_cpu(struct agent_counts *c, struct agent_count *n)
{
	const char *online = uncoremsr_machine(c->um)->online_cpus;
	const char *offline = uncoremsr_surroundings(c->um, UNCOREMSR_LOOK_AT_CPUS)->offline_cpus;
	const bool both = online && *online && offline && *offline;
	char *text;
	int err;

	if (asprintf(&text, "[%s%s%s]", online ? online : "", both ? "," : "", both ? offline : "") < 0)
		return tool_no_memory();
	err = uncoremsr_session_only(n->session, UNCOREMSR_ONLY_CORES, text);
	free(text);
	return err < 0 ? tool_fail(c->um) : 0;
}

static int add_cores(struct agent_counts *c, struct agent_count *n)
{
	const struct agent_group *g = n->group;

	if (!agent_num_cores(g))
		return g->each_cpu ? add_each_cpu(c, n) : 0;
	for (size_t i = 0; i < g->cores->num; i++)
		if (uncoremsr_session_only(n->session, UNCOREMSR_ONLY_CORES, g->cores->values[i].text) < 0)
			return tool_say(TOOL_USAGE, "%s:%u: Cores: %s", OUT_QUOTED(c->cfg.path),
					g->cores->line, uncoremsr_error(c->um)->message);
	return 0;
}

static int make(struct agent_counts *c, const struct agent_group *g)
{
	struct agent_count *n = &c->list[c->num];
	int status = 0;

	if (!g->num_events)
		return 0;
	*n = (struct agent_count){ .group = g };
	if (uncoremsr_session_new(c->um, &n->session) < 0)
		return tool_no_memory();
	c->num++;
	uncoremsr_session_set(n->session, UNCOREMSR_SESSION_ROUTE, UNCOREMSR_ROUTE_AUTO);
	status = add_cores(c, n);
	/* Add metrics last, so that they share the events that the session has already. */
	for (int metrics = 0; metrics < 2; metrics++) {
		n->num_asked = counted_num_events(n->session);
		for (size_t i = 0; i < g->num_events && !status; i++)
			if ((g->events[i].kind == AGENT_METRIC) == metrics) {
				status = add_event(c, n, &g->events[i]);
				status = status ? status : keep_line(n, g->events[i].line);
			}
	}
	n->warned = calloc(counted_num_events(n->session) + 1, sizeof(*n->warned));
	return n->warned || status ? status : tool_no_memory();
}

int agent_counts_make(struct agent_counts *c, struct uncoremsr *um, struct agent_totals *totals)
{
	const struct agent_config *cfg = &c->cfg;
	int status = 0;

	c->um = um;
	c->totals = totals;
	c->tried_installed = cfg->num_lists > 0;
	c->list = calloc(cfg->num_groups + 1, sizeof(*c->list));
	c->running = calloc(cfg->num_groups + 1, sizeof(*c->running));
	if (!c->list || !c->running)
		return tool_no_memory();
	for (size_t i = 0; i < cfg->num_lists; i++)
		if (uncoremsr_event_list_add(um, cfg->lists[i].path) < 0)
			return fail_at(c, cfg->lists[i].line);
	status = make(c, &cfg->own);
	for (size_t i = 0; i < cfg->num_groups && !status; i++)
		status = make(c, &cfg->groups[i]);
	return status;
}

void agent_counts_free(struct agent_counts *c)
{
	for (size_t i = 0; i < c->num; i++) {
		uncoremsr_session_free(c->list[i].session);
		free(c->list[i].warned);
		free(c->list[i].lines[0].of);
		free(c->list[i].lines[1].of);
		free(c->list[i].rows);
	}
	free(c->list);
	free(c->running);
	free(c->missing);
	arena_free(&c->texts);
	agent_config_free(&c->cfg);
	free(c);
}

/* ---- rows ---- */

static struct series_labels labels_of(const struct agent_counts *c, const struct agent_count *n,
				      const struct agent_row *row, size_t package)
{
	struct uncoremsr_session *s = n->session;
	const size_t event = row->metric ? counted_metric_event(s, row->event) : row->event;
	const struct uncoremsr_counted *ev = uncoremsr_session_event(s, event);
	const struct uncoremsr_session_package *p = uncoremsr_session_package(s, package);
	const bool on_cores = row->place == UNCOREMSR_PLACE_CORES;
	const char *cores = on_cores ? uncoremsr_session_state(s)->cores[row->index] : p->cores;
	struct series_labels l = {
		SERIES_LABELS, .machine = uncoremsr_machine(c->um)->name,
		.pmu = ev ? ev->pmu : NULL, .route = ev ? counted_route_word(ev->route) : NULL,
		.unit_name = row->unit ? row->unit->name : NULL, .group = n->group->intel_pmu ? cores : NULL,
	};

	if (row->metric) {
		const struct uncoremsr_event *m = uncoremsr_session_metric(s, row->event);

		l.metric = m->name;
		l.measure = m->measure;
	} else {
		l.event = ev->name;
	}
	if (on_cores) {
		l.cpus = cores;
	} else {
		l.package = p->package->id;
		l.die = p->package->die;
	}
	if (row->unit && strcmp(l.unit_name, l.pmu) != 0)
		l.unit = row->unit->number;
	return l;
}

static bool add_row(const struct agent_counts *c, struct agent_count *n, struct agent_row row, size_t package)
{
	row.labels = labels_of(c, n, &row, package);
	return !ARRAY_APPEND(n->rows, n->num_rows, row);
}

static bool is_on_cores(const struct agent_count *n, size_t event)
{
	return uncoremsr_session_state(n->session)->cores[0] &&
	       !uncoremsr_session_event(n->session, event)->uncore &&
	       !uncoremsr_session_event(n->session, event)->level;
}

static bool add_on_cores(const struct agent_counts *c, struct agent_count *n, size_t event)
{
	struct agent_row row = { .place = UNCOREMSR_PLACE_CORES, .event = event };

	for (; uncoremsr_session_state(n->session)->cores[row.index]; row.index++)
		if (!add_row(c, n, row, 0))
			return false;
	return true;
}

/* Add a row for the sum of the package's units; for levels (which have no sum) or if @each_unit, one per unit. */
static bool add_on_package(const struct agent_counts *c, struct agent_count *n, size_t package, size_t event)
{
	const struct uncoremsr_package *p = uncoremsr_session_package(n->session, package)->package;
	const bool each = uncoremsr_session_event(n->session, event)->level || n->group->each_unit;
	struct agent_row row = { .place = UNCOREMSR_PLACE_PACKAGE, .index = package, .event = event };
	const struct uncoremsr_unit *u;

	for (size_t i = 0; (u = uncoremsr_session_unit(n->session, event, i)); i++) {
		if (u->package != p)
			continue;
		if (!each)
			return add_row(c, n, row, package);
		row.place = UNCOREMSR_PLACE_UNIT;
		row.index = i;
		row.unit = u;
		if (!add_row(c, n, row, package))
			return false;
	}
	return true;
}

static size_t count_units(const struct agent_count *n)
{
	size_t num = 0;

	for (size_t e = 0; uncoremsr_session_event(n->session, e); e++)
		for (size_t i = 0; uncoremsr_session_unit(n->session, e, i); i++)
			num++;
	return num;
}

/* Set labels.type of the rows of unit @pmu to the type number that the PMU has in the kernel. */
static int give_type(void *user, const char *pmu, unsigned type, const char *cpus)
{
	const struct agent_count *n = user;

	(void)cpus;
	for (struct agent_row *row = n->rows; row < n->rows + n->num_rows; row++)
		if (row->unit && !strcmp(row->unit->name, pmu) &&
		    uncoremsr_session_event(n->session, row->event)->route == UNCOREMSR_ROUTE_PERF)
			row->labels.type = (int)type;
	return 0;
}

static bool is_left_out(const struct agent_count *n, size_t package)
{
	return *uncoremsr_session_state(n->session)->cores && !uncoremsr_session_package(n->session, package)->cores;
}

/* Make the rows for the present units. False: out of memory; there are no rows until the next interval. */
static bool make_rows(const struct agent_counts *c, struct agent_count *n)
{
	size_t packages = uncoremsr_session_state(n->session)->packages;
	bool ok = true;

	free(n->rows);
	n->rows = NULL;
	n->num_rows = 0;
	for (size_t e = 0; e < n->num_asked && ok; e++) {
		if (is_on_cores(n, e))
			ok = add_on_cores(c, n, e);
		for (size_t p = 0; p < packages && ok && !is_on_cores(n, e); p++)
			ok = add_on_package(c, n, p, e);
	}
	for (size_t m = 0; ok && uncoremsr_session_metric(n->session, m); m++)
		for (size_t p = 0; p < packages && ok; p++)
			ok = is_left_out(n, p) || add_row(c, n, (struct agent_row){
				.place = UNCOREMSR_PLACE_PACKAGE, .index = p, .metric = true, .event = m,
			}, p);
	ok = ok && uncoremsr_kernel_pmus(c->um, give_type, n) != -ENOMEM;
	n->num_rows = ok ? n->num_rows : 0;
	n->num_units = ok ? count_units(n) : SIZE_MAX;
	return ok;
}

/* ---- totals of rows ---- */

static struct agent_total *total_of(struct agent_totals *t, const char *name)
{
	const struct agent_total like = { .name = set_get(&t->names, name, strlen(name) + 1, SET_TEXTS) };

	return like.name ? set_get(&t->set, &like, sizeof(like), SET_KEY(struct agent_total, name)) : NULL;
}

static void put_name(struct out *o, const struct series_labels *l)
{
	for (const struct series_label *label = series_label_table; label->name; label++) {
		if (label->number)
			out_fmt(o, "%d", series_label_number(l, label));
		else
			out_str(o, series_label_text(l, label) ?: "");
		out_char(o, '\n');
	}
}

static bool give_total(const struct agent_counts *c, struct agent_row *row)
{
	const struct series_labels *l = &row->labels;
	struct agent_total *series, *total;
	struct out name;

	out_init(&name, -1);
	put_name(&name, l);
	series = total_of(c->totals, out_text(&name));
	out_fmt(&name, "\n%s", l->group ? l->group : "");
	total = total_of(c->totals, out_text(&name));
	row->told = name.error || !series || !total;
	out_free(&name);
	if (row->told)
		return false;
	row->total = total;
	row->told = total->pass == c->totals->pass;
	row->labels.again = series->pass == c->totals->pass;
	total->pass = series->pass = c->totals->pass;
	if (row->labels.again || series->shown == total)
		return true;
	/* The series now shows the total of another core group; it must not fall, so continue from the old total. */
	if (series->shown)
		total->since = series->shown->since;
	series->shown = total;
	return true;
}

/* False: out of memory; rows without a total are not written. */
static bool give_totals(struct agent_counts *c)
{
	bool ok = true;

	c->totals->pass++;
	for (struct agent_count *n = c->list; n < c->list + c->num; n++)
		for (size_t i = 0; i < n->num_rows; i++)
			ok &= give_total(c, &n->rows[i]);
	return ok;
}

void agent_totals_free(struct agent_totals *t)
{
	set_free(&t->names);
	set_free(&t->set);
}

/* ---- counting ---- */

static int try(struct agent_counts *c, struct agent_count *n)
{
	int err = uncoremsr_session_start(n->session);

	n->num_rows = 0;
	n->busy = err == -EBUSY;
	n->stopped = n->busy ? "in-use" : err < 0 ? reason_of(c->um) : NULL;
	if (err < 0)
		return err;
	c->running[c->num_running++] = n->session;
	return make_rows(c, n) ? 0 : -ENOMEM;
}

static void say_of(const struct agent_counts *c, const struct agent_count *n, const char *what)
{
	const struct agent_event *first = &n->group->events[0];

	if (first->line)
		tool_say(0, "%s:%u: %s", OUT_QUOTED(c->cfg.path), first->line, what);
	else
		tool_say(0, "%s: %s", first->text, what);
}

static int start(struct agent_counts *c, struct agent_count *n)
{
	int err, status = 0;

	if (!uncoremsr_session_event(n->session, 0))
		return 0;
	err = try(c, n);
	if (n->stopped)
		status = tool_fail(c->um);
	else if (err)
		status = tool_no_memory();
	if (n->busy)
		say_of(c, n, "will be retried until its counters are free");
	return status;
}

int agent_counts_start(struct agent_counts *c)
{
	int status = 0;
	bool busy = false;

	for (size_t i = 0; i < c->num; i++) {
		int failed = start(c, &c->list[i]);

		status = failed && !status ? failed : status;
		busy |= c->list[i].busy;
	}
	if (!give_totals(c))
		status = tool_no_memory();
	c->tried_ns = uncoremsr_now(c->um);
	return c->num_running || busy ? 0 : status;
}

void agent_counts_retry(struct agent_counts *c)
{
	uint64_t now = uncoremsr_now(c->um);
	bool any = false;

	if (now - c->tried_ns < NS_PER_S)
		return;
	c->tried_ns = now;
	for (struct agent_count *n = c->list; n < c->list + c->num; n++)
		if (n->busy && !try(c, n)) {
			say_of(c, n, "counted from now on");
			any = true;
		}
	if (any)
		(void)give_totals(c);
}

void agent_counts_read(struct agent_counts *c)
{
	for (size_t i = 0; i < c->num_running; i++)
		uncoremsr_session_read(c->running[i]);
}

int agent_counts_stop(struct agent_counts *c)
{
	int status = 0;

	for (size_t i = 0; i < c->num_running; i++)
		if (uncoremsr_session_stop(c->running[i]) < 0) {
			tool_fail(c->um);
			status = TOOL_PARTIAL;
		}
	c->num_running = 0;
	return status;
}

/* ---- writing rows ---- */

static const struct uncoremsr_reading *reading_of(const struct agent_count *n, const struct agent_row *row)
{
	return uncoremsr_session_reading(n->session, row->event, row->place, row->index, UNCOREMSR_INTERVAL);
}

static void say_row(const struct agent_count *n, const struct agent_row *row, struct series *s, bool baseline)
{
	struct series_labels l = row->labels;
	const struct uncoremsr_counted *ev = row->metric ? NULL : uncoremsr_session_event(n->session, row->event);

	if (baseline) {
		if (ev && !ev->level && !(row->unit && row->unit->error))
			series_put_total(s, &l, &row->total->since);
	} else if (ev) {
		series_put_reading(s, &l, ev, &row->total->since, reading_of(n, row));
	} else {
		series_put_metric_reading(s, &l, uncoremsr_session_metric_reading(
			n->session, row->event, row->place, row->index, UNCOREMSR_INTERVAL));
	}
}

static void say_missing(const struct agent_counts *c, const struct agent_count *n, struct series *s)
{
	struct series_labels l = { SERIES_LABELS, .machine = uncoremsr_machine(c->um)->name };

	for (const struct agent_missing *m = c->missing; m < c->missing + c->num_missing; m++) {
		l.event = m->text;
		if (m->group == n->group && !m->told)
			series_put_unknown(s, &l, m->reason);
	}
	for (size_t e = 0; n->stopped && e < n->num_asked; e++) {
		l.event = uncoremsr_session_event(n->session, e)->name;
		series_put_unknown(s, &l, n->stopped);
	}
	l.event = NULL;
	for (size_t m = 0; n->stopped && uncoremsr_session_metric(n->session, m); m++) {
		l.metric = uncoremsr_session_metric(n->session, m)->name;
		series_put_unknown(s, &l, n->stopped);
	}
}

void agent_counts_say(struct agent_counts *c, struct series *s, bool baseline)
{
	for (size_t i = 0; i < c->num; i++) {
		struct agent_count *n = &c->list[i];

		/* If the number of units has changed (a CPU came online), make the rows anew. */
		if (!n->stopped && !baseline && count_units(n) != n->num_units && make_rows(c, n))
			(void)give_totals(c);
		for (size_t r = 0; r < n->num_rows; r++)
			if (!n->rows[r].told)
				say_row(n, &n->rows[r], s, baseline);
		say_missing(c, n, s);
	}
}

/* Percentage of the interval in which the event was counted; 100 if unknown, or if there is no value. */
static double share_of(const struct agent_count *n, const struct agent_row *row)
{
	const struct uncoremsr_reading *r = reading_of(n, row);

	return r->enabled_ns && r->running_ns ? (double)r->running_ns * 100 / (double)r->enabled_ns : 100;
}

void agent_counts_tell_shares(struct agent_counts *c)
{
	const char *least_name = NULL;
	double least = c->cfg.min_running;
	char more[64] = "";
	size_t num = 0;

	for (struct agent_count *n = c->list; n < c->list + c->num; n++)
		for (size_t i = 0; i < n->num_rows; i++) {
			const struct agent_row *row = &n->rows[i];
			double share = row->metric || n->warned[row->event] ? 100 : share_of(n, row);

			if (share >= c->cfg.min_running)
				continue;
			num++;
			n->warned[row->event] = true;
			if (least_name && share >= least)
				continue;
			least = share;
			least_name = uncoremsr_session_event(n->session, row->event)->name;
		}
	if (num > 1)
		snprintf(more, sizeof(more), ", and %zu other%s for less than %u %%", num - 1,
			 num == 2 ? "" : "s", c->cfg.min_running);
	if (num)
		tool_say(0, "%s: counted for only %.0f %% of the time%s: %s; count fewer events at "
			 "once", least_name, least, more, num > 1 ? "their values are estimates"
								  : "its value is an estimate");
}
