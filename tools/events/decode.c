/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* uncore-events decode: what the bits of a register value mean. */
#include <stdio.h>
#include <string.h>

#include "events/events.h"
#include "common/array.h"
#include "common/memory.h"
#include "common/number.h"

struct reading {
	const struct uncoremsr_register *reg;
	uint64_t word, reserved;
	bool selector, core; /* @selector: an uncore or core selector; @core: a core selector */
	unsigned event_select;
	uint64_t umask;
	struct decoded_name {
		const char *name, *where;
		const struct uncoremsr_event *event; /* NULL for a core event */
		int port; /* port whose counters the word programs; -1: no port */
	} *names;
	size_t num_names;
	const char *remarks[10]; /* room for all remarks and a NULL at the end */
	size_t num_remarks;
};

/* -1: the register has no such field. */
static int64_t value_of(const struct reading *r, const char *name)
{
	const struct uncoremsr_field *f;

	for (size_t i = 0; (f = r->reg->fields[i]); i++)
		if (strcmp(f->name, name) == 0)
			return (int64_t)((r->word & f->mask) >> f->shift);
	return -1;
}

static bool is_set(const struct reading *r, const char *name)
{
	return value_of(r, name) > 0;
}

static void add_name(struct reading *r, const char *name, const char *where,
		     const struct uncoremsr_event *event, int port)
{
	const struct decoded_name n = { .name = name, .where = where, .event = event, .port = port };

	NEED_APPEND(r->names, r->num_names, n);
}

static const char *processor(const struct events *e)
{
	return e->chosen ? e->chosen : e->lists.cpu ? e->lists.cpu : e->uarch ? e->uarch : "this machine";
}

static bool find_core_names(const struct events *e, struct reading *r, uint64_t word)
{
	const char *name;
	unsigned type;

	for (size_t i = 0; (name = uncoremsr_core_event_name(e->um, e->chosen, word, i, &type)); i++)
		add_name(r, name, type == UNCOREMSR_CORE_TYPE_P ? "P cores" : type == UNCOREMSR_CORE_TYPE_E ? "E cores"
			 : type == UNCOREMSR_CORE_TYPE_LOW_POWER ? "low-power E cores" : processor(e), NULL, -1);
	return r->num_names;
}

/* If @all, all bits except enable, reset and interrupt bits; else those of the codes. */
static uint64_t bits_of_event(const struct uncoremsr_register *reg, bool all)
{
	static const char *const codes[] = {
		"EVENT", "EVENT_EXT", "EVENT_11_8", "EVENT_13_12", "UMASK", "UMASK_EXT", "INC_SEL", "SET_FLAG_SEL",
		"FLAG_MODE", NULL,
	};
	static const char *const states[] = { "EN", "RST", "OCC_CTR_RST", "OVF_EN", "PMI", "INT", NULL };
	const struct uncoremsr_field *f;
	uint64_t bits = 0;

	for (size_t i = 0; (f = reg->fields[i]); i++)
		if (all ? !list_has(states, f->name) : list_has(codes, f->name))
			bits |= f->mask;
	return bits;
}

/* The first encoding of an event. */
struct code {
	char pmu[64];
	uint64_t word, selector, config;
};

static int keep_code(void *user, const struct uncoremsr_encoding *encoding)
{
	struct code *c = user;

	*c = (struct code){ .word = encoding->word, .selector = encoding->selector, .config = encoding->config[0] };
	snprintf(c->pmu, sizeof(c->pmu), "%s", encoding->pmu);
	return 1;
}

/* The PMU and the bits by which an event is recognised in a selector word. */
struct listed {
	const char *pmu;
	uint64_t word, bits;
};

/* Can the event be recognised by its selector word? Not if it also needs a filter. */
static bool may_be_listed(const struct reading *r, const struct uncoremsr_event *ev)
{
	return ev->terms && !strstr(ev->terms, "config1=") && !strstr(ev->terms, "filter_") && !ev->hidden &&
	       !ev->deprecated && (ev->event_select & 0xff) == (r->event_select & 0xff);
}

