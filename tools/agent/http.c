/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The output for Prometheus: /metrics from the last values; /, /-/healthy and /-/ready.
 * Sources: the text format 0.0.4 of Prometheus, OpenMetrics 1.0, RFC 9110 (Accept, Allow); libmicrohttpd's
 * microhttpd.h.
 *
 * libmicrohttpd's own limits are not enough. Its time limit counts idleness only, so a client that sends a byte now and
 * then would hold a connection for ever; our limit is for each request and its answer. Its limits on the number of
 * connections, in all and per address, refuse the newest client. That may be the scraper, which often has the same
 * address as the idle clients. So we accept every client, and close the one that has been silent longest if there are
 * too many.
 */
#include <microhttpd.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <sys/queue.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include "agent/program.h"

enum {
	DEADLINE_MS = 10000,      /* longest time for a request and its answer */
	KEPT_MS = 330000,         /* how long a connection is kept between requests; longer than usual scrape intervals */
	MOST_CONNECTIONS = 512,
	MOST_OF_ADDRESS = 64,     /* maximum number of connections of one client address */
	MOST_CLOSING = 32,        /* additional connections per socket, which are shut down but not closed yet */
	FEWEST_SPARE = 32,        /* descriptors that are not used for connections */
	CONNECTION_MEMORY = 8192, /* bytes; a request with larger headers is refused */
	MOST_LISTENS = AGENT_MOST_DESCRIPTORS,
};

/* Address of a client; for IPv6 only its network (64 bits), because one host can use all addresses of a network. */
struct address {
	unsigned char version;    /* IP version: 4 or 6; 0: a Unix socket, whose clients have no address */
	unsigned char bytes[8];
};

struct client {
	TAILQ_ENTRY(client) others;
	int fd;
	struct address address;
	int64_t until_ms;         /* time at which the connection will be closed */
	int64_t heard_ms;         /* when the client last sent something, or accepted a part of its answer */
	bool shut;                /* the connection will be closed next */
};

struct http {
	const struct shared *shared;
	struct series series;     /* writes the values in the format that was asked for last */
	struct out body;
	unsigned number;          /* number of the interval whose values are in @body; 0: none */
	bool broken;  /* the values cannot be written (out of memory) */
	TAILQ_HEAD(, client) clients; /* in the order in which they connected */
	unsigned most;            /* largest number of connections */
	int heard;                /* epoll descriptor of all client sockets; libmicrohttpd does not report activity */
	bool gone;                /* a connection was closed, so new ones may be accepted */
	struct MHD_Daemon *daemons[MOST_LISTENS];
	size_t num_daemons;
};

static const char text_type[] = "text/plain; version=0.0.4; charset=utf-8";
static const char open_type[] = "application/openmetrics-text; version=1.0.0; charset=utf-8";
static const char plain_type[] = "text/plain; charset=utf-8";
static const char html_type[] = "text/html; charset=utf-8";

static const char page[] =
	"<!DOCTYPE html>\n<html lang=\"en\">\n<head><title>uncore-agent</title></head>\n<body>\n"
	"<h1>uncore-agent</h1>\n<p><a href=\"/metrics\">Metrics</a></p>\n</body>\n</html>\n";

/* ---- which format ---- */

/* The q value of a part of the Accept header, in thousandths; 0 if it is not a number from 0 to 1. */
static int quality(const char *part, size_t len)
{
	double q = 1;
	const char *p = part + 1;

	while (p + 2 < part + len && !((p[0] == 'q' || p[0] == 'Q') && p[1] == '=' && (p[-1] == ';' || p[-1] == ' ')))
		p++;
	if (p + 2 < part + len)
		q = strtod(p + 2, NULL);
	return q >= 0 && q <= 1 ? (int)(q * 1000) : 0;
}

static bool is_type(const char *part, size_t len, const char *type)
{
	return len == strlen(type) && !strncasecmp(part, type, len);
}

static bool wants_open(const char *accept)
{
	int best_text = 0, best_open = 0;
	const char *part = accept ? accept : "";

	while (*part) {
		size_t len, type;
		int q;

		part += strspn(part, " \t");
		len = strcspn(part, ",");
		type = strcspn(part, ";, \t");
		q = quality(part, len);
		if (is_type(part, type, "application/openmetrics-text"))
			best_open = q > best_open ? q : best_open;
		else if (is_type(part, type, "text/plain") || is_type(part, type, "text/*") ||
			 is_type(part, type, "*/*"))
			best_text = q > best_text ? q : best_text;
		part += len + (part[len] == ',');
	}
	return best_open && best_open >= best_text;
}

