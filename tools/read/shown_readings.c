/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The readings to show, and their names. For every package these are the sum of its units, or each unit (--per-unit).
 * Cores, sets of CPUs and tasks are shown if the user asks for them. Metrics come last.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "read/read.h"
#include "uncoremsr/machine.h"

/* Add a row for an event, or a metric, at package number @package; for @index see struct read_row. NULL: no memory. */
static struct read_row *add_row(struct read_run *run, enum uncoremsr_place place, size_t index, size_t package,
				bool metric, size_t event)
{
	const struct uncoremsr_session_package *p = uncoremsr_session_package(run->session, package);
	struct read_row *row;

	if (ARRAY_APPEND(run->rows, run->num_rows, (struct read_row){
			.run = run, .place = place, .index = index, .package_index = package, .event = event })) {
		run->no_memory = true;
		return NULL;
	}
	row = &run->rows[run->num_rows - 1];
	if (p && place != UNCOREMSR_PLACE_EVERYWHERE && place != UNCOREMSR_PLACE_CORES)
		row->package = p->package;
	out_init(&row->template.text, -1);
	row->metric = metric ? uncoremsr_session_metric(run->session, event) : NULL;
	row->counted = uncoremsr_session_event(run->session, metric ? counted_metric_event(run->session, event)
							     : event);
	row->name = metric ? row->metric->name : row->counted->name;
	row->measure = metric ? row->metric->measure : row->counted->measure;
	row->perf = !row->counted || row->counted->route != UNCOREMSR_ROUTE_MSR;
	row->task = !metric && row->counted->task;
	return row;
}

/* ---- packages and their units ---- */

/* Does the event have a row for each unit (or each CPU) instead of a row for their sum? */
static bool shows_each(const struct read_run *run, const struct uncoremsr_counted *ev)
{
	/* Temperatures cannot be added up. */
	return ev->level || run->cfg->per_unit || (run->cfg->per_cpu && !ev->uncore);
}

bool read_row_is_each(const struct read_row *row)
{
	return row->unit && shows_each(row->run, row->counted);
}

/* The event has no unit on @p. Is its value missing? Yes if chips count the event and no CPU of @p is online. */
static bool is_missing(const struct uncoremsr_package *p, const struct uncoremsr_counted *ev)
{
	return p->cpu < 0 && ev->uncore && !ev->cores;
}

/* Add a row for each unit of the event in the package, or one row for the sum of the units. */
static void add_package(struct read_run *run, size_t package, size_t event)
{
	const struct uncoremsr_session *s = run->session;
	const struct uncoremsr_session_package *chosen = uncoremsr_session_package(s, package);
	const struct uncoremsr_counted *ev = uncoremsr_session_event(s, event);
	struct read_row *row = NULL;
	const struct uncoremsr_unit *u;

	for (size_t i = 0; (u = uncoremsr_session_unit(s, event, i)); i++) {
		if (u->package != chosen->package)
			continue;
		if (!row || shows_each(run, ev)) {
			row = add_row(run, UNCOREMSR_PLACE_UNIT, i, package, false, event);
			if (!row)
				return;
			row->unit = u;
		} else {
			row->place = UNCOREMSR_PLACE_PACKAGE;
			row->index = package;
			row->many_cpus |= row->unit->cpu != u->cpu;
		}
		/* The failure was reported at the start. With this status it is not reported again. */
		if (u->error)
			row->status = UNCOREMSR_FAILED;
	}
	if (!row) {
		/* No row for a package on which the kernel does not count the event, or that has no CPU of --cores. */
		if ((ev->route != UNCOREMSR_ROUTE_MSR || (run->cfg->cores.num && !chosen->cores)) &&
		    uncoremsr_session_unit(s, event, 0) && !is_missing(chosen->package, ev))
			return;
		row = add_row(run, UNCOREMSR_PLACE_PACKAGE, package, package, false, event);
	}
	if (row && row->place == UNCOREMSR_PLACE_PACKAGE)
		row->unit = NULL;
	if (row && !row->perf && chosen->error)
		row->status = UNCOREMSR_FAILED;
}

/* Add a metric of a package; an index @package past the last package means the whole machine. */
static void add_metric(struct read_run *run, size_t package, size_t metric)
{
	const struct uncoremsr_session_package *p = uncoremsr_session_package(run->session, package);
	struct read_row *row;

	if (p && p->package->cpu < 0 && uncoremsr_session_metric(run->session, metric)->on_cpus > 0)
		return;
	row = add_row(run, p ? UNCOREMSR_PLACE_PACKAGE : UNCOREMSR_PLACE_EVERYWHERE, package, package, true, metric);
	if (row && p && p->error)
		row->status = UNCOREMSR_FAILED;
}

