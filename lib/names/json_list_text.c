/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "names/json_list_file.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>
#include <zlib.h>

#include "common/file.h"
#include "common/number.h"
#include "common/text.h"
#include "names/json_list.h"
#include "names/json_list_load.h"
#include "names/scanner.h"

/* Limit for unpacked files, because a malicious file may unpack without end. The largest list has 2.6 MB. */
enum { FIRST_SIZE = 1 << 18, MAX_SIZE = 1 << 26 };

static int refuse(const struct um_json_file *file, const char *at, const char *why, struct um_error *e)
{
	unsigned line = 1;

	for (const char *before = file->text; before < at; before++)
		line += *before == '\n';
	UM_USAGE(e, "event list %s: line %u: %s", UM_QUOTED(file->path), line, why);
	return um_advise(e, -EINVAL, "the file must be a JSON event list of intel/perfmon, plain or compressed "
			 "by gzip");
}

/* gzread() returns plain files unchanged. */
static int read_all(gzFile f, struct um_json_file *file, struct um_error *e)
{
	size_t size = FIRST_SIZE;
	int got = 1, num;
	char *grown;

	for (; got > 0; file->len += (size_t)got) {
		if (!file->text || file->len + 1 == size) {
			size = file->text ? 2 * size : size;
			grown = size <= MAX_SIZE ? realloc(file->text, size) : NULL;
			if (!grown && size <= MAX_SIZE)
				return um_no_memory(e);
			if (!grown)
				return refuse(file, file->text + file->len, "far too large for an event list", e);
			file->text = grown;
		}
		got = gzread(f, file->text + file->len, (unsigned)(size - file->len - 1));
		if (got < 0)
			return refuse(file, file->text + file->len, gzerror(f, &num), e);
	}
	file->text[file->len] = '\0';
	grown = realloc(file->text, file->len + 1);
	file->text = grown ? grown : file->text;
	return 0;
}

int um_list_read(struct um_json_file *file, struct um_error *e)
{
	int fd = uncoremsr_file_open(file->path, MAX_SIZE, 0), err;
	gzFile f;

	if (fd < 0)
		return um_file_fail(e, "event list", file->path, fd);
	f = gzdopen(fd, "rb");
	if (!f) {
		close(fd);
		return um_no_memory(e);
	}
	err = read_all(f, file, e);
	gzclose(f);
	return err;
}

/* This is faster than strspn(), because there is usually at most one blank. */
static const char *skip_space(const char *at)
{
	while (*at == ' ' || *at == '\n' || *at == '\r' || *at == '\t')
		at++;
	return at;
}

/*
 * Find the end of a string of plain ASCII without escapes. NULL: it is another string. Stops at the NUL after the text.
 */
static const char *plain_string(const char *at)
{
	if (*at++ != '"')
		return NULL;
	while ((unsigned char)(*at - ' ') < 0x60 && *at != '"' && *at != '\\')
		at++;
	return *at == '"' ? at + 1 : NULL;
}

/*
 * The fields, indexed by enum um_list_field and sorted by length of the name, so that find_field() compares few names.
 * @bits: width of the register field; 0: not checked. @bits_of_perf: width in perf's copies of the lists, whose entries
 * have PerPkg. There EventCode includes the ExtSel bit, and UMask the UMaskExt bits.
 */
