/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Source: collectd 5.12, src/liboconfig/scanner.l and parser.y. */
#include "agent/conf.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/array.h"

struct scan {
	struct conf *conf;
	const char *at, *end;
	unsigned line;
	struct conf_value *value; /* where the next value is stored */
	char *next;               /* where the next text is copied to */
	struct conf_item *open[CONF_DEPTH];
	size_t depth;
};

/* Store the error message. Always returns false, so that the caller can return the result. */
static bool __attribute__((format(printf, 3, 4)))
bad(struct scan *s, unsigned line, const char *fmt, ...)
{
	va_list ap;

	s->conf->line = line;
	va_start(ap, fmt);
	vsnprintf(s->conf->why, sizeof(s->conf->why), fmt, ap);
	va_end(ap);
	return false;
}

/* ---- characters ---- */

static int peek(const struct scan *s)
{
	return s->at < s->end ? (unsigned char)*s->at : -1;
}

static bool skip_char(struct scan *s, char c)
{
	bool here = peek(s) == c;

	s->at += here;
	return here;
}

/* Length of the line end at @p: 1 (LF), 2 (CR LF), or 0 if there is none. */
static size_t line_end(const struct scan *s, const char *p)
{
	if (p < s->end && *p == '\n')
		return 1;
	return s->end - p >= 2 && p[0] == '\r' && p[1] == '\n' ? 2 : 0;
}

static void skip_blanks(struct scan *s)
{
	for (;; s->at++) {
		int c = peek(s);
		size_t len = c == '\\' ? line_end(s, s->at + 1) : 0;

		if (len) {
			s->at += len;
			s->line++;
		} else if (c == '#') {
			while (s->at + 1 < s->end && !line_end(s, s->at + 1))
				s->at++;
		} else if (c != ' ' && c != '\t' && c != '\b') {
			return;
		}
	}
}

static bool at_line_end(const struct scan *s)
{
	return s->at == s->end || line_end(s, s->at);
}

static void next_line(struct scan *s)
{
	size_t len = line_end(s, s->at);

	s->at += len;
	s->line += len > 0;
}

/* ---- words ---- */

static bool end_text(struct scan *s, const char *text, unsigned line)
{
	if (s->next - text > CONF_TEXT)
		return bad(s, line, "'%.40s...': longer than %d bytes", text, CONF_TEXT);
	*s->next++ = '\0';
	return true;
}

/* Read a word without quotes; *word is NULL if no word begins here. */
static bool scan_word(struct scan *s, const char **word)
{
	const char *text = s->next;

	for (int c = peek(s); c > ' ' && c != 0x7f && !strchr("<>\"#\\", c); c = peek(s)) {
		*s->next++ = (char)c;
		s->at++;
	}
	*word = s->next > text ? text : NULL;
	return !*word || end_text(s, text, s->line);
}

static bool scan_string(struct scan *s, const char **word)
{
	const unsigned line = s->line;

	*word = s->next;
	for (s->at++; peek(s) != '"';) {
		if (skip_char(s, '\\') && line_end(s, s->at)) {
			next_line(s);
			while (peek(s) == ' ' || peek(s) == '\t')
				s->at++;
			continue;
		}
		if (s->at == s->end)
			return bad(s, line, "the closing quote is missing");
		s->line += *s->at == '\n';
		*s->next++ = *s->at++;
	}
	s->at++;
	return end_text(s, *word, line);
}

/* ---- values ---- */

bool conf_is_truth(const char *text, bool *truth)
{
	static const char *const words[] = { "false", "true", "no", "yes", "off", "on" };

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (strcasecmp(text, words[i]) == 0) {
			*truth = i & 1;
			return true;
		}
	return false;
}

static bool is_number(const char *text, double *number)
{
	const char *digits = text + (*text == '-' || *text == '+');
	bool hex = digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X');
	bool octal = !hex && digits[0] == '0' && digits[1] &&
		     strspn(digits, "01234567") == strlen(digits);
	char *end;

	if (!isdigit((unsigned char)*digits) && !(*digits == '.' && isdigit((unsigned char)digits[1])))
		return false;
	if (!hex && strspn(digits, "0123456789.eE+-") != strlen(digits))
		return false;
	*number = octal ? (double)strtoull(text, &end, 8) : strtod(text, &end);
	return !*end && isfinite(*number);
}

/* Does collectd accept the word without quotes (a name, or an address with port)? */
static bool is_plain(const char *text)
{
	for (; *text; text++)
		if (!isalnum((unsigned char)*text) && !strchr("_.:", *text))
			return false;
	return true;
}

