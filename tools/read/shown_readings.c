/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Which readings are shown, and their names: for every package the sum of its units, or each unit (--per-unit); cores,
 * sets of CPUs and tasks if the user asks for them; metrics last.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/array.h"
#include "read/read.h"
#include "uncoremsr/machine.h"

/* Add a row for an event, or a metric, at package number @package. NULL: out of memory. */
static struct read_row *add_row(struct read_run *run, enum read_place place, size_t package, bool metric, size_t event)
{
	const struct uncoremsr_session_package *p;
	struct read_row *row;

	if (ARRAY_APPEND(run->rows, run->num_rows, (struct read_row){
			.run = run, .place = place, .package_index = package, .event = event }))
		return NULL;
	row = &run->rows[run->num_rows - 1];
	p = uncoremsr_session_package(run->session, package);
	if (p && (place == READ_AT_PACKAGE || place == READ_AT_CORE || place == READ_AT_CPU))
		row->package = p->package;
	out_init(&row->template.text, -1);
	row->metric = metric ? uncoremsr_session_metric(run->session, event) : NULL;
	row->counted = uncoremsr_session_event(run->session, metric ? counted_metric_event(run->session, event)
							     : event);
	row->name = metric ? row->metric->name : row->counted->name;
	row->measure = metric ? row->metric->measure : row->counted->measure;
	row->perf = !row->counted || row->counted->route != UNCOREMSR_ROUTE_MSR;
	row->task = metric ? place == READ_AT_TASK : row->counted->task;
	row->many_cpus = place != READ_AT_PACKAGE && place != READ_AT_CPU;
	return row;
}

/* ---- packages and their units ---- */

/* Is each unit of the uncore, or each CPU, shown by itself, and not their sum? */
static bool shows_each(const struct read_run *run, const struct uncoremsr_counted *ev)
{
	/* Temperatures cannot be added up. */
	return ev->level || (run->cfg->flags & READ_PER_UNIT) || (run->cfg->target.per == READ_PER_CPU && !ev->uncore);
}

bool read_row_is_each(const struct read_row *row)
{
	return row->unit && shows_each(row->run, row->counted);
}

/* Add a unit to the row. A unit that failed at the start was reported then: set the status to avoid a second report. */
static void take_unit(struct read_row *row, const struct uncoremsr_unit *u, size_t index, size_t nth)
{
	if (u->error)
		row->status = UNCOREMSR_FAILED;
	if (nth && row->unit && row->unit->cpu != u->cpu)
		row->many_cpus = true;
	if (nth)
		return;
	row->unit = u;
	row->unit_index = index;
}

/* The event has no unit on @p: show it as missing? Yes if @p is a chip without CPUs (POWER) and chips count it. */
static bool is_missing(const struct uncoremsr_package *p, const struct uncoremsr_counted *ev)
{
	return p->cpu < 0 && ev->uncore && !ev->cores;
}

static int add_package(struct read_run *run, size_t package, size_t event)
{
	const struct uncoremsr_session *s = run->session;
	const struct uncoremsr_package *p = uncoremsr_session_package(s, package)->package;
	struct read_row *row = add_row(run, READ_AT_PACKAGE, package, false, event);
	const struct uncoremsr_unit *u;
	bool each = false;
	size_t n = 0;

	for (size_t i = 0; row && (u = uncoremsr_session_unit(s, event, i)); i++) {
		if (u->package != p)
			continue;
		each = shows_each(run, row->counted);
		if (each && n)
			row = add_row(run, READ_AT_PACKAGE, package, false, event);
		if (row)
			take_unit(row, u, i, each ? 0 : n);
		n++;
	}
	if (!row)
		return -ENOMEM;
	/* The kernel counts the event only on some packages: do not show it as missing on the others. */
	if (!n && row->perf && uncoremsr_session_unit(s, event, 0) && !is_missing(p, row->counted)) {
		run->num_rows--;
		return 0;
	}
	if (!each && n > 1)
		row->unit = NULL;
	if (!row->perf && uncoremsr_session_package(s, package)->error)
		row->status = UNCOREMSR_FAILED;
	return 0;
}

