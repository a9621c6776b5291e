/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "common/output.h"
#include "common/array.h"
#include "common/digits.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FIRST_SIZE 4096

/* Is there a description of the terminal in the folder @dir, as terminfo(5) has them? *any: the folder exists. */
static bool describes(const char *dir, const char *term, bool *any)
{
	char by_letter[PATH_MAX], by_number[PATH_MAX];

	if (!dir || access(dir, X_OK))
		return false;
	*any = true;
	snprintf(by_letter, sizeof(by_letter), "%s/%c/%s", dir, *term, term);
	snprintf(by_number, sizeof(by_number), "%s/%x/%s", dir, (unsigned char)*term, term);
	return !access(by_letter, R_OK) || !access(by_number, R_OK);
}

/* Without any folder of terminfo(5) each name is taken for that of a terminal. */
static bool is_known(const char *term)
{
	const char *home = secure_getenv("HOME");
	char own[PATH_MAX] = "";
	const char *const dirs[] = { secure_getenv("TERMINFO"), own, "/etc/terminfo", "/lib/terminfo", "/usr/share/terminfo",
				     "/usr/lib/terminfo" };
	bool any = false;

	if (!*term || strchr(term, '/') || !strcmp(term, "dumb") || !strcmp(term, "unknown"))
		return false;
	if (home)
		snprintf(own, sizeof(own), "%s/.terminfo", home);
	for (size_t i = 0; i < ARRAY_SIZE(dirs); i++)
		if (describes(dirs[i], term, &any))
			return true;
	return !any;
}

bool out_redraws(int fd)
{
	const char *term = getenv("TERM");

	return isatty(fd) && term && is_known(term);
}

void out_init(struct out *o, int fd)
{
	*o = (struct out){ .fd = fd, .name = "standard output" };
}

void out_free(struct out *o)
{
	free(o->buf);
	*o = (struct out){ .fd = -1 };
}

static bool lacked_memory;

void out_lacks_memory(void)
{
	lacked_memory = true;
}

bool out_lacked_memory(void)
{
	return lacked_memory;
}

/* Note a lack of memory in @o and in a global flag, because callers do not check each buffer for errors. */
static void lack_memory(struct out *o)
{
	o->error = o->error ? o->error : ENOMEM;
	out_lacks_memory();
}

char *out_grow(struct out *o, size_t len)
{
	size_t size = o->size ? o->size : FIRST_SIZE;
	char *buf;

	while (size - o->len < len)
		size *= 2;
	buf = realloc(o->buf, size);
	if (!buf) {
		lack_memory(o);
		return NULL;
	}
	o->buf = buf;
	o->size = size;
	return buf + o->len;
}

/*
 * Length of the character at @text; 0 if it has to be escaped: a control character (also of ISO 6429, above 0x7f), or a
 * byte that is not UTF-8.
 */
static size_t shown_bytes(const char *text, size_t len)
{
	/* The smallest code point for sequences of 2, 3 and 4 bytes: smaller ones must use a shorter sequence. */
	static const uint32_t least[] = { 0, 0, 0xa0, 0x800, 0x10000 };
	const unsigned char *p = (const unsigned char *)text;
	size_t num = *p < 0xe0 ? 2 : *p < 0xf0 ? 3 : 4;
	uint32_t c = *p & (0x7fu >> num);

	if (*p < 0x80)
		return *p >= ' ' && *p != 0x7f;
	if (*p < 0xc2 || *p > 0xf4 || num > len)
		return 0;
	for (size_t i = 1; i < num; i++) {
		if ((p[i] & 0xc0) != 0x80)
			return 0;
		c = c << 6 | (p[i] & 0x3f);
	}
	return c < least[num] || c > 0x10ffff || (c >= 0xd800 && c < 0xe000) ? 0 : num;
}

size_t out_show(char buf[OUT_SHOWN], const char *text, size_t len, const char *kept)
{
	size_t num = shown_bytes(text, len);
	unsigned char c = (unsigned char)*text;

	if (!num && c && strchr(kept, c))
		num = 1;
	if (num)
		memcpy(buf, text, num);
	else if (c == '\n' || c == '\t')
		memcpy(buf, c == '\n' ? "\\n" : "\\t", 2);
	else
		snprintf(buf, OUT_SHOWN, "\\%03o", c);
	buf[num ? num : c == '\n' || c == '\t' ? 2 : 4] = '\0';
	return num ? num : 1;
}

