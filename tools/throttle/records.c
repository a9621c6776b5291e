/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Records for programs. JSON: one object per package and per core. CSV: the same with one line per
 * cause, or one without cause; evidence and questions are joined to one text each.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "throttle/throttle.h"

/* ---- evidence ---- */

int64_t throttle_register(const char *text, size_t *len)
{
	const char *open = strstr(text, " (0x");
	char *end;
	long msr;

	*len = strlen(text);
	if (!open)
		return -1;
	msr = strtol(open + 2, &end, 16);
	if (strcmp(end, ")") != 0)
		return -1;
	*len = (size_t)(open - text);
	return msr;
}

static void json_evidence(struct throttle_run *run, const struct uncoremsr_throttle_cause *c)
{
	const char *text, *bits;
	uint64_t value;

	out_str(run->out, ",\"evidence\":[");
	for (size_t i = 0; (text = uncoremsr_cause_evidence(c, i, &value, &bits)); i++) {
		size_t len;
		int64_t msr = throttle_register(text, &len);

		out_str(run->out, i ? ",{\"register\":\"" : "{\"register\":\"");
		out_mem(run->out, text, len);
		/* Registers are words; what the kernel or a counter says is a number. */
		if (msr >= 0)
			out_fmt(run->out, "\",\"msr\":\"0x%" PRIx64 "\",\"value\":\"0x%" PRIx64 "\"",
				(uint64_t)msr, value);
		else
			out_fmt(run->out, "\",\"msr\":null,\"value\":\"%" PRIu64 "\"", value);
		out_str(run->out, ",\"bits\":");
		out_json_str(run->out, bits);
		out_char(run->out, '}');
	}
	out_char(run->out, ']');
}

/* "IA32_THERM_STATUS (0x19c)=0x88340003 [THERMAL THERMAL_LOG]; ...". */
static void csv_evidence(struct throttle_run *run, const void *cause)
{
	const char *text, *bits;
	uint64_t value;
	size_t len;

	for (size_t i = 0; (text = uncoremsr_cause_evidence(cause, i, &value, &bits)); i++) {
		out_fmt(run->out, throttle_register(text, &len) >= 0 ? "%s%s=0x%" PRIx64
								       : "%s%s=%" PRIu64,
			i ? "; " : "", text, value);
		if (bits && *bits)
			out_fmt(run->out, " [%s]", bits);
	}
}

static void csv_questions(struct throttle_run *run, const void *subject)
{
	const char *text;

	for (size_t i = 0; (text = uncoremsr_throttle_unknown(subject, i)); i++)
		out_fmt(run->out, "%s%s", i ? "; " : "", text);
}

/* ---- one record ---- */

static int64_t degrees(int (*get)(const struct uncoremsr_throttle_subject *, int *),
		       const struct uncoremsr_throttle_subject *s)
{
	int v;

	return get(s, &v) == 0 ? v : INT64_MIN;
}

static void put_subject(struct throttle_run *run, const struct uncoremsr_throttle_subject *s)
{
	int core = uncoremsr_subject_core(s);
	uint64_t hz;

	throttle_put_when(run);
	throttle_put_int(run, "package", uncoremsr_subject_package(s));
	throttle_put_int(run, "core", core < 0 ? INT64_MIN : core);
	throttle_put_int(run, "cpu", uncoremsr_subject_cpu(s));
	throttle_put_str(run, "verdict", uncoremsr_verdict_word(uncoremsr_subject_verdict(s)));
	throttle_put_str(run, "sentence", uncoremsr_subject_sentence(s));
	throttle_put_int(run, "temperature", degrees(uncoremsr_subject_temperature, s));
	throttle_put_int(run, "below_limit", degrees(uncoremsr_subject_below_limit, s));
	throttle_put_int(run, "frequency_hz",
			 uncoremsr_subject_frequency(s, &hz) == 0 ? (int64_t)hz : INT64_MIN);
}

static void put_cause(struct throttle_run *run, const struct uncoremsr_throttle_cause *c)
{
	double share = 0;
	bool known = c && uncoremsr_cause_share(c, &share) == 0;

	throttle_put_bool(run, "now", uncoremsr_cause_now(c));
	throttle_put_bool(run, "logged", uncoremsr_cause_logged(c));
	throttle_put_bool(run, "decides", uncoremsr_cause_decides(c));
	throttle_put_share(run, "share", known, share);
}

static void json_subject(struct throttle_run *run, const struct uncoremsr_throttle_subject *s)
{
	const struct uncoremsr_throttle_cause *c;
	const char *text;

	put_subject(run, s);
	out_str(run->out, ",\"causes\":[");
	for (size_t i = 0; (c = uncoremsr_throttle_cause(s, i)); i++) {
		out_str(run->out, i ? ",{\"cause\":" : "{\"cause\":");
		out_json_str(run->out, uncoremsr_cause_word(c));
		put_cause(run, c);
		throttle_put_str(run, "sentence", uncoremsr_cause_sentence(c));
		json_evidence(run, c);
		out_char(run->out, '}');
	}
	out_str(run->out, "],\"unknown\":[");
	for (size_t i = 0; (text = uncoremsr_throttle_unknown(s, i)); i++) {
		out_str(run->out, i ? "," : "");
		out_json_str(run->out, text);
	}
	out_char(run->out, ']');
	throttle_put_end(run);
}

