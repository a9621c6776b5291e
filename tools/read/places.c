/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Rows of other places than packages and units: tasks, groups of cores, cores. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "read/read.h"

static bool is_task(const struct read_run *run, size_t event)
{
	return !run->cfg->target.cgroup && uncoremsr_session_event_is_task(run->session, event);
}

/* Counted on each CPU; units of the uncore belong to packages. */
static bool is_per_cpu(const struct read_run *run, size_t event)
{
	const struct uncoremsr_unit *u = uncoremsr_session_unit(run->session, event, 0);

	return u && uncoremsr_unit_core(u) >= 0;
}

bool read_places_take(const struct read_run *run, size_t event)
{
	const struct read_target *t = &run->cfg->target;

	if (is_task(run, event))
		return true;
	return (t->cores.num || t->per == READ_PER_CORE) && is_per_cpu(run, event) &&
	       !uncoremsr_session_event_is_level(run->session, event);
}

static struct read_row *add(struct read_run *run, enum read_place place, size_t event, size_t index)
{
	struct read_row *row = read_add_row(run, 0, event);

	if (row) {
		row->place = place;
		row->index = index;
		row->many_cpus = true;
	}
	return row;
}

static int add_groups(struct read_run *run, size_t event)
{
	size_t num = uncoremsr_session_num_core_groups(run->session);

	for (size_t i = 0; i < num; i++)
		if (!add(run, READ_AT_GROUP, event, i))
			return -ENOMEM;
	return 0;
}

static size_t package_of(const struct read_run *run, const struct uncoremsr_unit *u)
{
	size_t i = 0, num = uncoremsr_session_num_packages(run->session);

	while (i < num && uncoremsr_session_package(run->session, i) != uncoremsr_unit_package(u))
		i++;
	return i;
}

/* Is one of the rows from @first on that of the core of @u? */
static bool has_core(const struct read_run *run, size_t first, size_t package,
		     const struct uncoremsr_unit *u)
{
	for (size_t i = first; i < run->num_rows; i++)
		if (run->rows[i].package == package &&
		    uncoremsr_unit_core(run->rows[i].unit) == uncoremsr_unit_core(u))
			return true;
	return false;
}

static int add_cores(struct read_run *run, size_t event)
{
	size_t first = run->num_rows, packages = uncoremsr_session_num_packages(run->session);
	const struct uncoremsr_unit *u;

	for (size_t i = 0; (u = uncoremsr_session_unit(run->session, event, i)); i++) {
		size_t package = package_of(run, u);
		struct read_row *row;

		if (package == packages || has_core(run, first, package, u))
			continue;
		row = add(run, READ_AT_CORE, event, i);
		if (!row)
			return -ENOMEM;
		row->package = package;
		row->unit = u;
	}
	return 0;
}

int read_places_add(struct read_run *run, size_t event)
{
	if (is_task(run, event))
		return add(run, READ_AT_TASK, event, 0) ? 0 : -ENOMEM;
	return run->cfg->target.cores.num ? add_groups(run, event) : add_cores(run, event);
}

static int compare(const void *left, const void *right)
{
	const struct read_row *a = left, *b = right;

	if (a->place != b->place)
		return a->place < b->place ? -1 : 1;
	if (a->package != b->package)
		return a->package < b->package ? -1 : 1;
	if (a->index != b->index)
		return a->index < b->index ? -1 : 1;
	return a->event < b->event ? -1 : a->event > b->event;
}

void read_places_sort(struct read_run *run)
{
	if (run->num_rows)
		qsort(run->rows, run->num_rows, sizeof(*run->rows), compare);
}

const struct uncoremsr_reading *read_places_reading(const struct read_run *run,
						    const struct read_row *row, bool total)
{
	if (row->place == READ_AT_TASK)
		return uncoremsr_session_whole_reading(run->session, row->event, total);
	if (row->place == READ_AT_GROUP)
		return uncoremsr_session_group_reading(run->session, row->index, row->event, total);
	return uncoremsr_session_core_reading(run->session, row->event, row->index, total);
}

void read_places_name(const struct read_run *run, const struct read_row *row, char *buf,
		      size_t size)
{
	if (row->place == READ_AT_TASK)
		read_target_name(&run->cfg->target, buf, size);
	else if (row->place == READ_AT_GROUP)
		snprintf(buf, size, "cores %s",
			 uncoremsr_session_core_group(run->session, row->index));
	else
		snprintf(buf, size, "core %d", uncoremsr_unit_core(row->unit));
}
