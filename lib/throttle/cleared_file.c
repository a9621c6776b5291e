/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Stores the time at which we last cleared the logs, and the values of the kernel's counts at that time, in the format
 * below. The kernel's counts cannot be reset, so look() compares later values with the stored ones. The file is in the
 * lease directory and is not valid after a reboot. The kernel and other programs also clear log bits, so the time that
 * a log bit covers may begin after our last clearing.
 *
 * 2026-11-21T16:03:00Z BOOT
 * cpu 0 core 12
 * cpu 0 package 3
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "common/array.h"
#include "throttle/throttle.h"

#define FILE_NAME "throttle-cleared"
#define NEW_NAME FILE_NAME ".new"
#define TIME_FORMAT "%Y-%m-%dT%H:%M:%SZ "

/* Size limit of the file: two lines for each of 8192 CPUs. */
enum { LINE_SIZE = 64, TEXT_SIZE = 2 * 8192 * LINE_SIZE };

static void format_head(const struct uncoremsr_throttle *t, uint64_t at, char *line, size_t size)
{
	time_t when = (time_t)at;
	struct tm tm;
	char boot[40];

	if (um_access_line(t->um->m.access, "proc/sys/kernel/random/boot_id", boot, sizeof(boot)) <= 0)
		strcpy(boot, "-");
	strftime(line, size, TIME_FORMAT, gmtime_r(&when, &tm));
	snprintf(line + strlen(line), size - strlen(line), "%s", boot);
}

/* ---- reading: a line is valid only if writing its parsed values gives the same line ---- */

static bool parse_head(struct uncoremsr_throttle *t, const char *text)
{
	struct tm tm = { .tm_isdst = 0 };
	char again[LINE_SIZE];
	time_t when = strptime(text, TIME_FORMAT, &tm) ? timegm(&tm) : -1;

	if (when < 0)
		return false;
	format_head(t, (uint64_t)when, again, sizeof(again));
	if (strcmp(again, text) != 0)
		return false;
	t->state.cleared_at = (uint64_t)when;
	return true;
}

static void format_count(const struct um_cleared_count *c, char *line)
{
	snprintf(line, LINE_SIZE, "cpu %u %s %" PRIu64, c->cpu, c->core ? "core" : "package", c->count);
}

static bool parse_count(const char *line, struct um_cleared_count *c)
{
	char word[8], again[LINE_SIZE];

	if (sscanf(line, "cpu %5u %7s %" SCNu64, &c->cpu, word, &c->count) != 3)
		return false;
	c->core = strcmp(word, "core") == 0;
	format_count(c, again);
	return c->cpu <= UINT16_MAX && strcmp(again, line) == 0;
}

void um_cleared_load(struct uncoremsr_throttle *t)
{
	struct um_access *a = t->um->m.access;
	char *text = a->has_files ? malloc(TEXT_SIZE) : NULL, *rest = NULL, *line = NULL;
	struct um_cleared_count c;

	if (text && a->ops->read_text(a, "run/uncoremsr/" FILE_NAME, text, TEXT_SIZE) > 0)
		line = strtok_r(text, "\n", &rest);
	if (line && parse_head(t, line))
		while ((line = strtok_r(NULL, "\n", &rest)))
			if (parse_count(line, &c) && ARRAY_APPEND(t->counts, t->num_counts, c))
				break;
	free(text);
}

static struct um_gauge *count_of(struct um_subject *s)
{
	return &s->sources[s->core < 0 ? UM_FILE_PACKAGE_COUNT : UM_FILE_CORE_COUNT];
}

void um_cleared_apply(struct uncoremsr_throttle *t)
{
	for (size_t i = 0; i < t->num_subjects; i++) {
		struct um_subject *s = &t->subjects[i];
		struct um_gauge *f = count_of(s);

		for (size_t k = 0; k < t->num_counts; k++) {
			const struct um_cleared_count *c = &t->counts[k];

			if (c->cpu != s->cpu || c->core != (s->core >= 0))
				continue;
			f->base = c->count;
			f->based = true;
		}
	}
}

/* ---- writing ---- */

static int write_lines(const struct uncoremsr_throttle *t, int fd)
{
	FILE *f = fdopen(fd, "w");
	char line[LINE_SIZE];
	bool whole;
	int err;

	if (!f) {
		close(fd);
		return -ENOMEM;
	}
	format_head(t, t->state.cleared_at, line, sizeof(line));
	fprintf(f, "%s\n", line);
	for (size_t i = 0; i < t->num_counts; i++) {
		format_count(&t->counts[i], line);
		fprintf(f, "%s\n", line);
	}
	/* Make the file readable by all, whatever the umask, because users who cannot clear the logs use it too. */
	fchmod(fd, 0644);
	whole = fflush(f) == 0;
	err = errno;
	fclose(f);
	return whole ? 0 : -err;
}

/* Write under another name, then rename: a reader sees either the old file or the complete new one. */
static int write_file(const struct uncoremsr_throttle *t, int dir)
{
	int fd, err;

	unlinkat(dir, NEW_NAME, 0);
	fd = openat(dir, NEW_NAME, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0644);
	err = fd < 0 ? -errno : write_lines(t, fd);
	if (!err && renameat(dir, NEW_NAME, dir, FILE_NAME) < 0)
		err = -errno;
	if (err)
		unlinkat(dir, NEW_NAME, 0);
	return err;
}

static int store_file(struct uncoremsr_throttle *t)
{
	const char *path = t->um->m.lease_dir;
	struct um_error why = { .class = UNCOREMSR_ERROR_NONE };
	struct um_access *a = t->um->m.access;
	int dir, err;

	if (!*path)
		return 0;
	dir = um_access_open_leases(a, true);
	err = dir < 0 ? dir : um_access_check_dir(dir, path, &why) ?: write_file(t, dir);
	if (dir >= 0)
		close(dir);
	return err ? um_fail(&t->um->error, err,
			     um_lacks_permission(err) ? UNCOREMSR_ERROR_ACCESS
							     : UNCOREMSR_ERROR_UNSUPPORTED,
			     "cleared, but %s/" FILE_NAME " could not be written: %s; later verdicts "
			     "include what the kernel had counted before", path,
			     why.class ? why.msg : strerror(-err)) : 0;
}

int um_cleared_store(struct uncoremsr_throttle *t)
{
	struct um_cleared_count *counts = calloc(t->num_subjects + 1, sizeof(*counts));
	int num = 0, err;

	if (!counts)
		return um_no_memory(&t->um->error);
	free(t->counts);
	t->counts = counts;
	t->num_counts = 0;
	t->state.cleared_at = (uint64_t)time(NULL);
	/* Begin a new round, so that all files are read again: the last values may be older than the clearing. */
	t->round++;
	for (size_t i = 0; i < t->num_subjects; i++) {
		struct um_subject *s = &t->subjects[i];
		const struct um_gauge *f = count_of(s);

		um_files_read(t, s);
		if (!f->known)
			continue;
		num += f->value > 0;
		counts[t->num_counts++] = (struct um_cleared_count){ s->cpu, s->core >= 0, f->value };
	}
	um_cleared_apply(t);
	err = store_file(t);
	return err ? err : num;
}