static int add_metric(struct read_run *run, size_t package, size_t metric)
{
	const struct uncoremsr_session_package *p = uncoremsr_session_package(run->session, package);
	struct read_row *row;

	if (p && p->package->cpu < 0 && uncoremsr_session_metric(run->session, metric)->on_cpus > 0)
		return 0;
	row = add_row(run, READ_AT_PACKAGE, package, true, metric);
	if (!row)
		return -ENOMEM;
	if (p && p->error)
		row->status = UNCOREMSR_FAILED;
	return 0;
}

/* ---- tasks, sets of --cores, cores ---- */

static bool is_per_task(const struct read_run *run, size_t event)
{
	return !run->cfg->target.cgroups.num && uncoremsr_session_event(run->session, event)->task;
}

/* Does the event have rows of cores, CPUs, sets or tasks in place of packages? */
static bool is_elsewhere(const struct read_run *run, size_t event)
{
	const struct read_target *t = &run->cfg->target;

	if (is_per_task(run, event))
		return true;
	if (!t->cores.num && t->per != READ_PER_CORE)
		return false;
	return read_target_splits(t, run->session, event) && uncoremsr_session_unit(run->session, event, 0) &&
	       !uncoremsr_session_event(run->session, event)->level;
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
		if (run->rows[i].package_index == package &&
		    run->rows[i].unit->core == u->core)
			return true;
	return false;
}

/* Does the metric have rows of cores, CPUs, sets or tasks in place of packages? */
static bool is_metric_elsewhere(const struct read_run *run, size_t metric)
{
	const struct read_target *t = &run->cfg->target;

	return read_target_has_metric(t, run->session, metric) ||
	       ((t->cores.num || t->per == READ_PER_CORE || t->per == READ_PER_CPU ||
		 (run->cfg->flags & READ_PER_UNIT)) &&
		uncoremsr_session_metric(run->session, metric)->on_cpus > 0);
}

/*
 * Add a row for each core on which the event, or the first event of the metric, is counted; for a metric without
 * --per-core, a row for each CPU.
 */
static int add_units(struct read_run *run, bool metric, size_t event)
{
	size_t first = run->num_rows, packages = uncoremsr_session_state(run->session)->packages;
	size_t counted = metric ? counted_metric_event(run->session, event) : event;
	bool cores = !metric || run->cfg->target.per == READ_PER_CORE;
	const struct uncoremsr_unit *u;

	for (size_t i = 0; (u = uncoremsr_session_unit(run->session, counted, i)); i++) {
		size_t package = package_of(run, u);
		struct read_row *row;

		if (package == packages || (cores && has_core(run, first, package, u)))
			continue;
		row = add_row(run, cores ? READ_AT_CORE : READ_AT_CPU, package, metric, event);
		if (!row)
			return -ENOMEM;
		row->index = i;
		row->unit = u;
	}
	return 0;
}

static int add_elsewhere(struct read_run *run, bool metric, size_t event)
{
	if (metric ? read_target_has_metric(&run->cfg->target, run->session, event) : is_per_task(run, event))
		return add_row(run, READ_AT_TASK, 0, metric, event) ? 0 : -ENOMEM;
	if (!run->cfg->target.cores.num)
		return add_units(run, metric, event);
	for (size_t i = 0; uncoremsr_session_state(run->session)->cores[i]; i++) {
		struct read_row *row = add_row(run, READ_AT_CORES, 0, metric, event);

		if (!row)
			return -ENOMEM;
		row->index = i;
	}
	return 0;
}

/* Order of rows: by place, and at one place by event. */
static int compare(const void *left, const void *right)
{
	const struct read_row *a = left, *b = right;

	if (a->place != b->place)
		return a->place < b->place ? -1 : 1;
	if (a->package_index != b->package_index)
		return a->package_index < b->package_index ? -1 : 1;
	if (a->index != b->index)
		return a->index < b->index ? -1 : 1;
	return a->event < b->event ? -1 : a->event > b->event;
}

static void sort_rows(struct read_run *run, size_t first)
{
	if (run->num_rows > first)
		qsort(run->rows + first, run->num_rows - first, sizeof(*run->rows), compare);
}

