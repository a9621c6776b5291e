/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* --when and --do: a program that is run when a limit is passed, one at a time. It cannot delay the counting. */
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/installed_lists.h"
#include "common/memory.h"
#include "read/read.h"

#define LONGEST_NS (30 * NS_PER_S)
/* At the end, uncore-read waits at most this long for a program that still runs. */
#define LONGEST_AT_END_NS (2 * NS_PER_S)

/* ---- the command line ---- */

int read_when_add(struct read_config *cfg, const char *text)
{
	const char *sign = strrchr(text, '>'), *number = sign ? sign + 1 + strspn(sign + 1, " ") : "";
	size_t len = sign ? (size_t)(sign - text) : 0;
	struct read_when when = { .text = text };
	char *end;

	while (len && text[len - 1] == ' ')
		len--;
	when.limit = strtod(number, &end);
	when.per_second = strcmp(end, "/s") == 0;
	if (!len || !*number || !strchr("0123456789.", *number) || (*end && !when.per_second) || !isfinite(when.limit))
		return tool_usage("--when: '%s': must be EVENT>N or EVENT>N/s", text);
	when.event = need(strndup(text, len));
	NEED_APPEND(cfg->whens, cfg->num_whens, when);
	return 0;
}

static int check_file(const char *path)
{
	struct stat st;

	if (stat(path, &st) < 0)
		return errno;
	return !S_ISREG(st.st_mode) ? EACCES : access(path, X_OK) < 0 ? errno : 0;
}

static int check_program(const char *program)
{
	const char *dirs = getenv("PATH");
	char path[PATH_MAX];
	int err = ENOENT;

	if (strchr(program, '/'))
		return check_file(program);
	for (size_t len; dirs && err; dirs = dirs[len] ? dirs + len + 1 : NULL) {
		len = strcspn(dirs, ":");
		snprintf(path, sizeof(path), "%.*s/%s", (int)len, dirs, program);
		err = check_file(path);
	}
	return err;
}

int read_do_add(struct read_config *cfg, const char *program)
{
	bool any = false;
	int err = *program ? check_program(program) : ENOENT;

	if (err)
		return tool_usage("--do: %s: %s", OUT_QUOTED(program), strerror(err));
	for (size_t i = 0; i < cfg->num_whens; i++)
		if (!cfg->whens[i].program) {
			cfg->whens[i].program = program;
			any = true;
		}
	return any ? 0 : tool_usage("--do: put a --when before it");
}

int read_when_check(const struct read_config *cfg)
{
	for (size_t i = 0; i < cfg->num_whens; i++)
		if (!cfg->whens[i].program)
			return tool_usage("--when: '%s': put a --do PROGRAM after it", cfg->whens[i].text);
	return 0;
}

void read_when_free(struct read_config *cfg)
{
	for (size_t i = 0; i < cfg->num_whens; i++) {
		free(cfg->whens[i].event);
		free(cfg->whens[i].name);
	}
	free(cfg->whens);
}

/* ---- the events of --when ---- */

static bool is_counted(const struct uncoremsr_session *s, const struct read_when *when)
{
	const char *name;

	for (size_t i = 0; (name = counted_name(s, when->metric, i)); i++)
		if (!strcmp(name, when->name))
			return true;
	return false;
}

/* An event gets the name that readings have when it is added to a session. @s only serves to find this name. */
static int name_event(struct read_run *run, struct read_when *when, struct uncoremsr_session *s)
{
	int status;

	when->metric = installed_lists_add(run->um, s, uncoremsr_session_add_metric, when->event,
					   &run->cfg->tried_installed) >= 0;
	status = when->metric ? 0 : read_target_add(run, s, when->event);
	if (status)
		return status;
	if (counted_name(s, when->metric, 1))
		return tool_usage("--when: '%s': matches more than one %s", when->event,
				  when->metric ? "metric" : "event");
	if (when->per_second && (when->metric || uncoremsr_session_event(s, 0)->level))
		return tool_usage("--when: '%s': a metric has no rate; leave out /s", when->event);
	when->name = strdup(counted_name(s, when->metric, 0));
	return when->name ? 0 : tool_no_memory();
}

int read_when_count(struct read_run *run, bool metrics)
{
	int status = 0;

	for (size_t i = 0; i < run->cfg->num_whens && !status; i++) {
		struct read_when *when = &run->cfg->whens[i];
		struct uncoremsr_session *alone = NULL;

		if (!when->name) {
			if (uncoremsr_session_new(run->um, &alone) < 0)
				return tool_no_memory();
			uncoremsr_session_set(alone, UNCOREMSR_SESSION_ROUTE, run->cfg->route);
			status = name_event(run, when, alone);
			uncoremsr_session_free(alone);
		}
		if (status || when->metric != metrics || is_counted(run->session, when))
			continue;
		if (!metrics)
			status = read_target_add(run, run->session, when->event);
		else if (uncoremsr_session_add_metric(run->session, when->event) < 0)
			status = tool_fail(run->um);
	}
	return status;
}

/* ---- the limits of --when ---- */

static bool value_of(const struct read_when *when, struct read_row *row, double *v)
{
	uint64_t ns = row->task ? row->run->end_ns - row->run->last_ns : row->enabled_ns;

	if (row->metric) {
		*v = row->metric_reading->value;
		return row->metric_reading->status == UNCOREMSR_OK;
	}
	if (row->status != UNCOREMSR_OK || (when->per_second && !ns))
		return false;
	*v = (double)row->reading->value;
	if (when->per_second)
		*v = *v * 1e9 / (double)ns;
	return true;
}

