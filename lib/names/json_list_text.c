/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "names/json_list_file.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>
#include <zlib.h>

#include "common/file.h"
#include "common/number.h"
#include "names/json_list_load.h"

/* The largest list has 2.6 MB; a malicious compressed file may unpack without end. */
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

/* gzread() returns plain files unchanged. */
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

/* ---- plain text ---- */

static const char *skip_space(const char *at)
{
	return at + strspn(at, " \t\r\n");
}

/*
 * The end of a string of plain ASCII without escapes; NULL: not such a string. The scan stops at the NUL that follows
 * the text.
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

/* ---- numbers ---- */

/*
 * Fields of an entry that become register bits. Copies of the lists in perf (they have PerPkg) leave out zeros, and
 * prepend ExtSel and UMaskExt to the code and the unit mask. Sorted by length of the name, because each field of a
 * list is looked up.
 */
static const struct number_field {
	char name[16];
	uint8_t len, bits, bits_of_perf;
} number_fields[] = {
	{ "UMask", 5, 8, 40 }, { "FCMask", 6, 3, 3 }, { "ExtSel", 6, 1, 1 }, { "Invert", 6, 1, 1 },
	{ "UMaskExt", 8, 32, 32 }, { "PortMask", 8, 12, 12 }, { "MSRIndex", 8, 16, 16 },
	{ "MSRValue", 8, 64, 64 }, { "EventCode", 9, 8, 9 }, { "AnyThread", 9, 1, 1 },
	{ "EdgeDetect", 10, 1, 1 }, { "CounterMask", 11, 8, 8 }, { "FILTER_VALUE", 12, 32, 32 },
	{ "", 0, 0, 0 },
};

#define EVENT_CODE (&number_fields[8])

static const struct number_field *number_field(const char *key, size_t len)
{
	static const uint8_t first[] = { [5] = 0, [6] = 1, [8] = 4, [9] = 8, [10] = 10, [11] = 11, [12] = 12 };
	const struct number_field *f = len >= 5 && len < sizeof(first) ? &number_fields[first[len]] : NULL;

	for (; f && f->len == len; f++)
		if (*f->name == *key && !memcmp(key, f->name, len))
			return f;
	return NULL;
}

static bool is_too_wide(uint64_t value, unsigned bits)
{
	return bits < 64 && value >> bits;
}

/* Is it a plain number within range, which needs no JSON parser? */
static bool is_plain_number(const char *text, size_t len, unsigned bits)
{
	uint64_t value;

	return um_perf_number(text, len, &value) && !is_too_wide(value, bits);
}

/* Check a list of numbers separated by commas ("0xB7, 0xBB"). */
static enum um_list_fault check_numbers(const char *at, size_t len, unsigned bits)
{
	for (;;) {
		size_t word = 0;
		uint64_t value;

		for (; len && *at == ' '; len--)
			at++;
		while (word < len && at[word] != ',' && at[word] != ' ')
			word++;
		if (!um_perf_number(at, word, &value))
			return UM_LIST_NO_NUMBER;
		if (is_too_wide(value, bits))
			return UM_LIST_TOO_WIDE;
		at += word;
		for (len -= word; len && *at == ' '; len--)
			at++;
		if (!len)
			return UM_LIST_FINE;
		if (*at != ',')
			return UM_LIST_NO_NUMBER;
		at++;
		len--;
	}
}

/* Does the vendor's converter (create_perf_json.py) treat the value as missing? */
static bool is_nothing(const json_t *value)
{
	static const char words[][8] = { "", "na", "n/a", "null", "tbd" };
	const char *text = json_string_value(value);

	for (size_t i = 0; text && i < ARRAY_SIZE(words); i++)
		if (!strcasecmp(text, words[i]))
			return true;
	return !value || json_is_null(value);
}

static enum um_list_fault check_number(const json_t *value, unsigned bits)
{
	if (is_nothing(value) || json_is_boolean(value))
		return UM_LIST_FINE;
	if (json_is_string(value))
		return check_numbers(json_string_value(value), json_string_length(value), bits);
	if (!json_is_integer(value) || json_integer_value(value) < 0)
		return UM_LIST_NO_NUMBER;
	return is_too_wide((uint64_t)json_integer_value(value), bits) ? UM_LIST_TOO_WIDE : UM_LIST_FINE;
}

/* Does the entry need an event code? Fixed and free-running counters have none. */
static bool needs_code(const json_t *entry)
{
	const char *counter = json_string_value(json_object_get(entry, "Counter"));
	const char *type = json_string_value(json_object_get(entry, "CounterType"));
	const char *unit = json_string_value(json_object_get(entry, "Unit"));

	return !json_object_get(entry, "PerPkg") && !(counter && strcasestr(counter, "fixed")) &&
	       !(type && strcasestr(type, "FREERUN")) && !(unit && !strcasecmp(unit, "NCU"));
}

static void blame(struct um_list_entry *entry, enum um_list_fault fault, const char *field, unsigned bits,
		  const json_t *value)
{
	const char *text = json_string_value(value);

	entry->fault = fault;
	entry->field = field;
	entry->bits = bits;
	entry->value = text ? text : "";
}