/* ---- rows for tasks, cores or sets of cores ---- */

/* Does the event or metric have rows of cores, CPUs, sets or tasks in place of packages? */
static bool is_elsewhere(const struct read_run *run, bool metric, size_t event)
{
	const struct read_config *cfg = run->cfg;
	bool splits = cfg->cores.num || cfg->per_core;

	if (read_target_is_task(cfg, run->session, metric, event))
		return true;
	if (metric)
		return (splits || cfg->per_cpu || cfg->per_unit) &&
		       uncoremsr_session_metric(run->session, event)->on_cpus > 0;
	return splits && read_target_splits(run->cfg, run->session, event) &&
	       uncoremsr_session_unit(run->session, event, 0) && !uncoremsr_session_event(run->session, event)->level;
}

static size_t package_of(const struct read_run *run, const struct uncoremsr_unit *u)
{
	const struct uncoremsr_session_package *p;
	size_t i = 0;

	while ((p = uncoremsr_session_package(run->session, i)) && p->package != u->package)
		i++;
	return i;
}

/* Is there already a row for the core of @u, among the rows from @first on? */
static bool has_core(const struct read_run *run, size_t first, size_t package,
		     const struct uncoremsr_unit *u)
{
	for (size_t i = first; i < run->num_rows; i++)
		if (run->rows[i].package_index == package && run->rows[i].unit->core == u->core)
			return true;
	return false;
}

/*
 * Add a row for each core on which @event is counted. A metric is counted where its first event is; without --per-core
 * it has a row for each CPU.
 */
static void add_units(struct read_run *run, bool metric, size_t event)
{
	size_t first = run->num_rows, packages = uncoremsr_session_state(run->session)->packages;
	size_t counted = metric ? counted_metric_event(run->session, event) : event;
	bool cores = !metric || run->cfg->per_core;
	const struct uncoremsr_unit *u;

	for (size_t i = 0; (u = uncoremsr_session_unit(run->session, counted, i)); i++) {
		size_t package = package_of(run, u);
		struct read_row *row;

		if (package == packages || (cores && has_core(run, first, package, u)))
			continue;
		row = add_row(run, cores ? UNCOREMSR_PLACE_CORE : UNCOREMSR_PLACE_CPU, i, package, metric, event);
		if (row)
			row->unit = u;
	}
}

static void add_elsewhere(struct read_run *run, bool metric, size_t event)
{
	if (read_target_is_task(run->cfg, run->session, metric, event)) {
		struct read_row *row = add_row(run, UNCOREMSR_PLACE_EVERYWHERE, 0, 0, metric, event);

		if (row)
			row->task = true;
	} else if (!run->cfg->cores.num) {
		add_units(run, metric, event);
	} else {
		for (size_t i = 0; uncoremsr_session_state(run->session)->cores[i]; i++)
			add_row(run, UNCOREMSR_PLACE_CORES, i, 0, metric, event);
	}
}

/* Compare rows of cores, CPUs, sets or tasks by package, index and event. A run has only one of these kinds. */
static int compare(const void *left, const void *right)
{
	const struct read_row *a = left, *b = right;

	if (a->package_index != b->package_index)
		return a->package_index < b->package_index ? -1 : 1;
	if (a->index != b->index)
		return a->index < b->index ? -1 : 1;
	return a->event < b->event ? -1 : a->event > b->event;
}

static void add_rows(struct read_run *run, bool metrics, size_t num)
{
	size_t first = run->num_rows, packages = uncoremsr_session_state(run->session)->packages;

	for (size_t i = 0; i < num; i++)
		if (is_elsewhere(run, metrics, i))
			add_elsewhere(run, metrics, i);
	if (run->num_rows > first)
		qsort(run->rows + first, run->num_rows - first, sizeof(*run->rows), compare);
	/* With several packages, metrics of the whole machine follow those of the packages. */
	for (size_t p = 0; p < packages + (metrics && packages > 1); p++)
		for (size_t i = 0; i < num; i++)
			if (!is_elsewhere(run, metrics, i))
				(metrics ? add_metric : add_package)(run, p, i);
}

/* ---- what is common to the rows of a run ---- */

static size_t longer(size_t width, const char *text)
{
	return strlen(text) > width ? strlen(text) : width;
}

