/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* uncore-events encode --route=perf: what the kernel is asked for, unit by unit. */
#include <stdio.h>
#include <string.h>

#include "events/events.h"

/* Types up to LAST_PLAIN have names, no PMU to write before slashes. */
enum { LAST_PLAIN = 3, NUM_CONFIGS = 4 };

/* An event while its units come in; in text it is shown when the last of them is there. */
struct showing {
	struct events *e;
	const char *word;      /* as it was asked for */
	bool same;             /* every unit has the words of the first */
	uint64_t words[NUM_CONFIGS];
	struct out units, perf;
};

static const char *const config_names[NUM_CONFIGS] = { "config", "config1", "config2", "config3" };

/* As perf stat -e takes it, for a PMU of that name. */
static void put_perf(struct out *o, const struct uncoremsr_perf_encoding *enc, const char *pmu)
{
	bool any = false;

	if (uncoremsr_perf_encoding_type(enc) <= LAST_PLAIN) {
		out_str(o, uncoremsr_perf_encoding_name(enc));
		return;
	}
	out_fmt(o, "%s/", pmu);
	for (unsigned i = 0; i < NUM_CONFIGS; i++) {
		uint64_t word = uncoremsr_perf_encoding_config(enc, i);

		if (i && !word)
			continue;
		out_fmt(o, "%s%s=0x%llx", any ? "," : "", config_names[i],
			(unsigned long long)word);
		any = true;
	}
	out_fmt(o, "/%s", uncoremsr_perf_encoding_modifiers(enc));
}

static void put_scale(struct fields *f, const struct uncoremsr_perf_encoding *enc)
{
	char text[40];

	snprintf(text, sizeof(text), "%.15g", uncoremsr_perf_encoding_scale(enc));
	fields_str(f, "scale", text);
	fields_str(f, "measure", uncoremsr_perf_encoding_measure(enc));
}

/* ---- programs ---- */

static void put_json(struct out *o, const struct uncoremsr_perf_encoding *enc)
{
	struct fields f;
	struct out perf;

	out_init(&perf, -1);
	put_perf(&perf, enc, uncoremsr_perf_encoding_pmu(enc));
	out_char(&perf, '\0');
	fields_begin(&f, o, true);
	fields_str(&f, "name", uncoremsr_perf_encoding_name(enc));
	fields_str(&f, "route", "perf");
	fields_str(&f, "pmu", uncoremsr_perf_encoding_pmu(enc));
	fields_str(&f, "family", uncoremsr_perf_encoding_family(enc));
	fields_int(&f, "type", uncoremsr_perf_encoding_type(enc));
	for (unsigned i = 0; i < NUM_CONFIGS; i++)
		fields_word(&f, config_names[i], uncoremsr_perf_encoding_config(enc, i));
	fields_str(&f, "modifiers", uncoremsr_perf_encoding_modifiers(enc));
	fields_str(&f, "cpus", uncoremsr_perf_encoding_cpus(enc));
	put_scale(&f, enc);
	fields_int(&f, "group", uncoremsr_perf_encoding_group(enc));
	fields_str(&f, "description", uncoremsr_perf_encoding_description(enc));
	fields_str(&f, "perf", perf.error ? NULL : perf.buf);
	fields_end(&f);
	out_free(&perf);
}

static const char csv_head[] =
	"name,route,pmu,family,type,config,config1,config2,config3,modifiers,cpus,scale,measure,"
	"group,description,perf\n";

static void put_csv(struct out *o, const struct uncoremsr_perf_encoding *enc)
{
	struct out perf;

	out_csv_str(o, uncoremsr_perf_encoding_name(enc));
	out_fmt(o, ",perf,%s,%s,%u", uncoremsr_perf_encoding_pmu(enc),
		uncoremsr_perf_encoding_family(enc), uncoremsr_perf_encoding_type(enc));
	for (unsigned i = 0; i < NUM_CONFIGS; i++)
		out_fmt(o, ",0x%llx", (unsigned long long)uncoremsr_perf_encoding_config(enc, i));
	out_fmt(o, ",%s,", uncoremsr_perf_encoding_modifiers(enc));
	out_csv_str(o, uncoremsr_perf_encoding_cpus(enc));
	out_fmt(o, ",%.15g,", uncoremsr_perf_encoding_scale(enc));
	out_csv_str(o, uncoremsr_perf_encoding_measure(enc));
	out_fmt(o, ",%u,", uncoremsr_perf_encoding_group(enc));
	out_csv_str(o, uncoremsr_perf_encoding_description(enc));
	out_char(o, ',');
	out_init(&perf, -1);
	put_perf(&perf, enc, uncoremsr_perf_encoding_pmu(enc));
	out_char(&perf, '\0');
	out_csv_str(o, perf.error ? NULL : perf.buf);
	out_char(o, '\n');
	out_free(&perf);
}

