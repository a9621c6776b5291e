/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A tree of named values, written as one JSON object on one line or as CSV lines "field,value" with
 * the names joined by dots (packages.0.cpu).
 */
#ifndef TOOL_FIELDS_H
#define TOOL_FIELDS_H

#include "common/output.h"

#define FIELDS_DEPTH 8

struct fields {
	struct out *out;
	bool json;
	int depth;
	struct {
		const char *name; /* NULL: an element of a list */
		bool list;
		size_t num;       /* how many values it holds so far */
	} level[FIELDS_DEPTH];
};

/* The whole tree; fields_end() closes it. */
void fields_begin(struct fields *f, struct out *out, bool json);
void fields_end(struct fields *f);
/* An object or a list within; @name NULL inside a list. */
void fields_open(struct fields *f, const char *name);
void fields_open_list(struct fields *f, const char *name);
void fields_close(struct fields *f);

/* NULL text, a negative number or truth value: unknown (null, or an empty CSV field). */
void fields_str(struct fields *f, const char *name, const char *text);
void fields_int(struct fields *f, const char *name, int64_t v);
void fields_bool(struct fields *f, const char *name, int v);
void fields_word(struct fields *f, const char *name, uint64_t v); /* "0x..." */

#endif
