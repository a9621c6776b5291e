/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* uncore-events encode: selector words and recipes for registers; arguments of perf_event_open(2) for the kernel. */
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>

#include "common/counted.h"
#include "common/number.h"
#include "common/properties.h"
#include "events/events.h"

/* ---- columns for registers ---- */

#define ENC(row) (((const struct events_row *)(row))->encoding)
/* NULL: the program has no name for the event, or the name is not known. */
static const char *spelling(const struct uncoremsr_encoding *enc, const char *program)
{
	const struct uncoremsr_spelling *s;

	for (size_t i = 0; (s = enc->spellings[i]); i++)
		if (strcmp(s->program, program) == 0)
			return s->text;
	return NULL;
}

static enum record_state get_spelling(const void *row, struct record_value *v)
{
	return value_text(v, spelling(ENC(row), v->column->name));
}

static enum record_state get_pcm(const void *row, struct record_value *v)
{
	char text[EVENTS_LINE];

	return events_spell_pcm(ENC(row), text, sizeof(text)) ? value_copy(v, text) : RECORD_NONE;
}

static void put_commands(struct records *w, const char *name, const void *user)
{
	const struct events_row *row = user;

	record_open_list(w, name);
	events_put_recipe(w, row->e, row->encoding);
	record_close(w);
}

static enum record_state get_counters(const void *row, struct record_value *v)
{
	v->count = ENC(row)->counters;
	return v->count ? RECORD_KNOWN : RECORD_UNKNOWN;
}

static void put_remark(struct records *w, const char *text)
{
	if (records_for_people(w))
		out_fmt(w->out, "  remark   %s\n", text);
	else
		record_str(w, NULL, text);
}

static void put_each_remark(struct records *w, const struct uncoremsr_encoding *enc)
{
	const char *theirs = enc->kernel_scale;
	char line[EVENTS_CHOICE];

	for (const char *const *text = enc->remarks; *text; text++)
		put_remark(w, *text);
	if (theirs) {
		snprintf(line, sizeof(line), "this kernel's scale file says that one count is %s; the scale "
			 "of the tables is used", theirs);
		put_remark(w, line);
	}
	if (events_choice(enc->event, line, sizeof(line)))
		put_remark(w, line);
}

static void put_remarks(struct records *w, const char *name, const void *enc)
{
	record_open_list(w, name);
	put_each_remark(w, enc);
	record_close(w);
}

static void put_row_remarks(struct records *w, const char *name, const void *row)
{
	put_remarks(w, name, ENC(row));
}

static const struct record_column spelled[] = {
	{ "perf", RECORD_STR, .get = get_spelling }, { "likwid", RECORD_STR, .get = get_spelling },
	{ "libpfm4", RECORD_STR, .get = get_spelling }, { "pcm", RECORD_STR, .get = get_pcm },
	{ "commands", RECORD_NESTED, .put = put_commands },
	{ "counters", RECORD_WORD, .get = get_counters },
	{ "remarks", RECORD_NESTED, .put = put_row_remarks },
};

enum { NUM_SPELLED = ARRAY_SIZE(spelled) };

/* ---- columns of events that the kernel counts ---- */

/* Events of perf types up to LAST_PLAIN are written by name, events of other types as PMU/.../. */
enum { LAST_PLAIN = 3, NUM_CONFIGS = 4 };

/* Write the event in the syntax of perf stat -e, with @pmu as the name of its PMU. */
static void put_perf_event(struct out *o, const struct uncoremsr_encoding *enc, const char *pmu)
{
	static const char *const names[NUM_CONFIGS] = { "config", "config1", "config2", "config3" };
	const char *name = enc->name;
	/* If this kernel does not have the PMU, the type is UINT64_MAX. */
	bool plain = enc->type <= LAST_PLAIN;

	/* Bits 63:32 contain the type of the core PMU on a hybrid processor. */
	if (plain && enc->config[0] >> 32) {
		out_fmt(o, "%s/%.*s/%s", pmu, (int)strcspn(name, ":"), name, enc->modifiers);
		return;
	}
	/* enc->modifiers include those of the event's group. The colon of a tracepoint does not begin modifiers. */
	if (plain && enc->type != PERF_TYPE_TRACEPOINT) {
		out_fmt(o, "%.*s%s%s", (int)strcspn(name, ":"), name, *enc->modifiers ? ":" : "", enc->modifiers);
		return;
	}
	if (plain) {
		out_text_str(o, name);
		return;
	}
	out_fmt(o, "%s/", pmu);
	for (unsigned i = 0; i < NUM_CONFIGS; i++)
		if (!i || enc->config[i])
			out_fmt(o, "%s%s=0x%llx", i ? "," : "", names[i], (unsigned long long)enc->config[i]);
	out_fmt(o, "/%s", enc->modifiers);
}

