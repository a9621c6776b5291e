/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* uncore-doctor: leases, registers that dead sessions left changed, and restoring them (--leases, --repair). */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
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

long long doctor_lease_number(const struct uncoremsr_lease *l, enum uncoremsr_lease_property what)
{
	uint64_t v;

	return uncoremsr_lease_number(l, what, &v) ? -1 : (long long)v;
}

/* The text or number of a lease's property. */
#define TEXT(l, what) doctor_lease_text(l, UNCOREMSR_LEASE_##what)
#define NUMBER(l, what) doctor_lease_number(l, UNCOREMSR_LEASE_##what)

bool doctor_lease_is_ours(const struct uncoremsr_lease *l)
{
	return NUMBER(l, USER) < 0 || NUMBER(l, USER) == (long long)geteuid();
}

/* Write the place of a lease: "package 0 cbo3 counter 1", or "... register 0xe14" for a filter or gate. Returns @buf. */
static const char *place_of(const struct uncoremsr_lease *l, char *buf, size_t size)
{
	const char *unit = TEXT(l, UNIT);
	/* Nehalem's uncore has only one unit, so "counter 3" is enough. */
	bool named = *unit && strcmp(unit, "uncore") != 0;
	long long die_id = NUMBER(l, DIE), counter = NUMBER(l, COUNTER);
	char die[32] = "", what[32];

	if (die_id >= 0)
		snprintf(die, sizeof(die), " die %lld", die_id);
	snprintf(what, sizeof(what), counter >= 0 ? "counter %lld" : "register 0x%llx",
		 counter >= 0 ? counter : NUMBER(l, REGISTER));
	snprintf(buf, size, "package %lld%s%s%s %s", NUMBER(l, PACKAGE), die, named ? " " : "",
		 named ? unit : "", what);
	return buf;
}

/* At most so many leftovers are listed one by one; on a large machine there can be hundreds. */
enum { MOST_LEFTOVERS = 16, PLACE_SIZE = 96 };

static bool same_leaver(const struct uncoremsr_lease *a, const struct uncoremsr_lease *b)
{
	return NUMBER(a, STATE) == NUMBER(b, STATE) && NUMBER(a, PID) == NUMBER(b, PID) &&
	       NUMBER(a, USER) == NUMBER(b, USER) &&
	       strcmp(TEXT(a, COMMAND), TEXT(b, COMMAND)) == 0;
}

/* Add a finding about leftovers. If one process left many, only the first is named. */
static void add_leftover(struct doctor *d, size_t nth)
{
	const struct uncoremsr_lease *l = uncoremsr_lease(d->leases, nth), *other;
	size_t before = 0, num = 0;
	char more[64] = "", place[PLACE_SIZE], since_text[32] = "";
	time_t since = (time_t)NUMBER(l, SINCE);
	struct tm tm;

	for (size_t i = 0; (other = uncoremsr_lease(d->leases, i)); i++) {
		num += same_leaver(l, other);
		before += i < nth && same_leaver(l, other);
	}
	if (num > MOST_LEFTOVERS && before)
		return;
	if (num > MOST_LEFTOVERS)
		snprintf(more, sizeof(more), " and %zu more counters and registers", num - 1);
	if (since > 0 && gmtime_r(&since, &tm))
		strftime(since_text, sizeof(since_text), "%Y-%m-%dT%H:%M:%SZ", &tm);
	if (!doctor_lease_is_ours(l)) {
		doctor_add(d, "leftover", DOCTOR_LEFTOVER, "%s%s: left programmed by a session of user "
			   "%lld (process %lld, which has died): only that user's own uncore-doctor puts "
			   "it back", place_of(l, place, sizeof(place)), more, NUMBER(l, USER),
			   NUMBER(l, PID));
		doctor_next(d, "as user %lld: uncore-doctor%s --repair", NUMBER(l, USER), d->machine);
		return;
	}
	doctor_add(d, "leftover", DOCTOR_LEFTOVER, "%s%s: left programmed by %s (process %lld, "
		   "which has died) for %s since %s", place_of(l, place, sizeof(place)), more,
		   TEXT(l, COMMAND), NUMBER(l, PID), TEXT(l, EVENT), since_text);
	doctor_next(d, "uncore-doctor%s --repair", d->machine);
}

/*
 * Can this user use the lease directory? Root creates what is missing; others need a lock file shared with their group.
 */
