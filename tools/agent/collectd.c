/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Source: collectd-unixsock(5), collectd-exec(5), and the behaviour of collectd 5.12. collectd cuts lines of more than
 * 1023 bytes, and answers each line with "N TEXT" and N more lines, or "-1 TEXT". If we sent many lines without reading
 * the answers, both sides would block; so each line is sent after the answer to the previous one. collectd regards a
 * falling COUNTER as one that has wrapped: see agent/totals.h. Lines contain the time at which their values were
 * counted. Otherwise collectd would use the time of arrival: a delayed line would get nearly the same time as the next
 * one, and the rate between them would be far too high.
 */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "agent/program.h"
#include "agent/totals.h"
#include "common/options.h"

enum {
	LINE = 1024,
	ANSWER_S = 10,        /* seconds without an answer after which collectd is regarded as hanging */
	MOST_NOTES = 1 << 16, /* bytes of notifications that are kept while collectd is away */
	CHUNK = 4096,         /* a pipe accepts a write of this size completely or not at all (PIPE_BUF) */
};

/* Lines to send; the first @at bytes have been sent. */
struct queue {
	struct out text;
	size_t at;
};

struct collectd {
	const struct shared *shared;
	struct series lines;  /* writes lines into @values or @notes */
	struct queue values;  /* values of one interval */
	struct queue notes;   /* notifications, which stay queued when the values of the next interval are queued */
	uint64_t num_changes; /* number of the last change that was reported */
	unsigned number;      /* number of the latest interval that was queued; 0: none */
	bool waits;           /* an interval arrived while @values were being sent; queue the latest one next */
	const struct agent_collectd *set;
	struct totals totals;
	bool lost;            /* totals of earlier runs could not be read */
	bool mute;            /* totals cannot be saved, so none are sent */
	int64_t silent_ms;    /* send no totals before this time; 0: not known yet */
	int fd;               /* the connection to collectd; -1: there is none */
	char in[LINE];        /* what collectd has sent since its last complete line */
	size_t in_len;
	bool away_told, refused_told, doubled_told;
};

static const char *path_of(const struct collectd *c)
{
	return c->set->where + strlen("unix:");
}

static bool is_sent(const struct queue *q)
{
	return q->at >= q->text.len;
}

/* ---- an interval becomes lines ---- */

/* The names of earlier releases are not unique. Events that share a name are not written under it. */
static void find_shared(struct collectd *c, struct total *e, const struct series_labels *l)
{
	char name[SERIES_NAME];

	if (e->counter || !l->group)
		return;
	series_collectd_name(name, l, true);
	e->counter = set_get(&c->totals.names, name, strlen(name) + 1, SET_TEXTS);
	for (size_t i = 0; i < c->totals.set.num && e->counter; i++) {
		struct total *other = c->totals.set.items[i];

		if (other != e && other->counter == e->counter)
			e->shared = other->shared = true;
	}
}

static struct total *find(struct collectd *c, const struct series_labels *l)
{
	char name[SERIES_NAME];
	struct total *e;

	series_collectd_name(name, l, false);
	e = totals_find(&c->totals, name);
	if (!e)
		return NULL;
	find_shared(c, e, l);
	if (!e->said) {
		e->said = true;
		e->labels = *l;
		e->now = (struct series_total){ .value = 0 };
	} else if (!l->group || strcmp(e->labels.event, l->event) != 0) {
		if (!c->doubled_told)
			agent_tell("two series have the name %s; only the first is sent", name);
		c->doubled_told = true;
		return NULL;
	}
	return e;
}

/* Add the row to its total: a group of cores can span several packages, and each package has a row of its own. */
static void gather(struct collectd *c, const struct series_row *row)
{
	const bool known = row->kind == SERIES_EVENT;
	struct total *e = NULL;

	if (known || (row->kind == SERIES_UNKNOWN && row->labels.event && row->labels.pmu))
		e = find(c, &row->labels);
	if (!e)
		return;
	e->unknown |= !known;
	if (known)
		series_add(&e->now, &row->total);
}

/* True: the totals were saved and may be sent. After a loss, wait until collectd has forgotten its last values. */
static bool may_tell(struct collectd *c)
{
	int err;

	if (!c->silent_ms) {
		const int64_t timeout_ms = (int64_t)((c->set->timeout * (double)c->lines.interval_ns +
						      (double)c->set->timeout_ns) / 1e6) + 1;

		c->silent_ms = agent_now_ms() + (c->lost ? timeout_ms : 0);
		if (c->lost)
			agent_tell("earlier totals are unknown; sending no totals for %.1f s, until collectd has "
					"dropped its old values", (double)timeout_ms / 1e3);
	}
	if (agent_now_ms() < c->silent_ms)
		return false;
	err = totals_save(&c->totals);
	if (err && !c->mute)
		agent_tell("totals cannot be saved, so none are sent: %s; check the folder of --state", strerror(err));
	c->mute = err != 0;
	return !err;
}

