/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * When we last cleared the logs, and what the kernel had counted until then: its counts cannot be
 * set back, so that later ones are judged against these. A file beside the leases, which goes with
 * the boot as the log bits do. Others clear log bits too (the kernel does), so it tells the
 * earliest moment, not the latest.
 *
 *	2026-11-21T16:03:00Z BOOT
 *	cpu 0 core 12
 *	cpu 0 package 3
 */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "counting/lease.h"
#include "throttle/throttle.h"

#define FILE_NAME "throttle-cleared"
#define NEW_NAME FILE_NAME ".new"

enum { STAMP = sizeof("2026-11-21T16:03:00Z") - 1 };
/* Of the file: two lines for each of 8192 CPUs. */
enum { LINE_SIZE = 64, TEXT_SIZE = 2 * 8192 * LINE_SIZE };

static const struct {
	enum um_file_role role;
	const char *word;
} kinds[] = {
	{ UM_FILE_CORE_COUNT, " core " },
	{ UM_FILE_PACKAGE_COUNT, " package " },
};

/* ---- reading ---- */

static void format_stamp(char stamp[static STAMP + 1], uint64_t at)
{
	time_t when = (time_t)at;
	struct tm tm;

	strftime(stamp, STAMP + 1, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&when, &tm));
}

/* False: what stands there is no time as we write it. */
static bool parse_stamp(const char *text, uint64_t *at)
{
	char again[STAMP + 1] = "";
	struct tm tm = { .tm_isdst = 0 };
	time_t when;

	if (sscanf(text, "%4d-%2d-%2dT%2d:%2d:%2dZ", &tm.tm_year, &tm.tm_mon, &tm.tm_mday,
		   &tm.tm_hour, &tm.tm_min, &tm.tm_sec) != 6)
		return false;
	tm.tm_year -= 1900;
	tm.tm_mon--;
	when = timegm(&tm);
	if (when < 0)
		return false;
	*at = (uint64_t)when;
	format_stamp(again, *at);
	return strncmp(again, text, STAMP) == 0;
}

/* The identity of the boot in which it was written follows the time. */
static void read_boot(struct uncoremsr_throttle *t, char *boot, size_t size)
{
	if (um_access_line(t->um->m.access, "proc/sys/kernel/random/boot_id", boot, size) <= 0)
		snprintf(boot, size, "-");
}

/* A number at *text, which is moved behind it. */
static bool take_number(const char **text, uint64_t *value)
{
	char *end;

	if (!isdigit((unsigned char)**text))
		return false;
	errno = 0;
	*value = strtoull(*text, &end, 10);
	*text = end;
	return !errno;
}

static bool take_word(const char **text, const char *word)
{
	size_t len = strlen(word);

	if (strncmp(*text, word, len) != 0)
		return false;
	*text += len;
	return true;
}

static bool parse_line(const char *line, struct um_cleared_count *c)
{
	uint64_t cpu;

	if (!take_word(&line, "cpu ") || !take_number(&line, &cpu) || cpu > UINT16_MAX)
		return false;
	c->cpu = (unsigned)cpu;
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		if (!take_word(&line, kinds[i].word))
			continue;
		c->role = kinds[i].role;
		return take_number(&line, &c->count) && !*line;
	}
	return false;
}

/* A line that makes no sense is left out: then everything that the kernel remembers counts. */
static void parse_counts(struct uncoremsr_throttle *t, char *text)
{
	char *rest = NULL;
	size_t room = 0;

	for (const char *p = text; (p = strchr(p, '\n')); p++)
		room++;
	t->counts = calloc(room + 1, sizeof(*t->counts));
	for (char *line = strtok_r(text, "\n", &rest); line && t->counts;
	     line = strtok_r(NULL, "\n", &rest))
		t->num_counts += parse_line(line, &t->counts[t->num_counts]);
}

static void parse(struct uncoremsr_throttle *t, char *text)
{
	size_t len = strcspn(text, "\n");
	char boot[40], *rest = text + len + !!text[len];
	uint64_t at;

	text[len] = '\0';
	if (len <= STAMP || text[STAMP] != ' ' || !parse_stamp(text, &at))
		return;
	read_boot(t, boot, sizeof(boot));
	if (strcmp(text + STAMP + 1, boot) != 0)
		return;
	t->cleared_at = at;
	parse_counts(t, rest);
}