static bool can_use(const char *path)
{
	char lock[PATH_MAX];

	if (euidaccess(path, R_OK | W_OK | X_OK) == 0)
		return true;
	snprintf(lock, sizeof(lock), "%s/lock", path);
	return euidaccess(path, R_OK | X_OK) == 0 && euidaccess(lock, R_OK | W_OK) == 0;
}

/* Is the directory writable? If it does not exist, sessions create it, so look at its parent. */
static void check_writable(struct doctor *d, const char *path)
{
	char parent[PATH_MAX];
	char *slash;
	int err;

	if (can_use(path))
		return;
	err = errno;
	if (err == ENOENT) {
		snprintf(parent, sizeof(parent), "%s", path);
		slash = strrchr(parent, '/');
		if (slash && slash > parent)
			*slash = '\0';
		if (euidaccess(parent, W_OK | X_OK) == 0)
			return;
		err = errno;
	}
	doctor_add(d, "lease-directory", DOCTOR_NO_ACCESS, "%s: %s: counters are shared, so "
		   "nothing is programmed without leases", path, strerror(err));
	if (err == ENOENT)
		doctor_next(d, "mkdir -p %s", path);
	else if (err == EROFS)
		doctor_next(d, "findmnt -T %s, and mount that file system writable", path);
	else
		doctor_next_grant(d);
}

/* Check that files which a group can write are on a file system of their own. */
static void check_room(struct doctor *d, const char *path)
{
	static const char *const shared[] = { "user", "lock" };
	char file[PATH_MAX];
	struct stat dir, st;

	if (geteuid() || lstat(path, &dir))
		return;
	for (size_t i = 0; i < ARRAY_SIZE(shared); i++) {
		snprintf(file, sizeof(file), "%s/%s", path, shared[i]);
		if (lstat(file, &st) || !(st.st_mode & S_IWGRP) || st.st_dev != dir.st_dev)
			continue;
		doctor_add(d, "lease-directory", DOCTOR_REMARK, "%s: members of the group can fill the file system "
				"of %s through it; then root has no room for a journal and cannot count", file,
			   path);
		doctor_next(d, "run the script of uncore-doctor --grant=GROUP, which gives the group a file system "
				"of its own");
		return;
	}
}

/* Suggest to remove a file. Its name is quoted, because any user may have chosen it. */
static void next_remove(struct doctor *d, const char *dir, const char *file)
{
	char path[PATH_MAX + UCHAR_MAX];
	struct out o;

	out_init(&o, -1);
	snprintf(path, sizeof(path), "%s/%s", dir, file);
	out_shell_str(&o, path);
	if (!o.error)
		doctor_next(d, "rm -r %.*s", (int)o.len, o.buf);
	out_free(&o);
}

static bool some_are_locked(const struct uncoremsr_leases *leases)
{
	const struct uncoremsr_lease *l;

	for (size_t i = 0; (l = uncoremsr_lease(leases, i)); i++)
		if (NUMBER(l, STATE) == UNCOREMSR_LEASE_LOCKED)
			return true;
	return false;
}

/* Read the leases. Locks without a journal may belong to a session that is starting, so try again for a while. */
static int read_leases(struct uncoremsr *um, struct uncoremsr_leases **leases)
{
	const struct timespec pause = { .tv_nsec = 100000000 };
	int err, tries = 20;

	while (!(err = uncoremsr_leases_read(um, leases)) && tries-- && some_are_locked(*leases)) {
		uncoremsr_leases_free(*leases);
		nanosleep(&pause, NULL);
	}
	return err;
}

/* Report a lock that no journal explains. If it covers more than one unit (@wide), nobody else can count. */
static void add_lock(struct doctor *d, const struct uncoremsr_lease *l)
{
	long long first = NUMBER(l, FIRST), last = NUMBER(l, LAST), pid = NUMBER(l, PID);
	bool wide = last < 0 || first >> 32 != last >> 32;
	char who[96] = "a process that cannot be seen from here", bytes[80] = "all";

	if (pid >= 0)
		snprintf(who, sizeof(who), "process %lld (%s) of user %lld", pid, TEXT(l, COMMAND),
			 NUMBER(l, USER));
	if (first == last)
		snprintf(bytes, sizeof(bytes), "byte 0x%llx", first);
	else if (last >= 0)
		snprintf(bytes, sizeof(bytes), "bytes 0x%llx to 0x%llx", first, last);
	else if (first)
		snprintf(bytes, sizeof(bytes), "byte 0x%llx and all after it", first);
	doctor_add(d, "locks", wide ? DOCTOR_UNSUPPORTED : DOCTOR_REMARK, "%s has locked %s of %s/%s, "
		   "but no session of ours has a lease for it: sessions wait for the lock, or are refused", who, bytes,
		   uncoremsr_lease_dir(d->um), TEXT(l, FILE));
	if (pid >= 0)
		doctor_next(d, "ps -fp %lld", pid);
	else
		doctor_next(d, "grep -l OFDLCK /proc/[0-9]*/fdinfo/* (as root, outside of containers)");
}