static void look_at(struct read_run *run, const struct read_row *row)
{
	char name[READ_NAME_SIZE];

	run->event_width = longer(run->event_width, read_row_title(row, name, sizeof(name)));
	if (row->place == UNCOREMSR_PLACE_CORE || row->place == UNCOREMSR_PLACE_CORES)
		run->unit_width = longer(run->unit_width, read_row_place_in(row, name, sizeof(name)));
	else if (row->unit)
		run->unit_width = longer(run->unit_width, row->unit->name);
	run->has_raw = run->has_raw || read_row_has_register(row);
	run->has_levels = run->has_levels || row->counted->level;
	run->has_packages = run->has_packages || row->package;
	run->has_cpus = run->has_cpus || !row->perf || read_row_has_register(row);
	run->has_msr = run->has_msr || !row->perf;
	run->has_perf = run->has_perf || row->counted->route == UNCOREMSR_ROUTE_PERF;
	run->has_memory = run->has_memory || row->counted->route == UNCOREMSR_ROUTE_MEMORY;
	run->has_amounts = run->has_amounts || read_row_has_amount(row);
}

static void look_at_metric(struct read_run *run, const struct read_row *row)
{
	char name[READ_NAME_SIZE];

	run->metric_width = longer(run->metric_width, row->name);
	run->has_metric_packages |= row->package || !read_row_is_elsewhere(row);
	if (!read_row_is_elsewhere(row))
		return;
	run->has_metric_places = true;
	run->unit_width = longer(run->unit_width, read_row_place_in(row, name, sizeof(name)));
}

/* Does any package have several dies? */
static bool has_dies(const struct uncoremsr *um)
{
	const struct uncoremsr_package *p, *last = NULL;

	/* Check all packages of the machine, because perhaps only one die of a package is counted. */
	for (size_t i = 0; (p = uncoremsr_package(um, i)); last = p, i++)
		if (last && p->id == last->id)
			return true;
	return false;
}

/* Count the units of each event. Returns 0 or -ENOMEM. */
static int count_units(struct read_run *run)
{
	size_t *num = calloc(run->num_events + 1, sizeof(*num));

	if (!num)
		return -ENOMEM;
	for (size_t e = 0; e < run->num_events; e++) {
		const struct uncoremsr_counted *ev = uncoremsr_session_event(run->session, e);

		run->units_grow |= ev->route == UNCOREMSR_ROUTE_PERF || !ev->uncore;
		while (uncoremsr_session_unit(run->session, e, num[e]))
			num[e]++;
	}
	free(run->num_units);
	run->num_units = num;
	return 0;
}

static bool has_new_units(const struct read_run *run)
{
	for (size_t e = 0; run->units_grow && e < run->num_events; e++)
		if (uncoremsr_session_unit(run->session, e, run->num_units[e]))
			return true;
	return false;
}

int read_rows_init(struct read_run *run)
{
	size_t metrics = 0;

	while (uncoremsr_session_metric(run->session, metrics))
		metrics++;
	add_rows(run, false, run->num_events);
	run->num_event_rows = run->num_rows;
	add_rows(run, true, metrics);
	if (run->no_memory || count_units(run))
		return -ENOMEM;
	run->has_dies = has_dies(run->um);
	run->takes_turns = uncoremsr_session_state(run->session)->turns > 1;
	for (size_t i = 0; i < run->num_event_rows; i++)
		look_at(run, &run->rows[i]);
	for (size_t i = run->num_event_rows; i < run->num_rows; i++)
		look_at_metric(run, &run->rows[i]);
	if (records_for_people(&run->records))
		read_text_prepare(run);
	return 0;
}

static void free_rows(struct read_row *rows, size_t num)
{
	for (size_t i = 0; i < num; i++)
		out_free(&rows[i].template.text);
	free(rows);
}

void read_rows_free(struct read_run *run)
{
	free_rows(run->rows, run->num_rows);
	free(run->num_units);
	run->num_units = NULL;
	run->rows = NULL;
	run->num_rows = 0;
}

int read_rows_follow(struct read_run *run)
{
	struct read_run before;
	int err;

	if (!has_new_units(run))
		return 0;
	before = *run;
	run->rows = NULL;
	run->num_rows = 0;
	run->num_units = NULL;
	err = read_rows_init(run);
	if (err) {
		/* Out of memory: keep the old rows, and try again after the next interval. */
		read_rows_free(run);
		*run = before;
		out_lacks_memory();
		return err;
	}
	read_series_carry(run, before.rows, before.num_rows);
	free_rows(before.rows, before.num_rows);
	free(before.num_units);
	return 0;
}

/* ---- values of a row ---- */