/* Are eight characters printable ASCII? If they are, no byte borrows from or carries into its neighbours. */
static bool are_plain(const char *text)
{
	const uint64_t each = UINT64_C(0x0101010101010101), high = 0x80 * each;
	uint64_t eight;

	memcpy(&eight, text, sizeof(eight));
	return !((eight | (eight - ' ' * each) | (eight + each)) & high);
}

/* How many characters of @text are printable ASCII, before the first one that is not? */
static size_t plain_len(const char *text, size_t len)
{
	size_t num = 0;

	while (len - num >= 8 && are_plain(text + num))
		num += 8;
	while (num < len && text[num] >= ' ' && text[num] < 0x7f)
		num++;
	return num;
}

static void out_shown(struct out *o, const char *text, size_t len, const char *kept)
{
	char shown[OUT_SHOWN];

	while (len) {
		size_t num = plain_len(text, len);

		if (num) {
			out_mem(o, text, num);
		} else {
			num = out_show(shown, text, len, kept);
			out_str(o, shown);
		}
		text += num;
		len -= num;
	}
}

void out_text_str(struct out *o, const char *text)
{
	out_shown(o, text, strlen(text), "");
}

/* Replace control characters, because a name from outside could contain sequences that change the terminal. */
void out_tame(struct out *o)
{
	size_t plain = o->tamed;
	struct out rest;

	for (; plain < o->len; plain++) {
		plain += plain_len(o->buf + plain, o->len - plain);
		if (plain == o->len || o->buf[plain] != '\n')
			break;
	}
	if (plain < o->len) {
		out_init(&rest, -1);
		out_shown(&rest, o->buf + plain, o->len - plain, "\n\t");
		o->len = plain;
		out_mem(o, rest.buf, rest.len);
		o->error = o->error ? o->error : rest.error;
		out_free(&rest);
	}
	o->tamed = o->len;
}

void out_terminal(struct out *o, const char *text)
{
	out_tame(o);
	out_str(o, text);
	o->tamed = o->len;
}

void out_stop_on(struct out *o, const sigset_t *stops)
{
	struct stat st;

	/* A write to a plain file does not block, so signals need not be checked. */
	o->stops = fstat(o->fd, &st) == 0 && S_ISREG(st.st_mode) ? NULL : stops;
}

static bool is_to_stop(const struct out *o)
{
	sigset_t waiting;

	if (o->ending)
		return true;
	if (sigpending(&waiting) < 0)
		return false;
	for (int signo = 1; signo <= SIGRTMAX; signo++)
		if (signo != SIGCHLD && sigismember(&waiting, signo) == 1 &&
		    sigismember(o->stops, signo) == 1)
			return true;
	return false;
}

static bool can_write(const struct out *o)
{
	struct pollfd fd = { .fd = o->fd, .events = POLLOUT };

	while (poll(&fd, 1, 1000) == 0)
		if (is_to_stop(o))
			return false;
	return true;
}

static void write_all(struct out *o, const char *text, size_t left)
{
	while (!o->error && left) {
		size_t len = left;
		ssize_t n;

		/* A writable pipe accepts PIPE_BUF bytes without blocking. */
		if (o->stops && len > PIPE_BUF)
			len = PIPE_BUF;
		if (o->stops && !can_write(o)) {
			o->error = EINTR;
			break;
		}
		n = write(o->fd, text, len);
		if (n < 0 && errno != EINTR)
			o->error = errno;
		if (n > 0) {
			text += n;
			left -= (size_t)n;
		}
	}
}

int out_flush(struct out *o)
{
	out_tame(o);
	write_all(o, o->buf, o->len);
	o->len = o->tamed = 0;
	return o->error;
}

/* ---- standard error ---- */

static struct out messages = { .fd = STDERR_FILENO };

void out_message(const char *text, size_t len)
{
	struct pollfd fd = { .fd = STDERR_FILENO, .events = POLLOUT };
	sigset_t all;

	/* If an earlier message was dropped because nobody reads stderr, do not wait for each further message. */
	if (messages.error == EINTR && poll(&fd, 1, 0) == 0)
		return;
	messages.error = 0;
	sigfillset(&all);
	out_stop_on(&messages, &all);
	write_all(&messages, text, len);
	messages.stops = NULL;
}

void out_messages_ending(void)
{
	messages.ending = true;
}

