/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "counting/record.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Form 1 knew one PMU per package ("uncore") and nothing but counters; what a session of that time
 * left behind is still put back.
 */
#define MAGIC "uncoremsr-lease 2"
#define MAGIC_1 "uncoremsr-lease 1"

static const char *const kind_keys[] = {
	[UM_LEASE_COUNTER] = "counter", [UM_LEASE_EXTRA] = "extra", [UM_LEASE_GATE] = "gate",
};

/* FNV-1a, 64 bits: against torn writes, not against malice (um_record_check() is). */
static uint64_t checksum(const char *text, size_t len)
{
	uint64_t h = UINT64_C(0xcbf29ce484222325);

	for (size_t i = 0; i < len; i++)
		h = (h ^ (unsigned char)text[i]) * UINT64_C(0x100000001b3);
	return h;
}

/* Append; *len beyond @size means that it did not fit. */
static void UM_PRINTF(4, 5) put(char *buf, size_t size, size_t *len, const char *fmt, ...)
{
	va_list ap;
	int n;

	if (*len >= size)
		return;
	va_start(ap, fmt);
	n = vsnprintf(buf + *len, size - *len, fmt, ap);
	va_end(ap);
	*len += n < 0 ? size : (size_t)n;
}

int um_record_format(const struct um_record *r, char *buf, size_t size)
{
	size_t len = 0;

	put(buf, size, &len, MAGIC "\nboot %s\nuarch %s\npackage %d\ndie %d\nunit %s\n%s %u\n",
	    r->boot, r->uarch, r->id.package, r->id.die, r->id.unit, kind_keys[r->id.kind],
	    r->id.number);
	put(buf, size, &len, "pid %ld\nsince %" PRId64 "\ncommand %s\nevent %s\n", r->pid, r->since,
	    r->command, r->event);
	put(buf, size, &len, "old-selector 0x%" PRIx64 "\nold-counter 0x%" PRIx64
	    "\nold-enabled %d\n", r->old_selector, r->old_counter, r->old_enabled);
	for (unsigned i = 0; i < r->num_words; i++)
		put(buf, size, &len, "word 0x%" PRIx64 "\n", r->words[i]);
	if (len < size)
		put(buf, size, &len, "sum 0x%016" PRIx64 "\n", checksum(buf, len));
	return len < size ? (int)len : -ENOSPC;
}

/* ---- parsing: lines of a key, a blank and a value, in the order in which they are written ---- */

struct reader {
	const char *at, *end;
};

static bool line_is(struct reader *rd, const char *key, const char **value, size_t *len)
{
	size_t klen = strlen(key);
	const char *eol = memchr(rd->at, '\n', (size_t)(rd->end - rd->at));

	if (!eol || (size_t)(eol - rd->at) < klen + 1 || memcmp(rd->at, key, klen) ||
	    rd->at[klen] != ' ')
		return false;
	*value = rd->at + klen + 1;
	*len = (size_t)(eol - *value);
	rd->at = eol + 1;
	return true;
}

static bool get_text(struct reader *rd, const char *key, char *out, size_t size)
{
	const char *value;
	size_t len;

	if (!line_is(rd, key, &value, &len) || len >= size)
		return false;
	for (size_t i = 0; i < len; i++)
		if (!isprint((unsigned char)value[i]))
			return false;
	memcpy(out, value, len);
	out[len] = '\0';
	return true;
}

static bool get_number(struct reader *rd, const char *key, int64_t min, int64_t max, int64_t *out)
{
	char text[32], *end;

	if (!get_text(rd, key, text, sizeof(text)) || !(isdigit((unsigned char)*text) || *text == '-'))
		return false;
	errno = 0;
	*out = strtoll(text, &end, 10);
	return !errno && !*end && *out >= min && *out <= max;
}

static bool get_word(struct reader *rd, const char *key, uint64_t *out)
{
	char text[32], *end;

	if (!get_text(rd, key, text, sizeof(text)) || strncmp(text, "0x", 2) ||
	    !isxdigit((unsigned char)text[2]))
		return false;
	errno = 0;
	*out = strtoull(text, &end, 16);
	return !errno && !*end;
}