static bool has_word(const struct events *e, const char *where, const char *text, struct listed l)
{
	struct code c = { .pmu = "" };

	uncoremsr_encode(e->um, UNCOREMSR_ROUTE_MSR, where, text, keep_code, &c);
	return strcmp(c.pmu, l.pmu) == 0 && !((c.word ^ l.word) & l.bits);
}

/* Find the port for which the event has this selector word, with either of the port's two counters; -1: no port. */
static int port_of(const struct events *e, const char *where, const struct uncoremsr_event *ev, struct listed l)
{
	char text[120];

	for (int i = 0; i < 2 * ev->ports; i++) {
		snprintf(text, sizeof(text), "%s/%s,port=%d,set=%d/", l.pmu, ev->name, i / 2, i % 2);
		if (has_word(e, where, text, l))
			return i / 2;
	}
	return -1;
}

static bool is_in_table(const struct events *e, const char *where, const struct uncoremsr_event *ev, struct listed l,
			int *port)
{
	if (strcmp(ev->pmu, l.pmu) != 0 || ev->event_select == UINT64_MAX)
		return false;
	if (ev->ports <= 0)
		return !((ev->word ^ l.word) & l.bits);
	*port = port_of(e, where, ev, l);
	return *port >= 0;
}

/* Search the event lists if @listed, else the tables of processor @where. */
static void find_events(const struct events *e, struct reading *r, struct listed l, const char *where, bool listed)
{
	const struct uncoremsr_event *ev;

	for (size_t i = 0; (ev = uncoremsr_event(e->um, where, i)); i++) {
		int port = -1;

		if (!events_is_from(ev, listed ? "list" : "table"))
			continue;
		if (listed ? may_be_listed(r, ev) && has_word(e, where, ev->name, l)
			   : is_in_table(e, where, ev, l, &port))
			add_name(r, ev->name, listed ? processor(e) : where, ev, port);
	}
}

/* Names from the tables precede those of lists; events that agree in all bits precede those with the same codes. */
static void find_names(const struct events *e, struct reading *r)
{
	struct listed l = { .pmu = r->reg->pmu, .word = r->word };
	const char *where;

	if (r->core && !find_core_names(e, r, r->word))
		find_core_names(e, r, r->word & UINT64_C(0xf0000ffff));
	for (int all = 1; !r->core && !r->num_names && all >= 0; all--) {
		l.bits = bits_of_event(r->reg, all);
		for (size_t i = 0; (where = events_uarch(e, i)); i++)
			find_events(e, r, l, where, false);
	}
	for (int all = 1; !r->core && !r->num_names && all >= 0; all--) {
		l.bits = bits_of_event(r->reg, all);
		find_events(e, r, l, e->chosen, true);
	}
}

static void find_fixed(const struct events *e, struct reading *r)
{
	const struct uncoremsr_pmu *pmu = r->reg->pmu ? events_pmu(e, r->reg->pmu) : NULL;
	int counter = r->reg->counter - UNCOREMSR_FIXED_COUNTERS;
	const struct uncoremsr_event *ev;

	if (!pmu || counter < 0 || counter >= pmu->fixed_counters)
		return;
	for (size_t i = 0; (ev = uncoremsr_event(e->um, e->chosen, i)); i++)
		if (strcmp(ev->name, pmu->fixed[counter]->event) == 0 && strcmp(ev->pmu, r->reg->pmu) == 0)
			add_name(r, ev->name, processor(e), ev, -1);
}

static void remark(struct reading *r, const char *text)
{
	r->remarks[r->num_remarks++] = text;
}

