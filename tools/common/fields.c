/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "common/fields.h"

/* The names of the levels above, each with its dot. The tree itself has no name. */
static void put_path(struct fields *f)
{
	for (int i = 1; i <= f->depth; i++) {
		if (f->level[i].name)
			out_str(f->out, f->level[i].name);
		else
			out_u64(f->out, f->level[i - 1].num - 1);
		out_char(f->out, '.');
	}
}

/* Separator and name of the next value. */
static void put_name(struct fields *f, const char *name)
{
	size_t num = f->level[f->depth].num++;

	if (!f->json) {
		put_path(f);
		if (name)
			out_str(f->out, name);
		else
			out_u64(f->out, num);
		out_char(f->out, ',');
		return;
	}
	if (num)
		out_char(f->out, ',');
	if (name) {
		out_json_str(f->out, name);
		out_char(f->out, ':');
	}
}

static void end_value(struct fields *f)
{
	if (!f->json)
		out_char(f->out, '\n');
}

static void open_level(struct fields *f, const char *name, bool list)
{
	if (f->json) {
		put_name(f, name);
		out_char(f->out, list ? '[' : '{');
	} else {
		f->level[f->depth].num++;
	}
	f->depth++;
	f->level[f->depth].name = name;
	f->level[f->depth].list = list;
	f->level[f->depth].num = 0;
}

void fields_begin(struct fields *f, struct out *out, bool json)
{
	*f = (struct fields){ .out = out, .json = json };
	out_str(out, json ? "{" : "field,value\n");
}

void fields_end(struct fields *f)
{
	if (f->json)
		out_str(f->out, "}\n");
}

void fields_open(struct fields *f, const char *name)
{
	open_level(f, name, false);
}

void fields_open_list(struct fields *f, const char *name)
{
	open_level(f, name, true);
}

void fields_close(struct fields *f)
{
	if (f->json)
		out_char(f->out, f->level[f->depth].list ? ']' : '}');
	f->depth--;
}

void fields_str(struct fields *f, const char *name, const char *text)
{
	put_name(f, name);
	if (f->json)
		out_json_str(f->out, text);
	else
		out_csv_str(f->out, text);
	end_value(f);
}

void fields_int(struct fields *f, const char *name, int64_t v)
{
	put_name(f, name);
	if (v >= 0)
		out_u64(f->out, (uint64_t)v);
	else if (f->json)
		out_str(f->out, "null");
	end_value(f);
}

void fields_bool(struct fields *f, const char *name, int v)
{
	put_name(f, name);
	if (v >= 0)
		out_str(f->out, v ? "true" : "false");
	else if (f->json)
		out_str(f->out, "null");
	end_value(f);
}

void fields_word(struct fields *f, const char *name, uint64_t v)
{
	put_name(f, name);
	out_str(f->out, f->json ? "\"0x" : "0x");
	out_hex(f->out, v);
	out_str(f->out, f->json ? "\"" : "");
	end_value(f);
}
