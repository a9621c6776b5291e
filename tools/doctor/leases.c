/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* uncore-doctor: leases, what sessions left behind, and putting it back. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "common/wait.h"
#include "doctor/doctor.h"

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

const char *doctor_lease_text(const struct uncoremsr_lease *l, enum uncoremsr_lease_property what)
{
	const char *text = uncoremsr_lease_text(l, what);

	return text ? text : "";
}

int64_t doctor_lease_number(const struct uncoremsr_lease *l, enum uncoremsr_lease_property what)
{
	uint64_t v;

	return uncoremsr_lease_number(l, what, &v) ? -1 : (int64_t)v;
}

static const char *state_word(const struct uncoremsr_lease *l)
{
	static const char *const words[] = {
		[UNCOREMSR_LEASE_HELD] = "held",
		[UNCOREMSR_LEASE_LEFTOVER] = "leftover",
		[UNCOREMSR_LEASE_INVALID] = "invalid",
	};

	return words[doctor_lease_number(l, UNCOREMSR_LEASE_STATE)];
}

static const char *format_time(int64_t since, char buf[32])
{
	time_t t = (time_t)since;
	struct tm tm;

	buf[0] = '\0';
	if (since > 0 && gmtime_r(&t, &tm))
		strftime(buf, 32, "%Y-%m-%dT%H:%M:%SZ", &tm);
	return buf;
}

/* "package 0 cbo3 counter 1", or "... register 0xe14" for a filter or a gate. */
static const char *format_place(const struct uncoremsr_lease *l, char *buf, size_t size)
{
	const char *unit = doctor_lease_text(l, UNCOREMSR_LEASE_UNIT);
	long long package = doctor_lease_number(l, UNCOREMSR_LEASE_PACKAGE);
	long long die = doctor_lease_number(l, UNCOREMSR_LEASE_DIE);
	long long counter = doctor_lease_number(l, UNCOREMSR_LEASE_COUNTER);
	/* The uncore of Nehalem is one unit, and "counter 3" says it all. */
	bool named = *unit && strcmp(unit, "uncore") != 0;
	char of[32] = "";

	if (die >= 0)
		snprintf(of, sizeof(of), " die %lld", die);
	if (counter >= 0)
		snprintf(buf, size, "package %lld%s%s%s counter %lld", package, of,
			 named ? " " : "", named ? unit : "", counter);
	else
		snprintf(buf, size, "package %lld%s%s%s register 0x%llx", package, of,
			 named ? " " : "", named ? unit : "",
			 (long long)doctor_lease_number(l, UNCOREMSR_LEASE_REGISTER));
	return buf;
}

/* Of one process, listed one by one: on a large machine there are hundreds. */
enum { MOST_LEFTOVERS = 16 };

static bool same_leaver(const struct uncoremsr_lease *a, const struct uncoremsr_lease *b)
{
	return doctor_lease_number(a, UNCOREMSR_LEASE_STATE) == doctor_lease_number(b, UNCOREMSR_LEASE_STATE) &&
	       doctor_lease_number(a, UNCOREMSR_LEASE_PID) == doctor_lease_number(b, UNCOREMSR_LEASE_PID) &&
	       strcmp(doctor_lease_text(a, UNCOREMSR_LEASE_COMMAND), doctor_lease_text(b, UNCOREMSR_LEASE_COMMAND)) == 0;
}

/* How many its process left in all, and in *@before how many of these stand before it. */
static unsigned count_leftovers(const struct uncoremsr_leases *leases,
				const struct uncoremsr_lease *l, unsigned *before)
{
	const struct uncoremsr_lease *other;
	bool past = false;
	unsigned n = 0;

	*before = 0;
	for (size_t i = 0; (other = uncoremsr_lease(leases, i)); i++) {
		past = past || other == l;
		n += same_leaver(l, other);
		*before += !past && same_leaver(l, other);
	}
	return n;
}