static void csv_line(struct throttle_run *run, const struct uncoremsr_throttle_subject *s,
		     const struct uncoremsr_throttle_cause *c)
{
	put_subject(run, s);
	throttle_put_str(run, "cause", c ? uncoremsr_cause_word(c) : NULL);
	if (c) {
		put_cause(run, c);
		throttle_put_str(run, "cause_sentence", uncoremsr_cause_sentence(c));
		throttle_put_text(run, "evidence", csv_evidence, c);
	} else {
		out_str(run->out, ",,,,,,");
	}
	throttle_put_text(run, "unknown", csv_questions, s);
	throttle_put_end(run);
}

void throttle_record(struct throttle_run *run, const struct uncoremsr_throttle_subject *s)
{
	const struct uncoremsr_throttle_cause *c = uncoremsr_throttle_cause(s, 0);

	if (throttle_json(run)) {
		json_subject(run, s);
		return;
	}
	csv_line(run, s, c);
	for (size_t i = 1; (c = uncoremsr_throttle_cause(s, i)); i++)
		csv_line(run, s, c);
}

/* ---- of a whole run ---- */

/* Who does it, without the colon before it. */
static const char *words(const struct throttle_spell *sp)
{
	return sp->who + strspn(sp->who, ": ");
}

static void put_spell(struct throttle_run *run, const struct throttle_track *t,
		      const struct throttle_spell *sp)
{
	throttle_put_bool(run, "now", sp->looks);
	throttle_put_bool(run, "logged", sp->logged);
	throttle_put_bool(run, "decides", sp->counted);
	throttle_put_share(run, "share", sp->measured || !sp->looks,
			   throttle_spell_share(run, t, sp));
}

static void put_track(struct throttle_run *run, const struct throttle_track *t, const char *gone)
{
	enum uncoremsr_verdict verdict = gone || t->unknown ? UNCOREMSR_VERDICT_UNKNOWN
							      : UNCOREMSR_VERDICT_OK;
	const char *sentence = gone;

	for (size_t i = t->num; i-- > 0 && !gone;) {
		const struct throttle_spell *sp = &t->spells[i];
		enum uncoremsr_verdict each = sp->looks ? UNCOREMSR_VERDICT_THROTTLED
							 : UNCOREMSR_VERDICT_WAS_THROTTLED;

		if (!sp->counted || (!sp->looks && !sp->logged) || each < verdict)
			continue;
		verdict = each;
		sentence = words(sp);
	}
	throttle_put_when(run);
	throttle_put_int(run, "package", t->package);
	throttle_put_int(run, "core", t->core < 0 ? INT64_MIN : t->core);
	throttle_put_int(run, "cpu", t->cpu);
	throttle_put_str(run, "verdict", uncoremsr_verdict_word(verdict));
	throttle_put_str(run, "sentence", sentence ? sentence : "not slowed down");
	throttle_put_int(run, "temperature", INT64_MIN);
	throttle_put_int(run, "below_limit", INT64_MIN);
	throttle_put_int(run, "frequency_hz", INT64_MIN);
}

static void json_track(struct throttle_run *run, const struct throttle_track *t, const char *gone)
{
	put_track(run, t, gone);
	out_str(run->out, ",\"causes\":[");
	for (size_t i = 0; i < t->num; i++) {
		const struct throttle_spell *sp = &t->spells[i];

		out_str(run->out, i ? ",{\"cause\":" : "{\"cause\":");
		out_json_str(run->out, sp->cause);
		put_spell(run, t, sp);
		throttle_put_str(run, "sentence", words(sp));
		out_str(run->out, ",\"evidence\":[]}");
	}
	out_str(run->out, "],\"unknown\":[]");
	throttle_put_end(run);
}

void throttle_record_track(struct throttle_run *run, const struct throttle_track *t,
			   const char *gone)
{
	if (throttle_json(run)) {
		json_track(run, t, gone);
		return;
	}
	for (size_t i = 0; i < t->num || !i; i++) {
		const struct throttle_spell *sp = i < t->num ? &t->spells[i] : NULL;

		put_track(run, t, gone);
		throttle_put_str(run, "cause", sp ? sp->cause : NULL);
		if (sp) {
			put_spell(run, t, sp);
			throttle_put_str(run, "cause_sentence", words(sp));
			out_str(run->out, ",,");
		} else {
			out_str(run->out, ",,,,,,,");
		}
		throttle_put_end(run);
	}
}

void throttle_records_head(struct throttle_run *run)
{
	if (run->cfg->common.format == TOOL_CSV)
		out_str(run->out, "time,timestamp,machine,package,core,cpu,verdict,sentence,"
			"temperature,below_limit,frequency_hz,cause,now,logged,decides,share,"
			"cause_sentence,evidence,unknown\n");
}

void throttle_show_records(struct throttle_run *run)
{
	for (size_t i = 0; i < uncoremsr_throttle_num_subjects(run->t); i++)
		throttle_record(run, uncoremsr_throttle_subject(run->t, i));
}
