/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * How a failure is passed up through the library: the return value is a negative errno for programs; this struct holds
 * the message and the advice for people. Every folder of lib may include this file, which includes no header of
 * another folder of lib.
 */
#ifndef UM_ERROR_H
#define UM_ERROR_H

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#include "common/array.h"
#include "uncoremsr.h"

#define UM_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#define UM_MUST_CHECK __attribute__((warn_unused_result))
/*
 * Not public, but exported for libuncoremsr-sim, -sampling and -lists of the same release: these functions have a
 * section of their own in libuncoremsr.map.
 */
#ifdef UM_OUTSIDE /* defined when libuncoremsr-sim, -sampling or -lists is compiled */
#define UM_CROSSES
#else
#define UM_CROSSES __attribute__((visibility("protected")))
#endif

enum { UM_MESSAGE_SIZE = 1024, UM_MESSAGE_LIST_SIZE = 512 }; /* size of a message, and of a list inside a message */

struct um_error {
	enum uncoremsr_error_class class;
	int code;               /* negative errno */
	char msg[UM_MESSAGE_SIZE];  /* object and cause, no tool name, no line end */
	char hint[UM_MESSAGE_SIZE]; /* next step for the user, or empty */
	/* "package 1: ", set if the message holds for one package only and does not name it; or empty */
	char place[32];
	bool lacked_memory;     /* this failure or an earlier one was a lack of memory */
};

/*
 * snprintf() for messages. A word that is too long (what a user wrote, a path) loses its middle; a text that does not
 * fit ends after a whole word. Both show "..." at the gap, so nothing is cut without a sign.
 */
void um_message(char *buf, size_t size, const char *fmt, ...) UM_PRINTF(3, 4) UM_CROSSES;
void um_vmessage(char *buf, size_t size, const char *fmt, va_list ap) UM_PRINTF(3, 0) UM_CROSSES;
/*
 * Append an item to the list "a, b, c" in @buf. If an item does not fit, "..." takes its place and later items are
 * ignored.
 */
void um_list_add(char *buf, size_t size, const char *fmt, ...) UM_PRINTF(3, 4) UM_CROSSES;

/*
 * Quote a file name for a message as a shell would, if it has characters with a meaning for a shell or a terminal. A
 * name whose quoted form does not fit is returned unquoted.
 */
enum { UM_QUOTED_SIZE = 512 };
const char *um_quoted(char buf[UM_QUOTED_SIZE], const char *name) UM_CROSSES;
#define UM_QUOTED(name) um_quoted((char[UM_QUOTED_SIZE]){ 0 }, name)

/*
 * Set the message and clear the hint. Returns @err, so that "return um_fail(...)" reads well. @e may be NULL here,
 * in um_no_memory(), um_hint() and um_fail_as(): no message is made then.
 */
int um_fail(struct um_error *e, int err, enum uncoremsr_error_class class, const char *fmt, ...)
	UM_PRINTF(4, 5) UM_CROSSES;
/* um_fail() for a mistake in what the user or the calling program asked for: returns -EINVAL, with class USAGE. */
#define UM_USAGE(e, ...) um_fail(e, -EINVAL, UNCOREMSR_ERROR_USAGE, __VA_ARGS__)
/* um_fail() with "event 'EVENT': " in front. The class is UNSUPPORTED for -ENOTSUP, else USAGE. */
int um_event_fail(struct um_error *e, int err, const char *event, const char *fmt, ...) UM_PRINTF(4, 5);
int um_no_memory(struct um_error *e) UM_CROSSES;
/*
 * Set @e to the failure @other, for example to restore an earlier one. Do not use "=": it would also copy
 * lacked_memory, which has no defined value in an error that was never set.
 */
void um_fail_as(struct um_error *e, const struct um_error *other) UM_CROSSES;
static inline bool um_lacks_descriptors(int err)
{
	return err == -EMFILE || err == -ENFILE;
}
static inline bool um_lacks_permission(int err)
{
	return err == -EACCES || err == -EPERM;
}
/* Put the place ("package 1: ") in front of the message, for output that does not show the place. */
void um_tell_place(struct um_error *e);
void um_hint(struct um_error *e, const char *fmt, ...) UM_PRINTF(2, 3) UM_CROSSES;
/* Like um_hint(), but an expression with the value @err. */
#define um_advise(e, err, ...) (um_hint(e, __VA_ARGS__), err)
/* If @err is a lack of descriptors, add the advice for it; else do nothing and return false. */
bool um_hint_descriptors(struct um_error *e, int err);

#endif
