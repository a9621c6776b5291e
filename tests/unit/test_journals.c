/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Names of journals, reading of all records of a journal, and the messages of a repair. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "journals.h"
#include "suite.h"

FIXTURE(.teardown = close_in_root)

#define RESTORED ": restored to what it held before uncore-read (pid 42) used it and died"
/* The record of a package's gate. Any unit that has the gate can be used to access it. */
#define GATE(msr) "root; record - 0 gate " msr " 0; repair 1; logged 0 names a unit that does not exist"
#define NO_GATE(msr) "root; record - 0 gate " msr " 0; repair 0; logged 1 names a unit that does not exist"

/* Steps: see journals.h. The message says what was done, and names the package, the unit, the counter or register. */
static const struct story stories[] = {
	{ "a counter that holds our word is restored", "westmere-2s",
	  "root; write 0 0x3c3 0x400182; record uncore 0 counter 3 0x400182; repair 1; logged 1 package; "
	  "logged 1 W package 0 counter 3" RESTORED },
	{ "a counter that holds another word is left as it is", "westmere-2s",
	  "root; write 0 0x3c3 0x4000aa; write 0 0x391 8; record uncore 0 counter 3 0x400182; repair 0; "
	  "read 0 0x3c3 0x4000aa; read 0 0x391 8; logged 1 package; "
	  "logged 1 - package 0 counter 3: selector left as it is: it holds 0x4000aa, not what uncore-read (pid 42) "
	  "wrote" },
	{ "a counter of a box is restored", "haswell-ep-2s",
	  "root; write 0 0xe13 0x400137; record cbo1 0 counter 2 0x400137; repair 1; logged 1 package; "
	  "logged 1 W package 0 cbo1 counter 2" RESTORED },
	{ "a register of a box is restored", "haswell-ep-2s",
	  "root; write 0 0xe15 0x1f; record cbo1 0 extra 0xe15 0x1f; repair 1; logged 1 package; "
	  "logged 1 W package 0 cbo1 register 0xe15" RESTORED },
	{ "a register of a box that holds another word is left as it is", "haswell-ep-2s",
	  "root; write 0 0xe15 0x1e; record cbo1 0 extra 0xe15 0x1f; repair 0; logged 1 package; "
	  "logged 1 - package 0 cbo1 register 0xe15: register left as it is: it holds 0x1e, not what uncore-read "
	  "(pid 42) wrote" },
	{ "the gate of a package is believed", "sandybridge-1s", GATE("0x391") },
	{ "another register is not believed to be a gate", "sandybridge-1s", NO_GATE("0x392") },
	{ "the gate of a box is believed", "haswell-ep-2s", GATE("0xe00") },
	{ "a gate that the processor lacks is not believed", "haswell-ep-2s", NO_GATE("0x391") },
	{ "the gate of all boxes is believed", "nehalem-ex-4s", GATE("0xc00") },
	{ "a register with a bit for each counter is not a package's gate", "westmere-2s", NO_GATE("0x391") },
};

TEST_STORIES(a_repair_reports_what_it_does, play_journal, stories)

/* Only names of exactly the form "4711-1.journal" are ours; files with all other names are foreign. */
TEST(a_journal_is_known_by_its_name)
{
	static const struct { const char *name; bool ours; } names[] = {
		{ "1-1.journal", true }, { "99999-2.journal", true }, { "4194304-12.journal", true },
		{ "01-1.journal", false }, { "1-01.journal", false }, { "1.journal", false },
		{ "x-1.journal", false }, { "1-x.journal", false }, { "1-1.journalx", false },
		{ "1-1.Journal", false }, { "-1-1.journal", false }, { "1-1", false }, { "+1-1.journal", false },
		{ "lock.old", false }, { "throttle", false },
	};
	char want[96], path[96];

	open_in_root("westmere-2s");
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		snprintf(path, sizeof(path), "run/uncoremsr/%s", names[i].name);
		write_file(root, path, "x", 1);
	}
	write_file(root, "run/uncoremsr/throttle-cleared", "x", 1);
	write_file(root, "run/uncoremsr/throttle-cleared.new", "x", 1);
	ck_assert_int_eq(uncoremsr_repair(um, NULL, NULL), 0);
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		snprintf(want, sizeof(want), "W journal %s: nothing is restored from it: %s\n", names[i].name,
			 names[i].ours ? "not a journal of this library" : "not a file of this library");
		ck_assert_msg(times(want) == 1, "%s: %s", names[i].name, logged);
	}
	ck_assert_uint_eq(times("nothing is restored from it"), ARRAY_SIZE(names));
}

TEST(a_users_own_journal_is_read_to_its_end)
{
	static struct um_record r[70];
	static char text[200000];
	size_t len = 0;

	open_in_root("westmere-2s");
	for (size_t i = 0; i < ARRAY_SIZE(r); i++) {
		r[i] = record_of("uncore", 0, UM_LEASE_COUNTER, 0);
		for (uint64_t word = 0; word < 100; word++)
			um_record_add_word(&r[i], 0x400000 + word);
		len += (size_t)um_record_format(&r[i], text + len, sizeof(text) - len);
	}
	ck_assert_uint_gt(len, 100000);
	write_file(root, "run/uncoremsr/1-1.journal", text, len);
	ck_assert_uint_eq(num_leases(um), ARRAY_SIZE(r));
}

