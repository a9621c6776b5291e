/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The syntax of collectd's configuration files (its liboconfig): options with values, and nested blocks with values.
 * config.c interprets the keywords and values.
 *
 * A line is "KEY VALUE...", "<KEY VALUE...>" or "</KEY>"; "#" begins a comment. A value is a string in quotes, a
 * number, a truth value (true, yes, on, false, no, off), or one plain word. In a string \" means " and \\ means \.
 * A backslash at the end of a line continues the line; in a string the blanks at the start of the next line are
 * dropped.
 */
#ifndef AGENT_CONF_H
#define AGENT_CONF_H

#include <stdbool.h>
#include <stddef.h>

/* A file that exceeds one of these limits is refused. */
enum {
	CONF_SIZE = 1 << 20, /* maximum size of the file in bytes */
	CONF_DEPTH = 8,      /* blocks within blocks */
	CONF_VALUES = 512,   /* values of an option; collectd has the same limit for core groups */
	CONF_TEXT = 4096,    /* maximum length of a word in bytes */
};

struct conf_value {
	enum conf_type { CONF_STRING, CONF_NUMBER, CONF_BOOL } type;
	bool quoted;
	const char *text; /* without quotes */
	double number;
	unsigned line;
};

/* An option, or a block. The items that follow a block, up to @end, are its content. */
struct conf_item {
	const char *key;
	unsigned line;
	bool block;
	const struct conf_value *values;
	size_t num;
	const struct conf_item *end; /* the first item after this one and its content */
};

struct conf {
	struct conf_item *items, *end;
	struct conf_value *values;
	char *texts;
	/* After a failure: the line of the error, and the message. */
	unsigned line;
	char why[160];
};

/*
 * Parse the @size bytes of @text, at most CONF_SIZE. Returns 0, -ENOMEM, or -EINVAL if the syntax is wrong or a limit
 * is exceeded; then @c->line and @c->why are set. Call conf_free() in any case.
 */
int conf_parse(struct conf *c, const char *text, size_t size);
void conf_free(struct conf *c);
/* Is the text a truth value? If so, *truth is set. */
bool conf_is_truth(const char *text, bool *truth);

#endif
