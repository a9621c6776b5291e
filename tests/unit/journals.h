/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The lease directory of a machine, and journals that tests write into it.
 *
 * Uses internal headers, because journals are written by the library's own function.
 */
#ifndef JOURNALS_H
#define JOURNALS_H

#include <stdio.h>
#include <string.h>

#include "counting/lease.h"
#include "access/access.h"
#include "machine.h"
#include "steps.h"
#include "uncoremsr/leases.h"

/* Open a machine with a lease directory that other processes can see. */
static inline void open_in_root(const char *what)
{
	close_in_root();
	make_root();
	open_machine(what);
	use_root();
}

static inline struct um_record record_of(const char *unit, int package, enum um_lease_kind kind, unsigned number)
{
	struct um_record r = {
		.boot = "-", .pid = 42, .since = 1600000000, .command = "uncore-read",
		.event = "0x1d:0x1", .words = { 0x420182 }, .num_words = 1,
		.id = { .package = package, .die = -1, .kind = kind, .number = number },
	};

	snprintf(r.uarch, sizeof(r.uarch), "%s", um ? uarch_of(um)->name : "westmere");
	snprintf(r.id.unit, sizeof(r.id.unit), "%s", unit);
	return r;
}

static inline void write_journal(const char *name, const struct um_record *records, size_t num)
{
	static char text[3000000];
	char path[96];
	size_t len = 0;

	for (size_t i = 0; i < num; i++) {
		int n = um_record_format(&records[i], text + len, sizeof(text) - len);

		ck_assert_int_gt(n, 0);
		len += (size_t)n;
	}
	snprintf(path, sizeof(path), "run/uncoremsr/%s", name);
	write_file(root, path, text, len);
}

/*
 * A step in addition to those of a session; the teardown must be close_in_root():
 *
 *   record UNIT PACKAGE counter|extra|gate NUMBER WORD [OLD]     add a record to the journal of a killed session:
 *                                    it wrote WORD, and the counter had the value OLD; UNIT may be "-": no unit
 */
static struct um_record left[2];
static size_t num_left;

static inline void step_record(const struct step *st)
{
	static const char *const words[] = { "counter", "extra", "gate", NULL };
	static const enum um_lease_kind kinds[] = { UM_LEASE_COUNTER, UM_LEASE_EXTRA, UM_LEASE_GATE };
	const struct uncoremsr_package *p = uncoremsr_package(um, step_number(st, 1));
	struct um_record *r = &left[num_left++];

	ck_assert_uint_le(num_left, ARRAY_SIZE(left));
	*r = record_of(strcmp(st->word[0], "-") ? st->word[0] : "", p->id, kinds[step_choice(st, 2, words)],
		       (unsigned)step_number(st, 3));
	r->id.die = p->die;
	r->words[0] = step_number(st, 4);
	r->old.counter = st->num > 5 ? step_number(st, 5) : 0;
	write_journal("1-1.journal", left, num_left);
}

static const struct step_kind journal_kinds[] = { { "record", 5, 6, step_record }, { .name = NULL } };
static const struct vocabulary journal_steps = { .kinds = journal_kinds, .base = &session_steps };

static inline void play_journal(const struct story *story)
{
	num_left = 0;
	play_story(&journal_steps, story);
}

#endif
