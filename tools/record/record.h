/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef RECORD_RECORD_H
#define RECORD_RECORD_H

#include "common/command.h"
#include "common/event_lists.h"
#include "common/options.h"
#include "common/task_ids.h"
#include "common/wait.h"
#include "uncoremsr/sampling.h"

struct recorder {
	struct tool_common common;
	struct uncoremsr_sampling_options options; /* contains pointers to the members below */
	char *events;            /* arguments of all -e, with commas between them; NULL: none */
	struct event_lists lists;
	const char *output;      /* argument of -o; without -o: perf.data */
	bool stream;             /* -o - was given */
	bool system;             /* -a was given */
	bool estimate;
	struct task_ids tasks;   /* -p or -t */
	char **line;             /* the command line, which is stored in the file */
	struct tool_wait wait;
	struct command command;  /* the process of COMMAND, if common.has_rest */
	struct uncoremsr *um;
	struct uncoremsr_sampling *sampling;
	uint64_t begin_ns, end_ns;
	int fd;                  /* descriptor of the output */
	bool created, kept;      /* @created: the file is new; @kept: an older file was renamed to FILE.old */
	int signals;             /* signalfd, readable when a signal is pending */
	bool progress;           /* a progress line is on the terminal */
};

/* Returns TOOL_GO_ON, or the exit status. */
int record_options_parse(struct recorder *r, int argc, char **argv);
void record_options_free(struct recorder *r);

int record_estimate(const struct recorder *r);

#endif
