/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The command line of every tool: one table of options feeds getopt_long() and the help text, and
 * the options that all tools share are declared once.
 */
#ifndef TOOL_OPTIONS_H
#define TOOL_OPTIONS_H

#include <stdbool.h>

#include "uncoremsr.h"

/* Exit statuses that every tool shares; the same values as enum uncoremsr_error_class. */
enum tool_status {
	TOOL_DONE = 0,
	TOOL_PARTIAL = 1,
	TOOL_USAGE = 2,
	TOOL_UNSUPPORTED = 3,
	TOOL_NO_ACCESS = 4,
};

struct out;
struct record_format;
struct series_format;

/* Ids of options: their letter, or TOOL_LONG + n for an option that has only a long name. */
#define TOOL_ARGUMENT 1 /* not an option: a word before "--" */
#define TOOL_LONG 256

struct tool_option {
	int id;           /* 0 ends the table */
	const char *name; /* long name; NULL: has only its letter */
	const char *arg;  /* what its argument is called in the help; NULL: takes none; [=N]: may take one */
	const char *help; /* words; lines are made of them */
};

struct tool {
	const char *name;     /* "uncore-read" */
	const char *synopsis; /* what follows the name, one line per form */
	const char *about;    /* what it does, whole lines */
	const struct tool_option *options;
	const char *statuses; /* exit statuses, whole lines */
	const char *examples; /* whole lines */
	bool command;         /* a word that is no option begins COMMAND, as behind "--" */
	bool series;          /* its output may be series, too (--format=prometheus, collectd) */
	const char *own_format; /* one more word for --format, and what the help says of all; NULL: none */
	const char *own_format_help;
};

/* What every tool takes, and what is left behind "--". */
struct tool_common {
	const char *machine; /* --machine, else UNCOREMSR_MACHINE, else NULL */
	const struct record_format *writer; /* --format, for records_init() */
	const struct series_format *series; /* the same, for series_init(); NULL: records */
	bool own_format;     /* --format was the tool's own; @writer is CSV's */
	char separator;      /* CSV: between columns; 0: a comma */
	bool verbose;
	char **rest; /* the words behind "--", NULL-terminated; empty without them */
	bool has_rest; /* "--" was given */
};

#define TOOL_GO_ON (-1)

/* As if --format=@name had been given, which is that of a record format. Returns 0. */
int tool_format(struct tool_common *common, const char *name);

/*
 * Parse the command line. @fn gets every option of the tool's own table and every word before "--"
 * (TOOL_ARGUMENT), in the order given, so that options may stand anywhere; it returns 0, or the
 * status to exit with after it has said why.
 * Returns TOOL_GO_ON, or the status to exit with at once (help, version, usage error).
 */
int tool_parse(const struct tool *tool, int argc, char **argv, struct tool_common *common,
	       int (*fn)(void *user, int id, const char *arg), void *user);

/* "NAME: message; see NAME --help" on stderr. Returns TOOL_USAGE. */
int tool_usage(const struct tool *tool, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
/* "NAME: out of memory" on stderr. Returns TOOL_PARTIAL. */
int tool_no_memory(const struct tool *tool);
/* "NAME: message" on stderr. Returns @status. */
int tool_say(const struct tool *tool, int status, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/*
 * "NAME: text" and @tail on stderr, as one line whatever is in @text (see out_text_str()); without
 * the name where that is NULL.
 */
void tool_line(const char *name, const char *text, const char *tail);
/* The handle's last failure and the advice, in one line. Returns its class as exit status. */
int tool_fail(const struct tool *tool, const struct uncoremsr *um);

/*
 * Make a handle and choose the machine that the options name; with --verbose the library's remarks
 * go to stderr. Returns 0, or the exit status after saying why (*um may be freed then, too).
 */
int tool_machine(const struct tool *tool, const struct tool_common *common, struct uncoremsr **um);
/*
 * Says at the end when something is missing for want of memory or open files; @status or worse. Without memory
 * nothing is printed of @whole, an output that would be wrong in part; NULL: there is none.
 */
int tool_complete(const struct tool *tool, struct uncoremsr *um, struct out *whole, int status);
/* Warnings of the library, and with --verbose all of its remarks, go to stderr. */
void tool_log(const struct tool *tool, const struct tool_common *common, struct uncoremsr *um);

#endif
