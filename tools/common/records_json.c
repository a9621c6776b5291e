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

static void put_value(struct records *w, enum record_type type, enum record_state state,
		      const struct record_value *v)
{
	struct out *o = w->out;

	if (state != RECORD_KNOWN) {
		out_mem(o, "null", 4);
	} else if (type == RECORD_STR) {
		out_json_str(o, v->text);
	} else if (type == RECORD_COUNT || type == RECORD_WORD || type == RECORD_TIME) {
		out_char(o, '"');
		record_plain(o, type, v);
		out_char(o, '"');
	} else {
		record_plain(o, type, v);
	}
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
	.value = put_value, .open = open, .close = close,
};
