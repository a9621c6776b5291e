/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* uncore-doctor: leases, what sessions left behind, and putting it back. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "doctor/doctor.h"

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

/* Of one process, told one by one: on a large machine there are hundreds. */
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
		   "programmed by %s (process %ld, which is dead) for %s since %s",
		   format_place(l, place, sizeof(place)), more,
		   doctor_lease_text(l, UNCOREMSR_LEASE_COMMAND), doctor_lease_number(l, UNCOREMSR_LEASE_PID), doctor_lease_text(l, UNCOREMSR_LEASE_EVENT),
		   format_time(doctor_lease_number(l, UNCOREMSR_LEASE_SINCE), since));
	doctor_next(d, "uncore-doctor%s --repair", d->machine);
}

static void add_invalid(struct doctor *d, const struct uncoremsr_lease *l)
{
	char place[96];

	doctor_add(d, "invalid-lease", DOCTOR_LEFTOVER, TOOL_PARTIAL, "%s: what stands in its lease "
		   "file is never replayed: %s", format_place(l, place, sizeof(place)),
		   doctor_lease_text(l, UNCOREMSR_LEASE_WHY));
	doctor_next(d, "rm %s/%s (its first lines tell whose it was)", uncoremsr_lease_dir(d->um),
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

static void write_text(struct out *o, const struct uncoremsr_lease *l)
{
	char since[32];
	long pid = doctor_lease_number(l, UNCOREMSR_LEASE_PID);
	const char *why = doctor_lease_text(l, UNCOREMSR_LEASE_WHY);
	const char *unit = doctor_lease_text(l, UNCOREMSR_LEASE_UNIT);
	char what[24];

	if (doctor_lease_number(l, UNCOREMSR_LEASE_COUNTER) >= 0)
		snprintf(what, sizeof(what), "%lld",
			 (long long)doctor_lease_number(l, UNCOREMSR_LEASE_COUNTER));
	else
		snprintf(what, sizeof(what), "0x%llx",
			 (long long)doctor_lease_number(l, UNCOREMSR_LEASE_REGISTER));
	out_fmt(o, "%7lld  %-6s  %7s  %-8s  ",
		(long long)doctor_lease_number(l, UNCOREMSR_LEASE_PACKAGE), *unit ? unit : "-", what,
		state_word(l));
	if (pid > 0)
		out_fmt(o, "%7ld", pid);
	else
		out_fmt(o, "%7s", "-");
	out_fmt(o, "  %-15s  %-20s  %s%s%s\n", doctor_lease_text(l, UNCOREMSR_LEASE_COMMAND),
		format_time(doctor_lease_number(l, UNCOREMSR_LEASE_SINCE), since),
		doctor_lease_text(l, UNCOREMSR_LEASE_EVENT),
		*why ? "  " : "", why);
}

static void write_int(struct out *o, int64_t v, const char *unknown)
{
	if (v < 0)
		out_str(o, unknown);
	else
		out_u64(o, (uint64_t)v);
}

/* Package, die, counter and pid may be unknown or not apply; texts may be empty. */
static void write_cells(struct out *o, const struct uncoremsr_lease *l, bool json)
{
	static const char *const names[] = { "package", "die", "counter", "pid" };
	const int64_t numbers[] = {
		doctor_lease_number(l, UNCOREMSR_LEASE_PACKAGE),
		doctor_lease_number(l, UNCOREMSR_LEASE_DIE),
		doctor_lease_number(l, UNCOREMSR_LEASE_COUNTER),
		doctor_lease_number(l, UNCOREMSR_LEASE_PID),
	};
	char since[32], address[16] = "";
	const char *const texts[][2] = {
		{ "state", state_word(l) },
		{ "command", doctor_lease_text(l, UNCOREMSR_LEASE_COMMAND) },
		{ "event", doctor_lease_text(l, UNCOREMSR_LEASE_EVENT) },
		{ "since", format_time(doctor_lease_number(l, UNCOREMSR_LEASE_SINCE), since) },
		{ "why", doctor_lease_text(l, UNCOREMSR_LEASE_WHY) },
		{ "unit", doctor_lease_text(l, UNCOREMSR_LEASE_UNIT) },
		{ "register", address },
	};

	if (doctor_lease_number(l, UNCOREMSR_LEASE_REGISTER) >= 0)
		snprintf(address, sizeof(address), "0x%llx",
			 (long long)doctor_lease_number(l, UNCOREMSR_LEASE_REGISTER));
	for (size_t i = 0; i < 4; i++) {
		out_fmt(o, json ? "%s\"%s\":" : "%s", i ? "," : "", names[i]);
		write_int(o, numbers[i], json ? "null" : "");
	}
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		out_char(o, ',');
		if (json) {
			out_fmt(o, "\"%s\":", texts[i][0]);
			out_json_str(o, texts[i][1][0] ? texts[i][1] : NULL);
		} else {
			out_csv_str(o, texts[i][1]);
		}
	}
}

static void write_lease(struct out *o, enum tool_format format, const struct uncoremsr_lease *l)
{
	if (format == TOOL_TEXT) {
		write_text(o, l);
		return;
	}
	out_str(o, format == TOOL_JSON ? "{" : "");
	write_cells(o, l, format == TOOL_JSON);
	out_str(o, format == TOOL_JSON ? "}\n" : "\n");
}

int doctor_show_leases(struct doctor *d, struct out *o, enum tool_format format)
{
	const char *dir = uncoremsr_lease_dir(d->um);
	struct uncoremsr_leases *leases = NULL;
	const struct uncoremsr_lease *l;

	if (uncoremsr_leases_read(d->um, &leases) < 0)
		return tool_fail(&doctor_tool, d->um);
	if (format == TOOL_CSV)
		out_str(o, "package,die,counter,pid,state,command,event,since,why,unit,register\n");
	else if (format == TOOL_TEXT && uncoremsr_lease(leases, 0))
		out_fmt(o, "%7s  %-6s  %7s  %-8s  %7s  %-15s  %-20s  %s\n", "package", "unit",
			"counter", "state", "pid", "command", "since", "event");
	else if (format == TOOL_TEXT)
		out_fmt(o, "no counter is leased%s%s\n", dir ? " in " : ": this machine is of this "
			"process alone", dir ? dir : "");
	for (size_t i = 0; (l = uncoremsr_lease(leases, i)); i++)
		write_lease(o, format, l);
	uncoremsr_leases_free(leases);
	return TOOL_DONE;
}

/* ---- --repair ---- */

struct report {
	struct out *o;
	enum tool_format format;
};

static void report_line(const struct report *r, const char *line)
{
	if (r->format == TOOL_JSON) {
		out_str(r->o, "{\"message\":");
		out_json_str(r->o, line);
		out_str(r->o, "}\n");
		return;
	}
	if (r->format == TOOL_CSV)
		out_csv_str(r->o, line);
	else
		out_str(r->o, line);
	out_char(r->o, '\n');
}

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
		snprintf(line, sizeof(line), "%s: nothing to put back, its %s holds 0x%llx which %s "
			 "(pid %lld) did not write", place, counter ? "selector" : "register",
			 (long long)doctor_lease_number(l, UNCOREMSR_LEASE_HOLDS), command, pid);
		break;
	case UNCOREMSR_REPAIR_IN_USE:
		snprintf(line, sizeof(line), "%s: left open, another program counts behind it", place);
		break;
	case UNCOREMSR_REPAIR_NOT_BELIEVED:
		snprintf(line, sizeof(line), "lease file %s is not replayed: %s", file,
			 doctor_lease_text(l, UNCOREMSR_LEASE_WHY));
		break;
	case UNCOREMSR_REPAIR_PACKAGE_OFFLINE:
		snprintf(line, sizeof(line), "lease file %s: package %lld has no online CPU now", file,
			 (long long)doctor_lease_number(l, UNCOREMSR_LEASE_PACKAGE));
		break;
	case UNCOREMSR_REPAIR_UNIT_OFFLINE:
		snprintf(line, sizeof(line), "lease file %s: %s is offline now", file,
			 doctor_lease_text(l, UNCOREMSR_LEASE_UNIT));
		break;
	}
	report_line(user, line);
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

int doctor_repair(struct doctor *d, struct out *o, enum tool_format format)
{
	struct report r = { o, format };
	struct uncoremsr_leases *leases = NULL;
	size_t left;
	int done;

	if (format == TOOL_CSV)
		out_str(o, "message\n");
	done = uncoremsr_repair(d->um, report_lease, &r);
	if (done < 0 || uncoremsr_leases_read(d->um, &leases) < 0)
		return tool_fail(&doctor_tool, d->um);
	left = count_left(leases);
	uncoremsr_leases_free(leases);
	if (format == TOOL_TEXT)
		out_fmt(o, "%d counter%s put back, %zu lease%s left over\n", done,
			done == 1 ? "" : "s", left, left == 1 ? "" : "s");
	return left ? TOOL_PARTIAL : TOOL_DONE;
}
