/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Parse files with a device tree: flat trees directly, source text through dtc. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/file.h"
#include "imc/tree.h"

extern char **environ;

static int no_dtc(const char *path, int err, struct um_error *e)
{
	um_fail(e, -ENOTSUP, UNCOREMSR_ERROR_UNSUPPORTED,
		"device tree %s is source text, and the compiler for it, dtc, cannot be run: %s", UM_QUOTED(path),
		strerror(err));
	return um_advise(e, -ENOTSUP, "install device-tree-compiler, or compile the source elsewhere: dtc -O dtb -o "
		"FILE.dtb FILE.dts");
}

/* Limits for dtc: a source may include files that never end. */
enum { DTC_SECONDS = 10, DTC_BYTES = 1 << 30 };

/* Put the text into an unnamed file, positioned at its beginning; -1 with errno. */
static int in_memory(const char *text, size_t len)
{
	int fd = memfd_create("device-tree", MFD_CLOEXEC);

	if (fd >= 0 && (write(fd, text, len) != (ssize_t)len || lseek(fd, 0, SEEK_SET) < 0)) {
		close(fd);
		return -1;
	}
	return fd;
}

/* Start dtc with the source as its input and a pipe for its output; @folder: where it looks for included files. */
static int start_dtc(int source, const char *folder, pid_t *pid, int *out)
{
	char *argv[] = { "dtc", "-q", "-i", (char *)folder, "-I", "dts", "-O", "dtb", "-o", "-", "-", NULL };
	const struct rlimit bytes = { DTC_BYTES, DTC_BYTES };
	posix_spawn_file_actions_t actions;
	int pipe_fd[2], err;

	if (pipe2(pipe_fd, O_CLOEXEC) < 0)
		return errno;
	err = posix_spawn_file_actions_init(&actions);
	if (!err) {
		err = posix_spawn_file_actions_adddup2(&actions, source, STDIN_FILENO) ?:
		      posix_spawn_file_actions_adddup2(&actions, pipe_fd[1], STDOUT_FILENO) ?:
		      posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0) ?:
		      posix_spawnp(pid, argv[0], &actions, NULL, argv, environ);
		posix_spawn_file_actions_destroy(&actions);
	}
	close(pipe_fd[1]);
	if (err)
		close(pipe_fd[0]);
	else
		*out = pipe_fd[0];
	if (!err)
		prlimit(*pid, RLIMIT_AS, &bytes, NULL);
	return err;
}

/* Read the output of dtc, which writes it just before it exits; kill dtc if no output comes in time. */
static int read_dtc(pid_t pid, int fd, char **blob, size_t *len)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };
	int n = poll(&p, 1, DTC_SECONDS * 1000);

	if (n <= 0)
		kill(pid, SIGKILL);
	if (n < 0)
		return -errno;
	n = uncoremsr_file_read(fd, UM_TREE_BYTES, blob, len);
	if (n > 0)
		free(*blob);
	return n > 0 ? -EFBIG : n;
}

/* Compile source text, which is freed here. */
static int compile(struct um_tree **out, const char *path, char *text, size_t len, struct um_error *e)
{
	const char *slash = strrchr(path, '/');
	char *folder = strndup(path, slash ? (size_t)(slash - path) + 1 : 0), *blob = NULL;
	int source = folder ? in_memory(text, len) : -1, fd = -1, status = 0, err = source < 0 ? errno : 0;
	bool spawned;
	pid_t pid;

	free(text);
	if (!err)
		err = start_dtc(source, *folder ? folder : ".", &pid, &fd);
	spawned = source >= 0 && !err;
	if (source >= 0)
		close(source);
	free(folder);
	if (!spawned)
		return source < 0 || err == ENOMEM ? um_file_fail(e, "device tree", path, -err) : no_dtc(path, err, e);
	err = read_dtc(pid, fd, &blob, &len);
	close(fd);
	/* Judge by the output, not the exit status: a caller may have set SIGCHLD to ignore. */
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (err)
		return um_file_fail(e, "device tree", path, err);
	/* In qemu's user mode posix_spawnp() succeeds although dtc is missing; only exit status 127 shows it. */
	if (!len && WIFEXITED(status) && WEXITSTATUS(status) == 127) {
		free(blob);
		return no_dtc(path, ENOENT, e);
	}
	if (um_tree_is_flat(blob, len))
		return um_tree_flat(out, blob, len, path, e);
	free(blob);
	UM_USAGE(e, "device tree %s: neither a flat tree nor source text that dtc can compile", UM_QUOTED(path));
	return um_advise(e, -EINVAL, "\"dtc -O dtb -o FILE.dtb %s\" shows what is wrong with the file",
		UM_QUOTED(path));
}

int um_tree_parse(struct um_tree **out, char *text, size_t len, const char *path, struct um_error *e)
{
	const char *end = strrchr(path, '.');

	if (um_tree_is_flat(text, len) || (end && strcmp(end, ".dtb") == 0))
		return um_tree_flat(out, text, len, path, e);
	return compile(out, path, text, len, e);
}
