/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The machine in one line: what slows it down, and on how many packages and cores. */
#include <limits.h>
#include <string.h>

#include "throttle/throttle.h"

static void summarize_questions(struct throttle_summary *sum, const struct uncoremsr_subject *s)
{
	const struct uncoremsr_question *q = throttle_obstacle(s);

	sum->open |= throttle_causes_in(s, UNCOREMSR_QUESTION_OPEN);
	sum->not_visible |= throttle_causes_in(s, UNCOREMSR_QUESTION_NOT_VISIBLE);
	sum->needs_counting |= throttle_causes_in(s, UNCOREMSR_QUESTION_NEEDS_COUNTING);
	sum->not_asked |= throttle_causes_in(s, UNCOREMSR_QUESTION_NOT_ASKED);
	if (q && (!sum->obstacle || throttle_helps(q) > throttle_helps(sum->obstacle)))
		sum->obstacle = q;
}

static void summarize_subject(struct throttle_summary *sum, const struct uncoremsr_subject *s)
{
	bool package = s->core < 0;

	*(package ? &sum->packages : &sum->cores) += 1;
	if (s->verdict == UNCOREMSR_VERDICT_THROTTLED)
		*(package ? &sum->throttled_packages : &sum->throttled_cores) += 1;
	if (s->verdict == UNCOREMSR_VERDICT_UNKNOWN)
		*(package ? &sum->unknown_packages : &sum->unknown_cores) += 1;
	if (s->below_limit >= 0 && (sum->below_limit < 0 || s->below_limit < sum->below_limit))
		sum->below_limit = s->below_limit;
	if (s->temperature > sum->temperature) /* false if the temperature is unknown */
		sum->temperature = (int)s->temperature;
	summarize_questions(sum, s);
}

void throttle_summarize(const struct throttle_run *run, struct throttle_summary *sum)
{
	const struct uncoremsr_subject *s;
	const struct uncoremsr_cause *c;

	*sum = (struct throttle_summary){
		.verdict = uncoremsr_throttle_state(run->t)->verdict, .below_limit = -1,
		.temperature = INT_MIN,
	};
	for (size_t i = 0; (s = uncoremsr_throttle_subject(run->t, i)); i++)
		summarize_subject(sum, s);
	/* A cause that one package has shown counts as visible, even if another package cannot show it. */
	for (size_t i = 0; (s = uncoremsr_throttle_subject(run->t, i)); i++)
		for (size_t k = 0; (c = s->causes[k]); k++)
			sum->not_visible &= ~(1u << c->kind);
}

/* ---- causes ---- */

struct tally {
	unsigned causes; /* the causes in @list, as bits */
	size_t num;
	struct {
		enum uncoremsr_cause_kind cause;
		size_t packages, cores;
	} list[THROTTLE_CAUSES];
};

/*
 * Does the cause contribute to the verdict? Not if a package has it only from its cores, where it is counted already.
 */
static bool supports(const struct uncoremsr_cause *c, enum uncoremsr_verdict verdict)
{
	return c->decides && c->inherited < 0 &&
	       (verdict == UNCOREMSR_VERDICT_THROTTLED ? throttle_is_now(c) : c->logged);
}

/* Count the causes on which the machine's verdict rests. The same cause on several dies of a package counts once. */
static struct tally tally_causes(const struct throttle_run *run, enum uncoremsr_verdict verdict)
{
	const struct uncoremsr_subject *s;
	const struct uncoremsr_cause *c;
	struct tally t = { .num = 0 };

	for (size_t i = 0; (s = uncoremsr_throttle_subject(run->t, i)); i++) {
		unsigned counted = 0;

		for (size_t k = 0; (c = s->causes[k]); k++) {
			size_t at = 0;

			if (!supports(c, verdict) || (counted >> c->kind & 1))
				continue;
			counted |= 1u << c->kind;
			while (at < t.num && t.list[at].cause != c->kind)
				at++;
			t.num += at == t.num;
			t.causes |= 1u << c->kind;
			t.list[at].cause = c->kind;
			*(s->core < 0 ? &t.list[at].packages : &t.list[at].cores) += 1;
		}
	}
	return t;
}