static bool get_kind(struct reader *rd, struct um_lease_id *id)
{
	static const int64_t max[] = { 255, UINT32_MAX, UINT32_MAX };
	int64_t n;

	for (size_t kind = 0; kind < ARRAY_SIZE(kind_keys); kind++)
		if (get_number(rd, kind_keys[kind], 0, max[kind], &n)) {
			id->kind = (enum um_lease_kind)kind;
			id->number = (unsigned)n;
			return true;
		}
	return false;
}

static bool get_id(struct reader *rd, struct um_lease_id *id, int form)
{
	int64_t n;

	if (!get_number(rd, "package", INT32_MIN, INT32_MAX, &n))
		return false;
	id->package = (int)n;
	if (!get_number(rd, "die", -1, INT32_MAX, &n))
		return false;
	id->die = (int)n;
	if (form == 1)
		strcpy(id->unit, "uncore");
	else if (!get_text(rd, "unit", id->unit, sizeof(id->unit)))
		return false;
	return get_kind(rd, id);
}

static bool get_who(struct reader *rd, struct um_record *r, int form)
{
	int64_t n;

	if (!get_text(rd, "boot", r->boot, sizeof(r->boot)) ||
	    !get_text(rd, "uarch", r->uarch, sizeof(r->uarch)) || !get_id(rd, &r->id, form) ||
	    !get_number(rd, "pid", 0, INT32_MAX, &n))
		return false;
	r->pid = (long)n;
	return get_number(rd, "since", 0, INT64_MAX, &r->since) &&
	       get_text(rd, "command", r->command, sizeof(r->command)) &&
	       get_text(rd, "event", r->event, sizeof(r->event));
}

static bool get_registers(struct reader *rd, struct um_record *r)
{
	int64_t enabled;

	if (!get_word(rd, "old-selector", &r->old_selector) ||
	    !get_word(rd, "old-counter", &r->old_counter) ||
	    !get_number(rd, "old-enabled", 0, 1, &enabled))
		return false;
	r->old_enabled = enabled;
	for (r->num_words = 0; rd->at < rd->end; r->num_words++)
		if (r->num_words == UM_RECORD_WORDS ||
		    !get_word(rd, "word", &r->words[r->num_words]))
			return false;
	return r->num_words > 0;
}

/* The last line is the checksum of everything before it; it is cut off. */
static bool check_sum(const char *text, size_t *len)
{
	struct reader rd;
	uint64_t sum;
	size_t at = *len ? *len - 1 : 0;

	while (at > 0 && text[at - 1] != '\n')
		at--;
	rd = (struct reader){ .at = text + at, .end = text + *len };
	*len = at;
	return get_word(&rd, "sum", &sum) && rd.at == rd.end && sum == checksum(text, at);
}

/* 0: not one of ours. */
static int form_of(const char *text, size_t len)
{
	if (len < sizeof(MAGIC))
		return 0;
	if (!memcmp(text, MAGIC "\n", sizeof(MAGIC)))
		return 2;
	return memcmp(text, MAGIC_1 "\n", sizeof(MAGIC_1)) ? 0 : 1;
}

int um_record_parse(struct um_record *r, const char *text, size_t len, char *why, size_t size)
{
	struct reader rd = { .at = text, .end = text + len };
	int form = form_of(text, len);
	const char *wrong = NULL;

	if (!form)
		wrong = len >= 16 && !memcmp(text, MAGIC, 16) ? "written by another version"
							      : "no journal of ours";
	else if (!check_sum(text, &len))
		wrong = "torn: its checksum does not fit";
	if (!wrong) {
		rd.at = text + sizeof(MAGIC);
		rd.end = text + len;
		if (!get_who(&rd, r, form) || !get_registers(&rd, r))
			wrong = "not in the form of a journal";
	}
	if (wrong)
		snprintf(why, size, "%s", wrong);
	return wrong ? -EINVAL : 0;
}

bool um_record_has_word(const struct um_record *r, uint64_t selector, uint64_t compare)
{
	for (unsigned i = 0; i < r->num_words; i++)
		if (!((r->words[i] ^ selector) & compare))
			return true;
	return false;
}