void doctor_check_leases(struct doctor *d)
{
	const char *path = uncoremsr_lease_dir(d->um);
	const struct uncoremsr_lease *l;
	int err = read_leases(d->um, &d->leases);

	if (err) {
		doctor_add_failure(d, "lease-directory");
		if (err == -EACCES)
			doctor_next_grant(d);
		return;
	}
	if (path) {
		check_writable(d, path);
		check_room(d, path);
	}
	for (size_t i = 0; (l = uncoremsr_lease(d->leases, i)); i++) {
		if (NUMBER(l, STATE) == UNCOREMSR_LEASE_LEFTOVER)
			add_leftover(d, i);
		if (NUMBER(l, STATE) == UNCOREMSR_LEASE_LOCKED)
			add_lock(d, l);
		if (NUMBER(l, STATE) != UNCOREMSR_LEASE_INVALID)
			continue;
		doctor_add(d, "invalid-lease", DOCTOR_LEFTOVER, "%s is not valid, so nothing is restored "
				"from it: %s", TEXT(l, FILE), TEXT(l, WHY));
		next_remove(d, path, TEXT(l, FILE));
	}
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
	static const char *const words[] = {
		[UNCOREMSR_LEASE_HELD] = "held",
		[UNCOREMSR_LEASE_LEFTOVER] = "leftover",
		[UNCOREMSR_LEASE_INVALID] = "invalid",
		[UNCOREMSR_LEASE_LOCKED] = "locked",
	};

	return value_text(v, words[NUMBER(row, STATE)]);
}

static enum record_state get_since(const void *row, struct record_value *v)
{
	long long since = NUMBER(row, SINCE);

	return since > 0 ? value_fixed(v, (uint64_t)since * NS_PER_S, 0) : RECORD_NONE;
}

/* The number of a counter; for a filter or gate the address of its register. */
static enum record_state get_register(const void *row, struct record_value *v)
{
	long long counter = NUMBER(row, COUNTER);

	if (counter < 0 && NUMBER(row, REGISTER) < 0)
		return RECORD_NONE;
	out_fmt(v->scratch, counter >= 0 ? "%lld" : "0x%llx",
		counter >= 0 ? counter : NUMBER(row, REGISTER));
	return record_composed(v);
}

static enum record_state get_event(const void *row, struct record_value *v)
{
	const char *why = TEXT(row, WHY);

	out_fmt(v->scratch, "%s%s%s", TEXT(row, EVENT), *why ? "  " : "", why);
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
	{ "user", RECORD_INT, .get = get_number, .what = UNCOREMSR_LEASE_USER },
	{ "journal", RECORD_STR, .get = get_text, .what = UNCOREMSR_LEASE_FILE },
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

