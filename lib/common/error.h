/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A failure as the library carries it upwards: an errno for programs travels as the return value,
 * the sentence and the advice for people in this struct. Every room may use it; it includes none.
 */
#ifndef UM_ERROR_H
#define UM_ERROR_H

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include "uncoremsr.h"

#define UM_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#define UM_MUST_CHECK __attribute__((warn_unused_result))
#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

enum { UM_SENTENCE = 1024, UM_SENTENCE_LIST = 512 }; /* a whole one, a list in one */

struct um_error {
	enum uncoremsr_error_class class;
	char msg[UM_SENTENCE];  /* object and cause, no tool name, no line end */
	char hint[UM_SENTENCE]; /* next step, or empty */
	char place[32];         /* "package 1: ", where the sentence holds and does not say so; or empty */
	bool no_memory;         /* this failure is for want of it */
	bool lacked_memory;     /* this one or an earlier one was */
};

/*
 * snprintf() for people. Words that are too long (what a user wrote, a path) lose their middle; a text
 * that does not fit ends behind a whole word. Both show "..." there: nothing is cut without a sign.
 */
void um_sentence(char *buf, size_t size, const char *fmt, ...) UM_PRINTF(3, 4);
void um_vsentence(char *buf, size_t size, const char *fmt, va_list ap) UM_PRINTF(3, 0);
/* One more item of "a, b, c" in @buf; from where there is no room any more "..." stands for all of them. */
void um_list_add(char *buf, size_t size, const char *fmt, ...) UM_PRINTF(3, 4);

/*
 * The name of a file for a sentence: in quotes as a shell takes them where a shell or a terminal would see more in it
 * than a name; as it is where that does not fit.
 */
enum { UM_QUOTED_SIZE = 512 };
const char *um_quoted(char buf[UM_QUOTED_SIZE], const char *name);
#define UM_QUOTED(name) um_quoted((char[UM_QUOTED_SIZE]){ 0 }, name)

/*
 * Set the sentence (and clear the hint). Returns @err, so that "return um_fail(...)" reads well. @e NULL, here and in
 * um_no_memory() and um_hint(): nobody reads it, and no sentence is made.
 */
int um_fail(struct um_error *e, int err, enum uncoremsr_error_class class, const char *fmt, ...)
	UM_PRINTF(4, 5);
/* The same for want of memory: -ENOMEM. */
int um_no_memory(struct um_error *e);
/*
 * Another failure instead of this one: that of a part, or an earlier one. Not "=", which would also copy
 * lacked_memory: of an error that was never set that is anything.
 */
void um_fail_as(struct um_error *e, const struct um_error *other);
/* Did opening a file fail because the process, or the system, has too many open? */
static inline bool um_lacks_descriptors(int err)
{
	return err == -EMFILE || err == -ENFILE;
}
/* For who does not know it otherwise: the place in front of the sentence. */
void um_tell_place(struct um_error *e);
/* Add the advice to a failure that um_fail() has just described. */
void um_hint(struct um_error *e, const char *fmt, ...) UM_PRINTF(2, 3);
/* The same where @err is want of descriptors; false, and no advice, where it is another failure. */
bool um_hint_descriptors(struct um_error *e, int err);

#endif
