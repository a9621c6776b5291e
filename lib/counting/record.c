/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The journal record of a lease: writing, parsing, and checking that a session of ours can have written it. */
#include "counting/lease.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "common/number.h"
#include "common/text.h"

/* "uncoremsr-journal 3 used 00412": UM_RECORD_HEAD bytes with the line end. */
#define MAGIC "uncoremsr-journal 3 "
#define ANY_FORM 18 /* length of MAGIC without the version */

const char um_mark_texts[][UM_MARK_SIZE + 1] = {
	[UM_MARK_USED] = "used", [UM_MARK_GATE] = "gate", [UM_MARK_WRAP] = "wrap",
	[UM_MARK_DONE] = "done",
};

const char *um_fault_text(enum um_fault fault)
{
	static const char texts[][80] = {
		[UM_FAULT_NONE] = "",
		[UM_FAULT_ALIEN] = "not a file of this library",
		[UM_FAULT_USERS] = "not a folder owned by root with the sticky bit set",
		[UM_FAULT_FILE] = "not a regular file with one hard link that only the folder's owner can write",
		[UM_FAULT_UNREADABLE] = "cannot be read",
		[UM_FAULT_LONG] = "not read to its end: of a user's journals only the first 4 MB are read",
		[UM_FAULT_FOREIGN] = "not a journal of this library",
		[UM_FAULT_VERSION] = "written by another version of this library",
		[UM_FAULT_TORN] = "damaged: its checksum is wrong",
		[UM_FAULT_FORM] = "not in the format of a journal",
		[UM_FAULT_BOOT] = "from another boot: the registers have been reset since",
		[UM_FAULT_MACHINE] = "from another machine",
		[UM_FAULT_UNIT] = "names a unit that does not exist",
		[UM_FAULT_COUNTER] = "names a counter that does not exist",
		[UM_FAULT_REGISTER] = "names a register that does not exist",
		[UM_FAULT_GATE] = "names an enable register that does not exist",
		[UM_FAULT_WORDS] = "contains values that no session writes",
		[UM_FAULT_ON] = "would switch a counter or its interrupt on, which only root's journals may",
	};

	return texts[fault];
}

static const char kind_keys[][8] = {
	[UM_LEASE_COUNTER] = "counter", [UM_LEASE_EXTRA] = "extra", [UM_LEASE_GATE] = "gate",
};

/* ---- writing ---- */

/* FNV-1a, 64 bits: detects torn writes. Forged records are detected by um_record_check_registers(). */
static uint64_t checksum(const char *text, size_t len)
{
	uint64_t h = UINT64_C(0xcbf29ce484222325);

	for (size_t i = 0; i < len; i++)
		h = (h ^ (unsigned char)text[i]) * UINT64_C(0x100000001b3);
	return h;
}

int um_record_format(const struct um_record *r, char *buf, size_t size)
{
	char number[24];
	/* Write all digits, so that most records of a lease have the same length (um_lease_store()). */
	size_t len = (size_t)snprintf(
		buf, size, MAGIC "%s %05u\nboot %s\nuarch %s\npackage %d\ndie %d\nunit %s\n%s %u\n"
		"pid %ld\nsince %" PRId64 "\ncommand %s\nevent %s\n"
		"old-selector 0x%016" PRIx64 "\nold-counter 0x%016" PRIx64 "\nold-enabled %d\n",
		um_mark_texts[r->mark], 0, r->boot, r->uarch, r->id.package, r->id.die, r->id.unit,
		kind_keys[r->id.kind], r->id.number, r->pid, r->since, r->command, r->event,
		r->old.word, r->old.counter, r->old.enabled);

	for (unsigned i = 0; i < r->num_words && len < size; i++)
		len += (size_t)snprintf(buf + len, size - len, "word 0x%016" PRIx64 "\n", r->words[i]);
	if (len < size)
		len += (size_t)snprintf(buf + len, size - len, "sum 0x%016" PRIx64 "\n",
					checksum(buf + UM_RECORD_HEAD, len - UM_RECORD_HEAD));
	if (len >= size)
		return -ENOSPC;
	snprintf(number, sizeof(number), "%05zu", len);
	memcpy(buf + UM_RECORD_MARK + UM_MARK_SIZE + 1, number, 5);
	return (int)len;
}

/* ---- parsing: lines of a key, a blank and a value, in the order in which they are written ---- */

struct reader {
	const char *at, *end;
	bool bad;                      /* a line was not as expected; what was read is not valid */
};

static bool next_is(const struct reader *rd, const char *key)
{
	size_t len = strlen(key);

	return (size_t)(rd->end - rd->at) > len && !memcmp(rd->at, key, len) && rd->at[len] == ' ';
}