static enum record_state get_route(const void *enc, struct record_value *v)
{
	return value_text(v, counted_route_word(((const struct uncoremsr_encoding *)enc)->route));
}

static enum record_state get_perf_event(const void *row, struct record_value *v)
{
	const struct uncoremsr_encoding *enc = row;

	put_perf_event(v->scratch, enc, enc->pmu);
	return record_composed(v);
}

static enum record_state get_from(const void *row, struct record_value *v)
{
	const struct uncoremsr_encoding *enc = row;

	return value_text(v, enc->event ? enc->event->from : NULL);
}

static bool has_lists(const void *user)
{
	return ((const struct events *)user)->w.format->nests;
}

enum { FIRST_CONFIG = 5 };

static const struct record_column perf_columns[] = {
	{ "name", RECORD_STR, RECORD_AT(uncoremsr_encoding, name) },
	{ "route", RECORD_STR, .get = get_route },
	{ "pmu", RECORD_STR, RECORD_AT(uncoremsr_encoding, pmu) },
	{ "family", RECORD_STR, RECORD_AT(uncoremsr_encoding, family) },
	{ "type", RECORD_INT, RECORD_AT(uncoremsr_encoding, type) },
	[FIRST_CONFIG] = { "config", RECORD_WORD, RECORD_AT(uncoremsr_encoding, config[0]), .all_ones = true },
	{ "config1", RECORD_WORD, RECORD_AT(uncoremsr_encoding, config[1]), .all_ones = true },
	{ "config2", RECORD_WORD, RECORD_AT(uncoremsr_encoding, config[2]), .all_ones = true },
	{ "config3", RECORD_WORD, RECORD_AT(uncoremsr_encoding, config[3]), .all_ones = true },
	{ "modifiers", RECORD_STR, RECORD_AT(uncoremsr_encoding, modifiers) },
	{ "cpus", RECORD_STR, RECORD_AT(uncoremsr_encoding, cpus) },
	{ "scale", RECORD_STR, RECORD_AT(uncoremsr_encoding, scale) },
	{ "measure", RECORD_STR, RECORD_AT(uncoremsr_encoding, measure) },
	{ "group", RECORD_INT, RECORD_AT(uncoremsr_encoding, group) },
	{ "description", RECORD_STR, RECORD_AT(uncoremsr_encoding, description) },
	{ "perf", RECORD_STR, .get = get_perf_event },
	{ "from", RECORD_STR, .get = get_from, .shown = has_lists },
	{ "remarks", RECORD_NESTED, .put = put_remarks, .shown = has_lists },
};

/* ---- text ---- */

/* Write which counter counts the event: "counter 0 of cbo3 of the package of CPU 0". */
static void put_place(struct out *o, const struct events *e, const struct uncoremsr_encoding *enc, int cpu)
{
	const struct uncoremsr_pmu *pmu = events_pmu(e, enc->pmu);

	if (enc->fixed)
		out_str(o, "the fixed counter");
	else
		out_fmt(o, "counter %u", events_first_bit(enc->counters));
	if (pmu && pmu->units > 1)
		out_fmt(o, " of %s%d", enc->pmu, enc->unit < 0 ? 0 : enc->unit);
	else if (!events_is_uncore(enc) && !events_is_core(enc->pmu))
		out_fmt(o, " of %s", enc->pmu);
	out_fmt(o, " of %sCPU %d", events_is_core(enc->pmu) ? "" : "the package of ", cpu);
}

static void put_recipe(struct events *e, const struct uncoremsr_encoding *enc)
{
	int cpu = events_recipe_cpu(e, enc);
	struct out *o = &e->out;

	if (cpu < 0) {
		out_str(o, "  by hand: no CPU of this kind of core is known here, so there are no commands\n");
		return;
	}
	out_str(o, "  by hand, on ");
	put_place(o, e, enc, cpu);
	out_fmt(o, " (bash, as root%s):\n",
		events_is_core(enc->pmu) && !enc->fixed ? "" : "; then pcm-raw shows the count");
	events_put_recipe(&e->w, e, enc);
}

/* Our tables lack many names of box and core events in other programs. */
static const char *no_spelling(const struct events *e, const struct uncoremsr_encoding *enc, const char *who)
{
	const struct uncoremsr_pmu *pmu = events_pmu(e, enc->pmu);

	if (strcmp(who, "perf") == 0)
		return events_extra(enc, 0)
		       ? "none: Linux's driver would change the event's filter"
		       : !enc->fixed && pmu && pmu->kernel_name ? "none: Linux's driver would count another event"
		       : "not known here";
	return events_is_uncore(enc) ? "none: the program has no name for this event"
				     : "not known here: the program may have a name of its own";
}

