/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Output of intervals as series: totals that never fall, with labels. */
#include <string.h>

#include "read/read.h"
#include "uncoremsr/machine.h"

/* The labels have the values that JSON has. A changed label would begin another series. */
static struct series_labels labels_of(const struct read_row *row)
{
	const struct read_run *run = row->run;
	struct series_labels l = {
		SERIES_LABELS, .machine = uncoremsr_machine(run->um)->name, .route = read_row_route(row),
		.pmu = row->counted ? row->counted->pmu : NULL, .unit_name = row->unit ? row->unit->name : NULL,
	};

	if (row->metric) {
		l.metric = row->name;
		l.measure = row->measure;
	} else {
		l.event = row->name;
	}
	if (row->package) {
		l.package = row->package->id;
		l.die = row->package->die;
	}
	l.core = row->unit ? row->unit->core : -1;
	l.unit = (int)read_row_unit(row);
	/* The CPU through which a package is read is not a label, because it changes with hotplug. */
	if (row->place == UNCOREMSR_PLACE_CPU || (!row->metric && !row->counted->uncore))
		l.cpu = read_row_cpu(row);
	if (row->place == UNCOREMSR_PLACE_CORES)
		l.cpus = uncoremsr_session_state(run->session)->cores[row->index];
	return l;
}

static void put_row(struct series *s, struct read_row *row)
{
	struct series_labels l = labels_of(row);

	/* Leave out values of the whole machine: a query that adds up packages would count them twice. */
	if (row->place == UNCOREMSR_PLACE_EVERYWHERE && !row->task)
		return;

	read_row_again(row);
	if (row->metric)
		series_put_metric_reading(s, &l, row->metric_reading);
	else
		series_put_reading(s, &l, row->counted, &row->since, row->reading);
}

void read_series_interval(struct read_run *run)
{
	struct series *s = &run->series;

	s->wall_ns = run->end_ns + run->wall_offset_ns;
	for (size_t i = 0; i < run->num_rows; i++)
		put_row(s, &run->rows[i]);
	series_end(s, &(struct series_interval){
		.ns = run->end_ns - run->last_ns, .missed = run->missed,
	});
}

/* Units are compared by name, because the library may have moved them in memory. */
static bool is_same(const struct read_row *a, const struct read_row *b)
{
	return a->place == b->place && a->package == b->package && a->event == b->event &&
	       a->metric == b->metric && (!read_row_is_elsewhere(a) || a->index == b->index) &&
	       (!a->unit || strcmp(a->unit->name, b->unit->name) == 0);
}

void read_series_carry(struct read_run *run, const struct read_row *old, size_t num)
{
	for (size_t i = 0; i < run->num_rows; i++)
		for (size_t k = 0; k < num; k++)
			if (is_same(&run->rows[i], &old[k]))
				run->rows[i].since = old[k].since;
}