/* ---- answers ---- */

static enum MHD_Result answer(struct MHD_Connection *to, unsigned status, const char *type,
			      const char *body, size_t len, const char *connection, const char *allow)
{
	const char *const headers[][2] = {
		{ MHD_HTTP_HEADER_CONTENT_TYPE, type }, { MHD_HTTP_HEADER_CONNECTION, connection },
		{ MHD_HTTP_HEADER_ALLOW, allow },
	};
	/* Copy @body, because its buffer is reused for the next values. */
	struct MHD_Response *r = MHD_create_response_from_buffer(len, (void *)(uintptr_t)body,
								 MHD_RESPMEM_MUST_COPY);
	enum MHD_Result result;

	if (!r)
		return MHD_NO;
	for (size_t i = 0; i < ARRAY_SIZE(headers); i++)
		if (headers[i][1])
			MHD_add_response_header(r, headers[i][0], headers[i][1]);
	result = MHD_queue_response(to, status, r);
	MHD_destroy_response(r);
	return result;
}

static enum MHD_Result say(struct MHD_Connection *to, unsigned status, const char *line)
{
	return answer(to, status, plain_type, line, strlen(line), "close", NULL);
}

/* Write the latest values in @format into @h->body, on request: clients usually want only one format. */
static bool write_body(struct http *h, const struct series_format *format, unsigned number)
{
	struct shared_interval i;
	struct series_row row;
	char *rows;

	if (h->number == number && h->series.format == format)
		return true;
	if (shared_read(h->shared, &i, &rows) <= 0)
		return false;
	h->series.format = format;
	h->body.len = 0;
	for (size_t at = 0; shared_next(rows, i.size, &at, &row);)
		format->put(&h->series, &row);
	series_end(&h->series, &i.series);
	free(rows);
	h->number = i.number;
	return !h->body.error;
}

static const char *why_none(const struct http *h, struct shared_interval *i)
{
	if (!shared_read(h->shared, i, NULL))
		return "no values yet: the first interval has not ended\n";
	if (shared_is_late(i))
		return "the values are old: the counting process sends no new ones\n";
	return NULL;
}

static enum MHD_Result metrics(struct http *h, struct MHD_Connection *to)
{
	const bool open = wants_open(MHD_lookup_connection_value(to, MHD_HEADER_KIND, "Accept"));
	struct shared_interval i;
	const char *why = why_none(h, &i);

	if (why)
		return say(to, MHD_HTTP_SERVICE_UNAVAILABLE, why);
	h->broken |= !write_body(h, open ? &series_openmetrics : &series_prometheus, i.number);
	if (h->broken)
		return MHD_NO;
	/* Do not send "Connection: close": a scraper uses the same connection for its next scrape. */
	return answer(to, MHD_HTTP_OK, open ? open_type : text_type, h->body.buf, h->body.len, NULL, NULL);
}

static enum MHD_Result handle(void *user, struct MHD_Connection *to, const char *url, const char *method,
			      const char *version, const char *upload, size_t *upload_size, void **state)
{
	static const char not_allowed[] = "only GET and HEAD are allowed\n";
	struct http *h = user;
	struct shared_interval i;
	const char *why;

	(void)version, (void)upload;
	if (strcmp(method, "GET") != 0 && strcmp(method, "HEAD") != 0)
		return answer(to, MHD_HTTP_METHOD_NOT_ALLOWED, plain_type, not_allowed,
			      sizeof(not_allowed) - 1, "close", "GET, HEAD");
	/* libmicrohttpd's first call has only the head of a request; an answer would close the connection. */
	if (!*state || *upload_size) {
		*state = h;
		*upload_size = 0;
		return MHD_YES;
	}
	if (strcmp(url, "/metrics") == 0)
		return metrics(h, to);
	if (strcmp(url, "/") == 0)
		return answer(to, MHD_HTTP_OK, html_type, page, sizeof(page) - 1, "close", NULL);
	if (strcmp(url, "/-/healthy") == 0)
		return say(to, MHD_HTTP_OK, "uncore-agent is healthy\n");
	if (strcmp(url, "/-/ready") != 0)
		return say(to, MHD_HTTP_NOT_FOUND, "not found\n");
	why = why_none(h, &i);
	return why ? say(to, MHD_HTTP_SERVICE_UNAVAILABLE, why) : say(to, MHD_HTTP_OK, "uncore-agent is ready\n");
}

/* ---- connections ---- */