	if (read_leases(d->um, &leases) < 0)
		return tool_fail(&doctor_tool, d->um);
	if (text && !uncoremsr_lease(leases, 0))
		out_fmt(w->out, "no counter is leased%s%s\n", dir ? " in " : ": each process has a simulated "
				"machine of its own", dir ? dir : "");
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

struct repaired {
	struct records *w;
	unsigned counters, registers; /* numbers of restored counters and other registers */
};

static void report_lease(void *user, enum uncoremsr_repair what, const struct uncoremsr_lease *l)
{
	struct repaired *r = user;
	const char *command = TEXT(l, COMMAND), *file = TEXT(l, FILE);
	char line[512], place[PLACE_SIZE], holder[64] = "";

	place_of(l, place, sizeof(place));
	switch (what) {
	case UNCOREMSR_REPAIR_DONE:
		*(NUMBER(l, COUNTER) >= 0 ? &r->counters : &r->registers) += 1;
		snprintf(line, sizeof(line), "%s: restored to what it held before %s (pid %lld) used it and died",
			 place, command, NUMBER(l, PID));
		break;
	case UNCOREMSR_REPAIR_NOT_OURS:
		snprintf(line, sizeof(line),
				"%s: nothing to restore: its %s holds 0x%llx, not what %s (pid %lld) wrote", place,
			 NUMBER(l, COUNTER) >= 0 ? "selector" : "register", NUMBER(l, HOLDS), command,
			 NUMBER(l, PID));
		break;
	case UNCOREMSR_REPAIR_IN_USE:
		snprintf(line, sizeof(line), "%s: left enabled, another program depends on it", place);
		break;
	case UNCOREMSR_REPAIR_NOT_BELIEVED:
		snprintf(line, sizeof(line), "journal %s: nothing is restored from it: %s", file, TEXT(l, WHY));
		break;
	case UNCOREMSR_REPAIR_PACKAGE_OFFLINE:
		snprintf(line, sizeof(line), "journal %s: cannot restore now: no CPU of package %lld is online", file,
			 NUMBER(l, PACKAGE));
		break;
	case UNCOREMSR_REPAIR_UNIT_OFFLINE:
		snprintf(line, sizeof(line), "journal %s: cannot restore now: %s is offline", file, TEXT(l, UNIT));
		break;
	case UNCOREMSR_REPAIR_ON_REQUEST:
		snprintf(line, sizeof(line), "%s: not put back: left by %s (pid %lld); uncore-doctor "
			 "--repair puts it back", place, command, NUMBER(l, PID));
		break;
	case UNCOREMSR_REPAIR_HELD:
		snprintf(holder, sizeof(holder), NUMBER(l, HOLDER) > 0 ? " (process %lld)" : "",
			 NUMBER(l, HOLDER));
		snprintf(line, sizeof(line), "%s: not put back: left by %s (pid %lld), but another session"
			 "%s holds it now; repeat uncore-doctor --repair when that has ended", place,
			 command, NUMBER(l, PID), holder);
		break;
	case UNCOREMSR_REPAIR_OF_USER:
		if (NUMBER(l, SELECTOR) >= 0)
			snprintf(holder, sizeof(holder), " (register 0x%llx holds 0x%llx)",
				 NUMBER(l, SELECTOR), NUMBER(l, HOLDS));
		snprintf(line, sizeof(line), "user %lld: %s%s, left by pid %lld: that user's own "
			 "uncore-doctor --repair puts it back", NUMBER(l, USER), place, holder,
			 NUMBER(l, PID));
		break;
	case UNCOREMSR_REPAIR_BORROWED:
		if (NUMBER(l, SELECTOR) >= 0)
			snprintf(holder, sizeof(holder), " (register 0x%llx holds 0x%llx)",
				 NUMBER(l, SELECTOR), NUMBER(l, HOLDS));
		snprintf(line, sizeof(line), "%s%s, left by %s (pid %lld): not put back: user %lld may write "
			 "the journal, but registers only through this program; ask root "
			 "(uncore-doctor(1), LEAST PRIVILEGE)", place, holder, command, NUMBER(l, PID),
			 NUMBER(l, USER));
		break;
	}
	record_row(r->w, repair_columns, ARRAY_SIZE(repair_columns), line);
}

int doctor_repair(struct doctor *d)
{
	struct records *w = &d->records;
	struct repaired r = { .w = w };
	struct uncoremsr_leases *leases = NULL;
	const struct uncoremsr_lease *l;
	struct tool_wait signals;
	size_t left = 0;
	char registers[48] = "";
	int err;

	if (!records_for_people(w))
		record_head(w, repair_columns, ARRAY_SIZE(repair_columns));
	/* Block signals until everything is restored; a pending one ends the tool then. */
	wait_init(&signals, false);
	err = uncoremsr_repair(d->um, report_lease, &r);
	sigprocmask(SIG_SETMASK, &signals.old_mask, NULL);
	if (err < 0 || uncoremsr_leases_read(d->um, &leases) < 0)
		return tool_fail(&doctor_tool, d->um);
	for (size_t i = 0; (l = uncoremsr_lease(leases, i)); i++)
		left += NUMBER(l, STATE) == UNCOREMSR_LEASE_LEFTOVER ||
			NUMBER(l, STATE) == UNCOREMSR_LEASE_INVALID;
	uncoremsr_leases_free(leases);
	if (r.registers)
		snprintf(registers, sizeof(registers), " and %u other register%s", r.registers,
			 r.registers == 1 ? "" : "s");
	if (records_for_people(w))
		out_fmt(w->out, "%u counter%s%s put back, %zu lease%s left over\n", r.counters,
			r.counters == 1 ? "" : "s", registers, left, left == 1 ? "" : "s");
	return left ? TOOL_PARTIAL : TOOL_DONE;
}
