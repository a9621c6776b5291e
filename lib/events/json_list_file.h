/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Files of JSON event lists, their text and their entries: what json_disabled.c stands in for in a
 * library without JSON.
 *
 * All JSON is the JSON library's to read, entry by entry; only entries that are nothing but plain
 * strings, as nearly all of them are, are stepped over until they are asked for.
 */
#ifndef UM_JSON_LIST_FILE_H
#define UM_JSON_LIST_FILE_H

#include <stddef.h>
#include <stdint.h>

#include "common/error.h"
#include "machine/machine.h"

struct um_json_event;  /* json_list.h */

/*
 * Those that DIR/mapfile.csv names for the processor; without such a file those that are called
 * VENDOR-FAMILY-MODEL[-STEPPING]-TYPE.json[.gz], as downloaders of the lists call them. @fn stops
 * when it returns other than 0. -ENOENT: none for this processor (sentence in @e).
 */
int um_list_files(const char *dir, const struct um_identity *id,
		  int (*fn)(void *user, const char *path, uint8_t core_type), void *user,
		  struct um_error *e) UM_MUST_CHECK;

/*
 * The kind of core (0x40, 0x20) that a list is for, by the mapfile.csv above it or its name; 0: any.
 * 0; -ENOMEM.
 */
int um_list_core_type(const char *path, uint8_t *type, struct um_error *e) UM_MUST_CHECK;

/* What is wrong with a field of an entry, so that the entry is of no use. */
enum um_list_fault {
	UM_LIST_FINE,
	UM_LIST_ABSENT,      /* an event without it */
	UM_LIST_NO_NUMBER,
	UM_LIST_TOO_WIDE     /* it has more bits than the field of the register */
};

/* An entry: where it stands in the text, its EventName and its Unit, which are no strings of their own. */
struct um_list_entry {
	const char *json, *name, *unit;   /* name, unit NULL: it has none; valid during the call */
	size_t len, name_len, unit_len;
	unsigned line;                    /* of an entry with a fault; else 0 */
	enum um_list_fault fault;
	const char *field, *value;        /* with the fault; value "" if it is no text */
	unsigned bits;                    /* of the field */
};

struct um_list_taker {
	/* In the order of the file. Other than 0 ends the walk, which returns it. */
	int (*entry)(void *user, const struct um_list_entry *entry);
	int (*version)(void *user, const char *version);   /* of the Header */
	void *user;
};

/*
 * The whole file, unpacked, with a NUL behind it, to be freed. 0; -ENOENT or another errno of
 * open(2); -EINVAL damaged, or far too large; -ENOTSUP built without JSON; -ENOMEM.
 */
int um_list_read(const char *path, char **text, size_t *len, struct um_error *e) UM_MUST_CHECK;
/*
 * Show every entry of a text that um_list_read() gave. 0; -EINVAL no JSON, or neither an array nor
 * an object (the line is named); -ENOMEM; or what the taker returned.
 */
int um_list_walk(const char *path, const char *text, size_t len, const struct um_list_taker *taker,
		 struct um_error *e) UM_MUST_CHECK;
/* To be freed, in one piece; @name is kept, not copied. NULL: no memory, or no JSON object. */
struct um_json_event *um_list_event(const char *text, size_t len, const char *name,
				    uint8_t core_type);

#endif
