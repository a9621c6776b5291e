/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Requests to the agent's real HTTP server, which runs in a thread. Each answer must be HTTP, and after any input a
 * valid request must be answered.
 */
#include <poll.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "fuzz.h"

#include "../../tools/agent/program.h"

enum { NEWS = 200 }; /* descriptor that signals new intervals; NEWS + 1 is the listening socket */

static struct sockaddr_un where = { .sun_family = AF_UNIX };
static socklen_t where_len;
static struct shared_writer shared;

static void *serve(void *unused)
{
	agent_work(shared.memory, NEWS);
	return unused;
}

static void publish_values(void)
{
	const struct series_labels event = { SERIES_LABELS, .event = "an \"event\"" },
				   metric = { SERIES_LABELS, .metric = "a metric" };
	const struct series_total total = { .value = 3 };
	/* The values are published only once; with a long interval they do not count as overdue. */
	const struct shared_interval interval = { .interval_ns = UINT64_C(86400000000000), .series = { .ns = 1 } };
	struct series *s = shared_begin(&shared, &interval);

	series_put_total(s, &event, &total);
	series_put_metric(s, &metric, 0.5);
	REQUIRE(!shared_publish(&shared));
}

/* Start the server on a socket without a name in the file system. */
static void start(void)
{
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	pthread_t thread;

	where_len = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 +
				(size_t)snprintf(where.sun_path + 1, sizeof(where.sun_path) - 1,
						 "fuzz-http-%d", (int)getpid()));
	REQUIRE(!bind(fd, (struct sockaddr *)&where, where_len) && !listen(fd, 64));
	REQUIRE(!shared_create(&shared) && dup2(eventfd(0, EFD_NONBLOCK), NEWS) == NEWS && dup2(fd, NEWS + 1) > NEWS);
	shared.memory->outputs[AGENT_HTTP].num_fds = 1;
	publish_values();
	REQUIRE(!pthread_create(&thread, NULL, serve, NULL));
}

/*
 * The server does not answer an incomplete request, so disconnect after @ms milliseconds without data. The beginning of
 * the answer is stored in @answer.
 */
static size_t ask(const char *text, size_t size, int ms, char *answer, size_t room)
{
	struct pollfd p = { .fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0), .events = POLLIN };
	char more[4096];
	size_t len = 0;
	ssize_t n;

	REQUIRE(!connect(p.fd, (struct sockaddr *)&where, where_len));
	/* The server may close the connection after the first of the two pieces. */
	if (send(p.fd, text, size / 2, MSG_NOSIGNAL) == (ssize_t)(size / 2))
		(void)!send(p.fd, text + size / 2, size - size / 2, MSG_NOSIGNAL);
	while (poll(&p, 1, ms) > 0 && (n = read(p.fd, more, sizeof(more))) > 0) {
		size_t some = (size_t)n < room - len ? (size_t)n : room - len;

		memcpy(answer + len, more, some);
		len += some;
	}
	close(p.fd);
	return len;
}

static void target(const char *text, size_t size)
{
	static const char good[] = "GET /metrics HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n",
			  well[] = "HTTP/1.1 200 ";
	static unsigned num;
	char answer[64];
	size_t len;

	if (!shared.memory)
		start();
	fuzz_parsed();
	len = ask(text, size, 1, answer, sizeof(answer));
	REQUIRE(!len || (len > 9 && !memcmp(answer, "HTTP/1.", 7)));
	if (num++ % 64)
		return;
	len = ask(good, sizeof(good) - 1, 60000, answer, sizeof(answer));
	REQUIRE(len >= sizeof(well) - 1 && !memcmp(answer, well, sizeof(well) - 1));
}