static bool add_value(struct scan *s, struct conf_item *item, const char *text, bool quoted)
{
	struct conf_value *v = s->value;
	bool truth;

	if (item->num == CONF_VALUES)
		return bad(s, s->line, "%.60s: more than %d values", item->key, CONF_VALUES);
	*v = (struct conf_value){ .text = text, .quoted = quoted, .line = s->line };
	if (!quoted && conf_is_truth(text, &truth))
		v->type = CONF_BOOL;
	else if (!quoted && is_number(text, &v->number))
		v->type = CONF_NUMBER;
	else if (!quoted && !is_plain(text))
		return bad(s, s->line, "'%.60s': put it in quotes", text);
	s->value++;
	item->num++;
	return true;
}

static bool scan_values(struct scan *s, struct conf_item *item)
{
	for (;;) {
		const char *text;
		bool quoted;

		skip_blanks(s);
		quoted = peek(s) == '"';
		if (!(quoted ? scan_string(s, &text) : scan_word(s, &text)))
			return false;
		if (!text)
			return true;
		if (!add_value(s, item, text, quoted))
			return false;
	}
}

/* ---- lines ---- */

static bool unexpected(struct scan *s)
{
	int c = peek(s);

	if (c < 0)
		return bad(s, s->line, "the file ends in the middle of a line");
	if (isprint(c))
		return bad(s, s->line, "'%c': not expected here", c);
	if (line_end(s, s->at))
		return bad(s, s->line, "the line is incomplete");
	return bad(s, s->line, "byte 0x%02x: not expected here", (unsigned)c);
}

static bool scan_key(struct scan *s, const char **key)
{
	skip_blanks(s);
	if (!scan_word(s, key))
		return false;
	if (!*key)
		return unexpected(s);
	return is_plain(*key) || bad(s, s->line, "'%.60s': not a name", *key);
}

/* Add an item with its values. If it is a block, later items belong to it until its end is read. */
static bool add_item(struct scan *s, const char *key, bool block)
{
	struct conf_item *item = s->conf->end;

	if (block && s->depth == CONF_DEPTH)
		return bad(s, s->line, "blocks are nested more than %d deep", CONF_DEPTH);
	if (block)
		s->open[s->depth++] = item;
	s->conf->end++;
	*item = (struct conf_item){ .key = key, .line = s->line, .block = block, .values = s->value,
				    .end = s->conf->end };
	return scan_values(s, item);
}

static bool end_block(struct scan *s, const char *key)
{
	struct conf_item *item;

	if (!s->depth)
		return bad(s, s->line, "</%.60s>: no block is open", key);
	item = s->open[--s->depth];
	if (strcasecmp(item->key, key) != 0)
		return bad(s, s->line, "</%.60s>: does not match the open block, <%.40s> of line %u", key,
			   item->key, item->line);
	item->end = s->conf->end;
	return true;
}

static bool scan_line(struct scan *s)
{
	bool tag = skip_char(s, '<'), ends = tag && skip_char(s, '/');
	const char *key;

	if (!scan_key(s, &key) || !(ends || add_item(s, key, tag)))
		return false;
	skip_blanks(s);
	if (tag && !skip_char(s, '>'))
		return unexpected(s);
	if (ends && !end_block(s, key))
		return false;
	skip_blanks(s);
	return at_line_end(s) || unexpected(s);
}

int conf_parse(struct conf *c, const char *text, size_t size)
{
	struct scan s = { .conf = c, .at = text, .end = text + size, .line = 1 };

	/* Sizes for the worst case: each item or value takes at least one byte, and each text gets a NUL. */
	*c = (struct conf){
		.items = calloc(size + 1, sizeof(*c->items)), .values = calloc(size + 1, sizeof(*c->values)),
		.texts = malloc(2 * size + 1),
	};
	c->end = c->items;
	s.value = c->values;
	s.next = c->texts;
	if (!c->items || !c->values || !c->texts)
		return -ENOMEM;
	for (skip_blanks(&s); s.at < s.end; skip_blanks(&s)) {
		if (!at_line_end(&s) && !scan_line(&s))
			return -EINVAL;
		next_line(&s);
	}
	if (!s.depth)
		return 0;
	bad(&s, s.open[s.depth - 1]->line, "<%.60s>: this block is never closed", s.open[s.depth - 1]->key);
	return -EINVAL;
}

void conf_free(struct conf *c)
{
	free(c->items);
	free(c->values);
	free(c->texts);
	*c = (struct conf){ .line = 0 };
}