static void write_totals(struct collectd *c)
{
	const unsigned values = c->set->values ? c->set->values : SERIES_COUNTER | SERIES_FOUR;
	bool tell;

	for (size_t i = 0; i < c->totals.set.num; i++) {
		struct total *e = c->totals.set.items[i];

		if (e->said && !e->unknown)
			e->now = totals_take(e, &e->now);
	}
	tell = may_tell(c);
	for (size_t i = 0; i < c->totals.set.num; i++) {
		struct total *e = c->totals.set.items[i];

		c->lines.values = values & (e->shared ? SERIES_FOUR : ~0u);
		if (tell && e->said && !e->unknown)
			series_put_total(&c->lines, &e->labels, &e->now);
		e->said = e->unknown = false;
	}
}

static void write_values(struct collectd *c, const char *rows, size_t size)
{
	struct series_row row;

	c->values.text.len = c->values.at = 0;
	for (size_t at = 0; shared_next(rows, size, &at, &row);)
		gather(c, &row);
	write_totals(c);
	for (size_t at = 0; shared_next(rows, size, &at, &row);)
		if (row.kind == SERIES_METRIC || row.kind == SERIES_THROTTLED)
			series_collectd.put(&c->lines, &row);
	if (c->values.text.error)
		c->values.text.len = 0;
}

static void write_notes(struct collectd *c, const char *rows, size_t size)
{
	struct queue *q = &c->notes;
	struct series_row row;

	if (is_sent(q))
		q->text.len = q->at = 0;
	c->lines.out = &q->text;
	for (size_t at = 0; shared_next(rows, size, &at, &row);) {
		if (row.kind != SERIES_CHANGED || row.change.number <= c->num_changes)
			continue;
		c->num_changes = row.change.number;
		if (q->text.len <= MOST_NOTES)
			series_collectd.put(&c->lines, &row);
	}
	c->lines.out = &c->values.text;
	if (q->text.error)
		q->text.len = q->at = 0;
}

static void take_values(struct collectd *c, int news)
{
	struct shared_interval i;
	char *rows;

	c->waits |= agent_has_news(news);
	if (!c->waits || shared_read(c->shared, &i, &rows) <= 0)
		return;
	write_notes(c, rows, i.size);
	/* The latest interval is already queued if it was read when the byte of an earlier one arrived. */
	if (i.number == c->number) {
		c->waits = false;
	} else if (is_sent(&c->values)) {
		c->lines.interval_ns = i.interval_ns;
		c->lines.wall_ns = i.wall_ns;
		write_values(c, rows, i.size);
		c->number = i.number;
		c->waits = false;
	}
	free(rows);
}

static struct queue *next_queue(struct collectd *c)
{
	return !is_sent(&c->notes) ? &c->notes : !is_sent(&c->values) ? &c->values : NULL;
}

/* ---- the socket ---- */

static void hang_up(struct collectd *c, const char *why)
{
	if (!c->away_told)
		agent_tell("%s: %s; retrying each interval; check that collectd's plugin unixsock has this "
				"SocketFile, and SocketPerms that allow the agent to connect", path_of(c), why);
	c->away_told = true;
	if (c->fd >= 0)
		close(c->fd);
	c->fd = -1;
	c->in_len = 0;
}

/* Functions of this section return NULL on success, or the reason why the connection cannot be used. */
static const char *connect_to(struct collectd *c)
{
	struct sockaddr_un to = { .sun_family = AF_UNIX };

	memcpy(to.sun_path, path_of(c), strlen(path_of(c)) + 1);
	c->refused_told = false;
	c->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	return c->fd < 0 || connect(c->fd, (const struct sockaddr *)&to, sizeof(to)) < 0 ? strerror(errno) : NULL;
}

static const char *wait_for(const struct collectd *c, short what, int64_t until_ms)
{
	struct pollfd p = { .fd = c->fd, .events = what };
	int64_t left;

	while ((left = until_ms - agent_now_ms()) > 0)
		if (poll(&p, 1, (int)left) > 0)
			return NULL;
	return "no answer";
}

static bool try_again(ssize_t n)
{
	return n < 0 && (errno == EAGAIN || errno == EINTR);
}

static const char *send_text(const struct collectd *c, const char *text, size_t len, int64_t until_ms)
{
	const char *why = NULL;

	while (len && !why) {
		const ssize_t n = send(c->fd, text, len, MSG_NOSIGNAL);

		if (n < 0) {
			why = try_again(n) ? wait_for(c, POLLOUT, until_ms) : strerror(errno);
			continue;
		}
		text += n;
		len -= (size_t)n;
	}
	return why;
}

static const char *read_line(struct collectd *c, char line[LINE], int64_t until_ms)
{
	char *end;

	while (!(end = memchr(c->in, '\n', c->in_len))) {
		const ssize_t n = recv(c->fd, c->in + c->in_len, sizeof(c->in) - c->in_len, 0);
		const char *why = n > 0 ? NULL :
				  !n ? "collectd has closed the connection" :
				  try_again(n) ? wait_for(c, POLLIN, until_ms) : strerror(errno);

		if (why)
			return why;
		c->in_len += n > 0 ? (size_t)n : 0;
		if (c->in_len == sizeof(c->in) && !memchr(c->in, '\n', c->in_len))
			return "collectd's answer is too long";
	}
	*end++ = '\0';
	memcpy(line, c->in, (size_t)(end - c->in));
	c->in_len -= (size_t)(end - c->in);
	memmove(c->in, end, c->in_len);
	return NULL;
}

