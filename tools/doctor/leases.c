/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* uncore-doctor: leases, registers that dead sessions left changed, and restoring them (--leases, --repair). */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

#include "common/digits.h"
#include "common/wait.h"
#include "doctor/doctor.h"

bool doctor_lease_is_ours(const struct uncoremsr_lease *l)
{
	return l->user < 0 || l->user == (long)geteuid();
}

static const char *known(const char *text)
{
	return text ? text : "";
}

enum { PLACE_SIZE = 96 };

/* What the lease covers: "package 0 cbo3 counter 1"; "... register 0xe14" for a filter or gate. Returns @buf. */
static const char *place_of(const struct uncoremsr_lease *l, char buf[PLACE_SIZE])
{
	/* Nehalem's uncore has only one unit, so "counter 3" is enough. */
	bool named = *l->unit && strcmp(l->unit, "uncore") != 0;
	char die[32] = "", what[32];

	if (l->die >= 0)
		snprintf(die, sizeof(die), " die %d", l->die);
	if (l->counter >= 0)
		snprintf(what, sizeof(what), "counter %d", l->counter);
	else
		snprintf(what, sizeof(what), "register 0x%" PRIx64, l->msr);
	snprintf(buf, PLACE_SIZE, "package %d%s%s%s %s", l->package, die, named ? " " : "", named ? l->unit : "", what);
	return buf;
}

/* Count the leases whose state is in the bit mask @states. @file: count only leases of this journal; may be NULL. */
static size_t count(const struct uncoremsr_leases *leases, unsigned states, const char *file)
{
	const struct uncoremsr_lease *l;
	size_t num = 0;

	for (size_t i = 0; (l = leases->list[i]); i++)
		num += states >> l->state & 1 && (!file || strcmp(l->file, file) == 0);
	return num;
}

enum { LEFTOVER = 1 << UNCOREMSR_LEASE_LEFTOVER, INVALID = 1 << UNCOREMSR_LEASE_INVALID,
       LOCKED = 1 << UNCOREMSR_LEASE_LOCKED };

/* Maximum number of leftovers listed one by one; a large machine can have hundreds. */
enum { MOST_LEFTOVERS = 16 };

static bool same_leaver(const struct uncoremsr_lease *a, const struct uncoremsr_lease *b)
{
	return a->state == b->state && a->pid == b->pid && a->user == b->user &&
	       strcmp(known(a->command), known(b->command)) == 0;
}

static void next_of_user(struct doctor *d, const struct uncoremsr_lease *l)
{
	doctor_next(d, "as user %ld: uncore-doctor%s --repair", l->user, d->machine);
}

/* Add a finding about a leftover. If one process left many, name only the first and give the number of the others. */
static void add_leftover(struct doctor *d, size_t nth)
{
	const struct uncoremsr_lease *l = d->leases->list[nth], *other;
	size_t before = 0, num = 0;
	char more[64] = "", place[PLACE_SIZE], since[DIGITS_ROOM] = "";

	for (size_t i = 0; (other = d->leases->list[i]); i++) {
		num += same_leaver(l, other);
		before += i < nth && same_leaver(l, other);
	}
	if (num > MOST_LEFTOVERS && before)
		return;
	if (num > MOST_LEFTOVERS)
		snprintf(more, sizeof(more), " and %zu more counters and registers", num - 1);
	if (l->since && l->since != UINT64_MAX)
		*digits_time(since, l->since * NS_PER_S, 0) = '\0';
	if (!doctor_lease_is_ours(l)) {
		doctor_add(d, "leftover", DOCTOR_LEFTOVER, "%s%s: left programmed by a session of user %ld (process "
			   "%ld, which has died): only that user's own uncore-doctor puts it back", place_of(l, place),
			   more, l->user, l->pid);
		next_of_user(d, l);
		return;
	}
	doctor_add(d, "leftover", DOCTOR_LEFTOVER, "%s%s: left programmed by %s (process %ld, which has died) for %s "
		   "since %s", place_of(l, place), more, known(l->command), l->pid, known(l->event), since);
	doctor_next(d, "uncore-doctor%s --repair", d->machine);
}

/* Root can create missing files in the lease directory; other users need a lock file that their group can write. */
static bool can_use(const char *path)
{
	char lock[PATH_MAX];

	if (euidaccess(path, R_OK | W_OK | X_OK) == 0)
		return true;
	snprintf(lock, sizeof(lock), "%s/lock", path);
	return euidaccess(path, R_OK | X_OK) == 0 && euidaccess(lock, R_OK | W_OK) == 0;
}

