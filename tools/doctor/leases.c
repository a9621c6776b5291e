/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* uncore-doctor: leases, what sessions left behind, and putting it back. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "common/wait.h"
#include "doctor/doctor.h"

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

static const char *text_of(const struct uncoremsr_lease *l, enum uncoremsr_lease_property what)
{
	const char *text = uncoremsr_lease_text(l, what);

	return text ? text : "";
}

static long long number_of(const struct uncoremsr_lease *l, enum uncoremsr_lease_property what)
{
	uint64_t v;

	return uncoremsr_lease_number(l, what, &v) ? -1 : (long long)v;
}

static struct doctor_lease look_at(const struct uncoremsr_lease *l)
{
	struct doctor_lease d = {
		.unit = text_of(l, UNCOREMSR_LEASE_UNIT),
		.command = text_of(l, UNCOREMSR_LEASE_COMMAND),
		.event = text_of(l, UNCOREMSR_LEASE_EVENT),
		.file = text_of(l, UNCOREMSR_LEASE_FILE),
		.why = text_of(l, UNCOREMSR_LEASE_WHY),
		.state = (enum uncoremsr_lease_state)number_of(l, UNCOREMSR_LEASE_STATE),
		.package = number_of(l, UNCOREMSR_LEASE_PACKAGE),
		.die = number_of(l, UNCOREMSR_LEASE_DIE),
		.counter = number_of(l, UNCOREMSR_LEASE_COUNTER),
		.pid = number_of(l, UNCOREMSR_LEASE_PID),
	};
	/* The uncore of Nehalem is one unit, and "counter 3" says it all. */
	bool named = *d.unit && strcmp(d.unit, "uncore") != 0;
	time_t since = (time_t)number_of(l, UNCOREMSR_LEASE_SINCE);
	long long address = number_of(l, UNCOREMSR_LEASE_REGISTER);
	char die[32] = "", what[32];
	struct tm tm;

	if (d.die >= 0)
		snprintf(die, sizeof(die), " die %lld", d.die);
	snprintf(what, sizeof(what), d.counter >= 0 ? "counter %lld" : "register 0x%llx",
		 d.counter >= 0 ? d.counter : address);
	snprintf(d.place, sizeof(d.place), "package %lld%s%s%s %s", d.package, die, named ? " " : "",
		 named ? d.unit : "", what);
	if (since > 0 && gmtime_r(&since, &tm))
		strftime(d.since, sizeof(d.since), "%Y-%m-%dT%H:%M:%SZ", &tm);
	return d;
}

/* Of one process, listed one by one: on a large machine there are hundreds. */
enum { MOST_LEFTOVERS = 16 };

static bool same_leaver(const struct doctor_lease *a, const struct doctor_lease *b)
{
	return a->state == b->state && a->pid == b->pid && strcmp(a->command, b->command) == 0;
}

/* Of many that one process left only the first is named. */
static void add_leftover(struct doctor *d, const struct doctor_lease *l)
{
	size_t before = 0, num = 0;
	char more[64] = "";

	for (const struct doctor_lease *o = d->leases; o < d->leases + d->num_leases; o++) {
		num += same_leaver(l, o);
		before += o < l && same_leaver(l, o);
	}
	if (num > MOST_LEFTOVERS && before)
		return;
	if (num > MOST_LEFTOVERS)
		snprintf(more, sizeof(more), " and %zu more counters and registers", num - 1);
	doctor_add(d, "leftover", DOCTOR_LEFTOVER, TOOL_PARTIAL, "%s%s: left programmed by %s (process "
		   "%lld, which has died) for %s since %s", l->place, more, l->command, l->pid,
		   l->event, l->since);
	doctor_next(d, "uncore-doctor%s --repair", d->machine);
}

static void check_leases(struct doctor *d)
{
	for (const struct doctor_lease *l = d->leases; l < d->leases + d->num_leases; l++) {
		if (l->state == UNCOREMSR_LEASE_LEFTOVER)
			add_leftover(d, l);
		if (l->state != UNCOREMSR_LEASE_INVALID)
			continue;
		doctor_add(d, "invalid-lease", DOCTOR_LEFTOVER, TOOL_PARTIAL, "%s: its lease file is not "
			   "valid and is never replayed: %s", l->place, l->why);
		doctor_next(d, "rm %s/%s (its first lines say whose it was)",
			    uncoremsr_lease_dir(d->um), l->file);
	}
}

/* ---- the directory ---- */

static void add_unusable(struct doctor *d, const char *path, int err)
{
	doctor_add(d, "lease-directory", DOCTOR_BLOCKS, TOOL_NO_ACCESS, "%s: %s: counters are "
		   "shared, so nothing is programmed without leases", path, strerror(err));
	if (err == ENOENT)
		doctor_next(d, "mkdir -p %s", path);
	else if (err == EROFS)
		doctor_next(d, "findmnt -T %s, and mount that file system writable", path);
	else
		doctor_next_grant(d);
}