static void put_msr_text(struct events *e, const struct uncoremsr_encoding *enc)
{
	static const char *const programs[] = { "perf", "likwid", "libpfm4" };
	const struct uncoremsr_event *ev = enc->event;
	char text[EVENTS_LINE];
	struct out *o = &e->out;

	out_fmt(o, "%s: 0x%llx%s\n", enc->name, (unsigned long long)enc->word, !enc->fixed ? ""
		: enc->selector != UINT64_MAX ? " in the control of the fixed counter"
		: ", a counter that always runs");
	if (ev && ev->description)
		out_fmt(o, "  counts   %s\n", ev->description);
	for (size_t i = 0; i < ARRAY_SIZE(programs); i++) {
		const char *word = spelling(enc, programs[i]);

		out_fmt(o, "  %-9s%s\n", programs[i], word ? word : no_spelling(e, enc, programs[i]));
	}
	out_fmt(o, "  %-9s%s\n", "pcm-raw", events_spell_pcm(enc, text, sizeof(text))
		? text : "none: pcm-raw programs all E-cores alike");
	put_recipe(e, enc);
	if (ev && ev->extra_register != UINT64_MAX && ev->extra_value == UINT64_MAX && events_is_uncore(enc))
		out_fmt(o, "  needs    register 0x%x, whose value you have to choose (see "
			"uncore-events explain 0x%x)\n", (unsigned)ev->extra_register, (unsigned)ev->extra_register);
	put_each_remark(&e->w, enc);
	if (ev && ev->note && *ev->note)
		out_fmt(o, "  note     %s\n", ev->note);
}

/* ---- text about events that the kernel counts ---- */

/* State of put_encoding(), which is called for each unit of an event. Text is written after the event's last unit. */
struct encoding {
	struct events *e;
	struct record_column msr_columns[EVENTS_COLUMNS + NUM_SPELLED];
	const char *word;      /* the argument */
	bool same;
	uint64_t words[NUM_CONFIGS];
	struct out units, perf;
	int columns;           /* which CSV header was written: 1 for registers, 2 for the kernel, 0 for none */
	bool mixed;
};

static void add_unit(struct encoding *s, const struct uncoremsr_encoding *enc, int index)
{
	size_t start = s->units.len;

	out_fmt(&s->units, "  %-8s %s", index ? "" : "units", enc->pmu);
	out_pad(&s->units, start, 38, true);
	if (enc->type == UINT64_MAX)
		out_str(&s->units, " not in this kernel");
	else
		out_fmt(&s->units, " type %-4u", (unsigned)enc->type);
	for (unsigned i = 0; i < NUM_CONFIGS; i++) {
		uint64_t word = enc->config[i];

		if (!index)
			s->words[i] = word;
		s->same &= s->words[i] == word;
		if (!i || word)
			out_fmt(&s->units, " %s 0x%llx", perf_columns[FIRST_CONFIG + i].name, (unsigned long long)word);
	}
	if (enc->cpus)
		out_fmt(&s->units, "  on CPUs %s", enc->cpus);
	out_char(&s->units, '\n');
	if (index)
		out_char(&s->perf, ',');
	put_perf_event(&s->perf, enc, enc->pmu);
}

static void put_event(struct encoding *s, const struct uncoremsr_encoding *enc, int num)
{
	struct out *o = &s->e->out;

	out_fmt(o, "%s: %s, %d %s\n", enc->name, enc->family, num, num == 1 ? "unit" : "units");
	if (enc->description)
		out_fmt(o, "  counts   %s\n", enc->description);
	if (enc->event && events_source(enc->event)->origin)
		out_fmt(o, "  name     from %s\n", events_source(enc->event)->origin);
	if (enc->measure)
		out_fmt(o, "  measure  %s, one count is %s\n", enc->measure, enc->scale);
	/* If all units have equal words, write the PMU's name without a number, so that perf counts on each unit. */
	if (num > 1 && s->same && !s->word[strcspn(s->word, "*?[")]) {
		s->perf.len = 0;
		put_perf_event(&s->perf, enc, enc->family);
	}
	out_str(o, "  perf     perf stat -a -e ");
	out_shell_str(o, out_text(&s->perf));
	out_char(o, '\n');
	out_mem(o, s->units.buf, s->units.len);
	put_each_remark(&s->e->w, enc);
}

