/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A buffer that collects output and writes it with one write(2). The functions that append format numbers and quote
 * JSON and CSV, all without regard to the locale. out_flush() reports lack of memory and failed writes, so that callers
 * need not check each step.
 */
#ifndef TOOL_OUTPUT_H
#define TOOL_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/select.h> /* sigset_t */

#include "common/array.h"
#include "common/options.h"

struct out {
	int fd;
	const char *name; /* name of the output, for messages */
	int error; /* errno of the first failure; 0: none; EINTR: see out_stop_on() */
	const sigset_t *stops;
	bool ending; /* one of the signals @stops has arrived */
	char *buf;
	size_t len, size;
	size_t tamed; /* length of the text that out_tame() has processed */
};

void out_init(struct out *o, int fd);
/* Can text on this descriptor be redrawn? Yes if it is a terminal that terminfo(5) knows by TERM, other than "dumb". */
bool out_redraws(int fd);
void out_free(struct out *o);
/* Note that output is missing for lack of memory; tool_complete() prints a message about it. */
void out_lacks_memory(void);
bool out_lacked_memory(void);
/*
 * Let the run end even if nobody reads our output, as with a stopped pager. If nothing can be written for a second and
 * one of the blocked signals @stops (except SIGCHLD) is pending, drop the rest with the error EINTR.
 */
void out_stop_on(struct out *o, const sigset_t *stops);
/*
 * Write what was collected. Control characters, except newline and tab, and invalid UTF-8 are replaced as by
 * out_text_str(). Returns 0 or the errno of the first failure since out_init().
 */
int out_flush(struct out *o);

/*
 * Write @text on stderr; allocates nothing. If nobody reads it for a second, the rest is dropped if a blocked signal is
 * pending or out_messages_ending() was called, so that the run can end.
 */
void out_message(const char *text, size_t len);
void out_messages_ending(void);

/* Room for @len more bytes, or NULL. The buffer only grows: later intervals allocate nothing. */
char *out_grow(struct out *o, size_t len) __attribute__((cold));
static inline char *out_room(struct out *o, size_t len)
{
	return o->size - o->len >= len ? o->buf + o->len : out_grow(o, len);
}

/* The collected text, terminated by a NUL that does not count as collected; "" after a failure. */
const char *out_text(struct out *o);
void out_mem(struct out *o, const char *text, size_t len);
void out_str(struct out *o, const char *text);
static inline void out_char(struct out *o, char c)
{
	char *p = out_room(o, 1);

	if (!p)
		return;
	*p = c;
	o->len++;
}

/* Insert a character before position @at of the collected text. */
void out_insert(struct out *o, size_t at, char c);
/* Move the text since @at to the front. */
void out_move_front(struct out *o, size_t at);
/* Numbers, in the formats of digits.h. */
void out_u64(struct out *o, uint64_t v);
void out_hex(struct out *o, uint64_t v);
void out_fixed(struct out *o, uint64_t v, unsigned digits);
void out_real(struct out *o, double v, unsigned digits);
void out_timestamp(struct out *o, uint64_t wall_ns, unsigned digits);
/* Only a newline in @fmt ends a line. Newlines in the arguments are escaped, as by out_text_str(). */
void out_fmt(struct out *o, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Pad the text since @start with blanks to @width bytes: flush left if @left, else flush right. */
void out_pad(struct out *o, size_t start, size_t width, bool left);
/* Pad the text since @start to a column of @width. A text that is too long for the column still gets one blank. */
void out_column(struct out *o, size_t start, size_t width);
/*
 * Break the lines since @start so that they fit @width columns: at a blank, else after a comma; a longer word stays
 * whole. Continuation lines are indented by @indent blanks.
 */
void out_fold(struct out *o, size_t start, size_t width, size_t indent);

/*
 * Write the first character of @text as "ls -b" shows it: unchanged, or escaped (\n, \t, \033) if it is a byte that is
 * not UTF-8, or a control character that is not in @kept. Returns its number of bytes in @text.
 */
enum { OUT_SHOWN = 8 };
size_t out_show(char buf[OUT_SHOWN], const char *text, size_t len, const char *kept);
/* Replace control characters, as out_flush() does, in the text added since the last out_tame() or out_mark_plain(). */
void out_tame(struct out *o);
static inline void out_mark_plain(struct out *o)
{
	o->tamed = o->len;
}
void out_terminal(struct out *o, const char *text); /* control sequences, which are not replaced */
void out_text_str(struct out *o, const char *text); /* escaped as by "ls -b", so that it stays on one line */
void out_json_str(struct out *o, const char *text); /* quoted; NULL gives null */
/* A field of CSV, quoted where needed; @separator is the character between fields. NULL gives nothing. */
void out_csv_str(struct out *o, const char *text, char separator);
void out_shell_str(struct out *o, const char *text); /* a word for the shell, quoted where needed */
/*
 * The name of a file for a message. A name with characters that are special to a shell or a terminal is quoted, as by
 * out_shell_str(); if the quoted name does not fit or memory is lacking, @name itself is returned.
 */
enum { OUT_QUOTED_SIZE = 512 };
const char *out_quoted(char buf[OUT_QUOTED_SIZE], const char *name);
#define OUT_QUOTED(name) out_quoted((char[OUT_QUOTED_SIZE]){ 0 }, name)

/*
 * At the end of a tool: write the rest, free the buffer, and print one line if the writing failed. Returns @status, or a
 * worse one. No message is printed if the reader of standard output has left. SIGPIPE is ignored from here on.
 */
int out_finish(struct out *o, int status);

#endif
