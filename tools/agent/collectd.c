/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Source: collectd-unixsock(5), collectd-exec(5), and the behaviour of collectd 5.12. It cuts lines of more than 1023
 * bytes, and answers each line with "N TEXT" and N more lines, or "-1 TEXT". If we sent many lines without reading the
 * answers, both sides would block; so each line waits for the answer to the one before. collectd takes a falling COUNTER
 * for one that wrapped: see agent/totals.h. Lines contain the time at which they were counted. Otherwise collectd would
 * use the time of arrival: a line that had to wait would get nearly the same time as the next one, and the rate
 * between them would be far too high.
 */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "agent/program.h"
#include "agent/snapshot.h"
#include "agent/totals.h"

enum {
	LINE = 1024,
	ANSWER_MS = 10000,    /* if collectd does not answer for so long, we take it that it hangs */
	MOST_NOTES = 1 << 16, /* bytes of notifications that are kept while collectd is away */
	CHUNK = 4096,         /* a pipe accepts a write of this size completely or not at all (PIPE_BUF) */
};

struct collectd {
	struct series gather; /* must be first: its functions get it */
	struct series lines;  /* writes the lines of an interval into @queue */
	struct out queue;     /* lines with values; those before @at have been sent */
	size_t at;
	struct out notes;     /* notifications: they are not replaced by the next interval's */
	size_t note_at;
	char *next;           /* the latest interval that arrived while @queue was being sent; older ones are dropped */
	size_t next_size;
	const struct agent_collectd *set;
	struct totals totals;
	bool lost;            /* totals of earlier runs could not be read */
	bool mute;            /* totals cannot be saved, so none are sent */
	int64_t silent_ms;    /* send no totals before this time; 0: not known yet */
	/* The connection to collectd. */
	int fd;               /* -1: not connected */
	char line[LINE];      /* the line being sent, @sent of @line_len bytes; then we wait for the answer */
	size_t line_len, sent;
	bool is_note;
	int64_t answer_ms;    /* time limit for the answer */
	char in[LINE];
	size_t in_len;
	unsigned long more;   /* lines of the answer that are still to come */
	bool away_told, refused_told, doubled_told;
};

/* ---- an interval becomes lines ---- */

static struct collectd *of(struct series *s)
{
	return (struct collectd *)s;
}

/*
 * Names in the form of the plugin's earlier releases are not unique: two events can have the same one. Mark both as
 * shared; neither is written under that name.
 */