static int make_rows(struct read_run *run)
{
	size_t packages = uncoremsr_session_state(run->session)->packages;
	int err = 0;

	for (size_t e = 0; e < run->num_events && !err; e++)
		if (is_elsewhere(run, e))
			err = add_elsewhere(run, false, e);
	sort_rows(run, 0);
	for (size_t p = 0; p < packages; p++)
		for (size_t e = 0; e < run->num_events && !err; e++)
			if (!is_elsewhere(run, e))
				err = add_package(run, p, e);
	run->num_event_rows = run->num_rows;
	for (size_t m = 0; uncoremsr_session_metric(run->session, m) && !err; m++)
		if (is_metric_elsewhere(run, m))
			err = add_elsewhere(run, true, m);
	sort_rows(run, run->num_event_rows);
	/* If there are several packages, the whole machine follows them. */
	for (size_t p = 0; p < packages + (packages > 1); p++)
		for (size_t m = 0; uncoremsr_session_metric(run->session, m) && !err; m++)
			if (!is_metric_elsewhere(run, m))
				err = add_metric(run, p, m);
	return err;
}

/* ---- what the rows have ---- */

static size_t longer(size_t width, const char *text)
{
	return strlen(text) > width ? strlen(text) : width;
}

static void look_at(struct read_run *run, const struct read_row *row)
{
	char name[READ_NAME_SIZE];

	run->event_width = longer(run->event_width, read_row_title(row, name, sizeof(name)));
	if (row->place == READ_AT_CORE || row->place == READ_AT_CORES)
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
	run->has_metric_packages |= row->package || row->place == READ_AT_PACKAGE;
	if (row->place == READ_AT_PACKAGE)
		return;
	run->has_metric_places = true;
	run->unit_width = longer(run->unit_width, read_row_place_in(row, name, sizeof(name)));
}

/* Does any package have several dies? */
static bool has_dies(const struct uncoremsr *um)
{
	const struct uncoremsr_package *p, *last = NULL;

	/* Look at all packages of the machine: perhaps only one die of a package is counted. */
	for (size_t i = 0; (p = uncoremsr_package(um, i)); last = p, i++)
		if (last && p->id == last->id)
			return true;
	return false;
}

/* Note how many units each event has. 0 or -ENOMEM. */
static int count_units(struct read_run *run)
{
	size_t *num = calloc(run->num_events + 1, sizeof(*num));

	if (!num)
		return -ENOMEM;
	for (size_t e = 0; e < run->num_events; e++)
		while (uncoremsr_session_unit(run->session, e, num[e]))
			num[e]++;
	free(run->num_units);
	run->num_units = num;
	return 0;
}

static bool has_new_units(const struct read_run *run)
{
	for (size_t e = 0; e < run->num_events; e++)
		if (uncoremsr_session_unit(run->session, e, run->num_units[e]))
			return true;
	return false;
}

