/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "counting/record.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAGIC "uncoremsr-lease 1"

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

	put(buf, size, &len, MAGIC "\nboot %s\nuarch %s\npackage %d\ndie %d\ncounter %u\n", r->boot,
	    r->uarch, r->package, r->die, r->counter);
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

/* ---- parsing: each line is a key, a blank and a value, in the order in which they are written ---- */

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

static bool get_who(struct reader *rd, struct um_record *r)
{
	int64_t n;

	if (!get_text(rd, "boot", r->boot, sizeof(r->boot)) ||
	    !get_text(rd, "uarch", r->uarch, sizeof(r->uarch)) ||
	    !get_number(rd, "package", INT32_MIN, INT32_MAX, &n))
		return false;
	r->package = (int)n;
	if (!get_number(rd, "die", -1, INT32_MAX, &n))
		return false;
	r->die = (int)n;
	if (!get_number(rd, "counter", 0, 255, &n))
		return false;
	r->counter = (unsigned)n;
	if (!get_number(rd, "pid", 0, INT32_MAX, &n))
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

int um_record_parse(struct um_record *r, const char *text, size_t len, char *why, size_t size)
{
	struct reader rd = { .at = text, .end = text + len };
	const char *wrong = NULL;

	if (len < sizeof(MAGIC) || memcmp(text, MAGIC "\n", sizeof(MAGIC)))
		wrong = len >= 16 && !memcmp(text, MAGIC, 16) ? "written by another version"
							      : "no journal of ours";
	else if (!check_sum(text, &len))
		wrong = "torn: its checksum does not fit";
	if (!wrong) {
		rd.at = text + sizeof(MAGIC);
		rd.end = text + len;
		if (!get_who(&rd, r) || !get_registers(&rd, r))
			wrong = "not in the form of a journal";
	}
	if (wrong)
		snprintf(why, size, "%s", wrong);
	return wrong ? -EINVAL : 0;
}

static bool good_words(const struct um_record *r, const struct uncoremsr_pmu *pmu)
{
	const struct um_selector *sel = &pmu->selector;
	bool fixed = r->counter >= pmu->num_general;

	for (unsigned i = 0; i < r->num_words; i++) {
		uint64_t w = r->words[i];

		if (fixed ? w != pmu->fixed_enable
			  : (w & ~(sel->settable | sel->enable)) || !(w & sel->enable))
			return false;
	}
	return true;
}

static bool good_old(const struct um_record *r, const struct um_uarch *u,
		     const struct uncoremsr_pmu *pmu)
{
	bool fixed = r->counter >= pmu->num_general;
	uint32_t selector = fixed ? pmu->fixed_control : pmu->selector0 + r->counter;
	uint32_t counter = fixed ? pmu->fixed_counter : pmu->counter0 + r->counter;

	return !(r->old_selector & ~um_reg_find(u, selector, NULL)->write_mask) &&
	       !(r->old_counter & ~um_reg_find(u, counter, NULL)->write_mask);
}

int um_record_check(const struct um_record *r, const struct um_uarch *u, const char *boot, char *why,
		    size_t size)
{
	const struct uncoremsr_pmu *pmu = u->pmus;
	const char *wrong = NULL;

	if (strcmp(r->boot, boot))
		wrong = "of another boot: the registers were reset since";
	else if (strcmp(r->uarch, u->name))
		wrong = "of another machine";
	else if (r->counter >= pmu->num_general + pmu->num_fixed)
		wrong = "names a counter that does not exist";
	else if (!good_words(r, pmu))
		wrong = "names words that no session writes";
	else if (!good_old(r, u, pmu))
		wrong = "names old values that the registers cannot hold";
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
