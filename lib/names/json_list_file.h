/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Read files of JSON event lists. Nearly all entries consist of plain strings, which need no parser; other entries are
 * read by the JSON library.
 */
#ifndef UM_JSON_LIST_FILE_H
#define UM_JSON_LIST_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "common/error.h"

struct um_json_event;  /* json_list.h */
struct um_json_file;

/* The fields of an entry that are read, in the order of fields[] of json_list_text.c. */
enum um_list_field {
	UM_LIST_BOX, UM_LIST_UMASK, UM_LIST_FCMASK, UM_LIST_EXT_SEL, UM_LIST_INVERT, UM_LIST_FILTER, UM_LIST_PER_PKG,
	UM_LIST_COUNTER, UM_LIST_UMASK_EXT, UM_LIST_PORT_MASK, UM_LIST_MSR_INDEX, UM_LIST_MSR_VALUE, UM_LIST_NAME,
	UM_LIST_CODE, UM_LIST_ANY_THREAD, UM_LIST_EDGE, UM_LIST_DEPRECATED, UM_LIST_COUNTER_MASK, UM_LIST_COUNTER_TYPE,
	UM_LIST_FILTER_VALUE, UM_LIST_DESCRIPTION, UM_LIST_FIELDS
};

enum { UM_LIST_NUMBER = 24 };

/* A text that is not terminated by NUL. */
struct um_list_slice {
	const char *at;
	size_t len;
};

struct um_list_texts {
	struct um_list_slice of[UM_LIST_FIELDS];   /* of[i].at NULL: no such field */
	char bare[UM_LIST_FIELDS][UM_LIST_NUMBER]; /* buffers for fields that are numbers without quotes */
};

struct um_list_entry {
	struct um_list_slice json, name, unit;     /* valid only during the callback */
	const char *why;                           /* why the entry is left out, with file and line; or NULL */
};

/* json_list_entry.c: translate the fields of an entry. False: out of memory. */
bool um_list_convert(const struct um_list_texts *texts, struct um_json_event *ev);

/* The functions that need libjansson and zlib. Their table is in a library that is loaded on demand (lib/metrics). */
struct um_list_reader {
	/*
	 * Read and unpack a file: set @text and @len to its whole text, which ends in NUL. 0; -ENOENT or another errno
	 * of open(2); -EINVAL: damaged, or far too large; -ENOMEM.
	 */
	int (*read)(struct um_json_file *file, struct um_error *e);
	/*
	 * Call @fn for every entry in the text of a file, in its order, until @fn returns other than 0. Sets @version
	 * to that in the Header. 0; -EINVAL, with the line: not JSON, or neither an array nor an object; -ENOMEM; or
	 * what @fn returned.
	 */
	int (*walk)(struct um_json_file *file, int (*fn)(void *user, const struct um_list_entry *entry), void *user,
		    struct um_error *e);
	/* Read the entry of an event. The caller frees ev->storage. False: out of memory. */
	bool (*event)(struct um_json_event *ev);
	/* Parse the metrics in the text of a file, and set @published. 0; -EINVAL: the text has no metrics; -ENOMEM. */
	int (*metrics)(struct um_json_file *file, struct um_error *e);
};

/* json_list_text.c: the members read, walk and event of struct um_list_reader. */
int um_list_read(struct um_json_file *file, struct um_error *e);
int um_list_walk(struct um_json_file *file, int (*fn)(void *user, const struct um_list_entry *entry), void *user,
		 struct um_error *e);
bool um_list_event(struct um_json_event *ev);

#endif
