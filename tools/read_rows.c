/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Which readings are shown: of every package the sum of its units, or each of them (--per-unit). */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "read.h"

/* The units of one event are asked for package by package, from first to last. */
struct cursor {
	size_t event, next;
};

static struct read_row *add_row(struct read_run *run, size_t package, size_t event)
{
	struct read_row *row;

	if (run->num_rows == run->room_rows) {
		size_t room = run->room_rows ? 2 * run->room_rows : 16;
		struct read_row *rows = realloc(run->rows, room * sizeof(*rows));

		if (!rows)
			return NULL;
		run->rows = rows;
		run->room_rows = room;
	}
	row = &run->rows[run->num_rows++];
	*row = (struct read_row){ .package = package, .event = event };
	out_init(&row->text, -1);
	return row;
}

/* What failed when counting started has been told then. */
static void take_unit(struct read_row *row, const struct uncoremsr_unit *u, size_t nth)
{
	if (uncoremsr_unit_error(u))
		row->status = UNCOREMSR_FAILED;
	if (nth && row->unit && uncoremsr_unit_cpu(row->unit) != uncoremsr_unit_cpu(u))
		row->many_cpus = true;
	row->unit = nth ? row->unit : u;
}

/* The rows of an event on a package. */
static int add_rows(struct read_run *run, size_t package, struct cursor *c)
{
	const struct uncoremsr_session *s = run->session;
	const struct uncoremsr_package *p = uncoremsr_session_package(s, package);
	struct read_row *row = add_row(run, package, c->event);
	bool each = run->cfg->flags & READ_PER_UNIT;
	const struct uncoremsr_unit *u;
	size_t n = 0;

	for (; row && (u = uncoremsr_session_unit(s, c->event, c->next)) &&
	     uncoremsr_unit_package(u) == p; c->next++) {
		if (each && n)
			row = add_row(run, package, c->event);
		if (row)
			take_unit(row, u, each ? 0 : n);
		n++;
	}
	if (!row)
		return -ENOMEM;
	if (!each && n > 1)
		row->unit = NULL;
	if (uncoremsr_session_package_error(s, package))
		row->status = UNCOREMSR_FAILED;
	return 0;
}

static void measure_row(struct read_run *run, const struct read_row *row)
{
	const char *unit = row->unit ? uncoremsr_unit_name(row->unit) : "";
	size_t width = strlen(uncoremsr_session_event_name(run->session, row->event));
	double scale;

	run->event_width = width > run->event_width ? width : run->event_width;
	width = strlen(unit);
	run->unit_width = width > run->unit_width ? width : run->unit_width;
	run->has_raw = run->has_raw || row->unit;
	run->has_amounts = run->has_amounts ||
			   uncoremsr_session_event_measure(run->session, row->event, &scale);
}

/* A machine that numbers its only die is not one with dies. */
static bool has_dies(const struct uncoremsr *um)
{
	const struct uncoremsr_package *p, *last = NULL;

	/* All of the machine: of those that are counted one die may be the only one. */
	for (size_t i = 0; (p = uncoremsr_package(um, i)); last = p, i++)
		if (last && uncoremsr_package_id(p) == uncoremsr_package_id(last))
			return true;
	return false;
}

static int make_rows(struct read_run *run, struct cursor *cursors)
{
	size_t packages = uncoremsr_session_num_packages(run->session);
	int err = 0;

	for (size_t p = 0; p < packages; p++)
		for (size_t e = 0; e < run->num_events && !err; e++) {
			cursors[e].event = e;
			err = add_rows(run, p, &cursors[e]);
		}
	return err;
}

static int write_templates(struct read_run *run)
{
	int err = 0;

	for (size_t i = 0; i < run->num_rows; i++)
		measure_row(run, &run->rows[i]);
	for (size_t i = 0; i < run->num_rows; i++) {
		struct read_row *row = &run->rows[i];

		if (run->cfg->common.format == TOOL_TEXT)
			read_line_template(run, row);
		else
			read_record_template(run, row);
		out_pad_block(&row->text);
		err = err ? err : -row->text.error;
	}
	return err;
}

int read_rows_init(struct read_run *run)
{
	struct cursor *cursors = calloc(run->num_events + 1, sizeof(*cursors));
	int err = read_metrics_init(run);

	if (!cursors)
		err = -ENOMEM;
	run->has_dies = has_dies(run->um);
	if (!err)
		err = make_rows(run, cursors);
	free(cursors);
	if (!err)
		err = write_templates(run);
	run->in_place = run->cfg->common.format == TOOL_TEXT && run->cfg->periodic &&
			read_text_fits_terminal(run);
	return err;
}

void read_rows_free(struct read_run *run)
{
	for (size_t i = 0; i < run->num_rows; i++)
		out_free(&run->rows[i].text);
	free(run->rows);
	run->rows = NULL;
	run->num_rows = 0;
	read_metrics_free(run);
}

const struct uncoremsr_reading *read_row_reading(const struct read_run *run,
						 const struct read_row *row, bool total)
{
	if (row->unit)
		return total ? uncoremsr_unit_total(row->unit) : uncoremsr_unit_reading(row->unit);
	return (total ? uncoremsr_session_total : uncoremsr_session_reading)(run->session,
									     row->package, row->event);
}

const char *read_row_place(const struct read_run *run, const struct read_row *row, char *buf,
			   size_t size)
{
	const struct uncoremsr_package *p = uncoremsr_session_package(run->session, row->package);
	bool unit = row->unit && (run->cfg->flags & READ_PER_UNIT);
	char die[24] = "";

	if (run->has_dies)
		snprintf(die, sizeof(die), " die %d", uncoremsr_package_die(p));
	snprintf(buf, size, "package %d%s%s%s", uncoremsr_package_id(p), die, unit ? " " : "",
		 unit ? uncoremsr_unit_name(row->unit) : "");
	return buf;
}
