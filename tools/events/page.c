/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "events/events.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

void page_begin(struct events *e, const char *what, const char *name)
{
	if (records_for_people(&e->w)) {
		if (what)
			out_fmt(&e->out, "%s: %s\n", name, what);
		return;
	}
	record_begin(&e->w);
	if (!what)
		return;
	record_str(&e->w, "what", what);
	record_str(&e->w, "name", name);
}

void page_end(struct events *e)
{
	if (!records_for_people(&e->w))
		record_end(&e->w);
}

void page_str(struct events *e, const char *name, const char *label, const char *text)
{
	if (!records_for_people(&e->w) && name)
		record_str(&e->w, name, text);
	else if (records_for_people(&e->w) && label && text && *text)
		out_fmt(&e->out, "  %-12s%s\n", label, text);
}

void page_fmt(struct events *e, const char *name, const char *label, const char *fmt, ...)
{
	char text[512];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	page_str(e, name, label, text);
}

void page_word(struct events *e, const char *name, const char *label, uint64_t v)
{
	if (records_for_people(&e->w))
		out_fmt(&e->out, "  %-12s0x%llx\n", label, (unsigned long long)v);
	else
		record_word(&e->w, name, v);
}

void page_list(struct events *e, const char *name, const char *label)
{
	e->label = label;
	if (!records_for_people(&e->w))
		record_open_list(&e->w, name);
}

void page_item(struct events *e, const char *fmt, ...)
{
	char text[512];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	if (records_for_people(&e->w))
		out_fmt(&e->out, "  %-12s%s\n", e->label, text);
	else
		record_str(&e->w, NULL, text);
	e->label = "";
}

void page_list_end(struct events *e)
{
	if (!records_for_people(&e->w))
		record_close(&e->w);
}

void page_fields(struct events *e, const struct uncoremsr_register *reg, const uint64_t *word)
{
	const struct uncoremsr_field *f;

	page_list(e, "fields", "");
	for (size_t i = 0; (f = reg->fields[i]); i++) {
		uint64_t value = word ? (*word & f->mask) >> f->shift : 0;
		char bits[16];

		events_bits(bits, sizeof(bits), f->shift, f->width);
		if (records_for_people(&e->w)) {
			out_fmt(&e->out, word ? "  %s" : "  %-12s", i || word ? "" : "bits");
			out_fmt(&e->out, "%-6s %-13s ", bits, f->name);
			if (word)
				out_fmt(&e->out, f->width == 1 ? "%-6llu " : "0x%-4llx ", (unsigned long long)value);
			out_fmt(&e->out, "%s\n", f->description);
			continue;
		}
		record_open(&e->w, NULL);
		record_str(&e->w, "name", f->name);
		record_str(&e->w, "bits", bits);
		if (word)
			record_word(&e->w, "value", value);
		record_str(&e->w, "description", f->description);
		record_close(&e->w);
	}
	page_list_end(e);
}

const struct explanation *explanation(const char *reg, const char *word)
{
	for (const struct explanation *x = explanations; x->word; x++) {
		if (!reg && !x->reg && strcasecmp(x->word, word) == 0)
			return x;
		if (reg && x->reg && strncmp(reg, x->reg, strlen(x->reg)) == 0 && strcmp(x->word, word) == 0)
			return x;
	}
	return NULL;
}