/* Sessions make the directory where it is missing, so then its parent is what counts. */
static void check_writable(struct doctor *d, const char *path)
{
	char parent[PATH_MAX];
	char *slash;

	if (euidaccess(path, R_OK | W_OK | X_OK) == 0)
		return;
	if (errno != ENOENT) {
		add_unusable(d, path, errno);
		return;
	}
	snprintf(parent, sizeof(parent), "%s", path);
	slash = strrchr(parent, '/');
	if (slash && slash > parent)
		*slash = '\0';
	if (euidaccess(parent, W_OK | X_OK) < 0)
		add_unusable(d, path, errno);
}

void doctor_check_leases(struct doctor *d)
{
	const char *path = uncoremsr_lease_dir(d->um);
	const struct uncoremsr_lease *l;
	int err = uncoremsr_leases_read(d->um, &d->all_leases);

	if (err) {
		doctor_add_failure(d, "lease-directory");
		if (err == -EACCES)
			doctor_next_grant(d);
		return;
	}
	if (path)
		check_writable(d, path);
	while (uncoremsr_lease(d->all_leases, d->num_leases))
		d->num_leases++;
	d->leases = calloc(d->num_leases + 1, sizeof(*d->leases));
	if (!d->leases) {
		d->no_memory = true;
		d->num_leases = 0;
		return;
	}
	for (size_t i = 0; (l = uncoremsr_lease(d->all_leases, i)); i++)
		d->leases[i] = look_at(l);
	check_leases(d);
}

/* ---- --leases ---- */

static enum record_state get_number(const void *row, struct record_value *v)
{
	return !uncoremsr_lease_number(row, (enum uncoremsr_lease_property)v->column->what,
				       &v->count);
}

static enum record_state get_text(const void *row, struct record_value *v)
{
	const char *text = text_of(row, (enum uncoremsr_lease_property)v->column->what);

	return value_text(v, *text ? text : NULL);
}

static enum record_state get_state(const void *row, struct record_value *v)
{
	static const char *const words[] = {
		[UNCOREMSR_LEASE_HELD] = "held",
		[UNCOREMSR_LEASE_LEFTOVER] = "leftover",
		[UNCOREMSR_LEASE_INVALID] = "invalid",
	};

	return value_text(v, words[number_of(row, UNCOREMSR_LEASE_STATE)]);
}

static enum record_state get_since(const void *row, struct record_value *v)
{
	long long since = number_of(row, UNCOREMSR_LEASE_SINCE);

	return since > 0 ? value_fixed(v, (uint64_t)since * NS_PER_S, 0) : RECORD_NONE;
}

/* The counter, or the address of the register that is none. */
static enum record_state get_register(const void *row, struct record_value *v)
{
	long long counter = number_of(row, UNCOREMSR_LEASE_COUNTER);

	out_fmt(v->scratch, counter >= 0 ? "%lld" : "0x%llx",
		counter >= 0 ? counter : number_of(row, UNCOREMSR_LEASE_REGISTER));
	return record_composed(v);
}

static enum record_state get_event(const void *row, struct record_value *v)
{
	const char *why = text_of(row, UNCOREMSR_LEASE_WHY);

	out_fmt(v->scratch, "%s%s%s", text_of(row, UNCOREMSR_LEASE_EVENT), *why ? "  " : "", why);
	return record_composed(v);
}

static const struct record_column columns[] = {
	{ "package", RECORD_INT, .get = get_number, .what = UNCOREMSR_LEASE_PACKAGE },
	{ "die", RECORD_INT, .get = get_number, .what = UNCOREMSR_LEASE_DIE },
	{ "counter", RECORD_INT, .get = get_number, .what = UNCOREMSR_LEASE_COUNTER },
	{ "pid", RECORD_INT, .get = get_number, .what = UNCOREMSR_LEASE_PID },
	{ "state", RECORD_STR, .get = get_state },
	{ "command", RECORD_STR, .get = get_text, .what = UNCOREMSR_LEASE_COMMAND },
	{ "event", RECORD_STR, .get = get_text, .what = UNCOREMSR_LEASE_EVENT },
	{ "since", RECORD_TIME, .get = get_since },
	{ "why", RECORD_STR, .get = get_text, .what = UNCOREMSR_LEASE_WHY },
	{ "unit", RECORD_STR, .get = get_text, .what = UNCOREMSR_LEASE_UNIT },
	{ "register", RECORD_WORD, .get = get_number, .what = UNCOREMSR_LEASE_REGISTER },
};

