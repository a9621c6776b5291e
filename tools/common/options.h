/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The command line of every tool: one table of options serves getopt_long() and the help text. */
#ifndef TOOL_OPTIONS_H
#define TOOL_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

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
struct records;
struct record_format;
struct series_format;

/*
 * The id of an option is its letter, or TOOL_LONG + n if it has only a long name. TOOL_STORE(STRUCT, MEMBER):
 * tool_parse() does not call @fn, but sets this member of the @user's struct: a const char * to the option's argument,
 * or a bool to true if the option takes no argument.
 */
#define TOOL_ARGUMENT 1 /* not an option: a word before "--" */
#define TOOL_LONG 256
#define TOOL_STORED (1 << 24)
#define TOOL_STORE(config, member) (TOOL_STORED + (int)offsetof(struct config, member))

struct tool_option {
	int id;           /* 0 ends the table */
	const char *name; /* long name; NULL: the option has only a letter */
	const char *arg;  /* name of the argument in the help; NULL: the option takes none; "[=N]": it is optional */
	const char *help; /* text of the help, which is broken into lines when it is printed */
};

struct tool_command {
	const char *name;     /* NULL ends the table */
	size_t least, most;   /* minimum and maximum number of arguments */
	const char *needs;    /* names of the arguments, for a message such as "DIR is missing": "DIR is" */
	bool rest;            /* the words after "--" are COMMAND; if false, they are arguments, too */
	const char *options;  /* names of options that only the sub-commands that list them accept, separated by blanks */
};

struct tool {
	const char *name;     /* name of the tool: "uncore-read" */
	const char *synopsis; /* what follows the name in the synopsis, one line per form */
	const char *about;    /* what the tool does, as complete lines */
	const struct tool_option *options;
	const char *statuses; /* exit statuses, as complete lines */
	const char *examples; /* whole lines */
	const struct tool_command *commands; /* sub-commands; NULL: none */
	size_t command_size;  /* size of an element, which may be a struct that begins with a struct tool_command */
	bool options_only;    /* words that are not options are refused */
	bool command;         /* the first word that is not an option begins COMMAND, as "--" does */
	bool series;          /* the tool can also write series (--format=prometheus, collectd) */
	const char *own_format; /* a format that only this tool has, and its help text for --format; NULL: none */
	const char *own_format_help;
};

extern const struct tool this_tool; /* defined by each program that has a command line */

/* Values of the options that every tool takes, and the words after "--". */
struct tool_common {
	const char *machine; /* argument of --machine, or value of UNCOREMSR_MACHINE; else NULL */
	bool machine_given;  /* --machine was given */
	const struct record_format *writer; /* record format of --format, for records_init() */
	const struct series_format *series; /* series format of --format, for series_init(); NULL: records are written */
	bool own_format;     /* --format chose the tool's own format; @writer is then the CSV format */
	char separator;      /* CSV: character between columns; 0: a comma */
	bool verbose;
	const struct tool_command *command; /* the sub-command that was given, and its arguments */
	char **words;
	size_t num_words;
	char **rest; /* the words after "--", NULL-terminated; an empty list if there are none */
	bool has_rest; /* "--" was given */
};

#define TOOL_GO_ON (-1)

/*
 * Parse the command line. Calls @fn for every option of the tool's own table and, in a tool without sub-commands, for
 * every word before "--" (TOOL_ARGUMENT), in the order given, so that options may stand anywhere. @fn returns 0, or an
 * exit status after a message. @fn may be NULL if all options are TOOL_STORE() and it gets no words. Returns TOOL_GO_ON,
 * or the status to exit with at once (help, version, usage error).
 */
int tool_parse(int argc, char **argv, struct tool_common *common, int (*fn)(void *user, int id, const char *arg),
	       void *user);

/* "NAME: message; see NAME --help" on stderr. Returns TOOL_USAGE. */
int tool_usage(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* "NAME: out of memory" on stderr. Returns TOOL_PARTIAL. */
int tool_no_memory(void);
/* "NAME: message" on stderr. Returns @status. */
int tool_say(int status, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Is @word one of @words, which end with NULL? */
bool list_has(const char *const *words, const char *word);
/* Append @word to the list in @list, with @between before it unless it is the first. Cut off what does not fit. */
void list_add(char *list, size_t size, const char *between, const char *word);
/* Print the handle's last error and its advice on one line. Returns the error's class as exit status. */
int tool_fail(const struct uncoremsr *um);

/* As tool_fail(), but names UNCOREMSR_MACHINE if the machine is from there, which users easily forget. */
int tool_machine_fail(const struct tool_common *common, const struct uncoremsr *um);

/* Make a handle for the machine that was named. 0, or the exit status after a message. The caller frees *um. */
int tool_machine(const struct tool_common *common, struct uncoremsr **um);
/* As tool_machine(), and open the machine. @commands not NULL: a dry run, whose commands are collected there. */
int tool_open(const struct tool_common *common, struct uncoremsr **um, struct out *commands, bool trace);
/* Print whether memory or open files were lacking; drop @whole if memory was. Returns @status, or a worse one. */
int tool_complete(struct uncoremsr *um, struct out *whole, int status);
/* Begin the output of a tool without COMMAND. SIGPIPE is ignored: out_finish() reports a failed write. */
void tool_output(const struct tool_common *common, struct out *o, struct records *w, const void *user);
/* Print the library's warnings on stderr; with --verbose all of its remarks. */
void tool_log(const struct tool_common *common, struct uncoremsr *um);

#endif
