/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A sysfs tree in memory for the fuzzers of the kernel's route; one of its files is the input. */
#ifndef PERF_TREE_H
#define PERF_TREE_H

#include <errno.h>

#include "fuzz.h"

#include "access/access.h"
#include "events/kernel_pmu.h"

#define TREE "sys/bus/event_source/devices"

struct perf_tree {
	struct um_access base;
	const char *input;   /* content of the files that have NULL below */
};

static const struct {
	const char *path, *text;
} tree_files[] = {
	{ TREE "/cpu/type", "4" },
	{ TREE "/cpu/format/event", "config:0-7" },
	{ TREE "/cpu/format/umask", "config:8-15" },
	{ TREE "/cpu/format/offcore_rsp", "config1:0-63" },
	{ TREE "/cpu/caps/max_precise", "3" },
	{ TREE "/uncore_cha_0/type", "20" },
	{ TREE "/uncore_cha_0/cpumask", "0,18" },
	{ TREE "/uncore_cha_0/format/event", "config:0-7,21" },
	{ TREE "/uncore_cha_0/format/umask", "config:8-15,32-43" },
	{ TREE "/uncore_cha_3/type", "23" },
	{ TREE "/uncore_cha_3/cpumask", NULL },
	{ TREE "/uncore_cha_3/format/event", "config:0-7" },
	{ TREE "/uncore_cha_3/format/umask", NULL },
	{ TREE "/uncore_imc/type", "30" },
	{ TREE "/uncore_imc/format/event", "config:0-7" },
	{ TREE "/uncore_imc/events/a", NULL },
	{ TREE "/uncore_imc/events/a.scale", NULL },
	{ TREE "/uncore_imc/events/a.unit", NULL },
	{ TREE "/uncore_imc/events/b", "event=4,a" },
	{ "sys/kernel/tracing/events/sched/sched_switch/id", "316" },
};

static ssize_t tree_read(struct um_access *a, const char *path, char *buf, size_t size)
{
	for (size_t i = 0; i < ARRAY_SIZE(tree_files); i++)
		if (!strcmp(tree_files[i].path, path)) {
			const char *text = tree_files[i].text;

			snprintf(buf, size, "%s", text ? text : ((struct perf_tree *)a)->input);
			return (ssize_t)strlen(buf);
		}
	return -ENOENT;
}

/* Every name in the folder, each once: the files of a folder stand together. */
static int tree_list(struct um_access *a, const char *path, int (*fn)(void *user, const char *name),
		     void *user)
{
	size_t len = strlen(path);
	char last[64] = "", name[64];
	int err = 0;

	(void)a;
	for (size_t i = 0; i < ARRAY_SIZE(tree_files) && !err; i++) {
		const char *rest = tree_files[i].path + len + 1;

		if (strncmp(tree_files[i].path, path, len) || tree_files[i].path[len] != '/')
			continue;
		snprintf(name, sizeof(name), "%.*s", (int)strcspn(rest, "/"), rest);
		if (strcmp(name, last))
			err = fn(user, name);
		strcpy(last, name);
	}
	return err;
}

static const struct um_access_ops tree_ops = { .read_text = tree_read, .list = tree_list };

#define PERF_TREE(text) { .base = { .ops = &tree_ops, .root = "" }, .input = (text) }

#endif