/* The caller fills in the newest values. NULL: the list of programs to start is full, or there is no memory. */
static struct read_due *due_at(struct read_actions *a, const struct read_when *when, const char *place)
{
	for (size_t i = 0; i < a->num; i++)
		if (a->due[i].when == when && !strcmp(a->due[i].place, place))
			return &a->due[i];
	if (a->num == READ_MOST_DUE)
		a->dropped++;
	else if (ARRAY_ROOM(a->due, a->num, 1))
		out_lacks_memory();
	else
		return &a->due[a->num++];
	return NULL;
}

void read_actions_look(struct read_run *run, struct read_row *row)
{
	for (size_t i = 0; i < run->cfg->num_whens; i++) {
		const struct read_when *when = &run->cfg->whens[i];
		char place[READ_NAME_SIZE];
		struct read_due *due;
		double v;

		if (when->metric != (row->metric != NULL) || strcmp(when->name, row->name) != 0 ||
		    !value_of(when, row, &v) || !(v > when->limit))
			continue;
		due = due_at(&run->actions, when, read_row_place(row, place, sizeof(place)));
		if (!due)
			continue;
		due->when = when;
		due->value = v;
		due->sequence = run->sequence;
		due->wall_ns = run->end_ns + run->wall_offset_ns;
		snprintf(due->place, sizeof(due->place), "%s", place);
	}
}

/* ---- the program ---- */

static void set_number(const char *name, double v, char *buf, size_t size)
{
	snprintf(buf, size, fabs(v) < 1e15 && v == (double)(int64_t)v ? "%.0f" : "%.6f", v);
	setenv(name, buf, 1);
}

static int launch(struct read_actions *a, const struct read_due *due, const struct tool_wait *w)
{
	char value[352], limit[352], sequence[24];
	char *argv[] = { (char *)(uintptr_t)due->when->program, due->when->name, value,
			 (char *)(uintptr_t)due->place, NULL };
	struct out stamp;
	int err;

	out_init(&stamp, -1);
	out_timestamp(&stamp, due->wall_ns, 9);
	set_number("UNCOREMSR_VALUE", due->value, value, sizeof(value));
	set_number("UNCOREMSR_LIMIT", due->when->limit, limit, sizeof(limit));
	snprintf(sequence, sizeof(sequence), "%ju", (uintmax_t)due->sequence);
	setenv("UNCOREMSR_SEQUENCE", sequence, 1);
	setenv("UNCOREMSR_EVENT", due->when->name, 1);
	setenv("UNCOREMSR_PLACE", due->place, 1);
	setenv("UNCOREMSR_TIMESTAMP", out_text(&stamp), 1);
	out_free(&stamp);
	a->program = (struct command){ .apart = true };
	err = command_hold(&a->program, argv, w);
	if (!err)
		err = -command_go(&a->program);
	a->until_ns = clock_now(CLOCK_MONOTONIC) + LONGEST_NS;
	return err;
}

static void reap(struct read_actions *a)
{
	if (!read_actions_busy(a))
		return;
	command_reap(&a->program);
	if (!a->program.done)
		return;
	if (a->killed)
		tool_say(0, "--do: %s: killed, because it %s", a->program.name, a->killed);
	else if (command_exit(&a->program))
		tool_say(0, "--do: %s: ended with exit status %d", a->program.name, command_exit(&a->program));
	command_drop(&a->program);
	a->program.pid = 0;
	a->killed = NULL;
}

static void kill_it(struct read_actions *a, const char *why)
{
	if (!read_actions_busy(a))
		return;
	kill(-a->program.pid, SIGKILL);
	kill(a->program.pid, SIGKILL);
	a->killed = why;
}

void read_actions_go_on(struct read_run *run)
{
	struct read_actions *a = &run->actions;

	reap(a);
	if (read_actions_busy(a) && clock_now(CLOCK_MONOTONIC) >= a->until_ns)
		kill_it(a, "took longer than 30 seconds");
	while (!read_actions_busy(a) && a->num) {
		struct read_due due = a->due[0];
		int err = launch(a, &due, &run->wait);

		memmove(a->due, a->due + 1, --a->num * sizeof(*a->due));
		if (err < 0)
			tool_say(0, "--do: %s: %s", OUT_QUOTED(due.when->program), strerror(-err));
	}
}

static enum wake wait_a_little(struct read_run *run)
{
	return wait_signal(&run->wait, clock_now(CLOCK_MONOTONIC) + NS_PER_S / 10);
}

void read_actions_finish(struct read_run *run, bool at_once)
{
	struct read_actions *a = &run->actions;
	uint64_t until = clock_now(CLOCK_MONOTONIC) + LONGEST_AT_END_NS;

	while (!at_once && (read_actions_busy(a) || a->num) && clock_now(CLOCK_MONOTONIC) < until) {
		enum wake wake;

		read_actions_go_on(run);
		wake = read_actions_busy(a) ? wait_a_little(run) : WAKE_CHILD;
		at_once = wake == WAKE_STOP || wake == WAKE_DIE;
	}
	a->dropped += at_once ? 0 : a->num;
	a->num = 0;
	kill_it(a, "was still running two seconds after the last interval");
	while (read_actions_busy(a)) {
		wait_a_little(run);
		reap(a);
	}
	if (a->dropped)
		tool_say(0, "--do: %zu time%s no program was started, because too many were waiting",
			 a->dropped, a->dropped == 1 ? "" : "s");
}
