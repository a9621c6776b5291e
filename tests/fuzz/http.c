/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Requests to the agent's real HTTP server, which runs in a thread. Each answer must be HTTP, and after any input a
 * valid request must be answered.
 */
#include <poll.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "fuzz.h"

#include "../../tools/agent/program.h"
#include "../../tools/agent/snapshot.h"

static struct sockaddr_un where = { .sun_family = AF_UNIX };
static socklen_t where_len;
static struct agent_task task;
static int channel[2];

static void *serve(void *unused)
{
	agent_work(&task, channel[1]);
	return unused;
}

/* Send an event and a metric, as the counting process does. */
static void hand_over_values(void)
{
	const struct tool_common common = { .series = &series_snapshot };
	const struct series_labels event = { SERIES_LABELS, .event = "an \"event\"" },
				   metric = { SERIES_LABELS, .metric = "a metric" };
	union {
		struct cmsghdr head;
		char room[CMSG_SPACE(sizeof(int))];
	} control = { .head = { .cmsg_len = CMSG_LEN(sizeof(int)), .cmsg_level = SOL_SOCKET,
				.cmsg_type = SCM_RIGHTS } };
	char mark = 'v';
	struct iovec io = { &mark, 1 };
	struct msghdr m = { .msg_iov = &io, .msg_iovlen = 1, .msg_control = control.room,
			    .msg_controllen = sizeof(control.room) };
	struct series_total total = { .value = 3 };
	struct series s;
	struct out out;
	int fd = memfd_create("values", MFD_CLOEXEC);

	out_init(&out, -1);
	/* A long interval, so that values that come only once are not overdue. */
	series_init(&s, &common, &out, UINT64_C(86400000000000));
	s.format->event(&s, &event, &total);
	s.format->metric(&s, &metric, 0.5);
	s.format->end(&s, &(struct series_interval){ .ns = 1 });
	REQUIRE(write(fd, out.buf, out.len) == (ssize_t)out.len);
	memcpy(CMSG_DATA(&control.head), &fd, sizeof(fd));
	REQUIRE(sendmsg(channel[0], &m, 0) == 1);
	close(fd);
	series_free(&s);
	out_free(&out);
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
	REQUIRE(!socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, channel));
	task.fds[task.num_fds++] = fd;
	hand_over_values();
	REQUIRE(!pthread_create(&thread, NULL, serve, NULL));
}

/*
 * Send these bytes, and read the beginning of the answer until nothing comes for @ms: after half a request the client
 * disconnects.
 */
static size_t ask(const char *text, size_t size, int ms, char *answer, size_t room)
{
	struct pollfd p = { .fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0), .events = POLLIN };
	char more[4096];
	size_t len = 0;
	ssize_t n;

	REQUIRE(!connect(p.fd, (struct sockaddr *)&where, where_len));
	/* Send in two pieces; the server may have closed the connection after the first. */
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

	if (!task.num_fds)
		start();
	fuzz_parsed();
	len = ask(text, size, 1, answer, sizeof(answer));
	REQUIRE(!len || (len > 9 && !memcmp(answer, "HTTP/1.", 7)));
	if (num++ % 64)
		return;
	len = ask(good, sizeof(good) - 1, 60000, answer, sizeof(answer));
	REQUIRE(len >= sizeof(well) - 1 && !memcmp(answer, well, sizeof(well) - 1));
}
