/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * uncore-sim mount: a simulated machine as a directory, through FUSE, so that rdmsr, wrmsr and any
 * other program can be pointed at it.
 */
#include "sim/mount.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/file.h"
#include "common/output.h"
#include "sim/fs.h"
#include "uncoremsr/sim.h"

struct server {
	struct simfs fs;
	struct uncoremsr_sim *sim;
	const struct tool *tool;
	const struct mount_options *o;
	char dir[PATH_MAX]; /* absolute: the daemon leaves its directory */
	int ready;          /* descriptor that gets one byte when the mount is ready; -1: print it on stdout */
};

/* libfuse passes its messages to a function without a user pointer, so the last one is kept here. */
static char fuse_said[256];

static void tell_ready(void *user)
{
	struct server *s = user;
	int null;

	if (s->ready < 0) {
		printf("%s: SIMULATED machine %s at %s until interrupted or unmounted\n",
		       s->tool->name, uncoremsr_sim_state(s->sim)->name, s->dir);
		fflush(stdout);
		return;
	}
	null = open("/dev/null", O_RDWR | O_CLOEXEC);
	if (null >= 0) {
		dup2(null, STDIN_FILENO);
		dup2(null, STDOUT_FILENO);
		dup2(null, STDERR_FILENO);
		close(null);
	}
	if (chdir("/") == 0 && write(s->ready, "", 1) == 1)
		close(s->ready);
}

static void keep_message(enum fuse_log_level level, const char *fmt, va_list ap)
{
	(void)level;
	vsnprintf(fuse_said, sizeof(fuse_said), fmt, ap);
	fuse_said[strcspn(fuse_said, "\n")] = '\0';
}

static struct fuse *make_fuse(struct server *s)
{
	struct fuse_args args = FUSE_ARGS_INIT(0, NULL);
	struct fuse *fuse = NULL;
	int err;

	/* default_permissions: the kernel checks the modes of the files for every user. */
	err = fuse_opt_add_arg(&args, s->tool->name) ||
	      fuse_opt_add_arg(&args, "-odefault_permissions,fsname=uncore-sim,subtype=uncore-sim");
	if (!err && s->o->allow_other)
		err = fuse_opt_add_arg(&args, "-oallow_other");
	if (!err)
		fuse = fuse_new(&args, &simfs_operations, sizeof(simfs_operations), &s->fs);
	fuse_opt_free_args(&args);
	return fuse;
}

static int cannot_mount(struct server *s)
{
	return tool_say(s->tool, TOOL_NO_ACCESS,
			"%s: cannot mount: %s; become root, or install fuse3 for fusermount3",
			OUT_QUOTED(s->dir), fuse_said);
}

static int mount_and_loop(struct server *s, struct fuse *fuse)
{
	int err = simrun_start(&s->fs.run);

	if (err)
		return tool_say(s->tool, TOOL_NO_ACCESS,
				"%s: cannot make a temporary directory: %s; set TMPDIR to a folder where one can be made",
				OUT_QUOTED(s->dir), strerror(-err));
	if (fuse_mount(fuse, s->dir))
		return cannot_mount(s);
	err = fuse_loop(fuse); /* 0: unmounted; above 0: ended by this signal; below 0: a negative errno */
	fuse_unmount(fuse);
	if (err < 0)
		return tool_say(s->tool, TOOL_PARTIAL, "%s: serving ended: %s", OUT_QUOTED(s->dir), strerror(-err));
	return TOOL_DONE;
}

/* Serve the mount. Signals are caught as long as the mount or the temporary directory exists. */
static int serve(struct server *s)
{
	struct fuse *fuse;
	int status;

	fuse_set_log_func(keep_message);
	fuse = make_fuse(s);
	if (!fuse)
		return tool_say(s->tool, TOOL_NO_ACCESS, "%s: cannot start FUSE: %s", OUT_QUOTED(s->dir), fuse_said);
	if (fuse_set_signal_handlers(fuse_get_session(fuse))) {
		fuse_destroy(fuse);
		return cannot_mount(s);
	}
	status = mount_and_loop(s, fuse);
	simrun_stop(&s->fs.run);
	fuse_remove_signal_handlers(fuse_get_session(fuse));
	fuse_destroy(fuse);
	return status;
}

static int open_and_serve(struct server *s)
{
	int err = simdev_start(&s->fs.dev, s->sim, s->o->log);
	int status;

	if (err)
		return tool_say(s->tool, tool_file_status(err), "%s: cannot write the log: %s", OUT_QUOTED(s->o->log),
				strerror(-err));
	status = serve(s);
	err = simdev_stop(&s->fs.dev);
	if (err && !status)
		status = tool_say(s->tool, TOOL_PARTIAL, "%s: the log is not complete: %s",
				  OUT_QUOTED(s->o->log), strerror(-err));
	return status;
}

/* Become a daemon: close all inherited descriptors, or a pipe from the caller would stay open as long as we run. */
static int become_daemon(struct server *s, int ready)
{
	s->ready = dup2(ready, STDERR_FILENO + 1);
	if (s->ready < 0 || close_range(STDERR_FILENO + 2, ~0U, 0))
		return tool_say(s->tool, TOOL_PARTIAL, "cannot start the daemon: %m");
	setsid();
	return open_and_serve(s);
}

/* Start the daemon, and wait until it is ready (one byte), or until it fails. */
static int serve_in_background(struct server *s)
{
	int ready[2], status;
	char byte;
	pid_t pid;

	fflush(NULL);
	if (pipe(ready) || (pid = fork()) < 0)
		return tool_say(s->tool, TOOL_PARTIAL, "cannot start the daemon: %m");
	if (!pid)
		_exit(become_daemon(s, ready[1]));
	close(ready[1]);
	if (read(ready[0], &byte, 1) == 1)
		return TOOL_DONE;
	if (waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status))
		return WEXITSTATUS(status);
	return tool_say(s->tool, TOOL_PARTIAL, "%s: the daemon ended before the mount was ready", OUT_QUOTED(s->dir));
}

static int check_dir(struct server *s)
{
	const char *advice = "";
	struct stat st;

	if (!realpath(s->o->dir, s->dir) || stat(s->dir, &st)) {
		if (errno == ENOENT)
			advice = "; make the directory first";
		else if (errno == ENOTCONN)
			advice = "; its server has died, unmount it with fusermount3 -u";
		return tool_say(s->tool, TOOL_USAGE, "%s: %m%s", OUT_QUOTED(s->o->dir), advice);
	}
	if (!S_ISDIR(st.st_mode))
		return tool_say(s->tool, TOOL_USAGE, "%s: not a directory", OUT_QUOTED(s->o->dir));
	if (!strcmp(s->dir, "/"))
		return tool_say(s->tool, TOOL_USAGE, "/: every file of this system would be hidden; name an empty "
				"directory");
	return TOOL_DONE;
}

int mount_machine(const struct tool *tool, struct uncoremsr_sim *sim,
		  const struct mount_options *o)
{
	struct server s = { .sim = sim, .tool = tool, .o = o, .ready = -1 };
	int status = check_dir(&s);

	s.fs.ready = tell_ready;
	s.fs.user = &s;
	if (status)
		return status;
	if (access("/dev/fuse", R_OK | W_OK))
		return tool_say(tool, TOOL_NO_ACCESS, "/dev/fuse: %m; %s, or do without it: "
				"%s run NAME -- COMMAND",
				errno == ENOENT ? "load the driver (modprobe fuse)" : "become root",
				tool->name);
	return o->daemon ? serve_in_background(&s) : open_and_serve(&s);
}
