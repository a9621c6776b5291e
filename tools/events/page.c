/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "events/page.h"

void page_begin(struct page *p, struct events *e, const char *what, const char *name)
{
	p->o = &e->out;
	p->text = e->common.format == TOOL_TEXT;
	if (p->text) {
		out_fmt(p->o, "%s: %s\n", name, what);
		return;
	}
	fields_begin(&p->f, p->o, e->common.format == TOOL_JSON);
	fields_str(&p->f, "what", what);
	fields_str(&p->f, "name", name);
}

void page_end(struct page *p)
{
	if (!p->text)
		fields_end(&p->f);
}

void page_str(struct page *p, const char *name, const char *label, const char *text)
{
	if (!p->text)
		fields_str(&p->f, name, text);
	else if (text && *text)
		out_fmt(p->o, "  %-12s%s\n", label, text);
}

void page_word(struct page *p, const char *name, const char *label, uint64_t v)
{
	if (p->text)
		out_fmt(p->o, "  %-12s0x%llx\n", label, (unsigned long long)v);
	else
		fields_word(&p->f, name, v);
}
