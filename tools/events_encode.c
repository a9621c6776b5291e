/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* uncore-events encode: the word of an event, and how to count it by hand or with other tools. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "events.h"

enum { LINE = 192, MAX_STEPS = 16 };

/* How to count by hand. The commands are for bash. */
struct step {
	const char *why;
	char command[LINE];
};

struct recipe {
	struct step steps[MAX_STEPS];
	size_t num;
};

static void add(struct recipe *r, const char *why, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
static void add(struct recipe *r, const char *why, const char *fmt, ...)
{
	va_list ap;

	if (r->num == MAX_STEPS)
		return;
	r->steps[r->num].why = why;
	va_start(ap, fmt);
	vsnprintf(r->steps[r->num++].command, LINE, fmt, ap);
	va_end(ap);
}

/* Registers and bit that counter 0, or the fixed counter, is made of. */
struct counter {
	uint32_t selector, value, global;
	uint64_t enable;
};

static uint32_t address(const struct events *e, const char *name)
{
	return uncoremsr_register_msr(events_register(e, name));
}

static uint64_t global_bit(const struct events *e, const char *field)
{
	const struct uncoremsr_register *reg = events_register(e, "UNCORE_PERF_GLOBAL_CTRL");
	const char *name, *desc;
	unsigned shift, width;

	for (size_t i = 0; (name = uncoremsr_register_field(reg, i, &shift, &width, &desc)); i++)
		if (strcmp(name, field) == 0)
			return UINT64_C(1) << shift;
	return 0;
}

static struct counter choose_counter(const struct events *e, bool fixed)
{
	return (struct counter){
		.selector = address(e, fixed ? "UNCORE_FIXED_CTR_CTRL" : "UNCORE_PERFEVTSEL0"),
		.value = address(e, fixed ? "UNCORE_FIXED_CTR0" : "UNCORE_PMC0"),
		.global = address(e, "UNCORE_PERF_GLOBAL_CTRL"),
		.enable = global_bit(e, fixed ? "EN_FC0" : "EN_PC0"),
	};
}

/* The one CPU that stands for the package: of this machine where it is one of those, else 0. */
static int cpu_of(const struct events *e)
{
	const struct uncoremsr_package *p = uncoremsr_package(e->um, 0);

	return p ? uncoremsr_package_cpu(p) : 0;
}

/* $((...)) gives decimal, negative with bit 63; wrmsr would take the sign for an option. */
static void add_global(struct recipe *r, int cpu, const struct counter *c, bool on, const char *why)
{
	add(r, why, "wrmsr -p %d 0x%x $(printf 0x%%x $((0x$(rdmsr -p %d 0x%x) %s0x%llx)))", cpu,
	    c->global, cpu, c->global, on ? "| " : "& ~", (unsigned long long)c->enable);
}

static void make_recipe(const struct events *e, const struct events_row *row, struct recipe *r)
{
	bool fixed = uncoremsr_encoding_fixed(row->encoding);
	struct counter c = choose_counter(e, fixed);
	uint64_t value = 0;
	uint32_t extra = row->event ? uncoremsr_event_extra(row->event, &value) : 0;
	int cpu = cpu_of(e);

	add(r, fixed ? "is it free? bit 0 (EN) has to be 0" : "is it free? bit 22 (EN) has to be 0",
	    "rdmsr -p %d 0x%x", cpu, c.selector);
	add(r, fixed ? "and bit 32 here" : "and bit 0 here", "rdmsr -p %d 0x%x", cpu, c.global);
	if (extra && value)
		add(r, "what the event needs besides; all counters share it",
		    "wrmsr -p %d 0x%x 0x%llx", cpu, extra, (unsigned long long)value);
	add(r, "off, while it is set up", "wrmsr -p %d 0x%x 0x0", cpu, c.selector);
	add(r, fixed ? "zero the counter" : "zero the counter (bit 17 does not)",
	    "wrmsr -p %d 0x%x 0x0", cpu, c.value);
	add(r, "what to count", "wrmsr -p %d 0x%x 0x%llx", cpu, c.selector,
	    (unsigned long long)uncoremsr_encoding_word(row->encoding));
	add_global(r, cpu, &c, true, "on: read, set the one bit, write, so that others' bits stay");
	add(r, "the count, at any time, in hexadecimal", "rdmsr -p %d 0x%x", cpu, c.value);
	add_global(r, cpu, &c, false, "off again: clear the one bit, keep the others");
	add(r, "and leave the selector empty", "wrmsr -p %d 0x%x 0x0", cpu, c.selector);
}

/* ---- other tools ---- */

static void spell_perf(const struct events *e, const struct events_row *row, char *buf, size_t size)
{
	uint64_t word = events_row_word(row), cmask = events_field(e, "CMASK", word);
	char threshold[24] = "";

	if (uncoremsr_encoding_fixed(row->encoding)) {
		snprintf(buf, size, "uncore/clockticks/");
		return;
	}
	if (cmask)
		snprintf(threshold, sizeof(threshold), ",cmask=%u", (unsigned)cmask);
	snprintf(buf, size, "uncore/event=0x%x,umask=0x%x%s%s%s/",
		 (unsigned)events_field(e, "EVENT", word), (unsigned)events_field(e, "UMASK", word),
		 events_field(e, "EDGE", word) ? ",edge" : "",
		 events_field(e, "INV", word) ? ",inv" : "", threshold);
}

/* Does @who give the event other codes? Then its name there counts something else. */
static bool disputes(const struct uncoremsr_event *ev, const char *who)
{
	unsigned event, umask;
	const char *source;

	for (size_t i = 0; (source = uncoremsr_event_dispute(ev, i, &event, &umask)); i++)
		if (strcmp(source, who) == 0)
			return true;
	return false;
}

/* likwid: NAME:COUNTER:OPTION...; "" where it has no such event. */
static void spell_likwid(const struct events *e, const struct events_row *row, char *buf,
			 size_t size)
{
	uint64_t word = events_row_word(row), cmask = events_field(e, "CMASK", word);
	char name[96], threshold[24] = "";
	bool fixed = uncoremsr_encoding_fixed(row->encoding);

	*buf = '\0';
	if (!row->event || disputes(row->event, "likwid") ||
	    uncoremsr_event_spelling(row->event, "likwid", name, sizeof(name)) < 0)
		return;
	if (cmask && !fixed)
		snprintf(threshold, sizeof(threshold), ":THRESHOLD=0x%x", (unsigned)cmask);
	snprintf(buf, size, "%s:%s%s%s%s", name, fixed ? "UPMCFIX" : "UPMC0",
		 !fixed && events_field(e, "EDGE", word) ? ":EDGEDETECT" : "",
		 !fixed && events_field(e, "INV", word) ? ":INVERT" : "", threshold);
}

/* libpfm4: where it leaves out the unit mask, the number says it. */
static void spell_libpfm4(const struct events *e, const struct events_row *row, char *buf,
			  size_t size)
{
	uint64_t word = events_row_word(row), cmask = events_field(e, "CMASK", word);
	char name[96], umask[16] = "", threshold[24] = "";
	bool fixed = uncoremsr_encoding_fixed(row->encoding);

	*buf = '\0';
	if (!row->event || uncoremsr_event_spelling(row->event, "libpfm4", name, sizeof(name)) < 0)
		return;
	if (disputes(row->event, "libpfm4"))
		snprintf(umask, sizeof(umask), ":0x%x", (unsigned)events_field(e, "UMASK", word));
	if (cmask && !fixed)
		snprintf(threshold, sizeof(threshold), ":c=%u", (unsigned)cmask);
	snprintf(buf, size, "%s::%s%s%s%s%s", strcmp(e->uarch, "nehalem") ? "wsm_unc" : "nhm_unc",
		 name, umask, !fixed && events_field(e, "EDGE", word) ? ":e" : "",
		 !fixed && events_field(e, "INV", word) ? ":i" : "", threshold);
}

/* pcm-raw has no type for this uncore; it can watch the counter that was set up by hand. */
static void spell_pcm(const struct events *e, const struct events_row *row, char *buf, size_t size)
{
	struct counter c = choose_counter(e, uncoremsr_encoding_fixed(row->encoding));
	char name[80];
	size_t len = (size_t)snprintf(name, sizeof(name), "%s", events_row_name(row));

	/* Signs of the modifiers, which mean something else there. */
	for (size_t i = 0; i < len && i < sizeof(name); i++)
		if (strchr(":=", name[i]))
			name[i] = '.';
	snprintf(buf, size, "package_msr/config=0x%x,config1=1,name=%s", c.value, name);
}

#define OR_NULL(text) (*(text) ? (text) : NULL)

#define SPELLED_COLUMN(put_fn, spell_fn) \
	static void put_fn(struct out *o, const struct events_row *row, bool json) \
	{ \
		char text[LINE]; \
		spell_fn(row->e, row, text, sizeof(text)); \
		events_put_text(o, OR_NULL(text), json); \
	}

SPELLED_COLUMN(put_perf, spell_perf)
SPELLED_COLUMN(put_likwid, spell_likwid)
SPELLED_COLUMN(put_libpfm4, spell_libpfm4)
SPELLED_COLUMN(put_pcm, spell_pcm)

static void put_commands(struct out *o, const struct events_row *row, bool json)
{
	struct recipe r = { .num = 0 };

	make_recipe(row->e, row, &r);
	if (json)
		out_char(o, '[');
	for (size_t i = 0; i < r.num; i++) {
		if (json)
			events_put_text(o, r.steps[i].command, true);
		else
			out_str(o, r.steps[i].command);
		if (i + 1 < r.num)
			out_str(o, json ? "," : "; ");
	}
	if (json)
		out_char(o, ']');
}

static const struct events_column spelled[] = {
	{ "perf", put_perf }, { "likwid", put_likwid }, { "libpfm4", put_libpfm4 },
	{ "pcm", put_pcm }, { "commands", put_commands },
};

enum { NUM_SPELLED = sizeof(spelled) / sizeof(spelled[0]), MAX_COLUMNS = 32 };

static size_t all_columns(struct events_column columns[MAX_COLUMNS])
{
	size_t num = events_num_columns;

	memcpy(columns, events_columns, num * sizeof(*columns));
	memcpy(columns + num, spelled, sizeof(spelled));
	return num + NUM_SPELLED;
}

/* ---- text ---- */

static void put_line(struct out *o, const char *label, const char *text)
{
	out_fmt(o, "  %-9s%s\n", label, *text ? text : "none: it does not have this event");
}

static void put_text(struct events *e, const struct events_row *row)
{
	struct recipe r = { .num = 0 };
	char text[LINE];
	struct out *o = &e->out;

	out_fmt(o, "%s: 0x%llx%s\n", events_row_name(row),
		(unsigned long long)events_row_word(row),
		uncoremsr_encoding_fixed(row->encoding)
			? " in the control of the fixed counter" : "");
	if (row->event)
		out_fmt(o, "  counts   %s\n", uncoremsr_event_description(row->event));
	spell_perf(e, row, text, sizeof(text));
	put_line(o, "perf", text);
	spell_likwid(e, row, text, sizeof(text));
	put_line(o, "likwid", text);
	spell_libpfm4(e, row, text, sizeof(text));
	put_line(o, "libpfm4", text);
	spell_pcm(e, row, text, sizeof(text));
	put_line(o, "pcm-raw", text);
	out_fmt(o, "  by hand, on %s of the package of CPU %d (bash, as root; pcm-raw watches it "
		"once it is on):\n", uncoremsr_encoding_fixed(row->encoding) ? "the fixed counter"
									: "counter 0", cpu_of(e));
	make_recipe(e, row, &r);
	for (size_t i = 0; i < r.num; i++) {
		size_t start = o->len;

		out_fmt(o, "    %s", r.steps[i].command);
		out_pad(o, start, 36, true);
		out_fmt(o, "  # %s\n", r.steps[i].why);
	}
}

/* What the caller has to know before it counts. */
static void put_warnings(struct out *o, const struct events_row *row)
{
	uint64_t value;
	uint32_t extra = row->event ? uncoremsr_event_extra(row->event, &value) : 0;

	if (extra && !value)
		out_fmt(o, "  needs    register 0x%x, which you have to choose a value for (see "
			"uncore-events explain 0x%x)\n", extra, extra);
	if (row->event && *uncoremsr_event_note(row->event))
		out_fmt(o, "  note     %s\n", uncoremsr_event_note(row->event));
}

static int put_encoding(void *user, const struct uncoremsr_encoding *encoding)
{
	struct events *e = user;
	struct events_row row = {
		.e = e, .encoding = encoding, .event = uncoremsr_encoding_event(encoding),
	};
	struct events_column columns[MAX_COLUMNS];
	size_t num = all_columns(columns);

	if (e->common.format != TOOL_TEXT) {
		events_put_row(&e->out, columns, num, &row, e->common.format == TOOL_JSON);
		return 0;
	}
	put_text(e, &row);
	put_warnings(&e->out, &row);
	return 0;
}

int events_encode(struct events *e)
{
	struct events_column columns[MAX_COLUMNS];
	size_t num = all_columns(columns), empty = e->out.len;

	if (e->common.format == TOOL_CSV)
		events_put_heads(&e->out, columns, num);
	for (size_t i = 0; i < e->num_words; i++) {
		if (uncoremsr_encode(e->um, e->uarch, e->words[i], put_encoding, e) >= 0)
			continue;
		/* All of them, or nothing but the reason. */
		e->out.len = empty;
		return tool_fail(&events_tool, e->um);
	}
	return TOOL_DONE;
}