void um_cleared_load(struct uncoremsr_throttle *t)
{
	struct um_access *a = t->um->m.access;
	char *text = a->has_files ? malloc(TEXT_SIZE) : NULL;

	if (text && a->ops->read_text(a, "run/uncoremsr/" FILE_NAME, text, TEXT_SIZE) > 0)
		parse(t, text);
	free(text);
}

/* ---- using ---- */

void um_cleared_apply(struct uncoremsr_throttle *t)
{
	for (size_t i = 0; i < t->num_subjects; i++) {
		struct uncoremsr_throttle_subject *s = &t->subjects[i];

		for (size_t k = 0; k < t->num_counts; k++) {
			const struct um_cleared_count *c = &t->counts[k];

			if (c->cpu != s->cpu || (c->role == UM_FILE_CORE_COUNT) != (s->core >= 0))
				continue;
			s->files[c->role].base = c->count;
			s->files[c->role].based = true;
		}
	}
}

/* ---- writing ---- */

static size_t format_counts(const struct uncoremsr_throttle *t, char *text, size_t size)
{
	size_t len = 0;

	for (size_t i = 0; i < t->num_counts && len + LINE_SIZE < size; i++)
		for (size_t k = 0; k < ARRAY_SIZE(kinds); k++)
			if (kinds[k].role == t->counts[i].role)
				len += (size_t)snprintf(text + len, LINE_SIZE,
							"cpu %u%s%" PRIu64 "\n", t->counts[i].cpu,
							kinds[k].word, t->counts[i].count);
	return len;
}

/* Under another name first: a reader sees the old file or the new one, whole. */
static bool write_file(struct uncoremsr_throttle *t, const struct um_guard *g)
{
	size_t size = (t->num_counts + 2) * LINE_SIZE + STAMP + sizeof(g->boot);
	int fd = openat(g->dir, NEW_NAME, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW,
			0644);
	char *text = malloc(size), stamp[STAMP + 1];
	bool done = false;

	format_stamp(stamp, t->cleared_at);
	/* Readable for all, whatever the umask: programs without the right to write use it too. */
	if (fd >= 0 && text && fchmod(fd, 0644) == 0) {
		size_t len = (size_t)snprintf(text, size, "%s %s\n", stamp, g->boot);

		len += format_counts(t, text + len, size - len);
		done = write(fd, text, len) == (ssize_t)len &&
		       renameat(g->dir, NEW_NAME, g->dir, FILE_NAME) == 0;
	}
	if (fd >= 0)
		close(fd);
	free(text);
	return done;
}

static void keep(struct uncoremsr_throttle *t)
{
	struct um_guard g;
	struct um_error e;

	if (um_guard_open(&g, &t->um->m, true, &e) < 0) {
		um_warn(&t->um->m, "the time of clearing could not be kept: %s", e.msg);
		return;
	}
	if (g.dir >= 0 && !write_file(t, &g))
		um_warn(&t->um->m, "%s/" FILE_NAME ": the time of clearing could not be kept", g.path);
	um_guard_close(&g);
}

static int read_counts(struct uncoremsr_throttle *t)
{
	int num = 0;

	t->num_counts = 0;
	for (size_t i = 0; i < t->num_subjects; i++) {
		struct uncoremsr_throttle_subject *s = &t->subjects[i];
		enum um_file_role role = s->core < 0 ? UM_FILE_PACKAGE_COUNT : UM_FILE_CORE_COUNT;

		um_files_read(t, s);
		if (!s->files[role].known)
			continue;
		num += s->files[role].value > 0;
		t->counts[t->num_counts++] = (struct um_cleared_count){
			.cpu = s->cpu, .role = role, .count = s->files[role].value,
		};
	}
	return num;
}

int um_cleared_store(struct uncoremsr_throttle *t)
{
	struct um_cleared_count *counts = calloc(t->num_subjects + 1, sizeof(*counts));
	int num;

	if (!counts)
		return um_fail(&t->um->error, -ENOMEM, UNCOREMSR_ERROR_UNSUPPORTED,
			       "out of memory");
	free(t->counts);
	t->counts = counts;
	t->cleared_at = (uint64_t)time(NULL);
	num = read_counts(t);
	um_cleared_apply(t);
	keep(t);
	return num;
}