static const struct record_column table_columns[] = {
	{ "package", RECORD_INT, .get = get_number, .what = UNCOREMSR_LEASE_PACKAGE, .width = 7 },
	{ "unit", RECORD_STR, .get = get_text, .what = UNCOREMSR_LEASE_UNIT, .width = -6 },
	{ "counter", RECORD_STR, .get = get_register, .width = 7 },
	{ "state", RECORD_STR, .get = get_state, .width = -8 },
	{ "pid", RECORD_INT, .get = get_number, .what = UNCOREMSR_LEASE_PID, .width = 7 },
	{ "command", RECORD_STR, .get = get_text, .what = UNCOREMSR_LEASE_COMMAND, .width = -15 },
	{ "since", RECORD_TIME, .get = get_since, .width = -20 },
	{ "event", RECORD_STR, .get = get_event },
};

int doctor_show_leases(struct doctor *d)
{
	struct records *w = &d->records;
	const char *dir = uncoremsr_lease_dir(d->um);
	bool text = records_for_people(w);
	const struct record_column *c = text ? table_columns : columns;
	size_t num = text ? ARRAY_SIZE(table_columns) : ARRAY_SIZE(columns);
	struct uncoremsr_leases *leases = NULL;
	const struct uncoremsr_lease *l;

	if (uncoremsr_leases_read(d->um, &leases) < 0)
		return tool_fail(&doctor_tool, d->um);
	if (text && !uncoremsr_lease(leases, 0))
		out_fmt(w->out, "no counter is leased%s%s\n", dir ? " in " : ": this machine exists in "
			"this process only", dir ? dir : "");
	else
		record_head(w, c, num);
	for (size_t i = 0; (l = uncoremsr_lease(leases, i)); i++)
		record_row(w, c, num, l);
	uncoremsr_leases_free(leases);
	return TOOL_DONE;
}

/* ---- --repair ---- */

static enum record_state get_message(const void *row, struct record_value *v)
{
	return value_text(v, row);
}

static const struct record_column repair_columns[] = {
	{ "message", RECORD_STR, .get = get_message },
};

static void report_lease(void *user, enum uncoremsr_repair what, const struct uncoremsr_lease *lease)
{
	struct doctor_lease l = look_at(lease);
	char line[512];

	switch (what) {
	case UNCOREMSR_REPAIR_DONE:
		snprintf(line, sizeof(line), "%s: put back what it held before %s (pid %lld) died",
			 l.place, l.command, l.pid);
		break;
	case UNCOREMSR_REPAIR_NOT_OURS:
		snprintf(line, sizeof(line), "%s: nothing to put back: its %s holds 0x%llx, which %s "
			 "(pid %lld) did not write", l.place, l.counter >= 0 ? "selector" : "register",
			 number_of(lease, UNCOREMSR_LEASE_HOLDS), l.command, l.pid);
		break;
	case UNCOREMSR_REPAIR_IN_USE:
		snprintf(line, sizeof(line), "%s: left enabled, another program depends on it", l.place);
		break;
	case UNCOREMSR_REPAIR_NOT_BELIEVED:
		snprintf(line, sizeof(line), "lease file %s is not replayed: %s", l.file, l.why);
		break;
	case UNCOREMSR_REPAIR_PACKAGE_OFFLINE:
		snprintf(line, sizeof(line), "lease file %s: no CPU of package %lld is online", l.file,
			 l.package);
		break;
	case UNCOREMSR_REPAIR_UNIT_OFFLINE:
		snprintf(line, sizeof(line), "lease file %s: %s is offline", l.file, l.unit);
		break;
	}
	record_row(user, repair_columns, ARRAY_SIZE(repair_columns), line);
}

int doctor_repair(struct doctor *d)
{
	struct records *w = &d->records;
	struct uncoremsr_leases *leases = NULL;
	const struct uncoremsr_lease *l;
	size_t left = 0;
	int done;

	if (!records_for_people(w))
		record_head(w, repair_columns, ARRAY_SIZE(repair_columns));
	done = uncoremsr_repair(d->um, report_lease, w);
	if (done < 0 || uncoremsr_leases_read(d->um, &leases) < 0)
		return tool_fail(&doctor_tool, d->um);
	for (size_t i = 0; (l = uncoremsr_lease(leases, i)); i++)
		left += number_of(l, UNCOREMSR_LEASE_STATE) != UNCOREMSR_LEASE_HELD;
	uncoremsr_leases_free(leases);
	if (records_for_people(w))
		out_fmt(w->out, "%d counter%s put back, %zu lease%s left over\n", done,
			done == 1 ? "" : "s", left, left == 1 ? "" : "s");
	return left ? TOOL_PARTIAL : TOOL_DONE;
}