static void add_remarks(struct reading *r)
{
#define INTERRUPT ": raises an interrupt each time the counter wraps; if the word is written by hand (wrmsr), nothing " \
		  "handles the interrupt, and the kernel reports an unknown NMI"
	static const struct { const char *field, *remark; } interrupts[] = {
		{ "PMI", "PMI" INTERRUPT }, { "INT", "INT" INTERRUPT }, { "OVF_EN", "OVF_EN" INTERRUPT },
	};

	if (is_set(r, "OCC_CTR_RST"))
		remark(r, "bit 17 clears the queue occupancy that the event adds up, not the counter (write 0 to "
				"the counter for that); it reads back as 0");
	for (size_t i = 0; i < ARRAY_SIZE(interrupts); i++)
		if (is_set(r, interrupts[i].field))
			remark(r, interrupts[i].remark);
	if (is_set(r, "EDGE"))
		remark(r, "EDGE: counts how often the condition begins, not how long it lasts");
	if (value_of(r, "EN") == 0)
		remark(r, "EN is 0: nothing is counted");
	if (is_set(r, "INV") && !is_set(r, "CMASK") && !is_set(r, "THRESH"))
		remark(r, "INV has no effect without a threshold");
	if (r->core && !is_set(r, "USR") && !is_set(r, "OS"))
		remark(r, "USR and OS are both 0: nothing is counted");
	if (r->core && !r->num_names)
		remark(r, "few names of core events are built in; an event list has them all (--event-list)");
}

static bool is_core_selector(const struct uncoremsr_register *reg)
{
	return strncmp(reg->name, "IA32_PERFEVTSEL", 15) == 0 || strncmp(reg->name, "PERF_CTL", 8) == 0;
}

static void read_word(const struct events *e, struct reading *r, const struct uncoremsr_register *reg, uint64_t word)
{
	uint64_t event = events_code(reg, "EVENT", word), umask = events_code(reg, "UMASK", word);

	*r = (struct reading){
		.reg = reg, .word = word, .reserved = word & ~reg->valid, .core = is_core_selector(reg),
		.selector = reg->is_selector || is_core_selector(reg),
	};
	if (!r->selector) {
		find_fixed(e, r);
		return;
	}
	if (event == UINT64_MAX)
		event = events_code(reg, "INC_SEL", word);
	r->event_select = event == UINT64_MAX ? 0 : (unsigned)event;
	r->umask = umask == UINT64_MAX ? 0 : umask;
	find_names(e, r);
	add_remarks(r);
}

/* ---- text ---- */

static void text_reserved(struct out *o, const struct reading *r)
{
	/* For some registers the valid bits are not known. */
	if (!~r->reg->valid)
		return;
	if (!r->reserved) {
		out_str(o, "  reserved bits: none set\n");
		return;
	}
	out_fmt(o, "  RESERVED bits are set: 0x%llx (bit", (unsigned long long)r->reserved);
	for (unsigned i = 0; i < 64; i++)
		if (r->reserved >> i & 1)
			out_fmt(o, " %u", i);
	out_str(o, "): this library refuses to write such a value, which may fault\n");
}

static void text_names(struct out *o, const struct reading *r)
{
	if (r->selector && !r->num_names)
		out_fmt(o, "  event  0x%x:0x%llx, no name known for this processor\n", r->event_select,
			(unsigned long long)r->umask);
	for (size_t i = 0; i < r->num_names; i++) {
		const struct uncoremsr_event *ev = r->names[i].event;

		out_fmt(o, "  event  %s (%s)", r->names[i].name, r->names[i].where);
		if (r->names[i].port >= 0)
			out_fmt(o, " on port %d", r->names[i].port);
		if (ev && ev->description)
			out_fmt(o, ": %s", ev->description);
		if (ev && ev->extra_value != UINT64_MAX)
			out_fmt(o, "; if register 0x%x holds 0x%llx", (unsigned)ev->extra_register,
				(unsigned long long)ev->extra_value);
		out_char(o, '\n');
	}
}

static void text_reading(struct events *e, const struct reading *r)
{
	char list[EVENTS_PLATFORM];
	const char *elsewhere = events_register_elsewhere(e, r->reg, list);
	struct out *o = &e->out;

	out_fmt(o, "0x%llx in %s (0x%x): %s\n", (unsigned long long)r->word,
		r->reg->name, r->reg->address,
		r->reg->description);
	page_fields(e, r->reg, &r->word);
	text_reserved(o, r);
	if (elsewhere)
		out_fmt(o, "  not on this processor; this is its meaning with --uarch=%s\n", elsewhere);
	text_names(o, r);
	for (size_t i = 0; i < r->num_remarks; i++)
		out_fmt(o, "  note   %s\n", r->remarks[i]);
	if (r->word & r->reg->reads_zero)
		out_fmt(o, "  reads back as 0x%llx\n", (unsigned long long)(r->word & ~r->reg->reads_zero));
}

