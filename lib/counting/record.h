/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The record of one counter: who holds it, what its registers held before, and every word that the
 * holder may write to its selector. It stands in the lease file while the counter is programmed and
 * survives the holder's death. Plain text, so that a person can read it; a checksum in the last line
 * tells whether it is whole.
 */
#ifndef UM_RECORD_H
#define UM_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "error.h"
#include "uarch/uarch.h"

enum { UM_RECORD_WORDS = 512, UM_RECORD_TEXT = 16384 };

struct um_record {
	char boot[40], uarch[32];
	int package, die;              /* die -1: per package */
	unsigned counter;              /* general ones from 0, then the fixed ones */
	long pid;
	int64_t since;                 /* Unix seconds */
	char command[32], event[72];
	uint64_t old_selector, old_counter;
	bool old_enabled;              /* its bit of the global control register */
	uint64_t words[UM_RECORD_WORDS];
	unsigned num_words;
};

/* Into @buf; returns the length, or -ENOSPC. */
int um_record_format(const struct um_record *r, char *buf, size_t size);
/* -EINVAL with the reason in @why: torn, another version, or no record at all. */
int um_record_parse(struct um_record *r, const char *text, size_t len, char *why, size_t size);
/*
 * Could a session of ours have written it, on this machine since it was started? Register values are
 * held against the tables. -EINVAL with the reason in @why.
 */
int um_record_check(const struct um_record *r, const struct um_uarch *u, const char *boot, char *why,
		    size_t size);
/* Is @selector one of the words, bits that do not read back aside? */
bool um_record_has_word(const struct um_record *r, uint64_t selector, uint64_t compare);

#endif
