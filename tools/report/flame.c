/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Flame graph of the stacks: the width of a box is its share of the samples; callees stand above their caller. */
#include <string.h>

#include "report/stacks.h"

enum { WIDTH = 1200, LINE = 17, HEAD = 40, CHARACTER = 7, LONGEST = 4096 };
#define NARROWEST 0.2 /* narrower boxes are not drawn */

/* A click on "Search" colours all boxes whose names contain a text; a click on a box makes it as wide as possible. */
static const char script[] =
	"<script><![CDATA[\n"
	"var W=1200,boxes=[].slice.call(document.querySelectorAll('rect[data-x]'));\n"
	"function find(){var t=prompt('Name contains:','');if(t===null)return;var n=0;\n"
	" boxes.forEach(function(b){var hit=t!==''&&b.firstChild.textContent.indexOf(t)>=0;if(hit)n++;\n"
	"  b.setAttribute('stroke',hit?'#a000ff':'none');b.setAttribute('stroke-width',hit?3:0);});\n"
	" document.getElementById('found').textContent=t===''?'':n+' found';}\n"
	"function zoom(e){var b=e.target;if(!b.hasAttribute||!b.hasAttribute('data-x'))return;\n"
	" var x=+b.getAttribute('data-x'),w=+b.getAttribute('data-w');\n"
	" boxes.forEach(function(c){var l=Math.max(0,(+c.getAttribute('data-x')-x)*W/w),\n"
	"   r=Math.min(W,(+c.getAttribute('data-x')+ +c.getAttribute('data-w')-x)*W/w),t=c.nextElementSibling,\n"
	"   d=Math.max(0,r-l),n=c.getAttribute('data-n');\n"
	"  c.setAttribute('x',l);c.setAttribute('width',d);t.setAttribute('x',l+3);\n"
	"  t.textContent=d<24?'':n.length*7>d?n.slice(0,d/7-2)+'..':n;});}\n"
	"document.documentElement.addEventListener('click',zoom);\n"
	"document.getElementById('search').addEventListener('click',find);\n"
	"]]></script>\n";

/* Characters that XML cannot contain are escaped as in text output; U+FFFE and U+FFFF become "?". */
static void put_xml(struct out *o, const char *text, size_t most)
{
	char shown[OUT_SHOWN];
	size_t len = strlen(text);

	for (size_t used; len && most; text += used, len -= used, most--) {
		used = out_show(shown, text, len, "");
		switch (*shown) {
		case '&':
			out_str(o, "&amp;");
			break;
		case '<':
			out_str(o, "&lt;");
			break;
		case '>':
			out_str(o, "&gt;");
			break;
		case '"':
			out_str(o, "&quot;");
			break;
		default:
			out_str(o, !strncmp(shown, "\xef\xbf\xbe", 3) || !strncmp(shown, "\xef\xbf\xbf", 3) ? "?" : shown);
		}
	}
	if (len)
		out_str(o, "..");
}

static unsigned warm_colour(const char *name)
{
	uint32_t hash = 2166136261;

	while (*name)
		hash = (hash ^ (unsigned char)*name++) * 16777619;
	return (205 + hash % 50) << 16 | (90 + hash / 64 % 130) << 8 | (40 + hash / 8192 % 40);
}

static void put_box(const struct stacks *s, const struct stack_node *n, double width, unsigned deepest, struct out *o)
{
	double x = n->x, y = HEAD + (double)(deepest - n->depth) * LINE, all = s->root->weight;

	out_fmt(o, "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" data-x=\"%.2f\" data-w=\"%.2f\" height=\"%d\" fill=\"#%06x\" "
		"data-n=\"", x, y, width, x, width, LINE - 1, warm_colour(n->name));
	put_xml(o, n->name, 200);
	out_str(o, "\"><title>");
	put_xml(o, n->name, LONGEST);
	out_fmt(o, " (%.2f%%)</title></rect><text x=\"%.2f\" y=\"%.2f\">", all > 0 ? 100 * n->weight / all : 0, x + 3,
		y + LINE - 5);
	if (width >= 24)
		put_xml(o, n->name, (size_t)(width / CHARACTER) - 2);
	out_str(o, "</text>\n");
}

static int by_parent(const void *a, const void *b)
{
	const struct stack_node *x = *(struct stack_node *const *)a, *y = *(struct stack_node *const *)b;

	if (!x->parent || !y->parent)
		return !!x->parent - !!y->parent;
	if (x->parent != y->parent)
		return x->parent->index < y->parent->index ? -1 : 1;
	return x == y ? 0 : strcmp(x->name, y->name);
}

static void put_boxes(struct stacks *s, struct out *o, unsigned deepest)
{
	double scale = s->root->weight > 0 ? WIDTH / s->root->weight : 0;

	put_box(s, s->root, WIDTH, deepest, o);
	/* A parent has a lower index than its callees, so its position is computed before theirs. */
	set_sort(&s->nodes, by_parent);
	for (size_t i = 1; i < s->nodes.num; i++) {
		struct stack_node *n = s->nodes.items[i];
		double width = n->weight * scale;

		n->x = n->parent->x + n->parent->used;
		n->parent->used += width;
		if (width >= NARROWEST)
			put_box(s, n, width, deepest, o);
	}
}

void stacks_draw(struct stacks *s, struct out *o, const char *title)
{
	unsigned deepest = 0;
	int height;

	for (size_t i = 0; i < s->nodes.num; i++) {
		const struct stack_node *n = s->nodes.items[i];

		deepest = n->depth > deepest ? n->depth : deepest;
	}
	height = HEAD + (int)(deepest + 1) * LINE + 10;
	out_fmt(o, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" "
		"font-family=\"monospace\" font-size=\"11\">\n<style>text{pointer-events:none}"
		"#search{pointer-events:all;cursor:pointer}</style>\n"
		"<text x=\"3\" y=\"20\" font-size=\"15\">", WIDTH, height, WIDTH, height);
	put_xml(o, title, 120);
	out_fmt(o, "</text>\n<text id=\"search\" x=\"%d\" y=\"20\">Search</text>"
		"<text id=\"found\" x=\"%d\" y=\"34\"></text>\n", WIDTH - 60, WIDTH - 60);
	put_boxes(s, o, deepest);
	out_str(o, script);
	out_str(o, "</svg>\n");
}
