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
		out_fmt(p->o, "%s: %s\n", name, what);
		return;
	}
	records_init(&p->f, &e->common, p->o, NULL);
	record_begin(&p->f);
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
	if (!p->text)
		record_str(&p->f, name, text);
	else if (text && *text)
		out_fmt(p->o, "  %-12s%s\n", label, text);
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
