/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Files with a device tree: flat ones as they are, source text compiled by dtc. */
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "imc/tree.h"

extern char **environ;

/* Devicetree Specification 5.2: the magic number of a header. */
static bool is_flat(const void *data, size_t len)
{
	static const unsigned char magic[] = { 0xd0, 0x0d, 0xfe, 0xed };

	return len >= sizeof(magic) && memcmp(data, magic, sizeof(magic)) == 0;
}

/* All that comes, UM_TREE_BYTES and one more at most; the length in *len. NULL: errno is set. */
static void *read_all(int fd, size_t *len)
{
	size_t room = 0;
	char *buf = NULL;

	for (*len = 0; *len <= UM_TREE_BYTES;) {
		ssize_t got;

		if (*len == room) {
			char *grown = realloc(buf, room = room ? 2 * room : 64 << 10);

			if (!grown)
				break;
			buf = grown;
		}
		got = read(fd, buf + *len, room - *len);
		if (!got)
			return buf;
		if (got < 0 && errno != EINTR)
			break;
		*len += got > 0 ? (size_t)got : 0;
	}
	if (*len > UM_TREE_BYTES)
		errno = EFBIG;
	free(buf);
	return NULL;
}

static int explain(const char *path, int err, struct um_error *e)
{
	if (err == ENOMEM)
		return um_no_memory(e);
	return um_fail(e, -err, err == EACCES || err == EPERM ? UNCOREMSR_ERROR_ACCESS
							       : UNCOREMSR_ERROR_USAGE,
		       "device tree %s: %s", path, strerror(err));
}

static int no_dtc(const char *path, int err, struct um_error *e)
{
	um_fail(e, -ENOTSUP, UNCOREMSR_ERROR_UNSUPPORTED,
		"device tree %s: source text, and dtc, which compiles it, cannot be run: %s", path,
		strerror(err));
	um_hint(e, "install device-tree-compiler, or compile it elsewhere: dtc -O dtb -o FILE.dtb "
		"FILE.dts");
	return -ENOTSUP;
}

/* dtc with its output in a pipe. */
static int start_dtc(const char *path, pid_t *pid, int *out)
{
	char *argv[] = { "dtc", "-q", "-I", "dts", "-O", "dtb", "-o", "-", "--", (char *)path, NULL };
	posix_spawn_file_actions_t actions;
	int pipe_fd[2], err;

	if (pipe2(pipe_fd, O_CLOEXEC) < 0)
		return errno;
	err = posix_spawn_file_actions_init(&actions);
	if (!err) {
		err = posix_spawn_file_actions_adddup2(&actions, pipe_fd[1], STDOUT_FILENO) ?:
		      posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY,
						       0) ?:
		      posix_spawnp(pid, argv[0], &actions, NULL, argv, environ);
		posix_spawn_file_actions_destroy(&actions);
	}
	close(pipe_fd[1]);
	if (err)
		close(pipe_fd[0]);
	else
		*out = pipe_fd[0];
	return err;
}

static int compile(struct um_tree **out, const char *path, struct um_error *e)
{
	pid_t pid;
	size_t len = 0;
	int fd = -1, status = 0, err = start_dtc(path, &pid, &fd);
	void *blob;

	if (err)
		return no_dtc(path, err, e);
	blob = read_all(fd, &len);
	err = blob ? 0 : errno;
	close(fd);
	/* What came out tells whether it went well; a caller may leave its children to nobody. */
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	/* Where a spawned process shares no memory with us (qemu's user mode) it tells so only now. */
	if (!len && WIFEXITED(status) && WEXITSTATUS(status) == 127) {
		free(blob);
		return no_dtc(path, ENOENT, e);
	}
	if (blob && is_flat(blob, len))
		return um_tree_flat(out, blob, len, path, e);
	free(blob);
	if (err)
		return explain(path, err, e);
	um_fail(e, -EINVAL, UNCOREMSR_ERROR_USAGE,
		"device tree %s: neither a flat tree nor source text that dtc can compile", path);
	um_hint(e, "\"dtc -O dtb -o FILE.dtb %s\" says what is wrong with it", path);
	return -EINVAL;
}

/* Never a device, a pipe or a terminal, which might not end. */
static int open_regular(const char *path)
{
	struct stat st;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	if (fd >= 0 && (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode))) {
		close(fd);
		errno = EINVAL;
		return -1;
	}
	return fd;
}

static bool ends_with(const char *path, const char *end)
{
	size_t len = strlen(path);

	return len > strlen(end) && strcmp(path + len - strlen(end), end) == 0;
}

bool um_tree_is_file(const char *path)
{
	static const char source[] = "/dts-v1/";
	char head[sizeof(source) - 1];
	int fd = open_regular(path);
	ssize_t len = fd >= 0 ? read(fd, head, sizeof(head)) : 0;

	if (fd >= 0)
		close(fd);
	return ends_with(path, ".dtb") || ends_with(path, ".dts") ||
	       (len == sizeof(head) && (is_flat(head, sizeof(head)) ||
					memcmp(head, source, sizeof(head)) == 0));
}

int um_tree_file(struct um_tree **out, const char *path, struct um_error *e)
{
	size_t len = 0;
	void *blob = NULL;
	int fd = open_regular(path), err;

	if (fd >= 0)
		blob = read_all(fd, &len);
	err = errno;
	if (fd >= 0)
		close(fd);
	if (!blob)
		return explain(path, err, e);
	if (is_flat(blob, len) || ends_with(path, ".dtb"))
		return um_tree_flat(out, blob, len, path, e);
	free(blob);
	return compile(out, path, e);
}
