/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What is said about events of the kernel: names of raw words, route, share of time counted. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "read/read.h"
#include "uncoremsr/machine.h"
#include "uncoremsr/names.h"

/* ---- names of raw words ---- */

/* Event select and unit mask of "r5301b1" or "r01b1:u". False: it is no raw word. */
static bool parse_raw(const char *name, unsigned *select, unsigned *umask)
{
	size_t len;
	unsigned long long word;

	if (*name != 'r')
		return false;
	len = strspn(name + 1, "0123456789abcdefABCDEF");
	if (!len || len > 16 || (name[len + 1] && name[len + 1] != ':'))
		return false;
	word = strtoull(name + 1, NULL, 16);
	*select = word & 0xff;
	*umask = word >> 8 & 0xff;
	return true;
}

/* Is the processor among those that a text names ("Nehalem, Westmere")? */
static bool is_named(const char *uarch, const char *processors)
{
	return uarch && strcasestr(processors, uarch);
}

/* The name on this processor; else the first one that any has. */
static const char *raw_name(const struct read_run *run, unsigned select, unsigned umask)
{
	const char *uarch = uncoremsr_machine_text(run->um, UNCOREMSR_MACHINE_UARCH);
	const char *first = NULL, *name, *processors;

	for (size_t i = 0; (name = uncoremsr_core_event_name(select, umask, i, &processors)); i++) {
		if (is_named(uarch, processors))
			return name;
		first = first ? first : name;
	}
	return first;
}

const char *read_event_words(const struct read_run *run, size_t event, char *buf, size_t size)
{
	const char *text = uncoremsr_session_event_name(run->session, event), *name;
	unsigned select, umask;

	if (uncoremsr_session_event_route(run->session, event) != UNCOREMSR_ROUTE_PERF ||
	    !parse_raw(text, &select, &umask))
		return text;
	name = raw_name(run, select, umask);
	if (!name)
		return text;
	snprintf(buf, size, "%s %s", text, name);
	return buf;
}

/* ---- the route ---- */

bool read_has_tasks(const struct read_run *run)
{
	for (size_t i = 0; i < run->num_events; i++)
		if (uncoremsr_session_event_is_task(run->session, i))
			return true;
	return false;
}

void read_put_route(struct read_run *run)
{
	char name[READ_WORDS];

	if (!run->has_perf)
		return;
	out_str(run->out, run->has_msr ? ", through registers and perf" : " through perf");
	if (read_has_tasks(run))
		out_fmt(run->out, " (%s)", read_target_name(&run->cfg->target, name, sizeof(name)));
}

/* ---- the share of time ---- */

void read_check_share(struct read_run *run, struct read_row *row, const struct uncoremsr_reading *r)
{
	double enabled = (double)uncoremsr_reading_enabled_ns(r);
	double running = (double)uncoremsr_reading_running_ns(r);
	char place[READ_WORDS];

	if (row->warned || running * 100 >= enabled * run->cfg->target.min_running)
		return;
	for (size_t i = 0; i < run->num_rows; i++)
		if (run->rows[i].event == row->event)
			run->rows[i].warned = true;
	tool_say(&read_tool, 0, "%s: %s: counted for only %.0f %% of the time: its value is an estimate; "
		 "count fewer events at once", read_row_place(run, row, place, sizeof(place)),
		 uncoremsr_session_event_name(run->session, row->event), running * 100 / enabled);
}