/* Read a text. Sets rd->bad if the key is missing, or if the text does not fit or is not printable. */
static void take_text(struct reader *rd, const char *key, char *out, size_t size)
{
	const char *value = rd->at + strlen(key) + 1, *eol = NULL;
	size_t len;

	*out = '\0';
	if (!rd->bad && next_is(rd, key))
		eol = memchr(value, '\n', (size_t)(rd->end - value));
	rd->bad = !eol || (size_t)(eol - value) >= size;
	if (rd->bad)
		return;
	len = (size_t)(eol - value);
	for (size_t i = 0; i < len; i++)
		rd->bad |= !isprint((unsigned char)value[i]);
	memcpy(out, value, len);
	out[len] = '\0';
	rd->at = eol + 1;
}

static int64_t take_number(struct reader *rd, const char *key, int64_t min, int64_t max)
{
	char text[32], *end;
	int64_t n;

	take_text(rd, key, text, sizeof(text));
	errno = 0;
	n = strtoll(text, &end, 10);
	rd->bad |= !(isdigit((unsigned char)*text) || *text == '-') || errno || *end || n < min ||
		   n > max;
	return rd->bad ? 0 : n;
}

static uint64_t take_word(struct reader *rd, const char *key)
{
	uint64_t word = 0;
	char text[32];

	take_text(rd, key, text, sizeof(text));
	rd->bad |= !um_starts_with(text, "0x") || !um_perf_number(text, strlen(text), &word);
	return word;
}

static void take_id(struct reader *rd, struct um_lease_id *id)
{
	static const int64_t max[] = { 255, UINT32_MAX, UINT32_MAX };
	size_t kind = 0;

	id->package = (int)take_number(rd, "package", INT32_MIN, INT32_MAX);
	id->die = (int)take_number(rd, "die", -1, INT32_MAX);
	take_text(rd, "unit", id->unit, sizeof(id->unit));
	while (kind + 1 < ARRAY_SIZE(kind_keys) && !next_is(rd, kind_keys[kind]))
		kind++;
	id->kind = (enum um_lease_kind)kind;
	id->number = (unsigned)take_number(rd, kind_keys[kind], 0, max[kind]);
}

static bool take_record(struct reader *rd, struct um_record *r)
{
	take_text(rd, "boot", r->boot, sizeof(r->boot));
	take_text(rd, "uarch", r->uarch, sizeof(r->uarch));
	take_id(rd, &r->id);
	r->pid = (long)take_number(rd, "pid", 0, INT32_MAX);
	r->since = take_number(rd, "since", 0, INT64_MAX);
	take_text(rd, "command", r->command, sizeof(r->command));
	take_text(rd, "event", r->event, sizeof(r->event));
	r->old.word = take_word(rd, "old-selector");
	r->old.counter = take_word(rd, "old-counter");
	r->old.enabled = take_number(rd, "old-enabled", 0, 1);
	for (r->num_words = 0; !rd->bad && rd->at < rd->end; r->num_words++) {
		if (r->num_words == UM_RECORD_WORDS)
			return false;
		r->words[r->num_words] = take_word(rd, "word");
	}
	return !rd->bad && r->num_words > 0;
}

/* Check the last line, which is the checksum of everything before it. *len becomes the length without that line. */
static bool check_sum(const char *text, size_t *len)
{
	struct reader rd;
	size_t at = *len ? *len - 1 : 0;

	while (at > 0 && text[at - 1] != '\n')
		at--;
	rd = (struct reader){ .at = text + at, .end = text + *len };
	*len = at;
	return take_word(&rd, "sum") == checksum(text, at) && !rd.bad && rd.at == rd.end;
}

/* Parse the first line; *len becomes the length of the record, or 0 if the line is not valid. */
static bool take_head(struct um_record *r, const char *text, size_t *len)
{
	const char *mark = text + UM_RECORD_MARK;
	size_t room = *len, number;

	*len = 0;
	if (sscanf(mark + UM_MARK_SIZE, " %5zu", &number) != 1 || number <= UM_RECORD_HEAD ||
	    number > room || text[UM_RECORD_HEAD - 1] != '\n')
		return false;
	*len = number;
	for (unsigned i = 0; i <= UM_MARK_DONE; i++)
		if (!memcmp(mark, um_mark_texts[i], UM_MARK_SIZE)) {
			r->mark = (enum um_mark)i;
			return true;
		}
	return false; /* the session was killed while it wrote the mark: only this record is lost */
}

enum um_fault um_record_parse(struct um_record *r, const char *text, size_t *len)
{
	struct reader rd = { .at = text + UM_RECORD_HEAD };
	bool whole = *len > UM_RECORD_HEAD;
	size_t rest;