/* ---- JSON, CSV ---- */

static void write_event(struct records *f, const struct reading *r)
{
	const struct uncoremsr_event *ev = r->num_names ? r->names[0].event : NULL;
	char codes[32];

	snprintf(codes, sizeof(codes), "0x%x:0x%llx", r->event_select, (unsigned long long)r->umask);
	record_str(f, "name", r->num_names ? r->names[0].name : codes);
	record_str(f, "pmu", r->core ? "core" : r->reg->pmu);
	if (r->selector) {
		record_word(f, "event_select", r->event_select);
		record_word(f, "umask", r->umask);
		record_word(f, "encoding", r->word);
	}
	record_str(f, "kind", ev ? ev->kind : NULL);
	record_str(f, "description", ev ? ev->description : NULL);
	record_strs(f, "sources", ev ? ev->sources : NULL);
	record_open_list(f, "events");
	for (size_t i = 0; i < r->num_names; i++)
		record_str(f, NULL, r->names[i].name);
	record_close(f);
	record_open_list(f, "events_on");
	for (size_t i = 0; i < r->num_names; i++)
		record_str(f, NULL, r->names[i].where);
	record_close(f);
}

static void write_reading(struct events *e, const struct reading *r)
{
	struct records *f = &e->w;

	record_word(f, "value", r->word);
	record_str(f, "register", r->reg->name);
	record_word(f, "address", r->reg->address);
	record_word(f, "reserved", r->reserved);
	record_word(f, "reads_back", r->word & ~r->reg->reads_zero);
	if (r->selector || r->num_names)
		write_event(f, r);
	page_fields(e, r->reg, &r->word);
	record_strs(f, "remarks", r->remarks);
}

static void put_reading(struct events *e, const struct uncoremsr_register *reg, uint64_t word)
{
	struct reading r;

	read_word(e, &r, reg, word);
	if (records_for_people(&e->w))
		text_reading(e, &r);
	else
		write_reading(e, &r);
	free(r.names);
}

int events_decode_word(struct events *e, const struct uncoremsr_register *reg, uint64_t word)
{
	const struct uncoremsr_register *core = events_core_selector(e);

	/* Every processor has both registers in the tables, so NULL means out of memory. */
	if (!reg || !core)
		return tool_fail(e->um);
	page_begin(e, NULL, NULL);
	put_reading(e, reg, word);
	/* If the word has bits that only a core selector has, it is probably a core selector. */
	if (!e->reg && reg->is_selector && !is_core_selector(reg) && word & ~reg->valid && !(word & ~core->valid)) {
		if (records_for_people(&e->w))
			out_str(&e->out, "\nThese bits do not fit an uncore selector. As a core selector "
				     "(the format of perf's raw codes) they mean:\n");
		else
			record_open(&e->w, "as_core_selector");
		put_reading(e, core, word);
		if (!records_for_people(&e->w))
			record_close(&e->w);
	}
	page_end(e);
	return TOOL_DONE;
}

bool events_perf_raw(const char *text, uint64_t *word)
{
	char hex[32];

	if (*text != 'r' || strlen(text) > 17)
		return false;
	snprintf(hex, sizeof(hex), "0x%s", text + 1);
	return number_parse(hex, 0, UINT64_MAX, word, NULL);
}

