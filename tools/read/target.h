/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The target of uncore-read: what the kernel's events are counted for (processes, threads, COMMAND or whole CPUs), and
 * how the counts are summed up.
 */
#ifndef TOOL_READ_TARGET_H
#define TOOL_READ_TARGET_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "common/task_ids.h"
#include "uncoremsr.h"

/* Arguments of an option that may be repeated. */
struct read_words {
	const char **words;
	size_t num;
};

/* Add an argument. 0, or the exit status after a message (out of memory). */
int read_words_add(struct read_words *w, const char *word);

struct read_target {
	enum uncoremsr_target whom;  /* valid after read_target_check() */
	struct task_ids tasks;       /* arguments of -p or -t */
	struct read_words cgroups;   /* arguments of --cgroup */
	size_t *first_event;         /* by control group: its first event; the last element is the number of events */
	bool all_cpus;
	struct read_words cores;     /* arguments of --cores */
	struct read_words lists;     /* arguments of --event-list */
	size_t added;                /* how many of @lists have been loaded */
	int min_running;             /* percent; warn about events that were counted for less of the time */
	bool tried_installed;        /* the installed copy of the lists was loaded already */
};

struct read_config;

/*
 * Call this function after the last option: it checks whether the options fit together. TOOL_GO_ON, or the exit status.
 */
int read_target_check(struct read_config *cfg);
/* Add events. Names that no other source has are looked up in the installed event lists. */
int read_target_add(struct read_target *t, struct uncoremsr *um, struct uncoremsr_session *s,
		    const char *text);
/* Does the event have rows of cores or CPUs, as --per-core, --per-cpu or --cores asks for? */
bool read_target_splits(const struct read_config *cfg, const struct uncoremsr_session *s, size_t event);
/* Is the event counted, or the metric computed, for the target's tasks on any CPU? */
bool read_target_is_task(const struct read_target *t, const struct uncoremsr_session *s, bool metric, size_t i);
void read_target_free(struct read_target *t);

/*
 * Write what @event is counted for: "process 12,13", "thread 5", "command", "cgroup PATH" or "system". SIZE_MAX: the
 * target of the whole run. Returns @buf.
 */
const char *read_target_name(const struct read_target *t, size_t event, char *buf, size_t size);
/* Index of the control group (--cgroup) that the event is counted for. */
size_t read_target_group(const struct read_target *t, size_t event);
/* Have all processes or threads of -p and -t ended? */
bool read_target_gone(const struct read_target *t);

#endif