/* Write "2 packages and 12 cores"; a number of 0 is left out. */
static void put_number(struct out *out, size_t packages, size_t cores, const char *and)
{
	if (packages)
		throttle_say_number(out, packages, "package");
	if (packages && cores)
		out_str(out, and);
	if (cores)
		throttle_say_number(out, cores, "core");
}

/* Write the causes with their numbers: "prochot-external (1 package, 6 cores), ..." */
static void put_causes(struct out *out, const struct tally *t)
{
	for (size_t i = 0; i < t->num; i++) {
		size_t packages = t->list[i].packages, cores = t->list[i].cores;

		out_fmt(out, "%s%s (", i ? ", " : "", uncoremsr_cause_word(t->list[i].cause));
		put_number(out, packages, cores, ", ");
		out_char(out, ')');
	}
}

/* ---- the line ---- */

void throttle_say_host(struct out *o, const struct throttle_run *run)
{
	if (run->cfg->show_host)
		out_fmt(o, "%s: ", run->cfg->host);
}

void throttle_put_simulated(struct throttle_run *run)
{
	throttle_say_host(run->out, run);
	if (machine_is_simulated(run->um))
		out_fmt(run->out, "SIMULATED machine %s: ", machine_simulated_name(run->um));
}

/* With --summary name policies in the line, which is the whole answer; otherwise they have their own lines. */
static void put_policy_words(struct throttle_run *run)
{
	const char *words[THROTTLE_POLICIES + 1] = { NULL };

	if (run->cfg->summary)
		throttle_list_policies(run, words);
	for (size_t i = 0; words[i]; i++)
		out_fmt(run->out, "%s%s", i ? ", " : "; limited by policy: ", words[i]);
}

/* Write the causes that are not visible. To package-thermal add the temperature, if that is known. */
static void say_not_visible(struct throttle_run *run, const struct throttle_summary *sum)
{
	const unsigned hot = sum->temperature != INT_MIN ? 1u << UNCOREMSR_CAUSE_PACKAGE_THERMAL : 0;
	const char *before = "; not visible here: ";

	if (sum->not_visible & hot) {
		out_fmt(run->out, "%spackage-thermal (at %d degrees C)", before, sum->temperature);
		before = ", ";
	}
	throttle_say_causes(run->out, before, sum->not_visible & ~hot);
}

static void put_unasked(struct throttle_run *run, const struct throttle_summary *sum)
{
	throttle_say_causes(run->out, "; left out by --without: ", sum->not_asked);
	throttle_say_causes(run->out, "; only with --dimm, -i or COMMAND: ", sum->needs_counting);
	say_not_visible(run, sum);
}

void throttle_put_unasked(struct throttle_run *run)
{
	struct throttle_summary sum;

	throttle_summarize(run, &sum);
	put_unasked(run, &sum);
}

/* Write the open questions, except those in @known. */
static void put_open(struct throttle_run *run, const struct throttle_summary *sum, unsigned known,
		     const char *before)
{
	if (!(sum->open & ~known))
		return;
	throttle_say_causes(run->out, before, sum->open & ~known);
	if (sum->verdict == UNCOREMSR_VERDICT_THROTTLED)
		return;
	out_str(run->out, ": ");
	throttle_say_reason(run->out, run, sum->obstacle);
}

static void put_text(struct throttle_run *run, const struct throttle_summary *sum, const char *why)
{
	size_t packages = sum->packages - sum->unknown_packages, cores = sum->cores - sum->unknown_cores;
	struct out *out = run->out;
	bool now = sum->verdict == UNCOREMSR_VERDICT_THROTTLED;
	struct tally causes;

	throttle_put_simulated(run);
	out_fmt(out, "%s: ", uncoremsr_verdict_word(sum->verdict));
	if (why) {
		out_fmt(out, "%s\n", why);
		return;
	}
	switch (sum->verdict) {
	case UNCOREMSR_VERDICT_OK:
		put_number(out, packages, cores, " and ");
		out_str(out, packages + cores == 1 ? ", not slowed down" : ", none is slowed down");
		break;
	case UNCOREMSR_VERDICT_UNKNOWN:
		put_open(run, sum, 0, "");
		if (packages + cores)
			out_str(out, "; not slowed down: ");
		put_number(out, packages, cores, " and ");
		break;
	default:
		causes = tally_causes(run, sum->verdict);
		put_causes(out, &causes);
		/* Logged causes (not @now) are listed again here if it is unknown whether they hold now. */
		put_open(run, sum, now ? causes.causes : 0,
			 now ? "; cannot tell: " : "; cannot tell now: ");
		break;
	}
	put_unasked(run, sum);
	put_policy_words(run);
	out_char(out, '\n');
}