int events_decode_selector(struct events *e, const char *text, uint64_t word)
{
	const struct uncoremsr_pmu *pmu;
	char names[160] = "";

	if (events_is_plain(e))
		return events_decode_word(e, events_selector(e, NULL), word);
	for (size_t i = 0; (pmu = uncoremsr_pmu(e->um, e->uarch, i)); i++)
		if (pmu->general_counters > 0 && !strcmp(pmu->reach, "msr"))
			list_add(names, sizeof(names), ", ", pmu->name);
	return tool_usage("%s: '%s': the uncore of %s has more than one kind of "
			  "selector (%s): write PMU/raw=%s/, or name the register with --register",
			  e->common.command->name, text, e->uarch, names, text);
}

int events_decode_form(struct events *e, const char *text)
{
	const struct uncoremsr_register *reg;
	char pmu[64], number[24], any[80];
	struct code c;
	int end = 0, num = -1;
	uint64_t word;
	bool is_word = sscanf(text, "%63[^/]/raw=%23[^/,]/%n", pmu, number, &end) == 2 && end &&
		       !text[end] && number_parse(number, 0, UINT64_MAX, &word, NULL);

	if (!e->uarch)
		return tool_usage("%s: '%s': choose the processor with --uarch=NAME", e->common.command->name, text);
	/* Find the PMU's selector by encoding raw=1: uncoremsr_encode() may refuse bits of the word. */
	if (is_word) {
		snprintf(any, sizeof(any), "%s/raw=1/", pmu);
		num = uncoremsr_encode(e->um, UNCOREMSR_ROUTE_MSR, e->uarch, any, keep_code, &c);
		c.word = word;
	}
	if (num < 0)
		num = uncoremsr_encode(e->um, UNCOREMSR_ROUTE_MSR, e->uarch, text, keep_code, &c);
	if (num < 0)
		return tool_fail(e->um);
	reg = events_register_at(e, (uint32_t)c.selector);
	return reg ? events_decode_word(e, reg, c.word)
		   : tool_usage("%s: %s has no selector", e->common.command->name, text);
}

/* @text is of the form "nest_mcs01/event=0xc8/". NULL: no event of the catalog has this offset. */
static const struct uncoremsr_event *event_at_offset(struct events *e, const char *text)
{
	const struct uncoremsr_event *ev;
	struct code c;

	if (!strchr(text, '=') || uncoremsr_encode(e->um, UNCOREMSR_ROUTE_PERF, NULL, text, keep_code, &c) <= 0)
		return NULL;
	for (size_t i = 0; (ev = uncoremsr_event(e->um, e->chosen, i)); i++)
		if (ev->level && strcmp(ev->pmu, c.pmu) == 0 && ev->offset == (c.config & UINT32_MAX))
			return ev;
	return NULL;
}

/* Decode an event or PMU/raw=WORD/. An event without a selector is explained instead. */
static int decode_name(struct events *e, const char *text)
{
	const struct uncoremsr_event *ev = event_at_offset(e, text);
	struct code c;

	if (ev) {
		char name[400];

		snprintf(name, sizeof(name), "%s/%s/", ev->pmu, ev->name);
		return events_explain_name(e, name);
	}
	if (strstr(text, "/raw=") || strstr(text, "/config=") ||
	    (e->uarch && uncoremsr_encode(e->um, UNCOREMSR_ROUTE_MSR, e->chosen, text, keep_code, &c) > 0 &&
	     c.selector != UINT64_MAX))
		return events_decode_form(e, text);
	return events_explain_name(e, text);
}

int events_decode(struct events *e)
{
	const char *text = e->common.words[0];
	const struct uncoremsr_register *reg = NULL;
	uint64_t word;

	if (e->reg) {
		reg = events_register(e, e->reg);
		if (!reg)
			return tool_usage("--register: '%s': no register of that name "
					  "or address in the tables (uncore-info --registers lists them)",
					  e->reg);
	}
	if (!e->reg && events_perf_raw(text, &word))
		return events_decode_word(e, events_core_selector(e), word);
	if (!reg && !number_parse(text, 0, UINT64_MAX, &word, NULL))
		return decode_name(e, text);
	if (option_code("decode", text, UINT64_MAX, &word))
		return TOOL_USAGE;
	return reg ? events_decode_word(e, reg, word) : events_decode_selector(e, text, word);
}
