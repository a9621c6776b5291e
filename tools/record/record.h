/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef RECORD_RECORD_H
#define RECORD_RECORD_H

#include "common/event_lists.h"
#include "common/options.h"
#include "common/task_ids.h"
#include "uncoremsr/sampling.h"

struct record_config {
	struct tool_common common;
	struct uncoremsr_sampling_options sampling; /* its pointers refer to the members below */
	char *events;            /* all of -e, with commas between; NULL: none */
	struct event_lists lists;
	const char *output;      /* -o, or perf.data */
	bool stream;             /* -o - */
	bool system;             /* -a */
	bool estimate;           /* --estimate */
	struct task_ids tasks;   /* -p or -t */
	char **command;          /* NULL: none */
};

extern const struct tool record_tool;

/* Parse the command line. TOOL_GO_ON, or the exit status. */
int record_options_parse(struct record_config *cfg, int argc, char **argv);
void record_options_free(struct record_config *cfg);

/* The output file, and what was changed in its folder to make it. */
struct record_output {
	int fd;
	bool created, kept; /* @created: the file did not exist before; @kept: an older one was renamed to FILE.old */
};

/*
 * Create the file. An existing one is renamed to FILE.old, as perf does. 0, or the exit status after a message.
 */
int record_output_open(const struct record_config *cfg, struct record_output *o);
/* If nothing was recorded: remove the file, and restore an older one. */
void record_output_undo(const struct record_config *cfg, const struct record_output *o);

/* Print what an open sampling would cost: interrupts, bytes, time. Returns the exit status. */
int record_estimate(const struct record_config *cfg, struct uncoremsr *um, struct uncoremsr_sampling *s);

#endif