/* ---- the record ---- */

struct row {
	struct throttle_record record;
	struct throttle_summary sum;
	const char *why, *verdict;
};

static void put_cause_words(struct records *w, const char *name, const void *row)
{
	const struct row *r = row;
	struct tally t = { .num = 0 };

	if (r->sum.verdict > UNCOREMSR_VERDICT_UNKNOWN)
		t = tally_causes(r->record.run, r->sum.verdict);
	record_open_list(w, name);
	for (size_t i = 0; i < t.num; i++)
		record_str(w, NULL, uncoremsr_cause_word(t.list[i].cause));
	record_close(w);
}

static void put_policies(struct records *w, const char *name, const void *row)
{
	const char *words[THROTTLE_POLICIES + 1];

	throttle_list_policies(((const struct row *)row)->record.run, words);
	record_strs(w, name, words);
}

static enum record_state get_why(const void *row, struct record_value *v)
{
	const struct row *r = row;

	if (r->why) {
		out_str(v->scratch, r->why);
	} else if (r->sum.obstacle && r->sum.verdict != UNCOREMSR_VERDICT_THROTTLED) {
		throttle_say_reason(v->scratch, r->record.run, r->sum.obstacle);
	} else {
		return RECORD_NONE;
	}
	return record_composed(v);
}

static enum record_state get_temperature(const void *row, struct record_value *v)
{
	v->number = ((const struct row *)row)->sum.temperature;
	return v->number == INT_MIN ? RECORD_UNKNOWN : RECORD_KNOWN;
}

static const struct record_column columns[] = {
	THROTTLE_RECORD_COLUMNS,
	{ "verdict", RECORD_STR, RECORD_AT(row, verdict) },
	{ "causes", RECORD_NESTED, .put = put_cause_words, .join = " " },
	THROTTLE_CAUSES_COLUMN("unknown", row, sum.open),
	THROTTLE_CAUSES_COLUMN("not_visible", row, sum.not_visible),
	THROTTLE_CAUSES_COLUMN("needs_counting", row, sum.needs_counting),
	THROTTLE_CAUSES_COLUMN("not_asked", row, sum.not_asked),
	{ "packages", RECORD_INT, RECORD_AT(row, sum.packages) },
	{ "cores", RECORD_INT, RECORD_AT(row, sum.cores) },
	{ "throttled_packages", RECORD_INT, RECORD_AT(row, sum.throttled_packages) },
	{ "throttled_cores", RECORD_INT, RECORD_AT(row, sum.throttled_cores) },
	{ "unknown_packages", RECORD_INT, RECORD_AT(row, sum.unknown_packages) },
	{ "unknown_cores", RECORD_INT, RECORD_AT(row, sum.unknown_cores) },
	{ "below_limit", RECORD_INT, RECORD_AT(row, sum.below_limit) },
	{ "temperature", RECORD_INT, .get = get_temperature },
	{ "why", RECORD_STR, .get = get_why },
	{ "policy", RECORD_NESTED, .put = put_policies, .join = " " },
	THROTTLE_HOST_COLUMN,
};
const struct throttle_columns throttle_summary_columns = { RECORD_COLUMNS(columns) };

void throttle_show_summary(struct throttle_run *run, const char *why)
{
	struct row row = { .record = throttle_record(run), .why = why };

	throttle_summarize(run, &row.sum);
	row.verdict = uncoremsr_verdict_word(row.sum.verdict);
	if (records_for_people(&run->records)) {
		put_text(run, &row.sum, why);
		return;
	}
	record_row(&run->records, RECORD_COLUMNS(columns), &row);
}
