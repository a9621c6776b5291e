/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "events/json_list_file.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "common/file.h"
#include "events/json_list_load.h"

/* The largest list has 2.6 MB; a compressed file may be made to unpack without end. */
enum { FIRST_SIZE = 1 << 18, MAX_SIZE = 1 << 26 };

/* ---- the file ---- */

static unsigned lines(const char *from, const char *to)
{
	unsigned num = 1;

	for (; from < to; from++)
		num += *from == '\n';
	return num;
}

static int refuse(const char *path, unsigned line, const char *why, struct um_error *e)
{
	um_fail(e, -EINVAL, UNCOREMSR_ERROR_USAGE, "event list %s: line %u: %s", UM_QUOTED(path), line, why);
	um_hint(e, "it has to be a JSON event list of intel/perfmon, plain or compressed by gzip");
	return -EINVAL;
}

/* gzread() gives plain files as they are. */
static int read_all(gzFile f, const char *path, char **text, size_t *len, struct um_error *e)
{
	size_t size = FIRST_SIZE;
	int got = 1, num;
	char *grown;

	for (*text = NULL; got > 0; *len += (size_t)got) {
		if (!*text || *len + 1 == size) {
			size = *text ? 2 * size : size;
			grown = size <= MAX_SIZE ? realloc(*text, size) : NULL;
			if (!grown && size <= MAX_SIZE)
				return um_no_memory(e);
			if (!grown)
				return refuse(path, lines(*text, *text + *len),
					      "far too large for an event list", e);
			*text = grown;
		}
		got = gzread(f, *text + *len, (unsigned)(size - *len - 1));
		if (got < 0)
			return refuse(path, lines(*text, *text + *len), gzerror(f, &num), e);
	}
	(*text)[*len] = '\0';
	return 0;
}

int um_list_read(const char *path, char **text, size_t *len, struct um_error *e)
{
	int fd = uncoremsr_file_open(path, MAX_SIZE, 0), err;
	gzFile f;
	char *fitting;

	if (fd < 0)
		return um_file_fail(e, "event list", path, fd);
	f = gzdopen(fd, "rb");
	if (!f) {
		close(fd);
		return um_no_memory(e);
	}
	*len = 0;
	err = read_all(f, path, text, len, e);
	gzclose(f);
	if (err) {
		free(*text);
		*text = NULL;
		return err;
	}
	fitting = realloc(*text, *len + 1);
	*text = fitting ? fitting : *text;
	return 0;
}

/* ---- entries that need no library ---- */

static const char *skip_space(const char *at)
{
	return at + strspn(at, " \t\r\n");
}

/*
 * Behind a string of ASCII without escapes; NULL: it is something else. The NUL behind the text is
 * no such character, so it ends here at the latest.
 */
static const char *plain_string(const char *at)
{
	if (*at++ != '"')
		return NULL;
	while ((unsigned char)(*at - ' ') < 0x60 && *at != '"' && *at != '\\')
		at++;
	return *at == '"' ? at + 1 : NULL;
}

static bool is_key(const char *key, const char *end, const char *wanted)
{
	size_t len = strlen(wanted);

	return (size_t)(end - key) == len + 2 && !memcmp(key + 1, wanted, len);
}

/* Behind an object of such strings, with its name and unit; NULL: it is something else. */
static const char *plain_object(const char *at, struct um_list_entry *entry)
{
	if (*at != '{')
		return NULL;
	do {
		const char *key = skip_space(at + 1), *key_end = plain_string(key), *value;

		if (!key_end || *(value = skip_space(key_end)) != ':')
			return NULL;
		value = skip_space(value + 1);
		at = plain_string(value);
		if (!at)
			return NULL;
		if (is_key(key, key_end, "EventName")) {
			entry->name = value + 1;
			entry->name_len = (size_t)(at - value) - 2;
		} else if (is_key(key, key_end, "Unit")) {
			entry->unit = value + 1;
			entry->unit_len = (size_t)(at - value) - 2;
		}
		at = skip_space(at);
	} while (*at == ',');
	return *at == '}' ? at + 1 : NULL;
}

