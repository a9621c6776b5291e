/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* uncore-sim mount: a simulated machine as a directory of FUSE, which rdmsr, wrmsr and other programs can use. */
#include "sim/mount.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/file.h"
#include "common/output.h"
#include "sim/fs.h"

struct server {
	struct simfs fs;
	const struct mount_options *o;
	char dir[PATH_MAX]; /* absolute, because the daemon changes its directory */
};

/* libfuse passes its messages to a function without a user pointer, so the last one is kept here. */
static char fuse_said[256];

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
	err = fuse_opt_add_arg(&args, this_tool.name) ||
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
	return tool_say(TOOL_NO_ACCESS, "%s: cannot mount: %s; become root, or install fuse3 for fusermount3",
			OUT_QUOTED(s->dir), fuse_said);
}

/* Print a message, or continue as a daemon, whose parent process exits here. */
static int tell_ready(struct server *s)
{
	if (s->o->daemon)
		return fuse_daemonize(0) ? tool_say(TOOL_PARTIAL, "cannot start the daemon: %m") : TOOL_DONE;
	printf("%s: SIMULATED machine %s at %s until interrupted or unmounted\n", this_tool.name,
	       uncoremsr_sim_state(s->fs.dev.sim)->name, s->dir);
	fflush(stdout);
	return TOOL_DONE;
}

static int mount_and_loop(struct server *s, struct fuse *fuse)
{
	int err = simrun_start(&s->fs.run), status;

	if (err)
		return tool_say(TOOL_NO_ACCESS,
				"%s: cannot make a temporary directory: %s; set TMPDIR to a folder where one can be made",
				OUT_QUOTED(s->dir), strerror(-err));
	if (fuse_mount(fuse, s->dir))
		return cannot_mount(s);
	status = tell_ready(s);
	err = status ? 0 : fuse_loop(fuse); /* 0: unmounted; above 0: ended by this signal; below 0: a negative errno */
	fuse_unmount(fuse);
	if (err < 0)
		return tool_say(TOOL_PARTIAL, "%s: serving ended: %s", OUT_QUOTED(s->dir), strerror(-err));
	return status;
}

/*
 * Serve the mount. Signals are caught as long as the mount or the temporary directory exists; SIGINT and SIGTERM even
 * if they were ignored at the start, as in a background job of a shell (libfuse leaves an ignored signal ignored).
 */
static int serve(struct server *s)
{
	struct fuse *fuse;
	int status;

	fuse_set_log_func(keep_message);
	fuse = make_fuse(s);
	if (!fuse)
		return tool_say(TOOL_NO_ACCESS, "%s: cannot start FUSE: %s", OUT_QUOTED(s->dir), fuse_said);
	signal(SIGINT, SIG_DFL);
	signal(SIGTERM, SIG_DFL);
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

static int check_dir(struct server *s, const char *dir)
{
	const char *advice = "";
	char name[PATH_MAX + 16];
	struct stat st;

	if (!realpath(dir, s->dir) || stat(s->dir, &st)) {
		if (errno == ENOENT)
			advice = "; make the directory first";
		else if (errno == ENOTCONN)
			advice = "; its server has died, unmount it with fusermount3 -u";
		return tool_say(tool_file_status(-errno), "%s: %m%s", OUT_QUOTED(dir), advice);
	}
	if (!S_ISDIR(st.st_mode))
		return tool_say(TOOL_USAGE, "%s: not a directory", OUT_QUOTED(dir));
	snprintf(name, sizeof(name), "%s/sim/name", s->dir);
	if (access(name, F_OK) == 0)
		return tool_say(TOOL_USAGE, "%s: a simulated machine is mounted here; unmount it first: "
				"fusermount3 -u %s", OUT_QUOTED(dir), OUT_QUOTED(dir));
	if (!strcmp(s->dir, "/"))
		return tool_say(TOOL_USAGE, "/: every file of this system would be hidden; name an empty directory");
	return TOOL_DONE;
}

int mount_machine(struct uncoremsr_sim *sim, const char *dir, const struct mount_options *o)
{
	struct server s = { .o = o };
	int status = check_dir(&s, dir), err;

	if (status)
		return status;
	if (access("/dev/fuse", R_OK | W_OK))
		return tool_say(TOOL_NO_ACCESS, "/dev/fuse: %m; %s, or do without it: %s run NAME -- COMMAND",
				errno == ENOENT ? "load the driver (modprobe fuse)" : "become root",
				this_tool.name);
	/* A pipe from the caller would stay open as long as the daemon runs. */
	if (o->daemon && close_range(STDERR_FILENO + 1, ~0U, 0))
		return tool_say(TOOL_PARTIAL, "cannot start the daemon: %m");
	err = simdev_start(&s.fs.dev, sim, o->log);
	if (err)
		return tool_say(tool_file_status(err), "%s: cannot write the log: %s", OUT_QUOTED(o->log),
				strerror(-err));
	status = serve(&s);
	err = simdev_stop(&s.fs.dev);
	if (err && !status)
		status = tool_say(TOOL_PARTIAL, "%s: the log is not complete: %s", OUT_QUOTED(o->log), strerror(-err));
	return status;
}
