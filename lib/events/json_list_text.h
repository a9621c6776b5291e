/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The text of a list file, and its entries one after the other. All JSON is the JSON library's to
 * read, entry by entry; only entries that are nothing but plain strings, as nearly all of them are,
 * are stepped over until they are asked for.
 */
#ifndef UM_PERF_LIST_TEXT_H
#define UM_PERF_LIST_TEXT_H

#include <stddef.h>

#include "common/error.h"

/* An entry: where it stands in the text, and its EventName. The name is no string of its own. */
struct um_list_entry {
	const char *json, *name;   /* name NULL: it has none; valid during the call */
	size_t len, name_len;
};

struct um_list_taker {
	/* In the order of the file. Other than 0 ends the walk, which returns it. */
	int (*entry)(void *user, const struct um_list_entry *entry);
	int (*version)(void *user, const char *version);   /* of the Header */
	void *user;
};

/*
 * The whole file, unpacked, with a NUL behind it, to be freed. 0; -ENOENT or another errno of
 * open(2);
 * -EINVAL damaged, or far too large; -ENOMEM.
 */
int um_list_read(const char *path, char **text, size_t *len, struct um_error *e) UM_MUST_CHECK;
/*
 * Show every entry of a text that um_list_read() gave. 0; -EINVAL no JSON, or neither an array nor
 * an object (the line is named); -ENOMEM; or what the taker returned.
 */
int um_list_walk(const char *path, const char *text, size_t len, const struct um_list_taker *taker,
		 struct um_error *e) UM_MUST_CHECK;

#endif