/* Find the first field with a wrong value. */
static void check_entry(struct um_list_entry *entry, const json_t *json)
{
	bool perf = json_object_get(json, "PerPkg");

	if (!entry->name_len)
		blame(entry, UM_LIST_ABSENT, "EventName", 0, NULL);
	else if (needs_code(json) && is_nothing(json_object_get(json, "EventCode")))
		blame(entry, UM_LIST_ABSENT, "EventCode", 0, NULL);
	for (const struct number_field *f = number_fields; f->len && !entry->fault; f++) {
		const json_t *value = json_object_get(json, f->name);
		unsigned bits = perf ? f->bits_of_perf : f->bits;
		enum um_list_fault fault = check_number(value, bits);

		if (fault)
			blame(entry, fault, f->name, bits, value);
	}
}

/* ---- entries without the JSON library ---- */

/*
 * The end of an object of plain strings; stores its name and unit. NULL: not such an object, or it needs the JSON
 * parser.
 */
static const char *plain_object(const char *at, struct um_list_entry *entry)
{
	bool code = false;

	if (*at != '{')
		return NULL;
	do {
		const char *key = skip_space(at + 1), *key_end = plain_string(key), *value;
		const struct number_field *f;

		if (!key_end || *(value = skip_space(key_end)) != ':')
			return NULL;
		value = skip_space(value + 1);
		at = plain_string(value);
		if (!at)
			return NULL;
		f = number_field(key + 1, (size_t)(key_end - key) - 2);
		if (f && !is_plain_number(value + 1, (size_t)(at - value) - 2, f->bits))
			return NULL;
		code |= f == EVENT_CODE;
		if (is_key(key, key_end, "EventName")) {
			entry->name = value + 1;
			entry->name_len = (size_t)(at - value) - 2;
		} else if (is_key(key, key_end, "Unit")) {
			entry->unit = value + 1;
			entry->unit_len = (size_t)(at - value) - 2;
		}
		at = skip_space(at);
	} while (*at == ',');
	return *at == '}' && entry->name_len && code ? at + 1 : NULL;
}

/* Does um_list_event() read this field? Numbers that are 0 are the same as missing ones. */
static bool is_read(const char *key, const char *key_end, const char *value)
{
	static const char texts[][20] = { "Unit", "Counter", "CounterType", "Filter", "BriefDescription" };

	if (number_field(key + 1, (size_t)(key_end - key) - 2) || is_key(key, key_end, "Deprecated")) {
		while (*++value == '0' || *value == 'x')
			;
		return *value != '"';
	}
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		if (is_key(key, key_end, texts[i]))
			return true;
	return false;
}

size_t um_list_needed(const char *text, size_t len, char *out)
{
	const char *at = text;
	char *to = out;

	while (*at == (at == text ? '{' : ',')) {
		const char *key = skip_space(at + 1), *key_end = plain_string(key);
		const char *colon = key_end ? skip_space(key_end) : NULL;
		const char *value = colon && *colon == ':' ? skip_space(colon + 1) : NULL;
		const char *end = value ? plain_string(value) : NULL;

		if (!end)
			break;
		at = skip_space(end);
		if (!is_read(key, key_end, value))
			continue;
		*to = to == out ? '{' : ',';
		to = mempcpy(to + 1, key, (size_t)(key_end - key));
		*to++ = ':';
		to = mempcpy(to, value, (size_t)(end - value));
	}
	if (*at == '}' && to > out) {
		*to++ = '}';
		return (size_t)(to - out);
	}
	memcpy(out, text, len);
	return len;
}

/* ---- the whole file ---- */

struct walk {
	const char *path, *text, *at, *end;
	const struct um_list_taker *taker;
	struct um_error *e;
	const char *counted;        /* @lines line ends were counted up to here */
	unsigned lines;
};

static int expected(const struct walk *w, const char *what)
{
	return refuse(w->path, lines(w->text, w->at), what, w->e);
}

/* Parse any JSON value and move past it. */
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

/* The line of an entry; lines are counted only once. */
static unsigned line_of(struct walk *w, const char *at)
{
	for (; w->counted < at; w->counted++)
		w->lines += *w->counted == '\n';
	return w->lines + 1;
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
		check_entry(&entry, json);
		if (entry.fault)
			entry.line = line_of(w, entry.json);
	}
	entry.len = (size_t)(w->at - entry.json);
	if (!err)
		err = w->taker->entry(w->taker->user, &entry);
	json_decref(json);
	return err;
}

/* Read items separated by commas, from an opening bracket to @close. */
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

/* Read a member of the new form: Header, Events, or another. */
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
	struct walk w = { path, text, text, text + len, taker, e, text, 0 };

	/* Skip a byte order mark, which JSON does not allow. */
	w.at = skip_space(strncmp(text, "\xef\xbb\xbf", 3) ? text : text + 3);
	if (*w.at == '[')
		return take_entries(&w);
	if (*w.at == '{')
		return items(&w, take_member, '}', "',' or '}' expected");
	return expected(&w, "an array or an object expected");
}