static struct address address_of(struct MHD_Connection *connection)
{
	const union MHD_ConnectionInfo *info =
		MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
	const struct sockaddr *from = info ? info->client_addr : NULL;
	struct address a = { .version = 0 };

	if (from && from->sa_family == AF_INET) {
		a.version = 4;
		memcpy(a.bytes, &((const struct sockaddr_in *)(const void *)from)->sin_addr, 4);
	} else if (from && from->sa_family == AF_INET6) {
		const struct in6_addr *v6 = &((const struct sockaddr_in6 *)(const void *)from)->sin6_addr;
		const bool mapped = IN6_IS_ADDR_V4MAPPED(v6);

		a.version = mapped ? 4 : 6;
		memcpy(a.bytes, v6->s6_addr + (mapped ? 12 : 0), mapped ? 4 : 8);
	}
	return a;
}

static struct client *client_of(struct MHD_Connection *connection)
{
	const union MHD_ConnectionInfo *info =
		MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);

	return info ? info->socket_context : NULL;
}

static void shut(struct client *c)
{
	shutdown(c->fd, SHUT_RDWR);
	c->shut = true;
}

static struct client *more_silent(struct client *a, struct client *b)
{
	return !a || b->heard_ms < a->heard_ms ? b : a;
}

static void make_room(const struct http *h, const struct client *new)
{
	struct client *silent = NULL, *near = NULL, *c;
	unsigned all = 1, of_address = 1;

	TAILQ_FOREACH(c, &h->clients, others) {
		if (c == new || c->shut)
			continue;
		all++;
		silent = more_silent(silent, c);
		if (!new->address.version || memcmp(&c->address, &new->address, sizeof(c->address)) != 0)
			continue;
		of_address++;
		near = more_silent(near, c);
	}
	if (of_address > MOST_OF_ADDRESS)
		shut(near);
	else if (all > h->most && silent)
		shut(silent);
}

static void come(struct http *h, struct MHD_Connection *connection, void **mine)
{
	const union MHD_ConnectionInfo *info =
		MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
	struct client *c = info ? malloc(sizeof(*c)) : NULL;
	const int64_t now = agent_now_ms();

	*mine = c;
	if (!c) {
		/* Out of memory: close the connection, because without a struct client it would have no time limit. */
		if (info)
			shutdown(info->connect_fd, SHUT_RDWR);
		return;
	}
	*c = (struct client){ .fd = info->connect_fd, .address = address_of(connection),
			      .until_ms = now + DEADLINE_MS, .heard_ms = now };
	TAILQ_INSERT_TAIL(&h->clients, c, others);
	/*
	 * Without EPOLLOUT, epoll drops an EPOLLIN event whose data libmicrohttpd has read before epoll_wait(). With
	 * it, the event is still reported, because the socket is nearly always writable.
	 */
	epoll_ctl(h->heard, EPOLL_CTL_ADD, c->fd,
		  &(struct epoll_event){ .events = EPOLLIN | EPOLLOUT | EPOLLET, .data.ptr = c });
	make_room(h, c);
}

static void go(struct http *h, struct client *c)
{
	h->gone = true;
	if (!c)
		return;
	epoll_ctl(h->heard, EPOLL_CTL_DEL, c->fd, NULL);
	TAILQ_REMOVE(&h->clients, c, others);
	free(c);
}

static void note(void *user, struct MHD_Connection *connection, void **mine, enum MHD_ConnectionNotificationCode code)
{
	if (code == MHD_CONNECTION_NOTIFY_STARTED)
		come(user, connection, mine);
	else
		go(user, *mine);
}

static void complete(void *user, struct MHD_Connection *connection, void **state, enum MHD_RequestTerminationCode code)
{
	struct client *c = client_of(connection);

	(void)user, (void)state;
	if (!c || code != MHD_REQUEST_TERMINATED_COMPLETED_OK)
		return;
	c->until_ms = agent_now_ms() + KEPT_MS;
}

/* A request begins or continues. It has to end DEADLINE_MS after its beginning. */
static void ask(struct client *c)
{
	const int64_t until_ms = agent_now_ms() + DEADLINE_MS;

	if (until_ms < c->until_ms)
		c->until_ms = until_ms;
}

/*
 * libmicrohttpd calls this when it has read the first line of a request. This starts the deadline of requests that
 * hear() cannot see: those received together with the previous request, or between hear() and MHD_run().
 */
static void *ask_line(void *user, const char *line, struct MHD_Connection *connection)
{
	struct client *c = client_of(connection);

	(void)user, (void)line;
	if (c)
		ask(c);
	return NULL;
}