/* Is no block or inode free for a journal? File systems without such a limit report a total of 0. */
static bool is_full(const char *path)
{
	bool root = geteuid() == 0;
	char own[PATH_MAX + 8];
	struct statvfs v;

	snprintf(own, sizeof(own), "%s/user", path); /* folder of the journals of a group's members */
	if ((root || statvfs(own, &v) < 0) && statvfs(path, &v) < 0)
		return false;
	return (v.f_blocks && !(root ? v.f_bfree : v.f_bavail)) || (v.f_files && !(root ? v.f_ffree : v.f_favail));
}

/* Is the lease directory writable? If it does not exist, sessions create it, so check its parent. */
static void check_writable(struct doctor *d, const char *path)
{
	char dir[PATH_MAX];
	char *slash;
	int err = can_use(path) ? 0 : errno;
	struct stat st;

	snprintf(dir, sizeof(dir), "%s", path);
	slash = strrchr(dir, '/');
	if (err == ENOENT && slash && slash > dir) {
		*slash = '\0';
		err = euidaccess(dir, W_OK | X_OK) == 0 ? 0 : errno;
	}
	/* A read-only mount of uncore-sim reports no free blocks either, but there chmod() fails with EROFS. */
	if (!err && is_full(dir))
		err = !stat(dir, &st) && chmod(dir, st.st_mode & 07777) && errno == EROFS ? EROFS : ENOSPC;
	if (!err)
		return;
	doctor_add(d, "lease-directory", DOCTOR_NO_ACCESS, "%s: %s: counters are shared, so nothing is programmed "
		   "without leases", path, strerror(err));
	if (err == ENOENT)
		doctor_next(d, "mkdir -p %s", OUT_QUOTED(path));
	else if (err == EROFS)
		doctor_next(d, "findmnt -T %s, and mount that file system writable", OUT_QUOTED(path));
	else if (err == ENOSPC)
		doctor_next(d, "df %s; df -i %s", OUT_QUOTED(dir), OUT_QUOTED(dir));
	else
		doctor_next_grant(d);
}

/* Add a finding if members of a group can write files on the file system of root's journals. */
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
		doctor_add(d, "lease-directory", DOCTOR_REMARK, "%s: members of the group can fill the file system of "
			   "%s through it; then root has no room for a journal and cannot count", file, path);
		doctor_next(d, "run the script that uncore-doctor --grant=GROUP prints; it gives the group a file "
			    "system of its own");
		return;
	}
}

/* Advice on a journal from which --repair restores nothing. Any user may have chosen its name, so quote it. */
static void next_remove(struct doctor *d, const struct uncoremsr_lease *l)
{
	bool other = l->fault == UNCOREMSR_LEASE_FAULT_VERSION, odd = strchr(l->file, '?');
	char path[PATH_MAX + UCHAR_MAX], as[32] = "";
	struct out o;

	out_init(&o, -1);
	snprintf(path, sizeof(path), "%s%s%s", d->leases->dir, odd ? "" : "/", odd ? "" : l->file);
	out_shell_str(&o, path);
	if (l->user >= 0)
		snprintf(as, sizeof(as), "as user %ld: ", l->user);
	if (!o.error)
		doctor_next(d, "%s%s%s %.*s", other ? as : "",
			    other ? "uncore-doctor --repair of that version; after it, or after a reboot: " : "",
			    odd ? "remove the file whose name is shown by: ls -bR" : "rm -r", (int)o.len, o.buf);
	out_free(&o);
}

static void add_invalid(struct doctor *d, const struct uncoremsr_lease *l)
{
	bool leftovers = count(d->leases, LEFTOVER, l->file);

	doctor_add(d, "invalid-lease", DOCTOR_LEFTOVER, leftovers
		   ? "a record of %s is not valid, so it is not restored: %s"
		   : "%s is not valid, so nothing is restored from it: %s", l->file, known(l->why));
	if (leftovers)
		doctor_next(d, "uncore-doctor%s --repair, which restores the other records of the file", d->machine);
	else if (l->fault == UNCOREMSR_LEASE_FAULT_LONG)
		next_of_user(d, l);
	else
		next_remove(d, l);
}

