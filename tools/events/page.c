/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "events/page.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

void page_begin(struct page *p, struct events *e, const char *what, const char *name)
{
	p->o = &e->out;
	p->text = e->common.writer->for_people;
	if (p->text) {
		if (what)
			out_fmt(p->o, "%s: %s\n", name, what);
		return;
	}
	records_init(&p->f, &e->common, p->o, NULL);
	record_begin(&p->f);
	if (!what)
		return;
	record_str(&p->f, "what", what);
	record_str(&p->f, "name", name);
}

void page_end(struct page *p)
{
	if (p->text)
		return;
	record_end(&p->f);
	records_free(&p->f);
}

void page_str(struct page *p, const char *name, const char *label, const char *text)
{
	if (!p->text && name)
		record_str(&p->f, name, text);
	else if (p->text && label && text && *text)
		out_fmt(p->o, "  %-12s%s\n", label, text);
}

void page_fmt(struct page *p, const char *name, const char *label, const char *fmt, ...)
{
	char text[512];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	page_str(p, name, label, text);
}

void page_word(struct page *p, const char *name, const char *label, uint64_t v)
{
	if (p->text)
		out_fmt(p->o, "  %-12s0x%llx\n", label, (unsigned long long)v);
	else
		record_word(&p->f, name, v);
}

void page_list(struct page *p, const char *name, const char *label)
{
	p->label = label;
	if (!p->text)
		record_open_list(&p->f, name);
}

void page_item(struct page *p, const char *fmt, ...)
{
	char text[512];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	if (p->text)
		out_fmt(p->o, "  %-12s%s\n", p->label, text);
	else
		record_str(&p->f, NULL, text);
	p->label = "";
}

void page_list_end(struct page *p)
{
	if (!p->text)
		record_close(&p->f);
}

void page_fields(struct page *p, const struct uncoremsr_register *reg, const uint64_t *word)
{
	const struct uncoremsr_field *f;

	page_list(p, "fields", "");
	for (size_t i = 0; (f = reg->fields[i]); i++) {
		uint64_t value = word ? (*word & f->mask) >> f->shift : 0;
		char bits[16];

		events_bits(bits, sizeof(bits), f->shift, f->width);
		if (p->text) {
			out_fmt(p->o, word ? "  %s" : "  %-12s", i || word ? "" : "bits");
			out_fmt(p->o, "%-6s %-13s ", bits, f->name);
			if (word)
				out_fmt(p->o, f->width == 1 ? "%-6llu " : "0x%-4llx ", (unsigned long long)value);
			out_fmt(p->o, "%s\n", f->description);
			continue;
		}
		record_open(&p->f, NULL);
		record_str(&p->f, "name", f->name);
		record_str(&p->f, "bits", bits);
		if (word)
			record_word(&p->f, "value", value);
		record_str(&p->f, "description", f->description);
		record_close(&p->f);
	}
	page_list_end(p);
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