static const char *exchange(struct collectd *c, const char *line, size_t len)
{
	const int64_t until_ms = agent_now_ms() + ANSWER_S * 1000;
	char answer[LINE], *text;
	const char *why = send_text(c, line, len, until_ms);
	long more;

	why = why ? why : read_line(c, answer, until_ms);
	if (why)
		return why;
	more = strtol(answer, &text, 10);
	if (more >= 0 && c->away_told) {
		agent_tell("%s: accepts values again", path_of(c));
		c->away_told = false;
	} else if (more < 0 && !c->refused_told) {
		agent_tell("refused:%s: %.*s", text, (int)len - 1, line);
		c->refused_told = true;
	}
	for (; more > 0 && !why; more--)
		why = agent_now_ms() < until_ms ? read_line(c, answer, until_ms) : "no answer";
	c->in_len = 0; /* drop bytes after the answer, so that they are not taken for the answer to the next line */
	return why;
}

/* False: collectd is away. */
static bool send_line(struct collectd *c, struct queue *q)
{
	const char *line = q->text.buf + q->at, *end = memchr(line, '\n', q->text.len - q->at);
	const size_t len = (size_t)(end - line) + 1;
	const char *why = c->fd < 0 ? connect_to(c) : NULL;

	why = why ? why : exchange(c, line, len);
	if (!why) {
		q->at += len;
		return true;
	}
	hang_up(c, why);
	/* Drop the values: they would be too old later. Keep the notifications, even if one is then sent twice. */
	c->values.at = c->values.text.len;
	return false;
}

/* No answer may take longer than ANSWER_S: the agent would regard this process as hanging. */
static void __attribute__((noreturn)) talk(struct collectd *c, int news)
{
	for (;;) {
		struct pollfd polls[] = { { .fd = news, .events = POLLIN }, { .events = POLLIN } };
		struct queue *q;

		take_values(c, news);
		q = next_queue(c);
		if (q && send_line(c, q))
			continue;
		polls[1].fd = c->fd;
		/* If an interval could not be queued, or came while collectd did not answer, try again in a second. */
		poll(polls, 2, c->waits ? 1000 : -1);
		if (polls[1].revents && recv(c->fd, c->in, sizeof(c->in), 0) <= 0)
			hang_up(c, "collectd has closed the connection");
	}
}

/* ---- standard output ---- */

/* Write as many whole lines as a pipe accepts at once, so that it never blocks and no line is cut. 0 or an errno. */
static int write_chunk(struct queue *q)
{
	const char *text = q->text.buf + q->at;
	const size_t left = q->text.len - q->at;
	size_t len = 0;
	ssize_t n;

	while (len < left) {
		const char *end = memchr(text + len, '\n', left - len);
		size_t line = (size_t)(end - (text + len)) + 1;

		if (len && len + line > CHUNK)
			break;
		len += line;
	}
	n = write(STDOUT_FILENO, text, len);
	if (n < 0)
		return try_again(n) ? 0 : errno;
	q->at += (size_t)n;
	return 0;
}

/* Returns the errno of a failed write: EPIPE if nobody reads standard output any more. */
static int write_out(struct collectd *c, int news)
{
	int err = 0;

	while (!err) {
		struct pollfd polls[] = { { .fd = news, .events = POLLIN }, { .fd = STDOUT_FILENO } };
		struct queue *q;

		take_values(c, news);
		q = next_queue(c);
		polls[1].events = q ? POLLOUT : 0;
		poll(polls, 2, -1);
		if (polls[1].revents & POLLOUT)
			err = write_chunk(q);
		else if (polls[1].revents)
			err = EPIPE;
	}
	return err;
}

int agent_work(const struct shared *shared, int news)
{
	const struct agent_collectd *set = &shared->collectd;
	struct collectd c = { .shared = shared, .set = set, .fd = -1,
			      .num_changes = shared->outputs[AGENT_COLLECTD].num_changes };
	int err;

	out_init(&c.values.text, -1);
	out_init(&c.notes.text, -1);
	series_init(&c.lines, &series_collectd, &c.values.text, 0);
	c.lines.dated = true;
	if (*set->hostname)
		memcpy(c.lines.host, set->hostname, sizeof(c.lines.host));
	c.lost = !totals_load(&c.totals, shared->outputs[AGENT_COLLECTD].num_fds ? news + 1 : -1, set->run);
	if (strcmp(set->where, "exec") != 0)
		talk(&c, news);
	err = write_out(&c, news);
	if (err != EPIPE)
		agent_tell("standard output: %s", strerror(err));
	totals_free(&c.totals);
	series_free(&c.lines);
	out_free(&c.values.text);
	out_free(&c.notes.text);
	return err == EPIPE ? TOOL_DONE : TOOL_PARTIAL;
}
