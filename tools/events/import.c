/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* uncore-events import: copy the vendor's event lists into a new folder, which replaces the old copy at the end. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/file.h"
#include "common/installed_lists.h"
#include "events/events.h"
#include "uncoremsr/file.h"

/* Largest size of a list; the largest one known has 3 MB. */
enum { MOST_BYTES = 1 << 26 };

struct import {
	const char *from;       /* the vendor's repository */
	char to[PATH_MAX], next[PATH_MAX], old[PATH_MAX];
	size_t copied, missing, left_out;
	unsigned long long bytes;
};

static int failed(const char *path, const char *what)
{
	int err = errno, status = tool_file_status(-err);

	return tool_say(status, "import: %s: %s: %s%s", OUT_QUOTED(path), what, strerror(err),
			status == TOOL_NO_ACCESS ? "; run as root, or choose a folder of your own with --to=DIR" : "");
}

static int too_long(const char *path)
{
	return tool_usage("import: %.60s...: the path is too long", path);
}

static int make_folders(char *path)
{
	for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		if (mkdir(path, 0755) && errno != EEXIST)
			return failed(path, "cannot be created");
		*slash = '/';
	}
	return 0;
}

static int copy_bytes(struct import *im, int in, int out)
{
	ssize_t got;

	while ((got = sendfile(out, in, NULL, MOST_BYTES)) > 0)
		im->bytes += (unsigned long long)got;
	return got < 0 ? -1 : 0;
}

static int count_left_out(struct import *im, const char *path)
{
	const struct uncoremsr_event_list *list;
	struct uncoremsr *um = NULL;
	int err = uncoremsr_new(&um);

	if (!err)
		err = uncoremsr_event_list_add(um, path);
	list = uncoremsr_event_list(um, 0);
	for (size_t i = 0; list && list->refused[i]; i++)
		im->left_out++;
	uncoremsr_free(um);
	return err == -ENOMEM ? tool_no_memory() : 0;
}

/* Returns 0, or -1 if the file is missing or not a regular file, or the exit status after a message. */
static int copy_file(struct import *im, const char *name)
{
	char from[PATH_MAX], to[PATH_MAX];
	int in, out, err;

	if ((size_t)snprintf(from, sizeof(from), "%s/%s", im->from, name) >= sizeof(from) ||
	    (size_t)snprintf(to, sizeof(to), "%s/%s", im->next, name) >= sizeof(to))
		return too_long(name);
	/* Several lines of mapfile.csv can name the same file, for several processors. */
	if (!access(to, F_OK))
		return 0;
	in = uncoremsr_file_open(from, MOST_BYTES, UNCOREMSR_FILE_PLAIN);
	if (in < 0)
		return in == -ENOENT || in == -ENOTDIR || in == -ENODEV || in == -EISDIR
			       ? -1 : tool_file_fail(from, in);
	err = make_folders(to);
	out = err ? -1 : open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
	if (!err && out < 0)
		err = failed(to, "cannot be created");
	im->copied += out >= 0;
	if (!err)
		err = count_left_out(im, from);
	if (!err && copy_bytes(im, in, out))
		err = failed(to, "the copy failed");
	if (out >= 0 && close(out) && !err)
		err = failed(to, "the copy failed");
	close(in);
	return err;
}

/* ---- mapfile.csv ---- */

/* The third column of mapfile.csv is the name of a list. */
static int copy_named(struct import *im, char *line)
{
	char *name;
	int err;

	/* strsep() returns NULL if no column is left. */
	for (int column = 0; column < 3; column++)
		name = strsep(&line, ",");
	if (!name || !*name)
		return 0;
	name += strspn(name, "/");
	/* A name with ".." could lead out of the repository or of the copy. */
	if (strstr(name, ".."))
		return tool_say(TOOL_USAGE, "import: %s/mapfile.csv: the file name '%.80s' "
				"points outside the folder", im->from, name);
	err = copy_file(im, name);
	im->missing += err < 0;
	return err < 0 ? 0 : err;
}

static int not_a_repository(const struct import *im, const char *why)
{
	return tool_say(TOOL_USAGE, "import: %s: %s; DIR has to be a copy of the vendor's "
			"repository (intel/perfmon), with mapfile.csv in it", OUT_QUOTED(im->from), why);
}

