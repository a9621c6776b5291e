/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A lease directory of a machine, and journals that tests write into it.
 *
 * Uses internal headers, because it uses the function that writes real journals.
 */
#ifndef JOURNALS_H
#define JOURNALS_H

#include <stdio.h>

#include "counting/lease.h"
#include "access/access.h"
#include "machine.h"
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

#endif