void out_mem(struct out *o, const char *text, size_t len)
{
	char *p = out_room(o, len);

	if (!p || !len) /* if @len is 0, @text may be NULL */
		return;
	memcpy(p, text, len);
	o->len += len;
}

void out_str(struct out *o, const char *text)
{
	out_mem(o, text, strlen(text));
}

void out_insert(struct out *o, size_t at, char c)
{
	if (!out_room(o, 1))
		return;
	memmove(o->buf + at + 1, o->buf + at, o->len++ - at);
	o->buf[at] = c;
}

void out_move_front(struct out *o, size_t at)
{
	size_t len = o->len - at;

	if (!len || !out_room(o, len))
		return;
	memmove(o->buf + len, o->buf, o->len);
	memcpy(o->buf, o->buf + len + at, len);
	o->tamed = 0;
}

const char *out_text(struct out *o)
{
	if (!out_room(o, 1) || o->error)
		return "";
	o->buf[o->len] = '\0';
	return o->buf;
}

/* Defines a function that appends a number in the format of @write, a function of digits.h. */
#define NUMBER(fn, parameters, write, ...) \
	void fn parameters \
	{ \
		char text[DIGITS_ROOM]; \
		out_mem(o, text, (size_t)(write(text, __VA_ARGS__) - text)); \
	}

NUMBER(out_u64, (struct out *o, uint64_t v), digits_u64, v)
NUMBER(out_hex, (struct out *o, uint64_t v), digits_hex, v)
NUMBER(out_fixed, (struct out *o, uint64_t v, unsigned digits), digits_fixed, v, digits)
NUMBER(out_real, (struct out *o, double v, unsigned digits), digits_real, v, digits)
NUMBER(out_timestamp, (struct out *o, uint64_t wall_ns, unsigned digits), digits_time, wall_ns, digits)

static size_t count_lines(const char *text)
{
	size_t num = 0;

	while ((text = strchr(text, '\n')))
		text++, num++;
	return num;
}

static void replace(char *text, char from, char to)
{
	while ((text = strchr(text, from)))
		*text++ = to;
}

/*
 * Append @text, and escape the newlines that come from arguments. To find them, format again with blanks for the
 * newlines of @fmt: newlines that remain are the arguments'.
 */
static void put_our_lines(struct out *o, const char *fmt, va_list ap, const char *text)
{
	char *blank = strdup(fmt), *again = NULL;

	if (blank) {
		replace(blank, '\n', ' ');
		if (vasprintf(&again, blank, ap) < 0)
			again = NULL;
	}
	if (!again)
		lack_memory(o);
	for (size_t i = 0; again && text[i]; i++) {
		if (text[i] == '\n' && again[i] == '\n')
			out_str(o, "\\n");
		else
			out_char(o, text[i]);
	}
	free(again);
	free(blank);
}

void out_fmt(struct out *o, const char *fmt, ...)
{
	char *text;
	va_list ap;
	int len;

	va_start(ap, fmt);
	len = vasprintf(&text, fmt, ap);
	va_end(ap);
	if (len < 0) {
		lack_memory(o);
		return;
	}
	if (count_lines(text) > count_lines(fmt)) {
		va_start(ap, fmt);
		put_our_lines(o, fmt, ap, text);
		va_end(ap);
	} else {
		out_mem(o, text, (size_t)len);
	}
	free(text);
}

void out_pad(struct out *o, size_t start, size_t width, bool left)
{
	size_t len = o->len - start, blanks = len < width ? width - len : 0;

	if (!out_room(o, blanks))
		return;
	if (left) {
		memset(o->buf + o->len, ' ', blanks);
	} else {
		memmove(o->buf + start + blanks, o->buf + start, len);
		memset(o->buf + start, ' ', blanks);
	}
	o->len += blanks;
}

void out_column(struct out *o, size_t start, size_t width)
{
	if (o->len - start >= width)
		out_char(o, ' ');
	else
		out_pad(o, start, width, true);
}

/* How many bytes of a line fit into @width columns. Each character takes one column. */
static size_t fold_at(const char *line, size_t len, size_t width, size_t indent)
{
	size_t blank = 0, comma = 0, columns = 0;

	for (size_t i = 0; i < len; i++) {
		columns += ((unsigned char)line[i] & 0xc0) != 0x80;
		if (columns > width + (line[i] == ' '))
			return blank ? blank : comma ? comma : len;
		if (line[i] == ' ' && columns > indent + 1)
			blank = i;
		if (line[i] == ',' && columns > indent + 1)
			comma = i + 1;
	}
	return len;
}