static int copy_lists(struct import *im)
{
	char path[PATH_MAX], *text, *next, *line;
	bool head = true;
	size_t len;
	int err;

	snprintf(path, sizeof(path), "%s/mapfile.csv", im->from);
	if (access(path, F_OK) && errno != EACCES)
		return not_a_repository(im, access(im->from, F_OK) ? "no such folder" : "it has no mapfile.csv");
	err = tool_file_read(path, MOST_BYTES, &text, &len, NULL);
	for (next = text; !err && next && *next; head = false) {
		line = strsep(&next, "\n");
		line[strcspn(line, "\r")] = '\0';
		if (head && strncmp(line, "Family-model,", 13) != 0)
			err = not_a_repository(im, "its mapfile.csv has an unknown format");
		else if (!head)
			err = copy_named(im, line);
	}
	free(text);
	if (!err && !im->copied)
		err = not_a_repository(im, "none of the lists that mapfile.csv names exists");
	return err;
}

/* ---- replace the old copy ---- */

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *at)
{
	(void)st;
	(void)type;
	(void)at;
	remove(path);
	return 0;
}

/* Links are not followed. A file that cannot be removed stays, which does no harm. */
static void remove_tree(const char *path)
{
	nftw(path, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

static int swap(struct import *im)
{
	int had_old = rename(im->to, im->old) == 0;

	if (!had_old && errno != ENOENT)
		return failed(im->to, "cannot be replaced");
	if (rename(im->next, im->to)) {
		int err = failed(im->to, "cannot be created");

		if (had_old && rename(im->old, im->to))
			failed(im->old, "the old copy is kept");
		return err;
	}
	if (had_old)
		remove_tree(im->old);
	return 0;
}

static bool is_empty(const char *path)
{
	DIR *dir = opendir(path);
	int num = 0;

	while (dir && readdir(dir))
		num++;
	if (dir)
		closedir(dir);
	return num == 2; /* . and .. */
}

/* A folder with other things in it is not a copy and is not replaced. */
static int check_target(const struct import *im)
{
	char map[PATH_MAX + 16];

	snprintf(map, sizeof(map), "%s/mapfile.csv", im->to);
	if (access(im->to, F_OK) || !access(map, F_OK) || is_empty(im->to))
		return 0;
	return tool_say(TOOL_USAGE, "import: %s: exists and is not a copy of event lists; choose "
			"another folder with --to=DIR", OUT_QUOTED(im->to));
}

static int set_paths(struct import *im, const char *to)
{
	size_t len = strlen(to);

	while (len > 1 && to[len - 1] == '/')
		len--;
	if (len + 32 >= sizeof(im->to))
		return too_long(to);
	snprintf(im->to, sizeof(im->to), "%.*s", (int)len, to);
	snprintf(im->next, sizeof(im->next), "%.*s.new-%d", (int)len, to, (int)getpid());
	snprintf(im->old, sizeof(im->old), "%.*s.old-%d", (int)len, to, (int)getpid());
	return 0;
}

static void report(struct events *e, const struct import *im)
{
	if (records_for_people(&e->w)) {
		out_fmt(&e->out, "%s: %zu event list%s, %llu bytes; %zu file%s named in mapfile.csv %s "
			"not in %s\n", im->to, im->copied, im->copied == 1 ? "" : "s", im->bytes, im->missing,
			im->missing == 1 ? "" : "s", im->missing == 1 ? "is" : "are", im->from);
		if (im->left_out)
			out_fmt(&e->out, "%zu entr%s in them will be left out; \"uncore-events list --verbose "
				"--event-list=FILE\" says why\n", im->left_out,
				im->left_out == 1 ? "y" : "ies");
		return;
	}
	record_begin(&e->w);
	record_str(&e->w, "directory", im->to);
	record_int(&e->w, "lists", (int64_t)im->copied);
	record_int(&e->w, "left_out", (int64_t)im->left_out);
	record_int(&e->w, "missing", (int64_t)im->missing);
	record_int(&e->w, "bytes", (int64_t)im->bytes);
	record_end(&e->w);
}

int events_import(struct events *e)
{
	struct import im = { .from = e->common.words[0] };
	size_t lists;
	int err = set_paths(&im, e->to ? e->to : installed_lists_place());

	if (!err)
		err = check_target(&im);
	if (!err)
		err = copy_lists(&im);
	lists = im.copied;
	if (!err)
		err = copy_file(&im, "mapfile.csv");
	if (!err && copy_file(&im, "LICENSE") > 0)
		err = TOOL_PARTIAL;
	im.copied = lists;
	if (!err)
		err = swap(&im);
	if (err)
		remove_tree(im.next);
	else
		report(e, &im);
	return err;
}