static void find_shared(struct collectd *c, struct total *e, const struct series_labels *l)
{
	char name[SERIES_NAME];

	if (e->counter || !l->group)
		return;
	series_collectd_name(name, l, true);
	e->counter = strdup(name);
	for (size_t i = 0; i < c->totals.num && e->counter; i++) {
		struct total *other = &c->totals.list[i];

		if (other != e && other->counter && !strcmp(other->counter, e->counter))
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

/* Add up: a group of cores can span several packages, each of which comes with a total of its own. */
static void gather_event(struct series *s, const struct series_labels *l, const struct series_total *t)
{
	struct total *e = find(of(s), l);

	if (!e)
		return;
	e->now.value += t->value;
	e->now.counted += t->counted;
	e->now.enabled_ns += t->enabled_ns;
	e->now.running_ns += t->running_ns;
}

static void gather_unknown(struct series *s, const struct series_labels *l, const char *reason)
{
	struct total *e = l->event && l->pmu ? find(of(s), l) : NULL;

	(void)reason;
	if (e)
		e->unknown = true;
}

static void skip_event(struct series *s, const struct series_labels *l, const struct series_total *t)
{
	(void)s, (void)l, (void)t;
}

static void skip_metric(struct series *s, const struct series_labels *l, double value)
{
	(void)s, (void)l, (void)value;
}

static void skip_throttled(struct series *s, const struct series_labels *l,
			   const struct series_throttling *t)
{
	(void)s, (void)l, (void)t;
}

static void skip_changed(struct series *s, const struct series_labels *l, bool now)
{
	(void)s, (void)l, (void)now;
}

static void skip_unknown(struct series *s, const struct series_labels *l, const char *reason)
{
	(void)s, (void)l, (void)reason;
}

static void skip_end(struct series *s, const struct series_interval *i)
{
	(void)s, (void)i;
}

/* A first pass that writes nothing: it only finds the time of the interval, which is the last item of the bytes. */
static const struct series_format dating = {
	.name = "dating", .event = skip_event, .metric = skip_metric, .throttled = skip_throttled,
	.changed = skip_changed, .unknown = skip_unknown, .end = skip_end,
};

static const struct series_format gathering = {
	.name = "gathering", .event = gather_event, .metric = skip_metric, .throttled = skip_throttled,
	.changed = skip_changed, .unknown = gather_unknown, .end = skip_end,
};

static void write_metric(struct series *s, const struct series_labels *l, double value)
{
	series_collectd.metric(&of(s)->lines, l, value);
}

static void write_throttled(struct series *s, const struct series_labels *l,
			    const struct series_throttling *t)
{
	series_collectd.throttled(&of(s)->lines, l, t);
}

static void write_note(struct series *s, const struct series_labels *l, bool now)
{
	struct collectd *c = of(s);

	if (c->notes.len > MOST_NOTES)
		return;
	c->lines.out = &c->notes;
	series_collectd.changed(&c->lines, l, now);
	c->lines.out = &c->queue;
}

static const struct series_format noting = {
	.name = "noting", .event = skip_event, .metric = skip_metric, .throttled = skip_throttled,
	.changed = write_note, .unknown = skip_unknown, .end = skip_end,
};

static const struct series_format writing = {
	.name = "writing", .event = skip_event, .metric = write_metric, .throttled = write_throttled,
	.changed = skip_changed, .unknown = skip_unknown, .end = skip_end,
};

static bool say(struct collectd *c, const struct series_format *as, const char *bytes, size_t size)
{
	c->gather.format = as;
	return snapshot_say(&c->gather, bytes, size);
}

/*
 * Save the totals. Returns whether they may be sent: not if they cannot be saved, nor, if those of earlier runs were
 * lost, until collectd has forgotten its last values.
 */
static bool may_tell(struct collectd *c)
{
	int err;

	if (!c->silent_ms) {
		c->silent_ms = agent_now_ms();
		if (c->lost)
			c->silent_ms += (int64_t)((c->set->timeout * (double)c->lines.interval_ns +
						   (double)c->set->timeout_ns) / 1e6) + 1;
		if (c->lost)
			agent_tell("earlier totals are unknown; sending no totals for %.1f s, until collectd has "
					"dropped its old values", (double)(c->silent_ms - agent_now_ms()) / 1e3);
	}
	if (agent_now_ms() < c->silent_ms)
		return false;
	err = totals_save(&c->totals);
	if (err && !c->mute)
		agent_tell("totals cannot be saved, so none are sent: %s", strerror(err));
	c->mute = err != 0;
	return !err;
}

static void write_totals(struct collectd *c)
{
	bool tell;

	for (size_t i = 0; i < c->totals.num; i++) {
		struct total *e = &c->totals.list[i];

		if (e->said && !e->unknown)
			e->now = totals_take(e, &e->now);
	}
	tell = may_tell(c);
	for (size_t i = 0; i < c->totals.num; i++) {
		struct total *e = &c->totals.list[i];

		c->lines.values = c->set->values & (e->shared ? SERIES_FOUR : ~0u);
		if (tell && e->said && !e->unknown)
			series_collectd.event(&c->lines, &e->labels, &e->now);
		e->said = e->unknown = false;
	}
}

static void write_values(struct collectd *c, const char *bytes, size_t size)
{
	c->queue.len = c->at = 0;
	say(c, &gathering, bytes, size);
	write_totals(c);
	say(c, &writing, bytes, size);
	if (c->queue.error)
		c->queue.len = 0;
}

/* Queue an interval: notifications of every interval; values only if the interval before has been sent completely. */
static void take(struct collectd *c, char *bytes, size_t size)
{
	free(c->next);
	c->next = NULL;
	if (say(c, &dating, bytes, size)) {
		c->next = bytes;
		c->next_size = size;
		c->lines.interval_ns = c->gather.interval_ns;
		c->lines.wall_ns = c->gather.wall_ns;
		say(c, &noting, bytes, size);
		if (c->notes.error)
			c->notes.len = c->note_at = 0;
	} else {
		free(bytes);
	}
}

/* Receive all values that have arrived. False: the agent has ended. */
static bool take_values(struct collectd *c, int values)
{
	char *bytes;
	size_t size;
	int got;

	while ((got = agent_receive(values, &bytes, &size)) > 0)
		take(c, bytes, size);
	if (c->next && c->at >= c->queue.len) {
		write_values(c, c->next, c->next_size);
		free(c->next);
		c->next = NULL;
	}
	return got == 0;
}

/* ---- the socket ---- */

static void hang_up(struct collectd *c, const char *why)
{
	if (!c->away_told)
		agent_tell("%s: %s; retrying each interval; check that collectd's plugin unixsock has this "
				"SocketFile, and SocketPerms that let the agent in", c->set->path, why);
	c->away_told = true;
	if (c->fd >= 0)
		close(c->fd);
	c->fd = -1;
	/* Perhaps collectd has accepted the line. New values will come anyway; a notification is sent again. */
	c->line_len = c->in_len = c->more = 0;
}

static void connect_to(struct collectd *c)
{
	struct sockaddr_un to = { .sun_family = AF_UNIX };

	memcpy(to.sun_path, c->set->path, sizeof(to.sun_path));
	c->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (c->fd < 0 || connect(c->fd, (const struct sockaddr *)&to, sizeof(to)) < 0)
		hang_up(c, strerror(errno));
	c->refused_told = false;
}

/* Take the next line to send, notifications first. False: there is none. */
static bool next_line(struct collectd *c)
{
	struct out *from = c->note_at < c->notes.len ? &c->notes : &c->queue;
	size_t at = from == &c->notes ? c->note_at : c->at;
	const char *line = from->buf + at, *end;

	if (at >= from->len)
		return false;
	end = memchr(line, '\n', from->len - at);
	c->line_len = (size_t)(end - line) + 1;
	c->sent = 0;
	c->is_note = from == &c->notes;
	memcpy(c->line, line, c->line_len < LINE ? c->line_len : LINE);
	if (!c->is_note)
		c->at += c->line_len;
	return true;
}

static void send_lines(struct collectd *c)
{
	while (c->fd >= 0 && (c->line_len ? c->sent < c->line_len : next_line(c))) {
		ssize_t n = send(c->fd, c->line + c->sent, c->line_len - c->sent, MSG_NOSIGNAL);

		if (n < 0 && (errno == EAGAIN || errno == EINTR))
			return;
		if (n < 0)
			hang_up(c, strerror(errno));
		else
			c->sent += (size_t)n;
		c->answer_ms = agent_now_ms() + ANSWER_MS;
	}
}

static void end_line(struct collectd *c)
{
	if (c->is_note)
		c->note_at += c->line_len;
	if (c->note_at >= c->notes.len)
		c->notes.len = c->note_at = 0;
	c->line_len = 0;
}

static void take_answer(struct collectd *c, char *answer)
{
	char *text;
	long more = strtol(answer, &text, 10);

	if (c->more) {
		c->more--;
	} else if (more >= 0) {
		c->more = (unsigned long)more;
		if (c->away_told)
			agent_tell("%s: accepts values again", c->set->path);
		c->away_told = false;
	} else if (!c->refused_told) {
		c->line[strcspn(c->line, "\n")] = '\0';
		agent_tell("refused:%s: %s", text, c->line);
		c->refused_told = true;
	}
	if (!c->more)
		end_line(c);
}

static void read_answers(struct collectd *c)
{
	ssize_t n = recv(c->fd, c->in + c->in_len, sizeof(c->in) - 1 - c->in_len, 0);
	char *line = c->in, *end;

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (n <= 0) {
		hang_up(c, n < 0 ? strerror(errno) : "collectd has closed the connection");
		return;
	}
	c->in_len += (size_t)n;
	c->in[c->in_len] = '\0';
	for (; (end = strchr(line, '\n')); line = end + 1) {
		*end = '\0';
		take_answer(c, line);
	}
	c->in_len = strlen(line);
	memmove(c->in, line, c->in_len + 1);
	if (c->in_len == sizeof(c->in) - 1)
		hang_up(c, "its answer is too long");
}

static void talk(struct collectd *c, int values)
{
	while (take_values(c, values)) {
		struct pollfd polls[] = { { .fd = values, .events = POLLIN }, { .events = POLLIN } };
		int64_t wait = -1;

		if (c->fd < 0 && (c->at < c->queue.len || c->note_at < c->notes.len))
			connect_to(c);
		send_lines(c);
		/* Drop the rest of the interval: it would be too old when collectd is back. */
		if (c->fd < 0)
			c->at = c->queue.len;
		if (c->line_len) {
			wait = c->answer_ms - agent_now_ms();
			polls[1].events |= c->sent < c->line_len ? POLLOUT : 0;
		}
		if (c->line_len && wait <= 0) {
			hang_up(c, "no answer");
			continue;
		}
		polls[1].fd = c->fd;
		poll(polls, 2, (int)wait);
		if (c->fd >= 0 && polls[1].revents & (POLLIN | POLLHUP | POLLERR))
			read_answers(c);
	}
}

/* ---- standard output ---- */

/* Write as many whole lines as a pipe accepts at once, so that it never blocks and no line is cut. False: no reader. */
static bool write_chunk(struct out *o, size_t *at)
{
	size_t len = 0;

	while (*at + len < o->len) {
		const char *end = memchr(o->buf + *at + len, '\n', o->len - *at - len);
		size_t line = (size_t)(end - (o->buf + *at + len)) + 1;

		if (len && len + line > CHUNK)
			break;
		len += line;
	}
	if (len && write(STDOUT_FILENO, o->buf + *at, len) < 0)
		return errno == EINTR || errno == EAGAIN;
	*at += len;
	return true;
}

static void write_out(struct collectd *c, int values)
{
	bool read = true;

	while (read && take_values(c, values)) {
		bool notes = c->note_at < c->notes.len, queue = c->at < c->queue.len;
		struct pollfd polls[] = {
			{ .fd = values, .events = POLLIN },
			{ .fd = STDOUT_FILENO, .events = notes || queue ? POLLOUT : 0 },
		};

		poll(polls, 2, -1);
		if (polls[1].revents & POLLOUT)
			read = notes ? write_chunk(&c->notes, &c->note_at) : write_chunk(&c->queue, &c->at);
		else
			read = !(polls[1].revents & (POLLERR | POLLHUP | POLLNVAL));
		if (c->note_at >= c->notes.len)
			c->notes.len = c->note_at = 0;
	}
}

/* Ends with 0 when the agent has ended, or the reader of standard output. */
int agent_work(const struct agent_task *task, int values)
{
	const struct tool_common common = { .series = &series_collectd };
	struct collectd c = { .set = &task->collectd, .fd = -1 };

	out_init(&c.queue, -1);
	out_init(&c.notes, -1);
	series_init(&c.lines, &common, &c.queue, c.set->interval_ns);
	c.lines.dated = true;
	if (*c.set->hostname)
		memcpy(c.lines.host, c.set->hostname, sizeof(c.lines.host));
	c.lost = !totals_load(&c.totals, task->num_fds ? task->fds[0] : -1, c.set->run);
	if (*c.set->path)
		talk(&c, values);
	else
		write_out(&c, values);
	free(c.next);
	totals_free(&c.totals);
	series_free(&c.lines);
	out_free(&c.queue);
	out_free(&c.notes);
	return 0;
}
