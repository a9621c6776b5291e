/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The record of one counter: who holds it, what its registers held before, and every word that the
 * holder may write to its selector. It stands in the lease file while the counter is programmed and
 * survives the holder's death. Plain text, so that a person can read it; a checksum in the last
 * line tells whether it is whole.
 *
 * Registers that several counters share have records of their own: an extra register of a unit (a
 * filter), and a gate that was closed before one of our sessions opened it.
 */
#ifndef UM_RECORD_H
#define UM_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "counting/box.h"

enum { UM_RECORD_WORDS = 512, UM_RECORD_TEXT = 16384 };

enum um_lease_kind { UM_LEASE_COUNTER, UM_LEASE_EXTRA, UM_LEASE_GATE };

/* What a lease is about. */
struct um_lease_id {
	int package, die;              /* die -1: per package */
	char unit[UM_UNIT_NAME];       /* "cbo3"; "": a gate of the whole package */
	enum um_lease_kind kind;
	/* general counters from 0, then the fixed ones; else the address of the register */
	unsigned number;
};

struct um_record {
	char boot[40], uarch[32];
	struct um_lease_id id;
	long pid;
	int64_t since;                 /* Unix seconds */
	char command[32], event[72];
	uint64_t old_selector;         /* or what the extra register or gate held */
	uint64_t old_counter;          /* counters only, as the next */
	bool old_enabled;              /* its bit of the gate */
	uint64_t words[UM_RECORD_WORDS];
	unsigned num_words;
};

/* Into @buf; returns the length, or -ENOSPC. */
int um_record_format(const struct um_record *r, char *buf, size_t size);
/* -EINVAL with the reason in @why: torn, another version, or no record at all. */
int um_record_parse(struct um_record *r, const char *text, size_t len, char *why, size_t size);
/* Was it written on this machine since it was started? -EINVAL with the reason in @why. */
int um_record_check(const struct um_record *r, const struct uncoremsr *um, const char *boot,
		    char *why, size_t size);
/*
 * Could a session of ours have written it? Register values are held against the tables. @box: the
 * unit it names, or one that is behind the gate it names. -EINVAL with the reason in @why.
 */
int um_record_check_registers(const struct um_record *r, const struct uncoremsr *um,
			      const struct um_box *box, char *why, size_t size);
/* The name of this processor in records. */
const char *um_record_uarch(const struct uncoremsr *um);
/* Is @selector one of the words, in the bits @compare? */
bool um_record_has_word(const struct um_record *r, uint64_t selector, uint64_t compare);
/* Is the register that the record of an extra names one of the unit's? */
bool um_record_extra(const struct um_lease_id *id, const struct um_box *box);
/* The gate of the unit that the record of a gate names; NULL: it has none there. */
const struct um_gate *um_record_gate(const struct um_lease_id *id, const struct um_box *box);

#endif
