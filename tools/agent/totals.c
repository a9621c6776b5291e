/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The file has room for two versions, which are written in turn, so that one of them is complete at any moment. A
 * version is a head of fixed size, and a line for each total: its name, the four numbers of its base, then those of its
 * sum.
 */
#include "agent/totals.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/array.h"

enum { HEAD = 96, SLOT = 16 << 20 };

static const char head_fmt[] = "uncoremsr totals 1 %20" PRIu64 " %20" PRIu64 " %10zu %016" PRIx64;
static const char scan_fmt[] = "uncoremsr totals 1 %" SCNu64 " %" SCNu64 " %zu %" SCNx64;

/* Checksum (FNV-1a) of a version. */
static uint64_t sum_of(const char *text, size_t len)
{
	uint64_t sum = UINT64_C(0xcbf29ce484222325);

	for (size_t i = 0; i < len; i++)
		sum = (sum ^ (unsigned char)text[i]) * UINT64_C(0x100000001b3);
	return sum;
}

/* ---- one total ---- */

struct total *totals_find(struct totals *t, const char *name)
{
	/* Totals mostly come in the same order in every interval, so begin to search after the last match. */
	for (size_t i = 0; i < t->num; i++) {
		size_t at = (t->next + i) % t->num;

		if (strcmp(t->list[at].name, name) != 0)
			continue;
		t->next = at + 1;
		return &t->list[at];
	}
	if (ARRAY_ROOM(t->list, t->num, 1))
		return NULL;
	t->list[t->num] = (struct total){ .name = strdup(name) };
	return t->list[t->num].name ? &t->list[t->num++] : NULL;
}

/*
 * If the sum fell, a part of it began again at 0. Raise the base, so that the total to be sent does not fall; what that
 * part has counted since then is lost.
 */
struct series_total totals_take(struct total *e, const struct series_total *sum)
{
	const union total_numbers now = { .of = *sum };
	union total_numbers all;

	for (size_t i = 0; i < TOTAL_NUMBERS; i++) {
		if (now.list[i] < e->sum.list[i])
			e->base.list[i] += e->sum.list[i] - now.list[i];
		all.list[i] = e->base.list[i] + now.list[i];
	}
	e->sum = now;
	return all.of;
}

/* ---- reading ---- */

static bool read_line(struct totals *t, char *line, bool same_run)
{
	char *end = strchr(line, ' ');
	struct total *e;

	if (!end)
		return false;
	*end++ = '\0';
	e = totals_find(t, line);
	if (!e)
		return false;
	for (size_t i = 0; i < TOTAL_NUMBERS; i++)
		e->base.list[i] = strtoull(end, &end, 10);
	for (size_t i = 0; i < TOTAL_NUMBERS; i++) {
		e->sum.list[i] = strtoull(end, &end, 10);
		if (same_run)
			continue;
		e->base.list[i] += e->sum.list[i];
		e->sum.list[i] = 0;
	}
	return true;
}

/* Read the body of a version, and append a NUL; NULL: there is none, or it is damaged. */
static char *read_slot(int fd, size_t slot, uint64_t *seq, uint64_t *run)
{
	char head[HEAD + 1], *body;
	uint64_t sum;
	size_t len;

	if (pread(fd, head, HEAD, (off_t)(slot * SLOT)) != HEAD)
		return NULL;
	head[HEAD] = '\0';
	if (sscanf(head, scan_fmt, seq, run, &len, &sum) != 4 || len > SLOT - HEAD)
		return NULL;
	body = malloc(len + 1);
	if (!body)
		return NULL;
	if (pread(fd, body, len, (off_t)(slot * SLOT + HEAD)) == (ssize_t)len && sum_of(body, len) == sum) {
		body[len] = '\0';
		return body;
	}
	free(body);
	return NULL;
}

bool totals_load(struct totals *t, int fd, uint64_t run)
{
	uint64_t seq[2] = { 0, 0 }, runs[2];
	char *body[2], *next;
	bool good;

	*t = (struct totals){ .fd = fd, .run = run };
	out_init(&t->text, -1);
	if (fd < 0)
		return false;
	for (size_t i = 0; i < 2; i++)
		body[i] = read_slot(fd, i, &seq[i], &runs[i]);
	good = body[0] || body[1];
	t->slot = body[1] && (!body[0] || seq[1] > seq[0]);
	t->seq = good ? seq[t->slot] : 0;
	for (char *line = body[t->slot]; good && *line; line = next) {
		next = strchr(line, '\n');
		if (!next)
			break;
		*next++ = '\0';
		good = read_line(t, line, runs[t->slot] == run);
	}
	free(body[0]);
	free(body[1]);
	return good;
}

/* ---- writing ---- */

static int write_all(int fd, const char *bytes, size_t len, off_t at)
{
	while (len) {
		ssize_t n = pwrite(fd, bytes, len, at);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n < 0 ? errno : ENOSPC;
		bytes += n;
		at += n;
		len -= (size_t)n;
	}
	return fdatasync(fd) < 0 ? errno : 0;
}

static void put_line(struct out *o, const struct total *e)
{
	out_str(o, e->name);
	for (size_t i = 0; i < 2 * TOTAL_NUMBERS; i++) {
		out_char(o, ' ');
		out_u64(o, (i < TOTAL_NUMBERS ? &e->base : &e->sum)->list[i % TOTAL_NUMBERS]);
	}
	out_char(o, '\n');
}

static int write_version(struct totals *t)
{
	struct out *o = &t->text;
	char head[HEAD + 1] = "";
	int err;

	o->len = 0;
	for (size_t i = 0; i < HEAD; i++)
		out_char(o, ' ');
	for (size_t i = 0; i < t->num; i++)
		put_line(o, &t->list[i]);
	if (o->error || o->len > SLOT)
		return o->error ? o->error : EFBIG;
	snprintf(head, sizeof(head), head_fmt, t->seq + 1, t->run, o->len - HEAD,
		 sum_of(o->buf + HEAD, o->len - HEAD));
	memcpy(o->buf, head, strlen(head));
	o->buf[HEAD - 1] = '\n';
	err = write_all(t->fd, o->buf, o->len, (off_t)(!t->slot * SLOT));
	if (err)
		return err;
	t->slot = !t->slot;
	t->seq++;
	return 0;
}

int totals_save(struct totals *t)
{
	static const char nothing[HEAD];
	int err = t->fd < 0 ? 0 : write_version(t);

	if (!err)
		return 0;
	write_all(t->fd, nothing, HEAD, 0);
	write_all(t->fd, nothing, HEAD, SLOT);
	return err;
}

void totals_free(struct totals *t)
{
	for (size_t i = 0; i < t->num; i++) {
		free(t->list[i].name);
		free(t->list[i].counter);
	}
	free(t->list);
	out_free(&t->text);
}
