/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A machine made of files in a folder, for the fuzzers of the kernel's route. Some of the files contain the input. */
#ifndef PERF_TREE_H
#define PERF_TREE_H

#include <sys/stat.h>
#include <unistd.h>

#include "fuzz.h"

#include "uncoremsr/names.h"

#define TREE "sys/bus/event_source/devices"

static const struct {
	const char *path, *text; /* NULL: the text is the fuzzer's input */
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

static char tree_dir[64];

static void tree_remove(void)
{
	char command[96];

	snprintf(command, sizeof(command), "rm -rf '%s'", tree_dir);
	if (system(command))
		fprintf(stderr, "cannot remove %s\n", tree_dir);
}

/* Files that exist already are kept, except files whose contents are the fuzzer's input. */
static void tree_write(const char *input)
{
	for (size_t i = 0; i < sizeof(tree_files) / sizeof(tree_files[0]); i++) {
		const char *text = tree_files[i].text ? tree_files[i].text : input;
		char path[256];
		FILE *f;

		snprintf(path, sizeof(path), "%s/%s", tree_dir, tree_files[i].path);
		if (tree_files[i].text && !access(path, F_OK))
			continue;
		for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
			*slash = '\0';
			mkdir(path, 0755);
			*slash = '/';
		}
		f = fopen(path, "w");
		REQUIRE(f && fputs(text, f) >= 0 && !fclose(f));
	}
}

static struct uncoremsr *tree_open(const char *input)
{
	struct uncoremsr *um;
	char what[80];

	if (!*tree_dir) {
		strcpy(tree_dir, access("/dev/shm", W_OK) ? "/tmp/uncoremsr-fuzz-XXXXXX" : "/dev/shm/uncoremsr-fuzz-XXXXXX");
		REQUIRE(mkdtemp(tree_dir));
		atexit(tree_remove);
	}
	tree_write(input);
	snprintf(what, sizeof(what), "root:%s", tree_dir);
	REQUIRE(!uncoremsr_new(&um) && !uncoremsr_set_machine(um, what));
	return um;
}

/* Each unit of an encoded event has a PMU and a number below the number of units, and groups are numbered from 0. */
static int tree_check(void *user, const struct uncoremsr_encoding *e)
{
	REQUIRE(*e->name && *e->pmu && *e->family && e->group <= e->index && e->unit < e->units);
	*(uint64_t *)user = e->index + 1;
	return 0;
}

static void tree_encode(struct uncoremsr *um, const char *text)
{
	uint64_t seen = 0;
	int num = uncoremsr_encode(um, UNCOREMSR_ROUTE_PERF, NULL, text, tree_check, &seen);

	REQUIRE(num <= 0 ? !seen && *uncoremsr_error(um)->message && uncoremsr_error(um)->error_class != UNCOREMSR_ERROR_NONE
				    : (uint64_t)num == seen);
}

#endif
