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

#include "common/text.h"

/* First line of a record: "uncoremsr-journal 3 used 00412". UM_RECORD_HEAD is its length with the newline. */
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
		[UM_FAULT_ON] = "would switch a counter or its interrupt on: only root's journals may do that",
	};

	return texts[fault];
}

static const char kind_keys[][8] = {
	[UM_LEASE_COUNTER] = "counter", [UM_LEASE_EXTRA] = "extra", [UM_LEASE_GATE] = "gate",
};

/* ---- writing ---- */

#define SUM_LINE "sum 0x%016" PRIx64 "\n"
enum { SUM_SIZE = 23 };

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
	/* Write leading zeros, so that most records of a lease have the same length (um_lease_store()). */
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
		len += (size_t)snprintf(buf + len, size - len, SUM_LINE,
					checksum(buf + UM_RECORD_HEAD, len - UM_RECORD_HEAD));
	if (len >= size)
		return -ENOSPC;
	snprintf(number, sizeof(number), "%05zu", len);
	memcpy(buf + UM_RECORD_MARK + UM_MARK_SIZE + 1, number, 5);
	return (int)len;
}

/*
 * ---- parsing ----
 *
 * Each line of a record has a key, a blank and a value. The order of the lines is fixed. Values are read unchecked: a
 * record is accepted only if um_record_format() writes the same text again.
 */

/* Copy the value of the line at *at, and move *at to the next line. Returns @out. */
static const char *take_text(const char **at, char *out, size_t size)
{
	const char *value = *at + strcspn(*at, " \n");
	size_t len;

	value += *value == ' ';
	len = strcspn(value, "\n");
	snprintf(out, size, "%.*s", (int)len, value);
	*at = value + len + (value[len] == '\n');
	return out;
}

/* Take a decimal or hexadecimal number. */
static uint64_t take_number(const char **at)
{
	char text[24];

	return strtoull(take_text(at, text, sizeof(text)), NULL, 0);
}

static void take_record(struct um_record *r, const char *at)
{
	take_text(&at, r->boot, sizeof(r->boot));
	take_text(&at, r->uarch, sizeof(r->uarch));
	r->id.package = (int)take_number(&at);
	r->id.die = (int)take_number(&at);
	take_text(&at, r->id.unit, sizeof(r->id.unit));
	r->id.kind = UM_LEASE_COUNTER;
	while (r->id.kind < UM_LEASE_GATE && !um_starts_with(at, kind_keys[r->id.kind]))
		r->id.kind++;
	r->id.number = (unsigned)take_number(&at);
	r->pid = (long)take_number(&at);
	r->since = (int64_t)take_number(&at);
	take_text(&at, r->command, sizeof(r->command));
	take_text(&at, r->event, sizeof(r->event));
	r->old.word = take_number(&at);
	r->old.counter = take_number(&at);
	r->old.enabled = take_number(&at);
	for (r->num_words = 0; um_starts_with(at, "word ") && r->num_words < UM_RECORD_WORDS; r->num_words++)
		r->words[r->num_words] = take_number(&at);
}

static bool is_record(const struct um_record *r, const char *text, size_t len)
{
	char again[UM_RECORD_TEXT];
	bool bad = !r->num_words || r->id.die < -1 || (r->id.kind == UM_LEASE_COUNTER && r->id.number > 255) ||
		   r->pid < 0 || r->pid > INT32_MAX || r->since < 0;

	for (size_t i = 0; i < len && !bad; i++)
		bad = text[i] != '\n' && !isprint((unsigned char)text[i]);
	return !bad && um_record_format(r, again, sizeof(again)) == (int)len && !memcmp(again, text, len);
}

static bool has_sum(const char *text, size_t len)
{
	char sum[SUM_SIZE + 1];
	size_t at = len - SUM_SIZE;

	if (len < UM_RECORD_HEAD + SUM_SIZE)
		return false;
	snprintf(sum, sizeof(sum), SUM_LINE, checksum(text + UM_RECORD_HEAD, at - UM_RECORD_HEAD));
	return !memcmp(text + at, sum, SUM_SIZE);
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
	bool whole = *len > UM_RECORD_HEAD;

	if (!whole || memcmp(text, MAGIC, sizeof(MAGIC) - 1)) {
		whole = *len >= ANY_FORM && !memcmp(text, MAGIC, ANY_FORM);
		*len = 0;
		return whole ? UM_FAULT_VERSION : UM_FAULT_FOREIGN;
	}
	if (!take_head(r, text, len))
		return UM_FAULT_TORN;
	if (r->mark == UM_MARK_DONE) /* the rest may be part of a new record that was never completed */
		return UM_FAULT_NONE;
	if (!has_sum(text, *len))
		return UM_FAULT_TORN;
	take_record(r, text + UM_RECORD_HEAD);
	return is_record(r, text, *len) ? UM_FAULT_NONE : UM_FAULT_FORM;
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
			bad |= r->words[i] != r->old.word && !good_word(b, &regs, n >= b->num_general, r->words[i]);
		bad |= (r->old.word & ~writable(m, regs.selector)) || (r->old.counter & ~writable(m, regs.counter));
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
