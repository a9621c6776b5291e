/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * uncore-imc pmi: count performance monitor interrupts of each CPU (line PMI of proc/interrupts) during a command, or
 * during one second.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/command.h"
#include "common/wait.h"
#include "imc/imc.h"

struct counts {
	struct count {
		unsigned cpu;
		uint64_t value;
	} *list;
	size_t num;
};

/* The first line names the online CPUs: "           CPU0       CPU2". */
static bool read_head(struct counts *c, const char *line)
{
	while ((line = strstr(line, "CPU"))) {
		line += 3;
		if (*line >= '0' && *line <= '9' &&
		    ARRAY_APPEND(c->list, c->num, (struct count){ .cpu = (unsigned)strtoul(line, NULL, 10) }))
			return false;
	}
	return true;
}

static bool read_values(struct counts *c, const char *line)
{
	for (size_t i = 0; i < c->num; i++) {
		char *end;

		c->list[i].value = strtoull(line, &end, 10);
		if (end == line)
			return false;
		line = end;
	}
	return true;
}

static int unreadable(const char *path, const char *why, int status)
{
	return tool_say(status, "pmi: %s: %s", path, why);
}

static int read_counts(struct counts *c, const char *path)
{
	FILE *f = fopen(path, "re");
	char *line = NULL;
	size_t size = 0;
	bool found = false, good = true;

	if (!f)
		return unreadable(path, strerror(errno),
				  errno == EACCES ? TOOL_NO_ACCESS : TOOL_UNSUPPORTED);
	if (getline(&line, &size, f) > 0)
		good = read_head(c, line);
	/* The line about performance monitor interrupts begins with "PMI:" on x86 and on POWER. */
	while (good && !found && getline(&line, &size, f) > 0) {
		const char *name = line + strspn(line, " ");

		found = strncmp(name, "PMI:", 4) == 0;
		if (found)
			good = read_values(c, name + 4);
	}
	free(line);
	fclose(f);
	if (found && good && c->num)
		return 0;
	return unreadable(path, found ? "its line PMI is malformed"
				: "it has no line PMI, so this kernel does not count performance monitor interrupts",
			  TOOL_UNSUPPORTED);
}

/* ---- showing ---- */

enum { CPU, BEFORE, AFTER, DIFFERENCE, NUMBERS };

static enum record_state get_number(const void *row, struct record_value *v)
{
	v->number = ((const int64_t *)row)[v->column->what];
	return v->number < 0 ? RECORD_UNKNOWN : RECORD_KNOWN;
}

/* Why a number is unknown: the CPU was offline before or after the run, or the kernel's 32-bit count wrapped. */
static enum record_state get_status(const void *row, struct record_value *v)
{
	const int64_t *n = row;

	return value_text(v, n[BEFORE] < 0 || n[AFTER] < 0 ? "offline"
			     : n[DIFFERENCE] < 0 ? "wrapped" : "ok");
}

static const struct record_column columns[] = {
	{ .name = "cpu", .type = RECORD_INT, .get = get_number, .what = CPU, .width = 5 },
	{ .name = "before", .type = RECORD_INT, .get = get_number, .what = BEFORE, .width = 15 },
	{ .name = "after", .type = RECORD_INT, .get = get_number, .what = AFTER, .width = 15 },
	{ .name = "difference", .type = RECORD_INT, .get = get_number, .what = DIFFERENCE, .width = 15 },
	{ .name = "status", .type = RECORD_STR, .get = get_status, .width = 9 },
};

static int64_t value_of(const struct counts *c, unsigned cpu)
{
	for (size_t i = 0; i < c->num; i++)
		if (c->list[i].cpu == cpu)
			return (int64_t)c->list[i].value;
	return -1;
}

static void put_row(struct imc *i, unsigned cpu, int64_t before, int64_t after)
{
	const int64_t row[NUMBERS] = {
		cpu, before, after, before < 0 || after < before ? -1 : after - before,
	};

	record_row(&i->w, columns, ARRAY_SIZE(columns), row);
}

/* Show the counts. CPUs that came online between the two readings are shown last. */
static void show(struct imc *i, const struct counts *before, const struct counts *after)
{
	record_head(&i->w, columns, ARRAY_SIZE(columns));
	for (const struct count *c = before->list; c < before->list + before->num; c++)
		put_row(i, c->cpu, (int64_t)c->value, value_of(after, c->cpu));
	for (const struct count *c = after->list; c < after->list + after->num; c++)
		if (value_of(before, c->cpu) < 0)
			put_row(i, c->cpu, -1, (int64_t)c->value);
}

/* ---- the command ---- */

/* Run COMMAND until it ends or a signal arrives. */
static int run_command(struct imc *i, struct tool_wait *wait, int *exit_status)
{
	struct command command = { .pid = 0 };
	int status = command_hold(&command, i->common.rest, wait) ? 126 : TOOL_DONE;

	wait_dispositions();
	if (!status)
		status = command_start(&command, "");
	if (status)
		command_drop(&command);
	else
		*exit_status = command_finish(&command, wait, 0, &i->die_of);
	return status;
}

/* Run COMMAND, or wait a second, between the two readings. */
static int between(struct imc *i, int *exit_status)
{
	struct tool_wait wait = { .wall = true };

	wait_init(&wait, false);
	if (i->common.has_rest)
		return run_command(i, &wait, exit_status);
	wait_dispositions();
	if (wait_real(&wait, NS_PER_S) == WAKE_DIE)
		i->die_of = wait.info.si_signo;
	return 0;
}

/* Root of the machine's files; NULL for a simulated machine, which has no files. */
static const char *root_of(const struct imc *i)
{
	const char *machine = i->common.machine;

	if (!machine || strcmp(machine, "live") == 0)
		return "";
	return strncmp(machine, "root:", 5) == 0 ? machine + 5 : NULL;
}

int imc_pmi(struct imc *i)
{
	struct counts before = { .num = 0 }, after = { .num = 0 };
	const char *root = root_of(i);
	int exit_status = TOOL_DONE, status;
	char path[4096];

	if (!root)
		return tool_say(TOOL_UNSUPPORTED, "pmi: %s is simulated and has no interrupts; use "
				"--machine=live or --machine=root:DIR", i->common.machine);
	snprintf(path, sizeof(path), "%s/proc/interrupts", root);
	status = read_counts(&before, path);
	if (!status)
		status = between(i, &exit_status);
	if (!status)
		status = read_counts(&after, path);
	if (!status)
		show(i, &before, &after);
	free(before.list);
	free(after.list);
	return status ? status : exit_status;
}
