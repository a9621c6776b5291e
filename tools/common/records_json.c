/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* JSON: one object per line. Counts and words are strings, unknown is null. */
#include "common/records.h"

static void begin(struct records *w)
{
	out_char(w->out, '{');
}

static void end(struct records *w)
{
	out_mem(w->out, "}\n", 2);
}

static void label(struct records *w, const char *name)
{
	if (w->level[w->depth].num++)
		out_char(w->out, ',');
	if (!name)
		return;
	out_json_str(w->out, name);
	out_char(w->out, ':');
}

static void put_text(struct records *w, const char *text)
{
	out_json_str(w->out, text);
}

static void open(struct records *w, const char *name, bool list)
{
	label(w, name);
	out_char(w->out, list ? '[' : '{');
}

static void close(struct records *w)
{
	out_char(w->out, w->level[w->depth].list ? ']' : '}');
}

const struct record_format record_json = {
	.name = "json", .nests = true, .begin = begin, .end = end, .label = label,
	.text = put_text, .unknown = "null", .none = "null",
	.quoted = 1 << RECORD_COUNT | 1 << RECORD_WORD | 1 << RECORD_TIME, .open = open, .close = close,
};