static void add_leftover(struct doctor *d, const struct uncoremsr_leases *leases,
			 const struct uncoremsr_lease *l)
{
	char since[32], place[96], more[64] = "";
	unsigned before, num = count_leftovers(leases, l, &before);

	if (num > MOST_LEFTOVERS && before)
		return;
	if (num > MOST_LEFTOVERS)
		snprintf(more, sizeof(more), " and %u more counters and registers", num - 1);
	doctor_add(d, "leftover", DOCTOR_LEFTOVER, TOOL_PARTIAL, "%s%s: left "
		   "programmed by %s (process %ld, which has died) for %s since %s",
		   format_place(l, place, sizeof(place)), more,
		   doctor_lease_text(l, UNCOREMSR_LEASE_COMMAND), doctor_lease_number(l, UNCOREMSR_LEASE_PID), doctor_lease_text(l, UNCOREMSR_LEASE_EVENT),
		   format_time(doctor_lease_number(l, UNCOREMSR_LEASE_SINCE), since));
	doctor_next(d, "uncore-doctor%s --repair", d->machine);
}

static void add_invalid(struct doctor *d, const struct uncoremsr_lease *l)
{
	char place[96];

	doctor_add(d, "invalid-lease", DOCTOR_LEFTOVER, TOOL_PARTIAL, "%s: its lease file is not "
		   "valid and is never replayed: %s", format_place(l, place, sizeof(place)),
		   doctor_lease_text(l, UNCOREMSR_LEASE_WHY));
	doctor_next(d, "rm %s/%s (its first lines say whose it was)", uncoremsr_lease_dir(d->um),
		    doctor_lease_text(l, UNCOREMSR_LEASE_FILE));
}

