/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Read files of JSON event lists: their text and their entries.
 *
 * All JSON is read by the JSON library, entry by entry. Nearly all entries consist of plain strings only; those are
 * skipped until somebody asks for them.
 */
#ifndef UM_JSON_LIST_FILE_H
#define UM_JSON_LIST_FILE_H

#include <stddef.h>
#include <stdint.h>

#include "common/error.h"
#include "machine/machine.h"

struct um_json_event;  /* json_list.h */

/*
 * Call @fn for each list that DIR/mapfile.csv names for the processor; without that file, for each list called
 * VENDOR-FAMILY-MODEL[-STEPPING]-TYPE.json[.gz], as downloaders name them. Stops when @fn returns other than 0.
 * -ENOENT: none for this processor (message in @e).
 */
int um_list_files(const char *dir, const struct um_identity *id,
		  int (*fn)(void *user, const char *path, uint8_t core_type), void *user,
		  struct um_error *e) UM_MUST_CHECK;

/*
 * The core type (0x40, 0x20) that a list is for, from the mapfile.csv in a folder above it or from its name;
 * *type 0: any core type. Returns 0 or -ENOMEM.
 */
int um_list_core_type(const char *path, uint8_t *type, struct um_error *e) UM_MUST_CHECK;

/* What is wrong with a field, so that its entry is left out. */
enum um_list_fault {
	UM_LIST_FINE,
	UM_LIST_ABSENT,      /* the field is missing */
	UM_LIST_NO_NUMBER,
	UM_LIST_TOO_WIDE     /* the value has more bits than the field of the register */
};

/* An entry: the place of its text, its EventName and its Unit in the file's text; they are not NUL-terminated. */
struct um_list_entry {
	const char *json, *name, *unit;   /* name and unit are NULL if the entry has none; valid during the call */
	size_t len, name_len, unit_len;
	unsigned line;                    /* line of an entry with a fault; else 0 */
	enum um_list_fault fault;
	const char *field, *value;        /* the faulty field; value is "" if it is not a string */
	unsigned bits;                    /* width of the field in bits */
};

struct um_list_taker {
	/* Called in the order of the file. A result other than 0 ends the calls; um_list_walk() returns it. */
	int (*entry)(void *user, const struct um_list_entry *entry);
	int (*version)(void *user, const char *version);   /* version in the list's Header */
	void *user;
};

/*
 * The whole file, unpacked, with a NUL after it; the caller frees it. 0; -ENOENT or another errno of open(2);
 * -EINVAL damaged, or far too large; -ENOMEM.
 */
int um_list_read(const char *path, char **text, size_t *len, struct um_error *e) UM_MUST_CHECK;
/*
 * Call @taker for every entry of a text of um_list_read(). 0; -EINVAL not JSON, or neither an array nor an object
 * (the line is named); -ENOMEM; or what @taker returned.
 */
int um_list_walk(const char *path, const char *text, size_t len, const struct um_list_taker *taker,
		 struct um_error *e) UM_MUST_CHECK;
/*
 * Copy an entry without the fields that um_list_event() does not read, which are most of it; @out has room for @len
 * bytes. Returns the length. An entry of other values than plain strings is copied whole.
 */
size_t um_list_needed(const char *text, size_t len, char *out);
/*
 * Parse one entry; the caller frees it in one piece. @name is kept, not copied. NULL: no memory, or not a JSON
 * object.
 */
struct um_json_event *um_list_event(const char *text, size_t len, const char *name,
				    uint8_t core_type);

/* The functions above, as a table that libuncoremsr.so can load. */
struct um_list_reader {
	int (*files)(const char *dir, const struct um_identity *id,
		     int (*fn)(void *user, const char *path, uint8_t core_type), void *user, struct um_error *e);
	int (*core_type)(const char *path, uint8_t *type, struct um_error *e);
	int (*read)(const char *path, char **text, size_t *len, struct um_error *e);
	int (*walk)(const char *path, const char *text, size_t len, const struct um_list_taker *taker,
		    struct um_error *e);
	struct um_json_event *(*event)(const char *text, size_t len, const char *name, uint8_t core_type);
};

extern const struct um_list_reader um_list_reader __attribute__((visibility("default")));

/*
 * Find these functions in order to read @path: libuncoremsr.so loads them (list_reader_load.c), libuncoremsr.a has them
 * (json_list_files.c), and a build without JSON refuses (json_disabled.c). 0; -ENOTSUP; -ENOMEM.
 */
int um_list_reader_find(const struct um_list_reader **found, const char *path, struct um_error *e) UM_MUST_CHECK;

#endif