/* ---- people ---- */

static void add_unit(struct showing *s, const struct uncoremsr_perf_encoding *enc, size_t index)
{
	size_t start = s->units.len;

	out_fmt(&s->units, "  %-8s %s", index ? "" : "units", uncoremsr_perf_encoding_pmu(enc));
	out_pad(&s->units, start, 38, true);
	out_fmt(&s->units, " type %-4u", uncoremsr_perf_encoding_type(enc));
	for (unsigned i = 0; i < NUM_CONFIGS; i++) {
		uint64_t word = uncoremsr_perf_encoding_config(enc, i);

		if (!index)
			s->words[i] = word;
		s->same &= s->words[i] == word;
		if (!i || word)
			out_fmt(&s->units, " %s 0x%llx", config_names[i], (unsigned long long)word);
	}
	if (uncoremsr_perf_encoding_cpus(enc))
		out_fmt(&s->units, "  on CPUs %s", uncoremsr_perf_encoding_cpus(enc));
	out_char(&s->units, '\n');
	if (index)
		out_char(&s->perf, ',');
	put_perf(&s->perf, enc, uncoremsr_perf_encoding_pmu(enc));
}

/* All units of a PMU have one word for perf, if the user did not choose some of them. */
static bool is_one_word(const struct showing *s, size_t num)
{
	return num > 1 && s->same && !s->word[strcspn(s->word, "*?[")];
}

static void show(struct showing *s, const struct uncoremsr_perf_encoding *enc, size_t num)
{
	struct out *o = &s->e->out;
	const char *description = uncoremsr_perf_encoding_description(enc);

	out_fmt(o, "%s: %s, %zu %s\n", uncoremsr_perf_encoding_name(enc),
		uncoremsr_perf_encoding_family(enc), num, num == 1 ? "unit" : "units");
	if (description)
		out_fmt(o, "  counts   %s\n", description);
	if (uncoremsr_perf_encoding_measure(enc))
		out_fmt(o, "  measure  %s, one count is %.15g\n",
			uncoremsr_perf_encoding_measure(enc), uncoremsr_perf_encoding_scale(enc));
	if (is_one_word(s, num)) {
		s->perf.len = 0;
		put_perf(&s->perf, enc, uncoremsr_perf_encoding_family(enc));
	}
	out_char(&s->perf, '\0');
	out_str(o, "  perf     perf stat -a -e ");
	out_shell_str(o, s->perf.error ? "" : s->perf.buf);
	out_char(o, '\n');
	out_mem(o, s->units.buf, s->units.len);
}

static int put_text(struct showing *s, const struct uncoremsr_perf_encoding *enc)
{
	size_t num, index = uncoremsr_perf_encoding_unit(enc, &num);

	if (!index) {
		out_init(&s->units, -1);
		out_init(&s->perf, -1);
		s->same = true;
	}
	add_unit(s, enc, index);
	if (index + 1 < num)
		return 0;
	show(s, enc, num);
	out_free(&s->units);
	out_free(&s->perf);
	return 0;
}

static int put_encoding(void *user, const struct uncoremsr_perf_encoding *enc)
{
	struct showing *s = user;

	if (s->e->common.format == TOOL_TEXT)
		return put_text(s, enc);
	if (s->e->common.format == TOOL_JSON)
		put_json(&s->e->out, enc);
	else
		put_csv(&s->e->out, enc);
	return 0;
}

static int encode(struct events *e, const char *word)
{
	struct showing s = { .e = e, .word = word };

	return uncoremsr_perf_encode(e->um, word, put_encoding, &s);
}

/* A list may have events that this kernel has no PMU for. Of equal names the first one counts. */
static int encode_all(struct events *e)
{
	const struct uncoremsr_listed_event *ev = uncoremsr_listed_event(e->um, 0);
	int status = TOOL_DONE;

	if (!ev)
		return tool_say(&events_tool, TOOL_USAGE, "--all: there are no event lists here; "
				"name one: --event-list=FILE");
	for (size_t i = 0; ev; ev = uncoremsr_listed_event(e->um, ++i)) {
		const char *name = uncoremsr_listed_event_name(ev);

		if (uncoremsr_listed_event_find(e->um, name) != ev || encode(e, name) >= 0)
			continue;
		tool_fail(&events_tool, e->um);
		status = TOOL_PARTIAL;
	}
	return status;
}

int events_encode_perf(struct events *e)
{
	size_t empty = e->out.len;

	if (e->common.format == TOOL_CSV)
		out_str(&e->out, csv_head);
	if (e->all)
		return encode_all(e);
	for (size_t i = 0; i < e->num_words; i++) {
		if (encode(e, e->words[i]) >= 0)
			continue;
		/* All of them, or nothing but the reason. */
		e->out.len = empty;
		return tool_fail(&events_tool, e->um);
	}
	return TOOL_DONE;
}