void out_fold(struct out *o, size_t start, size_t width, size_t indent)
{
	size_t len = o->len - start, next;
	char *text = malloc(len + 1);

	if (!text) {
		lack_memory(o);
		return;
	}
	memcpy(text, o->buf + start, len);
	o->len = start;
	for (size_t at = 0; at < len; at = next + 1) {
		const char *end = memchr(text + at, '\n', len - at);
		size_t more = 0;

		next = end ? (size_t)(end - text) : len;
		do {
			size_t part = fold_at(text + at, next - at, width - more, indent - more);

			for (size_t i = 0; i < more; i++)
				out_char(o, ' ');
			out_mem(o, text + at, part);
			out_char(o, '\n');
			at += part;
			while (at < next && text[at] == ' ')
				at++;
			more = indent;
		} while (at < next);
	}
	free(text);
}

/* ---- quoting ---- */

/* Write a control character, or one that is not ASCII. Returns the number of its bytes in @text. */
static size_t out_json_other(struct out *o, const char *text)
{
	size_t num = shown_bytes(text, strlen(text));

	if (num)
		out_mem(o, text, num);
	else if ((unsigned char)*text < 0x80)
		out_fmt(o, "\\u%04x", (unsigned char)*text);
	else
		out_str(o, "\\ufffd"); /* the replacement character */
	return num ? num : 1;
}

void out_json_str(struct out *o, const char *text)
{
	if (!text) {
		out_str(o, "null");
		return;
	}
	out_char(o, '"');
	for (; *text; text++) {
		unsigned char c = (unsigned char)*text;

		if (c == '"' || c == '\\') {
			out_char(o, '\\');
			out_char(o, *text);
		} else if (c >= ' ' && c < 0x7f) {
			out_char(o, *text);
		} else {
			text += out_json_other(o, text) - 1;
		}
	}
	out_char(o, '"');
}

/* RFC 4180: a field with a separator, a quote or a line end is quoted; quotes in it are doubled. */
void out_csv_str(struct out *o, const char *text, char separator)
{
	size_t plain = 0;

	if (!text)
		return;
	while (text[plain] && text[plain] != separator && text[plain] != '"' && text[plain] != '\r' &&
	       text[plain] != '\n')
		plain++;
	if (!text[plain]) {
		out_mem(o, text, plain);
		return;
	}
	out_char(o, '"');
	for (; *text; text++) {
		if (*text == '"')
			out_char(o, '"');
		out_char(o, *text);
	}
	out_char(o, '"');
}

static bool is_shown(const char *text)
{
	size_t left = strlen(text), num = 1;

	for (; left && (num = shown_bytes(text, left)); left -= num)
		text += num;
	return num;
}

/* Write $'a\nb', a form in which the shell expands escapes, for characters that cannot be printed. */
static void out_shell_escaped(struct out *o, const char *text)
{
	size_t left = strlen(text), num;
	char shown[OUT_SHOWN];

	out_str(o, "$'");
	for (; left; left -= num, text += num) {
		if (*text == '\'' || *text == '\\')
			out_char(o, '\\');
		num = out_show(shown, text, left, "");
		out_str(o, shown);
	}
	out_char(o, '\'');
}

static bool is_safe(const char *text)
{
	static const char safe[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				   "0123456789_-+./:,=@%";

	return *text && !text[strspn(text, safe)];
}

void out_shell_str(struct out *o, const char *text)
{
	if (is_safe(text)) {
		out_str(o, text);
		return;
	}
	if (!is_shown(text)) {
		out_shell_escaped(o, text);
		return;
	}
	out_char(o, '\'');
	for (; *text; text++) {
		if (*text == '\'')
			out_str(o, "'\\'");
		out_char(o, *text);
	}
	out_char(o, '\'');
}

const char *out_quoted(char buf[OUT_QUOTED_SIZE], const char *name)
{
	int err = errno;
	struct out o;

	if (is_safe(name))
		return name;
	out_init(&o, -1);
	out_shell_str(&o, name);
	out_char(&o, '\0');
	if (!o.error && o.len <= OUT_QUOTED_SIZE)
		name = memcpy(buf, o.buf, o.len);
	out_free(&o);
	errno = err;
	return name;
}