static const struct {
	char name[20];
	uint8_t len;
	bool number;                /* the value may be a number without quotes */
	uint8_t bits, bits_of_perf;
} fields[UM_LIST_FIELDS] = {
	[UM_LIST_BOX] = { "Unit", 4, false, 0, 0 },
	[UM_LIST_UMASK] = { "UMask", 5, true, 8, 40 },
	[UM_LIST_FCMASK] = { "FCMask", 6, true, 3, 3 },
	[UM_LIST_EXT_SEL] = { "ExtSel", 6, true, 1, 1 },
	[UM_LIST_INVERT] = { "Invert", 6, true, 1, 1 },
	[UM_LIST_FILTER] = { "Filter", 6, false, 0, 0 },
	[UM_LIST_PER_PKG] = { "PerPkg", 6, true, 0, 0 },
	[UM_LIST_COUNTER] = { "Counter", 7, false, 0, 0 },
	[UM_LIST_UMASK_EXT] = { "UMaskExt", 8, true, 32, 32 },
	[UM_LIST_PORT_MASK] = { "PortMask", 8, true, 12, 12 },
	[UM_LIST_MSR_INDEX] = { "MSRIndex", 8, true, 16, 16 },
	[UM_LIST_MSR_VALUE] = { "MSRValue", 8, true, 64, 64 },
	[UM_LIST_NAME] = { "EventName", 9, false, 0, 0 },
	[UM_LIST_CODE] = { "EventCode", 9, true, 8, 9 },
	[UM_LIST_ANY_THREAD] = { "AnyThread", 9, true, 1, 1 },
	[UM_LIST_EDGE] = { "EdgeDetect", 10, true, 1, 1 },
	[UM_LIST_DEPRECATED] = { "Deprecated", 10, true, 0, 0 },
	[UM_LIST_COUNTER_MASK] = { "CounterMask", 11, true, 8, 8 },
	[UM_LIST_COUNTER_TYPE] = { "CounterType", 11, false, 0, 0 },
	[UM_LIST_FILTER_VALUE] = { "FILTER_VALUE", 12, true, 32, 32 },
	[UM_LIST_DESCRIPTION] = { "BriefDescription", 16, false, 0, 0 },
};

static size_t find_field(const char *key, size_t len)
{
	static const uint8_t first[] = {
		[4] = UM_LIST_BOX, [5] = UM_LIST_UMASK, [6] = UM_LIST_FCMASK, [7] = UM_LIST_COUNTER,
		[8] = UM_LIST_UMASK_EXT, [9] = UM_LIST_NAME, [10] = UM_LIST_EDGE, [11] = UM_LIST_COUNTER_MASK,
		[12] = UM_LIST_FILTER_VALUE, [16] = UM_LIST_DESCRIPTION,
	};
	size_t i = len < sizeof(first) ? first[len] : UM_LIST_FIELDS;

	for (; i < UM_LIST_FIELDS && fields[i].len == len; i++)
		if (*fields[i].name == *key && !memcmp(key, fields[i].name, len))
			return i;
	return UM_LIST_FIELDS;
}

/* Read an object of plain strings. Returns its end; NULL: the JSON library must read it. */
static const char *read_plain(const char *at, struct um_list_texts *t)
{
	memset(t->of, 0, sizeof(t->of));
	if (*at != '{')
		return NULL;
	do {
		const char *key = skip_space(at + 1), *key_end = plain_string(key), *value;
		size_t field;

		if (!key_end || *(value = skip_space(key_end)) != ':')
			return NULL;
		value = skip_space(value + 1);
		at = plain_string(value);
		if (!at)
			return NULL;
		field = find_field(key + 1, (size_t)(key_end - key) - 2);
		if (field < UM_LIST_FIELDS)
			t->of[field] = (struct um_list_slice){ value + 1, (size_t)(at - value) - 2 };
		at = skip_space(at);
	} while (*at == ',');
	return *at == '}' ? at + 1 : NULL;
}