void doctor_check_leases(struct doctor *d, const struct uncoremsr_leases *leases)
{
	const struct uncoremsr_lease *l;

	for (size_t i = 0; leases && (l = uncoremsr_lease(leases, i)); i++) {
		if (doctor_lease_number(l, UNCOREMSR_LEASE_STATE) == UNCOREMSR_LEASE_LEFTOVER)
			add_leftover(d, leases, l);
		else if (doctor_lease_number(l, UNCOREMSR_LEASE_STATE) == UNCOREMSR_LEASE_INVALID)
			add_invalid(d, l);
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

bool doctor_check_lease_dir(struct doctor *d, struct uncoremsr_leases **leases)
{
	const char *path = uncoremsr_lease_dir(d->um);
	int err = uncoremsr_leases_read(d->um, leases);

	if (!err && path)
		check_writable(d, path);
	if (!err)
		return true;
	doctor_add_failure(d, "lease-directory");
	if (err == -EACCES)
		doctor_next_grant(d);
	return false;
}

/* ---- --leases ---- */

static enum record_state get_number(const void *row, struct record_value *v)
{
	return !uncoremsr_lease_number(row, (enum uncoremsr_lease_property)v->column->what,
				       &v->count);
}

static enum record_state get_text(const void *row, struct record_value *v)
{
	const char *text = doctor_lease_text(row, (enum uncoremsr_lease_property)v->column->what);

	return value_text(v, *text ? text : NULL);
}

static enum record_state get_state(const void *row, struct record_value *v)
{
	return value_text(v, state_word(row));
}

static enum record_state get_since(const void *row, struct record_value *v)
{
	int64_t since = doctor_lease_number(row, UNCOREMSR_LEASE_SINCE);

	return since > 0 ? value_fixed(v, (uint64_t)since * NS_PER_S, 0) : RECORD_NONE;
}

/* The counter, or the address of the register that is none. */
static enum record_state get_register(const void *row, struct record_value *v)
{
	int64_t counter = doctor_lease_number(row, UNCOREMSR_LEASE_COUNTER);

	if (counter >= 0)
		out_u64(v->scratch, (uint64_t)counter);
	else
		out_fmt(v->scratch, "0x%llx",
			(long long)doctor_lease_number(row, UNCOREMSR_LEASE_REGISTER));
	return record_composed(v);
}

static enum record_state get_event(const void *row, struct record_value *v)
{
	const char *why = doctor_lease_text(row, UNCOREMSR_LEASE_WHY);

	out_fmt(v->scratch, "%s%s%s", doctor_lease_text(row, UNCOREMSR_LEASE_EVENT), *why ? "  " : "",
		why);
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

static void report_lease(void *user, enum uncoremsr_repair what, const struct uncoremsr_lease *l)
{
	const char *command = doctor_lease_text(l, UNCOREMSR_LEASE_COMMAND);
	const char *file = doctor_lease_text(l, UNCOREMSR_LEASE_FILE);
	long long pid = doctor_lease_number(l, UNCOREMSR_LEASE_PID);
	bool counter = doctor_lease_number(l, UNCOREMSR_LEASE_COUNTER) >= 0;
	char place[96], line[512];

	format_place(l, place, sizeof(place));
	switch (what) {
	case UNCOREMSR_REPAIR_DONE:
		snprintf(line, sizeof(line), "%s: put back what it held before %s (pid %lld) died",
			 place, command, pid);
		break;
	case UNCOREMSR_REPAIR_NOT_OURS:
		snprintf(line, sizeof(line), "%s: nothing to put back: its %s holds 0x%llx, which %s "
			 "(pid %lld) did not write", place, counter ? "selector" : "register",
			 (long long)doctor_lease_number(l, UNCOREMSR_LEASE_HOLDS), command, pid);
		break;
	case UNCOREMSR_REPAIR_IN_USE:
		snprintf(line, sizeof(line), "%s: left enabled, another program depends on it", place);
		break;
	case UNCOREMSR_REPAIR_NOT_BELIEVED:
		snprintf(line, sizeof(line), "lease file %s is not replayed: %s", file,
			 doctor_lease_text(l, UNCOREMSR_LEASE_WHY));
		break;
	case UNCOREMSR_REPAIR_PACKAGE_OFFLINE:
		snprintf(line, sizeof(line), "lease file %s: no CPU of package %lld is online", file,
			 (long long)doctor_lease_number(l, UNCOREMSR_LEASE_PACKAGE));
		break;
	case UNCOREMSR_REPAIR_UNIT_OFFLINE:
		snprintf(line, sizeof(line), "lease file %s: %s is offline", file,
			 doctor_lease_text(l, UNCOREMSR_LEASE_UNIT));
		break;
	}
	record_row(user, repair_columns, ARRAY_SIZE(repair_columns), line);
}

/* How many leases are left that are neither held nor fine. */
static size_t count_left(const struct uncoremsr_leases *leases)
{
	const struct uncoremsr_lease *l;
	size_t left = 0;

	for (size_t i = 0; (l = uncoremsr_lease(leases, i)); i++)
		left += doctor_lease_number(l, UNCOREMSR_LEASE_STATE) != UNCOREMSR_LEASE_HELD;
	return left;
}

int doctor_repair(struct doctor *d)
{
	struct records *w = &d->records;
	struct uncoremsr_leases *leases = NULL;
	size_t left;
	int done;

	if (!records_for_people(w))
		record_head(w, repair_columns, ARRAY_SIZE(repair_columns));
	done = uncoremsr_repair(d->um, report_lease, w);
	if (done < 0 || uncoremsr_leases_read(d->um, &leases) < 0)
		return tool_fail(&doctor_tool, d->um);
	left = count_left(leases);
	uncoremsr_leases_free(leases);
	if (records_for_people(w))
		out_fmt(w->out, "%d counter%s put back, %zu lease%s left over\n", done,
			done == 1 ? "" : "s", left, left == 1 ? "" : "s");
	return left ? TOOL_PARTIAL : TOOL_DONE;
}