static void put_perf_text(struct encoding *s, const struct uncoremsr_encoding *enc)
{
	if (!enc->unit) {
		out_init(&s->units, -1);
		out_init(&s->perf, -1);
		s->same = true;
	}
	add_unit(s, enc, enc->unit);
	if (enc->unit + 1 < enc->units)
		return;
	put_event(s, enc, enc->units);
	out_free(&s->units);
	out_free(&s->perf);
}

/* ---- registers and kernel ---- */

static int put_encoding(void *user, const struct uncoremsr_encoding *encoding)
{
	struct encoding *s = user;
	bool perf = encoding->route == UNCOREMSR_ROUTE_PERF;

	if (records_for_people(&s->e->w) && perf) {
		put_perf_text(s, encoding);
	} else if (records_for_people(&s->e->w)) {
		put_msr_text(s->e, encoding);
	} else {
		struct events_row row = events_row(s->e, encoding->event, encoding);
		const struct record_column *columns = perf ? perf_columns : s->msr_columns;
		size_t num = perf ? ARRAY_SIZE(perf_columns) : ARRAY_SIZE(s->msr_columns);

		if (!s->columns)
			record_head(&s->e->w, columns, num);
		s->mixed |= s->columns && s->columns != 1 + perf && !has_lists(s->e);
		s->columns = 1 + perf;
		record_row(&s->e->w, columns, num, perf ? (const void *)encoding : &row);
	}
	return s->mixed;
}

static int encode(struct encoding *s, enum uncoremsr_route route, const char *word)
{
	s->word = word;
	return uncoremsr_encode(s->e->um, route, s->e->chosen, word, put_encoding, s);
}

/* Choose the same route as for counting: registers if the kernel cannot count an event of this processor. */
static int encode_word(struct encoding *s, const char *word)
{
	struct events *e = s->e;
	int num;

	if (!e->on_perf)
		return encode(s, e->route ? UNCOREMSR_ROUTE_MSR : UNCOREMSR_ROUTE_AUTO, word);
	num = encode(s, UNCOREMSR_ROUTE_PERF, word);
	if (num >= 0 || e->route || e->lists.cpu)
		return num;
	if (uncoremsr_encode(e->um, UNCOREMSR_ROUTE_MSR, e->chosen, word, NULL, NULL) > 0)
		return encode(s, UNCOREMSR_ROUTE_MSR, word);
	/* Encode for the kernel again, so that its error message is the one that is printed. */
	return encode(s, UNCOREMSR_ROUTE_PERF, word);
}

static int encode_all(struct encoding *s)
{
	enum uncoremsr_route route = s->e->on_perf ? UNCOREMSR_ROUTE_PERF : UNCOREMSR_ROUTE_MSR;
	const struct uncoremsr_event *ev;
	int status = TOOL_DONE;
	size_t num = 0;

	for (size_t i = 0; (ev = uncoremsr_event(s->e->um, s->e->chosen, i)); i++) {
		if (!events_is_from(ev, "list") && !events_is_from(ev, "imc"))
			continue;
		num++;
		if (ev->hidden > 0 || encode(s, route, ev->name) >= 0)
			continue;
		tool_fail(s->e->um);
		status = TOOL_PARTIAL;
	}
	return num ? status : tool_say(TOOL_USAGE, "--all: there are no event lists here; name one: --event-list=FILE");
}

int events_encode(struct events *e)
{
	struct encoding s = { .e = e };
	size_t empty = e->out.len;
	int status = TOOL_DONE, num = 0;

	memcpy(s.msr_columns, events_columns, sizeof(events_columns));
	memcpy(s.msr_columns + EVENTS_COLUMNS, spelled, sizeof(spelled));
	if (e->all)
		status = encode_all(&s);
	for (size_t i = 0; num >= 0 && !s.mixed && i < e->common.num_words; i++) {
		doubt_events("encode", e->common.words[i]);
		num = encode_word(&s, e->common.words[i]);
	}
	/* If one event could not be encoded, print no rows at all, only the error. */
	if (num < 0 || s.mixed)
		e->out.len = empty;
	if (s.mixed)
		status = tool_usage("encode: events for registers and events for the kernel have "
				"different columns; encode them separately, or use --format=json");
	else if (num < 0)
		/* If this machine has no tables, suggest other processors. On POWER, print a usage error as it is. */
		status = !e->uarch && !e->on_perf && !(machine_is_power(e->um) &&
						       uncoremsr_error(e->um)->error_class == UNCOREMSR_ERROR_USAGE)
				 ? events_no_tables_fail(e) : tool_fail(e->um);
	return status;
}
