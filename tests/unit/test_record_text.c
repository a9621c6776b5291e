/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The text of a journal record, line by line: which text is written, and which text is accepted when a record is read.
 *
 * Uses internal headers, because the test creates and reads locks and journals itself.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "counting/lease.h"
#include "machine/handle.h"
#include "machine.h"
#include "suite.h"

/* ---- a record written by hand ---- */

enum { BOOT, UARCH, PACKAGE, DIE, UNIT, COUNTER, PID, SINCE, COMMAND, EVENT, OLD_SELECTOR, OLD_COUNTER,
       OLD_ENABLED, WORD, LAST_WORD, NUM_LINES };

static const char *const good[NUM_LINES] = {
	"boot 0f-1", "uarch westmere", "package 1", "die -1", "unit uncore", "counter 3", "pid 42",
	"since 1600000000", "command uncore-read", "event 0x82:0x1",
	"old-selector 0x0000000000001234", "old-counter 0x0000000000000777", "old-enabled 1", "word 0x0000000000420182",
	"word 0x0000000000420183",
};

/* Checksum of everything after the first line: FNV-1a, 64 bits. */
static uint64_t sum_of(const char *text)
{
	uint64_t h = UINT64_C(0xcbf29ce484222325);

	for (; *text; text++)
		h = (h ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
	return h;
}

static char *seal(char *text, const char *body)
{
	sprintf(text, "uncoremsr-journal 3 used %05zu\n%ssum 0x%016" PRIx64 "\n",
		strlen(body) + 31 + strlen("sum 0x0123456789abcdef\n"), body, sum_of(body));
	return text;
}

static enum um_fault parse(const char *text, struct um_record *r)
{
	size_t len = strlen(text);

	memset(r, 0, sizeof(*r));
	return um_record_parse(r, text, &len);
}

/* Parse the record @good with line @at replaced by @line, or without line @at if @line is NULL. */
static enum um_fault with_line(size_t at, const char *line, struct um_record *r)
{
	char body[2048] = "", text[2200];

	for (size_t i = 0; i < NUM_LINES; i++)
		if (i != at || line)
			sprintf(body + strlen(body), "%s\n", i == at ? line : good[i]);
	return parse(seal(text, body), r);
}

FIXTURE(.teardown = close_machine)

TEST(a_record_has_these_lines)
{
	struct um_record r = {
		.mark = UM_MARK_USED, .boot = "0f-1", .uarch = "westmere", .pid = 42, .since = 1600000000,
		.id = { .package = 1, .die = -1, .unit = "uncore", .number = 3 },
		.command = "uncore-read", .event = "0x82:0x1", .old.word = 0x1234,
		.old.counter = 0x777, .old.enabled = true, .words = { 0x420182, 0x420183 }, .num_words = 2,
	}, again;
	char body[1024] = "", want[1200], text[UM_RECORD_TEXT];

	for (size_t i = 0; i < NUM_LINES; i++)
		sprintf(body + strlen(body), "%s\n", good[i]);
	seal(want, body);
	memset(text, 0x55, sizeof(text));
	ck_assert_int_eq(um_record_format(&r, text, sizeof(text)), (int)strlen(want));
	ck_assert_str_eq(text, want);
	ck_assert_int_eq(parse(want, &again), UM_FAULT_NONE);
	ck_assert_int_eq(memcmp(&r, &again, sizeof(r)), 0);
	r.num_words = 0;
	ck_assert_int_gt(um_record_format(&r, text, sizeof(text)), 0);
	ck_assert_int_eq(parse(text, &again), UM_FAULT_FORM);
}

TEST(the_first_line_has_the_length_of_the_record)
{
	struct um_record r = { .boot = "-", .uarch = "x", .command = "c", .event = "e" };
	char text[UM_RECORD_TEXT], want[8];

	for (r.num_words = 1; r.num_words <= UM_RECORD_WORDS; r.num_words++) {
		int len;

		r.words[r.num_words - 1] = r.num_words;
		len = um_record_format(&r, text, sizeof(text));
		snprintf(want, sizeof(want), "%05d\n", len);
		ck_assert_int_eq(memcmp(text + 25, want, 6), 0);
		ck_assert_uint_eq(strlen(text), (size_t)len);
	}
}

/* ---- single lines: at their limits, and malformed ---- */

static const struct { size_t line; const char *text; bool good; } lines[] = {
	{ PACKAGE, "package -2147483648", true }, { PACKAGE, "package -2147483649", false },
	{ PACKAGE, "package 2147483647", true }, { PACKAGE, "package 2147483648", false },
	{ PACKAGE, "package +1", false }, { PACKAGE, "package  1", false }, { PACKAGE, "package 1 ", false },
	{ PACKAGE, "package ", false }, { PACKAGE, "package", false }, { PACKAGE, "package -", false },
	{ PACKAGE, "package --1", false }, { PACKAGE, "package 1x", false }, { PACKAGE, "package 0x1", false },
	{ PACKAGE, "package x", false }, { PACKAGE, "package:1", false }, { PACKAGE, "packagE 1", false },
	{ PACKAGE, "package 01", false }, { PACKAGE, "package -0", false },
	{ DIE, "die -1", true }, { DIE, "die -2", false }, { DIE, "die 2147483647", true },
	{ DIE, "die 2147483648", false },
	{ UNIT, "unit ", true }, { UNIT, "unit", false }, { UNIT, "unit 12345678901234567890123", true },
	{ UNIT, "unit 123456789012345678901234", false }, { UNIT, "unit a\tb", false },
	{ COUNTER, "counter 255", true }, { COUNTER, "counter 256", false }, { COUNTER, "counter -1", false },
	{ COUNTER, "extra 4294967295", true }, { COUNTER, "extra 4294967296", false },
	{ COUNTER, "gate 4294967295", true }, { COUNTER, "gate 4294967296", false },
	{ COUNTER, "other 1", false }, { COUNTER, "gate -1", false },
	{ PID, "pid 0", true }, { PID, "pid -1", false }, { PID, "pid 2147483648", false },
	{ SINCE, "since 9223372036854775807", true }, { SINCE, "since 9223372036854775808", false },
	{ SINCE, "since 0", true }, { SINCE, "since -1", false },
	{ OLD_ENABLED, "old-enabled 0", true }, { OLD_ENABLED, "old-enabled 2", false },
	{ OLD_ENABLED, "old-enabled -1", false },
	{ BOOT, "boot 123456789012345678901234567890123456789", true },
	{ BOOT, "boot 1234567890123456789012345678901234567890", false },
	{ UARCH, "uarch 1234567890123456789012345678901", true },
	{ UARCH, "uarch 12345678901234567890123456789012", false },
	{ COMMAND, "command 1234567890123456789012345678901", true },
	{ COMMAND, "command 12345678901234567890123456789012", false },
	{ EVENT, "event 12345678901234567890123456789012345678901234567890123456789012345678901", true },
	{ EVENT, "event 123456789012345678901234567890123456789012345678901234567890123456789012", false },
	{ OLD_SELECTOR, "old-selector 0xffffffffffffffff", true },
	{ OLD_SELECTOR, "old-selector 0x10000000000000000", false },
	{ OLD_COUNTER, "old-counter 0x0", false }, { OLD_COUNTER, "old-counter 1234", false },
	{ OLD_COUNTER, "old-counter 0x", false }, { OLD_COUNTER, "old-counter 0x 1", false },
	{ OLD_COUNTER, "old-counter 0x-1", false }, { OLD_COUNTER, "old-counter 0x+1", false },
	{ OLD_COUNTER, "old-counter 0x1 ", false }, { OLD_COUNTER, "old-counter 0x1g", false },
	{ OLD_COUNTER, "old-counter 0x0x1", false }, { OLD_COUNTER, "old-counter 1x1", false },
	{ OLD_COUNTER, "old-counter 0xg", false }, { OLD_COUNTER, "old-counter ", false },
	{ WORD, "word 0xffffffffffffffff", true }, { WORD, "word 1", false }, { WORD, "words 0x1", false },
	{ LAST_WORD, "word 0x", false }, { LAST_WORD, "word", false }, { LAST_WORD, "wor", false },
	{ LAST_WORD, "", false }, { LAST_WORD, "pid 42", false },
	/* A correct checksum does not prove that we wrote a record, so texts are checked for unprintable characters. */
	{ UARCH, "uarch \001estmere", false }, { UARCH, "uarch w\033stmere", false },
	{ UARCH, "uarch we\177tmere", false }, { UARCH, "uarch wes\200mere", false },
	{ UARCH, "uarch westmer\377", false },
};

TEST(a_line_is_accepted_only_in_the_form_in_which_it_is_written)
{
	struct um_record r;

	for (size_t i = 0; i < ARRAY_SIZE(lines); i++)
		ck_assert_msg(with_line(lines[i].line, lines[i].text, &r) ==
			      (lines[i].good ? UM_FAULT_NONE : UM_FAULT_FORM), "'%s'", lines[i].text);
}

TEST(each_line_must_occur_once_and_in_order)
{
	struct um_record r;
	char twice[128];

	for (size_t i = 0; i < WORD; i++) {
		ck_assert_int_eq(with_line(i, NULL, &r), UM_FAULT_FORM);
		snprintf(twice, sizeof(twice), "%s\n%s", good[i], good[i]);
		ck_assert_msg(with_line(i, twice, &r) == UM_FAULT_FORM, "%s", twice);
		snprintf(twice, sizeof(twice), "%s\n%s", good[i + 1], good[i]);
		ck_assert_int_eq(with_line(i, twice, &r), UM_FAULT_FORM);
	}
	ck_assert_int_eq(with_line(LAST_WORD, NULL, &r), UM_FAULT_NONE);
	ck_assert_uint_eq(r.num_words, 1);
	ck_assert_uint_eq(r.words[0], 0x420182);
}

/* ---- the first line and the last ---- */

TEST(only_known_state_words_are_accepted_in_the_first_line)
{
	static const char *const marks[] = { "used", "gate", "wrap", "done", "dome", "Used", "usef" };
	char body[1024] = "", text[1200];
	struct um_record r;

	for (size_t i = 0; i < NUM_LINES; i++)
		sprintf(body + strlen(body), "%s\n", good[i]);
	for (size_t i = 0; i < ARRAY_SIZE(marks); i++) {
		size_t whole = strlen(seal(text, body)), len = whole;

		memcpy(text + 20, marks[i], 4);
		ck_assert_int_eq(um_record_parse(&r, text, &len), i < 4 ? UM_FAULT_NONE : UM_FAULT_TORN);
		ck_assert_uint_eq(len, whole);
		ck_assert(i >= 4 || r.mark == (enum um_mark)i);
	}
}

/* If the checksum is wrong, the length is still known, so that the next record can be read. */
TEST(a_record_with_a_wrong_checksum_ends_where_its_length_says)
{
	static const char *const sums[] = { "sun", "sum 1", "sum  0x", "0123" };
	char body[1024] = "", text[1400];
	struct um_record r;
	size_t len, whole;

	for (size_t i = 0; i < NUM_LINES; i++)
		sprintf(body + strlen(body), "%s\n", good[i]);
	for (size_t i = 0; i < ARRAY_SIZE(sums); i++) {
		whole = len = strlen(seal(text, body));
		memcpy(text + len - strlen("sum 0x0123456789abcdef\n"), sums[i], strlen(sums[i]));
		ck_assert_msg(um_record_parse(&r, text, &len) == UM_FAULT_TORN, "%s", sums[i]);
		ck_assert_uint_eq(len, whole);
	}
	/* The text may be longer than the record, because another record may follow, but not shorter. */
	whole = strlen(seal(text, body));
	strcpy(text + whole, "uncoremsr-journal 3 used 00412\n");
	len = strlen(text);
	ck_assert_int_eq(um_record_parse(&r, text, &len), UM_FAULT_NONE);
	ck_assert_uint_eq(len, whole);
	len = whole;
	ck_assert_int_eq(um_record_parse(&r, text, &len), UM_FAULT_NONE);
	len = whole - 1;
	ck_assert_int_eq(um_record_parse(&r, text, &len), UM_FAULT_TORN);
	ck_assert_uint_eq(len, 0);
	len = whole;
	text[30] = ' ';
	ck_assert_int_eq(um_record_parse(&r, text, &len), UM_FAULT_TORN);
	ck_assert_uint_eq(len, 0);
}

/* ---- a record of this process ---- */

TEST(a_record_names_the_process_that_makes_it)
{
	const struct um_lease_id id = { .package = 1, .die = 2, .unit = "cbo3", .number = 4 };
	char *real = program_invocation_short_name, name[40] = "an odd\tname\xff of one thing", event[100];
	time_t before = time(NULL);
	struct um_record r;

	memset(event, 'e', sizeof(event) - 1);
	event[sizeof(event) - 1] = '\0';
	open_machine("haswell-ep-2s");
	program_invocation_short_name = name;
	um_record_begin(&r, &um->m, "this-boot", &id, event);
	program_invocation_short_name = real;
	ck_assert_int_eq(memcmp(&r.id, &id, sizeof(id)), 0);
	ck_assert_int_eq(r.pid, getpid());
	ck_assert_int_ge(r.since, before);
	ck_assert_str_eq(r.boot, "this-boot");
	ck_assert_str_eq(r.uarch, "haswell-ep");
	ck_assert_str_eq(r.command, "an odd?name? of one thing");
	ck_assert_uint_eq(strlen(r.event), 71);
	ck_assert_uint_eq(r.num_words, 0);
	ck_assert_int_eq(r.mark, UM_MARK_USED);
}

TEST(equal_words_are_stored_once_in_a_record)
{
	static struct um_record r;

	um_record_add_word(&r, 5);
	um_record_add_word(&r, 7);
	um_record_add_word(&r, 5);
	um_record_add_word(&r, 7);
	ck_assert_uint_eq(r.num_words, 2);
	ck_assert_uint_eq(r.words[0], 5);
	ck_assert_uint_eq(r.words[1], 7);
	ck_assert(um_record_has_word(&r, 5, UINT64_MAX));
	ck_assert(um_record_has_word(&r, 0x107, 0xff));
	ck_assert(!um_record_has_word(&r, 0x107, UINT64_MAX));
	ck_assert(!um_record_has_word(&r, 6, UINT64_MAX));
	ck_assert(um_record_has_word(&r, 6, ~UINT64_C(1))); /* the record has the word 7; 6 and 7 differ in bit 0 */
	for (uint64_t word = 0; word < UM_RECORD_WORDS; word++)
		um_record_add_word(&r, word);
	ck_assert_uint_eq(r.num_words, UM_RECORD_WORDS);
	ck_assert(!r.full);
	um_record_add_word(&r, UM_RECORD_WORDS);
	um_record_add_word(&r, 5);
	ck_assert_uint_eq(r.num_words, UM_RECORD_WORDS);
	ck_assert(r.full);
	ck_assert(um_record_has_word(&r, UM_RECORD_WORDS - 1, UINT64_MAX));
	ck_assert(!um_record_has_word(&r, UM_RECORD_WORDS, UINT64_MAX));
}

TEST(leases_are_equal_only_if_all_parts_of_their_ids_are)
{
	const struct um_lease_id id = {
		.package = 1, .die = 2, .unit = "cbo3", .kind = UM_LEASE_EXTRA, .number = 4,
	};
	struct um_lease_id others[] = { id, id, id, id, id };

	others[0].package = 2;
	others[1].die = 1;
	strcpy(others[2].unit, "cbo4");
	others[3].kind = UM_LEASE_GATE;
	others[4].number = 5;
	ck_assert(um_same_id(&id, &(struct um_lease_id){
		.package = 1, .die = 2, .unit = "cbo3", .kind = UM_LEASE_EXTRA, .number = 4 }));
	for (size_t i = 0; i < ARRAY_SIZE(others); i++) {
		ck_assert(!um_same_id(&id, &others[i]));
		ck_assert(!um_same_id(&others[i], &id));
	}
}

TEST(the_longest_record_fits_into_the_buffer)
{
	struct um_record r = {
		.id = { .package = INT32_MIN, .die = INT32_MAX, .kind = UM_LEASE_COUNTER, .number = 255 },
		.pid = INT32_MAX, .since = INT64_MAX, .old.word = UINT64_MAX, .old.counter = UINT64_MAX,
		.old.enabled = true,
	};
	char text[UM_RECORD_TEXT];

	memset(r.boot, 'b', sizeof(r.boot) - 1);
	memset(r.uarch, 'u', sizeof(r.uarch) - 1);
	memset(r.command, 'c', sizeof(r.command) - 1);
	memset(r.event, 'e', sizeof(r.event) - 1);
	memset(r.id.unit, 'n', sizeof(r.id.unit) - 1);
	for (unsigned n = 0; n < 3; n++) {
		r.num_words = n;
		r.words[n] = UINT64_MAX;
		ck_assert_int_le(um_record_format(&r, text, sizeof(text)), UM_RECORD_ROOM + (int)n * UM_WORD_ROOM);
	}
}

TEST(one_word_more_than_a_record_may_have_does_not_parse)
{
	static struct um_record r;
	static char words[32 * UM_RECORD_WORDS], body[sizeof(words) + 2048], text[sizeof(body) + 256];
	size_t len;

	for (unsigned n = 1; n <= UM_RECORD_WORDS + 1; n++) {
		*body = '\0';
		sprintf(words + strlen(words), "word 0x%016x\n", n);
		for (size_t i = 0; i < WORD; i++)
			sprintf(body + strlen(body), "%s\n", good[i]);
		seal(text, strcat(body, words));
		len = strlen(text);
		ck_assert_int_eq(um_record_parse(&r, text, &len), n <= UM_RECORD_WORDS ? UM_FAULT_NONE : UM_FAULT_FORM);
		ck_assert(n > UM_RECORD_WORDS || r.num_words == n);
	}
}

SUITE(record_text)