/* If the length of a damaged record is known ("used 00412"), the next record can be read. */
TEST(an_invalid_record_does_not_hide_the_next_one)
{
	static const struct { const char *spoil; size_t listed; int back; } journals[] = {
		{ "", 2, 1 }, { "pid 42", 2, 1 }, { "sum 0x", 2, 1 }, { "used 00", 1, 0 }, { "uncoremsr", 1, 0 },
	};
	char text[4096], path[DIR_SIZE + 48];
	struct um_record r;

	for (size_t i = 0; i < ARRAY_SIZE(journals); i++) {
		size_t len;

		open_in_root("westmere-2s,start=0x1234");
		poke(0, 0x3c0, 0x420182);
		r = record_of("uncore", 0, UM_LEASE_COUNTER, 9);
		len = (size_t)um_record_format(&r, text, sizeof(text));
		if (*journals[i].spoil)
			strstr(text, journals[i].spoil)[5] ^= 0x40;
		r = record_of("uncore", 0, UM_LEASE_COUNTER, 0);
		len += (size_t)um_record_format(&r, text + len, sizeof(text) - len);
		write_file(root, "run/uncoremsr/1-1.journal", text, len);
		ck_assert_msg(num_leases(um) == journals[i].listed, "'%s'", journals[i].spoil);
		ck_assert_msg(uncoremsr_repair(um, NULL, NULL) == journals[i].back, "'%s'", journals[i].spoil);
		ck_assert_uint_eq(times("1-1.journal: nothing is restored from it"), 1);
		ck_assert_uint_eq(peek(0, 0x3c0), journals[i].back ? 0 : 0x400182); /* a selector's bit 17 reads as 0 */
		snprintf(path, sizeof(path), "%s/run/uncoremsr/1-1.journal", root);
		ck_assert_int_eq(access(path, F_OK), 0);
	}
}

/* Nothing after an incomplete record is read, and a journal with nothing left to do is removed. */
TEST(a_journal_ends_with_its_last_record)
{
	static const struct { const char *behind; bool stays; } ends[] = {
		{ "", false }, { "garbage", true }, { "uncoremsr-journal 4 used 00100\n", true },
	};
	char text[4096], path[DIR_SIZE + 48];
	struct um_record r;

	for (size_t i = 0; i < ARRAY_SIZE(ends); i++) {
		size_t len;

		open_in_root("westmere-2s,start=0x1234");
		poke(0, 0x3c0, 0x420182);
		r = record_of("uncore", 0, UM_LEASE_COUNTER, 1);
		r.mark = UM_MARK_DONE;
		len = (size_t)um_record_format(&r, text, sizeof(text));
		text[len - 2] ^= 1; /* a session died while it overwrote this record with its next record */
		r = record_of("uncore", 0, UM_LEASE_COUNTER, 0);
		len += (size_t)um_record_format(&r, text + len, sizeof(text) - len);
		strcpy(text + len, ends[i].behind);
		write_file(root, "run/uncoremsr/1-1.journal", text, len + strlen(ends[i].behind) + 64);
		ck_assert_int_eq(uncoremsr_repair(um, NULL, NULL), 1);
		ck_assert_uint_eq(times("1-1.journal: nothing is restored from it"), ends[i].stays);
		ck_assert_uint_eq(peek(0, 0x3c0), 0);
		snprintf(path, sizeof(path), "%s/run/uncoremsr/1-1.journal", root);
		ck_assert_int_eq(access(path, F_OK) == 0, ends[i].stays);
	}
}

/* A starting session reads the journal for each counter in use, but must report the damage once. uncore-doctor
 * lists each record. */
TEST(a_start_says_once_that_a_journal_is_damaged)
{
	static char text[8192];
	size_t len = 0;

	open_in_root("westmere-2s");
	for (unsigned i = 0; i < 4; i++) {
		struct um_record r = record_of("uncore", 0, UM_LEASE_COUNTER, i);
		size_t from = len;

		poke(0, 0x3c0 + i, 0x420182);
		len += (size_t)um_record_format(&r, text + len, sizeof(text) - len);
		strstr(text + from, "pid 42")[5] ^= 0x40;
	}
	poke(0, 0x391, 0xf);
	write_file(root, "run/uncoremsr/1-1.journal", text, len);
	ck_assert_int_eq(uncoremsr_session_add(s, "0x1d:0x1"), 1);
	ck_assert_int_eq(uncoremsr_session_start(s), 0);
	ck_assert_int_eq(uncoremsr_session_stop(s), 0);
	ck_assert_uint_eq(times("1-1.journal: nothing is restored from it: damaged"), 1);
	ck_assert_uint_eq(num_leases(um), 4);
}

SUITE(journals)