/* ---- all of it ---- */

struct walk {
	const char *path, *text, *at, *end;
	const struct um_list_taker *taker;
	struct um_error *e;
};

static int expected(const struct walk *w, const char *what)
{
	return refuse(w->path, lines(w->text, w->at), what, w->e);
}

/* Any value, which is stepped over. */
static int value(struct walk *w, json_t **json)
{
	json_error_t why;

	*json = um_json_load(w->at, (size_t)(w->end - w->at), JSON_DISABLE_EOF_CHECK | JSON_DECODE_ANY, &why);
	if (*json) {
		w->at += why.position;
		return 0;
	}
	if (errno == ENOMEM)
		return um_no_memory(w->e);
	return refuse(w->path, lines(w->text, w->at) + (why.line > 1 ? (unsigned)why.line - 1 : 0),
		      why.text, w->e);
}

static int take_entry(struct walk *w)
{
	struct um_list_entry entry = { .json = w->at };
	const char *behind = plain_object(w->at, &entry);
	json_t *json = NULL, *name, *unit;
	int err = 0;

	if (behind) {
		w->at = behind;
	} else {
		err = value(w, &json);
		name = json_object_get(json, "EventName");
		unit = json_object_get(json, "Unit");
		entry.name = json_string_value(name);
		entry.name_len = json_string_length(name);
		entry.unit = json_string_value(unit);
		entry.unit_len = json_string_length(unit);
	}
	entry.len = (size_t)(w->at - entry.json);
	if (!err)
		err = w->taker->entry(w->taker->user, &entry);
	json_decref(json);
	return err;
}

/* What stands between an opening bracket and @close, separated by commas. */
static int items(struct walk *w, int (*item)(struct walk *w), char close, const char *otherwise)
{
	int err;

	w->at = skip_space(w->at + 1);
	if (*w->at == close) {
		w->at++;
		return 0;
	}
	for (;; w->at = skip_space(w->at + 1)) {
		err = item(w);
		if (err)
			return err;
		w->at = skip_space(w->at);
		if (*w->at == close) {
			w->at++;
			return 0;
		}
		if (*w->at != ',')
			return expected(w, otherwise);
	}
}

static int take_entries(struct walk *w)
{
	return items(w, take_entry, ']', "',' or ']' expected");
}

static int take_version(struct walk *w, const json_t *header)
{
	const char *version = json_string_value(json_object_get(header, "Version"));

	return version ? w->taker->version(w->taker->user, version) : 0;
}

/* Of the new form: Header, Events, and other members. */
static int take_member(struct walk *w)
{
	json_t *key, *json;
	bool is_events, is_header;
	int err;

	if (*w->at != '"')
		return expected(w, "a name in quotes expected");
	err = value(w, &key);
	if (err)
		return err;
	is_events = !strcmp(json_string_value(key), "Events");
	is_header = !strcmp(json_string_value(key), "Header");
	json_decref(key);
	w->at = skip_space(w->at);
	if (*w->at != ':')
		return expected(w, "':' expected");
	w->at = skip_space(w->at + 1);
	if (is_events && *w->at == '[')
		return take_entries(w);
	err = value(w, &json);
	if (!err && is_header)
		err = take_version(w, json);
	json_decref(json);
	return err;
}

int um_list_walk(const char *path, const char *text, size_t len, const struct um_list_taker *taker,
		 struct um_error *e)
{
	struct walk w = { path, text, text, text + len, taker, e };

	/* A byte order mark would be no JSON. */
	w.at = skip_space(strncmp(text, "\xef\xbb\xbf", 3) ? text : text + 3);
	if (*w.at == '[')
		return take_entries(&w);
	if (*w.at == '{')
		return items(&w, take_member, '}', "',' or '}' expected");
	return expected(&w, "an array or an object expected");
}
