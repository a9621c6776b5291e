/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The tree of a mounted machine: DIR/dev/cpu/N/msr and DIR/dev/cpu/N/cpuid, the machine's own
 * text files DIR/sys, DIR/proc and DIR/sim, and the directory DIR/run/uncoremsr for the files of programs.
 * DIR/sim/run is the state of that directory; DIR/sim/trouble sets up failures of register accesses.
 */
#ifndef TOOL_SIMNODE_H
#define TOOL_SIMNODE_H

#include <stdbool.h>
#include <sys/types.h>

#include "sim/fs.h"

enum node_kind {
	NODE_TOP, NODE_DEV, NODE_CPUS, NODE_CPU, NODE_MSR, NODE_CPUID, NODE_TEXT,
	NODE_RUN, NODE_RUN_FILE, NODE_RUN_STATE, NODE_TROUBLE
};

struct node {
	enum node_kind kind;
	unsigned cpu;     /* CPU of a NODE_CPU, NODE_MSR or NODE_CPUID */
	const char *text; /* NODE_TEXT: path in the machine's own tree; NODE_RUN_FILE: name of the file */
};

/* Parse a path. 0, or -ENOENT: there is no such path. find also checks that the node exists now (see exists). */
int simnode_parse(const char *path, struct node *n);
int simnode_find(struct simfs *fs, const char *path, struct node *n);
bool simnode_exists(struct simfs *fs, const struct node *n);

/* Attributes of a node, except a NODE_RUN_FILE, which has those of its file (run.h). 0, or -errno. */
int simnode_getattr(struct simfs *fs, const struct node *n, struct stat *st);

/* The text of NODE_TEXT @path, of NODE_RUN_STATE or NODE_TROUBLE: number of bytes, or -errno. */
int simnode_read_text(struct simfs *fs, const char *path, char *buf, size_t size, off_t pos);
int simnode_read_state(struct simfs *fs, enum node_kind kind, char *buf, size_t size, off_t pos);

#endif