/* Write a value without quotes as text: null as "", booleans as 0 and 1; "?" if no register can hold the value. */
static struct um_list_slice bare(char text[UM_LIST_NUMBER], const json_t *value)
{
	if (json_is_null(value))
		*text = '\0';
	else if (json_is_boolean(value))
		strcpy(text, json_is_true(value) ? "1" : "0");
	else if (json_is_integer(value) && json_integer_value(value) >= 0)
		snprintf(text, UM_LIST_NUMBER, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
	else
		strcpy(text, "?");
	return (struct um_list_slice){ text, strlen(text) };
}

/* Read any JSON value. The texts are valid until @json is freed. */
static void read_json(const json_t *json, struct um_list_texts *t)
{
	memset(t->of, 0, sizeof(t->of));
	for (size_t i = 0; i < UM_LIST_FIELDS; i++) {
		const json_t *value = json_object_get(json, fields[i].name);

		if (json_is_string(value))
			t->of[i] = (struct um_list_slice){ json_string_value(value), json_string_length(value) };
		else if (value && fields[i].number)
			t->of[i] = bare(t->bare[i], value);
	}
}

static int shown_len(size_t len)
{
	return len > 40 ? 40 : (int)len;
}

/* Does the vendor's converter (create_perf_json.py) treat the value as missing? */
static bool is_nothing(struct um_list_slice text)
{
	static const char words[][8] = { "na", "n/a", "null", "tbd" };

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (um_is_word(text.at, text.len, words[i]))
			return true;
	return !text.len;
}

static bool has_word(struct um_list_slice text, const char *word)
{
	size_t len = strlen(word);

	for (; text.len >= len; text.at++, text.len--)
		if (!strncasecmp(text.at, word, len))
			return true;
	return false;
}

/* Fixed and free-running counters have no event code. */
static bool needs_code(const struct um_list_texts *t)
{
	return !t->of[UM_LIST_PER_PKG].at && !has_word(t->of[UM_LIST_COUNTER], "fixed") &&
	       !has_word(t->of[UM_LIST_COUNTER_TYPE], "FREERUN") &&
	       !um_is_word(t->of[UM_LIST_BOX].at, t->of[UM_LIST_BOX].len, "NCU");
}

/* Is a field anything but numbers ("0xB7, 0xBB") of at most @bits bits? Then @what says what is wrong. */
static bool is_wrong_field(const struct um_list_texts *t, size_t i, unsigned bits, char *what, size_t size)
{
	struct um_list_slice text = t->of[i];
	struct um_event_term number;
	uint64_t value;

	for (const char *at = text.at; um_next_term(&at, text.at + text.len, ',', &number);) {
		bool valid = um_perf_number(number.name, (size_t)(number.end - number.name), &value);

		if (!valid && is_nothing(text))
			return false;
		if (!valid && text.at == t->bare[i])
			return snprintf(what, size, "%s is not a number that a register can hold", fields[i].name);
		if (!valid)
			return snprintf(what, size, "%s '%.*s' is not a number", fields[i].name,
					shown_len(text.len), text.at);
		if (bits < 64 && value >> bits)
			return snprintf(what, size, "%s '%.*s' does not fit into %u bit%s", fields[i].name,
					shown_len(text.len), text.at, bits, bits == 1 ? "" : "s");
	}
	return false;
}

static bool is_wrong(const struct um_list_texts *t, char *what, size_t size)
{
	if (!t->of[UM_LIST_NAME].len)
		return snprintf(what, size, "the entry has no EventName");
	if (is_nothing(t->of[UM_LIST_CODE]) && needs_code(t))
		return snprintf(what, size, "the entry has no EventCode");
	for (size_t i = 0; i < UM_LIST_FIELDS; i++) {
		unsigned bits = t->of[UM_LIST_PER_PKG].at ? fields[i].bits_of_perf : fields[i].bits;

		if (bits && t->of[i].len && is_wrong_field(t, i, bits, what, size))
			return true;
	}
	return false;
}

bool um_list_event(struct um_json_event *ev)
{
	struct um_list_texts t;
	json_t *json = NULL;
	bool made;

	if (!read_plain(ev->json, &t)) {
		json = um_json_load(ev->json, ev->json_len, 0, NULL);
		read_json(json, &t);
	}
	made = t.of[UM_LIST_NAME].at && um_list_convert(&t, ev);
	json_decref(json);
	return made;
}

struct walk {
	struct um_json_file *file;
	const char *at;
	int (*fn)(void *user, const struct um_list_entry *entry);
	void *user;
	struct um_error *e;
	const char *counted;        /* line ends before this are counted in @lines */
	unsigned lines;
};

static int parse_value(struct walk *w, json_t **json)
{
	const struct um_json_file *file = w->file;
	json_error_t why;

	*json = um_json_load(w->at, (size_t)(file->text + file->len - w->at), JSON_DISABLE_EOF_CHECK | JSON_DECODE_ANY,
			     &why);
	if (*json) {
		w->at += why.position;
		return 0;
	}
	if (errno == ENOMEM)
		return um_no_memory(w->e);
	return refuse(file, w->at + why.position, why.text, w->e);
}

static unsigned line_of(struct walk *w, const char *at)
{
	for (; w->counted < at; w->counted++)
		w->lines += *w->counted == '\n';
	return w->lines + 1;
}

static int take_entry(struct walk *w)
{
	const char *from = w->at;
	struct um_list_texts t;
	const struct um_list_slice *name = &t.of[UM_LIST_NAME];
	const char *end = read_plain(from, &t);
	char what[160], why[UM_MESSAGE_SIZE];
	json_t *json = NULL;
	bool wrong;
	int err = 0;

	if (end) {
		w->at = end;
	} else {
		err = parse_value(w, &json);
		read_json(json, &t);
	}
	wrong = !err && is_wrong(&t, what, sizeof(what));
	if (wrong)
		um_message(why, sizeof(why), "event list %s: line %u: %.*s%s%s", UM_QUOTED(w->file->path), line_of(w, from),
			   (int)name->len, name->at, name->len ? ": " : "", what);
	if (!err)
		err = w->fn(w->user, &(struct um_list_entry){
			{ from, (size_t)(w->at - from) }, *name, t.of[UM_LIST_BOX], wrong ? why : NULL });
	json_decref(json);
	return err;
}

/* Read items separated by commas, from an opening bracket to @close. */
static int items(struct walk *w, int (*item)(struct walk *w), char close, const char *otherwise)
{
	bool first = true;
	int err;

	for (w->at = skip_space(w->at + 1); !first || *w->at != close; first = false) {
		err = item(w);
		if (err)
			return err;
		w->at = skip_space(w->at);
		if (*w->at == close)
			break;
		if (*w->at != ',')
			return refuse(w->file, w->at, otherwise, w->e);
		w->at = skip_space(w->at + 1);
	}
	w->at++;
	return 0;
}

static int take_entries(struct walk *w)
{
	return items(w, take_entry, ']', "',' or ']' expected");
}

static int keep_version(struct walk *w, const json_t *header)
{
	const char *version = json_string_value(json_object_get(header, "Version"));

	if (!version)
		return 0;
	free(w->file->version);
	w->file->version = strdup(version);
	return w->file->version ? 0 : um_no_memory(w->e);
}

static int take_member(struct walk *w)
{
	json_t *key, *json;
	bool is_events, is_header;
	int err;

	if (*w->at != '"')
		return refuse(w->file, w->at, "a name in quotes expected", w->e);
	err = parse_value(w, &key);
	if (err)
		return err;
	is_events = !strcmp(json_string_value(key), "Events");
	is_header = !strcmp(json_string_value(key), "Header");
	json_decref(key);
	w->at = skip_space(w->at);
	if (*w->at != ':')
		return refuse(w->file, w->at, "':' expected", w->e);
	w->at = skip_space(w->at + 1);
	if (is_events && *w->at == '[')
		return take_entries(w);
	err = parse_value(w, &json);
	if (!err && is_header)
		err = keep_version(w, json);
	json_decref(json);
	return err;
}

int um_list_walk(struct um_json_file *file, int (*fn)(void *user, const struct um_list_entry *entry), void *user,
		 struct um_error *e)
{
	struct walk w = { file, file->text, fn, user, e, file->text, 0 };

	/* Skip a byte order mark, which JSON does not allow. */
	w.at = skip_space(w.at + (strncmp(w.at, "\xef\xbb\xbf", 3) ? 0 : 3));
	if (*w.at == '[')
		return take_entries(&w);
	if (*w.at == '{')
		return items(&w, take_member, '}', "',' or '}' expected");
	return refuse(file, w.at, "an array or an object expected", e);
}