static void hear(const struct http *h)
{
	struct epoll_event events[MOST_CONNECTIONS];
	int num = epoll_wait(h->heard, events, MOST_CONNECTIONS, 0);
	const int64_t now = agent_now_ms();

	for (int i = 0; i < num; i++) {
		struct client *c = events[i].data.ptr;

		c->heard_ms = now;
		if (events[i].events & EPOLLIN)
			ask(c);
	}
}

static int cut_off(struct http *h)
{
	const int64_t now = agent_now_ms();
	int64_t next = now + DEADLINE_MS;
	struct client *c;

	TAILQ_FOREACH(c, &h->clients, others) {
		if (c->until_ms <= now)
			shut(c);
		else
			next = c->until_ms < next ? c->until_ms : next;
	}
	return (int)(next - now);
}

/* ---- the loop ---- */

static unsigned most_connections(size_t listens)
{
	const rlim_t spare = FEWEST_SPARE + MOST_CLOSING * listens;
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) < 0)
		return MOST_OF_ADDRESS;
	limit.rlim_cur = limit.rlim_max < MOST_CONNECTIONS + spare ? limit.rlim_max : MOST_CONNECTIONS + spare;
	setrlimit(RLIMIT_NOFILE, &limit);
	getrlimit(RLIMIT_NOFILE, &limit);
	if (limit.rlim_cur <= spare)
		return 1;
	return limit.rlim_cur < MOST_CONNECTIONS + spare ? (unsigned)(limit.rlim_cur - spare) : MOST_CONNECTIONS;
}

static bool listen_on(struct http *h, int fd)
{
	struct MHD_Daemon *d = MHD_start_daemon(
		MHD_USE_EPOLL, 0, NULL, NULL, handle, h,
		MHD_OPTION_LISTEN_SOCKET, (MHD_socket)fd,
		MHD_OPTION_CONNECTION_LIMIT, h->most + MOST_CLOSING,
		MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)CONNECTION_MEMORY,
		MHD_OPTION_URI_LOG_CALLBACK, ask_line, h,
		MHD_OPTION_NOTIFY_COMPLETED, complete, h,
		MHD_OPTION_NOTIFY_CONNECTION, note, h, MHD_OPTION_END);

	if (!d)
		return false;
	h->daemons[h->num_daemons++] = d;
	return true;
}

static int wait_ms(struct http *h, int longest)
{
	/* After a connection was closed, call MHD_run() at once: only that call makes libmicrohttpd accept new ones. */
	if (h->gone)
		longest = 0;
	h->gone = false;
	for (size_t i = 0; i < h->num_daemons; i++) {
		MHD_UNSIGNED_LONG_LONG ms;

		if (MHD_get_timeout(h->daemons[i], &ms) == MHD_YES && ms < (unsigned)longest)
			longest = (int)ms;
	}
	return longest;
}

static void serve(struct http *h, int news)
{
	struct pollfd polls[MOST_LISTENS + 1] = { { .fd = news, .events = POLLIN } };

	for (size_t i = 0; i < h->num_daemons; i++)
		polls[i + 1] = (struct pollfd){
			.fd = MHD_get_daemon_info(h->daemons[i], MHD_DAEMON_INFO_EPOLL_FD)->epoll_fd,
			.events = POLLIN,
		};
	while (!h->broken) {
		(void)agent_has_news(news);
		hear(h);
		for (size_t i = 0; i < h->num_daemons; i++)
			MHD_run(h->daemons[i]);
		poll(polls, h->num_daemons + 1, wait_ms(h, cut_off(h)));
	}
}

int agent_work(const struct shared *shared, int news)
{
	const size_t num = shared->outputs[AGENT_HTTP].num_fds;
	struct http h = { .shared = shared, .most = most_connections(num), .heard = epoll_create1(EPOLL_CLOEXEC) };
	bool listens = h.heard >= 0;

	TAILQ_INIT(&h.clients);
	out_init(&h.body, -1);
	series_init(&h.series, &series_prometheus, &h.body, 0);
	for (size_t i = 0; i < num && listens; i++)
		listens = listen_on(&h, news + 1 + (int)i);
	if (!listens) {
		agent_tell("cannot start the HTTP server: epoll or libmicrohttpd failed");
		return TOOL_UNSUPPORTED;
	}
	serve(&h, news);
	/* Exit; the agent starts us again with a clean heap. */
	agent_tell("out of memory for the values; restarting");
	return TOOL_PARTIAL;
}
