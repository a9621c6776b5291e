/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Which readings are shown: of every package the sum of its units, or each of them (--per-unit). */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "read/read.h"

struct read_row *read_add_row(struct read_run *run, size_t package, size_t event)
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
	*row = (struct read_row){
		.package = package, .event = event,
		.perf = uncoremsr_session_event_route(run->session, event) == UNCOREMSR_ROUTE_PERF,
		.task = uncoremsr_session_event_is_task(run->session, event),
	};
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

bool read_shows_each(const struct read_run *run, size_t event, const struct uncoremsr_unit *u)
{
	/* Temperatures cannot be added up. */
	return uncoremsr_session_event_is_level(run->session, event) ||
	       (run->cfg->flags & READ_PER_UNIT) ||
	       (run->cfg->target.per == READ_PER_CPU && uncoremsr_unit_core(u) >= 0);
}

/* The rows of an event on a package. */
static int add_rows(struct read_run *run, size_t package, size_t event)
{
	const struct uncoremsr_session *s = run->session;
	const struct uncoremsr_package *p = uncoremsr_session_package(s, package);
	struct read_row *row = read_add_row(run, package, event);
	const struct uncoremsr_unit *u;
	bool each = false;
	size_t n = 0;

	for (size_t i = 0; row && (u = uncoremsr_session_unit(s, event, i)); i++) {
		if (uncoremsr_unit_package(u) != p)
			continue;
		each = read_shows_each(run, event, u);
		if (each && n)
			row = read_add_row(run, package, event);
		if (row)
			take_unit(row, u, each ? 0 : n);
		n++;
	}
	if (!row)
		return -ENOMEM;
	/* The kernel counts where it was told to: nothing is missing on other packages. */
	if (!n && row->perf && uncoremsr_session_num_units(s, event)) {
		run->num_rows--;
		return 0;
	}
	if (!each && n > 1)
		row->unit = NULL;
	if (!row->perf && uncoremsr_session_package_error(s, package))
		row->status = UNCOREMSR_FAILED;
	return 0;
}

static void measure_row(struct read_run *run, const struct read_row *row)
{
	const char *unit = row->unit ? uncoremsr_unit_name(row->unit) : "";
	char place[READ_WORDS] = "", words[READ_WORDS];
	size_t width = strlen(read_event_words(run, row->event, words, sizeof(words)));
	double scale;

	run->event_width = width > run->event_width ? width : run->event_width;
	if (row->place == READ_AT_CORE || row->place == READ_AT_GROUP)
		read_places_name(run, row, place, sizeof(place));
	width = strlen(*place ? place : unit);
	run->unit_width = width > run->unit_width ? width : run->unit_width;
	run->has_raw = run->has_raw || read_has_register(row);
	run->has_levels = run->has_levels ||
			  uncoremsr_session_event_is_level(run->session, row->event);
	run->has_packages = run->has_packages || row->place <= READ_AT_CORE;
	run->has_cpus = run->has_cpus || !row->perf || read_has_register(row);
	run->has_msr = run->has_msr || !row->perf;
	run->has_perf = run->has_perf || row->perf;
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

static int make_rows(struct read_run *run)
{
	size_t packages = uncoremsr_session_num_packages(run->session);
	int err = 0;

	for (size_t e = 0; e < run->num_events && !err; e++)
		if (read_places_take(run, e))
			err = read_places_add(run, e);
	read_places_sort(run);
	for (size_t p = 0; p < packages; p++)
		for (size_t e = 0; e < run->num_events && !err; e++)
			if (!read_places_take(run, e))
				err = add_rows(run, p, e);
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
	int err = read_metrics_init(run);

	run->has_dies = has_dies(run->um);
	if (!err)
		err = make_rows(run);
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
	if (row->place != READ_AT_PACKAGE)
		return read_places_reading(run, row, total);
	if (row->unit)
		return total ? uncoremsr_unit_total(row->unit) : uncoremsr_unit_reading(row->unit);
	return (total ? uncoremsr_session_total : uncoremsr_session_reading)(run->session,
									     row->package, row->event);
}

const char *read_row_place(const struct read_run *run, const struct read_row *row, char *buf,
			   size_t size)
{
	const struct uncoremsr_package *p = uncoremsr_session_package(run->session, row->package);
	bool unit = row->unit && read_shows_each(run, row->event, row->unit);
	char die[24] = "";
	int len;

	if (row->place == READ_AT_GROUP || row->place == READ_AT_TASK) {
		read_places_name(run, row, buf, size);
		return buf;
	}
	if (run->has_dies)
		snprintf(die, sizeof(die), " die %d", uncoremsr_package_die(p));
	len = snprintf(buf, size, "package %d%s%s%s", uncoremsr_package_id(p), die, unit ? " " : "",
		       unit ? uncoremsr_unit_name(row->unit) : "");
	if (row->place == READ_AT_CORE && len > 0 && (size_t)len + 1 < size) {
		buf[len] = ' ';
		read_places_name(run, row, buf + len + 1, size - (size_t)len - 1);
	}
	return buf;
}