/* Set the members that readings of events and of metrics have in common. */
static void set_reading(struct read_row *row, const char *word, const char *detail, unsigned units,
			unsigned units_known, uint64_t enabled_ns, uint64_t running_ns)
{
	row->word = word;
	row->detail = detail;
	row->units = units;
	row->units_known = units_known;
	row->enabled_ns = enabled_ns;
	row->running_ns = running_ns;
}

enum uncoremsr_status read_row_take(struct read_row *row, bool total)
{
	enum uncoremsr_span span = total ? UNCOREMSR_TOTAL : UNCOREMSR_INTERVAL;
	/* The reading to show if the library has none, because the kernel does not report the core of a CPU. */
	static const struct uncoremsr_reading no_core = {
		.size = sizeof(no_core), .status = UNCOREMSR_NOT_COUNTED, .word = "not-counted", .detail = "",
		.counted = UINT64_MAX, .value = UINT64_MAX, .raw = UINT64_MAX, .counter = -1,
	};
	const struct uncoremsr_session *s = row->run->session;

	if (row->metric) {
		const struct uncoremsr_metric_reading *m =
			uncoremsr_session_metric_reading(s, row->event, row->place, row->index, span);

		row->metric_reading = m;
		set_reading(row, m->word, m->detail, m->units, m->units_known, m->enabled_ns, m->running_ns);
		return m->status;
	}
	row->reading = uncoremsr_session_reading(s, row->event, row->place, row->index, span) ?: &no_core;
	set_reading(row, row->reading->word, row->reading->detail, row->reading->units, row->reading->units_known,
		    row->reading->enabled_ns, row->reading->running_ns);
	return row->reading->status;
}

void read_row_again(struct read_row *row)
{
	if (read_row_is_elsewhere(row))
		read_row_take(row, row->run->of_total);
}

/* ---- names ---- */

const char *read_row_place_in(const struct read_row *row, char *buf, size_t size)
{
	if (read_row_is_of_task(row))
		return read_target_name(row->run->cfg, row->event, buf, size);
	if (row->place == UNCOREMSR_PLACE_CORES)
		snprintf(buf, size, "cores %s",
			 uncoremsr_session_state(row->run->session)->cores[row->index]);
	else if (row->place == UNCOREMSR_PLACE_CORE)
		snprintf(buf, size, "core %d", row->unit->core);
	else if (row->place == UNCOREMSR_PLACE_CPU)
		snprintf(buf, size, "cpu %d", row->unit->cpu);
	else
		snprintf(buf, size, "%s", read_row_is_each(row) ? row->unit->name : "");
	return buf;
}

const char *read_row_place(const struct read_row *row, char *buf, size_t size)
{
	char die[24] = "", in[READ_NAME_SIZE];

	read_row_place_in(row, in, sizeof(in));
	if (row->run->has_dies && row->package)
		snprintf(die, sizeof(die), " die %d", row->package->die);
	if (row->package)
		snprintf(buf, size, "package %d%s%s%s", row->package->id, die, *in ? " " : "", in);
	else
		snprintf(buf, size, "%s", read_row_is_elsewhere(row) ? in : "machine");
	return buf;
}

/* The name of the row. A raw word ("r5301b1", "r01b1:u") is followed by the name of the event that it encodes. */
static const char *full_name(const struct read_row *row, char *buf, size_t size)
{
	const char *text = row->name, *name = NULL;
	size_t digits = *text == 'r' ? strspn(text + 1, "0123456789abcdefABCDEF") : 0;
	unsigned core_type;

	if (row->perf && digits && digits <= 16 && (!text[1 + digits] || text[1 + digits] == ':'))
		name = uncoremsr_core_event_name(row->run->um, NULL, strtoull(text + 1, NULL, 16), 0, &core_type);
	if (!name)
		return text;
	snprintf(buf, size, "%s %s", text, name);
	return buf;
}

const char *read_row_title(const struct read_row *row, char *buf, size_t size)
{
	char name[READ_NAME_SIZE / 2], group[READ_NAME_SIZE / 2];
	const struct read_config *cfg = row->run->cfg;

	const char *more = NULL;

	/* An event on several kinds of cores has the same name in each of its rows: add the row's PMU. */
	if (!row->metric && row->counted->pmu && strchr(row->counted->pmu, '+'))
		more = read_row_pmu(row);
	else if (cfg->cgroups.num > 1 && row->task)
		more = read_target_name(cfg, row->event, group, sizeof(group));
	if (!more)
		return full_name(row, buf, size);
	snprintf(buf, size, "%s (%s)", full_name(row, name, sizeof(name)), more);
	return buf;
}