int read_rows_init(struct read_run *run)
{
	int err = make_rows(run);

	err = err ? err : count_units(run);
	run->has_dies = has_dies(run->um);
	run->takes_turns = uncoremsr_session_state(run->session)->turns > 1;
	for (size_t i = 0; i < run->num_event_rows; i++)
		look_at(run, &run->rows[i]);
	for (size_t i = run->num_event_rows; i < run->num_rows; i++)
		look_at_metric(run, &run->rows[i]);
	if (records_for_people(&run->records))
		read_text_prepare(run);
	return err;
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

/* ---- what happened there ---- */

/* Place and index of the row, as the library's functions for readings expect them. */
static enum uncoremsr_place place_of(const struct read_row *row, size_t *index)
{
	*index = read_row_has_register(row) ? row->unit_index
		 : row->place == READ_AT_PACKAGE ? row->package_index : row->index;
	switch (row->place) {
	case READ_AT_CORES:
		return UNCOREMSR_PLACE_CORES;
	case READ_AT_CORE:
		return UNCOREMSR_PLACE_CORE;
	case READ_AT_CPU:
		return UNCOREMSR_PLACE_CPU;
	default:
		return read_row_has_register(row) ? UNCOREMSR_PLACE_UNIT
		       : row->package ? UNCOREMSR_PLACE_PACKAGE : UNCOREMSR_PLACE_EVERYWHERE;
	}
}

/* Set what readings of events and of metrics have in common. */
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
	/* The reading shown if the library has none, because the kernel does not tell which core a CPU belongs to. */
	static const struct uncoremsr_reading no_core = {
		.size = sizeof(no_core), .status = UNCOREMSR_NOT_COUNTED, .word = "not-counted", .detail = "",
		.counted = UINT64_MAX, .value = UINT64_MAX, .raw = UINT64_MAX, .counter = -1,
	};
	const struct uncoremsr_session *s = row->run->session;
	size_t index;
	enum uncoremsr_place place = place_of(row, &index);

	if (row->metric) {
		const struct uncoremsr_metric_reading *m =
			uncoremsr_session_metric_reading(s, row->event, place, index, span);

		row->metric_reading = m;
		set_reading(row, m->word, m->detail, m->units, m->units_known, m->enabled_ns, m->running_ns);
		return m->status;
	}
	row->reading = uncoremsr_session_reading(s, row->event, place, index, span) ?: &no_core;
	set_reading(row, row->reading->word, row->reading->detail, row->reading->units, row->reading->units_known,
		    row->reading->enabled_ns, row->reading->running_ns);
	return row->reading->status;
}

void read_row_again(struct read_row *row)
{
	if (row->place != READ_AT_PACKAGE)
		read_row_take(row, row->run->of_total);
}

/* ---- names ---- */

const char *read_row_place_in(const struct read_row *row, char *buf, size_t size)
{
	if (row->place == READ_AT_TASK)
		return read_target_name(&row->run->cfg->target, row->event, buf, size);
	if (row->place == READ_AT_CORES)
		snprintf(buf, size, "cores %s",
			 uncoremsr_session_state(row->run->session)->cores[row->index]);
	else if (row->place == READ_AT_CORE)
		snprintf(buf, size, "core %d", row->unit->core);
	else if (row->place == READ_AT_CPU)
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
		snprintf(buf, size, "package %d%s%s%s", row->package->id, die,
			 *in ? " " : "", in);
	else
		snprintf(buf, size, "%s", row->metric && row->place == READ_AT_PACKAGE ? "machine" : in);
	return buf;
}

/* Parse a raw word: "r5301b1" or "r01b1:u". False: @name is no raw word. */
static bool parse_raw(const char *name, uint64_t *word)
{
	size_t len;

	if (*name != 'r')
		return false;
	len = strspn(name + 1, "0123456789abcdefABCDEF");
	*word = strtoull(name + 1, NULL, 16);
	return len && len <= 16 && (!name[len + 1] || name[len + 1] == ':');
}

/* The name of the row. A raw word is followed by the name of the event that it encodes. */
static const char *full_name(const struct read_row *row, char *buf, size_t size)
{
	const char *text = row->name, *name;
	unsigned core_type;
	uint64_t word;

	if (!row->perf || !parse_raw(text, &word))
		return text;
	name = uncoremsr_core_event_name(row->run->um, NULL, word, 0, &core_type);
	if (!name)
		return text;
	snprintf(buf, size, "%s %s", text, name);
	return buf;
}

const char *read_row_title(const struct read_row *row, char *buf, size_t size)
{
	char name[READ_NAME_SIZE / 2], group[READ_NAME_SIZE / 2];
	const struct read_target *t = &row->run->cfg->target;

	/* The name of an event on several kinds of cores does not tell the kind. */
	if (!row->metric && row->counted->pmu && strchr(row->counted->pmu, '+')) {
		snprintf(buf, size, "%s (%s)", full_name(row, name, sizeof(name)), read_row_pmu(row));
		return buf;
	}
	if (t->cgroups.num < 2 || !row->task)
		return full_name(row, buf, size);
	snprintf(buf, size, "%s (%s)", full_name(row, name, sizeof(name)),
		 read_target_name(t, row->event, group, sizeof(group)));
	return buf;
}