	if (!whole || memcmp(text, MAGIC, sizeof(MAGIC) - 1)) {
		whole = *len >= ANY_FORM && !memcmp(text, MAGIC, ANY_FORM);
		*len = 0;
		return whole ? UM_FAULT_VERSION : UM_FAULT_FOREIGN;
	}
	if (!take_head(r, text, len))
		return UM_FAULT_TORN;
	if (r->mark == UM_MARK_DONE) /* skip the rest: a session may have died while it wrote a new record there */
		return UM_FAULT_NONE;
	rest = *len - UM_RECORD_HEAD;
	if (!check_sum(rd.at, &rest))
		return UM_FAULT_TORN;
	rd.end = rd.at + rest;
	return take_record(&rd, r) ? UM_FAULT_NONE : UM_FAULT_FORM;
}

const char *um_process_text(const char *command, long pid, char *buf, size_t size)
{
	if (pid > 0)
		snprintf(buf, size, "%s (pid %ld)", command, pid);
	else
		snprintf(buf, size, "%s", command);
	return buf;
}

void um_record_begin(struct um_record *r, const struct um_machine *m, const char *boot,
		     const struct um_lease_id *id, const char *event)
{
	*r = (struct um_record){
		.id = *id, .pid = (long)getpid(), .since = (int64_t)time(NULL),
	};
	snprintf(r->boot, sizeof(r->boot), "%s", boot);
	snprintf(r->uarch, sizeof(r->uarch), "%s", um_processor_name(m));
	snprintf(r->command, sizeof(r->command), "%s", program_invocation_short_name);
	for (char *p = r->command; *p; p++)
		*p = isprint((unsigned char)*p) ? *p : '?';
	snprintf(r->event, sizeof(r->event), "%s", event);
}

void um_record_add_word(struct um_record *r, uint64_t word)
{
	if (um_record_has_word(r, word, UM_WHOLE))
		return;
	r->full = r->num_words == UM_RECORD_WORDS;
	if (!r->full)
		r->words[r->num_words++] = word;
}

bool um_record_has_word(const struct um_record *r, uint64_t selector, uint64_t compare)
{
	for (unsigned i = 0; i < r->num_words; i++)
		if (!((r->words[i] ^ selector) & compare))
			return true;
	return false;
}

/* ---- checking against the tables: could a session of ours have written the record? ---- */

static uint64_t writable(const struct um_machine *m, uint32_t msr)
{
	const struct um_reg *row = um_reg_row(m, msr);

	return row ? row->write_mask : 0;
}

/* Could a session of ours write @word to the selector: the word of an event, with or without its enable bit? */
static bool good_word(const struct um_box *b, const struct um_counter_regs *regs, bool fixed, uint64_t word)
{
	const struct um_selector *sel = b->pmu->selector;

	if (fixed)
		return !(word & ~regs->run);
	if (word & ~sel->settable)
		return false;
	/* If a gate bit can stop the counter, every word that we write has the enable bit set. */
	return !regs->gate || regs->kernels || !sel->enable || (word & sel->enable);
}

enum um_fault um_record_check(const struct um_record *r, const struct um_machine *m, const char *boot)
{
	if (strcmp(r->boot, boot))
		return UM_FAULT_BOOT;
	return strcmp(r->uarch, um_processor_name(m)) ? UM_FAULT_MACHINE : UM_FAULT_NONE;
}

enum um_fault um_record_check_registers(const struct um_record *r, const struct um_machine *m, const struct um_box *b)
{
	unsigned n = r->id.number, extra = 0;
	const struct um_gate *gate;
	struct um_counter_regs regs;
	uint64_t may;
	bool bad = false;

	switch (r->id.kind) {
	case UM_LEASE_COUNTER:
		if (!um_box_has_counter(b, n))
			return UM_FAULT_COUNTER;
		regs = um_counter_regs(b, n);
		if (!regs.selector)
			return UM_FAULT_COUNTER;
		for (unsigned i = 0; i < r->num_words; i++)
			bad |= r->words[i] != r->old.word &&
			       !good_word(b, &regs, n >= b->num_general, r->words[i]);
		bad |= (r->old.word & ~writable(m, regs.selector)) ||
		       (r->old.counter & ~writable(m, regs.counter));
		break;
	case UM_LEASE_EXTRA:
		while (extra < b->pmu->num_extras && um_extra_msr(b, extra) != n)
			extra++;
		if (extra == b->pmu->num_extras)
			return UM_FAULT_REGISTER;
		may = writable(m, n);
		for (unsigned i = 0; i < r->num_words; i++)
			bad |= (r->words[i] & ~may) != 0;
		bad |= (r->old.word & ~may) != 0;
		break;
	case UM_LEASE_GATE:
		gate = um_gate_at(b, n);
		if (!gate)
			return UM_FAULT_GATE;
		/* A gate gets a record only if it was closed. */
		bad = (r->old.word & ~gate->mask) || um_gate_is_open(gate, r->old.word);
		break;
	}
	return bad ? UM_FAULT_WORDS : UM_FAULT_NONE;
}
