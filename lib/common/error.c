/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/error.h"

#define GAP "..."

enum { LONGEST_WORD = 200, WORD_HEAD = 120, WORD_TAIL = 40, GAP_LEN = sizeof(GAP) - 1 };

/* Where to cut @text near @at without splitting a UTF-8 character: before the character that contains @at. */
static size_t cut_at(const char *text, size_t at)
{
	size_t back = 0;

	while (back < at && back < 3 && (text[at - back] & 0xc0) == 0x80)
		back++;
	/* If the text is not UTF-8, cut anywhere. */
	return (text[at - back] & 0xc0) == 0xc0 ? at - back : at;
}

/* Cut the middle out of words that are too long to read. Works in place, because the text only becomes shorter. */
static void shorten_words(char *text)
{
	char *to = text;

	for (const char *at = text; *at;) {
		size_t space = strspn(at, " "), len = strcspn(at + space, " "), end = space + len;
		bool cut = len > LONGEST_WORD;
		size_t head = cut ? cut_at(at, space + WORD_HEAD) : end;
		size_t tail = cut ? end - cut_at(at, end - WORD_TAIL) : 0;

		memmove(to, at, head);
		to += head;
		at += end;
		if (cut) {
			memcpy(to, GAP, GAP_LEN);
			memmove(to + GAP_LEN, at - tail, tail);
			to += GAP_LEN + tail;
		}
	}
	*to = '\0';
}

/* Copy a text; if it does not fit, end it after a whole word and append the gap sign. */
static void copy(char *buf, size_t size, const char *text)
{
	size_t len = strlen(text);

	if (len < size || size <= GAP_LEN) {
		snprintf(buf, size, "%s", text);
		return;
	}
	len = size - 1 - GAP_LEN;
	memcpy(buf, text, len);
	while (len > 0 && text[len] != ' ' && text[len - 1] != ' ')
		len--;
	memcpy(buf + (len ? len : cut_at(text, size - 1 - GAP_LEN)), GAP, GAP_LEN + 1);
}

void um_vmessage(char *buf, size_t size, const char *fmt, va_list ap)
{
	char *text = NULL;
	va_list again;
	int len;

	va_copy(again, ap);
	len = vsnprintf(buf, size, fmt, ap);
	if (len >= 0 && (size_t)len >= size && vasprintf(&text, fmt, again) > 0) {
		shorten_words(text);
		copy(buf, size, text);
		free(text);
	} else {
		shorten_words(buf);
	}
	va_end(again);
}

void um_message(char *buf, size_t size, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	um_vmessage(buf, size, fmt, ap);
	va_end(ap);
}

void um_list_add(char *buf, size_t size, const char *fmt, ...)
{
	static const char more[] = ", " GAP;
	size_t at = strlen(buf), comma = at ? 2 : 0, room = size - at - comma;
	va_list ap;
	int len;

	if (at >= sizeof(more) - 1 && !strcmp(buf + at - (sizeof(more) - 1), more))
		return;
	memcpy(buf + at, ", ", comma);
	va_start(ap, fmt);
	len = vsnprintf(buf + at + comma, room, fmt, ap);
	va_end(ap);
	/* The gap sign must always fit after an item. */
	if (len < 0 || (size_t)len + sizeof(more) > room)
		memcpy(buf + at, more + 2 - comma, sizeof(more) - 2 + comma);
}

const char *um_quoted(char buf[UM_QUOTED_SIZE], const char *name)
{
	static const char special[] = " !\"#$&'()*;<>?[\\]^`{|}~";
	bool control = false;
	size_t len = 0;

	for (const char *p = name; *p; p++)
		control |= (unsigned char)*p < ' ' || *p == 0x7f;
	if (!control && *name && !name[strcspn(name, special)])
		return name;
	len = (size_t)snprintf(buf, UM_QUOTED_SIZE, control ? "$'" : "'");
	for (const char *p = name; *p; p++) {
		bool quote = *p == '\'' || (control && *p == '\\');

		/* At most 4 bytes ('\'' or \ooo), then the closing quote and the NUL. */
		if (len + 6 > UM_QUOTED_SIZE)
			return name;
		if ((unsigned char)*p < ' ' || *p == 0x7f)
			len += (size_t)snprintf(buf + len, 5, "\\%03o", (unsigned char)*p);
		else
			len += (size_t)snprintf(buf + len, 5, "%s%c", !quote ? "" : control ? "\\" : "'\\'", *p);
	}
	memcpy(buf + len, "'", 2);
	return buf;
}

int um_fail(struct um_error *e, int err, enum uncoremsr_error_class class, const char *fmt, ...)
{
	va_list ap;

	if (!e)
		return err;
	e->code = err;
	/* Running out of memory is no fault of the request or of the machine, so @class does not apply. */
	e->class = err == -ENOMEM ? UNCOREMSR_ERROR_PARTIAL : class;
	if (err == -ENOMEM) /* never cleared here, so that an earlier lack of memory is still known */
		e->lacked_memory = true;
	e->hint[0] = e->place[0] = '\0';
	va_start(ap, fmt);
	um_vmessage(e->msg, sizeof(e->msg), fmt, ap);
	va_end(ap);
	return err;
}

int um_event_fail(struct um_error *e, int err, const char *event, const char *fmt, ...)
{
	enum uncoremsr_error_class class = err == -ENOTSUP ? UNCOREMSR_ERROR_UNSUPPORTED : UNCOREMSR_ERROR_USAGE;
	char what[UM_MESSAGE_SIZE];
	va_list ap;

	if (!e)
		return err;
	va_start(ap, fmt);
	um_vmessage(what, sizeof(what), fmt, ap);
	va_end(ap);
	return um_fail(e, err, class, "event '%s': %s", event, what);
}

void um_hint(struct um_error *e, const char *fmt, ...)
{
	va_list ap;

	if (!e)
		return;
	va_start(ap, fmt);
	um_vmessage(e->hint, sizeof(e->hint), fmt, ap);
	va_end(ap);
}

bool um_hint_descriptors(struct um_error *e, int err)
{
	if (err == -EMFILE)
		um_hint(e, "raise the limit on open files (ulimit -n)");
	else if (err == -ENFILE)
		um_hint(e, "raise the system's limit on open files (sysctl fs.file-max)");
	return um_lacks_descriptors(err);
}

void um_tell_place(struct um_error *e)
{
	char msg[UM_MESSAGE_SIZE];

	if (!e->place[0])
		return;
	memcpy(msg, e->msg, sizeof(msg));
	um_message(e->msg, sizeof(e->msg), "%s%s", e->place, msg);
	e->place[0] = '\0';
}

void um_fail_as(struct um_error *e, const struct um_error *other)
{
	if (!e || !other)
		return;
	/* Do not copy lacked_memory, the last member: um_fail() never clears it, so in a local struct it may be
	 * undefined. */
	memcpy(e, other, offsetof(struct um_error, lacked_memory));
	if (e->code == -ENOMEM)
		e->lacked_memory = true;
}

int um_no_memory(struct um_error *e)
{
	return um_fail(e, -ENOMEM, UNCOREMSR_ERROR_UNSUPPORTED, "out of memory");
}
