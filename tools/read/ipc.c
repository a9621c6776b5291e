/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * For people: instructions per cycle, wherever both are counted with the core PMU. Records have
 * both counts, and programs divide themselves.
 */
#include <string.h>

#include "read/read.h"

/*
 * "core/instructions/u", or of the kernel "instructions:u" and "cpu/instructions/u", is one of @names,
 * with the modifiers behind it in *modifiers.
 */
static bool is_one_of(const char *event, const char *const *names, const char **modifiers)
{
	bool slashes = strncmp(event, "core/", 5) == 0 || strncmp(event, "cpu/", 4) == 0;

	if (slashes)
		event = strchr(event, '/') + 1;
	for (; *names; names++) {
		size_t len = strlen(*names);

		if (strncmp(event, *names, len) != 0)
			continue;
		*modifiers = event + len + strspn(event + len, "/:");
		if (slashes ? event[len] == '/' : !event[len] || event[len] == ':')
			return true;
	}
	return false;
}

static bool is_instructions(const struct read_row *row, const char **modifiers)
{
	static const char *const names[] = {
		"instructions", "INST_RETIRED.ANY", "INST_RETIRED.ANY_P", NULL,
	};

	return is_one_of(read_row_name(row), names, modifiers);
}

static bool is_cycles(const struct read_row *row, const char **modifiers)
{
	static const char *const names[] = {
		"cycles", "cpu-cycles", "CPU_CLK_UNHALTED.THREAD", "CPU_CLK_UNHALTED.CORE",
		"CPU_CLK_UNHALTED.THREAD_P", NULL,
	};

	return is_one_of(read_row_name(row), names, modifiers);
}

static bool same_place(const struct read_row *a, const struct read_row *b)
{
	if (a->package_index != b->package_index || !a->unit != !b->unit || a->place != b->place)
		return false;
	if (a->place != READ_AT_PACKAGE)
		return a->index == b->index;
	return !a->unit || unit_cpu(a->unit) == unit_cpu(b->unit);
}

/* The cycles that belong to a row of instructions: same place, same modifiers. */
static struct read_row *cycles_of(struct read_run *run, const struct read_row *row,
				  const char *modifiers)
{
	const char *others;

	for (size_t i = 0; i < run->num_event_rows; i++)
		if (same_place(row, &run->rows[i]) && is_cycles(&run->rows[i], &others) &&
		    strcmp(modifiers, others) == 0)
			return &run->rows[i];
	return NULL;
}

void read_ipc_prepare(struct read_run *run)
{
	const char *modifiers;

	for (size_t i = 0; i < run->num_event_rows; i++)
		if (is_instructions(&run->rows[i], &modifiers))
			run->rows[i].cycles = cycles_of(run, &run->rows[i], modifiers);
}

static bool value_of(struct read_row *row, uint64_t *value)
{
	read_row_again(row);
	return uncoremsr_reading_status(row->reading) == UNCOREMSR_OK &&
	       !uncoremsr_reading_number(row->reading, UNCOREMSR_READING_VALUE, value);
}

/* False: not both are counted there. */
static bool ipc(struct read_row *row, double *value)
{
	uint64_t i, c;

	if (!row->cycles || !value_of(row, &i) || !value_of(row->cycles, &c) || !c)
		return false;
	*value = (double)i / (double)c;
	return true;
}

void read_ipc_table(struct read_run *run)
{
	bool first = true;
	char place[READ_NAME_SIZE];
	double value;

	for (size_t i = 0; i < run->num_event_rows; i++) {
		if (!ipc(&run->rows[i], &value))
			continue;
		if (first)
			record_end_line(&run->records);
		first = false;
		out_fmt(run->out, "%s: ", read_row_place(&run->rows[i], place, sizeof(place)));
		out_real(run->out, value, 2);
		out_str(run->out, " instructions per cycle");
		record_end_line(&run->records);
	}
}

void read_ipc_line(struct read_run *run)
{
	char place[READ_NAME_SIZE];
	double value;

	for (size_t i = 0; i < run->num_event_rows; i++) {
		if (!ipc(&run->rows[i], &value))
			continue;
		out_fmt(run->out, " | %s  IPC ", read_row_place(&run->rows[i], place, sizeof(place)));
		out_real(run->out, value, 2);
	}
}
