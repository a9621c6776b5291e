/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* uncore-imc pmi: the interrupts of each CPU (line PMI of proc/interrupts) during a command, or during one second. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/command.h"
#include "imc/imc.h"

struct counts {
	struct count {
		unsigned cpu;
		int64_t value;
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

		c->list[i].value = (int64_t)strtoull(line, &end, 10);
		if (end == line || c->list[i].value < 0)
			return false;
		line = end;
	}
	return true;
}

static int read_counts(struct counts *c, const char *path)
{
	FILE *f = fopen(path, "re");
	char *line = NULL;
	size_t size = 0;
	bool found = false, good = true;

	if (!f)
		return tool_say(errno == EACCES ? TOOL_NO_ACCESS : TOOL_UNSUPPORTED, "pmi: %s: %m", path);
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
	return tool_say(TOOL_UNSUPPORTED, "pmi: %s: %s", path, found ? "its line PMI is malformed"
			: "it has no line PMI, so this kernel does not count performance monitor interrupts");
}

/* Counts are -1 if the CPU was offline; @difference also if the kernel's 32-bit count wrapped. */
struct row {
	unsigned cpu;
	int64_t before, after, difference;
	const char *status;
};

static enum record_state get_count(const void *row, struct record_value *v)
{
	v->number = *(const int64_t *)((const char *)row + v->column->at);
	return v->number < 0 ? RECORD_UNKNOWN : RECORD_KNOWN;
}

static const struct record_column columns[] = {
	{ "cpu", RECORD_INT, RECORD_AT(row, cpu), .width = 5 },
	{ "before", RECORD_INT, get_count, RECORD_AT(row, before), .width = 15 },
	{ "after", RECORD_INT, get_count, RECORD_AT(row, after), .width = 15 },
	{ "difference", RECORD_INT, get_count, RECORD_AT(row, difference), .width = 15 },
	{ "status", RECORD_STR, RECORD_AT(row, status), .width = 9 },
};

static int64_t value_of(const struct counts *c, unsigned cpu)
{
	for (size_t i = 0; i < c->num; i++)
		if (c->list[i].cpu == cpu)
			return c->list[i].value;
	return -1;
}

static void put_row(struct imc *i, unsigned cpu, int64_t before, int64_t after)
{
	bool offline = before < 0 || after < 0;
	const struct row row = {
		cpu, before, after, offline || after < before ? -1 : after - before,
		offline ? "offline" : after < before ? "wrapped" : "ok",
	};

	record_row(&i->w, RECORD_COLUMNS(columns), &row);
}

/* CPUs that came online between the two readings are shown last. */
static void show(struct imc *i, const struct counts *before, const struct counts *after)
{
	record_head(&i->w, RECORD_COLUMNS(columns));
	for (const struct count *c = before->list; c < before->list + before->num; c++)
		put_row(i, c->cpu, c->value, value_of(after, c->cpu));
	for (const struct count *c = after->list; c < after->list + after->num; c++)
		if (value_of(before, c->cpu) < 0)
			put_row(i, c->cpu, -1, c->value);
}

static int run_command(struct imc *i, int *exit_status)
{
	struct command command = { .pid = 0 };
	int status = command_hold(&command, i->common.rest, &i->wait) ? 126 : TOOL_DONE;

	wait_dispositions();
	if (!status)
		status = command_start(&command, "");
	if (status)
		command_drop(&command);
	else
		*exit_status = command_finish(&command, &i->wait, 0);
	return status;
}

static int run_command_or_wait(struct imc *i, int *exit_status)
{
	wait_init(&i->wait, false);
	if (i->common.has_rest)
		return run_command(i, exit_status);
	wait_dispositions();
	wait_signal(&i->wait, clock_now(CLOCK_MONOTONIC) + NS_PER_S);
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
		return tool_say(TOOL_UNSUPPORTED, "pmi: %s is simulated and has no interrupts; use --machine=live or "
				"--machine=root:DIR", i->common.machine);
	snprintf(path, sizeof(path), "%s/proc/interrupts", root);
	status = read_counts(&before, path);
	if (!status)
		status = run_command_or_wait(i, &exit_status);
	if (!status)
		status = read_counts(&after, path);
	if (!status)
		show(i, &before, &after);
	free(before.list);
	free(after.list);
	return status ? status : exit_status;
}
