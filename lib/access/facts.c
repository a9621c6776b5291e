/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "access/access.h"
#include "common/number.h"

int um_access_open_in_tree(int dir, const char *path, int flags)
{
	const struct open_how how = { .flags = (unsigned)flags, .resolve = RESOLVE_IN_ROOT };
	int fd = -1;

	/* EAGAIN: something was renamed while ".." was followed. */
	for (int tries = 0; fd < 0 && tries < 16 && (!tries || errno == EAGAIN); tries++)
		fd = (int)syscall(SYS_openat2, dir, path, &how, sizeof(how));
	return fd < 0 ? -errno : fd;
}

static char *put(char *at, char *end, const char *text)
{
	size_t len = strnlen(text, (size_t)(end - at));

	memcpy(at, text, len);
	return at + len;
}

int um_access_open_file(const struct um_access *a, const char *path, int flags)
{
	char full[PATH_MAX], *end = full + sizeof(full) - 1, *at;
	int fd;

	flags |= O_CLOEXEC;
	if (a->tree)
		return um_access_open_in_tree(a->tree - 1, *path ? path : ".", flags);
	at = put(put(put(full, end, a->root), end, "/"), end, path);
	if (at == end)
		return -ENAMETOOLONG;
	*at = '\0';
	fd = open(full, flags);
	return fd < 0 ? -errno : fd;
}

bool um_access_hint_outside(const struct um_access *a, const char *path, struct um_error *e)
{
	char full[PATH_MAX];
	struct stat st;

	snprintf(full, sizeof(full), "%s/%s", a->root, path);
	if (!a->tree || stat(full, &st))
		return false;
	um_hint(e, "links that lead out of the tree are not followed: copy the files into it, or mount them there");
	return true;
}

int um_access_open_leases(const struct um_access *a, bool make)
{
	const char *name = strchr(UM_LEASES, '/') + 1;
	int run = um_access_open_file(a, "run", O_PATH | O_DIRECTORY), fd = -1;
	bool made;

	if (run < 0)
		return run;
	made = make && !mkdirat(run, name, 0755);
	if (!make || made || errno == EEXIST)
		fd = openat(run, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
	if (fd < 0)
		fd = -errno;
	else if (made)
		fchmod(fd, 0755); /* the umask may have cleared bits of the mode */
	close(run);
	return fd;
}

int um_access_check_dir(int fd, const char *path, struct um_error *e)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return um_fail(e, -errno, UNCOREMSR_ERROR_ACCESS, "%s: %s", UM_QUOTED(path), strerror(errno));
	if ((st.st_uid == 0 || st.st_uid == geteuid()) && !(st.st_mode & (S_IWGRP | S_IWOTH)))
		return 0;
	um_fail(e, -EPERM, UNCOREMSR_ERROR_ACCESS, "%s: other users may write here (owner %u, mode %o): "
		"not trusted", UM_QUOTED(path), (unsigned)st.st_uid, (unsigned)st.st_mode & 07777);
	return um_advise(e, -EPERM, "chown root %s; chmod go-w %s", UM_QUOTED(path), UM_QUOTED(path));
}

const char *um_cpu_path(char buf[UM_CPU_PATH_SIZE], const char *before, unsigned cpu, const char *after,
			const char *name)
{
	char *end = buf + UM_CPU_PATH_SIZE - 1;
	char *at = um_put_decimal(put(buf, end, before), end, cpu);

	at = put(put(at, end, after), end, name);
	*at = '\0';
	return buf;
}

ssize_t um_access_line(struct um_access *a, const char *path, char *buf, size_t size)
{
	ssize_t n = a->ops->read_text(a, path, buf, size);

	while (n > 0 && (buf[n - 1] == '\0' || isspace((unsigned char)buf[n - 1])))
		buf[--n] = '\0';
	return n;
}

bool um_access_number(struct um_access *a, const char *path, unsigned max, unsigned *value)
{
	char line[24];
	const char *at = line;

	return um_access_line(a, path, line, sizeof(line)) > 0 && um_read_decimal(&at, max, value) && !*at;
}

bool um_access_write_filter(struct um_access *a, char *buf, size_t size)
{
	return um_access_line(a, "sys/module/msr/parameters/allow_writes", buf, size) > 0;
}

/* The file shows all modes, the one in force in brackets: "none [integrity] confidentiality". */
bool um_access_lockdown(struct um_access *a, char *buf, size_t size)
{
	char text[96];
	char *from, *to;

	if (um_access_line(a, "sys/kernel/security/lockdown", text, sizeof(text)) <= 0)
		return false;
	from = strchr(text, '[');
	to = from ? strchr(from, ']') : NULL;
	if (!to)
		return false;
	*to = '\0';
	snprintf(buf, size, "%s", from + 1);
	return true;
}

static int is_safe_node(void *user, const char *name)
{
	(void)user;
	return strcmp(name, "msr_safe") == 0;
}

const char *um_access_node(struct um_access *a, unsigned cpu)
{
	char path[32];

	snprintf(path, sizeof(path), "dev/cpu/%u", cpu);
	return a->ops->list(a, path, is_safe_node, NULL) == 1 ? "msr_safe" : "msr";
}

bool um_access_in_container(struct um_access *a)
{
	static const char marks[][24] = { "run/systemd/container", "run/.containerenv",
					     ".dockerenv" };
	char text[64];
	bool certain = true;

	for (size_t i = 0; i < ARRAY_SIZE(marks) && !a->in_container; i++) {
		ssize_t num = a->ops->read_text(a, marks[i], text, sizeof(text));

		if (num >= 0)
			a->in_container = 1;
		certain = certain && (num == -ENOENT || num == -ENOTDIR);
	}
	/*
	 * Remember "no container" only if all these files are certainly missing; after any other error check again next
	 * time.
	 */
	if (!a->in_container && certain)
		a->in_container = -1;
	return a->in_container > 0;
}

int um_access_starved(const struct um_access *a, struct um_error *e)
{
	if (!a->starved)
		return 0;
	um_fail(e, -a->starved, UNCOREMSR_ERROR_UNSUPPORTED, "%s: files of the machine cannot be opened: %s",
		*a->root ? UM_QUOTED(a->root) : "/", strerror(a->starved));
	um_hint_descriptors(e, -a->starved);
	return -a->starved;
}

uint64_t um_access_slept(struct um_access *a)
{
	return a->ops->slept ? a->ops->slept(a) : 0;
}