/* Read the leases. A lock without a journal may belong to a session that is starting, so retry for two seconds. */
static const struct uncoremsr_leases *leases_of(struct uncoremsr *um)
{
	const struct timespec pause = { .tv_nsec = 100000000 };
	const struct uncoremsr_leases *leases;
	int tries = 20;

	while ((leases = uncoremsr_leases(um)) && tries-- && count(leases, LOCKED, NULL))
		nanosleep(&pause, NULL);
	return leases;
}

/* Add a finding about a lock without a lease. If it covers several units (@wide), other sessions cannot count. */
static void add_lock(struct doctor *d, const struct uncoremsr_lease *l)
{
	bool to_end = l->last == UINT64_MAX, wide = to_end || l->first >> 32 != l->last >> 32;
	char who[96] = "a process that cannot be seen from here", bytes[80] = "all";

	if (l->pid >= 0)
		snprintf(who, sizeof(who), "process %ld (%s) of user %ld", l->pid, known(l->command), l->user);
	if (l->first == l->last)
		snprintf(bytes, sizeof(bytes), "byte 0x%" PRIx64, l->first);
	else if (!to_end)
		snprintf(bytes, sizeof(bytes), "bytes 0x%" PRIx64 " to 0x%" PRIx64, l->first, l->last);
	else if (l->first)
		snprintf(bytes, sizeof(bytes), "byte 0x%" PRIx64 " and all after it", l->first);
	doctor_add(d, "locks", wide ? DOCTOR_UNSUPPORTED : DOCTOR_REMARK, "%s has locked %s of %s/%s, "
		   "but no session of ours has a lease for it: sessions wait for the lock, or are refused", who, bytes,
		   d->leases->dir, l->file);
	if (l->pid >= 0)
		doctor_next(d, "ps -fp %ld", l->pid);
	else
		doctor_next(d, "grep -l OFDLCK /proc/[0-9]*/fdinfo/* (as root, outside of containers)");
}

void doctor_check_leases(struct doctor *d)
{
	const struct uncoremsr_lease *l;

	d->leases = leases_of(d->um);
	if (!d->leases) {
		doctor_add_failure(d, "lease-directory");
		if (uncoremsr_error(d->um)->code == -EACCES)
			doctor_next_grant(d);
		return;
	}
	if (d->leases->dir) {
		check_writable(d, d->leases->dir);
		check_room(d, d->leases->dir);
	}
	for (size_t i = 0; (l = d->leases->list[i]); i++) {
		if (l->state == UNCOREMSR_LEASE_LEFTOVER)
			add_leftover(d, i);
		else if (l->state == UNCOREMSR_LEASE_LOCKED)
			add_lock(d, l);
		else if (l->state == UNCOREMSR_LEASE_INVALID)
			add_invalid(d, l);
	}
}

/* A lease of a whole package has the unit "", which is shown like an unknown unit. */
static enum record_state get_unit(const void *row, struct record_value *v)
{
	const char *unit = ((const struct uncoremsr_lease *)row)->unit;

	return value_text(v, unit && *unit ? unit : NULL);
}

static const char *const state_words[] = {
	[UNCOREMSR_LEASE_HELD] = "held", [UNCOREMSR_LEASE_LEFTOVER] = "leftover",
	[UNCOREMSR_LEASE_INVALID] = "invalid", [UNCOREMSR_LEASE_LOCKED] = "locked",
};

static enum record_state get_since(const void *row, struct record_value *v)
{
	uint64_t since = ((const struct uncoremsr_lease *)row)->since;

	return since != UINT64_MAX ? value_fixed(v, since * NS_PER_S, 0) : RECORD_NONE;
}

static enum record_state get_counter_or_register(const void *row, struct record_value *v)
{
	const struct uncoremsr_lease *l = row;

	if (l->counter >= 0)
		out_fmt(v->scratch, "%d", l->counter);
	else if (l->msr != UINT64_MAX)
		out_fmt(v->scratch, "0x%" PRIx64, l->msr);
	else
		return RECORD_NONE;
	return record_composed(v);
}

static enum record_state get_event_or_why(const void *row, struct record_value *v)
{
	const struct uncoremsr_lease *l = row;

	out_fmt(v->scratch, "%s%s%s", known(l->event), l->why ? "  " : "", known(l->why));
	return record_composed(v);
}

