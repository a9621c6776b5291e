/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * When we last cleared the logs: a file beside the leases, which goes with the boot as the log bits
 * do. Others clear them too (the kernel does), so it tells the earliest moment, not the latest.
 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "counting/lease.h"
#include "throttle/throttle.h"

#define FILE_NAME "throttle-cleared"

enum { STAMP = sizeof("2026-11-21T16:03:00Z") - 1 };

static bool is_stamp(const char *text)
{
	static const char form[] = "dddd-dd-ddTdd:dd:ddZ";

	for (size_t i = 0; i < STAMP; i++)
		if (form[i] == 'd' ? text[i] < '0' || text[i] > '9' : text[i] != form[i])
			return false;
	return true;
}

/* The identity of the boot in which it was written follows the time. */
static void read_boot(struct uncoremsr_throttle *t, char *boot, size_t size)
{
	if (um_access_line(t->um->access, "proc/sys/kernel/random/boot_id", boot, size) <= 0)
		snprintf(boot, size, "-");
}

void um_cleared_load(struct uncoremsr_throttle *t)
{
	char text[96], boot[40];
	struct um_access *a = t->um->access;

	if (!a->has_files ||
	    um_access_line(a, "run/uncoremsr/" FILE_NAME, text, sizeof(text)) <= STAMP ||
	    !is_stamp(text) || text[STAMP] != ' ')
		return;
	read_boot(t, boot, sizeof(boot));
	if (strcmp(text + STAMP + 1, boot) != 0)
		return;
	snprintf(t->cleared, sizeof(t->cleared), "%.*s", (int)STAMP, text);
}

static void write_file(struct uncoremsr_throttle *t, const struct um_guard *g)
{
	int fd = openat(g->dir, FILE_NAME, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW,
			0644);
	char line[96];
	int len = snprintf(line, sizeof(line), "%s %s\n", t->cleared, g->boot);

	if (fd < 0 || write(fd, line, (size_t)len) != len)
		um_warn(t->um, "%s/" FILE_NAME ": the time of clearing could not be kept", g->path);
	if (fd >= 0)
		close(fd);
}

void um_cleared_store(struct uncoremsr_throttle *t)
{
	time_t now = time(NULL);
	struct um_guard g;
	struct um_error e;
	struct tm tm;

	strftime(t->cleared, sizeof(t->cleared), "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &tm));
	if (um_guard_open(&g, t->um, true, &e) < 0) {
		um_warn(t->um, "the time of clearing could not be kept: %s", e.msg);
		return;
	}
	if (g.dir >= 0)
		write_file(t, &g);
	um_guard_close(&g);
}