static const struct record_column columns[] = {
	{ "package", RECORD_INT, RECORD_AT(uncoremsr_lease, package) },
	{ "die", RECORD_INT, RECORD_AT(uncoremsr_lease, die) },
	{ "counter", RECORD_INT, RECORD_AT(uncoremsr_lease, counter) },
	{ "pid", RECORD_INT, RECORD_AT(uncoremsr_lease, pid) },
	{ "state", RECORD_STR, RECORD_AT(uncoremsr_lease, state), .words = state_words },
	{ "command", RECORD_STR, RECORD_AT(uncoremsr_lease, command) },
	{ "event", RECORD_STR, RECORD_AT(uncoremsr_lease, event) },
	{ "since", RECORD_TIME, .get = get_since },
	{ "why", RECORD_STR, RECORD_AT(uncoremsr_lease, why) },
	{ "unit", RECORD_STR, .get = get_unit },
	{ "register", RECORD_WORD, RECORD_AT(uncoremsr_lease, msr) },
	{ "user", RECORD_INT, RECORD_AT(uncoremsr_lease, user) },
	{ "journal", RECORD_STR, RECORD_AT(uncoremsr_lease, file) },
};

static const struct record_column table_columns[] = {
	{ "package", RECORD_INT, RECORD_AT(uncoremsr_lease, package), .width = 7 },
	{ "unit", RECORD_STR, .get = get_unit, .width = -6 },
	{ "counter", RECORD_STR, .get = get_counter_or_register, .width = 7 },
	{ "state", RECORD_STR, RECORD_AT(uncoremsr_lease, state), .words = state_words, .width = -8 },
	{ "pid", RECORD_INT, RECORD_AT(uncoremsr_lease, pid), .width = 7 },
	{ "command", RECORD_STR, RECORD_AT(uncoremsr_lease, command), .width = -15 },
	{ "since", RECORD_TIME, .get = get_since, .width = -20 },
	{ "event", RECORD_STR, .get = get_event_or_why },
};

int doctor_show_leases(struct doctor *d)
{
	struct records *w = &d->records;
	bool text = records_for_people(w);
	const struct record_column *c = text ? table_columns : columns;
	size_t num = text ? ARRAY_SIZE(table_columns) : ARRAY_SIZE(columns);
	const struct uncoremsr_leases *leases = leases_of(d->um);
	const struct uncoremsr_lease *l;

	if (!leases)
		return tool_fail(d->um);
	if (text && !leases->list[0])
		out_fmt(w->out, "no counter is leased%s%s\n", leases->dir ? " in " : ": each process has a simulated "
				"machine of its own", leases->dir ? leases->dir : "");
	else
		record_head(w, c, num);
	for (size_t i = 0; (l = leases->list[i]); i++)
		record_row(w, c, num, l);
	return TOOL_DONE;
}

static const struct record_column repair_columns[] = {
	{ "message", RECORD_STR, RECORD_AT(uncoremsr_lease, result) },
};

struct repaired {
	struct records *w;
	unsigned counters, registers; /* numbers of restored counters, and of other restored registers */
};

static void report_lease(void *user, enum uncoremsr_repair what, const struct uncoremsr_lease *l)
{
	struct repaired *r = user;

	if (what == UNCOREMSR_REPAIR_DONE)
		*(l->counter >= 0 ? &r->counters : &r->registers) += 1;
	record_row(r->w, RECORD_COLUMNS(repair_columns), l);
}

int doctor_repair(struct doctor *d)
{
	struct records *w = &d->records;
	struct repaired r = { .w = w };
	const struct uncoremsr_leases *leases;
	struct tool_wait signals;
	size_t left;
	char registers[48] = "";
	int err, status;

	if (!records_for_people(w))
		record_head(w, RECORD_COLUMNS(repair_columns));
	/* Block signals until all registers are restored; a pending signal then ends the tool. */
	wait_init(&signals, false);
	err = uncoremsr_repair(d->um, report_lease, &r);
	sigprocmask(SIG_SETMASK, &signals.old_mask, NULL);
	status = err < 0 ? tool_fail(d->um) : TOOL_DONE;
	leases = uncoremsr_leases(d->um);
	if (!leases)
		return status ? status : tool_fail(d->um);
	left = count(leases, LEFTOVER | INVALID, NULL);
	if (r.registers)
		snprintf(registers, sizeof(registers), " and %u other register%s", r.registers,
			 r.registers == 1 ? "" : "s");
	if (records_for_people(w))
		out_fmt(w->out, "%u counter%s%s put back, %zu lease%s left over\n", r.counters,
			r.counters == 1 ? "" : "s", registers, left, left == 1 ? "" : "s");
	return status ? status : left ? TOOL_PARTIAL : TOOL_DONE;
}
